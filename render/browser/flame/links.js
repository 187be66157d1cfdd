/* links: keeps the view in the page's address, so that Back undoes steps (history.js).  Each zoom and each filter is a
 * step; a search is not. */
pyrograph.ui.links = function (app) {
	'use strict';

	const A = pyrograph.address, host = app.host, alone = !host && app.svg === document.documentElement;

	/* The members of a view that Back and Forward change.  The others stay as they are: searches, table,
	 * theme and colours. */
	const STEPS = ['zoom', 'callersZoom', 'filters', 'order', 'inverted', 'reversed', 'sandwich', 'variants',
		'generated', 'unnamed', 'recursion', 'diff', 'span', 'idle', 'opened', 'mine', 'quiet'].concat(
		app.settings.mode === 'multiples' ? ['position'] : []);

	const stay = Object.keys(A.emptyView()).filter((key) => !STEPS.includes(key));

	pyrograph.ui.history(app, { address: { encode: A.encodeView, decode: A.decodeView }, stay: stay, host: host,
		adopted: (isStep) => isStep || app.adoptSearches() });
	const { read } = app.links;

	/* Links of flamegraph.pl identify a frame by its coordinates. */
	app.links.read = () => {
		const old = alone && /[?&][xy]=/.test(location.search)
			? A.frameOfOld(app.base, location.search.slice(1), {}) : -1;

		read();
		if (old > 0)
			app.zoomTo(old);
	};
};
