/* heat_select: selections, which are parts of a heat map, and their contents.  Needs data.js and grid.js.
 *
 * A selection is null (everything) or one of these; all ends are excluded:
 *   { kind: "time", from, to }         ns from settings.origin
 *   { kind: "rows", from, to, low, high, period }  of each period that begins in from .. to, only
 *                                 low .. high: ns from the period's start.  With y "value": of the whole
 *                                 time from .. to, only the values low .. high
 *   { kind: "cpu", from, to, low, high, period }   y "utilization": in each column (period is its
 *                                 length), the CPUs whose utilization is in low .. high, in 1/10000
 * If there are several maps, also map: the number of the selection's map
 *
 * ranges(settings, axes, selection) -> [[first tick, tick after the last], ...], in order and without overlaps;
 *                                 a filter by value or CPU may leave out some of their events
 * filter(data, settings, axes, selection, choice) -> null: all events of ranges are selected; else a function of
 *                                 (event, its value) that says whether the event is selected
 * sums(data, settings, axes, selection, choice) -> Float64Array by stack: the selected values of
 *                                 the chosen stacks (grid.js); of painted spans, the ns inside
 * longest(data, settings, axes, selection, choice) -> Float64Array by stack: the largest of these values
 * counts(data, settings, axes, selection, choice) -> Float64Array by stack: how many events begin
 *                                 in the selection; of idle stacks as well
 * events(data, settings, axes, selection, choice) -> how many events; idle ones only if choice.idle
 * ofCells(axes, a, b, shape)   -> the selection between two cells { column, row }; shape "time": everything
 *                                 from the earlier to the later cell; "rows": the rectangle
 * shift(selection, axes, columns, rows) -> the selection moved; unchanged if it would leave the map
 * extend(selection, axes, columns, rows) -> the selection with its moving end moved, even past the other end
 * inSelection(axes, selection, column, row) -> whether any of the cell's time and values is selected
 * encode(selection), decode(text) -> the form in links; null is "" */
