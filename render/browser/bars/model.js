/* bars_model: the data of a chart of bars: rows of segments, and all that is computed from
 * them.  Pure: knows nothing of a page.
 *
 * decode(data)      -> model; data: the JSON in the picture (#bars)
 *     kind          "states" or "tenancy"
 *     columns       ["time", "count", "longest", ...]; values of segments are in this order;
 *                   "longest" is the greatest of what is put together, the others are sums
 *     unit, decimals   of the first column and of longest: units of 10^-decimals
 *     window        what a whole bar is, in units of measure, a column by number
 *     kinds         [{ name, label, group, rgb, safe }]
 *     threads       "rows" or "kinds": which of them they are
 *     rows          [{ name, members, note, segments: [{ kind, by, values }], sums: [{ kind, values }] }];
 *                   by: text or null; sums: one of each kind that the row has
 *     hasBys        whether any segment has one
 * shown(name)      -> a name as it is shown: "spin-4711/spin" and "spin-4711/spin-4711", a main thread, as "spin-4711"
 * pooled(model)     -> model in which names that differ in the number at their end are one
 * rowsOf(model, how)  -> Array of row numbers, filtered and sorted; how: { match (null, or
 *     by row), by (null, or a name: rows that waited for it), key, down, column }
 *     key: "drawn", "name", "total", ":kind", "*group", "by"
 * amount(model, segments, wanted) -> values of the segments that wanted() takes, or of all
 * amountOf(model, row, key, by) -> values of what a sort key takes of a row; "by": waits for by
 * wantedBy(model, key) -> a function of segments and sums for a key of kinds; null: all
 * ordered(model, segments, column, every) -> segments as they stand in a bar, and as bars_pieces() has
 *     them: in a group, what one thread took is together, the one that took most first; what all but the
 *     first TOLD took is one segment of each kind, by: null, parts: those of the threads, the most
 *     first.  every: all by themselves
 * byKind(model, rows) -> [values or null, ...] by kind, of all these rows
 * contenders(model, rows) -> [{ name, values, count, victims: [{ row, values }] }]: who took the CPU
 *     from whom, most first; count: of victims
 * mostProcess(model)   -> "java-8513/" where most rows are threads of that, "" otherwise
 * takenBy(model, row)  -> [{ name, values }]: who took it from this row, most first
 * sortContenders(list, key, down, model) -> list; key: "name" or a column's name */
pyrograph.bars = pyrograph.bars || {};

