#include "collect/jvm/tables/remote_pages.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

enum { PAGE = 4096, PAGES = 128 }; /* each page has one slot that it can be in */

struct remote_page {
	uint64_t number; /* page number + 1; 0: the slot is empty */
	uint8_t bytes[PAGE];
};

static const uint8_t *get_page(const struct remote_pages *p, uint64_t number)
{
	struct remote_page *page = &p->pages[number % PAGES];

	if (page->number == number + 1)
		return page->bytes;
	page->number = remote_read(p->from, number * PAGE, page->bytes, PAGE) ? number + 1 : 0;
	return page->number ? page->bytes : NULL;
}

static bool read_from_pages(const struct remote *r, uint64_t address, void *to, size_t len)
{
	const struct remote_pages *p = r->argument;

	while (len) {
		size_t at = address % PAGE, part = len < PAGE - at ? len : PAGE - at;
		const uint8_t *bytes = get_page(p, address / PAGE);

		if (!bytes)
			return remote_read(p->from, address, to, len);
		memcpy(to, bytes + at, part);
		address += part;
		to = (uint8_t *)to + part;
		len -= part;
	}
	return true;
}

void remote_pages_init(struct remote_pages *p, const struct remote *from)
{
	*p = (struct remote_pages){ .remote = { .pid = from->pid, .read = read_from_pages, .argument = p },
				    .from = from,
				    .pages = xcalloc(PAGES, sizeof(*p->pages)) };
}

void remote_pages_free(struct remote_pages *p)
{
	free(p->pages);
	*p = (struct remote_pages){ 0 };
}
