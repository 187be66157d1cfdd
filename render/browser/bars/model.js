/* bars_model: the data of a chart of bars: rows of segments, and everything that is computed from
 * the rows.  Pure: knows nothing of a page.
 *
 * decode(data)      -> model; data: the JSON in the picture (#bars)
 *     kind          "states" or "tenancy"
 *     columns       ["time", "count", "longest", ...]: the order of a segment's values.  When segments
 *                   are put together, "longest" is the greatest of the values; the others are added up
 *     unit, decimals   of the first column and of "longest": their values are in units of 10^-decimals
 *     window        the value of a whole bar, in units of the column whose number is measure
 *     steps         [{ from, text, rgb, safe }]: colours by the longest time of a segment; may be empty
 *     fullGroup     the group of kinds that full belongs to
 *     full          the same, of a chart whose rows may have much more: 0, or the most of what it is about
 *     kinds         [{ name, label, group, graded, rgb, safe }]; graded: steps are about it
 *     threads       "rows" or "kinds": which of the two are threads
 *     rows          [{ name, members, note, segments: [{ kind, by, values }], sums: [{ kind, values }] }];
 *                   by: text or null; sums: one entry for each kind that the row has
 *     hasBys        whether any segment has a by
 * shown(name)      -> the name as the reader sees it.  A main thread is shown by one name: "spin-4711/spin"
 *     and "spin-4711/spin-4711" become "spin-4711"
 * pooled(model)     -> model in which rows whose names differ only in the number at the end are one row
 * rowsOf(model, how)  -> Array of row numbers, filtered and sorted.  how: { match (null, or an array by
 *     row), by (null, or a name: only rows that waited for it), key, down, column }
 *     key: "drawn", "name", "total", "longest", ":kind", "*group", "by"
 * stepOf(model, values) -> the step of the longest of these values
 * amount(model, segments, wanted) -> the added values of the segments for which wanted() is true, or of all
 * amountOf(model, row, key, by) -> the added values of the segments of row that the sort key is about; with
 *     the key "by": of the waits for by
 * wantedBy(model, key) -> the function wanted(segment or sum) for a key of kinds; null: all are wanted
 * ordered(model, segments, column, every) -> segments in the order of a bar, which is that of bars_pieces():
 *     within a group, the segments of one thread are together, and the thread that took most is first.
 *     Only the first TOLD threads have their own segments; the others' become one segment for each kind,
 *     with by: null and parts: the threads' segments, largest first.  every: all have their own
 * byKind(model, rows) -> [values or null, ...] by kind: the sums over all these rows
 * contenders(model, rows) -> [{ name, values, count, victims: [{ row, values }] }]: who took the CPU
 *     from which rows, the one that took most first; count: the number of victims
 * mostProcess(model)   -> "java-8513/" if most rows are threads of this process, "" otherwise
 * takenBy(model, row)  -> [{ name, values }]: who took the CPU from this row, the one that took most first
 * sortContenders(list, key, down, model) -> sorted copy; key: "name", "victims" or the name of a column */
pyrograph.bars = pyrograph.bars || {};

pyrograph.bars.model = (function () {
	'use strict';

	const POOL = /\d+$/, RUNNABLE = 'runnable', IDLE = '[idle]', OTHERS = '[others]', LIMIT = '[limit: ',
		TOLD = 4, MOST = 0.6;

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
		window: data.window, full: data.full || 0, fullGroup: data.full_group || '',
		steps: data.steps || [], measure: Math.max(0, columns.indexOf(data.measure)),
		threads: /(^|,)thread$/.test(data.roots || '') ? 'kinds' : 'rows',
		kinds: data.kinds.map((kind) => ({ ...kind,
			name: kind.name === IDLE && kind.label || call(kind.name) })), rows: rows });
	}

	/* The same name as timeline_label_add() makes. */
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

	/* Makes one sum for each kind, in the order in which the kinds first occur. */
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

	/* Is this a main thread, such as "spin-4711/spin", or with the same text on both sides of the slash? */
	function isAlone(process, comm) {
		return process !== '' && (process === comm ||
			comm !== '' && process.startsWith(comm + '-') && /^\d+$/.test(process.slice(comm.length + 1)));
	}

	/* The same as bars_shown_len().  In "kworker/1:2-77/kworker/1:2", any of the slashes may be the one between
	 * process and thread. */
	function shown(name) {
		const from = name.lastIndexOf(';') + 1;

		for (let at = name.indexOf('/', from); at >= 0; at = name.indexOf('/', at + 1)) {
			if (isAlone(name.slice(from, at), name.slice(at + 1)))
				return name.slice(0, at);
		}
		return name;
	}

	/* into += values; of "longest", the greater value is kept. */
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

	/* The names of all rows, and of all threads that segments waited for. */
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

	/* Returns a Map of name -> "worker-*" for names whose pool has several members.  In "spin-4711/spin", the
	 * number that varies is that of the process. */
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

	/* In charts by CPU the kinds are threads, so the kinds are pooled.  Returns { kinds: the pools, the largest
	 * first; of: by number of a kind, the number of its pool }. */
	function pooledKinds(model) {
		const pool = poolNames(model.kinds.map((kind) => kind.name)), found = new Map();
		const sums = byKind(model, Array.from(model.rows.keys()));

		model.kinds.forEach((kind, i) => {
			const name = pool.get(kind.name), more = name === kind.name ? { name: name }
				: { name: name, label: name, word: null };

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
			kind.group === key.slice(1), l: (kind) => kind.graded /* longest */ }[key[0]];
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

	/* The same order as in C: digits are compared as numbers. */
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
		const of = how.key === 'longest' ? model.columns.indexOf('longest') : column;

		for (const row of list)
			values[row] = how.key === 'by' ? amountOf(model, row, 'by', how.by)[column]
				: amount(model, rows[row].sums, wanted)[of];
		return list.sort((a, b) => sign * (values[a] - values[b]) || a - b);
	}

	function stepOf({ steps, columns }, values) {
		const longest = values[columns.indexOf('longest')];

		return steps.filter(({ from }) => from <= longest).pop();
	}

	const isThread = (by) => by !== null && by !== OTHERS && by !== IDLE;

	/* The threads whose segments in this group are too small to be shown one by one. */
	function minorOf(sums, every) {
		const threads = Array.from(sums.keys()).filter(isThread);

		if (every || threads.length <= TOLD + 1)
			return new Set();
		return new Set(threads.sort((a, b) => sums.get(b) - sums.get(a) || compareNames(a, b)).slice(TOLD));
	}

	/* Makes one segment of several that have the same kind. */
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

	/* The segments of a row come one after the other, so this row can only be the last one found. */
	function addVictim(model, one, row, values) {
		const last = one.found[one.found.length - 1];

		add(model, one.values, values);
		if (last && last.row === row)
			add(model, last.values, values);
		else
			one.found.push({ row: row, values: values.slice() });
	}

	/* Victims are sorted only on request, since there may be hundreds of thousands. */
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
				if (by === null || by.startsWith(LIMIT))
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

	/* The process of a thread, with the slash: "java-8513/". */
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

	return { decode, shown, compareNames, pooled, rowsOf, stepOf, amount, amountOf, wantedBy, ordered, byKind,
		contenders, takenBy, mostProcess, sortContenders, RUNNABLE };
})();
