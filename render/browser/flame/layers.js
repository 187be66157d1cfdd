/* layers: profiles with several layers of values: differentials, animations, two metrics.
 * The tree of each view keeps the values of all layers (profile.layerTotal).
 *
 * view(tree, settings, what) -> tree; what:
 *     { show: "union" }                 as decoded
 *     { show: "base" | "new" }          one side, as recorded
 *     { show: "gone" }                  only frames that the new side lacks
 *     { show: "added" }                 only frames that the base lacks
 *     { layers: [first, last] }         the sum of a range of layers
 *     { layer: k }                      one layer (a window of the animation, or an event)
 * wanted(view)              -> what, for a view (address.js); null: as decoded
 * CHANCE_Z                  the z of changes that happen by chance in one of a hundred cases (diff.h)
 * delta(tree, by, threshold, side, sides, sign, z) -> { value, change, kind, largest }, as diff.h:
 *     change: Float64Array by frame: the new side less the base, both scaled so that they can be
 *     compared; by: "total" or "self"; largest: the largest absolute change of any frame except the
 *     root, 1 if there is none; value: change / largest in [-1, 1], 0 where kind is SAME.
 *     kind: Uint8Array of KINDS: SAME (the change is below threshold, a share of the whole: noise),
 *     GREW, SHRANK, NEW, GONE; NEW and GONE depend on the frame's total.
 *     side: the layer of the new side, default 1.  side 0 is for the base's own panel: a frame is GONE
 *     if no other layer has it, else SAME.  sides: the layers over which largest is taken.
 *     sign: -1 exchanges grew and shrank (--negate).  z: changes within chance are SAME, too; 0: none is
 * chanceTest(tree, side, z) -> function(base, new): whether the difference of two recorded values is within chance
 * pair(tree, frame, by, side) -> { base, new, scaledBase, scaledNew }: values as
 *     recorded, and as scaled for the comparison
 * change(settings, whole, pair, side, wholes) -> { change, relative }: the words of diff_tip():
 *     change "+12.34 points" if both profiles are scaled to the same total, "+12 samples" if
 *     values are not scaled, else "+12.34% of all"; relative "+50.00%", "new", "gone", "within chance", "".
 *     whole: the value of 100 %; wholes: the totals of base and side in it
 * metric(tree, settings)     -> { ratio, low, high }: Float64Array by frame, NaN where the
 *     denominator is 0; of settings.metric.colour, which is "a/b" with the names of two layers, or
 *     "a": the frame's share of the total of a
 * valuesOf(tree, frame)      -> Array by layer: the frame's total as recorded
 * origins(tree, frame)       -> Uint8Array by frame of the decoded tree: 1 if its self value is part of
 *     the total of frame
 * windows(settings)          -> Array of { start, end }: the wall-clock times of each animation layer:
 *     "2026-11-21T10:15:02.000000000Z" */
