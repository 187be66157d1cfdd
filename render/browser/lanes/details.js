/* lanes_details: the words about a moment: about all lanes that are shown in the box beside the pointer, and about the
 * lane under the pointer in the line below the chart and for screen readers. */
pyrograph.ui.lanesDetails = function (app) {
	'use strict';

	const D = pyrograph.ui.dom, L = pyrograph.lanes.data;
	const { lanes, settings, clock, tip, foot, now } = app, MOST = 24;
	const notes = Array.from(app.svg.querySelectorAll('#details text'), (e) => e.textContent).join(' ');

	/* The value of a lane at a moment; for a lane of events, their number since the last value. */
	function textAt(number, ns) {
		const i = L.at(settings, lanes[number], ns);

		return i < 0 ? lanes[number].isEvent ? '\u2013' : 'not known' : L.valueText(lanes[number],
			lanes[number].value[i]);
	}

	const momentText = (ns) => clock.text(ns, 3) + clock.zone;

	/* The text about a lane at a moment, for copying and for the line below. */
	const wordsOf = (lane, ns) => `${lanes[lane].shown}: ${textAt(lane, ns)} at ${momentText(ns)}`;

	function dot(colour) {
		const e = D.html('span', { 'class': 'dot' });

		e.style.background = colour;
		return e;
	}

	/* All lanes that are shown, the one under the pointer with bold words. */
	function fill(at) {
		const around = Math.max(0, Math.min(now.rows.indexOf(at.lane) - MOST / 2, now.rows.length - MOST));
		const told = now.rows.slice(around, around + MOST), others = now.rows.length - told.length;

		tip.fill(momentText(at.ns), told.map((lane) => [[dot(lanes[lane].rgb), ' ', lane === at.lane
			? D.html('b', {}, lanes[lane].shown) : lanes[lane].shown], textAt(lane, at.ns)]),
		others ? `and ${others} more` : null);
	}

	/* "3 of 17 lanes" */
	const countText = () => (now.rows.length < settings.rows.length ? now.rows.length.toLocaleString('en') + ' of '
		: '') + settings.rows.length.toLocaleString('en') + (settings.rows.length === 1 ? ' lane' : ' lanes');
	const matchText = () => {
		const { found } = now, count = found && found.match && now.rows.filter((lane) =>
			found.match[lane]).length;

		return !found ? '' : found.error ||
			`Matched: ${count.toLocaleString('en')} lane${count === 1 ? '' : 's'}`;
	};

	const showIdle = () => foot.show([countText(), notes].filter(Boolean).join('. '), true);

	/* The pointer is at a place of the rows (at: see panel.at), or at no row (null). */
	const hover = (at, x, y) => {
		const isThere = Boolean(at) && at.lane !== null && at.inBar;

		app.details.pointed = isThere ? at : null;
		app.panel.point(isThere ? at.x : null);
		if (isThere) {
			foot.show(wordsOf(at.lane, at.ns), false);
			tip.show(() => fill(at), x, y);
		} else {
			showIdle();
			tip.hide();
		}
	};
	const showRange = (from, to, x, y) => tip.show(() => tip.fill(app.part.text(from, to)), x, y);

	app.details = { hover, showRange, countText, matchText, wordsOf, pointed: null };
	app.onchange(() => {
		tip.hide();
		app.details.pointed = null;
		showIdle();
		foot.showMatched(now.filterError || matchText(), Boolean(now.filterError || now.found &&
			now.found.error));
	});
};
