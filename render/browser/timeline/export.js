/* timeline_export: the view as a picture without script, and the folded lines of the part that is shown. */
pyrograph.ui.timelineExport = function (app) {
	'use strict';

	const { data, settings, details, now } = app, NS_PER_SEC = 1000000000n;

	/* The changes to the view, in words. */
	const said = () => [app.part.isWhole() ? '' : app.part.text(app.part.from, app.part.to),
		app.view.filter.pattern && !now.filterError ? 'Filter: ' + app.view.filter.pattern + ', ' +
			details.countText() : '',
		now.found && !now.found.error ? 'Search: ' + app.view.search.pattern + ', ' + details.matchText() : '',
		now.lit >= 0 ? 'Pointed out: ' + settings.kinds[now.lit][0] : ''];

	pyrograph.ui.picture.ofRows(app, { said, legend: app.toolbar.legend });

	/* ---- folded lines ---- */

	/* The folded lines.  A span that reaches beyond the shown part is cut at its end, as collapse --from
	 * --to does. */
	function lines() {
		const { from, to } = app.part, out = [], start = BigInt(settings.start), source = settings.source || {};
		const columns = (source.columns || 'time').split(',').slice(1);

		for (const row of now.rows) {
			const [first, end] = pyrograph.timeline.raster.between(data, row, from, to);

			for (let i = first; i < end; i++) {
				const a = Math.max(from, data.start[i]),
					ns = Math.min(to, data.start[i] + data.time[i]) - a;
				const more = data.more.get(i) || { count: 1, longest: data.time[i], migrations: 0 };
				const values = columns.filter((key) => key in more).map((key) => ' ' +
					(key === 'longest' ? Math.min(ns, more.longest) : more[key]));
				const moment = start + BigInt(a);

				out.push([a, `@${moment / NS_PER_SEC}.` + String(moment % NS_PER_SEC).padStart(9, '0') +
					` ${data.lineOf(data.stack[i])} ${ns}` +
					values.join('') + '\n']);
			}
		}
		for (const row of now.rows)
			addSamples(out, row, from, to, columns);
		return out.sort((a, b) => a[0] - b[0]).map(([, text]) => text);
	}

	/* Samples take no time. */
	function addSamples(out, row, from, to, columns) {
		const { at, stack, first } = data.samples, start = BigInt(settings.start);
		const values = ['time', ...columns].map((key) => key === 'count' ? ' 1' : ' 0').join('');

		for (let i = first[row]; i < first[row + 1]; i++) {
			const moment = start + BigInt(at[i]);

			if (at[i] >= from && at[i] < to)
				out.push([at[i], `@${moment / NS_PER_SEC}.` +
					String(moment % NS_PER_SEC).padStart(9, '0') +
					` ${data.lineOf(stack[i])}${values}\n`]);
		}
	}

	const foldedText = () => pyrograph.folded.header(settings.source || {}) + lines().join('');
	const copyFolded = () => app.copy(foldedText(), 'folded lines of this part');
	app.export = { copyFolded };
};
