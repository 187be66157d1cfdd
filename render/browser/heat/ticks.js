/* heat_ticks: the labels at the axes of a heat map.  Pure.
 *
 * time(axes, clock, offset, widthPx, labelPx(text)) -> [{ ns, text }, ...]
 *     round times of the day in the zone, so far apart that labels have room;
 *     offset: ns to be added to ns from the origin to get the zone's time of the day (modulo a day)
 * rows(axes, settings, heightPx, leastPx) -> [{ at, text }, ...]; at: in rows, counted from the bottom
 * rowAt(axes, value) -> where an offset or a value is, in rows counted from the bottom
 * isOn(axes, value)  -> whether there is a row for value
 * span(ns)           -> "1 s", "20 ms", "5 min", "1 d"
 * cellText(settings, axes) -> "1 column = 1 s, 1 row = 20 ms, each wait at its start"
 * dash(percent)      -> how the line of a percentile is drawn: "solid", "dotted" or "dashed"
 * valueText(settings, axes, value) -> a value or an offset for human readers */
pyrograph.heat.ticks = (function () {
	'use strict';

	const N = pyrograph.number, SECOND = 1e9, MINUTE = 60 * SECOND, HOUR = 60 * MINUTE, DAY = 24 * HOUR;
	const LABEL_GAP_PX = 18;
	const UNITS = [[DAY, 'd'], [HOUR, 'h'], [MINUTE, 'min'], [SECOND, 's'], [1e6, 'ms'], [1e3, '\u00b5s'],
		[1, 'ns']];
	const STEPS = [];

	for (let n = 1; n < SECOND; n *= 10)
		STEPS.push(n, 2 * n, 5 * n);
	for (const n of [1, 2, 5, 10, 15, 30])
		STEPS.push(n * SECOND);
	for (const n of [1, 2, 5, 10, 15, 30])
		STEPS.push(n * MINUTE);
	for (const n of [1, 2, 3, 6, 12])
		STEPS.push(n * HOUR);
	for (const n of [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 5000])
		STEPS.push(n * DAY);

	const plain = (n) => String(Number(n.toPrecision(12)));

	/* Writes a length of time in the largest unit in which it is a whole number with few digits. */
	function span(ns) {
		const found = UNITS.find(([unit]) => ns >= unit && (ns / unit * 1000) % 1 === 0 &&
			(ns / unit) * unit === ns) || [1, 'ns'];
		const [unit, name] = ns >= MINUTE && ns % SECOND ? [SECOND, 's'] : found;

		return (ns / unit >= 1000 ? N.countText(ns / unit) : plain(ns / unit)) + ' ' + name;
	}

	/* The same; a length that is not a whole number of ms is rounded. */
	const lengthText = (ns) => ns % 1e6 ? N.durationText(ns) : span(ns);
	const digitsOf = (step) => step >= MINUTE ? -1 : step >= SECOND ? 0
		: Math.ceil(Math.log10(SECOND / step) - 1e-9);

	function time(axes, clock, offset, widthPx, labelPx) {
		const from = pyrograph.heat.grid.columnNs(axes, 0),
			to = pyrograph.heat.grid.columnNs(axes, axes.columns);
		const pxOf = (step) => step / (to - from) * widthPx;
		const textOf = (ns, step) => step >= DAY || (ns + offset) % DAY === 0 ? clock.date(ns)
			: clock.text(ns, digitsOf(step));
		const step = STEPS.find((s) => (to - from) / s < 1000 && pxOf(s) >= labelPx(textOf(from, s)) +
			LABEL_GAP_PX) || 0;
		const ticks = [];

		if (!step)
			return [];
		for (let ns = Math.ceil((from + offset) / step) * step - offset; ns <= to; ns += step)
			ticks.push({ ns: ns, text: textOf(ns, step) });
		return ticks;
	}

	/* ---- rows ---- */

	function rowAt(axes, value) {
		if (axes.y === 'offset')
			return value / axes.period * axes.rows;
		if (axes.y === 'utilization')
			return value / 10000 * axes.rows;
		if (axes.logarithmic)
			return Math.log(value / axes.low) / Math.log(axes.high / axes.low) * axes.rows;
		return (value - axes.low) / axes.step;
	}

	/* Is there a row for this value? */
	const isOn = (axes, value) => value === value && (axes.y !== 'value' ||
		(value >= axes.low && value <= axes.high));

	function valueText(settings, axes, value) {
		return axes.y === 'offset' ? offsetText(axes.period, value)
			: axes.y === 'utilization' ? plain(Math.round(value) / 100) + ' %'
				: N.valueText(pyrograph.heat.data.unit(settings), value);
	}

	/* The unit for offsets in a period. */
	function unitOf(period) {
		return period === SECOND ? UNITS[4] : period === MINUTE ? UNITS[3] : period === HOUR ? UNITS[2]
			: period === DAY ? UNITS[1] : UNITS.find(([unit]) => period > 2 * unit) || UNITS[6];
	}

	/* "2 h 5 min", "1 min 35 s" */
	function mixedText(ns) {
		const parts = [[Math.floor(ns / HOUR), 'h'], [Math.floor(ns % HOUR / MINUTE), 'min'],
			[Math.round(ns % MINUTE / 1e6) / 1000, 's']];

		return parts.filter(([n]) => n).map(([n, name]) => plain(n) + ' ' + name).join(' ') || '0 s';
	}

	function offsetText(period, ns) {
		const [unit, name] = unitOf(period);

		if (period === DAY && ns % MINUTE === 0) {
			return String(Math.floor(ns / HOUR)).padStart(2, '0') + ':' +
				String(Math.floor(ns % HOUR / MINUTE)).padStart(2, '0');
		}
		return unit >= MINUTE && ns % unit ? mixedText(ns) : plain(Math.round(ns / unit * 1000) / 1000) + ' ' +
			name;
	}

	/* The multiples, in low .. high, of the smallest step that is at least `least`. */
	function evenly(low, high, least, steps) {
		const step = steps.find((s) => s >= least) || high - low, ticks = [];

		for (let value = Math.ceil(low / step) * step; value <= high; value += step)
			ticks.push(value);
		return ticks;
	}

	const DECIMAL = Array.from({ length: 60 }, (_, i) => [1, 2, 5][i % 3] * Math.pow(10, Math.floor(i / 3)));

	function powers(low, high, apart) {
		const ticks = [];
		let last = 0;

		for (let ten = 1; ten <= high; ten *= 10) {
			for (const value of [ten, 2 * ten, 5 * ten]) {
				if (value < low || value > high || (last && apart(last, value) < 1) ||
					(value !== ten && apart(value, 10 * ten) < 1))
					continue;
				ticks.push(value);
				last = value;
			}
		}
		return ticks;
	}

	function rows(axes, settings, heightPx, leastPx) {
		const most = Math.max(1, Math.floor(heightPx / leastPx));
		let values;

		if (axes.y === 'offset') {
			values = evenly(0, axes.period, axes.period / most, STEPS);
		} else if (axes.y === 'utilization') {
			values = evenly(0, 10000, 10000 / most, [500, 1000, 2000, 2500, 5000, 10000]);
		} else if (axes.logarithmic) {
			values = powers(axes.low, axes.high, (a, b) =>
				(rowAt(axes, b) - rowAt(axes, a)) / axes.rows * most);
		} else {
			const high = axes.low + axes.step * axes.rows;

			values = evenly(axes.low, high, (high - axes.low) / most, settings.unit === 'ns' ? STEPS
				: DECIMAL);
		}
		return values.map((value) => ({ at: rowAt(axes, value), text: valueText(settings, axes, value) }));
	}

	function cellText(settings, axes) {
		const column = '1 column = ' + span(axes.period * axes.perColumn);
		const place = settings.spans && axes.weigh !== 'painted' && axes.y !== 'utilization'
			? ' \u00b7 each ' + settings.event.replace(/s$/, '') + ' at its start' : '';

		return (axes.y !== 'offset' ? column : column + (axes.perColumn > 1 ? ' (' +
			N.countText(axes.perColumn) + ' periods of ' +
			span(axes.period) + ')' : '') + ', 1 row = ' + lengthText(axes.period / axes.rows)) + place;
	}

	const dash = (percent) => percent <= 50 ? 'solid' : percent < 99 ? 'dotted' : 'dashed';

	return { time, rows, rowAt, isOn, span, dash, cellText, valueText };
})();
