/* heat_actions: the choices of a view, and the list of all actions, with their words and keys, from which menus, keys
 * and the help are made.
 *
 * app.choices: { colorings, weights, zones, periods: ns }; the present choices: coloring(), weigh(), ramp(), zone();
 * app.setColoring(), setRamp(), setWeigh(), setZone(), setPeriod(), setRows(), setIdle(), setSelecting().  The link
 * leaves out settings that have not been changed. */
pyrograph.heat.actions = function (app) {
	'use strict';

	const H = pyrograph.heat, P = H.period, { data, settings } = app;
	const PERIODS = [1e9, 10e9, 60e9, 300e9, 3600e9, 86400e9], isOffset = settings.y === 'offset';

	/* ---- what may be chosen ---- */

	const setDrawn = (key, value, drawn) => app.step({ [key]: value === drawn ? null : value });
	const coloring = () => app.view.coloring || settings.coloring, weigh = () => app.view.weigh || settings.weigh;
	const ramp = () => app.view.ramp || settings.ramp, zone = () => app.view.zone || 'own';
	const COLORINGS = [['linear', 'Linear', 'By count', ''], ['rank', 'Rank',
		'By rank among all cells: contrast whatever the counts are', 'colours by rank'],
	['log', 'Log', 'By the logarithm of the count: a single one is never pale', 'logarithmic colours']];
	const WEIGHTS = [['events', 'Events'], ...data.value !== null || settings.unit !== settings.event
		? [['values', settings.unit ? 'Values: ' + settings.unit : 'Values'],
			['longest', 'Longest: the largest value']] : [],
	...settings.spans ? [['painted', 'Time: the whole of each span is painted']] : []];
	const ZONES = [['own', 'As drawn: ' + settings.zone[1]], ['UTC', 'UTC'], ['local', 'This browser\u2019s']];

	app.choices = { colorings: COLORINGS, weights: WEIGHTS, zones: ZONES, periods: PERIODS, coloring, weigh, ramp,
		zone };
	app.setColoring = (name) => setDrawn('coloring', name, settings.coloring);
	app.setRamp = (name) => setDrawn('ramp', name, settings.ramp);
	app.setWeigh = (name) => setDrawn('weigh', name, settings.weigh);
	app.setZone = (name) => app.touch({ zone: name === 'own' ? null : name });
	app.setPeriod = (ns) => app.step({ period: ns });
	app.setRows = (rows) => app.step({ rows: rows });
	/* Maps of how busy CPUs are do not count idle events, since what is not busy is idle. */
	app.idleCounts = () => Boolean(settings.idleWhat);
	app.canHaveLines = () => settings.y !== 'offset' && (settings.percentiles || []).length > 0;
	app.setLines = (on) => setDrawn('lines', on, Boolean(settings.lines));
	app.setIdle = (on) => app.step({ idle: on });

	const next = (values, now) => values[(values.indexOf(now) + 1) % values.length];
	const nextOf = (all, now, set) => () => set(next(all.map(([name]) => name), now()));

	/* Goes to the next longer or shorter one of the usual periods. */
	function stepPeriod(step) {
		const now = Number(app.axes().period), all = step > 0 ? PERIODS : PERIODS.slice().reverse();
		const found = all.find((period) => step > 0 ? period > now : period < now);

		if (found)
			app.setPeriod(found);
	}

	/* ---- the actions ---- */

	const actions = {
		search: ['/', 'Search frames', () => app.searchBox.focus(), 'Find'],
		keys: ['k', 'Keys and distribution', () => app.openKeys(!app.keysOpen()), 'Keys'],
		nextBy: ['n', 'Colour by the next dimension', () =>
			app.setBy(next(['', ...settings.dimensions.map(([name]) => name).filter(app.canBe)], app.by())),
		'Keys'], highlight: ['h', 'Marked keys in their hues', () => app.setKeyMode('highlight'), 'Keys'],
		isolate: ['i', 'Only the marked keys', () => app.setKeyMode('isolate'), 'Keys'],
		exclude: ['e', 'All but the marked keys', () => app.setKeyMode('exclude'), 'Keys'],
		rainbow: ['a', 'All keys in hues', () => app.setKeyMode('all'), 'Keys'],
		longer: [']', 'Longer period', () => stepPeriod(1), 'View'],
		shorter: ['[', 'Shorter period', () => stepPeriod(-1), 'View'],
		period: ['o', 'Another period', () => app.askPeriod(), 'View'],
		coloring: ['c', 'Linear, rank, logarithmic colours', nextOf(COLORINGS, coloring, app.setColoring),
			'View'],
		ramp: ['r', 'Next scale of colours', nextOf(settings.ramps, ramp, app.setRamp), 'View'],
		weigh: ['w', 'Events, values, longest, time', nextOf(WEIGHTS, weigh, app.setWeigh), 'View', () =>
			WEIGHTS.length > 1],
		idle: ['y', 'Show idle: ' + (settings.idleWhat || ''), () => app.setIdle(!app.view.idle), 'View', () =>
			app.idleCounts()],
		lines: ['p', 'Percentile lines', () => app.setLines(!app.linesShown()), 'View', app.canHaveLines],
		zone: ['t', 'Next time zone', nextOf(ZONES, zone, app.setZone), 'View', () => !settings.relative],
		...app.usual.view,
		resetAll: ['R', 'As it was drawn', () => app.resetAll(), 'View'],
		...app.usual.link,
		copyDetails: ['D', 'Copy the distribution', () => app.copyDetails(), 'Keep'],
		saveTimed: ['T', 'Save everything in this time as timed lines', () => app.saveTimed(), 'Keep'],
		saveFolded: ['F', 'Save what the flame graph shows as folded lines', () => app.saveFolded(), 'Keep'],
		...app.usual.saving,
	};

	Object.assign(app.actions, actions);
	app.resetAll = () => app.step(Object.assign(H.address.emptyView(),
		{ theme: app.view.theme, panel: app.view.panel }));

	app.openViewMenu = () => {
		const items = app.actionItems, now = app.view.period, radios = app.radios, selection =
			items('keepB', 'exchange', 'zoomTo');
		const isOther = now !== null && !PERIODS.includes(now), checked = (id, is, label) =>
			items(id).map((item) => Object.assign(item, { checked: is() }, label && { label }));

		app.showViewMenu([{ heading: isOffset ? 'Period' : 'Column' },
			...radios([[null, 'As drawn: ' + P.text(Number(settings.period))],
				...PERIODS.map((ns) => [ns, P.text(ns)])], now, app.setPeriod, ''),
			{ label: isOther ? 'Other: ' + P.text(now) : 'Other \u2026', radio: true, key: 'O',
				checked: isOther, run: app.askPeriod },
			{ heading: 'Colours' }, ...radios(COLORINGS.map(([name, label, tip]) =>
				[name, label + ': ' + tip.toLowerCase().replace(/:.*/, '')]),
			coloring(), app.setColoring, 'C'),
			{ heading: 'Scale' }, ...radios(settings.ramps.map(([name, about]) =>
				[name, name + (about ? ': ' + app.ruler.fit(about, 320, 1, 'right') : '')]),
			ramp(), app.setRamp, 'R'), ...WEIGHTS.length > 1 ? [{ heading: 'Cells count' },
				...radios(WEIGHTS, weigh(), app.setWeigh, 'W')] : [],
			...selection.length ? [{ heading: 'Selection' }, ...selection] : [],
			{ heading: 'Dragging selects' }, ...radios([['time', 'A range of time'],
				['rows', isOffset ? 'The same part of each period' : 'Time and values']],
			app.selecting(), app.setSelecting, 'M'), { line: true },
			...checked('idle', () => app.view.idle), ...checked('lines', app.linesShown),
			...checked('keys', app.keysOpen), ...checked('flame', app.flameIsShown, 'Flame graph'),
			...settings.relative ? [] : [{ heading: 'Times' }, ...radios(ZONES, zone(), app.setZone, 'T')]],
		'copyDetails', 'saveTimed', 'saveFolded');
	};
};
