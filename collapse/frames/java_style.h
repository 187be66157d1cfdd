/* java_style: shorter names of Java methods, from whatever input (--norm, --shorten-pkgs, --no-pkgs). */
#ifndef COLLAPSE_FRAMES_JAVA_STYLE_H
#define COLLAPSE_FRAMES_JAVA_STYLE_H

#include <stdbool.h>
#include <stddef.h>

#include "core/str.h"

struct java_style {
	bool norm;           /* without the numbers of generated classes, which differ between runs */
	bool short_packages; /* "j.l.Thread.run" */
	bool no_packages;    /* "Thread.run" */
};

/* Append a frame's text, as the style says.  A package is recognized by the class that follows it, which begins with a
 * capital; other names, such as those of C functions, stay unchanged. */
void java_style_add(struct str *out, const struct java_style *style, const char *text, size_t len);

#endif
