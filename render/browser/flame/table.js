/* table: the functions of what is shown, by self or total, beside the graph: of the zoomed
 * frame, of a sandwich's callees, of one of several profiles.  Shares are of all, as they
 * are everywhere.  Only the rows in the window exist as elements. */
pyrograph.ui.table = function (app) {
	'use strict';

	const D = pyrograph.ui.dom, P = pyrograph.profile, N = pyrograph.number, S = pyrograph.search;
	const ROW = 22, MARGIN = 20;
	const filter = D.html('input', { type: 'text', placeholder: 'Filter functions', spellcheck: 'false',
		'aria-label': 'Filter functions, a regular expression' });
	const count = D.html('span', { 'class': 'table-count' });
	const spacer = D.html('div', { 'class': 'table-rows', role: 'none' });
	const list = D.html('div', { 'class': 'table-scroll', tabindex: '0', role: 'listbox',
		'aria-label': 'Functions' }, spacer);
	const heads = {};
	let table = null, rows = [], sort = { key: 'self', down: true }, selected = -1;
	const wrong = D.html('span', { 'class': 'wrong', role: 'alert' });
	const about = D.html('div', { 'class': 'table-about' });
	const profiles = D.html('select', { 'aria-label': 'Profile', hidden: true, onchange: () => app.refresh() },
		...(app.settings.layers || []).map((layer, k) => D.html('option', { value: String(k) }, layer.name)));
	let shownOf = null, shownZoom = -1; /* what table was made of */
	let of = app.panels[0];         /* the panel whose functions they are */

	for (const [key, label, tip] of [['self', 'Self', 'Where the time is spent itself'],
		['total', 'Total', 'With all that it calls; recursion counts once'], ['name', 'Function', 'By name']]) {
		heads[key] = D.html('button', { type: 'button', 'class': 'head-' + key, title: tip, onclick: () => {
			sort = { key: key, down: sort.key === key ? !sort.down : key !== 'name' };
			arrange();
		} }, label);
	}
	app.page.aside.setAttribute('aria-label', 'Functions');
	app.page.aside.append(D.html('div', { 'class': 'table-top' }, filter, count, profiles), wrong, about,
		D.html('div', { 'class': 'table-head' }, heads.self, heads.total, heads.name), list);

	let waits = false;              /* for the answer to a slow pattern */

	/* Filter and sort. */
	function arrange() {
		const found = S.matcher(app.names, filter.value, true);

		waits = found.waits;
		filter.classList.toggle('invalid', Boolean(found.error));
		wrong.textContent = found.error || '';
		for (const key in heads) {
			heads[key].setAttribute('aria-pressed', String(key === sort.key));
			heads[key].dataset.sort = key !== sort.key ? '' : sort.down ? 'down' : 'up';
		}
		rows = of.tree.total[0] ? S.sortRows(table, app.names, sort.key, sort.down) : [];
		if (found.error)
			rows = [];
		if (found.match)
			rows = rows.filter((row) => found.match[table.name[row]]);
		count.textContent = rows.length.toLocaleString('en');
		list.scrollTop = 0;
		draw();
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

		e.dataset.row = i;
		e.id = (app.prefix || '') + 'function-' + table.name[row];
		e.style.top = i * ROW + 'px';
		return e;
	}

	function draw() {
		const first = Math.max(0, Math.floor(list.scrollTop / ROW) - MARGIN);
		const last = Math.min(rows.length, Math.ceil((list.scrollTop + list.clientHeight) / ROW) + MARGIN);
		const fresh = document.createDocumentFragment();

		for (let i = first; i < last; i++)
			fresh.appendChild(rowOf(i));
		spacer.style.height = rows.length * ROW + 'px';
		spacer.replaceChildren(fresh);
		if (spacer.querySelector('[aria-selected="true"]'))
			list.setAttribute('aria-activedescendant', (app.prefix || '') + 'function-' + selected);
		else
			list.removeAttribute('aria-activedescendant');
	}

	/* Mark all frames of a row and go to the widest. */
	function select(i) {
		const row = rows[i];

		selected = table.name[row];
		app.picked = selected;
		app.refresh();
		app.moveTo(of, table.widest[row]);
		app.showSums(of, table.widest[row], { frames: table.frames[row], total: table.total[row],
			self: table.self[row] });
		draw();
	}

	function sandwich(i) {
		const name = app.names[table.name[rows[i]]];

		app.picked = selected = -1;
		app.sandwich(name, of);
	}

	const indexOf = (event) => {
		const row = event.target.closest('.row');

		return row ? Number(row.dataset.row) : -1;
	};

	list.addEventListener('scroll', draw);
	list.addEventListener('click', (event) => { /* no dblclick: rows are made anew between the two */
		const i = indexOf(event);

		if (i >= 0)
			(event.detail > 1 ? sandwich : select)(i);
	});
	list.addEventListener('contextmenu', (event) => {
		const i = indexOf(event);

		event.preventDefault();
		if (i < 0)
			return;
		select(i);
		app.openFrameMenu(of, table.widest[rows[i]], event.clientX, event.clientY);
	});
	list.addEventListener('keydown', (event) => {
		const at = Array.from(rows).findIndex((row) => table.name[row] === selected);
		const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];

		if (step && rows.length) {
			const to = Math.max(0, Math.min(rows.length - 1, at + step));

			select(to);
			if (to * ROW < list.scrollTop)
				list.scrollTop = to * ROW;
			else if ((to + 1) * ROW > list.scrollTop + list.clientHeight)
				list.scrollTop = (to + 1) * ROW - list.clientHeight;
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
	filter.addEventListener('input', arrange);
	filter.addEventListener('keydown', (event) => {
		if (event.key === 'Escape' && filter.value) {
			filter.value = '';
			arrange();
		} else if (event.key === 'Escape' || event.key === 'ArrowDown') {
			list.focus({ preventScroll: true });
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
			draw();
		}
	});
};
