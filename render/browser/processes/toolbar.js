/* processes_toolbar: the boxes and buttons above the chart, the part of the time that is shown, and the legend. */
pyrograph.ui.processesToolbar = function (app) {
	'use strict';

	const D = pyrograph.ui.dom, { page, settings } = app, { tools, segment, choice } = app.controls;

	app.filterBox = pyrograph.ui.box(app, { name: 'filter', placeholder: 'Filter rows',
		tip: 'Filter by name, a regular expression ( / )', label: 'Filter rows, a regular expression',
		count: () => app.rows.length.toLocaleString('en'), error: () => app.filterError });
	app.searchBox = pyrograph.ui.box(app, { name: 'search', placeholder: 'Search',
		tip: 'Search programs and their arguments: a regular expression (Ctrl+F)',
		label: 'Search, a regular expression',
		count: () => (/([\d,]+) /.exec(app.matchText()) || ['', ''])[1], error: () => app.found &&
			app.found.error });
	tools('View: colours, theme, saving (V)', app.filterBox.element, app.searchBox.element);

	const act = (id, label, content) => D.button(id, label, `${label} (${app.keyText(app.actions[id][0])})`, () =>
		app.act(id), content);
	const buttons = { out: act('out', 'Longer', { icon: 'minus' }), 'in': act('in', 'Shorter', { icon: 'plus' }),
		left: act('left', 'Earlier', { icon: 'back' }), right: act('right', 'Later', { icon: 'forward' }),
		all: act('all', 'The whole time', 'All') };
	const range = D.html('span', { 'class': 'window', role: 'status', 'aria-live': 'polite' });
	const colour = (word, label, tip) => choice(label, tip, () => app.view.colour === word, () =>
		app.setColour(word));

	page.legend.after(D.html('div', { 'class': 'layers controls' }, segment('Time', ...Object.values(buttons)),
		segment('Colours', colour('command', 'Command', 'Colours by command (C)'),
			colour('cpu', 'CPU', 'Colours by share of a CPU (C)'),
			colour('exit', 'Exit', 'Colours by exit status (C)')),
		segment('Table', choice('Sums', 'Sums by command (T)', () => app.view.table, () => app.act('table'))),
		range));
	page.legend.hidden = false;

	app.onchange(() => {
		const { from, to } = app.part;

		range.textContent = app.rangeText(from, to);
		buttons.out.disabled = buttons.all.disabled = app.isWhole();
		buttons.left.disabled = from <= 0;
		buttons.right.disabled = to >= settings.window;
		page.legend.replaceChildren(...app.legend.map(([rgb, words]) => {
			const dot = D.html('span', { 'class': 'dot' });

			dot.style.background = rgb;
			return D.html('span', { 'class': 'legend-item quiet' }, dot, ' ', words);
		}));
	});
};
