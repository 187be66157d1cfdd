/* timeline_data: the spans that travel inside a timeline.  Pure.
 *
 * Decodes what timeline_code.c wrote (timeline_code.h has the format).
 *
 * decode(settings, stacks, spans, traces, samples) -> data, a struct of arrays; the spans of row r, sorted by
 *                              time, are first[r] .. first[r + 1] - 1
 *   start, time                Float64Array by span, in ns; start is counted from the window's start
 *   stack                      Uint32Array by span: the number of its stack
 *   more                       Map: span -> { count, longest, migrations }
 *   rowOf, kindOf              Uint32Array by stack
 *   trace                      Int32Array by stack: the number of its frames in traces, or -1
 *   lineOf(stack)              its line, without time and values
 *   samples                    { at, stack, first }: like spans; moments at which a running thread's stack was taken
 *   gaps                       by row: { kind, part, from, to } of what the time between spans shows, which is in
 *                              from..to; or null
 *   isDull                     by kind: a wait for work, or for time to pass
 *   by                         by stack: who had the CPU that the stack waits for, or ''
 *   isIdle, isWaiting, isRunning   by kind
 *   rows                       how many rows are shown; hidden ones, of idle time, follow
 * HELD                      kinds of wait that are ended by whoever had what the thread waited for
 * shortName(settings, name) -> the name without the process to which most threads belong */
pyrograph.timeline = {};

pyrograph.timeline.data = (function () {
	'use strict';

	const STACK = 1, MORE = 2, BEFORE = 4, { plainName, reader } = pyrograph.profile;

	function decodeStacks(text) {
		const texts = [], rows = [], kinds = [], traces = [];

		for (let at = 0, end; at < text.length; at = end + 1) {
			end = text.indexOf('\n', at);
			end = end < 0 ? text.length : end;
			const line = text.slice(at, end), first = line.indexOf(' '),
				second = line.indexOf(' ', first + 1);

			const [kind, trace = '-1'] = line.slice(first + 1, second).split('/');

			if (line[0] === '/') { /* another trace of the stack before */
				rows.push(rows[rows.length - 1]);
				kinds.push(kinds[kinds.length - 1]);
				texts.push(texts[texts.length - 1]);
				traces.push(Number(line.slice(1)));
				continue;
			}
			rows.push(Number(line.slice(0, first)));
			kinds.push(Number(kind));
			traces.push(Number(trace));
			texts.push(line.slice(second + 1));
		}
		return { texts, rowOf: Uint32Array.from(rows), kindOf: Uint32Array.from(kinds),
			trace: Int32Array.from(traces) };
	}

	/* A trace begins with some of the frames of the one before it. */
	function decodeTraces(text) {
		const traces = [];
		let before = [];

		for (let at = 0, end; at < text.length; at = end + 1) {
			end = text.indexOf('\n', at);
			end = end < 0 ? text.length : end;
			const blank = text.indexOf(' ', at), shared = Number(text.slice(at, blank));

			const rest = text.slice(blank + 1, end);

			before = before.slice(0, shared).concat(rest ? rest.split(';') : []);
			traces.push(before);
		}
		return traces;
	}

	function decodeSamples(settings, text) {
		const counts = settings.samples || [], first = new Uint32Array(settings.rows.length + 1);
		const all = counts.reduce((sum, n) => sum + n, 0), { number } = reader(text);
		const at = new Float64Array(all), stack = new Uint32Array(all);
		let i = 0;

		counts.forEach((count, row) => {
			let before = 0;

			first[row] = i;
			for (; count > 0; count--, i++) {
				before += number();
				at[i] = before;
				stack[i] = number();
			}
		});
		first.fill(i, counts.length);
		return { at, stack, first };
	}

	function decode(settings, stacksText, text, tracesText = '', samplesText = '') {
		const stacks = decodeStacks(stacksText), count = settings.spans, rows = settings.rows.length;
		const start = new Float64Array(count), time = new Float64Array(count), stack = new Uint32Array(count);
		const first = new Uint32Array(rows + 1), more = new Map();
		const { digit, rest, number } = reader(text);
		let flags = 0, before = 0, i = 0;

		/* Reads a number whose last three bits are flags.  The flags are split off first, because the number
		 * with its flags may be too large to be exact. */
		function gap() {
			const code = digit();

			flags = code & 7;
			return rest(code >> 3 & 3, 4, code);
		}
		for (let r = 0; r < rows; r++) {
			let end = 0;

			first[r] = i;
			for (let left = settings.rows[r][2]; left > 0; left--, i++) {
				const away = gap();

				start[i] = flags & BEFORE ? end - away : end + away;
				if (flags & STACK)
					before = number();
				stack[i] = before;
				time[i] = number();
				if (flags & MORE)
					more.set(i, { count: number(), longest: number(), migrations: number() });
				end = start[i] + time[i];
			}
		}
		first[rows] = i;
		const flag = (word) => settings.kinds.map((kind) => kind[4] === word);
		const by = stacks.texts.map((text) => settings.byPlace === undefined ? ''
			: usurper(text.split(';')[settings.byPlace] || ''));

		const traces = decodeTraces(tracesText);

		const lineOf = (number) => stacks.texts[number] +
			(stacks.trace[number] < 0 ? '' : ';' + traces[stacks.trace[number]].join(';'));

		const gaps = settings.rows.map((row, i) => (settings.gaps || [])[i] || null).map((one) =>
			one && { kind: one[0], part: one[1] / 1000, from: one[2], to: one[3] });

		return { start, time, stack, first, more, ...stacks, by, traces, lineOf, gaps,
			samples: decodeSamples(settings, samplesText), isDull: flag('dull'), isIdle: flag('idle'),
			isWaiting: flag('waiting'), isRunning: flag('running'), rows: rows - settings.hidden };
	}

	/* ---- words ---- */

	/* "spin-4711/spin" is shown as "spin-4711", by the rule of bars_shown_len(). */
	function shownName(name) {
		const slash = name.indexOf('/');

		for (let at = slash; at >= 0; at = name.indexOf('/', at + 1)) {
			if (name.slice(0, at).replace(/-\d+$/, '') === name.slice(at + 1))
				return name.slice(0, at);
		}
		return name;
	}
	const NOBODY = { '[idle]': 'an idle CPU', '[others]': 'threads not told apart' };
	const LIMIT = '[limit: ';
	const usurper = (name) => Object.hasOwn(NOBODY, name) ? NOBODY[name]
		: name.startsWith(LIMIT) ? 'the CPU limit (' + name.slice(LIMIT.length, -1) + ')'
			: plainName(shownName(name));

	const HELD = ['lock', 'another thread'];

	function shortName(settings, name) {
		const process = settings.process && plainName(settings.process);

		return process && name.length > process.length && name.startsWith(process) ? name.slice(process.length)
			: name;
	}

	return { decode, decodeTraces, shortName, HELD };
})();
