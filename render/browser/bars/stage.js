/* bars_stage: pointer, fingers and keys on the rows. */
pyrograph.ui.barsStage = function (app) {
	'use strict';

	const { panel } = app, { graph, head } = panel;

	/* ---- the row and segment that the keys are at ---- */

	function same(a, b) {
		return Boolean(a && b && a.row === b.row && a.segment === b.segment);
	}

	app.moveTo = (row, segment, say) => {
		app.cursor = { row: row, segment: segment };
		app.pointed = null;
		panel.focus(true);
		const at = row === null ? null : { row: row, segment: segment, box: panel.segments(row)[segment] ||
			null };

		app.showDetails(at);
		if (say && at)
			app.foot.say(at.box
				? pyrograph.bars.text.describe(app.model, app.model.rows[row], at.box.segment)
				: app.rowText(row));
	};

	/* The row and segment that an action is for: those under the pointer, or those that the keys are at. */
	app.target = () => {
		const { row, segment } = app.cursor;

		return app.pointed || (row === null ? null : { row: row, segment: segment,
			box: panel.segments(row)[segment] || null });
	};

	function move(key) {
		const { row, segment } = app.cursor, at = app.rows.indexOf(row), last = app.rows.length - 1;

		if (last < 0)
			return;
		if (at < 0)
			app.moveTo(app.rows[0], -1, true);
		else if (key === 'ArrowUp' || key === 'ArrowDown')
			app.moveTo(app.rows[Math.max(0, Math.min(last, at + (key === 'ArrowDown' ? 1 : -1)))], -1,
				true);
		else
			app.moveTo(row, Math.max(-1, Math.min(panel.segments(row).length - 1, segment +
				(key === 'ArrowRight' ? 1 : -1))), true);
	}

	app.walkMatches = (step) => {
		const stands = (row) => app.model.rows[row].segments.some((s) => app.standsOut(row, s));
		const at = app.rows.indexOf(app.cursor.row), n = app.rows.length;

		if (!app.found)
			return;
		for (let i = 1; i <= n; i++) {
			const row = app.rows[((at < 0 && step < 0 ? 0 : at) + step * i + n * 2) % n];

			if (stands(row)) {
				app.moveTo(row, -1, true);
				return;
			}
		}
	};

	/* Chooses the contender if the segment is a wait for one, otherwise the row. */
	app.choose = (at) => {
		if (at.box && at.box.segment.by !== null)
			app.chooseBy(at.box.segment.by);
		else
			app.chooseRow(at.row);
	};

	/* ---- pointer ---- */

	function clicked(at, event, touched) {
		if (!at || app.menu.justClosed())
			return;
		const second = same(at, app.cursor);

		app.moveTo(at.row, at.segment, false);
		if (!touched || second) /* the first tap shows what the box is, the second chooses it */
			app.choose(at);
	}

	function openMenuAt(at, x, y) {
		if (!at)
			return;
		app.moveTo(at.row, at.segment, false);
		app.openRowMenu(at, x, y);
	}

	pyrograph.ui.pointer(graph, { at: panel.at, hover: app.hover, leave: () => app.hover(null), click: clicked,
		menu: openMenuAt });
	graph.addEventListener('focus', () => { /* the focus came by the Tab key: show where the keys are */
		if (app.cursor.row === null && app.rows.length && graph.matches(':focus-visible'))
			app.moveTo(app.rows[0], -1, true);
	});
	panel.scroll.addEventListener('scroll', app.tip.hide);

	head.addEventListener('pointermove', (event) =>
		app.hoverSum(panel.sumAt(event.clientX, event.clientY), event.clientX, event.clientY));
	head.addEventListener('pointerleave', () => app.hoverSum(null));
	head.addEventListener('click', (event) => {
		const box = panel.sumAt(event.clientX, event.clientY);

		if (box)
			app.sortBy(':' + app.model.kinds[box.segment.kind].name);
	});

	app.menuOfCursor = () => {
		const at = app.target();

		if (at) {
			const { x, y } = panel.where(at.row, at.segment);

			openMenuAt(at, x, y);
		}
	};

	pyrograph.ui.keys(app, { move: move, page: panel.page, choose: app.choose, undo: app.undoOrReset,
		has: (element) => !element.closest || !element.closest('.aside') });
};
