/* heat_beats: do the rate of sampling and the rows beat against each other, so that a grid shows
 * stripes that the samples made?  As grid_beats.c, which has the reasons.  Pure.
 *
 * warning(settings, axes) -> null, or { text, rows: [numbers of rows without it] } */
pyrograph.heat.beats = (function () {
	'use strict';

	const N = pyrograph.number, VISIBLE = 0.08, FEW = 8, NS = 1e9;

	const isWhole = (n) => Math.abs(n - Math.round(n)) < 1e-6;
	const plain = (n) => String(Number(n.toPrecision(10)));

	function deviation(samples, cpus) {
		const f = samples - Math.floor(samples);

		return isWhole(samples) ? 0 : Math.sqrt(f * (1 - f)) / samples / Math.sqrt(cpus);
	}

	/* Those from least to most that have whole numbers of samples: the nearest to rows, or 0. */
	function nearestRows(samples, rows, least, most) {
		const whole = Math.round(samples);
		let best = 0;

		if (!(samples >= 1) || samples > 1e9 || !isWhole(samples))
			return 0;
		for (let n = least; n <= most; n++) {
			if (n && whole % n === 0 && (!best || Math.abs(n - rows) < Math.abs(best - rows)))
				best = n;
		}
		return best;
	}

	function lockStep(rate) {
		const period = 1000 / rate;

		if (rate < 1 || rate > 10000 || (Math.abs(period - Math.round(period)) > 1e-6 && rate % 1000 > 1e-6))
			return '';
		return plain(rate) + ' samples a second are in step with timers: what happens each ' + N.durationText(NS / rate) +
			' is seen always or never; record with -F ' + plain(rate - 1 > 0 ? rate - 1 : 1) + '.';
	}

	/* { text, rows }, or null */
	function stripes(axes, rate, cpus) {
		const ofUse = axes.y === 'utilization', periods = ofUse ? axes.perColumn : 1, { rows } = axes;
		const samples = rate * axes.period / NS * periods, inRow = samples / rows;
		const sameRows = !ofUse && isWhole(samples) && !isWhole(inRow) && inRow * cpus < FEW;

		if (!(inRow > 0) || (deviation(inRow, ofUse ? 1 : cpus) < VISIBLE && !sameRows) ||
			(!ofUse && axes.perColumn >= 4 && !isWhole(samples)))
			return null;
		const better = [nearestRows(samples, rows, Math.floor(rows / 4) + 1, rows - 1), nearestRows(samples, rows, rows + 1, rows * 3)]
			.filter((n) => n);

		return { rows: better, text: plain(rate) + ' samples a second in ' + rows + ' rows make stripes: ' + (ofUse
			? 'some rows stand for more numbers of samples than others'
			: 'of a busy CPU a cell has ' + Math.floor(inRow) + ' or ' + Math.ceil(inRow)) + (!better.length ? '; fewer --rows have less.'
			: '; --rows ' + better.join(' or ') + (better.length > 1 ? ' have none.' : ' has none.')) };
	}

	function warning(settings, axes) {
		const texts = [], rows = [], rates = settings.recordings.map((r) => r.rate).filter((rate, i, all) => rate > 0 && all.indexOf(rate) === i);

		if (axes.y === 'value' || settings.spans)
			return null;
		for (const rate of rates) {
			const cpus = settings.recordings.filter((r) => r.rate === rate).reduce((sum, r) => sum + (r.cpus.length || 1), 0);
			const found = stripes(axes, rate, cpus);

			texts.push(lockStep(rate), found ? found.text : '');
			rows.push(...found ? found.rows : []);
		}
		const text = texts.filter(Boolean).join(' ');

		return text ? { text: text, rows: rows } : null;
	}

	/* Do those rows make stripes? */
	const striped = (settings, axes) => axes.y !== 'value' && !settings.spans && settings.recordings.some(({ rate }) => rate > 0 && stripes(axes, rate,
		settings.recordings.filter((r) => r.rate === rate).reduce((sum, r) => sum + (r.cpus.length || 1), 0)));

	return { warning, striped };
})();
