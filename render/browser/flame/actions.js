/* actions: the lists of all actions, with their words and keys. Menus, keys and the help are made from these
 * lists. */
pyrograph.ui.actions = function (app) {
	'use strict';

	const T = pyrograph.transform, P = pyrograph.profile, C = pyrograph.colour;
	const settings = app.settings;
	const toggle = (key) => () => app.step({ [key]: !app.view[key] });
	const layered = (...modes) => () => modes.includes(settings.mode);

	function cycle(values, now, apply) {
		return () => apply(values[(values.indexOf(now()) + 1) % values.length]);
	}

	app.orders = () => settings.arrival || settings.chart
		? ['name', 'width', 'arrival'] : ['name', 'width'];
	app.colourModes = () => C.modes(settings);
	/* The link leaves out settings that have not been changed. */
	app.setOrder = (order) => app.step({ order: order === (settings.order || 'name') ? null : order });
	app.setColour = (mode) => app.touch({ colour: mode === app.drawnColourMode ? null : mode });
	app.setInverted = (on) => app.step({ inverted: on === Boolean(settings.inverted) ? null : on });
	app.setSafe = (on) => {
		app.touch({ safe: on });
		if (on && C.isSafe(app.colourMode()))
			app.save.toast('These colours differ in lightness: they are safe as they are');
	};

	/* id: [key (a KeyboardEvent.key), words, what it does, group of the help] */
	const actions = {
		search: ['/', 'Search', () => app.searchBox.focus(), 'Find'],
		...app.usual.matches,
		pin: ['p', 'Keep this search, start another', () => app.pinSearch(), 'Find'],
		top: ['0', 'Reset zoom', () => app.view.callersZoom.length ? app.step({ zoom: [], callersZoom: [] })
			: app.zoomTo(0), 'Move'],
		resetAll: ['R', 'Undo all filters and the zoom', () => app.resetAll(), 'Move'],
		zoom: ['Enter', 'Zoom to the frame', null, 'Frame'],
		menu: ['M', 'Menu of the frame (Menu key)', () => app.menuOfCursor(), 'Frame'],
		sandwich: ['s', 'Callers and callees', () => app.frameAct('sandwich'), 'Frame'],
		drop: ['Delete', 'Hide this subtree (Alt+click)', () => app.frameAct('drop'), 'Frame'],
		hide: ['h', 'Hide all of this name', () => app.frameAct('hide'), 'Frame'],
		exclude: ['x', 'Leave out stacks with it', () => app.frameAct('exclude'), 'Frame'],
		include: ['X', 'Keep only stacks with it', () => app.frameAct('include'), 'Frame'],
		find: ['f', 'Search for its name', () => app.frameAct('find'), 'Frame'],
		copyName: ['y', 'Copy its name', () => app.frameAct('copyName'), 'Frame'],
		copyStack: ['Y', 'Copy its stack', () => app.frameAct('copyStack'), 'Frame'],
		flip: ['i', 'Flames up or down', () => app.setInverted(!app.isInverted()), 'View'],
		reverse: ['r', 'Merge from the leaves', () =>
			app.step({ reversed: !app.view.reversed || Boolean(app.view.sandwich), zoom: [],
				sandwich: null }), 'View'],
		order: ['o', 'Next order', () => cycle(app.orders(), app.order, app.setOrder)(), 'View'],
		colour: ['c', 'Next colouring', () => cycle(app.colourModes().map((m) => m.mode), app.colourMode,
			app.setColour)(), 'View'],
		safe: ['b', 'Colours for colour-blind eyes', () => app.setSafe(!app.view.safe), 'View'],
		variants: ['m', 'Merge compiled, interpreted, inlined', toggle('variants'), 'View'],
		generated: ['g', 'Merge lambdas and generated classes', toggle('generated'), 'View'],
		recursion: ['u', 'Fold recursion', () =>
			app.step({ recursion: { '': 'direct', direct: 'deep', deep: '' }[
				app.view.recursion || ''] }), 'View'],
		idle: ['I', settings.idle ? `Show ${settings.idle.word.toLowerCase()}: ${settings.idle.what}` : '',
			toggle('idle'), 'View', () => Boolean(settings.idle)],
		wall: ['w', 'Next time: all, on-CPU, off-CPU', () => app.nextWall(), 'View', () =>
			Boolean(settings.wall)],
		opened: ['e', 'Expand start of stacks (click)', toggle('opened'), 'View', () =>
			app.hasBeginnings()],
		mine: ['j', 'Only my code: no kernel, C library, packages, runtimes and libraries of languages',
			toggle('mine'), 'View'],
		quiet: ['k', 'Leave out the profiler: BPF, perf events, uprobes, recorder', toggle('quiet'), 'View',
			() => app.hasMeasuring()],
		unnamed: ['U', 'Merge functions without a name by file', toggle('unnamed'), 'View', () =>
			app.hasUnnamed()],
		table: ['t', 'Table of functions', () => app.touch({ table: !app.view.table }), 'View'],
		...app.usual.view,
		...app.usual.link,
		copyFolded: ['F', 'Copy the folded lines of the view', () => app.copyFolded(), 'Keep'],
		...app.usual.saving,
		side: ['1', 'Next side: both, base, new, gone, added', () => app.nextSide(), 'Layers', layered('diff')],
		delta: ['2', 'Change by total or by self', () => app.nextDelta(), 'Layers', layered('diff')],
		play: [' ', 'Play or pause', () => app.play(), 'Layers', layered('animate')],
		stepBack: [',', 'One window back', () => app.stepWindow(-1), 'Layers', layered('animate')],
		step: ['.', 'One window forward', () => app.stepWindow(1), 'Layers', layered('animate')],
	};

	app.actions = actions;
	app.pointerWords = [['Click', 'zoom'], ['Alt + click', 'hide the subtree'],
		['Right click', 'menu of the frame'],
		['Tap, tap again', 'details, zoom'], ['Long press', 'menu of the frame'], ['Arrows', 'walk the frames'],
		['Esc', app.host ? 'back to the heat map' : 'undo the last step'],
		['F3, Enter in the box', 'next match']];

	/* ---- the menu of the view ---- */

	const ORDER_WORDS = { name: 'By name', width: 'Widest first', arrival: 'In time' };

	app.openViewMenu = () => {
		const v = app.view, item = app.checkItem;

		app.showViewMenu([item('flip', app.isInverted(), 'Root on top (icicle)'),
			item('reverse', v.reversed && !v.sandwich), item('table', Boolean(v.table)),
			{ heading: 'Order' }, ...app.radios(app.orders().map((order) => [order, ORDER_WORDS[order]]),
				app.order(), app.setOrder, 'O'),
			{ heading: 'Colours' }, ...app.radios(app.colourModes().map(({ mode, label }) => [mode, label]),
				app.colourMode(), app.setColour, 'C'), item('safe', v.safe, 'For colour-blind eyes'),
			{ heading: 'Simplify' }, item('variants', v.variants), item('generated', v.generated),
			item('recursion', Boolean(v.recursion), v.recursion === 'deep' ? 'Fold recursion (any depth)'
				: 'Fold recursion'), ...app.hasBeginnings() ? [item('opened', v.opened)] : [],
			item('mine', v.mine, 'Only my code'), ...settings.idle ? [item('idle', v.idle)] : [],
			...app.hasUnnamed() ? [item('unnamed', v.unnamed)] : [],
			...app.hasMeasuring() ? [item('quiet', v.quiet)] : [],
			...app.host ? app.host.viewItems() : []], 'copyFolded');
	};

	/* ---- one frame ---- */

	const canDrop = (panel) => panel === app.panels[0] && !app.view.sandwich;

	function dropped(panel, frame) {
		if (!frame || !canDrop(panel))
			return;
		app.addFilter({ kind: 'drop', path: T.pathOf(app.tree, app.names, frame), pattern: '', exact: true,
			ignoreCase: false, reversed: app.view.reversed });
	}

	/* With several profiles, the sandwich shows the profile of this panel. */
	app.sandwich = (name, panel) => app.step(Object.assign({ sandwich: name, zoom: [], reversed: false },
		settings.mode === 'multiples' && app.sides.has(panel.tree) ? { position: app.sides.get(panel.tree) }
			: {}));

	const frameActs = {
		zoom: (panel, frame) => panel.zoomTo(frame),
		sandwich: (panel, frame, name) => app.sandwich(name, panel),
		drop: dropped,
		find: (panel, frame, name) => app.setSearch(pyrograph.search.exactly(P.baseName(name))),
		copyName: (panel, frame) => app.copy(panel.nameOf(frame), 'name'),
		copyStack: (panel, frame) => app.copy(T.stackOf(panel.tree, app.names, frame).join(';'), 'stack'),
		copyLines: (panel, frame) => app.copy(T.foldedLines(panel.tree, app.names, frame, ''), 'folded lines'),
		open: (panel, frame) => {
			const link = app.attributesOf(panel, frame);

			window.open(link.href, link.target || '_blank', 'noopener');
		},
	};
	for (const kind of ['hide', 'exclude', 'include']) {
		frameActs[kind] = (panel, frame, name) => app.addFilter({ kind: kind, pattern: name, exact: true,
			ignoreCase: false });
	}

	/* Runs an action on a frame; by default on the frame under the pointer or the one that the keys are at,
	 * whichever of the two moved last. */
	app.frameAct = (id, panel, frame) => {
		if (!panel)
			({ panel, frame } = app.pointed || (app.cursor.panel ? app.cursor
				: app.seen(app.zoom)));
		if (frame < 0 || (!frame && !/^(zoom|copy)/.test(id)))
			return;
		frameActs[id](panel, frame, app.names[panel.tree.name[frame]]);
	};

	app.openFrameMenu = (panel, frame, x, y) => {
		const act = (id, label, key, more) => Object.assign({ label: label, key: key,
			run: () => app.frameAct(id, panel, frame) }, more);
		const root = !frame, link = app.attributesOf(panel, frame);
		const folded = app.foldedAt(panel, frame);
		const items = [{ heading: app.ruler.fit(panel.nameOf(frame), 230, 1, 'middle') },
			...folded ? [{ label: 'Open its ' + folded.count + ' frames', key: 'E', run: () =>
				app.step({ opened: true }) }] : [],
			act('zoom', 'Zoom', 'Enter'), act('sandwich', 'Callers and callees', 'S', { disabled: root }),
			act('find', 'Search for its name', 'F', { disabled: root }), { line: true },
			act('drop', 'Hide this subtree', 'Del', { disabled: root || !canDrop(panel) }),
			act('hide', 'Hide all of this name', 'H', { disabled: root }),
			act('exclude', 'Leave out stacks with it', 'X', { disabled: root }),
			act('include', 'Keep only stacks with it', 'Shift+X', { disabled: root }), { line: true },
			act('copyName', 'Copy name', 'Y'), act('copyStack', 'Copy stack', 'Shift+Y'),
			act('copyLines', 'Copy folded lines from here', '')];

		if (link && link.href)
			items.push({ line: true }, act('open', 'Open ' + app.ruler.fit(link.href, 180, 1, 'middle'),
				''));
		app.menu.open(items, x, y, 'Frame ' + panel.nameOf(frame));
	};
	app.menuOfCursor = () => {
		const { panel, frame } = app.cursor.panel && app.cursor.frame >= 0 ? app.cursor
			: app.seen(app.zoom);
		const box = panel.graph.getBoundingClientRect(), at = panel.place(frame);

		openAt(panel, frame, box.left + at.x + Math.min(at.w / 2, 40), box.top + at.y + 10);
	};
	function openAt(panel, frame, x, y) {
		app.moveTo(panel, frame);
		app.openFrameMenu(panel, frame, x, y);
	}

	app.resetAll = () => app.step({ zoom: [], filters: [], sandwich: null, reversed: false, variants: false,
		generated: false, recursion: '', diff: null, span: null, idle: false, opened: false, mine: false,
		quiet: false, unnamed: false, wall: null });
};
