/* heat_flame: the flame graph of the selection in a heat map, or the difference of two
 * ranges: flame.js with the heat map as its host, given another tree for each range, so that
 * zoom, searches, filters and order stay.
 *
 * heat.flame(app) -> app.flame, which stands in app.page.flame:
 * It has the root frames of the dimensions in app.view.roots; null: all but cpu, and but those that
 * tell A's map from B's.
 *
 *     show(sums, baseline)  values by stack (heat_select.sums); baseline: those that they
 *                           are compared with, or null.  What is said of them is that of
 *                           app.view.selection and app.view.baseline
 *     clear()               nothing is shown
 *     element               contains it
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

	const D = pyrograph.ui.dom, A = pyrograph.address, R = pyrograph.heat.tree, words = pyrograph.heat.range(app);
	const { data, settings } = app;
	const DEFAULTS = { ...pyrograph.heat.data.unit(settings), nametype: 'Function:', inverted: false,
		fluid: true, whole: true, pad: 10, fontSize: 12, frameHeight: 16, rows: 1, minWidth: 0.1 };
	const element = D.html('div', { 'class': 'flame-place', hidden: true });
	const graphs = [null, null];    /* a plain one, and one of two layers: made when there is need */
	const sets = new Map();
	let graph = null;               /* of them, which is shown */
	let shown = null;               /* { sums, baseline, key } */
	let told = '', searched = null, framed = null; /* the view's text, search and frame that both sides know */
	let quiet = false;              /* they learn it from here */
	let wasDark = null, found = { key: null, stacks: null };

	app.page.flame.append(element);

	const rootNames = (settings.dimensions || []).filter(([, place]) => place >= 0).map(([name]) => name);

	/* Two maps that are compared must not differ by the key that separates them. */
	function usualRoots() {
		const { selection, baseline } = app.view, areTwo = selection && baseline &&
			app.mapOf(selection) !== app.mapOf(baseline);

		return rootNames.filter((name) => !R.NOT_SHOWN.includes(name) && !(areTwo && name === settings.per));
	}
	const rootsNow = () => app.view.roots || usualRoots();

	function setNow() {
		const roots = rootsNow(), key = roots.join();

		if (!sets.has(key))
			sets.set(key, R.set(data, settings, roots));
		return sets.get(key);
	}

	/* For the menu of its view: which root frames it has. */
	function rootItems() {
		const now = rootsNow();

		return !rootNames.length ? [] : [{ heading: 'Root frames' }].concat(rootNames.map((name) =>
			({ label: name,
			checked: now.includes(name), run: () => {
				const roots = rootNames.filter((other) => (other === name) !== now.includes(other));

				app.step({ roots: roots.join() === usualRoots().join() ? null : roots });
			} })));
	}

	/* ---- the flame graph ---- */

	/* The frame that is looked at, as the heat map knows it. */
	function pathOf(view) {
		return view.sandwich !== null ? [view.sandwich].concat(view.zoom) : view.zoom.length ? view.zoom : null;
	}

	/* The search in its box; searches that are kept as chips are its own. */
	function searchOf(one) {
		const search = one.view.searches[one.pinned];

		return search ? { pattern: search.pattern, ignoreCase: Boolean(search.ignoreCase) } : null;
	}

	/* Its view as the heat map's link has it: the search in the box is there already. */
	const textOf = (one) => A.encodeView(Object.assign({}, one.view,
		{ searches: one.view.searches.slice(0, one.pinned) }));

	const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

	/* The flame graph's view has changed. */
	function saved(isStep) {
		const changes = {}, text = textOf(graph), search = searchOf(graph), frame = pathOf(graph.view);

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
			app[isStep ? 'step' : 'touch'](changes);
	}

	function make(which, tree, changes, lines) {
		const own = Object.assign({}, DEFAULTS, settings.flame, changes);

		graph = graphs[which] = pyrograph.flame.open(app.svg,
			{ settings: own, source: app.source, names: data.names,
			colours: data.colours, tree: tree, heading: lines, view: told, place: element,
			boxes: app.page.element, isDark: () => app.isDark(),
			saved: (isStep) => graphs[which] === graph && saved(isStep), undo: () => app.links.undo(),
				leave: () => app.page.map.focus({ preventScroll: true }), link: () => app.link
				? app.link() : null,
			viewItems: rootItems });
		graph.pinned = graph.view.searches.length;
		takeSearch();
	}

	/* The one that is wanted comes in place of the other, with its view. */
	function turnTo(which) {
		const before = graph ? textOf(graph) : told;

		for (const one of graphs.filter(Boolean))
			one.page.element.hidden = one !== graphs[which];
		if (graphs[which]) {
			graph = graphs[which];
			adopt(before);
		}
		told = before;
	}

	/* Text has all of its searches as chips; the one in the box is the heat map's. */
	function adopt(text) {
		graph.links.show(text);
		graph.pinned = graph.view.searches.length;
		searched = null;
		takeSearch();
	}

	/* Takes over the search in the heat map's own box. */
	function takeSearch() {
		const { search } = app.view, before = graph.searchBox.input.value;

		searched = search && { pattern: search.pattern, ignoreCase: Boolean(search.ignoreCase) };
		if (!search && !before)
			return;
		graph.setSearch(search ? search.pattern : '', Boolean(search && search.ignoreCase));
	}

	function draw() {
		const { sums, baseline } = shown, which = baseline ? 1 : 0, made = setNow(),
			{ names, lines } = words.heading(sums, baseline);
		const { tree, settings: changes } = baseline ? R.two(made, baseline, sums)
			: { tree: R.one(made, sums), settings: {} };

		if (changes.layers)
			changes.layers.forEach((layer, k) => { layer.name = names[k]; });
		element.hidden = false;
		if (graph !== graphs[which] || !graph)
			turnTo(which);
		if (graphs[which])
			graph.replace(tree, changes, lines);
		else
			make(which, tree, Object.assign({ chartName: 'Flame graph of the selection' }, changes),
				lines);
		graph.source = words.source(Boolean(baseline));
		wasDark = app.isDark();
		framed = pathOf(graph.view);
	}

	/* The content of the picture, and how it is drawn: nothing is drawn again while both stay. */
	const keyOf = () => JSON.stringify([app.view.selection, app.view.baseline, app.view.idle, app.view.selection
		? null : app.shown()]);
	const wayOf = () => JSON.stringify([rootsNow(), app.view.zone]);

	const equal = (a, b) => a === b || Boolean(a && b && a.length === b.length &&
		a.every((value, i) => value === b[i]));

	function show(sums, baseline = null) {
		const key = keyOf(), way = wayOf();

		if (shown && shown.drawn && shown.key === key && shown.way === way && equal(shown.sums, sums) &&
			equal(shown.baseline, baseline))
			return;
		shown = { sums: sums, baseline: baseline, key: key, way: way, drawn: app.flameIsShown() };
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

	function resize() {
		if (!graph)
			return;
		graph.page.resize();
		if (app.onPaper)
			graph.drawAll();
	}

	function setView(text) {
		told = text;
		if (!graph)
			return;
		if (text !== textOf(graph))
			silently(() => adopt(text));
		framed = pathOf(graph.view);
	}

	/* ---- cells ---- */

	function stacksWith(path) {
		const view = graph ? graph.view : A.decodeView(app.view.flame || told);
		const { filters, reversed, sandwich, variants, generated, recursion } = view;
		const key = JSON.stringify([path, rootsNow(), filters, reversed, sandwich, variants, generated,
			recursion]);

		if (found.key !== key)
			found = { key: key, stacks: R.stacks(setNow(), view, path,
				Object.assign({}, DEFAULTS, settings.flame)) };
		return found.stacks;
	}

	/* ---- what the heat map tells ---- */

	app.onchange(() => {
		const dark = app.isDark();

		if ((app.view.flame || '') !== told)
			setView(app.view.flame || '');
		if (!shown || !app.flameIsShown())
			return;
		if (!shown.drawn || shown.way !== wayOf() && shown.key === keyOf())
			show(shown.sums, shown.baseline);
		else if (Boolean(app.onPaper) !== Boolean(graph.onPaper))
			graph.page.print(Boolean(app.onPaper));
		else if (dark !== wasDark)
			graph.refresh();
		if (!same(searched, app.view.search && { pattern: app.view.search.pattern,
			ignoreCase: Boolean(app.view.search.ignoreCase) }))
			silently(takeSearch);
		wasDark = dark;
	});

	/* Made while nothing else is to do, so that the first range comes as fast as the next. */
	(window.requestIdleCallback || ((run) => setTimeout(run, 500)))(setNow);

	app.flame = {
		element, show, clear, setView, stacksWith,
		resize,
		view: () => graph ? textOf(graph) : told,
		folded: () => shown ? words.header(Boolean(shown.baseline)) + R.lines(data, shown.sums, shown.baseline)
			: '',
		svg: () => graph ? graph.pictureText() : '',
	};
};
