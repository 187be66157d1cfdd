/* search: which frames match, and what share of the whole they are; functions.
 *
 * matcher(names, pattern, ignoreCase) -> { match, error }; match: Uint8Array by name, or
 *     null if the pattern is no regular expression (error says so) or empty.  A name
 *     matches with or without its annotation.
 * matcherExact(names, name)        -> Uint8Array by name
 * combined([match, ...])           -> Uint8Array by name: 0, or 1 + the number of the first
 *     match that has it (for a colour each)
 * matchedTotal(tree, root, match)  -> value of the frames of root's subtree that match; of
 *     those that stand on each other the lowest counts
 * matchedCount(tree, root, match)  -> how many frames match
 * nextMatch(tree, from, step, match, root, least) -> the next frame (step 1 or -1) in
 *     drawing order, of root's subtree (default the whole tree), going round; those of
 *     less than the value least are skipped; -1: none
 * matchPlace(tree, frame, match, root, least) -> { at, of }: "3 of 17"
 * functions(tree, names, root)     -> { count, name, self, total, frames, widest }: one row a
 *     name: arrays by row of name number, values (recursion counted once), count of frames,
 *     and the widest of them; rows by falling total
 * sortRows(table, names, key, down) -> Uint32Array of rows; key "self", "total", "name" or
 *     "frames" */
pyrograph.search = (function () {
	'use strict';

	return {};
})();
