/* flame: starts what a flame graph does in a browser.
 *
 * The picture that C drew is on the screen first; then the profile in the file is
 * decoded and the frames are drawn from it, only those that can be seen. */
(function () {
	'use strict';

	const script = document.currentScript, P = pyrograph.profile, ui = pyrograph.ui;
	const svg = script && script.ownerSVGElement || document.documentElement;
	const json = (selector) => {
		const e = svg.querySelector(selector);

		return e ? JSON.parse(e.textContent) : {};
	};
	const joined = (name) => Array.from(svg.querySelectorAll('.' + name), (e) => e.textContent).join('');

	function start() {
		const app = { svg: svg, settings: json('#flame-settings'), source: json('#pyrograph') };
		const settings = app.settings;

		app.baseNames = app.names = P.decodeNames(joined('flame-names'), settings.names);
		app.colours = P.decodeColours(joined('flame-colours'), settings.names);
		app.base = P.decodeTree(joined('flame-tree'), settings);
		ui.view(app);
		ui.slow(app);
		ui.page(app);
		ui.stage(app);
		ui.compare(app);
		ui.tip(app);
		ui.details(app);
		ui.toolbar(app);
		ui.find(app);
		ui.menu(app);
		ui.commands(app);
		ui.actions(app);
		ui.layered(app);
		ui.help(app);
		ui.legend(app);
		ui.save(app);
		ui.export(app);
		ui.keys(app);
		ui.links(app);
		ui.table(app);
		app.page.open();
		app.links.read();
		app.page.resize();
		app.panels.forEach((panel) => panel.showRoot());
		svg.setAttribute('data-ready', 'true');
	}

	/* Twice: the first frame that was asked for ends before anything is painted. */
	requestAnimationFrame(() => requestAnimationFrame(start));
})();
