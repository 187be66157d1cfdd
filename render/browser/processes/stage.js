/* processes_stage: handles pointer, wheel, fingers and keys on the rows. */
pyrograph.ui.processesStage = function (app) {
	'use strict';

	const { panel, data, details, now } = app;

	const moveTo = (row, say) => {
		now.cursor = row;
		panel.focus(true);
		if (say && row !== null)
			app.foot.say(data.rows[row].name + ': ' + panel.noteOf(row));
	};

	/* The row, moment and span that an action applies to: those under the pointer, or those that the keys are
	 * at. */
	app.target = () => details.pointed || (now.cursor === null ? null : { row: now.cursor,
		ns: data.begin[data.rows[now.cursor].first], span: data.first[data.rows[now.cursor].first] });

	/* Shows all of a process. */
	const showProcess = (span) => {
		const p = data.of[span], around = (data.end[p] - data.begin[p]) / 20;

		app.part.show(data.begin[p] - around, data.end[p] + around);
	};

	app.stage = { moveTo, showProcess };
	pyrograph.ui.rowsStage(app, { rowOf: ({ row }) => row,
		matches: () => now.found && !now.found.error ? now.rows.filter((row) => now.found.rows[row]) : [],
		openMenu: (at, x, y) => app.openRowMenu(Object.assign({ span: details.spanAt(at) }, at), x, y),
		choose: ({ span }) => span >= 0 && showProcess(span) });
	panel.graph.addEventListener('dblclick', (event) => {
		const at = panel.at(event.clientX, event.clientY), span = at.row === null ? -1 : details.spanAt(at);

		if (span >= 0 && at.inBar)
			showProcess(span);
	});
};
