/* attributes: the user's attributes for frames, by name, from the file of
 * --nameattr (flamegraph.pl, inferno).  Fields are separated by tabs:
 *
 *     malloc    title=where it all begins    href=https://example.org/malloc
 *     run_[j]   class=ours    id=run    g_extra=data-owner="web" opacity=".8"
 *
 *     title     the tooltip            id, class    of the element
 *     href      a link to follow       target       where it opens [_top]
 *     g_extra, a_extra                 further attributes, as in XML
 *
 * The name is that of a frame with its annotation; if it is not found, the name
 * without it is looked up.  Only attributes that cannot run a script are accepted: links to
 * http, https, mailto, ftp and relative ones, and the further attributes that
 * is_safe_name() in attributes.c lists. */
#ifndef RENDER_ATTRIBUTES_H
#define RENDER_ATTRIBUTES_H

#include <stdbool.h>
#include <stddef.h>

#include "core/intern.h"
#include "core/str.h"

/* The attributes of one name.  Any may be NULL. */
struct frame_attributes {
	char *title, *href, *target, *id, *class;
	struct attribute {
		char *name, *value;
	} * extra;
	size_t extra_count, extra_cap;
};

/* Is href safe: a relative, http or https address, or (for a link) a mailto or ftp one, which
 * cannot run anything? */
bool is_safe_address(const char *href, bool of_link);

struct attributes { /* {0} has no attributes */
	struct intern names;
	struct frame_attributes *items; /* by id in names */
	size_t cap;
	size_t left_out; /* number of attributes that were wrong or not accepted */
};

/* Read path.  Errors are skipped and counted, the first ones with a warning that names the
 * line.  Returns 0, or -1 after a message if it could not be read. */
int attributes_read(struct attributes *a, const char *path);

/* The attributes for a frame's name, or NULL; a may be NULL. */
const struct frame_attributes *attributes_find(const struct attributes *a, const char *name, size_t len);

/* Append ' id="run" class="ours" data-owner="web"', escaped: all attributes except title, href and target. */
void attributes_add_xml(struct str *out, const struct frame_attributes *f);

/* Append {"title":"...",...} for the script: the members that are set, with further attributes as
 * "extra":{"data-owner":"web"}. */
void attributes_add_json(struct str *out, const struct frame_attributes *f);

void attributes_free(struct attributes *a);

#endif
