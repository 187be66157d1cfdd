/* label: what a box too narrow for its frame's name shows of it.
 *
 *     com.example.catalogue.Shop.rebuildIndex      all of it
 *     Shop.rebuildIndex                            without what many names begin with: package, namespace, path
 *     Shop..dIndex                                 both ends
 *
 * layout.js does the same. */
#ifndef RENDER_LABEL_H
#define RENDER_LABEL_H

#include <stddef.h>
#include <stdint.h>

#include "core/str.h"
#include "render/drawing/font.h"

enum label_cut { LABEL_CUT_MIDDLE, LABEL_CUT_RIGHT, LABEL_CUT_LEFT };

/* How many bytes at the beginning of name are its package, its namespaces but the last one, or its path. */
size_t label_prefix(const char *name, size_t len);

/* Append as much of name as fits into room_cpx; nothing if that is less than min_chars characters.  Cut at one end,
 * it keeps its prefix. */
void label_fit(struct str *out, const struct font *f, const char *name, size_t len, int64_t room_cpx,
	       unsigned min_chars, enum label_cut cut);

#endif
