/* known: what the names of functions tell: whether stacks begin with them, whose code they are, and whether they
 * measure.
 *
 * isBeginning(name) -> is it a function by which processes, threads or the kernel's system calls begin: clone3,
 *                      JavaThread::run, _start, do_syscall_64?
 * isMine(name)      -> is it outside the kernel, the C library, the dynamic linker, language runtimes, libraries and
 *                      packages (core/symbols/names/runtimes.js)?  Frames without a name count as their file does.
 * mineOf(names)     -> the same function for a profile with these names: the languages in it tell more
 * isMeasuring(name) -> does it measure: BPF programs, perf events, uprobes, or a recorder's own process?
 * wallKind(name)    -> what a leaf frame tells about the time of a thread (render/colours/waits.h): 0: nothing, it
 *                      ran; 1: it waited for a CPU; 2: it was blocked
 * beginnings(tree, names) -> null, or { row, hidden, last }: frames that follow another beginning are hidden.  row:
 *                      by frame, the row above the root in which it is drawn, or that of the first beginning;
 *                      hidden: by frame, 1 or 0; last: Map, by first beginning, the last one above it, along the
 *                      widest frames, and how many there are: { frame, count } */
pyrograph.known = (function () {
	'use strict';

	const base = (name) => pyrograph.profile.baseName(name);

	/* The table of core/symbols/names/runtimes.js: { language, kind, glob } each. */
	const ROWS = pyrograph.runtimes.split('\n').filter((line) => /^[a-z]/.test(line)).flatMap((line) => {
		const [language, kind, ...globs] = line.split(' ');

		return globs.map((glob) => ({ language, kind, glob }));
	});
	const CHARACTERS = { '*': '[^]*', '?': '[^]', '%': '[a-z_]' };
	const source = (glob) => glob.replace(/[.+^${}()|[\]\\]/g, '\\$&').replace(/[*?%]/g, (c) => CHARACTERS[c]);
	const either = (...parts) => new RegExp('^(?:' + parts.join('|') + ')$');

	/* Tests whether a name belongs to one of the wanted rows.  The first characters suffice to exclude most
	 * names. */
	function matcher(isWanted) {
		const found = new Map();

		for (const { glob } of ROWS.filter(isWanted)) {
			const first = '*?'.includes(glob[0]) ? '' : glob[0];

			found.set(first, (found.get(first) || []).concat(source(glob)));
		}
		found.forEach((list, first) => found.set(first, either(...list)));
		return (name) => [name.charAt(0), ''].some((first) => found.has(first) && found.get(first).test(name));
	}

	const ofKinds = (...kinds) => ({ kind }) => kinds.includes(kind);
	const isBegin = matcher(ofKinds('main', 'begin'));
	const isMain = matcher(ofKinds('main'));         /* the last beginning, or a program's name */
	const isRuntime = matcher((row) => row.language !== 'linux' && (ofKinds('begin', 'name', 'package')(row) ||
		(row.language === 'c' && row.kind === 'short')));
	const isFile = matcher(ofKinds('file'));
	const LANGUAGES = Array.from(new Set(ROWS.filter(ofKinds('inner', 'short')).map((row) => row.language)),
		(language) => ({ language, isSure: matcher((row) => row.language === language &&
			ofKinds('name', 'begin')(row)), isInner: matcher((row) => row.language === language &&
			ofKinds('inner', 'short')(row)) })).filter(({ language }) => language !== 'c');

	const FILES = either('\\[.*(?:\\.so\\b.*|unknown.*|kernel.*|vdso|vsyscall|guest.*)\\]',
		'(?:lib|ld-)[\\w.+-]*\\.so\\b.*', '0x[0-9a-f]+',
		'\\[?(?:lib(?:c|m|dl|rt|pthread|jvm|java|nio|net|stdc\\+\\+|gcc_s)[-.]|ld-)[^`]*`.*');
	const PLACE = /^(?:\[([^\]]+)\]|(.+)\+0x[0-9a-f]+|([^`]+)`.*)$/s; /* "[node]", "node+0x1f", "node`main" */

	/* Linux: kernel/bpf, kernel/events, arch/x86/events */
	const MEASURES = either('bpf_(?:prog|trampoline|trace_run|get_stack|ringbuf|perf_event)\\w*',
		'__bpf_(?:trace|get_stack)\\w*', 'trace_call_bpf', '(?:__)?perf_\\w+', '(?:arch_)?uprobe\\w*',
		'uretprobe\\w*', 'handle_swbp', '(?:x86|armv8|intel|amd)_pmu\\w*');
	const RECORDER = /^pyrograph(?:-colle(?:ct)?)?(?:-(?:\d+|\?))?(?:\/.*)?$/;

	const isKernel = (name) => /_\[k\](?:_\[w\])?$/.test(name);
	const isBeginning = (name) => isBegin(base(name));
	const isMeasuring = (name) => RECORDER.test(name) || (/_\[k\]$/.test(name) && MEASURES.test(base(name)));

	function isOfRuntimeFile(text) {
		const place = PLACE.exec(text);

		return place !== null && isFile((place[1] || place[2] || place[3]).split(' ')[0]);
	}

	/* near: whether only languages count that are in the profile. */
	function isMineNear(name, near) {
		const text = base(base(name));

		if (isKernel(name))
			return false;
		return text === '--' || isMain(text) || !(isRuntime(text) || FILES.test(text) ||
			isOfRuntimeFile(text) || near.some((language) => language.isInner(text)));
	}

	const isMine = (name) => isMineNear(name, []);

	function mineOf(names) {
		const texts = names.filter((name) => !isKernel(name)).map((name) => base(base(name)));
		const near = LANGUAGES.filter((language) => texts.some(language.isSure));

		return (name) => isMineNear(name, near);
	}

	/* The last beginning above a first one: along the widest hidden children. */
	function lastOf(tree, hidden, first) {
		let at = first, count = 1;

		for (;;) {
			let next = -1;

			for (let c = at + 1; c < tree.end[at]; c = tree.end[c]) {
				if (hidden[c] && (next < 0 || tree.total[c] > tree.total[next]))
					next = c;
			}
			if (next < 0)
				return { frame: at, count: count };
			at = next;
			count++;
		}
	}

	const kept = new WeakMap(); /* names -> by name: whether it is a beginning, and "main" */

	function knownOf(names) {
		if (!kept.has(names)) {
			const known = names.map(isBeginning);

			kept.set(names, { known: known,
				isMain: known.map((is, n) => is && isMain(base(names[n]))) });
		}
		return kept.get(names);
	}

	function beginnings(tree, names) {
		const { known, isMain } = knownOf(names);
		const { name, parent, count } = tree;
		const row = new Uint32Array(count), hidden = new Uint8Array(count), last = new Map();

		for (let i = 1; i < count; i++) {
			const below = parent[i], first = known[name[below]] && !isMain[name[below]];

			hidden[i] = below && known[name[i]] && (first || hidden[below]) ? 1 : 0;
			row[i] = row[parent[i]] + 1 - hidden[i];
		}
		for (let i = 1; i < count; i++) {
			if (hidden[i] && !hidden[parent[i]] && !last.has(parent[i]))
				last.set(parent[i], lastOf(tree, hidden, parent[i]));
		}
		return last.size ? { row: row, hidden: hidden, last: last } : null;
	}

	const WALL = [['[runnable]', 1], ['[by ', 1], ['[blocked: ', 2]];

	function wallKind(name) {
		const found = WALL.find(([begin]) => name.startsWith(begin));

		return found ? found[1] : 0;
	}

	return { wallKind, isBeginning, isMine, mineOf, isMeasuring, beginnings };
})();
