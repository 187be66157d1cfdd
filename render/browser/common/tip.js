/* tip: the box beside the pointer.
 *
 * app.tip.fill(title, ...parts)        makes the content of the box: texts become notes, lists of rows become
 *                                      tables, anything else is an element or null
 * app.tip.table(rows, className)       a row is a list of cells, and its first cell is the label.  A row without
 *                                      a label is the head of the rows below it
 * app.tip.show(how, x, y), hide()      how is a function that calls fill() */
pyrograph.ui.tip = function (app) {
	'use strict';

	const REST_MS = 300, AWAY = 14, D = pyrograph.ui.dom;
	const box = D.html('div', { 'class': 'tip', role: 'tooltip', hidden: true });
	let resting = 0, idleSince = -Infinity;

	app.page.overlay.appendChild(box);

	const table = (rows, className) => D.html('table', { 'class': className }, ...rows.map((cells) =>
		D.html('tr', { 'class': cells[0] ? null : 'tip-head' }, ...cells.map((cell, i) =>
			D.html(i ? 'td' : 'th', {}, ...[].concat(cell))))));
	const fill = (title, ...parts) => box.replaceChildren(
		D.html('div', { 'class': 'tip-name' }, title), ...parts.filter(Boolean).map((part) =>
			typeof part === 'string' ? D.html('div', { 'class': 'tip-note' }, part)
				: Array.isArray(part) ? table(part) : part));

	/* Puts the box beside the point, inside the window. */
	function put(x, y) {
		const page = app.page.overlay.getBoundingClientRect();
		const w = box.offsetWidth, h = box.offsetHeight;
		let left = x - page.left + AWAY, top = y - page.top + AWAY;

		if (left + w > page.width - 4)
			left = Math.max(4, Math.min(x - page.left - w - AWAY, page.width - w - 4));
		if (top + h > page.height - 4)
			top = Math.max(4, y - page.top - h - AWAY);
		box.style.left = left + 'px';
		box.style.top = top + 'px';
	}

	function hide() {
		clearTimeout(resting);
		if (!box.hidden)
			idleSince = performance.now();
		box.hidden = true;
	}

	/* Shows the box after a short time; at once if a box is open already and the pointer goes on to the
	 * next thing. */
	function show(how, x, y) {
		const open = () => {
			how();
			box.hidden = false;
			put(x, y);
		};

		clearTimeout(resting);
		if (!box.hidden || performance.now() - idleSince < REST_MS)
			open();
		else
			resting = setTimeout(open, REST_MS);
	}

	app.tip = { fill, table, show, hide };
};
