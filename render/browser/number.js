/* number: counts, shares and lengths of time as people read them (core/amount.h,
 * render/profile/number.h); what the scripts of all charts share.
 *
 * countText(n)                 -> "1,234,567"
 * durationText(ns)             -> "23.09 s", "144.2 ms", "981 ns"
 * valueText(unit, value)       -> "1,234 samples", "1 sample", "17.25 s"; unit: { unit, decimals,
 *                                 factor }; ns from 1,000 on are a length of time
 * exactText(unit, value)       -> the same without rounding: "23.09 s (23,090,858,348 ns)"
 * bareText(unit, value)        -> the same as valueText() where the unit is known: "1,234", "17.25";
 *                                 a length of time keeps its unit, which is not always the same
 * percentText(part, whole)     -> "12.34%"
 * shareText(part, whole)       -> the same, but what is not nothing is never "0.00%": "<0.01%" */
var pyrograph = pyrograph || {}; /* charts of several kinds in one page share it */

pyrograph.number = (function () {
	'use strict';

	const FACTOR_DECIMALS_MAX = 12, NS_LEAST = 1000;
	const TIMES = [[999950000, 1e9, 's'], [999950, 1e6, 'ms'], [NS_LEAST, 1e3, '\u00b5s']];

	function grouped(digits) {
		return digits.replace(/\B(?=(\d{3})+$)/g, ',');
	}

	/* value * 10^-decimals; no zeros at the end of the fraction */
	function decimalText(value, decimals) {
		const one = Math.pow(10, decimals);
		const rest = (value % one + one).toFixed(0).slice(1).replace(/0+$/, '');

		return grouped(Math.floor(value / one).toFixed(0)) + (rest ? '.' + rest : '');
	}

	function durationText(part) {
		const ns = Math.round(part), found = TIMES.find(([from]) => ns >= from);
		let digits = 0;

		if (!found)
			return ns + ' ns';
		while (digits < 3 && Math.floor(ns / (found[1] / Math.pow(10, digits))) < 1000)
			digits++;
		const step = found[1] / Math.pow(10, digits);

		return decimalText(Math.floor(ns / step) + (ns % step * 2 >= step ? 1 : 0), digits) + ' ' + found[2];
	}

	/* In whole ns where it is shown as a length of time, or -1. */
	function wholeNs({ unit, decimals, factor }, value) {
		const ns = value / Math.pow(10, decimals) * factor, whole = Math.floor(factor === 1 ? ns : ns + 0.5);

		return unit === 'ns' && whole >= NS_LEAST ? whole : -1;
	}

	/* Of what a factor makes, three digits. */
	function plainText({ unit, decimals, factor }, value) {
		if (factor !== 1) {
			value = value / Math.pow(10, decimals) * factor;
			for (decimals = 0; value < 100 && decimals < FACTOR_DECIMALS_MAX; decimals++)
				value *= 10;
			value = Math.floor(value + 0.5);
		}
		const text = decimalText(value, decimals);

		return text + ' ' + (text === '1' && unit === 'samples' ? 'sample' : unit);
	}

	function valueText(unit, value) {
		const ns = wholeNs(unit, value);

		return ns >= 0 ? durationText(ns) : plainText(unit, value);
	}

	function exactText(unit, value) {
		const text = valueText(unit, value);

		return wholeNs(unit, value) >= 0 ? text + ' (' + plainText(unit, value) + ')' : text;
	}

	const bareText = (unit, value) => wholeNs(unit, value) >= 0 ? valueText(unit, value) :
		plainText(unit, value).split(' ', 1)[0];

	function percentText(part, whole) {
		const hundredths = Math.floor((part * 20000 + whole) / (whole * 2));

		return !whole ? '0.00%' : part === whole ? '100%' :
			grouped(String(Math.floor(hundredths / 100))) + '.' + String(hundredths % 100).padStart(2, '0') + '%';
	}

	const shareText = (part, whole) => part > 0 && part * 20000 < whole ? '<0.01%' : percentText(part, whole);
	const countText = (n) => grouped(String(n));

	return { countText, durationText, valueText, exactText, bareText, percentText, shareText };
})();
