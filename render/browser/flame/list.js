/* list: a list with a filter, and heads that sort it; only the rows in the window exist as elements.
 *
 * pyrograph.ui.list({ placeholder, filterLabel, heads: [[key, label, tip], ...], sort, active, rowOf(at), arrange() })
 *     -> { filter, count, top, head, heads, element, sort: { key, down }, show(length), draw(), reveal(at),
 *     pageRows(), indexOf(event) }
 *     arrange  called when the filter or the sort has changed; must call show()
 *     rowOf    -> the element of a row; active: a selector for the row that the keys are at
 *     top      the element above the heads: the filter, and the count beside it */
pyrograph.ui.list = function (how) {
	'use strict';

	const D = pyrograph.ui.dom, ROW = 22, MARGIN = 20, { placeholder, filterLabel, rowOf, arrange, active } = how;
	const filter = D.html('input', { type: 'text', placeholder: placeholder, spellcheck: 'false',
		autocapitalize: 'off', autocomplete: 'off', 'aria-label': filterLabel });
	const count = D.html('span', { 'class': 'table-count' });
	const spacer = D.html('div', { 'class': 'table-rows', role: 'none' });
	const element = D.html('div', { 'class': 'table-scroll', tabindex: '0', role: 'listbox' }, spacer);
	const heads = Object.fromEntries(how.heads.map(([key, label, tip]) => [key, D.html('button', { type: 'button',
		'class': 'head-' + key, title: tip, onclick: () => {
			list.sort = { key: key, down: list.sort.key === key ? !list.sort.down : key !== 'name' };
			arrange();
		} }, label)]));
	const list = { filter, count, heads, element, sort: { key: how.sort, down: true },
		top: D.html('div', { 'class': 'table-top' }, filter, count),
		head: D.html('div', { 'class': 'table-head' }, ...Object.values(heads)) };
	let length = 0;

	function draw(from, to) {
		const fresh = [];

		for (let at = from; at < to; at++) {
			const row = rowOf(at);

			row.dataset.row = at;
			row.style.top = at * ROW + 'px';
			fresh.push(row);
		}
		spacer.style.height = length * ROW + 'px';
		spacer.replaceChildren(...fresh);
		const now = spacer.querySelector(active);

		if (now)
			element.setAttribute('aria-activedescendant', now.id);
		else
			element.removeAttribute('aria-activedescendant');
	}

	const rows = pyrograph.ui.windowed({}, element, { draw, pitch: () => ROW, margin: MARGIN,
		rowsIn: (top, end) => [Math.max(0, Math.floor(top / ROW)), Math.min(length, Math.ceil(end / ROW))] });

	list.show = (now) => {
		length = now;
		for (const key in heads) {
			heads[key].setAttribute('aria-pressed', String(key === list.sort.key));
			heads[key].dataset.sort = key !== list.sort.key ? '' : list.sort.down ? 'down' : 'up';
		}
		rows.paint();
	};
	list.draw = rows.paint;
	list.reveal = (at) => rows.reveal(at * ROW);
	list.pageRows = () => Math.max(1, Math.floor(element.clientHeight / ROW) - 1);
	/* The row in which an event happened, or -1. */
	list.indexOf = ({ target }) => {
		const row = target.closest('.row');

		return row ? Number(row.dataset.row) : -1;
	};

	element.addEventListener('scroll', rows.paintIfNeeded);
	filter.addEventListener('input', arrange);
	filter.addEventListener('keydown', (event) => {
		if (event.key === 'Escape' && filter.value) {
			filter.value = '';
			arrange();
		} else if (event.key === 'Escape' || event.key === 'ArrowDown') {
			element.focus({ preventScroll: true });
		} else {
			return;
		}
		event.preventDefault();
		event.stopPropagation();
	});
	return list;
};
