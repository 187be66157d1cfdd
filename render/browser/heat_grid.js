/* heat_grid: events counted in cells, as grid.h says and grid.c does; exact.  Needs heat_data.js.
 *
 * axes(settings, want)         -> axes: { y, weigh, period, perColumn, columns, rows, start, end, column
 *                                 (ns of a column), low, high, step, logarithmic, borders: by row, and
 *                                 the upper end }.  want: from, to (ns; whole columns are shown), period,
 *                                 perColumn, rows, y, weigh, low, high, step, logarithmic, zone (ns to be
 *                                 added to UTC); what is missing is as in settings
 * spanFor(settings, from, to, width) -> { period, rows, perColumn }: the finest of 1 s, 1 min, 5 min,
 *                                 1 h, 1 d of which columns have 3 of width pixels; the whole window, and
 *                                 any window of a period that is none of these: as drawn
 * make(data, settings, axes, choice) -> grid { axes, cells: Float64Array [column * rows + row],
 *                                 idle: the same of idle stacks, total, idleTotal, largest,
 *                                 below, above (y "value": outside low .. high) }
 *     choice: { stacks: null or Uint8Array by stack, recording: -1 or its number,
 *             idle: true: idle ones count with the others }; may be null
 * byKeys(data, settings, axes, choice, keyOf, count) -> [grid, ...] of the keys 0 .. count - 1
 *                                 (keyOf: by stack), in one pass; their idle is 0
 * unseen(settings, axes, recording, data) -> Uint16Array, in 1/1000, of recording, or all of them
 *                                 (-1); data: for the CPUs, where headers do not tell them
 * percentile(data, settings, axes, choice, percent) -> Float64Array by column, NaN: has none
 * cellAt(axes, ns, value)      -> { column, row }, or null; value: of y "value"
 * columnNs(axes, column), rowBorder(axes, row)  as in grid.h, ns from settings.origin on
 * rowOf(axes, value)           -> of y "value": its row, -1: outside
 * firstEvent(data, tick)       -> number of the first event of that tick or later
 * taken(data, choice)          -> Uint8Array by stack: 0: not chosen, 1: counts, 2: is idle */
