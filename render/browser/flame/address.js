/* address: a view as the text after "#" in a link, and back.  Pure: no location here.
 *
 *     #z=main;read&s=mem.*&si=copy&hide=%5Eboost&o=width&c=module
 *
 * A view (null: as C drew it):
 *     zoom       Array of names below the root ([]: all)          z=a;b
 *     callersZoom  the same among the callers of a sandwich: names that follow the function  zc=a;b
 *     thread     null, or a thread, to which is zoomed if there is such a frame above the root; such links
 *                are made by web/run_page.c                       thread=name
 *     searches   [{ pattern, ignoreCase }]                        s=regexp, si=regexp
 *     filters    [{ kind, pattern, exact, ignoreCase, path, reversed }], see apply.js
 *                hide=regexp hide==name hidei=regexp, and the same for only, exclude, include;
 *                drop=a;b, dropleaf=b;a
 *     order      null, "name", "width", "arrival"                 o=
 *     theme      "auto", "light", "dark"                          t=
 *     inverted   null or a boolean                                icicle=1, icicle=0
 *     reversed   boolean: merged from the leaves                  leaf=1
 *     sandwich   null or a name                                   f=name
 *     colour     null, "name", "kind", ... (colour.js)            c=
 *     variants, generated  booleans: variants are merged          v=1, g=1
 *     unnamed    boolean: functions without a name are merged     files=1
 *     recursion  "", "direct" or "deep"                           r=direct
 *     diff       null or { show, by } (layers.js)                 d=gone, by=self
 *     position   null or the number of an animation's layer       at=12
 *     span       null or [first, last] layers                     span=3-9
 *     table      boolean                                          table=1
 *     safe       boolean: colours are for colour-blind eyes       cb=1
 *     opened     boolean: what stacks begin with is not folded     open=1
 *     mine       boolean: only the reader's own code is shown     mine=1
 *     quiet      boolean: stacks that measure are left out        quiet=1
 *     idle       boolean: what is left out at first is shown      idle=1
 *     wall       null, "on" or "off": the time of threads (known.js)  wall=on
 *
 * emptyView()               -> a view in which nothing was changed
 * encodeView(view)          -> text without "#"; members that are as in emptyView() are left out
 * decodeView(text)          -> view; text: the search and the hash of an address, joined by "&", with or
 *                              without "?" and "#".  Unknown keys are ignored.  i=1: all
 *                              searches ignore case (old links)
 * oldFrame(text, old)       -> null, or { share, row } of x= and y= (in pixels) in a link to
 *                              a picture of flamegraph.pl.  share: where the frame begins, as a part of
 *                              the root's width, [0, 1); row: how many levels above the root the frame
 *                              is.  old: { width, levels, frameHeight, fontSize,
 *                              inverted, subtitle } of the old picture; levels includes the root;
 *                              missing members have flamegraph.pl's defaults
 * frameOfOld(tree, text, old) -> the nearest frame in the tree, or -1; old: as in oldFrame, but missing
 *                              levels are guessed from the tree */
