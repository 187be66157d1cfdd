/* table: a table of functions beside the graph, by self or total: the functions in the zoomed frame, in a
 * sandwich's callees, or in one of several profiles.  Shares are of all, as everywhere.  Only the rows in the
 * window exist as elements. */
pyrograph.ui.table = function (app) {
	'use strict';

	const D = pyrograph.ui.dom, P = pyrograph.profile, N = pyrograph.number, S = pyrograph.search;
	let table = null, rows = [], selected = -1;
	const wrong = D.html('span', { 'class': 'wrong', role: 'alert' });
	const about = D.html('div', { 'class': 'table-about' });
	const profiles = D.html('select', { 'aria-label': 'Profile', hidden: true, onchange: () => app.refresh() },
		...(app.settings.layers || []).map((layer, k) => D.html('option', { value: String(k) }, layer.name)));
	let shownOf = null, shownZoom = -1; /* the tree and the zoom that `table` was made from */
	let of = app.panels[0];         /* the panel whose functions are shown */
	const list = pyrograph.ui.list({ placeholder: 'Filter functions',
		filterLabel: 'Filter functions, a regular expression', sort: 'self', active: '[aria-selected="true"]',
		heads: [['self', 'Self', 'In the function itself'],
			['total', 'Total', 'In the function and all that it calls; recursion counts once'],
			['name', 'Function', 'By name']], rowOf, arrange });

	list.element.setAttribute('aria-label', 'Functions');
	list.top.append(profiles);
	app.page.aside.setAttribute('aria-label', 'Functions');
	app.page.aside.append(list.top, wrong, about, list.head, list.element);

	let waits = false;              /* whether the answer to a slow pattern is still to come */

	/* Filters and sorts the rows. */
	function arrange() {
		const { filter, sort } = list, found = S.matcher(app.names, filter.value, true);

		waits = found.waits;
		filter.classList.toggle('invalid', Boolean(found.error));
		wrong.textContent = found.error || '';
		rows = of.tree.total[0] && !found.error ? S.sortRows(table, app.names, sort.key, sort.down) : [];
		if (found.match)
			rows = rows.filter((row) => found.match[table.name[row]]);
		list.count.textContent = rows.length.toLocaleString('en');
		list.element.scrollTop = 0;
		list.show(rows.length);
	}

	function cell(className, value) {
		const whole = of.whole ? of.whole() : of.tree.total[0], share = value / whole;
		const bar = D.html('span', { 'class': 'bar' });
		const e = D.html('span', { 'class': className, title: N.exactText(app.settings, value) }, bar,
			D.html('span', {}, N.percentText(value, whole)));

		bar.style.width = (share * 100).toFixed(2) + '%';
		return e;
	}

	function rowOf(i) {
		const row = rows[i], name = P.baseName(app.names[table.name[row]]);
		const e = D.html('div', { 'class': 'row', role: 'option', 'aria-selected':
			String(table.name[row] === selected), title: name }, cell('c-self', table.self[row]),
		cell('c-total', table.total[row]), D.html('span', { 'class': 'c-name' }, name));

		e.id = (app.prefix || '') + 'function-' + table.name[row];
		return e;
	}

	/* Marks all frames of a row's function, and goes to the widest one. */
	function select(i) {
		const row = rows[i];

		selected = table.name[row];
		app.picked = selected;
		app.refresh();
		app.moveTo(of, table.widest[row]);
		app.showSums(of, table.widest[row], { frames: table.frames[row], total: table.total[row],
			self: table.self[row] });
		list.draw();
	}

	function sandwich(i) {
		const name = app.names[table.name[rows[i]]];

		app.picked = selected = -1;
		app.sandwich(name, of);
	}

	/* There is no dblclick event, because the first click replaces all rows. */
	list.element.addEventListener('click', (event) => {
		const i = list.indexOf(event);

		if (i >= 0)
			(event.detail > 1 ? sandwich : select)(i);
	});
	list.element.addEventListener('contextmenu', (event) => {
		const i = list.indexOf(event);

		event.preventDefault();
		if (i < 0)
			return;
		select(i);
		app.openFrameMenu(of, table.widest[rows[i]], event.clientX, event.clientY);
	});
	list.element.addEventListener('keydown', (event) => {
		const at = Array.from(rows).findIndex((row) => table.name[row] === selected);
		const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];

		if (step && rows.length) {
			const to = Math.max(0, Math.min(rows.length - 1, at + step));

			select(to);
			list.reveal(to);
		} else if (event.key === 'Enter' && at >= 0) {
			of.zoomTo(table.widest[rows[at]]);
		} else if (event.key === 's' && at >= 0) {
			sandwich(at);
		} else {
			return;
		}
		event.preventDefault();
		event.stopPropagation();
	});

	/* "Shares of all; functions of the zoomed frame only" */
	function describe() {
		const where = app.callers ? '; callees of the function' : of.zoom ? '; functions in the zoomed frame'
			: '';
		const isUnion = app.settings.mode === 'diff' && !(app.view.diff && app.view.diff.show !== 'union');

		profiles.hidden = of === app.panels[0];
		about.textContent = (isUnion ? 'Shares of the width: the wider side of each' : 'Shares of all') +
			(profiles.hidden ? '' : ' of ' + of.graph.getAttribute('aria-label')) + where;
	}

	app.onchange(() => {
		const open = Boolean(app.view.table);

		if (app.page.aside.hidden === open) {
			app.page.aside.hidden = !open;
			app.page.element.classList.toggle('with-table', open);
			app.page.resize();
			app.drawAll();
		}
		if (!open)
			return;
		const shown = app.shownPanels();

		of = shown[0] === app.panels[0] ? shown[0] : shown[profiles.selectedIndex] || shown[0];
		describe();
		if (waits || shownOf !== of.tree || shownZoom !== of.zoom) {
			shownOf = of.tree;
			shownZoom = of.zoom;
			table = S.functions(of.tree, app.names, of.zoom);
			arrange();
		} else {
			list.draw();
		}
	});
};
