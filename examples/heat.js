/* number: counts, shares and lengths of time as people read them (core/amount.h,
 * render/profile/number.h); what the scripts of all charts share.
 *
 * countText(n)                 -> "1,234,567"
 * durationText(ns)             -> "23.09 s", "144.2 ms", "981 ns"
 * valueText(unit, value)       -> "1,234 samples", "1 sample", "17.25 s"; unit: { unit, decimals,
 *                                 factor }; ns from 1,000 on are a length of time
 * exactText(unit, value)       -> the same without rounding: "23.09 s (23,090,858,348 ns)"
 * bareText(unit, value)        -> the same as valueText() where the unit is known: "1,234", "17.25";
 *                                 a length of time keeps its unit, which is not always the same
 * percentText(part, whole)     -> "12.34%"
 * shareText(part, whole)       -> the same, but what is not nothing is never "0.00%": "<0.01%" */
var pyrograph = pyrograph || {}; /* charts of several kinds in one page share it */

pyrograph.number = (function () {
	'use strict';

	const FACTOR_DECIMALS_MAX = 12, NS_LEAST = 1000;
	const TIMES = [[999950000, 1e9, 's'], [999950, 1e6, 'ms'], [NS_LEAST, 1e3, '\u00b5s']];

	function grouped(digits) {
		return digits.replace(/\B(?=(\d{3})+$)/g, ',');
	}

	/* value * 10^-decimals; no zeros at the end of the fraction */
	function decimalText(value, decimals) {
		const one = Math.pow(10, decimals);
		const rest = (value % one + one).toFixed(0).slice(1).replace(/0+$/, '');

		return grouped(Math.floor(value / one).toFixed(0)) + (rest ? '.' + rest : '');
	}

	function durationText(part) {
		const ns = Math.round(part), found = TIMES.find(([from]) => ns >= from);
		let digits = 0;

		if (!found)
			return ns + ' ns';
		while (digits < 3 && Math.floor(ns / (found[1] / Math.pow(10, digits))) < 1000)
			digits++;
		const step = found[1] / Math.pow(10, digits);

		return decimalText(Math.floor(ns / step) + (ns % step * 2 >= step ? 1 : 0), digits) + ' ' + found[2];
	}

	/* In whole ns where it is shown as a length of time, or -1. */
	function wholeNs({ unit, decimals, factor }, value) {
		const ns = value / Math.pow(10, decimals) * factor, whole = Math.floor(factor === 1 ? ns : ns + 0.5);

		return unit === 'ns' && whole >= NS_LEAST ? whole : -1;
	}

	/* Of what a factor makes, three digits. */
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

	function valueText(unit, value) {
		const ns = wholeNs(unit, value);

		return ns >= 0 ? durationText(ns) : plainText(unit, value);
	}

	function exactText(unit, value) {
		const text = valueText(unit, value);

		return wholeNs(unit, value) >= 0 ? text + ' (' + plainText(unit, value) + ')' : text;
	}

	const bareText = (unit, value) => wholeNs(unit, value) >= 0 ? valueText(unit, value) :
		plainText(unit, value).split(' ', 1)[0];

	function percentText(part, whole) {
		const hundredths = Math.floor((part * 20000 + whole) / (whole * 2));

		return !whole ? '0.00%' : part === whole ? '100%' :
			grouped(String(Math.floor(hundredths / 100))) + '.' + String(hundredths % 100).padStart(2, '0') + '%';
	}

	const shareText = (part, whole) => part > 0 && part * 20000 < whole ? '<0.01%' : percentText(part, whole);
	const countText = (n) => grouped(String(n));

	return { countText, durationText, valueText, exactText, bareText, percentText, shareText };
})();
/* profile: the whole profile that travels inside a flame graph.
 *
 * Decodes what encode.c wrote (encode.h has the format).
 *
 * decodeNames(text, count)     -> names: Array, count + 1 of them; the last is "...",
 *                                 the name of frames in which narrow ones are folded
 * decodeColours(text, count)   -> Array, 2 * (count + 1): [2 * name] is its colour,
 *                                 [2 * name + 1] that of its crumbs, "#rrggbb"
 * decodeTree(text, settings)   -> tree; of settings: frames, names, arrival, layers,
 *                                 combine, scales, metric, chart, decimals
 *
 * A tree is a struct of arrays, depth first, frame 0 the root.  Trees never change:
 * what is done to one (transform.js) gives another of the same shape.
 *   count                      of frames
 *   name, parent, end, depth   Uint32Array; the subtree of i is i .. end[i] - 1
 *   start, total, self         Float64Array; self is what is in no child, and stands
 *                              to their right
 *   gap        null, or Float64Array, in charts: what of the parent's self stands not there
 *              but before frame i, since the child before
 *   arrival    null, or Uint32Array: the order in which the input had the frames, as far as
 *              the order of siblings tells
 *   folded     Map: a "..." frame -> how many frames it stands for
 *   layers     null, or (decoded tree only) { count, at, layer, value }: the values that
 *              end in frame i, as recorded, are value[k] of layer[k], at[i] <= k < at[i + 1]
 *   scales     null, or [[num, den], ...]: a layer's values times this are comparable
 *   decimals   of the decoded tree: values are in units of 10^-decimals
 *   chart      true: siblings stand in time order, and only neighbours ever merge
 *   base       null, or the tree that this one was made from
 *   sent       null, or Int32Array: frame of base -> frame here to which its value went;
 *              -1: left out; -2 - f: the frame vanished, its value went to f
 *   sends      "self" or "total": what that value is
 *   picked     null, or Int32Array: frame -> the frame of base whose layers' values it has
 *   origin     null, or Int32Array: frame -> a frame of the decoded tree that is in it
 *   reordered  true: the frames of base, one for one, in another order
 *   turned     true: merged from the leaves, or callers
 *   unexpanded null, or Uint8Array: 1 where more would be below (transform.reverse)
 *
 * ownSelf(tree), layerOwnSelf(tree, k) -> Float64Array by frame: what its function does itself: in a tree
 *                                 merged from the leaves that is all of what stands on the root,
 *                                 where self is what began there; of callers it is nothing
 * layerSelf(tree, k), layerTotal(tree, k) -> Float64Array by frame, values of layer k as
 *                                 recorded; of any tree; made when first asked for
 * emptyTree(count), addUp(tree) a tree to be filled; start and total from its self and gap
 * decoded(tree)                -> the tree that all of its bases go back to
 * scaled(tree, k, value)       -> value * num / den of layer k, as diff.c has it, not rounded
 * scaledAll(tree, k, values)   -> the same by frame
 * baseName(name)               -> name without its annotation, as it may be shown: U+FFFD for
 *                                 what would turn the direction of writing */
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

	/* A tree of count frames, all values 0. */
	function emptyTree(count) {
		return {
			count: count,
			name: new Uint32Array(count), parent: new Uint32Array(count),
			end: new Uint32Array(count), depth: new Uint32Array(count),
			start: new Float64Array(count), total: new Float64Array(count),
			self: new Float64Array(count),
			gap: null, arrival: null, folded: new Map(), layers: null, scales: null, chart: false, decimals: 0,
			base: null, sent: null, sends: 'self', picked: null, origin: null,
			reordered: false, turned: false, unexpanded: null, cache: new Map(),
		};
	}

	/* How the next number is read from text. */
	function reader(text) {
		let at = 0;

		function next() {
			let code = text.charCodeAt(at++);

			while (code === NEWLINE)
				code = text.charCodeAt(at++);
			code -= FIRST_DIGIT;
			if (code < 32)
				return code;
			let value = code & 31, scale = 32;

			do {
				code = text.charCodeAt(at++) - FIRST_DIGIT;
				value += (code & 31) * scale;
				scale *= 32;
			} while (code & 32);
			return value;
		}
		return next;
	}

	function decodeTree(text, settings) {
		const count = settings.frames, tree = emptyTree(count), next = reader(text);
		const places = settings.arrival ? new Uint32Array(count) : null;
		const layers = settings.layers ? layerStore(count, settings) : null;
		const gap = settings.chart ? new Float64Array(count) : null;
		let open = 0; /* the frame before, then its parents */

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

	/* Reads the values of the frames that have several. */
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
				if (before >= settings.layers.length) /* a broken file */
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

	/* Totals and starts from self values and gaps. */
	function addUp(tree) {
		const next = new Float64Array(tree.count); /* where the next child starts */

		tree.total.set(tree.self);
		for (let i = tree.count - 1; i > 0; i--)
			tree.total[tree.parent[i]] += tree.total[i];
		for (let i = 1; i < tree.count; i++) {
			tree.start[i] = next[tree.parent[i]] + (tree.gap ? tree.gap[i] : 0);
			next[tree.parent[i]] = tree.start[i] + tree.total[i];
			next[i] = tree.start[i];
		}
	}

	/* The frames' numbers in a walk that takes siblings by their places. */
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

	/* The tree whose frames' layers are in the file. */
	function decoded(tree) {
		while (tree.base)
			tree = tree.base;
		return tree;
	}

	/* The same of many values. */
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

	/* Made by make() once, and forgotten when others were asked for since. */
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
		return tree.turned ? kept(tree, 'own' + layer, () => ownOf(tree, null, layerTotal(tree, layer))) : layerSelf(tree, layer);
	}

	function picked(tree, values) {
		const here = new Float64Array(tree.count), from = tree.picked;

		for (let i = 0; i < here.length; i++)
			here[i] = values[from[i]];
		return here;
	}

	/* ---- names (frame.h) ---- */

	/* Marks that turn the direction of writing: a name with them could pose as another. */
	const TURNS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

	function baseName(name) {
		return name.replace(/_\[[kjiw01]\]$/, '').replace(TURNS, '\ufffd');
	}

	return { decodeNames, decodeColours, decodeTree, emptyTree, addUp, ownSelf, layerOwnSelf, layerSelf, layerTotal,
		scaled, scaledAll, decoded, baseName };
})();
/* search: which frames match, and what share of the whole they are; functions.
 *
 * matcher(names, pattern, ignoreCase) -> { match, error, waits }; match: Uint8Array by name,
 *     or null if the pattern is no regular expression or takes more than a second (error
 *     says so), or is empty.  A name matches with or without its annotation.
 * elsewhere                        settable: (names, pattern, ignoreCase) -> what matcher
 *     returns, for patterns that may take for ever (slow.js); waits: ask again later
 * matcherExact(names, name)        -> Uint8Array by name
 * combined([match, ...])           -> Uint8Array by name: 0, or 1 + the number of the first
 *     match that has it (for a colour each)
 * matchedTotal(tree, root, match, totals) -> value of the frames of root's subtree that match;
 *     of those that stand on each other the lowest counts; totals: default the tree's
 * matchedCount(tree, root, match)  -> how many frames match
 * matchedThrough(tree, name, match, totals) -> value of the stacks with frames of that name number
 *     that have a match in what callers and callees show of them
 * nextMatch(tree, from, step, match, root, least) -> the next frame (step 1 or -1) in
 *     drawing order, of root's subtree (default the whole tree), going round; those of
 *     less than the value least are skipped; -1: none
 * matchPlace(tree, frame, match, root, least) -> { at, of }: "3 of 17"
 * functions(tree, names, root)     -> { count, name, self, total, frames, widest }: one row a
 *     name: arrays by row of name number, values (recursion counted once), count of frames,
 *     and the widest of them; rows by falling total.  Merged from the leaves it has the same
 *     values; names that are only in frames too narrow to be expanded are not there
 * sortRows(table, names, key, down) -> Uint32Array of rows; key "self", "total", "name" or
 *     "frames" */
pyrograph.search = (function () {
	'use strict';

	const baseName = (name) => pyrograph.profile.baseName(name);

	/* ---- which names match ---- */

	const LIMIT_MS = 1000, STEPS_MAX = 1e9;
	const TOO_SLOW = 'Too slow, stopped after a second: ';
	const longest = new WeakMap();  /* names -> length of the longest one */

	function longestOf(names) {
		if (!longest.has(names))
			longest.set(names, names.reduce((most, name) => Math.max(most, name.length), 0));
		return longest.get(names);
	}

	/* One name may take for ever: a repeated group (nobody says what is in it), or so many
	 * repetitions that may share a long name in any way. */
	function isRisky(names, pattern) {
		const bare = pattern.replace(/\\./gs, 'a').replace(/\[[^\]]*\]/g, 'a');
		const repeats = (bare.match(/[*+]|\{\d+,\d*\}/g) || []).length;

		return /\)[*+{]/.test(bare) || (repeats > 1 && Math.pow(longestOf(names), repeats + 1) > STEPS_MAX);
	}

	function matchedHere(re, names) {
		const match = new Uint8Array(names.length), started = Date.now();

		for (let n = 0; n < match.length; n++) {
			match[n] = matches(re, names[n]);
			if (n % 16 === 0 && Date.now() - started > LIMIT_MS)
				return { match: null, error: TOO_SLOW + re.source };
		}
		return { match: match, error: null };
	}

	function matcher(names, pattern, ignoreCase) {
		let re;

		if (!pattern)
			return { match: null, error: null };
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

	function matcherExact(names, wanted) {
		return Uint8Array.from(names, (name) => name === wanted ? 1 : 0);
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

	/* ---- what they are of a whole ---- */

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

	function matchedThrough(tree, wanted, match, total = tree.total) {
		const { name, end } = tree;
		let sum = 0, marked = 0; /* frames before it stand on a match */

		for (let i = 1; i < tree.count;) {
			if (i >= marked && match[name[i]])
				marked = end[i];
			if (name[i] === wanted) {
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

	/* ---- one match after the other ---- */

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

	/* By name number; total counts only frames on none of the same name. */
	function sumsByName(tree, root, nameCount) {
		const { name, end, total } = tree, self = pyrograph.profile.ownSelf(tree);
		const sums = { self: new Float64Array(nameCount), total: new Float64Array(nameCount),
			frames: new Uint32Array(nameCount), widest: new Uint32Array(nameCount) };
		const closes = new Uint32Array(nameCount); /* the frame of that name stays open till here */

		for (let i = root; i < end[root]; i++) {
			const n = name[i];

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

	/* As it was before it was merged from the leaves: all frames are there. */
	const upright = (tree) => tree.turned ? upright(tree.base) : tree;

	function functions(tree, names, root = 0) {
		const sums = sumsByName(tree, root, names.length), used = [];

		if (tree.turned && !root)
			sums.total = sumsByName(upright(tree), 0, names.length).total;

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

	const api = { matcher, matcherExact, combined, matchedTotal, matchedThrough, matchedCount, nextMatch,
		matchPlace, functions, sortRows, elsewhere: null, LIMIT_MS, TOO_SLOW };

	return api;
})();
/* merge: how trees are made of trees; the engine of transform.js (profile.js says what a
 * tree is).
 *
 * FATES: what becomes of a frame in regroup():
 *     KEEP    it stays
 *     VANISH  it does not; its children and its value move to its parent
 *     JOIN    the same, but it is drawn as its parent is (folded recursion)
 *     OUT     it is left out with its value, but not what stands on it
 *     ROOT    it is the new root (there may be several, which then are one); all that it
 *             stands on is OUT
 * In a chart, all that stays does so in its order of time, with the gaps between; what is
 * left out leaves none, and where frames join deep or are ordered anew there is no time.
 * regroup(tree, names, { fates, nameOf, risky, deep }) -> tree; siblings that come to have
 *     the same name merge.  fates: by frame (KEEP if not given).  nameOf: by name, the
 *     name to have instead; risky: by name, whether another becomes the same.  deep: by
 *     name, 1: joins the frame of that name that it stands on, however far below.
 * compact(tree, self, ends) -> tree with the values of self, of the frames of which any is
 *     left.  ends: by frame, 0: its values are left out; may be null.
 * ordered(tree, keys) -> tree with siblings by keys (Float64Array by frame), then as before
 * ranks(names) -> Uint32Array by name: its place by name, annotation last
 * builder(most) -> nodes, which may become more; emit(nodes, tree, sent) -> tree, and
 *     nodes.number: node -> its frame: for reverse.js */
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

	/* ---- nodes: a tree that grows, its children in lists ---- */

	function builder(most) {
		const nodes = {
			count: 0,
			name: new Uint32Array(most), self: new Float64Array(most),
			source: new Uint32Array(most), /* the first frame that is in it */
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

	/* (parent, name) -> node, of the nodes that were put in. */
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

	/* Finds the child that a name belongs to.  A node whose children all come from one frame
	 * has no two of one name, so only the others' children go into the table. */
	function children(nodes, risky, chart) {
		const inTable = table(nodes), open = new Uint8Array(nodes.name.length);

		/* Children of another frame will come to node. */
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

	/* In a chart what a node has for itself stays at its moment: what came since its last
	 * child waits to be the gap before the next one.  place: as in regroup(). */
	function moments(tree, nodes, place) {
		const rest = new Float64Array(tree.self), waiting = new Float64Array(nodes.name.length);
		let open = 0;

		function wait(frame, value) {
			rest[frame] -= value;
			if (place[frame] !== NONE)
				waiting[place[frame]] += value;
		}
		/* It goes on with frame i, which is not the root. */
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
		const place = new Int32Array(count); /* the node that frame's children belong to */
		const kids = children(nodes, how.risky || null, tree.chart && !deep);
		const times = tree.gap && !deep ? moments(tree, nodes, place) : null;

		function put(i, fate) {
			const name = nameOf ? nameOf[tree.name[i]] : tree.name[i];
			const below = i ? place[tree.parent[i]] : NONE;

			if (below === NONE) /* of one ROOT, or of several */
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

	/* Sort list[0 .. n - 1], nodes, by keys[of[node]]; equal ones stay as they are. */
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

	/* Sort the children of those nodes for which wanted() is true. */
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

	/* The nodes as a tree; sent: by frame of base, a node as in tree.sent. */
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

	/* What a tree has from the one that it was made from. */
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

	/* By frame of result, which has those to[i] that are not negative. */
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

	/* end from depth: a frame ends where the next one of no greater depth begins. */
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
/* reverse: trees merged from the leaves, as far as they can be seen; for transform.js.
 *
 * A whole one would have a frame for each frame of each stack.  So stacks wait, sorted
 * by what they share, at the frames that are too narrow to look into:
 *
 *     a;b;c 2    all ── c (5) ─┬─ b (2) ── a          all 3 at c: one by one they go
 *     d;c 3                    └─ d (3)               to b and d, if c is expanded
 *
 * expand(tree, names, items, how) -> tree.  items: { frame, weight, sends }: frame:
 *     Int32Array, where each stack begins, root 0: it ends; weight: by item; source: the
 *     frame that the item's value is of.  how: { rootName, least, path }: transform.js. */
pyrograph.reverse = (function () {
	'use strict';

	const NONE = -1, WORK_MAX = 6e7, FIRST_NODES = 1 << 12;

	/* Stacks in the order of the nodes where they wait. */
	function queue(tree, items, nameCount, rank) {
		let { frame, source, weight } = items;
		let frame2 = new Int32Array(frame.length), source2 = frame2.slice();
		let weight2 = new Float64Array(frame.length);
		const count = new Uint32Array(nameCount), place = new Uint32Array(nameCount);

		/* The names that come next among from .. to - 1, sorted; those that end come first. */
		function namesNext(from, to) {
			const found = [];

			for (let k = from; k < to; k++) {
				const n = tree.name[frame[k]];

				if (frame[k] && !count[n]++)
					found.push(n);
			}
			return found.length > 1 ? found.sort((a, b) => rank[a] - rank[b]) : found;
		}
		/* Sort from .. to - 1 by next name and go one frame on; group(name, from, to, value)
		 * is called for each name.  Returns the value of the stacks that end. */
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

	/* What is to be expanded: path[step] is the only child to follow; NONE: no more. */
	function follower(path, least) {
		let floor = path.length ? 0 : NONE, reached = 0;

		function begins(total) {
			floor = least * total;
		}
		/* The step of a child called name with that value, of a node of that step. */
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

	/* Where each item's value went, by frame of tree. */
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

	/* "..." frames are leaves, so they stand on the root here. */
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

		if (how.path && made.reached < how.path.length) /* it goes no further here */
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
/* layers: profiles of several layers of values: differentials, animations, two metrics.
 * The tree of each view has the layers of all (profile.layerTotal).
 *
 * view(tree, settings, what) -> tree; what:
 *     { show: "union" }                 as decoded
 *     { show: "base" | "new" }          one side, as recorded
 *     { show: "gone" | "added" }        only what the new side has not, the base has not
 *     { layers: [first, last] }         the sum of a range of layers
 *     { layer: k }                      one layer (a frame of the animation, an event)
 * wanted(view)              -> what, of a view (address.js); null: as decoded
 * delta(tree, by, threshold, side, sides, sign) -> { value, change, kind, largest }, as diff.h:
 *     change: Float64Array by frame: the new side less the base, scaled so as to be
 *     comparable; by: "total" or "self"; largest: the largest of them of any frame but the
 *     root, 1 when there is none; value: change / largest in [-1, 1], 0 where kind is SAME.
 *     kind: Uint8Array of KINDS: SAME (less than threshold, a share of the whole: noise),
 *     GREW, SHRANK, NEW, GONE; the last two by the frame's total.
 *     side: the layer that is new, default 1; 0 (the base's own panel): a frame is GONE
 *     if no other layer has it, else SAME.  sides: those whose largest is one.
 *     sign: -1 exchanges grew and shrank (--negate)
 * pair(tree, frame, by, side) -> { base, new, scaledBase, scaledNew }: values as
 *     recorded and as compared
 * change(settings, whole, pair, side, wholes) -> { change, relative }, as diff_tip() says
 *     them: change "+12.34 points" where both profiles are as wide, "+12 samples" where
 *     values are not scaled, else "+12.34% of all"; relative "+50.00%", "new", "gone", "".
 *     whole: what is 100 %; wholes: the totals of base and side in it
 * metric(tree, settings)     -> { ratio, low, high }: Float64Array by frame, NaN where the
 *     denominator is 0, of settings.metric.colour: "a/b" of layer names, or
 *     "a": its share of all of a
 * valuesOf(tree, frame)      -> Array by layer: the frame's total as recorded
 * origins(tree, frame)       -> Uint8Array by frame of the decoded tree: 1 where its own value is in
 *     frame's total
 * windows(settings)          -> Array of { start, end }: of each animation layer, wall clock:
 *     "2026-11-21T10:15:02.000000000Z" */
pyrograph.layers = (function () {
	'use strict';

	const P = pyrograph.profile, N = pyrograph.number;
	const KINDS = { SAME: 0, GREW: 1, SHRANK: 2, NEW: 3, GONE: 4 };
	const BASE = 0, NEW = 1;
	const ROUNDING = 1e-12; /* a share that is nothing but the rounding of doubles */

	/* ---- views ---- */

	function wanted(view) {
		if (view.diff && view.diff.show && view.diff.show !== 'union')
			return { show: view.diff.show };
		if (view.position !== null && view.position !== undefined)
			return { layer: view.position };
		return view.span ? { layers: view.span } : null;
	}

	/* What layer has in frames of which the other layer has nothing. */
	function alone(tree, layer, other) {
		const total = P.layerTotal(tree, other);

		return P.layerSelf(tree, layer).map((value, i) => total[i] ? 0 : value);
	}

	/* The sum of layers first .. last. */
	function range(tree, first, last) {
		const self = new Float64Array(tree.count);

		if (tree.layers) { /* all of them at once, not one by one */
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

	/* Frames of the base that another layer has, too. */
	function inAnother(tree) {
		const found = new Uint8Array(tree.count), { count } = P.decoded(tree).layers;

		for (let layer = 1; layer < count; layer++) {
			const total = P.layerTotal(tree, layer);

			for (let i = 0; i < found.length; i++)
				found[i] = total[i] ? 1 : found[i];
		}
		return found;
	}

	/* By frame: side less base; of the base itself, less what no other has. */
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

	/* What of the two is more, in all of the profile. */
	function wholeOf(tree, side) {
		const all = P.decoded(tree), of = (layer) => P.scaled(all, layer, P.layerTotal(all, layer)[0]);

		return Math.max(of(BASE), of(side));
	}

	function kinds(tree, changed, side, noise) {
		const base = P.layerTotal(tree, BASE), kind = new Uint8Array(tree.count);
		const fresh = side === BASE ? inAnother(tree) : P.layerTotal(tree, side);

		for (let i = 0; i < kind.length; i++) {
			if (!base[i])
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

	function delta(tree, by, threshold = 0, side = NEW, sides = [side], sign = 1) {
		const changed = changes(tree, by, side, sign);
		const kind = kinds(tree, changed, side, Math.max(threshold, ROUNDING) * wholeOf(tree, side));
		const largest = sides.filter((other) => other !== BASE).reduce((most, other) =>
			Math.max(most, largestOf(other === side ? changed : changes(tree, by, other, sign))), 0) || 1;

		return {
			value: changed.map((change, i) => kind[i] === KINDS.SAME ? 0 :
				Math.max(-1, Math.min(1, change / largest))),
			change: changed, kind: kind, largest: largest,
		};
	}

	/* "+12.34", "0", "\u2212100" */
	function signed(percent) {
		const size = Math.abs(percent);

		return size < 0.005 ? '0' : (percent > 0 ? '+' : '\u2212') + size.toFixed(size === 100 ? 0 : 2);
	}

	function change(settings, whole, values, side, wholes) {
		const { scaledBase, scaledNew } = pair(P.decoded(whole), 0, 'total', side);
		const shares = Math.abs(scaledNew - scaledBase) <= Math.max(scaledBase, scaledNew) * 1e-6 + 1;
		const plain = !settings.scales || [BASE, side].every((k) => settings.scales[k][0] === settings.scales[k][1]);
		const before = shares ? values.base / wholes[0] || 0 : values.scaledBase;
		const after = shares ? values.new / wholes[1] || 0 : values.scaledNew;
		const grown = (settings.negate ? -1 : 1) * (after - before);
		const sign = grown > 0 ? '+' : grown < 0 ? '\u2212' : '';

		return {
			change: shares ? signed(grown * 100) + ' points'
				: plain ? sign + N.valueText(settings, Math.abs(grown))
					: signed(grown / Math.max(whole.total[0], 1) * 100) + '% of all',
			relative: !values.base ? values.new ? 'new' : '' : !values.new ? 'gone'
				: signed(grown / before * 100) + '%',
		};
	}

	function pair(tree, frame, by, side = NEW) {
		const values = valuesBy(by), base = values(tree, BASE)[frame], fresh = values(tree, side)[frame];
		const scaledBase = P.scaled(tree, BASE, base), scaledNew = P.scaled(tree, side, fresh);

		return { base: base, new: fresh, scaledBase: scaledBase, scaledNew: scaledNew };
	}

	/* ---- several events ---- */

	/* "a/b" -> [a, b], "a" -> [a]; names of layers may hold a "/" themselves. */
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

	/* By frame of tree's base: 1 if its value is in one of those of which marks is 1. */
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

	/* "2026-11-21T10:15:02.000000000Z" of nanoseconds since 1970. */
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

	return { KINDS, wanted, view, delta, pair, change, metric, valuesOf, origins, windows };
})();
/* transform: trees made of trees (profile.js says what a tree is).
 *
 * drop(tree, frame)              -> tree without that subtree
 * dropReversed(tree, path)       -> tree without the stacks whose frames, from the leaf on,
 *     begin with path (name numbers)
 * exclude, include(tree, match)  -> tree; match as of search.js: Uint8Array by name
 * hide, only(tree, names, match) -> tree
 * mergeVariants(tree, names, { annotations, generated }) -> tree: frames that differ only
 *     in annotation, or (generated) in the numbers of lambdas, hidden and generated
 *     classes, become one; it has the name of its widest variant
 * plainNames(names)              -> names without those numbers; the same Array each time
 * variantsOf(tree, names, frame) -> Map: label ("compiled", "interpreted", ...) -> value,
 *     widest first, of the frames that are merged here; null where that is not known
 * foldRecursion(tree, names, "direct" | "deep") -> tree: a;b;b;c -> a;b;c; deep:
 *     a;b;a;b;c -> a;b;c, and a;b;a -> a
 * order(tree, names, "name" | "width" | "arrival") -> tree
 * reweigh(tree, self)            -> tree with those values, without the frames that have
 *     none; its layers' values stay those of the whole subtree before
 * callees(tree, names, name)     -> tree: all outermost frames of that name number merged
 *     as root; null when there are none
 * callers(tree, names, name, { least, path }) -> tree: root that function, above it its callers;
 *     null likewise; least and path as of reverse
 * reverse(tree, names, { least, path }) -> tree merged from the leaves.  Frames narrower
 *     than least (a share of the root; 0: all of them) are not expanded: see unexpanded.
 *     path (name numbers from below the root): only what is on and above it is expanded,
 *     and least is a share of the frame at its end.
 *
 * foldedLines(tree, names, root, header) -> text: header ("# pyrograph: ..." or "") and
 *     the folded lines of root and all below it, callers included; of a chart in order of time
 * stackOf(tree, names, frame)    -> Array of names from below the root to frame
 * pathOf(tree, names, frame)     -> the same as a path, which is of this very frame: where
 *     siblings share a name (charts) the n-th in time is "name~n", the first "name"
 * nameOfStep(step)               -> the name of a path's step
 * frameOfPath(tree, names, path) -> { frame, whole }: the frame at the end of path, as far
 *     as this tree has it; whole: it has all of it */
pyrograph.transform = (function () {
	'use strict';

	const P = pyrograph.profile, M = pyrograph.merge;
	const KINDS = { j: 'compiled', 0: 'interpreted', 1: 'compiled by C1', i: 'inlined',
		k: 'kernel', w: 'waker' };

	/* ---- leaving out ---- */

	/* Only the stacks that end where ends is 1. */
	function select(tree, ends) {
		return M.compact(tree, tree.self.map((value, i) => ends[i] ? value : 0), ends);
	}

	/* By frame: 1 if it or one below it matches. */
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

	/* Without the stacks whose frames, from the leaf on, begin with path. */
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

	/* Frames of which match is not stays. */
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

			return M.compact(folded, folded.self, null); /* a;b;a is a: nothing is left of b */
		}
		const fates = new Uint8Array(tree.count);

		for (let i = 1; i < tree.count; i++) {
			if (tree.parent[i] && tree.name[i] === tree.name[tree.parent[i]])
				fates[i] = M.FATES.JOIN;
		}
		return M.regroup(tree, names, { fates: fates });
	}

	/* By name: 1 if a frame of it stands on another one. */
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

	/* com.example.A$$Lambda$12/0x00007f00 and GeneratedMethodAccessor7 without what the
	 * JVM numbers anew in each run. */
	function withoutNumbers(name) {
		return name
			.replace(/\$\$Lambda(?:\$\d+)?(?:[/.](?:0x)?[0-9a-f]+\b)?/g, '$$$$Lambda')
			.replace(/[/.+]0x[0-9a-f]{4,}/g, '')
			.replace(/(Generated(?:Serialization)?(?:Method|Constructor)Accessor)\d+/g, '$1')
			.replace(/(\$Proxy)\d+/g, '$1')
			.replace(/(\$\$(?:FastClass|Enhancer)By\w*?\$\$)[0-9a-f]{4,}/g, '$1');
	}

	const plain = new WeakMap();

	function plainNames(names) {
		if (!plain.has(names))
			plain.set(names, names.map(withoutNumbers));
		return plain.get(names);
	}

	/* The numbers of names that become one, in lists; only of names that occur. */
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
		const texts = how.generated ? plainNames(names) : names;

		for (let i = 0; i < tree.count; i++)
			weight[tree.name[i]] += tree.total[i];
		for (const same of classes(texts, weight, how.annotations)) {
			const widest = same.reduce((best, n) => weight[n] > weight[best] ? n : best);
			const first = texts.indexOf(texts[widest]); /* whoever looks for the text finds it */

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

	/* The frames of tree's base that are drawn as one of those of which marks is 1. */
	function sourcesOf(tree, marks) {
		const found = new Uint8Array(tree.sent.length), sent = tree.sent;

		for (let s = 0; s < found.length; s++)
			found[s] = sent[s] >= 0 ? marks[sent[s]] : 0;
		return found;
	}

	function variantsOf(tree, names, frame) {
		let marks = new Uint8Array(tree.count), found = new Map();

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

	/* Of the frames of that name those that stand on none of it. */
	function outermost(tree, name) {
		const frames = [];

		for (let i = 0; i < tree.count;) {
			if (tree.name[i] === name) {
				frames.push(i);
				i = tree.end[i];
			} else {
				i++;
			}
		}
		return frames;
	}

	function callees(tree, names, name) {
		const roots = outermost(tree, name);
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
		const roots = outermost(tree, name);

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

	/* A value in units of 10^-decimals as plain digits. */
	function plainValue(value, decimals) {
		const digits = value.toFixed(0).padStart(decimals + 1, '0'), point = digits.length - decimals;

		return decimals ? (digits.slice(0, point) + '.' + digits.slice(point)).replace(/\.?0*$/, '') :
			digits;
	}

	/* Call add(self) for root and each frame on it, stack being that of the frame. */
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

	/* The same in order of time: gaps, and the rest of a frame behind its children. */
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
		const top = name[0] === tree.name[0] ? [] : [names[tree.name[0]]]; /* "all" is no frame */
		const stack = root ? top.concat(stackOf(tree, names, root)) : top;

		(tree.gap ? eachMoment : eachSelf)(tree, names, root, stack, (value) => {
			if (value > 0 && stack.length)
				lines.push(stack.join(';') + ' ' + plainValue(value, decimals));
		});
		return lines.join('\n') + '\n';
	}

	/* ---- paths ---- */

	/* A name that ends like a number of siblings always has one. */
	const step = (name, n) => n > 1 || /~\d+$/.test(name) ? name + '~' + n : name;
	const nameOfStep = (text) => text.replace(/~\d+$/, '');

	/* Charts in another order have their paths from the one in time. */
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

	/* The n-th child of that name, 0 if there is none. */
	function childNamed(tree, names, frame, name, n) {
		for (let c = frame + 1; c < tree.end[frame]; c = tree.end[c]) {
			if (names[tree.name[c]] === name && --n === 0)
				return c;
		}
		return 0;
	}

	function childOfStep(tree, names, frame, text) {
		const [, name, n] = /^(.*)~(\d{1,9})$/s.exec(text) || [];

		return (n && childNamed(tree, names, frame, name, Number(n))) || childNamed(tree, names, frame, text, 1);
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

	return { drop, dropReversed, exclude, include, hide, only, mergeVariants, plainNames, variantsOf,
		foldRecursion, order, reweigh, callees, callers, reverse, foldedLines, stackOf,
		pathOf, nameOfStep, frameOfPath };
})();
/* apply: a whole view's tree; part of pyrograph.transform.
 *
 * apply(tree, names, view, how) -> { tree, whole, names, error }: all of a view at once, in this
 *     order: diff, position, span (layers.js); variants, generated; recursion; filters;
 *     sandwich, or reversed with zoom; order.  Other keys of a view (address.js) are not
 *     looked at.  names: the same numbers, but the texts of merged ones (generated) are
 *     new, so look texts up in these.  Each step's tree is kept until its part of the view changes.  error: null,
 *     or what is wrong with a filter ("Not a regular expression: (").
 *     how: { least: the share of the root that can be seen, e.g. 0.1 / 1200; settings }.
 *     callersZoom (an Array of names): as reverse's path, for a sandwich's callers.
 *     whole: the tree before the sandwich, which shares are of.
 *     A sandwich gives { tree: its callees, callers: the tree of its callers }; both null
 *     when the function is not there.  A tree that is left without values is a root of 0.
 *
 * filter(tree, names, filters) -> { tree, error }; filters, in order, each { kind, pattern,
 *     exact, ignoreCase, path, reversed }; pattern is a regexp, or a whole name if exact:
 *       "hide"     frames that match vanish; their children move to the parent and merge
 *       "only"     all other frames vanish ("hide everything but")
 *       "exclude"  stacks with a match are left out
 *       "include"  stacks without a match are left out
 *       "drop"     the subtree at path (transform.pathOf) is left out; reversed:
 *                  path is of a tree merged from the leaves */
(function () {
	'use strict';

	const S = pyrograph.search, T = pyrograph.transform, LEAST = 0.1 / 1200;

	/* A step of a path as the number of its name. */
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

	/* The steps of a view that do something: [what identifies it, how it is done]. */
	function stepsOf(names, view, how) {
		const steps = [], least = how.least || LEAST;
		const step = (key, make) => steps.push([JSON.stringify(key), make]);
		const what = pyrograph.layers.wanted(view);

		if (what)
			step(['layers', what], (tree) => pyrograph.layers.view(tree, how.settings, what));
		if (view.variants || view.generated)
			step(['variants', view.variants, view.generated], (tree) => T.mergeVariants(tree, names,
				{ annotations: view.variants, generated: view.generated }));
		if (view.recursion)
			step(['recursion', view.recursion], (tree) => T.foldRecursion(tree, names, view.recursion));
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

	const done = new WeakMap(); /* tree -> [[key, tree], ...] of the last view, step by step */

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

	const sandwiches = new WeakMap(); /* tree -> the last one made of it, and its key */

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
		const names = view.generated ? T.plainNames(baseNames) : baseNames;
		const result = run(tree, stepsOf(names, view, how));

		if (view.sandwich === null || view.sandwich === undefined)
			return { tree: result.tree, whole: result.tree, names: names, error: result.error };
		const made = sandwich(result.tree, names, view, how);

		return { tree: made.tree, callers: made.callers, whole: result.tree, names: names, error: result.error };
	}

	Object.assign(T, { filter, apply });
})();
/* layout: where frames and their labels are, by the rules of layout.c and font.c, so
 * that the script draws what C drew.  Rows count from root on; which way they go is the
 * caller's affair.
 *
 * layout(tree, root, widthPx, minWidthPx, boxesMax, crumbColour, markColour)
 *     -> { boxes: [{ frame, row, x, w }], crumbs: [the same and colour], rows }, in pixels.
 *     Crumbs are runs of narrow frames of one colour, crumbColour(frame); those of
 *     markColour (a colour, or a Set of them) are never mixed with others, nor left out.
 * rowsOf(plan, from, to)        -> the same with only what is in rows from .. to - 1
 * frameAt(tree, value, depth)   -> the frame that covers value at depth; -1 if none
 * fitText(font, name, roomPx, minChars, cut) -> name, or its beginning and ".." (cut "left":
 *     ".." and its end; "middle": both ends), or "" when less than minChars fit.
 *     font: the settings (advances of C's font), or what measured() gives
 * measured(measure, fontSize)   -> a font for fitText: measure(character) gives its width
 *     in px and is asked once for each
 * textWidth(font, text)         -> px */
pyrograph.layout = (function () {
	'use strict';

	const CPX = 100, STEP = 50, STEPS = 128, GAP = 100, PURE = 100, CRUMB_MIN = 20;
	const LONGEST = 5000; /* characters that any room holds */
	const ROUNDING = 1e-6;

	/* The least value of a box: as narrow as half a pixel, but not too many of them. */
	function boxThreshold(tree, root, width, least, boxesMax) {
		const total = tree.total[root], counts = new Uint32Array(STEPS);
		const valueOf = (w) => Math.max(1, Math.floor(total * w / width));
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

	/* How many rows, from root, hold boxesMax boxes. */
	function boxRows(tree, root, threshold, boxesMax) {
		const counts = [];
		let sum = 0, row = 0;

		for (let i = root; i < tree.end[root];) {
			if (tree.total[i] < threshold) {
				i = tree.end[i];
				continue;
			}
			const at = tree.depth[i++] - tree.depth[root];

			counts[at] = (counts[at] || 0) + 1;
		}
		for (; row < counts.length && sum + counts[row] <= boxesMax; row++)
			sum += counts[row];
		return Math.max(row, 1);
	}

	function layout(tree, root, widthPx, minWidthPx, boxesMax, crumbColour, markColour) {
		const width = Math.floor(widthPx * CPX), total = tree.total[root];

		if (!total) /* nothing is left of the profile */
			return { boxes: [{ frame: root, row: 0, x: 0, w: widthPx }], crumbs: [], rows: 1 };
		const isMark = markColour instanceof Set ? (colour) => markColour.has(colour) :
			(colour) => colour === markColour;
		const least = Math.floor(total * Math.floor(minWidthPx * CPX) / width);
		const threshold = boxThreshold(tree, root, width, least, boxesMax);
		const limit = boxRows(tree, root, threshold, boxesMax);
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
			const row = tree.depth[i] - tree.depth[root];
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

	/* The frame that covers value at depth, below or above any zoom; -1 if none. */
	function frameAt(tree, value, depth) {
		let i = 0;

		while (tree.depth[i] < depth) {
			let c = i + 1;

			while (c < tree.end[i] && tree.start[c] + tree.total[c] <= value)
				c = tree.end[c];
			if (c >= tree.end[i] || tree.start[c] > value)
				return -1;
			i = c;
		}
		return i;
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

	/* How many of chars fit into room, and how many beside the dots; all: they all do. */
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

	/* The characters in the order in which they are given up last: 1st, last, 2nd, ... */
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

	return { layout, rowsOf, frameAt, fitText, measured, textWidth };
})();
/* module: what a frame's name says of where its code is from.
 *
 * kindOf(name)   -> one of KINDS: by the annotation (frame.h), else by the shape of the name
 * moduleOf(name) -> its module, by the rules of module.h: "libc.so.6", "kernel",
 *                   "com.example", "github.com/x/y", "std", "native" */
pyrograph.module = (function () {
	'use strict';

	const KINDS = ['kernel', 'JIT', 'inlined', 'interpreted', 'waker', 'Java', 'C++', 'native',
		'folded', 'separator'];
	const ANNOTATED = { k: 'kernel', j: 'JIT', i: 'inlined', 0: 'interpreted', 1: 'JIT', w: 'waker' };
	const SUFFIX = /^\.(?:part\.|isra\.|constprop\.|cold|lto_priv\.|llvm\.)/; /* gcc, clang */
	const JAVA = /^L?(?:java|javax|jdk|net|org|com|io|sun)[/.]/;

	function annotation(name) {
		const found = /_\[([kjiw01])\]$/.exec(name);

		return found ? found[1] : '';
	}

	/* What a package can be in: up to "::", "(", "<", " " or ":". */
	function pathOf(name) {
		const path = /^[^:(< ]*/.exec(name)[0];

		return /^L[a-z].*\//.test(path) ? path.slice(1) : path;
	}

	/* "com.example" of "com.example.App.handle", "" if it has no package. */
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
		return packageOf(base) || namespaceOf(base) || 'native';
	}

	function kindOf(name) {
		const letter = annotation(name);

		if (letter)
			return ANNOTATED[letter];
		if (name === '...')
			return 'folded';
		if (name === '-' || name === '--')
			return 'separator';
		if (JAVA.test(name) || /^(?:\w+[/.])+[A-Z]\w*(?:\$\w+)*(?:\.|::)/.test(name))
			return 'Java';
		return name.includes('::') ? 'C++' : 'native';
	}

	return { KINDS, kindOf, moduleOf };
})();
/* contrast: how well a text on a colour can be read.
 *
 * parts(rgb)      -> [red, green, blue], 0 .. 255, of "#rrggbb"
 * mix(a, b, share) -> "#rrggbb" between them
 * contrast(a, b)  -> 1 .. 21 (WCAG 2.1)
 * readable(rgb)   -> "#000000" or "#ffffff", whichever contrasts more */
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
/* colour: a frame's colour, by what is asked for.
 *
 * modes(settings) -> [{ mode, label }, ...] for a menu, those that this picture has: "name"
 *     (C's colours: by name or by rules), "kind", "module", "depth", "self", "diff", "metric"
 * scheme(how)     -> { box(frame), crumb(frame), legend, text, scale }
 *     how: { mode, tree, names, colours (profile.js), settings, dark, safe, delta, by };
 *     delta is what layers.delta gave for by.  box and crumb give "#rrggbb", crumb few different ones.
 *     legend: [["#rrggbb", "label"], ...]; [] if there is nothing to say.  scale: null, or
 *     what the legend is a gradient of ("self, share of all").  text: colour of labels on
 *     the frames, in dark themes too.
 *     safe: colours that colour-blind people can tell apart.
 * safeColour(rgb) -> the colour of theirs that is nearest to one of C's, as light or dark
 * isSafe(mode)    -> whether a mode's colours are so in any case: they go from light to dark
 * kindOf, moduleOf -> as of module.js
 * searchColours(settings) -> Array of "#rrggbb": one for each search, going round
 * contrast(a, b)  -> 1 .. 21 (WCAG 2.1)
 * readable(rgb)   -> "#000000" or "#ffffff", whichever contrasts more
 * Black on any colour made here has a contrast of 4.5 at least. */
pyrograph.colour = (function () {
	'use strict';

	const { KINDS, kindOf, moduleOf } = pyrograph.module, DELTA = pyrograph.layers.KINDS;
	const TEXT = '#000000', STEPS = 8, MODULES_MAX = 11;

	/* By kind, in the order of KINDS; safe: after Okabe and Ito. */
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

	/* From little to much, in steps that look alike. */
	const RAMPS = {
		heat: { light: ['#f3efe2', '#f7c98b', '#f0643c'], dark: ['#9c9a94', '#e3b072', '#f0643c'] },
		levels: { light: ['#f6e8a6', '#9fd3a8', '#5fa3d8'], dark: ['#d8cc90', '#8cc09a', '#5fa3d8'] },
	};
	/* What the settings say when there are any (diff.c). */
	const HUES = { grew: ['#ffd6d6', '#ff5a5a'], shrank: ['#d6d6ff', '#6c6cff'], new: '#ffb52e',
		gone: '#3fbfae', same: '#ececec' };
	const SAFE_HUES = { grew: ['#ffe3c2', '#e88a1a'], shrank: ['#d3e8f8', '#4aa3e0'], new: '#f0e442',
		gone: '#00a57a', same: '#ececec' };
	/* From what degree of hue on; after Okabe and Ito. */
	const SAFE = [[0, '#e0703a'], [16, '#e69f00'], [46, '#f0e442'], [70, '#2fb38a'], [165, '#8fd6c0'],
		[195, '#56b4e9'], [255, '#cc79a7'], [345, '#e0703a']];
	const CRUMB_STEPS = 3, BETWEEN = 256, STRENGTHS = 720720;
	const STOPS = ['#5b8fd6', '#7bb2c4', '#a5c89a', '#d3d864', '#fdea45'];
	const DARK = { same: '#9c9c9c', root: '#9aa0a8', weak: 0.2 };

	/* ---- colours ---- */

	const { parts, mix, contrast, readable } = pyrograph.contrast;

	/* share in [0, 1] along the colours of a ramp. */
	function along(ramp, share) {
		const at = Math.max(0, Math.min(1, share)) * (ramp.length - 1);
		const step = Math.min(Math.floor(at), ramp.length - 2);

		return mix(ramp[step], ramp[step + 1], at - step);
	}

	/* [degrees, 0 .. 1 from grey to pure, 0 .. 1 from dark to light] */
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

			safeOnes.set(rgb, purity < 0.12 ? rgb : mix(base, '#ffffff', Math.max(0, Math.min(light - 0.4, 0.5))));
		}
		return safeOnes.get(rgb);
	}

	/* A ramp as a scheme: shareOf(frame) in [0, 1] or NaN. */
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
	const percent = (share) => (100 * share).toFixed(share < 0.1 ? 2 : 1) + '%';

	function byName(how) {
		const { colours, tree, settings } = how, seen = how.safe ? safeColour : (colour) => colour;

		if (settings.diffusion)
			return byWidth(how);
		return {
			box: (frame) => seen(colours[2 * tree.name[frame]]),
			crumb: (frame) => seen(colours[2 * tree.name[frame] + 1]),
			legend: settings.mode && settings.mode !== 'plain' ? [] : settings.legend || [],
			scale: null,
		};
	}

	/* --colordiffusion: the redder the wider. */
	function byWidth(how) {
		const { tree } = how, whole = tree.total[0] || 1;
		const colour = (share) => {
			const rest = 100 + Math.floor(150 * (1 - Math.sqrt(share)));

			return '#ff' + rest.toString(16) + rest.toString(16);
		};

		return { box: (frame) => colour(tree.total[frame] / whole), crumb: () => colour(0),
			legend: [], scale: null };
	}

	/* "all" is no function: it has a colour of its own. */
	function withRoot(made, how) {
		const { tree, settings } = how, box = made.box;
		const colour = how.dark ? DARK.root : settings.rootColour || OTHER;

		if (settings.whole && tree.name[0] === pyrograph.profile.decoded(tree).name[0])
			made.box = (frame) => frame ? box(frame) : colour;
		made.text = TEXT;
		return made;
	}

	/* One colour for each name, of a list; legend in the order of its labels. */
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

	/* The largest modules have a colour each: that of their name's hash, if it is free. */
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
			['0%', percent(most / 4 / whole), percent(most / whole)], 'self, share of all');
	}

	/* As colour_between() in C: from a (part 0) to b (part == whole), rounded down. */
	function between(a, b, part, whole) {
		const [x, y] = [parts(a), parts(b)];

		return '#' + x.map((v, i) => Math.floor((v * (whole - part) + y[i] * part) / whole)
			.toString(16).padStart(2, '0')).join('');
	}

	function byDelta(how) {
		const { change, kind, largest } = how.delta, { settings } = how;
		const hues = how.safe ? SAFE_HUES : settings.deltaHues || HUES, same = how.dark ? DARK.same : hues.same;
		/* the weaker a change, the nearer to what did not change, in the dark as well */
		const ends = (pale, strong) => [how.dark ? mix(same, strong, DARK.weak) : pale, strong];
		const grew = ends(...hues.grew), shrank = ends(...hues.shrank);
		const itself = how.by === 'self' ? ' (itself)' : '';
		const hue = (frame, part, whole) => between(...(kind[frame] === DELTA.GREW ? grew : shrank), part, whole);
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
				[same, settings.threshold ? 'unchanged (by less than ' +
					Number((100 * settings.threshold).toPrecision(6)) + '%)' : 'unchanged']],
			scale: null,
		};
	}

	/* As metrics.c. */
	function byMetric(how) {
		const { metric } = how.settings, stops = metric.stops || STOPS, none = metric.none || OTHER;
		const { ratio, low, high } = pyrograph.layers.metric(how.tree, how.settings);
		const isShare = metric.above === undefined ? !metric.colour.includes('/') :
			metric.below === undefined;
		const text = (value) => isShare ? (100 * value).toFixed(2) + '%' :
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

	const SCHEMES = { name: byName, rules: byName, kind: byKind, module: byModule, depth: byDepth,
		self: bySelf, diff: byDelta, metric: byMetric };

	function scheme(how) {
		const can = how.mode === 'diff' ? how.delta : how.mode === 'metric' ? how.settings.metric : true;

		return withRoot((can && SCHEMES[how.mode] || byName)(how), how);
	}

	function modes(settings) {
		const plain = !settings.mode || settings.mode === 'plain';
		const all = [{ mode: 'name', label: plain && settings.legend ? 'As drawn' : 'Name' },
			{ mode: 'kind', label: 'Kind' }, { mode: 'module', label: 'Module' },
			{ mode: 'depth', label: 'Depth' }, { mode: 'self', label: 'Self share' }];

		if (settings.mode === 'diff' || settings.mode === 'multiples')
			all.push({ mode: 'diff', label: 'Difference' });
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
 *     callersZoom  likewise, below the function, among its callers  zc=a;b
 *     searches   [{ pattern, ignoreCase }]                        s=regexp, si=regexp
 *     filters    [{ kind, pattern, exact, ignoreCase, path, reversed }] of apply.js
 *                hide=regexp hide==name hidei=regexp, likewise only= exclude= include=;
 *                drop=a;b, dropleaf=b;a
 *     order      null, "name", "width", "arrival"                 o=
 *     theme      "auto", "light", "dark"                          t=
 *     inverted   null or a boolean                                icicle=1, icicle=0
 *     reversed   boolean: merged from the leaves                  leaf=1
 *     sandwich   null or a name                                   f=name
 *     colour     null, "name", "kind", ... (colour.js)            c=
 *     variants, generated  booleans: merged                       v=1, g=1
 *     recursion  "", "direct" or "deep"                           r=direct
 *     diff       null or { show, by } (layers.js)                 d=gone, by=self
 *     position   null or the number of an animation's layer       at=12
 *     span       null or [first, last] layers                     span=3-9
 *     table      boolean                                          table=1
 *     safe       boolean: colours for colour-blind eyes           cb=1
 *
 * emptyView()               -> a view of which nothing was changed
 * encodeView(view)          -> text without "#"; what is as in emptyView() is left out
 * decodeView(text)          -> view; text: search and hash joined by "&", with or without
 *                              "?" and "#"; what is not understood is left out.  i=1: all
 *                              searches ignore case (old links)
 * oldFrame(text, old)       -> null, or { share, row } of the x= and y= (pixels) in links
 *                              of flamegraph.pl's pictures: where in the root's width the
 *                              frame begins, [0, 1), and how many levels above the root
 *                              it is.  old: { width, levels, frameHeight, fontSize,
 *                              inverted, subtitle } of the old picture, levels above the
 *                              root included; the others have flamegraph.pl's defaults
 * frameOfOld(tree, text, old) -> the nearest frame in the tree, or -1; old: likewise, its
 *                              levels are guessed from the tree if not given */
pyrograph.address = (function () {
	'use strict';

	const MOST = 32; /* searches, filters */
	const FILTERS = /^(hide|only|exclude|include)(i?)$/;
	const MIN_WIDTH = 0.1, PAD = 10, FRAME_PAD = 1; /* of flamegraph.pl */

	function emptyView() {
		return {
			zoom: [], callersZoom: [], searches: [], filters: [], order: null, theme: 'auto', inverted: null,
			reversed: false, sandwich: null, colour: null, variants: false, generated: false,
			recursion: '', diff: null, position: null, span: null, table: false, safe: false,
		};
	}

	/* ---- text ---- */

	/* Percent-encoded, but for what is harmless there. */
	function encoded(text) {
		return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'))
			.replace(/%(?:3A|2F|2C|40|24)/g, decodeURIComponent);
	}

	function decoded(text) {
		try {
			return decodeURIComponent(text);
		} catch (e) {
			return text;
		}
	}

	const encodedPath = (path) => path.map(encoded).join(';');
	const decodedPath = (text) => text === '' ? [] : text.split(';').map(decoded);

	/* ---- keys of one value: how it is written (null: not at all) and read ---- */

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
		c: choice('colour', 'name', 'kind', 'module', 'depth', 'self', 'diff', 'metric', 'rules'),
		v: flag('variants'),
		g: flag('generated'),
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
	};

	/* ---- views ---- */

	function filterText(filter) {
		if (filter.kind === 'drop')
			return (filter.reversed ? 'dropleaf=' : 'drop=') + encodedPath(filter.path);
		return filter.kind + (filter.ignoreCase ? 'i=' : '=') + (filter.exact ? '=' : '') +
			encoded(filter.pattern);
	}

	/* null if it is none. */
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
		const line = Math.round((y - top) / pitch); /* counted from above */

		if (!(x >= 0) || !(y >= 0))
			return null;
		return { share: Math.max(0, Math.min((x - PAD) / (width - 2 * PAD), 1)),
			row: Math.max(0, old.inverted ? line : old.levels - 1 - line) };
	}

	/* The levels that the old picture had if it was of this tree. */
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
		const slack = tree.total[0] * MIN_WIDTH / (width - 2 * PAD); /* x has one decimal */
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
/* dom: elements, texts and their widths; nothing here knows of profiles.
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

	/* An SVG element, at the end of parent when there is one. */
	function svg(name, attributes, parent) {
		const e = apply(document.createElementNS(SVG, name), attributes);

		if (parent)
			parent.appendChild(e);
		return e;
	}

	/* An HTML element; "onclick: f" listens, children are elements or text. */
	function html(name, attributes, ...children) {
		const e = apply(document.createElementNS(XHTML, name), attributes);

		e.append(...children.filter((child) => child !== null && child !== undefined));
		return e;
	}

	/* Strokes in a square of 16. */
	const ICONS = {
		up: 'M3 10.5 8 5.5l5 5', down: 'M3 5.5l5 5 5-5', back: 'M9.5 3 4.5 8l5 5',
		close: 'M4 4l8 8M12 4l-8 8', plus: 'M8 3v10M3 8h10', minus: 'M3 8h10',
		table: 'M2.5 3.5h11v9h-11zM2.5 6.5h11M8 6.5v6',
		view: 'M2 4.5h12M2 8h12M2 11.5h12', play: 'M4.5 3v10l8-5z', pause: 'M5 3v10M11 3v10',
		stepBack: 'M11 3 5 8l6 5M4 3v10', step: 'M5 3l6 5-6 5M12 3v10', home: 'M2.5 8 8 3l5.5 5M4 7v6h8V7',
		tick: 'M3 8.5l3.5 3.5L13 4.5',
	};

	function icon(name) {
		const e = svg('svg', { 'class': 'icon', viewBox: '0 0 16 16', 'aria-hidden': 'true' });

		svg('path', { d: ICONS[name] }, e);
		return e;
	}

	/* A button: content is text or an icon's name in an object { icon }. */
	function button(className, label, tip, run, content) {
		return html('button', { type: 'button', 'class': className, 'aria-label': label,
			title: tip || label, onclick: run }, content.icon ? icon(content.icon) : content);
	}

	/* Widths of texts in the font of the picture, measured once a character. */
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

		/* text, or its beginning (side "right": cut there), end ("left") or both
		 * ("middle") with dots, or "" when less than least characters fit. */
		function fit(text, room, least, side) {
			let dots, sum = 0, kept = 0;

			if (room < charWidth('.') || (text.length > 4000 && side === 'right'))
				text = text.slice(0, room);
			if (width(text) <= room)
				return text;
			const chars = Array.from(text), n = chars.length;
			const place = side === 'left' ? (i) => n - 1 - i
				: side === 'middle' ? (i) => (i % 2 ? n - 1 - (i >> 1) : i >> 1) : (i) => i;

			dots = side === 'middle' ? '\u2026' : '..';
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

	/* Also where the clipboard is not to be had (file://). */
	async function copy(text, host) {
		try {
			await navigator.clipboard.writeText(text);
			return true;
		} catch (e) {
			const area = html('textarea', { 'class': 'offscreen', 'aria-hidden': 'true' });
			const focused = document.activeElement;

			area.value = text;
			host.appendChild(area);
			area.select();
			const done = document.execCommand('copy');

			area.remove();
			if (focused && focused.focus)
				focused.focus();
			return done;
		}
	}

	/* Let the reader keep text or a Blob as a file. */
	function save(name, data, type) {
		const url = URL.createObjectURL(data instanceof Blob ? data : new Blob([data], { type: type }));
		const a = html('a', { href: url, download: name });

		document.documentElement.appendChild(a);
		a.dispatchEvent(new MouseEvent('click', { bubbles: false, cancelable: true }));
		a.remove();
		setTimeout(() => URL.revokeObjectURL(url), 60000);
	}

	return { svg, html, icon, button, ruler, copy, save };
})();
/* view: what is shown, and all that follows from it.
 *
 * app.view is the view of address.js; from it come app.tree, app.names, app.callers (of a
 * sandwich), app.whole (the tree that shares are of), app.zoom (a frame of app.tree),
 * app.searches, app.scheme.  Whoever changes
 * the view calls app.step (undone by Back and Esc) or app.touch (not so); then every
 * function given to app.onchange draws its part. */
pyrograph.ui.view = function (app) {
	'use strict';

	const T = pyrograph.transform, S = pyrograph.search, C = pyrograph.colour;
	const LY = pyrograph.layers, settings = app.settings;
	const prefersDark = window.matchMedia('(prefers-color-scheme: dark)');
	const listeners = [];
	let searchesOf = '', searchNames = null; /* what app.searches was made of */

	app.view = pyrograph.address.emptyView();
	app.pinned = 0;         /* so many of view.searches are chips, one more is in the box */
	app.picked = -1;        /* name number that the table highlights */
	app.tree = app.base;
	app.callers = null;
	app.whole = app.base;
	app.zoom = 0;
	app.panels = [];

	app.onchange = (listener) => listeners.push(listener);
	app.isDark = () => {
		if (app.host)
			return !app.onPaper && app.host.isDark();
		const theme = app.view.theme !== 'auto' ? app.view.theme : settings.theme || 'auto';

		return !app.onPaper && (theme === 'auto' ? prefersDark.matches : theme === 'dark');
	};
	/* Paper begins with the root, within another picture that is not to end with it. */
	app.isInverted = () => app.host && app.onPaper ? true : app.view.inverted === null ? Boolean(settings.inverted) : app.view.inverted;
	app.order = () => app.view.order || settings.order || 'name';

	function makeTree() {
		const view = settled(app.view);
		const how = { least: settings.minWidth / Math.max(app.graphWidth(), 1), settings: settings };
		let made = T.apply(app.base, app.baseNames, view, how), error = made.error || '';

		if (!made.tree) { /* the function is not in this profile */
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
		if (moved || app.zoomPath !== app.view.zoom) {
			const { frame, whole } = T.frameOfPath(app.tree, app.names, app.view.zoom);

			app.zoomPath = app.view.zoom;
			app.zoom = frame;
			app.missing = whole ? '' : app.view.zoom.slice(app.tree.depth[frame]).join(' \u203a ');
		}
		app.filterError = error || (app.missing && settings.mode !== 'animate' ? 'Not in this profile: ' + app.missing : '');
		return moved;
	}

	/* What the picture has: one of its layers; of several profiles callers and callees are
	 * of one. */
	function settled(view) {
		if (view.position !== null && view.position >= (settings.layers || []).length)
			view.position = null;
		if (settings.mode === 'multiples' && view.sandwich && view.position === null)
			view.position = 0;
		return view;
	}

	/* app.searches: [{ pattern, ignoreCase, match, error, colour }], app.marks: by name,
	 * 1 + the number of the search that it matches, and 1 + their count if it is picked */
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
			app.marks[app.picked] = app.markColours.length;
		}
		if (app.searches.some((s) => s.waits)) /* asked again when the answer is there */
			searchesOf = '';
		app.hasMarks = app.searches.some((s) => s.match) || app.picked >= 0;
		app.markSet = new Set(app.markColours);
	}

	app.sides = new WeakMap(); /* tree -> the layer that its panel shows, of several panels */

	function makeDelta(tree, mode) {
		if (mode !== 'diff' || !settings.layers)
			return null;
		return LY.delta(tree, app.diffBy(), settings.threshold === undefined ? 0.001 : settings.threshold,
			app.sides.get(tree), settings.mode === 'multiples' ? settings.layers.map((layer, k) => k) : undefined,
			settings.negate ? -1 : 1);
	}

	/* tree's colours, kept with it */
	const schemes = new WeakMap();
	let look = null;        /* what all of them are made of, until the next refresh */

	function lookNow() {
		const mode = app.colourMode(), dark = app.isDark();

		return { mode: mode, dark: dark, key: [mode, dark, app.view.safe, mode === 'diff' && app.diffBy()].join() };
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
	app.drawnColourMode = { diff: 'diff', multiples: 'diff', metrics: 'metric' }[settings.mode] || 'name';
	app.colourMode = () => app.view.colour || app.drawnColourMode;

	app.markOf = (tree, frame) => app.hasMarks ? app.marks[tree.name[frame]] : 0;
	app.boxColour = (tree, frame) => {
		const mark = app.markOf(tree, frame);

		return mark ? app.markColours[mark - 1] : app.schemeOf(tree).box(frame);
	};

	/* Make everything anew that the view says. */
	app.refresh = () => {
		const { panel, frame } = app.cursor, kept = panel && panel === app.panels[0] && frame >= 0
			? T.pathOf(app.tree, app.names, frame) : null;
		const moved = makeTree();

		look = null;
		makeSearches();
		if (moved) /* the keys go on from the same frame, or from what is left of its stack */
			app.cursor = kept ? { panel: panel, frame: T.frameOfPath(app.tree, app.names, kept).frame }
				: { panel: null, frame: -1 };
		for (const listener of listeners)
			listener(moved);
	};
	app.touch = (changes) => {
		Object.assign(app.view, changes);
		app.refresh();
		app.links.save(false);
	};
	app.step = (changes) => {
		if ('sandwich' in changes) /* other callers */
			app.view.callersZoom = [];
		if (changes.sandwich === null && settings.mode === 'multiples') /* all profiles again */
			app.view.position = null;
		Object.assign(app.view, changes);
		app.refresh();
		app.links.save(true);
	};
	app.zoomTo = (frame) => {
		if (frame < 0 || frame === app.zoom || app.tree.folded && app.tree.folded.has(frame))
			return;
		app.view.zoom = T.pathOf(app.tree, app.names, frame);
		app.step({});
	};
	app.searchedElsewhere = () => app.refresh();

	/* Another profile of the same names comes in place of this one; the view stays.
	 * changes: of the settings. */
	app.replace = (base, changes, lines) => {
		Object.assign(settings, changes);
		app.base = base;
		app.page.setHeading(lines);
		app.refresh();
	};
	app.addFilter = (filter) => app.step({ filters: app.view.filters.concat([filter]) });

	if (!app.host)
		prefersDark.addEventListener('change', () => app.refresh());
};
/* slow: patterns that may take for ever (search.js) are tried in a Worker, which is ended
 * after a while; where there is none (some pages forbid it), the page tries them itself. */
pyrograph.ui.slow = (function () {
	'use strict';

	const S = pyrograph.search, KEPT = 32;
	const answers = new WeakMap();  /* names -> Map: the question -> what matcher returns */
	const waiting = [], listeners = [];
	let worker = null, known = null; /* the names that it has */
	let broken = false, timer = 0;

	/* What the Worker runs; nothing else of this file is there. */
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

			self.postMessage(Uint8Array.from(names, (name, i) => re.test(name) || re.test(bases[i]) ? 1 : 0));
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

	function begin() {
		const url = URL.createObjectURL(new Blob(['(' + work + ')()'], { type: 'text/javascript' }));

		worker = new Worker(url);
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
		worker.postMessage({ names: names.join('\n'), bases: names.map(pyrograph.profile.baseName).join('\n') });
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

	/* Tell app when a question has its answer. */
	return (app) => listeners.push(app.searchedElsewhere);
})();
/* page: where the parts are.  The picture that C drew gives way to
 *
 *     title                 search, buttons
 *     notes, or the path of the zoomed frame
 *     legend
 *     chips: searches and filters            only when there are any
 *     graph                 | table          each scrolls for itself
 *     layers
 *     details                       matched
 *
 * in HTML that fills the window (the picture's place, when it stands in a page; its
 * parent element, when another picture is the host: flame.js).  Where that is too low for a few
 * rows of each graph, the page scrolls. */
pyrograph.ui.page = function (app) {
	'use strict';

	const D = pyrograph.ui.dom, svg = app.svg, settings = app.settings;
	const host = app.host || null, isDocument = !host && svg === document.documentElement;
	const prefix = app.prefix || '', LEAST_HEIGHT = 160, LEAST_TABLE = 180, PANEL_GAP = 4;
	const PORTRAIT_PAGES = 2.2, LANDSCAPE_PAGES = 1.5; /* height of what is squeezed into one, in widths */
	const PAPER_WIDTH = 1000;       /* px, for text of a size that can be read */
	const part = (name, className) => D.html(name, { 'class': className });
	const page = app.page = {
		heading: part('header', 'heading'), tools: part('div', 'tools'), chips: part('div', 'chips'),
		path: part('nav', 'path'), stage: part('div', 'stage'), aside: part('aside', 'aside'),
		layers: part('div', 'layers'), legend: part('div', 'legend'), foot: part('footer', 'foot'),
		overlay: part('div', 'overlay'),
	};

	/* What C drew, of which nothing is a host's. */
	const drawn = (selector) => host ? [] : Array.from(svg.querySelectorAll(selector));

	/* Lines that C broke are one again. */
	const joined = (selector) => drawn(selector).map((text) => text.textContent).join(' ');

	app.idleText = joined('#details .details');
	app.drawnWidth = Number(svg.getAttribute('width'));
	const drawnHeight = Number(svg.getAttribute('height'));
	const fill = (drawn('#background rect')[0] || svg).getAttribute('fill') || '#ffffff';
	const family = svg.getAttribute('font-family') || 'sans-serif';

	/* "#f8f8f8", or the gradient that C drew, top to bottom */
	app.background = /^#/.test(fill) ? fill : 'linear-gradient(' +
		drawn('#background stop').map((stop) =>
			stop.getAttribute('stop-color') + ' ' + stop.getAttribute('offset')).join(',') + ')';
	/* It is for one of the themes: the dark one if white text is easier to read on it. */
	const stop = drawn('#background stop')[0];
	const top = stop ? stop.getAttribute('stop-color') : /^#/.test(fill) ? fill : '#ffffff';
	const ownIsDark = pyrograph.contrast.readable(top) === '#ffffff';

	app.ownBackground = (dark) => !host && dark === ownIsDark ? app.background : '';
	app.family = family;
	app.ruler = D.ruler(family, settings.fontSize);
	app.titleText = joined('#heading .title') || document.title;

	/* The heading's lines as they were drawn: class and text. */
	app.headingLines = drawn('#heading text').map((text) => ({
		className: text.getAttribute('class') || '', text: text.textContent,
		size: Number(text.getAttribute('font-size')) || settings.fontSize }))
		.filter((line, i) => !i || line.className !== 'title');
	if (app.headingLines.length)
		app.headingLines[0].text = app.titleText;

	const headingEnd = Math.max(0, ...drawn('#heading text').map((text) => Number(text.getAttribute('y')) || 0));
	const title = D.html(host ? 'h2' : 'h1', {}), notes = D.html('div', { 'class': 'notes' });

	app.captions = drawn('#captions text').map((text) => text.textContent);
	page.heading.id = prefix + 'heading';

	/* lines: [{ className, text, size }, ...], the title first */
	page.setHeading = (lines) => {
		app.headingLines = lines;
		title.hidden = !lines.length;
		title.className = lines.length ? lines[0].className : '';
		title.textContent = lines.length ? lines[0].text : '';
		notes.replaceChildren(...lines.slice(1).map((line) => D.html('div', { 'class': line.className }, line.text)));
		if (host && lines.length)
			app.titleText = lines[0].text;
	};
	page.setHeading(host ? host.heading : app.headingLines);

	/* the path takes the place of the notes, so that the frames stay where they are */
	page.heading.append(title, page.tools, notes, page.path);
	page.body = D.html('div', { 'class': 'body', role: isDocument ? 'main' : 'region',
		'aria-label': settings.chartName || 'Flame graph' }, page.stage, page.aside);
	page.foot.id = prefix + 'details';
	/* of a host's room there is less: controls of layers stand beside the legend */
	page.sheet = host ? D.html('div', { 'class': 'sheet' }, page.heading, D.html('div', { 'class': 'above' }, page.legend, page.layers),
		page.chips, page.body, page.foot)
		: D.html('div', { 'class': 'sheet' }, page.heading, page.legend, page.chips, page.body, page.layers, page.foot);
	page.element = D.html('div', { 'class': host ? 'pyrograph embedded' : 'pyrograph' }, page.sheet,
		host && host.boxes ? null : page.overlay);
	page.element.style.fontFamily = family;
	page.element.style.fontSize = settings.fontSize + 'px';
	if (host && host.boxes) /* menus and tips have the whole page of the host */
		host.boxes.append(page.overlay);
	page.heading.style.minHeight = headingEnd + 4 + 'px';
	page.aside.hidden = page.chips.hidden = page.path.hidden = page.legend.hidden = page.layers.hidden = true;
	page.frame = host ? null : D.svg('foreignObject', { 'class': 'page', x: 0, y: 0 });
	if (!host)
		page.frame.appendChild(page.element);

	/* Width and height in px of the picture's place. */
	function room() {
		if (isDocument) { /* innerWidth grows with what stands out of a phone's screen */
			return [svg.clientWidth || window.innerWidth, svg.clientHeight || window.innerHeight];
		}
		const width = app.drawnWidth;

		page.element.style.height = 'auto';
		return [width, Math.max(LEAST_HEIGHT, Math.min(Math.max(page.sheet.scrollHeight, drawnHeight),
			Math.max(drawnHeight, 400), Math.max(window.innerHeight, 400)))];
	}

	/* What the graphs need at least, and a table that is below them. */
	page.makeRoom = () => {
		const panels = app.panels.filter((panel) => !panel.element.hidden);
		const graphs = panels.reduce((sum, panel) => sum + panel.least + PANEL_GAP, 0);
		const isBelow = !page.aside.hidden && getComputedStyle(page.body).flexDirection === 'column';

		page.stage.style.minHeight = graphs + 'px';
		page.body.style.minHeight = graphs + (isBelow ? Math.min(page.aside.scrollHeight, LEAST_TABLE) : 0) + 'px';
	};

	/* Fit into the window. */
	page.resize = () => {
		page.makeRoom();
		if (host) /* it gives place and size */
			return;
		const [width, height] = app.onPaper ? paperSize() : room();

		page.element.style.width = width + 'px';
		page.element.style.height = height + 'px';
		for (const e of [svg, page.frame]) {
			e.setAttribute('width', width);
			e.setAttribute('height', height);
		}
	};

	/* ---- paper ---- */

	/* All rows, as wide as paper is drawn, and the paper's width and height on screen. */
	function paperSize() {
		page.element.style.width = PAPER_WIDTH + 'px';
		page.element.style.height = 'auto';
		return [PAPER_WIDTH, Math.ceil(page.element.getBoundingClientRect().height)];
	}

	/* The picture is drawn for paper and scaled to it: to its width, and to its height as
	 * well when it would not be much longer.  In light colours, all rows of it. */
	function print(on) {
		if (!(isDocument || host) || Boolean(app.onPaper) === on)
			return;
		app.onPaper = app.allRows = on;
		page.element.classList.toggle('on-paper', on);
		app.refresh();
		if (host) /* it prints itself, and this with it */
			return;
		if (on) {
			app.drawAll();  /* now that the page is as wide as paper */
			page.resize();
			const high = Number(svg.getAttribute('height')) / PAPER_WIDTH;

			svg.setAttribute('viewBox', '0 0 ' + PAPER_WIDTH + ' ' + svg.getAttribute('height'));
			svg.classList.toggle('one-tall', high < PORTRAIT_PAGES);
			svg.classList.toggle('one-wide', high < LANDSCAPE_PAGES);
		} else {
			svg.removeAttribute('viewBox');
			page.resize();
			app.drawAll();
		}
	}
	page.print = print;
	if (!host) {
		window.addEventListener('beforeprint', () => print(true));
		window.addEventListener('afterprint', () => print(false));
	}

	/* Phones take a document without it for one made for wide screens. */
	function asWideAsTheScreen() {
		if (isDocument) {
			svg.prepend(D.html('meta', { name: 'viewport',
				content: 'width=device-width, initial-scale=1' }));
		}
	}

	/* Take the place of what C drew. */
	page.open = () => {
		if (host) {
			host.place.append(page.element);
			page.resize();
			return;
		}
		asWideAsTheScreen();
		for (const g of svg.querySelectorAll(':scope > g:not(#background)'))
			g.remove();
		svg.classList.add('live');
		svg.removeAttribute('viewBox');
		svg.appendChild(page.frame);
		page.resize();
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
		window.addEventListener('resize', () => page.resize());
};
/* panel: one flame graph on the page: its rows, the outline under the pointer, the frame
 * that has the focus.  Only rows in the window and a margin exist as elements. */
pyrograph.ui.panel = function (app, options) {
	'use strict';

	const D = pyrograph.ui.dom, L = pyrograph.layout, settings = app.settings;
	const LABEL_INSET = 3, LABEL_MIN_CHARS = 3, LEAST_GRAPH = 240;
	const MARGIN_ROWS = app.host ? 6 : 30;
	const LEAST_ROWS = app.host ? 3 : 9;
	/* in a window's worth of rows; a host's ranges go by one after the other */
	const BOXES_MAX = 30000, ELEMENTS_MAX = app.host ? 1000 : 3000;
	const pitch = settings.frameHeight, pad = settings.pad;

	/* options: name (of the panel, for readers of screens), tree() and zoom() that it
	 * shows, inverted(), least rows, zoomTo(frame), title element or null */
	const frames = D.svg('g', { id: options.id && (app.prefix || '') + options.id, role: 'none' }); /* else its frames are no items of the tree */
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
	let plan = null, rows = 1, width = 0, drawn = [0, 0];
	let below = 0; /* px between the root and the window's lower edge */
	let size = '';  /* of the window and of what is in it, when that was told */

	graph.append(frames, outline, focus);

	const inner = () => width - 2 * pad;
	const rowTop = (row) => (options.inverted() ? row : rows - 1 - row) * pitch;

	panel.nameOf = (frame) => pyrograph.profile.baseName(app.names[panel.tree.name[frame]]);

	/* x and width in px of a frame as zoomed; frames that the zoom stands on are all wide */
	panel.place = (frame) => {
		const tree = panel.tree, zoom = panel.zoom, shown = frame > zoom && frame < tree.end[zoom];

		return {
			x: pad + (shown ? (tree.start[frame] - tree.start[zoom]) / tree.total[zoom] * inner() : 0),
			y: rowTop(tree.depth[frame]),
			w: shown ? Math.max(tree.total[frame] / tree.total[zoom] * inner(), 1) : inner(),
		};
	};

	function drawBox(parent, frame, row, x, w, className) {
		const y = rowTop(row), rect = D.svg('rect', { x: x + pad, y: y, width: w, height: pitch - 1,
			fill: app.boxColour(panel.tree, frame), 'class': className || null, role: 'treeitem', 'data-frame': frame,
			'aria-level': row + 1, 'aria-label': app.tip(panel, frame) }, parent);
		const label = app.ruler.fit(panel.nameOf(frame), w - 2 * LABEL_INSET, LABEL_MIN_CHARS,
			settings.truncate || 'right');

		if (settings.strokeColour)
			rect.setAttribute('stroke', settings.strokeColour);
		if (panel.tree.folded && panel.tree.folded.has(frame))
			rect.classList.add('folded');
		if (label)
			D.svg('text', { x: x + pad + LABEL_INSET, y: y + (pitch - 1) / 2 + settings.fontSize * 0.36,
				'class': className || null, 'aria-hidden': 'true' }, parent).textContent = label;
	}

	/* One path a colour, the marked ones above the others. */
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

	/* More boxes than a browser takes at once as elements: the narrow ones as shapes. */
	function thinned(part) {
		if (part.boxes.length <= ELEMENTS_MAX)
			return part;
		const widths = Float64Array.from(part.boxes, (box) => box.w).sort();
		const least = widths[widths.length - 1 - ELEMENTS_MAX];
		const narrow = part.boxes.filter((box) => box.w <= least);

		return { boxes: part.boxes.filter((box) => box.w > least), crumbs: part.crumbs.concat(
			narrow.map((box) => Object.assign({}, box, { colour: app.boxColour(panel.tree, box.frame) }))) };
	}

	/* The rows that are in the window: [first, last + 1], from the root. */
	function windowRows(margin) {
		const from = Math.floor(scroll.scrollTop / pitch) - margin;
		const to = Math.ceil((scroll.scrollTop + scroll.clientHeight) / pitch) + margin;

		if (app.allRows)
			return [0, rows];
		return options.inverted() ? [Math.max(from, 0), Math.min(to, rows)]
			: [Math.max(rows - to, 0), Math.min(rows - from, rows)];
	}

	function paint() {
		const tree = panel.tree, fresh = document.createDocumentFragment(), base = tree.depth[panel.zoom];
		const [from, to] = drawn = windowRows(MARGIN_ROWS);
		const part = thinned(L.rowsOf(plan, from - base, to - base));

		for (let a = panel.zoom; a;) {
			a = tree.parent[a];
			if (tree.depth[a] >= from && tree.depth[a] < to)
				drawBox(fresh, a, tree.depth[a], 0, inner(), 'parent');
		}
		drawCrumbs(fresh, part.crumbs, base);
		for (const box of part.boxes)
			drawBox(fresh, box.frame, base + box.row, box.x, box.w, '');
		frames.replaceChildren(fresh);
	}

	/* ---- what of the rows is in the window ---- */

	const edge = () => Math.max(0, scroll.scrollHeight - scroll.clientHeight - scroll.scrollTop);

	const sizeNow = () => scroll.clientHeight + ' ' + scroll.scrollHeight;

	/* Browsers hold on to the upper edge when rows or room change; here it is the root's. */
	function keepRoot() {
		if (!options.inverted())
			scroll.scrollTop = scroll.scrollHeight - scroll.clientHeight - below;
		size = sizeNow();
	}

	function scrollTo(top) {
		scroll.scrollTop = Math.max(0, Math.min(top, scroll.scrollHeight));
		below = edge();
		paintIfNeeded();
	}

	/* Some rows can be seen in the lowest window: the page scrolls then. */
	function makeRoom() {
		const graphs = Math.min(rows, LEAST_ROWS) * pitch;

		panel.least = graphs + (panel.title ? panel.title.offsetHeight : 0);
		scroll.style.minHeight = graphs + 'px';
		element.style.minHeight = panel.least + 'px';
	}

	/* "12 more rows", where they are out of the window */
	function showMore() {
		const used = plan ? plan.rows + panel.tree.depth[panel.zoom] : 0, top = Math.max(0, scroll.scrollTop);
		const out = options.inverted() ? rows - Math.floor((top + scroll.clientHeight + 1) / pitch)
			: Math.floor(top / pitch) - (rows - used);

		more.hidden = !plan || out < 1 || !scroll.clientHeight;
		more.classList.toggle('at-end', options.inverted());
		more.textContent = (options.inverted() ? '\u2193 ' : '\u2191 ') + out.toLocaleString('en') +
			(out === 1 ? ' more row' : ' more rows');
	}

	/* Draw the panel anew: after a change of the view or of its size. */
	panel.draw = () => {
		const tree = panel.tree = options.tree(), zoom = panel.zoom = options.zoom();
		const scheme = app.schemeOf(tree), base = tree.depth[zoom];
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
		plan = L.layout(tree, zoom, inner(), settings.minWidth, BOXES_MAX, crumb, app.markSet);
		const windows = Math.ceil(plan.rows * pitch / window.innerHeight);

		if (windows > 2) /* each window's worth of rows has its share of boxes */
			plan = L.layout(tree, zoom, inner(), settings.minWidth, BOXES_MAX * windows, crumb, app.markSet);
		rows = Math.max(options.leastRows(), base + plan.rows);
		graph.setAttribute('width', width);
		graph.setAttribute('height', rows * pitch);
		graph.style.setProperty('--label', scheme.text);
		makeRoom();
		keepRoot();
		paint();
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
	/* Readers of screens learn which frame has the focus by its id. */
	function announce(frame) {
		const old = frames.querySelector('[id]'), now = frame < 0 ? null
			: frames.querySelector('[data-frame="' + frame + '"]');

		if (old)
			old.removeAttribute('id');
		graph.removeAttribute('aria-activedescendant');
		if (now) {
			now.id = (app.prefix || '') + 'frame-' + frame;
			graph.setAttribute('aria-activedescendant', now.id);
		}
	}
	panel.outline = (frame) => surround(outline, frame);

	/* The frame that keys move from; into the window with it if it must be seen. */
	panel.focus = (frame, reveal) => {
		surround(focus, frame);
		announce(frame);
		if (frame < 0 || !reveal)
			return;
		const top = rowTop(panel.tree.depth[frame]);

		if (top < scroll.scrollTop)
			scrollTo(top - pitch);
		else if (top + pitch > scroll.scrollTop + scroll.clientHeight)
			scrollTo(top + 2 * pitch - scroll.clientHeight);
	};
	panel.showRoot = () => scrollTo(options.inverted() ? 0 : scroll.scrollHeight);
	/* A window's worth of rows up (-1) or down; Infinity: as far as it goes. */
	panel.page = (step) => scrollTo(scroll.scrollTop + (isFinite(step) ?
		step * Math.max(scroll.clientHeight - 2 * pitch, pitch) : step * scroll.scrollHeight || 0));

	/* The frame at a place of the window, however narrow; -1 if none. */
	panel.frameAt = (clientX, clientY) => {
		const box = graph.getBoundingClientRect(), scale = box.width / width || 1;
		const x = (clientX - box.left) / scale - pad, line = Math.floor((clientY - box.top) / scale / pitch);
		const row = options.inverted() ? line : rows - 1 - line, tree = panel.tree, zoom = panel.zoom;

		if (x < 0 || x >= inner() || row < 0 || row >= rows)
			return -1;
		return L.frameAt(tree, tree.start[zoom] + x / inner() * tree.total[zoom], row);
	};

	/* For export.js: what is drawn when all rows are. */
	panel.picture = () => {
		paint();
		return { width: width, height: rows * pitch, frames: frames };
	};

	function paintIfNeeded() {
		const [from, to] = windowRows(0);

		if (plan && (from < drawn[0] || to > drawn[1]))
			paint();
	}
	scroll.addEventListener('scroll', () => { /* once a frame */
		if (size === sizeNow()) /* else it is of another room, and keepRoot() comes */
			below = edge();
		paintIfNeeded();
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
		paintIfNeeded();
		showMore();
	}).observe(scroll);
	return panel;
};
/* stage: the panels that are shown: one graph, callers and callees of a sandwich, or one
 * for each of several profiles; pointer and fingers on them. */
pyrograph.ui.stage = function (app) {
	'use strict';

	const D = pyrograph.ui.dom, LY = pyrograph.layers, settings = app.settings, stage = app.page.stage;
	const LONG_PRESS_MS = 500, MOVED_PX = 8;
	const main = pyrograph.ui.panel(app, { id: 'frames', name: 'Flame graph', tree: () => app.tree,
		zoom: () => app.zoom, inverted: app.isInverted,
		leastRows: () => app.isWhole() && !app.host ? settings.rows : 1, zoomTo: (frame) => app.zoomTo(frame) });
	let shape = '', flipped = app.isInverted();

	app.isWhole = () => app.tree === app.base;
	app.cursor = { panel: null, frame: -1 };
	app.panels = [main];
	stage.appendChild(main.element);
	app.graphWidth = () => (settings.fluid ? main.scroll.clientWidth || app.drawnWidth : app.drawnWidth) -
		2 * settings.pad;

	/* ---- panels ---- */

	function heading(text) {
		return D.html('h2', { 'class': 'panel-title' }, text);
	}

	/* Callees stand on the function, callers hang below it; in an icicle the other way. */
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
		return panel;
	}

	/* "Callers › read › main", where one of them is zoomed */
	function showCallersPath() {
		const panel = app.panels[1], { tree, zoom } = panel, parts = [];

		for (let f = zoom; f; f = tree.parent[f])
			parts.unshift(' \u203a ', app.crumb(tree, f, panel.zoomTo));
		panel.title.replaceChildren('Callers', ...zoom ? [' \u203a ', app.crumb(tree, 0, panel.zoomTo)] : [], ...parts);
	}

	/* One profile of several, drawn from its own values. */
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
				const { frame, whole } = pyrograph.transform.frameOfPath(panel.treeNow(), app.names, app.view.zoom);
				const depth = panel.treeNow().depth[frame];

				absent.textContent = whole ? '' : ' \u00b7 not here: ' + app.view.zoom.slice(depth).join(' \u203a ');
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
			: wanted === 'multiples' ? [main].concat(settings.layers.map((layer, k) => layerPanel(k))) : [main];
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

	/* Shares in a sandwich are of all, not of the function. */
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

	/* Where a frame of app.tree can be seen: { panel, frame }. */
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
			app.say(app.describe(panel, frame));
	};

	/* ---- pointer ---- */

	function clicked(panel, frame, event) {
		if (frame < 0 || app.menuJustClosed())
			return;
		if (event.altKey) {
			app.frameAct('drop', panel, frame);
		} else if (panel.touched) { /* the first tap selects, the second zooms */
			const second = app.cursor.panel === panel && app.cursor.frame === frame;

			app.moveTo(panel, frame);
			if (second)
				panel.zoomTo(frame);
		} else {
			app.cursor = { panel: panel, frame: frame };
			panel.zoomTo(frame);
		}
	}

	function openMenuAt(panel, frame, x, y) {
		if (frame < 0)
			return;
		app.moveTo(panel, frame);
		app.openFrameMenu(panel, frame, x, y);
	}

	function listen(panel) {
		const graph = panel.graph;
		let press = 0, from = null, long = false;

		graph.addEventListener('pointermove', (event) => {
			if (event.pointerType !== 'touch')
				app.hover(panel, panel.frameAt(event.clientX, event.clientY), event.clientX, event.clientY);
			else if (from && Math.hypot(event.clientX - from[0], event.clientY - from[1]) > MOVED_PX)
				clearTimeout(press);
		});
		graph.addEventListener('focus', () => { /* by the Tab key: say where it is */
			if ((app.cursor.panel !== panel || app.cursor.frame < 0) && graph.matches(':focus-visible'))
				app.moveTo(panel, panel.zoom);
		});
		graph.addEventListener('pointerleave', () => app.hover(panel, -1));
		graph.addEventListener('pointerdown', (event) => {
			panel.touched = event.pointerType === 'touch';
			long = false;
			clearTimeout(press);
			if (!panel.touched)
				return;
			from = [event.clientX, event.clientY];
			press = setTimeout(() => {
				long = true;
				openMenuAt(panel, panel.frameAt(from[0], from[1]), from[0], from[1]);
			}, LONG_PRESS_MS);
		});
		for (const end of ['pointerup', 'pointercancel'])
			graph.addEventListener(end, () => clearTimeout(press));
		graph.addEventListener('click', (event) => {
			if (!long)
				clicked(panel, panel.frameAt(event.clientX, event.clientY), event);
		});
		graph.addEventListener('contextmenu', (event) => {
			event.preventDefault();
			if (event.button === 2 && !panel.touched)
				openMenuAt(panel, panel.frameAt(event.clientX, event.clientY), event.clientX, event.clientY);
		});
		panel.scroll.addEventListener('scroll', app.hideTip);
	}
	listen(main);
};
/* compare: what is said of a frame that has several values: both sides of a differential,
 * each event of two metrics.  The words are those of diff.c and metrics.c. */
pyrograph.ui.compare = function (app) {
	'use strict';

	const P = pyrograph.profile, N = pyrograph.number, LY = pyrograph.layers, settings = app.settings;
	const EVENTS_MAX = 4; /* whose totals profile.js keeps */
	const value = (v) => N.valueText(settings, v), bare = (v) => N.bareText(settings, v);

	/* "12.34%", "0%" */
	const share = (part, whole) => part ? N.percentText(part, whole) : '0%';

	/* Does a panel show the difference of two profiles? */
	app.isCompared = (panel) => settings.mode === 'diff' ||
		(settings.mode === 'multiples' && app.sides.get(panel.tree) > 0);

	const sideOf = (panel) => app.sides.get(panel.tree) || 1;
	const nameOf = (layer, standard) => settings.layers[layer].name || standard;

	/* All of a layer, in what is left by the filters. */
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

	/* What stands in a frame's brackets, or null where it is its one value. */
	app.layersText = (panel, frame) => app.isCompared(panel) ? sidesText(panel, frame, 'total') : null;
	app.layersSelfText = (panel, frame) => app.isCompared(panel) ? sidesText(panel, frame, 'self') : null;

	const unitOf = (layer) => Object.assign({}, settings, { unit: layer.name });

	/* "; 330 instructions, 48.74%" of the events that are not the width */
	function eventsText(values) {
		return settings.layers.map((layer, k) => layer.name === settings.metric.width ? ''
			: '; ' + N.valueText(unitOf(layer), values[k]) + ', ' + share(values[k], app.layerWhole(k))).join('');
	}

	const isMetric = settings.mode === 'metrics', areFew = isMetric && settings.layers.length <= EVENTS_MAX;

	/* "; 330 instructions, 48.74%; instructions/cycles 1.571"; many events are for one frame only */
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
			app.layerWhole(k) ? share(values[k], app.layerWhole(k)) : '', '']).concat([[settings.metric.colour,
			ratioText(panel.tree, frame), '', '']]);
	}

	app.layerRows = (panel, frame) => app.isCompared(panel) ? sideRows(panel, frame)
		: settings.mode === 'metrics' ? eventRows(panel, frame) : [];
};
/* tip: the box beside the pointer; what is in it is its user's. */
pyrograph.ui.tip = function (app) {
	'use strict';

	const REST_MS = 300, AWAY = 14;
	const tip = app.tipBox = pyrograph.ui.dom.html('div', { 'class': 'tip', role: 'tooltip', hidden: true });
	let resting = 0, idleSince = -Infinity;

	app.page.overlay.appendChild(tip);

	/* Beside the point, inside the window. */
	function put(x, y) {
		const page = app.page.overlay.getBoundingClientRect();
		const w = tip.offsetWidth, h = tip.offsetHeight;
		let left = x - page.left + AWAY, top = y - page.top + AWAY;

		if (left + w > page.width - 4)
			left = Math.max(4, Math.min(x - page.left - w - AWAY, page.width - w - 4));
		if (top + h > page.height - 4)
			top = Math.max(4, y - page.top - h - AWAY);
		tip.style.left = left + 'px';
		tip.style.top = top + 'px';
	}

	app.hideTip = () => {
		clearTimeout(resting);
		if (!tip.hidden)
			idleSince = performance.now();
		tip.hidden = true;
	};

	/* Soon; at once while the pointer goes from one thing to the next. */
	app.showTip = (fill, x, y) => {
		const show = () => {
			fill();
			tip.hidden = false;
			put(x, y);
		};

		clearTimeout(resting);
		if (!tip.hidden || performance.now() - idleSince < REST_MS)
			show();
		else
			resting = setTimeout(show, REST_MS);
	};
};
/* details: what is said of a frame: the line below, in the box beside the pointer, and to
 * readers of screens. */
pyrograph.ui.details = function (app) {
	'use strict';

	const D = pyrograph.ui.dom, P = pyrograph.profile, N = pyrograph.number, T = pyrograph.transform;
	const settings = app.settings;
	const NAME_LINES_PX = 2400;
	const idleText = app.idleText; /* as drawn; "" of a profile that a host gives */
	const line = D.html('span', { 'class': 'details' });
	const spoken = D.html('span', { 'class': 'offscreen', 'aria-live': 'polite' });

	/* "1,234 more, narrower than 0.003%, are folded into ...": stays, whatever is shown */
	const folding = (/; ([\d,]+ more, .*)$/.exec(idleText) || [])[1] || (settings.folded || 0).toLocaleString('en') +
		' more, too narrow, are folded into "..."';

	const foldingPart = D.html('span', { 'class': 'folding' }, folding);

	app.page.foot.append(line, foldingPart, spoken);
	if (app.host)
		app.page.foot.append(D.html('span', { 'class': 'whose-keys' }, 'Keys: flame graph \u00b7 Esc: heat map'));

	const value = (v) => N.valueText(settings, v);

	/* What shares are of: [[words, words of a table's head, value], ...]: all that is left by
	 * the filters; then what is zoomed if the frame is in it, or a sandwich's function. */
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
		return value(v) + ', ' + (bases.length === 1 ? N.percentText(v, bases[0][2]) : bases.map(([words, , whole]) =>
			N.percentText(v, whole) + ' of ' + words).join(', '));
	}

	/* "write (35 samples, 44.87% of all, 76.09% of the zoomed frame)" */
	app.tip = (panel, frame) => {
		const folded = panel.tree.folded && panel.tree.folded.get(frame);

		return panel.nameOf(frame) + ' (' + (folded ? folded.toLocaleString('en') + ' frames, ' : '') +
			(app.layersText(panel, frame) || withShares(panel.tree.total[frame], basesOf(panel, frame)) +
			app.metricText(panel, frame)) + ')';
	};
	/* Of a function's callers, its own. */
	const selfOf = ({ tree }, frame) => tree === app.callers && !frame ? app.tree.self[0] : P.ownSelf(tree)[frame];

	app.describe = (panel, frame) => {
		const self = selfOf(panel, frame), text = settings.nametype + ' ' + app.tip(panel, frame) + ', self ';

		return text + (app.layersSelfText(panel, frame) || value(self) + ', ' +
			N.percentText(self, basesOf(panel, frame)[0][2]) + app.manyEventsText(panel, frame));
	};

	/* "Function: write, 2 frames together (44 samples, 56.41%), self ...; the widest: ..." */
	app.showSums = (panel, frame, row) => {
		const { frames, total, self } = row, whole = basesOf(panel, 0)[0][2];

		if (frames > 1)
			showLine(settings.nametype + ' ' + panel.nameOf(frame) + ', ' + frames.toLocaleString('en') +
				' frames together (' + value(total) + ', ' + N.percentText(total, whole) + ' of all), self ' + value(self) +
				', ' + N.percentText(self, whole) + '; the widest of them ' + withShares(panel.tree.total[frame],
				basesOf(panel, frame)));
	};

	/* Rows of the box: [label, value, share of all, share of the zoomed frame]. */
	function figures(panel, frame) {
		const bases = basesOf(panel, frame);
		const row = (label, v) => [label, value(v), N.percentText(v, bases[0][2]),
			bases[1] ? N.percentText(v, bases[1][2]) : ''];

		return app.isCompared(panel) ? [] : [['', '', 'of all', bases[1] ? 'of ' + bases[1][1] : ''],
			row('total', panel.tree.total[frame]), row('self', selfOf(panel, frame))];
	}

	/* What else there is to say of a frame. */
	function notes(panel, frame) {
		const tree = panel.tree, out = [], folded = tree.folded && tree.folded.get(frame);
		const variants = app.view.variants || app.view.generated ? T.variantsOf(tree, app.names, frame) : null;
		const link = app.attributesOf(panel, frame);

		if (folded)
			out.push('stands for ' + folded.toLocaleString('en') + ' frames too narrow to be kept');
		if (variants && variants.size > 1) {
			out.push(Array.from(variants, ([label, v]) => label + ' ' + N.bareText(settings, v)).join(', '));
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
		const table = D.html('table', {}), rows = figures(panel, frame).concat(app.layerRows(panel, frame));

		for (const cells of rows) {
			table.appendChild(D.html('tr', { 'class': cells[0] ? null : 'tip-head' }, ...cells.map((cell, i) =>
				D.html(i ? 'td' : 'th', {}, cell))));
		}
		app.tipBox.replaceChildren(D.html('div', { 'class': 'tip-name' }, name), table,
			...notes(panel, frame).map((text) => D.html('div', { 'class': 'tip-note' }, text)));
	}

	/* Details of a frame under the pointer at x, y; soon the box as well. */
	app.hover = (panel, frame, x, y) => {
		app.panels.forEach((p) => p.outline(p === panel ? frame : -1));
		app.showDetails(panel, frame);
		app.pointed = frame >= 0 ? { panel: panel, frame: frame } : null;
		if (frame < 0)
			app.hideTip();
		else
			app.showTip(() => fill(panel, frame), x, y);
	};

	const levels = new WeakMap(); /* tree -> of frames */

	function levelsOf(tree) {
		if (!levels.has(tree))
			levels.set(tree, tree.depth.reduce((most, depth) => Math.max(most, depth), 0) + 1);
		return levels.get(tree);
	}

	/* "14 frames, 7 deep", of what is shown */
	function idleLine() {
		const { tree } = app, base = app.base.count - app.base.folded.size;

		if (tree === app.base && idleText)
			return idleText.replace(/; [\d,]+ more, .*$/, '');
		if (!tree.total[0])
			return 'No frames, of ' + base.toLocaleString('en');
		const count = tree.count - tree.folded.size;

		return count.toLocaleString('en') + (count === 1 ? ' frame, ' : ' frames, ') + levelsOf(tree).toLocaleString('en') + ' deep';
	}

	function showLine(text, idle) {
		line.textContent = text;
		line.classList.toggle('idle', Boolean(idle));
		line.title = text;
	}

	/* The line below; panel null or frame -1: what is zoomed. */
	app.showDetails = (panel, frame) => {
		const main = app.firstPanel();

		if (panel && frame >= 0)
			showLine(app.describe(panel, frame));
		else
			showLine(main && main.zoom ? 'Zoomed: ' + app.tip(main, main.zoom) : idleLine(), true);
	};
	app.say = (text) => {
		spoken.textContent = text;
	};

	/* What --nameattr says of a name, or null; links only to where links may go. */
	app.attributesOf = (panel, frame) => {
		const all = settings.attributes, origin = panel.tree.name[frame];
		const found = all && all[origin];

		if (!found)
			return null;
		return Object.assign({}, found, { href: /^(https?:|ftp:|mailto:|[^:]*$)/i.test(found.href || '')
			? found.href : undefined });
	};
	/* ---- what a step did, for who does not see it ---- */

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
			words.push(view.sandwich ? 'Callers and callees of ' + P.baseName(view.sandwich) : 'The whole graph');
		if (view.reversed !== before.reversed)
			words.push(view.reversed ? 'Merged from the leaves' : 'Merged from the root');
		if (app.zoom !== before.frame && app.zoom)
			words.push('Zoomed: ' + app.tip(app.panels[0], app.zoom));
		else if (view.zoom.length < before.zoom.length && !app.zoom)
			words.push('All frames: ' + value(app.tree.total[0]));
		if (view.callersZoom.length && view.callersZoom.join() !== before.callersZoom.join() && app.callers)
			words.push('Zoomed: ' + app.tip(app.panels[1], app.panels[1].zoom));
		return words.join('. ');
	}

	app.onchange(() => {
		foldingPart.hidden = !app.base.folded.size || !settings.folded;
		app.hideTip();
		app.showDetails(null, -1);
		const words = before ? stepWords(app.view) : '';

		if (words)
			app.say(words);
		before = Object.assign({}, app.view, { frame: app.zoom });
	});
};
/* toolbar: the search box and the buttons beside it, the path of the zoomed frame, and
 * a chip for each search and filter. */
pyrograph.ui.toolbar = function (app) {
	'use strict';

	const D = pyrograph.ui.dom, P = pyrograph.profile, page = app.page;
	const PATH_HEAD = 2, PATH_TAIL = 14;

	const input = D.html('input', { type: 'text', placeholder: 'Search (regexp)', spellcheck: 'false',
		autocapitalize: 'off', autocomplete: 'off', enterkeyhint: 'search', title: 'Search ( / )',
		'aria-label': 'Search, a regular expression' });
	const count = D.html('span', { 'class': 'count' });
	const clear = D.button('clear', 'Clear search', 'Clear search (Esc)', () => app.clearSearch(),
		{ icon: 'close' });
	const ignore = D.button('case', 'Ignore case', 'Ignore case (Ctrl+I)', () => app.act('case'), 'aA');
	const pin = D.button('pin', 'Keep this search, start another', 'Keep this search, start another (Alt+Enter)',
		() => app.pinSearch(), { icon: 'plus' });
	const box = D.html('div', { 'class': 'search' }, input, count, clear, ignore, pin);
	const previous = D.button('previous', 'Previous match', 'Previous match (Shift+N)',
		() => app.act('previous'), { icon: 'up' });
	const next = D.button('next', 'Next match', 'Next match (N)', () => app.act('next'), { icon: 'down' });
	const reset = D.button('reset', 'Reset zoom', 'Reset zoom (0)', () => app.act('top'), { icon: 'home' });
	const back = D.button('back', 'Back', app.host ? 'Undo the last step (\u232b)' : 'Undo the last step (Esc)', () => app.act('undo'), { icon: 'back' });
	const view = D.button('view', 'View', 'View: order, colours, theme (V)', () => {
		if (!app.menuJustClosed())
			app.act('view');
	}, { icon: 'view' });
	const steps = D.html('div', { 'class': 'steps' });
	const table = D.button('functions', 'Table of functions', 'Table of functions (T)',
		() => app.act('table'), { icon: 'table' });
	const help = D.button('help', 'Keys and help', 'Keys and help (?)', () => app.act('help'), '?');

	view.setAttribute('aria-haspopup', 'menu');
	page.tools.append(box, previous, next, view, table, help);
	page.path.append(back, reset, steps);
	app.searchBox = input;
	app.viewButton = view;

	/* "17", or "3 of 17" once one was visited */
	app.onchange(() => {
		const current = app.searches[app.pinned], zoomed = app.zoom !== 0;

		box.classList.toggle('invalid', Boolean(current && current.error));
		box.classList.toggle('filled', input.value !== '');
		ignore.setAttribute('aria-pressed', String(app.ignoreCase));
		clear.hidden = pin.hidden = input.value === '';
		count.textContent = app.matchText();
		previous.disabled = next.disabled = !app.searches.some((s) => s.match);
		table.setAttribute('aria-pressed', String(Boolean(app.view.table)));
		page.path.hidden = !zoomed;
		page.heading.classList.toggle('zoomed', !page.path.hidden);
		if (!page.path.hidden)
			drawPath();
		drawChips();
	});
	app.showCount = () => {
		count.textContent = app.matchText();
	};

	/* ---- the path of the zoomed frame ---- */

	/* A button that zooms to a frame of a tree. */
	app.crumb = (tree, frame, zoomTo) => {
		const name = P.baseName(app.names[tree.name[frame]]);

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

	function chip(className, content, remove, removeLabel) {
		return D.html('span', { 'class': 'chip ' + className }, ...content,
			D.button('remove', removeLabel, removeLabel, remove, { icon: 'close' }));
	}

	function searchChip(search, i) {
		const dot = D.html('span', { 'class': 'dot' });

		dot.style.background = search.colour;
		return chip('of-search', [dot, D.html('button', { type: 'button', 'class': 'chip-text',
			title: 'Edit this search: ' + search.pattern, onclick: () => app.editSearch(i) },
		app.ruler.fit(search.pattern, 160, 1, 'middle') + (search.ignoreCase ? ' (aA)' : '')),
		D.html('span', { 'class': 'share' }, search.error ? search.error.replace(/:.*/s, '') : app.matchedShare(search))],
		() => app.removeSearch(i), 'Remove this search');
	}

	app.filterName = (filter) => P.baseName(filter.kind !== 'drop' ? filter.pattern
		: pyrograph.transform.nameOfStep(filter.path[filter.path.length - 1] || ''));

	function filterText(filter) {
		return app.ruler.fit(app.filterName(filter), 180, 1, 'middle');
	}

	function filterChip(filter, i) {
		return chip('of-filter', [D.html('span', { 'class': 'word' }, app.filterWords[filter.kind] || filter.kind),
			D.html('span', { 'class': 'chip-text' }, filterText(filter))], () =>
			app.step({ filters: app.view.filters.filter((f, k) => k !== i) }), 'Remove this filter');
	}

	function stateChip(word, text, without) {
		return chip('of-filter', [D.html('span', { 'class': 'word' }, word),
			D.html('span', { 'class': 'chip-text' }, text)], () => app.step(without), 'Undo this');
	}

	function drawChips() {
		const v = app.view, chips = app.searches.slice(0, app.pinned).map(searchChip);
		const filters = v.filters.map(filterChip);

		const profile = app.settings.mode === 'multiples' && v.position !== null ? app.settings.layers[v.position].name : '';

		if (v.sandwich)
			filters.push(stateChip('Callers and callees of', app.ruler.fit(P.baseName(v.sandwich), 240, 1, 'middle') +
				(profile ? ' in ' + profile : ''), { sandwich: null }));
		else if (profile)
			filters.push(stateChip('Only', profile, { position: null }));
		if (v.reversed && !v.sandwich)
			filters.push(stateChip('Merged', 'from the leaves', { reversed: false, zoom: [] }));
		if (v.variants || v.generated)
			filters.push(stateChip('Merged', v.variants && v.generated ? 'variants and generated names'
				: v.variants ? 'variants' : 'generated names', { variants: false, generated: false }));
		if (v.recursion)
			filters.push(stateChip('Recursion', v.recursion === 'deep' ? 'folded at any depth' : 'folded where direct', { recursion: '' }));
		if (app.filterError)
			chips.push(D.html('span', { 'class': 'wrong', role: 'alert' }, app.filterError));
		chips.push(...filters);
		if (filters.length) {
			chips.push(D.html('button', { type: 'button', 'class': 'reset-all', title: 'Undo all filters and zoom',
				onclick: () => app.act('resetAll') }, 'Reset all'));
		}
		page.chips.hidden = !chips.length;
		page.chips.replaceChildren(...chips);
	}
};
/* find: searches: what is typed, which frames match, how much of the whole they are. */
pyrograph.ui.find = function (app) {
	'use strict';

	const D = pyrograph.ui.dom, P = pyrograph.profile, N = pyrograph.number, S = pyrograph.search;
	const TYPING_PAUSE_MS = 120;
	const matched = D.html('span', { 'class': 'matched', role: 'status' });
	let typing = 0;

	/* where there is no room for them beside the search box */
	const walk = D.html('span', { 'class': 'walk' }, ...[['previous', 'Previous match', 'up'], ['next', 'Next match', 'down']]
		.map(([id, label, icon]) => D.button(id, label, label, () => app.act(id), { icon: icon })));

	app.page.foot.append(matched, walk);
	app.ignoreCase = false;
	app.searches = [];
	app.matchAt = null;     /* { at, of } of the match last visited */

	const current = () => app.searches[app.pinned];

	/* ---- what share of the whole a search is ---- */

	/* Frames too narrow to be kept have no names to be found by. */
	const atLeast = () => app.base.folded.size ? 'at least ' : '';

	/* [[label, share of all, what else there is to say], ...]: one, or one for each profile.
	 * In a sandwich the stacks through the function count, a match above or below it. */
	function sharesOf(match) {
		const percent = N.percentText, { tree, zoom, callers } = app, total = (...at) => S.matchedTotal(...at);

		if (app.shownPanels().length && app.shownPanels()[0] !== app.panels[0])
			return app.shownPanels().map((panel) => [panel.graph.getAttribute('aria-label') + ' ',
				percent(total(panel.tree, 0, match), panel.tree.total[0]),
				panel.zoom ? percent(total(panel.tree, panel.zoom, match), panel.tree.total[panel.zoom]) + ' of the zoomed frame' : '']);
		if (app.settings.mode === 'diff')
			return app.settings.layers.map((layer, k) => {
				const all = P.layerTotal(app.whole, k), totals = P.layerTotal(tree, k), root = callers ? 0 : zoom;

				return [layer.name + ' ', percent(callers ? S.matchedThrough(app.whole, tree.name[0], match, all)
					: total(tree, 0, match, totals), all[0]),
				root ? percent(total(tree, zoom, match, totals), totals[zoom]) + ' of the zoomed frame' : ''];
			});
		const value = callers ? S.matchedThrough(app.whole, tree.name[0], match) : total(tree, 0, match);

		return [['', percent(value, app.whole.total[0]), zoom ? percent(total(tree, zoom, match), tree.total[zoom]) +
			' of the zoomed frame' : callers ? percent(value, tree.total[0]) + ' of the function' : '']];
	}

	/* "44.87%", "base 33.33%, new 48.74%": of all */
	app.matchedShare = (search) => search.waits ? '\u2026' : !search.match ? '' : atLeast() +
		sharesOf(search.match).map(([label, share]) => label + share).join(', ');

	/* "44.87% of all, 76.09% of the zoomed frame" */
	const sharesText = (match) => atLeast() + sharesOf(match).map(([label, share, more]) => label + share +
		(more ? ' of all, ' + more : '')).join('; ');

	/* The search in the box, else the last chip: what next and previous walk. */
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

	app.setSearch = (pattern) => {
		const searches = app.view.searches.slice(0, app.pinned);

		clearTimeout(typing);
		if (pattern)
			searches.push({ pattern: pattern, ignoreCase: app.ignoreCase });
		app.matchAt = null;
		app.searchBox.value = pattern;
		app.touch({ searches: searches });
	};
	app.clearSearch = () => {
		app.setSearch('');
	};
	app.clearSearches = () => {
		app.pinned = 0;
		app.picked = -1;
		app.setSearch('');
	};
	app.pinSearch = () => {
		if (!app.searchBox.value)
			return;
		app.setSearch(app.searchBox.value);
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
		app.view.searches = app.view.searches.filter((s, k) => k !== i); /* that in the box is kept */
		app.pinned = app.view.searches.length;
		app.ignoreCase = search.ignoreCase;
		app.setSearch(search.pattern);
		app.searchBox.focus();
	};
	app.toggleCase = () => {
		app.ignoreCase = !app.ignoreCase;
		app.setSearch(app.searchBox.value);
	};
	/* After a link: the last search goes into the box. */
	app.adoptSearches = () => {
		const last = app.view.searches[app.view.searches.length - 1];

		app.pinned = Math.max(0, app.view.searches.length - 1);
		app.ignoreCase = Boolean(last && last.ignoreCase);
		app.searchBox.value = last ? last.pattern : '';
		app.matchAt = null;
	};

	/* ---- from match to match, through all panels ---- */

	const leastOf = (panel) => panel.tree.total[panel.zoom] * app.settings.minWidth / app.graphWidth();

	/* The next match in a panel without going round, or -1; from -1: its first or last. */
	function nextIn(panel, from, step, match) {
		const { tree, zoom } = panel, start = from < 0 ? step > 0 ? zoom - 1 : tree.end[zoom] : from;
		const frame = S.nextMatch(tree, start, step, match, zoom, leastOf(panel));

		return frame >= 0 && (step > 0 ? frame > start : frame < start) ? frame : -1;
	}

	/* { panel, frame } of the match to go to, or null. */
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

	/* "3 of 17" over all panels. */
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

	const isTyped = () => app.searchBox.value !== (app.view.searches[app.pinned] || { pattern: '' }).pattern;

	/* Search for what was typed, now. */
	function searchNow() {
		if (isTyped())
			app.setSearch(app.searchBox.value);
	}

	/* Go to the next match (step 1) or the one before (-1), under the zoom. */
	app.walkMatches = (step) => {
		searchNow();
		const search = walked(), found = search && nextOf(search.match, step);

		if (!found)
			return;
		app.matchAt = placeOf(found, search.match);
		app.moveTo(found.panel, found.frame);
		app.showCount();
		app.say('Match ' + app.matchAt.at + ' of ' + app.matchAt.of + ': ' + app.describe(found.panel, found.frame));
	};

	/* "Matched: 44.87% of all, 76.09% of the zoomed frame" */
	app.onchange(() => {
		const search = walked(), box = current();

		walk.hidden = !search;
		matched.classList.toggle('wrong', Boolean(box && box.error));
		matched.textContent = box && box.error ? box.error : box && box.waits ? 'Searching \u2026'
			: search ? 'Matched: ' + sharesText(search.match) : '';
	});

	app.searchBox.addEventListener('input', () => {
		clearTimeout(typing);
		typing = setTimeout(() => app.setSearch(app.searchBox.value), TYPING_PAUSE_MS);
	});
	app.searchBox.addEventListener('keydown', (event) => {
		if (event.key !== 'Enter')
			return;
		event.preventDefault();
		event.stopPropagation();
		if (event.altKey || event.ctrlKey)
			app.pinSearch();
		else
			app.walkMatches(event.shiftKey ? -1 : 1);
	});
	app.searchBox.addEventListener('change', searchNow);
};
/* menu: lists that open at a place and go away again: the menu of a frame, the view. */
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
		const role = item.checked === undefined ? 'menuitem' : item.radio ? 'menuitemradio' : 'menuitemcheckbox';
		const mark = D.html('span', { 'class': 'menu-mark' });

		if (item.checked)
			mark.appendChild(D.icon('tick'));
		return D.html('button', { type: 'button', role: role, 'data-key': item.key || null, title: item.tip || null, tabindex: '-1',
			'aria-checked': item.checked === undefined ? null : String(item.checked),
			disabled: Boolean(item.disabled),
			onclick: (event) => {
				if (event.detail && !pressed) /* a finger that opened it lets go */
					return;
				app.closeMenu();
				item.run();
			} }, mark, D.html('span', { 'class': 'menu-label' }, item.label),
		item.key ? D.html('kbd', {}, item.key) : null);
	}

	/* Open items at a place of the window, to be closed by whatever comes next. */
	app.openMenu = (items, x, y, label) => {
		const page = app.page.overlay.getBoundingClientRect();

		app.hideTip();
		opener = document.activeElement;
		pressed = false;
		box.replaceChildren(...items.map(entry));
		box.setAttribute('aria-label', label);
		box.hidden = false;
		box.style.maxHeight = (page.width < 500 ? 0.75 * page.height : page.height - 8) + 'px';
		box.classList.remove('wide');
		box.style.width = '';
		const width = 2 * box.offsetWidth;

		/* too low for one column: two, where they have room */
		if (box.scrollHeight > box.clientHeight && page.width >= width + 8) {
			box.classList.add('wide');
			box.style.width = width + 'px';
		}
		box.style.left = Math.max(4, Math.min(x - page.left, page.width - box.offsetWidth - 4)) + 'px';
		box.style.top = Math.max(4, Math.min(y - page.top, page.height - box.offsetHeight - 4)) + 'px';
		box.focus({ preventScroll: true });
	};
	app.closeMenu = () => {
		if (box.hidden)
			return false;
		box.hidden = true;
		if (opener && opener.focus && opener.isConnected)
			opener.focus({ preventScroll: true });
		return true;
	};
	app.menuIsOpen = () => !box.hidden;
	/* A press that closed the menu must not do anything else. */
	app.menuJustClosed = () => performance.now() - closed < 350;

	const enabled = () => Array.from(box.querySelectorAll('button:not([disabled])'));

	function moveTo(at) {
		const item = enabled().at(at);

		if (item)
			item.focus();
	}

	/* The keys that stand beside the items, but Enter is for the item that has the focus. */
	function runKey(event) {
		const key = app.keyText(event.key);
		const item = event.ctrlKey || event.metaKey || event.altKey || (key === 'Enter' && document.activeElement !== box)
			? null : enabled().find((e) => e.dataset.key === key);

		if (item)
			item.click();
		return Boolean(item);
	}

	function move(step) {
		const items = enabled();
		const at = items.indexOf(document.activeElement);

		if (items.length)
			items[(at < 0 ? (step > 0 ? 0 : items.length - 1) : at + step + items.length) % items.length].focus();
	}

	box.addEventListener('keydown', (event) => {
		const steps = { ArrowDown: 1, ArrowUp: -1, Tab: event.shiftKey ? -1 : 1 };

		event.stopPropagation();
		if (event.key in steps)
			move(steps[event.key]);
		else if (event.key === 'Home' || event.key === 'End')
			moveTo(event.key === 'Home' ? 0 : -1);
		else if (event.key === 'Escape')
			app.closeMenu();
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
			app.closeMenu();
		}
	}, true);
	window.addEventListener('blur', () => app.closeMenu());
};
/* commands: how actions are run, found by their keys, and shown in menus.
 *
 * app.actions: id: [key, words, what it does, group of the help, whether there is it]; the
 * key as KeyboardEvent.key. */
pyrograph.ui.commands = function (app) {
	'use strict';

	const D = pyrograph.ui.dom;

	app.act = (id) => {
		const action = app.actions[id];

		if (action && action[2] && (!action[4] || action[4]()))
			action[2]();
	};
	/* The action of a key, or undefined. */
	app.actionOfKey = (key) => Object.keys(app.actions).find((id) => app.actions[id][0] === key &&
		(!app.actions[id][4] || app.actions[id][4]()) && app.actions[id][2]);
	app.keyText = (key) => ({ ' ': 'Space', Delete: 'Del', Backspace: '\u232b' })[key] ||
		(/^[A-Z]$/.test(key) ? 'Shift+' + key : /^[a-z]$/.test(key) ? key.toUpperCase() : key);

	/* As an item of a menu. */
	app.actionItem = (id, more) => {
		const [key, label, run] = app.actions[id];

		return Object.assign({ label: label.replace(/ \((Esc|Ctrl.*|Alt.*)\)$/, ''),
			key: key && app.keyText(key), run: run }, more);
	};

	app.copyLink = () => app.copy(app.link(), 'link');
	app.copy = async (text, what) => {
		app.toast(await D.copy(text, app.page.element) ? 'Copied: ' + what : 'The browser refused to copy');
	};
};
/* actions: all that can be done, with its words and its key; the menus, the keys and the
 * help are made of these lists. */
pyrograph.ui.actions = function (app) {
	'use strict';

	const T = pyrograph.transform, P = pyrograph.profile, C = pyrograph.colour;
	const settings = app.settings, item = app.actionItem;
	const toggle = (key) => () => app.step({ [key]: !app.view[key] });
	const layered = (...modes) => () => modes.includes(settings.mode);

	function cycle(values, now, apply) {
		return () => apply(values[(values.indexOf(now()) + 1) % values.length]);
	}

	app.orders = () => settings.arrival || settings.chart
		? ['name', 'width', 'arrival'] : ['name', 'width'];
	app.colourModes = () => C.modes(settings);
	/* What is as it was drawn is not in the link. */
	app.setOrder = (order) => app.step({ order: order === (settings.order || 'name') ? null : order });
	app.setColour = (mode) => app.touch({ colour: mode === app.drawnColourMode ? null : mode });
	app.setInverted = (on) => app.step({ inverted: on === Boolean(settings.inverted) ? null : on });
	app.setTheme = (theme) => app.touch({ theme: theme });
	app.setSafe = (on) => {
		app.touch({ safe: on });
		if (on && C.isSafe(app.colourMode()))
			app.toast('These colours differ in lightness: they are safe as they are');
	};

	/* id: [key, words, what it does, group of the help]; the key as KeyboardEvent.key */
	const actions = {
		search: ['/', 'Search', () => { app.searchBox.focus(); app.searchBox.select(); }, 'Search'],
		next: ['n', 'Next match', () => app.walkMatches(1), 'Search'],
		previous: ['N', 'Previous match', () => app.walkMatches(-1), 'Search'],
		'case': ['', 'Ignore case (Ctrl+I)', () => app.toggleCase(), 'Search'],
		pin: ['p', 'Keep this search, start another', () => app.pinSearch(), 'Search'],
		clear: ['', 'Clear all searches', () => app.clearSearches(), 'Search'],
		top: ['0', 'Reset zoom', () => app.view.callersZoom.length ? app.step({ zoom: [], callersZoom: [] })
			: app.zoomTo(0), 'Move'],
		undo: ['Backspace', app.host ? 'Undo the last step' : 'Undo the last step (Esc)', () => app.links.undo(), 'Move'],
		resetAll: ['R', 'Undo all filters and the zoom', () => app.resetAll(), 'Move'],
		zoom: ['Enter', 'Zoom to the frame', null, 'Frame'],
		menu: ['M', 'Menu of the frame (Menu key)', () => app.menuOfCursor(), 'Frame'],
		sandwich: ['s', 'Callers and callees', () => app.frameAct('sandwich'), 'Frame'],
		drop: ['Delete', 'Hide this subtree (Alt+click)', () => app.frameAct('drop'), 'Frame'],
		hide: ['h', 'Hide all of this name', () => app.frameAct('hide'), 'Frame'],
		exclude: ['x', 'Leave out stacks with it', () => app.frameAct('exclude'), 'Frame'],
		include: ['X', 'Keep only stacks with it', () => app.frameAct('include'), 'Frame'],
		find: ['f', 'Search for it', () => app.frameAct('find'), 'Frame'],
		copyName: ['y', 'Copy its name', () => app.frameAct('copyName'), 'Frame'],
		copyStack: ['Y', 'Copy its stack', () => app.frameAct('copyStack'), 'Frame'],
		flip: ['i', 'Flames up or down', () => app.setInverted(!app.isInverted()), 'View'],
		reverse: ['r', 'Merge from the leaves', () =>
			app.step({ reversed: !app.view.reversed || Boolean(app.view.sandwich), zoom: [], sandwich: null }), 'View'],
		order: ['o', 'Next order', () => cycle(app.orders(), app.order, app.setOrder)(), 'View'],
		colour: ['c', 'Next colouring', () => cycle(app.colourModes().map((m) => m.mode), app.colourMode,
			app.setColour)(), 'View'],
		safe: ['b', 'Colours for colour-blind eyes', () => app.setSafe(!app.view.safe), 'View'],
		variants: ['m', 'Merge compiled, interpreted, inlined', toggle('variants'), 'View'],
		generated: ['g', 'Merge lambdas and generated classes', toggle('generated'), 'View'],
		recursion: ['u', 'Fold recursion', () => app.step({ recursion: { '': 'direct', direct: 'deep', deep: '' }[
			app.view.recursion || ''] }), 'View'],
		theme: ['d', 'Dark or light', () => app.setTheme(app.isDark() ? 'light' : 'dark'), 'View', () => !app.host],
		table: ['t', 'Table of functions', () => app.touch({ table: !app.view.table }), 'View'],
		view: ['v', 'View menu', () => app.openViewMenu(), 'View'],
		copyLink: ['l', 'Copy the link to this view', () => app.copyLink(), 'Keep', () => app.link() !== null],
		copyFolded: ['F', 'Copy the folded lines of the view', () => app.copyFolded(), 'Keep'],
		saveSvg: ['S', 'Save the view as SVG', () => app.saveSvg(), 'Keep'],
		savePng: ['P', 'Save the view as PNG', () => app.savePng(), 'Keep'],
		help: ['?', 'This help', () => app.toggleHelp(), 'Keep'],
		side: ['1', 'Next side: both, base, new, gone, added', () => app.nextSide(), 'Layers', layered('diff')],
		delta: ['2', 'Change by total or by self', () => app.nextDelta(), 'Layers', layered('diff')],
		play: [' ', 'Play or pause', () => app.play(), 'Layers', layered('animate')],
		stepBack: [',', 'One window back', () => app.stepWindow(-1), 'Layers', layered('animate')],
		step: ['.', 'One window on', () => app.stepWindow(1), 'Layers', layered('animate')],
	};

	app.actions = actions;
	app.pointerWords = [['Click', 'zoom'], ['Alt + click', 'hide the subtree'], ['Right click', 'menu of the frame'],
		['Tap, tap again', 'details, zoom'], ['Long press', 'menu of the frame'], ['Arrows', 'walk the frames'],
		['Esc', app.host ? 'the keys are the heat map\u2019s again' : 'undo the last step'], ['F3, Enter in the box', 'next match']];

	/* ---- the menu of the view ---- */

	const ORDER_WORDS = { name: 'By name', width: 'Widest first', arrival: 'In time' };
	const THEME_WORDS = { auto: 'As the system', light: 'Light', dark: 'Dark' };

	app.openViewMenu = () => {
		const v = app.view, at = app.viewButton.getBoundingClientRect(), items = [];

		items.push(item('flip', { checked: app.isInverted(), label: 'Root on top (icicle)' }),
			item('reverse', { checked: v.reversed && !v.sandwich }), item('table', { checked: Boolean(v.table) }));
		items.push({ heading: 'Order' }, ...app.orders().map((order, i) => ({ label: ORDER_WORDS[order],
			radio: true, checked: app.order() === order, key: i ? '' : 'O', run: () => app.setOrder(order) })));
		items.push({ heading: 'Colours' }, ...app.colourModes().map((m, i) => ({ label: m.label, radio: true,
			checked: app.colourMode() === m.mode, key: i ? '' : 'C', run: () => app.setColour(m.mode) })),
		item('safe', { checked: app.view.safe, label: 'For colour-blind eyes' }));
		items.push({ heading: 'Simplify' }, item('variants', { checked: v.variants }),
			item('generated', { checked: v.generated }),
			item('recursion', { checked: Boolean(v.recursion), label: v.recursion === 'deep'
				? 'Fold recursion (any depth)' : 'Fold recursion' }));
		if (app.host)
			items.push(...app.host.viewItems());
		items.push(...app.host ? [] : [{ heading: 'Theme' }], ...(app.host ? [] : ['auto', 'light', 'dark']).map((theme) => ({
			label: THEME_WORDS[theme], radio: true, checked: v.theme === theme,
			key: theme === 'dark' ? 'D' : '', run: () => app.setTheme(theme) })));
		items.push({ heading: 'Keep' }, ...app.link() === null ? [] : [item('copyLink')], item('copyFolded'), item('saveSvg'), item('savePng'),
			{ line: true }, item('resetAll'), item('help'));
		app.openMenu(items, at.left, at.bottom + 4, 'View');
	};

	/* ---- one frame ---- */

	/* Searches are regexps: a name as one. */
	const quoted = (name) => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
	const canDrop = (panel) => panel === app.panels[0] && !app.view.sandwich;

	function dropped(panel, frame) {
		if (!frame || !canDrop(panel))
			return;
		app.addFilter({ kind: 'drop', path: T.pathOf(app.tree, app.names, frame), pattern: '', exact: true,
			ignoreCase: false, reversed: app.view.reversed });
	}

	/* Of several profiles it is that of the panel. */
	app.sandwich = (name, panel) => app.step(Object.assign({ sandwich: name, zoom: [], reversed: false },
		settings.mode === 'multiples' && app.sides.has(panel.tree) ? { position: app.sides.get(panel.tree) } : {}));

	const frameActs = {
		zoom: (panel, frame) => panel.zoomTo(frame),
		sandwich: (panel, frame, name) => app.sandwich(name, panel),
		drop: dropped,
		find: (panel, frame, name) => app.setSearch('^' + quoted(P.baseName(name)) + '$'),
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

	/* Do something with a frame; without one, with that under the pointer or of the keys,
	 * whichever moved last. */
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
		const items = [{ heading: app.ruler.fit(panel.nameOf(frame), 230, 1, 'middle') },
			act('zoom', 'Zoom', 'Enter'), act('sandwich', 'Callers and callees', 'S', { disabled: root }),
			act('find', 'Search for it', 'F', { disabled: root }), { line: true },
			act('drop', 'Hide this subtree', 'Del', { disabled: root || !canDrop(panel) }),
			act('hide', 'Hide all of this name', 'H', { disabled: root }),
			act('exclude', 'Leave out stacks with it', 'X', { disabled: root }),
			act('include', 'Keep only stacks with it', 'Shift+X', { disabled: root }), { line: true },
			act('copyName', 'Copy name', 'Y'), act('copyStack', 'Copy stack', 'Shift+Y'),
			act('copyLines', 'Copy folded lines from here', '')];

		if (link && link.href)
			items.push({ line: true }, act('open', 'Open ' + app.ruler.fit(link.href, 180, 1, 'middle'), ''));
		app.openMenu(items, x, y, 'Frame ' + panel.nameOf(frame));
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
		generated: false, recursion: '', diff: null, span: null });
};
/* layered: controls of profiles with several layers: the sides of a differential, the
 * windows of an animation. */
pyrograph.ui.layered = function (app) {
	'use strict';

	const D = pyrograph.ui.dom, N = pyrograph.number, LY = pyrograph.layers, settings = app.settings;
	const bar = app.page.layers, SPEEDS = [0.5, 1, 2, 4, 8], WINDOW_MS = 500;
	const SIDES = [['union', 'Both', 'All frames of both, as wide as the wider'],
		['base', 'Base', 'Only the first profile'], ['new', 'New', 'Only the second profile'],
		['gone', 'Gone', 'Only what the new one has not'], ['added', 'Added', 'Only what the base has not']];

	function segment(label, buttons) {
		return D.html('div', { 'class': 'segment', role: 'group', 'aria-label': label }, ...buttons);
	}

	/* ---- differential ---- */

	const show = () => app.view.diff && app.view.diff.show || 'union';

	const setDiff = (change) => app.step({ diff: Object.assign({ show: show(), by: app.diffBy() }, change) });

	app.nextSide = () => {
		const at = SIDES.findIndex(([side]) => side === show());

		setDiff({ show: SIDES[(at + 1) % SIDES.length][0] });
	};
	app.nextDelta = () => setDiff({ by: app.diffBy() === 'total' ? 'self' : 'total' });

	function diffBar() {
		const sides = SIDES.map(([side, label, tip]) => D.html('button', { type: 'button', title: tip,
			onclick: () => setDiff({ show: side }) }, label));
		const bys = ['total', 'self'].map((by) => D.html('button', { type: 'button', title: by === 'total'
			? 'Change of a frame and all that it calls' : 'Change of the frame itself',
		onclick: () => setDiff({ by: by }) }, by));
		const noise = D.html('span', { 'class': 'quiet' });
		const threshold = settings.threshold === undefined ? 0.001 : settings.threshold;

		noise.textContent = 'changes below ' + (threshold * 100).toFixed(2) + '% of the whole are left grey';
		bar.append(segment('Side', sides), D.html('span', { 'class': 'quiet' }, 'change by'),
			segment('Change by', bys), noise);
		app.onchange(() => {
			sides.forEach((b, i) => b.setAttribute('aria-pressed', String(SIDES[i][0] === show())));
			bys.forEach((b, i) => b.setAttribute('aria-pressed', String(['total', 'self'][i] === app.diffBy())));
		});
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
			timer = setInterval(() => { /* the link waits: browsers refuse many changes of it */
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
			{ icon: 'stepBack' }), play, D.button('step', 'One window on', 'One window on (.)',
			() => app.stepWindow(1), { icon: 'step' }), range, label, speedButton, all);
		app.onchange(() => {
			const at = position();

			range.value = at;
			all.setAttribute('aria-pressed', String(at < 0));
			label.textContent = windowText(windows, at) + ' \u00b7 ' + N.valueText(settings, app.whole.total[0]) +
				(app.missing ? ' \u00b7 not here: ' + app.missing : '');
			label.classList.toggle('wrong', Boolean(app.missing));
			range.setAttribute('aria-valuetext', label.textContent);
		});
	}

	/* "10:15:02.000 to 10:15:03.000 (3 of 12)" */
	function windowText(windows, at) {
		const clock = (text) => text ? text.replace(/^.*T/, '').replace(/(\.\d{3})\d*Z$/, '$1') : '';
		const of = settings.layers.length;

		if (at < 0)
			return 'all ' + of + ' windows';
		return (windows[at] && windows[at].start ? clock(windows[at].start) + ' \u2013 ' + clock(windows[at].end)
			: settings.layers[at].name) + ' (' + (at + 1) + ' of ' + of + ')';
	}

	/* Two metrics have nothing to be set: their legend and the tips say it all. */
	const bars = { diff: diffBar, animate: animateBar };

	if (settings.layers && bars[settings.mode]) {
		bars[settings.mode]();
		bar.hidden = false;
	}
};
/* help: what the pointer and the keys do: app.pointerWords, app.actions. */
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
			D.button('close', 'Close', 'Close (Esc)', () => app.closeHelp(), { icon: 'close' })),
		D.html('div', { 'class': 'help-columns' }, section('Pointer', app.pointerWords),
			...Array.from(groups, ([group, rows]) => section(group, rows))));
	}

	app.toggleHelp = () => {
		if (app.closeHelp())
			return;
		fill();
		opener = document.activeElement;
		shade.hidden = false;
		box.focus({ preventScroll: true });
	};
	/* It is modal: keys that the page knows are not for it, and Tab stays inside. */
	shade.addEventListener('keydown', (event) => {
		const buttons = Array.from(box.querySelectorAll('button'));

		if (shade.hidden) /* closed, and the focus has not gone yet */
			return;
		event.stopPropagation();
		if (event.key === 'Escape' || event.key === '?') {
			app.closeHelp();
		} else if (event.key === 'Tab') {
			const at = buttons.indexOf(document.activeElement), step = event.shiftKey ? -1 : 1;

			buttons[(at + step + buttons.length) % buttons.length].focus();
		} else {
			return;
		}
		event.preventDefault();
	});
	app.helpIsOpen = () => !shade.hidden;
	app.closeHelp = () => {
		if (shade.hidden)
			return false;
		shade.hidden = true;
		if (opener && opener.focus && opener.isConnected)
			opener.focus({ preventScroll: true });
		return true;
	};
	shade.addEventListener('click', (event) => {
		if (event.target === shade)
			app.closeHelp();
	});
};
/* legend: what the colours of a flame graph mean. */
pyrograph.ui.legend = function (app) {
	'use strict';

	const D = pyrograph.ui.dom;

	app.onchange(() => {
		const scheme = app.schemeOf(app.tree), drawn = app.colourMode() === 'name' && app.settings.legend;

		app.legend = !drawn || !drawn.length ? scheme.legend : !app.view.safe ? drawn
			: drawn.map(([colour, label]) => [pyrograph.colour.safeColour(colour), label]);
		app.page.legend.hidden = !app.legend.length;
		app.page.legend.replaceChildren(scheme.scale ? D.html('span', { 'class': 'quiet' }, scheme.scale) : '',
			...app.legend.map(([colour, label]) => {
				const dot = D.html('span', { 'class': 'dot' });

				dot.style.background = colour;
				return D.html('span', { 'class': label ? 'legend-item' : 'legend-item joined' }, dot, label);
			}));
	});
};
/* save: app.pictureText(), an SVG as shown, as a file or as PNG; short news of it. */
pyrograph.ui.save = function (app) {
	'use strict';

	const D = pyrograph.ui.dom, PNG_SCALE = 2, PNG_SIDE_MAX = 16000;
	const toast = D.html('div', { 'class': 'toast', role: 'status', hidden: true });
	let fading = 0;

	app.page.overlay.appendChild(toast);
	app.toast = (text) => {
		toast.textContent = text;
		toast.hidden = false;
		clearTimeout(fading);
		fading = setTimeout(() => { toast.hidden = true; }, 1800);
	};

	/* "CPU: db1" -> "cpu-db1" */
	app.fileName = (extension) => {
		const base = app.titleText.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-+|-+$/g, '');

		return (base.slice(0, 80) || app.settings.fileName || 'flame-graph') + extension;
	};

	app.saveSvg = () => {
		D.save(app.fileName('.svg'), app.pictureText(), 'image/svg+xml');
		app.toast('Saved: ' + app.fileName('.svg'));
	};
	app.savePng = () => {
		const url = URL.createObjectURL(new Blob([app.pictureText()], { type: 'image/svg+xml' }));
		const image = new Image(), canvas = D.html('canvas', {});

		image.onload = () => {
			const scale = Math.min(PNG_SCALE, PNG_SIDE_MAX / Math.max(image.width, image.height));

			if (scale < 1) { /* nobody could read it */
				URL.revokeObjectURL(url);
				app.toast('Too tall for a PNG: save it as SVG, or zoom in');
				return;
			}
			canvas.width = Math.round(image.width * scale);
			canvas.height = Math.round(image.height * scale);
			canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height);
			URL.revokeObjectURL(url);
			canvas.toBlob((blob) => {
				if (blob)
					D.save(app.fileName('.png'), blob);
				app.toast(blob ? 'Saved: ' + app.fileName('.png') : 'Too large for a PNG: save it as SVG');
			}, 'image/png');
		};
		image.onerror = () => app.toast('The browser could not draw the picture');
		image.src = url;
	};
};
/* export: the view as a picture without script, and as folded lines. */
pyrograph.ui.export = function (app) {
	'use strict';

	const D = pyrograph.ui.dom, T = pyrograph.transform, settings = app.settings;
	const DARK = { ink: '#e2e4e8', back: '#17191d' }, LIGHT = { ink: '#1a1c1f', back: '#ffffff' }; /* flame.css */
	const SWATCH = 12, EDGE = 8, LINE = 1.35;

	/* The heading, and what was done to the view. */
	function headingLines() {
		const lines = app.headingLines.map((line, i) => ({ text: line.text, size: line.size, bold: !i }));
		const said = [app.zoom ? 'Zoomed: ' + T.stackOf(app.tree, app.names, app.zoom).join(' \u203a ') : '',
			...app.searches.filter((s) => s.match).map((s) => 'Matched: ' + s.pattern + ', ' + app.matchedShare(s)),
			...Array.from(app.page.chips.querySelectorAll('.of-filter'), (chip) =>
				Array.from(chip.children, (part) => part.textContent.trim()).filter(Boolean).join(' '))];

		return lines.concat(said.filter(Boolean).map((text) => ({ text: text, size: settings.fontSize })));
	}

	function copyOfFrames(panel, ink) {
		const drawn = panel.picture(), g = drawn.frames.cloneNode(true);

		g.removeAttribute('id');
		for (const e of g.children) {
			e.removeAttribute('role');
			for (const name of ['aria-level', 'data-frame', 'id'])
				e.removeAttribute(name);
			const faded = e.getAttribute('class') === 'parent', isText = e.localName === 'text';

			if (isText)
				e.setAttribute('fill', faded && app.isDark() ? DARK.ink : ink);
			else if (faded)
				e.setAttribute('opacity', app.isDark() ? '0.4' : '0.55');
			if (e.hasAttribute('aria-label')) {
				D.svg('title', {}, e).textContent = e.getAttribute('aria-label');
				e.removeAttribute('aria-label');
			}
			e.removeAttribute('aria-hidden');
		}
		return { g: g, width: drawn.width, height: drawn.height };
	}

	function textLine(parent, y, size, text, fill, width, bold) {
		D.svg('text', { x: settings.pad, y: y, 'font-size': size, fill: fill,
			'font-weight': bold ? 'bold' : null }, parent).textContent =
			app.ruler.fit(text, (width - 2 * settings.pad) * settings.fontSize / size, 1, 'right');
	}

	/* One line an entry; the colours of a gradient stand before its next label. Returns
	 * where it ends. */
	function drawLegend(out, y, fill) {
		let x = settings.pad;

		for (const [colour, label] of app.legend || []) {
			D.svg('rect', { x: x, y: y, width: SWATCH, height: SWATCH, fill: colour }, out);
			x += SWATCH;
			if (!label)
				continue;
			D.svg('text', { x: x + 6, y: y + 10, fill: fill }, out).textContent = label;
			x = settings.pad;
			y += 16;
		}
		return x > settings.pad ? y + 16 : y;
	}

	/* The view as an SVG element of its own. */
	function picture() {
		const { ink: fill, back: usual } = app.isDark() ? DARK : LIGHT;
		const own = app.ownBackground(app.isDark()), back = /^#/.test(own) ? own : usual;
		const out = D.svg('svg', { 'font-family': app.family, 'font-size': settings.fontSize });
		const rect = D.svg('rect', { fill: back }, out);
		const width = Number(app.panels[0].graph.getAttribute('width')) || app.drawnWidth;
		let y = EDGE;

		for (const line of headingLines()) {
			y += line.size * LINE;
			textLine(out, y, line.size, line.text, fill, width, line.bold);
		}
		y += EDGE;
		for (const panel of app.panels.filter((p) => !p.element.hidden)) {
			if (panel.title) {
				y += settings.fontSize * LINE;
				textLine(out, y, settings.fontSize, panel.title.textContent, fill, width, true);
				y += EDGE / 2;
			}
			const part = copyOfFrames(panel, getComputedStyle(panel.graph).getPropertyValue('--label') || '#000');

			part.g.setAttribute('transform', 'translate(0,' + y + ')');
			out.appendChild(part.g);
			y += part.height + EDGE;
		}
		y = drawLegend(out, y, fill);
		for (const e of [out, rect]) {
			e.setAttribute('width', width);
			e.setAttribute('height', Math.ceil(y));
		}
		out.setAttribute('viewBox', '0 0 ' + width + ' ' + Math.ceil(y));
		return out;
	}

	/* All rows are drawn for it, then again only those in the window. */
	app.pictureText = () => {
		let text;

		app.allRows = true;
		try {
			text = new XMLSerializer().serializeToString(picture());
		} finally {
			app.allRows = false;
			app.drawAll();
		}
		return '<?xml version="1.0" encoding="UTF-8"?>\n' + text + '\n';
	};

	/* "# pyrograph: host=db1 ...": where the profile is from, as folded text has it */
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
/* keys: arrows walk the frames; other keys are in actions.js. */
pyrograph.ui.keys = function (app) {
	'use strict';

	const host = app.host, alone = !host && app.svg === document.documentElement;
	const PAGES = { PageUp: -1, PageDown: 1, Home: -Infinity, End: Infinity };

	function widestChild(tree, frame, zoom) {
		let best = frame;

		if (frame < zoom) /* back towards what is zoomed */
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

	function move(key) {
		const panel = app.cursor.panel || app.firstPanel(), tree = panel.tree;
		const away = app.isInverted() ? 'ArrowDown' : 'ArrowUp';
		const from = app.cursor.frame < 0 ? panel.zoom : app.cursor.frame;
		let to;

		if (key === 'ArrowLeft' || key === 'ArrowRight')
			to = from === panel.zoom ? from : sibling(tree, from, key === 'ArrowRight' ? 1 : -1);
		else
			to = key === away ? widestChild(tree, from, panel.zoom) : tree.parent[from];
		app.moveTo(panel, to);
	}

	/* Returns false when there was nothing to be left. */
	function escape(typing) {
		if (app.closeHelp() || app.closeMenu())
			return true;
		app.hideTip();
		if (typing) {
			app.clearSearch();
			app.searchBox.blur();
		} else if (host) {
			host.leave();
		} else if (!app.links.undo()) { /* came here by a link */
			if (app.zoom || app.view.sandwich)
				app.step({ zoom: [], sandwich: null });
			else if (app.hasMarks || app.view.searches.length)
				app.clearSearches();
			else
				return false;
		}
		return true;
	}

	/* Keys of the search box come here too. Returns false when the key means nothing. */
	function pressed(event) {
		const command = event.ctrlKey || event.metaKey, key = event.key;
		const field = /^(input|textarea|select)$/.test(event.target.localName);
		const typing = event.target === app.searchBox;

		if (key === 'Escape') {
			return escape(typing) || !host;
		} else if (app.helpIsOpen()) { /* it has its own keys, wherever the focus is */
			if (key === '?')
				app.closeHelp();
			return key === '?' || key === 'Tab';
		} else if (key === 'F3') {
			if (typing ? app.searchBox.value : app.view.searches.length)
				app.walkMatches(event.shiftKey ? -1 : 1);
			else
				app.act('search');
		} else if (command && key === 'f') {
			app.act('search');
		} else if (command && key === 'i') {
			app.toggleCase();
		} else if (field || command || event.altKey) {
			return false;
		} else if (event.target.type === 'range' && /^(Arrow|Page|Home$|End$)/.test(key)) {
			return false;
		} else if (/^Arrow/.test(key)) {
			move(key);
		} else if (key in PAGES) {
			(app.cursor.panel || app.firstPanel()).page(PAGES[key]);
		} else if (event.target.localName === 'button' && (key === 'Enter' || key === ' ')) {
			return false;
		} else if (key === 'Enter' && app.cursor.frame >= 0) {
			app.cursor.panel.zoomTo(app.cursor.frame);
		} else if (key === 'ContextMenu' || (key === 'F10' && event.shiftKey)) {
			app.menuOfCursor();
		} else {
			const id = app.actionOfKey(key);

			if (!id)
				return false;
			app.act(id);
		}
		return true;
	}

	/* Alone in its window it has all keys; in a page only those that are meant for it, of which
	 * a host gets what means nothing here. */
	(alone ? window : app.page.element).addEventListener('keydown', (event) => {
		if (event.defaultPrevented || !pressed(event))
			return;
		event.preventDefault();
		if (host)
			event.stopPropagation();
	});
};
/* history: the address says what is shown, and Back undoes steps; where there is no history (an
 * embedded document, a page that has an address of its own) the steps are kept here.
 *
 * pyrograph.ui.history(app, { encode, show, stepTo }):
 *     encode()      -> what is shown, as the text after "#"
 *     show(text)    all that a link says
 *     stepTo(text)  back (or on) to what was: what is no step may stay as it is
 *     host          or null: { view, saved(step), link(), undo() }: a picture that this one stands in,
 *                   whose address and steps these are (flame.js)
 * makes app.links = { save(step), undo() -> was there anything to undo, read() } and
 * app.link() -> the link to what is shown, or null; with a host also app.links.show(text): what
 * its link says.  step: true; false; or a word: a step, and what follows under the same word is of it
 * (keys that move on and on). */
pyrograph.ui = pyrograph.ui || {};

pyrograph.ui.history = function (app, how) {
	'use strict';

	const { encode, show, stepTo, host } = how;
	const alone = !host && app.svg === document.documentElement;
	const WHILE_MS = 10000, TOUCHES_MAX = 60, STEPS_MAX = 150, REST_MS = 300;
	const past = [];                /* views before each step, where there is no history */
	const waiting = [];             /* [text, isStep]: what is to be written a little later */
	const written = [];             /* when the latest were */
	let session = 0;                /* entries of one link and what was done from there */
	let depth = 0, worked = false, refused = false, current = '', series = null, late = 0;
	let last = '';                  /* what the address says */

	app.links = {};
	app.link = () => host ? host.link() : alone ? location.href.replace(/[?#].*$/s, '') + '#' + encode() : null;

	function write(text, isStep) {
		written.push(performance.now());
		last = text;
		try {
			depth += isStep ? 1 : 0;
			history[isStep ? 'pushState' : 'replaceState']({ pyrograph: depth, session: session }, '', '#' + text);
			worked = true;
		} catch (e) {
			refused = !worked; /* an embedded document: no link then; too many in a short time: later */
		}
	}

	/* Browsers refuse, with a message or without, what changes the address all the time: so
	 * many changes (200 in Chromium) in ten seconds. */
	function mayWrite(isStep) {
		const since = performance.now() - WHILE_MS;

		while (written.length && written[0] < since)
			written.shift();
		return written.length < (isStep ? STEPS_MAX : TOUCHES_MAX);
	}

	/* No step is lost: those that cannot be entries yet wait, in order. */
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

	/* A step that is no entry yet is undone here. */
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
			history.back();
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

	/* What the address says at first, or when another was typed. */
	app.links.read = () => {
		const state = alone && history.state;

		depth = state && state.pyrograph || 0;
		session = state && state.session || Date.now();
		current = host ? host.view : alone ? location.search.slice(1) + '&' + location.hash.slice(1) : '';
		show(current);
		last = current = encode();
		try { /* an entry of the history that is a step of this page */
			if (alone && !history.state)
				history.replaceState({ pyrograph: 0, session: session }, '');
		} catch (e) {
			refused = !worked;
		}
	};

	function follow() {
		const isStep = history.state && history.state.session === session;

		series = null;
		waiting.length = 0;
		last = location.hash.slice(1);
		if (isStep)
			depth = history.state.pyrograph;
		if (location.hash.slice(1) === current)
			return;
		if (isStep)
			go(location.hash.slice(1));
		else
			app.links.read();
	}

	if (alone) {
		window.addEventListener('popstate', follow);
		window.addEventListener('hashchange', follow);
	}
};
/* links: the address says what is shown, and the steps to undo (history.js): each zoom and filter
 * is a step of the Back button; a search is none. */
pyrograph.ui.links = function (app) {
	'use strict';

	const A = pyrograph.address, host = app.host, alone = !host && app.svg === document.documentElement;

	/* What a step of Back and Forward is; the rest of a view stays as it is: searches, table, theme
	 * and colours. */
	const STEPS = ['zoom', 'callersZoom', 'filters', 'order', 'inverted', 'reversed', 'sandwich', 'variants', 'generated',
		'recursion', 'diff', 'span'].concat(app.settings.mode === 'multiples' ? ['position'] : []);

	function stepTo(text) {
		const there = A.decodeView(text);

		app.view = Object.assign({}, app.view);
		for (const key of STEPS)
			app.view[key] = there[key];
		app.refresh();
	}

	/* All that a link says. */
	function show(text) {
		const theme = app.view.theme;

		app.view = A.decodeView(text);
		if (!/(^|[&?#])t=/.test(text))
			app.view.theme = theme;
		app.adoptSearches();
		app.refresh();
	}

	pyrograph.ui.history(app, { encode: () => A.encodeView(app.view), show: show, stepTo: stepTo, host: host });
	const { read } = app.links;

	/* Links of flamegraph.pl say where the frame is. */
	app.links.read = () => {
		const old = alone && /[?&][xy]=/.test(location.search)
			? A.frameOfOld(app.base, location.search.slice(1), {}) : -1;

		read();
		if (old > 0)
			app.zoomTo(old);
	};
};
/* table: the functions of what is shown, by self or total, beside the graph: of the zoomed
 * frame, of a sandwich's callees, of one of several profiles.  Shares are of all, as they
 * are everywhere.  Only the rows in the window exist as elements. */
pyrograph.ui.table = function (app) {
	'use strict';

	const D = pyrograph.ui.dom, P = pyrograph.profile, N = pyrograph.number, S = pyrograph.search;
	const ROW = 22, MARGIN = 20;
	const filter = D.html('input', { type: 'text', placeholder: 'Filter functions', spellcheck: 'false',
		'aria-label': 'Filter functions, a regular expression' });
	const count = D.html('span', { 'class': 'table-count' });
	const spacer = D.html('div', { 'class': 'table-rows', role: 'none' });
	const list = D.html('div', { 'class': 'table-scroll', tabindex: '0', role: 'listbox',
		'aria-label': 'Functions' }, spacer);
	const heads = {};
	let table = null, rows = [], sort = { key: 'self', down: true }, selected = -1;
	const wrong = D.html('span', { 'class': 'wrong', role: 'alert' });
	const about = D.html('div', { 'class': 'table-about' });
	const profiles = D.html('select', { 'aria-label': 'Profile', hidden: true, onchange: () => app.refresh() },
		...(app.settings.layers || []).map((layer, k) => D.html('option', { value: String(k) }, layer.name)));
	let shownOf = null, shownZoom = -1; /* what table was made of */
	let of = app.panels[0];         /* the panel whose functions they are */

	for (const [key, label, tip] of [['self', 'Self', 'Where the time is spent itself'],
		['total', 'Total', 'With all that it calls; recursion counts once'], ['name', 'Function', 'By name']]) {
		heads[key] = D.html('button', { type: 'button', 'class': 'head-' + key, title: tip, onclick: () => {
			sort = { key: key, down: sort.key === key ? !sort.down : key !== 'name' };
			arrange();
		} }, label);
	}
	app.page.aside.setAttribute('aria-label', 'Functions');
	app.page.aside.append(D.html('div', { 'class': 'table-top' }, filter, count, profiles), wrong, about,
		D.html('div', { 'class': 'table-head' }, heads.self, heads.total, heads.name), list);

	let waits = false;              /* for the answer to a slow pattern */

	/* Filter and sort. */
	function arrange() {
		const found = S.matcher(app.names, filter.value, true);

		waits = found.waits;
		filter.classList.toggle('invalid', Boolean(found.error));
		wrong.textContent = found.error || '';
		for (const key in heads) {
			heads[key].setAttribute('aria-pressed', String(key === sort.key));
			heads[key].dataset.sort = key !== sort.key ? '' : sort.down ? 'down' : 'up';
		}
		rows = of.tree.total[0] ? S.sortRows(table, app.names, sort.key, sort.down) : [];
		if (found.error)
			rows = [];
		if (found.match)
			rows = rows.filter((row) => found.match[table.name[row]]);
		count.textContent = rows.length.toLocaleString('en');
		list.scrollTop = 0;
		draw();
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

		e.dataset.row = i;
		e.id = (app.prefix || '') + 'function-' + table.name[row];
		e.style.top = i * ROW + 'px';
		return e;
	}

	function draw() {
		const first = Math.max(0, Math.floor(list.scrollTop / ROW) - MARGIN);
		const last = Math.min(rows.length, Math.ceil((list.scrollTop + list.clientHeight) / ROW) + MARGIN);
		const fresh = document.createDocumentFragment();

		for (let i = first; i < last; i++)
			fresh.appendChild(rowOf(i));
		spacer.style.height = rows.length * ROW + 'px';
		spacer.replaceChildren(fresh);
		if (spacer.querySelector('[aria-selected="true"]'))
			list.setAttribute('aria-activedescendant', (app.prefix || '') + 'function-' + selected);
		else
			list.removeAttribute('aria-activedescendant');
	}

	/* Mark all frames of a row and go to the widest. */
	function select(i) {
		const row = rows[i];

		selected = table.name[row];
		app.picked = selected;
		app.refresh();
		app.moveTo(of, table.widest[row]);
		app.showSums(of, table.widest[row], { frames: table.frames[row], total: table.total[row], self: table.self[row] });
		draw();
	}

	function sandwich(i) {
		const name = app.names[table.name[rows[i]]];

		app.picked = selected = -1;
		app.sandwich(name, of);
	}

	const indexOf = (event) => {
		const row = event.target.closest('.row');

		return row ? Number(row.dataset.row) : -1;
	};

	list.addEventListener('scroll', draw);
	list.addEventListener('click', (event) => { /* no dblclick: rows are made anew between the two */
		const i = indexOf(event);

		if (i >= 0)
			(event.detail > 1 ? sandwich : select)(i);
	});
	list.addEventListener('contextmenu', (event) => {
		const i = indexOf(event);

		event.preventDefault();
		if (i < 0)
			return;
		select(i);
		app.openFrameMenu(of, table.widest[rows[i]], event.clientX, event.clientY);
	});
	list.addEventListener('keydown', (event) => {
		const at = Array.from(rows).findIndex((row) => table.name[row] === selected);
		const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];

		if (step && rows.length) {
			const to = Math.max(0, Math.min(rows.length - 1, at + step));

			select(to);
			if (to * ROW < list.scrollTop)
				list.scrollTop = to * ROW;
			else if ((to + 1) * ROW > list.scrollTop + list.clientHeight)
				list.scrollTop = (to + 1) * ROW - list.clientHeight;
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
	filter.addEventListener('input', arrange);
	filter.addEventListener('keydown', (event) => {
		if (event.key === 'Escape' && filter.value) {
			filter.value = '';
			arrange();
		} else if (event.key === 'Escape' || event.key === 'ArrowDown') {
			list.focus({ preventScroll: true });
		} else {
			return;
		}
		event.preventDefault();
		event.stopPropagation();
	});

	/* "Shares of all; functions of the zoomed frame only" */
	function describe() {
		const where = app.callers ? '; callees of the function' : of.zoom ? '; functions in the zoomed frame' : '';
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
			draw();
		}
	});
};
/* flame: starts what a flame graph does in a browser.
 *
 * The picture that C drew is on the screen first; then the profile in the file is
 * decoded and the frames are drawn from it, only those that can be seen.
 *
 * open(svg, host) -> app: a flame graph in the page.  Without host it is that of svg, takes
 *     its place, and its view is in the address.  With one it stands within another
 *     picture, several of them if need be; app.replace (view.js) gives it another profile,
 *     app.links.show(text) another view.  host:
 *         settings, source      as a flame graph's metadata has them
 *         names, colours, tree  as profile.js decodes them
 *         heading               [{ className, text, size }, ...]: its title, then notes
 *         view                  its view at first, as text
 *         place                 the element that it fills
 *         boxes                 an element as large as the host's page, for menus and tips; or null
 *         isDark()              the theme
 *         saved(isStep)         the view has changed: app.view, address.js makes text of it
 *         undo()                the last step, whoever made it -> was there any
 *         leave()               the keys are the host's again
 *         link()                the address of what is shown, or null
 *         viewItems()           what else is in the menu of the view (menu.js)
 * In a flame graph's SVG it starts by itself; in a heat map's it does not. */
pyrograph.flame = (function () {
	'use strict';

	const script = document.currentScript, P = pyrograph.profile, ui = pyrograph.ui;
	const svg = script && script.ownerSVGElement || document.documentElement;

	/* What is in an SVG. */
	function read(picture) {
		const json = (selector) => {
			const e = picture.querySelector(selector);

			return e ? JSON.parse(e.textContent) : {};
		};
		const joined = (name) => Array.from(picture.querySelectorAll('.' + name), (e) => e.textContent).join('');
		const settings = json('#flame-settings');

		return { settings: settings, source: json('#pyrograph'), names: P.decodeNames(joined('flame-names'), settings.names),
			colours: P.decodeColours(joined('flame-colours'), settings.names),
			tree: P.decodeTree(joined('flame-tree'), settings) };
	}

	function open(picture, host = null) {
		const { settings, source, names, colours, tree } = host || read(picture);
		const app = { svg: picture, host: host, settings: settings, source: source, baseNames: names, names: names,
			colours: colours, base: tree, prefix: '' };

		if (host) { /* ids are of this one only */
			pyrograph.embedded = (pyrograph.embedded || 0) + 1;
			app.prefix = 'flame' + pyrograph.embedded + '-';
		}
		ui.view(app);
		ui.slow(app);
		ui.page(app);
		ui.stage(app);
		ui.compare(app);
		ui.tip(app);
		ui.details(app);
		ui.toolbar(app);
		ui.find(app);
		ui.menu(app);
		ui.commands(app);
		ui.actions(app);
		ui.layered(app);
		ui.help(app);
		ui.legend(app);
		ui.save(app);
		ui.export(app);
		ui.keys(app);
		ui.links(app);
		ui.table(app);
		app.page.open();
		app.links.read();
		app.page.resize();
		app.panels.forEach((panel) => panel.showRoot());
		if (!host)
			picture.setAttribute('data-ready', 'true');
		return app;
	}

	/* Twice: the first frame that was asked for ends before anything is painted. */
	if (!svg.querySelector('#heat'))
		requestAnimationFrame(() => requestAnimationFrame(() => open(svg)));
	return { open };
})();
/* heat_data: the events that travel inside a heat map, and their times.  Needs profile.js.
 *
 * Decodes what heat_code.c wrote (heat_code.h has the format).  Times are ns from
 * settings.origin on, and ticks whole numbers of settings.tick: both numbers are exact.
 *
 * decode(settings, text)       -> data; text: { names, colours, tree, stacks, events }.  By event,
 *                                 in order of time:
 *   count, tick                Uint32Array, or Float64Array where ticks do not fit one
 *   stack                      Uint16Array, or Uint32Array
 *   value                      Float64Array; null: every one is settings.same
 *                                 By stack:
 *   stacks                     how many there are
 *   frameOf, isIdle, recordingOf   its last frame in tree; 1 or 0; in settings.recordings
 *   hostOf                     by recording
 *   eventsOf, valueOf          Float64Array: how many, and their sum
 *   names, colours, tree       the profile of all events, as profile.js decodes it
 * dimension(data, settings, name) -> { name, keys: [text], keyOf: Int32Array by stack (-1: none),
 *                                 events: Float64Array by key, of stacks that are not idle };
 *                                 keys by falling events, then by text; "host" and "regexp" too
 * stackText(data, stack)       -> "a;b;c"
 * match(data, names)           -> Uint8Array by stack: has it a frame of which names[name] is
 *                                 not 0 (search.js)
 * firstEvent(data, tick)       -> number of the first event of that tick or later
 * taken(data, choice)          -> Uint8Array by stack: 0: not chosen, 1: counts, 2: is idle; choice: see
 *                                 heat_grid.js
 * spanNs(data, settings, i), longest(data, settings)   how long event i lasts, and the longest one
 * nsOf(settings, tick)         -> the first whole ns of it
 * tickAt(settings, ns)         -> the first tick that begins at ns or later
 * unit(settings)              -> how values are shown (number.js)
 * scaled(n, num, den)          -> n * num / den rounded down, always exact; all whole, n from -2^53 on
 * clock(settings, zone)        -> how times are written; zone: "own" (the picture's), "UTC", "local"
 *                                 (the browser's)
 *   .text(ns, digits)          "10:15:02.014"; digits behind the point, -1: no seconds
 *   .date(ns), .full(ns)       "2026-11-21", "2026-11-21 10:15:02.014 UTC"
 *   .label, .offset            "UTC"; ns to be added to UTC where the picture begins
 *                                 Without a wall clock: from settings.origin on. */
pyrograph.heat = pyrograph.heat || {}; /* of another picture in the page */

pyrograph.heat.data = (function () {
	'use strict';

	const P = pyrograph.profile;
	const FIRST_DIGIT = 63, SAFE = Number.MAX_SAFE_INTEGER;
	const HEAD = 0, MORE = 1, STACK = 2, VALUE = 3; /* what the next number is */

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

	/* All numbers of text, of which there are count at most. */
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
		const stacks = { frameOf: new Uint32Array(count), isIdle: new Uint8Array(count), recordingOf: new Uint16Array(count) };

		for (let s = 0; s < count; s++) {
			stacks.frameOf[s] = Math.min(Math.floor(all[step * s] / 2), frames - 1);
			stacks.isIdle[s] = all[step * s] % 2;
			stacks.recordingOf[s] = step > 1 ? Math.min(all[step * s + 1], settings.recordings.length - 1) : 0;
		}
		return stacks;
	}

	/* Where the events go: as small as they fit. */
	function store(settings) {
		const count = settings.events, large = tickAt(settings, settings.window[1] + 1) >= 4294967296;

		return {
			count, tick: large ? new Float64Array(count) : new Uint32Array(count),
			stack: settings.stacks > 65536 ? new Uint32Array(count) : new Uint16Array(count),
			value: settings.same === undefined ? new Float64Array(count) : null,
		};
	}

	/* One number after the other: what it means is said by those before it. */
	function decodeEvents(settings, bytes, events) {
		const { count, tick, stack, value } = events, stacks = settings.stacks, length = bytes.length;
		const one = Math.pow(2, settings.group), most = one - 1, mask = one - 1, group = settings.group;
		let at = 0, i = 0, left = 0, now = 0, state = HEAD;

		while (i < count && at < length) {
			let code = bytes[at++] - FIRST_DIGIT;

			if (code < 0) /* a line's end */
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

	/* A file that was cut: what there is of it. */
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

	/* Of each stack the text of its frame that stands at a place behind the root; null: none. */
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
			return { label, re: new RegExp(source) };
		} catch (e) {
			return { label, re: null }; /* it means something elsewhere only */
		}
	}

	/* Of each stack the label of the first that matches. */
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

	/* As their UTF-8 would be sorted. */
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
		const { stacks = null, recording = -1, idle = false } = choice || {}, take = new Uint8Array(data.stacks);
		const host = recording >= 0 ? data.hostOf[recording] : null;

		for (let s = 0; s < take.length; s++) {
			if ((!stacks || stacks[s]) && (host === null || data.hostOf[data.recordingOf[s]] === host))
				take[s] = data.isIdle[s] && !idle ? 2 : 1;
		}
		return take;
	}

	/* How long each span may be at most, so that those that began before a window are found. */
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

	/* ---- the time of the day ---- */

	const NS = 1e9, NS_MS = 1e6;

	const padded = (n, digits) => String(n).padStart(digits, '0');

	/* Whole seconds since the epoch, and ns within one. */
	function split(settings) {
		const origin = BigInt(settings.relative ? 0 : settings.origin), second = Number(origin / 1000000000n), rest = Number(origin % 1000000000n);

		return (ns) => {
			const t = rest + Math.round(ns), more = Math.floor(t / NS);

			return { second: second + more, ns: t - more * NS };
		};
	}

	/* A browser's date whose UTC is what its own zone shows. */
	function localDate(ms) {
		return new Date(ms - new Date(ms).getTimezoneOffset() * 60000);
	}

	function localLabel(ms) {
		const part = new Intl.DateTimeFormat('en-GB', { timeZoneName: 'short' }).formatToParts(new Date(ms))
			.find(({ type }) => type === 'timeZoneName');

		return part ? part.value : 'local time';
	}

	/* So many digits that ticks differ. */
	function digitsOf([num, den]) {
		let digits = 9;

		for (let ns = num / den; digits && ns >= 10; ns /= 10)
			digits--;
		return digits;
	}

	function clock(settings, zone) {
		const at = split(settings), [, label, own] = zone === 'UTC' || settings.relative ? ['UTC', 'UTC', 0] : settings.zone;
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

	/* Values in us, ms and s are lengths of time, too. */
	function unit(settings) {
		const factor = TIMES[settings.unit];

		return { unit: factor ? 'ns' : settings.unit || '', decimals: settings.decimals || 0, factor: factor || 1 };
	}

	return { unit, decode, dimension, stackText, match, firstEvent, taken, spanNs, longest, nsOf, tickAt, scaled, clock };
})();
/* heat_axes: the axes of a heat map, as grid.h says, and which events and spans of time are in
 * which cell; all exact.  Needs heat_data.js.
 *
 * make(settings, want), spanFor(), rowsFor(), finer(), finest(), columnNs(), rowBorder(), rowOf(), cellAt()   see heat_grid.js
 * eachCell(data, settings, axes, take)  calls take(cell, i, end) for all cells of y "offset", else
 *                                 all columns, that have events: these are i .. end - 1
 * painter(axes, cells)         -> .add(from, to, row, weight): paint a span of ns, of y "offset" in all
 *                                 rows that it has, else in row; .finish()
 * ofColumns(axes)              -> y "offset" with one row: all of a column
 * USE_WHOLE                    100 % of a CPU, as the borders of y "utilization" have it */
pyrograph.heat.axes = (function () {
	'use strict';

	const D = pyrograph.heat.data;
	const COLUMN_PX = 3, SEC = 1e9, MINUTE = 60 * SEC, HOUR = 60 * MINUTE, DAY = 24 * HOUR, USE_WHOLE = 10000, USUAL = 50, ROW_TICKS = 20;
	const SHORT = [500e6, 200e6, 100e6, 50e6, 20e6, 10e6, 5e6, 2e6, 1e6, 500e3, 200e3, 100e3], SHORT_COLUMNS = 16, SHORT_SAMPLES = 5;
	const LADDER = [SEC, MINUTE, 5 * MINUTE, HOUR, DAY];

	/* ---- axes ---- */

	const either = (a, b) => a === undefined || a === null ? b : a;

	/* As grid.c: low * (high / low)^(row / rows), but for what the last digits may be off. */
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

	/* When the period of the window's beginning begins, and with it the columns: whole in the zone,
	 * and without a wall clock that beginning itself. */
	function firstPeriod(settings, period, zone) {
		const [begin] = settings.window, width = BigInt(period), at = BigInt(settings.origin) + BigInt(begin) +
			BigInt(either(zone, settings.zone[2]));

		return settings.relative ? begin : begin - Number((at % width + width) % width);
	}

	function make(settings, want = {}) {
		const period = want.period || Number(settings.period), perColumn = want.perColumn || settings.perColumn;
		const column = period * perColumn, [begin, end] = settings.window;
		const from = either(want.from, begin), to = Math.max(either(want.to, end), from + 1);
		const least = firstPeriod(settings, period, want.zone), count = (until) => Math.floor((until - least) / column);
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

	/* Rows without stripes, if there are such (heat_beats.js); of many ticks, or whole ones, so that
	 * little or nothing is rounded. */
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
			perColumn: isFixed && whole ? settings.perColumn : Math.max(1, Math.ceil((to - from) / period / most)),
		};
	}

	/* ---- zoomed in far ---- */

	/* Periods shorter than settings' that still tell something: some samples, many ticks. */
	function shorter(settings) {
		const [num, den] = settings.tick, own = Number(settings.period);
		const rates = settings.spans ? [] : settings.recordings.map((r) => r.rate).filter((rate) => rate > 0);

		return settings.y === 'utilization' || own > SEC ? [] : SHORT.filter((period) => period < own && period * den >= num * ROW_TICKS &&
			rates.every((rate) => Math.round(rate * period / SEC) >= SHORT_SAMPLES));
	}

	/* As many as there are samples for, without stripes: two of a CPU each, or one. */
	function rowsOfShorter(settings, period) {
		const [num, den] = settings.tick, { y } = settings, rates = settings.spans ? [] : settings.recordings.map((r) => r.rate);
		const isRight = (rows) => (period * den % (num * rows) === 0 || period * den / (num * rows) >= ROW_TICKS) &&
			!pyrograph.heat.beats.striped(settings, { y, rows, period, perColumn: 1 });

		if (y !== 'offset')
			return settings.rows;
		for (const [samples, least] of [[2, 4], [1, 2]]) {
			const most = Math.min(USUAL, ...rates.filter((rate) => rate > 0).map((rate) => Math.round(rate * period / SEC / samples)));

			for (let rows = most; rows >= least; rows--) {
				if (isRight(rows))
					return rows;
			}
		}
		return 1;
	}

	const finest = (settings) => shorter(settings).pop() || Math.min(Number(settings.period), settings.y === 'offset' ? SEC : Infinity);

	function finer(settings, from, to) {
		const isFew = (period) => (to - from) / period < SHORT_COLUMNS, own = Math.min(Number(settings.period), SEC);
		const all = isFew(own) ? shorter(settings) : [], period = all.find((p) => !isFew(p)) || all.pop();

		return period ? { period, rows: rowsOfShorter(settings, period), perColumn: 1 } : null;
	}

	const columnNs = (axes, column) => axes.start + column * axes.column;

	/* The row that has a value, by its lower border. */
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

	/* Where ticks are whole parts of rows there is nothing to be rounded: { row: ticks in one,
	 * start: the window's first }; else null. */
	function wholeTicks(settings, { period, start }, rows) {
		const [num, den] = settings.tick, row = D.scaled(period, den, num * rows), first = D.tickAt(settings, start);

		const fits = BigInt(row) * BigInt(num) * BigInt(rows) === BigInt(period) * BigInt(den);

		return fits && D.nsOf(settings, first) === start ? { row, start: first } : null;
	}

	/* Calls take(cell, i, end) for all cells that have events, which are i .. end - 1; of rows a
	 * period, and a column's own number of cells. */
	function eachCell(data, settings, axes, take) {
		const isOffset = axes.y === 'offset', tick = data.tick, rows = isOffset ? axes.rows : 1;
		const period = isOffset ? axes.period : axes.column, perColumn = isOffset ? axes.perColumn : 1;
		const last = D.firstEvent(data, D.tickAt(settings, axes.end));
		const whole = wholeTicks(settings, { period, start: axes.start }, rows), ticks = whole ? whole.row * rows : 0;
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

	/* The part of a column from .. to: ns from the window's start on. */
	function paintColumn(axes, cells, from, to, row, weight) {
		const { period } = axes, first = Math.floor(from / period), last = Math.floor((to - 1) / period);

		if (axes.y !== 'offset') {
			cells[Math.floor(from / axes.column) * axes.rows + row] += (to - from) * weight;
		} else if (first === last) {
			paintRows(axes, cells, from, to, weight);
		} else {
			paintRows(axes, cells, from, (first + 1) * period, weight);
			if (last - first > 1)
				paintRows(axes, cells, (first + 1) * period, (first + 2) * period, weight * (last - first - 1));
			paintRows(axes, cells, last * period, to, weight);
		}
	}

	/* Adds spans to cells; whole columns only when it is finished, so that long spans cost no more. */
	function painter(axes, cells) {
		const step = axes.y === 'offset' ? 1 : axes.rows, more = new Float64Array((axes.columns + 1) * step);

		function add(start, end, row, weight) {
			const from = Math.max(start, axes.start) - axes.start, to = Math.min(end, axes.end) - axes.start;
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
					paintColumn(axes, cells, column * axes.column, (column + 1) * axes.column, row, now[row]);
			}
		}
		return { add, finish };
	}

	const ofColumns = (axes) => axes.y === 'offset' ? axes :
		Object.assign({}, axes, { y: 'offset', rows: 1, borders: Float64Array.of(0, axes.period) });

	return { make, spanFor, rowsFor, finer, finest, columnNs, rowBorder, rowOf, cellAt, eachCell, painter, ofColumns, USE_WHOLE };
})();
/* heat_seen: what was looked at, and how busy it was: grid_seen.c and grid_use.c.  Needs
 * heat_data.js and heat_axes.js.
 *
 * unseen(settings, axes, recording, data, cpu), partOf(settings, dimension, key)   see heat_grid.js
 * dark(settings, recording, data, cpu)  the same as stretches [[from, to], ...] of each CPU, by start, apart
 * common(a, b)                 -> how many ns two lists of stretches, rising and apart, have in common
 * use(data, settings, axes, choice) -> of each CPU (where stacks do not tell theirs: of each host)
 *                                 what share of its samples, or of its time, is chosen
 *   .count                     of CPUs
 *   .cpuOf                     Int32Array by stack, -1: none
 *   .rows(rows)                -> Int32Array [column * count + cpu]: in which of so many rows it is, -1:
 *                                 it was not seen; rows A.USE_WHOLE: its share in these, but for 100 % */
pyrograph.heat.seen = (function () {
	'use strict';

	const D = pyrograph.heat.data, A = pyrograph.heat.axes;
	const SAMPLE = 1000000000000n; /* a sample, in 1/1000 Hz * ns */

	/* ---- what was not seen ---- */

	/* "cpu12" is 12; -1: no number. */
	const cpuNumber = (name) => Number((/\d+/.exec(name) || ['-1'])[0]);

	/* [{ host, recordings: [number], cpus: [number] }] of the host of recording (-1: all), and of cpu alone
	 * (-1: all of theirs; a host that has it not does not count). */
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

	/* To hosts whose headers tell none. */
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

	/* [[from, to], ...] that were not seen of a host's CPU (-1: of a host without known ones), by start. */
	function darkOf(settings, host, cpu, looked = (r) => r) {
		const gaps = settings.gaps.filter((gap) => host.recordings.includes(gap[2]) && (gap[3] < 0 || cpu < 0 || gap[3] === cpu))
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

	/* What several stretches have counts once. */
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

	/* The cell (of several periods: the column) in which a time is. */
	function cellAt(axes, ns) {
		const begins = axes.start + Math.floor((ns - axes.start) / axes.column) * axes.column;

		if (axes.rows === 1 || axes.perColumn > 1)
			return [begins, begins + axes.column];
		const row = D.scaled(ns - begins, axes.rows, axes.period);

		return [begins + axes.borders[row], begins + axes.borders[row + 1]];
	}

	/* Where it is not known when a recording began or ended, the cell was seen as a whole. */
	const wholeCells = (axes) => ({ from, to, fromOpen, toOpen }) => ({
		from: fromOpen && from < to ? cellAt(axes, from)[0] : from, to: toOpen && from < to ? cellAt(axes, to - 1)[1] : to,
	});

	function dark(settings, recording = -1, data = null, only = -1, looked) {
		return hosts(settings, recording, data, only).flatMap((host) =>
			(host.cpus.length ? host.cpus : [-1]).map((cpu) => joined(darkOf(settings, host, cpu, looked))));
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
		const on = A.ofColumns(axes), { rows } = on, lists = dark(settings, recording, data, only, wholeCells(on));
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

	/* [{ host, cpu, cpus }], and by stack which of them it is of. */
	function measured(data, settings, seen) {
		const isByCpu = settings.dimensions.some(([name]) => name === 'cpu');
		const all = seen.flatMap((host) => isByCpu && host.cpus.length ? host.cpus.map((cpu) => ({ host, cpu, cpus: 1 })) :
			[{ host, cpu: -1, cpus: isByCpu ? 1 : Math.max(1, host.cpus.length) }]);
		const cpu = isByCpu ? D.dimension(data, settings, 'cpu') : null, numbers = cpu && cpu.keys.map(cpuNumber);
		const cpuOf = Int32Array.from(data.recordingOf, (recording, s) => {
			const number = !cpu ? -1 : cpu.keyOf[s] < 0 ? NaN : numbers[cpu.keyOf[s]];

			return all.findIndex((of) => of.host.recordings.includes(recording) &&
				(of.cpu === number || (of.cpu < 0 && number === number))); /* NaN is none */
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
		for (let i = D.firstEvent(data, D.tickAt(settings, on.start - D.longest(data, settings))); i < count; i++) {
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
				joined(darkOf(settings, host, one)).forEach(([from, to]) => painting.add(from, to, row, 1));
		});
		painting.finish();
	}

	/* part of whole was busy; null: too little was seen. */
	function shareOf(settings, on, { host, cpus }, busy, dark) {
		const seen = Math.max(0, on.column * cpus - dark), rate = Math.max(...host.recordings.map((r) => settings.recordings[r].rate));
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

	/* ---- one of several maps ---- */

	function partOf(settings, dimension, key) {
		const text = dimension.keys[key], stacks = Uint8Array.from(dimension.keyOf, (k) => k === key ? 1 : 0);

		return {
			stacks, recording: dimension.name === 'host' ? settings.recordings.findIndex(({ host }) => host === text) : -1,
			cpu: dimension.name === 'cpu' ? cpuNumber(text) : -1,
		};
	}

	return { unseen, dark, common, use, partOf };
})();
/* heat_grid: events counted in cells, as grid.h says and grid.c does; exact.  Needs heat_data.js,
 * heat_axes.js and heat_seen.js.
 *
 * axes(settings, want)         -> axes: { y, weigh, period, perColumn, columns, rows, start, end, column
 *                                 (ns of a column), low, high, step, logarithmic, borders: by row, and
 *                                 the upper end, least, most: as start and end, of all that there is }.
 *                                 want: from, to (ns; whole columns are shown), period, perColumn, rows,
 *                                 y, weigh, low, high, step, logarithmic, zone (ns to be added to UTC);
 *                                 what is missing is as in settings
 * spanFor(settings, from, to, width) -> { period, rows, perColumn }: the finest of 1 s, 1 min, 5 min,
 *                                 1 h, 1 d of which columns have 3 of width pixels; the whole window, and
 *                                 any window of a period that is none of these: as drawn
 * finer(settings, from, to)    -> the same of periods shorter than settings', where few of those would be seen; or null
 * finest(settings)             -> the shortest of all of these, ns
 * rowsFor(settings, period)    -> how many rows a period has if nobody says it
 * make(data, settings, axes, choice) -> grid { axes, cells: Float64Array [column * rows + row],
 *                                 idle: the same of idle stacks, total, idleTotal, largest,
 *                                 below, above (y "value": outside low .. high) }
 *     choice: { stacks: null or Uint8Array by stack, recording: -1 or the number of one
 *             of a host (all of that host's count), cpu: -1 or the one whose stacks these are
 *             (y "utilization": others do not count), idle: true: idle ones count with the
 *             others }; may be null, and so may each of them
 * partOf(settings, dimension, key) -> { stacks, recording, cpu }: the choice of one of several maps
 * byKeys(data, settings, axes, choice, keyOf, count) -> [grid, ...] of the keys 0 .. count - 1
 *                                 (keyOf: by stack), in one pass; their idle is 0
 * byCpus(data, settings, axes, choice, dimension, keys) -> [grid, ...] of y "utilization": the CPUs of these
 *                                 keys (numbers) of "host" or "cpu"
 * unseen(settings, axes, recording, data, cpu) -> Uint16Array, in 1/1000, of recording's host, or all
 *                                 of them (-1), and of cpu, or all of them (-1); data: for the CPUs,
 *                                 where headers do not tell them
 * percentile(data, settings, axes, choice, percent) -> Float64Array by column, NaN: has none
 * cellAt(axes, ns, value)      -> { column, row }, or null; value: of y "value", or 1/10000 of a CPU
 * columnNs(axes, column), rowBorder(axes, row)  as in grid.h, ns from settings.origin on
 * A.rowOf(axes, value)           -> of y "value": its row, -1: outside
 * D.firstEvent(data, tick)       -> number of the first event of that tick or later
 * D.taken(data, choice)          -> Uint8Array by stack: 0: not chosen, 1: counts, 2: is idle */
pyrograph.heat.grid = (function () {
	'use strict';

	const D = pyrograph.heat.data, A = pyrograph.heat.axes, S = pyrograph.heat.seen;

	/* ---- counting ---- */

	function emptyGrid(axes, idle) {
		return { axes, cells: new Float64Array(axes.columns * axes.rows),
			idle: idle || new Float64Array(axes.columns * axes.rows),
			total: 0, idleTotal: 0, largest: 0, below: 0, above: 0 };
	}

	/* cells[to] of each event's stack gets 1, or its value. */
	function fillOffsets(data, settings, axes, toOf, cells) {
		const { stack, value } = data, weigh = axes.weigh === 'events' ? null : value;

		A.eachCell(data, settings, axes, (cell, i, end) => {
			for (; i < end; i++) {
				const to = toOf[stack[i]];

				if (to >= 0)
					cells[to][cell] += weigh ? weigh[i] : 1;
			}
		});
	}

	function fillValues(data, settings, axes, toOf, grids, cells) {
		const { stack, value } = data, { rows } = axes, weigh = axes.weigh === 'events' ? null : value;

		A.eachCell(data, settings, axes, (column, i, end) => {
			for (; i < end; i++) {
				const to = toOf[stack[i]];

				if (to < 0)
					continue;
				const v = value ? value[i] : settings.same, row = A.rowOf(axes, v), weight = weigh ? weigh[i] : 1;

				if (row >= 0)
					cells[to][column * rows + row] += weight;
				else if (to % 2 === 0) /* not an idle one */
					grids[to / 2][v < axes.low ? 'below' : 'above'] += weight;
			}
		});
	}

	function paint(data, settings, axes, toOf, grids, cells) {
		const painters = cells.map((of) => A.painter(axes, of)), { stack, value, tick } = data;
		const last = D.firstEvent(data, D.tickAt(settings, axes.end));
		const inside = (start, end) => Math.max(0, Math.min(end, axes.end) - Math.max(start, axes.start));

		for (let i = D.firstEvent(data, D.tickAt(settings, axes.start - D.longest(data, settings))); i < last; i++) {
			const to = toOf[stack[i]], start = D.nsOf(settings, tick[i]), end = start + D.spanNs(data, settings, i);

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

	/* ---- all of it ---- */

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
		grid.below *= times;
		grid.above *= times;
	}

	/* A cell counts CPUs, each grid those of its own stacks. */
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

	/* toOf: by stack, 2 * grid, 1 more: its idle; -1: none. */
	function fill(data, settings, axes, toOf, grids, choice) {
		const cells = grids.flatMap((grid) => [grid.cells, grid.idle]);
		const isPainted = axes.weigh === 'painted' && settings.spans, isCount = isPainted || axes.weigh === 'events' || axes.y === 'utilization';

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
		return fill(data, settings, axes, Int32Array.from(D.taken(data, choice), (take) => take - 1), [emptyGrid(axes)], choice)[0];
	}

	function byKeys(data, settings, axes, choice, keyOf, count) {
		const take = D.taken(data, choice), none = new Float64Array(axes.columns * axes.rows);
		const toOf = Int32Array.from(keyOf, (key, s) => take[s] === 1 && key >= 0 && key < count ? 2 * key : -1);

		return fill(data, settings, axes, toOf, Array.from({ length: count }, () => emptyGrid(axes, none)), choice);
	}

	/* Of y "utilization" the CPUs of each key of "host" or "cpu". */
	function byCpus(data, settings, axes, choice, dimension, keys) {
		const { stacks = null, recording = -1, cpu = -1 } = choice || {}, hostOf = (r) => settings.recordings[r].host;

		return keys.map((key) => {
			const own = S.partOf(settings, dimension, key);

			if ((own.recording < 0 && own.cpu < 0) || (cpu >= 0 && own.cpu >= 0 && cpu !== own.cpu) ||
				(recording >= 0 && own.recording >= 0 && hostOf(recording) !== hostOf(own.recording)))
				return emptyGrid(axes);
			return make(data, settings, axes, Object.assign({}, choice, { stacks: stacks, recording: own.recording < 0 ? recording : own.recording,
				cpu: own.cpu < 0 ? cpu : own.cpu }));
		});
	}

	/* ---- percentiles ---- */

	/* The nearest rank among values, which it sorts. */
	function nearest(values, percent) {
		const rank = Math.ceil(percent * values.length / 100 - 1e-9);

		return values.length ? values.sort()[Math.max(0, Math.min(rank, values.length) - 1)] : NaN;
	}

	function percentileOfUse(data, settings, axes, choice, percent) {
		const use = S.use(data, settings, axes, choice), shares = use.rows(A.USE_WHOLE + 1);

		return Float64Array.from({ length: axes.columns }, (unused, column) =>
			nearest(shares.subarray(column * use.count, (column + 1) * use.count).filter((share) => share >= 0), percent));
	}

	function percentile(data, settings, axes, choice, percent) {
		if (axes.y === 'utilization')
			return percentileOfUse(data, settings, axes, choice, percent);
		const lines = new Float64Array(axes.columns).fill(NaN), take = D.taken(data, choice), { stack, value } = data;

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
		make, byKeys, byCpus, percentile, unseen: S.unseen, partOf: S.partOf, axes: A.make, spanFor: A.spanFor, rowsFor: A.rowsFor, finer: A.finer, finest: A.finest, cellAt: A.cellAt, columnNs: A.columnNs,
		rowBorder: A.rowBorder, rowOf: A.rowOf, firstEvent: D.firstEvent, taken: D.taken,
	};
})();
/* heat_scale: from counts to colours, as scale.h says and scale.c does.
 *
 * make(coloring, grids)        -> scale, over all grids of a picture together; coloring: "linear",
 *                                 "rank", "log"
 * of(scale, value)             -> 0 (only for 0) to 1
 * rgb(ramp, dark, scale, value) -> 0xrrggbb; ramp: one of settings.ramps
 * find(settings, name)         -> the ramp called name, or the first one
 * css(rgb)                     -> "#rrggbb"
 * hue(i)                       -> 0 to 360, of the map with that number, 360 more for each round of
 *                                 darker ones; GREY: what has no hue
 * huesOf(keys)                 -> of keys (numbers in their dimension's list), in the order in which they were
 *                                 marked, the numbers of their hues: that of the key's own place where no
 *                                 earlier one has it, so that a key keeps its hue
 * hueRgb(hue, n, dark)         -> the colour of hue at n (0 to 1)
 * mix(hues, ns, dark)          -> several in one cell */
pyrograph.heat.scale = (function () {
	'use strict';

	const FIRST_HUE = 21, NEXT_HUE = 91, GREY = -1;
	const HUES_ROUND = 4, VALUES = [0.95, 0.7, 0.5]; /* the fifth is close to the first, but darker */
	const STEPS = 9, COUNT_STEPS = 5, LEAST = 1 / 16; /* what is not 0 is at least that far on a ramp */
	const NOTHING = 0xffffff, NOTHING_DARK = 0x17191d;

	/* ---- numbers 0 to 1 ---- */

	/* All that are not 0, rising. */
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

	/* As Cloud Analytics: sorted falling, the one at place i of N has (N - i) / N, equal ones that
	 * of the first of them: from below, the share of those that are not larger. */
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

	/* A count that no cell has (of one key among several) is where it would be. */
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

	/* ---- ramps ---- */

	const parse = (text) => parseInt(text.slice(1), 16);
	const css = (rgb) => '#' + (rgb + 0x1000000).toString(16).slice(1);

	const packed = (channels) => channels.reduce((all, c) => all << 8 | Math.max(0, Math.min(255, Math.floor(c + 0.5))), 0);

	function between(from, to, part) {
		return packed([16, 8, 0].map((shift) => {
			const a = from >> shift & 255, b = to >> shift & 255;

			return a + (b - a) * part;
		}));
	}

	/* At n, of count colours with equal distances. */
	function at(steps, count, n) {
		const place = n * (count - 1), step = Math.floor(place);

		return step >= count - 1 ? steps[count - 1] : between(steps[step], steps[step + 1], place - step);
	}

	const parsed = new Map(); /* a ramp's colours as text -> as numbers */

	function colours(ramp, dark) {
		const texts = ramp[dark ? 3 : 2];

		if (!parsed.has(texts))
			parsed.set(texts, texts.map(parse));
		return parsed.get(texts);
	}

	/* FlameScope's enhanced colours: at 0, 1, 3, half and all of the largest. */
	function atCount(steps, largest, value) {
		const points = [0, 1, 3, largest / 2, largest];
		let before = 0;

		for (let i = 1; i < COUNT_STEPS; i++) {
			if (points[i] <= points[before]) /* the largest count is a small one */
				continue;
			if (value < points[i])
				return between(steps[before], steps[i], (value - points[before]) / (points[i] - points[before]));
			before = i;
		}
		return steps[before];
	}

	function rgb(ramp, dark, scale, value) {
		const steps = colours(ramp, dark), n = of(scale, value);

		if (ramp[4])
			return scale.coloring === 'linear' ? atCount(steps, scale.largest, value) : at(steps, COUNT_STEPS, n);
		return at(steps, STEPS, n > 0 ? Math.max(n, LEAST) : n);
	}

	const find = (settings, name) => settings.ramps.find((ramp) => ramp[0] === name) || settings.ramps[0];

	/* ---- hues ---- */

	const hue = (number) => (FIRST_HUE + NEXT_HUE * number) % 360 + 360 * (Math.floor(number / HUES_ROUND) % VALUES.length);

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

	/* HSV as channels 0 to 255; the usual formula. */
	function hsv(h, saturation, value) {
		const sixth = (h % 360 + 360) % 360 / 60, f = sixth - Math.floor(sixth);
		const p = value * (1 - saturation), q = value * (1 - saturation * f), t = value * (1 - saturation * (1 - f));
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

	return { make, of, rgb, find, css, hue, huesOf, hueRgb, mix, GREY };
})();
/* heat_select: a part of a heat map, and what is in it.  Needs heat_data.js and heat_grid.js.
 *
 * A selection is null (everything) or, all ends excluded,
 *   { kind: "time", from, to }         ns from settings.origin on
 *   { kind: "rows", from, to, low, high, period }  of each period that begins in from .. to only
 *                                 low .. high: ns from its begin on; of y "value": of all of from
 *                                 .. to only the values low .. high
 *   { kind: "cpu", from, to, low, high, period }   y "utilization": of each column of that
 *                                 length those CPUs that are in these rows, in 1/10000
 * with the number of its map, where there are several: map
 *
 * ranges(settings, axes, selection) -> [[first tick, tick behind], ...], rising, apart; of their
 *                                 events filters by value and CPU may leave some out
 * filter(data, settings, axes, selection, choice) -> null: all events of ranges are selected; else a function of
 *                                 (event, its value) that says whether it is
 * sums(data, settings, axes, selection, choice) -> Float64Array by stack: the values selected of
 *                                 the stacks chosen (heat_grid.js); painted: the ns inside
 * counts(data, settings, axes, selection, choice) -> Float64Array by stack: how many events begin
 *                                 in it, of idle stacks as well
 * events(data, settings, axes, selection, choice) -> how many, idle ones only if choice.idle
 * ofCells(axes, a, b, shape)   -> selection from { column, row } to { column, row }; shape "time": all
 *                                 from the earlier to the later one; "rows": the rectangle
 * shift(selection, axes, columns, rows) -> moved; itself where it would leave the map
 * extend(selection, axes, columns, rows) -> its moving end moved; beyond the other end it turns
 * inSelection(axes, selection, column, row) -> is any of the cell's time and values in it
 * encode(selection), decode(text) -> for links; null is "" */
pyrograph.heat.select = (function () {
	'use strict';

	const D = pyrograph.heat.data, A = pyrograph.heat.axes, G = pyrograph.heat.grid;
	const KINDS = { t: 'time', r: 'rows', c: 'cpu' };

	const isRepeated = (axes, selection) => selection.kind === 'rows' && axes.y === 'offset';

	/* How much time of what is selected is before ns. */
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
			const first = D.tickAt(settings, begin), behind = D.tickAt(settings, end), last = all[all.length - 1];

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

	/* Which events of ranges: null, all of them, or a function of (event, its value). */
	function filterOf(data, settings, axes, selection, choice) {
		if (!selection || selection.kind === 'time')
			return null;
		if (selection.kind === 'rows' && axes.y === 'value')
			return (i, value) => value >= selection.low && value < selection.high;
		return selection.kind === 'cpu' ? cpuFilter(data, settings, axes, selection, choice) : null;
	}

	/* Events of CPUs that were as busy as that in their column. */
	function cpuFilter(data, settings, axes, selection, choice) {
		const { low, high, from, to, period } = selection, row = (value) => axes.borders.findIndex((border) => border >= value);
		const on = G.axes(settings, Object.assign({}, axes, { from, to, period, perColumn: 1 }));
		const use = pyrograph.heat.seen.use(data, settings, on, choice), rows = use.rows(axes.rows), first = row(low), end = row(high);

		return (i) => {
			const column = Math.floor((D.nsOf(settings, data.tick[i]) - on.start) / period), cpu = use.cpuOf[data.stack[i]];
			const at = cpu < 0 ? -1 : rows[column * use.count + cpu];

			return at >= first && at < end;
		};
	}

	/* Calls add(stack, i, value) for all events that begin in selection. */
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

	/* The same without a filter, without a call for each. */
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

	/* Painted spans: what of each is selected, wherever it began. */
	function paintedSums(data, settings, axes, selection) {
		const sums = new Float64Array(data.stacks), { stack, tick } = data;
		const filter = filterOf(data, settings, axes, selection, null), end = D.firstEvent(data, D.tickAt(settings, selection.to));
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

		each(data, settings, axes, selection, choice, (stack, value) => { sums[stack] += byValue ? value : 1; });
		return sums;
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
		return chosen(data, choice, counts(data, settings, axes, selection, choice), false).reduce((sum, n) => sum + n, 0);
	}

	/* ---- cells ---- */

	/* Where a row begins, and what is behind it: the largest value is in a row, and so nothing in
	 * those above it. */
	function lowest(axes, row) {
		return axes.y === 'value' && row > A.rowOf(axes, axes.high) ? axes.high + 1 : axes.borders[row];
	}

	const behind = (axes, row) => lowest(axes, row + 1);

	function rectangle(axes, a, b) {
		const low = lowest(axes, Math.min(a.row, b.row)), high = behind(axes, Math.max(a.row, b.row));
		const from = G.columnNs(axes, Math.min(a.column, b.column)), to = G.columnNs(axes, Math.max(a.column, b.column) + 1);

		return { kind: axes.y === 'utilization' ? 'cpu' : 'rows', from, to, low, high,
			period: axes.y === 'offset' ? axes.period : axes.column };
	}

	function ofCells(axes, a, b, shape) {
		const isOffset = axes.y === 'offset', isOne = a.column === b.column && (isOffset ? axes.perColumn > 1 : a.row === b.row);
		const [first, last] = a.column < b.column || (a.column === b.column && a.row <= b.row) ? [a, b] : [b, a];

		if (shape === 'rows' || isOne)
			return rectangle(axes, a, b);
		const from = G.columnNs(axes, first.column), to = G.columnNs(axes, last.column + 1);

		return isOffset ? { kind: 'time', from: from + axes.borders[first.row], to: to - axes.period + behind(axes, last.row) } :
			{ kind: 'time', from, to };
	}

	/* Of each column its periods are alike, but for the ends of what is selected. */
	function inSelection(axes, selection, column, row) {
		const begin = G.columnNs(axes, column), low = lowest(axes, row), high = behind(axes, row);

		if (!selection || selection.from >= begin + axes.column || selection.to <= begin)
			return false;
		if (axes.y !== 'offset')
			return selection.kind === 'time' || (selection.low < high && selection.high > low);
		const isAlike = isRepeated(axes, selection) && selection.period === axes.period;
		const first = Math.max(0, Math.floor((selection.from - begin) / axes.period));
		const last = Math.min(axes.perColumn - 1, Math.floor((selection.to - 1 - begin) / axes.period), isAlike ? first + 1 : Infinity);

		for (let k = first; k <= last; k++) {
			if (within(axes, selection, begin + k * axes.period + low, begin + k * axes.period + high) > 0)
				return true;
		}
		return false;
	}

	/* ---- arrows ---- */

	/* Borders of rows by number: those of a period after those of the one before, from axes.least on. */
	function borderAt(axes, ns) {
		const period = Math.floor((ns - axes.least) / axes.period), offset = ns - axes.least - period * axes.period;

		return period * axes.rows + D.scaled(offset, axes.rows, axes.period);
	}

	function nsOfBorder(axes, border) {
		const period = Math.floor(border / axes.rows);

		return axes.least + period * axes.period + axes.borders[border - period * axes.rows];
	}

	const isTimeOfCells = (axes, selection) => selection.kind === 'time' && axes.y === 'offset';

	/* A selection as two stretches of whole numbers: x of 0 .. most, y (null: all) of 0 .. rows. */
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

	/* What a step of columns and rows is in x. */
	const stepOf = (axes, selection, columns, rows) => isTimeOfCells(axes, selection) ?
		columns * axes.perColumn * axes.rows + rows : columns;

	function shift(selection, axes, columns, rows) {
		if (!selection)
			return null;
		const { x, y, most } = stretches(axes, selection), step = stepOf(axes, selection, columns, rows);
		const movedX = x.map((n) => n + step), movedY = y && y.map((n) => n + rows);
		const isInside = movedX[0] >= 0 && movedX[1] <= most && (!y || (movedY[0] >= 0 && movedY[1] <= axes.rows));

		return isInside ? ofStretches(axes, selection, movedX, movedY) : selection;
	}

	/* One of a stretch's ends moves, of 0 .. most; it is one long at least. */
	function stretched([from, to], isBack, by, most) {
		const fixed = isBack ? to - 1 : from, moving = Math.max(0, Math.min(most - 1, (isBack ? from : to - 1) + by));

		return { at: [Math.min(fixed, moving), Math.max(fixed, moving) + 1], isBack: moving < fixed };
	}

	function extend(selection, axes, columns, rows) {
		if (!selection)
			return null;
		const { x, y, most } = stretches(axes, selection), step = stepOf(axes, selection, columns, rows);
		const madeX = stretched(x, selection.backX, step, most), madeY = y && stretched(y, selection.backY, rows, axes.rows);

		return ofStretches(axes, selection, madeX.at, madeY && madeY.at,
			{ backX: madeX.isBack, backY: Boolean(madeY && madeY.isBack) });
	}

	/* ---- links ---- */

	function encode(selection) {
		if (!selection)
			return '';
		const { kind, from, to, low, high, period, map } = selection;

		return [kind[0], from, to].concat(kind === 'time' ? [] : [low, high, period]).join(':') + (map === undefined ? '' : '@' + map);
	}

	function decode(text) {
		const [, what, map] = /^(.*?)(?:@(\d{1,3}))?$/.exec(String(text || '')) || ['', ''];
		const [letter, ...rest] = what.split(':'), kind = KINDS[letter], all = rest.map(Number);
		const [from, to, low, high, period] = all, ofMap = map === undefined ? {} : { map: Number(map) };
		const isRight = kind && rest.every((n) => /^-?\d{1,16}$/.test(n)) && from < to;

		if (isRight && kind === 'time' && all.length === 2)
			return { kind, from, to, ...ofMap };
		return isRight && all.length === 5 && low >= 0 && low < high && period > 0 && (to - from) / period < 1e6 ?
			{ kind, from, to, low, high, period, ...ofMap } : null;
	}

	return { ranges, filter: filterOf, sums, counts, events, ofCells, shift, extend, inSelection, encode, decode };
})();
/* heat_ticks: what stands at the axes of a heat map.  Pure.
 *
 * time(axes, clock, offset, widthPx, labelPx(text)) -> [{ ns, text }, ...]
 *     times of the day that are whole in the zone, so far apart that labels have room;
 *     offset: what is to be added to ns from the origin, in ns, to get the zone's time of the
 *     day (modulo a day)
 * rows(axes, settings, heightPx, leastPx) -> [{ at, text }, ...]; at: rows from the bottom on
 * rowAt(axes, value) -> where an offset or a value is, in rows from the bottom on
 * isOn(axes, value)  -> has it a row?
 * span(ns)           -> "1 s", "20 ms", "5 min", "1 d"
 * cellText(axes)     -> "1 column = 1 s, 1 row = 20 ms"
 * dash(percent)      -> how the line of a percentile is drawn: "solid", "dotted" or "dashed"
 * valueText(settings, axes, value) -> a value or an offset as people read it */
pyrograph.heat.ticks = (function () {
	'use strict';

	const N = pyrograph.number, SECOND = 1e9, MINUTE = 60 * SECOND, HOUR = 60 * MINUTE, DAY = 24 * HOUR;
	const LABEL_GAP_PX = 18;
	const UNITS = [[DAY, 'd'], [HOUR, 'h'], [MINUTE, 'min'], [SECOND, 's'], [1e6, 'ms'], [1e3, '\u00b5s'], [1, 'ns']];
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

	/* In the largest unit of which it is a whole number with few digits. */
	function span(ns) {
		const found = UNITS.find(([unit]) => ns >= unit && (ns / unit * 1000) % 1 === 0 && (ns / unit) * unit === ns) || [1, 'ns'];
		const [unit, name] = ns >= MINUTE && ns % SECOND ? [SECOND, 's'] : found;

		return (ns / unit >= 1000 ? N.countText(ns / unit) : plain(ns / unit)) + ' ' + name;
	}

	/* ... or about so long. */
	const lengthText = (ns) => ns % 1e6 ? N.durationText(ns) : span(ns);
	const digitsOf = (step) => step >= MINUTE ? -1 : step >= SECOND ? 0 : Math.ceil(Math.log10(SECOND / step) - 1e-9);

	function time(axes, clock, offset, widthPx, labelPx) {
		const from = pyrograph.heat.grid.columnNs(axes, 0), to = pyrograph.heat.grid.columnNs(axes, axes.columns);
		const pxOf = (step) => step / (to - from) * widthPx;
		const textOf = (ns, step) => step >= DAY || (ns + offset) % DAY === 0 ? clock.date(ns)
			: clock.text(ns, digitsOf(step));
		const step = STEPS.find((s) => (to - from) / s < 1000 && pxOf(s) >= labelPx(textOf(from, s)) + LABEL_GAP_PX) || 0;
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

	/* Has a value a row? */
	const isOn = (axes, value) => value === value && (axes.y !== 'value' || (value >= axes.low && value <= axes.high));

	function valueText(settings, axes, value) {
		return axes.y === 'offset' ? offsetText(axes.period, value)
			: axes.y === 'utilization' ? plain(Math.round(value) / 100) + ' %'
				: N.valueText(pyrograph.heat.data.unit(settings), value);
	}

	/* What offsets in a period are told in. */
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
		return unit >= MINUTE && ns % unit ? mixedText(ns) : plain(Math.round(ns / unit * 1000) / 1000) + ' ' + name;
	}

	/* Of low .. high, at least least apart: whole multiples of the smallest step that is enough. */
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
			values = powers(axes.low, axes.high, (a, b) => (rowAt(axes, b) - rowAt(axes, a)) / axes.rows * most);
		} else {
			const high = axes.low + axes.step * axes.rows;

			values = evenly(axes.low, high, (high - axes.low) / most, settings.unit === 'ns' ? STEPS : DECIMAL);
		}
		return values.map((value) => ({ at: rowAt(axes, value), text: valueText(settings, axes, value) }));
	}

	function cellText(axes) {
		const column = '1 column = ' + span(axes.period * axes.perColumn);

		return axes.y !== 'offset' ? column : column + (axes.perColumn > 1 ? ' (' + N.countText(axes.perColumn) + ' periods of ' +
			span(axes.period) + ')' : '') + ', 1 row = ' + lengthText(axes.period / axes.rows);
	}

	const dash = (percent) => percent <= 50 ? 'solid' : percent < 99 ? 'dotted' : 'dashed';

	return { time, rows, rowAt, isOn, span, dash, cellText, valueText };
})();
/* heat_tree: the flame graph's tree of a part of a heat map's events.
 *
 * The picture has the tree of all events (data.tree) and the frame that each stack ends in, so
 * that a range's tree is that of the values of its stacks, by the order of names that it has
 * already: as "render flame" draws the lines of the range.
 *
 * set(data, settings, roots)  -> a set: { tree, frameOf: by stack, names }: data.tree without the
 *     root frames of those dimensions that are not in roots (Array of names; null: all but
 *     cpu); what then is the same has merged.  Keep it: it takes longer than what follows
 * NOT_SHOWN                   the dimensions whose frames are left out where nobody chose
 * one(set, sums)              -> tree of what has a value; sums: by stack, as heat_select's
 * two(set, base, sums)        -> { tree, settings }: a tree of two layers and what of the settings
 *     is new, as "render flame --diff" has them: normalised by their totals
 * stacks(set, view, path, settings) -> Uint8Array by stack: which ones have the frame at path in
 *     the flame graph of all events as view (address.js) has it: filters, merged ...;
 *     of a sandwich path begins with its function
 * lines(data, sums, base)     -> the folded lines, whole, of what has a value; with base (null: without)
 *     two values a line, that of base first */
pyrograph.heat.tree = (function () {
	'use strict';

	const M = pyrograph.merge, T = pyrograph.transform, LY = pyrograph.layers;
	const NOT_SHOWN = ['cpu'], FINER_MAX = 3, DECIMALS_MAX = 9, FINE_ENOUGH = 1e9; /* modes_read.c */

	/* ---- which root frames are there ---- */

	/* The dimensions that are left out, as numbers in settings.dimensions. */
	function leftOut(settings, roots) {
		return (settings.dimensions || []).map((unused, n) => n).filter((n) => settings.dimensions[n][1] >= 0 &&
			(roots ? !roots.includes(settings.dimensions[n][0]) : NOT_SHOWN.includes(settings.dimensions[n][0])));
	}

	/* Where a recording has the frame of dimension n; -1: nowhere. */
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

	/* Without any event there is no tree: a root of nothing. */
	function rootOf({ tree }) {
		const root = tree.count ? tree : pyrograph.profile.emptyTree(1);

		root.end[0] = root.count;
		return root;
	}

	function set(data, settings, roots) {
		const left = leftOut(settings, roots), made = { tree: rootOf(data), frameOf: data.frameOf, names: data.names, data: data };

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

	/* On its own: what is not in the range is not in this profile. */
	function alone(tree, decimals) {
		return Object.assign(tree, { base: null, sent: null, picked: null, origin: null, decimals: decimals });
	}

	const one = (made, sums) => alone(M.compact(made.tree, selfOf(made, sums), null), made.data.tree.decimals);

	const divisor = (a, b) => b ? divisor(b, a % b) : a;

	/* The smaller of two totals is scaled up to the larger one: [num, den] of each. */
	function scalesOf(totals) {
		const largest = Math.max(...totals);

		return totals.map((total) => {
			const common = total ? divisor(largest, total) : 1;

			return total ? [largest / common, total / common] : [1, 1];
		});
	}

	/* Widths are whole units: so fine that rounding does not show. */
	function finer(totals, scales, decimals) {
		const most = Math.min(decimals + FINER_MAX, DECIMALS_MAX), rounds = scales.some(([, den]) => den !== 1);
		let sum = totals[0] + totals[1], places = 0;

		for (; rounds && decimals + places < most && sum < FINE_ENOUGH; places++)
			sum *= 10;
		return places;
	}

	/* The values of frames by layer, as profile.js has them. */
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

	function two(made, base, sums) {
		const exact = [base, sums].map(sumOf), scales = scalesOf(exact), { decimals } = made.data.tree;
		const places = finer(exact, scales, decimals), one = Math.pow(10, places);
		const selfs = [base, sums].map((values) => selfOf(made, values).map((value) => value * one));
		const width = selfs[0].map((value, i) => Math.max(...scales.map(([num, den], k) =>
			Math.floor(num === den ? selfs[k][i] : selfs[k][i] * num / den))));
		const tree = M.compact(made.tree, width, null), layers = layersOf(tree, tree.picked, selfs);

		alone(tree, decimals + places);
		tree.layers = layers;
		tree.scales = scales;
		return { tree: tree, settings: { mode: 'diff', combine: 'max', scales: scales, decimals: decimals + places,
			delta: 'total', threshold: 0.001, layers: exact.map((total) => ({ name: '', total: total * one })) } };
	}

	/* ---- back from frames to stacks ---- */

	function stacks(made, view, path, settings) {
		const found = new Uint8Array(made.data.stacks), isSandwich = view.sandwich !== null;
		const zoom = isSandwich && path[0] === view.sandwich ? path.slice(1) : path;
		const { tree, names } = T.apply(made.tree, made.names, Object.assign({}, view, { zoom: zoom, callersZoom: [], diff: null }),
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

	/* Stacks of several recordings can be one line. */
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

	return { NOT_SHOWN, set, one, two, stacks, lines };
})();
/* heat_range: what is said of a part of a heat map's time.
 *
 * heat.range(app) ->
 *     name(selection)          "10:15:02.300 - 10:15:04.100, of each 1 s: 0 - 20 ms"; null: what
 *                              can be seen
 *     said(selection, sums)    { name, amount: "1,234 samples, 3.41% of all in 1.8 s", unseen: "3.20% of it
 *                              was not seen (up to 41 events lost)" or "" }; sums as of heat_select
 *     heading(sums, baseline)  { names: of the layers, lines: as page.setHeading wants them }, of
 *                              app.view.selection and app.view.baseline
 *     source(isTwo), header(isTwo)  where a range is from, as the header of all says it but for its time;
 *                              the same as the first line of folded text */
pyrograph.heat.range = function (app) {
	'use strict';

	const N = pyrograph.number, H = pyrograph.heat, { data, settings } = app;
	const DASH = ' \u2013 ', DOT = ' \u00b7 ', TITLE_SIZE = 16, UNIT = { unit: 'samples', decimals: 0, factor: 1 };
	const HEADER_KEYS = ['host', 'event', 'from', 'to', 'clock', 'cpus', 'rate', 'kernel', 'root', 'normalize', 'unit'];
	const unit = Object.assign({}, UNIT, H.data.unit(settings), settings.flame);

	const sumOf = (values) => values.reduce((sum, value) => sum + value, 0);
	const lengthOf = (ranges) => ranges.reduce((sum, [from, to]) => sum + to - from, 0);
	const valueText = (value) => N.valueText(unit, value);

	/* All that can be seen, where nothing is selected. */
	const settled = (selection) => selection || Object.assign({ kind: 'time' }, app.shown());

	/* ---- names ---- */

	/* ", of each 1 s: 0 - 20 ms", ", 1 ms - 5 ms", ", CPUs 80% - 90% busy" */
	function rowsText({ kind, low, high, period }) {
		const between = (text) => (low ? text(low) : '0') + DASH + text(high), axes = Object.assign({}, app.axes(), period ? { period } : {});

		if (kind === 'cpu')
			return ', CPUs ' + between((share) => share / 100 + '%') + ' busy';
		if (kind !== 'rows')
			return '';
		return settings.y === 'value' ? ', ' + between(valueText) : ', of each ' + N.durationText(period) + ': ' +
			between((ns) => H.ticks.valueText(settings, axes, ns));
	}

	function name(selection) {
		const settledOne = settled(selection);

		return app.rangeText(settledOne.from, settledOne.to, true) + rowsText(settledOne);
	}

	/* The map that a selection is in, of several: its key, recording and CPU; "" and -1: all of them. */
	function mapOf(selection) {
		const by = settings.per && selection ? app.dimension(settings.per) : null, key = by ? app.keyOfMap(app.mapOf(selection)) : undefined;

		return key === undefined ? { title: '', recording: -1, cpu: -1 }
			: Object.assign({ title: by.keys[key] }, H.seen.partOf(settings, by, key));
	}

	/* ---- what was not seen ---- */

	const dark = new Map(); /* by recording and CPU: of each CPU of its host, what was not seen */

	function unseenText(ranges, { recording, cpu }) {
		const key = recording + ' ' + cpu, ofPart = ([, , of, on]) => (recording < 0 ||
			settings.recordings[of].host === settings.recordings[recording].host) && (cpu < 0 || on < 0 || on === cpu);

		if (!dark.has(key))
			dark.set(key, H.seen.dark(settings, recording, data, cpu));
		const lists = dark.get(key), whole = lengthOf(ranges) * lists.length;
		const part = sumOf(lists.map((list) => H.seen.common(list, ranges)));
		const lost = sumOf((settings.gaps || []).filter((gap) => ofPart(gap) && H.seen.common([gap], ranges) > 0).map((gap) => gap[4]));

		return !part && !lost ? '' : N.shareText(part, whole) + ' of it was not seen' +
			(lost ? ' (up to ' + N.countText(lost) + ' events lost)' : '');
	}

	/* ---- values ---- */

	function wholeOf() {
		return data.valueOf.reduce((sum, value, stack) => sum + (app.view.idle || !data.isIdle[stack] ? value : 0), 0);
	}

	function said(selection, sums) {
		const ranges = H.select.ranges(settings, app.axes(), settled(selection))
			.map((range) => range.map((tick) => H.data.nsOf(settings, tick))), part = sumOf(sums);

		return { name: name(selection), amount: valueText(part) + ', ' + N.shareText(part, wholeOf()) + ' of all in ' +
			N.durationText(lengthOf(ranges)), unseen: unseenText(ranges, mapOf(selection)) };
	}

	/* ---- the heading ---- */

	const line = (className, text, size = settings.fontSize || 12) => ({ className: className, text: text, size: size });
	const titleLine = (text) => line('title', text, TITLE_SIZE);

	function heading(sums, baseline) {
		const { label, date } = app.clock(), { selection } = app.view, now = said(selection, sums);
		const { title } = mapOf(selection), ofMap = (map) => map ? map + DOT : '';
		const when = settings.relative ? '' : [DOT + date(settled(selection).from), label].join(' ');

		if (!baseline)
			return { names: [now.name], lines: [titleLine(ofMap(title) + now.name + (selection ? '' : ' (all that is shown)')),
				line('note', now.amount + when)].concat(now.unseen ? line('alarm', now.unseen) : []) };
		const base = said(app.view.baseline, baseline), other = mapOf(app.view.baseline).title, areTwo = other !== title;

		return { names: areTwo ? [other, title] : [base.name, now.name],
			lines: [titleLine(ofMap(title) + now.name + ' compared with ' + ofMap(areTwo && other) + base.name),
			line('note', 'B, the base: ' + base.amount + DOT + 'A, the new one: ' + now.amount + when + DOT + 'normalised by total')]
			.concat([base, now].filter((one) => one.unseen).map((one) => line('alarm', ofMap(areTwo && (one === base ? other : title)) + one.name + ': ' + one.unseen))) };
	}

	/* ---- folded text ---- */

	/* "2026-11-21T10:15:02.300000000Z" */
	function iso(ns) {
		const at = BigInt(settings.origin) + BigInt(Math.floor(ns)), second = at / 1000000000n;

		return new Date(Number(second) * 1000).toISOString().slice(0, 19) + '.' + String(at % 1000000000n).padStart(9, '0') + 'Z';
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
			.map((key) => key + '=' + (/^[\w.,:+/%@~-]+$/.test(all[key]) ? all[key] : JSON.stringify(all[key])));

		return '# pyrograph: ' + words.join(' ') + '\n';
	}

	return { name, said, heading, source, header };
};
/* heat_flame: the flame graph of what is selected in a heat map, or the difference of two
 * ranges: flame.js with the heat map as its host, given another tree for each range, so that
 * zoom, searches, filters and order stay.
 *
 * heat.flame(app) -> app.flame, which stands in app.page.flame:
 * It has the root frames of the dimensions in app.view.roots; null: all but cpu, and but those that
 * tell A's map from B's.
 *
 *     show(sums, baseline)  values by stack (heat_select.sums); baseline: those that they
 *                           are compared with, or null.  What is said of them is that of
 *                           app.view.selection and app.view.baseline
 *     clear()               nothing is shown
 *     element               what it stands in
 *     resize()              its place has another size
 *     view(), setView(text) its view as text; the heat map's link has it
 *     stacksWith(path)      Uint8Array by stack: which ones have the frame that app.view.frame is;
 *                           the same array as long as the answer is
 *     folded()              the folded lines of what is shown, whole stacks; of two ranges
 *                           two values a line
 *     svg()                 its picture as the text of an SVG
 * A frame that is zoomed to, or whose callers and callees are looked at, is app.view.frame; what is
 * searched there is app.view.search, and the other way round. */
pyrograph.heat.flame = function (app) {
	'use strict';

	const D = pyrograph.ui.dom, A = pyrograph.address, R = pyrograph.heat.tree, words = pyrograph.heat.range(app);
	const { data, settings } = app;
	const DEFAULTS = { ...pyrograph.heat.data.unit(settings), nametype: 'Function:', inverted: false,
		fluid: true, whole: true, pad: 10, fontSize: 12, frameHeight: 16, rows: 1, minWidth: 0.1 };
	const element = D.html('div', { 'class': 'flame-place', hidden: true });
	const graphs = [null, null];    /* a plain one, and one of two layers: made when there is need */
	const sets = new Map();
	let graph = null;               /* of them, which is shown */
	let shown = null;               /* { sums, baseline, key } */
	let told = '', searched = null, framed = null; /* the view's text, search and frame that both sides know */
	let quiet = false;              /* they learn it from here */
	let wasDark = null, found = { key: null, stacks: null };

	if (app.page && app.page.flame)
		app.page.flame.append(element);

	const rootNames = (settings.dimensions || []).filter(([, place]) => place >= 0).map(([name]) => name);

	/* Two maps compared are not to differ by what makes them two. */
	function usualRoots() {
		const { selection, baseline } = app.view, areTwo = selection && baseline && app.mapOf(selection) !== app.mapOf(baseline);

		return rootNames.filter((name) => !R.NOT_SHOWN.includes(name) && !(areTwo && name === settings.per));
	}
	const rootsNow = () => app.view.roots || usualRoots();

	function setNow() {
		const roots = rootsNow(), key = roots.join();

		if (!sets.has(key))
			sets.set(key, R.set(data, settings, roots));
		return sets.get(key);
	}

	/* For the menu of its view: which root frames it has. */
	function rootItems() {
		const now = rootsNow();

		return !rootNames.length ? [] : [{ heading: 'Root frames' }].concat(rootNames.map((name) => ({ label: name,
			checked: now.includes(name), run: () => {
				const roots = rootNames.filter((other) => (other === name) !== now.includes(other));

				app.step({ roots: roots.join() === usualRoots().join() ? null : roots });
			} })));
	}

	/* ---- the flame graph ---- */

	/* What the heat map knows of what is looked at there. */
	function pathOf(view) {
		return view.sandwich !== null ? [view.sandwich].concat(view.zoom) : view.zoom.length ? view.zoom : null;
	}

	/* The search in its box; those that are kept as chips are its own. */
	function searchOf(one) {
		const search = one.view.searches[one.pinned];

		return search ? { pattern: search.pattern, ignoreCase: Boolean(search.ignoreCase) } : null;
	}

	/* Its view as the heat map's link has it: the search in the box is there already. */
	const textOf = (one) => A.encodeView(Object.assign({}, one.view, { searches: one.view.searches.slice(0, one.pinned) }));

	const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

	/* The flame graph's view has changed. */
	function saved(isStep) {
		const changes = {}, text = textOf(graph), search = searchOf(graph), frame = pathOf(graph.view);

		if (text !== app.view.flame)
			changes.flame = text;
		if (!same(frame, framed)) /* who took it off the map alone is not told again */
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

		graph = graphs[which] = pyrograph.flame.open(app.svg, { settings: own, source: app.source, names: data.names,
			colours: data.colours, tree: tree, heading: lines, view: told, place: element,
			boxes: app.page && app.page.element || null, isDark: () => app.isDark(),
			saved: (isStep) => graphs[which] === graph && saved(isStep), undo: () => app.links.undo(), leave: () => app.page.map.focus({ preventScroll: true }), link: () => app.link ? app.link() : null,
			viewItems: rootItems });
		graph.pinned = graph.view.searches.length;
		takeSearch();
	}

	/* The one that is wanted comes in place of the other, with its view. */
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

	/* Text has all of its searches as chips; the one in the box is the heat map's. */
	function adopt(text) {
		graph.links.show(text);
		graph.pinned = graph.view.searches.length;
		searched = null;
		takeSearch();
	}

	/* What was typed into the heat map's own box. */
	function takeSearch() {
		const { search } = app.view, before = graph.searchBox.value;

		searched = search && { pattern: search.pattern, ignoreCase: Boolean(search.ignoreCase) };
		if (!search && !before)
			return;
		graph.ignoreCase = Boolean(search && search.ignoreCase);
		graph.setSearch(search ? search.pattern : '');
	}

	function draw() {
		const { sums, baseline } = shown, which = baseline ? 1 : 0, made = setNow(), { names, lines } = words.heading(sums, baseline);
		const { tree, settings: changes } = baseline ? R.two(made, baseline, sums) : { tree: R.one(made, sums), settings: {} };

		if (changes.layers)
			changes.layers.forEach((layer, k) => { layer.name = names[k]; });
		element.hidden = false;
		if (graph !== graphs[which] || !graph)
			turnTo(which);
		if (graphs[which])
			graph.replace(tree, changes, lines);
		else
			make(which, tree, Object.assign({ chartName: 'Flame graph of what is selected' }, changes), lines);
		graph.source = words.source(Boolean(baseline));
		wasDark = app.isDark();
		framed = pathOf(graph.view);
	}

	/* What the picture is of, and how that is drawn: nothing is drawn again while both stay. */
	const keyOf = () => JSON.stringify([app.view.selection, app.view.baseline, app.view.idle, app.view.selection ? null : app.shown()]);
	const wayOf = () => JSON.stringify([rootsNow(), app.view.zone]);

	const equal = (a, b) => a === b || Boolean(a && b && a.length === b.length && a.every((value, i) => value === b[i]));

	function show(sums, baseline = null) {
		const key = keyOf(), way = wayOf();

		if (shown && shown.drawn && shown.key === key && shown.way === way && equal(shown.sums, sums) && equal(shown.baseline, baseline))
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

	/* ---- cells ---- */

	function stacksWith(path) {
		const view = graph ? graph.view : A.decodeView(app.view.flame || told);
		const { filters, reversed, sandwich, variants, generated, recursion } = view;
		const key = JSON.stringify([path, rootsNow(), filters, reversed, sandwich, variants, generated, recursion]);

		if (found.key !== key)
			found = { key: key, stacks: R.stacks(setNow(), view, path, Object.assign({}, DEFAULTS, settings.flame)) };
		return found.stacks;
	}

	/* ---- what the heat map tells ---- */

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
		if (!same(searched, app.view.search && { pattern: app.view.search.pattern, ignoreCase: Boolean(app.view.search.ignoreCase) }))
			silently(takeSearch);
		wasDark = dark;
	});

	/* Made while nothing else is to do, so that the first range comes as fast as the next. */
	(window.requestIdleCallback || ((run) => setTimeout(run, 500)))(setNow);

	app.flame = {
		element, show, clear, setView, stacksWith,
		resize,
		view: () => graph ? textOf(graph) : told,
		folded: () => shown ? words.header(Boolean(shown.baseline)) + R.lines(data, shown.sums, shown.baseline) : '',
		svg: () => graph ? graph.pictureText() : '',
	};
	return app.flame;
};
/* heat_address: a view of a heat map as the text after "#" in a link, and back.  Pure.
 *
 *     #from=2000000000&to=9000000000&sel=t:2300000000:2480000000&by=thread&k=java-1%2Fa
 *
 * A view; null is as it was drawn:
 *     from, to     what can be seen of the time, ns from the origin on    from=, to=
 *     period, rows ns of a column's period, rows in it                    period=, rows=
 *     coloring, ramp, theme, zone, weigh                                  coloring=, ramp=, t=, zone=, weigh=
 *     idle         idle stacks count as events                            idle=1
 *     by           dimension whose keys have hues; "": none               by=
 *     keys         texts of the keys that are marked                      k=, one each
 *     regexps      [[label, source], ...] of the dimension "regexp"       re=label=source, one each
 *     mode         "highlight", "isolate", "exclude", "all"               mode=
 *     search       null or { pattern, ignoreCase }                        s=, si=
 *     frame        null or a stack's frames                               frame=, one each
 *     selection, baseline   null or heat_select's                         sel=, base=
 *     selecting    what dragging selects: "time", "rows", null: as is usual pick=rows, pick=time
 *     map          number of the small multiple that the selection is in  map=
 *     speed        of playing                                             speed=
 *     roots        null or names of root frames in the flame graph        roots=a,b
 *     flame        the flame graph's own view, as its links say it        flame=
 *     flameShown   whether there is a flame graph; null: with a selection noflame=1, noflame=0
 *     panel        whether the panel with the keys is open                panel=1
 *     play         whether it is playing (not in links)
 *
 * emptyView()      -> a view of which nothing was changed
 * encode(view)     -> text without "#"; what is as in emptyView() is left out
 * decode(text)     -> view; what is not understood is left out */
pyrograph.heat.address = (function () {
	'use strict';

	const emptyView = () => ({ from: null, to: null, period: null, rows: null, coloring: null, ramp: null, theme: null,
		zone: null, weigh: null, idle: false, by: null, keys: [], regexps: null, mode: 'highlight', search: null, frame: null,
		selection: null, baseline: null, selecting: null, map: 0, play: false, speed: 1, roots: null, flame: '',
		flameShown: null, panel: false });
	const TEXTS = { coloring: /^(linear|rank|log)$/, ramp: /^[\w-]{1,40}$/, zone: /^(own|UTC|local)$/,
		weigh: /^(events|values|painted)$/, by: /^/, mode: /^(isolate|exclude|all|highlight)$/, flame: /^/ };
	const NUMBERS = { from: [0, 2 ** 53], to: [1, 2 ** 53], period: [1, 2 ** 53], rows: [1, 10000], map: [0, 1000],
		speed: [0.01, 1000] };
	const empty = emptyView();

	const encoded = (text) => encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'))
		.replace(/%(?:3A|2F|2C|40|24|3D|3B)/g, decodeURIComponent);

	function decoded(text) {
		try {
			return decodeURIComponent(text);
		} catch (e) {
			return text;
		}
	}

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
		panel: (view, text) => { view.panel = text === '1'; },
		noflame: (view, text) => { view.flameShown = text === '1' ? false : text === '0' ? true : null; },
		pick: (view, text) => { view.selecting = text === 'rows' || text === 'time' ? text : null; },
	};
	const own = (object, key) => Object.prototype.hasOwnProperty.call(object, key);

	function decode(text) {
		const view = emptyView();

		for (const part of text.split(/[?#&]/)) {
			const at = Math.max(part.indexOf('='), 0), key = part.slice(0, at), value = decoded(part.slice(at + 1));

			if (own(MANY, key))
				MANY[key](view, value);
			else if (own(NUMBERS, key))
				view[key] = number(value, NUMBERS[key]) === null ? empty[key] : number(value, NUMBERS[key]);
			else if (own(TEXTS, key) && TEXTS[key].test(value))
				view[key] = value;
		}
		if (view.from === null || view.to === null || view.to <= view.from)
			view.from = view.to = null;
		return view;
	}

	return { emptyView, encode, decode };
})();
/* heat_app: what is shown, and all that follows from it.
 *
 * app.view is the view of heat_address.js.  Whoever changes it calls app.step (undone by Back
 * and Esc) or app.touch (not so); then every function given to app.onchange draws its part.
 *
 * app.shown()      -> { from, to }: what can be seen of the time, ns: the columns that are drawn
 * app.asked()      -> { from, to }: what the view asks for, from which zooming and moving go on
 * app.axes()       -> the axes of that
 * app.grids()      -> what is drawn: { axes, maps, scale, hues }, kept until the view changes; a map:
 *     { key, title, flag, choice, grid, idle: whether the grid counts them, ofKey: [grid, ...] or null,
 *       rest: grid of what has no hue or null, lit: grid or null, unseen, lines: [{ percent, values }, ...] }
 * app.keyOfMap(map) -> the number of its key in the dimension that maps are drawn by
 * app.mapOf(selection) -> the number of the map that it is in
 * app.choice(map)  -> which stacks a map is of (that of the selection; all maps, when there is none),
 *     for heat_grid and heat_select
 * app.clock()      -> times of the day, where the view says
 * app.dimension(name) -> heat_data's, or null
 * app.sums(selection) -> what a selection (null: what is shown) has, by stack
 * app.flameIsShown() -> is there a flame graph: with a selection, if nobody says
 * app.selecting()  -> what dragging selects: "time" or "rows"; app.setSelecting(shape)
 * app.settle()     leaves out of the view what is not of this recording
 * app.actions, app.pointerWords: for commands.js and help.js; everybody adds to them */
pyrograph.heat.app = function (app) {
	'use strict';

	const H = pyrograph.heat, { data, settings } = app;
	const prefersDark = window.matchMedia('(prefers-color-scheme: dark)');
	const listeners = [], dimensions = new Map(), made = new Map();
	const LINES_OF = ['value', 'utilization'], MAPS_MAX = 64, FLAME_WAITS_MS = 150;
	const MERGED_MAX = 4;   /* so many periods may be one column before a longer one is better */
	const LADDER_PX = 3;    /* of a column, in spanFor() */
	const LAYOUTS_MAX = 3;

	app.view = H.address.emptyView();
	app.actions = {};
	app.pointerWords = [];
	app.whole = { from: settings.window[0], to: settings.window[1] };
	app.mapsDrawn = Math.max(1, Math.min(app.svg.querySelectorAll('.map').length, MAPS_MAX));

	app.onchange = (listener) => listeners.push(listener);
	app.isDark = () => {
		const theme = app.view.theme || settings.theme || 'auto';

		return !app.onPaper && (theme === 'auto' ? prefersDark.matches : theme === 'dark');
	};

	/* The last value made under a name, as long as what it was made of is the same. */
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

	/* As the reader wants it; all of it as it was drawn; else the finest period of heat_grid's of which
	 * no more than a few must share a px. */
	function spanNow(shown) {
		const { view } = app, room = Math.max(app.cellsRoom(), 1), long = shown.to - shown.from, own = Number(settings.period);
		const fit = (period) => Math.max(1, Math.ceil(long / period / room));
		const found = view.period !== null ? { period: view.period, rows: H.grid.rowsFor(settings, view.period), perColumn: fit(view.period) }
			: view.from === null ? { period: own, rows: settings.rows, perColumn: Math.max(settings.perColumn, fit(own)) }
				: H.grid.finer(settings, shown.from, shown.to) ||
					H.grid.spanFor(settings, shown.from, shown.to, room * LADDER_PX * MERGED_MAX);

		return Object.assign({}, found, view.period === null && view.from !== null ? { perColumn: fit(found.period) } : {},
			view.rows === null ? {} : { rows: view.rows });
	}

	/* What is to be added to UTC, in ns. */
	app.zoneNs = () => {
		const { zone } = app.view, ms = Number(BigInt(settings.origin) / 1000000n);

		return settings.relative || zone === 'UTC' ? 0 : zone === 'local' ? -new Date(ms).getTimezoneOffset() * 60e9
			: settings.zone ? settings.zone[2] : 0;
	};
	app.axes = () => {
		const shown = app.asked(), span = spanNow(shown), weigh = app.view.weigh, zone = app.zoneNs();

		return kept('axes', [shown.from, shown.to, span.period, span.rows, span.perColumn, weigh, zone], () =>
			H.grid.axes(settings, Object.assign({ from: shown.from, to: shown.to, zone: zone }, span,
				weigh === null ? {} : { weigh: weigh })));
	};

	/* ---- maps ---- */

	/* One, or one for each key of the dimension that they are drawn by: its title and its choice. */
	function partsOf() {
		return kept('parts', [], () => {
			const by = settings.per ? app.dimension(settings.per) : null;

			return !by ? [{ title: '', flag: clockOf(settings.recordings || []), stacks: null, recording: -1, cpu: -1 }]
				: keysOfMaps(by).map((key) => [key, by.keys[key]]).map(([key, title]) => Object.assign({ title: title, flag: settings.per !== 'host' ? ''
					: clockOf(settings.recordings.filter(({ host }) => host === title)) }, H.grid.partOf(settings, by, key)));
		});
	}
	/* Those with most events; by number, where they are one word with numbers, as heat_keys_order() has it. */
	function keysOfMaps(by) {
		const keys = by.keys.slice(0, app.mapsDrawn).map((name, key) => [key, /^(.*?)(\d{1,18})$/.exec(name)]);

		if (keys.every(([, found]) => found && found[1] === keys[0][1][1]))
			keys.sort(([, a], [, b]) => Number(a[2]) - Number(b[2]) || (a[0] < b[0] ? -1 : 1));
		return keys.map(([key]) => key);
	}
	app.keyOfMap = (map) => settings.per ? keysOfMaps(app.dimension(settings.per))[map] : undefined;
	const clockOf = (recordings) => recordings.map((r) => r.clock || '').filter(Boolean).join('; ');

	/* Those of a that are (or are not) in b; null is all. */
	function narrowed(a, b, wanted) {
		return !b ? a : Uint8Array.from(b, (in_, i) => Boolean(in_) === wanted && (!a || a[i]) ? 1 : 0);
	}

	/* Which of the stacks have a hue, and which one: { keyOf, count, marked } or null. */
	function huesNow() {
		const hues = app.hues ? app.hues() : null;

		return !hues || !hues.keys.length ? null : kept('hues', [hues.dimension, hues.keys.join()], () => {
			const place = new Int32Array(hues.dimension.keys.length).fill(-1);

			hues.keys.forEach((key, i) => { place[key] = i; });
			const keyOf = Int32Array.from(hues.dimension.keyOf, (key) => key < 0 ? -1 : place[key]);

			return { keyOf: keyOf, count: hues.keys.length, marked: Uint8Array.from(keyOf, (k) => k < 0 ? 0 : 1) };
		});
	}

	/* Stacks that the search has, and those of the frame that was picked. */
	function litNow() {
		const searched = app.searched ? app.searched() : null;
		const framed = app.view.frame && app.flame && app.flame.stacksWith ? app.flame.stacksWith(app.view.frame) : null;

		if (!searched || !searched.stacks)
			return framed;
		return framed ? narrowed(framed, searched.stacks, true) : searched.stacks;
	}

	const ALL = { stacks: null, recording: -1, cpu: -1 };

	app.mapOf = (selection) => selection && selection.map !== undefined ? selection.map : app.view.map;
	app.choice = (map = app.view.selection ? app.mapOf(app.view.selection) : ALL) => {
		const part = typeof map === 'number' ? partsOf()[map] || ALL : map, how = app.hues ? app.hues() : null, hues = huesNow();
		const isolate = how && how.isolate, exclude = how && how.exclude;
		const stacks = kept('stacks ' + (part.title || ''), [part.stacks, hues, isolate, exclude], () =>
			hues && (isolate || exclude) ? narrowed(part.stacks, hues.marked, Boolean(isolate)) : part.stacks);

		return { stacks: stacks, recording: part.recording, cpu: part.cpu, idle: app.view.idle };
	};

	function linesOf(axes, choice) {
		return !LINES_OF.includes(axes.y) ? [] : (settings.percentiles || []).map((percent) =>
			({ percent: percent, values: H.grid.percentile(data, settings, axes, choice, percent) }));
	}

	/* What is left of a grid when others are taken out of it. */
	function without(grid, others) {
		const cells = grid.cells.slice();

		for (const other of others) {
			for (let i = 0; i < cells.length; i++)
				cells[i] -= other.cells[i];
		}
		return Object.assign({}, grid, { cells: cells, total: others.reduce((sum, one) => sum - one.total, grid.total),
			largest: cells.reduce((most, n) => Math.max(most, n), 0) });
	}

	function makeMap(axes, part, number, lit) {
		const how = app.hues ? app.hues() : null, hues = how && !how.exclude ? huesNow() : null, choice = app.choice(part);
		const grid = H.grid.make(data, settings, axes, choice);
		const ofKey = !hues ? null : axes.y === 'utilization' ? H.grid.byCpus(data, settings, axes, choice, how.dimension, how.keys)
			: H.grid.byKeys(data, settings, axes, choice, hues.keyOf, hues.count);

		return { number: number, title: part.title, flag: part.flag, choice: choice, grid: grid, ofKey: ofKey,
			rest: ofKey && !how.isolate ? without(grid, ofKey) : null,
			lit: lit ? H.grid.make(data, settings, axes, Object.assign({}, choice,
				{ stacks: narrowed(choice.stacks, lit, true) })) : null,
			unseen: H.grid.unseen(settings, axes, part.recording, data, part.cpu), lines: linesOf(axes, choice) };
	}

	app.grids = () => {
		const axes = app.axes(), lit = litNow(), how = app.hues ? app.hues() : null, hues = huesNow();

		return kept('grids', [axes, lit, hues, how && how.isolate, how && how.exclude, app.view.idle, app.view.coloring], () => {
			const maps = partsOf().map((part, i) => makeMap(axes, part, i, lit));
			const drawn = [].concat(...maps.map((map) => map.ofKey ? map.ofKey.concat(map.rest || []) : [map.grid]));

			return { axes: axes, maps: maps, hues: hues && how && !how.exclude ? hues.count : 0,
				scale: H.scale.make(app.view.coloring || settings.coloring, drawn) };
		});
	};
	app.ramp = () => settings.ramps.find((ramp) => ramp[0] === (app.view.ramp || settings.ramp)) || settings.ramps[0];

	/* ---- what is selected ---- */

	app.sums = (selection) => {
		const shown = app.shown();

		return H.select.sums(data, settings, app.axes(), selection ||
			{ kind: 'time', from: shown.from, to: shown.to }, selection ? app.choice(app.mapOf(selection)) : app.choice());
	};
	/* selection becomes the range, or the one that it is compared with. */
	app.select = (selection, asBaseline) => app.step(asBaseline ? { baseline: selection }
		: selection ? { selection: selection } : { selection: null, baseline: null });

	app.flameIsShown = () => app.view.flameShown === null ? Boolean(app.view.selection) && data.stacks > 1 : app.view.flameShown;
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
				view[key] = range.kind !== 'time' ? null : Object.assign(range, { from: Math.max(range.from, least), to: Math.min(range.to, most) });
		}
		if (!view.selection)
			view.baseline = null;
	};

	/* The flame graph of what is selected, or of all that is seen: later while the reader zooms. */
	let flameOf = [], later = 0;

	function showFlame() {
		const { view } = app, shown = app.shown(), { stacks } = app.choice();
		const of = [view.selection, view.baseline, stacks, view.idle, view.selection || shown.from, view.selection || shown.to];

		if (!app.flame || !app.flameIsShown() || of.every((part, i) => part === flameOf[i]) && flameOf.length)
			return;
		const soon = () => app.flame.show(app.sums(view.selection), view.baseline ? app.sums(view.baseline) : null);
		const zoomed = flameOf.length && !view.selection && !flameOf[0] && stacks === flameOf[2];

		clearTimeout(later);
		flameOf = of;
		if (zoomed)
			later = setTimeout(soon, FLAME_WAITS_MS);
		else
			soon();
	}

	/* ---- changes ---- */

	/* What one draws may take room from the maps: then columns, and what is said of them, may be others. */
	let told = null;

	app.refresh = () => {
		for (let i = 0; i < LAYOUTS_MAX && (!i || told !== app.axes()); i++) {
			told = app.axes();
			for (const listener of listeners)
				listener();
		}
		showFlame();
	};
	app.isTold = () => told === app.axes();
	app.touch = (changes) => {
		Object.assign(app.view, changes);
		app.refresh();
		app.links.save(false);
	};
	app.step = (changes, series = true) => { /* series: as history.js has it */
		Object.assign(app.view, changes);
		app.refresh();
		app.links.save(series);
	};
	app.searchedElsewhere = () => app.refresh();

	prefersDark.addEventListener('change', () => app.refresh());
};
/* heat_page: where the parts are.  The picture that C drew gives way to
 *
 *     title                        tools
 *     notes
 *     legend
 *     map                        | aside      each scrolls for itself
 *     details                      chips      in one line, so that nothing above moves
 *     ===== the bar between them is moved by the pointer, or by the arrow keys
 *     flame graph
 *
 * in HTML that fills the window (the picture's place, when it stands in a page).
 *
 * page.fit(), page.resize()    when the window is another
 * page.settle(ms, isDown())    what opens now takes room from the maps only in so many ms, and when no pointer is down */
pyrograph.heat.page = function (app) {
	'use strict';

	const D = pyrograph.ui.dom, svg = app.svg, settings = app.settings;
	const isDocument = svg === document.documentElement, LEAST_WIDTH = 240, LEAST_HEIGHT = 320, FLAME_LEAST = 120, STEP_PX = 24;
	const PAPER_WIDTH = 1000;       /* px, for text of a size that can be read */
	const PORTRAIT_PAGES = 2.2, LANDSCAPE_PAGES = 1.5; /* as page.js has them */
	const part = (name, className, more) => D.html(name, Object.assign({ 'class': className }, more));
	const page = app.page = {
		heading: part('header', 'heading'), tools: part('div', 'tools', { role: 'toolbar', 'aria-label': 'Heat map' }),
		legend: part('div', 'legend'), chips: part('div', 'chips'), map: part('div', 'heat-maps'),
		aside: part('aside', 'aside'), bar: part('div', 'heat-bar', { role: 'separator', tabindex: '0',
			'aria-orientation': 'horizontal', 'aria-label': 'Height of the flame graph' }),
		flame: part('div', 'heat-flame', { role: 'region', 'aria-label': 'Flame graph of the selection' }),
		foot: part('footer', 'foot'), overlay: part('div', 'overlay'),
	};
	const joined = (selector) => Array.from(svg.querySelectorAll(selector), (text) => text.textContent).join(' ');
	const family = svg.getAttribute('font-family') || 'sans-serif';
	let flameHeight = null;         /* px that the reader gave it */

	app.family = family;
	app.ruler = D.ruler(family, settings.fontSize);
	app.drawnWidth = Number(svg.getAttribute('width')) || settings.width;
	const drawnHeight = Number(svg.getAttribute('height')) || 600;

	app.idleText = joined('#details text');
	app.titleText = joined('#heading .title') || document.title || 'Heat map';
	app.headingLines = Array.from(svg.querySelectorAll('#heading text'), (text) => ({
		className: text.getAttribute('class') || '', text: text.textContent,
		size: Number(text.getAttribute('font-size')) || settings.fontSize }))
		.filter((line, i) => !i || line.className !== 'title');
	if (app.headingLines.length)
		app.headingLines[0].text = app.titleText;

	page.heading.id = 'heading';
	page.foot.id = 'details';
	page.heading.append(D.html('h1', { 'class': 'title' }, app.titleText), page.tools, D.html('div', { 'class': 'notes' },
		...app.headingLines.slice(1).map((line) => D.html('div', { 'class': line.className }, line.text))));
	page.body = D.html('div', { 'class': 'body heat-body', role: isDocument ? 'main' : 'region',
		'aria-label': app.titleText }, page.map, page.aside);
	page.sheet = D.html('div', { 'class': 'sheet' }, page.heading, page.legend, page.body,
		D.html('div', { 'class': 'heat-foot' }, page.foot, page.chips), page.bar, page.flame);
	page.element = D.html('div', { 'class': 'pyrograph heat' }, page.sheet, page.overlay);
	page.element.style.fontFamily = family;
	page.element.style.fontSize = settings.fontSize + 'px';
	page.chips.hidden = page.legend.hidden = page.aside.hidden = page.bar.hidden = page.flame.hidden = true;
	page.frame = D.svg('foreignObject', { 'class': 'page', x: 0, y: 0 });
	page.frame.appendChild(page.element);

	/* How wide the element is that the picture stands in, within its padding. */
	function placeWidth() {
		const { clientWidth } = svg.parentElement, style = window.getComputedStyle(svg.parentElement);

		return clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight) || app.drawnWidth;
	}

	/* Width and height in px of the picture's place. */
	function room() {
		if (isDocument)
			return [svg.clientWidth || window.innerWidth, svg.clientHeight || window.innerHeight];
		return [Math.round(Math.max(LEAST_WIDTH, Math.min(app.drawnWidth, placeWidth()))), Math.max(LEAST_HEIGHT, drawnHeight, Math.min(700, window.innerHeight))];
	}

	/* All of the maps, as wide as paper is drawn. */
	function paperSize() {
		page.element.style.width = PAPER_WIDTH + 'px';
		page.element.style.height = 'auto';
		return [PAPER_WIDTH, Math.ceil(page.element.getBoundingClientRect().height)];
	}

	/* Fit into the window. */
	page.fit = () => {
		const [width, height] = app.onPaper ? paperSize() : room();

		page.element.style.width = width + 'px';
		page.element.style.height = height + 'px';
		page.flame.style.height = '';
		page.flame.style.flexBasis = flameHeight === null ? '' : flameHeight + 'px';
		page.flame.classList.toggle('of-given-height', flameHeight !== null);
		for (const e of [svg, page.frame]) {
			e.setAttribute('width', width);
			e.setAttribute('height', height);
		}
	};
	page.resize = () => {
		page.fit();
		app.redraw();
		if (app.flame && app.flame.resize && !page.flame.hidden)
			app.flame.resize();
	};

	/* A click opens the flame graph: over the maps, and through it what is below is clicked, until it is
	 * no more half of a double click; only then do they get lower. */
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

		if (page.flame.hidden && !settling) {
			page.element.classList.add('settling');
			page.flame.style.height = flameHeight === null ? '' : flameHeight + 'px';
			settling = setTimeout(wait, ms);
		}
	};

	/* Who presses a key has done with clicking. */
	window.addEventListener('keydown', () => {
		if (settling && !(app.menuIsOpen && app.menuIsOpen())) {
			clearTimeout(settling);
			settled();
		}
	}, true);

	/* ---- the bar between map and flame graph ---- */

	function setFlameHeight(px) {
		const most = page.sheet.clientHeight - FLAME_LEAST;

		flameHeight = Math.round(Math.max(FLAME_LEAST, Math.min(px, most)));
		page.bar.setAttribute('aria-valuenow', flameHeight);
		page.resize();
	}
	page.bar.addEventListener('pointerdown', (event) => {
		const from = event.clientY, height = page.flame.offsetHeight;
		const move = (e) => setFlameHeight(height + from - e.clientY);

		event.preventDefault();
		page.bar.focus({ preventScroll: true });
		page.bar.setPointerCapture(event.pointerId);
		page.bar.addEventListener('pointermove', move);
		for (const end of ['pointerup', 'pointercancel'])
			page.bar.addEventListener(end, () => page.bar.removeEventListener('pointermove', move), { once: true });
	});
	page.bar.addEventListener('dblclick', () => {
		flameHeight = null;
		page.resize();
	});
	page.bar.addEventListener('keydown', (event) => {
		const steps = { ArrowUp: STEP_PX, ArrowDown: -STEP_PX };

		if (event.key in steps) {
			setFlameHeight(page.flame.offsetHeight + steps[event.key]);
			event.preventDefault();
			event.stopPropagation();
		}
	});

	/* ---- paper: in light colours, the picture scaled to the paper's width ---- */

	function print(on) {
		if (!isDocument || Boolean(app.onPaper) === on)
			return;
		app.onPaper = on;
		page.element.classList.toggle('on-paper', on);
		app.refresh();
		page.resize();
		if (on) {
			page.fit(); /* now that the maps are as wide as paper */
			const high = Number(svg.getAttribute('height')) / PAPER_WIDTH;

			svg.setAttribute('viewBox', '0 0 ' + PAPER_WIDTH + ' ' + svg.getAttribute('height'));
			svg.classList.toggle('one-tall', high < PORTRAIT_PAGES);
			svg.classList.toggle('one-wide', high < LANDSCAPE_PAGES);
		} else {
			svg.removeAttribute('viewBox');
			page.resize();
		}
	}
	window.addEventListener('beforeprint', () => print(true));
	window.addEventListener('afterprint', () => print(false));

	/* Take the place of what C drew. */
	page.open = () => {
		for (const drawn of svg.querySelectorAll(':scope > g:not(#background)'))
			drawn.remove();
		svg.classList.add('live');
		svg.removeAttribute('viewBox');
		svg.appendChild(page.frame);
		page.fit();
	};

	app.onchange(() => {
		const dark = app.isDark();

		page.element.dataset.theme = dark ? 'dark' : 'light';
		svg.classList.toggle('dark', dark);
		page.flame.hidden = !app.flame || !app.flameIsShown();
		page.bar.hidden = page.flame.hidden;
	});
	window.addEventListener('resize', () => page.resize());
	if (!isDocument) {
		let wide = 0;

		new ResizeObserver(() => {
			if (page.frame.isConnected && wide !== (wide = room()[0]))
				page.resize();
		}).observe(svg.parentElement);
	}
};
/* heat_cells: the cells of a map as pixels.
 *
 * app.paintCells(canvas, grids, map, columnPx, rowPx, scale, dark)  makes canvas show map, so large;
 *     scale: canvas pixels in a px
 * app.canvasOf(map, columnPx, rowPx, dark) -> its cells as a canvas, for saving
 * app.restColour() -> "#rrggbb" of what has no hue, where it is most */
pyrograph.heat.cells = function (app) {
	'use strict';

	const D = pyrograph.ui.dom, H = pyrograph.heat, { settings } = app, HATCHED_FROM = 50, DARK_FROM = 500, HATCH_PX = 6;

	const shade = (rgb) => 0xff000000 | (rgb & 255) << 16 | (rgb & 0xff00) | rgb >> 16 & 255;

	function blend(a, b, part) {
		let rgb = 0;

		for (const shift of [16, 8, 0])
			rgb |= Math.round((a >> shift & 255) * (1 - part) + (b >> shift & 255) * part) << shift;
		return rgb;
	}
	/* As bright, without a hue. */
	function grey(rgb) {
		const y = Math.round((rgb >> 16) * 0.3 + (rgb >> 8 & 255) * 0.59 + (rgb & 255) * 0.11);

		return y << 16 | y << 8 | y;
	}

	/* value -> colour, worked out once for each. */
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

	/* (index of a cell) -> what canvases have as its colour */
	function painter(grids, map, dark) {
		const { scale } = grids, ramp = app.ramp(), cells = map.grid.cells, empty = H.scale.rgb(ramp, dark, scale, 0);
		const own = (value) => H.scale.rgb(ramp, dark, scale, value);

		if (map.lit) {
			const strong = dark ? 0x5cc8ff : 0x0050c8, lit = map.lit.cells;
			const pale = remembered((value) => blend(grey(own(value)), empty, 0.55));
			const bright = remembered((value) => blend(empty, strong, 0.35 + 0.65 * H.scale.of(scale, value)));

			return (i) => lit[i] ? bright(lit[i]) : pale(cells[i]);
		}
		if (map.ofKey)
			return huePainter(scale, map, dark);
		const colour = remembered(own);

		return (i) => colour(cells[i]);
	}

	/* Hues of the keys, grey for the rest, mixed. */
	function huePainter(scale, map, dark) {
		const all = map.rest ? map.ofKey.concat(map.rest) : map.ofKey;
		const hues = app.hues().numbers.map(H.scale.hue).concat(map.rest ? H.scale.GREY : []);
		const amount = (value) => value ? H.scale.of(scale, value) : 0;
		const kept = new Map(), single = hues.map((hue) => remembered((value) => H.scale.mix([hue], [amount(value)], dark)));

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

	/* One pixel a cell. */
	function pixels(grids, map, dark) {
		const { columns, rows } = grids.axes, canvas = D.html('canvas', {}), paint = painter(grids, map, dark);

		canvas.width = columns;
		canvas.height = rows;
		const context = canvas.getContext('2d'), image = context.createImageData(columns, rows);
		const out = new Uint32Array(image.data.buffer);

		for (let column = 0; column < columns; column++) {
			for (let row = 0; row < rows; row++)
				out[(settings.inverted ? row : rows - 1 - row) * columns + column] = paint(column * rows + row);
		}
		context.putImageData(image, 0, 0);
		return canvas;
	}

	const isHatched = (map, i) => map.unseen[i] >= HATCHED_FROM;
	/* Most of it was not seen, and nothing is in it: it is told from one in which nothing was. */
	const isDark = (map, i) => map.unseen[i] >= DARK_FROM && !map.grid.cells[i] && !(map.grid.idle[i] > 0);

	/* Thin lines, dark and light: on any colour, which stays what it is. */
	function hatching(context, dark, scale) {
		const size = Math.round(HATCH_PX * scale), tile = D.html('canvas', {});

		tile.width = tile.height = size;
		const pen = tile.getContext('2d');

		pen.lineWidth = Math.max(0.75, 0.75 * scale);
		for (const [colour, by] of [['rgba(20, 24, 30, 0.5)', 0], ['rgba(255, 255, 255, 0.5)', pen.lineWidth * 1.4]]) {
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

	/* Over what was not seen. */
	function hatch(context, axes, map, px, dark) {
		if (!map.unseen.some((n) => n))
			return;
		context.fillStyle = dark ? '#2b3038' : '#e2e5e9';
		fillRuns(context, axes, px, (i) => isDark(map, i));
		context.fillStyle = hatching(context, dark, px.scale);
		fillRuns(context, axes, px, (i) => isHatched(map, i));
	}

	/* Runs of cells at once. */
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
		hatch(context, grids.axes, map, { column: canvas.width / columns, row: canvas.height / rows, scale: scale }, dark);
	};
	app.canvasOf = (map, columnPx, rowPx, dark) => {
		const canvas = D.html('canvas', {});

		app.paintCells(canvas, app.grids(), map, columnPx, rowPx, 1, dark);
		return canvas;
	};
	app.restColour = () => H.scale.css(H.scale.hueRgb(H.scale.GREY, 1, app.isDark()));
};
/* heat_view: the maps as they are seen: cells on a canvas of device pixels (heat_cells.js), and above
 * it, as SVG, axes, percentile lines, and outlines (heat_marks.js).
 *
 * app.cellsRoom()    -> how many px there are for columns
 * app.drawMaps()     draws what has changed
 * app.redraw()       the same where there may be other room than before: all that is said of them, too
 * app.plots          of each map: { element, map, left, top, width, height, columnPx, rowPx }
 * app.cellAt(x, y)   -> of a point of the window: { plot, column, row } or null; beyond the cells'
 *     edges: the nearest cell of plot, when that is given
 * app.nsAtX(plot, x) -> which ns is there, x in px of plot.box
 * app.draw           { yOf(plot, row), text(parent, x, y, words, attributes) } */
pyrograph.heat.view = function (app) {
	'use strict';

	const D = pyrograph.ui.dom, H = pyrograph.heat, T = H.ticks, { settings, page } = app;
	const CELL_MAX = 16, COLUMN_MAX = 48, CELL_LEAST = 3, MAP_LEAST = 200, SMALL_LEAST = 84, AXIS_PX = 34, TITLE_PX = 20, RIGHT = 14, TOP = 6;
	const GAP = 6, TIMES_PX = 24, PAPER_PX = 460, Y_APART = 30, WIDE_LABEL = 8;
	const DAY = 86400e9;
	let drawn = null;       /* what the canvases show */
	let yLabels = '', labelPx = 0;

	app.plots = [];
	page.map.setAttribute('role', 'application');
	page.map.setAttribute('tabindex', '0');
	page.map.setAttribute('aria-roledescription', 'heat map');

	/* ---- sizes ---- */

	/* As wide as the widest of the labels, which do not depend on the height much. */
	function leftOf() {
		const key = JSON.stringify([app.view.period, settings.period, settings.y, settings.value]);

		if (key !== yLabels) {
			const period = app.view.period || Number(settings.period), [low, high] = settings.value || ['0', '1'];
			const axes = settings.y === 'offset' ? [0, period, period * 0.975] : settings.y === 'utilization' ? [10000]
				: [Number(low), Number(high), Number(high) / 3];

			yLabels = key;
			labelPx = Math.max(...axes.map((value) => app.ruler.width(T.valueText(settings, { y: settings.y, period: period },
				value)))) + WIDE_LABEL;
		}
		return Math.ceil(Math.min(labelPx, 120)) + 10;
	}
	/* Several maps stand side by side where they are narrow, or would not be seen at once. */
	function across() {
		const { from, to } = app.asked(), period = app.view.period || Number(settings.period) * settings.perColumn;
		const columns = Math.ceil((to - from) / period), count = app.mapsDrawn, wide = page.map.clientWidth || app.drawnWidth;
		const most = (cellPx) => Math.max(1, Math.floor(wide / (leftOf() + RIGHT + columns * cellPx)));
		let wanted = Math.min(count, most(CELL_MAX));

		while (wanted < Math.min(count, most(CELL_LEAST)) &&
			Math.ceil(count / wanted) * (SMALL_LEAST + TITLE_PX + GAP) + AXIS_PX > page.map.clientHeight)
			wanted++;
		return wanted;
	}
	app.cellsRoom = () => Math.max(60, Math.floor((page.map.clientWidth || app.drawnWidth) / across() - leftOf() - RIGHT));

	const isZoomed = () => app.view.from !== null;
	const ratio = () => app.onPaper ? 2 : window.devicePixelRatio || 1;

	/* Whole device pixels where that costs little. */
	function stepped(px) {
		const device = px * ratio();

		return device >= 3 ? Math.floor(device) / ratio() : px;
	}

	function measure(axes, count) {
		const room = app.cellsRoom(), columnPx = isZoomed() ? room / axes.columns : Math.min(room / axes.columns, COLUMN_MAX);
		const high = app.onPaper ? PAPER_PX : page.map.clientHeight || 400, titles = count > 1 ? TITLE_PX : 0;
		const down = Math.ceil(count / across()), each = (high - AXIS_PX - TOP - (titles + GAP + TOP) * down) / down;
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

	/* ns to be added to get the zone's time of the day */
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

			D.svg('path', { 'class': 'tick', d: `M${x.toFixed(1)} ${bottom}v4` }, g);
			if (at - half < free || at + half > plot.left + app.cellsRoom() + RIGHT)
				continue;
			text(g, at, bottom + 5 + settings.fontSize, tick.text, { 'text-anchor': 'middle' });
			free = at + half + 8;
		}
		if (!isFirst)
			return;
		const { from, to } = app.shown(), first = clock.date(from), last = clock.date(to - 1);
		const when = settings.relative ? clock.label : (first === last ? first : first + ' \u2013 ' + last) + ' ' + clock.label;
		const cells = T.cellText(axes), y = bottom + 7 + settings.fontSize * 2.2;

		text(g, plot.left, y, when, { 'class': 'quiet-text' });
		if (plot.left + width(when) + 24 + width(cells) < plot.left + app.cellsRoom() + RIGHT)
			text(g, Math.max(end, plot.left + width(when) + 24 + width(cells)), y, cells, { 'class': 'quiet-text', 'text-anchor': 'end' });
	}

	/* Percentiles as steps over the columns, broken where they are beyond the rows. */
	function drawLines(g, plot, map) {
		const { axes } = app.grids();

		for (const { percent, values } of map.lines) {
			let d = '', pen = false, last = 0;

			values.forEach((value, column) => {
				const known = T.isOn(axes, value), y = known ? yOf(plot, Math.max(0, Math.min(T.rowAt(axes, value), axes.rows))) : 0;
				const x = plot.left + column * plot.columnPx;

				if (known)
					d += (pen ? 'L' : 'M') + x.toFixed(1) + ' ' + (last = y).toFixed(1) + 'h' + plot.columnPx.toFixed(2);
				pen = known;
			});
			if (!d)
				continue;
			D.svg('path', { 'class': 'line-halo', d: d }, g);
			D.svg('path', { 'class': 'line line-' + T.dash(percent), d: d }, g);
			text(g, plot.left + plot.width - 3, Math.max(plot.top + settings.fontSize, last - 4), 'p' + percent,
				{ 'text-anchor': 'end', 'class': 'line-label' });
		}
	}

	/* ---- all of it ---- */

	function makePlot(map) {
		const title = D.html('h2', { 'class': 'heat-title' }, map.title);
		const canvas = D.html('canvas', { 'class': 'cells' }), svg = D.svg('svg', { 'class': 'marks', 'aria-hidden': 'true' });
		const box = D.html('div', { 'class': 'plot' }, canvas, svg);
		const plot = { element: D.html('div', { 'class': 'heat-map' }, map.title ? title : null, box), box: box, canvas: canvas, svg: svg,
			axis: D.svg('g', { 'class': 'axis' }, svg), lines: D.svg('g', { 'class': 'lines' }, svg),
			marks: D.svg('g', {}, svg), pointed: D.svg('g', {}, svg) };

		if (map.flag)
			title.append(' ', D.html('span', { 'class': 'wrong' }, map.flag));
		return plot;
	}

	/* isLast: nothing is below it; isFirst: of those; hasTimes: so have the others, as the last ones
	 * are not seen. */
	function drawPlot(plot, isLast, isFirst, hasTimes, grids) {
		const { axes } = grids, high = plot.top + plot.height + (isLast ? AXIS_PX + 6 : hasTimes ? TIMES_PX : GAP);

		plot.box.style.height = high + 'px';
		plot.svg.setAttribute('width', Math.max(plot.left + plot.width, plot.left + app.cellsRoom()) + RIGHT);
		plot.svg.setAttribute('height', high);
		Object.assign(plot.canvas.style, { left: plot.left + 'px', top: plot.top + 'px', width: plot.width + 'px', height: plot.height + 'px' });
		app.paintCells(plot.canvas, grids, plot.map, plot.columnPx, plot.rowPx, ratio(), app.isDark());
		plot.axis.replaceChildren();
		D.svg('path', { 'class': 'edge', d: `M${plot.left - 0.5} ${plot.top}v${plot.height + 0.5}h${plot.width + 0.5}` }, plot.axis);
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
		const key = [grids, app.isDark(), app.ramp(), app.view.zone, ratio(), size.columnPx, size.rowPx, app.cellsRoom(), app.onPaper];

		if (!drawn || !key.every((part, i) => part === drawn[i])) {
			const wide = across(), down = Math.ceil(app.plots.length / wide);
			const isLong = !app.onPaper && down * (size.height + TITLE_PX + GAP + TOP) + AXIS_PX > page.map.clientHeight + AXIS_PX;

			drawn = key;
			page.map.style.gridTemplateColumns = `repeat(${wide}, minmax(0, 1fr))`;
			app.plots.forEach((plot, i) => {
				Object.assign(plot, size, { map: grids.maps[i] });
				drawPlot(plot, i + wide >= app.plots.length, i % wide === 0, isLong, grids);
			});
		}
		app.drawMarks();
	};

	app.cellAt = (x, y, plot) => {
		const { axes } = app.grids(), found = plot || app.plots.find(({ canvas }) => {
			const box = canvas.getBoundingClientRect();

			return x >= box.left && x < box.right && y >= box.top && y < box.bottom;
		});

		if (!found)
			return null;
		const box = found.canvas.getBoundingClientRect(), within = (n, most) => Math.max(0, Math.min(Math.floor(n), most - 1));
		const row = within((y - box.top) / box.height * axes.rows, axes.rows);

		return { plot: found, column: within((x - box.left) / box.width * axes.columns, axes.columns),
			row: settings.inverted ? row : axes.rows - 1 - row };
	};

	app.redraw = () => app.isTold() ? app.drawMaps() : app.refresh();
	app.onchange(app.drawMaps);
	/* ... and when what is beside the maps has taken or left room. */
	new ResizeObserver(() => app.links && app.redraw()).observe(page.map);
};
/* heat_marks: outlines over the cells: of what is selected (A), what it is compared with (B), and of
 * what is pointed at.
 *
 * app.drawMarks()    what changes without the cells; app.preview: { range, letter, map } while it is
 *     dragged
 * app.point(cell)    outlines it (heat_view's cellAt); null: none */
pyrograph.heat.marks = function (app) {
	'use strict';

	const D = pyrograph.ui.dom, S = pyrograph.heat.select, { settings } = app, { text } = app.draw;

	/* What of a column is selected, as runs of rows: [[from, to], ...] */
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

	/* Around neighbours with the same runs at once. */
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

	/* The edge between two neighbouring columns of cells: where only one of them is selected. */
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
		const x = (column) => (plot.left + column * plot.columnPx).toFixed(1), y = (row) => app.draw.yOf(plot, row).toFixed(1);
		const d = [], side = (column, a, b) => between(a, b).forEach(([from, to]) => d.push(`M${x(column)} ${y(from)}V${y(to)}`));

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
		const x = plot.left + first.from * plot.columnPx, y = app.draw.yOf(plot, settings.inverted ? first.runs[0][0] : first.runs[first.runs.length - 1][1]);

		text(g, x + 1, y > plot.top + settings.fontSize + 4 ? y - 4 : y + settings.fontSize + 1, letter, { 'class': 'range-label' });
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

	/* What changes without the cells. */
	app.drawMarks = () => {
		const { axes } = app.grids(), { selection, baseline } = app.view, { preview } = app;
		const ranges = [[baseline, 'B', app.mapOf(baseline)], [selection, 'A', app.mapOf(selection)]].filter(([range, letter]) => range &&
			!(preview && preview.letter === letter)).concat(preview ? [[preview.range, preview.letter, preview.map]] : []);

		for (const plot of app.plots) {
			plot.marks.replaceChildren();
			for (const [range, letter, number] of ranges) {
				if (plot.map.number === number || app.plots.length === 1)
					drawRange(plot.marks, plot, axes, range, letter);
			}
		}
	};
	app.point = (cell) => {
		for (const plot of app.plots)
			plot.pointed.replaceChildren();
		if (cell)
			cellMark(cell.plot.pointed, cell.plot, cell, 'pointed');
	};
};
/* heat_hover: what is said of a cell: the line below, the box beside the pointer, and to readers
 * of screens.
 *
 * app.cellFacts(cell) -> { when, rows, count, share (of all that there is), idle, unseen, lit, lines: [[percentile, text], ...],
 *     keys: [[name, text], ...] }, texts; cell: { map (a
 *     number), column, row }
 * app.cellRange(cell) -> { from, to } ns, of offset cells with one period a column those of the cell
 * app.bandText(selection) -> "393.939 – 484.848 ms of each 1 s", "" of a range of time
 * app.allOf(axes)     -> what all cells would have if all of the time were shown
 * app.amountText(value) -> of what cells count, with its unit
 * app.rangeText(from, to, brief) -> "2026-11-21 10:15:02.300 – 10:15:04.100 UTC"; brief: "10:15:02.300 – 10:15:04.100"
 * app.hover(cell, x, y), app.say(text), app.showLine(text), app.showIdle() */
pyrograph.heat.hover = function (app) {
	'use strict';

	const D = pyrograph.ui.dom, N = pyrograph.number, H = pyrograph.heat, { data, settings } = app, KEYS_TOLD = 4;
	const line = D.html('span', { 'class': 'details' }), spoken = D.html('span', { 'class': 'offscreen', 'aria-live': 'polite' });
	let pointed = null;

	app.page.foot.append(line, spoken);
	app.say = (text) => {
		spoken.textContent = text;
	};

	/* ---- texts ---- */

	const digitsFor = (ns) => ns % 1e9 === 0 ? 0 : ns % 1e6 === 0 ? 3 : ns % 1e3 === 0 ? 6 : 9;

	/* With as many digits as it takes, or as are of use; brief: without the date where all is of one day. */
	app.rangeText = (from, to, brief) => {
		const clock = app.clock(), origin = Number(BigInt(settings.origin) % 1000000000n);
		const exact = Math.max(digitsFor(Math.round(origin + from)), digitsFor(Math.round(origin + to)));
		const enough = Math.ceil(Math.log10(100 * 1e9 / Math.max(to - from, 1))); /* a hundredth of it */
		const digits = exact <= 3 ? exact : Math.max(3, Math.min(enough, exact));
		const oneDay = settings.relative || (brief && clock.date(app.whole.from) === clock.date(app.whole.to - 1));
		const day = oneDay ? '' : clock.date(from) + ' ', last = oneDay ? '' : clock.date(to) + ' ';

		return day + clock.text(from, digits) + ' \u2013 ' + (last === day ? '' : last) + clock.text(to, digits) +
			(clock.label && !brief ? ' ' + clock.label : '');
	};

	const unit = () => (H.data.unit(settings));

	/* "1,234 samples", "1 sample" */
	const countOf = (n, words = settings.event || 'events') => N.countText(n) + ' ' + (n === 1 ? words.replace(/s$/, '') : words);

	app.amountText = (value, axes = app.grids().axes) => {
		const { y, weigh } = axes;

		if (y !== 'utilization' && weigh === 'painted')
			return N.durationText(value);
		if (y !== 'utilization' && weigh === 'values')
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
		const [a, b] = [low, high].map((value) => H.ticks.valueText(settings, axes, value)), [, first, word] = /^(\S+) (\S+)$/.exec(a) || [], [, second] = /^\S+ (\S+)$/.exec(b) || [];

		return (word && word === second ? first : a) + ' \u2013 ' + b;
	}

	const rowsText = (axes, row) => between(H.grid.rowBorder(axes, row), H.grid.rowBorder(axes, row + 1), axes);

	app.bandText = ({ kind, low, high, period }) => {
		const axes = app.axes();

		return kind === 'time' ? '' : between(low, high, axes.y === 'offset' && period ? Object.assign({}, axes, { period: period }) : axes) +
			(axes.y === 'offset' ? ' of each ' + H.ticks.span(period || axes.period) : kind === 'cpu' ? ' busy' : '');
	};

	app.allOf = ({ weigh }) => app.kept('all of it', [weigh, app.view.idle], () => (weigh === 'events' ? data.eventsOf : data.valueOf)
		.reduce((sum, n, stack) => sum + (app.view.idle || !data.isIdle[stack] ? n : 0), 0));

	/* The dimension that tells who was there: that of the hues, or the first that says anything. */
	function teller() {
		const hues = app.hues ? app.hues() : null;

		return hues ? hues.dimension : (settings.dimensions || []).map(([name]) => app.dimension(name))
			.find((dimension) => dimension && dimension.keys.length > 1) || null;
	}

	function keysOf(cell, axes) {
		const by = axes.y === 'utilization' ? null : teller();

		if (!by)
			return [];
		const selection = H.select.ofCells(axes, cell, cell, axes.y === 'offset' && axes.perColumn === 1 ? 'time' : 'rows');
		const choice = app.choice(cell.map), isCount = axes.weigh === 'events'; /* in the unit of the whole */
		const sums = H.select[isCount ? 'counts' : 'sums'](data, settings, axes, selection, choice), of = new Float64Array(by.keys.length);

		sums.forEach((sum, stack) => {
			if (by.keyOf[stack] >= 0 && (choice.idle || !data.isIdle[stack]))
				of[by.keyOf[stack]] += sum;
		});
		const found = Array.from(of, (sum, key) => [key, sum]).filter(([, sum]) => sum).sort((a, b) => b[1] - a[1] || a[0] - b[0]);

		return found.slice(0, KEYS_TOLD).map(([key, sum]) => [by.keys[key], app.amountText(sum, axes)])
			.concat(found.length > KEYS_TOLD ? [[`${N.countText(found.length - KEYS_TOLD)} more`, '']] : []);
	}

	app.cellFacts = (cell) => {
		const grids = app.grids(), { axes } = grids, map = grids.maps[cell.map], i = cell.column * axes.rows + cell.row;
		const { from, to } = app.cellRange(cell), count = map.grid.cells[i], isUse = axes.y === 'utilization';
		const lines = map.lines.map(({ percent, values }) => ['p' + percent, values[cell.column]]).filter(([, value]) => value === value);

		return { when: app.rangeText(from, to), rows: rowsText(axes, cell.row), count: app.amountText(count), empty: !count,
			share: isUse ? '' : N.shareText(count, app.allOf(axes)), idle: map.grid.idle[i] ? app.amountText(map.grid.idle[i]) : '',
			unseen: map.unseen[i] ? map.unseen[i] / 10 + '%' : '', lines: lines.map(([name, value]) => [name, H.ticks.valueText(settings, axes, value)]), lit: map.lit ? app.amountText(map.lit.cells[i]) : '',
			keys: count ? keysOf(cell, axes) : [], title: map.title };
	};

	/* One line of it. */
	app.cellText = (facts) => [facts.title, facts.when, facts.rows, facts.count + (facts.empty || !facts.share ? '' : ' (' + facts.share + ')'),
		facts.lit && facts.lit + ' found', facts.idle && facts.idle + ' idle', facts.unseen && facts.unseen + ' not seen',
		facts.lines.length && 'column: ' + facts.lines.map((line) => line.join(' ')).join(', ')]
		.filter(Boolean).join(' \u00b7 ');

	/* ---- the line ---- */

	app.showLine = (text, idle) => {
		line.textContent = line.title = text;
		line.classList.toggle('idle', Boolean(idle));
	};

	/* When nothing is pointed at: what is selected, or what there is to do. */
	app.selectionText = (selection) => {
		const { axes } = app.grids(), events = H.select.events(data, settings, axes, selection, app.choice(app.mapOf(selection)));
		const when = app.rangeText(selection.from, selection.to, true);
		const rows = app.bandText(selection);

		return when + (rows && ' \u00b7 ' + rows) + (selection.kind === 'time' ? ', ' + N.durationText(selection.to - selection.from) : '') + ' \u00b7 ' +
			countOf(events);
	};
	const fingers = window.matchMedia('(hover: none)');

	app.showIdle = () => {
		const { selection, baseline } = app.view;

		app.showLine(selection ? baseline ? '' : fingers.matches ? 'Long press: more, to extend it and to compare'
			: 'Shift+click to extend, Ctrl+drag to compare' : [app.idleText.replace(/\.$/, ''),
			fingers.matches ? 'Tap or drag to select' : 'Click or drag to select'].filter(Boolean).join('. '), true);
	};

	/* ---- the box ---- */

	function fill(facts) {
		const row = ([label, text]) => D.html('tr', {}, D.html('th', {}, label), D.html('td', {}, text));
		const short = (name) => app.ruler.fit(name, 260, 1, 'middle');
		const figures = [['here', facts.count], ['of all', facts.empty ? '' : facts.share], ['found', facts.lit],
			['idle', facts.idle], ['not seen', facts.unseen], ...facts.lines.map(([name, text]) => [name + ' of the column', text])].filter(([, text]) => text);

		app.tipBox.replaceChildren(...[D.html('div', { 'class': 'tip-name' }, (facts.title ? short(facts.title) + ': ' : '') + facts.rows),
			D.html('div', { 'class': 'tip-note' }, facts.when), D.html('table', {}, ...figures.map(row)),
			facts.keys.length ? D.html('table', { 'class': 'tip-keys' }, ...facts.keys.map(([name, text]) =>
				row([short(name), text]))) : null].filter(Boolean));
	}

	const same = (a, b) => a && b && a.plot === b.plot && a.column === b.column && a.row === b.row;

	/* The pointer is at a cell (heat_view's cellAt), or at none. */
	app.hover = (cell, x, y) => {
		if (!cell) {
			pointed = null;
			app.point(null);
			app.hideTip();
			app.showIdle();
			return;
		}
		if (!same(cell, pointed)) {
			cell.facts = app.cellFacts({ map: cell.plot.map.number, column: cell.column, row: cell.row });
			pointed = cell;
			app.point(cell);
			app.showLine(app.cellText(cell.facts));
		}
		app.showTip(() => fill(pointed ? pointed.facts : cell.facts), x, y);
	};

	app.onchange(() => {
		pointed = null;
		app.point(null);
		app.hideTip();
		app.showIdle();
	});
};
/* heat_stage: pointer and fingers on the maps: select, compare, zoom, pan.
 *
 * app.zoomTo(from, to), app.zoomBy(factor, ns: what stays where it is), app.panBy(ns), app.showAll(),
 * app.zoomToSelection() */
pyrograph.heat.stage = function (app) {
	'use strict';

	const H = pyrograph.heat, S = H.select, { settings, page } = app, { map } = page, alone = app.svg === document.documentElement;
	const MOVED_PX = 4, LONG_PRESS_MS = 500, ZOOM_STEP_MS = 1200, WHEEL_PX = 400, DOUBLE_IN = 4, LEAST_PERIODS = 5, LEAST_SHORTER = 10;
	const WHEEL_LINE_PX = 16, DOUBLE_CLICK_MS = 400, NO_CLICK = { x: 0, y: 0, at: -Infinity };
	let anchor = null;      /* the cell that was chosen last: where a Shift-click goes on from */
	let gestures = 0, insteadOfClick = false, lastZoom = -Infinity, beforeClick = null, lastClick = NO_CLICK;

	/* ---- what can be seen ---- */

	/* Some of the finest columns must be left. */
	const least = () => (app.view.period || settings.y === 'utilization' ? LEAST_PERIODS : LEAST_SHORTER) *
		(app.view.period || H.grid.finest(settings));

	app.zoomTo = (from, to) => {
		const { whole } = app, length = Math.min(Math.max(to - from, least()), whole.to - whole.from);
		const middle = (from + to) / 2, begin = Math.round(Math.max(whole.from, Math.min(middle - length / 2, whole.to - length)));
		const all = length >= whole.to - whole.from, now = performance.now();
		const changes = all ? { from: null, to: null } : { from: begin, to: Math.round(begin + length) };

		gestures += now - lastZoom > ZOOM_STEP_MS ? 1 : 0;
		lastZoom = now;
		if (changes.from === app.view.from && changes.to === app.view.to)
			return;
		if (insteadOfClick)
			app.touch(changes);
		else
			app.step(changes, 'zoom ' + gestures); /* one step of Back, if nothing else is done between */
		insteadOfClick = false;
	};
	app.zoomBy = (factor, ns) => {
		const { from, to } = app.asked(), at = ns === undefined ? (from + to) / 2 : Math.max(from, Math.min(ns, to));

		app.zoomTo(at - (at - from) * factor, at + (to - at) * factor);
	};
	app.panBy = (ns) => {
		const { from, to } = app.asked(), { whole } = app, by = Math.max(whole.from - from, Math.min(ns, whole.to - to));

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

	/* Cells of how busy CPUs are stand alone: the nearest in the column is meant. */
	function meant(cell) {
		if (!cell || settings.y !== 'utilization')
			return cell;
		const { axes, maps } = app.grids(), { cells } = maps[app.plots.indexOf(cell.plot)].grid, base = cell.column * axes.rows;

		for (let by = 0; by < axes.rows; by++) {
			for (const row of [cell.row - by, cell.row + by]) {
				if (row >= 0 && row < axes.rows && cells[base + row])
					return Object.assign({}, cell, { row: row });
			}
		}
		return cell;
	}

	const bare = ({ column, row }) => ({ column: column, row: row });

	/* A selection in the map that cell is in. */
	const inMapOf = (cell, range) => app.plots.length > 1 ? Object.assign(range, { map: cell.plot.map.number }) : range;

	/* From cell a to cell b, of b's map; rows: only these rows of each column. */
	function rangeOf(a, b, rows) {
		return inMapOf(b, S.ofCells(app.grids().axes, bare(a), bare(b), rows ? 'rows' : 'time'));
	}
	const wantsRows = (event) => event.altKey !== (app.selecting() === 'rows');
	const wantsBaseline = (event) => (event.ctrlKey || event.metaKey) && Boolean(app.view.selection);
	const same = (a, b) => a && b && JSON.stringify(a) === JSON.stringify(b);

	/* Where a range that is there begins: its cell, or the first one that is seen. */
	function beginning() {
		const { axes } = app.grids(), { selection } = app.view;

		if (anchor && anchor.axes === axes)
			return anchor;
		return selection && H.grid.cellAt(axes, Math.max(selection.from, axes.start), selection.low || axes.low) ||
			{ column: 0, row: 0 };
	}

	function choose(cell, range, asBaseline) {
		app.step(asBaseline ? { baseline: range } : { selection: range, map: cell.plot.map.number });
	}

	/* A click selects a cell, the same again lets it go; with Shift it is the other end. */
	function clicked(where, event) {
		const cell = meant(where), from = event.shiftKey ? beginning() : cell, range = rangeOf(from, cell, wantsRows(event));
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

	/* Where x is, of the axis of time; null: beside it. */
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
			drag = { from: [x, y], cell: cell, moved: false, rows: wantsRows(event), asBaseline: wantsBaseline(event), extend: event.shiftKey };
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
			app.hideTip();
		}
		if (drag.pan) {
			const by = (drag.from[0] - x) * drag.perPx;

			app.inFrame(() => app.zoomTo(drag.pan.from + by, drag.pan.to + by));
			return;
		}
		const begin = drag.extend ? beginning() : drag.cell, to = app.cellAt(x, y, drag.cell.plot);

		drag.range = rangeOf(begin, to, drag.rows);
		drag.end = to;
		app.preview = { range: drag.range, letter: drag.asBaseline ? 'B' : 'A', map: drag.cell.plot.map.number };
		app.drawMarks();
		app.showLine((drag.asBaseline ? 'B: ' : 'A: ') + app.selectionText(drag.range));
	}

	/* Of a double click, which means something else. */
	function isSecond({ clientX: x, clientY: y, timeStamp: at }) {
		const second = at - lastClick.at < DOUBLE_CLICK_MS && Math.hypot(x - lastClick.x, y - lastClick.y) < MOVED_PX;

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
		} else if (!done.moved && done.cell && !long && !app.menuJustClosed() && !isSecond(event)) {
			beforeClick = { selection: app.view.selection, baseline: app.view.baseline, map: app.view.map };
			page.settle(DOUBLE_CLICK_MS, () => Boolean(drag || fingers.size || app.menuIsOpen()));
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

	/* What was between the fingers stays there. */
	function movePinch() {
		const { middle, wide } = spread(), { shown } = pinch, factor = pinch.wide / wide, length = (shown.to - shown.from) * factor;
		const plot = app.plots[0], part = (middle - plot.box.getBoundingClientRect().left - plot.left) / Math.max(app.cellsRoom(), 1);
		const from = pinch.ns - length * Math.max(0, Math.min(part, 1));

		app.inFrame(() => app.zoomTo(from, from + length));
	}

	/* Not more often than the screen is drawn. */
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
		const band = inMapOf(cell, S.ofCells(axes, { column: 0, row: cell.row }, { column: last, row: cell.row }, 'rows'));
		const column = inMapOf(cell, S.ofCells(axes, { column: cell.column, row: 0 }, { column: cell.column, row: axes.rows - 1 }, 'time'));
		const ns = app.cellRange(cell), at = (ns.from + ns.to) / 2;

		app.openMenu([{ heading: app.ruler.fit(facts.rows + ' \u00b7 ' + facts.when, 300, 1, 'middle') },
			{ label: 'Select this cell', run: () => choose(cell, rangeOf(cell, cell, false), false) },
			{ label: 'Select its column', run: () => choose(cell, column, false) },
			{ label: 'Select its row, of all columns', run: () => choose(cell, band, false) },
			{ label: 'Select from the selection to here', disabled: !selection, run: () =>
				choose(cell, rangeOf(beginning(), cell, app.selecting() === 'rows'), false) },
			{ label: 'Compare the selection with this cell', disabled: !selection, run: () =>
				choose(cell, rangeOf(cell, cell, false), true) },
			app.actionItem('keepB', { disabled: !selection }), app.actionItem('exchange', { disabled: !app.view.baseline }), { line: true },
			{ label: 'Zoom in here', key: '+', run: () => app.zoomBy(1 / DOUBLE_IN, at) },
			{ label: 'Zoom to the selection', key: 'Z', disabled: !selection, run: app.zoomToSelection },
			{ label: 'Show all', key: '0', disabled: app.view.from === null, run: app.showAll }, { line: true },
			{ label: 'Copy what is said of it', run: () => app.copy(app.cellText(facts), 'details') }], x, y, 'Cell');
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
		if (beforeClick) { /* it was no choice, and no step */
			Object.assign(app.view, beforeClick);
			insteadOfClick = true;
		}
		beforeClick = null;
		app.zoomBy(event.shiftKey ? DOUBLE_IN : 1 / DOUBLE_IN, nsAt(event.clientX));
		if (insteadOfClick) { /* as far as it goes */
			insteadOfClick = false;
			app.touch({});
		}
	});
	map.addEventListener('contextmenu', (event) => {
		event.preventDefault();
		if (!touched && event.button === 2)
			openMenuAt(event.clientX, event.clientY);
	});

	/* Up and down zooms, sideways pans; where the wheel has something else to do, only with Ctrl
	 * (which is what a pinch on a touch pad looks like). */
	map.addEventListener('wheel', (event) => {
		const scrolls = !alone || map.scrollHeight > map.clientHeight + 1, forced = event.ctrlKey || event.metaKey;
		const unit = event.deltaMode ? WHEEL_LINE_PX : 1, sideways = event.shiftKey ? event.deltaY || event.deltaX : event.deltaX;

		if (!app.plots.length || !app.cellAt(event.clientX, event.clientY) && !plotOfAxis(event.clientX, event.clientY))
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

	map.addEventListener('scroll', app.hideTip);
	app.pointerWords.push(['Click', 'select a cell; again: let it go'], ['Drag', 'select a range of time'],
		['Shift+click', 'select up to here'], ['Alt+drag', 'the same rows of each column'],
		['Ctrl+click, drag', 'a second range to compare with'], [alone ? 'Wheel, pinch' : 'Ctrl+wheel, pinch', 'zoom in time'], ['Double click', 'zoom in'],
		['Drag the time axis', 'move on'], ['Right click', 'menu of the cell'], ['Long press', 'menu of the cell']);
};
/* heat_keys: the keyboard: moving the selection, playing, what clears what.
 *
 * app.play = { toggle(), on() }: steps the selection through time by its own length, view.speed
 * times a second */
pyrograph.heat.keys = function (app) {
	'use strict';

	const H = pyrograph.heat, S = H.select, { data, settings, page } = app, alone = app.svg === document.documentElement;
	const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
	let playing = 0, spoken = 0;

	/* ---- moving the selection ---- */

	/* The first that has events, or the first of all. */
	function firstCell() {
		const { axes, maps } = app.grids(), { cells } = maps[Math.min(app.mapOf(app.view.selection), maps.length - 1)].grid;
		const at = Math.max(0, cells.findIndex((n) => n));

		return { column: Math.floor(at / axes.rows), row: at % axes.rows };
	}

	/* What is selected comes into sight. */
	function follow(selection) {
		const { from, to } = app.asked(), { axes } = app.grids();

		if (app.view.from === null || (selection.from >= axes.start && selection.to <= axes.end))
			return {};
		const by = selection.from < from || selection.to - selection.from > to - from ? selection.from - from : selection.to - to;
		const begin = Math.max(app.whole.from, Math.min(from + by, app.whole.to - (to - from)));

		return { from: begin, to: begin + to - from };
	}

	function take(selection) {
		const inside = selection && selection.to > app.whole.from && selection.from < app.whole.to;

		if (!inside)
			return false;
		app.step(Object.assign({ selection: selection }, follow(selection)), 'move');
		clearTimeout(spoken);
		if (!playing) /* once the keys rest */
			spoken = setTimeout(() => app.say(app.selectionText(selection)), 150);
		return true;
	}

	/* Columns and rows, up is later or more. */
	function move(columns, rows, extend) {
		const { axes } = app.grids(), { selection } = app.view, up = settings.inverted ? -rows : rows;

		return selection ? take((extend ? S.extend : S.shift)(selection, axes, columns, up)) : first(firstCell(), firstCell());
	}
	const first = (a, b) => take(Object.assign(S.ofCells(app.grids().axes, a, b, app.selecting()),
		app.plots.length > 1 ? { map: app.view.map } : {}));

	/* To the first or the last column that can be seen and has such a row: the recording may end before. */
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

	/* Whole columns, if nothing is selected; what is shorter goes on by one, or it would take all day. */
	function begin() {
		const { column } = firstCell(), { axes } = app.grids();

		first({ column: column, row: 0 }, { column: column, row: axes.rows - 1 });
	}

	function stepOn() {
		const { selection } = app.view, length = selection ? Math.max(selection.to - selection.from, app.grids().axes.column) : 0;

		playing = 0;
		if (!length)
			begin();
		else if (selection.to >= app.whole.to || !take(Object.assign({}, selection, { from: selection.from + length, to: selection.to + length }))) {
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

	/* ---- what can be done ---- */

	const selected = () => Boolean(app.view.selection), compared = () => Boolean(app.view.baseline);

	/* The latest first: what is compared, what is selected, what is lit up. */
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
		clear: ['Escape', 'Clear: what is compared, then what is selected', () => app.clear(), 'Selection'],
		keepB: ['b', 'Keep the selection as B, to compare with', () => app.step({ baseline: app.view.selection }), 'Selection', selected],
		exchange: ['x', 'Exchange A and B', () => app.step({ selection: app.view.baseline, baseline: app.view.selection,
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
		undo: ['Backspace', 'Undo the last step', () => app.links.undo(), 'View'],
	});
	app.pointerWords.push(['Arrows', 'move the selection'], ['Shift+arrows', 'make it longer or shorter'],
		['Home, End', 'to the first, the last column'], ['Page up, down', 'a window on, or ten of it']);

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

	const PAGES = { PageUp: () => page_(-1), PageDown: () => page_(1), Home: () => moveToEdge(false), End: () => moveToEdge(true) };
	const SAME = { '=': '+', _: '-' };

	/* Returns false when the key means nothing. */
	function pressed(event) {
		const { target } = event, key = SAME[event.key] || event.key, command = event.ctrlKey || event.metaKey || event.altKey;
		const field = /^(input|textarea|select)$/.test(target.localName), inMap = target === page.map || target === document.body ||
			target === app.svg || target === page.element || !target.closest || !target.closest('button, .aside, .heat-flame, [role="separator"]');

		if (key === 'Escape')
			return (app.closeHelp && app.closeHelp()) || app.closeMenu() || (field ? false : app.clear());
		if (field || command || (app.helpIsOpen && app.helpIsOpen()) || app.menuIsOpen())
			return false;
		if (key in ARROWS && inMap)
			move(...ARROWS[key], event.shiftKey);
		else if (key in PAGES && inMap)
			PAGES[key]();
		else if ((key === 'Enter' || key === ' ') && !inMap)
			return false;
		else if (key === 'ContextMenu' || (key === 'F10' && event.shiftKey))
			openMenu();
		else
			return act(key);
		return true;
	}

	function act(key) {
		const id = app.actionOfKey(key);

		if (id)
			app.act(id);
		return Boolean(id);
	}

	/* Of the selection's first cell. */
	function openMenu() {
		const { axes } = app.grids(), { selection } = app.view, plot = app.plots[Math.min(app.mapOf(selection), app.plots.length - 1)];
		const cell = selection && H.grid.cellAt(axes, Math.max(selection.from, axes.start), selection.low || axes.low) || firstCell();
		const box = plot.canvas.getBoundingClientRect(), row = settings.inverted ? cell.row : axes.rows - 1 - cell.row;

		app.openCellMenu(box.left + (cell.column + 0.5) * plot.columnPx, box.top + (row + 0.5) * plot.rowPx);
	}

	/* By the Tab key: say what it is. */
	page.map.addEventListener('focus', () => {
		if (page.map.matches(':focus-visible') && app.view.selection)
			app.say(app.selectionText(app.view.selection));
	});

	/* Alone in its window it has all keys; in a page only those that are meant for it. */
	(alone ? window : page.element).addEventListener('keydown', (event) => {
		if (!event.defaultPrevented && pressed(event))
			event.preventDefault();
	});

	app.onchange(() => {
		const { axes, maps } = app.grids(), events = maps.reduce((sum, map) => sum + map.grid.total, 0), { from, to } = app.shown();

		page.map.setAttribute('aria-label', app.titleText + ': ' + app.amountText(events) + ', ' + app.rangeText(from, to) + ', ' +
			H.ticks.cellText(axes) + '. Arrow keys select.' + (data.count ? '' : ' No events.'));
	});
};
/* heat_beats: do the rate of sampling and the rows beat against each other, so that a grid shows
 * stripes that the samples made?  As grid_beats.c, which has the reasons.  Pure.
 *
 * rows(settings, y, period, wanted, isFine) -> how many rows, about wanted, have none
 *                     (heat_rows_without_beats()); isFine(rows): may it be?
 * warning(settings, axes) -> null, or { text: C's, which tells its options, said: the same without, rows: [numbers
 *                                 of rows without it] } */
pyrograph.heat.beats = (function () {
	'use strict';

	const N = pyrograph.number, VISIBLE = 0.08, FEW = 8, NS = 1e9, ROWS_LEAST = 20, ROWS_MOST = 100;

	const isWhole = (n) => Math.abs(n - Math.round(n)) < 1e-6;
	const plain = (n) => String(Number(n.toPrecision(10)));

	function deviation(samples, cpus) {
		const f = samples - Math.floor(samples);

		return isWhole(samples) ? 0 : Math.sqrt(f * (1 - f)) / samples / Math.sqrt(cpus);
	}

	/* Those from least to most that have whole numbers of samples: the nearest to rows, or 0. */
	function nearestRows(samples, rows, least, most) {
		const whole = Math.round(samples);
		let best = 0;

		if (!(samples >= 1) || samples > 1e9 || !isWhole(samples))
			return 0;
		for (let n = least; n <= most; n++) {
			if (n && whole % n === 0 && (!best || Math.abs(n - rows) < Math.abs(best - rows)))
				best = n;
		}
		return best;
	}

	function lockStep(rate) {
		const period = 1000 / rate;

		if (rate < 1 || rate > 10000 || (Math.abs(period - Math.round(period)) > 1e-6 && rate % 1000 > 1e-6))
			return '';
		return plain(rate) + ' samples a second are in step with timers: what happens each ' + N.durationText(NS / rate) +
			' is seen always or never; record with -F ' + plain(rate - 1 > 0 ? rate - 1 : 1) + '.';
	}

	/* Has each row as many samples, or nearly so? */
	const isEven = (samples, rows, cpus) => isWhole(samples) ? isWhole(samples / rows) : deviation(samples / rows, cpus) < VISIBLE;

	/* Those from least to most, the nearest to wanted; 0: there are none. */
	function nearestEven(samples, wanted, least, most, cpus, isFine) {
		let best = 0;

		for (let n = least; n <= most && n <= samples; n++) {
			if (isEven(samples, n, cpus) && isFine(n) && (!best || Math.abs(n - wanted) < Math.abs(best - wanted)))
				best = n;
		}
		return best;
	}

	const cpusAt = (settings, rate) => settings.recordings.filter((r) => r.rate === rate).reduce((sum, r) => sum + (r.cpus.length || 1), 0);

	function rows(settings, y, period, wanted, isFine) {
		const rate = settings.spans || settings.recordings.some((r) => r.rate !== settings.rate) ? 0 : settings.rate;
		const samples = rate * period / NS, cpus = y === 'utilization' ? 1 : cpusAt(settings, rate);

		if (!rate || isEven(samples, wanted, cpus))
			return wanted;
		if (samples < 1)
			return 1;
		return nearestEven(samples, wanted, ROWS_LEAST, ROWS_MOST, cpus, isFine) ||
			(samples < wanted || !isWhole(samples) ? nearestEven(samples, wanted, 1, ROWS_LEAST, cpus, isFine) : 0) || wanted;
	}

	/* { text, said, rows }, or null */
	function stripes(axes, rate, cpus) {
		const ofUse = axes.y === 'utilization', periods = ofUse ? axes.perColumn : 1, { rows } = axes;
		const samples = rate * axes.period / NS * periods, inRow = samples / rows;
		const sameRows = !ofUse && isWhole(samples) && !isWhole(inRow) && inRow * cpus < FEW;

		if (rows === 1 || !(inRow > 0) || (deviation(inRow, ofUse ? 1 : cpus) < VISIBLE && !sameRows) ||
			(!ofUse && axes.perColumn >= 4 && !isWhole(samples)))
			return null;
		const better = [nearestRows(samples, rows, Math.floor(rows / 4) + 1, rows - 1), nearestRows(samples, rows, rows + 1, rows * 3)]
			.filter((n) => n);
		const less = better.length ? 0 : nearestEven(samples, rows, 1, rows - 1, ofUse ? 1 : cpus, () => true);

		const why = plain(rate) + ' samples a second in ' + rows + ' rows make stripes: ' + (ofUse
			? 'some rows stand for more numbers of samples than others'
			: 'of a busy CPU a cell has ' + Math.floor(inRow) + ' or ' + Math.ceil(inRow));

		return { rows: less ? [less] : better,
			said: why + (better.length || less && isWhole(samples) ? '. Without: ' : less ? '. Hardly any: ' : '; a longer period has none.'),
			text: why + (less ? '; --rows ' + less + ' has ' + (isWhole(samples) ? 'none.' : 'hardly any.') : !better.length ? '; a longer --span has none.'
				: '; --rows ' + better.join(' or ') + (better.length > 1 ? ' have none.' : ' has none.')) };
	}

	function warning(settings, axes) {
		const texts = [], said = [], rows = [], rates = settings.recordings.map((r) => r.rate).filter((rate, i, all) => rate > 0 && all.indexOf(rate) === i);

		if (axes.y === 'value' || settings.spans)
			return null;
		for (const rate of rates) {
			const found = stripes(axes, rate, cpusAt(settings, rate));

			texts.push(lockStep(rate), found ? found.text : '');
			said.push(lockStep(rate).replace('record with -F ', 'record with another rate, as '), found ? found.said : '');
			rows.push(...found ? found.rows : []);
		}
		const text = texts.filter(Boolean).join(' ');

		return text ? { text: text, said: said.filter(Boolean).join(' '), rows: rows } : null;
	}

	/* Do those rows make stripes? */
	const striped = (settings, axes) => axes.y !== 'value' && !settings.spans && settings.recordings.some(({ rate }) => rate > 0 && stripes(axes, rate,
		cpusAt(settings, rate)));

	return { rows, warning, striped };
})();
/* heat_counts: how many events there are, by stack and by key, in the time that is shown and in
 * what is selected.
 *
 * app.countsIn(selection)      -> Float64Array by stack: events; null: of the time that is shown;
 *                                 of a selection those of its map, isolated or not
 * app.valuesIn(selection)      -> the same of values
 * app.mapPart(map)             -> of one of several maps { stacks, recording, cpu } (heat_grid.js)
 * app.keyCounts(dimension, counts) -> Float64Array by key, and one more: of stacks without one
 * app.split(counts)            -> { events, idle }: idle ones are in events when they count as such
 * app.eventRanges(selection)   -> [[first, end], ...] numbers of events in its time
 * app.isSelected(selection)    -> null, or a function of an event in them: is it really selected
 * app.onchangeLater(draw)       as app.onchange(), but where it takes long to count it comes after the picture
 * app.someEvents(n)            -> "1,234 samples"
 * app.someValue(n)             -> "12.3 ms"; null when values say no more than events */
pyrograph.heat.counts = function (app) {
	'use strict';

	const N = pyrograph.number, { data, settings } = app, KEPT = 8, MANY = 2000000, LATER_MS = 80;
	const word = settings.event || 'events', unit = pyrograph.heat.data.unit(settings);
	const answers = new Map();      /* the question -> the answer */

	/* Of one of several maps (heat_grid.js) its stacks, idle ones too, its host, its CPU; null: there is one. */
	app.mapPart = (map) => {
		const per = settings.per && app.dimension(settings.per);

		return !per || map >= per.keys.length ? null : app.kept('part of map', [map], () =>
			pyrograph.heat.grid.partOf(settings, per, app.keyOfMap(map)));
	};

	/* With the idle ones, but for how busy CPUs are. */
	function choiceOf(selection) {
		const part = selection && app.mapPart(app.mapOf(selection)) || { stacks: null, recording: -1, cpu: -1 };

		return Object.assign({}, part, { idle: app.view.idle || !selection || selection.kind !== 'cpu' });
	}

	function ask(what, selection) {
		const shown = app.shown(), wanted = selection || { kind: 'time', from: shown.from, to: shown.to };
		const key = JSON.stringify([what, wanted, app.axes(), selection && app.mapOf(selection), app.view.idle]);
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

	/* Ranges of time are not all that selects: values and CPUs do, and one of several maps. */
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
/* heat_aside: by what the cells are coloured: a dimension, the list of its keys, and which of
 * them are shown how.
 *
 * app.hues()       -> null, or { dimension, keys, numbers, isolate, exclude, all }: of the dimension
 *                     (heat_data.js) the keys that have a hue, and the hues' numbers (heat_scale.js);
 *                     the others are grey (isolate: not there; exclude: they alone are, without hues)
 * app.by()         -> the dimension's name, '' when there is none
 * app.keysBy(name) -> the dimension, or null
 * app.keyName(text) as it is shown, app.keyColour(i) of the i-th of these keys
 * app.openKeys(on), app.keysOpen()
 * Of thousands of keys only the rows in the window exist as elements. */
pyrograph.heat.aside = function (app) {
	'use strict';

	const D = pyrograph.ui.dom, N = pyrograph.number, H = pyrograph.heat, S = pyrograph.search, { data, settings } = app;
	const ROW = 22, MARGIN = 20, HUES_MAX = 24, TYPING_MS = 300, NAME_MAX = 400, MARKED_FIRST = 4, drawn = settings.hues || {};

	H.counts(app);
	const MANY = { comm: 'commands', command: 'commands', thread: 'threads', cpu: 'CPUs', host: 'hosts', state: 'states', pid: 'processes', process: 'processes',
		tid: 'threads', event: 'events', syscall: 'system calls', device: 'devices', 'class': 'classes', regexp: 'patterns' };
	const WORDS = { comm: 'command', cpu: 'CPU', pid: 'process', tid: 'thread number', by: 'who had the CPU', regexp: 'patterns (regexps)' };

	/* ---- what the view says ---- */

	app.by = () => app.view.by === null ? drawn.dimension || '' : app.view.by;
	app.marked = () => app.view.by === null ? drawn.keys || [] : app.view.keys;
	/* Cells that count CPUs have no keys but theirs, and none is left out. */
	const ofCpus = settings.y === 'utilization';

	app.canBe = (name) => !ofCpus || name === 'cpu' || name === 'host';
	app.keyMode = () => app.view.by !== null ? (ofCpus && app.view.mode !== 'all' ? 'highlight' : app.view.mode) : drawn.isolate ? 'isolate' : drawn.exclude ? 'exclude' : 'highlight';
	app.dimensionWord = (name) => WORDS[name] || name;
	app.keyName = (text) => text.length > NAME_MAX ? text.slice(0, NAME_MAX) + '\u2026' : text;

	const change = (changes) => app.step(Object.assign({ by: app.by(), keys: app.marked(), mode: app.keyMode() }, changes));

	const numbers = new WeakMap();  /* dimension -> text of a key: its number */

	function numberOf(dimension, text) {
		if (!numbers.has(dimension))
			numbers.set(dimension, new Map(dimension.keys.map((key, i) => [key, i])));
		return numbers.get(dimension).get(text);
	}

	/* Patterns that may take for ever are tried elsewhere first (slow.js): keys are made only of those that do not. */
	const tried = new Map();        /* source -> what is wrong with it, or '' */

	/* '' when all are well, null while that is not known */
	function patternsWrong() {
		const texts = app.kept('texts', [], () => Array.from({ length: data.stacks }, (unused, stack) => H.data.stackText(data, stack)));

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
	/* The dimension called name, null: its patterns cannot be used (yet). */
	app.keysBy = (name) => !name || !app.canBe(name) || (name === 'regexp' && patternsWrong() !== '') ? null : app.dimension(name);

	let made = { of: '' };

	app.hues = () => {
		const name = app.by(), dimension = app.keysBy(name), mode = app.keyMode(), marked = app.marked();
		const of = dimension ? JSON.stringify([name, app.view.regexps, mode, marked]) : '';

		if (made.of !== of) {
			const keys = mode === 'all' ? dimension.keys.slice(0, HUES_MAX).map((text, i) => i)
				: !of ? [] : marked.map((text) => numberOf(dimension, text)).filter((key) => key !== undefined);

			made = { of: of, hues: !of ? null : { dimension: dimension, keys: keys, numbers: H.scale.huesOf(keys), all: mode === 'all',
				isolate: mode === 'isolate' && keys.length > 0, exclude: mode === 'exclude' && keys.length > 0 } };
		}
		return of ? made.hues : null;
	};
	app.keyColour = (i) => '#' + H.scale.hueRgb(H.scale.hue(app.hues().numbers[i]), 1, app.isDark()).toString(16).padStart(6, '0');

	/* ---- what there is to choose ---- */

	const names = (settings.dimensions || []).map(([name]) => name).filter((name) => name !== 'regexp' && app.canBe(name));
	const chooser = D.html('select', { 'aria-label': 'Coloured by', onchange: () => app.setBy(chooser.value) },
	D.html('option', { value: '' }, 'count alone'), ...names.map((name) => D.html('option', { value: name }, app.dimensionWord(name))),
	ofCpus ? null : D.html('option', { value: 'regexp' }, app.dimensionWord('regexp')));
	const close = D.button('close', 'Close the keys', 'Close (K)', () => app.act('keys'), { icon: 'close' });
	const patterns = D.html('textarea', { rows: '3', spellcheck: 'false', placeholder: 'LABEL=REGEXP, one a line; the first that fits',
		'aria-label': 'Patterns, one LABEL=REGEXP a line' });
	const wrong = D.html('div', { 'class': 'wrong', role: 'alert' });

	const MODES = [['highlight', 'Highlight', 'Marked ones in their hues, the others grey (H)'],
		['isolate', 'Isolate', 'Only the marked ones (I)'], ['exclude', 'Exclude', 'All but the marked ones (E)'],
		['all', 'All', 'Each in a hue, the first ' + HUES_MAX + ' of them (A)']].filter(([mode]) => !ofCpus || mode === 'highlight' || mode === 'all');
	const modes = MODES.map(([mode, label, tip]) => D.html('button', { type: 'button', title: tip, 'data-mode': mode,
		onclick: () => app.setKeyMode(mode) }, label));
	const clear = D.html('button', { type: 'button', 'class': 'link', title: 'No key is marked', onclick: () => change({ keys: [], mode: 'highlight' }) },
		'Clear');
	const filter = D.html('input', { type: 'text', placeholder: 'Filter', spellcheck: 'false', autocapitalize: 'off',
		autocomplete: 'off', 'aria-label': 'Filter the keys, a regular expression' });
	const count = D.html('span', { 'class': 'table-count' }), about = D.html('div', { 'class': 'table-about' });
	const spacer = D.html('div', { 'class': 'table-rows', role: 'none' });
	const list = D.html('div', { 'class': 'table-scroll keys-list', tabindex: '0', role: 'listbox', 'aria-multiselectable': 'true' }, spacer);
	const heads = {};

	for (const [key, label, tip] of [['name', 'Key', 'By name'], ['shown', 'Shown', 'Events in the time that is shown'],
		['selected', 'Selected', 'Events in the selection']]) {
		heads[key] = D.html('button', { type: 'button', 'class': 'head-' + key, title: tip, onclick: () => {
			sort = { key: key, down: sort.key === key ? !sort.down : key !== 'name' };
			arrange();
		} }, label);
	}
	const body = D.html('div', { 'class': 'keys-body' }, D.html('div', { 'class': 'keys-modes' },
		D.html('span', { 'class': 'segment', role: 'group', 'aria-label': 'Marked keys' }, ...modes), clear),
	D.html('div', { 'class': 'table-top' }, filter, count), about,
	D.html('div', { 'class': 'table-head' }, heads.name, heads.shown, heads.selected), list);
	const section = D.html('section', { 'class': 'heat-keys', 'aria-label': 'Keys' }, D.html('div', { 'class': 'keys-top' },
		D.html('label', {}, 'Coloured by ', chooser), close), patterns, wrong, body);

	app.page.aside.setAttribute('aria-label', 'Keys and distribution');
	app.page.aside.append(section);

	/* Marked ones that way; none is marked: that of the cursor. */
	app.setKeyMode = (mode) => {
		const hues = app.hues(), keys = app.marked();

		if (!hues) {
			app.toast('Choose first what to colour by');
			return;
		}
		if (ofCpus && mode !== 'highlight' && mode !== 'all') {
			app.toast('All CPUs count: none can be left out');
			return;
		}
		if (mode !== 'all' && mode !== 'highlight' && !keys.length) {
			if (cursor >= 0)
				change({ keys: [dimension.keys[cursor]], mode: mode });
			else
				app.toast('Mark one of the keys first');
			return;
		}
		change({ mode: mode === app.keyMode() && mode !== 'highlight' ? 'highlight' : mode });
	};
	/* Those with the most events, so that something is to be seen at once. */
	function firstKeys(name) {
		const dimension = app.keysBy(name);

		return !dimension ? [] : dimension.keys.filter((text, i) => dimension.events[i] > 0 && text !== 'other' && text !== '').slice(0, MARKED_FIRST);
	}
	app.setBy = (name, keys = firstKeys(name)) => change({ by: name, keys: keys, mode: 'highlight', panel: app.view.panel || name !== '' });
	/* Add a key, or take it away. */
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
				return !new RegExp(source);
			} catch (e) {
				return true;
			}
		});

		wrong.textContent = bad ? 'Not a regular expression: ' + app.keyName(bad[1]) : '';
		if (!bad && JSON.stringify(all) !== JSON.stringify(app.view.regexps || settings.regexps || []))
			app.step({ by: 'regexp', regexps: all, keys: all.map(([label]) => label).filter((label, i, every) => every.indexOf(label) === i)
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
			event.stopPropagation(); /* its Enter is a line */
	});

	/* ---- the list ---- */

	const idStart = 'heat-key-' + document.querySelectorAll('.heat-keys').length + '-'; /* several pictures in a page */

	let dimension = null, shown = null, selected = null, rows = [], sort = { key: null, down: true }, cursor = -1;
	let whole = 0, wholeSelected = 0, most = 0, mostSelected = 0, sortedOf = null, namePx = 100;
	let wasOpen = false;

	const sortKey = () => sort.key || 'shown';

	function arrange() {
		const found = filter.value ? S.matcher(dimension.keys, filter.value, true) : { match: null, error: null };
		const values = sortKey() === 'selected' && selected ? selected : shown, sign = sort.down ? -1 : 1;

		filter.classList.toggle('invalid', Boolean(found.error));
		filter.title = found.error || '';
		rows = dimension.keys.map((text, i) => i);
		if (found.error || found.match)
			rows = rows.filter((i) => found.match && found.match[i]);
		if (sortKey() === 'name')
			rows.sort((a, b) => sign * (dimension.keys[a] < dimension.keys[b] ? -1 : 1));
		else
			rows.sort((a, b) => sign * (values[a] - values[b]) || a - b);
		for (const key in heads) {
			heads[key].setAttribute('aria-pressed', String(key === sortKey()));
			heads[key].dataset.sort = key !== sortKey() ? '' : sort.down ? 'down' : 'up';
		}
		count.textContent = rows.length === dimension.keys.length ? N.countText(rows.length) :
			N.countText(rows.length) + ' of ' + N.countText(dimension.keys.length);
		drawRows();
	}

	/* The bar is of the largest one, what is said of all. */
	function amount(className, value, of, most) {
		const bar = D.html('span', { 'class': 'bar' });

		bar.style.width = most ? (value / most * 100).toFixed(2) + '%' : '0';
		return D.html('span', { 'class': className, title: app.someEvents(value) + ', ' + N.percentText(value, of) }, bar,
			D.html('span', {}, value ? N.countText(value) : '\u2013'));
	}

	function rowOf(at) {
		const i = rows[at], { keys } = app.hues(), hue = keys.indexOf(i), text = app.keyName(dimension.keys[i]);
		const dot = D.html('span', { 'class': hue < 0 ? 'dot unmarked' : 'dot' });

		if (hue >= 0 && !app.hues().exclude)
			dot.style.background = app.keyColour(hue);
		const e = D.html('div', { 'class': 'row', role: 'option', id: idStart + i, 'data-row': at, title: text,
			'aria-selected': String(app.keyMode() !== 'all' && hue >= 0), 'aria-label': text + ': ' + app.someEvents(shown[i]) + ', ' +
			N.percentText(shown[i], whole) + (selected ? '; selected: ' + app.someEvents(selected[i]) : '') },
		dot, D.html('span', { 'class': 'c-name' }, app.ruler.fit(text || '(empty)', namePx, 1, 'middle')), amount('c-total', shown[i], whole, most),
		selected ? amount('c-self', selected[i], wholeSelected, mostSelected) : null);

		e.classList.toggle('cursor', i === cursor);
		e.style.top = at * ROW + 'px';
		return e;
	}

	function drawRows() {
		const first = Math.max(0, Math.floor(list.scrollTop / ROW) - MARGIN);
		const last = Math.min(rows.length, Math.ceil((list.scrollTop + list.clientHeight) / ROW) + MARGIN);
		const fresh = [];

		namePx = (list.clientWidth - (selected ? 178 : 112)) * 0.93; /* marked ones are bold */
		for (let at = first; at < last; at++)
			fresh.push(rowOf(at));
		spacer.style.height = rows.length * ROW + 'px';
		spacer.replaceChildren(...fresh);
		if (cursor >= 0 && spacer.querySelector('.cursor'))
			list.setAttribute('aria-activedescendant', idStart + cursor);
		else
			list.removeAttribute('aria-activedescendant');
	}

	const sum = (values) => values.reduce((all, v) => all + v, 0);
	/* ... of the keys: what has none is the last */
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

	/* "12 threads, 3 marked; 34 samples have none; not here: x" */
	function aboutText() {
		const { keys, all } = app.hues(), words = [], none = shown[dimension.keys.length];
		const gone = app.marked().filter((text) => numberOf(dimension, text) === undefined);

		words.push(N.countText(dimension.keys.length) + ' ' + (MANY[app.by()] || 'keys').replace(dimension.keys.length === 1 ? /s$/ : '', '') +
			(all && keys.length < dimension.keys.length ? ', the first ' + keys.length + ' in hues' : !all && keys.length ? ', ' +
			N.countText(keys.length) + ' marked' : ''));
		if (none)
			words.push(app.someEvents(none) + ' of none of them');
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
		for (const button of modes) {
			button.setAttribute('aria-pressed', String(button.dataset.mode === app.keyMode()));
		}
		clear.hidden = !app.marked().length && app.keyMode() !== 'all';
		list.setAttribute('aria-label', app.dimensionWord(app.by()) + ': keys');
		heads.name.textContent = app.dimensionWord(app.by());
		countKeys();
		heads.selected.hidden = !selected;
		section.classList.toggle('with-selected', Boolean(selected));
		about.textContent = about.title = aboutText();
		if (sortedOf !== dimension)
			list.scrollTop = 0;
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
			app.page.resize(); /* the maps have another width */
		}
	});

	/* ---- pointer and keys ---- */

	function moveTo(at) {
		if (!rows.length)
			return;
		at = Math.max(0, Math.min(rows.length - 1, at));
		cursor = rows[at];
		if (at * ROW < list.scrollTop)
			list.scrollTop = at * ROW;
		else if ((at + 1) * ROW > list.scrollTop + list.clientHeight)
			list.scrollTop = (at + 1) * ROW - list.clientHeight;
		drawRows();
	}

	list.addEventListener('scroll', drawRows);
	list.addEventListener('click', (event) => {
		const row = event.target.closest('.row');

		if (row) {
			cursor = rows[Number(row.dataset.row)];
			app.markKey(dimension.keys[cursor]);
		}
	});
	list.addEventListener('keydown', (event) => {
		const at = rows.indexOf(cursor), page = Math.max(1, Math.floor(list.clientHeight / ROW) - 1);
		const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity };

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
	filter.addEventListener('input', arrange);
	filter.addEventListener('keydown', (event) => {
		if (event.key === 'Escape' && filter.value) {
			filter.value = '';
			arrange();
		} else if (event.key === 'Escape' || event.key === 'ArrowDown') {
			list.focus({ preventScroll: true });
		} else {
			return;
		}
		event.preventDefault();
		event.stopPropagation();
	});
	new ResizeObserver(() => !body.hidden && dimension && drawRows()).observe(list);
	app.onchangeLater(draw);
};
/* heat_period: the length of a period as people write it.  Pure.
 *
 * parse("1.013s") -> ns, or null; ns, us, ms, s (or nothing), min, h, d; from 1 us to a year
 * text(1013000000) -> "1.013 s", which parse() takes */
pyrograph.heat.period = (function () {
	'use strict';

	const UNITS = { ns: 1, us: 1e3, '\u00b5s': 1e3, '\u03bcs': 1e3, ms: 1e6, s: 1e9, sec: 1e9, m: 60e9, min: 60e9, h: 3600e9, d: 86400e9 };
	const MOST = 366 * 86400e9, SHOWN = [['d', 86400e9], ['h', 3600e9], ['min', 60e9], ['s', 1e9], ['ms', 1e6], ['\u00b5s', 1e3], ['ns', 1]];

	/* Digits are moved, not multiplied: 1.013 s is 1013000000 ns. */
	function parse(text) {
		const found = /^\s*(\d{1,9})?(?:[.,](\d{1,9}))?\s*([a-z\u00b5\u03bc]*)\s*$/i.exec(text);
		const unit = found && (UNITS[found[3]] || UNITS[found[3].toLowerCase()] || (found[3] ? 0 : 1e9));

		if (!unit || (!found[1] && !found[2]))
			return null;
		const rest = found[2] || '', ns = Math.round((Number(found[1] || 0) * unit) + Number(rest) * unit / Math.pow(10, rest.length));

		return ns >= 1000 && ns <= MOST ? ns : null;
	}

	function text(ns) {
		const whole = SHOWN.find(([name, one]) => one >= 60e9 && ns >= one && ns % one === 0);
		const [name, one] = whole || SHOWN.find(([, unit]) => unit <= 1e9 && ns >= unit) || ['ns', 1];
		const rest = (ns % one / one).toFixed(9).slice(2).replace(/0+$/, '');

		return Math.floor(ns / one) + (rest ? '.' + rest : '') + ' ' + name;
	}

	return { parse, text };
})();
/* heat_actions: what may be chosen of a view, and all that can be done, with its words and its key;
 * menus, keys and help are made of this list.
 *
 * app.choices: { colorings, weights, zones, periods: ns } and what is chosen of them: coloring(),
 * weigh(), ramp(), zone(); app.setColoring(), setRamp(), setWeigh(), setZone(), setPeriod(), setRows(),
 * setIdle(), setSelecting(), setTheme().  What is as it was drawn is not in the link. */
pyrograph.heat.actions = function (app) {
	'use strict';

	const H = pyrograph.heat, P = H.period, { data, settings } = app;
	const PERIODS = [1e9, 10e9, 60e9, 300e9, 3600e9, 86400e9], isOffset = settings.y === 'offset';

	/* ---- what may be chosen ---- */

	const setDrawn = (key, value, drawn) => app.step({ [key]: value === drawn ? null : value });
	const coloring = () => app.view.coloring || settings.coloring, weigh = () => app.view.weigh || settings.weigh;
	const ramp = () => app.view.ramp || settings.ramp, zone = () => app.view.zone || 'own';
	const COLORINGS = [['linear', 'Linear', 'By count'], ['rank', 'Rank', 'By rank among all cells: contrast whatever the counts are'],
		['log', 'Log', 'By the logarithm of the count']];
	const WEIGHTS = [['events', 'Events'], ...data.value !== null || settings.unit !== settings.event ? [['values', settings.unit ? 'Values: ' + settings.unit : 'Values']] : [],
		...settings.spans ? [['painted', 'Time: the whole of each span is painted']] : []];
	const ZONES = [['own', 'As drawn: ' + settings.zone[1]], ['UTC', 'UTC'], ['local', 'Of this browser']];

	app.choices = { colorings: COLORINGS, weights: WEIGHTS, zones: ZONES, periods: PERIODS, coloring, weigh, ramp, zone };
	app.setColoring = (name) => setDrawn('coloring', name, settings.coloring);
	app.setRamp = (name) => setDrawn('ramp', name, settings.ramp);
	app.setWeigh = (name) => setDrawn('weigh', name, settings.weigh);
	app.setZone = (name) => app.touch({ zone: name === 'own' ? null : name });
	app.setPeriod = (ns) => app.step({ period: ns });
	app.setRows = (rows) => app.step({ rows: rows });
	app.idleCounts = () => settings.idleEvents > 0 && settings.y !== 'utilization'; /* of how busy CPUs are idle is the rest */
	app.setIdle = (on) => app.step({ idle: on });
	app.setTheme = (name) => app.touch({ theme: name === 'auto' ? null : name });

	const next = (values, now) => values[(values.indexOf(now) + 1) % values.length];
	const nextOf = (all, now, set) => () => set(next(all.map(([name]) => name), now()));

	/* The next longer or shorter of the usual periods. */
	function stepPeriod(step) {
		const now = Number(app.axes().period), all = step > 0 ? PERIODS : PERIODS.slice().reverse();
		const found = all.find((period) => step > 0 ? period > now : period < now);

		if (found)
			app.setPeriod(found);
	}

	/* ---- all that can be done ---- */

	const actions = {
		search: ['/', 'Search frames', () => app.askSearch(), 'Find'],
		'case': ['', 'Ignore case (Ctrl+I)', () => app.toggleCase(), 'Find'],
		keys: ['k', 'Keys and distribution', () => app.openKeys(!app.keysOpen()), 'Keys'],
		nextBy: ['n', 'Colour by the next of them', () => app.setBy(next(['', ...settings.dimensions.map(([name]) => name).filter(app.canBe)], app.by())), 'Keys'],
		highlight: ['h', 'Marked keys in their hues', () => app.setKeyMode('highlight'), 'Keys'],
		isolate: ['i', 'Only the marked keys', () => app.setKeyMode('isolate'), 'Keys'],
		exclude: ['e', 'All but the marked keys', () => app.setKeyMode('exclude'), 'Keys'],
		rainbow: ['a', 'All keys in hues', () => app.setKeyMode('all'), 'Keys'],
		longer: [']', 'Longer period', () => stepPeriod(1), 'View'],
		shorter: ['[', 'Shorter period', () => stepPeriod(-1), 'View'],
		period: ['o', 'Another period', () => app.askPeriod(), 'View'],
		coloring: ['c', 'Linear, rank, logarithmic colours', nextOf(COLORINGS, coloring, app.setColoring), 'View'],
		ramp: ['r', 'Next scale of colours', nextOf(settings.ramps, ramp, app.setRamp), 'View'],
		weigh: ['w', 'Events, values, time', nextOf(WEIGHTS, weigh, app.setWeigh), 'View', () => WEIGHTS.length > 1],
		idle: ['y', 'Count idle CPUs as well', () => app.setIdle(!app.view.idle), 'View', () => app.idleCounts()],
		zone: ['t', 'Next time zone', nextOf(ZONES, zone, app.setZone), 'View', () => !settings.relative],
		theme: ['d', 'Dark or light', () => app.setTheme(app.isDark() ? 'light' : 'dark'), 'View'],
		view: ['v', 'View menu', () => app.openViewMenu(), 'View'],
		resetAll: ['R', 'As it was drawn', () => app.resetAll(), 'View'],
		copyLink: ['l', 'Copy the link to this view', () => app.copyLink(), 'Keep', () => app.link && app.link() !== null],
		copyDetails: ['D', 'Copy the distribution', () => app.copyDetails(), 'Keep'],
		saveTimed: ['T', 'Save everything in this time as timed lines', () => app.saveTimed(), 'Keep'],
		saveFolded: ['F', 'Save what the flame graph shows as folded lines', () => app.saveFolded(), 'Keep'],
		saveSvg: ['S', 'Save the picture as SVG', () => app.saveSvg(), 'Keep'],
		savePng: ['P', 'Save the picture as PNG', () => app.savePng(), 'Keep'],
		help: ['?', 'This help', () => app.toggleHelp(), 'Keep'],
	};

	Object.assign(app.actions, actions);
	app.resetAll = () => app.step(Object.assign(H.address.emptyView(), { theme: app.view.theme, panel: app.view.panel }));
	const SELECTION = ['keepB', 'exchange', 'zoomTo'];
	const radios = (all, now, set, letter) => all.map(([name, label], i) => ({ label: label, radio: true, checked: now === name,
		key: i ? '' : letter, run: () => set(name) }));

	app.openViewMenu = () => {
		const at = app.viewButton.getBoundingClientRect(), item = app.actionItem, now = app.view.period, theme = app.view.theme || 'auto';
		const has = (id) => app.actions[id] && (!app.actions[id][4] || app.actions[id][4]());

		app.openMenu([{ heading: isOffset ? 'Period' : 'Column' },
			...radios([[null, 'As drawn: ' + P.text(Number(settings.period))], ...PERIODS.map((ns) => [ns, P.text(ns)])], now, app.setPeriod, ''),
			{ label: now !== null && !PERIODS.includes(now) ? 'Other: ' + P.text(now) : 'Other \u2026', radio: true, key: 'O',
				checked: now !== null && !PERIODS.includes(now), run: app.askPeriod },
			{ heading: 'Colours' }, ...radios(COLORINGS.map(([name, label, tip]) => [name, label + ': ' + tip.toLowerCase().replace(/:.*/, '')]),
				coloring(), app.setColoring, 'C'),
			{ heading: 'Scale' }, ...radios(settings.ramps.map(([name, about]) => [name, name + (about ? ': ' + app.ruler.fit(about, 320, 1, 'right') : '')]),
				ramp(), app.setRamp, 'R'),
			...WEIGHTS.length > 1 ? [{ heading: 'Cells count' }, ...radios(WEIGHTS, weigh(), app.setWeigh, 'W')] : [],
			...SELECTION.some(has) ? [{ heading: 'Selection' }, ...SELECTION.filter(has).map((id) => item(id))] : [],
			{ heading: 'Dragging selects' }, ...radios([['time', 'A range of time'], ['rows', isOffset ? 'The same part of each period' : 'Time and values']],
				app.selecting(), (name) => app.setSelecting(name), 'M'), { line: true },
			...has('idle') ? [item('idle', { checked: app.view.idle })] : [], item('keys', { checked: app.keysOpen() }),
			...has('flame') ? [item('flame', { checked: app.flameIsShown(), label: 'Flame graph' })] : [],
			...settings.relative ? [] : [{ heading: 'Times' }, ...radios(ZONES, zone(), app.setZone, 'T')],
			{ heading: 'Theme' }, ...radios([['auto', 'As the system'], ['light', 'Light'], ['dark', 'Dark']], theme, app.setTheme, ''),
			{ heading: 'Keep' }, ...has('copyLink') ? [item('copyLink')] : [], item('copyDetails'), item('saveTimed'), item('saveFolded'),
			item('saveSvg'), item('savePng'), { line: true }, item('resetAll'), item('help')], at.left, at.bottom + 4, 'View');
	};
};
/* heat_toolbar: search, buttons, what columns and colours are; chips for what was chosen.
 *
 * app.linesNow()  -> app.headingLines with the warning of the rows that are shown
 * app.searched() -> null, or { stacks: Uint8Array by stack or null, error, waits } of the search */
pyrograph.heat.toolbar = function (app) {
	'use strict';

	const D = pyrograph.ui.dom, N = pyrograph.number, S = pyrograph.search, H = pyrograph.heat, P = H.period;
	const { data, settings, page, choices: C } = app, TYPING_MS = 150, CHIP_PX = 1000, OTHER = 'other', AS_DRAWN = '';
	const ROWS = [10, 20, 25, 49, 50, 60, 99, 100, 200];
	const SPEEDS = [0.25, 0.5, 1, 2, 4, 8, 16], isOffset = settings.y === 'offset';

	/* ---- search ---- */

	let searched = { key: '', found: null };

	app.searched = () => {
		const what = app.view.search, key = what && what.pattern ? (what.ignoreCase ? 'i' : '=') + what.pattern : '';

		if (!key)
			return null;
		if (searched.key !== key || searched.found.waits) {
			const { match, error, waits } = S.matcher(data.names, what.pattern, what.ignoreCase);

			searched = { key: key, found: { stacks: match ? H.data.match(data, match) : null, error: error, waits: Boolean(waits) } };
		}
		return searched.found;
	};

	/* "1,234 samples, 12.34%" of what is shown, or what is wrong */
	app.matchText = () => {
		const found = app.searched();

		if (!found || found.error || !found.stacks)
			return found && found.error || '';
		const counts = app.countsIn(null), matched = app.split(counts.map((n, stack) => found.stacks[stack] ? n : 0));

		return app.someEvents(matched.events) + ', ' + N.shareText(matched.events, app.split(counts).events) +
			(matched.idle ? ' (' + N.countText(matched.idle) + ' idle)' : '');
	};

	const input = D.html('input', { type: 'text', placeholder: 'Search (regexp)', spellcheck: 'false', autocapitalize: 'off',
		autocomplete: 'off', enterkeyhint: 'search', title: 'Search frames: lights up the cells where they ran ( / )',
		'aria-label': 'Search frames, a regular expression' });
	const count = D.html('span', { 'class': 'count', 'aria-live': 'polite' });
	const clear = D.button('clear', 'Clear search', 'Clear search (Esc)', () => search(''), { icon: 'close' });
	const ignore = D.button('case', 'Ignore case', 'Ignore case (Ctrl+I)', () => app.act('case'), 'aA');
	const box = D.html('div', { 'class': 'search' }, input, count, clear, ignore);
	let typing = 0;

	function search(pattern, ignoreCase = app.view.search ? app.view.search.ignoreCase : false) {
		clearTimeout(typing);
		input.value = pattern;
		app.touch({ search: pattern ? { pattern: pattern, ignoreCase: ignoreCase } : null });
	}

	input.addEventListener('input', () => {
		clearTimeout(typing);
		typing = setTimeout(() => search(input.value), TYPING_MS);
	});
	input.addEventListener('change', () => {
		if (input.value !== (app.view.search ? app.view.search.pattern : ''))
			search(input.value);
	});
	input.addEventListener('keydown', (event) => {
		if (event.key === 'Escape') {
			if (input.value)
				search('');
			else
				input.blur();
		} else if (event.key === 'i' && (event.ctrlKey || event.metaKey)) {
			app.act('case');
		} else {
			return;
		}
		event.preventDefault();
		event.stopPropagation();
	});
	app.askSearch = () => {
		input.focus();
		input.select();
	};
	app.toggleCase = () => {
		if (app.view.search)
			search(app.view.search.pattern, !app.view.search.ignoreCase);
	};
	app.searchBox = input;

	/* ---- buttons ---- */

	const play = D.button('play', 'Play', 'Play: step the selection through time (Space)', () => app.play && app.play.toggle(), { icon: 'play' });
	const zoomOut = D.button('zoom-out', 'Zoom out', 'Show more time (-)', () => app.act('zoomOut'), { icon: 'minus' });
	const zoomIn = D.button('zoom-in', 'Zoom in', 'Show less time, in finer cells (+)', () => app.act('zoomIn'), { icon: 'plus' });
	const all = D.button('reset', 'Show all', 'Show all of the time (0)', () => app.act('zoomAll'), { icon: 'home' });
	const keys = D.button('keys', 'Keys and distribution', 'Colours by command, thread, ...: keys, and what is in the selection (K)', () => app.act('keys'),
		{ icon: 'table' });
	const view = D.button('view', 'View', 'View: periods, colours, theme, saving (V)', () => {
		if (!app.menuJustClosed())
			app.act('view');
	}, { icon: 'view' });

	view.setAttribute('aria-haspopup', 'menu');
	app.viewButton = view;
	page.tools.append(box, play, zoomOut, zoomIn, all, keys, view, D.button('help', 'Keys and help', 'Keys and help (?)', () => app.act('help'), '?'));

	/* ---- controls ---- */

	const option = (value, label) => D.html('option', { value: String(value) }, label);
	const segment = (label, ...buttons) => D.html('span', { 'class': 'segment', role: 'group', 'aria-label': label }, ...buttons);
	const named = (name, part) => D.html('span', { 'class': 'named' }, D.html('span', { 'class': 'quiet' }, name), part);
	const choices = [];

	function choice(label, tip, is, run) {
		const e = D.html('button', { type: 'button', title: tip, onclick: run }, label);

		choices.push([e, is]);
		return e;
	}

	const periods = D.html('select', { 'aria-label': 'Period', title: 'What a column is long ( [ and ] )', onchange: () => {
		if (periods.value === OTHER) {
			period.hidden = false;
			period.focus();
			period.select();
		} else {
			app.setPeriod(periods.value === AS_DRAWN ? null : Number(periods.value));
		}
	} });
	const period = D.html('input', { type: 'text', 'class': 'period', spellcheck: 'false', autocomplete: 'off', 'aria-label': 'Other period',
		title: 'Any period: 250ms, 1.013s, 90min. Arrow keys change it by a thousandth (Shift: a hundredth, Alt: a ten-thousandth), until a diagonal stands upright' });
	const rows = D.html('select', { 'aria-label': 'Rows', onchange: () => app.setRows(rows.value === AS_DRAWN ? null : Number(rows.value)) });

	/* The box: a length of time, or arrows that change it a little. */
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
			const digit = Math.pow(10, Math.floor(Math.log10(now) + 1e-9)), one = digit / (event.shiftKey ? 100 : event.altKey ? 10000 : 1000);

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

	const speed = D.html('select', { 'aria-label': 'Speed of playing', title: 'Speed of playing', onchange: () => app.touch({ speed: Number(speed.value) }) },
		...SPEEDS.map((n) => option(n, n + '\u00d7')));
	const controls = D.html('div', { 'class': 'layers heat-controls' },
		D.html('label', {}, isOffset ? 'Period ' : 'Column ', periods), period, D.html('label', {}, 'Rows ', rows),
		segment('Colours', ...C.colorings.map(([name, label, tip]) => choice(label, tip + ' (C)', () => C.coloring() === name, () => app.setColoring(name)))),
		C.weights.length > 1 ? named('Cells', segment('Cells count', ...C.weights.map(([name, label]) => choice(label.replace(/:.*/, ''),
			'Cells count ' + label.toLowerCase() + ' (W)', () => C.weigh() === name, () => app.setWeigh(name))))) : null,
		named('Drag', segment('Dragging selects', choice('Time', 'Dragging selects a range of time (M)', () => app.selecting() === 'time',
			() => app.setSelecting('time')), choice('Rows', isOffset ? 'Dragging selects the same part of each period (M)'
			: 'Dragging selects a rectangle: time and values (M)', () => app.selecting() === 'rows', () => app.setSelecting('rows')))),
		app.idleCounts() ? choice('Idle', 'Count idle CPUs as well: ' + app.someEvents(settings.idleEvents) + ' (Y)', () => app.view.idle,
			() => app.setIdle(!app.view.idle)) : null, D.html('label', { 'class': 'speed' }, 'Speed ', speed));

	page.heading.after(controls);

	function fillPeriods(now) {
		const isUsual = C.periods.includes(now), drawnPeriod = Number(settings.period), shown = app.view.period === null ? AS_DRAWN : isUsual ? now : OTHER;

		periods.replaceChildren(option(AS_DRAWN, app.view.period === null && now !== drawnPeriod ? 'fitting: ' + P.text(now) : 'as drawn: ' + P.text(drawnPeriod)),
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

		rows.replaceChildren(option(AS_DRAWN, app.view.rows === null ? String(now) : 'as drawn'), ...some.map((n) => option(n, String(n))));
		rows.value = app.view.rows === null ? AS_DRAWN : String(app.view.rows);
	}

	/* ---- what the rows do to the samples ---- */

	const warning = D.html('div', { 'class': 'alarm beats', role: 'status' });

	/* C's is of the rows that it drew: that of these rows takes its place. */
	const isDrawn = (text) => Boolean(settings.warning) && settings.warning.includes(text.trim());

	for (const line of page.heading.querySelectorAll('.notes > .alarm'))
		line.hidden = isDrawn(line.textContent);
	/* C wrote when it was in the zone of the picture. */
	const lines = app.headingLines.slice(1), written = lines.map(({ text }) => text), places = page.heading.querySelectorAll('.notes > div');
	const WHEN = /(^| \u00b7 )(?:\d{4}-\d\d-\d\d )\d\d:\d\d[\d:.]* \u2013 (?:\d{4}-\d\d-\d\d )?\d\d:\d\d[\d:.]* (\S+?)(?=$| \u00b7 )/;

	function tellZone() {
		const isOwn = settings.relative || app.view.zone === null || app.view.zone === 'own';

		lines.forEach((line, i) => {
			const text = isOwn || line.className !== 'note' ? written[i] : written[i].replace(WHEN, (all, before, label) => label !== settings.zone[1] ? all
				: before + app.rangeText(app.whole.from, app.whole.to));

			if (places[i] && text !== line.text)
				places[i].textContent = text;
			line.text = text;
		});
	}
	app.linesNow = () => app.headingLines.filter((line, i) => !i || !isDrawn(line.text)).concat(warning.hidden ? []
		: [{ className: 'alarm', text: warning.firstChild.textContent, size: settings.fontSize }]);
	(page.heading.querySelector('.notes') || page.heading).append(warning);

	function drawWarning(axes) {
		const found = H.beats.warning(settings, axes);

		warning.hidden = !found;
		warning.replaceChildren(...!found ? [] : [found.said, ...found.rows.map((n) =>
			D.html('button', { type: 'button', 'class': 'link', onclick: () => app.setRows(n) }, n + ' rows'))]);
	}

	/* ---- chips ---- */

	const chip = (className, word, text, undo, run) => D.html('span', { 'class': 'chip ' + className }, D.html('span', { 'class': 'word' }, word),
		D.html('span', { 'class': 'chip-text', title: text }, app.ruler.fit(text, CHIP_PX, 1, 'right')),
		D.button('remove', undo, undo, run, { icon: 'close' }));

	function drawChips() {
		const v = app.view, hues = app.hues && app.hues(), chips = [];

		if (hues && (hues.isolate || hues.exclude))
			chips.push(chip('of-keys', hues.isolate ? 'Only' : 'Without', hues.keys.map((key) => app.keyName(hues.dimension.keys[key])).join(', '),
				'Show all again', () => app.setKeyMode('highlight')));
		if (v.selection)
			chips.push(chip('of-selection', 'A', app.selectionText(v.selection), 'Select nothing (Esc)', () => app.select(null)));
		if (v.baseline)
			chips.push(chip('of-baseline', 'B', app.selectionText(v.baseline), 'No comparison', () => app.step({ baseline: null })));
		if (v.frame)
			chips.push(chip('of-frame', 'Frame', app.keyName(v.frame[v.frame.length - 1] || 'all'), 'No frame', () => app.touch({ frame: null })));
		page.chips.hidden = !chips.length;
		page.chips.replaceChildren(...chips);
	}

	app.onchangeLater(() => {
		count.textContent = count.title = app.matchText();
	});
	app.onchange(() => {
		const found = app.searched(), { axes } = app.grids(), playing = Boolean(app.view.play);

		if (document.activeElement !== input)
			input.value = app.view.search ? app.view.search.pattern : '';
		box.classList.toggle('invalid', Boolean(found && found.error));
		clear.hidden = ignore.hidden = !found;
		ignore.setAttribute('aria-pressed', String(Boolean(app.view.search && app.view.search.ignoreCase)));
		play.replaceChildren(D.icon(playing ? 'pause' : 'play'));
		play.setAttribute('aria-pressed', String(playing));
		play.setAttribute('aria-label', playing ? 'Pause' : 'Play');
		play.disabled = !app.view.selection;
		zoomOut.disabled = all.disabled = app.view.from === null && app.view.to === null;
		keys.setAttribute('aria-pressed', String(Boolean(app.keysOpen && app.keysOpen())));
		for (const [e, is] of choices)
			e.setAttribute('aria-pressed', String(is()));
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
		controls.classList.add('asked-for'); /* also where there is no room for it */
		period.hidden = false;
		period.focus();
		period.select();
	};
};
/* heat_legend: what colours mean: counts for each step of the scale, hues of keys, what was not
 * seen, percentile lines.  app.legend: [[colour, text], ...] for a saved picture; the colour
 * "hatch" is that of cells that were not seen. */
pyrograph.heat.legend = function (app) {
	'use strict';

	const D = pyrograph.ui.dom, N = pyrograph.number, H = pyrograph.heat, { settings, page } = app;
	const STEPS = 8, KEYS_TOLD = 12, unit = pyrograph.heat.data.unit(settings);
	const hex = (rgb) => '#' + rgb.toString(16).padStart(6, '0');
	let made = { grids: null };

	/* ---- steps of the scale ---- */

	/* The least whole number of 1 .. most that reaches share; most + 1: none. */
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

	/* [[first, last], ...] of the values 1 .. largest, each of about the same colour. */
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

	/* How many cells have a value of each range. */
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

	const amount = (axes, value) => axes.y === 'utilization' ? N.countText(value) : axes.weigh === 'painted' ? N.durationText(value) :
		axes.weigh === 'values' ? N.bareText(unit, value) : N.countText(value);

	/* "3", "4-9"; of lengths of time and the like only the upper end: they need room */
	const rangeText = (axes, [from, to]) => axes.y !== 'utilization' && axes.weigh !== 'events' ? '\u2264 ' + amount(axes, to) :
		from === to ? amount(axes, from) : amount(axes, from) + '\u2013' + amount(axes, to);

	/* What a cell says: "samples in a cell of 1 s \u00d7 20 ms" */
	function cellText(axes) {
		const column = H.period.text(Number(axes.period) * axes.perColumn), what = axes.y === 'utilization' ? 'CPUs' :
			axes.weigh === 'painted' ? 'time' : axes.weigh !== 'values' ? settings.event : unit.unit === 'ns' ? 'sums of times' : unit.unit || 'sums of values';

		return what + ' in a cell' + (axes.y !== 'offset' ? ' of ' + column : ' of ' + column +
			' \u00d7 ' + N.durationText(Number(axes.period) / axes.rows));
	}

	/* "1.7 s of CPU time, 2.83%", or "" */
	app.unseenText = (sight) => sight.seen >= sight.wanted ? '' : N.durationText(sight.wanted - sight.seen) +
		(sight.cpus > 1 ? ' of CPU time, ' : ', ') + N.shareText(sight.wanted - sight.seen, sight.wanted);

	/* ---- entries: [colour, text, tip] ---- */

	function ofScale({ axes, maps, scale }) {
		const largest = maps.reduce((most, { grid }) => Math.max(most, grid.largest), 0), all = ranges(scale, Math.round(largest));
		const counts = cellsOf(maps, all), colour = (value) => hex(H.scale.rgb(app.ramp(), app.isDark(), scale, value));

		const cellsText = (n) => N.countText(n) + (n === 1 ? ' cell' : ' cells');
		const empty = maps.reduce((sum, { grid }) => sum + grid.cells.reduce((some, n) => some + (n ? 0 : 1), 0), 0);

		return [[colour(0), '0', cellsText(empty)], ...all.map((range, i) => [colour(range[1]), rangeText(axes, range), cellsText(counts[i])])];
	}

	function ofKeys(hues, { axes, maps }) {
		const sum = (gridOf) => maps.reduce((all, map) => all + gridOf(map).total, 0), more = hues.keys.length - KEYS_TOLD;
		const items = hues.keys.slice(0, KEYS_TOLD).map((key, i) => [app.keyColour(i), app.keyName(hues.dimension.keys[key]),
			app.amountText(sum((map) => map.ofKey[i]), axes)]);

		if (more > 0)
			items.push([null, 'and ' + more + ' more']);
		if (maps[0].rest && sum((map) => map.rest))
			items.push([app.restColour(), 'all others', app.amountText(sum((map) => map.rest), axes)]);
		return items;
	}

	/* The search or a frame lights up cells: how many events it has. */
	function ofLit({ axes, maps }) {
		const lit = maps.reduce((sum, map) => sum + (map.lit ? map.lit.total : 0), 0), all = maps.reduce((sum, map) => sum + map.grid.total, 0);

		return [[app.isDark() ? '#5cc8ff' : '#0050c8', 'found: ' + amount(axes, lit), N.shareText(lit, all)], [app.isDark() ? '#4a4e54' : '#b8bcc2', 'others']];
	}

	function itemsOf(grids) {
		const hues = app.hues(), isHued = hues && hues.keys.length && !hues.exclude, unseen = app.unseenText(app.seen(app.spans(null))), items = [];

		if (grids.maps[0].lit)
			items.push(...ofLit(grids));
		else if (isHued)
			items.push(...ofKeys(hues, grids));
		else
			items.push(...ofScale(grids));
		if (unseen)
			items.push(['hatch', 'not seen', unseen, 'note']);
		else if (grids.maps.some((map) => map.unseen.some((n) => n))) /* parts of the first and the last column */
			items.push(['hatch', 'not seen', 'before the start, after the end', 'note']);
		for (const { percent } of grids.maps[0].lines || [])
			items.push(['line line-' + H.ticks.dash(percent), 'p' + percent, percent + '% of a column are not above this line', 'note']);
		return items;
	}

	function element([colour, text, tip, kind], i, joined) {
		const isPlain = colour && colour[0] === '#', dot = colour && D.html('span', { 'class': isPlain ? 'dot' : 'dot ' + colour });

		if (isPlain)
			dot.style.background = colour;
		return D.html('span', { 'class': joined && kind !== 'note' ? 'legend-item step' : 'legend-item', title: tip || null }, dot,
			D.html('span', { 'class': 'legend-text' }, text), kind === 'note' && colour === 'hatch' ? D.html('span', { 'class': 'share' }, tip) : null);
	}

	app.onchange(() => {
		const grids = app.grids(), key = JSON.stringify([app.view.by, app.view.keys, app.view.mode, app.view.ramp, app.isDark(), app.view.idle]);

		if (made.grids === grids && made.key === key)
			return;
		const items = itemsOf(grids), hues = app.hues(), isHued = Boolean(grids.maps[0].lit || hues && hues.keys.length && !hues.exclude);
		const largest = grids.maps.reduce((most, { grid }) => Math.max(most, grid.largest), 0), said = cellText(grids.axes);

		made = { grids: grids, key: key };
		app.legend = items.map(([colour, text, tip]) => [colour, colour === 'hatch' ? text + ' ' + tip : text]);
		app.legendTitle = isHued ? 'at most ' + amount(grids.axes, largest) + ' ' + said : said;
		page.legend.hidden = false;
		page.legend.setAttribute('role', 'group');
		page.legend.setAttribute('aria-label', 'Legend');
		page.legend.replaceChildren(...items.map((item, i) => element(item, i, !isHued)),
			D.html('span', { 'class': 'quiet' }, largest ? app.legendTitle : 'no ' + settings.event + ' here'));
	});
};
/* heat_details: what is in the selection: its time, how many events, how much was not seen, which
 * keys and which stacks; without a selection, of what is shown.
 *
 * app.spans(selection)      -> [[from, to], ...] in ns, to excluded
 * app.seen(spans)           -> { length, wanted, seen: ns, the latter of all CPUs; cpus; expected: samples, or null } */
pyrograph.heat.details = function (app) {
	'use strict';

	const D = pyrograph.ui.dom, N = pyrograph.number, H = pyrograph.heat, { data, settings, page } = app;
	const FEW = 10, CHUNK = 50, COPIED_KEYS = 50, COPIED_STACKS = 10, SHOWN_FRAMES = 2;
	const unit = pyrograph.heat.data.unit(settings);

	/* ---- what was seen of it ---- */

	app.spans = (selection) => {
		const shown = app.shown();

		if (!selection || settings.y !== 'offset' && selection.kind !== 'time')
			return [selection ? [selection.from, selection.to] : [shown.from, shown.to]];
		return H.select.ranges(settings, app.axes(), selection).map(([a, b]) => [H.data.nsOf(settings, a), H.data.nsOf(settings, b)]);
	};

	/* Of one command nobody knows how many samples there should be. */
	function isOfAll({ source }) {
		const { command = '', filter = '' } = source || {}, own = command.split(' -- ')[0];

		return !filter && (!command || /(^|\s)(-g?a[a-z]*|--all-cpus|-C\S*|--cpu\S*)(\s|$)/.test(own));
	}

	const lengthOf = (spans) => spans.reduce((sum, [from, to]) => sum + to - from, 0);

	app.seen = (spans) => {
		const { recording, cpu } = app.view.selection && app.mapPart(app.mapOf(app.view.selection)) || { recording: -1, cpu: -1 }, rates = new Set(settings.recordings.map((r) => r.rate));
		const dark = app.kept('dark', [recording, cpu], () => H.seen.dark(settings, recording, data, cpu)), length = lengthOf(spans);
		const unseen = dark.reduce((sum, list) => sum + H.seen.common(list, spans), 0), seen = length * dark.length - unseen;

		return { length: length, wanted: length * dark.length, seen: seen, cpus: dark.length,
			expected: rates.size === 1 && settings.rate > 0 && settings.recordings.every((r) => r.cpus.length && isOfAll(r)) ? seen / 1e9 * settings.rate : null };
	};

	/* Whole minutes and hours as such. */
	const lengthText = (ns) => ns >= 60e9 && ns % 60e9 === 0 ? H.period.text(ns) : N.durationText(ns);

	const hasValues = app.someValue(0) !== null, sumHead = hasValues ? '\tsum' : '';

	/* ---- the figures: [[label, text], ...] ---- */

	/* Times and bytes may be parts of one; who was there counts as at least one. */
	const whole = (n) => n > 0 ? Math.max(1, Math.round(n)) : 0;

	/* [[percent, value], ...] of the values of the events, as the lines of columns are made. */
	function percentilesOf(selection) {
		const percents = settings.percentiles || [], only = app.isSelected(selection), found = new Float64Array(percents.length ? data.count : 0);
		const shown = app.shown();
		let count = 0;

		for (const [from, to] of percents.length ? app.eventRanges(selection || { kind: 'time', from: shown.from, to: shown.to }) : []) {
			for (let i = from; i < to; i++) {
				if ((app.view.idle || !data.isIdle[data.stack[i]]) && (!selection || !only || only(i)))
					found[count++] = data.value ? data.value[i] : settings.same;
			}
		}
		const values = found.subarray(0, count).sort();

		return !count ? [] : percents.map((percent) => [percent, values[Math.max(0, Math.min(Math.ceil(percent * count / 100 - 1e-9), count) - 1)]]);
	}

	function figures(selection) {
		const counts = app.countsIn(selection), { events, idle } = app.split(counts), all = app.split(data.eventsOf).events;
		const shown = app.shown(), { from, to } = selection || shown, spans = app.spans(selection), sight = app.seen(spans);
		const band = selection ? app.bandText(selection) : '', out = [['time', app.rangeText(from, to)]];
		const value = app.valuesIn(selection).reduce((sum, v, s) => sum + (app.view.idle || !data.isIdle[s] ? v : 0), 0), text = app.someValue(value);
		const allValues = data.valueOf.reduce((sum, v, s) => sum + (app.view.idle || !data.isIdle[s] ? v : 0), 0);

		/* an idle CPU need not be sampled: of those that should be there */
		const busy = counts.reduce((sum, n, s) => sum + (data.isIdle[s] ? 0 : n), 0);

		if (band)
			out.push([settings.y === 'offset' ? 'offset' : 'values', band]);
		out.push(['length', lengthText(sight.length) + (spans.length > 1 ? ' in ' + N.countText(spans.length) + ' parts' : '')],
			[settings.event, N.countText(whole(events)) + (events === all ? '' : ', ' + N.shareText(events, all) + ' of all')]);
		if (text)
			out.push(['sum', text + (value === allValues ? '' : ', ' + N.shareText(value, allValues) + ' of all')]);
		for (const [percent, at] of settings.y === 'value' ? percentilesOf(selection) : [])
			out.push(['p' + percent, N.valueText(unit, at)]);
		if (idle || settings.idleEvents)
			out.push(['idle', app.someEvents(idle) + (busy >= 0 && sight.expected > 0 ?
				'; busy ' + N.shareText(Math.min(busy, sight.expected), sight.expected) : '')]);
		if (sight.expected !== null)
			out.push(['expected', app.someEvents(Math.round(sight.expected)) + (sight.cpus ? ' at ' + settings.rate + ' Hz on ' + sight.cpus +
				(sight.cpus === 1 ? ' CPU' : ' CPUs') : '')]);
		if (sight.seen < sight.wanted)
			out.push(['not seen', app.unseenText(sight)]);
		return out;
	}

	/* Keys of the dimension that cells are coloured by, or of threads: [[text, count], ...] by falling counts. */
	const usual = ['thread', 'comm', 'command'].find((name) => settings.dimensions.some(([one]) => one === name)) ||
		(settings.dimensions[0] || [''])[0];
	let by = null;                  /* the reader's choice */

	/* A dimension that has keys; '': there is none. */
	function nameNow() {
		return [by, app.by(), usual].find((name) => name && app.keysBy(name) && app.keysBy(name).keys.length) || '';
	}

	function keysOf(name, selection) {
		const dimension = app.dimension(name), counts = app.keyCounts(dimension, app.countsIn(selection));
		const values = app.keyCounts(dimension, app.valuesIn(selection)), last = dimension.keys.length;

		return Array.from(dimension.keys, (text, i) => [text, counts[i], values[i]]).concat([[null, counts[last], values[last]]])
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

	const title = D.html('h2', {}), copy = D.html('button', { type: 'button', 'class': 'link', onclick: () => app.copyDetails() }, 'Copy');
	const list = D.html('dl', { 'class': 'figures' }), tables = D.html('div', { 'class': 'distributions' });
	const section = D.html('section', { 'class': 'distribution', 'aria-label': 'Distribution' }, D.html('div', { 'class': 'aside-top' }, title, copy), list, tables);
	const opened = new Set();       /* tables of which the reader wanted more */

	page.aside.append(section);

	function table(label, head, items, rowOf) {
		const limit = opened.has(label) ? CHUNK : FEW, body = D.html('tbody', {}, ...items.slice(0, limit).map(rowOf));
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
		return D.html('div', { 'class': 'distribution-table' }, D.html('table', { 'aria-label': label }, D.html('thead', {}, D.html('tr', {},
			D.html('th', { scope: 'col' }, head), D.html('th', { scope: 'col' }, settings.event), D.html('th', { scope: 'col' }, 'Share'), hasValues ? D.html('th', { scope: 'col' }, 'Sum') : null)), body), more);
	}

	const row = (cell, [, n, value], all) => D.html('tr', {}, D.html('th', { scope: 'row' }, cell), D.html('td', {}, N.countText(whole(n))),
		D.html('td', {}, N.shareText(n, all)), hasValues ? D.html('td', {}, app.someValue(value)) : null);
	const namedRow = (text, tip, item, all, run, pressed) => row(run ? D.html('button', { type: 'button', 'class': 'link', title: tip,
		'aria-pressed': String(pressed), onclick: run }, text) : D.html('span', { 'class': 'quiet' }, text), item, all);

	/* "\u2026;parent;leaf" of "a;b;parent;leaf" */
	function endOf(text) {
		const frames = text.split(';');

		return (frames.length > SHOWN_FRAMES ? '\u2026;' : '') + frames.slice(-SHOWN_FRAMES).join(';');
	}

	function chooser(now) {
		const select = D.html('select', { 'aria-label': 'Distribution by', onchange: () => {
			by = select.value;
			draw();
			section.querySelector('select').focus();
		} }, ...settings.dimensions.map(([name]) => D.html('option', { value: name }, 'by ' + app.dimensionWord(name))));

		select.value = now;
		return select;
	}

	function keyTable(selection, events) {
		const name = nameNow();

		if (!name)
			return [];
		const isColoured = name === app.by();

		return [D.html('h3', {}, chooser(name)), table('By ' + app.dimensionWord(name), app.dimensionWord(name), keysOf(name, selection), (item) => item[0] === null
			? namedRow('none of them', '', item, events, null) : namedRow(app.keyName(item[0]) || '(empty)', app.keyName(item[0]), item, events, () => {
				if (isColoured)
					app.markKey(item[0]);
				else
					app.setBy(name, [item[0]]);
			}, isColoured && app.marked().includes(item[0])))];
	}

	function stackTable(selection, events) {
		const stacks = stacksOf(selection);

		return !stacks.length ? [] : [D.html('h3', {}, 'Most frequent stacks'), table('Stacks', 'Stack', stacks, (item) => {
			const text = H.data.stackText(data, item[0]), path = text.split(';'), isPicked = Boolean(app.view.frame) && app.view.frame.join(';') === text;

			return namedRow(app.ruler.fit(endOf(app.keyName(text.length > 400 ? text.slice(-400) : text)), hasValues ? 104 : 166, 1, 'left'),
				'Light up where it ran: ' + app.keyName(text), item, events, () => app.touch({ frame: isPicked ? null : path }), isPicked);
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
		list.replaceChildren(...[].concat(...figures(selection).map(([label, text]) => [D.html('dt', {}, label), D.html('dd', {}, text)])));
		tables.replaceChildren(...keyTable(selection, events), ...selection ? stackTable(selection, events) : []);
	}

	/* The first of them, and how many more there are. */
	const few = (items, most, text) => items.slice(0, most).map(text)
		.concat(items.length > most ? ['... and ' + N.countText(items.length - most) + ' more'] : []);

	/* What is in the panel, as text with tabs; all stacks are saved as folded lines. */
	app.detailsText = () => {
		const { selection } = app.view, { events } = app.split(app.countsIn(selection)), name = nameNow();
		const line = (text, n, value) => text + '\t' + whole(n) + '\t' + N.shareText(n, events) + (hasValues ? '\t' + app.someValue(value) : ''), clean = (text) => text.replace(/[\t\n\r]/g, ' ');

		return [app.titleText, ...figures(selection).map(([label, text]) => label + '\t' + text), ...name ? ['', app.dimensionWord(name) + '\t' + settings.event + '\tshare' + sumHead,
			...few(keysOf(name, selection), COPIED_KEYS, ([text, n, value]) => line(clean(text === null ? '(none)' : text), n, value))] : [],
		...selection ? ['', 'stack\t' + settings.event + '\tshare' + sumHead, ...few(stacksOf(selection), COPIED_STACKS, ([stack, n, value]) =>
			line(clean(H.data.stackText(data, stack)), n, value))] : []].join('\n') + '\n';
	};
	app.copyDetails = () => app.copy(app.detailsText(), 'distribution');

	app.onchangeLater(draw);
};
/* heat_lines: the selection (or all that is shown) as timed or plain folded lines.
 *
 * app.timedParts(selection)    -> [text, ...]: headers, gaps, lines; null: too many of them
 *                                 everything in that time, idle CPUs too
 * app.foldedText(selection)    -> as "collapse --from --to" writes them: what its flame graph shows, so
 *                                 only the keys that are, and idle ones where they count */
pyrograph.heat.lines = function (app) {
	'use strict';

	const D = pyrograph.ui.dom, N = pyrograph.number, H = pyrograph.heat, { data, settings } = app;
	const LINES_MAX = 5000000, PART_BYTES = 1 << 20, NS = 1000000000;
	/* collapse/folded.h; unit is the last */
	const KEYS = ['host', 'event', 'start', 'end', 'clock', 'from', 'to', 'cpus', 'clock-error', 'rate', 'kernel', 'command', 'root', 'filter',
		'lost', 'losses', 'unresolved', 'spans', 'topology', 'open', 'unit'];
	const OF_ALL = ['lost', 'losses', 'unresolved', 'open']; /* say nothing of a part */

	/* ---- moments ---- */

	const originSeconds = Number(BigInt(settings.origin) / BigInt(NS)), originRest = Number(BigInt(settings.origin) % BigInt(NS));

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

	/* Bare where nothing in it could be taken for something else, else a JSON string. */
	const quoted = (text) => /^[\w.,:+/%@~-]+$/.test(text) ? text : JSON.stringify(text).replace(/[\u007f-\u009f]/g, '');

	function headerOf(recording, part) {
		const source = recording.source || {}, pairs = Object.assign({}, source, part || {});

		for (const key of part ? OF_ALL : [])
			delete pairs[key];
		if (!pairs.unit)
			pairs.unit = settings.unit;
		return '# pyrograph: ' + KEYS.filter((key) => typeof pairs[key] === 'string' && pairs[key] !== '')
			.map((key) => key + '=' + quoted(pairs[key])).join(' ') + '\n';
	}

	/* What a part's header says of its time. */
	function partOf(recording, spans, first, last) {
		const part = { start: '', end: '', from: isoText(Math.max(recording.from, spans[0][0])), to: isoText(Math.min(recording.to, spans[spans.length - 1][1])) };
		if (first !== null)
			Object.assign(part, { start: isoText(first), end: isoText(last) });
		return settings.relative ? {} : part;
	}

	const gapText = (from, to, more) => '# gap: start=' + momentText(from) + ' end=' + momentText(to) + more + '\n';

	/* What was not seen, and what lies between the parts of a selection. */
	function gapsOf(number, spans) {
		const from = spans[0][0], to = spans[spans.length - 1][1], out = [];

		for (const [a, b, recording, cpu, lost, why] of settings.gaps || []) {
			if (recording === number && b > from && a < to)
				out.push([Math.max(a, from), gapText(Math.max(a, from), Math.min(b, to), (cpu >= 0 ? ' cpu=' + cpu : '') +
					(lost > 0 && a >= from && b <= to ? ' lost=' + lost : '') + ' why=' + quoted(why || 'lost'))]);
		}
		for (let i = 1; i < spans.length; i++)
			out.push([spans[i - 1][1], gapText(spans[i - 1][1], spans[i][0], ' why=not-selected')]);
		return out.sort((a, b) => a[0] - b[0]).map(([, text]) => text).join('');
	}

	/* ---- lines ---- */

	const decimals = settings.decimals || 0, one = Math.pow(10, decimals);

	/* In hundredths (decimals 2) 1250 is "12.5". */
	function valueText(value) {
		if (!decimals)
			return String(value);
		const rest = String(value % one).padStart(decimals, '0').replace(/0+$/, '');

		return Math.floor(value / one) + (rest ? '.' + rest : '');
	}

	/* Selected events of a recording, one after the other: run(event). */
	function each(selection, number, run) {
		const { recordingOf } = data, only = app.isSelected(selection);

		for (const [from, to] of app.eventRanges(selection)) {
			for (let i = from; i < to; i++) {
				if (recordingOf[data.stack[i]] === number && (!only || only(i)))
					run(i);
			}
		}
	}

	/* When the first and the last of them are, in ns; null, null: there are none. */
	function ends(selection, number) {
		let first = -1, last = -1;

		each(selection, number, (i) => {
			first = first < 0 ? i : first;
			last = i;
		});
		return first < 0 ? [null, null] : [first, last].map((i) => H.data.nsOf(settings, data.tick[i]));
	}

	/* Is a recording of the map that is selected in? */
	function isPart(selection, number) {
		const part = selection && app.mapPart(app.mapOf(selection));

		return !part || part.recording < 0 || settings.recordings[part.recording].host === settings.recordings[number].host;
	}

	app.timedParts = (selection) => {
		const parts = [], spans = app.spans(selection), texts = [];
		const counts = app.countsIn(selection), count = counts.reduce((sum, n) => sum + n, 0);

		if (count > LINES_MAX)
			return null;
		settings.recordings.forEach((recording, number) => {
			const [first, last] = ends(selection, number);
			let text = '';

			if (first !== null || isPart(selection, number) && recording.from < spans[spans.length - 1][1] && recording.to > spans[0][0])
				text = headerOf(recording, selection ? partOf(recording, spans, first, last) : null) + gapsOf(number, spans);
			each(selection, number, (i) => {
				const stack = data.stack[i], ns = H.data.nsOf(settings, data.tick[i]);

				if (texts[stack] === undefined)
					texts[stack] = H.data.stackText(data, stack);
				text += '@' + momentText(ns) + ' ' + texts[stack] + ' ' + valueText(data.value ? data.value[i] : settings.same) + '\n';
				if (text.length > PART_BYTES) {
					parts.push(text);
					text = '';
				}
			});
			parts.push(text);
		});
		return parts;
	};

	/* Frame by frame in order of their bytes, as collapse sorts. */
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
		const headers = settings.recordings.map((r, number) => !isPart(selection, number) || r.from >= spans[spans.length - 1][1] ||
			r.to <= spans[0][0] ? '' : headerOf(r, selection ? partOf(r, spans, ...ends(selection, number)) : null));

		return headers.join('') + Array.from(sums).sort(byFrames).map(([text, value]) => text + ' ' + valueText(value) + '\n').join('');
	};

	/* What is to be saved: the selection, or the part that is shown, or all. */
	function wanted() {
		const shown = app.shown();

		return app.view.selection || (app.view.from === null && app.view.to === null ? null : { kind: 'time', from: shown.from, to: shown.to });
	}

	function saveText(parts, extension) {
		D.save(app.fileName(extension), new Blob(parts, { type: 'text/plain;charset=utf-8' }));
		app.toast('Saved: ' + app.fileName(extension));
	}

	app.saveTimed = () => {
		const parts = app.timedParts(wanted());

		if (parts)
			saveText(parts, '.timed.folded');
		else
			app.toast('More than ' + N.countText(LINES_MAX) + ' lines: select less, or "pyrograph render folded FILE.svg"');
	};
	app.saveFolded = () => saveText([app.foldedText(wanted())], '.folded');
};
/* heat_export: the picture as it is seen, without script: cells as one image a map, axes, legend, the
 * flame graph. */
pyrograph.heat.export = function (app) {
	'use strict';

	const D = pyrograph.ui.dom, { settings } = app;
	const EDGE = 8, PAD = 10, LINE = 1.35, SWATCH = 12, TITLE = 20;
	const STYLES = ['fill', 'stroke', 'stroke-width', 'stroke-dasharray', 'opacity', 'font-weight', 'paint-order'];

	/* The heading, and what was done to the view. */
	function headingLines() {
		const said = [app.view.search && app.matchText() ? 'Matched: ' + app.view.search.pattern + ', ' + app.matchText() : '',
			...Array.from(app.page.chips.children, (chip) => Array.from(chip.children, (part) => part.title && part.localName !== 'button' ?
				part.title : part.textContent.trim()).filter(Boolean).join(' '))];

		return app.linesNow().map((line, i) => ({ text: line.text, size: line.size, bold: !i }))
			.concat(said.filter(Boolean).map((text) => ({ text: text, size: settings.fontSize })));
	}

	/* A copy of an element of the page, whose looks are its own. */
	function plain(from) {
		const copy = from.cloneNode(false), style = getComputedStyle(from);

		for (const name of ['class', 'role', 'id', 'style', 'aria-hidden'])
			copy.removeAttribute(name);
		for (const name of from.localName === 'g' || from.localName === 'svg' ? [] : STYLES) {
			const value = style.getPropertyValue(name), isUsual = /^(normal|none|1|400)$/.test(value) && name !== 'fill' && name !== 'stroke-width';

			if (value && !isUsual)
				copy.setAttribute(name, value);
		}
		copy.append(...Array.from(from.childNodes, (child) => child.nodeType === Node.TEXT_NODE ? child.cloneNode() : plain(child)));
		return copy;
	}

	/* Cells as one image, axes and outlines above it.  Returns its height. */
	function drawPlot(out, plot, y, ink) {
		let top = y;

		if (plot.map.title) {
			D.svg('text', { x: PAD, y: top + 14, fill: ink, 'font-weight': 'bold' }, out).textContent = [plot.map.title, plot.map.flag]
				.filter(Boolean).join(' ');
			top += TITLE;
		}
		const g = D.svg('g', { transform: 'translate(0,' + top + ')' }, out);

		D.svg('image', { x: plot.left, y: plot.top, width: plot.width, height: plot.height, preserveAspectRatio: 'none',
			'image-rendering': 'pixelated', href: app.canvasOf(plot.map, plot.columnPx, plot.rowPx, app.isDark()).toDataURL() }, g);
		for (const part of [plot.axis, plot.lines, plot.marks])
			g.append(...Array.from(part.children).filter((e) => e.getAttribute('class') !== 'cursor').map(plain));
		return top - y + Number(plot.svg.getAttribute('height'));
	}

	function drawSwatch(out, x, y, colour, ink) {
		const isPlain = colour[0] === '#';

		if (colour.startsWith('line')) {
			D.svg('path', { d: 'M' + x + ' ' + (y + 6) + 'h' + SWATCH, stroke: ink, 'stroke-width': 2,
				'stroke-dasharray': colour.endsWith('dotted') ? '2 2' : colour.endsWith('dashed') ? '5 2' : null }, out);
			return;
		}
		D.svg('rect', { x: x, y: y, width: SWATCH, height: SWATCH, fill: isPlain ? colour : 'none', stroke: ink, 'stroke-opacity': 0.3 }, out);
		if (!isPlain)
			D.svg('path', { d: 'M' + x + ' ' + (y + 6) + 'l6 -6M' + x + ' ' + (y + 12) + 'l12 -12m-6 12l6 -6', stroke: ink, 'stroke-opacity': 0.6 }, out);
	}

	function drawLegend(out, y, width, ink) {
		let x = PAD;

		for (const [colour, text] of app.legend.concat([[null, app.legendTitle]])) {
			const words = app.ruler.fit(text, 300, 1, 'middle'), wide = (colour ? SWATCH + 6 : 0) + app.ruler.width(words) + 14;

			if (x > PAD && x + wide > width) {
				x = PAD;
				y += 18;
			}
			if (colour)
				drawSwatch(out, x, y, colour, ink);
			D.svg('text', { x: x + (colour ? SWATCH + 6 : 0), y: y + 10, fill: ink }, out).textContent = words;
			x += wide;
		}
		return y + 18 + EDGE;
	}

	/* The flame graph as it saves itself.  Returns where it ends. */
	function drawFlame(out, y, width) {
		const text = app.flame && app.flame.svg && !app.page.flame.hidden && app.view.selection ? app.flame.svg() : null;
		const flame = text ? new DOMParser().parseFromString(text, 'image/svg+xml').documentElement : null;

		if (!flame || flame.localName !== 'svg')
			return y;
		const [w, h] = ['width', 'height'].map((name) => Number(flame.getAttribute(name)) || 0), scale = Math.min(1, width / (w || 1));

		flame.setAttribute('y', y);
		flame.setAttribute('width', w * scale);
		flame.setAttribute('height', h * scale);
		out.appendChild(document.importNode(flame, true));
		return y + h * scale;
	}

	function picture() {
		const style = getComputedStyle(app.page.element), back = app.isDark() ? '#17191d' : '#ffffff', ink = style.color;
		const width = Math.max(400, ...app.plots.map((plot) => Math.ceil(Number(plot.svg.getAttribute('width')))));
		const out = D.svg('svg', { 'font-family': app.family, 'font-size': settings.fontSize }), rect = D.svg('rect', { fill: back }, out);
		let y = EDGE;

		for (const line of headingLines()) {
			y += line.size * LINE;
			D.svg('text', { x: PAD, y: y, 'font-size': line.size, fill: ink, 'font-weight': line.bold ? 'bold' : null }, out).textContent =
				app.ruler.fit(line.text, (width - 2 * PAD) * settings.fontSize / line.size, 1, 'right');
		}
		y = drawLegend(out, y + EDGE, width, ink);
		for (const plot of app.plots)
			y += drawPlot(out, plot, y, ink);
		y = Math.ceil(drawFlame(out, y + EDGE, width) + EDGE);
		for (const e of [out, rect]) {
			e.setAttribute('width', width);
			e.setAttribute('height', y);
		}
		out.setAttribute('viewBox', '0 0 ' + width + ' ' + y);
		return out;
	}

	app.pictureText = () => '<?xml version="1.0" encoding="UTF-8"?>\n' + new XMLSerializer().serializeToString(picture()) + '\n';
};
/* heat_links: the address says what is shown, and the steps to undo. */
pyrograph.heat.links = function (app) {
	'use strict';

	const A = pyrograph.heat.address;
	const STAY = ['theme', 'zone', 'speed', 'selecting', 'flameShown', 'panel']; /* in a step back */

	function adopt(text, isStep) {
		const before = app.view, { activeElement } = document;

		app.view = A.decode(text);
		app.settle();
		if (isStep) {
			for (const key of STAY)
				app.view[key] = before[key];
		} else if (!/(^|[&?#])t=/.test(text)) {
			app.view.theme = before.theme;
		}
		if (activeElement && activeElement.localName === 'input' && app.page.tools.contains(activeElement))
			activeElement.blur(); /* what is typed there is older */
		if (app.flame && app.flame.setView)
			app.flame.setView(app.view.flame);
		app.refresh();
	}

	pyrograph.ui.history(app, { encode: () => A.encode(app.view), show: (text) => adopt(text, false),
		stepTo: (text) => adopt(text, true) });
};
/* heat: starts what a heat map does in a browser.
 *
 * The picture that C drew is on the screen first; then the events in the file are decoded,
 * and what can be seen of them is counted and drawn from there. */
(function () {
	'use strict';

	const script = document.currentScript, heat = pyrograph.heat, ui = pyrograph.ui;
	const svg = script && script.ownerSVGElement || document.documentElement;
	const joined = (name) => Array.from(svg.querySelectorAll('.' + name), (e) => e.textContent).join('');
	const json = (selector) => {
		const e = svg.querySelector(selector);

		return e ? JSON.parse(e.textContent) : {};
	};
	const PARTS = [[heat, 'app'], [heat, 'page'], [ui, 'slow'], [ui, 'tip'], [ui, 'menu'], [ui, 'commands'], [heat, 'cells'],
		[heat, 'view'], [heat, 'marks'], [heat, 'hover'], [heat, 'stage'], [heat, 'keys'], [heat, 'aside'], [heat, 'actions'], [heat, 'toolbar'],
		[heat, 'legend'], [heat, 'details'], [ui, 'help'], [ui, 'save'], [heat, 'lines'], [heat, 'export'], [heat, 'flame'], [heat, 'links']];

	/* Phones take a document without it for one made for wide screens. */
	function asWideAsTheScreen() {
		if (svg === document.documentElement)
			svg.prepend(ui.dom.html('meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }));
	}

	function start() {
		const app = { svg: svg, settings: json('#heat'), source: json('#pyrograph') };

		app.settings.fontSize = app.settings.fontSize || 12;
		app.settings.fileName = 'heat-map';
		app.settings.chartName = 'Heat map';
		app.data = heat.data.decode(app.settings, { names: joined('flame-names'), colours: joined('flame-colours'),
			tree: joined('flame-tree'), stacks: joined('heat-stacks'), events: joined('heat-events') });
		asWideAsTheScreen();
		requestAnimationFrame(() => open(app)); /* now that the window knows */
	}

	function open(app) {
		for (const [where, part] of PARTS) {
			const made = where[part](app);

			if (part === 'flame')
				app.page.flame.append((app.flame = made || app.flame).element);
		}
		app.page.open();
		app.links.read();
		app.page.resize();
		svg.setAttribute('data-ready', 'true');
	}

	/* Twice: the first frame that was asked for ends before anything is painted. */
	requestAnimationFrame(() => requestAnimationFrame(start));
})();
