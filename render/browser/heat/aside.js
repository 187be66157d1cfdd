/* heat_aside: the panel for colouring cells: the choice of a dimension, the list of its keys, and how each key is
 * shown.
 *
 * app.hues()       -> null, or { dimension, keys, numbers, isolate, exclude, all }: the numbers of the keys of
 *                     the dimension (data.js) that have a hue, and the numbers of their hues (scale.js);
 *                     other keys are grey.  isolate: other keys are not shown; exclude: only other keys
 *                     are shown, and nothing has a hue
 * app.by()         -> the dimension's name, '' if there is none
 * app.keysBy(name) -> the dimension, or null
 * app.keyName(text) -> the key's name as the reader sees it; app.keyColour(i) -> the colour of the i-th key in hues
 * app.openKeys(on), app.keysOpen()
 * Only the rows in the window exist as elements: the list may have thousands of keys. */
pyrograph.heat.aside = function (app) {
	'use strict';

	const D = pyrograph.ui.dom, N = pyrograph.number, H = pyrograph.heat, S = pyrograph.search,
		{ data, settings } = app;
	const HUES_MAX = 24, TYPING_MS = 300, NAME_MAX = 400, MARKED_FIRST = 4,
		drawn = settings.hues || {};

	const { choice, segment } = app.controls;

	H.counts(app);
	const MANY = { comm: 'commands', command: 'commands', thread: 'threads', cpu: 'CPUs', host: 'hosts',
		state: 'states', pid: 'processes', process: 'processes',
		tid: 'threads', event: 'events', syscall: 'system calls', device: 'devices', 'class': 'classes',
		regexp: 'patterns' };
	const WORDS = { comm: 'command', cpu: 'CPU', pid: 'process', tid: 'thread number', by: 'who had the CPU',
		regexp: 'patterns (regexps)' };

	/* ---- what the view says ---- */

	app.by = () => app.view.by === null ? drawn.dimension || '' : app.view.by;
	app.marked = () => app.view.by === null ? drawn.keys || [] : app.view.keys;
	/* In cells that count CPUs, only keys of CPUs have a meaning, and no CPU can be left out. */
	const ofCpus = settings.y === 'utilization';

	app.canBe = (name) => !ofCpus || name === 'cpu' || name === 'host';
	app.keyMode = () => app.view.by !== null ? (ofCpus && app.view.mode !== 'all' ? 'highlight' : app.view.mode)
		: drawn.isolate ? 'isolate' : drawn.exclude ? 'exclude' : 'highlight';
	app.dimensionWord = (name) => WORDS[name] || name;
	app.keyName = (text) => text.length > NAME_MAX ? text.slice(0, NAME_MAX) + '\u2026' : text;

	const change = (changes) => app.step(Object.assign({ by: app.by(), keys: app.marked(), mode: app.keyMode() },
		changes));

	const numbers = new WeakMap();  /* dimension -> Map of the text of a key -> its number */

	function numberOf(dimension, text) {
		if (!numbers.has(dimension))
			numbers.set(dimension, new Map(dimension.keys.map((key, i) => [key, i])));
		return numbers.get(dimension).get(text);
	}

	/* A pattern that may take forever is tried in a Worker first (slow.js).  Keys are made only when all
	 * patterns are known to work. */
	const tried = new Map();        /* source -> what is wrong with it, or '' */

	/* '' if all patterns work, else what is wrong with one of them; null while this is not known. */
	function patternsWrong() {
		const texts = app.kept('texts', [], () => Array.from({ length: data.stacks }, (unused, stack) =>
			H.data.stackText(data, stack)));

		for (const [, source] of app.view.regexps || settings.regexps || []) {
			const found = tried.has(source) ? null : S.matcher(texts, source, false);

			if (found && found.waits)
				return null;
			if (found)
				tried.set(source, found.error || '');
			if (tried.get(source))
				return tried.get(source);
		}
		return '';
	}
	/* The dimension with this name; null if the dimension or its patterns cannot be used (yet). */
	app.keysBy = (name) => !name || !app.canBe(name) || (name === 'regexp' && patternsWrong() !== '') ? null
		: app.dimension(name);

	let made = { of: '' };

	app.hues = () => {
		const name = app.by(), dimension = app.keysBy(name), mode = app.keyMode(), marked = app.marked();
		const of = dimension ? JSON.stringify([name, app.view.regexps, mode, marked]) : '';

		if (made.of !== of) {
			const keys = mode === 'all' ? dimension.keys.slice(0, HUES_MAX).map((text, i) => i)
				: !of ? [] : marked.map((text) => numberOf(dimension, text)).filter((key) =>
					key !== undefined);

			made = { of: of, hues: !of ? null : { dimension: dimension, keys: keys,
				numbers: H.scale.huesOf(keys), all: mode === 'all',
				isolate: mode === 'isolate' && keys.length > 0, exclude: mode === 'exclude' &&
					keys.length > 0 } };
		}
		return of ? made.hues : null;
	};
	app.keyColour = (i) => '#' + H.scale.hueRgb(H.scale.hue(app.hues().numbers[i]), 1,
		app.isDark()).toString(16).padStart(6, '0');

	/* ---- the controls ---- */

	const names = (settings.dimensions || []).map(([name]) => name).filter((name) => name !== 'regexp' &&
		app.canBe(name));
	const chooser = D.html('select', { 'aria-label': 'Coloured by', onchange: () => app.setBy(chooser.value) },
		D.html('option', { value: '' }, 'count alone'), ...names.map((name) =>
			D.html('option', { value: name }, app.dimensionWord(name))),
		ofCpus ? null : D.html('option', { value: 'regexp' }, app.dimensionWord('regexp')));
	const close = D.button('close', 'Close the keys', 'Close (K)', () => app.act('keys'), { icon: 'close' });
	const patterns = D.html('textarea', { rows: '3', spellcheck: 'false',
		placeholder: 'LABEL=REGEXP, one on each line; the first match counts',
		'aria-label': 'Patterns, one LABEL=REGEXP on each line' });
	const wrong = D.html('div', { 'class': 'wrong', role: 'alert' });

	const MODES = [['highlight', 'Highlight', 'Marked ones in their hues, the others grey (H)'],
		['isolate', 'Isolate', 'Only the marked ones (I)'],
		['exclude', 'Exclude', 'All but the marked ones (E)'],
		['all', 'All', 'Each in a hue, the first ' + HUES_MAX + ' of them (A)']].filter(([mode]) => !ofCpus ||
			mode === 'highlight' || mode === 'all');
	const modes = MODES.map(([mode, label, tip]) => {
		const e = choice(label, tip, () => app.keyMode() === mode, () => app.setKeyMode(mode));

		e.dataset.mode = mode;
		return e;
	});
	const clear = D.html('button', { type: 'button', 'class': 'link', title: 'Unmark all keys', onclick: () =>
		change({ keys: [], mode: 'highlight' }) },
	'Clear');
	const about = D.html('div', { 'class': 'table-about' });
	const list = pyrograph.ui.list({ placeholder: 'Filter', filterLabel: 'Filter the keys, a regular expression',
		sort: 'shown', active: '.cursor', heads: [['name', 'Key', 'By name'],
			['shown', 'Shown', 'Events in the time that is shown'],
			['selected', 'Selected', 'Events in the selection']], rowOf, arrange });
	const { heads } = list;

	list.element.classList.add('keys-list');
	list.element.setAttribute('aria-multiselectable', 'true');
	const body = D.html('div', { 'class': 'keys-body' }, D.html('div', { 'class': 'keys-modes' },
		segment('Marked keys', ...modes), clear),
	list.top, about, list.head, list.element);
	const section = D.html('section', { 'class': 'heat-keys', 'aria-label': 'Keys' },
		D.html('div', { 'class': 'keys-top' },
			D.html('label', {}, 'Coloured by ', chooser), close), patterns, wrong, body);

	app.page.aside.setAttribute('aria-label', 'Keys and distribution');
	app.page.aside.append(section);

	/* Shows the marked keys in this mode; if no key is marked, marks the key that the cursor is at. */
	app.setKeyMode = (mode) => {
		const hues = app.hues(), keys = app.marked();

		if (!hues) {
			app.save.toast('First choose what to colour by');
			return;
		}
		if (ofCpus && mode !== 'highlight' && mode !== 'all') {
			app.save.toast('All CPUs count: none can be left out');
			return;
		}
		if (mode !== 'all' && mode !== 'highlight' && !keys.length) {
			if (cursor >= 0)
				change({ keys: [dimension.keys[cursor]], mode: mode });
			else
				app.save.toast('Mark one of the keys first');
			return;
		}
		change({ mode: mode === app.keyMode() && mode !== 'highlight' ? 'highlight' : mode });
	};
	/* The keys with the most events, which are marked at first so that something stands out. */
	function firstKeys(name) {
		const dimension = app.keysBy(name);

		return !dimension ? [] : dimension.keys.filter((text, i) => dimension.events[i] > 0 &&
			text !== 'other' && text !== '').slice(0, MARKED_FIRST);
	}
	app.setBy = (name, keys = firstKeys(name)) =>
		change({ by: name, keys: keys, mode: 'highlight', panel: app.view.panel || name !== '' });
	/* Marks a key, or removes its mark. */
	app.markKey = (text) => {
		const keys = app.marked();

		change({ keys: keys.includes(text) ? keys.filter((one) => one !== text) : keys.concat([text]),
			mode: app.keyMode() === 'all' ? 'highlight' : app.keyMode() });
	};

	/* ---- patterns ---- */

	/* "kernel=_\[k\]$" -> [label, source] */
	function patternOf(text) {
		const at = text.indexOf('=');

		return at > 0 ? [text.slice(0, at).trim(), text.slice(at + 1)] : [text, text];
	}

	function readPatterns() {
		const all = patterns.value.split('\n').map((text) => text.trim()).filter(Boolean).map(patternOf);
		const bad = all.find(([, source]) => {
			try {
				/* The test compiles the pattern, and throws if the pattern is too large. */
				return new RegExp(source).test('') && false;
			} catch (e) {
				return true;
			}
		});

		wrong.textContent = bad ? 'Not a regular expression: ' + app.keyName(bad[1]) : '';
		if (!bad && JSON.stringify(all) !== JSON.stringify(app.view.regexps || settings.regexps || []))
			app.step({ by: 'regexp', regexps: all, keys: all.map(([label]) =>
				label).filter((label, i, every) => every.indexOf(label) === i)
				.slice(0, HUES_MAX), mode: 'highlight' });
	}

	let typing = 0;

	patterns.addEventListener('input', () => {
		clearTimeout(typing);
		typing = setTimeout(readPatterns, TYPING_MS);
	});
	patterns.addEventListener('change', () => {
		clearTimeout(typing);
		readPatterns();
	});
	patterns.addEventListener('keydown', (event) => {
		if (event.key !== 'Escape')
			event.stopPropagation(); /* Enter begins a new line here */
	});

	/* ---- the list ---- */

	/* The ids of rows must be unique if a page has several pictures. */
	const idStart = 'heat-key-' + document.querySelectorAll('.heat-keys').length + '-';

	let dimension = null, shown = null, selected = null, rows = [], cursor = -1;
	let whole = 0, wholeSelected = 0, most = 0, mostSelected = 0, sortedOf = null, namePx = 100;
	let wasOpen = false;

	function arrange() {
		const { filter, sort: { key, down } } = list, found = S.matcher(dimension.keys, filter.value, true);
		const values = key === 'selected' && selected ? selected : shown, sign = down ? -1 : 1;

		filter.classList.toggle('invalid', Boolean(found.error));
		filter.title = found.error || '';
		rows = dimension.keys.map((text, i) => i);
		if (found.error || found.match)
			rows = rows.filter((i) => found.match && found.match[i]);
		if (key === 'name')
			rows.sort((a, b) => sign * (dimension.keys[a] < dimension.keys[b] ? -1 : 1));
		else
			rows.sort((a, b) => sign * (values[a] - values[b]) || a - b);
		list.count.textContent = rows.length === dimension.keys.length ? N.countText(rows.length) :
			N.countText(rows.length) + ' of ' + N.countText(dimension.keys.length);
		drawRows();
	}

	/* A cell of the list.  The bar shows the share of the largest key, the tip the share of all. */
	function amount(className, value, of, most) {
		const bar = D.html('span', { 'class': 'bar' });

		bar.style.width = most ? (value / most * 100).toFixed(2) + '%' : '0';
		return D.html('span', { 'class': className, title: app.someEvents(value) + ', ' +
			N.percentText(value, of) }, bar,
		D.html('span', {}, value ? N.countText(value) : '\u2013'));
	}

	function rowOf(at) {
		const i = rows[at], { keys } = app.hues(), hue = keys.indexOf(i), text = app.keyName(dimension.keys[i]);
		const dot = D.html('span', { 'class': hue < 0 ? 'dot unmarked' : 'dot' });

		if (hue >= 0 && !app.hues().exclude)
			dot.style.background = app.keyColour(hue);
		const e = D.html('div', { 'class': 'row', role: 'option', id: idStart + i, title: text,
			'aria-selected': String(app.keyMode() !== 'all' && hue >= 0), 'aria-label': text + ': ' +
				app.someEvents(shown[i]) + ', ' +
			N.percentText(shown[i], whole) + (selected ? '; selected: ' + app.someEvents(selected[i])
				: '') },
		dot, D.html('span', { 'class': 'c-name' }, app.ruler.fit(text || '(empty)', namePx, 1, 'middle')),
		amount('c-total', shown[i], whole, most),
		selected ? amount('c-self', selected[i], wholeSelected, mostSelected) : null);

		e.classList.toggle('cursor', i === cursor);
		return e;
	}

	function drawRows() {
		/* Marked names are bold, so wider. */
		namePx = (list.element.clientWidth - (selected ? 178 : 112)) * 0.93;
		list.show(rows.length);
	}

	const sum = (values) => values.reduce((all, v) => all + v, 0);
	/* The largest value of a key; the last value is not that of a key, but of events without one. */
	const largest = (values) => values.subarray(0, values.length - 1).reduce((all, v) => Math.max(all, v), 0);

	function countKeys() {
		const { selection } = app.view;

		shown = app.keyCounts(dimension, app.countsIn(null));
		selected = selection ? app.keyCounts(dimension, app.countsIn(selection)) : null;
		whole = sum(shown);
		wholeSelected = selected ? sum(selected) : 0;
		most = largest(shown);
		mostSelected = selected ? largest(selected) : 0;
	}

	/* "12 threads, 3 marked; 34 samples have none; not here: x". */
	function aboutText() {
		const { keys, all } = app.hues(), words = [], none = shown[dimension.keys.length];
		const gone = app.marked().filter((text) => numberOf(dimension, text) === undefined);

		words.push(N.countText(dimension.keys.length) + ' ' +
			(MANY[app.by()] || 'keys').replace(dimension.keys.length === 1 ? /s$/ : '', '') +
			(all && keys.length < dimension.keys.length ? ', the first ' + keys.length + ' in hues'
				: !all && keys.length ? ', ' +
			N.countText(keys.length) + ' marked' : ''));
		if (none)
			words.push(app.someEvents(none) + ' without one');
		if (gone.length)
			words.push('not here: ' + gone.map(app.keyName).join(', '));
		return words.join('; ');
	}

	function draw() {
		const hues = app.hues();

		chooser.value = app.by();
		patterns.hidden = wrong.hidden = app.by() !== 'regexp';
		if (!patterns.hidden && document.activeElement !== patterns)
			patterns.value = (app.view.regexps || settings.regexps || []).map(([label, source]) =>
				label === source ? source : label + '=' + source).join('\n');
		if (app.by() === 'regexp' && patternsWrong())
			wrong.textContent = patternsWrong();
		else if (document.activeElement !== patterns)
			wrong.textContent = '';
		body.hidden = !hues || !hues.dimension.keys.length;
		if (body.hidden || !app.view.panel)
			return;
		if (dimension !== hues.dimension)
			cursor = -1;
		dimension = hues.dimension;
		clear.hidden = !app.marked().length && app.keyMode() !== 'all';
		list.element.setAttribute('aria-label', app.dimensionWord(app.by()) + ': keys');
		heads.name.textContent = app.dimensionWord(app.by());
		countKeys();
		heads.selected.hidden = !selected;
		section.classList.toggle('with-selected', Boolean(selected));
		about.textContent = about.title = aboutText();
		if (sortedOf !== dimension)
			list.element.scrollTop = 0;
		sortedOf = dimension;
		arrange();
	}

	app.keysOpen = () => app.view.panel;
	app.openKeys = (on) => app.touch({ panel: on });
	app.onchange(() => {
		const isOpen = app.view.panel;

		app.page.aside.hidden = section.hidden = !isOpen;
		app.page.element.classList.toggle('with-keys', isOpen);
		if (isOpen !== wasOpen) {
			wasOpen = isOpen;
			app.page.resize(); /* the width of the maps has changed */
		}
	});

	/* ---- pointer and keys ---- */

	function moveTo(at) {
		if (!rows.length)
			return;
		at = Math.max(0, Math.min(rows.length - 1, at));
		cursor = rows[at];
		list.reveal(at);
		drawRows();
	}

	list.element.addEventListener('click', (event) => {
		const at = list.indexOf(event);

		if (at >= 0) {
			cursor = rows[at];
			app.markKey(dimension.keys[cursor]);
		}
	});
	list.element.addEventListener('keydown', (event) => {
		const at = rows.indexOf(cursor), page = list.pageRows();
		const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity,
			End: Infinity };

		if (event.ctrlKey || event.metaKey || event.altKey)
			return;
		if (event.key in steps)
			moveTo(at + steps[event.key]);
		else if ((event.key === 'Enter' || event.key === ' ') && at >= 0)
			app.markKey(dimension.keys[cursor]);
		else
			return;
		event.preventDefault();
		event.stopPropagation();
	});
	new ResizeObserver(() => !body.hidden && dimension && drawRows()).observe(list.element);
	app.onchangeLater(draw);
};
