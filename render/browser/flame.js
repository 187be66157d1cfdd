/* flame: what a flame graph does in a browser: zoom, search, details, keys, links.
 *
 * The picture that C drew stays until something has to change; from then on the
 * frames are drawn from the profile in the file, only those that can be seen. */
(function () {
	'use strict';

	const SVG = 'http://www.w3.org/2000/svg', XHTML = 'http://www.w3.org/1999/xhtml';
	const MATCH_COLOUR = '#e600e6', LABEL_INSET = 3, LABEL_MIN_CHARS = 3;
	const TYPING_PAUSE_MS = 120, TOOLBAR_WIDTH = 420, TOOLBAR_TOP = 8, LEAST_WIDTH = 480;
	const P = pyrograph.profile, L = pyrograph.layout, T = pyrograph.transform;
	const script = document.currentScript;
	const svg = script && script.ownerSVGElement || document.documentElement;

	const settings = JSON.parse(svg.querySelector('#flame-settings').textContent);
	const names = P.decodeNames(joined('flame-names'), settings.names);
	const colours = P.decodeColours(joined('flame-colours'), settings.names);
	const tree = P.decodeTree(joined('flame-tree'), settings);

	const frames = svg.querySelector('#frames');
	const heading = svg.querySelector('#heading');
	const details = svg.querySelector('#details');
	const detailsText = details.querySelector('text');
	const background = svg.querySelector('#background rect');
	const pitch = settings.frameHeight;

	/* What is shown; everything else follows from it. */
	const view = { zoom: 0, pattern: '', ignoreCase: false };
	let matches = null;     /* by name number: does it match? null: no search */
	let patternError = '';
	let cursor = -1;        /* the frame that keys move from */
	let width = Number(svg.getAttribute('width'));
	let rows = settings.rows;
	const originalHeight = Number(svg.getAttribute('height'));
	const idleText = detailsText.textContent;

	function joined(name) {
		return Array.from(svg.querySelectorAll('.' + name), (e) => e.textContent).join('');
	}

	function element(name, attributes, parent, text) {
		const e = document.createElementNS(SVG, name);

		for (const key in attributes)
			e.setAttribute(key, attributes[key]);
		if (text !== undefined)
			e.textContent = text;
		if (parent)
			parent.appendChild(e);
		return e;
	}

	/* ---- drawing ---- */

	const inner = () => width - 2 * settings.pad;
	const height = () => originalHeight + (rows - settings.rows) * pitch;

	function rowTop(row) {
		return settings.framesTop + (settings.inverted ? row : rows - 1 - row) * pitch;
	}

	function nameOf(frame) {
		return P.baseName(names[tree.name[frame]]);
	}

	const isMatch = (frame) => matches !== null && matches[tree.name[frame]];

	function colourOf(frame) {
		if (isMatch(frame))
			return MATCH_COLOUR;
		return frame === 0 && settings.whole ? settings.rootColour
			: colours[2 * tree.name[frame]];
	}

	function crumbColour(frame) {
		return isMatch(frame) ? MATCH_COLOUR : colours[2 * tree.name[frame] + 1];
	}

	function tip(frame) {
		let shares = P.percentText(tree.total[frame], tree.total[0]);

		if (view.zoom && frame >= view.zoom && frame < tree.end[view.zoom])
			shares += ' of all, ' + P.percentText(tree.total[frame], tree.total[view.zoom]) +
				' of the zoomed frame';
		return nameOf(frame) + ' (' + P.valueText(settings, tree.total[frame]) + ', ' +
			shares + ')';
	}

	function drawBox(parent, frame, row, x, w, className) {
		const y = rowTop(row), left = settings.pad + x;
		const rect = element('rect', { x: left, y: y, width: w, height: pitch - 1,
			fill: colourOf(frame) }, parent);
		const label = L.fitText(settings, nameOf(frame), w - 2 * LABEL_INSET, LABEL_MIN_CHARS);

		if (className)
			rect.setAttribute('class', className);
		element('title', {}, rect, tip(frame));
		if (label)
			element('text', { x: left + LABEL_INSET,
				y: y + (pitch - 1) / 2 + settings.fontSize * 0.36 }, parent, label);
	}

	/* One path a colour, the marked ones above the others. */
	function drawCrumbs(parent, crumbs, base) {
		const shapes = new Map([[MATCH_COLOUR, '']]);

		for (const c of crumbs)
			shapes.set(c.colour, (shapes.get(c.colour) || '') + 'M' + (settings.pad + c.x) +
				' ' + rowTop(base + c.row) + 'h' + c.w + 'v' + (pitch - 1) + 'h' + -c.w + 'z');
		for (const [colour, d] of Array.from(shapes).reverse()) {
			if (d)
				element('path', { 'class': 'crumbs', fill: colour, d: d }, parent);
		}
	}

	function draw() {
		const fresh = document.createDocumentFragment(), base = tree.depth[view.zoom];
		const plan = L.layout(tree, view.zoom, inner(), settings.minWidth, settings.boxesMax,
			crumbColour, MATCH_COLOUR);

		rows = Math.max(settings.rows, base + plan.rows);
		resize();
		for (let a = view.zoom, left = settings.boxesMax; a && left; left--) {
			a = tree.parent[a];
			drawBox(fresh, a, tree.depth[a], 0, inner(), 'parent');
		}
		drawCrumbs(fresh, plan.crumbs, base);
		for (const box of plan.boxes)
			drawBox(fresh, box.frame, base + box.row, box.x, box.w, '');
		frames.replaceChildren(fresh);
		showFrame(-1);
	}

	/* Fit the picture's outer size to width and rows. */
	function resize() {
		const grown = height() - Number(svg.getAttribute('height'));

		svg.setAttribute('width', width);
		svg.setAttribute('height', height());
		svg.setAttribute('viewBox', '0 0 ' + width + ' ' + height());
		background.setAttribute('width', width);
		background.setAttribute('height', height());
		toolbar.setAttribute('x', width - settings.pad - TOOLBAR_WIDTH);
		matchedText.setAttribute('x', width - settings.pad);
		footBar.setAttribute('width', width);
		headBar.setAttribute('width', width);
		if (grown && !settings.inverted) /* the root stays where it is in the window */
			window.scrollBy(0, grown);
		stick();
	}

	/* Keep heading, controls and details in the window when the picture is taller. */
	function stick() {
		const outer = svg.getBoundingClientRect(), matrix = svg.getScreenCTM();
		const scale = matrix ? matrix.d : 1;
		const above = Math.max(0, -outer.top / scale);
		const below = Math.max(0, (outer.bottom - window.innerHeight) / scale);

		toolbar.setAttribute('y', TOOLBAR_TOP + above);
		heading.setAttribute('transform', 'translate(0,' + above + ')');
		headBar.setAttribute('visibility', above > 0 ? 'visible' : 'hidden');
		details.setAttribute('transform', 'translate(0,' +
			(height() - originalHeight - below) + ')');
		footBar.setAttribute('visibility', below > 0 ? 'visible' : 'hidden');
	}

	/* ---- details ---- */

	function describe(frame) {
		const self = tree.self[frame];

		return settings.nametype + ' ' + tip(frame) + ', self ' + P.valueText(settings, self) +
			', ' + P.percentText(self, tree.total[0]);
	}

	/* As much of text as fits beside the matched share. */
	function showDetails(text) {
		const taken = matchedText.textContent ? matchedText.getComputedTextLength() + 20 : 0;

		detailsText.textContent = L.fitText(settings, text, inner() - taken, 1);
	}

	/* The line below and the outline around a frame; -1: none. */
	function showFrame(frame) {
		const zoom = view.zoom;
		let x = 0, w = inner();

		showDetails(frame >= 0 ? describe(frame) : zoom ? 'Zoomed: ' + tip(zoom) : idleText);
		if (frame < 0) {
			outline.setAttribute('visibility', 'hidden');
			return;
		}
		if (frame > zoom) {
			x = (tree.start[frame] - tree.start[zoom]) / tree.total[zoom] * inner();
			w = tree.total[frame] / tree.total[zoom] * inner();
		}
		outline.setAttribute('x', settings.pad + x);
		outline.setAttribute('y', rowTop(tree.depth[frame]));
		outline.setAttribute('width', Math.max(w, 1));
		outline.setAttribute('height', pitch - 1);
		outline.setAttribute('visibility', 'visible');
	}

	/* The frame under the pointer, however narrow; -1 if none. */
	function frameUnder(event) {
		const matrix = svg.getScreenCTM();

		if (!matrix || heading.contains(event.target) || details.contains(event.target))
			return -1;
		const x = (event.clientX - matrix.e) / matrix.a - settings.pad;
		const y = (event.clientY - matrix.f) / matrix.d - settings.framesTop;
		const line = Math.floor(y / pitch), row = settings.inverted ? line : rows - 1 - line;

		if (x < 0 || x >= inner() || row < 0 || row >= rows)
			return -1;
		return L.frameAt(tree, tree.start[view.zoom] + x / inner() * tree.total[view.zoom], row);
	}

	/* ---- zoom ---- */

	function zoomTo(frame) {
		if (frame < 0 || frame === view.zoom)
			return;
		view.zoom = frame;
		cursor = frame;
		draw();
		showMatched();
		resetButton.hidden = !frame;
		saveLink(true);
	}

	/* ---- search ---- */

	function search(pattern) {
		view.pattern = pattern;
		patternError = '';
		matches = null;
		if (pattern) {
			try {
				const re = new RegExp(pattern, view.ignoreCase ? 'i' : '');

				matches = names.map((name) => re.test(name) || re.test(P.baseName(name)));
			} catch (e) {
				patternError = 'Not a regular expression: ' + pattern;
			}
		}
		input.classList.toggle('invalid', patternError !== '');
		draw();
		showMatched();
		saveLink(false);
	}

	function showMatched() {
		const zoom = view.zoom;
		let text = patternError;

		if (matches) {
			const sum = T.matchedTotal(tree, 0, matches);

			text = 'Matched: ' + P.percentText(sum, tree.total[0]);
			if (zoom)
				text += ' of all, ' + P.percentText(T.matchedTotal(tree, zoom, matches),
					tree.total[zoom]) + ' of the zoomed frame';
		}
		matchedText.textContent = text;
		matchedText.setAttribute('class', patternError ? 'matched wrong' : 'matched');
		showFrame(-1);
		clearButton.hidden = !view.pattern;
	}

	function setIgnoreCase(on) {
		view.ignoreCase = on;
		caseButton.setAttribute('aria-pressed', String(on));
		search(input.value);
	}

	function clearSearch() {
		input.value = '';
		search('');
	}

	/* ---- links: #z=main;read&s=regexp&i=1 ---- */

	function linkOf() {
		const parts = [], path = [];

		for (let f = view.zoom; f; f = tree.parent[f])
			path.unshift(encodeURIComponent(names[tree.name[f]]));
		if (path.length)
			parts.push('z=' + path.join(';'));
		if (view.pattern)
			parts.push('s=' + encodeURIComponent(view.pattern));
		if (view.ignoreCase)
			parts.push('i=1');
		return parts.join('&');
	}

	function decoded(text) {
		try {
			return decodeURIComponent(text);
		} catch (e) {
			return text;
		}
	}

	/* Each zoom is a step of the Back button; a search is none. */
	function saveLink(isStep) {
		const link = linkOf();

		if (link === location.hash.slice(1))
			return;
		try {
			if (isStep)
				history.pushState(null, '', '#' + link);
			else
				history.replaceState(null, '', '#' + link);
		} catch (e) {
			/* the place does not allow it (an embedded document): no link then */
		}
	}

	/* The frame at the end of path, as far as this profile has it. */
	function frameOfPath(path) {
		let frame = 0;

		for (const part of path.split(';')) {
			const name = decoded(part);
			let c = frame + 1;

			while (c < tree.end[frame] && names[tree.name[c]] !== name)
				c = tree.end[c];
			if (c >= tree.end[frame])
				break;
			frame = c;
		}
		return frame;
	}

	function readLink() {
		const wanted = { z: '', s: '', i: '' };

		for (const part of (location.search.slice(1) + '&' + location.hash.slice(1)).split('&')) {
			const [, key, value] = /^([zsi])=(.*)$/.exec(part) || [];

			if (key)
				wanted[key] = value;
		}
		view.zoom = wanted.z ? frameOfPath(wanted.z) : 0;
		view.ignoreCase = wanted.i === '1';
		input.value = decoded(wanted.s);
		resetButton.hidden = !view.zoom;
		caseButton.setAttribute('aria-pressed', String(view.ignoreCase));
		return Boolean(view.zoom || wanted.s);
	}

	function followLink() {
		if (location.hash.slice(1) === linkOf())
			return;
		readLink();
		search(input.value);
	}

	/* ---- keys ---- */

	function widestChild(frame) {
		let best = frame;

		for (let c = frame + 1; c < tree.end[frame]; c = tree.end[c]) {
			if (best === frame || tree.total[c] > tree.total[best])
				best = c;
		}
		return best;
	}

	function sibling(frame, step) {
		const parent = tree.parent[frame];
		let before = frame;

		if (!frame)
			return frame;
		if (step > 0)
			return tree.end[frame] < tree.end[parent] ? tree.end[frame] : frame;
		for (let c = parent + 1; c < frame; c = tree.end[c])
			before = c;
		return before;
	}

	function moveCursor(key) {
		const away = settings.inverted ? 'ArrowDown' : 'ArrowUp';
		const from = cursor < 0 ? view.zoom : cursor;

		if (key === 'ArrowLeft' || key === 'ArrowRight')
			cursor = sibling(from, key === 'ArrowRight' ? 1 : -1);
		else
			cursor = key === away ? widestChild(from) : tree.parent[from];
		showFrame(cursor);
	}

	/* Returns false when the key means nothing here. */
	function pressed(event) {
		const command = event.ctrlKey || event.metaKey, key = event.key;
		const typing = event.target === input;

		if (key === 'F3' || (command && key === 'f') || (!typing && !command && key === '/')) {
			input.focus();
			input.select();
		} else if (command && key === 'i') {
			setIgnoreCase(!view.ignoreCase);
		} else if (key === 'Escape') {
			if (typing || !view.zoom)
				clearSearch();
			else
				zoomTo(0);
			input.blur();
		} else if (typing) {
			if (key !== 'Enter')
				return false;
			search(input.value);
		} else if (event.target.localName === 'button' || command || event.altKey) {
			return false;
		} else if (/^Arrow/.test(key)) {
			moveCursor(key);
		} else if (key === 'Enter' && cursor >= 0) {
			zoomTo(cursor);
		} else {
			return false;
		}
		return true;
	}

	/* ---- controls ---- */

	/* What hides the frames behind a group that stays in the window. */
	function bar(group, y, tall) {
		const rect = element('rect', { 'class': 'bar', x: 0, y: y, height: tall,
			fill: background.getAttribute('fill').replace(/^url.*/, '#f4f4f4') });

		group.insertBefore(rect, group.firstChild);
		return rect;
	}

	function control(name, attributes, text) {
		const e = document.createElementNS(XHTML, name);

		for (const key in attributes)
			e.setAttribute(key, attributes[key]);
		if (text)
			e.textContent = text;
		tools.appendChild(e);
		return e;
	}

	const outline = element('rect', { 'class': 'outline', visibility: 'hidden' }, svg);

	svg.appendChild(heading); /* above the frames: it stays while they scroll */
	svg.appendChild(details);
	const toolbar = element('foreignObject', { 'class': 'toolbar', width: TOOLBAR_WIDTH, height: 28 }, svg);
	const tools = document.createElementNS(XHTML, 'div');

	tools.setAttribute('class', 'tools');
	toolbar.appendChild(tools);

	const resetButton = control('button', { 'class': 'reset', title: 'Esc' }, 'Reset zoom');
	const input = control('input', { type: 'text', placeholder: 'Search (regexp)',
		'aria-label': 'Search, a regular expression', title: '/ or Ctrl-F', spellcheck: 'false' });
	const clearButton = control('button', { 'class': 'clear', 'aria-label': 'Reset search',
		title: 'Reset search' }, '\u00d7');
	const caseButton = control('button', { 'class': 'case', title: 'Ignore case (Ctrl-I)',
		'aria-label': 'Ignore case', 'aria-pressed': 'false' }, 'aA');
	const footBar = bar(details, originalHeight - settings.fontSize * 1.5 - 12,
		settings.fontSize * 1.5 + 12);
	const headBar = bar(heading, 0, settings.framesTop - 2);
	const matchedText = element('text', { 'class': 'matched', 'text-anchor': 'end',
		y: detailsText.getAttribute('y') }, details);

	clearButton.hidden = resetButton.hidden = true;

	/* ---- events ---- */

	function fitWindow() {
		const room = document.documentElement.clientWidth || window.innerWidth;

		if (!settings.fluid || svg !== document.documentElement || !room)
			return false;
		if (Math.max(room, LEAST_WIDTH) === width)
			return false;
		width = Math.max(room, LEAST_WIDTH);
		return true;
	}

	function listen() {
		let typing = 0;

		svg.addEventListener('mousemove', (event) => {
			if (!toolbar.contains(event.target))
				showFrame(frameUnder(event));
		});
		svg.addEventListener('mouseleave', () => showFrame(-1));
		svg.addEventListener('click', (event) => {
			if (!toolbar.contains(event.target))
				zoomTo(frameUnder(event));
		});
		window.addEventListener('keydown', (event) => {
			if (pressed(event))
				event.preventDefault();
		});
		input.addEventListener('input', () => {
			clearTimeout(typing);
			typing = setTimeout(() => search(input.value), TYPING_PAUSE_MS);
		});
		resetButton.addEventListener('click', () => zoomTo(0));
		clearButton.addEventListener('click', clearSearch);
		caseButton.addEventListener('click', () => setIgnoreCase(!view.ignoreCase));
		window.addEventListener('popstate', followLink);
		window.addEventListener('hashchange', followLink);
		window.addEventListener('scroll', stick);
		window.addEventListener('resize', () => {
			if (fitWindow())
				draw();
			stick();
		});
	}

	listen();
	const fitted = fitWindow();

	if (readLink())
		search(input.value);
	else if (fitted)
		draw();
	else
		resize();
	if (svg === document.documentElement && !settings.inverted)
		window.scrollTo(0, height()); /* where the root is */
	svg.setAttribute('data-ready', 'true');
})();
