/* state: how the view of a chart is changed.
 *
 * pyrograph.ui.state(app, make): app.view is what is shown; make() computes what depends on the view.
 * The view is changed by app.step (undone by Back and Esc) or app.touch (not undone); then every function given to
 * app.onchange is called with the result of make(), and draws its part.
 *
 * app.isDark()              whether the theme is dark, according to the view, else the picture, else the browser
 * app.step(changes, series) series: see step in history.js */
pyrograph.ui.state = function (app, make) {
	'use strict';

	const prefersDark = window.matchMedia('(prefers-color-scheme: dark)');
	const listeners = [];

	app.onchange = (listener) => listeners.push(listener);
	app.isDark = () => {
		if (app.host)
			return !app.onPaper && app.host.isDark();
		const own = app.view.theme, theme = own && own !== 'auto' ? own : app.settings.theme || 'auto';

		return !app.onPaper && (theme === 'auto' ? prefersDark.matches : theme === 'dark');
	};
	app.tellAll = (made) => {
		for (const listener of listeners)
			listener(made);
	};
	app.refresh = () => app.tellAll(make());
	app.touch = (changes) => {
		Object.assign(app.view, changes);
		app.refresh();
		app.links.save(false);
	};
	app.step = (changes, series = true) => {
		Object.assign(app.view, changes);
		app.refresh();
		app.links.save(series);
	};
	app.searchedElsewhere = () => app.refresh();
	if (!app.host)
		prefersDark.addEventListener('change', () => app.refresh());
};
