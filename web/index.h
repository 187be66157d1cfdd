/* index: the page over a directory of pictures. */
#ifndef WEB_INDEX_H
#define WEB_INDEX_H

#include "core/str.h"
#include "web/data.h"

/* A mark near the beginning of every page of ours, so that a page made by something
 * else is not overwritten. */
#define INDEX_GENERATOR "<meta name=\"generator\" content=\"pyrograph web\""
#define PAGE_GENERATOR "<meta name=\"generator\" content=\"pyrograph "

/* How our pages begin, up to the policy. */
#define PAGE_START                                                                                     \
	"<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\" />\n"                    \
	"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\" />\n" INDEX_GENERATOR \
	" />\n<link rel=\"icon\" href=\"data:,\" />\n"

/* Append the page: HTML 5 that is also well-formed XML.  Its style and its script are files of their own, in
 * PICTURES_OWN; it contains the runs as JSON, since a page that is opened as a file cannot load them, and as a
 * table for browsers without scripts. */
void index_write(struct str *page, const struct runs *runs);

#endif
