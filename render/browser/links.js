/* links: the address says what is shown, and the steps to undo. */
pyrograph.ui.links = function (app) {
	'use strict';

	const A = pyrograph.address, alone = app.svg === document.documentElement;
	const past = [];        /* views before each step, where there is no history */
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
		if (!alone)
			return;
		try {
			depth += isStep ? 1 : 0;
			history[isStep ? 'pushState' : 'replaceState']({ pyrograph: depth }, '', '#' + text);
			worked = true;
		} catch (e) {
			refused = !worked; /* an embedded document: no link then; too many in a short time: later */
		}
	};

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
		show(past.pop());
		return true;
	};

	function show(text) {
		const theme = app.view.theme, table = app.view.table;

		current = text;
		app.view = A.decodeView(text, app.baseNames);
		if (!/(^|[&?#])t=/.test(text))
			app.view.theme = theme;
		if (!/(^|[&?#])table=/.test(text))
			app.view.table = table && depth > 0;
		app.adoptSearches();
		app.refresh();
	}

	/* What the address says at first, or after Back and Forward. */
	app.links.read = () => {
		const text = alone ? location.search.slice(1) + '&' + location.hash.slice(1) : '';
		const old = alone && /[?&][xy]=/.test(location.search)
			? A.frameOfOld(app.base, location.search.slice(1), {}) : -1;

		depth = alone && history.state && history.state.pyrograph || 0;
		show(alone && text !== '&' ? text : '');
		current = A.encodeView(app.view);
		if (old > 0)
			app.zoomTo(old);
	};

	function follow() {
		depth = history.state && history.state.pyrograph || 0;
		if (location.hash.slice(1) !== current)
			app.links.read();
	}

	if (alone) {
		window.addEventListener('popstate', follow);
		window.addEventListener('hashchange', follow);
	}
};