pyrograph.heat.select = (function () {
	'use strict';

	const D = pyrograph.heat.data, A = pyrograph.heat.axes, G = pyrograph.heat.grid;
	const KINDS = { t: 'time', r: 'rows', c: 'cpu' };

	const isRepeated = (axes, selection) => selection.kind === 'rows' && axes.y === 'offset';

	/* The length of the selected time before ns. */
	function before(axes, selection, ns) {
		const { from, to, low, high, period } = selection, at = Math.max(from, Math.min(to, ns)) - from;

		if (!isRepeated(axes, selection))
			return at;
		const whole = Math.floor(at / period);

		return whole * (high - low) + Math.max(0, Math.min(at - whole * period, high) - low);
	}

	const within = (axes, selection, from, to) => before(axes, selection, to) - before(axes, selection, from);

	/* ---- events ---- */

	function everything(data) {
		return data.count ? [[data.tick[0], data.tick[data.count - 1] + 1]] : [];
	}

	function ranges(settings, axes, selection) {
		const all = [], { from, to, low, high, period } = selection || {};

		function add(begin, end) {
			const first = D.tickAt(settings, begin), behind = D.tickAt(settings, end),
				last = all[all.length - 1];

			if (last && first <= last[1])
				last[1] = Math.max(last[1], behind);
			else if (first < behind)
				all.push([first, behind]);
		}
		if (!selection)
			add(axes.least, axes.most);
		else if (!isRepeated(axes, selection))
			add(from, to);
		else
			for (let at = from; at < to; at += period)
				add(Math.min(at + low, to), Math.min(at + high, to));
		return all;
	}

	/* Which events of ranges are selected: null: all; or a function of (event, its value). */
	function filterOf(data, settings, axes, selection, choice) {
		if (!selection || selection.kind === 'time')
			return null;
		if (selection.kind === 'rows' && axes.y === 'value')
			return (i, value) => value >= selection.low && value < selection.high;
		return selection.kind === 'cpu' ? cpuFilter(data, settings, axes, selection, choice) : null;
	}

	/* Events of CPUs whose utilization in their column was in the selected range. */
	function cpuFilter(data, settings, axes, selection, choice) {
		const { low, high, from, to, period } = selection, row = (value) =>
			axes.borders.findIndex((border) => border >= value);
		const on = G.axes(settings, Object.assign({}, axes, { from, to, period, perColumn: 1 }));
		const use = pyrograph.heat.seen.use(data, settings, on, choice), rows = use.rows(axes.rows),
			first = row(low), end = row(high);

		return (i) => {
			const column = Math.floor((D.nsOf(settings, data.tick[i]) - on.start) / period),
				cpu = use.cpuOf[data.stack[i]];
			const at = cpu < 0 ? -1 : rows[column * use.count + cpu];

			return at >= first && at < end;
		};
	}

	/* Calls add(stack, i, value) for each event that begins in the selection. */
	function each(data, settings, axes, selection, choice, add) {
		const filter = filterOf(data, settings, axes, selection, choice), { stack, value } = data;

		for (const [first, behind] of selection ? ranges(settings, axes, selection) : everything(data)) {
			const end = D.firstEvent(data, behind);

			for (let i = D.firstEvent(data, first); i < end; i++) {
				const v = value ? value[i] : settings.same;

				if (!filter || filter(i, v))
					add(stack[i], v);
			}
		}
	}

	/* The sums of a selection without a filter; faster, because no function is called for each event. */
	function addUp(data, settings, axes, selection, weigh) {
		const { stack } = data, sums = new Float64Array(data.stacks);

		for (const [first, behind] of ranges(settings, axes, selection)) {
			const begin = D.firstEvent(data, first), end = D.firstEvent(data, behind);

			if (weigh) {
				for (let i = begin; i < end; i++)
					sums[stack[i]] += weigh[i];
			} else {
				for (let i = begin; i < end; i++)
					sums[stack[i]]++;
			}
		}
		return sums;
	}

	/* Sums of painted spans: the selected part of each span, even if the span began before the selection. */
	function paintedSums(data, settings, axes, selection) {
		const sums = new Float64Array(data.stacks), { stack, tick } = data;
		const filter = filterOf(data, settings, axes, selection, null),
			end = D.firstEvent(data, D.tickAt(settings, selection.to));
		let i = D.firstEvent(data, D.tickAt(settings, selection.from - D.longest(data, settings)));

		for (; i < end; i++) {
			const ns = D.nsOf(settings, tick[i]);

			if (!filter || filter(i, data.value ? data.value[i] : settings.same))
				sums[stack[i]] += within(axes, selection, ns, ns + D.spanNs(data, settings, i));
		}
		return sums;
	}

	function chosen(data, choice, sums, keepIdle) {
		const take = D.taken(data, choice);

		return sums.map((sum, s) => take[s] === 1 || (keepIdle && take[s]) ? sum : 0);
	}

	function filtered(data, settings, axes, selection, choice, byValue) {
		const sums = new Float64Array(data.stacks);

		each(data, settings, axes, selection, choice, (stack, value) => {
			sums[stack] += byValue ? value
				: 1;
		});
		return sums;
	}

	/* By stack: the largest of the selected values. */
	function longest(data, settings, axes, selection, choice) {
		const most = new Float64Array(data.stacks);

		each(data, settings, axes, selection, choice, (stack, value) => {
			most[stack] = Math.max(most[stack], value);
		});
		return chosen(data, choice, most, false);
	}

	function sums(data, settings, axes, selection, choice) {
		if (!selection)
			return chosen(data, choice, data.valueOf, false);
		if (axes.weigh === 'painted' && settings.spans)
			return chosen(data, choice, paintedSums(data, settings, axes, selection), false);
		if (filterOf(data, settings, axes, selection, choice))
			return chosen(data, choice, filtered(data, settings, axes, selection, choice, true), false);
		const found = addUp(data, settings, axes, selection, data.value);

		return chosen(data, choice, data.value ? found : found.map((n) => n * settings.same), false);
	}

	function counts(data, settings, axes, selection, choice) {
		if (!selection)
			return chosen(data, choice, data.eventsOf, true);
		if (filterOf(data, settings, axes, selection, choice))
			return chosen(data, choice, filtered(data, settings, axes, selection, choice, false), true);
		return chosen(data, choice, addUp(data, settings, axes, selection, null), true);
	}

	function events(data, settings, axes, selection, choice) {
		return chosen(data, choice, counts(data, settings, axes, selection, choice), false).reduce((sum, n) =>
			sum + n, 0);
	}

	/* ---- cells ---- */

	/* The lower end of a row, as low and high of a selection have it.  The largest value is in the last row
	 * that has values; rows above that row have none, so they begin after this value. */
	function lowest(axes, row) {
		return axes.y === 'value' && row > A.rowOf(axes, axes.high) ? axes.high + 1 : axes.borders[row];
	}

	const behind = (axes, row) => lowest(axes, row + 1);

	function rectangle(axes, a, b) {
		const low = lowest(axes, Math.min(a.row, b.row)), high = behind(axes, Math.max(a.row, b.row));
		const from = G.columnNs(axes, Math.min(a.column, b.column)),
			to = G.columnNs(axes, Math.max(a.column, b.column) + 1);

		return { kind: axes.y === 'utilization' ? 'cpu' : 'rows', from, to, low, high,
			period: axes.y === 'offset' ? axes.period : axes.column };
	}

	function ofCells(axes, a, b, shape) {
		const isOffset = axes.y === 'offset', isOne = a.column === b.column &&
			(isOffset ? axes.perColumn > 1 : a.row === b.row);
		const [first, last] = a.column < b.column || (a.column === b.column && a.row <= b.row) ? [a, b]
			: [b, a];

		if (shape === 'rows' || isOne)
			return rectangle(axes, a, b);
		const from = G.columnNs(axes, first.column), to = G.columnNs(axes, last.column + 1);

		return isOffset ? { kind: 'time', from: from + axes.borders[first.row], to: to - axes.period +
			behind(axes, last.row) } : { kind: 'time', from, to };
	}

	/* With offsets, a column may have several periods.  They are alike except at the ends of the selection, so only
	 * a few of them have to be checked. */
	function inSelection(axes, selection, column, row) {
		const begin = G.columnNs(axes, column), low = lowest(axes, row), high = behind(axes, row);

		if (!selection || selection.from >= begin + axes.column || selection.to <= begin)
			return false;
		if (axes.y !== 'offset')
			return selection.kind === 'time' || (selection.low < high && selection.high > low);
		const isAlike = isRepeated(axes, selection) && selection.period === axes.period;
		const first = Math.max(0, Math.floor((selection.from - begin) / axes.period));
		const last = Math.min(axes.perColumn - 1, Math.floor((selection.to - 1 - begin) / axes.period), isAlike
			? first + 1 : Infinity);

		for (let k = first; k <= last; k++) {
			if (within(axes, selection, begin + k * axes.period + low, begin + k * axes.period + high) > 0)
				return true;
		}
		return false;
	}

	/* ---- arrows ---- */

	/* The number of a row's border, counted from axes.least on through all periods. */
	function borderAt(axes, ns) {
		const period = Math.floor((ns - axes.least) / axes.period),
			offset = ns - axes.least - period * axes.period;

		return period * axes.rows + D.scaled(offset, axes.rows, axes.period);
	}

	function nsOfBorder(axes, border) {
		const period = Math.floor(border / axes.rows);

		return axes.least + period * axes.period + axes.borders[border - period * axes.rows];
	}

	const isTimeOfCells = (axes, selection) => selection.kind === 'time' && axes.y === 'offset';

	/* A selection as two ranges of whole numbers: x within 0 .. most, and y within 0 .. rows (null: all
	 * rows). */
	function stretches(axes, selection) {
		const { from, to, low, high } = selection, row = (value) => axes.borders.findIndex((border, i) =>
			lowest(axes, i) >= value || i === axes.rows);
		const columns = (axes.most - axes.least) / axes.column;

		if (isTimeOfCells(axes, selection))
			return { x: [borderAt(axes, from), Math.max(borderAt(axes, to), borderAt(axes, from) + 1)],
				most: columns * axes.perColumn * axes.rows, y: null };
		const first = Math.floor((from - axes.least) / axes.column);

		return { x: [first, Math.max(first + 1, Math.ceil((to - axes.least) / axes.column))], most: columns,
			y: selection.kind === 'time' ? null : [row(low), Math.max(row(high), row(low) + 1)] };
	}

	function ofStretches(axes, selection, x, y, more) {
		const made = Object.assign({}, selection, more);

		if (isTimeOfCells(axes, selection))
			return Object.assign(made, { from: nsOfBorder(axes, x[0]), to: nsOfBorder(axes, x[1]) });
		Object.assign(made, { from: axes.least + x[0] * axes.column, to: axes.least + x[1] * axes.column });
		if (y)
			Object.assign(made, { low: lowest(axes, y[0]), high: behind(axes, y[1] - 1),
				period: axes.y === 'offset' ? axes.period : axes.column });
		return made;
	}

	/* The distance in x of a step of columns and rows. */
	const stepOf = (axes, selection, columns, rows) => isTimeOfCells(axes, selection) ?
		columns * axes.perColumn * axes.rows + rows : columns;

	function shift(selection, axes, columns, rows) {
		if (!selection)
			return null;
		const { x, y, most } = stretches(axes, selection), step = stepOf(axes, selection, columns, rows);
		const movedX = x.map((n) => n + step), movedY = y && y.map((n) => n + rows);
		const isInside = movedX[0] >= 0 && movedX[1] <= most &&
			(!y || (movedY[0] >= 0 && movedY[1] <= axes.rows));

		return isInside ? ofStretches(axes, selection, movedX, movedY) : selection;
	}

	/* Moves one end of a range within 0 .. most; the range keeps a length of at least 1. */
	function stretched([from, to], isBack, by, most) {
		const fixed = isBack ? to - 1 : from, moving = Math.max(0,
			Math.min(most - 1, (isBack ? from : to - 1) + by));

		return { at: [Math.min(fixed, moving), Math.max(fixed, moving) + 1], isBack: moving < fixed };
	}

	function extend(selection, axes, columns, rows) {
		if (!selection)
			return null;
		const { x, y, most } = stretches(axes, selection), step = stepOf(axes, selection, columns, rows);
		const madeX = stretched(x, selection.backX, step, most), madeY = y &&
			stretched(y, selection.backY, rows, axes.rows);

		return ofStretches(axes, selection, madeX.at, madeY && madeY.at,
			{ backX: madeX.isBack, backY: Boolean(madeY && madeY.isBack) });
	}

	/* ---- links ---- */

	function encode(selection) {
		if (!selection)
			return '';
		const { kind, from, to, low, high, period, map } = selection;

		return [kind[0], from, to].concat(kind === 'time' ? [] : [low, high, period]).join(':') +
			(map === undefined ? '' : '@' + map);
	}

	function decode(text) {
		const [, what, map] = /^(.*?)(?:@(\d{1,3}))?$/.exec(String(text || '')) || ['', ''];
		const [letter, ...rest] = what.split(':'), kind = KINDS[letter], all = rest.map(Number);
		const [from, to, low, high, period] = all, ofMap = map === undefined ? {} : { map: Number(map) };
		const isRight = kind && rest.every((n) => /^-?\d{1,16}$/.test(n)) && from < to;

		if (isRight && kind === 'time' && all.length === 2)
			return { kind, from, to, ...ofMap };
		return isRight && all.length === 5 && low >= 0 && low < high && period > 0 &&
			(to - from) / period < 1e6 ? { kind, from, to, low, high, period, ...ofMap } : null;
	}

	return { ranges, filter: filterOf, sums, longest, counts, events, ofCells, shift, extend, inSelection, encode,
		decode };
})();
