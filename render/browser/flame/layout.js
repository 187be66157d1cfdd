/* layout: places frames and their labels by the rules of layout.c and font.c, so that the script draws the same as C.
 * Rows are counted from root on; the caller decides whether they go up or down.
 *
 * layout(tree, root, widthPx, minWidthPx, boxesMax, crumbColour, markColour, fold)
 *     -> { boxes: [{ frame, row, x, w }], crumbs: [as boxes, with colour], rows }, in pixels.
 *     A crumb is a run of narrow frames of the same colour, crumbColour(frame).  Frames of
 *     markColour (a colour, or a Set of colours) are neither mixed with others nor left out.
 *     fold: null, or which frames are hidden, and the rows of all (known.js, beginnings)
 * rowsOf(plan, from, to)        -> the same, with only the rows from .. to - 1
 * frameAt(tree, value, row, fold) -> the frame that covers value in the row; -1 if none
 * fitText(font, name, roomPx, minChars, cut) -> name, or its beginning and ".." (cut "left":
 *     ".." and its end; "middle": both ends), or "" if fewer than minChars characters fit.
 *     font: the settings (with the widths of C's font), or the result of measured()
 * labelCore(name)               -> it without package, namespaces or path; for a function of a script, only the
 *     function (look.h)
 * label(font, name, roomPx, minChars, cut) -> the same as fitText, but cut "middle" drops what labelCore() does first,
 *     then the class
 * measured(measure, fontSize)   -> a font for fitText: measure(character) gives its width
 *     in px and is asked once for each
 * textWidth(font, text)         -> px */
