/* save: saves app.pictureText(), an SVG of what is shown, as a file or as a PNG; or the chart itself, with its script
 * embedded even if it refers to a file.
 *
 * app.save.svg(), png(), chart()
 * app.save.fileName(extension)   the title as a name: "CPU: db1" -> "cpu-db1.svg"
 * app.save.toast(text)           a short message */
pyrograph.ui.save = function (app) {
	'use strict';

	const D = pyrograph.ui.dom, PNG_SCALE = 2, PNG_SIDE_MAX = 16000;
	const message = D.html('div', { 'class': 'toast', role: 'status', hidden: true });
	let fading = 0;

	app.page.overlay.appendChild(message);

	function toast(text) {
		message.textContent = text;
		message.hidden = false;
		clearTimeout(fading);
		fading = setTimeout(() => { message.hidden = true; }, 1800);
	}

	function fileName(extension) {
		const base = app.titleText.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-+|-+$/g, '');

		return (base.slice(0, 80) || app.settings.fileName || 'flame-graph') + extension;
	}

	function saveSvg(text) {
		D.save(fileName('.svg'), text, 'image/svg+xml');
		toast('Saved: ' + fileName('.svg'));
	}

	/* global pyrographScript */
	/* The source of the script.  A script file is one function, which knows its own source, since a policy or
	 * file:// may keep us from loading the file. */
	function scriptText() {
		const own = typeof pyrographScript === 'function' ? '(' + pyrographScript + ')();' : null;

		return '\n' + (own || pyrograph.ui.script.textContent.trim()) + '\n';
	}

	function chartText() {
		const { bare, drawn, frame } = app.page, copy = bare.cloneNode(false);

		for (const e of app.svg.children) {
			if (e === frame || e.localName === 'meta' || e.localName === 'script')
				continue;
			copy.append('\n', e.cloneNode(true));
			if (e.id === 'background')
				copy.append(...drawn.map((g) => g.cloneNode(true)));
		}
		D.svg('script', {}, copy).textContent = scriptText();
		return '<?xml version="1.0" encoding="UTF-8"?>\n' + new XMLSerializer().serializeToString(copy) +
			'\n';
	}

	function png() {
		/* not blob: policies allow data: */
		const url = 'data:image/svg+xml,' + encodeURIComponent(app.pictureText());
		const image = new Image(), canvas = D.html('canvas', {});

		image.onload = () => {
			const scale = Math.min(PNG_SCALE, PNG_SIDE_MAX / Math.max(image.width, image.height));

			if (scale < 1) { /* at such a size the picture would be unreadable */
				toast('Too tall for a PNG: save it as SVG, or zoom in');
				return;
			}
			canvas.width = Math.round(image.width * scale);
			canvas.height = Math.round(image.height * scale);
			canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height);
			canvas.toBlob((blob) => {
				if (blob)
					D.save(fileName('.png'), blob);
				toast(blob ? 'Saved: ' + fileName('.png')
					: 'Too large for a PNG: save it as SVG');
			}, 'image/png');
		};
		image.onerror = () => toast('The browser could not draw the picture');
		image.src = url;
	}

	app.save = { toast, fileName, png, svg: () => saveSvg(app.pictureText()), chart: () => saveSvg(chartText()) };
};
