#include "render/scheme.h"

#include <stdbool.h>
#include <string.h>

#include "render/frame.h"
#include "render/hue.h"

static bool has(const char *name, size_t len, const char *part)
{
	return memmem(name, len, part, strlen(part));
}

static bool begins(const char *name, size_t len, const char *start)
{
	size_t start_len = strlen(start);

	return len >= start_len && !memcmp(name, start, start_len);
}

static bool begins_with_any(const char *name, size_t len, const char *const *starts)
{
	for (; *starts; starts++) {
		if (begins(name, len, *starts))
			return true;
	}
	return false;
}

/* ---- of one kind of colour -------------------------------------------------- */

static uint32_t hot(const char *name, size_t len, const struct vector *v)
{
	(void)name, (void)len;
	return hue_rgb(205 + hue_part(50, v->v3), hue_part(230, v->v1), hue_part(55, v->v2));
}

static uint32_t mem(const char *name, size_t len, const struct vector *v)
{
	(void)name, (void)len;
	return hue_rgb(0, 190 + hue_part(50, v->v2), hue_part(210, v->v1));
}

static uint32_t io(const char *name, size_t len, const struct vector *v)
{
	uint32_t x = 80 + hue_part(60, v->v1);

	(void)name, (void)len;
	return hue_rgb(x, x, 190 + hue_part(55, v->v2));
}

#define OF_ONE_HUE(function, hue)                                                       \
	static uint32_t function(const char *name, size_t len, const struct vector *v)  \
	{                                                                               \
		(void)name, (void)len;                                                  \
		return hue(v->v1);                                                      \
	}

OF_ONE_HUE(red, hue_red)
OF_ONE_HUE(green, hue_green)
OF_ONE_HUE(blue, hue_blue)
OF_ONE_HUE(yellow, hue_yellow)
OF_ONE_HUE(purple, hue_purple)
OF_ONE_HUE(aqua, hue_aqua)
OF_ONE_HUE(orange, hue_orange)
OF_ONE_HUE(viridis, hue_viridis)

/* Off-CPU stacks, and above "--" who woke them up (waker.h). */
static uint32_t chain(const char *name, size_t len, const struct vector *v)
{
	return has(name, len, "_[w]") ? hue_aqua(v->v1) : hue_blue(v->v1);
}

/* ---- by kind of code -------------------------------------------------------- */

enum kind { NATIVE, KERNEL, COMPILED, INLINED, CPP, WAKER };

/* "Ljava/util/List" or "com/example/App": a class by its package. */
static bool is_java_class(const char *name, size_t len)
{
	static const char *const roots[] = { "java/", "javax/", "jdk/", "net/", "org/",
					     "com/",  "io/",	"sun/", NULL };

	if (len && name[0] == 'L')
		return begins_with_any(name + 1, len - 1, roots);
	return begins_with_any(name, len, roots);
}

static enum kind kind_of(const char *name, size_t len)
{
	switch (frame_annotation(name, len)) {
	case 'j': case '0': case '1': return COMPILED;
	case 'i': return INLINED;
	case 'k': return KERNEL;
	case 'w': return WAKER;
	}
	if (is_java_class(name, len) || has(name, len, ":::"))
		return COMPILED;
	return has(name, len, "::") ? CPP : NATIVE;
}

static uint32_t java(const char *name, size_t len, const struct vector *v)
{
	static hue_fn *const hues[] = {
		[NATIVE] = hue_red,	 [KERNEL] = hue_orange, [COMPILED] = hue_green,
		[INLINED] = hue_aqua, [CPP] = hue_yellow,	[WAKER] = hue_purple,
	};

	return hues[kind_of(name, len)](v->v1);
}

static uint32_t safe(const char *name, size_t len, const struct vector *v)
{
	static hue_fn *const hues[] = {
		[NATIVE] = hue_vermilion, [KERNEL] = hue_amber, [COMPILED] = hue_bluish_green,
		[INLINED] = hue_sky,	  [CPP] = hue_lemon,	[WAKER] = hue_mauve,
	};

	return hues[kind_of(name, len)](v->v1);
}

