/* timeline_panel: the rows on the page, over a part of the time. Above is an axis, which stays; below are the
 * rows, which scroll.  Only rows in the window, and a margin, exist as elements. */
pyrograph.ui.timelinePanel = function (app) {
	'use strict';

	const D = pyrograph.ui.dom, M = pyrograph.timeline.data, R = pyrograph.timeline.raster, N = pyrograph.number;
	const { data, settings } = app, { layout } = settings, { readable } = pyrograph.contrast;
	const axis = pyrograph.ui.timeAxis(app), { px, text } = axis;
	const AXIS = 20, STALLS = layout.stallsHeight || 0, HEAD = AXIS + STALLS, STALL_H = 5;
	const GROUP = 20, INSET = 3, GAP = 8;
	const MARGIN_ROWS = 15, LEAST_ROWS = 4, LEAST_BAR = 50;
	const BAR_SHARE = 0.55, NAME_SHARE = 0.3; /* shares of the width, in a narrow window */
	/* Px: narrower marks have no label, no cut label, no cut name of whom they waited for. */
	const LABEL_FROM = 12, CUT_FROM = 24, CUT_BY_FROM = 48;

	const rows = D.svg('g', { id: 'timeline-rows', role: 'none' }),
		grid = D.svg('path', { 'class': 'grid', d: '' });
	const groups = D.svg('g', { id: 'timeline-names', 'aria-hidden': 'true' });
	const selection = D.svg('rect', { 'class': 'selection', visibility: 'hidden', 'aria-hidden': 'true' });
	const cursor = D.svg('rect', { 'class': 'moment', visibility: 'hidden', width: 1, 'aria-hidden': 'true' });
	const focus = D.svg('rect', { 'class': 'cursor', visibility: 'hidden', 'aria-hidden': 'true' });
	const graph = D.svg('svg', { 'class': 'graph', role: 'listbox', tabindex: '0',
		'aria-label': settings.rowsWord });
	const head = D.svg('svg', { 'class': 'graph timeline-axis', 'aria-hidden': 'true' });
	const empty = D.html('p', { 'class': 'empty', hidden: true });
	const more = D.html('div', { 'class': 'more-rows', hidden: true });
	const scroll = D.html('div', { 'class': 'scroll' }, graph, empty, more);
	const element = D.html('div', { 'class': 'panel rows timeline' }, D.html('div', { 'class': 'rows-head' }, head),
		scroll);
	const panel = app.panel = { element, scroll, graph, head, least: 0 };
	const heads = new Map(settings.groups);
	let place = null, placed = [], height = 0, marked = []; /* stalls: { number, x, end } */

	graph.append(groups, grid, focus, rows, selection, cursor);
	app.page.stage.appendChild(element);
	app.panels = [panel];

	/* ---- where ---- */

	function measure() {
		const room = app.onPaper ? app.page.element.clientWidth : scroll.clientWidth || app.drawnWidth;
		const width = settings.fluid || app.onPaper ? room : Math.min(room, app.drawnWidth);
		let { nameWidth, noteWidth, barX } = layout;

		if (width - layout.pad - barX < width * BAR_SHARE) {
			noteWidth = 0;
			nameWidth = Math.min(nameWidth, width * NAME_SHARE);
			barX = layout.nameX + nameWidth + GAP;
		}
		place = { width, nameX: layout.nameX, gap: GAP, nameWidth, noteWidth, barX, bar: Math.max(LEAST_BAR,
			Math.floor(width - layout.pad - barX)),
			pitch: layout.rowHeight };
	}

	/* Groups, such as the CPUs of a node, have a heading above their rows while the rows are in their first
	 * order. */
	function placeRows() {
		let y = 0;

		groups.replaceChildren();
		placed = app.rows.map((row) => {
			if (heads.has(row) && app.view.sort === 'drawn') {
				text(groups, layout.nameX, y + GROUP / 2, heads.get(row), { 'class': 'quiet-text' });
				y += GROUP;
			}
			y += place.pitch;
			return y - place.pitch;
		});
		height = y;
	}

	const xOf = (ns) => axis.xOf(place, app.part, ns);

	/* ---- words ---- */

	/* The label of a mark, or "". */
	function labelOf(span, room) {
		if (data.isDull[data.kindOf[data.stack[span]]])
			return '';
		const stack = data.stack[span], by = data.by[stack], kind = settings.kinds[data.kindOf[stack]][0],
			{ ruler } = app;
		const name = M.shortName(settings, by || kind), label = by ? 'for ' + name : name,
			inner = room - 2 * INSET;

		if (ruler.width(label) <= inner)
			return label;
		if (settings.kindsAreCpus && label.startsWith('CPU '))
			return ruler.width(label.slice(4)) <= inner ? label.slice(4) : '';
		if (by || settings.byCpu) /* the end of such a name tells more than its beginning */
			return inner > CUT_BY_FROM ? ruler.fit(name, inner, 1, 'left') : '';
		return inner > CUT_FROM ? ruler.fit(label, inner, 1, 'right') : '';
	}

	/* A row's figures for the shown part, in a few words; for the whole time, the words that C wrote. */
	app.noteOf = (row) => {
		const { from, to } = app.part, s = (n, word) => `${N.countText(n)} ${word}${n === 1 ? '' : 's'}`;

		if (app.isWhole())
			return settings.rows[row][1];
		const sum = R.sums(data, row, from, to), share = N.percentText(sum.time, to - from);

		if (settings.cap !== undefined) {
			const most = Array.from(sum.kinds).filter(([kind]) => !data.isRunning[kind] &&
				!data.isWaiting[kind] && !data.isDull[kind])
				.concat([[-1, sum.waiting]]).sort((a, b) => b[1] - a[1] || a[0] - b[0])[0];

			return N.percentText(sum.running, to - from) + ' ran' + (most[1] < (to - from) / 1000 ? ''
				: ' \u00b7 ' + N.percentText(most[1], to - from) + ' ' +
				(most[0] < 0 ? 'for a CPU' : settings.kinds[most[0]][0]));
		}
		if (settings.kindsAreStates)
			return N.percentText(sum.waiting, to - from) + ' waiting \u00b7 ' +
				N.percentText(sum.running, to - from) + ' running';
		if (settings.byCpu)
			return `${share} busy \u00b7 ${s(sum.kinds.size, 'thread')}`;
		return settings.kindsAreCpus ? `${share} \u00b7 ${s(sum.moves, 'move')}` : share;
	};

	/* ---- drawing ---- */

	function drawMarks(parent, row, y) {
		const high = place.pitch - 3, paths = new Map(), labels = [];

		R.marks(data, row, { from: app.part.from, to: app.part.to, width: Math.round(place.bar), height: high },
			(kind, x, w, h, span) => {
			const faded = !app.standsOut(row, kind, span < 0 ? -1 : data.stack[span], span), key = kind +
				(faded ? '!' : '');

			paths.set(key, (paths.get(key) || '') +
				`M${px(place.barX + x)} ${px(y + 1 + high - h)}h${px(w)}v${h}h${px(-w)}z`);
			const label = span >= 0 && w > LABEL_FROM ? labelOf(span, w) : '';

			if (label)
				labels.push([place.barX + x + INSET, label, faded ? 'quiet-text'
					: readable(app.colourOf(kind)) === '#ffffff' ? 'white' : 'black']);
		});
		for (const [key, d] of paths) {
			const faded = key.endsWith('!'), kind = parseInt(key, 10);

			D.svg('path', { d: d, fill: app.colourOf(kind), 'data-kind': kind, 'class': faded ? 'faded'
				: null,
				opacity: faded ? 0.18 : null }, parent);
		}
		for (const [x, label, name] of labels)
			text(parent, x, y + 1 + high / 2, label, { 'class': name, 'aria-hidden': 'true' });
	}

	function drawRow(parent, at) {
		const row = app.rows[at], y = placed[at], [name] = settings.rows[row], note = app.noteOf(row),
			middle = y + (place.pitch - 1) / 2;
		const g = D.svg('g', { 'class': 'row', role: 'option', 'data-row': row, 'aria-posinset': at + 1,
			'aria-setsize': app.rows.length,
			'aria-selected': String(row === app.cursor.row), 'aria-label': `${name}: ${note}` }, parent);

		text(g, layout.nameX, middle, app.ruler.fit(M.shortName(settings, name), place.nameWidth, 1, 'left'),
			{ 'class': app.found && app.found.rows[row] ? 'found' : 'ink' });
		if (place.noteWidth)
			text(g, layout.noteX + place.noteWidth, middle, note,
				{ 'class': 'quiet-text', 'text-anchor': 'end' });
		D.svg('rect', { 'class': 'track', x: place.barX, y: y + 1, width: place.bar, height: place.pitch - 3 },
			g);
		drawMarks(D.svg('g', { 'class': 'marks' }, g), row, y);
	}

	/* The rows between two heights.  They are not evenly spaced, because groups have headings between them. */
	function rowsIn(top, end) {
		const from = placed.findIndex((y) => y + place.pitch > top), to = placed.findIndex((y) => y > end);

		return [Math.max(0, from), to < 0 ? placed.length : to];
	}

	const shown = pyrograph.ui.windowed(app, scroll, { margin: MARGIN_ROWS, pitch: () => place.pitch, rowsIn,
		count: () => placed.length, draw: (from, to) => {
			const fresh = document.createDocumentFragment();

			for (let at = from; at < to; at++)
				drawRow(fresh, at);
			rows.replaceChildren(fresh);
			announce();
		} });

	/* A mark for each stall in this part of the time, with its words where there is room before the next. */
	function drawStalls(parent) {
		const { from, to } = app.part, right = place.barX + place.bar;
		const all = (settings.stalls || []).map((stall, number) => ({ number, words: stall[3],
			name: stall[9] && pyrograph.profile.baseName(stall[9]),
			waits: stall[6], x: Math.max(place.barX, xOf(stall[0])),
			end: Math.min(right, xOf(stall[0] + stall[1])),
			seen: stall[0] < to && stall[0] + stall[1] > from })).filter(({ seen }) => seen);

		marked = all;
		for (const { number, x, end } of all)
			D.svg('rect', { 'class': 'stall', 'data-stall': number, x: px(x), y: HEAD - STALL_H - 1,
				width: px(Math.max(2, end - x)), height: STALL_H }, parent);
		const chosen = labelled(all, right);

		chosen.forEach(({ words, name, x }, i) => {
			const end = i + 1 < chosen.length ? chosen[i + 1].x - GAP : right;
			const label = wordsThatFit(words, name, end - x);

			text(parent, x, AXIS + (STALLS - STALL_H) / 2 - 1, label, { 'class': 'quiet-text' });
		});
	}

	/* Those that have words: those with most waiting come first, and each must have room for the shortest. */
	function labelled(all, right) {
		const chosen = [];

		for (const stall of all.slice().sort((a, b) => b.waits - a.waits || a.number - b.number)) {
			const end = stall.x + app.ruler.width(shortest(stall.words));

			const apart = (other) => stall.x >= other.labelEnd + GAP || end + GAP <= other.x;

			if (end <= right && chosen.every(apart))
				chosen.push(Object.assign(stall, { labelEnd: end }));
		}
		return chosen.sort((a, b) => a.x - b.x);
	}

	const shortest = (words) => words.split('; ')[0].replace(/ threads?/, '');

	/* "3 threads waited 202 ms; refresher ran rebuild", or less of it; name: "rebuild", or null. */
	function wordsThatFit(words, name, room) {
		const ends = name && words.endsWith(' ' + name), waited = words.split('; ')[0];
		const brief = ends ? words.slice(0, -name.length - 1).replace(/ in$/, '') : words;

		return [words, brief, waited].find((some) => app.ruler.width(some) <= room) || shortest(words);
	}

	/* The rows that are not shown, and how to show them. */
	function offer() {
		const button = (label, change) => D.html('button', { type: 'button',
			onclick: () => app.touch(change) }, label);
		const count = (n) => n.toLocaleString('en'), threads = app.quiet === 1 ? ' thread' : ' threads';
		const quiet = count(app.quiet) + threads + ' that only waited for work';

		more.replaceChildren(...app.more ? [button(`Show ${count(app.more)} more`, { all: true })] : [],
			...app.quiet ? [button(quiet + ' (show)', { quiet: true })] : []);
		more.hidden = !more.children.length;
	}

	function drawHead() {
		const fresh = document.createDocumentFragment();

		grid.setAttribute('d', axis.head(fresh, place, app.part, AXIS, height));
		drawStalls(fresh);
		head.replaceChildren(fresh);
		head.setAttribute('width', place.width);
		head.setAttribute('height', HEAD);
	}

	/* Draws the panel anew, after a change of the view or of the size. */
	panel.draw = () => {
		measure();
		placeRows();
		empty.hidden = app.rows.length > 0;
		offer();
		empty.textContent = app.filterError ? '' : settings.byCpu
			? 'No CPU has that name. For threads, search, or click on the legend.'
			: 'No rows are left.';
		graph.setAttribute('width', place.width);
		graph.setAttribute('height', height);
		panel.least = Math.min(Math.max(app.rows.length, 1), LEAST_ROWS) * place.pitch + HEAD + 4;
		element.style.minHeight = panel.least + 'px';
		drawHead();
		shown.paint();
		panel.point(null);
		panel.focus(false);
	};
	app.drawAll = panel.draw;

	/* ---- what is pointed at ---- */

	panel.point = (x) => axis.vertical(cursor, x, x, height);
	panel.select = (from, to) => axis.vertical(selection, from, to, height);
	/* Points out the row of the thread that a stall waited for; -1: none. */
	panel.markRow = (row) => {
		for (const e of rows.querySelectorAll('.guilty'))
			e.classList.remove('guilty');
		const e = row < 0 ? null : rows.querySelector(`[data-row="${row}"]`);

		if (e)
			e.classList.add('guilty');
	};
	panel.xOf = (ns) => Math.max(place.barX, xOf(ns));

	const announce = () => D.activate(graph, rows.querySelector('[data-row="' + app.cursor.row + '"]'),
		'timeline-row-' + app.cursor.row);

	panel.focus = (reveal) => {
		const y = placed[app.rows.indexOf(app.cursor.row)];

		focus.setAttribute('visibility', y === undefined ? 'hidden' : 'visible');
		if (y === undefined) {
			announce();
			return;
		}
		for (const [key, value] of [['x', 1], ['y', y], ['width', place.width - 2],
			['height', place.pitch - 1]])
			focus.setAttribute(key, value);
		if (reveal)
			shown.reveal(y);
		announce();
	};
	panel.page = shown.page;
	panel.scrolls = () => scroll.scrollHeight > scroll.clientHeight + 1;

	/* Returns { row: a number or null, x, ns, column, inBar } for a place of the window; x in px of the graph. */
	panel.at = (clientX, clientY) => {
		const box = graph.getBoundingClientRect(), x = clientX - box.left, y = clientY - box.top;
		const at = placed.findIndex((top) => y >= top && y < top + place.pitch), { from, to } = app.part;

		return { row: at < 0 ? null : app.rows[at], ...axis.at(place, app.part, x),
			perPx: (to - from) / place.bar };
	};
	/* Returns the number of the stall there, or -1; marks are hit a few px beside them, too. */
	panel.stallAt = (clientX, clientY) => {
		const box = head.getBoundingClientRect(), x = clientX - box.left, y = clientY - box.top;
		const near = ({ x: left, end }) => x >= left - 2 && x <= Math.max(end, left + 2) + 2;
		const found = y >= HEAD - STALL_H - 4 ? marked.findLast(near) : null;

		return found ? found.number : -1;
	};
	/* Returns where in the window a moment of a row is. */
	panel.where = (row, ns) => {
		const box = graph.getBoundingClientRect();

		return { x: box.left + panel.xOf(ns), y: box.top + placed[app.rows.indexOf(row)] + place.pitch / 2 };
	};

	/* For export.js: everything that is drawn. */
	panel.picture = () => ({ width: place.width, parts: [[head, 0], [groups, HEAD], [grid, HEAD], [rows, HEAD]],
		height: HEAD + height });

	app.onchange(() => {
		app.page.resize();
		panel.draw();
	});
	axis.follow(scroll, { place: () => place, measure, draw: panel.draw, paintIfNeeded: shown.paintIfNeeded });
};
