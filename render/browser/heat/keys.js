/* heat_keys: the keyboard: keys move the selection, play, and clear.
 *
 * app.play = { toggle(), on() }: playing moves the selection through time in steps of its own length, view.speed times
 * a second */
pyrograph.heat.keys = function (app) {
	'use strict';

	const H = pyrograph.heat, S = H.select, { data, settings, page } = app;
	const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
	let playing = 0, spoken = 0;

	/* ---- moving the selection ---- */

	/* The first cell that has events; if none has, the first of all. */
	function firstCell() {
		const { axes, maps } = app.grids(), { cells } =
			maps[Math.min(app.mapOf(app.view.selection), maps.length - 1)].grid;
		const at = Math.max(0, cells.findIndex((n) => n));

		return { column: Math.floor(at / axes.rows), row: at % axes.rows };
	}

	/* Returns the changes to the view that bring the selection into sight. */
	function follow(selection) {
		const { from, to } = app.asked(), { axes } = app.grids();

		if (app.view.from === null || (selection.from >= axes.start && selection.to <= axes.end))
			return {};
		const by = selection.from < from || selection.to - selection.from > to - from ? selection.from - from
			: selection.to - to;
		const begin = Math.max(app.whole.from, Math.min(from + by, app.whole.to - (to - from)));

		return { from: begin, to: begin + to - from };
	}

	function take(selection) {
		const inside = selection && selection.to > app.whole.from && selection.from < app.whole.to;

		if (!inside)
			return false;
		app.step(Object.assign({ selection: selection }, follow(selection)), 'move');
		clearTimeout(spoken);
		if (!playing) /* is said only after the last key */
			spoken = setTimeout(() => app.foot.say(app.selectionText(selection)), 150);
		return true;
	}

	/* Moves the selection by columns and rows; positive numbers are later, or higher up. */
	function move(columns, rows, extend) {
		const { axes } = app.grids(), { selection } = app.view, up = settings.inverted ? -rows : rows;

		return selection ? take((extend ? S.extend : S.shift)(selection, axes, columns, up))
			: first(firstCell(), firstCell());
	}
	const first = (a, b) => take(Object.assign(S.ofCells(app.grids().axes, a, b, app.selecting()),
		app.plots.length > 1 ? { map: app.view.map } : {}));

	/* Moves to the first or last visible column that has this row, since the recording may end within a column. */
	function moveToEdge(last) {
		const { axes } = app.grids(), { selection } = app.view;

		if (!selection)
			return move(0, 0, false);
		const at = H.grid.cellAt(axes, Math.max(axes.start, Math.min(selection.from, axes.end - 1)), axes.low);

		const by = (last ? axes.columns - 1 : 0) - (at ? at.column : 0), back = last ? -1 : 1;

		return (by && move(by, 0, false)) || (by + back && move(by + back, 0, false));
	}

	function page_(step) {
		const { from, to } = app.asked();

		if (app.view.from !== null)
			app.panBy(step * (to - from));
		else
			move(step * Math.max(1, Math.round(app.grids().axes.columns / 10)), 0, false);
	}

	/* ---- playing ---- */

	/* Selects a whole column: the first step of playing if nothing is selected. */
	function begin() {
		const { column } = firstCell(), { axes } = app.grids();

		first({ column: column, row: 0 }, { column: column, row: axes.rows - 1 });
	}

	/* One step of playing.  A selection shorter than a column moves by a column, since playing would otherwise take
	 * all day. */
	function stepOn() {
		const { selection } = app.view, length = selection
			? Math.max(selection.to - selection.from, app.grids().axes.column) : 0;

		playing = 0;
		if (!length)
			begin();
		else if (selection.to >= app.whole.to ||
			!take(Object.assign({}, selection, { from: selection.from + length, to: selection.to +
			length }))) {
			stop();
			return;
		}
		playing = setTimeout(stepOn, 1000 / (app.view.speed || 1));
	}
	function stop() {
		clearTimeout(playing);
		playing = 0;
		if (app.view.play)
			app.touch({ play: false });
	}
	app.play = {
		on: () => Boolean(app.view.play),
		toggle: () => {
			if (app.view.play) {
				stop();
				return;
			}
			app.view.play = true;
			if (!app.view.selection)
				begin();
			app.touch({});
			playing = setTimeout(stepOn, 1000 / (app.view.speed || 1));
		},
	};

	/* ---- actions ---- */

	const selected = () => Boolean(app.view.selection), compared = () => Boolean(app.view.baseline);

	/* Ends playing; otherwise clears the comparison, or else the selection, the frame or the search. */
	app.clear = () => {
		const { view } = app;

		if (view.play)
			stop();
		else if (view.baseline)
			app.step({ baseline: null });
		else if (view.selection)
			app.step({ selection: null });
		else if (view.frame)
			app.step({ frame: null });
		else if (view.search)
			app.step({ search: null });
		else
			return false;
		return true;
	};

	Object.assign(app.actions, {
		play: [' ', 'Play: step the selection through time', () => app.play.toggle(), 'Selection'],
		clear: ['Escape', 'Clear the comparison, then the selection', () => app.clear(), 'Selection'],
		keepB: ['b', 'Keep the selection as B, to compare with', () =>
			app.step({ baseline: app.view.selection }), 'Selection', selected],
		exchange: ['x', 'Swap A and B', () =>
			app.step({ selection: app.view.baseline, baseline: app.view.selection,
				map: app.mapOf(app.view.baseline) }), 'Selection', compared],
		rowsMode: ['m', 'Dragging selects time, or rows of each column', () =>
			app.setSelecting(app.selecting() === 'rows' ? 'time' : 'rows'), 'Selection'],
		zoomIn: ['+', 'Zoom in', () => app.zoomBy(0.5, middleOfSelection()), 'Zoom'],
		zoomOut: ['-', 'Zoom out', () => app.zoomBy(2, middleOfSelection()), 'Zoom'],
		zoomAll: ['0', 'Show all', () => app.showAll(), 'Zoom'],
		zoomTo: ['z', 'Zoom to the selection', () => app.zoomToSelection(), 'Zoom', selected],
		flame: ['f', 'Flame graph', () => app.touch({ flameShown: !app.flameIsShown() }), 'View',
			() => data.stacks > 1],
		toFlame: ['Enter', 'Go to the flame graph', () => focusFlame(), 'View', () => app.flameIsShown()],
	});
	app.pointerWords.push(['Arrows', 'move the selection'], ['Shift+arrows', 'make it longer or shorter'],
		['Home, End', 'to the first or the last column'],
		['Page up, down', 'by the time shown, or a tenth of the map']);

	function middleOfSelection() {
		const { selection } = app.view, { from, to } = app.shown();
		const ns = selection ? (selection.from + selection.to) / 2 : NaN;

		return ns >= from && ns <= to ? ns : undefined;
	}

	function focusFlame() {
		const graph = page.flame.hidden ? null : page.flame.querySelector('.embedded:not([hidden]) .graph');

		if (graph)
			graph.focus();
	}

	/* ---- keys ---- */

	/* Opens the menu of the selection's first cell. */
	app.menuOfCursor = () => {
		const { axes } = app.grids(), { selection } = app.view,
			plot = app.plots[Math.min(app.mapOf(selection), app.plots.length - 1)];
		const cell = selection && H.grid.cellAt(axes, Math.max(selection.from, axes.start), selection.low ||
			axes.low) || firstCell();
		const box = plot.canvas.getBoundingClientRect(), row = settings.inverted ? cell.row
			: axes.rows - 1 - cell.row;

		app.openCellMenu(box.left + (cell.column + 0.5) * plot.columnPx, box.top + (row + 0.5) * plot.rowPx);
	};

	/* When the focus comes by the Tab key, announce the selection. */
	page.map.addEventListener('focus', () => {
		if (page.map.matches(':focus-visible') && app.view.selection)
			app.foot.say(app.selectionText(app.view.selection));
	});

	pyrograph.ui.keys(app, { move: (key, isLonger) => move(...ARROWS[key], isLonger), undo: app.clear,
		page: (pages) => isFinite(pages) ? page_(pages) : moveToEdge(pages > 0),
		has: (element) => !element.closest ||
			!element.closest('button, .aside, .heat-flame, [role="separator"]') });

	app.onchange(() => {
		const { axes, maps } = app.grids(), events = H.grid.totalOf(axes, maps.map((map) => map.grid.total)),
			{ from, to } = app.shown();

		page.map.setAttribute('aria-label', app.titleText + ': ' + app.amountText(events) + ', ' +
			app.rangeText(from, to) + ', ' +
			H.ticks.cellText(settings, axes) + '. Arrow keys select.' + (data.count ? '' : ' No events.'));
	});
};
