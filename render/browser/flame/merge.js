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
