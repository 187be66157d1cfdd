/* lanes_stage: pointer, wheel, fingers and keys on the rows. */
pyrograph.ui.lanesStage = function (app) {
	'use strict';

	const { panel, lanes, settings } = app, { graph, head } = panel, MOVED_PX = 4, WHEEL = 1.25;
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

	/* ---- the lane that the keys are at ---- */

	app.moveTo = (lane, say) => {
		app.cursor = lane;
		panel.focus(true);
		if (say && lane !== null)
			app.say(lanes[lane].shown + ': ' + app.noteOf(lane));
	};

	/* The lane and moment that an action is for: those under the pointer, or those that the keys are at. */
	app.target = () => app.pointed || (app.cursor === null ? null : { lane: app.cursor, ns: app.part.from });

	/* Shows the moment of the greatest value in the middle, a hundredth of the time around it. */
	app.showPeak = (number) => {
		const { time, value } = lanes[number], around = settings.window / 200;
		let best = 0;

		value.forEach((n, i) => {
			best = n > value[best] ? i : best;
		});
		if (!value.length)
			return;
		app.showPart(time[best] - around, time[best] + around);
		app.moveTo(number, false);
		app.say(app.wordsOf(number, time[best]));
	};

	function move(key) {
		const at = app.rows.indexOf(app.cursor), last = app.rows.length - 1;

		if (key === 'ArrowLeft' || key === 'ArrowRight')
			app.pan(key === 'ArrowLeft' ? -app.PAN : app.PAN);
		else if (last >= 0)
			app.moveTo(app.rows[at < 0 ? 0 : Math.max(0, Math.min(last, at + (key === 'ArrowDown' ? 1
				: -1)))],
				true);
	}

	/* Goes from lane to lane, to those that match. */
	app.walkMatches = (step) => {
		const { found, rows } = app, all = found && found.match ? rows.filter((lane) => found.match[lane]) : [];
		const at = all.indexOf(app.cursor);

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

		if (event.button || !at.inBar || app.menuJustClosed())
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
		app.hideTip();
		if (Math.abs(event.clientX - from.clientX) >= MOVED_PX)
			app.showPart(Math.min(at.ns, from.ns), Math.max(at.ns, from.ns));
		else if (at.lane !== null && event.currentTarget === graph)
			app.moveTo(at.lane, false);
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
		if (at.lane === null || !at.inBar)
			return;
		app.moveTo(at.lane, false);
		app.openRowMenu(at, event.clientX, event.clientY);
	});
	graph.addEventListener('focus', () => { /* the focus came by the Tab key: show where the keys are */
		if (app.cursor === null && app.rows.length && graph.matches(':focus-visible'))
			app.moveTo(app.rows[0], true);
	});
	panel.scroll.addEventListener('scroll', app.hideTip);

	app.menuOfCursor = () => {
		const at = app.target();

		if (at) {
			const { x, y } = panel.where(at.lane, at.ns);

			app.openRowMenu(at, x, y);
		}
	};

	pyrograph.ui.keys(app, { move: move, page: panel.page, undo: app.undoOrReset, choose: (at) =>
		app.showPeak(at.lane) });
};
