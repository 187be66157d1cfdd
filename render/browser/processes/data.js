/* processes_data: the processes that travel inside a picture (render/processes/processes_svg.c has the format).  Pure.
 *
 * decode(settings, text) -> {
 *     rows                        [{ name, first, end, depth, lanes, quiet }]: processes first .. end - 1, by begin
 *     count, spans                how many
 *     pid, lane, row, first       Uint32Arrays by process; its spans are first[p] .. first[p + 1] - 1
 *     begin, end, cpu             Float64Arrays by process; ns from the window's start
 *     start, time, cpuOf, peak    Float64Arrays by span
 *     parent, name, kind, of      Uint32Arrays by span; of: its process
 *     args                        texts by span
 *     kinds                       [{ begun, ended, awaited, failed, execed, before, wrong, signal, runs }]
 *     nameOf(process)             its last program
 *     path                        Map: process -> [[from, to], ...]: when others waited for it
 *     byPid                       Map: pid -> processes, by begin }
 * totals(data, from, to)  -> [{ name, runs, time, cpu, peak, wrong }]: by command, of spans that end in that time
 * parentOf(data, span)    -> the parent's process, or -1 */
pyrograph.processes = {};

pyrograph.processes.data = (function () {
	'use strict';

	const FIRST_DIGIT = 63, { plainName, reader } = pyrograph.profile;

	function kindOf(text) {
		const [begun, ended = '', awaited = ''] = text.split(';');

		return { begun, ended, awaited: awaited === 'awaited', failed: begun.startsWith('failed:'),
			execed: begun === 'exec', before: begun === 'before', runs: ended === 'runs',
			signal: ended.startsWith('signal:'),
			wrong: ended.startsWith('signal:') || (ended.startsWith('exit:') && ended !== 'exit:0') };
	}

	function countLines(text) {
		let lines = 0, processes = 0;

		for (let at = 0, end; at < text.length; at = end + 1) {
			end = text.indexOf('\n', at);
			end = end < 0 ? text.length : end;
			lines++;
			processes += text.charCodeAt(at) === FIRST_DIGIT ? 1 : 0;
		}
		return { lines, processes };
	}

	function makeRows(settings, data) {
		let first = 0;

		data.rows = settings.rows.map(([count, depth, lanes, quiet], number) => {
			const row = { first, end: first + count, depth, lanes: Math.max(1, lanes),
				quiet: Boolean(quiet) };

			data.row.fill(number, first, row.end);
			first = row.end;
			return row;
		});
	}

	function readSpans(settings, data, text) {
		const { number, line, more } = reader(text);
		let p = -1, begin = 0, before = 0, args = '', row = -1;

		for (let i = 0; more(); i++) {
			if (!number()) {
				p++;
				data.pid[p] = number();
				data.lane[p] = number();
				data.first[p] = i;
				begin = data.row[p] === row ? begin : 0;
				row = data.row[p];
				before = begin;
				data.begin[p] = -1;
			}
			data.parent[i] = number();
			data.name[i] = number();
			data.kind[i] = number();
			before += number();
			data.start[i] = before;
			data.time[i] = number();
			data.cpuOf[i] = number();
			data.peak[i] = number();
			args = args.slice(0, number()) + line();
			data.args.push(args);
			data.of[i] = p;
			if (data.begin[p] < 0)
				begin = data.begin[p] = before;
			data.end[p] = Math.max(data.end[p], before + data.time[i]);
			data.cpu[p] += data.cpuOf[i];
		}
		data.first[p + 1] = data.args.length;
	}

	function decode(settings, text) {
		const { lines, processes } = countLines(text), u32 = (n) => new Uint32Array(n),
			f64 = (n) => new Float64Array(n);
		const data = { count: processes, spans: lines, pid: u32(processes), lane: u32(processes),
			row: u32(processes), first: u32(processes + 1), begin: f64(processes), end: f64(processes),
			cpu: f64(processes), start: f64(lines), time: f64(lines), cpuOf: f64(lines), peak: f64(lines),
			parent: u32(lines), name: u32(lines), kind: u32(lines), of: u32(lines), args: [],
			kinds: settings.kinds.map(kindOf), names: settings.names.map(([name]) => plainName(name)),
			path: new Map(), byPid: new Map() };

		makeRows(settings, data);
		readSpans(settings, data, text);
		data.nameOf = (p) => {
			let i = data.first[p + 1] - 1;

			while (i > data.first[p] && data.kinds[data.kind[i]].failed)
				i--;
			return data.name[i];
		};
		for (const row of data.rows) {
			const name = data.names[data.nameOf(row.first)], count = row.end - row.first;

			row.name = count === 1 ? `${name} ${data.pid[row.first]}`
				: `${name} \u00d7 ${count.toLocaleString('en')}`;
			row.command = name;
			row.cpu = data.cpu.subarray(row.first, row.end).reduce((sum, n) => sum + n, 0);
		}
		for (const [p, from, to] of settings.path)
			data.path.set(p, (data.path.get(p) || []).concat([[from, to]]));
		for (let p = 0; p < data.count; p++) {
			if (!data.byPid.has(data.pid[p]))
				data.byPid.set(data.pid[p], []);
			data.byPid.get(data.pid[p]).push(p);
		}
		return data;
	}

	function parentOf(data, span) {
		const begin = data.begin[data.of[span]];

		return (data.byPid.get(data.parent[span]) || []).reduce((found, p) =>
			data.begin[p] <= begin && data.end[p] >= begin && p !== data.of[span] ? p : found, -1);
	}

	/* The span of an earlier recording that this span continues; -1: none. */
	function continued(data, i) {
		const first = data.first[data.of[i]];
		let last = data.kinds[data.kind[i]].before ? i - 1 : -1;

		while (last >= first && data.kinds[data.kind[last]].failed)
			last--;
		return last >= first && data.kinds[data.kind[last]].runs ? last : -1;
	}

	function totals(data, from, to) {
		const all = new Map(), isIn = (i) => data.start[i] + data.time[i] > from && data.start[i] < to;

		for (let i = 0; i < data.spans; i++) {
			const kind = data.kinds[data.kind[i]], last = continued(data, i);

			if (kind.failed || !isIn(i))
				continue;
			const one = all.get(data.name[i]) || { name: data.name[i], runs: 0, time: 0, cpu: 0, peak: 0,
				wrong: 0 };

			one.runs += last >= 0 && isIn(last) ? 0 : 1;
			one.time += data.time[i];
			one.cpu += data.cpuOf[i];
			one.peak = Math.max(one.peak, data.peak[i]);
			one.wrong += kind.wrong ? 1 : 0;
			all.set(data.name[i], one);
		}
		return Array.from(all.values());
	}

	return { decode, parentOf, totals };
})();
