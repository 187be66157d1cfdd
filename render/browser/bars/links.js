/* bars_links: the address says what is shown, and the steps to undo: what is chosen is a step of
 * the Back button; what is typed is none. */
pyrograph.ui.barsLinks = function (app) {
	'use strict';

	const A = pyrograph.bars.address;

	/* Theme and colours are no steps: they stay, unless the text has them. */
	function show(text, isStep) {
		const { theme, safe } = app.view, { activeElement } = document;

		app.view = A.decode(text);
		if (isStep || !/(^|[&?#])t=/.test(text))
			app.view.theme = theme;
		if (isStep)
			app.view.safe = safe;
		if (activeElement && activeElement.localName === 'input')
			activeElement.blur(); /* what is typed there is older */
		app.refresh();
	}

	pyrograph.ui.history(app, { encode: () => A.encode(app.view), show: (text) => show(text, false),
		stepTo: (text) => show(text, true) });
};
