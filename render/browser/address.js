/* address: a view as the text after "#" in a link, and back.  Pure: no location here.
 *
 *     #z=main;read&s=mem.*&si=copy&hide=%5Eboost&o=width&c=module
 *
 * A view:
 *     zoom       Array of names below the root ([]: all)          z=a;b
 *     searches   [{ pattern, ignoreCase }]                        s=regexp, si=regexp
 *     filters    [{ kind, pattern, exact, ignoreCase, path }]     hide= only= exclude=
 *                (transform.js)                                   include= drop=a;b;
 *                                               exact: hide==name; ignoring case: hidei=
 *     order      "name", "width", "arrival"                       o=
 *     theme      "auto", "light", "dark"                          t=
 *     inverted   null (as drawn) or a boolean                     icicle=1, icicle=0
 *     reversed   boolean: merged from the leaves                  leaf=1
 *     sandwich   null or a name                                   f=name
 *     colour     "name", "kind", ... (colour.js)                  c=
 *     variants, generated  booleans: merged                       v=1, g=1
 *     recursion  "", "direct" or "deep"                           r=direct
 *     diff       { show, by } (layers.js), null if default        d=gone, by=self
 *     position   null or the number of an animation's layer       at=12
 *     span       null or [first, last] layers                     span=3-9
 *     table      boolean                                          table=1
 *
 * emptyView()                  -> a view of which nothing was changed
 * encodeView(view)             -> text without "#"; what is as in emptyView() is left out
 * decodeView(text, names)      -> view; text: search and hash, with or without "?" and "#",
 *                                 joined by "&"; what is not understood is left out
 * oldFrame(text, old)          -> { value, row } or null: the frame of flamegraph.pl's
 *                                 ?x=&y= (pixels): value is a share of the root's width
 *                                 [0, 1), row is levels above the root.  old: { width,
 *                                 height, frameHeight, fontSize, inverted, subtitle }:
 *                                 of the old picture; each has flamegraph.pl's default.
 * frameOfOld(tree, text, old)  -> the nearest frame in the tree, or -1 */
pyrograph.address = (function () {
	'use strict';

	return {};
})();
