/* timeline_address: a view of a timeline as the text after "#" in a link, and back.  Pure.
 *
 *     #from=1795342502014000000&to=1795342502020000000&f=^java&lit=CPU%201
 *
 * A view:
 *     from, to  null (all of the time), or ns since the epoch, as texts    from=, to=
 *     at        null, or a moment, as text, whose stall is to be shown instead of from..to; only in links   at=
 *     filter    { pattern, ignoreCase }: rows by name                      f=regexp, fi=regexp
 *     search    { pattern, ignoreCase }: rows, kinds and threads waited for, to be highlighted   s=regexp, si=regexp
 *     sort      "drawn", or "here": by how long rows ran in the shown part sort=here
 *     all       whether threads beyond the first ones are shown, too        all=1
 *     quiet     whether rows of threads that were hardly active are shown   quiet=1
 *     lit       null, or the name of the kind that is highlighted          lit=name
 *     flame     null, or whose flame graph is shown: a row's name, "*" (all)   of=*
 *     graph     null, or the flame graph's own view (flame/address.js)      flame=
 *     idle      whether the flame graph has waits for work and time, too   idle=1
 *     theme     "auto", "light", "dark"                                    t=dark
 *     safe      null (as drawn), or whether colours are for colour-blind eyes   cb=1, cb=0
 *
 * emptyView(), encode(view), decode(text): see link_text.js; find=regexp is read as fi= (old links) */
pyrograph.timeline.address = (function () {
	'use strict';

	const { emptyView, encode, decode } = pyrograph.linkText.codec([['from', 'from', 'text'], ['to', 'to', 'text'],
		['at', 'at', 'text'],
		['f', 'filter', 'pattern'], ['s', 'search', 'pattern'], ['sort', 'sort', 'choice', 'drawn', 'here'],
		['all', 'all', 'flag'], ['quiet', 'quiet', 'flag'], ['lit', 'lit', 'text'],
		['of', 'flame', 'text'], ['flame', 'graph', 'text'], ['idle', 'idle', 'flag'],
		['t', 'theme', 'choice', 'auto', 'light', 'dark'], ['cb', 'safe', 'maybe']]);
	const isMoment = (text) => text !== null && /^\d{1,20}$/.test(text);

	return { emptyView, encode, decode: (text) => {
		const view = decode(text.replace(/(^|[?#&])find=/g, '$1fi='));

		if (!isMoment(view.from) || !isMoment(view.to))
			Object.assign(view, { from: null, to: null });
		return isMoment(view.at) ? view : Object.assign(view, { at: null });
	} };
})();
