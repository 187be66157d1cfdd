#include "ship/sip.h"

#include <string.h>

static inline uint64_t turn(uint64_t x, int bits)
{
	return x << bits | x >> (64 - bits);
}

static inline void sip_round(uint64_t v[4])
{
	v[0] += v[1];
	v[1] = turn(v[1], 13) ^ v[0];
	v[0] = turn(v[0], 32);
	v[2] += v[3];
	v[3] = turn(v[3], 16) ^ v[2];
	v[0] += v[3];
	v[3] = turn(v[3], 21) ^ v[0];
	v[2] += v[1];
	v[1] = turn(v[1], 17) ^ v[2];
	v[2] = turn(v[2], 32);
}

static inline void sip_add_word(struct sip *s, uint64_t word)
{
	s->v[3] ^= word;
	sip_round(s->v);
	sip_round(s->v);
	s->v[0] ^= word;
}

void sip_begin(struct sip *s)
{
	*s = (struct sip){ .v = { 0x736f6d6570736575, 0x646f72616e646f6d, 0x6c7967656e657261, 0x7465646279746573 } };
}

static inline void add_byte(struct sip *s, unsigned char byte)
{
	s->word |= (uint64_t)byte << 8 * (s->len++ & 7);
	if (s->len & 7)
		return;
	sip_add_word(s, s->word);
	s->word = 0;
}

void sip_add(struct sip *s, const void *bytes, size_t len)
{
	const unsigned char *p = bytes;
	uint64_t word;

	for (; len && s->len & 7; len--)
		add_byte(s, *p++);
	for (; len >= 8; len -= 8, p += 8) {
		memcpy(&word, p, 8);
		sip_add_word(s, word);
		s->len += 8;
	}
	for (; len; len--)
		add_byte(s, *p++);
}

void sip_end(struct sip *s, unsigned char hash[SIP_BYTES])
{
	uint64_t halves[2];

	sip_add_word(s, (s->word & ~(UINT64_C(0xff) << 56)) | (s->len & 0xff) << 56);
	s->v[2] ^= 0xff;
	for (int i = 0; i < 4; i++)
		sip_round(s->v);
	halves[0] = s->v[0] ^ s->v[1];
	halves[1] = s->v[2] ^ s->v[3];
	memcpy(hash, halves, SIP_BYTES);
}

void sip_hash(const void *bytes, size_t len, unsigned char hash[SIP_BYTES])
{
	struct sip s;

	sip_begin(&s);
	sip_add(&s, bytes, len);
	sip_end(&s, hash);
}
