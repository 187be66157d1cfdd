/* transform: trees made of trees (profile.js says what a tree is).
 *
 * apply(tree, names, view, how) -> { tree, names, error }: all of a view at once, in the
 *     order in which they stand here; each step is kept until its part of the view
 *     changes.  Only the keys of address.js that concern the tree are looked at: diff,
 *     position, span, filters, variants, generated, recursion, sandwich, reversed, zoom,
 *     order.  names may be longer than before, never shorter: numbers stay.  error: null,
 *     or what is wrong with a filter ("Not a regular expression: (").
 *     how: { least: share of the root that can be seen, e.g. 0.1 / 1200; settings }.
 *     sandwich: { name } gives { tree: its callees, callers: the tree of its callers }.
 *
 * filter(tree, names, filters) -> tree; filters, in order, each { kind, pattern, exact,
 *     ignoreCase, path }; pattern is a regexp, or a whole name if exact:
 *       "hide"     frames that match vanish; their children move to the parent and merge
 *       "only"     all other frames vanish ("hide everything but")
 *       "exclude"  stacks with a match are left out
 *       "include"  stacks without a match are left out
 *       "drop"     the subtree at path (names from below the root) is left out
 * drop(tree, frame)              -> tree without that subtree
 * exclude, include(tree, match)  -> tree; match as of search.js: Uint8Array by name
 * hide, only(tree, names, match) -> tree
 * mergeVariants(tree, names, { annotations, generated }) -> tree: frames that differ only
 *     in annotation, or (generated) in the numbers of lambdas, hidden and generated
 *     classes, become one; it has the name of its widest variant
 * variantsOf(tree, names, frame) -> Map: label ("compiled", "interpreted", ...) -> value,
 *     widest first, of the frames that are merged here; null where that is not known
 * foldRecursion(tree, names, "direct" | "deep") -> tree: a;b;b;c -> a;b;c; deep:
 *     a;b;a;b;c -> a;b;c
 * order(tree, names, "name" | "width" | "arrival") -> tree
 * reweigh(tree, self)            -> tree with those values, without the frames that have
 *     none; its layers' values stay those of the whole subtree before
 * callees(tree, names, name)     -> tree: all outermost frames of that name number merged
 *     as root; null when there are none
 * callers(tree, names, name, { least }) -> tree: root that function, above it its callers;
 *     null likewise
 * reverse(tree, names, { least, path }) -> tree merged from the leaves.  Frames narrower
 *     than least (a share of the root; 0: all of them) are not expanded: see unexpanded.
 *     path (name numbers from below the root): only what is on and above it is expanded,
 *     and least is a share of the frame at its end.
 *
 * foldedLines(tree, names, root, header) -> text: header ("# pyrograph: ..." or "") and
 *     the folded lines of root and all below it, callers included
 * stackOf(tree, names, frame)    -> Array of names from below the root to frame
 * frameOfPath(tree, names, path) -> { frame, whole }: the frame at the end of path (an
 *     Array of names), as far as this tree has it; whole: it has all of it */
pyrograph.transform = (function () {
	'use strict';

	/* The sum of the frames below root whose name is set in matches; of those
	 * that stand on each other only the lowest counts. */
	function matchedTotal(tree, root, matches) {
		let sum = 0;

		for (let i = root; i < tree.end[root];) {
			if (matches[tree.name[i]]) {
				sum += tree.total[i];
				i = tree.end[i];
			} else {
				i++;
			}
		}
		return sum;
	}

	return { matchedTotal };
})();
