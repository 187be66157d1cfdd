/* lanes_actions: the list of all actions, with their words and keys, from which menus, keys and the help are made. */
pyrograph.ui.lanesActions = function (app) {
	'use strict';

	const { lanes, details } = app;
	const atTarget = (run) => () => {
		const at = app.target();

		if (at)
			run(at);
	};

	app.actions = {
		filter: ['/', 'Filter lanes by name', () => app.filterBox.focus(), 'Find'],
		search: ['f', 'Search: highlight (Ctrl+F)', () => app.searchBox.focus(), 'Find'],
		...app.usual.matches,
		...app.part.actions,
		peak: ['g', 'The greatest value of the lane', atTarget((at) => app.stage.showPeak(at.lane)), 'Lane'],
		copyName: ['y', 'Copy its name', atTarget((at) => app.copy(lanes[at.lane].name, 'name')), 'Lane'],
		copyLine: ['Y', 'Copy its value', atTarget((at) => app.copy(details.wordsOf(at.lane, at.ns), 'value')),
			'Lane'],
		menu: ['M', 'Menu of the lane (Menu key)', () => app.menuOfCursor(), 'Lane'],
		...app.usual.view,
		resetAll: ['R', 'Undo all', () => app.resetAll(), 'View'],
		...app.usual.link,
		copyFolded: ['F', 'Copy the folded lines of this part', () => app.export.copyFolded(), 'Keep'],
		...app.usual.saving,
	};
	app.pointerWords = [['Rest', 'the values of all lanes at that moment'], ['Drag', 'a part of the time'],
		['Wheel', 'shorter, longer: on the axis, or with Ctrl, Shift or Alt'], ['Right click',
			'menu of the lane'],
		['Arrows', 'earlier, later; lanes'], ['Esc', 'undo the last step']];

	/* ---- menus ---- */

	app.openViewMenu = () => app.showViewMenu([], 'copyFolded');

	app.openRowMenu = (at, x, y) => {
		const { name, shown } = lanes[at.lane];

		app.menu.open([{ heading: app.ruler.fit(shown, 230, 1, 'middle') },
			{ label: 'Only this lane', run: () => app.touch({ filter: {
				pattern: pyrograph.search.exactly(shown), ignoreCase: false } }) },
			{ label: 'Its greatest value', key: 'G', run: () => app.stage.showPeak(at.lane) },
			{ line: true },
			{ label: 'Copy name', key: 'Y', run: () => app.copy(name, 'name') },
			{ label: 'Copy its value', key: 'Shift+Y', run: () => app.copy(details.wordsOf(at.lane, at.ns),
				'value') },
		], x, y, 'Lane ' + shown);
	};
};
