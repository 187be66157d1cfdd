#include "ship/parcel_file.h"

#include <assert.h>
#include <string.h>

#define MAGIC "pyrograph-parcel 1\n"

struct numbers {
	unsigned char id[SIP_BYTES];
	uint64_t rows, ns_sum, first_ns, last_ns, len[PARCEL_PARTS];
};

static_assert(sizeof(MAGIC) - 1 + sizeof(struct numbers) <= PARCEL_FILE_START, "the start has all numbers");

static void write_hashed(FILE *out, struct sip *s, const void *bytes, size_t len)
{
	if (!len)
		return;
	sip_add(s, bytes, len);
	fwrite(bytes, 1, len, out);
}

void parcel_file_write(FILE *out, const struct parcel *p)
{
	struct numbers n = { .rows = p->rows, .ns_sum = p->ns_sum, .first_ns = p->first_ns, .last_ns = p->last_ns };
	struct parcel copy = *p;
	struct str *parts[PARCEL_PARTS];
	unsigned char hash[SIP_BYTES];
	struct sip s;

	parcel_parts(&copy, parts);
	memcpy(n.id, p->id, SIP_BYTES);
	for (int i = 0; i < PARCEL_PARTS; i++)
		n.len[i] = parts[i]->len;
	sip_begin(&s);
	write_hashed(out, &s, MAGIC, strlen(MAGIC));
	write_hashed(out, &s, &n, sizeof(n));
	for (int i = 0; i < PARCEL_PARTS; i++)
		write_hashed(out, &s, parts[i]->buf, parts[i]->len);
	sip_end(&s, hash);
	fwrite(hash, 1, SIP_BYTES, out);
}

static bool read_numbers(const char *start, size_t len, struct numbers *n)
{
	if (len < strlen(MAGIC) + sizeof(*n) || memcmp(start, MAGIC, strlen(MAGIC)) != 0)
		return false;
	memcpy(n, start + strlen(MAGIC), sizeof(*n));
	return true;
}

bool parcel_file_has_its_length(const char *start, size_t len, uint64_t size)
{
	struct numbers n;
	uint64_t at = strlen(MAGIC) + sizeof(n) + SIP_BYTES;

	if (!read_numbers(start, len, &n) || at > size)
		return false;
	for (int i = 0; i < PARCEL_PARTS; i++) {
		if (n.len[i] > size - at)
			return false;
		at += n.len[i];
	}
	return at == size;
}

static bool has_its_hash(const char *bytes, size_t size)
{
	unsigned char hash[SIP_BYTES];

	sip_hash(bytes, size - SIP_BYTES, hash);
	return !memcmp(hash, bytes + size - SIP_BYTES, SIP_BYTES);
}

bool parcel_file_parse(const char *bytes, size_t size, struct parcel *p)
{
	size_t at = strlen(MAGIC) + sizeof(struct numbers);
	struct str *parts[PARCEL_PARTS];
	struct numbers n;

	*p = (struct parcel){ 0 };
	if (!parcel_file_has_its_length(bytes, size, size) || !read_numbers(bytes, size, &n) ||
	    !has_its_hash(bytes, size))
		return false;
	parcel_parts(p, parts);
	for (int i = 0; i < PARCEL_PARTS; i++) {
		str_add(parts[i], bytes + at, n.len[i]);
		at += n.len[i];
	}
	memcpy(p->id, n.id, SIP_BYTES);
	p->rows = n.rows;
	p->ns_sum = n.ns_sum;
	p->first_ns = n.first_ns;
	p->last_ns = n.last_ns;
	return true;
}
