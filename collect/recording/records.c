#include "collect/recording/records.h"

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
