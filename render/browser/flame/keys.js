/* keys: arrows walk the frames; other keys are in actions.js. */
pyrograph.ui.keys = function (app) {
	'use strict';

	const host = app.host, alone = !host && app.svg === document.documentElement;
	const PAGES = { PageUp: -1, PageDown: 1, Home: -Infinity, End: Infinity };

	function widestChild(tree, frame, zoom) {
		let best = frame;

		if (frame < zoom) /* back towards what is zoomed */
			return tree.end[frame] > zoom ? towards(tree, frame, zoom) : frame;
		for (let c = frame + 1; c < tree.end[frame]; c = tree.end[c]) {
			if (best === frame || tree.total[c] > tree.total[best])
				best = c;
		}
		return best;
	}

	function towards(tree, frame, below) {
		let c = frame + 1;

		while (c < tree.end[frame] && tree.end[c] <= below)
			c = tree.end[c];
		return c;
	}

	function sibling(tree, frame, step) {
		const parent = tree.parent[frame];
		let before = frame;

		if (!frame)
			return frame;
		if (step > 0)
			return tree.end[frame] < tree.end[parent] ? tree.end[frame] : frame;
		for (let c = parent + 1; c < frame; c = tree.end[c])
			before = c;
		return before;
	}

	function move(key) {
		const panel = app.cursor.panel || app.firstPanel(), tree = panel.tree;
		const away = app.isInverted() ? 'ArrowDown' : 'ArrowUp';
		const from = app.cursor.frame < 0 ? panel.zoom : app.cursor.frame;
		let to;

		if (key === 'ArrowLeft' || key === 'ArrowRight')
			to = from === panel.zoom ? from : sibling(tree, from, key === 'ArrowRight' ? 1 : -1);
		else
			to = key === away ? widestChild(tree, from, panel.zoom) : tree.parent[from];
		app.moveTo(panel, to);
	}

	/* Returns false when there was nothing to be left. */
	function escape(typing) {
		if (app.closeHelp() || app.closeMenu())
			return true;
		app.hideTip();
		if (typing) {
			app.clearSearch();
			app.searchBox.blur();
		} else if (host) {
			host.leave();
		} else if (!app.links.undo()) { /* came here by a link */
			if (app.zoom || app.view.sandwich)
				app.step({ zoom: [], sandwich: null });
			else if (app.hasMarks || app.view.searches.length)
				app.clearSearches();
			else
				return false;
		}
		return true;
	}

	/* Keys of the search box come here too. Returns false when the key means nothing. */
	function pressed(event) {
		const command = event.ctrlKey || event.metaKey, key = event.key;
		const field = /^(input|textarea|select)$/.test(event.target.localName);
		const typing = event.target === app.searchBox;

		if (key === 'Escape') {
			return escape(typing) || !host;
		} else if (app.helpIsOpen()) { /* it has its own keys, wherever the focus is */
			if (key === '?')
				app.closeHelp();
			return key === '?' || key === 'Tab';
		} else if (key === 'F3') {
			if (typing ? app.searchBox.value : app.view.searches.length)
				app.walkMatches(event.shiftKey ? -1 : 1);
			else
				app.act('search');
		} else if (command && key === 'f') {
			app.act('search');
		} else if (command && key === 'i') {
			app.toggleCase();
		} else if (field || command || event.altKey) {
			return false;
		} else if (event.target.type === 'range' && /^(Arrow|Page|Home$|End$)/.test(key)) {
			return false;
		} else if (/^Arrow/.test(key)) {
			move(key);
		} else if (key in PAGES) {
			(app.cursor.panel || app.firstPanel()).page(PAGES[key]);
		} else if (event.target.localName === 'button' && (key === 'Enter' || key === ' ')) {
			return false;
		} else if (key === 'Enter' && app.cursor.frame >= 0) {
			app.cursor.panel.zoomTo(app.cursor.frame);
		} else if (key === 'ContextMenu' || (key === 'F10' && event.shiftKey)) {
			app.menuOfCursor();
		} else {
			const id = app.actionOfKey(key);

			if (!id)
				return false;
			app.act(id);
		}
		return true;
	}

	/* Alone in its window it has all keys; in a page only those that are meant for it, of which
	 * a host gets what means nothing here. */
	(alone ? window : app.page.element).addEventListener('keydown', (event) => {
		if (event.defaultPrevented || !pressed(event))
			return;
		event.preventDefault();
		if (host)
			event.stopPropagation();
	});
};
