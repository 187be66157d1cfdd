/* foot: the line below a chart, the text about matches, and what screen readers hear.
 *
 * app.foot.show(text, isIdle)          shows text in the line below; isIdle: the pointer is at nothing
 * app.foot.showMatched(text, isWrong)  shows what a search found, or what is wrong with the search
 * app.foot.say(text)                   tells screen readers
 * app.page.foot                        the element that contains all three; foot.line, foot.matched: elements */
pyrograph.ui.foot = function (app) {
	'use strict';

	const D = pyrograph.ui.dom, { foot } = app.page;
	const line = foot.line = D.html('span', { 'class': 'details' });
	const matched = foot.matched = D.html('span', { 'class': 'matched', role: 'status' });
	const spoken = D.html('span', { 'class': 'offscreen', 'aria-live': 'polite' });

	let kept = '';

	/* Words for an idle pointer may take several lines, whose room the foot keeps, so that the chart does not move
	 * when others replace them. */
	function keepRoom(text) {
		const now = window.innerWidth + text;

		if (now === kept)
			return;
		foot.style.minHeight = '';
		if (!foot.offsetHeight) /* not shown yet */
			return;
		foot.style.minHeight = foot.offsetHeight + 'px';
		kept = now;
	}

	foot.append(line, spoken, matched);
	app.foot = {
		say: (text) => {
			spoken.textContent = text;
		},
		show: (text, isIdle) => {
			line.textContent = line.title = text;
			line.classList.toggle('idle', Boolean(isIdle));
			if (isIdle)
				keepRoom(text);
		},
		showMatched: (text, isWrong) => {
			matched.textContent = text;
			matched.classList.toggle('wrong', isWrong);
			matched.setAttribute('role', isWrong ? 'alert' : 'status');
		},
	};
};
