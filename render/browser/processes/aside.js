/* processes_aside: sums by command, beside the rows, over the part of the time that is shown; a click on a name
 * highlights it. */
pyrograph.ui.processesAside = function (app) {
	'use strict';

	const D = pyrograph.ui.dom, N = pyrograph.number, { data, page } = app, MOST = 300;
	const COLUMNS = [['name', 'Command'], ['runs', 'Runs'], ['time', 'Elapsed'], ['cpu', 'CPU'], ['peak', 'Memory'],
		['wrong', 'Failed']];
	let sort = { key: 'cpu', down: true };

	page.aside.setAttribute('aria-label', 'Sums by command');

	function ordered() {
		const of = (one) => sort.key === 'name' ? data.names[one.name] : one[sort.key];

		return pyrograph.processes.data.totals(data, app.part.from, app.part.to).sort((a, b) => {
			const x = of(a), y = of(b), order = x < y ? -1 : x > y ? 1 : a.name - b.name;

			return sort.down && x !== y ? -order : order;
		});
	}

	function headCell([key, label]) {
		const by = sort.key === key;

		return D.html('th', { scope: 'col', 'aria-sort': !by ? 'none' : sort.down ? 'descending'
			: 'ascending' },
		D.html('button', { type: 'button', 'data-sort': by ? sort.down ? 'down' : 'up' : null,
			title: 'Sort by ' + label.toLowerCase(), onclick: () => {
				sort = { key, down: by ? !sort.down : key !== 'name' };
				draw();
			} }, label));
	}

	function tableRow({ name, runs, time, cpu, peak, wrong }) {
		const exact = { pattern: pyrograph.search.exactly(data.names[name]), ignoreCase: false };
		const chosen = app.view.search.pattern === exact.pattern;

		return D.html('tr', {}, D.html('th', { scope: 'row' }, D.html('button', { type: 'button',
			'class': 'link', title: 'Highlight ' + data.names[name], 'aria-pressed': String(chosen),
			onclick: () => app.touch({ search: chosen ? { pattern: '', ignoreCase: false } : exact }) },
		data.names[name])), ...[N.countText(runs), N.durationText(Math.round(time)),
			N.durationText(Math.round(cpu)), app.details.sizeText(peak), wrong ? N.countText(wrong)
				: ''].map((words) => D.html('td', {}, words)));
	}

	function draw() {
		const all = app.view.table ? ordered() : [];

		page.aside.hidden = !app.view.table;
		page.element.classList.toggle('with-table', app.view.table);
		if (!app.view.table)
			return;
		page.aside.replaceChildren(D.html('div', { 'class': 'totals' }, D.html('table', {},
			D.html('thead', {}, D.html('tr', {}, ...COLUMNS.map(headCell))),
			D.html('tbody', {}, ...all.slice(0, MOST).map(tableRow))), all.length > MOST
			? `and ${N.countText(all.length - MOST)} more` : null));
	}

	app.onchange(draw);
};
