/* layered: the controls of profiles with several layers: the sides of a differential, or the windows of an
 * animation; and those for a part of all the time of threads (known.js). */
pyrograph.ui.layered = function (app) {
	'use strict';

	const D = pyrograph.ui.dom, N = pyrograph.number, LY = pyrograph.layers, settings = app.settings;
	const bar = app.page.layers, SPEEDS = [0.5, 1, 2, 4, 8], WINDOW_MS = 500;
	const SIDES = [['union', 'Both', 'All frames of both, each as wide as its wider side'],
		['base', 'Base', 'Only the first profile'], ['new', 'New', 'Only the second profile'],
		['gone', 'Gone', 'Only what the new profile lacks'],
		['added', 'Added', 'Only what the base profile lacks']];
	const { choice, segment } = app.controls;

	/* ---- differential ---- */

	const show = () => app.view.diff && app.view.diff.show || 'union';

	const setDiff = (change) => app.step({ diff: Object.assign({ show: show(), by: app.diffBy() }, change) });

	app.nextSide = () => {
		const at = SIDES.findIndex(([side]) => side === show());

		setDiff({ show: SIDES[(at + 1) % SIDES.length][0] });
	};
	app.nextDelta = () => setDiff({ by: app.diffBy() === 'total' ? 'self' : 'total' });

	function diffBar() {
		const noise = D.html('span', { 'class': 'quiet' });
		const threshold = settings.threshold === undefined ? 0.001 : settings.threshold;

		noise.textContent = settings.chance
			? 'Differences of one sample are noise: what is within chance, or below ' +
				pyrograph.number.percentText(threshold, 1) + ' of the whole, is grey'
			: 'changes below ' + pyrograph.number.percentText(threshold, 1) + ' of the whole are left grey';
		bar.append(segment('Side', ...SIDES.map(([side, label, tip]) =>
			choice(label, tip, () => side === show(), () => setDiff({ show: side })))),
		D.html('span', { 'class': 'quiet' }, 'change by'), segment('Change by', ...['total', 'self'].map((by) =>
			choice(by, 'Change of the frame ' + (by === 'total' ? 'and all that it calls' : 'itself'),
				() => app.diffBy() === by, () => setDiff({ by: by })))), noise);
	}

	/* ---- animation ---- */

	function animateBar() {
		const windows = LY.windows(settings), last = settings.layers.length - 1;
		const range = D.html('input', { type: 'range', min: -1, max: last, step: 1,
			'aria-label': 'Window of time' });
		const label = D.html('span', { 'class': 'window', role: 'status' });
		const play = D.button('play', 'Play', 'Play or pause (Space)', () => app.play(), { icon: 'play' });
		let timer = 0, speed = 1;
		const speedButton = D.html('button', { type: 'button', title: 'Speed', onclick: () => {
			speed = SPEEDS[(SPEEDS.indexOf(speed) + 1) % SPEEDS.length];
			speedButton.textContent = speed + '\u00d7';
			if (timer)
				run();
		} }, '1\u00d7');
		const all = D.html('button', { type: 'button', title: 'All windows together',
			onclick: () => app.step({ position: null }) }, 'All');
		const position = () => app.view.position === null ? -1 : app.view.position;

		function run() {
			clearInterval(timer);
			timer = setInterval(() => { /* the link is written later, as browsers refuse to change it
						     * often */
				app.view.position = position() >= last ? 0 : position() + 1;
				app.refresh();
			}, WINDOW_MS / speed);
		}
		function stop() {
			clearInterval(timer);
			timer = 0;
		}
		function dressPlay() {
			play.replaceChildren(D.icon(timer ? 'pause' : 'play'));
			play.setAttribute('aria-label', timer ? 'Pause' : 'Play');
		}
		app.play = () => {
			if (timer) {
				stop();
				app.touch({});
			} else {
				run();
			}
			dressPlay();
		};
		app.stepWindow = (step) => {
			stop();
			dressPlay();
			app.touch({ position: (position() + step + last + 1) % (last + 1) });
		};
		range.addEventListener('input', () => {
			stop();
			dressPlay();
			app.touch({ position: Number(range.value) < 0 ? null : Number(range.value) });
		});
		bar.append(D.button('step-back', 'One window back', 'One window back (,)', () => app.stepWindow(-1),
			{ icon: 'stepBack' }), play, D.button('step', 'One window forward', 'One window forward (.)',
			() => app.stepWindow(1), { icon: 'step' }), range, label, speedButton, all);
		app.onchange(() => {
			const at = position();

			range.value = at;
			all.setAttribute('aria-pressed', String(at < 0));
			label.textContent = windowText(windows, at) + ' \u00b7 ' +
				N.valueText(settings, app.whole.total[0]) +
				(app.missing ? ' \u00b7 not here: ' + app.missing : '');
			label.classList.toggle('wrong', Boolean(app.missing));
			range.setAttribute('aria-valuetext', label.textContent);
		});
	}

	/* "10:15:02.000 to 10:15:03.000 (3 of 12)". */
	function windowText(windows, at) {
		const clock = (text) => text ? text.replace(/^.*T/, '').replace(/(\.\d{3})\d*Z$/, '$1') : '';
		const of = settings.layers.length;

		if (at < 0)
			return 'all ' + of + ' windows';
		return (windows[at] && windows[at].start ? clock(windows[at].start) + ' \u2013 ' +
			clock(windows[at].end)
			: settings.layers[at].name) + ' (' + (at + 1) + ' of ' + of + ')';
	}

	/* ---- all the time of threads ---- */

	const TIMES = [[null, 'All', 'All the time of the threads'], ['on', 'On-CPU', 'Only time in which they ran'],
		['off', 'Off-CPU', 'Only time in which they were blocked, or waited for a CPU']];

	app.nextWall = () => {
		const at = TIMES.findIndex(([part]) => part === app.view.wall);

		app.step({ wall: TIMES[(at + 1) % TIMES.length][0] });
	};

	function wallBar() {
		bar.append(segment('Time', ...TIMES.map(([part, label, tip]) =>
			choice(label, tip + ' (W)', () => part === app.view.wall, () => app.step({ wall: part })))));
		bar.hidden = false;
	}

	if (settings.wall)
		wallBar();

	/* Two metrics need no controls, since their legend and the tips say everything. */
	const bars = { diff: diffBar, animate: animateBar };

	if (settings.layers && bars[settings.mode]) {
		bars[settings.mode]();
		bar.hidden = false;
	}
};
