#include "collapse/perfdata/perfdata.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collapse/perfdata/foreign.h"
#include "collapse/perfdata/perfdata_events.h"
#include "collapse/perfdata/perfdata_features.h"
#include "collapse/perfdata/perfdata_pipe.h"
#include "collapse/perfdata/perfdata_sections.h"
#include "collapse/perfdata/spool.h"
#include "core/error.h"
#include "core/format/recording.h"

enum {
	AT_HEADER_SIZE = 8,
	PIPE_HEADER_BYTES = 16,
};

static int map_file(struct perfdata *d, int fd)
{
	struct stat st;

	if (fstat(fd, &st))
		return error("%s: %s", d->path, strerror(errno));
	d->mtime_ns = (uint64_t)st.st_mtim.tv_sec * 1000000000 + (uint64_t)st.st_mtim.tv_nsec;
	d->size = (uint64_t)st.st_size;
	if (!d->size)
		return error("%s: is empty", d->path);
	d->bytes = mmap(NULL, d->size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (d->bytes == MAP_FAILED) {
		d->bytes = NULL;
		return error("%s: %s", d->path, strerror(errno));
	}
	madvise((void *)d->bytes, d->size, MADV_SEQUENTIAL);
	return 0;
}

static bool has_magic(const void *bytes, uint64_t size)
{
	return size >= strlen(PERFDATA_MAGIC) && !memcmp(bytes, PERFDATA_MAGIC, strlen(PERFDATA_MAGIC));
}

static int map_input(struct perfdata *d, struct input_stream *in)
{
	int spool, status;

	if (input_is_file(in))
		return map_file(d, in->fd);
	if (in->head.len && !has_magic(str_text(&in->head), in->head.len)) /* before all of it is copied */
		return foreign_explain(d->path, (const uint8_t *)in->head.buf, in->head.len);
	spool = spool_copy(in);
	if (spool < 0)
		return -1;
	status = map_file(d, spool);
	close(spool);
	return status;
}

static int check_magic(const struct perfdata *d)
{
	if (!has_magic(d->bytes, d->size))
		return foreign_explain(d->path, d->bytes, d->size);
	if (d->size < PIPE_HEADER_BYTES)
		return error("%s: too short for a perf.data file (%llu bytes)", d->path, (unsigned long long)d->size);
	return 0;
}

/* Replace the records by decompressed ones. */
static int perfdata_expand(struct perfdata *d)
{
	uint64_t size = 0;
	int fd = spool_expand(perfdata_records(d), d->path, &size);

	if (fd < 0)
		return -1;
	if (size) {
		d->expanded = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
		if (d->expanded == MAP_FAILED) {
			d->expanded = NULL;
			close(fd);
			return error("%s: %s", d->path, strerror(errno));
		}
	}
	close(fd);
	d->data = (struct sched_span){ 0, size };
	return 0;
}

struct record_cursor perfdata_records(const struct perfdata *d)
{
	return (struct record_cursor){
		.bytes = d->expanded ? d->expanded : d->bytes,
		.at = d->data.offset,
		.end = d->data.offset + d->data.size,
		.path = d->cut ? NULL : d->path, /* warned already */
		.drop = !d->expanded,
	};
}

bool perfdata_is_ours(const struct perfdata *d)
{
	return d->features[RECORDING_LOSSES].size || d->early_clocks.size;
}

const uint8_t *perfdata_feature(const struct perfdata *d, int feature, size_t *len)
{
	*len = (size_t)d->features[feature].size;
	return *len ? d->bytes + d->features[feature].offset : NULL;
}

/* "cat one.data two.data": perf reads the first one, and so do we. */
static void perfdata_look_behind(const struct perfdata *d)
{
	uint64_t end = d->data.offset + d->data.size;

	for (size_t i = 0; i < sizeof(d->features) / sizeof(*d->features); i++) {
		uint64_t feature = d->features[i].offset + d->features[i].size;

		end = feature > end ? feature : end;
	}
	if (end < d->size && has_magic(d->bytes + end, d->size - end))
		warn("%s: another recording begins at byte %llu, and is ignored: give each as a file of its own",
		     d->path, (unsigned long long)end);
}

int perfdata_open(struct perfdata *d, struct input_stream *in)
{
	bool compressed = false;

	*d = (struct perfdata){ .path = in->path };
	if (map_input(d, in) < 0 || check_magic(d) < 0)
		return -1;
	if (load_u64(d->bytes + AT_HEADER_SIZE) == PIPE_HEADER_BYTES) {
		d->data = (struct sched_span){ PIPE_HEADER_BYTES, d->size - PIPE_HEADER_BYTES };
		compressed = perfdata_read_pipe(d);
	} else if (perfdata_read_sections(d, &compressed) < 0) {
		return -1;
	} else {
		perfdata_look_behind(d);
	}
	if (!d->event_count)
		return error("%s: contains no events", d->path);
	perfdata_read_features(d);
	perfdata_complete_events(d);
	return compressed ? perfdata_expand(d) : 0;
}

void perfdata_drop_pages(const struct perfdata *d)
{
	if (!d->expanded)
		madvise((void *)d->bytes, d->size, MADV_DONTNEED);
}

void perfdata_close(struct perfdata *d)
{
	if (!d)
		return;
	if (d->bytes)
		munmap((void *)d->bytes, d->size);
	if (d->expanded)
		munmap((void *)d->expanded, d->data.size);
	perfdata_free_events(d);
	free(d->hostname);
	free(d->osrelease);
	free(d->arch);
	free(d->command);
	*d = (struct perfdata){ 0 };
}
