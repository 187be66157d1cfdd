#include "collapse/roots/error_word.h"

#include <string.h>

/* The kernel's own, which programs never see (include/linux/errno.h). */
enum { ERESTART_FIRST = 512 };

static const char *const restarts[] = { "ERESTARTSYS", "ERESTARTNOINTR", "ERESTARTNOHAND", "ENOIOCTLCMD",
					"ERESTART_RESTARTBLOCK" };

enum { RESTARTS = sizeof(restarts) / sizeof(*restarts) };

void error_word_add(struct str *out, uint32_t error)
{
	const char *name =
		error - ERESTART_FIRST < RESTARTS ? restarts[error - ERESTART_FIRST] : strerrorname_np((int)error);

	if (name)
		str_puts(out, name);
	else
		str_addf(out, "errno_%u", error);
}