/* ---- by language ------------------------------------------------------------ */

static uint32_t perl(const char *name, size_t len, const struct vector *v)
{
	if (frame_annotation(name, len) == 'k')
		return hue_orange(v->v1);
	if (has(name, len, "::"))
		return hue_yellow(v->v1);
	return has(name, len, "Perl") || has(name, len, ".pl") ? hue_green(v->v1) : hue_red(v->v1);
}

/* "~/src/app.js:12": a script's path. */
static bool is_script_path(const char *name, size_t len)
{
	const char *slash = memchr(name, '/', len);

	return slash && has(slash, len - (size_t)(slash - name), ".js");
}

static uint32_t js(const char *name, size_t len, const struct vector *v)
{
	char kind = frame_annotation(name, len);

	if (kind == 'k')
		return hue_orange(v->v1);
	if (kind == 'j') /* source, else built in */
		return memchr(name, '/', len) ? hue_green(v->v1) : hue_aqua(v->v1);
	if (has(name, len, "::"))
		return hue_yellow(v->v1);
	if (is_script_path(name, len))
		return hue_green(v->v1);
	if (memchr(name, ':', len))
		return hue_aqua(v->v1);
	if (len == 1 && name[0] == ' ') /* a missing symbol */
		return hue_green(v->v1);
	return has(name, len, "_[k]") ? hue_orange(v->v1) : hue_red(v->v1);
}

/* "python3.9", "Python39": a directory of the standard library. */
static bool is_python_dir(const char *part, size_t len)
{
	if (!begins(part, len, "python") && !begins(part, len, "Python"))
		return false;
	for (size_t i = strlen("python"); i < len; i++) {
		if (part[i] != '.' && (part[i] < '0' || part[i] > '9'))
			return false;
	}
	return true;
}

enum python_origin { OWN, STANDARD, PACKAGE };

static enum python_origin python_origin(const char *name, size_t len)
{
	static const char *const builtin[] = { "<built-in", "<method", "<frozen", NULL };
	enum python_origin origin = begins_with_any(name, len, builtin) ? STANDARD : OWN;

	for (size_t at = 0, end; at <= len; at = end + 1) {
		for (end = at; end < len && name[end] != '/' && name[end] != '\\'; end++)
			;
		if (end - at == strlen("site-packages") && begins(name + at, end - at, "site-packages"))
			return PACKAGE;
		if (is_python_dir(name + at, end - at))
			origin = STANDARD;
	}
	return origin;
}

static uint32_t python(const char *name, size_t len, const struct vector *v)
{
	switch (python_origin(name, len)) {
	case PACKAGE: return hue_aqua(v->v1);
	case STANDARD: return hue_yellow(v->v1);
	case OWN: break;
	}
	return hue_red(v->v1);
}

static uint32_t rust(const char *name, size_t len, const struct vector *v)
{
	static const char *const standard[] = { "core::", "std::", "alloc::", "<std::", "<alloc::",
						NULL };
	const char *quote = memchr(name, '`', len);

	if (quote) {
		len -= (size_t)(quote + 1 - name);
		name = quote + 1;
	}
	if (begins_with_any(name, len, standard))
		return hue_orange(v->v1);
	/* what the user's async functions are made into is no library code */
	if (begins(name, len, "<core::") &&
	    !begins(name, len, "<core::future::from_generator::GenFuture<T>"))
		return hue_orange(v->v1);
	return has(name, len, "::") ? hue_aqua(v->v1) : hue_yellow(v->v1);
}

const struct scheme schemes[] = {
	{ "hot", hot },	      { "mem", mem },	  { "io", io },		  { "red", red },
	{ "green", green },   { "blue", blue },	  { "yellow", yellow },	  { "purple", purple },
	{ "aqua", aqua },     { "orange", orange }, { "wakeup", aqua },	  { "chain", chain },
	{ "java", java },     { "js", js },	  { "perl", perl },	  { "python", python },
	{ "rust", rust },     { "safe", safe },	  { "viridis", viridis },
	{0}
};
