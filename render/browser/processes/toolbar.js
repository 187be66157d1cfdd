/* processes_toolbar: the boxes and buttons above the chart, the part of the time that is shown, and the legend. */
pyrograph.ui.processesToolbar = function (app) {
	'use strict';

	const D = pyrograph.ui.dom, { page } = app, { segment, choice } = app.controls;
	const colour = (word, label, tip) => choice(label, tip, () => app.view.colour === word, () =>
		app.touch({ colour: word }));

	pyrograph.ui.rowsToolbar(app, { searched: 'programs and their arguments',
		tip: 'View: colours, theme, saving (V)', segments: [segment('Colours',
			colour('command', 'Command', 'Colours by command (C)'),
			colour('cpu', 'CPU', 'Colours by share of a CPU (C)'),
			colour('exit', 'Exit', 'Colours by exit status (C)')),
		segment('Table', choice('Sums', 'Sums by command (T)', () => app.view.table, () => app.act('table')))]
	});
	page.legend.hidden = false;

	app.onchange(() => {
		page.legend.replaceChildren(...app.now.legend().map(([rgb, words]) => {
			const dot = D.html('span', { 'class': 'dot' });

			dot.style.background = rgb;
			return D.html('span', { 'class': 'legend-item quiet' }, dot, ' ', words);
		}));
	});
};
