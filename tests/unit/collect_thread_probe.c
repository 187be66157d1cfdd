/* The names of Java threads, as the JVM reports them when threads start. */
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "collect/bpf/bpf.h"
#include "collect/java/thread_probe.h"
#include "collect/jvm/tables/libjvm.h"

struct java {
	pid_t pid;
	int input;
};

/* tests/jvm/Names.java; returns when its threads run. */
static struct java java_start(void)
{
	int in[2], out[2];
	struct java java = { 0 };
	char line[64];
	FILE *said;

	if (pipe(in) || pipe(out))
		exit(1);
	java.pid = fork();
	if (!java.pid) {
		dup2(in[0], 0);
		dup2(out[1], 1);
		close(in[1]);
		execlp("java", "java", "-cp", "build/tests/jvm", "Names", (char *)NULL);
		_exit(127);
	}
	close(in[0]);
	close(out[1]);
	java.input = in[1];
	said = fdopen(out[0], "r");
	if (!fgets(line, sizeof(line), said) || strcmp(line, "ready\n"))
		java.pid = 0;
	fclose(said);
	return java;
}

static void java_stop(struct java *java)
{
	close(java->input);
	waitpid(java->pid, NULL, 0);
}

static struct seen {
	int pid, wrong_tids;
	char text[8192];
} seen;

/* What libjvm itself starts comes as well. */
static void take(void *self, int pid, int tid, const char *name, size_t len)
{
	struct seen *s = self;
	size_t used = strlen(s->text);
	char task[64];

	if (pid != s->pid)
		return;
	snprintf(task, sizeof(task), "/proc/%d/task/%d", pid, tid);
	s->wrong_tids += access(task, F_OK) && len && !strncmp(name, "short", len);
	snprintf(s->text + used, sizeof(s->text) - used, "<%.*s>", (int)len, name);
}

static void check_names(struct thread_probe *probe)
{
	static const char *const names[] = {
		"<short>",
		"<a pool with a very long name, thread number 17>",
		"<ümläut-ß>",
		"<日本語のスレッド>",
		"<emoji-😀-🔥>",
		"<\"; DROP</script>>",
		"<semi;colon & <angle> 'quote'>",
		"<trailing blank >",
	};
	struct java java = java_start();

	seen.pid = java.pid;
	thread_probe_drain(probe);
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		CHECK(strstr(seen.text, names[i]));
	CHECK(!seen.wrong_tids);
	CHECK(thread_probe_lost(probe) == 0);
	if (!strstr(seen.text, names[4]))
		printf("# %s\n", seen.text);
	java_stop(&java);
}

int main(void)
{
	struct java first;
	struct runtime_file lib;
	struct thread_probe *probe;

	if (bpf_obstacle()) {
		printf("ok - names of threads # SKIP %s\n", bpf_obstacle());
		return 0;
	}
	signal(SIGPIPE, SIG_IGN);
	first = java_start();
	if (!first.pid) {
		printf("ok - names of threads # SKIP no JVM\n");
		return 0;
	}
	probe = thread_probe_open(take, &seen);
	CHECK(probe);
	CHECK(!thread_probe_attach(probe, "/bin/sh"));
	CHECK(libjvm_find(first.pid, &lib));
	CHECK(thread_probe_attach(probe, lib.path));
	CHECK(thread_probe_attach(probe, lib.path));
	java_stop(&first);
	check_names(probe);
	thread_probe_close(probe);
	thread_probe_close(NULL);
	return check_done();
}
