#include "render/drawing/gzip.h"

#include <zlib.h>

enum { CHUNK = 64 * 1024, GZIP_WINDOW = 15 + 16, BEST_MEMORY = 9, LEVEL = 6 };

/* zlib counts in unsigned int. */
static void feed(z_stream *z, const char **bytes, size_t *len)
{
	size_t some = *len < 1u << 30 ? *len : 1u << 30;

	z->next_in = (z_const Bytef *)*bytes;
	z->avail_in = (uInt)some;
	*bytes += some;
	*len -= some;
}

int gzip_write(FILE *out, const char *bytes, size_t len)
{
	unsigned char packed[CHUNK];
	z_stream z = { 0 };
	int status;

	/* The best level takes one and a half times as long and saves a thousandth. */
	if (deflateInit2(&z, LEVEL, Z_DEFLATED, GZIP_WINDOW, BEST_MEMORY, Z_DEFAULT_STRATEGY) != Z_OK)
		return error("zlib: no memory");
	do {
		if (!z.avail_in && len)
			feed(&z, &bytes, &len);
		z.next_out = packed;
		z.avail_out = CHUNK;
		status = deflate(&z, len ? Z_NO_FLUSH : Z_FINISH);
		fwrite(packed, 1, CHUNK - z.avail_out, out);
	} while (status == Z_OK);
	deflateEnd(&z);
	return status == Z_STREAM_END ? 0 : error("zlib: error %d", status);
}

bool gzip_is(const char *bytes, size_t len)
{
	return len > 2 && !memcmp(bytes, "\x1f\x8b\x08", 3);
}

const char *gzip_read(struct str *out, const char *bytes, size_t len, size_t max)
{
	char plain[CHUNK];
	z_stream z = { 0 };
	int status = Z_OK;

	if (inflateInit2(&z, GZIP_WINDOW) != Z_OK)
		return "zlib: no memory";
	while (status == Z_OK && out->len <= max) {
		if (!z.avail_in && len)
			feed(&z, &bytes, &len);
		z.next_out = (Bytef *)plain;
		z.avail_out = CHUNK;
		status = inflate(&z, Z_NO_FLUSH);
		str_add(out, plain, CHUNK - z.avail_out);
	}
	inflateEnd(&z);
	if (out->len > max)
		return "the gzip file is too large when unpacked";
	if (status == Z_BUF_ERROR)
		return "the gzip file is cut short";
	return status == Z_STREAM_END ? NULL : "the gzip file is damaged";
}
