/* lanes_data: the values that travel inside a picture of lanes (render/lanes/lanes_strip.c has the format).  Pure.
 *
 * decode(settings, text) -> lanes, by number: { name, shown, unit, decimals, rgb, from, to, limit, drops, isEvent,
 *     isSilent, time, value }: time and value are Float64Arrays; times are in ns from the window's start
 * at(settings, lane, ns)   -> the number of the point whose value holds at that moment, or -1
 * columns(settings, lane, from, to, count) -> { least, most }: Float64Arrays by column of [from, to); NaN: not known
 * valueText(lane, value), nameText(name) */
pyrograph.lanes = {};

pyrograph.lanes.data = (function () {
	'use strict';

	const N = pyrograph.number, { plainName } = pyrograph.profile;

	const nameText = (name) => plainName(name).replace(/^lane;/, '').replace(/;/g, ' ');

	function decode(settings, text) {
		const lines = text.split('\n');

		return settings.lanes.map(([name, unit, decimals, rgb, from, to, limit, drops, isEvent, isSilent],
			i) => {
			const numbers = lines[i] ? lines[i].split(' ').map(Number) : [], count = numbers.length >> 1;
			const time = new Float64Array(count), value = new Float64Array(count);

			for (let k = 0, ns = 0; k < count; k++) {
				ns += numbers[2 * k];
				time[k] = ns;
				value[k] = numbers[2 * k + 1];
			}
			return { name, shown: nameText(name), unit: plainName(unit), decimals, rgb, from, to, limit,
				drops, isEvent: Boolean(isEvent), isSilent: Boolean(isSilent), time, value };
		});
	}

	/* The number of the first point after ns. */
	function after({ time }, ns) {
		let low = 0, high = time.length;

		while (low < high) {
			const middle = low + high >> 1;

			if (time[middle] <= ns)
				low = middle + 1;
			else
				high = middle;
		}
		return low;
	}

	/* The time until which the value of a point holds: that of the next point, or that at which it should have been
	 * repeated. */
	function endOf(settings, lane, i) {
		const next = i + 1 < lane.time.length ? lane.time[i + 1] : settings.window;

		if (lane.isEvent)
			return lane.time[i];
		return lane.isSilent ? next : Math.min(next, lane.time[i] + settings.known);
	}

	function at(settings, lane, ns) {
		const i = after(lane, ns) - 1;

		return i >= 0 && (ns <= endOf(settings, lane, i)) ? i : -1;
	}

	function columns(settings, lane, from, to, count) {
		const least = new Float64Array(count).fill(NaN), most = new Float64Array(count).fill(NaN);
		const columnOf = (ns) => Math.floor((ns - from) / (to - from) * count);

		for (let i = Math.max(0, after(lane, from) - 1); i < lane.time.length && lane.time[i] < to; i++) {
			const end = endOf(settings, lane, i), value = lane.value[i];

			if (end < from)
				continue;
			for (let k = Math.max(0, columnOf(lane.time[i])); k <= columnOf(end) && k < count; k++) {
				least[k] = least[k] <= value ? least[k] : value;
				most[k] = most[k] >= value ? most[k] : value;
			}
		}
		return { least, most };
	}

	const valueText = ({ unit, decimals }, value) => (decimals && unit !== 'ns' && unit !== 'bytes'
		? N.quantityText(value, Math.pow(10, decimals)) + ' ' + unit
		: N.valueText({ unit, decimals, factor: 1 }, value)).trim();

	return { decode, at, columns, after, valueText, nameText };
})();
