/* link_text: a view as the text after "#" in a link, and back.  Pure: no location here.
 *
 * encoded(text, harmless) -> percent-encoded, except for the characters in harmless
 * decoded(text)       -> the text before encoding; parts that encoded() cannot have made stay as they are
 * codec(fields)       -> { emptyView, encode, decode } of views that are made of these fields, in order:
 *     [key in the link, member of the view, type, ...more]
 *         "text"        null, or a text
 *         "flag"        false; or true, as key=1
 *         "not"         true; or false, as key=1
 *         "maybe"       null; or true, as key=1; or false, as key=0
 *         "choice"      the first of more (the default), or another of them
 *         "pattern"     { pattern, ignoreCase }: key=regexp, keyi=regexp
 *     Members with the value of emptyView() are left out.  Unknown keys are ignored. */
pyrograph.linkText = (function () {
	'use strict';

	const HARMLESS = /%(?:3A|2F|2C|40|24)/g;

	const encoded = (text, harmless = HARMLESS) => encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'))
		.replace(harmless, decodeURIComponent);

	function decoded(text) {
		try {
			return decodeURIComponent(text);
		} catch (e) {
			return text;
		}
	}

	const TYPES = {
		text: { empty: () => null, text: (value) => value, value: (text) => text },
		flag: { empty: () => false, text: (value) => value ? '1' : null, value: (text) => text === '1' },
		not: { empty: () => true, text: (value) => value ? null : '1', value: (text) => text !== '1' },
		maybe: { empty: () => null, text: (value) => value === null ? null : value ? '1' : '0',
			value: (text) => /^[01]$/.test(text) ? text === '1' : null },
		choice: { empty: (first) => first, text: (value, first) => value === first ? null : value,
			value: (text, ...all) => all.includes(text) ? text : all[0] },
	};
	const emptyPattern = () => ({ pattern: '', ignoreCase: false });

	function codec(fields) {
		const emptyView = () => Object.fromEntries(fields.map(([, member, type, ...more]) =>
			[member, type === 'pattern' ? emptyPattern() : TYPES[type].empty(...more)]));

		function encode(view) {
			const out = [];

			for (const [key, member, type, ...more] of fields) {
				const value = view[member], text = type === 'pattern' ? value.pattern || null
					: TYPES[type].text(value, ...more);

				if (text !== null)
					out.push(key + (type === 'pattern' && value.ignoreCase ? 'i=' : '=') +
						encoded(text));
			}
			return out.join('&');
		}

		function take(view, name, text) {
			for (const [key, member, type, ...more] of fields) {
				if (type === 'pattern' && (name === key || name === key + 'i'))
					view[member] = { pattern: text, ignoreCase: name !== key };
				else if (type !== 'pattern' && name === key)
					view[member] = TYPES[type].value(text, ...more);
			}
		}

		function decode(text) {
			const view = emptyView();

			for (const part of text.split(/[?#&]/)) {
				const at = part.indexOf('=');

				if (at > 0)
					take(view, part.slice(0, at), decoded(part.slice(at + 1)));
			}
			return view;
		}

		return { emptyView, encode, decode };
	}

	return { encoded, decoded, codec };
})();
