/* menu: lists that open at a place of the window and close again, such as the menu of a frame or of the view.
 *
 * app.menu.open(items, x, y, label), close() -> whether one was open, isOpen()
 * app.menu.justClosed()   a press that closes the menu must not do anything else */
pyrograph.ui.menu = function (app) {
	'use strict';

	const D = pyrograph.ui.dom;
	const box = D.html('div', { 'class': 'menu', role: 'menu', tabindex: '-1', hidden: true });
	let opener = null, closed = -Infinity, pressed = false;

	app.page.overlay.appendChild(box);

	/* An item: { label, key, tip, run, checked, radio, disabled, swatch } or { heading }
	 * or { line: true }. */
	function entry(item) {
		if (item.line)
			return D.html('div', { 'class': 'menu-line', role: 'separator' });
		if (item.heading)
			return D.html('div', { 'class': 'menu-heading' }, item.heading);
		const role = item.checked === undefined ? 'menuitem' : item.radio ? 'menuitemradio'
			: 'menuitemcheckbox';
		const mark = D.html('span', { 'class': 'menu-mark' });

		if (item.checked)
			mark.appendChild(D.icon('tick'));
		return D.html('button', { type: 'button', role: role, 'data-key': item.key || null, title: item.tip ||
			null, tabindex: '-1',
		'aria-checked': item.checked === undefined ? null : String(item.checked),
		disabled: Boolean(item.disabled),
		onclick: (event) => {
			if (event.detail && !pressed) /* the finger that opened the menu is lifted */
				return;
			close();
			item.run();
		} }, mark, D.html('span', { 'class': 'menu-label' }, item.label),
		item.key ? D.html('kbd', {}, item.key) : null);
	}

	/* Opens a menu at a place of the window; whatever the reader does next closes it. */
	function open(items, x, y, label) {
		const page = app.page.overlay.getBoundingClientRect();

		app.tip.hide();
		opener = document.activeElement;
		pressed = false;
		box.replaceChildren(...items.map(entry));
		box.setAttribute('aria-label', label);
		box.hidden = false;
		box.style.maxHeight = (page.width < 500 ? 0.75 * page.height : page.height - 8) + 'px';
		box.classList.remove('wide');
		box.style.width = '';
		const width = 2 * box.offsetWidth;

		/* the window is too low for one column, so use two if there is room */
		if (box.scrollHeight > box.clientHeight && page.width >= width + 8) {
			box.classList.add('wide');
			box.style.width = width + 'px';
		}
		box.style.left = Math.max(4, Math.min(x - page.left, page.width - box.offsetWidth - 4)) + 'px';
		box.style.top = Math.max(4, Math.min(y - page.top, page.height - box.offsetHeight - 4)) + 'px';
		box.focus({ preventScroll: true });
	}

	function close() {
		if (box.hidden)
			return false;
		box.hidden = true;
		if (opener && opener.focus && opener.isConnected)
			opener.focus({ preventScroll: true });
		return true;
	}

	const enabled = () => Array.from(box.querySelectorAll('button:not([disabled])'));

	function moveTo(at) {
		const item = enabled().at(at);

		if (item)
			item.focus();
	}

	/* Runs the item whose key was pressed.  Enter runs the item that has the focus. */
	function runKey(event) {
		const key = app.keyText(event.key);
		const item = event.ctrlKey || event.metaKey || event.altKey ||
			(key === 'Enter' && document.activeElement !== box)
			? null : enabled().find((e) => e.dataset.key === key);

		if (item)
			item.click();
		return Boolean(item);
	}

	function move(step) {
		const items = enabled();
		const at = items.indexOf(document.activeElement);

		if (items.length)
			items[(at < 0 ? (step > 0 ? 0 : items.length - 1) : at + step +
				items.length) % items.length].focus();
	}

	box.addEventListener('keydown', (event) => {
		const steps = { ArrowDown: 1, ArrowUp: -1, Tab: event.shiftKey ? -1 : 1 };

		event.stopPropagation();
		if (event.key in steps)
			move(steps[event.key]);
		else if (event.key === 'Home' || event.key === 'End')
			moveTo(event.key === 'Home' ? 0 : -1);
		else if (event.key === 'Escape')
			close();
		else if (!runKey(event))
			return;
		event.preventDefault();
	});
	box.addEventListener('pointerdown', () => {
		pressed = true;
	});
	box.addEventListener('contextmenu', (event) => event.preventDefault());
	window.addEventListener('pointerdown', (event) => {
		if (!box.hidden && !box.contains(event.target)) {
			closed = performance.now();
			close();
		}
	}, true);
	window.addEventListener('blur', close);
	app.menu = { open, close, isOpen: () => !box.hidden, justClosed: () => performance.now() - closed < 350 };
};
