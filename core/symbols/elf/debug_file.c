#include "core/symbols/elf/debug_file.h"

#include <dlfcn.h>
#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <zlib.h>

#include "core/error.h"
#include "core/intern.h"
#include "core/patience.h"
#include "core/progress.h"
#include "core/str.h"
#include "core/symbols/space/process_root.h"
#include "core/wallclock.h"

/* --- from the servers in DEBUGINFOD_URLS, by libdebuginfod, if it is installed, which caches them --- */

/* Give up a server that sends nothing for this long, unless DEBUGINFOD_TIMEOUT is set. */
enum { PATIENCE_S = 20 };

/* The functions of libdebuginfod that we use (debuginfod_find_debuginfo(3)). */
typedef struct debuginfod_client client;
typedef int progress_function(client *c, long done, long all);
static struct {
	client *(*begin)(void);
	void (*set_progress)(client *c, progress_function *function);
	void (*set_user_data)(client *c, void *data);
	void *(*get_user_data)(client *c);
	int (*find)(client *c, const unsigned char *id, int len_or_0_for_hex, char **path);
} library;

static atomic_bool gave_up, failure_told;

/* A separate process asks, because it can be ended: libdebuginfod 0.192 does not call back while a server is silent.
 * The process writes a PULSE into a pipe whenever data have come, and at the end one answer. */
enum { PULSE = 'p', ANSWER = 'a', LOOK_MS = 200 };

struct waiting {
	pid_t pid;
	int from;       /* the pipe */
	time_t since;   /* when the server last sent something */
	struct str got; /* since the answer began */
	bool late, interrupted;
};

struct pulses {
	int to;
	long done;
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
}

static bool library_is_there(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, load_library);
	return library.begin && library.set_progress && library.set_user_data && library.get_user_data && library.find;
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

/* Called by libdebuginfod while bytes arrive.  Returns 0: continue.  all is 0 until an answer begins. */
static int debuginfod_pulse(client *c, long done, long all)
{
	struct pulses *p = library.get_user_data(c);
	const char pulse = PULSE;

	if (all > 0 && done != p->done) {
		p->done = done;
		if (write(p->to, &pulse, 1) < 0)
			return 1;
	}
	return 0;
}

/* In the process that asks: writes "a", errno or 0, the path of the file. */
static _Noreturn void debuginfod_ask(const char *build_id, int to)
{
	struct pulses p = { .to = to };
	client *c = library.begin();
	struct str answer = { 0 };
	char *path = NULL;
	int fd = -ENOMEM;

	if (c) {
		library.set_user_data(c, &p);
		library.set_progress(c, debuginfod_pulse);
		fd = library.find(c, (const unsigned char *)build_id, 0, &path);
	}
	str_addf(&answer, "%c%d %s", ANSWER, fd < 0 ? -fd : 0, fd < 0 || !path ? "" : path);
	_exit(write(to, answer.buf, answer.len) == (ssize_t)answer.len ? 0 : 1);
}

static time_t debuginfod_now_s(void)
{
	return (time_t)(clock_ns(CLOCK_MONOTONIC) / NS_PER_SEC);
}

/* Returns false at the end of the pipe. */
static bool debuginfod_read(struct waiting *w)
{
	char bytes[PIPE_BUF];
	ssize_t n = read(w->from, bytes, sizeof(bytes));
	size_t skip = 0;

	if (n <= 0)
		return n < 0 && errno == EINTR;
	w->since = debuginfod_now_s();
	while (!w->got.len && skip < (size_t)n && bytes[skip] == PULSE)
		skip++;
	str_add(&w->got, bytes + skip, (size_t)n - skip);
	return true;
}

