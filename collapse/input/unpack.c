#include "collapse/input/unpack.h"

#include <errno.h>
#include <fcntl.h>
#include <lzma.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "core/amount.h"
#include "core/error.h"
#include "core/memory.h"

enum { IN_BYTES = 1 << 18, OUT_BYTES = 1 << 18, PIPE_BYTES = 1 << 20 };
#define XZ_MEMORY ((uint64_t)1 << 30) /* the most memory that the decoder may take, whatever the file asks for */

/* What one call of a decoder did. */
enum step {
	STEP_MORE, /* the decoder needs more input, or has more output */
	STEP_END,  /* a whole member is unpacked; others may follow */
	STEP_BAD,  /* the input is damaged */
};

/* Both sides of a decoder. */
struct flow {
	const char *in;
	size_t in_len;
	char *out;
	size_t out_len; /* room that is left */
};

struct packing {
	const char *name, *magic;
	void *(*begin)(void);
	enum step (*step)(void *decoder, struct flow *f);
	void (*end)(void *decoder);
};

/* --- gzip --------------------------------------------------------------------------- */

static void *gzip_begin(void)
{
	enum { WINDOW = 15, GZIP = 16 };
	z_stream *z = xcalloc(1, sizeof(*z));

	if (inflateInit2(z, WINDOW + GZIP) == Z_OK)
		return z;
	free(z);
	return NULL;
}

static enum step gzip_step(void *decoder, struct flow *f)
{
	z_stream *z = decoder;
	int status;

	z->next_in = (Bytef *)(uintptr_t)f->in;
	z->avail_in = (uInt)f->in_len;
	z->next_out = (Bytef *)f->out;
	z->avail_out = (uInt)f->out_len;
	status = inflate(z, Z_NO_FLUSH);
	f->in += f->in_len - z->avail_in;
	f->in_len = z->avail_in;
	f->out += f->out_len - z->avail_out;
	f->out_len = z->avail_out;
	if (status == Z_STREAM_END)
		return inflateReset(z) == Z_OK ? STEP_END : STEP_BAD;
	return status == Z_OK || status == Z_BUF_ERROR ? STEP_MORE : STEP_BAD;
}

static void gzip_end(void *decoder)
{
	inflateEnd(decoder);
	free(decoder);
}

/* --- xz ----------------------------------------------------------------------------- */

static void *xz_begin(void)
{
	lzma_stream *z = xcalloc(1, sizeof(*z));

	if (lzma_stream_decoder(z, XZ_MEMORY, 0) == LZMA_OK)
		return z;
	free(z);
	return NULL;
}

static enum step xz_step(void *decoder, struct flow *f)
{
	lzma_stream *z = decoder;
	lzma_ret status;

	z->next_in = (const uint8_t *)f->in;
	z->avail_in = f->in_len;
	z->next_out = (uint8_t *)f->out;
	z->avail_out = f->out_len;
	status = lzma_code(z, LZMA_RUN);
	f->in += f->in_len - z->avail_in;
	f->in_len = z->avail_in;
	f->out += f->out_len - z->avail_out;
	f->out_len = z->avail_out;
	if (status == LZMA_STREAM_END)
		return lzma_stream_decoder(z, XZ_MEMORY, 0) == LZMA_OK ? STEP_END : STEP_BAD;
	return status == LZMA_OK || status == LZMA_BUF_ERROR ? STEP_MORE : STEP_BAD;
}

static void xz_end(void *decoder)
{
	lzma_end(decoder);
	free(decoder);
}

/* --- zstd --------------------------------------------------------------------------- */

/* Files of "zstd --long=31" need a window of 2 GB, of which only as much is used as they unpack to. */
static void *zstd_begin(void)
{
	enum { WINDOW_LOG = sizeof(size_t) > 4 ? 31 : 30 };
	ZSTD_DStream *z = ZSTD_createDStream();

	if (z)
		ZSTD_DCtx_setParameter(z, ZSTD_d_windowLogMax, WINDOW_LOG);
	return z;
}

static enum step zstd_step(void *decoder, struct flow *f)
{
	ZSTD_inBuffer in = { f->in, f->in_len, 0 };
	ZSTD_outBuffer out = { f->out, f->out_len, 0 };
	size_t status = ZSTD_decompressStream(decoder, &out, &in);

	f->in += in.pos;
	f->in_len -= in.pos;
	f->out += out.pos;
	f->out_len -= out.pos;
	return ZSTD_isError(status) ? STEP_BAD : status ? STEP_MORE : STEP_END;
}

static void zstd_end(void *decoder)
{
	ZSTD_freeDStream(decoder);
}

static const struct packing packings[] = {
	{ "gzip", "\x1f\x8b\x08", gzip_begin, gzip_step, gzip_end },
	{ "xz",
	  "\xfd"
	  "7zXZ",
	  xz_begin, xz_step, xz_end },
	{ "zstd", "\x28\xb5\x2f\xfd", zstd_begin, zstd_step, zstd_end },
};

const struct packing *packing_of(const char *bytes, size_t len)
{
	for (size_t i = 0; i < sizeof(packings) / sizeof(*packings); i++) {
		size_t n = strlen(packings[i].magic);

		if (len >= n && !memcmp(bytes, packings[i].magic, n))
			return &packings[i];
	}
	return NULL;
}

