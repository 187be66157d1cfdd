/* scope_chain: ScopeDescs, as HotSpot writes them: a method and those that it was inlined into, in UNSIGNED5
 * (hotspot/share/code/debugInfo.hpp, compressedStream.hpp; its base changed in JDK 20). */
#ifndef COLLECT_JVM_SCOPE_CHAIN_H
#define COLLECT_JVM_SCOPE_CHAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collect/jvm/scopes.h"

enum { SCOPE_BYTES_MAX = 15 }; /* of what is read of one */

/* One scope: the offset of its caller's (0: it has none), the number of its method (from 1 on), bci + 1. */
struct scope_record {
	uint32_t caller, method, bci;
};

/* Reads the one at offset.  Returns false when it makes no sense. */
bool scope_record_read(const uint8_t *bytes, size_t len, uint32_t offset, uint32_t excluded, struct scope_record *to);

/* Reads scopes from offset on: each is { offset of the caller's, method, bci + 1 } (and what variables it has).
 * A caller was written before.  excluded: 1 from JDK 20 on, 0 before.  Returns how many; 0 when it makes no sense.
 * methods: their numbers, from 1 on; of scopes, only bci is filled in. */
size_t scope_chain_read(const uint8_t *bytes, size_t len, uint32_t offset, uint32_t excluded,
			uint32_t methods[SCOPES_MAX], struct scope scopes[SCOPES_MAX]);

#endif
