/* flame: makes a flame graph interactive in a browser.
 *
 * At first, the picture that C drew is on the screen; then the profile in the file is decoded, and the visible frames
 * are drawn from it.
 *
 * open(svg, host) -> app: a flame graph in the page.  Without a host it is the graph in svg: it takes the
 *     place of svg, and the address has its view.  With a host, the graph is a part of another picture, which may
 *     contain several graphs; app.replace (view.js) gives it another profile, and app.links.show(text) another
 *     view.  host:
 *         settings, source      as in the metadata of a flame graph
 *         names, colours, tree  as profile.js decodes them
 *         heading               [{ className, text, size }, ...]: the title, then notes
 *         view                  the view at first, as text
 *         place                 the element that the graph fills
 *         boxes                 an element as large as the host's page, for menus and tips; or null
 *         isDark()              whether the theme is dark
 *         saved(isStep)         called when app.view has changed (address.js makes text of it)
 *         undo()                undoes the last step, of host or graph -> whether there was one
 *         leave()               called when the host gets the keys back
 *         link()                the address of what is shown, or null
 *         viewItems()           further items for the menu of the view (menu.js)
 * In the SVG of a flame graph, this file calls open(); in that of a heat map or a timeline, the host's script does. */
pyrograph.flame = (function () {
	'use strict';

	const P = pyrograph.profile, { ui } = pyrograph;
	const PARTS = ['view', 'slow', 'page', 'foot', 'stage', 'compare', 'tip', 'details', 'menu', 'commands',
		'controls', 'toolbar', 'find', 'actions', 'layered', 'help', 'legend', 'save', 'export', 'flameKeys',
		'links', 'table', 'differential'];

	/* Reads the data in an SVG. */
	function read(picture) {
		const { json, joined } = ui.contents(picture), settings = json('#flame-settings');

		return { settings: settings, source: json('#pyrograph'),
			names: P.decodeNames(joined('flame-names'), settings.names),
			colours: P.decodeColours(joined('flame-colours'), settings.names),
			tree: P.decodeTree(joined('flame-tree'), settings) };
	}

	/* The tree without the stacks that are left out at first (shown.h). */
	function withoutIdle(tree, settings) {
		const self = tree.self.slice();

		for (const [frame, value] of settings.idle.self)
			self[frame] -= value;
		return pyrograph.transform.reweigh(tree, self);
	}

	function open(picture, host = null) {
		const { settings, source, names, colours, tree } = host || read(picture);
		const app = { svg: picture, host: host, settings: settings, source: source, baseNames: names,
			names: names, colours: colours, base: tree, prefix: '' };

		app.withIdle = tree;
		app.withoutIdle = settings.idle ? withoutIdle(tree, settings) : tree;
		app.base = app.withoutIdle;

		if (host) { /* ids refer to elements of this picture only */
			pyrograph.embedded = (pyrograph.embedded || 0) + 1;
			app.prefix = 'flame' + pyrograph.embedded + '-';
		}
		for (const part of PARTS)
			ui[part](app);
		ui.open(app);
		app.panels.forEach((panel) => panel.showRoot());
		return app;
	}

	ui.start((svg) => svg.querySelector('#flame-settings') && open(svg));
	return { open };
})();
