/* rows_toolbar: boxes and buttons above rows over time, and words for the shown part of the time.
 *
 * pyrograph.ui.rowsToolbar(app, { searched, tip, segments }):
 *     searched   what a search looks at, in words
 *     tip        of the view menu's button
 *     segments   the chart's own buttons (controls.js), beside those of time
 * Makes app.filterBox and app.searchBox.  The chart has now.rows, now.found, now.filterError, app.part (time_part.js),
 * app.details.matchText(); settings.rowsWord is what its rows are called. */
pyrograph.ui.rowsToolbar = function (app, how) {
	'use strict';

	const D = pyrograph.ui.dom, { page, settings, now } = app, { tools, segment } = app.controls;
	const { searched, tip, segments } = how;

	app.filterBox = pyrograph.ui.box(app, { name: 'filter', placeholder: 'Filter ' + settings.rowsWord,
		tip: 'Filter by name, a regular expression ( / )',
		label: `Filter ${settings.rowsWord}, a regular expression`,
		count: () => now.rows.length.toLocaleString('en'), error: () => now.filterError });
	app.searchBox = pyrograph.ui.box(app, { name: 'search', placeholder: 'Search',
		tip: `Search ${searched}: a regular expression (Ctrl+F)`, label: 'Search, a regular expression',
		count: () => (/([\d,]+) /.exec(app.details.matchText()) || ['', ''])[1], error: () => now.found &&
			now.found.error });
	tools(tip, app.filterBox.element, app.searchBox.element);

	const act = (id, label, content) => D.button(id, label, `${label} (${app.keyText(app.actions[id][0])})`, () =>
		app.act(id), content);
	const buttons = { out: act('out', 'Longer', { icon: 'minus' }), 'in': act('in', 'Shorter', { icon: 'plus' }),
		left: act('left', 'Earlier', { icon: 'back' }), right: act('right', 'Later', { icon: 'forward' }),
		all: act('all', 'The whole time', 'All') };
	const range = D.html('span', { 'class': 'window', role: 'status', 'aria-live': 'polite' });

	page.legend.after(D.html('div', { 'class': 'layers controls' }, segment('Time', ...Object.values(buttons)),
		...segments, range));

	app.onchange(() => {
		const { from, to } = app.part;

		range.textContent = app.part.text(from, to);
		buttons.out.disabled = buttons.all.disabled = app.part.isWhole();
		buttons.left.disabled = from <= 0;
		buttons.right.disabled = to >= settings.window;
	});
};