/* Wait for the answer, or until it is no longer wanted. */
static void debuginfod_wait(struct waiting *w)
{
	const time_t patience = patience_s();
	struct pollfd ready = { .fd = w->from, .events = POLLIN };

	do {
		if (poll(&ready, 1, LOOK_MS) > 0 && !debuginfod_read(w))
			break;
		w->late = debuginfod_now_s() - w->since >= patience;
		w->interrupted = stop_is_asked(); /* Ctrl-C, at the end of a recording */
		if (w->late || w->interrupted)
			atomic_store(&gave_up, true);
	} while (!atomic_load(&gave_up));
	kill(w->pid, SIGKILL);
	while (waitpid(w->pid, NULL, 0) < 0 && errno == EINTR)
		;
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

/* Returns the file that the answer names, or -1 with the text of a message. */
static int debuginfod_take(struct waiting *w, const char *urls)
{
	char *path = NULL;
	int error = ECANCELED, fd = -1;

	str_addc(&w->got, '\0');
	if (w->got.buf[0] == ANSWER) {
		error = (int)strtol(w->got.buf + 1, &path, 10);
		fd = error ? -1 : open(path + 1, O_RDONLY | O_CLOEXEC);
		error = fd < 0 && !error ? errno : error;
	}
	if (fd < 0)
		tell_failure(w, error, urls);
	return fd;
}

static int debuginfod_find(const char *build_id, const char *urls)
{
	struct waiting w = { .since = debuginfod_now_s() };
	int ends[2], fd = -1;

	if (pipe2(ends, O_CLOEXEC))
		return -1;
	w.from = ends[0];
	w.pid = fork();
	if (!w.pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		close(ends[0]);
		debuginfod_ask(build_id, ends[1]);
	}
	if (w.pid < 0) {
		tell_failure(&w, errno, urls);
		close(ends[1]);
	} else {
		close(ends[1]);
		debuginfod_wait(&w);
		fd = debuginfod_take(&w, urls);
	}
	close(ends[0]);
	str_free(&w.got);
	return fd;
}

/* Does a URL have a protocol that we know?  For other protocols, libdebuginfod only says that there is no such
 * file. */
static bool has_known_protocol(const char *urls)
{
	return strstr(urls, "http://") || strstr(urls, "https://") || strstr(urls, "file://") || !strstr(urls, "://");
}

/* Ask for the debug file of a build-id (hex); name is shown on a terminal meanwhile.  Once a
 * server has sent nothing for 20 seconds (DEBUGINFOD_TIMEOUT), or a signal that ends the program
 * is pending, no server is asked again in this run.  We warn about that, and about the first
 * failure.  Returns a descriptor of the unchecked file, or -1. */
static int debuginfod_open(const char *build_id, const char *name)
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

/* --- the separate file --- */

/* A file that exists but cannot be used: if no other file is found, we warn once per run. */
struct refusal {
	struct str path;
	const char *reason; /* NULL: no such file */
};

static void debug_file_refuse(struct refusal *r, const char *path, const char *reason)
{
	if (r->reason)
		return;
	str_puts(&r->path, path);
	r->reason = reason;
}

/* Warn once, although several threads read modules. */
static void tell_refusal(struct refusal *r)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	static struct intern told;
	uint32_t before;

	if (!r->reason)
		return;
	pthread_mutex_lock(&lock);
	before = told.count;
	intern_add(&told, r->path.buf, r->path.len);
	if (told.count > before)
		warn("%s: not used: %s", r->path.buf, r->reason);
	pthread_mutex_unlock(&lock);
}

/* Use fd as the debug file; takes fd over.  If both files have a build-id, the two must be equal; sure: both must
 * have one. */
static int accept_fd(struct elf_file *debug, int fd, const char *build_id, bool sure)
{
	struct elf_build_id found;

	if (elf_file_open_fd(debug, fd))
		return -1;
	found = elf_file_build_id(debug->elf);
	if (!strcmp(found.text, build_id) || (!sure && (!*found.text || !*build_id)))
		return 0;
	elf_file_close(debug);
	return -1;
}

/* --- by build-id --- */

static int open_by_build_id(struct elf_file *debug, int pid, const char *id, struct refusal *refusal)
{
	char path[128];
	int fd;

	if (!is_build_id(id))
		return -1;
	snprintf(path, sizeof(path), "/usr/lib/debug/.build-id/%.2s/%s.debug", id, id + 2);
	fd = process_root_open(pid, path);
	if (fd < 0)
		return -1;
	if (accept_fd(debug, fd, id, true) == 0)
		return 0;
	debug_file_refuse(refusal, path, "damaged, or from another build");
	return -1;
}

/* --- by .gnu_debuglink --- */

