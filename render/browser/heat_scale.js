/* heat_scale: from counts to colours, as scale.h says and scale.c does.
 *
 * make(coloring, grids)        -> scale, over all grids of a picture together; coloring: "linear",
 *                                 "rank", "log"
 * of(scale, value)             -> 0 (only for 0) to 1
 * rgb(ramp, dark, scale, value) -> 0xrrggbb; ramp: one of settings.ramps
 * find(settings, name)         -> the ramp called name, or the first one
 * css(rgb)                     -> "#rrggbb"
 * hue(i)                       -> 0 to 360, of the map with that number
 * hueRgb(hue, n, dark)         -> the colour of hue at n (0 to 1)
 * mix(hues, ns, dark)          -> several in one cell */
pyrograph.heat.scale = (function () {
	'use strict';

	const FIRST_HUE = 21, NEXT_HUE = 91, VALUE = 0.95, SATURATION = 0.9, LAST = 8;

	/* ---- numbers 0 to 1 ---- */

	/* All that are not 0, rising. */
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

	/* As Cloud Analytics: sorted falling, the one at place i of N has (N - i) / N, equal ones that
	 * of the first of them: from below, the share of those that are not larger. */
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

	/* A count that no cell has, of a legend: the next smaller one's rank. */
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
		return low ? found.get(counts[low - 1]) : 0;
	}

	function of(scale, value) {
		if (!value)
			return 0;
		if (scale.coloring === 'rank')
			return rankOf(scale, value);
		if (scale.coloring === 'log')
			return Math.min(1, Math.log(1 + value) / Math.log(1 + Math.max(1, scale.largest)));
		return Math.min(1, value / Math.max(1, scale.largest));
	}

	/* ---- ramps ---- */

	const parse = (text) => parseInt(text.slice(1), 16);
	const css = (rgb) => '#' + (rgb + 0x1000000).toString(16).slice(1);

	function between(from, to, part) {
		let mixed = 0;

		for (let shift = 16; shift >= 0; shift -= 8) {
			const a = from >> shift & 255, b = to >> shift & 255;

			mixed |= Math.floor(a + (b - a) * part + 0.5) << shift;
		}
		return mixed;
	}

	const parsed = new Map(); /* a ramp's colours as text -> as numbers */

	function colours(ramp, dark) {
		const texts = ramp[dark ? 3 : 2];

		if (!parsed.has(texts))
			parsed.set(texts, texts.map(parse));
		return parsed.get(texts);
	}

	/* FlameScope's: its steps are counts. */
	function byCounts(steps, largest, value) {
		const at = [0, 1, 3, largest / 2, largest];
		let i = 0;

		while (i < 3 && value > at[i + 1])
			i++;
		return between(steps[i], steps[i + 1], at[i + 1] > at[i] ? Math.min(1, (value - at[i]) / (at[i + 1] - at[i])) : 1);
	}

	function rgb(ramp, dark, scale, value) {
		const steps = colours(ramp, dark);

		if (!value)
			return steps[0];
		if (ramp[4])
			return byCounts(steps, scale.largest, value);
		const at = of(scale, value) * LAST, i = Math.min(Math.floor(at), LAST - 1);

		return between(steps[i], steps[i + 1], at - i);
	}

	const find = (settings, name) => settings.ramps.find((ramp) => ramp[0] === name) || settings.ramps[0];

	/* ---- hues ---- */

	const hue = (number) => (FIRST_HUE + NEXT_HUE * number) % 360;

	/* HSV as channels 0 to 1. */
	function hsv(h, s, v) {
		return [5, 3, 1].map((n) => {
			const k = (n + h / 60) % 6;

			return v - v * s * Math.max(0, Math.min(k, 4 - k, 1));
		});
	}

	const packed = (channels) => channels.reduce((all, c) => all << 8 | Math.floor(c * 255 + 0.5), 0);

	const channels = (h, n) => n > 0 ? hsv(h, SATURATION * Math.min(1, n), VALUE) : [1, 1, 1];

	function hueRgb(h, n, dark) {
		return mix([h], [n], dark);
	}

	function mix(hues, ns, dark) {
		const sum = ns.reduce((all, n) => all + n, 0), mixed = [0, 0, 0];

		for (let i = 0; i < hues.length; i++)
			channels(hues[i], ns[i]).forEach((c, k) => { mixed[k] += c * (sum ? ns[i] / sum : 1 / hues.length); });
		return packed(dark ? mixed : mixed);
	}

	return { make, of, rgb, find, css, hue, hueRgb, mix };
})();
