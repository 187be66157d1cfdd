/* timeline: starts what a timeline does in a browser.
 *
 * The picture that C drew is on the screen first; then the spans in the file are decoded, and what can be
 * seen of them is drawn anew, as wide as the window. */
(function () {
	'use strict';

	const script = document.currentScript, ui = pyrograph.ui, T = pyrograph.timeline;
	const svg = script && script.ownerSVGElement || document.documentElement;
	const joined = (name) => Array.from(svg.querySelectorAll('.' + name), (e) => e.textContent).join('');
	const PARTS = ['timelineView', 'slow', 'page', 'timelinePanel', 'tip', 'timelineDetails', 'menu', 'commands',
		'timelineActions',
		'timelineToolbar', 'timelineStage', 'help', 'save', 'timelineExport'];

	function start() {
		const settings = JSON.parse(svg.querySelector('#timeline').textContent), { layout } = settings;

		for (const list of [settings.rows, settings.kinds])
			list.forEach((entry) => { entry[0] = T.data.plainName(entry[0]); });
		const app = { svg: svg, clock: T.data.clock(settings),
			settings: Object.assign(settings, { fluid: layout.fluid,
			fontSize: layout.fontSize, fileName: 'timeline', chartName: 'Timeline', rowsWord: settings.byCpu
				? 'CPUs' : 'threads',
			kindsWord: settings.kindsAreStates ? 'states' : settings.byCpu ? 'threads' : 'CPUs' }) };

		app.data = T.data.decode(settings, joined('timeline-stacks'), joined('timeline-spans'));
		for (const part of PARTS)
			ui[part](app);
		ui.history(app, { address: T.address, stay: ['theme', 'safe', 'filter', 'search', 'lit', 'sort'] });
		app.page.open();
		app.links.read();
		app.page.resize();
		svg.setAttribute('data-ready', 'true');
	}

	/* Twice: the first frame that was asked for ends before anything is painted. */
	requestAnimationFrame(() => requestAnimationFrame(start));
})();
