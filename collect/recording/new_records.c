#include "collect/recording/new_records.h"

#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <unistd.h>

#include "collect/recording/records.h"
#include "core/memory.h"

enum { CHUNK_BYTES = 1 << 20, AT_DATA_OFFSET = 40, FILE_HEADER_BYTES = 104 };

void new_records_read(struct new_records *n, const char *path, uint64_t size,
		      void (*look)(void *argument, const uint8_t *record, uint32_t type), void *argument)
{
	int fd = n->seen >= size ? -1 : open(path, O_RDONLY | O_CLOEXEC);
	uint8_t *chunk;

	if (fd < 0)
		return;
	chunk = xmalloc(CHUNK_BYTES);
	if (!n->seen && pread(fd, &n->seen, sizeof(n->seen), AT_DATA_OFFSET) != sizeof(n->seen))
		n->seen = 0;
	while (n->seen >= FILE_HEADER_BYTES && n->seen < size) {
		uint64_t left = size - n->seen;
		ssize_t len = pread(fd, chunk, left < CHUNK_BYTES ? left : CHUNK_BYTES, (off_t)n->seen);
		struct records records = { chunk, len > 0 ? (size_t)len : 0, 0 };
		struct perf_event_header header;
		const uint8_t *record;

		while ((record = records_next(&records, &header)))
			look(argument, record, header.type);
		if (!records.at)
			break;
		n->seen += records.at;
	}
	free(chunk);
	close(fd);
}
