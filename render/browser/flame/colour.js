/* colour: a frame's colour, by several schemes.
 *
 * modes(settings) -> [{ mode, label }, ...] for a menu: the schemes that this picture offers, of "name"
 *     (C's colours: by name or by rules), "wait", "wall", "kind", "module", "depth", "self", "diff", "metric"
 * scheme(how)     -> { box(frame), crumb(frame), legend, text, scale }
 *     how: { mode, tree, names, colours (profile.js), settings, dark, safe, delta, by };
 *     delta is the result of layers.delta for the same by.  box and crumb give "#rrggbb"; crumb uses few colours.
 *     legend: [["#rrggbb", "label"], ...]; [] if the scheme has none.  scale: null, or the meaning of the
 *     legend, which is a gradient ("self, share of all").  text: colour of labels on
 *     the frames, in dark themes too.
 *     safe: whether to use colours that colour-blind people can tell apart.
 * safeColour(rgb) -> the safe colour nearest to rgb, a colour from C, with the same lightness
 * isSafe(mode)    -> whether a mode's colours are always safe, because they go from light to dark
 * kindOf, moduleOf -> see module.js
 * searchColours(settings) -> Array of "#rrggbb": a colour for each search; after the last comes the first again
 * contrast(a, b)  -> 1 .. 21 (WCAG 2.1)
 * readable(rgb)   -> "#000000" or "#ffffff", whichever has more contrast with rgb
 * Black text on any colour made here has a contrast of at least 4.5. */
