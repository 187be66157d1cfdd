/* lanes_stage: handles pointer, wheel, fingers and keys on the rows. */
pyrograph.ui.lanesStage = function (app) {
	'use strict';

	const { panel, lanes, settings, details, now } = app;

	const moveTo = (lane, say) => {
		now.cursor = lane;
		panel.focus(true);
		if (say && lane !== null)
			app.foot.say(lanes[lane].shown + ': ' + panel.noteOf(lane));
	};

	/* The lane and moment that an action applies to: those under the pointer, or those that the keys are at. */
	app.target = () => details.pointed || (now.cursor === null ? null : { lane: now.cursor, ns: app.part.from });

	/* Shows a hundredth of the time, with the moment of the greatest value in the middle. */
	const showPeak = (number) => {
		const { time, value } = lanes[number], around = settings.window / 200;
		let best = 0;

		value.forEach((n, i) => {
			best = n > value[best] ? i : best;
		});
		if (!value.length)
			return;
		app.part.show(time[best] - around, time[best] + around);
		moveTo(number, false);
		app.foot.say(details.wordsOf(number, time[best]));
	};

	app.stage = { moveTo, showPeak };
	pyrograph.ui.rowsStage(app, { rowOf: ({ lane }) => lane,
		matches: () => now.found && now.found.match ? now.rows.filter((lane) => now.found.match[lane]) : [],
		openMenu: (at, x, y) => app.openRowMenu(at, x, y), choose: (at) => showPeak(at.lane) });
};
