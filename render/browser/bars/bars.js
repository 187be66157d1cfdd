/* bars: starts what a chart of bars does in a browser.
 *
 * At first, the picture that C drew is on the screen; then the rows in the file are decoded, and the visible ones are
 * drawn. */
(function () {
	'use strict';

	const { ui } = pyrograph;
	const TABLE_FROM = 720; /* width in px from which the table of contenders is open at first, as in C */
	const WORDS = {
		states: { chartName: 'Scheduler states' },
		tenancy: { chartName: 'CPU tenancy' },
	};
	const HEADS = { cpu: 'CPU', state: 'State', thread: 'Thread' };
	const PARTS = ['barsView', 'slow', 'page', 'foot', 'barsPanel', 'tip', 'barsDetails', 'menu', 'commands',
		'controls', 'barsActions', 'barsToolbar', 'barsAside', 'barsStage', 'help', 'save', 'barsExport'];

	/* "State", taken from the roots "thread,state,by". */
	function kindHead(roots) {
		const last = (roots || '').split(',').filter((root) => root !== 'by').pop();

		return HEADS[last] || last || 'Kind';
	}

	ui.start((svg) => {
		if (!svg.querySelector('#bars'))
			return;
		const data = ui.contents(svg).json('#bars'), layout = data.layout || {};
		const app = { svg: svg, base: pyrograph.bars.model.decode(data) };
		const many = data.many || 'threads';

		app.settings = Object.assign({ fontSize: Number(svg.getAttribute('font-size')) || 12,
			fluid: layout.fluid !== false,
			rowHeight: layout.row_height || 20, fileName: data.kind, noteHeading: data.note_heading || '',
			theme: data.theme || 'auto', safe: Boolean(data.safe),
			longest: data.color_by === 'longest', table: window.innerWidth >= TABLE_FROM,
			rowsWord: many,
			kindHead: kindHead(data.roots), rowsName: many, rowsHead: many.charAt(0).toUpperCase() +
				many.slice(1) }, WORDS[data.kind]);
		app.hasRunnable = app.base.kinds.some((kind) => kind.group === pyrograph.bars.model.RUNNABLE);
		for (const part of PARTS)
			ui[part](app);
		ui.history(app, { address: pyrograph.bars.address, stay: ['theme', 'safe', 'longest'] });
		ui.open(app);
	});
})();
