#include "collapse/perfdata/record.h"

#include <linux/perf_event.h>
#include <sys/mman.h>

#include "core/error.h"

enum { DROP_BYTES = 64 << 20 };

/* Release pages that have been read, so that memory use does not grow with the file. */
static void drop_pages(struct record_cursor *c)
{
	if (!c->drop || c->at - c->dropped < DROP_BYTES)
		return;
	madvise((void *)(c->bytes + c->dropped), DROP_BYTES, MADV_DONTNEED);
	c->dropped += DROP_BYTES;
}

/* Skip bytes that follow a record but are not part of it.  Returns false if some are missing. */
static bool skip_payload(struct record_cursor *c, const struct record *r)
{
	uint64_t extra = 0;

	if (r->type == RECORD_AUXTRACE && r->size >= 16)
		extra = load_u64(r->bytes + 8);
	else if (r->type == RECORD_HEADER_TRACING_DATA && r->size >= 12)
		extra = load_u32(r->bytes + 8);
	if (extra > c->end - c->at)
		return false;
	c->at += extra;
	return true;
}

static bool bad_record(const struct record_cursor *c, const char *what)
{
	if (c->path)
		warn("%s: record at offset %llu %s: it and all later records are ignored", c->path,
		     (unsigned long long)c->at, what);
	return false;
}

bool record_next(struct record_cursor *c, struct record *r)
{
	struct perf_event_header header;

	if (c->end - c->at < sizeof(header))
		return false;
	memcpy(&header, c->bytes + c->at, sizeof(header));
	if (!memcmp(&header, RECORD_FILE_MAGIC, sizeof(header)))
		return bad_record(c, "begins another recording (give each as a file of its own)");
	if (header.size < sizeof(header))
		return bad_record(c, "has an invalid size");
	if (header.size > c->end - c->at)
		return bad_record(c, "is cut off by the end of the data");
	*r = (struct record){ header.type, header.misc, header.size, c->bytes + c->at };
	c->at += header.size;
	if (header.type >= RECORD_HEADER_TRACING_DATA && !skip_payload(c, r))
		return bad_record(c, "announces more bytes than follow");
	drop_pages(c);
	return true;
}
