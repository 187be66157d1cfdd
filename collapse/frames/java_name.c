#include "collapse/frames/java_name.h"

#include "core/symbols/names/class_name.h"

static bool fold_java_name_is_letter(char c)
{
	return ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') || c == '_' || c == '$' || c & 0x80;
}

/* Of a class: "com/example/App$Inner", "App$$Lambda$14/0x00007f5e8c000a18", Kotlin's "AppKt$main-1".  A '-' before '>' is
 * that of "->". */
static size_t class_len(struct text_span name)
{
	size_t n = 0;

	while (n < name.len &&
	       (fold_java_name_is_letter(name.text[n]) || is_digit(name.text[n]) || memchr("/.+-", name.text[n], 4)) &&
	       !span_begins(span_after(name, n), "->"))
		n++;
	return n && fold_java_name_is_letter(name.text[0]) ? n : 0;
}

static size_t method_len(struct text_span name)
{
	size_t n = 0;

	if (span_begins(name, "<init>"))
		return strlen("<init>");
	if (span_begins(name, "<clinit>"))
		return strlen("<clinit>");
	while (n < name.len &&
	       (fold_java_name_is_letter(name.text[n]) || is_digit(name.text[n]) || name.text[n] == '-') &&
	       !span_begins(span_after(name, n), "->"))
		n++;
	return n;
}

/* "(I[Ljava/lang/String;)V", which may be missing */
static size_t signature_len(struct text_span name)
{
	size_t n = span_begins(name, "(") ? 1 : 0;

	while (n && n < name.len &&
	       (fold_java_name_is_letter(name.text[n]) || is_digit(name.text[n]) || memchr("/;[)", name.text[n], 4)))
		n++;
	return n;
}

/* A method with its class: "Lcom/example/App;::run(I)V", "com.example.App::run". */
struct method {
	struct text_span class, separator, name;
	bool is_signature; /* the class is written as in descriptors */
};

/* Take a method off the front of text. */
static bool take_method(struct text_span *text, struct method *m)
{
	struct text_span rest = *text;
	size_t n = class_len(rest);

	m->is_signature = n > 1 && rest.text[0] == 'L' && n < rest.len && rest.text[n] == ';';
	m->class = (struct text_span){ rest.text + m->is_signature, n - m->is_signature };
	rest = span_after(rest, n + m->is_signature);
	m->separator = (struct text_span){ rest.text, span_begins(rest, "::") ? 2 : 0 };
	if (m->is_signature && span_begins(rest, "."))
		m->separator.len = 1;
	rest = span_after(rest, m->separator.len);
	m->name = (struct text_span){ rest.text, method_len(rest) };
	if (!n || !m->separator.len || !m->name.len)
		return false;
	rest = span_after(rest, m->name.len);
	*text = span_after(rest, signature_len(rest));
	return true;
}

bool java_name_is_chain(struct text_span name)
{
	size_t methods = 1;
	struct method m;

	while (take_method(&name, &m)) {
		if (!name.len)
			return methods > 1;
		if (!span_skip(&name, "->"))
			return false;
		methods++;
	}
	return false;
}

/* "void com.example.App.run(int, byte[])": "TYPE CLASS.METHOD(TYPES)" */
static bool is_declaration(struct text_span name)
{
	size_t blank = span_find(name, " "), open = span_find(name, "("), at = blank + 1;

	if (blank >= open || !blank || !fold_java_name_is_letter(name.text[0]) || !span_ends(name, ")"))
		return false;
	at += class_len(span_after(name, at));
	if (span_begins(span_after(name, at), "<") && name.text[at - 1] == '.')
		at += method_len(span_after(name, at));
	if (at != open || span_has((struct text_span){ name.text, open }, "::"))
		return false;
	for (size_t i = 0; i < name.len; i++) {
		bool is_type = i < blank || i > open;

		if (is_type && !fold_java_name_is_letter(name.text[i]) && !is_digit(name.text[i]) &&
		    !memchr("./+-$[], )", name.text[i], 10))
			return false;
	}
	return true;
}

bool java_name_add(struct str *out, struct text_span name)
{
	struct text_span rest = name;
	struct method m;

	if (is_declaration(name))
		return java_perfmap_name(out, name.text, name.len);
	if (!name.len || name.text[0] != 'L' || !take_method(&rest, &m) || rest.len || !m.is_signature)
		return false;
	str_add(out, m.class.text, m.class.len);
	str_add(out, m.separator.text, m.separator.len);
	str_add(out, m.name.text, m.name.len);
	return true;
}
