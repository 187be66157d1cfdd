/* time_axis: what charts of rows over time have in common: a time axis above the rows, lines through them, and marks of
 * moments.
 *
 * pyrograph.ui.timeAxis(app) -> {
 *     px(n)                    a length as an attribute
 *     text(parent, x, y, words, attributes)   words in the middle of y
 *     step(long, bar)          -> [ns, digits]: the closest ticks of which labels fit in bar px for long ns
 *     xOf(place, part, ns)     the x of a moment; place: { nameX, gap, barX, bar, width } in px;
 *                              part: { from, to } in ns
 *     head(parent, place, part, high, below)  draws the axis, high px high, with app.clock; returns the path of the
 *                              lines below it, so many px long
 *     vertical(rect, from, to, high)          shows a strip of the rows from .. to in px; null: hides it
 *     at(place, part, x)       -> { x, ns, inBar }: the moment at x, at the nearest place of the bar
 *     follow(scroll, { place, measure, draw, paintIfNeeded })   draws anew when the rows' width changes */
pyrograph.ui.timeAxis = function (app) {
	'use strict';

	const D = pyrograph.ui.dom, C = pyrograph.clock, TICK_GAP = 24, LABEL_LEAST = 40;

	const px = (n) => String(Math.round(n * 100) / 100);

	function text(parent, x, y, words, attributes) {
		const e = D.svg('text', Object.assign({ x: px(x),
			y: px(y + app.settings.fontSize * 0.36) }, attributes), parent);

		e.textContent = words;
		return e;
	}

	function step(long, bar) {
		for (let count = Math.floor(bar / LABEL_LEAST) + 1; ; count--) {
			const ns = C.tickStep(long, count), digits = C.tickDigits(ns);
			const label = app.ruler.width('00:00:00.000000000'.slice(0, digits < 0 ? 5 : digits ? 9 + digits
				: 8));

			if (count === 1 || Math.min(ns, long) / long * bar >= label + TICK_GAP)
				return [ns, digits];
		}
	}

	const xOf = (place, { from, to }, ns) => place.barX + (ns - from) / (to - from) * place.bar;

	function head(parent, place, part, high, below) {
		const { from, to } = part, [by, digits] = step(to - from, place.bar);
		let d = '';

		text(parent, place.nameX, high / 2 - 2, app.ruler.fit(app.clock.axis(from),
			place.barX - place.nameX - place.gap, 1, 'right'), { 'class': 'quiet-text' });
		for (let ns = app.clock.firstTick(from, by); ns < to; ns += by) {
			const x = xOf(place, part, ns), label = app.clock.text(ns, digits);

			d += `M${px(x)} 0v${below}h.5v${-below}z`;
			if (x + 2 + app.ruler.width(label) > place.width)
				continue;
			D.svg('path', { 'class': 'tick', d: `M${px(x)} ${high - 4}v4` }, parent);
			text(parent, x + 2, high / 2 - 2, label, { 'class': 'quiet-text' });
		}
		return d;
	}

	function vertical(rect, from, to, high) {
		rect.setAttribute('visibility', from === null ? 'hidden' : 'visible');
		if (from === null)
			return;
		rect.setAttribute('x', px(from));
		rect.setAttribute('width', px(Math.max(1, to - from)));
		rect.setAttribute('y', 0);
		rect.setAttribute('height', Math.max(high, 1));
	}

	function at({ barX, bar }, { from, to }, x) {
		const share = Math.min(1, Math.max(0, (x - barX) / bar));

		return { x: barX + share * bar, ns: from + share * (to - from), inBar: x >= barX && x <= barX + bar };
	}

	function follow(scroll, { place, measure, draw, paintIfNeeded }) {
		scroll.addEventListener('scroll', paintIfNeeded);
		new ResizeObserver(() => {
			const before = place() && place().width;

			if (!place() || app.onPaper || !scroll.clientHeight)
				return;
			measure();
			if (place().width !== before)
				draw();
			else
				paintIfNeeded();
		}).observe(scroll);
	}

	return { px, text, step, xOf, head, vertical, at, follow };
};
