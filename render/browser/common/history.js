/* history: keeps the view in the page's address, so that Back undoes steps.  Without a browser history (in an embedded
 * document, or in a page with an address of its own) the steps are kept in this file.
 *
 * pyrograph.ui.history(app, { address, stay, adopted, host }):
 *     address       { encode(view) -> the text after "#", decode(text) -> view }
 *     stay          members of the view that a step back leaves as they are
 *     adopted(isStep)  called before a new app.view is drawn; may be missing
 *     host          null, or { view, saved(step), link(), undo() }: the picture that contains this one, which owns
 *                   the address and the steps (flame.js)
 * makes app.links = { save(step), undo() -> whether there was anything to undo, read() } and
 * app.link() -> the link to the view, or null; with a host also app.links.show(text), which shows the view of
 * a link.  step: true: the change is a step; false: it is none; a word: consecutive changes with this word are one step
 * (a key that is held down). */
pyrograph.ui = pyrograph.ui || {};

pyrograph.ui.history = function (app, how) {
	'use strict';

	const { address, stay, adopted, host } = how;
	const alone = !host && app.svg === document.documentElement;
	const WHILE_MS = 10000, TOUCHES_MAX = 60, STEPS_MAX = 150, REST_MS = 300, BACK_MS = 3000;
	const past = [];                /* without a browser history: the view before each step */
	const waiting = [];             /* [text, isStep] of changes that are written later */
	const written = [];             /* when the latest entries were written */
	let session = 0;                /* identifies the entries of one link and of the steps taken from it */
	const texts = [];               /* the entries' texts, by depth, so that a step back need not wait for the
					 * browser */
	let depth = 0, worked = false, refused = false, current = '', series = null, late = 0;
	let last = '';                  /* what the address says, or will say once the browser has gone back */
	let backs = 0, backAt = 0; /* steps back that the browser has not made yet; time when the last one was
				    * requested */

	app.links = {};

	const encode = () => address.encode(app.view);

	/* Shows the view of a link, or the view of an earlier or later entry (isStep). */
	function adopt(text, isStep) {
		const before = app.view, { activeElement } = document;

		app.view = address.decode(text);
		for (const member of isStep ? stay : /(^|[&?#])t=/.test(text) ? [] : ['theme'])
			app.view[member] = before[member];
		if (activeElement && activeElement.localName === 'input' && app.page.tools.contains(activeElement))
			activeElement.blur(); /* the input field has the text of the old view */
		if (adopted)
			adopted(isStep);
		app.refresh();
	}
	const show = (text) => adopt(text, false), stepTo = (text) => adopt(text, true);

	app.link = () => host ? host.link() : alone ? location.href.replace(/[?#].*$/s, '') + '#' + encode() : null;

	/* The browser keeps this with the address, even across a reload. */
	const entry = () => ({ pyrograph: depth, session: session, before: depth ? texts[depth - 1] : undefined });

	function write(text, isStep) {
		written.push(performance.now());
		last = text;
		try {
			depth += isStep ? 1 : 0;
			texts.length = depth;
			texts[depth] = text;
			history[isStep ? 'pushState' : 'replaceState'](entry(), '', '#' + text);
			worked = true;
		} catch (e) {
			refused = !worked; /* an embedded document, which has no links; otherwise, too many changes */
		}
	}

	/* Browsers refuse to change the address too often (200 times in ten seconds in Chromium), some without
	 * an error.  An entry that is written before the browser has gone back would replace the wrong entry. */
	function mayWrite(isStep) {
		const since = performance.now() - WHILE_MS;

		if (backs && performance.now() - backAt < BACK_MS)
			return false;
		backs = 0;
		while (written.length && written[0] < since)
			written.shift();
		return written.length < (isStep ? STEPS_MAX : TOUCHES_MAX);
	}

	/* No step is lost: steps that cannot be written yet wait, in order. */
	function writeWaiting() {
		clearTimeout(late);
		while (waiting.length && mayWrite(waiting[0][1] || waiting.length > 1))
			write(...waiting.shift());
		late = waiting.length ? setTimeout(writeWaiting, REST_MS) : 0;
	}

	function writeSoon(text, isStep) {
		if (!isStep && waiting.length)
			waiting[waiting.length - 1][0] = text;
		else
			waiting.push([text, isStep]);
		if (isStep || !late)
			writeWaiting();
	}

	/* Undoes a waiting step, for which the browser has no entry yet. */
	function undoWaiting() {
		const at = waiting.map(([, isStep]) => isStep).lastIndexOf(true);

		if (at < 0)
			return false;
		waiting.length = at;
		go(at ? waiting[at - 1][0] : last);
		return true;
	}

	app.links.save = (step) => {
		const text = encode(), isStep = Boolean(step) && (step === true || step !== series);

		if (text === current)
			return;
		series = step || null;
		if (isStep)
			past.push(current);
		current = text;
		if (host)
			host.saved(isStep);
		if (alone)
			writeSoon(text, isStep);
	};

	function go(text) {
		current = text;
		stepTo(text);
		app.links.save(false);
	}

	/* Takes a step back.  The browser goes back later, but the view is shown at once, so that keys pressed until
	 * then act on this view. */
	function back() {
		const text = texts[depth - 1];

		if (text !== undefined) {
			depth--;
			backs++;
			backAt = performance.now();
			last = current = text;
			stepTo(text);
			app.links.save(false);
		}
		history.back();
	}

	app.links.undo = () => {
		series = null;
		if (host)
			return host.undo();
		if (undoWaiting())
			return true;
		writeWaiting();
		if (alone && !refused) {
			if (!depth)
				return false;
			back();
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
		series = null;
		current = text;
		show(text);
		current = encode();
	};

	/* Shows the view of the address: at the start, or after the reader typed another address. */
	app.links.read = () => {
		const state = alone && history.state;

		depth = state && state.pyrograph || 0;
		session = state && state.session || Date.now();
		texts.length = 0;
		if (depth)
			texts[depth - 1] = state.before;
		current = host ? host.view : alone ? location.search.slice(1) + '&' + location.hash.slice(1) : '';
		show(current);
		last = current = texts[depth] = encode();
		try { /* the address is that of an entry that this page wrote */
			if (alone && !history.state)
				history.replaceState(entry(), '');
		} catch (e) {
			refused = !worked;
		}
	};

	/* A step through the browser history makes two events: popstate, then hashchange. */
	function follow(event) {
		const { state } = history, isStep = state && state.session === session;
		const text = location.hash.slice(1), isThere = isStep && state.pyrograph === depth && text === last;

		if (backs && (event.type !== 'popstate' || --backs))
			return;
		if (isThere) {
			writeWaiting();
			return;
		}
		series = null;
		waiting.length = 0;
		last = text;
		if (isStep) {
			depth = state.pyrograph;
			texts[depth] = text;
			if (depth && texts[depth - 1] === undefined)
				texts[depth - 1] = state.before;
		}
		if (text === current)
			return;
		if (isStep)
			go(text);
		else
			app.links.read();
	}

	if (alone) {
		window.addEventListener('popstate', follow);
		window.addEventListener('hashchange', follow);
	}
};
