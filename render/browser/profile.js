/* profile: the whole profile that travels inside a flame graph.
 *
 * Decodes what encode.c wrote (encode.h has the format), and lays it out by the
 * rules of layout.c and font.c, so that the script draws what C drew. */
var pyrographProfile = (function () {
	'use strict';

	const FIRST_DIGIT = 63, NEWLINE = 10;

	function decodeNames(text, count) {
		const names = new Array(count);
		let before = '', at = 0;

		for (let i = 0; i < count; i++) {
			const end = text.indexOf('\n', at);
			const shared = text.charCodeAt(at) - FIRST_DIGIT;

			before = before.slice(0, shared) + text.slice(at + 1, end);
			names[i] = before;
			at = end + 1;
		}
		return names;
	}

	/* Two a name: [2 * name] is its colour, [2 * name + 1] that of its crumbs. */
	function decodeColours(text, count) {
		const colours = new Array(2 * count);

		for (let i = 0; i < 2 * count; i++) {
			let rgb = 0;

			for (let k = 0; k < 4; k++)
				rgb = rgb << 6 | (text.charCodeAt(4 * i + k) - FIRST_DIGIT);
			colours[i] = '#' + (rgb + 0x1000000).toString(16).slice(1);
		}
		return colours;
	}

	/* Frames in drawing order: the subtree of i is i .. end[i] - 1; total[i]
	 * counts from start[i] on; depth[0] is 0. */
	function decodeTree(text, count) {
		const tree = {
			count: count,
			name: new Uint32Array(count), parent: new Uint32Array(count),
			end: new Uint32Array(count), depth: new Uint32Array(count),
			start: new Float64Array(count), total: new Float64Array(count),
		};
		let at = 0, open = 0; /* open: the frame before, then its parents */

		function number() {
			let value = 0, scale = 1, group;

			do {
				group = text.charCodeAt(at++) - FIRST_DIGIT;
				value += (group & 31) * scale;
				scale *= 32;
			} while (group & 32);
			return value;
		}

		for (let i = 0; i < count; i++) {
			while (text.charCodeAt(at) === NEWLINE)
				at++;
			const first = number();

			for (let up = Math.floor(first / 2); up > 0; up--) {
				tree.end[open] = i;
				open = tree.parent[open];
			}
			tree.parent[i] = open;
			tree.depth[i] = i ? tree.depth[open] + 1 : 0;
			tree.name[i] = number();
			tree.total[i] = first % 2 ? number() : 0;
			open = i;
		}
		finishTree(tree, open);
		return tree;
	}

	/* total[] holds self values so far; close the frames still open. */
	function finishTree(tree, open) {
		const next = new Float64Array(tree.count); /* where the next child starts */

		for (; open; open = tree.parent[open])
			tree.end[open] = tree.count;
		tree.end[0] = tree.count;
		for (let i = tree.count - 1; i > 0; i--)
			tree.total[tree.parent[i]] += tree.total[i];
		for (let i = 1; i < tree.count; i++) {
			tree.start[i] = next[tree.parent[i]];
			next[tree.parent[i]] += tree.total[i];
			next[i] = tree.start[i];
		}
	}

	function self(tree, i) {
		let value = tree.total[i];

		for (let c = i + 1; c < tree.end[i]; c = tree.end[c])
			value -= tree.total[c];
		return value;
	}

	/* ---- layout (layout.c) ---- */

	const CPX = 100, STEP = 50, STEPS = 128, GAP = 100, PURE = 100, CRUMB_MIN = 20;

	function boxThreshold(tree, root, width, least, boxesMax) {
		const total = tree.total[root], counts = new Uint32Array(STEPS);
		const valueOf = (w) => Math.max(1, Math.floor(total * w / width));
		const floor = Math.max(least, valueOf(STEP));
		let sum = 0, step;

		for (let i = root; i < tree.end[root];) {
			if (tree.total[i] < floor) {
				i = tree.end[i];
				continue;
			}
			step = Math.floor(tree.total[i] * Math.floor(width / STEP) / total);
			counts[Math.min(step, STEPS - 1)]++;
			i++;
		}
		for (step = STEPS; step > 1; step--) {
			sum += counts[step - 1];
			if (sum > boxesMax)
				break;
		}
		return step > 1 ? Math.max(least, valueOf(step * STEP)) : floor;
	}

	/* How many rows, from root, hold boxesMax boxes. */
	function boxRows(tree, root, threshold, boxesMax) {
		const counts = [];
		let sum = 0, row = 0;

		for (let i = root; i < tree.end[root];) {
			if (tree.total[i] < threshold) {
				i = tree.end[i];
				continue;
			}
			const at = tree.depth[i++] - tree.depth[root];

			counts[at] = (counts[at] || 0) + 1;
		}
		for (; row < counts.length && sum + counts[row] <= boxesMax; row++)
			sum += counts[row];
		return Math.max(row, 1);
	}

	/* Lay out frame root and all below it in widthPx; returns
	 * { boxes: [{frame, row, x, w}], crumbs: [the same and colour], rows } in pixels.
	 * Crumbs are of one colour: crumbColour(frame); those of markColour are never
	 * mixed with others, nor left out. */
	function layout(tree, root, widthPx, minWidthPx, boxesMax, crumbColour, markColour) {
		const width = Math.floor(widthPx * CPX), total = tree.total[root];
		const least = Math.floor(total * Math.floor(minWidthPx * CPX) / width);
		const threshold = boxThreshold(tree, root, width, least, boxesMax);
		const limit = boxRows(tree, root, threshold, boxesMax);
		const xOf = (value) => Math.floor((value - tree.start[root]) * width / total);
		const boxes = [], crumbs = [], runs = [];
		let rows = 1;

		function place(frame, row, x0, x1, colour) {
			return { frame: frame, row: row, x: x0 / CPX, w: (x1 - x0) / CPX, colour: colour };
		}
		function flush(run) {
			if (run && (run.colour === markColour || run.x1 - run.x0 >= CRUMB_MIN))
				crumbs.push(place(run.frame, run.row, run.x0, run.x1, run.colour));
		}
		function joins(run, colour, x0) {
			if (!run || x0 - run.x1 >= GAP)
				return false;
			return run.colour === colour || (run.x1 - run.x0 < PURE &&
				run.colour !== markColour && colour !== markColour);
		}
		for (let i = root; i < tree.end[root];) {
			if (tree.total[i] < least && i !== root) {
				i = tree.end[i];
				continue;
			}
			const row = tree.depth[i] - tree.depth[root];
			const x0 = xOf(tree.start[i]), x1 = xOf(tree.start[i] + tree.total[i]);
			const run = runs[row], colour = crumbColour(i);

			rows = Math.max(rows, row + 1);
			if (tree.total[i] >= threshold && row < limit) {
				boxes.push(place(i, row, x0, x1, colour));
			} else if (joins(run, colour, x0)) {
				run.x1 = x1;
			} else {
				flush(run);
				runs[row] = { frame: i, row: row, x0: x0, x1: x1, colour: colour };
			}
			i++;
		}
		runs.forEach(flush);
		return { boxes: boxes, crumbs: crumbs, rows: rows };
	}

	/* The frame that covers value at depth, below or above any zoom; -1 if none. */
	function frameAt(tree, value, depth) {
		let i = 0;

		while (tree.depth[i] < depth) {
			let c = i + 1;

			while (c < tree.end[i] && tree.start[c] + tree.total[c] <= value)
				c = tree.end[c];
			if (c >= tree.end[i] || tree.start[c] > value)
				return -1;
			i = c;
		}
		return i;
	}

	/* The sum of the frames below root whose name is set in matches; of those
	 * that stand on each other only the lowest counts. */
	function matchedTotal(tree, root, matches) {
		let sum = 0;

		for (let i = root; i < tree.end[root];) {
			if (matches[tree.name[i]]) {
				sum += tree.total[i];
				i = tree.end[i];
			} else {
				i++;
			}
		}
		return sum;
	}

	/* ---- text (font.c, frame.h, number.c) ---- */

	/* name, or its beginning and "..", or "" when less than minChars fit. */
	function fitText(font, name, roomPx, minChars) {
		const room = Math.floor(Math.max(0, roomPx) * 1000 / font.fontSize);
		const dots = 2 * font.advances[14];
		let sum = 0, cut = 0, cutChars = 0, at = 0, chars = 0;

		for (const c of name) {
			const place = c.codePointAt(0) - 32;

			at += c.length;
			chars++;
			sum += place >= 0 && place < 95 ? font.advances[place] : font.widest;
			if (sum > room)
				break;
			if (sum + dots <= room) {
				cut = at;
				cutChars = chars;
			}
		}
		if (sum <= room)
			return name;
		return cutChars >= minChars ? name.slice(0, cut) + '..' : '';
	}

	function baseName(name) {
		return name.replace(/_\[[kjiw01]\]$/, '');
	}

	function grouped(digits) {
		return digits.replace(/\B(?=(\d{3})+$)/g, ',');
	}

	/* "1,234 samples", "17.25 s" */
	function valueText(unit, value) {
		const one = Math.pow(10, unit.decimals);
		let rest = '';

		if (unit.factor !== 1) {
			value = Math.round(value / one * unit.factor);
		} else {
			rest = (value % one + one).toFixed(0).slice(1).replace(/0+$/, '');
			value = Math.floor(value / one);
		}
		return grouped(value.toFixed(0)) + (rest ? '.' + rest : '') + ' ' + unit.unit;
	}

	function percentText(part, whole) {
		return part === whole ? '100%' : (part / whole * 100).toFixed(2) + '%';
	}

	return { decodeNames, decodeColours, decodeTree, self, layout, frameAt, matchedTotal,
		fitText, baseName, valueText, percentText };
})();
