/* bars_actions: the list of all actions, with their words and keys, from which menus, keys and the help are made. */
pyrograph.ui.barsActions = function (app) {
	'use strict';

	const { now, details } = app;
	const M = pyrograph.bars.model, T = pyrograph.bars.text;
	const SCALES = [['window', app.base.full ? 'The most of a source of noise' : 'The window, for all rows'],
		['widest', 'The widest row'],
		['row', 'Each row: 100 %']];
	const columns = app.base.columns.map((c, k) => k).filter((k) => app.base.columns[k] !== 'longest');
	const manyColumns = () => columns.length > 1, contended = () => app.base.hasBys;
	const scaleNow = () => SCALES.findIndex(([scale]) => scale === app.view.scale);
	const atTarget = (run) => () => {
		const at = app.target();

		if (at)
			run(at, now.model.rows[at.row]);
	};

	app.resetAll = () => app.step(Object.assign(pyrograph.bars.address.emptyView(),
		{ theme: app.view.theme, safe: app.view.safe, longest: app.view.longest }));

	app.actions = {
		filter: ['/', 'Filter rows by name', () => app.filterBox.focus(), 'Find'],
		search: ['f', 'Search: highlight (Ctrl+F)', () => app.searchBox.focus(), 'Find'],
		...app.usual.matches,
		choose: ['Enter', 'Details, or who waited for it', null, 'Row'],
		details: ['i', 'Details of the row', atTarget((at) => app.aside.chooseRow(at.row)), 'Row'],
		by: ['u', 'Who else waited for this contender', atTarget((at) => at.box && at.box.segment.by !== null &&
			app.aside.chooseBy(at.box.segment.by)), 'Row', contended],
		victims: ['x', 'Who waited for this row\'s thread', atTarget((at, row) => app.aside.chooseBy(row.name)),
			'Row', contended],
		copyName: ['y', 'Copy its name', atTarget((at, row) => app.copy(row.name, 'name')), 'Row'],
		copyLine: ['Y', 'Copy its details', atTarget((at, row) => app.copy(T.describe(now.model, row,
			at.box ? at.box.segment : null), 'details')), 'Row'],
		menu: ['M', 'Menu of the row (Menu key)', () => app.menuOfCursor(), 'Row'],
		waiting: ['1', 'Sort by waiting for a CPU', () => now.sortBy('*' + M.RUNNABLE), 'Sort', () =>
			app.hasRunnable],
		total: ['2', 'Sort by total', () => now.sortBy('total'), 'Sort'],
		name: ['3', 'Sort by name', () => now.sortBy('name'), 'Sort'],
		longest: ['4', 'Sort by the longest at once', () => now.sortBy('longest'), 'Sort', now.hasSteps],
		kind: ['o', 'Sort by the next ' + app.settings.kindHead.toLowerCase(), () => nextKind(), 'Sort'],
		drawn: ['0', 'As it was drawn', () => app.step({ sort: null, down: true }), 'Sort'],
		measure: ['c', 'Widths: the next column, time or count', () =>
			now.setColumn(columns[(columns.indexOf(now.column) + 1) % columns.length]), 'View',
		manyColumns],
		scale: ['w', 'Scale: ' + (app.base.full ? 'noise' : 'window') + ', widest row, each 100 %', () =>
			app.step({ scale: SCALES[(scaleNow() + 1) % SCALES.length][0] }), 'View'],
		pools: ['p', 'Fold pools: names with a number at the end', () => app.step({ pools: !app.view.pools }),
			'View'],
		every: ['e', 'A part for each thread that had the CPU', () => app.step({ every: !app.view.every }),
			'View', contended],
		table: ['t', 'Who had the CPU', () => now.setTable(!now.hasTable()), 'View', contended],
		shade: ['g', 'Colours: ' + app.settings.kindHead.toLowerCase() + ', or the longest at once', () =>
			now.setLongest(!now.isByLongest()), 'View', now.hasSteps],
		safe: ['b', 'Colours for colour-blind eyes', () => now.setSafe(!now.isSafe()), 'View'],
		...app.usual.view,
		resetAll: ['R', 'Undo all', () => app.resetAll(), 'View'],
		...app.usual.link,
		copyText: ['F', 'Copy the rows as text', () => copyRows('tsv'), 'Keep'],
		copyCsv: ['C', 'Copy the rows as CSV', () => copyRows('csv'), 'Keep'],
		copyContenders: ['T', 'Copy who had the CPU as CSV', () => copyContenders(), 'Keep', contended],
		...app.usual.saving,
	};
	app.pointerWords = [['Click', 'details of a row; on a wait: who else waited for that thread'],
		['Click a colour above', 'sort by it'], ['Right click', 'menu of the row'],
		['Tap, tap again', 'details, choose'],
		['Long press', 'menu of the row'], ['Arrows', 'rows, and the parts of a bar'],
		['Esc', 'undo the last step']];

	/* Goes from one kind to the next. */
	function nextKind() {
		const keys = details.kindShares().map(([kind]) => ':' + kind.name);

		if (keys.length)
			app.step({ sort: keys[(keys.indexOf(now.sort) + 1) % keys.length], down: true });
	}

	const copyRows = (form) => app.copy(T[form](T.rowsTable(now.model, now.rows)), details.countText());
	const copyContenders = () => app.copy(T.csv(T.contendersTable(now.model, now.contenders())), 'who had the CPU');

	/* ---- menus ---- */

	app.openViewMenu = () => {
		const v = app.view, item = app.checkItem;
		const sort = (key, label, letter) => app.radios([[key, label]], now.sort, now.sortBy, letter);

		app.showViewMenu([{ heading: 'Sort' }, ...sort('drawn', 'As it was drawn', '0'), ...app.hasRunnable
			? sort('*' + M.RUNNABLE, 'Waiting for a CPU', '1') : [], ...sort('total', 'Total', '2'),
		...now.hasSteps() ? sort('longest', 'Longest at once', '4') : [],
		...sort('name', 'Name', '3'), ...manyColumns() ? [{ heading: 'Widths' },
			...app.radios(columns.map((k) => [k, T.head(app.base, k)]), now.column, now.setColumn,
				'C')] : [],
		{ heading: 'Full width is' },
		...app.radios(SCALES, v.scale, (scale) => app.step({ scale: scale }), 'W'), { line: true },
		item('pools', v.pools, 'Fold pools'), ...contended()
			? [item('every', v.every, 'A part for every thread'), item('table', now.hasTable())] : [],
		...now.hasSteps() ? [item('shade', now.isByLongest(), 'Colours by the longest at once')] : [],
		item('safe', now.isSafe(), 'For colour-blind eyes')],
		'copyText', 'copyCsv', 'copyContenders');
	};

	/* Makes a filter, which is a regular expression, that matches this name only. */
	const exactly = (name) => pyrograph.search.exactly(T.name(name));

	app.openRowMenu = (at, x, y) => {
		const row = now.model.rows[at.row], segment = at.box ? at.box.segment : null;
		const items = [{ heading: app.ruler.fit(T.rowName(row), 230, 1, 'middle') },
			{ label: 'Details', key: 'I', run: () => app.aside.chooseRow(at.row) },
			{ label: 'Only this row', run: () =>
				app.step({ filter: { pattern: exactly(row.name), ignoreCase: false } }) }];

		if (contended())
			items.push({ label: 'Who waited for it', key: 'X', run: () => app.aside.chooseBy(row.name) });
		if (segment && segment.by !== null) {
			items.push({ label: 'Who else waited for ' +
				app.ruler.fit(T.name(segment.by), 150, 1, 'middle'), key: 'U',
			run: () => app.aside.chooseBy(segment.by) });
		}
		if (segment) {
			items.push({ label: 'Sort by ' + T.kindText(now.model, segment), run: () =>
				now.sortBy(':' + now.model.kinds[segment.kind].name) });
		}
		items.push({ line: true }, { label: 'Copy name', key: 'Y', run: () => app.copy(row.name, 'name') },
			{ label: 'Copy its details', key: 'Shift+Y', run: () =>
				app.copy(T.describe(now.model, row, segment), 'details') });
		app.menu.open(items, x, y, 'Row ' + T.rowName(row));
	};
};
