/* remote_pages: another process's memory, read by whole pages, each once: for tables of thousands of small
 * things that do not change, where each read of its own would be a call of the kernel. */
#ifndef COLLECT_JVM_REMOTE_PAGES_H
#define COLLECT_JVM_REMOTE_PAGES_H

#include "collect/jvm/remote.h"

struct remote_pages {
	struct remote remote; /* to read by */
	const struct remote *from;
	struct remote_page *pages;
};

/* from must outlive it. */
void remote_pages_init(struct remote_pages *p, const struct remote *from);
void remote_pages_free(struct remote_pages *p);

#endif
