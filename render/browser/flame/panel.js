/* panel: one flame graph on the page: its rows, the outline under the pointer, and the frame that has the
 * focus.  Only rows in the window, and a margin, exist as elements. */
pyrograph.ui.panel = function (app, options) {
	'use strict';

	const D = pyrograph.ui.dom, L = pyrograph.layout, settings = app.settings;
	const LABEL_INSET = 3, LABEL_MIN_CHARS = 6, LEAST_GRAPH = 240;
	const MARGIN_ROWS = app.host ? 6 : 30;
	const LEAST_ROWS = app.host ? 3 : 9;
	/* The most boxes and elements in a windowful of rows; fewer within a host, where graphs of many ranges are
	 * drawn one after the other. */
	const BOXES_MAX = 30000, ELEMENTS_MAX = app.host ? 1000 : 3000;
	const pitch = settings.frameHeight, pad = settings.pad;

	/* options: name (of the panel, for screen readers), tree() and zoom() (what the panel
	 * shows), inverted(), leastRows(), zoomTo(frame), title element or null */
	/* The group has role "none": with a role of its own, its frames would not be items of the tree. */
	const frames = D.svg('g', { id: options.id && (app.prefix || '') + options.id, role: 'none' });
	const outline = D.svg('rect', { 'class': 'outline', visibility: 'hidden', 'aria-hidden': 'true' });
	const focus = D.svg('rect', { 'class': 'focus', visibility: 'hidden', 'aria-hidden': 'true' });
	const graph = D.svg('svg', { 'class': 'graph', role: 'tree', tabindex: '0', 'aria-label': options.name,
		'font-size': settings.fontSize });
	const empty = D.html('p', { 'class': 'empty', hidden: true }, 'No stacks are left.');
	const scroll = D.html('div', { 'class': 'scroll' }, graph, empty);
	const more = D.html('button', { type: 'button', 'class': 'more', tabindex: '-1', hidden: true,
		onclick: () => panel.page(options.inverted() ? 1 : -1) });
	const element = D.html('div', { 'class': 'panel' }, options.title || null,
		D.html('div', { 'class': 'frame' }, scroll, more));
	const panel = { element, scroll, graph, tree: app.base, zoom: 0, title: options.title, least: 0,
		zoomTo: options.zoomTo, treeNow: options.tree };
	const font = L.measured(app.ruler.width, settings.fontSize);
	let plan = null, rows = 1, width = 0;
	let fold = null; /* which frames are hidden: layout.js */
	let below = 0; /* px of the graph that are below the window */
	let size = '';  /* the sizes of the window and of its contents when `below` was set */

	graph.append(frames, outline, focus);

	const inner = () => width - 2 * pad;
	const rowOf = (frame) => fold ? fold.row[frame] : panel.tree.depth[frame];
	const rowTop = (row) => (options.inverted() ? row : rows - 1 - row) * pitch;

	panel.nameOf = (frame) => app.wordsOf(app.names[panel.tree.name[frame]]);

	/* Returns the place of a frame in px, with the present zoom; frames below the zoomed one have the full
	 * width. */
	panel.place = (frame) => {
		const tree = panel.tree, zoom = panel.zoom, shown = frame > zoom && frame < tree.end[zoom];

		return {
			x: pad + (shown ? (tree.start[frame] - tree.start[zoom]) / tree.total[zoom] * inner() : 0),
			y: rowTop(rowOf(frame)),
			w: shown ? Math.max(tree.total[frame] / tree.total[zoom] * inner(), 1) : inner(),
		};
	};

	function drawBox(parent, frame, row, x, w, className) {
		const y = rowTop(row), rect = D.svg('rect', { x: x + pad, y: y, width: w, height: pitch - 1,
			fill: app.boxColour(panel.tree, frame), 'class': className || null, role: 'treeitem',
			'data-frame': frame, 'aria-level': row + 1,
			'aria-label': app.frameText(panel, frame) }, parent);
		const label = L.label(font, app.labelOf(panel, frame), w - 2 * LABEL_INSET, LABEL_MIN_CHARS,
			settings.truncate || 'right');

		if (settings.strokeColour)
			rect.setAttribute('stroke', settings.strokeColour);
		if (panel.tree.folded && panel.tree.folded.has(frame))
			rect.classList.add('folded');
		if (label)
			D.svg('text', { x: x + pad + LABEL_INSET, y: y + (pitch - 1) / 2 + settings.fontSize * 0.36,
				'class': className || null, 'aria-hidden': 'true' }, parent).textContent = label;
	}

	/* Draws one path for each colour, those of marked frames above the others. */
	function drawCrumbs(parent, crumbs, base) {
		const plain = new Map(), marked = new Map();

		for (const c of crumbs) {
			const shapes = app.markSet.has(c.colour) ? marked : plain;
			const w = shapes === marked ? Math.max(c.w, 1) : c.w;

			shapes.set(c.colour, (shapes.get(c.colour) || '') + 'M' + (pad + c.x) + ' ' +
				rowTop(base + c.row) + 'h' + w + 'v' + (pitch - 1) + 'h' + -w + 'z');
		}
		for (const shapes of [plain, marked]) {
			for (const [colour, d] of shapes)
				D.svg('path', { 'class': 'crumbs', fill: colour, d: d, 'aria-hidden': 'true' }, parent);
		}
	}

	/* If there are more boxes than a browser can take as elements at once, the narrowest ones are drawn as
	 * shapes. */
	function thinned(part) {
		if (part.boxes.length <= ELEMENTS_MAX)
			return part;
		const widths = Float64Array.from(part.boxes, (box) => box.w).sort();
		const least = widths[widths.length - 1 - ELEMENTS_MAX];
		const narrow = part.boxes.filter((box) => box.w <= least);

		return { boxes: part.boxes.filter((box) => box.w > least), crumbs: part.crumbs.concat(
			narrow.map((box) => Object.assign({}, box,
				{ colour: app.boxColour(panel.tree, box.frame) }))) };
	}

	/* Returns the rows between two heights, counted from the root. */
	function rowsIn(top, end) {
		const from = Math.floor(top / pitch), to = Math.ceil(end / pitch);

		return options.inverted() ? [Math.max(from, 0), Math.min(to, rows)]
			: [Math.max(rows - to, 0), Math.min(rows - from, rows)];
	}

	function drawRows(from, to) {
		const tree = panel.tree, fresh = document.createDocumentFragment(), base = rowOf(panel.zoom);
		const part = thinned(L.rowsOf(plan, from - base, to - base));

		for (let a = panel.zoom; a;) {
			a = tree.parent[a];
			const row = rowOf(a), hides = fold && fold.hidden[a] || row === base;

			if (row >= from && row < to && !hides)
				drawBox(fresh, a, row, 0, inner(), 'parent');
		}
		drawCrumbs(fresh, part.crumbs, base);
		for (const box of part.boxes)
			drawBox(fresh, box.frame, base + box.row, box.x, box.w, '');
		frames.replaceChildren(fresh);
	}

	const shown = pyrograph.ui.windowed(app, scroll, { rowsIn, count: () => rows, pitch: () => pitch,
		margin: MARGIN_ROWS, draw: (from, to) => plan && drawRows(from, to),
		scrolled: () => { below = edge(); } });

	/* ---- the rows in the window ---- */

	const edge = () => Math.max(0, scroll.scrollHeight - scroll.clientHeight - scroll.scrollTop);

	const sizeNow = () => scroll.clientHeight + ' ' + scroll.scrollHeight;

	/* When rows or room change, browsers keep the upper edge in place, but here the edge at the root must stay. */
	function keepRoot() {
		if (!options.inverted())
			scroll.scrollTop = scroll.scrollHeight - scroll.clientHeight - below;
		size = sizeNow();
	}

	/* Some rows are visible even in a very low window, because then the whole page scrolls. */
	function makeRoom() {
		const graphs = Math.min(rows, LEAST_ROWS) * pitch;

		panel.least = graphs + (panel.title ? panel.title.offsetHeight : 0);
		scroll.style.minHeight = graphs + 'px';
		element.style.minHeight = panel.least + 'px';
	}

	/* "12 more rows": how many rows are outside the window. */
	function showMore() {
		const used = plan ? plan.rows + rowOf(panel.zoom) : 0, top = Math.max(0, scroll.scrollTop);
		const out = options.inverted() ? rows - Math.floor((top + scroll.clientHeight + 1) / pitch)
			: Math.floor(top / pitch) - (rows - used);

		more.hidden = !plan || out < 1 || !scroll.clientHeight;
		more.classList.toggle('at-end', options.inverted());
		scroll.classList.toggle('goes-on', !more.hidden);
		scroll.classList.toggle('at-end', options.inverted());
		more.textContent = (options.inverted() ? '\u2193 ' : '\u2191 ') + out.toLocaleString('en') +
			(out === 1 ? ' more row' : ' more rows');
	}

	/* Draws the panel anew, after a change of the view or of its size. */
	panel.draw = () => {
		const tree = panel.tree = options.tree(), zoom = panel.zoom = options.zoom();
		const scheme = app.schemeOf(tree);

		fold = panel.fold = app.foldOf(panel);
		const base = rowOf(zoom);
		const crumb = (frame) => app.markOf(tree, frame) ? app.boxColour(tree, frame) : scheme.crumb(frame);

		empty.hidden = tree.total[0] > 0;
		if (!tree.total[0]) {
			frames.replaceChildren();
			graph.setAttribute('height', 0);
			plan = null;
			showMore();
			return;
		}
		width = settings.fluid || app.onPaper ? Math.max(scroll.clientWidth, LEAST_GRAPH) : app.drawnWidth;
		plan = L.layout(tree, zoom, inner(), settings.minWidth, BOXES_MAX, crumb, app.markSet, fold);
		const windows = Math.ceil(plan.rows * pitch / window.innerHeight);

		if (windows > 2) /* each windowful of rows may have this many boxes */
			plan = L.layout(tree, zoom, inner(), settings.minWidth, BOXES_MAX * windows, crumb,
				app.markSet, fold);
		rows = Math.max(options.leastRows(), base + plan.rows);
		graph.setAttribute('width', width);
		graph.setAttribute('height', rows * pitch);
		graph.style.setProperty('--label', scheme.text);
		makeRoom();
		keepRoot();
		shown.paint();
		showMore();
		panel.outline(-1);
		panel.focus(app.cursor.panel === panel ? app.cursor.frame : -1, false);
	};

	function surround(rect, frame) {
		if (frame < 0) {
			rect.setAttribute('visibility', 'hidden');
			return;
		}
		const at = panel.place(frame);

		rect.setAttribute('x', at.x);
		rect.setAttribute('y', at.y);
		rect.setAttribute('width', at.w);
		rect.setAttribute('height', pitch - 1);
		rect.setAttribute('visibility', 'visible');
	}
	const announce = (frame) => D.activate(graph, frames.querySelector('[data-frame="' + frame + '"]'),
		(app.prefix || '') + 'frame-' + frame);

	panel.outline = (frame) => surround(outline, frame);

	/* Sets the frame from which keys move; reveal: scrolls it into the window. */
	panel.focus = (frame, reveal) => {
		surround(focus, frame);
		announce(frame);
		if (frame < 0 || !reveal)
			return;
		shown.reveal(rowTop(rowOf(frame)), pitch);
	};
	panel.showRoot = () => shown.scrollTo(options.inverted() ? 0 : scroll.scrollHeight);
	panel.page = shown.page;
	/* The frame at a place of the window, however narrow it is; -1 if there is none. */
	panel.frameAt = (clientX, clientY) => {
		const box = graph.getBoundingClientRect(), scale = box.width / width || 1;
		const x = (clientX - box.left) / scale - pad, line = Math.floor((clientY - box.top) / scale / pitch);
		const row = options.inverted() ? line : rows - 1 - line, tree = panel.tree, zoom = panel.zoom;

		if (x < 0 || x >= inner() || row < 0 || row >= rows)
			return -1;
		return L.frameAt(tree, tree.start[zoom] + x / inner() * tree.total[zoom], row, fold);
	};

	/* For export.js, which calls this when all rows are drawn. */
	panel.picture = () => ({ width: width, height: rows * pitch, frames: frames });

	scroll.addEventListener('scroll', () => { /* browsers send this event once for each repaint */
		if (size === sizeNow()) /* otherwise the sizes have changed, and keepRoot() follows */
			below = edge();
		shown.paintIfNeeded();
		showMore();
	});

	new ResizeObserver(() => {
		if (!plan || !scroll.clientHeight)
			return;
		if (settings.fluid && !app.onPaper && scroll.clientWidth !== width) {
			panel.draw();
			return;
		}
		keepRoot();
		shown.paintIfNeeded();
		showMore();
	}).observe(scroll);
	return panel;
};
