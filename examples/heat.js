/* pyrograph render: the script of the charts that refer to it */
(function pyrographScript() {
var pyrograph = self.pyrograph = self.pyrograph || {};
/* number: counts, shares and lengths of time for human readers (core/amount.h, render/profile/number.h); the scripts of
 * all charts use this file.
 *
 * countText(n)                 -> "1,234,567"
 * durationText(ns)             -> "23.1 s", "144 ms", "981 ns"
 * valueText(unit, value)       -> "1,234 samples", "1 sample", "17.3 s"; unit: { unit, decimals,
 *                                 factor }.  Values of 1,000 ns or more are written as a length of time,
 *                                 values of 1,024 bytes or more as a size: "17.3 MiB"
 * exactText(unit, value)       -> the same without rounding: "23.1 s (23,090,858,348 ns)"
 * bareText(unit, value)        -> the same as valueText(), for places where the unit is known: "1,234", "17.3";
 *                                 a length of time keeps its unit, because that varies
 * quantityText(value, parts)    -> value / parts with three digits: "91.4", "1,234"
 * percentText(part, whole)     -> "12.3 %", "1.25 %", "50 %", "under 0.01 %" */
var pyrograph = pyrograph || {}; /* charts of several kinds in one page share it */

pyrograph.number = (function () {
	'use strict';

	const FACTOR_DECIMALS_MAX = 12, NS_LEAST = 1000;
	const TIMES = [[999500000, 1e9, 's'], [999500, 1e6, 'ms'], [NS_LEAST, 1e3, '\u00b5s']];
	const BYTES_LEAST = 1024, SIZES = ['EiB', 'PiB', 'TiB', 'GiB', 'MiB', 'KiB'].map((name, i) => {
		/* A size that rounds to 1024 KiB is written as 1 MiB. */
		const one = Math.pow(1024, 6 - i), below = one / 1024;

		return [one - (below > 1 ? below / 2 : 0), one, name];
	});

	function grouped(digits) {
		return digits.replace(/\B(?=(\d{3})+$)/g, ',');
	}

	/* Writes value * 10^-decimals, without zeros at the end of the fraction. */
	function decimalText(value, decimals) {
		const one = Math.pow(10, decimals);
		const rest = (value % one + one).toFixed(0).slice(1).replace(/0+$/, '');

		return grouped(Math.floor(value / one).toFixed(0)) + (rest ? '.' + rest : '');
	}

	/* whole / one with three digits, of which at most two are decimals. */
	function digitsText(whole, one) {
		let digits = 0, power = 1;

		for (; digits < 2 && Math.floor(whole * power / one) < 100; digits++)
			power *= 10;
		return decimalText(Math.floor((whole * power * 2 + one) / (one * 2)), digits);
	}

	/* Writes whole in the first unit that it reaches; units: [from, size of the unit, name]. */
	function scaledText(whole, units) {
		const [, one, name] = units.find(([from]) => whole >= from);

		return digitsText(whole, one) + ' ' + name;
	}

	function durationText(part) {
		const ns = Math.round(part);

		return ns < NS_LEAST ? ns + ' ns' : scaledText(ns, TIMES);
	}

	/* The value as a length of time or a size; '' if it is neither. */
	function largeText({ unit, decimals, factor }, value) {
		const one = value / Math.pow(10, decimals) * factor, whole = Math.floor(factor === 1 ? one : one + 0.5);

		if (unit === 'ns' && whole >= NS_LEAST)
			return durationText(whole);
		return unit === 'bytes' && whole >= BYTES_LEAST ? scaledText(whole, SIZES) : '';
	}

	/* A value scaled by a factor, with three digits. */
	function plainText({ unit, decimals, factor }, value) {
		if (factor !== 1) {
			value = value / Math.pow(10, decimals) * factor;
			for (decimals = 0; value < 100 && decimals < FACTOR_DECIMALS_MAX; decimals++)
				value *= 10;
			value = Math.floor(value + 0.5);
		}
		const text = decimalText(value, decimals);

		return text + ' ' + (text === '1' && unit === 'samples' ? 'sample' : unit);
	}

	const valueText = (unit, value) => largeText(unit, value) || plainText(unit, value);

	function exactText(unit, value) {
		const text = largeText(unit, value);

		return text ? text + ' (' + plainText(unit, value) + ')' : plainText(unit, value);
	}

	const bareText = (unit, value) => largeText(unit, value) || plainText(unit, value).split(' ', 1)[0];

	function percentText(part, whole) {
		const rounded = (parts) => whole ? Math.floor((part * parts * 2 + whole) / (whole * 2)) : 0;
		const tenths = rounded(1000), hundredths = rounded(10000);

		return (part > 0 && !hundredths ? 'under 0.01' : tenths === 1000 && part < whole ? 'over 99.9'
			: digitsText(hundredths < 1000 ? hundredths : tenths * 10, 100)) + ' %';
	}

	const countText = (n) => grouped(String(n));

	return { countText, durationText, valueText, exactText, bareText, percentText, quantityText: digitsText };
})();
/* profile: the whole profile that travels inside a flame graph.
 *
 * Decodes what encode.c wrote (encode.h has the format).
 *
 * decodeNames(text, count)     -> names: Array of count + 1 texts; the last is "...",
 *                                 the name of frames that stand for narrow ones
 * decodeColours(text, count)   -> Array of 2 * (count + 1) colours "#rrggbb": [2 * name] is the colour of a
 *                                 name, [2 * name + 1] the colour of its frames that are drawn as crumbs
 * decodeTree(text, settings)   -> tree; uses these settings: frames, names, arrival, layers,
 *                                 combine, scales, metric, chart, decimals
 *
 * A tree is a struct of arrays, depth first; frame 0 is the root.  Trees never change:
 * the functions of transform.js take a tree and return another one of the same form.
 *   count                      number of frames
 *   name, parent, end, depth   Uint32Array; the subtree of frame i is the frames i .. end[i] - 1
 *   start, total, self         Float64Array; self is the part of total that is in no child; it
 *                              stands to the right of the children
 *   gap        null, or (charts only) Float64Array: the part of the parent's self that stands between
 *              frame i and the child before it
 *   arrival    null, or Uint32Array: the order in which the frames occurred in the input, if the
 *              order of siblings does not tell
 *   folded     Map: frame called "..." -> how many frames it stands for
 *   layers     null, or (decoded tree only) { count, at, layer, value }: the values that
 *              end in frame i, as recorded, are value[k] of layer[k], at[i] <= k < at[i + 1]
 *   scales     null, or [[num, den], ...] by layer: values of layers can be compared after multiplication
 *              by num / den
 *   decimals   of the decoded tree: its values are in units of 10^-decimals
 *   chart      true: siblings stand in time order, and only neighbours ever merge
 *   base       null, or the tree that this one was made from
 *   sent       null, or Int32Array by frame of base: the frame of this tree that has its value;
 *              -1: the value was left out; -2 - f: the frame vanished, and frame f has its value
 *   sends      "self" or "total": the value that sent applies to
 *   picked     null, or Int32Array by frame: the frame of base that has the values of its layers
 *   origin     null, or Int32Array by frame: a frame of the decoded tree that is part of it
 *   reordered  true: the frames are those of base, one for one, in another order
 *   turned     true: merged from the leaves, or a tree of callers
 *   unexpanded null, or Uint8Array by frame: 1 if there would be more frames below (transform.reverse)
 *
 * ownSelf(tree), layerOwnSelf(tree, k) -> Float64Array by frame: what the frame's function does itself.  In a
 *                                 tree merged from the leaves, frames on the root have all of their total,
 *                                 and self means what began in the frame; in a tree of callers it is 0
 * layerSelf(tree, k), layerTotal(tree, k) -> Float64Array by frame: values of layer k as
 *                                 recorded, of any tree; computed when first asked for
 * emptyTree(count), addUp(tree) make a tree: after self and gap were filled in, addUp sets start and total
 * decoded(tree)                -> the decoded tree from which this one was made, in one or several steps
 * scaled(tree, k, value)       -> value * num / den of layer k, as in diff.c, not rounded
 * scaledAll(tree, k, values)   -> the same for all values of an array
 * reader(text)                 -> { digit, rest, number, line, more }: reads what was encoded
 * functionsOf(names)           -> Uint32Array by number of a name: the lowest number of a name of the same function:
 *                                 "f", "f_[j]" and "f_[i]" are one
 * baseName(name)               -> name without its annotation, ready to be shown: characters that would
 *                                 turn the direction of writing become U+FFFD */
var pyrograph = pyrograph || {}; /* charts of several kinds in one page share it */

pyrograph.profile = (function () {
	'use strict';

	const FIRST_DIGIT = 63, NEWLINE = 10, FOLDED_COLOUR = '#d0d0d0', KEPT_LAYERS = 4;

	function decodeNames(text, count) {
		const names = new Array(count + 1);
		let before = '', at = 0;

		for (let i = 0; i < count; i++) {
			const end = text.indexOf('\n', at);
			const shared = text.charCodeAt(at) - FIRST_DIGIT;

			before = before.slice(0, shared) + text.slice(at + 1, end);
			names[i] = before;
			at = end + 1;
		}
		names[count] = '...';
		return names;
	}

	function decodeColours(text, count) {
		const colours = new Array(2 * count);

		for (let i = 0; i < 2 * count; i++) {
			let rgb = 0;

			for (let k = 0; k < 4; k++)
				rgb = rgb << 6 | (text.charCodeAt(4 * i + k) - FIRST_DIGIT);
			colours[i] = '#' + (rgb + 0x1000000).toString(16).slice(1);
		}
		colours.push(FOLDED_COLOUR, FOLDED_COLOUR);
		return colours;
	}

	/* Makes a tree of count frames whose values are all 0. */
	function emptyTree(count) {
		return {
			count: count,
			name: new Uint32Array(count), parent: new Uint32Array(count),
			end: new Uint32Array(count), depth: new Uint32Array(count),
			start: new Float64Array(count), total: new Float64Array(count),
			self: new Float64Array(count),
			gap: null, arrival: null, folded: new Map(), layers: null, scales: null, chart: false,
			decimals: 0, base: null, sent: null, sends: 'self', picked: null, origin: null,
			reordered: false, turned: false, unexpanded: null, cache: new Map(),
		};
	}

	/* Reads text: numbers (render/encoding/digits.h) and lines, one after the other.  rest(code) goes on with a
	 * number whose first digit, code, was read. */
	function reader(text) {
		let at = 0;

		function digit() {
			let code = text.charCodeAt(at++);

			while (code === NEWLINE)
				code = text.charCodeAt(at++);
			return code - FIRST_DIGIT;
		}
		function rest(value, scale, code) {
			while (code & 32) {
				code = digit();
				value += (code & 31) * scale;
				scale *= 32;
			}
			return value;
		}
		function number() {
			const code = digit();

			return rest(code & 31, 32, code);
		}
		function line() {
			const end = text.indexOf('\n', at), from = at, to = end < 0 ? text.length : end;

			at = to + 1;
			return text.slice(from, to);
		}
		return { digit, rest, number, line, more: () => at < text.length };
	}

	function decodeTree(text, settings) {
		const count = settings.frames, tree = emptyTree(count), next = reader(text).number;
		const places = settings.arrival ? new Uint32Array(count) : null;
		const layers = settings.layers ? layerStore(count, settings) : null;
		const gap = settings.chart ? new Float64Array(count) : null;
		let open = 0; /* the frame read last; then, one after the other, its parents */

		function up(levels, i) {
			for (; levels > 0 && open; levels--) {
				tree.end[open] = i;
				open = tree.parent[open];
			}
		}
		for (let i = 0; i < count; i++) {
			let first = next(), name;

			up(Math.floor(first / 2), i);
			name = next();
			if (gap && name > settings.names) {
				tree.self[open] += gap[i] = next();
				first = next();
				name = next();
			}
			tree.parent[i] = open;
			tree.depth[i] = i ? tree.depth[open] + 1 : 0;
			tree.name[i] = name;
			if (tree.name[i] === settings.names)
				tree.folded.set(i, next());
			if (places)
				places[i] = next();
			if (first % 2)
				tree.self[i] = layers ? layers.read(i, next) : next();
			else if (layers)
				layers.skip(i);
			open = i;
		}
		for (; open; open = tree.parent[open])
			tree.end[open] = count;
		tree.end[0] = count;
		tree.gap = gap;
		addUp(tree);
		tree.chart = Boolean(settings.chart);
		tree.decimals = settings.decimals || 0;
		if (places)
			tree.arrival = sequence(tree, places);
		if (layers)
			layers.finish(tree);
		return tree;
	}

	/* Reads the values of frames that have a value in several layers. */
	function layerStore(count, settings) {
		const at = new Uint32Array(count + 1), scales = settings.scales || null;
		const wanted = Math.max(0, settings.metric ?
			settings.layers.findIndex((layer) => layer.name === settings.metric.width) : 0);
		let layer = new Uint16Array(count), value = new Float64Array(count), used = 0;

		function grow() {
			const moreLayer = new Uint16Array(2 * used), moreValue = new Float64Array(2 * used);

			moreLayer.set(layer);
			moreValue.set(value);
			layer = moreLayer;
			value = moreValue;
		}
		function combined(from) {
			let sum = 0;

			for (let k = from; k < used; k++)
				sum += settings.combine !== 'first' || layer[k] === wanted ? value[k] : 0;
			return sum;
		}
		function read(frame, next) {
			const from = at[frame];
			const width = settings.combine === 'max' ? next() : null;
			let before = -1;

			for (let left = next(); left > 0; left--) {
				if (used === layer.length)
					grow();
				before += next() + 1;
				if (before >= settings.layers.length) /* the file is damaged */
					break;
				layer[used] = before;
				value[used++] = next();
			}
			at[frame + 1] = used;
			return width === null ? combined(from) : width;
		}
		function skip(frame) {
			at[frame + 1] = used;
		}
		function finish(tree) {
			tree.layers = { count: settings.layers.length, at: at,
				layer: layer.subarray(0, used), value: value.subarray(0, used) };
			tree.scales = scales;
		}
		return { read, skip, finish };
	}

	/* Computes total and start from self and gap. */
	function addUp(tree) {
		const next = new Float64Array(tree.count); /* by frame: where its next child starts */

		tree.total.set(tree.self);
		for (let i = tree.count - 1; i > 0; i--)
			tree.total[tree.parent[i]] += tree.total[i];
		for (let i = 1; i < tree.count; i++) {
			tree.start[i] = next[tree.parent[i]] + (tree.gap ? tree.gap[i] : 0);
			next[tree.parent[i]] = tree.start[i] + tree.total[i];
			next[i] = tree.start[i];
		}
	}

	/* Returns the new number of each frame when siblings are sorted by their places. */
	function sequence(tree, places) {
		const order = new Uint32Array(tree.count), children = [];

		for (let i = 0; i < tree.count; i++) {
			let next = order[i] + 1;

			children.length = 0;
			for (let c = i + 1; c < tree.end[i]; c = tree.end[c])
				children.push(c);
			if (children.length > 1)
				children.sort((a, b) => places[a] - places[b]);
			for (const c of children) {
				order[c] = next;
				next += tree.end[c] - c;
			}
		}
		return order;
	}

	/* ---- layers ---- */

	function scale(scales, layer, value) {
		const [num, den] = scales && scales[layer] || [1, 1];

		return num === den ? value : value * num / den;
	}

	/* The decoded tree from which tree was made, to whose frames the layers in the file belong. */
	function decoded(tree) {
		while (tree.base)
			tree = tree.base;
		return tree;
	}

	/* The scaled values of an array. */
	function scaledAll(tree, layer, values) {
		const { scales } = decoded(tree), [num, den] = scales && scales[layer] || [1, 1];
		const all = num === den ? values : new Float64Array(values.length);

		for (let i = 0; num !== den && i < all.length; i++)
			all[i] = values[i] * num / den;
		return all;
	}

	function scaled(tree, layer, value) {
		return scale(decoded(tree).scales, layer, value);
	}

	/* Returns what make() made for key.  The result is kept until too many other keys were requested. */
	function kept(tree, key, make) {
		let value = tree.cache.get(key);

		tree.cache.delete(key);
		if (!value)
			value = make();
		if (tree.cache.size >= 2 * KEPT_LAYERS)
			tree.cache.delete(tree.cache.keys().next().value);
		tree.cache.set(key, value);
		return value;
	}

	function recordedSelf(tree, layer) {
		const { at, layer: of, value } = tree.layers, self = new Float64Array(tree.count);

		for (let i = 0; i < tree.count; i++) {
			for (let k = at[i]; k < at[i + 1]; k++) {
				if (of[k] === layer)
					self[i] = value[k];
			}
		}
		return self;
	}

	function sentSelf(tree, layer) {
		const self = new Float64Array(tree.count), sent = tree.sent;
		const from = (tree.sends === 'total' ? layerTotal : layerSelf)(tree.base, layer);

		for (let s = 0; s < sent.length; s++) {
			if (sent[s] !== -1)
				self[sent[s] >= 0 ? sent[s] : -2 - sent[s]] += from[s];
		}
		return self;
	}

	function layerSelf(tree, layer) {
		return kept(tree, 'self' + layer, () => {
			if (!tree.base)
				return recordedSelf(tree, layer);
			return tree.picked ? picked(tree, layerSelf(tree.base, layer)) :
				sentSelf(tree, layer);
		});
	}

	function layerTotal(tree, layer) {
		return kept(tree, 'total' + layer, () => {
			if (tree.picked)
				return picked(tree, layerTotal(tree.base, layer));
			const total = new Float64Array(layerSelf(tree, layer));

			for (let i = tree.count - 1; i > 0; i--)
				total[tree.parent[i]] += total[i];
			return total;
		});
	}

	function ownOf(tree, self, total) {
		let made = tree;

		if (!tree.turned)
			return self;
		while (made.reordered)
			made = made.base;
		return total.map((value, i) => tree.depth[i] === 1 && made.sends === 'self' ? value : 0);
	}

	const ownSelf = (tree) => kept(tree, 'own', () => ownOf(tree, tree.self, tree.total));

	function layerOwnSelf(tree, layer) {
		return tree.turned ? kept(tree, 'own' + layer, () => ownOf(tree, null, layerTotal(tree, layer)))
			: layerSelf(tree, layer);
	}

	function picked(tree, values) {
		const here = new Float64Array(tree.count), from = tree.picked;

		for (let i = 0; i < here.length; i++)
			here[i] = values[from[i]];
		return here;
	}

	/* ---- names (frame.h) ---- */

	/* Characters that change the direction of writing, with which a name could look like another name. */
	const TURNS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

	const plainName = (name) => name.replace(TURNS, '\ufffd');

	/* Words leave out the annotation of a frame (frame.h). */
	const baseName = (name) => plainName(name.replace(/_\[[kjiwp01?]\]$/, ''));

	const functionsMade = new WeakMap(); /* names -> what functionsOf() gave */

	/* Variants of a function that differ in how it was compiled, or whether it was inlined, are the same function;
	 * those that ran in different places (kernel, user code) are not. */
	function functionsOf(names) {
		if (!functionsMade.has(names)) {
			const first = new Map();

			functionsMade.set(names, Uint32Array.from(names, (name, n) => {
				const of = name.replace(/_\[[ji01?]\]$/, '');

				if (!first.has(of))
					first.set(of, n);
				return first.get(of);
			}));
		}
		return functionsMade.get(names);
	}

	return { decodeNames, decodeColours, decodeTree, emptyTree, addUp, ownSelf, layerOwnSelf, layerSelf, layerTotal,
		scaled, scaledAll, decoded, plainName, baseName, functionsOf, reader };
})();
/* search: finds the frames that match and their share of the whole, and makes the table of functions.
 *
 * matcher(names, pattern, ignoreCase) -> { match, error, waits }.  match: Uint8Array by name, or null if
 *     the pattern is empty, is not a regular expression or takes more than a second; in the last two
 *     cases error says so.  A name matches with or without its annotation.
 * elsewhere                        may be set: (names, pattern, ignoreCase) -> what matcher
 *     returns, for patterns that may take forever (slow.js); waits: true: ask again later
 * matcherExact(names, name)        -> Uint8Array by name: those of the same function (profile.js)
 * exactly(name)                    -> the pattern that matches this name alone
 * combined([match, ...])           -> Uint8Array by name: 0, or 1 + the number of the first
 *     match that has the name (each match has a colour)
 * matchedTotal(tree, root, match, totals) -> value of the frames in root's subtree that match;
 *     if matching frames stand on each other, only the lowest counts; totals: default the tree's
 * matchedCount(tree, root, match)  -> how many frames match
 * matchedThrough(tree, names, name, match, totals) -> value of the stacks through frames of the function of this name
 *     number in which a frame matches that a sandwich of the name shows, among its callers or its callees
 * nextMatch(tree, from, step, match, root, least) -> the next matching frame in root's subtree
 *     (default: the whole tree), forward (step 1) or back (-1) in drawing order; after the last comes
 *     the first; frames with a value below least are skipped; -1: there are none
 * matchPlace(tree, frame, match, root, least) -> { at, of }: "3 of 17"
 * functions(tree, names, root)     -> { count, name, self, total, frames, widest }: a table with one row for
 *     each function, in arrays by row: its lowest name number, values (recursion counts once), number of frames,
 *     and the widest frame; rows are sorted by total, largest first.  A tree merged from the leaves gives
 *     the same values, but lacks names that occur only in frames too narrow to be expanded
 * sortRows(table, names, key, down) -> Uint32Array of rows; key "self", "total", "name" or
 *     "frames" */
pyrograph.search = (function () {
	'use strict';

	const baseName = (name) => pyrograph.profile.baseName(name);

	/* ---- which names match ---- */

	const LIMIT_MS = 1000, STEPS_MAX = 1e9;
	const LONG = 1000;              /* longer patterns are not typed, but made from a name */
	const TOO_LARGE = 'Too large for a regular expression: ';
	const TOO_SLOW = 'Too slow, stopped after a second: ';
	const longest = new WeakMap();  /* names -> length of the longest one */

	function longestOf(names) {
		if (!longest.has(names))
			longest.set(names, names.reduce((most, name) => Math.max(most, name.length), 0));
		return longest.get(names);
	}

	/* A single name may take forever if a group is repeated (its contents are not examined), or if there
	 * are so many repetitions that a long name can be divided among them in too many ways. */
	function isRisky(names, pattern) {
		const bare = pattern.replace(/\\./gs, 'a').replace(/\[[^\]]*\]/g, 'a');
		const repeats = (bare.match(/[*+]|\{\d+,\d*\}/g) || []).length;

		return /\)[*+{]/.test(bare) || (repeats > 1 && Math.pow(longestOf(names), repeats + 1) > STEPS_MAX);
	}

	function matchedHere(re, names) {
		const match = new Uint8Array(names.length), started = Date.now();

		try {
			for (let n = 0; n < match.length; n++) {
				match[n] = matches(re, names[n]);
				if (n % 16 === 0 && Date.now() - started > LIMIT_MS)
					return { match: null, error: TOO_SLOW + re.source };
			}
		/* Browsers compile a pattern at its first use, so we learn only now that it is too large. */
		} catch (e) {
			return { match: null, error: TOO_LARGE + re.source.slice(0, 40) + '...' };
		}
		return { match: match, error: null };
	}

	/* "^a\.b$" matches one name only, which may be longer than a regular expression can be.  Returns this
	 * name, or null for other patterns. */
	function literalOf(pattern) {
		const inner = pattern.startsWith('^') && pattern.endsWith('$') ? pattern.slice(1, -1) : '';

		return inner && !/[.*+?^${}()|[\]\\]/.test(inner.replace(/\\[^\w]/gs, ''))
			? inner.replace(/\\(.)/gs, '$1') : null;
	}

	function matchedLiteral(wanted, names) {
		return Uint8Array.from(names, (name) => name === wanted || baseName(name) === wanted ? 1 : 0);
	}

	function matcher(names, pattern, ignoreCase) {
		const literal = ignoreCase || pattern.length < LONG ? null : literalOf(pattern);
		let re;

		if (!pattern)
			return { match: null, error: null };
		if (literal !== null)
			return { match: matchedLiteral(literal, names), error: null };
		try {
			re = new RegExp(pattern, ignoreCase ? 'i' : '');
		} catch (e) {
			return { match: null, error: 'Not a regular expression: ' + pattern };
		}
		return api.elsewhere && isRisky(names, pattern) && api.elsewhere(names, pattern, ignoreCase) ||
			matchedHere(re, names);
	}

	function matches(re, name) {
		if (re.test(name))
			return 1;
		const base = baseName(name);

		return base !== name && re.test(base) ? 1 : 0;
	}

	const exactly = (name) => '^' + name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&') + '$';

	function matcherExact(names, wanted) {
		const functions = pyrograph.profile.functionsOf(names), of = functions[names.indexOf(wanted)];

		return Uint8Array.from(functions, (n) => n === of ? 1 : 0);
	}

	function combined(all) {
		const which = new Uint8Array(all.length ? all[0].length : 0);

		for (let k = all.length; k-- > 0;) {
			for (let n = 0; n < which.length; n++) {
				if (all[k][n])
					which[n] = k + 1;
			}
		}
		return which;
	}

	/* ---- the share of the matching frames ---- */

	function matchedTotal(tree, root, match, totals = tree.total) {
		const { name, end } = tree;
		let sum = 0;

		for (let i = root; i < end[root];) {
			if (match[name[i]]) {
				sum += totals[i];
				i = end[i];
			} else {
				i++;
			}
		}
		return sum;
	}

	function matchedThrough(tree, names, wanted, match, total = tree.total) {
		const { name, end } = tree, of = pyrograph.profile.functionsOf(names);
		let sum = 0, marked = 0; /* frames before `marked` stand on a matching frame */

		for (let i = 1; i < tree.count;) {
			if (i >= marked && match[name[i]])
				marked = end[i];
			if (of[name[i]] === of[wanted]) {
				sum += i < marked ? total[i] : matchedTotal(tree, i, match, total);
				i = end[i];
			} else {
				i++;
			}
		}
		return sum;
	}

	function matchedCount(tree, root, match) {
		let count = 0;

		for (let i = root; i < tree.end[root]; i++)
			count += match[tree.name[i]] ? 1 : 0;
		return count;
	}

	/* ---- from match to match ---- */

	function nextMatch(tree, from, step, match, root = 0, least = 0) {
		const first = root, count = tree.end[root] - root;
		let i = from >= first && from < first + count ? from - first : step > 0 ? -1 : count;

		for (let left = count; left > 0; left--) {
			i = (i + step + count) % count;
			if (match[tree.name[first + i]] && tree.total[first + i] >= least)
				return first + i;
		}
		return -1;
	}

	function matchPlace(tree, frame, match, root = 0, least = 0) {
		let at = 0, of = 0;

		for (let i = root; i < tree.end[root]; i++) {
			if (!match[tree.name[i]] || tree.total[i] < least)
				continue;
			of++;
			if (i <= frame)
				at = of;
		}
		return { at: at, of: of };
	}

	/* ---- functions ---- */

	/* Sums by function.  A frame counts in total only if no frame below it is of the same function. */
	function sumsByName(tree, root, names) {
		const { name, end, total } = tree, self = pyrograph.profile.ownSelf(tree), nameCount = names.length;
		const of = pyrograph.profile.functionsOf(names);
		const sums = { self: new Float64Array(nameCount), total: new Float64Array(nameCount),
			frames: new Uint32Array(nameCount), widest: new Uint32Array(nameCount) };
		const closes = new Uint32Array(nameCount); /* by name: the end of the open frame with this name */

		for (let i = root; i < end[root]; i++) {
			const n = of[name[i]];

			sums.self[n] += self[i];
			if (!sums.frames[n] || total[i] > total[sums.widest[n]])
				sums.widest[n] = i;
			sums.frames[n]++;
			if (i >= closes[n]) {
				sums.total[n] += total[i];
				closes[n] = end[i];
			}
		}
		return sums;
	}

	/* The tree before it was merged from the leaves, which has all frames. */
	const upright = (tree) => tree.turned ? upright(tree.base) : tree;

	function functions(tree, names, root = 0) {
		const sums = sumsByName(tree, root, names), used = [];

		if (tree.turned && !root)
			sums.total = sumsByName(upright(tree), 0, names).total;

		for (let n = 0; n < names.length; n++) {
			if (sums.frames[n])
				used.push(n);
		}
		used.sort((a, b) => sums.total[b] - sums.total[a] || a - b);
		return {
			count: used.length,
			name: Uint32Array.from(used),
			self: Float64Array.from(used, (n) => sums.self[n]),
			total: Float64Array.from(used, (n) => sums.total[n]),
			frames: Uint32Array.from(used, (n) => sums.frames[n]),
			widest: Uint32Array.from(used, (n) => sums.widest[n]),
		};
	}

	function sortRows(table, names, key, down) {
		const rows = Uint32Array.from({ length: table.count }, (unused, row) => row);
		const sign = down ? -1 : 1, values = table[key];

		if (key === 'name') {
			const text = Array.from(table.name, (n) => names[n]);

			return rows.sort((a, b) => text[a] < text[b] ? -sign : text[a] > text[b] ? sign : a - b);
		}
		return rows.sort((a, b) => sign * (values[a] - values[b]) || a - b);
	}

	const api = { matcher, matcherExact, exactly, combined, matchedTotal, matchedThrough, matchedCount, nextMatch,
		matchPlace, functions, sortRows, elsewhere: null, LIMIT_MS, TOO_SLOW };

	return api;
})();
/* link_text: a view as the text after "#" in a link, and back.  Pure: no location here.
 *
 * encoded(text, harmless) -> percent-encoded, except for the characters in harmless
 * decoded(text)       -> the text before encoding; parts that encoded() cannot have made stay as they are
 * codec(fields)       -> { emptyView, encode, decode } of views that are made of these fields, in order:
 *     [key in the link, member of the view, type, ...more]
 *         "text"        null, or a text
 *         "flag"        false; or true, as key=1
 *         "not"         true; or false, as key=1
 *         "maybe"       null; or true, as key=1; or false, as key=0
 *         "choice"      the first of more (the default), or another of them
 *         "pattern"     { pattern, ignoreCase }: key=regexp, keyi=regexp
 *     Members with the value of emptyView() are left out.  Unknown keys are ignored. */
pyrograph.linkText = (function () {
	'use strict';

	const HARMLESS = /%(?:3A|2F|2C|40|24)/g;

	const encoded = (text, harmless = HARMLESS) => encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'))
		.replace(harmless, decodeURIComponent);

	function decoded(text) {
		try {
			return decodeURIComponent(text);
		} catch (e) {
			return text;
		}
	}

	const TYPES = {
		text: { empty: () => null, text: (value) => value, value: (text) => text },
		flag: { empty: () => false, text: (value) => value ? '1' : null, value: (text) => text === '1' },
		not: { empty: () => true, text: (value) => value ? null : '1', value: (text) => text !== '1' },
		maybe: { empty: () => null, text: (value) => value === null ? null : value ? '1' : '0',
			value: (text) => /^[01]$/.test(text) ? text === '1' : null },
		choice: { empty: (first) => first, text: (value, first) => value === first ? null : value,
			value: (text, ...all) => all.includes(text) ? text : all[0] },
	};
	const emptyPattern = () => ({ pattern: '', ignoreCase: false });

	function codec(fields) {
		const emptyView = () => Object.fromEntries(fields.map(([, member, type, ...more]) =>
			[member, type === 'pattern' ? emptyPattern() : TYPES[type].empty(...more)]));

		function encode(view) {
			const out = [];

			for (const [key, member, type, ...more] of fields) {
				const value = view[member], text = type === 'pattern' ? value.pattern || null
					: TYPES[type].text(value, ...more);

				if (text !== null)
					out.push(key + (type === 'pattern' && value.ignoreCase ? 'i=' : '=') +
						encoded(text));
			}
			return out.join('&');
		}

		function take(view, name, text) {
			for (const [key, member, type, ...more] of fields) {
				if (type === 'pattern' && (name === key || name === key + 'i'))
					view[member] = { pattern: text, ignoreCase: name !== key };
				else if (type !== 'pattern' && name === key)
					view[member] = TYPES[type].value(text, ...more);
			}
		}

		function decode(text) {
			const view = emptyView();

			for (const part of text.split(/[?#&]/)) {
				const at = part.indexOf('=');

				if (at > 0)
					take(view, part.slice(0, at), decoded(part.slice(at + 1)));
			}
			return view;
		}

		return { emptyView, encode, decode };
	}

	return { encoded, decoded, codec };
})();
/* folded_text: the first line of folded text (core/format/folded.h says what the line means).
 *
 * quoted(text)  -> the bare text if nothing in it could be taken for something else, else a JSON string
 * header(pairs) -> "# pyrograph: host=db1 ... unit=ns\n" of the pairs that a header may have */
pyrograph.folded = (function () {
	'use strict';

	/* "unit" is the last key */
	const KEYS = ['host', 'event', 'start', 'end', 'clock', 'from', 'to', 'cpus', 'clock-error', 'clock-within',
		'clock-hosts', 'own-cost', 'recording-cost', 'rate', 'kernel',
		'command', 'root', 'filter',
		'lost', 'losses', 'unresolved', 'quality', 'columns', 'spans', 'topology', 'open', 'unit'];
	const quoted = (text) => /^[\w.,:+/%@~-]+$/.test(text) ? text
		: JSON.stringify(text).replace(/[\u007f-\u009f]/g, '');
	const header = (pairs) => '# pyrograph: ' + KEYS.filter((key) => typeof pairs[key] === 'string' &&
		pairs[key] !== '')
		.map((key) => key + '=' + quoted(pairs[key])).join(' ') + '\n';

	return { quoted, header };
})();
/* contrast: how legible text on a colour is.
 *
 * parts(rgb)      -> [red, green, blue], 0 .. 255, of "#rrggbb"
 * mix(a, b, share) -> "#rrggbb" between the two colours
 * contrast(a, b)  -> 1 .. 21 (WCAG 2.1)
 * readable(rgb)   -> "#000000" or "#ffffff", whichever has more contrast with rgb */
pyrograph.contrast = (function () {
	'use strict';

	function parts(rgb) {
		const number = parseInt(rgb.slice(1), 16);

		return [number >> 16, number >> 8 & 255, number & 255];
	}

	function mix(a, b, share) {
		const [x, y] = [parts(a), parts(b)];

		return '#' + x.map((v, i) => Math.round(v + (y[i] - v) * share).toString(16)
			.padStart(2, '0')).join('');
	}

	function luminance(rgb) {
		const [r, g, b] = parts(rgb).map((v) => v <= 10 ? v / 3294.6 :
			Math.pow((v / 255 + 0.055) / 1.055, 2.4));

		return 0.2126 * r + 0.7152 * g + 0.0722 * b;
	}

	function contrast(a, b) {
		const [x, y] = [luminance(a), luminance(b)];

		return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
	}

	function readable(rgb) {
		return contrast(rgb, '#000000') >= contrast(rgb, '#ffffff') ? '#000000' : '#ffffff';
	}

	return { parts, mix, contrast, readable };
})();
/* dom: elements, texts and the widths of texts; nothing in this file knows of profiles.
 *
 * pyrograph.ui holds what touches the page; each part is a function of the app
 * object that flame.js makes, so that several pictures can live in one page. */
pyrograph.ui = pyrograph.ui || {};

pyrograph.ui.dom = (function () {
	'use strict';

	const SVG = 'http://www.w3.org/2000/svg', XHTML = 'http://www.w3.org/1999/xhtml';

	function apply(e, attributes) {
		for (const key in attributes) {
			const value = attributes[key];

			if (typeof value === 'function')
				e.addEventListener(key.slice(2), value);
			else if (value === true)
				e.setAttribute(key, '');
			else if (value !== false && value !== null && value !== undefined)
				e.setAttribute(key, value);
		}
		return e;
	}

	/* Makes an SVG element; with a parent, puts it at the parent's end. */
	function svg(name, attributes, parent) {
		const e = apply(document.createElementNS(SVG, name), attributes);

		if (parent)
			parent.appendChild(e);
		return e;
	}

	/* Makes an HTML element. An attribute "onclick: f" is a listener; children are elements or text. */
	function html(name, attributes, ...children) {
		const e = apply(document.createElementNS(XHTML, name), attributes);

		e.append(...children.filter((child) => child !== null && child !== undefined));
		return e;
	}

	/* Paths in a square of 16 by 16. */
	const ICONS = {
		up: 'M3 10.5 8 5.5l5 5', down: 'M3 5.5l5 5 5-5', back: 'M9.5 3 4.5 8l5 5',
		close: 'M4 4l8 8M12 4l-8 8', plus: 'M8 3v10M3 8h10', minus: 'M3 8h10',
		table: 'M2.5 3.5h11v9h-11zM2.5 6.5h11M8 6.5v6',
		view: 'M2 4.5h12M2 8h12M2 11.5h12', play: 'M4.5 3v10l8-5z', pause: 'M5 3v10M11 3v10',
		forward: 'M6.5 3l5 5-5 5', stepBack: 'M11 3 5 8l6 5M4 3v10', step: 'M5 3l6 5-6 5M12 3v10',
		home: 'M2.5 8 8 3l5.5 5M4 7v6h8V7',
		tick: 'M3 8.5l3.5 3.5L13 4.5',
	};

	function icon(name) {
		const e = svg('svg', { 'class': 'icon', viewBox: '0 0 16 16', 'aria-hidden': 'true' });

		svg('path', { d: ICONS[name] }, e);
		return e;
	}

	/* Makes a button; content is text, or { icon: the name of an icon }. */
	function button(className, label, tip, run, content) {
		return html('button', { type: 'button', 'class': className, 'aria-label': label,
			title: tip || label, onclick: run }, content.icon ? icon(content.icon) : content);
	}

	/* Measures the widths of texts in the font of the picture; each character is measured once. */
	function ruler(family, sizePx) {
		const widths = new Map(), context = document.createElementNS(XHTML, 'canvas').getContext('2d');

		context.font = sizePx + 'px ' + family;

		function charWidth(c) {
			let width = widths.get(c);

			if (width === undefined) {
				width = context.measureText(c).width;
				widths.set(c, width);
			}
			return width;
		}
		function width(text) {
			let sum = 0;

			for (const c of text)
				sum += charWidth(c);
			return sum;
		}

		/* Returns the text if it fits into room; otherwise a part of it with dots: the beginning (side "right",
		 * which is cut), the end ("left") or both ("middle"); "" if fewer than `least` characters fit. */
		function fit(text, room, least, side) {
			let sum = 0, kept = 0;

			if (room < charWidth('.') || (text.length > 4000 && side === 'right'))
				text = text.slice(0, room);
			if (width(text) <= room)
				return text;
			const chars = Array.from(text), n = chars.length;
			const place = side === 'left' ? (i) => n - 1 - i
				: side === 'middle' ? (i) => (i % 2 ? n - 1 - (i >> 1) : i >> 1) : (i) => i;

			const dots = side === 'middle' ? '\u2026' : '..';

			room -= width(dots);
			while (kept < n && sum + charWidth(chars[place(kept)]) <= room)
				sum += charWidth(chars[place(kept++)]);
			if (kept < least)
				return '';
			if (side === 'left')
				return dots + chars.slice(n - kept).join('');
			if (side === 'middle')
				return chars.slice(0, kept + 1 >> 1).join('') + dots +
					chars.slice(n - (kept >> 1)).join('');
			return chars.slice(0, kept).join('') + dots;
		}
		return { width: width, fit: fit };
	}

	/* Tells screen readers that the keys are at the item of graph with this id (null: at none). Returns the
	 * previous item, if it still exists. */
	function activate(graph, item, id) {
		const now = graph.getAttribute('aria-activedescendant'), old = now && graph.querySelector('#' + now);

		if (old)
			old.removeAttribute('id');
		graph.removeAttribute('aria-activedescendant');
		if (item) {
			item.id = id;
			graph.setAttribute('aria-activedescendant', id);
		}
		return old;
	}

	/* Copies text, if scripts may.  Over plain HTTP they may not: there is no clipboard, and SVG documents cannot
	 * copy a selection.  -> whether it was copied */
	async function copy(text) {
		try {
			await navigator.clipboard.writeText(text);
			return true;
		} catch (e) {
			return false;
		}
	}

	/* Lets the reader save text or a Blob as a file. */
	function save(name, data, type) {
		const url = URL.createObjectURL(data instanceof Blob ? data : new Blob([data], { type: type }));
		const a = html('a', { href: url, download: name });

		document.documentElement.appendChild(a);
		a.dispatchEvent(new MouseEvent('click', { bubbles: false, cancelable: true }));
		a.remove();
		setTimeout(() => URL.revokeObjectURL(url), 60000);
	}

	return { svg, html, icon, button, ruler, activate, copy, save };
})();
/* start: a chart starts once the picture that C drew is on the screen.
 *
 * pyrograph.ui.contents(svg)  -> { json(selector), joined(className) }: what C put into the SVG for the script
 * pyrograph.ui.start(run)     calls run(svg) with the SVG that contains the script
 * pyrograph.ui.open(app)      called when all parts are made: the page takes the place of what C drew */
pyrograph.ui.contents = (svg) => ({
	json: (selector) => {
		const e = svg.querySelector(selector);

		return e ? JSON.parse(e.textContent) : {};
	},
	joined: (name) => Array.from(svg.querySelectorAll('.' + name), (e) => e.textContent).join(''),
});

pyrograph.ui.start = (run) => {
	if (typeof document === 'undefined') /* a Worker: slow.js */
		return;
	const script = document.currentScript;
	const svg = script && script.ownerSVGElement || document.documentElement;

	pyrograph.ui.script = script;
	for (const e of svg.querySelectorAll('#missing'))
		e.remove();

	/* Two calls: the first requested frame comes before anything is painted. */
	requestAnimationFrame(() => requestAnimationFrame(() => {
		pyrograph.ui.dress();
		run(svg);
	}));
};

/* The style that a script file brings (page_script_file() in render/drawing/page.h): policies let scripts set it. */
pyrograph.ui.dress = () => {
	const { style } = pyrograph;

	if (!style)
		return;
	const sheet = new window.CSSStyleSheet();

	sheet.replaceSync(style);
	document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
	pyrograph.style = '';
};

pyrograph.ui.open = (app) => {
	app.page.open();
	app.links.read();
	app.page.resize();
	if (!app.host)
		app.svg.setAttribute('data-ready', 'true');
	pyrograph.ui.linked(app);
	pyrograph.ui.siblings(app);
};
/* slow: patterns that may take forever (search.js) are tried in a Worker, which is stopped after a while.
 * Without a Worker (some pages forbid them), the page tries the patterns itself. */
pyrograph.ui.slow = (function () {
	'use strict';

	const S = pyrograph.search, KEPT = 32;
	const answers = new WeakMap();  /* names -> Map: question -> what matcher returns */
	const waiting = [], listeners = [];
	let worker = null, known = null; /* known: the names that the worker has */
	let broken = false, timer = 0;

	/* The Worker runs this function: only its source or, where a policy forbids that, the chart's script file. */
	function work() {
		let names = [], bases = [];

		self.onmessage = ({ data }) => {
			if (data.names !== undefined) {
				names = data.names.split('\n');
				bases = data.bases.split('\n');
				self.postMessage('ready');
				return;
			}
			const re = new RegExp(data.pattern, data.ignoreCase ? 'i' : '');

			self.postMessage(Uint8Array.from(names, (name, i) => re.test(name) || re.test(bases[i]) ? 1
				: 0));
		};
	}

	function end() {
		clearTimeout(timer);
		if (worker)
			worker.terminate();
		worker = known = null;
	}

	function answer(result) {
		const question = waiting.shift(), kept = answers.get(question.names);

		clearTimeout(timer);
		kept.set(question.key, result);
		if (kept.size > KEPT)
			kept.delete(kept.keys().next().value);
		for (const listener of listeners)
			listener();
		next();
	}

	function tooSlow() {
		end();
		answer({ match: null, error: S.TOO_SLOW + waiting[0].pattern });
	}

	function asked({ data }) {
		if (data !== 'ready') {
			answer({ match: data, error: null });
			return;
		}
		const { pattern, ignoreCase } = waiting[0];

		timer = setTimeout(tooSlow, S.LIMIT_MS);
		worker.postMessage({ pattern: pattern, ignoreCase: ignoreCase });
	}

	function failed() {
		broken = true;
		end();
		waiting.length = 0;
		for (const listener of listeners)
			listener();
	}

	/* If the script is a file of a server, a policy may allow no other source, and the browser would complain. */
	function workUrl() {
		const { script } = pyrograph.ui, address = script && (script.src || script.href.baseVal);
		const url = address && new URL(address, document.baseURI);

		return url && /^http/.test(url.protocol) ? url.href
			: URL.createObjectURL(new Blob(['(' + work + ')()'], { type: 'text/javascript' }));
	}

	function begin() {
		worker = new Worker(workUrl());
		worker.onmessage = asked;
		worker.onerror = failed;
	}

	function next() {
		if (!waiting.length)
			return;
		const { names } = waiting[0];

		try {
			if (!worker)
				begin();
		} catch (e) {
			failed();
			return;
		}
		if (known === names) {
			asked({ data: 'ready' });
			return;
		}
		known = names;
		worker.postMessage({ names: names.join('\n'),
			bases: names.map(pyrograph.profile.baseName).join('\n') });
	}

	if (typeof document === 'undefined') {
		work();
		return null;
	}

	S.elsewhere = (names, pattern, ignoreCase) => {
		const key = (ignoreCase ? 'i' : '=') + pattern;

		if (broken)
			return null;
		if (!answers.has(names))
			answers.set(names, new Map());
		const found = answers.get(names).get(key);

		if (found)
			return found;
		if (!waiting.some((question) => question.names === names && question.key === key)) {
			waiting.push({ names: names, key: key, pattern: pattern, ignoreCase: ignoreCase });
			if (waiting.length === 1)
				setTimeout(next, 0);
		}
		return { match: null, error: null, waits: true };
	};

	/* Calls app.searchedElsewhere when the answer to a question arrives. */
	return (app) => listeners.push(app.searchedElsewhere);
})();
/* state: how the view of a chart is changed.
 *
 * pyrograph.ui.state(app, make): app.view is what is shown; make() computes what depends on the view.
 * The view is changed by app.step (undone by Back and Esc) or app.touch (not undone); then every function given to
 * app.onchange is called with the result of make(), and draws its part.
 *
 * app.isDark()              whether the theme is dark, according to the view, else the picture, else the browser
 * app.step(changes, series) series: see step in history.js */
pyrograph.ui.state = function (app, make) {
	'use strict';

	const prefersDark = window.matchMedia('(prefers-color-scheme: dark)');
	const listeners = [];

	app.onchange = (listener) => listeners.push(listener);
	app.isDark = () => {
		if (app.host)
			return !app.onPaper && app.host.isDark();
		const own = app.view.theme, theme = own && own !== 'auto' ? own : app.settings.theme || 'auto';

		return !app.onPaper && (theme === 'auto' ? prefersDark.matches : theme === 'dark');
	};
	app.tellAll = (made) => {
		for (const listener of listeners)
			listener(made);
	};
	app.refresh = () => app.tellAll(make());
	app.touch = (changes) => {
		Object.assign(app.view, changes);
		app.refresh();
		app.links.save(false);
	};
	app.step = (changes, series = true) => {
		Object.assign(app.view, changes);
		app.refresh();
		app.links.save(series);
	};
	app.searchedElsewhere = () => app.refresh();
	if (!app.host)
		prefersDark.addEventListener('change', () => app.refresh());
};
/* headline: finds the lines of the heading that belong to the text of `--headline`, whose long lines C broke.
 *
 * pyrograph.headline.mark(lines, text)  sets found in each such line: the number, from 1, of the line of text that it
 *     is a part of.  Sets isFact in the parts of the line that matters: the second, as of collapse --explain=headline,
 *     if text has three lines or more or that line says that nothing stands out; else the first.  A part that C cut
 *     is whole again, since the page has room for it.
 *     lines: [{ text }, ...], the title first.  Changes nothing else. */
pyrograph.headline = (function () {
	'use strict';

	const CUT = /(\u2026|\.\.)$/, BETWEEN = /^[ \u00b7]+/;

	function mark(lines, text) {
		const told = (text || '').split('\n').filter(Boolean);
		const fact = told.length > 2 || /^Nothing stands out/.test(told[1]) ? 2 : 1;
		let i = 1;

		told.forEach((whole, number) => {
			let rest = whole;

			for (; i < lines.length && rest; i++) {
				const part = lines[i].text, isCut = !rest.startsWith(part) && CUT.test(part);

				if (!part || !rest.startsWith(isCut ? part.replace(CUT, '') : part))
					return;
				lines[i].text = isCut ? rest : part;
				lines[i].found = number + 1;
				lines[i].isFact = number + 1 === fact;
				rest = isCut ? '' : rest.slice(part.length).replace(BETWEEN, '');
			}
		});
	}

	return { mark };
})();
/* page: the layout of a page.  The script replaces the picture that C drew with
 *
 *     title                 search, buttons
 *     notes, or the path of the zoomed frame
 *     legend
 *     chips: searches and filters            only when there are any
 *     graph                 | table          each scrolls for itself
 *     layers
 *     details                       matched
 *
 * in HTML that fills the window.  A picture that stands in a page is replaced in its own place; within
 * another picture, the host (flame.js), the HTML fills its parent element.  Where there is not enough height
 * for a few rows of each graph, the page scrolls.
 *
 * pyrograph.ui.page(app, { className, idle, sheet(page), room(), resized() }); any of these may be missing:
 *     className  for a chart with a style of its own
 *     idle       the selector of the words that C wrote for the line below (app.idleText)
 *     sheet      -> the parts, from top to bottom, of a page with another layout
 *     room       -> width and height in px of the picture's place in a page
 *     resized    called when the size has changed
 * makes app.page: the parts; page.fit() fits the page to the window; page.resize() also adapts the
 * contents; page.open(); page.print(on). */
pyrograph.ui.page = function (app, options) {
	'use strict';

	const D = pyrograph.ui.dom, svg = app.svg, settings = app.settings, how = options || {};
	const host = app.host || null, isDocument = !host && svg === document.documentElement;
	const prefix = app.prefix || '', LEAST_HEIGHT = 160, LEAST_TABLE = 180, PANEL_GAP = 4;
	const PORTRAIT_PAGES = 2.2, LANDSCAPE_PAGES = 1.5; /* a page up to this height (in widths) is put on one
							    * sheet */
	const PAPER_WIDTH = 1000;       /* in px, for text of a readable size */
	const part = (name, className) => D.html(name, { 'class': className });
	const page = app.page = {
		heading: part('header', 'heading'), tools: part('div', 'tools'), chips: part('div', 'chips'),
		path: part('nav', 'path'), stage: part('div', 'stage'), aside: part('aside', 'aside'),
		layers: part('div', 'layers'), legend: part('div', 'legend'), foot: part('footer', 'foot'),
		overlay: part('div', 'overlay'),
	};

	page.bare = svg.cloneNode(false); /* as C wrote it */
	/* Elements that C drew; inside a host there are none. */
	const drawn = (selector) => host ? [] : Array.from(svg.querySelectorAll(selector));

	/* Joins the lines into which C broke a text. */
	const joined = (selector) => drawn(selector).map((text) => text.textContent).join(' ');

	app.idleText = joined(how.idle || '#details .details');
	app.drawnWidth = Number(svg.getAttribute('width')) || settings.width;
	const drawnHeight = app.drawnHeight = Number(svg.getAttribute('height')) || 600;
	const fill = (drawn('#background rect')[0] || svg).getAttribute('fill') || '#ffffff';
	const family = svg.getAttribute('font-family') || 'sans-serif';

	/* A colour such as "#f8f8f8", or the gradient that C drew, from top to bottom. */
	app.background = /^#/.test(fill) ? fill : 'linear-gradient(' +
		drawn('#background stop').map((stop) =>
			stop.getAttribute('stop-color') + ' ' + stop.getAttribute('offset')).join(',') + ')';
	/* The background belongs to one of the themes: to the dark one if white text is easier to read on this
	 * colour. */
	const stop = drawn('#background stop')[0];
	const top = stop ? stop.getAttribute('stop-color') : /^#/.test(fill) ? fill : '#ffffff';
	const ownIsDark = pyrograph.contrast.readable(top) === '#ffffff';

	app.ownBackground = (dark) => !host && dark === ownIsDark ? app.background : '';
	app.family = family;
	app.ruler = D.ruler(family, settings.fontSize);
	app.titleText = joined('#heading .title') || document.title || settings.chartName;

	/* The heading's lines as C drew them: class and text. */
	app.headingLines = drawn('#heading text').map((text) => ({
		className: text.getAttribute('class') || '', text: text.textContent,
		size: Number(text.getAttribute('font-size')) || settings.fontSize }))
		.filter((line, i) => !i || line.className !== 'title');
	if (app.headingLines.length)
		app.headingLines[0].text = app.titleText;

	if (!host)
		pyrograph.headline.mark(app.headingLines, pyrograph.ui.contents(svg).json('#pyrograph').headline);
	const headingEnd = Math.max(0, ...drawn('#heading text:not(.doubt)').map((text) =>
		Number(text.getAttribute('y')) || 0));
	const title = D.html(host ? 'h2' : 'h1', { 'class': 'title' }), notes = D.html('div', { 'class': 'notes' });

	app.captions = drawn('#captions text').map((text) => text.textContent);
	page.heading.id = prefix + 'heading';

	/* Remarks that do not change conclusions (heading.h, TEXT_DOUBT) are hidden behind a word. */
	const DETAILS = /^Details: /;
	const detailsOf = (lines) => !lines.length ? null : D.html('details',
		{ 'class': 'doubts', ontoggle: () => page.resize() }, D.html('summary', {}, 'Details'),
		...lines.map((line) =>
			line.element = D.html('div', { 'class': line.className }, line.text.replace(DETAILS, ''))));

	/* Parts of one line of the headline are joined again, wherever C broke it. */
	function noteOf(line, before) {
		if (!line.found)
			return line.element = D.html('div', { 'class': line.className }, line.text);
		line.element = D.html('span', {}, line.text);
		if (before && before.found === line.found) {
			before.element.parentNode.append(' ', line.element);
			return null;
		}
		return D.html('div', { 'class': 'headline' + (line.isFact ? ' fact' : '') }, line.element);
	}

	/* lines: [{ className, text, size, found, isFact }, ...], the title first, lines of class doubt last; each line
	 * gets the element that shows it */
	page.setHeading = (lines) => {
		const isDoubt = (line) => line.className === 'doubt', all = lines.slice(1);

		app.headingLines = lines;
		title.hidden = !lines.length;
		title.textContent = lines.length ? lines[0].text : '';
		notes.replaceChildren(...[...all.filter((line) => !isDoubt(line)).map((line, i, told) =>
			noteOf(line, told[i - 1])), detailsOf(all.filter(isDoubt))].filter(Boolean));
		if (host && lines.length)
			app.titleText = lines[0].text;
	};
	page.setHeading(host ? host.heading : app.headingLines);

	/* the path of the zoomed frame replaces the notes, so that the frames below do not move */
	page.heading.append(title, page.tools, notes, page.path);
	page.body = D.html('div', { 'class': 'body', role: isDocument ? 'main' : 'region',
		'aria-label': settings.chartName || 'Flame graph' }, page.stage, page.aside);
	page.foot.id = prefix + 'details';
	/* within a host there is less room, so the controls of layers stand beside the legend */
	page.sheet = D.html('div', { 'class': 'sheet' }, ...how.sheet ? how.sheet(page) : host ? [page.heading,
		D.html('div', { 'class': 'above' }, page.legend, page.layers), page.chips, page.body, page.foot]
		: [page.heading, page.legend, page.chips, page.body, page.layers, page.foot]);
	page.element = D.html('div', { 'class': 'pyrograph' + (host ? ' embedded' : '') +
		(settings.rowsWord ? ' with-rows' : '') + (how.className ? ' ' + how.className : '') }, page.sheet,
	host && host.boxes ? null : page.overlay);
	page.element.style.fontFamily = family;
	page.element.style.fontSize = settings.fontSize + 'px';
	if (host && host.boxes) /* menus and tips may use the whole page of the host */
		host.boxes.append(page.overlay);
	if (!how.sheet)
		page.heading.style.minHeight = headingEnd + 4 + 'px';
	page.aside.hidden = page.chips.hidden = page.path.hidden = page.legend.hidden = page.layers.hidden = true;
	page.frame = host ? null : D.svg('foreignObject', { 'class': 'page', x: 0, y: 0 });
	if (!host)
		page.frame.appendChild(page.element);

	/* Width and height in px of the picture's place. */
	function room() {
		if (isDocument) { /* innerWidth would include what lies beyond a phone's screen */
			return [svg.clientWidth || window.innerWidth, svg.clientHeight || window.innerHeight];
		}
		if (how.room)
			return how.room();
		const width = app.drawnWidth;

		page.element.style.height = 'auto';
		return [width, Math.max(LEAST_HEIGHT, Math.min(Math.max(page.sheet.scrollHeight, drawnHeight),
			Math.max(drawnHeight, 400), Math.max(window.innerHeight, 400)))];
	}

	/* The least height of the graphs, and of a table below them. */
	page.makeRoom = () => {
		const panels = app.panels.filter((panel) => !panel.element.hidden);
		const graphs = panels.reduce((sum, panel) => sum + panel.least + PANEL_GAP, 0);
		const isBelow = !page.aside.hidden && getComputedStyle(page.body).flexDirection === 'column';

		page.stage.style.minHeight = graphs + 'px';
		page.body.style.minHeight = graphs + (isBelow ? Math.min(page.aside.scrollHeight, LEAST_TABLE) : 0) +
			'px';
	};

	/* Fits the page into the window; a host determines place and size. */
	page.fit = () => {
		const [width, height] = app.onPaper ? paperSize() : room();

		page.element.style.width = width + 'px';
		page.element.style.height = height + 'px';
		for (const e of [svg, page.frame]) {
			e.setAttribute('width', width);
			e.setAttribute('height', height);
		}
	};
	page.resize = () => {
		if (app.panels)
			page.makeRoom();
		if (!host)
			page.fit();
		if (how.resized)
			how.resized();
	};

	/* ---- paper ---- */

	/* Lays out all rows at the width of paper.  Returns the paper's width and height on screen. */
	function paperSize() {
		page.element.style.width = PAPER_WIDTH + 'px';
		page.element.style.height = 'auto';
		return [PAPER_WIDTH, Math.ceil(page.element.getBoundingClientRect().height)];
	}

	/* The page is drawn for paper, with all rows and in light colours.  It is scaled to the paper's width and, if
	 * it is not much longer than the paper, also to its height. */
	function print(on) {
		if (!(isDocument || host) || Boolean(app.onPaper) === on)
			return;
		app.onPaper = app.allRows = on;
		page.element.classList.toggle('on-paper', on);
		for (const details of page.heading.querySelectorAll('details'))
			details.open = on;
		app.refresh();
		if (host) /* the host prints its own page, which includes this picture */
			return;
		page.resize();
		if (app.drawAll) /* only now does the page have the width of the paper or of the window */
			app.drawAll();
		if (on) {
			page.fit();
			const high = Number(svg.getAttribute('height')) / PAPER_WIDTH;

			svg.setAttribute('viewBox', '0 0 ' + PAPER_WIDTH + ' ' + svg.getAttribute('height'));
			svg.classList.toggle('one-tall', high < PORTRAIT_PAGES);
			svg.classList.toggle('one-wide', high < LANDSCAPE_PAGES);
		} else {
			svg.removeAttribute('viewBox');
		}
	}
	page.print = print;
	if (!host) {
		window.addEventListener('beforeprint', () => page.frame.isConnected && print(true));
		window.addEventListener('afterprint', () => print(false));
	}

	/* Without this element, phones assume that the document was made for wide screens. */
	if (isDocument)
		svg.prepend(D.html('meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }));

	/* Takes the place of the picture that C drew. */
	page.open = () => {
		if (host) {
			host.place.append(page.element);
			page.makeRoom();
			return;
		}
		page.drawn = Array.from(svg.querySelectorAll(':scope > g:not(#background)'));
		for (const g of page.drawn)
			g.remove();
		svg.classList.add('live');
		svg.removeAttribute('viewBox');
		svg.appendChild(page.frame);
		page.fit();
	};

	function applyTheme() {
		const dark = app.isDark();

		page.element.dataset.theme = dark ? 'dark' : 'light';
		page.element.style.background = app.ownBackground(dark);
		if (host)
			page.element.classList.toggle('icicle', app.isInverted());
		else
			svg.classList.toggle('dark', dark);
	}

	app.onchange(applyTheme);
	if (!host)
		window.addEventListener('resize', () => page.frame.isConnected && page.resize());
};
/* tip: the box beside the pointer.
 *
 * app.tip.fill(title, ...parts)        makes the content of the box: texts become notes, lists of rows become
 *                                      tables, anything else is an element or null
 * app.tip.table(rows, className)       a row is a list of cells, and its first cell is the label.  A row without
 *                                      a label is the head of the rows below it
 * app.tip.show(how, x, y), hide()      how is a function that calls fill() */
pyrograph.ui.tip = function (app) {
	'use strict';

	const REST_MS = 300, AWAY = 14, D = pyrograph.ui.dom;
	const box = D.html('div', { 'class': 'tip', role: 'tooltip', hidden: true });
	let resting = 0, idleSince = -Infinity;

	app.page.overlay.appendChild(box);

	const table = (rows, className) => D.html('table', { 'class': className }, ...rows.map((cells) =>
		D.html('tr', { 'class': cells[0] ? null : 'tip-head' }, ...cells.map((cell, i) =>
			D.html(i ? 'td' : 'th', {}, ...[].concat(cell))))));
	const fill = (title, ...parts) => box.replaceChildren(
		D.html('div', { 'class': 'tip-name' }, title), ...parts.filter(Boolean).map((part) =>
			typeof part === 'string' ? D.html('div', { 'class': 'tip-note' }, part)
				: Array.isArray(part) ? table(part) : part));

	/* Puts the box beside the point, inside the window. */
	function put(x, y) {
		const page = app.page.overlay.getBoundingClientRect();
		const w = box.offsetWidth, h = box.offsetHeight;
		let left = x - page.left + AWAY, top = y - page.top + AWAY;

		if (left + w > page.width - 4)
			left = Math.max(4, Math.min(x - page.left - w - AWAY, page.width - w - 4));
		if (top + h > page.height - 4)
			top = Math.max(4, y - page.top - h - AWAY);
		box.style.left = left + 'px';
		box.style.top = top + 'px';
	}

	function hide() {
		clearTimeout(resting);
		if (!box.hidden)
			idleSince = performance.now();
		box.hidden = true;
	}

	/* Shows the box after a short time; at once if a box is open already and the pointer goes on to the
	 * next thing. */
	function show(how, x, y) {
		const open = () => {
			how();
			box.hidden = false;
			put(x, y);
		};

		clearTimeout(resting);
		if (!box.hidden || performance.now() - idleSince < REST_MS)
			open();
		else
			resting = setTimeout(open, REST_MS);
	}

	app.tip = { fill, table, show, hide };
};
/* menu: lists that open at a place of the window and close again, such as the menu of a frame or of the view.
 *
 * app.menu.open(items, x, y, label), close() -> whether one was open, isOpen()
 * app.menu.justClosed()   a press that closes the menu must not do anything else */
pyrograph.ui.menu = function (app) {
	'use strict';

	const D = pyrograph.ui.dom;
	const box = D.html('div', { 'class': 'menu', role: 'menu', tabindex: '-1', hidden: true });
	let opener = null, closed = -Infinity, pressed = false;

	app.page.overlay.appendChild(box);

	/* An item: { label, key, tip, run, checked, radio, disabled, swatch } or { heading }
	 * or { line: true }. */
	function entry(item) {
		if (item.line)
			return D.html('div', { 'class': 'menu-line', role: 'separator' });
		if (item.heading)
			return D.html('div', { 'class': 'menu-heading' }, item.heading);
		const role = item.checked === undefined ? 'menuitem' : item.radio ? 'menuitemradio'
			: 'menuitemcheckbox';
		const mark = D.html('span', { 'class': 'menu-mark' });

		if (item.checked)
			mark.appendChild(D.icon('tick'));
		return D.html('button', { type: 'button', role: role, 'data-key': item.key || null, title: item.tip ||
			null, tabindex: '-1',
		'aria-checked': item.checked === undefined ? null : String(item.checked),
		disabled: Boolean(item.disabled),
		onclick: (event) => {
			if (event.detail && !pressed) /* the finger that opened the menu is lifted */
				return;
			close();
			item.run();
		} }, mark, D.html('span', { 'class': 'menu-label' }, item.label),
		item.key ? D.html('kbd', {}, item.key) : null);
	}

	/* Opens a menu at a place of the window; whatever the reader does next closes it. */
	function open(items, x, y, label) {
		const page = app.page.overlay.getBoundingClientRect();

		app.tip.hide();
		opener = document.activeElement;
		pressed = false;
		box.replaceChildren(...items.map(entry));
		box.setAttribute('aria-label', label);
		box.hidden = false;
		box.style.maxHeight = (page.width < 500 ? 0.75 * page.height : page.height - 8) + 'px';
		box.classList.remove('wide');
		box.style.width = '';
		const width = 2 * box.offsetWidth;

		/* the window is too low for one column, so use two if there is room */
		if (box.scrollHeight > box.clientHeight && page.width >= width + 8) {
			box.classList.add('wide');
			box.style.width = width + 'px';
		}
		box.style.left = Math.max(4, Math.min(x - page.left, page.width - box.offsetWidth - 4)) + 'px';
		box.style.top = Math.max(4, Math.min(y - page.top, page.height - box.offsetHeight - 4)) + 'px';
		box.focus({ preventScroll: true });
	}

	function close() {
		if (box.hidden)
			return false;
		box.hidden = true;
		if (opener && opener.focus && opener.isConnected)
			opener.focus({ preventScroll: true });
		return true;
	}

	const enabled = () => Array.from(box.querySelectorAll('button:not([disabled])'));

	function moveTo(at) {
		const item = enabled().at(at);

		if (item)
			item.focus();
	}

	/* Runs the item whose key was pressed.  Enter runs the item that has the focus. */
	function runKey(event) {
		const key = app.keyText(event.key);
		const item = event.ctrlKey || event.metaKey || event.altKey ||
			(key === 'Enter' && document.activeElement !== box)
			? null : enabled().find((e) => e.dataset.key === key);

		if (item)
			item.click();
		return Boolean(item);
	}

	function move(step) {
		const items = enabled();
		const at = items.indexOf(document.activeElement);

		if (items.length)
			items[(at < 0 ? (step > 0 ? 0 : items.length - 1) : at + step +
				items.length) % items.length].focus();
	}

	box.addEventListener('keydown', (event) => {
		const steps = { ArrowDown: 1, ArrowUp: -1, Tab: event.shiftKey ? -1 : 1 };

		event.stopPropagation();
		if (event.key in steps)
			move(steps[event.key]);
		else if (event.key === 'Home' || event.key === 'End')
			moveTo(event.key === 'Home' ? 0 : -1);
		else if (event.key === 'Escape')
			close();
		else if (!runKey(event))
			return;
		event.preventDefault();
	});
	box.addEventListener('pointerdown', () => {
		pressed = true;
	});
	box.addEventListener('contextmenu', (event) => event.preventDefault());
	window.addEventListener('pointerdown', (event) => {
		if (!box.hidden && !box.contains(event.target)) {
			closed = performance.now();
			close();
		}
	}, true);
	window.addEventListener('blur', close);
	app.menu = { open, close, isOpen: () => !box.hidden, justClosed: () => performance.now() - closed < 350 };
};
/* commands: runs actions, finds them by their keys, shows them in menus; has the actions of all charts.
 *
 * app.actions: id: [key, words, what it does, group of the help, whether it is available]; the key is a
 * KeyboardEvent.key.  A chart makes app.actions from its own actions and from the lists in app.usual, one for each
 * place in the help. */
pyrograph.ui.commands = function (app) {
	'use strict';

	const D = pyrograph.ui.dom, SAME = { F1: '?', '=': '+', _: '-' };
	const THEMES = [['auto', 'As the system'], ['light', 'Light'], ['dark', 'Dark']];
	const isAvailable = ([, , , , when]) => !when || when();

	app.act = (id) => {
		const action = app.actions[id], runs = Boolean(action && action[2] && isAvailable(action));

		if (runs)
			action[2]();
		return runs;
	};
	/* Returns the action of a key, or undefined. */
	app.actionOfKey = (key) => Object.keys(app.actions).find((id) => app.actions[id][0] === (SAME[key] || key) &&
		isAvailable(app.actions[id]) && app.actions[id][2]);
	app.keyText = (key) => ({ ' ': 'Space', Delete: 'Del', Backspace: '\u232b', ArrowLeft: '\u2190',
		ArrowRight: '\u2192' })[key] ||
		(/^[A-Z]$/.test(key) ? 'Shift+' + key : /^[a-z]$/.test(key) ? key.toUpperCase() : key);

	/* What Esc does in charts that have nothing else to leave. */
	app.undoOrReset = () => {
		if (!app.links.undo())
			app.resetAll();
		return true;
	};
	app.setTheme = (theme) => app.touch({ theme: theme });
	app.usual = {
		matches: {
			next: ['n', 'Next match (F3)', () => app.walkMatches(1), 'Find'],
			previous: ['N', 'Previous match', () => app.walkMatches(-1), 'Find'],
		},
		view: {
			theme: ['d', 'Dark or light', () => app.setTheme(app.isDark() ? 'light' : 'dark'), 'View', () =>
				!app.host],
			view: ['v', 'View menu', () => app.openViewMenu(), 'View'],
			undo: ['Backspace', 'Undo the last step' + (app.host || app.escClears ? '' : ' (Esc)'), () =>
				app.links.undo(), 'View'],
		},
		link: {
			copyLink: ['l', 'Copy the link to this view', () => app.copyLink(), 'Keep', () =>
				app.link() !== null],
		},
		saving: {
			saveSvg: ['S', 'Save the view as SVG', () => app.save.svg(), 'Keep'],
			savePng: ['P', 'Save the view as PNG', () => app.save.png(), 'Keep'],
			saveChart: ['', 'Save the live chart', () => app.save.chart(), 'Keep', () => !app.host],
			help: ['?', 'Pointer and keys', () => app.help.toggle(), 'Keep'],
		},
	};

	/* ---- items of menus ---- */

	app.actionItem = (id, more) => {
		const [key, label, run] = app.actions[id];

		return Object.assign({ label: label.replace(/ \((Esc|Ctrl.*|Alt.*)\)$/, ''),
			key: key && app.keyText(key), run: run }, more);
	};
	app.checkItem = (id, checked, label) => app.actionItem(id, Object.assign({ checked }, label && { label }));
	/* The menu items of the actions that are available. */
	app.actionItems = (...ids) => ids.filter((id) => app.actions[id] && isAvailable(app.actions[id])).map((id) =>
		app.actionItem(id));
	/* Radio items, one for each of values, [[value, label], ...]; key: the key that switches to the next
	 * value. */
	app.radios = (values, now, set, key) => values.map(([value, label], i) => ({ label: label, radio: true,
		checked: value === now, key: i ? '' : key, run: () => set(value) }));
	/* Shows the view menu: a chart's own items, its actions for copying and saving, then the items of all
	 * charts. */
	app.showViewMenu = (own, ...keep) => {
		const at = app.viewButton.getBoundingClientRect();

		app.menu.open([...own, ...app.host ? [] : [{ heading: 'Theme' },
			...app.radios(THEMES, app.view.theme || 'auto', app.setTheme, '')], { heading: 'Keep' },
		...app.actionItems('copyLink', ...keep, 'saveSvg', 'savePng', 'saveChart'), { line: true },
		...app.actionItems('resetAll', 'help')], at.left, at.bottom + 4, 'View');
	};

	/* ---- the clipboard ---- */

	app.copyLink = () => app.copy(app.link(), 'link');
	/* Shows the text selected, since the reader's own Ctrl+C works everywhere. */
	function offer(text, what) {
		const field = D.html('textarea', { 'class': 'to-copy', readonly: true, rows: 2, 'aria-label': what });
		const box = D.html('div', { 'class': 'toast', role: 'group' }, 'Ctrl+C copies: ' + what, field);
		const focused = document.activeElement;

		field.value = text;
		field.addEventListener('copy', () => setTimeout(() => {
			field.blur();
			app.save.toast('Copied: ' + what);
		}));
		field.addEventListener('keydown', (event) => {
			event.stopPropagation();
			if (event.key === 'Escape')
				field.blur();
		});
		field.addEventListener('blur', () => {
			box.remove();
			if (focused && focused.focus)
				focused.focus();
		});
		app.page.overlay.append(box);
		field.focus();
		field.select();
	}
	app.copy = async (text, what) => {
		if (await D.copy(text))
			app.save.toast('Copied: ' + what);
		else
			offer(text, what);
	};
};
/* help: the list of what the pointer and the keys do, made from app.pointerWords and app.actions.
 *
 * app.help.toggle(), isOpen(), close() -> whether it was open */
pyrograph.ui.help = function (app) {
	'use strict';

	const D = pyrograph.ui.dom;
	const box = D.html('div', { 'class': 'help-box', role: 'dialog', 'aria-modal': 'true',
		'aria-label': 'Keys', tabindex: '-1' });
	const shade = D.html('div', { 'class': 'shade', hidden: true }, box);
	let opener = null;

	app.page.overlay.appendChild(shade);

	function section(title, rows) {
		return D.html('section', {}, D.html('h3', {}, title), ...rows.map(([key, label]) =>
			D.html('div', { 'class': 'help-row' }, D.html('kbd', {}, key), D.html('span', {}, label))));
	}

	function fill() {
		const groups = new Map();

		for (const [key, label, , group, available] of Object.values(app.actions)) {
			if (!key || (available && !available()))
				continue;
			if (!groups.has(group))
				groups.set(group, []);
			groups.get(group).push([app.keyText(key), label]);
		}
		box.replaceChildren(D.html('div', { 'class': 'help-top' }, D.html('h2', {}, 'Keys'),
			D.button('close', 'Close', 'Close (Esc)', close, { icon: 'close' })),
		D.html('div', { 'class': 'help-columns' }, section('Pointer', app.pointerWords),
			...Array.from(groups, ([group, rows]) => section(group, rows))));
	}

	function toggle() {
		if (close())
			return;
		fill();
		opener = document.activeElement;
		shade.hidden = false;
		box.focus({ preventScroll: true });
	}

	function close() {
		if (shade.hidden)
			return false;
		shade.hidden = true;
		if (opener && opener.focus && opener.isConnected)
			opener.focus({ preventScroll: true });
		return true;
	}

	/* The help is modal: keys do not reach the page behind it, and Tab stays inside. */
	shade.addEventListener('keydown', (event) => {
		const buttons = Array.from(box.querySelectorAll('button'));

		if (shade.hidden) /* the help is closed, but the focus has not left it yet */
			return;
		event.stopPropagation();
		if (/^(Escape|F1|\?)$/.test(event.key)) {
			close();
		} else if (event.key === 'Tab') {
			const at = buttons.indexOf(document.activeElement), step = event.shiftKey ? -1 : 1;

			buttons[(at + step + buttons.length) % buttons.length].focus();
		} else {
			return;
		}
		event.preventDefault();
	});
	shade.addEventListener('click', (event) => {
		if (event.target === shade)
			close();
	});
	app.help = { toggle, close, isOpen: () => !shade.hidden };
};
/* foot: the line below a chart, the text about matches, and what screen readers hear.
 *
 * app.foot.show(text, isIdle)          shows text in the line below; isIdle: the pointer is at nothing
 * app.foot.showMatched(text, isWrong)  shows what a search found, or what is wrong with the search
 * app.foot.say(text)                   tells screen readers
 * app.page.foot                        the element that contains all three; foot.line, foot.matched: elements */
pyrograph.ui.foot = function (app) {
	'use strict';

	const D = pyrograph.ui.dom, { foot } = app.page;
	const line = foot.line = D.html('span', { 'class': 'details' });
	const matched = foot.matched = D.html('span', { 'class': 'matched', role: 'status' });
	const spoken = D.html('span', { 'class': 'offscreen', 'aria-live': 'polite' });

	let kept = '';

	/* Words for an idle pointer may take several lines, whose room the foot keeps, so that the chart does not move
	 * when others replace them. */
	function keepRoom(text) {
		const now = window.innerWidth + text;

		if (now === kept)
			return;
		foot.style.minHeight = '';
		if (!foot.offsetHeight) /* not shown yet */
			return;
		foot.style.minHeight = foot.offsetHeight + 'px';
		kept = now;
	}

	foot.append(line, spoken, matched);
	app.foot = {
		say: (text) => {
			spoken.textContent = text;
		},
		show: (text, isIdle) => {
			line.textContent = line.title = text;
			line.classList.toggle('idle', Boolean(isIdle));
			if (isIdle)
				keepRoom(text);
		},
		showMatched: (text, isWrong) => {
			matched.textContent = text;
			matched.classList.toggle('wrong', isWrong);
			matched.setAttribute('role', isWrong ? 'alert' : 'status');
		},
	};
};
/* box: an input field for a regular expression, the "filter" or the "search" of a chart.
 *
 * pyrograph.ui.box(app, { name, placeholder, tip, label, count(), error(), read(), write(pattern, ignoreCase),
 *     later, buttons }) -> { element, input, found, set(pattern), apply(), toggleCase(), focus() }
 *     count    -> the text beside the field, about the matches; later: app.onchangeLater, if counting takes long
 *     read     -> { pattern, ignoreCase }; default: read and write use the member of the view that is called name
 *     buttons  shown at the end of the field while it has a pattern
 * What the reader types is applied after a pause, or by apply(). */
pyrograph.ui.box = function (app, how) {
	'use strict';

	const { name, placeholder, tip, label, count, error, later = app.onchange, buttons = [] } = how;
	const read = how.read || (() => app.view[name]);
	const write = how.write || ((pattern, ignoreCase) => app.touch({ [name]: { pattern, ignoreCase } }));
	const D = pyrograph.ui.dom, TYPING_MS = 120;
	const input = D.html('input', { type: 'text', placeholder: placeholder, spellcheck: 'false',
		autocapitalize: 'off', autocomplete: 'off', enterkeyhint: 'search', title: tip, 'aria-label': label });
	const found = D.html('span', { 'class': 'count' });
	const clear = D.button('clear', 'Clear ' + name, 'Clear ' + name + ' (Esc)', () => set(''), { icon: 'close' });
	const ignore = D.button('case', 'Ignore case', 'Ignore case (Ctrl+I)', () => toggleCase(), 'aA');
	const element = D.html('div', { 'class': 'search of-' + name }, input, found, clear, ignore, ...buttons);
	let typing = 0;

	function apply(pattern) {
		clearTimeout(typing);
		if (read().pattern !== pattern)
			write(pattern, read().ignoreCase);
	}
	function set(pattern) {
		input.value = pattern;
		apply(pattern);
	}
	const toggleCase = () => write(input.value, !read().ignoreCase);

	input.addEventListener('input', () => {
		clearTimeout(typing);
		typing = setTimeout(() => apply(input.value), TYPING_MS);
	});
	input.addEventListener('change', () => apply(input.value));
	app.onchange(() => {
		const { pattern, ignoreCase } = read();

		if (document.activeElement !== input)
			input.value = pattern;
		element.classList.toggle('invalid', Boolean(error()));
		for (const button of [clear, ...buttons])
			button.hidden = pattern === '';
		ignore.hidden = pattern === '' && !ignoreCase;
		ignore.setAttribute('aria-pressed', String(ignoreCase));
	});
	later(() => {
		found.textContent = found.title = read().pattern ? count() : '';
	});
	return { element, input, found, set, toggleCase, apply: () => apply(input.value), focus: () => {
		input.focus();
		input.select();
	} };
};
/* controls: buttons above a chart, and chips for the changes to its view.
 *
 * app.controls = {
 *     tools(tip, ...own)        adds the chart's own buttons, then those of the view menu and of the help
 *     choice(label, tip, is, run)  -> a button that looks pressed while is() is true
 *     segment(label, ...buttons) -> a row of such buttons
 *     said(word, text, px)      -> elements that name a change: a word, and a text cut to px pixels
 *     chip(className, content, remove, tip)  -> content, and a button that undoes the change
 *     idleChip(isShown, amount, what, key, word)  -> a chip that shows and hides what is idle, or what word says: "Idle
 *         hidden: 191 s"
 *     hideLines(text)           hides those lines of C's heading that are parts of text
 *     texts(selector)           -> the words of the chips that match selector
 *     show(chips)               shows these chips instead of the former ones } */
pyrograph.ui.controls = function (app) {
	'use strict';

	const D = pyrograph.ui.dom, { page } = app;
	const choices = [];

	function tools(tip, ...own) {
		app.viewButton = D.button('view', 'View', tip, () => {
			if (!app.menu.justClosed())
				app.act('view');
		}, { icon: 'view' });
		app.viewButton.setAttribute('aria-haspopup', 'menu');
		page.tools.append(...own, app.viewButton,
			D.button('help', 'Keys and help', 'Keys and help (?)', () => app.act('help'), '?'));
	}

	function choice(label, tip, is, run) {
		const e = D.html('button', { type: 'button', title: tip, onclick: run }, label);

		choices.push([e, is]);
		return e;
	}

	const segment = (label, ...buttons) => D.html('span',
		{ 'class': 'segment', role: 'group', 'aria-label': label }, ...buttons);

	const said = (word, text, px) => [D.html('span', { 'class': 'word' }, word),
		D.html('span', { 'class': 'chip-text', title: text }, app.ruler.fit(text, px, 1, 'middle'))];

	const chip = (className, content, remove, tip = 'Undo this') => D.html('span', { 'class': 'chip ' + className },
		...content, D.button('remove', tip, tip, remove, { icon: 'close' }));

	function idleChip(isShown, amount, what, key, word = 'Idle') {
		return D.html('span', { 'class': 'chip of-idle' }, D.html('button', { type: 'button',
			'class': 'chip-text', 'aria-pressed': String(Boolean(isShown)),
			title: (isShown ? 'Hide ' : 'Show ') + what + ` (${key})`,
			onclick: () => app.act('idle') }, word + (isShown ? ' shown: ' : ' hidden: ') + amount));
	}

	function hideLines(text) {
		app.headingLines.filter((line) => line.className === 'note' && text.includes(line.text.trim()))
			.forEach((line) => {
				line.element.hidden = true;
			});
	}

	/* The words of chips, for a picture without script. */
	const texts = (selector) => Array.from(page.chips.querySelectorAll(selector), (one) =>
		Array.from(one.children, (part) => part.title && part.localName !== 'button' ? part.title
			: part.textContent.trim()).filter(Boolean).join(' '));

	function show(chips) {
		page.chips.hidden = !chips.length;
		page.chips.replaceChildren(...chips);
	}

	app.onchange(() => {
		for (const [e, is] of choices)
			e.setAttribute('aria-pressed', String(Boolean(is())));
	});
	app.controls = { tools, choice, segment, said, chip, idleChip, hideLines, texts, show };
};
/* pointer: handles a mouse or fingers on rows or frames.  The first touch on an item shows what the item is, the second
 * chooses it; a long press acts like the right button.
 *
 * pyrograph.ui.pointer(graph, { at(x, y), hover(at, x, y), leave(), click(at, event, touched), menu(at, x, y) }):
 *     at  -> what is at a place of the window */
pyrograph.ui.pointer = function (graph, how) {
	'use strict';

	const LONG_PRESS_MS = 500, MOVED_PX = 8, { at, hover, leave, click, menu } = how;
	let press = 0, from = null, long = false, touched = false;
	const openMenu = (x, y) => menu(at(x, y), x, y);

	graph.addEventListener('pointermove', ({ pointerType, clientX: x, clientY: y }) => {
		if (pointerType !== 'touch')
			hover(at(x, y), x, y);
		else if (from && Math.hypot(x - from[0], y - from[1]) > MOVED_PX)
			clearTimeout(press);
	});
	graph.addEventListener('pointerleave', leave);
	graph.addEventListener('pointerdown', (event) => {
		touched = event.pointerType === 'touch';
		long = false;
		clearTimeout(press);
		if (!touched)
			return;
		from = [event.clientX, event.clientY];
		press = setTimeout(() => {
			long = true;
			openMenu(...from);
		}, LONG_PRESS_MS);
	});
	for (const end of ['pointerup', 'pointercancel'])
		graph.addEventListener(end, () => clearTimeout(press));
	graph.addEventListener('click', (event) => {
		if (!long)
			click(at(event.clientX, event.clientY), event, touched);
	});
	graph.addEventListener('contextmenu', (event) => {
		event.preventDefault();
		if (event.button === 2 && !touched)
			openMenu(event.clientX, event.clientY);
	});
};
/* windowed: a list or chart of rows in which only the rows in the window, and a margin, exist as elements.
 *
 * pyrograph.ui.windowed(app, scroll, { rowsIn(top, end), count(), draw(from, to), pitch(), margin, scrolled() }) ->
 *     { paint(), paintIfNeeded(), page(pages), scrollTo(top), reveal(top, more) }
 *     scroll    the element that scrolls; its owner calls paintIfNeeded() when it has scrolled
 *     rowsIn    -> [first, last + 1]: the rows between two heights in px; draw makes elements of rows
 *     pitch     -> px from row to row; margin: a number of rows
 *     scrolled  called after this file has scrolled the element; may be missing
 *     reveal    scrolls so that the row at top, and more px beyond it, can be seen */
pyrograph.ui.windowed = function (app, scroll, how) {
	'use strict';

	const { rowsIn, count, draw, pitch, margin, scrolled = () => {} } = how;
	let drawn = null;

	function rows(more) {
		const top = scroll.scrollTop, px = more * pitch();

		return app.allRows ? [0, count()] : rowsIn(top - px, top + scroll.clientHeight + px);
	}
	function paint() {
		drawn = rows(margin);
		draw(...drawn);
	}
	function paintIfNeeded() {
		const [from, to] = drawn ? rows(0) : [0, 0];

		if (drawn && (from < drawn[0] || to > drawn[1]))
			paint();
	}
	function scrollTo(top) {
		scroll.scrollTop = Math.max(0, Math.min(top, scroll.scrollHeight));
		scrolled();
		paintIfNeeded();
	}
	/* Scrolls by a windowful of rows, up (-1) or down (1), or to an end (-Infinity, Infinity). */
	function page(step) {
		const rest = Math.max(scroll.clientHeight - 2 * pitch(), pitch());

		scrollTo(isFinite(step) ? scroll.scrollTop + step * rest : step < 0 ? 0 : scroll.scrollHeight);
	}
	function reveal(top, more = 0) {
		if (top < scroll.scrollTop)
			scrollTo(top - more);
		else if (top + pitch() > scroll.scrollTop + scroll.clientHeight)
			scrollTo(top + pitch() + more - scroll.clientHeight);
	}
	return { paint, paintIfNeeded, page, reveal, scrollTo };
};
/* keys: the keys of a chart: those of boxes and menus, the arrow keys, and the keys of app.actions.
 *
 * pyrograph.ui.keys(app, { move(key, isLonger), page(pages), choose(target), undo(), has(element) }):
 *     move    is called with an arrow key, and whether Shift is down
 *     page    scrolls by a number of pages, or by -Infinity or Infinity
 *     choose  what Enter does with app.target()
 *     undo    what Esc does when no box, menu or help is open -> whether there was anything to undo
 *     has     whether arrows and Enter belong to the chart while this element has the focus
 * app.searchBox, and app.filterBox if there is one, are made by box.js; app.walkMatches(step) and
 * app.pinSearch() may be missing. */
pyrograph.ui.keys = function (app, how) {
	'use strict';

	const { move, page, choose, undo, has = () => true } = how;
	const PAGES = { PageUp: -1, PageDown: 1, Home: -Infinity, End: Infinity };
	const alone = !app.host && app.svg === document.documentElement;
	const boxOf = (input) => [app.filterBox, app.searchBox].find((box) => box && box.input === input);

	function escape(box, field) {
		if (app.help.close() || app.menu.close())
			return true;
		app.tip.hide();
		if (!box)
			return !field && undo();
		box.set('');
		box.input.blur();
		return true;
	}

	function walk(event) {
		if (app.walkMatches)
			app.walkMatches(event.shiftKey ? -1 : 1);
	}

	function enter(box, event) {
		box.apply();
		if (box !== app.searchBox)
			return;
		if (app.pinSearch && (event.altKey || event.ctrlKey))
			app.pinSearch();
		else
			walk(event);
	}

	function next(event) {
		app.searchBox.apply();
		if (app.searchBox.input.value || app.pinned)
			walk(event);
		else
			app.act('search');
	}

	/* Handles a key, also one pressed in a box.  Returns false if the key means nothing. */
	function pressed(event) {
		const command = event.ctrlKey || event.metaKey, { key, target } = event, box = boxOf(target);
		const range = target.type === 'range';
		const field = !range && /^(input|textarea|select)$/.test(target.localName);

		if (key === 'Escape')
			return escape(box, field);
		if (app.help.isOpen()) /* the help has its own keys, wherever the focus is */
			return key === 'Tab' || (/^(F1|\?)$/.test(key) && app.help.close());
		if (app.menu.isOpen())
			return false;
		if (key === 'F3')
			next(event);
		else if (command && key === 'f')
			app.act('search');
		else if (command && key === 'i')
			(box || app.filterBox || app.searchBox).toggleCase();
		else if (box && key === 'Enter')
			enter(box, event);
		else if (field || command || event.altKey || (range && /^(Arrow|Page|Home$|End$)/.test(key)))
			return false;
		else if (/^Arrow/.test(key) && has(target))
			move(key, event.shiftKey);
		else if (key in PAGES && has(target))
			page(PAGES[key]);
		else if (/^(Enter| )$/.test(key) && (/^(button|summary)$/.test(target.localName) || !has(target)))
			return false;
		else if (key === 'Enter' && app.target && app.target())
			choose(app.target());
		else if (key === 'ContextMenu' || (key === 'F10' && event.shiftKey))
			app.menuOfCursor();
		else
			return app.act(app.actionOfKey(key));
		return true;
	}

	/* A chart that is alone in its window gets all keys; in a page, it gets only those pressed inside it.  A host
	 * gets the keys that mean nothing in the chart. */
	(alone ? window : app.page.element).addEventListener('keydown', (event) => {
		if (event.defaultPrevented || !pressed(event))
			return;
		event.preventDefault();
		if (app.host)
			event.stopPropagation();
	});
};
/* save: saves app.pictureText(), an SVG of what is shown, as a file or as a PNG; or the chart itself, with its script
 * embedded even if it refers to a file.
 *
 * app.save.svg(), png(), chart()
 * app.save.fileName(extension)   the title as a name: "CPU: db1" -> "cpu-db1.svg"
 * app.save.toast(text)           a short message */
pyrograph.ui.save = function (app) {
	'use strict';

	const D = pyrograph.ui.dom, PNG_SCALE = 2, PNG_SIDE_MAX = 16000;
	const message = D.html('div', { 'class': 'toast', role: 'status', hidden: true });
	let fading = 0;

	app.page.overlay.appendChild(message);

	function toast(text) {
		message.textContent = text;
		message.hidden = false;
		clearTimeout(fading);
		fading = setTimeout(() => { message.hidden = true; }, 1800);
	}

	function fileName(extension) {
		const base = app.titleText.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-+|-+$/g, '');

		return (base.slice(0, 80) || app.settings.fileName || 'flame-graph') + extension;
	}

	function saveSvg(text) {
		D.save(fileName('.svg'), text, 'image/svg+xml');
		toast('Saved: ' + fileName('.svg'));
	}

	/* global pyrographScript */
	/* The source of the script.  A script file is one function, which knows its own source, since a policy or
	 * file:// may keep us from loading the file. */
	function scriptText() {
		const own = typeof pyrographScript === 'function' ? '(' + pyrographScript + ')();' : null;

		return '\n' + (own || pyrograph.ui.script.textContent.trim()) + '\n';
	}

	function chartText() {
		const { bare, drawn, frame } = app.page, copy = bare.cloneNode(false);

		for (const e of app.svg.children) {
			if (e === frame || e.localName === 'meta' || e.localName === 'script')
				continue;
			copy.append('\n', e.cloneNode(true));
			if (e.id === 'background')
				copy.append(...drawn.map((g) => g.cloneNode(true)));
		}
		D.svg('script', {}, copy).textContent = scriptText();
		return '<?xml version="1.0" encoding="UTF-8"?>\n' + new XMLSerializer().serializeToString(copy) +
			'\n';
	}

	function png() {
		/* not blob: policies allow data: */
		const url = 'data:image/svg+xml,' + encodeURIComponent(app.pictureText());
		const image = new Image(), canvas = D.html('canvas', {});

		image.onload = () => {
			const scale = Math.min(PNG_SCALE, PNG_SIDE_MAX / Math.max(image.width, image.height));

			if (scale < 1) { /* at such a size the picture would be unreadable */
				toast('Too tall for a PNG: save it as SVG, or zoom in');
				return;
			}
			canvas.width = Math.round(image.width * scale);
			canvas.height = Math.round(image.height * scale);
			canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height);
			canvas.toBlob((blob) => {
				if (blob)
					D.save(fileName('.png'), blob);
				toast(blob ? 'Saved: ' + fileName('.png')
					: 'Too large for a PNG: save it as SVG');
			}, 'image/png');
		};
		image.onerror = () => toast('The browser could not draw the picture');
		image.src = url;
	}

	app.save = { toast, fileName, png, svg: () => saveSvg(app.pictureText()), chart: () => saveSvg(chartText()) };
};
/* picture: the view as a picture without script, in the same form for all charts: heading, legend, then the
 * chart itself.
 *
 * pyrograph.ui.picture(app, { said(), legend(), width(), draw(out, y, width, theme) -> y, swatch }):
 * makes app.pictureText().  said: the changes to the view, one text per line; legend: [[colour, label], ...];
 * swatch(out, x, y, colour, ink), which may be missing, draws a colour of the legend; draw draws the chart and
 * returns the y at which it ends; theme: { ink, quiet, back }. */
pyrograph.ui.picture = function (app, how) {
	'use strict';

	const { said, legend, width, draw, swatch } = how;
	const D = pyrograph.ui.dom, { fontSize } = app.settings;
	const PAD = 10, EDGE = 8, LINE = 1.35, SWATCH = 12, BETWEEN = 14, LABEL_MAX = 300;
	const DARK = { ink: '#e2e4e8', quiet: '#a3a9b1', back: '#17191d' };  /* as in chart.css */
	const LIGHT = { ink: '#1a1c1f', quiet: '#575d65', back: '#ffffff' };

	function drawHeading(out, y, wide, theme) {
		const isShown = ({ element }) => !element || !element.hidden;
		const lines = (app.linesNow ? app.linesNow() : app.headingLines.filter(isShown)).map((line, i) =>
			({ text: line.text, size: line.size, bold: !i }))
			.concat(said().filter(Boolean).map((text) => ({ text: text, size: fontSize })));

		for (const line of lines) {
			y += line.size * LINE;
			D.svg('text', { x: PAD, y: y, 'font-size': line.size, fill: theme.ink, 'font-weight': line.bold
				? 'bold' : null }, out)
				.textContent = app.ruler.fit(line.text, (wide - 2 * PAD) * fontSize / line.size, 1,
					'right');
		}
		return y;
	}

	function drawSwatch(out, x, y, colour) {
		D.svg('rect', { x: x, y: y, width: SWATCH, height: SWATCH, fill: colour }, out);
	}

	function drawLegend(out, y, wide, theme) {
		let x = PAD;

		for (const [colour, text] of legend()) {
			const words = app.ruler.fit(text, LABEL_MAX, 1, 'middle'), beside = colour ? SWATCH + 6 : 0;
			const long = beside + app.ruler.width(words) + BETWEEN;

			if (!text) { /* one of the steps of a scale, whose words stand at the last step */
				(swatch || drawSwatch)(out, x, y, colour, theme.ink);
				x += SWATCH;
				continue;
			}
			if (x > PAD && x + long > wide) {
				x = PAD;
				y += 18;
			}
			if (colour)
				(swatch || drawSwatch)(out, x, y, colour, theme.ink);
			D.svg('text', { x: x + beside, y: y + 10, fill: theme.ink }, out).textContent = words;
			x += long;
		}
		return x > PAD ? y + 18 + EDGE : y;
	}

	function picture() {
		const theme = app.isDark() ? DARK : LIGHT, wide = width(), own = app.ownBackground(app.isDark());
		const out = D.svg('svg', { 'font-family': app.family, 'font-size': fontSize }),
			back = D.svg('rect', { fill: /^#/.test(own) ? own : theme.back }, out);
		let y = drawHeading(out, EDGE, wide, theme);

		y = drawLegend(out, y + EDGE, wide, theme);
		y = Math.ceil(draw(out, y, wide, theme) + EDGE);
		for (const e of [out, back]) {
			e.setAttribute('width', wide);
			e.setAttribute('height', y);
		}
		out.setAttribute('viewBox', '0 0 ' + wide + ' ' + y);
		return out;
	}

	/* Draws all rows for the picture, and afterwards only those in the window, as before. */
	app.pictureText = () => {
		const drawAll = app.drawAll || (() => {});
		let text;

		app.allRows = true;
		try {
			drawAll();
			text = new XMLSerializer().serializeToString(picture());
		} finally {
			app.allRows = false;
			drawAll();
		}
		return '<?xml version="1.0" encoding="UTF-8"?>\n' + text + '\n';
	};
};

/* The picture of a chart whose panel consists of rows:
 * app.panel.picture() -> { width, height, parts: [[element, top], ...] }. */
pyrograph.ui.picture.ofRows = function (app, how) {
	'use strict';

	const { said, legend } = how, D = pyrograph.ui.dom, { plain } = pyrograph.ui.picture;

	pyrograph.ui.picture(app, { said, legend, width: () => app.panel.picture().width,
		draw: (out, y, width, theme) => {
			const { parts, height } = app.panel.picture();

			for (const [part, top] of parts) {
				const g = D.svg('g', { transform: `translate(0,${y + top})` }, out);

				g.append(...(part.localName === 'svg' ? Array.from(part.children) : [part]).map((e) =>
					plain(e.cloneNode(true), theme)));
			}
			return y + height;
		} });
};

/* A copy of the rows on the page, with the styles of g and its contents as attributes. */
pyrograph.ui.picture.plain = function (g, theme) {
	'use strict';

	const HTML_ONLY = ['class', 'id', 'role', 'aria-hidden', 'aria-posinset', 'aria-setsize', 'aria-selected',
		'aria-label', 'aria-level', 'data-frame'];
	const { ink, quiet } = theme, fills = { ink: ink, sum: ink, found: ink, track: ink, grid: ink, dim: quiet,
		'quiet-text': quiet, white: '#ffffff', black: '#000000', chosen: 'none', cut: theme.back };

	for (const e of [g, ...g.querySelectorAll('*')]) {
		const name = e.getAttribute('class'), label = e.getAttribute('aria-label');

		if (fills[name])
			e.setAttribute('fill', fills[name]);
		if (name === 'track' || name === 'grid')
			e.setAttribute('fill-opacity', 0.1);
		if (name === 'sum' || name === 'found')
			e.setAttribute('font-weight', 'bold');
		if (name === 'tick')
			e.setAttribute('stroke', quiet);
		for (const attribute of HTML_ONLY)
			e.removeAttribute(attribute);
		if (label) {
			e.prepend(pyrograph.ui.dom.svg('title', {}));
			e.firstChild.textContent = label;
		}
	}
	return g;
};
/* history: keeps the view in the page's address, so that Back undoes steps.  Without a browser history (in an embedded
 * document, or in a page with an address of its own) the steps are kept in this file.
 *
 * pyrograph.ui.history(app, { address, stay, adopted, host }):
 *     address       { encode(view) -> the text after "#", decode(text) -> view }
 *     stay          members of the view that a step back leaves as they are
 *     adopted(isStep)  called before a new app.view is drawn; may be missing
 *     host          null, or { view, saved(step), link(), undo() }: the picture that contains this one, which owns
 *                   the address and the steps (flame.js)
 * makes app.links = { save(step), undo() -> whether there was anything to undo, read() } and
 * app.link() -> the link to the view, or null; with a host also app.links.show(text), which shows the view of
 * a link.  step: true: the change is a step; false: it is none; a word: consecutive changes with this word are one step
 * (a key that is held down). */
pyrograph.ui = pyrograph.ui || {};

pyrograph.ui.history = function (app, how) {
	'use strict';

	const { address, stay, adopted, host } = how;
	const alone = !host && app.svg === document.documentElement;
	const WHILE_MS = 10000, TOUCHES_MAX = 60, STEPS_MAX = 150, REST_MS = 300, BACK_MS = 3000;
	const past = [];                /* without a browser history: the view before each step */
	const waiting = [];             /* [text, isStep] of changes that are written later */
	const written = [];             /* when the latest entries were written */
	let session = 0;                /* identifies the entries of one link and of the steps taken from it */
	const texts = [];               /* the entries' texts, by depth, so that a step back need not wait for the
					 * browser */
	let depth = 0, worked = false, refused = false, current = '', series = null, late = 0;
	let last = '';                  /* what the address says, or will say once the browser has gone back */
	let backs = 0, backAt = 0; /* steps back that the browser has not made yet; time when the last one was
				    * requested */

	app.links = {};

	const encode = () => address.encode(app.view);

	/* Shows the view of a link, or the view of an earlier or later entry (isStep). */
	function adopt(text, isStep) {
		const before = app.view, { activeElement } = document;

		app.view = address.decode(text);
		for (const member of isStep ? stay : /(^|[&?#])t=/.test(text) ? [] : ['theme'])
			app.view[member] = before[member];
		if (activeElement && activeElement.localName === 'input' && app.page.tools.contains(activeElement))
			activeElement.blur(); /* the input field has the text of the old view */
		if (adopted)
			adopted(isStep);
		app.refresh();
	}
	const show = (text) => adopt(text, false), stepTo = (text) => adopt(text, true);

	app.link = () => host ? host.link() : alone ? location.href.replace(/[?#].*$/s, '') + '#' + encode() : null;

	/* The browser keeps this with the address, even across a reload. */
	const entry = () => ({ pyrograph: depth, session: session, before: depth ? texts[depth - 1] : undefined });

	function write(text, isStep) {
		written.push(performance.now());
		last = text;
		try {
			depth += isStep ? 1 : 0;
			texts.length = depth;
			texts[depth] = text;
			history[isStep ? 'pushState' : 'replaceState'](entry(), '', '#' + text);
			worked = true;
		} catch (e) {
			refused = !worked; /* an embedded document, which has no links; otherwise, too many changes */
		}
	}

	/* Browsers refuse to change the address too often (200 times in ten seconds in Chromium), some without
	 * an error.  An entry that is written before the browser has gone back would replace the wrong entry. */
	function mayWrite(isStep) {
		const since = performance.now() - WHILE_MS;

		if (backs && performance.now() - backAt < BACK_MS)
			return false;
		backs = 0;
		while (written.length && written[0] < since)
			written.shift();
		return written.length < (isStep ? STEPS_MAX : TOUCHES_MAX);
	}

	/* No step is lost: steps that cannot be written yet wait, in order. */
	function writeWaiting() {
		clearTimeout(late);
		while (waiting.length && mayWrite(waiting[0][1] || waiting.length > 1))
			write(...waiting.shift());
		late = waiting.length ? setTimeout(writeWaiting, REST_MS) : 0;
	}

	function writeSoon(text, isStep) {
		if (!isStep && waiting.length)
			waiting[waiting.length - 1][0] = text;
		else
			waiting.push([text, isStep]);
		if (isStep || !late)
			writeWaiting();
	}

	/* Undoes a waiting step, for which the browser has no entry yet. */
	function undoWaiting() {
		const at = waiting.map(([, isStep]) => isStep).lastIndexOf(true);

		if (at < 0)
			return false;
		waiting.length = at;
		go(at ? waiting[at - 1][0] : last);
		return true;
	}

	app.links.save = (step) => {
		const text = encode(), isStep = Boolean(step) && (step === true || step !== series);

		if (text === current)
			return;
		series = step || null;
		if (isStep)
			past.push(current);
		current = text;
		if (host)
			host.saved(isStep);
		if (alone)
			writeSoon(text, isStep);
	};

	function go(text) {
		current = text;
		stepTo(text);
		app.links.save(false);
	}

	/* Takes a step back.  The browser goes back later, but the view is shown at once, so that keys pressed until
	 * then act on this view. */
	function back() {
		const text = texts[depth - 1];

		if (text !== undefined) {
			depth--;
			backs++;
			backAt = performance.now();
			last = current = text;
			stepTo(text);
			app.links.save(false);
		}
		history.back();
	}

	app.links.undo = () => {
		series = null;
		if (host)
			return host.undo();
		if (undoWaiting())
			return true;
		writeWaiting();
		if (alone && !refused) {
			if (!depth)
				return false;
			back();
			return true;
		}
		if (!past.length)
			return false;
		go(past.pop());
		return true;
	};

	app.links.show = (text) => {
		if (text === current)
			return;
		series = null;
		current = text;
		show(text);
		current = encode();
	};

	/* Shows the view of the address: at the start, or after the reader typed another address. */
	app.links.read = () => {
		const state = alone && history.state;

		depth = state && state.pyrograph || 0;
		session = state && state.session || Date.now();
		texts.length = 0;
		if (depth)
			texts[depth - 1] = state.before;
		current = host ? host.view : alone ? location.search.slice(1) + '&' + location.hash.slice(1) : '';
		show(current);
		last = current = texts[depth] = encode();
		try { /* the address is that of an entry that this page wrote */
			if (alone && !history.state)
				history.replaceState(entry(), '');
		} catch (e) {
			refused = !worked;
		}
	};

	/* A step through the browser history makes two events: popstate, then hashchange. */
	function follow(event) {
		const { state } = history, isStep = state && state.session === session;
		const text = location.hash.slice(1), isThere = isStep && state.pyrograph === depth && text === last;

		if (backs && (event.type !== 'popstate' || --backs))
			return;
		if (isThere) {
			writeWaiting();
			return;
		}
		series = null;
		waiting.length = 0;
		last = text;
		if (isStep) {
			depth = state.pyrograph;
			texts[depth] = text;
			if (depth && texts[depth - 1] === undefined)
				texts[depth - 1] = state.before;
		}
		if (text === current)
			return;
		if (isStep)
			go(text);
		else
			app.links.read();
	}

	if (alone) {
		window.addEventListener('popstate', follow);
		window.addEventListener('hashchange', follow);
	}
};
/* linked: connects a chart in a frame with the page that shows it beside others, so that what is done in one chart is
 * done in all.
 *
 * Messages are plain objects:
 *     chart -> page   { pyrograph: 'ready' }            once, when the chart is live
 *     page -> chart   { pyrograph: 'link' }             asks for the view, now and whenever it changes
 *     chart -> page   { pyrograph: 'view', view }       the text after "#" in a link to the view
 *     page -> chart   { pyrograph: 'view', view }       shows that view
 *     page -> chart   { pyrograph: 'extent' }           asks a heat map which time it covers
 *     chart -> page   { pyrograph: 'extent', from, ns } from: as in a link to a view
 *     page -> chart   { pyrograph: 'profile' }          asks a flame graph for its profile
 *     chart -> page   { pyrograph: 'profile', profile }
 *     page -> chart   { pyrograph: 'difference', profile, names }  shows the differential of its own and this one
 *     page -> chart   { pyrograph: 'merged', profiles, names }     shows the sum of its own and these
 *     chart -> page   { pyrograph: 'refused' }          they are not profiles of its unit
 * The chart talks only to a page of its own origin (from file://, to any local page), and never unless it is asked.
 * A view is the same as the text in a link: whatever it says, it can only make the chart show its own data in another
 * way. */
pyrograph.ui.linked = function (app) {
	'use strict';

	const VIEW_MAX = 100000, isLocal = location.protocol === 'file:';
	let asked = false, told = null;

	if (app.host || app.svg !== document.documentElement || window.parent === window)
		return;

	const isPage = (event) => event.source === window.parent &&
		(isLocal ? /^(null|file:\/\/)$/.test(event.origin) : event.origin === location.origin);
	const send = (message) => window.parent.postMessage(Object.assign({ pyrograph: '' }, message),
		isLocal ? '*' : location.origin);
	const viewNow = () => app.link().replace(/^[^#]*#/, '');

	function tell() {
		const view = viewNow();

		if (!asked || view === told)
			return;
		told = view;
		send({ pyrograph: 'view', view: view });
	}

	function take(view) {
		if (typeof view !== 'string' || view.length > VIEW_MAX || view === told)
			return;
		told = view;
		app.links.show(view);
		told = viewNow();
	}

	function showTogether(what, { profile, profiles, names }) {
		const texts = Array.isArray(names) ? names.map(String) : [];
		const isShown = what === 'difference' ? texts.length === 2 && app.showDifference(profile, texts) :
			Array.isArray(profiles) && texts.length === profiles.length + 1 &&
			app.showMerged(profiles, texts);

		if (!isShown)
			send({ pyrograph: 'refused' });
	}

	window.addEventListener('message', (event) => {
		const { pyrograph: what, view } = isPage(event) && event.data || {};

		if (what === 'link') {
			asked = true;
			tell();
		} else if (what === 'view') {
			take(view);
		} else if (what === 'extent' && app.extent) {
			send(Object.assign({ pyrograph: 'extent' }, app.extent()));
		} else if (what === 'profile' && app.profile) {
			send({ pyrograph: 'profile', profile: app.profile() });
		} else if ((what === 'difference' || what === 'merged') && app.profile) {
			showTogether(what, event.data);
		}
	});
	app.onchange(() => setTimeout(tell, 0));
	send({ pyrograph: 'ready' });
};
/* siblings: links to the other charts of a run and to its page.  pyrograph web lists them in the file that render
 * --siblings names, which sets pyrograph.siblings = { page, charts: [{ title, url }, ...] }.  Since anybody may have
 * named the charts, titles are taken as text, and addresses must stay below the directory.  In a frame the page around
 * it has links. */
pyrograph.ui.siblings = function (app) {
	'use strict';

	const D = pyrograph.ui.dom, { script } = pyrograph.ui, isBelow = /^(?![/.])(?!.*\/\.)[\w.~%/-]+$/;
	const url = script && script.getAttribute('data-siblings');
	const folder = /^((?:\.\.\/)?)index-files\/[\w-]+\.js$/.exec(url);

	if (app.host || app.svg !== document.documentElement || window.parent !== window || !folder)
		return;

	const link = (address, text, isHere) => D.html('a', { href: folder[1] + address,
		'aria-current': isHere ? 'page' : null }, text);
	const shortTitle = (title) => title.replace(/: .*/s, '') || title;

	function show({ page, charts }) {
		const here = decodeURIComponent(location.pathname).split('/').pop();
		const isHere = (chart) => !folder[1] && decodeURIComponent(chart.url) === here;
		const others = charts.filter((chart) => isBelow.test(chart.url)).map((chart) =>
			link(chart.url, shortTitle(chart.title), isHere(chart)));

		if (!isBelow.test(page))
			return;
		const row = D.html('nav', { 'class': 'siblings', 'aria-label': 'Charts of this run' },
			link(page, 'Whole run', false), ...others);
		const current = others.find((other) => other.hasAttribute('aria-current'));

		app.page.heading.prepend(row);
		if (current) // a narrow window shows part of the row
			row.scrollLeft = current.offsetLeft - row.offsetLeft - row.clientWidth / 3;
		app.page.resize();
		app.refresh();
	}

	const loader = D.svg('script', { href: url });

	loader.addEventListener('load', () => {
		loader.remove();
		if (pyrograph.siblings)
			show(pyrograph.siblings);
	});
	loader.addEventListener('error', () => loader.remove());
	app.svg.append(loader);
};
/* runtimes: whose code a function is: the functions that belong to a language, its runtime or the system, rather than
 * to a program.  Both collapse (core/symbols/names/runtimes.h) and the script of flame graphs
 * (render/browser/flame/known.js) read it.
 *
 * LANGUAGE KIND PATTERN...    "*" stands for any text, "?" for one character, "%" for one of a to z and _
 *
 * main     where a program begins, which is its own
 * begin    where processes, threads and system calls begin, which tells nothing
 * name     functions
 * inner    functions whose names could be anybody's: only where another function of that language is near
 * short    the same, and only where nothing tells their file; those of C may be near everywhere
 * file     files, by the last part of their paths, or the whole path: all that is in them
 * package  files that came with a package, and functions whose names tell one of these */
pyrograph.runtimes = `
any main main main.main

# Linux: arch/x86/entry, arch/arm64/kernel/entry-common.c, kernel/kthread.c, kernel/sched/idle.c
linux begin entry_SYSCALL* entry_SYSENTER* entry_INT80* do_syscall_64 do_fast_syscall_32 do_int80_syscall_32
linux begin x64_sys_call
linux begin __do_fast_syscall_32 el0t_64_sync* el0_64_sync* el0_svc* do_el0_svc* invoke_syscall asm_exc_* asm_sysvec_*
linux begin exc_* sysvec_* ret_from_fork ret_from_fork_asm kthread secondary_startup_64* common_startup_64
linux begin x86_64_start_*
linux begin start_kernel start_secondary arch_call_rest_init rest_init secondary_start_kernel cpu_startup_entry do_idle

# glibc, the dynamic linker, what gcc puts into each program
c begin _start _start_main __libc_start_main* __libc_start_call_main* generic_start_main*
c begin clone clone3 __clone __clone3 __GI___clone __GI___clone3 start_thread
c name __libc_csu_init _init _fini frame_dummy __do_global_dtors_aux register_tm_clones deregister_tm_clones
c name __GI_* __libc_* __pthread_* __lll_* __new_sem_* __futex_* __syscall_cancel* __internal_syscall_cancel
c name __restore_rt
c name __memcpy_* __memmove_* __memset_* __memcmp_* __memchr_* __memrchr_* __strlen_* __strcmp_* __strchr_* __str*_avx*
c name __str*_sse* __str*_evex* __cxa_* __gxx_personality_* _Unwind_* _IO_* _dl_* _nl_*
c short __* _int_* _exit _Exit ld-*.so*
c short malloc calloc realloc aligned_alloc malloc_* free cfree memcpy* memmove* memset* memcmp* memchr* memmem*
c short strlen strcpy strncpy strcmp strncmp strcat strchr strrchr strstr strdup strtol strtoll strtoul strtod strtok*
c short strtou strtoull strtoll read write readv writev read64 write64 pread pwrite preadv pwritev pread64 pwrite64
c short open close fsync fdatasync lseek stat fstat lstat ioctl fcntl openat fstatat open64 openat64 lseek64 stat64
c short fstat64 lstat64 fcntl64 fstatat64 poll epoll select epoll_wait epoll_pwait epoll_pwait2 ppoll pselect
c short fopen fclose fread fwrite fflush fputs fgets printf fprintf puts gets vprintf vfprintf sprintf snprintf*
c short vsnprintf*
c short vsprintf* sprintf* send recv sendto recvfrom sendmsg recvmsg sendmmsg recvmmsg accept accept4 connect futex*
c short syscall pthread_* sem_* nanosleep clock_nanosleep usleep sleep clock_gettime gettimeofday mmap mmap64 munmap
c short madvise mprotect brk sbrk fork vfork exec execl* execv* wait wait3 wait4 waitpid waitid qsort qsort_r
c short msort_with_tmp* exit abort raise sysmalloc unlink_chunk* tcache_* arena_* sched_yield getdents64 readdir
c short readdir64
c short lll_*

c++ begin execute_native_thread_routine std::thread::_State_impl*_M_run*
c++ name std::* __gnu_cxx::* operator?new* operator?delete* <std::* &std::*
rust begin std::rt::lang_start* std::sys::*thread*thread_start*
rust name <core::* <alloc::* &core::* &alloc::* <&core::* <&alloc::* <&std::* rust_begin_unwind __rust_* __rg_*
rust name core::iter::* core::ops::* core::slice::* core::str::* core::ptr::* core::fmt::* core::option::*
rust name core::result::*
rust name alloc::vec::* alloc::string::* alloc::raw_vec::* alloc::alloc::* alloc::boxed::* alloc::sync::* alloc::rc::*
rust inner core::* alloc::*

# Go: packages of its library have no dot in the first part of their paths.
go begin runtime.goexit* runtime.main* runtime.rt0_go*
go name runtime.* runtime/* syscall.* internal/* sync.(* sync/* os.(* net.(* net/http* net/url* net/rpc* net/netip*
go name net/textproto* time.(* bytes.(* bufio.(* fmt.(*
go name encoding/* compress/* crypto/* database/sql* container/* archive/* reflect.Value.* strconv.* vendor/golang.org/*
go name _rt0_* type:.* type..* aeshashbody memeqbody cmpbody indexbytebody gogo callRet gosave_systemstack_switch
go inner bufio.* bytes.* cmp.* context.* embed.* errors.* expvar.* flag.* fmt.* go/* hash.* hash/* html.* html/* image.*
go inner image/* io.(* io.Copy* io.copy* io.Read* io.Write* io/* iter.* log.* log/* maps.* math.* math/* mime.* mime/*
go inner os.* os/* path.* path/* plugin.*
go inner reflect.* regexp.* regexp/* slices.* sort.* strings.* structs.* sync.* testing.* testing/* text/* time.*
go inner unicode.*
go inner net.Dial* net.dial* net.Listen* net.listen* net.Lookup* net.lookup* net.Resolve* net.go* net.sock*
go inner net.internet*
go inner unicode/* unique.* unsafe.* weak.*

# CPython; "py::NAME:FILE" are functions of Python with -X perf, others begin with their module
python name pymain_* Py_BytesMain Py_RunMain
python name _Py* Py_* PyObject_* PyEval_* PyDict_* PyList_* PyUnicode_* PyLong_* PyNumber_* PyTuple_* PyIter_*
python name PyImport_*
python name PyRun_* PyVectorcall_* PyCFunction_* PyMem_* PyErr_* PyGILState_* PyThread_* PyBytes_* PySequence_*
python name PyMapping_*
python name PyFloat_* PySet_* PyCell_* PyModule_* PyArg_* PyType_* PyMethod_* PyFunction_* PyCode_* PyInit_* PyBuffer_*
python name py_trampoline_evaluator py::<module>:<frozen* py::*:<frozen* py::*/lib/python?.* py::*/lib64/python?.*
python name *?(*/lib/python?.*) take_gil drop_gil
python short Py* cfunction_* method_vectorcall* methoddescr_* classmethoddescr_* vectorcall_* object_vacall slot_tp_*
python short slot_nb_*
python short slot_sq_* slot_mp_* type_call builtin_* run_eval_code_obj run_mod pyrun_* call_function list_* dict_*
python short unicode_*
python short long_* tuple_* set_* bytes_* float_* gen_* gc_* subtype_* object_* lookdict* insertdict partial_*
python short context_run
python short bounded_lru_cache_* infinite_lru_cache_* iter_* lock_* thread_run bootstrap* connection_* pysqlite_* stmt_*
python short _pysqlite_* _io_* buffered_* fileio_* textiowrapper_* sock_* time_sleep time_* do_call_core import_* exec_*
python short os_* sys_* math_* bytearray_* _operator_* proxy_* _tmp_* _loop0_* _loop1_* _gather_* compiler_* datetime_*
python short type_*
python short _codecs_* _asyncio_* hamt_* deque_* memory_* _sre_* sre_* ga_* stringlib_* func_* _pickle_* async_*
python short faulthandler_*
python short BaseException* _imp_* complex_* mappingproxy_* frame_* np_* nu_* bu_* lu_* FutureObj_* FutureIter_*
python short TaskObj_* itertools_*
python short obj2ast_* ast2obj_* range_* symtable_* tracemalloc_* _tracemalloc_* odict_* getpath_* hashtable_* iobase_*
python short method_*
python short pattern_* zip_* int_* lru_* meth_* property_* typevar* attrgetter_* itemgetter_* stringio_* bytesio_*
python short coro_* defdict_*
python short instancemethod_* reversed_* bool_* cell_* slice_* super_* tok_* weakref_* Pickler_* Unpickler_*
python short _functools_* _queue_*
python short _abc_* _contextvars_* contextvar_* context_* dequeiter_* dictiter_* dictview* unicodeiter_* listiter_*
python short tupleiter_*
python short setiter_* memoryview_* methodcaller_* union_* enum_* filter_* map_* islice_* tee_* Struct_* structseq_*
python short marshal_*
python short select_* _ssl_* _hashlib_* _socket_* _locale_* _struct_* _json_* encoder_* scanner_* blob_* _winapi_* bp_*
python short binarysort pymalloc_* merge_at merge_hi merge_lo merge_collapse merge_force_collapse found_new_run unsafe_*
python short tuple* *dealloc
python short *_richcompare* *_traverse *_impl dictkeys_* DK_* _DK_* address_in_range tp_new_wrapper do_richcompare
python short getslice
python short current_fast_get deduce_unreachable subtract_refs add_subclass pyinit_* init_interp_* init_tp_*
python short config_init_*
python inner _collections_abc.* _compression.* _frozen_importlib.* _frozen_importlib_external.* _pydecimal.* _pyio.*
python inner _strptime.* _threading_local.* _weakrefset.* abc.* argparse.* array.* ast.* asyncio.* atexit.* base64.*
python inner binascii.* bisect.* builtins.* bz2.* cmath.* codecs.* codeop.* collections.* colorsys.* compileall.*
python inner concurrent.* configparser.* contextlib.* contextvars.* copy.* copyreg.* csv.* ctypes.* curses.*
python inner dataclasses.* datetime.* dbm.* decimal.* difflib.* email.* encodings.* enum.* errno.* faulthandler.*
python inner fcntl.* filecmp.* fileinput.* fnmatch.* fractions.* ftplib.* functools.* gc.* genericpath.* getopt.*
python inner getpass.* glob.* graphlib.* grp.* gzip.* hashlib.* heapq.* hmac.* html.* http.* imaplib.* importlib.*
python inner inspect.* io.* ipaddress.* itertools.* json.* linecache.* locale.* logging.* lzma.* mailbox.* marshal.*
python inner math.* mimetypes.* mmap.* multiprocessing.* netrc.* numbers.* operator.* os.* pathlib.* pickle.*
python inner pickletools.* pkgutil.* platform.* plistlib.* poplib.* posix.* posixpath.* pprint.* pty.* pwd.*
python inner py_compile.* pyexpat.* queue.* quopri.* random.* re.* readline.* reprlib.* resource.* runpy.* secrets.*
python inner select.* selectors.* shelve.* shlex.* shutil.* signal.* smtplib.* socket.* socketserver.* sqlite3.* ssl.*
python inner stat.* string.* struct.* subprocess.* sys.* sysconfig.* syslog.* tarfile.* tempfile.* termios.*
python inner textwrap.* threading.* time.* tokenize.* tomllib.* traceback.* tracemalloc.* tty.* types.* typing.*
python inner unicodedata.* urllib.* uuid.* warnings.* wave.* weakref.* webbrowser.* wsgiref.* xml.* xmlrpc.* zipfile.*
python inner zipimport.* zlib.* zoneinfo.*
python file python python2* python3* libpython* */lib-dynload/*
python package */site-packages/* */dist-packages/*

# V8, libuv, node; "JS:NAME FILE" are functions of JavaScript with --perf-basic-prof
node name node::Start* node::*::SpinEventLoop* node::NodeMainInstance::Run*
node name Builtins_* Builtin:* BytecodeHandler:* Handler:* Stub:* RegExp:* node::* v8::* v8impl::* cppgc::*
node name heap::base::*
node name uv_* uv__* OnUvRead* OnUvAlloc* napi_* llhttp_* non-virtual?thunk?to?node::* non-virtual?thunk?to?v8::*
node name virtual?thunk?to?node::* *?node:%* *?(node:* <node_internals>/*
node short icu_*::* simdutf::* ada::* uvwasi_* uprv_* ucnv_* disasm::* non-virtual?thunk?to* ares_* nghttp2_* worker_*
node short deps_*
node file node nodejs libnode.so* libuv.so* libv8*
node package */node_modules/*

# HotSpot and the JDK
java begin thread_native_entry* Thread::call_run JavaThread::run JavaThread::thread_main_inner thread_entry*
java begin JavaCalls::call
java begin JavaCalls::call_helper JavaCalls::call_virtual JavaCalls::call_static JavaCalls::call_special call_stub
java begin os::os_exception_wrapper StubRoutines StubRoutines?(*) StubRoutines::call_stub java?lang?Thread.run
java begin java?lang?Thread.runWith
java begin java?lang?Thread::run java?lang?Thread::runWith Ljava?lang?Thread.run* Ljava?lang?Thread:*run ThreadJavaMain
java begin Ljava?lang?Thread:*runWith JavaMain jni_invoke_static jni_CallStaticVoidMethod
java name java.* java/* Ljava/* javax.* javax/* Ljavax/* jdk.* jdk/* Ljdk/* sun.* sun/* Lsun/* com.sun.* com/sun/*
java name Lcom/sun/* kotlin.* kotlin/* Lkotlin/* kotlinx.* kotlinx/* scala.* scala/* Lscala/* clojure.* clojure/*
java name Lclojure/*
java name StubRoutines::* *?entry?points *?entry?point method?entry?point* *?entrypoints result?handlers?for*
java name exception?handling error?exits JavaThread::* JavaCalls::* VMThread::* VM_*::* VM_Operation::* G1*::*
java name Shenandoah*::* C1Compiler::*
java name C2Compiler::*
java name CompileBroker::* Compile::* Interpreter InterpreterRuntime::* SharedRuntime::* OptoRuntime::* Runtime1::*
java name ObjectMonitor::* ObjectSynchronizer::* SafepointSynchronize::* SafepointMechanism::* SystemDictionary::*
java name ClassLoader*::* LinkResolver::* Deoptimization::* MemAllocator::* Obj*Allocator::* CollectedHeap::* *Klass::*
java name oopDesc::* vframeStream* itable?stub vtable?stub Unsafe_* JVM_* jni_* Java_java_* Java_jdk_* Java_sun_*
java name PhaseX*
java name ParallelScavengeHeap::* ParallelCompact* PSParallelCompact* PSScavenge* PSPromotion* GCTaskThread::*
java name WorkerThread::*
java name GenCollectedHeap::* DefNewGeneration::* TenuredGeneration::* SerialHeap::* ZHeap::* ZDriver*::* ZMark*::*
java name ZCollected*
java short Thread::* Threads::* Z*::* Parallel*::* PS*::* GC*::* Compile*::* Phase*::* Runtime*::* Monitor::* Mutex*::*
java short Parker::* os::* Unsafe::* Safepoint*::* Klass::* InstanceKlass::* vframe*::* frame::* Mem*::* Heap*::*
java short Gen*::*
java short *Node::* Node::* Type*::* ci*::* GraphKit::* Parse::* Matcher::* Ideal*::* Block*::* LIR*::* LinearScan*::*
java short GraphBuilder::* IR::* Interval*::* ValueMap*::* Register*::* Chaitin* ConnectionGraph::* Bytecode*::*
java short Symbol*::*
java short Dependencies::* CodeCache::* nmethod::* CodeBuffer::* Assembler::* MacroAssembler::* Arena::* Chunk*::*
java short Method*::*
java short ConstantPool*::* StringTable::* Semaphore::* PosixSemaphore::* WorkGang::* GangWorker::* WorkerThreads::*
java short OopStorage::*
java short OopMap*::* Handle*::* Oop*::* *Closure::* *Closure<*>::* *Iterator::* Task*::* StealTask::* WatcherThread::*
java name DeoptimizationBlob SafepointBlob UncommonTrapBlob ExceptionBlob RuntimeStub* g1_pre_barrier_slow
java name g1_post_barrier_slow JNI_*
java short Compilation::* *Generator::* IRScope::* InlineTree::* Relocation::* SuperWord::* Metaspace*::* FileMapInfo::*
java short Mach*::* init_globals universe_init StubGenerator* AccessInternal::* Signature*::* NTarjan::* ReplacedNodes::*
java short resource_allocate_* ArgumentSizeComputer::* Tarjan::* JVMState::* Regex* Live*::* Loop*::* Dict::* Array*::*
java file java libjvm.so libjava.so libjli.so libnio.so libnet.so libzip.so libjimage.so libverify.so libinstrument.so
java file libmanagement*.so libextnet.so libprefs.so libjdwp.so

ruby name rb_main ruby_run_node ruby_exec_node
ruby name rb_* ruby_* vm_exec* vm_call_* vm_sendish vm_yield_* iseq_* thread_do_start_proc thread_start_func_*
ruby file ruby ruby?.* ruby?? libruby*.so*

perl name Perl_* perl_run perl_parse perl_destruct S_run_body
perl file perl perl5* libperl.so*

php name zend_* execute_ex php_* ZEND_*
php file php php?.* php?? php-fpm* libphp*.so*

dotnet name corehost_main* hostfxr_main* coreclr_execute_assembly
dotnet name System.* Microsoft.* ?instance?System.* JIT_* ThePreStub MethodDesc::* CallDescrWorkerInternal
dotnet file dotnet libcoreclr.so libclrjit.so libhostfxr.so libhostpolicy.so libSystem.*.so

# Libraries that are often linked into programs, and have a beginning of their own
any name [jit] sqlite3* SSL_* EVP_* OPENSSL_* ZSTD_* LZ4_* je_* tc_malloc* tcmalloc::* pcre2_* _pcre2_* XML_* BIO_*
any name ASN1_* asn1_* PEM_*
any name OSSL_* ossl_* X509_* x509_* X509V3_* evp_* CRYPTO_* d2i_* i2d_* BN_* EC_* RSA_* PKCS7_* PKCS12_* OCSP_* CMS_*
any name ENGINE_*
any name PQexec* PQgetResult PQconnect* PQsend* pqWait* mysql_real_* mysql_query mysql_store_result mysql_stmt_* mysqlnd_*
any name curl_easy_* curl_multi_* Curl_* redisCommand* redisGetReply redisBufferRead getaddrinfo gethostby* res_n*
any name WaitLatch WaitLatchOrSocket WaitEventSetWait* ProcSleep LWLockAcquire* LWLockWaitForVar PGSemaphoreLock
`;
/* known: what the names of functions tell: whether stacks begin with them, whose code they are, and whether they
 * measure.
 *
 * isBeginning(name) -> is it a function by which processes, threads or the kernel's system calls begin: clone3,
 *                      JavaThread::run, _start, do_syscall_64?
 * isMine(name)      -> is it outside the kernel, the C library, the dynamic linker, language runtimes, libraries and
 *                      packages (core/symbols/names/runtimes.js)?  Frames without a name count as their file does.
 * mineOf(names)     -> the same function for a profile with these names: the languages in it tell more
 * isMeasuring(name) -> does it measure: BPF programs, perf events, uprobes, or a recorder's own process?
 * wallKind(name)    -> what a leaf frame tells about the time of a thread (render/colours/waits.h): 0: nothing, it
 *                      ran; 1: it waited for a CPU; 2: it was blocked
 * beginnings(tree, names) -> null, or { row, hidden, last }: frames that follow another beginning are hidden.  row:
 *                      by frame, the row above the root in which it is drawn, or that of the first beginning;
 *                      hidden: by frame, 1 or 0; last: Map, by first beginning, the last one above it, along the
 *                      widest frames, and how many there are: { frame, count } */
pyrograph.known = (function () {
	'use strict';

	const base = (name) => pyrograph.profile.baseName(name);

	/* The table of core/symbols/names/runtimes.js: { language, kind, glob } each. */
	const ROWS = pyrograph.runtimes.split('\n').filter((line) => /^[a-z]/.test(line)).flatMap((line) => {
		const [language, kind, ...globs] = line.split(' ');

		return globs.map((glob) => ({ language, kind, glob }));
	});
	const CHARACTERS = { '*': '[^]*', '?': '[^]', '%': '[a-z_]' };
	const source = (glob) => glob.replace(/[.+^${}()|[\]\\]/g, '\\$&').replace(/[*?%]/g, (c) => CHARACTERS[c]);
	const either = (...parts) => new RegExp('^(?:' + parts.join('|') + ')$');

	/* Tests whether a name belongs to one of the wanted rows.  The first characters suffice to exclude most
	 * names. */
	function matcher(isWanted) {
		const found = new Map();

		for (const { glob } of ROWS.filter(isWanted)) {
			const first = '*?'.includes(glob[0]) ? '' : glob[0];

			found.set(first, (found.get(first) || []).concat(source(glob)));
		}
		found.forEach((list, first) => found.set(first, either(...list)));
		return (name) => [name.charAt(0), ''].some((first) => found.has(first) && found.get(first).test(name));
	}

	const ofKinds = (...kinds) => ({ kind }) => kinds.includes(kind);
	const isBegin = matcher(ofKinds('main', 'begin'));
	const isMain = matcher(ofKinds('main'));         /* the last beginning, or a program's name */
	const isRuntime = matcher((row) => row.language !== 'linux' && (ofKinds('begin', 'name', 'package')(row) ||
		(row.language === 'c' && row.kind === 'short')));
	const isFile = matcher(ofKinds('file'));
	const LANGUAGES = Array.from(new Set(ROWS.filter(ofKinds('inner', 'short')).map((row) => row.language)),
		(language) => ({ language, isSure: matcher((row) => row.language === language &&
			ofKinds('name', 'begin')(row)), isInner: matcher((row) => row.language === language &&
			ofKinds('inner', 'short')(row)) })).filter(({ language }) => language !== 'c');

	const FILES = either('\\[.*(?:\\.so\\b.*|unknown.*|kernel.*|vdso|vsyscall|guest.*)\\]',
		'(?:lib|ld-)[\\w.+-]*\\.so\\b.*', '0x[0-9a-f]+',
		'\\[?(?:lib(?:c|m|dl|rt|pthread|jvm|java|nio|net|stdc\\+\\+|gcc_s)[-.]|ld-)[^`]*`.*');
	const PLACE = /^(?:\[([^\]]+)\]|(.+)\+0x[0-9a-f]+|([^`]+)`.*)$/s; /* "[node]", "node+0x1f", "node`main" */

	/* Linux: kernel/bpf, kernel/events, arch/x86/events */
	const MEASURES = either('bpf_(?:prog|trampoline|trace_run|get_stack|ringbuf|perf_event)\\w*',
		'__bpf_(?:trace|get_stack)\\w*', 'trace_call_bpf', '(?:__)?perf_\\w+', '(?:arch_)?uprobe\\w*',
		'uretprobe\\w*', 'handle_swbp', '(?:x86|armv8|intel|amd)_pmu\\w*');
	const RECORDER = /^pyrograph(?:-colle(?:ct)?)?(?:-(?:\d+|\?))?(?:\/.*)?$/;

	const isKernel = (name) => /_\[k\](?:_\[w\])?$/.test(name);
	const isBeginning = (name) => isBegin(base(name));
	const isMeasuring = (name) => RECORDER.test(name) || (/_\[k\]$/.test(name) && MEASURES.test(base(name)));

	function isOfRuntimeFile(text) {
		const place = PLACE.exec(text);

		return place !== null && isFile((place[1] || place[2] || place[3]).split(' ')[0]);
	}

	/* near: whether only languages count that are in the profile. */
	function isMineNear(name, near) {
		const text = base(base(name));

		if (isKernel(name))
			return false;
		return text === '--' || isMain(text) || !(isRuntime(text) || FILES.test(text) ||
			isOfRuntimeFile(text) || near.some((language) => language.isInner(text)));
	}

	const isMine = (name) => isMineNear(name, []);

	function mineOf(names) {
		const texts = names.filter((name) => !isKernel(name)).map((name) => base(base(name)));
		const near = LANGUAGES.filter((language) => texts.some(language.isSure));

		return (name) => isMineNear(name, near);
	}

	/* The last beginning above a first one: along the widest hidden children. */
	function lastOf(tree, hidden, first) {
		let at = first, count = 1;

		for (;;) {
			let next = -1;

			for (let c = at + 1; c < tree.end[at]; c = tree.end[c]) {
				if (hidden[c] && (next < 0 || tree.total[c] > tree.total[next]))
					next = c;
			}
			if (next < 0)
				return { frame: at, count: count };
			at = next;
			count++;
		}
	}

	const kept = new WeakMap(); /* names -> by name: whether it is a beginning, and "main" */

	function knownOf(names) {
		if (!kept.has(names)) {
			const known = names.map(isBeginning);

			kept.set(names, { known: known,
				isMain: known.map((is, n) => is && isMain(base(names[n]))) });
		}
		return kept.get(names);
	}

	function beginnings(tree, names) {
		const { known, isMain } = knownOf(names);
		const { name, parent, count } = tree;
		const row = new Uint32Array(count), hidden = new Uint8Array(count), last = new Map();

		for (let i = 1; i < count; i++) {
			const below = parent[i], first = known[name[below]] && !isMain[name[below]];

			hidden[i] = below && known[name[i]] && (first || hidden[below]) ? 1 : 0;
			row[i] = row[parent[i]] + 1 - hidden[i];
		}
		for (let i = 1; i < count; i++) {
			if (hidden[i] && !hidden[parent[i]] && !last.has(parent[i]))
				last.set(parent[i], lastOf(tree, hidden, parent[i]));
		}
		return last.size ? { row: row, hidden: hidden, last: last } : null;
	}

	const WALL = [['[runnable]', 1], ['[by ', 1], ['[blocked: ', 2]];

	function wallKind(name) {
		const found = WALL.find(([begin]) => name.startsWith(begin));

		return found ? found[1] : 0;
	}

	return { wallKind, isBeginning, isMine, mineOf, isMeasuring, beginnings };
})();
/* unnamed: functions without a name, which are identified by their address: "liblzma.so.5.4.1+0x8a40".
 *
 * isUnnamed(name)  -> is it such a function?
 * ofFile(name)     -> the joint name of all in its file, "[liblzma.so.5.4.1]", with the annotation; other names stay */
pyrograph.unnamed = (function () {
	'use strict';

	const NAME = /^([^[\]`;]+)\+0x[0-9a-f]+((?:_\[.\])*)$/;

	return { isUnnamed: (name) => NAME.test(name), ofFile: (name) => name.replace(NAME, '[$1]$2') };
})();
/* merge: makes trees from other trees; the engine of transform.js (profile.js says what a tree is).
 *
 * FATES: what regroup() does with a frame:
 *     KEEP    the frame stays
 *     VANISH  the frame vanishes; its children and its value move to its parent
 *     JOIN    the same, but the parent is drawn in its place (folded recursion)
 *     OUT     the frame is left out with its value, but not the frames on it
 *     ROOT    the frame is the new root; several such frames become one root.  All frames
 *             below it are OUT
 * In a chart, the frames that stay keep their order in time, with the gaps between them.  Frames that are left out
 * leave no gap.  Frames that join deep, or are sorted anew, are no longer in order of time.
 * regroup(tree, names, { fates, nameOf, risky, deep }) -> tree; siblings that get
 *     the same name merge.  fates: by frame (default: KEEP).  nameOf: by name, the new
 *     name; risky: by name, whether several names become this one.  deep: by
 *     name, 1: a frame joins the frame of the same name that it stands on, however far below.
 * compact(tree, self, ends) -> tree with the values of self, without the frames of which nothing is left.
 *     ends: null, or by frame, 0: the values of this frame are left out
 * ordered(tree, keys) -> tree with siblings sorted by keys (Float64Array by frame); siblings with equal keys keep their
 * order
 * ranks(names) -> Uint32Array by name: the place of the name in sorted order; the annotation counts last
 * builder(most) -> nodes, with room for most nodes at first; emit(nodes, tree, sent) -> tree, and sets
 *     nodes.number: node -> its frame; for reverse.js */
pyrograph.merge = (function () {
	'use strict';

	const P = pyrograph.profile;
	const FATES = { KEEP: 0, VANISH: 1, JOIN: 2, OUT: 3, ROOT: 4 };
	const NONE = -1, FEW = 24, FIRST_SLOTS = 1 << 12;
	const rankCache = new WeakMap();

	function ranks(names) {
		let rank = rankCache.get(names);

		if (rank)
			return rank;
		const base = names.map(P.baseName);
		const by = Uint32Array.from(names, (unused, n) => n).sort((a, b) => {
			if (base[a] !== base[b])
				return base[a] < base[b] ? -1 : 1;
			return names[a] < names[b] ? -1 : names[a] > names[b] ? 1 : a - b;
		});

		rank = new Uint32Array(names.length);
		by.forEach((n, place) => {
			rank[n] = place;
		});
		rankCache.set(names, rank);
		return rank;
	}

	/* ---- nodes: a tree that grows; the children of a node are a list ---- */

	function builder(most) {
		const nodes = {
			count: 0,
			name: new Uint32Array(most), self: new Float64Array(most),
			source: new Uint32Array(most), /* the first frame that is part of the node */
			parent: new Int32Array(most), first: new Int32Array(most),
			last: new Int32Array(most), next: new Int32Array(most),
		};

		nodes.add = function (parent, name, source) {
			const node = nodes.count++;

			if (node === nodes.name.length)
				grow(nodes);
			nodes.name[node] = name;
			nodes.source[node] = source;
			nodes.parent[node] = parent;
			nodes.first[node] = nodes.last[node] = nodes.next[node] = NONE;
			if (parent === NONE)
				return node;
			if (nodes.first[parent] === NONE)
				nodes.first[parent] = node;
			else
				nodes.next[nodes.last[parent]] = node;
			nodes.last[parent] = node;
			return node;
		};
		return nodes;
	}

	function grow(nodes) {
		for (const key of ['name', 'self', 'source', 'parent', 'first', 'last', 'next']) {
			const before = nodes[key];

			nodes[key] = new before.constructor(2 * before.length);
			nodes[key].set(before);
		}
	}

	/* A hash table (parent, name) -> node of the nodes that were entered. */
	function table(nodes) {
		let slots = new Int32Array(FIRST_SLOTS).fill(NONE), mask = FIRST_SLOTS - 1, used = 0;

		function slot(parent, name) {
			let at = Math.imul(parent, 0x9e3779b1) ^ Math.imul(name + 1, 0x85ebca6b);

			for (at = (at ^ at >>> 15) & mask; slots[at] !== NONE; at = at + 1 & mask) {
				if (nodes.name[slots[at]] === name && nodes.parent[slots[at]] === parent)
					break;
			}
			return at;
		}
		function put(node) {
			if (2 * ++used > slots.length)
				grow();
			slots[slot(nodes.parent[node], nodes.name[node])] = node;
		}
		function grow() {
			const before = slots;

			slots = new Int32Array(4 * before.length).fill(NONE);
			mask = slots.length - 1;
			for (const node of before) {
				if (node !== NONE)
					slots[slot(nodes.parent[node], nodes.name[node])] = node;
			}
		}
		return { put, find: (parent, name) => slots[slot(parent, name)] };
	}

	/* Finds the child of a node by name.  If all children of a node come from the same frame, they have different
	 * names; so only the children of other nodes go into the table. */
	function children(nodes, risky, chart) {
		const inTable = table(nodes), open = new Uint8Array(nodes.name.length);

		/* From now on, node also gets children of another frame. */
		function share(node) {
			if (open[node] || chart)
				return;
			open[node] = 1;
			for (let c = nodes.first[node]; c !== NONE; c = nodes.next[c]) {
				if (!risky || !risky[nodes.name[c]])
					inTable.put(c);
			}
		}
		function find(parent, name) {
			if (chart) {
				const last = nodes.last[parent];

				return last !== NONE && nodes.name[last] === name ? last : NONE;
			}
			return open[parent] || (risky && risky[name]) ? inTable.find(parent, name) : NONE;
		}
		function added(node) {
			if (!chart && (open[nodes.parent[node]] || (risky && risky[nodes.name[node]])))
				inTable.put(node);
		}
		return { share, find, added, isShared: (node) => open[node] };
	}

	/* ---- regroup ---- */

	/* In a chart, a node's own time keeps its place: the time since the node's last child is held back until it
	 * becomes the gap before the next child.  place: as in regroup(). */
	function moments(tree, nodes, place) {
		const rest = new Float64Array(tree.self), waiting = new Float64Array(nodes.name.length);
		let open = 0;

		function wait(frame, value) {
			rest[frame] -= value;
			if (place[frame] !== NONE)
				waiting[place[frame]] += value;
		}
		/* Continue the walk with frame i, which is not the root. */
		function goTo(i) {
			for (; tree.end[open] <= i; open = tree.parent[open])
				wait(open, rest[open]);
			wait(open, tree.gap[i]);
			open = i;
		}
		function added(node) {
			const below = nodes.parent[node];

			nodes.gap[node] = waiting[below];
			waiting[below] = 0;
		}
		nodes.gap = new Float64Array(nodes.name.length);
		return { goTo, added, isApart: (node) => waiting[node] > 0 };
	}

	function ancestorNamed(nodes, node, name) {
		for (; node > 0; node = nodes.parent[node]) {
			if (nodes.name[node] === name)
				return node;
		}
		return NONE;
	}

	function regroup(tree, names, how) {
		const { fates = null, nameOf = null, deep = null } = how, count = tree.count;
		const nodes = builder(count + 1), sent = new Int32Array(count);
		const place = new Int32Array(count); /* by frame: the node to which the frame's children belong */
		const kids = children(nodes, how.risky || null, tree.chart && !deep);
		const times = tree.gap && !deep ? moments(tree, nodes, place) : null;

		function put(i, fate) {
			const name = nameOf ? nameOf[tree.name[i]] : tree.name[i];
			const below = i ? place[tree.parent[i]] : NONE;

			if (below === NONE) /* the frame is a ROOT, perhaps one of several */
				return nodes.count ? 0 : nodes.add(NONE, name, i);
			if (fate === FATES.VANISH || fate === FATES.JOIN)
				return below;
			let node = deep && deep[name] ? ancestorNamed(nodes, below, name) : NONE;

			if (node === NONE && !(times && times.isApart(below)))
				node = kids.find(below, name);
			if (node === NONE) {
				kids.added(node = nodes.add(below, name, i));
				if (times)
					times.added(node);
			}
			return node;
		}
		for (let i = 0; i < count; i++) {
			const fate = fates ? fates[i] : FATES.KEEP, before = nodes.count;

			if (times && i)
				times.goTo(i);
			if (fate === FATES.OUT) {
				place[i] = sent[i] = NONE;
				continue;
			}
			const node = place[i] = put(i, fate);

			nodes.self[node] += tree.self[i];
			sent[i] = fate === FATES.VANISH ? -2 - node : node;
			if (nodes.count === before)
				kids.share(node);
		}
		sortNodes(nodes, kids.isShared, new Float64Array(ranks(names)), nodes.name);
		return emit(nodes, tree, sent);
	}

	/* ---- order ---- */

	/* Sorts the nodes list[0 .. n - 1] by keys[of[node]]; nodes with equal keys keep their order. */
	function sortList(list, n, keys, of) {
		if (n > FEW) {
			list.subarray(0, n).sort((a, b) => keys[of[a]] - keys[of[b]] || a - b);
			return;
		}
		for (let i = 1; i < n; i++) {
			const node = list[i], key = keys[of[node]];
			let k = i;

			for (; k > 0 && keys[of[list[k - 1]]] > key; k--)
				list[k] = list[k - 1];
			list[k] = node;
		}
	}

	/* Sorts the children of the nodes for which wanted() is true. */
	function sortNodes(nodes, wanted, keys, of) {
		const { first, last, next, count } = nodes, list = new Int32Array(count);

		for (let node = 0; node < count; node++) {
			if (first[node] === last[node] || !wanted(node))
				continue;
			let n = 0;

			for (let c = first[node]; c !== NONE; c = next[c])
				list[n++] = c;
			sortList(list, n, keys, of);
			first[node] = list[0];
			last[node] = list[n - 1];
			for (let i = 1; i < n; i++)
				next[list[i - 1]] = list[i];
			next[list[n - 1]] = NONE;
		}
	}

	/* Makes a tree from the nodes; sent: by frame of base, the node that has the frame's value, coded as in
	 * tree.sent. */
	function emit(nodes, base, sent) {
		const { first, next, parent } = nodes, tree = P.emptyTree(nodes.count);
		const number = new Int32Array(nodes.count), origin = new Int32Array(nodes.count);
		let at = 0, node = 0;

		if (nodes.gap)
			tree.gap = new Float64Array(nodes.count);
		while (node !== NONE) {
			const below = parent[node];

			number[node] = at;
			tree.name[at] = nodes.name[node];
			tree.self[at] = nodes.self[node];
			if (tree.gap)
				tree.gap[at] = nodes.gap[node];
			tree.parent[at] = below === NONE ? 0 : number[below];
			tree.depth[at] = below === NONE ? 0 : tree.depth[number[below]] + 1;
			origin[at] = base.origin ? base.origin[nodes.source[node]] : nodes.source[node];
			at++;
			if (first[node] !== NONE) {
				node = first[node];
				continue;
			}
			while (node !== NONE && (tree.end[number[node]] = at) && next[node] === NONE)
				node = parent[node];
			node = node === NONE ? NONE : next[node];
		}
		for (let s = 0; s < sent.length; s++) {
			if (sent[s] !== NONE)
				sent[s] = sent[s] >= 0 ? number[sent[s]] : -2 - number[-2 - sent[s]];
		}
		nodes.number = number;
		return link(tree, base, sent, origin);
	}

	/* Sets the members that a tree inherits from the tree that it was made from. */
	function link(tree, base, sent, origin) {
		P.addUp(tree);
		tree.base = base;
		tree.sent = sent;
		tree.origin = origin;
		tree.chart = base.chart;
		tree.turned = base.turned;
		if (base.arrival)
			tree.arrival = firstArrivals(tree, base);
		for (const [frame, stands] of base.folded) {
			const to = sent[frame];

			if (to >= 0 && tree.name[to] === base.name[frame])
				tree.folded.set(to, (tree.folded.get(to) || 0) + stands);
		}
		return tree;
	}

	function firstArrivals(tree, base) {
		const arrival = new Uint32Array(tree.count).fill(0xffffffff);

		for (let s = 0; s < base.count; s++) {
			const to = tree.sent[s];

			if (to >= 0 && base.arrival[s] < arrival[to])
				arrival[to] = base.arrival[s];
		}
		for (let i = tree.count - 1; i > 0; i--)
			arrival[tree.parent[i]] = Math.min(arrival[tree.parent[i]], arrival[i]);
		return arrival;
	}

	function ordered(tree, keys) {
		const nodes = builder(tree.count), sent = new Int32Array(tree.count);

		for (let i = 0; i < tree.count; i++) {
			sent[i] = nodes.add(i ? tree.parent[i] : NONE, tree.name[i], i);
			nodes.self[i] = tree.self[i];
		}
		sortNodes(nodes, () => true, keys, sent.slice());
		const result = emit(nodes, tree, sent);

		result.reordered = true;
		if (tree.unexpanded) {
			result.unexpanded = new Uint8Array(tree.count);
			tree.unexpanded.forEach((mark, i) => {
				result.unexpanded[sent[i]] = mark;
			});
		}
		return result;
	}

	/* ---- compact ---- */

	/* The gaps by frame of result, which consists of the frames i with to[i] >= 0. */
	function gapsLeft(tree, to, ends, result) {
		const gap = new Float64Array(result.count), waiting = new Float64Array(tree.count);

		for (let i = 1; i < tree.count; i++) {
			const parent = tree.parent[i];

			waiting[parent] += ends[parent] ? tree.gap[i] : 0;
			if (to[i] >= 0) {
				gap[to[i]] = waiting[parent];
				waiting[parent] = 0;
			}
		}
		return gap;
	}

	function compact(tree, self, ends) {
		const count = tree.count, total = new Float64Array(self), to = new Int32Array(count);
		let kept = 0;

		for (let i = count - 1; i > 0; i--)
			total[tree.parent[i]] += total[i];
		for (let i = 0; i < count; i++) {
			if (total[i] > 0 || i === 0)
				to[i] = kept++;
			else
				to[i] = to[tree.parent[i]] >= 0 ? -2 - to[tree.parent[i]] : to[tree.parent[i]];
		}
		const result = P.emptyTree(kept), source = new Int32Array(kept);

		for (let i = 0; i < count; i++) {
			const at = to[i];

			if (at < 0)
				continue;
			source[at] = i;
			result.name[at] = tree.name[i];
			result.self[at] = self[i];
			result.parent[at] = to[tree.parent[i]];
			result.depth[at] = tree.depth[i];
			result.end[at] = kept;
		}
		closeFrames(result);
		if (tree.gap && ends)
			result.gap = gapsLeft(tree, to, ends, result);
		for (let i = 0; ends && i < count; i++) {
			if (!ends[i])
				to[i] = NONE;
		}
		result.unexpanded = tree.unexpanded && Uint8Array.from(source, (i) => tree.unexpanded[i]);
		link(result, tree, to, tree.origin ? source.map((i) => tree.origin[i]) : source);
		result.picked = ends ? null : source;
		return result;
	}

	/* Computes end from depth: a frame ends before the next one with the same or a smaller depth. */
	function closeFrames(tree) {
		let open = 0;

		for (let i = 1; i < tree.count; i++) {
			for (; tree.depth[open] >= tree.depth[i]; open = tree.parent[open])
				tree.end[open] = i;
			open = i;
		}
	}

	return { FATES, regroup, compact, ordered, ranks, builder, emit };
})();
/* reverse: trees merged from the leaves, of which only visible frames are expanded; for transform.js.
 *
 * A complete tree would have a frame for each frame of each stack.  So the stacks wait at the frames that are
 * too narrow to be expanded, sorted by the names that they share:
 *
 *     a;b;c 2    all ── c (5) ─┬─ b (2) ── a          all 3 stacks wait at c: if c is expanded,
 *     d;c 3                    └─ d (3)               they go to b and d one by one
 *
 * expand(tree, names, items, how) -> tree.  items: { frame, weight, source, sends }; by item, frame:
 *     Int32Array: the frame where a stack begins, 0: the stack has ended; weight: its value; source: the
 *     frame to which the value belongs.  how: { rootName, least, path }, see transform.js. */
pyrograph.reverse = (function () {
	'use strict';

	const NONE = -1, WORK_MAX = 6e7, FIRST_NODES = 1 << 12;

	/* The stacks, in the order of the nodes where they wait. */
	function queue(tree, items, nameCount, rank) {
		const { frame, source, weight } = items;
		const frame2 = new Int32Array(frame.length), source2 = frame2.slice();
		const weight2 = new Float64Array(frame.length);
		const count = new Uint32Array(nameCount), place = new Uint32Array(nameCount);

		/* The sorted names of the next frames of the stacks from .. to - 1; stacks that have ended come
		 * first. */
		function namesNext(from, to) {
			const found = [];

			for (let k = from; k < to; k++) {
				const n = tree.name[frame[k]];

				if (frame[k] && !count[n]++)
					found.push(n);
			}
			return found.length > 1 ? found.sort((a, b) => rank[a] - rank[b]) : found;
		}
		/* Sorts the stacks from .. to - 1 by the name of their next frame, and moves each to the frame
		 * after that; calls group(name, from, to, value) for each name.  Returns the value of the
		 * stacks that have ended. */
		function split(from, to, group) {
			const found = namesNext(from, to);
			let at = to, ended = 0, ends = from;

			for (let g = found.length; g-- > 0;)
				place[found[g]] = at -= count[found[g]];
			for (let k = from; k < to; k++) {
				const f = frame[k], put = f ? place[tree.name[f]]++ : ends++;

				frame2[put] = f && tree.parent[f];
				source2[put] = source[k];
				weight2[put] = weight[k];
				ended += f ? 0 : weight[k];
			}
			frame.set(frame2.subarray(from, to), from);
			source.set(source2.subarray(from, to), from);
			weight.set(weight2.subarray(from, to), from);
			for (const n of found) {
				group(n, at, at + count[n], sum(at, at + count[n]));
				at += count[n];
				count[n] = 0;
			}
			return ended;
		}
		function sum(from, to) {
			let value = 0;

			for (let k = from; k < to; k++)
				value += weight[k];
			return value;
		}
		function anyGoesOn(from, to) {
			for (let k = from; k < to; k++) {
				if (frame[k])
					return true;
			}
			return false;
		}
		return { split, sum, anyGoesOn, source: (k) => source[k] };
	}

	/* Says which frames are expanded.  A node has a step: path[step] is the only child of the node that is
	 * expanded; NONE: no child is. */
	function follower(path, least) {
		let floor = path.length ? 0 : NONE, reached = 0;

		function begins(total) {
			floor = least * total;
		}
		/* The step of a new child with this name and value; step: that of its parent. */
		function stepOf(step, name, value) {
			if (step < path.length) {
				if (name !== path[step])
					return NONE;
				reached = step + 1;
				if (reached === path.length)
					begins(value);
				return reached;
			}
			return value >= floor ? step : NONE;
		}
		return { begins, stepOf, reached: () => reached };
	}

	function grown(tree, names, items, how) {
		const path = how.path || [], follow = follower(path, how.least);
		const stacks = queue(tree, items, names.length, pyrograph.merge.ranks(names));
		const nodes = pyrograph.merge.builder(FIRST_NODES);
		const all = items.frame.length, ranges = [0, all], steps = [0], waits = [];
		let work = 0;

		nodes.add(NONE, how.rootName, items.source[0] || 0);
		if (!path.length)
			follow.begins(stacks.sum(0, all));
		for (let node = 0; node < nodes.count; node++) {
			const from = ranges[2 * node], to = ranges[2 * node + 1];

			waits[node] = steps[node] === NONE || work > WORK_MAX;
			if (waits[node]) {
				nodes.self[node] = stacks.sum(from, to);
				continue;
			}
			work += to - from;
			nodes.self[node] = stacks.split(from, to, (name, first, end, value) => {
				const child = nodes.add(node, name, stacks.source(first));

				ranges[2 * child] = first;
				ranges[2 * child + 1] = end;
				steps[child] = follow.stepOf(steps[node], name, value);
			});
		}
		return { nodes, stacks, ranges, waits, reached: follow.reached() };
	}

	/* By frame of tree: the node that got the value of the frame's item. */
	function sentTo(tree, result) {
		const { nodes, stacks, ranges, waits } = result;
		const sent = new Int32Array(tree.count).fill(NONE);

		for (let node = 0; node < nodes.count; node++) {
			const child = nodes.first[node];
			const end = waits[node] || child === NONE ? ranges[2 * node + 1] : ranges[2 * child];

			for (let k = ranges[2 * node]; k < end; k++)
				sent[stacks.source(k)] = node;
		}
		return sent;
	}

	/* "..." frames are leaves, so in a tree merged from the leaves they stand on the root. */
	function countFolded(result, tree) {
		for (const [frame, stands] of tree.folded) {
			let c = 1;

			while (c < result.count && result.name[c] !== tree.name[frame])
				c = result.end[c];
			if (c < result.count)
				result.folded.set(c, (result.folded.get(c) || 0) + stands);
		}
	}

	function expand(tree, names, items, how) {
		const copy = () => ({ frame: items.frame.slice(), source: items.source.slice(),
			weight: items.weight.slice() });
		let made = grown(tree, names, copy(), how);

		if (how.path && made.reached < how.path.length) /* the path ends earlier in this tree */
			made = grown(tree, names, copy(),
				Object.assign({}, how, { path: how.path.slice(0, made.reached) }));
		const waiting = made.waits.map((waits, node) => waits &&
			made.stacks.anyGoesOn(made.ranges[2 * node], made.ranges[2 * node + 1]));
		const sent = sentTo(tree, made), marks = Int32Array.from(waiting, Number);
		const result = pyrograph.merge.emit(made.nodes, tree, sent);

		result.sends = items.sends;
		result.turned = true;
		result.chart = false;
		result.folded.clear();
		if (items.sends === 'self')
			countFolded(result, tree);
		result.unexpanded = new Uint8Array(result.count);
		made.nodes.number.forEach((at, node) => {
			result.unexpanded[at] = marks[node];
		});
		return result;
	}

	return { expand };
})();
/* layers: profiles with several layers of values: differentials, animations, two metrics.
 * The tree of each view keeps the values of all layers (profile.layerTotal).
 *
 * view(tree, settings, what) -> tree; what:
 *     { show: "union" }                 as decoded
 *     { show: "base" | "new" }          one side, as recorded
 *     { show: "gone" }                  only frames that the new side lacks
 *     { show: "added" }                 only frames that the base lacks
 *     { layers: [first, last] }         the sum of a range of layers
 *     { layer: k }                      one layer (a window of the animation, or an event)
 * wanted(view)              -> what, for a view (address.js); null: as decoded
 * CHANCE_Z                  the z of changes that happen by chance in one of a hundred cases (diff.h)
 * delta(tree, by, threshold, side, sides, sign, z) -> { value, change, kind, largest }, as diff.h:
 *     change: Float64Array by frame: the new side less the base, both scaled so that they can be
 *     compared; by: "total" or "self"; largest: the largest absolute change of any frame except the
 *     root, 1 if there is none; value: change / largest in [-1, 1], 0 where kind is SAME.
 *     kind: Uint8Array of KINDS: SAME (the change is below threshold, a share of the whole: noise),
 *     GREW, SHRANK, NEW, GONE; NEW and GONE depend on the frame's total.
 *     side: the layer of the new side, default 1.  side 0 is for the base's own panel: a frame is GONE
 *     if no other layer has it, else SAME.  sides: the layers over which largest is taken.
 *     sign: -1 exchanges grew and shrank (--negate).  z: changes within chance are SAME, too; 0: none is
 * chanceTest(tree, side, z) -> function(base, new): whether the difference of two recorded values is within chance
 * pair(tree, frame, by, side) -> { base, new, scaledBase, scaledNew }: values as
 *     recorded, and as scaled for the comparison
 * change(settings, whole, pair, side, wholes) -> { change, relative }: the words of diff_tip():
 *     change "+12.34 points" if both profiles are scaled to the same total, "+12 samples" if
 *     values are not scaled, else "+12.34% of all"; relative "+50.00%", "new", "gone", "within chance", "".
 *     whole: the value of 100 %; wholes: the totals of base and side in it
 * metric(tree, settings)     -> { ratio, low, high }: Float64Array by frame, NaN where the
 *     denominator is 0; of settings.metric.colour, which is "a/b" with the names of two layers, or
 *     "a": the frame's share of the total of a
 * valuesOf(tree, frame)      -> Array by layer: the frame's total as recorded
 * origins(tree, frame)       -> Uint8Array by frame of the decoded tree: 1 if its self value is part of
 *     the total of frame
 * windows(settings)          -> Array of { start, end }: the wall-clock times of each animation layer:
 *     "2026-11-21T10:15:02.000000000Z" */
pyrograph.layers = (function () {
	'use strict';

	const P = pyrograph.profile, N = pyrograph.number;
	const KINDS = { SAME: 0, GREW: 1, SHRANK: 2, NEW: 3, GONE: 4 };
	const BASE = 0, NEW = 1;
	const CHANCE_Z = 2.575829;
	const ROUNDING = 1e-12; /* a smaller share is only the rounding of doubles */

	/* ---- views ---- */

	function wanted(view) {
		if (view.diff && view.diff.show && view.diff.show !== 'union')
			return { show: view.diff.show };
		if (view.position !== null && view.position !== undefined)
			return { layer: view.position };
		return view.span ? { layers: view.span } : null;
	}

	/* The values of a layer in those frames that the other layer does not have. */
	function alone(tree, layer, other) {
		const total = P.layerTotal(tree, other);

		return P.layerSelf(tree, layer).map((value, i) => total[i] ? 0 : value);
	}

	/* By frame, the sums of the layers first .. last. */
	function range(tree, first, last) {
		const self = new Float64Array(tree.count);

		if (tree.layers) { /* one pass for all layers, instead of one for each */
			const { at, layer, value } = tree.layers;

			for (let i = 0; i < tree.count; i++) {
				for (let k = at[i]; k < at[i + 1]; k++) {
					if (layer[k] >= first && layer[k] <= last)
						self[i] += Math.floor(P.scaled(tree, layer[k], value[k]));
				}
			}
			return self;
		}
		for (let layer = first; layer <= last; layer++)
			P.layerSelf(tree, layer).forEach((value, i) => {
				self[i] += Math.floor(P.scaled(tree, layer, value));
			});
		return self;
	}

	function selfOf(tree, what) {
		if (what.layers)
			return range(tree, what.layers[0], what.layers[1]);
		if (what.layer !== undefined)
			return P.layerSelf(tree, what.layer);
		return {
			base: () => P.layerSelf(tree, BASE), new: () => P.layerSelf(tree, NEW),
			gone: () => alone(tree, BASE, NEW), added: () => alone(tree, NEW, BASE),
		}[what.show]();
	}

	function view(tree, settings, what) {
		const known = what.show === undefined || ['base', 'new', 'gone', 'added'].includes(what.show);

		return P.decoded(tree).layers && known ? pyrograph.transform.reweigh(tree, selfOf(tree, what)) : tree;
	}

	/* ---- differentials ---- */

	function valuesBy(by) {
		return by === 'self' ? P.layerOwnSelf : P.layerTotal;
	}

	/* By frame: 1 if a layer other than the base also has the frame. */
	function inAnother(tree) {
		const found = new Uint8Array(tree.count), { count } = P.decoded(tree).layers;

		for (let layer = 1; layer < count; layer++) {
			const total = P.layerTotal(tree, layer);

			for (let i = 0; i < found.length; i++)
				found[i] = total[i] ? 1 : found[i];
		}
		return found;
	}

	/* Changes by frame: side minus base.  For side BASE: 0 if another layer has the frame, else minus the base's
	 * value. */
	function changes(tree, by, side, sign) {
		const base = P.scaledAll(tree, BASE, valuesBy(by)(tree, BASE));
		const fresh = side === BASE ? null : P.scaledAll(tree, side, valuesBy(by)(tree, side));
		const others = fresh ? null : inAnother(tree), changed = new Float64Array(tree.count);

		for (let i = 0; i < changed.length; i++)
			changed[i] = sign * (fresh ? fresh[i] - base[i] : others[i] ? 0 : -base[i]);
		return changed;
	}

	function largestOf(changed) {
		let largest = 0;

		for (let i = 1; i < changed.length; i++)
			largest = Math.max(largest, Math.abs(changed[i]));
		return largest;
	}

	/* The larger of the two totals of the whole profile. */
	function wholeOf(tree, side) {
		const all = P.decoded(tree), of = (layer) => P.scaled(all, layer, P.layerTotal(all, layer)[0]);

		return Math.max(of(BASE), of(side));
	}

	/* The same as is_chance() of diff.c, in the same order. */
	function chanceTest(tree, side, z) {
		const all = P.decoded(tree), [num0, den0] = (all.scales || [])[BASE] || [1, 1];
		const [num1, den1] = (all.scales || [])[side] || [1, 1], rho = (num0 / den0) / (num1 / den1);
		const [n0, n1] = [BASE, side].map((layer) => P.layerTotal(all, layer)[0]);
		const [all0, all1] = [P.scaled(all, BASE, n0), P.scaled(all, side, n1)];
		const shares = Math.abs(all0 - all1) <= ROUNDING * Math.max(all0, all1);
		let one = 1;

		for (let i = 0; i < all.decimals; i++)
			one *= 10;
		return (base, fresh) => {
			let x0 = base / one, x1 = fresh / one, share = 0;

			if (shares) {
				share = (x0 + x1) / (n0 / one + n1 / one);
				if (share > 0.5) {
					share = 1 - share;
					x0 = n0 / one - x0;
					x1 = n1 / one - x1;
				}
			}
			return 2 * Math.abs(Math.sqrt(x1 + 0.375) - Math.sqrt(rho * (x0 + 0.375))) /
				Math.sqrt(1 + rho) / Math.sqrt(1 - share) < z;
		};
	}

	/* By frame: whether the change is within chance. */
	function chances(tree, by, side, z) {
		const isChance = chanceTest(tree, side, z), base = P.layerTotal(tree, BASE);
		const others = side === BASE ? inAnother(tree) : null;
		const fresh = others ? base.map((value, i) => others[i] ? value : 0) : P.layerTotal(tree, side);
		const selfs = by === 'self' && !others ? [BASE, side].map((layer) => P.layerOwnSelf(tree, layer))
			: null;

		return (i) => selfs && base[i] && fresh[i] ? isChance(selfs[0][i], selfs[1][i])
			: isChance(base[i], fresh[i]);
	}

	function kinds(tree, changed, side, noise, isChance) {
		const base = P.layerTotal(tree, BASE), kind = new Uint8Array(tree.count);
		const fresh = side === BASE ? inAnother(tree) : P.layerTotal(tree, side);

		for (let i = 0; i < kind.length; i++) {
			if (isChance(i))
				kind[i] = KINDS.SAME;
			else if (!base[i])
				kind[i] = P.scaled(tree, side, fresh[i]) < noise ? KINDS.SAME : KINDS.NEW;
			else if (!fresh[i])
				kind[i] = P.scaled(tree, BASE, base[i]) < noise ? KINDS.SAME : KINDS.GONE;
			else if (Math.abs(changed[i]) < noise)
				kind[i] = KINDS.SAME;
			else
				kind[i] = changed[i] > 0 ? KINDS.GREW : KINDS.SHRANK;
		}
		return kind;
	}

	function delta(tree, by, threshold = 0, side = NEW, sides = [side], sign = 1, z = 0) {
		const changed = changes(tree, by, side, sign);
		const kind = kinds(tree, changed, side, Math.max(threshold, ROUNDING) * wholeOf(tree, side),
			z ? chances(tree, by, side, z) : () => false);
		const largest = sides.filter((other) => other !== BASE).reduce((most, other) =>
			Math.max(most, largestOf(other === side ? changed : changes(tree, by, other, sign))), 0) || 1;

		return {
			value: changed.map((change, i) => kind[i] === KINDS.SAME ? 0 :
				Math.max(-1, Math.min(1, change / largest))),
			change: changed, kind: kind, largest: largest,
		};
	}

	/* "+12.3", "0", "\u2212100" */
	function signed(percent) {
		const size = Math.abs(percent), hundredths = size < 9.995 ? Math.floor(size * 100 + 0.5)
			: Math.floor(size * 10 + 0.5) * 10;

		return !hundredths ? '0' : (percent > 0 ? '+' : '\u2212') +
			pyrograph.number.quantityText(hundredths, 100);
	}

	function change(settings, whole, values, side, wholes) {
		const { scaledBase, scaledNew } = pair(P.decoded(whole), 0, 'total', side);
		const shares = Math.abs(scaledNew - scaledBase) <= Math.max(scaledBase, scaledNew) * 1e-6 + 1;
		const plain = !settings.scales || [BASE, side].every((k) =>
			settings.scales[k][0] === settings.scales[k][1]);
		const before = shares ? values.base / wholes[0] || 0 : values.scaledBase;
		const after = shares ? values.new / wholes[1] || 0 : values.scaledNew;
		const grown = (settings.negate ? -1 : 1) * (after - before);
		const sign = grown > 0 ? '+' : grown < 0 ? '\u2212' : '';
		const differs = Math.abs(values.scaledNew - values.scaledBase) >
			ROUNDING * Math.max(scaledBase, scaledNew);
		const isChance = settings.chance && differs && chanceTest(whole, side, settings.chance)(values.base,
			values.new);

		return {
			change: shares ? signed(grown * 100) + ' points'
				: plain ? sign + N.valueText(settings, Math.abs(grown))
					: signed(grown / Math.max(whole.total[0], 1) * 100) + ' % of all',
			relative: isChance ? 'within chance' : !values.base ? values.new ? 'new' : ''
				: !values.new ? 'gone' : signed(grown / before * 100) + ' %',
		};
	}

	function pair(tree, frame, by, side = NEW) {
		const values = valuesBy(by), base = values(tree, BASE)[frame], fresh = values(tree, side)[frame];
		const scaledBase = P.scaled(tree, BASE, base), scaledNew = P.scaled(tree, side, fresh);

		return { base: base, new: fresh, scaledBase: scaledBase, scaledNew: scaledNew };
	}

	/* ---- several events ---- */

	/* "a/b" -> [a, b], "a" -> [a].  Names of layers may contain a "/" themselves. */
	function terms(text, settings) {
		const numberOf = (name) => settings.layers.findIndex((layer) => layer.name === name);

		for (let at = text.indexOf('/'); at >= 0; at = text.indexOf('/', at + 1)) {
			const pair = [numberOf(text.slice(0, at)), numberOf(text.slice(at + 1))];

			if (pair[0] >= 0 && pair[1] >= 0)
				return pair;
		}
		return numberOf(text) >= 0 ? [numberOf(text)] : null;
	}

	function metric(tree, settings) {
		const { colour, low = 0, high = 1, above, below } = settings.metric;
		const found = above === undefined ? terms(colour, settings) :
			below === undefined ? [above] : [above, below];

		if (!found)
			return { ratio: new Float64Array(tree.count).fill(NaN), low: low, high: high };
		const parts = P.layerTotal(tree, found[0]);
		const wholes = found.length > 1 ? P.layerTotal(tree, found[1]) : null;
		const all = P.layerTotal(P.decoded(tree), found[0])[0];

		return { low: low, high: high, ratio: parts.map((value, i) => {
			const whole = wholes ? wholes[i] : all;

			return whole ? value / whole : NaN;
		}) };
	}

	/* By frame of tree's base: 1 if its value went to a frame of tree whose mark is 1. */
	function contributors(tree, marks) {
		const from = tree.base, found = new Uint8Array(from.count);

		if (tree.picked) {
			tree.picked.forEach((frame, i) => {
				if (marks[i])
					found.fill(1, frame, from.end[frame]);
			});
			return found;
		}
		for (let s = 0; s < from.count; s++) {
			const to = tree.sent[s] >= 0 ? tree.sent[s] : -2 - tree.sent[s];

			if (tree.sent[s] !== -1 && marks[to])
				found.fill(1, s, tree.sends === 'total' ? from.end[s] : s + 1);
		}
		return found;
	}

	function origins(tree, frame) {
		let marks = new Uint8Array(tree.count).fill(1, frame, tree.end[frame]);

		for (; tree.base; tree = tree.base)
			marks = contributors(tree, marks);
		return marks;
	}

	function valuesOf(tree, frame) {
		const marks = origins(tree, frame);
		const { count, at, layer, value } = P.decoded(tree).layers, sums = new Array(count).fill(0);

		for (let i = 0; i < marks.length; i++) {
			for (let k = at[i]; marks[i] && k < at[i + 1]; k++)
				sums[layer[k]] += value[k];
		}
		return sums;
	}

	/* ---- time ---- */

	/* Writes nanoseconds since 1970 as "2026-11-21T10:15:02.000000000Z". */
	function wallClock(ns) {
		const second = ns / 1000000000n, rest = ns % 1000000000n;

		return new Date(Number(second) * 1000).toISOString().replace(/\.\d+Z$/, '.') +
			String(rest).padStart(9, '0') + 'Z';
	}

	function windows(settings) {
		const start = BigInt(settings.animate.start_ns), step = BigInt(settings.animate.step_ns);

		return settings.layers.map((unused, k) => ({ start: wallClock(start + BigInt(k) * step),
			end: wallClock(start + BigInt(k + 1) * step) }));
	}

	return { KINDS, CHANCE_Z, wanted, view, delta, chanceTest, pair, change, metric, valuesOf, origins, windows };
})();
/* difference: the differential of two profiles, made in the browser.
 *
 * two(tree, selfs, decimals)  -> { tree, settings }: a tree of two layers, with the frames of tree that have a value in
 *     one of two profiles, and the settings that differ.  As in "render flame --diff", the profiles are scaled to the
 *     same total.  selfs: values by frame, of the base first
 * union(profiles) -> { tree, names, colours, selfs }: the frames of all of them, with the sum of their values, and the
 *     values by profile; a profile: { names, colours, name, parent, self, decimals, unit }, arrays by frame, depth
 *     first, frame 0 is the root
 * isProfile(p)                whether p, which may come from anyone, is a profile */
pyrograph.difference = (function () {
	'use strict';

	const P = pyrograph.profile, M = pyrograph.merge;
	const FINER_MAX = 3, DECIMALS_MAX = 9, FINE_ENOUGH = 1e9; /* as in modes_read.c */
	const FRAMES_MAX = 4e6;

	const divisor = (a, b) => b ? divisor(b, a % b) : a;

	/* The scales [num, den] of two totals: the smaller one is scaled up to the larger one. */
	function scalesOf(totals) {
		const largest = Math.max(...totals);

		return totals.map((total) => {
			const common = total ? divisor(largest, total) : 1;

			return total ? [largest / common, total / common] : [1, 1];
		});
	}

	/* Widths are whole units, which are so small that rounding is invisible. */
	function finer(totals, scales, decimals) {
		const most = Math.min(decimals + FINER_MAX, DECIMALS_MAX), rounds = scales.some(([, den]) => den !== 1);
		let sum = totals[0] + totals[1], places = 0;

		for (; rounds && decimals + places < most && sum < FINE_ENOUGH; places++)
			sum *= 10;
		return places;
	}

	/* The values of frames by layer, in the form of profile.js. */
	function layersOf(tree, from, selfs) {
		const at = new Uint32Array(tree.count + 1), layer = new Uint16Array(2 * tree.count);
		const value = new Float64Array(2 * tree.count);
		let used = 0;

		for (let i = 0; i < tree.count; i++) {
			for (let k = 0; k < 2; k++) {
				if (selfs[k][from[i]]) {
					layer[used] = k;
					value[used++] = selfs[k][from[i]];
				}
			}
			at[i + 1] = used;
		}
		return { count: 2, at: at, layer: layer.subarray(0, used), value: value.subarray(0, used) };
	}

	const sumOf = (values) => values.reduce((sum, value) => sum + value, 0);

	function two(all, exactSelfs, decimals) {
		const exact = exactSelfs.map(sumOf), scales = scalesOf(exact);
		const places = finer(exact, scales, decimals), one = Math.pow(10, places);
		const selfs = exactSelfs.map((values) => values.map((value) => value * one));
		const width = selfs[0].map((value, i) => Math.max(...scales.map(([num, den], k) =>
			Math.floor(num === den ? selfs[k][i] : selfs[k][i] * num / den))));
		const tree = M.compact(all, width, null), layers = layersOf(tree, tree.picked, selfs);

		/* a new tree, without the frames that neither profile has */
		Object.assign(tree, { base: null, sent: null, picked: null, origin: null });
		tree.decimals = decimals + places;
		tree.layers = layers;
		tree.scales = scales;
		return { tree: tree, settings: { mode: 'diff', combine: 'max', scales: scales, decimals: decimals +
			places,
		delta: 'total', threshold: 0.001, layers: exact.map((total) =>
			({ name: '', total: total * one })) } };
	}

	/* ---- several pictures ---- */

	const isList = (list, test) => Array.isArray(list) && list.every(test);
	const isWhole = (n) => Number.isSafeInteger(n) && n >= 0;

	function isProfile(p) {
		return Boolean(p) && isList(p.names, (name) => typeof name === 'string') && isWhole(p.decimals) &&
			p.decimals <= DECIMALS_MAX && isList(p.name, (n) => isWhole(n) && n < p.names.length) &&
			isList(p.parent, isWhole) && isList(p.self, (value) => value >= 0 && value <= 2 ** 53) &&
			isList(p.colours, (colour) => /^#[0-9a-f]{6}$/.test(colour)) &&
			p.colours.length === 2 * p.names.length && p.name.length > 0 && p.name.length <= FRAMES_MAX &&
			p.parent.length === p.name.length && p.self.length === p.name.length &&
			p.parent.every((parent, i) => i ? parent < i : !parent);
	}

	/* One name for all that have the same text, with the colour of the first profile. */
	function joinNames(profiles) {
		const names = [], colours = [], known = new Map();
		const numbers = profiles.map((p) => p.names.map((name, n) => {
			if (!known.has(name)) {
				known.set(name, names.length);
				names.push(name);
				colours.push(p.colours[2 * n], p.colours[2 * n + 1]);
			}
			return known.get(name);
		}));

		return { names, colours, numbers };
	}

	function union(profiles) {
		const { names, colours, numbers } = joinNames(profiles);
		const decimals = Math.max(...profiles.map((p) => p.decimals));
		const node = (name) => ({ name: name, children: new Map(), selfs: new Array(profiles.length).fill(0) });
		const nodes = [node(numbers[0][profiles[0].name[0]])];
		const byName = (x, y) => names[x.name] < names[y.name] ? 1 : -1;

		profiles.forEach((p, k) => {
			const own = [nodes[0]]; /* by frame of p */

			for (let i = 0; i < p.name.length; i++) {
				const name = numbers[k][p.name[i]];

				if (i) {
					const { children } = own[p.parent[i]];

					if (!children.has(name)) {
						children.set(name, node(name));
						nodes.push(children.get(name));
					}
					own.push(children.get(name));
				}
				own[i].selfs[k] += p.self[i] * Math.pow(10, decimals - p.decimals);
			}
		});

		const tree = P.emptyTree(nodes.length), selfs = profiles.map(() => new Float64Array(nodes.length));
		const open = [[nodes[0], 0, 0]];
		let at = 0;

		while (open.length) { /* depth first; the end of a frame is known when everything below the frame is
				       * placed */
			const [made, parent, depth] = open.pop(), frame = at++;

			tree.name[frame] = made.name;
			tree.parent[frame] = parent;
			tree.depth[frame] = depth;
			selfs.forEach((self, k) => { self[frame] = made.selfs[k]; });
			tree.self[frame] = sumOf(made.selfs);
			for (const child of [...made.children.values()].sort(byName))
				open.push([child, frame, depth + 1]);
		}
		for (let i = tree.count - 1; i >= 0; i--) {
			tree.end[i] = Math.max(tree.end[i], i + 1);
			if (i)
				tree.end[tree.parent[i]] = Math.max(tree.end[tree.parent[i]], tree.end[i]);
		}
		P.addUp(tree);
		tree.decimals = decimals;
		return { tree, names, colours, selfs };
	}

	return { two, union, isProfile };
})();
/* transform: makes trees from other trees (profile.js says what a tree is).
 *
 * drop(tree, frame)              -> tree without the frame and its subtree
 * dropReversed(tree, path)       -> tree without the stacks whose frames, from the leaf on,
 *     begin with path (name numbers)
 * exclude, include(tree, match)  -> tree; match, Uint8Array by name: see search.js
 * hide, only(tree, names, match) -> tree
 * mergeVariants(tree, names, { annotations, generated, unnamed }) -> tree in which frames become one if they differ
 *     only in annotation, in the numbers of lambdas, hidden and generated classes (generated), or in where functions
 *     without a name begin (unnamed); the frame has the name of its widest variant
 * shownNames(names, { generated, unnamed }) -> names without those numbers; the same Array for the same names
 * variantsOf(tree, names, frame) -> Map: label ("compiled", "interpreted", ...) -> value,
 *     widest first, of the frames that were merged into frame; null if that is not known
 * foldRecursion(tree, names, "direct" | "deep") -> tree; direct: a;b;b;c -> a;b;c; deep:
 *     also a;b;a;b;c -> a;b;c, and a;b;a -> a
 * order(tree, names, "name" | "width" | "arrival") -> tree
 * reweigh(tree, self)            -> tree with the values of self, without the frames of which nothing is left.
 *     The values of a frame's layers stay those of its whole former subtree
 * callees(tree, names, name)     -> tree whose root is all outermost frames with this name number,
 *     merged; null if there are none
 * callers(tree, names, name, { least, path }) -> tree with the function as root and its callers above;
 *     null if the function does not occur; least and path as in reverse
 * reverse(tree, names, { least, path }) -> tree merged from the leaves.  Frames narrower
 *     than least (a share of the root) are not expanded: see unexpanded.  0: all are expanded.
 *     path (name numbers from below the root): only the frames on the path and above its end are
 *     expanded, and least is a share of the frame at its end.
 *
 * foldedLines(tree, names, root, header) -> text: header ("# pyrograph: ..." or "") and
 *     the folded lines of root and all frames above it, with root's callers; of a chart in order of time
 * stackOf(tree, names, frame)    -> Array of names from below the root to frame
 * pathOf(tree, names, frame)     -> the same Array as a path that leads to this very frame: if
 *     siblings share a name (in charts), the n-th in time is "name~n", the first "name"
 * nameOfStep(step)               -> the name in a step of a path
 * frameOfPath(tree, names, path) -> { frame, whole }: the frame at the end of path, or the last one on the
 *     path that this tree has; whole: whether the tree has the whole path
 * frameOfThread(tree, names, thread) -> the frame above the root that is this thread: of this name, of
 *     "process/name", or of the name without the number that tells it from others; or 0 */
pyrograph.transform = (function () {
	'use strict';

	const P = pyrograph.profile, M = pyrograph.merge;
	const KINDS = { j: 'compiled', 0: 'interpreted', 1: 'compiled by C1', i: 'inlined',
		k: 'kernel', w: 'waker' };

	/* ---- leaving out ---- */

	/* The tree with only those stacks whose last frame has ends 1. */
	function select(tree, ends) {
		return M.compact(tree, tree.self.map((value, i) => ends[i] ? value : 0), ends);
	}

	/* By frame: 1 if the frame or one of its ancestors matches. */
	function within(tree, match) {
		const inside = new Uint8Array(tree.count);

		for (let i = 0; i < tree.count;) {
			if (match[tree.name[i]]) {
				inside.fill(1, i, tree.end[i]);
				i = tree.end[i];
			} else {
				i++;
			}
		}
		return inside;
	}

	function include(tree, match) {
		return select(tree, within(tree, match));
	}

	function exclude(tree, match) {
		return select(tree, within(tree, match).map((inside) => 1 - inside));
	}

	function drop(tree, frame) {
		return select(tree, new Uint8Array(tree.count).fill(1).fill(0, frame, tree.end[frame]));
	}

	/* The tree without the stacks whose frames, from the leaf on, begin with path. */
	function dropReversed(tree, path) {
		const ends = new Uint8Array(tree.count).fill(1);

		for (let i = 1; i < tree.count; i++) {
			let at = 0;

			for (let f = i; f && at < path.length && tree.name[f] === path[at]; at++)
				f = tree.parent[f];
			if (at === path.length)
				ends[i] = 0;
		}
		return select(tree, ends);
	}

	function reweigh(tree, self) {
		return M.compact(tree, self, null);
	}

	/* ---- frames that vanish ---- */

	/* If stays is true, all frames vanish whose name does not match, otherwise all whose name matches. */
	function vanish(tree, names, match, stays) {
		const fates = new Uint8Array(tree.count), gone = new Uint8Array(names.length);
		const { name, count } = tree;

		for (let n = 0; n < gone.length; n++)
			gone[n] = Boolean(match[n]) === stays ? M.FATES.KEEP : M.FATES.VANISH;
		for (let i = 1; i < count; i++)
			fates[i] = gone[name[i]];
		return M.regroup(tree, names, { fates: fates });
	}

	function hide(tree, names, match) {
		return vanish(tree, names, match, false);
	}

	function only(tree, names, match) {
		return vanish(tree, names, match, true);
	}

	function foldRecursion(tree, names, how) {
		if (how === 'deep') {
			const folded = M.regroup(tree, names, { deep: recursive(tree, names.length) });

			/* a;b;a becomes a, without a trace of b. */
			return M.compact(folded, folded.self, null);
		}
		const fates = new Uint8Array(tree.count);

		for (let i = 1; i < tree.count; i++) {
			if (tree.parent[i] && tree.name[i] === tree.name[tree.parent[i]])
				fates[i] = M.FATES.JOIN;
		}
		return M.regroup(tree, names, { fates: fates });
	}

	/* By name: 1 if a frame of this name stands on another frame of this name. */
	function recursive(tree, nameCount) {
		const closes = new Uint32Array(nameCount), found = new Uint8Array(nameCount);

		for (let i = 1; i < tree.count; i++) {
			const n = tree.name[i];

			if (i < closes[n])
				found[n] = 1;
			else
				closes[n] = tree.end[i];
		}
		return found;
	}

	/* ---- variants ---- */

	/* com.example.A$$Lambda$12/0x00007f00 and GeneratedMethodAccessor7 without the numbers, which the JVM
	 * assigns anew in each run. */
	function withoutNumbers(name) {
		return name
			.replace(/\$\$Lambda(?:\$\d+)?(?:[/.](?:0x)?[0-9a-f]+\b)?/g, '$$$$Lambda')
			.replace(/[/.]0x[0-9a-f]{4,}|\+0x[0-9a-f]{10,}/g, '') /* liblzma.so+0x18fd0 is none */
			.replace(/(Generated(?:Serialization)?(?:Method|Constructor)Accessor)\d+/g, '$1')
			.replace(/(\$Proxy)\d+/g, '$1')
			.replace(/(\$\$(?:FastClass|Enhancer)By\w*?\$\$)[0-9a-f]{4,}/g, '$1');
	}

	const plain = new WeakMap();

	function shownNames(names, { generated = false, unnamed = false }) {
		const kept = plain.get(names) || {}, key = [generated, unnamed].join();

		if (!generated && !unnamed)
			return names;
		plain.set(names, kept);
		kept[key] = kept[key] || names.map((name) => {
			const known = unnamed ? pyrograph.unnamed.ofFile(name) : name;

			return generated ? withoutNumbers(known) : known;
		});
		return kept[key];
	}

	/* Lists of the numbers of names that become one name; only of names that occur. */
	function classes(names, weight, annotations) {
		const byKey = new Map();

		names.forEach((name, n) => {
			const key = annotations ? P.baseName(name) : name, same = byKey.get(key);

			if (same)
				same.push(n);
			else
				byKey.set(key, [n]);
		});
		return Array.from(byKey.values(), (same) => same.filter((n) => weight[n]))
			.filter((same) => same.length > 1);
	}

	function mergeVariants(tree, names, how) {
		const weight = new Float64Array(names.length), risky = new Uint8Array(names.length);
		const nameOf = Uint32Array.from(names, (unused, n) => n);
		const texts = shownNames(names, how);

		for (let i = 0; i < tree.count; i++)
			weight[tree.name[i]] += tree.total[i];
		for (const same of classes(texts, weight, how.annotations)) {
			const widest = same.reduce((best, n) => weight[n] > weight[best] ? n : best);
			/* The first number of a name with this text, which a search for the text finds. */
			const first = texts.indexOf(texts[widest]);

			for (const n of same) {
				nameOf[n] = first;
				risky[n] = 1;
			}
			risky[first] = 1;
		}
		const merged = M.regroup(tree, names, { nameOf: nameOf, risky: risky });

		merged.variants = true;
		return merged;
	}

	/* By frame of tree's base: 1 if the frame is drawn as a frame of tree whose mark is 1. */
	function sourcesOf(tree, marks) {
		const found = new Uint8Array(tree.sent.length), sent = tree.sent;

		for (let s = 0; s < found.length; s++)
			found[s] = sent[s] >= 0 ? marks[sent[s]] : 0;
		return found;
	}

	function variantsOf(tree, names, frame) {
		const found = new Map();
		let marks = new Uint8Array(tree.count);

		marks[frame] = 1;
		for (; tree && !tree.variants; tree = tree.base) {
			if (tree.turned || !tree.base)
				return null;
			marks = sourcesOf(tree, marks);
		}
		marks = sourcesOf(tree, marks);
		for (let i = 0; i < marks.length; i++) {
			if (!marks[i])
				continue;
			const name = names[tree.base.name[i]], base = P.baseName(name);
			const kind = base === name ? 'not annotated' : KINDS[name[base.length + 2]];

			found.set(kind, (found.get(kind) || 0) + tree.base.total[i]);
		}
		return new Map(Array.from(found).sort((a, b) => b[1] - a[1]));
	}

	/* ---- order ---- */

	function order(tree, names, by) {
		if (by === 'width')
			return M.ordered(tree, tree.total.map((value) => -value));
		if (by === 'arrival')
			return tree.arrival ? M.ordered(tree, new Float64Array(tree.arrival)) : tree;
		const rank = M.ranks(names), keys = new Float64Array(tree.count);

		for (let i = 0; i < keys.length; i++)
			keys[i] = rank[tree.name[i]];
		return M.ordered(tree, keys);
	}

	/* ---- callers, callees, reverse ---- */

	/* The frames of this name that do not stand on another frame of this name. */
	function outermost(tree, names, name) {
		const frames = [], of = P.functionsOf(names);

		for (let i = 0; i < tree.count;) {
			if (of[tree.name[i]] === of[name]) {
				frames.push(i);
				i = tree.end[i];
			} else {
				i++;
			}
		}
		return frames;
	}

	function callees(tree, names, name) {
		const roots = outermost(tree, names, name);
		const fates = new Uint8Array(tree.count).fill(M.FATES.OUT);

		if (!roots.length)
			return null;
		for (const root of roots) {
			fates.fill(M.FATES.KEEP, root, tree.end[root]);
			fates[root] = M.FATES.ROOT;
		}
		return M.regroup(tree, names, { fates: fates });
	}

	function callers(tree, names, name, how = {}) {
		const roots = outermost(tree, names, name);

		if (!roots.length)
			return null;
		return pyrograph.reverse.expand(tree, names, {
			source: Int32Array.from(roots),
			frame: Int32Array.from(roots, (i) => tree.parent[i]),
			weight: Float64Array.from(roots, (i) => tree.total[i]),
			sends: 'total',
		}, { rootName: name, least: how.least || 0, path: how.path });
	}

	function reverse(tree, names, how) {
		const ends = [];

		for (let i = 0; i < tree.count; i++) {
			if (tree.self[i] > 0)
				ends.push(i);
		}
		return pyrograph.reverse.expand(tree, names, {
			source: Int32Array.from(ends),
			frame: Int32Array.from(ends),
			weight: Float64Array.from(ends, (i) => tree.self[i]),
			sends: 'self',
		}, { rootName: tree.name[0], least: how.least || 0, path: how.path });
	}

	/* ---- text ---- */

	function stackOf(tree, names, frame) {
		const stack = [];

		for (let f = frame; f; f = tree.parent[f])
			stack.push(names[tree.name[f]]);
		return stack.reverse();
	}

	/* Writes a value, in units of 10^-decimals, as plain digits. */
	function plainValue(value, decimals) {
		const digits = value.toFixed(0).padStart(decimals + 1, '0'), point = digits.length - decimals;

		return decimals ? (digits.slice(0, point) + '.' + digits.slice(point)).replace(/\.?0*$/, '') :
			digits;
	}

	/* Calls add(self) for root and each frame above it, with stack set to the stack of that frame. */
	function eachSelf(tree, names, root, stack, add) {
		const above = tree.depth[root] + 1 - stack.length;

		for (let i = root; i < tree.end[root]; i++) {
			if (i > root) {
				stack.length = tree.depth[i] - above;
				stack.push(names[tree.name[i]]);
			}
			add(tree.self[i]);
		}
	}

	/* The same in order of time, with the gaps before children, and the rest of a frame after its children. */
	function eachMoment(tree, names, root, stack, add) {
		const rest = tree.self.slice();
		let open = root;

		function goTo(parent) {
			for (; open !== parent; open = tree.parent[open]) {
				add(rest[open]);
				stack.pop();
			}
		}
		for (let i = root + 1; i < tree.end[root]; i++) {
			goTo(tree.parent[i]);
			add(tree.gap[i]);
			rest[open] -= tree.gap[i];
			stack.push(names[tree.name[i]]);
			open = i;
		}
		goTo(root);
		add(rest[root]);
	}

	function foldedLines(tree, names, root, header) {
		const { decimals, name } = P.decoded(tree), lines = header ? [header] : [];
		const top = name[0] === tree.name[0] ? [] : [names[tree.name[0]]]; /* "all" is not a frame */
		const stack = root ? top.concat(stackOf(tree, names, root)) : top;

		(tree.gap ? eachMoment : eachSelf)(tree, names, root, stack, (value) => {
			if (value > 0 && stack.length)
				lines.push(stack.join(';') + ' ' + plainValue(value, decimals));
		});
		return lines.join('\n') + '\n';
	}

	/* ---- paths ---- */

	/* A name that ends with "~" and digits always gets a number, even for the first sibling. */
	const step = (name, n) => n > 1 || /~\d+$/.test(name) ? name + '~' + n : name;
	const nameOfStep = (text) => text.replace(/~\d+$/, '');

	/* A sorted chart has the same paths as the chart in order of time. */
	const inTime = (tree) => tree.chart && tree.reordered ? inTime(tree.base) : tree;

	function placeInTime(tree, frame) {
		return tree.chart && tree.reordered ? placeInTime(tree.base, tree.sent.indexOf(frame)) : frame;
	}

	function numberAmongNamesakes(tree, frame) {
		let n = 1;

		for (let c = tree.parent[frame] + 1; tree.chart && c < frame; c = tree.end[c])
			n += tree.name[c] === tree.name[frame] ? 1 : 0;
		return n;
	}

	function pathOf(tree, names, frame) {
		const timed = inTime(tree), path = [];

		for (let f = placeInTime(tree, frame); f; f = timed.parent[f])
			path.push(step(names[timed.name[f]], numberAmongNamesakes(timed, f)));
		return path.reverse();
	}

	/* The n-th child with this name, or 0. */
	function childNamed(tree, names, frame, name, n) {
		for (let c = frame + 1; c < tree.end[frame]; c = tree.end[c]) {
			if (names[tree.name[c]] === name && --n === 0)
				return c;
		}
		return 0;
	}

	function childOfStep(tree, names, frame, text) {
		const [, name, n] = /^(.*)~(\d{1,9})$/s.exec(text) || [];

		return (n && childNamed(tree, names, frame, name, Number(n))) ||
			childNamed(tree, names, frame, text, 1);
	}

	function frameOfPath(tree, names, path) {
		if (tree.chart && tree.reordered) {
			const found = frameOfPath(tree.base, names, path);

			return { frame: tree.sent[found.frame], whole: found.whole };
		}
		let frame = 0;

		for (const text of path) {
			const child = childOfStep(tree, names, frame, text);

			if (!child)
				return { frame: frame, whole: false };
			frame = child;
		}
		return { frame: frame, whole: true };
	}

	function frameOfThread(tree, names, thread) {
		const plain = thread.replace(/-\d+$/, ''), found = [0, 0, 0];

		for (let i = 1; i < tree.count; i = tree.end[i]) {
			const name = names[tree.name[i]];

			[name === thread, name.endsWith('/' + thread), name === plain].forEach((is, how) => {
				found[how] = found[how] || (is ? i : 0);
			});
		}
		return found.find(Boolean) || 0;
	}

	return { drop, dropReversed, exclude, include, hide, only, mergeVariants, shownNames, variantsOf,
		foldRecursion, order, reweigh, callees, callers, reverse, foldedLines, stackOf,
		pathOf, nameOfStep, frameOfPath, frameOfThread };
})();
/* apply: a whole view's tree; part of pyrograph.transform.
 *
 * apply(tree, names, view, how) -> { tree, whole, names, error }: applies a whole view in this
 *     order: diff, position, span (layers.js); wall; variants, generated, unnamed; recursion; quiet, mine; filters;
 *     sandwich, or reversed with zoom; order.  Other members of the view (address.js) are
 *     ignored.  names: the returned array has the same numbers, but new texts for names that were
 *     merged (generated): look texts up there.  The tree of each step is kept until the part of the view
 *     that makes this step changes.  error: null, or what is wrong with a filter ("Not a regular expression: (").
 *     how: { least: the share of the root that can be seen, e.g. 0.1 / 1200; settings }.
 *     The view's callersZoom (an Array of names) is the path, as in reverse, for a sandwich's callers.
 *     whole: the tree before the sandwich; shares refer to its total.
 *     A sandwich gives { tree: its callees, callers: the tree of its callers }; both are null
 *     if the function does not occur.  If no values are left, the tree is a root of value 0.
 *
 * filter(tree, names, filters) -> { tree, error }; the filters are applied in order, each { kind, pattern,
 *     exact, ignoreCase, path, reversed }; pattern is a regular expression, or a whole name if exact:
 *       "hide"     frames that match vanish; their children move to the parent, where equal names merge
 *       "only"     all other frames vanish ("hide everything but")
 *       "exclude"  stacks with a match are left out
 *       "include"  stacks without a match are left out
 *       "drop"     the subtree at path (transform.pathOf) is left out; reversed: true:
 *                  path belongs to a tree merged from the leaves */
(function () {
	'use strict';

	const S = pyrograph.search, T = pyrograph.transform, K = pyrograph.known, LEAST = 0.1 / 1200;

	/* Returns a function that gives the number of the name in a path's step. */
	const numberOf = (names) => (step) => {
		const found = names.indexOf(T.nameOfStep(step));

		return found >= 0 ? found : names.indexOf(step);
	};

	function dropOne(tree, names, f) {
		if (f.reversed)
			return T.dropReversed(tree, f.path.map(numberOf(names)));
		const { frame, whole } = T.frameOfPath(tree, names, f.path);

		if (!whole && !T.frameOfPath(pyrograph.profile.decoded(tree), names, f.path).whole)
			throw new SyntaxError('Not in this profile: ' + f.path.join(' \u203a '));
		return whole && frame ? T.drop(tree, frame) : tree;
	}

	function filterOne(tree, names, f) {
		if (f.kind === 'drop')
			return dropOne(tree, names, f);
		if (f.exact && !names.includes(f.pattern))
			throw new SyntaxError('Not in this profile: ' + f.pattern);
		const { match, error, waits } = f.exact ? { match: S.matcherExact(names, f.pattern) } :
			S.matcher(names, f.pattern, f.ignoreCase);
		const change = { hide: () => T.hide(tree, names, match), only: () => T.only(tree, names, match),
			exclude: () => T.exclude(tree, match), include: () => T.include(tree, match) }[f.kind];

		if (waits)
			throw Object.assign(new SyntaxError('Searching: ' + f.pattern), { waits: true });
		if (error)
			throw new SyntaxError(error);
		return match && change ? change() : tree;
	}

	function filter(tree, names, filters) {
		let error = null;

		for (const f of filters) {
			try {
				tree = filterOne(tree, names, f);
			} catch (e) {
				if (!(e instanceof SyntaxError))
					throw e;
				error = error || e.message;
			}
		}
		return { tree: tree, error: error };
	}

	const matching = (names, test) => Uint8Array.from(names, (name) => test(name) ? 1 : 0);

	/* The steps that change the tree, in order: [the key that identifies the step, the function that does
	 * it]. */
	function stepsOf(names, view, how) {
		const steps = [], least = how.least || LEAST;
		const step = (key, make) => steps.push([JSON.stringify(key), make]);
		const what = pyrograph.layers.wanted(view);

		if (what)
			step(['layers', what], (tree) => pyrograph.layers.view(tree, how.settings, what));
		if (view.wall && how.settings && how.settings.wall)
			step(['wall', view.wall], (tree) => (view.wall === 'on' ? T.exclude : T.include)(tree,
				matching(names, K.wallKind)));
		if (view.variants || view.generated || view.unnamed)
			step(['variants', view.variants, view.generated, view.unnamed], (tree) =>
				T.mergeVariants(tree, names, { annotations: view.variants,
					generated: view.generated, unnamed: view.unnamed }));
		if (view.recursion)
			step(['recursion', view.recursion], (tree) => T.foldRecursion(tree, names, view.recursion));
		if (view.quiet)
			step(['quiet'], (tree) => T.exclude(tree, matching(names, K.isMeasuring)));
		if (view.mine) {
			step(['mine'], (tree) => {
				const isMine = K.mineOf(names);

				return T.hide(tree, names, matching(names, (name) => !isMine(name)));
			});
		}
		for (const f of view.filters || [])
			step(['filter', f], (tree) => filterOne(tree, names, f));
		if (view.sandwich === null || view.sandwich === undefined) {
			const path = (view.zoom || []).map(numberOf(names));

			if (view.reversed)
				step(['reverse', path, least], (tree) => T.reverse(tree, names, { least, path }));
			const drawn = how.settings && how.settings.order || 'name', by = view.order || drawn;

			if (by !== drawn || (by !== 'name' && steps.length))
				step(['order', by], (tree) => T.order(tree, names, by));
		}
		return steps;
	}

	const done = new WeakMap(); /* tree -> the steps of the last view applied to it: [[key, tree], ...] */

	function run(tree, steps) {
		const before = done.get(tree) || [], now = [];
		let same = true, error = null, at = tree;

		steps.forEach(([key, make], i) => {
			same = same && before[i] !== undefined && before[i][0] === key && !before[i][3];
			if (same) {
				now.push(before[i]);
			} else {
				const result = attempt(make, at);

				now.push([key, result.tree, result.error, result.waits]);
			}
			at = now[i][1];
			error = error || now[i][2];
		});
		done.set(tree, now);
		return { tree: at, error: error };
	}

	function attempt(make, tree) {
		try {
			return { tree: make(tree), error: null };
		} catch (e) {
			if (!(e instanceof SyntaxError))
				throw e;
			return { tree: tree, error: e.message, waits: e.waits };
		}
	}

	const sandwiches = new WeakMap(); /* tree -> the last sandwich made from it, and the key of that sandwich */

	function sandwich(tree, names, view, how) {
		const by = view.order || how.settings && how.settings.order || 'name';
		const name = names.indexOf(view.sandwich), least = how.least || LEAST;
		const path = (how.callersZoom || view.callersZoom || []).map(numberOf(names));
		const key = JSON.stringify([name, by]), callersKey = JSON.stringify([key, least, path]);
		const inOrder = (made) => made && by !== 'name' ? T.order(made, names, by) : made;
		const before = sandwiches.get(tree) || {};

		if (before.callersKey === callersKey)
			return before;
		const made = { key: key, callersKey: callersKey,
			tree: before.key === key ? before.tree : inOrder(T.callees(tree, names, name)),
			callers: inOrder(T.callers(tree, names, name, { least, path })) };

		sandwiches.set(tree, made);
		return made;
	}

	function apply(tree, baseNames, view, how = {}) {
		const names = T.shownNames(baseNames, view);
		const result = run(tree, stepsOf(names, view, how));

		if (view.sandwich === null || view.sandwich === undefined)
			return { tree: result.tree, whole: result.tree, names: names, error: result.error };
		const made = sandwich(result.tree, names, view, how);

		return { tree: made.tree, callers: made.callers, whole: result.tree, names: names,
			error: result.error };
	}

	Object.assign(T, { filter, apply });
})();
/* layout: places frames and their labels by the rules of layout.c and font.c, so that the script draws the same as C.
 * Rows are counted from root on; the caller decides whether they go up or down.
 *
 * layout(tree, root, widthPx, minWidthPx, boxesMax, crumbColour, markColour, fold)
 *     -> { boxes: [{ frame, row, x, w }], crumbs: [as boxes, with colour], rows }, in pixels.
 *     A crumb is a run of narrow frames of the same colour, crumbColour(frame).  Frames of
 *     markColour (a colour, or a Set of colours) are neither mixed with others nor left out.
 *     fold: null, or which frames are hidden, and the rows of all (known.js, beginnings)
 * rowsOf(plan, from, to)        -> the same, with only the rows from .. to - 1
 * frameAt(tree, value, row, fold) -> the frame that covers value in the row; -1 if none
 * fitText(font, name, roomPx, minChars, cut) -> name, or its beginning and ".." (cut "left":
 *     ".." and its end; "middle": both ends), or "" if fewer than minChars characters fit.
 *     font: the settings (with the widths of C's font), or the result of measured()
 * labelCore(name)               -> it without package, namespaces or path; for a function of a script, only the
 *     function (look.h)
 * label(font, name, roomPx, minChars, cut) -> the same as fitText, but cut "middle" drops what labelCore() does first,
 *     then the class
 * measured(measure, fontSize)   -> a font for fitText: measure(character) gives its width
 *     in px and is asked once for each
 * textWidth(font, text)         -> px */
pyrograph.layout = (function () {
	'use strict';

	const CPX = 100, STEP = 50, STEPS = 128, GAP = 100, PURE = 100, CRUMB_MIN = 20;
	const GRAIN = 10000; /* minWidthPx is rounded to this fraction of a pixel: FLAME_WIDTH_GRAIN */
	const LONGEST = 5000; /* more characters than any room holds */
	const ROUNDING = 1e-6;

	/* The least value of a frame that is drawn as a box: half a pixel wide, or more if there would be too
	 * many boxes. */
	function boxThreshold(tree, root, width, least, boxesMax) {
		const total = tree.total[root], counts = new Uint32Array(STEPS);
		const valueOf = (w) => Math.max(1, Math.ceil(total * w / width));
		const floor = Math.max(least, valueOf(STEP));
		let sum = 0, step;

		for (let i = root; i < tree.end[root];) {
			if (tree.total[i] < floor) {
				i = tree.end[i];
				continue;
			}
			step = Math.floor(tree.total[i] * Math.floor(width / STEP) / total);
			counts[Math.min(step, STEPS - 1)]++;
			i++;
		}
		for (step = STEPS; step > 1; step--) {
			sum += counts[step - 1];
			if (sum > boxesMax)
				break;
		}
		return step > 1 ? Math.max(least, valueOf(step * STEP)) : floor;
	}

	/* How many rows, from root on, can be drawn with at most boxesMax boxes. */
	function boxRows(tree, root, threshold, boxesMax, fold) {
		const counts = [], rowOf = fold ? fold.row : tree.depth;
		let sum = 0, row = 0;

		for (let i = root; i < tree.end[root];) {
			if (tree.total[i] < threshold) {
				i = tree.end[i];
				continue;
			}
			const at = rowOf[i] - rowOf[root];

			if (i === root || !fold || !fold.hidden[i])
				counts[at] = (counts[at] || 0) + 1;
			i++;
		}
		for (; row < counts.length && sum + counts[row] <= boxesMax; row++)
			sum += counts[row];
		return Math.max(row, 1);
	}

	function layout(tree, root, widthPx, minWidthPx, boxesMax, crumbColour, markColour, fold = null) {
		const width = Math.floor(widthPx * CPX), total = tree.total[root];

		if (!total) /* nothing of the profile is left */
			return { boxes: [{ frame: root, row: 0, x: 0, w: widthPx }], crumbs: [], rows: 1 };
		const isMark = markColour instanceof Set ? (colour) => markColour.has(colour) :
			(colour) => colour === markColour;
		const least = Math.ceil(total * Math.round(minWidthPx * GRAIN) / (width * (GRAIN / CPX)));
		const threshold = boxThreshold(tree, root, width, least, boxesMax);
		const limit = boxRows(tree, root, threshold, boxesMax, fold);
		const rowOf = fold ? fold.row : tree.depth;
		const xOf = (value) => Math.floor((value - tree.start[root]) * width / total);
		const boxes = [], crumbs = [], runs = [];
		let rows = 1;

		function place(frame, row, x0, x1, colour) {
			return { frame: frame, row: row, x: x0 / CPX, w: (x1 - x0) / CPX, colour: colour };
		}
		function flush(run) {
			if (run && (isMark(run.colour) || run.x1 - run.x0 >= CRUMB_MIN))
				crumbs.push(place(run.frame, run.row, run.x0, run.x1, run.colour));
		}
		function joins(run, colour, x0) {
			if (!run || x0 - run.x1 >= GAP)
				return false;
			return run.colour === colour || (run.x1 - run.x0 < PURE &&
				!isMark(run.colour) && !isMark(colour));
		}
		for (let i = root; i < tree.end[root];) {
			if (tree.total[i] < least && i !== root) {
				i = tree.end[i];
				continue;
			}
			if (fold && fold.hidden[i] && i !== root) {
				i++;
				continue;
			}
			const row = rowOf[i] - rowOf[root];
			const x0 = xOf(tree.start[i]), x1 = xOf(tree.start[i] + tree.total[i]);
			const run = runs[row], colour = crumbColour(i);

			rows = Math.max(rows, row + 1);
			if (tree.total[i] >= threshold && row < limit) {
				boxes.push(place(i, row, x0, x1, colour));
			} else if (joins(run, colour, x0)) {
				run.x1 = x1;
			} else {
				flush(run);
				runs[row] = { frame: i, row: row, x0: x0, x1: x1, colour: colour };
			}
			i++;
		}
		runs.forEach(flush);
		return { boxes: boxes, crumbs: crumbs, rows: rows };
	}

	/* The child of a frame that covers value; -1 if none. */
	function childAt(tree, frame, value) {
		let c = frame + 1;

		while (c < tree.end[frame] && tree.start[c] + tree.total[c] <= value)
			c = tree.end[c];
		return c < tree.end[frame] && tree.start[c] <= value ? c : -1;
	}

	/* The frame that covers value in a row, even outside the zoomed frame; -1 if there is none. */
	function frameAt(tree, value, row, fold = null) {
		const rowOf = fold ? fold.row : tree.depth;
		let found = row ? -1 : 0;

		for (let i = 0; i >= 0 && rowOf[i] <= row; i = childAt(tree, i, value)) {
			if (rowOf[i] === row && !(fold && fold.hidden[i]))
				found = i;
		}
		return found;
	}

	function rowsOf(plan, from, to) {
		const seen = (box) => box.row >= from && box.row < to;

		return { boxes: plan.boxes.filter(seen), crumbs: plan.crumbs.filter(seen), rows: plan.rows };
	}

	/* ---- labels (font.c) ---- */

	/* Widths are in thousandths of the font's size. */
	function measured(measure, fontSize) {
		const known = new Map();

		function advance(c) {
			let width = known.get(c);

			if (width === undefined)
				known.set(c, width = measure(c) * 1000 / fontSize);
			return width;
		}
		return { fontSize: fontSize, advance: advance };
	}

	function advance(font, c) {
		const place = c.codePointAt(0) - 32;

		if (font.advance)
			return font.advance(c);
		return place >= 0 && place < 95 ? font.advances[place] : font.widest;
	}

	function textWidth(font, text) {
		let sum = 0;

		for (const c of text)
			sum += advance(font, c);
		return sum * font.fontSize / 1000;
	}

	/* How many of chars fit into room, and how many fit beside the dots; all: whether all of them fit. */
	function fitting(font, chars, room) {
		const dots = 2 * advance(font, '.');
		let sum = 0, cut = 0, count = 0;

		for (const c of chars) {
			sum += advance(font, c);
			if (sum > room)
				return { all: false, cut: cut };
			count++;
			if (sum + dots <= room)
				cut = count;
		}
		return { all: true, cut: cut };
	}

	/* The characters in the order in which they are kept when text is cut: the first, the last, the second, ... */
	function fromBothEnds(chars) {
		return chars.map((unused, i) => i % 2 ? chars[chars.length - 1 - (i - 1) / 2] : chars[i / 2]);
	}

	function fitText(font, name, roomPx, minChars, cut = 'right') {
		const exact = Math.max(0, roomPx) * 1000 / font.fontSize;
		const room = font.advance ? exact + ROUNDING : Math.floor(exact);
		const text = cut === 'middle' && name.length > LONGEST ?
			name.slice(0, LONGEST / 2) + name.slice(-LONGEST / 2) : name;
		let chars = Array.from(name.slice(0, LONGEST));

		if (cut === 'left')
			chars = Array.from(name.slice(-LONGEST)).reverse();
		else if (cut === 'middle')
			chars = fromBothEnds(Array.from(text));
		const fits = fitting(font, chars, room), n = fits.cut;

		if (fits.all && name.length <= LONGEST)
			return name;
		if (n < minChars)
			return '';
		if (cut === 'left')
			return '..' + chars.slice(0, n).reverse().join('');
		if (cut === 'middle') {
			const all = Array.from(text), front = Math.ceil(n / 2);

			return all.slice(0, front).join('') + '..' + all.slice(all.length - (n - front)).join('');
		}
		return chars.slice(0, n).join('') + '..';
	}

	/* ---- prefixes of names (look.c) ---- */

	const PATH = /^(?:[A-Za-z0-9_$./:~@-]|[^\0-\x7f])*/;

	function pathLength(run) {
		const start = run.lastIndexOf('/') + 1;

		return /\.|::/.test(run.slice(start)) ? start : 0;
	}

	function namespaceLength(run) {
		let before = 0, last = 0;

		for (let at = run.indexOf('::'); at >= 0; at = run.indexOf('::', at + 3)) {
			before = last;
			last = at + 2;
		}
		return before;
	}

	function packageLength(run) {
		let at = 0;

		while (/[a-z_]/.test(run.charAt(at))) {
			const dot = run.indexOf('.', at), colons = run.indexOf('::', at);

			if (dot < 0 || (colons >= 0 && colons < dot))
				return 0;
			at = dot + 1;
		}
		return /[A-Z]/.test(run.charAt(at)) ? at : 0;
	}

	/* CPython's "py::save_orders:/srv/desk.py", V8's "JS:*handle /srv/app.js:7:16" */
	const SCRIPTS = [/^py::([^:]+):/, /^(?:JS|LazyCompile|Function|Script|Eval):[~^+*']*([^~^+*'].*) [^ ]*$/s];

	function labelCore(name) {
		const script = SCRIPTS.map((pattern) => pattern.exec(name)).find((found) => found);
		const run = PATH.exec(name.slice(0, LONGEST))[0];
		let start = 0;

		if (script)
			return script[1];
		for (const length of [pathLength, namespaceLength, packageLength])
			start += length(run.slice(start));
		return start < name.length ? name.slice(start) : name;
	}

	const MEMBER_LEAST = 6; /* bytes; less tells too little without the class: "run" */

	/* "rebuildIndex" of a core, "Shop.rebuildIndex" or "Shop::rebuildIndex" */
	function memberOf(core) {
		const run = PATH.exec(core.slice(0, LONGEST))[0];
		let start = 0;

		for (let i = 0; i + 1 < run.length; i++) {
			if (run.startsWith('::', i))
				start = i + 2;
			else if (run[i] === '.' && /^[A-Z]/.test(core))
				start = i + 1;
		}
		const member = core.slice(start), bytes = new TextEncoder().encode(member).length;

		return start && bytes >= MEMBER_LEAST && /^[A-Za-z_]/.test(member) ? member : core;
	}

	function label(font, name, roomPx, minChars, cut) {
		if (cut !== 'middle')
			return fitText(font, name, roomPx, minChars, cut);
		const core = labelCore(name);

		return fitText(font, name, roomPx, Infinity, cut) || fitText(font, core, roomPx, Infinity, cut) ||
			fitText(font, memberOf(core), roomPx, minChars, cut);
	}

	return { labelCore, label, layout, rowsOf, frameAt, fitText, measured, textWidth };
})();
/* module: finds out from a frame's name where its code comes from.
 *
 * kindOf(name)   -> one of KINDS: from the annotation (frame.h), else from the form of the name
 * moduleOf(name) -> its module, by the rules of rules.h: "libc.so.6", "kernel",
 *                   "com.example", "github.com/x/y", "std", "native" */
pyrograph.module = (function () {
	'use strict';

	const KINDS = ['kernel', 'JIT', 'inlined', 'interpreted', 'waker', 'Java', 'C++', 'native',
		'folded', 'separator'];
	const ANNOTATED = { k: 'kernel', j: 'JIT', i: 'inlined', '?': 'inlined', 0: 'interpreted', 1: 'JIT',
		w: 'waker' };
	const SUFFIX = /^\.(?:part\.|isra\.|constprop\.|cold|lto_priv\.|llvm\.)/; /* of gcc and clang */
	const PLACE = /^([^[\]`]+)\+0x[0-9a-f]+$/s;      /* of a function without a name */
	const JAVA = /^L?(?:java|javax|jdk|net|org|com|io|sun)[/.]/;
	const GO = /^[a-z][\w.-]*\/(?:[^:( ]*\/)?[a-z][\w-]*\./; /* "net/http.(*conn).serve" */
	const SCRIPT = /^(?:py::|JS:)/;                         /* CPython's and V8's names of what they compiled */

	function annotation(name) {
		const found = /_\[([kjiwp01?])\]$/.exec(name);

		return found ? found[1] : '';
	}

	/* The part of a name that may contain a package: up to the first "::", "(", "<", " " or ":". */
	function pathOf(name) {
		const path = /^[^:(< ]*/.exec(name)[0];

		return /^L[a-z].*\//.test(path) ? path.slice(1) : path;
	}

	/* "com.example" for "com.example.App.handle"; "" if the name has no package. */
	function packageOf(name) {
		const path = pathOf(name), slash = path.lastIndexOf('/');
		let end = Math.max(slash, 0), start = slash + 1, first = 0;

		while (/^[a-z]/.test(path.charAt(start))) {
			const dot = path.indexOf('.', start);

			if (dot < 0 || SUFFIX.test(path.slice(dot)))
				break;
			end = dot;
			first = first || dot;
			start = dot + 1;
		}
		return path.slice(0, first && !/^[A-Z]/.test(path.charAt(start)) ? first : end);
	}

	function namespaceOf(name) {
		const found = /^[<&]?([A-Za-z0-9_$]+)::/.exec(name);

		return found ? found[1] : '';
	}

	function moduleOf(name) {
		const base = pyrograph.profile.baseName(name), tick = base.indexOf('`');

		if (tick > 0)
			return base.slice(0, tick);
		if (/^\[.+\]$/s.test(base))
			return base.slice(1, -1);
		if (annotation(name) === 'k')
			return 'kernel';
		return PLACE.exec(base)?.[1] || packageOf(base) || namespaceOf(base) || 'native';
	}

	/* Does the name belong to a class without a package, such as "App.main" or "byte[]"? */
	function isOfPlainClass(name) {
		const found = /^[A-Z][\w$]*(\.[\w$<].*)$/.exec(name);

		return found ? !SUFFIX.test(found[1]) && !/^\.func\d/.test(found[1]) : /^[\w$.]+(?:\[\])+$/.test(name);
	}

	function kindOf(name) {
		const letter = annotation(name);

		if (letter)
			return ANNOTATED[letter];
		if (name === '...')
			return 'folded';
		if (name === '-' || name === '--')
			return 'separator';
		if (SCRIPT.test(name))
			return 'JIT';
		if ((JAVA.test(name) && !GO.test(name)) || /^(?:\w+[/.])+[A-Z]\w*(?:\$\w+)*(?:\.|::)/.test(name) ||
			isOfPlainClass(name))
			return 'Java';
		return name.includes('::') ? 'C++' : 'native';
	}

	return { KINDS, kindOf, moduleOf };
})();
/* colour: a frame's colour, by several schemes.
 *
 * modes(settings) -> [{ mode, label }, ...] for a menu: the schemes that this picture offers, of "name"
 *     (C's colours: by name or by rules), "wait", "wall", "kind", "module", "depth", "self", "diff", "metric"
 * scheme(how)     -> { box(frame), crumb(frame), legend, text, scale }
 *     how: { mode, tree, names, colours (profile.js), settings, dark, safe, delta, by };
 *     delta is the result of layers.delta for the same by.  box and crumb give "#rrggbb"; crumb uses few colours.
 *     legend: [["#rrggbb", "label"], ...]; [] if the scheme has none.  scale: null, or the meaning of the
 *     legend, which is a gradient ("self, share of all").  text: colour of labels on
 *     the frames, in dark themes too.
 *     safe: whether to use colours that colour-blind people can tell apart.
 * safeColour(rgb) -> the safe colour nearest to rgb, a colour from C, with the same lightness
 * isSafe(mode)    -> whether a mode's colours are always safe, because they go from light to dark
 * kindOf, moduleOf -> see module.js
 * searchColours(settings) -> Array of "#rrggbb": a colour for each search; after the last comes the first again
 * contrast(a, b)  -> 1 .. 21 (WCAG 2.1)
 * readable(rgb)   -> "#000000" or "#ffffff", whichever has more contrast with rgb
 * Black text on any colour made here has a contrast of at least 4.5. */
pyrograph.colour = (function () {
	'use strict';

	const { KINDS, kindOf, moduleOf } = pyrograph.module, DELTA = pyrograph.layers.KINDS;
	const TEXT = '#000000', STEPS = 8, MODULES_MAX = 11;

	/* Colours by kind, in the order of KINDS; safe: chosen after Okabe and Ito. */
	const KIND_COLOURS = {
		plain: ['#f0a04b', '#8fcf6b', '#6fcfc4', '#c7b0e8', '#8fb4ea', '#b5d95f', '#efd550',
			'#f0907f', '#c8c8c8', '#b4b4b4'],
		safe: ['#e69f00', '#2fb38a', '#8fd6c0', '#cc79a7', '#9ab6e0', '#56b4e9', '#f0e442',
			'#e5803a', '#c8c8c8', '#b4b4b4'],
	};
	const MODULE_COLOURS = {
		plain: ['#f0907f', '#8fb4ea', '#8fcf6b', '#efd550', '#c7b0e8', '#6fcfc4', '#f0a04b',
			'#f2a7cf', '#b8c95a', '#a9c4b4', '#d4b08c'],
		safe: ['#e69f00', '#56b4e9', '#2fb38a', '#f0e442', '#cc79a7', '#e5803a', '#9ab6e0',
			'#8fd6c0', '#d9b3ff', '#c2b280', '#f7b6a5'],
	};
	const OTHER = '#c8c8c8';
	const SEARCHES = ['#e600e6', '#00c2d1', '#7fd93b', '#8f9dff', '#f48fd0', '#5ce0b0'];

	/* Colours from little to much, in steps that look equally large. */
	const RAMPS = {
		heat: { light: ['#f3efe2', '#f7c98b', '#f0643c'], dark: ['#9c9a94', '#e3b072', '#f0643c'] },
		levels: { light: ['#f6e8a6', '#9fd3a8', '#5fa3d8'], dark: ['#d8cc90', '#8cc09a', '#5fa3d8'] },
	};
	/* Used unless the settings have their own colours for this (diff.c). */
	const HUES = { grew: ['#ffd6d6', '#ff5a5a'], shrank: ['#d6d6ff', '#6c6cff'], new: '#ffb52e',
		gone: '#3fbfae', same: '#ececec' };
	const SAFE_HUES = { grew: ['#ffe3c2', '#e88a1a'], shrank: ['#d3e8f8', '#4aa3e0'], new: '#f0e442',
		gone: '#00a57a', same: '#ececec' };
	/* [degrees, the colour that stands for hues from these degrees on]; chosen after Okabe and Ito. */
	const SAFE = [[0, '#e0703a'], [16, '#e69f00'], [46, '#f0e442'], [70, '#2fb38a'], [165, '#8fd6c0'],
		[195, '#56b4e9'], [255, '#cc79a7'], [345, '#e0703a']];
	const CRUMB_STEPS = 3, BETWEEN = 256, STRENGTHS = 720720;
	const STOPS = ['#5b8fd6', '#7bb2c4', '#a5c89a', '#d3d864', '#fdea45'];
	const DARK = { same: '#9c9c9c', root: '#9aa0a8', weak: 0.2 };

	/* ---- colours ---- */

	const { parts, mix, contrast, readable } = pyrograph.contrast;

	/* The colour at share, in [0, 1], of the way through a ramp. */
	function along(ramp, share) {
		const at = Math.max(0, Math.min(1, share)) * (ramp.length - 1);
		const step = Math.min(Math.floor(at), ramp.length - 2);

		return mix(ramp[step], ramp[step + 1], at - step);
	}

	/* Returns [degrees, 0 .. 1 from grey to pure, 0 .. 1 from dark to light]. */
	function hueOf(rgb) {
		const [r, g, b] = parts(rgb), most = Math.max(r, g, b), least = Math.min(r, g, b);
		const span = most - least || 1;
		const sixth = most === r ? (g - b) / span + 6 : most === g ? (b - r) / span + 2 : (r - g) / span + 4;

		return [sixth % 6 * 60, (most - least) / (most || 1), (most + least) / 510];
	}

	const safeOnes = new Map();

	function safeColour(rgb) {
		if (!safeOnes.has(rgb)) {
			const [hue, purity, light] = hueOf(rgb);
			const base = SAFE.filter(([from]) => from <= hue).pop()[1];

			safeOnes.set(rgb, purity < 0.12 ? rgb : mix(base, '#ffffff',
				Math.max(0, Math.min(light - 0.4, 0.5))));
		}
		return safeOnes.get(rgb);
	}

	/* Makes a scheme from a ramp; shareOf(frame) is in [0, 1], or NaN. */
	function gradient(ramp, shareOf, legend, scale) {
		const steps = Array.from({ length: 16 * STEPS + 1 }, (unused, i) => along(ramp, i / 16 / STEPS));
		const at = (share, grain) => isNaN(share) ? OTHER :
			steps[Math.round(Math.max(0, Math.min(1, share)) * (steps.length - 1) / grain) * grain];

		return {
			box: (frame) => at(shareOf(frame), 1),
			crumb: (frame) => at(shareOf(frame), 16),
			legend: legend.map((label, i) => [along(ramp, i / (legend.length - 1)), label]),
			scale: scale,
		};
	}

	/* ---- schemes ---- */

	const theme = (how) => how.dark ? 'dark' : 'light';
	const palette = (how, colours) => how.safe ? colours.safe : colours.plain;
	const percent = (share) => pyrograph.number.percentText(share, 1);

	function byName(how) {
		const { colours, tree, settings } = how, seen = how.safe ? safeColour : (colour) => colour;

		if (settings.diffusion)
			return byWidth(how);
		return {
			box: (frame) => seen(colours[2 * tree.name[frame]]),
			crumb: (frame) => seen(colours[2 * tree.name[frame] + 1]),
			legend: settings.waits || settings.wall || (settings.mode && settings.mode !== 'plain') ? []
				: settings.legend || [],
			scale: null,
		};
	}

	/* Like --colordiffusion: the wider a frame, the redder. */
	function byWidth(how) {
		const { tree } = how, whole = tree.total[0] || 1;
		const colour = (share) => {
			const rest = 100 + Math.floor(150 * (1 - Math.sqrt(share)));

			return '#ff' + rest.toString(16) + rest.toString(16);
		};

		return { box: (frame) => colour(tree.total[frame] / whole), crumb: () => colour(0),
			legend: [], scale: null };
	}

	/* Gives the root a colour of its own, because "all" is not a function. */
	function withRoot(made, how) {
		const { tree, settings } = how, box = made.box;
		const colour = how.dark ? DARK.root : settings.rootColour || OTHER;

		if (settings.whole && tree.name[0] === pyrograph.profile.decoded(tree).name[0])
			made.box = (frame) => frame ? box(frame) : colour;
		made.text = TEXT;
		return made;
	}

	/* A scheme in which each name has one colour of a list; the legend is in the order of the labels. */
	function listed(how, colourOf, legend) {
		const { tree } = how, edge = how.dark ? '#303030' : '#ffffff';
		const pale = colourOf.map((colour) => mix(colour, edge, how.dark ? 0.15 : 0.35));

		return {
			box: (frame) => colourOf[tree.name[frame]],
			crumb: (frame) => pale[tree.name[frame]],
			legend: legend,
			scale: null,
		};
	}

	function selfByName(tree, count) {
		const self = new Float64Array(count), own = pyrograph.profile.ownSelf(tree);

		for (let i = 0; i < tree.count; i++)
			self[tree.name[i]] += own[i];
		return self;
	}

	function byKind(how) {
		const colours = palette(how, KIND_COLOURS), kinds = how.names.map(kindOf);
		const used = new Set();

		how.tree.name.forEach((n) => used.add(kinds[n]));

		return listed(how, kinds.map((kind) => colours[KINDS.indexOf(kind)]),
			KINDS.filter((kind) => used.has(kind)).map((kind) => [colours[KINDS.indexOf(kind)], kind]));
	}

	function hash(text) {
		let h = 0x811c9dc5;

		for (let i = 0; i < text.length; i++)
			h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
		return h >>> 0;
	}

	/* Each of the largest modules has a colour of its own: that of the hash of its name, unless another module has
	 * this colour. */
	function byModule(how) {
		const self = selfByName(how.tree, how.names.length), modules = how.names.map(moduleOf);
		const values = new Map(), chosen = new Map(), colours = palette(how, MODULE_COLOURS);

		modules.forEach((module, n) => values.set(module, (values.get(module) || 0) + self[n]));
		const largest = Array.from(values).filter((entry) => entry[1] > 0)
			.sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
		const taken = new Set();

		for (const [module] of largest.slice(0, MODULES_MAX)) {
			let at = hash(module) % colours.length;

			while (taken.has(at))
				at = (at + 1) % colours.length;
			taken.add(at);
			chosen.set(module, colours[at]);
		}
		const legend = largest.slice(0, MODULES_MAX).map(([module]) => [chosen.get(module), module]);

		return listed(how, modules.map((module) => chosen.get(module) || OTHER),
			largest.length > MODULES_MAX ? legend.concat([[OTHER, 'other']]) : legend);
	}

	function byDepth(how) {
		const { tree } = how, deepest = tree.depth.reduce((most, depth) => Math.max(most, depth), 1);

		return gradient(RAMPS.levels[theme(how)], (frame) => tree.depth[frame] / deepest,
			['1', String(Math.ceil(deepest / 2) + 1), String(deepest + 1)], 'level');
	}

	function bySelf(how) {
		const { tree } = how, whole = tree.total[0] || 1, self = pyrograph.profile.ownSelf(tree);
		const most = self.reduce((largest, value) => Math.max(largest, value), 0) || 1;

		return gradient(RAMPS.heat[theme(how)], (frame) => Math.sqrt(self[frame] / most),
			['0 %', percent(most / 4 / whole), percent(most / whole)], 'self, share of all');
	}

	/* The same as colour_between() in C: a colour from a (part 0) to b (part == whole), rounded down. */
	function between(a, b, part, whole) {
		const [x, y] = [parts(a), parts(b)];

		return '#' + x.map((v, i) => Math.floor((v * (whole - part) + y[i] * part) / whole)
			.toString(16).padStart(2, '0')).join('');
	}

	function byDelta(how) {
		const { change, kind, largest } = how.delta, { settings } = how;
		const hues = how.safe ? SAFE_HUES : settings.deltaHues || HUES, same = how.dark ? DARK.same : hues.same;
		/* the weaker a change, the nearer its colour is to that of no change, in dark themes as well */
		const ends = (pale, strong) => [how.dark ? mix(same, strong, DARK.weak) : pale, strong];
		const grew = ends(...hues.grew), shrank = ends(...hues.shrank);
		const itself = how.by === 'self' ? ' (itself)' : '';
		const hue = (frame, part, whole) => between(...(kind[frame] === DELTA.GREW ? grew : shrank), part,
			whole);
		const colour = (frame, strength) => kind[frame] === DELTA.SAME ? same :
			kind[frame] === DELTA.NEW ? hues.new : kind[frame] === DELTA.GONE ? hues.gone :
				strength(frame, Math.floor(Math.min(Math.abs(change[frame]) / largest, 1) *
					STRENGTHS + 0.5));

		return {
			box: (frame) => colour(frame, (f, part) => hue(f, part, STRENGTHS)),
			crumb: (frame) => colour(frame, (f, part) => hue(f,
				2 * Math.floor(part * (CRUMB_STEPS - 1) / STRENGTHS) + 1, 2 * CRUMB_STEPS)),
			legend: [[grew[0], ''], [grew[1], 'grew' + itself], [shrank[0], ''],
				[shrank[1], 'shrank' + itself], [hues.new, 'new'], [hues.gone, 'gone'],
				[same, (settings.chance ? 'within chance, or unchanged' : 'unchanged') +
					(settings.threshold ? ' (by less than ' +
					Number((100 * settings.threshold).toPrecision(6)) + ' %)' : '')]],
			scale: null,
		};
	}

	/* The same colours as in metrics.c. */
	function byMetric(how) {
		const { metric } = how.settings, stops = metric.stops || STOPS, none = metric.none || OTHER;
		const { ratio, low, high } = pyrograph.layers.metric(how.tree, how.settings);
		const isShare = metric.above === undefined ? !metric.colour.includes('/') :
			metric.below === undefined;
		const text = (value) => isShare ? pyrograph.number.percentText(Math.floor(value * 1e9 + 0.5), 1e9) :
			String(Number(value.toPrecision(4)));
		const place = (frame, steps) => Math.floor(steps * Math.max(0, Math.min(1,
			high > low ? (ratio[frame] - low) / (high - low) : 0.5)));

		return {
			box: (frame) => {
				const at = place(frame, BETWEEN * (stops.length - 1)), step = Math.floor(at / BETWEEN);

				return isNaN(ratio[frame]) ? none : step >= stops.length - 1 ? stops[step] :
					between(stops[step], stops[step + 1], at % BETWEEN, BETWEEN);
			},
			crumb: (frame) => isNaN(ratio[frame]) ? none :
				stops[Math.min(place(frame, stops.length), stops.length - 1)],
			legend: stops.map((stop, i) => [stop, 2 * i % (stops.length - 1) ? '' :
				text(low + (high - low) * i / (stops.length - 1))])
				.concat(ratio.some(isNaN) ? [[none, 'unknown']] : []),
			scale: metric.colour,
		};
	}

	/* By frame: 1 + the number of its kind of wait; 0: none (waits.h). */
	function waitKinds(tree, names, waits) {
		const kinds = new Uint8Array(tree.count), ofName = names.map((name) =>
			1 + waits.findIndex(([frame]) => frame === name));

		for (let i = 1; i < tree.count; i++)
			kinds[i] = ofName[tree.name[i]] || kinds[tree.parent[i]];
		return kinds;
	}

	/* The same colours as in waits.c.  Merged from the leaves, a frame can belong to stacks of several kinds. */
	function byWait(how) {
		const { tree, colours, settings: { waits } } = how, plain = byName(how);
		const kinds = tree.turned ? new Uint8Array(tree.count) : waitKinds(tree, how.names, waits);
		const seen = how.safe ? safeColour : (colour) => colour;
		const shaded = (kind, shade) => seen(between(waits[kind - 1][2], '#ffffff', shade, 16));
		const shadeOf = (frame) => parts(colours[2 * tree.name[frame]]).reduce((sum, part) => sum + part) % 4;
		const used = new Set(kinds);

		return {
			box: (frame) => kinds[frame] ? shaded(kinds[frame], shadeOf(frame)) : plain.box(frame),
			crumb: (frame) => kinds[frame] ? shaded(kinds[frame], 6) : plain.crumb(frame),
			legend: waits.filter((wait, i) => used.has(i + 1)).map(([, label, colour]) =>
				[seen(colour), label]),
			scale: null,
		};
	}

	const WALL_SAFE = ['#e5803a', '#f0e442', '#56b4e9'], WALL_PARTS = 256, WALL_CRUMB_PARTS = 4;

	/* The kind of time (known.js) by frame; null for the callers of a function, which do not show it. */
	function wallTimes(tree, names) {
		const sums = [0, 1, 2].map(() => new Float64Array(tree.count)), kinds = new Uint8Array(tree.count);
		const ofName = names.map(pyrograph.known.wallKind);

		if (tree.turned && tree.name[0] !== pyrograph.profile.decoded(tree).name[0])
			return null;
		for (let i = 1; i < tree.count; i++)
			kinds[i] = ofName[tree.name[i]] || kinds[tree.parent[i]];
		for (let i = tree.count - 1; i >= 0; i--) {
			let own = tree.total[i];

			for (let c = i + 1; c < tree.end[i]; c = tree.end[c])
				own -= tree.total[c];
			sums[kinds[i]][i] += own;
			for (const sum of i ? sums : [])
				sum[tree.parent[i]] += sum[i];
		}
		return sums;
	}

	/* The same colours as in waits.c. */
	function byWall(how) {
		const { tree, colours, settings: { wall } } = how, times = wallTimes(tree, how.names);
		const hues = wall.map(([, colour], k) => parts(how.safe ? WALL_SAFE[k] : colour));

		if (!times)
			return byName(how);
		function mixture(frame, whole, shade) {
			const part = times.map((time) => Math.floor(time[frame] * whole / (tree.total[frame] || 1)));

			part[0] = whole - part[1] - part[2];
			return between('#' + [0, 1, 2].map((c) => Math.floor(part.reduce((sum, n, k) =>
				sum + n * hues[k][c], 0) / whole).toString(16).padStart(2, '0')).join(''), '#ffffff',
			shade, 16);
		}
		const shadeOf = (frame) => parts(colours[2 * tree.name[frame]]).reduce((sum, n) => sum + n) % 4;

		return {
			box: (frame) => mixture(frame, WALL_PARTS, shadeOf(frame)),
			crumb: (frame) => mixture(frame, WALL_CRUMB_PARTS, 6),
			legend: wall.map(([label, colour], k) => [how.safe ? WALL_SAFE[k] : colour, label])
				.filter((entry, k) => times[k][0]),
			scale: null,
		};
	}

	const SCHEMES = { wait: byWait, wall: byWall, name: byName, rules: byName, kind: byKind, module: byModule,
		depth: byDepth, self: bySelf, diff: byDelta, metric: byMetric };

	function scheme(how) {
		const can = how.mode === 'diff' ? how.delta : how.mode === 'metric' ? how.settings.metric
			: how.mode === 'wait' ? how.settings.waits : how.mode === 'wall' ? how.settings.wall : true;

		return withRoot((can && SCHEMES[how.mode] || byName)(how), how);
	}

	function modes(settings) {
		const plain = !settings.mode || settings.mode === 'plain';
		const drawn = plain && settings.legend && !settings.waits && !settings.wall;
		const all = [{ mode: 'name', label: drawn ? 'As drawn' : 'Name' },
			{ mode: 'kind', label: 'Kind' }, { mode: 'module', label: 'Module' },
			{ mode: 'depth', label: 'Depth' }, { mode: 'self', label: 'Self share' }];

		if (settings.mode === 'diff' || settings.mode === 'multiples')
			all.push({ mode: 'diff', label: 'Difference' });
		if (settings.waits)
			all.unshift({ mode: 'wait', label: 'Kind of wait' });
		if (settings.wall)
			all.unshift({ mode: 'wall', label: 'Hot and cold' });
		if (settings.metric)
			all.push({ mode: 'metric', label: settings.metric.colour });
		return all;
	}

	function searchColours(settings) {
		const first = settings.searchColour || SEARCHES[0];

		return [first].concat(SEARCHES.filter((colour) => colour !== first));
	}

	const isSafe = (mode) => ['metric', 'depth', 'self'].includes(mode);

	return { modes, scheme, searchColours, safeColour, isSafe, contrast, readable, kindOf, moduleOf };
})();
/* address: a view as the text after "#" in a link, and back.  Pure: no location here.
 *
 *     #z=main;read&s=mem.*&si=copy&hide=%5Eboost&o=width&c=module
 *
 * A view (null: as C drew it):
 *     zoom       Array of names below the root ([]: all)          z=a;b
 *     callersZoom  the same among the callers of a sandwich: names that follow the function  zc=a;b
 *     thread     null, or a thread, to which is zoomed if there is such a frame above the root; such links
 *                are made by web/run_page.c                       thread=name
 *     searches   [{ pattern, ignoreCase }]                        s=regexp, si=regexp
 *     filters    [{ kind, pattern, exact, ignoreCase, path, reversed }], see apply.js
 *                hide=regexp hide==name hidei=regexp, and the same for only, exclude, include;
 *                drop=a;b, dropleaf=b;a
 *     order      null, "name", "width", "arrival"                 o=
 *     theme      "auto", "light", "dark"                          t=
 *     inverted   null or a boolean                                icicle=1, icicle=0
 *     reversed   boolean: merged from the leaves                  leaf=1
 *     sandwich   null or a name                                   f=name
 *     colour     null, "name", "kind", ... (colour.js)            c=
 *     variants, generated  booleans: variants are merged          v=1, g=1
 *     unnamed    boolean: functions without a name are merged     files=1
 *     recursion  "", "direct" or "deep"                           r=direct
 *     diff       null or { show, by } (layers.js)                 d=gone, by=self
 *     position   null or the number of an animation's layer       at=12
 *     span       null or [first, last] layers                     span=3-9
 *     table      boolean                                          table=1
 *     safe       boolean: colours are for colour-blind eyes       cb=1
 *     opened     boolean: what stacks begin with is not folded     open=1
 *     mine       boolean: only the reader's own code is shown     mine=1
 *     quiet      boolean: stacks that measure are left out        quiet=1
 *     idle       boolean: what is left out at first is shown      idle=1
 *     wall       null, "on" or "off": the time of threads (known.js)  wall=on
 *
 * emptyView()               -> a view in which nothing was changed
 * encodeView(view)          -> text without "#"; members that are as in emptyView() are left out
 * decodeView(text)          -> view; text: the search and the hash of an address, joined by "&", with or
 *                              without "?" and "#".  Unknown keys are ignored.  i=1: all
 *                              searches ignore case (old links)
 * oldFrame(text, old)       -> null, or { share, row } of x= and y= (in pixels) in a link to
 *                              a picture of flamegraph.pl.  share: where the frame begins, as a part of
 *                              the root's width, [0, 1); row: how many levels above the root the frame
 *                              is.  old: { width, levels, frameHeight, fontSize,
 *                              inverted, subtitle } of the old picture; levels includes the root;
 *                              missing members have flamegraph.pl's defaults
 * frameOfOld(tree, text, old) -> the nearest frame in the tree, or -1; old: as in oldFrame, but missing
 *                              levels are guessed from the tree */
pyrograph.address = (function () {
	'use strict';

	const MOST = 32; /* searches, and so many filters */
	const FILTERS = /^(hide|only|exclude|include)(i?)$/;
	const MIN_WIDTH = 0.1, PAD = 10, FRAME_PAD = 1; /* as in flamegraph.pl */

	function emptyView() {
		return {
			zoom: [], thread: null, callersZoom: [], searches: [], filters: [], order: null, theme: 'auto',
			inverted: null,
			reversed: false, sandwich: null, colour: null, variants: false, generated: false,
			recursion: '', diff: null, position: null, span: null, table: false, safe: false,
			idle: false, opened: false, mine: false, quiet: false, unnamed: false,
			wall: null,
		};
	}

	/* ---- text ---- */

	const { decoded } = pyrograph.linkText, encoded = (text) => pyrograph.linkText.encoded(text);
	const encodedPath = (path) => path.map(encoded).join(';');
	const decodedPath = (text) => text === '' ? [] : text.split(';').map(decoded);

	/* ---- keys with one value: write makes the text (null: leaves out the key), read parses it ---- */

	const flag = (key) => ({
		write: (view) => view[key] ? '1' : null,
		read: (view, text) => {
			view[key] = text === '1';
		},
	});
	const choice = (key, ...texts) => ({
		write: (view) => view[key] && view[key] !== emptyView()[key] ? encoded(view[key]) : null,
		read: (view, text) => {
			if (texts.includes(text))
				view[key] = text;
		},
	});
	const ofDiff = (key, standard, ...texts) => ({
		write: (view) => view.diff && view.diff[key] && view.diff[key] !== standard ?
			encoded(view.diff[key]) : null,
		read: (view, text) => {
			if (texts.includes(text))
				view.diff = Object.assign({ show: 'union' }, view.diff, { [key]: text });
		},
	});
	const KEYS = {
		z: {
			write: (view) => view.zoom.length ? encodedPath(view.zoom) : null,
			read: (view, text) => {
				view.zoom = decodedPath(text);
			},
		},
		thread: {
			write: (view) => view.thread === null ? null : encoded(view.thread),
			read: (view, text) => {
				view.thread = decoded(text);
			},
		},
		f: {
			write: (view) => view.sandwich === null ? null : encoded(view.sandwich),
			read: (view, text) => {
				view.sandwich = decoded(text);
			},
		},
		zc: {
			write: (view) => view.callersZoom.length ? encodedPath(view.callersZoom) : null,
			read: (view, text) => {
				view.callersZoom = decodedPath(text);
			},
		},
		o: choice('order', 'name', 'width', 'arrival'),
		t: choice('theme', 'light', 'dark'),
		icicle: {
			write: (view) => view.inverted === null ? null : view.inverted ? '1' : '0',
			read: (view, text) => {
				view.inverted = /^[01]$/.test(text) ? text === '1' : view.inverted;
			},
		},
		leaf: flag('reversed'),
		c: choice('colour', 'wait', 'wall', 'name', 'kind', 'module', 'depth', 'self', 'diff', 'metric',
			'rules'),
		v: flag('variants'),
		g: flag('generated'),
		files: flag('unnamed'),
		r: choice('recursion', 'direct', 'deep'),
		d: ofDiff('show', 'union', 'base', 'new', 'gone', 'added'),
		by: ofDiff('by', null, 'total', 'self'),
		at: {
			write: (view) => view.position === null ? null : String(view.position),
			read: (view, text) => {
				view.position = /^\d{1,6}$/.test(text) ? Number(text) : view.position;
			},
		},
		span: {
			write: (view) => view.span ? view.span.join('-') : null,
			read: (view, text) => {
				const ends = /^(\d{1,6})-(\d{1,6})$/.exec(text);

				if (ends && Number(ends[1]) <= Number(ends[2]))
					view.span = [Number(ends[1]), Number(ends[2])];
			},
		},
		table: flag('table'),
		cb: flag('safe'),
		idle: flag('idle'),
		open: flag('opened'),
		mine: flag('mine'),
		quiet: flag('quiet'),
		wall: choice('wall', 'on', 'off'),
	};

	/* ---- views ---- */

	function filterText(filter) {
		if (filter.kind === 'drop')
			return (filter.reversed ? 'dropleaf=' : 'drop=') + encodedPath(filter.path);
		return filter.kind + (filter.ignoreCase ? 'i=' : '=') + (filter.exact ? '=' : '') +
			encoded(filter.pattern);
	}

	/* Returns null if key and text are not those of a filter. */
	function filterOf(key, text) {
		const [, kind, ignoreCase] = FILTERS.exec(key) || [];

		if (key === 'drop' || key === 'dropleaf')
			return text ? { kind: 'drop', path: decodedPath(text), reversed: key === 'dropleaf' } : null;
		if (!kind || !text)
			return null;
		const exact = text[0] === '=';

		return { kind: kind, pattern: decoded(exact ? text.slice(1) : text), exact: exact,
			ignoreCase: ignoreCase === 'i' };
	}

	function encodeView(view) {
		const all = Object.assign(emptyView(), view), texts = [];
		const one = (key) => {
			const text = KEYS[key].write(all);

			if (text !== null)
				texts.push(key + '=' + text);
		};

		one('z');
		for (const search of all.searches) {
			if (search.pattern)
				texts.push((search.ignoreCase ? 'si=' : 's=') + encoded(search.pattern));
		}
		for (const filter of all.filters)
			texts.push(filterText(filter));
		Object.keys(KEYS).filter((key) => key !== 'z').forEach(one);
		return texts.join('&');
	}

	function decodeView(text) {
		const view = emptyView();
		let ignoreCase = false;

		for (const part of text.split('&')) {
			const [, key, value] = /^[?#]*(\w+)=(.*)$/s.exec(part) || [], filter = filterOf(key, value);

			if (filter && view.filters.length < MOST)
				view.filters.push(filter);
			else if ((key === 's' || key === 'si') && value && view.searches.length < MOST)
				view.searches.push({ pattern: decoded(value), ignoreCase: key === 'si' });
			else if (key === 'i')
				ignoreCase = value === '1';
			else if (key && Object.prototype.hasOwnProperty.call(KEYS, key))
				KEYS[key].read(view, value);
		}
		for (const search of ignoreCase ? view.searches : [])
			search.ignoreCase = true;
		return view;
	}

	/* ---- flamegraph.pl's links ---- */

	function oldFrame(text, old) {
		const number = (key) => Number((new RegExp('(?:^|[?&#])' + key + '=([\\d.]+)').exec(text) || [])[1]);
		const x = number('x'), y = number('y'), width = old.width || 1200;
		const pitch = old.frameHeight || 16, fontSize = old.fontSize || 12;
		const top = 3 * fontSize + (old.subtitle ? 2 * fontSize : 0) + FRAME_PAD;
		const line = Math.round((y - top) / pitch); /* the row, counted from the top */

		if (!(x >= 0) || !(y >= 0))
			return null;
		return { share: Math.max(0, Math.min((x - PAD) / (width - 2 * PAD), 1)),
			row: Math.max(0, old.inverted ? line : old.levels - 1 - line) };
	}

	/* The number of levels that the old picture had if it was made from this tree. */
	function oldLevels(tree, width) {
		const least = tree.total[0] * MIN_WIDTH / (width - 2 * PAD);
		let levels = 1;

		for (let i = 0; i < tree.count;) {
			if (tree.total[i] < least) {
				i = tree.end[i];
			} else {
				levels = Math.max(levels, tree.depth[i] + 1);
				i++;
			}
		}
		return levels;
	}

	function frameOfOld(tree, text, old = {}) {
		const width = old.width || 1200;
		const wanted = oldFrame(text, Object.assign({ levels: oldLevels(tree, width) }, old));
		const slack = tree.total[0] * MIN_WIDTH / (width - 2 * PAD); /* x is written with one decimal */
		let best = -1, nearest = Infinity;

		for (let i = 0; wanted && i < tree.count; i++) {
			if (tree.depth[i] > wanted.row)
				continue;
			const off = Math.abs(tree.start[i] - wanted.share * tree.total[0]);
			const distance = (wanted.row - tree.depth[i]) * 4 * tree.total[0] + (off > slack ? off : 0);

			if (distance < nearest || (distance === nearest && tree.total[i] > tree.total[best])) {
				nearest = distance;
				best = i;
			}
		}
		return best;
	}

	return { emptyView, encodeView, decodeView, oldFrame, frameOfOld };
})();
/* view: what is shown, and everything that follows from that.
 *
 * app.view is the view of address.js.  These are made from the view: app.tree, app.names, app.callers (of a
 * sandwich), app.whole (the tree to which shares refer), app.zoom (a frame of app.tree),
 * app.searches, app.scheme.
 * state.js says how the view is changed.  The argument of listeners says whether the tree has changed. */
pyrograph.ui.view = function (app) {
	'use strict';

	const T = pyrograph.transform, S = pyrograph.search, C = pyrograph.colour;
	const LY = pyrograph.layers, settings = app.settings;
	let searchesOf = '', searchNames = null; /* what app.searches was made from */

	app.view = pyrograph.address.emptyView();
	app.pinned = 0;         /* how many of view.searches are chips; one more may be in the box */
	app.picked = -1;        /* name number that the table highlights */
	app.tree = app.base;
	app.callers = null;
	app.whole = app.base;
	app.zoom = 0;
	app.panels = [];

	/* On paper, a graph within another picture begins with its root, so that the picture does not end with
	 * the root. */
	app.isInverted = () => app.host && app.onPaper ? true : app.view.inverted === null ? Boolean(settings.inverted)
		: app.view.inverted;
	app.order = () => app.view.order || settings.order || 'name';

	function makeTree() {
		const view = settled(app.view);

		if (settings.idle)
			app.base = view.idle ? app.withIdle : app.withoutIdle;
		const how = { least: settings.minWidth / Math.max(app.graphWidth(), 1), settings: settings };
		let made = T.apply(app.base, app.baseNames, view, how), error = made.error || '';

		if (!made.tree) { /* the function does not occur in this profile */
			error = error || 'Not here: ' + app.view.sandwich;
			made = T.apply(app.base, app.baseNames, Object.assign({}, view, { sandwich: null }), how);
		}
		const moved = made.tree !== app.tree;

		app.tree = made.tree;
		app.names = made.names;
		app.callers = made.callers || null;
		app.whole = made.whole;
		if (settings.mode === 'multiples' && app.view.position !== null) {
			for (const tree of [app.tree, app.callers].filter(Boolean))
				app.sides.set(tree, app.view.position);
		}
		if (app.view.thread) {
			const frame = T.frameOfThread(app.tree, app.names, app.view.thread);

			app.view.zoom = frame ? T.pathOf(app.tree, app.names, frame) : app.view.zoom;
			app.view.thread = null;
		}
		if (moved || app.zoomPath !== app.view.zoom) {
			const { frame, whole } = T.frameOfPath(app.tree, app.names, app.view.zoom);

			app.zoomPath = app.view.zoom;
			app.zoom = frame;
			app.missing = whole ? '' : app.view.zoom.slice(app.tree.depth[frame]).join(' \u203a ');
		}
		app.filterError = error || (app.missing && settings.mode !== 'animate' ? 'Not in this profile: ' +
			app.missing : '');
		return moved;
	}

	/* Adapts the view to the picture's layers.  position must be one of the layers; with several profiles,
	 * callers and callees are of one profile. */
	function settled(view) {
		if (view.position !== null && view.position >= (settings.layers || []).length)
			view.position = null;
		if (settings.mode === 'multiples' && view.sandwich && view.position === null)
			view.position = 0;
		return view;
	}

	/* Makes app.searches: [{ pattern, ignoreCase, match, error, colour }], and app.marks by name: 0, or 1 + the
	 * number of the search that the name matches.  The picked name has 1 + the number of searches. */
	function makeSearches() {
		const key = JSON.stringify(app.view.searches) + app.picked + app.isDark();
		const palette = C.searchColours(settings, app.isDark());

		if (key === searchesOf && app.names === searchNames)
			return;
		searchesOf = key;
		searchNames = app.names;
		app.searches = app.view.searches.map((search, i) => Object.assign({}, search,
			S.matcher(app.names, search.pattern, search.ignoreCase),
			{ colour: palette[i % palette.length] }));
		app.markColours = app.searches.map((search) => search.colour);
		app.marks = S.combined(app.searches.map((s) => s.match || new Uint8Array(app.names.length)));
		app.markColours.push('#00e5ff');
		if (app.picked >= 0) {
			if (!app.searches.length)
				app.marks = new Uint8Array(app.names.length);
			const functions = pyrograph.profile.functionsOf(app.names);

			app.marks = app.marks.map((mark, n) =>
				functions[n] === functions[app.picked] ? app.markColours.length : mark);
		}
		if (app.searches.some((s) => s.waits)) /* when the answers have arrived, everything is made again */
			searchesOf = '';
		app.hasMarks = app.searches.some((s) => s.match) || app.picked >= 0;
		app.markSet = new Set(app.markColours);
	}

	/* A frame's name as the reader sees it, without its annotation; "--" stands between a thread and its waker. */
	app.wordsOf = (name) => name === '--' ? settings.chain || 'woken by' : pyrograph.profile.baseName(name);

	app.sides = new WeakMap(); /* with several panels: tree -> the layer that its panel shows */

	function makeDelta(tree, mode) {
		if (mode !== 'diff' || !settings.layers)
			return null;
		return LY.delta(tree, app.diffBy(), settings.threshold === undefined ? 0.001 : settings.threshold,
			app.sides.get(tree), settings.mode === 'multiples' ? settings.layers.map((layer, k) => k)
				: undefined,
			settings.negate ? -1 : 1, settings.chance);
	}

	/* tree -> its colours */
	const schemes = new WeakMap();
	let look = null;        /* what all schemes depend on; null after a refresh, until it is computed */

	function lookNow() {
		const mode = app.colourMode(), dark = app.isDark();

		return { mode: mode, dark: dark, key: [mode, dark, app.view.safe, mode === 'diff' &&
			app.diffBy()].join() };
	}

	app.schemeOf = (tree) => {
		const { mode, dark, key } = look = look || lookNow();
		let kept = schemes.get(tree);

		if (!kept || kept.key !== key) {
			kept = { key: key, scheme: C.scheme({ mode: mode, tree: tree, names: app.names,
				colours: app.colours, settings: settings, dark: dark, safe: app.view.safe,
				delta: makeDelta(tree, mode), by: app.diffBy() }) };
			schemes.set(tree, kept);
		}
		return kept.scheme;
	};
	app.diffBy = () => app.view.diff && app.view.diff.by || settings.delta || 'total';
	app.drawnColourMode = { diff: 'diff', multiples: 'diff', metrics: 'metric' }[settings.mode] ||
		(settings.waits ? 'wait' : settings.wall ? 'wall' : 'name');
	app.colourMode = () => app.view.colour || app.drawnColourMode;

	app.markOf = (tree, frame) => app.hasMarks ? app.marks[tree.name[frame]] : 0;
	app.boxColour = (tree, frame) => {
		const mark = app.markOf(tree, frame);

		return mark ? app.markColours[mark - 1] : app.schemeOf(tree).box(frame);
	};

	/* Makes everything that depends on the view. */
	pyrograph.ui.state(app, () => {
		const { panel, frame } = app.cursor, kept = panel && panel === app.panels[0] && frame >= 0
			? T.pathOf(app.tree, app.names, frame) : null;
		const moved = makeTree();

		look = null;
		makeSearches();
		if (moved) /* the keys stay at the same frame, or at what is left of the frame's stack */
			app.cursor = kept ? { panel: panel, frame: T.frameOfPath(app.tree, app.names, kept).frame }
				: { panel: null, frame: -1 };
		return moved;
	});
	const { step } = app;

	app.step = (changes) => {
		if ('sandwich' in changes) /* the callers are others */
			app.view.callersZoom = [];
		if (changes.sandwich === null && settings.mode === 'multiples') /* all profiles are shown again */
			app.view.position = null;
		step(changes);
	};
	app.zoomTo = (frame) => {
		if (frame < 0 || frame === app.zoom || app.tree.folded && app.tree.folded.has(frame))
			return;
		app.view.zoom = T.pathOf(app.tree, app.names, frame);
		app.step({});
	};

	/* Are there frames that the keys for known beginnings would change? */
	app.hasUnnamed = () => app.baseNames.some(pyrograph.unnamed.isUnnamed);
	app.hasMeasuring = () => app.baseNames.some(pyrograph.known.isMeasuring);
	app.hasBeginnings = () => Boolean(pyrograph.known.beginnings(app.base, app.baseNames));

	/* Replaces the profile by another one with the same names; the view stays.  changes: those of the settings. */
	app.replace = (base, changes, lines) => {
		Object.assign(settings, changes);
		app.base = base;
		app.page.setHeading(lines);
		app.refresh();
	};
	app.addFilter = (filter) => app.step({ filters: app.view.filters.concat([filter]) });
};
/* panel: one flame graph on the page: its rows, the outline under the pointer, and the frame that has the
 * focus.  Only rows in the window, and a margin, exist as elements. */
pyrograph.ui.panel = function (app, options) {
	'use strict';

	const D = pyrograph.ui.dom, L = pyrograph.layout, settings = app.settings;
	const LABEL_INSET = 3, LABEL_MIN_CHARS = 6, LEAST_GRAPH = 240;
	const MARGIN_ROWS = app.host ? 6 : 30;
	const LEAST_ROWS = app.host ? 3 : 9;
	/* The most boxes and elements in a windowful of rows; fewer within a host, where graphs of many ranges are
	 * drawn one after the other. */
	const BOXES_MAX = 30000, ELEMENTS_MAX = app.host ? 1000 : 3000;
	const pitch = settings.frameHeight, pad = settings.pad;

	/* options: name (of the panel, for screen readers), tree() and zoom() (what the panel
	 * shows), inverted(), leastRows(), zoomTo(frame), title element or null */
	/* The group has role "none": with a role of its own, its frames would not be items of the tree. */
	const frames = D.svg('g', { id: options.id && (app.prefix || '') + options.id, role: 'none' });
	const outline = D.svg('rect', { 'class': 'outline', visibility: 'hidden', 'aria-hidden': 'true' });
	const focus = D.svg('rect', { 'class': 'focus', visibility: 'hidden', 'aria-hidden': 'true' });
	const graph = D.svg('svg', { 'class': 'graph', role: 'tree', tabindex: '0', 'aria-label': options.name,
		'font-size': settings.fontSize });
	const empty = D.html('p', { 'class': 'empty', hidden: true }, 'No stacks are left.');
	const scroll = D.html('div', { 'class': 'scroll' }, graph, empty);
	const more = D.html('button', { type: 'button', 'class': 'more', tabindex: '-1', hidden: true,
		onclick: () => panel.page(options.inverted() ? 1 : -1) });
	const element = D.html('div', { 'class': 'panel' }, options.title || null,
		D.html('div', { 'class': 'frame' }, scroll, more));
	const panel = { element, scroll, graph, tree: app.base, zoom: 0, title: options.title, least: 0,
		zoomTo: options.zoomTo, treeNow: options.tree };
	const font = L.measured(app.ruler.width, settings.fontSize);
	let plan = null, rows = 1, width = 0;
	let fold = null; /* which frames are hidden: layout.js */
	let below = 0; /* px of the graph that are below the window */
	let size = '';  /* the sizes of the window and of its contents when `below` was set */

	graph.append(frames, outline, focus);

	const inner = () => width - 2 * pad;
	const rowOf = (frame) => fold ? fold.row[frame] : panel.tree.depth[frame];
	const rowTop = (row) => (options.inverted() ? row : rows - 1 - row) * pitch;

	panel.nameOf = (frame) => app.wordsOf(app.names[panel.tree.name[frame]]);

	/* Returns the place of a frame in px, with the present zoom; frames below the zoomed one have the full
	 * width. */
	panel.place = (frame) => {
		const tree = panel.tree, zoom = panel.zoom, shown = frame > zoom && frame < tree.end[zoom];

		return {
			x: pad + (shown ? (tree.start[frame] - tree.start[zoom]) / tree.total[zoom] * inner() : 0),
			y: rowTop(rowOf(frame)),
			w: shown ? Math.max(tree.total[frame] / tree.total[zoom] * inner(), 1) : inner(),
		};
	};

	function drawBox(parent, frame, row, x, w, className) {
		const y = rowTop(row), rect = D.svg('rect', { x: x + pad, y: y, width: w, height: pitch - 1,
			fill: app.boxColour(panel.tree, frame), 'class': className || null, role: 'treeitem',
			'data-frame': frame, 'aria-level': row + 1,
			'aria-label': app.frameText(panel, frame) }, parent);
		const label = L.label(font, app.labelOf(panel, frame), w - 2 * LABEL_INSET, LABEL_MIN_CHARS,
			settings.truncate || 'right');

		if (settings.strokeColour)
			rect.setAttribute('stroke', settings.strokeColour);
		if (panel.tree.folded && panel.tree.folded.has(frame))
			rect.classList.add('folded');
		if (label)
			D.svg('text', { x: x + pad + LABEL_INSET, y: y + (pitch - 1) / 2 + settings.fontSize * 0.36,
				'class': className || null, 'aria-hidden': 'true' }, parent).textContent = label;
	}

	/* Draws one path for each colour, those of marked frames above the others. */
	function drawCrumbs(parent, crumbs, base) {
		const plain = new Map(), marked = new Map();

		for (const c of crumbs) {
			const shapes = app.markSet.has(c.colour) ? marked : plain;
			const w = shapes === marked ? Math.max(c.w, 1) : c.w;

			shapes.set(c.colour, (shapes.get(c.colour) || '') + 'M' + (pad + c.x) + ' ' +
				rowTop(base + c.row) + 'h' + w + 'v' + (pitch - 1) + 'h' + -w + 'z');
		}
		for (const shapes of [plain, marked]) {
			for (const [colour, d] of shapes)
				D.svg('path', { 'class': 'crumbs', fill: colour, d: d, 'aria-hidden': 'true' }, parent);
		}
	}

	/* If there are more boxes than a browser can take as elements at once, the narrowest ones are drawn as
	 * shapes. */
	function thinned(part) {
		if (part.boxes.length <= ELEMENTS_MAX)
			return part;
		const widths = Float64Array.from(part.boxes, (box) => box.w).sort();
		const least = widths[widths.length - 1 - ELEMENTS_MAX];
		const narrow = part.boxes.filter((box) => box.w <= least);

		return { boxes: part.boxes.filter((box) => box.w > least), crumbs: part.crumbs.concat(
			narrow.map((box) => Object.assign({}, box,
				{ colour: app.boxColour(panel.tree, box.frame) }))) };
	}

	/* Returns the rows between two heights, counted from the root. */
	function rowsIn(top, end) {
		const from = Math.floor(top / pitch), to = Math.ceil(end / pitch);

		return options.inverted() ? [Math.max(from, 0), Math.min(to, rows)]
			: [Math.max(rows - to, 0), Math.min(rows - from, rows)];
	}

	function drawRows(from, to) {
		const tree = panel.tree, fresh = document.createDocumentFragment(), base = rowOf(panel.zoom);
		const part = thinned(L.rowsOf(plan, from - base, to - base));

		for (let a = panel.zoom; a;) {
			a = tree.parent[a];
			const row = rowOf(a), hides = fold && fold.hidden[a] || row === base;

			if (row >= from && row < to && !hides)
				drawBox(fresh, a, row, 0, inner(), 'parent');
		}
		drawCrumbs(fresh, part.crumbs, base);
		for (const box of part.boxes)
			drawBox(fresh, box.frame, base + box.row, box.x, box.w, '');
		frames.replaceChildren(fresh);
	}

	const shown = pyrograph.ui.windowed(app, scroll, { rowsIn, count: () => rows, pitch: () => pitch,
		margin: MARGIN_ROWS, draw: (from, to) => plan && drawRows(from, to),
		scrolled: () => { below = edge(); } });

	/* ---- the rows in the window ---- */

	const edge = () => Math.max(0, scroll.scrollHeight - scroll.clientHeight - scroll.scrollTop);

	const sizeNow = () => scroll.clientHeight + ' ' + scroll.scrollHeight;

	/* When rows or room change, browsers keep the upper edge in place, but here the edge at the root must stay. */
	function keepRoot() {
		if (!options.inverted())
			scroll.scrollTop = scroll.scrollHeight - scroll.clientHeight - below;
		size = sizeNow();
	}

	/* Some rows are visible even in a very low window, because then the whole page scrolls. */
	function makeRoom() {
		const graphs = Math.min(rows, LEAST_ROWS) * pitch;

		panel.least = graphs + (panel.title ? panel.title.offsetHeight : 0);
		scroll.style.minHeight = graphs + 'px';
		element.style.minHeight = panel.least + 'px';
	}

	/* "12 more rows": how many rows are outside the window. */
	function showMore() {
		const used = plan ? plan.rows + rowOf(panel.zoom) : 0, top = Math.max(0, scroll.scrollTop);
		const out = options.inverted() ? rows - Math.floor((top + scroll.clientHeight + 1) / pitch)
			: Math.floor(top / pitch) - (rows - used);

		more.hidden = !plan || out < 1 || !scroll.clientHeight;
		more.classList.toggle('at-end', options.inverted());
		scroll.classList.toggle('goes-on', !more.hidden);
		scroll.classList.toggle('at-end', options.inverted());
		more.textContent = (options.inverted() ? '\u2193 ' : '\u2191 ') + out.toLocaleString('en') +
			(out === 1 ? ' more row' : ' more rows');
	}

	/* Draws the panel anew, after a change of the view or of its size. */
	panel.draw = () => {
		const tree = panel.tree = options.tree(), zoom = panel.zoom = options.zoom();
		const scheme = app.schemeOf(tree);

		fold = panel.fold = app.foldOf(panel);
		const base = rowOf(zoom);
		const crumb = (frame) => app.markOf(tree, frame) ? app.boxColour(tree, frame) : scheme.crumb(frame);

		empty.hidden = tree.total[0] > 0;
		if (!tree.total[0]) {
			frames.replaceChildren();
			graph.setAttribute('height', 0);
			plan = null;
			showMore();
			return;
		}
		width = settings.fluid || app.onPaper ? Math.max(scroll.clientWidth, LEAST_GRAPH) : app.drawnWidth;
		plan = L.layout(tree, zoom, inner(), settings.minWidth, BOXES_MAX, crumb, app.markSet, fold);
		const windows = Math.ceil(plan.rows * pitch / window.innerHeight);

		if (windows > 2) /* each windowful of rows may have this many boxes */
			plan = L.layout(tree, zoom, inner(), settings.minWidth, BOXES_MAX * windows, crumb,
				app.markSet, fold);
		rows = Math.max(options.leastRows(), base + plan.rows);
		graph.setAttribute('width', width);
		graph.setAttribute('height', rows * pitch);
		graph.style.setProperty('--label', scheme.text);
		makeRoom();
		keepRoot();
		shown.paint();
		showMore();
		panel.outline(-1);
		panel.focus(app.cursor.panel === panel ? app.cursor.frame : -1, false);
	};

	function surround(rect, frame) {
		if (frame < 0) {
			rect.setAttribute('visibility', 'hidden');
			return;
		}
		const at = panel.place(frame);

		rect.setAttribute('x', at.x);
		rect.setAttribute('y', at.y);
		rect.setAttribute('width', at.w);
		rect.setAttribute('height', pitch - 1);
		rect.setAttribute('visibility', 'visible');
	}
	const announce = (frame) => D.activate(graph, frames.querySelector('[data-frame="' + frame + '"]'),
		(app.prefix || '') + 'frame-' + frame);

	panel.outline = (frame) => surround(outline, frame);

	/* Sets the frame from which keys move; reveal: scrolls it into the window. */
	panel.focus = (frame, reveal) => {
		surround(focus, frame);
		announce(frame);
		if (frame < 0 || !reveal)
			return;
		shown.reveal(rowTop(rowOf(frame)), pitch);
	};
	panel.showRoot = () => shown.scrollTo(options.inverted() ? 0 : scroll.scrollHeight);
	panel.page = shown.page;
	/* The frame at a place of the window, however narrow it is; -1 if there is none. */
	panel.frameAt = (clientX, clientY) => {
		const box = graph.getBoundingClientRect(), scale = box.width / width || 1;
		const x = (clientX - box.left) / scale - pad, line = Math.floor((clientY - box.top) / scale / pitch);
		const row = options.inverted() ? line : rows - 1 - line, tree = panel.tree, zoom = panel.zoom;

		if (x < 0 || x >= inner() || row < 0 || row >= rows)
			return -1;
		return L.frameAt(tree, tree.start[zoom] + x / inner() * tree.total[zoom], row, fold);
	};

	/* For export.js, which calls this when all rows are drawn. */
	panel.picture = () => ({ width: width, height: rows * pitch, frames: frames });

	scroll.addEventListener('scroll', () => { /* browsers send this event once for each repaint */
		if (size === sizeNow()) /* otherwise the sizes have changed, and keepRoot() follows */
			below = edge();
		shown.paintIfNeeded();
		showMore();
	});

	new ResizeObserver(() => {
		if (!plan || !scroll.clientHeight)
			return;
		if (settings.fluid && !app.onPaper && scroll.clientWidth !== width) {
			panel.draw();
			return;
		}
		keepRoot();
		shown.paintIfNeeded();
		showMore();
	}).observe(scroll);
	return panel;
};
/* stage: the panels that are shown (one graph, the callers and callees of a sandwich, or one graph for each of several
 * profiles), and the pointer and fingers on them. */
pyrograph.ui.stage = function (app) {
	'use strict';

	const D = pyrograph.ui.dom, LY = pyrograph.layers, settings = app.settings, stage = app.page.stage;
	const main = pyrograph.ui.panel(app, { id: 'frames', name: 'Flame graph', tree: () => app.tree,
		zoom: () => app.zoom, inverted: app.isInverted,
		leastRows: () => app.isWhole() && !app.host && !app.foldOf(main) ? settings.rows : 1, zoomTo: (frame) =>
			app.zoomTo(frame) });
	let shape = '', flipped = app.isInverted();

	app.isWhole = () => app.tree === app.base;
	app.cursor = { panel: null, frame: -1 };
	app.panels = [main];
	stage.appendChild(main.element);
	app.graphWidth = () => (settings.fluid ? main.scroll.clientWidth || app.drawnWidth : app.drawnWidth) -
		2 * settings.pad;

	/* ---- what stacks begin with ---- */

	const folds = new WeakMap(); /* tree -> its beginnings */

	/* Which frames of a panel are hidden because they only show how stacks begin (known.js); null: none. */
	app.foldOf = (panel) => {
		const tree = panel.treeNow();

		if (app.view.opened || app.view.reversed || panel.isCallers)
			return null;
		if (!folds.has(tree))
			folds.set(tree, pyrograph.known.beginnings(tree, app.names));
		return folds.get(tree);
	};
	/* The last of the frames that a frame stands for, and their number; undefined if it stands for itself only. */
	app.foldedAt = (panel, frame) => panel.fold ? panel.fold.last.get(frame) : undefined;
	/* "clone3 ... java.lang.Thread.run" */
	app.labelOf = (panel, frame) => {
		const folded = app.foldedAt(panel, frame);

		return panel.nameOf(frame) + (folded ? ' \u2026 ' + panel.nameOf(folded.frame) : '');
	};

	/* ---- panels ---- */

	function heading(text) {
		return D.html('h2', { 'class': 'panel-title' }, text);
	}

	/* Callees stand on the function, callers hang below it; in an icicle graph it is the other way round. */
	function callersPanel() {
		const T = pyrograph.transform;
		const panel = pyrograph.ui.panel(app, { id: null, name: 'Callers', title: heading('Callers'),
			tree: () => app.callers, zoom: () => app.view.callersZoom.length
				? T.frameOfPath(app.callers, app.names, app.view.callersZoom).frame : 0,
			inverted: () => !app.isInverted(), leastRows: () => 1, zoomTo: (frame) => {
				if (frame !== panel.zoom && !(panel.tree.folded && panel.tree.folded.has(frame)))
					app.step({ callersZoom: T.pathOf(panel.tree, app.names, frame) });
			} });

		panel.whole = main.whole;
		panel.isCallers = true;
		return panel;
	}

	/* "Callers › read › main": shown if one of the callers is zoomed. */
	function showCallersPath() {
		const panel = app.panels[1], { tree, zoom } = panel, parts = [];

		for (let f = zoom; f; f = tree.parent[f])
			parts.unshift(' \u203a ', app.crumb(tree, f, panel.zoomTo));
		panel.title.replaceChildren('Callers', ...zoom ? [' \u203a ', app.crumb(tree, 0, panel.zoomTo)] : [],
			...parts);
	}

	/* A panel for one of several profiles, drawn from the values of that profile. */
	function layerPanel(k) {
		const made = new WeakMap(), absent = D.html('span', { 'class': 'wrong' });
		const panel = pyrograph.ui.panel(app, { id: null, name: settings.layers[k].name,
			title: heading(app.captions[k] || settings.layers[k].name), tree: () => {
				if (!made.has(app.tree)) {
					made.set(app.tree, LY.view(app.tree, settings, { layer: k }));
					app.sides.set(made.get(app.tree), k);
				}
				return made.get(app.tree);
			}, zoom: () => {
				const { frame, whole } = pyrograph.transform.frameOfPath(panel.treeNow(), app.names,
					app.view.zoom);
				const depth = panel.treeNow().depth[frame];

				absent.textContent = whole ? '' : ' \u00b7 not here: ' +
					app.view.zoom.slice(depth).join(' \u203a ');
				return frame;
			}, inverted: app.isInverted, leastRows: () => 1, zoomTo: (frame) =>
				app.step({ zoom: pyrograph.transform.pathOf(panel.tree, app.names, frame) }) });

		panel.title.append(absent);
		return panel;
	}

	function wantedShape() {
		return app.view.sandwich && app.callers ? 'sandwich'
			: settings.mode === 'multiples' && app.view.position === null ? 'multiples' : 'one';
	}

	function arrange() {
		const wanted = wantedShape();

		if (wanted === shape) {
			return;
		}
		app.panels.slice(1).forEach((panel) => panel.element.remove());
		main.element.hidden = wanted === 'multiples';
		app.panels = wanted === 'sandwich' ? [main, callersPanel()]
			: wanted === 'multiples' ? [main].concat(settings.layers.map((layer, k) => layerPanel(k)))
				: [main];
		if (wanted === 'sandwich')
			main.title = heading('Callees');
		main.element.querySelectorAll('.panel-title').forEach((title) => title.remove());
		if (wanted === 'sandwich')
			main.element.prepend(main.title);
		for (const panel of app.panels.slice(1)) {
			stage.append(panel.element);
			listen(panel);
		}
		stage.dataset.shape = shape = wanted;
	}

	/* In a sandwich, shares refer to the whole rather than to the function. */
	main.whole = () => app.whole.total[0];

	app.drawAll = () => {
		for (const panel of app.panels) {
			if (!panel.element.hidden)
				panel.draw();
			else
				[panel.tree, panel.zoom] = [app.tree, app.zoom];
		}
		if (shape === 'sandwich')
			showCallersPath();
		app.page.makeRoom();
	};
	app.shownPanels = () => app.panels.filter((panel) => !panel.element.hidden);
	app.firstPanel = () => app.panels.find((panel) => !panel.element.hidden);

	/* Returns { panel, frame }: the panel that shows a frame of app.tree, and the frame there. */
	app.seen = (frame) => {
		const panel = app.firstPanel(), T = pyrograph.transform;

		return { panel: panel, frame: panel === main ? frame
			: T.frameOfPath(panel.tree, app.names, T.pathOf(app.tree, app.names, frame)).frame };
	};
	app.onchange(() => {
		app.pointed = null;
		arrange();
		main.element.style.order = app.isInverted() ? 1 : 0;
		app.page.resize();
		app.drawAll();
		if (flipped !== app.isInverted()) {
			flipped = app.isInverted();
			app.panels.forEach((panel) => panel.showRoot());
		}
	});

	/* ---- the frame that keys move from ---- */

	app.moveTo = (panel, frame) => {
		app.pointed = null;
		app.cursor = { panel: panel, frame: frame };
		app.panels.forEach((p) => p.focus(p === panel ? frame : -1, true));
		app.showDetails(panel, frame);
		if (frame >= 0)
			app.foot.say(app.describe(panel, frame));
	};

	/* A frame that stands for others is opened, any other is zoomed. */
	app.enter = (panel, frame) => {
		if (app.foldedAt(panel, frame))
			app.step({ opened: true });
		else
			panel.zoomTo(frame);
	};

	/* ---- pointer ---- */

	function clicked(panel, frame, event, touched) {
		if (frame < 0 || app.menu.justClosed())
			return;
		if (event.altKey) {
			app.frameAct('drop', panel, frame);
		} else if (touched) { /* the first tap selects, the second zooms */
			const second = app.cursor.panel === panel && app.cursor.frame === frame;

			app.moveTo(panel, frame);
			if (second)
				app.enter(panel, frame);
		} else {
			app.cursor = { panel: panel, frame: frame };
			app.enter(panel, frame);
		}
	}

	function openMenuAt(panel, frame, x, y) {
		if (frame < 0)
			return;
		app.moveTo(panel, frame);
		app.openFrameMenu(panel, frame, x, y);
	}

	function listen(panel) {
		const { graph } = panel;

		pyrograph.ui.pointer(graph, { at: panel.frameAt, hover: (...at) => app.hover(panel, ...at),
			leave: () => app.hover(panel, -1), click: (...how) => clicked(panel, ...how),
			menu: (...at) => openMenuAt(panel, ...at) });
		graph.addEventListener('focus', () => { /* the focus came by the Tab key, so show where the keys are */
			if ((app.cursor.panel !== panel || app.cursor.frame < 0) && graph.matches(':focus-visible'))
				app.moveTo(panel, panel.zoom);
		});
		panel.scroll.addEventListener('scroll', () => app.tip.hide());
	}
	listen(main);
};
/* compare: the words about a frame with several values, for both sides of a differential or each event of two metrics,
 * the same as in diff.c and metrics.c. */
pyrograph.ui.compare = function (app) {
	'use strict';

	const P = pyrograph.profile, N = pyrograph.number, LY = pyrograph.layers, settings = app.settings;
	const EVENTS_MAX = 4; /* how many events' totals profile.js keeps */
	const value = (v) => N.valueText(settings, v), bare = (v) => N.bareText(settings, v);

	/* "12.34%", "0%" */
	const share = N.percentText;

	/* Does a panel show the difference of two profiles? */
	app.isCompared = (panel) => settings.mode === 'diff' ||
		(settings.mode === 'multiples' && app.sides.get(panel.tree) > 0);

	const sideOf = (panel) => app.sides.get(panel.tree) || 1;
	const nameOf = (layer, standard) => settings.layers[layer].name || standard;

	/* The total of a layer, after the filters. */
	app.layerWhole = (layer) => P.layerTotal(app.whole, layer)[0];

	const changeOf = (pair, side, wholes) => LY.change(settings, app.whole, pair, side, wholes);

	const wholesOf = (side) => [app.layerWhole(0), app.layerWhole(side)];

	/* "base 30 samples, 30.00%; new 40 samples, 20.00%; −10.00 points, −33.33%" */
	function sidesText(panel, frame, by) {
		const side = sideOf(panel), pair = LY.pair(panel.tree, frame, by, side), wholes = wholesOf(side);
		const { change, relative } = changeOf(pair, side, wholes);

		return nameOf(0, 'base') + ' ' + value(pair.base) + ', ' + share(pair.base, wholes[0]) + '; ' +
			nameOf(side, 'new') + ' ' + value(pair.new) + ', ' + share(pair.new, wholes[1]) + '; ' +
			change + (relative ? ', ' + relative : '');
	}

	const ratios = new WeakMap();

	/* "1.571", or "unknown" without a denominator */
	function ratioText(tree, frame) {
		if (!ratios.has(tree))
			ratios.set(tree, LY.metric(tree, settings).ratio);
		const ratio = ratios.get(tree)[frame];

		return isNaN(ratio) ? 'unknown' : String(Number(ratio.toPrecision(4)));
	}

	/* The text in the brackets after a frame's name, or null if the frame has only one value. */
	app.layersText = (panel, frame) => app.isCompared(panel) ? sidesText(panel, frame, 'total') : null;
	app.layersSelfText = (panel, frame) => app.isCompared(panel) ? sidesText(panel, frame, 'self') : null;

	const unitOf = (layer) => Object.assign({}, settings, { unit: layer.name });

	/* "; 330 instructions, 48.74%": the events other than the one that sets the widths. */
	function eventsText(values) {
		return settings.layers.map((layer, k) => layer.name === settings.metric.width ? ''
			: '; ' + N.valueText(unitOf(layer), values[k]) + ', ' +
				share(values[k], app.layerWhole(k))).join('');
	}

	const isMetric = settings.mode === 'metrics', areFew = isMetric && settings.layers.length <= EVENTS_MAX;

	/* "; 330 instructions, 48.74%; instructions/cycles 1.571".  If there are many events, only the text
	 * about a single frame has them. */
	app.metricText = ({ tree }, frame) => !isMetric ? '' :
		(areFew ? eventsText(settings.layers.map((layer, k) => P.layerTotal(tree, k)[frame])) : '') +
		'; ' + settings.metric.colour + ' ' + ratioText(tree, frame);
	app.manyEventsText = ({ tree }, frame) => isMetric && !areFew ? eventsText(LY.valuesOf(tree, frame)) : '';

	/* ---- rows of the box beside the pointer ---- */

	function sideRows(panel, frame) {
		const side = sideOf(panel), wholes = wholesOf(side), { tree, zoom } = panel;
		const rows = [['', nameOf(0, 'base'), nameOf(side, 'new'), 'change']];

		function row(label, pair, of) {
			const { change, relative } = changeOf(pair, side, of);

			rows.push([label, bare(pair.base) + ', ' + share(pair.base, of[0]), bare(pair.new) + ', ' +
				share(pair.new, of[1]), change + (relative ? ', ' + relative : '')]);
		}
		row('total', LY.pair(tree, frame, 'total', side), wholes);
		row('self', LY.pair(tree, frame, 'self', side), wholes);
		if (zoom && frame >= zoom && frame < tree.end[zoom]) {
			const whole = LY.pair(tree, zoom, 'total', side), pair = LY.pair(tree, frame, 'total', side);

			rows.push(['of zoomed', share(pair.base, whole.base), share(pair.new, whole.new), '']);
		}
		return rows;
	}

	function eventRows(panel, frame) {
		const values = LY.valuesOf(panel.tree, frame);

		return settings.layers.map((layer, k) => [layer.name, N.bareText(unitOf(layer), values[k]),
			app.layerWhole(k) ? share(values[k], app.layerWhole(k)) : '',
			'']).concat([[settings.metric.colour,
			ratioText(panel.tree, frame), '', '']]);
	}

	app.layerRows = (panel, frame) => app.isCompared(panel) ? sideRows(panel, frame)
		: settings.mode === 'metrics' ? eventRows(panel, frame) : [];
};
/* differential: replaces this chart by one of several profiles: the differential of two, or the sum of several.
 *     app.profile()                     this chart's profile, as union() has it
 *     app.showDifference(other, names)  other is the new one; names: two texts, of both
 *     app.showMerged(others, names)     names: the texts of all of them, this one's first
 * Both return whether the others are profiles with the same unit. */
pyrograph.ui.differential = function (app) {
	'use strict';

	const D = pyrograph.ui.dom, { settings } = app;
	let place = null;

	if (app.host || settings.mode)
		return;

	const isAlike = (other) => pyrograph.difference.isProfile(other) && other.unit === settings.unit;

	app.profile = () => ({ names: app.baseNames, colours: app.colours, decimals: app.base.decimals,
		name: Array.from(app.base.name), parent: Array.from(app.base.parent),
		self: Array.from(app.base.self), unit: settings.unit });

	function show(profile, changes, heading) {
		if (place)
			place.remove();
		place = D.html('div', { 'class': 'flame-place' });
		app.page.sheet.hidden = true;
		app.page.element.append(place);
		pyrograph.flame.open(app.svg, { settings: Object.assign({}, settings, { idle: null, fluid: true,
			whole: true }, changes),
		source: app.source, names: profile.names, colours: profile.colours, tree: profile.tree,
		heading: heading, view: '', place: place, boxes: app.page.element, isDark: () => app.isDark(),
		saved: () => {}, undo: () => false, leave: () => {}, link: () => null, viewItems: () => [] });
		return true;
	}

	const title = (text) => ({ className: 'title', text: text, size: settings.fontSize });

	app.showDifference = (other, names) => {
		if (!isAlike(other))
			return false;
		const both = pyrograph.difference.union([app.profile(), other]);
		const { tree, settings: changes } = pyrograph.difference.two(both.tree, both.selfs, both.tree.decimals);

		changes.layers.forEach((layer, k) => { layer.name = names[k]; });
		if (settings.unit === 'samples')
			changes.chance = pyrograph.layers.CHANCE_Z;
		return show({ names: both.names, colours: both.colours, tree: tree },
			Object.assign({ chartName: 'Differential flame graph' }, changes),
			[title(names.join(' \u2192 '))]);
	};

	app.showMerged = (others, names) => {
		if (!others.every(isAlike))
			return false;
		const all = pyrograph.difference.union([app.profile(), ...others]);

		return show(all, { decimals: all.tree.decimals },
			[title(names.length + ' runs merged: ' + names.join(', '))]);
	};
};
/* details: the words about a frame: in the line below the chart, in the box beside the pointer, and for screen
 * readers. */
pyrograph.ui.details = function (app) {
	'use strict';

	const D = pyrograph.ui.dom, P = pyrograph.profile, N = pyrograph.number, T = pyrograph.transform;
	const { settings, tip, foot } = app;
	const NAME_LINES_PX = 2400;
	const idleText = app.idleText; /* as C drew it; "" if a host gives the profile */

	/* "1,234 more, narrower than 0.003%, are folded into ...": this sentence stays, whatever is shown. */
	const folding = (/; ([\d,]+ more, .*)$/.exec(idleText) || [])[1] ||
		(settings.folded || 0).toLocaleString('en') +
		' more, too narrow, are folded into "..."';

	const foldingPart = D.html('span', { 'class': 'folding' }, folding);

	app.page.foot.line.after(foldingPart);
	if (app.host)
		app.page.foot.matched.before(D.html('span', { 'class': 'whose-keys' },
			'Keys: flame graph \u00b7 Esc: heat map'));

	const value = (v) => N.valueText(settings, v);

	/* Returns the totals to which shares refer: [[words, words of a table's head, value], ...].  The first is
	 * everything that the filters leave; the second is the zoomed frame, if it contains frame, else the function of
	 * a sandwich. */
	function basesOf(panel, frame) {
		const { tree, zoom } = panel, bases = [['all', 'all', panel.whole ? panel.whole() : tree.total[0]]];

		if (zoom && frame >= zoom && frame < tree.end[zoom])
			bases.push(['the zoomed frame', 'zoomed', tree.total[zoom]]);
		else if (app.callers)
			bases.push(['the function', 'function', tree.total[0]]);
		return bases;
	}

	/* "35 samples, 44.87% of all, 76.09% of the zoomed frame" */
	function withShares(v, bases) {
		return value(v) + ', ' + (bases.length === 1 ? N.percentText(v, bases[0][2])
			: bases.map(([words, , whole]) =>
				N.percentText(v, whole) + ' of ' + words).join(', '));
	}

	/* "write (35 samples, 44.87% of all, 76.09% of the zoomed frame)" */
	app.frameText = (panel, frame) => {
		const folded = panel.tree.folded && panel.tree.folded.get(frame);

		return panel.nameOf(frame) + ' (' + (folded ? folded.toLocaleString('en') + ' frames, ' : '') +
			(app.layersText(panel, frame) || withShares(panel.tree.total[frame], basesOf(panel, frame)) +
			app.metricText(panel, frame)) + ')';
	};
	/* The self value of a frame.  The root of the callers, which is the function, gets its self value from the
	 * callees. */
	const selfOf = ({ tree }, frame) => tree === app.callers && !frame ? app.tree.self[0] : P.ownSelf(tree)[frame];

	app.describe = (panel, frame) => {
		const self = selfOf(panel, frame);
		const text = settings.nametype + ' ' + app.frameText(panel, frame) + ', self ';

		return text + (app.layersSelfText(panel, frame) || value(self) + ', ' +
			N.percentText(self, basesOf(panel, frame)[0][2]) + app.manyEventsText(panel, frame));
	};

	/* "Function: write, 2 frames together (44 samples, 56.41%), self ...; the widest: ..." */
	app.showSums = (panel, frame, row) => {
		const { frames, total, self } = row, whole = basesOf(panel, 0)[0][2];

		if (frames > 1)
			foot.show(settings.nametype + ' ' + panel.nameOf(frame) + ', ' +
				frames.toLocaleString('en') + ' frames together (' + value(total) + ', ' +
				N.percentText(total, whole) + ' of all), self ' + value(self) + ', ' +
				N.percentText(self, whole) + '; the widest of them ' +
				withShares(panel.tree.total[frame], basesOf(panel, frame)));
	};

	/* Rows of the box: [label, value, share of all, share of the zoomed frame]. */
	function figures(panel, frame) {
		const bases = basesOf(panel, frame);
		const row = (label, v) => [label, value(v), N.percentText(v, bases[0][2]),
			bases[1] ? N.percentText(v, bases[1][2]) : ''];

		return app.isCompared(panel) ? [] : [['', '', 'of all', bases[1] ? 'of ' + bases[1][1] : ''],
			row('total', panel.tree.total[frame]), row('self', selfOf(panel, frame))];
	}

	/* The notes in the box about a frame. */
	function notes(panel, frame) {
		const tree = panel.tree, out = [], folded = tree.folded && tree.folded.get(frame);
		const variants = app.view.variants || app.view.generated ? T.variantsOf(tree, app.names, frame) : null;
		const link = app.attributesOf(panel, frame);

		if (folded)
			out.push('stands for ' + folded.toLocaleString('en') + ' frames too narrow to keep');
		if (app.foldedAt(panel, frame))
			out.push('stands for ' + app.foldedAt(panel, frame).count +
				' frames that such stacks begin with: a click or E opens them');
		if (variants && variants.size > 1) {
			out.push(Array.from(variants, ([label, v]) => label + ' ' +
				N.bareText(settings, v)).join(', '));
		}
		if (tree.unexpanded && tree.unexpanded[frame])
			out.push('more below: zoom to see it');
		if (link && link.title)
			out.push(link.title);
		if (link && link.href)
			out.push('opens ' + link.href + ' (menu)');
		return out;
	}

	function fill(panel, frame) {
		const name = app.ruler.fit(panel.nameOf(frame), NAME_LINES_PX, 1, 'middle');

		tip.fill(name, figures(panel, frame).concat(app.layerRows(panel, frame)), ...notes(panel, frame));
	}

	/* Shows the details of a frame under the pointer at x, y; a little later also the box. */
	app.hover = (panel, frame, x, y) => {
		app.panels.forEach((p) => p.outline(p === panel ? frame : -1));
		app.showDetails(panel, frame);
		app.pointed = frame >= 0 ? { panel: panel, frame: frame } : null;
		if (frame < 0)
			tip.hide();
		else
			tip.show(() => fill(panel, frame), x, y);
	};

	const levels = new WeakMap(); /* tree -> its number of levels */

	function levelsOf(tree) {
		if (!levels.has(tree))
			levels.set(tree, tree.depth.reduce((most, depth) => Math.max(most, depth), 0) + 1);
		return levels.get(tree);
	}

	/* "14 frames, 7 deep", about the visible graph. */
	function idleLine() {
		const { tree } = app, base = app.base.count - app.base.folded.size;

		if (tree === app.withoutIdle && idleText)
			return idleText.replace(/; [\d,]+ more, .*$/, '');
		if (!tree.total[0])
			return 'No frames, of ' + base.toLocaleString('en');
		const count = tree.count - tree.folded.size;

		return count.toLocaleString('en') + (count === 1 ? ' frame, ' : ' frames, ') +
			levelsOf(tree).toLocaleString('en') + ' deep';
	}

	/* Writes the line below the chart; it is about the zoomed frame if panel is null or frame -1. */
	app.showDetails = (panel, frame) => {
		const main = app.firstPanel();

		if (panel && frame >= 0)
			foot.show(app.describe(panel, frame));
		else
			foot.show(main && main.zoom ? 'Zoomed: ' + app.frameText(main, main.zoom) : idleLine(), true);
	};
	/* The attributes that --nameattr gives a frame's name, or null; a link is included only if its scheme is
	 * safe. */
	app.attributesOf = (panel, frame) => {
		const all = settings.attributes, origin = panel.tree.name[frame];
		const found = all && all[origin];

		if (!found)
			return null;
		return Object.assign({}, found, { href: /^(https?:|ftp:|mailto:|[^:]*$)/i.test(found.href || '')
			? found.href : undefined });
	};
	/* ---- what a step has changed, for readers who cannot see the chart ---- */

	let before = null;

	const wordsOf = (filter) => app.filterWords[filter.kind] + ' ' + app.filterName(filter);

	/* "Hidden write. 74 samples, 13 frames are left" */
	function stepWords(view) {
		const words = [], left = value(app.tree.total[0]) + ', ' + app.tree.count.toLocaleString('en') +
			' frames are left';

		if (view.filters !== before.filters && view.filters.length > before.filters.length)
			words.push(wordsOf(view.filters[view.filters.length - 1]) + '. ' + left);
		else if (view.filters.length !== before.filters.length)
			words.push((view.filters.length ? 'A filter is gone. ' : 'No filters. ') + left);
		if (view.sandwich !== before.sandwich)
			words.push(view.sandwich ? 'Callers and callees of ' + P.baseName(view.sandwich)
				: 'The whole graph');
		if (view.reversed !== before.reversed)
			words.push(view.reversed ? 'Merged from the leaves' : 'Merged from the root');
		if (app.zoom !== before.frame && app.zoom)
			words.push('Zoomed: ' + app.frameText(app.panels[0], app.zoom));
		else if (view.zoom.length < before.zoom.length && !app.zoom)
			words.push('All frames: ' + value(app.tree.total[0]));
		if (view.callersZoom.length && view.callersZoom.join() !== before.callersZoom.join() && app.callers)
			words.push('Zoomed: ' + app.frameText(app.panels[1], app.panels[1].zoom));
		return words.join('. ');
	}

	app.onchange(() => {
		foldingPart.hidden = !app.base.folded.size || !settings.folded;
		tip.hide();
		app.showDetails(null, -1);
		const words = before ? stepWords(app.view) : '';

		if (words)
			foot.say(words);
		before = Object.assign({}, app.view, { frame: app.zoom });
	});
};
/* toolbar: the search box and the buttons beside it, the path of the zoomed frame, and a chip for each search
 * and filter. */
pyrograph.ui.toolbar = function (app) {
	'use strict';

	const D = pyrograph.ui.dom, P = pyrograph.profile, page = app.page;
	const PATH_HEAD = 2, PATH_TAIL = 14;

	const { tools, said, chip, show } = app.controls;
	const pin = D.button('pin', 'Keep this search, start another', 'Keep this search, start another (Alt+Enter)',
		() => app.pinSearch(), { icon: 'plus' });
	const previous = D.button('previous', 'Previous match', 'Previous match (Shift+N)',
		() => app.act('previous'), { icon: 'up' });
	const next = D.button('next', 'Next match', 'Next match (N)', () => app.act('next'), { icon: 'down' });
	const reset = D.button('reset', 'Reset zoom', 'Reset zoom (0)', () => app.act('top'), { icon: 'home' });
	const back = D.button('back', 'Back', app.host ? 'Undo the last step (\u232b)' : 'Undo the last step (Esc)',
		() => app.act('undo'), { icon: 'back' });
	const steps = D.html('div', { 'class': 'steps' });
	const table = D.button('functions', 'Table of functions', 'Table of functions (T)',
		() => app.act('table'), { icon: 'table' });
	const current = () => app.searches[app.pinned];

	app.searchBox = pyrograph.ui.box(app, { name: 'search', placeholder: 'Search (regexp)', tip: 'Search ( / )',
		label: 'Search, a regular expression', count: () => app.matchText(), buttons: [pin],
		error: () => current() && current().error,
		read: () => ({ pattern: (app.view.searches[app.pinned] || { pattern: '' }).pattern,
			ignoreCase: app.ignoreCase }), write: (...search) => app.setSearch(...search) });
	tools('View: order, colours, theme (V)', app.searchBox.element, previous, next);
	app.viewButton.after(table);
	page.path.append(back, reset, steps);

	app.onchange(() => {
		previous.disabled = next.disabled = !app.searches.some((s) => s.match);
		table.setAttribute('aria-pressed', String(Boolean(app.view.table)));
		page.path.hidden = app.zoom === 0;
		page.heading.classList.toggle('zoomed', !page.path.hidden);
		if (!page.path.hidden)
			drawPath();
		drawChips();
	});
	/* "17", or "3 of 17" after a match was visited. */
	app.showCount = () => {
		app.searchBox.found.textContent = app.matchText();
	};

	/* ---- the path of the zoomed frame ---- */

	/* A button that zooms to a frame of a tree. */
	app.crumb = (tree, frame, zoomTo) => {
		const name = app.wordsOf(app.names[tree.name[frame]]);

		return D.html('button', { type: 'button', title: 'Zoom to ' + name, onclick: () => zoomTo(frame) },
			app.ruler.fit(name, 220, 1, 'middle'));
	};
	const crumb = (frame) => app.crumb(app.tree, frame, app.zoomTo);

	function drawPath() {
		const path = [];
		let items;

		for (let f = app.zoom; f; f = app.tree.parent[f])
			path.unshift(f);
		path.unshift(0);
		if (path.length > PATH_HEAD + PATH_TAIL)
			items = [...path.slice(0, PATH_HEAD).map(crumb), D.html('span', { 'class': 'gap' }, '\u2026'),
				...path.slice(-PATH_TAIL).map(crumb)];
		else
			items = path.map(crumb);
		items[items.length - 1].setAttribute('aria-current', 'location');
		page.path.setAttribute('aria-label', 'Path of the zoomed frame');
		steps.replaceChildren(...items);
		steps.scrollLeft = steps.scrollWidth;
	}

	/* ---- chips ---- */

	app.filterWords = { hide: 'Hidden', only: 'Only', exclude: 'Without', include: 'With', drop: 'Cut off' };

	function searchChip(search, i) {
		const dot = D.html('span', { 'class': 'dot' });

		dot.style.background = search.colour;
		return chip('of-search', [dot, D.html('button', { type: 'button', 'class': 'chip-text',
			title: 'Edit this search: ' + search.pattern, onclick: () => app.editSearch(i) },
		app.ruler.fit(search.pattern, 160, 1, 'middle') + (search.ignoreCase ? ' (aA)' : '')),
		D.html('span', { 'class': 'share' }, search.error ? search.error.replace(/:.*/s, '')
			: app.matchedShare(search))],
		() => app.removeSearch(i), 'Remove this search');
	}

	app.filterName = (filter) => P.baseName(filter.kind !== 'drop' ? filter.pattern
		: pyrograph.transform.nameOfStep(filter.path[filter.path.length - 1] || ''));

	const filterChip = (filter, i) => chip('of-filter', said(app.filterWords[filter.kind] || filter.kind,
		app.filterName(filter), 180), () => app.step({ filters: app.view.filters.filter((f, k) => k !== i) }),
	'Remove this filter');
	const stateChip = (word, text, without) => chip('of-filter', said(word, text, 280), () => app.step(without));

	/* ---- what is idle: one chip, in place of the words that C wrote ---- */

	const { idle } = app.settings;
	if (idle)
		app.controls.hideLines(idle.note);

	function drawChips() {
		const v = app.view, chips = app.searches.slice(0, app.pinned).map(searchChip);
		const filters = v.filters.map(filterChip);

		const profile = app.settings.mode === 'multiples' && v.position !== null
			? app.settings.layers[v.position].name : '';

		if (v.sandwich)
			filters.push(stateChip('Callers and callees of', P.baseName(v.sandwich) +
				(profile ? ' in ' + profile : ''), { sandwich: null }));
		else if (profile)
			filters.push(stateChip('Only', profile, { position: null }));
		if (v.reversed && !v.sandwich)
			filters.push(stateChip('Merged', 'from the leaves', { reversed: false, zoom: [] }));
		if (v.variants || v.generated)
			filters.push(stateChip('Merged', v.variants && v.generated ? 'variants and generated names'
				: v.variants ? 'variants' : 'generated names', { variants: false, generated: false }));
		if (v.unnamed)
			filters.push(stateChip('Merged', 'functions without a name', { unnamed: false }));
		if (v.recursion)
			filters.push(stateChip('Recursion', v.recursion === 'deep' ? 'folded at any depth'
				: 'folded where direct', { recursion: '' }));
		if (v.wall && app.settings.wall)
			filters.push(stateChip('Only', v.wall === 'on' ? 'on-CPU time' : 'off-CPU time',
				{ wall: null }));
		if (v.mine)
			filters.push(stateChip('Only', 'my code', { mine: false }));
		if (v.quiet)
			filters.push(stateChip('Without', 'the profiler', { quiet: false }));
		if (app.filterError)
			chips.push(D.html('span', { 'class': 'wrong', role: 'alert' }, app.filterError));
		if (idle)
			chips.push(app.controls.idleChip(app.view.idle, pyrograph.number.valueText(app.settings,
				idle.value), idle.what, 'Shift+I', idle.word));
		chips.push(...filters);
		if (filters.length) {
			chips.push(D.html('button', { type: 'button', 'class': 'reset-all',
				title: 'Undo all filters and zoom',
				onclick: () => app.act('resetAll') }, 'Reset all'));
		}
		show(chips);
	}
};
/* find: the searches, with their patterns, the matching frames, and the share of these. */
pyrograph.ui.find = function (app) {
	'use strict';

	const D = pyrograph.ui.dom, P = pyrograph.profile, N = pyrograph.number, S = pyrograph.search;

	/* these buttons are in the line below if there is no room for them beside the search box */
	const walk = D.html('span', { 'class': 'walk' }, ...[['previous', 'Previous match', 'up'],
		['next', 'Next match', 'down']]
		.map(([id, label, icon]) => D.button(id, label, label, () => app.act(id), { icon: icon })));

	app.page.foot.append(walk);
	app.ignoreCase = false;
	app.searches = [];
	app.matchAt = null;     /* { at, of } of the match visited last */

	const current = () => app.searches[app.pinned];

	/* ---- the share of the matches ---- */

	/* Frames that were too narrow to be kept have lost their names, so a search cannot find them. */
	const atLeast = () => app.base.folded.size ? 'at least ' : '';

	/* [[label, share of all, more words], ...]: one entry, or one for each profile.  In a sandwich, stacks through
	 * the function count if they have a match above or below the function. */
	function sharesOf(match) {
		const percent = N.percentText, { tree, zoom, callers } = app, total = (...at) => S.matchedTotal(...at);

		if (app.shownPanels().length && app.shownPanels()[0] !== app.panels[0])
			return app.shownPanels().map((panel) => [panel.graph.getAttribute('aria-label') + ' ',
				percent(total(panel.tree, 0, match), panel.tree.total[0]),
				panel.zoom ? percent(total(panel.tree, panel.zoom, match),
					panel.tree.total[panel.zoom]) + ' of the zoomed frame' : '']);
		if (app.settings.mode === 'diff')
			return app.settings.layers.map((layer, k) => {
				const all = P.layerTotal(app.whole, k), totals = P.layerTotal(tree, k), root = callers
					? 0 : zoom;

				return [layer.name + ' ', percent(callers
					? S.matchedThrough(app.whole, app.names, tree.name[0], match, all)
					: total(tree, 0, match, totals), all[0]),
				root ? percent(total(tree, zoom, match, totals), totals[zoom]) + ' of the zoomed frame'
					: ''];
			});
		const value = callers ? S.matchedThrough(app.whole, app.names, tree.name[0], match)
			: total(tree, 0, match);

		return [['', percent(value, app.whole.total[0]), zoom
			? percent(total(tree, zoom, match), tree.total[zoom]) +
			' of the zoomed frame' : callers ? percent(value, tree.total[0]) + ' of the function' : '']];
	}

	/* "44.87%", "base 33.33%, new 48.74%": shares of all. */
	app.matchedShare = (search) => search.waits ? '\u2026' : !search.match ? '' : atLeast() +
		sharesOf(search.match).map(([label, share]) => label + share).join(', ');

	/* "44.87% of all, 76.09% of the zoomed frame" */
	const sharesText = (match) => atLeast() + sharesOf(match).map(([label, share, more]) => label + share +
		(more ? ' of all, ' + more : '')).join('; ');

	/* "Next" and "previous" go through the matches of the search in the box, or else of the last chip. */
	const walked = () => [current()].concat(app.searches.slice(0, app.pinned).reverse())
		.find((s) => s && s.match);

	app.matchText = () => {
		const search = current();

		if (search && search.waits)
			return '\u2026';
		if (!search || !search.match)
			return '';
		if (app.matchAt)
			return app.matchAt.at + ' of ' + app.matchAt.of;
		return (atLeast() ? '\u2265 ' : '') + sharesOf(search.match).map(([, share]) => share).join(' / ');
	};

	app.setSearch = (pattern, ignoreCase = app.ignoreCase) => {
		const searches = app.view.searches.slice(0, app.pinned);

		if (pattern)
			searches.push({ pattern: pattern, ignoreCase: ignoreCase });
		app.ignoreCase = ignoreCase;
		app.matchAt = null;
		app.searchBox.input.value = pattern;
		app.touch({ searches: searches });
	};
	app.clearSearches = () => {
		app.pinned = 0;
		app.picked = -1;
		app.setSearch('');
	};
	app.pinSearch = () => {
		if (!app.searchBox.input.value)
			return;
		app.setSearch(app.searchBox.input.value);
		if (current().error)
			return;
		app.pinned++;
		app.setSearch('');
		app.searchBox.focus();
	};
	app.removeSearch = (i) => {
		app.pinned--;
		app.touch({ searches: app.view.searches.filter((s, k) => k !== i) });
	};
	app.editSearch = (i) => {
		const search = app.view.searches[i];

		if (i >= app.pinned)
			return;
		app.view.searches = app.view.searches.filter((s, k) => k !== i); /* the search in the box is kept */
		app.pinned = app.view.searches.length;
		app.setSearch(search.pattern, search.ignoreCase);
		app.searchBox.focus();
	};
	/* After a view was taken from a link, puts the last search into the box. */
	app.adoptSearches = () => {
		const last = app.view.searches[app.view.searches.length - 1];

		app.pinned = Math.max(0, app.view.searches.length - 1);
		app.ignoreCase = Boolean(last && last.ignoreCase);
		app.searchBox.input.value = last ? last.pattern : '';
		app.matchAt = null;
	};

	/* ---- from match to match, through all panels ---- */

	const leastOf = (panel) => panel.tree.total[panel.zoom] * app.settings.minWidth / app.graphWidth();

	/* The next match in a panel after frame `from`, or -1 if there is none; from -1: the panel's first or last
	 * match. */
	function nextIn(panel, from, step, match) {
		const { tree, zoom } = panel, start = from < 0 ? step > 0 ? zoom - 1 : tree.end[zoom] : from;
		const frame = S.nextMatch(tree, start, step, match, zoom, leastOf(panel));

		return frame >= 0 && (step > 0 ? frame > start : frame < start) ? frame : -1;
	}

	/* Returns { panel, frame }: the match to go to, or null. */
	function nextOf(match, step) {
		const panels = app.shownPanels(), at = Math.max(0, panels.indexOf(app.cursor.panel));
		let from = app.cursor.panel === panels[at] ? app.cursor.frame : -1;

		if (from < 0 && step < 0)
			from = panels[at].zoom;
		for (let k = 0; k <= panels.length; k++) {
			const panel = panels[(at + step * k + 2 * panels.length) % panels.length];
			const frame = nextIn(panel, k ? -1 : from, step, match);

			if (frame >= 0)
				return { panel: panel, frame: frame };
		}
		return null;
	}

	/* "3 of 17", counted over all panels. */
	function placeOf(found, match) {
		let at = 0, of = 0, before = true;

		for (const panel of app.shownPanels()) {
			const place = S.matchPlace(panel.tree, found.frame, match, panel.zoom, leastOf(panel));

			at += panel === found.panel ? place.at : before ? place.of : 0;
			before = before && panel !== found.panel;
			of += place.of;
		}
		return { at: at, of: of };
	}

	/* Goes to the next match (step 1) or to the previous one (-1), within the zoomed frame. */
	app.walkMatches = (step) => {
		const search = walked(), found = search && nextOf(search.match, step);

		if (!found)
			return;
		app.matchAt = placeOf(found, search.match);
		app.moveTo(found.panel, found.frame);
		app.showCount();
		app.foot.say('Match ' + app.matchAt.at + ' of ' + app.matchAt.of + ': ' +
			app.describe(found.panel, found.frame));
	};

	/* "Matched: 44.87% of all, 76.09% of the zoomed frame" */
	app.onchange(() => {
		const search = walked(), box = current();

		walk.hidden = !search;
		app.foot.showMatched(box && box.error ? box.error : box && box.waits ? 'Searching \u2026'
			: search ? 'Matched: ' + sharesText(search.match) : '', Boolean(box && box.error));
	});
};
/* actions: the lists of all actions, with their words and keys. Menus, keys and the help are made from these
 * lists. */
pyrograph.ui.actions = function (app) {
	'use strict';

	const T = pyrograph.transform, P = pyrograph.profile, C = pyrograph.colour;
	const settings = app.settings;
	const toggle = (key) => () => app.step({ [key]: !app.view[key] });
	const layered = (...modes) => () => modes.includes(settings.mode);

	function cycle(values, now, apply) {
		return () => apply(values[(values.indexOf(now()) + 1) % values.length]);
	}

	app.orders = () => settings.arrival || settings.chart
		? ['name', 'width', 'arrival'] : ['name', 'width'];
	app.colourModes = () => C.modes(settings);
	/* The link leaves out settings that have not been changed. */
	app.setOrder = (order) => app.step({ order: order === (settings.order || 'name') ? null : order });
	app.setColour = (mode) => app.touch({ colour: mode === app.drawnColourMode ? null : mode });
	app.setInverted = (on) => app.step({ inverted: on === Boolean(settings.inverted) ? null : on });
	app.setSafe = (on) => {
		app.touch({ safe: on });
		if (on && C.isSafe(app.colourMode()))
			app.save.toast('These colours differ in lightness: they are safe as they are');
	};

	/* id: [key (a KeyboardEvent.key), words, what it does, group of the help] */
	const actions = {
		search: ['/', 'Search', () => app.searchBox.focus(), 'Find'],
		...app.usual.matches,
		pin: ['p', 'Keep this search, start another', () => app.pinSearch(), 'Find'],
		top: ['0', 'Reset zoom', () => app.view.callersZoom.length ? app.step({ zoom: [], callersZoom: [] })
			: app.zoomTo(0), 'Move'],
		resetAll: ['R', 'Undo all filters and the zoom', () => app.resetAll(), 'Move'],
		zoom: ['Enter', 'Zoom to the frame', null, 'Frame'],
		menu: ['M', 'Menu of the frame (Menu key)', () => app.menuOfCursor(), 'Frame'],
		sandwich: ['s', 'Callers and callees', () => app.frameAct('sandwich'), 'Frame'],
		drop: ['Delete', 'Hide this subtree (Alt+click)', () => app.frameAct('drop'), 'Frame'],
		hide: ['h', 'Hide all of this name', () => app.frameAct('hide'), 'Frame'],
		exclude: ['x', 'Leave out stacks with it', () => app.frameAct('exclude'), 'Frame'],
		include: ['X', 'Keep only stacks with it', () => app.frameAct('include'), 'Frame'],
		find: ['f', 'Search for its name', () => app.frameAct('find'), 'Frame'],
		copyName: ['y', 'Copy its name', () => app.frameAct('copyName'), 'Frame'],
		copyStack: ['Y', 'Copy its stack', () => app.frameAct('copyStack'), 'Frame'],
		flip: ['i', 'Flames up or down', () => app.setInverted(!app.isInverted()), 'View'],
		reverse: ['r', 'Merge from the leaves', () =>
			app.step({ reversed: !app.view.reversed || Boolean(app.view.sandwich), zoom: [],
				sandwich: null }), 'View'],
		order: ['o', 'Next order', () => cycle(app.orders(), app.order, app.setOrder)(), 'View'],
		colour: ['c', 'Next colouring', () => cycle(app.colourModes().map((m) => m.mode), app.colourMode,
			app.setColour)(), 'View'],
		safe: ['b', 'Colours for colour-blind eyes', () => app.setSafe(!app.view.safe), 'View'],
		variants: ['m', 'Merge compiled, interpreted, inlined', toggle('variants'), 'View'],
		generated: ['g', 'Merge lambdas and generated classes', toggle('generated'), 'View'],
		recursion: ['u', 'Fold recursion', () =>
			app.step({ recursion: { '': 'direct', direct: 'deep', deep: '' }[
				app.view.recursion || ''] }), 'View'],
		idle: ['I', settings.idle ? `Show ${settings.idle.word.toLowerCase()}: ${settings.idle.what}` : '',
			toggle('idle'), 'View', () => Boolean(settings.idle)],
		wall: ['w', 'Next time: all, on-CPU, off-CPU', () => app.nextWall(), 'View', () =>
			Boolean(settings.wall)],
		opened: ['e', 'Expand start of stacks (click)', toggle('opened'), 'View', () =>
			app.hasBeginnings()],
		mine: ['j', 'Only my code: no kernel, C library, packages, runtimes and libraries of languages',
			toggle('mine'), 'View'],
		quiet: ['k', 'Leave out the profiler: BPF, perf events, uprobes, recorder', toggle('quiet'), 'View',
			() => app.hasMeasuring()],
		unnamed: ['U', 'Merge functions without a name by file', toggle('unnamed'), 'View', () =>
			app.hasUnnamed()],
		table: ['t', 'Table of functions', () => app.touch({ table: !app.view.table }), 'View'],
		...app.usual.view,
		...app.usual.link,
		copyFolded: ['F', 'Copy the folded lines of the view', () => app.copyFolded(), 'Keep'],
		...app.usual.saving,
		side: ['1', 'Next side: both, base, new, gone, added', () => app.nextSide(), 'Layers', layered('diff')],
		delta: ['2', 'Change by total or by self', () => app.nextDelta(), 'Layers', layered('diff')],
		play: [' ', 'Play or pause', () => app.play(), 'Layers', layered('animate')],
		stepBack: [',', 'One window back', () => app.stepWindow(-1), 'Layers', layered('animate')],
		step: ['.', 'One window forward', () => app.stepWindow(1), 'Layers', layered('animate')],
	};

	app.actions = actions;
	app.pointerWords = [['Click', 'zoom'], ['Alt + click', 'hide the subtree'],
		['Right click', 'menu of the frame'],
		['Tap, tap again', 'details, zoom'], ['Long press', 'menu of the frame'], ['Arrows', 'walk the frames'],
		['Esc', app.host ? 'back to the heat map' : 'undo the last step'],
		['F3, Enter in the box', 'next match']];

	/* ---- the menu of the view ---- */

	const ORDER_WORDS = { name: 'By name', width: 'Widest first', arrival: 'In time' };

	app.openViewMenu = () => {
		const v = app.view, item = app.checkItem;

		app.showViewMenu([item('flip', app.isInverted(), 'Root on top (icicle)'),
			item('reverse', v.reversed && !v.sandwich), item('table', Boolean(v.table)),
			{ heading: 'Order' }, ...app.radios(app.orders().map((order) => [order, ORDER_WORDS[order]]),
				app.order(), app.setOrder, 'O'),
			{ heading: 'Colours' }, ...app.radios(app.colourModes().map(({ mode, label }) => [mode, label]),
				app.colourMode(), app.setColour, 'C'), item('safe', v.safe, 'For colour-blind eyes'),
			{ heading: 'Simplify' }, item('variants', v.variants), item('generated', v.generated),
			item('recursion', Boolean(v.recursion), v.recursion === 'deep' ? 'Fold recursion (any depth)'
				: 'Fold recursion'), ...app.hasBeginnings() ? [item('opened', v.opened)] : [],
			item('mine', v.mine, 'Only my code'), ...settings.idle ? [item('idle', v.idle)] : [],
			...app.hasUnnamed() ? [item('unnamed', v.unnamed)] : [],
			...app.hasMeasuring() ? [item('quiet', v.quiet)] : [],
			...app.host ? app.host.viewItems() : []], 'copyFolded');
	};

	/* ---- one frame ---- */

	const canDrop = (panel) => panel === app.panels[0] && !app.view.sandwich;

	function dropped(panel, frame) {
		if (!frame || !canDrop(panel))
			return;
		app.addFilter({ kind: 'drop', path: T.pathOf(app.tree, app.names, frame), pattern: '', exact: true,
			ignoreCase: false, reversed: app.view.reversed });
	}

	/* With several profiles, the sandwich shows the profile of this panel. */
	app.sandwich = (name, panel) => app.step(Object.assign({ sandwich: name, zoom: [], reversed: false },
		settings.mode === 'multiples' && app.sides.has(panel.tree) ? { position: app.sides.get(panel.tree) }
			: {}));

	const frameActs = {
		zoom: (panel, frame) => panel.zoomTo(frame),
		sandwich: (panel, frame, name) => app.sandwich(name, panel),
		drop: dropped,
		find: (panel, frame, name) => app.setSearch(pyrograph.search.exactly(P.baseName(name))),
		copyName: (panel, frame) => app.copy(panel.nameOf(frame), 'name'),
		copyStack: (panel, frame) => app.copy(T.stackOf(panel.tree, app.names, frame).join(';'), 'stack'),
		copyLines: (panel, frame) => app.copy(T.foldedLines(panel.tree, app.names, frame, ''), 'folded lines'),
		open: (panel, frame) => {
			const link = app.attributesOf(panel, frame);

			window.open(link.href, link.target || '_blank', 'noopener');
		},
	};
	for (const kind of ['hide', 'exclude', 'include']) {
		frameActs[kind] = (panel, frame, name) => app.addFilter({ kind: kind, pattern: name, exact: true,
			ignoreCase: false });
	}

	/* Runs an action on a frame; by default on the frame under the pointer or the one that the keys are at,
	 * whichever of the two moved last. */
	app.frameAct = (id, panel, frame) => {
		if (!panel)
			({ panel, frame } = app.pointed || (app.cursor.panel ? app.cursor
				: app.seen(app.zoom)));
		if (frame < 0 || (!frame && !/^(zoom|copy)/.test(id)))
			return;
		frameActs[id](panel, frame, app.names[panel.tree.name[frame]]);
	};

	app.openFrameMenu = (panel, frame, x, y) => {
		const act = (id, label, key, more) => Object.assign({ label: label, key: key,
			run: () => app.frameAct(id, panel, frame) }, more);
		const root = !frame, link = app.attributesOf(panel, frame);
		const folded = app.foldedAt(panel, frame);
		const items = [{ heading: app.ruler.fit(panel.nameOf(frame), 230, 1, 'middle') },
			...folded ? [{ label: 'Open its ' + folded.count + ' frames', key: 'E', run: () =>
				app.step({ opened: true }) }] : [],
			act('zoom', 'Zoom', 'Enter'), act('sandwich', 'Callers and callees', 'S', { disabled: root }),
			act('find', 'Search for its name', 'F', { disabled: root }), { line: true },
			act('drop', 'Hide this subtree', 'Del', { disabled: root || !canDrop(panel) }),
			act('hide', 'Hide all of this name', 'H', { disabled: root }),
			act('exclude', 'Leave out stacks with it', 'X', { disabled: root }),
			act('include', 'Keep only stacks with it', 'Shift+X', { disabled: root }), { line: true },
			act('copyName', 'Copy name', 'Y'), act('copyStack', 'Copy stack', 'Shift+Y'),
			act('copyLines', 'Copy folded lines from here', '')];

		if (link && link.href)
			items.push({ line: true }, act('open', 'Open ' + app.ruler.fit(link.href, 180, 1, 'middle'),
				''));
		app.menu.open(items, x, y, 'Frame ' + panel.nameOf(frame));
	};
	app.menuOfCursor = () => {
		const { panel, frame } = app.cursor.panel && app.cursor.frame >= 0 ? app.cursor
			: app.seen(app.zoom);
		const box = panel.graph.getBoundingClientRect(), at = panel.place(frame);

		openAt(panel, frame, box.left + at.x + Math.min(at.w / 2, 40), box.top + at.y + 10);
	};
	function openAt(panel, frame, x, y) {
		app.moveTo(panel, frame);
		app.openFrameMenu(panel, frame, x, y);
	}

	app.resetAll = () => app.step({ zoom: [], filters: [], sandwich: null, reversed: false, variants: false,
		generated: false, recursion: '', diff: null, span: null, idle: false, opened: false, mine: false,
		quiet: false, unnamed: false, wall: null });
};
/* layered: the controls of profiles with several layers: the sides of a differential, or the windows of an
 * animation; and those for a part of all the time of threads (known.js). */
pyrograph.ui.layered = function (app) {
	'use strict';

	const D = pyrograph.ui.dom, N = pyrograph.number, LY = pyrograph.layers, settings = app.settings;
	const bar = app.page.layers, SPEEDS = [0.5, 1, 2, 4, 8], WINDOW_MS = 500;
	const SIDES = [['union', 'Both', 'All frames of both, each as wide as its wider side'],
		['base', 'Base', 'Only the first profile'], ['new', 'New', 'Only the second profile'],
		['gone', 'Gone', 'Only what the new profile lacks'],
		['added', 'Added', 'Only what the base profile lacks']];
	const { choice, segment } = app.controls;

	/* ---- differential ---- */

	const show = () => app.view.diff && app.view.diff.show || 'union';

	const setDiff = (change) => app.step({ diff: Object.assign({ show: show(), by: app.diffBy() }, change) });

	app.nextSide = () => {
		const at = SIDES.findIndex(([side]) => side === show());

		setDiff({ show: SIDES[(at + 1) % SIDES.length][0] });
	};
	app.nextDelta = () => setDiff({ by: app.diffBy() === 'total' ? 'self' : 'total' });

	function diffBar() {
		const noise = D.html('span', { 'class': 'quiet' });
		const threshold = settings.threshold === undefined ? 0.001 : settings.threshold;

		noise.textContent = settings.chance
			? 'Differences of one sample are noise: what is within chance, or below ' +
				pyrograph.number.percentText(threshold, 1) + ' of the whole, is grey'
			: 'changes below ' + pyrograph.number.percentText(threshold, 1) + ' of the whole are left grey';
		bar.append(segment('Side', ...SIDES.map(([side, label, tip]) =>
			choice(label, tip, () => side === show(), () => setDiff({ show: side })))),
		D.html('span', { 'class': 'quiet' }, 'change by'), segment('Change by', ...['total', 'self'].map((by) =>
			choice(by, 'Change of the frame ' + (by === 'total' ? 'and all that it calls' : 'itself'),
				() => app.diffBy() === by, () => setDiff({ by: by })))), noise);
	}

	/* ---- animation ---- */

	function animateBar() {
		const windows = LY.windows(settings), last = settings.layers.length - 1;
		const range = D.html('input', { type: 'range', min: -1, max: last, step: 1,
			'aria-label': 'Window of time' });
		const label = D.html('span', { 'class': 'window', role: 'status' });
		const play = D.button('play', 'Play', 'Play or pause (Space)', () => app.play(), { icon: 'play' });
		let timer = 0, speed = 1;
		const speedButton = D.html('button', { type: 'button', title: 'Speed', onclick: () => {
			speed = SPEEDS[(SPEEDS.indexOf(speed) + 1) % SPEEDS.length];
			speedButton.textContent = speed + '\u00d7';
			if (timer)
				run();
		} }, '1\u00d7');
		const all = D.html('button', { type: 'button', title: 'All windows together',
			onclick: () => app.step({ position: null }) }, 'All');
		const position = () => app.view.position === null ? -1 : app.view.position;

		function run() {
			clearInterval(timer);
			timer = setInterval(() => { /* the link is written later, as browsers refuse to change it
						     * often */
				app.view.position = position() >= last ? 0 : position() + 1;
				app.refresh();
			}, WINDOW_MS / speed);
		}
		function stop() {
			clearInterval(timer);
			timer = 0;
		}
		function dressPlay() {
			play.replaceChildren(D.icon(timer ? 'pause' : 'play'));
			play.setAttribute('aria-label', timer ? 'Pause' : 'Play');
		}
		app.play = () => {
			if (timer) {
				stop();
				app.touch({});
			} else {
				run();
			}
			dressPlay();
		};
		app.stepWindow = (step) => {
			stop();
			dressPlay();
			app.touch({ position: (position() + step + last + 1) % (last + 1) });
		};
		range.addEventListener('input', () => {
			stop();
			dressPlay();
			app.touch({ position: Number(range.value) < 0 ? null : Number(range.value) });
		});
		bar.append(D.button('step-back', 'One window back', 'One window back (,)', () => app.stepWindow(-1),
			{ icon: 'stepBack' }), play, D.button('step', 'One window forward', 'One window forward (.)',
			() => app.stepWindow(1), { icon: 'step' }), range, label, speedButton, all);
		app.onchange(() => {
			const at = position();

			range.value = at;
			all.setAttribute('aria-pressed', String(at < 0));
			label.textContent = windowText(windows, at) + ' \u00b7 ' +
				N.valueText(settings, app.whole.total[0]) +
				(app.missing ? ' \u00b7 not here: ' + app.missing : '');
			label.classList.toggle('wrong', Boolean(app.missing));
			range.setAttribute('aria-valuetext', label.textContent);
		});
	}

	/* "10:15:02.000 to 10:15:03.000 (3 of 12)". */
	function windowText(windows, at) {
		const clock = (text) => text ? text.replace(/^.*T/, '').replace(/(\.\d{3})\d*Z$/, '$1') : '';
		const of = settings.layers.length;

		if (at < 0)
			return 'all ' + of + ' windows';
		return (windows[at] && windows[at].start ? clock(windows[at].start) + ' \u2013 ' +
			clock(windows[at].end)
			: settings.layers[at].name) + ' (' + (at + 1) + ' of ' + of + ')';
	}

	/* ---- all the time of threads ---- */

	const TIMES = [[null, 'All', 'All the time of the threads'], ['on', 'On-CPU', 'Only time in which they ran'],
		['off', 'Off-CPU', 'Only time in which they were blocked, or waited for a CPU']];

	app.nextWall = () => {
		const at = TIMES.findIndex(([part]) => part === app.view.wall);

		app.step({ wall: TIMES[(at + 1) % TIMES.length][0] });
	};

	function wallBar() {
		bar.append(segment('Time', ...TIMES.map(([part, label, tip]) =>
			choice(label, tip + ' (W)', () => part === app.view.wall, () => app.step({ wall: part })))));
		bar.hidden = false;
	}

	if (settings.wall)
		wallBar();

	/* Two metrics need no controls, since their legend and the tips say everything. */
	const bars = { diff: diffBar, animate: animateBar };

	if (settings.layers && bars[settings.mode]) {
		bars[settings.mode]();
		bar.hidden = false;
	}
};
/* legend: what the colours of a flame graph mean. */
pyrograph.ui.legend = function (app) {
	'use strict';

	const D = pyrograph.ui.dom;

	app.onchange(() => {
		const { waits, wall, legend } = app.settings, scheme = app.schemeOf(app.tree);
		const drawn = app.colourMode() === 'name' && !waits && !wall && legend;

		app.legend = !drawn || !drawn.length ? scheme.legend : !app.view.safe ? drawn
			: drawn.map(([colour, label]) => [pyrograph.colour.safeColour(colour), label]);
		app.page.legend.hidden = !app.legend.length;
		app.page.legend.replaceChildren(scheme.scale ? D.html('span', { 'class': 'quiet' }, scheme.scale) : '',
			...app.legend.map(([colour, label]) => {
				const dot = D.html('span', { 'class': 'dot' });

				dot.style.background = colour;
				return D.html('span', { 'class': label ? 'legend-item' : 'legend-item joined' }, dot,
					label);
			}));
	});
};
/* export: the view as a picture without script, and as folded lines. */
pyrograph.ui.export = function (app) {
	'use strict';

	const D = pyrograph.ui.dom, T = pyrograph.transform, { fontSize, pad } = app.settings;
	const EDGE = 8, LINE = 1.35;

	/* The changes to the view, in words. */
	const said = () => [app.zoom ? 'Zoomed: ' + T.stackOf(app.tree, app.names, app.zoom).join(' \u203a ') : '',
		...app.searches.filter((s) => s.match).map((s) => 'Matched: ' + s.pattern + ', ' + app.matchedShare(s)),
		...app.controls.texts('.of-filter, .of-idle')];

	function copyOfFrames({ frames }, label, theme) {
		const g = frames.cloneNode(true), isDark = app.isDark();

		for (const e of g.children) {
			const isParent = e.getAttribute('class') === 'parent';

			if (e.localName === 'text')
				e.setAttribute('fill', isParent && isDark ? theme.ink : label);
			else if (isParent)
				e.setAttribute('opacity', isDark ? '0.4' : '0.55');
		}
		return pyrograph.ui.picture.plain(g, theme);
	}

	function drawPanel(out, panel, y, width, theme) {
		const drawn = panel.picture(), style = getComputedStyle(panel.graph);

		if (panel.title) {
			y += fontSize * LINE;
			D.svg('text', { x: pad, y: y, fill: theme.ink, 'font-weight': 'bold' }, out).textContent =
				app.ruler.fit(panel.title.textContent, width - 2 * pad, 1, 'right');
			y += EDGE / 2;
		}
		const g = copyOfFrames(drawn, style.getPropertyValue('--label') || '#000', theme);

		g.setAttribute('transform', 'translate(0,' + y + ')');
		out.appendChild(g);
		return y + drawn.height + EDGE;
	}

	pyrograph.ui.picture(app, { said, legend: () => app.legend || [],
		width: () => Number(app.panels[0].graph.getAttribute('width')) || app.drawnWidth,
		draw: (out, y, width, theme) => app.shownPanels().reduce((top, panel) =>
			drawPanel(out, panel, top, width, theme), y) });

	/* "# pyrograph: host=db1 ...": the origin of the profile, as in folded text. */
	function header() {
		const source = app.source || {}, words = [];

		for (const key of ['host', 'event', 'rate', 'start', 'end', 'from', 'to', 'kernel', 'lost', 'unit']) {
			if (typeof source[key] === 'string' && /^[\x21-\x7e]+$/.test(source[key]))
				words.push(key + '=' + source[key]);
		}
		return words.length ? '# pyrograph: ' + words.join(' ') : '';
	}
	app.copyFolded = () => app.copy(T.foldedLines(app.tree, app.names, app.zoom, header()),
		'folded lines of the view');
};
/* flame_keys: the arrow keys walk from frame to frame; the other keys are in actions.js. */
pyrograph.ui.flameKeys = function (app) {
	'use strict';

	function widestChild(tree, frame, zoom) {
		let best = frame;

		if (frame < zoom) /* the zoomed frame stands on this one, so go back towards it */
			return tree.end[frame] > zoom ? towards(tree, frame, zoom) : frame;
		for (let c = frame + 1; c < tree.end[frame]; c = tree.end[c]) {
			if (best === frame || tree.total[c] > tree.total[best])
				best = c;
		}
		return best;
	}

	function towards(tree, frame, below) {
		let c = frame + 1;

		while (c < tree.end[frame] && tree.end[c] <= below)
			c = tree.end[c];
		return c;
	}

	function sibling(tree, frame, step) {
		const parent = tree.parent[frame];
		let before = frame;

		if (!frame)
			return frame;
		if (step > 0)
			return tree.end[frame] < tree.end[parent] ? tree.end[frame] : frame;
		for (let c = parent + 1; c < frame; c = tree.end[c])
			before = c;
		return before;
	}

	/* The widest child of a hidden frame; if it has none, the nearest frame below that is drawn. */
	function drawnChild(tree, frame, isHidden) {
		let at = frame;

		if (widestChild(tree, frame, 0) !== frame)
			return widestChild(tree, frame, 0);
		while (isHidden(at))
			at = tree.parent[at];
		return at;
	}

	function move(key) {
		const panel = app.cursor.panel || app.firstPanel(), tree = panel.tree;
		const away = app.isInverted() ? 'ArrowDown' : 'ArrowUp';
		const from = app.cursor.frame < 0 ? panel.zoom : app.cursor.frame;
		let to;

		const isHidden = (frame) => Boolean(panel.fold && panel.fold.hidden[frame]);

		if (key === 'ArrowLeft' || key === 'ArrowRight')
			to = from === panel.zoom ? from : sibling(tree, from, key === 'ArrowRight' ? 1 : -1);
		else
			to = key === away ? widestChild(tree, from, panel.zoom) : tree.parent[from];
		while (isHidden(to)) /* the next one that is drawn */
			to = key === away || /Left|Right/.test(key) ? drawnChild(tree, to, isHidden)
				: tree.parent[to];
		app.moveTo(panel, to);
	}

	/* A reader who came by a link has no step to undo, so Esc leaves the link's zoom, and after that its
	 * searches. */
	function undo() {
		if (app.host)
			app.host.leave();
		else if (app.links.undo())
			return true;
		else if (app.zoom || app.view.sandwich)
			app.step({ zoom: [], sandwich: null });
		else
			app.clearSearches();
		return true;
	}

	app.target = () => app.cursor.panel && app.cursor.frame >= 0 ? app.cursor : null;
	pyrograph.ui.keys(app, { move, undo, page: (pages) => (app.cursor.panel || app.firstPanel()).page(pages),
		choose: ({ panel, frame }) => app.enter(panel, frame) });
};
/* links: keeps the view in the page's address, so that Back undoes steps (history.js).  Each zoom and each filter is a
 * step; a search is not. */
pyrograph.ui.links = function (app) {
	'use strict';

	const A = pyrograph.address, host = app.host, alone = !host && app.svg === document.documentElement;

	/* The members of a view that Back and Forward change.  The others stay as they are: searches, table,
	 * theme and colours. */
	const STEPS = ['zoom', 'callersZoom', 'filters', 'order', 'inverted', 'reversed', 'sandwich', 'variants',
		'generated', 'unnamed', 'recursion', 'diff', 'span', 'idle', 'opened', 'mine', 'quiet'].concat(
		app.settings.mode === 'multiples' ? ['position'] : []);

	const stay = Object.keys(A.emptyView()).filter((key) => !STEPS.includes(key));

	pyrograph.ui.history(app, { address: { encode: A.encodeView, decode: A.decodeView }, stay: stay, host: host,
		adopted: (isStep) => isStep || app.adoptSearches() });
	const { read } = app.links;

	/* Links of flamegraph.pl identify a frame by its coordinates. */
	app.links.read = () => {
		const old = alone && /[?&][xy]=/.test(location.search)
			? A.frameOfOld(app.base, location.search.slice(1), {}) : -1;

		read();
		if (old > 0)
			app.zoomTo(old);
	};
};
/* list: a list with a filter, and heads that sort it; only the rows in the window exist as elements.
 *
 * pyrograph.ui.list({ placeholder, filterLabel, heads: [[key, label, tip], ...], sort, active, rowOf(at), arrange() })
 *     -> { filter, count, top, head, heads, element, sort: { key, down }, show(length), draw(), reveal(at),
 *     pageRows(), indexOf(event) }
 *     arrange  called when the filter or the sort has changed; must call show()
 *     rowOf    -> the element of a row; active: a selector for the row that the keys are at
 *     top      the element above the heads: the filter, and the count beside it */
pyrograph.ui.list = function (how) {
	'use strict';

	const D = pyrograph.ui.dom, ROW = 22, MARGIN = 20, { placeholder, filterLabel, rowOf, arrange, active } = how;
	const filter = D.html('input', { type: 'text', placeholder: placeholder, spellcheck: 'false',
		autocapitalize: 'off', autocomplete: 'off', 'aria-label': filterLabel });
	const count = D.html('span', { 'class': 'table-count' });
	const spacer = D.html('div', { 'class': 'table-rows', role: 'none' });
	const element = D.html('div', { 'class': 'table-scroll', tabindex: '0', role: 'listbox' }, spacer);
	const heads = Object.fromEntries(how.heads.map(([key, label, tip]) => [key, D.html('button', { type: 'button',
		'class': 'head-' + key, title: tip, onclick: () => {
			list.sort = { key: key, down: list.sort.key === key ? !list.sort.down : key !== 'name' };
			arrange();
		} }, label)]));
	const list = { filter, count, heads, element, sort: { key: how.sort, down: true },
		top: D.html('div', { 'class': 'table-top' }, filter, count),
		head: D.html('div', { 'class': 'table-head' }, ...Object.values(heads)) };
	let length = 0;

	function draw(from, to) {
		const fresh = [];

		for (let at = from; at < to; at++) {
			const row = rowOf(at);

			row.dataset.row = at;
			row.style.top = at * ROW + 'px';
			fresh.push(row);
		}
		spacer.style.height = length * ROW + 'px';
		spacer.replaceChildren(...fresh);
		const now = spacer.querySelector(active);

		if (now)
			element.setAttribute('aria-activedescendant', now.id);
		else
			element.removeAttribute('aria-activedescendant');
	}

	const rows = pyrograph.ui.windowed({}, element, { draw, pitch: () => ROW, margin: MARGIN,
		rowsIn: (top, end) => [Math.max(0, Math.floor(top / ROW)), Math.min(length, Math.ceil(end / ROW))] });

	list.show = (now) => {
		length = now;
		for (const key in heads) {
			heads[key].setAttribute('aria-pressed', String(key === list.sort.key));
			heads[key].dataset.sort = key !== list.sort.key ? '' : list.sort.down ? 'down' : 'up';
		}
		rows.paint();
	};
	list.draw = rows.paint;
	list.reveal = (at) => rows.reveal(at * ROW);
	list.pageRows = () => Math.max(1, Math.floor(element.clientHeight / ROW) - 1);
	/* The row in which an event happened, or -1. */
	list.indexOf = ({ target }) => {
		const row = target.closest('.row');

		return row ? Number(row.dataset.row) : -1;
	};

	element.addEventListener('scroll', rows.paintIfNeeded);
	filter.addEventListener('input', arrange);
	filter.addEventListener('keydown', (event) => {
		if (event.key === 'Escape' && filter.value) {
			filter.value = '';
			arrange();
		} else if (event.key === 'Escape' || event.key === 'ArrowDown') {
			element.focus({ preventScroll: true });
		} else {
			return;
		}
		event.preventDefault();
		event.stopPropagation();
	});
	return list;
};
/* table: a table of functions beside the graph, by self or total: the functions in the zoomed frame, in a
 * sandwich's callees, or in one of several profiles.  Shares are of all, as everywhere.  Only the rows in the
 * window exist as elements. */
pyrograph.ui.table = function (app) {
	'use strict';

	const D = pyrograph.ui.dom, P = pyrograph.profile, N = pyrograph.number, S = pyrograph.search;
	let table = null, rows = [], selected = -1;
	const wrong = D.html('span', { 'class': 'wrong', role: 'alert' });
	const about = D.html('div', { 'class': 'table-about' });
	const profiles = D.html('select', { 'aria-label': 'Profile', hidden: true, onchange: () => app.refresh() },
		...(app.settings.layers || []).map((layer, k) => D.html('option', { value: String(k) }, layer.name)));
	let shownOf = null, shownZoom = -1; /* the tree and the zoom that `table` was made from */
	let of = app.panels[0];         /* the panel whose functions are shown */
	const list = pyrograph.ui.list({ placeholder: 'Filter functions',
		filterLabel: 'Filter functions, a regular expression', sort: 'self', active: '[aria-selected="true"]',
		heads: [['self', 'Self', 'In the function itself'],
			['total', 'Total', 'In the function and all that it calls; recursion counts once'],
			['name', 'Function', 'By name']], rowOf, arrange });

	list.element.setAttribute('aria-label', 'Functions');
	list.top.append(profiles);
	app.page.aside.setAttribute('aria-label', 'Functions');
	app.page.aside.append(list.top, wrong, about, list.head, list.element);

	let waits = false;              /* whether the answer to a slow pattern is still to come */

	/* Filters and sorts the rows. */
	function arrange() {
		const { filter, sort } = list, found = S.matcher(app.names, filter.value, true);

		waits = found.waits;
		filter.classList.toggle('invalid', Boolean(found.error));
		wrong.textContent = found.error || '';
		rows = of.tree.total[0] && !found.error ? S.sortRows(table, app.names, sort.key, sort.down) : [];
		if (found.match)
			rows = rows.filter((row) => found.match[table.name[row]]);
		list.count.textContent = rows.length.toLocaleString('en');
		list.element.scrollTop = 0;
		list.show(rows.length);
	}

	function cell(className, value) {
		const whole = of.whole ? of.whole() : of.tree.total[0], share = value / whole;
		const bar = D.html('span', { 'class': 'bar' });
		const e = D.html('span', { 'class': className, title: N.exactText(app.settings, value) }, bar,
			D.html('span', {}, N.percentText(value, whole)));

		bar.style.width = (share * 100).toFixed(2) + '%';
		return e;
	}

	function rowOf(i) {
		const row = rows[i], name = P.baseName(app.names[table.name[row]]);
		const e = D.html('div', { 'class': 'row', role: 'option', 'aria-selected':
			String(table.name[row] === selected), title: name }, cell('c-self', table.self[row]),
		cell('c-total', table.total[row]), D.html('span', { 'class': 'c-name' }, name));

		e.id = (app.prefix || '') + 'function-' + table.name[row];
		return e;
	}

	/* Marks all frames of a row's function, and goes to the widest one. */
	function select(i) {
		const row = rows[i];

		selected = table.name[row];
		app.picked = selected;
		app.refresh();
		app.moveTo(of, table.widest[row]);
		app.showSums(of, table.widest[row], { frames: table.frames[row], total: table.total[row],
			self: table.self[row] });
		list.draw();
	}

	function sandwich(i) {
		const name = app.names[table.name[rows[i]]];

		app.picked = selected = -1;
		app.sandwich(name, of);
	}

	/* There is no dblclick event, because the first click replaces all rows. */
	list.element.addEventListener('click', (event) => {
		const i = list.indexOf(event);

		if (i >= 0)
			(event.detail > 1 ? sandwich : select)(i);
	});
	list.element.addEventListener('contextmenu', (event) => {
		const i = list.indexOf(event);

		event.preventDefault();
		if (i < 0)
			return;
		select(i);
		app.openFrameMenu(of, table.widest[rows[i]], event.clientX, event.clientY);
	});
	list.element.addEventListener('keydown', (event) => {
		const at = Array.from(rows).findIndex((row) => table.name[row] === selected);
		const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];

		if (step && rows.length) {
			const to = Math.max(0, Math.min(rows.length - 1, at + step));

			select(to);
			list.reveal(to);
		} else if (event.key === 'Enter' && at >= 0) {
			of.zoomTo(table.widest[rows[at]]);
		} else if (event.key === 's' && at >= 0) {
			sandwich(at);
		} else {
			return;
		}
		event.preventDefault();
		event.stopPropagation();
	});

	/* "Shares of all; functions of the zoomed frame only" */
	function describe() {
		const where = app.callers ? '; callees of the function' : of.zoom ? '; functions in the zoomed frame'
			: '';
		const isUnion = app.settings.mode === 'diff' && !(app.view.diff && app.view.diff.show !== 'union');

		profiles.hidden = of === app.panels[0];
		about.textContent = (isUnion ? 'Shares of the width: the wider side of each' : 'Shares of all') +
			(profiles.hidden ? '' : ' of ' + of.graph.getAttribute('aria-label')) + where;
	}

	app.onchange(() => {
		const open = Boolean(app.view.table);

		if (app.page.aside.hidden === open) {
			app.page.aside.hidden = !open;
			app.page.element.classList.toggle('with-table', open);
			app.page.resize();
			app.drawAll();
		}
		if (!open)
			return;
		const shown = app.shownPanels();

		of = shown[0] === app.panels[0] ? shown[0] : shown[profiles.selectedIndex] || shown[0];
		describe();
		if (waits || shownOf !== of.tree || shownZoom !== of.zoom) {
			shownOf = of.tree;
			shownZoom = of.zoom;
			table = S.functions(of.tree, app.names, of.zoom);
			arrange();
		} else {
			list.draw();
		}
	});
};
/* flame: makes a flame graph interactive in a browser.
 *
 * At first, the picture that C drew is on the screen; then the profile in the file is decoded, and the visible frames
 * are drawn from it.
 *
 * open(svg, host) -> app: a flame graph in the page.  Without a host it is the graph in svg: it takes the
 *     place of svg, and the address has its view.  With a host, the graph is a part of another picture, which may
 *     contain several graphs; app.replace (view.js) gives it another profile, and app.links.show(text) another
 *     view.  host:
 *         settings, source      as in the metadata of a flame graph
 *         names, colours, tree  as profile.js decodes them
 *         heading               [{ className, text, size }, ...]: the title, then notes
 *         view                  the view at first, as text
 *         place                 the element that the graph fills
 *         boxes                 an element as large as the host's page, for menus and tips; or null
 *         isDark()              whether the theme is dark
 *         saved(isStep)         called when app.view has changed (address.js makes text of it)
 *         undo()                undoes the last step, of host or graph -> whether there was one
 *         leave()               called when the host gets the keys back
 *         link()                the address of what is shown, or null
 *         viewItems()           further items for the menu of the view (menu.js)
 * In the SVG of a flame graph, this file calls open(); in that of a heat map or a timeline, the host's script does. */
pyrograph.flame = (function () {
	'use strict';

	const P = pyrograph.profile, { ui } = pyrograph;
	const PARTS = ['view', 'slow', 'page', 'foot', 'stage', 'compare', 'tip', 'details', 'menu', 'commands',
		'controls', 'toolbar', 'find', 'actions', 'layered', 'help', 'legend', 'save', 'export', 'flameKeys',
		'links', 'table', 'differential'];

	/* Reads the data in an SVG. */
	function read(picture) {
		const { json, joined } = ui.contents(picture), settings = json('#flame-settings');

		return { settings: settings, source: json('#pyrograph'),
			names: P.decodeNames(joined('flame-names'), settings.names),
			colours: P.decodeColours(joined('flame-colours'), settings.names),
			tree: P.decodeTree(joined('flame-tree'), settings) };
	}

	/* The tree without the stacks that are left out at first (shown.h). */
	function withoutIdle(tree, settings) {
		const self = tree.self.slice();

		for (const [frame, value] of settings.idle.self)
			self[frame] -= value;
		return pyrograph.transform.reweigh(tree, self);
	}

	function open(picture, host = null) {
		const { settings, source, names, colours, tree } = host || read(picture);
		const app = { svg: picture, host: host, settings: settings, source: source, baseNames: names,
			names: names, colours: colours, base: tree, prefix: '' };

		app.withIdle = tree;
		app.withoutIdle = settings.idle ? withoutIdle(tree, settings) : tree;
		app.base = app.withoutIdle;

		if (host) { /* ids refer to elements of this picture only */
			pyrograph.embedded = (pyrograph.embedded || 0) + 1;
			app.prefix = 'flame' + pyrograph.embedded + '-';
		}
		for (const part of PARTS)
			ui[part](app);
		ui.open(app);
		app.panels.forEach((panel) => panel.showRoot());
		return app;
	}

	ui.start((svg) => svg.querySelector('#flame-settings') && open(svg));
	return { open };
})();
/* lanes_data: the values that travel inside a picture of lanes (render/lanes/lanes_strip.c has the format).  Pure.
 *
 * decode(settings, text) -> lanes, by number: { name, shown, unit, decimals, rgb, from, to, limit, drops, isEvent,
 *     isSilent, time, value }: time and value are Float64Arrays; times are in ns from the window's start
 * at(settings, lane, ns)   -> the number of the point whose value holds at that moment, or -1
 * columns(settings, lane, from, to, count) -> { least, most }: Float64Arrays by column of [from, to); NaN: not known
 * valueText(lane, value), nameText(name) */
pyrograph.lanes = {};

pyrograph.lanes.data = (function () {
	'use strict';

	const N = pyrograph.number, { plainName } = pyrograph.profile;

	const nameText = (name) => plainName(name).replace(/^lane;/, '').replace(/;/g, ' ');

	function decode(settings, text) {
		const lines = text.split('\n');

		return settings.lanes.map(([name, unit, decimals, rgb, from, to, limit, drops, isEvent, isSilent],
			i) => {
			const numbers = lines[i] ? lines[i].split(' ').map(Number) : [], count = numbers.length >> 1;
			const time = new Float64Array(count), value = new Float64Array(count);

			for (let k = 0, ns = 0; k < count; k++) {
				ns += numbers[2 * k];
				time[k] = ns;
				value[k] = numbers[2 * k + 1];
			}
			return { name, shown: nameText(name), unit: plainName(unit), decimals, rgb, from, to, limit,
				drops, isEvent: Boolean(isEvent), isSilent: Boolean(isSilent), time, value };
		});
	}

	/* The number of the first point after ns. */
	function after({ time }, ns) {
		let low = 0, high = time.length;

		while (low < high) {
			const middle = low + high >> 1;

			if (time[middle] <= ns)
				low = middle + 1;
			else
				high = middle;
		}
		return low;
	}

	/* The time until which the value of a point holds: that of the next point, or that at which it should have been
	 * repeated. */
	function endOf(settings, lane, i) {
		const next = i + 1 < lane.time.length ? lane.time[i + 1] : settings.window;

		if (lane.isEvent)
			return lane.time[i];
		return lane.isSilent ? next : Math.min(next, lane.time[i] + settings.known);
	}

	function at(settings, lane, ns) {
		const i = after(lane, ns) - 1;

		return i >= 0 && (ns <= endOf(settings, lane, i)) ? i : -1;
	}

	function columns(settings, lane, from, to, count) {
		const least = new Float64Array(count).fill(NaN), most = new Float64Array(count).fill(NaN);
		const columnOf = (ns) => Math.floor((ns - from) / (to - from) * count);

		for (let i = Math.max(0, after(lane, from) - 1); i < lane.time.length && lane.time[i] < to; i++) {
			const end = endOf(settings, lane, i), value = lane.value[i];

			if (end < from)
				continue;
			for (let k = Math.max(0, columnOf(lane.time[i])); k <= columnOf(end) && k < count; k++) {
				least[k] = least[k] <= value ? least[k] : value;
				most[k] = most[k] >= value ? most[k] : value;
			}
		}
		return { least, most };
	}

	const valueText = ({ unit, decimals }, value) => (decimals && unit !== 'ns' && unit !== 'bytes'
		? N.quantityText(value, Math.pow(10, decimals)) + ' ' + unit
		: N.valueText({ unit, decimals, factor: 1 }, value)).trim();

	return { decode, at, columns, after, valueText, nameText };
})();
/* lanes_draw: draws a lane as shapes in a row, and describes its values in a few words, for charts of lanes and for
 * lanes below a heat map.  lanes_strip.c draws the same.
 *
 * A box is where a lane is drawn: { from, to: ns; x, bar, top, high: px }; a column is 1 px wide.
 *
 * marks(parent, settings, lanes, number, box)      draws the lane with its limit and what it dropped
 * noteOf(settings, lanes, number, from, to) -> "0 to 207.5 KiB, limit 208 KiB" of that time; "" if nothing is known */
pyrograph.lanes.draw = (function () {
	'use strict';

	const D = pyrograph.ui.dom, L = pyrograph.lanes.data, INSET = 3, LINE = 1.25, EVENT_H = 6, ALARM = '#d0362a';
	const px = (n) => String(Math.round(n * 100) / 100);

	/* The distance of a value from the top of a row. */
	function yOf({ from, to }, high, value) {
		const part = Math.min(1, Math.max(0, (value - from) / (to - from)));

		return INSET + (1 - part) * (high - 2 * INSET);
	}

	/* [fill, line]: the paths of a lane, on the scale of another lane. */
	function paths(settings, lane, scale, { from: begin, to: end, x: left, bar, top, high: rowHigh }) {
		const { least, most } = L.columns(settings, lane, begin, end, bar), bottom = top + rowHigh - INSET;
		let fill = '', line = '';

		for (let from = 0, to; from < bar; from = to) {
			const low = least[from], high = most[from];

			for (to = from + 1; to < bar && Object.is(most[to], high) && Object.is(least[to], low);)
				to++;
			if (Number.isNaN(low))
				continue;
			const x = px(left + from), wide = to - from, y = top + yOf(scale, rowHigh, high);

			if (y < bottom)
				fill += `M${x} ${px(y)}h${wide}V${px(bottom)}h${-wide}z`;
			line += `M${x} ${px(y - LINE / 2)}h${wide}` +
				`v${px(top + yOf(scale, rowHigh, low) - y + LINE)}h${-wide}z`;
		}
		return [fill, line];
	}

	/* Marks where something was dropped. */
	function events(settings, lane, { from, to, x, bar, top }) {
		const { most } = L.columns(settings, lane, from, to, bar);
		let d = '';

		most.forEach((value, i) => {
			if (value > 0)
				d += `M${px(x + i - 0.5)} ${px(top + INSET)}h2v${EVENT_H}h-2z`;
		});
		return d;
	}

	function marks(parent, settings, lanes, number, box) {
		const lane = lanes[number], [fill, line] = paths(settings, lane, lane, box);

		D.svg('path', { 'class': 'lane-fill', d: fill, fill: lane.rgb, 'fill-opacity': 0.35 }, parent);
		D.svg('path', { 'class': 'lane-line', d: line, fill: lane.rgb }, parent);
		if (lane.limit >= 0)
			D.svg('path', { 'class': 'limit', d: paths(settings, lanes[lane.limit], lane, box)[1],
				fill: ALARM }, parent);
		if (lane.drops >= 0)
			D.svg('path', { 'class': 'event', d: events(settings, lanes[lane.drops], box), fill: ALARM },
				parent);
	}

	/* An earlier value counts if it still holds. */
	function noteOf(settings, lanes, number, from, to) {
		const lane = lanes[number], held = L.at(settings, lane, from), limit = lanes[lane.limit];
		const some = lane.value.subarray(held < 0 ? L.after(lane, from) : held, L.after(lane, to - 1));

		if (!some.length)
			return '';
		const least = some.reduce((a, b) => Math.min(a, b)), most = some.reduce((a, b) => Math.max(a, b));
		const range = least === most ? L.valueText(lane, most)
			: (least ? L.valueText(lane, least) : '0') + ' to ' + L.valueText(lane, most);

		const limited = limit && limit.value.length ? ', limit ' + L.valueText(limit, limit.value.at(-1)) : '';

		return range + limited + (lane.from ? ', axis from ' + L.valueText(lane, lane.from) : '');
	}

	return { marks, noteOf, INSET };
})();
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
/* heat_axes: the axes of a heat map, by the rules of grid.h, and the cells to which events and spans of time belong;
 * all results are exact.  Needs data.js.
 *
 * make(settings, want), spanFor(), rowsFor(), finer(), finest(), columnNs(), rowBorder(), rowOf(), cellAt(): see
 * grid.js eachCell(data, settings, axes, take)  calls take(cell, i, end) for each cell that has events: events i to
 *                                 end - 1.  With a y other than "offset", for each column instead
 * painter(axes, cells)         -> .add(from, to, row, weight) adds a span of ns to the cells: with y "offset" to
 *                                 the rows that the span covers, otherwise to row; .finish() ends
 * ofColumns(axes)              -> axes with y "offset" and one row, so that a cell is a whole column
 * USE_WHOLE                    100 % of a CPU, in the unit of the row borders of y "utilization" */
pyrograph.heat.axes = (function () {
	'use strict';

	const D = pyrograph.heat.data;
	const COLUMN_PX = 3, SEC = 1e9, MINUTE = 60 * SEC, HOUR = 60 * MINUTE, DAY = 24 * HOUR, USE_WHOLE = 10000,
		USUAL = 50, ROW_TICKS = 20;
	const SHORT = [500e6, 200e6, 100e6, 50e6, 20e6, 10e6, 5e6, 2e6, 1e6, 500e3, 200e3, 100e3], SHORT_COLUMNS = 16,
		SHORT_SAMPLES = 5;
	const LADDER = [SEC, MINUTE, 5 * MINUTE, HOUR, DAY];

	/* ---- axes ---- */

	const either = (a, b) => a === undefined || a === null ? b : a;

	/* The same as in grid.c: low * (high / low)^(row / rows); the last digits may differ. */
	function logBorder(axes, row) {
		const value = axes.low * Math.pow(axes.high / axes.low, row / axes.rows);

		return row ? Math.min(Math.ceil(value - value * 1e-12), axes.high) : axes.low;
	}

	function rowBorder(axes, row) {
		if (axes.y === 'offset')
			return 0 - D.scaled(-row, axes.period, axes.rows);
		if (axes.y === 'utilization')
			return Math.ceil(row * USE_WHOLE / axes.rows);
		if (row >= axes.rows)
			return axes.high;
		return axes.logarithmic ? logBorder(axes, row) : Math.min(axes.step * row + axes.low, axes.high);
	}

	function setValues(axes, settings, want) {
		const [low, high, logarithmic] = settings.value || ['0', '1', false];
		const drawn = want.rows === undefined && want.low === undefined && want.high === undefined;

		axes.logarithmic = either(want.logarithmic, logarithmic);
		axes.low = Math.max(either(want.low, Number(low)), axes.logarithmic ? 1 : 0);
		axes.high = Math.max(either(want.high, Number(high)), axes.low);
		axes.step = want.step || (drawn && Number(settings.step)) ||
			Math.max(1, Math.ceil((axes.high - axes.low) / axes.rows));
	}

	/* The start of the first period, which contains the window's start; it is also the start of the first column.
	 * Periods start at whole times of the zone; without a wall clock, they are counted from the window's start. */
	function firstPeriod(settings, period, zone) {
		const [begin] = settings.window, width = BigInt(period), at = BigInt(settings.origin) + BigInt(begin) +
			BigInt(either(zone, settings.zone[2]));

		return settings.relative ? begin : begin - Number((at % width + width) % width);
	}

	function make(settings, want = {}) {
		const period = want.period || Number(settings.period), perColumn = want.perColumn || settings.perColumn;
		const column = period * perColumn, [begin, end] = settings.window;
		const from = either(want.from, begin), to = Math.max(either(want.to, end), from + 1);
		const least = firstPeriod(settings, period, want.zone), count = (until) =>
			Math.floor((until - least) / column);
		const first = count(from), last = count(to - 1);
		const made = {
			y: want.y || settings.y, weigh: want.weigh || settings.weigh, period, perColumn, column,
			rows: want.rows || settings.rows, columns: last - first + 1,
			start: least + first * column, end: least + (last + 1) * column,
			least: least, most: least + (count(Math.max(end, begin + 1) - 1) + 1) * column,
		};

		setValues(made, settings, want);
		made.borders = Float64Array.from({ length: made.rows + 1 }, (unused, row) => rowBorder(made, row));
		return made;
	}

	/* A number of rows that makes no stripes, if there is one (beats.js).  A row has many ticks, or a whole number
	 * of ticks, so that rounding changes little or nothing. */
	function rowsFor(settings, period) {
		const [num, den] = settings.tick, wanted = settings.y !== 'offset' ? USUAL : period === DAY ? 96
			: period % MINUTE || period > HOUR ? USUAL : 60;
		const isFine = (rows) => period * den % (num * rows) === 0 || period * den / (num * rows) >= ROW_TICKS;

		return settings.y === 'value' || period === Number(settings.period) ? settings.rows
			: pyrograph.heat.beats.rows(settings, settings.y, period, wanted, isFine);
	}

	function spanFor(settings, from, to, width) {
		const own = Number(settings.period), most = Math.max(1, width / COLUMN_PX);
		const whole = from <= settings.window[0] && to >= settings.window[1];
		const found = LADDER.find((period) => (to - from) / period <= most) || DAY;
		const isFixed = !LADDER.includes(own) || (whole && settings.columns <= width);
		const period = isFixed ? own : found;

		return {
			period, rows: rowsFor(settings, period),
			perColumn: isFixed && whole ? settings.perColumn
				: Math.max(1, Math.ceil((to - from) / period / most)),
		};
	}

	/* ---- short periods, for zooming in far ---- */

	/* Periods that are shorter than that of settings, but still meaningful: they have some samples, and many
	 * ticks. */
	function shorter(settings) {
		const [num, den] = settings.tick, own = Number(settings.period);
		const rates = settings.spans ? [] : settings.recordings.map((r) => r.rate).filter((rate) => rate > 0);

		return settings.y === 'utilization' || own > SEC ? []
			: SHORT.filter((period) => period < own && period * den >= num * ROW_TICKS &&
			rates.every((rate) => Math.round(rate * period / SEC) >= SHORT_SAMPLES));
	}

	/* The most rows that make no stripes and have enough samples: two from each CPU in a row, or else one. */
	function rowsOfShorter(settings, period) {
		const [num, den] = settings.tick, { y } = settings, rates = settings.spans ? []
			: settings.recordings.map((r) => r.rate);
		const isRight = (rows) => (period * den % (num * rows) === 0 ||
			period * den / (num * rows) >= ROW_TICKS) &&
			!pyrograph.heat.beats.striped(settings, { y, rows, period, perColumn: 1 });

		if (y !== 'offset')
			return settings.rows;
		for (const [samples, least] of [[2, 4], [1, 2]]) {
			const most = Math.min(USUAL, ...rates.filter((rate) => rate > 0).map((rate) =>
				Math.round(rate * period / SEC / samples)));

			for (let rows = most; rows >= least; rows--) {
				if (isRight(rows))
					return rows;
			}
		}
		return 1;
	}

	const finest = (settings) => shorter(settings).pop() || Math.min(Number(settings.period),
		settings.y === 'offset' ? SEC : Infinity);

	function finer(settings, from, to) {
		const isFew = (period) => (to - from) / period < SHORT_COLUMNS,
			own = Math.min(Number(settings.period), SEC);
		const all = isFew(own) ? shorter(settings) : [], period = all.find((p) => !isFew(p)) || all.pop();

		return period ? { period, rows: rowsOfShorter(settings, period), perColumn: 1 } : null;
	}

	const columnNs = (axes, column) => axes.start + column * axes.column;

	/* The row that contains a value: the last one whose lower border is not greater. */
	function rowBelow(borders, rows, value) {
		let low = 0, high = rows;

		while (high - low > 1) {
			const middle = (low + high) >> 1;

			if (borders[middle] <= value)
				low = middle;
			else
				high = middle;
		}
		return low;
	}

	function rowOf(axes, value) {
		if (!(value >= axes.low && value <= axes.high))
			return -1;
		return axes.logarithmic ? rowBelow(axes.borders, axes.rows, value) :
			Math.min(Math.floor((value - axes.low) / axes.step), axes.rows - 1);
	}

	function cellAt(axes, ns, value) {
		if (!(ns >= axes.start && ns < axes.end))
			return null;
		const column = Math.floor((ns - axes.start) / axes.column);
		const row = axes.y === 'offset' ? D.scaled((ns - axes.start) % axes.period, axes.rows, axes.period) :
			axes.y === 'value' ? rowOf(axes, value) :
				Math.min(Math.floor(value * axes.rows / USE_WHOLE), axes.rows - 1);

		return row < 0 ? null : { column, row };
	}

	/* ---- the events of a cell ---- */

	/* If each row consists of whole ticks, so that nothing has to be rounded, returns { row: the number of ticks in
	 * a row, start: the first tick of the window }; otherwise null. */
	function wholeTicks(settings, { period, start }, rows) {
		const [num, den] = settings.tick, row = D.scaled(period, den, num * rows),
			first = D.tickAt(settings, start);

		const fits = BigInt(row) * BigInt(num) * BigInt(rows) === BigInt(period) * BigInt(den);

		return fits && D.nsOf(settings, first) === start ? { row, start: first } : null;
	}

	/* Calls take(cell, i, end) for each cell that has events: events i to end - 1.  With y "offset" a
	 * period has axes.rows rows; otherwise a cell is a whole column. */
	function eachCell(data, settings, axes, take) {
		const isOffset = axes.y === 'offset', tick = data.tick, rows = isOffset ? axes.rows : 1;
		const period = isOffset ? axes.period : axes.column, perColumn = isOffset ? axes.perColumn : 1;
		const last = D.firstEvent(data, D.tickAt(settings, axes.end));
		const whole = wholeTicks(settings, { period, start: axes.start }, rows), ticks = whole
			? whole.row * rows : 0;
		let i = D.firstEvent(data, D.tickAt(settings, axes.start));

		while (i < last) {
			let at, row, until;

			if (whole) {
				const t = tick[i] - whole.start;

				at = Math.floor(t / ticks);
				row = Math.floor((t - at * ticks) / whole.row);
				until = whole.start + at * ticks + (row + 1) * whole.row;
			} else {
				const ns = D.nsOf(settings, tick[i]) - axes.start;

				at = Math.floor(ns / period);
				row = D.scaled(ns - at * period, rows, period);
				until = D.tickAt(settings, axes.start + at * period - D.scaled(-row - 1, period, rows));
			}
			let end = i + 1;

			while (end < last && tick[end] < until)
				end++;
			take(Math.floor(at / perColumn) * rows + row, i, end);
			i = end;
		}
	}

	/* ---- painting ---- */

	function paintRows(axes, cells, from, to, weight) {
		const base = Math.floor(from / axes.column) * axes.rows, borders = axes.borders;
		const begin = Math.floor(from / axes.period) * axes.period;
		let row = D.scaled(from - begin, axes.rows, axes.period);

		for (let at = from - begin; at < to - begin; row++) {
			const end = Math.min(borders[row + 1], to - begin);

			cells[base + row] += (end - at) * weight;
			at = end;
		}
	}

	/* Adds the span from .. to, which is within one column; both in ns from the window's start. */
	function paintColumn(axes, cells, from, to, row, weight) {
		const { period } = axes, first = Math.floor(from / period), last = Math.floor((to - 1) / period);

		if (axes.y !== 'offset') {
			cells[Math.floor(from / axes.column) * axes.rows + row] += (to - from) * weight;
		} else if (first === last) {
			paintRows(axes, cells, from, to, weight);
		} else {
			paintRows(axes, cells, from, (first + 1) * period, weight);
			if (last - first > 1)
				paintRows(axes, cells, (first + 1) * period, (first + 2) * period,
					weight * (last - first - 1));
			paintRows(axes, cells, last * period, to, weight);
		}
	}

	/* Adds spans to cells.  Columns that a span covers completely are filled only by finish(), so that long
	 * spans do not take longer. */
	function painter(axes, cells) {
		const step = axes.y === 'offset' ? 1 : axes.rows, more = new Float64Array((axes.columns + 1) * step);

		function add(start, end, row, weight) {
			const from = Math.max(start, axes.start) - axes.start,
				to = Math.min(end, axes.end) - axes.start;
			const first = Math.floor(from / axes.column), last = Math.floor((to - 1) / axes.column);

			if (from >= to)
				return;
			if (first === last) {
				paintColumn(axes, cells, from, to, row, weight);
				return;
			}
			paintColumn(axes, cells, from, (first + 1) * axes.column, row, weight);
			paintColumn(axes, cells, last * axes.column, to, row, weight);
			more[(first + 1) * step + (step > 1 ? row : 0)] += weight;
			more[last * step + (step > 1 ? row : 0)] -= weight;
		}
		function finish() {
			const now = new Float64Array(step);

			for (let i = 0; i < axes.columns * step; i++) {
				const column = Math.floor(i / step), row = i % step;

				now[row] += more[i];
				if (now[row])
					paintColumn(axes, cells, column * axes.column, (column + 1) * axes.column, row,
						now[row]);
			}
		}
		return { add, finish };
	}

	const ofColumns = (axes) => axes.y === 'offset' ? axes :
		Object.assign({}, axes, { y: 'offset', rows: 1, borders: Float64Array.of(0, axes.period) });

	return { make, spanFor, rowsFor, finer, finest, columnNs, rowBorder, rowOf, cellAt, eachCell, painter,
		ofColumns, USE_WHOLE };
})();
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
/* heat_grid: events counted in cells, by the rules of grid.h, as grid.c does it; results are exact.  Needs
 * data.js, axes.js and seen.js.
 *
 * axes(settings, want)         -> axes: { y, weigh, period, perColumn, columns, rows, start, end, column
 *                                 (ns of a column), low, high, step, logarithmic, borders: of the rows, with
 *                                 the upper end; least, most: like start and end, but of the whole recording }.
 *                                 want: from, to (ns; extended to whole columns), period, perColumn, rows,
 *                                 y, weigh, low, high, step, logarithmic, zone (ns to be added to UTC);
 *                                 missing members are taken from settings
 * spanFor(settings, from, to, width) -> { period, rows, perColumn }: the finest period of 1 s, 1 min, 5 min,
 *                                 1 h, 1 d for which columns are at least 3 px wide; width: px for all columns.
 *                                 The whole window keeps the drawn period; so does any window, if the drawn
 *                                 period is not one of these
 * finer(settings, from, to)    -> the same with a period shorter than that of settings, if few of the latter
 *                                 would be seen; else null
 * finest(settings)             -> the shortest of all of these periods, in ns
 * rowsFor(settings, period)    -> how many rows a period has by default
 * make(data, settings, axes, choice) -> grid { axes, cells: Float64Array [column * rows + row],
 *                                 idle: the same of idle stacks, total, idleTotal, largest (weigh "longest": the
 *                                 totals are the largest, too),
 *                                 below, above (y "value": what is outside low .. high) }
 *     choice: { stacks: null or Uint8Array by stack; recording: -1, or the number of a recording
 *             of a host (all recordings of this host count); cpu: -1, or the CPU to which these stacks belong
 *             (y "utilization": other CPUs do not count); idle: true: idle events count like the
 *             others }; choice and each of its members may be null
 * totalOf(axes, totals)        -> the total of grids with these totals
 * partOf(settings, dimension, key) -> { stacks, recording, cpu }: the choice of the map for this key
 * byKeys(data, settings, axes, choice, keyOf, count) -> [grid, ...] for the keys 0 .. count - 1
 *                                 (keyOf: by stack), in one pass; idle of these grids is 0
 * byCpus(data, settings, axes, choice, dimension, keys) -> [grid, ...] with y "utilization": for each of these
 *                                 keys (numbers) of "host" or "cpu", its CPUs
 * unseen(settings, axes, recording, data, cpu) -> Uint16Array by cell: what was not seen, in 1/1000, of
 *                                 recording's host (-1: all hosts) and of cpu (-1: all CPUs); data: tells
 *                                 the CPUs if headers do not
 * percentile(data, settings, axes, choice, percent) -> Float64Array by column, NaN: the column has no events
 * cellAt(axes, ns, value)      -> { column, row }, or null; value: with y "value"; or in 1/10000 of a CPU
 * columnNs(axes, column), rowBorder(axes, row)  as in grid.h, in ns from settings.origin
 * A.rowOf(axes, value)           -> with y "value": the row of value, -1: outside
 * D.firstEvent(data, tick)       -> number of the first event at this tick or later
 * D.taken(data, choice)          -> Uint8Array by stack: 0: not chosen, 1: counts, 2: chosen, but idle */
pyrograph.heat.grid = (function () {
	'use strict';

	const D = pyrograph.heat.data, A = pyrograph.heat.axes, S = pyrograph.heat.seen;

	/* ---- counting ---- */

	function emptyGrid(axes, idle) {
		return { axes, cells: new Float64Array(axes.columns * axes.rows),
			idle: idle || new Float64Array(axes.columns * axes.rows),
			total: 0, idleTotal: 0, largest: 0, below: 0, above: 0 };
	}

	/* Adds each event to its cell, as 1 or with its value; toOf: by stack, the number of an array in cells. */
	function fillOffsets(data, settings, axes, toOf, cells) {
		const { stack, value } = data, weigh = axes.weigh === 'events' ? null : value;
		const isLongest = axes.weigh === 'longest';

		A.eachCell(data, settings, axes, (cell, i, end) => {
			for (; i < end; i++) {
				const to = toOf[stack[i]];

				if (to >= 0 && isLongest)
					cells[to][cell] = Math.max(cells[to][cell], value ? value[i] : settings.same);
				else if (to >= 0)
					cells[to][cell] += weigh ? weigh[i] : 1;
			}
		});
	}

	function fillValues(data, settings, axes, toOf, grids, cells) {
		const { stack, value } = data, { rows } = axes, weigh = axes.weigh === 'events' ? null : value;
		const add = axes.weigh === 'longest' ? (of, at, unused, v) => { of[at] = Math.max(of[at], v); }
			: (of, at, weight) => { of[at] += weight; };

		A.eachCell(data, settings, axes, (column, i, end) => {
			for (; i < end; i++) {
				const to = toOf[stack[i]];

				if (to < 0)
					continue;
				const v = value ? value[i] : settings.same, row = A.rowOf(axes, v), weight = weigh
					? weigh[i] : 1;

				if (row >= 0)
					add(cells[to], column * rows + row, weight, v);
				else if (to % 2 === 0) /* not a grid of idle stacks */
					add(grids[to / 2], v < axes.low ? 'below' : 'above', weight, v);
			}
		});
	}

	function paint(data, settings, axes, toOf, grids, cells) {
		const painters = cells.map((of) => A.painter(axes, of)), { stack, value, tick } = data;
		const last = D.firstEvent(data, D.tickAt(settings, axes.end));
		const inside = (start, end) => Math.max(0, Math.min(end, axes.end) - Math.max(start, axes.start));

		for (let i = D.firstEvent(data, D.tickAt(settings,
			axes.start - D.longest(data, settings))); i < last; i++) {
			const to = toOf[stack[i]], start = D.nsOf(settings, tick[i]), end = start +
				D.spanNs(data, settings, i);

			if (to < 0)
				continue;
			const v = value ? value[i] : settings.same, row = axes.y === 'value' ? A.rowOf(axes, v) : 0;

			if (row >= 0)
				painters[to].add(start, end, row, 1);
			else if (to % 2 === 0)
				grids[to / 2][v < axes.low ? 'below' : 'above'] += inside(start, end);
		}
		painters.forEach((p) => p.finish());
	}

	/* ---- whole grids ---- */

	/* The total of several grids: their sum or, if they have longest times, the longest. */
	const totalOf = ({ weigh, y }, totals) => weigh === 'longest' && y !== 'utilization'
		? totals.reduce((most, n) => Math.max(most, n), 0) : totals.reduce((sum, n) => sum + n, 0);

	function addUp(grid, times) {
		const { cells, idle } = grid;

		for (let i = 0; i < cells.length; i++) {
			cells[i] *= times;
			grid.total += cells[i];
			grid.largest = Math.max(grid.largest, cells[i]);
		}
		for (let i = 0; i < idle.length; i++) {
			idle[i] *= times;
			grid.idleTotal += idle[i];
		}
		if (grid.axes.weigh === 'longest' && grid.axes.y !== 'utilization') {
			grid.total = grid.largest;
			grid.idleTotal = idle.reduce((most, n) => Math.max(most, n), 0);
		}
		grid.below *= times;
		grid.above *= times;
	}

	/* A cell counts CPUs; each grid counts the CPUs of its own stacks. */
	function fillUse(data, settings, axes, toOf, grids, choice) {
		grids.forEach((grid, g) => {
			const stacks = Uint8Array.from(toOf, (to) => to === 2 * g ? 1 : 0);
			const use = S.use(data, settings, axes, Object.assign({}, choice, { stacks, idle: true }));

			use.rows(axes.rows).forEach((row, i) => {
				if (row >= 0)
					grid.cells[Math.floor(i / use.count) * axes.rows + row]++;
			});
		});
	}

	/* Fills the grids.  toOf: by stack, 2 * number of its grid, plus 1 if it counts as idle there; -1: in none. */
	function fill(data, settings, axes, toOf, grids, choice) {
		const cells = grids.flatMap((grid) => [grid.cells, grid.idle]);
		const isPainted = axes.weigh === 'painted' && settings.spans, isCount = isPainted ||
			axes.weigh === 'events' || axes.weigh === 'longest' || axes.y === 'utilization';

		if (axes.y === 'utilization')
			fillUse(data, settings, axes, toOf, grids, choice);
		else if (isPainted)
			paint(data, settings, axes, toOf, grids, cells);
		else if (axes.y === 'value')
			fillValues(data, settings, axes, toOf, grids, cells);
		else
			fillOffsets(data, settings, axes, toOf, cells);
		grids.forEach((grid) => addUp(grid, isCount || data.value ? 1 : settings.same));
		return grids;
	}

	function make(data, settings, axes, choice) {
		return fill(data, settings, axes, Int32Array.from(D.taken(data, choice), (take) => take - 1),
			[emptyGrid(axes)], choice)[0];
	}

	function byKeys(data, settings, axes, choice, keyOf, count) {
		const take = D.taken(data, choice), none = new Float64Array(axes.columns * axes.rows);
		const toOf = Int32Array.from(keyOf, (key, s) => take[s] === 1 && key >= 0 && key < count ? 2 * key
			: -1);

		return fill(data, settings, axes, toOf, Array.from({ length: count }, () => emptyGrid(axes, none)),
			choice);
	}

	/* Grids with y "utilization": for each key of "host" or "cpu", its CPUs. */
	function byCpus(data, settings, axes, choice, dimension, keys) {
		const { stacks = null, recording = -1, cpu = -1 } = choice || {}, hostOf = (r) =>
			settings.recordings[r].host;

		return keys.map((key) => {
			const own = S.partOf(settings, dimension, key);

			if ((own.recording < 0 && own.cpu < 0) || (cpu >= 0 && own.cpu >= 0 && cpu !== own.cpu) ||
				(recording >= 0 && own.recording >= 0 && hostOf(recording) !== hostOf(own.recording)))
				return emptyGrid(axes);
			return make(data, settings, axes, Object.assign({}, choice,
				{ stacks: stacks, recording: own.recording < 0 ? recording : own.recording,
					cpu: own.cpu < 0 ? cpu : own.cpu }));
		});
	}

	/* ---- percentiles ---- */

	/* The percentile by the nearest rank; sorts values. */
	function nearest(values, percent) {
		const rank = Math.ceil(percent * values.length / 100 - 1e-9);

		return values.length ? values.sort()[Math.max(0, Math.min(rank, values.length) - 1)] : NaN;
	}

	function percentileOfUse(data, settings, axes, choice, percent) {
		const use = S.use(data, settings, axes, choice), shares = use.rows(A.USE_WHOLE + 1);

		return Float64Array.from({ length: axes.columns }, (unused, column) =>
			nearest(shares.subarray(column * use.count, (column + 1) * use.count).filter((share) =>
				share >= 0), percent));
	}

	function percentile(data, settings, axes, choice, percent) {
		if (axes.y === 'utilization')
			return percentileOfUse(data, settings, axes, choice, percent);
		const lines = new Float64Array(axes.columns).fill(NaN), take = D.taken(data, choice),
			{ stack, value } = data;

		A.eachCell(data, settings, Object.assign({}, axes, { y: 'value' }), (column, i, end) => {
			const found = new Float64Array(end - i);
			let count = 0;

			for (; i < end; i++) {
				if (take[stack[i]] === 1)
					found[count++] = value ? value[i] : settings.same;
			}
			lines[column] = nearest(found.subarray(0, count), percent);
		});
		return lines;
	}

	return {
		make, byKeys, byCpus, totalOf, percentile, unseen: S.unseen, partOf: S.partOf, axes: A.make,
		spanFor: A.spanFor,
		rowsFor: A.rowsFor, finer: A.finer, finest: A.finest, cellAt: A.cellAt, columnNs: A.columnNs,
		rowBorder: A.rowBorder, rowOf: A.rowOf, firstEvent: D.firstEvent, taken: D.taken,
	};
})();
/* heat_scale: maps counts to colours by the rules of scale.h, as scale.c does.
 *
 * make(coloring, grids)        -> scale, over all grids of a picture together; coloring: "linear",
 *                                 "rank", "log"
 * of(scale, value)             -> from 0 (only for the value 0) to 1
 * ofHue(scale, value)          -> the n with which a hue is drawn for value
 * rgb(ramp, dark, scale, value) -> 0xrrggbb; ramp: one of settings.ramps
 * find(settings, name)         -> the ramp called name, or the first one
 * css(rgb)                     -> "#rrggbb"
 * found(dark)                  -> 0xrrggbb of cells that a search lights up
 * hue(i)                       -> 0 to 360: the hue with number i; plus 360 for each round of darker hues;
 *                                 GREY: for what has no hue
 * huesOf(keys)                 -> the numbers of the hues of keys (numbers in their dimension's list, in the order
 *                                 in which they were marked): the number of the key's own place, unless an
 *                                 earlier key has this hue; so a key keeps its hue
 * hueRgb(hue, n, dark)         -> the colour of a hue at n (0 to 1)
 * mix(hues, ns, dark)          -> the colour of a cell that has several hues */
pyrograph.heat.scale = (function () {
	'use strict';

	const FIRST_HUE = 21, NEXT_HUE = 91, GREY = -1;
	const HUES_ROUND = 4, VALUES = [0.95, 0.7, 0.5]; /* after four hues, nearly the same ones come again, but
							  * darker */
	/* A value above 0 is at least LEAST far on a ramp. */
	const STEPS = 9, COUNT_STEPS = 5, LEAST = 1 / 16, LEAST_HUE = 0.5;
	const NOTHING = 0xffffff, NOTHING_DARK = 0x17191d;

	/* ---- numbers 0 to 1 ---- */

	/* All counts that are not 0, smallest first. */
	function sorted(grids) {
		const count = grids.reduce((sum, grid) => sum + grid.cells.length, 0), all = new Float64Array(count);
		let used = 0;

		for (const { cells } of grids) {
			for (let i = 0; i < cells.length; i++) {
				if (cells[i])
					all[used++] = cells[i];
			}
		}
		return all.subarray(0, used).sort();
	}

	/* The rule of Cloud Analytics: when N counts are sorted from the largest, the count at place i gets (N - i) /
	 * N; equal counts get the value of the first of them.  In other words, this is the share of the counts that are
	 * not larger. */
	function ranks(grids) {
		const all = sorted(grids), found = new Map();

		for (let i = 0; i < all.length; i++) {
			if (i + 1 === all.length || all[i + 1] !== all[i])
				found.set(all[i], (i + 1) / all.length);
		}
		return { found, counts: Float64Array.from(found.keys()) };
	}

	function make(coloring, grids) {
		const largest = grids.reduce((most, grid) => Math.max(most, grid.largest), 0);

		return Object.assign({ coloring, largest }, coloring === 'rank' ? ranks(grids) : null);
	}

	/* A count that no cell has (that of one key among several) gets the rank that it would have. */
	function rankOf({ found, counts }, value) {
		if (found.has(value))
			return found.get(value);
		let low = 0, high = counts.length;

		while (low < high) {
			const middle = (low + high) >> 1;

			if (counts[middle] <= value)
				low = middle + 1;
			else
				high = middle;
		}
		return low ? found.get(counts[low - 1]) : counts.length ? found.get(counts[0]) : 1;
	}

	function of(scale, value) {
		if (!value)
			return 0;
		if (scale.coloring === 'rank')
			return rankOf(scale, value);
		if (scale.coloring === 'log')
			return Math.min(1, Math.log1p(value) / Math.log1p(Math.max(1, scale.largest)));
		return Math.min(1, value / Math.max(1, scale.largest));
	}

	/* Logarithmic colours begin with a shade in which a single count can be seen. */
	const seen = (scale, least, n) => n > 0 && scale.coloring === 'log' ? least + (1 - least) * n : n;
	const ofHue = (scale, value) => seen(scale, LEAST_HUE, of(scale, value));

	/* ---- ramps ---- */

	const parse = (text) => parseInt(text.slice(1), 16);
	const found = (dark) => dark ? 0x5cc8ff : 0x0050c8;
	const css = (rgb) => '#' + (rgb + 0x1000000).toString(16).slice(1);

	const packed = (channels) => channels.reduce((all, c) =>
		all << 8 | Math.max(0, Math.min(255, Math.floor(c + 0.5))), 0);

	function between(from, to, part) {
		return packed([16, 8, 0].map((shift) => {
			const a = from >> shift & 255, b = to >> shift & 255;

			return a + (b - a) * part;
		}));
	}

	/* The colour at n (0 to 1), of count colours at equal distances. */
	function at(steps, count, n) {
		const place = n * (count - 1), step = Math.floor(place);

		return step >= count - 1 ? steps[count - 1] : between(steps[step], steps[step + 1], place - step);
	}

	const parsed = new Map(); /* a ramp's colours: text -> numbers */

	function colours(ramp, dark) {
		const texts = ramp[dark ? 3 : 2];

		if (!parsed.has(texts))
			parsed.set(texts, texts.map(parse));
		return parsed.get(texts);
	}

	/* The enhanced colours of FlameScope: steps at 0, 1, 3, half of the largest count, and the largest. */
	function atCount(steps, largest, value) {
		const points = [0, 1, 3, largest / 2, largest];
		let before = 0;

		for (let i = 1; i < COUNT_STEPS; i++) {
			if (points[i] <= points[before]) /* the largest count is small */
				continue;
			if (value < points[i])
				return between(steps[before], steps[i],
					(value - points[before]) / (points[i] - points[before]));
			before = i;
		}
		return steps[before];
	}

	function rgb(ramp, dark, scale, value) {
		const steps = colours(ramp, dark), least = ramp[5] ? ramp[5][dark ? 1 : 0] : LEAST;
		const n = seen(scale, least, of(scale, value));

		if (ramp[4])
			return scale.coloring === 'linear' ? atCount(steps, scale.largest, value)
				: at(steps, COUNT_STEPS, n);
		return at(steps, STEPS, n > 0 ? Math.max(n, LEAST) : n);
	}

	const find = (settings, name) => settings.ramps.find((ramp) => ramp[0] === name) || settings.ramps[0];

	/* ---- hues ---- */

	const hue = (number) => (FIRST_HUE + NEXT_HUE * number) % 360 +
		360 * (Math.floor(number / HUES_ROUND) % VALUES.length);

	const HUES = HUES_ROUND * VALUES.length;

	function huesOf(keys) {
		const taken = new Set();

		return keys.map((key) => {
			let number = key % HUES;

			if (taken.has(number))
				number = Array.from({ length: HUES }, (unused, i) => i).find((i) => !taken.has(i));
			if (number === undefined)
				number = key;
			taken.add(number);
			return number;
		});
	}

	/* HSV to RGB, channels 0 to 255, by the usual formula. */
	function hsv(h, saturation, value) {
		const sixth = (h % 360 + 360) % 360 / 60, f = sixth - Math.floor(sixth);
		const p = value * (1 - saturation), q = value * (1 - saturation * f),
			t = value * (1 - saturation * (1 - f));
		const all = [[value, t, p], [q, value, p], [p, value, t], [p, q, value], [t, p, value], [value, p, q]];

		return all[Math.floor(sixth) % 6].map((c) => 255 * c);
	}

	function channels(h, n, dark) {
		const value = VALUES[Math.floor(Math.max(0, h) / 360) % VALUES.length];

		if (h < 0)
			return hsv(0, 0, dark ? 0.15 + 0.25 * n : 0.95 - 0.2 * n);
		return dark ? hsv(h, 0.85, 0.15 + (value - 0.15) * n) : hsv(h, 0.9 * n, 0.95 - (0.95 - value) * n);
	}

	const hueRgb = (h, n, dark) => mix([h], [n], dark);

	function mix(hues, ns, dark) {
		const sum = [0, 0, 0];
		let weight = 0;

		for (let i = 0; i < hues.length; i++) {
			channels(hues[i], ns[i], dark).forEach((c, k) => { sum[k] += c * ns[i]; });
			weight += ns[i];
		}
		return weight > 0 ? packed(sum.map((c) => c / weight)) : dark ? NOTHING_DARK : NOTHING;
	}

	return { make, of, ofHue, rgb, find, css, hue, huesOf, hueRgb, mix, found, GREY };
})();
/* heat_select: selections, which are parts of a heat map, and their contents.  Needs data.js and grid.js.
 *
 * A selection is null (everything) or one of these; all ends are excluded:
 *   { kind: "time", from, to }         ns from settings.origin
 *   { kind: "rows", from, to, low, high, period }  of each period that begins in from .. to, only
 *                                 low .. high: ns from the period's start.  With y "value": of the whole
 *                                 time from .. to, only the values low .. high
 *   { kind: "cpu", from, to, low, high, period }   y "utilization": in each column (period is its
 *                                 length), the CPUs whose utilization is in low .. high, in 1/10000
 * If there are several maps, also map: the number of the selection's map
 *
 * ranges(settings, axes, selection) -> [[first tick, tick after the last], ...], in order and without overlaps;
 *                                 a filter by value or CPU may leave out some of their events
 * filter(data, settings, axes, selection, choice) -> null: all events of ranges are selected; else a function of
 *                                 (event, its value) that says whether the event is selected
 * sums(data, settings, axes, selection, choice) -> Float64Array by stack: the selected values of
 *                                 the chosen stacks (grid.js); of painted spans, the ns inside
 * longest(data, settings, axes, selection, choice) -> Float64Array by stack: the largest of these values
 * counts(data, settings, axes, selection, choice) -> Float64Array by stack: how many events begin
 *                                 in the selection; of idle stacks as well
 * events(data, settings, axes, selection, choice) -> how many events; idle ones only if choice.idle
 * ofCells(axes, a, b, shape)   -> the selection between two cells { column, row }; shape "time": everything
 *                                 from the earlier to the later cell; "rows": the rectangle
 * shift(selection, axes, columns, rows) -> the selection moved; unchanged if it would leave the map
 * extend(selection, axes, columns, rows) -> the selection with its moving end moved, even past the other end
 * inSelection(axes, selection, column, row) -> whether any of the cell's time and values is selected
 * encode(selection), decode(text) -> the form in links; null is "" */
pyrograph.heat.select = (function () {
	'use strict';

	const D = pyrograph.heat.data, A = pyrograph.heat.axes, G = pyrograph.heat.grid;
	const KINDS = { t: 'time', r: 'rows', c: 'cpu' };

	const isRepeated = (axes, selection) => selection.kind === 'rows' && axes.y === 'offset';

	/* The length of the selected time before ns. */
	function before(axes, selection, ns) {
		const { from, to, low, high, period } = selection, at = Math.max(from, Math.min(to, ns)) - from;

		if (!isRepeated(axes, selection))
			return at;
		const whole = Math.floor(at / period);

		return whole * (high - low) + Math.max(0, Math.min(at - whole * period, high) - low);
	}

	const within = (axes, selection, from, to) => before(axes, selection, to) - before(axes, selection, from);

	/* ---- events ---- */

	function everything(data) {
		return data.count ? [[data.tick[0], data.tick[data.count - 1] + 1]] : [];
	}

	function ranges(settings, axes, selection) {
		const all = [], { from, to, low, high, period } = selection || {};

		function add(begin, end) {
			const first = D.tickAt(settings, begin), behind = D.tickAt(settings, end),
				last = all[all.length - 1];

			if (last && first <= last[1])
				last[1] = Math.max(last[1], behind);
			else if (first < behind)
				all.push([first, behind]);
		}
		if (!selection)
			add(axes.least, axes.most);
		else if (!isRepeated(axes, selection))
			add(from, to);
		else
			for (let at = from; at < to; at += period)
				add(Math.min(at + low, to), Math.min(at + high, to));
		return all;
	}

	/* Which events of ranges are selected: null: all; or a function of (event, its value). */
	function filterOf(data, settings, axes, selection, choice) {
		if (!selection || selection.kind === 'time')
			return null;
		if (selection.kind === 'rows' && axes.y === 'value')
			return (i, value) => value >= selection.low && value < selection.high;
		return selection.kind === 'cpu' ? cpuFilter(data, settings, axes, selection, choice) : null;
	}

	/* Events of CPUs whose utilization in their column was in the selected range. */
	function cpuFilter(data, settings, axes, selection, choice) {
		const { low, high, from, to, period } = selection, row = (value) =>
			axes.borders.findIndex((border) => border >= value);
		const on = G.axes(settings, Object.assign({}, axes, { from, to, period, perColumn: 1 }));
		const use = pyrograph.heat.seen.use(data, settings, on, choice), rows = use.rows(axes.rows),
			first = row(low), end = row(high);

		return (i) => {
			const column = Math.floor((D.nsOf(settings, data.tick[i]) - on.start) / period),
				cpu = use.cpuOf[data.stack[i]];
			const at = cpu < 0 ? -1 : rows[column * use.count + cpu];

			return at >= first && at < end;
		};
	}

	/* Calls add(stack, i, value) for each event that begins in the selection. */
	function each(data, settings, axes, selection, choice, add) {
		const filter = filterOf(data, settings, axes, selection, choice), { stack, value } = data;

		for (const [first, behind] of selection ? ranges(settings, axes, selection) : everything(data)) {
			const end = D.firstEvent(data, behind);

			for (let i = D.firstEvent(data, first); i < end; i++) {
				const v = value ? value[i] : settings.same;

				if (!filter || filter(i, v))
					add(stack[i], v);
			}
		}
	}

	/* The sums of a selection without a filter; faster, because no function is called for each event. */
	function addUp(data, settings, axes, selection, weigh) {
		const { stack } = data, sums = new Float64Array(data.stacks);

		for (const [first, behind] of ranges(settings, axes, selection)) {
			const begin = D.firstEvent(data, first), end = D.firstEvent(data, behind);

			if (weigh) {
				for (let i = begin; i < end; i++)
					sums[stack[i]] += weigh[i];
			} else {
				for (let i = begin; i < end; i++)
					sums[stack[i]]++;
			}
		}
		return sums;
	}

	/* Sums of painted spans: the selected part of each span, even if the span began before the selection. */
	function paintedSums(data, settings, axes, selection) {
		const sums = new Float64Array(data.stacks), { stack, tick } = data;
		const filter = filterOf(data, settings, axes, selection, null),
			end = D.firstEvent(data, D.tickAt(settings, selection.to));
		let i = D.firstEvent(data, D.tickAt(settings, selection.from - D.longest(data, settings)));

		for (; i < end; i++) {
			const ns = D.nsOf(settings, tick[i]);

			if (!filter || filter(i, data.value ? data.value[i] : settings.same))
				sums[stack[i]] += within(axes, selection, ns, ns + D.spanNs(data, settings, i));
		}
		return sums;
	}

	function chosen(data, choice, sums, keepIdle) {
		const take = D.taken(data, choice);

		return sums.map((sum, s) => take[s] === 1 || (keepIdle && take[s]) ? sum : 0);
	}

	function filtered(data, settings, axes, selection, choice, byValue) {
		const sums = new Float64Array(data.stacks);

		each(data, settings, axes, selection, choice, (stack, value) => {
			sums[stack] += byValue ? value
				: 1;
		});
		return sums;
	}

	/* By stack: the largest of the selected values. */
	function longest(data, settings, axes, selection, choice) {
		const most = new Float64Array(data.stacks);

		each(data, settings, axes, selection, choice, (stack, value) => {
			most[stack] = Math.max(most[stack], value);
		});
		return chosen(data, choice, most, false);
	}

	function sums(data, settings, axes, selection, choice) {
		if (!selection)
			return chosen(data, choice, data.valueOf, false);
		if (axes.weigh === 'painted' && settings.spans)
			return chosen(data, choice, paintedSums(data, settings, axes, selection), false);
		if (filterOf(data, settings, axes, selection, choice))
			return chosen(data, choice, filtered(data, settings, axes, selection, choice, true), false);
		const found = addUp(data, settings, axes, selection, data.value);

		return chosen(data, choice, data.value ? found : found.map((n) => n * settings.same), false);
	}

	function counts(data, settings, axes, selection, choice) {
		if (!selection)
			return chosen(data, choice, data.eventsOf, true);
		if (filterOf(data, settings, axes, selection, choice))
			return chosen(data, choice, filtered(data, settings, axes, selection, choice, false), true);
		return chosen(data, choice, addUp(data, settings, axes, selection, null), true);
	}

	function events(data, settings, axes, selection, choice) {
		return chosen(data, choice, counts(data, settings, axes, selection, choice), false).reduce((sum, n) =>
			sum + n, 0);
	}

	/* ---- cells ---- */

	/* The lower end of a row, as low and high of a selection have it.  The largest value is in the last row
	 * that has values; rows above that row have none, so they begin after this value. */
	function lowest(axes, row) {
		return axes.y === 'value' && row > A.rowOf(axes, axes.high) ? axes.high + 1 : axes.borders[row];
	}

	const behind = (axes, row) => lowest(axes, row + 1);

	function rectangle(axes, a, b) {
		const low = lowest(axes, Math.min(a.row, b.row)), high = behind(axes, Math.max(a.row, b.row));
		const from = G.columnNs(axes, Math.min(a.column, b.column)),
			to = G.columnNs(axes, Math.max(a.column, b.column) + 1);

		return { kind: axes.y === 'utilization' ? 'cpu' : 'rows', from, to, low, high,
			period: axes.y === 'offset' ? axes.period : axes.column };
	}

	function ofCells(axes, a, b, shape) {
		const isOffset = axes.y === 'offset', isOne = a.column === b.column &&
			(isOffset ? axes.perColumn > 1 : a.row === b.row);
		const [first, last] = a.column < b.column || (a.column === b.column && a.row <= b.row) ? [a, b]
			: [b, a];

		if (shape === 'rows' || isOne)
			return rectangle(axes, a, b);
		const from = G.columnNs(axes, first.column), to = G.columnNs(axes, last.column + 1);

		return isOffset ? { kind: 'time', from: from + axes.borders[first.row], to: to - axes.period +
			behind(axes, last.row) } : { kind: 'time', from, to };
	}

	/* With offsets, a column may have several periods.  They are alike except at the ends of the selection, so only
	 * a few of them have to be checked. */
	function inSelection(axes, selection, column, row) {
		const begin = G.columnNs(axes, column), low = lowest(axes, row), high = behind(axes, row);

		if (!selection || selection.from >= begin + axes.column || selection.to <= begin)
			return false;
		if (axes.y !== 'offset')
			return selection.kind === 'time' || (selection.low < high && selection.high > low);
		const isAlike = isRepeated(axes, selection) && selection.period === axes.period;
		const first = Math.max(0, Math.floor((selection.from - begin) / axes.period));
		const last = Math.min(axes.perColumn - 1, Math.floor((selection.to - 1 - begin) / axes.period), isAlike
			? first + 1 : Infinity);

		for (let k = first; k <= last; k++) {
			if (within(axes, selection, begin + k * axes.period + low, begin + k * axes.period + high) > 0)
				return true;
		}
		return false;
	}

	/* ---- arrows ---- */

	/* The number of a row's border, counted from axes.least on through all periods. */
	function borderAt(axes, ns) {
		const period = Math.floor((ns - axes.least) / axes.period),
			offset = ns - axes.least - period * axes.period;

		return period * axes.rows + D.scaled(offset, axes.rows, axes.period);
	}

	function nsOfBorder(axes, border) {
		const period = Math.floor(border / axes.rows);

		return axes.least + period * axes.period + axes.borders[border - period * axes.rows];
	}

	const isTimeOfCells = (axes, selection) => selection.kind === 'time' && axes.y === 'offset';

	/* A selection as two ranges of whole numbers: x within 0 .. most, and y within 0 .. rows (null: all
	 * rows). */
	function stretches(axes, selection) {
		const { from, to, low, high } = selection, row = (value) => axes.borders.findIndex((border, i) =>
			lowest(axes, i) >= value || i === axes.rows);
		const columns = (axes.most - axes.least) / axes.column;

		if (isTimeOfCells(axes, selection))
			return { x: [borderAt(axes, from), Math.max(borderAt(axes, to), borderAt(axes, from) + 1)],
				most: columns * axes.perColumn * axes.rows, y: null };
		const first = Math.floor((from - axes.least) / axes.column);

		return { x: [first, Math.max(first + 1, Math.ceil((to - axes.least) / axes.column))], most: columns,
			y: selection.kind === 'time' ? null : [row(low), Math.max(row(high), row(low) + 1)] };
	}

	function ofStretches(axes, selection, x, y, more) {
		const made = Object.assign({}, selection, more);

		if (isTimeOfCells(axes, selection))
			return Object.assign(made, { from: nsOfBorder(axes, x[0]), to: nsOfBorder(axes, x[1]) });
		Object.assign(made, { from: axes.least + x[0] * axes.column, to: axes.least + x[1] * axes.column });
		if (y)
			Object.assign(made, { low: lowest(axes, y[0]), high: behind(axes, y[1] - 1),
				period: axes.y === 'offset' ? axes.period : axes.column });
		return made;
	}

	/* The distance in x of a step of columns and rows. */
	const stepOf = (axes, selection, columns, rows) => isTimeOfCells(axes, selection) ?
		columns * axes.perColumn * axes.rows + rows : columns;

	function shift(selection, axes, columns, rows) {
		if (!selection)
			return null;
		const { x, y, most } = stretches(axes, selection), step = stepOf(axes, selection, columns, rows);
		const movedX = x.map((n) => n + step), movedY = y && y.map((n) => n + rows);
		const isInside = movedX[0] >= 0 && movedX[1] <= most &&
			(!y || (movedY[0] >= 0 && movedY[1] <= axes.rows));

		return isInside ? ofStretches(axes, selection, movedX, movedY) : selection;
	}

	/* Moves one end of a range within 0 .. most; the range keeps a length of at least 1. */
	function stretched([from, to], isBack, by, most) {
		const fixed = isBack ? to - 1 : from, moving = Math.max(0,
			Math.min(most - 1, (isBack ? from : to - 1) + by));

		return { at: [Math.min(fixed, moving), Math.max(fixed, moving) + 1], isBack: moving < fixed };
	}

	function extend(selection, axes, columns, rows) {
		if (!selection)
			return null;
		const { x, y, most } = stretches(axes, selection), step = stepOf(axes, selection, columns, rows);
		const madeX = stretched(x, selection.backX, step, most), madeY = y &&
			stretched(y, selection.backY, rows, axes.rows);

		return ofStretches(axes, selection, madeX.at, madeY && madeY.at,
			{ backX: madeX.isBack, backY: Boolean(madeY && madeY.isBack) });
	}

	/* ---- links ---- */

	function encode(selection) {
		if (!selection)
			return '';
		const { kind, from, to, low, high, period, map } = selection;

		return [kind[0], from, to].concat(kind === 'time' ? [] : [low, high, period]).join(':') +
			(map === undefined ? '' : '@' + map);
	}

	function decode(text) {
		const [, what, map] = /^(.*?)(?:@(\d{1,3}))?$/.exec(String(text || '')) || ['', ''];
		const [letter, ...rest] = what.split(':'), kind = KINDS[letter], all = rest.map(Number);
		const [from, to, low, high, period] = all, ofMap = map === undefined ? {} : { map: Number(map) };
		const isRight = kind && rest.every((n) => /^-?\d{1,16}$/.test(n)) && from < to;

		if (isRight && kind === 'time' && all.length === 2)
			return { kind, from, to, ...ofMap };
		return isRight && all.length === 5 && low >= 0 && low < high && period > 0 &&
			(to - from) / period < 1e6 ? { kind, from, to, low, high, period, ...ofMap } : null;
	}

	return { ranges, filter: filterOf, sums, longest, counts, events, ofCells, shift, extend, inSelection, encode,
		decode };
})();
/* heat_ticks: the labels at the axes of a heat map.  Pure.
 *
 * time(axes, clock, offset, widthPx, labelPx(text)) -> [{ ns, text }, ...]
 *     round times of the day in the zone, so far apart that labels have room;
 *     offset: ns to be added to ns from the origin to get the zone's time of the day (modulo a day)
 * rows(axes, settings, heightPx, leastPx) -> [{ at, text }, ...]; at: in rows, counted from the bottom
 * rowAt(axes, value) -> where an offset or a value is, in rows counted from the bottom
 * isOn(axes, value)  -> whether there is a row for value
 * span(ns)           -> "1 s", "20 ms", "5 min", "1 d"
 * cellText(settings, axes) -> "1 column = 1 s, 1 row = 20 ms, each wait at its start"
 * dash(percent)      -> how the line of a percentile is drawn: "solid", "dotted" or "dashed"
 * valueText(settings, axes, value) -> a value or an offset for human readers */
pyrograph.heat.ticks = (function () {
	'use strict';

	const N = pyrograph.number, SECOND = 1e9, MINUTE = 60 * SECOND, HOUR = 60 * MINUTE, DAY = 24 * HOUR;
	const LABEL_GAP_PX = 18;
	const UNITS = [[DAY, 'd'], [HOUR, 'h'], [MINUTE, 'min'], [SECOND, 's'], [1e6, 'ms'], [1e3, '\u00b5s'],
		[1, 'ns']];
	const STEPS = [];

	for (let n = 1; n < SECOND; n *= 10)
		STEPS.push(n, 2 * n, 5 * n);
	for (const n of [1, 2, 5, 10, 15, 30])
		STEPS.push(n * SECOND);
	for (const n of [1, 2, 5, 10, 15, 30])
		STEPS.push(n * MINUTE);
	for (const n of [1, 2, 3, 6, 12])
		STEPS.push(n * HOUR);
	for (const n of [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 5000])
		STEPS.push(n * DAY);

	const plain = (n) => String(Number(n.toPrecision(12)));

	/* Writes a length of time in the largest unit in which it is a whole number with few digits. */
	function span(ns) {
		const found = UNITS.find(([unit]) => ns >= unit && (ns / unit * 1000) % 1 === 0 &&
			(ns / unit) * unit === ns) || [1, 'ns'];
		const [unit, name] = ns >= MINUTE && ns % SECOND ? [SECOND, 's'] : found;

		return (ns / unit >= 1000 ? N.countText(ns / unit) : plain(ns / unit)) + ' ' + name;
	}

	/* The same; a length that is not a whole number of ms is rounded. */
	const lengthText = (ns) => ns % 1e6 ? N.durationText(ns) : span(ns);
	const digitsOf = (step) => step >= MINUTE ? -1 : step >= SECOND ? 0
		: Math.ceil(Math.log10(SECOND / step) - 1e-9);

	function time(axes, clock, offset, widthPx, labelPx) {
		const from = pyrograph.heat.grid.columnNs(axes, 0),
			to = pyrograph.heat.grid.columnNs(axes, axes.columns);
		const pxOf = (step) => step / (to - from) * widthPx;
		const textOf = (ns, step) => step >= DAY || (ns + offset) % DAY === 0 ? clock.date(ns)
			: clock.text(ns, digitsOf(step));
		const step = STEPS.find((s) => (to - from) / s < 1000 && pxOf(s) >= labelPx(textOf(from, s)) +
			LABEL_GAP_PX) || 0;
		const ticks = [];

		if (!step)
			return [];
		for (let ns = Math.ceil((from + offset) / step) * step - offset; ns <= to; ns += step)
			ticks.push({ ns: ns, text: textOf(ns, step) });
		return ticks;
	}

	/* ---- rows ---- */

	function rowAt(axes, value) {
		if (axes.y === 'offset')
			return value / axes.period * axes.rows;
		if (axes.y === 'utilization')
			return value / 10000 * axes.rows;
		if (axes.logarithmic)
			return Math.log(value / axes.low) / Math.log(axes.high / axes.low) * axes.rows;
		return (value - axes.low) / axes.step;
	}

	/* Is there a row for this value? */
	const isOn = (axes, value) => value === value && (axes.y !== 'value' ||
		(value >= axes.low && value <= axes.high));

	function valueText(settings, axes, value) {
		return axes.y === 'offset' ? offsetText(axes.period, value)
			: axes.y === 'utilization' ? plain(Math.round(value) / 100) + ' %'
				: N.valueText(pyrograph.heat.data.unit(settings), value);
	}

	/* The unit for offsets in a period. */
	function unitOf(period) {
		return period === SECOND ? UNITS[4] : period === MINUTE ? UNITS[3] : period === HOUR ? UNITS[2]
			: period === DAY ? UNITS[1] : UNITS.find(([unit]) => period > 2 * unit) || UNITS[6];
	}

	/* "2 h 5 min", "1 min 35 s" */
	function mixedText(ns) {
		const parts = [[Math.floor(ns / HOUR), 'h'], [Math.floor(ns % HOUR / MINUTE), 'min'],
			[Math.round(ns % MINUTE / 1e6) / 1000, 's']];

		return parts.filter(([n]) => n).map(([n, name]) => plain(n) + ' ' + name).join(' ') || '0 s';
	}

	function offsetText(period, ns) {
		const [unit, name] = unitOf(period);

		if (period === DAY && ns % MINUTE === 0) {
			return String(Math.floor(ns / HOUR)).padStart(2, '0') + ':' +
				String(Math.floor(ns % HOUR / MINUTE)).padStart(2, '0');
		}
		return unit >= MINUTE && ns % unit ? mixedText(ns) : plain(Math.round(ns / unit * 1000) / 1000) + ' ' +
			name;
	}

	/* The multiples, in low .. high, of the smallest step that is at least `least`. */
	function evenly(low, high, least, steps) {
		const step = steps.find((s) => s >= least) || high - low, ticks = [];

		for (let value = Math.ceil(low / step) * step; value <= high; value += step)
			ticks.push(value);
		return ticks;
	}

	const DECIMAL = Array.from({ length: 60 }, (_, i) => [1, 2, 5][i % 3] * Math.pow(10, Math.floor(i / 3)));

	function powers(low, high, apart) {
		const ticks = [];
		let last = 0;

		for (let ten = 1; ten <= high; ten *= 10) {
			for (const value of [ten, 2 * ten, 5 * ten]) {
				if (value < low || value > high || (last && apart(last, value) < 1) ||
					(value !== ten && apart(value, 10 * ten) < 1))
					continue;
				ticks.push(value);
				last = value;
			}
		}
		return ticks;
	}

	function rows(axes, settings, heightPx, leastPx) {
		const most = Math.max(1, Math.floor(heightPx / leastPx));
		let values;

		if (axes.y === 'offset') {
			values = evenly(0, axes.period, axes.period / most, STEPS);
		} else if (axes.y === 'utilization') {
			values = evenly(0, 10000, 10000 / most, [500, 1000, 2000, 2500, 5000, 10000]);
		} else if (axes.logarithmic) {
			values = powers(axes.low, axes.high, (a, b) =>
				(rowAt(axes, b) - rowAt(axes, a)) / axes.rows * most);
		} else {
			const high = axes.low + axes.step * axes.rows;

			values = evenly(axes.low, high, (high - axes.low) / most, settings.unit === 'ns' ? STEPS
				: DECIMAL);
		}
		return values.map((value) => ({ at: rowAt(axes, value), text: valueText(settings, axes, value) }));
	}

	function cellText(settings, axes) {
		const column = '1 column = ' + span(axes.period * axes.perColumn);
		const place = settings.spans && axes.weigh !== 'painted' && axes.y !== 'utilization'
			? ' \u00b7 each ' + settings.event.replace(/s$/, '') + ' at its start' : '';

		return (axes.y !== 'offset' ? column : column + (axes.perColumn > 1 ? ' (' +
			N.countText(axes.perColumn) + ' periods of ' +
			span(axes.period) + ')' : '') + ', 1 row = ' + lengthText(axes.period / axes.rows)) + place;
	}

	const dash = (percent) => percent <= 50 ? 'solid' : percent < 99 ? 'dotted' : 'dashed';

	return { time, rows, rowAt, isOn, span, dash, cellText, valueText };
})();
/* heat_tree: the flame graph's tree for a part of a heat map's events.
 *
 * The picture contains the tree of all events (data.tree) and, for each stack, the frame in which the stack
 * ends.  So the tree of a range is made from the values of its stacks, and is already ordered by name.  The result is
 * what "render flame" draws from the lines of the range.
 *
 * set(data, settings, roots)  -> a set: { tree, frameOf: by stack, names }: data.tree without the
 *     root frames of the dimensions that are not in roots (Array of names; null: all but cpu); frames that are then the
 *     same have been merged.  Keep the set, since making it takes longer than using it
 * usual(names)                -> those of these dimensions whose frames a flame graph beside the heat map has
 * one(set, sums)              -> tree of the frames that have a value; sums: by stack, see heat_select
 * two(set, base, sums)        -> { tree, settings }: a tree of two layers, and the settings that differ;
 *     as "render flame --diff" makes them: scaled to the same total
 * stacks(set, view, path, settings) -> Uint8Array by stack: 1 if the stack has the frame at path in
 *     the flame graph of all events that view (address.js) describes, with its filters and so on;
 *     in a sandwich, path begins with the function
 * lines(data, sums, base)     -> the folded lines, with whole stacks, of the stacks that have a value; if base is
 *     not null, a line has two values, that of base first */
pyrograph.heat.tree = (function () {
	'use strict';

	const M = pyrograph.merge, T = pyrograph.transform, LY = pyrograph.layers;
	const NOT_SHOWN = ['cpu', 'state'];

	/* ---- which root frames there are ---- */

	/* As in the output of collapse without --root: by program, else by thread. */
	const usual = (names) => names.filter((name) => !NOT_SHOWN.includes(name) &&
		!(name === 'thread' && names.includes('comm')));

	/* The numbers in settings.dimensions of the dimensions that are left out. */
	function leftOut(settings, roots) {
		const all = (settings.dimensions || []).map(([name]) => name),
			kept = roots || all.filter((name) => name !== 'cpu');

		return (settings.dimensions || []).map((unused, n) => n).filter((n) => settings.dimensions[n][1] >= 0 &&
			!kept.includes(settings.dimensions[n][0]));
	}

	/* The place of dimension n's frame in the stacks of a recording; -1: they have none. */
	function placeIn(settings, recording, n) {
		const { places } = settings.recordings && settings.recordings[recording] || {};

		return places ? places[n] : settings.dimensions[n][1];
	}

	function fatesOf(data, settings, left) {
		const { tree } = data, fates = new Uint8Array(tree.count);

		for (let s = 0; s < data.stacks; s++) {
			for (const n of left) {
				const depth = placeIn(settings, data.recordingOf[s], n) + 1;
				let f = data.frameOf[s];

				while (tree.depth[f] > depth)
					f = tree.parent[f];
				if (f && tree.depth[f] === depth)
					fates[f] = M.FATES.VANISH;
			}
		}
		return fates;
	}

	/* If there are no events, the tree is an empty root. */
	function rootOf({ tree }) {
		const root = tree.count ? tree : pyrograph.profile.emptyTree(1);

		root.end[0] = root.count;
		return root;
	}

	function set(data, settings, roots) {
		const left = leftOut(settings, roots), made = { tree: rootOf(data), frameOf: data.frameOf,
			names: data.names, data: data };

		if (!left.length || !data.tree.count)
			return made;
		made.tree = M.regroup(data.tree, data.names, { fates: fatesOf(data, settings, left) });
		made.frameOf = Uint32Array.from(data.frameOf, (f) => {
			const to = made.tree.sent[f];

			return to >= 0 ? to : -2 - to;
		});
		return made;
	}

	/* ---- trees ---- */

	function selfOf({ tree, frameOf }, sums) {
		const self = new Float64Array(tree.count);

		for (let s = 0; s < sums.length; s++)
			self[frameOf[s]] += sums[s];
		return self;
	}

	/* A new tree, without the frames that do not occur in the range. */
	function alone(tree, decimals) {
		return Object.assign(tree, { base: null, sent: null, picked: null, origin: null, decimals: decimals });
	}

	const one = (made, sums) => alone(M.compact(made.tree, selfOf(made, sums), null), made.data.tree.decimals);

	const two = (made, base, sums) => pyrograph.difference.two(made.tree, [base, sums].map((values) =>
		selfOf(made, values)), made.data.tree.decimals);

	/* ---- back from frames to stacks ---- */

	function stacks(made, view, path, settings) {
		const found = new Uint8Array(made.data.stacks), isSandwich = view.sandwich !== null;
		const zoom = isSandwich && path[0] === view.sandwich ? path.slice(1) : path;
		const { tree, names } = T.apply(made.tree, made.names,
			Object.assign({}, view, { zoom: zoom, callersZoom: [], diff: null }),
			{ settings: settings });
		const at = tree ? T.frameOfPath(tree, names, zoom) : { whole: false };

		if (!at.whole)
			return found;
		const marks = LY.origins(tree, at.frame), { frameOf } = made.data;

		for (let s = 0; s < found.length; s++)
			found[s] = marks[frameOf[s]];
		return found;
	}

	/* ---- text ---- */

	function plain(value, decimals) {
		const digits = value.toFixed(0).padStart(decimals + 1, '0'), point = digits.length - decimals;

		return decimals ? (digits.slice(0, point) + '.' + digits.slice(point)).replace(/\.?0*$/, '') : digits;
	}

	/* Stacks of several recordings may give the same line. */
	function lines(data, sums, base) {
		const { tree } = data, out = [], all = { tree: tree, frameOf: data.frameOf };
		const selfs = (base ? [base, sums] : [sums]).map((values) => selfOf(all, values));

		for (let i = 1; i < tree.count; i++) {
			if (selfs.some((self) => self[i] > 0)) {
				out.push(T.stackOf(tree, data.names, i).join(';') + ' ' +
					selfs.map((self) => plain(self[i], tree.decimals)).join(' ') + '\n');
			}
		}
		return out.join('');
	}

	return { usual, set, one, two, stacks, lines };
})();
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
/* heat_flame: the flame graph of the selection in a heat map, or of the difference between two ranges, made by flame.js
 * with the heat map as its host.  For each range the graph gets another tree, but keeps zoom, searches, filters and
 * order.
 *
 * heat.flame(app) -> app.flame, which stands in app.page.flame.
 * The graph has the root frames of the dimensions in app.view.roots; null: those of a flame graph beside the heat map
 * (usual() in tree.js), except the one by which the maps of A and B differ.
 *
 *     show(sums, baseline)  shows values by stack (heat_select.sums); baseline: the values to which they
 *                           are compared, or null.  The words about them come from
 *                           app.view.selection and app.view.baseline
 *     clear()               shows nothing
 *     element               contains the graph
 *     resize()              must be called when the size of element has changed
 *     view(), setView(text) the view of the graph as text, which is part of the heat map's link
 *     stacksWith(path)      Uint8Array by stack: 1 if the stack has the frame of app.view.frame;
 *                           the same array while the answer is the same
 *     folded()              the folded lines of what is shown, with whole stacks; of two ranges,
 *                           a line has two values
 *     svg()                 the graph as the text of an SVG
 * The frame that is zoomed, or whose callers and callees are shown, is app.view.frame.  The search in the graph's box
 * and app.view.search are kept equal: a change of one changes the other. */
pyrograph.heat.flame = function (app) {
	'use strict';

	const D = pyrograph.ui.dom, A = pyrograph.address, R = pyrograph.heat.tree, words = pyrograph.heat.range(app);
	const { data, settings } = app;
	const DEFAULTS = { ...pyrograph.heat.data.unit(settings), truncate: 'middle', nametype: 'Function:',
		inverted: false, fluid: true, whole: true, pad: 10, fontSize: 12, frameHeight: 16, rows: 1,
		minWidth: 0.1 };
	const element = D.html('div', { 'class': 'flame-place', hidden: true });
	const graphs = [null, null];    /* one graph for a single range, and one for two ranges; each is made when it is
					 * needed */
	const sets = new Map();
	let graph = null;               /* the one of graphs that is shown */
	let shown = null;               /* { sums, baseline, key } */
	/* The view's text, its search and its frame, as both the heat map and the graph know them. */
	let told = '', searched = null, framed = null;
	let quiet = false;              /* true: changes come from the heat map, which need not be told */
	let wasDark = null, found = { key: null, stacks: null };

	app.page.flame.append(element);

	const rootNames = (settings.dimensions || []).filter(([, place]) => place >= 0).map(([name]) => name);

	/* If two maps are compared, the key that separates them must not be a frame, or all stacks would differ. */
	function usualRoots() {
		const { selection, baseline } = app.view, areTwo = selection && baseline &&
			app.mapOf(selection) !== app.mapOf(baseline);

		return R.usual(rootNames).filter((name) => !(areTwo && name === settings.per));
	}
	const rootsNow = () => app.view.roots || usualRoots();

	function setNow() {
		const roots = rootsNow(), key = roots.join();

		if (!sets.has(key))
			sets.set(key, R.set(data, settings, roots));
		return sets.get(key);
	}

	/* Items for the menu of the graph's view: which root frames it has. */
	function rootItems() {
		const now = rootsNow();

		return !rootNames.length ? [] : [{ heading: 'Root frames' }].concat(rootNames.map((name) =>
			({ label: name,
				checked: now.includes(name), run: () => {
					const roots = rootNames.filter((other) =>
						(other === name) !== now.includes(other));

					app.step({ roots: roots.join() === usualRoots().join() ? null : roots });
				} })));
	}

	/* ---- the flame graph ---- */

	/* The zoomed frame, or the function of a sandwich, in the form of app.view.frame. */
	function pathOf(view) {
		return view.sandwich !== null ? [view.sandwich].concat(view.zoom) : view.zoom.length ? view.zoom : null;
	}

	/* The search in the graph's box.  Searches that are chips belong to the graph alone. */
	function searchOf(one) {
		const search = one.view.searches[one.pinned];

		return search ? { pattern: search.pattern, ignoreCase: Boolean(search.ignoreCase) } : null;
	}

	/* The graph's view for the heat map's link: without the search in the box, which the link already has. */
	const textOf = (one) => A.encodeView(Object.assign({}, one.view,
		{ searches: one.view.searches.slice(0, one.pinned) }));

	const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

	/* Called when the graph's view has changed. */
	function saved(isStep) {
		const changes = {}, text = textOf(graph), search = searchOf(graph), frame = pathOf(graph.view);

		if (text !== app.view.flame)
			changes.flame = text;
		if (!same(frame, framed)) /* a frame that the reader removed in the heat map only is not set again */
			changes.frame = frame;
		if (!same(search, searched))
			changes.search = search;
		told = text;
		searched = search;
		framed = frame;
		if (quiet)
			Object.assign(app.view, changes);
		else if (Object.keys(changes).length)
			app[isStep ? 'step' : 'touch'](changes);
	}

	function make(which, tree, changes, lines) {
		const own = Object.assign({}, DEFAULTS, settings.flame, changes);

		graph = graphs[which] = pyrograph.flame.open(app.svg,
			{ settings: own, source: app.source, names: data.names,
				colours: data.colours, tree: tree, heading: lines, view: told, place: element,
				boxes: app.page.element, isDark: () => app.isDark(),
				saved: (isStep) => graphs[which] === graph && saved(isStep),
				undo: () => app.links.undo(),
				leave: () => app.page.map.focus({ preventScroll: true }), link: () => app.link
					? app.link() : null,
				viewItems: rootItems });
		graph.pinned = graph.view.searches.length;
		takeSearch();
	}

	/* Shows one of graphs in place of the other, with the other's view. */
	function turnTo(which) {
		const before = graph ? textOf(graph) : told;

		for (const one of graphs.filter(Boolean))
			one.page.element.hidden = one !== graphs[which];
		if (graphs[which]) {
			graph = graphs[which];
			adopt(before);
		}
		told = before;
	}

	/* Shows the view in text.  Its searches all become chips, because the search in the box is the heat
	 * map's. */
	function adopt(text) {
		graph.links.show(text);
		graph.pinned = graph.view.searches.length;
		searched = null;
		takeSearch();
	}

	/* Puts the search in the heat map's box into the graph's box. */
	function takeSearch() {
		const { search } = app.view, before = graph.searchBox.input.value;

		searched = search && { pattern: search.pattern, ignoreCase: Boolean(search.ignoreCase) };
		if (!search && !before)
			return;
		graph.setSearch(search ? search.pattern : '', Boolean(search && search.ignoreCase));
	}

	function draw() {
		const { sums, baseline } = shown, which = baseline ? 1 : 0, made = setNow(),
			{ names, lines } = words.heading(sums, baseline);
		const { tree, settings: changes } = baseline ? R.two(made, baseline, sums)
			: { tree: R.one(made, sums), settings: {} };

		if (baseline && Object.assign({}, DEFAULTS, settings.flame).unit === 'samples')
			changes.chance = pyrograph.layers.CHANCE_Z;
		if (changes.layers)
			changes.layers.forEach((layer, k) => { layer.name = names[k]; });
		element.hidden = false;
		if (graph !== graphs[which] || !graph)
			turnTo(which);
		if (graphs[which])
			graph.replace(tree, changes, lines);
		else
			make(which, tree, Object.assign({ chartName: 'Flame graph of the selection' }, changes),
				lines);
		graph.source = words.source(Boolean(baseline));
		wasDark = app.isDark();
		framed = pathOf(graph.view);
	}

	/* The contents of the graph (keyOf) and how it is drawn (wayOf).  While both stay the same, the graph is not
	 * drawn again. */
	const keyOf = () => JSON.stringify([app.view.selection, app.view.baseline, app.view.idle, app.view.selection
		? null : app.shown()]);
	const wayOf = () => JSON.stringify([rootsNow(), app.view.zone]);

	const equal = (a, b) => a === b || Boolean(a && b && a.length === b.length &&
		a.every((value, i) => value === b[i]));

	function show(sums, baseline = null) {
		const key = keyOf(), way = wayOf();

		if (shown && shown.drawn && shown.key === key && shown.way === way && equal(shown.sums, sums) &&
			equal(shown.baseline, baseline))
			return;
		shown = { sums: sums, baseline: baseline, key: key, way: way, drawn: app.flameIsShown() };
		if (shown.drawn)
			silently(draw);
	}

	function silently(run) {
		const before = quiet;

		quiet = true;
		try {
			run();
		} finally {
			quiet = before;
		}
	}

	function clear() {
		shown = null;
		element.hidden = true;
	}

	function resize() {
		if (!graph)
			return;
		graph.page.resize();
		if (app.onPaper)
			graph.drawAll();
	}

	function setView(text) {
		told = text;
		if (!graph)
			return;
		if (text !== textOf(graph))
			silently(() => adopt(text));
		framed = pathOf(graph.view);
	}

	/* ---- from frames to cells ---- */

	function stacksWith(path) {
		const view = graph ? graph.view : A.decodeView(app.view.flame || told);
		const { filters, reversed, sandwich, variants, generated, recursion } = view;
		const key = JSON.stringify([path, rootsNow(), filters, reversed, sandwich, variants, generated,
			recursion]);

		if (found.key !== key)
			found = { key: key, stacks: R.stacks(setNow(), view, path,
				Object.assign({}, DEFAULTS, settings.flame)) };
		return found.stacks;
	}

	/* ---- what the heat map calls ---- */

	app.onchange(() => {
		const dark = app.isDark();

		if ((app.view.flame || '') !== told)
			setView(app.view.flame || '');
		if (!shown || !app.flameIsShown())
			return;
		if (!shown.drawn || shown.way !== wayOf() && shown.key === keyOf())
			show(shown.sums, shown.baseline);
		else if (Boolean(app.onPaper) !== Boolean(graph.onPaper))
			graph.page.print(Boolean(app.onPaper));
		else if (dark !== wasDark)
			graph.refresh();
		if (!same(searched, app.view.search && { pattern: app.view.search.pattern,
			ignoreCase: Boolean(app.view.search.ignoreCase) }))
			silently(takeSearch);
		wasDark = dark;
	});

	/* The set is made while the page is idle, so that the first range is drawn as fast as later ones. */
	(window.requestIdleCallback || ((run) => setTimeout(run, 500)))(setNow);

	app.flame = {
		element, show, clear, setView, stacksWith,
		resize,
		view: () => graph ? textOf(graph) : told,
		folded: () => shown ? words.header(Boolean(shown.baseline)) + R.lines(data, shown.sums, shown.baseline)
			: '',
		svg: () => graph ? graph.pictureText() : '',
	};
};
/* heat_address: a view of a heat map as the text after "#" in a link, and back.  Pure.
 *
 *     #from=2000000000&to=9000000000&sel=t:2300000000:2480000000&by=thread&k=java-1%2Fa
 *
 * A view; null: as it was drawn:
 *     from, to     the part of the time that is shown, in ns from the origin   from=, to=
 *     period, rows the period in ns, and the number of rows in it         period=, rows=
 *     coloring, ramp, theme, zone, weigh                                  coloring=, ramp=, t=, zone=, weigh=
 *     idle         idle stacks count as events                            idle=1
 *     lines        whether percentiles are drawn                          lines=1, lines=0
 *     by           the dimension whose keys have hues; "": none           by=
 *     keys         texts of the keys that are marked                      k=, once for each key
 *     regexps      [[label, source], ...] of the dimension "regexp"       re=label=source, once for each
 *     mode         "highlight", "isolate", "exclude", "all"               mode=
 *     search       null or { pattern, ignoreCase }                        s=, si=
 *     frame        null or the frames of a stack                          frame=, once for each frame
 *     selection, baseline   null or a selection (select.js)               sel=, base=
 *     selecting    what dragging selects: "time", "rows", null: the default   pick=rows, pick=time
 *     map          number of the map that the selection is in, if there are several   map=
 *     speed        steps in a second while playing                        speed=
 *     roots        null or names of root frames in the flame graph        roots=a,b
 *     flame        the view of the flame graph, as text (flame/address.js) flame=
 *     flameShown   whether there is a flame graph; null: if there is a selection   noflame=1, noflame=0
 *     panel        whether the panel with the keys is open                panel=1
 *     play         whether the selection is playing (not in links)
 *
 * emptyView()      -> a view in which nothing was changed
 * encode(view)     -> text without "#"; members that are as in emptyView() are left out
 * decode(text)     -> view; unknown keys are ignored */
pyrograph.heat.address = (function () {
	'use strict';

	const emptyView = () => ({ from: null, to: null, period: null, rows: null, coloring: null, ramp: null,
		theme: null, zone: null, weigh: null, idle: false, by: null, keys: [], regexps: null, mode: 'highlight',
		search: null, frame: null,
		selection: null, baseline: null, selecting: null, map: 0, play: false, speed: 1, roots: null, flame: '',
		flameShown: null, panel: false, lines: null });
	const TEXTS = { coloring: /^(linear|rank|log)$/, ramp: /^[\w-]{1,40}$/, zone: /^(own|UTC|local)$/,
		weigh: /^(events|values|painted|longest)$/, by: /^/, mode: /^(isolate|exclude|all|highlight)$/,
		flame: /^/ };
	const NUMBERS = { from: [0, 2 ** 53], to: [1, 2 ** 53], period: [1, 2 ** 53], rows: [1, 10000], map: [0, 1000],
		speed: [0.01, 1000] };
	const empty = emptyView();

	const { decoded } = pyrograph.linkText, encoded = (text) =>
		pyrograph.linkText.encoded(text, /%(?:3A|2F|2C|40|24|3D|3B)/g);

	function encode(view) {
		const out = [], put = (key, text) => out.push(key + '=' + encoded(String(text)));

		for (const key in NUMBERS) {
			if (view[key] !== empty[key])
				put(key, view[key]);
		}
		for (const key in TEXTS) {
			if (view[key] !== empty[key])
				put(key, view[key]);
		}
		if (view.theme !== null && view.theme !== 'auto')
			put('t', view.theme);
		if (view.idle)
			put('idle', 1);
		if (view.lines !== null)
			put('lines', view.lines ? 1 : 0);
		if (view.selecting !== empty.selecting)
			put('pick', view.selecting);
		if (view.flameShown !== null)
			put('noflame', view.flameShown ? 0 : 1);
		if (view.panel)
			put('panel', 1);
		(view.keys || []).forEach((key) => put('k', key));
		(view.regexps || []).forEach(([label, source]) => put('re', label.replace(/=/g, ':') + '=' + source));
		(view.frame || []).forEach((name) => put('frame', name));
		if (view.roots)
			put('roots', view.roots.join(','));
		if (view.search)
			put(view.search.ignoreCase ? 'si' : 's', view.search.pattern);
		for (const [key, what] of [['sel', view.selection], ['base', view.baseline]]) {
			if (what)
				put(key, pyrograph.heat.select.encode(what));
		}
		return out.join('&');
	}

	function number(text, [least, most]) {
		const n = /^\d+(\.\d+)?$/.test(text) ? Number(text) : NaN;

		return n >= least && n <= most ? n : null;
	}

	const MANY = {
		k: (view, text) => { view.keys.push(text); },
		re: (view, text) => {
			const at = text.indexOf('=');

			if (at > 0)
				view.regexps = (view.regexps || []).concat([[text.slice(0, at), text.slice(at + 1)]]);
		},
		frame: (view, text) => { view.frame = (view.frame || []).concat([text]); },
		roots: (view, text) => { view.roots = text.split(',').filter(Boolean); },
		s: (view, text) => { view.search = { pattern: text, ignoreCase: false }; },
		si: (view, text) => { view.search = { pattern: text, ignoreCase: true }; },
		sel: (view, text) => { view.selection = pyrograph.heat.select.decode(text); },
		base: (view, text) => { view.baseline = pyrograph.heat.select.decode(text); },
		t: (view, text) => { view.theme = /^(light|dark)$/.test(text) ? text : null; },
		idle: (view, text) => { view.idle = text === '1'; },
		lines: (view, text) => { view.lines = text === '1' ? true : text === '0' ? false : null; },
		panel: (view, text) => { view.panel = text === '1'; },
		noflame: (view, text) => { view.flameShown = text === '1' ? false : text === '0' ? true : null; },
		pick: (view, text) => { view.selecting = text === 'rows' || text === 'time' ? text : null; },
	};
	const own = (object, key) => Object.prototype.hasOwnProperty.call(object, key);

	function decode(text) {
		const view = emptyView();

		for (const part of text.split(/[?#&]/)) {
			const at = Math.max(part.indexOf('='), 0), key = part.slice(0, at),
				value = decoded(part.slice(at + 1));

			if (own(MANY, key))
				MANY[key](view, value);
			else if (own(NUMBERS, key))
				view[key] = number(value, NUMBERS[key]) === null ? empty[key]
					: number(value, NUMBERS[key]);
			else if (own(TEXTS, key) && TEXTS[key].test(value))
				view[key] = value;
		}
		if (view.from === null || view.to === null || view.to <= view.from)
			view.from = view.to = null;
		return view;
	}

	return { emptyView, encode, decode };
})();
/* heat_app: what is shown, and everything that follows from that.
 *
 * app.view is the view of address.js; state.js says how it is changed.
 *
 * app.shown()      -> { from, to } in ns: the time of the columns that are drawn
 * app.asked()      -> { from, to }: the time that the view asks for; zooming and moving start from this
 * app.axes()       -> the axes of what is shown
 * app.grids()      -> what is drawn: { axes, maps, scale, hues }, kept until the view changes; a map:
 *     { key, title, flag, choice, grid, idle: whether the grid counts idle events, ofKey: [grid, ...] or null,
 *       rest: null or the grid of events without a hue, lit: grid or null, unseen,
 *       lines: [{ percent, values }, ...] }
 * app.keyOfMap(map) -> the number of the map's key in the dimension that has one map for each key
 * app.mapOf(selection) -> the number of the map that the selection is in
 * app.choice(map)  -> which stacks a map counts, for heat_grid and heat_select; default: those of the map of the
 *     selection or, without a selection, of all maps
 * app.clock()      -> how times of the day are written, in the zone of the view
 * app.dimension(name) -> the dimension (data.js), or null
 * app.sums(selection) -> values by stack of a selection (null: of what is shown)
 * app.flameIsShown() -> whether there is a flame graph; by default there is one if there is a selection
 * app.selecting()  -> what dragging selects: "time" or "rows"; app.setSelecting(shape)
 * app.settle()     drops members of the view that do not fit this recording
 * app.actions, app.pointerWords: for commands.js and help.js; several files add to them */
pyrograph.heat.app = function (app) {
	'use strict';

	const H = pyrograph.heat, { data, settings } = app;
	const dimensions = new Map(), made = new Map();
	const LINES_OF = ['value', 'utilization'], MAPS_MAX = 64, FLAME_WAITS_MS = 150;
	const MERGED_MAX = 4;   /* a column may have this many periods before a longer period is better */
	const LADDER_PX = 3;    /* the width of a column in spanFor() */
	const LAYOUTS_MAX = 3;

	app.view = H.address.emptyView();
	app.actions = {};
	app.pointerWords = [];
	app.whole = { from: settings.window[0], to: settings.window[1] };
	app.extent = () => ({ from: app.whole.from, ns: app.whole.to - app.whole.from });
	app.mapsDrawn = Math.max(1, Math.min(app.svg.querySelectorAll('.map').length, MAPS_MAX));

	/* Returns the last value made under this name if it was made for the same key; otherwise makes a new one. */
	function kept(name, key, make) {
		const last = made.get(name);

		if (last && last.key.length === key.length && last.key.every((part, i) => part === key[i]))
			return last.value;
		const value = make();

		made.set(name, { key: key, value: value });
		return value;
	}
	app.kept = kept;

	app.clock = () => kept('clock', [app.view.zone], () => H.data.clock(settings, app.view.zone || 'own'));
	app.dimension = (name) => {
		const typed = name === 'regexp' && app.view.regexps, key = name + (typed ? JSON.stringify(typed) : '');

		if (!dimensions.has(key)) {
			dimensions.set(key, H.data.dimension(data, typed ? Object.assign({}, settings,
				{ regexps: typed }) : settings, name));
		}
		return dimensions.get(key);
	};

	/* ---- axes ---- */

	app.asked = () => ({ from: app.view.from === null ? app.whole.from : app.view.from,
		to: app.view.to === null ? app.whole.to : app.view.to });
	app.shown = () => {
		const { start, end } = app.axes(), { from, to } = app.whole;

		return app.view.from === null ? { from, to } : { from: Math.max(from, start), to: Math.min(to, end) };
	};

	/* The period that the reader has chosen; else, if all of the time is shown, the period as drawn; else the
	 * finest period that heat_grid offers with no more than a few periods in a pixel. */
	function spanNow(shown) {
		const { view } = app, room = Math.max(app.cellsRoom(), 1), long = shown.to - shown.from,
			own = Number(settings.period);
		const fit = (period) => Math.max(1, Math.ceil(long / period / room));
		const found = view.period !== null ? { period: view.period, rows: H.grid.rowsFor(settings, view.period),
			perColumn: fit(view.period) }
			: view.from === null ? { period: own, rows: settings.rows,
				perColumn: Math.max(settings.perColumn, fit(own)) }
				: H.grid.finer(settings, shown.from, shown.to) ||
					H.grid.spanFor(settings, shown.from, shown.to, room * LADDER_PX * MERGED_MAX);

		return Object.assign({}, found, view.period === null && view.from !== null
			? { perColumn: fit(found.period) } : {},
		view.rows === null ? {} : { rows: view.rows });
	}

	/* The offset of the view's zone from UTC, in ns. */
	app.zoneNs = () => {
		const { zone } = app.view, ms = Number(BigInt(settings.origin) / 1000000n);

		return settings.relative || zone === 'UTC' ? 0 : zone === 'local'
			? -new Date(ms).getTimezoneOffset() * 60e9
			: settings.zone ? settings.zone[2] : 0;
	};
	app.axes = () => {
		const shown = app.asked(), span = spanNow(shown), weigh = app.view.weigh, zone = app.zoneNs();

		return kept('axes', [shown.from, shown.to, span.period, span.rows, span.perColumn, weigh, zone], () =>
			H.grid.axes(settings, Object.assign({ from: shown.from, to: shown.to, zone: zone }, span,
				weigh === null ? {} : { weigh: weigh })));
	};

	/* ---- maps ---- */

	/* The maps: a single one, or one for each key of a dimension; each with its title and its choice of
	 * stacks. */
	function partsOf() {
		return kept('parts', [], () => {
			const by = settings.per ? app.dimension(settings.per) : null;

			return !by ? [{ title: '', flag: clockOf(settings.recordings || []), stacks: null,
				recording: -1, cpu: -1 }]
				: keysOfMaps(by).map((key) => [key, by.keys[key]]).map(([key, title]) =>
					Object.assign({ title: title, flag: settings.per !== 'host' ? ''
						: clockOf(settings.recordings.filter(({ host }) => host === title)) },
					H.grid.partOf(settings, by, key)));
		});
	}
	/* The keys that have maps: those with the most events.  If their names are the same word with numbers,
	 * they are sorted by number, as in heat_keys_order(). */
	function keysOfMaps(by) {
		const keys = by.keys.slice(0, app.mapsDrawn).map((name, key) => [key, /^(.*?)(\d{1,18})$/.exec(name)]);

		if (keys.every(([, found]) => found && found[1] === keys[0][1][1]))
			keys.sort(([, a], [, b]) => Number(a[2]) - Number(b[2]) || (a[0] < b[0] ? -1 : 1));
		return keys.map(([key]) => key);
	}
	app.keyOfMap = (map) => settings.per ? keysOfMaps(app.dimension(settings.per))[map] : undefined;
	const clockOf = (recordings) => recordings.map((r) => r.clock || '').filter(Boolean).join('; ');

	/* The members of a that are in b (wanted true) or not in b (wanted false); null stands for all. */
	function narrowed(a, b, wanted) {
		return !b ? a : Uint8Array.from(b, (in_, i) => Boolean(in_) === wanted && (!a || a[i]) ? 1 : 0);
	}

	/* Which stacks have a hue, and which hue: { keyOf, count, marked }; or null. */
	function huesNow() {
		const hues = app.hues ? app.hues() : null;

		return !hues || !hues.keys.length ? null : kept('hues', [hues.dimension, hues.keys.join()], () => {
			const place = new Int32Array(hues.dimension.keys.length).fill(-1);

			hues.keys.forEach((key, i) => { place[key] = i; });
			const keyOf = Int32Array.from(hues.dimension.keyOf, (key) => key < 0 ? -1 : place[key]);

			return { keyOf: keyOf, count: hues.keys.length,
				marked: Uint8Array.from(keyOf, (k) => k < 0 ? 0 : 1) };
		});
	}

	/* The stacks that the search finds and that have the picked frame. */
	function litNow() {
		const searched = app.searched ? app.searched() : null;
		const framed = app.view.frame && app.flame && app.flame.stacksWith
			? app.flame.stacksWith(app.view.frame) : null;

		if (!searched || !searched.stacks)
			return framed;
		return framed ? narrowed(framed, searched.stacks, true) : searched.stacks;
	}

	const ALL = { stacks: null, recording: -1, cpu: -1 };

	app.mapOf = (selection) => selection && selection.map !== undefined ? selection.map : app.view.map;
	app.choice = (map = app.view.selection ? app.mapOf(app.view.selection) : ALL) => {
		const part = typeof map === 'number' ? partsOf()[map] || ALL : map, how = app.hues ? app.hues() : null,
			hues = huesNow();
		const isolate = how && how.isolate, exclude = how && how.exclude;
		const stacks = kept('stacks ' + (part.title || ''), [part.stacks, hues, isolate, exclude], () =>
			hues && (isolate || exclude) ? narrowed(part.stacks, hues.marked, Boolean(isolate))
				: part.stacks);

		return { stacks: stacks, recording: part.recording, cpu: part.cpu, idle: app.view.idle };
	};

	function linesOf(axes, choice) {
		const percents = LINES_OF.includes(axes.y) && app.linesShown() ? settings.percentiles || [] : [];

		return percents.map((percent) => ({ percent: percent,
			values: H.grid.percentile(data, settings, axes, choice, percent) }));
	}

	/* The longest of the events without a hue, which cannot be computed from the other values. */
	const restOfLongest = (axes, choice, { keyOf, count }) => H.grid.byKeys(data, settings, axes, choice,
		keyOf.map((key) => key < 0 ? count : key), count + 1)[count];

	/* The grid without the events that the other grids count. */
	function without(grid, others) {
		const cells = grid.cells.slice();

		for (const other of others) {
			for (let i = 0; i < cells.length; i++)
				cells[i] -= other.cells[i];
		}
		return Object.assign({}, grid, { cells: cells, total: others.reduce((sum, one) => sum - one.total,
			grid.total),
		largest: cells.reduce((most, n) => Math.max(most, n), 0) });
	}

	/* If there are several hosts: [name, ns or -1] of those whose clocks may be off by more than a row
	 * (heat_draw.h). */
	app.clockDoubts = (axes) => {
		const width = axes.y === 'offset' ? axes.period / axes.rows : axes.period * axes.perColumn;

		return (settings.clocks || []).filter(([, ns]) => ns < 0 || ns > width);
	};

	function doubtOf(axes, choice) {
		const hosts = new Map(app.clockDoubts(axes));

		if (!hosts.size)
			return null;
		const { keys, keyOf } = H.data.dimension(data, settings, 'host'),
			doubtful = keyOf.map((key) => key >= 0 && hosts.has(keys[key]) ? 1 : 0);

		return H.grid.make(data, settings, axes, Object.assign({}, choice,
			{ stacks: narrowed(choice.stacks, doubtful, true) }));
	}

	function makeMap(axes, part, number, lit) {
		const how = app.hues ? app.hues() : null, hues = how && !how.exclude ? huesNow() : null,
			choice = app.choice(part);
		const grid = H.grid.make(data, settings, axes, choice);
		const ofKey = !hues ? null : axes.y === 'utilization'
			? H.grid.byCpus(data, settings, axes, choice, how.dimension, how.keys)
			: H.grid.byKeys(data, settings, axes, choice, hues.keyOf, hues.count);

		return { number: number, title: part.title, flag: part.flag, choice: choice, grid: grid, ofKey: ofKey,
			rest: !ofKey || how.isolate ? null : axes.weigh === 'longest' && axes.y !== 'utilization'
				? restOfLongest(axes, choice, hues) : without(grid, ofKey),
			lit: lit ? H.grid.make(data, settings, axes, Object.assign({}, choice,
				{ stacks: narrowed(choice.stacks, lit, true) })) : null,
			unseen: H.grid.unseen(settings, axes, part.recording, data, part.cpu),
			doubt: doubtOf(axes, choice),
			lines: linesOf(axes, choice) };
	}

	app.linesShown = () => app.view.lines === null ? Boolean(settings.lines) : app.view.lines;

	app.grids = () => {
		const axes = app.axes(), lit = litNow(), how = app.hues ? app.hues() : null, hues = huesNow();

		return kept('grids', [axes, lit, hues, how && how.isolate, how && how.exclude, app.view.idle,
			app.view.coloring, app.linesShown()], () => {
			const maps = partsOf().map((part, i) => makeMap(axes, part, i, lit));
			const drawn = [].concat(...maps.map((map) => map.ofKey ? map.ofKey.concat(map.rest || [])
				: [map.grid]));

			return { axes: axes, maps: maps, hues: hues && how && !how.exclude ? hues.count : 0,
				scale: H.scale.make(app.view.coloring || settings.coloring, drawn) };
		});
	};
	app.ramp = () => settings.ramps.find((ramp) => ramp[0] === (app.view.ramp || settings.ramp)) ||
		settings.ramps[0];

	/* ---- what is selected ---- */

	app.sums = (selection) => {
		const shown = app.shown();

		return H.select.sums(data, settings, app.axes(), selection ||
			{ kind: 'time', from: shown.from, to: shown.to }, selection ? app.choice(app.mapOf(selection))
			: app.choice());
	};
	/* Selects a range, or (asBaseline) makes it the range that the selection is compared with. */
	app.select = (selection, asBaseline) => app.step(asBaseline ? { baseline: selection }
		: selection ? { selection: selection } : { selection: null, baseline: null });

	app.flameIsShown = () => app.view.flameShown === null ? Boolean(app.view.selection) && data.stacks > 1
		: app.view.flameShown;
	const usual = settings.y === 'value' ? 'rows' : 'time';

	app.selecting = () => app.view.selecting || usual;
	app.setSelecting = (shape) => app.touch({ selecting: shape === usual ? null : shape });
	app.settle = () => {
		const { view, whole } = app, outside = ({ from, to }) => from >= whole.to || to <= whole.from;

		if (view.from !== null && outside(view))
			view.from = view.to = null;
		for (const key of ['selection', 'baseline']) {
			const range = view[key], { least, most, column } = app.axes();

			if (!range)
				continue;
			if (outside(range) || range.map >= app.mapsDrawn)
				view[key] = null;
			else if (range.from < least - column || range.to > most + column)
				view[key] = range.kind !== 'time' ? null
					: Object.assign(range, { from: Math.max(range.from, least),
						to: Math.min(range.to, most) });
		}
		if (!view.selection)
			view.baseline = null;
	};

	/* Shows the flame graph of the selection, or of the visible time; a little later while the reader
	 * zooms. */
	let flameOf = [], later = 0;

	function showFlame() {
		const { view } = app, shown = app.shown(), { stacks } = app.choice();
		const of = [view.selection, view.baseline, stacks, view.idle, view.selection || shown.from,
			view.selection || shown.to];

		if (!app.flame || !app.flameIsShown() || of.every((part, i) => part === flameOf[i]) && flameOf.length)
			return;
		const soon = () => app.flame.show(app.sums(view.selection), view.baseline ? app.sums(view.baseline)
			: null);
		const zoomed = flameOf.length && !view.selection && !flameOf[0] && stacks === flameOf[2];

		clearTimeout(later);
		flameOf = of;
		if (zoomed)
			later = setTimeout(soon, FLAME_WAITS_MS);
		else
			soon();
	}

	/* ---- changes ---- */

	/* A listener may take room from the maps.  Then the columns change, and all listeners are called again. */
	let told = null;

	pyrograph.ui.state(app);
	app.refresh = () => {
		for (let i = 0; i < LAYOUTS_MAX && (!i || told !== app.axes()); i++) {
			told = app.axes();
			app.tellAll();
		}
		showFlame();
	};
	app.isTold = () => told === app.axes();
};
/* heat_page: the layout of a heat map's page (common/page.js has the parts of all charts).
 *
 *     title                        tools
 *     notes
 *     legend
 *     map                        | aside      each scrolls for itself
 *     lanes                        if there are any; they scroll for themselves
 *     details                      chips      in one line, so that nothing above moves
 *     ===== a bar, which the pointer or the arrow keys move
 *     flame graph
 *
 * page.settle(ms, isDown)      a part that opens now takes room from the maps only after ms, and not while a
 *                              pointer is down (isDown) */
pyrograph.heat.page = function (app) {
	'use strict';

	const D = pyrograph.ui.dom, { svg } = app;
	const LEAST_WIDTH = 240, LEAST_HEIGHT = 320, FLAME_LEAST = 120, STEP_PX = 24;
	const bar = D.html('div', { 'class': 'heat-bar', role: 'separator', tabindex: '0',
		'aria-orientation': 'horizontal', 'aria-label': 'Height of the flame graph' });
	const flame = D.html('div', { 'class': 'heat-flame', role: 'region',
		'aria-label': 'Flame graph of the selection' });
	const lanes = D.html('div', { 'class': 'heat-lanes', tabindex: '0', role: 'region', 'aria-label': 'Lanes',
		hidden: !app.lanes });
	let flameHeight = null;         /* the height that the reader gave it, in px */

	/* The width of the picture's parent element, without its padding. */
	function placeWidth() {
		const { clientWidth } = svg.parentElement, style = window.getComputedStyle(svg.parentElement);

		return clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight) || app.drawnWidth;
	}

	/* Width and height in px of the picture's place in a page. */
	const room = () => [Math.round(Math.max(LEAST_WIDTH, Math.min(app.drawnWidth, placeWidth()))),
		Math.max(LEAST_HEIGHT, app.drawnHeight, Math.min(700, window.innerHeight))];

	function resized() {
		flame.style.height = '';
		flame.style.flexBasis = flameHeight === null ? '' : flameHeight + 'px';
		flame.classList.toggle('of-given-height', flameHeight !== null);
		app.redraw();
		if (app.flame && app.flame.resize && !flame.hidden)
			app.flame.resize();
	}

	pyrograph.ui.page(app, { className: 'heat', idle: '#details text', room, resized, sheet: (page) => [
		page.heading, page.legend, page.body, lanes,
		D.html('div', { 'class': 'heat-foot' }, page.foot, page.chips), bar, flame] });
	const { page } = app;

	Object.assign(page, { bar, flame, lanes, map: page.stage });
	page.map.className = 'heat-maps';
	page.body.classList.add('heat-body');
	page.tools.setAttribute('role', 'toolbar');
	page.tools.setAttribute('aria-label', 'Heat map');
	bar.hidden = flame.hidden = true;

	/* A click opens the flame graph.  At first the graph lies over the maps and lets clicks through, because the
	 * click may be the first half of a double click.  The maps get lower only after that time. */
	let settling = 0;

	function settled() {
		settling = 0;
		page.element.classList.remove('settling');
		page.resize();
	}
	page.settle = (ms, isDown) => {
		const wait = () => {
			settling = isDown() ? setTimeout(wait, ms) : setTimeout(settled);
		};

		if (flame.hidden && !settling) {
			page.element.classList.add('settling');
			flame.style.height = flameHeight === null ? '' : flameHeight + 'px';
			settling = setTimeout(wait, ms);
		}
	};

	/* A key ends the wait for a second click. */
	window.addEventListener('keydown', () => {
		if (settling && !(app.menu && app.menu.isOpen())) {
			clearTimeout(settling);
			settled();
		}
	}, true);

	/* ---- the bar between the maps and the flame graph ---- */

	function setFlameHeight(px) {
		const most = page.sheet.clientHeight - FLAME_LEAST;

		flameHeight = Math.round(Math.max(FLAME_LEAST, Math.min(px, most)));
		bar.setAttribute('aria-valuenow', flameHeight);
		page.resize();
	}
	bar.addEventListener('pointerdown', (event) => {
		const from = event.clientY, height = flame.offsetHeight;
		const move = (e) => setFlameHeight(height + from - e.clientY);

		event.preventDefault();
		bar.focus({ preventScroll: true });
		bar.setPointerCapture(event.pointerId);
		bar.addEventListener('pointermove', move);
		for (const end of ['pointerup', 'pointercancel'])
			bar.addEventListener(end, () => bar.removeEventListener('pointermove', move),
				{ once: true });
	});
	bar.addEventListener('dblclick', () => {
		flameHeight = null;
		page.resize();
	});
	bar.addEventListener('keydown', (event) => {
		const steps = { ArrowUp: STEP_PX, ArrowDown: -STEP_PX };

		if (event.key in steps) {
			setFlameHeight(flame.offsetHeight + steps[event.key]);
			event.preventDefault();
			event.stopPropagation();
		}
	});

	app.onchange(() => {
		flame.hidden = !app.flame || !app.flameIsShown();
		bar.hidden = flame.hidden;
	});
	if (svg !== document.documentElement) {
		let wide = 0;

		new ResizeObserver(() => {
			if (page.frame.isConnected && wide !== (wide = room()[0]))
				page.resize();
		}).observe(svg.parentElement);
	}
};
/* heat_cells: the cells of a map as pixels.
 *
 * app.paintCells(canvas, grids, map, columnPx, rowPx, scale, dark)  draws map on canvas, in cells of this
 *     size; scale: pixels of the canvas for each px
 * app.canvasOf(map, columnPx, rowPx, dark) -> a canvas with the cells of map, for saving
 * app.restColour() -> "#rrggbb" of the highest value without a hue */
pyrograph.heat.cells = function (app) {
	'use strict';

	const D = pyrograph.ui.dom, H = pyrograph.heat, { settings } = app, HATCHED_FROM = 50, DARK_FROM = 500,
		HATCH_PX = 6;

	const shade = (rgb) => 0xff000000 | (rgb & 255) << 16 | (rgb & 0xff00) | rgb >> 16 & 255;

	function blend(a, b, part) {
		let rgb = 0;

		for (const shift of [16, 8, 0])
			rgb |= Math.round((a >> shift & 255) * (1 - part) + (b >> shift & 255) * part) << shift;
		return rgb;
	}
	/* A grey that is as bright as rgb. */
	function grey(rgb) {
		const y = Math.round((rgb >> 16) * 0.3 + (rgb >> 8 & 255) * 0.59 + (rgb & 255) * 0.11);

		return y << 16 | y << 8 | y;
	}

	/* Returns a function value -> colour that works out the colour of each value only once. */
	function remembered(colour) {
		const known = new Map();

		return (value) => {
			let rgb = known.get(value);

			if (rgb === undefined) {
				rgb = shade(colour(value));
				known.set(value, rgb);
			}
			return rgb;
		};
	}

	/* Returns a function (index of a cell) -> the cell's colour in the form that canvases use. */
	function painter(grids, map, dark) {
		const { scale } = grids, ramp = app.ramp(), cells = map.grid.cells,
			empty = H.scale.rgb(ramp, dark, scale, 0);
		const own = (value) => H.scale.rgb(ramp, dark, scale, value);

		if (map.lit) {
			const strong = H.scale.found(dark), lit = map.lit.cells;
			const pale = remembered((value) => blend(grey(own(value)), empty, 0.55));
			const bright = remembered((value) => blend(empty, strong, 0.35 +
				0.65 * H.scale.of(scale, value)));

			return (i) => lit[i] ? bright(lit[i]) : pale(cells[i]);
		}
		if (map.ofKey)
			return huePainter(scale, map, dark);
		const colour = remembered(own);

		return (i) => colour(cells[i]);
	}

	/* Mixes the hues of the keys with grey for the rest. */
	function huePainter(scale, map, dark) {
		const all = map.rest ? map.ofKey.concat(map.rest) : map.ofKey;
		const hues = app.hues().numbers.map(H.scale.hue).concat(map.rest ? H.scale.GREY : []);
		const amount = (value) => value ? H.scale.ofHue(scale, value) : 0;
		const kept = new Map(), single = hues.map((hue) =>
			remembered((value) => H.scale.mix([hue], [amount(value)], dark)));

		return (i) => {
			let only = -1, several = false, key = '';

			for (let k = 0; k < all.length; k++) {
				if (all[k].cells[i]) {
					several = only >= 0;
					if (several)
						break;
					only = k;
				}
			}
			if (!several)
				return only < 0 ? single[0](0) : single[only](all[only].cells[i]);
			for (let k = 0; k < all.length; k++)
				key += all[k].cells[i] + ',';
			if (!kept.has(key))
				kept.set(key, shade(H.scale.mix(hues, all.map((grid) => amount(grid.cells[i])), dark)));
			return kept.get(key);
		};
	}

	/* Draws the map with one pixel for each cell. */
	function pixels(grids, map, dark) {
		const { columns, rows } = grids.axes, canvas = D.html('canvas', {}), paint = painter(grids, map, dark);

		canvas.width = columns;
		canvas.height = rows;
		const context = canvas.getContext('2d'), image = context.createImageData(columns, rows);
		const out = new Uint32Array(image.data.buffer);

		for (let column = 0; column < columns; column++) {
			for (let row = 0; row < rows; row++)
				out[(settings.inverted ? row : rows - 1 - row) * columns + column] =
					paint(column * rows + row);
		}
		context.putImageData(image, 0, 0);
		return canvas;
	}

	const isHatched = (map, i) => map.unseen[i] >= HATCHED_FROM || (map.doubt && map.doubt.cells[i] > 0);
	/* Was most of a cell without events not seen?  Such a cell must look different from one in which nothing
	 * happened. */
	const isDark = (map, i) => map.unseen[i] >= DARK_FROM && !map.grid.cells[i] && !(map.grid.idle[i] > 0);

	/* A pattern of thin dark and light lines, which is visible on any colour, and leaves the colour
	 * recognisable. */
	function hatching(context, dark, scale) {
		const size = Math.round(HATCH_PX * scale), tile = D.html('canvas', {});

		tile.width = tile.height = size;
		const pen = tile.getContext('2d');

		pen.lineWidth = Math.max(0.75, 0.75 * scale);
		for (const [colour, by] of [['rgba(20, 24, 30, 0.5)', 0],
			['rgba(255, 255, 255, 0.5)', pen.lineWidth * 1.4]]) {
			pen.strokeStyle = colour;
			pen.beginPath();
			for (const at of [-size, 0, size]) {
				pen.moveTo(at + by - 1, size + 1);
				pen.lineTo(at + by + size + 1, -1);
			}
			pen.stroke();
		}
		return context.createPattern(tile, 'repeat');
	}

	/* Marks the cells that were not seen, and those of hosts whose clocks are off. */
	function hatch(context, axes, map, px, dark) {
		if (!map.doubt && !map.unseen.some((n) => n))
			return;
		context.fillStyle = dark ? '#2b3038' : '#e2e5e9';
		fillRuns(context, axes, px, (i) => isDark(map, i));
		context.fillStyle = hatching(context, dark, px.scale);
		fillRuns(context, axes, px, (i) => isHatched(map, i));
	}

	/* Fills the cells for which isOf(cell) is true; neighbours of a column are filled together. */
	function fillRuns(context, axes, px, isOf) {
		const { columns, rows } = axes, { column: w, row: h } = px, x = (c) => Math.round(c * w);

		for (let column = 0; column < columns; column++) {
			for (let row = 0; row < rows; row++) {
				const from = row;

				while (row < rows && isOf(column * rows + row))
					row++;
				if (row > from) {
					const low = settings.inverted ? from : rows - row;

					context.fillRect(x(column), Math.round(low * h), x(column + 1) - x(column),
						Math.round((low + row - from) * h) - Math.round(low * h));
				}
			}
		}
	}

	app.paintCells = (canvas, grids, map, columnPx, rowPx, scale, dark) => {
		const { columns, rows } = grids.axes, context = canvas.getContext('2d');

		canvas.width = Math.max(1, Math.round(columns * columnPx * scale));
		canvas.height = Math.max(1, Math.round(rows * rowPx * scale));
		context.imageSmoothingEnabled = false;
		context.drawImage(pixels(grids, map, dark), 0, 0, canvas.width, canvas.height);
		hatch(context, grids.axes, map, { column: canvas.width / columns, row: canvas.height / rows,
			scale: scale }, dark);
	};
	app.canvasOf = (map, columnPx, rowPx, dark) => {
		const canvas = D.html('canvas', {});

		app.paintCells(canvas, app.grids(), map, columnPx, rowPx, 1, dark);
		return canvas;
	};
	app.restColour = () => H.scale.css(H.scale.hueRgb(H.scale.GREY, 1, app.isDark()));
};
/* heat_view: the maps on the page: cells on a canvas of device pixels (cells.js); above the canvas, as SVG,
 * axes, percentile lines, and outlines (marks.js).
 *
 * app.cellsRoom()    -> px that are available for columns
 * app.drawMaps()     draws what has changed
 * app.redraw()       after a change of the room: draws the maps, or all parts if the columns have changed
 * app.plots          for each map: { element, map, left, top, width, height, columnPx, rowPx }
 * app.cellAt(x, y)   -> { plot, column, row } for a point of the window, or null; with plot given, a point
 *     outside this plot stands for its nearest cell
 * app.nsAtX(plot, x) -> the time in ns at x, in px of plot.box
 * app.draw           { yOf(plot, row), text(parent, x, y, words, attributes) } */
pyrograph.heat.view = function (app) {
	'use strict';

	const D = pyrograph.ui.dom, H = pyrograph.heat, T = H.ticks, { settings, page } = app;
	const CELL_MAX = 16, COLUMN_MAX = 200, CELL_LEAST = 3, MAP_LEAST = 200, SMALL_LEAST = 84, AXIS_PX = 34,
		TITLE_PX = 20, RIGHT = 14, TOP = 6;
	const GAP = 6, TIMES_PX = 24, PAPER_PX = 460, Y_APART = 30, WIDE_LABEL = 8;
	const DAY = 86400e9;
	let drawn = null;       /* what the canvases show now */
	let yLabels = '', labelPx = 0;

	app.plots = [];
	page.map.setAttribute('role', 'application');
	page.map.setAttribute('tabindex', '0');
	page.map.setAttribute('aria-roledescription', 'heat map');

	/* ---- sizes ---- */

	/* 1, 10, 100, ... within a range: where logarithmic axes have labels. */
	const powers = (low, high) => Array.from({ length: 19 }, (unused, n) => Math.pow(10, n)).filter((value) =>
		value >= low && value <= high);

	/* The left margin is as wide as the widest label; labels hardly depend on the height. */
	function leftOf() {
		const key = JSON.stringify([app.view.period, settings.period, settings.y, settings.value]);

		if (key !== yLabels) {
			const period = app.view.period || Number(settings.period), [low, high] = settings.value ||
				['0', '1'];
			const axes = settings.y === 'offset' ? [0, period, period * 0.975]
				: settings.y === 'utilization' ? [10000]
					: [Number(low), Number(high), Number(high) / 3,
						...powers(Number(low), Number(high))];

			yLabels = key;
			labelPx = Math.max(...axes.map((value) =>
				app.ruler.width(T.valueText(settings, { y: settings.y, period: period },
					value)))) + WIDE_LABEL;
		}
		return Math.ceil(Math.min(labelPx, 120)) + 10;
	}
	/* Several maps stand side by side if they are narrow, or if they do not all fit below each other. */
	function across() {
		if (app.lanes) /* which are below each of the maps */
			return 1;
		const { from, to } = app.asked(), period = app.view.period ||
			Number(settings.period) * settings.perColumn;
		const columns = Math.ceil((to - from) / period), count = app.mapsDrawn, wide = page.map.clientWidth ||
			app.drawnWidth;
		const most = (cellPx) => Math.max(1, Math.floor(wide / (leftOf() + RIGHT + columns * cellPx)));
		let wanted = Math.min(count, most(CELL_MAX));

		while (wanted < Math.min(count, most(CELL_LEAST)) &&
			Math.ceil(count / wanted) * (SMALL_LEAST + TITLE_PX + GAP) + AXIS_PX > page.map.clientHeight)
			wanted++;
		return wanted;
	}
	app.cellsRoom = () => Math.max(60, Math.floor((page.map.clientWidth ||
		app.drawnWidth) / across() - leftOf() - RIGHT));

	const isZoomed = () => app.view.from !== null;
	const ratio = () => app.onPaper ? 2 : window.devicePixelRatio || 1;

	/* Rounds to whole device pixels, if that changes little. */
	function stepped(px) {
		const device = px * ratio();

		return device >= 3 ? Math.floor(device) / ratio() : px;
	}

	function measure(axes, count) {
		const room = app.cellsRoom(), columnPx = isZoomed() ? room / axes.columns
			: Math.min(room / axes.columns, COLUMN_MAX);
		const high = app.onPaper ? PAPER_PX : page.map.clientHeight || 400, titles = count > 1 ? TITLE_PX : 0;
		const down = Math.ceil(count / across()), each =
			(high - AXIS_PX - TOP - (titles + GAP + TOP) * down) / down;
		const least = count > 1 ? SMALL_LEAST : MAP_LEAST;
		const rowPx = stepped(Math.max(Math.min(each / axes.rows, CELL_MAX), least / axes.rows));

		return { left: leftOf(), top: TOP, columnPx: columnPx, rowPx: rowPx, width: columnPx * axes.columns,
			height: rowPx * axes.rows };
	}

	/* ---- axes ---- */

	const yOf = (plot, at) => plot.top + (settings.inverted ? at : app.grids().axes.rows - at) * plot.rowPx;
	const xOfNs = (plot, ns) => {
		const { axes } = app.grids();

		return plot.left + (ns - H.grid.columnNs(axes, 0)) / (axes.period * axes.perColumn) * plot.columnPx;
	};
	app.nsAtX = (plot, x) => {
		const { axes } = app.grids();

		return H.grid.columnNs(axes, 0) + (x - plot.left) / plot.columnPx * axes.period * axes.perColumn;
	};

	/* ns to be added to ns from the origin to get the zone's time of the day. */
	const zoneOffset = () => (Number(BigInt(settings.origin) % BigInt(DAY)) + app.zoneNs() + DAY) % DAY;

	function text(parent, x, y, words, more) {
		const e = D.svg('text', Object.assign({ x: x.toFixed(1), y: y.toFixed(1) }, more), parent);

		e.textContent = words;
		return e;
	}

	app.draw = { yOf: yOf, text: text };

	function drawY(g, plot, axes) {
		for (const { at, text: words } of T.rows(axes, settings, plot.height, Y_APART)) {
			const y = yOf(plot, at);

			if (y < plot.top - 1 || y > plot.top + plot.height + 1)
				continue;
			D.svg('path', { 'class': 'tick', d: `M${plot.left - 4} ${y.toFixed(1)}h4` }, g);
			text(g, plot.left - 7, y + settings.fontSize * 0.35, words, { 'text-anchor': 'end' });
		}
	}

	function drawX(g, plot, axes, isFirst) {
		const clock = app.clock(), bottom = plot.top + plot.height, end = plot.left + Math.max(plot.width, 200);
		const width = (words) => app.ruler.width(words);
		let free = -Infinity;

		for (const tick of T.time(axes, clock, zoneOffset(), plot.width, width)) {
			const x = xOfNs(plot, tick.ns), half = width(tick.text) / 2, at = Math.max(x, half);

			D.svg('path', { 'class': 'tick tick-x', 'data-x': x, d: `M${x.toFixed(1)} ${bottom}v4` }, g);
			if (at - half < free || at + half > plot.left + app.cellsRoom() + RIGHT)
				continue;
			text(g, at, bottom + 5 + settings.fontSize, tick.text, { 'text-anchor': 'middle' });
			free = at + half + 8;
		}
		if (!isFirst)
			return;
		const { from, to } = app.shown(), first = clock.date(from), last = clock.date(to - 1);
		const when = settings.relative ? clock.label : (first === last ? first : first + ' \u2013 ' + last) +
			' ' + clock.label;
		const cells = T.cellText(settings, axes), y = bottom + 7 + settings.fontSize * 2.2;

		text(g, plot.left, y, when, { 'class': 'quiet-text' });
		if (plot.left + width(when) + 24 + width(cells) < plot.left + app.cellsRoom() + RIGHT)
			text(g, Math.max(end, plot.left + width(when) + 24 + width(cells)), y, cells,
				{ 'class': 'quiet-text', 'text-anchor': 'end' });
	}

	/* Draws percentiles as steps over the columns; a line is interrupted where it leaves the rows. */
	function drawLines(g, plot, map) {
		const { axes } = app.grids();

		for (const { percent, values } of map.lines) {
			let d = '', pen = false, last = 0;

			values.forEach((value, column) => {
				const known = T.isOn(axes, value), y = known
					? yOf(plot, Math.max(0, Math.min(T.rowAt(axes, value), axes.rows))) : 0;
				const x = plot.left + column * plot.columnPx;

				if (known)
					d += (pen ? 'L' : 'M') + x.toFixed(1) + ' ' + (last = y).toFixed(1) + 'h' +
						plot.columnPx.toFixed(2);
				pen = known;
			});
			if (!d)
				continue;
			D.svg('path', { 'class': 'line-halo', d: d }, g);
			D.svg('path', { 'class': 'line line-' + T.dash(percent), d: d }, g);
			text(g, plot.left + plot.width - 3, Math.max(plot.top + settings.fontSize, last - 4), 'p' +
				percent,
			{ 'text-anchor': 'end', 'class': 'line-label' });
		}
	}

	/* ---- the maps ---- */

	function makePlot(map) {
		const title = D.html('h2', { 'class': 'heat-title' }, map.title);
		const canvas = D.html('canvas', { 'class': 'cells' }),
			svg = D.svg('svg', { 'class': 'marks', 'aria-hidden': 'true' });
		const box = D.html('div', { 'class': 'plot' }, canvas, svg);
		const plot = { element: D.html('div', { 'class': 'heat-map' }, map.title ? title : null, box), box: box,
			canvas: canvas, svg: svg,
			axis: D.svg('g', { 'class': 'axis' }, svg), lines: D.svg('g', { 'class': 'lines' }, svg),
			marks: D.svg('g', {}, svg), pointed: D.svg('g', {}, svg) };

		if (map.flag)
			title.append(' ', D.html('span', { 'class': 'wrong' }, map.flag));
		return plot;
	}

	/* isLast: no map is below this one; isFirst: it is the first of those; hasTimes: maps that are not last have
	 * times, too, because the last ones are out of sight. */
	function drawPlot(plot, isLast, isFirst, hasTimes, grids) {
		const { axes } = grids, high = plot.top + plot.height +
			(isLast ? AXIS_PX + 6 : hasTimes ? TIMES_PX : GAP);

		plot.box.style.height = high + 'px';
		plot.svg.setAttribute('width', Math.max(plot.left + plot.width, plot.left + app.cellsRoom()) + RIGHT);
		plot.svg.setAttribute('height', high);
		Object.assign(plot.canvas.style, { left: plot.left + 'px', top: plot.top + 'px', width: plot.width +
			'px', height: plot.height + 'px' });
		app.paintCells(plot.canvas, grids, plot.map, plot.columnPx, plot.rowPx, ratio(), app.isDark());
		plot.axis.replaceChildren();
		D.svg('path', { 'class': 'edge',
			d: `M${plot.left - 0.5} ${plot.top}v${plot.height + 0.5}h${plot.width + 0.5}` }, plot.axis);
		drawY(plot.axis, plot, axes);
		if (isLast || hasTimes)
			drawX(plot.axis, plot, axes, isLast && isFirst);
		plot.lines.replaceChildren();
		drawLines(plot.lines, plot, plot.map);
	}

	app.drawMaps = () => {
		const grids = app.grids();

		if (app.plots.length !== grids.maps.length) {
			app.plots = grids.maps.map(makePlot);
			page.map.replaceChildren(...app.plots.map((plot) => plot.element));
			page.map.classList.toggle('several', app.plots.length > 1);
		}
		const size = measure(grids.axes, app.plots.length);
		const key = [grids, app.isDark(), app.ramp(), app.view.zone, ratio(), size.columnPx, size.rowPx,
			app.cellsRoom(), app.onPaper];

		if (!drawn || !key.every((part, i) => part === drawn[i])) {
			const wide = across(), down = Math.ceil(app.plots.length / wide);
			const isLong = !app.onPaper && down * (size.height + TITLE_PX + GAP + TOP) +
				AXIS_PX > page.map.clientHeight + AXIS_PX;

			drawn = key;
			page.map.style.gridTemplateColumns = `repeat(${wide}, minmax(0, 1fr))`;
			app.plots.forEach((plot, i) => {
				Object.assign(plot, size, { map: grids.maps[i] });
				drawPlot(plot, i + wide >= app.plots.length, i % wide === 0, isLong, grids);
			});
		}
		if (app.lanes)
			app.drawLanes();
		app.drawMarks();
	};

	app.cellAt = (x, y, plot) => {
		const { axes } = app.grids(), found = plot || app.plots.find(({ canvas }) => {
			const box = canvas.getBoundingClientRect();

			return x >= box.left && x < box.right && y >= box.top && y < box.bottom;
		});

		if (!found)
			return null;
		const box = found.canvas.getBoundingClientRect(), within = (n, most) =>
			Math.max(0, Math.min(Math.floor(n), most - 1));
		const row = within((y - box.top) / box.height * axes.rows, axes.rows);

		return { plot: found, column: within((x - box.left) / box.width * axes.columns, axes.columns),
			row: settings.inverted ? row : axes.rows - 1 - row };
	};

	app.redraw = () => app.isTold() ? app.drawMaps() : app.refresh();
	app.onchange(app.drawMaps);
	/* Draws again when a neighbour of the maps has taken or given room. */
	new ResizeObserver(() => app.links && app.redraw()).observe(page.map);
};
/* heat_marks: outlines over the cells: of the selection (A), of the range compared with it (B), and of the
 * cell under the pointer.
 *
 * app.drawMarks()    draws what changes while the cells stay; app.preview: { range, letter, map } while the
 *     reader drags
 * app.point(cell)    outlines a cell (see app.cellAt in view.js); null: none
 * app.pointTime(ns)  draws a line through all maps */
pyrograph.heat.marks = function (app) {
	'use strict';

	const D = pyrograph.ui.dom, S = pyrograph.heat.select, { settings } = app, { text } = app.draw;

	/* The selected cells of a column, as ranges of rows: [[from, to], ...]. */
	function runs(axes, selection, column) {
		const found = [];

		for (let row = 0; row < axes.rows; row++) {
			if (!S.inSelection(axes, selection, column, row))
				continue;
			if (found.length && found[found.length - 1][1] === row)
				found[found.length - 1][1]++;
			else
				found.push([row, row + 1]);
		}
		return found;
	}

	/* Outlines the selection; neighbouring columns with the same ranges of rows get one outline. */
	function outline(plot, axes, selection) {
		const blocks = [];
		let last = '[]';

		const first = Math.max(0, Math.floor((selection.from - axes.start) / axes.column));
		const end = Math.min(axes.columns, Math.ceil((selection.to - axes.start) / axes.column));

		for (let column = first; column < end; column++) {
			const now = runs(axes, selection, column), text_ = JSON.stringify(now);

			if (now.length && text_ === last)
				blocks[blocks.length - 1].to = column + 1;
			else if (now.length)
				blocks.push({ from: column, to: column + 1, runs: now });
			last = text_;
		}
		return { d: edges(plot, blocks), first: blocks[0] };
	}

	const rowsIn = (block) => block ? block.runs : [];

	/* The edge between two neighbouring columns: the rows in which only one of the two is selected. */
	function between(a, b) {
		const marks = [...a, ...b].flat().sort((x, y) => x - y), found = [];
		const inside = (list, at) => list.some(([from, to]) => at >= from && at < to);

		for (let i = 0; i + 1 < marks.length; i++) {
			if (marks[i] < marks[i + 1] && inside(a, marks[i]) !== inside(b, marks[i]))
				found.push([marks[i], marks[i + 1]]);
		}
		return found;
	}

	function edges(plot, blocks) {
		const x = (column) => (plot.left + column * plot.columnPx).toFixed(1), y = (row) =>
			app.draw.yOf(plot, row).toFixed(1);
		const d = [], side = (column, a, b) => between(a, b).forEach(([from, to]) =>
			d.push(`M${x(column)} ${y(from)}V${y(to)}`));

		blocks.forEach((block, i) => {
			const before = blocks[i - 1], next = blocks[i + 1];

			for (const row of block.runs.flat())
				d.push(`M${x(block.from)} ${y(row)}H${x(block.to)}`);
			side(block.from, rowsIn(before && before.to === block.from ? before : null), block.runs);
			if (!next || next.from !== block.to)
				side(block.to, block.runs, []);
		});
		return d.join('');
	}

	function drawRange(g, plot, axes, selection, letter) {
		const { d, first } = outline(plot, axes, selection);

		if (!d)
			return;
		D.svg('path', { 'class': 'range-halo', d: d }, g);
		D.svg('path', { 'class': 'range range-' + letter.toLowerCase(), d: d }, g);
		const x = plot.left + first.from * plot.columnPx,
			y = app.draw.yOf(plot, settings.inverted ? first.runs[0][0]
				: first.runs[first.runs.length - 1][1]);

		text(g, x + 1, y > plot.top + settings.fontSize + 4 ? y - 4 : y + settings.fontSize + 1, letter,
			{ 'class': 'range-label' });
	}

	function cellBox(plot, cell) {
		return { x: plot.left + cell.column * plot.columnPx, width: plot.columnPx, height: plot.rowPx,
			y: app.draw.yOf(plot, settings.inverted ? cell.row : cell.row + 1) };
	}

	function cellMark(g, plot, cell, className) {
		const box = cellBox(plot, cell);

		D.svg('rect', { 'class': className, x: (box.x - 1).toFixed(1), y: (box.y - 1).toFixed(1),
			width: (box.width + 2).toFixed(1), height: (box.height + 2).toFixed(1) }, g);
	}

	/* Draws the marks, without the cells. */
	app.drawMarks = () => {
		const { axes } = app.grids(), { selection, baseline } = app.view, { preview } = app;
		const ranges = [[baseline, 'B', app.mapOf(baseline)],
			[selection, 'A', app.mapOf(selection)]].filter(([range, letter]) => range &&
			!(preview && preview.letter === letter)).concat(preview
			? [[preview.range, preview.letter, preview.map]] : []);

		for (const plot of app.plots) {
			plot.marks.replaceChildren();
			for (const [range, letter, number] of ranges) {
				if (plot.map.number === number || app.plots.length === 1)
					drawRange(plot.marks, plot, axes, range, letter);
			}
		}
		if (app.lanes)
			app.markLanes(ranges);
	};
	app.point = (cell) => {
		for (const plot of app.plots)
			plot.pointed.replaceChildren();
		if (cell)
			cellMark(cell.plot.pointed, cell.plot, cell, 'pointed');
		if (app.lanes)
			app.pointLanes(cell ? app.cellRange(cell) : null);
	};
	app.pointTime = (ns) => {
		const { axes } = app.grids();

		for (const plot of app.plots) {
			const x = plot.left + (ns - axes.start) / (axes.end - axes.start) * plot.width;

			D.svg('path', { 'class': 'pointed', d: `M${x.toFixed(1)} ${plot.top}v${plot.height}` },
				plot.pointed);
		}
	};
};
/* heat_hover: the words about a cell, in the line below the maps, in the box beside the pointer, and for screen
 * readers.
 *
 * app.cellFacts(cell) -> { when, rows, count, share (of the whole recording), idle, unseen, lit,
 *     lines: [[percentile, text], ...], keys: [[name, text], ...] }, as texts;
 *     cell: { map (a number), column, row }
 * app.cellRange(cell) -> { from, to } in ns: the time of the cell if a column is one period of offsets, else
 *     that of the column
 * app.bandText(selection) -> "393.939 – 484.848 ms of each 1 s"; "" for a range of time
 * app.allOf(axes)     -> the sum of all cells if the whole time were shown
 * app.amountText(value) -> the value of a cell with its unit
 * app.rangeText(from, to, brief) -> "2026-11-21 10:15:02.300 – 10:15:04.100 UTC"; brief: "10:15:02.300 – 10:15:04.100"
 * app.hover(cell, x, y), app.showIdle() */
pyrograph.heat.hover = function (app) {
	'use strict';

	const N = pyrograph.number, H = pyrograph.heat, { data, settings, tip, foot } = app, KEYS_TOLD = 4;
	let pointed = null;

	/* ---- texts ---- */

	const digitsFor = (ns) => ns % 1e9 === 0 ? 0 : ns % 1e6 === 0 ? 3 : ns % 1e3 === 0 ? 6 : 9;

	/* Times have as many digits as needed, but no more than are useful; brief: no date if the whole recording is
	 * within a day. */
	app.rangeText = (from, to, brief) => {
		const clock = app.clock(), origin = Number(BigInt(settings.origin) % 1000000000n);
		const exact = Math.max(digitsFor(Math.round(origin + from)), digitsFor(Math.round(origin + to)));
		/* Digits for a hundredth of the range. */
		const enough = Math.ceil(Math.log10(100 * 1e9 / Math.max(to - from, 1)));
		const digits = exact <= 3 ? exact : Math.max(3, Math.min(enough, exact));
		const oneDay = settings.relative || (brief &&
			clock.date(app.whole.from) === clock.date(app.whole.to - 1));
		const day = oneDay ? '' : clock.date(from) + ' ', last = oneDay ? '' : clock.date(to) + ' ';

		return day + clock.text(from, digits) + ' \u2013 ' + (last === day ? '' : last) +
			clock.text(to, digits) + (clock.label && !brief ? ' ' + clock.label : '');
	};

	const unit = () => (H.data.unit(settings));

	/* "1,234 samples", "1 sample" */
	const countOf = (n, words = settings.event || 'events') => N.countText(n) + ' ' +
		(n === 1 ? words.replace(/s$/, '') : words);

	app.amountText = (value, axes = app.grids().axes) => {
		const { y, weigh } = axes;

		if (y !== 'utilization' && weigh === 'painted')
			return N.durationText(value);
		if (y !== 'utilization' && (weigh === 'values' || weigh === 'longest'))
			return N.valueText(unit(), value);
		return y === 'utilization' ? countOf(value, 'CPUs') : countOf(value);
	};

	app.cellRange = ({ column, row }) => {
		const { axes } = app.grids(), from = H.grid.columnNs(axes, column);

		return axes.y === 'offset' && axes.perColumn === 1
			? { from: from + H.grid.rowBorder(axes, row), to: from + H.grid.rowBorder(axes, row + 1) }
			: { from: from, to: H.grid.columnNs(axes, column + 1) };
	};

	function between(low, high, axes) {
		const [a, b] = [low, high].map((value) => H.ticks.valueText(settings, axes, value)),
			[, first, word] = /^(\S+) (\S+)$/.exec(a) || [], [, second] = /^\S+ (\S+)$/.exec(b) || [];

		return (word && word === second ? first : a) + ' \u2013 ' + b;
	}

	const rowsText = (axes, row) => between(H.grid.rowBorder(axes, row), H.grid.rowBorder(axes, row + 1), axes);

	app.bandText = ({ kind, low, high, period }) => {
		const axes = app.axes();

		return kind === 'time' ? '' : between(low, high, axes.y === 'offset' && period
			? Object.assign({}, axes, { period: period }) : axes) +
			(axes.y === 'offset' ? ' of each ' + H.ticks.span(period || axes.period) : kind === 'cpu'
				? ' busy' : '');
	};

	app.allOf = ({ weigh }) => app.kept('all of it', [weigh, app.view.idle], () =>
		(weigh === 'events' ? data.eventsOf : data.valueOf)
			.reduce((sum, n, stack) => sum + (app.view.idle || !data.isIdle[stack] ? n : 0), 0));

	/* The dimension whose keys are named in tips: the one with hues, or else the first with several keys. */
	function teller() {
		const hues = app.hues ? app.hues() : null;

		return hues ? hues.dimension : (settings.dimensions || []).map(([name]) => app.dimension(name))
			.find((dimension) => dimension && dimension.keys.length > 1) || null;
	}

	function keysOf(cell, axes) {
		const by = axes.y === 'utilization' ? null : teller();

		if (!by)
			return [];
		const selection = H.select.ofCells(axes, cell, cell, axes.y === 'offset' && axes.perColumn === 1
			? 'time' : 'rows');
		/* Written in the same unit as the cell's own amount. */
		const choice = app.choice(cell.map), isLongest = axes.weigh === 'longest';
		const add = axes.weigh === 'events' ? 'counts' : isLongest ? 'longest' : 'sums';
		const sums = H.select[add](data, settings, axes, selection, choice),
			of = new Float64Array(by.keys.length);

		sums.forEach((sum, stack) => {
			if (by.keyOf[stack] >= 0 && (choice.idle || !data.isIdle[stack]))
				of[by.keyOf[stack]] = isLongest ? Math.max(of[by.keyOf[stack]], sum)
					: of[by.keyOf[stack]] + sum;
		});
		const found = Array.from(of, (sum, key) => [key, sum]).filter(([, sum]) => sum).sort((a, b) =>
			b[1] - a[1] || a[0] - b[0]);

		return found.slice(0, KEYS_TOLD).map(([key, sum]) => [by.keys[key], app.amountText(sum, axes)])
			.concat(found.length > KEYS_TOLD ? [[`${N.countText(found.length - KEYS_TOLD)} more`, '']]
				: []);
	}

	app.cellFacts = (cell) => {
		const grids = app.grids(), { axes } = grids, map = grids.maps[cell.map], i = cell.column * axes.rows +
			cell.row;
		const { from, to } = app.cellRange(cell), count = map.grid.cells[i], isUse = axes.y === 'utilization';
		const lines = map.lines.map(({ percent, values }) =>
			['p' + percent, values[cell.column]]).filter(([, value]) => value === value);

		return { when: app.rangeText(from, to), rows: rowsText(axes, cell.row), count: app.amountText(count),
			empty: !count,
			share: isUse || axes.weigh === 'longest' ? '' : N.percentText(count, app.allOf(axes)),
			idle: map.grid.idle[i] ? app.amountText(map.grid.idle[i]) : '',
			unseen: map.unseen[i] ? map.unseen[i] / 10 + ' %' : '',
			clock: map.doubt && map.doubt.cells[i] ? app.amountText(map.doubt.cells[i]) : '',
			lines: lines.map(([name, value]) => [name, H.ticks.valueText(settings, axes, value)]),
			lit: map.lit ? app.amountText(map.lit.cells[i]) : '',
			keys: count ? keysOf(cell, axes) : [], title: map.title };
	};

	/* The facts in one line. */
	app.cellText = (facts) => [facts.title, facts.when, facts.rows, facts.count +
		(facts.empty || !facts.share ? '' : ' (' + facts.share + ')'),
	facts.lit && facts.lit + ' found', facts.idle && facts.idle + ' idle', facts.unseen && facts.unseen +
			' not seen',
	facts.clock && facts.clock + ' by a clock that is off',
	facts.lines.length && 'column: ' + facts.lines.map((line) => line.join(' ')).join(', ')]
		.filter(Boolean).join(' \u00b7 ');

	/* ---- the line below ---- */

	/* The text shown while the pointer is at nothing: about the selection, or a hint. */
	app.selectionText = (selection) => {
		const { axes } = app.grids(), events = H.select.events(data, settings, axes, selection,
			app.choice(app.mapOf(selection)));
		const when = app.rangeText(selection.from, selection.to, true);
		const rows = app.bandText(selection);

		return when + (rows && ' \u00b7 ' + rows) + (selection.kind === 'time' ? ', ' +
			N.durationText(selection.to - selection.from) : '') + ' \u00b7 ' +
			countOf(events);
	};
	const fingers = window.matchMedia('(hover: none)');

	app.showIdle = () => {
		const { selection, baseline } = app.view;

		foot.show(selection ? baseline ? '' : fingers.matches
			? 'Long press to extend or compare'
			: 'Shift+click to extend, Ctrl+drag to compare' : [app.idleText.replace(/\.$/, ''),
			fingers.matches ? 'Tap or drag to select'
				: 'Click or drag to select'].filter(Boolean).join('. '), true);
	};

	/* ---- the box ---- */

	function fill(facts) {
		const short = (name) => app.ruler.fit(name, 260, 1, 'middle');
		const figures = [['here', facts.count], ['of all', facts.empty ? '' : facts.share],
			['found', facts.lit], ['idle', facts.idle], ['not seen', facts.unseen],
			['clock off', facts.clock], ...facts.lines.map(([name, text]) =>
				[name + ' of the column', text])].filter(([, text]) => text);

		tip.fill((facts.title ? short(facts.title) + ': ' : '') + facts.rows, facts.when, figures,
			facts.keys.length ? tip.table(facts.keys.map(([name, text]) => [short(name), text]),
				'tip-keys') : null);
	}

	const same = (a, b) => a && b && a.plot === b.plot && a.column === b.column && a.row === b.row;

	/* The pointer is at a cell (see app.cellAt in view.js), or at none. */
	app.hover = (cell, x, y) => {
		if (!cell) {
			pointed = null;
			app.point(null);
			tip.hide();
			app.showIdle();
			return;
		}
		if (!same(cell, pointed)) {
			cell.facts = app.cellFacts({ map: cell.plot.map.number, column: cell.column, row: cell.row });
			pointed = cell;
			app.point(cell);
			foot.show(app.cellText(cell.facts));
		}
		tip.show(() => fill(pointed ? pointed.facts : cell.facts), x, y);
	};

	app.onchange(() => {
		pointed = null;
		app.point(null);
		tip.hide();
		app.showIdle();
	});
};
/* heat_stage: pointer and fingers on the maps: they select, compare, zoom and pan.
 *
 * app.zoomTo(from, to), app.zoomBy(factor, ns: the moment that keeps its place), app.panBy(ns), app.showAll(),
 * app.zoomToSelection() */
pyrograph.heat.stage = function (app) {
	'use strict';

	const H = pyrograph.heat, S = H.select, { settings, page } = app, { map } = page,
		alone = app.svg === document.documentElement;
	const MOVED_PX = 4, LONG_PRESS_MS = 500, ZOOM_STEP_MS = 1200, WHEEL_PX = 400, DOUBLE_IN = 4, LEAST_PERIODS = 5,
		LEAST_SHORTER = 10;
	const WHEEL_LINE_PX = 16, DOUBLE_CLICK_MS = 400, NO_CLICK = { x: 0, y: 0, at: -Infinity };
	let anchor = null;      /* the cell that was chosen last, from which a Shift-click selects */
	let gestures = 0, insteadOfClick = false, lastZoom = -Infinity, beforeClick = null, lastClick = NO_CLICK;

	/* ---- the visible time ---- */

	/* The shortest time to which one can zoom in: some columns of the finest period. */
	const least = () => (app.view.period || settings.y === 'utilization' ? LEAST_PERIODS : LEAST_SHORTER) *
		(app.view.period || H.grid.finest(settings));

	app.zoomTo = (from, to) => {
		const { whole } = app, length = Math.min(Math.max(to - from, least()), whole.to - whole.from);
		const middle = (from + to) / 2, begin =
			Math.round(Math.max(whole.from, Math.min(middle - length / 2, whole.to - length)));
		const all = length >= whole.to - whole.from, now = performance.now();
		const changes = all ? { from: null, to: null } : { from: begin, to: Math.round(begin + length) };

		gestures += now - lastZoom > ZOOM_STEP_MS ? 1 : 0;
		lastZoom = now;
		if (changes.from === app.view.from && changes.to === app.view.to)
			return;
		if (insteadOfClick)
			app.touch(changes);
		else
			/* Repeated changes are one step for Back, if nothing else is done in between. */
			app.step(changes, 'zoom ' + gestures);
		insteadOfClick = false;
	};
	app.zoomBy = (factor, ns) => {
		const { from, to } = app.asked(), at = ns === undefined ? (from + to) / 2
			: Math.max(from, Math.min(ns, to));

		app.zoomTo(at - (at - from) * factor, at + (to - at) * factor);
	};
	app.panBy = (ns) => {
		const { from, to } = app.asked(), { whole } = app,
			by = Math.max(whole.from - from, Math.min(ns, whole.to - to));

		if (app.view.from !== null && by)
			app.zoomTo(from + by, to + by);
	};
	app.showAll = () => app.step({ from: null, to: null });
	app.zoomToSelection = () => {
		const { selection } = app.view;

		if (selection) {
			const length = selection.to - selection.from;

			app.zoomTo(selection.from - length / 8, selection.to + length / 8);
		}
	};

	/* ---- selecting ---- */

	/* In maps of how busy CPUs are, few cells of a column have a value, so take the nearest one. */
	function meant(cell) {
		if (!cell || settings.y !== 'utilization')
			return cell;
		const { axes, maps } = app.grids(), { cells } = maps[app.plots.indexOf(cell.plot)].grid,
			base = cell.column * axes.rows;

		for (let by = 0; by < axes.rows; by++) {
			for (const row of [cell.row - by, cell.row + by]) {
				if (row >= 0 && row < axes.rows && cells[base + row])
					return Object.assign({}, cell, { row: row });
			}
		}
		return cell;
	}

	const bare = ({ column, row }) => ({ column: column, row: row });

	/* Adds the number of the cell's map to a range. */
	const inMapOf = (cell, range) => app.plots.length > 1 ? Object.assign(range, { map: cell.plot.map.number })
		: range;

	/* The range from cell a to cell b, in the map of b; rows: only these rows of each column. */
	function rangeOf(a, b, rows) {
		return inMapOf(b, S.ofCells(app.grids().axes, bare(a), bare(b), rows ? 'rows' : 'time'));
	}
	const wantsRows = (event) => event.altKey !== (app.selecting() === 'rows');
	const wantsBaseline = (event) => (event.ctrlKey || event.metaKey) && Boolean(app.view.selection);
	const same = (a, b) => a && b && JSON.stringify(a) === JSON.stringify(b);

	/* The cell from which a Shift-click selects: the anchor, else the begin of the selection, else the first
	 * cell. */
	function beginning() {
		const { axes } = app.grids(), { selection } = app.view;

		if (anchor && anchor.axes === axes)
			return anchor;
		return selection && H.grid.cellAt(axes, Math.max(selection.from, axes.start), selection.low ||
			axes.low) || { column: 0, row: 0 };
	}

	function choose(cell, range, asBaseline) {
		app.step(asBaseline ? { baseline: range } : { selection: range, map: cell.plot.map.number });
	}

	/* A click selects a cell; a click on the selected cell ends the selection; a click with Shift sets the
	 * selection's other end. */
	function clicked(where, event) {
		const cell = meant(where), from = event.shiftKey ? beginning() : cell,
			range = rangeOf(from, cell, wantsRows(event));
		const asBaseline = wantsBaseline(event), key = asBaseline ? 'baseline' : 'selection';

		if (!event.shiftKey)
			anchor = Object.assign({ axes: app.grids().axes }, bare(cell));
		choose(cell, same(app.view[key], range) ? null : range, asBaseline);
		if (!app.view.selection)
			app.step({ baseline: null });
	}

	/* ---- the pointer is down ---- */

	const fingers = new Map();      /* pointerId -> [x, y] */
	let drag = null, press = 0, long = false, touched = false;

	/* The plot whose time axis is at x, y; null: none. */
	function plotOfAxis(x, y) {
		return app.plots.find((plot) => {
			const box = plot.canvas.getBoundingClientRect(), outer = plot.box.getBoundingClientRect();

			return x >= box.left - 2 && x <= box.right + 2 && y >= box.bottom && y <= outer.bottom;
		}) || null;
	}
	function nsAt(x) {
		const plot = app.plots[0];

		return app.nsAtX(plot, x - plot.box.getBoundingClientRect().left);
	}
	const nsPerPx = () => {
		const { axes } = app.grids();

		return axes.period * axes.perColumn / app.plots[0].columnPx;
	};

	function startDrag(event) {
		const { clientX: x, clientY: y } = event, cell = app.cellAt(x, y);

		if (cell)
			drag = { from: [x, y], cell: cell, moved: false, rows: wantsRows(event),
				asBaseline: wantsBaseline(event), extend: event.shiftKey };
		else if (plotOfAxis(x, y) && app.view.from !== null)
			drag = { from: [x, y], pan: app.asked(), perPx: nsPerPx(), moved: false };
	}

	function moveDrag(event) {
		const { clientX: x, clientY: y } = event;

		if (!drag.moved && Math.hypot(x - drag.from[0], y - drag.from[1]) < MOVED_PX)
			return;
		if (!drag.moved) {
			drag.moved = true;
			clearTimeout(press);
			map.setPointerCapture(event.pointerId);
			app.tip.hide();
		}
		if (drag.pan) {
			const by = (drag.from[0] - x) * drag.perPx;

			app.inFrame(() => app.zoomTo(drag.pan.from + by, drag.pan.to + by));
			return;
		}
		const begin = drag.extend ? beginning() : drag.cell, to = app.cellAt(x, y, drag.cell.plot);

		drag.range = rangeOf(begin, to, drag.rows);
		drag.end = to;
		app.preview = { range: drag.range, letter: drag.asBaseline ? 'B' : 'A',
			map: drag.cell.plot.map.number };
		app.drawMarks();
		app.foot.show((drag.asBaseline ? 'B: ' : 'A: ') + app.selectionText(drag.range));
	}

	/* Is this event the second half of a double click? */
	function isSecond({ clientX: x, clientY: y, timeStamp: at }) {
		const second = at - lastClick.at < DOUBLE_CLICK_MS &&
			Math.hypot(x - lastClick.x, y - lastClick.y) < MOVED_PX;

		lastClick = second ? NO_CLICK : { x: x, y: y, at: at };
		return second;
	}

	function endDrag(event, cancelled) {
		const done = drag;

		drag = null;
		app.preview = null;
		if (!done || cancelled) {
			app.drawMarks();
			return;
		}
		if (done.moved && done.range) {
			anchor = Object.assign({ axes: app.grids().axes }, bare(done.extend ? beginning() : done.cell));
			choose(done.end, done.range, done.asBaseline);
		} else if (!done.moved && done.cell && !long && !app.menu.justClosed() && !isSecond(event)) {
			beforeClick = { selection: app.view.selection, baseline: app.view.baseline, map: app.view.map };
			page.settle(DOUBLE_CLICK_MS, () => Boolean(drag || fingers.size || app.menu.isOpen()));
			clicked(done.cell, event);
		}
	}

	/* ---- two fingers ---- */

	let pinch = null;

	const spread = () => {
		const [a, b] = Array.from(fingers.values());

		return { middle: (a[0] + b[0]) / 2, wide: Math.max(20, Math.abs(a[0] - b[0])) };
	};

	function startPinch() {
		const { middle, wide } = spread();

		drag = null;
		app.preview = null;
		clearTimeout(press);
		app.drawMarks();
		pinch = { ns: nsAt(middle), wide: wide, shown: app.asked() };
	}

	/* The time between the two fingers stays between them. */
	function movePinch() {
		const { middle, wide } = spread(), { shown } = pinch, factor = pinch.wide / wide,
			length = (shown.to - shown.from) * factor;
		const plot = app.plots[0], part =
			(middle - plot.box.getBoundingClientRect().left - plot.left) / Math.max(app.cellsRoom(), 1);
		const from = pinch.ns - length * Math.max(0, Math.min(part, 1));

		app.inFrame(() => app.zoomTo(from, from + length));
	}

	/* The view changes at most once for each frame of the screen. */
	let asked = 0, latest = null;

	app.inFrame = (run) => {
		latest = run;
		asked = asked || requestAnimationFrame(() => {
			asked = 0;
			latest();
		});
	};

	/* ---- the menu of a cell ---- */

	const spanText = (cell) => app.cellFacts({ map: cell.plot.map.number, column: cell.column, row: cell.row });

	function openMenuAt(x, y) {
		const cell = meant(app.cellAt(x, y)), { selection } = app.view;

		if (!cell)
			return;
		const facts = spanText(cell), { axes } = app.grids(), last = axes.columns - 1;
		const band = inMapOf(cell, S.ofCells(axes, { column: 0, row: cell.row },
			{ column: last, row: cell.row }, 'rows'));
		const column = inMapOf(cell, S.ofCells(axes, { column: cell.column, row: 0 },
			{ column: cell.column, row: axes.rows - 1 }, 'time'));
		const ns = app.cellRange(cell), at = (ns.from + ns.to) / 2;

		app.menu.open([{ heading: app.ruler.fit(facts.rows + ' \u00b7 ' + facts.when, 300, 1, 'middle') },
			{ label: 'Select this cell', run: () => choose(cell, rangeOf(cell, cell, false), false) },
			{ label: 'Select its column', run: () => choose(cell, column, false) },
			{ label: 'Select its row, of all columns', run: () => choose(cell, band, false) },
			{ label: 'Select from the selection to here', disabled: !selection, run: () =>
				choose(cell, rangeOf(beginning(), cell, app.selecting() === 'rows'), false) },
			{ label: 'Compare the selection with this cell', disabled: !selection, run: () =>
				choose(cell, rangeOf(cell, cell, false), true) },
			app.actionItem('keepB', { disabled: !selection }),
			app.actionItem('exchange', { disabled: !app.view.baseline }), { line: true },
			{ label: 'Zoom in here', key: '+', run: () => app.zoomBy(1 / DOUBLE_IN, at) },
			{ label: 'Zoom to the selection', key: 'Z', disabled: !selection, run: app.zoomToSelection },
			{ label: 'Show all', key: '0', disabled: app.view.from === null, run: app.showAll },
			{ line: true },
			{ label: 'Copy its details', run: () => app.copy(app.cellText(facts), 'details') }], x,
		y, 'Cell');
	}
	app.openCellMenu = openMenuAt;

	/* ---- events ---- */

	map.addEventListener('pointerdown', (event) => {
		touched = event.pointerType === 'touch';
		long = false;
		clearTimeout(press);
		if (touched)
			fingers.set(event.pointerId, [event.clientX, event.clientY]);
		if (fingers.size === 2) {
			startPinch();
			return;
		}
		if (event.button || fingers.size > 2)
			return;
		startDrag(event);
		if (touched && drag) {
			press = setTimeout(() => {
				long = true;
				drag = null;
				openMenuAt(event.clientX, event.clientY);
			}, LONG_PRESS_MS);
		}
	});
	map.addEventListener('pointermove', (event) => {
		if (fingers.has(event.pointerId))
			fingers.set(event.pointerId, [event.clientX, event.clientY]);
		if (pinch && fingers.size === 2)
			movePinch();
		else if (drag && (event.buttons || touched))
			moveDrag(event);
		else if (event.pointerType !== 'touch')
			app.hover(meant(app.cellAt(event.clientX, event.clientY)), event.clientX, event.clientY);
	});
	map.addEventListener('pointerleave', () => {
		if (!drag)
			app.hover(null);
	});
	for (const end of ['pointerup', 'pointercancel']) {
		map.addEventListener(end, (event) => {
			clearTimeout(press);
			fingers.delete(event.pointerId);
			if (!fingers.size || !pinch)
				endDrag(event, end === 'pointercancel');
			if (!fingers.size)
				pinch = null;
		});
	}
	map.addEventListener('dblclick', (event) => {
		if (!app.cellAt(event.clientX, event.clientY) && !plotOfAxis(event.clientX, event.clientY))
			return;
		if (beforeClick) { /* the first half of a double click: neither a choice nor a step */
			Object.assign(app.view, beforeClick);
			insteadOfClick = true;
		}
		beforeClick = null;
		app.zoomBy(event.shiftKey ? DOUBLE_IN : 1 / DOUBLE_IN, nsAt(event.clientX));
		if (insteadOfClick) { /* zooming has changed nothing, so show the former view */
			insteadOfClick = false;
			app.touch({});
		}
	});
	map.addEventListener('contextmenu', (event) => {
		event.preventDefault();
		if (!touched && event.button === 2)
			openMenuAt(event.clientX, event.clientY);
	});

	/* The wheel zooms up and down, and pans sideways.  Where it is needed for something else, it does so only with
	 * Ctrl (which browsers also report for a pinch on a touch pad). */
	map.addEventListener('wheel', (event) => {
		const scrolls = !alone || map.scrollHeight > map.clientHeight + 1, forced = event.ctrlKey ||
			event.metaKey;
		const unit = event.deltaMode ? WHEEL_LINE_PX : 1, sideways = event.shiftKey ? event.deltaY ||
			event.deltaX : event.deltaX;

		if (!app.plots.length || !app.cellAt(event.clientX, event.clientY) &&
			!plotOfAxis(event.clientX, event.clientY))
			return;
		if (!forced && (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY))) {
			if (app.view.from === null)
				return;
			event.preventDefault();
			app.panBy(sideways * unit * nsPerPx());
			return;
		}
		if (scrolls && !forced)
			return;
		event.preventDefault();
		turned += event.deltaY * unit * (forced && !event.deltaMode ? 4 : 1);
		const at = nsAt(event.clientX);

		app.inFrame(() => {
			const by = Math.max(-WHEEL_PX, Math.min(turned, WHEEL_PX));

			turned = 0;
			app.zoomBy(Math.pow(2, by / WHEEL_PX * 2), at);
		});
	}, { passive: false });
	let turned = 0;

	map.addEventListener('scroll', app.tip.hide);
	app.pointerWords.push(['Click', 'select a cell; again: deselect it'], ['Drag', 'select a range of time'],
		['Shift+click', 'select up to here'], ['Alt+drag', 'the same rows of each column'],
		['Ctrl+click, drag', 'a second range to compare with'],
		[alone ? 'Wheel, pinch' : 'Ctrl+wheel, pinch', 'zoom in time'], ['Double click', 'zoom in'],
		['Drag the time axis', 'pan'], ['Right click', 'menu of the cell'],
		['Long press', 'menu of the cell']);
};
/* heat_lanes: lanes below the maps, over the same time; maps and lanes share their selection.
 *
 * app.lanes          { lanes, settings, shift } as heat.js decoded them, or null: there are none, and nothing is done
 *                    here; shift: ns from the heat map's origin to the lanes' start
 * app.drawLanes()    draws the lanes for the columns of the maps, with the same width app.markLanes(ranges)   marks
 * [[selection, letter], ...]
 * app.pointLanes(range)   marks { from, to } in ns; null: none
 * app.lanesPicture() -> { svg, height }: what is drawn, for export.js */
pyrograph.heat.lanes = function (app) {
	'use strict';

	const D = pyrograph.ui.dom, H = pyrograph.heat, L = pyrograph.lanes.draw, V = pyrograph.lanes.data;
	const { page, tip, foot } = app, PITCH = 46, LABEL = 16, MARGIN_ROWS = 4, MOVED_PX = 4, NOTE_GAP = 12;
	const STRIPES_MAX = 2000, WHEEL_PX = 400, WHEEL_LINE_PX = 16;

	if (!app.lanes)
		return;
	const { lanes, settings, shift } = app.lanes, rows = settings.rows;
	const marks = D.svg('g', { 'class': 'lane-marks', 'aria-hidden': 'true' });
	const moment = D.svg('rect', { 'class': 'moment', visibility: 'hidden', y: 0, 'aria-hidden': 'true' });
	const drawn = D.svg('g', { id: 'lanes-rows', role: 'none' }), grid = D.svg('path', { 'class': 'grid', d: '' });
	const graph = D.svg('svg', { 'class': 'graph', role: 'list', 'aria-label': 'Lanes' });
	const scroll = page.lanes, height = rows.length * PITCH;
	let place = null, drag = null, told = '';

	graph.append(drawn, grid, marks, moment);
	graph.setAttribute('height', height);
	scroll.append(graph);

	/* ---- places ---- */

	const px = (n) => String(Math.round(n * 100) / 100), plotOf = () => app.plots[0];
	const xOf = (ns) => place.left + (ns - place.start) / (place.end - place.start) * place.width;
	const within = (ns) => Math.max(place.start, Math.min(ns, place.end));

	/* { lane: a number or null, x, ns, inBar } at a place of the window; ns: from the origin. */
	function at(clientX, clientY) {
		const box = graph.getBoundingClientRect(), { left, width, start, end } = place, x = clientX - box.left;
		const part = Math.min(1, Math.max(0, (x - left) / width)), lane = rows[Math.floor((clientY - box.top) /
			PITCH)];

		return { lane: lane === undefined ? null : lane, x: left + part * width, inBar: x >= left && x <=
			left + width, ns: Math.min(Math.floor(start + part * (end - start)), end - 1) };
	}

	/* ---- rows ---- */

	/* The selected ranges: [["A", range], ...]; without a selection, everything that is visible. */
	function notes(number) {
		const { selection, baseline } = app.view, chosen = [['A: ', selection], ['B: ', baseline]].filter(([,
			range]) => range);
		const all = chosen.length ? chosen : [['', { from: place.start, to: place.end }]];

		return all.map(([letter, { from, to }]) => [letter, L.noteOf(settings, lanes, number, from - shift,
			to - shift)]).map(([letter, note]) => letter + (note || 'not known')).join('   ');
	}

	function text(parent, x, y, words, name) {
		D.svg('text', { x: px(x), y: px(y + app.settings.fontSize * 0.36), 'class': name },
			parent).textContent = words;
	}

	function drawRow(parent, i) {
		const number = rows[i], lane = lanes[number], top = i * PITCH, { left, width, start, end } = place;
		const name = app.ruler.fit(lane.shown, place.room, 1, 'middle'), note = notes(number);
		const used = app.ruler.width(name) + NOTE_GAP, bar = Math.max(1, Math.round(width));
		const g = D.svg('g', { 'class': 'row', role: 'listitem', 'data-lane': number,
			'aria-label': `${lane.shown}: ${note}` }, parent);

		text(g, left, top + LABEL / 2 + 1, name, 'ink');
		text(g, left + used, top + LABEL / 2 + 1, app.ruler.fit(note, place.room - used, 1, 'right'),
			'quiet-text');
		D.svg('rect', { 'class': 'track', x: px(left), y: top + LABEL + L.INSET, width: px(width),
			height: PITCH - LABEL - 2 * L.INSET }, g);
		/* a column is nearly a pixel wide, so that the last one ends where the map ends */
		L.marks(D.svg('g', { 'class': 'marks', transform: `translate(${px(left)},0) scale(${width / bar},1)` },
			g), settings, lanes, number, { from: start - shift, to: end - shift, x: 0, bar,
			top: top + LABEL, high: PITCH - LABEL });
	}

	const shown = pyrograph.ui.windowed(app, scroll, { margin: MARGIN_ROWS, pitch: () => PITCH,
		rowsIn: (top, end) => [Math.max(0, Math.floor(top / PITCH)), Math.min(rows.length,
			Math.ceil(end / PITCH))],
		count: () => rows.length, draw: (from, to) => {
			const fresh = document.createDocumentFragment();

			for (let i = from; i < to; i++)
				drawRow(fresh, i);
			drawn.replaceChildren(fresh);
		} });

	/* Lines at the ticks of the last map's axis. */
	function drawGrid() {
		const ticks = Array.from(app.plots[app.plots.length - 1].axis.querySelectorAll('.tick-x'), (e) =>
			Number(e.getAttribute('data-x')));

		grid.setAttribute('d', ticks.map((x) => `M${px(x)} 0v${height}h.5v${-height}z`).join(''));
	}

	app.drawLanes = () => {
		const plot = plotOf(), { start, end } = app.grids().axes, { selection, baseline } = app.view;
		const key = JSON.stringify([start, end, plot.left, plot.width, app.cellsRoom(), app.isDark(),
			app.onPaper, selection, baseline]);

		if (key === told)
			return;
		told = key;
		/* the words may be wider than the columns if there are few */
		place = { left: plot.left, width: plot.width, start, end, room: Math.max(plot.width, app.cellsRoom()) };
		graph.setAttribute('width', px(plot.left + place.room));
		drawGrid();
		shown.paint();
		app.pointLanes(null);
	};

	/* ---- the selection, and the place of the pointer ---- */

	/* The selected times in the window.  For a range of rows in a map of offsets, this is a part of each period. */
	function timesOf({ kind, from, to, low, high, period }) {
		const times = [];

		if (kind !== 'rows' || app.grids().axes.y !== 'offset' || (to - from) / period > STRIPES_MAX)
			return [[from, to]];
		for (let ns = from; ns < to; ns += period)
			times.push([Math.min(ns + low, to), Math.min(ns + high, to)]);
		return times;
	}

	app.markLanes = (ranges) => {
		if (!place)
			return;
		marks.replaceChildren(...ranges.map(([range, letter]) => D.svg('path', {
			'class': 'selection selection-' + letter.toLowerCase(), 'data-from': range.from,
			'data-to': range.to, d: timesOf(range).filter(([from, to]) => from < place.end &&
				to > place.start).map(([from, to]) => {
				const x = xOf(within(from)), wide = Math.max(1, xOf(within(to)) - x);

				return `M${px(x)} 0h${px(wide)}v${height}h${px(-wide)}z`;
			}).join('') })));
	};
	app.pointLanes = (range) => {
		moment.setAttribute('visibility', range ? 'visible' : 'hidden');
		if (!range)
			return;
		const x = xOf(within(range.from));

		moment.setAttribute('x', px(x));
		moment.setAttribute('width', px(Math.max(1, xOf(within(range.to)) - x)));
		moment.setAttribute('height', height);
	};

	/* ---- words ---- */

	const momentText = (ns) => app.clock().text(ns, 3);

	function valueAt(number, ns) {
		const lane = lanes[number], i = V.at(settings, lane, ns - shift);

		return i < 0 ? lane.isEvent ? '\u2013' : 'not known' : V.valueText(lane, lane.value[i]);
	}
	const wordsOf = ({ lane, ns }) => `${lanes[lane].shown}: ${valueAt(lane, ns)} at ${momentText(ns)}`;

	function dot(colour) {
		const e = D.html('span', { 'class': 'dot' });

		e.style.background = colour;
		return e;
	}

	/* The visible lanes; that under the pointer has bold words. */
	function fill({ lane, ns }) {
		const first = Math.floor(scroll.scrollTop / PITCH), end = first + Math.ceil(scroll.clientHeight /
			PITCH) + 1;

		tip.fill(momentText(ns), rows.slice(first, end).map((number) => [[dot(lanes[number].rgb), ' ',
			number === lane ? D.html('b', {}, lanes[number].shown) : lanes[number].shown],
		valueAt(number, ns)]));
	}

	/* The cell of a moment, in a map whose columns and rows are both time; else null. */
	function cellOf(ns) {
		const { axes } = app.grids();

		return axes.y === 'offset' && axes.perColumn === 1 ? H.grid.cellAt(axes, ns, 0) : null;
	}

	function hover(where, x, y) {
		if (!where || where.lane === null || !where.inBar) {
			app.hover(null);
			app.pointLanes(null);
			return;
		}
		const cell = cellOf(where.ns);

		app.point(cell ? Object.assign({ plot: plotOf() }, cell) : null);
		app.pointTime(where.ns);
		app.pointLanes({ from: where.ns, to: where.ns });
		foot.show(wordsOf(where));
		tip.show(() => fill(where), x, y);
	}

	/* ---- selecting ---- */

	const inMap = (range) => app.plots.length > 1 ? Object.assign(range, { map: app.view.map || 0 }) : range;

	/* What a click selects: the cell of that moment, or the whole column. */
	function clickedRange(ns) {
		const { axes } = app.grids(), cell = cellOf(ns), from = axes.start + Math.floor((ns - axes.start) /
			axes.column) * axes.column;

		return inMap(cell ? H.select.ofCells(axes, cell, cell, 'time') : { kind: 'time', from,
			to: from + axes.column });
	}

	function choose(range, event) {
		const key = (event.ctrlKey || event.metaKey) && app.view.selection ? 'baseline' : 'selection';
		const again = JSON.stringify(app.view[key]) === JSON.stringify(range);

		app.select(again ? null : range, key === 'baseline');
	}
	const dragged = (ns) => inMap({ kind: 'time', from: Math.min(ns, drag.ns),
		to: Math.max(ns, drag.ns, Math.min(ns, drag.ns) + 1) });

	function preview(range, event) {
		const asBaseline = (event.ctrlKey || event.metaKey) && app.view.selection;

		app.preview = range && { range, letter: asBaseline ? 'B' : 'A', map: app.mapOf(range) };
		app.drawMarks();
	}

	graph.addEventListener('pointerdown', (event) => {
		const where = at(event.clientX, event.clientY);

		if (event.button || !where.inBar || app.menu.justClosed())
			return;
		drag = { ns: where.ns, clientX: event.clientX, moved: false };
		graph.setPointerCapture(event.pointerId);
	});
	graph.addEventListener('pointermove', (event) => {
		const where = at(event.clientX, event.clientY);

		if (!drag) {
			hover(where, event.clientX, event.clientY);
			return;
		}
		drag.moved = drag.moved || Math.abs(event.clientX - drag.clientX) >= MOVED_PX;
		if (!drag.moved)
			return;
		tip.hide();
		app.pointLanes(null);
		preview(dragged(where.ns), event);
		foot.show(`${app.preview.letter}: ${app.selectionText(app.preview.range)}`);
	});
	graph.addEventListener('pointerup', (event) => {
		const done = drag, where = at(event.clientX, event.clientY);

		if (!done)
			return;
		const range = done.moved ? dragged(where.ns) : clickedRange(done.ns);

		drag = null;
		preview(null, event);
		choose(range, event);
	});
	graph.addEventListener('pointercancel', (event) => {
		drag = null;
		preview(null, event);
	});
	graph.addEventListener('pointerleave', () => drag || hover(null));

	/* The wheel scrolls if there are more lanes than fit; otherwise, or with Ctrl, it zooms. */
	graph.addEventListener('wheel', (event) => {
		const where = at(event.clientX, event.clientY), amount = event.deltaY * (event.deltaMode
			? WHEEL_LINE_PX : 1);
		const wanted = event.ctrlKey || event.metaKey || scroll.scrollHeight <= scroll.clientHeight + 1;

		if (!where.inBar || !wanted || !amount)
			return;
		event.preventDefault();
		app.zoomBy(Math.pow(2, Math.max(-1, Math.min(amount / WHEEL_PX * 2, 1))), where.ns);
	}, { passive: false });

	/* The moment of the greatest visible value. */
	function selectPeak(number, event) {
		const { time, value } = lanes[number];
		let best = -1;

		time.forEach((ns, i) => {
			if (ns + shift >= place.start && ns + shift < place.end && (best < 0 || value[i] > value[best]))
				best = i;
		});
		if (best >= 0)
			choose(clickedRange(time[best] + shift), event);
	}

	graph.addEventListener('contextmenu', (event) => {
		const where = at(event.clientX, event.clientY);

		event.preventDefault();
		if (where.lane === null || !where.inBar)
			return;
		const { name, shown: title } = lanes[where.lane];

		app.menu.open([{ heading: app.ruler.fit(title, 230, 1, 'middle') },
			{ label: 'Select its greatest value', run: () => selectPeak(where.lane, {}) }, { line: true },
			{ label: 'Copy name', run: () => app.copy(name, 'name') },
			{ label: 'Copy its value', run: () => app.copy(wordsOf(where), 'value') }],
		event.clientX, event.clientY, 'Lane ' + title);
	});
	scroll.addEventListener('scroll', () => {
		tip.hide();
		shown.paintIfNeeded();
	});
	new ResizeObserver(() => place && shown.paintIfNeeded()).observe(scroll);

	app.pointerWords.push(['Drag in a lane', 'select a range of time'],
		['Hover over a lane', 'the values at that moment']);
	app.lanesPicture = () => {
		app.allRows = true;
		shown.paint();
		const copies = Array.from(graph.children).filter((e) => e !== moment);

		app.allRows = app.onPaper;
		return { parts: copies, height, done: shown.paint };
	};
};
/* heat_keys: the keyboard: keys move the selection, play, and clear.
 *
 * app.play = { toggle(), on() }: playing moves the selection through time in steps of its own length, view.speed times
 * a second */
pyrograph.heat.keys = function (app) {
	'use strict';

	const H = pyrograph.heat, S = H.select, { data, settings, page } = app;
	const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
	let playing = 0, spoken = 0;

	/* ---- moving the selection ---- */

	/* The first cell that has events; if none has, the first of all. */
	function firstCell() {
		const { axes, maps } = app.grids(), { cells } =
			maps[Math.min(app.mapOf(app.view.selection), maps.length - 1)].grid;
		const at = Math.max(0, cells.findIndex((n) => n));

		return { column: Math.floor(at / axes.rows), row: at % axes.rows };
	}

	/* Returns the changes to the view that bring the selection into sight. */
	function follow(selection) {
		const { from, to } = app.asked(), { axes } = app.grids();

		if (app.view.from === null || (selection.from >= axes.start && selection.to <= axes.end))
			return {};
		const by = selection.from < from || selection.to - selection.from > to - from ? selection.from - from
			: selection.to - to;
		const begin = Math.max(app.whole.from, Math.min(from + by, app.whole.to - (to - from)));

		return { from: begin, to: begin + to - from };
	}

	function take(selection) {
		const inside = selection && selection.to > app.whole.from && selection.from < app.whole.to;

		if (!inside)
			return false;
		app.step(Object.assign({ selection: selection }, follow(selection)), 'move');
		clearTimeout(spoken);
		if (!playing) /* is said only after the last key */
			spoken = setTimeout(() => app.foot.say(app.selectionText(selection)), 150);
		return true;
	}

	/* Moves the selection by columns and rows; positive numbers are later, or higher up. */
	function move(columns, rows, extend) {
		const { axes } = app.grids(), { selection } = app.view, up = settings.inverted ? -rows : rows;

		return selection ? take((extend ? S.extend : S.shift)(selection, axes, columns, up))
			: first(firstCell(), firstCell());
	}
	const first = (a, b) => take(Object.assign(S.ofCells(app.grids().axes, a, b, app.selecting()),
		app.plots.length > 1 ? { map: app.view.map } : {}));

	/* Moves to the first or last visible column that has this row, since the recording may end within a column. */
	function moveToEdge(last) {
		const { axes } = app.grids(), { selection } = app.view;

		if (!selection)
			return move(0, 0, false);
		const at = H.grid.cellAt(axes, Math.max(axes.start, Math.min(selection.from, axes.end - 1)), axes.low);

		const by = (last ? axes.columns - 1 : 0) - (at ? at.column : 0), back = last ? -1 : 1;

		return (by && move(by, 0, false)) || (by + back && move(by + back, 0, false));
	}

	function page_(step) {
		const { from, to } = app.asked();

		if (app.view.from !== null)
			app.panBy(step * (to - from));
		else
			move(step * Math.max(1, Math.round(app.grids().axes.columns / 10)), 0, false);
	}

	/* ---- playing ---- */

	/* Selects a whole column: the first step of playing if nothing is selected. */
	function begin() {
		const { column } = firstCell(), { axes } = app.grids();

		first({ column: column, row: 0 }, { column: column, row: axes.rows - 1 });
	}

	/* One step of playing.  A selection shorter than a column moves by a column, since playing would otherwise take
	 * all day. */
	function stepOn() {
		const { selection } = app.view, length = selection
			? Math.max(selection.to - selection.from, app.grids().axes.column) : 0;

		playing = 0;
		if (!length)
			begin();
		else if (selection.to >= app.whole.to ||
			!take(Object.assign({}, selection, { from: selection.from + length, to: selection.to +
			length }))) {
			stop();
			return;
		}
		playing = setTimeout(stepOn, 1000 / (app.view.speed || 1));
	}
	function stop() {
		clearTimeout(playing);
		playing = 0;
		if (app.view.play)
			app.touch({ play: false });
	}
	app.play = {
		on: () => Boolean(app.view.play),
		toggle: () => {
			if (app.view.play) {
				stop();
				return;
			}
			app.view.play = true;
			if (!app.view.selection)
				begin();
			app.touch({});
			playing = setTimeout(stepOn, 1000 / (app.view.speed || 1));
		},
	};

	/* ---- actions ---- */

	const selected = () => Boolean(app.view.selection), compared = () => Boolean(app.view.baseline);

	/* Ends playing; otherwise clears the comparison, or else the selection, the frame or the search. */
	app.clear = () => {
		const { view } = app;

		if (view.play)
			stop();
		else if (view.baseline)
			app.step({ baseline: null });
		else if (view.selection)
			app.step({ selection: null });
		else if (view.frame)
			app.step({ frame: null });
		else if (view.search)
			app.step({ search: null });
		else
			return false;
		return true;
	};

	Object.assign(app.actions, {
		play: [' ', 'Play: step the selection through time', () => app.play.toggle(), 'Selection'],
		clear: ['Escape', 'Clear the comparison, then the selection', () => app.clear(), 'Selection'],
		keepB: ['b', 'Keep the selection as B, to compare with', () =>
			app.step({ baseline: app.view.selection }), 'Selection', selected],
		exchange: ['x', 'Swap A and B', () =>
			app.step({ selection: app.view.baseline, baseline: app.view.selection,
				map: app.mapOf(app.view.baseline) }), 'Selection', compared],
		rowsMode: ['m', 'Dragging selects time, or rows of each column', () =>
			app.setSelecting(app.selecting() === 'rows' ? 'time' : 'rows'), 'Selection'],
		zoomIn: ['+', 'Zoom in', () => app.zoomBy(0.5, middleOfSelection()), 'Zoom'],
		zoomOut: ['-', 'Zoom out', () => app.zoomBy(2, middleOfSelection()), 'Zoom'],
		zoomAll: ['0', 'Show all', () => app.showAll(), 'Zoom'],
		zoomTo: ['z', 'Zoom to the selection', () => app.zoomToSelection(), 'Zoom', selected],
		flame: ['f', 'Flame graph', () => app.touch({ flameShown: !app.flameIsShown() }), 'View',
			() => data.stacks > 1],
		toFlame: ['Enter', 'Go to the flame graph', () => focusFlame(), 'View', () => app.flameIsShown()],
	});
	app.pointerWords.push(['Arrows', 'move the selection'], ['Shift+arrows', 'make it longer or shorter'],
		['Home, End', 'to the first or the last column'],
		['Page up, down', 'by the time shown, or a tenth of the map']);

	function middleOfSelection() {
		const { selection } = app.view, { from, to } = app.shown();
		const ns = selection ? (selection.from + selection.to) / 2 : NaN;

		return ns >= from && ns <= to ? ns : undefined;
	}

	function focusFlame() {
		const graph = page.flame.hidden ? null : page.flame.querySelector('.embedded:not([hidden]) .graph');

		if (graph)
			graph.focus();
	}

	/* ---- keys ---- */

	/* Opens the menu of the selection's first cell. */
	app.menuOfCursor = () => {
		const { axes } = app.grids(), { selection } = app.view,
			plot = app.plots[Math.min(app.mapOf(selection), app.plots.length - 1)];
		const cell = selection && H.grid.cellAt(axes, Math.max(selection.from, axes.start), selection.low ||
			axes.low) || firstCell();
		const box = plot.canvas.getBoundingClientRect(), row = settings.inverted ? cell.row
			: axes.rows - 1 - cell.row;

		app.openCellMenu(box.left + (cell.column + 0.5) * plot.columnPx, box.top + (row + 0.5) * plot.rowPx);
	};

	/* When the focus comes by the Tab key, announce the selection. */
	page.map.addEventListener('focus', () => {
		if (page.map.matches(':focus-visible') && app.view.selection)
			app.foot.say(app.selectionText(app.view.selection));
	});

	pyrograph.ui.keys(app, { move: (key, isLonger) => move(...ARROWS[key], isLonger), undo: app.clear,
		page: (pages) => isFinite(pages) ? page_(pages) : moveToEdge(pages > 0),
		has: (element) => !element.closest ||
			!element.closest('button, .aside, .heat-flame, [role="separator"]') });

	app.onchange(() => {
		const { axes, maps } = app.grids(), events = H.grid.totalOf(axes, maps.map((map) => map.grid.total)),
			{ from, to } = app.shown();

		page.map.setAttribute('aria-label', app.titleText + ': ' + app.amountText(events) + ', ' +
			app.rangeText(from, to) + ', ' +
			H.ticks.cellText(settings, axes) + '. Arrow keys select.' + (data.count ? '' : ' No events.'));
	});
};
/* heat_beats: finds out whether the rate of sampling and the rows beat against each other, so that a grid shows stripes
 * that are an artefact of sampling.  The same as grid_beats.c, which has the reasons.  Pure.
 *
 * rows(settings, y, period, wanted, isFine) -> the number of rows nearest to wanted that makes no stripes
 *                     (heat_rows_without_beats()); isFine(rows): whether this number may be taken
 * warning(settings, axes) -> null, or { text: the warning of C, which names C's options; said: the same
 *                                 without options; rows: [numbers of rows that make no stripes] } */
pyrograph.heat.beats = (function () {
	'use strict';

	const N = pyrograph.number, VISIBLE = 0.08, FEW = 8, NAMED_MAX = 6, NS = 1e9, ROWS_LEAST = 20, ROWS_MOST = 128;

	const isWhole = (n) => Math.abs(n - Math.round(n)) < 1e-6;
	const plain = (n) => String(Number(n.toPrecision(10)));

	function deviation(samples, cpus) {
		const f = samples - Math.floor(samples);

		return isWhole(samples) ? 0 : Math.sqrt(f * (1 - f)) / samples / Math.sqrt(cpus);
	}

	/* The same as clean_rows(). */
	function cleanRows(samples, rows) {
		const whole = Math.round(samples), found = [];

		if (!(samples >= 1) || samples > 1e9 || !isWhole(samples))
			return found;
		for (let n = 2; n <= rows * 3; n++) {
			if (n === rows || whole % n)
				continue;
			if (found.length === NAMED_MAX) {
				if (Math.abs(n - rows) >= Math.abs(found[0] - rows))
					continue;
				found.shift();
			}
			found.push(n);
		}
		return found;
	}

	function lockStep(rate) {
		const period = 1000 / rate;

		if (rate < 1 || rate > 10000 || (Math.abs(period - Math.round(period)) > 1e-6 && rate % 1000 > 1e-6))
			return '';
		return plain(rate) + ' samples a second are in step with timers: what happens each ' +
			N.durationText(NS / rate) +
			' is seen always or never; record with -F ' + plain(rate - 1 > 0 ? rate - 1 : 1) + '.';
	}

	/* Does each row have the same number of samples, or nearly so? */
	const isEven = (samples, rows, cpus) => isWhole(samples) ? isWhole(samples / rows)
		: deviation(samples / rows, cpus) < VISIBLE;

	/* The number nearest to wanted, of least .. most, that makes no stripes; 0 if there is none. */
	function nearestEven(samples, wanted, least, most, cpus, isFine) {
		let best = 0;

		for (let n = least; n <= most && n <= samples; n++) {
			if (isEven(samples, n, cpus) && isFine(n) &&
				(!best || Math.abs(n - wanted) < Math.abs(best - wanted)))
				best = n;
		}
		return best;
	}

	/* The same as many_in_row(). */
	function manyInRow(samples, wanted, isFine) {
		for (let n = Math.min(wanted, Math.floor(samples / FEW)); n > 1; n--) {
			if (isFine(n))
				return n;
		}
		return 1;
	}

	const cpusAt = (settings, rate) => settings.recordings.filter((r) => r.rate === rate).reduce((sum, r) => sum +
		(r.cpus.length || 1), 0);

	function rows(settings, y, period, wanted, isFine) {
		const rate = settings.spans || settings.recordings.some((r) => r.rate !== settings.rate) ? 0
			: settings.rate;
		const samples = rate * period / NS, cpus = y === 'utilization' ? 1 : cpusAt(settings, rate);

		if (!rate || isEven(samples, wanted, cpus))
			return wanted;
		if (samples < 1)
			return 1;
		return nearestEven(samples, wanted, ROWS_LEAST, ROWS_MOST, cpus, isFine) ||
			(samples < wanted || !isWhole(samples) ? nearestEven(samples, wanted, 1, ROWS_LEAST, cpus,
				isFine) : 0) || manyInRow(samples * cpus, wanted, isFine);
	}

	/* Returns { text, said, rows }, or null. */
	function stripes(axes, rate, cpus) {
		const ofUse = axes.y === 'utilization', periods = ofUse ? axes.perColumn : 1, { rows } = axes;
		const samples = rate * axes.period / NS * periods, inRow = samples / rows;
		const sameRows = !ofUse && isWhole(samples) && !isWhole(inRow) && inRow * cpus < FEW;

		if (rows === 1 || !(inRow > 0) || (deviation(inRow, ofUse ? 1 : cpus) < VISIBLE && !sameRows) ||
			(!ofUse && axes.perColumn >= 4 && !isWhole(samples)))
			return null;
		const better = cleanRows(samples, rows);
		const less = better.length ? 0 : nearestEven(samples, rows, 1, rows - 1, ofUse ? 1 : cpus, () => true);

		const why = plain(rate) + ' samples a second in ' + rows + ' rows make stripes: ' + (ofUse
			? 'some rows stand for more numbers of samples than others'
			: 'of a busy CPU a cell has ' + Math.floor(inRow) + ' or ' + Math.ceil(inRow));

		return { rows: less ? [less] : better,
			said: why + (better.length || less && isWhole(samples) ? '. Without: ' : less ? '. Hardly any: '
				: '; a longer period has none.'),
			text: why + (less ? '; --rows ' + less + ' has ' + (isWhole(samples) ? 'none.' : 'hardly any.')
				: !better.length ? '; a longer --span has none.'
					: '; --rows ' + better.join(', ').replace(/, (\d+)$/, ' or $1') +
					(better.length > 1 ? ' have none.' : ' has none.')) };
	}

	function warning(settings, axes) {
		const texts = [], said = [], rows = [], rates = settings.recordings.map((r) =>
			r.rate).filter((rate, i, all) => rate > 0 && all.indexOf(rate) === i);

		if (axes.y === 'value' || settings.spans)
			return null;
		for (const rate of rates) {
			const found = stripes(axes, rate, cpusAt(settings, rate));

			texts.push(lockStep(rate), found ? found.text : '');
			said.push(lockStep(rate).replace('record with -F ', 'record with another rate, as '), found
				? found.said : '');
			rows.push(...found ? found.rows : []);
		}
		const text = texts.filter(Boolean).join(' ');

		return text ? { text: text, said: said.filter(Boolean).join(' '), rows: rows } : null;
	}

	/* Does this number of rows make stripes? */
	const striped = (settings, axes) => axes.y !== 'value' && !settings.spans &&
		settings.recordings.some(({ rate }) => rate > 0 && stripes(axes, rate,
			cpusAt(settings, rate)));

	return { rows, warning, striped };
})();
/* heat_counts: counts events by stack and by key, in the time that is shown and in the selection.
 *
 * app.countsIn(selection)      -> Float64Array by stack: number of events; null: of the time that is shown;
 *                                 of a selection: those of the selection's map, isolated or not
 * app.valuesIn(selection)      -> the sums of the values, in the same way
 * app.mapPart(map)             -> { stacks, recording, cpu } (grid.js) of one of several maps
 * app.keyCounts(dimension, counts) -> Float64Array by key; the last value is of stacks without a key
 * app.split(counts)            -> { events, idle }; idle events are in events if the view counts them
 * app.eventRanges(selection)   -> [[first, end], ...]: numbers of the events in the selection's time
 * app.isSelected(selection)    -> null: all events of eventRanges() are selected; or a function
 *                                 that says whether an event is selected
 * app.onchangeLater(draw)       like app.onchange(); if counting takes long, draw is called after the picture
 * app.someEvents(n)            -> "1,234 samples"
 * app.someValue(n)             -> "12.3 ms"; null if values add nothing to the number of events */
pyrograph.heat.counts = function (app) {
	'use strict';

	const N = pyrograph.number, { data, settings } = app, KEPT = 8, MANY = 2000000, LATER_MS = 80;
	const word = settings.event || 'events', unit = pyrograph.heat.data.unit(settings);
	const answers = new Map();      /* question -> answer */

	/* The stacks (including idle ones), host and CPU of one of several maps (grid.js); null if there is only one
	 * map. */
	app.mapPart = (map) => {
		const per = settings.per && app.dimension(settings.per);

		return !per || map >= per.keys.length ? null : app.kept('part of map', [map], () =>
			pyrograph.heat.grid.partOf(settings, per, app.keyOfMap(map)));
	};

	/* Idle events are counted too, except in a map of how busy CPUs are. */
	function choiceOf(selection) {
		const part = selection && app.mapPart(app.mapOf(selection)) || { stacks: null, recording: -1, cpu: -1 };

		return Object.assign({}, part, { idle: app.view.idle || !selection || selection.kind !== 'cpu' });
	}

	function ask(what, selection) {
		const shown = app.shown(), wanted = selection || { kind: 'time', from: shown.from, to: shown.to };
		const key = JSON.stringify([what, wanted, app.axes(), selection && app.mapOf(selection),
			app.view.idle]);
		let found = answers.get(key);

		if (!found) {
			found = pyrograph.heat.select[what](data, settings, app.axes(), wanted,
				choiceOf(selection));
			answers.set(key, found);
			if (answers.size > KEPT)
				answers.delete(answers.keys().next().value);
		}
		return found;
	}

	const isAll = (selection) => !selection && app.view.from === null && app.view.to === null;

	app.countsIn = (selection) => isAll(selection) ? data.eventsOf : ask('counts', selection);
	app.valuesIn = (selection) => isAll(selection) ? data.valueOf : ask('sums', selection);

	app.eventRanges = (selection) => {
		const first = (tick) => pyrograph.heat.data.firstEvent(data, tick);

		return !selection ? [[0, data.count]] : pyrograph.heat.select.ranges(settings, app.axes(), selection)
			.map(([from, to]) => [first(from), first(to)]);
	};

	/* An event in the selected time is selected only if its value, its CPU and its map are. */
	app.isSelected = (selection) => {
		const choice = choiceOf(selection), { stacks } = choice, { stack, value } = data;
		const filter = pyrograph.heat.select.filter(data, settings, app.axes(), selection, choice);

		return !stacks && !filter ? null : (i) => (!stacks || stacks[stack[i]]) &&
			(!filter || filter(i, value ? value[i] : settings.same));
	};

	app.keyCounts = (dimension, counts) => {
		const { keyOf } = dimension, none = dimension.keys.length, idle = app.view.idle, { isIdle } = data;
		const out = new Float64Array(none + 1);

		for (let stack = 0; stack < counts.length; stack++) {
			if (counts[stack] && (idle || !isIdle[stack]))
				out[keyOf[stack] < 0 ? none : keyOf[stack]] += counts[stack];
		}
		return out;
	};
	app.split = (counts) => {
		let events = 0, idle = 0;

		for (let stack = 0; stack < counts.length; stack++) {
			if (data.isIdle[stack] && !app.view.idle)
				idle += counts[stack];
			else
				events += counts[stack];
		}
		return { events: events, idle: idle };
	};
	app.onchangeLater = (draw) => {
		let waiting = 0;

		app.onchange(() => {
			clearTimeout(waiting);
			if (data.count > MANY)
				waiting = setTimeout(draw, LATER_MS);
			else
				draw();
		});
	};
	app.someEvents = (n) => N.countText(n) + ' ' + (n === 1 ? word.replace(/s$/, '') : word);
	app.someValue = (n) => settings.unit === word && data.value === null ? null : N.valueText(unit, n);
};
/* heat_aside: the panel for colouring cells: the choice of a dimension, the list of its keys, and how each key is
 * shown.
 *
 * app.hues()       -> null, or { dimension, keys, numbers, isolate, exclude, all }: the numbers of the keys of
 *                     the dimension (data.js) that have a hue, and the numbers of their hues (scale.js);
 *                     other keys are grey.  isolate: other keys are not shown; exclude: only other keys
 *                     are shown, and nothing has a hue
 * app.by()         -> the dimension's name, '' if there is none
 * app.keysBy(name) -> the dimension, or null
 * app.keyName(text) -> the key's name as the reader sees it; app.keyColour(i) -> the colour of the i-th key in hues
 * app.openKeys(on), app.keysOpen()
 * Only the rows in the window exist as elements: the list may have thousands of keys. */
pyrograph.heat.aside = function (app) {
	'use strict';

	const D = pyrograph.ui.dom, N = pyrograph.number, H = pyrograph.heat, S = pyrograph.search,
		{ data, settings } = app;
	const HUES_MAX = 24, TYPING_MS = 300, NAME_MAX = 400, MARKED_FIRST = 4,
		drawn = settings.hues || {};

	const { choice, segment } = app.controls;

	H.counts(app);
	const MANY = { comm: 'commands', command: 'commands', thread: 'threads', cpu: 'CPUs', host: 'hosts',
		state: 'states', pid: 'processes', process: 'processes',
		tid: 'threads', event: 'events', syscall: 'system calls', device: 'devices', 'class': 'classes',
		regexp: 'patterns' };
	const WORDS = { comm: 'command', cpu: 'CPU', pid: 'process', tid: 'thread number', by: 'who had the CPU',
		regexp: 'patterns (regexps)' };

	/* ---- what the view says ---- */

	app.by = () => app.view.by === null ? drawn.dimension || '' : app.view.by;
	app.marked = () => app.view.by === null ? drawn.keys || [] : app.view.keys;
	/* In cells that count CPUs, only keys of CPUs have a meaning, and no CPU can be left out. */
	const ofCpus = settings.y === 'utilization';

	app.canBe = (name) => !ofCpus || name === 'cpu' || name === 'host';
	app.keyMode = () => app.view.by !== null ? (ofCpus && app.view.mode !== 'all' ? 'highlight' : app.view.mode)
		: drawn.isolate ? 'isolate' : drawn.exclude ? 'exclude' : 'highlight';
	app.dimensionWord = (name) => WORDS[name] || name;
	app.keyName = (text) => text.length > NAME_MAX ? text.slice(0, NAME_MAX) + '\u2026' : text;

	const change = (changes) => app.step(Object.assign({ by: app.by(), keys: app.marked(), mode: app.keyMode() },
		changes));

	const numbers = new WeakMap();  /* dimension -> Map of the text of a key -> its number */

	function numberOf(dimension, text) {
		if (!numbers.has(dimension))
			numbers.set(dimension, new Map(dimension.keys.map((key, i) => [key, i])));
		return numbers.get(dimension).get(text);
	}

	/* A pattern that may take forever is tried in a Worker first (slow.js).  Keys are made only when all
	 * patterns are known to work. */
	const tried = new Map();        /* source -> what is wrong with it, or '' */

	/* '' if all patterns work, else what is wrong with one of them; null while this is not known. */
	function patternsWrong() {
		const texts = app.kept('texts', [], () => Array.from({ length: data.stacks }, (unused, stack) =>
			H.data.stackText(data, stack)));

		for (const [, source] of app.view.regexps || settings.regexps || []) {
			const found = tried.has(source) ? null : S.matcher(texts, source, false);

			if (found && found.waits)
				return null;
			if (found)
				tried.set(source, found.error || '');
			if (tried.get(source))
				return tried.get(source);
		}
		return '';
	}
	/* The dimension with this name; null if the dimension or its patterns cannot be used (yet). */
	app.keysBy = (name) => !name || !app.canBe(name) || (name === 'regexp' && patternsWrong() !== '') ? null
		: app.dimension(name);

	let made = { of: '' };

	app.hues = () => {
		const name = app.by(), dimension = app.keysBy(name), mode = app.keyMode(), marked = app.marked();
		const of = dimension ? JSON.stringify([name, app.view.regexps, mode, marked]) : '';

		if (made.of !== of) {
			const keys = mode === 'all' ? dimension.keys.slice(0, HUES_MAX).map((text, i) => i)
				: !of ? [] : marked.map((text) => numberOf(dimension, text)).filter((key) =>
					key !== undefined);

			made = { of: of, hues: !of ? null : { dimension: dimension, keys: keys,
				numbers: H.scale.huesOf(keys), all: mode === 'all',
				isolate: mode === 'isolate' && keys.length > 0, exclude: mode === 'exclude' &&
					keys.length > 0 } };
		}
		return of ? made.hues : null;
	};
	app.keyColour = (i) => '#' + H.scale.hueRgb(H.scale.hue(app.hues().numbers[i]), 1,
		app.isDark()).toString(16).padStart(6, '0');

	/* ---- the controls ---- */

	const names = (settings.dimensions || []).map(([name]) => name).filter((name) => name !== 'regexp' &&
		app.canBe(name));
	const chooser = D.html('select', { 'aria-label': 'Coloured by', onchange: () => app.setBy(chooser.value) },
		D.html('option', { value: '' }, 'count alone'), ...names.map((name) =>
			D.html('option', { value: name }, app.dimensionWord(name))),
		ofCpus ? null : D.html('option', { value: 'regexp' }, app.dimensionWord('regexp')));
	const close = D.button('close', 'Close the keys', 'Close (K)', () => app.act('keys'), { icon: 'close' });
	const patterns = D.html('textarea', { rows: '3', spellcheck: 'false',
		placeholder: 'LABEL=REGEXP, one on each line; the first match counts',
		'aria-label': 'Patterns, one LABEL=REGEXP on each line' });
	const wrong = D.html('div', { 'class': 'wrong', role: 'alert' });

	const MODES = [['highlight', 'Highlight', 'Marked ones in their hues, the others grey (H)'],
		['isolate', 'Isolate', 'Only the marked ones (I)'],
		['exclude', 'Exclude', 'All but the marked ones (E)'],
		['all', 'All', 'Each in a hue, the first ' + HUES_MAX + ' of them (A)']].filter(([mode]) => !ofCpus ||
			mode === 'highlight' || mode === 'all');
	const modes = MODES.map(([mode, label, tip]) => {
		const e = choice(label, tip, () => app.keyMode() === mode, () => app.setKeyMode(mode));

		e.dataset.mode = mode;
		return e;
	});
	const clear = D.html('button', { type: 'button', 'class': 'link', title: 'Unmark all keys', onclick: () =>
		change({ keys: [], mode: 'highlight' }) },
	'Clear');
	const about = D.html('div', { 'class': 'table-about' });
	const list = pyrograph.ui.list({ placeholder: 'Filter', filterLabel: 'Filter the keys, a regular expression',
		sort: 'shown', active: '.cursor', heads: [['name', 'Key', 'By name'],
			['shown', 'Shown', 'Events in the time that is shown'],
			['selected', 'Selected', 'Events in the selection']], rowOf, arrange });
	const { heads } = list;

	list.element.classList.add('keys-list');
	list.element.setAttribute('aria-multiselectable', 'true');
	const body = D.html('div', { 'class': 'keys-body' }, D.html('div', { 'class': 'keys-modes' },
		segment('Marked keys', ...modes), clear),
	list.top, about, list.head, list.element);
	const section = D.html('section', { 'class': 'heat-keys', 'aria-label': 'Keys' },
		D.html('div', { 'class': 'keys-top' },
			D.html('label', {}, 'Coloured by ', chooser), close), patterns, wrong, body);

	app.page.aside.setAttribute('aria-label', 'Keys and distribution');
	app.page.aside.append(section);

	/* Shows the marked keys in this mode; if no key is marked, marks the key that the cursor is at. */
	app.setKeyMode = (mode) => {
		const hues = app.hues(), keys = app.marked();

		if (!hues) {
			app.save.toast('First choose what to colour by');
			return;
		}
		if (ofCpus && mode !== 'highlight' && mode !== 'all') {
			app.save.toast('All CPUs count: none can be left out');
			return;
		}
		if (mode !== 'all' && mode !== 'highlight' && !keys.length) {
			if (cursor >= 0)
				change({ keys: [dimension.keys[cursor]], mode: mode });
			else
				app.save.toast('Mark one of the keys first');
			return;
		}
		change({ mode: mode === app.keyMode() && mode !== 'highlight' ? 'highlight' : mode });
	};
	/* The keys with the most events, which are marked at first so that something stands out. */
	function firstKeys(name) {
		const dimension = app.keysBy(name);

		return !dimension ? [] : dimension.keys.filter((text, i) => dimension.events[i] > 0 &&
			text !== 'other' && text !== '').slice(0, MARKED_FIRST);
	}
	app.setBy = (name, keys = firstKeys(name)) =>
		change({ by: name, keys: keys, mode: 'highlight', panel: app.view.panel || name !== '' });
	/* Marks a key, or removes its mark. */
	app.markKey = (text) => {
		const keys = app.marked();

		change({ keys: keys.includes(text) ? keys.filter((one) => one !== text) : keys.concat([text]),
			mode: app.keyMode() === 'all' ? 'highlight' : app.keyMode() });
	};

	/* ---- patterns ---- */

	/* "kernel=_\[k\]$" -> [label, source] */
	function patternOf(text) {
		const at = text.indexOf('=');

		return at > 0 ? [text.slice(0, at).trim(), text.slice(at + 1)] : [text, text];
	}

	function readPatterns() {
		const all = patterns.value.split('\n').map((text) => text.trim()).filter(Boolean).map(patternOf);
		const bad = all.find(([, source]) => {
			try {
				/* The test compiles the pattern, and throws if the pattern is too large. */
				return new RegExp(source).test('') && false;
			} catch (e) {
				return true;
			}
		});

		wrong.textContent = bad ? 'Not a regular expression: ' + app.keyName(bad[1]) : '';
		if (!bad && JSON.stringify(all) !== JSON.stringify(app.view.regexps || settings.regexps || []))
			app.step({ by: 'regexp', regexps: all, keys: all.map(([label]) =>
				label).filter((label, i, every) => every.indexOf(label) === i)
				.slice(0, HUES_MAX), mode: 'highlight' });
	}

	let typing = 0;

	patterns.addEventListener('input', () => {
		clearTimeout(typing);
		typing = setTimeout(readPatterns, TYPING_MS);
	});
	patterns.addEventListener('change', () => {
		clearTimeout(typing);
		readPatterns();
	});
	patterns.addEventListener('keydown', (event) => {
		if (event.key !== 'Escape')
			event.stopPropagation(); /* Enter begins a new line here */
	});

	/* ---- the list ---- */

	/* The ids of rows must be unique if a page has several pictures. */
	const idStart = 'heat-key-' + document.querySelectorAll('.heat-keys').length + '-';

	let dimension = null, shown = null, selected = null, rows = [], cursor = -1;
	let whole = 0, wholeSelected = 0, most = 0, mostSelected = 0, sortedOf = null, namePx = 100;
	let wasOpen = false;

	function arrange() {
		const { filter, sort: { key, down } } = list, found = S.matcher(dimension.keys, filter.value, true);
		const values = key === 'selected' && selected ? selected : shown, sign = down ? -1 : 1;

		filter.classList.toggle('invalid', Boolean(found.error));
		filter.title = found.error || '';
		rows = dimension.keys.map((text, i) => i);
		if (found.error || found.match)
			rows = rows.filter((i) => found.match && found.match[i]);
		if (key === 'name')
			rows.sort((a, b) => sign * (dimension.keys[a] < dimension.keys[b] ? -1 : 1));
		else
			rows.sort((a, b) => sign * (values[a] - values[b]) || a - b);
		list.count.textContent = rows.length === dimension.keys.length ? N.countText(rows.length) :
			N.countText(rows.length) + ' of ' + N.countText(dimension.keys.length);
		drawRows();
	}

	/* A cell of the list.  The bar shows the share of the largest key, the tip the share of all. */
	function amount(className, value, of, most) {
		const bar = D.html('span', { 'class': 'bar' });

		bar.style.width = most ? (value / most * 100).toFixed(2) + '%' : '0';
		return D.html('span', { 'class': className, title: app.someEvents(value) + ', ' +
			N.percentText(value, of) }, bar,
		D.html('span', {}, value ? N.countText(value) : '\u2013'));
	}

	function rowOf(at) {
		const i = rows[at], { keys } = app.hues(), hue = keys.indexOf(i), text = app.keyName(dimension.keys[i]);
		const dot = D.html('span', { 'class': hue < 0 ? 'dot unmarked' : 'dot' });

		if (hue >= 0 && !app.hues().exclude)
			dot.style.background = app.keyColour(hue);
		const e = D.html('div', { 'class': 'row', role: 'option', id: idStart + i, title: text,
			'aria-selected': String(app.keyMode() !== 'all' && hue >= 0), 'aria-label': text + ': ' +
				app.someEvents(shown[i]) + ', ' +
			N.percentText(shown[i], whole) + (selected ? '; selected: ' + app.someEvents(selected[i])
				: '') },
		dot, D.html('span', { 'class': 'c-name' }, app.ruler.fit(text || '(empty)', namePx, 1, 'middle')),
		amount('c-total', shown[i], whole, most),
		selected ? amount('c-self', selected[i], wholeSelected, mostSelected) : null);

		e.classList.toggle('cursor', i === cursor);
		return e;
	}

	function drawRows() {
		/* Marked names are bold, so wider. */
		namePx = (list.element.clientWidth - (selected ? 178 : 112)) * 0.93;
		list.show(rows.length);
	}

	const sum = (values) => values.reduce((all, v) => all + v, 0);
	/* The largest value of a key; the last value is not that of a key, but of events without one. */
	const largest = (values) => values.subarray(0, values.length - 1).reduce((all, v) => Math.max(all, v), 0);

	function countKeys() {
		const { selection } = app.view;

		shown = app.keyCounts(dimension, app.countsIn(null));
		selected = selection ? app.keyCounts(dimension, app.countsIn(selection)) : null;
		whole = sum(shown);
		wholeSelected = selected ? sum(selected) : 0;
		most = largest(shown);
		mostSelected = selected ? largest(selected) : 0;
	}

	/* "12 threads, 3 marked; 34 samples have none; not here: x". */
	function aboutText() {
		const { keys, all } = app.hues(), words = [], none = shown[dimension.keys.length];
		const gone = app.marked().filter((text) => numberOf(dimension, text) === undefined);

		words.push(N.countText(dimension.keys.length) + ' ' +
			(MANY[app.by()] || 'keys').replace(dimension.keys.length === 1 ? /s$/ : '', '') +
			(all && keys.length < dimension.keys.length ? ', the first ' + keys.length + ' in hues'
				: !all && keys.length ? ', ' +
			N.countText(keys.length) + ' marked' : ''));
		if (none)
			words.push(app.someEvents(none) + ' without one');
		if (gone.length)
			words.push('not here: ' + gone.map(app.keyName).join(', '));
		return words.join('; ');
	}

	function draw() {
		const hues = app.hues();

		chooser.value = app.by();
		patterns.hidden = wrong.hidden = app.by() !== 'regexp';
		if (!patterns.hidden && document.activeElement !== patterns)
			patterns.value = (app.view.regexps || settings.regexps || []).map(([label, source]) =>
				label === source ? source : label + '=' + source).join('\n');
		if (app.by() === 'regexp' && patternsWrong())
			wrong.textContent = patternsWrong();
		else if (document.activeElement !== patterns)
			wrong.textContent = '';
		body.hidden = !hues || !hues.dimension.keys.length;
		if (body.hidden || !app.view.panel)
			return;
		if (dimension !== hues.dimension)
			cursor = -1;
		dimension = hues.dimension;
		clear.hidden = !app.marked().length && app.keyMode() !== 'all';
		list.element.setAttribute('aria-label', app.dimensionWord(app.by()) + ': keys');
		heads.name.textContent = app.dimensionWord(app.by());
		countKeys();
		heads.selected.hidden = !selected;
		section.classList.toggle('with-selected', Boolean(selected));
		about.textContent = about.title = aboutText();
		if (sortedOf !== dimension)
			list.element.scrollTop = 0;
		sortedOf = dimension;
		arrange();
	}

	app.keysOpen = () => app.view.panel;
	app.openKeys = (on) => app.touch({ panel: on });
	app.onchange(() => {
		const isOpen = app.view.panel;

		app.page.aside.hidden = section.hidden = !isOpen;
		app.page.element.classList.toggle('with-keys', isOpen);
		if (isOpen !== wasOpen) {
			wasOpen = isOpen;
			app.page.resize(); /* the width of the maps has changed */
		}
	});

	/* ---- pointer and keys ---- */

	function moveTo(at) {
		if (!rows.length)
			return;
		at = Math.max(0, Math.min(rows.length - 1, at));
		cursor = rows[at];
		list.reveal(at);
		drawRows();
	}

	list.element.addEventListener('click', (event) => {
		const at = list.indexOf(event);

		if (at >= 0) {
			cursor = rows[at];
			app.markKey(dimension.keys[cursor]);
		}
	});
	list.element.addEventListener('keydown', (event) => {
		const at = rows.indexOf(cursor), page = list.pageRows();
		const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity,
			End: Infinity };

		if (event.ctrlKey || event.metaKey || event.altKey)
			return;
		if (event.key in steps)
			moveTo(at + steps[event.key]);
		else if ((event.key === 'Enter' || event.key === ' ') && at >= 0)
			app.markKey(dimension.keys[cursor]);
		else
			return;
		event.preventDefault();
		event.stopPropagation();
	});
	new ResizeObserver(() => !body.hidden && dimension && drawRows()).observe(list.element);
	app.onchangeLater(draw);
};
/* heat_period: reads and writes the length of a period.  Pure.
 *
 * parse("1.013s") -> ns, or null; units: ns, us, ms, s (or none), min, h, d; from 1 us to a year
 * text(1013000000) -> "1.013 s", which parse() takes */
pyrograph.heat.period = (function () {
	'use strict';

	const UNITS = { ns: 1, us: 1e3, '\u00b5s': 1e3, '\u03bcs': 1e3, ms: 1e6, s: 1e9, sec: 1e9, m: 60e9, min: 60e9,
		h: 3600e9, d: 86400e9 };
	const MOST = 366 * 86400e9, SHOWN = [['d', 86400e9], ['h', 3600e9], ['min', 60e9], ['s', 1e9], ['ms', 1e6],
		['\u00b5s', 1e3], ['ns', 1]];

	/* The decimal point is moved in the text, without multiplying, so that 1.013 s is exactly 1013000000 ns. */
	function parse(text) {
		const found = /^\s*(\d{1,9})?(?:[.,](\d{1,9}))?\s*([a-z\u00b5\u03bc]*)\s*$/i.exec(text);
		const unit = found && (UNITS[found[3]] || UNITS[found[3].toLowerCase()] || (found[3] ? 0 : 1e9));

		if (!unit || (!found[1] && !found[2]))
			return null;
		const rest = found[2] || '', ns = Math.round((Number(found[1] || 0) * unit) +
			Number(rest) * unit / Math.pow(10, rest.length));

		return ns >= 1000 && ns <= MOST ? ns : null;
	}

	function text(ns) {
		const whole = SHOWN.find(([, one]) => one >= 60e9 && ns >= one && ns % one === 0);
		const [name, one] = whole || SHOWN.find(([, unit]) => unit <= 1e9 && ns >= unit) || ['ns', 1];
		const rest = (ns % one / one).toFixed(9).slice(2).replace(/0+$/, '');

		return Math.floor(ns / one) + (rest ? '.' + rest : '') + ' ' + name;
	}

	return { parse, text };
})();
/* heat_actions: the choices of a view, and the list of all actions, with their words and keys, from which menus, keys
 * and the help are made.
 *
 * app.choices: { colorings, weights, zones, periods: ns }; the present choices: coloring(), weigh(), ramp(), zone();
 * app.setColoring(), setRamp(), setWeigh(), setZone(), setPeriod(), setRows(), setIdle(), setSelecting().  The link
 * leaves out settings that have not been changed. */
pyrograph.heat.actions = function (app) {
	'use strict';

	const H = pyrograph.heat, P = H.period, { data, settings } = app;
	const PERIODS = [1e9, 10e9, 60e9, 300e9, 3600e9, 86400e9], isOffset = settings.y === 'offset';

	/* ---- what may be chosen ---- */

	const setDrawn = (key, value, drawn) => app.step({ [key]: value === drawn ? null : value });
	const coloring = () => app.view.coloring || settings.coloring, weigh = () => app.view.weigh || settings.weigh;
	const ramp = () => app.view.ramp || settings.ramp, zone = () => app.view.zone || 'own';
	const COLORINGS = [['linear', 'Linear', 'By count', ''], ['rank', 'Rank',
		'By rank among all cells: contrast whatever the counts are', 'colours by rank'],
	['log', 'Log', 'By the logarithm of the count: a single one is never pale', 'logarithmic colours']];
	const WEIGHTS = [['events', 'Events'], ...data.value !== null || settings.unit !== settings.event
		? [['values', settings.unit ? 'Values: ' + settings.unit : 'Values'],
			['longest', 'Longest: the largest value']] : [],
	...settings.spans ? [['painted', 'Time: the whole of each span is painted']] : []];
	const ZONES = [['own', 'As drawn: ' + settings.zone[1]], ['UTC', 'UTC'], ['local', 'This browser\u2019s']];

	app.choices = { colorings: COLORINGS, weights: WEIGHTS, zones: ZONES, periods: PERIODS, coloring, weigh, ramp,
		zone };
	app.setColoring = (name) => setDrawn('coloring', name, settings.coloring);
	app.setRamp = (name) => setDrawn('ramp', name, settings.ramp);
	app.setWeigh = (name) => setDrawn('weigh', name, settings.weigh);
	app.setZone = (name) => app.touch({ zone: name === 'own' ? null : name });
	app.setPeriod = (ns) => app.step({ period: ns });
	app.setRows = (rows) => app.step({ rows: rows });
	/* Maps of how busy CPUs are do not count idle events, since what is not busy is idle. */
	app.idleCounts = () => Boolean(settings.idleWhat);
	app.canHaveLines = () => settings.y !== 'offset' && (settings.percentiles || []).length > 0;
	app.setLines = (on) => setDrawn('lines', on, Boolean(settings.lines));
	app.setIdle = (on) => app.step({ idle: on });

	const next = (values, now) => values[(values.indexOf(now) + 1) % values.length];
	const nextOf = (all, now, set) => () => set(next(all.map(([name]) => name), now()));

	/* Goes to the next longer or shorter one of the usual periods. */
	function stepPeriod(step) {
		const now = Number(app.axes().period), all = step > 0 ? PERIODS : PERIODS.slice().reverse();
		const found = all.find((period) => step > 0 ? period > now : period < now);

		if (found)
			app.setPeriod(found);
	}

	/* ---- the actions ---- */

	const actions = {
		search: ['/', 'Search frames', () => app.searchBox.focus(), 'Find'],
		keys: ['k', 'Keys and distribution', () => app.openKeys(!app.keysOpen()), 'Keys'],
		nextBy: ['n', 'Colour by the next dimension', () =>
			app.setBy(next(['', ...settings.dimensions.map(([name]) => name).filter(app.canBe)], app.by())),
		'Keys'], highlight: ['h', 'Marked keys in their hues', () => app.setKeyMode('highlight'), 'Keys'],
		isolate: ['i', 'Only the marked keys', () => app.setKeyMode('isolate'), 'Keys'],
		exclude: ['e', 'All but the marked keys', () => app.setKeyMode('exclude'), 'Keys'],
		rainbow: ['a', 'All keys in hues', () => app.setKeyMode('all'), 'Keys'],
		longer: [']', 'Longer period', () => stepPeriod(1), 'View'],
		shorter: ['[', 'Shorter period', () => stepPeriod(-1), 'View'],
		period: ['o', 'Another period', () => app.askPeriod(), 'View'],
		coloring: ['c', 'Linear, rank, logarithmic colours', nextOf(COLORINGS, coloring, app.setColoring),
			'View'],
		ramp: ['r', 'Next scale of colours', nextOf(settings.ramps, ramp, app.setRamp), 'View'],
		weigh: ['w', 'Events, values, longest, time', nextOf(WEIGHTS, weigh, app.setWeigh), 'View', () =>
			WEIGHTS.length > 1],
		idle: ['y', 'Show idle: ' + (settings.idleWhat || ''), () => app.setIdle(!app.view.idle), 'View', () =>
			app.idleCounts()],
		lines: ['p', 'Percentile lines', () => app.setLines(!app.linesShown()), 'View', app.canHaveLines],
		zone: ['t', 'Next time zone', nextOf(ZONES, zone, app.setZone), 'View', () => !settings.relative],
		...app.usual.view,
		resetAll: ['R', 'As it was drawn', () => app.resetAll(), 'View'],
		...app.usual.link,
		copyDetails: ['D', 'Copy the distribution', () => app.copyDetails(), 'Keep'],
		saveTimed: ['T', 'Save everything in this time as timed lines', () => app.saveTimed(), 'Keep'],
		saveFolded: ['F', 'Save what the flame graph shows as folded lines', () => app.saveFolded(), 'Keep'],
		...app.usual.saving,
	};

	Object.assign(app.actions, actions);
	app.resetAll = () => app.step(Object.assign(H.address.emptyView(),
		{ theme: app.view.theme, panel: app.view.panel }));

	app.openViewMenu = () => {
		const items = app.actionItems, now = app.view.period, radios = app.radios, selection =
			items('keepB', 'exchange', 'zoomTo');
		const isOther = now !== null && !PERIODS.includes(now), checked = (id, is, label) =>
			items(id).map((item) => Object.assign(item, { checked: is() }, label && { label }));

		app.showViewMenu([{ heading: isOffset ? 'Period' : 'Column' },
			...radios([[null, 'As drawn: ' + P.text(Number(settings.period))],
				...PERIODS.map((ns) => [ns, P.text(ns)])], now, app.setPeriod, ''),
			{ label: isOther ? 'Other: ' + P.text(now) : 'Other \u2026', radio: true, key: 'O',
				checked: isOther, run: app.askPeriod },
			{ heading: 'Colours' }, ...radios(COLORINGS.map(([name, label, tip]) =>
				[name, label + ': ' + tip.toLowerCase().replace(/:.*/, '')]),
			coloring(), app.setColoring, 'C'),
			{ heading: 'Scale' }, ...radios(settings.ramps.map(([name, about]) =>
				[name, name + (about ? ': ' + app.ruler.fit(about, 320, 1, 'right') : '')]),
			ramp(), app.setRamp, 'R'), ...WEIGHTS.length > 1 ? [{ heading: 'Cells count' },
				...radios(WEIGHTS, weigh(), app.setWeigh, 'W')] : [],
			...selection.length ? [{ heading: 'Selection' }, ...selection] : [],
			{ heading: 'Dragging selects' }, ...radios([['time', 'A range of time'],
				['rows', isOffset ? 'The same part of each period' : 'Time and values']],
			app.selecting(), app.setSelecting, 'M'), { line: true },
			...checked('idle', () => app.view.idle), ...checked('lines', app.linesShown),
			...checked('keys', app.keysOpen), ...checked('flame', app.flameIsShown, 'Flame graph'),
			...settings.relative ? [] : [{ heading: 'Times' }, ...radios(ZONES, zone(), app.setZone, 'T')]],
		'copyDetails', 'saveTimed', 'saveFolded');
	};
};
/* heat_toolbar: the search, the buttons, the meaning of columns and colours, and a chip for each choice.
 *
 * app.linesNow()  -> app.headingLines with the warning about the rows that are shown
 * app.searched() -> null, or about the search: { stacks: Uint8Array by stack or null, error, waits } */
pyrograph.heat.toolbar = function (app) {
	'use strict';

	const D = pyrograph.ui.dom, N = pyrograph.number, S = pyrograph.search, H = pyrograph.heat, P = H.period;
	const { data, settings, page, choices: C } = app, CHIP_PX = 1000, OTHER = 'other',
		AS_DRAWN = '';
	const ROWS = [10, 20, 25, 49, 50, 60, 99, 100, 200];
	const { tools, choice, segment, said, chip, show } = app.controls;
	const SPEEDS = [0.25, 0.5, 1, 2, 4, 8, 16], isOffset = settings.y === 'offset';

	/* ---- search ---- */

	let searched = { key: '', found: null };

	app.searched = () => {
		const what = app.view.search, key = what && what.pattern ? (what.ignoreCase ? 'i' : '=') + what.pattern
			: '';

		if (!key)
			return null;
		if (searched.key !== key || searched.found.waits) {
			const { match, error, waits } = S.matcher(data.names, what.pattern, what.ignoreCase);

			searched = { key: key, found: { stacks: match ? H.data.match(data, match) : null, error: error,
				waits: Boolean(waits) } };
		}
		return searched.found;
	};

	/* "1,234 samples, 12.34%" of what is shown; or what is wrong with the pattern. */
	app.matchText = () => {
		const found = app.searched();

		if (!found || found.error || !found.stacks)
			return found && found.error || '';
		const counts = app.countsIn(null), matched =
			app.split(counts.map((n, stack) => found.stacks[stack] ? n : 0));

		return app.someEvents(matched.events) + ', ' + N.percentText(matched.events, app.split(counts).events) +
			(matched.idle ? ' (' + N.countText(matched.idle) + ' idle)' : '');
	};

	const searchNow = () => app.view.search || { pattern: '', ignoreCase: false };

	app.searchBox = pyrograph.ui.box(app, { name: 'search', placeholder: 'Search (regexp)',
		tip: 'Search frames: lights up the cells where they ran ( / )',
		label: 'Search frames, a regular expression', count: () => app.matchText(), later: app.onchangeLater,
		error: () => app.searched() && app.searched().error, read: searchNow,
		write: (pattern, ignoreCase) => app.touch({ search: pattern ? { pattern, ignoreCase } : null }) });
	app.searchBox.found.setAttribute('aria-live', 'polite');
	/* ---- buttons ---- */

	const play = D.button('play', 'Play', 'Play: step the selection through time (Space)', () => app.play &&
		app.play.toggle(), { icon: 'play' });
	const zoomOut = D.button('zoom-out', 'Zoom out', 'Show more time (-)', () => app.act('zoomOut'),
		{ icon: 'minus' });
	const zoomIn = D.button('zoom-in', 'Zoom in', 'Show less time, in finer cells (+)', () => app.act('zoomIn'),
		{ icon: 'plus' });
	const all = D.button('reset', 'Show all', 'Show the whole time (0)', () => app.act('zoomAll'),
		{ icon: 'home' });
	const keys = D.button('keys', 'Keys and distribution',
		'Colours by command, thread, ...: keys, and what is in the selection (K)', () => app.act('keys'),
		{ icon: 'table' });

	tools('View: periods, colours, theme, saving (V)', app.searchBox.element, play, zoomOut, zoomIn, all, keys);

	/* ---- controls ---- */

	const option = (value, label) => D.html('option', { value: String(value) }, label);
	const named = (name, part) => D.html('span', { 'class': 'named' }, D.html('span', { 'class': 'quiet' }, name),
		part);
	const periods = D.html('select', { 'aria-label': 'Period', title: 'The length of a column ( [ and ] )',
		onchange: () => {
			if (periods.value === OTHER) {
				period.hidden = false;
				period.focus();
				period.select();
			} else {
				app.setPeriod(periods.value === AS_DRAWN ? null : Number(periods.value));
			}
		} });
	const period = D.html('input', { type: 'text', 'class': 'period', spellcheck: 'false', autocomplete: 'off',
		'aria-label': 'Other period',
		title: 'Any period: 250ms, 1.013s, 90min. Arrow keys change it by a thousandth ' +
			'(Shift: a hundredth, ' + 'Alt: a ten-thousandth), until a diagonal stands upright' });
	const rows = D.html('select', { 'aria-label': 'Rows', onchange: () =>
		app.setRows(rows.value === AS_DRAWN ? null : Number(rows.value)) });

	/* Takes the period from its box: a length of time that was typed, or a small change by the box's
	 * arrows. */
	function takePeriod(isStep) {
		const ns = P.parse(period.value);

		period.classList.toggle('invalid', ns === null);
		period.setAttribute('aria-invalid', String(ns === null));
		if (ns !== null && ns !== Number(app.axes().period))
			app[isStep ? 'step' : 'touch']({ period: ns });
	}
	period.addEventListener('input', () => period.classList.toggle('invalid', P.parse(period.value) === null));
	period.addEventListener('change', () => takePeriod(true));
	period.addEventListener('keydown', (event) => {
		const step = { ArrowUp: 1, ArrowDown: -1 }[event.key], now = P.parse(period.value);

		if (event.key === 'Enter') {
			takePeriod(true);
		} else if (event.key === 'Escape') {
			period.value = P.text(Number(app.axes().period));
			period.classList.remove('invalid');
			period.blur();
		} else if (step && now) {
			const digit = Math.pow(10, Math.floor(Math.log10(now) + 1e-9)),
				one = digit / (event.shiftKey ? 100 : event.altKey ? 10000 : 1000);

			period.value = P.text(Math.max(1000, Math.round(now + step * one)));
			takePeriod(false);
		} else {
			if (!event.ctrlKey && !event.metaKey)
				event.stopPropagation();
			return;
		}
		event.preventDefault();
		event.stopPropagation();
	});

	const speed = D.html('select', { 'aria-label': 'Speed of playing', title: 'Speed of playing', onchange: () =>
		app.touch({ speed: Number(speed.value) }) },
	...SPEEDS.map((n) => option(n, n + '\u00d7')));
	/* ---- idle events: one chip, in place of the words that C wrote ---- */

	const idle = app.idleCounts() ? D.html('span', { 'class': 'named' }) : null;
	const idleAmount = () => app.someValue(data.valueOf.reduce((sum, value, stack) => sum + (data.isIdle[stack]
		? value : 0), 0)) || app.someEvents(settings.idleEvents);

	const controls = D.html('div', { 'class': 'layers heat-controls' },
		D.html('label', {}, isOffset ? 'Period ' : 'Column ', periods), period,
		D.html('label', {}, 'Rows ', rows),
		segment('Colours', ...C.colorings.map(([name, label, tip]) =>
			choice(label, tip + ' (C)', () => C.coloring() === name, () => app.setColoring(name)))),
		C.weights.length > 1 ? named('Cells', segment('Cells count',
			...C.weights.map(([name, label]) => choice(label.replace(/:.*/, ''),
				'Cells count ' + label.toLowerCase() + ' (W)', () => C.weigh() === name, () =>
					app.setWeigh(name))))) : null,
		named('Drag', segment('Dragging selects', choice('Time', 'Dragging selects a range of time (M)', () =>
			app.selecting() === 'time',
		() => app.setSelecting('time')), choice('Rows', isOffset
			? 'Dragging selects the same part of each period (M)'
			: 'Dragging selects a rectangle: time and values (M)', () => app.selecting() === 'rows', () =>
			app.setSelecting('rows')))),
		idle,
		D.html('label', { 'class': 'speed' }, 'Speed ', speed));

	page.heading.after(controls);

	function fillPeriods(now) {
		const isUsual = C.periods.includes(now), drawnPeriod = Number(settings.period),
			shown = app.view.period === null ? AS_DRAWN : isUsual ? now : OTHER;

		periods.replaceChildren(option(AS_DRAWN, app.view.period === null && now !== drawnPeriod ? 'fitting: ' +
			P.text(now) : 'as drawn: ' + P.text(drawnPeriod)),
		...C.periods.map((ns) => option(ns, P.text(ns))), option(OTHER, 'other \u2026'));
		periods.value = String(shown);
		if (document.activeElement !== period) {
			period.hidden = shown !== OTHER;
			period.value = P.text(now);
			period.classList.remove('invalid');
		}
	}

	function fillRows(now) {
		const some = ROWS.includes(now) ? ROWS : ROWS.concat([now]).sort((a, b) => a - b);

		rows.replaceChildren(option(AS_DRAWN, app.view.rows === null ? String(now) : 'as drawn'),
			...some.map((n) => option(n, String(n))));
		rows.value = app.view.rows === null ? AS_DRAWN : String(app.view.rows);
	}

	/* ---- the warning about rows and samples ---- */

	const warning = D.html('div', { 'class': 'note beats', role: 'status' });

	/* Replaces the warning that C wrote, which is about the rows that C drew, by one about the rows that are shown
	 * now. */
	const isDrawn = (text) => Boolean(settings.warning) && settings.warning.includes(text.trim());

	for (const line of page.heading.querySelectorAll('.notes > .note'))
		line.hidden = isDrawn(line.textContent);
	if (idle)
		app.controls.hideLines(settings.idleNote);
	/* C wrote the time of the recording in the zone of the picture. */
	const lines = app.headingLines.slice(1), written = lines.map(({ text }) => text);
	const DAY = '\\d{4}-\\d\\d-\\d\\d ', TIME = '\\d\\d:\\d\\d[\\d:.]*';
	const WHEN = new RegExp(`(^| \u00b7 )(?:${DAY})${TIME} \u2013 (?:${DAY})?${TIME} (\\S+?)(?=$| \u00b7 )`);

	function tellZone() {
		const isOwn = settings.relative || app.view.zone === null || app.view.zone === 'own';

		lines.forEach((line, i) => {
			const text = isOwn || line.className !== 'note' ? written[i]
				: written[i].replace(WHEN, (all, before, label) => label !== settings.zone[1] ? all
					: before + app.rangeText(app.whole.from, app.whole.to));

			if (line.element && text !== line.text)
				line.element.textContent = text;
			line.text = text;
		});
	}
	app.linesNow = () => app.headingLines.filter(({ element }) => !element || !element.hidden).concat(
		idle ? [{ className: 'note', text: idle.textContent, size: settings.fontSize }] : [],
		warning.hidden ? [] : [{ className: 'note', text: warning.firstChild.textContent,
			size: settings.fontSize }]);
	(page.heading.querySelector('.notes') || page.heading).append(warning);

	function drawWarning(axes) {
		const found = H.beats.warning(settings, axes);

		warning.hidden = !found;
		warning.replaceChildren(...!found ? [] : [found.said, ...found.rows.map((n) =>
			D.html('button', { type: 'button', 'class': 'link', onclick: () => app.setRows(n) }, n +
				' rows'))]);
	}

	/* ---- chips ---- */

	function drawChips() {
		const v = app.view, hues = app.hues && app.hues(), chips = [], add = (name, word, text, tip, run) =>
			chips.push(chip('of-' + name, said(word, text, CHIP_PX), run, tip));

		if (hues && (hues.isolate || hues.exclude))
			add('keys', hues.isolate ? 'Only' : 'Without', hues.keys.map((key) =>
				app.keyName(hues.dimension.keys[key])).join(', '), 'Show all again', () =>
				app.setKeyMode('highlight'));
		if (v.selection)
			add('selection', 'A', app.selectionText(v.selection), 'Select nothing (Esc)', () =>
				app.select(null));
		if (v.baseline)
			add('baseline', 'B', app.selectionText(v.baseline), 'No comparison', () =>
				app.step({ baseline: null }));
		if (v.frame)
			add('frame', 'Frame', app.keyName(v.frame[v.frame.length - 1] || 'all'), 'No frame', () =>
				app.touch({ frame: null }));
		show(chips);
	}

	app.onchange(() => {
		const found = app.searched(), { axes } = app.grids(), playing = Boolean(app.view.play);

		app.foot.showMatched(found && found.error || '', Boolean(found && found.error));
		play.replaceChildren(D.icon(playing ? 'pause' : 'play'));
		play.setAttribute('aria-pressed', String(playing));
		play.setAttribute('aria-label', playing ? 'Pause' : 'Play');
		play.disabled = !app.view.selection;
		zoomOut.disabled = all.disabled = app.view.from === null && app.view.to === null;
		keys.setAttribute('aria-pressed', String(Boolean(app.keysOpen && app.keysOpen())));
		if (idle)
			idle.replaceChildren(app.controls.idleChip(app.view.idle, idleAmount(), settings.idleWhat,
				'Y'));
		fillPeriods(Number(axes.period));
		fillRows(axes.rows);
		if (document.activeElement !== speed && !SPEEDS.includes(app.view.speed))
			speed.append(option(app.view.speed, app.view.speed + '\u00d7'));
		speed.value = String(app.view.speed);
		tellZone();
		drawWarning(axes);
		drawChips();
	});
	app.askPeriod = () => {
		controls.classList.add('asked-for'); /* shown even if there is too little room */
		period.hidden = false;
		period.focus();
		period.select();
	};
};
/* heat_legend: the meaning of colours: counts for each step of the scale, hues of keys, what was not
 * seen, percentile lines.  app.legend: [[colour, text], ...] for a saved picture; the colour
 * "hatch" stands for cells that were not seen. */
pyrograph.heat.legend = function (app) {
	'use strict';

	const D = pyrograph.ui.dom, N = pyrograph.number, H = pyrograph.heat, { settings, page } = app;
	const STEPS = 8, KEYS_TOLD = 12, unit = pyrograph.heat.data.unit(settings);
	const hex = (rgb) => '#' + rgb.toString(16).padStart(6, '0');
	let made = { grids: null };

	/* ---- steps of the scale ---- */

	/* The least whole number in 1 .. most whose place on the scale is at least share; most + 1 if there is none. */
	function leastOf(scale, share, most) {
		let low = 1, high = most + 1;

		while (low < high) {
			const middle = Math.floor((low + high) / 2);

			if (H.scale.of(scale, middle) >= share)
				high = middle;
			else
				low = middle + 1;
		}
		return low;
	}

	/* Divides the values 1 .. largest into ranges [[first, last], ...] of about the same colour. */
	function ranges(scale, largest) {
		const out = [];
		let from = 1;

		if (largest <= STEPS)
			return Array.from({ length: largest }, (unused, i) => [i + 1, i + 1]);
		for (let k = 1; k <= STEPS && from <= largest; k++) {
			const to = k === STEPS ? largest : leastOf(scale, k / STEPS + 1e-9, largest) - 1;

			if (to >= from) {
				out.push([from, to]);
				from = to + 1;
			}
		}
		return out;
	}

	/* How many cells have a value in each range. */
	function cellsOf(maps, all) {
		const counts = all.map(() => 0);

		for (const { grid } of maps) {
			for (const value of grid.cells) {
				if (!value)
					continue;
				let low = 0, high = all.length - 1;

				while (low < high) {
					const middle = low + high >> 1;

					if (value > all[middle][1])
						low = middle + 1;
					else
						high = middle;
				}
				counts[low]++;
			}
		}
		return counts;
	}

	const amount = (axes, value) => axes.y === 'utilization' ? N.countText(value) : axes.weigh === 'painted'
		? N.durationText(value) :
		axes.weigh === 'values' || axes.weigh === 'longest' ? N.bareText(unit, value) : N.countText(value);

	/* "3", "4-9"; only the upper end for lengths of time and the like, which need much room. */
	const rangeText = (axes, [from, to]) => axes.y !== 'utilization' && axes.weigh !== 'events' ? '\u2264 ' +
		amount(axes, to) : from === to ? amount(axes, from) : amount(axes, from) + '\u2013' + amount(axes, to);

	/* Describes the counts of cells: "samples in a cell of 1 s \u00d7 20 ms". */
	function cellText(axes) {
		const column = H.period.text(Number(axes.period) * axes.perColumn), what = axes.y === 'utilization'
			? 'CPUs' : axes.weigh === 'painted' ? 'time' : axes.weigh === 'longest' ? 'the longest'
				: axes.weigh !== 'values' ? settings.event
					: unit.unit === 'ns' ? 'sums of times' : unit.unit || 'sums of values';
		const colours = app.choices.colorings.find(([name]) => name === app.choices.coloring())[3];

		return what + ' in a cell' + (axes.y !== 'offset' ? ' of ' + column : ' of ' + column +
			' \u00d7 ' + N.durationText(Number(axes.period) / axes.rows)) +
			(colours && ' \u00b7 ' + colours);
	}

	/* "1.7 s of CPU time, 2.83%", or "" */
	app.unseenText = (sight) => sight.seen >= sight.wanted ? '' : N.durationText(sight.wanted - sight.seen) +
		(sight.cpus > 1 ? ' of CPU time, ' : ', ') + N.percentText(sight.wanted - sight.seen, sight.wanted);

	/* ---- entries: [colour, text, tip] ---- */

	function ofScale({ axes, maps, scale }) {
		const largest = maps.reduce((most, { grid }) => Math.max(most, grid.largest), 0),
			all = ranges(scale, Math.round(largest));
		const counts = cellsOf(maps, all), colour = (value) =>
			hex(H.scale.rgb(app.ramp(), app.isDark(), scale, value));

		const cellsText = (n) => N.countText(n) + (n === 1 ? ' cell' : ' cells');
		const empty = maps.reduce((sum, { grid }) => sum +
			grid.cells.reduce((some, n) => some + (n ? 0 : 1), 0), 0);

		return [[colour(0), '0', cellsText(empty)], ...all.map((range, i) =>
			[colour(range[1]), rangeText(axes, range), cellsText(counts[i])])];
	}

	function ofKeys(hues, { axes, maps }) {
		const sum = (gridOf) => H.grid.totalOf(axes, maps.map((map) => gridOf(map).total)),
			more = hues.keys.length - KEYS_TOLD;
		const items = hues.keys.slice(0, KEYS_TOLD).map((key, i) =>
			[app.keyColour(i), app.keyName(hues.dimension.keys[key]),
				app.amountText(sum((map) => map.ofKey[i]), axes)]);

		if (more > 0)
			items.push([null, 'and ' + more + ' more']);
		if (maps[0].rest && sum((map) => map.rest))
			items.push([app.restColour(), 'all others', app.amountText(sum((map) => map.rest), axes)]);
		return items;
	}

	/* How many events are in the cells that the search or a frame lights up. */
	function ofLit({ axes, maps }) {
		const lit = H.grid.totalOf(axes, maps.map((map) => map.lit ? map.lit.total : 0)),
			all = H.grid.totalOf(axes, maps.map((map) => map.grid.total));

		return [[H.scale.css(H.scale.found(app.isDark())), 'found: ' + amount(axes, lit),
			axes.weigh === 'longest' ? '' : N.percentText(lit, all)],
		[app.isDark() ? '#4a4e54' : '#b8bcc2', 'others']];
	}

	const DOUBTS_TOLD = 3;
	const doubtText = ([host, ns]) => host + (ns < 0 ? ' unsynchronized' : ' \u00b1' + N.durationText(ns));
	const doubtsText = (doubts) => doubts.slice(0, DOUBTS_TOLD).map(doubtText).join(', ') +
		(doubts.length > DOUBTS_TOLD ? ' and ' + N.countText(doubts.length - DOUBTS_TOLD) + ' more' : '');

	function itemsOf(grids) {
		const hues = app.hues(), isHued = hues && hues.keys.length && !hues.exclude,
			unseen = app.unseenText(app.seen(app.spans(null))), items = [];

		if (grids.maps[0].lit)
			items.push(...ofLit(grids));
		else if (isHued)
			items.push(...ofKeys(hues, grids));
		else
			items.push(...ofScale(grids));
		if (unseen)
			items.push(['hatch', 'not seen', unseen, 'note']);
		else if (grids.maps.some((map) => map.unseen.some((n) => n))) /* parts of the first and last column */
			items.push(['hatch', 'not seen', 'before the start, after the end', 'note']);
		const doubts = app.clockDoubts(grids.axes);

		if (doubts.length)
			items.push(['hatch', 'clock off by more than a ' + (grids.axes.y === 'offset' ? 'row'
				: 'column'), doubtsText(doubts), 'note']);
		for (const { percent } of grids.maps[0].lines || [])
			items.push(['line line-' + H.ticks.dash(percent), 'p' + percent, percent +
				'% of the events in a column are on or below this line', 'note']);
		return items;
	}

	function element([colour, text, tip, kind], i, joined) {
		const isPlain = colour && colour[0] === '#', dot = colour &&
			D.html('span', { 'class': isPlain ? 'dot' : 'dot ' + colour });

		if (isPlain)
			dot.style.background = colour;
		return D.html('span', { 'class': joined && kind !== 'note' ? 'legend-item step' : 'legend-item',
			title: tip || null }, dot,
		D.html('span', { 'class': 'legend-text' }, text), kind === 'note' && colour === 'hatch'
			? D.html('span', { 'class': 'share' }, tip) : null);
	}

	app.onchange(() => {
		const grids = app.grids(), key = JSON.stringify([app.view.by, app.view.keys, app.view.mode,
			app.view.ramp, app.isDark(), app.view.idle]);

		if (made.grids === grids && made.key === key)
			return;
		const items = itemsOf(grids), hues = app.hues(),
			isHued = Boolean(grids.maps[0].lit || hues && hues.keys.length && !hues.exclude);
		const largest = grids.maps.reduce((most, { grid }) => Math.max(most, grid.largest), 0),
			said = cellText(grids.axes);

		made = { grids: grids, key: key };
		app.legend = items.map(([colour, text, tip]) => [colour, colour === 'hatch' ? text + ' ' + tip : text]);
		app.legendTitle = isHued ? 'at most ' + amount(grids.axes, largest) + ' ' + said : said;
		page.legend.hidden = false;
		page.legend.setAttribute('role', 'group');
		page.legend.setAttribute('aria-label', 'Legend');
		page.legend.replaceChildren(...items.map((item, i) => element(item, i, !isHued)),
			D.html('span', { 'class': 'quiet' }, largest ? app.legendTitle : 'no ' + settings.event +
				' here'));
	});
};
/* heat_details: the contents of the selection: its time, its events, the part of its time that was not seen, its keys
 * and stacks; without a selection, the same for the visible time.
 *
 * app.spans(selection)      -> [[from, to], ...] in ns, to excluded
 * app.seen(spans)           -> { length, wanted, seen, cpus, expected }: length in ns; wanted and seen in ns,
 *                              added over all CPUs; expected: number of samples, or null
 */
pyrograph.heat.details = function (app) {
	'use strict';

	const D = pyrograph.ui.dom, N = pyrograph.number, H = pyrograph.heat, { data, settings, page } = app;
	const FEW = 10, CHUNK = 50, COPIED_KEYS = 50, COPIED_STACKS = 10, SHOWN_FRAMES = 2;
	const unit = pyrograph.heat.data.unit(settings);

	/* ---- how much of the time was seen ---- */

	app.spans = (selection) => {
		const shown = app.shown();

		if (!selection || settings.y !== 'offset' && selection.kind !== 'time')
			return [selection ? [selection.from, selection.to] : [shown.from, shown.to]];
		return H.select.ranges(settings, app.axes(), selection).map(([a, b]) =>
			[H.data.nsOf(settings, a), H.data.nsOf(settings, b)]);
	};

	/* Is the source a recording of all processes?  The number of samples to be expected of one command is
	 * unknown. */
	function isOfAll({ source }) {
		const { command = '', filter = '' } = source || {}, own = command.split(' -- ')[0];

		return !filter && (!command || /(^|\s)(-g?a[a-z]*|--all-cpus|-C\S*|--cpu\S*)(\s|$)/.test(own));
	}

	const lengthOf = (spans) => spans.reduce((sum, [from, to]) => sum + to - from, 0);

	app.seen = (spans) => {
		const { recording, cpu } = app.view.selection && app.mapPart(app.mapOf(app.view.selection)) ||
			{ recording: -1, cpu: -1 }, rates = new Set(settings.recordings.map((r) => r.rate));
		const dark = app.kept('dark', [recording, cpu], () => H.seen.dark(settings, recording, data, cpu)),
			length = lengthOf(spans);
		const unseen = dark.reduce((sum, list) => sum + H.seen.common(list, spans), 0),
			seen = length * dark.length - unseen;

		return { length: length, wanted: length * dark.length, seen: seen, cpus: dark.length,
			expected: rates.size === 1 && settings.rate > 0 &&
				settings.recordings.every((r) => r.cpus.length && isOfAll(r))
				? seen / 1e9 * settings.rate : null };
	};

	/* Whole minutes and hours are written as minutes and hours. */
	const lengthText = (ns) => ns >= 60e9 && ns % 60e9 === 0 ? H.period.text(ns) : N.durationText(ns);

	const hasValues = app.someValue(0) !== null, sumHead = hasValues ? '\tsum' : '';

	/* ---- the figures: [[label, text], ...] ---- */

	/* Rounds times and bytes, which may be fractions; but a key or stack that occurs is shown with at least 1. */
	const whole = (n) => n > 0 ? Math.max(1, Math.round(n)) : 0;

	/* [[percent, value], ...]: the percentiles of the events' values, computed like the lines over columns. */
	function percentilesOf(selection) {
		const percents = settings.percentiles || [], only = app.isSelected(selection),
			found = new Float64Array(percents.length ? data.count : 0);
		const shown = app.shown();
		let count = 0;

		for (const [from, to] of percents.length ? app.eventRanges(selection ||
			{ kind: 'time', from: shown.from, to: shown.to }) : []) {
			for (let i = from; i < to; i++) {
				if ((app.view.idle || !data.isIdle[data.stack[i]]) && (!selection || !only || only(i)))
					found[count++] = data.value ? data.value[i] : settings.same;
			}
		}
		const values = found.subarray(0, count).sort();

		return !count ? [] : percents.map((percent) => [percent,
			values[Math.max(0, Math.min(Math.ceil(percent * count / 100 - 1e-9), count) - 1)]]);
	}

	function figures(selection) {
		const counts = app.countsIn(selection), { events, idle } = app.split(counts),
			all = app.split(data.eventsOf).events;
		const shown = app.shown(), { from, to } = selection || shown, spans = app.spans(selection),
			sight = app.seen(spans);
		const band = selection ? app.bandText(selection) : '', out = [['time', app.rangeText(from, to)]];
		const value = app.valuesIn(selection).reduce((sum, v, s) => sum +
			(app.view.idle || !data.isIdle[s] ? v : 0), 0), text = app.someValue(value);
		const allValues = data.valueOf.reduce((sum, v, s) => sum + (app.view.idle || !data.isIdle[s] ? v : 0),
			0);

		/* an idle CPU may have no samples, so busy time is relative to the expected samples */
		const busy = counts.reduce((sum, n, s) => sum + (data.isIdle[s] ? 0 : n), 0);

		if (band)
			out.push([settings.y === 'offset' ? 'offset' : 'values', band]);
		out.push(['length', lengthText(sight.length) + (spans.length > 1 ? ' in ' + N.countText(spans.length) +
			' parts' : '')],
		[settings.event, N.countText(whole(events)) +
				(events === all ? '' : ', ' + N.percentText(events, all) + ' of all')]);
		if (text)
			out.push(['sum', text + (value === allValues ? '' : ', ' + N.percentText(value, allValues) +
				' of all')]);
		for (const [percent, at] of settings.y === 'value' ? percentilesOf(selection) : [])
			out.push(['p' + percent, N.valueText(unit, at)]);
		if (idle || settings.idleEvents)
			out.push(['idle', app.someEvents(idle) + (busy >= 0 && sight.expected > 0 ?
				'; busy ' + N.percentText(Math.min(busy, sight.expected), sight.expected) : '')]);
		if (sight.expected !== null)
			out.push(['expected', app.someEvents(Math.round(sight.expected)) +
				(sight.cpus ? ' at ' + settings.rate + ' Hz on ' + sight.cpus +
				(sight.cpus === 1 ? ' CPU' : ' CPUs') : '')]);
		if (sight.seen < sight.wanted)
			out.push(['not seen', app.unseenText(sight)]);
		return out;
	}

	/* The keys of the dimension that colours the cells, or else of threads: [[text, count], ...], largest
	 * counts first. */
	const usual = ['thread', 'comm', 'command'].find((name) => settings.dimensions.some(([one]) => one === name)) ||
		(settings.dimensions[0] || [''])[0];
	let by = null;                  /* the dimension that the reader chose */

	/* The name of the dimension to be shown, if it has keys; otherwise ''. */
	function nameNow() {
		return [by, app.by(), usual].find((name) => name && app.keysBy(name) && app.keysBy(name).keys.length) ||
			'';
	}

	function keysOf(name, selection) {
		const dimension = app.dimension(name), counts = app.keyCounts(dimension, app.countsIn(selection));
		const values = app.keyCounts(dimension, app.valuesIn(selection)), last = dimension.keys.length;

		return Array.from(dimension.keys, (text, i) => [text, counts[i],
			values[i]]).concat([[null, counts[last], values[last]]])
			.filter(([, n]) => n > 0).sort((a, b) => b[1] - a[1]);
	}

	function stacksOf(selection) {
		const counts = app.countsIn(selection), values = app.valuesIn(selection), out = [];

		for (let stack = 0; stack < counts.length; stack++) {
			if (counts[stack] && (app.view.idle || !data.isIdle[stack]))
				out.push([stack, counts[stack], values[stack]]);
		}
		return out.sort((a, b) => b[1] - a[1] || a[0] - b[0]);
	}

	/* ---- on the page ---- */

	const title = D.html('h2', {}), copy = D.html('button',
		{ type: 'button', 'class': 'link', onclick: () => app.copyDetails() }, 'Copy');
	const list = D.html('dl', { 'class': 'figures' }), tables = D.html('div', { 'class': 'distributions' });
	const section = D.html('section', { 'class': 'distribution', 'aria-label': 'Distribution' },
		D.html('div', { 'class': 'aside-top' }, title, copy), list, tables);
	const opened = new Set();       /* the tables that the reader has expanded */

	page.aside.append(section);

	function table(label, head, items, rowOf) {
		const limit = opened.has(label) ? CHUNK : FEW, body = D.html('tbody', {},
			...items.slice(0, limit).map(rowOf));
		let shown = Math.min(items.length, limit);
		const more = D.html('button', { type: 'button', 'class': 'link', onclick: () => {
			opened.add(label);
			body.append(...items.slice(shown, shown + CHUNK).map(rowOf));
			shown = Math.min(items.length, shown + CHUNK);
			said();
		} });

		function said() {
			more.hidden = shown >= items.length;
			more.textContent = 'Show more of ' + N.countText(items.length - shown);
		}
		said();
		return D.html('div', { 'class': 'distribution-table' },
			D.html('table', { 'aria-label': label }, D.html('thead', {}, D.html('tr', {},
				D.html('th', { scope: 'col' }, head), D.html('th', { scope: 'col' }, settings.event),
				D.html('th', { scope: 'col' }, 'Share'), hasValues
					? D.html('th', { scope: 'col' }, 'Sum') : null)), body), more);
	}

	const row = (cell, [, n, value], all) => D.html('tr', {}, D.html('th', { scope: 'row' }, cell),
		D.html('td', {}, N.countText(whole(n))),
		D.html('td', {}, N.percentText(n, all)), hasValues ? D.html('td', {}, app.someValue(value)) : null);
	const namedRow = (text, tip, item, all, run, pressed) =>
		row(run ? D.html('button', { type: 'button', 'class': 'link', title: tip,
			'aria-pressed': String(pressed), onclick: run }, text)
			: D.html('span', { 'class': 'quiet' }, text), item, all);

	/* Makes "\u2026;parent;leaf" of "a;b;parent;leaf". */
	function endOf(text) {
		const frames = text.split(';');

		return (frames.length > SHOWN_FRAMES ? '\u2026;' : '') + frames.slice(-SHOWN_FRAMES).join(';');
	}

	function chooser(now) {
		const select = D.html('select', { 'aria-label': 'Distribution by', onchange: () => {
			by = select.value;
			draw();
			section.querySelector('select').focus();
		} }, ...settings.dimensions.map(([name]) => D.html('option', { value: name }, 'by ' +
			app.dimensionWord(name))));

		select.value = now;
		return select;
	}

	function keyTable(selection, events) {
		const name = nameNow();

		if (!name)
			return [];
		const isColoured = name === app.by();

		return [D.html('h3', {}, chooser(name)), table('By ' + app.dimensionWord(name), app.dimensionWord(name),
			keysOf(name, selection), (item) => item[0] === null
				? namedRow('none of them', '', item, events, null)
				: namedRow(app.keyName(item[0]) || '(empty)', app.keyName(item[0]), item, events,
					() => {
						if (isColoured)
							app.markKey(item[0]);
						else
							app.setBy(name, [item[0]]);
					}, isColoured && app.marked().includes(item[0])))];
	}

	function stackTable(selection, events) {
		const stacks = stacksOf(selection);

		return !stacks.length ? [] : [D.html('h3', {}, 'Most frequent stacks'),
			table('Stacks', 'Stack', stacks, (item) => {
				const text = H.data.stackText(data, item[0]), path = text.split(';'),
					isPicked = Boolean(app.view.frame) && app.view.frame.join(';') === text;

				return namedRow(app.ruler.fit(
					endOf(app.keyName(text.length > 400 ? text.slice(-400) : text)),
					hasValues ? 104 : 166, 1, 'left'),
				'Light up the cells where it ran: ' + app.keyName(text), item, events, () =>
					app.touch({ frame: isPicked ? null : path }), isPicked);
			})];
	}

	function draw() {
		const { selection } = app.view, isOpen = !app.keysOpen || app.keysOpen();

		page.aside.hidden = !isOpen;
		section.hidden = !isOpen;
		if (!isOpen)
			return;
		const { events } = app.split(app.countsIn(selection));

		title.textContent = selection ? 'Distribution of the selection' : 'What is shown';
		list.replaceChildren(...[].concat(...figures(selection).map(([label, text]) =>
			[D.html('dt', {}, label), D.html('dd', {}, text)])));
		tables.replaceChildren(...keyTable(selection, events), ...selection ? stackTable(selection, events)
			: []);
	}

	/* The first items as text, and the number of further ones. */
	const few = (items, most, text) => items.slice(0, most).map(text)
		.concat(items.length > most ? ['... and ' + N.countText(items.length - most) + ' more'] : []);

	/* The panel as text with tabs.  For all stacks, readers save the folded lines. */
	app.detailsText = () => {
		const { selection } = app.view, { events } = app.split(app.countsIn(selection)), name = nameNow();
		const line = (text, n, value) => text + '\t' + whole(n) + '\t' + N.percentText(n, events) +
			(hasValues ? '\t' + app.someValue(value) : ''), clean = (text) =>
				text.replace(/[\t\n\r]/g, ' ');

		return [app.titleText, ...figures(selection).map(([label, text]) => label + '\t' + text), ...name
			? ['', app.dimensionWord(name) + '\t' + settings.event + '\tshare' + sumHead,
				...few(keysOf(name, selection), COPIED_KEYS, ([text, n, value]) =>
					line(clean(text === null ? '(none)' : text), n, value))] : [],
		...selection ? ['', 'stack\t' + settings.event + '\tshare' + sumHead,
			...few(stacksOf(selection), COPIED_STACKS, ([stack, n, value]) =>
				line(clean(H.data.stackText(data, stack)), n, value))] : []].join('\n') + '\n';
	};
	app.copyDetails = () => app.copy(app.detailsText(), 'distribution');

	app.onchangeLater(draw);
};
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
/* heat_export: the picture as the reader sees it, without script: one image for the cells of each map, axes,
 * legend, and the flame graph. */
pyrograph.heat.export = function (app) {
	'use strict';

	const D = pyrograph.ui.dom;
	const EDGE = 8, PAD = 10, SWATCH = 12, TITLE = 20;
	const STYLES = ['fill', 'fill-opacity', 'stroke', 'stroke-width', 'stroke-dasharray', 'opacity', 'font-weight',
		'paint-order'];

	/* The changes to the view, in words. */
	const said = () => [app.view.search && app.matchText() ? 'Matched: ' + app.view.search.pattern + ', ' +
		app.matchText() : '', ...app.controls.texts('.chip')];

	/* A copy of an element of the page, with its computed style as attributes. */
	function plain(from) {
		const copy = from.cloneNode(false), style = getComputedStyle(from);

		for (const name of ['class', 'role', 'id', 'style', 'aria-hidden'])
			copy.removeAttribute(name);
		for (const name of from.localName === 'g' || from.localName === 'svg' ? [] : STYLES) {
			const value = style.getPropertyValue(name), isUsual = /^(normal|none|1|400)$/.test(value) &&
				name !== 'fill' && name !== 'stroke-width';

			if (value && !isUsual)
				copy.setAttribute(name, value);
		}
		copy.append(...Array.from(from.childNodes, (child) => child.nodeType === Node.TEXT_NODE
			? child.cloneNode() : plain(child)));
		return copy;
	}

	/* Draws the cells as one image, with axes and outlines above.  Returns the height. */
	function drawPlot(out, plot, y, ink) {
		let top = y;

		if (plot.map.title) {
			D.svg('text', { x: PAD, y: top + 14, fill: ink, 'font-weight': 'bold' }, out).textContent =
				[plot.map.title, plot.map.flag]
					.filter(Boolean).join(' ');
			top += TITLE;
		}
		const g = D.svg('g', { transform: 'translate(0,' + top + ')' }, out);

		D.svg('image', { x: plot.left, y: plot.top, width: plot.width, height: plot.height,
			preserveAspectRatio: 'none',
			'image-rendering': 'pixelated', href: app.canvasOf(plot.map, plot.columnPx, plot.rowPx,
				app.isDark()).toDataURL() }, g);
		for (const part of [plot.axis, plot.lines, plot.marks])
			g.append(...Array.from(part.children).filter((e) =>
				e.getAttribute('class') !== 'cursor').map(plain));
		return top - y + Number(plot.svg.getAttribute('height'));
	}

	/* Draws all lanes.  Returns the height. */
	function drawLanes(out, y) {
		const { parts, height, done } = app.lanesPicture();

		D.svg('g', { transform: 'translate(0,' + y + ')' }, out).append(...parts.map(plain));
		done();
		return height;
	}

	function swatch(out, x, y, colour, ink) {
		const isPlain = colour[0] === '#';

		if (colour.startsWith('line')) {
			D.svg('path', { d: 'M' + x + ' ' + (y + 6) + 'h' + SWATCH, stroke: ink, 'stroke-width': 2,
				'stroke-dasharray': colour.endsWith('dotted') ? '2 2' : colour.endsWith('dashed')
					? '5 2' : null }, out);
			return;
		}
		D.svg('rect', { x: x, y: y, width: SWATCH, height: SWATCH, fill: isPlain ? colour : 'none', stroke: ink,
			'stroke-opacity': 0.3 }, out);
		if (!isPlain)
			D.svg('path', { d: 'M' + x + ' ' + (y + 6) + 'l6 -6M' + x + ' ' + (y + 12) +
				'l12 -12m-6 12l6 -6', stroke: ink, 'stroke-opacity': 0.6 }, out);
	}

	/* Draws the flame graph as its own export does.  Returns the y at which it ends. */
	function drawFlame(out, y, width) {
		const text = app.flame && app.flame.svg && !app.page.flame.hidden && app.view.selection
			? app.flame.svg() : null;
		const flame = text ? new DOMParser().parseFromString(text, 'image/svg+xml').documentElement : null;

		if (!flame || flame.localName !== 'svg')
			return y;
		const [w, h] = ['width', 'height'].map((name) => Number(flame.getAttribute(name)) || 0),
			scale = Math.min(1, width / (w || 1));

		flame.setAttribute('y', y);
		flame.setAttribute('width', w * scale);
		flame.setAttribute('height', h * scale);
		out.appendChild(document.importNode(flame, true));
		return y + h * scale;
	}

	pyrograph.ui.picture(app, { said, swatch, legend: () => app.legend.concat([[null, app.legendTitle]]),
		width: () => Math.max(400, ...app.plots.map((plot) =>
			Math.ceil(Number(plot.svg.getAttribute('width'))))),
		draw: (out, y, width, theme) => {
			for (const plot of app.plots)
				y += drawPlot(out, plot, y, theme.ink);
			y += app.lanes ? drawLanes(out, y) : 0;
			return drawFlame(out, y + EDGE, width);
		} });
};
/* heat_links: keeps the view in the page's address, so that Back undoes steps. */
pyrograph.heat.links = function (app) {
	'use strict';

	pyrograph.ui.history(app, { address: pyrograph.heat.address,
		stay: ['theme', 'zone', 'speed', 'selecting', 'flameShown', 'panel'],
		adopted: () => {
			app.settle();
			if (app.flame && app.flame.setView)
				app.flame.setView(app.view.flame);
		} });
};
/* heat: makes a heat map interactive in a browser.
 *
 * At first, the picture that C drew is on the screen; then the events in the file are decoded, and the visible ones are
 * counted and drawn. */
(function () {
	'use strict';

	const { heat, ui } = pyrograph;
	const PARTS = [[ui, 'slow'], [ui, 'foot'], [ui, 'tip'], [ui, 'menu'], [ui, 'commands'], [ui, 'controls'],
		[heat, 'cells'], [heat, 'view'], [heat, 'marks'], [heat, 'hover'], [heat, 'stage'], [heat, 'lanes'],
		[heat, 'keys'], [heat, 'aside'], [heat, 'actions'], [heat, 'toolbar'], [heat, 'legend'],
		[heat, 'details'], [ui, 'help'], [ui, 'save'], [heat, 'lines'], [heat, 'export'], [heat, 'flame'],
		[heat, 'links']];

	/* The lanes below the map, or null. */
	function lanesOf(json, joined, { origin }) {
		const settings = json('#heat-lanes');

		return !settings.rows ? null : { settings, shift: Number(BigInt(settings.start) - BigInt(origin)),
			lanes: pyrograph.lanes.data.decode(settings, joined('lanes-data')) };
	}

	function open(app) {
		for (const [where, part] of PARTS)
			where[part](app);
		ui.open(app);
	}

	ui.start((svg) => {
		const { json, joined } = ui.contents(svg), app = { svg: svg, settings: json('#heat'),
			source: json('#pyrograph'), escClears: true };

		Object.assign(app.settings, { fontSize: app.settings.fontSize || 12, fileName: 'heat-map',
			chartName: 'Heat map' });
		app.data = heat.data.decode(app.settings, { names: joined('flame-names'),
			colours: joined('flame-colours'), tree: joined('flame-tree'), stacks: joined('heat-stacks'),
			events: joined('heat-events') });
		app.lanes = lanesOf(json, joined, app.settings);
		heat.app(app);
		heat.page(app);
		requestAnimationFrame(() => open(app)); /* only now does the window know its width on a phone */
	});
})();
pyrograph.style = "/* Looks of a chart in a browser.  The picture itself uses attributes, so that it\u000a * is the same where no style sheet is read; all rules here are for what the script adds. */\u000asvg.live \u003e #background { display: none; }\u000asvg.live { overflow: hidden; background: #fff; }\u000asvg.live.dark { background: #17191d; }\u000a\u000a.pyrograph { --back: #fff; --ink: #1a1c1f; --quiet: #575d65; --line: #d3d6da; --soft: #f1f2f4;\u000a\u0009--field: #fff; --accent: #1f5fbf; --on-accent: #fff; --wrong: #b00020; --shadow: 0 4px 16px #0003;\u000a\u0009position: relative; box-sizing: border-box; overflow: hidden; background: var(--back); color: var(--ink);\u000a\u0009line-height: 1.35; -webkit-print-color-adjust: exact; print-color-adjust: exact;\u000a\u0009-webkit-text-size-adjust: 100%; }\u000a.pyrograph[data-theme=\u0022dark\u0022] { --back: #17191d; --ink: #e2e4e8; --quiet: #a3a9b1; --line: #3b4047;\u000a\u0009--soft: #25292f; --field: #1f2227; --accent: #86b4ff; --on-accent: #10151d; --wrong: #ff8a93;\u000a\u0009--shadow: 0 4px 20px #000a; color-scheme: dark; }\u000a.pyrograph * { box-sizing: border-box; }\u000a.pyrograph .sheet { display: flex; flex-direction: column; height: 100%; overflow: hidden auto; }\u000a.pyrograph [hidden] { display: none !important; }\u000a.pyrograph button, .pyrograph input { font: inherit; color: inherit; margin: 0; }\u000a.pyrograph button { background: none; border: 0; padding: 0; cursor: pointer; }\u000a.pyrograph button:disabled { opacity: 0.45; cursor: default; }\u000a.pyrograph :focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }\u000a.pyrograph .graph:focus, .pyrograph .menu:focus, .pyrograph .help-box:focus { outline: none; }\u000a.pyrograph .offscreen { position: absolute; width: 1px; height: 1px; overflow: hidden;\u000a\u0009clip-path: inset(50%); white-space: nowrap; }\u000a.pyrograph .icon { width: 16px; height: 16px; fill: none; stroke: currentColor; stroke-width: 1.5;\u000a\u0009stroke-linecap: round; stroke-linejoin: round; display: block; }\u000a.pyrograph .quiet { color: var(--quiet); }\u000a.pyrograph .wrong { color: var(--wrong); }\u000a.pyrograph .dot { flex: none; width: 10px; height: 10px; border-radius: 2px; display: inline-block; }\u000a\u000a/* heading and toolbar */\u000a.pyrograph .heading { display: grid; grid-template: auto auto / minmax(0, 1fr) auto; column-gap: 16px;\u000a\u0009padding: 8px 10px 0; align-content: start; flex: none; margin-bottom: 4px; }\u000a.pyrograph .notes { grid-column: 1 / -1; overflow-wrap: anywhere; }\u000a.pyrograph .heading.zoomed :is(.note, .doubts) { display: none; }\u000a.pyrograph .title { margin: 0; font-size: 1.4em; font-weight: bold; line-height: 26px; overflow-wrap: anywhere; }\u000a.pyrograph .fact { font-weight: bold; }\u000a.pyrograph .siblings { grid-column: 1 / -1; display: flex; flex-wrap: wrap; gap: 0 14px; white-space: nowrap;\u000a\u0009margin-bottom: 2px; }\u000a.pyrograph .siblings a { flex: none; color: var(--accent); text-decoration: none; }\u000a.pyrograph .siblings a:hover { text-decoration: underline; }\u000a.pyrograph .siblings [aria-current] { color: var(--ink); font-weight: bold; }\u000a.pyrograph .note { color: var(--quiet); }\u000a.pyrograph .alarm { color: var(--wrong); font-weight: bold; }\u000a.pyrograph .doubts { color: var(--quiet); }\u000a.pyrograph .doubts \u003e summary { width: fit-content; cursor: pointer; text-decoration: underline dotted; }\u000a.pyrograph .tools { display: flex; gap: 4px; height: 28px; margin-bottom: -2px; }\u000a.pyrograph .tools \u003e button { flex: none; width: 28px; height: 28px; border-radius: 4px; display: grid;\u000a\u0009place-items: center; color: var(--quiet); }\u000a.pyrograph .tools button:hover:not(:disabled):not([aria-pressed=\u0022true\u0022]) { background: var(--soft); color: var(--ink); }\u000a.pyrograph .tools button[aria-pressed=\u0022true\u0022], .pyrograph .segment button[aria-pressed=\u0022true\u0022],\u000a.pyrograph .layers \u003e button[aria-pressed=\u0022true\u0022] { background: var(--accent); color: var(--on-accent); }\u000a.pyrograph .search { display: flex; align-items: center; width: 300px; min-width: 150px; flex: 0 1 auto; height: 28px;\u000a\u0009border: 1px solid var(--line); border-radius: 4px; background: var(--field); padding-right: 2px; }\u000a.pyrograph .search:focus-within { border-color: var(--accent); outline: 2px solid var(--accent); outline-offset: -1px; }\u000a.pyrograph .search input { flex: 1 1 60px; min-width: 0; height: 100%; border: 0; outline: 0; background: none;\u000a\u0009padding: 0 8px; }\u000a.pyrograph input::placeholder { color: var(--quiet); opacity: 1; }\u000a.pyrograph .search.invalid { border-color: var(--wrong); color: var(--wrong); }\u000a.pyrograph .count { flex: none; color: var(--quiet); padding: 0 4px; font-variant-numeric: tabular-nums; }\u000a.pyrograph .search button { flex: none; width: 24px; height: 22px; border-radius: 3px; display: grid;\u000a\u0009place-items: center; color: var(--quiet); font-size: 0.92em; }\u000a\u000a/* chips */\u000a.pyrograph .chips { display: flex; flex-wrap: wrap; gap: 4px; padding: 0 10px 6px; flex: none; align-items: center; }\u000a.pyrograph .chip { display: inline-flex; align-items: center; gap: 6px; height: 24px; padding: 0 2px 0 8px;\u000a\u0009background: var(--soft); border-radius: 12px; max-width: 100%; white-space: nowrap; }\u000a.pyrograph .chip .word, .pyrograph .chip .share { color: var(--quiet); }\u000a.pyrograph .chip-text { overflow: hidden; text-overflow: ellipsis; }\u000a.pyrograph .chip .remove { width: 20px; height: 20px; border-radius: 10px; display: grid; place-items: center;\u000a\u0009color: var(--quiet); flex: none; }\u000a.pyrograph .chip .remove .icon { width: 12px; height: 12px; }\u000a.pyrograph .chip .remove:hover { background: var(--line); color: var(--ink); }\u000a.pyrograph .reset-all { height: 24px; padding: 0 8px; color: var(--accent); border-radius: 4px; }\u000a.pyrograph .reset-all:hover { background: var(--soft); }\u000a\u000a/* graph */\u000a.pyrograph .body { display: flex; flex: 0 1 auto; min-height: 0; }\u000a.pyrograph .frame { position: relative; display: flex; flex-direction: column; min-height: 0; }\u000a.pyrograph .scroll:has(\u003e .graph:focus-visible), .pyrograph .table-scroll:focus-visible {\u000a\u0009outline: 2px solid var(--accent);\u000a\u0009outline-offset: -2px; }\u000a.pyrograph .more { position: absolute; top: 4px; left: 50%; transform: translateX(-50%); padding: 1px 10px;\u000a\u0009border-radius: 12px;\u000a\u0009background: var(--field); border: 1px solid var(--line); color: var(--quiet); box-shadow: 0 1px 4px #0003;\u000a\u0009\u0009font-size: 0.92em; }\u000a.pyrograph .more.at-end { top: auto; bottom: 4px; }\u000a.pyrograph .more:hover { color: var(--ink); }\u000a/* Half of a row fades rather than being cut. */\u000a.pyrograph .scroll.goes-on { mask-image: linear-gradient(transparent, #000 24px); }\u000a.pyrograph .scroll.goes-on.at-end { mask-image: linear-gradient(to top, transparent, #000 24px); }\u000a.pyrograph.with-table .body { flex: 1 1 auto; }\u000a.pyrograph .stage { flex: 1 1 auto; min-width: 0; display: flex; flex-direction: column; min-height: 0; gap: 4px; }\u000a.pyrograph .panel { display: flex; flex-direction: column; min-height: 0; flex: 0 1 auto; }\u000a.pyrograph .panel-title button { color: var(--accent); padding: 0 2px; border-radius: 4px; }\u000a.pyrograph .panel-title { font-size: 1em; font-weight: bold; margin: 0; padding: 2px 10px 4px; color: var(--quiet); }\u000a.pyrograph .scroll { overflow: auto; min-height: 0; }\u000a.pyrograph .graph { display: block; outline: none; user-select: none; -webkit-user-select: none;\u000a\u0009-webkit-touch-callout: none; touch-action: pan-x pan-y pinch-zoom; }\u000a.pyrograph .graph rect { rx: 2px; cursor: pointer; }\u000a.pyrograph .graph text { pointer-events: none; fill: var(--label, #000); }\u000a.pyrograph .graph .outline { fill: #fff; fill-opacity: 0.12; stroke: var(--ink); stroke-width: 1px;\u000a\u0009pointer-events: none; }\u000a.pyrograph .graph .focus { fill: none; stroke: var(--accent); stroke-width: 2px; pointer-events: none; }\u000a.pyrograph .graph:focus-visible .focus { stroke-width: 3px; }\u000a\u000a.pyrograph .empty { margin: 0; padding: 32px 10px; text-align: center; color: var(--quiet); }\u000a\u000a/* beside the graph */\u000a.pyrograph .aside { flex: 0 0 36%; max-width: 520px; min-width: 300px; display: flex; flex-direction: column;\u000a\u0009border-left: 1px solid var(--line); min-height: 0; }\u000a.pyrograph .aside \u003e .wrong { color: var(--wrong); }\u000a.pyrograph .aside \u003e .wrong:empty { display: none; }\u000a\u000a/* below the graph */\u000a.pyrograph .foot { display: flex; gap: 16px; padding: 5px 10px 7px; flex: none; white-space: nowrap; min-height: 30px; }\u000a.pyrograph .foot .details { flex: 1 1 auto; min-width: 0; overflow: hidden; text-overflow: ellipsis; }\u000a.pyrograph .foot .details.idle { color: var(--quiet); white-space: normal; }\u000a.pyrograph .foot .folding { flex: 0 1 auto; min-width: 0; overflow: hidden; text-overflow: ellipsis;\u000a\u0009color: var(--quiet); }\u000a.pyrograph .foot .matched { flex: none; font-weight: bold; max-width: 60%; overflow: hidden; text-overflow: ellipsis; }\u000a.pyrograph .foot .matched:empty { display: none; }\u000a.pyrograph .foot .walk { display: none; }\u000a.pyrograph .walk button { width: 48px; height: 36px; margin: -6px 0 -4px; border: 1px solid var(--line);\u000a\u0009border-radius: 4px;\u000a\u0009display: grid; place-items: center; }\u000a.pyrograph .legend { display: flex; flex-wrap: wrap; gap: 0 14px; padding: 0 10px 4px; flex: none; max-height: 68px;\u000a\u0009overflow: auto; }\u000a.pyrograph .legend-item { display: inline-flex; gap: 6px; align-items: center; white-space: nowrap; }\u000a.pyrograph .c-name, .pyrograph .chip-text, .pyrograph .tip-name, .pyrograph .steps button,\u000a\u0009.pyrograph .menu-heading { unicode-bidi: isolate; }\u000a.pyrograph .legend-item.joined { margin-right: -14px; }\u000a.pyrograph .layers { display: flex; flex-wrap: wrap; gap: 4px 8px; padding: 6px 10px 0; flex: none; align-items: center;\u000a\u0009}\u000a.pyrograph .layers \u003e button, .pyrograph .segment button { height: 26px; min-width: 28px; padding: 0 8px;\u000a\u0009border-radius: 4px;\u000a\u0009border: 1px solid var(--line); display: inline-grid; place-items: center; }\u000a.pyrograph .layers \u003e button:hover:not([aria-pressed=\u0022true\u0022]),\u000a.pyrograph .segment button:hover:not([aria-pressed=\u0022true\u0022]) { background: var(--soft); color: var(--ink); }\u000a.pyrograph .segment { display: inline-flex; }\u000a.pyrograph .segment button { border-radius: 0; margin-left: -1px; }\u000a.pyrograph .segment button:first-child { border-radius: 4px 0 0 4px; margin-left: 0; }\u000a.pyrograph .segment button:last-child { border-radius: 0 4px 4px 0; }\u000a.pyrograph .layers input[type=\u0022range\u0022] { flex: 1 1 160px; min-width: 120px; accent-color: var(--accent); }\u000a.pyrograph .window { font-variant-numeric: tabular-nums; }\u000a\u000a/* above everything */\u000a.pyrograph .overlay { position: absolute; inset: 0; pointer-events: none; overflow: hidden; z-index: 2; }\u000a.pyrograph .overlay \u003e * { pointer-events: auto; }\u000a.pyrograph .tip { position: absolute; left: 0; top: 0; max-width: min(460px, 92%); padding: 8px 10px;\u000a\u0009border-radius: 6px;\u000a\u0009background: var(--field); border: 1px solid var(--line); box-shadow: var(--shadow); pointer-events: none; }\u000a.pyrograph .tip-name { font-weight: bold; overflow-wrap: anywhere; margin-bottom: 4px; }\u000a.pyrograph .tip-note { color: var(--quiet); overflow-wrap: anywhere; margin-top: 4px; }\u000a.pyrograph .tip table { border-spacing: 0; font-variant-numeric: tabular-nums; }\u000a.pyrograph .tip th { text-align: left; font-weight: normal; color: var(--quiet); padding: 0 12px 0 0; }\u000a.pyrograph .tip td { text-align: right; padding: 0 0 0 12px; white-space: nowrap; }\u000a.pyrograph .tip td:nth-child(2) { padding-left: 0; }\u000a.pyrograph .tip tr:first-child td, .pyrograph .tip .tip-head td { color: var(--quiet); }\u000a.pyrograph .tip .tip-head td { max-width: 160px; overflow: hidden; text-overflow: ellipsis; padding-top: 4px; }\u000a/* a shadow at an edge beyond which the contents go on */\u000a.pyrograph .menu { position: absolute; min-width: 200px; max-width: 96%; overflow-y: auto; padding: 4px;\u000a\u0009border-radius: 6px;\u000a\u0009background: linear-gradient(var(--field) 50%, transparent) top / 100% 32px no-repeat local,\u000a\u0009\u0009linear-gradient(transparent, var(--field) 50%) bottom / 100% 32px no-repeat local,\u000a\u0009\u0009linear-gradient(var(--line), transparent) top / 100% 16px no-repeat,\u000a\u0009\u0009linear-gradient(transparent, var(--line)) bottom / 100% 16px no-repeat, var(--field);\u000a\u0009\u0009\u0009border: 1px solid var(--line); box-shadow: var(--shadow); }\u000a.pyrograph .menu button { display: flex; width: 100%; align-items: center; gap: 8px; min-height: 26px;\u000a\u0009padding: 2px 8px 2px 4px;\u000a\u0009border-radius: 4px; text-align: left; }\u000a.pyrograph .menu button:hover:not(:disabled), .pyrograph .menu button:focus { background: var(--soft); outline: none; }\u000a.pyrograph .menu.wide { columns: 2; column-gap: 4px; }\u000a.pyrograph .menu.wide button, .pyrograph .menu-heading { break-inside: avoid; }\u000a.pyrograph .menu-heading { break-after: avoid; }\u000a.pyrograph .menu-mark { width: 16px; height: 16px; flex: none; color: var(--accent); }\u000a.pyrograph .menu-label { flex: 1 1 auto; }\u000a.pyrograph .menu-heading { padding: 6px 8px 2px 28px; color: var(--quiet); font-size: 0.92em; font-weight: bold; }\u000a.pyrograph .menu-line { border-top: 1px solid var(--line); margin: 4px; }\u000a.pyrograph kbd { font: inherit; font-size: 0.88em; color: var(--quiet); }\u000a.pyrograph .to-copy { display: block; width: 60ch; max-width: 80vw; margin-top: 6px; font: inherit; }\u000a.pyrograph .toast { position: absolute; left: 50%; bottom: 40px; transform: translateX(-50%); padding: 8px 14px;\u000a\u0009border-radius: 6px; background: var(--ink); color: var(--back); box-shadow: var(--shadow); pointer-events: none;\u000a\u0009\u0009max-width: 90%; }\u000a.pyrograph .shade { position: absolute; inset: 0; background: #0006; display: grid; place-items: center; padding: 12px;\u000a\u0009}\u000a.pyrograph .help-box { width: min(900px, 100%); max-height: 100%; overflow: auto; padding: 12px 20px 20px;\u000a\u0009border-radius: 8px;\u000a\u0009background: var(--field); box-shadow: var(--shadow); }\u000a.pyrograph .help-top { display: flex; justify-content: space-between; align-items: center; }\u000a.pyrograph .help-box h2 { font-size: 1.25em; margin: 4px 0; }\u000a.pyrograph .help-box h3 { font-size: 1em; margin: 0; padding: 8px 0 4px; color: var(--quiet); }\u000a.pyrograph .help-columns { columns: 250px; column-gap: 28px; }\u000a.pyrograph .help-columns section { break-inside: avoid; }\u000a.pyrograph .help-row { display: grid; grid-template-columns: 92px 1fr; gap: 8px; padding: 1px 0; }\u000a.pyrograph .help-row kbd { color: var(--ink); font-size: 1em; }\u000a\u000a@media (max-width: 720px) {\u000a\u0009.pyrograph .heading { grid-template: auto auto auto / minmax(0, 1fr); }\u000a\u0009/* One line, and what is beyond its ends fades. */\u000a\u0009.pyrograph .siblings { flex-wrap: nowrap; overflow-x: auto; scrollbar-width: none; padding: 0 24px 0 0;\u000a\u0009\u0009mask-image: linear-gradient(to left, transparent, #000 24px); }\u000a\u0009.pyrograph .tools { height: 36px; margin: 0 0 2px; }\u000a\u0009.pyrograph .notes { font-size: 0.92em; }\u000a\u0009/* The run's page has the rest. */\u000a\u0009.pyrograph .notes:has(.fact) .headline:not(.fact) { display: none; }\u000a\u0009.pyrograph .search { flex: 1 1 auto; height: 36px; }\u000a\u0009.pyrograph .search input { font-size: 16px; }\u000a\u0009.pyrograph .tools \u003e button { width: 36px; height: 36px; }\u000a\u0009.pyrograph .search button { width: 30px; height: 30px; }\u000a\u0009.pyrograph .tools .previous, .pyrograph .tools .next { display: none; }\u000a\u0009.pyrograph .foot .walk { display: inline-flex; gap: 4px; margin-left: auto; }\u000a\u0009.pyrograph .body { flex-direction: column; }\u000a\u0009.pyrograph .aside { flex: 1 1 45%; min-height: 180px; max-width: none; border-left: 0;\u000a\u0009\u0009border-top: 1px solid var(--line);\u000a\u0009\u0009padding-top: 6px; }\u000a\u0009.pyrograph .foot { flex-wrap: wrap; white-space: normal; gap: 2px 12px; min-height: 3.4em; }\u000a\u0009.pyrograph .foot .details { flex: 1 1 100%; white-space: normal; overflow-wrap: anywhere; max-height: 5.4em;\u000a\u0009\u0009overflow-y: auto; }\u000a\u0009.pyrograph .foot .matched { max-width: 100%; white-space: normal; }\u000a\u0009.pyrograph .menu button { min-height: 36px; }\u000a\u0009.pyrograph .tip td { white-space: normal; }\u000a}\u000a\u000a\u000a/* page.js draws for paper of the width PAPER_WIDTH, and the picture is scaled from that. */\u000a@media print {\u000a\u0009@page { margin: 10mm; }\u000a\u0009svg.live, svg.live.dark { overflow: visible; background: #fff; width: 100%; height: auto; }\u000a\u0009.pyrograph[data-theme] { overflow: visible; --back: #fff; --ink: #1a1c1f; --quiet: #575d65; --soft: #f1f2f4; }\u000a\u0009.pyrograph .heading.zoomed :is(.note, .doubts) { display: block; }\u000a\u0009.pyrograph .tools, .pyrograph .overlay { display: none; }\u000a\u0009.pyrograph .scroll, .pyrograph .sheet { overflow: visible; }\u000a}\u000a@media print and (orientation: portrait) { svg.live.one-tall { max-height: 99vh; } }\u000a@media print and (orientation: landscape) { svg.live.one-wide { max-height: 99vh; } }\u000a/* ... without what is for the hand */\u000a.pyrograph.on-paper { overflow: visible; }\u000a.pyrograph.on-paper .sheet { height: auto; overflow: visible; }\u000a.on-paper .foot { white-space: normal; }\u000a.on-paper .foot .details { overflow: visible; max-height: none; }\u000a.on-paper .siblings, .on-paper .tools, .on-paper .path \u003e button, .on-paper .overlay, .on-paper .layers button,\u000a.on-paper .layers input, .on-paper .aside, .on-paper .more, .on-paper .outline,\u000a.on-paper .focus { display: none !important; }\u000a.on-paper .scroll.goes-on { mask-image: none; }\u000a.on-paper :focus-visible, .on-paper .scroll:has(\u003e .graph:focus-visible) { outline: none !important; }\u000a\u000a/* charts of rows: bars, timelines */\u000a.with-rows .search { width: 210px; }\u000a.pyrograph .rows-head { position: relative; flex: none; border-bottom: 1px solid var(--line); }\u000a.pyrograph .rows .graph rect { rx: 0; }\u000a.pyrograph .rows .graph .ink { fill: var(--ink); }\u000a.pyrograph .rows .graph .black { fill: #000; }\u000a.pyrograph .rows .graph .white { fill: #fff; }\u000a.pyrograph .rows .graph .quiet-text, .pyrograph .rows .graph .dim { fill: var(--quiet); }\u000a.pyrograph .rows .graph .found { fill: var(--accent); font-weight: bold; }\u000a.pyrograph .rows .graph .tick { stroke: var(--quiet); }\u000a.pyrograph .rows .graph .ink, .pyrograph .rows .graph .quiet-text { font-variant-numeric: tabular-nums; }\u000a.pyrograph .rows .graph .cursor { fill: var(--soft); stroke: var(--accent); stroke-width: 1px; pointer-events: none; }\u000a.pyrograph .controls { padding: 0 10px 6px; gap: 4px 12px; }\u000a.pyrograph .controls .segment button { height: 24px; }\u000a.with-rows \u003e .sheet \u003e .legend { gap: 0 2px; padding: 0 4px 4px; max-height: 96px; }\u000a.pyrograph button.legend-item { padding: 1px 6px; border-radius: 4px; }\u000a.pyrograph button.legend-item:hover { background: var(--soft); }\u000a.pyrograph button.legend-item[aria-pressed=\u0022true\u0022] { background: var(--soft); font-weight: bold; }\u000a.pyrograph .legend-item .share { color: var(--quiet); font-variant-numeric: tabular-nums; }\u000a.pyrograph .foot .matched.wrong { color: var(--wrong); }\u000a.on-paper .controls { display: none !important; }\u000a.with-rows .body { flex-direction: column; flex: 0 1 auto; }\u000a.with-rows .stage { flex: 0 1000 auto; }\u000a.pyrograph .rows { flex: 0 1 auto; }\u000a@media (max-width: 720px) {\u000a\u0009.with-rows .search { width: auto; min-width: 0; }\u000a\u0009.with-rows .search .case { display: none; }\u000a\u0009.pyrograph .controls .segment button { height: 32px; }\u000a\u0009.with-rows \u003e .sheet \u003e .legend { max-height: 108px; } /* whole rows */\u000a\u0009.pyrograph button.legend-item { padding: 5px 6px; }\u000a}\u000a/* Looks of a flame graph in a browser, in addition to those of every chart. */\u000a.pyrograph .path { grid-column: 1 / -1; display: flex; align-items: center; margin: -2px -5px -2px; min-width: 0;\u000a\u0009white-space: nowrap; }\u000a.pyrograph .path \u003e button { flex: none; }\u000a.pyrograph .path .steps { display: flex; align-items: center; flex: 0 1 auto; min-width: 0; overflow-x: auto;\u000a\u0009scrollbar-width: none; }\u000a.pyrograph .path button { flex: none; height: 20px; padding: 0 5px; border-radius: 4px; color: var(--accent); }\u000a.pyrograph .path button:hover { background: var(--soft); }\u000a.pyrograph .path \u003e .back, .pyrograph .path \u003e .reset { width: 22px; display: grid; place-items: center; padding: 0;\u000a\u0009color: var(--quiet); }\u000a.pyrograph .path .steps \u003e * + *::before { content: \u0022\u005c203a\u0022; color: var(--quiet);\u000a\u0009margin: 0 5px 0 -3px; }\u000a.pyrograph .path [aria-current] { color: var(--ink); font-weight: bold; }\u000a.pyrograph .chip.of-idle { padding: 0; }\u000a.pyrograph .of-idle button { height: 100%; padding: 0 8px; border-radius: 12px; }\u000a.pyrograph .of-idle button:hover { background: var(--line); }\u000a/* callers of the zoomed frame are faded, their names are not */\u000a.pyrograph .graph rect.parent { opacity: 0.55; }\u000a.pyrograph .graph text.parent { opacity: 0.8; }\u000a.pyrograph[data-theme=\u0022dark\u0022] .graph rect.parent { opacity: 0.25; }\u000a.pyrograph[data-theme=\u0022dark\u0022] .graph text.parent { fill: var(--ink); opacity: 1; }\u000a.pyrograph .graph rect.folded { cursor: default; opacity: 0.7; }\u000a.pyrograph .crumbs { cursor: pointer; }\u000a.pyrograph .table-top { display: flex; gap: 8px; align-items: center; padding: 0 10px 6px; flex: none; }\u000a.pyrograph .table-top input { flex: 1 1 auto; min-width: 0; height: 26px; border: 1px solid var(--line);\u000a\u0009border-radius: 4px;\u000a\u0009background: var(--field); padding: 0 8px; }\u000a.pyrograph .table-top input.invalid { border-color: var(--wrong); }\u000a.pyrograph .table-top select { max-width: 45%; height: 26px; border: 1px solid var(--line); border-radius: 4px;\u000a\u0009background: var(--field); color: var(--ink); font: inherit; }\u000a.pyrograph .table-about, .pyrograph .aside \u003e .wrong { padding: 0 10px 4px; flex: none; color: var(--quiet);\u000a\u0009white-space: nowrap;\u000a\u0009overflow: hidden; text-overflow: ellipsis; }\u000a.pyrograph .table-count { color: var(--quiet); font-variant-numeric: tabular-nums; }\u000a.pyrograph .table-head, .pyrograph .row { display: grid; grid-template-columns: 68px 68px minmax(0, 1fr); gap: 8px;\u000a\u0009padding: 0 10px; align-items: center; }\u000a.pyrograph .table-head { flex: none; border-bottom: 1px solid var(--line); height: 26px; }\u000a.pyrograph .table-head button { text-align: left; color: var(--quiet); }\u000a.pyrograph .table-head .head-self, .pyrograph .table-head .head-total { text-align: right; }\u000a.pyrograph .table-head button[aria-pressed=\u0022true\u0022] { color: var(--ink); font-weight: bold; }\u000a.pyrograph .table-head button[data-sort=\u0022down\u0022]::after { content: \u0022 \u005c25be\u0022; }\u000a.pyrograph .table-head button[data-sort=\u0022up\u0022]::after { content: \u0022 \u005c25b4\u0022; }\u000a.pyrograph .table-scroll { flex: 1 1 auto; overflow-y: auto; min-height: 0; position: relative; }\u000a.pyrograph .table-rows { position: relative; }\u000a.pyrograph .row { position: absolute; left: 0; right: 0; height: 22px; cursor: pointer; white-space: nowrap; }\u000a.pyrograph .row:hover { background: var(--soft); }\u000a.pyrograph .row[aria-selected=\u0022true\u0022] { background: var(--accent); color: var(--on-accent); }\u000a.pyrograph .c-self, .pyrograph .c-total { position: relative; text-align: right; font-variant-numeric: tabular-nums; }\u000a.pyrograph .c-self span, .pyrograph .c-total span { position: relative; }\u000a.pyrograph .c-self .bar, .pyrograph .c-total .bar { position: absolute; right: 0; bottom: 0; height: 2px;\u000a\u0009background: var(--accent); border-radius: 1px; }\u000a.pyrograph .c-name { overflow: hidden; text-overflow: ellipsis; }\u000a/* within another picture, which determines the size: the root stays where it is */\u000a.flame-place { position: absolute; inset: 0; }\u000a.pyrograph.embedded { display: flex; flex-direction: column; width: 100%; height: 100%; min-height: 0; }\u000a.embedded \u003e .sheet { flex: 1 1 auto; min-height: 0; }\u000a.embedded \u003e .sheet \u003e .body { flex: 1 1 auto; }\u000a.embedded \u003e .sheet \u003e .body \u003e .stage:not([data-shape=\u0022multiples\u0022]) { justify-content: flex-end; }\u000a.embedded.icicle \u003e .sheet \u003e .body \u003e .stage { justify-content: flex-start !important; }\u000a.embedded .above { display: flex; flex-wrap: wrap; align-items: center; flex: none; }\u000a.embedded .layers { padding: 0 10px 4px; }\u000a.embedded .layers \u003e .quiet:last-child { display: none; }\u000a.embedded .title { font-size: 1.15em; }\u000a.embedded .heading { padding-top: 4px; }\u000a/* shows which half has the keys by words and a frame, which pointers ignore */\u000a.embedded .whose-keys { display: none; flex: none; color: var(--accent); font-weight: bold; }\u000a.embedded:focus-within .whose-keys { display: inline; }\u000a.embedded:focus-within::after { content: \u0022\u0022; position: absolute; inset: 0; border: 2px solid var(--accent);\u000a\u0009pointer-events: none; }\u000a@media (hover: none) { .embedded:focus-within .whose-keys { display: none; } }\u000a/* when the page is very low, the frames take precedence */\u000a.flame-place { container-type: size; }\u000a@container (max-height: 190px) { .embedded .notes, .embedded .foot, .embedded .above { display: none; } }\u000a.on-paper .embedded .layers, .on-paper .chip .remove, .on-paper .whose-keys,\u000a\u0009.on-paper .embedded::after { display: none !important; }\u000a.on-paper .flame-place { position: static; container-type: normal; }\u000a.on-paper .pyrograph.embedded { height: auto; }\u000a@media (max-width: 720px) {\u000a\u0009.pyrograph .path button { height: 32px; }\u000a\u0009.pyrograph .path \u003e .back, .pyrograph .path \u003e .reset { width: 32px; }\u000a}\u000a@media print {\u000a\u0009.pyrograph .path { margin: 0 -5px; }\u000a\u0009.pyrograph .path .steps { overflow: visible; flex-wrap: wrap; }\u000a}\u000a/* Looks of a heat map in a browser, where they differ from common/chart.css. */\u000a.pyrograph.heat \u003e .sheet { overflow: hidden auto; }\u000a.pyrograph .heat-body { flex: 1 1 0; min-height: 254px; }\u000a.pyrograph .heat-maps { flex: 1 1 auto; min-width: 0; overflow: hidden auto; position: relative; display: grid;\u000a\u0009align-content: start; }\u000a.pyrograph .heat-lanes { flex: none; max-height: 34vh; overflow: hidden auto; border-top: 1px solid var(--line);\u000a\u0009user-select: none; -webkit-user-select: none; }\u000a.pyrograph .heat-lanes:has(~ .heat-flame:not([hidden])) { max-height: 20vh; }\u000a.pyrograph .heat-lanes:focus-visible { outline: 2px solid var(--accent); outline-offset: -2px; }\u000a.pyrograph .heat-lanes .graph { display: block; cursor: crosshair; touch-action: pan-y; }\u000a.pyrograph .heat-lanes .graph rect, .pyrograph .heat-lanes .graph path { rx: 0; cursor: crosshair; }\u000a.pyrograph .heat-lanes text { fill: var(--ink); }\u000a.pyrograph .heat-lanes .quiet-text { fill: var(--quiet); }\u000a.pyrograph .heat-lanes .track { fill: var(--soft); }\u000a.pyrograph .heat-lanes .grid { fill: var(--ink); fill-opacity: 0.1; pointer-events: none; }\u000a.pyrograph .heat-lanes .selection { fill: var(--accent); fill-opacity: 0.22; pointer-events: none; }\u000a.pyrograph .heat-lanes .selection-b { fill: var(--ink); fill-opacity: 0.14; }\u000a.pyrograph .heat-lanes .moment { fill: var(--ink); fill-opacity: 0.3; pointer-events: none; }\u000a.pyrograph .heat-lanes .marks { pointer-events: none; }\u000a.pyrograph .heat-bar { flex: none; height: 7px; cursor: row-resize; touch-action: none; border: solid var(--line);\u000a\u0009border-width: 1px 0;\u000a\u0009background: var(--soft); }\u000a.pyrograph .heat-bar:hover, .pyrograph .heat-bar:focus-visible { background: var(--accent); }\u000a.pyrograph .heat-flame { flex: 0 1 38%; min-height: 120px; overflow: hidden; position: relative; }\u000a.pyrograph .heat-flame.of-given-height { flex-shrink: 0; }\u000a.pyrograph.heat \u003e .sheet { position: relative; }\u000a.pyrograph.settling .heat-flame { position: absolute; inset: auto 0 0; height: 38%; background: var(--back);\u000a\u0009pointer-events: none; }\u000a.pyrograph.settling .heat-bar { display: none; }\u000a.pyrograph .heat-maps { outline: none; user-select: none; -webkit-user-select: none; -webkit-touch-callout: none;\u000a\u0009touch-action: pan-y; cursor: crosshair; }\u000a.pyrograph .heat-maps.several { scrollbar-gutter: stable; } /* the number of columns depends on the width */\u000a.pyrograph .tip .tip-keys { margin-top: 4px; padding-top: 4px; border-top: 1px solid var(--line); width: 100%; }\u000a.pyrograph .tip .tip-keys td { color: inherit; }\u000a.pyrograph .heat-maps:focus-visible { outline: 2px solid var(--accent); outline-offset: -2px; }\u000a.pyrograph .heat-title { margin: 0; padding: 0 10px; font-size: 1em; font-weight: bold; line-height: 20px;\u000a\u0009white-space: nowrap;\u000a\u0009overflow: hidden; text-overflow: ellipsis; unicode-bidi: isolate; }\u000a.pyrograph .plot { position: relative; }\u000a.pyrograph .plot \u003e * { position: absolute; left: 0; top: 0; }\u000a.pyrograph .plot \u003e .marks { overflow: visible; pointer-events: none; }\u000a.pyrograph .marks text { fill: var(--ink); }\u000a.pyrograph .marks .quiet-text { fill: var(--quiet); }\u000a.pyrograph .marks .tick, .pyrograph .marks .edge { fill: none; stroke: var(--quiet); stroke-width: 1px; opacity: 0.6; }\u000a.pyrograph .marks .line { fill: none; stroke: var(--ink); stroke-width: 1.2px; }\u000a.pyrograph .marks .line-dotted { stroke-dasharray: 1.5 2.5; }\u000a.pyrograph .marks .line-dashed { stroke-dasharray: 6 3; }\u000a.pyrograph .marks .line-halo { fill: none; stroke: var(--back); stroke-width: 3px; opacity: 0.7; }\u000a.pyrograph .marks .line-label, .pyrograph .marks .range-label { paint-order: stroke; stroke: var(--back);\u000a\u0009stroke-width: 3px; font-weight: bold; }\u000a.pyrograph .marks .range-halo { fill: none; stroke: var(--back); stroke-width: 3.5px; opacity: 0.8; }\u000a.pyrograph .marks .range { fill: none; stroke: var(--accent); stroke-width: 1.5px; }\u000a.pyrograph .marks .range-b { stroke: var(--ink); stroke-dasharray: 5 3; }\u000a.pyrograph .marks .pointed { fill: none; stroke: var(--ink); stroke-width: 1px; }\u000a/* the line below the maps has the same height with and without chips, so that nothing moves under the pointer */\u000a.pyrograph .heat-foot { display: flex; flex: none; align-items: center; min-height: 34px; }\u000a.pyrograph .heat-foot .foot { flex: 1 1 0; min-width: 0; }\u000a.pyrograph .heat-foot .chips { flex: 0 1 auto; max-width: 70%; flex-wrap: nowrap; overflow-x: auto; padding: 0 10px 0 0;\u000a\u0009scrollbar-width: none; }\u000a.pyrograph .heat-foot .chip { min-width: 110px; flex: 0 1 auto; }\u000a@media (max-width: 720px) {\u000a\u0009.pyrograph .heat-body:has(\u003e .aside:not([hidden])) { min-height: 480px; }\u000a\u0009.pyrograph .heat-body \u003e .heat-maps { min-height: 240px; }\u000a\u0009.pyrograph .heat-foot { flex-direction: column; align-items: stretch; min-height: calc(2.7em + 30px); }\u000a\u0009.pyrograph .heat-foot .foot { min-height: 0; }\u000a\u0009.pyrograph .heat-foot .chips { max-width: none; padding: 0 10px 4px; }\u000a}\u000a.pyrograph.heat.on-paper .heat-body, .pyrograph.heat.on-paper .heat-flame { flex: none; min-height: 0;\u000a\u0009overflow: visible; }\u000a.pyrograph.heat.on-paper .heat-maps { overflow: visible; }\u000a.pyrograph.heat.on-paper .heat-lanes { max-height: none; overflow: visible; }\u000a.pyrograph.on-paper .heat-bar, .pyrograph.on-paper .heat-foot .foot { display: none; }\u000a/* Looks of what surrounds a heat map: controls, legend, keys, distribution. */\u000a.heat \u003e .sheet \u003e .heading .search { width: 320px; }\u000a.heat \u003e .sheet \u003e .heading .search .count { max-width: 60%; overflow: hidden; text-overflow: ellipsis;\u000a\u0009white-space: nowrap; }\u000a.pyrograph .heat-controls { padding: 0 10px 6px; gap: 4px 12px; }\u000a.pyrograph .heat-controls select, .pyrograph .heat-controls .period, .pyrograph .heat-keys select,\u000a\u0009.pyrograph .distribution select {\u000a\u0009height: 26px; border: 1px solid var(--line); border-radius: 4px; background: var(--field); color: var(--ink);\u000a\u0009\u0009font: inherit; padding: 0 4px; }\u000a.pyrograph .heat-controls label { color: var(--quiet); white-space: nowrap; }\u000a.pyrograph .heat-controls .named { display: inline-flex; gap: 6px; align-items: center; }\u000a.pyrograph .heat-controls .period { width: 96px; padding: 0 8px; }\u000a.pyrograph .heat-controls .period.invalid { border-color: var(--wrong); color: var(--wrong); }\u000a.pyrograph .heat-controls .period + label { margin-left: 0; }\u000a\u000a.heat \u003e .sheet \u003e .legend { align-items: center; gap: 2px 14px; }\u000a.heat \u003e .sheet \u003e .legend .step { margin-right: -8px; font-variant-numeric: tabular-nums; }\u000a.heat \u003e .sheet \u003e .legend .dot { width: 12px; height: 12px; border: 1px solid var(--line); }\u000a.heat \u003e .sheet \u003e .legend .legend-text { unicode-bidi: isolate; max-width: 260px; overflow: hidden;\u000a\u0009text-overflow: ellipsis; }\u000a.heat \u003e .sheet \u003e .legend .share { color: var(--quiet); }\u000a.pyrograph .dot.hatch { border-color: var(--quiet);\u000a\u0009background: repeating-linear-gradient(135deg, transparent 0 2px, var(--quiet) 2px 3px); }\u000a.heat \u003e .sheet \u003e .legend .dot.line { height: 0; border: 0; border-top: 2px solid var(--ink); border-radius: 0;\u000a\u0009width: 20px; }\u000a.heat \u003e .sheet \u003e .legend .dot.line-dotted { border-top-style: dotted; }\u000a.heat \u003e .sheet \u003e .legend .dot.line-dashed { border-top-style: dashed; }\u000a.pyrograph .dot.unmarked { background: none; border: 1px solid var(--line); }\u000a\u000a.heat-body \u003e .aside { flex: 0 0 320px; min-width: 0; max-width: none; overflow-y: auto; gap: 8px; padding-bottom: 8px; }\u000a.pyrograph .heat-keys { display: flex; flex-direction: column; flex: none; }\u000a.pyrograph .keys-top { display: flex; justify-content: space-between; align-items: center; gap: 8px;\u000a\u0009padding: 2px 10px 6px; flex: none; }\u000a.pyrograph .keys-top label { display: flex; gap: 6px; align-items: center; white-space: nowrap; min-width: 0; }\u000a.pyrograph .keys-top select { min-width: 0; flex: 0 1 auto; text-overflow: ellipsis; }\u000a.heat-keys button.close { flex: none; width: 24px; height: 24px; border-radius: 4px; display: grid; place-items: center;\u000a\u0009color: var(--quiet); }\u000a.heat-keys button.close:hover { background: var(--soft); color: var(--ink); }\u000a.pyrograph .heat-keys \u003e textarea { margin: 0 10px 6px; border: 1px solid var(--line); border-radius: 4px;\u000a\u0009background: var(--field); color: var(--ink);\u000a\u0009font: inherit; font-family: monospace; padding: 4px 6px; resize: vertical; flex: none; }\u000a.pyrograph .heat-keys \u003e .wrong { padding: 0 10px 4px; overflow-wrap: anywhere; }\u000a.pyrograph .heat-keys \u003e .wrong:empty { display: none; }\u000a.pyrograph .keys-body { display: flex; flex-direction: column; flex: 1 1 auto; min-height: 0; }\u000a.pyrograph .keys-modes { display: flex; flex-wrap: wrap; gap: 4px 10px; align-items: center; padding: 0 10px 6px;\u000a\u0009flex: none; }\u000a.pyrograph .keys-modes .segment button { height: 24px; padding: 0 7px; }\u000a.pyrograph .heat-keys .table-head, .pyrograph .heat-keys .row { grid-template-columns: 10px minmax(0, 1fr) 64px;\u000a\u0009gap: 6px; }\u000a.pyrograph .heat-keys.with-selected .table-head, .pyrograph .heat-keys.with-selected .row {\u000a\u0009grid-template-columns: 10px minmax(0, 1fr) 60px 60px; }\u000a.pyrograph .heat-keys .table-head .head-name { grid-column: 1 / 3; }\u000a.pyrograph .heat-keys .table-head .head-shown, .pyrograph .heat-keys .table-head .head-selected { text-align: right; }\u000a.pyrograph .keys-list { min-height: 66px; max-height: 264px; flex: 1 1 auto; }\u000a.pyrograph .keys-list .row[aria-selected=\u0022true\u0022] { background: var(--soft); color: var(--ink); font-weight: bold; }\u000a.pyrograph .keys-list .row.cursor { outline: 1px solid var(--line); outline-offset: -1px; }\u000a.pyrograph .keys-list:focus-visible .row.cursor { outline: 2px solid var(--accent); outline-offset: -2px; }\u000a.pyrograph .distribution { flex: none; padding: 0 10px; border-top: 1px solid var(--line); }\u000a.distribution \u003e .aside-top { display: flex; justify-content: space-between; align-items: baseline; gap: 8px; }\u000a.distribution h2 { font-size: 1.1em; margin: 6px 0 4px; }\u000a.distribution h3 { font-size: 1em; margin: 10px 0 2px; color: var(--quiet); font-weight: bold; }\u000a.pyrograph .figures { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 1px 10px; margin: 0;\u000a\u0009font-variant-numeric: tabular-nums; }\u000a.pyrograph .figures dt { color: var(--quiet); }\u000a.pyrograph .figures dd { margin: 0; overflow-wrap: anywhere; }\u000a.pyrograph .distribution-table table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums;\u000a\u0009table-layout: fixed; }\u000a.pyrograph .distribution-table th, .pyrograph .distribution-table td { padding: 2px 0 2px 8px;\u000a\u0009border-bottom: 1px solid var(--line); white-space: nowrap;\u000a\u0009font-weight: normal; text-align: right; width: 64px; }\u000a.pyrograph .distribution-table th:first-child { text-align: left; padding-left: 0; width: auto; overflow: hidden;\u000a\u0009text-overflow: ellipsis; unicode-bidi: isolate; }\u000a.pyrograph .distribution-table thead th { color: var(--quiet); }\u000a.pyrograph .distribution-table th:first-child button { text-align: left; }\u000a.heat-body \u003e .aside .link { color: var(--accent); max-width: 100%; overflow: hidden; text-overflow: ellipsis;\u000a\u0009vertical-align: bottom; }\u000a.heat-body \u003e .aside .link[aria-pressed=\u0022true\u0022] { font-weight: bold; }\u000a.heat-body \u003e .aside .link:hover { text-decoration: underline; }\u000a.pyrograph .heat-foot .chip \u003e * { flex: none; }\u000a.pyrograph .heat-foot .chip \u003e .chip-text { flex: 0 1 auto; min-width: 0; overflow: hidden; text-overflow: ellipsis; }\u000a@media (max-width: 720px) {\u000a\u0009.heat \u003e .sheet \u003e .heading .search { width: auto; min-width: 0; }\u000a\u0009.heat \u003e .sheet \u003e .heading .search .case { display: none; }\u000a\u0009.pyrograph .heat-controls:not(.asked-for) { display: none; }\u000a\u0009.heat .tools .zoom-out, .heat .tools .zoom-in { display: none; }\u000a\u0009.heat.with-keys \u003e .sheet \u003e .heat-body { flex: none; }\u000a\u0009.heat.with-keys \u003e .sheet \u003e .heat-body \u003e .heat-maps { flex: none; height: 300px; }\u000a\u0009.heat-body \u003e .aside { flex: none; overflow: visible; }\u000a\u0009.pyrograph .keys-list .row { height: 22px; }\u000a\u0009.pyrograph .keys-modes .segment button, .pyrograph .heat-controls .segment button { height: 32px; }\u000a}\u000a.on-paper .heat-controls, .on-paper .keys-top .close { display: none !important; }\u000a.heat \u003e .sheet \u003e .heading .beats { font-weight: normal; }\u000a.heat \u003e .sheet \u003e .heading .beats button { color: var(--accent); margin-left: 10px; text-decoration: underline; }\u000a";
})();
