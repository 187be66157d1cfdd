#include "collect/recording/records.h"

#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/memory.h"
#include "core/symbols/space/changes.h"

const uint8_t *records_join(const struct iovec *iov, size_t at, size_t size)
{
	static _Alignas(8) uint8_t whole[UINT16_MAX + 1];
	size_t left = iov->iov_len - at;

	memcpy(whole, (const uint8_t *)iov->iov_base + at, left);
	memcpy(whole + left, iov[1].iov_base, size - left);
	return whole;
}

void records_apply_changes(struct records records, struct spaces *spaces, struct modules *modules)
{
	struct perf_event_header header;
	struct changes changes = { 0 };
	const uint8_t *record;

	while ((record = records_next(&records, &header))) {
		if (is_change(header.type))
			changes_add(&changes, record, records_time(record, header.size));
	}
	changes_apply(&changes, spaces, modules, true);
	changes_free(&changes);
}

bool record_is_state(uint32_t type)
{
	switch (type) {
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
	case PERF_RECORD_COMM:
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
	case PERF_RECORD_NAMESPACES:
	case PERF_RECORD_KSYMBOL:
	case PERF_RECORD_BPF_EVENT:
	case PERF_RECORD_CGROUP:
	case PERF_RECORD_TEXT_POKE: return true;
	default: return false;
	}
}

enum { CHUNK_BYTES = 1 << 20, AT_DATA_OFFSET = 40, FILE_HEADER_BYTES = 104 };

void new_records_read(struct new_records *n, const char *path, uint64_t size,
		      void (*look)(void *argument, const uint8_t *record, uint32_t type), void *argument)
{
	int fd = n->seen >= size ? -1 : open(path, O_RDONLY | O_CLOEXEC);
	size_t most = size - n->seen < CHUNK_BYTES ? (size_t)(size - n->seen) : CHUNK_BYTES;
	uint8_t *chunk;

	if (fd < 0)
		return;
	chunk = xmalloc(most); /* often little: a large piece is new memory each time, which the kernel must clear */
	if (!n->seen && pread(fd, &n->seen, sizeof(n->seen), AT_DATA_OFFSET) != sizeof(n->seen))
		n->seen = 0;
	while (n->seen >= FILE_HEADER_BYTES && n->seen < size) {
		uint64_t left = size - n->seen;
		ssize_t len = pread(fd, chunk, left < most ? left : most, (off_t)n->seen);
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
