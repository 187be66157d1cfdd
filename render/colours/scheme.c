#include "render/colours/scheme.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "core/str.h"
#include "core/symbols/names/runtimes.h"
#include "render/colours/hue.h"
#include "render/colours/state_colours.h"
#include "render/profile/frame.h"

static bool scheme_has(const char *name, size_t len, const char *part)
{
	return memmem(name, len, part, strlen(part));
}

static bool begins_with_any(const char *name, size_t len, const char *const *starts)
{
	for (; *starts; starts++) {
		if (text_begins(name, len, *starts))
			return true;
	}
	return false;
}

/* ---- of one kind of colour -------------------------------------------------- */

static uint32_t hot(const struct vector *v)
{
	return hue_rgb(205 + hue_part(50, v->v3), hue_part(230, v->v1), hue_part(55, v->v2));
}

static uint32_t mem(const struct vector *v)
{
	return hue_rgb(0, 190 + hue_part(50, v->v2), hue_part(210, v->v1));
}

static uint32_t io(const struct vector *v)
{
	uint32_t x = 80 + hue_part(60, v->v1);

	return hue_rgb(x, x, 190 + hue_part(55, v->v2));
}

#define OF_ONE_HUE(function, hue)                        \
	static uint32_t function(const struct vector *v) \
	{                                                \
		return hue(v->v1);                       \
	}

OF_ONE_HUE(scheme_red, hue_red)
OF_ONE_HUE(scheme_green, hue_green)
OF_ONE_HUE(scheme_blue, hue_blue)
OF_ONE_HUE(yellow, hue_yellow)
OF_ONE_HUE(purple, hue_purple)
OF_ONE_HUE(aqua, hue_aqua)
OF_ONE_HUE(orange, hue_orange)
OF_ONE_HUE(viridis, hue_viridis)
OF_ONE_HUE(sand, hue_sand)
OF_ONE_HUE(mist, hue_mist)
OF_ONE_HUE(sage, hue_sage)

/* ---- chain: off-CPU stacks and, after "--", their wakers (stack_edit.h) ------- */

enum { OFF_CPU, WAKES };

static const struct scheme_kind chain_kinds[] = {
	[OFF_CPU] = { "off-CPU", hue_blue }, [WAKES] = { "waker", hue_aqua }, { 0 }
};

static size_t chain_kind(const char *name, size_t len)
{
	return scheme_has(name, len, "_[w]") ? WAKES : OFF_CPU;
}

/* ---- wall: by name; flame graphs mix these colours by share (waits.h) ---------- */

static const struct scheme_kind wall_hues[] = { [WALL_RUNNING] = { "functions", hue_sky },
						[WALL_RUNNABLE] = { "waiting for a CPU", hue_vermilion },
						[WALL_BLOCKED] = { "blocked", hue_amber },
						{ 0 } };

static size_t wall_kind(const char *name, size_t len)
{
	return wall_kind_called(name, len);
}

static bool is_go_name(const char *name, size_t len);

/* ---- java, safe: by annotation, else by what the name looks like ------------- */

enum {
	JAVA,
	JAVASCRIPT,
	PYTHON,
	GO,
	COMPILED,
	QUICK,
	QUICK_OTHER,
	INTERPRETED,
	INLINED,
	LIKELY,
	CPP,
	KERNEL,
	WAKER,
	NATIVE
};

static const struct scheme_kind java_kinds[] = { [JAVA] = { "Java", hue_green },
						 [JAVASCRIPT] = { "JavaScript", hue_green },
						 [PYTHON] = { "Python", hue_green },
						 [GO] = { "Go", hue_green },
						 [COMPILED] = { "JIT", hue_green },
						 [QUICK] = { "Java, C1", hue_lime },
						 [QUICK_OTHER] = { "JIT, quick", hue_lime },
						 [INTERPRETED] = { "interpreted", hue_pale_green },
						 [INLINED] = { "inlined", hue_aqua },
						 [LIKELY] = { "inlined, likely", hue_pale_aqua },
						 [CPP] = { "C++", hue_yellow },
						 [KERNEL] = { "kernel", hue_orange },
						 [WAKER] = { "waker", hue_purple },
						 [NATIVE] = { "native", hue_red },
						 { 0 } };

