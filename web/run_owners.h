/* run_owners: whose the samples of a run are, as facets of the page. */
#ifndef WEB_RUN_OWNERS_H
#define WEB_RUN_OWNERS_H

#include "core/str.h"
#include "web/captures.h"

/* Append ,"pod":["prod/shop-7f9c"],"container":["app","[others]"],"unit":["nginx.service"]: names of all pictures of the
 * run, each once, and each kind only if there are some.  "[others]": a picture did not name all of its own. */
void run_owners_add(struct str *out, const struct web_capture *c);

#endif
