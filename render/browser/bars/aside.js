/* bars_aside: the panel beside the bars: the states of the chosen row and who had the CPU instead, what the
 * chosen contender took from which rows, and the table of all contenders. */
pyrograph.ui.barsAside = function (app) {
	'use strict';

	const { now, details } = app;
	const D = pyrograph.ui.dom, M = pyrograph.bars.model, T = pyrograph.bars.text, aside = app.page.aside;
	const NAME = 212; /* px; of a longer name its end, by which threads differ */
	const CHUNK = 50, VICTIMS_MAX = 3, ROOM = 0.42; /* share of the window's height; the rows need the rest */
	let sort = { key: null, down: true }; /* key null: sort by the column that sets the widths */

	aside.setAttribute('aria-label', 'Details');

	/* A table gets more rows when it is scrolled to its end. */
	const seen = new IntersectionObserver((all) => all.filter((one) => one.isIntersecting).forEach((one) =>
		one.target.click()),
	{ root: aside });

	/* ---- tables: a head is [text, key to sort by or null]; rowOf(item) makes a row ---- */

	const sortKey = () => sort.key || now.model.columns[now.column];

	function headCell([text, key, className]) {
		if (!key)
			return D.html('th', { scope: 'col', 'class': className || null }, text);
		const arrow = sortKey() !== key ? null : sort.down ? 'down' : 'up';

		return D.html('th', { scope: 'col', 'aria-sort': arrow === null ? 'none' : arrow === 'down'
			? 'descending' : 'ascending' },
		D.html('button', { type: 'button', 'data-sort': arrow, title: 'Sort by ' + text.toLowerCase(),
			onclick: () => {
				sort = { key: key, down: sortKey() === key ? !sort.down : key !== 'name' };
				draw();
			} }, text));
	}

	function table(label, heads, items, rowOf) {
		const body = D.html('tbody', {}), more = D.html('button',
			{ type: 'button', 'class': 'link more-rows', onclick: () => add() });
		let shown = 0;

		/* Adds the next rows. A table may have thousands: only those that the reader scrolls to become
		 * elements. */
		function add() {
			const chunk = items.slice(shown, shown + CHUNK);

			shown += chunk.length;
			body.append(...chunk.map(rowOf));
			more.hidden = shown === items.length;
			more.textContent = 'Show more of ' + (items.length - shown).toLocaleString('en');
		}

		add();
		if (!more.hidden)
			seen.observe(more);
		return D.html('div', { 'class': 'bars-table' }, D.html('table', { 'aria-label': label },
			D.html('thead', {}, D.html('tr', {}, ...heads.map(headCell))), body), more);
	}

	const numbers = (texts) => texts.map((text) => D.html('td', { 'class': 'number' }, text));
	const amounts = (values, whole) => [T.value(now.model, values[0]), T.share(values[now.column], whole),
		...values.slice(1).map((v, i) => now.model.columns[i + 1] === 'longest' ? T.value(now.model, v)
			: v || !values[0] ? pyrograph.number.countText(v) : T.NO_COUNT)];
	const heads = (name, key) => [[name, key && 'name'], [T.head(now.model, 0), key && now.model.columns[0]],
		['Share', null],
		...now.model.columns.slice(1).map((column, i) => [T.head(now.model, i + 1), key && column])];

	/* A button with a name that the reader can choose. */
	function link(name, tip, run, pressed) {
		return D.html('th', { scope: 'row' }, D.html('button',
			{ type: 'button', 'class': 'link', title: tip + T.name(name),
				'aria-pressed': pressed === undefined ? null : String(pressed), onclick: run },
			app.ruler.fit(T.within(name, now.process), NAME, 1, 'left')));
	}
	const rowLink = (row) => {
		const one = now.model.rows[row];

		return link(one.name, 'Details of ', () => chooseRow(row));
	};
	const byLink = (name) => link(name, 'Who waited for ', () => chooseBy(name), now.by === name);

	function section(title, close, ...content) {
		return D.html('section', {}, D.html('div', { 'class': 'aside-top' }, D.html('h2', {}, title),
			D.button('close', 'Close', 'Close', close, { icon: 'close' })), ...content);
	}

	/* ---- one row ---- */

	function kindsOf(row) {
		return M.byKind(now.model, [row]).map((values, kind) =>
			({ kind: kind, values: values })).filter((one) => one.values)
			.sort((a, b) => app.hasRunnable ? a.kind - b.kind : b.values[0] - a.values[0]);
	}

	function kindRow({ kind, values }, whole) {
		const dot = D.html('span', { 'class': 'dot' });

		dot.style.background = app.panel.partColour({ kind, values });
		return D.html('tr', {}, D.html('th', { scope: 'row' }, dot, ' ', T.kindName(now.model.kinds[kind])),
			...numbers(amounts(values, whole)));
	}

	function ofRow(row) {
		const one = now.model.rows[row], taken = M.takenBy(now.model, row);
		const k = now.column, took = now.contendersOfAll().find((c) => c.name === one.name);
		const waited = taken.reduce((sum, { values }) => sum + values[k], 0);
		const what = app.settings.kindHead;

		return section(T.rowName(one), () => app.step({ row: null }),
			D.html('p', { 'class': 'quiet' }, T.describe(now.model, one, null).slice(T.rowName(one).length +
				2)),
			table(what + ' of ' + T.rowName(one), heads(what, false), kindsOf(row), (item) =>
				kindRow(item, one.values[k])),
			...taken.length ? [D.html('h3', {}, 'Had the CPU while it waited'),
				table('Who took the CPU from ' + T.rowName(one), heads('Thread', false), taken,
					({ name, values }) => D.html('tr', {}, byLink(name),
						...numbers(amounts(values, waited))))] : [],
			...took ? [D.html('h3', {}, 'Took the CPU from'), victims(took)] : []);
	}

	/* ---- one contender ---- */

	const victims = (one) => table('From whom ' + T.name(one.name) + ' took the CPU', heads('From', false),
		one.victims, ({ row, values }) => D.html('tr', {}, rowLink(row),
			...numbers(amounts(values, one.values[now.column]))));

	function ofContender(name) {
		const one = now.contenders().find((c) => c.name === name);

		return section(T.name(name) + ' took the CPU from', () => app.step({ by: null }),
			one ? D.html('p', { 'class': 'quiet' }, T.head(now.model, now.column).toLowerCase() + ' ' +
				T.column(now.model, now.column, one.values[now.column]) +
				', from ' + pyrograph.number.countText(one.count) +
					(one.count === 1 ? ' thread' : ' threads')) : null,
			one ? victims(one) : D.html('p', { 'class': 'quiet' }, 'No row shown here waited for it.'));
	}

	/* ---- all ---- */

	/* "spin-a-4711 4.97 s, java-8513/worker-1 200 ms, ..." */
	const whoWaited = (one) => one.victims.slice(0, VICTIMS_MAX).map(({ row, values }) =>
		T.within(now.model.rows[row].name, now.process) + ' ' +
		T.column(now.model, now.column, values[now.column])).join(', ') +
			(one.count > VICTIMS_MAX ? ', \u2026' : '');

	/* "While others waited for it: 8 s in all, 2.54 s of it spin-b-4712. " */
	function allText(list, all) {
		const one = list.find(({ name }) => name === now.by);

		return !list.length ? 'No row shown here waited for a CPU. '
			: 'While others waited for it: ' +
			T.column(now.model, now.column, all) + ' in all' +
				(one ? ', ' + T.column(now.model, now.column, one.values[now.column]) + ' of it ' +
				T.name(one.name) : '') + '. ';
	}

	const hasNoCount = ({ values }) => values.some((v, k) => now.model.columns[k] === 'count' && !v && values[0]);

	function ofAll() {
		const list = M.sortContenders(now.contenders(), sortKey(), sort.down, now.model);
		const all = list.reduce((sum, { values }) => sum + values[now.column], 0);

		return section('Who had the CPU', () => now.setTable(false), D.html('p', { 'class': 'quiet' },
			allText(list, all) + (list.some(hasNoCount) ? T.NO_COUNT +
				': also ran during these waits, which count for the thread that ran longest. ' : ''),
			D.html('button', { type: 'button', 'class': 'link', onclick: () => app.act('copyContenders') },
				'Copy as CSV')),
		table('Who had the CPU',
			heads('Thread', true).concat([['From', 'victims'], ['Who waited', null, 'who']]),
			list, (one) => D.html('tr',
				{ 'class': now.by === one.name ? 'chosen' : null }, byLink(one.name),
				...numbers(amounts(one.values, all)),
				...numbers([pyrograph.number.countText(one.count)]),
				D.html('td', { 'class': 'who' }, whoWaited(one)))));
	}

	/* All elements are drawn anew; the focus moves to the one that replaces the focused element. */
	function draw() {
		const buttons = () => Array.from(aside.querySelectorAll('button'));
		const at = aside.contains(document.activeElement) ? buttons().indexOf(document.activeElement) : -1;
		const top = aside.scrollTop, parts = [];

		seen.disconnect();
		if (now.detailed >= 0)
			parts.push(ofRow(now.detailed));
		if (now.by !== null)
			parts.push(ofContender(now.by));
		if (now.hasTable())
			parts.push(ofAll());
		aside.hidden = !parts.length;
		app.page.element.classList.toggle('with-table', !aside.hidden);
		aside.replaceChildren(...parts);
		aside.style.flexBasis = Math.min(aside.scrollHeight, Math.round(ROOM * window.innerHeight)) + 'px';
		app.page.resize();
		aside.scrollTop = top;
		if (at >= 0 && buttons()[at])
			buttons()[at].focus({ preventScroll: true });
	}

	const chooseRow = (row) => {
		const { name } = now.model.rows[row];

		app.step({ row: app.view.row === name ? null : name });
		if (now.detailed >= 0)
			app.foot.say(details.rowText(now.detailed));
	};
	const chooseBy = (name) => {
		app.step({ by: app.view.by === name ? null : name });
		app.foot.say(now.by === null ? 'All rows' : 'Waited for ' + T.name(name) + ': ' + details.countText());
	};
	app.aside = { chooseRow, chooseBy };
	app.onchange(draw);
};
