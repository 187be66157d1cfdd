/* heat_data: the events that travel inside a heat map, and their times.  Needs profile.js.
 *
 * Decodes what heat_code.c wrote (heat_code.h has the format).  Times are in ns from settings.origin, ticks in units of
 * settings.tick; all are whole numbers, and exact.
 *
 * decode(settings, text)       -> data; text: { names, colours, tree, stacks, events }.  By event,
 *                                 in order of time:
 *   count, tick                Uint32Array; Float64Array if ticks are too large for it
 *   stack                      Uint16Array, or Uint32Array
 *   value                      Float64Array; null: all values are settings.same
 *                                 By stack:
 *   stacks                     number of stacks
 *   frameOf, isIdle, recordingOf   its last frame in tree; 1 or 0; its number in settings.recordings
 *   hostOf                     by recording
 *   eventsOf, valueOf          Float64Array: number of its events, and the sum of their values
 *   names, colours, tree       the profile of all events, as profile.js decodes it
 * dimension(data, settings, name) -> { name, keys: [text], keyOf: Int32Array by stack (-1: none),
 *                                 events: Float64Array by key, without idle stacks };
 *                                 keys are sorted by events, most first, then by text; name may be "host" or "regexp"
 * stackText(data, stack)       -> "a;b;c"
 * match(data, names)           -> Uint8Array by stack: 1 if the stack has a frame for which names[name] is
 *                                 not 0 (search.js)
 * firstEvent(data, tick)       -> number of the first event at this tick or later
 * taken(data, choice)          -> Uint8Array by stack: 0: not chosen, 1: counts, 2: chosen, but idle; choice:
 *                                 see grid.js
 * spanNs(data, settings, i), longest(data, settings)   how long event i lasts, and the longest one
 * nsOf(settings, tick)         -> the first whole ns in the tick
 * tickAt(settings, ns)         -> the first tick that begins at ns or later
 * unit(settings)              -> how values are shown (number.js)
 * scaled(n, num, den)          -> n * num / den rounded down, always exact; whole numbers, n at least -2^53
 * clock(settings, zone)        -> how times are written; zone: "own" (the picture's), "UTC", "local"
 *                                 (the browser's)
 *   .text(ns, digits)          "10:15:02.014"; digits: after the decimal point, -1: no seconds
 *   .date(ns), .full(ns)       "2026-11-21", "2026-11-21 10:15:02.014 UTC"
 *   .label, .offset            "UTC"; ns to be added to UTC, at the time when the picture begins
 *                                 Without a wall clock, times are counted from settings.origin. */
pyrograph.heat = pyrograph.heat || {}; /* another picture in the page may already have made it */

