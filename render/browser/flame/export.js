/* export: the view as a picture without script, and as folded lines. */
pyrograph.ui.export = function (app) {
	'use strict';

	const D = pyrograph.ui.dom, T = pyrograph.transform, { fontSize, pad } = app.settings;
	const EDGE = 8, LINE = 1.35;

	/* The changes to the view, in words. */
	const said = () => [app.zoom ? 'Zoomed: ' + T.stackOf(app.tree, app.names, app.zoom).join(' \u203a ') : '',
		...app.searches.filter((s) => s.match).map((s) => 'Matched: ' + s.pattern + ', ' + app.matchedShare(s)),
		...app.controls.texts('.of-filter, .of-idle')];

	function copyOfFrames({ frames }, label, theme) {
		const g = frames.cloneNode(true), isDark = app.isDark();

		for (const e of g.children) {
			const isParent = e.getAttribute('class') === 'parent';

			if (e.localName === 'text')
				e.setAttribute('fill', isParent && isDark ? theme.ink : label);
			else if (isParent)
				e.setAttribute('opacity', isDark ? '0.4' : '0.55');
		}
		return pyrograph.ui.picture.plain(g, theme);
	}

	function drawPanel(out, panel, y, width, theme) {
		const drawn = panel.picture(), style = getComputedStyle(panel.graph);

		if (panel.title) {
			y += fontSize * LINE;
			D.svg('text', { x: pad, y: y, fill: theme.ink, 'font-weight': 'bold' }, out).textContent =
				app.ruler.fit(panel.title.textContent, width - 2 * pad, 1, 'right');
			y += EDGE / 2;
		}
		const g = copyOfFrames(drawn, style.getPropertyValue('--label') || '#000', theme);

		g.setAttribute('transform', 'translate(0,' + y + ')');
		out.appendChild(g);
		return y + drawn.height + EDGE;
	}

	pyrograph.ui.picture(app, { said, legend: () => app.legend || [],
		width: () => Number(app.panels[0].graph.getAttribute('width')) || app.drawnWidth,
		draw: (out, y, width, theme) => app.shownPanels().reduce((top, panel) =>
			drawPanel(out, panel, top, width, theme), y) });

	/* "# pyrograph: host=db1 ...": the origin of the profile, as in folded text. */
	function header() {
		const source = app.source || {}, words = [];

		for (const key of ['host', 'event', 'rate', 'start', 'end', 'from', 'to', 'kernel', 'lost', 'unit']) {
			if (typeof source[key] === 'string' && /^[\x21-\x7e]+$/.test(source[key]))
				words.push(key + '=' + source[key]);
		}
		return words.length ? '# pyrograph: ' + words.join(' ') : '';
	}
	app.copyFolded = () => app.copy(T.foldedLines(app.tree, app.names, app.zoom, header()),
		'folded lines of the view');
};
