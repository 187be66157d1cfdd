/* transform: what is asked of a tree, and trees made of trees. */
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
