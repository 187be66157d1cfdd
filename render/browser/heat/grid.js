/* heat_grid: events counted in cells, by the rules of grid.h, as grid.c does it; results are exact.  Needs
 * data.js, axes.js and seen.js.
 *
 * axes(settings, want)         -> axes: { y, weigh, period, perColumn, columns, rows, start, end, column
 *                                 (ns of a column), low, high, step, logarithmic, borders: of the rows, with
 *                                 the upper end; least, most: like start and end, but of the whole recording }.
 *                                 want: from, to (ns; extended to whole columns), period, perColumn, rows,
 *                                 y, weigh, low, high, step, logarithmic, zone (ns to be added to UTC);
 *                                 missing members are taken from settings
 * spanFor(settings, from, to, width) -> { period, rows, perColumn }: the finest period of 1 s, 1 min, 5 min,
 *                                 1 h, 1 d for which columns are at least 3 px wide; width: px for all columns.
 *                                 The whole window keeps the drawn period; so does any window, if the drawn
 *                                 period is not one of these
 * finer(settings, from, to)    -> the same with a period shorter than that of settings, if few of the latter
 *                                 would be seen; else null
 * finest(settings)             -> the shortest of all of these periods, in ns
 * rowsFor(settings, period)    -> how many rows a period has by default
 * make(data, settings, axes, choice) -> grid { axes, cells: Float64Array [column * rows + row],
 *                                 idle: the same of idle stacks, total, idleTotal, largest (weigh "longest": the
 *                                 totals are the largest, too),
 *                                 below, above (y "value": what is outside low .. high) }
 *     choice: { stacks: null or Uint8Array by stack; recording: -1, or the number of a recording
 *             of a host (all recordings of this host count); cpu: -1, or the CPU to which these stacks belong
 *             (y "utilization": other CPUs do not count); idle: true: idle events count like the
 *             others }; choice and each of its members may be null
 * totalOf(axes, totals)        -> the total of grids with these totals
 * partOf(settings, dimension, key) -> { stacks, recording, cpu }: the choice of the map for this key
 * byKeys(data, settings, axes, choice, keyOf, count) -> [grid, ...] for the keys 0 .. count - 1
 *                                 (keyOf: by stack), in one pass; idle of these grids is 0
 * byCpus(data, settings, axes, choice, dimension, keys) -> [grid, ...] with y "utilization": for each of these
 *                                 keys (numbers) of "host" or "cpu", its CPUs
 * unseen(settings, axes, recording, data, cpu) -> Uint16Array by cell: what was not seen, in 1/1000, of
 *                                 recording's host (-1: all hosts) and of cpu (-1: all CPUs); data: tells
 *                                 the CPUs if headers do not
 * percentile(data, settings, axes, choice, percent) -> Float64Array by column, NaN: the column has no events
 * cellAt(axes, ns, value)      -> { column, row }, or null; value: with y "value"; or in 1/10000 of a CPU
 * columnNs(axes, column), rowBorder(axes, row)  as in grid.h, in ns from settings.origin
 * A.rowOf(axes, value)           -> with y "value": the row of value, -1: outside
 * D.firstEvent(data, tick)       -> number of the first event at this tick or later
 * D.taken(data, choice)          -> Uint8Array by stack: 0: not chosen, 1: counts, 2: chosen, but idle */
