/* start: a chart starts once the picture that C drew is on the screen.
 *
 * pyrograph.ui.contents(svg)  -> { json(selector), joined(className) }: what C left in it for the script
 * pyrograph.ui.start(run)     run(svg), of the SVG that the script stands in
 * pyrograph.ui.open(app)      all its parts are made: it takes the place of what C drew */
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

	/* Twice: the first frame that was asked for ends before anything is painted. */
	requestAnimationFrame(() => requestAnimationFrame(() => run(svg)));
};

pyrograph.ui.open = (app) => {
	app.page.open();
	app.links.read();
	app.page.resize();
	if (!app.host)
		app.svg.setAttribute('data-ready', 'true');
};
