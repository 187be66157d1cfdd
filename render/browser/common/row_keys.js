/* row_keys: the keys of a chart that has rows: boxes, menus, the arrows, and all that are in app.actions.
 *
 * pyrograph.ui.rowKeys(app, { move(key), page(step), choose(), inRows(element) }): move has an arrow's key;
 * page a number of pages, or -Infinity, Infinity; choose is Enter's.  app.filterBox and app.searchBox are
 * boxes of box.js; app.resetAll() is what Esc does when there is no step to undo. */
pyrograph.ui.rowKeys = function (app, how) {
	'use strict';

	const { move, page, choose, inRows } = how;
	const PAGES = { PageUp: -1, PageDown: 1, Home: -Infinity, End: Infinity };
	const alone = app.svg === document.documentElement;
	const boxOf = (input) => [app.filterBox, app.searchBox].find((box) => box.input === input);

	function escape(box) {
		if (app.closeHelp() || app.closeMenu())
			return;
		app.hideTip();
		if (box) {
			box.set('');
			box.input.blur();
		} else if (!app.links.undo()) {
			app.resetAll();
		}
	}

	/* Keys of the boxes come here too.  Returns false when the key means nothing. */
	function pressed(event) {
		const command = event.ctrlKey || event.metaKey, { key, target } = event, box = boxOf(target);
		const field = /^(input|textarea|select)$/.test(target.localName);

		if (key === 'Escape') {
			escape(box);
		} else if (app.helpIsOpen()) {
			return key === 'Tab';
		} else if (key === 'F3') {
			app.walkMatches(event.shiftKey ? -1 : 1);
		} else if (command && key === 'f') {
			app.act('search');
		} else if (command && key === 'i') {
			(box || app.filterBox).toggleCase();
		} else if (box && key === 'Enter') {
			box.apply();
			if (box === app.searchBox)
				app.walkMatches(event.shiftKey ? -1 : 1);
		} else if (field || command || event.altKey) {
			return false;
		} else if (/^Arrow/.test(key) && inRows(target)) {
			move(key);
		} else if (key in PAGES && inRows(target)) {
			page(PAGES[key]);
		} else if (target.localName === 'button' && (key === 'Enter' || key === ' ')) {
			return false;
		} else if (key === 'Enter' && app.target()) {
			choose(app.target());
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

	/* Alone in its window it has all keys; in a page only those that are meant for it. */
	(alone ? window : app.page.element).addEventListener('keydown', (event) => {
		if (!event.defaultPrevented && pressed(event))
			event.preventDefault();
	});
};
