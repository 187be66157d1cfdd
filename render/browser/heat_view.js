/* heat_view: the maps as they are seen: cells on a canvas of device pixels, and above it, as SVG,
 * axes, percentile lines, and outlines of what is selected, of the cursor and of what is pointed at.
 *
 * app.cellsRoom()    -> how many px there are for columns
 * app.drawMaps()     draws what has changed
 * app.plots          of each map: { element, map, left, top, width, height, columnPx, rowPx }
 * app.cellAt(x, y)   -> of a point of the window: { plot, column, row } or null; beyond the cells'
 *     edges: the nearest cell of plot, when that is given
 * app.point(cell)    outlines it; null: none
 * app.canvasOf(map, columnPx, rowPx, dark) -> its cells as a canvas, for saving */
pyrograph.heat.view = function (app) {
	'use strict';

	const D = pyrograph.ui.dom, H = pyrograph.heat, T = H.ticks, S = H.select, { settings, page } = app;
	const CELL_MAX = 16, ZOOMED_CELL_MAX = 64, MAP_LEAST = 200, SMALL_LEAST = 84, AXIS_PX = 34, TITLE_PX = 20, RIGHT = 14, TOP = 6;
	const GAP = 6, Y_APART = 30, WIDE_LABEL = 8, HATCHED_FROM = 50;
	const DAY = 86400e9;
	let drawn = null;       /* what the canvases show */
	let yLabels = '', labelPx = 0;

	app.plots = [];
	page.map.setAttribute('role', 'application');
	page.map.setAttribute('tabindex', '0');
	page.map.setAttribute('aria-roledescription', 'heat map');

	/* ---- sizes ---- */

	const plotsAcross = () => 1;
	/* As wide as the widest of the labels, which do not depend on the height much. */
	function leftOf() {
		const key = JSON.stringify([app.view.period, settings.period, settings.y, settings.value]);

		if (key !== yLabels) {
			const period = app.view.period || Number(settings.period), [low, high] = settings.value || ['0', '1'];
			const axes = settings.y === 'offset' ? [0, period, period * 0.975] : settings.y === 'utilization' ? [10000]
				: [Number(low), Number(high), Number(high) / 3];

			yLabels = key;
			labelPx = Math.max(...axes.map((value) => app.ruler.width(T.valueText(settings, { y: settings.y, period: period },
				value)))) + WIDE_LABEL;
		}
		return Math.ceil(Math.min(labelPx, 120)) + 10;
	}
	app.cellsRoom = () => Math.max(60, Math.floor((page.map.clientWidth || app.drawnWidth) / plotsAcross() - leftOf() - RIGHT));

	const isZoomed = () => app.view.from !== null;
	const ratio = () => app.onPaper ? 2 : window.devicePixelRatio || 1;

	/* Whole device pixels where that costs little. */
	function stepped(px) {
		const device = px * ratio();

		return device >= 3 ? Math.floor(device) / ratio() : px;
	}

	function measure(axes, count) {
		const room = app.cellsRoom(), columnPx = Math.min(room / axes.columns, isZoomed() ? ZOOMED_CELL_MAX : CELL_MAX);
		const high = page.map.clientHeight || 400, titles = count > 1 ? TITLE_PX : 0;
		const each = (high - AXIS_PX - TOP - (titles + GAP) * count) / count;
		const least = count > 1 ? SMALL_LEAST : MAP_LEAST;
		const rowPx = stepped(Math.max(Math.min(each / axes.rows, CELL_MAX), least / axes.rows));

		return { left: leftOf(), top: TOP, columnPx: columnPx, rowPx: rowPx, width: columnPx * axes.columns,
			height: rowPx * axes.rows };
	}

	/* ---- cells ---- */

	const shade = (rgb) => 0xff000000 | (rgb & 255) << 16 | (rgb & 0xff00) | rgb >> 16 & 255;

	function blend(a, b, part) {
		let rgb = 0;

		for (const shift of [16, 8, 0])
			rgb |= Math.round((a >> shift & 255) * (1 - part) + (b >> shift & 255) * part) << shift;
		return rgb;
	}
	/* As bright, without a hue. */
	function grey(rgb) {
		const y = Math.round((rgb >> 16) * 0.3 + (rgb >> 8 & 255) * 0.59 + (rgb & 255) * 0.11);

		return y << 16 | y << 8 | y;
	}

	/* value -> colour, worked out once for each. */
	function remembered(colour) {
		const known = new Map();

		return (value) => {
			let rgb = known.get(value);

			if (rgb === undefined) {
				rgb = shade(colour(value));
				known.set(value, rgb);
			}
			return rgb;
		};
	}

	/* (index of a cell) -> what canvases have as its colour */
	function painter(grids, map, dark) {
		const { scale } = grids, ramp = app.ramp(), cells = map.grid.cells, empty = H.scale.rgb(ramp, dark, scale, 0);
		const own = (value) => H.scale.rgb(ramp, dark, scale, value);

		if (map.lit) {
			const strong = dark ? 0x5cc8ff : 0x0050c8, lit = map.lit.cells;
			const pale = remembered((value) => blend(grey(own(value)), empty, 0.55));
			const bright = remembered((value) => blend(empty, strong, 0.35 + 0.65 * H.scale.of(scale, value)));

			return (i) => lit[i] ? bright(lit[i]) : pale(cells[i]);
		}
		if (map.ofKey)
			return huePainter(scale, map, dark);
		const colour = remembered(own);

		return (i) => colour(cells[i]);
	}

	/* Hues of the keys, grey for the rest, mixed. */
	function huePainter(scale, map, dark) {
		const all = map.rest ? map.ofKey.concat(map.rest) : map.ofKey;
		const hues = map.ofKey.map((grid, k) => H.scale.hue(k)).concat(map.rest ? H.scale.GREY : []);
		const amount = (value) => value ? H.scale.of(scale, value) : 0;
		const kept = new Map(), single = hues.map((hue) => remembered((value) => H.scale.mix([hue], [amount(value)], dark)));

		return (i) => {
			let only = -1, several = false, key = '';

			for (let k = 0; k < all.length; k++) {
				if (all[k].cells[i]) {
					several = only >= 0;
					if (several)
						break;
					only = k;
				}
			}
			if (!several)
				return only < 0 ? single[0](0) : single[only](all[only].cells[i]);
			for (let k = 0; k < all.length; k++)
				key += all[k].cells[i] + ',';
			if (!kept.has(key))
				kept.set(key, shade(H.scale.mix(hues, all.map((grid) => amount(grid.cells[i])), dark)));
			return kept.get(key);
		};
	}

	/* One pixel a cell. */
	function pixels(grids, map, dark) {
		const { columns, rows } = grids.axes, canvas = D.html('canvas', {}), paint = painter(grids, map, dark);

		canvas.width = columns;
		canvas.height = rows;
		const context = canvas.getContext('2d'), image = context.createImageData(columns, rows);
		const out = new Uint32Array(image.data.buffer);

		for (let column = 0; column < columns; column++) {
			for (let row = 0; row < rows; row++)
				out[(settings.inverted ? row : rows - 1 - row) * columns + column] = paint(column * rows + row);
		}
		context.putImageData(image, 0, 0);
		return canvas;
	}

	const isHatched = (map, i) => map.unseen[i] >= HATCHED_FROM || (map.unseen[i] > 0 && !map.grid.cells[i]);

	function hatching(context, dark, scale) {
		const size = Math.round(6 * scale), tile = D.html('canvas', {});

		tile.width = tile.height = size;
		const pen = tile.getContext('2d');

		pen.fillStyle = dark ? '#2b3038' : '#eceef1';
		pen.globalAlpha = 0.6;
		pen.fillRect(0, 0, size, size);
		pen.globalAlpha = 1;
		pen.strokeStyle = dark ? '#7d8590' : '#9aa1aa';
		pen.lineWidth = Math.max(1, scale);
		for (const at of [-size, 0, size]) {
			pen.moveTo(at - 1, size + 1);
			pen.lineTo(at + size + 1, -1);
		}
		pen.stroke();
		return context.createPattern(tile, 'repeat');
	}

	/* Over what was not seen, runs of cells at once. */
	function hatch(context, axes, map, px, dark) {
		const { columns, rows } = axes, { column: w, row: h } = px, x = (c) => Math.round(c * w);

		if (!map.unseen.some((n) => n))
			return;
		context.fillStyle = hatching(context, dark, px.scale);
		for (let column = 0; column < columns; column++) {
			for (let row = 0; row < rows; row++) {
				const from = row;

				while (row < rows && isHatched(map, column * rows + row))
					row++;
				if (row > from) {
					const low = settings.inverted ? from : rows - row;

					context.fillRect(x(column), Math.round(low * h), x(column + 1) - x(column),
						Math.round((low + row - from) * h) - Math.round(low * h));
				}
			}
		}
	}

	function paintCells(canvas, grids, map, columnPx, rowPx, scale, dark) {
		const { columns, rows } = grids.axes, context = canvas.getContext('2d');

		canvas.width = Math.max(1, Math.round(columns * columnPx * scale));
		canvas.height = Math.max(1, Math.round(rows * rowPx * scale));
		context.imageSmoothingEnabled = false;
		context.drawImage(pixels(grids, map, dark), 0, 0, canvas.width, canvas.height);
		hatch(context, grids.axes, map, { column: canvas.width / columns, row: canvas.height / rows, scale: scale }, dark);
	}
	app.canvasOf = (map, columnPx, rowPx, dark) => {
		const canvas = D.html('canvas', {});

		paintCells(canvas, app.grids(), map, columnPx, rowPx, 1, dark);
		return canvas;
	};

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

	/* ns to be added to get the zone's time of the day */
	const zoneOffset = () => (Number(BigInt(settings.origin) % BigInt(DAY)) + app.zoneNs() + DAY) % DAY;

	function text(parent, x, y, words, more) {
		const e = D.svg('text', Object.assign({ x: x.toFixed(1), y: y.toFixed(1) }, more), parent);

		e.textContent = words;
		return e;
	}

	function drawY(g, plot, axes) {
		for (const { at, text: words } of T.rows(axes, settings, plot.height, Y_APART)) {
			const y = yOf(plot, at);

			if (y < plot.top - 1 || y > plot.top + plot.height + 1)
				continue;
			D.svg('path', { 'class': 'tick', d: `M${plot.left - 4} ${y.toFixed(1)}h4` }, g);
			text(g, plot.left - 7, y + settings.fontSize * 0.35, words, { 'text-anchor': 'end' });
		}
	}

	function drawX(g, plot, axes) {
		const clock = app.clock(), bottom = plot.top + plot.height, end = plot.left + Math.max(plot.width, 200);
		const width = (words) => app.ruler.width(words);
		let free = -Infinity;

		for (const tick of T.time(axes, clock, zoneOffset(), plot.width, width)) {
			const x = xOfNs(plot, tick.ns), half = width(tick.text) / 2, at = Math.max(x, half);

			D.svg('path', { 'class': 'tick', d: `M${x.toFixed(1)} ${bottom}v4` }, g);
			if (at - half < free || at + half > plot.left + app.cellsRoom() + RIGHT)
				continue;
			text(g, at, bottom + 5 + settings.fontSize, tick.text, { 'text-anchor': 'middle' });
			free = at + half + 8;
		}
		const { from, to } = app.shown(), first = clock.date(from), last = clock.date(to - 1);
		const when = settings.relative ? clock.label : (first === last ? first : first + ' \u2013 ' + last) + ' ' + clock.label;
		const cells = T.cellText(axes), y = bottom + 7 + settings.fontSize * 2.2;

		text(g, plot.left, y, when, { 'class': 'quiet-text' });
		if (plot.left + width(when) + 24 + width(cells) < plot.left + app.cellsRoom() + RIGHT)
			text(g, Math.max(end, plot.left + width(when) + 24 + width(cells)), y, cells, { 'class': 'quiet-text', 'text-anchor': 'end' });
	}

	/* Percentiles as steps over the columns. */
	function drawLines(g, plot, map) {
		const { axes } = app.grids();

		for (const { percent, values } of map.lines) {
			let d = '', pen = false, last = 0;

			values.forEach((value, column) => {
				const known = value === value, y = known ? yOf(plot, Math.max(0, Math.min(T.rowAt(axes, value), axes.rows))) : 0;
				const x = plot.left + column * plot.columnPx;

				if (known)
					d += (pen ? 'L' : 'M') + x.toFixed(1) + ' ' + (last = y).toFixed(1) + 'h' + plot.columnPx.toFixed(2);
				pen = known;
			});
			if (!d)
				continue;
			D.svg('path', { 'class': 'line-halo', d: d }, g);
			D.svg('path', { 'class': 'line', d: d }, g);
			text(g, plot.left + plot.width - 3, Math.max(plot.top + settings.fontSize, last - 4), 'p' + percent,
				{ 'text-anchor': 'end', 'class': 'line-label' });
		}
	}

	/* ---- outlines ---- */

	/* What of a column is selected, as runs of rows: [[from, to], ...] */
	function runs(axes, selection, column) {
		const found = [];

		for (let row = 0; row < axes.rows; row++) {
			if (!S.inSelection(axes, selection, column, row))
				continue;
			if (found.length && found[found.length - 1][1] === row)
				found[found.length - 1][1]++;
			else
				found.push([row, row + 1]);
		}
		return found;
	}

	/* Around neighbours with the same runs at once. */
	function outline(plot, axes, selection) {
		const blocks = [];
		let last = '[]';

		for (let column = 0; column < axes.columns; column++) {
			const now = runs(axes, selection, column), text_ = JSON.stringify(now);

			if (now.length && text_ === last)
				blocks[blocks.length - 1].to = column + 1;
			else if (now.length)
				blocks.push({ from: column, to: column + 1, runs: now });
			last = text_;
		}
		return { d: edges(plot, blocks), first: blocks[0] };
	}

	const rowsIn = (block) => block ? block.runs : [];

	/* The edge between two neighbouring columns of cells: where only one of them is selected. */
	function between(a, b) {
		const marks = [...a, ...b].flat().sort((x, y) => x - y), found = [];
		const inside = (list, at) => list.some(([from, to]) => at >= from && at < to);

		for (let i = 0; i + 1 < marks.length; i++) {
			if (marks[i] < marks[i + 1] && inside(a, marks[i]) !== inside(b, marks[i]))
				found.push([marks[i], marks[i + 1]]);
		}
		return found;
	}

	function edges(plot, blocks) {
		const x = (column) => (plot.left + column * plot.columnPx).toFixed(1), y = (row) => yOf(plot, row).toFixed(1);
		const d = [], side = (column, a, b) => between(a, b).forEach(([from, to]) => d.push(`M${x(column)} ${y(from)}V${y(to)}`));

		blocks.forEach((block, i) => {
			const before = blocks[i - 1], next = blocks[i + 1];

			for (const row of block.runs.flat())
				d.push(`M${x(block.from)} ${y(row)}H${x(block.to)}`);
			side(block.from, rowsIn(before && before.to === block.from ? before : null), block.runs);
			if (!next || next.from !== block.to)
				side(block.to, block.runs, []);
		});
		return d.join('');
	}

	function drawRange(g, plot, axes, selection, letter) {
		const { d, first } = outline(plot, axes, selection);

		if (!d)
			return;
		D.svg('path', { 'class': 'range-halo', d: d }, g);
		D.svg('path', { 'class': 'range range-' + letter.toLowerCase(), d: d }, g);
		const x = plot.left + first.from * plot.columnPx, y = yOf(plot, settings.inverted ? first.runs[0][0] : first.runs[first.runs.length - 1][1]);

		text(g, x + 1, y > plot.top + settings.fontSize + 4 ? y - 4 : y + settings.fontSize + 1, letter, { 'class': 'range-label' });
	}

	function cellBox(plot, cell) {
		return { x: plot.left + cell.column * plot.columnPx, width: plot.columnPx, height: plot.rowPx,
			y: yOf(plot, settings.inverted ? cell.row : cell.row + 1) };
	}

	function cellMark(g, plot, cell, className) {
		const box = cellBox(plot, cell);

		D.svg('rect', { 'class': className, x: (box.x - 1).toFixed(1), y: (box.y - 1).toFixed(1),
			width: (box.width + 2).toFixed(1), height: (box.height + 2).toFixed(1) }, g);
	}

	/* What changes without the cells. */
	app.drawMarks = () => {
		const { axes } = app.grids(), { selection, baseline, map } = app.view, { cursor, preview } = app;
		const ranges = [[baseline, 'B', map], [selection, 'A', map]].filter(([range, letter]) => range &&
			!(preview && preview.letter === letter)).concat(preview ? [[preview.range, preview.letter, preview.map]] : []);

		for (const plot of app.plots) {
			plot.marks.replaceChildren();
			for (const [range, letter, number] of ranges) {
				if (plot.map.number === number || app.plots.length === 1)
					drawRange(plot.marks, plot, axes, range, letter);
			}
			if (cursor && cursor.map === plot.map.number && cursor.column < axes.columns && cursor.row < axes.rows)
				cellMark(plot.marks, plot, cursor, 'cursor');
		}
	};
	app.point = (cell) => {
		for (const plot of app.plots)
			plot.pointed.replaceChildren();
		if (cell)
			cellMark(cell.plot.pointed, cell.plot, cell, 'pointed');
	};

	/* ---- all of it ---- */

	function makePlot(map) {
		const title = D.html('h2', { 'class': 'heat-title' }, map.title);
		const canvas = D.html('canvas', { 'class': 'cells' }), svg = D.svg('svg', { 'class': 'marks', 'aria-hidden': 'true' });
		const box = D.html('div', { 'class': 'plot' }, canvas, svg);
		const plot = { element: D.html('div', { 'class': 'heat-map' }, map.title ? title : null, box), box: box, canvas: canvas, svg: svg,
			axis: D.svg('g', { 'class': 'axis' }, svg), lines: D.svg('g', { 'class': 'lines' }, svg),
			marks: D.svg('g', {}, svg), pointed: D.svg('g', {}, svg) };

		if (map.flag)
			title.append(' ', D.html('span', { 'class': 'wrong' }, map.flag));
		return plot;
	}

	function drawPlot(plot, isLast, grids) {
		const { axes } = grids, high = plot.top + plot.height + (isLast ? AXIS_PX + 6 : GAP);

		plot.box.style.height = high + 'px';
		plot.svg.setAttribute('width', Math.max(plot.left + plot.width, plot.left + app.cellsRoom()) + RIGHT);
		plot.svg.setAttribute('height', high);
		Object.assign(plot.canvas.style, { left: plot.left + 'px', top: plot.top + 'px', width: plot.width + 'px', height: plot.height + 'px' });
		paintCells(plot.canvas, grids, plot.map, plot.columnPx, plot.rowPx, ratio(), app.isDark());
		plot.axis.replaceChildren();
		D.svg('path', { 'class': 'edge', d: `M${plot.left - 0.5} ${plot.top}v${plot.height + 0.5}h${plot.width + 0.5}` }, plot.axis);
		drawY(plot.axis, plot, axes);
		if (isLast)
			drawX(plot.axis, plot, axes);
		plot.lines.replaceChildren();
		drawLines(plot.lines, plot, plot.map);
	}

	app.drawMaps = () => {
		const grids = app.grids();

		if (app.plots.length !== grids.maps.length) {
			app.plots = grids.maps.map(makePlot);
			page.map.replaceChildren(...app.plots.map((plot) => plot.element));
		}
		const size = measure(grids.axes, app.plots.length);
		const key = [grids, app.isDark(), app.ramp(), app.view.zone, ratio(), size.columnPx, size.rowPx, app.cellsRoom(), app.onPaper];

		if (!drawn || !key.every((part, i) => part === drawn[i])) {
			drawn = key;
			app.plots.forEach((plot, i) => {
				Object.assign(plot, size, { map: grids.maps[i] });
				drawPlot(plot, i === app.plots.length - 1, grids);
			});
		}
		app.drawMarks();
	};

	app.cellAt = (x, y, plot) => {
		const { axes } = app.grids(), found = plot || app.plots.find(({ canvas }) => {
			const box = canvas.getBoundingClientRect();

			return x >= box.left && x < box.right && y >= box.top && y < box.bottom;
		});

		if (!found)
			return null;
		const box = found.canvas.getBoundingClientRect(), within = (n, most) => Math.max(0, Math.min(Math.floor(n), most - 1));
		const row = within((y - box.top) / box.height * axes.rows, axes.rows);

		return { plot: found, column: within((x - box.left) / box.width * axes.columns, axes.columns),
			row: settings.inverted ? row : axes.rows - 1 - row };
	};

	app.onchange(app.drawMaps);
};
