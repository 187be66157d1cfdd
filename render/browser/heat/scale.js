/* heat_scale: maps counts to colours by the rules of scale.h, as scale.c does.
 *
 * make(coloring, grids)        -> scale, over all grids of a picture together; coloring: "linear",
 *                                 "rank", "log"
 * of(scale, value)             -> from 0 (only for the value 0) to 1
 * ofHue(scale, value)          -> the n with which a hue is drawn for value
 * rgb(ramp, dark, scale, value) -> 0xrrggbb; ramp: one of settings.ramps
 * find(settings, name)         -> the ramp called name, or the first one
 * css(rgb)                     -> "#rrggbb"
 * found(dark)                  -> 0xrrggbb of cells that a search lights up
 * hue(i)                       -> 0 to 360: the hue with number i; plus 360 for each round of darker hues;
 *                                 GREY: for what has no hue
 * huesOf(keys)                 -> the numbers of the hues of keys (numbers in their dimension's list, in the order
 *                                 in which they were marked): the number of the key's own place, unless an
 *                                 earlier key has this hue; so a key keeps its hue
 * hueRgb(hue, n, dark)         -> the colour of a hue at n (0 to 1)
 * mix(hues, ns, dark)          -> the colour of a cell that has several hues */
pyrograph.heat.scale = (function () {
	'use strict';

	const FIRST_HUE = 21, NEXT_HUE = 91, GREY = -1;
	const HUES_ROUND = 4, VALUES = [0.95, 0.7, 0.5]; /* after four hues, nearly the same ones come again, but
							  * darker */
	/* A value above 0 is at least LEAST far on a ramp. */
	const STEPS = 9, COUNT_STEPS = 5, LEAST = 1 / 16, LEAST_HUE = 0.5;
	const NOTHING = 0xffffff, NOTHING_DARK = 0x17191d;

	/* ---- numbers 0 to 1 ---- */

	/* All counts that are not 0, smallest first. */
	function sorted(grids) {
		const count = grids.reduce((sum, grid) => sum + grid.cells.length, 0), all = new Float64Array(count);
		let used = 0;

		for (const { cells } of grids) {
			for (let i = 0; i < cells.length; i++) {
				if (cells[i])
					all[used++] = cells[i];
			}
		}
		return all.subarray(0, used).sort();
	}

	/* The rule of Cloud Analytics: when N counts are sorted from the largest, the count at place i gets (N - i) /
	 * N; equal counts get the value of the first of them.  In other words, this is the share of the counts that are
	 * not larger. */
	function ranks(grids) {
		const all = sorted(grids), found = new Map();

		for (let i = 0; i < all.length; i++) {
			if (i + 1 === all.length || all[i + 1] !== all[i])
				found.set(all[i], (i + 1) / all.length);
		}
		return { found, counts: Float64Array.from(found.keys()) };
	}

	function make(coloring, grids) {
		const largest = grids.reduce((most, grid) => Math.max(most, grid.largest), 0);

		return Object.assign({ coloring, largest }, coloring === 'rank' ? ranks(grids) : null);
	}

	/* A count that no cell has (that of one key among several) gets the rank that it would have. */
	function rankOf({ found, counts }, value) {
		if (found.has(value))
			return found.get(value);
		let low = 0, high = counts.length;

		while (low < high) {
			const middle = (low + high) >> 1;

			if (counts[middle] <= value)
				low = middle + 1;
			else
				high = middle;
		}
		return low ? found.get(counts[low - 1]) : counts.length ? found.get(counts[0]) : 1;
	}

	function of(scale, value) {
		if (!value)
			return 0;
		if (scale.coloring === 'rank')
			return rankOf(scale, value);
		if (scale.coloring === 'log')
			return Math.min(1, Math.log1p(value) / Math.log1p(Math.max(1, scale.largest)));
		return Math.min(1, value / Math.max(1, scale.largest));
	}

	/* Logarithmic colours begin with a shade in which a single count can be seen. */
	const seen = (scale, least, n) => n > 0 && scale.coloring === 'log' ? least + (1 - least) * n : n;
	const ofHue = (scale, value) => seen(scale, LEAST_HUE, of(scale, value));

	/* ---- ramps ---- */

	const parse = (text) => parseInt(text.slice(1), 16);
	const found = (dark) => dark ? 0x5cc8ff : 0x0050c8;
	const css = (rgb) => '#' + (rgb + 0x1000000).toString(16).slice(1);

	const packed = (channels) => channels.reduce((all, c) =>
		all << 8 | Math.max(0, Math.min(255, Math.floor(c + 0.5))), 0);

	function between(from, to, part) {
		return packed([16, 8, 0].map((shift) => {
			const a = from >> shift & 255, b = to >> shift & 255;

			return a + (b - a) * part;
		}));
	}

	/* The colour at n (0 to 1), of count colours at equal distances. */
	function at(steps, count, n) {
		const place = n * (count - 1), step = Math.floor(place);

		return step >= count - 1 ? steps[count - 1] : between(steps[step], steps[step + 1], place - step);
	}

	const parsed = new Map(); /* a ramp's colours: text -> numbers */

	function colours(ramp, dark) {
		const texts = ramp[dark ? 3 : 2];

		if (!parsed.has(texts))
			parsed.set(texts, texts.map(parse));
		return parsed.get(texts);
	}

	/* The enhanced colours of FlameScope: steps at 0, 1, 3, half of the largest count, and the largest. */
	function atCount(steps, largest, value) {
		const points = [0, 1, 3, largest / 2, largest];
		let before = 0;

		for (let i = 1; i < COUNT_STEPS; i++) {
			if (points[i] <= points[before]) /* the largest count is small */
				continue;
			if (value < points[i])
				return between(steps[before], steps[i],
					(value - points[before]) / (points[i] - points[before]));
			before = i;
		}
		return steps[before];
	}

	function rgb(ramp, dark, scale, value) {
		const steps = colours(ramp, dark), least = ramp[5] ? ramp[5][dark ? 1 : 0] : LEAST;
		const n = seen(scale, least, of(scale, value));

		if (ramp[4])
			return scale.coloring === 'linear' ? atCount(steps, scale.largest, value)
				: at(steps, COUNT_STEPS, n);
		return at(steps, STEPS, n > 0 ? Math.max(n, LEAST) : n);
	}

	const find = (settings, name) => settings.ramps.find((ramp) => ramp[0] === name) || settings.ramps[0];

	/* ---- hues ---- */

	const hue = (number) => (FIRST_HUE + NEXT_HUE * number) % 360 +
		360 * (Math.floor(number / HUES_ROUND) % VALUES.length);

	const HUES = HUES_ROUND * VALUES.length;

	function huesOf(keys) {
		const taken = new Set();

		return keys.map((key) => {
			let number = key % HUES;

			if (taken.has(number))
				number = Array.from({ length: HUES }, (unused, i) => i).find((i) => !taken.has(i));
			if (number === undefined)
				number = key;
			taken.add(number);
			return number;
		});
	}

	/* HSV to RGB, channels 0 to 255, by the usual formula. */
	function hsv(h, saturation, value) {
		const sixth = (h % 360 + 360) % 360 / 60, f = sixth - Math.floor(sixth);
		const p = value * (1 - saturation), q = value * (1 - saturation * f),
			t = value * (1 - saturation * (1 - f));
		const all = [[value, t, p], [q, value, p], [p, value, t], [p, q, value], [t, p, value], [value, p, q]];

		return all[Math.floor(sixth) % 6].map((c) => 255 * c);
	}

	function channels(h, n, dark) {
		const value = VALUES[Math.floor(Math.max(0, h) / 360) % VALUES.length];

		if (h < 0)
			return hsv(0, 0, dark ? 0.15 + 0.25 * n : 0.95 - 0.2 * n);
		return dark ? hsv(h, 0.85, 0.15 + (value - 0.15) * n) : hsv(h, 0.9 * n, 0.95 - (0.95 - value) * n);
	}

	const hueRgb = (h, n, dark) => mix([h], [n], dark);

	function mix(hues, ns, dark) {
		const sum = [0, 0, 0];
		let weight = 0;

		for (let i = 0; i < hues.length; i++) {
			channels(hues[i], ns[i], dark).forEach((c, k) => { sum[k] += c * ns[i]; });
			weight += ns[i];
		}
		return weight > 0 ? packed(sum.map((c) => c / weight)) : dark ? NOTHING_DARK : NOTHING;
	}

	return { make, of, ofHue, rgb, find, css, hue, huesOf, hueRgb, mix, found, GREY };
})();
