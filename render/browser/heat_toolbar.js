/* heat_toolbar: search, buttons, what columns and colours are, and the menu with the rest; the
 * list of all that can be done, of which menus, keys and help are made; chips for what was chosen.
 *
 * pyrograph.heat.period.parse("1.013s") -> ns, or null; .text(1013000000) -> "1.013 s"
 * app.searched() -> null, or { stacks: Uint8Array by stack or null, error, waits } of the search */
pyrograph.heat.period = (function () {
	'use strict';

	const UNITS = { ns: 1, us: 1e3, '\u00b5s': 1e3, '\u03bcs': 1e3, ms: 1e6, s: 1e9, sec: 1e9, m: 60e9, min: 60e9, h: 3600e9, d: 86400e9 };
	const MOST = 366 * 86400e9, SHOWN = [['d', 86400e9], ['h', 3600e9], ['min', 60e9], ['s', 1e9], ['ms', 1e6], ['\u00b5s', 1e3], ['ns', 1]];

	/* Digits are moved, not multiplied: 1.013 s is 1013000000 ns. */
	function parse(text) {
		const found = /^\s*(\d{1,9})?(?:[.,](\d{1,9}))?\s*([a-z\u00b5\u03bc]*)\s*$/i.exec(text);
		const unit = found && (UNITS[found[3]] || UNITS[found[3].toLowerCase()] || (found[3] ? 0 : 1e9));

		if (!unit || (!found[1] && !found[2]))
			return null;
		const rest = found[2] || '', ns = Math.round((Number(found[1] || 0) * unit) + Number(rest) * unit / Math.pow(10, rest.length));

		return ns >= 1000 && ns <= MOST ? ns : null;
	}

	function text(ns) {
		const whole = SHOWN.find(([name, one]) => one >= 60e9 && ns >= one && ns % one === 0);
		const [name, one] = whole || SHOWN.find(([, unit]) => unit <= 1e9 && ns >= unit) || ['ns', 1];
		const rest = (ns % one / one).toFixed(9).slice(2).replace(/0+$/, '');

		return Math.floor(ns / one) + (rest ? '.' + rest : '') + ' ' + name;
	}

	return { parse, text };
})();

