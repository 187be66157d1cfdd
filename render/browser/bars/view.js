/* bars_view: what is shown, and everything that follows from that.
 *
 * app.view is the view of address.js.  app.now is made from the view: model (pooled or not), rows (numbers of rows,
 * filtered and sorted), sort, column, found (what the search finds), contenders() (those of the rows that match,
 * whichever thread the rows waited for), by (null, or the thread that the shown rows waited for), detailed (a row, or
 * -1), process (the process of most rows).  state.js says how the view is changed. */
pyrograph.ui.barsView = function (app) {
	'use strict';

	const M = pyrograph.bars.model, T = pyrograph.bars.text, S = pyrograph.search;
	const matchers = new WeakMap();
	let pooled = null, contendedFor = {};

	app.view = pyrograph.bars.address.emptyView();
	/* cursor: row: a number; segment: its place in the bar */
	const now = app.now = { model: app.base, by: null, cursor: { row: null, segment: -1 } };

	app.panels = [];

	now.isSafe = () => app.view.safe === null ? app.settings.safe : app.view.safe;
	now.hasSteps = () => app.base.steps.length > 0;
	now.isByLongest = () => now.hasSteps() && (app.view.longest === null ? app.settings.longest : app.view.longest);
	now.hasTable = () => app.base.hasBys && (app.view.table === null ? app.settings.table : app.view.table);

	/* The names that a search looks at.  While the model stays the same, so do these Arrays, as slow.js
	 * requires. */
	function namesOf(model) {
		if (!matchers.has(model)) {
			const bys = new Set();

			for (const { segments } of model.rows)
				segments.forEach(({ by }) => by !== null && bys.add(by));

			matchers.set(model, { rows: model.rows.map((row) => T.name(row.name)), known: bys,
				bys: Array.from(bys), process: M.mostProcess(model), bysShown: Array.from(bys, T.name),
				kinds: model.kinds.map((kind) => T.name(kind.name)) });
		}
		return matchers.get(model);
	}

	const matched = (names, what) => S.matcher(names, what.pattern, what.ignoreCase);

	/* Returns now.found: null, or { rows, kinds: by number, bys: Set, error }. */
	function find(model) {
		const names = namesOf(model), what = app.view.search;

		if (!what.pattern)
			return null;
		const rows = matched(names.rows, what), kinds = matched(names.kinds, what);
		const bys = matched(names.bysShown, what);
		const error = rows.error || kinds.error || bys.error;

		if (!rows.match || !kinds.match || !bys.match)
			return { rows: [], kinds: [], bys: new Set(), error: error };
		return { rows: rows.match, kinds: kinds.match, error: null,
			bys: new Set(names.bys.filter((by, i) => bys.match[i])) };
	}

	/* The order of a view without a sort.  "drawn" is the order of the picture, in which there are no
	 * pools. */
	const usualSort = () => now.by !== null ? 'by' : !app.view.pools ? 'drawn' : app.hasRunnable ? '*' + M.RUNNABLE
		: 'total';

	function isKey(key) {
		return /^(drawn|name|total)$/.test(key) || (key === 'longest' && now.hasSteps()) ||
			(key === 'by' && now.by !== null) ||
			now.model.kinds.some((kind) =>
				key === ':' + kind.name || key === '*' + kind.group);
	}

	const allContenders = new WeakMap(); /* model -> the contenders of all its rows */

	now.contendersOfAll = () => {
		if (!allContenders.has(now.model))
			allContenders.set(now.model, M.contenders(now.model, Array.from(now.model.rows.keys())));
		return allContenders.get(now.model);
	};
	/* The contenders are computed anew only when other rows match. */
	now.contenders = () => {
		const { match } = matched(namesOf(now.model).rows, app.view.filter);
		const key = match && app.view.filter.pattern + (app.view.filter.ignoreCase ? 'i' : '=');

		if (!match)
			return now.contendersOfAll();
		if (contendedFor.model !== now.model || contendedFor.key !== key)
			contendedFor = { model: now.model, key: key, list: M.contenders(now.model,
				M.rowsOf(now.model, { match: match, by: null, key: 'drawn', down: false })) };
		return contendedFor.list;
	};

	function make() {
		const { view } = app;

		now.model = view.pools ? pooled = pooled || M.pooled(app.base) : app.base;
		now.column = now.model.columns.includes(view.column) ? now.model.columns.indexOf(view.column)
			: now.model.measure;
		now.by = view.by !== null && namesOf(now.model).known.has(view.by) ? view.by : null;
		now.process = namesOf(now.model).process;
		now.sort = view.sort !== null && isKey(view.sort) ? view.sort : usualSort();
		const filter = matched(namesOf(now.model).rows, view.filter);

		now.filterError = filter.error;
		const down = view.down === (now.sort !== 'name' && now.sort !== 'drawn');

		now.rows = M.rowsOf(now.model, { match: filter.match, by: now.by, key: now.sort, down: down,
			column: now.column });
		now.found = find(now.model);
		now.detailed = view.row === null ? -1 : now.model.rows.findIndex((row) => row.name === view.row);
	}

	pyrograph.ui.state(app, () => {
		const kept = now.cursor.row === null ? null : now.model.rows[now.cursor.row].name;

		make();
		const row = kept === null ? -1 : now.model.rows.findIndex((r) => r.name === kept);

		now.cursor = { row: now.rows.includes(row) ? row : null, segment: now.rows.includes(row)
			? now.cursor.segment : -1 };
	});

	now.setColumn = (k) => app.step({ column: k === app.base.measure ? null : app.base.columns[k] });
	now.setSafe = (on) => app.touch({ safe: on === app.settings.safe ? null : on });
	now.setLongest = (on) => app.touch({ longest: on === app.settings.longest ? null : on });
	now.setTable = (on) => app.touch({ table: on === app.settings.table ? null : on });

	/* Sorts by key; if the rows are already sorted by this key, reverses the direction. */
	now.sortBy = (key) => app.step({ sort: key, down: now.sort === key && app.view.sort !== null ? !app.view.down
		: true });

	/* Does a segment stand out, because a search finds it, or because the chosen contender took the CPU? */
	now.standsOut = (row, segment) => {
		const { found, by } = now;

		if (segment.parts)
			return segment.parts.some((part) => now.standsOut(row, part));
		if (by !== null && segment.by !== by)
			return false;
		return !found || Boolean(found.error) || Boolean(found.rows[row] || found.kinds[segment.kind] ||
			(segment.by !== null && found.bys.has(segment.by)));
	};
};
