/* heat_links: keeps the view in the page's address, so that Back undoes steps. */
pyrograph.heat.links = function (app) {
	'use strict';

	pyrograph.ui.history(app, { address: pyrograph.heat.address,
		stay: ['theme', 'zone', 'speed', 'selecting', 'flameShown', 'panel'],
		adopted: () => {
			app.settle();
			if (app.flame && app.flame.setView)
				app.flame.setView(app.view.flame);
		} });
};
