/* keys: the keys of a chart: those of boxes and menus, the arrow keys, and the keys of app.actions.
 *
 * pyrograph.ui.keys(app, { move(key, isLonger), page(pages), choose(target), undo(), has(element) }):
 *     move    is called with an arrow key, and whether Shift is down
 *     page    scrolls by a number of pages, or by -Infinity or Infinity
 *     choose  what Enter does with app.target()
 *     undo    what Esc does when no box, menu or help is open -> whether there was anything to undo
 *     has     whether arrows and Enter belong to the chart while this element has the focus
 * app.searchBox, and app.filterBox if there is one, are made by box.js; app.walkMatches(step) and
 * app.pinSearch() may be missing. */
pyrograph.ui.keys = function (app, how) {
	'use strict';

	const { move, page, choose, undo, has = () => true } = how;
	const PAGES = { PageUp: -1, PageDown: 1, Home: -Infinity, End: Infinity };
	const alone = !app.host && app.svg === document.documentElement;
	const boxOf = (input) => [app.filterBox, app.searchBox].find((box) => box && box.input === input);

	function escape(box, field) {
		if (app.help.close() || app.menu.close())
			return true;
		app.tip.hide();
		if (!box)
			return !field && undo();
		box.set('');
		box.input.blur();
		return true;
	}

	function walk(event) {
		if (app.walkMatches)
			app.walkMatches(event.shiftKey ? -1 : 1);
	}

	function enter(box, event) {
		box.apply();
		if (box !== app.searchBox)
			return;
		if (app.pinSearch && (event.altKey || event.ctrlKey))
			app.pinSearch();
		else
			walk(event);
	}

	function next(event) {
		app.searchBox.apply();
		if (app.searchBox.input.value || app.pinned)
			walk(event);
		else
			app.act('search');
	}

	/* Handles a key, also one pressed in a box.  Returns false if the key means nothing. */
	function pressed(event) {
		const command = event.ctrlKey || event.metaKey, { key, target } = event, box = boxOf(target);
		const range = target.type === 'range';
		const field = !range && /^(input|textarea|select)$/.test(target.localName);

		if (key === 'Escape')
			return escape(box, field);
		if (app.help.isOpen()) /* the help has its own keys, wherever the focus is */
			return key === 'Tab' || (/^(F1|\?)$/.test(key) && app.help.close());
		if (app.menu.isOpen())
			return false;
		if (key === 'F3')
			next(event);
		else if (command && key === 'f')
			app.act('search');
		else if (command && key === 'i')
			(box || app.filterBox || app.searchBox).toggleCase();
		else if (box && key === 'Enter')
			enter(box, event);
		else if (field || command || event.altKey || (range && /^(Arrow|Page|Home$|End$)/.test(key)))
			return false;
		else if (/^Arrow/.test(key) && has(target))
			move(key, event.shiftKey);
		else if (key in PAGES && has(target))
			page(PAGES[key]);
		else if (/^(Enter| )$/.test(key) && (/^(button|summary)$/.test(target.localName) || !has(target)))
			return false;
		else if (key === 'Enter' && app.target && app.target())
			choose(app.target());
		else if (key === 'ContextMenu' || (key === 'F10' && event.shiftKey))
			app.menuOfCursor();
		else
			return app.act(app.actionOfKey(key));
		return true;
	}

	/* A chart that is alone in its window gets all keys; in a page, it gets only those pressed inside it.  A host
	 * gets the keys that mean nothing in the chart. */
	(alone ? window : app.page.element).addEventListener('keydown', (event) => {
		if (event.defaultPrevented || !pressed(event))
			return;
		event.preventDefault();
		if (app.host)
			event.stopPropagation();
	});
};
