/* links: the address says what is shown, and the steps to undo.  With a host (flame.js) it is
 * told the text of the view, and it is the host's address. */
pyrograph.ui.links = function (app) {
	'use strict';

	const A = pyrograph.address, host = app.host, alone = !host && app.svg === document.documentElement;
	const past = [];        /* views before each step, where there is no history */
	let session = 0;                /* entries of one link and what was done from there */
	let depth = 0, worked = false, refused = false, current = '';

	app.links = {};

	/* Each zoom and filter is a step of the Back button; a search is none. */
	app.links.save = (isStep) => {
		const text = A.encodeView(app.view);

		if (text === current)
			return;
		if (isStep)
			past.push(current);
		current = text;
		if (host)
			host.saved();
		if (!alone)
			return;
		try {
			depth += isStep ? 1 : 0;
			history[isStep ? 'pushState' : 'replaceState']({ pyrograph: depth, session: session }, '', '#' + text);
			worked = true;
		} catch (e) {
			refused = !worked; /* an embedded document: no link then; too many in a short time: later */
		}
	};

	/* What a step of Back and Forward is; the rest of a view stays as it is. */
	const STEPS = ['zoom', 'callersZoom', 'filters', 'order', 'inverted', 'reversed', 'sandwich', 'variants', 'generated',
		'recursion', 'diff', 'span'].concat(app.settings.mode === 'multiples' ? ['position'] : []);

	/* The link to what is shown, null in a page that has an address of its own. */
	app.link = () => host ? host.link() : alone ? location.href.replace(/[?#].*$/s, '') + '#' + A.encodeView(app.view) : null;

	/* Returns false when there is nothing to undo. */
	app.links.undo = () => {
		if (alone && !refused) {
			if (!depth)
				return false;
			history.back();
			return true;
		}
		if (!past.length)
			return false;
		stepTo(past.pop());
		return true;
	};

	/* A step back or on: searches, table, theme and colours stay. */
	function stepTo(text) {
		const there = A.decodeView(text);

		app.view = Object.assign({}, app.view);
		for (const key of STEPS)
			app.view[key] = there[key];
		current = text;
		app.refresh();
		app.links.save(false);
		if (host)
			host.saved();
	}

	/* All that a link says. */
	function show(text) {
		const theme = app.view.theme;

		current = text;
		app.view = A.decodeView(text);
		if (!/(^|[&?#])t=/.test(text))
			app.view.theme = theme;
		app.adoptSearches();
		app.refresh();
	}

	/* What a host's link says. */
	app.links.show = (text) => {
		if (text === current)
			return;
		past.length = 0;
		show(text);
		current = A.encodeView(app.view);
	};

	/* What the address says at first, or when another was typed. */
	app.links.read = () => {
		const text = alone ? location.search.slice(1) + '&' + location.hash.slice(1) : '';
		const old = alone && /[?&][xy]=/.test(location.search)
			? A.frameOfOld(app.base, location.search.slice(1), {}) : -1;

		depth = alone && history.state && history.state.pyrograph || 0;
		show(host ? host.view : alone && text !== '&' ? text : '');
		current = A.encodeView(app.view);
		session = alone && history.state && history.state.session || Date.now();
		mark();
		if (old > 0)
			app.zoomTo(old);
	};

	/* An entry of the history that is a step of this page. */
	function mark() {
		try {
			if (alone && !history.state)
				history.replaceState({ pyrograph: 0, session: session }, '');
		} catch (e) {
			refused = !worked;
		}
	}

	function follow() {
		const isStep = history.state && history.state.session === session;

		if (isStep)
			depth = history.state.pyrograph;
		if (location.hash.slice(1) === current)
			return;
		if (isStep) {
			stepTo(location.hash.slice(1));
		} else {
			app.links.read();
		}
	}

	if (alone) {
		window.addEventListener('popstate', follow);
		window.addEventListener('hashchange', follow);
	}
};
