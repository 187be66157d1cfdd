/* heat_app: what is shown, and everything that follows from that.
 *
 * app.view is the view of address.js; state.js says how it is changed.
 *
 * app.shown()      -> { from, to } in ns: the time of the columns that are drawn
 * app.asked()      -> { from, to }: the time that the view asks for; zooming and moving start from this
 * app.axes()       -> the axes of what is shown
 * app.grids()      -> what is drawn: { axes, maps, scale, hues }, kept until the view changes; a map:
 *     { key, title, flag, choice, grid, idle: whether the grid counts idle events, ofKey: [grid, ...] or null,
 *       rest: null or the grid of events without a hue, lit: grid or null, unseen,
 *       lines: [{ percent, values }, ...] }
 * app.keyOfMap(map) -> the number of the map's key in the dimension that has one map for each key
 * app.mapOf(selection) -> the number of the map that the selection is in
 * app.choice(map)  -> which stacks a map counts, for heat_grid and heat_select; default: those of the map of the
 *     selection or, without a selection, of all maps
 * app.clock()      -> how times of the day are written, in the zone of the view
 * app.dimension(name) -> the dimension (data.js), or null
 * app.sums(selection) -> values by stack of a selection (null: of what is shown)
 * app.flameIsShown() -> whether there is a flame graph; by default there is one if there is a selection
 * app.selecting()  -> what dragging selects: "time" or "rows"; app.setSelecting(shape)
 * app.settle()     drops members of the view that do not fit this recording
 * app.actions, app.pointerWords: for commands.js and help.js; several files add to them */
