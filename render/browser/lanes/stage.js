/* lanes_stage: what pointer, wheel, fingers and keys do on the rows. */
pyrograph.ui.lanesStage = function (app) {
	'use strict';

	const { panel, lanes, settings } = app;

	app.moveTo = (lane, say) => {
		app.cursor = lane;
		panel.focus(true);
		if (say && lane !== null)
			app.foot.say(lanes[lane].shown + ': ' + app.noteOf(lane));
	};

	/* The lane and moment that an action is for: those under the pointer, or those that the keys are at. */
	app.target = () => app.pointed || (app.cursor === null ? null : { lane: app.cursor, ns: app.part.from });

	/* Shows the moment of the greatest value in the middle, a hundredth of the time around it. */
	app.showPeak = (number) => {
		const { time, value } = lanes[number], around = settings.window / 200;
		let best = 0;

		value.forEach((n, i) => {
			best = n > value[best] ? i : best;
		});
		if (!value.length)
			return;
		app.showPart(time[best] - around, time[best] + around);
		app.moveTo(number, false);
		app.foot.say(app.wordsOf(number, time[best]));
	};

	pyrograph.ui.rowsStage(app, { rowOf: ({ lane }) => lane,
		matches: () => app.found && app.found.match ? app.rows.filter((lane) => app.found.match[lane]) : [],
		openMenu: (at, x, y) => app.openRowMenu(at, x, y), choose: (at) => app.showPeak(at.lane) });
};
