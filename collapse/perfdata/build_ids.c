#include "collapse/perfdata/build_ids.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

enum {
	FEATURE_BUILD_ID = 2,
	HEAD_BYTES = 8 + 4 + 24,   /* header, pid, id with its size and padding */
	MISC_SIZE_GIVEN = 1 << 15, /* PERF_RECORD_MISC_BUILD_ID_SIZE */
};

static void build_ids_add(struct build_ids *b, const char *path, size_t path_len, const uint8_t *id, size_t len)
{
	uint32_t number = intern_add(&b->paths, path, path_len);

	b->ids = xgrow(b->ids, &b->cap, number + 1, sizeof(*b->ids));
	b->ids[number].len = len;
	memcpy(b->ids[number].bytes, id, len);
}

/* Each entry: perf_event_header, s32 pid, u8 id[20], u8 size, padding, path. */
void build_ids_read(struct build_ids *b, const struct perfdata *d)
{
	size_t left;
	const uint8_t *p = perfdata_feature(d, FEATURE_BUILD_ID, &left);

	while (left >= HEAD_BYTES) {
		struct perf_event_header header;
		size_t len = BUILD_ID_MAX;

		memcpy(&header, p, sizeof(header));
		if (header.size < HEAD_BYTES || header.size > left)
			return;
		if (header.misc & MISC_SIZE_GIVEN && p[12 + BUILD_ID_MAX] < BUILD_ID_MAX)
			len = p[12 + BUILD_ID_MAX];
		if (len)
			build_ids_add(b, (const char *)p + HEAD_BYTES,
				      strnlen((const char *)p + HEAD_BYTES, header.size - HEAD_BYTES), p + 12, len);
		p += header.size;
		left -= header.size;
	}
}

size_t build_ids_find(const struct build_ids *b, const char *path, size_t path_len, uint8_t id[BUILD_ID_MAX])
{
	uint32_t number = intern_find(&b->paths, path, path_len);

	if (number == UINT32_MAX)
		return 0;
	memcpy(id, b->ids[number].bytes, b->ids[number].len);
	return b->ids[number].len;
}

void build_ids_free(struct build_ids *b)
{
	if (!b)
		return;
	intern_free(&b->paths);
	free(b->ids);
	*b = (struct build_ids){ 0 };
}
