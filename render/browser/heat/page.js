/* heat_page: where the parts are.  The picture that C drew gives way to
 *
 *     title                        tools
 *     notes
 *     legend
 *     map                        | aside      each scrolls for itself
 *     details                      chips      in one line, so that nothing above moves
 *     ===== the bar between them is moved by the pointer, or by the arrow keys
 *     flame graph
 *
 * in HTML that fills the window (the picture's place, when it stands in a page).
 *
 * page.fit(), page.resize()    when the window is another
 * page.settle(ms, isDown())    what opens now takes room from the maps only in so many ms, and when no pointer is down
 */
pyrograph.heat.page = function (app) {
	'use strict';

	const D = pyrograph.ui.dom, svg = app.svg, settings = app.settings;
	const isDocument = svg === document.documentElement, LEAST_WIDTH = 240, LEAST_HEIGHT = 320, FLAME_LEAST = 120,
		STEP_PX = 24;
	const PAPER_WIDTH = 1000;       /* px, for text of a size that can be read */
	const PORTRAIT_PAGES = 2.2, LANDSCAPE_PAGES = 1.5; /* as page.js has them */
	const part = (name, className, more) => D.html(name, Object.assign({ 'class': className }, more));
	const page = app.page = {
		heading: part('header', 'heading'), tools: part('div', 'tools',
			{ role: 'toolbar', 'aria-label': 'Heat map' }),
		legend: part('div', 'legend'), chips: part('div', 'chips'), map: part('div', 'heat-maps'),
		aside: part('aside', 'aside'), bar: part('div', 'heat-bar', { role: 'separator', tabindex: '0',
			'aria-orientation': 'horizontal', 'aria-label': 'Height of the flame graph' }),
		flame: part('div', 'heat-flame', { role: 'region', 'aria-label': 'Flame graph of the selection' }),
		foot: part('footer', 'foot'), overlay: part('div', 'overlay'),
	};
	const joined = (selector) => Array.from(svg.querySelectorAll(selector), (text) => text.textContent).join(' ');
	const family = svg.getAttribute('font-family') || 'sans-serif';
	let flameHeight = null;         /* px that the reader gave it */

	app.family = family;
	app.ruler = D.ruler(family, settings.fontSize);
	app.drawnWidth = Number(svg.getAttribute('width')) || settings.width;
	const drawnHeight = Number(svg.getAttribute('height')) || 600;

	app.idleText = joined('#details text');
	app.titleText = joined('#heading .title') || document.title || 'Heat map';
	app.headingLines = Array.from(svg.querySelectorAll('#heading text'), (text) => ({
		className: text.getAttribute('class') || '', text: text.textContent,
		size: Number(text.getAttribute('font-size')) || settings.fontSize }))
		.filter((line, i) => !i || line.className !== 'title');
	if (app.headingLines.length)
		app.headingLines[0].text = app.titleText;

	page.heading.id = 'heading';
	page.foot.id = 'details';
	page.heading.append(D.html('h1', { 'class': 'title' }, app.titleText), page.tools,
		D.html('div', { 'class': 'notes' },
		...app.headingLines.slice(1).map((line) => D.html('div', { 'class': line.className }, line.text))));
	page.body = D.html('div', { 'class': 'body heat-body', role: isDocument ? 'main' : 'region',
		'aria-label': app.titleText }, page.map, page.aside);
	page.sheet = D.html('div', { 'class': 'sheet' }, page.heading, page.legend, page.body,
		D.html('div', { 'class': 'heat-foot' }, page.foot, page.chips), page.bar, page.flame);
	page.element = D.html('div', { 'class': 'pyrograph heat' }, page.sheet, page.overlay);
	page.element.style.fontFamily = family;
	page.element.style.fontSize = settings.fontSize + 'px';
	page.chips.hidden = page.legend.hidden = page.aside.hidden = page.bar.hidden = page.flame.hidden = true;
	page.frame = D.svg('foreignObject', { 'class': 'page', x: 0, y: 0 });
	page.frame.appendChild(page.element);

	/* How wide the element is that the picture stands in, within its padding. */
	function placeWidth() {
		const { clientWidth } = svg.parentElement, style = window.getComputedStyle(svg.parentElement);

		return clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight) || app.drawnWidth;
	}

	/* Width and height in px of the picture's place. */
	function room() {
		if (isDocument)
			return [svg.clientWidth || window.innerWidth, svg.clientHeight || window.innerHeight];
		return [Math.round(Math.max(LEAST_WIDTH, Math.min(app.drawnWidth, placeWidth()))),
			Math.max(LEAST_HEIGHT, drawnHeight, Math.min(700, window.innerHeight))];
	}

	/* All of the maps, as wide as paper is drawn. */
	function paperSize() {
		page.element.style.width = PAPER_WIDTH + 'px';
		page.element.style.height = 'auto';
		return [PAPER_WIDTH, Math.ceil(page.element.getBoundingClientRect().height)];
	}

	/* Fit into the window. */
	page.fit = () => {
		const [width, height] = app.onPaper ? paperSize() : room();

		page.element.style.width = width + 'px';
		page.element.style.height = height + 'px';
		page.flame.style.height = '';
		page.flame.style.flexBasis = flameHeight === null ? '' : flameHeight + 'px';
		page.flame.classList.toggle('of-given-height', flameHeight !== null);
		for (const e of [svg, page.frame]) {
			e.setAttribute('width', width);
			e.setAttribute('height', height);
		}
	};
	page.resize = () => {
		page.fit();
		app.redraw();
		if (app.flame && app.flame.resize && !page.flame.hidden)
			app.flame.resize();
	};

	/* A click opens the flame graph: over the maps, and through it what is below is clicked, until it is
	 * no more half of a double click; only then do they get lower. */
	let settling = 0;

	function settled() {
		settling = 0;
		page.element.classList.remove('settling');
		page.resize();
	}
	page.settle = (ms, isDown) => {
		const wait = () => {
			settling = isDown() ? setTimeout(wait, ms) : setTimeout(settled);
		};

		if (page.flame.hidden && !settling) {
			page.element.classList.add('settling');
			page.flame.style.height = flameHeight === null ? '' : flameHeight + 'px';
			settling = setTimeout(wait, ms);
		}
	};

	/* Who presses a key has done with clicking. */
	window.addEventListener('keydown', () => {
		if (settling && !(app.menuIsOpen && app.menuIsOpen())) {
			clearTimeout(settling);
			settled();
		}
	}, true);

	/* ---- the bar between map and flame graph ---- */

	function setFlameHeight(px) {
		const most = page.sheet.clientHeight - FLAME_LEAST;

		flameHeight = Math.round(Math.max(FLAME_LEAST, Math.min(px, most)));
		page.bar.setAttribute('aria-valuenow', flameHeight);
		page.resize();
	}
	page.bar.addEventListener('pointerdown', (event) => {
		const from = event.clientY, height = page.flame.offsetHeight;
		const move = (e) => setFlameHeight(height + from - e.clientY);

		event.preventDefault();
		page.bar.focus({ preventScroll: true });
		page.bar.setPointerCapture(event.pointerId);
		page.bar.addEventListener('pointermove', move);
		for (const end of ['pointerup', 'pointercancel'])
			page.bar.addEventListener(end, () => page.bar.removeEventListener('pointermove', move),
				{ once: true });
	});
	page.bar.addEventListener('dblclick', () => {
		flameHeight = null;
		page.resize();
	});
	page.bar.addEventListener('keydown', (event) => {
		const steps = { ArrowUp: STEP_PX, ArrowDown: -STEP_PX };

		if (event.key in steps) {
			setFlameHeight(page.flame.offsetHeight + steps[event.key]);
			event.preventDefault();
			event.stopPropagation();
		}
	});

	/* ---- paper: in light colours, the picture scaled to the paper's width ---- */

	function print(on) {
		if (!isDocument || Boolean(app.onPaper) === on)
			return;
		app.onPaper = on;
		page.element.classList.toggle('on-paper', on);
		app.refresh();
		page.resize();
		if (on) {
			page.fit(); /* now that the maps are as wide as paper */
			const high = Number(svg.getAttribute('height')) / PAPER_WIDTH;

			svg.setAttribute('viewBox', '0 0 ' + PAPER_WIDTH + ' ' + svg.getAttribute('height'));
			svg.classList.toggle('one-tall', high < PORTRAIT_PAGES);
			svg.classList.toggle('one-wide', high < LANDSCAPE_PAGES);
		} else {
			svg.removeAttribute('viewBox');
			page.resize();
		}
	}
	window.addEventListener('beforeprint', () => print(true));
	window.addEventListener('afterprint', () => print(false));

	/* Take the place of what C drew. */
	page.open = () => {
		for (const drawn of svg.querySelectorAll(':scope > g:not(#background)'))
			drawn.remove();
		svg.classList.add('live');
		svg.removeAttribute('viewBox');
		svg.appendChild(page.frame);
		page.fit();
	};

	app.onchange(() => {
		const dark = app.isDark();

		page.element.dataset.theme = dark ? 'dark' : 'light';
		svg.classList.toggle('dark', dark);
		page.flame.hidden = !app.flame || !app.flameIsShown();
		page.bar.hidden = page.flame.hidden;
	});
	window.addEventListener('resize', () => page.resize());
	if (!isDocument) {
		let wide = 0;

		new ResizeObserver(() => {
			if (page.frame.isConnected && wide !== (wide = room()[0]))
				page.resize();
		}).observe(svg.parentElement);
	}
};
