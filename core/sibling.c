#include "core/sibling.h"

#include <limits.h>
#include <string.h>
#include <unistd.h>

void sibling_path(const char *name, struct str *path)
{
	char self[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self));
	const char *slash = n > 0 ? memrchr(self, '/', (size_t)n) : NULL;

	if (slash)
		str_add(path, self, (size_t)(slash + 1 - self));
	str_puts(path, name);
}
