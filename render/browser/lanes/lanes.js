/* lanes: makes a chart of lanes interactive in a browser.
 *
 * At first, the picture that C drew is on the screen; then the values in the file are decoded, and the visible ones are
 * drawn anew, over the whole width of the window. */
(function () {
	'use strict';

	const { ui, lanes: L } = pyrograph;
	const PARTS = ['lanesView', 'slow', 'page', 'foot', 'lanesPanel', 'tip', 'lanesDetails', 'menu', 'commands',
		'controls', 'lanesActions', 'lanesToolbar', 'lanesStage', 'help', 'save', 'lanesExport'];

	ui.start((svg) => {
		const { json, joined } = ui.contents(svg), settings = json('#lanes'), { layout } = settings;
		const app = { svg: svg, clock: pyrograph.clock.make(settings),
			lanes: L.data.decode(settings, joined('lanes-data')),
			settings: Object.assign(settings, { fluid: layout.fluid, fontSize: layout.fontSize,
				fileName: 'lanes', chartName: 'Lanes', rowsWord: 'lanes' }) };

		for (const part of PARTS)
			ui[part](app);
		ui.history(app, { address: L.address, stay: ['theme', 'filter', 'search'] });
		ui.open(app);
	});
})();
