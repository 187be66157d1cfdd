/* timeline_details: the words about a row at a moment, in the line below the chart, in the box beside the pointer, and
 * for screen readers. */
pyrograph.ui.timelineDetails = function (app) {
	'use strict';

	const D = pyrograph.ui.dom, N = pyrograph.number, P = pyrograph.profile;
	const R = pyrograph.timeline.raster;
	const { data, settings, clock, tip, foot, now } = app, KINDS_TOLD = 4, FRAMES_TOLD = 14;
	const { HELD } = pyrograph.timeline.data;
	const notes = Array.from(app.svg.querySelectorAll('#details text'), (e) => e.textContent).join(' ');

	/* ---- the words about a moment: { title, notes: [text, ...], figures: [[label, text, colour], ...] }
	 * ---- */

	const nameOf = (row) => settings.rows[row][0];

	/* The words about one span: where it is, its begin and length, and the rest of its line. */
	function tellSpan(row, i, ns = data.start[i]) {
		const stack = data.stack[i], kind = data.kindOf[stack], by = data.by[stack], more = data.more.get(i);
		const about = settings.kinds[kind][3], notes = about ? [about] : [];

		notes.push(`from ${clock.text(data.start[i], 9)}${clock.zone}, for ${N.durationText(data.time[i])}`);
		if (more && more.count > 1)
			notes.push(N.countText(more.count) + ' spans put together, longest ' +
				N.durationText(more.longest));
		return { title: nameOf(row), kind: settings.kinds[kind][0] + (by ? ', for ' + by : ''),
			rgb: now.colourOf(kind), notes, figures: [], ...traceOf(row, i, ns) };
	}

	/* The stack of a span, with the innermost function of the reader's own first.  A blocked thread has its stack,
	 * and who woke it; a running thread has that of the sample nearest to the moment. */
	function traceOf(row, i, ns) {
		const stack = data.stack[i], kind = data.kindOf[stack];

		if (data.trace[stack] >= 0)
			return framesOf(data.traces[data.trace[stack]], HELD.includes(settings.kinds[kind][0]));
		return data.isRunning[kind] ? sampledIn(row, data.start[i], data.start[i] + data.time[i], ns) : {};
	}

	/* Whose code is it?  The first call looks at all functions. */
	let mine = null;

	function isMine(name) {
		if (!mine)
			mine = { is: pyrograph.known.mineOf(Array.from(new Set(data.traces.flat()))),
				found: new Map() };
		if (!mine.found.has(name))
			mine.found.set(name, mine.is(name));
		return mine.found.get(name);
	}

	/* "pthread_mutex_lock \u2026 schedule" */
	const endsOf = (names) => [names[0], ...names.slice(1).slice(-1)].map((name) => P.baseName(name))
		.join(names.length > 2 ? ' \u2026 ' : ' > ');

	function framesOf(trace, isHeld) {
		const chain = trace.indexOf('--'), own = chain < 0 ? trace : trace.slice(0, chain);
		const inner = own.findLastIndex(isMine) + 1 || own.length, above = own.slice(inner);
		const plain = own.slice(0, inner).map((name) => P.baseName(name)).reverse();

		return { frames: plain.length > FRAMES_TOLD ? [...plain.slice(0, FRAMES_TOLD), '\u2026'] : plain,
			above: above.length ? 'in ' + endsOf(above) : '',
			waker: chain < 0 ? '' : wakerOf(trace.slice(chain + 1), isHeld) };
	}

	/* "held up by cache-refresh: rebuildCache"; the stack of a waker has its innermost function first. */
	function wakerOf(stack, isHeld) {
		const by = stack.slice(0, -1).find(isMine);

		return (isHeld ? 'held up by ' : 'woken by ') + P.baseName(stack[stack.length - 1]) +
			(by ? ': ' + P.baseName(by) : '');
	}

	/* The sample of [from, to] that is nearest to ns. */
	function sampledIn(row, from, to, ns) {
		const { at, stack, first } = data.samples;
		let best = -1;

		for (let i = R.search(at, first[row], first[row + 1], from); i < first[row + 1] && at[i] <= to; i++) {
			if (best < 0 || Math.abs(at[i] - ns) < Math.abs(at[best] - ns))
				best = i;
		}
		return best < 0 ? {} : { sampled: clock.text(at[best], 6),
			...framesOf(data.traces[data.trace[stack[best]]] || [], false) };
	}

	/* About several spans that share a pixel. */
	function tellSums(row, sum, from, to) {
		const kinds = Array.from(sum.kinds).sort((a, b) => b[1] - a[1]);
		const by = Array.from(sum.by).sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))[0];
		const notes = [`${N.countText(sum.spans)} spans from ${clock.text(from, 9)}, ` +
			`${N.durationText(sum.time)} of ${N.durationText(to - from)}`];

		if (by)
			notes.push(`waited mostly for ${by[0]}: ` + N.durationText(by[1]) + ' of ' +
				N.durationText(sum.waiting));
		if (kinds.length > KINDS_TOLD)
			notes.push(`and ${kinds.length - KINDS_TOLD} more`);
		return { title: nameOf(row), notes, figures: kinds.slice(0, KINDS_TOLD).map(([kind, ns]) =>
			[settings.kinds[kind][0], N.durationText(ns), now.colourOf(kind)]) };
	}

	/* What the row's spans were that are known only as sums. */
	function shortsOf(row) {
		const kinds = new Map();

		for (const [stack, time] of settings.sums || []) {
			if (data.rowOf[stack] === row)
				kinds.set(data.kindOf[stack], (kinds.get(data.kindOf[stack]) || 0) + time);
		}
		return Array.from(kinds).sort((a, b) => b[1] - a[1]).slice(0, KINDS_TOLD).map(([kind, ns]) =>
			[settings.kinds[kind][0], N.durationText(ns), now.colourOf(kind)]);
	}

	function tellGap(row, ns) {
		const [, after] = R.between(data, row, ns, ns + 1);
		const from = after > data.first[row] ? data.start[after - 1] + data.time[after - 1] : 0;
		const to = after < data.first[row + 1] ? data.start[after] : settings.window;

		const gaps = data.gaps[row];

		if (gaps && ns >= gaps.from && ns < gaps.to)
			return { title: nameOf(row), figures: shortsOf(row),
				notes: [`short spans from ${clock.text(from, 9)}, for ${N.durationText(to - from)}`,
					'All short spans of this thread:'] };
		const what = !settings.byCpu ? 'nothing' : settings.whole ? 'idle' : 'other threads or idle';

		return { title: nameOf(row), figures: [],
			notes: [`${what} from ${clock.text(from, 9)}${clock.zone}, for ${N.durationText(to - from)}`] };
	}

	/* The words about a place of a row, which is the result of panel.at(). */
	const tell = ({ row, ns, perPx }) => {
		const from = app.part.from + Math.floor((ns - app.part.from) / perPx) * perPx, to = from + perPx;
		const [first, end] = R.between(data, row, from, to);

		for (let i = first; i < end; i++) {
			if (data.start[i] <= ns && data.start[i] + data.time[i] > ns && data.time[i] >= perPx)
				return tellSpan(row, i, ns);
		}
		const sum = R.sums(data, row, from, to);

		if (end - first > 1 && sum.spans)
			return Object.assign(tellSums(row, sum, from, to), sampledIn(row, from, to, ns));
		return end > first ? tellSpan(row, first) : tellGap(row, ns);
	};
	const wordsOf = ({ title, kind, notes, figures, frames, above, waker }) => [title + (kind ? ': ' + kind : ''),
		...notes, ...figures.map(([label, words]) => label + ' ' + words),
		...waker ? [waker] : [], ...frames && frames.length ? ['in ' + frames.join(' < ')] : [],
		...above ? [above] : []].join(', ');

	function fill({ title, kind, rgb, notes, figures, frames = [], above, sampled, waker }) {
		const dot = (colour) => {
			const e = D.html('span', { 'class': 'dot' });

			e.style.background = colour;
			return e;
		};

		tip.fill(title, kind ? D.html('div', { 'class': 'tip-kind' }, dot(rgb), ' ',
			D.html('b', {}, kind)) : null, waker ? D.html('div', { 'class': 'tip-waker' }, waker) : null,
		...notes,
		figures.map(([label, words, colour]) => [[dot(colour), ' ' + label], words]),
		sampled ? 'sampled at ' + sampled : null, frames.length ? D.html('div', { 'class': 'tip-frames' },
			...frames.map((name) => D.html('div', {}, name))) : null, above);
	}

	/* ---- the line below ---- */

	/* "12 of 500 threads" */
	const countText = () => {
		const count = (n) => n.toLocaleString('en'), hidden = data.rows - now.rows.length;

		return (hidden ? count(now.rows.length) + ' of ' : '') + count(data.rows) + ' ' +
			(data.rows === 1 ? settings.rowsWord.replace(/s$/, '') : settings.rowsWord);
	};

	const showDetails = (told) => {
		foot.show(told ? wordsOf(told) : [countText(), notes].filter(Boolean).join('. '),
			!told);
	};
	/* The pointer is at a place of the rows (at: see panel.at), or at no row (null). */
	const hover = (at, x, y) => {
		const told = at && at.row !== null && at.inBar ? tell(at) : null;

		app.details.pointed = told ? at : null;
		app.panel.markRow(-1);
		app.panel.point(told ? at.x : null);
		showDetails(told);
		if (told)
			tip.show(() => fill(told), x, y);
		else
			tip.hide();
	};
	const hoverStall = (number, x, y) => {
		const [start, length, row, words, , , waits] = settings.stalls[number];
		const told = { title: words, figures: [],
			notes: [`${clock.text(start, 3)} \u2013 ${clock.text(start + length, 3)}${clock.zone}; ` +
				N.durationText(waits) + ' of waiting in all', 'Click: this part of the time'] };

		app.details.pointed = null;
		showDetails(told);
		app.panel.markRow(row);
		tip.show(() => fill(told), x, y);
	};
	const showRange = (from, to, x, y) => {
		const title = app.part.text(Math.round(from), Math.round(to));

		tip.show(() => fill({ title, notes: [], figures: [] }), x, y);
	};
	const showSpan = (row, span, x, y) => {
		const told = tellSpan(row, span);

		showDetails(told);
		foot.say(wordsOf(told));
		tip.show(() => fill(told), x, y);
	};

	/* "Matched: 3 threads, 2 CPUs" */
	const matchText = () => {
		const { found } = now, s = (n, word) => n.toLocaleString('en') + ' ' +
			(n === 1 ? word.replace(/s$/, '') : word);
		const count = (all) => Array.from(all).filter(Boolean).length;

		if (!found || found.error)
			return found ? found.error : '';
		return 'Matched: ' + [s(now.rows.filter((row) => found.rows[row]).length, settings.rowsWord),
			s(count(found.kinds), settings.kindsWord),
			...data.traces.length ? [s(count(found.functions), 'functions')] : []].join(', ');
	};

	app.details = { hover, showRange, hoverStall, showSpan, countText, matchText, wordsOf,
		tell, tellSpan, pointed: null };
	app.onchange(() => {
		tip.hide();
		app.details.pointed = null;
		showDetails(null);
		foot.showMatched(now.filterError || matchText(), Boolean(now.filterError ||
			now.found && now.found.error));
	});
};
