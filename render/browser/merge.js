/* merge: the engine of transform.js. */
pyrograph.merge = (function () {
	'use strict';

	return {};
})();
