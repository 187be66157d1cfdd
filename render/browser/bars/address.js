/* bars_address: a view of bars as the text after "#" in a link, and back.  Pure.
 *
 *     #sort=:woken&f=^java&by=spin-b-4712&scale=row
 *
 * A view:
 *     sort     null (as drawn), or a key of model.js         sort=total
 *     down     true: the largest first; false: the smallest first  up=1
 *     filter   { pattern, ignoreCase }: rows by name              f=regexp, fi=regexp
 *     search   { pattern, ignoreCase }: rows, kinds and contenders to be highlighted   s=regexp, si=regexp
 *     column   null (as drawn), or the column that sets the widths  m=count
 *     scale    "window", "widest" or "row": the value of a full width  scale=row
 *     pools    true: names that differ only in a number at the end are one row   pools=1
 *     every    true: threads that took little have segments of their own, too   every=1
 *     by       null, or a contender: only rows that waited for it   by=name
 *     row      null, or the name of the row whose details are open   z=name
 *     table    null (as drawn), or whether the table of contenders is open   table=1, table=0
 *     theme    "auto", "light", "dark"                            t=dark
 *     longest  null (as drawn), or whether colours are by the longest time   longest=1, longest=0
 *     safe     null (as drawn), or whether colours are for colour-blind eyes   cb=1, cb=0
 *
 * emptyView(), encode(view), decode(text): link_text.js */
pyrograph.bars.address = pyrograph.linkText.codec([['sort', 'sort', 'text'], ['m', 'column', 'text'],
	['by', 'by', 'text'],
	['z', 'row', 'text'], ['up', 'down', 'not'], ['pools', 'pools', 'flag'], ['every', 'every', 'flag'],
	['f', 'filter', 'pattern'], ['s', 'search', 'pattern'], ['scale', 'scale', 'choice', 'window', 'widest', 'row'],
	['t', 'theme', 'choice', 'auto', 'light', 'dark'],
	['table', 'table', 'maybe'], ['cb', 'safe', 'maybe'], ['longest', 'longest', 'maybe']]);
