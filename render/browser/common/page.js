/* page: the layout of a page.  The script replaces the picture that C drew with
 *
 *     title                 search, buttons
 *     notes, or the path of the zoomed frame
 *     legend
 *     chips: searches and filters            only when there are any
 *     graph                 | table          each scrolls for itself
 *     layers
 *     details                       matched
 *
 * in HTML that fills the window.  A picture that stands in a page is replaced in its own place; within
 * another picture, the host (flame.js), the HTML fills its parent element.  Where there is not enough height
 * for a few rows of each graph, the page scrolls.
 *
 * pyrograph.ui.page(app, { className, idle, sheet(page), room(), resized() }); any of these may be missing:
 *     className  for a chart with a style of its own
 *     idle       the selector of the words that C wrote for the line below (app.idleText)
 *     sheet      -> the parts, from top to bottom, of a page with another layout
 *     room       -> width and height in px of the picture's place in a page
 *     resized    called when the size has changed
 * makes app.page: the parts; page.fit() fits the page to the window; page.resize() also adapts the
 * contents; page.open(); page.print(on). */
pyrograph.ui.page = function (app, options) {
	'use strict';

	const D = pyrograph.ui.dom, svg = app.svg, settings = app.settings, how = options || {};
	const host = app.host || null, isDocument = !host && svg === document.documentElement;
	const prefix = app.prefix || '', LEAST_HEIGHT = 160, LEAST_TABLE = 180, PANEL_GAP = 4;
	const PORTRAIT_PAGES = 2.2, LANDSCAPE_PAGES = 1.5; /* a page up to this height (in widths) is put on one
							    * sheet */
	const PAPER_WIDTH = 1000;       /* in px, for text of a readable size */
	const part = (name, className) => D.html(name, { 'class': className });
	const page = app.page = {
		heading: part('header', 'heading'), tools: part('div', 'tools'), chips: part('div', 'chips'),
		path: part('nav', 'path'), stage: part('div', 'stage'), aside: part('aside', 'aside'),
		layers: part('div', 'layers'), legend: part('div', 'legend'), foot: part('footer', 'foot'),
		overlay: part('div', 'overlay'),
	};

	page.bare = svg.cloneNode(false); /* as C wrote it */
	/* Elements that C drew; inside a host there are none. */
	const drawn = (selector) => host ? [] : Array.from(svg.querySelectorAll(selector));

	/* Joins the lines into which C broke a text. */
	const joined = (selector) => drawn(selector).map((text) => text.textContent).join(' ');

	app.idleText = joined(how.idle || '#details .details');
	app.drawnWidth = Number(svg.getAttribute('width')) || settings.width;
	const drawnHeight = app.drawnHeight = Number(svg.getAttribute('height')) || 600;
	const fill = (drawn('#background rect')[0] || svg).getAttribute('fill') || '#ffffff';
	const family = svg.getAttribute('font-family') || 'sans-serif';

	/* A colour such as "#f8f8f8", or the gradient that C drew, from top to bottom. */
	app.background = /^#/.test(fill) ? fill : 'linear-gradient(' +
		drawn('#background stop').map((stop) =>
			stop.getAttribute('stop-color') + ' ' + stop.getAttribute('offset')).join(',') + ')';
	/* The background belongs to one of the themes: to the dark one if white text is easier to read on this
	 * colour. */
	const stop = drawn('#background stop')[0];
	const top = stop ? stop.getAttribute('stop-color') : /^#/.test(fill) ? fill : '#ffffff';
	const ownIsDark = pyrograph.contrast.readable(top) === '#ffffff';

	app.ownBackground = (dark) => !host && dark === ownIsDark ? app.background : '';
	app.family = family;
	app.ruler = D.ruler(family, settings.fontSize);
	app.titleText = joined('#heading .title') || document.title || settings.chartName;

	/* The heading's lines as C drew them: class and text. */
	app.headingLines = drawn('#heading text').map((text) => ({
		className: text.getAttribute('class') || '', text: text.textContent,
		size: Number(text.getAttribute('font-size')) || settings.fontSize }))
		.filter((line, i) => !i || line.className !== 'title');
	if (app.headingLines.length)
		app.headingLines[0].text = app.titleText;

	if (!host)
		pyrograph.headline.mark(app.headingLines, pyrograph.ui.contents(svg).json('#pyrograph').headline);
	const headingEnd = Math.max(0, ...drawn('#heading text:not(.doubt)').map((text) =>
		Number(text.getAttribute('y')) || 0));
	const title = D.html(host ? 'h2' : 'h1', { 'class': 'title' }), notes = D.html('div', { 'class': 'notes' });

	app.captions = drawn('#captions text').map((text) => text.textContent);
	page.heading.id = prefix + 'heading';

	/* Remarks that do not change conclusions (heading.h, TEXT_DOUBT) are hidden behind a word. */
	const DETAILS = /^Details: /;
	const detailsOf = (lines) => !lines.length ? null : D.html('details',
		{ 'class': 'doubts', ontoggle: () => page.resize() }, D.html('summary', {}, 'Details'),
		...lines.map((line) =>
			line.element = D.html('div', { 'class': line.className }, line.text.replace(DETAILS, ''))));

	/* Parts of one line of the headline are joined again, wherever C broke it. */
	function noteOf(line, before) {
		if (!line.found)
			return line.element = D.html('div', { 'class': line.className }, line.text);
		line.element = D.html('span', {}, line.text);
		if (before && before.found === line.found) {
			before.element.parentNode.append(' ', line.element);
			return null;
		}
		return D.html('div', { 'class': 'headline' + (line.isFact ? ' fact' : '') }, line.element);
	}

	/* lines: [{ className, text, size, found, isFact }, ...], the title first, lines of class doubt last; each line
	 * gets the element that shows it */
	page.setHeading = (lines) => {
		const isDoubt = (line) => line.className === 'doubt', all = lines.slice(1);

		app.headingLines = lines;
		title.hidden = !lines.length;
		title.textContent = lines.length ? lines[0].text : '';
		notes.replaceChildren(...[...all.filter((line) => !isDoubt(line)).map((line, i, told) =>
			noteOf(line, told[i - 1])), detailsOf(all.filter(isDoubt))].filter(Boolean));
		if (host && lines.length)
			app.titleText = lines[0].text;
	};
	page.setHeading(host ? host.heading : app.headingLines);

	/* the path of the zoomed frame replaces the notes, so that the frames below do not move */
	page.heading.append(title, page.tools, notes, page.path);
	page.body = D.html('div', { 'class': 'body', role: isDocument ? 'main' : 'region',
		'aria-label': settings.chartName || 'Flame graph' }, page.stage, page.aside);
	page.foot.id = prefix + 'details';
	/* within a host there is less room, so the controls of layers stand beside the legend */
	page.sheet = D.html('div', { 'class': 'sheet' }, ...how.sheet ? how.sheet(page) : host ? [page.heading,
		D.html('div', { 'class': 'above' }, page.legend, page.layers), page.chips, page.body, page.foot]
		: [page.heading, page.legend, page.chips, page.body, page.layers, page.foot]);
	page.element = D.html('div', { 'class': 'pyrograph' + (host ? ' embedded' : '') +
		(settings.rowsWord ? ' with-rows' : '') + (how.className ? ' ' + how.className : '') }, page.sheet,
	host && host.boxes ? null : page.overlay);
	page.element.style.fontFamily = family;
	page.element.style.fontSize = settings.fontSize + 'px';
	if (host && host.boxes) /* menus and tips may use the whole page of the host */
		host.boxes.append(page.overlay);
	if (!how.sheet)
		page.heading.style.minHeight = headingEnd + 4 + 'px';
	page.aside.hidden = page.chips.hidden = page.path.hidden = page.legend.hidden = page.layers.hidden = true;
	page.frame = host ? null : D.svg('foreignObject', { 'class': 'page', x: 0, y: 0 });
	if (!host)
		page.frame.appendChild(page.element);

	/* Width and height in px of the picture's place. */
	function room() {
		if (isDocument) { /* innerWidth would include what lies beyond a phone's screen */
			return [svg.clientWidth || window.innerWidth, svg.clientHeight || window.innerHeight];
		}
		if (how.room)
			return how.room();
		const width = app.drawnWidth;

		page.element.style.height = 'auto';
		return [width, Math.max(LEAST_HEIGHT, Math.min(Math.max(page.sheet.scrollHeight, drawnHeight),
			Math.max(drawnHeight, 400), Math.max(window.innerHeight, 400)))];
	}

	/* The least height of the graphs, and of a table below them. */
	page.makeRoom = () => {
		const panels = app.panels.filter((panel) => !panel.element.hidden);
		const graphs = panels.reduce((sum, panel) => sum + panel.least + PANEL_GAP, 0);
		const isBelow = !page.aside.hidden && getComputedStyle(page.body).flexDirection === 'column';

		page.stage.style.minHeight = graphs + 'px';
		page.body.style.minHeight = graphs + (isBelow ? Math.min(page.aside.scrollHeight, LEAST_TABLE) : 0) +
			'px';
	};

	/* Fits the page into the window; a host determines place and size. */
	page.fit = () => {
		const [width, height] = app.onPaper ? paperSize() : room();

		page.element.style.width = width + 'px';
		page.element.style.height = height + 'px';
		for (const e of [svg, page.frame]) {
			e.setAttribute('width', width);
			e.setAttribute('height', height);
		}
	};
	page.resize = () => {
		if (app.panels)
			page.makeRoom();
		if (!host)
			page.fit();
		if (how.resized)
			how.resized();
	};

	/* ---- paper ---- */

	/* Lays out all rows at the width of paper.  Returns the paper's width and height on screen. */
	function paperSize() {
		page.element.style.width = PAPER_WIDTH + 'px';
		page.element.style.height = 'auto';
		return [PAPER_WIDTH, Math.ceil(page.element.getBoundingClientRect().height)];
	}

	/* The page is drawn for paper, with all rows and in light colours.  It is scaled to the paper's width and, if
	 * it is not much longer than the paper, also to its height. */
	function print(on) {
		if (!(isDocument || host) || Boolean(app.onPaper) === on)
			return;
		app.onPaper = app.allRows = on;
		page.element.classList.toggle('on-paper', on);
		for (const details of page.heading.querySelectorAll('details'))
			details.open = on;
		app.refresh();
		if (host) /* the host prints its own page, which includes this picture */
			return;
		page.resize();
		if (app.drawAll) /* only now does the page have the width of the paper or of the window */
			app.drawAll();
		if (on) {
			page.fit();
			const high = Number(svg.getAttribute('height')) / PAPER_WIDTH;

			svg.setAttribute('viewBox', '0 0 ' + PAPER_WIDTH + ' ' + svg.getAttribute('height'));
			svg.classList.toggle('one-tall', high < PORTRAIT_PAGES);
			svg.classList.toggle('one-wide', high < LANDSCAPE_PAGES);
		} else {
			svg.removeAttribute('viewBox');
		}
	}
	page.print = print;
	if (!host) {
		window.addEventListener('beforeprint', () => page.frame.isConnected && print(true));
		window.addEventListener('afterprint', () => print(false));
	}

	/* Without this element, phones assume that the document was made for wide screens. */
	if (isDocument)
		svg.prepend(D.html('meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }));

	/* Takes the place of the picture that C drew. */
	page.open = () => {
		if (host) {
			host.place.append(page.element);
			page.makeRoom();
			return;
		}
		page.drawn = Array.from(svg.querySelectorAll(':scope > g:not(#background)'));
		for (const g of page.drawn)
			g.remove();
		svg.classList.add('live');
		svg.removeAttribute('viewBox');
		svg.appendChild(page.frame);
		page.fit();
	};

	function applyTheme() {
		const dark = app.isDark();

		page.element.dataset.theme = dark ? 'dark' : 'light';
		page.element.style.background = app.ownBackground(dark);
		if (host)
			page.element.classList.toggle('icicle', app.isInverted());
		else
			svg.classList.toggle('dark', dark);
	}

	app.onchange(applyTheme);
	if (!host)
		window.addEventListener('resize', () => page.frame.isConnected && page.resize());
};