pyrograph.heat.data = (function () {
	'use strict';

	const P = pyrograph.profile;
	const FIRST_DIGIT = 63, SAFE = Number.MAX_SAFE_INTEGER;
	const HEAD = 0, MORE = 1, STACK = 2, VALUE = 3; /* the meaning of the next number */

	/* ---- times ---- */

	function scaled(n, num, den) {
		const whole = Math.floor(n / den), rest = n - whole * den;

		if (den * num <= SAFE && Math.abs(whole * num) <= SAFE)
			return whole * num + Math.floor(rest * num / den);
		const product = BigInt(n) * BigInt(num), by = BigInt(den), quotient = product / by;

		return Number(product < 0n && quotient * by !== product ? quotient - 1n : quotient);
	}

	function nsOf(settings, tick) {
		const [num, den] = settings.tick;

		return den === 1 ? tick * num : 0 - scaled(-tick, num, den);
	}

	function tickAt(settings, ns) {
		const [num, den] = settings.tick;

		return scaled(ns - 1, den, num) + 1;
	}

	/* ---- decoding ---- */

	/* Reads all numbers of text, at most count. */
	function numbers(text, count) {
		const all = new Float64Array(count);
		let at = 0, i = 0;

		for (; i < count && at < text.length; i++) {
			let scale = 1, code;

			do {
				code = text.charCodeAt(at++) - FIRST_DIGIT;
				all[i] += (code & 31) * scale;
				scale *= 32;
			} while (code & 32);
		}
		return all;
	}

	function decodeStacks(settings, text) {
		const count = settings.stacks, step = settings.recordings.length > 1 ? 2 : 1;
		const all = numbers(text.replace(/\n/g, ''), count * step), frames = settings.flame.frames;
		const stacks = { frameOf: new Uint32Array(count), isIdle: new Uint8Array(count),
			recordingOf: new Uint16Array(count) };

		for (let s = 0; s < count; s++) {
			stacks.frameOf[s] = Math.min(Math.floor(all[step * s] / 2), frames - 1);
			stacks.isIdle[s] = all[step * s] % 2;
			stacks.recordingOf[s] = step > 1 ? Math.min(all[step * s + 1], settings.recordings.length - 1)
				: 0;
		}
		return stacks;
	}

	/* Makes the arrays for the events, of the smallest type that is large enough. */
	function store(settings) {
		const count = settings.events, large = tickAt(settings, settings.window[1] + 1) >= 4294967296;

		return {
			count, tick: large ? new Float64Array(count) : new Uint32Array(count),
			stack: settings.stacks > 65536 ? new Uint32Array(count) : new Uint16Array(count),
			value: settings.same === undefined ? new Float64Array(count) : null,
		};
	}

	/* Reads one number after the other; what a number means depends on those before it. */
	function decodeEvents(settings, bytes, events) {
		const { count, tick, stack, value } = events, stacks = settings.stacks, length = bytes.length;
		const one = Math.pow(2, settings.group), most = one - 1, mask = one - 1, group = settings.group;
		let at = 0, i = 0, left = 0, now = 0, state = HEAD;

		while (i < count && at < length) {
			let code = bytes[at++] - FIRST_DIGIT;

			if (code < 0) /* the end of a line */
				continue;
			let n = code & 31;

			for (let scale = 32; code >= 32 && at < length; scale *= 32) {
				code = bytes[at++] - FIRST_DIGIT;
				n += (code & 31) * scale;
			}
			if (state === STACK) {
				tick[i] = now;
				stack[i] = n < stacks ? n : 0;
				if (value) {
					state = VALUE;
				} else {
					i++;
					state = --left ? STACK : HEAD;
				}
			} else if (state === VALUE) {
				value[i++] = n;
				state = --left ? STACK : HEAD;
			} else if (state === HEAD) {
				const small = n < 2147483648 ? n & mask : n % one;

				now += n < 2147483648 ? n >>> group : Math.floor(n / one);
				left = small + 1;
				state = small === most ? MORE : STACK;
			} else {
				left = n + one;
				state = STACK;
			}
		}
		return i;
	}

	function sums(data, settings) {
		const { count, stack, value, eventsOf, valueOf } = data;

		for (let i = 0; i < count; i++)
			eventsOf[stack[i]]++;
		for (let i = 0; value && i < count; i++)
			valueOf[stack[i]] += value[i];
		for (let s = 0; !value && s < valueOf.length; s++)
			valueOf[s] = eventsOf[s] * settings.same;
	}

	/* Keeps the events of a truncated file. */
	function cut(events, count) {
		for (const key of ['tick', 'stack', 'value'])
			events[key] = events[key] && events[key].subarray(0, count);
		events.count = count;
	}

	function decode(settings, text) {
		const events = store(settings), bytes = new TextEncoder().encode(text.events);
		const found = settings.stacks ? decodeEvents(settings, bytes, events) : 0;

		if (found < events.count)
			cut(events, found);
		const data = Object.assign(events, decodeStacks(settings, text.stacks), {
			stacks: settings.stacks,
			eventsOf: new Float64Array(settings.stacks), valueOf: new Float64Array(settings.stacks),
			names: P.decodeNames(text.names, settings.flame.names),
			colours: P.decodeColours(text.colours, settings.flame.names),
			tree: P.decodeTree(text.tree, settings.flame),
			hostOf: settings.recordings.map((r) => r.host),
			dimensions: new Map(),
		});

		sums(data, settings);
		return data;
	}

	/* ---- stacks ---- */

	function stackText(data, stack) {
		const { tree, names } = data, texts = [];

		for (let f = data.frameOf[stack]; f; f = tree.parent[f])
			texts.unshift(names[tree.name[f]]);
		return texts.join(';');
	}

	function match(data, names) {
		const { tree, frameOf } = data, has = new Uint8Array(tree.count);

		for (let f = 1; f < tree.count; f++)
			has[f] = has[tree.parent[f]] || names[tree.name[f]] ? 1 : 0;
		return Uint8Array.from(frameOf, (f) => has[f]);
	}

	/* By stack: the text of its frame at this place above the root, or null. */
	function textsAt(data, placeOf) {
		const { tree, names } = data;

		return Array.from(data.frameOf, (end, s) => {
			const depth = placeOf(data.recordingOf[s]) + 1;
			let f = end;

			while (tree.depth[f] > depth)
				f = tree.parent[f];
			return f && depth && tree.depth[f] === depth ? names[tree.name[f]] : null;
		});
	}

	function regexpOf([label, source]) {
		try {
			const re = new RegExp(source);

			re.test(''); /* browsers compile a pattern at its first use, and it may be too large */
			return { label, re };
		} catch (e) {
			return { label, re: null }; /* valid only in other dialects of regular expressions */
		}
	}

	/* By stack: the label of the first pattern that matches. */
	function textsOfRegexps(data, regexps) {
		const all = regexps.map(regexpOf);

		return Array.from(data.frameOf, (unused, s) => {
			const text = stackText(data, s), found = all.find(({ re }) => re && re.test(text));

			return found ? found.label : null;
		});
	}

	function textsOf(data, settings, name) {
		const number = settings.dimensions.findIndex((d) => d[0] === name);
		const place = number < 0 ? -1 : settings.dimensions[number][1];
		const places = settings.recordings.map((r) => r.places ? r.places[number] : place);

		if (name === 'regexp')
			return textsOfRegexps(data, settings.regexps || []);
		if (name === 'host' && place < 0)
			return Array.from(data.recordingOf, (r) => settings.recordings[r].host);
		return textsAt(data, (recording) => places[recording]);
	}

	/* Sorts texts in the order of their UTF-8 bytes. */
	function byText(a, b) {
		const x = Array.from(a), y = Array.from(b);
		let i = 0;

		while (i < x.length && x[i] === y[i])
			i++;
		return (i < x.length ? x[i].codePointAt(0) : -1) - (i < y.length ? y[i].codePointAt(0) : -1);
	}

	function makeDimension(data, settings, name) {
		const texts = textsOf(data, settings, name), events = new Map();

		texts.forEach((text, s) => {
			if (text !== null)
				events.set(text, (events.get(text) || 0) + (data.isIdle[s] ? 0 : data.eventsOf[s]));
		});
		const keys = Array.from(events.keys()).sort((a, b) => events.get(b) - events.get(a) || byText(a, b));
		const numbers = new Map(keys.map((key, k) => [key, k]));

		return {
			name, keys, keyOf: Int32Array.from(texts, (text) => text === null ? -1 : numbers.get(text)),
			events: Float64Array.from(keys, (key) => events.get(key)),
		};
	}

	function dimension(data, settings, name) {
		const id = name === 'regexp' ? name + JSON.stringify(settings.regexps) : name;

		if (!data.dimensions.has(id))
			data.dimensions.set(id, makeDimension(data, settings, name));
		return data.dimensions.get(id);
	}

	/* ---- events ---- */

	function firstEvent(data, wanted) {
		const tick = data.tick;
		let low = 0, high = data.count;

		while (low < high) {
			const middle = (low + high) >>> 1;

			if (tick[middle] < wanted)
				low = middle + 1;
			else
				high = middle;
		}
		return low;
	}

	function taken(data, choice) {
		const { stacks = null, recording = -1, idle = false } = choice || {},
			take = new Uint8Array(data.stacks);
		const host = recording >= 0 ? data.hostOf[recording] : null;

		for (let s = 0; s < take.length; s++) {
			if ((!stacks || stacks[s]) && (host === null || data.hostOf[data.recordingOf[s]] === host))
				take[s] = data.isIdle[s] && !idle ? 2 : 1;
		}
		return take;
	}

	/* The greatest length of a span, by which spans are found that begin before a window and reach into it. */
	function longest(data, settings) {
		if (data.longest === undefined) {
			data.longest = data.value ? 0 : settings.same;
			for (let i = 0; data.value && i < data.count; i++)
				data.longest = Math.max(data.longest, data.value[i]);
		}
		return data.longest;
	}

	function spanNs(data, settings, i) {
		const value = data.value ? data.value[i] : settings.same;

		return settings.decimals ? Math.floor(value / Math.pow(10, settings.decimals)) : value;
	}

	/* ---- times of the day ---- */

	const NS = 1e9, NS_MS = 1e6;

	const padded = (n, digits) => String(n).padStart(digits, '0');

	/* Whole seconds since the epoch, and the ns after them. */
	function split(settings) {
		const origin = BigInt(settings.relative ? 0 : settings.origin), second = Number(origin / 1000000000n),
			rest = Number(origin % 1000000000n);

		return (ns) => {
			const t = rest + Math.round(ns), more = Math.floor(t / NS);

			return { second: second + more, ns: t - more * NS };
		};
	}

	/* Returns a Date whose UTC fields show the time in the browser's own zone. */
	function localDate(ms) {
		return new Date(ms - new Date(ms).getTimezoneOffset() * 60000);
	}

	function localLabel(ms) {
		const part = new Intl.DateTimeFormat('en-GB', { timeZoneName: 'short' }).formatToParts(new Date(ms))
			.find(({ type }) => type === 'timeZoneName');

		return part ? part.value : 'local time';
	}

	/* The number of digits that distinguishes ticks. */
	function digitsOf([num, den]) {
		let digits = 9;

		for (let ns = num / den; digits && ns >= 10; ns /= 10)
			digits--;
		return digits;
	}

	function clock(settings, zone) {
		const at = split(settings), [, label, own] = zone === 'UTC' || settings.relative ? ['UTC', 'UTC', 0]
			: settings.zone;
		const isLocal = zone === 'local' && !settings.relative, digits = digitsOf(settings.tick);
		const begin = at(0).second * 1000;

		function iso(ns) {
			const t = at(ns), ms = t.second * 1000 + Math.floor(t.ns / NS_MS);

			return (isLocal ? localDate(ms) : new Date(ms + own / NS_MS)).toISOString();
		}
		function text(ns, wanted) {
			const day = iso(ns).slice(11, wanted < 0 ? 16 : 19);

			return wanted > 0 ? day + '.' + padded(at(ns).ns, 9).slice(0, wanted) : day;
		}
		const date = (ns) => iso(ns).slice(0, 10);
		const shown = isLocal ? localLabel(begin) : settings.relative ? 'from the start on' : label;

		return {
			text, date, label: shown,
			offset: isLocal ? (localDate(begin) - begin) * NS_MS : own,
			full: (ns) => settings.relative ? text(ns, digits) : `${date(ns)} ${text(ns, digits)} ${shown}`,
		};
	}

	const TIMES = { ns: 1, us: 1e3, ms: 1e6, s: 1e9 };

	/* Values in us, ms and s are shown as lengths of time, like those in ns. */
	function unit(settings) {
		const factor = TIMES[settings.unit];

		return { unit: factor ? 'ns' : settings.unit || '', decimals: settings.decimals || 0, factor: factor ||
			1 };
	}

	return { unit, decode, dimension, stackText, match, firstEvent, taken, spanNs, longest, nsOf, tickAt, scaled,
		clock };
})();
