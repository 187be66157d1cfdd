/* lanes_panel: the rows on the page, over a part of the time.  Above is an axis, which stays; below are the rows, which
 * scroll.  Only rows in the window, and a margin, exist as elements. */
pyrograph.ui.lanesPanel = function (app) {
	'use strict';

	const D = pyrograph.ui.dom, L = pyrograph.lanes.draw, { lanes, settings } = app;
	const axis = pyrograph.ui.timeAxis(app), { px, text } = axis, { INSET } = L;
	const { layout } = settings, HEAD = 20, GAP = 10, MARGIN_ROWS = 6, LEAST_ROWS = 3;
	const LEAST_BAR = 50, NAME_SHARE = 0.35;

	const rows = D.svg('g', { id: 'lanes-rows', role: 'none' }), grid = D.svg('path', { 'class': 'grid', d: '' });
	const selection = D.svg('rect', { 'class': 'selection', visibility: 'hidden', 'aria-hidden': 'true' });
	const cursor = D.svg('rect', { 'class': 'moment', visibility: 'hidden', width: 1, 'aria-hidden': 'true' });
	const focus = D.svg('rect', { 'class': 'cursor', visibility: 'hidden', 'aria-hidden': 'true' });
	const graph = D.svg('svg', { 'class': 'graph', role: 'listbox', tabindex: '0', 'aria-label': 'lanes' });
	const head = D.svg('svg', { 'class': 'graph lanes-axis', 'aria-hidden': 'true' });
	const empty = D.html('p', { 'class': 'empty', hidden: true }, 'No lane is left.');
	const scroll = D.html('div', { 'class': 'scroll' }, graph, empty);
	const element = D.html('div', { 'class': 'panel rows lanes' }, D.html('div', { 'class': 'rows-head' }, head),
		scroll);
	const panel = app.panel = { element, scroll, graph, head, least: 0 };
	let place = null;

	graph.append(grid, focus, rows, selection, cursor);
	app.page.stage.appendChild(element);
	app.panels = [panel];

	/* ---- where ---- */

	function measure() {
		const room = app.onPaper ? app.page.element.clientWidth : scroll.clientWidth || app.drawnWidth;
		const width = settings.fluid || app.onPaper ? room : Math.min(room, app.drawnWidth);
		const name = Math.min(layout.nameWidth, width * NAME_SHARE), barX = layout.nameX + name + GAP;

		place = { width, nameX: layout.nameX, gap: GAP, name, barX,
			bar: Math.max(LEAST_BAR, Math.floor(width - layout.pad - barX)), pitch: layout.rowHeight };
	}

	const height = () => app.rows.length * place.pitch, xOf = (ns) => axis.xOf(place, app.part, ns);

	/* ---- drawing ---- */

	app.noteOf = (number) => L.noteOf(settings, lanes, number, app.part.from, app.part.to);

	function drawRow(parent, at) {
		const number = app.rows[at], lane = lanes[number], top = at * place.pitch, note = app.noteOf(number);
		const half = (place.pitch - INSET) / 2, shines = app.standsOut(number);
		const g = D.svg('g', { 'class': 'row' + (shines ? '' : ' faded'), role: 'option', 'data-lane': number,
			'aria-posinset': at + 1, 'aria-setsize': app.rows.length,
			'aria-selected': String(number === app.cursor), 'aria-label': `${lane.shown}: ${note}` },
				parent);

		text(g, layout.nameX, top + half / 2, app.ruler.fit(lane.shown, place.name, 1, 'middle'),
			{ 'class': app.found && shines ? 'found' : 'ink' });
		text(g, layout.nameX, top + half * 3 / 2, app.ruler.fit(note, place.name, 1, 'right'),
			{ 'class': 'quiet-text' });
		D.svg('rect', { 'class': 'track', x: px(place.barX), y: top + INSET, width: place.bar,
			height: place.pitch - 2 * INSET }, g);
		L.marks(D.svg('g', { 'class': 'marks', opacity: shines ? null : 0.25 }, g), settings, lanes, number,
			{ ...app.part, x: place.barX, bar: place.bar, top, high: place.pitch });
	}

	const shown = pyrograph.ui.windowed(app, scroll, { margin: MARGIN_ROWS, pitch: () => place.pitch,
		rowsIn: (top, end) => [Math.max(0, Math.floor(top / place.pitch)),
			Math.min(app.rows.length, Math.ceil(end / place.pitch))],
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

	const announce = () => D.activate(graph, rows.querySelector(`[data-lane="${app.cursor}"]`), 'lane-' +
		app.cursor);

	panel.focus = (reveal) => {
		const at = app.rows.indexOf(app.cursor);

		focus.setAttribute('visibility', at < 0 ? 'hidden' : 'visible');
		for (const [key, value] of at < 0 ? [] : [['x', 1], ['y', at * place.pitch], ['width', place.width - 2],
			['height', place.pitch - 1]])
			focus.setAttribute(key, value);
		if (reveal && at >= 0)
			shown.reveal(at * place.pitch);
		announce();
	};
	panel.page = shown.page;
	panel.scrolls = () => scroll.scrollHeight > scroll.clientHeight + 1;

	/* Returns { lane: a number or null, x, ns, inBar } for a place of the window; x in px of the graph. */
	panel.at = (clientX, clientY) => {
		const box = graph.getBoundingClientRect(), y = clientY - box.top;
		const lane = app.rows[Math.floor(y / place.pitch)];

		return { lane: y < 0 || lane === undefined ? null : lane,
			...axis.at(place, app.part, clientX - box.left) };
	};
	/* Returns where in the window a moment of a lane is. */
	panel.where = (lane, ns) => {
		const box = graph.getBoundingClientRect();

		return { x: box.left + xOf(ns), y: box.top + (app.rows.indexOf(lane) + 0.5) * place.pitch };
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
