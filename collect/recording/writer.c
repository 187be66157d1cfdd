#include "collect/recording/writer.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collect/machine/procfs.h"
#include "collect/recording/refusal.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/outfile.h"

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

/* Space reserved for the sections: a quarter of the data, within these bounds. */
enum { MIN_RESERVE = 64 << 10, MAX_RESERVE = 8 << 20, AHEAD = 1 << 20 };

enum { ANCHOR_LEN = 42 }; /* two numbers of 20 digits, a blank, a newline */

/* The start of the file, rewritten by every flush. */
struct file_start {
	struct file_header header;
	char anchors[2 * ANCHOR_LEN + 4];
};

_Static_assert(sizeof(struct file_header) == 104, "the layout is the format's");
_Static_assert(sizeof(struct file_start) % 8 == 0, "what follows is aligned");

static int write_failed(struct recording *r, int err)
{
	if (r->failed)
		return -1; /* said once */
	r->failed = true;
	return error("%s: cannot write: %s", r->path, strerror(err));
}

static void format_anchor(char *to, const struct anchor *a)
{
	char text[ANCHOR_LEN + 1];

	snprintf(text, sizeof(text), "%020" PRIu64 " %020" PRIu64 "\n", a->monotonic_ns, a->realtime_ns);
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
		ssize_t n = pwrite(r->fd, text->buf + done, text->len - done, (off_t)(offset + done));

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
	struct str out = { 0 };
	uint64_t ids_at = sizeof(struct file_start);
	int status;

	for (size_t i = 0; i < r->events->count; i++) {
		const struct event *e = &r->events->list[i];

		str_add(&out, (const char *)e->ids, e->id_count * sizeof(*e->ids));
	}
	r->attrs_start = ids_at + out.len;
	for (size_t i = 0; i < r->events->count; i++) {
		const struct event *e = &r->events->list[i];
		struct file_attr entry = { event_recorded(e), { ids_at, e->id_count * sizeof(*e->ids) } };

		str_add(&out, (const char *)&entry, sizeof(entry));
		ids_at += entry.ids.size;
	}
	r->data_start = r->data_end = sizeof(struct file_start) + out.len;
	status = pwrite_all(r, &out, sizeof(struct file_start));
	str_free(&out);
	return status;
}

static bool is_empty(const struct stat *info)
{
	return S_ISREG(info->st_mode) && !info->st_size;
}

/* Only recordings may be moved out of the way. */
static bool may_replace(const char *path)
{
	char magic[8];
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, magic, sizeof(magic));

	if (fd >= 0)
		close(fd);
	return n == sizeof(magic) && !memcmp(magic, "PERFILE2", sizeof(magic));
}

/* Move an existing recording out of the way. */
static int keep_older(struct recording *r)
{
	struct str name = { 0 };
	struct stat info;

	if (lstat(r->path, &info) || is_empty(&info))
		return 0; /* no such file, or create() will report */
	if (stat(r->path, &info) || !S_ISREG(info.st_mode))
		return error("%s: exists and is not a regular file", r->path);
	if (!may_replace(r->path))
		return error("%s: exists and is not a recording: remove it, or give another -o", r->path);
	str_addf(&name, "%s.old", r->path);
	if (rename(r->path, name.buf)) {
		error("%s: cannot rename to %s: %s", r->path, name.buf, strerror(errno));
		str_free(&name);
		return -1;
	}
	r->kept = name.buf;
	return 0;
}

/* Create a file without a name in path's directory, or named r->unnamed if the file system cannot.  Only the owner may
 * read it, since it holds stacks and names of other users' processes. */
static int create(struct recording *r)
{
	const char *slash = strrchr(r->path, '/');
	struct str name = { 0 };
	int fd;

	str_add(&name, slash ? r->path : ".", slash ? (size_t)(slash - r->path) + 1 : 1);
	fd = open(name.buf, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	str_free(&name);
	if (fd >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL))
		return fd;
	str_addf(&name, "%s.XXXXXX", r->path);
	fd = mkostemp(name.buf, O_CLOEXEC);
	r->unnamed = fd < 0 ? NULL : name.buf;
	if (fd < 0)
		str_free(&name);
	return fd;
}

/* Returns -1 after a message. */
static int create_file_of(struct recording *r)
{
	const char *slash = strrchr(r->path, '/');
	char *folder = slash ? xstrndup(r->path, (size_t)(slash - r->path) + 1) : xstrdup(".");
	int fd = -1;

	if (!outdir_check(folder)) {
		fd = create(r);
		if (fd < 0 && refusal_limit(errno))
			error("%s: cannot create: %s", r->path, refusal_limit(errno));
		else if (fd < 0)
			error("%s: cannot create: %s; -o writes it elsewhere", r->path, strerror(errno));
	}
	free(folder);
	return fd;
}