pyrograph.colour = (function () {
	'use strict';

	const { KINDS, kindOf, moduleOf } = pyrograph.module, DELTA = pyrograph.layers.KINDS;
	const TEXT = '#000000', STEPS = 8, MODULES_MAX = 11;

	/* Colours by kind, in the order of KINDS; safe: chosen after Okabe and Ito. */
	const KIND_COLOURS = {
		plain: ['#f0a04b', '#8fcf6b', '#6fcfc4', '#c7b0e8', '#8fb4ea', '#b5d95f', '#efd550',
			'#f0907f', '#c8c8c8', '#b4b4b4'],
		safe: ['#e69f00', '#2fb38a', '#8fd6c0', '#cc79a7', '#9ab6e0', '#56b4e9', '#f0e442',
			'#e5803a', '#c8c8c8', '#b4b4b4'],
	};
	const MODULE_COLOURS = {
		plain: ['#f0907f', '#8fb4ea', '#8fcf6b', '#efd550', '#c7b0e8', '#6fcfc4', '#f0a04b',
			'#f2a7cf', '#b8c95a', '#a9c4b4', '#d4b08c'],
		safe: ['#e69f00', '#56b4e9', '#2fb38a', '#f0e442', '#cc79a7', '#e5803a', '#9ab6e0',
			'#8fd6c0', '#d9b3ff', '#c2b280', '#f7b6a5'],
	};
	const OTHER = '#c8c8c8';
	const SEARCHES = ['#e600e6', '#00c2d1', '#7fd93b', '#8f9dff', '#f48fd0', '#5ce0b0'];

	/* Colours from little to much, in steps that look equally large. */
	const RAMPS = {
		heat: { light: ['#f3efe2', '#f7c98b', '#f0643c'], dark: ['#9c9a94', '#e3b072', '#f0643c'] },
		levels: { light: ['#f6e8a6', '#9fd3a8', '#5fa3d8'], dark: ['#d8cc90', '#8cc09a', '#5fa3d8'] },
	};
	/* Used unless the settings have their own colours for this (diff.c). */
	const HUES = { grew: ['#ffd6d6', '#ff5a5a'], shrank: ['#d6d6ff', '#6c6cff'], new: '#ffb52e',
		gone: '#3fbfae', same: '#ececec' };
	const SAFE_HUES = { grew: ['#ffe3c2', '#e88a1a'], shrank: ['#d3e8f8', '#4aa3e0'], new: '#f0e442',
		gone: '#00a57a', same: '#ececec' };
	/* [degrees, the colour that stands for hues from these degrees on]; chosen after Okabe and Ito. */
	const SAFE = [[0, '#e0703a'], [16, '#e69f00'], [46, '#f0e442'], [70, '#2fb38a'], [165, '#8fd6c0'],
		[195, '#56b4e9'], [255, '#cc79a7'], [345, '#e0703a']];
	const CRUMB_STEPS = 3, BETWEEN = 256, STRENGTHS = 720720;
	const STOPS = ['#5b8fd6', '#7bb2c4', '#a5c89a', '#d3d864', '#fdea45'];
	const DARK = { same: '#9c9c9c', root: '#9aa0a8', weak: 0.2 };

	/* ---- colours ---- */

	const { parts, mix, contrast, readable } = pyrograph.contrast;

	/* The colour at share, in [0, 1], of the way through a ramp. */
	function along(ramp, share) {
		const at = Math.max(0, Math.min(1, share)) * (ramp.length - 1);
		const step = Math.min(Math.floor(at), ramp.length - 2);

		return mix(ramp[step], ramp[step + 1], at - step);
	}

	/* Returns [degrees, 0 .. 1 from grey to pure, 0 .. 1 from dark to light]. */
	function hueOf(rgb) {
		const [r, g, b] = parts(rgb), most = Math.max(r, g, b), least = Math.min(r, g, b);
		const span = most - least || 1;
		const sixth = most === r ? (g - b) / span + 6 : most === g ? (b - r) / span + 2 : (r - g) / span + 4;

		return [sixth % 6 * 60, (most - least) / (most || 1), (most + least) / 510];
	}

	const safeOnes = new Map();

	function safeColour(rgb) {
		if (!safeOnes.has(rgb)) {
			const [hue, purity, light] = hueOf(rgb);
			const base = SAFE.filter(([from]) => from <= hue).pop()[1];

			safeOnes.set(rgb, purity < 0.12 ? rgb : mix(base, '#ffffff',
				Math.max(0, Math.min(light - 0.4, 0.5))));
		}
		return safeOnes.get(rgb);
	}

	/* Makes a scheme from a ramp; shareOf(frame) is in [0, 1], or NaN. */
	function gradient(ramp, shareOf, legend, scale) {
		const steps = Array.from({ length: 16 * STEPS + 1 }, (unused, i) => along(ramp, i / 16 / STEPS));
		const at = (share, grain) => isNaN(share) ? OTHER :
			steps[Math.round(Math.max(0, Math.min(1, share)) * (steps.length - 1) / grain) * grain];

		return {
			box: (frame) => at(shareOf(frame), 1),
			crumb: (frame) => at(shareOf(frame), 16),
			legend: legend.map((label, i) => [along(ramp, i / (legend.length - 1)), label]),
			scale: scale,
		};
	}

	/* ---- schemes ---- */

	const theme = (how) => how.dark ? 'dark' : 'light';
	const palette = (how, colours) => how.safe ? colours.safe : colours.plain;
	const percent = (share) => pyrograph.number.percentText(share, 1);

	function byName(how) {
		const { colours, tree, settings } = how, seen = how.safe ? safeColour : (colour) => colour;

		if (settings.diffusion)
			return byWidth(how);
		return {
			box: (frame) => seen(colours[2 * tree.name[frame]]),
			crumb: (frame) => seen(colours[2 * tree.name[frame] + 1]),
			legend: settings.waits || settings.wall || (settings.mode && settings.mode !== 'plain') ? []
				: settings.legend || [],
			scale: null,
		};
	}

	/* Like --colordiffusion: the wider a frame, the redder. */
	function byWidth(how) {
		const { tree } = how, whole = tree.total[0] || 1;
		const colour = (share) => {
			const rest = 100 + Math.floor(150 * (1 - Math.sqrt(share)));

			return '#ff' + rest.toString(16) + rest.toString(16);
		};

		return { box: (frame) => colour(tree.total[frame] / whole), crumb: () => colour(0),
			legend: [], scale: null };
	}

	/* Gives the root a colour of its own, because "all" is not a function. */
	function withRoot(made, how) {
		const { tree, settings } = how, box = made.box;
		const colour = how.dark ? DARK.root : settings.rootColour || OTHER;

		if (settings.whole && tree.name[0] === pyrograph.profile.decoded(tree).name[0])
			made.box = (frame) => frame ? box(frame) : colour;
		made.text = TEXT;
		return made;
	}

	/* A scheme in which each name has one colour of a list; the legend is in the order of the labels. */
	function listed(how, colourOf, legend) {
		const { tree } = how, edge = how.dark ? '#303030' : '#ffffff';
		const pale = colourOf.map((colour) => mix(colour, edge, how.dark ? 0.15 : 0.35));

		return {
			box: (frame) => colourOf[tree.name[frame]],
			crumb: (frame) => pale[tree.name[frame]],
			legend: legend,
			scale: null,
		};
	}

	function selfByName(tree, count) {
		const self = new Float64Array(count), own = pyrograph.profile.ownSelf(tree);

		for (let i = 0; i < tree.count; i++)
			self[tree.name[i]] += own[i];
		return self;
	}

	function byKind(how) {
		const colours = palette(how, KIND_COLOURS), kinds = how.names.map(kindOf);
		const used = new Set();

		how.tree.name.forEach((n) => used.add(kinds[n]));

		return listed(how, kinds.map((kind) => colours[KINDS.indexOf(kind)]),
			KINDS.filter((kind) => used.has(kind)).map((kind) => [colours[KINDS.indexOf(kind)], kind]));
	}

	function hash(text) {
		let h = 0x811c9dc5;

		for (let i = 0; i < text.length; i++)
			h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
		return h >>> 0;
	}

	/* Each of the largest modules has a colour of its own: that of the hash of its name, unless another module has
	 * this colour. */
	function byModule(how) {
		const self = selfByName(how.tree, how.names.length), modules = how.names.map(moduleOf);
		const values = new Map(), chosen = new Map(), colours = palette(how, MODULE_COLOURS);

		modules.forEach((module, n) => values.set(module, (values.get(module) || 0) + self[n]));
		const largest = Array.from(values).filter((entry) => entry[1] > 0)
			.sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
		const taken = new Set();

		for (const [module] of largest.slice(0, MODULES_MAX)) {
			let at = hash(module) % colours.length;

			while (taken.has(at))
				at = (at + 1) % colours.length;
			taken.add(at);
			chosen.set(module, colours[at]);
		}
		const legend = largest.slice(0, MODULES_MAX).map(([module]) => [chosen.get(module), module]);

		return listed(how, modules.map((module) => chosen.get(module) || OTHER),
			largest.length > MODULES_MAX ? legend.concat([[OTHER, 'other']]) : legend);
	}

	function byDepth(how) {
		const { tree } = how, deepest = tree.depth.reduce((most, depth) => Math.max(most, depth), 1);

		return gradient(RAMPS.levels[theme(how)], (frame) => tree.depth[frame] / deepest,
			['1', String(Math.ceil(deepest / 2) + 1), String(deepest + 1)], 'level');
	}

	function bySelf(how) {
		const { tree } = how, whole = tree.total[0] || 1, self = pyrograph.profile.ownSelf(tree);
		const most = self.reduce((largest, value) => Math.max(largest, value), 0) || 1;

		return gradient(RAMPS.heat[theme(how)], (frame) => Math.sqrt(self[frame] / most),
			['0 %', percent(most / 4 / whole), percent(most / whole)], 'self, share of all');
	}

	/* The same as colour_between() in C: a colour from a (part 0) to b (part == whole), rounded down. */
	function between(a, b, part, whole) {
		const [x, y] = [parts(a), parts(b)];

		return '#' + x.map((v, i) => Math.floor((v * (whole - part) + y[i] * part) / whole)
			.toString(16).padStart(2, '0')).join('');
	}

	function byDelta(how) {
		const { change, kind, largest } = how.delta, { settings } = how;
		const hues = how.safe ? SAFE_HUES : settings.deltaHues || HUES, same = how.dark ? DARK.same : hues.same;
		/* the weaker a change, the nearer its colour is to that of no change, in dark themes as well */
		const ends = (pale, strong) => [how.dark ? mix(same, strong, DARK.weak) : pale, strong];
		const grew = ends(...hues.grew), shrank = ends(...hues.shrank);
		const itself = how.by === 'self' ? ' (itself)' : '';
		const hue = (frame, part, whole) => between(...(kind[frame] === DELTA.GREW ? grew : shrank), part,
			whole);
		const colour = (frame, strength) => kind[frame] === DELTA.SAME ? same :
			kind[frame] === DELTA.NEW ? hues.new : kind[frame] === DELTA.GONE ? hues.gone :
				strength(frame, Math.floor(Math.min(Math.abs(change[frame]) / largest, 1) *
					STRENGTHS + 0.5));

		return {
			box: (frame) => colour(frame, (f, part) => hue(f, part, STRENGTHS)),
			crumb: (frame) => colour(frame, (f, part) => hue(f,
				2 * Math.floor(part * (CRUMB_STEPS - 1) / STRENGTHS) + 1, 2 * CRUMB_STEPS)),
			legend: [[grew[0], ''], [grew[1], 'grew' + itself], [shrank[0], ''],
				[shrank[1], 'shrank' + itself], [hues.new, 'new'], [hues.gone, 'gone'],
				[same, (settings.chance ? 'within chance, or unchanged' : 'unchanged') +
					(settings.threshold ? ' (by less than ' +
					Number((100 * settings.threshold).toPrecision(6)) + ' %)' : '')]],
			scale: null,
		};
	}

	/* The same colours as in metrics.c. */
	function byMetric(how) {
		const { metric } = how.settings, stops = metric.stops || STOPS, none = metric.none || OTHER;
		const { ratio, low, high } = pyrograph.layers.metric(how.tree, how.settings);
		const isShare = metric.above === undefined ? !metric.colour.includes('/') :
			metric.below === undefined;
		const text = (value) => isShare ? pyrograph.number.percentText(Math.floor(value * 1e9 + 0.5), 1e9) :
			String(Number(value.toPrecision(4)));
		const place = (frame, steps) => Math.floor(steps * Math.max(0, Math.min(1,
			high > low ? (ratio[frame] - low) / (high - low) : 0.5)));

		return {
			box: (frame) => {
				const at = place(frame, BETWEEN * (stops.length - 1)), step = Math.floor(at / BETWEEN);

				return isNaN(ratio[frame]) ? none : step >= stops.length - 1 ? stops[step] :
					between(stops[step], stops[step + 1], at % BETWEEN, BETWEEN);
			},
			crumb: (frame) => isNaN(ratio[frame]) ? none :
				stops[Math.min(place(frame, stops.length), stops.length - 1)],
			legend: stops.map((stop, i) => [stop, 2 * i % (stops.length - 1) ? '' :
				text(low + (high - low) * i / (stops.length - 1))])
				.concat(ratio.some(isNaN) ? [[none, 'unknown']] : []),
			scale: metric.colour,
		};
	}

	/* By frame: 1 + the number of its kind of wait; 0: none (waits.h). */
	function waitKinds(tree, names, waits) {
		const kinds = new Uint8Array(tree.count), ofName = names.map((name) =>
			1 + waits.findIndex(([frame]) => frame === name));

		for (let i = 1; i < tree.count; i++)
			kinds[i] = ofName[tree.name[i]] || kinds[tree.parent[i]];
		return kinds;
	}

	/* The same colours as in waits.c.  Merged from the leaves, a frame can belong to stacks of several kinds. */
	function byWait(how) {
		const { tree, colours, settings: { waits } } = how, plain = byName(how);
		const kinds = tree.turned ? new Uint8Array(tree.count) : waitKinds(tree, how.names, waits);
		const seen = how.safe ? safeColour : (colour) => colour;
		const shaded = (kind, shade) => seen(between(waits[kind - 1][2], '#ffffff', shade, 16));
		const shadeOf = (frame) => parts(colours[2 * tree.name[frame]]).reduce((sum, part) => sum + part) % 4;
		const used = new Set(kinds);

		return {
			box: (frame) => kinds[frame] ? shaded(kinds[frame], shadeOf(frame)) : plain.box(frame),
			crumb: (frame) => kinds[frame] ? shaded(kinds[frame], 6) : plain.crumb(frame),
			legend: waits.filter((wait, i) => used.has(i + 1)).map(([, label, colour]) =>
				[seen(colour), label]),
			scale: null,
		};
	}

	const WALL_SAFE = ['#e5803a', '#f0e442', '#56b4e9'], WALL_PARTS = 256, WALL_CRUMB_PARTS = 4;

	/* The kind of time (known.js) by frame; null for the callers of a function, which do not show it. */
	function wallTimes(tree, names) {
		const sums = [0, 1, 2].map(() => new Float64Array(tree.count)), kinds = new Uint8Array(tree.count);
		const ofName = names.map(pyrograph.known.wallKind);

		if (tree.turned && tree.name[0] !== pyrograph.profile.decoded(tree).name[0])
			return null;
		for (let i = 1; i < tree.count; i++)
			kinds[i] = ofName[tree.name[i]] || kinds[tree.parent[i]];
		for (let i = tree.count - 1; i >= 0; i--) {
			let own = tree.total[i];

			for (let c = i + 1; c < tree.end[i]; c = tree.end[c])
				own -= tree.total[c];
			sums[kinds[i]][i] += own;
			for (const sum of i ? sums : [])
				sum[tree.parent[i]] += sum[i];
		}
		return sums;
	}

	/* The same colours as in waits.c. */
	function byWall(how) {
		const { tree, colours, settings: { wall } } = how, times = wallTimes(tree, how.names);
		const hues = wall.map(([, colour], k) => parts(how.safe ? WALL_SAFE[k] : colour));

		if (!times)
			return byName(how);
		function mixture(frame, whole, shade) {
			const part = times.map((time) => Math.floor(time[frame] * whole / (tree.total[frame] || 1)));

			part[0] = whole - part[1] - part[2];
			return between('#' + [0, 1, 2].map((c) => Math.floor(part.reduce((sum, n, k) =>
				sum + n * hues[k][c], 0) / whole).toString(16).padStart(2, '0')).join(''), '#ffffff',
			shade, 16);
		}
		const shadeOf = (frame) => parts(colours[2 * tree.name[frame]]).reduce((sum, n) => sum + n) % 4;

		return {
			box: (frame) => mixture(frame, WALL_PARTS, shadeOf(frame)),
			crumb: (frame) => mixture(frame, WALL_CRUMB_PARTS, 6),
			legend: wall.map(([label, colour], k) => [how.safe ? WALL_SAFE[k] : colour, label])
				.filter((entry, k) => times[k][0]),
			scale: null,
		};
	}

	const SCHEMES = { wait: byWait, wall: byWall, name: byName, rules: byName, kind: byKind, module: byModule,
		depth: byDepth, self: bySelf, diff: byDelta, metric: byMetric };

	function scheme(how) {
		const can = how.mode === 'diff' ? how.delta : how.mode === 'metric' ? how.settings.metric
			: how.mode === 'wait' ? how.settings.waits : how.mode === 'wall' ? how.settings.wall : true;

		return withRoot((can && SCHEMES[how.mode] || byName)(how), how);
	}

	function modes(settings) {
		const plain = !settings.mode || settings.mode === 'plain';
		const drawn = plain && settings.legend && !settings.waits && !settings.wall;
		const all = [{ mode: 'name', label: drawn ? 'As drawn' : 'Name' },
			{ mode: 'kind', label: 'Kind' }, { mode: 'module', label: 'Module' },
			{ mode: 'depth', label: 'Depth' }, { mode: 'self', label: 'Self share' }];

		if (settings.mode === 'diff' || settings.mode === 'multiples')
			all.push({ mode: 'diff', label: 'Difference' });
		if (settings.waits)
			all.unshift({ mode: 'wait', label: 'Kind of wait' });
		if (settings.wall)
			all.unshift({ mode: 'wall', label: 'Hot and cold' });
		if (settings.metric)
			all.push({ mode: 'metric', label: settings.metric.colour });
		return all;
	}

	function searchColours(settings) {
		const first = settings.searchColour || SEARCHES[0];

		return [first].concat(SEARCHES.filter((colour) => colour !== first));
	}

	const isSafe = (mode) => ['metric', 'depth', 'self'].includes(mode);

	return { modes, scheme, searchColours, safeColour, isSafe, contrast, readable, kindOf, moduleOf };
})();
