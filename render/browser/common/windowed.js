/* windowed: a list or chart of rows in which only the rows in the window, and a margin, exist as elements.
 *
 * pyrograph.ui.windowed(app, scroll, { rowsIn(top, end), count(), draw(from, to), pitch(), margin, scrolled() }) ->
 *     { paint(), paintIfNeeded(), page(pages), scrollTo(top), reveal(top, more) }
 *     scroll    the element that scrolls; its owner calls paintIfNeeded() when it has scrolled
 *     rowsIn    -> [first, last + 1]: the rows between two heights in px; draw makes elements of rows
 *     pitch     -> px from row to row; margin: a number of rows
 *     scrolled  called after this file has scrolled the element; may be missing
 *     reveal    scrolls so that the row at top, and more px beyond it, can be seen */
pyrograph.ui.windowed = function (app, scroll, how) {
	'use strict';

	const { rowsIn, count, draw, pitch, margin, scrolled = () => {} } = how;
	let drawn = null;

	function rows(more) {
		const top = scroll.scrollTop, px = more * pitch();

		return app.allRows ? [0, count()] : rowsIn(top - px, top + scroll.clientHeight + px);
	}
	function paint() {
		drawn = rows(margin);
		draw(...drawn);
	}
	function paintIfNeeded() {
		const [from, to] = drawn ? rows(0) : [0, 0];

		if (drawn && (from < drawn[0] || to > drawn[1]))
			paint();
	}
	function scrollTo(top) {
		scroll.scrollTop = Math.max(0, Math.min(top, scroll.scrollHeight));
		scrolled();
		paintIfNeeded();
	}
	/* Scrolls by a windowful of rows, up (-1) or down (1), or to an end (-Infinity, Infinity). */
	function page(step) {
		const rest = Math.max(scroll.clientHeight - 2 * pitch(), pitch());

		scrollTo(isFinite(step) ? scroll.scrollTop + step * rest : step < 0 ? 0 : scroll.scrollHeight);
	}
	function reveal(top, more = 0) {
		if (top < scroll.scrollTop)
			scrollTo(top - more);
		else if (top + pitch() > scroll.scrollTop + scroll.clientHeight)
			scrollTo(top + pitch() + more - scroll.clientHeight);
	}
	return { paint, paintIfNeeded, page, reveal, scrollTo };
};
