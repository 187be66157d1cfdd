/* view: what is shown, and everything that follows from that.
 *
 * app.view is the view of address.js.  These are made from the view: app.tree, app.names, app.callers (of a
 * sandwich), app.whole (the tree to which shares refer), app.zoom (a frame of app.tree),
 * app.searches, app.scheme.
 * state.js says how the view is changed.  The argument of listeners says whether the tree has changed. */
pyrograph.ui.view = function (app) {
	'use strict';

	const T = pyrograph.transform, S = pyrograph.search, C = pyrograph.colour;
	const LY = pyrograph.layers, settings = app.settings;
	let searchesOf = '', searchNames = null; /* what app.searches was made from */

	app.view = pyrograph.address.emptyView();
	app.pinned = 0;         /* how many of view.searches are chips; one more may be in the box */
	app.picked = -1;        /* name number that the table highlights */
	app.tree = app.base;
	app.callers = null;
	app.whole = app.base;
	app.zoom = 0;
	app.panels = [];

	/* On paper, a graph within another picture begins with its root, so that the picture does not end with
	 * the root. */
	app.isInverted = () => app.host && app.onPaper ? true : app.view.inverted === null ? Boolean(settings.inverted)
		: app.view.inverted;
	app.order = () => app.view.order || settings.order || 'name';

	function makeTree() {
		const view = settled(app.view);

		if (settings.idle)
			app.base = view.idle ? app.withIdle : app.withoutIdle;
		const how = { least: settings.minWidth / Math.max(app.graphWidth(), 1), settings: settings };
		let made = T.apply(app.base, app.baseNames, view, how), error = made.error || '';

		if (!made.tree) { /* the function does not occur in this profile */
			error = error || 'Not here: ' + app.view.sandwich;
			made = T.apply(app.base, app.baseNames, Object.assign({}, view, { sandwich: null }), how);
		}
		const moved = made.tree !== app.tree;

		app.tree = made.tree;
		app.names = made.names;
		app.callers = made.callers || null;
		app.whole = made.whole;
		if (settings.mode === 'multiples' && app.view.position !== null) {
			for (const tree of [app.tree, app.callers].filter(Boolean))
				app.sides.set(tree, app.view.position);
		}
		if (app.view.thread) {
			const frame = T.frameOfThread(app.tree, app.names, app.view.thread);

			app.view.zoom = frame ? T.pathOf(app.tree, app.names, frame) : app.view.zoom;
			app.view.thread = null;
		}
		if (moved || app.zoomPath !== app.view.zoom) {
			const { frame, whole } = T.frameOfPath(app.tree, app.names, app.view.zoom);

			app.zoomPath = app.view.zoom;
			app.zoom = frame;
			app.missing = whole ? '' : app.view.zoom.slice(app.tree.depth[frame]).join(' \u203a ');
		}
		app.filterError = error || (app.missing && settings.mode !== 'animate' ? 'Not in this profile: ' +
			app.missing : '');
		return moved;
	}

	/* Adapts the view to the picture's layers.  position must be one of the layers; with several profiles,
	 * callers and callees are of one profile. */
	function settled(view) {
		if (view.position !== null && view.position >= (settings.layers || []).length)
			view.position = null;
		if (settings.mode === 'multiples' && view.sandwich && view.position === null)
			view.position = 0;
		return view;
	}

	/* Makes app.searches: [{ pattern, ignoreCase, match, error, colour }], and app.marks by name: 0, or 1 + the
	 * number of the search that the name matches.  The picked name has 1 + the number of searches. */
	function makeSearches() {
		const key = JSON.stringify(app.view.searches) + app.picked + app.isDark();
		const palette = C.searchColours(settings, app.isDark());

		if (key === searchesOf && app.names === searchNames)
			return;
		searchesOf = key;
		searchNames = app.names;
		app.searches = app.view.searches.map((search, i) => Object.assign({}, search,
			S.matcher(app.names, search.pattern, search.ignoreCase),
			{ colour: palette[i % palette.length] }));
		app.markColours = app.searches.map((search) => search.colour);
		app.marks = S.combined(app.searches.map((s) => s.match || new Uint8Array(app.names.length)));
		app.markColours.push('#00e5ff');
		if (app.picked >= 0) {
			if (!app.searches.length)
				app.marks = new Uint8Array(app.names.length);
			const functions = pyrograph.profile.functionsOf(app.names);

			app.marks = app.marks.map((mark, n) =>
				functions[n] === functions[app.picked] ? app.markColours.length : mark);
		}
		if (app.searches.some((s) => s.waits)) /* when the answers have arrived, everything is made again */
			searchesOf = '';
		app.hasMarks = app.searches.some((s) => s.match) || app.picked >= 0;
		app.markSet = new Set(app.markColours);
	}

	/* A frame's name as the reader sees it, without its annotation; "--" stands between a thread and its waker. */
	app.wordsOf = (name) => name === '--' ? settings.chain || 'woken by' : pyrograph.profile.baseName(name);

	app.sides = new WeakMap(); /* with several panels: tree -> the layer that its panel shows */

	function makeDelta(tree, mode) {
		if (mode !== 'diff' || !settings.layers)
			return null;
		return LY.delta(tree, app.diffBy(), settings.threshold === undefined ? 0.001 : settings.threshold,
			app.sides.get(tree), settings.mode === 'multiples' ? settings.layers.map((layer, k) => k)
				: undefined,
			settings.negate ? -1 : 1, settings.chance);
	}

	/* tree -> its colours */
	const schemes = new WeakMap();
	let look = null;        /* what all schemes depend on; null after a refresh, until it is computed */

	function lookNow() {
		const mode = app.colourMode(), dark = app.isDark();

		return { mode: mode, dark: dark, key: [mode, dark, app.view.safe, mode === 'diff' &&
			app.diffBy()].join() };
	}

	app.schemeOf = (tree) => {
		const { mode, dark, key } = look = look || lookNow();
		let kept = schemes.get(tree);

		if (!kept || kept.key !== key) {
			kept = { key: key, scheme: C.scheme({ mode: mode, tree: tree, names: app.names,
				colours: app.colours, settings: settings, dark: dark, safe: app.view.safe,
				delta: makeDelta(tree, mode), by: app.diffBy() }) };
			schemes.set(tree, kept);
		}
		return kept.scheme;
	};
	app.diffBy = () => app.view.diff && app.view.diff.by || settings.delta || 'total';
	app.drawnColourMode = { diff: 'diff', multiples: 'diff', metrics: 'metric' }[settings.mode] ||
		(settings.waits ? 'wait' : settings.wall ? 'wall' : 'name');
	app.colourMode = () => app.view.colour || app.drawnColourMode;

	app.markOf = (tree, frame) => app.hasMarks ? app.marks[tree.name[frame]] : 0;
	app.boxColour = (tree, frame) => {
		const mark = app.markOf(tree, frame);

		return mark ? app.markColours[mark - 1] : app.schemeOf(tree).box(frame);
	};

	/* Makes everything that depends on the view. */
	pyrograph.ui.state(app, () => {
		const { panel, frame } = app.cursor, kept = panel && panel === app.panels[0] && frame >= 0
			? T.pathOf(app.tree, app.names, frame) : null;
		const moved = makeTree();

		look = null;
		makeSearches();
		if (moved) /* the keys stay at the same frame, or at what is left of the frame's stack */
			app.cursor = kept ? { panel: panel, frame: T.frameOfPath(app.tree, app.names, kept).frame }
				: { panel: null, frame: -1 };
		return moved;
	});
	const { step } = app;

	app.step = (changes) => {
		if ('sandwich' in changes) /* the callers are others */
			app.view.callersZoom = [];
		if (changes.sandwich === null && settings.mode === 'multiples') /* all profiles are shown again */
			app.view.position = null;
		step(changes);
	};
	app.zoomTo = (frame) => {
		if (frame < 0 || frame === app.zoom || app.tree.folded && app.tree.folded.has(frame))
			return;
		app.view.zoom = T.pathOf(app.tree, app.names, frame);
		app.step({});
	};

	/* Are there frames that the keys for known beginnings would change? */
	app.hasUnnamed = () => app.baseNames.some(pyrograph.unnamed.isUnnamed);
	app.hasMeasuring = () => app.baseNames.some(pyrograph.known.isMeasuring);
	app.hasBeginnings = () => Boolean(pyrograph.known.beginnings(app.base, app.baseNames));

	/* Replaces the profile by another one with the same names; the view stays.  changes: those of the settings. */
	app.replace = (base, changes, lines) => {
		Object.assign(settings, changes);
		app.base = base;
		app.page.setHeading(lines);
		app.refresh();
	};
	app.addFilter = (filter) => app.step({ filters: app.view.filters.concat([filter]) });
};
