/* layers: profiles of several layers of values: differentials, animations, two metrics.
 * The tree of each view has the layers of all (profile.layerTotal).
 *
 * view(tree, settings, what) -> tree; what:
 *     { show: "union" }                 as decoded
 *     { show: "base" | "new" }          one side, scaled
 *     { show: "gone" | "added" }        only what the new side has not, the base has not
 *     { layers: [first, last] }         the sum of a range of layers
 *     { layer: k }                      one layer (a frame of the animation, an event)
 * delta(tree, by, threshold) -> { value, kind, largest }: value: Float64Array by frame in
 *     [-1, 1]: new less base, scaled so as to be comparable, in shares of the largest such
 *     difference of any frame but the root; 0 where it is less than threshold (a share of
 *     the whole).  by: "total" or "self".  kind: Uint8Array: SAME 0, GREW 1, SHRANK 2,
 *     NEW 3 (base had nothing here), GONE 4; largest: that difference.
 * pair(tree, frame, by)      -> { base, new, scaledBase, scaledNew, difference, relative }:
 *     values as recorded and as compared; relative: difference / scaledBase, or Infinity
 * metric(tree, settings)     -> { ratio, low, high }: Float64Array by frame, NaN where the
 *     denominator is 0, of settings.metric.colour ("a" or "a/b" of layer names)
 * valuesOf(tree, frame)      -> Array by layer: the frame's total as recorded
 * windows(settings)          -> Array of { start, end }: of each animation layer, wall clock:
 *     "2026-11-21T10:15:02.000000000Z" */
pyrograph.layers = (function () {
	'use strict';

	return {};
})();
