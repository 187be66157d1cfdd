/* flame_keys: the arrow keys walk from frame to frame; the other keys are in actions.js. */
pyrograph.ui.flameKeys = function (app) {
	'use strict';

	function widestChild(tree, frame, zoom) {
		let best = frame;

		if (frame < zoom) /* the zoomed frame stands on this one, so go back towards it */
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

	/* The widest child of a hidden frame; if it has none, the nearest frame below that is drawn. */
	function drawnChild(tree, frame, isHidden) {
		let at = frame;

		if (widestChild(tree, frame, 0) !== frame)
			return widestChild(tree, frame, 0);
		while (isHidden(at))
			at = tree.parent[at];
		return at;
	}

	function move(key) {
		const panel = app.cursor.panel || app.firstPanel(), tree = panel.tree;
		const away = app.isInverted() ? 'ArrowDown' : 'ArrowUp';
		const from = app.cursor.frame < 0 ? panel.zoom : app.cursor.frame;
		let to;

		const isHidden = (frame) => Boolean(panel.fold && panel.fold.hidden[frame]);

		if (key === 'ArrowLeft' || key === 'ArrowRight')
			to = from === panel.zoom ? from : sibling(tree, from, key === 'ArrowRight' ? 1 : -1);
		else
			to = key === away ? widestChild(tree, from, panel.zoom) : tree.parent[from];
		while (isHidden(to)) /* the next one that is drawn */
			to = key === away || /Left|Right/.test(key) ? drawnChild(tree, to, isHidden)
				: tree.parent[to];
		app.moveTo(panel, to);
	}

	/* A reader who came by a link has no step to undo, so Esc leaves the link's zoom, and after that its
	 * searches. */
	function undo() {
		if (app.host)
			app.host.leave();
		else if (app.links.undo())
			return true;
		else if (app.zoom || app.view.sandwich)
			app.step({ zoom: [], sandwich: null });
		else
			app.clearSearches();
		return true;
	}

	app.target = () => app.cursor.panel && app.cursor.frame >= 0 ? app.cursor : null;
	pyrograph.ui.keys(app, { move, undo, page: (pages) => (app.cursor.panel || app.firstPanel()).page(pages),
		choose: ({ panel, frame }) => app.enter(panel, frame) });
};
