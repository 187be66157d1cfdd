/* list: the runs as a table of HTML, for browsers without scripts. */
#ifndef WEB_LIST_H
#define WEB_LIST_H

#include "web/data.h"

void list_write(struct str *page, const struct runs *runs);

#endif
