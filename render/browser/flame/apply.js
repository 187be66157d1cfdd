/* apply: a whole view's tree; part of pyrograph.transform.
 *
 * apply(tree, names, view, how) -> { tree, whole, names, error }: applies a whole view in this
 *     order: diff, position, span (layers.js); wall; variants, generated, unnamed; recursion; quiet, mine; filters;
 *     sandwich, or reversed with zoom; order.  Other members of the view (address.js) are
 *     ignored.  names: the returned array has the same numbers, but new texts for names that were
 *     merged (generated): look texts up there.  The tree of each step is kept until the part of the view
 *     that makes this step changes.  error: null, or what is wrong with a filter ("Not a regular expression: (").
 *     how: { least: the share of the root that can be seen, e.g. 0.1 / 1200; settings }.
 *     The view's callersZoom (an Array of names) is the path, as in reverse, for a sandwich's callers.
 *     whole: the tree before the sandwich; shares refer to its total.
 *     A sandwich gives { tree: its callees, callers: the tree of its callers }; both are null
 *     if the function does not occur.  If no values are left, the tree is a root of value 0.
 *
 * filter(tree, names, filters) -> { tree, error }; the filters are applied in order, each { kind, pattern,
 *     exact, ignoreCase, path, reversed }; pattern is a regular expression, or a whole name if exact:
 *       "hide"     frames that match vanish; their children move to the parent, where equal names merge
 *       "only"     all other frames vanish ("hide everything but")
 *       "exclude"  stacks with a match are left out
 *       "include"  stacks without a match are left out
 *       "drop"     the subtree at path (transform.pathOf) is left out; reversed: true:
 *                  path belongs to a tree merged from the leaves */
