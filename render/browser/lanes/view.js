/* lanes_view: what is shown, and all that follows from it.
 *
 * app.view is the view of address.js.  These are made from the view:
 *   app.part     { from, to } in ns from the window's start
 *   app.rows     numbers of the lanes that are shown, in order
 *   app.found    null, or what the search finds: { match: by lane, error }
 *   app.cursor   the lane that the keys are at, or null
 * app.showPart(from, to, series) shows another part of the time, as a step */
pyrograph.ui.lanesView = function (app) {
	'use strict';

	const { lanes, settings } = app, S = pyrograph.search, LEAST_NS = 1000;
	const names = lanes.map(({ shown }) => shown);

	app.view = pyrograph.lanes.address.emptyView();
	app.cursor = null;

	/* Limits a part to the window, and to a least length. */
	function within(from, to) {
		const { window } = settings, long = Math.min(window, Math.max(LEAST_NS, to - from));
		const start = Math.round(Math.min(Math.max(0, (from + to) / 2 - long / 2), window - long));

		return { from: start, to: Math.round(start + long) };
	}

	pyrograph.ui.state(app, () => {
		const { from, to, filter, search } = app.view;
		const { match, error } = S.matcher(names, filter.pattern, filter.ignoreCase);

		app.part = from === null ? { from: 0, to: settings.window }
			: within(app.clock.fromEpoch(from), app.clock.fromEpoch(to));
		app.filterError = error;
		app.rows = settings.rows.filter((lane) => !match || match[lane]);
		app.found = search.pattern ? S.matcher(names, search.pattern, search.ignoreCase) : null;
		if (!app.rows.includes(app.cursor))
			app.cursor = null;
	});

	app.isWhole = () => app.part.to - app.part.from >= settings.window;
	app.showPart = (from, to, series) => {
		const part = within(from, to), all = part.to - part.from >= settings.window;

		app.step({ from: all ? null : app.clock.epoch(part.from), to: all ? null : app.clock.epoch(part.to) },
			series);
	};
	app.standsOut = (lane) => !app.found || !app.found.match || Boolean(app.found.match[lane]);
	app.resetAll = () => app.step(Object.assign(pyrograph.lanes.address.emptyView(), { theme: app.view.theme }));
};
