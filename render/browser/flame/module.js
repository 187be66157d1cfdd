/* module: finds out from a frame's name where its code comes from.
 *
 * kindOf(name)   -> one of KINDS: from the annotation (frame.h), else from the form of the name
 * moduleOf(name) -> its module, by the rules of rules.h: "libc.so.6", "kernel",
 *                   "com.example", "github.com/x/y", "std", "native" */
pyrograph.module = (function () {
	'use strict';

	const KINDS = ['kernel', 'JIT', 'inlined', 'interpreted', 'waker', 'Java', 'C++', 'native',
		'folded', 'separator'];
	const ANNOTATED = { k: 'kernel', j: 'JIT', i: 'inlined', '?': 'inlined', 0: 'interpreted', 1: 'JIT',
		w: 'waker' };
	const SUFFIX = /^\.(?:part\.|isra\.|constprop\.|cold|lto_priv\.|llvm\.)/; /* of gcc and clang */
	const PLACE = /^([^[\]`]+)\+0x[0-9a-f]+$/s;      /* of a function without a name */
	const JAVA = /^L?(?:java|javax|jdk|net|org|com|io|sun)[/.]/;
	const GO = /^[a-z][\w.-]*\/(?:[^:( ]*\/)?[a-z][\w-]*\./; /* "net/http.(*conn).serve" */
	const SCRIPT = /^(?:py::|JS:)/;                         /* CPython's and V8's names of what they compiled */

	function annotation(name) {
		const found = /_\[([kjiwp01?])\]$/.exec(name);

		return found ? found[1] : '';
	}

	/* The part of a name that may contain a package: up to the first "::", "(", "<", " " or ":". */
	function pathOf(name) {
		const path = /^[^:(< ]*/.exec(name)[0];

		return /^L[a-z].*\//.test(path) ? path.slice(1) : path;
	}

	/* "com.example" for "com.example.App.handle"; "" if the name has no package. */
	function packageOf(name) {
		const path = pathOf(name), slash = path.lastIndexOf('/');
		let end = Math.max(slash, 0), start = slash + 1, first = 0;

		while (/^[a-z]/.test(path.charAt(start))) {
			const dot = path.indexOf('.', start);

			if (dot < 0 || SUFFIX.test(path.slice(dot)))
				break;
			end = dot;
			first = first || dot;
			start = dot + 1;
		}
		return path.slice(0, first && !/^[A-Z]/.test(path.charAt(start)) ? first : end);
	}

	function namespaceOf(name) {
		const found = /^[<&]?([A-Za-z0-9_$]+)::/.exec(name);

		return found ? found[1] : '';
	}

	function moduleOf(name) {
		const base = pyrograph.profile.baseName(name), tick = base.indexOf('`');

		if (tick > 0)
			return base.slice(0, tick);
		if (/^\[.+\]$/s.test(base))
			return base.slice(1, -1);
		if (annotation(name) === 'k')
			return 'kernel';
		return PLACE.exec(base)?.[1] || packageOf(base) || namespaceOf(base) || 'native';
	}

	/* Does the name belong to a class without a package, such as "App.main" or "byte[]"? */
	function isOfPlainClass(name) {
		const found = /^[A-Z][\w$]*(\.[\w$<].*)$/.exec(name);

		return found ? !SUFFIX.test(found[1]) && !/^\.func\d/.test(found[1]) : /^[\w$.]+(?:\[\])+$/.test(name);
	}

	function kindOf(name) {
		const letter = annotation(name);

		if (letter)
			return ANNOTATED[letter];
		if (name === '...')
			return 'folded';
		if (name === '-' || name === '--')
			return 'separator';
		if (SCRIPT.test(name))
			return 'JIT';
		if ((JAVA.test(name) && !GO.test(name)) || /^(?:\w+[/.])+[A-Z]\w*(?:\$\w+)*(?:\.|::)/.test(name) ||
			isOfPlainClass(name))
			return 'Java';
		return name.includes('::') ? 'C++' : 'native';
	}

	return { KINDS, kindOf, moduleOf };
})();