pyrograph.heat.toolbar = function (app) {
	'use strict';

	const D = pyrograph.ui.dom, N = pyrograph.number, S = pyrograph.search, H = pyrograph.heat, P = H.period;
	const { data, settings, page } = app, TYPING_MS = 150, OTHER = 'other', AS_DRAWN = '';
	const PERIODS = [1e9, 10e9, 60e9, 300e9, 3600e9, 86400e9], ROWS = [10, 20, 25, 49, 50, 60, 99, 100, 200];
	const SPEEDS = [0.25, 0.5, 1, 2, 4, 8, 16], isOffset = settings.y === 'offset';

	/* ---- what may be chosen; what is as it was drawn is not in the link ---- */

	const setDrawn = (key, value, drawn) => app.touch({ [key]: value === drawn ? null : value });
	const coloring = () => app.view.coloring || settings.coloring, weigh = () => app.view.weigh || settings.weigh;
	const ramp = () => app.view.ramp || settings.ramp, zone = () => app.view.zone || 'own';
	const COLORINGS = [['linear', 'Linear', 'By count'], ['rank', 'Rank', 'By rank among all cells: contrast whatever the counts are'],
		['log', 'Log', 'By the logarithm of the count']];
	const WEIGHTS = [['events', 'Events'], ...data.value !== null || settings.unit !== settings.event ? [['values', 'Values: ' + settings.unit]] : [],
		...settings.spans ? [['painted', 'Time: the whole of each span is painted']] : []];
	const ZONES = [['own', 'As drawn: ' + settings.zone[1]], ['UTC', 'UTC'], ['local', 'Of this browser']];

	app.setColoring = (name) => setDrawn('coloring', name, settings.coloring);
	app.setRamp = (name) => setDrawn('ramp', name, settings.ramp);
	app.setWeigh = (name) => setDrawn('weigh', name, settings.weigh);
	app.setZone = (name) => setDrawn('zone', name, 'own');
	app.setPeriod = (ns) => app.step({ period: ns });
	app.setRows = (rows) => app.step({ rows: rows });
	app.setIdle = (on) => app.step({ idle: on });
	app.setTheme = (name) => app.touch({ theme: name === 'auto' ? null : name });

	const next = (values, now) => values[(values.indexOf(now) + 1) % values.length];
	const nextOf = (all, now, set) => () => set(next(all.map(([name]) => name), now()));

	/* The next longer or shorter of the usual periods. */
	function stepPeriod(step) {
		const now = Number(app.axes().period), all = step > 0 ? PERIODS : PERIODS.slice().reverse();
		const found = all.find((period) => step > 0 ? period > now : period < now);

		if (found)
			app.setPeriod(found);
	}

	/* ---- search ---- */

	let searched = { key: '', found: null };

	app.searched = () => {
		const what = app.view.search, key = what && what.pattern ? (what.ignoreCase ? 'i' : '=') + what.pattern : '';

		if (!key)
			return null;
		if (searched.key !== key || searched.found.waits) {
			const { match, error, waits } = S.matcher(data.names, what.pattern, what.ignoreCase);

			searched = { key: key, found: { stacks: match ? H.data.match(data, match) : null, error: error, waits: Boolean(waits) } };
		}
		return searched.found;
	};

	/* "1,234 samples, 12.34%" of what is shown, or what is wrong */
	app.matchText = () => {
		const found = app.searched();

		if (!found || found.error || !found.stacks)
			return found && found.error || '';
		const counts = app.countsIn(null), matched = app.split(counts.map((n, stack) => found.stacks[stack] ? n : 0));

		return app.someEvents(matched.events) + ', ' + N.percentText(matched.events, app.split(counts).events) +
			(matched.idle ? ' (' + N.countText(matched.idle) + ' idle)' : '');
	};

	const input = D.html('input', { type: 'text', placeholder: 'Search (regexp)', spellcheck: 'false', autocapitalize: 'off',
		autocomplete: 'off', enterkeyhint: 'search', title: 'Search frames: lights up the cells where they ran ( / )',
		'aria-label': 'Search frames, a regular expression' });
	const count = D.html('span', { 'class': 'count', 'aria-live': 'polite' });
	const clear = D.button('clear', 'Clear search', 'Clear search (Esc)', () => search(''), { icon: 'close' });
	const ignore = D.button('case', 'Ignore case', 'Ignore case (Ctrl+I)', () => app.act('case'), 'aA');
	const box = D.html('div', { 'class': 'search' }, input, count, clear, ignore);
	let typing = 0;

	function search(pattern, ignoreCase = app.view.search ? app.view.search.ignoreCase : false) {
		clearTimeout(typing);
		input.value = pattern;
		app.touch({ search: pattern ? { pattern: pattern, ignoreCase: ignoreCase } : null });
	}

	input.addEventListener('input', () => {
		clearTimeout(typing);
		typing = setTimeout(() => search(input.value), TYPING_MS);
	});
	input.addEventListener('change', () => {
		if (input.value !== (app.view.search ? app.view.search.pattern : ''))
			search(input.value);
	});
	input.addEventListener('keydown', (event) => {
		if (event.key === 'Escape') {
			if (input.value)
				search('');
			else
				input.blur();
		} else if (event.key === 'i' && (event.ctrlKey || event.metaKey)) {
			app.act('case');
		} else {
			return;
		}
		event.preventDefault();
		event.stopPropagation();
	});
	app.searchBox = input;

	/* ---- buttons ---- */

	const play = D.button('play', 'Play', 'Play: step the selection through time (Space)', () => app.play && app.play.toggle(), { icon: 'play' });
	const zoomOut = D.button('zoom-out', 'Zoom out', 'Show more time (-)', () => app.act('zoomOut'), { icon: 'minus' });
	const zoomIn = D.button('zoom-in', 'Zoom in', 'Show less time, in finer cells (+)', () => app.act('zoomIn'), { icon: 'plus' });
	const all = D.button('reset', 'Show all', 'Show all of the time (0)', () => app.act('zoomAll'), { icon: 'home' });
	const keys = D.button('keys', 'Keys and distribution', 'Colours by command, thread, ...: keys, and what is in the selection (K)', () => app.act('keys'),
		{ icon: 'table' });
	const view = D.button('view', 'View', 'View: periods, colours, theme, saving (V)', () => {
		if (!app.menuJustClosed())
			app.act('view');
	}, { icon: 'view' });

	view.setAttribute('aria-haspopup', 'menu');
	app.viewButton = view;
	page.tools.append(box, play, zoomOut, zoomIn, all, keys, view, D.button('help', 'Keys and help', 'Keys and help (?)', () => app.act('help'), '?'));

	/* ---- controls ---- */

	const option = (value, label) => D.html('option', { value: String(value) }, label);
	const segment = (label, ...buttons) => D.html('span', { 'class': 'segment', role: 'group', 'aria-label': label }, ...buttons);
	const choices = [];

	function choice(label, tip, is, run) {
		const e = D.html('button', { type: 'button', title: tip, onclick: run }, label);

		choices.push([e, is]);
		return e;
	}

	const periods = D.html('select', { 'aria-label': 'Period', title: 'What a column is long ( [ and ] )', onchange: () => {
		if (periods.value === OTHER) {
			period.hidden = false;
			period.focus();
			period.select();
		} else {
			app.setPeriod(periods.value === AS_DRAWN ? null : Number(periods.value));
		}
	} });
	const period = D.html('input', { type: 'text', 'class': 'period', spellcheck: 'false', autocomplete: 'off', 'aria-label': 'Other period',
		title: 'Any period: 250ms, 1.013s, 90min. Arrow keys change it by a thousandth (Shift: a hundredth, Alt: a ten-thousandth), until a diagonal stands upright' });
	const rows = D.html('select', { 'aria-label': 'Rows', onchange: () => app.setRows(rows.value === AS_DRAWN ? null : Number(rows.value)) });

	/* The box: a length of time, or arrows that change it a little. */
	function takePeriod(isStep) {
		const ns = P.parse(period.value);

		period.classList.toggle('invalid', ns === null);
		period.setAttribute('aria-invalid', String(ns === null));
		if (ns !== null && ns !== Number(app.axes().period))
			app[isStep ? 'step' : 'touch']({ period: ns });
	}
	period.addEventListener('input', () => period.classList.toggle('invalid', P.parse(period.value) === null));
	period.addEventListener('change', () => takePeriod(true));
	period.addEventListener('keydown', (event) => {
		const step = { ArrowUp: 1, ArrowDown: -1 }[event.key], now = P.parse(period.value);

		if (event.key === 'Enter') {
			takePeriod(true);
		} else if (event.key === 'Escape') {
			period.value = P.text(Number(app.axes().period));
			period.classList.remove('invalid');
			period.blur();
		} else if (step && now) {
			const digit = Math.pow(10, Math.floor(Math.log10(now) + 1e-9)), one = digit / (event.shiftKey ? 100 : event.altKey ? 10000 : 1000);

			period.value = P.text(Math.max(1000, Math.round(now + step * one)));
			takePeriod(false);
		} else {
			if (!event.ctrlKey && !event.metaKey)
				event.stopPropagation();
			return;
		}
		event.preventDefault();
		event.stopPropagation();
	});

	const speed = D.html('select', { 'aria-label': 'Speed of playing', title: 'Speed of playing', onchange: () => app.touch({ speed: Number(speed.value) }) },
		...SPEEDS.map((n) => option(n, n + '\u00d7')));
	const controls = D.html('div', { 'class': 'layers heat-controls' },
		D.html('label', {}, isOffset ? 'Period ' : 'Column ', periods), period, D.html('label', {}, 'Rows ', rows),
		segment('Colours', ...COLORINGS.map(([name, label, tip]) => choice(label, tip + ' (C)', () => coloring() === name, () => app.setColoring(name)))),
		segment('Dragging selects', choice('Time', 'Dragging selects a range of time (M)', () => app.view.selecting === 'time',
			() => app.touch({ selecting: 'time' })), choice('Rows', isOffset ? 'Dragging selects the same part of each period (M)'
			: 'Dragging selects a rectangle: time and values (M)', () => app.view.selecting === 'rows', () => app.touch({ selecting: 'rows' }))),
		settings.idleEvents ? choice('Idle', 'Count idle CPUs as well: ' + app.someEvents(settings.idleEvents) + ' (Y)', () => app.view.idle,
			() => app.setIdle(!app.view.idle)) : null, D.html('label', { 'class': 'speed' }, 'Speed ', speed));

	page.heading.after(controls);

	function fillPeriods(now) {
		const isUsual = PERIODS.includes(now), drawnPeriod = Number(settings.period), shown = app.view.period === null ? AS_DRAWN : isUsual ? now : OTHER;

		periods.replaceChildren(option(AS_DRAWN, app.view.period === null && now !== drawnPeriod ? 'fitting: ' + P.text(now) : 'as drawn: ' + P.text(drawnPeriod)),
			...PERIODS.map((ns) => option(ns, P.text(ns))), option(OTHER, 'other \u2026'));
		periods.value = String(shown);
		if (document.activeElement !== period) {
			period.hidden = shown !== OTHER;
			period.value = P.text(now);
			period.classList.remove('invalid');
		}
	}

	function fillRows(now) {
		const some = ROWS.includes(now) ? ROWS : ROWS.concat([now]).sort((a, b) => a - b);

		rows.replaceChildren(option(AS_DRAWN, app.view.rows === null ? String(now) : 'as drawn'), ...some.map((n) => option(n, String(n))));
		rows.value = app.view.rows === null ? AS_DRAWN : String(app.view.rows);
	}

	/* ---- what the rows do to the samples ---- */

	const warning = D.html('div', { 'class': 'alarm beats', role: 'status' });

	/* C's is of the rows that it drew: that of these rows takes its place. */
	for (const line of page.heading.querySelectorAll('.notes > .alarm'))
		line.hidden = Boolean(settings.warning) && settings.warning.includes(line.textContent.trim());
	(page.heading.querySelector('.notes') || page.heading).append(warning);

	function drawWarning(axes) {
		const found = H.beats.warning(settings, axes);

		warning.hidden = !found;
		warning.replaceChildren(...!found ? [] : [found.text, ...found.rows.map((n) =>
			D.html('button', { type: 'button', 'class': 'link', onclick: () => app.setRows(n) }, n + ' rows'))]);
	}

	/* ---- chips ---- */

	const chip = (className, word, text, undo, run) => D.html('span', { 'class': 'chip ' + className }, D.html('span', { 'class': 'word' }, word),
		D.html('span', { 'class': 'chip-text', title: text }, app.ruler.fit(text, 420, 1, 'middle')),
		D.button('remove', undo, undo, run, { icon: 'close' }));

	function drawChips() {
		const v = app.view, hues = app.hues && app.hues(), chips = [];

		if (hues && (hues.isolate || hues.exclude))
			chips.push(chip('of-keys', hues.isolate ? 'Only' : 'Without', hues.keys.map((key) => app.keyName(hues.dimension.keys[key])).join(', '),
				'Show all again', () => app.setKeyMode('highlight')));
		if (v.selection)
			chips.push(chip('of-selection', 'A', app.selectionText(v.selection), 'Select nothing (Esc)', () => app.select(null)));
		if (v.baseline)
			chips.push(chip('of-baseline', 'B', app.selectionText(v.baseline), 'No comparison', () => app.step({ baseline: null })));
		if (v.frame)
			chips.push(chip('of-frame', 'Frame', app.keyName(v.frame[v.frame.length - 1] || 'all'), 'No frame', () => app.touch({ frame: null })));
		page.chips.hidden = !chips.length;
		page.chips.replaceChildren(...chips);
	}

	app.onchange(() => {
		const found = app.searched(), { axes } = app.grids(), playing = Boolean(app.view.play);

		if (document.activeElement !== input)
			input.value = app.view.search ? app.view.search.pattern : '';
		box.classList.toggle('invalid', Boolean(found && found.error));
		clear.hidden = ignore.hidden = !found;
		ignore.setAttribute('aria-pressed', String(Boolean(app.view.search && app.view.search.ignoreCase)));
		count.textContent = app.matchText();
		count.title = count.textContent;
		play.replaceChildren(D.icon(playing ? 'pause' : 'play'));
		play.setAttribute('aria-pressed', String(playing));
		play.setAttribute('aria-label', playing ? 'Pause' : 'Play');
		play.disabled = !app.view.selection;
		zoomOut.disabled = all.disabled = app.view.from === null && app.view.to === null;
		keys.setAttribute('aria-pressed', String(Boolean(app.keysOpen && app.keysOpen())));
		for (const [e, is] of choices)
			e.setAttribute('aria-pressed', String(is()));
		fillPeriods(Number(axes.period));
		fillRows(axes.rows);
		if (document.activeElement !== speed && !SPEEDS.includes(app.view.speed))
			speed.append(option(app.view.speed, app.view.speed + '\u00d7'));
		speed.value = String(app.view.speed);
		drawWarning(axes);
		drawChips();
	});

	/* ---- all that can be done ---- */

	const actions = {
		search: ['/', 'Search frames', () => { input.focus(); input.select(); }, 'Find'],
		'case': ['', 'Ignore case (Ctrl+I)', () => app.view.search ? search(app.view.search.pattern, !app.view.search.ignoreCase) : null, 'Find'],
		keys: ['k', 'Keys and distribution', () => app.openKeys(!app.keysOpen()), 'Keys'],
		nextBy: ['n', 'Colour by the next of them', () => app.setBy(next(['', ...settings.dimensions.map(([name]) => name)], app.by())), 'Keys'],
		highlight: ['h', 'Marked keys in their hues', () => app.setKeyMode('highlight'), 'Keys'],
		isolate: ['i', 'Only the marked keys', () => app.setKeyMode('isolate'), 'Keys'],
		exclude: ['e', 'All but the marked keys', () => app.setKeyMode('exclude'), 'Keys'],
		rainbow: ['a', 'All keys in hues', () => app.setKeyMode('all'), 'Keys'],
		longer: [']', 'Longer period', () => stepPeriod(1), 'View'],
		shorter: ['[', 'Shorter period', () => stepPeriod(-1), 'View'],
		period: ['o', 'Another period', () => app.askPeriod(), 'View'],
		coloring: ['c', 'Linear, rank, logarithmic colours', nextOf(COLORINGS, coloring, app.setColoring), 'View'],
		ramp: ['r', 'Next scale of colours', nextOf(settings.ramps, ramp, app.setRamp), 'View'],
		weigh: ['w', 'Events, values, time', nextOf(WEIGHTS, weigh, app.setWeigh), 'View', () => WEIGHTS.length > 1],
		idle: ['y', 'Count idle CPUs as well', () => app.setIdle(!app.view.idle), 'View', () => settings.idleEvents > 0],
		zone: ['t', 'Next time zone', nextOf(ZONES, zone, app.setZone), 'View', () => !settings.relative],
		theme: ['d', 'Dark or light', () => app.setTheme(app.isDark() ? 'light' : 'dark'), 'View'],
		view: ['v', 'View menu', () => app.openViewMenu(), 'View'],
		resetAll: ['R', 'As it was drawn', () => app.resetAll(), 'View'],
		copyLink: ['l', 'Copy the link to this view', () => app.copyLink(), 'Keep', () => app.link && app.link() !== null],
		copyDetails: ['D', 'Copy the distribution', () => app.copyDetails(), 'Keep'],
		saveTimed: ['T', 'Save the selection as timed lines', () => app.saveTimed(), 'Keep'],
		saveFolded: ['F', 'Save the selection as folded lines', () => app.saveFolded(), 'Keep'],
		saveSvg: ['S', 'Save the picture as SVG', () => app.saveSvg(), 'Keep'],
		savePng: ['P', 'Save the picture as PNG', () => app.savePng(), 'Keep'],
		help: ['?', 'This help', () => app.toggleHelp(), 'Keep'],
	};

	Object.assign(app.actions, actions);
	app.resetAll = () => app.step(Object.assign(H.address.emptyView(), { theme: app.view.theme }));
	app.askPeriod = () => {
		controls.classList.add('asked-for'); /* also where there is no room for it */
		period.hidden = false;
		period.focus();
		period.select();
	};

	const radios = (all, now, set, letter) => all.map(([name, label], i) => ({ label: label, radio: true, checked: now === name,
		key: i ? '' : letter, run: () => set(name) }));

	app.openViewMenu = () => {
		const at = view.getBoundingClientRect(), item = app.actionItem, now = app.view.period, theme = app.view.theme || 'auto';
		const has = (id) => app.actions[id] && (!app.actions[id][4] || app.actions[id][4]());

		app.openMenu([{ heading: isOffset ? 'Period' : 'Column' },
			...radios([[null, 'As drawn: ' + P.text(Number(settings.period))], ...PERIODS.map((ns) => [ns, P.text(ns)])], now, app.setPeriod, ''),
			{ label: now !== null && !PERIODS.includes(now) ? 'Other: ' + P.text(now) : 'Other \u2026', radio: true, key: 'O',
				checked: now !== null && !PERIODS.includes(now), run: app.askPeriod },
			{ heading: 'Colours' }, ...radios(COLORINGS.map(([name, label, tip]) => [name, label + ': ' + tip.toLowerCase().replace(/:.*/, '')]),
				coloring(), app.setColoring, 'C'),
			{ heading: 'Scale' }, ...radios(settings.ramps.map(([name, about]) => [name, name + (about ? ': ' + app.ruler.fit(about, 200, 1, 'right') : '')]),
				ramp(), app.setRamp, 'R'),
			...WEIGHTS.length > 1 ? [{ heading: 'Cells count' }, ...radios(WEIGHTS, weigh(), app.setWeigh, 'W')] : [],
			{ heading: 'Dragging selects' }, ...radios([['time', 'A range of time'], ['rows', isOffset ? 'The same part of each period' : 'Time and values']],
				app.view.selecting, (name) => app.touch({ selecting: name }), 'M'), { line: true },
			...has('idle') ? [item('idle', { checked: app.view.idle })] : [], item('keys', { checked: app.keysOpen() }),
			...has('flame') ? [item('flame', { checked: app.view.flameShown, label: 'Flame graph' })] : [],
			...settings.relative ? [] : [{ heading: 'Times' }, ...radios(ZONES, zone(), app.setZone, 'T')],
			{ heading: 'Theme' }, ...radios([['auto', 'As the system'], ['light', 'Light'], ['dark', 'Dark']], theme, app.setTheme, ''),
			{ heading: 'Keep' }, ...has('copyLink') ? [item('copyLink')] : [], item('copyDetails'), item('saveTimed'), item('saveFolded'),
			item('saveSvg'), item('savePng'), { line: true }, item('resetAll'), item('help')], at.left, at.bottom + 4, 'View');
	};
};
