/* timeline: starts what a timeline does in a browser.
 *
 * The picture that C drew is on the screen first; then the spans in the file are decoded,
 * and what can be seen of them is drawn anew, as wide as the window. */
(function () {
	'use strict';

	const script = document.currentScript;
	const svg = script && script.ownerSVGElement || document.documentElement;
	const joined = (name) => Array.from(svg.querySelectorAll('.' + name), (e) => e.textContent).join('');

	/* Dark where it was asked for, or where the reader's window is. */
	function follow(e, theme) {
		const dark = window.matchMedia('(prefers-color-scheme: dark)');
		const apply = (onPaper) => e.classList.toggle('dark', onPaper !== true && (theme === 'dark' || theme === 'auto' && dark.matches));

		dark.addEventListener('change', apply);
		apply();
		return apply;
	}

	/* On paper: in light colours, all rows, no tools and no empty space. */
	function preparePaper(app, recolour) {
		const print = (on) => {
			app.onPaper = on;
			recolour(on);
			app.heighten(on);
			app.drawVisible();
		};

		window.addEventListener('beforeprint', () => print(true));
		window.addEventListener('afterprint', () => print(false));
	}

	/* Phones take a document without it for one made for wide screens. */
	function asWideAsTheScreen() {
		const meta = document.createElementNS('http://www.w3.org/1999/xhtml', 'meta');

		meta.setAttribute('name', 'viewport');
		meta.setAttribute('content', 'width=device-width, initial-scale=1');
		if (document.documentElement === svg)
			svg.prepend(meta);
	}

	function start() {
		const settings = JSON.parse(svg.querySelector('#timeline').textContent);

		for (const list of [settings.rows, settings.kinds])
			list.forEach((entry) => { entry[0] = pyrographTimeline.data.plainName(entry[0]); });
		const app = { svg: svg, settings: settings, clock: pyrographTimeline.data.clock(settings) };

		app.data = pyrographTimeline.data.decode(settings, joined('timeline-stacks'), joined('timeline-spans'));
		svg.classList.add('timeline');
		pyrographTimeline.view(app);
		pyrographTimeline.use(app);
		asWideAsTheScreen();
		app.resize();
		app.draw();
		preparePaper(app, follow(svg, settings.theme));
		app.readAddress();
		window.addEventListener('resize', app.resize);
		document.addEventListener('scroll', () => requestAnimationFrame(app.drawVisible), { passive: true, capture: true });
		svg.setAttribute('data-ready', 'true');
	}

	/* Twice: the first frame that was asked for ends before anything is painted. */
	requestAnimationFrame(() => requestAnimationFrame(start));
})();
