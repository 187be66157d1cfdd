/* known: names that a reader knows without looking: what stacks begin with, whose code it is, and what measures.
 *
 * isBeginning(name) -> is it a function by which processes, threads or the kernel's system calls begin: clone3,
 *                      JavaThread::run, _start, do_syscall_64?
 * isMine(name)      -> is it none of the kernel, the C library, the dynamic linker, the JVM, the libraries of a
 *                      language (java.*, javax.*, jdk.*, sun.*, std::, core::, alloc::, runtime.*)?
 *                      Frames without a name are those of their file.
 * isMeasuring(name) -> does it measure: BPF programs, perf events, uprobes, or a recorder's own process?
 * wallKind(name)    -> what a frame at the leaf says of the time of a thread (render/colours/waits.h): 0: nothing, it
 *                      ran; 1: it waited for a CPU; 2: it was blocked
 * beginnings(tree, names) -> null, or { row, hidden, last }: frames that follow another beginning are hidden.  row:
 *                      by frame, the row above the root in which it is drawn, or that of the first beginning;
 *                      hidden: by frame, 1 or 0; last: Map, by first beginning, of the last one above it, along the
 *                      widest frames, and how many these are: { frame, count } */
pyrograph.known = (function () {
	'use strict';

	const base = (name) => pyrograph.profile.baseName(name);
	const PREFIX = 4;

	/* Tests whether a name is one of these: most are not, as their first letters tell.  Each part begins with so
	 * many letters. */
	function byPrefix(...parts) {
		const found = new Map();

		for (const part of parts)
			found.set(part.slice(0, PREFIX), (found.get(part.slice(0, PREFIX)) || []).concat(part));
		found.forEach((list, prefix) => found.set(prefix, either(...list)));
		return { test: (name) => {
			const one = found.get(name.slice(0, PREFIX));

			return one !== undefined && one.test(base(name));
		} };
	}

	const either = (...parts) => new RegExp('^(?:' + parts.join('|') + ')$');
	const begins = (...parts) => new RegExp('^(?:' + parts.join('|') + ')');

	/* glibc, HotSpot, libstdc++, Rust, Go; Linux: arch/x86/entry, arch/arm64/kernel/entry-common.c,
	 * kernel/kthread.c, kernel/sched/idle.c */
	const BEGINNING = byPrefix('_start(?:_main)?', '__libc_start_(?:main|call_main)(?:_impl)?(?:@.*)?',
		'generic_start_main.*', 'clone3?', '__clone3?', '__GI___clone3?', 'start_thread',
		'thread_native_entry.*', 'Thread::call_run', 'JavaThread::(?:run|thread_main_inner)', 'thread_entry.*',
		'JavaCalls::call(?:_helper|_virtual|_static|_special)?', 'os::os_exception_wrapper', 'call_stub',
		'StubRoutines(?: \\(.*\\))?', 'java[./]lang[./]Thread(?:\\.|::)run(?:With)?',
		'Ljava[./]lang[./]Thread(?:\\.|:?:::?)run(?:With)?', 'ThreadJavaMain', 'JavaMain', 'jni_invoke_static',
		'jni_CallStaticVoidMethod', 'main', 'main\\.main', 'execute_native_thread_routine',
		'std::thread::_State_impl.*_M_run.*', 'std::rt::lang_start.*', 'std::sys::.*thread.*thread_start.*',
		'runtime\\.(?:goexit|main|rt0_go).*', 'entry_(?:SYSCALL|SYSENTER|INT80)\\w*', 'do_syscall_64',
		'do_fast_syscall_32', 'do_int80_syscall_32', 'x64_sys_call', '__do_fast_syscall_32',
		'el0t_64_sync\\w*', 'el0_(?:64_sync|svc)\\w*', 'do_el0_svc\\w*', 'invoke_syscall',
		'asm_(?:exc|sysvec)_\\w+', 'exc_\\w+', 'sysvec_\\w+', 'ret_from_fork(?:_asm)?', 'kthread',
		'secondary_startup_64\\w*', 'common_startup_64', 'x86_64_start_\\w+', 'start_(?:kernel|secondary)',
		'arch_call_rest_init', 'rest_init', 'secondary_start_kernel', 'cpu_startup_entry', 'do_idle');

	const C_LIBRARY = either('__.*', '_(?:IO|dl|int|nl)_.*', '_(?:exit|Exit|init|fini)', 'ld-.*\\.so.*',
		'(?:c|m|re|aligned_)alloc', 'malloc(?:_.*)?', 'c?free', 'mem(?:cpy|move|set|cmp|chr|mem).*',
		'str(?:len|n?cpy|n?cmp|cat|chr|rchr|str|dup|toul?l?|tod|tok).*', 'p?(?:read|write)(?:v|64)?',
		'(?:open|close|fsync|fdatasync|lseek|stat|fstat|lstat|ioctl|fcntl)(?:at)?(?:64)?',
		'(?:e?poll|select|epoll_p?wait2?|ppoll|pselect)', 'f?(?:open|close|read|write|flush|puts|gets|printf)',
		'v?s?n?printf.*', '(?:send|recv)(?:to|from|m?msg)?', 'accept4?', 'connect', 'futex.*', 'syscall',
		'pthread_.*', 'sem_.*', '(?:clock_)?nanosleep', '(?:u?sleep)', 'clock_gettime', 'gettimeofday',
		'mmap(?:64)?', 'munmap', 'madvise', 'mprotect', 'brk', 'sbrk', 'fork', 'vfork', 'exec\\w*', 'wait\\w*',
		'qsort(?:_r)?', 'msort_with_tmp.*', 'exit', 'abort', 'raise', 'sysmalloc', 'unlink_chunk.*',
		'tcache_.*', 'arena_.*', 'sched_yield', 'getdents64', 'readdir(?:64)?', 'lll_.*');
	const JVM = begins('(?:' + ['Java(?:Thread|Calls)', 'Threads?', 'VM(?:Thread|_\\w+|Operation)', 'G1\\w*',
		'Z[A-Z]\\w*', 'Shenandoah\\w*', 'Parallel\\w*', 'PS\\w+', 'GC\\w+', 'WorkerThread', 'Compile\\w*',
		'C[12]Compiler', 'Phase\\w+', 'Interpreter\\w*', '(?:Shared|Opto)?Runtime1?',
		'Object(?:Monitor|Synchronizer)', 'Monitor', 'Mutex\\w*', 'Parker', 'os', 'Unsafe', 'Safepoint\\w+',
		'SystemDictionary', 'ClassLoader\\w*', 'LinkResolver', 'Deoptimization', 'MemAllocator',
		'CollectedHeap', '(?:Instance)?Klass', 'oopDesc', 'v?frame\\w*'].join('|') + ')::',
	'Interpreter', 'call_stub', 'StubRoutines', '[vi]table stub', 'Unsafe_', 'JVM_', 'jni_',
	'Java_(?:java|jdk|sun)_');
	const LANGUAGES = begins('L?(?:java|javax|jdk|sun|com[./]sun|kotlin|scala|clojure)[./]',
		'[<&]*(?:std|core|alloc|__gnu_cxx)::', 'operator (?:new|delete)', 'runtime[./]', 'Builtins_', 'v8::',
		'node::', '_?Py(?:[A-Z]|_)');
	const FILES = either('\\[.*(?:\\.so\\b.*|unknown.*|kernel.*|vdso|vsyscall|guest.*)\\]',
		'(?:lib|ld-)[\\w.+-]*\\.so\\b.*', '0x[0-9a-f]+',
		'\\[?(?:lib(?:c|m|dl|rt|pthread|jvm|java|nio|net|stdc\\+\\+|gcc_s)[-.]|ld-)[^`]*`.*');

	/* Linux: kernel/bpf, kernel/events, arch/x86/events */
	const MEASURES = either('bpf_(?:prog|trampoline|trace_run|get_stack|ringbuf|perf_event)\\w*',
		'__bpf_(?:trace|get_stack)\\w*', 'trace_call_bpf', '(?:__)?perf_\\w+', '(?:arch_)?uprobe\\w*',
		'uretprobe\\w*', 'handle_swbp', '(?:x86|armv8|intel|amd)_pmu\\w*');
	const RECORDER = /^pyrograph(?:-colle(?:ct)?)?(?:-(?:\d+|\?))?(?:\/.*)?$/;

	const MAIN = /^main(?:\.main)?$/; /* the last beginning, or a program's name */
	const isKernel = (name) => /_\[k\](?:_\[w\])?$/.test(name);
	const isBeginning = (name) => BEGINNING.test(name);
	const isMeasuring = (name) => RECORDER.test(name) || (/_\[k\]$/.test(name) && MEASURES.test(base(name)));

	function isMine(name) {
		const text = base(base(name));

		if (isKernel(name))
			return false;
		return text === '--' || !(C_LIBRARY.test(text) || JVM.test(text) || LANGUAGES.test(text) ||
			FILES.test(text) || (BEGINNING.test(text) && !MAIN.test(text)));
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
				isMain: known.map((is, n) => is && MAIN.test(base(names[n]))) });
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

	return { wallKind, isBeginning, isMine, isMeasuring, beginnings };
})();
