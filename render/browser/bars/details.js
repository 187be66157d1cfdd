/* bars_details: the words about a row or a segment: in the line below the chart, in the box beside the pointer,
 * and for screen readers. */
pyrograph.ui.barsDetails = function (app) {
	'use strict';

	const M = pyrograph.bars.model, T = pyrograph.bars.text, { tip, foot } = app;
	const PARTS_TOLD = 12, rowTexts = new WeakMap();
	let counted = {};

	/* "12 of 500 threads", or "12 rows of 500 threads" when some rows are pools. */
	app.countText = () => {
		const members = (rows) => rows.reduce((sum, row) => sum + app.model.rows[row].members, 0);
		const every = Array.from(app.model.rows.keys()), all = members(every), shown = app.rows.length;
		const words = all === 1 ? app.settings.rowsWord.replace(/s$/, '') : app.settings.rowsWord;

		if (all !== every.length)
			return shown.toLocaleString('en') + (shown === 1 ? ' row of ' : ' rows of ') +
				members(app.rows).toLocaleString('en') + ' ' + words;
		return (shown === every.length ? '' : shown.toLocaleString('en') + ' of ') + all.toLocaleString('en') +
			' ' + words;
	};
	app.sumText = () => (app.rows.length === app.model.rows.length ? 'All ' : '') + app.countText();

	/* Is the chart about this kind?  That of noise is not about what ran. */
	app.isAbout = (kind) => !app.model.fullGroup || kind.group === app.model.fullGroup;

	/* [[kind, values, share of the shown rows' time, time], ...] for each kind that occurs. */
	app.kindShares = () => {
		const sums = M.byKind(app.model, app.rows), k = app.column, { kinds } = app.model;
		const whole = sums.reduce((sum, values, i) =>
			sum + (values && app.isAbout(kinds[i]) ? values[k] : 0), 0);

		return kinds.map((kind, i) => [kind, sums[i],
			sums[i] && app.isAbout(kind) ? T.share(sums[i][k], whole) : '', sums[i] ? sums[i][k] : 0])
			.filter(([, values]) => values);
	};

	/* The text of a row for screen readers: the row's total, and its largest segments. */
	app.rowText = (row) => {
		const one = app.model.rows[row];

		if (!rowTexts.has(one))
			rowTexts.set(one, makeRowText(one, row));
		return rowTexts.get(one);
	};

	function makeRowText(one, row) {
		const waited = M.amountOf(app.model, row, '*' + M.RUNNABLE)[0];
		const most = M.ordered(app.model, one.segments, 0, true).slice().sort((a, b) =>
			b.values[0] - a.values[0]);

		return T.rowName(one) + ': ' + T.value(app.model, one.values[0]) +
			(waited ? ', waited ' + T.value(app.model, waited) +
			' for a CPU, ' + T.share(waited, one.values[0]) : '') + most.slice(0, 3).map((segment) => ', ' +
			T.kindText(app.model, segment) + (segment.by === null ? '' : ' for ' + T.name(segment.by)) +
				' ' +
			T.share(segment.values[0], one.values[0])).join('');
	}

	app.showDetails = (at) => {
		if (at)
			foot.show(T.describe(app.model, app.model.rows[at.row], at.box ? at.box.segment : null));
		else
			foot.show(app.detailed >= 0 ? app.rowText(app.detailed)
				: [app.sumText(), app.idleText].filter(Boolean).join('. '), true);
	};

	/* "a-1 3 ms, b-2 2 ms, ..." */
	const partsOf = ({ parts }) => !parts ? [] : [parts.slice(0, PARTS_TOLD).map((part) => T.name(part.by) + ' ' +
		T.column(app.model, app.column, part.values[app.column])).join(', ') +
			(parts.length > PARTS_TOLD ? ', \u2026' : '')];

	const meanwhile = (segment) => !T.byText(segment) ? '' : segment.by === T.IDLE
		? ', while the CPU came out of idleness'
		: ', while ' + T.byText(segment) + ' had the CPU';
	/* What a state means; only for a segment that no other thread causes. */
	const aboutOf = ({ kind, by, parts }) => by === null && !parts && app.model.kinds[kind].about
		? [app.model.kinds[kind].about] : [];

	function tipOf({ row, box }) {
		const one = app.model.rows[row], segment = box ? box.segment : null;

		tip.fill(T.rowName(one), ...segment ? [T.kindText(app.model, segment) + meanwhile(segment),
			...aboutOf(segment), ...partsOf(segment)] : [], T.figures(app.model, one, segment));
	}

	/* The pointer is at a place of the rows (at: see panel.at), or at no row (null). */
	app.hover = (at, x, y) => {
		app.panel.outline(at);
		app.pointed = at;
		app.showDetails(at);
		if (at)
			tip.show(() => tipOf(at), x, y);
		else
			tip.hide();
	};
	/* The pointer is at a kind in the sum of all rows (box), or at none. */
	app.hoverSum = (box, x, y) => {
		const all = M.byKind(app.model, app.rows).reduce((sum, values, i) =>
			sum + (values && app.isAbout(app.model.kinds[i]) ? values[0] : 0), 0);

		if (!box) {
			tip.hide();
			return;
		}
		const { kind, values } = box.segment, figures =
			[[T.head(app.model, 0).toLowerCase(), T.value(app.model, values[0])],
				['of ' + (app.model.fullGroup ? app.headName().replace(/^A/, 'a') : 'all rows'),
					T.share(values[0], all)]];

		for (let k = 1; k < values.length; k++)
			figures.push([T.head(app.model, k).toLowerCase(), T.column(app.model, k, values[k])]);
		tip.show(() => tip.fill(T.kindName(app.model.kinds[kind]), app.headName(),
			...aboutOf(box.segment), figures), x, y);
	};

	/* "Matched: 3 rows, 12.34% of the time" */
	app.matchText = () => {
		if (app.found !== counted.found || app.rows !== counted.rows)
			counted = { found: app.found, rows: app.rows, text: !app.found ? '' : app.found.error ||
				countMatches() };
		return counted.text;
	};

	function countMatches() {
		const k = app.column, all = app.rows.reduce((sum, row) => sum + app.model.rows[row].values[k], 0);
		let rows = 0, part = 0;

		for (const row of app.rows) {
			let any = 0;

			for (const segment of app.model.rows[row].segments) {
				if (app.standsOut(row, segment)) {
					any = 1;
					part += segment.values[k];
				}
			}
			rows += any;
		}
		return 'Matched: ' + rows.toLocaleString('en') + (rows === 1 ? ' row, ' : ' rows, ') +
			T.share(part, all) + ' of ' +
			'the ' + T.head(app.model, k).toLowerCase();
	}

	app.onchange(() => {
		tip.hide();
		app.pointed = null;
		app.showDetails(null);
		foot.showMatched(app.filterError || app.matchText(), Boolean(app.filterError ||
			app.found && app.found.error));
	});
};