static const struct scheme_kind safe_kinds[] = { [JAVA] = { "JIT", hue_bluish_green },
						 [JAVASCRIPT] = { "JIT", hue_bluish_green },
						 [PYTHON] = { "JIT", hue_bluish_green },
						 [GO] = { "Go", hue_bluish_green },
						 [COMPILED] = { "JIT", hue_bluish_green },
						 [QUICK] = { "JIT, quick", hue_pale_bluish_green },
						 [QUICK_OTHER] = { "JIT, quick", hue_pale_bluish_green },
						 [INTERPRETED] = { "interpreted", hue_silver },
						 [INLINED] = { "inlined", hue_sky },
						 [LIKELY] = { "inlined, likely", hue_pale_sky },
						 [CPP] = { "C++", hue_lemon },
						 [KERNEL] = { "kernel", hue_amber },
						 [WAKER] = { "waker", hue_mauve },
						 [NATIVE] = { "native", hue_vermilion },
						 { 0 } };

/* Prefixes of names from CPython (-X perf) and V8 (--perf-basic-prof).  COMPILED: no known prefix. */
static size_t language_kind(const char *name, size_t len)
{
	static const char *const v8[] = { "JS:", "LazyCompile:", "Function:", "Script:", "Eval:", NULL };

	if (text_begins(name, len, "py::"))
		return PYTHON;
	if (begins_with_any(name, len, v8))
		return JAVASCRIPT;
	return is_java_name(name, frame_base_len(name, len)) ? JAVA : COMPILED;
}

/* In names of JIT code, "::" does not mean C++: "com.example.App::run". */
static size_t jit_kind(const char *name, size_t len)
{
	size_t kind = language_kind(name, len);

	return kind == COMPILED && scheme_has(name, len, "::") ? JAVA : kind;
}

static size_t java_kind(const char *name, size_t len)
{
	size_t language;

	switch (frame_annotation(name, len)) {
	case 'j': return jit_kind(name, len);
	case '1': return jit_kind(name, len) == JAVA ? QUICK : QUICK_OTHER;
	case '0': return INTERPRETED;
	case 'p': return PYTHON;
	case 'i': return INLINED;
	case '?': return LIKELY;
	case 'k': return KERNEL;
	case 'w': return WAKER;
	}
	language = language_kind(name, len);
	if (language != COMPILED || scheme_has(name, len, ":::"))
		return language != COMPILED ? language : JAVA;
	if (scheme_has(name, len, "::"))
		return CPP;
	return is_go_name(name, len) ? GO : NATIVE;
}

/* ---- perl, js ----------------------------------------------------------------- */

enum { SCRIPT, BUILT_IN, SCRIPT_CPP, SCRIPT_KERNEL, SCRIPT_NATIVE };

static const struct scheme_kind perl_kinds[] = {
	[SCRIPT] = { "Perl", hue_green },        [BUILT_IN] = { "built-in", hue_aqua },
	[SCRIPT_CPP] = { "C++", hue_yellow },    [SCRIPT_KERNEL] = { "kernel", hue_orange },
	[SCRIPT_NATIVE] = { "native", hue_red }, { 0 }
};

static const struct scheme_kind js_kinds[] = {
	[SCRIPT] = { "JavaScript", hue_green },  [BUILT_IN] = { "built-in", hue_aqua },
	[SCRIPT_CPP] = { "C++", hue_yellow },    [SCRIPT_KERNEL] = { "kernel", hue_orange },
	[SCRIPT_NATIVE] = { "native", hue_red }, { 0 }
};

