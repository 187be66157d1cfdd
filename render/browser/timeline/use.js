/* timeline_use: what a reader does with a timeline: zoom by dragging, wheel, buttons and
 * keys; look at what is under the pointer; find threads; point out a CPU in the legend; keep
 * it all in the address. */
pyrographTimeline.use = function (app) {
	'use strict';

	const XHTML = 'http://www.w3.org/1999/xhtml', D = pyrographTimeline.data, R = pyrographTimeline.raster;
	const N = pyrograph.number;
	const { svg, settings, data, make } = app, STEP = 2, MOVED_PX = 4, KINDS_TOLD = 4;
	const rowsGroup = svg.querySelector('#timeline-rows'), axisGroup = svg.querySelector('#timeline-axis');
	const before = [], isDocument = document.documentElement === svg;
	let depth = history.state && history.state.depth || 0, wrong = '', spot = null;
	let drag = null, selection = null, cursor = null, find = '', helping = null;

	function html(name, attributes, ...children) {
		const e = document.createElementNS(XHTML, name);

		for (const key in attributes) {
			if (typeof attributes[key] === 'function')
				e.addEventListener(key.slice(2), attributes[key]);
			else
				e.setAttribute(key, attributes[key]);
		}
		e.append(...children);
		return e;
	}

	/* ---- the window ---- */

	const length = () => app.view.to - app.view.from;
	const isWhole = () => length() >= settings.window;

	function go(from, to) {
		before.push(app.view);
		app.show(from, to);
	}
	function zoomAt(ns, factor) {
		const rest = Math.min(settings.window, length() * factor);

		app.show(ns - (ns - app.view.from) / length() * rest, ns + (app.view.to - ns) / length() * rest);
	}
	const zoom = (factor) => zoomAt((app.view.from + app.view.to) / 2, factor);
	const pan = (part) => app.show(app.view.from + part * length(), app.view.to + part * length());
	const reset = () => go(0, settings.window);
	/* In a document of its own the browser's list of pages is that of the parts. */
	function back() {
		const view = isDocument ? null : before.pop();

		flush();
		if (view)
			app.show(view.from, view.to);
		else if (isDocument && depth)
			history.back();
	}

	/* ---- tools ---- */

	const button = (label, tip, run) => html('button', { type: 'button', title: tip, 'aria-label': tip, onclick: run }, label);
	const shown = html('span', { 'class': 'shown', role: 'status', 'aria-live': 'polite' });
	const input = html('input', { type: 'search', placeholder: settings.byCpu ? 'find CPUs' : 'find threads',
		'aria-label': 'show only rows whose name matches (regular expression)', oninput: () => search(input.value) });
	const buttons = {
		back: button('\u21a9', 'the part before (Backspace)', back),
		out: button('\u2212', 'longer (-)', () => zoom(STEP)),
		in: button('+', 'shorter (+)', () => zoom(1 / STEP)),
		left: button('\u25c0', 'earlier (left arrow)', () => pan(-0.5)),
		right: button('\u25b6', 'later (right arrow)', () => pan(0.5)),
		all: button('all', 'all of the time (0)', reset),
	};
	const sorted = button('busy first', 'rows that ran longest in this part first (s)', () => sort(!app.isSorted()));
	const help = button('?', 'keys (?)', () => toggleHelp());
	const tools = make('foreignObject', { 'class': 'tools', x: 0, y: -app.toolHeight, width: app.width, height: app.toolHeight });
	const over = make('foreignObject', { 'class': 'over', x: 0, y: 0, width: 1, height: 1 });
	const tip = html('div', { 'class': 'tip', hidden: '', role: 'tooltip' });

	tools.append(html('div', { 'class': 'tool' }, ...Object.values(buttons), sorted, input, shown, help));
	over.append(tip);
	svg.append(axisGroup, tools, over);

	function search(text) {
		let re = null;

		find = text;
		wrong = '';
		try {
			re = text ? new RegExp(text, 'i') : null;
			re?.test(''); /* which compiles it: it may be too large */
		} catch (e) {
			wrong = 'no regular expression: ' + e.message.replace(/^.*\/[a-z]*: /, '');
		}
		input.classList.toggle('wrong', Boolean(wrong));
		input.setAttribute('aria-invalid', String(Boolean(wrong)));
		input.title = wrong;
		if (wrong) {
			sayWhere();
			return;
		}
		app.filter(re && ((name) => re.test(name)));
	}

	function sort(on) {
		app.sort(on);
		sorted.setAttribute('aria-pressed', String(on));
	}
	sorted.setAttribute('aria-pressed', 'false');

	const KEYS = [['drag', 'a part of the time becomes the window'],
		['wheel on the axis, or with Ctrl, Shift or Alt', 'shorter, longer'],
		['+ \u2212', 'shorter, longer'], ['\u2190 \u2192', 'earlier, later'], ['0 or Escape', 'all of the time'],
		['Backspace', 'the part before'], ['/', 'find rows by name'],
		['s', 'rows that ran longest in this part first'], ['Tab, then , .', 'a row; its spans, one by one'],
		['click on the legend', 'point out a ' + (settings.kindsAreCpus ? 'CPU' : 'colour')]];

	function toggleHelp() {
		if (helping) {
			helping.remove();
			helping = null;
			return;
		}
		helping = html('div', { 'class': 'tip help', role: 'note' }, html('table', {},
			...KEYS.map(([key, what]) => html('tr', {}, html('td', {}, key), html('td', {}, what)))));
		over.append(helping);
		helping.style.top = Math.max(0, app.screen().top + app.toolHeight) + 6 + 'px';
	}

	function sayHidden(hidden) {
		if (app.rows.length || !settings.byCpu)
			return `${N.countText(hidden)} rows do not match`;
		return 'no CPU is called so; threads: click on the legend';
	}

	function sayWhere() {
		const digits = Math.min(9, Math.max(3, D.tickDigits(D.tickStep(length(), 100))));
		const hidden = data.rows - app.rows.length;

		shown.classList.toggle('wrong', Boolean(wrong));
		shown.textContent = wrong || `${app.clock.text(app.view.from, digits)} \u2013 ${app.clock.text(app.view.to, digits)}${app.clock.zone}, ` +
			N.durationText(length()) + (hidden ? ' \u00b7 ' + sayHidden(hidden) : '');
		buttons.out.disabled = buttons.all.disabled = isWhole();
		buttons.left.disabled = app.view.from <= 0;
		buttons.right.disabled = app.view.to >= settings.window;
		buttons.back.disabled = isDocument ? !depth : !before.length;
		tools.setAttribute('width', app.width);
		writeAddress();
	}
	app.onShow = () => {
		if (!drag)
			hideTip();
		sayWhere();
	};

	/* ---- the address: #from=NS&to=NS&find=...&sort=here&lit=... ---- */

	let writing = 0, pending = null, written = null;

	const partOf = (view) => `${view.from} ${view.to}`;

	function writeAddress() {
		const hash = new URLSearchParams();

		if (!isWhole()) {
			hash.set('from', app.clock.epoch(app.view.from));
			hash.set('to', app.clock.epoch(app.view.to));
		}
		if (find)
			hash.set('find', find);
		if (app.isSorted())
			hash.set('sort', 'here');
		if (app.lit >= 0)
			hash.set('lit', settings.kinds[app.lit][0]);
		const text = '#' + hash, part = partOf(app.view);

		if (!isDocument)
			return;
		clearTimeout(writing);
		pending = () => writeHistory(text, part);
		writing = setTimeout(flush, 100);
	}

	function flush() {
		const write = pending;

		clearTimeout(writing);
		pending = null;
		if (write)
			write();
	}

	/* Another part of the time is a page that Back leaves; what else changes is not. */
	function writeHistory(text, part) {
		const isNew = written !== null && part !== written;

		written = part;
		try {
			if (isNew)
				history.pushState({ depth: ++depth }, '', text);
			else
				history.replaceState({ depth }, '', text);
		} catch (e) {
			/* in a frame that may not */
		}
		buttons.back.disabled = !depth;
	}

	function readAddress() {
		const hash = new URLSearchParams(location.hash.slice(1)), digits = /^\d{1,20}$/;

		if (!isDocument)
			return;
		clearTimeout(writing);
		pending = null;
		depth = history.state && history.state.depth || 0;
		if ((hash.get('find') || '') !== find) {
			input.value = hash.get('find') || '';
			search(input.value);
		}
		app.lit = hash.get('lit') ? settings.kinds.findIndex((kind) => kind[0] === hash.get('lit')) : -1;
		if (digits.test(hash.get('from')) && digits.test(hash.get('to')))
			app.show(app.clock.fromEpoch(hash.get('from')), app.clock.fromEpoch(hash.get('to')));
		else if (written === null || !isWhole())
			app.show(0, settings.window);
		else
			app.draw();
		written = partOf(app.view);
		if ((hash.get('sort') === 'here') !== app.isSorted())
			sort(!app.isSorted());
		lightLegend();
	}

	/* ---- the pointer ---- */

	function place(event) {
		const box = svg.getBoundingClientRect(), scale = box.width / app.width || 1;

		return { x: (event.clientX - box.left) / scale, y: (event.clientY - box.top) / scale - app.toolHeight };
	}
	const rowAt = (y) => app.rows.find((row) => y >= row.y && y < row.y + app.layout().rowHeight);
	const isInBar = (at) => at.x >= app.layout().barX && at.x <= app.layout().barX + app.barWidth();

	function strong(text, rgb) {
		const swatch = html('span', { 'class': 'swatch' });

		swatch.style.background = rgb;
		return rgb ? [swatch, html('b', {}, text)] : [html('b', {}, text)];
	}
	const rgbOf = (kind) => settings.kinds[kind][settings.safe ? 2 : 1];

	/* One span: where, from when on, how long; what its line says beyond that. */
	function tellSpan(i) {
		const kind = data.kindOf[data.stack[i]], more = data.more.get(i), about = settings.kinds[kind][3];
		const by = data.by[data.stack[i]], lines = [strong(settings.kinds[kind][0] + (by ? ', for ' + by : ''), rgbOf(kind))];

		if (about)
			lines.push([about]);
		lines.push([`from ${app.clock.text(data.start[i], 9)}${app.clock.zone}, for ${N.durationText(data.time[i])}`]);
		if (more && more.count > 1)
			lines.push([`${N.countText(more.count)} spans put together, longest ${N.durationText(more.longest)}`]);
		return lines;
	}

	/* Several of a pixel. */
	function tellSums(sum, from, to) {
		const kinds = Array.from(sum.kinds).sort((a, b) => b[1] - a[1]);
		const lines = [[`${N.countText(sum.spans)} spans from ${app.clock.text(from, 9)}, ${N.durationText(sum.time)} of ` +
			N.durationText(to - from)]];

		for (const [kind, ns] of kinds.slice(0, KINDS_TOLD))
			lines.push([...strong(settings.kinds[kind][0], rgbOf(kind)), ' ' + N.durationText(ns)]);
		if (kinds.length > KINDS_TOLD)
			lines.push([`and ${kinds.length - KINDS_TOLD} more`]);
		for (const [name, ns] of Array.from(sum.by).sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, 1))
			lines.push([`waited mostly for ${name}: ${N.durationText(ns)} of ${N.durationText(sum.waiting)}`]);
		return lines;
	}

	function tellGap(row, ns) {
		const [, after] = R.between(data, row, ns, ns + 1);
		const from = after > data.first[row] ? data.start[after - 1] + data.time[after - 1] : 0;
		const to = after < data.first[row + 1] ? data.start[after] : settings.window;

		return [[`${!settings.byCpu ? 'nothing' : settings.whole ? 'idle' : 'not these threads,'} from ${app.clock.text(from, 9)}${app.clock.zone}, for ${N.durationText(to - from)}`]];
	}

	function tell(row, x) {
		const perPx = length() / app.barWidth(), column = Math.floor(x - app.layout().barX);
		const from = app.view.from + column * perPx, to = from + perPx, ns = app.timeAt(x);
		const [first, end] = R.between(data, row.number, from, to);
		const name = [strong(settings.rows[row.number][0])];

		for (let i = first; i < end; i++) {
			if (data.start[i] <= ns && data.start[i] + data.time[i] > ns && data.time[i] >= perPx)
				return name.concat(tellSpan(i));
		}
		const sum = R.sums(data, row.number, from, to);

		if (end - first > 1 && sum.spans)
			return name.concat(tellSums(sum, from, to));
		return name.concat(end > first ? tellSpan(first) : tellGap(row.number, ns));
	}

	function showTip(at, lines) {
		const screen = app.screen(), half = app.width / 2;

		tip.replaceChildren(...lines.map((line) => html('div', {}, ...line)));
		tip.hidden = false;
		const { width, height } = tip.getBoundingClientRect();

		tip.style.left = Math.max(0, at.x > half ? at.x - width - 12 : at.x + 12) + 'px';
		tip.style.top = Math.max(screen.top, at.y + 18 + height > screen.bottom ? at.y - height - 8 : at.y + 18) + 'px';
	}
	function hideTip() {
		tip.hidden = true;
		if (cursor)
			cursor.remove();
		cursor = null;
	}

	function showCursor(x) {
		cursor = cursor || make('rect', { 'class': 'cursor', width: 1 });
		cursor.setAttribute('x', x);
		cursor.setAttribute('y', app.layout().rowsY);
		cursor.setAttribute('height', Math.max(0, app.height - app.layout().rowsY));
		svg.insertBefore(cursor, axisGroup);
	}

	/* ---- dragging ---- */

	function showSelection(a, b) {
		selection = selection || make('rect', { 'class': 'selection' });
		selection.setAttribute('x', Math.min(a, b));
		selection.setAttribute('width', Math.abs(b - a));
		selection.setAttribute('y', app.layout().rowsY);
		selection.setAttribute('height', Math.max(0, app.height - app.layout().rowsY));
		svg.insertBefore(selection, axisGroup);
	}
	function endDrag() {
		if (selection)
			selection.remove();
		selection = drag = null;
	}

	function down(event) {
		const at = place(event);

		if (event.button || !isInBar(at) || at.y < app.layout().rowsY && !axisGroup.contains(event.target))
			return;
		drag = { x: at.x, pointer: event.pointerId };
		svg.setPointerCapture(event.pointerId);
		event.preventDefault();
		if (document.activeElement && document.activeElement.blur)
			document.activeElement.blur();
	}
	function move(event) {
		const at = place(event), row = rowAt(at.y);

		if (drag) {
			const x = Math.min(app.layout().barX + app.barWidth(), Math.max(app.layout().barX, at.x));
			const from = app.timeAt(Math.min(x, drag.x)), to = app.timeAt(Math.max(x, drag.x));

			showSelection(drag.x, x);
			showTip(at, [[`${app.clock.text(from, 9)}${app.clock.zone}, ${N.durationText(to - from)}`]]);
			return;
		}
		if (!row || !isInBar(at) || tools.contains(event.target)) {
			hideTip();
			return;
		}
		showCursor(at.x);
		showTip(at, tell(row, at.x));
	}
	function up(event) {
		const at = place(event), from = drag;

		if (!drag)
			return;
		endDrag();
		hideTip();
		if (Math.abs(at.x - from.x) >= MOVED_PX)
			go(app.timeAt(Math.min(at.x, from.x)), app.timeAt(Math.max(at.x, from.x)));
		else if (event.pointerType === 'touch')
			move(event);
	}

	/* The wheel scrolls a picture that is higher than the window, and zooms elsewhere. */
	function wheel(event) {
		const at = place(event), scrolls = app.height + app.toolHeight > window.innerHeight + 1;
		const wanted = event.ctrlKey || event.shiftKey || event.altKey || axisGroup.contains(event.target) || !scrolls;
		const amount = event.deltaY || (event.shiftKey ? event.deltaX : 0);

		if (!isInBar(at) || at.y < app.layout().axisY || tools.contains(event.target))
			return;
		if (event.deltaX && !event.deltaY && !event.shiftKey) {
			event.preventDefault();
			pan(Math.sign(event.deltaX) * 0.1);
		} else if (wanted && amount) {
			event.preventDefault();
			zoomAt(app.timeAt(at.x), Math.pow(1.25, Math.sign(amount)));
		}
	}

	svg.addEventListener('pointerdown', down);
	svg.addEventListener('pointermove', move);
	svg.addEventListener('pointerup', up);
	svg.addEventListener('pointercancel', endDrag);
	svg.addEventListener('pointerleave', () => drag || hideTip());
	svg.addEventListener('wheel', wheel, { passive: false });

	/* ---- legend ---- */

	const swatches = [];

	function lightLegend() {
		swatches.forEach(([rect, kind]) => {
			rect.classList.toggle('lit', kind === app.lit);
			rect.setAttribute('aria-pressed', String(kind === app.lit));
		});
	}
	function prepareLegend() {
		const rects = Array.from(svg.querySelectorAll('#legend rect'));
		const skip = settings.byCpu ? 1 : 0; /* that of idle time */

		rects.slice(skip).forEach((rect, kind) => {
			const light = () => {
				app.light(app.lit === kind ? -1 : kind);
				lightLegend();
			};

			swatches.push([rect, kind]);
			rect.setAttribute('tabindex', 0);
			rect.setAttribute('role', 'button');
			rect.setAttribute('aria-label', 'point out ' + settings.kinds[kind][0]);
			rect.addEventListener('click', light);
			rect.addEventListener('keydown', (event) => {
				if (event.key === 'Enter' || event.key === ' ') {
					event.preventDefault();
					light();
				}
			});
		});
	}

	/* ---- keys ---- */

	/* The span behind or before the one that was told last, in the row that has the focus. */
	function step(by) {
		const row = app.rows.find((one) => one.g && one.g === document.activeElement);

		if (!row)
			return;
		const [first, end] = R.between(data, row.number, app.view.from, app.view.to);
		const next = spot === null || spot < first || spot >= end ? by > 0 ? first : end - 1 : spot + by;

		if (next < first || next >= end)
			return;
		spot = next;
		const x = Math.max(app.layout().barX, app.xOf(data.start[spot])), lines = [strong(settings.rows[row.number][0]), ...tellSpan(spot)];

		showCursor(x);
		showTip({ x, y: row.y }, lines);
		shown.textContent = tip.textContent;
	}

	const keys = {
		',': () => step(-1), '.': () => step(1),
		'+': () => zoom(1 / STEP), '=': () => zoom(1 / STEP), '-': () => zoom(STEP), ArrowLeft: () => pan(-0.25),
		ArrowRight: () => pan(0.25), 0: reset, Backspace: back, s: () => sort(!app.isSorted()), '?': toggleHelp, '/': () => input.focus(),
		Escape: () => {
			if (helping)
				toggleHelp();
			else if (drag)
				endDrag();
			else if (app.lit >= 0) {
				app.light(-1);
				lightLegend();
			} else
				reset();
		},
	};

	document.addEventListener('keydown', (event) => {
		if (document.documentElement !== svg && !svg.contains(event.target))
			return;
		if (event.target === input) {
			if (event.key === 'Escape') {
				input.value = '';
				search('');
				input.blur();
			}
			return;
		}
		if (event.ctrlKey || event.metaKey || event.altKey || !Object.hasOwn(keys, event.key))
			return;
		event.preventDefault();
		keys[event.key]();
	});

	prepareLegend();
	app.readAddress = readAddress;
	window.addEventListener('popstate', readAddress);
	sayWhere();
};
