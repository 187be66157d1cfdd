/* heat_legend: the meaning of colours: counts for each step of the scale, hues of keys, what was not
 * seen, percentile lines.  app.legend: [[colour, text], ...] for a saved picture; the colour
 * "hatch" stands for cells that were not seen. */
pyrograph.heat.legend = function (app) {
	'use strict';

	const D = pyrograph.ui.dom, N = pyrograph.number, H = pyrograph.heat, { settings, page } = app;
	const STEPS = 8, KEYS_TOLD = 12, unit = pyrograph.heat.data.unit(settings);
	const hex = (rgb) => '#' + rgb.toString(16).padStart(6, '0');
	let made = { grids: null };

	/* ---- steps of the scale ---- */

	/* The least whole number in 1 .. most whose place on the scale is at least share; most + 1 if there is none. */
	function leastOf(scale, share, most) {
		let low = 1, high = most + 1;

		while (low < high) {
			const middle = Math.floor((low + high) / 2);

			if (H.scale.of(scale, middle) >= share)
				high = middle;
			else
				low = middle + 1;
		}
		return low;
	}

	/* Divides the values 1 .. largest into ranges [[first, last], ...] of about the same colour. */
	function ranges(scale, largest) {
		const out = [];
		let from = 1;

		if (largest <= STEPS)
			return Array.from({ length: largest }, (unused, i) => [i + 1, i + 1]);
		for (let k = 1; k <= STEPS && from <= largest; k++) {
			const to = k === STEPS ? largest : leastOf(scale, k / STEPS + 1e-9, largest) - 1;

			if (to >= from) {
				out.push([from, to]);
				from = to + 1;
			}
		}
		return out;
	}

	/* How many cells have a value in each range. */
	function cellsOf(maps, all) {
		const counts = all.map(() => 0);

		for (const { grid } of maps) {
			for (const value of grid.cells) {
				if (!value)
					continue;
				let low = 0, high = all.length - 1;

				while (low < high) {
					const middle = low + high >> 1;

					if (value > all[middle][1])
						low = middle + 1;
					else
						high = middle;
				}
				counts[low]++;
			}
		}
		return counts;
	}

	const amount = (axes, value) => axes.y === 'utilization' ? N.countText(value) : axes.weigh === 'painted'
		? N.durationText(value) :
		axes.weigh === 'values' || axes.weigh === 'longest' ? N.bareText(unit, value) : N.countText(value);

	/* "3", "4-9"; only the upper end for lengths of time and the like, which need much room. */
	const rangeText = (axes, [from, to]) => axes.y !== 'utilization' && axes.weigh !== 'events' ? '\u2264 ' +
		amount(axes, to) : from === to ? amount(axes, from) : amount(axes, from) + '\u2013' + amount(axes, to);

	/* Describes the counts of cells: "samples in a cell of 1 s \u00d7 20 ms". */
	function cellText(axes) {
		const column = H.period.text(Number(axes.period) * axes.perColumn), what = axes.y === 'utilization'
			? 'CPUs' : axes.weigh === 'painted' ? 'time' : axes.weigh === 'longest' ? 'the longest'
				: axes.weigh !== 'values' ? settings.event
					: unit.unit === 'ns' ? 'sums of times' : unit.unit || 'sums of values';
		const colours = app.choices.colorings.find(([name]) => name === app.choices.coloring())[3];

		return what + ' in a cell' + (axes.y !== 'offset' ? ' of ' + column : ' of ' + column +
			' \u00d7 ' + N.durationText(Number(axes.period) / axes.rows)) +
			(colours && ' \u00b7 ' + colours);
	}

	/* "1.7 s of CPU time, 2.83%", or "" */
	app.unseenText = (sight) => sight.seen >= sight.wanted ? '' : N.durationText(sight.wanted - sight.seen) +
		(sight.cpus > 1 ? ' of CPU time, ' : ', ') + N.percentText(sight.wanted - sight.seen, sight.wanted);

	/* ---- entries: [colour, text, tip] ---- */

	function ofScale({ axes, maps, scale }) {
		const largest = maps.reduce((most, { grid }) => Math.max(most, grid.largest), 0),
			all = ranges(scale, Math.round(largest));
		const counts = cellsOf(maps, all), colour = (value) =>
			hex(H.scale.rgb(app.ramp(), app.isDark(), scale, value));

		const cellsText = (n) => N.countText(n) + (n === 1 ? ' cell' : ' cells');
		const empty = maps.reduce((sum, { grid }) => sum +
			grid.cells.reduce((some, n) => some + (n ? 0 : 1), 0), 0);

		return [[colour(0), '0', cellsText(empty)], ...all.map((range, i) =>
			[colour(range[1]), rangeText(axes, range), cellsText(counts[i])])];
	}

	function ofKeys(hues, { axes, maps }) {
		const sum = (gridOf) => H.grid.totalOf(axes, maps.map((map) => gridOf(map).total)),
			more = hues.keys.length - KEYS_TOLD;
		const items = hues.keys.slice(0, KEYS_TOLD).map((key, i) =>
			[app.keyColour(i), app.keyName(hues.dimension.keys[key]),
				app.amountText(sum((map) => map.ofKey[i]), axes)]);

		if (more > 0)
			items.push([null, 'and ' + more + ' more']);
		if (maps[0].rest && sum((map) => map.rest))
			items.push([app.restColour(), 'all others', app.amountText(sum((map) => map.rest), axes)]);
		return items;
	}

	/* How many events are in the cells that the search or a frame lights up. */
	function ofLit({ axes, maps }) {
		const lit = H.grid.totalOf(axes, maps.map((map) => map.lit ? map.lit.total : 0)),
			all = H.grid.totalOf(axes, maps.map((map) => map.grid.total));

		return [[H.scale.css(H.scale.found(app.isDark())), 'found: ' + amount(axes, lit),
			axes.weigh === 'longest' ? '' : N.percentText(lit, all)],
		[app.isDark() ? '#4a4e54' : '#b8bcc2', 'others']];
	}

	const DOUBTS_TOLD = 3;
	const doubtText = ([host, ns]) => host + (ns < 0 ? ' unsynchronized' : ' \u00b1' + N.durationText(ns));
	const doubtsText = (doubts) => doubts.slice(0, DOUBTS_TOLD).map(doubtText).join(', ') +
		(doubts.length > DOUBTS_TOLD ? ' and ' + N.countText(doubts.length - DOUBTS_TOLD) + ' more' : '');

	function itemsOf(grids) {
		const hues = app.hues(), isHued = hues && hues.keys.length && !hues.exclude,
			unseen = app.unseenText(app.seen(app.spans(null))), items = [];

		if (grids.maps[0].lit)
			items.push(...ofLit(grids));
		else if (isHued)
			items.push(...ofKeys(hues, grids));
		else
			items.push(...ofScale(grids));
		if (unseen)
			items.push(['hatch', 'not seen', unseen, 'note']);
		else if (grids.maps.some((map) => map.unseen.some((n) => n))) /* parts of the first and last column */
			items.push(['hatch', 'not seen', 'before the start, after the end', 'note']);
		const doubts = app.clockDoubts(grids.axes);

		if (doubts.length)
			items.push(['hatch', 'clock off by more than a ' + (grids.axes.y === 'offset' ? 'row'
				: 'column'), doubtsText(doubts), 'note']);
		for (const { percent } of grids.maps[0].lines || [])
			items.push(['line line-' + H.ticks.dash(percent), 'p' + percent, percent +
				'% of the events in a column are on or below this line', 'note']);
		return items;
	}

	function element([colour, text, tip, kind], i, joined) {
		const isPlain = colour && colour[0] === '#', dot = colour &&
			D.html('span', { 'class': isPlain ? 'dot' : 'dot ' + colour });

		if (isPlain)
			dot.style.background = colour;
		return D.html('span', { 'class': joined && kind !== 'note' ? 'legend-item step' : 'legend-item',
			title: tip || null }, dot,
		D.html('span', { 'class': 'legend-text' }, text), kind === 'note' && colour === 'hatch'
			? D.html('span', { 'class': 'share' }, tip) : null);
	}

	app.onchange(() => {
		const grids = app.grids(), key = JSON.stringify([app.view.by, app.view.keys, app.view.mode,
			app.view.ramp, app.isDark(), app.view.idle]);

		if (made.grids === grids && made.key === key)
			return;
		const items = itemsOf(grids), hues = app.hues(),
			isHued = Boolean(grids.maps[0].lit || hues && hues.keys.length && !hues.exclude);
		const largest = grids.maps.reduce((most, { grid }) => Math.max(most, grid.largest), 0),
			said = cellText(grids.axes);

		made = { grids: grids, key: key };
		app.legend = items.map(([colour, text, tip]) => [colour, colour === 'hatch' ? text + ' ' + tip : text]);
		app.legendTitle = isHued ? 'at most ' + amount(grids.axes, largest) + ' ' + said : said;
		page.legend.hidden = false;
		page.legend.setAttribute('role', 'group');
		page.legend.setAttribute('aria-label', 'Legend');
		page.legend.replaceChildren(...items.map((item, i) => element(item, i, !isHued)),
			D.html('span', { 'class': 'quiet' }, largest ? app.legendTitle : 'no ' + settings.event +
				' here'));
	});
};
