/* heat_marks: outlines over the cells: of the selection (A), of the range compared with it (B), and of the
 * cell under the pointer.
 *
 * app.drawMarks()    draws what changes while the cells stay; app.preview: { range, letter, map } while the
 *     reader drags
 * app.point(cell)    outlines a cell (see app.cellAt in view.js); null: none
 * app.pointTime(ns)  draws a line through all maps */
pyrograph.heat.marks = function (app) {
	'use strict';

	const D = pyrograph.ui.dom, S = pyrograph.heat.select, { settings } = app, { text } = app.draw;

	/* The selected cells of a column, as ranges of rows: [[from, to], ...]. */
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

	/* Outlines the selection; neighbouring columns with the same ranges of rows get one outline. */
	function outline(plot, axes, selection) {
		const blocks = [];
		let last = '[]';

		const first = Math.max(0, Math.floor((selection.from - axes.start) / axes.column));
		const end = Math.min(axes.columns, Math.ceil((selection.to - axes.start) / axes.column));

		for (let column = first; column < end; column++) {
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

	/* The edge between two neighbouring columns: the rows in which only one of the two is selected. */
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
		const x = (column) => (plot.left + column * plot.columnPx).toFixed(1), y = (row) =>
			app.draw.yOf(plot, row).toFixed(1);
		const d = [], side = (column, a, b) => between(a, b).forEach(([from, to]) =>
			d.push(`M${x(column)} ${y(from)}V${y(to)}`));

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
		const x = plot.left + first.from * plot.columnPx,
			y = app.draw.yOf(plot, settings.inverted ? first.runs[0][0]
				: first.runs[first.runs.length - 1][1]);

		text(g, x + 1, y > plot.top + settings.fontSize + 4 ? y - 4 : y + settings.fontSize + 1, letter,
			{ 'class': 'range-label' });
	}

	function cellBox(plot, cell) {
		return { x: plot.left + cell.column * plot.columnPx, width: plot.columnPx, height: plot.rowPx,
			y: app.draw.yOf(plot, settings.inverted ? cell.row : cell.row + 1) };
	}

	function cellMark(g, plot, cell, className) {
		const box = cellBox(plot, cell);

		D.svg('rect', { 'class': className, x: (box.x - 1).toFixed(1), y: (box.y - 1).toFixed(1),
			width: (box.width + 2).toFixed(1), height: (box.height + 2).toFixed(1) }, g);
	}

	/* Draws the marks, without the cells. */
	app.drawMarks = () => {
		const { axes } = app.grids(), { selection, baseline } = app.view, { preview } = app;
		const ranges = [[baseline, 'B', app.mapOf(baseline)],
			[selection, 'A', app.mapOf(selection)]].filter(([range, letter]) => range &&
			!(preview && preview.letter === letter)).concat(preview
			? [[preview.range, preview.letter, preview.map]] : []);

		for (const plot of app.plots) {
			plot.marks.replaceChildren();
			for (const [range, letter, number] of ranges) {
				if (plot.map.number === number || app.plots.length === 1)
					drawRange(plot.marks, plot, axes, range, letter);
			}
		}
		if (app.lanes)
			app.markLanes(ranges);
	};
	app.point = (cell) => {
		for (const plot of app.plots)
			plot.pointed.replaceChildren();
		if (cell)
			cellMark(cell.plot.pointed, cell.plot, cell, 'pointed');
		if (app.lanes)
			app.pointLanes(cell ? app.cellRange(cell) : null);
	};
	app.pointTime = (ns) => {
		const { axes } = app.grids();

		for (const plot of app.plots) {
			const x = plot.left + (ns - axes.start) / (axes.end - axes.start) * plot.width;

			D.svg('path', { 'class': 'pointed', d: `M${x.toFixed(1)} ${plot.top}v${plot.height}` },
				plot.pointed);
		}
	};
};
