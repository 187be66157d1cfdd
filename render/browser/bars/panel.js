/* bars_panel: the bars on the page. Above are the sum of all rows and an axis, which stay; below are the rows,
 * which scroll.  Only rows in the window, and a margin, exist as elements. */
pyrograph.ui.barsPanel = function (app) {
	'use strict';

	const D = pyrograph.ui.dom, M = pyrograph.bars.model, T = pyrograph.bars.text, L = pyrograph.bars.layout;
	const { readable } = pyrograph.contrast;
	const INSET = 4, GAP = 8, LINES = 34, LINE = 15, MARK = 7, LABEL_CHARS = 3, MARGIN_ROWS = 10, LEAST_ROWS = 4,
		TICK_PX = 90, AXIS = 20, CUT = 4, CUT_FROM_END = 16;
	const PLAIN = app.plainColour = '#b0b0b0'; /* of segments that have no step, where the others have; as in C */
	const NAME_LEAST = 70, NAME_SHARE = 0.34, FIGURE = 148, NOTE_MOST = 300, NOTE_SHARE = 0.24, FINGER = 28,
		BOLD = 1.12;
	const FIGURE_FROM = 640, NOTE_FROM = 860; /* px of width: below, no column of figures, or notes */
	const fingers = window.matchMedia('(pointer: coarse)');

	const bars = D.svg('g', { id: 'bars-rows', role: 'none' });
	const cursor = D.svg('rect', { 'class': 'cursor', visibility: 'hidden', 'aria-hidden': 'true' });
	const outline = D.svg('rect', { 'class': 'outline', visibility: 'hidden', 'aria-hidden': 'true' });
	const graph = D.svg('svg', { 'class': 'graph', role: 'listbox', tabindex: '0',
		'aria-label': app.settings.rowsName });
	const head = D.svg('svg', { 'class': 'graph bars-axis', role: 'img' });
	const byName = D.html('button', { type: 'button', 'class': 'by-name', onclick: () => app.sortBy('name') });
	const byFigure = D.html('button', { type: 'button', 'class': 'by-figure', onclick: () =>
		app.sortBy(app.figureKey()) });
	const empty = D.html('p', { 'class': 'empty', hidden: true });
	const scroll = D.html('div', { 'class': 'scroll' }, graph, empty);
	const element = D.html('div', { 'class': 'panel rows bars' },
		D.html('div', { 'class': 'rows-head' }, head, byName, byFigure), scroll);
	const panel = app.panel = { element, scroll, graph, head, least: 0 };
	const names = new WeakMap(); /* model -> width of its widest name in px */
	const orders = new WeakMap(), notes = new WeakMap(); /* row -> { key, value } */
	let place = null, total = [];

	graph.append(cursor, bars, outline);
	app.page.stage.appendChild(element);
	app.panels = [panel];

	const pitch = () => Math.max(14, app.settings.rowHeight, fingers.matches && !app.allRows ? FINGER : 0);

	app.colourOf = (kind) => {
		return app.isSafe() ? app.model.kinds[kind].safe : app.model.kinds[kind].rgb;
	};

	/* The colour of a segment: its kind's, or that of its longest time. */
	app.partColour = (segment) => {
		const { graded } = app.model.kinds[segment.kind];

		if (!app.isByLongest())
			return app.colourOf(segment.kind);
		return graded ? M.stepOf(app.model, segment.values)[app.isSafe() ? 'safe' : 'rgb'] : PLAIN;
	};

	const WAITING = '*' + M.RUNNABLE;

	/* What the figures beside the bars are about: the amount by which the rows are sorted; or, for rows
	 * that waited for one chosen thread, how long they waited for it. */
	app.figureKey = () => /^:|^total$/.test(app.sort) ? app.sort : app.by !== null ? 'by' : app.sort[0] === '*'
		? app.sort
		: app.hasRunnable ? WAITING : 'total';
	app.sortText = (key) => key === 'total' ? 'total' : key === 'by' ? 'waiting for ' + T.name(app.by)
		: key === WAITING ? 'waiting for a CPU' : key === 'longest' ? 'longest at once' : T.name(key.slice(1));

	/* ---- where ---- */

	/* If most threads are of one process, its name is left out: it would take all the room. */
	const nameOf = (row) => T.within(row.name, app.process) + T.rowName(row).slice(T.name(row.name).length);

	const headText = () => app.settings.rowsHead + (app.process && ' of ' + app.process.slice(0, -1));

	function widestName() {
		if (!names.has(app.model))
			names.set(app.model, app.model.rows.reduce((most, row) =>
				Math.max(most, app.ruler.width(nameOf(row))), 0));
		return names.get(app.model);
	}

	/* The width of the chart, which is at most --width. */
	function widthNow() {
		const room = app.onPaper ? app.page.element.clientWidth : scroll.clientWidth || app.drawnWidth;

		return app.settings.fluid || app.onPaper ? room : Math.min(room, app.drawnWidth);
	}

	function measure() {
		const width = widthNow();
		const widest = Math.max(widestName(), app.ruler.width(app.headName()) * BOLD,
			app.ruler.width(headText())) + 2 * GAP + INSET;
		const name = Math.max(NAME_LEAST, Math.min(widest, width * NAME_SHARE));
		const waits = app.base.hasBys && (app.figureKey() === WAITING || app.figureKey() === 'by');
		const note = width < NOTE_FROM ? '' : waits ? 'for'
			: !app.hasRunnable && !/^:/.test(app.sort) && !app.view.pools ? app.settings.noteHeading : '';
		const figure = width < FIGURE_FROM ? GAP : note ? Math.min(NOTE_MOST, width * NOTE_SHARE) : FIGURE;

		const under = waits && !note && (figure < FIGURE || app.figureKey() === WAITING);

		place = { width: width, name: name, figure: figure, note: note,
			bar: Math.max(width - name - figure, 40),
			under: under, pitch: under ? Math.max(pitch(), LINES) : pitch(),
			scale: L.scale(app.model, app.rows, { scale: app.view.scale, column: app.column }) };
	}

	/* Returns make(row's data); each row's value is computed once for a key, and kept in map. */
	function kept(map, row, key, make) {
		const one = app.model.rows[row], old = map.get(one);

		if (!old || old.key !== key)
			map.set(one, { key: key, value: make(one) });
		return map.get(one).value;
	}

	const orderedOf = (row) => kept(orders, row, app.column + (app.view.every ? ' every' : ''), (one) =>
		M.ordered(app.model, one.segments, app.column, app.view.every));
	const boxesOf = (row) => L.bar(orderedOf(row), app.column,
		place.scale.whole(row), place.bar);

	/* ---- drawing ---- */

	/* Returns the first of the texts that fits; if none does, as much of the last one as fits. */
	function labelFor(texts, room, side) {
		return texts.find((text) => app.ruler.width(text) <= room) ||
			app.ruler.fit(texts[texts.length - 1], room, LABEL_CHARS, side);
	}

	/* The labels for a box, from long to short.  A thread of the row's own process is named without the
	 * process; a thread's name is cut so that its end can be read. */
	function labelsOf({ segment }, row) {
		const kind = T.kindText(app.model, segment), amount = T.column(app.model, app.column,
			segment.values[app.column]);

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

	/* Draws boxes from x on; faded(box): whether the box is dim, because it does not stand out. */
	function drawBar(parent, boxes, x, y, faded, row) {
		const height = place.pitch - 3;

		for (const run of L.runs(boxes, (box) => app.partColour(box.segment) + (faded(box) ? '!' : ''))) {
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

	/* Marks a bar that is longer than it is drawn: a gap before its end. */
	function drawCut(parent, y) {
		D.svg('rect', { 'class': 'cut', x: place.name + place.bar - CUT_FROM_END, y: y + 1, width: CUT,
			height: place.pitch - 3 }, parent);
	}

	const isCut = (values) => app.model.full && app.view.scale === 'window' &&
		values[app.column] > place.scale.top;

	function figuresOf(row) {
		const key = app.figureKey(), { values } = app.model.rows[row];
		const part = M.amountOf(app.model, row, key, app.by)[app.column];
		const whole = key === 'by' ? M.amountOf(app.model, row, WAITING)[app.column] : key !== 'total'
			? values[app.column] : app.column === app.model.measure
				? app.model.window * app.model.rows[row].members : 0;

		return [T.column(app.model, app.column, part), whole ? T.share(part, whole) : ''];
	}

	/* The note of a row: which threads it waited for; or how long it waited for the chosen one; or the note
	 * that C wrote. */
	const noteOf = (row) => app.figureKey() === WAITING ? kept(notes, row, String(app.column), () =>
		T.noteText(app.model, row, app.column))
		: app.figureKey() === 'by' ? figuresOf(row).join(', ') + ' of its waiting' : app.model.rows[row].note;

	/* "62% spin-b-4712": the note in short, for the line below the name when notes have no column of their
	 * own. */
	const underText = (row) => app.figureKey() === 'by' ? figuresOf(row).join(' ')
		: noteOf(row).replace(/^[^:]*: /, '');

	function drawFigures(parent, y, [amount, share]) {
		if (place.figure < FIGURE)
			return;
		drawText(parent, place.width - 62, y, amount, { 'text-anchor': 'end', 'class': 'ink' });
		drawText(parent, place.width - 8, y, share, { 'text-anchor': 'end', 'class': 'quiet-text' });
	}

	function drawRow(parent, at) {
		const row = app.rows[at], one = app.model.rows[row], y = at * place.pitch;
		const g = D.svg('g', { 'class': 'row', role: 'option', 'data-row': row, 'aria-posinset': at + 1,
			'aria-setsize': app.rows.length, 'aria-selected': String(row === app.detailed),
			'aria-label': app.rowText(row) }, parent);

		if (row === app.detailed)
			D.svg('rect', { 'class': 'chosen', x: 0, y: y, width: place.width, height: place.pitch }, g);
		drawText(g, GAP, place.under ? y - LINE / 2 : y,
			app.ruler.fit(nameOf(one), place.name - 2 * GAP, 1, 'middle'),
			{ 'class': app.found && app.found.rows[row] ? 'found' : 'ink' });
		if (place.under)
			drawText(g, GAP, y + LINE / 2, app.ruler.fit(underText(row), place.name - 2 * GAP, 1, 'right'),
				{ 'class': 'quiet-text' });
		drawBar(g, boxesOf(row), place.name, y, (box) => !app.standsOut(row, box.segment), one);
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
		count: () => app.rows.length, rowsIn: (top, end) => [Math.max(Math.floor(top / place.pitch), 0),
			Math.min(Math.ceil(end / place.pitch), app.rows.length)],
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
				scale.percent ? tick + '%' : T.axis(app.model, app.column, tick, top);
		}
	}

	/* "All noise", or "noise of 3 sources" where others are filtered out. */
	app.headName = () => !app.model.fullGroup ? app.sumText()
		: app.rows.length === app.model.rows.length ? 'All ' + app.model.fullGroup
			: app.model.fullGroup + ' of ' + app.countText();

	/* Is what one sorts by a part of the sum at the top?  That of noise has nothing of what ran. */
	const isOfSum = (key) => key === 'total' || app.model.kinds.some((kind) =>
		(key === ':' + kind.name || key === '*' + kind.group) && app.isAbout(kind)) || !app.model.fullGroup;

	function drawHead() {
		const fresh = document.createDocumentFragment(), all = app.rows.length, y = 1;
		const sums = M.byKind(app.model, app.rows), segments = sums.map((values, kind) =>
			values && app.isAbout(app.model.kinds[kind]) && { kind: kind, by: null, values: values })
			.filter(Boolean);
		const values = M.amount(app.model, segments), key = app.figureKey();
		const sumOf = (what) => what === 'total' ? values[app.column] : app.rows.reduce((sum, row) => sum +
			M.amountOf(app.model, row, what, app.by)[app.column], 0);
		const part = sumOf(key), whole = key === 'by' ? sumOf(WAITING) : isOfSum(key) ? values[app.column]
			: M.amount(app.model, sums.map((of) => of && { values: of }).filter(Boolean))[app.column];

		total = L.bar(M.ordered(app.model, segments, app.column), app.column, values[app.column] || 1,
			place.bar);
		drawAxis(fresh);
		drawText(fresh, GAP, y, app.ruler.fit(app.headName(), place.name - 2 * GAP, 1, 'right'),
			{ 'class': 'sum' });
		drawBar(fresh, total, place.name, y, () => false);
		if (all && place.note)
			drawText(fresh, place.width - place.figure + GAP, y, T.column(app.model, app.column, part) +
				', ' +
				T.share(part, whole) + (key === 'by' ? ' of their waiting' : ''), { 'class': 'ink' });
		else if (all)
			drawFigures(fresh, y, [T.column(app.model, app.column, part), T.share(part, whole)]);
		head.replaceChildren(fresh);
		head.setAttribute('width', place.width);
		head.setAttribute('height', AXIS + place.pitch);
		head.setAttribute('aria-label', app.headName() + ': ' + app.kindShares()
			.filter(([kind]) => app.isAbout(kind))
			.map(([kind, , share]) => T.kindName(kind) + ' ' + share).join(', '));
		showSort();
	}

	function showSort() {
		const arrow = (key) => app.sort !== key ? '' : app.view.down === (key !== 'name') ? 'down' : 'up';

		byName.textContent = app.ruler.width(headText()) <= place.name - 2 * GAP ? headText()
			: app.settings.rowsHead;
		byName.title = 'Sort by name' + (app.process && '\nNames are shown without ' + app.process);
		byName.dataset.sort = arrow('name');
		byFigure.textContent = app.figureKey() === 'by' ? 'waited for ' +
			app.ruler.fit(T.within(app.by, app.process),
				place.figure - 100, 1, 'left') : app.figureKey() !== WAITING ? place.note ||
				app.sortText(app.figureKey())
			: place.note ? 'waited, ' + place.note : 'waited';
		byFigure.style.right = place.note ? 'auto' : '6px';
		byFigure.style.left = place.note ? place.width - place.figure + GAP - 2 + 'px' : 'auto';
		byFigure.title = 'Sort by ' + app.sortText(app.figureKey());
		byFigure.dataset.sort = arrow(app.figureKey());
		byFigure.hidden = place.figure < FIGURE;
	}

	/* Draws the panel anew, after a change of the view or of the size. */
	panel.draw = () => {
		measure();
		empty.hidden = app.rows.length > 0;
		empty.textContent = app.by !== null && app.view.filter.pattern
			? 'No row that matches the filter waited for it.' : 'No rows are left.';
		graph.setAttribute('width', place.width);
		graph.setAttribute('height', app.rows.length * place.pitch);
		panel.least = Math.min(Math.max(app.rows.length, 1), LEAST_ROWS) * place.pitch + AXIS + place.pitch + 4;
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
		const at = app.rows.indexOf(row), box = boxesOf(row)[segment];

		return { x: box ? place.name + box.x - Math.max(MARK - box.w, 0) / 2 : 0, y: at * place.pitch, w: box
			? Math.max(box.w, MARK)
			: place.width };
	}

	function surround(rect, row, segment) {
		if (row === null || !app.rows.includes(row)) {
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
		const { row } = app.cursor, now = row === null ? null : bars.querySelector('[data-row="' + row + '"]');
		const old = D.activate(graph, now, 'bars-row-' + row);

		if (old)
			old.setAttribute('aria-selected', String(Number(old.dataset.row) === app.detailed));
		if (now)
			now.setAttribute('aria-selected', 'true');
	}

	panel.outline = (at) => surround(outline, at ? at.row : null, at ? at.segment : -1);
	panel.focus = (reveal) => {
		const { row, segment } = app.cursor;

		surround(cursor, row, segment);
		if (row !== null && reveal)
			shown.reveal(app.rows.indexOf(row) * place.pitch);
		announce();
	};
	panel.page = shown.page;
	/* Returns the boxes of a row's bar, one for each segment. */
	panel.segments = (row) => boxesOf(row);

	function nearest(boxes, x) {
		const at = boxes.findIndex((box) => x < box.x + box.w);

		return x < 0 || at < 0 ? -1 : at;
	}

	/* Returns { row, segment, box } for a place of the window, or null. */
	panel.at = (clientX, clientY) => {
		const box = graph.getBoundingClientRect(), scale = box.width / place.width || 1;
		const at = Math.floor((clientY - box.top) / scale / place.pitch),
			x = (clientX - box.left) / scale - place.name;

		if (at < 0 || at >= app.rows.length)
			return null;
		const boxes = boxesOf(app.rows[at]), segment = nearest(boxes, x);

		return { row: app.rows[at], segment: segment, box: boxes[segment] || null };
	};
	/* Returns the kind at a place of the window in the sum of all rows, or null. */
	panel.sumAt = (clientX, clientY) => {
		const box = head.getBoundingClientRect(), x = clientX - box.left - place.name;

		return clientY - box.top > place.pitch ? null : total[nearest(total, x)] || null;
	};
	/* Returns where in the window a row's segment is. */
	panel.where = (row, segment) => {
		const box = graph.getBoundingClientRect(), at = boxOf(row, segment);

		return { x: box.left + at.x + Math.min(at.w / 2, 60), y: box.top + at.y + place.pitch / 2 };
	};

	/* For export.js: everything that is drawn when all rows are drawn. */
	panel.picture = () => ({ heads: [[GAP, byName.textContent, 'start'], byFigure.hidden ? [0, '', 'start']
		: place.note
			? [place.width - place.figure + GAP, byFigure.textContent, 'start']
			: [place.width - GAP, byFigure.textContent, 'end']],
	width: place.width, head: head, headHeight: AXIS + place.pitch, rows: bars,
	rowsHeight: app.rows.length * place.pitch });

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
