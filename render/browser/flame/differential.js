/* differential: replaces this chart by one of several profiles: the differential of two, or the sum of several.
 *     app.profile()                     this chart's profile, as union() has it
 *     app.showDifference(other, names)  other is the new one; names: two texts, of both
 *     app.showMerged(others, names)     names: the texts of all of them, this one's first
 * Both return whether the others are profiles with the same unit. */
pyrograph.ui.differential = function (app) {
	'use strict';

	const D = pyrograph.ui.dom, { settings } = app;
	let place = null;

	if (app.host || settings.mode)
		return;

	const isAlike = (other) => pyrograph.difference.isProfile(other) && other.unit === settings.unit;

	app.profile = () => ({ names: app.baseNames, colours: app.colours, decimals: app.base.decimals,
		name: Array.from(app.base.name), parent: Array.from(app.base.parent),
		self: Array.from(app.base.self), unit: settings.unit });

	function show(profile, changes, heading) {
		if (place)
			place.remove();
		place = D.html('div', { 'class': 'flame-place' });
		app.page.sheet.hidden = true;
		app.page.element.append(place);
		pyrograph.flame.open(app.svg, { settings: Object.assign({}, settings, { idle: null, fluid: true,
			whole: true }, changes),
		source: app.source, names: profile.names, colours: profile.colours, tree: profile.tree,
		heading: heading, view: '', place: place, boxes: app.page.element, isDark: () => app.isDark(),
		saved: () => {}, undo: () => false, leave: () => {}, link: () => null, viewItems: () => [] });
		return true;
	}

	const title = (text) => ({ className: 'title', text: text, size: settings.fontSize });

	app.showDifference = (other, names) => {
		if (!isAlike(other))
			return false;
		const both = pyrograph.difference.union([app.profile(), other]);
		const { tree, settings: changes } = pyrograph.difference.two(both.tree, both.selfs, both.tree.decimals);

		changes.layers.forEach((layer, k) => { layer.name = names[k]; });
		if (settings.unit === 'samples')
			changes.chance = pyrograph.layers.CHANCE_Z;
		return show({ names: both.names, colours: both.colours, tree: tree },
			Object.assign({ chartName: 'Differential flame graph' }, changes),
			[title(names.join(' \u2192 '))]);
	};

	app.showMerged = (others, names) => {
		if (!others.every(isAlike))
			return false;
		const all = pyrograph.difference.union([app.profile(), ...others]);

		return show(all, { decimals: all.tree.decimals },
			[title(names.length + ' runs merged: ' + names.join(', '))]);
	};
};
