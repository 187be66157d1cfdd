/* tip: the box beside the pointer.
 *
 * app.fillTip(title, ...parts)         makes the content of the box: texts become notes, lists of rows become
 *                                      tables (tipTable), anything else is an element or null
 * app.tipTable(rows, className)        a row is a list of cells, and its first cell is the label.  A row without
 *                                      a label is the head of the rows below it
 * app.showTip(fill, x, y), app.hideTip(); fill is a function that calls app.fillTip() */
pyrograph.ui.tip = function (app) {
	'use strict';

	const REST_MS = 300, AWAY = 14, D = pyrograph.ui.dom;
	const tip = D.html('div', { 'class': 'tip', role: 'tooltip', hidden: true });
	let resting = 0, idleSince = -Infinity;

	app.page.overlay.appendChild(tip);

	app.tipTable = (rows, className) => D.html('table', { 'class': className }, ...rows.map((cells) =>
		D.html('tr', { 'class': cells[0] ? null : 'tip-head' }, ...cells.map((cell, i) =>
			D.html(i ? 'td' : 'th', {}, ...[].concat(cell))))));
	app.fillTip = (title, ...parts) => tip.replaceChildren(
		D.html('div', { 'class': 'tip-name' }, title), ...parts.filter(Boolean).map((part) =>
			typeof part === 'string' ? D.html('div', { 'class': 'tip-note' }, part)
				: Array.isArray(part) ? app.tipTable(part) : part));

	/* Puts the box beside the point, inside the window. */
	function put(x, y) {
		const page = app.page.overlay.getBoundingClientRect();
		const w = tip.offsetWidth, h = tip.offsetHeight;
		let left = x - page.left + AWAY, top = y - page.top + AWAY;

		if (left + w > page.width - 4)
			left = Math.max(4, Math.min(x - page.left - w - AWAY, page.width - w - 4));
		if (top + h > page.height - 4)
			top = Math.max(4, y - page.top - h - AWAY);
		tip.style.left = left + 'px';
		tip.style.top = top + 'px';
	}

	app.hideTip = () => {
		clearTimeout(resting);
		if (!tip.hidden)
			idleSince = performance.now();
		tip.hidden = true;
	};

	/* Shows the box after a short time; at once if a box is open already and the pointer goes on to the
	 * next thing. */
	app.showTip = (fill, x, y) => {
		const show = () => {
			fill();
			tip.hidden = false;
			put(x, y);
		};

		clearTimeout(resting);
		if (!tip.hidden || performance.now() - idleSince < REST_MS)
			show();
		else
			resting = setTimeout(show, REST_MS);
	};
};
