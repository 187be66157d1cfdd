/* lanes_toolbar: the boxes and buttons above the chart, and the part of the time that is shown. */
pyrograph.ui.lanesToolbar = function (app) {
	'use strict';

	const D = pyrograph.ui.dom, { page, settings } = app, { tools, segment } = app.controls;

	app.filterBox = pyrograph.ui.box(app, { name: 'filter', placeholder: 'Filter lanes',
		tip: 'Filter by name, a regular expression ( / )', label: 'Filter lanes, a regular expression',
		count: () => app.rows.length.toLocaleString('en'), error: () => app.filterError });
	app.searchBox = pyrograph.ui.box(app, { name: 'search', placeholder: 'Search',
		tip: 'Search lanes: a regular expression (Ctrl+F)', label: 'Search, a regular expression',
		count: () => (/([\d,]+) /.exec(app.matchText()) || ['', ''])[1], error: () => app.found &&
			app.found.error });
	tools('View: theme, saving (V)', app.filterBox.element, app.searchBox.element);

	const act = (id, label, content) => D.button(id, label, `${label} (${app.keyText(app.actions[id][0])})`, () =>
		app.act(id), content);
	const buttons = { out: act('out', 'Longer', { icon: 'minus' }), 'in': act('in', 'Shorter', { icon: 'plus' }),
		left: act('left', 'Earlier', { icon: 'back' }), right: act('right', 'Later', { icon: 'forward' }),
		all: act('all', 'The whole time', 'All') };
	const range = D.html('span', { 'class': 'window', role: 'status', 'aria-live': 'polite' });

	page.legend.after(D.html('div', { 'class': 'layers controls' }, segment('Time', ...Object.values(buttons)),
		range));

	app.onchange(() => {
		const { from, to } = app.part;

		range.textContent = app.rangeText(from, to);
		buttons.out.disabled = buttons.all.disabled = app.isWhole();
		buttons.left.disabled = from <= 0;
		buttons.right.disabled = to >= settings.window;
	});
};
