/* rows_panel: rows on the page, over a part of the time.  The axis at the top stays; the rows below scroll.  Only rows
 * in the window, and a margin, exist as elements.
 *
 * pyrograph.ui.rowsPanel(app, how) makes app.panel, app.panels, app.drawAll, and returns { panel, axis, place(),
 * xOf(ns) }: axis is time_axis.js's, place() says where things are, in px, and xOf where a moment is.  how:
 *     name, label        of the chart: for ids and classes; for screen readers
 *     data, id           a row's attribute with its number, the beginning of its id
 *     cursor()           -> the row that the keys are at, or null
 *     margin, least      numbers of rows: elements beyond the window; that the panel shows at least
 *     placeIn(width)     -> place, for the axis, and with pitch: px from row to row
 *     arrange(place)     called before all is drawn anew; may be missing
 *     top(at, place)     -> where the row that is at a place of now.rows begins; of their number: the whole height
 *     rowsIn             as in windowed.js
 *     high(at, place)    -> how high the mark of the row that the keys are at is
 *     drawRow(parent, at, place)
 *     empty              words if there are no rows
 *     headHigh, drawHead(parent, place)   what is drawn below the axis, and so stays; may be missing
 *     behind, after      elements behind the rows, and below them; may be missing
 * panel: element, scroll, graph, head, rows, empty are elements; draw(), point(x), select(from, to), focus(reveal),
 * page(pages), scrolls(), where(row, ns), picture() serve rows_stage.js and picture.js.  The chart adds at(). */
pyrograph.ui.rowsPanel = function (app, how) {
	'use strict';

	const D = pyrograph.ui.dom, { settings, now } = app, axis = pyrograph.ui.timeAxis(app), AXIS = 20;
	const { name, headHigh = AXIS, behind = [], after = [] } = how;

	const rows = D.svg('g', { id: name + '-rows', role: 'none' }), grid = D.svg('path',
		{ 'class': 'grid', d: '' });
	const selection = D.svg('rect', { 'class': 'selection', visibility: 'hidden', 'aria-hidden': 'true' });
	const cursor = D.svg('rect', { 'class': 'moment', visibility: 'hidden', width: 1, 'aria-hidden': 'true' });
	const focus = D.svg('rect', { 'class': 'cursor', visibility: 'hidden', 'aria-hidden': 'true' });
	const graph = D.svg('svg', { 'class': 'graph', role: 'listbox', tabindex: '0', 'aria-label': how.label });
	const head = D.svg('svg', { 'class': `graph ${name}-axis`, 'aria-hidden': 'true' });
	const empty = D.html('p', { 'class': 'empty', hidden: true }, how.empty);
	const scroll = D.html('div', { 'class': 'scroll' }, graph, empty, ...after);
	const element = D.html('div', { 'class': 'panel rows ' + name }, D.html('div', { 'class': 'rows-head' }, head),
		scroll);
	const panel = app.panel = { element, scroll, graph, head, rows, empty, least: 0 };
	let place = null;

	graph.append(...behind, grid, focus, rows, selection, cursor);
	app.page.stage.appendChild(element);
	app.panels = [panel];

	/* ---- where ---- */

	function measure() {
		const room = app.onPaper ? app.page.element.clientWidth : scroll.clientWidth || app.drawnWidth;

		place = how.placeIn(settings.fluid || app.onPaper ? room : Math.min(room, app.drawnWidth));
	}

	const top = (at) => how.top(at, place), height = () => top(now.rows.length);
	const xOf = (ns) => axis.xOf(place, app.part, ns);

	/* ---- drawing ---- */

	const shown = pyrograph.ui.windowed(app, scroll, { margin: how.margin, pitch: () => place.pitch,
		rowsIn: (from, to) => how.rowsIn(from, to, place), count: () => now.rows.length, draw: (from, to) => {
			const fresh = document.createDocumentFragment();

			for (let at = from; at < to; at++)
				how.drawRow(fresh, at, place);
			rows.replaceChildren(fresh);
			announce();
		} });

	function drawHead() {
		const fresh = document.createDocumentFragment();

		grid.setAttribute('d', axis.head(fresh, place, app.part, AXIS, height()));
		if (how.drawHead)
			how.drawHead(fresh, place);
		head.replaceChildren(fresh);
		head.setAttribute('width', place.width);
		head.setAttribute('height', headHigh);
	}

	/* Draws the panel anew, after a change of the view or of the size. */
	panel.draw = () => {
		measure();
		if (how.arrange)
			how.arrange(place);
		empty.hidden = now.rows.length > 0;
		graph.setAttribute('width', place.width);
		graph.setAttribute('height', height());
		panel.least = Math.min(Math.max(now.rows.length, 1), how.least) * place.pitch + headHigh + 4;
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

	const announce = () => D.activate(graph, rows.querySelector(`[${how.data}="${how.cursor()}"]`), how.id +
		how.cursor());

	panel.focus = (reveal) => {
		const at = now.rows.indexOf(how.cursor());

		focus.setAttribute('visibility', at < 0 ? 'hidden' : 'visible');
		for (const [key, value] of at < 0 ? [] : [['x', 1], ['y', top(at)], ['width', place.width - 2],
			['height', how.high(at, place)]])
			focus.setAttribute(key, value);
		if (reveal && at >= 0)
			shown.reveal(top(at));
		announce();
	};
	panel.page = shown.page;
	panel.scrolls = () => scroll.scrollHeight > scroll.clientHeight + 1;

	/* Returns the place of a row's moment in the window. */
	panel.where = (row, ns) => {
		const box = graph.getBoundingClientRect();

		return { x: box.left + xOf(ns), y: box.top + top(now.rows.indexOf(row)) + place.pitch / 2 };
	};

	/* For export.js: everything that is drawn. */
	panel.picture = () => ({ width: place.width, parts: [[head, 0], ...[...behind, grid, rows].map((e) =>
		[e, headHigh])], height: headHigh + height() });

	app.onchange(() => {
		app.page.resize();
		panel.draw();
	});
	axis.follow(scroll, { place: () => place, measure, draw: panel.draw, paintIfNeeded: shown.paintIfNeeded });
	return { panel, axis, place: () => place, xOf };
};