struct link {
	const char *name;
	uint32_t crc;
};

/* The section has the name, padded with NULs to a multiple of 4, then the CRC in the byte order of the file. */
static bool read_link(Elf *elf, struct link *link)
{
	Elf_Data *data = elf_file_section(elf, ".gnu_debuglink", NULL);
	GElf_Ehdr header;
	size_t len, at;

	if (!data || !data->d_buf || !gelf_getehdr(elf, &header))
		return false;
	link->name = data->d_buf;
	len = strnlen(link->name, data->d_size);
	at = (len + 4) & ~(size_t)3;
	if (!len || at + sizeof(link->crc) != data->d_size || memchr(link->name, '/', len))
		return false;
	memcpy(&link->crc, link->name + at, sizeof(link->crc));
	if (header.e_ident[EI_DATA] == ELFDATA2MSB)
		link->crc = be32toh(link->crc);
	else
		link->crc = le32toh(link->crc);
	return true;
}

#define LARGEST_READ ((off_t)4 << 30)

static bool has_crc(int fd, uint32_t wanted)
{
	struct stat st;
	void *bytes;
	bool right;

	/* Any user's program may name any file, of any size, so check the file first. */
	if (fstat(fd, &st) || !S_ISREG(st.st_mode) || st.st_size <= 0 || st.st_size > LARGEST_READ)
		return false;
	bytes = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (bytes == MAP_FAILED)
		return false;
	right = crc32_z(0, bytes, (size_t)st.st_size) == wanted;
	munmap(bytes, (size_t)st.st_size);
	return right;
}

/* A program may link to its own name. */
static bool debug_file_is_same_file(int a, int b)
{
	struct stat x, y;

	return !fstat(a, &x) && !fstat(b, &y) && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

static int open_linked(struct elf_file *debug, int pid, const char *path, const struct link *link,
		       const struct elf_file *main, struct refusal *refusal)
{
	static const struct {
		const char *before, *after;
	} places[] = { { "", "" }, { "", ".debug/" }, { "/usr/lib/debug", "" } };
	const char *slash = strrchr(path, '/');
	struct str name = { 0 };
	int status = -1;

	for (size_t i = 0; slash && status < 0 && i < sizeof(places) / sizeof(*places); i++) {
		bool itself;
		int fd;

		str_clear(&name);
		str_addf(&name, "%s%.*s/%s%s", places[i].before, (int)(slash - path), path, places[i].after,
			 link->name);
		fd = process_root_open(pid, str_text(&name));
		itself = fd >= 0 && debug_file_is_same_file(fd, main->fd);
		if (fd >= 0 && has_crc(fd, link->crc))
			status = accept_fd(debug, fd, elf_file_build_id(main->elf).text, false);
		else if (fd >= 0)
			close(fd);
		if (fd >= 0 && status < 0 && !itself)
			debug_file_refuse(refusal, str_text(&name),
					  "from another build, or damaged: its CRC or build-id does not match");
	}
	str_free(&name);
	return status;
}

static int open_from_server(struct elf_file *debug, const struct module *module, const char *id)
{
	int fd = is_build_id(id) ? debuginfod_open(id, module_name(module)) : -1;

	return fd < 0 ? -1 : accept_fd(debug, fd, id, true);
}

int debug_file_open(struct elf_file *debug, const struct module *module, const struct elf_file *main)
{
	struct elf_build_id id = elf_file_build_id(main->elf);
	struct link link = { 0 };
	bool linked = module->path[0] == '/' && read_link(main->elf, &link);
	int pids[] = { module->elsewhere ? 0 : module->pid, 0 }, status = -1;
	struct refusal refusal = { .reason = NULL };

	*debug = (struct elf_file){ .fd = -1 };
	for (size_t i = 0; i < 2; i++) {
		if (status < 0)
			status = open_by_build_id(debug, pids[i], id.text, &refusal);
	}
	for (size_t i = 0; status < 0 && linked && i < 2; i++)
		status = open_linked(debug, pids[i], module->path, &link, main, &refusal);
	if (status < 0)
		status = open_from_server(debug, module, id.text);
	if (status < 0)
		tell_refusal(&refusal);
	str_free(&refusal.path);
	return status;
}