static size_t perl_kind(const char *name, size_t len)
{
	if (frame_annotation(name, len) == 'k')
		return SCRIPT_KERNEL;
	if (scheme_has(name, len, "::"))
		return SCRIPT_CPP;
	return scheme_has(name, len, "Perl") || scheme_has(name, len, ".pl") ? SCRIPT : SCRIPT_NATIVE;
}

/* "~/src/app.js:12": a script's path. */
static bool is_script_path(const char *name, size_t len)
{
	const char *slash = memchr(name, '/', len);

	return slash && scheme_has(slash, len - (size_t)(slash - name), ".js");
}

static size_t js_kind(const char *name, size_t len)
{
	char annotation = frame_annotation(name, len);

	if (annotation == 'k')
		return SCRIPT_KERNEL;
	if (annotation == 'j' || annotation == '1' || annotation == '0')
		return memchr(name, '/', len) ? SCRIPT : BUILT_IN;
	if (scheme_has(name, len, "::"))
		return SCRIPT_CPP;
	if (is_script_path(name, len))
		return SCRIPT;
	if (memchr(name, ':', len))
		return BUILT_IN;
	if (len == 1 && name[0] == ' ') /* a missing symbol */
		return SCRIPT;
	return scheme_has(name, len, "_[k]") ? SCRIPT_KERNEL : SCRIPT_NATIVE;
}

/* ---- python ------------------------------------------------------------------- */

enum { PROGRAM, LIBRARY, PACKAGE, PYTHON_FRAME };

static const struct scheme_kind python_kinds[] = {
	[PROGRAM] = { "program", hue_red },         [LIBRARY] = { "standard library", hue_yellow },
	[PACKAGE] = { "packages", hue_aqua },       [PYTHON_FRAME] = { "Python", hue_green }, { 0 }
};

/* "python3.9", "Python39": a directory of the standard library. */
static bool is_python_dir(const char *part, size_t len)
{
	if (!text_begins(part, len, "python") && !text_begins(part, len, "Python"))
		return false;
	for (size_t i = strlen("python"); i < len; i++) {
		if (part[i] != '.' && (part[i] < '0' || part[i] > '9'))
			return false;
	}
	return true;
}

static size_t python_kind(const char *name, size_t len)
{
	static const char *const builtin[] = { "<built-in", "<method", "<frozen", NULL };
	size_t kind = begins_with_any(name, len, builtin) ? LIBRARY : PROGRAM;

	if (frame_annotation(name, len) == 'p')
		return PYTHON_FRAME;
	for (size_t at = 0, end; at <= len; at = end + 1) {
		for (end = at; end < len && name[end] != '/' && name[end] != '\\'; end++)
			;
		if (end - at == strlen("site-packages") && text_begins(name + at, end - at, "site-packages"))
			return PACKAGE;
		if (is_python_dir(name + at, end - at))
			kind = LIBRARY;
	}
	return kind;
}

/* ---- rust --------------------------------------------------------------------- */

enum { STANDARD, CRATE, OTHER };

static const struct scheme_kind rust_kinds[] = { [STANDARD] = { "standard library", hue_orange },
						 [CRATE] = { "crates", hue_aqua },
						 [OTHER] = { "not Rust", hue_yellow },
						 { 0 } };

static size_t rust_kind(const char *name, size_t len)
{
	static const char *const standard[] = { "core::", "std::", "alloc::", "<std::", "<alloc::", NULL };
	const char *quote = memchr(name, '`', len);

	if (quote) {
		len -= (size_t)(quote + 1 - name);
		name = quote + 1;
	}
	if (begins_with_any(name, len, standard))
		return STANDARD;
	/* the user's async functions are not library code, though their generated names look like it */
	if (text_begins(name, len, "<core::") && !text_begins(name, len, "<core::future::from_generator::GenFuture<T>"))
		return STANDARD;
	return scheme_has(name, len, "::") ? CRATE : OTHER;
}

/* ---- all ---------------------------------------------------------------------- */

