/* bars_address: a view of bars as the text after "#" in a link, and back.  Pure.
 *
 *     #sort=:woken&f=^java&by=spin-b-4712&scale=row
 *
 * A view:
 *     sort     null (as drawn), or a key of model.js         sort=total
 *     down     most first                                         up=1
 *     filter   { pattern, ignoreCase }: rows by name              f=regexp, fi=regexp
 *     search   likewise: highlights rows, kinds, contenders       s=regexp, si=regexp
 *     column   null (as drawn), or the column that widths show    m=count
 *     scale    "window", "widest" or "row": what is the full width  scale=row
 *     pools    names that differ in a number at the end are one   pools=1
 *     every    threads that took little have parts of their own   every=1
 *     by       null, or a contender: rows that suffer from it     by=name
 *     row      null, or a row's name: its details                 z=name
 *     table    null, or whether the table of contenders is open   table=1, table=0
 *     theme    "auto", "light", "dark"                            t=dark
 *     safe     null, or colours for colour-blind eyes             cb=1, cb=0
 *
 * emptyView()      -> a view of which nothing was changed
 * encode(view)     -> text without "#"; what is as in emptyView() is left out
 * decode(text)     -> view; what is not understood is left out */
pyrograph.bars.address = (function () {
	'use strict';

	const emptyView = () => ({ sort: null, down: true, filter: { pattern: '', ignoreCase: false },
		search: { pattern: '', ignoreCase: false }, column: null, scale: 'window', pools: false, every: false, by: null,
		row: null, table: null, theme: 'auto', safe: null });

	const encoded = (text) => encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'))
		.replace(/%(?:3A|2F|2C|40|24)/g, decodeURIComponent);

	function decoded(text) {
		try {
			return decodeURIComponent(text);
		} catch (e) {
			return text;
		}
	}

	const KNOWN = /^(?:sort|m|by|z|pools|every|table|cb|scale|t|up|[fs]i?)$/;
	const CHOICES = { scale: ['window', 'widest', 'row'], t: ['light', 'dark'] };
	const TEXTS = { sort: 'sort', m: 'column', by: 'by', z: 'row' };
	const FLAGS = { table: 'table', cb: 'safe' };

	function encode(view) {
		const out = [], put = (key, text) => out.push(key + '=' + encoded(text));

		for (const key in TEXTS) {
			if (view[TEXTS[key]] !== null)
				put(key, view[TEXTS[key]]);
		}
		if (!view.down)
			put('up', '1');
		if (view.pools)
			put('pools', '1');
		if (view.every)
			put('every', '1');
		for (const [key, what] of [['f', view.filter], ['s', view.search]]) {
			if (what.pattern)
				put(what.ignoreCase ? key + 'i' : key, what.pattern);
		}
		if (view.scale !== 'window')
			put('scale', view.scale);
		if (view.theme !== 'auto')
			put('t', view.theme);
		for (const key in FLAGS) {
			if (view[FLAGS[key]] !== null)
				put(key, view[FLAGS[key]] ? '1' : '0');
		}
		return out.join('&');
	}

	function take(view, key, text) {
		if (key in TEXTS)
			view[TEXTS[key]] = text;
		else if (key in FLAGS)
			view[FLAGS[key]] = /^[01]$/.test(text) ? text === '1' : null;
		else if (key in CHOICES && CHOICES[key].includes(text))
			view[key === 't' ? 'theme' : key] = text;
		else if (key === 'up')
			view.down = text !== '1';
		else if (key === 'pools' || key === 'every')
			view[key] = text === '1';
		else if (/^[fs]i?$/.test(key))
			view[key[0] === 'f' ? 'filter' : 'search'] = { pattern: text, ignoreCase: key.length > 1 };
	}

	function decode(text) {
		const view = emptyView();

		for (const part of text.split(/[?#&]/)) {
			const at = part.indexOf('=');

			if (KNOWN.test(part.slice(0, Math.max(at, 0))))
				take(view, part.slice(0, at), decoded(part.slice(at + 1)));
		}
		return view;
	}

	return { emptyView, encode, decode };
})();
