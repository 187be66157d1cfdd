#include "collapse/roots/thread_root.h"

#include <string.h>

#include "collapse/frames/frame.h"
#include "core/format/folded.h"
#include "core/memory.h"
#include "core/pool.h"

void thread_root_add_name(const struct roots *r, uint32_t comm, struct str *out)
{
	const struct intern *names = &r->sideband->comms.names;
	size_t start = out->len;

	frame_add(out, intern_text(names, comm), intern_len(names, comm));
	for (size_t i = start; r->comms_joined && i < out->len; i++)
		out->buf[i] = out->buf[i] == ' ' ? '_' : out->buf[i];
}

/* Append "-8513".  Called for each label, for which str_addf would be too slow. */
static void thread_root_add_number(struct str *out, int number)
{
	if (number < 0) {
		str_addf(out, "-%d", number);
		return;
	}
	str_addc(out, '-');
	str_add_u64(out, (uint64_t)number);
}

void thread_root_add_pid(const struct roots *r, int pid, struct str *out)
{
	if (pid >= 0 || !r->of_text)
		thread_root_add_number(out, pid);
	else if (r->comms_joined) /* as stackcollapse-perf.pl has it */
		str_puts(out, "-?");
}

/* A process has one name even if it was renamed: the last one. */
uint32_t thread_root_process_name(struct roots *r, int pid, const struct recorded_sample *s)
{
	if (r->of_text && (pid < 0 || !comms_known(&r->sideband->comms, pid)))
		return thread_root_name(r, pid, s->tid, s);
	return comms_last(&r->sideband->comms, pid, s->time_ns);
}

/* The same for a thread; its name may come from its runtime rather than from the kernel. */
uint32_t thread_root_name(struct roots *r, int pid, int tid, const struct recorded_sample *s)
{
	if (r->of_text && tid < 0) /* several threads may have none */
		return thread_comm_at(&r->sideband->thread_names, &r->sideband->comms, pid, tid, s->time_ns);
	return thread_name_last(&r->sideband->thread_names, &r->sideband->comms, pid, tid, s->time_ns);
}

/* "dw-20" -> "dw-*" */
static uint32_t thread_root_pool_of(struct roots *r, uint32_t name)
{
	struct intern *names = &r->sideband->comms.names;
	size_t len = pool_len(intern_text(names, name), intern_len(names, name));
	struct str text = { 0 };

	if (!len)
		return name;
	str_add(&text, intern_text(names, name), len);
	str_addc(&text, '*');
	name = intern_add(names, text.buf, text.len);
	str_free(&text);
	return name;
}

static uint32_t pair_number(struct roots *r, int pid, int tid, uint32_t comm)
{
	uint32_t pair[2] = { (uint32_t)pid, comm }, number;
	size_t before = r->names.count;

	number = intern_add(&r->names, (const char *)pair, sizeof(pair));
	r->tids = xgrow(r->tids, &r->tid_cap, number + 1, sizeof(*r->tids));
	if (r->names.count > before)
		r->tids[number] = tid;
	else if (r->tids[number] != tid)
		r->tids[number] = -1;
	return number;
}

static void learn_thread(int pid, int tid, uint64_t from_ns, uint32_t name, void *roots)
{
	struct roots *r = roots;

	(void)from_ns;
	pair_number(r, pid, tid, r->pool ? thread_root_pool_of(r, name) : name);
}

void thread_root_key(struct roots *r, int pid, int tid, const struct recorded_sample *s, uint32_t *words)
{
	uint32_t name = thread_root_name(r, pid, tid, s);

	if (!r->knows_threads)
		runtime_names_each(&r->sideband->thread_names, &r->sideband->comms, learn_thread, r);
	r->knows_threads = true;
	words[0] = thread_root_process_name(r, pid, s);
	words[1] = pair_number(r, pid, tid, r->pool ? thread_root_pool_of(r, name) : name);
	words[2] = r->pool ? name : (uint32_t)tid;
}

void thread_root_write(const struct roots *r, const uint32_t *words, struct str *out)
{
	uint32_t pair[2];

	memcpy(pair, intern_text(&r->names, words[1]), sizeof(pair));
	if ((int)pair[0] < 0) { /* of text that tells no numbers */
		thread_root_add_name(r, pair[1], out);
		return;
	}
	thread_root_add_name(r, words[0], out);
	thread_root_add_pid(r, (int)pair[0], out);
	str_addc(out, '/');
	thread_root_add_name(r, r->pool && r->tids[words[1]] >= 0 ? words[2] : pair[1], out);
	if (!r->pool && r->tids[words[1]] < 0)
		thread_root_add_number(out, (int)words[2]);
}

enum { NO_PROCESS = -1 };

uint32_t thread_root_comm_key(struct roots *r, uint32_t comm)
{
	return r->pool ? pair_number(r, NO_PROCESS, (int)comm, thread_root_pool_of(r, comm)) : 0;
}

uint32_t thread_root_comm(const struct roots *r, uint32_t comm, uint32_t key)
{
	uint32_t pair[2];

	if (!r->pool || r->tids[key] >= 0)
		return comm;
	memcpy(pair, intern_text(&r->names, key), sizeof(pair));
	return pair[1];
}

void thread_root_write_other(const struct roots *r, const uint32_t *words, struct str *out)
{
	switch ((enum thread_other)words[0]) {
	case THREAD_OTHER_NONE: break;
	case THREAD_OTHER_IDLE: str_puts(out, FOLDED_BY_IDLE); break;
	case THREAD_OTHER_INTERRUPT: str_puts(out, FOLDED_WAKER_INTERRUPT); break;
	case THREAD_OTHER_SEVERAL: str_puts(out, FOLDED_BY_OTHERS); break;
	case THREAD_OTHER_THREAD: thread_root_write(r, words + 1, out); break;
	case THREAD_OTHER_LIMIT:
		str_puts(out, FOLDED_BY_LIMIT);
		frame_add(out, intern_text(&r->owner_texts, words[1]), intern_len(&r->owner_texts, words[1]));
		str_addc(out, ']');
		break;
	}
}
