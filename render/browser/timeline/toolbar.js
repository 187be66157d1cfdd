/* timeline_toolbar: the boxes and buttons above the chart, the part of the time that is shown, and the legend
 * (a click on it highlights a kind). */
pyrograph.ui.timelineToolbar = function (app) {
	'use strict';

	const D = pyrograph.ui.dom, { page, settings, data, now } = app, { choice, segment } = app.controls;
	const sorted = choice('Busy first', 'Rows that ran longest in this part first (S)',
		() => app.view.sort === 'here', () => app.act('sort'));

	pyrograph.ui.rowsToolbar(app, { searched: `${settings.rowsWord} and ${settings.kindsWord}`,
		tip: 'View: order, colours, theme (V)', segments: [segment('Rows', sorted),
			app.flame.canBe() && segment('Flame graph', choice('Flame graph',
				'Flame graph of this part and of the chosen row (I)', () => app.view.flame !== null,
				app.flame.toggle))].filter(Boolean) });

	/* ---- the legend that C drew ---- */

	const entries = [];

	function entry(kind, colour, text) {
		const [, , , about] = settings.kinds[kind], dot = D.html('span', { 'class': 'dot' });
		const e = D.html('button', { type: 'button', 'class': 'legend-item', 'data-kind': kind,
			'aria-pressed': 'false',
			title: 'Highlight ' + settings.kinds[kind][0] + (about ? '\n' + about : ''), onclick: () =>
				light(kind) }, dot,
		D.html('span', { 'class': 'legend-text' }, text));

		entries.push([e, dot, kind]);
		return e;
	}

	/* An item is a swatch with its text, inside or beside it; or only a text. */
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
	const light = (kind) => app.touch({ lit: now.lit === kind ? null : settings.kinds[kind][0] });
	app.toolbar = { light, legend: () =>
		entries.map(([, , kind]) => [now.colourOf(kind), settings.kinds[kind][0]]) };

	app.onchange(() => {
		sorted.disabled = data.rows < 2;
		for (const [e, dot, kind] of entries) {
			e.setAttribute('aria-pressed', String(kind === now.lit));
			dot.style.background = now.colourOf(kind);
		}
	});
};
