/* heat_counts: counts events by stack and by key, in the time that is shown and in the selection.
 *
 * app.countsIn(selection)      -> Float64Array by stack: number of events; null: of the time that is shown;
 *                                 of a selection: those of the selection's map, isolated or not
 * app.valuesIn(selection)      -> the sums of the values, in the same way
 * app.mapPart(map)             -> { stacks, recording, cpu } (grid.js) of one of several maps
 * app.keyCounts(dimension, counts) -> Float64Array by key; the last value is of stacks without a key
 * app.split(counts)            -> { events, idle }; idle events are in events if the view counts them
 * app.eventRanges(selection)   -> [[first, end], ...]: numbers of the events in the selection's time
 * app.isSelected(selection)    -> null: all events of eventRanges() are selected; or a function
 *                                 that says whether an event is selected
 * app.onchangeLater(draw)       like app.onchange(); if counting takes long, draw is called after the picture
 * app.someEvents(n)            -> "1,234 samples"
 * app.someValue(n)             -> "12.3 ms"; null if values add nothing to the number of events */
pyrograph.heat.counts = function (app) {
	'use strict';

	const N = pyrograph.number, { data, settings } = app, KEPT = 8, MANY = 2000000, LATER_MS = 80;
	const word = settings.event || 'events', unit = pyrograph.heat.data.unit(settings);
	const answers = new Map();      /* question -> answer */

	/* The stacks (including idle ones), host and CPU of one of several maps (grid.js); null if there is only one
	 * map. */
	app.mapPart = (map) => {
		const per = settings.per && app.dimension(settings.per);

		return !per || map >= per.keys.length ? null : app.kept('part of map', [map], () =>
			pyrograph.heat.grid.partOf(settings, per, app.keyOfMap(map)));
	};

	/* Idle events are counted too, except in a map of how busy CPUs are. */
	function choiceOf(selection) {
		const part = selection && app.mapPart(app.mapOf(selection)) || { stacks: null, recording: -1, cpu: -1 };

		return Object.assign({}, part, { idle: app.view.idle || !selection || selection.kind !== 'cpu' });
	}

	function ask(what, selection) {
		const shown = app.shown(), wanted = selection || { kind: 'time', from: shown.from, to: shown.to };
		const key = JSON.stringify([what, wanted, app.axes(), selection && app.mapOf(selection),
			app.view.idle]);
		let found = answers.get(key);

		if (!found) {
			found = pyrograph.heat.select[what](data, settings, app.axes(), wanted,
				choiceOf(selection));
			answers.set(key, found);
			if (answers.size > KEPT)
				answers.delete(answers.keys().next().value);
		}
		return found;
	}

	const isAll = (selection) => !selection && app.view.from === null && app.view.to === null;

	app.countsIn = (selection) => isAll(selection) ? data.eventsOf : ask('counts', selection);
	app.valuesIn = (selection) => isAll(selection) ? data.valueOf : ask('sums', selection);

	app.eventRanges = (selection) => {
		const first = (tick) => pyrograph.heat.data.firstEvent(data, tick);

		return !selection ? [[0, data.count]] : pyrograph.heat.select.ranges(settings, app.axes(), selection)
			.map(([from, to]) => [first(from), first(to)]);
	};

	/* An event in the selected time is selected only if its value, its CPU and its map are. */
	app.isSelected = (selection) => {
		const choice = choiceOf(selection), { stacks } = choice, { stack, value } = data;
		const filter = pyrograph.heat.select.filter(data, settings, app.axes(), selection, choice);

		return !stacks && !filter ? null : (i) => (!stacks || stacks[stack[i]]) &&
			(!filter || filter(i, value ? value[i] : settings.same));
	};

	app.keyCounts = (dimension, counts) => {
		const { keyOf } = dimension, none = dimension.keys.length, idle = app.view.idle, { isIdle } = data;
		const out = new Float64Array(none + 1);

		for (let stack = 0; stack < counts.length; stack++) {
			if (counts[stack] && (idle || !isIdle[stack]))
				out[keyOf[stack] < 0 ? none : keyOf[stack]] += counts[stack];
		}
		return out;
	};
	app.split = (counts) => {
		let events = 0, idle = 0;

		for (let stack = 0; stack < counts.length; stack++) {
			if (data.isIdle[stack] && !app.view.idle)
				idle += counts[stack];
			else
				events += counts[stack];
		}
		return { events: events, idle: idle };
	};
	app.onchangeLater = (draw) => {
		let waiting = 0;

		app.onchange(() => {
			clearTimeout(waiting);
			if (data.count > MANY)
				waiting = setTimeout(draw, LATER_MS);
			else
				draw();
		});
	};
	app.someEvents = (n) => N.countText(n) + ' ' + (n === 1 ? word.replace(/s$/, '') : word);
	app.someValue = (n) => settings.unit === word && data.value === null ? null : N.valueText(unit, n);
};
