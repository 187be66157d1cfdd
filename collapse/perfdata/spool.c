#include "collapse/perfdata/spool.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>

#include "core/error.h"
#include "core/memory.h"
#include "core/str.h"

enum { COPY_BYTES = 1 << 20 };

/* A temporary file without a name, in $TMPDIR or /tmp.
 * Returns its descriptor, or -1 after a message. */
static int spool_open(void)
{
	const char *dir = getenv("TMPDIR");
	struct str path = { 0 };
	int fd;

	str_addf(&path, "%s/pyrograph.XXXXXX", dir && *dir ? dir : "/tmp");
	fd = mkostemp(path.buf, O_CLOEXEC);
	if (fd < 0)
		error("%s: %s", path.buf, strerror(errno));
	else
		unlink(path.buf);
	str_free(&path);
	return fd;
}

static int perfdata_spool_write_all(int fd, const void *bytes, size_t len)
{
	const char *p = bytes;

	while (len) {
		ssize_t n = write(fd, p, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return error("temporary file: %s", strerror(errno));
		p += n;
		len -= (size_t)n;
	}
	return 0;
}

int spool_copy(struct input_stream *in)
{
	struct str text = in->head;
	int out = spool_open();

	in->head = (struct str){ 0 };
	while (out >= 0 && text.len) {
		if (perfdata_spool_write_all(out, text.buf, text.len) < 0)
			in->failed = true;
		str_clear(&text);
		if (!in->failed)
			input_fill(in, &text, COPY_BYTES);
	}
	str_free(&text);
	if (out >= 0 && in->failed) {
		close(out);
		out = -1;
	}
	return out;
}

/* The stream of records inside the compressed ones; a record may begin in one
 * and end in the next. */
struct expansion {
	int fd;
	ZSTD_DCtx *zstd;
	struct str pending;    /* the start of an incomplete record */
	uint64_t size, packed; /* bytes so far */
};

static int perfdata_spool_put(struct expansion *x, const void *bytes, size_t len)
{
	x->size += len;
	return perfdata_spool_write_all(x->fd, bytes, len);
}

static int put_whole_records(struct expansion *x)
{
	size_t at = 0;

	while (x->pending.len - at >= sizeof(struct perf_event_header)) {
		struct perf_event_header header;

		memcpy(&header, x->pending.buf + at, sizeof(header));
		if (header.size < sizeof(header))
			return error("compressed records are damaged");
		if (header.size > x->pending.len - at)
			break;
		at += header.size;
	}
	if (perfdata_spool_put(x, x->pending.buf, at) < 0)
		return -1;
	x->pending.len -= at;
	memmove(x->pending.buf, x->pending.buf + at, x->pending.len);
	return 0;
}

static int decompress(struct expansion *x, const uint8_t *bytes, size_t len)
{
	ZSTD_inBuffer in = { bytes, len, 0 };

	x->packed += len;
	while (in.pos < in.size) {
		ZSTD_outBuffer out;
		size_t code;

		str_reserve(&x->pending, ZSTD_DStreamOutSize());
		out = (ZSTD_outBuffer){ x->pending.buf + x->pending.len, x->pending.cap - x->pending.len - 1, 0 };
		code = ZSTD_decompressStream(x->zstd, &out, &in);
		if (ZSTD_isError(code))
			return error("compressed records: %s", ZSTD_getErrorName(code));
		x->pending.len += out.pos;
		if (unpacked_too_much(x->packed, x->size + x->pending.len))
			return error("compressed records: unpack to more than %d times their size", UNPACKED_TIMES);
		if (put_whole_records(x) < 0)
			return -1;
	}
	return 0;
}

static int expand_record(struct expansion *x, const struct record *r)
{
	size_t head = sizeof(struct perf_event_header);

	if (r->type == RECORD_COMPRESSED)
		return decompress(x, r->bytes + head, r->size - head);
	if (r->type == RECORD_COMPRESSED2 && r->size >= head + 8) {
		uint64_t len = load_u64(r->bytes + head); /* the rest is padding */

		return decompress(x, r->bytes + head + 8, len < r->size - head - 8 ? (size_t)len : r->size - head - 8);
	}
	if (r->type == RECORD_HEADER_TRACING_DATA || r->type == RECORD_AUXTRACE)
		return 0; /* such records announce bytes that follow them, and these are not copied */
	return perfdata_spool_put(x, r->bytes, r->size);
}

int spool_expand(struct record_cursor records, const char *path, uint64_t *size)
{
	struct expansion x = { .fd = spool_open(), .zstd = ZSTD_createDCtx() };
	struct record r;

	if (x.fd < 0 || !x.zstd)
		goto out;
	while (record_next(&records, &r)) {
		if (expand_record(&x, &r) < 0) {
			warn("%s: only the records before offset %llu are read", path,
			     (unsigned long long)(r.bytes - records.bytes));
			break;
		}
	}
	*size = x.size;
out:
	ZSTD_freeDCtx(x.zstd);
	str_free(&x.pending);
	return x.fd;
}