pyrograph.heat.grid = (function () {
	'use strict';

	const D = pyrograph.heat.data;
	const COLUMN_PX = 3, SEC = 1e9, USE_WHOLE = 10000; /* USE_WHOLE: 100 % of a CPU */
	const LADDER = [[SEC, 50], [60 * SEC, 60], [300 * SEC, 60], [3600 * SEC, 60], [86400 * SEC, 96]];

	/* ---- axes ---- */

	const either = (a, b) => a === undefined || a === null ? b : a;

	/* As grid.c: low * (high / low)^(row / rows), but for what the last digits may be off. */
	function logBorder(axes, row) {
		const value = axes.low * Math.pow(axes.high / axes.low, row / axes.rows);

		return row ? Math.min(Math.ceil(value - value * 1e-12), axes.high) : axes.low;
	}

	function rowBorder(axes, row) {
		if (axes.y === 'offset')
			return -D.scaled(-row, axes.period, axes.rows);
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

	function axes(settings, want = {}) {
		const period = want.period || Number(settings.period), perColumn = want.perColumn || settings.perColumn;
		const column = period * perColumn, [begin, end] = settings.window;
		const zone = BigInt(either(want.zone, settings.zone[2])), width = BigInt(column);
		const phase = Number(((BigInt(settings.origin) + zone) % width + width) % width);
		const from = either(want.from, begin), to = Math.max(either(want.to, end), from + 1);
		const first = Math.floor((from + phase) / column), last = Math.floor((to - 1 + phase) / column);
		const made = {
			y: want.y || settings.y, weigh: want.weigh || settings.weigh, period, perColumn, column,
			rows: want.rows || settings.rows, columns: last - first + 1,
			start: first * column - phase, end: (last + 1) * column - phase,
		};

		setValues(made, settings, want);
		made.borders = Float64Array.from({ length: made.rows + 1 }, (unused, row) => rowBorder(made, row));
		return made;
	}

	function spanFor(settings, from, to, width) {
		const own = Number(settings.period), most = Math.max(1, width / COLUMN_PX);
		const whole = from <= settings.window[0] && to >= settings.window[1];
		const found = LADDER.find(([period]) => (to - from) / period <= most) || LADDER[LADDER.length - 1];
		const fixed = !LADDER.some(([period]) => period === own);
		const asDrawn = fixed || (whole && settings.columns <= width), [period, rows] = asDrawn ? [own, 0] : found;

		return {
			period, rows: period === own || settings.y !== 'offset' ? settings.rows : rows,
			perColumn: asDrawn && whole ? settings.perColumn : Math.max(1, Math.ceil((to - from) / period / most)),
		};
	}

	const columnNs = (axes, column) => axes.start + column * axes.column;

	/* The row that has a value, by its lower border. */
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

	function firstEvent(data, wanted) {
		const tick = data.tick;
		let low = 0, high = data.count;

		while (low < high) {
			const middle = (low + high) >>> 1;

			if (tick[middle] < wanted)
				low = middle + 1;
			else
				high = middle;
		}
		return low;
	}

	/* Where ticks are whole parts of rows there is nothing to be rounded: { row: ticks in one,
	 * start: the window's first }; else null. */
	function wholeTicks(settings, { period, start }, rows) {
		const [num, den] = settings.tick, row = D.scaled(period, den, num * rows), first = D.tickAt(settings, start);

		const fits = BigInt(row) * BigInt(num) * BigInt(rows) === BigInt(period) * BigInt(den);

		return fits && D.nsOf(settings, first) === start ? { row, start: first } : null;
	}

	/* Calls take(cell, i, end) for all cells that have events, which are i .. end - 1; of rows a
	 * period, and a column's own number of cells. */
	function eachCell(data, settings, axes, take) {
		const isOffset = axes.y === 'offset', tick = data.tick, rows = isOffset ? axes.rows : 1;
		const period = isOffset ? axes.period : axes.column, perColumn = isOffset ? axes.perColumn : 1;
		const last = firstEvent(data, D.tickAt(settings, axes.end));
		const whole = wholeTicks(settings, { period, start: axes.start }, rows), ticks = whole ? whole.row * rows : 0;
		let i = firstEvent(data, D.tickAt(settings, axes.start));

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

	/* ---- counting ---- */

	function taken(data, choice) {
		const { stacks = null, recording = -1, idle = false } = choice || {}, take = new Uint8Array(data.stacks);

		for (let s = 0; s < take.length; s++) {
			if ((!stacks || stacks[s]) && (!(recording >= 0) || data.recordingOf[s] === recording))
				take[s] = data.isIdle[s] && !idle ? 2 : 1;
		}
		return take;
	}

	function emptyGrid(axes, idle) {
		return { axes, cells: new Float64Array(axes.columns * axes.rows),
			idle: idle || new Float64Array(axes.columns * axes.rows),
			total: 0, idleTotal: 0, largest: 0, below: 0, above: 0 };
	}

	/* cells[to] of each event's stack gets 1, or its value. */
	function fillOffsets(data, settings, axes, toOf, cells) {
		const { stack, value } = data, weigh = axes.weigh === 'events' ? null : value;

		eachCell(data, settings, axes, (cell, i, end) => {
			for (; i < end; i++) {
				const to = toOf[stack[i]];

				if (to >= 0)
					cells[to][cell] += weigh ? weigh[i] : 1;
			}
		});
	}

	function fillValues(data, settings, axes, toOf, grids, cells) {
		const { stack, value } = data, { rows } = axes, weigh = axes.weigh === 'events' ? null : value;

		eachCell(data, settings, axes, (column, i, end) => {
			for (; i < end; i++) {
				const to = toOf[stack[i]];

				if (to < 0)
					continue;
				const v = value ? value[i] : settings.same, row = rowOf(axes, v), weight = weigh ? weigh[i] : 1;

				if (row >= 0)
					cells[to][column * rows + row] += weight;
				else if (to % 2 === 0) /* not an idle one */
					grids[to / 2][v < axes.low ? 'below' : 'above'] += weight;
			}
		});
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

	/* The part of a column from .. to: ns from the window's start on. */
	function paintColumn(axes, cells, from, to, row, weight) {
		const { period } = axes, first = Math.floor(from / period), last = Math.floor((to - 1) / period);

		if (axes.y !== 'offset') {
			cells[Math.floor(from / axes.column) * axes.rows + row] += (to - from) * weight;
		} else if (first === last) {
			paintRows(axes, cells, from, to, weight);
		} else {
			paintRows(axes, cells, from, (first + 1) * period, weight);
			if (last - first > 1)
				paintRows(axes, cells, (first + 1) * period, (first + 2) * period, weight * (last - first - 1));
			paintRows(axes, cells, last * period, to, weight);
		}
	}

	/* Adds spans to cells; whole columns only when it is finished, so that long spans cost no more. */
	function painter(axes, cells) {
		const step = axes.y === 'offset' ? 1 : axes.rows, more = new Float64Array((axes.columns + 1) * step);

		function add(start, end, row, weight) {
			const from = Math.max(start, axes.start) - axes.start, to = Math.min(end, axes.end) - axes.start;
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
					paintColumn(axes, cells, column * axes.column, (column + 1) * axes.column, row, now[row]);
			}
		}
		return { add, finish };
	}

	/* How long each span may be at most, so that those that began before a window are found. */
	function longest(data, settings) {
		if (data.longest === undefined) {
			data.longest = data.value ? 0 : settings.same;
			for (let i = 0; data.value && i < data.count; i++)
				data.longest = Math.max(data.longest, data.value[i]);
		}
		return data.longest;
	}

	function spanNs(data, settings, i) {
		const value = data.value ? data.value[i] : settings.same;

		return settings.decimals ? Math.floor(value / Math.pow(10, settings.decimals)) : value;
	}

	function paint(data, settings, axes, toOf, grids, cells) {
		const painters = cells.map((of) => painter(axes, of)), { stack, value, tick } = data;
		const last = firstEvent(data, D.tickAt(settings, axes.end));
		const inside = (start, end) => Math.max(0, Math.min(end, axes.end) - Math.max(start, axes.start));

		for (let i = firstEvent(data, D.tickAt(settings, axes.start - longest(data, settings))); i < last; i++) {
			const to = toOf[stack[i]], start = D.nsOf(settings, tick[i]), end = start + spanNs(data, settings, i);

			if (to < 0)
				continue;
			const v = value ? value[i] : settings.same, row = axes.y === 'value' ? rowOf(axes, v) : 0;

			if (row >= 0)
				painters[to].add(start, end, row, 1);
			else if (to % 2 === 0)
				grids[to / 2][v < axes.low ? 'below' : 'above'] += inside(start, end);
		}
		painters.forEach((p) => p.finish());
	}

	/* ---- all of it ---- */

	function addUp(grid, times) {
		const { cells, idle } = grid;

		for (let i = 0; i < cells.length; i++) {
			cells[i] *= times;
			grid.total += cells[i];
			grid.largest = Math.max(grid.largest, cells[i]);
		}
		for (let i = 0; i < idle.length; i++) {
			idle[i] *= times;
			grid.idleTotal += idle[i];
		}
		grid.below *= times;
		grid.above *= times;
	}

	/* toOf: by stack, 2 * grid, 1 more: its idle; -1: none. */
	function fill(data, settings, axes, toOf, grids) {
		const cells = grids.flatMap((grid) => [grid.cells, grid.idle]);
		const isPainted = axes.weigh === 'painted' && settings.spans;

		if (isPainted)
			paint(data, settings, axes, toOf, grids, cells);
		else if (axes.y === 'value')
			fillValues(data, settings, axes, toOf, grids, cells);
		else
			fillOffsets(data, settings, axes, toOf, cells);
		grids.forEach((grid) => addUp(grid, !isPainted && axes.weigh !== 'events' && !data.value ? settings.same : 1));
		return grids;
	}

	function make(data, settings, axes, choice) {
		return fill(data, settings, axes, Int32Array.from(taken(data, choice), (take) => take - 1), [emptyGrid(axes)])[0];
	}

	function byKeys(data, settings, axes, choice, keyOf, count) {
		const take = taken(data, choice), none = new Float64Array(axes.columns * axes.rows);
		const toOf = Int32Array.from(keyOf, (key, s) => take[s] === 1 && key >= 0 && key < count ? 2 * key : -1);

		return fill(data, settings, axes, toOf, Array.from({ length: count }, () => emptyGrid(axes, none)));
	}

	/* ---- what was not seen ---- */

	/* "cpu12" is 12; -1: no number. */
	const cpuNumber = (name) => Number((/\d+/.exec(name) || ['-1'])[0]);

	/* [{ host, recordings: [number], cpus: [number] }] of recording, or all of them. */
	function hosts(settings, recording, data) {
		const found = new Map(), cpu = data && settings.dimensions.some(([name]) => name === 'cpu') ?
			D.dimension(data, settings, 'cpu') : null;

		settings.recordings.forEach((r, number) => {
			if (recording >= 0 && recording !== number)
				return;
			const host = found.get(r.host) || { host: r.host, recordings: [], cpus: [] };

			host.recordings.push(number);
			host.cpus.push(...r.cpus);
			found.set(r.host, host);
		});
		const all = Array.from(found.values());

		for (let s = 0; cpu && s < data.stacks; s++) {
			const host = all.find((h) => h.recordings.includes(data.recordingOf[s]));

			if (host && cpu.keyOf[s] >= 0 && !host.recordings.some((r) => settings.recordings[r].cpus.length))
				host.cpus.push(cpuNumber(cpu.keys[cpu.keyOf[s]]));
		}
		all.forEach((host) => {
			host.cpus = Array.from(new Set(host.cpus)).filter((c) => c >= 0).sort((a, b) => a - b);
		});
		return all;
	}

	/* [[from, to], ...] that were not seen of a host's CPU (-1: of a host without known ones), by start. */
	function darkOf(settings, host, cpu) {
		const gaps = settings.gaps.filter((gap) => host.recordings.includes(gap[2]) && (gap[3] < 0 || cpu < 0 || gap[3] === cpu))
			.map((gap) => [gap[0], gap[1]]);
		const looked = host.recordings.map((r) => settings.recordings[r]).sort((a, b) => a.from - b.from);
		let until = -Infinity;

		for (const { from, to } of looked) {
			if (from > until)
				gaps.push([until, from]);
			until = Math.max(until, to);
		}
		gaps.push([until, Infinity]);
		return gaps.filter(([from, to]) => from < to).sort((a, b) => a[0] - b[0]);
	}

	/* What several stretches have counts once. */
	function joined(stretches) {
		const all = [];

		for (const [from, to] of stretches) {
			const last = all[all.length - 1];

			if (last && from <= last[1])
				last[1] = Math.max(last[1], to);
			else
				all.push([from, to]);
		}
		return all;
	}

	const ofColumns = (axes) => axes.y === 'offset' ? axes :
		Object.assign({}, axes, { y: 'offset', rows: 1, borders: Float64Array.of(0, axes.period) });

	function unseen(settings, axes, recording = -1, data = null) {
		const seen = hosts(settings, recording, data), on = ofColumns(axes), { rows } = on;
		const cells = new Float64Array(on.columns * rows), painting = painter(on, cells);
		const cpus = seen.reduce((sum, host) => sum + Math.max(1, host.cpus.length), 0);

		for (const host of seen) {
			for (const cpu of host.cpus.length ? host.cpus : [-1])
				joined(darkOf(settings, host, cpu)).forEach(([from, to]) => painting.add(from, to, 0, 1));
		}
		painting.finish();
		return Uint16Array.from({ length: axes.columns * axes.rows }, (unused, i) => {
			const row = rows > 1 ? i % rows : 0, part = cells[Math.floor(i / axes.rows) * rows + row];
			const whole = (on.borders[row + 1] - on.borders[row]) * axes.perColumn * cpus;

			return part ? Math.min(1000, Math.max(1, D.scaled(part, 1000, whole))) : 0;
		});
	}

	/* ---- percentiles ---- */

	function percentile(data, settings, axes, choice, percent) {
		const lines = new Float64Array(axes.columns).fill(NaN), take = taken(data, choice), { stack, value } = data;
		const columns = Object.assign({}, axes, { y: 'value' });

		eachCell(data, settings, columns, (column, i, end) => {
			const found = new Float64Array(end - i);
			let count = 0;

			for (; i < end; i++) {
				if (take[stack[i]] === 1)
					found[count++] = value ? value[i] : settings.same;
			}
			if (count)
				lines[column] = found.subarray(0, count).sort()[Math.max(0, Math.ceil(percent * count / 100) - 1)];
		});
		return lines;
	}

	return { axes, spanFor, make, byKeys, unseen, percentile, cellAt, columnNs, rowBorder, rowOf, firstEvent, taken };
})();