(function () {
	'use strict';

	const S = pyrograph.search, T = pyrograph.transform, K = pyrograph.known, LEAST = 0.1 / 1200;

	/* Returns a function that gives the number of the name in a path's step. */
	const numberOf = (names) => (step) => {
		const found = names.indexOf(T.nameOfStep(step));

		return found >= 0 ? found : names.indexOf(step);
	};

	function dropOne(tree, names, f) {
		if (f.reversed)
			return T.dropReversed(tree, f.path.map(numberOf(names)));
		const { frame, whole } = T.frameOfPath(tree, names, f.path);

		if (!whole && !T.frameOfPath(pyrograph.profile.decoded(tree), names, f.path).whole)
			throw new SyntaxError('Not in this profile: ' + f.path.join(' \u203a '));
		return whole && frame ? T.drop(tree, frame) : tree;
	}

	function filterOne(tree, names, f) {
		if (f.kind === 'drop')
			return dropOne(tree, names, f);
		if (f.exact && !names.includes(f.pattern))
			throw new SyntaxError('Not in this profile: ' + f.pattern);
		const { match, error, waits } = f.exact ? { match: S.matcherExact(names, f.pattern) } :
			S.matcher(names, f.pattern, f.ignoreCase);
		const change = { hide: () => T.hide(tree, names, match), only: () => T.only(tree, names, match),
			exclude: () => T.exclude(tree, match), include: () => T.include(tree, match) }[f.kind];

		if (waits)
			throw Object.assign(new SyntaxError('Searching: ' + f.pattern), { waits: true });
		if (error)
			throw new SyntaxError(error);
		return match && change ? change() : tree;
	}

	function filter(tree, names, filters) {
		let error = null;

		for (const f of filters) {
			try {
				tree = filterOne(tree, names, f);
			} catch (e) {
				if (!(e instanceof SyntaxError))
					throw e;
				error = error || e.message;
			}
		}
		return { tree: tree, error: error };
	}

	const matching = (names, test) => Uint8Array.from(names, (name) => test(name) ? 1 : 0);

	/* The steps that change the tree, in order: [the key that identifies the step, the function that does
	 * it]. */
	function stepsOf(names, view, how) {
		const steps = [], least = how.least || LEAST;
		const step = (key, make) => steps.push([JSON.stringify(key), make]);
		const what = pyrograph.layers.wanted(view);

		if (what)
			step(['layers', what], (tree) => pyrograph.layers.view(tree, how.settings, what));
		if (view.wall && how.settings && how.settings.wall)
			step(['wall', view.wall], (tree) => (view.wall === 'on' ? T.exclude : T.include)(tree,
				matching(names, K.wallKind)));
		if (view.variants || view.generated || view.unnamed)
			step(['variants', view.variants, view.generated, view.unnamed], (tree) =>
				T.mergeVariants(tree, names, { annotations: view.variants,
					generated: view.generated, unnamed: view.unnamed }));
		if (view.recursion)
			step(['recursion', view.recursion], (tree) => T.foldRecursion(tree, names, view.recursion));
		if (view.quiet)
			step(['quiet'], (tree) => T.exclude(tree, matching(names, K.isMeasuring)));
		if (view.mine) {
			step(['mine'], (tree) => {
				const isMine = K.mineOf(names);

				return T.hide(tree, names, matching(names, (name) => !isMine(name)));
			});
		}
		for (const f of view.filters || [])
			step(['filter', f], (tree) => filterOne(tree, names, f));
		if (view.sandwich === null || view.sandwich === undefined) {
			const path = (view.zoom || []).map(numberOf(names));

			if (view.reversed)
				step(['reverse', path, least], (tree) => T.reverse(tree, names, { least, path }));
			const drawn = how.settings && how.settings.order || 'name', by = view.order || drawn;

			if (by !== drawn || (by !== 'name' && steps.length))
				step(['order', by], (tree) => T.order(tree, names, by));
		}
		return steps;
	}

	const done = new WeakMap(); /* tree -> the steps of the last view applied to it: [[key, tree], ...] */

	function run(tree, steps) {
		const before = done.get(tree) || [], now = [];
		let same = true, error = null, at = tree;

		steps.forEach(([key, make], i) => {
			same = same && before[i] !== undefined && before[i][0] === key && !before[i][3];
			if (same) {
				now.push(before[i]);
			} else {
				const result = attempt(make, at);

				now.push([key, result.tree, result.error, result.waits]);
			}
			at = now[i][1];
			error = error || now[i][2];
		});
		done.set(tree, now);
		return { tree: at, error: error };
	}

	function attempt(make, tree) {
		try {
			return { tree: make(tree), error: null };
		} catch (e) {
			if (!(e instanceof SyntaxError))
				throw e;
			return { tree: tree, error: e.message, waits: e.waits };
		}
	}

	const sandwiches = new WeakMap(); /* tree -> the last sandwich made from it, and the key of that sandwich */

	function sandwich(tree, names, view, how) {
		const by = view.order || how.settings && how.settings.order || 'name';
		const name = names.indexOf(view.sandwich), least = how.least || LEAST;
		const path = (how.callersZoom || view.callersZoom || []).map(numberOf(names));
		const key = JSON.stringify([name, by]), callersKey = JSON.stringify([key, least, path]);
		const inOrder = (made) => made && by !== 'name' ? T.order(made, names, by) : made;
		const before = sandwiches.get(tree) || {};

		if (before.callersKey === callersKey)
			return before;
		const made = { key: key, callersKey: callersKey,
			tree: before.key === key ? before.tree : inOrder(T.callees(tree, names, name)),
			callers: inOrder(T.callers(tree, names, name, { least, path })) };

		sandwiches.set(tree, made);
		return made;
	}

	function apply(tree, baseNames, view, how = {}) {
		const names = T.shownNames(baseNames, view);
		const result = run(tree, stepsOf(names, view, how));

		if (view.sandwich === null || view.sandwich === undefined)
			return { tree: result.tree, whole: result.tree, names: names, error: result.error };
		const made = sandwich(result.tree, names, view, how);

		return { tree: made.tree, callers: made.callers, whole: result.tree, names: names,
			error: result.error };
	}

	Object.assign(T, { filter, apply });
})();
