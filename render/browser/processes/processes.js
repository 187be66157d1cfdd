/* processes: makes a picture of processes interactive in a browser.
 *
 * At first, the picture that C drew is on the screen; then the spans in the file are decoded, and the visible ones are
 * drawn anew, over the whole width of the window. */
(function () {
	'use strict';

	const { ui, processes: P } = pyrograph;
	const PARTS = ['processesView', 'slow', 'page', 'foot', 'processesPanel', 'tip', 'processesDetails', 'menu',
		'commands', 'controls', 'processesActions', 'processesToolbar', 'processesAside', 'processesStage',
		'help', 'save', 'processesExport'];

	ui.start((svg) => {
		const { json, joined } = ui.contents(svg), settings = json('#processes'), { layout } = settings;
		const app = { svg: svg, clock: pyrograph.clock.make(settings),
			data: P.data.decode(settings, joined('processes-data')),
			settings: Object.assign(settings, { fluid: layout.fluid, fontSize: layout.fontSize,
				fileName: 'processes', chartName: 'Processes', rowsWord: 'rows' }) };

		for (const part of PARTS)
			ui[part](app);
		ui.history(app, { address: P.address, stay: ['theme', 'filter', 'search', 'colour', 'table',
			'quiet'] });
		ui.open(app);
	});
})();
