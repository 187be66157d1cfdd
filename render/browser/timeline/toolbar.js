/* timeline_toolbar: the boxes and buttons above the chart, the part of the time that is shown, and the legend
 * (a click on it highlights a kind). */
pyrograph.ui.timelineToolbar = function (app) {
	'use strict';

	const D = pyrograph.ui.dom, { page, settings, data } = app, { tools, choice, segment } = app.controls;

	app.filterBox = pyrograph.ui.box(app, { name: 'filter', placeholder: 'Filter ' + settings.rowsWord,
		tip: 'Filter by name, a regular expression ( / )', label: 'Filter ' + settings.rowsWord +
			', a regular expression',
		count: () => app.rows.length.toLocaleString('en'), error: () => app.filterError });
	app.searchBox = pyrograph.ui.box(app, { name: 'search', placeholder: 'Search',
		tip: `Search ${settings.rowsWord} and ${settings.kindsWord}: a regular expression (Ctrl+F)`,
			label: 'Search, a regular expression',
		count: () => (/([\d,]+) /.exec(app.matchText()) || ['', ''])[1], error: () => app.found &&
			app.found.error });
	tools('View: order, colours, theme (V)', app.filterBox.element, app.searchBox.element);

	/* ---- the part that is shown ---- */

	const act = (id, label, content) => D.button(id, label, `${label} (${app.keyText(app.actions[id][0])})`, () =>
		app.act(id), content);
	const buttons = { out: act('out', 'Longer', { icon: 'minus' }), 'in': act('in', 'Shorter', { icon: 'plus' }),
		left: act('left', 'Earlier', { icon: 'back' }), right: act('right', 'Later', { icon: 'forward' }),
			all: act('all', 'The whole time', 'All') };
	const sorted = choice('Busy first', 'Rows that ran longest in this part first (S)',
		() => app.view.sort === 'here', () => app.act('sort'));
	const range = D.html('span', { 'class': 'window', role: 'status', 'aria-live': 'polite' });
	const controls = D.html('div', { 'class': 'layers controls' }, segment('Time', ...Object.values(buttons)),
		segment('Rows', sorted), range);

	page.legend.after(controls);

	/* ---- the legend that C drew ---- */

	const entries = [];

	function entry(kind, colour, text) {
		const [, , , about] = settings.kinds[kind], dot = D.html('span', { 'class': 'dot' });
		const e = D.html('button', { type: 'button', 'class': 'legend-item', 'data-kind': kind,
			'aria-pressed': 'false',
			title: 'Point out ' + settings.kinds[kind][0] + (about ? '\n' + about : ''), onclick: () =>
				app.light(kind) }, dot,
		D.html('span', { 'class': 'legend-text' }, text));

		entries.push([e, dot, kind]);
		return e;
	}

	/* An item is a swatch with its text, which is in it or beside it, or a text alone. */
	function readLegend() {
		/* In charts by CPU the first swatch is that of idle time, which is not a kind. */
		const first = settings.byCpu ? -1 : 0, items = [];
		let kind = first, swatch = null;

		for (const e of app.svg.querySelectorAll('#legend > *')) {
			if (e.localName === 'rect') {
				swatch = e;
				continue;
			}
			if (swatch && kind >= 0 && settings.kinds[kind])
				items.push(entry(kind, swatch.getAttribute('fill'), e.textContent));
			else
				items.push(D.html('span', { 'class': 'legend-item quiet' }, e.textContent));
			kind += swatch ? 1 : 0;
			swatch = null;
		}
		return items;
	}
	const items = readLegend();

	page.legend.hidden = !items.length;
	page.legend.replaceChildren(...items);
	app.light = (kind) => app.touch({ lit: app.lit === kind ? null : settings.kinds[kind][0] });
	Object.defineProperty(app, 'legend', { get: () =>
		entries.map(([, , kind]) => [app.colourOf(kind), settings.kinds[kind][0]]) });

	app.onchange(() => {
		const { from, to } = app.part;

		range.textContent = app.rangeText(from, to);
		buttons.out.disabled = buttons.all.disabled = app.isWhole();
		buttons.left.disabled = from <= 0;
		buttons.right.disabled = to >= settings.window;
		sorted.disabled = data.rows < 2;
		for (const [e, dot, kind] of entries) {
			e.setAttribute('aria-pressed', String(kind === app.lit));
			dot.style.background = app.colourOf(kind);
		}
	});
};
