/* toolbar: the search box and the buttons beside it, the path of the zoomed frame, and
 * a chip for each search and filter. */
pyrograph.ui.toolbar = function (app) {
	'use strict';

	const D = pyrograph.ui.dom, P = pyrograph.profile, page = app.page;
	const PATH_HEAD = 2, PATH_TAIL = 14;

	const input = D.html('input', { type: 'text', placeholder: 'Search (regexp)', spellcheck: 'false',
		autocapitalize: 'off', autocomplete: 'off', enterkeyhint: 'search', title: 'Search ( / )',
		'aria-label': 'Search, a regular expression' });
	const count = D.html('span', { 'class': 'count' });
	const clear = D.button('clear', 'Clear search', 'Clear search (Esc)', () => app.clearSearch(),
		{ icon: 'close' });
	const ignore = D.button('case', 'Ignore case', 'Ignore case (Ctrl+I)', () => app.act('case'), 'aA');
	const pin = D.button('pin', 'Keep this search, start another', 'Keep this search, start another (Alt+Enter)',
		() => app.pinSearch(), { icon: 'plus' });
	const box = D.html('div', { 'class': 'search' }, input, count, clear, ignore, pin);
	const previous = D.button('previous', 'Previous match', 'Previous match (Shift+N)',
		() => app.act('previous'), { icon: 'up' });
	const next = D.button('next', 'Next match', 'Next match (N)', () => app.act('next'), { icon: 'down' });
	const reset = D.button('reset', 'Reset zoom', 'Reset zoom (0)', () => app.act('top'), { icon: 'home' });
	const back = D.button('back', 'Back', app.host ? 'Undo the last step (\u232b)' : 'Undo the last step (Esc)',
		() => app.act('undo'), { icon: 'back' });
	const view = D.button('view', 'View', 'View: order, colours, theme (V)', () => {
		if (!app.menuJustClosed())
			app.act('view');
	}, { icon: 'view' });
	const steps = D.html('div', { 'class': 'steps' });
	const table = D.button('functions', 'Table of functions', 'Table of functions (T)',
		() => app.act('table'), { icon: 'table' });
	const help = D.button('help', 'Keys and help', 'Keys and help (?)', () => app.act('help'), '?');

	view.setAttribute('aria-haspopup', 'menu');
	page.tools.append(box, previous, next, view, table, help);
	page.path.append(back, reset, steps);
	app.searchBox = input;
	app.viewButton = view;

	/* "17", or "3 of 17" once one was visited */
	app.onchange(() => {
		const current = app.searches[app.pinned], zoomed = app.zoom !== 0;

		box.classList.toggle('invalid', Boolean(current && current.error));
		box.classList.toggle('filled', input.value !== '');
		ignore.setAttribute('aria-pressed', String(app.ignoreCase));
		clear.hidden = pin.hidden = input.value === '';
		count.textContent = app.matchText();
		previous.disabled = next.disabled = !app.searches.some((s) => s.match);
		table.setAttribute('aria-pressed', String(Boolean(app.view.table)));
		page.path.hidden = !zoomed;
		page.heading.classList.toggle('zoomed', !page.path.hidden);
		if (!page.path.hidden)
			drawPath();
		drawChips();
	});
	app.showCount = () => {
		count.textContent = app.matchText();
	};

	/* ---- the path of the zoomed frame ---- */

	/* A button that zooms to a frame of a tree. */
	app.crumb = (tree, frame, zoomTo) => {
		const name = P.baseName(app.names[tree.name[frame]]);

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

	function chip(className, content, remove, removeLabel) {
		return D.html('span', { 'class': 'chip ' + className }, ...content,
			D.button('remove', removeLabel, removeLabel, remove, { icon: 'close' }));
	}

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

	function filterText(filter) {
		return app.ruler.fit(app.filterName(filter), 180, 1, 'middle');
	}

	function filterChip(filter, i) {
		return chip('of-filter', [D.html('span', { 'class': 'word' }, app.filterWords[filter.kind] ||
			filter.kind),
			D.html('span', { 'class': 'chip-text' }, filterText(filter))], () =>
			app.step({ filters: app.view.filters.filter((f, k) => k !== i) }), 'Remove this filter');
	}

	function stateChip(word, text, without) {
		return chip('of-filter', [D.html('span', { 'class': 'word' }, word),
			D.html('span', { 'class': 'chip-text' }, text)], () => app.step(without), 'Undo this');
	}

	function drawChips() {
		const v = app.view, chips = app.searches.slice(0, app.pinned).map(searchChip);
		const filters = v.filters.map(filterChip);

		const profile = app.settings.mode === 'multiples' && v.position !== null
			? app.settings.layers[v.position].name : '';

		if (v.sandwich)
			filters.push(stateChip('Callers and callees of',
				app.ruler.fit(P.baseName(v.sandwich), 240, 1, 'middle') +
				(profile ? ' in ' + profile : ''), { sandwich: null }));
		else if (profile)
			filters.push(stateChip('Only', profile, { position: null }));
		if (v.reversed && !v.sandwich)
			filters.push(stateChip('Merged', 'from the leaves', { reversed: false, zoom: [] }));
		if (v.variants || v.generated)
			filters.push(stateChip('Merged', v.variants && v.generated ? 'variants and generated names'
				: v.variants ? 'variants' : 'generated names', { variants: false, generated: false }));
		if (v.recursion)
			filters.push(stateChip('Recursion', v.recursion === 'deep' ? 'folded at any depth'
				: 'folded where direct', { recursion: '' }));
		if (app.filterError)
			chips.push(D.html('span', { 'class': 'wrong', role: 'alert' }, app.filterError));
		chips.push(...filters);
		if (filters.length) {
			chips.push(D.html('button', { type: 'button', 'class': 'reset-all',
				title: 'Undo all filters and zoom',
				onclick: () => app.act('resetAll') }, 'Reset all'));
		}
		page.chips.hidden = !chips.length;
		page.chips.replaceChildren(...chips);
	}
};
