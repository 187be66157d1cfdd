/* headline: finds the lines of the heading that belong to the text of `--headline`, whose long lines C broke.
 *
 * pyrograph.headline.mark(lines, text)  sets found in each such line: the number, from 1, of the line of text that it
 *     is a part of.  Sets isFact in the parts of the line that matters: the second, as of collapse --explain=headline,
 *     if text has three lines or more or that line says that nothing stands out; else the first.  A part that C cut
 *     is whole again, since the page has room for it.
 *     lines: [{ text }, ...], the title first.  Changes nothing else. */
pyrograph.headline = (function () {
	'use strict';

	const CUT = /(\u2026|\.\.)$/, BETWEEN = /^[ \u00b7]+/;

	function mark(lines, text) {
		const told = (text || '').split('\n').filter(Boolean);
		const fact = told.length > 2 || /^Nothing stands out/.test(told[1]) ? 2 : 1;
		let i = 1;

		told.forEach((whole, number) => {
			let rest = whole;

			for (; i < lines.length && rest; i++) {
				const part = lines[i].text, isCut = !rest.startsWith(part) && CUT.test(part);

				if (!part || !rest.startsWith(isCut ? part.replace(CUT, '') : part))
					return;
				lines[i].text = isCut ? rest : part;
				lines[i].found = number + 1;
				lines[i].isFact = number + 1 === fact;
				rest = isCut ? '' : rest.slice(part.length).replace(BETWEEN, '');
			}
		});
	}

	return { mark };
})();
