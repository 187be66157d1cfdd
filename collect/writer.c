#include "collect/writer.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collect/procfs.h"
#include "core/error.h"
#include "core/memory.h"

struct file_section {
	uint64_t offset, size;
};

struct file_header {
	char magic[8];
	uint64_t size;      /* of this header */
	uint64_t attr_size; /* of a struct file_attr */
	struct file_section attrs, data, event_types;
	uint64_t features[4]; /* a bit for each section after the data */
};

struct file_attr {
	struct perf_event_attr attr;
	struct file_section ids;
};

enum { ANCHOR_LEN = 42 }; /* two numbers of 20 digits, a blank, a newline */

/* What lies at the start of the file and is rewritten with every flush. */
struct file_start {
	struct file_header header;
	char anchors[2 * ANCHOR_LEN + 4];
};

_Static_assert(sizeof(struct file_header) == 104, "the layout is the format's");
_Static_assert(sizeof(struct file_start) % 8 == 0, "what follows is aligned");

static int write_failed(struct recording *r, int err)
{
	r->failed = true;
	return error("%s: cannot write: %s", r->path, strerror(err));
}

static void format_anchor(char *to, const struct anchor *a)
{
	char text[ANCHOR_LEN + 1];

	snprintf(text, sizeof(text), "%020" PRIu64 " %020" PRIu64 "\n", a->monotonic_ns,
		 a->realtime_ns);
	memcpy(to, text, ANCHOR_LEN);
}

static int write_start(struct recording *r, const uint64_t features[4])
{
	struct file_start start = { .header = {
		.magic = "PERFILE2",
		.size = sizeof(struct file_header),
		.attr_size = sizeof(struct file_attr),
		.attrs = { r->attrs_start, r->events->count * sizeof(struct file_attr) },
		.data = { r->data_start, r->data_end - r->data_start },
		.event_types = { sizeof(struct file_header), 2 * ANCHOR_LEN },
	} };

	format_anchor(start.anchors, &r->anchors.first);
	format_anchor(start.anchors + ANCHOR_LEN, &r->anchors.last);
	if (features)
		memcpy(start.header.features, features, sizeof(start.header.features));
	if (pwrite(r->fd, &start, sizeof(start), 0) != (ssize_t)sizeof(start))
		return write_failed(r, errno);
	return 0;
}

static int pwrite_all(struct recording *r, const struct str *text, uint64_t offset)
{
	size_t done = 0;

	while (done < text->len) {
		ssize_t n = pwrite(r->fd, text->buf + done, text->len - done,
				   (off_t)(offset + done));

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return write_failed(r, n ? errno : ENOSPC);
		done += (size_t)n;
	}
	return 0;
}

/* Ids of all events, then the attributes that point to them. */
static int write_attributes(struct recording *r)
{
	struct str out = {0};
	uint64_t ids_at = sizeof(struct file_start);
	int status;

	for (size_t i = 0; i < r->events->count; i++) {
		const struct event *e = &r->events->list[i];

		str_add(&out, (const char *)e->ids, e->id_count * sizeof(*e->ids));
	}
	r->attrs_start = ids_at + out.len;
	for (size_t i = 0; i < r->events->count; i++) {
		const struct event *e = &r->events->list[i];
		struct file_attr entry = { e->attr, { ids_at, e->id_count * sizeof(*e->ids) } };

		str_add(&out, (const char *)&entry, sizeof(entry));
		ids_at += entry.ids.size;
	}
	r->data_start = r->data_end = sizeof(struct file_start) + out.len;
	status = pwrite_all(r, &out, sizeof(struct file_start));
	str_free(&out);
	return status;
}

/* Move an existing file out of the way. */
static int keep_older(struct recording *r)
{
	struct str name = {0};
	struct stat info;

	if (lstat(r->path, &info))
		return 0; /* none, or open() will say */
	if (stat(r->path, &info) || !S_ISREG(info.st_mode))
		return error("%s: exists and is no regular file", r->path);
	str_addf(&name, "%s.old", r->path);
	r->kept = name.buf;
	if (rename(r->path, r->kept))
		return error("%s: cannot rename to %s: %s", r->path, r->kept, strerror(errno));
	return 0;
}

