/* bars_details: the words about a row or a segment, in the line below the chart, in the box beside the pointer, and for
 * screen readers. */
pyrograph.ui.barsDetails = function (app) {
	'use strict';

	const M = pyrograph.bars.model, T = pyrograph.bars.text, { tip, foot, now } = app;
	const PARTS_TOLD = 12, rowTexts = new WeakMap();
	let counted = {};

	/* "12 of 500 threads", or "12 rows of 500 threads" when some rows are pools. */
	const countText = () => {
		const members = (rows) => rows.reduce((sum, row) => sum + now.model.rows[row].members, 0);
		const every = Array.from(now.model.rows.keys()), all = members(every), shown = now.rows.length;
		const words = all === 1 ? app.settings.rowsWord.replace(/s$/, '') : app.settings.rowsWord;

		if (all !== every.length)
			return shown.toLocaleString('en') + (shown === 1 ? ' row of ' : ' rows of ') +
				members(now.rows).toLocaleString('en') + ' ' + words;
		return (shown === every.length ? '' : shown.toLocaleString('en') + ' of ') + all.toLocaleString('en') +
			' ' + words;
	};
	const sumText = () => (now.rows.length === now.model.rows.length ? 'All ' : '') + countText();

	/* Does the chart show this kind?  A chart of noise does not show running time. */
	const isAbout = (kind) => !now.model.fullGroup || kind.group === now.model.fullGroup;

	/* [[kind, values, share of the shown rows' time, time], ...] for each kind that occurs. */
	const kindShares = () => {
		const sums = M.byKind(now.model, now.rows), k = now.column, { kinds } = now.model;
		const whole = sums.reduce((sum, values, i) =>
			sum + (values && isAbout(kinds[i]) ? values[k] : 0), 0);

		return kinds.map((kind, i) => [kind, sums[i],
			sums[i] && isAbout(kind) ? T.share(sums[i][k], whole) : '', sums[i] ? sums[i][k] : 0])
			.filter(([, values]) => values);
	};

	/* The text of a row for screen readers: the row's total, and its largest segments. */
	const rowText = (row) => {
		const one = now.model.rows[row];

		if (!rowTexts.has(one))
			rowTexts.set(one, makeRowText(one, row));
		return rowTexts.get(one);
	};

	function makeRowText(one, row) {
		const waited = M.amountOf(now.model, row, '*' + M.RUNNABLE)[0];
		const most = M.ordered(now.model, one.segments, 0, true).slice().sort((a, b) =>
			b.values[0] - a.values[0]);

		return T.rowName(one) + ': ' + T.value(now.model, one.values[0]) +
			(waited ? ', waited ' + T.value(now.model, waited) +
			' for a CPU, ' + T.share(waited, one.values[0]) : '') + most.slice(0, 3).map((segment) => ', ' +
			T.kindText(now.model, segment) + (segment.by === null ? '' : ' for ' + T.name(segment.by)) +
				' ' +
			T.share(segment.values[0], one.values[0])).join('');
	}

	const showDetails = (at) => {
		if (at)
			foot.show(T.describe(now.model, now.model.rows[at.row], at.box ? at.box.segment : null));
		else
			foot.show(now.detailed >= 0 ? rowText(now.detailed)
				: [sumText(), app.idleText].filter(Boolean).join('. '), true);
	};

	/* "a-1 3 ms, b-2 2 ms, ..." */
	const partsOf = ({ parts }) => !parts ? [] : [parts.slice(0, PARTS_TOLD).map((part) => T.name(part.by) + ' ' +
		T.column(now.model, now.column, part.values[now.column])).join(', ') +
			(parts.length > PARTS_TOLD ? ', \u2026' : '')];

	const meanwhile = (segment) => !T.byText(segment) ? '' : segment.by === T.IDLE
		? ', while the CPU came out of idleness' : T.isLimit(segment.by) ? ', by ' + T.byText(segment)
			: ', while ' + T.byText(segment) + ' had the CPU';
	/* What a state means; only for a segment that no other thread causes. */
	const aboutOf = ({ kind, by, parts }) => by === null && !parts && now.model.kinds[kind].about
		? [now.model.kinds[kind].about] : [];

	function tipOf({ row, box }) {
		const one = now.model.rows[row], segment = box ? box.segment : null;

		tip.fill(T.rowName(one), ...segment ? [T.kindText(now.model, segment) + meanwhile(segment),
			...aboutOf(segment), ...partsOf(segment)] : [], T.figures(now.model, one, segment));
	}

	/* The pointer is at a place of the rows (at: see panel.at), or at no row (null). */
	const hover = (at, x, y) => {
		app.panel.outline(at);
		app.details.pointed = at;
		showDetails(at);
		if (at)
			tip.show(() => tipOf(at), x, y);
		else
			tip.hide();
	};
	/* The pointer is at a kind in the sum of all rows (box), or at none. */
	const hoverSum = (box, x, y) => {
		const all = M.byKind(now.model, now.rows).reduce((sum, values, i) =>
			sum + (values && isAbout(now.model.kinds[i]) ? values[0] : 0), 0);

		if (!box) {
			tip.hide();
			return;
		}
		const { kind, values } = box.segment, figures =
			[[T.head(now.model, 0).toLowerCase(), T.value(now.model, values[0])],
				['of ' + (now.model.fullGroup ? app.panel.headName().replace(/^A/, 'a') : 'all rows'),
					T.share(values[0], all)]];

		for (let k = 1; k < values.length; k++)
			figures.push([T.head(now.model, k).toLowerCase(), T.column(now.model, k, values[k])]);
		tip.show(() => tip.fill(T.kindName(now.model.kinds[kind]), app.panel.headName(),
			...aboutOf(box.segment), figures), x, y);
	};

	/* "Matched: 3 rows, 12.34% of the time" */
	const matchText = () => {
		if (now.found !== counted.found || now.rows !== counted.rows)
			counted = { found: now.found, rows: now.rows, text: !now.found ? '' : now.found.error ||
				countMatches() };
		return counted.text;
	};

	function countMatches() {
		const k = now.column, all = now.rows.reduce((sum, row) => sum + now.model.rows[row].values[k], 0);
		let rows = 0, part = 0;

		for (const row of now.rows) {
			let any = 0;

			for (const segment of now.model.rows[row].segments) {
				if (now.standsOut(row, segment)) {
					any = 1;
					part += segment.values[k];
				}
			}
			rows += any;
		}
		return 'Matched: ' + rows.toLocaleString('en') + (rows === 1 ? ' row, ' : ' rows, ') +
			T.share(part, all) + ' of ' +
			'the ' + T.head(now.model, k).toLowerCase();
	}

	app.details = { hover, hoverSum, showDetails, countText, isAbout, kindShares, matchText, rowText, sumText,
		pointed: null };
	app.onchange(() => {
		tip.hide();
		app.details.pointed = null;
		showDetails(null);
		foot.showMatched(now.filterError || matchText(), Boolean(now.filterError ||
			now.found && now.found.error));
	});
};
