/* heat_cells: the cells of a map as pixels.
 *
 * app.paintCells(canvas, grids, map, columnPx, rowPx, scale, dark)  draws map on canvas, in cells of this
 *     size; scale: pixels of the canvas for each px
 * app.canvasOf(map, columnPx, rowPx, dark) -> a canvas with the cells of map, for saving
 * app.restColour() -> "#rrggbb" of the highest value without a hue */
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
	/* A grey that is as bright as rgb. */
	function grey(rgb) {
		const y = Math.round((rgb >> 16) * 0.3 + (rgb >> 8 & 255) * 0.59 + (rgb & 255) * 0.11);

		return y << 16 | y << 8 | y;
	}

	/* Returns a function value -> colour that works out the colour of each value only once. */
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

	/* Returns a function (index of a cell) -> the cell's colour in the form that canvases use. */
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

	/* Mixes the hues of the keys with grey for the rest. */
	function huePainter(scale, map, dark) {
		const all = map.rest ? map.ofKey.concat(map.rest) : map.ofKey;
		const hues = app.hues().numbers.map(H.scale.hue).concat(map.rest ? H.scale.GREY : []);
		const amount = (value) => value ? H.scale.ofHue(scale, value) : 0;
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

	/* Draws the map with one pixel for each cell. */
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

	const isHatched = (map, i) => map.unseen[i] >= HATCHED_FROM || (map.doubt && map.doubt.cells[i] > 0);
	/* Was most of a cell without events not seen?  Such a cell must look different from one in which nothing
	 * happened. */
	const isDark = (map, i) => map.unseen[i] >= DARK_FROM && !map.grid.cells[i] && !(map.grid.idle[i] > 0);

	/* A pattern of thin dark and light lines, which is visible on any colour, and leaves the colour
	 * recognisable. */
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

	/* Marks the cells that were not seen, and those of hosts whose clocks are off. */
	function hatch(context, axes, map, px, dark) {
		if (!map.doubt && !map.unseen.some((n) => n))
			return;
		context.fillStyle = dark ? '#2b3038' : '#e2e5e9';
		fillRuns(context, axes, px, (i) => isDark(map, i));
		context.fillStyle = hatching(context, dark, px.scale);
		fillRuns(context, axes, px, (i) => isHatched(map, i));
	}

	/* Fills the cells for which isOf(cell) is true; neighbours of a column are filled together. */
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
