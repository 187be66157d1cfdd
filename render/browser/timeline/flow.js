/* timeline_flow: headings, legend and remarks of a timeline in a window narrower than what C drew
 * them for: texts get several lines, entries of the legend go to the next one.
 *
 * flow(svg, layout).to(width) -> { layout, bottom }: where things are in a picture so wide, and
 *     how much stands below detailsY */
pyrographTimeline.flow = function (svg, layout) {
	'use strict';

	const SVG = 'http://www.w3.org/2000/svg', LINE = 20, NAME_PART = 0.3, GAP = 8, BAR_LEAST = 0.55, LINE_HEIGHT = 1.5;
	const drawn = Number(svg.getAttribute('width')), below = Number(svg.getAttribute('height')) - layout.detailsY;
	const texts = (id) => Array.from(svg.querySelectorAll(`#${id} text`), (e) => ({ e, y: Number(e.getAttribute('y')), text: e.textContent }));
	const heading = texts('heading'), details = texts('details'), legend = [];

	/* A swatch and what stands beside or in it are one; so is what has no swatch. */
	for (const e of svg.querySelectorAll('#legend > *')) {
		const x = Number(e.getAttribute('x')), y = Number(e.getAttribute('y')), last = legend[legend.length - 1];

		if (e.localName === 'text' && last && last.parts[0].localName === 'rect' && last.parts.length === 1)
			last.parts.push(e);
		else
			legend.push({ parts: [e], x, y: e.localName === 'text' ? y - LINE * 0.6 : y, line: y });
	}

	/* Lines of the text that are at most room wide. */
	function split(e, text, room) {
		const lines = [];
		let line = '';

		for (const word of text.split(' ')) {
			e.textContent = line ? line + ' ' + word : word;
			if (line && e.getComputedTextLength() > room) {
				lines.push(line);
				line = word;
			} else {
				line = e.textContent;
			}
		}
		return lines.concat(line);
	}

	/* Returns by how much the texts became higher. */
	function wrap(items, room) {
		let more = 0;

		for (const { e, y, text } of items) {
			const step = Number(e.getAttribute('font-size') || layout.fontSize) * LINE_HEIGHT, x = e.getAttribute('x');
			const lines = split(e, text, room);

			e.setAttribute('y', y + more);
			e.textContent = text;
			if (lines.length > 1) {
				e.replaceChildren(...lines.map((line, i) => {
					const span = document.createElementNS(SVG, 'tspan');

					span.setAttribute('x', x);
					if (i)
						span.setAttribute('dy', step);
					span.textContent = line + (i < lines.length - 1 ? ' ' : '');
					return span;
				}));
			}
			more += (lines.length - 1) * step;
		}
		return more;
	}

	function flowLegend(width, down) {
		const known = new Set();
		let x = layout.pad, lines = 0;
		const before = new Set(legend.map((entry) => Math.round(entry.y / LINE))).size;

		for (const entry of legend) {
			const end = Math.max(...entry.parts.map((e) => e.getBBox()).map((box) => box.x + box.width));
			const wide = end - entry.x, fresh = !known.has(Math.round(entry.y / LINE)) && entry.parts[0].localName === 'text';

			known.add(Math.round(entry.y / LINE));
			if (x > layout.pad && (fresh || x + wide > width - layout.pad)) {
				x = layout.pad;
				lines++;
			}
			for (const e of entry.parts)
				e.setAttribute('transform', `translate(${x - entry.x} ${down + legend[0].y + lines * LINE - entry.y})`);
			x += wide + GAP;
		}
		return Math.max(0, lines + 1 - before) * LINE + down;
	}

	function to(width) {
		const l = Object.assign({}, layout), narrow = width < drawn;
		const room = narrow ? width - 2 * layout.pad : Infinity;
		let down = wrap(heading, room);

		if (narrow) {
			down = flowLegend(width, down);
			if (width - layout.pad - l.barX < width * BAR_LEAST) {
				l.noteWidth = 0;
				l.nameWidth = Math.min(l.nameWidth, width * NAME_PART);
				l.barX = l.nameX + l.nameWidth + GAP;
			}
		} else {
			legend.forEach((entry) => entry.parts.forEach((e) => e.removeAttribute('transform')));
		}
		l.axisY += down;
		l.rowsY += down;
		return { layout: l, bottom: below + wrap(details, room) };
	}

	return { to };
};
