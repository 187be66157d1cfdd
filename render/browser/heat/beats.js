/* heat_beats: finds out whether the rate of sampling and the rows beat against each other, so that a grid shows stripes
 * that are an artefact of sampling.  The same as grid_beats.c, which has the reasons.  Pure.
 *
 * rows(settings, y, period, wanted, isFine) -> the number of rows nearest to wanted that makes no stripes
 *                     (heat_rows_without_beats()); isFine(rows): whether this number may be taken
 * warning(settings, axes) -> null, or { text: the warning of C, which names C's options; said: the same
 *                                 without options; rows: [numbers of rows that make no stripes] } */
pyrograph.heat.beats = (function () {
	'use strict';

	const N = pyrograph.number, VISIBLE = 0.08, FEW = 8, NAMED_MAX = 6, NS = 1e9, ROWS_LEAST = 20, ROWS_MOST = 128;

	const isWhole = (n) => Math.abs(n - Math.round(n)) < 1e-6;
	const plain = (n) => String(Number(n.toPrecision(10)));

	function deviation(samples, cpus) {
		const f = samples - Math.floor(samples);

		return isWhole(samples) ? 0 : Math.sqrt(f * (1 - f)) / samples / Math.sqrt(cpus);
	}

	/* The same as clean_rows(). */
	function cleanRows(samples, rows) {
		const whole = Math.round(samples), found = [];

		if (!(samples >= 1) || samples > 1e9 || !isWhole(samples))
			return found;
		for (let n = 2; n <= rows * 3; n++) {
			if (n === rows || whole % n)
				continue;
			if (found.length === NAMED_MAX) {
				if (Math.abs(n - rows) >= Math.abs(found[0] - rows))
					continue;
				found.shift();
			}
			found.push(n);
		}
		return found;
	}

	function lockStep(rate) {
		const period = 1000 / rate;

		if (rate < 1 || rate > 10000 || (Math.abs(period - Math.round(period)) > 1e-6 && rate % 1000 > 1e-6))
			return '';
		return plain(rate) + ' samples a second are in step with timers: what happens each ' +
			N.durationText(NS / rate) +
			' is seen always or never; record with -F ' + plain(rate - 1 > 0 ? rate - 1 : 1) + '.';
	}

	/* Does each row have the same number of samples, or nearly so? */
	const isEven = (samples, rows, cpus) => isWhole(samples) ? isWhole(samples / rows)
		: deviation(samples / rows, cpus) < VISIBLE;

	/* The number nearest to wanted, of least .. most, that makes no stripes; 0 if there is none. */
	function nearestEven(samples, wanted, least, most, cpus, isFine) {
		let best = 0;

		for (let n = least; n <= most && n <= samples; n++) {
			if (isEven(samples, n, cpus) && isFine(n) &&
				(!best || Math.abs(n - wanted) < Math.abs(best - wanted)))
				best = n;
		}
		return best;
	}

	/* The same as many_in_row(). */
	function manyInRow(samples, wanted, isFine) {
		for (let n = Math.min(wanted, Math.floor(samples / FEW)); n > 1; n--) {
			if (isFine(n))
				return n;
		}
		return 1;
	}

	const cpusAt = (settings, rate) => settings.recordings.filter((r) => r.rate === rate).reduce((sum, r) => sum +
		(r.cpus.length || 1), 0);

	function rows(settings, y, period, wanted, isFine) {
		const rate = settings.spans || settings.recordings.some((r) => r.rate !== settings.rate) ? 0
			: settings.rate;
		const samples = rate * period / NS, cpus = y === 'utilization' ? 1 : cpusAt(settings, rate);

		if (!rate || isEven(samples, wanted, cpus))
			return wanted;
		if (samples < 1)
			return 1;
		return nearestEven(samples, wanted, ROWS_LEAST, ROWS_MOST, cpus, isFine) ||
			(samples < wanted || !isWhole(samples) ? nearestEven(samples, wanted, 1, ROWS_LEAST, cpus,
				isFine) : 0) || manyInRow(samples * cpus, wanted, isFine);
	}

	/* Returns { text, said, rows }, or null. */
	function stripes(axes, rate, cpus) {
		const ofUse = axes.y === 'utilization', periods = ofUse ? axes.perColumn : 1, { rows } = axes;
		const samples = rate * axes.period / NS * periods, inRow = samples / rows;
		const sameRows = !ofUse && isWhole(samples) && !isWhole(inRow) && inRow * cpus < FEW;

		if (rows === 1 || !(inRow > 0) || (deviation(inRow, ofUse ? 1 : cpus) < VISIBLE && !sameRows) ||
			(!ofUse && axes.perColumn >= 4 && !isWhole(samples)))
			return null;
		const better = cleanRows(samples, rows);
		const less = better.length ? 0 : nearestEven(samples, rows, 1, rows - 1, ofUse ? 1 : cpus, () => true);

		const why = plain(rate) + ' samples a second in ' + rows + ' rows make stripes: ' + (ofUse
			? 'some rows stand for more numbers of samples than others'
			: 'of a busy CPU a cell has ' + Math.floor(inRow) + ' or ' + Math.ceil(inRow));

		return { rows: less ? [less] : better,
			said: why + (better.length || less && isWhole(samples) ? '. Without: ' : less ? '. Hardly any: '
				: '; a longer period has none.'),
			text: why + (less ? '; --rows ' + less + ' has ' + (isWhole(samples) ? 'none.' : 'hardly any.')
				: !better.length ? '; a longer --span has none.'
					: '; --rows ' + better.join(', ').replace(/, (\d+)$/, ' or $1') +
					(better.length > 1 ? ' have none.' : ' has none.')) };
	}

	function warning(settings, axes) {
		const texts = [], said = [], rows = [], rates = settings.recordings.map((r) =>
			r.rate).filter((rate, i, all) => rate > 0 && all.indexOf(rate) === i);

		if (axes.y === 'value' || settings.spans)
			return null;
		for (const rate of rates) {
			const found = stripes(axes, rate, cpusAt(settings, rate));

			texts.push(lockStep(rate), found ? found.text : '');
			said.push(lockStep(rate).replace('record with -F ', 'record with another rate, as '), found
				? found.said : '');
			rows.push(...found ? found.rows : []);
		}
		const text = texts.filter(Boolean).join(' ');

		return text ? { text: text, said: said.filter(Boolean).join(' '), rows: rows } : null;
	}

	/* Does this number of rows make stripes? */
	const striped = (settings, axes) => axes.y !== 'value' && !settings.spans &&
		settings.recordings.some(({ rate }) => rate > 0 && stripes(axes, rate,
			cpusAt(settings, rate)));

	return { rows, warning, striped };
})();
