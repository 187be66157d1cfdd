/* siblings: links to the other charts of a run and to its page.  pyrograph web lists them in the file that render
 * --siblings names, which sets pyrograph.siblings = { page, charts: [{ title, url }, ...] }.  Since anybody may have
 * named the charts, titles are taken as text, and addresses must stay below the directory.  In a frame the page around
 * it has links. */
pyrograph.ui.siblings = function (app) {
	'use strict';

	const D = pyrograph.ui.dom, { script } = pyrograph.ui, isBelow = /^(?![/.])(?!.*\/\.)[\w.~%/-]+$/;
	const url = script && script.getAttribute('data-siblings');
	const folder = /^((?:\.\.\/)?)index-files\/[\w-]+\.js$/.exec(url);

	if (app.host || app.svg !== document.documentElement || window.parent !== window || !folder)
		return;

	const link = (address, text, isHere) => D.html('a', { href: folder[1] + address,
		'aria-current': isHere ? 'page' : null }, text);
	const shortTitle = (title) => title.replace(/: .*/s, '') || title;

	function show({ page, charts }) {
		const here = decodeURIComponent(location.pathname).split('/').pop();
		const isHere = (chart) => !folder[1] && decodeURIComponent(chart.url) === here;
		const others = charts.filter((chart) => isBelow.test(chart.url)).map((chart) =>
			link(chart.url, shortTitle(chart.title), isHere(chart)));

		if (!isBelow.test(page))
			return;
		const row = D.html('nav', { 'class': 'siblings', 'aria-label': 'Charts of this run' },
			link(page, 'Whole run', false), ...others);
		const current = others.find((other) => other.hasAttribute('aria-current'));

		app.page.heading.prepend(row);
		if (current) // a narrow window shows part of the row
			row.scrollLeft = current.offsetLeft - row.offsetLeft - row.clientWidth / 3;
		app.page.resize();
		app.refresh();
	}

	const loader = D.svg('script', { href: url });

	loader.addEventListener('load', () => {
		loader.remove();
		if (pyrograph.siblings)
			show(pyrograph.siblings);
	});
	loader.addEventListener('error', () => loader.remove());
	app.svg.append(loader);
};
