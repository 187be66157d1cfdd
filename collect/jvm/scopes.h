/* scopes: finds the methods that an address of compiled code belongs to: PcDesc, ScopeDesc
 * (hotspot/share/code/pcDesc.hpp, scopeDesc.hpp). */
#ifndef COLLECT_JVM_SCOPES_H
#define COLLECT_JVM_SCOPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collect/jvm/code_cache.h"
#include "collect/jvm/jvm.h"

struct scope {
	uint64_t method; /* Method* */
	int bci;         /* -1: unknown */
	bool is_likely;  /* taken from the nearest debug information, so that the instruction may belong to another
			  * inlined method */
};

enum { SCOPES_MAX = 128 };

struct scope_reader;

/* only_certain: leave out methods that are only likely.  Returns NULL, and *why (static), if the tables lack what
 * is needed.  jvm must outlive the result. */
struct scope_reader *scope_reader_new(const struct jvm *jvm, bool only_certain, const char **why);

/* The methods at pc of compiled code, the innermost first; the last is the blob's own. pc is a return address or, with
 * is_exact, an interrupted instruction.  Such an instruction may lack debug information: then methods inlined into the
 * certain ones are only likely (near_scopes.h) or left out, and the innermost has bci -1. A JVM with
 * -XX:+DebugNonSafepoints describes all instructions.  If nothing is known, only the blob's method is given, with bci
 * -1. Returns their number, at least 1. */
size_t scopes_at(struct scope_reader *s, const struct code_blob *blob, uint64_t pc, bool is_exact,
		 struct scope scopes[SCOPES_MAX]);

void scope_reader_free(struct scope_reader *s);

/* --- ScopeDescs in memory --- */

enum { SCOPE_BYTES_MAX = 15 }; /* bytes read of one record */

/* One scope: the offset of its caller (0: none), the number of its method (from 1 on), bci + 1. */
struct scope_record {
	uint32_t caller, method, bci;
};

/* Reads the record at offset.  Returns false if the record makes no sense. */
bool scope_record_read(const uint8_t *bytes, size_t len, uint32_t offset, uint32_t excluded, struct scope_record *to);

#endif
