#include "collect/run/snapshot.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "collect/recording/records.h"
#include "collect/run/completion.h"
#include "collect/run/sources.h"
#include "core/error.h"

/* Is it a sample from before the window?  Those that were walked for long come late. */
static bool is_early(const uint8_t *record, const struct perf_event_header *header, uint64_t begin_ns)
{
	struct recording_sample sample;

	if (header->type != PERF_RECORD_SAMPLE || header->size < sizeof(*header) + sizeof(sample))
		return false;
	memcpy(&sample, record + sizeof(*header), sizeof(sample));
	return sample.time_ns < begin_ns;
}

/* Append the records of the window, in as long pieces as possible. */
static int append_window(struct recording *to, const uint8_t *bytes, size_t len, uint64_t begin_ns)
{
	enum { PIECE = 1 << 20 };
	struct records records = { bytes, len, 0 };
	struct perf_event_header header;
	const uint8_t *record;
	size_t from = 0;

	while ((record = records_next(&records, &header))) {
		size_t at = (size_t)(record - bytes);
		bool skip = is_early(record, &header, begin_ns);
		size_t end = skip ? at : records.at;

		if (end > from && (skip || end - from >= PIECE)) {
			struct iovec piece = { (void *)(bytes + from), end - from };

			if (recording_append(to, &piece, 1))
				return -1;
			from = end;
		}
		if (skip)
			from = records.at;
	}
	if (records.at > from) {
		struct iovec piece = { (void *)(bytes + from), records.at - from };

		return recording_append(to, &piece, 1);
	}
	return 0;
}

static int append_all(struct recording *to, const struct collection *c, const struct kept_mark *from)
{
	const struct recording *all = &c->recording;
	struct iovec state = { c->flight.state.records.buf, c->flight.state.records.len };
	size_t size = (size_t)all->data_end;
	const uint8_t *bytes = mmap(NULL, size, PROT_READ, MAP_SHARED, all->fd, 0);
	int status;

	if (bytes == MAP_FAILED)
		return error("%s: cannot read what was kept: %s", to->path, strerror(errno));
	status = (state.iov_len && recording_append(to, &state, 1)) ||
				 append_window(to, bytes + from->offset, size - (size_t)from->offset, from->ns)
			 ? -1
			 : 0;
	munmap((void *)bytes, size);
	return status;
}

static void snapshot_count_losses(struct recording *r, const struct kept_mark *from, const struct kept_mark *until)
{
	sources_add_losses(&from->lost, &until->lost, r->tally.losses);
	losses_raise(r->tally.losses, LOSS_lost_samples, until->dropped - from->dropped);
}

/* "TIME_NS PID TID VALUE CONDITION" */
static void add_trigger(struct recording *r, const struct hit *hit)
{
	struct str line = { 0 };

	str_addf(&line, "%" PRIu64 " %d %d %" PRIu64 " %s\n", hit->time_ns, hit->pid, hit->tid, hit->value,
		 hit->condition);
	recording_add_section(r, RECORDING_TRIGGER, line.buf, line.len);
	str_free(&line);
}

int snapshot_write(struct collection *c, const struct kept_mark *from, const struct kept_mark *until, const char *path)
{
	struct recording snapshot, *all = &c->recording;
	int status;

	if (recording_create(&snapshot, path, &c->events))
		return -1;
	snapshot.own = all->own;
	snapshot.files = all->files;
	all->files = (struct file_list){ 0 };
	anchors_free(&snapshot.anchors);
	snapshot.anchors = all->anchors;
	all->anchors = (struct anchors){ 0 };
	anchors_cut(&snapshot.anchors, from->ns);
	status = append_all(&snapshot, c, from);
	if (snapshot.failed && !snapshot.tally.losses[LOSS_total_samples]) {
		recording_abandon(&snapshot);
		return -1;
	}
	if (c->walker)
		snapshot.tally.losses[LOSS_java_frames_unread] = walker_give_names(c->walker, &c->jit_maps.files);
	snapshot_count_losses(&snapshot, from, until);
	collection_describe(c, &snapshot, from->ns);
	add_trigger(&snapshot, &c->flight.hit);
	if (recording_complete(&snapshot, all, NULL, &c->kept_files, &c->jit_maps))
		status = -1;
	recording_free(&snapshot);
	return status;
}