pyrograph.layers = (function () {
	'use strict';

	const P = pyrograph.profile, N = pyrograph.number;
	const KINDS = { SAME: 0, GREW: 1, SHRANK: 2, NEW: 3, GONE: 4 };
	const BASE = 0, NEW = 1;
	const CHANCE_Z = 2.575829;
	const ROUNDING = 1e-12; /* a smaller share is only the rounding of doubles */

	/* ---- views ---- */

	function wanted(view) {
		if (view.diff && view.diff.show && view.diff.show !== 'union')
			return { show: view.diff.show };
		if (view.position !== null && view.position !== undefined)
			return { layer: view.position };
		return view.span ? { layers: view.span } : null;
	}

	/* The values of a layer in those frames that the other layer does not have. */
	function alone(tree, layer, other) {
		const total = P.layerTotal(tree, other);

		return P.layerSelf(tree, layer).map((value, i) => total[i] ? 0 : value);
	}

	/* By frame, the sums of the layers first .. last. */
	function range(tree, first, last) {
		const self = new Float64Array(tree.count);

		if (tree.layers) { /* one pass for all layers, instead of one for each */
			const { at, layer, value } = tree.layers;

			for (let i = 0; i < tree.count; i++) {
				for (let k = at[i]; k < at[i + 1]; k++) {
					if (layer[k] >= first && layer[k] <= last)
						self[i] += Math.floor(P.scaled(tree, layer[k], value[k]));
				}
			}
			return self;
		}
		for (let layer = first; layer <= last; layer++)
			P.layerSelf(tree, layer).forEach((value, i) => {
				self[i] += Math.floor(P.scaled(tree, layer, value));
			});
		return self;
	}

	function selfOf(tree, what) {
		if (what.layers)
			return range(tree, what.layers[0], what.layers[1]);
		if (what.layer !== undefined)
			return P.layerSelf(tree, what.layer);
		return {
			base: () => P.layerSelf(tree, BASE), new: () => P.layerSelf(tree, NEW),
			gone: () => alone(tree, BASE, NEW), added: () => alone(tree, NEW, BASE),
		}[what.show]();
	}

	function view(tree, settings, what) {
		const known = what.show === undefined || ['base', 'new', 'gone', 'added'].includes(what.show);

		return P.decoded(tree).layers && known ? pyrograph.transform.reweigh(tree, selfOf(tree, what)) : tree;
	}

	/* ---- differentials ---- */

	function valuesBy(by) {
		return by === 'self' ? P.layerOwnSelf : P.layerTotal;
	}

	/* By frame: 1 if a layer other than the base also has the frame. */
	function inAnother(tree) {
		const found = new Uint8Array(tree.count), { count } = P.decoded(tree).layers;

		for (let layer = 1; layer < count; layer++) {
			const total = P.layerTotal(tree, layer);

			for (let i = 0; i < found.length; i++)
				found[i] = total[i] ? 1 : found[i];
		}
		return found;
	}

	/* Changes by frame: side minus base.  For side BASE: 0 if another layer has the frame, else minus the base's
	 * value. */
	function changes(tree, by, side, sign) {
		const base = P.scaledAll(tree, BASE, valuesBy(by)(tree, BASE));
		const fresh = side === BASE ? null : P.scaledAll(tree, side, valuesBy(by)(tree, side));
		const others = fresh ? null : inAnother(tree), changed = new Float64Array(tree.count);

		for (let i = 0; i < changed.length; i++)
			changed[i] = sign * (fresh ? fresh[i] - base[i] : others[i] ? 0 : -base[i]);
		return changed;
	}

	function largestOf(changed) {
		let largest = 0;

		for (let i = 1; i < changed.length; i++)
			largest = Math.max(largest, Math.abs(changed[i]));
		return largest;
	}

	/* The larger of the two totals of the whole profile. */
	function wholeOf(tree, side) {
		const all = P.decoded(tree), of = (layer) => P.scaled(all, layer, P.layerTotal(all, layer)[0]);

		return Math.max(of(BASE), of(side));
	}

	/* The same as is_chance() of diff.c, in the same order. */
	function chanceTest(tree, side, z) {
		const all = P.decoded(tree), [num0, den0] = (all.scales || [])[BASE] || [1, 1];
		const [num1, den1] = (all.scales || [])[side] || [1, 1], rho = (num0 / den0) / (num1 / den1);
		const [n0, n1] = [BASE, side].map((layer) => P.layerTotal(all, layer)[0]);
		const [all0, all1] = [P.scaled(all, BASE, n0), P.scaled(all, side, n1)];
		const shares = Math.abs(all0 - all1) <= ROUNDING * Math.max(all0, all1);
		let one = 1;

		for (let i = 0; i < all.decimals; i++)
			one *= 10;
		return (base, fresh) => {
			let x0 = base / one, x1 = fresh / one, share = 0;

			if (shares) {
				share = (x0 + x1) / (n0 / one + n1 / one);
				if (share > 0.5) {
					share = 1 - share;
					x0 = n0 / one - x0;
					x1 = n1 / one - x1;
				}
			}
			return 2 * Math.abs(Math.sqrt(x1 + 0.375) - Math.sqrt(rho * (x0 + 0.375))) /
				Math.sqrt(1 + rho) / Math.sqrt(1 - share) < z;
		};
	}

	/* By frame: whether the change is within chance. */
	function chances(tree, by, side, z) {
		const isChance = chanceTest(tree, side, z), base = P.layerTotal(tree, BASE);
		const others = side === BASE ? inAnother(tree) : null;
		const fresh = others ? base.map((value, i) => others[i] ? value : 0) : P.layerTotal(tree, side);
		const selfs = by === 'self' && !others ? [BASE, side].map((layer) => P.layerOwnSelf(tree, layer))
			: null;

		return (i) => selfs && base[i] && fresh[i] ? isChance(selfs[0][i], selfs[1][i])
			: isChance(base[i], fresh[i]);
	}

	function kinds(tree, changed, side, noise, isChance) {
		const base = P.layerTotal(tree, BASE), kind = new Uint8Array(tree.count);
		const fresh = side === BASE ? inAnother(tree) : P.layerTotal(tree, side);

		for (let i = 0; i < kind.length; i++) {
			if (isChance(i))
				kind[i] = KINDS.SAME;
			else if (!base[i])
				kind[i] = P.scaled(tree, side, fresh[i]) < noise ? KINDS.SAME : KINDS.NEW;
			else if (!fresh[i])
				kind[i] = P.scaled(tree, BASE, base[i]) < noise ? KINDS.SAME : KINDS.GONE;
			else if (Math.abs(changed[i]) < noise)
				kind[i] = KINDS.SAME;
			else
				kind[i] = changed[i] > 0 ? KINDS.GREW : KINDS.SHRANK;
		}
		return kind;
	}

	function delta(tree, by, threshold = 0, side = NEW, sides = [side], sign = 1, z = 0) {
		const changed = changes(tree, by, side, sign);
		const kind = kinds(tree, changed, side, Math.max(threshold, ROUNDING) * wholeOf(tree, side),
			z ? chances(tree, by, side, z) : () => false);
		const largest = sides.filter((other) => other !== BASE).reduce((most, other) =>
			Math.max(most, largestOf(other === side ? changed : changes(tree, by, other, sign))), 0) || 1;

		return {
			value: changed.map((change, i) => kind[i] === KINDS.SAME ? 0 :
				Math.max(-1, Math.min(1, change / largest))),
			change: changed, kind: kind, largest: largest,
		};
	}

	/* "+12.3", "0", "\u2212100" */
	function signed(percent) {
		const size = Math.abs(percent), hundredths = size < 9.995 ? Math.floor(size * 100 + 0.5)
			: Math.floor(size * 10 + 0.5) * 10;

		return !hundredths ? '0' : (percent > 0 ? '+' : '\u2212') +
			pyrograph.number.quantityText(hundredths, 100);
	}

	function change(settings, whole, values, side, wholes) {
		const { scaledBase, scaledNew } = pair(P.decoded(whole), 0, 'total', side);
		const shares = Math.abs(scaledNew - scaledBase) <= Math.max(scaledBase, scaledNew) * 1e-6 + 1;
		const plain = !settings.scales || [BASE, side].every((k) =>
			settings.scales[k][0] === settings.scales[k][1]);
		const before = shares ? values.base / wholes[0] || 0 : values.scaledBase;
		const after = shares ? values.new / wholes[1] || 0 : values.scaledNew;
		const grown = (settings.negate ? -1 : 1) * (after - before);
		const sign = grown > 0 ? '+' : grown < 0 ? '\u2212' : '';
		const differs = Math.abs(values.scaledNew - values.scaledBase) >
			ROUNDING * Math.max(scaledBase, scaledNew);
		const isChance = settings.chance && differs && chanceTest(whole, side, settings.chance)(values.base,
			values.new);

		return {
			change: shares ? signed(grown * 100) + ' points'
				: plain ? sign + N.valueText(settings, Math.abs(grown))
					: signed(grown / Math.max(whole.total[0], 1) * 100) + ' % of all',
			relative: isChance ? 'within chance' : !values.base ? values.new ? 'new' : ''
				: !values.new ? 'gone' : signed(grown / before * 100) + ' %',
		};
	}

	function pair(tree, frame, by, side = NEW) {
		const values = valuesBy(by), base = values(tree, BASE)[frame], fresh = values(tree, side)[frame];
		const scaledBase = P.scaled(tree, BASE, base), scaledNew = P.scaled(tree, side, fresh);

		return { base: base, new: fresh, scaledBase: scaledBase, scaledNew: scaledNew };
	}

	/* ---- several events ---- */

	/* "a/b" -> [a, b], "a" -> [a].  Names of layers may contain a "/" themselves. */
	function terms(text, settings) {
		const numberOf = (name) => settings.layers.findIndex((layer) => layer.name === name);

		for (let at = text.indexOf('/'); at >= 0; at = text.indexOf('/', at + 1)) {
			const pair = [numberOf(text.slice(0, at)), numberOf(text.slice(at + 1))];

			if (pair[0] >= 0 && pair[1] >= 0)
				return pair;
		}
		return numberOf(text) >= 0 ? [numberOf(text)] : null;
	}

	function metric(tree, settings) {
		const { colour, low = 0, high = 1, above, below } = settings.metric;
		const found = above === undefined ? terms(colour, settings) :
			below === undefined ? [above] : [above, below];

		if (!found)
			return { ratio: new Float64Array(tree.count).fill(NaN), low: low, high: high };
		const parts = P.layerTotal(tree, found[0]);
		const wholes = found.length > 1 ? P.layerTotal(tree, found[1]) : null;
		const all = P.layerTotal(P.decoded(tree), found[0])[0];

		return { low: low, high: high, ratio: parts.map((value, i) => {
			const whole = wholes ? wholes[i] : all;

			return whole ? value / whole : NaN;
		}) };
	}

	/* By frame of tree's base: 1 if its value went to a frame of tree whose mark is 1. */
	function contributors(tree, marks) {
		const from = tree.base, found = new Uint8Array(from.count);

		if (tree.picked) {
			tree.picked.forEach((frame, i) => {
				if (marks[i])
					found.fill(1, frame, from.end[frame]);
			});
			return found;
		}
		for (let s = 0; s < from.count; s++) {
			const to = tree.sent[s] >= 0 ? tree.sent[s] : -2 - tree.sent[s];

			if (tree.sent[s] !== -1 && marks[to])
				found.fill(1, s, tree.sends === 'total' ? from.end[s] : s + 1);
		}
		return found;
	}

	function origins(tree, frame) {
		let marks = new Uint8Array(tree.count).fill(1, frame, tree.end[frame]);

		for (; tree.base; tree = tree.base)
			marks = contributors(tree, marks);
		return marks;
	}

	function valuesOf(tree, frame) {
		const marks = origins(tree, frame);
		const { count, at, layer, value } = P.decoded(tree).layers, sums = new Array(count).fill(0);

		for (let i = 0; i < marks.length; i++) {
			for (let k = at[i]; marks[i] && k < at[i + 1]; k++)
				sums[layer[k]] += value[k];
		}
		return sums;
	}

	/* ---- time ---- */

	/* Writes nanoseconds since 1970 as "2026-11-21T10:15:02.000000000Z". */
	function wallClock(ns) {
		const second = ns / 1000000000n, rest = ns % 1000000000n;

		return new Date(Number(second) * 1000).toISOString().replace(/\.\d+Z$/, '.') +
			String(rest).padStart(9, '0') + 'Z';
	}

	function windows(settings) {
		const start = BigInt(settings.animate.start_ns), step = BigInt(settings.animate.step_ns);

		return settings.layers.map((unused, k) => ({ start: wallClock(start + BigInt(k) * step),
			end: wallClock(start + BigInt(k + 1) * step) }));
	}

	return { KINDS, CHANCE_Z, wanted, view, delta, chanceTest, pair, change, metric, valuesOf, origins, windows };
})();
