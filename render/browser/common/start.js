/* start: a chart starts once the picture that C drew is on the screen.
 *
 * pyrograph.ui.contents(svg)  -> { json(selector), joined(className) }: what C put into the SVG for the script
 * pyrograph.ui.start(run)     calls run(svg) with the SVG that contains the script
 * pyrograph.ui.open(app)      called when all parts are made: the page takes the place of what C drew */
pyrograph.ui.contents = (svg) => ({
	json: (selector) => {
		const e = svg.querySelector(selector);

		return e ? JSON.parse(e.textContent) : {};
	},
	joined: (name) => Array.from(svg.querySelectorAll('.' + name), (e) => e.textContent).join(''),
});

pyrograph.ui.start = (run) => {
	const script = document.currentScript;
	const svg = script && script.ownerSVGElement || document.documentElement;

	/* Two calls: the first requested frame comes before anything is painted. */
	requestAnimationFrame(() => requestAnimationFrame(() => run(svg)));
};

pyrograph.ui.open = (app) => {
	app.page.open();
	app.links.read();
	app.page.resize();
	if (!app.host)
		app.svg.setAttribute('data-ready', 'true');
};