pyrograph.heat.app = function (app) {
	'use strict';

	const H = pyrograph.heat, { data, settings } = app;
	const dimensions = new Map(), made = new Map();
	const LINES_OF = ['value', 'utilization'], MAPS_MAX = 64, FLAME_WAITS_MS = 150;
	const MERGED_MAX = 4;   /* a column may have this many periods before a longer period is better */
	const LADDER_PX = 3;    /* the width of a column in spanFor() */
	const LAYOUTS_MAX = 3;

	app.view = H.address.emptyView();
	app.actions = {};
	app.pointerWords = [];
	app.whole = { from: settings.window[0], to: settings.window[1] };
	app.extent = () => ({ from: app.whole.from, ns: app.whole.to - app.whole.from });
	app.mapsDrawn = Math.max(1, Math.min(app.svg.querySelectorAll('.map').length, MAPS_MAX));

	/* Returns the last value made under this name if it was made for the same key; otherwise makes a new one. */
	function kept(name, key, make) {
		const last = made.get(name);

		if (last && last.key.length === key.length && last.key.every((part, i) => part === key[i]))
			return last.value;
		const value = make();

		made.set(name, { key: key, value: value });
		return value;
	}
	app.kept = kept;

	app.clock = () => kept('clock', [app.view.zone], () => H.data.clock(settings, app.view.zone || 'own'));
	app.dimension = (name) => {
		const typed = name === 'regexp' && app.view.regexps, key = name + (typed ? JSON.stringify(typed) : '');

		if (!dimensions.has(key)) {
			dimensions.set(key, H.data.dimension(data, typed ? Object.assign({}, settings,
				{ regexps: typed }) : settings, name));
		}
		return dimensions.get(key);
	};

	/* ---- axes ---- */

	app.asked = () => ({ from: app.view.from === null ? app.whole.from : app.view.from,
		to: app.view.to === null ? app.whole.to : app.view.to });
	app.shown = () => {
		const { start, end } = app.axes(), { from, to } = app.whole;

		return app.view.from === null ? { from, to } : { from: Math.max(from, start), to: Math.min(to, end) };
	};

	/* The period that the reader has chosen; else, if all of the time is shown, the period as drawn; else the
	 * finest period that heat_grid offers with no more than a few periods in a pixel. */
	function spanNow(shown) {
		const { view } = app, room = Math.max(app.cellsRoom(), 1), long = shown.to - shown.from,
			own = Number(settings.period);
		const fit = (period) => Math.max(1, Math.ceil(long / period / room));
		const found = view.period !== null ? { period: view.period, rows: H.grid.rowsFor(settings, view.period),
			perColumn: fit(view.period) }
			: view.from === null ? { period: own, rows: settings.rows,
				perColumn: Math.max(settings.perColumn, fit(own)) }
				: H.grid.finer(settings, shown.from, shown.to) ||
					H.grid.spanFor(settings, shown.from, shown.to, room * LADDER_PX * MERGED_MAX);

		return Object.assign({}, found, view.period === null && view.from !== null
			? { perColumn: fit(found.period) } : {},
		view.rows === null ? {} : { rows: view.rows });
	}

	/* The offset of the view's zone from UTC, in ns. */
	app.zoneNs = () => {
		const { zone } = app.view, ms = Number(BigInt(settings.origin) / 1000000n);

		return settings.relative || zone === 'UTC' ? 0 : zone === 'local'
			? -new Date(ms).getTimezoneOffset() * 60e9
			: settings.zone ? settings.zone[2] : 0;
	};
	app.axes = () => {
		const shown = app.asked(), span = spanNow(shown), weigh = app.view.weigh, zone = app.zoneNs();

		return kept('axes', [shown.from, shown.to, span.period, span.rows, span.perColumn, weigh, zone], () =>
			H.grid.axes(settings, Object.assign({ from: shown.from, to: shown.to, zone: zone }, span,
				weigh === null ? {} : { weigh: weigh })));
	};

	/* ---- maps ---- */

	/* The maps: a single one, or one for each key of a dimension; each with its title and its choice of
	 * stacks. */
	function partsOf() {
		return kept('parts', [], () => {
			const by = settings.per ? app.dimension(settings.per) : null;

			return !by ? [{ title: '', flag: clockOf(settings.recordings || []), stacks: null,
				recording: -1, cpu: -1 }]
				: keysOfMaps(by).map((key) => [key, by.keys[key]]).map(([key, title]) =>
					Object.assign({ title: title, flag: settings.per !== 'host' ? ''
						: clockOf(settings.recordings.filter(({ host }) => host === title)) },
					H.grid.partOf(settings, by, key)));
		});
	}
	/* The keys that have maps: those with the most events.  If their names are the same word with numbers,
	 * they are sorted by number, as in heat_keys_order(). */
	function keysOfMaps(by) {
		const keys = by.keys.slice(0, app.mapsDrawn).map((name, key) => [key, /^(.*?)(\d{1,18})$/.exec(name)]);

		if (keys.every(([, found]) => found && found[1] === keys[0][1][1]))
			keys.sort(([, a], [, b]) => Number(a[2]) - Number(b[2]) || (a[0] < b[0] ? -1 : 1));
		return keys.map(([key]) => key);
	}
	app.keyOfMap = (map) => settings.per ? keysOfMaps(app.dimension(settings.per))[map] : undefined;
	const clockOf = (recordings) => recordings.map((r) => r.clock || '').filter(Boolean).join('; ');

	/* The members of a that are in b (wanted true) or not in b (wanted false); null stands for all. */
	function narrowed(a, b, wanted) {
		return !b ? a : Uint8Array.from(b, (in_, i) => Boolean(in_) === wanted && (!a || a[i]) ? 1 : 0);
	}

	/* Which stacks have a hue, and which hue: { keyOf, count, marked }; or null. */
	function huesNow() {
		const hues = app.hues ? app.hues() : null;

		return !hues || !hues.keys.length ? null : kept('hues', [hues.dimension, hues.keys.join()], () => {
			const place = new Int32Array(hues.dimension.keys.length).fill(-1);

			hues.keys.forEach((key, i) => { place[key] = i; });
			const keyOf = Int32Array.from(hues.dimension.keyOf, (key) => key < 0 ? -1 : place[key]);

			return { keyOf: keyOf, count: hues.keys.length,
				marked: Uint8Array.from(keyOf, (k) => k < 0 ? 0 : 1) };
		});
	}

	/* The stacks that the search finds and that have the picked frame. */
	function litNow() {
		const searched = app.searched ? app.searched() : null;
		const framed = app.view.frame && app.flame && app.flame.stacksWith
			? app.flame.stacksWith(app.view.frame) : null;

		if (!searched || !searched.stacks)
			return framed;
		return framed ? narrowed(framed, searched.stacks, true) : searched.stacks;
	}

	const ALL = { stacks: null, recording: -1, cpu: -1 };

	app.mapOf = (selection) => selection && selection.map !== undefined ? selection.map : app.view.map;
	app.choice = (map = app.view.selection ? app.mapOf(app.view.selection) : ALL) => {
		const part = typeof map === 'number' ? partsOf()[map] || ALL : map, how = app.hues ? app.hues() : null,
			hues = huesNow();
		const isolate = how && how.isolate, exclude = how && how.exclude;
		const stacks = kept('stacks ' + (part.title || ''), [part.stacks, hues, isolate, exclude], () =>
			hues && (isolate || exclude) ? narrowed(part.stacks, hues.marked, Boolean(isolate))
				: part.stacks);

		return { stacks: stacks, recording: part.recording, cpu: part.cpu, idle: app.view.idle };
	};

	function linesOf(axes, choice) {
		const percents = LINES_OF.includes(axes.y) && app.linesShown() ? settings.percentiles || [] : [];

		return percents.map((percent) => ({ percent: percent,
			values: H.grid.percentile(data, settings, axes, choice, percent) }));
	}

	/* The longest of the events without a hue, which cannot be computed from the other values. */
	const restOfLongest = (axes, choice, { keyOf, count }) => H.grid.byKeys(data, settings, axes, choice,
		keyOf.map((key) => key < 0 ? count : key), count + 1)[count];

	/* The grid without the events that the other grids count. */
	function without(grid, others) {
		const cells = grid.cells.slice();

		for (const other of others) {
			for (let i = 0; i < cells.length; i++)
				cells[i] -= other.cells[i];
		}
		return Object.assign({}, grid, { cells: cells, total: others.reduce((sum, one) => sum - one.total,
			grid.total),
		largest: cells.reduce((most, n) => Math.max(most, n), 0) });
	}

	/* If there are several hosts: [name, ns or -1] of those whose clocks may be off by more than a row
	 * (heat_draw.h). */
	app.clockDoubts = (axes) => {
		const width = axes.y === 'offset' ? axes.period / axes.rows : axes.period * axes.perColumn;

		return (settings.clocks || []).filter(([, ns]) => ns < 0 || ns > width);
	};

	function doubtOf(axes, choice) {
		const hosts = new Map(app.clockDoubts(axes));

		if (!hosts.size)
			return null;
		const { keys, keyOf } = H.data.dimension(data, settings, 'host'),
			doubtful = keyOf.map((key) => key >= 0 && hosts.has(keys[key]) ? 1 : 0);

		return H.grid.make(data, settings, axes, Object.assign({}, choice,
			{ stacks: narrowed(choice.stacks, doubtful, true) }));
	}

	function makeMap(axes, part, number, lit) {
		const how = app.hues ? app.hues() : null, hues = how && !how.exclude ? huesNow() : null,
			choice = app.choice(part);
		const grid = H.grid.make(data, settings, axes, choice);
		const ofKey = !hues ? null : axes.y === 'utilization'
			? H.grid.byCpus(data, settings, axes, choice, how.dimension, how.keys)
			: H.grid.byKeys(data, settings, axes, choice, hues.keyOf, hues.count);

		return { number: number, title: part.title, flag: part.flag, choice: choice, grid: grid, ofKey: ofKey,
			rest: !ofKey || how.isolate ? null : axes.weigh === 'longest' && axes.y !== 'utilization'
				? restOfLongest(axes, choice, hues) : without(grid, ofKey),
			lit: lit ? H.grid.make(data, settings, axes, Object.assign({}, choice,
				{ stacks: narrowed(choice.stacks, lit, true) })) : null,
			unseen: H.grid.unseen(settings, axes, part.recording, data, part.cpu),
			doubt: doubtOf(axes, choice),
			lines: linesOf(axes, choice) };
	}

	app.linesShown = () => app.view.lines === null ? Boolean(settings.lines) : app.view.lines;

	app.grids = () => {
		const axes = app.axes(), lit = litNow(), how = app.hues ? app.hues() : null, hues = huesNow();

		return kept('grids', [axes, lit, hues, how && how.isolate, how && how.exclude, app.view.idle,
			app.view.coloring, app.linesShown()], () => {
			const maps = partsOf().map((part, i) => makeMap(axes, part, i, lit));
			const drawn = [].concat(...maps.map((map) => map.ofKey ? map.ofKey.concat(map.rest || [])
				: [map.grid]));

			return { axes: axes, maps: maps, hues: hues && how && !how.exclude ? hues.count : 0,
				scale: H.scale.make(app.view.coloring || settings.coloring, drawn) };
		});
	};
	app.ramp = () => settings.ramps.find((ramp) => ramp[0] === (app.view.ramp || settings.ramp)) ||
		settings.ramps[0];

	/* ---- what is selected ---- */

	app.sums = (selection) => {
		const shown = app.shown();

		return H.select.sums(data, settings, app.axes(), selection ||
			{ kind: 'time', from: shown.from, to: shown.to }, selection ? app.choice(app.mapOf(selection))
			: app.choice());
	};
	/* Selects a range, or (asBaseline) makes it the range that the selection is compared with. */
	app.select = (selection, asBaseline) => app.step(asBaseline ? { baseline: selection }
		: selection ? { selection: selection } : { selection: null, baseline: null });

	app.flameIsShown = () => app.view.flameShown === null ? Boolean(app.view.selection) && data.stacks > 1
		: app.view.flameShown;
	const usual = settings.y === 'value' ? 'rows' : 'time';

	app.selecting = () => app.view.selecting || usual;
	app.setSelecting = (shape) => app.touch({ selecting: shape === usual ? null : shape });
	app.settle = () => {
		const { view, whole } = app, outside = ({ from, to }) => from >= whole.to || to <= whole.from;

		if (view.from !== null && outside(view))
			view.from = view.to = null;
		for (const key of ['selection', 'baseline']) {
			const range = view[key], { least, most, column } = app.axes();

			if (!range)
				continue;
			if (outside(range) || range.map >= app.mapsDrawn)
				view[key] = null;
			else if (range.from < least - column || range.to > most + column)
				view[key] = range.kind !== 'time' ? null
					: Object.assign(range, { from: Math.max(range.from, least),
						to: Math.min(range.to, most) });
		}
		if (!view.selection)
			view.baseline = null;
	};

	/* Shows the flame graph of the selection, or of the visible time; a little later while the reader
	 * zooms. */
	let flameOf = [], later = 0;

	function showFlame() {
		const { view } = app, shown = app.shown(), { stacks } = app.choice();
		const of = [view.selection, view.baseline, stacks, view.idle, view.selection || shown.from,
			view.selection || shown.to];

		if (!app.flame || !app.flameIsShown() || of.every((part, i) => part === flameOf[i]) && flameOf.length)
			return;
		const soon = () => app.flame.show(app.sums(view.selection), view.baseline ? app.sums(view.baseline)
			: null);
		const zoomed = flameOf.length && !view.selection && !flameOf[0] && stacks === flameOf[2];

		clearTimeout(later);
		flameOf = of;
		if (zoomed)
			later = setTimeout(soon, FLAME_WAITS_MS);
		else
			soon();
	}

	/* ---- changes ---- */

	/* A listener may take room from the maps.  Then the columns change, and all listeners are called again. */
	let told = null;

	pyrograph.ui.state(app);
	app.refresh = () => {
		for (let i = 0; i < LAYOUTS_MAX && (!i || told !== app.axes()); i++) {
			told = app.axes();
			app.tellAll();
		}
		showFlame();
	};
	app.isTold = () => told === app.axes();
};
