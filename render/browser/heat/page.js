/* heat_page: the layout of a heat map's page (common/page.js has the parts of all charts).
 *
 *     title                        tools
 *     notes
 *     legend
 *     map                        | aside      each scrolls for itself
 *     lanes                        if there are any; they scroll for themselves
 *     details                      chips      in one line, so that nothing above moves
 *     ===== a bar, which the pointer or the arrow keys move
 *     flame graph
 *
 * page.settle(ms, isDown)      a part that opens now takes room from the maps only after ms, and not while a
 *                              pointer is down (isDown) */
pyrograph.heat.page = function (app) {
	'use strict';

	const D = pyrograph.ui.dom, { svg } = app;
	const LEAST_WIDTH = 240, LEAST_HEIGHT = 320, FLAME_LEAST = 120, STEP_PX = 24;
	const bar = D.html('div', { 'class': 'heat-bar', role: 'separator', tabindex: '0',
		'aria-orientation': 'horizontal', 'aria-label': 'Height of the flame graph' });
	const flame = D.html('div', { 'class': 'heat-flame', role: 'region',
		'aria-label': 'Flame graph of the selection' });
	const lanes = D.html('div', { 'class': 'heat-lanes', tabindex: '0', role: 'region', 'aria-label': 'Lanes',
		hidden: !app.lanes });
	let flameHeight = null;         /* the height that the reader gave it, in px */

	/* The width of the picture's parent element, without its padding. */
	function placeWidth() {
		const { clientWidth } = svg.parentElement, style = window.getComputedStyle(svg.parentElement);

		return clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight) || app.drawnWidth;
	}

	/* Width and height in px of the picture's place in a page. */
	const room = () => [Math.round(Math.max(LEAST_WIDTH, Math.min(app.drawnWidth, placeWidth()))),
		Math.max(LEAST_HEIGHT, app.drawnHeight, Math.min(700, window.innerHeight))];

	function resized() {
		flame.style.height = '';
		flame.style.flexBasis = flameHeight === null ? '' : flameHeight + 'px';
		flame.classList.toggle('of-given-height', flameHeight !== null);
		app.redraw();
		if (app.flame && app.flame.resize && !flame.hidden)
			app.flame.resize();
	}

	pyrograph.ui.page(app, { className: 'heat', idle: '#details text', room, resized, sheet: (page) => [
		page.heading, page.legend, page.body, lanes,
		D.html('div', { 'class': 'heat-foot' }, page.foot, page.chips), bar, flame] });
	const { page } = app;

	Object.assign(page, { bar, flame, lanes, map: page.stage });
	page.map.className = 'heat-maps';
	page.body.classList.add('heat-body');
	page.tools.setAttribute('role', 'toolbar');
	page.tools.setAttribute('aria-label', 'Heat map');
	bar.hidden = flame.hidden = true;

	/* A click opens the flame graph.  At first the graph lies over the maps and lets clicks through, because the
	 * click may be the first half of a double click.  The maps get lower only after that time. */
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

		if (flame.hidden && !settling) {
			page.element.classList.add('settling');
			flame.style.height = flameHeight === null ? '' : flameHeight + 'px';
			settling = setTimeout(wait, ms);
		}
	};

	/* A key ends the wait for a second click. */
	window.addEventListener('keydown', () => {
		if (settling && !(app.menu && app.menu.isOpen())) {
			clearTimeout(settling);
			settled();
		}
	}, true);

	/* ---- the bar between the maps and the flame graph ---- */

	function setFlameHeight(px) {
		const most = page.sheet.clientHeight - FLAME_LEAST;

		flameHeight = Math.round(Math.max(FLAME_LEAST, Math.min(px, most)));
		bar.setAttribute('aria-valuenow', flameHeight);
		page.resize();
	}
	bar.addEventListener('pointerdown', (event) => {
		const from = event.clientY, height = flame.offsetHeight;
		const move = (e) => setFlameHeight(height + from - e.clientY);

		event.preventDefault();
		bar.focus({ preventScroll: true });
		bar.setPointerCapture(event.pointerId);
		bar.addEventListener('pointermove', move);
		for (const end of ['pointerup', 'pointercancel'])
			bar.addEventListener(end, () => bar.removeEventListener('pointermove', move),
				{ once: true });
	});
	bar.addEventListener('dblclick', () => {
		flameHeight = null;
		page.resize();
	});
	bar.addEventListener('keydown', (event) => {
		const steps = { ArrowUp: STEP_PX, ArrowDown: -STEP_PX };

		if (event.key in steps) {
			setFlameHeight(flame.offsetHeight + steps[event.key]);
			event.preventDefault();
			event.stopPropagation();
		}
	});

	app.onchange(() => {
		flame.hidden = !app.flame || !app.flameIsShown();
		bar.hidden = flame.hidden;
	});
	if (svg !== document.documentElement) {
		let wide = 0;

		new ResizeObserver(() => {
			if (page.frame.isConnected && wide !== (wide = room()[0]))
				page.resize();
		}).observe(svg.parentElement);
	}
};
