/* flame: starts what a flame graph does in a browser.
 *
 * The picture that C drew is on the screen first; then the profile in the file is
 * decoded and the frames are drawn from it, only those that can be seen.
 *
 * open(svg, host) -> app: a flame graph in the page.  Without host it is that of svg, takes
 *     its place, and its view is in the address.  With one it stands within another
 *     picture, several of them if need be; app.replace (view.js) gives it another profile,
 *     app.links.show(text) another view.  host:
 *         settings, source      as a flame graph's metadata has them
 *         names, colours, tree  as profile.js decodes them
 *         heading               [{ className, text, size }, ...]: its title, then notes
 *         view                  its view at first, as text
 *         place                 the element that it fills
 *         boxes                 an element as large as the host's page, for menus and tips; or null
 *         isDark()              the theme
 *         saved(isStep)         the view has changed: app.view, address.js makes text of it
 *         undo()                the last step, whoever made it -> was there any
 *         leave()               the keys are the host's again
 *         link()                the address of what is shown, or null
 *         viewItems()           what else is in the menu of the view (menu.js)
 * In a flame graph's SVG it starts by itself; in a heat map's it does not. */
pyrograph.flame = (function () {
	'use strict';

	const P = pyrograph.profile, { ui } = pyrograph;
	const PARTS = ['view', 'slow', 'page', 'foot', 'stage', 'compare', 'tip', 'details', 'menu', 'commands',
		'controls', 'toolbar', 'find', 'actions', 'layered', 'help', 'legend', 'save', 'export', 'flameKeys',
		'links', 'table'];

	/* The contents of an SVG. */
	function read(picture) {
		const { json, joined } = ui.contents(picture), settings = json('#flame-settings');

		return { settings: settings, source: json('#pyrograph'),
			names: P.decodeNames(joined('flame-names'), settings.names),
			colours: P.decodeColours(joined('flame-colours'), settings.names),
			tree: P.decodeTree(joined('flame-tree'), settings) };
	}

	function open(picture, host = null) {
		const { settings, source, names, colours, tree } = host || read(picture);
		const app = { svg: picture, host: host, settings: settings, source: source, baseNames: names,
			names: names,
			colours: colours, base: tree, prefix: '' };

		if (host) { /* ids are of this one only */
			pyrograph.embedded = (pyrograph.embedded || 0) + 1;
			app.prefix = 'flame' + pyrograph.embedded + '-';
		}
		for (const part of PARTS)
			ui[part](app);
		ui.open(app);
		app.panels.forEach((panel) => panel.showRoot());
		return app;
	}

	ui.start((svg) => svg.querySelector('#heat') || open(svg));
	return { open };
})();
