/* bars_actions: the list of all actions, with their words and keys. Menus, keys and the help are made from this
 * list. */
pyrograph.ui.barsActions = function (app) {
	'use strict';

	const M = pyrograph.bars.model, T = pyrograph.bars.text;
	const SCALES = [['window', app.base.full ? 'The most of a source of noise' : 'The window, for all rows'],
		['widest', 'The widest row'],
		['row', 'Each row: 100%']];
	const columns = app.base.columns.map((c, k) => k).filter((k) => app.base.columns[k] !== 'longest');
	const manyColumns = () => columns.length > 1, contended = () => app.base.hasBys;
	const scaleNow = () => SCALES.findIndex(([scale]) => scale === app.view.scale);
	const atTarget = (run) => () => {
		const at = app.target();

		if (at)
			run(at, app.model.rows[at.row]);
	};

	app.setColumn = (k) => app.step({ column: k === app.base.measure ? null : app.base.columns[k] });
	app.setSafe = (on) => app.touch({ safe: on === app.settings.safe ? null : on });
	app.setLongest = (on) => app.touch({ longest: on === app.settings.longest ? null : on });
	app.setTable = (on) => app.touch({ table: on === app.settings.table ? null : on });
	app.resetAll = () => app.step(Object.assign(pyrograph.bars.address.emptyView(),
		{ theme: app.view.theme, safe: app.view.safe, longest: app.view.longest }));

	app.actions = {
		filter: ['/', 'Filter rows by name', () => app.filterBox.focus(), 'Find'],
		search: ['f', 'Search: highlight (Ctrl+F)', () => app.searchBox.focus(), 'Find'],
		...app.usual.matches,
		choose: ['Enter', 'Details, or who waited for it', null, 'Row'],
		details: ['i', 'Details of the row', atTarget((at) => app.chooseRow(at.row)), 'Row'],
		by: ['u', 'Who else waited for this contender', atTarget((at) => at.box && at.box.segment.by !== null &&
			app.chooseBy(at.box.segment.by)), 'Row', contended],
		victims: ['x', 'Who waited for this row\'s thread', atTarget((at, row) => app.chooseBy(row.name)),
			'Row', contended],
		copyName: ['y', 'Copy its name', atTarget((at, row) => app.copy(row.name, 'name')), 'Row'],
		copyLine: ['Y', 'Copy its details', atTarget((at, row) => app.copy(T.describe(app.model, row,
			at.box ? at.box.segment : null), 'details')), 'Row'],
		menu: ['M', 'Menu of the row (Menu key)', () => app.menuOfCursor(), 'Row'],
		waiting: ['1', 'Sort by waiting for a CPU', () => app.sortBy('*' + M.RUNNABLE), 'Sort', () =>
			app.hasRunnable],
		total: ['2', 'Sort by total', () => app.sortBy('total'), 'Sort'],
		name: ['3', 'Sort by name', () => app.sortBy('name'), 'Sort'],
		longest: ['4', 'Sort by the longest at once', () => app.sortBy('longest'), 'Sort', app.hasSteps],
		kind: ['o', 'Sort by the next ' + app.settings.kindHead.toLowerCase(), () => nextKind(), 'Sort'],
		drawn: ['0', 'As it was drawn', () => app.step({ sort: null, down: true }), 'Sort'],
		measure: ['c', 'Widths: the next column, time or count', () =>
			app.setColumn(columns[(columns.indexOf(app.column) + 1) % columns.length]), 'View',
		manyColumns],
		scale: ['w', 'Scale: ' + (app.base.full ? 'noise' : 'window') + ', widest row, each 100%', () =>
			app.step({ scale: SCALES[(scaleNow() + 1) % SCALES.length][0] }), 'View'],
		pools: ['p', 'Fold pools: names with a number at the end', () => app.step({ pools: !app.view.pools }),
			'View'],
		every: ['e', 'A part for each thread that had the CPU', () => app.step({ every: !app.view.every }),
			'View', contended],
		table: ['t', 'Who had the CPU', () => app.setTable(!app.hasTable()), 'View', contended],
		shade: ['g', 'Colours: ' + app.settings.kindHead.toLowerCase() + ', or the longest at once', () =>
			app.setLongest(!app.isByLongest()), 'View', app.hasSteps],
		safe: ['b', 'Colours for colour-blind eyes', () => app.setSafe(!app.isSafe()), 'View'],
		...app.usual.view,
		resetAll: ['R', 'Undo all', () => app.resetAll(), 'View'],
		...app.usual.link,
		copyText: ['F', 'Copy the rows as text', () => app.copyRows('tsv'), 'Keep'],
		copyCsv: ['C', 'Copy the rows as CSV', () => app.copyRows('csv'), 'Keep'],
		copyContenders: ['T', 'Copy who had the CPU as CSV', () => app.copyContenders(), 'Keep', contended],
		...app.usual.saving,
	};
	app.pointerWords = [['Click', 'details of a row; on a wait: who else waited for that thread'],
		['Click a colour above', 'sort by it'], ['Right click', 'menu of the row'],
		['Tap, tap again', 'details, choose'],
		['Long press', 'menu of the row'], ['Arrows', 'rows, and the parts of a bar'],
		['Esc', 'undo the last step']];

	/* Goes from one kind to the next. */
	function nextKind() {
		const keys = app.kindShares().map(([kind]) => ':' + kind.name);

		if (keys.length)
			app.step({ sort: keys[(keys.indexOf(app.sort) + 1) % keys.length], down: true });
	}

	app.copyRows = (form) => app.copy(T[form](T.rowsTable(app.model, app.rows)), app.countText());
	app.copyContenders = () => app.copy(T.csv(T.contendersTable(app.model, app.contenders())), 'who had the CPU');

	/* ---- menus ---- */

	app.openViewMenu = () => {
		const v = app.view, item = app.checkItem;
		const sort = (key, label, letter) => app.radios([[key, label]], app.sort, app.sortBy, letter);

		app.showViewMenu([{ heading: 'Sort' }, ...sort('drawn', 'As it was drawn', '0'), ...app.hasRunnable
			? sort('*' + M.RUNNABLE, 'Waiting for a CPU', '1') : [], ...sort('total', 'Total', '2'),
		...app.hasSteps() ? sort('longest', 'Longest at once', '4') : [],
		...sort('name', 'Name', '3'), ...manyColumns() ? [{ heading: 'Widths' },
			...app.radios(columns.map((k) => [k, T.head(app.base, k)]), app.column, app.setColumn,
				'C')] : [],
		{ heading: 'Full width is' },
		...app.radios(SCALES, v.scale, (scale) => app.step({ scale: scale }), 'W'), { line: true },
		item('pools', v.pools, 'Fold pools'), ...contended()
			? [item('every', v.every, 'A part for every thread'), item('table', app.hasTable())] : [],
		...app.hasSteps() ? [item('shade', app.isByLongest(), 'Colours by the longest at once')] : [],
		item('safe', app.isSafe(), 'For colour-blind eyes')],
		'copyText', 'copyCsv', 'copyContenders');
	};

	/* Filters are regular expressions: the pattern that matches this name only. */
	const exactly = (name) => pyrograph.search.exactly(T.name(name));

	app.openRowMenu = (at, x, y) => {
		const row = app.model.rows[at.row], segment = at.box ? at.box.segment : null;
		const items = [{ heading: app.ruler.fit(T.rowName(row), 230, 1, 'middle') },
			{ label: 'Details', key: 'I', run: () => app.chooseRow(at.row) },
			{ label: 'Only this row', run: () =>
				app.step({ filter: { pattern: exactly(row.name), ignoreCase: false } }) }];

		if (contended())
			items.push({ label: 'Who waited for it', key: 'X', run: () => app.chooseBy(row.name) });
		if (segment && segment.by !== null) {
			items.push({ label: 'Who else waited for ' +
				app.ruler.fit(T.name(segment.by), 150, 1, 'middle'), key: 'U',
			run: () => app.chooseBy(segment.by) });
		}
		if (segment) {
			items.push({ label: 'Sort by ' + T.kindText(app.model, segment), run: () =>
				app.sortBy(':' + app.model.kinds[segment.kind].name) });
		}
		items.push({ line: true }, { label: 'Copy name', key: 'Y', run: () => app.copy(row.name, 'name') },
			{ label: 'Copy its details', key: 'Shift+Y', run: () =>
				app.copy(T.describe(app.model, row, segment), 'details') });
		app.menu.open(items, x, y, 'Row ' + T.rowName(row));
	};
};
