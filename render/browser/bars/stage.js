/* bars_stage: pointer, fingers and keys on the rows. */
pyrograph.ui.barsStage = function (app) {
	'use strict';

	const { panel, now, details } = app, { graph, head } = panel;

	/* ---- the row and segment that the keys are at ---- */

	function same(a, b) {
		return Boolean(a && b && a.row === b.row && a.segment === b.segment);
	}

	const moveTo = (row, segment, say) => {
		now.cursor = { row: row, segment: segment };
		details.pointed = null;
		panel.focus(true);
		const at = row === null ? null : { row: row, segment: segment, box: panel.segments(row)[segment] ||
			null };

		details.showDetails(at);
		if (say && at)
			app.foot.say(at.box
				? pyrograph.bars.text.describe(now.model, now.model.rows[row], at.box.segment)
				: details.rowText(row));
	};

	/* The row and segment that an action applies to: those under the pointer, or those that the keys are at. */
	app.target = () => {
		const { row, segment } = now.cursor;

		return details.pointed || (row === null ? null : { row: row, segment: segment,
			box: panel.segments(row)[segment] || null });
	};

	function move(key) {
		const { row, segment } = now.cursor, at = now.rows.indexOf(row), last = now.rows.length - 1;

		if (last < 0)
			return;
		if (at < 0)
			moveTo(now.rows[0], -1, true);
		else if (key === 'ArrowUp' || key === 'ArrowDown')
			moveTo(now.rows[Math.max(0, Math.min(last, at + (key === 'ArrowDown' ? 1 : -1)))], -1,
				true);
		else
			moveTo(row, Math.max(-1, Math.min(panel.segments(row).length - 1, segment +
				(key === 'ArrowRight' ? 1 : -1))), true);
	}

	app.walkMatches = (step) => {
		const stands = (row) => now.model.rows[row].segments.some((s) => now.standsOut(row, s));
		const at = now.rows.indexOf(now.cursor.row), n = now.rows.length;

		if (!now.found)
			return;
		for (let i = 1; i <= n; i++) {
			const row = now.rows[((at < 0 && step < 0 ? 0 : at) + step * i + n * 2) % n];

			if (stands(row)) {
				moveTo(row, -1, true);
				return;
			}
		}
	};

	/* Chooses the contender if the segment is a wait for one, otherwise the row. */
	const choose = (at) => {
		if (at.box && at.box.segment.by !== null)
			app.aside.chooseBy(at.box.segment.by);
		else
			app.aside.chooseRow(at.row);
	};

	/* ---- pointer ---- */

	function clicked(at, event, touched) {
		if (!at || app.menu.justClosed())
			return;
		const second = same(at, now.cursor);

		moveTo(at.row, at.segment, false);
		if (!touched || second) /* the first tap shows what the box is, the second chooses it */
			choose(at);
	}

	function openMenuAt(at, x, y) {
		if (!at)
			return;
		moveTo(at.row, at.segment, false);
		app.openRowMenu(at, x, y);
	}

	pyrograph.ui.pointer(graph, { at: panel.at, hover: details.hover, leave: () => details.hover(null),
		click: clicked, menu: openMenuAt });
	graph.addEventListener('focus', () => { /* the focus came by the Tab key, so show where the keys are */
		if (now.cursor.row === null && now.rows.length && graph.matches(':focus-visible'))
			moveTo(now.rows[0], -1, true);
	});
	panel.scroll.addEventListener('scroll', app.tip.hide);

	head.addEventListener('pointermove', (event) =>
		details.hoverSum(panel.sumAt(event.clientX, event.clientY), event.clientX, event.clientY));
	head.addEventListener('pointerleave', () => details.hoverSum(null));
	head.addEventListener('click', (event) => {
		const box = panel.sumAt(event.clientX, event.clientY);

		if (box)
			now.sortBy(':' + now.model.kinds[box.segment.kind].name);
	});

	app.menuOfCursor = () => {
		const at = app.target();

		if (at) {
			const { x, y } = panel.where(at.row, at.segment);

			openMenuAt(at, x, y);
		}
	};

	pyrograph.ui.keys(app, { move: move, page: panel.page, choose: choose, undo: app.undoOrReset,
		has: (element) => !element.closest || !element.closest('.aside') });
};
