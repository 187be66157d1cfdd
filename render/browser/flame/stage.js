/* stage: the panels that are shown (one graph, the callers and callees of a sandwich, or one graph for each of several
 * profiles), and the pointer and fingers on them. */
pyrograph.ui.stage = function (app) {
	'use strict';

	const D = pyrograph.ui.dom, LY = pyrograph.layers, settings = app.settings, stage = app.page.stage;
	const main = pyrograph.ui.panel(app, { id: 'frames', name: 'Flame graph', tree: () => app.tree,
		zoom: () => app.zoom, inverted: app.isInverted,
		leastRows: () => app.isWhole() && !app.host && !app.foldOf(main) ? settings.rows : 1, zoomTo: (frame) =>
			app.zoomTo(frame) });
	let shape = '', flipped = app.isInverted();

	app.isWhole = () => app.tree === app.base;
	app.cursor = { panel: null, frame: -1 };
	app.panels = [main];
	stage.appendChild(main.element);
	app.graphWidth = () => (settings.fluid ? main.scroll.clientWidth || app.drawnWidth : app.drawnWidth) -
		2 * settings.pad;

	/* ---- what stacks begin with ---- */

	const folds = new WeakMap(); /* tree -> its beginnings */

	/* Which frames of a panel are hidden because they only show how stacks begin (known.js); null: none. */
	app.foldOf = (panel) => {
		const tree = panel.treeNow();

		if (app.view.opened || app.view.reversed || panel.isCallers)
			return null;
		if (!folds.has(tree))
			folds.set(tree, pyrograph.known.beginnings(tree, app.names));
		return folds.get(tree);
	};
	/* The last of the frames that a frame stands for, and their number; undefined if it stands for itself only. */
	app.foldedAt = (panel, frame) => panel.fold ? panel.fold.last.get(frame) : undefined;
	/* "clone3 ... java.lang.Thread.run" */
	app.labelOf = (panel, frame) => {
		const folded = app.foldedAt(panel, frame);

		return panel.nameOf(frame) + (folded ? ' \u2026 ' + panel.nameOf(folded.frame) : '');
	};

	/* ---- panels ---- */

	function heading(text) {
		return D.html('h2', { 'class': 'panel-title' }, text);
	}

	/* Callees stand on the function, callers hang below it; in an icicle graph it is the other way round. */
	function callersPanel() {
		const T = pyrograph.transform;
		const panel = pyrograph.ui.panel(app, { id: null, name: 'Callers', title: heading('Callers'),
			tree: () => app.callers, zoom: () => app.view.callersZoom.length
				? T.frameOfPath(app.callers, app.names, app.view.callersZoom).frame : 0,
			inverted: () => !app.isInverted(), leastRows: () => 1, zoomTo: (frame) => {
				if (frame !== panel.zoom && !(panel.tree.folded && panel.tree.folded.has(frame)))
					app.step({ callersZoom: T.pathOf(panel.tree, app.names, frame) });
			} });

		panel.whole = main.whole;
		panel.isCallers = true;
		return panel;
	}

	/* "Callers › read › main": shown if one of the callers is zoomed. */
	function showCallersPath() {
		const panel = app.panels[1], { tree, zoom } = panel, parts = [];

		for (let f = zoom; f; f = tree.parent[f])
			parts.unshift(' \u203a ', app.crumb(tree, f, panel.zoomTo));
		panel.title.replaceChildren('Callers', ...zoom ? [' \u203a ', app.crumb(tree, 0, panel.zoomTo)] : [],
			...parts);
	}

	/* A panel for one of several profiles, drawn from the values of that profile. */
	function layerPanel(k) {
		const made = new WeakMap(), absent = D.html('span', { 'class': 'wrong' });
		const panel = pyrograph.ui.panel(app, { id: null, name: settings.layers[k].name,
			title: heading(app.captions[k] || settings.layers[k].name), tree: () => {
				if (!made.has(app.tree)) {
					made.set(app.tree, LY.view(app.tree, settings, { layer: k }));
					app.sides.set(made.get(app.tree), k);
				}
				return made.get(app.tree);
			}, zoom: () => {
				const { frame, whole } = pyrograph.transform.frameOfPath(panel.treeNow(), app.names,
					app.view.zoom);
				const depth = panel.treeNow().depth[frame];

				absent.textContent = whole ? '' : ' \u00b7 not here: ' +
					app.view.zoom.slice(depth).join(' \u203a ');
				return frame;
			}, inverted: app.isInverted, leastRows: () => 1, zoomTo: (frame) =>
				app.step({ zoom: pyrograph.transform.pathOf(panel.tree, app.names, frame) }) });

		panel.title.append(absent);
		return panel;
	}

	function wantedShape() {
		return app.view.sandwich && app.callers ? 'sandwich'
			: settings.mode === 'multiples' && app.view.position === null ? 'multiples' : 'one';
	}

	function arrange() {
		const wanted = wantedShape();

		if (wanted === shape) {
			return;
		}
		app.panels.slice(1).forEach((panel) => panel.element.remove());
		main.element.hidden = wanted === 'multiples';
		app.panels = wanted === 'sandwich' ? [main, callersPanel()]
			: wanted === 'multiples' ? [main].concat(settings.layers.map((layer, k) => layerPanel(k)))
				: [main];
		if (wanted === 'sandwich')
			main.title = heading('Callees');
		main.element.querySelectorAll('.panel-title').forEach((title) => title.remove());
		if (wanted === 'sandwich')
			main.element.prepend(main.title);
		for (const panel of app.panels.slice(1)) {
			stage.append(panel.element);
			listen(panel);
		}
		stage.dataset.shape = shape = wanted;
	}

	/* In a sandwich, shares refer to the whole rather than to the function. */
	main.whole = () => app.whole.total[0];

	app.drawAll = () => {
		for (const panel of app.panels) {
			if (!panel.element.hidden)
				panel.draw();
			else
				[panel.tree, panel.zoom] = [app.tree, app.zoom];
		}
		if (shape === 'sandwich')
			showCallersPath();
		app.page.makeRoom();
	};
	app.shownPanels = () => app.panels.filter((panel) => !panel.element.hidden);
	app.firstPanel = () => app.panels.find((panel) => !panel.element.hidden);

	/* Returns { panel, frame }: the panel that shows a frame of app.tree, and the frame there. */
	app.seen = (frame) => {
		const panel = app.firstPanel(), T = pyrograph.transform;

		return { panel: panel, frame: panel === main ? frame
			: T.frameOfPath(panel.tree, app.names, T.pathOf(app.tree, app.names, frame)).frame };
	};
	app.onchange(() => {
		app.pointed = null;
		arrange();
		main.element.style.order = app.isInverted() ? 1 : 0;
		app.page.resize();
		app.drawAll();
		if (flipped !== app.isInverted()) {
			flipped = app.isInverted();
			app.panels.forEach((panel) => panel.showRoot());
		}
	});

	/* ---- the frame that keys move from ---- */

	app.moveTo = (panel, frame) => {
		app.pointed = null;
		app.cursor = { panel: panel, frame: frame };
		app.panels.forEach((p) => p.focus(p === panel ? frame : -1, true));
		app.showDetails(panel, frame);
		if (frame >= 0)
			app.foot.say(app.describe(panel, frame));
	};

	/* A frame that stands for others is opened, any other is zoomed. */
	app.enter = (panel, frame) => {
		if (app.foldedAt(panel, frame))
			app.step({ opened: true });
		else
			panel.zoomTo(frame);
	};

	/* ---- pointer ---- */

	function clicked(panel, frame, event, touched) {
		if (frame < 0 || app.menu.justClosed())
			return;
		if (event.altKey) {
			app.frameAct('drop', panel, frame);
		} else if (touched) { /* the first tap selects, the second zooms */
			const second = app.cursor.panel === panel && app.cursor.frame === frame;

			app.moveTo(panel, frame);
			if (second)
				app.enter(panel, frame);
		} else {
			app.cursor = { panel: panel, frame: frame };
			app.enter(panel, frame);
		}
	}

	function openMenuAt(panel, frame, x, y) {
		if (frame < 0)
			return;
		app.moveTo(panel, frame);
		app.openFrameMenu(panel, frame, x, y);
	}

	function listen(panel) {
		const { graph } = panel;

		pyrograph.ui.pointer(graph, { at: panel.frameAt, hover: (...at) => app.hover(panel, ...at),
			leave: () => app.hover(panel, -1), click: (...how) => clicked(panel, ...how),
			menu: (...at) => openMenuAt(panel, ...at) });
		graph.addEventListener('focus', () => { /* the focus came by the Tab key, so show where the keys are */
			if ((app.cursor.panel !== panel || app.cursor.frame < 0) && graph.matches(':focus-visible'))
				app.moveTo(panel, panel.zoom);
		});
		panel.scroll.addEventListener('scroll', () => app.tip.hide());
	}
	listen(main);
};
