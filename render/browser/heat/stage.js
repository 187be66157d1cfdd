/* heat_stage: pointer and fingers on the maps: they select, compare, zoom and pan.
 *
 * app.zoomTo(from, to), app.zoomBy(factor, ns: the moment that keeps its place), app.panBy(ns), app.showAll(),
 * app.zoomToSelection() */
pyrograph.heat.stage = function (app) {
	'use strict';

	const H = pyrograph.heat, S = H.select, { settings, page } = app, { map } = page,
		alone = app.svg === document.documentElement;
	const MOVED_PX = 4, LONG_PRESS_MS = 500, ZOOM_STEP_MS = 1200, WHEEL_PX = 400, DOUBLE_IN = 4, LEAST_PERIODS = 5,
		LEAST_SHORTER = 10;
	const WHEEL_LINE_PX = 16, DOUBLE_CLICK_MS = 400, NO_CLICK = { x: 0, y: 0, at: -Infinity };
	let anchor = null;      /* the cell that was chosen last, from which a Shift-click selects */
	let gestures = 0, insteadOfClick = false, lastZoom = -Infinity, beforeClick = null, lastClick = NO_CLICK;

	/* ---- the visible time ---- */

	/* The shortest time to which one can zoom in: some columns of the finest period. */
	const least = () => (app.view.period || settings.y === 'utilization' ? LEAST_PERIODS : LEAST_SHORTER) *
		(app.view.period || H.grid.finest(settings));

	app.zoomTo = (from, to) => {
		const { whole } = app, length = Math.min(Math.max(to - from, least()), whole.to - whole.from);
		const middle = (from + to) / 2, begin =
			Math.round(Math.max(whole.from, Math.min(middle - length / 2, whole.to - length)));
		const all = length >= whole.to - whole.from, now = performance.now();
		const changes = all ? { from: null, to: null } : { from: begin, to: Math.round(begin + length) };

		gestures += now - lastZoom > ZOOM_STEP_MS ? 1 : 0;
		lastZoom = now;
		if (changes.from === app.view.from && changes.to === app.view.to)
			return;
		if (insteadOfClick)
			app.touch(changes);
		else
			/* Repeated changes are one step for Back, if nothing else is done in between. */
			app.step(changes, 'zoom ' + gestures);
		insteadOfClick = false;
	};
	app.zoomBy = (factor, ns) => {
		const { from, to } = app.asked(), at = ns === undefined ? (from + to) / 2
			: Math.max(from, Math.min(ns, to));

		app.zoomTo(at - (at - from) * factor, at + (to - at) * factor);
	};
	app.panBy = (ns) => {
		const { from, to } = app.asked(), { whole } = app,
			by = Math.max(whole.from - from, Math.min(ns, whole.to - to));

		if (app.view.from !== null && by)
			app.zoomTo(from + by, to + by);
	};
	app.showAll = () => app.step({ from: null, to: null });
	app.zoomToSelection = () => {
		const { selection } = app.view;

		if (selection) {
			const length = selection.to - selection.from;

			app.zoomTo(selection.from - length / 8, selection.to + length / 8);
		}
	};

	/* ---- selecting ---- */

	/* In maps of how busy CPUs are, few cells of a column have a value, so take the nearest one. */
	function meant(cell) {
		if (!cell || settings.y !== 'utilization')
			return cell;
		const { axes, maps } = app.grids(), { cells } = maps[app.plots.indexOf(cell.plot)].grid,
			base = cell.column * axes.rows;

		for (let by = 0; by < axes.rows; by++) {
			for (const row of [cell.row - by, cell.row + by]) {
				if (row >= 0 && row < axes.rows && cells[base + row])
					return Object.assign({}, cell, { row: row });
			}
		}
		return cell;
	}

	const bare = ({ column, row }) => ({ column: column, row: row });

	/* Adds the number of the cell's map to a range. */
	const inMapOf = (cell, range) => app.plots.length > 1 ? Object.assign(range, { map: cell.plot.map.number })
		: range;

	/* The range from cell a to cell b, in the map of b; rows: only these rows of each column. */
	function rangeOf(a, b, rows) {
		return inMapOf(b, S.ofCells(app.grids().axes, bare(a), bare(b), rows ? 'rows' : 'time'));
	}
	const wantsRows = (event) => event.altKey !== (app.selecting() === 'rows');
	const wantsBaseline = (event) => (event.ctrlKey || event.metaKey) && Boolean(app.view.selection);
	const same = (a, b) => a && b && JSON.stringify(a) === JSON.stringify(b);

	/* The cell from which a Shift-click selects: the anchor, else the begin of the selection, else the first
	 * cell. */
	function beginning() {
		const { axes } = app.grids(), { selection } = app.view;

		if (anchor && anchor.axes === axes)
			return anchor;
		return selection && H.grid.cellAt(axes, Math.max(selection.from, axes.start), selection.low ||
			axes.low) || { column: 0, row: 0 };
	}

	function choose(cell, range, asBaseline) {
		app.step(asBaseline ? { baseline: range } : { selection: range, map: cell.plot.map.number });
	}

	/* A click selects a cell; a click on the selected cell ends the selection; a click with Shift sets the
	 * selection's other end. */
	function clicked(where, event) {
		const cell = meant(where), from = event.shiftKey ? beginning() : cell,
			range = rangeOf(from, cell, wantsRows(event));
		const asBaseline = wantsBaseline(event), key = asBaseline ? 'baseline' : 'selection';

		if (!event.shiftKey)
			anchor = Object.assign({ axes: app.grids().axes }, bare(cell));
		choose(cell, same(app.view[key], range) ? null : range, asBaseline);
		if (!app.view.selection)
			app.step({ baseline: null });
	}

	/* ---- the pointer is down ---- */

	const fingers = new Map();      /* pointerId -> [x, y] */
	let drag = null, press = 0, long = false, touched = false;

	/* The plot whose time axis is at x, y; null: none. */
	function plotOfAxis(x, y) {
		return app.plots.find((plot) => {
			const box = plot.canvas.getBoundingClientRect(), outer = plot.box.getBoundingClientRect();

			return x >= box.left - 2 && x <= box.right + 2 && y >= box.bottom && y <= outer.bottom;
		}) || null;
	}
	function nsAt(x) {
		const plot = app.plots[0];

		return app.nsAtX(plot, x - plot.box.getBoundingClientRect().left);
	}
	const nsPerPx = () => {
		const { axes } = app.grids();

		return axes.period * axes.perColumn / app.plots[0].columnPx;
	};

	function startDrag(event) {
		const { clientX: x, clientY: y } = event, cell = app.cellAt(x, y);

		if (cell)
			drag = { from: [x, y], cell: cell, moved: false, rows: wantsRows(event),
				asBaseline: wantsBaseline(event), extend: event.shiftKey };
		else if (plotOfAxis(x, y) && app.view.from !== null)
			drag = { from: [x, y], pan: app.asked(), perPx: nsPerPx(), moved: false };
	}

	function moveDrag(event) {
		const { clientX: x, clientY: y } = event;

		if (!drag.moved && Math.hypot(x - drag.from[0], y - drag.from[1]) < MOVED_PX)
			return;
		if (!drag.moved) {
			drag.moved = true;
			clearTimeout(press);
			map.setPointerCapture(event.pointerId);
			app.tip.hide();
		}
		if (drag.pan) {
			const by = (drag.from[0] - x) * drag.perPx;

			app.inFrame(() => app.zoomTo(drag.pan.from + by, drag.pan.to + by));
			return;
		}
		const begin = drag.extend ? beginning() : drag.cell, to = app.cellAt(x, y, drag.cell.plot);

		drag.range = rangeOf(begin, to, drag.rows);
		drag.end = to;
		app.preview = { range: drag.range, letter: drag.asBaseline ? 'B' : 'A',
			map: drag.cell.plot.map.number };
		app.drawMarks();
		app.foot.show((drag.asBaseline ? 'B: ' : 'A: ') + app.selectionText(drag.range));
	}

	/* Is this event the second half of a double click? */
	function isSecond({ clientX: x, clientY: y, timeStamp: at }) {
		const second = at - lastClick.at < DOUBLE_CLICK_MS &&
			Math.hypot(x - lastClick.x, y - lastClick.y) < MOVED_PX;

		lastClick = second ? NO_CLICK : { x: x, y: y, at: at };
		return second;
	}

	function endDrag(event, cancelled) {
		const done = drag;

		drag = null;
		app.preview = null;
		if (!done || cancelled) {
			app.drawMarks();
			return;
		}
		if (done.moved && done.range) {
			anchor = Object.assign({ axes: app.grids().axes }, bare(done.extend ? beginning() : done.cell));
			choose(done.end, done.range, done.asBaseline);
		} else if (!done.moved && done.cell && !long && !app.menu.justClosed() && !isSecond(event)) {
			beforeClick = { selection: app.view.selection, baseline: app.view.baseline, map: app.view.map };
			page.settle(DOUBLE_CLICK_MS, () => Boolean(drag || fingers.size || app.menu.isOpen()));
			clicked(done.cell, event);
		}
	}

	/* ---- two fingers ---- */

	let pinch = null;

	const spread = () => {
		const [a, b] = Array.from(fingers.values());

		return { middle: (a[0] + b[0]) / 2, wide: Math.max(20, Math.abs(a[0] - b[0])) };
	};

	function startPinch() {
		const { middle, wide } = spread();

		drag = null;
		app.preview = null;
		clearTimeout(press);
		app.drawMarks();
		pinch = { ns: nsAt(middle), wide: wide, shown: app.asked() };
	}

	/* The time between the two fingers stays between them. */
	function movePinch() {
		const { middle, wide } = spread(), { shown } = pinch, factor = pinch.wide / wide,
			length = (shown.to - shown.from) * factor;
		const plot = app.plots[0], part =
			(middle - plot.box.getBoundingClientRect().left - plot.left) / Math.max(app.cellsRoom(), 1);
		const from = pinch.ns - length * Math.max(0, Math.min(part, 1));

		app.inFrame(() => app.zoomTo(from, from + length));
	}

	/* The view changes at most once for each frame of the screen. */
	let asked = 0, latest = null;

	app.inFrame = (run) => {
		latest = run;
		asked = asked || requestAnimationFrame(() => {
			asked = 0;
			latest();
		});
	};

	/* ---- the menu of a cell ---- */

	const spanText = (cell) => app.cellFacts({ map: cell.plot.map.number, column: cell.column, row: cell.row });

	function openMenuAt(x, y) {
		const cell = meant(app.cellAt(x, y)), { selection } = app.view;

		if (!cell)
			return;
		const facts = spanText(cell), { axes } = app.grids(), last = axes.columns - 1;
		const band = inMapOf(cell, S.ofCells(axes, { column: 0, row: cell.row },
			{ column: last, row: cell.row }, 'rows'));
		const column = inMapOf(cell, S.ofCells(axes, { column: cell.column, row: 0 },
			{ column: cell.column, row: axes.rows - 1 }, 'time'));
		const ns = app.cellRange(cell), at = (ns.from + ns.to) / 2;

		app.menu.open([{ heading: app.ruler.fit(facts.rows + ' \u00b7 ' + facts.when, 300, 1, 'middle') },
			{ label: 'Select this cell', run: () => choose(cell, rangeOf(cell, cell, false), false) },
			{ label: 'Select its column', run: () => choose(cell, column, false) },
			{ label: 'Select its row, of all columns', run: () => choose(cell, band, false) },
			{ label: 'Select from the selection to here', disabled: !selection, run: () =>
				choose(cell, rangeOf(beginning(), cell, app.selecting() === 'rows'), false) },
			{ label: 'Compare the selection with this cell', disabled: !selection, run: () =>
				choose(cell, rangeOf(cell, cell, false), true) },
			app.actionItem('keepB', { disabled: !selection }),
			app.actionItem('exchange', { disabled: !app.view.baseline }), { line: true },
			{ label: 'Zoom in here', key: '+', run: () => app.zoomBy(1 / DOUBLE_IN, at) },
			{ label: 'Zoom to the selection', key: 'Z', disabled: !selection, run: app.zoomToSelection },
			{ label: 'Show all', key: '0', disabled: app.view.from === null, run: app.showAll },
			{ line: true },
			{ label: 'Copy its details', run: () => app.copy(app.cellText(facts), 'details') }], x,
		y, 'Cell');
	}
	app.openCellMenu = openMenuAt;

	/* ---- events ---- */

	map.addEventListener('pointerdown', (event) => {
		touched = event.pointerType === 'touch';
		long = false;
		clearTimeout(press);
		if (touched)
			fingers.set(event.pointerId, [event.clientX, event.clientY]);
		if (fingers.size === 2) {
			startPinch();
			return;
		}
		if (event.button || fingers.size > 2)
			return;
		startDrag(event);
		if (touched && drag) {
			press = setTimeout(() => {
				long = true;
				drag = null;
				openMenuAt(event.clientX, event.clientY);
			}, LONG_PRESS_MS);
		}
	});
	map.addEventListener('pointermove', (event) => {
		if (fingers.has(event.pointerId))
			fingers.set(event.pointerId, [event.clientX, event.clientY]);
		if (pinch && fingers.size === 2)
			movePinch();
		else if (drag && (event.buttons || touched))
			moveDrag(event);
		else if (event.pointerType !== 'touch')
			app.hover(meant(app.cellAt(event.clientX, event.clientY)), event.clientX, event.clientY);
	});
	map.addEventListener('pointerleave', () => {
		if (!drag)
			app.hover(null);
	});
	for (const end of ['pointerup', 'pointercancel']) {
		map.addEventListener(end, (event) => {
			clearTimeout(press);
			fingers.delete(event.pointerId);
			if (!fingers.size || !pinch)
				endDrag(event, end === 'pointercancel');
			if (!fingers.size)
				pinch = null;
		});
	}
	map.addEventListener('dblclick', (event) => {
		if (!app.cellAt(event.clientX, event.clientY) && !plotOfAxis(event.clientX, event.clientY))
			return;
		if (beforeClick) { /* the first half of a double click: neither a choice nor a step */
			Object.assign(app.view, beforeClick);
			insteadOfClick = true;
		}
		beforeClick = null;
		app.zoomBy(event.shiftKey ? DOUBLE_IN : 1 / DOUBLE_IN, nsAt(event.clientX));
		if (insteadOfClick) { /* zooming has changed nothing, so show the former view */
			insteadOfClick = false;
			app.touch({});
		}
	});
	map.addEventListener('contextmenu', (event) => {
		event.preventDefault();
		if (!touched && event.button === 2)
			openMenuAt(event.clientX, event.clientY);
	});

	/* The wheel zooms up and down, and pans sideways.  Where it is needed for something else, it does so only with
	 * Ctrl (which browsers also report for a pinch on a touch pad). */
	map.addEventListener('wheel', (event) => {
		const scrolls = !alone || map.scrollHeight > map.clientHeight + 1, forced = event.ctrlKey ||
			event.metaKey;
		const unit = event.deltaMode ? WHEEL_LINE_PX : 1, sideways = event.shiftKey ? event.deltaY ||
			event.deltaX : event.deltaX;

		if (!app.plots.length || !app.cellAt(event.clientX, event.clientY) &&
			!plotOfAxis(event.clientX, event.clientY))
			return;
		if (!forced && (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY))) {
			if (app.view.from === null)
				return;
			event.preventDefault();
			app.panBy(sideways * unit * nsPerPx());
			return;
		}
		if (scrolls && !forced)
			return;
		event.preventDefault();
		turned += event.deltaY * unit * (forced && !event.deltaMode ? 4 : 1);
		const at = nsAt(event.clientX);

		app.inFrame(() => {
			const by = Math.max(-WHEEL_PX, Math.min(turned, WHEEL_PX));

			turned = 0;
			app.zoomBy(Math.pow(2, by / WHEEL_PX * 2), at);
		});
	}, { passive: false });
	let turned = 0;

	map.addEventListener('scroll', app.tip.hide);
	app.pointerWords.push(['Click', 'select a cell; again: deselect it'], ['Drag', 'select a range of time'],
		['Shift+click', 'select up to here'], ['Alt+drag', 'the same rows of each column'],
		['Ctrl+click, drag', 'a second range to compare with'],
		[alone ? 'Wheel, pinch' : 'Ctrl+wheel, pinch', 'zoom in time'], ['Double click', 'zoom in'],
		['Drag the time axis', 'pan'], ['Right click', 'menu of the cell'],
		['Long press', 'menu of the cell']);
};
