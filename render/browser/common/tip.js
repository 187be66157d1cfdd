/* tip: the box beside the pointer; what is in it is its user's. */
pyrograph.ui.tip = function (app) {
	'use strict';

	const REST_MS = 300, AWAY = 14;
	const tip = app.tipBox = pyrograph.ui.dom.html('div', { 'class': 'tip', role: 'tooltip', hidden: true });
	let resting = 0, idleSince = -Infinity;

	app.page.overlay.appendChild(tip);

	/* Beside the point, inside the window. */
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

	/* Soon; at once while the pointer goes from one thing to the next. */
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
