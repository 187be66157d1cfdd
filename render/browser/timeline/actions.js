/* timeline_actions: the list of all actions, with their words and keys, from which menus, keys and the help are
 * made. */
pyrograph.ui.timelineActions = function (app) {
	'use strict';

	const { settings, data, details, now } = app;
	const nameOf = (row) => settings.rows[row][0];
	const atTarget = (run) => () => {
		const at = app.target();

		if (at)
			run(at);
	};
	const tellOf = (at) => details.wordsOf(at.span >= 0 ? details.tellSpan(at.row, at.span) : details.tell(at));

	const setSafe = (on) => app.touch({ safe: on === Boolean(settings.safe) ? null : on });
	const setSort = (sort) => app.touch({ sort: sort });

	app.actions = {
		filter: ['/', 'Filter rows by name', () => app.filterBox.focus(), 'Find'],
		search: ['f', 'Search: highlight (Ctrl+F)', () => app.searchBox.focus(), 'Find'],
		...app.usual.matches,
		...app.part.actions,
		...(settings.stalls || []).length ? {
			stall: ['g', 'The next stall', () => app.stage.walkStalls(1), 'Time'],
			stallBefore: ['G', 'The stall before', () => app.stage.walkStalls(-1), 'Time'] } : {},
		choose: ['Enter', 'Zoom to the span', null, 'Row'],
		after: ['.', 'The next span of the row', () => app.stage.walkSpans(1), 'Row'],
		before: [',', 'The span before', () => app.stage.walkSpans(-1), 'Row'],
		light: ['x', 'Highlight all spans of its kind', atTarget((at) => at.span >= 0 &&
			app.toolbar.light(data.kindOf[data.stack[at.span]])), 'Row'],
		flame: ['i', 'Flame graph of this part', () => app.flame.toggle(), 'Row', app.flame.canBe],
		copyName: ['y', 'Copy its name', atTarget((at) => app.copy(nameOf(at.row), 'name')), 'Row'],
		copyLine: ['Y', 'Copy its details', atTarget((at) => app.copy(tellOf(at), 'details')), 'Row'],
		menu: ['M', 'Menu of the row (Menu key)', () => app.menuOfCursor(), 'Row'],
		sort: ['s', 'Rows that ran longest in this part first', () =>
			setSort(app.view.sort === 'here' ? 'drawn' : 'here'), 'View'],
		safe: ['b', 'Colours for colour-blind eyes', () => setSafe(!now.isSafe()), 'View'],
		...app.usual.view,
		resetAll: ['R', 'Undo all', () => app.resetAll(), 'View'],
		...app.usual.link,
		copyFolded: ['F', 'Copy the folded lines of this part', () => app.export.copyFolded(), 'Keep'],
		...app.usual.saving,
	};
	app.pointerWords = [['Drag', 'a part of the time'], ['Wheel',
		'shorter, longer: on the axis, or with Ctrl, Shift or Alt'],
	['Click a colour above', 'point it out'], ['Right click', 'menu of the row'],
	['Arrows', 'earlier, later; rows'],
	['Esc', 'undo the last step']];

	/* ---- menus ---- */

	app.openViewMenu = () => app.showViewMenu([{ heading: 'Rows' }, ...app.radios([['drawn', 'As they were drawn'],
		['here', 'Busiest in this part first']], app.view.sort, setSort, ''), { line: true },
	app.actionItem('safe', { checked: now.isSafe(), label: 'For colour-blind eyes' })], 'copyFolded');

	app.openRowMenu = (at, x, y) => {
		const { row, span } = at, kind = span >= 0 ? data.kindOf[data.stack[span]] : -1;
		const items = [{ heading: app.ruler.fit(nameOf(row), 230, 1, 'middle') },
			{ label: 'Only this row', run: () =>
				app.touch({ filter: { pattern: pyrograph.search.exactly(nameOf(row)),
					ignoreCase: false } }) }];

		if (app.flame.canBe())
			items.push({ label: 'Flame graph of this part', run: () => app.flame.of(row) });

		if (span >= 0) {
			items.push({ label: 'Zoom to this span', key: 'Enter', run: () =>
				app.part.show(data.start[span], data.start[span] + data.time[span]) },
			{ label: 'Highlight ' + app.ruler.fit(settings.kinds[kind][0], 150, 1, 'middle'), key: 'X',
				run: () => app.toolbar.light(kind) });
		}
		items.push({ line: true }, { label: 'Copy name', key: 'Y', run: () => app.copy(nameOf(row), 'name') },
			{ label: 'Copy its details', key: 'Shift+Y', run: () =>
				app.copy(tellOf(at), 'details') });
		app.menu.open(items, x, y, 'Row ' + nameOf(row));
	};
};
