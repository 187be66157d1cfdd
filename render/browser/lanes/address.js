/* lanes_address: a view of lanes as the text after "#" in a link, and back.  Pure.
 *
 *     #from=1795342502014000000&to=1795342502020000000&f=udp
 *
 * A view:
 *     from, to  null (all of the time), or ns since the epoch, as texts    from=, to=
 *     filter    { pattern, ignoreCase }: lanes by name                     f=regexp, fi=regexp
 *     search    { pattern, ignoreCase }: lanes to be highlighted           s=regexp, si=regexp
 *     theme     "auto", "light", "dark"                                    t=dark
 *
 * emptyView(), encode(view), decode(text): see link_text.js */
pyrograph.lanes.address = (function () {
	'use strict';

	const { emptyView, encode, decode } = pyrograph.linkText.codec([['from', 'from', 'text'], ['to', 'to', 'text'],
		['f', 'filter', 'pattern'], ['s', 'search', 'pattern'], ['t', 'theme', 'choice', 'auto', 'light',
			'dark']]);
	const isMoment = (text) => text !== null && /^\d{1,20}$/.test(text);

	return { emptyView, encode, decode: (text) => {
		const view = decode(text);

		return isMoment(view.from) && isMoment(view.to) ? view : Object.assign(view, { from: null, to: null });
	} };
})();
