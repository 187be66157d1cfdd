/* processes_panel: the rows on the page, over a part of the time.  Above is an axis, which stays; below are the rows,
 * which scroll.  Only rows in the window, and a margin, exist as elements. */
pyrograph.ui.processesPanel = function (app) {
	'use strict';

	const D = pyrograph.ui.dom, N = pyrograph.number, { data, settings } = app, { layout } = settings;
	const axis = pyrograph.ui.timeAxis(app), { px, text } = axis, { readable } = pyrograph.contrast;
	const HEAD = 20, GAP = 10, MARGIN_ROWS = 10, LEAST_ROWS = 4, LEAST_BAR = 50, NAME_SHARE = 0.35, INSET = 1;
	const NARROW = 640, LABEL_FROM = 24, PATH = 2, MARK = 3, END = 2, WRONG = '#6d1f16', FAILED = '#8a5a00';

	const rows = D.svg('g', { id: 'processes-rows', role: 'none' }), grid = D.svg('path',
		{ 'class': 'grid', d: '' });
	const selection = D.svg('rect', { 'class': 'selection', visibility: 'hidden', 'aria-hidden': 'true' });
	const cursor = D.svg('rect', { 'class': 'moment', visibility: 'hidden', width: 1, 'aria-hidden': 'true' });
	const focus = D.svg('rect', { 'class': 'cursor', visibility: 'hidden', 'aria-hidden': 'true' });
	const graph = D.svg('svg', { 'class': 'graph', role: 'listbox', tabindex: '0', 'aria-label': 'processes' });
	const head = D.svg('svg', { 'class': 'graph processes-axis', 'aria-hidden': 'true' });
	const empty = D.html('p', { 'class': 'empty', hidden: true }, 'No row is left.');
	const scroll = D.html('div', { 'class': 'scroll' }, graph, empty);
	const element = D.html('div', { 'class': 'panel rows processes' }, D.html('div', { 'class': 'rows-head' },
		head), scroll);
	const panel = app.panel = { element, scroll, graph, head, least: 0 };
	let place = null, tops = [0];

	graph.append(grid, focus, rows, selection, cursor);
	app.page.stage.appendChild(element);
	app.panels = [panel];

	/* ---- where ---- */

	function measure() {
		const room = app.onPaper ? app.page.element.clientWidth : scroll.clientWidth || app.drawnWidth;
		const width = settings.fluid || app.onPaper ? room : Math.min(room, app.drawnWidth);
		const name = Math.min(layout.nameWidth, width * NAME_SHARE), noted = width > NARROW;
		const barX = noted ? layout.barX - layout.nameWidth + name : layout.pad + name + GAP;

		place = { width, nameX: layout.pad, gap: GAP, name, barX, noteX: noted ? layout.noteX -
			layout.nameWidth + name : null,
			bar: Math.max(LEAST_BAR, Math.floor(width - layout.pad - barX)), pitch: layout.rowHeight };
	}

	const heightOf = ({ lanes }) => lanes > 1 ? Math.max(layout.rowHeight, lanes * layout.laneHeight + 4)
		: layout.rowHeight;

	function placeRows() {
		tops = [0];
		for (const row of app.rows)
			tops.push(tops[tops.length - 1] + heightOf(data.rows[row]));
	}
	const height = () => tops[tops.length - 1], xOf = (ns) => axis.xOf(place, app.part, ns);

	/* The number of the row at a height, by its place on the screen. */
	function placeAt(y) {
		let low = 0, high = app.rows.length;

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

	app.noteOf = (row) => N.durationText(Math.round(data.rows[row].cpu)) + ' CPU';

	/* Shapes by colour; what is not to be seen beside the one before it in its lane is left out. */
	function drawSpans(parent, number, top) {
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
				const x = clip(a), w = Math.max(0.5, clip(b) - x), shines = app.standsOut(i);

				if (kind.failed) {
					add((shines ? '2' : '1') + FAILED, x, y, 1, Math.min(MARK, high));
					continue;
				}
				const key = (shines ? app.isPale(i) ? '1' : '2' : '0') + app.colourOf(i),
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
					add('4' + app.PATH, clip(a), y + Math.max(0, high - PATH),
						Math.max(0.5, clip(b) - clip(a)), Math.min(PATH, high));
			}
		}
		for (const key of Array.from(shapes.keys()).sort((a, b) => a[0] - b[0]))
			D.svg('path', { d: shapes.get(key), fill: key.slice(1), opacity: { 0: 0.2, 1: 0.5 }[key[0]] ||
				null }, parent);
	}

	/* The arguments of the spans of a process that is a row by itself, where there is room. */
	function drawLabels(parent, number, top) {
		const row = data.rows[number], high = heightOf(row);

		if (row.end - row.first > 1)
			return;
		for (let i = data.first[row.first]; i < data.first[row.end]; i++) {
			const x = Math.max(place.barX, xOf(data.start[i]));
			const end = Math.min(place.barX + place.bar, xOf(data.start[i] + data.time[i]));

			if (end - x < LABEL_FROM)
				continue;
			const colour = app.isPale(i) || !app.standsOut(i) ? 'ink'
				: readable(app.colourOf(i)) === '#ffffff' ? 'white' : 'black';

			text(parent, x + 3, top + high / 2, app.ruler.fit(data.args[i], end - x - 6, 3, 'right'),
				{ 'class': colour, 'aria-hidden': 'true' });
		}
	}

	function drawRow(parent, at) {
		const number = app.rows[at], row = data.rows[number], top = tops[at], note = app.noteOf(number);
		const shines = !app.found || app.found.error || app.found.rows[number], indent = row.depth *
			layout.indent;
		const g = D.svg('g', { 'class': 'row', role: 'option', 'data-row': number, 'aria-posinset': at + 1,
			'aria-setsize': app.rows.length, 'aria-level': row.depth + 1,
			'aria-selected': String(number === app.cursor), 'aria-label': `${row.name}: ${note}` }, parent);

		if (place.name - indent > 10)
			text(g, place.nameX + indent, top + layout.rowHeight / 2, app.ruler.fit(row.name,
				place.name - indent, 1, 'middle'), { 'class': app.found && shines ? 'found' : 'ink' });
		if (place.noteX !== null)
			text(g, place.noteX, top + layout.rowHeight / 2, note, { 'class': 'quiet-text' });
		D.svg('rect', { 'class': 'track', x: px(place.barX), y: top + INSET, width: place.bar,
			height: heightOf(row) - 2 * INSET }, g);
		const marks = D.svg('g', { 'class': 'marks' }, g);

		drawSpans(marks, number, top);
		drawLabels(marks, number, top);
	}

	const shown = pyrograph.ui.windowed(app, scroll, { margin: MARGIN_ROWS, pitch: () => place.pitch,
		rowsIn: (top, end) => [placeAt(Math.max(0, top)), Math.min(app.rows.length, placeAt(end) + 1)],
		count: () => app.rows.length, draw: (from, to) => {
			const fresh = document.createDocumentFragment();

			for (let at = from; at < to; at++)
				drawRow(fresh, at);
			rows.replaceChildren(fresh);
			announce();
		} });

	function drawHead() {
		const fresh = document.createDocumentFragment();

		grid.setAttribute('d', axis.head(fresh, place, app.part, HEAD, height()));
		head.replaceChildren(fresh);
		head.setAttribute('width', place.width);
		head.setAttribute('height', HEAD);
	}

	/* Draws the panel anew, after a change of the view or of the size. */
	panel.draw = () => {
		measure();
		placeRows();
		empty.hidden = app.rows.length > 0;
		graph.setAttribute('width', place.width);
		graph.setAttribute('height', height());
		panel.least = Math.min(Math.max(app.rows.length, 1), LEAST_ROWS) * place.pitch + HEAD + 4;
		element.style.minHeight = panel.least + 'px';
		drawHead();
		shown.paint();
		panel.point(null);
		panel.focus(false);
	};
	app.drawAll = panel.draw;

	/* ---- what is pointed at ---- */

	panel.point = (x) => axis.vertical(cursor, x, x, height());
	panel.select = (from, to) => axis.vertical(selection, from, to, height());

	const announce = () => D.activate(graph, rows.querySelector(`[data-row="${app.cursor}"]`), 'process-row-' +
		app.cursor);

	panel.focus = (reveal) => {
		const at = app.rows.indexOf(app.cursor);

		focus.setAttribute('visibility', at < 0 ? 'hidden' : 'visible');
		for (const [key, value] of at < 0 ? [] : [['x', 1], ['y', tops[at]], ['width', place.width - 2],
			['height', tops[at + 1] - tops[at]]])
			focus.setAttribute(key, value);
		if (reveal && at >= 0)
			shown.reveal(tops[at]);
		announce();
	};
	panel.page = shown.page;
	panel.scrolls = () => scroll.scrollHeight > scroll.clientHeight + 1;

	/* Returns { row: a number or null, lane, x, ns, inBar, perPx } for a place of the window. */
	panel.at = (clientX, clientY) => {
		const box = graph.getBoundingClientRect(), y = clientY - box.top, at = placeAt(y);
		const row = y < 0 || at >= app.rows.length ? null : app.rows[at], { from, to } = app.part;
		const of = row === null ? null : data.rows[row];

		return { row, lane: of && Math.min(of.lanes - 1, Math.max(0, Math.floor((y - tops[at] - INSET) /
			(heightOf(of) - 2 * INSET) * of.lanes))), perPx: (to - from) / place.bar,
		...axis.at(place, app.part, clientX - box.left) };
	};
	/* Returns where in the window a moment of a row is. */
	panel.where = (row, ns) => {
		const box = graph.getBoundingClientRect();

		return { x: box.left + xOf(ns), y: box.top + tops[app.rows.indexOf(row)] + place.pitch / 2 };
	};

	/* For export.js: everything that is drawn. */
	panel.picture = () => ({ width: place.width, parts: [[head, 0], [grid, HEAD], [rows, HEAD]],
		height: HEAD + height() });

	app.onchange(() => {
		app.page.resize();
		panel.draw();
	});
	axis.follow(scroll, { place: () => place, measure, draw: panel.draw, paintIfNeeded: shown.paintIfNeeded });
};
