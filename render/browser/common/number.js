/* number: counts, shares and lengths of time for human readers (core/amount.h, render/profile/number.h); the scripts of
 * all charts use this file.
 *
 * countText(n)                 -> "1,234,567"
 * durationText(ns)             -> "23.1 s", "144 ms", "981 ns"
 * valueText(unit, value)       -> "1,234 samples", "1 sample", "17.3 s"; unit: { unit, decimals,
 *                                 factor }.  Values of 1,000 ns or more are written as a length of time,
 *                                 values of 1,024 bytes or more as a size: "17.3 MiB"
 * exactText(unit, value)       -> the same without rounding: "23.1 s (23,090,858,348 ns)"
 * bareText(unit, value)        -> the same as valueText(), for places where the unit is known: "1,234", "17.3";
 *                                 a length of time keeps its unit, because that varies
 * quantityText(value, parts)    -> value / parts with three digits: "91.4", "1,234"
 * percentText(part, whole)     -> "12.3 %", "1.25 %", "50 %", "under 0.01 %" */
var pyrograph = pyrograph || {}; /* charts of several kinds in one page share it */

pyrograph.number = (function () {
	'use strict';

	const FACTOR_DECIMALS_MAX = 12, NS_LEAST = 1000;
	const TIMES = [[999500000, 1e9, 's'], [999500, 1e6, 'ms'], [NS_LEAST, 1e3, '\u00b5s']];
	const BYTES_LEAST = 1024, SIZES = ['EiB', 'PiB', 'TiB', 'GiB', 'MiB', 'KiB'].map((name, i) => {
		/* A size that rounds to 1024 KiB is written as 1 MiB. */
		const one = Math.pow(1024, 6 - i), below = one / 1024;

		return [one - (below > 1 ? below / 2 : 0), one, name];
	});

	function grouped(digits) {
		return digits.replace(/\B(?=(\d{3})+$)/g, ',');
	}

	/* Writes value * 10^-decimals, without zeros at the end of the fraction. */
	function decimalText(value, decimals) {
		const one = Math.pow(10, decimals);
		const rest = (value % one + one).toFixed(0).slice(1).replace(/0+$/, '');

		return grouped(Math.floor(value / one).toFixed(0)) + (rest ? '.' + rest : '');
	}

	/* whole / one with three digits, of which at most two are decimals. */
	function digitsText(whole, one) {
		let digits = 0, power = 1;

		for (; digits < 2 && Math.floor(whole * power / one) < 100; digits++)
			power *= 10;
		return decimalText(Math.floor((whole * power * 2 + one) / (one * 2)), digits);
	}

	/* Writes whole in the first unit that it reaches; units: [from, size of the unit, name]. */
	function scaledText(whole, units) {
		const [, one, name] = units.find(([from]) => whole >= from);

		return digitsText(whole, one) + ' ' + name;
	}

	function durationText(part) {
		const ns = Math.round(part);

		return ns < NS_LEAST ? ns + ' ns' : scaledText(ns, TIMES);
	}

	/* The value as a length of time or a size; '' if it is neither. */
	function largeText({ unit, decimals, factor }, value) {
		const one = value / Math.pow(10, decimals) * factor, whole = Math.floor(factor === 1 ? one : one + 0.5);

		if (unit === 'ns' && whole >= NS_LEAST)
			return durationText(whole);
		return unit === 'bytes' && whole >= BYTES_LEAST ? scaledText(whole, SIZES) : '';
	}

	/* A value scaled by a factor, with three digits. */
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

	const valueText = (unit, value) => largeText(unit, value) || plainText(unit, value);

	function exactText(unit, value) {
		const text = largeText(unit, value);

		return text ? text + ' (' + plainText(unit, value) + ')' : plainText(unit, value);
	}

	const bareText = (unit, value) => largeText(unit, value) || plainText(unit, value).split(' ', 1)[0];

	function percentText(part, whole) {
		const rounded = (parts) => whole ? Math.floor((part * parts * 2 + whole) / (whole * 2)) : 0;
		const tenths = rounded(1000), hundredths = rounded(10000);

		return (part > 0 && !hundredths ? 'under 0.01' : tenths === 1000 && part < whole ? 'over 99.9'
			: digitsText(hundredths < 1000 ? hundredths : tenths * 10, 100)) + ' %';
	}

	const countText = (n) => grouped(String(n));

	return { countText, durationText, valueText, exactText, bareText, percentText, quantityText: digitsText };
})();
