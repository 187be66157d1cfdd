/* bars_links: the address says what is shown, and the steps to undo. */
pyrograph.ui.barsLinks = function (app) {
	'use strict';

	const A = pyrograph.bars.address, alone = app.svg === document.documentElement;
	const past = [];        /* views before each step, where there is no history */
	let depth = 0, session = 0, worked = false, refused = false, current = '';

	app.links = {};

	/* What is chosen is a step of the Back button; what is typed is none. */
	app.links.save = (isStep) => {
		const text = A.encode(app.view);

		if (text === current)
			return;
		if (isStep)
			past.push(current);
		current = text;
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

	/* The link to what is shown, null in a page that has an address of its own. */
	app.link = () => alone ? location.href.replace(/[?#].*$/s, '') + '#' + A.encode(app.view) : null;

	/* Theme and colours are no steps: they stay, unless the text has them. */
	function show(text, isStep) {
		const { theme, safe } = app.view, { activeElement } = document;

		current = text;
		app.view = A.decode(text);
		if (isStep || !/(^|[&?#])t=/.test(text))
			app.view.theme = theme;
		if (isStep)
			app.view.safe = safe;
		if (activeElement && activeElement.localName === 'input')
			activeElement.blur(); /* what is typed there is older */
		app.refresh();
		if (isStep)
			app.links.save(false);
	}

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
		show(past.pop(), true);
		return true;
	};

	/* What the address says at first, or when another was typed. */
	app.links.read = () => {
		const state = alone && history.state;

		depth = state && state.pyrograph || 0;
		session = state && state.session || Date.now();
		show(alone ? location.search.slice(1) + '&' + location.hash.slice(1) : '', false);
		current = A.encode(app.view);
		try {
			if (alone && !history.state)
				history.replaceState({ pyrograph: 0, session: session }, '');
		} catch (e) {
			refused = !worked;
		}
	};

	function follow() {
		const isStep = history.state && history.state.session === session;

		if (isStep)
			depth = history.state.pyrograph;
		if (location.hash.slice(1) === current)
			return;
		if (isStep)
			show(location.hash.slice(1), true);
		else
			app.links.read();
	}

	if (alone) {
		window.addEventListener('popstate', follow);
		window.addEventListener('hashchange', follow);
	}
};
