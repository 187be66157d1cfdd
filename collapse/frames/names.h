/* names: the texts of frames, from the symbols of their places. */
#ifndef COLLAPSE_FRAMES_NAMES_H
#define COLLAPSE_FRAMES_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collapse/frames/frame_files.h"
#include "collapse/frames/java_style.h"
#include "collapse/frames/stacks.h"
#include "core/intern.h"
#include "core/map.h"
#include "core/symbols/names/demangle.h"
#include "core/symbols/space/modules.h"
#include "core/symbols/space/places.h"

struct name_style {
	bool kernel, jit;    /* annotate with _[k]; with _[j] and the like (collapse/frames/tier.h) */
	bool marks;          /* with jit: V8's mark stays in the name, too (core/format/v8_mark.h) */
	bool addrs, offsets; /* "[libc.so.6 <28490>]" for frames without a name; "main+0x1d" */
	bool merge_unnamed; /* all functions of a file without a name are "[libc.so.6]", not "libc.so.6+0x28490" etc. */
	bool strip_templates; /* core/symbols/names/name_simplify.h */
	enum demangle_style demangle;
	bool no_inlined;            /* show only real calls; inlined code belongs to the function that contains it */
	bool lines;                 /* "main:prog.c:12" */
	enum text_files_when files; /* which frames show their files, "main (prog)" */
	struct java_style java;
};

/* {0} plus the four pointers is ready for use. */
struct names {
	const struct name_style *style;
	const struct modules *modules;
	const struct places *places;
	const struct intern *comms; /* names of wakers */
	struct intern texts;        /* every distinct frame */
	uint32_t *cache;            /* by frame, except texts: index into groups + 1, and a flag */
	size_t cache_cap;
	struct map by_symbol; /* (text of the symbol, module and flags of the frame) -> the same, where all places of a
			       * symbol have the same texts */
	uint32_t *modules_of; /* by number of a text: its module + 1; 0: none; NAMES_SEVERAL */
	size_t modules_of_cap;
	uint32_t *groups; /* each: a count, then that many numbers of texts, then as many of functions */
	size_t group_len, group_cap;
	struct frame_files functions; /* texts with their files, names.modules being set */
};

/* The texts of a frame, in the order of a line: the outermost function first, then the inlined ones;
 * the other way round in the stack of a waker.  Valid until the next call. */
struct frame_texts {
	const uint32_t *items; /* [count], numbers in names.texts */
	uint32_t count;        /* 0: an inlined Java method that is not shown */
};

/* Functions of several modules have this text. */
#define NAMES_SEVERAL UINT32_MAX

/* Call it before names.functions is used if names_of() may not have been called. */
void names_start(struct names *n);

/* The texts of a frame; frame is a number as in stacks.h. */
struct frame_texts names_of(struct names *n, uint32_t frame);

/* The same as numbers of functions (frame_files.h). */
static inline struct frame_texts names_functions(struct names *n, uint32_t frame)
{
	struct frame_texts texts = names_of(n, frame);

	return (struct frame_texts){ texts.items + texts.count, texts.count };
}

/* Is the frame's place without a symbol?  Such a frame is unresolved, or stripped, if its text tells where the function
 * begins.  Call these after names_of() for the same frame, and not for a text. */
bool names_unresolved(const struct names *n, uint32_t frame);
bool names_stripped(const struct names *n, uint32_t frame);

/* Append a name from a symbol table or debug information, demangled as style has it. */
void names_add_symbol(const struct name_style *style, enum module_kind kind, const char *name, struct str *out);

/* With style->lines, append ":prog.c:12", without the directory: lines stay readable, and do not depend on the directory
 * of the build.  file NULL, line 0: unknown. */
void names_add_line(const struct name_style *style, const char *file, uint32_t line, struct str *out);

/* Append the name of JIT code.  Java methods as agents write them: "Lcom/example/App;::run" -> "com/example/App::run", or
 * "Lcom/example/App;.run()V" -> "com/example/App.run"; as the JVM writes them: "void com.example.App.run(int)" -> "com.example.App.run", like the names that we read from JVMs
 * ourselves. */
void names_add_jit_symbol(const char *name, struct str *out);

/* The module that the function with this text is in; NULL: unknown, none, or several. */
const struct module *names_module(const struct names *n, uint32_t text);

void names_free(struct names *n);

#endif
