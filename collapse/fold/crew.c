#include "collapse/fold/crew.h"

#include <pthread.h>

struct crew_thread {
	void (*work)(void *argument, size_t number);
	void *argument;
	size_t number;
	pthread_t thread;
};

static void *crew_run_thread(void *thread)
{
	const struct crew_thread *m = thread;

	m->work(m->argument, m->number);
	return NULL;
}

void crew_run(size_t count, void (*work)(void *argument, size_t number), void *argument)
{
	struct crew_thread all[CREW_MAX];
	size_t started = 1;

	for (; started < count && started < CREW_MAX; started++) {
		all[started] = (struct crew_thread){ .work = work, .argument = argument, .number = started };
		if (pthread_create(&all[started].thread, NULL, crew_run_thread, &all[started]))
			break;
	}
	work(argument, 0);
	while (started > 1)
		pthread_join(all[--started].thread, NULL);
}
