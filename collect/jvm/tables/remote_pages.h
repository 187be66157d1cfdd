/* remote_pages: reads another process's memory by whole pages, each once: for constant tables of thousands of
 * small items, where each single read would be a system call. */
#ifndef COLLECT_JVM_TABLES_REMOTE_PAGES_H
#define COLLECT_JVM_TABLES_REMOTE_PAGES_H

#include "collect/jvm/tables/remote.h"

struct remote_pages {
	struct remote remote; /* read through this */
	const struct remote *from;
	struct remote_page *pages;
};

/* from must outlive p. */
void remote_pages_init(struct remote_pages *p, const struct remote *from);
void remote_pages_free(struct remote_pages *p);

#endif
