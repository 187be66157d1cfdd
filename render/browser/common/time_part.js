/* time_part: the part of the time that a chart of rows shows.
 *
 * pyrograph.ui.timePart(app, least) makes, with app.clock, settings.window and the view's from and to (ns since the
 * epoch, or null: the whole time); least: no part is shorter, in ns:
 *     app.partOfView()      -> { from, to } in ns from the window's start: what app.view says
 *     app.isWhole()         is all of the time shown?
 *     app.showPart(from, to, series)   shows another part, as a step
 *     app.rangeText(from, to)          -> "10:15:02.014 - 10:15:02.020 UTC, 6 ms"
 *     app.timeActions       the actions of time, for app.actions: they need zoom(), pan(), showAll(), ZOOM, PAN */
pyrograph.ui.timePart = function (app, least) {
	'use strict';

	const C = pyrograph.clock, { settings, clock } = app, { window } = settings;

	/* Limits a part to the window, and to a least length. */
	function within(from, to) {
		const long = Math.min(window, Math.max(least, to - from));
		const start = Math.round(Math.min(Math.max(0, (from + to) / 2 - long / 2), window - long));

		return { from: start, to: Math.round(start + long) };
	}

	app.partOfView = () => {
		const { from, to } = app.view;

		return from === null ? { from: 0, to: window } : within(clock.fromEpoch(from), clock.fromEpoch(to));
	};
	app.isWhole = () => app.part.to - app.part.from >= window;
	app.showPart = (from, to, series) => {
		const part = within(from, to), all = part.to - part.from >= window;

		app.step({ from: all ? null : clock.epoch(part.from), to: all ? null : clock.epoch(part.to) }, series);
	};
	app.rangeText = (from, to) => {
		const digits = Math.min(9, Math.max(3, C.tickDigits(C.tickStep(to - from, 100))));

		return clock.text(from, digits) + ' \u2013 ' + clock.text(to, digits) + clock.zone + ', ' +
			pyrograph.number.durationText(to - from);
	};

	app.timeActions = {
		'in': ['+', 'Shorter', () => app.zoom(1 / app.ZOOM), 'Time'],
		out: ['-', 'Longer', () => app.zoom(app.ZOOM), 'Time'],
		left: ['ArrowLeft', 'Earlier', () => app.pan(-app.PAN), 'Time'],
		right: ['ArrowRight', 'Later', () => app.pan(app.PAN), 'Time'],
		all: ['0', 'The whole time', () => app.showAll(), 'Time'],
	};
};
