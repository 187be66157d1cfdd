#include "core/open_files.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/resource.h>

#include "core/error.h"

static atomic_int noted;
static int told;

void open_files_failed(int err)
{
	if (err == EMFILE || err == ENFILE)
		atomic_store(&noted, err);
}

int open_files_tell(void)
{
	int err = atomic_load(&noted);
	struct rlimit files = { 0 };

	if (!err || told)
		return err ? -1 : 0;
	told = 1;
	if (err == ENFILE)
		return error(
			"files could not be opened, since this machine has too many open: names or other parts are "
			"missing; raise sysctl fs.file-max");
	getrlimit(RLIMIT_NOFILE, &files);
	return error("files could not be opened, since this process may only have %ju open: names or other parts are "
		     "missing; raise the limit with ulimit -n",
		     (uintmax_t)files.rlim_cur);
}
