/* processes: threads, children, and a program that executes itself. */
#include "chains.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

LEAF(spin_thread)
LEAF(spin_child)
LEAF(spin_exec)

KEEP void thread_inner(uint64_t turns);
KEEP void thread_inner(uint64_t turns)
{
	spin_thread(turns);
	AND_RETURN();
}

KEEP void *thread_main(void *turns);
KEEP void *thread_main(void *turns)
{
	thread_inner(*(uint64_t *)turns);
	AND_RETURN();
	return NULL;
}

static void run_thread(uint64_t turns)
{
	pthread_t thread;

	pthread_create(&thread, NULL, thread_main, &turns);
	pthread_join(thread, NULL);
}

/* A child that does not exec: its stack is a copy of ours. */
KEEP void run_child(uint64_t turns);
KEEP void run_child(uint64_t turns)
{
	struct rusage use;
	pid_t child = fork();

	if (!child) {
		spin_child(turns);
		_exit(0);
	}
	wait4(child, NULL, 0, &use);
	children_ns += (uint64_t)(use.ru_utime.tv_sec + use.ru_stime.tv_sec) * 1000000000 +
		      (uint64_t)(use.ru_utime.tv_usec + use.ru_stime.tv_usec) * 1000;
}

/* A child that execs another program, which is this one again. */
static void run_exec(uint64_t turns)
{
	char text[32], path[4096] = "";
	struct rusage use;
	pid_t child = fork();

	if (!child) {
		snprintf(text, sizeof(text), "%llu", (unsigned long long)turns);
		if (readlink("/proc/self/exe", path, sizeof(path) - 1) > 0)
			execl(path, path, "-after-exec", text, (char *)NULL);
		_exit(127);
	}
	wait4(child, NULL, 0, &use);
	children_ns += (uint64_t)(use.ru_utime.tv_sec + use.ru_stime.tv_sec) * 1000000000 +
		      (uint64_t)(use.ru_utime.tv_usec + use.ru_stime.tv_usec) * 1000;
}

KEEP void after_exec(uint64_t turns)
{
	spin_exec(turns);
	AND_RETURN();
}

const struct scenario process_scenarios[] = {
	{ "thread", run_thread, "{thread};thread_main;thread_inner;spin_thread" },
	{ "child", run_child, "{start};main;run_child;spin_child" },
	{ "exec", run_exec, "{start};main;after_exec;spin_exec" },
	{ 0 }
};
