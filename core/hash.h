/* hash: 64-bit hashes of bytes and of numbers.
 *
 * Multiply-fold hashing, as described for wyhash (Wang Yi, public domain):
 * xoring the halves of a 64x64 -> 128 bit product mixes every input bit.
 * The seed is fixed, so that equal inputs give equal runs; no output depends
 * on the order in a table. */
#ifndef CORE_HASH_H
#define CORE_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline uint64_t hash_mix(uint64_t a, uint64_t b)
{
	__uint128_t product = (__uint128_t)(a ^ 0x9e3779b97f4a7c15u) * (b ^ 0xe7037ed1a0b428dbu);

	return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static inline uint64_t hash_bytes(const void *bytes, size_t len)
{
	const unsigned char *p = bytes;
	uint64_t h = len, a, b;

	for (; len >= 16; len -= 16, p += 16) {
		memcpy(&a, p, 8);
		memcpy(&b, p + 8, 8);
		h = hash_mix(a ^ h, b);
	}
	a = b = 0;
	if (len >= 8) {
		memcpy(&a, p, 8);
		memcpy(&b, p + len - 8, 8);
	} else if (len >= 4) {
		uint32_t low, high;

		memcpy(&low, p, 4);
		memcpy(&high, p + len - 4, 4);
		a = low;
		b = high;
	} else if (len) {
		a = (uint64_t)p[0] << 16 | (uint64_t)p[len / 2] << 8 | p[len - 1];
	}
	return hash_mix(a ^ h, b ^ 0xa0761d6478bd642fu);
}

#endif
