#include "core/symbols/elf/debuginfod.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/patience.h"
#include "core/progress.h"
#include "core/wallclock.h"

/* Give a server up that sends nothing for so long, unless DEBUGINFOD_TIMEOUT is set. */
enum { PATIENCE_S = 20 };

/* The functions that we use of libdebuginfod (debuginfod_find_debuginfo(3)). */
typedef struct debuginfod_client client;
typedef int progress_function(client *c, long done, long all);
static struct {
	client *(*begin)(void);
	void (*set_progress)(client *c, progress_function *function);
	void (*set_user_data)(client *c, void *data);
	void *(*get_user_data)(client *c);
	int (*find)(client *c, const unsigned char *id, int len_or_0_for_hex, char **path);
	void (*end)(client *c);
} library;

static atomic_bool gave_up, failure_told;

struct waiting {
	time_t since; /* when the server last sent something */
	long patience_s, done;
	bool late, interrupted;
};

static void load_library(void)
{
	void *handle = dlopen("libdebuginfod.so.1", RTLD_NOW | RTLD_LOCAL);

	if (!handle) {
		warn("DEBUGINFOD_URLS is ignored: %s", dlerror());
		return;
	}
	*(void **)&library.begin = dlsym(handle, "debuginfod_begin");
	*(void **)&library.set_progress = dlsym(handle, "debuginfod_set_progressfn");
	*(void **)&library.set_user_data = dlsym(handle, "debuginfod_set_user_data");
	*(void **)&library.get_user_data = dlsym(handle, "debuginfod_get_user_data");
	*(void **)&library.find = dlsym(handle, "debuginfod_find_debuginfo");
	*(void **)&library.end = dlsym(handle, "debuginfod_end");
}

static bool library_is_there(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, load_library);
	return library.begin && library.set_progress && library.set_user_data && library.get_user_data &&
	       library.find && library.end;
}

static void debuginfod_show(const char *name)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

	pthread_mutex_lock(&lock);
	if (name)
		progress("asking debuginfod for %s", name);
	else
		progress_clear();
	pthread_mutex_unlock(&lock);
}

static long patience_s(void)
{
	const char *text = getenv("DEBUGINFOD_TIMEOUT");
	long wanted = text ? strtol(text, NULL, 10) : 0;

	return wanted > 0 ? wanted : PATIENCE_S;
}

/* libdebuginfod calls this about once a second.  Returns 1 to stop.  all: 0 until an answer begins. */
static int wait_on(client *c, long done, long all)
{
	struct waiting *w = library.get_user_data(c);

	if (all > 0 && done != w->done) {
		w->done = done;
		w->since = (time_t)(clock_ns(CLOCK_MONOTONIC) / NS_PER_SEC);
	}
	w->late = (time_t)(clock_ns(CLOCK_MONOTONIC) / NS_PER_SEC) - w->since >= w->patience_s;
	w->interrupted = stop_is_asked(); /* Ctrl-C, at the end of a recording */
	if (w->late || w->interrupted)
		atomic_store(&gave_up, true);
	return atomic_load(&gave_up);
}

static void tell_failure(const struct waiting *w, int error, const char *urls)
{
	if (w->interrupted && !atomic_exchange(&failure_told, true))
		warn("interrupted: debuginfod is no longer asked");
	else if ((w->late || error == ETIME) && !atomic_exchange(&failure_told, true))
		warn("debuginfod does not answer, and is no longer asked (%s)", urls);
	else if (!atomic_load(&gave_up) && error != ENOENT && !atomic_exchange(&failure_told, true))
		warn("debuginfod failed: %s (%s)", strerrordesc_np(error), urls);
	if (error == ETIME)
		atomic_store(&gave_up, true);
}

static int debuginfod_find(const char *build_id, const char *urls)
{
	struct waiting w = { .since = (time_t)(clock_ns(CLOCK_MONOTONIC) / NS_PER_SEC), .patience_s = patience_s() };
	client *c = library.begin();
	char *path = NULL;
	int fd;

	if (!c)
		return -1;
	library.set_user_data(c, &w);
	library.set_progress(c, wait_on);
	fd = library.find(c, (const unsigned char *)build_id, 0, &path);
	if (fd < 0)
		tell_failure(&w, -fd, urls);
	free(path);
	library.end(c);
	return fd;
}

/* Does a URL have a protocol that we know?  For other protocols, libdebuginfod only says that there is no such
 * file. */
static bool has_known_protocol(const char *urls)
{
	return strstr(urls, "http://") || strstr(urls, "https://") || strstr(urls, "file://") || !strstr(urls, "://");
}

int debuginfod_open(const char *build_id, const char *name)
{
	const char *urls = getenv("DEBUGINFOD_URLS");
	int fd;

	if (!urls || !urls[strspn(urls, " ")] || atomic_load(&gave_up) || !library_is_there())
		return -1;
	if (!has_known_protocol(urls)) {
		if (!atomic_exchange(&gave_up, true))
			warn("debuginfod is not used: only http, https and file URLs work (%s)", urls);
		return -1;
	}
	debuginfod_show(name);
	fd = debuginfod_find(build_id, urls);
	debuginfod_show(NULL);
	return fd < 0 ? -1 : fd;
}
