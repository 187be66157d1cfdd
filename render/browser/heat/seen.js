/* heat_seen: which time was observed, and how busy the CPUs were; the same as grid_seen.c and grid_use.c.  Needs
 * data.js and axes.js.
 *
 * unseen(settings, axes, recording, data, cpu), partOf(settings, dimension, key): see grid.js
 * dark(settings, recording, data, cpu) -> for each CPU, the stretches of time [[from, to], ...] that were not
 *                                 seen, in order and without overlaps
 * common(a, b)                 -> how many ns two such lists of stretches have in common
 * use(data, settings, axes, choice) -> for each column and each CPU (if stacks do not tell theirs: each host),
 *                                 how busy it was: the share of the chosen stacks in its samples or its time
 *   .count                     number of CPUs
 *   .cpuOf                     Int32Array by stack: the stack's CPU, -1: none
 *   .rows(rows)                -> Int32Array [column * count + cpu]: the row that the CPU is in, if 0 to 100 %
 *                                 is divided into that many rows; -1: the CPU was not seen.  With
 *                                 A.USE_WHOLE rows, the number of the row is the share in 1/10000; 100 % is in
 *                                 the last row */
pyrograph.heat.seen = (function () {
	'use strict';

	const D = pyrograph.heat.data, A = pyrograph.heat.axes;
	const SAMPLE = 1000000000000n; /* one sample, in the unit 1/1000 Hz * ns */

	/* ---- what was not seen ---- */

	/* The number in "cpu12" is 12; -1: there is no number. */
	const cpuNumber = (name) => Number((/\d+/.exec(name) || ['-1'])[0]);

	/* [{ host, recordings: [number], cpus: [number] }]: the host of recording (-1: all hosts), with cpu
	 * only (-1: with all CPUs); hosts that do not have this CPU are left out. */
	function hosts(settings, recording, data, cpu) {
		const found = new Map(), all = settings.recordings, only = recording >= 0 ? all[recording].host : null;

		all.forEach((r, number) => {
			const host = found.get(r.host) || { host: r.host, recordings: [], cpus: [] };

			host.recordings.push(number);
			host.cpus.push(...r.cpus);
			if (only === null || only === r.host)
				found.set(r.host, host);
		});
		const seen = Array.from(found.values());

		if (data)
			addCpusOfEvents(data, settings, seen.filter((host) => !host.cpus.length));
		for (const host of seen) {
			const cpus = Array.from(new Set(host.cpus)).filter((c) => c >= 0).sort((a, b) => a - b);

			host.cpus = cpu >= 0 ? cpus.filter((c) => c === cpu) : cpus;
			host.isAbsent = cpus.length > 0 && !host.cpus.length;
		}
		return seen.filter((host) => !host.isAbsent);
	}

	/* If headers do not list a host's CPUs, takes those of the events. */
	function addCpusOfEvents(data, settings, seen) {
		if (!seen.length || !settings.dimensions.some(([name]) => name === 'cpu'))
			return;
		const { keys, keyOf } = D.dimension(data, settings, 'cpu');

		for (let s = 0; s < data.stacks; s++) {
			const host = seen.find(({ recordings }) => recordings.includes(data.recordingOf[s]));

			if (host && keyOf[s] >= 0)
				host.cpus.push(cpuNumber(keys[keyOf[s]]));
		}
	}

	/* The stretches [[from, to], ...] in which a host's CPU (-1: of a host with unknown CPUs) was not seen, sorted
	 * by start; they may overlap. */
	function darkOf(settings, host, cpu, looked = (r) => r) {
		const gaps = settings.gaps.filter((gap) => host.recordings.includes(gap[2]) &&
			(gap[3] < 0 || cpu < 0 || gap[3] === cpu))
			.map((gap) => [gap[0], gap[1]]);
		const recordings = host.recordings.map((r) => settings.recordings[r]).sort((a, b) => a.from - b.from);
		let until = -Infinity;

		for (const { from, to } of recordings.map(looked)) {
			if (from > until)
				gaps.push([until, from]);
			until = Math.max(until, to);
		}
		gaps.push([until, Infinity]);
		return gaps.filter(([from, to]) => from < to).sort((a, b) => a[0] - b[0]);
	}

	/* Joins stretches that overlap. */
	function joined(stretches) {
		const all = [];

		for (const [from, to] of stretches) {
			const last = all[all.length - 1];

			if (last && from <= last[1])
				last[1] = Math.max(last[1], to);
			else
				all.push([from, to]);
		}
		return all;
	}

	/* Returns the start and end of the cell that contains a time; if a column has several periods, the start
	 * and end of the column. */
	function cellAt(axes, ns) {
		const begins = axes.start + Math.floor((ns - axes.start) / axes.column) * axes.column;

		if (axes.rows === 1 || axes.perColumn > 1)
			return [begins, begins + axes.column];
		const row = D.scaled(ns - begins, axes.rows, axes.period);

		return [begins + axes.borders[row], begins + axes.borders[row + 1]];
	}

	/* If the begin or the end of a recording is unknown, the first or last cell counts as seen completely. */
	const wholeCells = (axes) => ({ from, to, fromOpen, toOpen }) => ({
		from: fromOpen && from < to ? cellAt(axes, from)[0] : from, to: toOpen && from < to
			? cellAt(axes, to - 1)[1] : to,
	});

	function dark(settings, recording = -1, data = null, only = -1, looked) {
		return hosts(settings, recording, data, only).flatMap((host) =>
			(host.cpus.length ? host.cpus : [-1]).map((cpu) =>
				joined(darkOf(settings, host, cpu, looked))));
	}

	function common(a, b) {
		let sum = 0;

		for (let i = 0, k = 0; i < a.length && k < b.length;) {
			sum += Math.max(0, Math.min(a[i][1], b[k][1]) - Math.max(a[i][0], b[k][0]));
			if (a[i][1] < b[k][1])
				i++;
			else
				k++;
		}
		return sum;
	}

	function unseen(settings, axes, recording = -1, data = null, only = -1) {
		const on = A.ofColumns(axes), { rows } = on, lists = dark(settings, recording, data, only,
			wholeCells(on));
		const cells = new Float64Array(on.columns * rows), painting = A.painter(on, cells);

		for (const list of lists)
			list.forEach(([from, to]) => painting.add(from, to, 0, 1));
		painting.finish();
		const all = new Uint16Array(axes.columns * axes.rows);

		for (let i = 0; i < all.length; i++) {
			const row = rows > 1 ? i % rows : 0, part = cells[rows > 1 ? i : Math.floor(i / axes.rows)];

			if (part)
				all[i] = Math.min(1000, Math.max(1, D.scaled(part, 1000,
					(on.borders[row + 1] - on.borders[row]) * axes.perColumn * lists.length)));
		}
		return all;
	}

	/* ---- how busy ---- */

	/* Returns the objects whose utilization is measured, [{ host, cpu, cpus }], and, by stack, a number in this
	 * list. */
	function measured(data, settings, seen) {
		const isByCpu = settings.dimensions.some(([name]) => name === 'cpu');
		const all = seen.flatMap((host) => isByCpu && host.cpus.length
			? host.cpus.map((cpu) => ({ host, cpu, cpus: 1 })) :
			[{ host, cpu: -1, cpus: isByCpu ? 1 : Math.max(1, host.cpus.length) }]);
		const cpu = isByCpu ? D.dimension(data, settings, 'cpu') : null, numbers = cpu &&
			cpu.keys.map(cpuNumber);
		const cpuOf = Int32Array.from(data.recordingOf, (recording, s) => {
			const number = !cpu ? -1 : cpu.keyOf[s] < 0 ? NaN : numbers[cpu.keyOf[s]];

			return all.findIndex((of) => of.host.recordings.includes(recording) &&
				/* The second comparison is false for NaN. */
				(of.cpu === number || (of.cpu < 0 && number === number)));
		});

		return { all, cpuOf };
	}

	function addBusy(data, settings, on, choice, cpuOf, busy) {
		const take = D.taken(data, choice), { stack, tick, count } = data, painting = A.painter(on, busy);

		if (!settings.spans) {
			A.eachCell(data, settings, on, (column, i, end) => {
				for (; i < end; i++) {
					if (take[stack[i]] === 1 && cpuOf[stack[i]] >= 0)
						busy[column * on.rows + cpuOf[stack[i]]]++;
				}
			});
			return;
		}
		for (let i = D.firstEvent(data, D.tickAt(settings,
			on.start - D.longest(data, settings))); i < count; i++) {
			const start = D.nsOf(settings, tick[i]);

			if (take[stack[i]] === 1 && cpuOf[stack[i]] >= 0)
				painting.add(start, start + D.spanNs(data, settings, i), cpuOf[stack[i]], 1);
		}
		painting.finish();
	}

	function addDark(settings, on, all, dark) {
		const painting = A.painter(on, dark);

		all.forEach(({ host, cpu, cpus }, row) => {
			for (const one of cpus > 1 ? host.cpus : [cpu])
				joined(darkOf(settings, host, one)).forEach(([from, to]) =>
					painting.add(from, to, row, 1));
		});
		painting.finish();
	}

	/* Returns { part, whole }: part of whole was busy; null: too little was seen. */
	function shareOf(settings, on, { host, cpus }, busy, dark) {
		const seen = Math.max(0, on.column * cpus - dark),
			rate = Math.max(...host.recordings.map((r) => settings.recordings[r].rate));
		const whole = settings.spans ? BigInt(seen) : BigInt(Math.round(rate * 1000)) * BigInt(seen);
		const sample = settings.spans ? 1n : SAMPLE;

		return whole >= sample ? { part: BigInt(busy) * sample, whole } : null;
	}

	function use(data, settings, axes, choice) {
		const { recording = -1, cpu = -1 } = choice || {}, seen = hosts(settings, recording, data, cpu);
		const { all, cpuOf } = measured(data, settings, seen), count = all.length;
		const on = Object.assign({}, axes, { y: 'value', rows: count });
		const busy = new Float64Array(count * axes.columns), dark = new Float64Array(count * axes.columns);

		addBusy(data, settings, on, choice, cpuOf, busy);
		addDark(settings, on, all, dark);
		return {
			count, cpuOf,
			rows: (rows) => Int32Array.from(busy, (n, i) => {
				const share = shareOf(settings, on, all[i % count], n, dark[i]);

				return share ? Math.min(Number(share.part * BigInt(rows) / share.whole), rows - 1) : -1;
			}),
		};
	}

	/* ---- the choice of one of several maps ---- */

	function partOf(settings, dimension, key) {
		const text = dimension.keys[key], stacks = Uint8Array.from(dimension.keyOf, (k) => k === key ? 1 : 0);

		return {
			stacks, recording: dimension.name === 'host'
				? settings.recordings.findIndex(({ host }) => host === text) : -1,
			cpu: dimension.name === 'cpu' ? cpuNumber(text) : -1,
		};
	}

	return { unseen, dark, common, use, partOf };
})();
