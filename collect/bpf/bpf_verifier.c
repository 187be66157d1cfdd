#include "collect/bpf/bpf_verifier.h"

#include <string.h>

const char *verifier_too_complex(const char *log, size_t *len)
{
	static const char *const words[] = { "BPF program is too large.", " jumps is too complex" };
	const char *found = NULL;

	for (size_t i = 0; !found && i < sizeof(words) / sizeof(*words); i++)
		found = strstr(log, words[i]);
	if (!found)
		return NULL;
	while (found > log && found[-1] != '\n')
		found--;
	*len = strcspn(found, "\n");
	return found;
}
