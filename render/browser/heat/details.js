/* heat_details: the contents of the selection: its time, its events, the part of its time that was not seen, its keys
 * and stacks; without a selection, the same for the visible time.
 *
 * app.spans(selection)      -> [[from, to], ...] in ns, to excluded
 * app.seen(spans)           -> { length, wanted, seen, cpus, expected }: length in ns; wanted and seen in ns,
 *                              added over all CPUs; expected: number of samples, or null
 */
pyrograph.heat.details = function (app) {
	'use strict';

	const D = pyrograph.ui.dom, N = pyrograph.number, H = pyrograph.heat, { data, settings, page } = app;
	const FEW = 10, CHUNK = 50, COPIED_KEYS = 50, COPIED_STACKS = 10, SHOWN_FRAMES = 2;
	const unit = pyrograph.heat.data.unit(settings);

	/* ---- how much of the time was seen ---- */

	app.spans = (selection) => {
		const shown = app.shown();

		if (!selection || settings.y !== 'offset' && selection.kind !== 'time')
			return [selection ? [selection.from, selection.to] : [shown.from, shown.to]];
		return H.select.ranges(settings, app.axes(), selection).map(([a, b]) =>
			[H.data.nsOf(settings, a), H.data.nsOf(settings, b)]);
	};

	/* Is the source a recording of all processes?  The number of samples to be expected of one command is
	 * unknown. */
	function isOfAll({ source }) {
		const { command = '', filter = '' } = source || {}, own = command.split(' -- ')[0];

		return !filter && (!command || /(^|\s)(-g?a[a-z]*|--all-cpus|-C\S*|--cpu\S*)(\s|$)/.test(own));
	}

	const lengthOf = (spans) => spans.reduce((sum, [from, to]) => sum + to - from, 0);

	app.seen = (spans) => {
		const { recording, cpu } = app.view.selection && app.mapPart(app.mapOf(app.view.selection)) ||
			{ recording: -1, cpu: -1 }, rates = new Set(settings.recordings.map((r) => r.rate));
		const dark = app.kept('dark', [recording, cpu], () => H.seen.dark(settings, recording, data, cpu)),
			length = lengthOf(spans);
		const unseen = dark.reduce((sum, list) => sum + H.seen.common(list, spans), 0),
			seen = length * dark.length - unseen;

		return { length: length, wanted: length * dark.length, seen: seen, cpus: dark.length,
			expected: rates.size === 1 && settings.rate > 0 &&
				settings.recordings.every((r) => r.cpus.length && isOfAll(r))
				? seen / 1e9 * settings.rate : null };
	};

	/* Whole minutes and hours are written as minutes and hours. */
	const lengthText = (ns) => ns >= 60e9 && ns % 60e9 === 0 ? H.period.text(ns) : N.durationText(ns);

	const hasValues = app.someValue(0) !== null, sumHead = hasValues ? '\tsum' : '';

	/* ---- the figures: [[label, text], ...] ---- */

	/* Rounds times and bytes, which may be fractions; but a key or stack that occurs is shown with at least 1. */
	const whole = (n) => n > 0 ? Math.max(1, Math.round(n)) : 0;

	/* [[percent, value], ...]: the percentiles of the events' values, computed like the lines over columns. */
	function percentilesOf(selection) {
		const percents = settings.percentiles || [], only = app.isSelected(selection),
			found = new Float64Array(percents.length ? data.count : 0);
		const shown = app.shown();
		let count = 0;

		for (const [from, to] of percents.length ? app.eventRanges(selection ||
			{ kind: 'time', from: shown.from, to: shown.to }) : []) {
			for (let i = from; i < to; i++) {
				if ((app.view.idle || !data.isIdle[data.stack[i]]) && (!selection || !only || only(i)))
					found[count++] = data.value ? data.value[i] : settings.same;
			}
		}
		const values = found.subarray(0, count).sort();

		return !count ? [] : percents.map((percent) => [percent,
			values[Math.max(0, Math.min(Math.ceil(percent * count / 100 - 1e-9), count) - 1)]]);
	}

	function figures(selection) {
		const counts = app.countsIn(selection), { events, idle } = app.split(counts),
			all = app.split(data.eventsOf).events;
		const shown = app.shown(), { from, to } = selection || shown, spans = app.spans(selection),
			sight = app.seen(spans);
		const band = selection ? app.bandText(selection) : '', out = [['time', app.rangeText(from, to)]];
		const value = app.valuesIn(selection).reduce((sum, v, s) => sum +
			(app.view.idle || !data.isIdle[s] ? v : 0), 0), text = app.someValue(value);
		const allValues = data.valueOf.reduce((sum, v, s) => sum + (app.view.idle || !data.isIdle[s] ? v : 0),
			0);

		/* an idle CPU may have no samples, so busy time is relative to the expected samples */
		const busy = counts.reduce((sum, n, s) => sum + (data.isIdle[s] ? 0 : n), 0);

		if (band)
			out.push([settings.y === 'offset' ? 'offset' : 'values', band]);
		out.push(['length', lengthText(sight.length) + (spans.length > 1 ? ' in ' + N.countText(spans.length) +
			' parts' : '')],
		[settings.event, N.countText(whole(events)) +
				(events === all ? '' : ', ' + N.percentText(events, all) + ' of all')]);
		if (text)
			out.push(['sum', text + (value === allValues ? '' : ', ' + N.percentText(value, allValues) +
				' of all')]);
		for (const [percent, at] of settings.y === 'value' ? percentilesOf(selection) : [])
			out.push(['p' + percent, N.valueText(unit, at)]);
		if (idle || settings.idleEvents)
			out.push(['idle', app.someEvents(idle) + (busy >= 0 && sight.expected > 0 ?
				'; busy ' + N.percentText(Math.min(busy, sight.expected), sight.expected) : '')]);
		if (sight.expected !== null)
			out.push(['expected', app.someEvents(Math.round(sight.expected)) +
				(sight.cpus ? ' at ' + settings.rate + ' Hz on ' + sight.cpus +
				(sight.cpus === 1 ? ' CPU' : ' CPUs') : '')]);
		if (sight.seen < sight.wanted)
			out.push(['not seen', app.unseenText(sight)]);
		return out;
	}

	/* The keys of the dimension that colours the cells, or else of threads: [[text, count], ...], largest
	 * counts first. */
	const usual = ['thread', 'comm', 'command'].find((name) => settings.dimensions.some(([one]) => one === name)) ||
		(settings.dimensions[0] || [''])[0];
	let by = null;                  /* the dimension that the reader chose */

	/* The name of the dimension to be shown, if it has keys; otherwise ''. */
	function nameNow() {
		return [by, app.by(), usual].find((name) => name && app.keysBy(name) && app.keysBy(name).keys.length) ||
			'';
	}

	function keysOf(name, selection) {
		const dimension = app.dimension(name), counts = app.keyCounts(dimension, app.countsIn(selection));
		const values = app.keyCounts(dimension, app.valuesIn(selection)), last = dimension.keys.length;

		return Array.from(dimension.keys, (text, i) => [text, counts[i],
			values[i]]).concat([[null, counts[last], values[last]]])
			.filter(([, n]) => n > 0).sort((a, b) => b[1] - a[1]);
	}

	function stacksOf(selection) {
		const counts = app.countsIn(selection), values = app.valuesIn(selection), out = [];

		for (let stack = 0; stack < counts.length; stack++) {
			if (counts[stack] && (app.view.idle || !data.isIdle[stack]))
				out.push([stack, counts[stack], values[stack]]);
		}
		return out.sort((a, b) => b[1] - a[1] || a[0] - b[0]);
	}

	/* ---- on the page ---- */

	const title = D.html('h2', {}), copy = D.html('button',
		{ type: 'button', 'class': 'link', onclick: () => app.copyDetails() }, 'Copy');
	const list = D.html('dl', { 'class': 'figures' }), tables = D.html('div', { 'class': 'distributions' });
	const section = D.html('section', { 'class': 'distribution', 'aria-label': 'Distribution' },
		D.html('div', { 'class': 'aside-top' }, title, copy), list, tables);
	const opened = new Set();       /* the tables that the reader has expanded */

	page.aside.append(section);

	function table(label, head, items, rowOf) {
		const limit = opened.has(label) ? CHUNK : FEW, body = D.html('tbody', {},
			...items.slice(0, limit).map(rowOf));
		let shown = Math.min(items.length, limit);
		const more = D.html('button', { type: 'button', 'class': 'link', onclick: () => {
			opened.add(label);
			body.append(...items.slice(shown, shown + CHUNK).map(rowOf));
			shown = Math.min(items.length, shown + CHUNK);
			said();
		} });

		function said() {
			more.hidden = shown >= items.length;
			more.textContent = 'Show more of ' + N.countText(items.length - shown);
		}
		said();
		return D.html('div', { 'class': 'distribution-table' },
			D.html('table', { 'aria-label': label }, D.html('thead', {}, D.html('tr', {},
				D.html('th', { scope: 'col' }, head), D.html('th', { scope: 'col' }, settings.event),
				D.html('th', { scope: 'col' }, 'Share'), hasValues
					? D.html('th', { scope: 'col' }, 'Sum') : null)), body), more);
	}

	const row = (cell, [, n, value], all) => D.html('tr', {}, D.html('th', { scope: 'row' }, cell),
		D.html('td', {}, N.countText(whole(n))),
		D.html('td', {}, N.percentText(n, all)), hasValues ? D.html('td', {}, app.someValue(value)) : null);
	const namedRow = (text, tip, item, all, run, pressed) =>
		row(run ? D.html('button', { type: 'button', 'class': 'link', title: tip,
			'aria-pressed': String(pressed), onclick: run }, text)
			: D.html('span', { 'class': 'quiet' }, text), item, all);

	/* Makes "\u2026;parent;leaf" of "a;b;parent;leaf". */
	function endOf(text) {
		const frames = text.split(';');

		return (frames.length > SHOWN_FRAMES ? '\u2026;' : '') + frames.slice(-SHOWN_FRAMES).join(';');
	}

	function chooser(now) {
		const select = D.html('select', { 'aria-label': 'Distribution by', onchange: () => {
			by = select.value;
			draw();
			section.querySelector('select').focus();
		} }, ...settings.dimensions.map(([name]) => D.html('option', { value: name }, 'by ' +
			app.dimensionWord(name))));

		select.value = now;
		return select;
	}

	function keyTable(selection, events) {
		const name = nameNow();

		if (!name)
			return [];
		const isColoured = name === app.by();

		return [D.html('h3', {}, chooser(name)), table('By ' + app.dimensionWord(name), app.dimensionWord(name),
			keysOf(name, selection), (item) => item[0] === null
				? namedRow('none of them', '', item, events, null)
				: namedRow(app.keyName(item[0]) || '(empty)', app.keyName(item[0]), item, events,
					() => {
						if (isColoured)
							app.markKey(item[0]);
						else
							app.setBy(name, [item[0]]);
					}, isColoured && app.marked().includes(item[0])))];
	}

	function stackTable(selection, events) {
		const stacks = stacksOf(selection);

		return !stacks.length ? [] : [D.html('h3', {}, 'Most frequent stacks'),
			table('Stacks', 'Stack', stacks, (item) => {
				const text = H.data.stackText(data, item[0]), path = text.split(';'),
					isPicked = Boolean(app.view.frame) && app.view.frame.join(';') === text;

				return namedRow(app.ruler.fit(
					endOf(app.keyName(text.length > 400 ? text.slice(-400) : text)),
					hasValues ? 104 : 166, 1, 'left'),
				'Light up the cells where it ran: ' + app.keyName(text), item, events, () =>
					app.touch({ frame: isPicked ? null : path }), isPicked);
			})];
	}

	function draw() {
		const { selection } = app.view, isOpen = !app.keysOpen || app.keysOpen();

		page.aside.hidden = !isOpen;
		section.hidden = !isOpen;
		if (!isOpen)
			return;
		const { events } = app.split(app.countsIn(selection));

		title.textContent = selection ? 'Distribution of the selection' : 'What is shown';
		list.replaceChildren(...[].concat(...figures(selection).map(([label, text]) =>
			[D.html('dt', {}, label), D.html('dd', {}, text)])));
		tables.replaceChildren(...keyTable(selection, events), ...selection ? stackTable(selection, events)
			: []);
	}

	/* The first items as text, and the number of further ones. */
	const few = (items, most, text) => items.slice(0, most).map(text)
		.concat(items.length > most ? ['... and ' + N.countText(items.length - most) + ' more'] : []);

	/* The panel as text with tabs.  For all stacks, readers save the folded lines. */
	app.detailsText = () => {
		const { selection } = app.view, { events } = app.split(app.countsIn(selection)), name = nameNow();
		const line = (text, n, value) => text + '\t' + whole(n) + '\t' + N.percentText(n, events) +
			(hasValues ? '\t' + app.someValue(value) : ''), clean = (text) =>
				text.replace(/[\t\n\r]/g, ' ');

		return [app.titleText, ...figures(selection).map(([label, text]) => label + '\t' + text), ...name
			? ['', app.dimensionWord(name) + '\t' + settings.event + '\tshare' + sumHead,
				...few(keysOf(name, selection), COPIED_KEYS, ([text, n, value]) =>
					line(clean(text === null ? '(none)' : text), n, value))] : [],
		...selection ? ['', 'stack\t' + settings.event + '\tshare' + sumHead,
			...few(stacksOf(selection), COPIED_STACKS, ([stack, n, value]) =>
				line(clean(H.data.stackText(data, stack)), n, value))] : []].join('\n') + '\n';
	};
	app.copyDetails = () => app.copy(app.detailsText(), 'distribution');

	app.onchangeLater(draw);
};
