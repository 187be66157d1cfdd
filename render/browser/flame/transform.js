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

	/* Frames vanish if the match of their name is not stays. */
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

	/* Frames of that name that do not stand on another one. */
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
		const top = name[0] === tree.name[0] ? [] : [names[tree.name[0]]]; /* "all" is not a frame */
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

	/* The n-th child of that name, or 0. */
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

	return { drop, dropReversed, exclude, include, hide, only, mergeVariants, plainNames, variantsOf,
		foldRecursion, order, reweigh, callees, callers, reverse, foldedLines, stackOf,
		pathOf, nameOfStep, frameOfPath };
})();
