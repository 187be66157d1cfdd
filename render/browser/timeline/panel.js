/* timeline_panel: threads or CPUs as rows over a part of the time (rows_panel.js), with stalls below the axis. */
pyrograph.ui.timelinePanel = function (app) {
	'use strict';

	const D = pyrograph.ui.dom, M = pyrograph.timeline.data, R = pyrograph.timeline.raster, N = pyrograph.number;
	const { data, settings, now } = app, { layout } = settings, { readable } = pyrograph.contrast;
	const AXIS = 20, STALLS = layout.stallsHeight || 0, HEAD = AXIS + STALLS, STALL_H = 5;
	const GROUP = 20, INSET = 3, GAP = 8, FRAME = 1.5;
	const MARGIN_ROWS = 15, LEAST_ROWS = 4, LEAST_BAR = 50;
	const BAR_SHARE = 0.55, NAME_SHARE = 0.3; /* shares of the width in a narrow window */
	/* Least widths in px of marks with a label, with a cut label, and with the cut name of the thread that they
	 * waited for. */
	const LABEL_FROM = 12, LABEL_CHARS = 6; /* fewer letters of a name tell nothing */

	const groups = D.svg('g', { id: 'timeline-names', 'aria-hidden': 'true' });
	const more = D.html('div', { 'class': 'more-rows', hidden: true });
	const heads = new Map(settings.groups);
	const isLead = (stall) => stall[8] === settings.source.guilty; /* of the worst problem's cause */
	const hasLead = (settings.stalls || []).some(isLead);
	let placed = [], height = 0, marked = []; /* stalls: { number, x, end } */

	const { panel, axis, place: placeNow, xOf } = pyrograph.ui.rowsPanel(app, { name: 'timeline',
		label: settings.rowsWord, data: 'data-row', id: 'timeline-row-', cursor: () => now.cursor.row,
		margin: MARGIN_ROWS, least: LEAST_ROWS, placeIn, arrange, rowsIn, drawRow, empty: '',
		top: (at) => at < placed.length ? placed[at] : height, high: (at, { pitch }) => pitch - 1,
		headHigh: HEAD, drawHead: drawStalls, behind: [groups], after: [more] });
	const { px, text } = axis, { head, rows } = panel;

	/* ---- where ---- */

	function placeIn(width) {
		let { nameWidth, noteWidth, barX } = layout;

		if (width - layout.pad - barX < width * BAR_SHARE) {
			noteWidth = 0;
			nameWidth = Math.min(nameWidth, width * NAME_SHARE);
			barX = layout.nameX + nameWidth + GAP;
		}
		return { width, nameX: layout.nameX, gap: GAP, nameWidth, noteWidth, barX, bar: Math.max(LEAST_BAR,
			Math.floor(width - layout.pad - barX)),
		pitch: layout.rowHeight };
	}

	/* Groups, such as the CPUs of a node, have a heading above their rows while the rows are in their original
	 * order. */
	function placeRows({ pitch }) {
		let y = 0;

		groups.replaceChildren();
		placed = now.rows.map((row) => {
			if (heads.has(row) && app.view.sort === 'drawn') {
				text(groups, layout.nameX, y + GROUP / 2, heads.get(row), { 'class': 'quiet-text' });
				y += GROUP;
			}
			y += pitch;
			return y - pitch;
		});
		height = y;
	}

	/* ---- words ---- */

	/* "worker-0": who had what the thread waited for; or "". */
	function holderOf(stack, kind) {
		const trace = data.trace[stack] >= 0 && M.HELD.includes(kind) ? data.traces[data.trace[stack]] : [];

		return trace.includes('--') ? pyrograph.profile.baseName(trace[trace.length - 1]) : '';
	}

	/* The label of a mark, or "". */
	function labelOf(span, room) {
		if (data.isDull[data.kindOf[data.stack[span]]])
			return '';
		const stack = data.stack[span], kind = settings.kinds[data.kindOf[stack]][0],
			by = data.isWaiting[data.kindOf[stack]] && data.by[stack], { ruler } = app;
		const name = M.shortName(settings, by || kind), label = by ? 'for ' + name : name,
			inner = room - 2 * INSET;

		const holder = by || settings.byCpu ? '' : holderOf(stack, kind);
		const whole = (holder ? [`${label}: ${holder}`, `for ${holder}`, holder, label] : [label])
			.find((words) => ruler.width(words) <= inner);

		if (whole)
			return whole;
		if (settings.kindsAreCpus && label.startsWith('CPU '))
			return ruler.width(label.slice(4)) <= inner ? label.slice(4) : '';
		if (by || settings.byCpu) /* the end of such a name says more than its beginning */
			return ruler.fit(name, inner, LABEL_CHARS, 'left');
		return ruler.fit(label, inner, LABEL_CHARS, 'right');
	}

	/* A row's figures for the shown part, in a few words; for the whole time, the words that C wrote. */
	panel.noteOf = (row) => {
		const { from, to } = app.part, s = (n, word) => `${N.countText(n)} ${word}${n === 1 ? '' : 's'}`;

		if (app.part.isWhole())
			return settings.rows[row][1];
		const sum = R.sums(data, row, from, to), share = N.percentText(sum.time, to - from);

		if (settings.cap !== undefined) {
			const most = Array.from(sum.kinds).filter(([kind]) => !data.isRunning[kind] &&
				!data.isWaiting[kind] && !data.isDull[kind])
				.concat([[-1, sum.waiting]]).sort((a, b) => b[1] - a[1] || a[0] - b[0])[0];
			const waits = most[1] >= (to - from) / 1000, ran = !waits || sum.running >= (to - from) / 1000;

			return [ran ? N.percentText(sum.running, to - from) + ' ran' : '',
				waits ? N.percentText(most[1], to - from) + ' ' +
				(most[0] < 0 ? 'for a CPU' : settings.kinds[most[0]][0]) : '']
				.filter(Boolean).join(' \u00b7 ');
		}
		if (settings.kindsAreStates)
			return N.percentText(sum.waiting, to - from) + ' waiting \u00b7 ' +
				N.percentText(sum.running, to - from) + ' running';
		if (settings.byCpu)
			return `${share} busy \u00b7 ${s(sum.kinds.size, 'thread')}`;
		return settings.kindsAreCpus ? `${share} \u00b7 ${s(sum.moves, 'move')}` : share;
	};

	/* ---- drawing ---- */

	function drawMarks(parent, row, y, place) {
		const high = place.pitch - 3, paths = new Map(), labels = [];

		R.marks(data, row, { from: app.part.from, to: app.part.to, width: Math.round(place.bar), height: high },
			(kind, x, w, h, span) => {
				const stack = span < 0 ? -1 : data.stack[span];
				const faded = !now.standsOut(row, kind, stack, span), key = kind + (faded ? '!' : '');

				paths.set(key, (paths.get(key) || '') +
				`M${px(place.barX + x)} ${px(y + 1 + high - h)}h${px(w)}v${h}h${px(-w)}z`);
				const label = span >= 0 && w > LABEL_FROM ? labelOf(span, w) : '';

				if (label)
					labels.push([place.barX + x + INSET, label, faded ? 'quiet-text'
						: readable(now.colourOf(kind)) === '#ffffff' ? 'white' : 'black']);
			});
		for (const [key, d] of paths) {
			const faded = key.endsWith('!'), kind = parseInt(key, 10);

			D.svg('path', { d: d, fill: now.colourOf(kind), 'data-kind': kind, 'class': faded ? 'faded'
				: null,
			opacity: faded ? 0.18 : null }, parent);
		}
		for (const [x, label, name] of labels)
			text(parent, x, y + 1 + high / 2, label, { 'class': name, 'aria-hidden': 'true' });
	}

	function drawRow(parent, at, place) {
		const row = now.rows[at], y = placed[at], [name] = settings.rows[row], note = panel.noteOf(row),
			middle = y + (place.pitch - 1) / 2;
		const g = D.svg('g', { 'class': 'row', role: 'option', 'data-row': row, 'aria-posinset': at + 1,
			'aria-setsize': now.rows.length,
			'aria-selected': String(row === now.cursor.row), 'aria-label': `${name}: ${note}` }, parent);

		text(g, layout.nameX, middle, app.ruler.fit(M.shortName(settings, name), place.nameWidth, 1, 'left'),
			{ 'class': now.found && now.found.rows[row] ? 'found' : 'ink' });
		if (place.noteWidth)
			text(g, layout.noteX + place.noteWidth, middle, note,
				{ 'class': 'quiet-text', 'text-anchor': 'end' });
		D.svg('rect', { 'class': 'track', x: place.barX, y: y + 1, width: place.bar, height: place.pitch - 3 },
			g);
		drawMarks(D.svg('g', { 'class': 'marks' }, g), row, y, place);
		drawFrames(g, row, y, place);
	}

	/* Frames around what the cause of the worst problem did during its stalls. */
	function drawFrames(parent, row, y, place) {
		const { from, to } = app.part, right = place.barX + place.bar;

		for (const stall of (settings.stalls || []).filter((one) => one[2] === row && isLead(one))) {
			const [start, length] = stall, x = Math.max(place.barX, xOf(start));

			if (start < to && start + length > from)
				D.svg('rect', { 'class': 'stall-frame', x: px(x + FRAME / 2), y: y + FRAME / 2,
					width: px(Math.max(1, Math.min(right, xOf(start + length)) - x - FRAME)),
					height: place.pitch - 1 - FRAME }, parent);
		}
	}

	/* The rows between two heights.  They are not evenly spaced, because groups have headings between them. */
	function rowsIn(top, end, { pitch }) {
		const from = placed.findIndex((y) => y + pitch > top), to = placed.findIndex((y) => y > end);

		return [Math.max(0, from), to < 0 ? placed.length : to];
	}

	/* A mark for each stall in this part of the time, with words if there is room before the next mark. */
	function drawStalls(parent, place) {
		const { from, to } = app.part, right = place.barX + place.bar;
		const all = (settings.stalls || []).map((stall, number) => ({ number, words: stall[3],
			leads: isLead(stall),
			name: stall[9] && pyrograph.profile.baseName(stall[9]),
			waits: stall[6], x: Math.max(place.barX, xOf(stall[0])),
			end: Math.min(right, xOf(stall[0] + stall[1])),
			seen: stall[0] < to && stall[0] + stall[1] > from })).filter(({ seen }) => seen);

		marked = all;
		for (const { number, leads, x, end } of all)
			D.svg('rect', { 'class': hasLead && !leads ? 'stall other' : 'stall', 'data-stall': number,
				x: px(x), y: HEAD - STALL_H - 1,
				width: px(Math.max(2, end - x)), height: STALL_H }, parent);
		const chosen = labelled(all, right);

		chosen.forEach(({ words, name, x }, i) => {
			const end = i + 1 < chosen.length ? chosen[i + 1].x - GAP : right;
			const label = wordsThatFit(words, name, end - x);

			text(parent, x, AXIS + (STALLS - STALL_H) / 2 - 2, label, { 'class': 'quiet-text' });
		});
	}

	/* The stalls that have words: those with the most waiting take precedence, and each needs room for the shortest
	 * words. */
	function labelled(all, right) {
		const chosen = [];

		for (const stall of all.slice().sort((a, b) => b.leads - a.leads || b.waits - a.waits ||
			a.number - b.number)) {
			const end = stall.x + app.ruler.width(shortest(stall.words));

			const apart = (other) => stall.x >= other.labelEnd + GAP || end + GAP <= other.x;

			if (end <= right && chosen.every(apart))
				chosen.push(Object.assign(stall, { labelEnd: end }));
		}
		return chosen.sort((a, b) => a.x - b.x);
	}

	const shortest = (words) => words.split('; ')[0].replace(/ threads?|^event loop | for a CPU$/g, '');

	/* "3 threads waited 202 ms; refresher ran rebuild", or less of it; name: "rebuild", or null. */
	function wordsThatFit(words, name, room) {
		const ends = name && words.endsWith(' ' + name), waited = words.split('; ')[0];
		const brief = ends ? words.slice(0, -name.length - 1).replace(/ in$/, '') : words;

		return [words, brief, waited].find((some) => app.ruler.width(some) <= room) || shortest(words);
	}

	/* The number of rows that are not shown, and how to show them. */
	function offer() {
		const button = (label, change) => D.html('button', { type: 'button',
			onclick: () => app.touch(change) }, label);
		const count = (n) => n.toLocaleString('en'), threads = now.quiet === 1 ? ' thread' : ' threads';
		const quiet = count(now.quiet) + threads + ' active under 0.1 % of the time';

		more.replaceChildren(...now.more ? [button(`Show ${count(now.more)} more`, { all: true })] : [],
			...now.quiet ? [button(quiet + ' (show)', { quiet: true })] : []);
		more.hidden = !more.children.length;
	}

	function arrange(place) {
		placeRows(place);
		offer();
		panel.empty.textContent = now.filterError ? '' : settings.byCpu
			? 'No CPU has that name. For threads, search, or click on the legend.'
			: 'No rows are left.';
	}

	/* ---- what is pointed at ---- */

	/* Highlights the row of the thread that a stall waited for; -1: none. */
	panel.markRow = (row) => {
		for (const e of rows.querySelectorAll('.guilty'))
			e.classList.remove('guilty');
		const e = row < 0 ? null : rows.querySelector(`[data-row="${row}"]`);

		if (e)
			e.classList.add('guilty');
	};
	panel.xOf = (ns) => Math.max(placeNow().barX, xOf(ns));

	/* Returns { row: a number or null, x, ns, column, inBar } for a place of the window; x in px of the graph. */
	panel.at = (clientX, clientY) => {
		const place = placeNow(), box = panel.graph.getBoundingClientRect();
		const x = clientX - box.left, y = clientY - box.top;
		const at = placed.findIndex((top) => y >= top && y < top + place.pitch), { from, to } = app.part;

		return { row: at < 0 ? null : now.rows[at], ...axis.at(place, app.part, x),
			perPx: (to - from) / place.bar };
	};
	/* Returns the number of the stall at a place, or -1; a few px beside a mark count as on it. */
	panel.stallAt = (clientX, clientY) => {
		const box = head.getBoundingClientRect(), x = clientX - box.left, y = clientY - box.top;
		const near = ({ x: left, end }) => x >= left - 2 && x <= Math.max(end, left + 2) + 2;
		const found = y >= HEAD - STALL_H - 4 ? marked.findLast(near) : null;

		return found ? found.number : -1;
	};
	/* Returns the place of a row's moment in the window. */
	panel.where = (row, ns) => {
		const box = panel.graph.getBoundingClientRect();

		return { x: box.left + panel.xOf(ns),
			y: box.top + placed[now.rows.indexOf(row)] + placeNow().pitch / 2 };
	};
};
