/* rows_stage: handles pointer, wheel, fingers and keys on rows that share a time axis.
 *
 * pyrograph.ui.rowsStage(app, { rowOf(at), matches(), openMenu(at, x, y), choose(target) }):
 *     rowOf     -> the row of a place that panel.at() returned, or null
 *     matches   -> those of now.rows that are found, in order
 *     openMenu  shows the menu of the row at a place
 *     choose    what Enter does with app.target()
 * The chart has app.panel (time_axis.js), now.rows, now.cursor (a row, or null), app.part (time_part.js), and
 * app.stage.moveTo(row, say), which sets the cursor.  Makes app.walkMatches(step), app.menuOfCursor(); app.target()
 * must be there when a key is pressed. */
pyrograph.ui.rowsStage = function (app, how) {
	'use strict';

	const { rowOf, matches, openMenu, choose } = how, { panel, tip, now } = app, { graph, head } = panel;
	const { hover, showRange } = app.details, { moveTo } = app.stage;
	const MOVED_PX = 4, WHEEL = 1.25;
	let drag = null;        /* where dragging began: panel.at(), and the pointer */

	/* ---- the row that the keys are at ---- */

	function move(key) {
		const at = now.rows.indexOf(now.cursor), last = now.rows.length - 1;

		if (key === 'ArrowLeft' || key === 'ArrowRight')
			app.part.step(key === 'ArrowLeft' ? -1 : 1);
		else if (last >= 0)
			moveTo(now.rows[at < 0 ? 0 : Math.max(0, Math.min(last, at + (key === 'ArrowDown' ? 1
				: -1)))],
			true);
	}

	/* Goes to the next or previous row that matches. */
	app.walkMatches = (step) => {
		const all = matches(), at = all.indexOf(now.cursor);

		if (all.length)
			moveTo(all[at < 0 ? step > 0 ? 0 : all.length - 1 : (at + step +
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
			hover(event.currentTarget === graph ? at : null, event.clientX, event.clientY);
			return;
		}
		panel.point(null);
		panel.select(Math.min(drag.x, at.x), Math.max(drag.x, at.x));
		showRange(Math.min(drag.ns, at.ns), Math.max(drag.ns, at.ns), event.clientX, event.clientY);
	}
	function up(event) {
		const at = panel.at(event.clientX, event.clientY), from = drag;

		if (!from)
			return;
		endDrag();
		tip.hide();
		if (Math.abs(event.clientX - from.clientX) >= MOVED_PX)
			app.part.show(Math.min(at.ns, from.ns), Math.max(at.ns, from.ns));
		else if (rowOf(at) !== null && event.currentTarget === graph)
			moveTo(rowOf(at), false);
		if (event.pointerType === 'touch' && Math.abs(event.clientX - from.clientX) < MOVED_PX)
			hover(at, event.clientX, event.clientY);
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
		app.part.zoomAt(at.ns, Math.pow(WHEEL, Math.sign(amount)));
	}

	for (const e of [graph, head]) {
		e.addEventListener('pointerdown', down);
		e.addEventListener('pointermove', moved);
		e.addEventListener('pointerup', up);
		e.addEventListener('pointercancel', endDrag);
		e.addEventListener('pointerleave', () => drag || hover(null));
		e.addEventListener('wheel', wheel, { passive: false });
	}
	graph.addEventListener('contextmenu', (event) => {
		const at = panel.at(event.clientX, event.clientY);

		event.preventDefault();
		endDrag();
		if (rowOf(at) === null || !at.inBar)
			return;
		moveTo(rowOf(at), false);
		openMenu(at, event.clientX, event.clientY);
	});
	graph.addEventListener('focus', () => { /* the focus came by the Tab key, so show where the keys are */
		if (now.cursor === null && now.rows.length && graph.matches(':focus-visible'))
			moveTo(now.rows[0], true);
	});
	panel.scroll.addEventListener('scroll', tip.hide);

	app.menuOfCursor = () => {
		const at = app.target();

		if (at) {
			const { x, y } = panel.where(rowOf(at), at.ns);

			openMenu(at, x, y);
		}
	};

	pyrograph.ui.keys(app, { move: move, page: panel.page, undo: app.undoOrReset, choose });
};
