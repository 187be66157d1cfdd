/* processes_address: a view of processes as the text after "#" in a link, and back.  Pure.
 *
 *     #from=1795342502014000000&to=1795342502020000000&c=exit&s=^cc1
 *
 * A view:
 *     from, to  null (all of the time), or ns since the epoch, as texts    from=, to=
 *     filter    { pattern, ignoreCase }: rows by name                      f=regexp, fi=regexp
 *     search    { pattern, ignoreCase }: programs and arguments to be highlighted   s=regexp, si=regexp
 *     colour    "command", "cpu", "exit"                                   c=cpu
 *     table     whether the sums by command are shown                      table=1
 *     quiet     whether processes that were idle all the time are shown            quiet=1
 *     theme     "auto", "light", "dark"                                    t=dark
 *
 * emptyView(), encode(view), decode(text): see link_text.js */
pyrograph.processes.address = (function () {
	'use strict';

	const { emptyView, encode, decode } = pyrograph.linkText.codec([['from', 'from', 'text'], ['to', 'to', 'text'],
		['f', 'filter', 'pattern'], ['s', 'search', 'pattern'], ['c', 'colour', 'choice', 'command', 'cpu',
			'exit'], ['table', 'table', 'flag'], ['quiet', 'quiet', 'flag'],
		['t', 'theme', 'choice', 'auto', 'light', 'dark']]);
	const isMoment = (text) => text !== null && /^\d{1,20}$/.test(text);

	return { emptyView, encode, decode: (text) => {
		const view = decode(text);

		return isMoment(view.from) && isMoment(view.to) ? view : Object.assign(view, { from: null, to: null });
	} };
})();
