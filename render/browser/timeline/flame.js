/* timeline_flame: the flame graph of the shown part of the time, for one row or all shown rows, made by flame.js with
 * the timeline as its host.
 *
 * A stack consists of the thread (if there are several), its state, and its functions without those of its waker.  The
 * weight of a stack is the time of its spans in that part.  The time for which a thread ran is divided among the
 * samples of its stack, because running spans have no stacks.  Waits for work and for time to pass are left out unless
 * app.view.idle.
 *
 * app.view.flame is null (there is no graph), "*" (of all rows), or a row's name; app.view.graph is the graph's own
 * view.
 * app.flame = { toggle(), of(row), canBe() }; row: its number, or null for all. */
pyrograph.ui.timelineFlame = function (app) {
	'use strict';

	const D = pyrograph.ui.dom, A = pyrograph.address, P = pyrograph.profile, R = pyrograph.timeline.raster;
	const N = pyrograph.number, { data, settings, now } = app, ALL = '*', CRUMB = 1;
	const NAME_COLOURS = ['#f2cf8e', '#efc07a', '#f0b48c', '#e8c99a'];
	const canBe = () => data.traces.length > 0 && Boolean(pyrograph.flame);
	const place = D.html('div', { 'class': 'row-flame', role: 'region', hidden: true,
		'aria-label': 'Flame graph of this part' });
	let graph = null, told = '', drawn = '';

	app.page.sheet.append(place);
	app.flame = { canBe, of: (row) => app.touch({ flame: row === null ? ALL : settings.rows[row][0] }),
		toggle: () => app.touch({ flame: app.view.flame !== null ? null : now.cursor.row === null ? ALL
			: settings.rows[now.cursor.row][0] }) };

	/* ---- the distinct names of states, rows and functions ---- */

	const numbers = new Map();
	const numberOf = (name) => numbers.get(name) || (numbers.set(name, numbers.size), numbers.size - 1);
	const root = numberOf('all');
	const states = settings.kinds.map(([name]) => numberOf(`[${name}]`));
	const threads = settings.rows.map(([name]) => numberOf(pyrograph.timeline.data.shortName(settings, name)));
	const ownOf = (trace) => trace.includes('--') ? trace.slice(0, trace.indexOf('--')) : trace;
	const stacks = data.traces.map((trace) => ownOf(trace).map(numberOf));
	const names = Array.from(numbers.keys()).concat('...');
	const colours = names.flatMap((name) => Array(1 + CRUMB).fill(NAME_COLOURS[name.length % NAME_COLOURS.length]));

	/* ---- the tree ---- */

	const node = (name) => ({ name, self: 0, children: new Map() });
	const child = (parent, name) => parent.children.get(name) || (parent.children.set(name, node(name)),
	parent.children.get(name));
	const add = (from, path, value) => {
		path.reduce(child, from).self += value;
	};
	const traceOf = (stack) => data.trace[stack] < 0 ? [] : stacks[data.trace[stack]];

	/* The time for which a thread ran, divided among its samples in the part. */
	function addRunning(at, row, kind, ns) {
		const { at: times, stack, first } = data.samples, { from, to } = app.part;
		const a = R.search(times, first[row], first[row + 1], from);
		const end = R.search(times, a, first[row + 1], to);

		for (let i = a; i < end; i++)
			add(at, [states[kind], ...traceOf(stack[i])], ns / (end - a));
		if (a === end)
			add(at, [states[kind]], ns);
	}

	function addRow(at, row) {
		const { from, to } = app.part, [first, end] = R.between(data, row, from, to), ran = new Map();
		let hidden = 0;

		for (let i = first; i < end; i++) {
			const stack = data.stack[i], kind = data.kindOf[stack], part = Math.min(to, data.start[i] +
				data.time[i]) - Math.max(from, data.start[i]);

			if (part <= 0 || data.isIdle[kind])
				continue;
			if (data.isDull[kind] && !app.view.idle)
				hidden += part;
			else if (data.isRunning[kind])
				ran.set(kind, (ran.get(kind) || 0) + part);
			else
				add(at, [states[kind], ...traceOf(stack)], part);
		}
		ran.forEach((ns, kind) => addRunning(at, row, kind, ns));
		return hidden;
	}

	/* Sorts frames by name, as in every tree. */
	function flattened(top) {
		const ranks = pyrograph.merge.ranks(names), all = [];
		const visit = (one, parent, depth) => {
			const i = all.push({ one, parent, depth }) - 1;

			const sorted = Array.from(one.children.values()).sort((a, b) => ranks[a.name] - ranks[b.name]);

			sorted.forEach((next) => visit(next, i, depth + 1));
			all[i].end = all.length;
		};

		visit(top, 0, 0);
		const tree = P.emptyTree(all.length);

		all.forEach(({ one, parent, depth, end }, i) => {
			tree.name[i] = one.name;
			tree.self[i] = one.self;
			tree.parent[i] = parent;
			tree.depth[i] = depth;
			tree.end[i] = end;
		});
		P.addUp(tree);
		return tree;
	}

	/* ---- the graph ---- */

	const rowsOf = () => app.view.flame === ALL ? now.rows : settings.rows.map((row, i) => i).filter((i) =>
		settings.rows[i][0] === app.view.flame).slice(0, 1);

	function heading(rows, total, hidden) {
		const line = (className, text, size) => ({ className, text, size }), { from, to } = app.part;

		return [line('title', rows.length === 1 ? settings.rows[rows[0]][0]
			: `${rows.length} ${settings.rowsWord}`, settings.fontSize + 2),
		line('note', N.durationText(total) + ' in ' + app.part.text(from, to) + (hidden
			? `; waits for work and time hidden: ${N.durationText(hidden)}` : ''), settings.fontSize)];
	}

	function saved(isStep) {
		const text = A.encodeView(graph.view);

		if (text === told)
			return;
		told = text;
		app[isStep ? 'step' : 'touch']({ graph: text || null });
	}

	const viewItems = () => [{ heading: 'Flame graph of' },
		{ label: 'All ' + settings.rowsWord, checked: app.view.flame === ALL, run: () => app.flame.of(null) },
		{ label: 'Waits for work and time, too', checked: app.view.idle, run: () =>
			app.touch({ idle: !app.view.idle }) }];

	function open(tree, lines) {
		graph = pyrograph.flame.open(app.svg, { settings: { unit: 'ns', decimals: 0, factor: 1,
			truncate: 'middle', names: names.length - 1, nametype: 'Function:', inverted: false,
			fluid: true, whole: true,
			pad: 10, fontSize: settings.fontSize, frameHeight: 16, rows: 1, minWidth: 0.1,
			chartName: 'Flame graph of this part', waits: settings.kinds.map(([name, rgb]) =>
				[`[${name}]`, name, rgb]) },
		source: settings.source || {}, names, colours, tree, heading: lines, view: told, place,
		boxes: app.page.element, isDark: () => app.isDark(), saved, undo: () => app.links.undo(),
		leave: () => app.panel.graph.focus({ preventScroll: true }), link: () => app.link(), viewItems });
	}

	function draw() {
		const rows = rowsOf(), top = node(root);
		const hidden = rows.reduce((sum, row) => sum +
			addRow(rows.length > 1 ? child(top, threads[row]) : top, row), 0);
		const tree = flattened(top), lines = heading(rows, tree.total[0], hidden);

		if (graph)
			graph.replace(tree, {}, lines);
		else
			open(tree, lines);
	}

	app.onchange(() => {
		const { flame, graph: text, idle, theme } = app.view, isShown = flame !== null && canBe();
		const key = [flame, idle, theme, app.isDark(), app.part.from, app.part.to, now.rows.join(),
			Boolean(app.onPaper)].join('\n');

		place.hidden = !isShown;
		if (!isShown || (key === drawn && (text || '') === told))
			return;
		if (graph && (text || '') !== told)
			graph.links.show(text || '');
		told = text || '';
		if (graph && Boolean(app.onPaper) !== Boolean(graph.onPaper))
			graph.page.print(Boolean(app.onPaper));
		if (key !== drawn)
			draw();
		drawn = key;
	});
};