pyrograph.heat.grid = (function () {
	'use strict';

	const D = pyrograph.heat.data, A = pyrograph.heat.axes, S = pyrograph.heat.seen;

	/* ---- counting ---- */

	function emptyGrid(axes, idle) {
		return { axes, cells: new Float64Array(axes.columns * axes.rows),
			idle: idle || new Float64Array(axes.columns * axes.rows),
			total: 0, idleTotal: 0, largest: 0, below: 0, above: 0 };
	}

	/* Adds each event to its cell, as 1 or with its value; toOf: by stack, the number of an array in cells. */
	function fillOffsets(data, settings, axes, toOf, cells) {
		const { stack, value } = data, weigh = axes.weigh === 'events' ? null : value;
		const isLongest = axes.weigh === 'longest';

		A.eachCell(data, settings, axes, (cell, i, end) => {
			for (; i < end; i++) {
				const to = toOf[stack[i]];

				if (to >= 0 && isLongest)
					cells[to][cell] = Math.max(cells[to][cell], value ? value[i] : settings.same);
				else if (to >= 0)
					cells[to][cell] += weigh ? weigh[i] : 1;
			}
		});
	}

	function fillValues(data, settings, axes, toOf, grids, cells) {
		const { stack, value } = data, { rows } = axes, weigh = axes.weigh === 'events' ? null : value;
		const add = axes.weigh === 'longest' ? (of, at, unused, v) => { of[at] = Math.max(of[at], v); }
			: (of, at, weight) => { of[at] += weight; };

		A.eachCell(data, settings, axes, (column, i, end) => {
			for (; i < end; i++) {
				const to = toOf[stack[i]];

				if (to < 0)
					continue;
				const v = value ? value[i] : settings.same, row = A.rowOf(axes, v), weight = weigh
					? weigh[i] : 1;

				if (row >= 0)
					add(cells[to], column * rows + row, weight, v);
				else if (to % 2 === 0) /* not a grid of idle stacks */
					add(grids[to / 2], v < axes.low ? 'below' : 'above', weight, v);
			}
		});
	}

	function paint(data, settings, axes, toOf, grids, cells) {
		const painters = cells.map((of) => A.painter(axes, of)), { stack, value, tick } = data;
		const last = D.firstEvent(data, D.tickAt(settings, axes.end));
		const inside = (start, end) => Math.max(0, Math.min(end, axes.end) - Math.max(start, axes.start));

		for (let i = D.firstEvent(data, D.tickAt(settings,
			axes.start - D.longest(data, settings))); i < last; i++) {
			const to = toOf[stack[i]], start = D.nsOf(settings, tick[i]), end = start +
				D.spanNs(data, settings, i);

			if (to < 0)
				continue;
			const v = value ? value[i] : settings.same, row = axes.y === 'value' ? A.rowOf(axes, v) : 0;

			if (row >= 0)
				painters[to].add(start, end, row, 1);
			else if (to % 2 === 0)
				grids[to / 2][v < axes.low ? 'below' : 'above'] += inside(start, end);
		}
		painters.forEach((p) => p.finish());
	}

	/* ---- whole grids ---- */

	/* The total of several grids: their sum or, if they have longest times, the longest. */
	const totalOf = ({ weigh, y }, totals) => weigh === 'longest' && y !== 'utilization'
		? totals.reduce((most, n) => Math.max(most, n), 0) : totals.reduce((sum, n) => sum + n, 0);

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
		if (grid.axes.weigh === 'longest' && grid.axes.y !== 'utilization') {
			grid.total = grid.largest;
			grid.idleTotal = idle.reduce((most, n) => Math.max(most, n), 0);
		}
		grid.below *= times;
		grid.above *= times;
	}

	/* A cell counts CPUs; each grid counts the CPUs of its own stacks. */
	function fillUse(data, settings, axes, toOf, grids, choice) {
		grids.forEach((grid, g) => {
			const stacks = Uint8Array.from(toOf, (to) => to === 2 * g ? 1 : 0);
			const use = S.use(data, settings, axes, Object.assign({}, choice, { stacks, idle: true }));

			use.rows(axes.rows).forEach((row, i) => {
				if (row >= 0)
					grid.cells[Math.floor(i / use.count) * axes.rows + row]++;
			});
		});
	}

	/* Fills the grids.  toOf: by stack, 2 * number of its grid, plus 1 if it counts as idle there; -1: in none. */
	function fill(data, settings, axes, toOf, grids, choice) {
		const cells = grids.flatMap((grid) => [grid.cells, grid.idle]);
		const isPainted = axes.weigh === 'painted' && settings.spans, isCount = isPainted ||
			axes.weigh === 'events' || axes.weigh === 'longest' || axes.y === 'utilization';

		if (axes.y === 'utilization')
			fillUse(data, settings, axes, toOf, grids, choice);
		else if (isPainted)
			paint(data, settings, axes, toOf, grids, cells);
		else if (axes.y === 'value')
			fillValues(data, settings, axes, toOf, grids, cells);
		else
			fillOffsets(data, settings, axes, toOf, cells);
		grids.forEach((grid) => addUp(grid, isCount || data.value ? 1 : settings.same));
		return grids;
	}

	function make(data, settings, axes, choice) {
		return fill(data, settings, axes, Int32Array.from(D.taken(data, choice), (take) => take - 1),
			[emptyGrid(axes)], choice)[0];
	}

	function byKeys(data, settings, axes, choice, keyOf, count) {
		const take = D.taken(data, choice), none = new Float64Array(axes.columns * axes.rows);
		const toOf = Int32Array.from(keyOf, (key, s) => take[s] === 1 && key >= 0 && key < count ? 2 * key
			: -1);

		return fill(data, settings, axes, toOf, Array.from({ length: count }, () => emptyGrid(axes, none)),
			choice);
	}

	/* Grids with y "utilization": for each key of "host" or "cpu", its CPUs. */
	function byCpus(data, settings, axes, choice, dimension, keys) {
		const { stacks = null, recording = -1, cpu = -1 } = choice || {}, hostOf = (r) =>
			settings.recordings[r].host;

		return keys.map((key) => {
			const own = S.partOf(settings, dimension, key);

			if ((own.recording < 0 && own.cpu < 0) || (cpu >= 0 && own.cpu >= 0 && cpu !== own.cpu) ||
				(recording >= 0 && own.recording >= 0 && hostOf(recording) !== hostOf(own.recording)))
				return emptyGrid(axes);
			return make(data, settings, axes, Object.assign({}, choice,
				{ stacks: stacks, recording: own.recording < 0 ? recording : own.recording,
					cpu: own.cpu < 0 ? cpu : own.cpu }));
		});
	}

	/* ---- percentiles ---- */

	/* The percentile by the nearest rank; sorts values. */
	function nearest(values, percent) {
		const rank = Math.ceil(percent * values.length / 100 - 1e-9);

		return values.length ? values.sort()[Math.max(0, Math.min(rank, values.length) - 1)] : NaN;
	}

	function percentileOfUse(data, settings, axes, choice, percent) {
		const use = S.use(data, settings, axes, choice), shares = use.rows(A.USE_WHOLE + 1);

		return Float64Array.from({ length: axes.columns }, (unused, column) =>
			nearest(shares.subarray(column * use.count, (column + 1) * use.count).filter((share) =>
				share >= 0), percent));
	}

	function percentile(data, settings, axes, choice, percent) {
		if (axes.y === 'utilization')
			return percentileOfUse(data, settings, axes, choice, percent);
		const lines = new Float64Array(axes.columns).fill(NaN), take = D.taken(data, choice),
			{ stack, value } = data;

		A.eachCell(data, settings, Object.assign({}, axes, { y: 'value' }), (column, i, end) => {
			const found = new Float64Array(end - i);
			let count = 0;

			for (; i < end; i++) {
				if (take[stack[i]] === 1)
					found[count++] = value ? value[i] : settings.same;
			}
			lines[column] = nearest(found.subarray(0, count), percent);
		});
		return lines;
	}

	return {
		make, byKeys, byCpus, totalOf, percentile, unseen: S.unseen, partOf: S.partOf, axes: A.make,
		spanFor: A.spanFor,
		rowsFor: A.rowsFor, finer: A.finer, finest: A.finest, cellAt: A.cellAt, columnNs: A.columnNs,
		rowBorder: A.rowBorder, rowOf: A.rowOf, firstEvent: D.firstEvent, taken: D.taken,
	};
})();
