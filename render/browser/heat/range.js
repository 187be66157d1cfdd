/* heat_range: the words about a part of a heat map's time.
 *
 * heat.range(app) ->
 *     name(selection)          "10:15:02.300 - 10:15:04.100, of each 1 s: 0 - 20 ms"; null: the name of
 *                              what can be seen
 *     said(selection, sums)    { name, amount: "1,234 samples, 3.41% of all in 1.8 s", unseen: "3.20% of it
 *                              was not seen (up to 41 events lost)" or "" }; sums: see heat_select
 *     heading(sums, baseline)  { names: of the layers, lines: for page.setHeading }, about
 *                              app.view.selection and app.view.baseline
 *     source(isTwo), header(isTwo)  where a range comes from: the header of the whole recording with the
 *                              range's time; as an object, and as the first line of folded text */
pyrograph.heat.range = function (app) {
	'use strict';

	const N = pyrograph.number, H = pyrograph.heat, { data, settings } = app;
	const DASH = ' \u2013 ', DOT = ' \u00b7 ', TITLE_SIZE = 16, UNIT = { unit: 'samples', decimals: 0, factor: 1 };
	const HEADER_KEYS = ['host', 'event', 'from', 'to', 'clock', 'cpus', 'rate', 'kernel', 'root', 'normalize',
		'unit'];
	const unit = Object.assign({}, UNIT, H.data.unit(settings), settings.flame);

	const sumOf = (values) => values.reduce((sum, value) => sum + value, 0);
	const lengthOf = (ranges) => ranges.reduce((sum, [from, to]) => sum + to - from, 0);
	const valueText = (value) => N.valueText(unit, value);

	/* If nothing is selected, everything that is visible. */
	const settled = (selection) => selection || Object.assign({ kind: 'time' }, app.shown());

	/* ---- names ---- */

	/* ", of each 1 s: 0 - 20 ms", ", 1 ms - 5 ms", ", CPUs 80% - 90% busy" */
	function rowsText({ kind, low, high, period }) {
		const between = (text) => (low ? text(low) : '0') + DASH + text(high),
			axes = Object.assign({}, app.axes(), period ? { period } : {});

		if (kind === 'cpu')
			return ', CPUs ' + between((share) => share / 100 + ' %') + ' busy';
		if (kind !== 'rows')
			return '';
		return settings.y === 'value' ? ', ' + between(valueText) : ', of each ' + N.durationText(period) +
			': ' + between((ns) => H.ticks.valueText(settings, axes, ns));
	}

	function name(selection) {
		const settledOne = settled(selection);

		return app.rangeText(settledOne.from, settledOne.to, true) + rowsText(settledOne);
	}

	/* The key, the recording and the CPU of the map that a selection is in; "" and -1 for all maps. */
	function mapOf(selection) {
		const by = settings.per && selection ? app.dimension(settings.per) : null, key = by
			? app.keyOfMap(app.mapOf(selection)) : undefined;

		return key === undefined ? { title: '', recording: -1, cpu: -1 }
			: Object.assign({ title: by.keys[key] }, H.seen.partOf(settings, by, key));
	}

	/* ---- what was not seen ---- */

	const dark = new Map(); /* by recording and CPU: the time that was not seen, for each CPU of the host */

	function unseenText(ranges, { recording, cpu }) {
		const key = recording + ' ' + cpu, ofPart = ([, , of, on]) => (recording < 0 ||
			settings.recordings[of].host === settings.recordings[recording].host) &&
				(cpu < 0 || on < 0 || on === cpu);

		if (!dark.has(key))
			dark.set(key, H.seen.dark(settings, recording, data, cpu));
		const lists = dark.get(key), whole = lengthOf(ranges) * lists.length;
		const part = sumOf(lists.map((list) => H.seen.common(list, ranges)));
		const lost = sumOf((settings.gaps || []).filter((gap) => ofPart(gap) &&
			H.seen.common([gap], ranges) > 0).map((gap) => gap[4]));

		return !part && !lost ? '' : N.percentText(part, whole) + ' of it was not seen' +
			(lost ? ' (up to ' + N.countText(lost) + ' events lost)' : '');
	}

	/* ---- values ---- */

	function wholeOf() {
		return data.valueOf.reduce((sum, value, stack) => sum +
			(app.view.idle || !data.isIdle[stack] ? value : 0), 0);
	}

	function said(selection, sums) {
		const ranges = H.select.ranges(settings, app.axes(), settled(selection))
				.map((range) => range.map((tick) => H.data.nsOf(settings, tick))), part = sumOf(sums);

		return { name: name(selection), amount: valueText(part) + ', ' + N.percentText(part, wholeOf()) +
			' of all in ' +
			N.durationText(lengthOf(ranges)), unseen: unseenText(ranges, mapOf(selection)) };
	}

	/* ---- the heading ---- */

	const line = (className, text, size = settings.fontSize || 12) =>
		({ className: className, text: text, size: size });
	const titleLine = (text) => line('title', text, TITLE_SIZE);

	function heading(sums, baseline) {
		const { label, date } = app.clock(), { selection } = app.view, now = said(selection, sums);
		const { title } = mapOf(selection), ofMap = (map) => map ? map + DOT : '';
		const when = settings.relative ? '' : [DOT + date(settled(selection).from), label].join(' ');

		if (!baseline)
			return { names: [now.name], lines: [titleLine(ofMap(title) + now.name +
				(selection ? '' : ' (all that is shown)')),
			line('note', now.amount + when)].concat(now.unseen ? line('note', now.unseen) : []) };
		const base = said(app.view.baseline, baseline), other = mapOf(app.view.baseline).title,
			areTwo = other !== title;

		return { names: areTwo ? [other, title] : [base.name, now.name],
			lines: [titleLine(ofMap(title) + now.name + ' compared with ' + ofMap(areTwo && other) +
				base.name),
			line('note', 'B, the base: ' + base.amount + DOT + 'A, the new one: ' + now.amount + when +
				DOT + 'normalised by total')]
				.concat([base, now].filter((one) => one.unseen).map((one) =>
					line('note', ofMap(areTwo && (one === base ? other : title)) + one.name + ': ' +
				one.unseen))) };
	}

	/* ---- folded text ---- */

	/* "2026-11-21T10:15:02.300000000Z" */
	function iso(ns) {
		const at = BigInt(settings.origin) + BigInt(Math.floor(ns)), second = at / 1000000000n;

		return new Date(Number(second) * 1000).toISOString().slice(0, 19) + '.' +
			String(at % 1000000000n).padStart(9, '0') + 'Z';
	}

	function source(isTwo) {
		const all = Object.assign({}, app.source), { from, to } = settled(app.view.selection);

		for (const key of ['start', 'end', 'from', 'to', 'lost', 'losses'])
			delete all[key];
		return isTwo ? Object.assign(all, { normalize: 'total' }) : settings.relative ? all
			: Object.assign(all, { from: iso(from), to: iso(to) });
	}

	function header(isTwo) {
		const all = Object.assign(source(isTwo), { unit: settings.unit });
		const words = HEADER_KEYS.filter((key) => typeof all[key] === 'string' && all[key])
			.map((key) => key + '=' + (/^[\w.,:+/%@~-]+$/.test(all[key]) ? all[key]
				: JSON.stringify(all[key])));

		return '# pyrograph: ' + words.join(' ') + '\n';
	}

	return { name, said, heading, source, header };
};
