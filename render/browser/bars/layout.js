/* bars_layout: the places and sizes of what a chart of bars shows.  Pure.
 *
 * scale(model, rows, how)  -> { whole(row), top, percent }.  whole(row): the value that a bar as wide as
 *     the chart would have in this row; top: that value when it is the same for all rows, else 1;
 *     percent: whether the axis shows shares.  how: { scale: "window", "widest" or "row", column }.
 *     A row of several threads may have more than the window: then its own total is the whole, of which its
 *     segments are shares.  The same holds for rows that have more than model.full
 * ticks(top, most)         -> [value, ...], round numbers from 0 up to top; not many more than most
 * bar(segments, column, whole, width) -> [{ segment, x, w }]
 * runs(boxes, colour)      -> [{ x, w, colour, box }]: neighbouring boxes of the same colour that are
 *     narrower than a pixel become one run, whose box is null */
pyrograph.bars.layout = (function () {
	'use strict';

	const NARROW = 1, BINARY = 1024;

	function scale(model, rows, how) {
		const widest = rows.reduce((most, row) => Math.max(most, model.rows[row].values[how.column]), 0) || 1;

		if (how.scale === 'row')
			return { whole: (row) => model.rows[row].values[how.column] || 1, top: 1, percent: true };
		if (how.scale === 'window' && model.full && how.column === model.measure)
			return { whole: (row) => Math.max(model.full, model.rows[row].values[how.column]),
				top: model.full, percent: false };
		if (how.scale === 'widest' || how.column !== model.measure || !model.window)
			return { whole: () => widest, top: widest, percent: false };
		const single = rows.reduce((most, row) => model.rows[row].members > 1 ? most
			: Math.max(most, model.rows[row].values[how.column]), model.window);

		return { whole: (row) => Math.max(single, model.rows[row].values[how.column]), top: single,
			percent: false };
	}

	/* Steps are 1, 2 or 5 times a power of ten. */
	function ticks(top, most) {
		const least = top / Math.max(most, 1), ten = Math.pow(10, Math.floor(Math.log10(least)));
		let step = [1, 2, 5, 10].map((n) => n * ten).find((n) => n >= least * (1 - 1 / BINARY)) || top;
		const out = [];

		if (step > top) /* 0 must not be the only tick */
			step = [5, 2, 1].map((n) => n * ten).find((n) => n <= top) || top;
		for (let k = 0; k * step <= top * (1 + 1e-9) && out.length <= most + 1; k++)
			out.push(k * step);
		return out;
	}

	function bar(segments, column, whole, width) {
		let x = 0;

		return segments.map((segment) => {
			const w = segment.values[column] / whole * width, at = x;

			x += w;
			return { segment: segment, x: at, w: w };
		});
	}

	function runs(boxes, colour) {
		const out = [];

		for (const box of boxes) {
			const last = out[out.length - 1], fill = colour(box);

			if (last && box.w < NARROW && last.w < NARROW * 8 && !last.wide && last.colour === fill) {
				last.w += box.w;
				last.box = null;
			} else {
				out.push({ x: box.x, w: box.w, colour: fill, box: box, wide: box.w >= NARROW });
			}
		}
		return out;
	}

	return { scale, ticks, bar, runs };
})();
