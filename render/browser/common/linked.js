/* linked: connects a chart in a frame with the page that shows it beside others, so that what is done in one chart is
 * done in all.
 *
 * Messages are plain objects:
 *     chart -> page   { pyrograph: 'ready' }            once, when the chart is live
 *     page -> chart   { pyrograph: 'link' }             asks for the view, now and whenever it changes
 *     chart -> page   { pyrograph: 'view', view }       the text after "#" in a link to the view
 *     page -> chart   { pyrograph: 'view', view }       shows that view
 *     page -> chart   { pyrograph: 'extent' }           asks a heat map which time it covers
 *     chart -> page   { pyrograph: 'extent', from, ns } from: as in a link to a view
 *     page -> chart   { pyrograph: 'profile' }          asks a flame graph for its profile
 *     chart -> page   { pyrograph: 'profile', profile }
 *     page -> chart   { pyrograph: 'difference', profile, names }  shows the differential of its own and this one
 *     page -> chart   { pyrograph: 'merged', profiles, names }     shows the sum of its own and these
 *     chart -> page   { pyrograph: 'refused' }          they are not profiles of its unit
 * The chart talks only to a page of its own origin (from file://, to any local page), and never unless it is asked.
 * A view is the same as the text in a link: whatever it says, it can only make the chart show its own data in another
 * way. */
pyrograph.ui.linked = function (app) {
	'use strict';

	const VIEW_MAX = 100000, isLocal = location.protocol === 'file:';
	let asked = false, told = null;

	if (app.host || app.svg !== document.documentElement || window.parent === window)
		return;

	const isPage = (event) => event.source === window.parent &&
		(isLocal ? /^(null|file:\/\/)$/.test(event.origin) : event.origin === location.origin);
	const send = (message) => window.parent.postMessage(Object.assign({ pyrograph: '' }, message),
		isLocal ? '*' : location.origin);
	const viewNow = () => app.link().replace(/^[^#]*#/, '');

	function tell() {
		const view = viewNow();

		if (!asked || view === told)
			return;
		told = view;
		send({ pyrograph: 'view', view: view });
	}

	function take(view) {
		if (typeof view !== 'string' || view.length > VIEW_MAX || view === told)
			return;
		told = view;
		app.links.show(view);
		told = viewNow();
	}

	function showTogether(what, { profile, profiles, names }) {
		const texts = Array.isArray(names) ? names.map(String) : [];
		const isShown = what === 'difference' ? texts.length === 2 && app.showDifference(profile, texts) :
			Array.isArray(profiles) && texts.length === profiles.length + 1 &&
			app.showMerged(profiles, texts);

		if (!isShown)
			send({ pyrograph: 'refused' });
	}

	window.addEventListener('message', (event) => {
		const { pyrograph: what, view } = isPage(event) && event.data || {};

		if (what === 'link') {
			asked = true;
			tell();
		} else if (what === 'view') {
			take(view);
		} else if (what === 'extent' && app.extent) {
			send(Object.assign({ pyrograph: 'extent' }, app.extent()));
		} else if (what === 'profile' && app.profile) {
			send({ pyrograph: 'profile', profile: app.profile() });
		} else if ((what === 'difference' || what === 'merged') && app.profile) {
			showTogether(what, event.data);
		}
	});
	app.onchange(() => setTimeout(tell, 0));
	send({ pyrograph: 'ready' });
};
