/* bars_export: the view as a picture without script: heading, legend, axis, all rows. */
pyrograph.ui.barsExport = function (app) {
	'use strict';

	const { now, details, settings } = app;
	const D = pyrograph.ui.dom, T = pyrograph.bars.text;
	const PAD = 10, EDGE = 8, LINE = 1.35, BETWEEN = 14, TABLE_MAX = 40;

	/* The changes to the view, in words. */
	function said() {
		const v = app.view, lines = [];

		if (now.sort !== 'drawn')
			lines.push('Sorted by ' + (now.sort === 'name' ? 'name' : app.panel.sortText(now.sort)));
		if (now.column)
			lines.push('Widths: ' + now.model.columns[now.column]);
		if (v.filter.pattern && !now.filterError)
			lines.push('Filter: ' + v.filter.pattern + ', ' + details.countText());
		if (now.found && !now.found.error)
			lines.push('Search: ' + v.search.pattern + ', ' + details.matchText());
		if (v.by !== null)
			lines.push('Waited for ' + T.name(v.by));
		return lines;
	}

	function copyAt(out, from, y, theme) {
		const g = D.svg('g', { transform: 'translate(0,' + y + ')' }, out);

		for (const child of from.children)
			g.appendChild(pyrograph.ui.picture.plain(child.cloneNode(true), theme));
	}

	/* Draws the first rows of the table beside the bars.  Returns the y at which they end. */
	function drawContenders(out, top, width, theme) {
		const table = now.hasTable() && document.contains(app.page.aside)
			? app.page.aside.querySelector('table[aria-label="Who had the CPU"]') : null;
		const rows = table ? Array.from(table.rows).slice(0, TABLE_MAX + 1).map((row) =>
			Array.from(row.cells, (cell) => cell.textContent)) : [];
		let y = top;

		if (rows.length < 2)
			return y;
		const last = rows[0].length - 1, widest = rows[0].map((cell, k) =>
			Math.max(...rows.map((row) => app.ruler.width(row[k]))));

		y += LINE * settings.fontSize;
		D.svg('text', { x: PAD, y: y, fill: theme.ink, 'font-weight': 'bold' }, out).textContent =
			'Who had the CPU while others waited for it';
		rows.forEach((row, i) => {
			let x = PAD;

			y += 1.5 * settings.fontSize;
			row.forEach((cell, k) => {
				const right = k && k < last;

				D.svg('text', { x: right ? x + widest[k] : x, y: y, fill: i ? theme.ink : theme.quiet,
					'text-anchor': right ? 'end' : null },
				out).textContent = k < last ? cell : app.ruler.fit(cell,
					Math.max(width - PAD - x, 40), 1, 'right');
				x += widest[k] + BETWEEN;
			});
		});
		return y;
	}

	pyrograph.ui.picture(app, { said, legend: () => now.legend, width: () => app.panel.picture().width,
		draw: (out, y, width, theme) => {
			const drawn = app.panel.picture();

			copyAt(out, drawn.head, y, theme);
			y += drawn.headHeight;
			for (const [x, text, anchor] of drawn.heads)
				D.svg('text', { x: x, y: y - 7, fill: theme.quiet, 'text-anchor': anchor },
					out).textContent = text;
			copyAt(out, drawn.rows, y, theme);
			return drawContenders(out, y + drawn.rowsHeight + EDGE, width, theme);
		} });
};
