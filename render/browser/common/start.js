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
	if (typeof document === 'undefined') /* a Worker: slow.js */
		return;
	const script = document.currentScript;
	const svg = script && script.ownerSVGElement || document.documentElement;

	pyrograph.ui.script = script;
	for (const e of svg.querySelectorAll('#missing'))
		e.remove();

	/* Two calls: the first requested frame comes before anything is painted. */
	requestAnimationFrame(() => requestAnimationFrame(() => {
		pyrograph.ui.dress();
		run(svg);
	}));
};

/* The style that a script file brings (page_script_file() in render/drawing/page.h): policies let scripts set it. */
pyrograph.ui.dress = () => {
	const { style } = pyrograph;

	if (!style)
		return;
	const sheet = new window.CSSStyleSheet();

	sheet.replaceSync(style);
	document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
	pyrograph.style = '';
};

pyrograph.ui.open = (app) => {
	app.page.open();
	app.links.read();
	app.page.resize();
	if (!app.host)
		app.svg.setAttribute('data-ready', 'true');
	pyrograph.ui.linked(app);
	pyrograph.ui.siblings(app);
};