pyrograph.address = (function () {
	'use strict';

	const MOST = 32; /* searches, and so many filters */
	const FILTERS = /^(hide|only|exclude|include)(i?)$/;
	const MIN_WIDTH = 0.1, PAD = 10, FRAME_PAD = 1; /* as in flamegraph.pl */

	function emptyView() {
		return {
			zoom: [], thread: null, callersZoom: [], searches: [], filters: [], order: null, theme: 'auto',
			inverted: null,
			reversed: false, sandwich: null, colour: null, variants: false, generated: false,
			recursion: '', diff: null, position: null, span: null, table: false, safe: false,
			idle: false, opened: false, mine: false, quiet: false, unnamed: false,
			wall: null,
		};
	}

	/* ---- text ---- */

	const { decoded } = pyrograph.linkText, encoded = (text) => pyrograph.linkText.encoded(text);
	const encodedPath = (path) => path.map(encoded).join(';');
	const decodedPath = (text) => text === '' ? [] : text.split(';').map(decoded);

	/* ---- keys with one value: write makes the text (null: leaves out the key), read parses it ---- */

	const flag = (key) => ({
		write: (view) => view[key] ? '1' : null,
		read: (view, text) => {
			view[key] = text === '1';
		},
	});
	const choice = (key, ...texts) => ({
		write: (view) => view[key] && view[key] !== emptyView()[key] ? encoded(view[key]) : null,
		read: (view, text) => {
			if (texts.includes(text))
				view[key] = text;
		},
	});
	const ofDiff = (key, standard, ...texts) => ({
		write: (view) => view.diff && view.diff[key] && view.diff[key] !== standard ?
			encoded(view.diff[key]) : null,
		read: (view, text) => {
			if (texts.includes(text))
				view.diff = Object.assign({ show: 'union' }, view.diff, { [key]: text });
		},
	});
	const KEYS = {
		z: {
			write: (view) => view.zoom.length ? encodedPath(view.zoom) : null,
			read: (view, text) => {
				view.zoom = decodedPath(text);
			},
		},
		thread: {
			write: (view) => view.thread === null ? null : encoded(view.thread),
			read: (view, text) => {
				view.thread = decoded(text);
			},
		},
		f: {
			write: (view) => view.sandwich === null ? null : encoded(view.sandwich),
			read: (view, text) => {
				view.sandwich = decoded(text);
			},
		},
		zc: {
			write: (view) => view.callersZoom.length ? encodedPath(view.callersZoom) : null,
			read: (view, text) => {
				view.callersZoom = decodedPath(text);
			},
		},
		o: choice('order', 'name', 'width', 'arrival'),
		t: choice('theme', 'light', 'dark'),
		icicle: {
			write: (view) => view.inverted === null ? null : view.inverted ? '1' : '0',
			read: (view, text) => {
				view.inverted = /^[01]$/.test(text) ? text === '1' : view.inverted;
			},
		},
		leaf: flag('reversed'),
		c: choice('colour', 'wait', 'wall', 'name', 'kind', 'module', 'depth', 'self', 'diff', 'metric',
			'rules'),
		v: flag('variants'),
		g: flag('generated'),
		files: flag('unnamed'),
		r: choice('recursion', 'direct', 'deep'),
		d: ofDiff('show', 'union', 'base', 'new', 'gone', 'added'),
		by: ofDiff('by', null, 'total', 'self'),
		at: {
			write: (view) => view.position === null ? null : String(view.position),
			read: (view, text) => {
				view.position = /^\d{1,6}$/.test(text) ? Number(text) : view.position;
			},
		},
		span: {
			write: (view) => view.span ? view.span.join('-') : null,
			read: (view, text) => {
				const ends = /^(\d{1,6})-(\d{1,6})$/.exec(text);

				if (ends && Number(ends[1]) <= Number(ends[2]))
					view.span = [Number(ends[1]), Number(ends[2])];
			},
		},
		table: flag('table'),
		cb: flag('safe'),
		idle: flag('idle'),
		open: flag('opened'),
		mine: flag('mine'),
		quiet: flag('quiet'),
		wall: choice('wall', 'on', 'off'),
	};

	/* ---- views ---- */

	function filterText(filter) {
		if (filter.kind === 'drop')
			return (filter.reversed ? 'dropleaf=' : 'drop=') + encodedPath(filter.path);
		return filter.kind + (filter.ignoreCase ? 'i=' : '=') + (filter.exact ? '=' : '') +
			encoded(filter.pattern);
	}

	/* Returns null if key and text are not those of a filter. */
	function filterOf(key, text) {
		const [, kind, ignoreCase] = FILTERS.exec(key) || [];

		if (key === 'drop' || key === 'dropleaf')
			return text ? { kind: 'drop', path: decodedPath(text), reversed: key === 'dropleaf' } : null;
		if (!kind || !text)
			return null;
		const exact = text[0] === '=';

		return { kind: kind, pattern: decoded(exact ? text.slice(1) : text), exact: exact,
			ignoreCase: ignoreCase === 'i' };
	}

	function encodeView(view) {
		const all = Object.assign(emptyView(), view), texts = [];
		const one = (key) => {
			const text = KEYS[key].write(all);

			if (text !== null)
				texts.push(key + '=' + text);
		};

		one('z');
		for (const search of all.searches) {
			if (search.pattern)
				texts.push((search.ignoreCase ? 'si=' : 's=') + encoded(search.pattern));
		}
		for (const filter of all.filters)
			texts.push(filterText(filter));
		Object.keys(KEYS).filter((key) => key !== 'z').forEach(one);
		return texts.join('&');
	}

	function decodeView(text) {
		const view = emptyView();
		let ignoreCase = false;

		for (const part of text.split('&')) {
			const [, key, value] = /^[?#]*(\w+)=(.*)$/s.exec(part) || [], filter = filterOf(key, value);

			if (filter && view.filters.length < MOST)
				view.filters.push(filter);
			else if ((key === 's' || key === 'si') && value && view.searches.length < MOST)
				view.searches.push({ pattern: decoded(value), ignoreCase: key === 'si' });
			else if (key === 'i')
				ignoreCase = value === '1';
			else if (key && Object.prototype.hasOwnProperty.call(KEYS, key))
				KEYS[key].read(view, value);
		}
		for (const search of ignoreCase ? view.searches : [])
			search.ignoreCase = true;
		return view;
	}

	/* ---- flamegraph.pl's links ---- */

	function oldFrame(text, old) {
		const number = (key) => Number((new RegExp('(?:^|[?&#])' + key + '=([\\d.]+)').exec(text) || [])[1]);
		const x = number('x'), y = number('y'), width = old.width || 1200;
		const pitch = old.frameHeight || 16, fontSize = old.fontSize || 12;
		const top = 3 * fontSize + (old.subtitle ? 2 * fontSize : 0) + FRAME_PAD;
		const line = Math.round((y - top) / pitch); /* the row, counted from the top */

		if (!(x >= 0) || !(y >= 0))
			return null;
		return { share: Math.max(0, Math.min((x - PAD) / (width - 2 * PAD), 1)),
			row: Math.max(0, old.inverted ? line : old.levels - 1 - line) };
	}

	/* The number of levels that the old picture had if it was made from this tree. */
	function oldLevels(tree, width) {
		const least = tree.total[0] * MIN_WIDTH / (width - 2 * PAD);
		let levels = 1;

		for (let i = 0; i < tree.count;) {
			if (tree.total[i] < least) {
				i = tree.end[i];
			} else {
				levels = Math.max(levels, tree.depth[i] + 1);
				i++;
			}
		}
		return levels;
	}

	function frameOfOld(tree, text, old = {}) {
		const width = old.width || 1200;
		const wanted = oldFrame(text, Object.assign({ levels: oldLevels(tree, width) }, old));
		const slack = tree.total[0] * MIN_WIDTH / (width - 2 * PAD); /* x is written with one decimal */
		let best = -1, nearest = Infinity;

		for (let i = 0; wanted && i < tree.count; i++) {
			if (tree.depth[i] > wanted.row)
				continue;
			const off = Math.abs(tree.start[i] - wanted.share * tree.total[0]);
			const distance = (wanted.row - tree.depth[i]) * 4 * tree.total[0] + (off > slack ? off : 0);

			if (distance < nearest || (distance === nearest && tree.total[i] > tree.total[best])) {
				nearest = distance;
				best = i;
			}
		}
		return best;
	}

	return { emptyView, encodeView, decodeView, oldFrame, frameOfOld };
})();
