/* box: an input field for a regular expression, the "filter" or the "search" of a chart.
 *
 * pyrograph.ui.box(app, { name, placeholder, tip, label, count(), error(), read(), write(pattern, ignoreCase),
 *     later, buttons }) -> { element, input, found, set(pattern), apply(), toggleCase(), focus() }
 *     count    -> the text beside the field, about the matches; later: app.onchangeLater, if counting takes long
 *     read     -> { pattern, ignoreCase }; default: read and write use the member of the view that is called name
 *     buttons  shown at the end of the field while it has a pattern
 * What the reader types is applied after a pause, or by apply(). */
pyrograph.ui.box = function (app, how) {
	'use strict';

	const { name, placeholder, tip, label, count, error, later = app.onchange, buttons = [] } = how;
	const read = how.read || (() => app.view[name]);
	const write = how.write || ((pattern, ignoreCase) => app.touch({ [name]: { pattern, ignoreCase } }));
	const D = pyrograph.ui.dom, TYPING_MS = 120;
	const input = D.html('input', { type: 'text', placeholder: placeholder, spellcheck: 'false',
		autocapitalize: 'off', autocomplete: 'off', enterkeyhint: 'search', title: tip, 'aria-label': label });
	const found = D.html('span', { 'class': 'count' });
	const clear = D.button('clear', 'Clear ' + name, 'Clear ' + name + ' (Esc)', () => set(''), { icon: 'close' });
	const ignore = D.button('case', 'Ignore case', 'Ignore case (Ctrl+I)', () => toggleCase(), 'aA');
	const element = D.html('div', { 'class': 'search of-' + name }, input, found, clear, ignore, ...buttons);
	let typing = 0;

	function apply(pattern) {
		clearTimeout(typing);
		if (read().pattern !== pattern)
			write(pattern, read().ignoreCase);
	}
	function set(pattern) {
		input.value = pattern;
		apply(pattern);
	}
	const toggleCase = () => write(input.value, !read().ignoreCase);

	input.addEventListener('input', () => {
		clearTimeout(typing);
		typing = setTimeout(() => apply(input.value), TYPING_MS);
	});
	input.addEventListener('change', () => apply(input.value));
	app.onchange(() => {
		const { pattern, ignoreCase } = read();

		if (document.activeElement !== input)
			input.value = pattern;
		element.classList.toggle('invalid', Boolean(error()));
		for (const button of [clear, ...buttons])
			button.hidden = pattern === '';
		ignore.hidden = pattern === '' && !ignoreCase;
		ignore.setAttribute('aria-pressed', String(ignoreCase));
	});
	later(() => {
		found.textContent = found.title = read().pattern ? count() : '';
	});
	return { element, input, found, set, toggleCase, apply: () => apply(input.value), focus: () => {
		input.focus();
		input.select();
	} };
};
