/* heat_axes: the axes of a heat map, by the rules of grid.h, and the cells to which events and spans of time belong;
 * all results are exact.  Needs data.js.
 *
 * make(settings, want), spanFor(), rowsFor(), finer(), finest(), columnNs(), rowBorder(), rowOf(), cellAt(): see
 * grid.js eachCell(data, settings, axes, take)  calls take(cell, i, end) for each cell that has events: events i to
 *                                 end - 1.  With a y other than "offset", for each column instead
 * painter(axes, cells)         -> .add(from, to, row, weight) adds a span of ns to the cells: with y "offset" to
 *                                 the rows that the span covers, otherwise to row; .finish() ends
 * ofColumns(axes)              -> axes with y "offset" and one row, so that a cell is a whole column
 * USE_WHOLE                    100 % of a CPU, in the unit of the row borders of y "utilization" */
pyrograph.heat.axes = (function () {
	'use strict';

	const D = pyrograph.heat.data;
	const COLUMN_PX = 3, SEC = 1e9, MINUTE = 60 * SEC, HOUR = 60 * MINUTE, DAY = 24 * HOUR, USE_WHOLE = 10000,
		USUAL = 50, ROW_TICKS = 20;
	const SHORT = [500e6, 200e6, 100e6, 50e6, 20e6, 10e6, 5e6, 2e6, 1e6, 500e3, 200e3, 100e3], SHORT_COLUMNS = 16,
		SHORT_SAMPLES = 5;
	const LADDER = [SEC, MINUTE, 5 * MINUTE, HOUR, DAY];

	/* ---- axes ---- */

	const either = (a, b) => a === undefined || a === null ? b : a;

	/* The same as in grid.c: low * (high / low)^(row / rows); the last digits may differ. */
	function logBorder(axes, row) {
		const value = axes.low * Math.pow(axes.high / axes.low, row / axes.rows);

		return row ? Math.min(Math.ceil(value - value * 1e-12), axes.high) : axes.low;
	}

	function rowBorder(axes, row) {
		if (axes.y === 'offset')
			return 0 - D.scaled(-row, axes.period, axes.rows);
		if (axes.y === 'utilization')
			return Math.ceil(row * USE_WHOLE / axes.rows);
		if (row >= axes.rows)
			return axes.high;
		return axes.logarithmic ? logBorder(axes, row) : Math.min(axes.step * row + axes.low, axes.high);
	}

	function setValues(axes, settings, want) {
		const [low, high, logarithmic] = settings.value || ['0', '1', false];
		const drawn = want.rows === undefined && want.low === undefined && want.high === undefined;

		axes.logarithmic = either(want.logarithmic, logarithmic);
		axes.low = Math.max(either(want.low, Number(low)), axes.logarithmic ? 1 : 0);
		axes.high = Math.max(either(want.high, Number(high)), axes.low);
		axes.step = want.step || (drawn && Number(settings.step)) ||
			Math.max(1, Math.ceil((axes.high - axes.low) / axes.rows));
	}

	/* The start of the first period, which contains the window's start; it is also the start of the first column.
	 * Periods start at whole times of the zone; without a wall clock, they are counted from the window's start. */
	function firstPeriod(settings, period, zone) {
		const [begin] = settings.window, width = BigInt(period), at = BigInt(settings.origin) + BigInt(begin) +
			BigInt(either(zone, settings.zone[2]));

		return settings.relative ? begin : begin - Number((at % width + width) % width);
	}

	function make(settings, want = {}) {
		const period = want.period || Number(settings.period), perColumn = want.perColumn || settings.perColumn;
		const column = period * perColumn, [begin, end] = settings.window;
		const from = either(want.from, begin), to = Math.max(either(want.to, end), from + 1);
		const least = firstPeriod(settings, period, want.zone), count = (until) =>
			Math.floor((until - least) / column);
		const first = count(from), last = count(to - 1);
		const made = {
			y: want.y || settings.y, weigh: want.weigh || settings.weigh, period, perColumn, column,
			rows: want.rows || settings.rows, columns: last - first + 1,
			start: least + first * column, end: least + (last + 1) * column,
			least: least, most: least + (count(Math.max(end, begin + 1) - 1) + 1) * column,
		};

		setValues(made, settings, want);
		made.borders = Float64Array.from({ length: made.rows + 1 }, (unused, row) => rowBorder(made, row));
		return made;
	}

	/* A number of rows that makes no stripes, if there is one (beats.js).  A row has many ticks, or a whole number
	 * of ticks, so that rounding changes little or nothing. */
	function rowsFor(settings, period) {
		const [num, den] = settings.tick, wanted = settings.y !== 'offset' ? USUAL : period === DAY ? 96
			: period % MINUTE || period > HOUR ? USUAL : 60;
		const isFine = (rows) => period * den % (num * rows) === 0 || period * den / (num * rows) >= ROW_TICKS;

		return settings.y === 'value' || period === Number(settings.period) ? settings.rows
			: pyrograph.heat.beats.rows(settings, settings.y, period, wanted, isFine);
	}

	function spanFor(settings, from, to, width) {
		const own = Number(settings.period), most = Math.max(1, width / COLUMN_PX);
		const whole = from <= settings.window[0] && to >= settings.window[1];
		const found = LADDER.find((period) => (to - from) / period <= most) || DAY;
		const isFixed = !LADDER.includes(own) || (whole && settings.columns <= width);
		const period = isFixed ? own : found;

		return {
			period, rows: rowsFor(settings, period),
			perColumn: isFixed && whole ? settings.perColumn
				: Math.max(1, Math.ceil((to - from) / period / most)),
		};
	}

	/* ---- short periods, for zooming in far ---- */

	/* Periods that are shorter than that of settings, but still meaningful: they have some samples, and many
	 * ticks. */
	function shorter(settings) {
		const [num, den] = settings.tick, own = Number(settings.period);
		const rates = settings.spans ? [] : settings.recordings.map((r) => r.rate).filter((rate) => rate > 0);

		return settings.y === 'utilization' || own > SEC ? []
			: SHORT.filter((period) => period < own && period * den >= num * ROW_TICKS &&
			rates.every((rate) => Math.round(rate * period / SEC) >= SHORT_SAMPLES));
	}

	/* The most rows that make no stripes and have enough samples: two from each CPU in a row, or else one. */
	function rowsOfShorter(settings, period) {
		const [num, den] = settings.tick, { y } = settings, rates = settings.spans ? []
			: settings.recordings.map((r) => r.rate);
		const isRight = (rows) => (period * den % (num * rows) === 0 ||
			period * den / (num * rows) >= ROW_TICKS) &&
			!pyrograph.heat.beats.striped(settings, { y, rows, period, perColumn: 1 });

		if (y !== 'offset')
			return settings.rows;
		for (const [samples, least] of [[2, 4], [1, 2]]) {
			const most = Math.min(USUAL, ...rates.filter((rate) => rate > 0).map((rate) =>
				Math.round(rate * period / SEC / samples)));

			for (let rows = most; rows >= least; rows--) {
				if (isRight(rows))
					return rows;
			}
		}
		return 1;
	}

	const finest = (settings) => shorter(settings).pop() || Math.min(Number(settings.period),
		settings.y === 'offset' ? SEC : Infinity);

	function finer(settings, from, to) {
		const isFew = (period) => (to - from) / period < SHORT_COLUMNS,
			own = Math.min(Number(settings.period), SEC);
		const all = isFew(own) ? shorter(settings) : [], period = all.find((p) => !isFew(p)) || all.pop();

		return period ? { period, rows: rowsOfShorter(settings, period), perColumn: 1 } : null;
	}

	const columnNs = (axes, column) => axes.start + column * axes.column;

	/* The row that contains a value: the last one whose lower border is not greater. */
	function rowBelow(borders, rows, value) {
		let low = 0, high = rows;

		while (high - low > 1) {
			const middle = (low + high) >> 1;

			if (borders[middle] <= value)
				low = middle;
			else
				high = middle;
		}
		return low;
	}

	function rowOf(axes, value) {
		if (!(value >= axes.low && value <= axes.high))
			return -1;
		return axes.logarithmic ? rowBelow(axes.borders, axes.rows, value) :
			Math.min(Math.floor((value - axes.low) / axes.step), axes.rows - 1);
	}

	function cellAt(axes, ns, value) {
		if (!(ns >= axes.start && ns < axes.end))
			return null;
		const column = Math.floor((ns - axes.start) / axes.column);
		const row = axes.y === 'offset' ? D.scaled((ns - axes.start) % axes.period, axes.rows, axes.period) :
			axes.y === 'value' ? rowOf(axes, value) :
				Math.min(Math.floor(value * axes.rows / USE_WHOLE), axes.rows - 1);

		return row < 0 ? null : { column, row };
	}

	/* ---- the events of a cell ---- */

	/* If each row consists of whole ticks, so that nothing has to be rounded, returns { row: the number of ticks in
	 * a row, start: the first tick of the window }; otherwise null. */
	function wholeTicks(settings, { period, start }, rows) {
		const [num, den] = settings.tick, row = D.scaled(period, den, num * rows),
			first = D.tickAt(settings, start);

		const fits = BigInt(row) * BigInt(num) * BigInt(rows) === BigInt(period) * BigInt(den);

		return fits && D.nsOf(settings, first) === start ? { row, start: first } : null;
	}

	/* Calls take(cell, i, end) for each cell that has events: events i to end - 1.  With y "offset" a
	 * period has axes.rows rows; otherwise a cell is a whole column. */
	function eachCell(data, settings, axes, take) {
		const isOffset = axes.y === 'offset', tick = data.tick, rows = isOffset ? axes.rows : 1;
		const period = isOffset ? axes.period : axes.column, perColumn = isOffset ? axes.perColumn : 1;
		const last = D.firstEvent(data, D.tickAt(settings, axes.end));
		const whole = wholeTicks(settings, { period, start: axes.start }, rows), ticks = whole
			? whole.row * rows : 0;
		let i = D.firstEvent(data, D.tickAt(settings, axes.start));

		while (i < last) {
			let at, row, until;

			if (whole) {
				const t = tick[i] - whole.start;

				at = Math.floor(t / ticks);
				row = Math.floor((t - at * ticks) / whole.row);
				until = whole.start + at * ticks + (row + 1) * whole.row;
			} else {
				const ns = D.nsOf(settings, tick[i]) - axes.start;

				at = Math.floor(ns / period);
				row = D.scaled(ns - at * period, rows, period);
				until = D.tickAt(settings, axes.start + at * period - D.scaled(-row - 1, period, rows));
			}
			let end = i + 1;

			while (end < last && tick[end] < until)
				end++;
			take(Math.floor(at / perColumn) * rows + row, i, end);
			i = end;
		}
	}

	/* ---- painting ---- */

	function paintRows(axes, cells, from, to, weight) {
		const base = Math.floor(from / axes.column) * axes.rows, borders = axes.borders;
		const begin = Math.floor(from / axes.period) * axes.period;
		let row = D.scaled(from - begin, axes.rows, axes.period);

		for (let at = from - begin; at < to - begin; row++) {
			const end = Math.min(borders[row + 1], to - begin);

			cells[base + row] += (end - at) * weight;
			at = end;
		}
	}

	/* Adds the span from .. to, which is within one column; both in ns from the window's start. */
	function paintColumn(axes, cells, from, to, row, weight) {
		const { period } = axes, first = Math.floor(from / period), last = Math.floor((to - 1) / period);

		if (axes.y !== 'offset') {
			cells[Math.floor(from / axes.column) * axes.rows + row] += (to - from) * weight;
		} else if (first === last) {
			paintRows(axes, cells, from, to, weight);
		} else {
			paintRows(axes, cells, from, (first + 1) * period, weight);
			if (last - first > 1)
				paintRows(axes, cells, (first + 1) * period, (first + 2) * period,
					weight * (last - first - 1));
			paintRows(axes, cells, last * period, to, weight);
		}
	}

	/* Adds spans to cells.  Columns that a span covers completely are filled only by finish(), so that long
	 * spans do not take longer. */
	function painter(axes, cells) {
		const step = axes.y === 'offset' ? 1 : axes.rows, more = new Float64Array((axes.columns + 1) * step);

		function add(start, end, row, weight) {
			const from = Math.max(start, axes.start) - axes.start,
				to = Math.min(end, axes.end) - axes.start;
			const first = Math.floor(from / axes.column), last = Math.floor((to - 1) / axes.column);

			if (from >= to)
				return;
			if (first === last) {
				paintColumn(axes, cells, from, to, row, weight);
				return;
			}
			paintColumn(axes, cells, from, (first + 1) * axes.column, row, weight);
			paintColumn(axes, cells, last * axes.column, to, row, weight);
			more[(first + 1) * step + (step > 1 ? row : 0)] += weight;
			more[last * step + (step > 1 ? row : 0)] -= weight;
		}
		function finish() {
			const now = new Float64Array(step);

			for (let i = 0; i < axes.columns * step; i++) {
				const column = Math.floor(i / step), row = i % step;

				now[row] += more[i];
				if (now[row])
					paintColumn(axes, cells, column * axes.column, (column + 1) * axes.column, row,
						now[row]);
			}
		}
		return { add, finish };
	}

	const ofColumns = (axes) => axes.y === 'offset' ? axes :
		Object.assign({}, axes, { y: 'offset', rows: 1, borders: Float64Array.of(0, axes.period) });

	return { make, spanFor, rowsFor, finer, finest, columnNs, rowBorder, rowOf, cellAt, eachCell, painter,
		ofColumns, USE_WHOLE };
})();
