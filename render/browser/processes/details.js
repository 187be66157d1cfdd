/* processes_details: the words about a process, in the box beside the pointer, in the line below the chart, and for
 * screen readers. */
pyrograph.ui.processesDetails = function (app) {
	'use strict';

	const D = pyrograph.ui.dom, N = pyrograph.number, P = pyrograph.processes.data;
	const { data, settings, clock, tip, foot, now } = app, NEAR_PX = 3, ARGS_MOST = 600;
	const notes = Array.from(app.svg.querySelectorAll('#details text'), (e) => e.textContent).join(' ');
	const sizeText = (bytes) => N.valueText({ unit: 'bytes', decimals: 0, factor: 1 }, bytes);

	/* The span at a place of a row, or the nearest one within some pixels; -1: none.  A failed exec takes no time,
	 * so it takes precedence over the spans around it. */
	const spanAt = ({ row, lane, ns, perPx }) => {
		const { first, end } = data.rows[row], near = NEAR_PX * (perPx || 1);
		let best = -1, away = near;

		for (let p = first; p < end; p++) {
			if (data.lane[p] !== lane || data.end[p] < ns - near || data.begin[p] > ns + near)
				continue;
			for (let i = data.first[p]; i < data.first[p + 1]; i++) {
				const to = data.start[i] + data.time[i];
				const far = ns < data.start[i] ? data.start[i] - ns : ns > to ? ns - to : 0;

				if (data.kinds[data.kind[i]].failed && far <= near / 2)
					return i;
				if (far < away || (best < 0 && far <= away)) {
					best = i;
					away = far;
				}
			}
		}
		return best;
	};

	const BEGUN = { before: 'there before the recording', fork: 'a copy of its parent', exec: 'executed' };

	function endText({ ended }) {
		return ended === 'exec' ? 'executed another program' : ended === 'runs' ? 'did not end'
			: ended === 'lost' ? 'its end was not seen' : ended === '-' ? '' : ended.replace(':', ' ');
	}

	/* The words about a span: { title, args, notes: [text, ...], figures: [[label, text], ...] } */
	const tell = (i) => {
		const p = data.of[i], kind = data.kinds[data.kind[i]], up = P.parentOf(data, i), time = data.time[i];
		const title = `${data.names[data.name[i]]} ${data.pid[p]}`, args = data.args[i];
		const from = up < 0 ? `pid ${data.parent[i]}` : `${data.names[data.nameOf(up)]} ${data.pid[up]}`;
		const waited = (data.path.get(p) || []).reduce((sum, [a, b]) => sum + b - a, 0);

		if (kind.failed)
			return { title, args, notes: ['could not execute this: ' + kind.begun.slice(7),
				`at ${clock.text(data.start[i], 6)}${clock.zone}`], figures: [['parent', from]] };
		return { title, args, notes: [`${clock.text(data.start[i], 6)}${clock.zone}, ` +
			`${N.durationText(time)}, ${BEGUN[kind.begun] || kind.begun}`],
		figures: [['end', endText(kind) + (kind.awaited ? ', awaited by its parent' : '')],
			['CPU', `${N.durationText(data.cpuOf[i])}, ${N.percentText(data.cpuOf[i],
				Math.max(1, time))} of a CPU`],
			...data.peak[i] ? [['most memory', sizeText(data.peak[i])]] : [], ['parent', from],
			...waited ? [['critical path', N.durationText(waited)]] : []] };
	};
	const argsText = (text) => text.length > ARGS_MOST ? text.slice(0, ARGS_MOST) + '\u2026' : text;

	const wordsOf = ({ title, args, notes: more, figures }) => [`${title}: ${argsText(args)}`, ...more,
		...figures.map(([label, words]) => label + ' ' + words)].join(', ');

	function fill({ title, args, notes: more, figures }) {
		tip.fill(title, D.html('div', { 'class': 'tip-args' }, argsText(args)), ...more, figures);
	}

	/* "12 of 500 rows, 2,000 processes" */
	const countText = () => {
		const count = (n) => n.toLocaleString('en'), all = data.rows.length;

		return (now.rows.length < all ? count(now.rows.length) + ' of ' : '') + count(all) + ' row' +
			(all === 1 ? '' : 's') + ', ' + count(data.count) + (data.count === 1 ? ' process'
			: ' processes');
	};
	const matchText = () => {
		const { found } = now;

		return !found ? '' : found.error ||
			`Matched: ${found.count.toLocaleString('en')} program${found.count === 1 ? '' : 's'}`;
	};

	const showIdle = () => foot.show([countText(), settings.cut ? 'Long arguments are cut' : '',
		notes].filter(Boolean).join('. '), true);

	/* The pointer is at a place of the rows (at: see panel.at), or at no row (null). */
	const hover = (at, x, y) => {
		const span = at && at.row !== null && at.inBar ? spanAt(at) : -1;

		app.details.pointed = span >= 0 ? Object.assign({ span }, at) : null;
		app.panel.point(at && at.inBar ? at.x : null);
		if (span >= 0) {
			foot.show(wordsOf(tell(span)), false);
			tip.show(() => fill(tell(span)), x, y);
		} else {
			showIdle();
			tip.hide();
		}
	};
	const showRange = (from, to, x, y) => tip.show(() => tip.fill(app.part.text(from, to)), x, y);

	app.details = { hover, showRange, countText, matchText, wordsOf, tell, spanAt, sizeText, pointed: null };
	app.onchange(() => {
		tip.hide();
		app.details.pointed = null;
		showIdle();
		foot.showMatched(now.filterError || matchText(), Boolean(now.filterError || now.found &&
			now.found.error));
	});
};
