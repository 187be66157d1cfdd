/* history: the address says what is shown, and Back undoes steps; where there is no history (an
 * embedded document, a page that has an address of its own) the steps are kept here.
 *
 * pyrograph.ui.history(app, { encode, show, stepTo }):
 *     encode()      -> what is shown, as the text after "#"
 *     show(text)    all that a link says
 *     stepTo(text)  back (or on) to what was: what is no step may stay as it is
 *     host          or null: { view, saved(), link() }: a picture that this one stands in, whose
 *                   address it is (flame.js)
 * makes app.links = { save(isStep), undo() -> was there anything to undo, read() } and
 * app.link() -> the link to what is shown, or null; with a host also app.links.show(text): what
 * its link says. */
pyrograph.ui = pyrograph.ui || {};

pyrograph.ui.history = function (app, how) {
	'use strict';

	const { encode, show, stepTo, host } = how;
	const alone = !host && app.svg === document.documentElement, BURST_MAX = 60, BURST_MS = 10000, REST_MS = 300;
	const past = [];        /* views before each step, where there is no history */
	let session = 0;                /* entries of one link and what was done from there */
	let depth = 0, worked = false, refused = false, current = '', burst = 0, burstFrom = -Infinity, late = 0;

	app.links = {};
	app.link = () => host ? host.link() : alone ? location.href.replace(/[?#].*$/s, '') + '#' + encode() : null;

	function write(text, isStep) {
		try {
			depth += isStep ? 1 : 0;
			history[isStep ? 'pushState' : 'replaceState']({ pyrograph: depth, session: session }, '', '#' + text);
			worked = true;
		} catch (e) {
			refused = !worked; /* an embedded document: no link then; too many in a short time: later */
		}
	}

	/* Browsers refuse, with a message, what changes the address all the time (zooming with a wheel). */
	function mayWrite() {
		const now = performance.now();

		if (now - burstFrom > BURST_MS) {
			burstFrom = now;
			burst = 0;
		}
		return ++burst <= BURST_MAX;
	}
	function writeLate() {
		clearTimeout(late);
		if (late)
			write(current, false);
		late = 0;
	}

	app.links.save = (isStep) => {
		const text = encode();

		if (text === current)
			return;
		if (isStep) {
			writeLate();
			past.push(current);
		}
		current = text;
		if (host)
			host.saved();
		if (!alone)
			return;
		clearTimeout(late);
		late = 0;
		if (isStep || mayWrite())
			write(text, isStep);
		else
			late = setTimeout(writeLate, REST_MS);
	};

	function go(text) {
		current = text;
		stepTo(text);
		app.links.save(false);
		if (host)
			host.saved();
	}

	app.links.undo = () => {
		writeLate();
		if (alone && !refused) {
			if (!depth)
				return false;
			history.back();
			return true;
		}
		if (!past.length)
			return false;
		go(past.pop());
		return true;
	};

	app.links.show = (text) => {
		if (text === current)
			return;
		past.length = 0;
		current = text;
		show(text);
		current = encode();
	};

	/* What the address says at first, or when another was typed. */
	app.links.read = () => {
		const state = alone && history.state;

		depth = state && state.pyrograph || 0;
		session = state && state.session || Date.now();
		current = host ? host.view : alone ? location.search.slice(1) + '&' + location.hash.slice(1) : '';
		show(current);
		current = encode();
		try { /* an entry of the history that is a step of this page */
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
			go(location.hash.slice(1));
		else
			app.links.read();
	}

	if (alone) {
		window.addEventListener('popstate', follow);
		window.addEventListener('hashchange', follow);
	}
};
