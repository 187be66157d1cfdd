/* text_speed: how fast collapse/fold/text_stacks.h takes in stacks of text, without the time of a parser.  The text has
 * frames as perf script writes them, 64 MB of distinct stacks, which are added again and again.
 *
 *     text_speed [GB [THREADS]] */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "collapse/fold/text_stacks.h"
#include "core/memory.h"

enum { STACKS = 30000, DEPTH = 30, FUNCTIONS = 20000, THREADS_MAX = 64 };

struct frame_line {
	const char *text;
	size_t len;
};

struct made_stack {
	struct frame_line frames[DEPTH];
	const char *text;
	size_t len;
};

static struct made_stack stacks[STACKS];

/* Neighbouring stacks share all but some frames near the leaf, as they do in practice. */
static size_t make_input(void)
{
	struct str text = { 0 };
	size_t total = 0;

	for (size_t i = 0; i < STACKS; i++) {
		struct made_stack *s = &stacks[i];

		str_clear(&text);
		for (size_t d = 0; d < DEPTH; d++) {
			size_t f = (d < 20 ? i / 97 * 31 + d : i * 2654435761u + d * 40503u) % FUNCTIONS;

			str_addf(&text,
				 "\t    %16zx function_%05zu(unsigned long, char const*)+0x%zx "
				 "(/usr/lib/x86_64/lib%zu.so)\n",
				 0x7f0000000000 + f * 64, f, f % 64, f % 29);
		}
		s->text = xstrndup(text.buf, text.len);
		s->len = text.len;
		total += text.len;
		for (size_t d = 0, at = 0; d < DEPTH; d++) {
			const char *newline = strchr(s->text + at, '\n');

			s->frames[d] = (struct frame_line){ s->text + at, (size_t)(newline - s->text) - at };
			at = (size_t)(newline - s->text) + 1;
		}
	}
	str_free(&text);
	return total;
}

struct job {
	pthread_t thread;
	size_t rounds;
	bool whole; /* stacks are recognised by their bytes */
	double cpu_seconds;
	struct text_stacks out;
};

static double seconds(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static uint32_t add_stack(struct text_stacks *out, const struct made_stack *s)
{
	uint32_t frames[DEPTH];

	for (size_t d = 0; d < DEPTH; d++)
		frames[DEPTH - 1 - d] = text_frame(out, TEXT_PLAIN, s->frames[d].text, s->frames[d].len);
	return text_stack(out, frames, DEPTH);
}

static void *work(void *argument)
{
	static const struct text_value one = { 1, 0 };
	static const struct text_setup setup = { .value_count = 1 };
	const struct text_part part = { .text = "" };
	struct job *job = argument;
	struct text_labels labels = TEXT_NO_LABELS;

	job->out.setup = &setup;
	text_begin_part(&job->out, &part);
	for (size_t round = 0; round < job->rounds; round++) {
		for (size_t i = 0; i < STACKS; i++) {
			const struct made_stack *s = &stacks[i];
			struct text_sample sample = { .values = &one };
			uint32_t known;

			labels.tid = (int32_t)(i % 40);
			sample.labels = text_label(&job->out, &labels);
			if (!job->whole) {
				sample.stack = add_stack(&job->out, s);
			} else if (!text_known(&job->out, s->text, s->len, &sample.stack, &known)) {
				sample.stack = add_stack(&job->out, s);
				text_is(&job->out, known, sample.stack);
			}
			fold_add_text(&job->out, &sample);
		}
	}
	job->cpu_seconds = seconds(CLOCK_THREAD_CPUTIME_ID);
	return NULL;
}

static void measure(double bytes, size_t input, int threads, bool whole)
{
	static struct job jobs[THREADS_MAX];
	size_t rounds = (size_t)(bytes / (double)input / threads) + 1;
	double begin = seconds(CLOCK_MONOTONIC), took, cpu = 0, all = (double)rounds * threads;

	for (int i = 0; i < threads; i++) {
		jobs[i] = (struct job){ .rounds = rounds, .whole = whole };
		pthread_create(&jobs[i].thread, NULL, work, &jobs[i]);
	}
	for (int i = 0; i < threads; i++) {
		pthread_join(jobs[i].thread, NULL);
		cpu += jobs[i].cpu_seconds / threads;
	}
	took = seconds(CLOCK_MONOTONIC) - begin;
	/* Measure CPU time, so that other load on the machine does not matter. */
	printf("%-14s %d thread%s %6.2f GB/s %8.1f M frames/s %6.2f M stacks/s (by the clock on "
	       "the wall %.2f GB/s)\n",
	       whole ? "whole stacks" : "single frames", threads, threads == 1 ? " " : "s",
	       all * (double)input / cpu / 1e9, all * STACKS * DEPTH / cpu / 1e6, all * STACKS / cpu / 1e6,
	       all * (double)input / took / 1e9);
	for (int i = 0; i < threads; i++)
		text_stacks_free(&jobs[i].out);
}

int main(int argc, char **argv)
{
	double bytes = (argc > 1 ? atof(argv[1]) : 2) * 1e9;
	int most = argc > 2 ? atoi(argv[2]) : 2;
	size_t input = make_input();

	for (int threads = 1; threads <= most && threads <= THREADS_MAX; threads++) {
		measure(bytes, input, threads, false);
		measure(bytes, input, threads, true);
	}
	return 0;
}
