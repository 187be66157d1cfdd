/* legend: what the colours of a flame graph mean. */
pyrograph.ui.legend = function (app) {
	'use strict';

	const D = pyrograph.ui.dom;

	app.onchange(() => {
		const { waits, wall, legend } = app.settings, scheme = app.schemeOf(app.tree);
		const drawn = app.colourMode() === 'name' && !waits && !wall && legend;

		app.legend = !drawn || !drawn.length ? scheme.legend : !app.view.safe ? drawn
			: drawn.map(([colour, label]) => [pyrograph.colour.safeColour(colour), label]);
		app.page.legend.hidden = !app.legend.length;
		app.page.legend.replaceChildren(scheme.scale ? D.html('span', { 'class': 'quiet' }, scheme.scale) : '',
			...app.legend.map(([colour, label]) => {
				const dot = D.html('span', { 'class': 'dot' });

				dot.style.background = colour;
				return D.html('span', { 'class': label ? 'legend-item' : 'legend-item joined' }, dot,
					label);
			}));
	});
};
