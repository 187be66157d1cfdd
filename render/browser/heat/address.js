/* heat_address: a view of a heat map as the text after "#" in a link, and back.  Pure.
 *
 *     #from=2000000000&to=9000000000&sel=t:2300000000:2480000000&by=thread&k=java-1%2Fa
 *
 * A view; null: as it was drawn:
 *     from, to     the part of the time that is shown, in ns from the origin   from=, to=
 *     period, rows the period in ns, and the number of rows in it         period=, rows=
 *     coloring, ramp, theme, zone, weigh                                  coloring=, ramp=, t=, zone=, weigh=
 *     idle         idle stacks count as events                            idle=1
 *     lines        whether percentiles are drawn                          lines=1, lines=0
 *     by           the dimension whose keys have hues; "": none           by=
 *     keys         texts of the keys that are marked                      k=, once for each key
 *     regexps      [[label, source], ...] of the dimension "regexp"       re=label=source, once for each
 *     mode         "highlight", "isolate", "exclude", "all"               mode=
 *     search       null or { pattern, ignoreCase }                        s=, si=
 *     frame        null or the frames of a stack                          frame=, once for each frame
 *     selection, baseline   null or a selection (select.js)               sel=, base=
 *     selecting    what dragging selects: "time", "rows", null: the default   pick=rows, pick=time
 *     map          number of the map that the selection is in, if there are several   map=
 *     speed        steps in a second while playing                        speed=
 *     roots        null or names of root frames in the flame graph        roots=a,b
 *     flame        the view of the flame graph, as text (flame/address.js) flame=
 *     flameShown   whether there is a flame graph; null: if there is a selection   noflame=1, noflame=0
 *     panel        whether the panel with the keys is open                panel=1
 *     play         whether the selection is playing (not in links)
 *
 * emptyView()      -> a view in which nothing was changed
 * encode(view)     -> text without "#"; members that are as in emptyView() are left out
 * decode(text)     -> view; unknown keys are ignored */
pyrograph.heat.address = (function () {
	'use strict';

	const emptyView = () => ({ from: null, to: null, period: null, rows: null, coloring: null, ramp: null,
		theme: null, zone: null, weigh: null, idle: false, by: null, keys: [], regexps: null, mode: 'highlight',
		search: null, frame: null,
		selection: null, baseline: null, selecting: null, map: 0, play: false, speed: 1, roots: null, flame: '',
		flameShown: null, panel: false, lines: null });
	const TEXTS = { coloring: /^(linear|rank|log)$/, ramp: /^[\w-]{1,40}$/, zone: /^(own|UTC|local)$/,
		weigh: /^(events|values|painted|longest)$/, by: /^/, mode: /^(isolate|exclude|all|highlight)$/,
		flame: /^/ };
	const NUMBERS = { from: [0, 2 ** 53], to: [1, 2 ** 53], period: [1, 2 ** 53], rows: [1, 10000], map: [0, 1000],
		speed: [0.01, 1000] };
	const empty = emptyView();

	const { decoded } = pyrograph.linkText, encoded = (text) =>
		pyrograph.linkText.encoded(text, /%(?:3A|2F|2C|40|24|3D|3B)/g);

	function encode(view) {
		const out = [], put = (key, text) => out.push(key + '=' + encoded(String(text)));

		for (const key in NUMBERS) {
			if (view[key] !== empty[key])
				put(key, view[key]);
		}
		for (const key in TEXTS) {
			if (view[key] !== empty[key])
				put(key, view[key]);
		}
		if (view.theme !== null && view.theme !== 'auto')
			put('t', view.theme);
		if (view.idle)
			put('idle', 1);
		if (view.lines !== null)
			put('lines', view.lines ? 1 : 0);
		if (view.selecting !== empty.selecting)
			put('pick', view.selecting);
		if (view.flameShown !== null)
			put('noflame', view.flameShown ? 0 : 1);
		if (view.panel)
			put('panel', 1);
		(view.keys || []).forEach((key) => put('k', key));
		(view.regexps || []).forEach(([label, source]) => put('re', label.replace(/=/g, ':') + '=' + source));
		(view.frame || []).forEach((name) => put('frame', name));
		if (view.roots)
			put('roots', view.roots.join(','));
		if (view.search)
			put(view.search.ignoreCase ? 'si' : 's', view.search.pattern);
		for (const [key, what] of [['sel', view.selection], ['base', view.baseline]]) {
			if (what)
				put(key, pyrograph.heat.select.encode(what));
		}
		return out.join('&');
	}

	function number(text, [least, most]) {
		const n = /^\d+(\.\d+)?$/.test(text) ? Number(text) : NaN;

		return n >= least && n <= most ? n : null;
	}

	const MANY = {
		k: (view, text) => { view.keys.push(text); },
		re: (view, text) => {
			const at = text.indexOf('=');

			if (at > 0)
				view.regexps = (view.regexps || []).concat([[text.slice(0, at), text.slice(at + 1)]]);
		},
		frame: (view, text) => { view.frame = (view.frame || []).concat([text]); },
		roots: (view, text) => { view.roots = text.split(',').filter(Boolean); },
		s: (view, text) => { view.search = { pattern: text, ignoreCase: false }; },
		si: (view, text) => { view.search = { pattern: text, ignoreCase: true }; },
		sel: (view, text) => { view.selection = pyrograph.heat.select.decode(text); },
		base: (view, text) => { view.baseline = pyrograph.heat.select.decode(text); },
		t: (view, text) => { view.theme = /^(light|dark)$/.test(text) ? text : null; },
		idle: (view, text) => { view.idle = text === '1'; },
		lines: (view, text) => { view.lines = text === '1' ? true : text === '0' ? false : null; },
		panel: (view, text) => { view.panel = text === '1'; },
		noflame: (view, text) => { view.flameShown = text === '1' ? false : text === '0' ? true : null; },
		pick: (view, text) => { view.selecting = text === 'rows' || text === 'time' ? text : null; },
	};
	const own = (object, key) => Object.prototype.hasOwnProperty.call(object, key);

	function decode(text) {
		const view = emptyView();

		for (const part of text.split(/[?#&]/)) {
			const at = Math.max(part.indexOf('='), 0), key = part.slice(0, at),
				value = decoded(part.slice(at + 1));

			if (own(MANY, key))
				MANY[key](view, value);
			else if (own(NUMBERS, key))
				view[key] = number(value, NUMBERS[key]) === null ? empty[key]
					: number(value, NUMBERS[key]);
			else if (own(TEXTS, key) && TEXTS[key].test(value))
				view[key] = value;
		}
		if (view.from === null || view.to === null || view.to <= view.from)
			view.from = view.to = null;
		return view;
	}

	return { emptyView, encode, decode };
})();
