/* headline: which lines of the heading tell what was found, as `--headline` gave it to C: C broke long lines.
 *
 * pyrograph.headline.mark(lines, text)  sets found in each such line: from 1, the line of the text that it is a part
 *     of; and isFact in the parts of the one that says who did it, the second of three or more, as
 *     collapse --explain=headline has them, else the first.  lines: [{ text }, ...], the title first.  Pure. */
pyrograph.headline = (function () {
	'use strict';

	const CUT = /(\u2026|\.\.)$/, BETWEEN = /^[ \u00b7]+/;

	function mark(lines, text) {
		const told = (text || '').split('\n').filter(Boolean), fact = told.length > 2 ? 2 : 1;
		let i = 1;

		told.forEach((whole, number) => {
			let rest = whole;

			for (; i < lines.length && rest; i++) {
				const part = lines[i].text, isCut = !rest.startsWith(part) && CUT.test(part);

				if (!part || !rest.startsWith(isCut ? part.replace(CUT, '') : part))
					return;
				lines[i].found = number + 1;
				lines[i].isFact = number + 1 === fact;
				rest = isCut ? '' : rest.slice(part.length).replace(BETWEEN, '');
			}
		});
	}

	return { mark };
})();
