/* heat_flame: the flame graph of what is selected in a heat map, or the difference of two
 * ranges: flame.js with the heat map as its host, given another tree for each range, so that
 * zoom, searches, filters and order stay.
 *
 * heat.flame(app) -> app.flame, which stands in app.page.flame:
 *     show(sums, baseline)  values by stack (heat_select.sums); baseline: those that they
 *                           are compared with, or null.  What is said of them is that of
 *                           app.view.selection and app.view.baseline
 *     clear()               nothing is shown
 *     element               what it stands in
 *     resize()              its place has another size
 *     view(), setView(text) its view as text; the heat map's link has it
 *     stacksWith(path)      Uint8Array by stack: which ones have the frame that app.view.frame is;
 *                           the same array as long as the answer is
 *     folded()              the folded lines of what is shown, whole stacks; of two ranges
 *                           two values a line
 *     svg()                 its picture as the text of an SVG
 * A frame that is zoomed to, or whose callers and callees are looked at, is app.view.frame; what is
 * searched there is app.view.search, and the other way round. */
pyrograph.heat.flame = function (app) {
	'use strict';

	const D = pyrograph.ui.dom, N = pyrograph.number, A = pyrograph.address, R = pyrograph.heat.tree;
	const { data, settings } = app, DASH = ' \u2013 ', DOT = ' \u00b7 ';
	const HEADER_KEYS = ['host', 'event', 'from', 'to', 'clock', 'cpus', 'rate', 'kernel', 'root', 'normalize', 'unit'];
	const DEFAULTS = { unit: settings.unit, decimals: settings.decimals || 0, factor: 1, nametype: 'Function:', inverted: false,
		fluid: true, whole: true, pad: 10, fontSize: 12, frameHeight: 16, rows: 1, minWidth: 0.1 };
	const element = D.html('div', { 'class': 'flame-place', hidden: true });
	const graphs = [null, null];    /* a plain one, and one of two layers: made when there is need */
	const sets = new Map();
	let graph = null;               /* of them, which is shown */
	let shown = null;               /* { sums, baseline, key } */
	let told = '', searched = null, framed = null; /* the view's text, search and frame that both sides know */
	let quiet = false;              /* they learn it from here */
	let wasDark = null, found = { key: null, stacks: null };

	if (app.page && app.page.flame)
		app.page.flame.append(element);

	function setNow() {
		const roots = app.view.roots || null, key = JSON.stringify(roots);

		if (!sets.has(key))
			sets.set(key, R.set(data, settings, roots));
		return sets.get(key);
	}

	/* ---- what is said of a range ---- */

	const sumOf = (sums) => sums.reduce((sum, value) => sum + value, 0);
	const unit = (decimals) => Object.assign({}, DEFAULTS, settings.flame, { decimals: decimals });
	const rangesOf = (selection) => app.rangesOf ? app.rangesOf(selection)
		: pyrograph.heat.select.ranges(settings, app.axes(), selection)
			.map((range) => range.map((tick) => pyrograph.heat.data.nsOf(settings, tick)));

	/* So many digits that both ends are told apart. */
	const digitsFor = (ns) => ns >= 3600e9 ? 0 : ns >= 60e9 ? 1 : ns >= 1e9 ? 3 : ns >= 1e6 ? 4 : 6;

	/* "10:15:02.300 - 10:15:04.100", with the days where they differ */
	function span(from, to) {
		const clock = app.clock(), digits = digitsFor(to - from), days = !settings.relative && clock.date(from) !== clock.date(to);
		const text = (ns) => (days ? clock.date(ns) + ' ' : '') + clock.text(ns, digits);

		return text(from) + DASH + text(to);
	}

	/* ", of each second 0 ms - 20 ms", of some of the rows */
	function rowsText(selection) {
		const unitOf = settings.y === 'value' ? (v) => N.valueText(unit(settings.decimals || 0), v) : N.durationText;

		if (selection.kind === 'rows' && selection.low !== undefined)
			return (settings.y === 'offset' ? ', of each ' + N.durationText(selection.period || Number(settings.period)) + ' ' : ', ') +
				unitOf(selection.low) + DASH + unitOf(selection.high);
		return selection.kind === 'cpu' ? ', CPUs in some rows' : '';
	}

	/* All that is visible, where nothing is selected. */
	const selectionOf = (selection) => selection || Object.assign({ kind: 'time' }, app.shown ? app.shown()
		: { from: settings.window[0], to: settings.window[1] });

	const rangeName = (selection) => span(selection.from, selection.to) + rowsText(selection);

	/* What lies in from .. to of a list of ranges. */
	const overlap = (ranges, from, to) => ranges.reduce((sum, [a, b]) => sum + Math.max(0, Math.min(b, to) - Math.max(a, from)), 0);

	/* "3.20% of it was not seen (41 events lost)", or "" */
	function unseenText(ranges) {
		const known = settings.recordings || [], all = ranges.reduce((sum, [a, b]) => sum + b - a, 0);
		const cpus = known.map((r) => Math.max((r.cpus || []).length, 1)), whole = all * cpus.reduce((sum, n) => sum + n, 0);
		let unseen = known.reduce((sum, r, i) => sum + cpus[i] * (all - overlap(ranges, r.from, r.to)), 0), lost = 0;

		for (const [from, to, recording, cpu, events] of settings.gaps || []) {
			const gap = overlap(ranges, from, to);

			unseen += gap * (cpu < 0 ? cpus[recording] || 1 : 1);
			lost += gap > 0 ? events : 0;
		}
		return !unseen && !lost ? '' : N.percentText(Math.min(unseen, whole), whole) + ' of it was not seen' +
			(lost ? ' (up to ' + N.countText(lost) + ' events lost)' : '');
	}

	/* "1,234 samples, 3.41% of all" */
	function amount(sums) {
		const whole = app.view.idle ? sumOf(data.valueOf) : data.valueOf.reduce((sum, value, s) =>
			sum + (data.isIdle[s] ? 0 : value), 0), part = sumOf(sums);

		return N.valueText(unit(data.tree.decimals), part) + ', ' + N.percentText(part, whole) + ' of all';
	}

	function describe(selection, sums) {
		const ranges = rangesOf(selection), length = ranges.reduce((sum, [a, b]) => sum + b - a, 0);

		return { name: rangeName(selection), said: amount(sums) + ' in ' + N.durationText(length), unseen: unseenText(ranges) };
	}

	/* The title, then the notes. */
	function headingOf(sums, baseline) {
		const { label, date } = app.clock(), selection = selectionOf(app.view.selection), now = describe(selection, sums);
		const when = (settings.relative ? [] : [date(selection.from), label]).filter(Boolean).join(' ');
		const line = (className, text) => ({ className: className, text: text, size: DEFAULTS.fontSize });
		const about = (one) => [line('note', one.said + (when ? DOT + when : ''))].concat(one.unseen ? line('alarm', one.unseen) : []);

		if (!baseline)
			return { names: [now.name], lines: [Object.assign(line('title', now.name + (app.view.selection ? '' : ' (all that is shown)')),
				{ size: 16 })].concat(about(now)) };
		const base = describe(selectionOf(app.view.baseline), baseline);

		return { names: [base.name, now.name], lines: [Object.assign(line('title', now.name + ' compared with ' + base.name), { size: 16 }),
			line('note', 'base: ' + base.said + DOT + 'new: ' + now.said + (when ? DOT + when : '') + DOT + 'normalised by total')]
			.concat([base, now].filter((one) => one.unseen).map((one) => line('alarm', one.name + ': ' + one.unseen))) };
	}

	/* ---- the flame graph ---- */

	/* What the heat map knows of what is looked at there. */
	function pathOf(view) {
		return view.sandwich !== null ? [view.sandwich].concat(view.zoom) : view.zoom.length ? view.zoom : null;
	}

	/* The search in its box; those that are kept as chips are its own. */
	function searchOf(one) {
		const search = one.view.searches[one.pinned];

		return search ? { pattern: search.pattern, ignoreCase: Boolean(search.ignoreCase) } : null;
	}

	const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

	/* The flame graph's view has changed. */
	function saved(text) {
		const changes = {}, search = searchOf(graph), frame = pathOf(graph.view);

		if (text !== app.view.flame)
			changes.flame = text;
		if (!same(frame, framed)) /* who took it off the map alone is not told again */
			changes.frame = frame;
		if (!same(search, searched))
			changes.search = search;
		told = text;
		searched = search;
		framed = frame;
		if (quiet)
			Object.assign(app.view, changes);
		else if (Object.keys(changes).length)
			app.touch(changes);
	}

	function make(which, tree, changes, lines) {
		const own = Object.assign({}, DEFAULTS, settings.flame, changes);

		graph = graphs[which] = pyrograph.flame.open(app.svg, { settings: own, source: app.source, names: data.names,
			colours: data.colours, tree: tree, heading: lines, view: told, place: element,
			boxes: app.page && app.page.element || null, isDark: () => app.isDark(),
			saved: (text) => graphs[which] === graph && saved(text), link: () => app.link ? app.link() : null });
	}

	/* The one that is wanted comes in place of the other, with its view. */
	function turnTo(which) {
		const before = graph ? graph.links.text() : told;

		for (const one of graphs.filter(Boolean))
			one.page.element.hidden = one !== graphs[which];
		if (graphs[which]) {
			graph = graphs[which];
			graph.links.show(before);
		}
		told = before;
	}

	function draw() {
		const { sums, baseline } = shown, which = baseline ? 1 : 0, made = setNow(), { names, lines } = headingOf(sums, baseline);
		const { tree, settings: changes } = baseline ? R.two(made, baseline, sums) : { tree: R.one(made, sums), settings: {} };

		if (changes.layers)
			changes.layers.forEach((layer, k) => { layer.name = names[k]; });
		element.hidden = false;
		if (graph !== graphs[which] || !graph)
			turnTo(which);
		if (graphs[which])
			graph.replace(tree, changes, lines);
		else
			make(which, tree, Object.assign({ chartName: 'Flame graph of what is selected' }, changes), lines);
		graph.source = sourceOf(baseline);
		framed = pathOf(graph.view);
	}

	/* What the picture is of: nothing is drawn again while that stays. */
	const keyOf = () => JSON.stringify([app.view.selection, app.view.baseline, app.view.roots, app.view.zone, app.view.idle,
		app.view.selection && app.view.baseline ? null : app.shown && app.shown()]);

	const equal = (a, b) => a === b || Boolean(a && b && a.length === b.length && a.every((value, i) => value === b[i]));

	function show(sums, baseline = null) {
		const key = keyOf();

		if (shown && shown.drawn && shown.key === key && equal(shown.sums, sums) && equal(shown.baseline, baseline))
			return;
		shown = { sums: sums, baseline: baseline, key: key, drawn: app.view.flameShown !== false };
		if (shown.drawn)
			silently(draw);
	}

	function silently(run) {
		const before = quiet;

		quiet = true;
		try {
			run();
		} finally {
			quiet = before;
		}
	}

	function clear() {
		shown = null;
		element.hidden = true;
	}

	function setView(text) {
		told = text;
		if (!graph)
			return;
		silently(() => graph.links.show(text));
		framed = pathOf(graph.view);
	}

	/* What was typed into the heat map's own box. */
	function takeSearch() {
		const { search } = app.view;

		searched = search && { pattern: search.pattern, ignoreCase: Boolean(search.ignoreCase) };
		graph.ignoreCase = Boolean(search && search.ignoreCase);
		silently(() => graph.setSearch(search ? search.pattern : ''));
	}

	/* ---- cells ---- */

	function stacksWith(path) {
		const view = graph ? graph.view : A.decodeView(app.view.flame || told);
		const { filters, reversed, sandwich, variants, generated, recursion } = view;
		const key = JSON.stringify([path, app.view.roots, filters, reversed, sandwich, variants, generated, recursion]);

		if (found.key !== key)
			found = { key: key, stacks: R.stacks(setNow(), view, path, Object.assign({}, DEFAULTS, settings.flame)) };
		return found.stacks;
	}

	/* ---- text ---- */

	/* "2026-11-21T10:15:02.300000000Z" */
	function iso(ns) {
		const at = BigInt(settings.origin) + BigInt(Math.floor(ns)), second = at / 1000000000n;

		return new Date(Number(second) * 1000).toISOString().slice(0, 19) + '.' + String(at % 1000000000n).padStart(9, '0') + 'Z';
	}

	/* Where a range is from: as the header of all has it, but for its time. */
	function sourceOf(baseline) {
		const source = Object.assign({}, app.source), { from, to } = selectionOf(app.view.selection);

		for (const key of ['start', 'end', 'from', 'to', 'lost', 'losses'])
			delete source[key];
		return baseline ? Object.assign(source, { normalize: 'total' }) : settings.relative ? source
			: Object.assign(source, { from: iso(from), to: iso(to) });
	}

	/* "# pyrograph: host=db1 ... from=... to=... unit=samples" */
	function header() {
		const source = Object.assign(sourceOf(shown.baseline), { unit: settings.unit });
		const words = HEADER_KEYS.filter((key) => typeof source[key] === 'string' && source[key])
			.map((key) => key + '=' + (/^[\w.,:+/%@~-]+$/.test(source[key]) ? source[key] : JSON.stringify(source[key])));

		return '# pyrograph: ' + words.join(' ') + '\n';
	}

	/* ---- what the heat map tells ---- */

	app.onchange(() => {
		const dark = app.isDark();

		if ((app.view.flame || '') !== told)
			setView(app.view.flame || '');
		if (!graph || app.view.flameShown === false || !shown) {
			wasDark = dark;
			return;
		}
		if (!shown.drawn)
			show(shown.sums, shown.baseline);
		else if (dark !== wasDark)
			graph.refresh();
		if (!same(searched, app.view.search && { pattern: app.view.search.pattern, ignoreCase: Boolean(app.view.search.ignoreCase) }))
			takeSearch();
		wasDark = dark;
	});

	app.flame = {
		element, show, clear, setView, stacksWith,
		resize: () => graph && graph.page.resize(),
		view: () => graph ? graph.links.text() : told,
		folded: () => shown ? header() + R.lines(data, shown.sums, shown.baseline) : '',
		svg: () => graph ? graph.pictureText() : '',
	};
	return app.flame;
};
