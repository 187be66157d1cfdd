/* clock: writes times, and chooses the ticks of a time axis.  Pure.
 *
 * make(settings) -> { text, zone, axis, date, firstTick, epoch, fromEpoch }; settings: { start: ns since the epoch as
 *     text, relative }; all ns are counted from that start
 *     text(ns, digits)       "10:15:02.014"; digits: after the decimal point, -1: no seconds
 *     firstTick(ns, step)    the first multiple of step since the epoch that is not before ns
 *     epoch(ns), fromEpoch(digits)   ns since the epoch, as text, and back
 * tickStep(window, count), tickDigits(step): see time_axis.h */
pyrograph.clock = (function () {
	'use strict';

	const NS_PER_SEC = 1e9;

	function make(settings) {
		const start = settings.relative ? 0n : BigInt(settings.start);

		function text(ns, digits) {
			const all = start + BigInt(Math.round(ns)),
				iso = new Date(Number(all / 1000000n)).toISOString();

			if (digits < 0)
				return iso.slice(11, 16);
			return iso.slice(11, 19) + (digits ? '.' +
				String(all % 1000000000n).padStart(9, '0').slice(0, digits) : '');
		}
		const date = (ns) => new Date(Number((start +
			BigInt(Math.round(ns))) / 1000000n)).toISOString().slice(0, 10);

		return {
			text,
			/* the word after a time, and the word at the axis */
			zone: settings.relative ? ' after the start' : ' UTC',
			axis: (ns) => settings.relative ? 'from the start on' : date(ns) + ' UTC',
			date, firstTick: (ns, step) => {
				const at = start + BigInt(Math.round(ns)), by = BigInt(step);

				return Number((at + by - 1n) / by * by - start);
			},
			epoch: (ns) => String(start + BigInt(Math.round(ns))),
			fromEpoch: (digits) => Number(BigInt(digits) - start),
		};
	}

	const LONGER = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400];

	function tickStep(window, count) {
		const wanted = window / count;
		let step = 1;

		for (; step < NS_PER_SEC && step < wanted; step *= 10) {
			if (step * 2 >= wanted)
				return step * 2;
			if (step * 5 >= wanted)
				return step * 5;
		}
		if (step < NS_PER_SEC)
			return step;
		const seconds = LONGER.find((s) => s * NS_PER_SEC >= wanted) ||
			Math.ceil(wanted / NS_PER_SEC / 86400) * 86400;

		return seconds * NS_PER_SEC;
	}

	function tickDigits(step) {
		let digits = 9;

		if (step >= 60 * NS_PER_SEC)
			return -1;
		for (; digits && step % 10 === 0; step /= 10)
			digits--;
		return digits;
	}

	return { make, tickStep, tickDigits };
})();
