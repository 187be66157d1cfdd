/* timeline_view: draws a part of the window: the axis, and of the rows those that are on the
 * screen.
 *
 * app has svg, settings, data, clock; this adds
 *   view       { from, to } in ns from the window's start
 *   rows       the rows that are shown, each { number, y, g }
 *   show(from, to)   another part of the window
 *   filter(match)    rows whose names match(name), null: all of them
 *   sort(here)       true: rows that ran longest in the part that is shown first
 *   lit        the kind that is pointed out, or -1
 *   draw()     everything anew; drawVisible() what came on the screen */
pyrographTimeline.view = function (app) {
	'use strict';

	const SVG = 'http://www.w3.org/2000/svg', D = pyrographTimeline.data, R = pyrographTimeline.raster, N = pyrograph.number;
	const { svg, settings, data } = app, flow = pyrographTimeline.flow(svg, settings.layout), TOOL_H = 34, AXIS_H = 20, GROUP_H = 20, NEAR = 500;
	const LEAST_NS = 100, LABEL_INSET = 3, TICK_GAP = 24;
	const rowsGroup = svg.querySelector('#timeline-rows'), axisGroup = svg.querySelector('#timeline-axis');
	const namesGroup = svg.querySelector('#timeline-names'), details = svg.querySelector('#details');
	const measure = document.createElementNS('http://www.w3.org/1999/xhtml', 'canvas').getContext('2d');
	const colour = settings.kinds.map((kind) => kind[settings.safe ? 2 : 1]);
	const isDocument = document.documentElement === svg;
	let layout = settings.layout, bottom = 0, full = 0, width = layout.barWidth, stamp = 0, match = null, height = 0, here = false;

	app.toolHeight = TOOL_H;
	app.layout = () => layout;
	app.view = { from: 0, to: settings.window };
	app.rows = [];
	app.lit = -1;
	measure.font = layout.fontSize + 'px Verdana, "DejaVu Sans", sans-serif';

	function make(name, attributes, parent, text) {
		const e = document.createElementNS(SVG, name);

		for (const key in attributes)
			e.setAttribute(key, attributes[key]);
		if (text !== undefined)
			e.textContent = text;
		if (parent)
			parent.appendChild(e);
		return e;
	}
	app.make = make;

	const px = (n) => String(Math.round(n * 100) / 100);
	const xOf = (ns) => layout.barX + (ns - app.view.from) / (app.view.to - app.view.from) * width;

	app.timeAt = (x) => app.view.from + Math.min(1, Math.max(0, (x - layout.barX) / width)) *
		(app.view.to - app.view.from);
	app.xOf = xOf;
	app.barWidth = () => width;
	app.textWidth = (text) => measure.measureText(text).width;

	/* The end of a name tells more than its beginning. */
	function fitEnd(text, room) {
		let low = 0, high = text.length;

		if (app.textWidth(text) <= room)
			return text;
		while (low < high) { /* what is cut off at least */
			const middle = (low + high) >> 1;

			if (app.textWidth('..' + text.slice(middle)) > room)
				low = middle + 1;
			else
				high = middle;
		}
		low += /[\udc00-\udfff]/.test(text.charAt(low)); /* no half of a character */
		return low < text.length ? '..' + text.slice(low) : '';
	}

	function fit(text, room) {
		let cut = text.length;

		if (app.textWidth(text) <= room)
			return text;
		while (cut > 0 && app.textWidth(text.slice(0, cut) + '..') > room)
			cut--;
		return cut ? text.slice(0, cut) + '..' : '';
	}
	app.fit = fit;

	/* ---- rows ---- */

	/* The numbers of the rows, from the top downwards. */
	function order() {
		const numbers = settings.rows.map((row, number) => number).slice(0, data.rows);

		if (!here)
			return numbers;
		const time = numbers.map((number) => {
			const sum = R.sums(data, number, app.view.from, app.view.to);

			return settings.kindsAreStates ? sum.running : sum.time;
		});

		return numbers.sort((a, b) => time[b] - time[a] || a - b);
	}

	function placeRows() {
		const groups = new Map(here ? [] : settings.groups);
		let y = layout.rowsY;

		app.rows = [];
		namesGroup.replaceChildren();
		rowsGroup.replaceChildren();
		make('rect', { 'class': 'bar', x: layout.barX, y: y, width: width, height: 1 }, rowsGroup);
		app.gridGroup = make('path', { 'class': 'grid', d: '' }, rowsGroup);
		for (const number of order()) {
			if (groups.has(number)) {
				make('text', { x: layout.nameX, y: y + GROUP_H / 2 + layout.fontSize * 0.36, 'class': 'note' },
					namesGroup, groups.get(number));
				y += GROUP_H;
			}
			if (match && !match(settings.rows[number][0]))
				continue;
			app.rows.push({ number, y, g: null, stamp: -1 });
			y += layout.rowHeight;
		}
		height = y - layout.rowsY;
		rowsGroup.firstChild.setAttribute('height', Math.max(1, height));
		details.setAttribute('transform', `translate(0 ${px(y + 8 - settings.layout.detailsY)})`);
		app.height = y + 8 + bottom;
		resizeTo(app.width);
	}

	function labelOf(span, room) {
		const kind = data.kindOf[data.stack[span]], by = data.by[data.stack[span]], inner = room - 2 * LABEL_INSET;
		const name = D.shortName(settings, by || settings.kinds[kind][0]), label = by ? 'for ' + name : name;

		if (inner < 6)
			return '';
		if (app.textWidth(label) <= inner)
			return label;
		if (settings.kindsAreCpus && label.startsWith('CPU '))
			return app.textWidth(label.slice(4)) <= inner ? label.slice(4) : '';
		if (by || settings.byCpu)
			return inner > 48 ? fitEnd(name, inner) : '';
		return inner > 24 ? fit(label, inner) : '';
	}

	function noteOf(number) {
		const { from, to } = app.view;

		if (from === 0 && to === settings.window)
			return settings.rows[number][1];
		const sum = R.sums(data, number, from, to), share = N.percentText(sum.time, to - from);
		const s = (n, word) => `${N.countText(n)} ${word}${n === 1 ? '' : 's'}`;

		if (settings.kindsAreStates)
			return `${N.percentText(sum.waiting, to - from)} waiting \u00b7 ${N.percentText(sum.running, to - from)} running`;
		if (settings.byCpu)
			return `${share} busy \u00b7 ${s(sum.kinds.size, 'thread')}`;
		return settings.kindsAreCpus ? `${share} \u00b7 ${s(sum.moves, 'move')}` : share;
	}

	function drawRow(row) {
		const h = layout.rowHeight - 3, y = row.y, paths = new Map();
		const g = make('g', { 'class': 'row', 'data-row': row.number }), [name] = settings.rows[row.number];
		const base = y + (layout.rowHeight - 1) / 2 + layout.fontSize * 0.36, note = noteOf(row.number);

		make('title', {}, make('text', { x: layout.nameX, y: px(base), 'class': 'details' }, g,
			fitEnd(D.shortName(settings, name), layout.nameWidth)), `${name}: ${note}`);
		if (layout.noteWidth)
			make('text', { x: px(layout.noteX + layout.noteWidth), y: px(base), 'class': 'note', 'text-anchor': 'end' }, g, note);
		make('rect', { 'class': 'track', x: layout.barX, y: y + 1, width: width, height: h }, g);
		const marks = make('g', { 'class': app.lit < 0 ? 'marks' : 'marks dimmed' }, g), labels = [];

		R.marks(data, row.number, { from: app.view.from, to: app.view.to, width: Math.round(width), height: h },
			(kind, x, w, high, span) => {
				const at = layout.barX + x, d = `M${px(at)} ${px(y + 1 + h - high)}h${px(w)}v${high}h${px(-w)}z`;

				paths.set(kind, (paths.get(kind) || '') + d);
				if (span >= 0 && w > 12) {
					const label = labelOf(span, w);

					if (label)
						labels.push([at + LABEL_INSET, label]);
				}
			});
		for (const [kind, d] of paths)
			make('path', { d: d, fill: colour[kind], 'data-kind': kind, 'class': kind === app.lit ? 'lit' : '' }, marks);
		for (const [x, label] of labels)
			make('text', { x: px(x), y: px(y + 1 + h / 2 + layout.fontSize * 0.36) }, marks, label);
		g.setAttribute('role', 'listitem');
		g.setAttribute('aria-label', `${name}: ${note}`);
		g.setAttribute('tabindex', 0);
		if (row.g) {
			const focused = document.activeElement === row.g;

			row.g.replaceWith(g);
			if (focused)
				g.focus({ preventScroll: true });
		}
		else
			rowsGroup.appendChild(g);
		row.g = g;
		row.stamp = stamp;
	}

	/* Of the picture, in its own pixels: what of it is on the screen. */
	app.screen = () => {
		const box = svg.getBoundingClientRect(), scale = box.height / full || 1;

		return { top: -box.top / scale - TOOL_H, bottom: (window.innerHeight - box.top) / scale - TOOL_H };
	};

	app.drawVisible = () => {
		const { top, bottom: end } = app.screen();

		for (const row of app.rows) {
			if (row.stamp !== stamp && (app.onPaper || row.y > top - NEAR && row.y < end + NEAR))
				drawRow(row);
		}
		stick(top);
	};

	/* ---- axis ---- */

	/* Tools and axis stay where they can be seen. */
	function stick(top) {
		const tool = svg.querySelector('.tools'), down = Math.max(0, top + TOOL_H);
		const axis = Math.max(0, top + TOOL_H - layout.axisY + 0);

		if (tool)
			tool.setAttribute('y', down - TOOL_H);
		axisGroup.setAttribute('transform', `translate(0 ${px(Math.min(axis, Math.max(0, height - layout.rowHeight)))})`);
	}

	function drawAxis() {
		const { from, to } = app.view, size = layout.fontSize;
		let step, digits, d = '', count = Math.floor(width / 40) + 1;

		for (; count > 0; count--) {
			step = D.tickStep(to - from, count);
			digits = D.tickDigits(step);
			const label = app.textWidth('00:00:00.000000000'.slice(0, digits < 0 ? 5 : digits ? 9 + digits : 8));

			if (Math.min(step, to - from) / (to - from) * width >= label + TICK_GAP)
				break;
		}
		axisGroup.replaceChildren();
		make('rect', { 'class': 'sticky', x: 0, y: layout.axisY, width: app.width, height: AXIS_H }, axisGroup);
		make('rect', { 'class': 'bar', x: layout.barX, y: layout.axisY, width: width, height: AXIS_H }, axisGroup);
		make('text', { x: layout.nameX, y: layout.axisY + 8 + size * 0.36, 'class': 'note' }, axisGroup,
			app.clock.axis(from));
		for (let ns = app.clock.firstTick(from, step); ns < to; ns += step) {
			const x = xOf(ns), text = app.clock.text(ns, digits);

			d += `M${px(x)} ${layout.rowsY}v${height}h.5v${-height}z`;
			if (x + 2 + app.textWidth(text) > app.width)
				continue;
			make('rect', { 'class': 'tick', x: px(x), y: layout.axisY + 16, width: 1, height: 4 }, axisGroup);
			make('text', { x: px(x + 2), y: layout.axisY + 8 + size * 0.36, 'class': 'note' }, axisGroup, text);
		}
		app.gridGroup.setAttribute('d', d);
	}

	/* ---- all of it ---- */

	/* As high as the window, so that tips and help have room. */
	function heighten(onPaper) {
		full = Math.max(app.height + TOOL_H, isDocument && !onPaper ? document.documentElement.clientHeight || window.innerHeight : 0);
		svg.setAttribute('viewBox', `0 ${-TOOL_H} ${app.width} ${px(full)}`);
		svg.setAttribute('height', px(full));
		for (const rect of svg.querySelectorAll('#background rect'))
			rect.setAttribute('height', px(full));
	}
	app.heighten = heighten;

	function resizeTo(w) {
		app.width = w;
		width = Math.max(50, Math.floor(w - layout.pad - layout.barX));
		svg.setAttribute('width', w);
		heighten(false);
		for (const rect of svg.querySelectorAll('#background rect')) {
			rect.setAttribute('width', w);
			rect.setAttribute('y', -TOOL_H);
		}
		for (const rect of rowsGroup.querySelectorAll(':scope > .bar'))
			rect.setAttribute('width', width);
	}

	app.draw = () => {
		stamp++;
		drawAxis();
		app.drawVisible();
		if (app.onShow)
			app.onShow();
	};

	app.resize = () => {
		const least = 200, all = settings.layout, drawn = all.barX + all.barWidth + all.pad;
		const w = Math.max(least, all.fluid && isDocument ? document.documentElement.clientWidth || window.innerWidth : drawn);

		if (w !== app.width || !bottom) {
			({ layout, bottom } = flow.to(w));
			app.width = w;
			placeRows();
			app.draw();
		} else {
			heighten(false);
		}
	};

	app.show = (from, to) => {
		const least = Math.min(LEAST_NS, settings.window), length = Math.min(settings.window, Math.max(least, to - from));

		from = Math.round(Math.min(Math.max(0, (from + to) / 2 - length / 2), settings.window - length));
		app.view = { from, to: Math.round(from + length) };
		if (here)
			placeRows();
		app.draw();
	};

	app.filter = (fresh) => {
		match = fresh;
		placeRows();
		app.draw();
	};

	app.sort = (on) => {
		here = on;
		placeRows();
		app.draw();
	};
	app.isSorted = () => here;

	app.light = (kind) => {
		app.lit = kind;
		app.draw();
	};

	app.width = layout.barX + layout.barWidth + layout.pad;
	app.height = Number(svg.getAttribute('height'));
	rowsGroup.setAttribute('role', 'list');
};
