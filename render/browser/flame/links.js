/* links: the address says what is shown, and the steps to undo (history.js): each zoom and filter
 * is a step of the Back button; a search is none. */
pyrograph.ui.links = function (app) {
	'use strict';

	const A = pyrograph.address, host = app.host, alone = !host && app.svg === document.documentElement;

	/* What a step of Back and Forward is; the rest of a view stays as it is: searches, table, theme
	 * and colours. */
	const STEPS = ['zoom', 'callersZoom', 'filters', 'order', 'inverted', 'reversed', 'sandwich', 'variants', 'generated',
		'recursion', 'diff', 'span'].concat(app.settings.mode === 'multiples' ? ['position'] : []);

	function stepTo(text) {
		const there = A.decodeView(text);

		app.view = Object.assign({}, app.view);
		for (const key of STEPS)
			app.view[key] = there[key];
		app.refresh();
	}

	/* All that a link says. */
	function show(text) {
		const theme = app.view.theme;

		app.view = A.decodeView(text);
		if (!/(^|[&?#])t=/.test(text))
			app.view.theme = theme;
		app.adoptSearches();
		app.refresh();
	}

	pyrograph.ui.history(app, { encode: () => A.encodeView(app.view), show: show, stepTo: stepTo, host: host });
	const { read } = app.links;

	/* Links of flamegraph.pl say where the frame is. */
	app.links.read = () => {
		const old = alone && /[?&][xy]=/.test(location.search)
			? A.frameOfOld(app.base, location.search.slice(1), {}) : -1;

		read();
		if (old > 0)
			app.zoomTo(old);
	};
};
