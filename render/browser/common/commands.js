/* commands: runs actions, finds them by their keys, shows them in menus; has the actions of all charts.
 *
 * app.actions: id: [key, words, what it does, group of the help, whether it is available]; the key is a
 * KeyboardEvent.key.  A chart makes app.actions from its own actions and from the lists in app.usual, one for each
 * place in the help. */
pyrograph.ui.commands = function (app) {
	'use strict';

	const D = pyrograph.ui.dom, SAME = { F1: '?', '=': '+', _: '-' };
	const THEMES = [['auto', 'As the system'], ['light', 'Light'], ['dark', 'Dark']];
	const isAvailable = ([, , , , when]) => !when || when();

	app.act = (id) => {
		const action = app.actions[id], runs = Boolean(action && action[2] && isAvailable(action));

		if (runs)
			action[2]();
		return runs;
	};
	/* Returns the action of a key, or undefined. */
	app.actionOfKey = (key) => Object.keys(app.actions).find((id) => app.actions[id][0] === (SAME[key] || key) &&
		isAvailable(app.actions[id]) && app.actions[id][2]);
	app.keyText = (key) => ({ ' ': 'Space', Delete: 'Del', Backspace: '\u232b', ArrowLeft: '\u2190',
		ArrowRight: '\u2192' })[key] ||
		(/^[A-Z]$/.test(key) ? 'Shift+' + key : /^[a-z]$/.test(key) ? key.toUpperCase() : key);

	/* What Esc does in charts that have nothing else to leave. */
	app.undoOrReset = () => {
		if (!app.links.undo())
			app.resetAll();
		return true;
	};
	app.setTheme = (theme) => app.touch({ theme: theme });
	app.usual = {
		matches: {
			next: ['n', 'Next match (F3)', () => app.walkMatches(1), 'Find'],
			previous: ['N', 'Previous match', () => app.walkMatches(-1), 'Find'],
		},
		view: {
			theme: ['d', 'Dark or light', () => app.setTheme(app.isDark() ? 'light' : 'dark'), 'View', () =>
				!app.host],
			view: ['v', 'View menu', () => app.openViewMenu(), 'View'],
			undo: ['Backspace', 'Undo the last step' + (app.host || app.escClears ? '' : ' (Esc)'), () =>
				app.links.undo(), 'View'],
		},
		link: {
			copyLink: ['l', 'Copy the link to this view', () => app.copyLink(), 'Keep', () =>
				app.link() !== null],
		},
		saving: {
			saveSvg: ['S', 'Save the view as SVG', () => app.save.svg(), 'Keep'],
			savePng: ['P', 'Save the view as PNG', () => app.save.png(), 'Keep'],
			saveChart: ['', 'Save the live chart', () => app.save.chart(), 'Keep', () => !app.host],
			help: ['?', 'Pointer and keys', () => app.help.toggle(), 'Keep'],
		},
	};

	/* ---- items of menus ---- */

	app.actionItem = (id, more) => {
		const [key, label, run] = app.actions[id];

		return Object.assign({ label: label.replace(/ \((Esc|Ctrl.*|Alt.*)\)$/, ''),
			key: key && app.keyText(key), run: run }, more);
	};
	app.checkItem = (id, checked, label) => app.actionItem(id, Object.assign({ checked }, label && { label }));
	/* The menu items of the actions that are available. */
	app.actionItems = (...ids) => ids.filter((id) => app.actions[id] && isAvailable(app.actions[id])).map((id) =>
		app.actionItem(id));
	/* Radio items, one for each of values, [[value, label], ...]; key: the key that switches to the next
	 * value. */
	app.radios = (values, now, set, key) => values.map(([value, label], i) => ({ label: label, radio: true,
		checked: value === now, key: i ? '' : key, run: () => set(value) }));
	/* Shows the view menu: a chart's own items, its actions for copying and saving, then the items of all
	 * charts. */
	app.showViewMenu = (own, ...keep) => {
		const at = app.viewButton.getBoundingClientRect();

		app.menu.open([...own, ...app.host ? [] : [{ heading: 'Theme' },
			...app.radios(THEMES, app.view.theme || 'auto', app.setTheme, '')], { heading: 'Keep' },
		...app.actionItems('copyLink', ...keep, 'saveSvg', 'savePng', 'saveChart'), { line: true },
		...app.actionItems('resetAll', 'help')], at.left, at.bottom + 4, 'View');
	};

	/* ---- the clipboard ---- */

	app.copyLink = () => app.copy(app.link(), 'link');
	/* Shows the text selected, since the reader's own Ctrl+C works everywhere. */
	function offer(text, what) {
		const field = D.html('textarea', { 'class': 'to-copy', readonly: true, rows: 2, 'aria-label': what });
		const box = D.html('div', { 'class': 'toast', role: 'group' }, 'Ctrl+C copies: ' + what, field);
		const focused = document.activeElement;

		field.value = text;
		field.addEventListener('copy', () => setTimeout(() => {
			field.blur();
			app.save.toast('Copied: ' + what);
		}));
		field.addEventListener('keydown', (event) => {
			event.stopPropagation();
			if (event.key === 'Escape')
				field.blur();
		});
		field.addEventListener('blur', () => {
			box.remove();
			if (focused && focused.focus)
				focused.focus();
		});
		app.page.overlay.append(box);
		field.focus();
		field.select();
	}
	app.copy = async (text, what) => {
		if (await D.copy(text))
			app.save.toast('Copied: ' + what);
		else
			offer(text, what);
	};
};
