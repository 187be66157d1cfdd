/* bars_view: what is shown, and all that follows from it.
 *
 * app.view is the view of address.js.  These are made from the view: app.model (pooled or not), app.rows
 * (numbers of rows, filtered and sorted), app.sort, app.column, app.found (what the search
 * finds), app.contenders() (those of the rows that match, whichever thread the rows waited for), app.by (null,
 * or the thread that the shown rows waited for), app.detailed (a row, or -1), app.process (the process of
 * most rows).  state.js says how the view is changed. */
pyrograph.ui.barsView = function (app) {
	'use strict';

	const M = pyrograph.bars.model, T = pyrograph.bars.text, S = pyrograph.search;
	const matchers = new WeakMap();
	let pooled = null, contendedFor = {};

	app.view = pyrograph.bars.address.emptyView();
	app.model = app.base;
	app.by = null;
	app.panels = [];
	app.cursor = { row: null, segment: -1 }; /* row: a number; segment: its place in the bar */

	app.isSafe = () => app.view.safe === null ? app.settings.safe : app.view.safe;
	app.hasSteps = () => app.base.steps.length > 0;
	app.isByLongest = () => app.hasSteps() && (app.view.longest === null ? app.settings.longest : app.view.longest);
	app.hasTable = () => app.base.hasBys && (app.view.table === null ? app.settings.table : app.view.table);

	/* The names that a search looks at.  While the model is the same, the Arrays are the same objects:
	 * slow.js needs this. */
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

	/* Returns app.found: null, or { rows, kinds: by number, bys: Set, error }. */
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
	const usualSort = () => app.by !== null ? 'by' : !app.view.pools ? 'drawn' : app.hasRunnable ? '*' + M.RUNNABLE
		: 'total';

	function isKey(key) {
		return /^(drawn|name|total)$/.test(key) || (key === 'longest' && app.hasSteps()) ||
			(key === 'by' && app.by !== null) ||
			app.model.kinds.some((kind) =>
				key === ':' + kind.name || key === '*' + kind.group);
	}

	const allContenders = new WeakMap(); /* model -> the contenders of all its rows */

	app.contendersOfAll = () => {
		if (!allContenders.has(app.model))
			allContenders.set(app.model, M.contenders(app.model, Array.from(app.model.rows.keys())));
		return allContenders.get(app.model);
	};
	/* The contenders are computed anew only when other rows match. */
	app.contenders = () => {
		const { match } = matched(namesOf(app.model).rows, app.view.filter);
		const key = match && app.view.filter.pattern + (app.view.filter.ignoreCase ? 'i' : '=');

		if (!match)
			return app.contendersOfAll();
		if (contendedFor.model !== app.model || contendedFor.key !== key)
			contendedFor = { model: app.model, key: key, list: M.contenders(app.model,
				M.rowsOf(app.model, { match: match, by: null, key: 'drawn', down: false })) };
		return contendedFor.list;
	};

	function make() {
		const { view } = app;

		app.model = view.pools ? pooled = pooled || M.pooled(app.base) : app.base;
		app.column = app.model.columns.includes(view.column) ? app.model.columns.indexOf(view.column)
			: app.model.measure;
		app.by = view.by !== null && namesOf(app.model).known.has(view.by) ? view.by : null;
		app.process = namesOf(app.model).process;
		app.sort = view.sort !== null && isKey(view.sort) ? view.sort : usualSort();
		const filter = matched(namesOf(app.model).rows, view.filter);

		app.filterError = filter.error;
		const down = view.down === (app.sort !== 'name' && app.sort !== 'drawn');

		app.rows = M.rowsOf(app.model, { match: filter.match, by: app.by, key: app.sort, down: down,
			column: app.column });
		app.found = find(app.model);
		app.detailed = view.row === null ? -1 : app.model.rows.findIndex((row) => row.name === view.row);
	}

	pyrograph.ui.state(app, () => {
		const kept = app.cursor.row === null ? null : app.model.rows[app.cursor.row].name;

		make();
		const row = kept === null ? -1 : app.model.rows.findIndex((r) => r.name === kept);

		app.cursor = { row: app.rows.includes(row) ? row : null, segment: app.rows.includes(row)
			? app.cursor.segment : -1 };
	});

	/* Sorts by key; if the rows are sorted by this key already, in the other direction. */
	app.sortBy = (key) => app.step({ sort: key, down: app.sort === key && app.view.sort !== null ? !app.view.down
		: true });

	/* Does a segment stand out, because a search finds it or because the chosen contender took the CPU? */
	app.standsOut = (row, segment) => {
		const { found, by } = app;

		if (segment.parts)
			return segment.parts.some((part) => app.standsOut(row, part));
		if (by !== null && segment.by !== by)
			return false;
		return !found || Boolean(found.error) || Boolean(found.rows[row] || found.kinds[segment.kind] ||
			(segment.by !== null && found.bys.has(segment.by)));
	};
};
