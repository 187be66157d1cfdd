/* time_part: the part of the time that a chart of rows shows.
 *
 * pyrograph.ui.timePart(app, least) makes app.part of app.clock, settings.window and the view's from and to (ns since
 * the epoch, or null: the whole time); no part is shorter than least, in ns:
 *     from, to                 in ns from the window's start; take() makes them what app.view says
 *     isWhole()                is all of the time shown?
 *     show(from, to, series)   shows another part, as a step; showAll()
 *     zoom(factor), zoomAt(ns, factor)   shows a part `factor` times as long; ns keeps its place
 *     pan(share), step(sign)   shows a later part, by a share of its length; step: as keys do
 *     text(from, to)           -> "10:15:02.014 - 10:15:02.020 UTC, 6 ms"
 *     actions                  the actions about time, for app.actions */
pyrograph.ui.timePart = function (app, least) {
	'use strict';

	const C = pyrograph.clock, { settings, clock } = app, { window } = settings;
	const ZOOM = 2, PAN = 0.25;

	/* Limits a part to the window, and to a least length. */
	function within(from, to) {
		const long = Math.min(window, Math.max(least, to - from));
		const start = Math.round(Math.min(Math.max(0, (from + to) / 2 - long / 2), window - long));

		return { from: start, to: Math.round(start + long) };
	}

	const long = () => app.part.to - app.part.from;
	const isWhole = () => long() >= window;

	function show(from, to, series) {
		const part = within(from, to), all = part.to - part.from >= window;

		app.step({ from: all ? null : clock.epoch(part.from), to: all ? null : clock.epoch(part.to) }, series);
	}

	function zoomAt(ns, factor) {
		const { from, to } = app.part, rest = Math.min(window, long() * factor);

		show(ns - (ns - from) / long() * rest, ns + (to - ns) / long() * rest, 'zoom');
	}
	const zoom = (factor) => zoomAt((app.part.from + app.part.to) / 2, factor);
	const pan = (share) => show(app.part.from + share * long(), app.part.to + share * long(), 'pan');
	const step = (sign) => pan(sign * PAN);
	const showAll = () => show(0, window);

	function text(from, to) {
		const digits = Math.min(9, Math.max(3, C.tickDigits(C.tickStep(to - from, 100))));

		return clock.text(from, digits) + ' \u2013 ' + clock.text(to, digits) + clock.zone + ', ' +
			pyrograph.number.durationText(to - from);
	}

	const actions = {
		'in': ['+', 'Shorter', () => zoom(1 / ZOOM), 'Time'],
		out: ['-', 'Longer', () => zoom(ZOOM), 'Time'],
		left: ['ArrowLeft', 'Earlier', () => step(-1), 'Time'],
		right: ['ArrowRight', 'Later', () => step(1), 'Time'],
		all: ['0', 'The whole time', showAll, 'Time'],
	};

	function take() {
		const { from, to } = app.view, part = from === null ? { from: 0, to: window }
			: within(clock.fromEpoch(from), clock.fromEpoch(to));

		app.part = { ...part, take, isWhole, show, zoom, zoomAt, pan, step, showAll, text, actions };
	}
	take();
};
