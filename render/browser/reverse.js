/* reverse: trees merged from the leaves, for transform.js. */
pyrograph.reverse = (function () {
	'use strict';

	return {};
})();
