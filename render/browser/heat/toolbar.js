/* heat_toolbar: the search, the buttons, the meaning of columns and colours, and a chip for each choice.
 *
 * app.linesNow()  -> app.headingLines with the warning about the rows that are shown
 * app.searched() -> null, or about the search: { stacks: Uint8Array by stack or null, error, waits } */
pyrograph.heat.toolbar = function (app) {
	'use strict';

	const D = pyrograph.ui.dom, N = pyrograph.number, S = pyrograph.search, H = pyrograph.heat, P = H.period;
	const { data, settings, page, choices: C } = app, CHIP_PX = 1000, OTHER = 'other',
		AS_DRAWN = '';
	const ROWS = [10, 20, 25, 49, 50, 60, 99, 100, 200];
	const { tools, choice, segment, said, chip, show } = app.controls;
	const SPEEDS = [0.25, 0.5, 1, 2, 4, 8, 16], isOffset = settings.y === 'offset';

	/* ---- search ---- */

	let searched = { key: '', found: null };

	app.searched = () => {
		const what = app.view.search, key = what && what.pattern ? (what.ignoreCase ? 'i' : '=') + what.pattern
			: '';

		if (!key)
			return null;
		if (searched.key !== key || searched.found.waits) {
			const { match, error, waits } = S.matcher(data.names, what.pattern, what.ignoreCase);

			searched = { key: key, found: { stacks: match ? H.data.match(data, match) : null, error: error,
				waits: Boolean(waits) } };
		}
		return searched.found;
	};

	/* "1,234 samples, 12.34%" of what is shown; or what is wrong with the pattern. */
	app.matchText = () => {
		const found = app.searched();

		if (!found || found.error || !found.stacks)
			return found && found.error || '';
		const counts = app.countsIn(null), matched =
			app.split(counts.map((n, stack) => found.stacks[stack] ? n : 0));

		return app.someEvents(matched.events) + ', ' + N.percentText(matched.events, app.split(counts).events) +
			(matched.idle ? ' (' + N.countText(matched.idle) + ' idle)' : '');
	};

	const searchNow = () => app.view.search || { pattern: '', ignoreCase: false };

	app.searchBox = pyrograph.ui.box(app, { name: 'search', placeholder: 'Search (regexp)',
		tip: 'Search frames: lights up the cells where they ran ( / )',
		label: 'Search frames, a regular expression', count: () => app.matchText(), later: app.onchangeLater,
		error: () => app.searched() && app.searched().error, read: searchNow,
		write: (pattern, ignoreCase) => app.touch({ search: pattern ? { pattern, ignoreCase } : null }) });
	app.searchBox.found.setAttribute('aria-live', 'polite');
	/* ---- buttons ---- */

	const play = D.button('play', 'Play', 'Play: step the selection through time (Space)', () => app.play &&
		app.play.toggle(), { icon: 'play' });
	const zoomOut = D.button('zoom-out', 'Zoom out', 'Show more time (-)', () => app.act('zoomOut'),
		{ icon: 'minus' });
	const zoomIn = D.button('zoom-in', 'Zoom in', 'Show less time, in finer cells (+)', () => app.act('zoomIn'),
		{ icon: 'plus' });
	const all = D.button('reset', 'Show all', 'Show the whole time (0)', () => app.act('zoomAll'),
		{ icon: 'home' });
	const keys = D.button('keys', 'Keys and distribution',
		'Colours by command, thread, ...: keys, and what is in the selection (K)', () => app.act('keys'),
		{ icon: 'table' });

	tools('View: periods, colours, theme, saving (V)', app.searchBox.element, play, zoomOut, zoomIn, all, keys);

	/* ---- controls ---- */

	const option = (value, label) => D.html('option', { value: String(value) }, label);
	const named = (name, part) => D.html('span', { 'class': 'named' }, D.html('span', { 'class': 'quiet' }, name),
		part);
	const periods = D.html('select', { 'aria-label': 'Period', title: 'The length of a column ( [ and ] )',
		onchange: () => {
			if (periods.value === OTHER) {
				period.hidden = false;
				period.focus();
				period.select();
			} else {
				app.setPeriod(periods.value === AS_DRAWN ? null : Number(periods.value));
			}
		} });
	const period = D.html('input', { type: 'text', 'class': 'period', spellcheck: 'false', autocomplete: 'off',
		'aria-label': 'Other period',
		title: 'Any period: 250ms, 1.013s, 90min. Arrow keys change it by a thousandth ' +
			'(Shift: a hundredth, ' + 'Alt: a ten-thousandth), until a diagonal stands upright' });
	const rows = D.html('select', { 'aria-label': 'Rows', onchange: () =>
		app.setRows(rows.value === AS_DRAWN ? null : Number(rows.value)) });

	/* Takes the period from its box: a length of time that was typed, or a small change by the box's
	 * arrows. */
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
			const digit = Math.pow(10, Math.floor(Math.log10(now) + 1e-9)),
				one = digit / (event.shiftKey ? 100 : event.altKey ? 10000 : 1000);

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

	const speed = D.html('select', { 'aria-label': 'Speed of playing', title: 'Speed of playing', onchange: () =>
		app.touch({ speed: Number(speed.value) }) },
	...SPEEDS.map((n) => option(n, n + '\u00d7')));
	/* ---- idle events: one chip, in place of the words that C wrote ---- */

	const idle = app.idleCounts() ? D.html('span', { 'class': 'named' }) : null;
	const idleAmount = () => app.someValue(data.valueOf.reduce((sum, value, stack) => sum + (data.isIdle[stack]
		? value : 0), 0)) || app.someEvents(settings.idleEvents);

	const controls = D.html('div', { 'class': 'layers heat-controls' },
		D.html('label', {}, isOffset ? 'Period ' : 'Column ', periods), period,
		D.html('label', {}, 'Rows ', rows),
		segment('Colours', ...C.colorings.map(([name, label, tip]) =>
			choice(label, tip + ' (C)', () => C.coloring() === name, () => app.setColoring(name)))),
		C.weights.length > 1 ? named('Cells', segment('Cells count',
			...C.weights.map(([name, label]) => choice(label.replace(/:.*/, ''),
				'Cells count ' + label.toLowerCase() + ' (W)', () => C.weigh() === name, () =>
					app.setWeigh(name))))) : null,
		named('Drag', segment('Dragging selects', choice('Time', 'Dragging selects a range of time (M)', () =>
			app.selecting() === 'time',
		() => app.setSelecting('time')), choice('Rows', isOffset
			? 'Dragging selects the same part of each period (M)'
			: 'Dragging selects a rectangle: time and values (M)', () => app.selecting() === 'rows', () =>
			app.setSelecting('rows')))),
		idle,
		D.html('label', { 'class': 'speed' }, 'Speed ', speed));

	page.heading.after(controls);

	function fillPeriods(now) {
		const isUsual = C.periods.includes(now), drawnPeriod = Number(settings.period),
			shown = app.view.period === null ? AS_DRAWN : isUsual ? now : OTHER;

		periods.replaceChildren(option(AS_DRAWN, app.view.period === null && now !== drawnPeriod ? 'fitting: ' +
			P.text(now) : 'as drawn: ' + P.text(drawnPeriod)),
		...C.periods.map((ns) => option(ns, P.text(ns))), option(OTHER, 'other \u2026'));
		periods.value = String(shown);
		if (document.activeElement !== period) {
			period.hidden = shown !== OTHER;
			period.value = P.text(now);
			period.classList.remove('invalid');
		}
	}

	function fillRows(now) {
		const some = ROWS.includes(now) ? ROWS : ROWS.concat([now]).sort((a, b) => a - b);

		rows.replaceChildren(option(AS_DRAWN, app.view.rows === null ? String(now) : 'as drawn'),
			...some.map((n) => option(n, String(n))));
		rows.value = app.view.rows === null ? AS_DRAWN : String(app.view.rows);
	}

	/* ---- the warning about rows and samples ---- */

	const warning = D.html('div', { 'class': 'note beats', role: 'status' });

	/* Replaces the warning that C wrote, which is about the rows that C drew, by one about the rows that are shown
	 * now. */
	const isDrawn = (text) => Boolean(settings.warning) && settings.warning.includes(text.trim());

	for (const line of page.heading.querySelectorAll('.notes > .note'))
		line.hidden = isDrawn(line.textContent);
	if (idle)
		app.controls.hideLines(settings.idleNote);
	/* C wrote the time of the recording in the zone of the picture. */
	const lines = app.headingLines.slice(1), written = lines.map(({ text }) => text);
	const DAY = '\\d{4}-\\d\\d-\\d\\d ', TIME = '\\d\\d:\\d\\d[\\d:.]*';
	const WHEN = new RegExp(`(^| \u00b7 )(?:${DAY})${TIME} \u2013 (?:${DAY})?${TIME} (\\S+?)(?=$| \u00b7 )`);

	function tellZone() {
		const isOwn = settings.relative || app.view.zone === null || app.view.zone === 'own';

		lines.forEach((line, i) => {
			const text = isOwn || line.className !== 'note' ? written[i]
				: written[i].replace(WHEN, (all, before, label) => label !== settings.zone[1] ? all
					: before + app.rangeText(app.whole.from, app.whole.to));

			if (line.element && text !== line.text)
				line.element.textContent = text;
			line.text = text;
		});
	}
	app.linesNow = () => app.headingLines.filter(({ element }) => !element || !element.hidden).concat(
		idle ? [{ className: 'note', text: idle.textContent, size: settings.fontSize }] : [],
		warning.hidden ? [] : [{ className: 'note', text: warning.firstChild.textContent,
			size: settings.fontSize }]);
	(page.heading.querySelector('.notes') || page.heading).append(warning);

	function drawWarning(axes) {
		const found = H.beats.warning(settings, axes);

		warning.hidden = !found;
		warning.replaceChildren(...!found ? [] : [found.said, ...found.rows.map((n) =>
			D.html('button', { type: 'button', 'class': 'link', onclick: () => app.setRows(n) }, n +
				' rows'))]);
	}

	/* ---- chips ---- */

	function drawChips() {
		const v = app.view, hues = app.hues && app.hues(), chips = [], add = (name, word, text, tip, run) =>
			chips.push(chip('of-' + name, said(word, text, CHIP_PX), run, tip));

		if (hues && (hues.isolate || hues.exclude))
			add('keys', hues.isolate ? 'Only' : 'Without', hues.keys.map((key) =>
				app.keyName(hues.dimension.keys[key])).join(', '), 'Show all again', () =>
				app.setKeyMode('highlight'));
		if (v.selection)
			add('selection', 'A', app.selectionText(v.selection), 'Select nothing (Esc)', () =>
				app.select(null));
		if (v.baseline)
			add('baseline', 'B', app.selectionText(v.baseline), 'No comparison', () =>
				app.step({ baseline: null }));
		if (v.frame)
			add('frame', 'Frame', app.keyName(v.frame[v.frame.length - 1] || 'all'), 'No frame', () =>
				app.touch({ frame: null }));
		show(chips);
	}

	app.onchange(() => {
		const found = app.searched(), { axes } = app.grids(), playing = Boolean(app.view.play);

		app.foot.showMatched(found && found.error || '', Boolean(found && found.error));
		play.replaceChildren(D.icon(playing ? 'pause' : 'play'));
		play.setAttribute('aria-pressed', String(playing));
		play.setAttribute('aria-label', playing ? 'Pause' : 'Play');
		play.disabled = !app.view.selection;
		zoomOut.disabled = all.disabled = app.view.from === null && app.view.to === null;
		keys.setAttribute('aria-pressed', String(Boolean(app.keysOpen && app.keysOpen())));
		if (idle)
			idle.replaceChildren(app.controls.idleChip(app.view.idle, idleAmount(), settings.idleWhat,
				'Y'));
		fillPeriods(Number(axes.period));
		fillRows(axes.rows);
		if (document.activeElement !== speed && !SPEEDS.includes(app.view.speed))
			speed.append(option(app.view.speed, app.view.speed + '\u00d7'));
		speed.value = String(app.view.speed);
		tellZone();
		drawWarning(axes);
		drawChips();
	});
	app.askPeriod = () => {
		controls.classList.add('asked-for'); /* shown even if there is too little room */
		period.hidden = false;
		period.focus();
		period.select();
	};
};