/* Give the file a name that is free. */
static int link_as(const struct recording *r, const char *name)
{
	return linkat(AT_FDCWD, r->unnamed ? r->unnamed : r->own_path, AT_FDCWD, name, AT_SYMLINK_FOLLOW);
}

/* Replace an empty file, perhaps another user's, with which pyrograph report has reserved a name, so that the name
 * exists at all times. */
static int link_over(struct recording *r)
{
	struct str name = { 0 };
	int status = -1, taken;

	str_addf(&name, "%s.XXXXXX", r->path);
	if (!r->unnamed) {
		taken = mkostemp(name.buf, O_CLOEXEC);
		if (taken < 0 || close(taken) || unlink(name.buf) || link_as(r, name.buf))
			goto out;
		r->unnamed = name.buf;
		name = (struct str){ 0 };
	}
	status = rename(r->unnamed, r->path);
	if (!status) {
		free(r->unnamed);
		r->unnamed = NULL;
	}
out:
	str_free(&name);
	return status;
}

/* From here on the file is visible, and complete at any moment. */
static int writer_publish(struct recording *r)
{
	struct stat info;
	int err;

	err = !lstat(r->path, &info) && is_empty(&info) ? link_over(r) : link_as(r, r->path);
	if (err && errno == EPERM && r->unnamed) /* no file has two names there */
		err = link_over(r);
	if (err && errno == ENOENT && !r->unnamed && access(r->own_path, F_OK))
		return error("%s: cannot create: /proc is not mounted, or its files are hidden", r->path);
	if (err)
		return error("%s: cannot create: %s", r->path, strerror(errno));
	r->named = true;
	if (r->unnamed)
		unlink(r->unnamed);
	return 0;
}

static void writer_prepare(struct recording *r, const char *path, const struct events *events)
{
	*r = (struct recording){
		.fd = -1, .path = path, .events = events, .size_limit = UINT64_MAX, .own = (int)getpid()
	};
	r->tally.max_stack = (uint64_t)read_sysctl("kernel/perf_event_max_stack", 127);
	for (size_t i = 0; i < events->count; i++)
		r->tally.walked |= event_is_walked(&events->list[i]) && !event_is_ours(&events->list[i]);
}

static void set_file(struct recording *r, int fd)
{
	r->fd = fd;
	snprintf(r->own_path, sizeof(r->own_path), "/proc/self/fd/%d", fd);
}

int recording_create(struct recording *r, const char *path, const struct events *events)
{
	struct rlimit limit;

	writer_prepare(r, path, events);
	if (!getrlimit(RLIMIT_FSIZE, &limit) && limit.rlim_cur != RLIM_INFINITY)
		r->size_limit = limit.rlim_cur;
	set_file(r, create_file_of(r));
	if (r->fd < 0) {
		recording_abandon(r);
		return -1;
	}
	recording_anchor(r);
	if (write_attributes(r) || write_start(r, NULL) || keep_older(r) || writer_publish(r)) {
		recording_abandon(r);
		return -1;
	}
	return 0;
}

int recording_create_in_memory(struct recording *r, const struct events *events)
{
	int fd = memfd_create("pyrograph", MFD_CLOEXEC);
	struct str path = { 0 };

	if (fd < 0)
		return error("cannot make a recording in memory: %s", strerror(errno));
	str_addf(&path, "/proc/self/fd/%d", fd);
	writer_prepare(r, path.buf, events);
	set_file(r, fd);
	r->in_memory = true;
	recording_anchor(r);
	if (write_attributes(r) || write_start(r, NULL)) {
		recording_free(r);
		return -1;
	}
	return 0;
}

void recording_forget(struct recording *r, uint64_t offset)
{
	if (offset > r->data_start)
		fallocate(r->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)r->data_start,
			  (off_t)(offset - r->data_start));
}

static bool writer_allocate(struct recording *r, uint64_t bytes)
{
	if (fallocate(r->fd, FALLOC_FL_KEEP_SIZE, (off_t)r->data_end, (off_t)bytes))
		return errno != ENOSPC && errno != EDQUOT && errno != EFBIG;
	r->reserved = r->data_end + bytes;
	return true;
}

/* Is there room for `want` more bytes and the sections after them?  On a full disk, a recording without symbols would
 * be worth little.  As asking is expensive, more is reserved at a time, if there is room. */
