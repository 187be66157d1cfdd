/* processes_export: the view as a picture without script, and the folded lines of the part that is shown. */
pyrograph.ui.processesExport = function (app) {
	'use strict';

	const { data, settings, details, now } = app, NS_PER_SEC = 1000000000n;

	/* The changes to the view, in words. */
	const said = () => [app.part.isWhole() ? '' : app.part.text(app.part.from, app.part.to),
		app.view.filter.pattern && !now.filterError ? 'Filter: ' + app.view.filter.pattern + ', ' +
			details.countText() : '',
		now.found && !now.found.error ? 'Search: ' + app.view.search.pattern + ', ' + details.matchText() : ''];

	pyrograph.ui.picture.ofRows(app, { said, legend: now.legend });

	/* The lines of spans that reach into the part, uncut. */
	const foldedText = () => {
		const { from, to } = app.part, start = BigInt(settings.start), out = [];

		for (const row of now.rows) {
			const { first, end } = data.rows[row];

			for (let i = data.first[first]; i < data.first[end]; i++) {
				const moment = start + BigInt(data.start[i]);

				if (data.start[i] >= to || data.start[i] + data.time[i] < from)
					continue;
				out.push([data.start[i], `@${moment / NS_PER_SEC}.` +
					String(moment % NS_PER_SEC).padStart(9, '0') +
					` ${settings.names[data.name[i]][0]}-${data.pid[data.of[i]]};` +
					`ppid:${data.parent[i]};${settings.kinds[data.kind[i]]};${data.args[i]} ` +
					`${data.time[i]} 1 ${data.cpuOf[i]} ${data.peak[i]}\n`]);
			}
		}
		return pyrograph.folded.header(settings.source || {}) +
			out.sort((a, b) => a[0] - b[0]).map(([, text]) => text).join('');
	};
	const copyFolded = () => app.copy(foldedText(), 'folded lines of this part');
	app.export = { copyFolded };
};
