/* picture: the view as a picture without script, in the same form for all charts: heading, legend, then the
 * chart itself.
 *
 * pyrograph.ui.picture(app, { said(), legend(), width(), draw(out, y, width, theme) -> y, swatch }):
 * makes app.pictureText().  said: the changes to the view, one text per line; legend: [[colour, label], ...];
 * swatch(out, x, y, colour, ink), which may be missing, draws a colour of the legend; draw draws the chart and
 * returns the y at which it ends; theme: { ink, quiet, back }. */
pyrograph.ui.picture = function (app, how) {
	'use strict';

	const { said, legend, width, draw, swatch } = how;
	const D = pyrograph.ui.dom, { fontSize } = app.settings;
	const PAD = 10, EDGE = 8, LINE = 1.35, SWATCH = 12, BETWEEN = 14, LABEL_MAX = 300;
	const DARK = { ink: '#e2e4e8', quiet: '#a3a9b1', back: '#17191d' };  /* as in chart.css */
	const LIGHT = { ink: '#1a1c1f', quiet: '#575d65', back: '#ffffff' };

	function drawHeading(out, y, wide, theme) {
		const isShown = ({ element }) => !element || !element.hidden;
		const lines = (app.linesNow ? app.linesNow() : app.headingLines.filter(isShown)).map((line, i) =>
			({ text: line.text, size: line.size, bold: !i }))
			.concat(said().filter(Boolean).map((text) => ({ text: text, size: fontSize })));

		for (const line of lines) {
			y += line.size * LINE;
			D.svg('text', { x: PAD, y: y, 'font-size': line.size, fill: theme.ink, 'font-weight': line.bold
				? 'bold' : null }, out)
				.textContent = app.ruler.fit(line.text, (wide - 2 * PAD) * fontSize / line.size, 1,
					'right');
		}
		return y;
	}

	function drawSwatch(out, x, y, colour) {
		D.svg('rect', { x: x, y: y, width: SWATCH, height: SWATCH, fill: colour }, out);
	}

	function drawLegend(out, y, wide, theme) {
		let x = PAD;

		for (const [colour, text] of legend()) {
			const words = app.ruler.fit(text, LABEL_MAX, 1, 'middle'), beside = colour ? SWATCH + 6 : 0;
			const long = beside + app.ruler.width(words) + BETWEEN;

			if (!text) { /* one of the steps of a scale, whose words stand at the last step */
				(swatch || drawSwatch)(out, x, y, colour, theme.ink);
				x += SWATCH;
				continue;
			}
			if (x > PAD && x + long > wide) {
				x = PAD;
				y += 18;
			}
			if (colour)
				(swatch || drawSwatch)(out, x, y, colour, theme.ink);
			D.svg('text', { x: x + beside, y: y + 10, fill: theme.ink }, out).textContent = words;
			x += long;
		}
		return x > PAD ? y + 18 + EDGE : y;
	}

	function picture() {
		const theme = app.isDark() ? DARK : LIGHT, wide = width(), own = app.ownBackground(app.isDark());
		const out = D.svg('svg', { 'font-family': app.family, 'font-size': fontSize }),
			back = D.svg('rect', { fill: /^#/.test(own) ? own : theme.back }, out);
		let y = drawHeading(out, EDGE, wide, theme);

		y = drawLegend(out, y + EDGE, wide, theme);
		y = Math.ceil(draw(out, y, wide, theme) + EDGE);
		for (const e of [out, back]) {
			e.setAttribute('width', wide);
			e.setAttribute('height', y);
		}
		out.setAttribute('viewBox', '0 0 ' + wide + ' ' + y);
		return out;
	}

	/* Draws all rows for the picture, and afterwards only those in the window, as before. */
	app.pictureText = () => {
		const drawAll = app.drawAll || (() => {});
		let text;

		app.allRows = true;
		try {
			drawAll();
			text = new XMLSerializer().serializeToString(picture());
		} finally {
			app.allRows = false;
			drawAll();
		}
		return '<?xml version="1.0" encoding="UTF-8"?>\n' + text + '\n';
	};
};

/* The picture of a chart whose panel consists of rows:
 * app.panel.picture() -> { width, height, parts: [[element, top], ...] }. */
pyrograph.ui.picture.ofRows = function (app, how) {
	'use strict';

	const { said, legend } = how, D = pyrograph.ui.dom, { plain } = pyrograph.ui.picture;

	pyrograph.ui.picture(app, { said, legend, width: () => app.panel.picture().width,
		draw: (out, y, width, theme) => {
			const { parts, height } = app.panel.picture();

			for (const [part, top] of parts) {
				const g = D.svg('g', { transform: `translate(0,${y + top})` }, out);

				g.append(...(part.localName === 'svg' ? Array.from(part.children) : [part]).map((e) =>
					plain(e.cloneNode(true), theme)));
			}
			return y + height;
		} });
};

/* A copy of the rows on the page, with the styles of g and its contents as attributes. */
pyrograph.ui.picture.plain = function (g, theme) {
	'use strict';

	const HTML_ONLY = ['class', 'id', 'role', 'aria-hidden', 'aria-posinset', 'aria-setsize', 'aria-selected',
		'aria-label', 'aria-level', 'data-frame'];
	const { ink, quiet } = theme, fills = { ink: ink, sum: ink, found: ink, track: ink, grid: ink, dim: quiet,
		'quiet-text': quiet, white: '#ffffff', black: '#000000', chosen: 'none', cut: theme.back };

	for (const e of [g, ...g.querySelectorAll('*')]) {
		const name = e.getAttribute('class'), label = e.getAttribute('aria-label');

		if (fills[name])
			e.setAttribute('fill', fills[name]);
		if (name === 'track' || name === 'grid')
			e.setAttribute('fill-opacity', 0.1);
		if (name === 'sum' || name === 'found')
			e.setAttribute('font-weight', 'bold');
		if (name === 'tick')
			e.setAttribute('stroke', quiet);
		for (const attribute of HTML_ONLY)
			e.removeAttribute(attribute);
		if (label) {
			e.prepend(pyrograph.ui.dom.svg('title', {}));
			e.firstChild.textContent = label;
		}
	}
	return g;
};
