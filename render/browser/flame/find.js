/* find: the searches, with their patterns, the matching frames, and the share of these. */
pyrograph.ui.find = function (app) {
	'use strict';

	const D = pyrograph.ui.dom, P = pyrograph.profile, N = pyrograph.number, S = pyrograph.search;

	/* these buttons are in the line below if there is no room for them beside the search box */
	const walk = D.html('span', { 'class': 'walk' }, ...[['previous', 'Previous match', 'up'],
		['next', 'Next match', 'down']]
		.map(([id, label, icon]) => D.button(id, label, label, () => app.act(id), { icon: icon })));

	app.page.foot.append(walk);
	app.ignoreCase = false;
	app.searches = [];
	app.matchAt = null;     /* { at, of } of the match visited last */

	const current = () => app.searches[app.pinned];

	/* ---- the share of the matches ---- */

	/* Frames that were too narrow to be kept have lost their names, so a search cannot find them. */
	const atLeast = () => app.base.folded.size ? 'at least ' : '';

	/* [[label, share of all, more words], ...]: one entry, or one for each profile.  In a sandwich, stacks through
	 * the function count if they have a match above or below the function. */
	function sharesOf(match) {
		const percent = N.percentText, { tree, zoom, callers } = app, total = (...at) => S.matchedTotal(...at);

		if (app.shownPanels().length && app.shownPanels()[0] !== app.panels[0])
			return app.shownPanels().map((panel) => [panel.graph.getAttribute('aria-label') + ' ',
				percent(total(panel.tree, 0, match), panel.tree.total[0]),
				panel.zoom ? percent(total(panel.tree, panel.zoom, match),
					panel.tree.total[panel.zoom]) + ' of the zoomed frame' : '']);
		if (app.settings.mode === 'diff')
			return app.settings.layers.map((layer, k) => {
				const all = P.layerTotal(app.whole, k), totals = P.layerTotal(tree, k), root = callers
					? 0 : zoom;

				return [layer.name + ' ', percent(callers
					? S.matchedThrough(app.whole, app.names, tree.name[0], match, all)
					: total(tree, 0, match, totals), all[0]),
				root ? percent(total(tree, zoom, match, totals), totals[zoom]) + ' of the zoomed frame'
					: ''];
			});
		const value = callers ? S.matchedThrough(app.whole, app.names, tree.name[0], match)
			: total(tree, 0, match);

		return [['', percent(value, app.whole.total[0]), zoom
			? percent(total(tree, zoom, match), tree.total[zoom]) +
			' of the zoomed frame' : callers ? percent(value, tree.total[0]) + ' of the function' : '']];
	}

	/* "44.87%", "base 33.33%, new 48.74%": shares of all. */
	app.matchedShare = (search) => search.waits ? '\u2026' : !search.match ? '' : atLeast() +
		sharesOf(search.match).map(([label, share]) => label + share).join(', ');

	/* "44.87% of all, 76.09% of the zoomed frame" */
	const sharesText = (match) => atLeast() + sharesOf(match).map(([label, share, more]) => label + share +
		(more ? ' of all, ' + more : '')).join('; ');

	/* "Next" and "previous" go through the matches of the search in the box, or else of the last chip. */
	const walked = () => [current()].concat(app.searches.slice(0, app.pinned).reverse())
		.find((s) => s && s.match);

	app.matchText = () => {
		const search = current();

		if (search && search.waits)
			return '\u2026';
		if (!search || !search.match)
			return '';
		if (app.matchAt)
			return app.matchAt.at + ' of ' + app.matchAt.of;
		return (atLeast() ? '\u2265 ' : '') + sharesOf(search.match).map(([, share]) => share).join(' / ');
	};

	app.setSearch = (pattern, ignoreCase = app.ignoreCase) => {
		const searches = app.view.searches.slice(0, app.pinned);

		if (pattern)
			searches.push({ pattern: pattern, ignoreCase: ignoreCase });
		app.ignoreCase = ignoreCase;
		app.matchAt = null;
		app.searchBox.input.value = pattern;
		app.touch({ searches: searches });
	};
	app.clearSearches = () => {
		app.pinned = 0;
		app.picked = -1;
		app.setSearch('');
	};
	app.pinSearch = () => {
		if (!app.searchBox.input.value)
			return;
		app.setSearch(app.searchBox.input.value);
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

		if (i >= app.pinned)
			return;
		app.view.searches = app.view.searches.filter((s, k) => k !== i); /* the search in the box is kept */
		app.pinned = app.view.searches.length;
		app.setSearch(search.pattern, search.ignoreCase);
		app.searchBox.focus();
	};
	/* After a view was taken from a link, puts the last search into the box. */
	app.adoptSearches = () => {
		const last = app.view.searches[app.view.searches.length - 1];

		app.pinned = Math.max(0, app.view.searches.length - 1);
		app.ignoreCase = Boolean(last && last.ignoreCase);
		app.searchBox.input.value = last ? last.pattern : '';
		app.matchAt = null;
	};

	/* ---- from match to match, through all panels ---- */

	const leastOf = (panel) => panel.tree.total[panel.zoom] * app.settings.minWidth / app.graphWidth();

	/* The next match in a panel after frame `from`, or -1 if there is none; from -1: the panel's first or last
	 * match. */
	function nextIn(panel, from, step, match) {
		const { tree, zoom } = panel, start = from < 0 ? step > 0 ? zoom - 1 : tree.end[zoom] : from;
		const frame = S.nextMatch(tree, start, step, match, zoom, leastOf(panel));

		return frame >= 0 && (step > 0 ? frame > start : frame < start) ? frame : -1;
	}

	/* Returns { panel, frame }: the match to go to, or null. */
	function nextOf(match, step) {
		const panels = app.shownPanels(), at = Math.max(0, panels.indexOf(app.cursor.panel));
		let from = app.cursor.panel === panels[at] ? app.cursor.frame : -1;

		if (from < 0 && step < 0)
			from = panels[at].zoom;
		for (let k = 0; k <= panels.length; k++) {
			const panel = panels[(at + step * k + 2 * panels.length) % panels.length];
			const frame = nextIn(panel, k ? -1 : from, step, match);

			if (frame >= 0)
				return { panel: panel, frame: frame };
		}
		return null;
	}

	/* "3 of 17", counted over all panels. */
	function placeOf(found, match) {
		let at = 0, of = 0, before = true;

		for (const panel of app.shownPanels()) {
			const place = S.matchPlace(panel.tree, found.frame, match, panel.zoom, leastOf(panel));

			at += panel === found.panel ? place.at : before ? place.of : 0;
			before = before && panel !== found.panel;
			of += place.of;
		}
		return { at: at, of: of };
	}

	/* Goes to the next match (step 1) or to the previous one (-1), within the zoomed frame. */
	app.walkMatches = (step) => {
		const search = walked(), found = search && nextOf(search.match, step);

		if (!found)
			return;
		app.matchAt = placeOf(found, search.match);
		app.moveTo(found.panel, found.frame);
		app.showCount();
		app.foot.say('Match ' + app.matchAt.at + ' of ' + app.matchAt.of + ': ' +
			app.describe(found.panel, found.frame));
	};

	/* "Matched: 44.87% of all, 76.09% of the zoomed frame" */
	app.onchange(() => {
		const search = walked(), box = current();

		walk.hidden = !search;
		app.foot.showMatched(box && box.error ? box.error : box && box.waits ? 'Searching \u2026'
			: search ? 'Matched: ' + sharesText(search.match) : '', Boolean(box && box.error));
	});
};