pyrograph.bars.model = (function () {
	'use strict';

	const POOL = /\d+$/, RUNNABLE = 'runnable', IDLE = '[idle]', OTHERS = '[others]', TOLD = 4, MOST = 0.6;

	function decode(data) {
		const columns = data.columns && data.columns.length ? data.columns : ['time'], stride = 3 +
			columns.length;
		const flat = data.segments || [], call = data.kind === 'tenancy' ? cpuName : (name) => name;
		const rows = data.rows.map((row) => ({ name: call(data.names[row.name]), members: row.members || 1,
			note: row.note || '', segments: [] }));

		for (let i = 0; i + stride <= flat.length; i += stride) {
			rows[flat[i]].segments.push({ kind: flat[i + 1], by: flat[i + 2] < 0 ? null
				: data.names[flat[i + 2]],
				values: flat.slice(i + 3, i + stride) });
		}
		return finished({ kind: data.kind, columns: columns, unit: data.unit || '', decimals: data.decimals ||
			0,
			window: data.window, measure: Math.max(0, columns.indexOf(data.measure)),
			threads: /(^|,)thread$/.test(data.roots || '') ? 'kinds' : 'rows',
			kinds: data.kinds.map((kind) => ({ ...kind,
				name: kind.name === IDLE && kind.label || call(kind.name) })), rows: rows });
	}

	/* As timeline_label_add() has them. */
	function cpuName(name) {
		return name === IDLE ? 'idle' : name.replace(/^cpu(\d{1,9})$/, 'CPU $1');
	}

	function finished(model) {
		model.hasBys = model.rows.some((row) => row.segments.some((s) => s.by !== null));
		for (const row of model.rows) {
			row.sums = sumsOf(model, row.segments);
			row.values = amount(model, row.sums);
		}
		return model;
	}

	/* One of each kind, in the order in which they come. */
	function sumsOf(model, segments) {
		const found = new Map();

		for (const { kind, values } of segments) {
			const sum = found.get(kind);

			if (sum)
				add(model, sum.values, values);
			else
				found.set(kind, { kind: kind, values: values.slice() });
		}
		return Array.from(found.values());
	}

	/* "spin-4711/spin", or both the same: the main one of several threads of that name. */
	function isAlone(process, comm) {
		return process !== '' && (process === comm ||
			comm !== '' && process.startsWith(comm + '-') && /^\d+$/.test(process.slice(comm.length + 1)));
	}

	/* As bars_shown_len() has it.  "kworker/1:2-77/kworker/1:2": any slash may be the one. */
	function shown(name) {
		for (let at = name.indexOf('/'); at >= 0; at = name.indexOf('/', at + 1)) {
			if (isAlone(name.slice(0, at), name.slice(at + 1)))
				return name.slice(0, at);
		}
		return name;
	}

	/* into += values, but for the longest. */
	function add({ columns }, into, values) {
		for (let k = 0; k < values.length; k++) {
			if (columns[k] !== 'longest')
				into[k] += values[k];
			else if (into[k] < values[k])
				into[k] = values[k];
		}
	}

	function amount(model, segments, wanted) {
		const sum = new Array(model.columns.length).fill(0);

		for (const segment of segments) {
			if (!wanted || wanted(segment))
				add(model, sum, segment.values);
		}
		return sum;
	}

	/* ---- pools ---- */

	/* Names of rows and of who is behind segments. */
	function namesIn(model) {
		const names = new Set(model.rows.map((row) => row.name));

		for (const row of model.rows) {
			for (const segment of row.segments) {
				if (segment.by !== null)
					names.add(segment.by);
			}
		}
		return names;
	}

	/* name -> "worker-*", for names of which there are several; the number of "spin-4711/spin" is
	 * that of a process. */
	function poolNames(names) {
		const of = new Map();

		for (const name of names) {
			const start = POOL.test(name) && shown(name) === name ? name.replace(POOL, '') : '';

			if (!of.has(start))
				of.set(start, []);
			of.get(start).push(name);
		}
		return new Map(Array.from(of).flatMap(([start, members]) => members.map((name) =>
			[name, start && members.length > 1 ? start + '*' : name])));
	}

	/* In charts by CPU the kinds are threads, and are pooled themselves: { kinds, of: by
	 * number, the number of the pool }; the largest first. */
	function pooledKinds(model) {
		const pool = poolNames(model.kinds.map((kind) => kind.name)), found = new Map();
		const sums = byKind(model, Array.from(model.rows.keys()));

		model.kinds.forEach((kind, i) => {
			const name = pool.get(kind.name), more = name === kind.name ? { name: name }
				: { name: name, label: name };

			if (!found.has(name))
				found.set(name, { kind: Object.assign({}, kind, more), members: [], sum: 0 });
			found.get(name).members.push(i);
			found.get(name).sum += sums[i] ? sums[i][0] : 0;
		});
		const list = Array.from(found.values()).sort((x, y) => y.sum - x.sum || x.members[0] - y.members[0]),
			of = [];

		list.forEach(({ members }, place) => members.forEach((i) => { of[i] = place; }));
		return { kinds: list.map(({ kind }) => kind), of: of };
	}

	function pooled(model) {
		const ofKinds = model.threads === 'kinds', pool = ofKinds ? new Map() : poolNames(namesIn(model)),
			rows = new Map();
		const { kinds, of } = ofKinds ? pooledKinds(model) : { kinds: model.kinds, of: null };

		for (const row of model.rows) {
			const name = ofKinds ? row.name : pool.get(row.name);
			const into = rows.get(name) || { name: name, members: 0, found: new Map() };

			rows.set(name, into);
			into.members += row.members;
			for (const segment of row.segments) {
				const by = segment.by === null || ofKinds ? segment.by : pool.get(segment.by);
				const kind = of ? of[segment.kind] : segment.kind, key = kind +
					(by === null ? '' : ';' + by);

				if (into.found.has(key))
					add(model, into.found.get(key).values, segment.values);
				else
					into.found.set(key, { kind: kind, by: by, values: segment.values.slice() });
			}
		}
		return finished(Object.assign({}, model, { kinds: kinds,
			rows: Array.from(rows.values(), (row) => ({ name: row.name,
			members: row.members, note: '', segments: Array.from(row.found.values()) })) }));
	}

	/* ---- order ---- */

	function wantedBy(model, key) {
		const is = { ':': (kind) => kind.name === key.slice(1), '*': (kind) =>
			kind.group === key.slice(1) }[key[0]];
		const wanted = is && model.kinds.map(is);

		return wanted ? (segment) => wanted[segment.kind] : null;
	}

	function amountOf(model, row, key, by) {
		const { segments, sums } = model.rows[row];

		return key === 'by' ? amount(model, segments, (segment) => segment.by === by)
			: amount(model, sums, wantedBy(model, key));
	}

	function compareText(a, b) {
		return a < b ? -1 : a > b ? 1 : 0;
	}

	/* As C does: digits count as numbers. */
	function compareNames(a, b) {
		const digits = /\d+/y;
		let i = 0, k = 0;

		while (i < a.length && k < b.length) {
			digits.lastIndex = i;
			const x = digits.exec(a);

			digits.lastIndex = k;
			const y = x && digits.exec(b);

			if (y) {
				const [m, n] = [x, y].map((found) => found[0].replace(/^0+/, ''));

				if (m !== n)
					return m.length - n.length || compareText(m, n);
				i += x[0].length;
				k += y[0].length;
			} else if (a[i] !== b[k]) {
				return a[i] < b[k] ? -1 : 1;
			} else {
				i++;
				k++;
			}
		}
		return (i < a.length) - (k < b.length) || compareText(a, b);
	}

	function rowsOf(model, how) {
		const { rows } = model, sign = how.down ? -1 : 1, column = how.column || 0;
		const list = Array.from(rows.keys()).filter((row) => (!how.match || how.match[row]) &&
			(how.by === null || how.by === undefined || rows[row].segments.some((s) => s.by === how.by)));

		if (how.key === 'drawn')
			return how.down ? list.reverse() : list;
		if (how.key === 'name')
			return list.sort((a, b) => sign * compareNames(rows[a].name, rows[b].name) || a - b);
		const wanted = wantedBy(model, how.key), values = new Float64Array(rows.length);

		for (const row of list)
			values[row] = how.key === 'by' ? amountOf(model, row, 'by', how.by)[column]
				: amount(model, rows[row].sums, wanted)[column];
		return list.sort((a, b) => sign * (values[a] - values[b]) || a - b);
	}

	const isThread = (by) => by !== null && by !== OTHERS && by !== IDLE;

	/* The threads of a group's segments that have no part of their own. */
	function minorOf(sums, every) {
		const threads = Array.from(sums.keys()).filter(isThread);

		if (every || threads.length <= TOLD + 1)
			return new Set();
		return new Set(threads.sort((a, b) => sums.get(b) - sums.get(a) || compareNames(a, b)).slice(TOLD));
	}

	/* Segments of one kind as one. */
	function together(model, parts) {
		return Object.assign({}, parts[0], { by: null, values: amount(model, parts), parts: parts });
	}

	function orderedGroup(model, group, column, every) {
		const sums = new Map(), text = (s) => s.by || '';

		for (const { by, values } of group)
			sums.set(by, (sums.get(by) || 0) + values[column]);
		const minor = minorOf(sums, every), major = group.filter((s) => !minor.has(s.by));
		const rest = group.filter((s) => minor.has(s.by)).sort((a, b) => b.values[column] - a.values[column] ||
			compareNames(text(a), text(b)));

		major.sort((a, b) => sums.get(b.by) - sums.get(a.by) || compareNames(text(a), text(b)) ||
			a.kind - b.kind);
		return major.concat(model.kinds.map((kind, i) => rest.filter((s) => s.kind === i)).filter((parts) =>
			parts.length)
			.map((parts) => parts.length > 1 ? together(model, parts) : parts[0]));
	}

	function ordered(model, segments, column, every) {
		const groups = new Map();

		for (const s of segments.filter((one) => one.values[column] > 0).sort((a, b) => a.kind - b.kind)) {
			const { group } = model.kinds[s.kind], key = group === undefined || s.by === null &&
				group !== RUNNABLE ? s.kind : group;

			if (!groups.has(key))
				groups.set(key, []);
			groups.get(key).push(s);
		}
		return Array.from(groups.values()).flatMap((group) => orderedGroup(model, group, column, every));
	}

	/* ---- sums ---- */

	function byKind(model, rows) {
		const sums = new Array(model.kinds.length).fill(null);

		for (const row of rows) {
			for (const { kind, values } of model.rows[row].sums) {
				sums[kind] = sums[kind] || new Array(values.length).fill(0);
				add(model, sums[kind], values);
			}
		}
		return sums;
	}

	const mostFirst = (list) => list.sort((a, b) => b.values[0] - a.values[0] ||
		compareNames(a.name || '', b.name || '') || (a.row || 0) - (b.row || 0));

	/* The segments of a row follow each other. */
	function addVictim(model, one, row, values) {
		const last = one.found[one.found.length - 1];

		add(model, one.values, values);
		if (last && last.row === row)
			add(model, last.values, values);
		else
			one.found.push({ row: row, values: values.slice() });
	}

	/* Victims are sorted only when they are asked for: there may be hundreds of thousands. */
	function contender({ name, values, found }) {
		let sorted = null;

		return { name: name, values: values, count: found.length, get victims() {
			sorted = sorted || mostFirst(found);
			return sorted;
		} };
	}

	function contenders(model, rows) {
		const found = new Map();

		for (const row of rows) {
			for (const { by, values } of model.rows[row].segments) {
				if (by === null)
					continue;
				if (!found.has(by))
					found.set(by, { name: by, values: new Array(values.length).fill(0),
						found: [] });
				addVictim(model, found.get(by), row, values);
			}
		}
		return mostFirst(Array.from(found.values(), contender));
	}

	function takenBy(model, row) {
		return contenders(model, [row]).map(({ name, values }) => ({ name: name, values: values }));
	}

	/* "java-8513/" */
	const processOf = (name) => shown(name) === name ? name.slice(0, name.indexOf('/') + 1) : '';

	function mostProcess(model) {
		const counts = new Map();

		for (const { name } of model.rows)
			counts.set(processOf(name), (counts.get(processOf(name)) || 0) + 1);
		const [most, count] = Array.from(counts).reduce((a, b) => b[1] > a[1] ? b : a, ['', 0]);

		return count > 2 && count >= model.rows.length * MOST ? most : '';
	}

	function sortContenders(list, key, down, model) {
		const sign = down ? -1 : 1, column = model.columns.indexOf(key);

		return list.slice().sort((a, b) => sign * (key === 'name' ? compareNames(a.name, b.name)
			: key === 'victims' ? a.count - b.count : a.values[column] - b.values[column]) ||
			b.values[0] - a.values[0] || compareText(a.name, b.name));
	}

	return { decode, shown, compareNames, pooled, rowsOf, amount, amountOf, wantedBy, ordered, byKind, contenders,
		takenBy, mostProcess, sortContenders, RUNNABLE };
})();
