/* commands: how actions are run, found by their keys, and shown in menus.
 *
 * app.actions: id: [key, words, what it does, group of the help, whether there is it]; the
 * key as KeyboardEvent.key. */
pyrograph.ui.commands = function (app) {
	'use strict';

	const D = pyrograph.ui.dom, SAME = { F1: '?', '=': '+', _: '-' };

	app.act = (id) => {
		const action = app.actions[id];

		if (action && action[2] && (!action[4] || action[4]()))
			action[2]();
	};
	/* The action of a key, or undefined. */
	app.actionOfKey = (key) => Object.keys(app.actions).find((id) =>
		app.actions[id][0] === (SAME[key] || key) &&
		(!app.actions[id][4] || app.actions[id][4]()) && app.actions[id][2]);
	app.keyText = (key) => ({ ' ': 'Space', Delete: 'Del', Backspace: '\u232b', ArrowLeft: '\u2190',
		ArrowRight: '\u2192' })[key] ||
		(/^[A-Z]$/.test(key) ? 'Shift+' + key : /^[a-z]$/.test(key) ? key.toUpperCase() : key);

	/* As an item of a menu. */
	app.actionItem = (id, more) => {
		const [key, label, run] = app.actions[id];

		return Object.assign({ label: label.replace(/ \((Esc|Ctrl.*|Alt.*)\)$/, ''),
			key: key && app.keyText(key), run: run }, more);
	};

	app.copyLink = () => app.copy(app.link(), 'link');
	app.copy = async (text, what) => {
		app.toast(await D.copy(text, app.page.element) ? 'Copied: ' + what : 'The browser refused to copy');
	};
};
