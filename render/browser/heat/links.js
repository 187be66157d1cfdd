/* heat_links: the address says what is shown, and the steps to undo. */
pyrograph.heat.links = function (app) {
	'use strict';

	const A = pyrograph.heat.address;
	const STAY = ['theme', 'zone', 'speed', 'selecting', 'flameShown', 'panel']; /* in a step back */

	function adopt(text, isStep) {
		const before = app.view, { activeElement } = document;

		app.view = A.decode(text);
		app.settle();
		if (isStep) {
			for (const key of STAY)
				app.view[key] = before[key];
		} else if (!/(^|[&?#])t=/.test(text)) {
			app.view.theme = before.theme;
		}
		if (activeElement && activeElement.localName === 'input' && app.page.tools.contains(activeElement))
			activeElement.blur(); /* what is typed there is older */
		if (app.flame && app.flame.setView)
			app.flame.setView(app.view.flame);
		app.refresh();
	}

	pyrograph.ui.history(app, { encode: () => A.encode(app.view), show: (text) => adopt(text, false),
		stepTo: (text) => adopt(text, true) });
};
