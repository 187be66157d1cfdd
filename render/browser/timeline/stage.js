/* timeline_stage: handles pointer, wheel, fingers and keys on the rows. */
pyrograph.ui.timelineStage = function (app) {
	'use strict';

	const { panel, data, settings, details, now } = app, { graph, head } = panel, R = pyrograph.timeline.raster;
	const MOVED_PX = 4, WHEEL = 1.25, AROUND = 0.5;
	let drag = null;        /* where dragging began: panel.at(), the pointer, and its place */

	/* ---- the row and moment that the keys are at ---- */

	const moveTo = (row, say) => {
		now.cursor = { row: row, span: -1 };
		panel.focus(true);
		if (row !== null && app.view.flame !== null)
			app.flame.of(row);
		if (say && row !== null)
			app.foot.say(settings.rows[row][0] + ': ' + panel.noteOf(row));
	};

	/* The row and moment that an action applies to: those under the pointer, or those that the keys are at. */
	app.target = () => {
		const { row, span } = now.cursor;

		if (details.pointed)
			return Object.assign({ span: spanAt(details.pointed) }, details.pointed);
		return row === null ? null : { row: row, span: span, ns: span < 0 ? app.part.from : data.start[span],
			perPx: 1 };
	};

	/* The span at a moment of a row, or -1. */
	function spanAt({ row, ns }) {
		const [first, end] = R.between(data, row, ns, ns + 1);

		for (let i = first; i < end; i++) {
			if (data.start[i] <= ns && data.start[i] + data.time[i] > ns)
				return i;
		}
		return -1;
	}

	/* Zooms to a stall, with some time around it. */
	const showStall = (number) => {
		const [start, length, , words] = settings.stalls[number];

		app.part.show(start - length * AROUND, start + length * (1 + AROUND));
		app.foot.say(words);
	};

	/* Goes to the stall after or before the shown one; if the whole time is shown, to the first or the last
	 * stall. */
	const walkStalls = (step) => {
		const all = settings.stalls || [], { from, to } = app.part, middle = (from + to) / 2;
		const centre = ([start, length]) => start + length / 2, apart = settings.window / 1e9;
		const on = app.part.isWhole() ? [] : all.map((stall, i) => i);
		const next = step > 0 ? on.find((i) => centre(all[i]) > middle + apart)
			: on.findLast((i) => centre(all[i]) < middle - apart);
		const other = step > 0 ? 0 : all.length - 1;

		if (all.length)
			showStall(next === undefined ? other : next);
	};

	function move(key) {
		const at = now.rows.indexOf(now.cursor.row), last = now.rows.length - 1;

		if (key === 'ArrowLeft' || key === 'ArrowRight')
			app.part.step(key === 'ArrowLeft' ? -1 : 1);
		else if (last >= 0)
			moveTo(now.rows[at < 0 ? 0 : Math.max(0,
				Math.min(last, at + (key === 'ArrowDown' ? 1 : -1)))], true);
	}

	/* Goes to the span after or before the last one shown, in the row that the keys are at. */
	const walkSpans = (step) => {
		const row = now.cursor.row === null ? now.rows[0] : now.cursor.row;

		if (row === undefined)
			return;
		const [first, end] = R.between(data, row, app.part.from, app.part.to), { span } = now.cursor;
		const next = span < first || span >= end ? step > 0 ? first : end - 1 : span + step;

		if (next < first || next >= end)
			return;
		now.cursor = { row: row, span: next };
		panel.focus(true);
		panel.point(panel.xOf(data.start[next]));
		const { x, y } = panel.where(row, data.start[next]);

		details.showSpan(row, next, x, y);
	};

	/* Goes to the next or previous row that has a match. */
	app.walkMatches = (step) => {
		const { found, rows } = now, n = rows.length, at = rows.indexOf(now.cursor.row);
		const stands = (row) => {
			const [first, end] = R.between(data, row, app.part.from, app.part.to);

			for (let i = first; i < end; i++) {
				if (found.stacks[data.stack[i]])
					return true;
			}
			return Boolean(found.rows[row]);
		};

		if (!found || found.error)
			return;
		for (let i = 1; i <= n; i++) {
			const row = rows[((at < 0 && step < 0 ? 0 : at) + step * i + n * 2) % n];

			if (stands(row)) {
				moveTo(row, true);
				return;
			}
		}
	};

	/* ---- pointer ---- */

	function endDrag() {
		panel.select(null);
		drag = null;
	}

	function openMenuAt(at, x, y) {
		if (at.row === null || !at.inBar)
			return;
		moveTo(at.row, false);
		app.openRowMenu(Object.assign({ span: spanAt(at) }, at), x, y);
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

		if (!drag && event.currentTarget === head && panel.stallAt(event.clientX, event.clientY) >= 0) {
			details.hoverStall(panel.stallAt(event.clientX, event.clientY), event.clientX, event.clientY);
			return;
		}
		if (!drag) {
			details.hover(event.currentTarget === graph ? at : null, event.clientX, event.clientY);
			return;
		}
		panel.point(null);
		panel.select(Math.min(drag.x, at.x), Math.max(drag.x, at.x));
		details.showRange(Math.min(drag.ns, at.ns), Math.max(drag.ns, at.ns), event.clientX, event.clientY);
	}
	function up(event) {
		const at = panel.at(event.clientX, event.clientY), from = drag;

		if (!from)
			return;
		endDrag();
		app.tip.hide();
		if (Math.abs(event.clientX - from.clientX) >= MOVED_PX)
			app.part.show(Math.min(at.ns, from.ns), Math.max(at.ns, from.ns));
		else if (event.currentTarget === head && panel.stallAt(event.clientX, event.clientY) >= 0)
			showStall(panel.stallAt(event.clientX, event.clientY));
		else if (at.row !== null && event.currentTarget === graph)
			moveTo(at.row, false);
		if (event.pointerType === 'touch' && Math.abs(event.clientX - from.clientX) < MOVED_PX)
			details.hover(at, event.clientX, event.clientY);
	}

	/* The wheel scrolls if there are more rows than fit; otherwise it zooms. */
	function wheel(event) {
		const at = panel.at(event.clientX, event.clientY), amount = event.deltaY ||
			(event.shiftKey ? event.deltaX : 0);
		const wanted = event.ctrlKey || event.shiftKey || event.altKey || event.currentTarget === head ||
			!panel.scrolls();

		if (!at.inBar)
			return;
		if (event.deltaX && !event.deltaY && !event.shiftKey) {
			event.preventDefault();
			app.part.pan(Math.sign(event.deltaX) * 0.1);
		} else if (wanted && amount) {
			event.preventDefault();
			app.part.zoomAt(at.ns, Math.pow(WHEEL, Math.sign(amount)));
		}
	}

	for (const e of [graph, head]) {
		e.addEventListener('pointerdown', down);
		e.addEventListener('pointermove', moved);
		e.addEventListener('pointerup', up);
		e.addEventListener('pointercancel', endDrag);
		e.addEventListener('pointerleave', () => drag || details.hover(null));
		e.addEventListener('wheel', wheel, { passive: false });
	}
	graph.addEventListener('contextmenu', (event) => {
		event.preventDefault();
		endDrag();
		openMenuAt(panel.at(event.clientX, event.clientY), event.clientX, event.clientY);
	});
	graph.addEventListener('focus', () => { /* the focus came by the Tab key, so show where the keys are */
		if (now.cursor.row === null && now.rows.length && graph.matches(':focus-visible'))
			moveTo(now.rows[0], true);
	});
	panel.scroll.addEventListener('scroll', app.tip.hide);

	app.menuOfCursor = () => {
		const at = app.target();

		if (at) {
			const { x, y } = panel.where(at.row, at.ns);

			app.openRowMenu(at, x, y);
		}
	};

	app.stage = { moveTo, walkStalls, walkSpans };
	pyrograph.ui.keys(app, { move: move, page: panel.page, undo: app.undoOrReset,
		choose: (at) => at.span >= 0 && app.part.show(data.start[at.span], data.start[at.span] +
			data.time[at.span]) });
};
