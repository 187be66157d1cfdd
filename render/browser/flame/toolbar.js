/* toolbar: the search box and the buttons beside it, the path of the zoomed frame, and a chip for each search
 * and filter. */
pyrograph.ui.toolbar = function (app) {
	'use strict';

	const D = pyrograph.ui.dom, P = pyrograph.profile, page = app.page;
	const PATH_HEAD = 2, PATH_TAIL = 14;

	const { tools, said, chip, show } = app.controls;
	const pin = D.button('pin', 'Keep this search, start another', 'Keep this search, start another (Alt+Enter)',
		() => app.pinSearch(), { icon: 'plus' });
	const previous = D.button('previous', 'Previous match', 'Previous match (Shift+N)',
		() => app.act('previous'), { icon: 'up' });
	const next = D.button('next', 'Next match', 'Next match (N)', () => app.act('next'), { icon: 'down' });
	const reset = D.button('reset', 'Reset zoom', 'Reset zoom (0)', () => app.act('top'), { icon: 'home' });
	const back = D.button('back', 'Back', app.host ? 'Undo the last step (\u232b)' : 'Undo the last step (Esc)',
		() => app.act('undo'), { icon: 'back' });
	const steps = D.html('div', { 'class': 'steps' });
	const table = D.button('functions', 'Table of functions', 'Table of functions (T)',
		() => app.act('table'), { icon: 'table' });
	const current = () => app.searches[app.pinned];

	app.searchBox = pyrograph.ui.box(app, { name: 'search', placeholder: 'Search (regexp)', tip: 'Search ( / )',
		label: 'Search, a regular expression', count: () => app.matchText(), buttons: [pin],
		error: () => current() && current().error,
		read: () => ({ pattern: (app.view.searches[app.pinned] || { pattern: '' }).pattern,
			ignoreCase: app.ignoreCase }), write: (...search) => app.setSearch(...search) });
	tools('View: order, colours, theme (V)', app.searchBox.element, previous, next);
	app.viewButton.after(table);
	page.path.append(back, reset, steps);

	app.onchange(() => {
		previous.disabled = next.disabled = !app.searches.some((s) => s.match);
		table.setAttribute('aria-pressed', String(Boolean(app.view.table)));
		page.path.hidden = app.zoom === 0;
		page.heading.classList.toggle('zoomed', !page.path.hidden);
		if (!page.path.hidden)
			drawPath();
		drawChips();
	});
	/* "17", or "3 of 17" after a match was visited. */
	app.showCount = () => {
		app.searchBox.found.textContent = app.matchText();
	};

	/* ---- the path of the zoomed frame ---- */

	/* A button that zooms to a frame of a tree. */
	app.crumb = (tree, frame, zoomTo) => {
		const name = app.wordsOf(app.names[tree.name[frame]]);

		return D.html('button', { type: 'button', title: 'Zoom to ' + name, onclick: () => zoomTo(frame) },
			app.ruler.fit(name, 220, 1, 'middle'));
	};
	const crumb = (frame) => app.crumb(app.tree, frame, app.zoomTo);

	function drawPath() {
		const path = [];
		let items;

		for (let f = app.zoom; f; f = app.tree.parent[f])
			path.unshift(f);
		path.unshift(0);
		if (path.length > PATH_HEAD + PATH_TAIL)
			items = [...path.slice(0, PATH_HEAD).map(crumb), D.html('span', { 'class': 'gap' }, '\u2026'),
				...path.slice(-PATH_TAIL).map(crumb)];
		else
			items = path.map(crumb);
		items[items.length - 1].setAttribute('aria-current', 'location');
		page.path.setAttribute('aria-label', 'Path of the zoomed frame');
		steps.replaceChildren(...items);
		steps.scrollLeft = steps.scrollWidth;
	}

	/* ---- chips ---- */

	app.filterWords = { hide: 'Hidden', only: 'Only', exclude: 'Without', include: 'With', drop: 'Cut off' };

	function searchChip(search, i) {
		const dot = D.html('span', { 'class': 'dot' });

		dot.style.background = search.colour;
		return chip('of-search', [dot, D.html('button', { type: 'button', 'class': 'chip-text',
			title: 'Edit this search: ' + search.pattern, onclick: () => app.editSearch(i) },
		app.ruler.fit(search.pattern, 160, 1, 'middle') + (search.ignoreCase ? ' (aA)' : '')),
		D.html('span', { 'class': 'share' }, search.error ? search.error.replace(/:.*/s, '')
			: app.matchedShare(search))],
		() => app.removeSearch(i), 'Remove this search');
	}

	app.filterName = (filter) => P.baseName(filter.kind !== 'drop' ? filter.pattern
		: pyrograph.transform.nameOfStep(filter.path[filter.path.length - 1] || ''));

	const filterChip = (filter, i) => chip('of-filter', said(app.filterWords[filter.kind] || filter.kind,
		app.filterName(filter), 180), () => app.step({ filters: app.view.filters.filter((f, k) => k !== i) }),
	'Remove this filter');
	const stateChip = (word, text, without) => chip('of-filter', said(word, text, 280), () => app.step(without));

	/* ---- what is idle: one chip, in place of the words that C wrote ---- */

	const { idle } = app.settings;
	if (idle)
		app.controls.hideLines(idle.note);

	function drawChips() {
		const v = app.view, chips = app.searches.slice(0, app.pinned).map(searchChip);
		const filters = v.filters.map(filterChip);

		const profile = app.settings.mode === 'multiples' && v.position !== null
			? app.settings.layers[v.position].name : '';

		if (v.sandwich)
			filters.push(stateChip('Callers and callees of', P.baseName(v.sandwich) +
				(profile ? ' in ' + profile : ''), { sandwich: null }));
		else if (profile)
			filters.push(stateChip('Only', profile, { position: null }));
		if (v.reversed && !v.sandwich)
			filters.push(stateChip('Merged', 'from the leaves', { reversed: false, zoom: [] }));
		if (v.variants || v.generated)
			filters.push(stateChip('Merged', v.variants && v.generated ? 'variants and generated names'
				: v.variants ? 'variants' : 'generated names', { variants: false, generated: false }));
		if (v.unnamed)
			filters.push(stateChip('Merged', 'functions without a name', { unnamed: false }));
		if (v.recursion)
			filters.push(stateChip('Recursion', v.recursion === 'deep' ? 'folded at any depth'
				: 'folded where direct', { recursion: '' }));
		if (v.wall && app.settings.wall)
			filters.push(stateChip('Only', v.wall === 'on' ? 'on-CPU time' : 'off-CPU time',
				{ wall: null }));
		if (v.mine)
			filters.push(stateChip('Only', 'my code', { mine: false }));
		if (v.quiet)
			filters.push(stateChip('Without', 'the profiler', { quiet: false }));
		if (app.filterError)
			chips.push(D.html('span', { 'class': 'wrong', role: 'alert' }, app.filterError));
		if (idle)
			chips.push(app.controls.idleChip(app.view.idle, pyrograph.number.valueText(app.settings,
				idle.value), idle.what, 'Shift+I', idle.word));
		chips.push(...filters);
		if (filters.length) {
			chips.push(D.html('button', { type: 'button', 'class': 'reset-all',
				title: 'Undo all filters and zoom',
				onclick: () => app.act('resetAll') }, 'Reset all'));
		}
		show(chips);
	}
};
