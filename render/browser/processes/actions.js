/* processes_actions: the list of all actions, with their words and keys, from which menus, keys and the help are
 * made. */
pyrograph.ui.processesActions = function (app) {
	'use strict';

	const { data, details } = app, COLOURS = [['command', 'By command'], ['cpu', 'By share of a CPU'],
		['exit', 'By exit status']];
	const atTarget = (run) => () => {
		const at = app.target();

		if (at && at.span >= 0)
			run(at);
	};

	const setColour = (colour) => app.touch({ colour });
	const nextColour = () => setColour(COLOURS[(COLOURS.findIndex(([word]) => word === app.view.colour) + 1) %
		COLOURS.length][0]);

	app.actions = {
		filter: ['/', 'Filter rows by name', () => app.filterBox.focus(), 'Find'],
		search: ['f', 'Search: highlight (Ctrl+F)', () => app.searchBox.focus(), 'Find'],
		...app.usual.matches,
		...app.part.actions,
		choose: ['Enter', 'Zoom to the process', null, 'Process'],
		copyName: ['y', 'Copy its arguments', atTarget((at) => app.copy(data.args[at.span], 'arguments')),
			'Process'],
		copyLine: ['Y', 'Copy its details', atTarget((at) => app.copy(details.wordsOf(details.tell(at.span)),
			'details')), 'Process'],
		menu: ['M', 'Menu of the process (Menu key)', () => app.menuOfCursor(), 'Process'],
		colour: ['c', 'Colours: command, share of a CPU, exit status', () => nextColour(), 'View'],
		table: ['t', 'Sums by command', () => app.touch({ table: !app.view.table }), 'View'],
		quiet: ['i', 'Processes that were there all the time, idle', () =>
			app.touch({ quiet: !app.view.quiet }), 'View', () => data.rows.some(({ quiet }) => quiet)],
		...app.usual.view,
		resetAll: ['R', 'Undo all', () => app.resetAll(), 'View'],
		...app.usual.link,
		copyFolded: ['F', 'Copy the folded lines of this part', () => app.export.copyFolded(), 'Keep'],
		...app.usual.saving,
	};
	app.pointerWords = [['Rest', 'details of a process'], ['Drag', 'a part of the time'], ['Double click',
		'zoom to the process'], ['Wheel', 'shorter, longer: on the axis, or with Ctrl, Shift or Alt'],
	['Right click', 'menu of the process'], ['Arrows', 'earlier, later; rows'], ['Esc', 'undo the last step']];

	/* ---- menus ---- */

	app.openViewMenu = () => app.showViewMenu([{ heading: 'Colours' }, ...app.radios(COLOURS, app.view.colour,
		setColour, 'C'), { line: true }, app.checkItem('table', app.view.table),
	...data.rows.some(({ quiet }) => quiet) ? [app.checkItem('quiet', app.view.quiet)] : []], 'copyFolded');

	app.openRowMenu = (at, x, y) => {
		const { name, command } = data.rows[at.row], exactly = (text) => ({
			pattern: pyrograph.search.exactly(text), ignoreCase: false });
		const items = [{ heading: app.ruler.fit(name, 230, 1, 'middle') },
			{ label: 'Only this row', run: () => app.touch({ filter: exactly(name) }) },
			{ label: 'Highlight ' + app.ruler.fit(command, 150, 1, 'middle'),
				run: () => app.touch({ search: exactly(command) }) }];

		if (at.span >= 0)
			items.push({ label: 'Zoom to this process', key: 'Enter', run: () =>
				app.stage.showProcess(at.span) },
			{ line: true }, { label: 'Copy its arguments', key: 'Y', run: () =>
				app.copy(data.args[at.span], 'arguments') },
			{ label: 'Copy its details', key: 'Shift+Y', run: () =>
				app.copy(details.wordsOf(details.tell(at.span)), 'details') });
		app.menu.open(items, x, y, 'Row ' + name);
	};
};
