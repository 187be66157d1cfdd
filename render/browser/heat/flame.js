/* heat_flame: the flame graph of the selection in a heat map, or of the difference between two ranges, made by flame.js
 * with the heat map as its host.  For each range the graph gets another tree, but keeps zoom, searches, filters and
 * order.
 *
 * heat.flame(app) -> app.flame, which stands in app.page.flame.
 * The graph has the root frames of the dimensions in app.view.roots; null: those of a flame graph beside the heat map
 * (usual() in tree.js), except the one by which the maps of A and B differ.
 *
 *     show(sums, baseline)  shows values by stack (heat_select.sums); baseline: the values to which they
 *                           are compared, or null.  The words about them come from
 *                           app.view.selection and app.view.baseline
 *     clear()               shows nothing
 *     element               contains the graph
 *     resize()              must be called when the size of element has changed
 *     view(), setView(text) the view of the graph as text, which is part of the heat map's link
 *     stacksWith(path)      Uint8Array by stack: 1 if the stack has the frame of app.view.frame;
 *                           the same array while the answer is the same
 *     folded()              the folded lines of what is shown, with whole stacks; of two ranges,
 *                           a line has two values
 *     svg()                 the graph as the text of an SVG
 * The frame that is zoomed, or whose callers and callees are shown, is app.view.frame.  The search in the graph's box
 * and app.view.search are kept equal: a change of one changes the other. */
pyrograph.heat.flame = function (app) {
	'use strict';

	const D = pyrograph.ui.dom, A = pyrograph.address, R = pyrograph.heat.tree, words = pyrograph.heat.range(app);
	const { data, settings } = app;
	const DEFAULTS = { ...pyrograph.heat.data.unit(settings), truncate: 'middle', nametype: 'Function:',
		inverted: false, fluid: true, whole: true, pad: 10, fontSize: 12, frameHeight: 16, rows: 1,
		minWidth: 0.1 };
	const element = D.html('div', { 'class': 'flame-place', hidden: true });
	const graphs = [null, null];    /* one graph for a single range, and one for two ranges; each is made when it is
					 * needed */
	const sets = new Map();
	let graph = null;               /* the one of graphs that is shown */
	let shown = null;               /* { sums, baseline, key } */
	/* The view's text, its search and its frame, as both the heat map and the graph know them. */
	let told = '', searched = null, framed = null;
	let quiet = false;              /* true: changes come from the heat map, which need not be told */
	let wasDark = null, found = { key: null, stacks: null };

	app.page.flame.append(element);

	const rootNames = (settings.dimensions || []).filter(([, place]) => place >= 0).map(([name]) => name);

	/* If two maps are compared, the key that separates them must not be a frame, or all stacks would differ. */
	function usualRoots() {
		const { selection, baseline } = app.view, areTwo = selection && baseline &&
			app.mapOf(selection) !== app.mapOf(baseline);

		return R.usual(rootNames).filter((name) => !(areTwo && name === settings.per));
	}
	const rootsNow = () => app.view.roots || usualRoots();

	function setNow() {
		const roots = rootsNow(), key = roots.join();

		if (!sets.has(key))
			sets.set(key, R.set(data, settings, roots));
		return sets.get(key);
	}

	/* Items for the menu of the graph's view: which root frames it has. */
	function rootItems() {
		const now = rootsNow();

		return !rootNames.length ? [] : [{ heading: 'Root frames' }].concat(rootNames.map((name) =>
			({ label: name,
				checked: now.includes(name), run: () => {
					const roots = rootNames.filter((other) =>
						(other === name) !== now.includes(other));

					app.step({ roots: roots.join() === usualRoots().join() ? null : roots });
				} })));
	}

	/* ---- the flame graph ---- */

	/* The zoomed frame, or the function of a sandwich, in the form of app.view.frame. */
	function pathOf(view) {
		return view.sandwich !== null ? [view.sandwich].concat(view.zoom) : view.zoom.length ? view.zoom : null;
	}

	/* The search in the graph's box.  Searches that are chips belong to the graph alone. */
	function searchOf(one) {
		const search = one.view.searches[one.pinned];

		return search ? { pattern: search.pattern, ignoreCase: Boolean(search.ignoreCase) } : null;
	}

	/* The graph's view for the heat map's link: without the search in the box, which the link already has. */
	const textOf = (one) => A.encodeView(Object.assign({}, one.view,
		{ searches: one.view.searches.slice(0, one.pinned) }));

	const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

	/* Called when the graph's view has changed. */
	function saved(isStep) {
		const changes = {}, text = textOf(graph), search = searchOf(graph), frame = pathOf(graph.view);

		if (text !== app.view.flame)
			changes.flame = text;
		if (!same(frame, framed)) /* a frame that the reader removed in the heat map only is not set again */
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
				saved: (isStep) => graphs[which] === graph && saved(isStep),
				undo: () => app.links.undo(),
				leave: () => app.page.map.focus({ preventScroll: true }), link: () => app.link
					? app.link() : null,
				viewItems: rootItems });
		graph.pinned = graph.view.searches.length;
		takeSearch();
	}

	/* Shows one of graphs in place of the other, with the other's view. */
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

	/* Shows the view in text.  Its searches all become chips, because the search in the box is the heat
	 * map's. */
	function adopt(text) {
		graph.links.show(text);
		graph.pinned = graph.view.searches.length;
		searched = null;
		takeSearch();
	}

	/* Puts the search in the heat map's box into the graph's box. */
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

		if (baseline && Object.assign({}, DEFAULTS, settings.flame).unit === 'samples')
			changes.chance = pyrograph.layers.CHANCE_Z;
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

	/* The contents of the graph (keyOf) and how it is drawn (wayOf).  While both stay the same, the graph is not
	 * drawn again. */
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

	/* ---- from frames to cells ---- */

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

	/* ---- what the heat map calls ---- */

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

	/* The set is made while the page is idle, so that the first range is drawn as fast as later ones. */
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
