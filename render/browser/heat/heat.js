/* heat: makes a heat map interactive in a browser.
 *
 * At first, the picture that C drew is on the screen; then the events in the file are decoded, and the visible ones are
 * counted and drawn. */
(function () {
	'use strict';

	const { heat, ui } = pyrograph;
	const PARTS = [[ui, 'slow'], [ui, 'foot'], [ui, 'tip'], [ui, 'menu'], [ui, 'commands'], [ui, 'controls'],
		[heat, 'cells'], [heat, 'view'], [heat, 'marks'], [heat, 'hover'], [heat, 'stage'], [heat, 'lanes'],
		[heat, 'keys'], [heat, 'aside'], [heat, 'actions'], [heat, 'toolbar'], [heat, 'legend'],
		[heat, 'details'], [ui, 'help'], [ui, 'save'], [heat, 'lines'], [heat, 'export'], [heat, 'flame'],
		[heat, 'links']];

	/* The lanes below the map, or null. */
	function lanesOf(json, joined, { origin }) {
		const settings = json('#heat-lanes');

		return !settings.rows ? null : { settings, shift: Number(BigInt(settings.start) - BigInt(origin)),
			lanes: pyrograph.lanes.data.decode(settings, joined('lanes-data')) };
	}

	function open(app) {
		for (const [where, part] of PARTS)
			where[part](app);
		ui.open(app);
	}

	ui.start((svg) => {
		const { json, joined } = ui.contents(svg), app = { svg: svg, settings: json('#heat'),
			source: json('#pyrograph'), escClears: true };

		Object.assign(app.settings, { fontSize: app.settings.fontSize || 12, fileName: 'heat-map',
			chartName: 'Heat map' });
		app.data = heat.data.decode(app.settings, { names: joined('flame-names'),
			colours: joined('flame-colours'), tree: joined('flame-tree'), stacks: joined('heat-stacks'),
			events: joined('heat-events') });
		app.lanes = lanesOf(json, joined, app.settings);
		heat.app(app);
		heat.page(app);
		requestAnimationFrame(() => open(app)); /* only now does the window know its width on a phone */
	});
})();
