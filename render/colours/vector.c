#include "render/colours/vector.h"

#include <stdint.h>
#include <string.h>

#include "core/error.h"
#include "core/utf8.h"
#include "render/profile/frame.h"

#define FNV_START 0xcbf29ce484222325u
#define FNV_PRIME 0x100000001b3u

/* FNV-1a, 64 bits: the same everywhere and forever, unlike the hashes of our tables. */
static uint64_t fnv(const char *name, size_t len)
{
	uint64_t h = FNV_START;

	for (size_t i = 0; i < len; i++)
		h = (h ^ (unsigned char)name[i]) * FNV_PRIME;
	return h;
}

static uint64_t mix(uint64_t h)
{
	h = (h ^ h >> 32) * 0xd6e8feb86659fd93u;
	return h ^ h >> 32;
}

/* Sixteen bits as a number below 1. */
static double fraction(uint64_t bits)
{
	return (double)(bits & 0xffff) / 65536;
}

struct vector vector_of_name(const char *name, size_t len)
{
	uint64_t h = mix(fnv(name, frame_base_len(name, len)));
	double v2 = fraction(h >> 32);

	return (struct vector){ fraction(h), v2, v2 };
}

struct vector vector_at_random(const char *name, size_t len)
{
	uint64_t h = mix(fnv(name, len) ^ 0x9e3779b97f4a7c15u);

	return (struct vector){ fraction(h), fraction(h >> 16), fraction(h >> 32) };
}

struct vector vector_of_fnv(const char *name, size_t len)
{
	uint64_t h = fnv(name, len);
	struct vector v;

	/* float, not double, as in inferno */
	v.v1 = (double)(float)((double)h / (double)UINT64_MAX);
	h *= FNV_PRIME;
	v.v2 = (double)(float)((double)h / (double)UINT64_MAX);
	h *= FNV_PRIME;
	v.v3 = (double)(float)((double)h / (double)UINT64_MAX);
	return v;
}

/* Returns the character at text[*at], and moves *at past it.  A byte that is not UTF-8 is returned as it is. */
static uint32_t next_char(const char *text, size_t len, size_t *at)
{
	uint32_t code;
	size_t bytes = utf8_decode(text + *at, len - *at, &code);

	if (!bytes) {
		code = (unsigned char)text[*at];
		bytes = 1;
	}
	*at += bytes;
	return code;
}

static double drand48_first(uint32_t seed)
{
	uint64_t x = (uint64_t)seed << 16 | 0x330e;

	x = (x * 0x5deece66du + 0xb) & 0xffffffffffffu;
	return (double)x / (double)(1ull << 48);
}

struct vector vector_of_sum(const char *name, size_t len)
{
	uint32_t sum = 0;
	double v;

	for (size_t at = 0; at < len;)
		sum += next_char(name, len, &at);
	v = drand48_first(sum);
	return (struct vector){ v, v, v };
}

/* ---- namehash --------------------------------------------------------------- */

/* The three characters from which a hash is made. */
struct beginning {
	uint32_t chars[3];
	size_t count;
};

/* Starts after the first '`' ("lib`func"), unless that is the first character. */
static struct beginning beginning_of(const char *name, size_t len)
{
	struct beginning b = { 0 };
	const char *quote;
	size_t first = 0, at;

	if (len) {
		next_char(name, len, &first);
		quote = memchr(name + first, '`', len - first);
		at = quote ? (size_t)(quote - name) + 1 : 0;
		while (at < len && b.count < 3)
			b.chars[b.count++] = next_char(name, len, &at);
	}
	return b;
}

/* The start of the last character of name[0..end). */
static size_t char_before(const char *name, size_t end)
{
	size_t start, at;

	for (start = end - 1; start && end - start < 4; start--) {
		if (((unsigned char)name[start] & 0xc0) != 0x80)
			break;
	}
	at = start;
	next_char(name, end, &at);
	return at == end ? start : end - 1;
}

/* The same of the reversed name. */
static struct beginning reversed_beginning_of(const char *name, size_t len)
{
	struct beginning b = { 0 };
	const char *quote;
	size_t end = len, start, at;

	if (len) {
		quote = memrchr(name, '`', char_before(name, len));
		end = quote ? (size_t)(quote - name) : len;
	}
	while (end && b.count < 3) {
		at = start = char_before(name, end);
		b.chars[b.count++] = next_char(name, end, &at);
		end = start;
	}
	return b;
}

static double namehash(struct beginning b)
{
	double vector = 0, weight = 1, max = 1;

	for (uint32_t i = 0, mod = 10; i < b.count; i++, mod++) {
		vector += (double)(b.chars[i] % mod) / (mod - 1) * weight;
		max += weight;
		weight *= 0.7;
	}
	return 1 - vector / max;
}

struct vector vector_of_beginning(const char *name, size_t len)
{
	double v2 = namehash(reversed_beginning_of(name, len));

	return (struct vector){ namehash(beginning_of(name, len)), v2, v2 };
}

/* ---- by name ---------------------------------------------------------------- */

vector_fn *vector_find(const char *name)
{
	static const struct {
		const char *name;
		vector_fn *function;
	} vectors[] = {
		{ "name", vector_of_name }, { "hash", vector_of_beginning }, { "classic", vector_of_sum },
		{ "fnv", vector_of_fnv },   { "random", vector_at_random },
	};

	for (size_t i = 0; i < sizeof(vectors) / sizeof(vectors[0]); i++) {
		if (!strcmp(vectors[i].name, name))
			return vectors[i].function;
	}
	die_usage("--vector needs name, hash, classic, fnv or random, not '%s'", name);
}
