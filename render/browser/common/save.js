/* save: saves app.pictureText(), an SVG of what is shown, as a file or as a PNG; or the chart itself, with its script
 * in it even if it refers to one; app.toast(text): a short message. */
pyrograph.ui.save = function (app) {
	'use strict';

	const D = pyrograph.ui.dom, PNG_SCALE = 2, PNG_SIDE_MAX = 16000;
	const toast = D.html('div', { 'class': 'toast', role: 'status', hidden: true });
	let fading = 0;

	app.page.overlay.appendChild(toast);
	app.toast = (text) => {
		toast.textContent = text;
		toast.hidden = false;
		clearTimeout(fading);
		fading = setTimeout(() => { toast.hidden = true; }, 1800);
	};

	/* "CPU: db1" -> "cpu-db1" */
	app.fileName = (extension) => {
		const base = app.titleText.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-+|-+$/g, '');

		return (base.slice(0, 80) || app.settings.fileName || 'flame-graph') + extension;
	};

	app.saveSvg = () => {
		D.save(app.fileName('.svg'), app.pictureText(), 'image/svg+xml');
		app.toast('Saved: ' + app.fileName('.svg'));
	};

	/* global pyrographScript */
	/* The source of the script.  A script file is one function, which knows its own source: a policy or file://
	 * would not let us load it. */
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

	app.saveChart = () => {
		D.save(app.fileName('.svg'), chartText(), 'image/svg+xml');
		app.toast('Saved: ' + app.fileName('.svg'));
	};
	app.savePng = () => {
		/* not blob: policies allow data: */
		const url = 'data:image/svg+xml,' + encodeURIComponent(app.pictureText());
		const image = new Image(), canvas = D.html('canvas', {});

		image.onload = () => {
			const scale = Math.min(PNG_SCALE, PNG_SIDE_MAX / Math.max(image.width, image.height));

			if (scale < 1) { /* at this size nobody could read the picture */
				app.toast('Too tall for a PNG: save it as SVG, or zoom in');
				return;
			}
			canvas.width = Math.round(image.width * scale);
			canvas.height = Math.round(image.height * scale);
			canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height);
			canvas.toBlob((blob) => {
				if (blob)
					D.save(app.fileName('.png'), blob);
				app.toast(blob ? 'Saved: ' + app.fileName('.png')
					: 'Too large for a PNG: save it as SVG');
			}, 'image/png');
		};
		image.onerror = () => app.toast('The browser could not draw the picture');
		image.src = url;
	};
};
