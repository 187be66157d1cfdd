/* lanes_view: what is shown, and everything that follows from that.
 *
 * app.view is the view of address.js; app.part (time_part.js) and app.now follow from it:
 *   app.now.rows     numbers of the lanes that are shown, in order
 *   app.now.found    null, or what the search finds: { match: by lane, error }
 *   app.now.cursor   the lane that the keys are at, or null */
pyrograph.ui.lanesView = function (app) {
	'use strict';

	const { lanes, settings } = app, S = pyrograph.search, LEAST_NS = 1000;
	const names = lanes.map(({ shown }) => shown);

	app.view = pyrograph.lanes.address.emptyView();
	const now = app.now = { cursor: null };

	pyrograph.ui.timePart(app, LEAST_NS);
	pyrograph.ui.state(app, () => {
		const { filter, search } = app.view;
		const { match, error } = S.matcher(names, filter.pattern, filter.ignoreCase);

		app.part.take();
		now.filterError = error;
		/* Lanes that are always 0 are shown on request. */
		now.rows = settings.rows.concat(filter.pattern ? settings.flat || [] : []).filter((lane) => !match ||
			match[lane]);
		now.found = search.pattern ? S.matcher(names, search.pattern, search.ignoreCase) : null;
		if (!now.rows.includes(now.cursor))
			now.cursor = null;
	});

	now.standsOut = (lane) => !now.found || !now.found.match || Boolean(now.found.match[lane]);
	app.resetAll = () => app.step(Object.assign(pyrograph.lanes.address.emptyView(), { theme: app.view.theme }));
};