const struct scheme schemes[] = { { "hot", hot, NULL, NULL },
				  { "mem", mem, NULL, NULL },
				  { "io", io, NULL, NULL },
				  { "red", scheme_red, NULL, NULL },
				  { "green", scheme_green, NULL, NULL },
				  { "blue", scheme_blue, NULL, NULL },
				  { "yellow", yellow, NULL, NULL },
				  { "purple", purple, NULL, NULL },
				  { "aqua", aqua, NULL, NULL },
				  { "orange", orange, NULL, NULL },
				  { "wakeup", aqua, NULL, NULL },
				  { "chain", NULL, chain_kind, chain_kinds },
				  { "java", NULL, java_kind, java_kinds },
				  { "js", NULL, js_kind, js_kinds },
				  { "perl", NULL, perl_kind, perl_kinds },
				  { "python", NULL, python_kind, python_kinds },
				  { "rust", NULL, rust_kind, rust_kinds },
				  { "safe", NULL, java_kind, safe_kinds },
				  { "viridis", viridis, NULL, NULL },
				  { "sand", sand, NULL, NULL },
				  { "mist", mist, NULL, NULL },
				  { "sage", sage, NULL, NULL },
				  { "wall", NULL, wall_kind, wall_hues },
				  { 0 } };

const char *scheme_name(size_t i)
{
	return schemes[i].name;
}

uint32_t scheme_colour(const struct scheme *s, const char *name, size_t len, const struct vector *v)
{
	return hue_readable(s->kinds ? s->kinds[s->kind(name, len)].hue(v->v1) : s->colour(v));
}

/* ---- the kinds of time of --wall ---- */

/* As in charts of states.  Black text has a contrast of at least 7:1 on all of them, and on all mixtures. */
const struct wall_kind wall_kinds[WALL_KINDS] = { [WALL_RUNNING] = { "running", STATE_RUNNING_RGB },
						  [WALL_RUNNABLE] = { "waiting for a CPU", STATE_QUANTUM_RGB },
						  [WALL_BLOCKED] = { "blocked", STATE_BLOCKED_RGB } };

unsigned wall_kind_called(const char *name, size_t len)
{
	static const struct {
		const char *begin;
		unsigned kind;
	} kinds[] = { { "[runnable]", WALL_RUNNABLE }, { "[by ", WALL_RUNNABLE }, { "[blocked: ", WALL_BLOCKED } };

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		size_t begin_len = strlen(kinds[i].begin);

		if (len >= begin_len && !memcmp(name, kinds[i].begin, begin_len))
			return kinds[i].kind;
	}
	return WALL_RUNNING;
}

/* ---- names of Java methods ---- */

static bool is_of_identifier(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

/* "example.App"; but not Go's "net.Listen.func1", which has no package after "net". */
static bool has_class(const char *name, size_t len)
{
	for (size_t i = 0; i + 1 < len && (is_of_identifier(name[i]) || name[i] == '.'); i++) {
		if (i && name[i] == '.' && isupper((unsigned char)name[i + 1]))
			return true;
	}
	return false;
}

/* "net/http.(*conn).serve", "io/fs.Glob": after the last '/' comes a name in lower case, and '.'. */
static bool is_go_package(const char *name, size_t len)
{
	size_t path = 0, start = 0;

	while (path < len && !memchr(":(< ", name[path], 4))
		path++;
	for (size_t i = 0; i < path; i++)
		start = name[i] == '/' ? i + 1 : start;
	return start < path && islower((unsigned char)name[start]) && memchr(name + start, '.', path - start);
}

/* "java/lang/String", "java.lang.String" */
static bool has_package(const char *name, size_t len)
{
	static const char *const roots[] = { "java", "javax", "jdk", "net", "org", "com", "io", "sun" };

	for (size_t i = 0; i < sizeof(roots) / sizeof(*roots); i++) {
		size_t root = strlen(roots[i]);

		if (!text_begins(name, len, roots[i]) || len == root)
			continue;
		if (name[root] == '/')
			return *name == 'j' || !is_go_package(name, len);
		if (name[root] == '.' && (*name == 'j' || has_class(name + root + 1, len - root - 1)))
			return true;
	}
	return false;
}

static bool colours_java_name_is_part(const char *name, size_t len)
{
	static const char *const parts[] = {
		"part.", "isra.", "constprop.", "cold", "lto_priv.", "llvm.", "localalias"
	};

	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
		if (text_begins(name, len, parts[i]))
			return true;
	}
	return len > 4 && text_begins(name, len, "func") && isdigit((unsigned char)name[4]); /* a Go closure */
}

