/* heat_view: the maps.
 *
 * app.cellsRoom() -> how many px there are for columns
 * app.drawMaps()  draws all anew */
pyrograph.heat.view = function (app) {
	'use strict';

	app.cellsRoom = () => Math.max(60, (app.page.map.clientWidth || app.drawnWidth) - 80);
	app.drawMaps = () => {};
	app.onchange(() => app.drawMaps());
};
