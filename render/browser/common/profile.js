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
