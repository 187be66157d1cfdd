/* timeline_view: what is shown, and everything that follows from that.
 *
 * app.view is the view of address.js; app.part (time_part.js) and app.now follow from it:
 *   app.now.rows     numbers of the rows that are shown, in order
 *   app.now.more, app.now.quiet   how many rows are not shown: those beyond the first ones, and those that only waited
 *                    for work
 *   app.now.found    null, or what the search finds: { rows, kinds, stacks: Uint8Arrays by number, error }
 *   app.now.lit      the kind that is highlighted, or -1
 *   app.now.cursor   { row: a number or null, span: a number or -1 } */
pyrograph.ui.timelineView = function (app) {
	'use strict';

	const { data, settings } = app, S = pyrograph.search, R = pyrograph.timeline.raster;
	const LEAST_NS = 100;
	const rowNames = settings.rows.map(([name]) => name).slice(0, data.rows);
	const kindNames = settings.kinds.map(([name]) => name), byNames = Array.from(new Set(data.by));
	/* The distinct functions, and the numbers of those in each trace. */
	const frames = (function () {
		const numbers = new Map();

		const of = data.traces.map((trace) => trace.map((name) => {
			if (!numbers.has(name))
				numbers.set(name, numbers.size);
			return numbers.get(name);
		}));

		return { names: Array.from(numbers.keys()), of };
	})();
	const numberOfBy = new Map(byNames.map((name, i) => [name, i]));
	const matched = (names, what) => S.matcher(names, what.pattern, what.ignoreCase);

	app.view = pyrograph.timeline.address.emptyView();
	const now = app.now = { cursor: { row: null, span: -1 } };
	now.isSafe = () => app.view.safe === null ? Boolean(settings.safe) : app.view.safe;
	now.colourOf = (kind) => settings.kinds[kind][now.isSafe() ? 2 : 1];

	function busiestFirst(rows) {
		const time = new Map(rows.map((row) => {
			const sum = R.sums(data, row, app.part.from, app.part.to);

			return [row, settings.kindsAreStates ? sum.running : sum.time];
		}));

		return rows.sort((a, b) => time.get(b) - time.get(a) || a - b);
	}

	/* Rows beyond the first ones, and rows of threads that were hardly active, are shown on request. */
	const busy = data.rows - (settings.quiet || 0), cap = Math.min(busy, settings.cap || busy);
	const isShown = (row) => row < cap || (row < busy ? app.view.all : app.view.quiet);

	function find() {
		const what = app.view.search;

		if (!what.pattern)
			return null;
		const all = [rowNames, kindNames, byNames, frames.names].map((names) => matched(names, what));
		const [rows, kinds, by, functions] = all.map(({ match }) => match);

		if (!rows || !kinds || !by || !functions)
			return { rows: [], kinds: [], stacks: [], error: all.map(({ error }) => error).find(Boolean) };
		const traces = frames.of.map((numbers) => numbers.some((n) => functions[n]));

		return { rows, kinds, error: null, functions, stacks: data.by.map((name, stack) =>
			kinds[data.kindOf[stack]] || (name && by[numberOfBy.get(name)]) ||
				(data.trace[stack] >= 0 && traces[data.trace[stack]])) };
	}

	pyrograph.ui.timePart(app, LEAST_NS);
	pyrograph.ui.state(app, () => {
		const { match, error } = matched(rowNames, app.view.filter);

		app.part.take();
		now.filterError = error;
		now.rows = rowNames.map((name, row) => row).filter((row) => match ? match[row] : isShown(row));
		now.more = match ? 0 : app.view.all ? 0 : busy - cap;
		now.quiet = match || app.view.quiet ? 0 : data.rows - busy;
		if (app.view.sort === 'here')
			now.rows = busiestFirst(now.rows);
		now.found = find();
		now.lit = app.view.lit === null ? -1 : kindNames.indexOf(app.view.lit);
		if (!now.rows.includes(now.cursor.row))
			now.cursor = { row: null, span: -1 };
	});

	/* Does a span have a sample whose stack is found? */
	function hasSample(row, span) {
		const { at, stack, first } = data.samples, end = data.start[span] + data.time[span];

		let i = R.search(at, first[row], first[row + 1], data.start[span]);

		while (i < first[row + 1] && at[i] < end && !now.found.stacks[stack[i]])
			i++;
		return i < first[row + 1] && at[i] < end;
	}

	/* Does a mark in a row stand out?  kind is the mark's kind; stack is -1 if it stands for several spans. */
	now.standsOut = (row, kind, stack, span = -1) => {
		const { found, lit } = now;

		if (lit >= 0 && kind !== lit)
			return false;
		return !found || Boolean(found.error) || Boolean(found.rows[row] || found.kinds[kind] ||
			(stack >= 0 && found.stacks[stack]) || (span >= 0 && hasSample(row, span)));
	};
	app.resetAll = () => app.step(Object.assign(pyrograph.timeline.address.emptyView(),
		{ theme: app.view.theme, safe: app.view.safe }));
};
