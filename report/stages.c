#include "report/stages.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/error.h"
#include "core/nearest.h"
#include "core/start.h"
#include "core/str.h"

const struct verb stage_verbs[] = { { "collect", "the running system -> a recording (perf.data)", NULL },
				    { "collapse", "a recording, perf.data -> folded lines of text", NULL },
				    { "render", "folded lines -> a picture (SVG, PNG)", NULL },
				    { "web", "a directory of pictures -> index.html", NULL },
				    { "ship", "recordings -> a store for many machines", NULL },
				    { "report", "all of these but ship, one after another", NULL },
				    { "explain", "a recording -> what happened, in 40 lines", NULL },
				    { "watch", "the running system, all the time -> the last hour of recordings",
				      NULL },
				    { "trigger", "recorders with --keep write what they keep", NULL },
				    { 0 } };

/* A verb is untrusted until it is checked: no '/', no '..', nothing to quote. */
static bool stages_is_name(const char *word)
{
	return word[0] >= 'a' && word[0] <= 'z' && word[strspn(word, "abcdefghijklmnopqrstuvwxyz-")] == '\0';
}

static bool is_verb(const char *word)
{
	for (const struct verb *v = stage_verbs; v->name; v++) {
		if (!strcmp(word, v->name))
			return true;
	}
	return false;
}

static int stages_unknown_verb(const char *word)
{
	struct nearest meant = { 0 };

	for (const struct verb *v = stage_verbs; v->name; v++)
		nearest_try(&meant, word, v->name);
	error("unknown %s '%s'", word[0] == '-' ? "option" : "verb", word);
	if (meant.name)
		fprintf(stderr, "Did you mean '%s'?\n", meant.name);
	fprintf(stderr, "Try '%s --help'.\n", program_name);
	return 2;
}

int stage_exec(const char *stage, char **argv)
{
	struct str name = { 0 }, path = { 0 };

	if (!stages_is_name(stage))
		return stages_unknown_verb(stage);
	str_addf(&name, "pyrograph-%s", stage);
	sibling_path(name.buf, &path);
	argv[0] = name.buf;
	errno = ENOENT;
	if (path.len > name.len)
		execv(path.buf, argv);
	if (errno == ENOENT)
		execvp(name.buf, argv);
	if (errno != ENOENT)
		error("%s: %s", path.buf, strerror(errno));
	else if (!is_verb(stage))
		return stages_unknown_verb(stage);
	else if (path.len > name.len)
		error("%s is neither in %.*s nor on PATH", name.buf, (int)(path.len - name.len), path.buf);
	else
		error("%s is not on PATH, and this program's directory is unknown: /proc is not mounted", name.buf);
	str_free(&name);
	str_free(&path);
	return 1;
}

/* ---- as a child ------------------------------------------------------------------ */

static const int ending_signals[] = { SIGINT, SIGTERM, SIGHUP };

static pid_t child;
static bool ignored[3]; /* before our handlers were set */

static void stages_pass_on(int signal_number, siginfo_t *info, void *context)
{
	(void)context;
	if (info->si_code <= 0 && child > 0) /* sent by a process */
		kill(child, signal_number);
}

static void start_passing_on(struct sigaction old[3])
{
	struct sigaction pass = { .sa_sigaction = stages_pass_on, .sa_flags = SA_SIGINFO };

	for (int i = 0; i < 3; i++) {
		sigaction(ending_signals[i], &pass, &old[i]);
		ignored[i] = old[i].sa_handler == SIG_IGN;
		if (ignored[i] && ending_signals[i] == SIGHUP) /* nohup */
			sigaction(ending_signals[i], &old[i], NULL);
	}
}

static void stop_passing_on(const struct sigaction old[3])
{
	for (int i = 0; i < 3; i++)
		sigaction(ending_signals[i], &old[i], NULL);
}

static int exit_status(const char *stage, int wait_status)
{
	if (WIFEXITED(wait_status))
		return WEXITSTATUS(wait_status);
	error("%s was ended by signal %d (%s)", stage, WTERMSIG(wait_status), strsignal(WTERMSIG(wait_status)));
	return 128 + WTERMSIG(wait_status);
}

static void stages_hold_signals(sigset_t *before)
{
	sigset_t enders;

	sigemptyset(&enders);
	for (int i = 0; i < 3; i++)
		sigaddset(&enders, ending_signals[i]);
	sigprocmask(SIG_BLOCK, &enders, before);
}

/* The new process: without our handlers, so that a blocked signal ends it. */
_Noreturn static void stages_become(char **argv, const sigset_t *mask, int out)
{
	struct sigaction action;

	prctl(PR_SET_PDEATHSIG, SIGTERM); /* nobody would draw what a recording goes on with */
	if (out >= 0)
		dup2(out, STDOUT_FILENO);
	for (int i = 0; i < 3; i++) {
		sigaction(ending_signals[i], NULL, &action);
		if (action.sa_handler != SIG_IGN)
			signal(ending_signals[i], ignored[i] ? SIG_IGN : SIG_DFL);
	}
	sigprocmask(SIG_SETMASK, mask, NULL);
	setenv(PROGRAM_CALLER, program_name, 1);
	_exit(stage_exec(argv[0], argv));
}

/* Fork and execute, with out, if given, as stdout.  Signals stay blocked until the child's
 * pid is known. */
static int stages_start(char **argv, int out)
{
	sigset_t before;

	fflush(NULL);
	stages_hold_signals(&before);
	child = fork();
	if (!child)
		stages_become(argv, &before, out);
	sigprocmask(SIG_SETMASK, &before, NULL);
	return child < 0 ? error("cannot start another process: %s", start_failure(errno)) : 0;
}

/* Returns the exit status. */
static int stages_wait_for(char **argv)
{
	int wait_status;

	while (waitpid(child, &wait_status, 0) < 0) {
		if (errno != EINTR)
			return 1;
	}
	child = 0;
	return exit_status(argv[0], wait_status);
}

static int stages_run(char **argv)
{
	return stages_start(argv, -1) ? 1 : stages_wait_for(argv);
}

int stage_read(char **argv, struct str *out)
{
	char buf[4096];
	ssize_t n = 0;
	int ends[2], status;

	if (pipe2(ends, O_CLOEXEC))
		return -error("pipe: %s", strerror(errno));
	status = stages_start(argv, ends[1]);
	close(ends[1]);
	while (!status && (n = read(ends[0], buf, sizeof(buf))) != 0) {
		if (n > 0)
			str_add(out, buf, (size_t)n);
		else if (errno != EINTR)
			break;
	}
	close(ends[0]);
	return status ? 1 : stages_wait_for(argv);
}

int stage_run(char **argv, bool outlive)
{
	struct sigaction old[3];
	int status;

	if (!outlive)
		return stages_run(argv);
	start_passing_on(old);
	status = stages_run(argv);
	stop_passing_on(old);
	return status;
}
