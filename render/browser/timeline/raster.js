/* timeline_raster: turns the spans of a row into marks in a part of the window, by the rules of raster.h.  Spans of a
 * pixel or more are drawn as they are.  For shorter spans, each pixel has the kind that took most of it; the mark is as
 * high as the share of the pixel that all spans took.  Marks of dull kinds are low.
 *
 * search(start, low, high, ns) -> the first of [low, high) that is at ns or later
 * between(data, row, from, to) -> [first, end): the row's spans in this part of the time
 * marks(data, row, view, emit)  view: { from, to, width, height } in ns and px; calls
 *     emit(kind, x, w, h, span) for each mark; span is -1 if the mark is of several spans
 * sums(data, row, from, to) -> { time, spans, moves, waiting, running, kinds: Map of kind -> time,
 *     by: Map of the thread that was waited for -> time };
 *     moves: changes of the kind from span to span, plus those in the column of migrations
 *
 * Marks and sums leave out spans of idle time. */
pyrograph.timeline.raster = (function () {
	'use strict';

	const LEAST_W = 0.2;

	/* The first span of [low, high) that begins at ns or later. */
	function search(start, low, high, ns) {
		while (low < high) {
			const middle = (low + high) >> 1;

			if (start[middle] < ns)
				low = middle + 1;
			else
				high = middle;
		}
		return low;
	}

	/* One step back finds a span that began earlier and reaches into this part.  In damaged data, whose
	 * spans overlap, an even earlier span could do so, too. */
	function between(data, row, from, to) {
		let first = search(data.start, data.first[row], data.first[row + 1], from);
		const end = search(data.start, first, data.first[row + 1], to);

		while (first > data.first[row] && data.start[first - 1] + data.time[first - 1] > from)
			first--;
		return [first, end];
	}

	/* Where the row's spans before this one end. */
	function reachedBy(data, row, first, from) {
		return first > data.first[row] ? data.start[first - 1] + data.time[first - 1] : from;
	}

	function marks(data, row, view, emit) {
		const { from, to, width, height } = view, perPx = (to - from) / width;
		const [first, end] = between(data, row, from, to), taken = new Map();
		const xOf = (ns) => (ns - from) / perPx;
		const heightOf = (kind, h) => data.isDull[kind] ? Math.min(h, Math.max(1, Math.floor(height / 3))) : h;
		const gaps = data.gaps[row];
		let column = -1, left = 0, longEnd = from, sum = 0, last = null;
		let reached = gaps ? reachedBy(data, row, first, gaps.from) : 0; /* where the spans so far end */

		function put(kind, x, w, h, span) {
			if (last && span < 0 && last.kind === kind && last.h === h && x <= last.x + last.w + 0.005) {
				last.w = x + w - last.x;
				return;
			}
			if (last)
				emit(last.kind, last.x, last.w, last.h, -1);
			last = null;
			if (span < 0)
				last = { kind, x, w, h };
			else
				emit(kind, x, w, h, span);
		}
		function finish(right) {
			let kind = -1, most = -1;

			if (column < 0)
				return;
			right = Math.max(left, Math.min(right, from + (column + 1) * perPx));
			for (const [k, ns] of taken) {
				if (ns > most || (ns === most && k < kind)) {
					kind = k;
					most = ns;
				}
			}
			const share = sum / (Math.max(right - left, sum) || 1);

			put(kind, xOf(left), Math.max(LEAST_W, (right - left) / perPx),
				heightOf(kind, Math.max(1, Math.round(height * share))), -1);
			column = -1;
			sum = 0;
			taken.clear();
		}
		function take(at, ns, kind) {
			const c = Math.min(width - 1, Math.max(0, Math.floor(xOf(at))));

			if (c !== column) {
				finish(Infinity);
				column = c;
				left = Math.min(at, Math.max(from + c * perPx, longEnd));
			}
			taken.set(kind, (taken.get(kind) || 0) + ns);
			sum += ns;
		}
		/* The time between spans, which consists of shorter ones. */
		function gap(low, high) {
			const a = Math.max(from, low), b = Math.min(to, high);

			if (!gaps || a >= b)
				return;
			const { kind, part } = gaps, next = from + (Math.floor(xOf(a)) + 1) * perPx;

			if (high - low >= perPx) {
				finish(a);
				put(kind, xOf(a), (b - a) / perPx,
					heightOf(kind, Math.max(1, Math.round(height * part))), -1);
				longEnd = Math.max(longEnd, b);
				return;
			}
			take(a, (Math.min(b, next) - a) * part, kind);
			if (b > next)
				take(next, (b - next) * part, kind);
		}
		for (let i = first; i < end; i++) {
			const a = Math.max(from, data.start[i]), b = Math.min(to, data.start[i] + data.time[i]);
			const kind = data.kindOf[data.stack[i]];

			if (data.isIdle[kind])
				continue;
			gap(reached, data.start[i]);
			reached = Math.max(reached, data.start[i] + data.time[i]);
			if (data.time[i] >= perPx) {
				finish(a);
				put(kind, xOf(a), (b - a) / perPx, heightOf(kind, height), i);
				longEnd = Math.max(longEnd, b);
				continue;
			}
			const next = from + (Math.floor(xOf(a)) + 1) * perPx;

			take(a, Math.min(b, next) - a, kind);
			if (b > next)
				take(next, b - next, kind);
		}
		if (gaps)
			gap(reached, Math.min(gaps.to, end < data.first[row + 1] ? data.start[end] : Infinity));
		finish(Infinity);
		if (last)
			emit(last.kind, last.x, last.w, last.h, -1);
	}

	function sums(data, row, from, to) {
		const [first, end] = between(data, row, from, to), kinds = new Map();
		let time = 0, spans = 0, moves = 0, waiting = 0, running = 0, before = -1;
		const by = new Map();

		for (let i = first; i < end; i++) {
			const kind = data.kindOf[data.stack[i]], who = data.by[data.stack[i]], more = data.more.get(i);
			const ns = Math.min(to, data.start[i] + data.time[i]) - Math.max(from, data.start[i]);

			if (data.isIdle[kind])
				continue;
			time += ns;
			waiting += data.isWaiting[kind] ? ns : 0;
			running += data.isRunning[kind] ? ns : 0;
			spans += more ? more.count : 1;
			moves += more && more.migrations || Number(before >= 0 && before !== kind);
			before = kind;
			kinds.set(kind, (kinds.get(kind) || 0) + ns);
			if (who && data.isWaiting[kind])
				by.set(who, (by.get(who) || 0) + ns);
		}
		return { time, spans, moves, waiting, running, kinds, by };
	}

	return { search, between, marks, sums };
})();
