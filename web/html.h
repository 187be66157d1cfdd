/* html: the one place where text and paths from outside become markup. */
#ifndef WEB_HTML_H
#define WEB_HTML_H

#include "core/str.h"

/* A mark near the beginning of every page of ours, so that a page made by something
 * else is not overwritten. */
#define INDEX_GENERATOR "<meta name=\"generator\" content=\"pyrograph web\""
#define PAGE_GENERATOR "<meta name=\"generator\" content=\"pyrograph "

/* The beginning of our pages, up to the policy. */
#define PAGE_START                                                                                     \
	"<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\" />\n"                    \
	"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\" />\n" INDEX_GENERATOR \
	" />\n<link rel=\"icon\" href=\"data:,\" />\n"

/* Append text, escaped for content and attributes, on one line whatever it contains. */
void html_add_text(struct str *page, const char *text);

/* Append a path below the page's directory as a relative URL.  All bytes except
 * the unreserved ones (RFC 3986) are encoded, so that no name is taken for a
 * scheme, a query or a fragment. */
void html_add_url(struct str *page, const char *path);

#endif
