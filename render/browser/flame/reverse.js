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
