/* heat_cells: the cells of a map as pixels.
 *
 * app.paintCells(canvas, grids, map, columnPx, rowPx, scale, dark)  makes canvas show map, so large;
 *     scale: canvas pixels in a px
 * app.canvasOf(map, columnPx, rowPx, dark) -> its cells as a canvas, for saving
 * app.restColour() -> "#rrggbb" of what has no hue, where it is most */
pyrograph.heat.cells = function (app) {
	'use strict';

	const D = pyrograph.ui.dom, H = pyrograph.heat, { settings } = app, HATCHED_FROM = 50, DARK_FROM = 500,
		HATCH_PX = 6;

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
		const { scale } = grids, ramp = app.ramp(), cells = map.grid.cells,
			empty = H.scale.rgb(ramp, dark, scale, 0);
		const own = (value) => H.scale.rgb(ramp, dark, scale, value);

		if (map.lit) {
			const strong = H.scale.found(dark), lit = map.lit.cells;
			const pale = remembered((value) => blend(grey(own(value)), empty, 0.55));
			const bright = remembered((value) => blend(empty, strong, 0.35 +
				0.65 * H.scale.of(scale, value)));

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
		const hues = app.hues().numbers.map(H.scale.hue).concat(map.rest ? H.scale.GREY : []);
		const amount = (value) => value ? H.scale.of(scale, value) : 0;
		const kept = new Map(), single = hues.map((hue) =>
			remembered((value) => H.scale.mix([hue], [amount(value)], dark)));

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
				out[(settings.inverted ? row : rows - 1 - row) * columns + column] =
					paint(column * rows + row);
		}
		context.putImageData(image, 0, 0);
		return canvas;
	}

	const isHatched = (map, i) => map.unseen[i] >= HATCHED_FROM;
	/* Most of it was not seen, and nothing is in it: it is told from one in which nothing was. */
	const isDark = (map, i) => map.unseen[i] >= DARK_FROM && !map.grid.cells[i] && !(map.grid.idle[i] > 0);

	/* Thin lines, dark and light: on any colour, which stays what it is. */
	function hatching(context, dark, scale) {
		const size = Math.round(HATCH_PX * scale), tile = D.html('canvas', {});

		tile.width = tile.height = size;
		const pen = tile.getContext('2d');

		pen.lineWidth = Math.max(0.75, 0.75 * scale);
		for (const [colour, by] of [['rgba(20, 24, 30, 0.5)', 0],
			['rgba(255, 255, 255, 0.5)', pen.lineWidth * 1.4]]) {
			pen.strokeStyle = colour;
			pen.beginPath();
			for (const at of [-size, 0, size]) {
				pen.moveTo(at + by - 1, size + 1);
				pen.lineTo(at + by + size + 1, -1);
			}
			pen.stroke();
		}
		return context.createPattern(tile, 'repeat');
	}

	/* Over what was not seen. */
	function hatch(context, axes, map, px, dark) {
		if (!map.unseen.some((n) => n))
			return;
		context.fillStyle = dark ? '#2b3038' : '#e2e5e9';
		fillRuns(context, axes, px, (i) => isDark(map, i));
		context.fillStyle = hatching(context, dark, px.scale);
		fillRuns(context, axes, px, (i) => isHatched(map, i));
	}

	/* Runs of cells at once. */
	function fillRuns(context, axes, px, isOf) {
		const { columns, rows } = axes, { column: w, row: h } = px, x = (c) => Math.round(c * w);

		for (let column = 0; column < columns; column++) {
			for (let row = 0; row < rows; row++) {
				const from = row;

				while (row < rows && isOf(column * rows + row))
					row++;
				if (row > from) {
					const low = settings.inverted ? from : rows - row;

					context.fillRect(x(column), Math.round(low * h), x(column + 1) - x(column),
						Math.round((low + row - from) * h) - Math.round(low * h));
				}
			}
		}
	}

	app.paintCells = (canvas, grids, map, columnPx, rowPx, scale, dark) => {
		const { columns, rows } = grids.axes, context = canvas.getContext('2d');

		canvas.width = Math.max(1, Math.round(columns * columnPx * scale));
		canvas.height = Math.max(1, Math.round(rows * rowPx * scale));
		context.imageSmoothingEnabled = false;
		context.drawImage(pixels(grids, map, dark), 0, 0, canvas.width, canvas.height);
		hatch(context, grids.axes, map, { column: canvas.width / columns, row: canvas.height / rows,
			scale: scale }, dark);
	};
	app.canvasOf = (map, columnPx, rowPx, dark) => {
		const canvas = D.html('canvas', {});

		app.paintCells(canvas, app.grids(), map, columnPx, rowPx, 1, dark);
		return canvas;
	};
	app.restColour = () => H.scale.css(H.scale.hueRgb(H.scale.GREY, 1, app.isDark()));
};
