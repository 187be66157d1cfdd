/* lanes_export: the view as a picture without script, and the folded lines of the part that is shown. */
pyrograph.ui.lanesExport = function (app) {
	'use strict';

	const { lanes, settings, details, now } = app, NS_PER_SEC = 1000000000n;

	/* The changes to the view, in words. */
	const said = () => [app.part.isWhole() ? '' : app.part.text(app.part.from, app.part.to),
		app.view.filter.pattern && !now.filterError ? 'Filter: ' + app.view.filter.pattern + ', ' +
			details.countText()
			: '',
		now.found && !now.found.error ? 'Search: ' + app.view.search.pattern + ', ' + details.matchText() : ''];

	pyrograph.ui.picture.ofRows(app, { said, legend: () => [] });

	/* ---- folded lines ---- */

	/* 1725 with two decimals: "17.25" */
	function decimalText(value, decimals) {
		const digits = String(value).padStart(decimals + 1, '0'), at = digits.length - decimals;

		return (digits.slice(0, at) + '.' + digits.slice(at)).replace(/\.?0*$/, decimals ? ''
			: '$&').replace(/\.$/, '');
	}

	/* The lanes that are shown, with their limits and drops. */
	function lanesKept() {
		const kept = new Set(now.rows);

		for (const lane of now.rows) {
			kept.add(lanes[lane].limit);
			kept.add(lanes[lane].drops);
		}
		kept.delete(-1);
		return Array.from(kept).sort((a, b) => a - b);
	}

	const foldedText = () => {
		const { from, to } = app.part, kept = lanesKept(), out = [], start = BigInt(settings.start);

		for (const number of kept) {
			const { name, time, value, decimals } = lanes[number];

			time.forEach((ns, i) => {
				const moment = start + BigInt(ns);

				if (ns >= from && ns < to)
					out.push([ns, `@${moment / NS_PER_SEC}.` +
						String(moment % NS_PER_SEC).padStart(9, '0') +
						` ${name} ${decimalText(value[i], decimals)}\n`]);
			});
		}
		return pyrograph.folded.header(settings.source || {}) + kept.filter((lane) =>
			lanes[lane].unit).map((lane) =>
			`# lane: unit=${lanes[lane].unit} name=${lanes[lane].name}\n`).join('') +
			out.sort((a, b) => a[0] - b[0]).map(([, text]) => text).join('');
	};
	const copyFolded = () => app.copy(foldedText(), 'folded lines of this part');
	app.export = { copyFolded };
};
