#include "collect/jit_maps.h"

#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collect/anchors.h"
#include "core/memory.h"
#include "core/symbols/changes.h"
#include "core/symbols/modules.h"

enum { CHUNK_BYTES = 1 << 20, AT_DATA_OFFSET = 40, FILE_HEADER_BYTES = 104 };

static void look_at(struct jit_maps *j, const uint8_t *record, uint32_t type)
{
	struct mmap_record m;

	if ((type != PERF_RECORD_MMAP && type != PERF_RECORD_MMAP2) ||
	    !mmap_record_read(record, true, &m) || m.kernel || m.data)
		return;
	if (path_is_anonymous(m.path, m.path_len))
		jit_files_add(&j->files, m.pid, NULL, 0);
	else if (path_is_jitdump(m.path, m.path_len))
		jit_files_add(&j->files, m.pid, m.path, m.path_len);
}

/* Look at the whole records in bytes[0..len); returns how many bytes they take. */
static size_t look_at_all(struct jit_maps *j, const uint8_t *bytes, size_t len)
{
	struct perf_event_header header;
	size_t at = 0;

	while (len - at >= sizeof(header)) {
		memcpy(&header, bytes + at, sizeof(header));
		if (header.size < sizeof(header) || header.size > len - at)
			break;
		look_at(j, bytes + at, header.type);
		at += header.size;
	}
	return at;
}

static void read_new_records(struct jit_maps *j, int fd, uint64_t size)
{
	uint8_t *chunk = xmalloc(CHUNK_BYTES);

	if (!j->seen && pread(fd, &j->seen, sizeof(j->seen), AT_DATA_OFFSET) != sizeof(j->seen))
		j->seen = 0;
	while (j->seen >= FILE_HEADER_BYTES && j->seen < size) {
		uint64_t left = size - j->seen;
		ssize_t n = pread(fd, chunk, left < CHUNK_BYTES ? left : CHUNK_BYTES, (off_t)j->seen);
		size_t used = n > 0 ? look_at_all(j, chunk, (size_t)n) : 0;

		if (!used)
			break;
		j->seen += used;
	}
	free(chunk);
}

void jit_maps_update(struct jit_maps *j, const char *path, uint64_t size, bool last)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return;
	read_new_records(j, fd, size);
	close(fd);
	jit_files_read(&j->files, monotonic_ns(), last);
}

void jit_maps_free(struct jit_maps *j)
{
	if (!j)
		return;
	jit_files_free(&j->files);
	*j = (struct jit_maps){0};
}
