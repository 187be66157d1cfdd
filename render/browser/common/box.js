/* box: where a regular expression is typed: "filter" or "search" of the view, a pattern as link_text.js
 * has it.
 *
 * pyrograph.ui.box(app, { what, placeholder, tip, label, count(), error() }) -> { element, input,
 *     set(pattern), apply(), toggleCase() }; what is typed is applied after a pause, or by apply() */
pyrograph.ui.box = function (app, how) {
	'use strict';

	const { what, placeholder, tip, label, count, error } = how;
	const D = pyrograph.ui.dom, TYPING_MS = 120;
	const input = D.html('input', { type: 'text', placeholder: placeholder, spellcheck: 'false',
		autocapitalize: 'off',
		autocomplete: 'off', enterkeyhint: 'search', title: tip, 'aria-label': label });
	const found = D.html('span', { 'class': 'count' });
	const clear = D.button('clear', 'Clear ' + what, 'Clear (Esc)', () => set(''), { icon: 'close' });
	const ignore = D.button('case', 'Ignore case', 'Ignore case (Ctrl+I)', () => toggleCase(), 'aA');
	const element = D.html('div', { 'class': 'search of-' + what }, input, found, clear, ignore);
	let typing = 0;

	function apply(pattern) {
		clearTimeout(typing);
		if (app.view[what].pattern !== pattern)
			app.touch({ [what]: { pattern: pattern, ignoreCase: app.view[what].ignoreCase } });
	}
	function set(pattern) {
		input.value = pattern;
		apply(pattern);
	}
	function toggleCase() {
		app.touch({ [what]: { pattern: input.value, ignoreCase: !app.view[what].ignoreCase } });
	}

	input.addEventListener('input', () => {
		clearTimeout(typing);
		typing = setTimeout(() => apply(input.value), TYPING_MS);
	});
	input.addEventListener('change', () => apply(input.value));
	app.onchange(() => {
		const now = app.view[what];

		if (document.activeElement !== input)
			input.value = now.pattern;
		element.classList.toggle('invalid', Boolean(error()));
		clear.hidden = ignore.hidden = now.pattern === '';
		ignore.setAttribute('aria-pressed', String(now.ignoreCase));
		found.textContent = now.pattern ? count() : '';
	});
	return { element, input, set, toggleCase, apply: () => apply(input.value) };
};
