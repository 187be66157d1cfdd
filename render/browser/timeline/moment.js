/* timeline_moment: which part of the time shows what happened at a moment.  Pure.
 *
 * around(settings, data, at) -> [from, to], in ns from the window's start, as is at: the stall of that moment with the
 *     most waiting, or else the longest wait that began then, with some time around it; or else a tenth of a second.  A
 *     moment may have been cut to milliseconds. */
pyrograph.timeline.moment = (function () {
	'use strict';

	const CUT = 1e6, AROUND = 0.5, LEAST = 10e6, UNKNOWN = 50e6;

	/* The stall at that moment, as [start, length], or undefined. */
	function stallAt(settings, at) {
		return (settings.stalls || []).filter(([start, length]) => start < at + CUT && start + length > at)
			.sort((a, b) => b[6] - a[6])[0];
	}

	/* The longest span that began then, except time in which a thread ran, or had nothing to do. */
	function waitAt(data, at) {
		let best = -1;

		for (let i = 0; i < data.start.length; i++) {
			const kind = data.kindOf[data.stack[i]], from = data.start[i];

			if (from >= at && from < at + CUT && !data.isDull[kind] && !data.isIdle[kind] &&
				!data.isRunning[kind] && (best < 0 || data.time[i] > data.time[best]))
				best = i;
		}
		return best < 0 ? null : [data.start[best], data.time[best]];
	}

	function around(settings, data, at) {
		const found = stallAt(settings, at) || waitAt(data, at);

		if (!found)
			return [at - UNKNOWN, at + UNKNOWN];
		const [start, length] = found, margin = Math.max(LEAST, length * AROUND);

		return [start - margin, start + length + margin];
	}

	return { around };
})();
