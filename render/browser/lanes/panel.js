/* lanes_panel: the rows on the page, over a part of the time.  Above is an axis, which stays; below are the rows, which
 * scroll.  Only rows in the window, and a margin, exist as elements. */
pyrograph.ui.lanesPanel = function (app) {
	'use strict';

	const D = pyrograph.ui.dom, L = pyrograph.lanes.data, T = pyrograph.timeline.data, { lanes, settings } = app;
	const { layout } = settings, HEAD = 20, INSET = 3, GAP = 10, TICK_GAP = 24, MARGIN_ROWS = 6, LEAST_ROWS = 3;
	const LEAST_BAR = 50, NAME_SHARE = 0.35, LINE = 1.25, EVENT_H = 6;

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

		place = { width, name, barX, bar: Math.max(LEAST_BAR, Math.floor(width - layout.pad - barX)),
			pitch: layout.rowHeight };
	}

	const height = () => app.rows.length * place.pitch, px = (n) => String(Math.round(n * 100) / 100);
	const xOf = (ns) => place.barX + (ns - app.part.from) / (app.part.to - app.part.from) * place.bar;

	function text(parent, x, y, words, name) {
		D.svg('text', { x: px(x), y: px(y + settings.fontSize * 0.36), 'class': name },
			parent).textContent = words;
	}

	/* ---- drawing ---- */

	/* Where a value is in a row, from its top. */
	function yOf({ from, to }, value) {
		const part = Math.min(1, Math.max(0, (value - from) / (to - from)));

		return INSET + (1 - part) * (place.pitch - 2 * INSET);
	}

	/* [fill, line]: paths of a lane on the scale of another. */
	function pathsOf(lane, scale, top) {
		const { least, most } = L.columns(settings, lane, app.part.from, app.part.to, place.bar);
		const bottom = top + place.pitch - INSET;
		let fill = '', line = '';

		for (let from = 0, to; from < place.bar; from = to) {
			const low = least[from], high = most[from];

			for (to = from + 1; to < place.bar && Object.is(least[to], low) && Object.is(most[to], high);)
				to++;
			if (Number.isNaN(low))
				continue;
			const x = px(place.barX + from), wide = to - from, y = top + yOf(scale, high);

			if (y < bottom)
				fill += `M${x} ${px(y)}h${wide}V${px(bottom)}h${-wide}z`;
			line += `M${x} ${px(y - LINE / 2)}h${wide}v${px(top + yOf(scale, low) - y + LINE)}h${-wide}z`;
		}
		return [fill, line];
	}

	/* Marks where something was dropped. */
	function eventsOf(lane, top) {
		const { most } = L.columns(settings, lane, app.part.from, app.part.to, place.bar);
		let d = '';

		most.forEach((value, i) => {
			if (value > 0)
				d += `M${px(place.barX + i - 0.5)} ${px(top + INSET)}h2v${EVENT_H}h-2z`;
		});
		return d;
	}

	/* "0 to 81,920 bytes, limit 212,992 bytes" for the part that is shown. */
	app.noteOf = (number) => {
		const lane = lanes[number], { from, to } = app.part, first = Math.max(0, L.after(lane, from) - 1);
		const end = L.after(lane, to), some = lane.value.subarray(first, end), limit = lanes[lane.limit];

		if (!some.length)
			return '';
		const least = some.reduce((a, b) => Math.min(a, b)), most = some.reduce((a, b) => Math.max(a, b));
		const range = least === most ? L.valueText(lane, most)
			: L.valueText(lane, least) + ' to ' + L.valueText(lane, most);

		return range + (limit && limit.value.length ? ', limit ' + L.valueText(limit, limit.value.at(-1)) : '');
	};

	function drawRow(parent, at) {
		const number = app.rows[at], lane = lanes[number], top = at * place.pitch, note = app.noteOf(number);
		const half = (place.pitch - INSET) / 2, shines = app.standsOut(number);
		const g = D.svg('g', { 'class': 'row' + (shines ? '' : ' faded'), role: 'option', 'data-lane': number,
			'aria-posinset': at + 1, 'aria-setsize': app.rows.length,
			'aria-selected': String(number === app.cursor), 'aria-label': `${lane.shown}: ${note}` },
				parent);
		const [fill, line] = pathsOf(lane, lane, top);

		text(g, layout.nameX, top + half / 2, app.ruler.fit(lane.shown, place.name, 1, 'middle'),
			app.found && shines ? 'found' : 'ink');
		text(g, layout.nameX, top + half * 3 / 2, app.ruler.fit(note, place.name, 1, 'right'), 'quiet-text');
		D.svg('rect', { 'class': 'track', x: px(place.barX), y: top + INSET, width: place.bar,
			height: place.pitch - 2 * INSET }, g);
		const marks = D.svg('g', { 'class': 'marks', opacity: shines ? null : 0.25 }, g);

		D.svg('path', { 'class': 'lane-fill', d: fill, fill: lane.rgb, 'fill-opacity': 0.35 }, marks);
		D.svg('path', { 'class': 'lane-line', d: line, fill: lane.rgb }, marks);
		if (lane.limit >= 0)
			D.svg('path', { 'class': 'limit', d: pathsOf(lanes[lane.limit], lane, top)[1],
				fill: '#d0362a' },
				marks);
		if (lane.drops >= 0)
			D.svg('path', { 'class': 'event', d: eventsOf(lanes[lane.drops], top), fill: '#d0362a' },
				marks);
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

	/* The step for as many ticks as there is room for: [step in ns, digits of the labels]. */
	function tickStep() {
		const long = app.part.to - app.part.from;

		for (let count = Math.floor(place.bar / 40) + 1; ; count--) {
			const step = T.tickStep(long, count), digits = T.tickDigits(step);
			const label = app.ruler.width('00:00:00.000000000'.slice(0, digits < 0 ? 5 : digits ? 9 +
				digits : 8));

			if (count === 1 || Math.min(step, long) / long * place.bar >= label + TICK_GAP)
				return [step, digits];
		}
	}

	function drawHead() {
		const fresh = document.createDocumentFragment(), { from, to } = app.part, [step, digits] = tickStep();
		let d = '';

		text(fresh, layout.nameX, HEAD / 2 - 2, app.ruler.fit(app.clock.axis(from),
			place.barX - layout.nameX - GAP,
			1, 'right'), 'quiet-text');
		for (let ns = app.clock.firstTick(from, step); ns < to; ns += step) {
			const x = xOf(ns), label = app.clock.text(ns, digits);

			d += `M${px(x)} 0v${height()}h.5v${-height()}z`;
			if (x + 2 + app.ruler.width(label) > place.width)
				continue;
			D.svg('path', { 'class': 'tick', d: `M${px(x)} ${HEAD - 4}v4` }, fresh);
			text(fresh, x + 2, HEAD / 2 - 2, label, 'quiet-text');
		}
		head.replaceChildren(fresh);
		head.setAttribute('width', place.width);
		head.setAttribute('height', HEAD);
		grid.setAttribute('d', d);
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

	function vertical(rect, from, to) {
		rect.setAttribute('visibility', from === null ? 'hidden' : 'visible');
		if (from === null)
			return;
		rect.setAttribute('x', px(from));
		rect.setAttribute('width', px(Math.max(1, to - from)));
		rect.setAttribute('y', 0);
		rect.setAttribute('height', Math.max(height(), 1));
	}
	panel.point = (x) => vertical(cursor, x, x);
	panel.select = (from, to) => vertical(selection, from, to);

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
		const box = graph.getBoundingClientRect(), x = clientX - box.left, y = clientY - box.top, { barX,
			bar } = place;
		const lane = app.rows[Math.floor(y / place.pitch)], part = Math.min(1, Math.max(0, (x - barX) / bar));

		return { lane: y < 0 || lane === undefined ? null : lane, x: barX + part * bar,
			ns: app.part.from + part * (app.part.to - app.part.from), inBar: x >= barX && x <= barX + bar };
	};
	/* Returns where in the window a moment of a lane is. */
	panel.where = (lane, ns) => {
		const box = graph.getBoundingClientRect();

		return { x: box.left + xOf(ns), y: box.top + (app.rows.indexOf(lane) + 0.5) * place.pitch };
	};

	/* For export.js: everything that is drawn. */
	panel.picture = () => ({ width: place.width, parts: [[head, 0], [grid, HEAD], [rows, HEAD]],
		height: HEAD + height() });

	scroll.addEventListener('scroll', shown.paintIfNeeded);
	app.onchange(() => {
		app.page.resize();
		panel.draw();
	});
	new ResizeObserver(() => {
		const before = place && place.width;

		if (!place || app.onPaper || !scroll.clientHeight)
			return;
		measure();
		if (place.width !== before)
			panel.draw();
		else
			shown.paintIfNeeded();
	}).observe(scroll);
};
