/* bars_panel: the bars on the page. Above are the sum of all rows and an axis, which stay; below are the rows,
 * which scroll.  Only rows in the window, and a margin, exist as elements. */
pyrograph.ui.barsPanel = function (app) {
	'use strict';

	const { now } = app;
	const D = pyrograph.ui.dom, M = pyrograph.bars.model, T = pyrograph.bars.text, L = pyrograph.bars.layout;
	const { readable } = pyrograph.contrast;
	const INSET = 4, GAP = 8, LINES = 34, LINE = 15, MARK = 7, LABEL_CHARS = 6, MARGIN_ROWS = 10, LEAST_ROWS = 4,
		TICK_PX = 90, AXIS = 20, CUT = 4, CUT_FROM_END = 16;
	const PLAIN = '#b0b0b0'; /* colour of segments without a step, when others have one; as in C */
	const NAME_LEAST = 70, NAME_SHARE = 0.34, FIGURE = 148, NOTE_MOST = 300, NOTE_SHARE = 0.24, FINGER = 28,
		BOLD = 1.12;
	const FIGURE_FROM = 640, NOTE_FROM = 860; /* least width in px for the column of figures, and for notes */
	const fingers = window.matchMedia('(pointer: coarse)');

	const bars = D.svg('g', { id: 'bars-rows', role: 'none' });
	const cursor = D.svg('rect', { 'class': 'cursor', visibility: 'hidden', 'aria-hidden': 'true' });
	const outline = D.svg('rect', { 'class': 'outline', visibility: 'hidden', 'aria-hidden': 'true' });
	const graph = D.svg('svg', { 'class': 'graph', role: 'listbox', tabindex: '0',
		'aria-label': app.settings.rowsName });
	const head = D.svg('svg', { 'class': 'graph bars-axis', role: 'img' });
	const byName = D.html('button', { type: 'button', 'class': 'by-name', onclick: () => now.sortBy('name') });
	const byFigure = D.html('button', { type: 'button', 'class': 'by-figure', onclick: () =>
		now.sortBy(panel.figureKey()) });
	const empty = D.html('p', { 'class': 'empty', hidden: true });
	const scroll = D.html('div', { 'class': 'scroll' }, graph, empty);
	const element = D.html('div', { 'class': 'panel rows bars' },
		D.html('div', { 'class': 'rows-head' }, head, byName, byFigure), scroll);
	const panel = app.panel = { element, scroll, graph, head, least: 0, plainColour: PLAIN };
	const names = new WeakMap(); /* model -> width of its widest name in px */
	const orders = new WeakMap(), notes = new WeakMap(); /* row -> { key, value } */
	let place = null, total = [];

	graph.append(cursor, bars, outline);
	app.page.stage.appendChild(element);
	app.panels = [panel];

	const pitch = () => Math.max(14, app.settings.rowHeight, fingers.matches && !app.allRows ? FINGER : 0);

	panel.colourOf = (kind) => {
		return now.isSafe() ? now.model.kinds[kind].safe : now.model.kinds[kind].rgb;
	};

	/* The colour of a segment: its kind's, or that of its longest time. */
	panel.partColour = (segment) => {
		const { graded } = now.model.kinds[segment.kind];

		if (!now.isByLongest())
			return panel.colourOf(segment.kind);
		return graded ? M.stepOf(now.model, segment.values)[now.isSafe() ? 'safe' : 'rgb'] : PLAIN;
	};

	const WAITING = '*' + M.RUNNABLE;

	/* The sort key of the figures beside the bars: that of the rows; or, if a thread is chosen, the time that the
	 * rows waited for this thread. */
	panel.figureKey = () => /^:|^total$/.test(now.sort) ? now.sort : now.by !== null ? 'by' : now.sort[0] === '*'
		? now.sort
		: app.hasRunnable ? WAITING : 'total';
	panel.sortText = (key) => key === 'total' ? 'total' : key === 'by' ? 'waiting for ' + T.name(now.by)
		: key === WAITING ? 'waiting for a CPU' : key === 'longest' ? 'longest at once' : T.name(key.slice(1));

	/* ---- where ---- */

	/* If most threads belong to one process, the name of the process is left out, since it would take all the
	 * room. */
	const nameOf = (row) => T.within(row.name, now.process) + T.rowName(row).slice(T.name(row.name).length);

	const headText = () => app.settings.rowsHead + (now.process && ' of ' + now.process.slice(0, -1));

	function widestName() {
		if (!names.has(now.model))
			names.set(now.model, now.model.rows.reduce((most, row) =>
				Math.max(most, app.ruler.width(nameOf(row))), 0));
		return names.get(now.model);
	}

	/* The width of the chart, which is at most --width. */
	function widthNow() {
		const room = app.onPaper ? app.page.element.clientWidth : scroll.clientWidth || app.drawnWidth;

		return app.settings.fluid || app.onPaper ? room : Math.min(room, app.drawnWidth);
	}

	function measure() {
		const width = widthNow();
		const widest = Math.max(widestName(), app.ruler.width(panel.headName()) * BOLD,
			app.ruler.width(headText())) + 2 * GAP + INSET;
		const name = Math.max(NAME_LEAST, Math.min(widest, width * NAME_SHARE));
		const waits = app.base.hasBys && (panel.figureKey() === WAITING || panel.figureKey() === 'by');
		const note = width < NOTE_FROM ? '' : waits ? 'behind whom'
			: !app.hasRunnable && !/^:/.test(now.sort) && !app.view.pools ? app.settings.noteHeading : '';
		const figure = width < FIGURE_FROM ? GAP : note ? Math.min(NOTE_MOST, width * NOTE_SHARE) : FIGURE;

		const under = waits && !note && (figure < FIGURE || panel.figureKey() === WAITING);

		place = { width: width, name: name, figure: figure, note: note,
			bar: Math.max(width - name - figure, 40),
			under: under, pitch: under ? Math.max(pitch(), LINES) : pitch(),
			scale: L.scale(now.model, now.rows, { scale: app.view.scale, column: now.column }) };
	}

	/* Returns make(row's data), which is computed once for each row and key, and kept in map. */
	function kept(map, row, key, make) {
		const one = now.model.rows[row], old = map.get(one);

		if (!old || old.key !== key)
			map.set(one, { key: key, value: make(one) });
		return map.get(one).value;
	}

	const orderedOf = (row) => kept(orders, row, now.column + (app.view.every ? ' every' : ''), (one) =>
		M.ordered(now.model, one.segments, now.column, app.view.every));
	const boxesOf = (row) => L.bar(orderedOf(row), now.column,
		place.scale.whole(row), place.bar);

	/* ---- drawing ---- */

	/* Returns the first of the texts that fits; if none does, as much of the last one as fits. */
	function labelFor(texts, room, side) {
		return texts.find((text) => app.ruler.width(text) <= room) ||
			app.ruler.fit(texts[texts.length - 1], room, LABEL_CHARS, side);
	}

	/* The labels for a box, from long to short.  A thread of the row's own process is named without the process;
	 * the name of a thread is cut at its beginning. */
	function labelsOf({ segment }, row) {
		const kind = T.kindText(now.model, segment), amount = T.column(now.model, now.column,
			segment.values[now.column]);

		const by = segment.by === null || !row ? T.byText(segment) : T.near(segment.by, row.name);

		return by ? ['for ' + by + ', ' + amount, 'for ' + by, by, segment.parts ? by.replace(/ threads$/, '')
			: T.isThreadOf(segment.by) ? by.slice(by.lastIndexOf('/') + 1) : by]
			: [kind + ' ' + amount, kind];
	}

	function drawText(parent, x, y, text, attributes) {
		D.svg('text', Object.assign({ x: x, y: y + place.pitch / 2 + app.settings.fontSize * 0.36,
			'aria-hidden': 'true' },
		attributes), parent).textContent = text;
	}

	/* Draws boxes from x on; faded(box): whether the box is dimmed, because it does not stand out. */
	function drawBar(parent, boxes, x, y, faded, row) {
		const height = place.pitch - 3;

		for (const run of L.runs(boxes, (box) => panel.partColour(box.segment) + (faded(box) ? '!' : ''))) {
			const fill = run.colour.slice(0, 7), dim = run.colour.length > 7 ? 0.22 : null, seam = run.w > 3
				? 0.6 : 0;

			D.svg('rect', { x: x + run.x, y: y + 1, width: Math.max(run.w - seam, app.base.full ? 1 : 0),
				height: height, fill: fill, opacity: dim }, parent);
			const label = run.box && run.w > 2 * INSET + 10
				? labelFor(labelsOf(run.box, row), run.w - 2 * INSET,
					T.isThreadOf(run.box.segment.by) ? 'left' : 'right') : '';

			if (label)
				drawText(parent, x + run.x + INSET, y - 0.5, label,
					{ 'class': dim ? 'dim' : readable(fill) === '#ffffff' ? 'white' : 'black' });
		}
	}

	/* Marks a bar that is drawn shorter than it is by a gap before its end. */
	function drawCut(parent, y) {
		D.svg('rect', { 'class': 'cut', x: place.name + place.bar - CUT_FROM_END, y: y + 1, width: CUT,
			height: place.pitch - 3 }, parent);
	}

	const isCut = (values) => now.model.full && app.view.scale === 'window' &&
		values[now.column] > place.scale.top;

	function figuresOf(row) {
		const key = panel.figureKey(), { values } = now.model.rows[row];
		const part = M.amountOf(now.model, row, key, now.by)[now.column];
		const whole = key === 'by' ? M.amountOf(now.model, row, WAITING)[now.column] : key !== 'total'
			? values[now.column] : now.column === now.model.measure
				? now.model.window * now.model.rows[row].members : 0;

		return [T.column(now.model, now.column, part), whole ? T.share(part, whole) : ''];
	}

	/* The note of a row: the threads that it waited for, how long it waited for the chosen one, or the note that C
	 * wrote. */
	const noteOf = (row) => panel.figureKey() === WAITING ? kept(notes, row, String(now.column), () =>
		T.noteText(now.model, row, now.column))
		: panel.figureKey() === 'by' ? figuresOf(row).join(', ') + ' of its waiting' : now.model.rows[row].note;

	/* "62% spin-b-4712": the note in short, for the line below the name when notes have no column of their
	 * own. */
	const underText = (row) => panel.figureKey() === 'by' ? figuresOf(row).join(' ')
		: noteOf(row).replace(/^[^:]*: /, '');

	function drawFigures(parent, y, [amount, share]) {
		if (place.figure < FIGURE)
			return;
		drawText(parent, place.width - 62, y, amount, { 'text-anchor': 'end', 'class': 'ink' });
		drawText(parent, place.width - 8, y, share, { 'text-anchor': 'end', 'class': 'quiet-text' });
	}

	function drawRow(parent, at) {
		const row = now.rows[at], one = now.model.rows[row], y = at * place.pitch;
		const g = D.svg('g', { 'class': 'row', role: 'option', 'data-row': row, 'aria-posinset': at + 1,
			'aria-setsize': now.rows.length, 'aria-selected': String(row === now.detailed),
			'aria-label': app.details.rowText(row) }, parent);

		if (row === now.detailed)
			D.svg('rect', { 'class': 'chosen', x: 0, y: y, width: place.width, height: place.pitch }, g);
		drawText(g, GAP, place.under ? y - LINE / 2 : y,
			app.ruler.fit(nameOf(one), place.name - 2 * GAP, 1, 'middle'),
			{ 'class': now.found && now.found.rows[row] ? 'found' : 'ink' });
		if (place.under)
			drawText(g, GAP, y + LINE / 2, app.ruler.fit(underText(row), place.name - 2 * GAP, 1, 'right'),
				{ 'class': 'quiet-text' });
		drawBar(g, boxesOf(row), place.name, y, (box) => !now.standsOut(row, box.segment), one);
		if (isCut(one.values))
			drawCut(g, y);
		if (place.note) {
			drawText(g, place.width - place.figure + GAP, y,
				app.ruler.fit(noteOf(row), place.figure - 2 * GAP, 1, 'right'),
				{ 'class': 'ink' });
		} else {
			drawFigures(g, y, figuresOf(row));
		}
	}

	const shown = pyrograph.ui.windowed(app, scroll, { margin: MARGIN_ROWS, pitch: () => place.pitch,
		count: () => now.rows.length, rowsIn: (top, end) => [Math.max(Math.floor(top / place.pitch), 0),
			Math.min(Math.ceil(end / place.pitch), now.rows.length)],
		draw: (from, to) => {
			const fresh = document.createDocumentFragment();

			for (let at = from; at < to; at++)
				drawRow(fresh, at);
			bars.replaceChildren(fresh);
			announce();
		} });

	/* ---- the head: the sum of all rows, and the axis ---- */

	function drawAxis(parent) {
		const { scale, bar, name } = place, top = scale.percent ? 100 : scale.top;

		for (const tick of L.ticks(top, Math.max(1, Math.floor(bar / TICK_PX)))) {
			const x = name + tick / top * bar, y = place.pitch + AXIS;
			const anchor = tick === 0 ? 'start' : x > name + bar - 20 ? 'end' : 'middle';

			D.svg('path', { 'class': 'tick', d: 'M' + x + ' ' + (y - 4) + 'v4' }, parent);
			D.svg('text', { x: x, y: y - 7, 'text-anchor': anchor, 'class': 'quiet-text' },
				parent).textContent =
				scale.percent ? tick + ' %' : T.axis(now.model, now.column, tick, top);
		}
	}

	/* "All noise", or "noise of 3 sources" if others are filtered out. */
	panel.headName = () => !now.model.fullGroup ? app.details.sumText()
		: now.rows.length === now.model.rows.length ? 'All ' + now.model.fullGroup
			: now.model.fullGroup + ' of ' + app.details.countText();

	/* Is the sort key a part of the sum at the top?  The sum of noise has no running time. */
	const isOfSum = (key) => key === 'total' || now.model.kinds.some((kind) =>
		(key === ':' + kind.name || key === '*' + kind.group) && app.details.isAbout(kind)) ||
		!now.model.fullGroup;

	function drawHead() {
		const fresh = document.createDocumentFragment(), all = now.rows.length, y = 1;
		const sums = M.byKind(now.model, now.rows), segments = sums.map((values, kind) =>
			values && app.details.isAbout(now.model.kinds[kind]) && { kind, by: null, values })
			.filter(Boolean);
		const values = M.amount(now.model, segments), key = panel.figureKey();
		const sumOf = (what) => what === 'total' ? values[now.column] : now.rows.reduce((sum, row) => sum +
			M.amountOf(now.model, row, what, now.by)[now.column], 0);
		const part = sumOf(key), whole = key === 'by' ? sumOf(WAITING) : isOfSum(key) ? values[now.column]
			: M.amount(now.model, sums.map((of) => of && { values: of }).filter(Boolean))[now.column];

		total = L.bar(M.ordered(now.model, segments, now.column), now.column, values[now.column] || 1,
			place.bar);
		drawAxis(fresh);
		drawText(fresh, GAP, y, app.ruler.fit(panel.headName(), place.name - 2 * GAP, 1, 'right'),
			{ 'class': 'sum' });
		drawBar(fresh, total, place.name, y, () => false);
		if (all && place.note)
			drawText(fresh, place.width - place.figure + GAP, y, T.column(now.model, now.column, part) +
				', ' +
				T.share(part, whole) + (key === 'by' ? ' of their waiting' : ''), { 'class': 'ink' });
		else if (all)
			drawFigures(fresh, y, [T.column(now.model, now.column, part), T.share(part, whole)]);
		head.replaceChildren(fresh);
		head.setAttribute('width', place.width);
		head.setAttribute('height', AXIS + place.pitch);
		head.setAttribute('aria-label', panel.headName() + ': ' + app.details.kindShares()
			.filter(([kind]) => app.details.isAbout(kind))
			.map(([kind, , share]) => T.kindName(kind) + ' ' + share).join(', '));
		showSort();
	}

	function showSort() {
		const arrow = (key) => now.sort !== key ? '' : app.view.down === (key !== 'name') ? 'down' : 'up';

		byName.textContent = app.ruler.width(headText()) <= place.name - 2 * GAP ? headText()
			: app.settings.rowsHead;
		byName.title = 'Sort by name' + (now.process && '\nNames are shown without ' + now.process);
		byName.dataset.sort = arrow('name');
		byFigure.textContent = panel.figureKey() === 'by' ? 'waited for ' +
			app.ruler.fit(T.within(now.by, now.process),
				place.figure - 100, 1, 'left') : panel.figureKey() !== WAITING ? place.note ||
				panel.sortText(panel.figureKey())
			: place.note ? 'Waited, ' + place.note : 'Waited';
		byFigure.style.right = place.note ? 'auto' : '6px';
		byFigure.style.left = place.note ? place.width - place.figure + GAP - 2 + 'px' : 'auto';
		byFigure.title = 'Sort by ' + panel.sortText(panel.figureKey());
		byFigure.dataset.sort = arrow(panel.figureKey());
		byFigure.hidden = place.figure < FIGURE;
	}

	/* Draws the panel anew, after a change of the view or of the size. */
	panel.draw = () => {
		measure();
		empty.hidden = now.rows.length > 0;
		empty.textContent = now.by !== null && app.view.filter.pattern
			? 'No row that matches the filter waited for it.' : 'No rows are left.';
		graph.setAttribute('width', place.width);
		graph.setAttribute('height', now.rows.length * place.pitch);
		panel.least = Math.min(Math.max(now.rows.length, 1), LEAST_ROWS) * place.pitch + AXIS + place.pitch + 4;
		element.style.minHeight = panel.least + 'px';
		drawHead();
		shown.paint();
		panel.focus(false);
		panel.outline(null);
	};
	app.drawAll = panel.draw;

	/* ---- what is pointed at ---- */

	/* The box of a row's segment; segment: its place in the bar, or -1 for the box of the whole row. */
	function boxOf(row, segment) {
		const at = now.rows.indexOf(row), box = boxesOf(row)[segment];

		return { x: box ? place.name + box.x - Math.max(MARK - box.w, 0) / 2 : 0, y: at * place.pitch, w: box
			? Math.max(box.w, MARK)
			: place.width };
	}

	function surround(rect, row, segment) {
		if (row === null || !now.rows.includes(row)) {
			rect.setAttribute('visibility', 'hidden');
			return;
		}
		const at = boxOf(row, segment), inset = segment < 0 ? 1 : 0;

		rect.setAttribute('x', at.x + inset);
		rect.setAttribute('y', at.y);
		rect.setAttribute('width', at.w - 2 * inset);
		rect.setAttribute('height', place.pitch - 1);
		rect.setAttribute('visibility', 'visible');
	}

	function announce() {
		const { row } = now.cursor, item = row === null ? null : bars.querySelector('[data-row="' + row + '"]');
		const old = D.activate(graph, item, 'bars-row-' + row);

		if (old)
			old.setAttribute('aria-selected', String(Number(old.dataset.row) === now.detailed));
		if (item)
			item.setAttribute('aria-selected', 'true');
	}

	panel.outline = (at) => surround(outline, at ? at.row : null, at ? at.segment : -1);
	panel.focus = (reveal) => {
		const { row, segment } = now.cursor;

		surround(cursor, row, segment);
		if (row !== null && reveal)
			shown.reveal(now.rows.indexOf(row) * place.pitch);
		announce();
	};
	panel.page = shown.page;
	/* Returns the boxes of a row's bar, one for each segment. */
	panel.segments = (row) => boxesOf(row);

	function nearest(boxes, x) {
		const at = boxes.findIndex((box) => x < box.x + box.w);

		return x < 0 || at < 0 ? -1 : at;
	}

	/* Returns { row, segment, box } at a place of the window, or null. */
	panel.at = (clientX, clientY) => {
		const box = graph.getBoundingClientRect(), scale = box.width / place.width || 1;
		const at = Math.floor((clientY - box.top) / scale / place.pitch),
			x = (clientX - box.left) / scale - place.name;

		if (at < 0 || at >= now.rows.length)
			return null;
		const boxes = boxesOf(now.rows[at]), segment = nearest(boxes, x);

		return { row: now.rows[at], segment: segment, box: boxes[segment] || null };
	};
	/* Returns the kind at a place of the window in the sum of all rows, or null. */
	panel.sumAt = (clientX, clientY) => {
		const box = head.getBoundingClientRect(), x = clientX - box.left - place.name;

		return clientY - box.top > place.pitch ? null : total[nearest(total, x)] || null;
	};
	/* Returns the place of a row's segment in the window. */
	panel.where = (row, segment) => {
		const box = graph.getBoundingClientRect(), at = boxOf(row, segment);

		return { x: box.left + at.x + Math.min(at.w / 2, 60), y: box.top + at.y + place.pitch / 2 };
	};

	/* For export.js: everything in the chart, with all rows. */
	panel.picture = () => ({ heads: [[GAP, byName.textContent, 'start'], byFigure.hidden ? [0, '', 'start']
		: place.note
			? [place.width - place.figure + GAP, byFigure.textContent, 'start']
			: [place.width - GAP, byFigure.textContent, 'end']],
	width: place.width, head: head, headHeight: AXIS + place.pitch, rows: bars,
	rowsHeight: now.rows.length * place.pitch });

	scroll.addEventListener('scroll', shown.paintIfNeeded);
	app.onchange(() => {
		app.page.resize();
		panel.draw();
	});
	new ResizeObserver(() => {
		if (place && scroll.clientHeight && widthNow() !== place.width && !app.onPaper)
			panel.draw();
		else
			shown.paintIfNeeded();
	}).observe(scroll);
};