pyrograph.layout = (function () {
	'use strict';

	const CPX = 100, STEP = 50, STEPS = 128, GAP = 100, PURE = 100, CRUMB_MIN = 20;
	const GRAIN = 10000; /* minWidthPx is rounded to this fraction of a pixel: FLAME_WIDTH_GRAIN */
	const LONGEST = 5000; /* more characters than any room holds */
	const ROUNDING = 1e-6;

	/* The least value of a frame that is drawn as a box: half a pixel wide, or more if there would be too
	 * many boxes. */
	function boxThreshold(tree, root, width, least, boxesMax) {
		const total = tree.total[root], counts = new Uint32Array(STEPS);
		const valueOf = (w) => Math.max(1, Math.ceil(total * w / width));
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

	/* How many rows, from root on, can be drawn with at most boxesMax boxes. */
	function boxRows(tree, root, threshold, boxesMax, fold) {
		const counts = [], rowOf = fold ? fold.row : tree.depth;
		let sum = 0, row = 0;

		for (let i = root; i < tree.end[root];) {
			if (tree.total[i] < threshold) {
				i = tree.end[i];
				continue;
			}
			const at = rowOf[i] - rowOf[root];

			if (i === root || !fold || !fold.hidden[i])
				counts[at] = (counts[at] || 0) + 1;
			i++;
		}
		for (; row < counts.length && sum + counts[row] <= boxesMax; row++)
			sum += counts[row];
		return Math.max(row, 1);
	}

	function layout(tree, root, widthPx, minWidthPx, boxesMax, crumbColour, markColour, fold = null) {
		const width = Math.floor(widthPx * CPX), total = tree.total[root];

		if (!total) /* nothing of the profile is left */
			return { boxes: [{ frame: root, row: 0, x: 0, w: widthPx }], crumbs: [], rows: 1 };
		const isMark = markColour instanceof Set ? (colour) => markColour.has(colour) :
			(colour) => colour === markColour;
		const least = Math.ceil(total * Math.round(minWidthPx * GRAIN) / (width * (GRAIN / CPX)));
		const threshold = boxThreshold(tree, root, width, least, boxesMax);
		const limit = boxRows(tree, root, threshold, boxesMax, fold);
		const rowOf = fold ? fold.row : tree.depth;
		const xOf = (value) => Math.floor((value - tree.start[root]) * width / total);
		const boxes = [], crumbs = [], runs = [];
		let rows = 1;

		function place(frame, row, x0, x1, colour) {
			return { frame: frame, row: row, x: x0 / CPX, w: (x1 - x0) / CPX, colour: colour };
		}
		function flush(run) {
			if (run && (isMark(run.colour) || run.x1 - run.x0 >= CRUMB_MIN))
				crumbs.push(place(run.frame, run.row, run.x0, run.x1, run.colour));
		}
		function joins(run, colour, x0) {
			if (!run || x0 - run.x1 >= GAP)
				return false;
			return run.colour === colour || (run.x1 - run.x0 < PURE &&
				!isMark(run.colour) && !isMark(colour));
		}
		for (let i = root; i < tree.end[root];) {
			if (tree.total[i] < least && i !== root) {
				i = tree.end[i];
				continue;
			}
			if (fold && fold.hidden[i] && i !== root) {
				i++;
				continue;
			}
			const row = rowOf[i] - rowOf[root];
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

	/* The child of a frame that covers value; -1 if none. */
	function childAt(tree, frame, value) {
		let c = frame + 1;

		while (c < tree.end[frame] && tree.start[c] + tree.total[c] <= value)
			c = tree.end[c];
		return c < tree.end[frame] && tree.start[c] <= value ? c : -1;
	}

	/* The frame that covers value in a row, even outside the zoomed frame; -1 if there is none. */
	function frameAt(tree, value, row, fold = null) {
		const rowOf = fold ? fold.row : tree.depth;
		let found = row ? -1 : 0;

		for (let i = 0; i >= 0 && rowOf[i] <= row; i = childAt(tree, i, value)) {
			if (rowOf[i] === row && !(fold && fold.hidden[i]))
				found = i;
		}
		return found;
	}

	function rowsOf(plan, from, to) {
		const seen = (box) => box.row >= from && box.row < to;

		return { boxes: plan.boxes.filter(seen), crumbs: plan.crumbs.filter(seen), rows: plan.rows };
	}

	/* ---- labels (font.c) ---- */

	/* Widths are in thousandths of the font's size. */
	function measured(measure, fontSize) {
		const known = new Map();

		function advance(c) {
			let width = known.get(c);

			if (width === undefined)
				known.set(c, width = measure(c) * 1000 / fontSize);
			return width;
		}
		return { fontSize: fontSize, advance: advance };
	}

	function advance(font, c) {
		const place = c.codePointAt(0) - 32;

		if (font.advance)
			return font.advance(c);
		return place >= 0 && place < 95 ? font.advances[place] : font.widest;
	}

	function textWidth(font, text) {
		let sum = 0;

		for (const c of text)
			sum += advance(font, c);
		return sum * font.fontSize / 1000;
	}

	/* How many of chars fit into room, and how many fit beside the dots; all: whether all of them fit. */
	function fitting(font, chars, room) {
		const dots = 2 * advance(font, '.');
		let sum = 0, cut = 0, count = 0;

		for (const c of chars) {
			sum += advance(font, c);
			if (sum > room)
				return { all: false, cut: cut };
			count++;
			if (sum + dots <= room)
				cut = count;
		}
		return { all: true, cut: cut };
	}

	/* The characters in the order in which they are kept when text is cut: the first, the last, the second, ... */
	function fromBothEnds(chars) {
		return chars.map((unused, i) => i % 2 ? chars[chars.length - 1 - (i - 1) / 2] : chars[i / 2]);
	}

	function fitText(font, name, roomPx, minChars, cut = 'right') {
		const exact = Math.max(0, roomPx) * 1000 / font.fontSize;
		const room = font.advance ? exact + ROUNDING : Math.floor(exact);
		const text = cut === 'middle' && name.length > LONGEST ?
			name.slice(0, LONGEST / 2) + name.slice(-LONGEST / 2) : name;
		let chars = Array.from(name.slice(0, LONGEST));

		if (cut === 'left')
			chars = Array.from(name.slice(-LONGEST)).reverse();
		else if (cut === 'middle')
			chars = fromBothEnds(Array.from(text));
		const fits = fitting(font, chars, room), n = fits.cut;

		if (fits.all && name.length <= LONGEST)
			return name;
		if (n < minChars)
			return '';
		if (cut === 'left')
			return '..' + chars.slice(0, n).reverse().join('');
		if (cut === 'middle') {
			const all = Array.from(text), front = Math.ceil(n / 2);

			return all.slice(0, front).join('') + '..' + all.slice(all.length - (n - front)).join('');
		}
		return chars.slice(0, n).join('') + '..';
	}

	/* ---- prefixes of names (look.c) ---- */

	const PATH = /^(?:[A-Za-z0-9_$./:~@-]|[^\0-\x7f])*/;

	function pathLength(run) {
		const start = run.lastIndexOf('/') + 1;

		return /\.|::/.test(run.slice(start)) ? start : 0;
	}

	function namespaceLength(run) {
		let before = 0, last = 0;

		for (let at = run.indexOf('::'); at >= 0; at = run.indexOf('::', at + 3)) {
			before = last;
			last = at + 2;
		}
		return before;
	}

	function packageLength(run) {
		let at = 0;

		while (/[a-z_]/.test(run.charAt(at))) {
			const dot = run.indexOf('.', at), colons = run.indexOf('::', at);

			if (dot < 0 || (colons >= 0 && colons < dot))
				return 0;
			at = dot + 1;
		}
		return /[A-Z]/.test(run.charAt(at)) ? at : 0;
	}

	/* CPython's "py::save_orders:/srv/desk.py", V8's "JS:*handle /srv/app.js:7:16" */
	const SCRIPTS = [/^py::([^:]+):/, /^(?:JS|LazyCompile|Function|Script|Eval):[~^+*']*([^~^+*'].*) [^ ]*$/s];

	function labelCore(name) {
		const script = SCRIPTS.map((pattern) => pattern.exec(name)).find((found) => found);
		const run = PATH.exec(name.slice(0, LONGEST))[0];
		let start = 0;

		if (script)
			return script[1];
		for (const length of [pathLength, namespaceLength, packageLength])
			start += length(run.slice(start));
		return start < name.length ? name.slice(start) : name;
	}

	const MEMBER_LEAST = 6; /* bytes; less tells too little without the class: "run" */

	/* "rebuildIndex" of a core, "Shop.rebuildIndex" or "Shop::rebuildIndex" */
	function memberOf(core) {
		const run = PATH.exec(core.slice(0, LONGEST))[0];
		let start = 0;

		for (let i = 0; i + 1 < run.length; i++) {
			if (run.startsWith('::', i))
				start = i + 2;
			else if (run[i] === '.' && /^[A-Z]/.test(core))
				start = i + 1;
		}
		const member = core.slice(start), bytes = new TextEncoder().encode(member).length;

		return start && bytes >= MEMBER_LEAST && /^[A-Za-z_]/.test(member) ? member : core;
	}

	function label(font, name, roomPx, minChars, cut) {
		if (cut !== 'middle')
			return fitText(font, name, roomPx, minChars, cut);
		const core = labelCore(name);

		return fitText(font, name, roomPx, Infinity, cut) || fitText(font, core, roomPx, Infinity, cut) ||
			fitText(font, memberOf(core), roomPx, minChars, cut);
	}

	return { labelCore, label, layout, rowsOf, frameAt, fitText, measured, textWidth };
})();
