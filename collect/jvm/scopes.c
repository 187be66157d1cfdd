#include "collect/jvm/scopes.h"

#include <stddef.h>

struct scope_reader *scope_reader_new(const struct jvm *jvm, const char **why)
{
	(void)jvm;
	*why = "not written yet";
	return NULL;
}

size_t scopes_at(struct scope_reader *s, const struct code_blob *blob, uint64_t pc, bool is_exact,
		 struct scope scopes[SCOPES_MAX])
{
	(void)s, (void)pc, (void)is_exact;
	scopes[0] = (struct scope){ blob->method, -1 };
	return 1;
}

void scope_reader_free(struct scope_reader *s)
{
	(void)s;
}
