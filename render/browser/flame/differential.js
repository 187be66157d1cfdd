/* differential: the differential of this chart and another one, in the place of this one.
 *     app.profile()                     this chart's profile, as union() has it
 *     app.showDifference(other, names)  other is the new one; names: two texts, of both.  Returns whether it is
 *                                       a profile */
pyrograph.ui.differential = function (app) {
	'use strict';

	const D = pyrograph.ui.dom, { settings } = app;
	let place = null;

	if (app.host || settings.mode)
		return;

	app.profile = () => ({ names: app.baseNames, colours: app.colours, decimals: app.base.decimals,
		name: Array.from(app.base.name), parent: Array.from(app.base.parent),
		self: Array.from(app.base.self) });

	app.showDifference = (other, names) => {
		if (!pyrograph.difference.isProfile(other))
			return false;
		const both = pyrograph.difference.union(app.profile(), other);
		const { tree, settings: changes } = pyrograph.difference.two(both.tree, both.selfs, both.tree.decimals);

		changes.layers.forEach((layer, k) => { layer.name = names[k]; });
		if (settings.unit === 'samples')
			changes.chance = pyrograph.layers.CHANCE_Z;
		if (place)
			place.remove();
		place = D.html('div', { 'class': 'flame-place' });
		app.page.sheet.hidden = true;
		app.page.element.append(place);
		pyrograph.flame.open(app.svg, { settings: Object.assign({}, settings, { idle: null,
			chartName: 'Differential flame graph', fluid: true, whole: true }, changes),
		source: app.source, names: both.names, colours: both.colours, tree: tree,
		heading: [{ className: 'title', text: names.join(' \u2192 '), size: settings.fontSize }], view: '',
		place: place, boxes: app.page.element, isDark: () => app.isDark(), saved: () => {}, undo: () => false,
		leave: () => {}, link: () => null, viewItems: () => [] });
		return true;
	};
};
