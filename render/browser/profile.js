/* profile: the whole profile that travels inside a flame graph, and how its numbers
 * are written.  First of the scripts: it makes the one global.
 *
 * Decodes what encode.c wrote (encode.h has the format).
 *
 * decodeNames(text, count)     -> names: Array, count + 1 of them; the last is "...",
 *                                 the name of frames in which narrow ones are folded
 * decodeColours(text, count)   -> Array, 2 * (count + 1): [2 * name] is its colour,
 *                                 [2 * name + 1] that of its crumbs, "#rrggbb"
 * decodeTree(text, settings)   -> tree; of settings: frames, names, arrival, layers,
 *                                 combine, scales, metric, chart
 *
 * A tree is a struct of arrays, depth first, frame 0 the root.  Trees never change:
 * what is done to one (transform.js) gives another of the same shape.
 *   count                      of frames
 *   name, parent, end, depth   Uint32Array; the subtree of i is i .. end[i] - 1
 *   start, total, self         Float64Array; self is what is in no child, and stands
 *                              to their right
 *   arrival    null, or Uint32Array: the order in which the input had the frames
 *   folded     Map: a "..." frame -> how many frames it stands for
 *   layers     null, or (decoded tree only) { count, at, layer, value }: the values that
 *              end in frame i, as recorded, are value[k] of layer[k], at[i] <= k < at[i + 1]
 *   scales     null, or [[num, den], ...]: a layer's values times this are comparable
 *   chart      true: siblings stand in time order, and only neighbours ever merge
 *   base       null, or the tree that this one was made from
 *   sent       null, or Int32Array: frame of base -> frame here to which its value went;
 *              -1: left out; -2 - f: the frame vanished, its value went to f
 *   sends      "self" or "total": what that value is
 *   origin     null, or Int32Array: frame -> a frame of the decoded tree that is in it
 *   unexpanded null, or Uint8Array: 1 where more would be below (transform.reverse)
 *
 * layerSelf(tree, k), layerTotal(tree, k) -> Float64Array by frame, values of layer k as
 *                                 recorded; of any tree; made when first asked for
 * scaled(tree, k, value)       -> floor(value * num / den) of layer k
 * baseName(name)               -> name without its annotation
 * valueText(settings, value)   -> "1,234 samples", "17.25 s"
 * percentText(part, whole)     -> "12.34%" */
var pyrograph = {};

pyrograph.profile = (function () {
	'use strict';

	const FIRST_DIGIT = 63, NEWLINE = 10;

	function decodeNames(text, count) {
		const names = new Array(count);
		let before = '', at = 0;

		for (let i = 0; i < count; i++) {
			const end = text.indexOf('\n', at);
			const shared = text.charCodeAt(at) - FIRST_DIGIT;

			before = before.slice(0, shared) + text.slice(at + 1, end);
			names[i] = before;
			at = end + 1;
		}
		return names;
	}

	/* Two a name: [2 * name] is its colour, [2 * name + 1] that of its crumbs. */
	function decodeColours(text, count) {
		const colours = new Array(2 * count);

		for (let i = 0; i < 2 * count; i++) {
			let rgb = 0;

			for (let k = 0; k < 4; k++)
				rgb = rgb << 6 | (text.charCodeAt(4 * i + k) - FIRST_DIGIT);
			colours[i] = '#' + (rgb + 0x1000000).toString(16).slice(1);
		}
		return colours;
	}

	/* Frames in drawing order: the subtree of i is i .. end[i] - 1; total[i]
	 * counts from start[i] on; depth[0] is 0. */
	function decodeTree(text, count) {
		const tree = {
			count: count,
			name: new Uint32Array(count), parent: new Uint32Array(count),
			end: new Uint32Array(count), depth: new Uint32Array(count),
			start: new Float64Array(count), total: new Float64Array(count),
		};
		let at = 0, open = 0; /* open: the frame before, then its parents */

		function number() {
			let value = 0, scale = 1, group;

			do {
				group = text.charCodeAt(at++) - FIRST_DIGIT;
				value += (group & 31) * scale;
				scale *= 32;
			} while (group & 32);
			return value;
		}

		for (let i = 0; i < count; i++) {
			while (text.charCodeAt(at) === NEWLINE)
				at++;
			const first = number();

			for (let up = Math.floor(first / 2); up > 0; up--) {
				tree.end[open] = i;
				open = tree.parent[open];
			}
			tree.parent[i] = open;
			tree.depth[i] = i ? tree.depth[open] + 1 : 0;
			tree.name[i] = number();
			tree.total[i] = first % 2 ? number() : 0;
			open = i;
		}
		finishTree(tree, open);
		return tree;
	}

	/* total[] holds self values so far; close the frames still open. */
	function finishTree(tree, open) {
		const next = new Float64Array(tree.count); /* where the next child starts */

		for (; open; open = tree.parent[open])
			tree.end[open] = tree.count;
		tree.end[0] = tree.count;
		for (let i = tree.count - 1; i > 0; i--)
			tree.total[tree.parent[i]] += tree.total[i];
		for (let i = 1; i < tree.count; i++) {
			tree.start[i] = next[tree.parent[i]];
			next[tree.parent[i]] += tree.total[i];
			next[i] = tree.start[i];
		}
	}

	function self(tree, i) {
		let value = tree.total[i];

		for (let c = i + 1; c < tree.end[i]; c = tree.end[c])
			value -= tree.total[c];
		return value;
	}

	/* ---- text (frame.h, number.c) ---- */

	function baseName(name) {
		return name.replace(/_\[[kjiw01]\]$/, '');
	}

	function grouped(digits) {
		return digits.replace(/\B(?=(\d{3})+$)/g, ',');
	}

	/* "1,234 samples", "17.25 s" */
	function valueText(unit, value) {
		const one = Math.pow(10, unit.decimals);
		let rest = '';

		if (unit.factor !== 1) {
			value = Math.round(value / one * unit.factor);
		} else {
			rest = (value % one + one).toFixed(0).slice(1).replace(/0+$/, '');
			value = Math.floor(value / one);
		}
		return grouped(value.toFixed(0)) + (rest ? '.' + rest : '') + ' ' + unit.unit;
	}

	function percentText(part, whole) {
		return part === whole ? '100%' : (part / whole * 100).toFixed(2) + '%';
	}

	return { decodeNames, decodeColours, decodeTree, self, baseName, valueText, percentText };
})();