static bool writer_fits(struct recording *r, size_t want)
{
	uint64_t sections = (r->data_end - r->data_start) / 4;

	if (sections < MIN_RESERVE)
		sections = MIN_RESERVE;
	if (sections > MAX_RESERVE)
		sections = MAX_RESERVE;
	if (r->data_end + want + sections > r->size_limit) {
		errno = EFBIG;
		return false;
	}
	if (r->data_end + want + sections <= r->reserved)
		return true;
	if (r->data_end + want + sections + AHEAD <= r->size_limit && writer_allocate(r, want + sections + AHEAD))
		return true;
	return writer_allocate(r, want + sections);
}

/* How many of len bytes may be written; prints a message if fewer. */
static size_t writer_reserve(struct recording *r, size_t len)
{
	size_t want = len;

	if (r->failed)
		return 0;
	if (r->in_memory)
		return len;
	while (!writer_fits(r, want)) {
		write_failed(r, errno);
		want /= 2;
		if (!want)
			return 0;
	}
	return want;
}

/* Write the first len bytes of iov at the end of the data, in one call if possible.  Returns the number of bytes
 * written; if not all were, errno says why. */
static size_t write_records(struct recording *r, const struct iovec *iov, int count, size_t len, bool all)
{
	ssize_t n = all ? pwritev(r->fd, iov, count, (off_t)r->data_end) : 0;
	size_t done = n > 0 ? (size_t)n : 0, before = 0;

	for (; done < len; before += iov->iov_len, iov++) {
		size_t end = before + iov->iov_len < len ? before + iov->iov_len : len;

		while (done < end) {
			n = pwrite(r->fd, (const char *)iov->iov_base + (done - before), end - done,
				   (off_t)(r->data_end + done));
			if (n < 0 && errno == EINTR)
				continue;
			if (!n)
				errno = ENOSPC;
			if (n <= 0)
				return done;
			done += (size_t)n;
		}
	}
	return done;
}

int recording_append(struct recording *r, const struct iovec *iov, int count)
{
	size_t len = 0, room, done;
	struct iovec kept;

	if (r->keep) {
		kept = r->keep(r->keeper, iov, count);
		iov = &kept;
		count = 1;
	}
	for (int i = 0; i < count; i++)
		len += iov[i].iov_len;
	room = writer_reserve(r, len);
	done = write_records(r, iov, count, room, room == len);
	if (done < room)
		write_failed(r, errno);
	r->data_end += tally_records(&r->tally, iov, count, done);
	return r->failed ? -1 : 0;
}

int recording_flush(struct recording *r)
{
	return write_start(r, NULL);
}

void recording_begin(struct recording *r)
{
	anchors_free(&r->anchors);
	recording_anchor(r);
}

void recording_anchor(struct recording *r)
{
	anchors_take(&r->anchors);
}

void recording_end(struct recording *r, uint64_t end_ns)
{
	anchors_take_at(&r->anchors, end_ns);
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

static void writer_add_files(struct recording *r)
{
	struct str lines = { 0 };

	file_list_format(&r->files, &lines);
	if (lines.len)
		recording_add_section(r, RECORDING_FILES, lines.buf, lines.len);
	str_free(&lines);
}

/* Cut off the tail: reserved space, half a record. */
static void writer_cut(struct recording *r, uint64_t size)
{
	if (ftruncate(r->fd, (off_t)size))
		write_failed(r, errno);
	r->size = size;
}

/* Table of sections, then the sections, in the order of their bits. */
static int write_sections(struct recording *r)
{
	struct str out = { 0 };
	uint64_t features[4] = { 0 };
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
	r->size = at;
	/* The header refers to the sections only once they are written. */
	if (!pwrite_all(r, &out, r->data_end) && !write_start(r, features))
		status = 0;
	str_free(&out);
	return status;
}

int recording_finish(struct recording *r)
{
	bool whole = !r->failed;
	int status = -1;

	writer_add_files(r);
	if (!write_sections(r)) {
		writer_cut(r, r->size);
		status = whole && !r->failed ? 0 : -1;
	} else {
		write_start(r, NULL);
		writer_cut(r, r->data_end);
	}
	if (close(r->fd))
		status = write_failed(r, errno);
	r->fd = -1;
	return status;
}

/* The directory at this path may be another one by now. */
static bool has_its_name(const struct recording *r)
{
	struct stat own, there;

	return r->fd >= 0 && r->named && !fstat(r->fd, &own) && !lstat(r->path, &there) && own.st_ino == there.st_ino &&
	       own.st_dev == there.st_dev;
}

void recording_abandon(struct recording *r)
{
	if (has_its_name(r))
		unlink(r->path);
	if (r->unnamed)
		unlink(r->unnamed);
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
	free(r->unnamed);
	if (r->in_memory)
		free((char *)r->path);
	anchors_free(&r->anchors);
	file_list_free(&r->files);
	*r = (struct recording){ 0 };
}
