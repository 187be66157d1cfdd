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
