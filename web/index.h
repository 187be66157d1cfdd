/* index: the page over a directory of pictures. */
#ifndef WEB_INDEX_H
#define WEB_INDEX_H

#include "core/str.h"
#include "web/captures.h"

/* A mark near the beginning of every page of ours, so that a page made by something
 * else is not overwritten. */
#define INDEX_GENERATOR "<meta name=\"generator\" content=\"pyrograph web\""
#define PAGE_GENERATOR "<meta name=\"generator\" content=\"pyrograph "

/* Append the page: HTML 5 that is also well-formed XML, apart from its script. */
void index_write(struct str *page, const struct captures *captures);

#endif
