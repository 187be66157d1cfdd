/* scheme: the palettes, and the colour that each gives a frame's name.
 *
 * Formulas: flamegraph.pl (hot to js), inferno (python, rust), ours (safe,
 * viridis).  Unlike flamegraph.pl, an annotation (frame.h) always wins over what
 * the name looks like: "kernel::sync::lock_[k]" is kernel code, not C++. */
#ifndef RENDER_SCHEME_H
#define RENDER_SCHEME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "render/colours/hue.h"
#include "render/colours/vector.h"

struct scheme {
	const char *name;
	/* One kind of colours for all names ... */
	uint32_t (*colour)(const struct vector *v);
	/* ... or one for each kind of code: the index of the name's kind in kinds. */
	size_t (*kind)(const char *name, size_t len);
	const struct scheme_kind {
		const char *label;
		hue_fn *hue;
	} * kinds; /* ended by {0} */
};

/* The colour of a name with that vector. */
uint32_t scheme_colour(const struct scheme *s, const char *name, size_t len, const struct vector *v);

/* The palettes there are, ended by {0}. */
extern const struct scheme schemes[];

/* The i-th; NULL after the last one. */
const char *scheme_name(size_t i);

/* ---- How a thread spent its time, by the leaf frame (collapse --wall), and the colour for that ---- */

enum { WALL_RUNNING, WALL_RUNNABLE, WALL_BLOCKED, WALL_KINDS };

extern const struct wall_kind {
	const char *label;
	uint32_t rgb;
} wall_kinds[WALL_KINDS];

/* The kind of a frame such as "[blocked: lock]"; WALL_RUNNING for any other frame. */
unsigned wall_kind_called(const char *name, size_t len);

/* Does a frame's name look like a Java name?
 *
 *     Ljava/util/List::add    com/example/App::handle     a package that is known, with '/'
 *     com.example.App.handle  App.main  App$1.<init>      a class, which begins with a capital, and '.'
 *     java.lang.String        byte[]  com.example.App[]   a class: of allocated objects
 *
 * Suffixes by C compilers ("Foo.cold", "Foo.part.0") and Go ("net.Listen.func1") are not methods. */

bool is_java_name(const char *name, size_t len);

/* Is the name that of a function of Rust's library?  A program's own names look like those of C++. */
bool scheme_is_rust(const char *name, size_t len);

#endif
