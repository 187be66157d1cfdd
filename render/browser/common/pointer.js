/* pointer: handles a mouse or fingers on rows or frames.  The first touch on an item shows what the item is, the second
 * chooses it; a long press acts like the right button.
 *
 * pyrograph.ui.pointer(graph, { at(x, y), hover(at, x, y), leave(), click(at, event, touched), menu(at, x, y) }):
 *     at  -> what is at a place of the window */
pyrograph.ui.pointer = function (graph, how) {
	'use strict';

	const LONG_PRESS_MS = 500, MOVED_PX = 8, { at, hover, leave, click, menu } = how;
	let press = 0, from = null, long = false, touched = false;
	const openMenu = (x, y) => menu(at(x, y), x, y);

	graph.addEventListener('pointermove', ({ pointerType, clientX: x, clientY: y }) => {
		if (pointerType !== 'touch')
			hover(at(x, y), x, y);
		else if (from && Math.hypot(x - from[0], y - from[1]) > MOVED_PX)
			clearTimeout(press);
	});
	graph.addEventListener('pointerleave', leave);
	graph.addEventListener('pointerdown', (event) => {
		touched = event.pointerType === 'touch';
		long = false;
		clearTimeout(press);
		if (!touched)
			return;
		from = [event.clientX, event.clientY];
		press = setTimeout(() => {
			long = true;
			openMenu(...from);
		}, LONG_PRESS_MS);
	});
	for (const end of ['pointerup', 'pointercancel'])
		graph.addEventListener(end, () => clearTimeout(press));
	graph.addEventListener('click', (event) => {
		if (!long)
			click(at(event.clientX, event.clientY), event, touched);
	});
	graph.addEventListener('contextmenu', (event) => {
		event.preventDefault();
		if (event.button === 2 && !touched)
			openMenu(event.clientX, event.clientY);
	});
};
