/* bars_text: the words of a chart of bars: names, numbers, sentences, tables.  Pure.
 *
 * name(text)             -> the name as the reader sees it: "[others]" becomes words, and characters that would
 *                           turn the direction of writing become U+FFFD
 * rowName(row)           -> the name with the number of a pool's members: "worker-* \u00d712"
 * value(model, v)        -> "1.234 s", "17.25 MB": a value of the first column or of "longest"
 * column(model, k, v)    -> a value of column k: "1,203 times"
 * axis(model, k, tick, top) -> "2.5 s", "0": the label of a tick
 * head(model, k)         -> a column's name as a heading
 * share(part, whole)     -> "12.34%"
 * kindText(model, segment) -> "preempted", "CPU 7"
 * byText(segment)        -> for whom the row waited: "spin-b-4712", "37 more threads"; "" if for nobody
 * isThreadOf(by)         -> whether by is "process/thread", and not the only thread of a process
 * near(by, row)          -> the name of by, without its process if the row called row is of the same process
 * within(name, process)  -> the name without process ("java-8513/"), unless nothing would be left
 * noteText(model, number, k) -> the note of a row: "4.98 s: 67% spin-b-4712, 30% spin-a-4711"; "" if the row
 *                           did not wait; k: the column, time or count
 * figures(model, row, segment) -> [[label, text], ...] about a segment, or about the row if there is no segment
 * describe(model, row, segment) -> the same in one line, with the names of both
 * rowsTable(model, rows), contendersTable(model, list) -> [[cell, ...], ...], with numbers as plain digits
 * csv(table), tsv(table) -> text; a name that a spreadsheet would take for a formula gets a
 *                           "'" before it */
