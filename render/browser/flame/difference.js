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
