/* controls: buttons above a chart, and chips for the changes to its view.
 *
 * app.controls = {
 *     tools(tip, ...own)        adds the chart's own buttons, then those of the view menu and of the help
 *     choice(label, tip, is, run)  -> a button that looks pressed while is() is true
 *     segment(label, ...buttons) -> a row of such buttons
 *     said(word, text, px)      -> elements that name a change: a word, and a text cut to px pixels
 *     chip(className, content, remove, tip)  -> content, and a button that undoes the change
 *     idleChip(isShown, amount, what, key, word)  -> a chip that shows and hides what is idle, or what word says: "Idle
 *         hidden: 191 s"
 *     hideLines(text)           hides those lines of C's heading that are parts of text
 *     texts(selector)           -> the words of the chips that match selector
 *     show(chips)               shows these chips instead of the former ones } */
pyrograph.ui.controls = function (app) {
	'use strict';

	const D = pyrograph.ui.dom, { page } = app;
	const choices = [];

	function tools(tip, ...own) {
		app.viewButton = D.button('view', 'View', tip, () => {
			if (!app.menu.justClosed())
				app.act('view');
		}, { icon: 'view' });
		app.viewButton.setAttribute('aria-haspopup', 'menu');
		page.tools.append(...own, app.viewButton,
			D.button('help', 'Keys and help', 'Keys and help (?)', () => app.act('help'), '?'));
	}

	function choice(label, tip, is, run) {
		const e = D.html('button', { type: 'button', title: tip, onclick: run }, label);

		choices.push([e, is]);
		return e;
	}

	const segment = (label, ...buttons) => D.html('span',
		{ 'class': 'segment', role: 'group', 'aria-label': label }, ...buttons);

	const said = (word, text, px) => [D.html('span', { 'class': 'word' }, word),
		D.html('span', { 'class': 'chip-text', title: text }, app.ruler.fit(text, px, 1, 'middle'))];

	const chip = (className, content, remove, tip = 'Undo this') => D.html('span', { 'class': 'chip ' + className },
		...content, D.button('remove', tip, tip, remove, { icon: 'close' }));

	function idleChip(isShown, amount, what, key, word = 'Idle') {
		return D.html('span', { 'class': 'chip of-idle' }, D.html('button', { type: 'button',
			'class': 'chip-text', 'aria-pressed': String(Boolean(isShown)),
			title: (isShown ? 'Hide ' : 'Show ') + what + ` (${key})`,
			onclick: () => app.act('idle') }, word + (isShown ? ' shown: ' : ' hidden: ') + amount));
	}

	function hideLines(text) {
		app.headingLines.filter((line) => line.className === 'note' && text.includes(line.text.trim()))
			.forEach((line) => {
				line.element.hidden = true;
			});
	}

	/* The words of chips, for a picture without script. */
	const texts = (selector) => Array.from(page.chips.querySelectorAll(selector), (one) =>
		Array.from(one.children, (part) => part.title && part.localName !== 'button' ? part.title
			: part.textContent.trim()).filter(Boolean).join(' '));

	function show(chips) {
		page.chips.hidden = !chips.length;
		page.chips.replaceChildren(...chips);
	}

	app.onchange(() => {
		for (const [e, is] of choices)
			e.setAttribute('aria-pressed', String(Boolean(is())));
	});
	app.controls = { tools, choice, segment, said, chip, idleChip, hideLines, texts, show };
};