/* "com.example.App.handle": lower-case parts, then a part that begins with a capital, and its method. */
static bool has_class_and_method(const char *name, size_t len)
{
	size_t start = 0, end = 0;

	for (; start < len && islower((unsigned char)name[start]); start = end + 1) {
		for (end = start; end < len && is_of_identifier(name[end]); end++)
			;
		if (end == len || name[end] != '.')
			return false;
	}
	if (start >= len || !isupper((unsigned char)name[start]))
		return false;
	for (end = start; end < len && (is_of_identifier(name[end]) || name[end] == '/'); end++)
		;
	if (end + 1 >= len || name[end] != '.')
		return false;
	end++;
	return (is_of_identifier(name[end]) || name[end] == '<') && !colours_java_name_is_part(name + end, len - end);
}

/* "byte[]" */
static bool is_array(const char *name, size_t len)
{
	return len > 2 && name[0] != '[' && !memcmp(name + len - 2, "[]", 2) && !memchr(name, '(', len) &&
	       !memchr(name, ' ', len);
}

bool is_java_name(const char *name, size_t len)
{
	if (len && name[0] == 'L' && has_package(name + 1, len - 1) && memchr(name, '/', len))
		return true;
	if (memmem(name, len, "::", 2) && !memchr(name, '/', len))
		return false;
	return has_package(name, len) || has_class_and_method(name, len) || is_array(name, len);
}

/* ---- names of Go's functions ---- */

/* Decided by the table of names that belong to runtimes. */
static bool is_of_language(const char *name, size_t len, const char *language)
{
	static struct runtimes known; /* read once and kept, since colours are needed at any time */
	struct runtime_match match;

	if (!known.count)
		runtimes_read(&known);
	match = runtimes_of_name(&known, name, len);
	return (match.kind == RUNTIME_NAME || match.kind == RUNTIME_BEGIN) &&
	       match.language == runtimes_language(&known, language);
}

/* "main.rebuild"; but "main.c" is a file. */
static bool is_of_go_main(const char *name, size_t len)
{
	static const char *const files[] = { "c", "cc", "cpp", "h", "py", "js", "ts", "rs", "go", "rb", "java", NULL };
	const char *rest = name + strlen("main.");
	size_t end = 0;

	if (!text_begins(name, len, "main."))
		return false;
	len -= strlen("main.");
	while (end < len && is_of_identifier(rest[end]))
		end++;
	for (size_t i = 0; files[i]; i++) {
		if (strlen(files[i]) == end && !memcmp(files[i], rest, end))
			return false;
	}
	return len && (end || *rest == '(') && (end == len || strchr(".([", rest[end]));
}

/* A package before a dot: "main.rebuild", "github.com/x/y.(*T).Run", "runtime.mallocgc". */
static bool is_go_name(const char *name, size_t len)
{
	const char *dot = memchr(name, '.', len), *slash = memchr(name, '/', len);
	size_t rest = dot ? (size_t)(name + len - dot) - 1 : 0;

	if (!rest || dot == name || *name == '/' || *name == '[' || colours_java_name_is_part(dot + 1, rest))
		return false;
	return is_of_go_main(name, len) || memmem(name, len, ".(*", 3) ||
	       (slash && dot < slash && is_go_package(name, len)) || is_of_language(name, len, "go");
}

bool scheme_is_rust(const char *name, size_t len)
{
	return memmem(name, len, "::", 2) && is_of_language(name, frame_base_len(name, len), "rust");
}
