/* colour: a frame's colour, by what is asked for.
 *
 * MODES   [{ mode, label }, ...] for a menu: "name" (C's colours), "kind", "module",
 *         "depth", "self", and, when the settings have them, "diff", "metric", "rules"
 * modes(settings)  -> those of them that this picture has
 * scheme(how)      -> { box(frame), crumb(frame), legend, text }
 *     how: { mode, tree, names, colours (profile.js), settings, dark, safe, delta,
 *     by, threshold }.  box and crumb give "#rrggbb"; few different ones of crumb.
 *     legend: [["#rrggbb", "label"], ...]; empty for "name".  text: colour of the labels on
 *     frames ("#000000"; for dark themes too, since frames stay light enough).
 *     safe: colours that colour-blind people can tell apart.
 * searchColours(settings, dark) -> Array of "#rrggbb": one for each search, going round
 * contrast(a, b)   -> 1 .. 21 (WCAG 2.1)
 * readable(rgb)    -> "#000000" or "#ffffff", whichever contrasts more
 * kindOf(name)     -> "kernel", "JIT", "inlined", "interpreted", "Java", "C++", "native", ...
 * moduleOf(name)   -> the module of a name, "native" if it says none */
pyrograph.colour = (function () {
	'use strict';

	return {};
})();
