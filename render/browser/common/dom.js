/* dom: elements, texts and the widths of texts; nothing in this file knows of profiles.
 *
 * pyrograph.ui holds what touches the page; each part is a function of the app
 * object that flame.js makes, so that several pictures can live in one page. */
pyrograph.ui = pyrograph.ui || {};

pyrograph.ui.dom = (function () {
	'use strict';

	const SVG = 'http://www.w3.org/2000/svg', XHTML = 'http://www.w3.org/1999/xhtml';

	function apply(e, attributes) {
		for (const key in attributes) {
			const value = attributes[key];

			if (typeof value === 'function')
				e.addEventListener(key.slice(2), value);
			else if (value === true)
				e.setAttribute(key, '');
			else if (value !== false && value !== null && value !== undefined)
				e.setAttribute(key, value);
		}
		return e;
	}

	/* Makes an SVG element; with a parent, puts it at the parent's end. */
	function svg(name, attributes, parent) {
		const e = apply(document.createElementNS(SVG, name), attributes);

		if (parent)
			parent.appendChild(e);
		return e;
	}

	/* Makes an HTML element. An attribute "onclick: f" is a listener; children are elements or text. */
	function html(name, attributes, ...children) {
		const e = apply(document.createElementNS(XHTML, name), attributes);

		e.append(...children.filter((child) => child !== null && child !== undefined));
		return e;
	}

	/* Paths in a square of 16 by 16. */
	const ICONS = {
		up: 'M3 10.5 8 5.5l5 5', down: 'M3 5.5l5 5 5-5', back: 'M9.5 3 4.5 8l5 5',
		close: 'M4 4l8 8M12 4l-8 8', plus: 'M8 3v10M3 8h10', minus: 'M3 8h10',
		table: 'M2.5 3.5h11v9h-11zM2.5 6.5h11M8 6.5v6',
		view: 'M2 4.5h12M2 8h12M2 11.5h12', play: 'M4.5 3v10l8-5z', pause: 'M5 3v10M11 3v10',
		forward: 'M6.5 3l5 5-5 5', stepBack: 'M11 3 5 8l6 5M4 3v10', step: 'M5 3l6 5-6 5M12 3v10',
		home: 'M2.5 8 8 3l5.5 5M4 7v6h8V7',
		tick: 'M3 8.5l3.5 3.5L13 4.5',
	};

	function icon(name) {
		const e = svg('svg', { 'class': 'icon', viewBox: '0 0 16 16', 'aria-hidden': 'true' });

		svg('path', { d: ICONS[name] }, e);
		return e;
	}

	/* Makes a button; content is text, or { icon: the name of an icon }. */
	function button(className, label, tip, run, content) {
		return html('button', { type: 'button', 'class': className, 'aria-label': label,
			title: tip || label, onclick: run }, content.icon ? icon(content.icon) : content);
	}

	/* Measures the widths of texts in the font of the picture; each character is measured once. */
	function ruler(family, sizePx) {
		const widths = new Map(), context = document.createElementNS(XHTML, 'canvas').getContext('2d');

		context.font = sizePx + 'px ' + family;

		function charWidth(c) {
			let width = widths.get(c);

			if (width === undefined) {
				width = context.measureText(c).width;
				widths.set(c, width);
			}
			return width;
		}
		function width(text) {
			let sum = 0;

			for (const c of text)
				sum += charWidth(c);
			return sum;
		}

		/* Returns the text if it fits into room; otherwise a part of it with dots: the beginning (side "right",
		 * which is cut), the end ("left") or both ("middle"); "" if fewer than `least` characters fit. */
		function fit(text, room, least, side) {
			let sum = 0, kept = 0;

			if (room < charWidth('.') || (text.length > 4000 && side === 'right'))
				text = text.slice(0, room);
			if (width(text) <= room)
				return text;
			const chars = Array.from(text), n = chars.length;
			const place = side === 'left' ? (i) => n - 1 - i
				: side === 'middle' ? (i) => (i % 2 ? n - 1 - (i >> 1) : i >> 1) : (i) => i;

			const dots = side === 'middle' ? '\u2026' : '..';

			room -= width(dots);
			while (kept < n && sum + charWidth(chars[place(kept)]) <= room)
				sum += charWidth(chars[place(kept++)]);
			if (kept < least)
				return '';
			if (side === 'left')
				return dots + chars.slice(n - kept).join('');
			if (side === 'middle')
				return chars.slice(0, kept + 1 >> 1).join('') + dots +
					chars.slice(n - (kept >> 1)).join('');
			return chars.slice(0, kept).join('') + dots;
		}
		return { width: width, fit: fit };
	}

	/* Tells screen readers that the keys are at the item of graph with this id (null: at none). Returns the
	 * previous item, if it still exists. */
	function activate(graph, item, id) {
		const now = graph.getAttribute('aria-activedescendant'), old = now && graph.querySelector('#' + now);

		if (old)
			old.removeAttribute('id');
		graph.removeAttribute('aria-activedescendant');
		if (item) {
			item.id = id;
			graph.setAttribute('aria-activedescendant', id);
		}
		return old;
	}

	/* Copies text, if scripts may.  Over plain HTTP they may not: there is no clipboard, and SVG documents cannot
	 * copy a selection.  -> whether it was copied */
	async function copy(text) {
		try {
			await navigator.clipboard.writeText(text);
			return true;
		} catch (e) {
			return false;
		}
	}

	/* Lets the reader save text or a Blob as a file. */
	function save(name, data, type) {
		const url = URL.createObjectURL(data instanceof Blob ? data : new Blob([data], { type: type }));
		const a = html('a', { href: url, download: name });

		document.documentElement.appendChild(a);
		a.dispatchEvent(new MouseEvent('click', { bubbles: false, cancelable: true }));
		a.remove();
		setTimeout(() => URL.revokeObjectURL(url), 60000);
	}

	return { svg, html, icon, button, ruler, activate, copy, save };
})();
