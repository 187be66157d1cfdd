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
