/* heat_period: reads and writes the length of a period.  Pure.
 *
 * parse("1.013s") -> ns, or null; units: ns, us, ms, s (or none), min, h, d; from 1 us to a year
 * text(1013000000) -> "1.013 s", which parse() takes */
pyrograph.heat.period = (function () {
	'use strict';

	const UNITS = { ns: 1, us: 1e3, '\u00b5s': 1e3, '\u03bcs': 1e3, ms: 1e6, s: 1e9, sec: 1e9, m: 60e9, min: 60e9,
		h: 3600e9, d: 86400e9 };
	const MOST = 366 * 86400e9, SHOWN = [['d', 86400e9], ['h', 3600e9], ['min', 60e9], ['s', 1e9], ['ms', 1e6],
		['\u00b5s', 1e3], ['ns', 1]];

	/* The decimal point is moved in the text, without multiplying, so that 1.013 s is exactly 1013000000 ns. */
	function parse(text) {
		const found = /^\s*(\d{1,9})?(?:[.,](\d{1,9}))?\s*([a-z\u00b5\u03bc]*)\s*$/i.exec(text);
		const unit = found && (UNITS[found[3]] || UNITS[found[3].toLowerCase()] || (found[3] ? 0 : 1e9));

		if (!unit || (!found[1] && !found[2]))
			return null;
		const rest = found[2] || '', ns = Math.round((Number(found[1] || 0) * unit) +
			Number(rest) * unit / Math.pow(10, rest.length));

		return ns >= 1000 && ns <= MOST ? ns : null;
	}

	function text(ns) {
		const whole = SHOWN.find(([, one]) => one >= 60e9 && ns >= one && ns % one === 0);
		const [name, one] = whole || SHOWN.find(([, unit]) => unit <= 1e9 && ns >= unit) || ['ns', 1];
		const rest = (ns % one / one).toFixed(9).slice(2).replace(/0+$/, '');

		return Math.floor(ns / one) + (rest ? '.' + rest : '') + ' ' + name;
	}

	return { parse, text };
})();
