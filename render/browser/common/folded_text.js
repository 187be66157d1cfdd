/* folded_text: the first line of folded text (core/format/folded.h says what the line means).
 *
 * quoted(text)  -> the bare text if nothing in it could be taken for something else, else a JSON string
 * header(pairs) -> "# pyrograph: host=db1 ... unit=ns\n" of the pairs that a header may have */
pyrograph.folded = (function () {
	'use strict';

	/* "unit" is the last key */
	const KEYS = ['host', 'event', 'start', 'end', 'clock', 'from', 'to', 'cpus', 'clock-error', 'clock-within',
		'clock-hosts', 'own-cost', 'recording-cost', 'rate', 'kernel',
		'command', 'root', 'filter',
		'lost', 'losses', 'unresolved', 'quality', 'columns', 'spans', 'topology', 'open', 'unit'];
	const quoted = (text) => /^[\w.,:+/%@~-]+$/.test(text) ? text
		: JSON.stringify(text).replace(/[\u007f-\u009f]/g, '');
	const header = (pairs) => '# pyrograph: ' + KEYS.filter((key) => typeof pairs[key] === 'string' &&
		pairs[key] !== '')
		.map((key) => key + '=' + quoted(pairs[key])).join(' ') + '\n';

	return { quoted, header };
})();
