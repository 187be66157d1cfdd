/* scope_chain: decodes HotSpot's ScopeDescs: a method and those it was inlined into, in UNSIGNED5
 * (hotspot/share/code/debugInfo.hpp, compressedStream.hpp; its base changed in JDK 20). */
#ifndef COLLECT_JVM_SCOPE_CHAIN_H
#define COLLECT_JVM_SCOPE_CHAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collect/jvm/scopes.h"

enum { SCOPE_BYTES_MAX = 15 }; /* bytes read of one record */

/* One scope: the offset of its caller (0: none), the number of its method (from 1 on), bci + 1. */
struct scope_record {
	uint32_t caller, method, bci;
};

/* Reads the record at offset.  Returns false if the record makes no sense. */
bool scope_record_read(const uint8_t *bytes, size_t len, uint32_t offset, uint32_t excluded, struct scope_record *to);

/* Reads scopes from offset on: each is { caller's offset, method, bci + 1 } (variables follow).  A caller precedes
 * its callees. excluded: 1 from JDK 20 on, 0 before.  Returns their number; 0 if they make no sense. methods:
 * numbers from 1 on; in scopes, only bci is filled in. */
size_t scope_chain_read(const uint8_t *bytes, size_t len, uint32_t offset, uint32_t excluded,
			uint32_t methods[SCOPES_MAX], struct scope scopes[SCOPES_MAX]);

#endif
