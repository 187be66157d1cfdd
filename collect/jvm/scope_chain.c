#include "collect/jvm/scope_chain.h"

enum {
	VALUE_BYTES_MAX = 5,
	BCI_MAX = 65535, /* maximum size of a method in bytes (JVMS 4.7.3) */
};

_Static_assert((int)SCOPE_BYTES_MAX >= 3 * (int)VALUE_BYTES_MAX, "a scope begins with three numbers");

/* A number has 1 to 5 bytes; each adds 6 bits above those of the byte before.  A byte below 192 is the last.  From
 * JDK 20 on, the byte 0 does not occur in numbers: all bytes are greater by one (excluded is 1). */
struct numbers {
	const uint8_t *at, *end;
	uint32_t excluded;
	bool failed;
};

static uint32_t scope_chain_next_number(struct numbers *n)
{
	uint32_t sum = 0, byte;

	for (int i = 0; i < VALUE_BYTES_MAX; i++) {
		if (n->at == n->end || *n->at < n->excluded) {
			n->failed = true;
			return 0;
		}
		byte = *n->at++;
		sum += (byte - n->excluded) << 6 * i;
		if (byte < 192)
			break;
	}
	return sum;
}

bool scope_record_read(const uint8_t *bytes, size_t len, uint32_t offset, uint32_t excluded, struct scope_record *to)
{
	struct numbers n = { bytes + (offset < len ? offset : len), bytes + len, excluded, false };

	to->caller = scope_chain_next_number(&n);
	to->method = scope_chain_next_number(&n);
	to->bci = scope_chain_next_number(&n);
	return !n.failed && to->method && to->bci <= BCI_MAX && to->caller < offset;
}

size_t scope_chain_read(const uint8_t *bytes, size_t len, uint32_t offset, uint32_t excluded,
			uint32_t methods[SCOPES_MAX], struct scope scopes[SCOPES_MAX])
{
	struct scope_record r;

	for (size_t count = 0; count < SCOPES_MAX; count++) {
		if (!scope_record_read(bytes, len, offset, excluded, &r))
			return 0;
		methods[count] = r.method;
		scopes[count] = (struct scope){ .bci = (int)r.bci - 1 };
		if (!r.caller)
			return count + 1;
		offset = r.caller;
	}
	return 0;
}
