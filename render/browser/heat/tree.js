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
