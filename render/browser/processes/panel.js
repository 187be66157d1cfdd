/* processes_panel: processes as rows over a part of the time (rows_panel.js). */
pyrograph.ui.processesPanel = function (app) {
	'use strict';

	const D = pyrograph.ui.dom, N = pyrograph.number, { data, settings, now } = app, { layout } = settings;
	const { readable } = pyrograph.contrast;
	const GAP = 10, MARGIN_ROWS = 10, LEAST_ROWS = 4, LEAST_BAR = 50, NAME_SHARE = 0.35, INSET = 1;
	const NARROW = 640, LABEL_FROM = 24, PATH = 2, MARK = 3, END = 2, WRONG = '#6d1f16', FAILED = '#8a5a00';
	let tops = [0];

	const { panel, axis, place: placeNow, xOf } = pyrograph.ui.rowsPanel(app, { name: 'processes',
		label: 'processes', data: 'data-row', id: 'process-row-', cursor: () => now.cursor,
		margin: MARGIN_ROWS, least: LEAST_ROWS, placeIn, arrange: placeRows, top: (at) => tops[at],
		high: (at) => tops[at + 1] - tops[at],
		rowsIn: (top, end) => [placeAt(Math.max(0, top)), Math.min(now.rows.length, placeAt(end) + 1)],
		drawRow, empty: 'No row is left.' });
	const { px, text } = axis;

	/* ---- where ---- */

	function placeIn(width) {
		const name = Math.min(layout.nameWidth, width * NAME_SHARE), noted = width > NARROW;
		const barX = noted ? layout.barX - layout.nameWidth + name : layout.pad + name + GAP;

		return { width, nameX: layout.pad, gap: GAP, name, barX, noteX: noted ? layout.noteX -
			layout.nameWidth + name : null,
		bar: Math.max(LEAST_BAR, Math.floor(width - layout.pad - barX)), pitch: layout.rowHeight };
	}

	const heightOf = ({ lanes }) => lanes > 1 ? Math.max(layout.rowHeight, lanes * layout.laneHeight + 4)
		: layout.rowHeight;

	function placeRows() {
		tops = [0];
		for (const row of now.rows)
			tops.push(tops[tops.length - 1] + heightOf(data.rows[row]));
	}

	/* The number of the row at a height, counted on the screen. */
	function placeAt(y) {
		let low = 0, high = now.rows.length;

		while (low < high) {
			const middle = low + high >> 1;

			if (tops[middle + 1] <= y)
				low = middle + 1;
			else
				high = middle;
		}
		return low;
	}

	/* ---- drawing ---- */

	panel.noteOf = (row) => N.durationText(Math.round(data.rows[row].cpu)) + ' CPU';

	/* Shapes by colour; a shape is left out if it cannot be distinguished from the previous one in its lane. */
	function drawSpans(parent, number, top, place) {
		const row = data.rows[number], { from, to } = app.part, right = place.barX + place.bar;
		const lane = (heightOf(row) - 2 * INSET) / row.lanes, high = lane - (row.lanes > 1 ? 0.5 : 0);
		const shapes = new Map(), last = new Map();
		const add = (key, x, y, w, h) => shapes.set(key, (shapes.get(key) || '') +
			`M${px(x)} ${px(y)}h${px(w)}v${px(h)}h${px(-w)}z`);
		const clip = (ns) => Math.min(right, Math.max(place.barX, xOf(ns)));

		for (let p = row.first; p < row.end; p++) {
			if (data.end[p] < from || data.begin[p] > to)
				continue;
			const y = top + INSET + data.lane[p] * lane;

			for (let i = data.first[p]; i < data.first[p + 1]; i++) {
				const a = data.start[i], b = a + data.time[i], kind = data.kinds[data.kind[i]];

				if (b < from || a > to)
					continue;
				const x = clip(a), w = Math.max(0.5, clip(b) - x), shines = now.standsOut(i);

				if (kind.failed) {
					add((shines ? '2' : '1') + FAILED, x, y, 1, Math.min(MARK, high));
					continue;
				}
				const key = (shines ? now.isPale(i) ? '1' : '2' : '0') + now.colourOf(i),
					pixel = key + Math.floor(x * 2);

				if (w <= 0.5 && last.get(data.lane[p]) === pixel)
					continue;
				last.set(data.lane[p], pixel);
				add(key, x, y, w, high);
				if (kind.wrong && b <= to)
					add('3' + WRONG, x + Math.max(0, w - END), y, Math.min(END, w), high);
			}
			for (const [a, b] of data.path.get(p) || []) {
				if (b >= from && a <= to)
					add('4' + now.PATH, clip(a), y + Math.max(0, high - PATH),
						Math.max(0.5, clip(b) - clip(a)), Math.min(PATH, high));
			}
		}
		for (const key of Array.from(shapes.keys()).sort((a, b) => a[0] - b[0]))
			D.svg('path', { d: shapes.get(key), fill: key.slice(1), opacity: { 0: 0.2, 1: 0.5 }[key[0]] ||
				null }, parent);
	}

	/* "cc1 -quiet m3.c": arguments without the program's directory. */
	const shortArgs = (args) => args.replace(/^[^ ]*\//, '');

	/* Writes the arguments of spans where there is room. */
	function drawLabels(parent, number, top, place) {
		const row = data.rows[number], lane = (heightOf(row) - 2 * INSET) / row.lanes;

		if (lane < settings.fontSize)
			return;
		for (let p = row.first; p < row.end; p++)
			drawLabelsOf(parent, p, top + INSET + data.lane[p] * lane + lane / 2, place);
	}

	function drawLabelsOf(parent, p, middle, place) {
		for (let i = data.first[p]; i < data.first[p + 1]; i++) {
			const x = Math.max(place.barX, xOf(data.start[i]));
			const end = Math.min(place.barX + place.bar, xOf(data.start[i] + data.time[i]));

			if (end - x < LABEL_FROM || data.kinds[data.kind[i]].failed)
				continue;
			const colour = now.isPale(i) || !now.standsOut(i) ? 'ink'
				: readable(now.colourOf(i)) === '#ffffff' ? 'white' : 'black';

			text(parent, x + 3, middle, app.ruler.fit(shortArgs(data.args[i]), end - x - 6, 3, 'right'),
				{ 'class': colour, 'aria-hidden': 'true' });
		}
	}

	function drawRow(parent, at, place) {
		const number = now.rows[at], row = data.rows[number], top = tops[at], note = panel.noteOf(number);
		const shines = !now.found || now.found.error || now.found.rows[number], indent = row.depth *
			layout.indent;
		const g = D.svg('g', { 'class': 'row', role: 'option', 'data-row': number, 'aria-posinset': at + 1,
			'aria-setsize': now.rows.length, 'aria-level': row.depth + 1,
			'aria-selected': String(number === now.cursor), 'aria-label': `${row.name}: ${note}` }, parent);

		if (place.name - indent > 10)
			text(g, place.nameX + indent, top + layout.rowHeight / 2, app.ruler.fit(row.name,
				place.name - indent, 1, 'middle'), { 'class': now.found && shines ? 'found' : 'ink' });
		if (place.noteX !== null)
			text(g, place.noteX, top + layout.rowHeight / 2, note, { 'class': 'quiet-text' });
		D.svg('rect', { 'class': 'track', x: px(place.barX), y: top + INSET, width: place.bar,
			height: heightOf(row) - 2 * INSET }, g);
		const marks = D.svg('g', { 'class': 'marks' }, g);

		drawSpans(marks, number, top, place);
		drawLabels(marks, number, top, place);
	}

	/* ---- what is pointed at ---- */

	/* Returns { row: a number or null, lane, x, ns, inBar, perPx } for a place of the window. */
	panel.at = (clientX, clientY) => {
		const place = placeNow(), box = panel.graph.getBoundingClientRect();
		const y = clientY - box.top, at = placeAt(y);
		const row = y < 0 || at >= now.rows.length ? null : now.rows[at], { from, to } = app.part;
		const of = row === null ? null : data.rows[row];

		return { row, lane: of && Math.min(of.lanes - 1, Math.max(0, Math.floor((y - tops[at] - INSET) /
			(heightOf(of) - 2 * INSET) * of.lanes))), perPx: (to - from) / place.bar,
		...axis.at(place, app.part, clientX - box.left) };
	};
};
