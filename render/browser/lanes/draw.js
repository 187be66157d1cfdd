/* lanes_draw: draws a lane as shapes in a row, and describes its values in a few words, for charts of lanes and for
 * lanes below a heat map.  lanes_strip.c draws the same.
 *
 * A box is where a lane is drawn: { from, to: ns; x, bar, top, high: px }; a column is 1 px wide.
 *
 * marks(parent, settings, lanes, number, box)      draws the lane with its limit and what it dropped
 * noteOf(settings, lanes, number, from, to) -> "0 to 207.5 KiB, limit 208 KiB" of that time; "" if nothing is known */
pyrograph.lanes.draw = (function () {
	'use strict';

	const D = pyrograph.ui.dom, L = pyrograph.lanes.data, INSET = 3, LINE = 1.25, EVENT_H = 6, ALARM = '#d0362a';
	const px = (n) => String(Math.round(n * 100) / 100);

	/* The distance of a value from the top of a row. */
	function yOf({ from, to }, high, value) {
		const part = Math.min(1, Math.max(0, (value - from) / (to - from)));

		return INSET + (1 - part) * (high - 2 * INSET);
	}

	/* [fill, line]: the paths of a lane, on the scale of another lane. */
	function paths(settings, lane, scale, { from: begin, to: end, x: left, bar, top, high: rowHigh }) {
		const { least, most } = L.columns(settings, lane, begin, end, bar), bottom = top + rowHigh - INSET;
		let fill = '', line = '';

		for (let from = 0, to; from < bar; from = to) {
			const low = least[from], high = most[from];

			for (to = from + 1; to < bar && Object.is(most[to], high) && Object.is(least[to], low);)
				to++;
			if (Number.isNaN(low))
				continue;
			const x = px(left + from), wide = to - from, y = top + yOf(scale, rowHigh, high);

			if (y < bottom)
				fill += `M${x} ${px(y)}h${wide}V${px(bottom)}h${-wide}z`;
			line += `M${x} ${px(y - LINE / 2)}h${wide}` +
				`v${px(top + yOf(scale, rowHigh, low) - y + LINE)}h${-wide}z`;
		}
		return [fill, line];
	}

	/* Marks where something was dropped. */
	function events(settings, lane, { from, to, x, bar, top }) {
		const { most } = L.columns(settings, lane, from, to, bar);
		let d = '';

		most.forEach((value, i) => {
			if (value > 0)
				d += `M${px(x + i - 0.5)} ${px(top + INSET)}h2v${EVENT_H}h-2z`;
		});
		return d;
	}

	function marks(parent, settings, lanes, number, box) {
		const lane = lanes[number], [fill, line] = paths(settings, lane, lane, box);

		D.svg('path', { 'class': 'lane-fill', d: fill, fill: lane.rgb, 'fill-opacity': 0.35 }, parent);
		D.svg('path', { 'class': 'lane-line', d: line, fill: lane.rgb }, parent);
		if (lane.limit >= 0)
			D.svg('path', { 'class': 'limit', d: paths(settings, lanes[lane.limit], lane, box)[1],
				fill: ALARM }, parent);
		if (lane.drops >= 0)
			D.svg('path', { 'class': 'event', d: events(settings, lanes[lane.drops], box), fill: ALARM },
				parent);
	}

	/* An earlier value counts if it still holds. */
	function noteOf(settings, lanes, number, from, to) {
		const lane = lanes[number], held = L.at(settings, lane, from), limit = lanes[lane.limit];
		const some = lane.value.subarray(held < 0 ? L.after(lane, from) : held, L.after(lane, to - 1));

		if (!some.length)
			return '';
		const least = some.reduce((a, b) => Math.min(a, b)), most = some.reduce((a, b) => Math.max(a, b));
		const range = least === most ? L.valueText(lane, most)
			: (least ? L.valueText(lane, least) : '0') + ' to ' + L.valueText(lane, most);

		const limited = limit && limit.value.length ? ', limit ' + L.valueText(limit, limit.value.at(-1)) : '';

		return range + limited + (lane.from ? ', axis from ' + L.valueText(lane, lane.from) : '');
	}

	return { marks, noteOf, INSET };
})();
