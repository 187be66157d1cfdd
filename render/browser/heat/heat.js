/* heat: starts what a heat map does in a browser.
 *
 * The picture that C drew is on the screen first; then the events in the file are decoded,
 * and what can be seen of them is counted and drawn from there. */
(function () {
	'use strict';

	const script = document.currentScript, heat = pyrograph.heat, ui = pyrograph.ui;
	const svg = script && script.ownerSVGElement || document.documentElement;
	const joined = (name) => Array.from(svg.querySelectorAll('.' + name), (e) => e.textContent).join('');
	const json = (selector) => {
		const e = svg.querySelector(selector);

		return e ? JSON.parse(e.textContent) : {};
	};
	const PARTS = [[heat, 'app'], [heat, 'page'], [ui, 'slow'], [ui, 'tip'], [ui, 'menu'], [ui, 'commands'],
		[heat, 'cells'],
		[heat, 'view'], [heat, 'marks'], [heat, 'hover'], [heat, 'stage'], [heat, 'keys'], [heat, 'aside'],
			[heat, 'actions'], [heat, 'toolbar'],
		[heat, 'legend'], [heat, 'details'], [ui, 'help'], [ui, 'save'], [heat, 'lines'], [heat, 'export'],
			[heat, 'flame'], [heat, 'links']];

	/* Phones take a document without it for one made for wide screens. */
	function asWideAsTheScreen() {
		if (svg === document.documentElement)
			svg.prepend(ui.dom.html('meta', { name: 'viewport',
				content: 'width=device-width, initial-scale=1' }));
	}

	function start() {
		const app = { svg: svg, settings: json('#heat'), source: json('#pyrograph') };

		app.settings.fontSize = app.settings.fontSize || 12;
		app.settings.fileName = 'heat-map';
		app.settings.chartName = 'Heat map';
		app.data = heat.data.decode(app.settings, { names: joined('flame-names'),
			colours: joined('flame-colours'),
			tree: joined('flame-tree'), stacks: joined('heat-stacks'), events: joined('heat-events') });
		asWideAsTheScreen();
		requestAnimationFrame(() => open(app)); /* now that the window knows */
	}

	function open(app) {
		for (const [where, part] of PARTS) {
			const made = where[part](app);

			if (part === 'flame')
				app.page.flame.append((app.flame = made || app.flame).element);
		}
		app.page.open();
		app.links.read();
		app.page.resize();
		svg.setAttribute('data-ready', 'true');
	}

	/* Twice: the first frame that was asked for ends before anything is painted. */
	requestAnimationFrame(() => requestAnimationFrame(start));
})();
