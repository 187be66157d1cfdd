/* lanes_panel: the lanes as rows over a part of the time (rows_panel.js). */
pyrograph.ui.lanesPanel = function (app) {
	'use strict';

	const D = pyrograph.ui.dom, L = pyrograph.lanes.draw, { lanes, settings, now } = app;
	const { layout } = settings, GAP = 10, MARGIN_ROWS = 6, LEAST_ROWS = 3, LEAST_BAR = 50, NAME_SHARE = 0.35;
	const { INSET } = L;

	function placeIn(width) {
		const name = Math.min(layout.nameWidth, width * NAME_SHARE), barX = layout.nameX + name + GAP;

		return { width, nameX: layout.nameX, gap: GAP, name, barX,
			bar: Math.max(LEAST_BAR, Math.floor(width - layout.pad - barX)), pitch: layout.rowHeight };
	}

	const { panel, axis, place } = pyrograph.ui.rowsPanel(app, { name: 'lanes', label: 'lanes', data: 'data-lane',
		id: 'lane-', cursor: () => now.cursor, margin: MARGIN_ROWS, least: LEAST_ROWS, placeIn,
		top: (at, { pitch }) => at * pitch, high: (at, { pitch }) => pitch - 1,
		rowsIn: (top, end, { pitch }) => [Math.max(0, Math.floor(top / pitch)),
			Math.min(now.rows.length, Math.ceil(end / pitch))],
		drawRow, empty: 'No lane is left.' });
	const { px, text } = axis;

	/* ---- drawing ---- */

	panel.noteOf = (number) => L.noteOf(settings, lanes, number, app.part.from, app.part.to);

	function drawRow(parent, at, { pitch, name, barX, bar }) {
		const number = now.rows[at], lane = lanes[number], top = at * pitch, note = panel.noteOf(number);
		const half = (pitch - INSET) / 2, shines = now.standsOut(number);
		const g = D.svg('g', { 'class': 'row' + (shines ? '' : ' faded'), role: 'option', 'data-lane': number,
			'aria-posinset': at + 1, 'aria-setsize': now.rows.length,
			'aria-selected': String(number === now.cursor), 'aria-label': `${lane.shown}: ${note}` },
		parent);

		text(g, layout.nameX, top + half / 2, app.ruler.fit(lane.shown, name, 1, 'middle'),
			{ 'class': now.found && shines ? 'found' : 'ink' });
		text(g, layout.nameX, top + half * 3 / 2, app.ruler.fit(note, name, 1, 'right'),
			{ 'class': 'quiet-text' });
		D.svg('rect', { 'class': 'track', x: px(barX), y: top + INSET, width: bar,
			height: pitch - 2 * INSET }, g);
		L.marks(D.svg('g', { 'class': 'marks', opacity: shines ? null : 0.25 }, g), settings, lanes, number,
			{ ...app.part, x: barX, bar: bar, top, high: pitch });
	}

	/* ---- what is pointed at ---- */

	/* Returns { lane: a number or null, x, ns, inBar } for a place of the window; x in px of the graph. */
	panel.at = (clientX, clientY) => {
		const box = panel.graph.getBoundingClientRect(), y = clientY - box.top;
		const lane = now.rows[Math.floor(y / place().pitch)];

		return { lane: y < 0 || lane === undefined ? null : lane,
			...axis.at(place(), app.part, clientX - box.left) };
	};
};
