/* timeline: makes a timeline interactive in a browser.
 *
 * At first, the picture that C drew is on the screen; then the spans in the file are decoded, and the visible ones are
 * drawn anew, over the whole width of the window. */
(function () {
	'use strict';

	const { ui, timeline: T } = pyrograph;
	const PARTS = ['timelineView', 'slow', 'page', 'foot', 'timelinePanel', 'timelineFlame', 'tip',
		'timelineDetails', 'menu', 'commands', 'controls',
		'timelineActions', 'timelineToolbar', 'timelineStage', 'help', 'save',
		'timelineExport'];

	ui.start((svg) => {
		if (!svg.querySelector('#timeline'))
			return;
		const { json, joined } = ui.contents(svg), settings = json('#timeline'), { layout } = settings;

		for (const list of [settings.rows, settings.kinds])
			list.forEach((entry) => { entry[0] = pyrograph.profile.plainName(entry[0]); });
		const app = { svg: svg, clock: pyrograph.clock.make(settings),
			settings: Object.assign(settings, { fluid: layout.fluid, fontSize: layout.fontSize,
				fileName: 'timeline', chartName: 'Timeline',
				rowsWord: settings.byCpu ? 'CPUs' : 'threads',
				kindsWord: settings.kindsAreStates ? 'states'
					: settings.byCpu ? 'threads' : 'CPUs' }) };

		app.data = T.data.decode(settings, joined('timeline-stacks'), joined('timeline-spans'),
			joined('timeline-traces'), joined('timeline-samples'));
		for (const part of PARTS)
			ui[part](app);

		/* The view of an address, in which a moment becomes a part of the time. */
		function decode(text) {
			const view = T.address.decode(text);
			const at = view.at === null ? null : app.clock.fromEpoch(view.at);

			if (at !== null && at > -1e6 && at < settings.window) {
				const [from, to] = T.moment.around(settings, app.data, at);

				view.from = app.clock.epoch(Math.max(0, from));
				view.to = app.clock.epoch(Math.min(settings.window, to));
			}
			return Object.assign(view, { at: null });
		}
		ui.history(app, { address: { encode: T.address.encode, decode }, stay: ['theme', 'safe',
			'filter', 'search', 'lit', 'sort', 'flame', 'idle'] });
		ui.open(app);
	});
})();
