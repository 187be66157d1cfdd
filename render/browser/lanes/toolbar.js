/* lanes_toolbar: the boxes and buttons above the chart, and the part of the time that is shown. */
pyrograph.ui.lanesToolbar = function (app) {
	'use strict';

	pyrograph.ui.rowsToolbar(app, { searched: 'lanes', tip: 'View: theme, saving (V)', segments: [] });
};
