/* export: the view as a picture without script, and as folded lines. */
pyrograph.ui.export = function (app) {
	'use strict';

	const D = pyrograph.ui.dom, T = pyrograph.transform, settings = app.settings;
	const DARK = { ink: '#e2e4e8', back: '#17191d' }, LIGHT = { ink: '#1a1c1f', back: '#ffffff' }; /* flame.css */
	const SWATCH = 12, EDGE = 8, LINE = 1.35;

	/* The heading, and what was done to the view. */
	function headingLines() {
		const lines = app.headingLines.map((line, i) => ({ text: line.text, size: line.size, bold: !i }));
		const said = [app.zoom ? 'Zoomed: ' + T.stackOf(app.tree, app.names, app.zoom).join(' \u203a ') : '',
			...app.searches.filter((s) => s.match).map((s) => 'Matched: ' + s.pattern + ', ' +
				app.matchedShare(s)),
			...Array.from(app.page.chips.querySelectorAll('.of-filter'), (chip) =>
				Array.from(chip.children, (part) =>
					part.textContent.trim()).filter(Boolean).join(' '))];

		return lines.concat(said.filter(Boolean).map((text) => ({ text: text, size: settings.fontSize })));
	}

	function copyOfFrames(panel, ink) {
		const drawn = panel.picture(), g = drawn.frames.cloneNode(true);

		g.removeAttribute('id');
		for (const e of g.children) {
			e.removeAttribute('role');
			for (const name of ['aria-level', 'data-frame', 'id'])
				e.removeAttribute(name);
			const faded = e.getAttribute('class') === 'parent', isText = e.localName === 'text';

			if (isText)
				e.setAttribute('fill', faded && app.isDark() ? DARK.ink : ink);
			else if (faded)
				e.setAttribute('opacity', app.isDark() ? '0.4' : '0.55');
			if (e.hasAttribute('aria-label')) {
				D.svg('title', {}, e).textContent = e.getAttribute('aria-label');
				e.removeAttribute('aria-label');
			}
			e.removeAttribute('aria-hidden');
		}
		return { g: g, width: drawn.width, height: drawn.height };
	}

	function textLine(parent, y, size, text, fill, width, bold) {
		D.svg('text', { x: settings.pad, y: y, 'font-size': size, fill: fill,
			'font-weight': bold ? 'bold' : null }, parent).textContent =
			app.ruler.fit(text, (width - 2 * settings.pad) * settings.fontSize / size, 1, 'right');
	}

	/* One line an entry; the colours of a gradient stand before its next label. Returns
	 * where it ends. */
	function drawLegend(out, y, fill) {
		let x = settings.pad;

		for (const [colour, label] of app.legend || []) {
			D.svg('rect', { x: x, y: y, width: SWATCH, height: SWATCH, fill: colour }, out);
			x += SWATCH;
			if (!label)
				continue;
			D.svg('text', { x: x + 6, y: y + 10, fill: fill }, out).textContent = label;
			x = settings.pad;
			y += 16;
		}
		return x > settings.pad ? y + 16 : y;
	}

	/* The view as an SVG element of its own. */
	function picture() {
		const { ink: fill, back: usual } = app.isDark() ? DARK : LIGHT;
		const own = app.ownBackground(app.isDark()), back = /^#/.test(own) ? own : usual;
		const out = D.svg('svg', { 'font-family': app.family, 'font-size': settings.fontSize });
		const rect = D.svg('rect', { fill: back }, out);
		const width = Number(app.panels[0].graph.getAttribute('width')) || app.drawnWidth;
		let y = EDGE;

		for (const line of headingLines()) {
			y += line.size * LINE;
			textLine(out, y, line.size, line.text, fill, width, line.bold);
		}
		y += EDGE;
		for (const panel of app.panels.filter((p) => !p.element.hidden)) {
			if (panel.title) {
				y += settings.fontSize * LINE;
				textLine(out, y, settings.fontSize, panel.title.textContent, fill, width, true);
				y += EDGE / 2;
			}
			const part = copyOfFrames(panel, getComputedStyle(panel.graph).getPropertyValue('--label') ||
				'#000');

			part.g.setAttribute('transform', 'translate(0,' + y + ')');
			out.appendChild(part.g);
			y += part.height + EDGE;
		}
		y = drawLegend(out, y, fill);
		for (const e of [out, rect]) {
			e.setAttribute('width', width);
			e.setAttribute('height', Math.ceil(y));
		}
		out.setAttribute('viewBox', '0 0 ' + width + ' ' + Math.ceil(y));
		return out;
	}

	/* All rows are drawn for it, then again only those in the window. */
	app.pictureText = () => {
		let text;

		app.allRows = true;
		try {
			text = new XMLSerializer().serializeToString(picture());
		} finally {
			app.allRows = false;
			app.drawAll();
		}
		return '<?xml version="1.0" encoding="UTF-8"?>\n' + text + '\n';
	};

	/* "# pyrograph: host=db1 ...": where the profile is from, as folded text has it */
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
