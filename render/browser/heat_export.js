/* heat_export: the selection (or all that is shown) as timed or plain folded lines, and the
 * picture as it is seen, without script.
 *
 * app.timedParts(selection)    -> [text, ...]: headers, gaps, lines; null: too many of them
 * app.foldedText(selection)    -> as "collapse --from --to" writes them */
pyrograph.heat.export = function (app) {
	'use strict';

	const D = pyrograph.ui.dom, N = pyrograph.number, H = pyrograph.heat, { data, settings } = app;
	const LINES_MAX = 5000000, PART_BYTES = 1 << 20, NS = 1000000000;
	/* collapse/folded.h; unit is the last */
	const KEYS = ['host', 'event', 'start', 'end', 'clock', 'from', 'to', 'cpus', 'clock-error', 'rate', 'kernel', 'command', 'root', 'filter',
		'lost', 'losses', 'unresolved', 'spans', 'topology', 'open', 'unit'];
	const OF_ALL = ['lost', 'losses', 'unresolved', 'open']; /* say nothing of a part */

	/* ---- moments ---- */

	const originSeconds = Number(BigInt(settings.origin) / BigInt(NS)), originRest = Number(BigInt(settings.origin) % BigInt(NS));

	/* "1795342502.014325678" */
	function momentText(ns) {
		const t = originRest + ns, more = Math.floor(t / NS);

		return originSeconds + more + '.' + String(t - more * NS).padStart(9, '0');
	}
	function isoText(ns) {
		const [seconds, rest] = momentText(ns).split('.');

		return new Date(Number(seconds) * 1000).toISOString().slice(0, 19) + '.' + rest + 'Z';
	}

	/* ---- headers ---- */

	/* Bare where nothing in it could be taken for something else, else a JSON string. */
	const quoted = (text) => /^[\w.,:+/%@~-]+$/.test(text) ? text : JSON.stringify(text).replace(/[\u007f-\u009f]/g, '');

	function headerOf(recording, part) {
		const source = recording.source || {}, pairs = Object.assign({}, source, part || {});

		for (const key of part ? OF_ALL : [])
			delete pairs[key];
		if (!pairs.unit)
			pairs.unit = settings.unit;
		return '# pyrograph: ' + KEYS.filter((key) => typeof pairs[key] === 'string' && pairs[key] !== '')
			.map((key) => key + '=' + quoted(pairs[key])).join(' ') + '\n';
	}

	/* What a part's header says of its time. */
	function partOf(recording, spans, first, last) {
		const part = { start: '', end: '', from: isoText(Math.max(recording.from, spans[0][0])), to: isoText(Math.min(recording.to, spans[spans.length - 1][1])) };
		if (first !== null)
			Object.assign(part, { start: isoText(first), end: isoText(last) });
		return settings.relative ? {} : part;
	}

	const gapText = (from, to, more) => '# gap: start=' + momentText(from) + ' end=' + momentText(to) + more + '\n';

	/* What was not seen, and what lies between the parts of a selection. */
	function gapsOf(number, spans) {
		const from = spans[0][0], to = spans[spans.length - 1][1], out = [];

		for (const [a, b, recording, cpu, lost, why] of settings.gaps || []) {
			if (recording === number && b > from && a < to)
				out.push([Math.max(a, from), gapText(Math.max(a, from), Math.min(b, to), (cpu >= 0 ? ' cpu=' + cpu : '') +
					(lost > 0 && a >= from && b <= to ? ' lost=' + lost : '') + ' why=' + quoted(why || 'lost'))]);
		}
		for (let i = 1; i < spans.length; i++)
			out.push([spans[i - 1][1], gapText(spans[i - 1][1], spans[i][0], ' why=not-selected')]);
		return out.sort((a, b) => a[0] - b[0]).map(([, text]) => text).join('');
	}

	/* ---- lines ---- */

	const decimals = settings.decimals || 0, one = Math.pow(10, decimals);

	/* In hundredths (decimals 2) 1250 is "12.5". */
	function valueText(value) {
		if (!decimals)
			return String(value);
		const rest = String(value % one).padStart(decimals, '0').replace(/0+$/, '');

		return Math.floor(value / one) + (rest ? '.' + rest : '');
	}

	/* Selected events of a recording, one after the other: run(event). */
	function each(selection, number, run) {
		const { recordingOf } = data, only = app.isSelected(selection);

		for (const [from, to] of app.eventRanges(selection)) {
			for (let i = from; i < to; i++) {
				if (recordingOf[data.stack[i]] === number && (!only || only(i)))
					run(i);
			}
		}
	}

	/* When the first and the last of them are, in ns; null, null: there are none. */
	function ends(selection, number) {
		let first = -1, last = -1;

		each(selection, number, (i) => {
			first = first < 0 ? i : first;
			last = i;
		});
		return first < 0 ? [null, null] : [first, last].map((i) => H.data.nsOf(settings, data.tick[i]));
	}

	app.timedParts = (selection) => {
		const parts = [], spans = app.spans(selection), texts = [];
		const counts = app.countsIn(selection), count = counts.reduce((sum, n) => sum + n, 0);

		if (count > LINES_MAX)
			return null;
		settings.recordings.forEach((recording, number) => {
			const [first, last] = ends(selection, number);
			let text = '';

			if (first !== null || recording.from < spans[spans.length - 1][1] && recording.to > spans[0][0])
				text = headerOf(recording, selection ? partOf(recording, spans, first, last) : null) + gapsOf(number, spans);
			each(selection, number, (i) => {
				const stack = data.stack[i], ns = H.data.nsOf(settings, data.tick[i]);

				if (texts[stack] === undefined)
					texts[stack] = H.data.stackText(data, stack);
				text += '@' + momentText(ns) + ' ' + texts[stack] + ' ' + valueText(data.value ? data.value[i] : settings.same) + '\n';
				if (text.length > PART_BYTES) {
					parts.push(text);
					text = '';
				}
			});
			parts.push(text);
		});
		return parts;
	};

	/* Frame by frame in order of their bytes, as collapse sorts. */
	function byFrames([a], [b]) {
		const x = a.replace(/;/g, '\0'), y = b.replace(/;/g, '\0');

		return x < y ? -1 : x > y ? 1 : 0;
	}

	app.foldedText = (selection) => {
		const values = app.valuesIn(selection), sums = new Map(), spans = app.spans(selection);

		for (let stack = 0; stack < values.length; stack++) {
			if (values[stack]) {
				const text = H.data.stackText(data, stack);

				sums.set(text, (sums.get(text) || 0) + values[stack]);
			}
		}
		const headers = settings.recordings.map((r, number) => r.from >= spans[spans.length - 1][1] || r.to <= spans[0][0] ? ''
			: headerOf(r, selection ? partOf(r, spans, ...ends(selection, number)) : null));

		return headers.join('') + Array.from(sums).sort(byFrames).map(([text, value]) => text + ' ' + valueText(value) + '\n').join('');
	};

	/* What is to be saved: the selection, or the part that is shown, or all. */
	function wanted() {
		const shown = app.shown();

		return app.view.selection || (app.view.from === null && app.view.to === null ? null : { kind: 'time', from: shown.from, to: shown.to });
	}

	function saveText(parts, extension) {
		D.save(app.fileName(extension), new Blob(parts, { type: 'text/plain;charset=utf-8' }));
		app.toast('Saved: ' + app.fileName(extension));
	}

	app.saveTimed = () => {
		const parts = app.timedParts(wanted());

		if (parts)
			saveText(parts, '.timed.folded');
		else
			app.toast('More than ' + N.countText(LINES_MAX) + ' lines: select less, or "pyrograph render folded FILE.svg"');
	};
	app.saveFolded = () => saveText([app.foldedText(wanted())], '.folded');

	/* ---- the picture ---- */

	const EDGE = 8, PAD = 10, LINE = 1.35, SWATCH = 12, TITLE = 20;
	const STYLES = ['fill', 'stroke', 'stroke-width', 'stroke-dasharray', 'opacity', 'font-weight', 'paint-order'];

	/* The heading, and what was done to the view. */
	function headingLines() {
		const said = [app.view.search && app.matchText() ? 'Matched: ' + app.view.search.pattern + ', ' + app.matchText() : '',
			...Array.from(app.page.chips.children, (chip) => Array.from(chip.children, (part) => part.title && part.localName !== 'button' ?
				part.title : part.textContent.trim()).filter(Boolean).join(' '))];

		return app.headingLines.map((line, i) => ({ text: line.text, size: line.size, bold: !i }))
			.concat(said.filter(Boolean).map((text) => ({ text: text, size: settings.fontSize })));
	}

	/* A copy of an element of the page, whose looks are its own. */
	function plain(from) {
		const copy = from.cloneNode(false), style = getComputedStyle(from);

		for (const name of ['class', 'role', 'id', 'style', 'aria-hidden'])
			copy.removeAttribute(name);
		for (const name of from.localName === 'g' || from.localName === 'svg' ? [] : STYLES) {
			const value = style.getPropertyValue(name), isUsual = /^(normal|none|1|400)$/.test(value) && name !== 'fill' && name !== 'stroke-width';

			if (value && !isUsual)
				copy.setAttribute(name, value);
		}
		copy.append(...Array.from(from.childNodes, (child) => child.nodeType === Node.TEXT_NODE ? child.cloneNode() : plain(child)));
		return copy;
	}

	/* Cells as one image, axes and outlines above it.  Returns its height. */
	function drawPlot(out, plot, y, ink) {
		let top = y;

		if (plot.map.title) {
			D.svg('text', { x: PAD, y: top + 14, fill: ink, 'font-weight': 'bold' }, out).textContent = [plot.map.title, plot.map.flag]
				.filter(Boolean).join(' ');
			top += TITLE;
		}
		const g = D.svg('g', { transform: 'translate(0,' + top + ')' }, out);

		D.svg('image', { x: plot.left, y: plot.top, width: plot.width, height: plot.height, preserveAspectRatio: 'none',
			'image-rendering': 'pixelated', href: app.canvasOf(plot.map, plot.columnPx, plot.rowPx, app.isDark()).toDataURL() }, g);
		for (const part of [plot.axis, plot.lines, plot.marks])
			g.append(...Array.from(part.children).filter((e) => e.getAttribute('class') !== 'cursor').map(plain));
		return top - y + Number(plot.svg.getAttribute('height'));
	}

	function drawSwatch(out, x, y, colour, ink) {
		const isPlain = colour[0] === '#';

		if (colour === 'line') {
			D.svg('path', { d: 'M' + x + ' ' + (y + 6) + 'h' + SWATCH, stroke: ink, 'stroke-width': 2 }, out);
			return;
		}
		D.svg('rect', { x: x, y: y, width: SWATCH, height: SWATCH, fill: isPlain ? colour : 'none', stroke: ink, 'stroke-opacity': 0.3 }, out);
		if (!isPlain)
			D.svg('path', { d: 'M' + x + ' ' + (y + 6) + 'l6 -6M' + x + ' ' + (y + 12) + 'l12 -12m-6 12l6 -6', stroke: ink, 'stroke-opacity': 0.6 }, out);
	}

	function drawLegend(out, y, width, ink) {
		let x = PAD;

		for (const [colour, text] of app.legend.concat([[null, app.legendTitle]])) {
			const words = app.ruler.fit(text, 300, 1, 'middle'), wide = (colour ? SWATCH + 6 : 0) + app.ruler.width(words) + 14;

			if (x > PAD && x + wide > width) {
				x = PAD;
				y += 18;
			}
			if (colour)
				drawSwatch(out, x, y, colour, ink);
			D.svg('text', { x: x + (colour ? SWATCH + 6 : 0), y: y + 10, fill: ink }, out).textContent = words;
			x += wide;
		}
		return y + 18 + EDGE;
	}

	/* The flame graph as it saves itself.  Returns where it ends. */
	function drawFlame(out, y, width) {
		const text = app.flame && app.flame.svg && !app.page.flame.hidden && app.view.selection ? app.flame.svg() : null;
		const flame = text ? new DOMParser().parseFromString(text, 'image/svg+xml').documentElement : null;

		if (!flame || flame.localName !== 'svg')
			return y;
		const [w, h] = ['width', 'height'].map((name) => Number(flame.getAttribute(name)) || 0), scale = Math.min(1, width / (w || 1));

		flame.setAttribute('y', y);
		flame.setAttribute('width', w * scale);
		flame.setAttribute('height', h * scale);
		out.appendChild(document.importNode(flame, true));
		return y + h * scale;
	}

	function picture() {
		const style = getComputedStyle(app.page.element), back = app.isDark() ? '#17191d' : '#ffffff', ink = style.color;
		const width = Math.max(400, ...app.plots.map((plot) => Math.ceil(Number(plot.svg.getAttribute('width')))));
		const out = D.svg('svg', { 'font-family': app.family, 'font-size': settings.fontSize }), rect = D.svg('rect', { fill: back }, out);
		let y = EDGE;

		for (const line of headingLines()) {
			y += line.size * LINE;
			D.svg('text', { x: PAD, y: y, 'font-size': line.size, fill: ink, 'font-weight': line.bold ? 'bold' : null }, out).textContent =
				app.ruler.fit(line.text, (width - 2 * PAD) * settings.fontSize / line.size, 1, 'right');
		}
		y = drawLegend(out, y + EDGE, width, ink);
		for (const plot of app.plots)
			y += drawPlot(out, plot, y, ink);
		y = Math.ceil(drawFlame(out, y + EDGE, width) + EDGE);
		for (const e of [out, rect]) {
			e.setAttribute('width', width);
			e.setAttribute('height', y);
		}
		out.setAttribute('viewBox', '0 0 ' + width + ' ' + y);
		return out;
	}

	app.pictureText = () => '<?xml version="1.0" encoding="UTF-8"?>\n' + new XMLSerializer().serializeToString(picture()) + '\n';
};
