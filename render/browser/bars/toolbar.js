/* bars_toolbar: the boxes and buttons above the chart, the legend (a click on it sorts the rows), the meaning
 * of widths, and a chip for each choice. */
pyrograph.ui.barsToolbar = function (app) {
	'use strict';

	const { now, details, page } = app;
	const D = pyrograph.ui.dom, M = pyrograph.bars.model, T = pyrograph.bars.text;
	const { tools, choice, segment, chip, said, show } = app.controls;
	const LEGEND_FEW = 40, LEGEND_MAX = 300;

	app.filterBox = pyrograph.ui.box(app, { name: 'filter', placeholder: 'Filter ' + app.settings.rowsWord,
		tip: 'Filter by name, a regular expression ( / )', label: 'Filter ' + app.settings.rowsWord +
			', a regular expression',
		count: () => now.rows.length.toLocaleString('en'), error: () => now.filterError });
	app.searchBox = pyrograph.ui.box(app, { name: 'search', placeholder: 'Search',
		tip: 'Search threads and states: a regular expression (Ctrl+F)',
		label: 'Search, a regular expression',
		count: () => (/([\d,]+) row/.exec(details.matchText()) || ['', ''])[1],
		error: () => now.found && now.found.error });
	const table = D.button('functions', 'Who had the CPU',
		'Who had the CPU while others waited (T)', () => app.act('table'), { icon: 'table' });

	table.hidden = !app.base.hasBys;
	tools('View: sort, colours, theme (V)', app.filterBox.element, app.searchBox.element, table);

	/* ---- what widths mean ---- */

	const controls = D.html('div', { 'class': 'layers controls' });
	const scale = (name, label, tip) => choice(label, 'The full width is ' + tip + ' (W)',
		() => app.view.scale === name, () => app.step({ scale: name }));

	if (app.base.columns.length > 1) {
		controls.append(segment('Widths', ...app.base.columns.map((column, k) => [column, k]).filter(([c]) =>
			c !== 'longest').map(([column, k]) => choice(T.head(app.base, k), 'Widths are ' +
			(k ? 'the ' + column : 'time') + ' (C)', () => now.column === k, () => now.setColumn(k)))));
	}
	controls.append(segment('Scale', app.base.full
		? scale('window', 'Noise', 'the most of a source of noise; longer rows are cut (a gap)')
		: scale('window', 'Window', 'the whole window, for all rows'),
	scale('widest', 'Widest', 'the longest row'),
	scale('row', 'Each 100 %', 'that of each row: shares of its own time')),
	now.hasSteps() ? segment('Colours', choice(app.settings.kindHead, 'Colours are those of each ' +
		app.settings.kindHead.toLowerCase() + ' (G)', () => !now.isByLongest(), () => now.setLongest(false)),
	choice('Longest', 'Colours say how long a wait, or noise, took at once (G)', now.isByLongest,
		() => now.setLongest(true))) : '',
	segment('Rows', choice('Fold pools', 'Names that differ only in the number at the end are one row (P)',
		() => app.view.pools, () => app.act('pools'))));
	page.legend.after(controls);

	/* ---- legend: colours, sums, and what to sort by ---- */

	function entry(key, swatch, text, share, about) {
		const dot = swatch && D.html('span', { 'class': 'dot' });
		const arrow = now.sort !== key ? '' : app.view.down ? 'down' : 'up';

		if (dot)
			dot.style.background = swatch;
		return D.html('button', { type: 'button', 'class': 'legend-item', 'data-sort': arrow, 'data-key': key,
			'aria-pressed': String(Boolean(arrow)), title: 'Sort by ' + text + (about ? '\n' + about : ''),
			onclick: () => now.sortBy(key) }, dot,
		D.html('span', { 'class': 'legend-text' }, text), D.html('span', { 'class': 'share' }, share));
	}

	let everyKind = false;

	/* If there are many kinds, only the first ones are shown, with a button that shows the others. */
	function kindsButton(count) {
		return D.html('button', { type: 'button', 'class': 'link legend-more',
			'aria-expanded': String(everyKind), onclick: () => {
				everyKind = !everyKind;
				app.refresh();
				page.legend.querySelector('.legend-more').focus();
			} }, everyKind ? 'Show fewer' : 'Show ' + pyrograph.number.countText(count) + ' more');
	}

	/* The colours by the longest time, from the least to the greatest step of the shown segments. */
	function stepItems() {
		const of = now.rows.flatMap((row) => now.model.rows[row].segments.filter(({ kind, values }) =>
			now.model.kinds[kind].graded && values[now.column] > 0).map(({ values }) =>
			now.model.steps.indexOf(M.stepOf(now.model, values))));
		const least = of.reduce((a, b) => Math.min(a, b), Infinity);
		const most = of.reduce((a, b) => Math.max(a, b), -1);

		return now.model.steps.slice(Math.min(least, most + 1), most + 1).map((step, i) =>
			[now.isSafe() ? step.safe : step.rgb, (i ? '' : 'longest at once: ') + step.text]);
	}

	function stepElement([rgb, text]) {
		const dot = D.html('span', { 'class': 'dot' });

		dot.style.background = rgb;
		return D.html('span', { 'class': 'legend-item' }, dot,
			D.html('span', { 'class': 'legend-text' }, text));
	}

	function drawLegend() {
		const shares = details.kindShares(), items = [], k = now.column;
		const there = shares.filter(([, , , value]) => value).length, most = everyKind ? LEGEND_MAX
			: LEGEND_FEW;
		const group = shares.filter(([kind]) => kind.group === M.RUNNABLE),
			all = shares.reduce((sum, [, , , v]) => sum + v, 0);
		const plain = shares.filter(([kind, , , value]) => value && !kind.graded)
			.map(([kind]) => T.kindName(kind));
		const swatch = (i) => now.isByLongest() ? null : app.panel.colourOf(i);

		now.legend = now.isByLongest() ? stepItems().concat(plain.length
			? [[app.panel.plainColour, plain.join(', ')]] : []) : [];
		items.push(...now.legend.map(stepElement));
		for (const [kind, , share, value] of shares) {
			const i = now.model.kinds.indexOf(kind),
				text = kind.group !== M.RUNNABLE && kind.label ? T.name(kind.label) : T.kindName(kind);

			if (kind === (group[0] || [])[0] && group.length > 1)
				items.push(entry('*' + M.RUNNABLE, null, 'waiting for a CPU:',
					T.share(group.reduce((sum, [, v]) => sum + v[k], 0), all)));
			if (!value)
				continue;
			if (!now.isByLongest())
				now.legend.push([app.panel.colourOf(i), (text + ' ' + share).trim()]);
			if (items.length < most)
				items.push(entry(':' + kind.name, swatch(i), text, share, kind.about));
		}
		if (items.length)
			items.push(entry('total', null, 'total', T.column(now.model, k, all)));
		page.legend.hidden = !items.length;
		page.legend.replaceChildren(...items, there > LEGEND_FEW ? kindsButton(there - LEGEND_FEW) : '',
			everyKind && there > LEGEND_MAX ? 'and ' + (there - LEGEND_MAX) + ' more, of less' : '');
		page.legend.classList.toggle('every-kind', everyKind);
	}

	/* ---- the headline that C wrote, which is about all rows ---- */

	const drawnLine = app.headingLines.find((one) => one.className === 'details' && !one.found);
	const drawnText = drawnLine && drawnLine.text;

	function drawHeadline() {
		const isPart = now.rows.length < now.model.rows.length || app.view.pools;

		if (drawnLine)
			drawnLine.element.textContent = drawnLine.text =
				(isPart ? 'Of all ' + app.settings.rowsWord + ': ' : '') + drawnText;
	}

	/* ---- chips ---- */

	function drawChips() {
		const v = app.view, chips = [], add = (word, text, without) =>
			chips.push(chip('of-filter', said(word, text, 300), () => app.step(without)));

		if (v.by !== null)
			add(now.by === null ? 'Nobody waited for' : 'Waited for', T.name(v.by), { by: null });
		if (v.row !== null && now.detailed < 0)
			add('Not here:', T.name(v.row), { row: null });
		if (v.pools)
			add('Pools', 'of names that differ only in the number at the end', { pools: false });
		show(chips);
	}

	app.onchange(() => {
		table.setAttribute('aria-pressed', String(now.hasTable()));
		drawLegend();
		drawHeadline();
		drawChips();
	});
};
