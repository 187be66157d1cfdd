#include "collect/recording/synthesis.h"

#include <linux/perf_event.h>

#include "core/format/recording.h"

enum { NAME_MAX_LEN = 4096 };

void synthesis_add(struct synthesis *s, uint32_t type, uint16_t misc, uint32_t pid, uint32_t tid, const void *fields,
		   size_t fields_len, const char *name, size_t name_len)
{
	static const char zeros[8];
	size_t padding = name ? 8 - name_len % 8 : 0;
	struct perf_event_header header = { .type = type, .misc = misc };
	struct recording_trailer trailer = { .pid = pid, .tid = tid, .id = s->id };

	header.size = (uint16_t)(sizeof(header) + fields_len + (name ? name_len : 0) + padding + sizeof(trailer));
	str_add(&s->out, (const char *)&header, sizeof(header));
	str_add(&s->out, fields, fields_len);
	if (name)
		str_add(&s->out, name, name_len);
	str_add(&s->out, zeros, padding);
	str_add(&s->out, (const char *)&trailer, sizeof(trailer));
}

void synthesis_add_mmap2(struct synthesis *s, uint16_t misc, const struct mmap2 *m, const char *name, size_t len)
{
	synthesis_add(s, PERF_RECORD_MMAP2, misc, m->pid, m->tid, m, sizeof(*m), name,
		      len < NAME_MAX_LEN ? len : NAME_MAX_LEN);
}

void synthesis_free(struct synthesis *s)
{
	str_free(&s->out);
	file_ids_free(&s->files);
	*s = (struct synthesis){ 0 };
}
