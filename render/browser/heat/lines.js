/* heat_lines: the selection (or everything that is shown) as timed or plain folded lines.
 *
 * app.timedParts(selection)    -> [text, ...] with headers, gaps and lines; null: there are too many lines.
 *                                 They contain everything in that time, idle CPUs too
 * app.foldedText(selection)    -> what the flame graph shows, as "collapse --from --to" would write it:
 *                                 only the keys that are shown, and idle stacks if they count */
pyrograph.heat.lines = function (app) {
	'use strict';

	const D = pyrograph.ui.dom, N = pyrograph.number, H = pyrograph.heat, { data, settings } = app;
	const LINES_MAX = 5000000, PART_BYTES = 1 << 20, NS = 1000000000;
	const OF_ALL = ['lost', 'losses', 'unresolved', 'quality', 'open']; /* about the whole, not a part */

	/* ---- moments ---- */

	const originSeconds = Number(BigInt(settings.origin) / BigInt(NS)),
		originRest = Number(BigInt(settings.origin) % BigInt(NS));

	/* "1795342502.014325678" */
	function momentText(ns) {
		const t = originRest + ns, more = Math.floor(t / NS);

		return originSeconds + more + '.' + String(t - more * NS).padStart(9, '0');
	}
	function isoText(ns) {
		const [seconds, rest] = momentText(ns).split('.');

		return new Date(Number(seconds) * 1000).toISOString().slice(0, 19) + '.' + rest + 'Z';
	}

	/* ---- headers ---- */

	const { quoted, header } = pyrograph.folded;

	function headerOf(recording, part) {
		const source = recording.source || {}, pairs = Object.assign({}, source, part || {});

		for (const key of part ? OF_ALL : [])
			delete pairs[key];
		if (!pairs.unit)
			pairs.unit = settings.unit;
		return header(pairs);
	}

	/* The fields of a header about the time of a part. */
	function partOf(recording, spans, first, last) {
		const part = { start: '', end: '', from: isoText(Math.max(recording.from, spans[0][0])),
			to: isoText(Math.min(recording.to, spans[spans.length - 1][1])) };
		if (first !== null)
			Object.assign(part, { start: isoText(first), end: isoText(last) });
		return settings.relative ? {} : part;
	}

	const gapText = (from, to, more) => '# gap: start=' + momentText(from) + ' end=' + momentText(to) + more + '\n';

	/* The time that was not seen, and the time between the ranges of a selection. */
	function gapsOf(number, spans) {
		const from = spans[0][0], to = spans[spans.length - 1][1], out = [];

		for (const [a, b, recording, cpu, lost, why] of settings.gaps || []) {
			if (recording === number && b > from && a < to)
				out.push([Math.max(a, from), gapText(Math.max(a, from), Math.min(b, to),
					(cpu >= 0 ? ' cpu=' + cpu : '') +
					(lost > 0 && a >= from && b <= to ? ' lost=' + lost : '') + ' why=' +
						quoted(why || 'lost'))]);
		}
		for (let i = 1; i < spans.length; i++)
			out.push([spans[i - 1][1], gapText(spans[i - 1][1], spans[i][0], ' why=not-selected')]);
		return out.sort((a, b) => a[0] - b[0]).map(([, text]) => text).join('');
	}

	/* ---- lines ---- */

	const decimals = settings.decimals || 0, one = Math.pow(10, decimals);

	/* Writes a value without its decimals: with decimals 2, 1250 is "12.5". */
	function valueText(value) {
		if (!decimals)
			return String(value);
		const rest = String(value % one).padStart(decimals, '0').replace(/0+$/, '');

		return Math.floor(value / one) + (rest ? '.' + rest : '');
	}

	/* Calls run(event) for each selected event of a recording. */
	function each(selection, number, run) {
		const { recordingOf } = data, only = app.isSelected(selection);

		for (const [from, to] of app.eventRanges(selection)) {
			for (let i = from; i < to; i++) {
				if (recordingOf[data.stack[i]] === number && (!only || only(i)))
					run(i);
			}
		}
	}

	/* The times of the first and the last selected event, in ns; null, null: there are none. */
	function ends(selection, number) {
		let first = -1, last = -1;

		each(selection, number, (i) => {
			first = first < 0 ? i : first;
			last = i;
		});
		return first < 0 ? [null, null] : [first, last].map((i) => H.data.nsOf(settings, data.tick[i]));
	}

	/* Does the map of the selection contain this recording? */
	function isPart(selection, number) {
		const part = selection && app.mapPart(app.mapOf(selection));

		return !part || part.recording < 0 ||
			settings.recordings[part.recording].host === settings.recordings[number].host;
	}

	app.timedParts = (selection) => {
		const parts = [], spans = app.spans(selection), texts = [];
		const counts = app.countsIn(selection), count = counts.reduce((sum, n) => sum + n, 0);

		if (count > LINES_MAX)
			return null;
		settings.recordings.forEach((recording, number) => {
			const [first, last] = ends(selection, number);
			let text = '';

			if (first !== null || isPart(selection, number) &&
				recording.from < spans[spans.length - 1][1] && recording.to > spans[0][0])
				text = headerOf(recording, selection ? partOf(recording, spans, first, last) : null) +
					gapsOf(number, spans);
			each(selection, number, (i) => {
				const stack = data.stack[i], ns = H.data.nsOf(settings, data.tick[i]);

				if (texts[stack] === undefined)
					texts[stack] = H.data.stackText(data, stack);
				text += '@' + momentText(ns) + ' ' + texts[stack] + ' ' +
					valueText(data.value ? data.value[i] : settings.same) + '\n';
				if (text.length > PART_BYTES) {
					parts.push(text);
					text = '';
				}
			});
			parts.push(text);
		});
		return parts;
	};

	/* Compares frame by frame and byte by byte, as collapse sorts. */
	function byFrames([a], [b]) {
		const x = a.replace(/;/g, '\0'), y = b.replace(/;/g, '\0');

		return x < y ? -1 : x > y ? 1 : 0;
	}

	app.foldedText = (selection) => {
		const values = app.sums(selection), sums = new Map(), spans = app.spans(selection);

		for (let stack = 0; stack < values.length; stack++) {
			if (values[stack]) {
				const text = H.data.stackText(data, stack);

				sums.set(text, (sums.get(text) || 0) + values[stack]);
			}
		}
		const headers = settings.recordings.map((r, number) => !isPart(selection, number) ||
			r.from >= spans[spans.length - 1][1] ||
			r.to <= spans[0][0] ? '' : headerOf(r, selection ? partOf(r, spans, ...ends(selection, number))
				: null));

		return headers.join('') + Array.from(sums).sort(byFrames).map(([text, value]) => text + ' ' +
			valueText(value) + '\n').join('');
	};

	/* The time to be saved: the selection, else the part that is shown, else all. */
	function wanted() {
		const shown = app.shown();

		return app.view.selection || (app.view.from === null && app.view.to === null ? null
			: { kind: 'time', from: shown.from, to: shown.to });
	}

	function saveText(parts, extension) {
		D.save(app.save.fileName(extension), new Blob(parts, { type: 'text/plain;charset=utf-8' }));
		app.save.toast('Saved: ' + app.save.fileName(extension));
	}

	app.saveTimed = () => {
		const parts = app.timedParts(wanted());

		if (parts)
			saveText(parts, '.timed.folded');
		else
			app.save.toast('More than ' + N.countText(LINES_MAX) +
				' lines: select less, or "pyrograph render folded FILE.svg"');
	};
	app.saveFolded = () => saveText([app.foldedText(wanted())], '.folded');
};
