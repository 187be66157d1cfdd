#include "collect/records.h"

#include "core/symbols/changes.h"

void records_apply_changes(struct records records, struct spaces *spaces, struct modules *modules)
{
	struct perf_event_header header;
	struct changes changes = {0};
	const uint8_t *record;

	while ((record = records_next(&records, &header))) {
		if (is_change(header.type))
			changes_add(&changes, record, record_time(record, header.size));
	}
	changes_apply(&changes, spaces, modules, true);
	changes_free(&changes);
}
