/* bars_export: the view as a picture without script: heading, legend, axis, all rows. */
pyrograph.ui.barsExport = function (app) {
	'use strict';

	const D = pyrograph.ui.dom, T = pyrograph.bars.text, settings = app.settings;
	const PAD = 8, EDGE = 8, LINE = 1.35, SWATCH = 12, BETWEEN = 14, TABLE_MAX = 40;
	const DARK = { ink: '#e2e4e8', quiet: '#a3a9b1', back: '#17191d' };  /* flame.css */
	const LIGHT = { ink: '#1a1c1f', quiet: '#575d65', back: '#ffffff' };

	/* The heading, and what was done to the view. */
	function headingLines() {
		const v = app.view, said = [];

		if (app.sort !== 'drawn')
			said.push('Sorted by ' + (app.sort === 'name' ? 'name' : app.sortText(app.sort)));
		if (app.column)
			said.push('Widths: ' + app.model.columns[app.column]);
		if (v.filter.pattern && !app.filterError)
			said.push('Filter: ' + v.filter.pattern + ', ' + app.countText());
		if (app.found && !app.found.error)
			said.push('Search: ' + v.search.pattern + ', ' + app.matchText());
		if (v.by !== null)
			said.push('Waited for ' + T.name(v.by));
		return app.headingLines.map((line, i) => ({ text: line.text, size: line.size, bold: !i }))
			.concat(said.map((text) => ({ text: text, size: settings.fontSize })));
	}

	/* What a style sheet does on the page, as attributes. */
	function plain(g, theme) {
		const fills = { ink: theme.ink, sum: theme.ink, found: theme.ink, dim: theme.quiet,
			'quiet-text': theme.quiet, white: '#ffffff', black: '#000000' };

		for (const e of g.querySelectorAll('*')) {
			const name = e.getAttribute('class');

			if (e.localName === 'text' && fills[name])
				e.setAttribute('fill', fills[name]);
			if (name === 'sum' || name === 'found')
				e.setAttribute('font-weight', 'bold');
			if (name === 'tick')
				e.setAttribute('stroke', theme.quiet);
			if (name === 'chosen')
				e.setAttribute('fill', 'none');
			for (const attribute of ['class', 'id', 'role', 'aria-hidden', 'aria-posinset', 'aria-setsize', 'aria-selected'])
				e.removeAttribute(attribute);
			if (e.hasAttribute('aria-label')) {
				e.prepend(D.svg('title', {}));
				e.firstChild.textContent = e.getAttribute('aria-label');
				e.removeAttribute('aria-label');
			}
		}
		return g;
	}

	function copyAt(out, from, y, theme) {
		const g = D.svg('g', { transform: 'translate(0,' + y + ')' }, out);

		for (const child of from.children)
			g.appendChild(child.cloneNode(true));
		plain(g, theme);
	}

	function drawLegend(out, y, width, theme) {
		let x = PAD;

		for (const [colour, label] of app.legend) {
			const wide = SWATCH + 6 + app.ruler.width(label) + BETWEEN;

			if (x > PAD && x + wide > width) {
				x = PAD;
				y += 18;
			}
			D.svg('rect', { x: x, y: y, width: SWATCH, height: SWATCH, fill: colour }, out);
			D.svg('text', { x: x + SWATCH + 6, y: y + 10, fill: theme.ink }, out).textContent = label;
			x += wide;
		}
		return y + 18 + EDGE;
	}

	/* The table as it is beside the bars, of the first of them.  Returns where it ends. */
	function drawContenders(out, top, width, theme) {
		const table = app.hasTable() && document.contains(app.page.aside) ? app.page.aside.querySelector('table[aria-label="Contenders"]') : null;
		const rows = table ? Array.from(table.rows).slice(0, TABLE_MAX + 1).map((row) => Array.from(row.cells, (cell) => cell.textContent)) : [];
		let y = top;

		if (rows.length < 2)
			return y;
		const last = rows[0].length - 1, widest = rows[0].map((cell, k) => Math.max(...rows.map((row) => app.ruler.width(row[k]))));

		y += LINE * settings.fontSize;
		D.svg('text', { x: PAD, y: y, fill: theme.ink, 'font-weight': 'bold' }, out).textContent = 'Who had the CPU while others waited for it';
		rows.forEach((row, i) => {
			let x = PAD;

			y += 1.5 * settings.fontSize;
			row.forEach((cell, k) => {
				const right = k && k < last;

				D.svg('text', { x: right ? x + widest[k] : x, y: y, fill: i ? theme.ink : theme.quiet, 'text-anchor': right ? 'end' : null },
					out).textContent = k < last ? cell : app.ruler.fit(cell, Math.max(width - PAD - x, 40), 1, 'right');
				x += widest[k] + BETWEEN;
			});
		});
		return y;
	}

	function picture() {
		const theme = app.isDark() ? DARK : LIGHT, drawn = app.panel.picture(), { width } = drawn;
		const out = D.svg('svg', { 'font-family': app.family, 'font-size': settings.fontSize });
		const back = D.svg('rect', { fill: theme.back }, out);
		let y = EDGE;

		for (const line of headingLines()) {
			y += line.size * LINE;
			D.svg('text', { x: PAD, y: y, 'font-size': line.size, fill: theme.ink, 'font-weight': line.bold ? 'bold' : null }, out)
				.textContent = app.ruler.fit(line.text, (width - 2 * PAD) * settings.fontSize / line.size, 1, 'right');
		}
		y = drawLegend(out, y + EDGE, width, theme);
		copyAt(out, drawn.head, y, theme);
		y += drawn.headHeight;
		for (const [x, text, anchor] of drawn.heads)
			D.svg('text', { x: x, y: y - 7, fill: theme.quiet, 'text-anchor': anchor }, out).textContent = text;
		copyAt(out, drawn.rows, y, theme);
		y = drawContenders(out, y + drawn.rowsHeight + EDGE, width, theme);
		y = Math.ceil(y + EDGE);
		for (const e of [out, back]) {
			e.setAttribute('width', width);
			e.setAttribute('height', y);
		}
		out.setAttribute('viewBox', '0 0 ' + width + ' ' + y);
		return out;
	}

	/* All rows are drawn for it, then again only those in the window. */
	app.pictureText = () => {
		let text;

		app.allRows = true;
		try {
			app.drawAll();
			text = new XMLSerializer().serializeToString(picture());
		} finally {
			app.allRows = false;
			app.drawAll();
		}
		return '<?xml version="1.0" encoding="UTF-8"?>\n' + text + '\n';
	};
};
