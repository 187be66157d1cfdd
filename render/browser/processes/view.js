/* processes_view: what is shown, and everything that follows from that.
 *
 * app.view is the view of address.js; app.part (time_part.js) and app.now follow from it:
 *   app.now.rows     numbers of the rows that are shown, in order
 *   app.now.found    null, or what the search finds: { spans, rows: Uint8Arrays by number, count, error }
 *   app.now.cursor   the row that the keys are at, or null
 * app.now.colourOf(span) -> the colour of a span; app.now.legend() -> [[colour, label], ...] */
pyrograph.ui.processesView = function (app) {
	'use strict';

	const { data, settings } = app, S = pyrograph.search, LEAST_NS = 1000, LEGEND = 10;
	const NONE = '#c8ccd2', RIGHT = '#9fd39a', WRONG = '#d0362a', SIGNAL = '#8e44ad', GOES_ON = '#b9cfe4',
		STEPS = ['#dbe4ee', '#b5d0c9', '#f3d98b', '#f0a860', '#d9593d'];
	const distinct = Array.from(new Set(data.args)), numberOf = new Map(distinct.map((text, i) => [text, i]));
	const argsOf = Uint32Array.from(data.args, (text) => numberOf.get(text));

	app.view = pyrograph.processes.address.emptyView();
	const now = app.now = { cursor: null };

	function find({ pattern, ignoreCase }) {
		const spans = new Uint8Array(data.spans), rows = new Uint8Array(data.rows.length);
		let count = 0;

		if (!pattern)
			return null;
		const [names, args] = [data.names, distinct].map((texts) => S.matcher(texts, pattern, ignoreCase));

		if (!names.match || !args.match)
			return { spans, rows, count, error: names.error || args.error };
		for (let i = 0; i < data.spans; i++) {
			spans[i] = names.match[data.name[i]] || args.match[argsOf[i]] ? 1 : 0;
			count += spans[i];
			if (spans[i])
				rows[data.row[data.of[i]]] = 1;
		}
		return { spans, rows, count, error: null };
	}

	pyrograph.ui.timePart(app, LEAST_NS);
	pyrograph.ui.state(app, () => {
		const { filter, search } = app.view;
		const { match, error } = S.matcher(data.rows.map(({ name }) => name), filter.pattern,
			filter.ignoreCase);

		app.part.take();
		now.filterError = error;
		now.rows = Array.from(data.rows.keys()).filter((row) => match ? match[row]
			: app.view.quiet || !data.rows[row].quiet);
		now.found = find(search);
		if (!now.rows.includes(now.cursor))
			now.cursor = null;
	});

	/* ---- colours ---- */

	const shareStep = (span) => Math.min(STEPS.length - 1, Math.floor(data.cpuOf[span] /
		Math.max(1, data.time[span]) * STEPS.length));

	function exitColour({ ended, signal, wrong }) {
		return signal ? SIGNAL : wrong ? WRONG : ended === 'exit:0' ? RIGHT : ended === 'exec' ? GOES_ON : NONE;
	}
	now.colourOf = (span) => app.view.colour === 'cpu' ? STEPS[shareStep(span)]
		: app.view.colour === 'exit' ? exitColour(data.kinds[data.kind[span]])
			: settings.names[data.name[span]][1];

	/* Before its exec, a process is a copy of its parent. */
	now.isPale = (span) => data.kinds[data.kind[span]].begun === 'fork';

	const mostFirst = pyrograph.processes.data.totals(data, 0, Infinity).sort((a, b) => b.cpu - a.cpu ||
		a.name - b.name);

	now.legend = () => [...app.view.colour === 'cpu' ? STEPS.map((colour, i) =>
		[colour, i === STEPS.length - 1 ? `${i * 20} % of a CPU or more` : `${i * 20} %`])
		: app.view.colour === 'exit' ? [[RIGHT, 'exit 0'], [WRONG, 'another exit status'], [SIGNAL, 'a signal'],
			[GOES_ON, 'goes on in another program'], [NONE, 'did not end']]
			: mostFirst.slice(0, LEGEND).map(({ name }) => [settings.names[name][1], data.names[name]]),
	...settings.path.length ? [[now.PATH, 'critical path: what was waited for']] : []];
	now.PATH = '#b0127b'; /* as C draws it */

	now.standsOut = (span) => !now.found || Boolean(now.found.error) || Boolean(now.found.spans[span]);
	app.resetAll = () => app.step(Object.assign(pyrograph.processes.address.emptyView(),
		{ theme: app.view.theme }));
};
