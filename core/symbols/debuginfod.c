#include "core/symbols/debuginfod.h"

#include <elfutils/libdwfl.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "core/progress.h"

/* Who has not answered for so long is not there; an answer may take longer. */
enum { PATIENCE_S = 20 };

static atomic_bool gave_up;

static void show(const char *name)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

	pthread_mutex_lock(&lock);
	if (name)
		progress("asking debuginfod for %s", name);
	else
		progress_clear();
	pthread_mutex_unlock(&lock);
}

static int find(Dwfl *dwfl, int fd, const char *name)
{
	Dwfl_Module *module;
	void **userdata;
	GElf_Addr base;
	char *found = NULL;
	int debug;

	dwfl_report_begin(dwfl);
	module = dwfl_report_offline(dwfl, name, name, fd); /* takes fd, if it can be used */
	if (!module)
		close(fd);
	dwfl_report_end(dwfl, NULL, NULL);
	if (!module || !dwfl_module_info(module, &userdata, &base, NULL, NULL, NULL, NULL, NULL))
		return -1;
	debug = dwfl_standard_find_debuginfo(module, userdata, name, base, name, NULL, 0, &found);
	free(found);
	return debug;
}

int debuginfod_open(const struct elf_file *file, const char *name)
{
	static const Dwfl_Callbacks callbacks = {
		.find_elf = dwfl_build_id_find_elf,
		.find_debuginfo = dwfl_standard_find_debuginfo,
		.section_address = dwfl_offline_section_address,
	};
	const char *urls = getenv("DEBUGINFOD_URLS");
	time_t begin = time(NULL);
	int fd, debug = -1;
	Dwfl *dwfl;

	if (!urls || !*urls || file->fd < 0 || atomic_load(&gave_up))
		return -1;
	dwfl = dwfl_begin(&callbacks);
	fd = dwfl ? fcntl(file->fd, F_DUPFD_CLOEXEC, 0) : -1;
	if (fd >= 0) {
		show(name);
		debug = find(dwfl, fd, name);
		show(NULL);
	}
	dwfl_end(dwfl);
	if (debug < 0 && time(NULL) - begin > PATIENCE_S && !atomic_exchange(&gave_up, true))
		warn("debuginfod does not answer: no more is asked");
	return debug;
}
