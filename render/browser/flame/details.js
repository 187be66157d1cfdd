/* details: the words about a frame: in the line below the chart, in the box beside the pointer, and for screen
 * readers. */
pyrograph.ui.details = function (app) {
	'use strict';

	const D = pyrograph.ui.dom, P = pyrograph.profile, N = pyrograph.number, T = pyrograph.transform;
	const { settings, tip, foot } = app;
	const NAME_LINES_PX = 2400;
	const idleText = app.idleText; /* as C drew it; "" if a host gives the profile */

	/* "1,234 more, narrower than 0.003%, are folded into ...": this sentence stays, whatever is shown. */
	const folding = (/; ([\d,]+ more, .*)$/.exec(idleText) || [])[1] ||
		(settings.folded || 0).toLocaleString('en') +
		' more, too narrow, are folded into "..."';

	const foldingPart = D.html('span', { 'class': 'folding' }, folding);

	app.page.foot.line.after(foldingPart);
	if (app.host)
		app.page.foot.matched.before(D.html('span', { 'class': 'whose-keys' },
			'Keys: flame graph \u00b7 Esc: heat map'));

	const value = (v) => N.valueText(settings, v);

	/* Returns the totals to which shares refer: [[words, words of a table's head, value], ...].  The first is
	 * everything that the filters leave; the second is the zoomed frame, if it contains frame, else the function of
	 * a sandwich. */
	function basesOf(panel, frame) {
		const { tree, zoom } = panel, bases = [['all', 'all', panel.whole ? panel.whole() : tree.total[0]]];

		if (zoom && frame >= zoom && frame < tree.end[zoom])
			bases.push(['the zoomed frame', 'zoomed', tree.total[zoom]]);
		else if (app.callers)
			bases.push(['the function', 'function', tree.total[0]]);
		return bases;
	}

	/* "35 samples, 44.87% of all, 76.09% of the zoomed frame" */
	function withShares(v, bases) {
		return value(v) + ', ' + (bases.length === 1 ? N.percentText(v, bases[0][2])
			: bases.map(([words, , whole]) =>
				N.percentText(v, whole) + ' of ' + words).join(', '));
	}

	/* "write (35 samples, 44.87% of all, 76.09% of the zoomed frame)" */
	app.frameText = (panel, frame) => {
		const folded = panel.tree.folded && panel.tree.folded.get(frame);

		return panel.nameOf(frame) + ' (' + (folded ? folded.toLocaleString('en') + ' frames, ' : '') +
			(app.layersText(panel, frame) || withShares(panel.tree.total[frame], basesOf(panel, frame)) +
			app.metricText(panel, frame)) + ')';
	};
	/* The self value of a frame.  The root of the callers, which is the function, gets its self value from the
	 * callees. */
	const selfOf = ({ tree }, frame) => tree === app.callers && !frame ? app.tree.self[0] : P.ownSelf(tree)[frame];

	app.describe = (panel, frame) => {
		const self = selfOf(panel, frame);
		const text = settings.nametype + ' ' + app.frameText(panel, frame) + ', self ';

		return text + (app.layersSelfText(panel, frame) || value(self) + ', ' +
			N.percentText(self, basesOf(panel, frame)[0][2]) + app.manyEventsText(panel, frame));
	};

	/* "Function: write, 2 frames together (44 samples, 56.41%), self ...; the widest: ..." */
	app.showSums = (panel, frame, row) => {
		const { frames, total, self } = row, whole = basesOf(panel, 0)[0][2];

		if (frames > 1)
			foot.show(settings.nametype + ' ' + panel.nameOf(frame) + ', ' +
				frames.toLocaleString('en') + ' frames together (' + value(total) + ', ' +
				N.percentText(total, whole) + ' of all), self ' + value(self) + ', ' +
				N.percentText(self, whole) + '; the widest of them ' +
				withShares(panel.tree.total[frame], basesOf(panel, frame)));
	};

	/* Rows of the box: [label, value, share of all, share of the zoomed frame]. */
	function figures(panel, frame) {
		const bases = basesOf(panel, frame);
		const row = (label, v) => [label, value(v), N.percentText(v, bases[0][2]),
			bases[1] ? N.percentText(v, bases[1][2]) : ''];

		return app.isCompared(panel) ? [] : [['', '', 'of all', bases[1] ? 'of ' + bases[1][1] : ''],
			row('total', panel.tree.total[frame]), row('self', selfOf(panel, frame))];
	}

	/* The notes in the box about a frame. */
	function notes(panel, frame) {
		const tree = panel.tree, out = [], folded = tree.folded && tree.folded.get(frame);
		const variants = app.view.variants || app.view.generated ? T.variantsOf(tree, app.names, frame) : null;
		const link = app.attributesOf(panel, frame);

		if (folded)
			out.push('stands for ' + folded.toLocaleString('en') + ' frames too narrow to keep');
		if (app.foldedAt(panel, frame))
			out.push('stands for ' + app.foldedAt(panel, frame).count +
				' frames that such stacks begin with: a click or E opens them');
		if (variants && variants.size > 1) {
			out.push(Array.from(variants, ([label, v]) => label + ' ' +
				N.bareText(settings, v)).join(', '));
		}
		if (tree.unexpanded && tree.unexpanded[frame])
			out.push('more below: zoom to see it');
		if (link && link.title)
			out.push(link.title);
		if (link && link.href)
			out.push('opens ' + link.href + ' (menu)');
		return out;
	}

	function fill(panel, frame) {
		const name = app.ruler.fit(panel.nameOf(frame), NAME_LINES_PX, 1, 'middle');

		tip.fill(name, figures(panel, frame).concat(app.layerRows(panel, frame)), ...notes(panel, frame));
	}

	/* Shows the details of a frame under the pointer at x, y; a little later also the box. */
	app.hover = (panel, frame, x, y) => {
		app.panels.forEach((p) => p.outline(p === panel ? frame : -1));
		app.showDetails(panel, frame);
		app.pointed = frame >= 0 ? { panel: panel, frame: frame } : null;
		if (frame < 0)
			tip.hide();
		else
			tip.show(() => fill(panel, frame), x, y);
	};

	const levels = new WeakMap(); /* tree -> its number of levels */

	function levelsOf(tree) {
		if (!levels.has(tree))
			levels.set(tree, tree.depth.reduce((most, depth) => Math.max(most, depth), 0) + 1);
		return levels.get(tree);
	}

	/* "14 frames, 7 deep", about the visible graph. */
	function idleLine() {
		const { tree } = app, base = app.base.count - app.base.folded.size;

		if (tree === app.withoutIdle && idleText)
			return idleText.replace(/; [\d,]+ more, .*$/, '');
		if (!tree.total[0])
			return 'No frames, of ' + base.toLocaleString('en');
		const count = tree.count - tree.folded.size;

		return count.toLocaleString('en') + (count === 1 ? ' frame, ' : ' frames, ') +
			levelsOf(tree).toLocaleString('en') + ' deep';
	}

	/* Writes the line below the chart; it is about the zoomed frame if panel is null or frame -1. */
	app.showDetails = (panel, frame) => {
		const main = app.firstPanel();

		if (panel && frame >= 0)
			foot.show(app.describe(panel, frame));
		else
			foot.show(main && main.zoom ? 'Zoomed: ' + app.frameText(main, main.zoom) : idleLine(), true);
	};
	/* The attributes that --nameattr gives a frame's name, or null; a link is included only if its scheme is
	 * safe. */
	app.attributesOf = (panel, frame) => {
		const all = settings.attributes, origin = panel.tree.name[frame];
		const found = all && all[origin];

		if (!found)
			return null;
		return Object.assign({}, found, { href: /^(https?:|ftp:|mailto:|[^:]*$)/i.test(found.href || '')
			? found.href : undefined });
	};
	/* ---- what a step has changed, for readers who cannot see the chart ---- */

	let before = null;

	const wordsOf = (filter) => app.filterWords[filter.kind] + ' ' + app.filterName(filter);

	/* "Hidden write. 74 samples, 13 frames are left" */
	function stepWords(view) {
		const words = [], left = value(app.tree.total[0]) + ', ' + app.tree.count.toLocaleString('en') +
			' frames are left';

		if (view.filters !== before.filters && view.filters.length > before.filters.length)
			words.push(wordsOf(view.filters[view.filters.length - 1]) + '. ' + left);
		else if (view.filters.length !== before.filters.length)
			words.push((view.filters.length ? 'A filter is gone. ' : 'No filters. ') + left);
		if (view.sandwich !== before.sandwich)
			words.push(view.sandwich ? 'Callers and callees of ' + P.baseName(view.sandwich)
				: 'The whole graph');
		if (view.reversed !== before.reversed)
			words.push(view.reversed ? 'Merged from the leaves' : 'Merged from the root');
		if (app.zoom !== before.frame && app.zoom)
			words.push('Zoomed: ' + app.frameText(app.panels[0], app.zoom));
		else if (view.zoom.length < before.zoom.length && !app.zoom)
			words.push('All frames: ' + value(app.tree.total[0]));
		if (view.callersZoom.length && view.callersZoom.join() !== before.callersZoom.join() && app.callers)
			words.push('Zoomed: ' + app.frameText(app.panels[1], app.panels[1].zoom));
		return words.join('. ');
	}

	app.onchange(() => {
		foldingPart.hidden = !app.base.folded.size || !settings.folded;
		tip.hide();
		app.showDetails(null, -1);
		const words = before ? stepWords(app.view) : '';

		if (words)
			foot.say(words);
		before = Object.assign({}, app.view, { frame: app.zoom });
	});
};
