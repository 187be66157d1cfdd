/* heat_view: the maps on the page: cells on a canvas of device pixels (cells.js); above the canvas, as SVG,
 * axes, percentile lines, and outlines (marks.js).
 *
 * app.cellsRoom()    -> px that are available for columns
 * app.drawMaps()     draws what has changed
 * app.redraw()       after a change of the room: draws the maps, or all parts if the columns have changed
 * app.plots          for each map: { element, map, left, top, width, height, columnPx, rowPx }
 * app.cellAt(x, y)   -> { plot, column, row } for a point of the window, or null; with plot given, a point
 *     outside this plot stands for its nearest cell
 * app.nsAtX(plot, x) -> the time in ns at x, in px of plot.box
 * app.draw           { yOf(plot, row), text(parent, x, y, words, attributes) } */
pyrograph.heat.view = function (app) {
	'use strict';

	const D = pyrograph.ui.dom, H = pyrograph.heat, T = H.ticks, { settings, page } = app;
	const CELL_MAX = 16, COLUMN_MAX = 200, CELL_LEAST = 3, MAP_LEAST = 200, SMALL_LEAST = 84, AXIS_PX = 34,
		TITLE_PX = 20, RIGHT = 14, TOP = 6;
	const GAP = 6, TIMES_PX = 24, PAPER_PX = 460, Y_APART = 30, WIDE_LABEL = 8;
	const DAY = 86400e9;
	let drawn = null;       /* what the canvases show now */
	let yLabels = '', labelPx = 0;

	app.plots = [];
	page.map.setAttribute('role', 'application');
	page.map.setAttribute('tabindex', '0');
	page.map.setAttribute('aria-roledescription', 'heat map');

	/* ---- sizes ---- */

	/* 1, 10, 100, ... within a range: where logarithmic axes have labels. */
	const powers = (low, high) => Array.from({ length: 19 }, (unused, n) => Math.pow(10, n)).filter((value) =>
		value >= low && value <= high);

	/* The left margin is as wide as the widest label; labels hardly depend on the height. */
	function leftOf() {
		const key = JSON.stringify([app.view.period, settings.period, settings.y, settings.value]);

		if (key !== yLabels) {
			const period = app.view.period || Number(settings.period), [low, high] = settings.value ||
				['0', '1'];
			const axes = settings.y === 'offset' ? [0, period, period * 0.975]
				: settings.y === 'utilization' ? [10000]
					: [Number(low), Number(high), Number(high) / 3,
						...powers(Number(low), Number(high))];

			yLabels = key;
			labelPx = Math.max(...axes.map((value) =>
				app.ruler.width(T.valueText(settings, { y: settings.y, period: period },
					value)))) + WIDE_LABEL;
		}
		return Math.ceil(Math.min(labelPx, 120)) + 10;
	}
	/* Several maps stand side by side if they are narrow, or if they do not all fit below each other. */
	function across() {
		if (app.lanes) /* which are below each of the maps */
			return 1;
		const { from, to } = app.asked(), period = app.view.period ||
			Number(settings.period) * settings.perColumn;
		const columns = Math.ceil((to - from) / period), count = app.mapsDrawn, wide = page.map.clientWidth ||
			app.drawnWidth;
		const most = (cellPx) => Math.max(1, Math.floor(wide / (leftOf() + RIGHT + columns * cellPx)));
		let wanted = Math.min(count, most(CELL_MAX));

		while (wanted < Math.min(count, most(CELL_LEAST)) &&
			Math.ceil(count / wanted) * (SMALL_LEAST + TITLE_PX + GAP) + AXIS_PX > page.map.clientHeight)
			wanted++;
		return wanted;
	}
	app.cellsRoom = () => Math.max(60, Math.floor((page.map.clientWidth ||
		app.drawnWidth) / across() - leftOf() - RIGHT));

	const isZoomed = () => app.view.from !== null;
	const ratio = () => app.onPaper ? 2 : window.devicePixelRatio || 1;

	/* Rounds to whole device pixels, if that changes little. */
	function stepped(px) {
		const device = px * ratio();

		return device >= 3 ? Math.floor(device) / ratio() : px;
	}

	function measure(axes, count) {
		const room = app.cellsRoom(), columnPx = isZoomed() ? room / axes.columns
			: Math.min(room / axes.columns, COLUMN_MAX);
		const high = app.onPaper ? PAPER_PX : page.map.clientHeight || 400, titles = count > 1 ? TITLE_PX : 0;
		const down = Math.ceil(count / across()), each =
			(high - AXIS_PX - TOP - (titles + GAP + TOP) * down) / down;
		const least = count > 1 ? SMALL_LEAST : MAP_LEAST;
		const rowPx = stepped(Math.max(Math.min(each / axes.rows, CELL_MAX), least / axes.rows));

		return { left: leftOf(), top: TOP, columnPx: columnPx, rowPx: rowPx, width: columnPx * axes.columns,
			height: rowPx * axes.rows };
	}

	/* ---- axes ---- */

	const yOf = (plot, at) => plot.top + (settings.inverted ? at : app.grids().axes.rows - at) * plot.rowPx;
	const xOfNs = (plot, ns) => {
		const { axes } = app.grids();

		return plot.left + (ns - H.grid.columnNs(axes, 0)) / (axes.period * axes.perColumn) * plot.columnPx;
	};
	app.nsAtX = (plot, x) => {
		const { axes } = app.grids();

		return H.grid.columnNs(axes, 0) + (x - plot.left) / plot.columnPx * axes.period * axes.perColumn;
	};

	/* ns to be added to ns from the origin to get the zone's time of the day. */
	const zoneOffset = () => (Number(BigInt(settings.origin) % BigInt(DAY)) + app.zoneNs() + DAY) % DAY;

	function text(parent, x, y, words, more) {
		const e = D.svg('text', Object.assign({ x: x.toFixed(1), y: y.toFixed(1) }, more), parent);

		e.textContent = words;
		return e;
	}

	app.draw = { yOf: yOf, text: text };

	function drawY(g, plot, axes) {
		for (const { at, text: words } of T.rows(axes, settings, plot.height, Y_APART)) {
			const y = yOf(plot, at);

			if (y < plot.top - 1 || y > plot.top + plot.height + 1)
				continue;
			D.svg('path', { 'class': 'tick', d: `M${plot.left - 4} ${y.toFixed(1)}h4` }, g);
			text(g, plot.left - 7, y + settings.fontSize * 0.35, words, { 'text-anchor': 'end' });
		}
	}

	function drawX(g, plot, axes, isFirst) {
		const clock = app.clock(), bottom = plot.top + plot.height, end = plot.left + Math.max(plot.width, 200);
		const width = (words) => app.ruler.width(words);
		let free = -Infinity;

		for (const tick of T.time(axes, clock, zoneOffset(), plot.width, width)) {
			const x = xOfNs(plot, tick.ns), half = width(tick.text) / 2, at = Math.max(x, half);

			D.svg('path', { 'class': 'tick tick-x', 'data-x': x, d: `M${x.toFixed(1)} ${bottom}v4` }, g);
			if (at - half < free || at + half > plot.left + app.cellsRoom() + RIGHT)
				continue;
			text(g, at, bottom + 5 + settings.fontSize, tick.text, { 'text-anchor': 'middle' });
			free = at + half + 8;
		}
		if (!isFirst)
			return;
		const { from, to } = app.shown(), first = clock.date(from), last = clock.date(to - 1);
		const when = settings.relative ? clock.label : (first === last ? first : first + ' \u2013 ' + last) +
			' ' + clock.label;
		const cells = T.cellText(settings, axes), y = bottom + 7 + settings.fontSize * 2.2;

		text(g, plot.left, y, when, { 'class': 'quiet-text' });
		if (plot.left + width(when) + 24 + width(cells) < plot.left + app.cellsRoom() + RIGHT)
			text(g, Math.max(end, plot.left + width(when) + 24 + width(cells)), y, cells,
				{ 'class': 'quiet-text', 'text-anchor': 'end' });
	}

	/* Draws percentiles as steps over the columns; a line is interrupted where it leaves the rows. */
	function drawLines(g, plot, map) {
		const { axes } = app.grids();

		for (const { percent, values } of map.lines) {
			let d = '', pen = false, last = 0;

			values.forEach((value, column) => {
				const known = T.isOn(axes, value), y = known
					? yOf(plot, Math.max(0, Math.min(T.rowAt(axes, value), axes.rows))) : 0;
				const x = plot.left + column * plot.columnPx;

				if (known)
					d += (pen ? 'L' : 'M') + x.toFixed(1) + ' ' + (last = y).toFixed(1) + 'h' +
						plot.columnPx.toFixed(2);
				pen = known;
			});
			if (!d)
				continue;
			D.svg('path', { 'class': 'line-halo', d: d }, g);
			D.svg('path', { 'class': 'line line-' + T.dash(percent), d: d }, g);
			text(g, plot.left + plot.width - 3, Math.max(plot.top + settings.fontSize, last - 4), 'p' +
				percent,
			{ 'text-anchor': 'end', 'class': 'line-label' });
		}
	}

	/* ---- the maps ---- */

	function makePlot(map) {
		const title = D.html('h2', { 'class': 'heat-title' }, map.title);
		const canvas = D.html('canvas', { 'class': 'cells' }),
			svg = D.svg('svg', { 'class': 'marks', 'aria-hidden': 'true' });
		const box = D.html('div', { 'class': 'plot' }, canvas, svg);
		const plot = { element: D.html('div', { 'class': 'heat-map' }, map.title ? title : null, box), box: box,
			canvas: canvas, svg: svg,
			axis: D.svg('g', { 'class': 'axis' }, svg), lines: D.svg('g', { 'class': 'lines' }, svg),
			marks: D.svg('g', {}, svg), pointed: D.svg('g', {}, svg) };

		if (map.flag)
			title.append(' ', D.html('span', { 'class': 'wrong' }, map.flag));
		return plot;
	}

	/* isLast: no map is below this one; isFirst: it is the first of those; hasTimes: maps that are not last have
	 * times, too, because the last ones are out of sight. */
	function drawPlot(plot, isLast, isFirst, hasTimes, grids) {
		const { axes } = grids, high = plot.top + plot.height +
			(isLast ? AXIS_PX + 6 : hasTimes ? TIMES_PX : GAP);

		plot.box.style.height = high + 'px';
		plot.svg.setAttribute('width', Math.max(plot.left + plot.width, plot.left + app.cellsRoom()) + RIGHT);
		plot.svg.setAttribute('height', high);
		Object.assign(plot.canvas.style, { left: plot.left + 'px', top: plot.top + 'px', width: plot.width +
			'px', height: plot.height + 'px' });
		app.paintCells(plot.canvas, grids, plot.map, plot.columnPx, plot.rowPx, ratio(), app.isDark());
		plot.axis.replaceChildren();
		D.svg('path', { 'class': 'edge',
			d: `M${plot.left - 0.5} ${plot.top}v${plot.height + 0.5}h${plot.width + 0.5}` }, plot.axis);
		drawY(plot.axis, plot, axes);
		if (isLast || hasTimes)
			drawX(plot.axis, plot, axes, isLast && isFirst);
		plot.lines.replaceChildren();
		drawLines(plot.lines, plot, plot.map);
	}

	app.drawMaps = () => {
		const grids = app.grids();

		if (app.plots.length !== grids.maps.length) {
			app.plots = grids.maps.map(makePlot);
			page.map.replaceChildren(...app.plots.map((plot) => plot.element));
			page.map.classList.toggle('several', app.plots.length > 1);
		}
		const size = measure(grids.axes, app.plots.length);
		const key = [grids, app.isDark(), app.ramp(), app.view.zone, ratio(), size.columnPx, size.rowPx,
			app.cellsRoom(), app.onPaper];

		if (!drawn || !key.every((part, i) => part === drawn[i])) {
			const wide = across(), down = Math.ceil(app.plots.length / wide);
			const isLong = !app.onPaper && down * (size.height + TITLE_PX + GAP + TOP) +
				AXIS_PX > page.map.clientHeight + AXIS_PX;

			drawn = key;
			page.map.style.gridTemplateColumns = `repeat(${wide}, minmax(0, 1fr))`;
			app.plots.forEach((plot, i) => {
				Object.assign(plot, size, { map: grids.maps[i] });
				drawPlot(plot, i + wide >= app.plots.length, i % wide === 0, isLong, grids);
			});
		}
		if (app.lanes)
			app.drawLanes();
		app.drawMarks();
	};

	app.cellAt = (x, y, plot) => {
		const { axes } = app.grids(), found = plot || app.plots.find(({ canvas }) => {
			const box = canvas.getBoundingClientRect();

			return x >= box.left && x < box.right && y >= box.top && y < box.bottom;
		});

		if (!found)
			return null;
		const box = found.canvas.getBoundingClientRect(), within = (n, most) =>
			Math.max(0, Math.min(Math.floor(n), most - 1));
		const row = within((y - box.top) / box.height * axes.rows, axes.rows);

		return { plot: found, column: within((x - box.left) / box.width * axes.columns, axes.columns),
			row: settings.inverted ? row : axes.rows - 1 - row };
	};

	app.redraw = () => app.isTold() ? app.drawMaps() : app.refresh();
	app.onchange(app.drawMaps);
	/* Draws again when a neighbour of the maps has taken or given room. */
	new ResizeObserver(() => app.links && app.redraw()).observe(page.map);
};
