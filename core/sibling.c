#include "core/sibling.h"

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

/* The path of this program: the kernel's, or, without /proc, as it was executed, but not where somebody with fewer rights may
 * have chosen that. */
static bool find_self(char self[PATH_MAX])
{
	ssize_t n = readlink("/proc/self/exe", self, PATH_MAX - 1);
	const char *executed = n <= 0 && !getauxval(AT_SECURE) ? (const char *)getauxval(AT_EXECFN) : NULL;

	if (n > 0)
		self[n] = '\0';
	return n > 0 || (executed && realpath(executed, self));
}

void sibling_path(const char *name, struct str *path)
{
	char self[PATH_MAX];
	const char *slash = find_self(self) ? strrchr(self, '/') : NULL;

	if (slash)
		str_add(path, self, (size_t)(slash + 1 - self));
	str_puts(path, name);
}