pyrograph.bars.text = (function () {
	'use strict';

	const P = pyrograph.profile, N = pyrograph.number;
	const UNITS = [[1e9, 's'], [1e6, 'ms'], [1e3, '\u00b5s']];
	const COUNTS = { count: 'times', migrations: 'migrations' };
	const HEADS = { time: 'Time', count: 'Count', longest: 'Longest', migrations: 'Migrations' };

	/* Shown in place of a count: the part of a wait that was counted elsewhere, and a span that goes on. */
	const NO_COUNT = '\u2013';

	/* The names for which bars_by_add() writes words.  Any other text in brackets is a name. */
	const BYS = new Map([['[others]', 'threads not told apart'], ['[idle]', 'an idle CPU']]);
	const IDLE = '[idle]', LIMIT = '[limit: ', NOTED = 3, NOTED_SHARE = 0.05;

	const isLimit = (by) => by !== null && by.startsWith(LIMIT);
	const name = (text) => BYS.get(text) || (isLimit(text)
		? 'the CPU limit (' + text.slice(LIMIT.length, -1) + ')'
		: P.baseName(pyrograph.bars.model.shown(text)));
	const rowName = (row) => name(row.name) + (row.members > 1 ? ' \u00d7' + row.members : '');

	const value = (model, v) => N.valueText({ unit: model.unit, decimals: model.decimals, factor: 1 }, v);

	function column(model, k, v) {
		const what = model.columns[k];

		if (!(what in COUNTS))
			return value(model, v);
		return v.toLocaleString('en') + ' ' + (v === 1 ? COUNTS[what].replace(/s$/, '') : COUNTS[what]);
	}

	/* The label of a tick on an axis that ends at top, which decides the unit of all ticks. */
	function axis(model, k, tick, top) {
		const ns = Math.pow(10, model.decimals), unit = k === 0 && model.unit === 'ns' &&
			UNITS.find(([of]) => top / ns >= of);

		if (!unit)
			return (k === 0 ? tick / ns : tick).toLocaleString('en') +
				(k === 0 && tick ? ' ' + model.unit : '');
		return Number((tick / ns / unit[0]).toFixed(3)).toLocaleString('en') + (tick ? ' ' + unit[1] : '');
	}

	const head = (model, k) => k === 0 && model.unit !== 'ns' ? model.unit.charAt(0).toUpperCase() +
		model.unit.slice(1)
		: HEADS[model.columns[k]] || model.columns[k];
	const share = N.percentText;
	const kindName = (kind) => name(kind.word || kind.name);
	const kindText = (model, segment) => kindName(model.kinds[segment.kind]);

	const byText = (segment) => segment.parts ? segment.parts.length.toLocaleString('en') + ' more threads'
		: segment.by === null ? '' : name(segment.by);

	const within = (text, process) => process && text.startsWith(process) &&
		pyrograph.bars.model.shown(text).length > process.length
		? P.baseName(text.slice(process.length)) : name(text);
	const isThreadOf = (by) => by !== null && by.includes('/') && pyrograph.bars.model.shown(by) === by;
	const near = (by, row) => {
		const process = by.slice(0, by.indexOf('/') + 1);

		return row.startsWith(process) ? within(by, process) : name(by);
	};

	function percent(part, whole) {
		const n = Math.round(part * 100 / whole);

		return !n ? '<1 %' : n === 100 && part < whole ? '>99 %' : n + ' %';
	}

	/* The same text as states_words.c writes. */
	function noteText(model, number, k = 0) {
		const M = pyrograph.bars.model, row = model.rows[number],
			all = M.amountOf(model, number, '*' + M.RUNNABLE)[k];
		const taken = all ? M.takenBy(model, number) : [];

		if (k)
			taken.sort((a, b) => b.values[k] - a.values[k]);
		return !all ? '' : column(model, k, all) + taken.slice(0, NOTED).filter(({ values }, i) =>
			values[k] && (!i || values[k] >= NOTED_SHARE * all)).map((one, i) =>
			(i ? ', ' : ': ') + percent(one.values[k], all) + ' ' + near(one.name, row.name)).join('');
	}

	function figures(model, row, segment) {
		const values = segment ? segment.values : row.values, whole = model.measure === 0
			? model.window * row.members : 0;
		const out = [[head(model, 0).toLowerCase(), value(model, values[0])]];

		if (segment)
			out.push(['of its row', share(values[0], row.values[0])]);
		if (whole)
			out.push([row.members > 1 ? 'of the window, of all ' + row.members : 'of the window',
				share(values[0], whole)]);
		for (let k = 1; k < values.length; k++) {
			if (values[k] || !values[0] || model.columns[k] !== 'count')
				out.push([head(model, k).toLowerCase(), column(model, k, values[k])]);
		}
		return out;
	}

	function describe(model, row, segment) {
		const [[, time], ...others] = figures(model, row, segment);
		const words = others.map(([label, text]) => /^(of|longest)/.test(label)
			? (label === 'longest' ? label + ' ' + text
				: text + ' ' + label) : text);

		return rowName(row) + ': ' + (segment ? kindText(model, segment) + (byText(segment) && ' for ' +
			byText(segment)) + ', ' : '') + [time].concat(words).join(', ');
	}

	/* ---- tables ---- */

	function rowsTable(model, rows) {
		const kinds = model.kinds.map((kind) => kind.name), unit = model.unit ? ' [' + model.unit + ']' : '';
		const table = [[model.threads === 'kinds' ? 'cpu' : 'thread', 'members', 'total' + unit,
			...kinds.map((kind) => name(kind) + unit)]];

		for (const r of rows) {
			const row = model.rows[r], sums = kinds.map(() => 0);

			for (const segment of row.segments)
				sums[segment.kind] += segment.values[0];
			table.push([row.name, row.members, row.values[0], ...sums]);
		}
		return table;
	}

	function contendersTable(model, list) {
		const table = [['contender', 'took from', ...model.columns.map((c, k) =>
			c in COUNTS ? c : head(model, k).toLowerCase() + (model.unit ? ' [' + model.unit + ']' : ''))]];

		for (const one of list) {
			for (const { row, values } of one.victims)
				table.push([one.name, model.rows[row].name, ...values]);
		}
		return table;
	}

	/* A spreadsheet would run a cell that begins with one of these characters. */
	const harmless = (cell) => typeof cell === 'string' && /^[=+\-@\t\r]/.test(cell) ? '\'' + cell : String(cell);
	const quoted = (text) => /[",\r\n]/.test(text) ? '"' + text.replace(/"/g, '""') + '"' : text;
	const lines = (table, separator, cellOf) => table.map((cells) =>
		cells.map((cell) => cellOf(harmless(cell))).join(separator) + '\n').join('');

	return { IDLE, NO_COUNT, isLimit, name, rowName, value, column, axis, head, share, kindName, kindText,
		byText, within, isThreadOf, near, noteText, figures, describe, rowsTable, contendersTable,
		csv: (table) => lines(table, ',', quoted), tsv: (table) =>
			lines(table, '\t', (text) => text.replace(/[\t\r\n]/g, ' ')) };
})();
