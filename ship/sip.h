/* sip: 128-bit hashes of bytes, the same as SQL's sipHash128() of ClickHouse, so that queries can check them.
 *
 * SipHash-2-4 (Aumasson, Bernstein) with a key of zeros; the 128 bits are the halves of the final state, folded once,
 * unlike those of the paper's later 128-bit variant. */
#ifndef SHIP_SIP_H
#define SHIP_SIP_H

#include <stddef.h>
#include <stdint.h>

enum { SIP_BYTES = 16 };

struct sip {
	uint64_t v[4];
	uint64_t word; /* bytes that do not fill 8 yet */
	uint64_t len;
};

void sip_begin(struct sip *s);
void sip_add(struct sip *s, const void *bytes, size_t len);
void sip_end(struct sip *s, unsigned char hash[SIP_BYTES]);

void sip_hash(const void *bytes, size_t len, unsigned char hash[SIP_BYTES]);

#endif
