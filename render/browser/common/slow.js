/* slow: patterns that may take forever (search.js) are tried in a Worker, which is stopped after a while.
 * Without a Worker (some pages forbid them), the page tries the patterns itself. */
pyrograph.ui.slow = (function () {
	'use strict';

	const S = pyrograph.search, KEPT = 32;
	const answers = new WeakMap();  /* names -> Map: question -> what matcher returns */
	const waiting = [], listeners = [];
	let worker = null, known = null; /* known: the names that the worker has */
	let broken = false, timer = 0;

	/* The Worker runs this function: only its source or, where a policy forbids that, the chart's script file. */
	function work() {
		let names = [], bases = [];

		self.onmessage = ({ data }) => {
			if (data.names !== undefined) {
				names = data.names.split('\n');
				bases = data.bases.split('\n');
				self.postMessage('ready');
				return;
			}
			const re = new RegExp(data.pattern, data.ignoreCase ? 'i' : '');

			self.postMessage(Uint8Array.from(names, (name, i) => re.test(name) || re.test(bases[i]) ? 1
				: 0));
		};
	}

	function end() {
		clearTimeout(timer);
		if (worker)
			worker.terminate();
		worker = known = null;
	}

	function answer(result) {
		const question = waiting.shift(), kept = answers.get(question.names);

		clearTimeout(timer);
		kept.set(question.key, result);
		if (kept.size > KEPT)
			kept.delete(kept.keys().next().value);
		for (const listener of listeners)
			listener();
		next();
	}

	function tooSlow() {
		end();
		answer({ match: null, error: S.TOO_SLOW + waiting[0].pattern });
	}

	function asked({ data }) {
		if (data !== 'ready') {
			answer({ match: data, error: null });
			return;
		}
		const { pattern, ignoreCase } = waiting[0];

		timer = setTimeout(tooSlow, S.LIMIT_MS);
		worker.postMessage({ pattern: pattern, ignoreCase: ignoreCase });
	}

	function failed() {
		broken = true;
		end();
		waiting.length = 0;
		for (const listener of listeners)
			listener();
	}

	/* If the script is a file of a server, a policy may allow no other source, and the browser would complain. */
	function workUrl() {
		const { script } = pyrograph.ui, address = script && (script.src || script.href.baseVal);
		const url = address && new URL(address, document.baseURI);

		return url && /^http/.test(url.protocol) ? url.href
			: URL.createObjectURL(new Blob(['(' + work + ')()'], { type: 'text/javascript' }));
	}

	function begin() {
		worker = new Worker(workUrl());
		worker.onmessage = asked;
		worker.onerror = failed;
	}

	function next() {
		if (!waiting.length)
			return;
		const { names } = waiting[0];

		try {
			if (!worker)
				begin();
		} catch (e) {
			failed();
			return;
		}
		if (known === names) {
			asked({ data: 'ready' });
			return;
		}
		known = names;
		worker.postMessage({ names: names.join('\n'),
			bases: names.map(pyrograph.profile.baseName).join('\n') });
	}

	if (typeof document === 'undefined') {
		work();
		return null;
	}

	S.elsewhere = (names, pattern, ignoreCase) => {
		const key = (ignoreCase ? 'i' : '=') + pattern;

		if (broken)
			return null;
		if (!answers.has(names))
			answers.set(names, new Map());
		const found = answers.get(names).get(key);

		if (found)
			return found;
		if (!waiting.some((question) => question.names === names && question.key === key)) {
			waiting.push({ names: names, key: key, pattern: pattern, ignoreCase: ignoreCase });
			if (waiting.length === 1)
				setTimeout(next, 0);
		}
		return { match: null, error: null, waits: true };
	};

	/* Calls app.searchedElsewhere when the answer to a question arrives. */
	return (app) => listeners.push(app.searchedElsewhere);
})();
