/* contrast: how legible text on a colour is.
 *
 * parts(rgb)      -> [red, green, blue], 0 .. 255, of "#rrggbb"
 * mix(a, b, share) -> "#rrggbb" between the two colours
 * contrast(a, b)  -> 1 .. 21 (WCAG 2.1)
 * readable(rgb)   -> "#000000" or "#ffffff", whichever has more contrast with rgb */
pyrograph.contrast = (function () {
	'use strict';

	function parts(rgb) {
		const number = parseInt(rgb.slice(1), 16);

		return [number >> 16, number >> 8 & 255, number & 255];
	}

	function mix(a, b, share) {
		const [x, y] = [parts(a), parts(b)];

		return '#' + x.map((v, i) => Math.round(v + (y[i] - v) * share).toString(16)
			.padStart(2, '0')).join('');
	}

	function luminance(rgb) {
		const [r, g, b] = parts(rgb).map((v) => v <= 10 ? v / 3294.6 :
			Math.pow((v / 255 + 0.055) / 1.055, 2.4));

		return 0.2126 * r + 0.7152 * g + 0.0722 * b;
	}

	function contrast(a, b) {
		const [x, y] = [luminance(a), luminance(b)];

		return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
	}

	function readable(rgb) {
		return contrast(rgb, '#000000') >= contrast(rgb, '#ffffff') ? '#000000' : '#ffffff';
	}

	return { parts, mix, contrast, readable };
})();
