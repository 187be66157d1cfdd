/* lanes_view: what is shown, and all that follows from it.
 *
 * app.view is the view of address.js.  These are made from the view:
 *   app.part     { from, to } in ns from the window's start
 *   app.rows     numbers of the lanes that are shown, in order
 *   app.found    null, or what the search finds: { match: by lane, error }
 *   app.cursor   the lane that the keys are at, or null
 * time_part.js makes app.showPart() and what else follows from app.part */
pyrograph.ui.lanesView = function (app) {
	'use strict';

	const { lanes, settings } = app, S = pyrograph.search, LEAST_NS = 1000;
	const names = lanes.map(({ shown }) => shown);

	app.view = pyrograph.lanes.address.emptyView();
	app.cursor = null;

	pyrograph.ui.timePart(app, LEAST_NS);
	pyrograph.ui.state(app, () => {
		const { filter, search } = app.view;
		const { match, error } = S.matcher(names, filter.pattern, filter.ignoreCase);

		app.part = app.partOfView();
		app.filterError = error;
		app.rows = settings.rows.filter((lane) => !match || match[lane]);
		app.found = search.pattern ? S.matcher(names, search.pattern, search.ignoreCase) : null;
		if (!app.rows.includes(app.cursor))
			app.cursor = null;
	});

	app.standsOut = (lane) => !app.found || !app.found.match || Boolean(app.found.match[lane]);
	app.resetAll = () => app.step(Object.assign(pyrograph.lanes.address.emptyView(), { theme: app.view.theme }));
};
