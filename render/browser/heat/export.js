/* heat_export: the picture as the reader sees it, without script: one image for the cells of each map, axes,
 * legend, and the flame graph. */
pyrograph.heat.export = function (app) {
	'use strict';

	const D = pyrograph.ui.dom;
	const EDGE = 8, PAD = 10, SWATCH = 12, TITLE = 20;
	const STYLES = ['fill', 'fill-opacity', 'stroke', 'stroke-width', 'stroke-dasharray', 'opacity', 'font-weight',
		'paint-order'];

	/* The changes to the view, in words. */
	const said = () => [app.view.search && app.matchText() ? 'Matched: ' + app.view.search.pattern + ', ' +
		app.matchText() : '', ...app.controls.texts('.chip')];

	/* A copy of an element of the page, with its computed style as attributes. */
	function plain(from) {
		const copy = from.cloneNode(false), style = getComputedStyle(from);

		for (const name of ['class', 'role', 'id', 'style', 'aria-hidden'])
			copy.removeAttribute(name);
		for (const name of from.localName === 'g' || from.localName === 'svg' ? [] : STYLES) {
			const value = style.getPropertyValue(name), isUsual = /^(normal|none|1|400)$/.test(value) &&
				name !== 'fill' && name !== 'stroke-width';

			if (value && !isUsual)
				copy.setAttribute(name, value);
		}
		copy.append(...Array.from(from.childNodes, (child) => child.nodeType === Node.TEXT_NODE
			? child.cloneNode() : plain(child)));
		return copy;
	}

	/* Draws the cells as one image, with axes and outlines above.  Returns the height. */
	function drawPlot(out, plot, y, ink) {
		let top = y;

		if (plot.map.title) {
			D.svg('text', { x: PAD, y: top + 14, fill: ink, 'font-weight': 'bold' }, out).textContent =
				[plot.map.title, plot.map.flag]
					.filter(Boolean).join(' ');
			top += TITLE;
		}
		const g = D.svg('g', { transform: 'translate(0,' + top + ')' }, out);

		D.svg('image', { x: plot.left, y: plot.top, width: plot.width, height: plot.height,
			preserveAspectRatio: 'none',
			'image-rendering': 'pixelated', href: app.canvasOf(plot.map, plot.columnPx, plot.rowPx,
				app.isDark()).toDataURL() }, g);
		for (const part of [plot.axis, plot.lines, plot.marks])
			g.append(...Array.from(part.children).filter((e) =>
				e.getAttribute('class') !== 'cursor').map(plain));
		return top - y + Number(plot.svg.getAttribute('height'));
	}

	/* Draws all lanes.  Returns the height. */
	function drawLanes(out, y) {
		const { parts, height, done } = app.lanesPicture();

		D.svg('g', { transform: 'translate(0,' + y + ')' }, out).append(...parts.map(plain));
		done();
		return height;
	}

	function swatch(out, x, y, colour, ink) {
		const isPlain = colour[0] === '#';

		if (colour.startsWith('line')) {
			D.svg('path', { d: 'M' + x + ' ' + (y + 6) + 'h' + SWATCH, stroke: ink, 'stroke-width': 2,
				'stroke-dasharray': colour.endsWith('dotted') ? '2 2' : colour.endsWith('dashed')
					? '5 2' : null }, out);
			return;
		}
		D.svg('rect', { x: x, y: y, width: SWATCH, height: SWATCH, fill: isPlain ? colour : 'none', stroke: ink,
			'stroke-opacity': 0.3 }, out);
		if (!isPlain)
			D.svg('path', { d: 'M' + x + ' ' + (y + 6) + 'l6 -6M' + x + ' ' + (y + 12) +
				'l12 -12m-6 12l6 -6', stroke: ink, 'stroke-opacity': 0.6 }, out);
	}

	/* Draws the flame graph as its own export does.  Returns the y at which it ends. */
	function drawFlame(out, y, width) {
		const text = app.flame && app.flame.svg && !app.page.flame.hidden && app.view.selection
			? app.flame.svg() : null;
		const flame = text ? new DOMParser().parseFromString(text, 'image/svg+xml').documentElement : null;

		if (!flame || flame.localName !== 'svg')
			return y;
		const [w, h] = ['width', 'height'].map((name) => Number(flame.getAttribute(name)) || 0),
			scale = Math.min(1, width / (w || 1));

		flame.setAttribute('y', y);
		flame.setAttribute('width', w * scale);
		flame.setAttribute('height', h * scale);
		out.appendChild(document.importNode(flame, true));
		return y + h * scale;
	}

	pyrograph.ui.picture(app, { said, swatch, legend: () => app.legend.concat([[null, app.legendTitle]]),
		width: () => Math.max(400, ...app.plots.map((plot) =>
			Math.ceil(Number(plot.svg.getAttribute('width'))))),
		draw: (out, y, width, theme) => {
			for (const plot of app.plots)
				y += drawPlot(out, plot, y, theme.ink);
			y += app.lanes ? drawLanes(out, y) : 0;
			return drawFlame(out, y + EDGE, width);
		} });
};
