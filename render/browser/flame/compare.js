/* compare: the words about a frame with several values, for both sides of a differential or each event of two metrics,
 * the same as in diff.c and metrics.c. */
pyrograph.ui.compare = function (app) {
	'use strict';

	const P = pyrograph.profile, N = pyrograph.number, LY = pyrograph.layers, settings = app.settings;
	const EVENTS_MAX = 4; /* how many events' totals profile.js keeps */
	const value = (v) => N.valueText(settings, v), bare = (v) => N.bareText(settings, v);

	/* "12.34%", "0%" */
	const share = N.percentText;

	/* Does a panel show the difference of two profiles? */
	app.isCompared = (panel) => settings.mode === 'diff' ||
		(settings.mode === 'multiples' && app.sides.get(panel.tree) > 0);

	const sideOf = (panel) => app.sides.get(panel.tree) || 1;
	const nameOf = (layer, standard) => settings.layers[layer].name || standard;

	/* The total of a layer, after the filters. */
	app.layerWhole = (layer) => P.layerTotal(app.whole, layer)[0];

	const changeOf = (pair, side, wholes) => LY.change(settings, app.whole, pair, side, wholes);

	const wholesOf = (side) => [app.layerWhole(0), app.layerWhole(side)];

	/* "base 30 samples, 30.00%; new 40 samples, 20.00%; −10.00 points, −33.33%" */
	function sidesText(panel, frame, by) {
		const side = sideOf(panel), pair = LY.pair(panel.tree, frame, by, side), wholes = wholesOf(side);
		const { change, relative } = changeOf(pair, side, wholes);

		return nameOf(0, 'base') + ' ' + value(pair.base) + ', ' + share(pair.base, wholes[0]) + '; ' +
			nameOf(side, 'new') + ' ' + value(pair.new) + ', ' + share(pair.new, wholes[1]) + '; ' +
			change + (relative ? ', ' + relative : '');
	}

	const ratios = new WeakMap();

	/* "1.571", or "unknown" without a denominator */
	function ratioText(tree, frame) {
		if (!ratios.has(tree))
			ratios.set(tree, LY.metric(tree, settings).ratio);
		const ratio = ratios.get(tree)[frame];

		return isNaN(ratio) ? 'unknown' : String(Number(ratio.toPrecision(4)));
	}

	/* The text in the brackets after a frame's name, or null if the frame has only one value. */
	app.layersText = (panel, frame) => app.isCompared(panel) ? sidesText(panel, frame, 'total') : null;
	app.layersSelfText = (panel, frame) => app.isCompared(panel) ? sidesText(panel, frame, 'self') : null;

	const unitOf = (layer) => Object.assign({}, settings, { unit: layer.name });

	/* "; 330 instructions, 48.74%": the events other than the one that sets the widths. */
	function eventsText(values) {
		return settings.layers.map((layer, k) => layer.name === settings.metric.width ? ''
			: '; ' + N.valueText(unitOf(layer), values[k]) + ', ' +
				share(values[k], app.layerWhole(k))).join('');
	}

	const isMetric = settings.mode === 'metrics', areFew = isMetric && settings.layers.length <= EVENTS_MAX;

	/* "; 330 instructions, 48.74%; instructions/cycles 1.571".  If there are many events, only the text
	 * about a single frame has them. */
	app.metricText = ({ tree }, frame) => !isMetric ? '' :
		(areFew ? eventsText(settings.layers.map((layer, k) => P.layerTotal(tree, k)[frame])) : '') +
		'; ' + settings.metric.colour + ' ' + ratioText(tree, frame);
	app.manyEventsText = ({ tree }, frame) => isMetric && !areFew ? eventsText(LY.valuesOf(tree, frame)) : '';

	/* ---- rows of the box beside the pointer ---- */

	function sideRows(panel, frame) {
		const side = sideOf(panel), wholes = wholesOf(side), { tree, zoom } = panel;
		const rows = [['', nameOf(0, 'base'), nameOf(side, 'new'), 'change']];

		function row(label, pair, of) {
			const { change, relative } = changeOf(pair, side, of);

			rows.push([label, bare(pair.base) + ', ' + share(pair.base, of[0]), bare(pair.new) + ', ' +
				share(pair.new, of[1]), change + (relative ? ', ' + relative : '')]);
		}
		row('total', LY.pair(tree, frame, 'total', side), wholes);
		row('self', LY.pair(tree, frame, 'self', side), wholes);
		if (zoom && frame >= zoom && frame < tree.end[zoom]) {
			const whole = LY.pair(tree, zoom, 'total', side), pair = LY.pair(tree, frame, 'total', side);

			rows.push(['of zoomed', share(pair.base, whole.base), share(pair.new, whole.new), '']);
		}
		return rows;
	}

	function eventRows(panel, frame) {
		const values = LY.valuesOf(panel.tree, frame);

		return settings.layers.map((layer, k) => [layer.name, N.bareText(unitOf(layer), values[k]),
			app.layerWhole(k) ? share(values[k], app.layerWhole(k)) : '',
			'']).concat([[settings.metric.colour,
			ratioText(panel.tree, frame), '', '']]);
	}

	app.layerRows = (panel, frame) => app.isCompared(panel) ? sideRows(panel, frame)
		: settings.mode === 'metrics' ? eventRows(panel, frame) : [];
};