/* --- the thread --------------------------------------------------------------------- */

struct unpacked {
	const struct packing *packing;
	void *decoder;
	int in, out;
	struct str head;
	const char *path;
	pthread_t thread;
	uint64_t packed, unpacked; /* bytes so far */
	bool damaged;
	bool too_much;
	bool read_failed;
	bool unread; /* the reader closed the pipe */
};

/* Read the next input; *len is 0 at the end. */
static const char *more_input(struct unpacked *u, char *buffer, size_t *len)
{
	ssize_t n;

	do
		n = read(u->in, buffer, IN_BYTES);
	while (n < 0 && errno == EINTR);
	if (n < 0) {
		error("%s: %s", u->path, strerror(errno));
		u->read_failed = true;
	}
	*len = n > 0 ? (size_t)n : 0;
	u->packed += *len;
	return buffer;
}

static void unpack_put(struct unpacked *u, const char *bytes, size_t len)
{
	while (len && !u->unread) {
		ssize_t n = write(u->out, bytes, len);

		if (n < 0 && errno != EINTR)
			u->unread = true;
		else if (n > 0) {
			bytes += n;
			len -= (size_t)n;
		}
	}
}

/* After a member, xz allows NUL bytes up to a multiple of four; tapes and disks pad their blocks with NUL bytes. */
static void skip_padding(struct flow *f)
{
	while (f->in_len && !*f->in) {
		f->in++;
		f->in_len--;
	}
}

/* Unpack everything; returns whether it ended well, with a whole member. */
static bool unpack_all(struct unpacked *u)
{
	char *in = xmalloc(IN_BYTES), *out = xmalloc(OUT_BYTES);
	struct flow f = { .in = str_text(&u->head), .in_len = u->head.len };
	enum step step = STEP_MORE;
	bool more = false; /* the decoder may have output that did not fit */

	u->packed = f.in_len;
	while (!u->unread && !u->too_much) {
		if (!f.in_len && !more)
			f.in = more_input(u, in, &f.in_len);
		if (!f.in_len && !more)
			break;
		if (step == STEP_END)
			skip_padding(&f);
		if (!f.in_len && !more)
			continue;
		f.out = out;
		f.out_len = OUT_BYTES;
		step = u->packing->step(u->decoder, &f);
		unpack_put(u, out, OUT_BYTES - f.out_len);
		u->unpacked += OUT_BYTES - f.out_len;
		u->too_much = unpacked_too_much(u->packed, u->unpacked);
		more = !f.out_len && step == STEP_MORE;
		if (step == STEP_BAD)
			break;
	}
	free(in);
	free(out);
	return step == STEP_END || u->unread || u->read_failed || u->too_much;
}

static void *unpack_run(void *argument)
{
	struct unpacked *u = argument;

	u->damaged = !unpack_all(u);
	close(u->out);
	if (u->in != STDIN_FILENO)
		close(u->in);
	return NULL;
}

/* Make writes to a closed pipe fail in this thread, instead of ending the program. */
static int start_thread(struct unpacked *u)
{
	sigset_t pipe_signal, before;
	int status;

	sigemptyset(&pipe_signal);
	sigaddset(&pipe_signal, SIGPIPE);
	pthread_sigmask(SIG_BLOCK, &pipe_signal, &before);
	status = pthread_create(&u->thread, NULL, unpack_run, u);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return status;
}

static void free_unpacked(struct unpacked *u)
{
	if (u->decoder)
		u->packing->end(u->decoder);
	str_free(&u->head);
	free(u);
}

struct unpacked *unpack_start(const struct packing *packing, int fd, struct str *head, const char *path, int *out)
{
	struct unpacked *u = xcalloc(1, sizeof(*u));
	int ends[2], status;

	u->packing = packing;
	u->path = path;
	u->in = fd;
	u->decoder = packing->begin();
	if (!u->decoder || pipe2(ends, O_CLOEXEC)) {
		error("%s: cannot unpack it: %s", path, strerror(u->decoder ? errno : ENOMEM));
		free_unpacked(u);
		return NULL;
	}
	fcntl(ends[1], F_SETPIPE_SZ, PIPE_BYTES);
	u->out = ends[1];
	u->head = *head;
	*head = (struct str){ 0 };
	status = start_thread(u);
	if (status) {
		error("%s: cannot unpack it: %s", path, strerror(status));
		close(ends[0]);
		close(ends[1]);
		free_unpacked(u);
		return NULL;
	}
	*out = ends[0];
	return u;
}

bool unpack_end(struct unpacked *u)
{
	bool good;

	if (!u)
		return true;
	pthread_join(u->thread, NULL);
	good = !u->damaged && !u->read_failed && !u->too_much;
	if (u->too_much)
		warn("%s: unpacks to more than %d times its size: only the first %s are read, lest it fill the "
		     "memory; if that is right, unpack it first (%s -d)",
		     u->path, UNPACKED_TIMES, size_text(u->unpacked >> 20 << 20).text, u->packing->name);
	if (u->damaged)
		warn("%s: its %s data is damaged, or ends too soon: used as far as it could be unpacked", u->path,
		     u->packing->name);
	free_unpacked(u);
	return good;
}
