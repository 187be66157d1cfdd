#include "collapse/wire/packed_stream.h"

#include <libdeflate.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
#include <zlib.h>

#include "core/memory.h"

/* Level 1: names are written once, so mainly numbers repeat.  For these, higher levels gain only a tenth in size, for
 * three times the time. */
enum { LEVEL = 1, RAW_WINDOW = -15, MEMORY = 9, BLOCK = 512 * 1024, DICTIONARY = 32 * 1024, WORKERS_MAX = 4 };

struct block {
	struct str plain;      /* the end of the previous block, followed by this block's own bytes */
	size_t dictionary_len; /* ... how many of them belong to the previous block */
	unsigned char *packed;
	size_t packed_len, packed_cap;
	uLong crc;
	bool last;
	pthread_t thread;
	bool running;
};

/* Blocks form a ring: when the place of the oldest block is needed, it is waited for, and written. */
struct packed_stream {
	FILE *out;
	struct str whole; /* all so far, while that is short */
	bool long_one;
	struct block blocks[WORKERS_MAX + 1];
	size_t count, at; /* blocks in use; and the one that is being filled */
	uLong crc;
	uint64_t len;
};

static void *pack(void *argument)
{
	struct block *b = argument;
	const Bytef *own = (const Bytef *)str_text(&b->plain) + b->dictionary_len;
	uInt own_len = (uInt)(b->plain.len - b->dictionary_len);
	z_stream z = { 0 };

	if (deflateInit2(&z, LEVEL, Z_DEFLATED, RAW_WINDOW, MEMORY, Z_DEFAULT_STRATEGY) != Z_OK)
		die("zlib: no memory");
	b->packed = xgrow(b->packed, &b->packed_cap, deflateBound(&z, own_len) + 64, 1);
	if (b->dictionary_len)
		deflateSetDictionary(&z, own - b->dictionary_len, (uInt)b->dictionary_len);
	z.next_in = (z_const Bytef *)own;
	z.avail_in = own_len;
	z.next_out = b->packed;
	z.avail_out = (uInt)b->packed_cap;
	deflate(&z, b->last ? Z_FINISH : Z_SYNC_FLUSH);
	b->packed_len = b->packed_cap - z.avail_out;
	b->crc = crc32(0, own, own_len);
	deflateEnd(&z);
	return NULL;
}

static void packed_stream_finish(struct packed_stream *s, struct block *b)
{
	size_t own_len = b->plain.len - b->dictionary_len;

	if (!b->running)
		return;
	if (s->count > 1)
		pthread_join(b->thread, NULL);
	b->running = false;
	fwrite(b->packed, 1, b->packed_len, s->out);
	s->crc = crc32_combine(s->crc, b->crc, (z_off_t)own_len);
	s->len += own_len;
}

/* Pack the block that was filled, and make the next one ready. */
static void packed_stream_start(struct packed_stream *s, bool last)
{
	struct block *b = &s->blocks[s->at], *next;
	size_t tail = b->plain.len < DICTIONARY ? b->plain.len : DICTIONARY;

	b->last = last;
	b->running = true;
	if (s->count == 1) {
		struct str end = { 0 };

		pack(b);
		packed_stream_finish(s, b);
		str_add(&end, str_text(&b->plain) + b->plain.len - tail, tail);
		str_clear(&b->plain);
		str_add(&b->plain, str_text(&end), tail);
		b->dictionary_len = tail;
		str_free(&end);
		return;
	}
	s->at = (s->at + 1) % s->count;
	next = &s->blocks[s->at];
	packed_stream_finish(s, next);
	str_clear(&next->plain);
	str_add(&next->plain, str_text(&b->plain) + b->plain.len - tail, tail);
	next->dictionary_len = tail;
	if (pthread_create(&b->thread, NULL, pack, b))
		die("no thread can be started");
}

struct packed_stream *packed_stream_begin(FILE *out)
{
	struct packed_stream *s = xcalloc(1, sizeof(*s));

	s->out = out;
	return s;
}

/* No time, deflate, fastest, Unix. */
static void begin_blocks(struct packed_stream *s)
{
	static const char header[] = "\x1f\x8b\x08\0\0\0\0\0\x04\x03";
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);

	s->long_one = true;
	s->count = cpus < 2 ? 1 : (size_t)(cpus < WORKERS_MAX ? cpus : WORKERS_MAX) + 1;
	fwrite(header, 1, sizeof(header) - 1, s->out);
}

static void add_to_blocks(struct packed_stream *s, const char *bytes, size_t len)
{
	while (len) {
		struct block *b = &s->blocks[s->at];
		size_t room = BLOCK - (b->plain.len - b->dictionary_len), n = len < room ? len : room;

		str_add(&b->plain, bytes, n);
		bytes += n;
		len -= n;
		if (n == room)
			packed_stream_start(s, false);
	}
}

void packed_stream_add(struct packed_stream *s, const char *bytes, size_t len)
{
	if (!s->long_one && s->whole.len + len <= PACKED_WHOLE) {
		str_add(&s->whole, bytes, len);
		return;
	}
	if (!s->long_one) {
		begin_blocks(s);
		add_to_blocks(s, str_text(&s->whole), s->whole.len);
		str_free(&s->whole);
	}
	add_to_blocks(s, bytes, len);
}

static void write_whole(struct packed_stream *s)
{
	struct libdeflate_compressor *packer = libdeflate_alloc_compressor(LEVEL);
	size_t cap, len;
	char *packed;

	if (!packer)
		die("libdeflate: no memory");
	cap = libdeflate_gzip_compress_bound(packer, s->whole.len);
	packed = xmalloc(cap);
	len = libdeflate_gzip_compress(packer, str_text(&s->whole), s->whole.len, packed, cap);
	fwrite(packed, 1, len, s->out);
	free(packed);
	libdeflate_free_compressor(packer);
}

static void end_blocks(struct packed_stream *s)
{
	unsigned char trailer[8];
	size_t count = s->count;

	packed_stream_start(s, true);
	for (size_t i = 1; i <= count; i++)
		packed_stream_finish(s, &s->blocks[(s->at + i) % count]);
	for (int i = 0; i < 4; i++) {
		trailer[i] = (unsigned char)(s->crc >> 8 * i);
		trailer[4 + i] = (unsigned char)(s->len >> 8 * i);
	}
	fwrite(trailer, 1, sizeof(trailer), s->out);
	for (size_t i = 0; i < count; i++) {
		str_free(&s->blocks[i].plain);
		free(s->blocks[i].packed);
	}
}

void packed_stream_end(struct packed_stream *s)
{
	if (s->long_one)
		end_blocks(s);
	else
		write_whole(s);
	str_free(&s->whole);
	free(s);
}
