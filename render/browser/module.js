/* module: what a frame's name says of where its code is from.
 *
 * kindOf(name) -> one of KINDS: by the annotation (frame.h), else by the shape of the name
 * moduleOf(name) -> its module; the first rule that fits:
 *     annotation _[k]                    kernel
 *     libfoo.so`func                     libfoo.so
 *     [libfoo.so]                        libfoo.so
 *     java/util/HashMap.get              java/util     package: up to the class
 *     com.example.App::handle            com.example
 *     github.com/gorilla/mux.(*R).Serve  github.com/gorilla/mux
 *     runtime.mallocgc                   runtime
 *     std::vector<int>::push_back        std           namespace or crate: up to the first ::
 *     <alloc::vec::Vec<T> as Drop>::drop alloc
 *     anything else                      native
 */
pyrograph.module = (function () {
	'use strict';

	const KINDS = ['kernel', 'JIT', 'inlined', 'interpreted', 'waker', 'Java', 'C++', 'native',
		'folded', 'separator'];
	const ANNOTATED = { k: 'kernel', j: 'JIT', i: 'inlined', 0: 'interpreted', 1: 'JIT', w: 'waker' };
	const CLONE = /\.(?:part|isra|constprop|cold|lto_priv|llvm|localalias|clone)\b.*$/; /* gcc, clang */
	const JAVA = /^L?(?:java|javax|jdk|net|org|com|io|sun)[/.]/;

	function annotation(name) {
		const found = /_\[([kjiw01])\]$/.exec(name);

		return found ? found[1] : '';
	}

	/* "com.example" of "com.example.App.handle", "" if it has no package. */
	function packageOf(name) {
		const plain = name.replace(CLONE, '');
		const slashed = /^L?((?:[\w$.~-]+\/)+)([\w$-]+)(?=[.:]|$)/.exec(plain);
		const dotted = /^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*(?=[.:])/.exec(plain);

		if (slashed) {
			if (/^[A-Z]/.test(slashed[2]))
				return slashed[1].slice(0, -1);
			return plain[slashed[0].length] === '.' ? slashed[1] + slashed[2] : '';
		}
		if (!dotted || plain.indexOf('.') < 0)
			return '';
		const parts = dotted[0].split('.'), at = parts.findIndex((part) => /^[A-Z]/.test(part));

		if (at > 0)
			return parts.slice(0, at).join('.');
		return at < 0 && plain[parts[0].length] === '.' ? parts[0] : '';
	}

	function namespaceOf(name) {
		const at = name.indexOf('::');

		return at > 0 ? name.slice(0, at).replace(/^.*[ <(&*]/, '') : '';
	}

	function moduleOf(name) {
		const base = pyrograph.profile.baseName(name), tick = base.indexOf('`');

		if (annotation(name) === 'k')
			return 'kernel';
		if (tick > 0)
			return base.slice(0, tick);
		if (/^\[[^\]]+\]$/.test(base))
			return base.slice(1, -1);
		return packageOf(base) || namespaceOf(base) || 'native';
	}

	function kindOf(name) {
		const letter = annotation(name);

		if (letter)
			return ANNOTATED[letter];
		if (name === '...')
			return 'folded';
		if (name === '-' || name === '--')
			return 'separator';
		if (JAVA.test(name) || /^(?:\w+[/.])+[A-Z]\w*(?:\$\w+)*(?:\.|::)/.test(name))
			return 'Java';
		return name.includes('::') ? 'C++' : 'native';
	}

	return { KINDS, kindOf, moduleOf };
})();
