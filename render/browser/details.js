/* details: what is said of a frame: the line below, the box beside the pointer, and what
 * readers of screens hear. */
pyrograph.ui.details = function (app) {
	'use strict';

	const D = pyrograph.ui.dom, P = pyrograph.profile, T = pyrograph.transform, LY = pyrograph.layers;
	const settings = app.settings;
	const REST_MS = 300, AWAY = 14, NAME_LINES_PX = 2400;
	const idleText = app.idleText;
	const tip = D.html('div', { 'class': 'tip', role: 'tooltip', hidden: true });
	const line = D.html('span', { 'class': 'details' });
	const spoken = D.html('span', { 'class': 'offscreen', 'aria-live': 'polite' });
	let resting = 0, idleSince = 0;

	app.page.overlay.appendChild(tip);
	app.page.foot.append(line, spoken);

	const value = (v) => P.valueText(settings, v);

	/* The whole that shares are of, in a panel's tree. */
	const wholeOf = (panel) => panel.whole ? panel.whole() : panel.tree.total[0];

	function zoomShare(panel, frame) {
		const tree = panel.tree, zoom = panel.zoom;

		return zoom && frame >= zoom && frame < tree.end[zoom]
			? P.percentText(tree.total[frame], tree.total[zoom]) : '';
	}

	/* "write (35 samples, 44.87% of all, 76.09% of the zoomed frame)" */
	app.tip = (panel, frame) => {
		const tree = panel.tree, ofZoom = zoomShare(panel, frame);

		return panel.nameOf(frame) + ' (' + value(tree.total[frame]) + ', ' +
			P.percentText(tree.total[frame], wholeOf(panel)) +
			(ofZoom ? ' of all, ' + ofZoom + ' of the zoomed frame' : '') + ')';
	};
	app.describe = (panel, frame) => {
		const self = panel.tree.self[frame];

		return settings.nametype + ' ' + app.tip(panel, frame) + ', self ' + value(self) + ', ' +
			P.percentText(self, wholeOf(panel));
	};

	/* Rows of the box: [label, value, share of all, share of the zoomed frame]. */
	function figures(panel, frame) {
		const tree = panel.tree, whole = wholeOf(panel), zoomed = panel.zoom && zoomShare(panel, frame);
		const row = (label, v) => [label, value(v), P.percentText(v, whole),
			zoomed ? P.percentText(v, tree.total[panel.zoom]) : ''];

		return [['', '', 'of all', zoomed ? 'of zoomed' : ''],
			row(isCompared(panel) ? 'width' : 'total', tree.total[frame])].concat(
			isCompared(panel) ? [] : [row('self', tree.self[frame])]);
	}

	function signed(v) {
		return (v > 0 ? '+' : v < 0 ? '\u2212' : '\u00b1') + value(Math.abs(v));
	}

	/* Base, new and their difference, of total and self. */
	function comparison(panel, frame) {
		const side = app.sides.get(panel.tree) || 1, names = settings.layers.map((layer) => layer.name);
		const rows = [['', names[0] || 'base', names[side] || 'new', 'change']];

		for (const by of ['total', 'self']) {
			const p = LY.pair(panel.tree, frame, by, side), bare = (v) => value(v).replace(/ \S+$/, '');
			const change = p.base === 0 && p.new === 0 ? '' : p.new === 0 ? 'gone' : !isFinite(p.relative)
				? 'new' : (p.relative > 0 ? '+' : p.relative < 0 ? '\u2212' : '') +
					Math.abs(p.relative * 100).toFixed(1) + '%';

			rows.push([by, bare(p.base), bare(p.new), signed(p.difference) + (change ? ', ' + change : '')]);
		}
		return rows;
	}

	const isCompared = (panel) => settings.mode === 'diff' ||
		(settings.mode === 'multiples' && app.sides.get(panel.tree) > 0);

	function layerRows(panel, frame) {
		if (isCompared(panel))
			return comparison(panel, frame);
		if (settings.mode !== 'metrics')
			return [];
		const values = LY.valuesOf(panel.tree, frame);

		return settings.layers.map((layer, i) => [layer.name, value(values[i]).replace(/ \S+$/, ''),
			layer.total ? P.percentText(values[i], layer.total) : '', '']).concat([ratioRow(panel.tree, frame)]);
	}

	const ratios = new WeakMap();

	function ratioRow(tree, frame) {
		if (!ratios.has(tree))
			ratios.set(tree, LY.metric(tree, settings).ratio);
		const ratio = ratios.get(tree)[frame];

		return [settings.metric.colour, isNaN(ratio) ? '\u2013' : String(Number(ratio.toPrecision(4))), '', ''];
	}

	/* What else there is to say of a frame. */
	function notes(panel, frame) {
		const tree = panel.tree, out = [], folded = tree.folded && tree.folded.get(frame);
		const variants = app.view.variants || app.view.generated ? T.variantsOf(tree, app.names, frame) : null;
		const link = app.attributesOf(panel, frame);

		if (folded)
			out.push('stands for ' + folded.toLocaleString('en') + ' frames too narrow to be kept');
		if (variants && variants.size > 1) {
			out.push(Array.from(variants, ([label, v]) => label + ' ' + value(v).replace(/ \S+$/, '')).join(', '));
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
		const table = D.html('table', {}), rows = figures(panel, frame).concat(layerRows(panel, frame));

		for (const cells of rows) {
			table.appendChild(D.html('tr', { 'class': cells[0] ? null : 'tip-head' }, ...cells.map((cell, i) =>
				D.html(i ? 'td' : 'th', {}, cell))));
		}
		tip.replaceChildren(D.html('div', { 'class': 'tip-name' }, name), table,
			...notes(panel, frame).map((text) => D.html('div', { 'class': 'tip-note' }, text)));
	}

	/* Beside the point, inside the window. */
	function putTip(x, y) {
		const page = app.page.element.getBoundingClientRect();
		const w = tip.offsetWidth, h = tip.offsetHeight;
		let left = x - page.left + AWAY, top = y - page.top + AWAY;

		if (left + w > page.width - 4)
			left = Math.max(4, Math.min(x - page.left - w - AWAY, page.width - w - 4));
		if (top + h > page.height - 4)
			top = Math.max(4, y - page.top - h - AWAY);
		tip.style.left = left + 'px';
		tip.style.top = top + 'px';
	}

	function hideTip() {
		clearTimeout(resting);
		if (!tip.hidden)
			idleSince = performance.now();
		tip.hidden = true;
	}

	/* Details of a frame under the pointer at x, y; soon the box as well. */
	app.hover = (panel, frame, x, y) => {
		clearTimeout(resting);
		app.panels.forEach((p) => p.outline(p === panel ? frame : -1));
		app.showDetails(panel, frame);
		app.pointed = frame >= 0 ? { panel: panel, frame: frame } : null;
		if (frame < 0) {
			hideTip();
			return;
		}
		const show = () => {
			fill(panel, frame);
			tip.hidden = false;
			putTip(x, y);
		};

		if (!tip.hidden || performance.now() - idleSince < REST_MS)
			show();
		else
			resting = setTimeout(show, REST_MS);
	};
	app.hideTip = hideTip;

	/* The line below; panel null or frame -1: what is zoomed. */
	app.showDetails = (panel, frame) => {
		const main = app.panels[0];

		line.textContent = panel && frame >= 0 ? app.describe(panel, frame)
			: app.zoom && main ? 'Zoomed: ' + app.tip(main, app.zoom) : idleText;
		line.classList.toggle('idle', !(panel && frame >= 0));
		line.title = line.textContent;
	};
	app.say = (text) => {
		spoken.textContent = text;
	};

	/* What --nameattr says of a name, or null; links only to where links may go. */
	app.attributesOf = (panel, frame) => {
		const all = settings.attributes, origin = panel.tree.name[frame];
		const found = all && all[origin];

		if (!found)
			return null;
		return Object.assign({}, found, { href: /^(https?:|mailto:|[^:]*$)/i.test(found.href || '')
			? found.href : undefined });
	};
	/* ---- what a step did, for who does not see it ---- */

	let before = null;

	const wordsOf = (filter) => app.filterWords[filter.kind] + ' ' + P.baseName(filter.kind === 'drop'
		? filter.path[filter.path.length - 1] || '' : filter.pattern);

	/* "Hidden write. 74 samples, 13 frames are left" */
	function stepWords(view) {
		const words = [], left = value(app.tree.total[0]) + ', ' + app.tree.count.toLocaleString('en') +
			' frames are left';

		if (view.filters !== before.filters && view.filters.length > before.filters.length)
			words.push(wordsOf(view.filters[view.filters.length - 1]) + '. ' + left);
		else if (view.filters.length !== before.filters.length)
			words.push((view.filters.length ? 'A filter is gone. ' : 'No filters. ') + left);
		if (view.sandwich !== before.sandwich)
			words.push(view.sandwich ? 'Callers and callees of ' + P.baseName(view.sandwich) : 'The whole graph');
		if (view.reversed !== before.reversed)
			words.push(view.reversed ? 'Merged from the leaves' : 'Merged from the root');
		if (app.zoom !== before.frame && app.zoom)
			words.push('Zoomed: ' + app.tip(app.panels[0], app.zoom));
		else if (view.zoom.length < before.zoom.length && !app.zoom)
			words.push('All frames: ' + value(app.tree.total[0]));
		if (view.callersZoom.length && view.callersZoom.join() !== before.callersZoom.join() && app.callers)
			words.push('Zoomed: ' + app.tip(app.panels[1], app.panels[1].zoom));
		return words.join('. ');
	}

	app.onchange(() => {
		hideTip();
		app.showDetails(null, -1);
		const words = before ? stepWords(app.view) : '';

		if (words)
			app.say(words);
		before = Object.assign({}, app.view, { frame: app.zoom });
	});
};
