/* heat_hover: the words about a cell, in the line below the maps, in the box beside the pointer, and for screen
 * readers.
 *
 * app.cellFacts(cell) -> { when, rows, count, share (of the whole recording), idle, unseen, lit,
 *     lines: [[percentile, text], ...], keys: [[name, text], ...] }, as texts;
 *     cell: { map (a number), column, row }
 * app.cellRange(cell) -> { from, to } in ns: the time of the cell if a column is one period of offsets, else
 *     that of the column
 * app.bandText(selection) -> "393.939 – 484.848 ms of each 1 s"; "" for a range of time
 * app.allOf(axes)     -> the sum of all cells if the whole time were shown
 * app.amountText(value) -> the value of a cell with its unit
 * app.rangeText(from, to, brief) -> "2026-11-21 10:15:02.300 – 10:15:04.100 UTC"; brief: "10:15:02.300 – 10:15:04.100"
 * app.hover(cell, x, y), app.showIdle() */
pyrograph.heat.hover = function (app) {
	'use strict';

	const N = pyrograph.number, H = pyrograph.heat, { data, settings, tip, foot } = app, KEYS_TOLD = 4;
	let pointed = null;

	/* ---- texts ---- */

	const digitsFor = (ns) => ns % 1e9 === 0 ? 0 : ns % 1e6 === 0 ? 3 : ns % 1e3 === 0 ? 6 : 9;

	/* Times have as many digits as needed, but no more than are useful; brief: no date if the whole recording is
	 * within a day. */
	app.rangeText = (from, to, brief) => {
		const clock = app.clock(), origin = Number(BigInt(settings.origin) % 1000000000n);
		const exact = Math.max(digitsFor(Math.round(origin + from)), digitsFor(Math.round(origin + to)));
		/* Digits for a hundredth of the range. */
		const enough = Math.ceil(Math.log10(100 * 1e9 / Math.max(to - from, 1)));
		const digits = exact <= 3 ? exact : Math.max(3, Math.min(enough, exact));
		const oneDay = settings.relative || (brief &&
			clock.date(app.whole.from) === clock.date(app.whole.to - 1));
		const day = oneDay ? '' : clock.date(from) + ' ', last = oneDay ? '' : clock.date(to) + ' ';

		return day + clock.text(from, digits) + ' \u2013 ' + (last === day ? '' : last) +
			clock.text(to, digits) + (clock.label && !brief ? ' ' + clock.label : '');
	};

	const unit = () => (H.data.unit(settings));

	/* "1,234 samples", "1 sample" */
	const countOf = (n, words = settings.event || 'events') => N.countText(n) + ' ' +
		(n === 1 ? words.replace(/s$/, '') : words);

	app.amountText = (value, axes = app.grids().axes) => {
		const { y, weigh } = axes;

		if (y !== 'utilization' && weigh === 'painted')
			return N.durationText(value);
		if (y !== 'utilization' && (weigh === 'values' || weigh === 'longest'))
			return N.valueText(unit(), value);
		return y === 'utilization' ? countOf(value, 'CPUs') : countOf(value);
	};

	app.cellRange = ({ column, row }) => {
		const { axes } = app.grids(), from = H.grid.columnNs(axes, column);

		return axes.y === 'offset' && axes.perColumn === 1
			? { from: from + H.grid.rowBorder(axes, row), to: from + H.grid.rowBorder(axes, row + 1) }
			: { from: from, to: H.grid.columnNs(axes, column + 1) };
	};

	function between(low, high, axes) {
		const [a, b] = [low, high].map((value) => H.ticks.valueText(settings, axes, value)),
			[, first, word] = /^(\S+) (\S+)$/.exec(a) || [], [, second] = /^\S+ (\S+)$/.exec(b) || [];

		return (word && word === second ? first : a) + ' \u2013 ' + b;
	}

	const rowsText = (axes, row) => between(H.grid.rowBorder(axes, row), H.grid.rowBorder(axes, row + 1), axes);

	app.bandText = ({ kind, low, high, period }) => {
		const axes = app.axes();

		return kind === 'time' ? '' : between(low, high, axes.y === 'offset' && period
			? Object.assign({}, axes, { period: period }) : axes) +
			(axes.y === 'offset' ? ' of each ' + H.ticks.span(period || axes.period) : kind === 'cpu'
				? ' busy' : '');
	};

	app.allOf = ({ weigh }) => app.kept('all of it', [weigh, app.view.idle], () =>
		(weigh === 'events' ? data.eventsOf : data.valueOf)
			.reduce((sum, n, stack) => sum + (app.view.idle || !data.isIdle[stack] ? n : 0), 0));

	/* The dimension whose keys are named in tips: the one with hues, or else the first with several keys. */
	function teller() {
		const hues = app.hues ? app.hues() : null;

		return hues ? hues.dimension : (settings.dimensions || []).map(([name]) => app.dimension(name))
			.find((dimension) => dimension && dimension.keys.length > 1) || null;
	}

	function keysOf(cell, axes) {
		const by = axes.y === 'utilization' ? null : teller();

		if (!by)
			return [];
		const selection = H.select.ofCells(axes, cell, cell, axes.y === 'offset' && axes.perColumn === 1
			? 'time' : 'rows');
		/* Written in the same unit as the cell's own amount. */
		const choice = app.choice(cell.map), isLongest = axes.weigh === 'longest';
		const add = axes.weigh === 'events' ? 'counts' : isLongest ? 'longest' : 'sums';
		const sums = H.select[add](data, settings, axes, selection, choice),
			of = new Float64Array(by.keys.length);

		sums.forEach((sum, stack) => {
			if (by.keyOf[stack] >= 0 && (choice.idle || !data.isIdle[stack]))
				of[by.keyOf[stack]] = isLongest ? Math.max(of[by.keyOf[stack]], sum)
					: of[by.keyOf[stack]] + sum;
		});
		const found = Array.from(of, (sum, key) => [key, sum]).filter(([, sum]) => sum).sort((a, b) =>
			b[1] - a[1] || a[0] - b[0]);

		return found.slice(0, KEYS_TOLD).map(([key, sum]) => [by.keys[key], app.amountText(sum, axes)])
			.concat(found.length > KEYS_TOLD ? [[`${N.countText(found.length - KEYS_TOLD)} more`, '']]
				: []);
	}

	app.cellFacts = (cell) => {
		const grids = app.grids(), { axes } = grids, map = grids.maps[cell.map], i = cell.column * axes.rows +
			cell.row;
		const { from, to } = app.cellRange(cell), count = map.grid.cells[i], isUse = axes.y === 'utilization';
		const lines = map.lines.map(({ percent, values }) =>
			['p' + percent, values[cell.column]]).filter(([, value]) => value === value);

		return { when: app.rangeText(from, to), rows: rowsText(axes, cell.row), count: app.amountText(count),
			empty: !count,
			share: isUse || axes.weigh === 'longest' ? '' : N.percentText(count, app.allOf(axes)),
			idle: map.grid.idle[i] ? app.amountText(map.grid.idle[i]) : '',
			unseen: map.unseen[i] ? map.unseen[i] / 10 + ' %' : '',
			clock: map.doubt && map.doubt.cells[i] ? app.amountText(map.doubt.cells[i]) : '',
			lines: lines.map(([name, value]) => [name, H.ticks.valueText(settings, axes, value)]),
			lit: map.lit ? app.amountText(map.lit.cells[i]) : '',
			keys: count ? keysOf(cell, axes) : [], title: map.title };
	};

	/* The facts in one line. */
	app.cellText = (facts) => [facts.title, facts.when, facts.rows, facts.count +
		(facts.empty || !facts.share ? '' : ' (' + facts.share + ')'),
	facts.lit && facts.lit + ' found', facts.idle && facts.idle + ' idle', facts.unseen && facts.unseen +
			' not seen',
	facts.clock && facts.clock + ' by a clock that is off',
	facts.lines.length && 'column: ' + facts.lines.map((line) => line.join(' ')).join(', ')]
		.filter(Boolean).join(' \u00b7 ');

	/* ---- the line below ---- */

	/* The text shown while the pointer is at nothing: about the selection, or a hint. */
	app.selectionText = (selection) => {
		const { axes } = app.grids(), events = H.select.events(data, settings, axes, selection,
			app.choice(app.mapOf(selection)));
		const when = app.rangeText(selection.from, selection.to, true);
		const rows = app.bandText(selection);

		return when + (rows && ' \u00b7 ' + rows) + (selection.kind === 'time' ? ', ' +
			N.durationText(selection.to - selection.from) : '') + ' \u00b7 ' +
			countOf(events);
	};
	const fingers = window.matchMedia('(hover: none)');

	app.showIdle = () => {
		const { selection, baseline } = app.view;

		foot.show(selection ? baseline ? '' : fingers.matches
			? 'Long press to extend or compare'
			: 'Shift+click to extend, Ctrl+drag to compare' : [app.idleText.replace(/\.$/, ''),
			fingers.matches ? 'Tap or drag to select'
				: 'Click or drag to select'].filter(Boolean).join('. '), true);
	};

	/* ---- the box ---- */

	function fill(facts) {
		const short = (name) => app.ruler.fit(name, 260, 1, 'middle');
		const figures = [['here', facts.count], ['of all', facts.empty ? '' : facts.share],
			['found', facts.lit], ['idle', facts.idle], ['not seen', facts.unseen],
			['clock off', facts.clock], ...facts.lines.map(([name, text]) =>
				[name + ' of the column', text])].filter(([, text]) => text);

		tip.fill((facts.title ? short(facts.title) + ': ' : '') + facts.rows, facts.when, figures,
			facts.keys.length ? tip.table(facts.keys.map(([name, text]) => [short(name), text]),
				'tip-keys') : null);
	}

	const same = (a, b) => a && b && a.plot === b.plot && a.column === b.column && a.row === b.row;

	/* The pointer is at a cell (see app.cellAt in view.js), or at none. */
	app.hover = (cell, x, y) => {
		if (!cell) {
			pointed = null;
			app.point(null);
			tip.hide();
			app.showIdle();
			return;
		}
		if (!same(cell, pointed)) {
			cell.facts = app.cellFacts({ map: cell.plot.map.number, column: cell.column, row: cell.row });
			pointed = cell;
			app.point(cell);
			foot.show(app.cellText(cell.facts));
		}
		tip.show(() => fill(pointed ? pointed.facts : cell.facts), x, y);
	};

	app.onchange(() => {
		pointed = null;
		app.point(null);
		tip.hide();
		app.showIdle();
	});
};
