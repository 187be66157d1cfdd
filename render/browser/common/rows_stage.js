/* rows_stage: pointer, wheel, fingers and keys on rows that share an axis of time.
 *
 * pyrograph.ui.rowsStage(app, { rowOf(at), matches(), openMenu(at, x, y), choose(target) }):
 *     rowOf     -> the row of a place that panel.at() returned, or null
 *     matches   -> those of app.rows that are found, in order
 *     openMenu  shows the menu of the row at a place
 *     choose    what Enter does with app.target()
 * The chart has app.panel (time_axis.js), app.rows, app.cursor (a row, or null), app.part, app.showPart(), and
 * app.moveTo(row, say), which sets the cursor.  Makes app.zoom(factor), app.pan(part), app.showAll(),
 * app.walkMatches(step), app.menuOfCursor(); app.target() must be there when a key is pressed. */
pyrograph.ui.rowsStage = function (app, how) {
	'use strict';

	const { rowOf, matches, openMenu, choose } = how, { panel, settings } = app, { graph, head } = panel;
	const MOVED_PX = 4, WHEEL = 1.25;
	let drag = null;        /* where dragging began: panel.at(), and the pointer */

	/* ---- the part of the time that is shown ---- */

	const long = () => app.part.to - app.part.from;

	/* Makes the shown part factor times as long; the moment ns stays at its place on the screen. */
	function zoomAt(ns, factor) {
		const { from, to } = app.part, rest = Math.min(settings.window, long() * factor);

		app.showPart(ns - (ns - from) / long() * rest, ns + (to - ns) / long() * rest, 'zoom');
	}
	app.zoom = (factor) => zoomAt((app.part.from + app.part.to) / 2, factor);
	app.pan = (part) => app.showPart(app.part.from + part * long(), app.part.to + part * long(), 'pan');
	app.showAll = () => app.showPart(0, settings.window);
	app.ZOOM = 2;
	app.PAN = 0.25;

	/* ---- the row that the keys are at ---- */

	function move(key) {
		const at = app.rows.indexOf(app.cursor), last = app.rows.length - 1;

		if (key === 'ArrowLeft' || key === 'ArrowRight')
			app.pan(key === 'ArrowLeft' ? -app.PAN : app.PAN);
		else if (last >= 0)
			app.moveTo(app.rows[at < 0 ? 0 : Math.max(0, Math.min(last, at + (key === 'ArrowDown' ? 1
				: -1)))],
			true);
	}

	/* Goes from row to row, to those that match. */
	app.walkMatches = (step) => {
		const all = matches(), at = all.indexOf(app.cursor);

		if (all.length)
			app.moveTo(all[at < 0 ? step > 0 ? 0 : all.length - 1 : (at + step +
				all.length) % all.length], true);
	};

	/* ---- pointer ---- */

	function endDrag() {
		panel.select(null);
		drag = null;
	}
	function down(event) {
		const at = panel.at(event.clientX, event.clientY);

		if (event.button || !at.inBar || app.menu.justClosed())
			return;
		drag = { ns: at.ns, x: at.x, clientX: event.clientX };
		event.currentTarget.setPointerCapture(event.pointerId);
	}
	function moved(event) {
		const at = panel.at(event.clientX, event.clientY);

		if (!drag) {
			app.hover(event.currentTarget === graph ? at : null, event.clientX, event.clientY);
			return;
		}
		panel.point(null);
		panel.select(Math.min(drag.x, at.x), Math.max(drag.x, at.x));
		app.showRange(Math.min(drag.ns, at.ns), Math.max(drag.ns, at.ns), event.clientX, event.clientY);
	}
	function up(event) {
		const at = panel.at(event.clientX, event.clientY), from = drag;

		if (!from)
			return;
		endDrag();
		app.tip.hide();
		if (Math.abs(event.clientX - from.clientX) >= MOVED_PX)
			app.showPart(Math.min(at.ns, from.ns), Math.max(at.ns, from.ns));
		else if (rowOf(at) !== null && event.currentTarget === graph)
			app.moveTo(rowOf(at), false);
		if (event.pointerType === 'touch' && Math.abs(event.clientX - from.clientX) < MOVED_PX)
			app.hover(at, event.clientX, event.clientY);
	}

	/* The wheel scrolls if there are more rows than fit; otherwise it zooms. */
	function wheel(event) {
		const at = panel.at(event.clientX, event.clientY), amount = event.deltaY || (event.shiftKey
			? event.deltaX : 0);
		const wanted = event.ctrlKey || event.shiftKey || event.altKey || event.currentTarget === head ||
			!panel.scrolls();

		if (!at.inBar || !wanted || !amount)
			return;
		event.preventDefault();
		zoomAt(at.ns, Math.pow(WHEEL, Math.sign(amount)));
	}

	for (const e of [graph, head]) {
		e.addEventListener('pointerdown', down);
		e.addEventListener('pointermove', moved);
		e.addEventListener('pointerup', up);
		e.addEventListener('pointercancel', endDrag);
		e.addEventListener('pointerleave', () => drag || app.hover(null));
		e.addEventListener('wheel', wheel, { passive: false });
	}
	graph.addEventListener('contextmenu', (event) => {
		const at = panel.at(event.clientX, event.clientY);

		event.preventDefault();
		endDrag();
		if (rowOf(at) === null || !at.inBar)
			return;
		app.moveTo(rowOf(at), false);
		openMenu(at, event.clientX, event.clientY);
	});
	graph.addEventListener('focus', () => { /* the focus came by the Tab key: show where the keys are */
		if (app.cursor === null && app.rows.length && graph.matches(':focus-visible'))
			app.moveTo(app.rows[0], true);
	});
	panel.scroll.addEventListener('scroll', app.tip.hide);

	app.menuOfCursor = () => {
		const at = app.target();

		if (at) {
			const { x, y } = panel.where(rowOf(at), at.ns);

			openMenu(at, x, y);
		}
	};

	pyrograph.ui.keys(app, { move: move, page: panel.page, undo: app.undoOrReset, choose });
};
