/* find: searches: what is typed, which frames match, how much of the whole they are. */
pyrograph.ui.find = function (app) {
	'use strict';

	const D = pyrograph.ui.dom, P = pyrograph.profile, S = pyrograph.search;
	const TYPING_PAUSE_MS = 120;
	const matched = D.html('span', { 'class': 'matched', role: 'status' });
	let typing = 0;

	/* where there is no room for them beside the search box */
	const walk = D.html('span', { 'class': 'walk' }, ...[['previous', 'Previous match', 'up'], ['next', 'Next match', 'down']]
		.map(([id, label, icon]) => D.button(id, label, label, () => app.act(id), { icon: icon })));

	app.page.foot.append(matched, walk);
	app.ignoreCase = false;
	app.searches = [];
	app.matchAt = null;     /* { at, of } of the match last visited */

	const current = () => app.searches[app.pinned];

	/* "44.87%": what share of frame root's value a search is */
	app.matchedShare = (search, root) => search.match
		? P.percentText(S.matchedTotal(app.tree, root, search.match), app.tree.total[root]) : '';

	/* The search in the box, else the last chip: what next and previous walk. */
	const walked = () => [current()].concat(app.searches.slice(0, app.pinned).reverse())
		.find((s) => s && s.match);

	app.matchText = () => {
		const search = current();

		if (!search || !search.match)
			return '';
		if (app.matchAt)
			return app.matchAt.at + ' of ' + app.matchAt.of;
		return P.percentText(S.matchedTotal(app.tree, app.zoom, search.match), app.tree.total[app.zoom]);
	};

	app.setSearch = (pattern) => {
		const searches = app.view.searches.slice(0, app.pinned);

		clearTimeout(typing);
		if (pattern)
			searches.push({ pattern: pattern, ignoreCase: app.ignoreCase });
		app.matchAt = null;
		app.searchBox.value = pattern;
		app.touch({ searches: searches });
	};
	app.clearSearch = () => {
		app.setSearch('');
	};
	app.clearSearches = () => {
		app.pinned = 0;
		app.picked = -1;
		app.setSearch('');
	};
	app.pinSearch = () => {
		if (!app.searchBox.value)
			return;
		app.setSearch(app.searchBox.value);
		if (current().error)
			return;
		app.pinned++;
		app.setSearch('');
		app.searchBox.focus();
	};
	app.removeSearch = (i) => {
		app.pinned--;
		app.touch({ searches: app.view.searches.filter((s, k) => k !== i) });
	};
	app.editSearch = (i) => {
		const search = app.view.searches[i];

		app.view.searches = app.view.searches.filter((s, k) => k !== i && k < app.pinned);
		app.pinned = app.view.searches.length;
		app.ignoreCase = search.ignoreCase;
		app.setSearch(search.pattern);
		app.searchBox.focus();
	};
	app.toggleCase = () => {
		app.ignoreCase = !app.ignoreCase;
		app.setSearch(app.searchBox.value);
	};
	/* After a link: the last search goes into the box. */
	app.adoptSearches = () => {
		const last = app.view.searches[app.view.searches.length - 1];

		app.pinned = Math.max(0, app.view.searches.length - 1);
		app.ignoreCase = Boolean(last && last.ignoreCase);
		app.searchBox.value = last ? last.pattern : '';
		app.matchAt = null;
	};

	/* Go to the next match (step 1) or the one before (-1), under the zoom. */
	app.walkMatches = (step) => {
		const search = walked(), panel = app.firstPanel(), { tree, zoom } = panel;

		if (app.searchBox.value !== (app.view.searches[app.pinned] || { pattern: '' }).pattern)
			app.setSearch(app.searchBox.value);
		if (!search)
			return;
		const from = app.cursor.panel === panel && app.cursor.frame >= 0 ? app.cursor.frame
			: step > 0 ? zoom - 1 : zoom;
		const least = tree.total[zoom] * app.settings.minWidth / app.graphWidth();
		const frame = S.nextMatch(tree, from, step, search.match, zoom, least);

		if (frame < 0)
			return;
		app.matchAt = S.matchPlace(tree, frame, search.match, zoom, least);
		app.moveTo(panel, frame);
		app.showCount();
		app.say('Match ' + app.matchAt.at + ' of ' + app.matchAt.of + ': ' + app.describe(panel, frame));
	};

	/* "Matched: 44.87% of all, 76.09% of the zoomed frame" */
	app.onchange(() => {
		const search = walked(), box = current();
		let text = '';

		if (box && box.error) {
			text = box.error;
		} else if (search) {
			text = 'Matched: ' + app.matchedShare(search, 0);
			if (app.zoom)
				text += ' of all, ' + app.matchedShare(search, app.zoom) + ' of the zoomed frame';
		}
		walk.hidden = !search;
		matched.classList.toggle('wrong', Boolean(box && box.error));
		matched.textContent = text;
	});

	app.searchBox.addEventListener('input', () => {
		clearTimeout(typing);
		typing = setTimeout(() => app.setSearch(app.searchBox.value), TYPING_PAUSE_MS);
	});
	app.searchBox.addEventListener('keydown', (event) => {
		if (event.key !== 'Enter')
			return;
		event.preventDefault();
		event.stopPropagation();
		if (event.altKey || event.ctrlKey) {
			app.pinSearch();
		} else if (app.searchBox.value !== (app.view.searches[app.pinned] || { pattern: '' }).pattern) {
			app.setSearch(app.searchBox.value);
		} else {
			app.walkMatches(event.shiftKey ? -1 : 1);
		}
	});
};
