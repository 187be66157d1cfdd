/* help: the list of what the pointer and the keys do, made from app.pointerWords and app.actions.
 *
 * app.help.toggle(), isOpen(), close() -> whether it was open */
pyrograph.ui.help = function (app) {
	'use strict';

	const D = pyrograph.ui.dom;
	const box = D.html('div', { 'class': 'help-box', role: 'dialog', 'aria-modal': 'true',
		'aria-label': 'Keys', tabindex: '-1' });
	const shade = D.html('div', { 'class': 'shade', hidden: true }, box);
	let opener = null;

	app.page.overlay.appendChild(shade);

	function section(title, rows) {
		return D.html('section', {}, D.html('h3', {}, title), ...rows.map(([key, label]) =>
			D.html('div', { 'class': 'help-row' }, D.html('kbd', {}, key), D.html('span', {}, label))));
	}

	function fill() {
		const groups = new Map();

		for (const [key, label, , group, available] of Object.values(app.actions)) {
			if (!key || (available && !available()))
				continue;
			if (!groups.has(group))
				groups.set(group, []);
			groups.get(group).push([app.keyText(key), label]);
		}
		box.replaceChildren(D.html('div', { 'class': 'help-top' }, D.html('h2', {}, 'Keys'),
			D.button('close', 'Close', 'Close (Esc)', close, { icon: 'close' })),
		D.html('div', { 'class': 'help-columns' }, section('Pointer', app.pointerWords),
			...Array.from(groups, ([group, rows]) => section(group, rows))));
	}

	function toggle() {
		if (close())
			return;
		fill();
		opener = document.activeElement;
		shade.hidden = false;
		box.focus({ preventScroll: true });
	}

	function close() {
		if (shade.hidden)
			return false;
		shade.hidden = true;
		if (opener && opener.focus && opener.isConnected)
			opener.focus({ preventScroll: true });
		return true;
	}

	/* The help is modal: keys do not reach the page behind it, and Tab stays inside. */
	shade.addEventListener('keydown', (event) => {
		const buttons = Array.from(box.querySelectorAll('button'));

		if (shade.hidden) /* the help is closed, but the focus has not left it yet */
			return;
		event.stopPropagation();
		if (/^(Escape|F1|\?)$/.test(event.key)) {
			close();
		} else if (event.key === 'Tab') {
			const at = buttons.indexOf(document.activeElement), step = event.shiftKey ? -1 : 1;

			buttons[(at + step + buttons.length) % buttons.length].focus();
		} else {
			return;
		}
		event.preventDefault();
	});
	shade.addEventListener('click', (event) => {
		if (event.target === shade)
			close();
	});
	app.help = { toggle, close, isOpen: () => !shade.hidden };
};
