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
		const apply = () => e.classList.toggle('dark', theme === 'dark' || theme === 'auto' && dark.matches);

		dark.addEventListener('change', apply);
		apply();
	}

	function start() {
		const settings = JSON.parse(svg.querySelector('#timeline').textContent);

		for (const list of [settings.rows, settings.kinds])
			list.forEach((entry) => { entry[0] = pyrographTimeline.data.plainName(entry[0]); });
		const app = { svg: svg, settings: settings, clock: pyrographTimeline.data.clock(settings) };

		app.data = pyrographTimeline.data.decode(settings, joined('timeline-stacks'), joined('timeline-spans'));
		svg.classList.add('timeline');
		follow(svg, settings.theme);
		pyrographTimeline.view(app);
		pyrographTimeline.use(app);
		app.resize();
		app.draw();
		app.readAddress();
		window.addEventListener('resize', app.resize);
		document.addEventListener('scroll', () => requestAnimationFrame(app.drawVisible), { passive: true, capture: true });
		svg.setAttribute('data-ready', 'true');
	}

	/* Twice: the first frame that was asked for ends before anything is painted. */
	requestAnimationFrame(() => requestAnimationFrame(start));
})();
