/* processes_stage: what pointer, wheel, fingers and keys do on the rows. */
pyrograph.ui.processesStage = function (app) {
	'use strict';

	const { panel, data } = app;

	app.moveTo = (row, say) => {
		app.cursor = row;
		panel.focus(true);
		if (say && row !== null)
			app.foot.say(data.rows[row].name + ': ' + app.noteOf(row));
	};

	/* The row, moment and span that an action is for: those under the pointer, or those that the keys are at. */
	app.target = () => app.pointed || (app.cursor === null ? null : { row: app.cursor,
		ns: data.begin[data.rows[app.cursor].first], span: data.first[data.rows[app.cursor].first] });

	/* Shows all of a process. */
	app.showProcess = (span) => {
		const p = data.of[span], around = (data.end[p] - data.begin[p]) / 20;

		app.showPart(data.begin[p] - around, data.end[p] + around);
	};

	pyrograph.ui.rowsStage(app, { rowOf: ({ row }) => row,
		matches: () => app.found && !app.found.error ? app.rows.filter((row) => app.found.rows[row]) : [],
		openMenu: (at, x, y) => app.openRowMenu(Object.assign({ span: app.spanAt(at) }, at), x, y),
		choose: ({ span }) => span >= 0 && app.showProcess(span) });
	panel.graph.addEventListener('dblclick', (event) => {
		const at = panel.at(event.clientX, event.clientY), span = at.row === null ? -1 : app.spanAt(at);

		if (span >= 0 && at.inBar)
			app.showProcess(span);
	});
};