int recording_create(struct recording *r, const char *path, const struct events *events)
{
	*r = (struct recording){ .fd = -1, .path = path, .events = events };
	r->tally.max_stack = (uint64_t)read_sysctl("kernel/perf_event_max_stack", 127);
	if (keep_older(r)) {
		free(r->kept);
		r->kept = NULL;
		return -1;
	}
	/* Stacks and names of others' processes: for the owner's eyes only. */
	r->fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (r->fd < 0) {
		error("%s: cannot create: %s", path, strerror(errno));
		recording_abandon(r);
		return -1;
	}
	recording_anchor(r);
	if (write_attributes(r) || write_start(r, NULL)) {
		recording_abandon(r);
		return -1;
	}
	return 0;
}

/* As writev(2) at the end of the data, but on after a short write.  Returns how
 * many bytes went out; errno says why not all. */
static size_t write_records(struct recording *r, const struct iovec *iov, int count, size_t len)
{
	size_t done = 0;
	ssize_t n;

	while (done < len) {
		struct iovec rest;
		size_t before = 0;
		int first;

		for (first = 0; before + iov[first].iov_len <= done; first++)
			before += iov[first].iov_len;
		rest = iov[first];
		if (before == done) {
			n = pwritev(r->fd, iov + first, count - first, (off_t)(r->data_end + done));
		} else {
			rest.iov_base = (char *)rest.iov_base + (done - before);
			rest.iov_len -= done - before;
			n = pwritev(r->fd, &rest, 1, (off_t)(r->data_end + done));
		}
		if (n < 0 && errno == EINTR)
			continue;
		if (!n)
			errno = ENOSPC;
		if (n <= 0)
			break;
		done += (size_t)n;
	}
	return done;
}

int recording_append(struct recording *r, const struct iovec *iov, int count)
{
	size_t len = 0, done = 0, kept;

	for (int i = 0; i < count; i++)
		len += iov[i].iov_len;
	if (!r->failed) {
		done = write_records(r, iov, count, len);
		if (done < len)
			write_failed(r, errno);
	}
	kept = tally_records(&r->tally, iov, count, done);
	r->data_end += kept;
	return r->failed ? -1 : 0;
}

int recording_flush(struct recording *r)
{
	return write_start(r, NULL);
}

void recording_anchor(struct recording *r)
{
	anchors_take(&r->anchors);
}

void recording_add_section(struct recording *r, int feature, const char *content, size_t len)
{
	size_t at = r->section_count;

	r->sections = xgrow(r->sections, &r->section_cap, at + 1, sizeof(*r->sections));
	for (; at > 0 && r->sections[at - 1].feature > feature; at--)
		r->sections[at] = r->sections[at - 1];
	r->sections[at] = (struct section){ .feature = feature };
	str_add(&r->sections[at].content, content, len);
	r->section_count++;
}

/* Table of sections, then the sections, in the order of their bits. */
static int write_sections(struct recording *r)
{
	struct str out = {0};
	uint64_t features[4] = {0};
	uint64_t at = r->data_end + r->section_count * sizeof(struct file_section);
	int status = -1;

	for (size_t i = 0; i < r->section_count; i++) {
		const struct section *s = &r->sections[i];
		struct file_section place = { at, s->content.len };

		str_add(&out, (const char *)&place, sizeof(place));
		features[s->feature / 64] |= 1ull << s->feature % 64;
		at += s->content.len;
	}
	for (size_t i = 0; i < r->section_count; i++)
		str_add(&out, str_text(&r->sections[i].content), r->sections[i].content.len);
	/* The header refers to the sections only once they are there. */
	if (!pwrite_all(r, &out, r->data_end) && !write_start(r, features))
		status = 0;
	str_free(&out);
	return status;
}

int recording_finish(struct recording *r)
{
	bool failed = r->failed;
	int status = -1;

	if (ftruncate(r->fd, (off_t)r->data_end)) /* after a write that ended within a record */
		write_failed(r, errno);
	if (write_sections(r))
		write_start(r, NULL);
	else if (!failed)
		status = 0;
	if (close(r->fd))
		status = write_failed(r, errno);
	r->fd = -1;
	return status;
}

void recording_abandon(struct recording *r)
{
	if (r->fd >= 0)
		unlink(r->path);
	if (r->kept && rename(r->kept, r->path))
		warn("%s: the older recording stays in %s", r->path, r->kept);
	recording_free(r);
}

void recording_free(struct recording *r)
{
	if (!r || !r->path)
		return;
	if (r->fd >= 0)
		close(r->fd);
	for (size_t i = 0; i < r->section_count; i++)
		str_free(&r->sections[i].content);
	free(r->sections);
	free(r->kept);
	anchors_free(&r->anchors);
	*r = (struct recording){0};
}
