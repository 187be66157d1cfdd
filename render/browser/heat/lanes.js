/* heat_lanes: lanes below the maps, over the same time; maps and lanes share their selection.
 *
 * app.lanes          { lanes, settings, shift } as heat.js decoded them, or null: there are none, and nothing is done
 *                    here; shift: ns from the heat map's origin to the lanes' start
 * app.drawLanes()    draws the lanes for the columns of the maps, with the same width app.markLanes(ranges)   marks
 * [[selection, letter], ...]
 * app.pointLanes(range)   marks { from, to } in ns; null: none
 * app.lanesPicture() -> { svg, height }: what is drawn, for export.js */
pyrograph.heat.lanes = function (app) {
	'use strict';

	const D = pyrograph.ui.dom, H = pyrograph.heat, L = pyrograph.lanes.draw, V = pyrograph.lanes.data;
	const { page, tip, foot } = app, PITCH = 46, LABEL = 16, MARGIN_ROWS = 4, MOVED_PX = 4, NOTE_GAP = 12;
	const STRIPES_MAX = 2000, WHEEL_PX = 400, WHEEL_LINE_PX = 16;

	if (!app.lanes)
		return;
	const { lanes, settings, shift } = app.lanes, rows = settings.rows;
	const marks = D.svg('g', { 'class': 'lane-marks', 'aria-hidden': 'true' });
	const moment = D.svg('rect', { 'class': 'moment', visibility: 'hidden', y: 0, 'aria-hidden': 'true' });
	const drawn = D.svg('g', { id: 'lanes-rows', role: 'none' }), grid = D.svg('path', { 'class': 'grid', d: '' });
	const graph = D.svg('svg', { 'class': 'graph', role: 'list', 'aria-label': 'Lanes' });
	const scroll = page.lanes, height = rows.length * PITCH;
	let place = null, drag = null, told = '';

	graph.append(drawn, grid, marks, moment);
	graph.setAttribute('height', height);
	scroll.append(graph);

	/* ---- places ---- */

	const px = (n) => String(Math.round(n * 100) / 100), plotOf = () => app.plots[0];
	const xOf = (ns) => place.left + (ns - place.start) / (place.end - place.start) * place.width;
	const within = (ns) => Math.max(place.start, Math.min(ns, place.end));

	/* { lane: a number or null, x, ns, inBar } at a place of the window; ns: from the origin. */
	function at(clientX, clientY) {
		const box = graph.getBoundingClientRect(), { left, width, start, end } = place, x = clientX - box.left;
		const part = Math.min(1, Math.max(0, (x - left) / width)), lane = rows[Math.floor((clientY - box.top) /
			PITCH)];

		return { lane: lane === undefined ? null : lane, x: left + part * width, inBar: x >= left && x <=
			left + width, ns: Math.min(Math.floor(start + part * (end - start)), end - 1) };
	}

	/* ---- rows ---- */

	/* The selected ranges: [["A", range], ...]; without a selection, everything that is visible. */
	function notes(number) {
		const { selection, baseline } = app.view, chosen = [['A: ', selection], ['B: ', baseline]].filter(([,
			range]) => range);
		const all = chosen.length ? chosen : [['', { from: place.start, to: place.end }]];

		return all.map(([letter, { from, to }]) => [letter, L.noteOf(settings, lanes, number, from - shift,
			to - shift)]).map(([letter, note]) => letter + (note || 'not known')).join('   ');
	}

	function text(parent, x, y, words, name) {
		D.svg('text', { x: px(x), y: px(y + app.settings.fontSize * 0.36), 'class': name },
			parent).textContent = words;
	}

	function drawRow(parent, i) {
		const number = rows[i], lane = lanes[number], top = i * PITCH, { left, width, start, end } = place;
		const name = app.ruler.fit(lane.shown, place.room, 1, 'middle'), note = notes(number);
		const used = app.ruler.width(name) + NOTE_GAP, bar = Math.max(1, Math.round(width));
		const g = D.svg('g', { 'class': 'row', role: 'listitem', 'data-lane': number,
			'aria-label': `${lane.shown}: ${note}` }, parent);

		text(g, left, top + LABEL / 2 + 1, name, 'ink');
		text(g, left + used, top + LABEL / 2 + 1, app.ruler.fit(note, place.room - used, 1, 'right'),
			'quiet-text');
		D.svg('rect', { 'class': 'track', x: px(left), y: top + LABEL + L.INSET, width: px(width),
			height: PITCH - LABEL - 2 * L.INSET }, g);
		/* a column is nearly a pixel wide, so that the last one ends where the map ends */
		L.marks(D.svg('g', { 'class': 'marks', transform: `translate(${px(left)},0) scale(${width / bar},1)` },
			g), settings, lanes, number, { from: start - shift, to: end - shift, x: 0, bar,
			top: top + LABEL, high: PITCH - LABEL });
	}

	const shown = pyrograph.ui.windowed(app, scroll, { margin: MARGIN_ROWS, pitch: () => PITCH,
		rowsIn: (top, end) => [Math.max(0, Math.floor(top / PITCH)), Math.min(rows.length,
			Math.ceil(end / PITCH))],
		count: () => rows.length, draw: (from, to) => {
			const fresh = document.createDocumentFragment();

			for (let i = from; i < to; i++)
				drawRow(fresh, i);
			drawn.replaceChildren(fresh);
		} });

	/* Lines at the ticks of the last map's axis. */
	function drawGrid() {
		const ticks = Array.from(app.plots[app.plots.length - 1].axis.querySelectorAll('.tick-x'), (e) =>
			Number(e.getAttribute('data-x')));

		grid.setAttribute('d', ticks.map((x) => `M${px(x)} 0v${height}h.5v${-height}z`).join(''));
	}

	app.drawLanes = () => {
		const plot = plotOf(), { start, end } = app.grids().axes, { selection, baseline } = app.view;
		const key = JSON.stringify([start, end, plot.left, plot.width, app.cellsRoom(), app.isDark(),
			app.onPaper, selection, baseline]);

		if (key === told)
			return;
		told = key;
		/* the words may be wider than the columns if there are few */
		place = { left: plot.left, width: plot.width, start, end, room: Math.max(plot.width, app.cellsRoom()) };
		graph.setAttribute('width', px(plot.left + place.room));
		drawGrid();
		shown.paint();
		app.pointLanes(null);
	};

	/* ---- the selection, and the place of the pointer ---- */

	/* The selected times in the window.  For a range of rows in a map of offsets, this is a part of each period. */
	function timesOf({ kind, from, to, low, high, period }) {
		const times = [];

		if (kind !== 'rows' || app.grids().axes.y !== 'offset' || (to - from) / period > STRIPES_MAX)
			return [[from, to]];
		for (let ns = from; ns < to; ns += period)
			times.push([Math.min(ns + low, to), Math.min(ns + high, to)]);
		return times;
	}

	app.markLanes = (ranges) => {
		if (!place)
			return;
		marks.replaceChildren(...ranges.map(([range, letter]) => D.svg('path', {
			'class': 'selection selection-' + letter.toLowerCase(), 'data-from': range.from,
			'data-to': range.to, d: timesOf(range).filter(([from, to]) => from < place.end &&
				to > place.start).map(([from, to]) => {
				const x = xOf(within(from)), wide = Math.max(1, xOf(within(to)) - x);

				return `M${px(x)} 0h${px(wide)}v${height}h${px(-wide)}z`;
			}).join('') })));
	};
	app.pointLanes = (range) => {
		moment.setAttribute('visibility', range ? 'visible' : 'hidden');
		if (!range)
			return;
		const x = xOf(within(range.from));

		moment.setAttribute('x', px(x));
		moment.setAttribute('width', px(Math.max(1, xOf(within(range.to)) - x)));
		moment.setAttribute('height', height);
	};

	/* ---- words ---- */

	const momentText = (ns) => app.clock().text(ns, 3);

	function valueAt(number, ns) {
		const lane = lanes[number], i = V.at(settings, lane, ns - shift);

		return i < 0 ? lane.isEvent ? '\u2013' : 'not known' : V.valueText(lane, lane.value[i]);
	}
	const wordsOf = ({ lane, ns }) => `${lanes[lane].shown}: ${valueAt(lane, ns)} at ${momentText(ns)}`;

	function dot(colour) {
		const e = D.html('span', { 'class': 'dot' });

		e.style.background = colour;
		return e;
	}

	/* The visible lanes; that under the pointer has bold words. */
	function fill({ lane, ns }) {
		const first = Math.floor(scroll.scrollTop / PITCH), end = first + Math.ceil(scroll.clientHeight /
			PITCH) + 1;

		tip.fill(momentText(ns), rows.slice(first, end).map((number) => [[dot(lanes[number].rgb), ' ',
			number === lane ? D.html('b', {}, lanes[number].shown) : lanes[number].shown],
		valueAt(number, ns)]));
	}

	/* The cell of a moment, in a map whose columns and rows are both time; else null. */
	function cellOf(ns) {
		const { axes } = app.grids();

		return axes.y === 'offset' && axes.perColumn === 1 ? H.grid.cellAt(axes, ns, 0) : null;
	}

	function hover(where, x, y) {
		if (!where || where.lane === null || !where.inBar) {
			app.hover(null);
			app.pointLanes(null);
			return;
		}
		const cell = cellOf(where.ns);

		app.point(cell ? Object.assign({ plot: plotOf() }, cell) : null);
		app.pointTime(where.ns);
		app.pointLanes({ from: where.ns, to: where.ns });
		foot.show(wordsOf(where));
		tip.show(() => fill(where), x, y);
	}

	/* ---- selecting ---- */

	const inMap = (range) => app.plots.length > 1 ? Object.assign(range, { map: app.view.map || 0 }) : range;

	/* What a click selects: the cell of that moment, or the whole column. */
	function clickedRange(ns) {
		const { axes } = app.grids(), cell = cellOf(ns), from = axes.start + Math.floor((ns - axes.start) /
			axes.column) * axes.column;

		return inMap(cell ? H.select.ofCells(axes, cell, cell, 'time') : { kind: 'time', from,
			to: from + axes.column });
	}

	function choose(range, event) {
		const key = (event.ctrlKey || event.metaKey) && app.view.selection ? 'baseline' : 'selection';
		const again = JSON.stringify(app.view[key]) === JSON.stringify(range);

		app.select(again ? null : range, key === 'baseline');
	}
	const dragged = (ns) => inMap({ kind: 'time', from: Math.min(ns, drag.ns),
		to: Math.max(ns, drag.ns, Math.min(ns, drag.ns) + 1) });

	function preview(range, event) {
		const asBaseline = (event.ctrlKey || event.metaKey) && app.view.selection;

		app.preview = range && { range, letter: asBaseline ? 'B' : 'A', map: app.mapOf(range) };
		app.drawMarks();
	}

	graph.addEventListener('pointerdown', (event) => {
		const where = at(event.clientX, event.clientY);

		if (event.button || !where.inBar || app.menu.justClosed())
			return;
		drag = { ns: where.ns, clientX: event.clientX, moved: false };
		graph.setPointerCapture(event.pointerId);
	});
	graph.addEventListener('pointermove', (event) => {
		const where = at(event.clientX, event.clientY);

		if (!drag) {
			hover(where, event.clientX, event.clientY);
			return;
		}
		drag.moved = drag.moved || Math.abs(event.clientX - drag.clientX) >= MOVED_PX;
		if (!drag.moved)
			return;
		tip.hide();
		app.pointLanes(null);
		preview(dragged(where.ns), event);
		foot.show(`${app.preview.letter}: ${app.selectionText(app.preview.range)}`);
	});
	graph.addEventListener('pointerup', (event) => {
		const done = drag, where = at(event.clientX, event.clientY);

		if (!done)
			return;
		const range = done.moved ? dragged(where.ns) : clickedRange(done.ns);

		drag = null;
		preview(null, event);
		choose(range, event);
	});
	graph.addEventListener('pointercancel', (event) => {
		drag = null;
		preview(null, event);
	});
	graph.addEventListener('pointerleave', () => drag || hover(null));

	/* The wheel scrolls if there are more lanes than fit; otherwise, or with Ctrl, it zooms. */
	graph.addEventListener('wheel', (event) => {
		const where = at(event.clientX, event.clientY), amount = event.deltaY * (event.deltaMode
			? WHEEL_LINE_PX : 1);
		const wanted = event.ctrlKey || event.metaKey || scroll.scrollHeight <= scroll.clientHeight + 1;

		if (!where.inBar || !wanted || !amount)
			return;
		event.preventDefault();
		app.zoomBy(Math.pow(2, Math.max(-1, Math.min(amount / WHEEL_PX * 2, 1))), where.ns);
	}, { passive: false });

	/* The moment of the greatest visible value. */
	function selectPeak(number, event) {
		const { time, value } = lanes[number];
		let best = -1;

		time.forEach((ns, i) => {
			if (ns + shift >= place.start && ns + shift < place.end && (best < 0 || value[i] > value[best]))
				best = i;
		});
		if (best >= 0)
			choose(clickedRange(time[best] + shift), event);
	}

	graph.addEventListener('contextmenu', (event) => {
		const where = at(event.clientX, event.clientY);

		event.preventDefault();
		if (where.lane === null || !where.inBar)
			return;
		const { name, shown: title } = lanes[where.lane];

		app.menu.open([{ heading: app.ruler.fit(title, 230, 1, 'middle') },
			{ label: 'Select its greatest value', run: () => selectPeak(where.lane, {}) }, { line: true },
			{ label: 'Copy name', run: () => app.copy(name, 'name') },
			{ label: 'Copy its value', run: () => app.copy(wordsOf(where), 'value') }],
		event.clientX, event.clientY, 'Lane ' + title);
	});
	scroll.addEventListener('scroll', () => {
		tip.hide();
		shown.paintIfNeeded();
	});
	new ResizeObserver(() => place && shown.paintIfNeeded()).observe(scroll);

	app.pointerWords.push(['Drag in a lane', 'select a range of time'],
		['Hover over a lane', 'the values at that moment']);
	app.lanesPicture = () => {
		app.allRows = true;
		shown.paint();
		const copies = Array.from(graph.children).filter((e) => e !== moment);

		app.allRows = app.onPaper;
		return { parts: copies, height, done: shown.paint };
	};
};
