#include <string.h>

#include "collapse/frames/frame.h"
#include "collapse/roots/label_words.h"
#include "collapse/roots/lock_kind.h"
#include "collapse/roots/root.h"
#include "collapse/roots/roots.h"
#include "collapse/roots/thread_root.h"
#include "collapse/roots/wait_kind.h"
#include "core/format/folded.h"
#include "core/format/recording.h"

/* type: "major-read-file", the kind of a page fault */
static void type_key(struct roots *r, const struct recorded_sample *s, uint32_t *words)
{
	(void)r;
	words[0] = (uint32_t)(s->fault + 1);
}

static void type_write(const struct roots *r, const uint32_t *words, struct str *out)
{
	(void)r;
	if (words[0])
		fault_type_add(out, words[0] - 1);
}

static void span_roots_read_names(struct roots *r)
{
	if (r->knows_files)
		return;
	file_names_read(&r->files, r->data, RECORDING_FILES);
	file_names_read(&r->devices, r->data, RECORDING_DEVICES);
	r->knows_files = true;
}

/* file: "/usr/lib/libc.so.6": the file whose page was wanted, or that is read or written, or that a system call's
 * descriptor refers to */
static void file_key(struct roots *r, const struct recorded_sample *s, uint32_t *words)
{
	words[0] = (uint32_t)(s->file + 1);
	if (words[0])
		span_roots_read_names(r);
}

static void file_write(const struct roots *r, const uint32_t *words, struct str *out)
{
	const struct file_name *file = words[0] ? file_names_get(&r->files, words[0] - 1) : NULL;

	if (file)
		frame_add(out, file->path, file->len);
	else if (words[0])
		str_addf(out, "[file %u]", words[0] - 1);
}

/* file: "/usr/lib/libc.so.6": the file whose page was wanted, that is read or written, or that a system call's
 * descriptor refers to */
static void page_key(struct roots *r, const struct recorded_sample *s, uint32_t *words)
{
	(void)r;
	words[0] = (uint32_t)(s->offset + 1);
	words[1] = (uint32_t)((uint64_t)(s->offset + 1) >> 32);
}

static void page_write(const struct roots *r, const uint32_t *words, struct str *out)
{
	(void)r;
	if (words[0] | words[1])
		str_addf(out, "+0x%llx", (unsigned long long)((uint64_t)words[1] << 32 | words[0]) - 1);
}

/* reason: "block-io", where the time went */
static void reason_key(struct roots *r, const struct recorded_sample *s, uint32_t *words)
{
	(void)r;
	words[0] = 0;
	while (words[0] < RECORDING_REASON_COUNT && !(s->reasons >> words[0] & 1))
		words[0]++;
}

static void reason_write(const struct roots *r, const uint32_t *words, struct str *out)
{
	(void)r;
	if (words[0] < RECORDING_REASON_COUNT)
		str_puts(out, fault_reason(words[0]));
}

/* syscall: "read", "syscall_999" */
static void syscall_key(struct roots *r, const struct recorded_sample *s, uint32_t *words)
{
	words[0] = (uint32_t)(s->syscall + 1);
	if (r->knows_calls || !words[0])
		return;
	syscall_names_read(&r->calls, r->data);
	r->knows_calls = true;
}

static void syscall_write(const struct roots *r, const uint32_t *words, struct str *out)
{
	const struct named_syscall *call = words[0] ? syscall_names_find(&r->calls, words[0] - 1) : NULL;

	if (call)
		frame_add(out, call->name, call->len);
	else if (words[0])
		str_addf(out, "syscall_%u", (words[0] - 1) & ~(uint32_t)RECORDING_SYSCALL_COMPAT);
}

/* System calls in which idle threads are blocked.  The names of 32-bit calls have a suffix. */
static const struct {
	const char *name; /* as for wait_matches() */
	enum wait_kind kind;
} idle_calls[] = { { "nanosleep*", WAIT_SLEEP },   { "clock_nanosleep*", WAIT_SLEEP },
		   { "epoll_wait*", WAIT_WORK },   { "epoll_pwait*", WAIT_WORK },
		   { "poll*", WAIT_WORK },         { "ppoll*", WAIT_WORK },
		   { "select*", WAIT_WORK },       { "_newselect*", WAIT_WORK },
		   { "pselect6*", WAIT_WORK },     { "accept*", WAIT_WORK },
		   { "pause*", WAIT_WORK },        { "rt_sigtimedwait*", WAIT_WORK },
		   { "rt_sigsuspend*", WAIT_WORK } };

/* What a system call tells about idle time.  IDLE_BY_STACK: only the stack shows the kind of wait.  IDLE_KIND and
 * above: the kind of wait, plus IDLE_KIND. */
enum { IDLE_NOT, IDLE_BY_STACK, IDLE_KIND };

static uint32_t idle_of_call(const struct named_syscall *call)
{
	if (!call)
		return IDLE_NOT;
	for (size_t i = 0; i < sizeof(idle_calls) / sizeof(*idle_calls); i++) {
		if (wait_matches(idle_calls[i].name, call->name, call->len))
			return IDLE_KIND + idle_calls[i].kind;
	}
	return wait_matches("futex*", call->name, call->len) ? IDLE_BY_STACK : IDLE_NOT;
}

/* idle: "[sleep]" or "[work]", for time in system calls and futexes in which a thread had nothing to do */
static void idle_key(struct roots *r, const struct recorded_sample *s, uint32_t *words)
{
	uint32_t syscall[1];

	words[0] = IDLE_NOT;
	if (s->reasons && !(s->reasons >> RECORDING_REASON_OTHER & 1))
		return;
	syscall_key(r, s, syscall);
	if (syscall[0])
		words[0] = idle_of_call(syscall_names_find(&r->calls, syscall[0] - 1));
	else if (s->lock >= 0 && ((uint32_t)s->lock & RECORDING_LOCK_KIND) == RECORDING_LOCK_FUTEX)
		words[0] = IDLE_BY_STACK;
}

static void idle_write(const struct roots *r, const uint32_t *words, struct str *out)
{
	if (words[0] >= IDLE_KIND)
		str_puts(out, wait_frame((enum wait_kind)(words[0] - IDLE_KIND)));
	else if (words[0] == IDLE_BY_STACK && r->idle)
		str_puts(out, r->idle);
}

/* error: "ENOENT", of a call that failed */
static void error_key(struct roots *r, const struct recorded_sample *s, uint32_t *words)
{
	(void)r;
	words[0] = s->error;
}

static void error_write(const struct roots *r, const uint32_t *words, struct str *out)
{
	(void)r;
	if (words[0])
		error_word_add(out, words[0]);
}

/* lane: "lane;memory;free", a quantity over time */
static void lane_key(struct roots *r, const struct recorded_sample *s, uint32_t *words)
{
	words[0] = (uint32_t)(s->lane + 1);
	if (r->knows_lanes || !words[0])
		return;
	lane_names_read(&r->lanes, r->data);
	r->knows_lanes = true;
}

static void lane_write(const struct roots *r, const uint32_t *words, struct str *out)
{
	if (!words[0])
		return;
	str_puts(out, FOLDED_LANE);
	if (words[0] > r->lanes.count)
		str_addf(out, ";[lane %u]", words[0] - 1);
	else
		lane_name_add(&r->lanes.list[words[0] - 1], out);
}

/* device: "vda" */
static void device_key(struct roots *r, const struct recorded_sample *s, uint32_t *words)
{
	words[0] = (uint32_t)(s->device + 1);
	if (words[0])
		span_roots_read_names(r);
}

static void device_write(const struct roots *r, const uint32_t *words, struct str *out)
{
	const struct file_name *device = words[0] ? file_names_get(&r->devices, words[0] - 1) : NULL;

	if (device)
		io_device_add(out, device->path, device->len);
	else if (words[0])
		str_addf(out, "[device %u]", words[0] - 1);
}

/* operation: "write-sync" */
static void operation_key(struct roots *r, const struct recorded_sample *s, uint32_t *words)
{
	(void)r;
	words[0] = (uint32_t)(s->io + 1);
}

static void operation_write(const struct roots *r, const uint32_t *words, struct str *out)
{
	(void)r;
	if (words[0])
		io_operation_add(out, words[0] - 1);
}

/* size: "4k-8k", from 4 kB on, less than 8 */
static void size_key(struct roots *r, const struct recorded_sample *s, uint32_t *words)
{
	(void)r;
	words[0] = io_size_class(s->size);
}

static void size_write(const struct roots *r, const uint32_t *words, struct str *out)
{
	(void)r;
	io_size_add(out, words[0]);
}

/* sector: "@2048", where it begins */
static void sector_key(struct roots *r, const struct recorded_sample *s, uint32_t *words)
{
	(void)r;
	words[0] = (uint32_t)(s->sector + 1);
	words[1] = (uint32_t)((uint64_t)(s->sector + 1) >> 32);
}

static void sector_write(const struct roots *r, const uint32_t *words, struct str *out)
{
	(void)r;
	if (words[0] | words[1])
		str_addf(out, "@%llu", (unsigned long long)((uint64_t)words[1] << 32 | words[0]) - 1);
}

/* dirtied: "java-8513/journaller", the thread that modified the pages that are being written */
static void dirtied_key(struct roots *r, const struct recorded_sample *s, uint32_t *words)
{
	memset(words, 0, THREAD_OTHER_WORDS * sizeof(*words));
	words[0] = s->dirtier_tid ? THREAD_OTHER_THREAD : THREAD_OTHER_NONE;
	if (words[0] == THREAD_OTHER_THREAD)
		thread_root_key(r, s->dirtier_pid, s->dirtier_tid, s, words + 1);
}

/* lock: "mutex", "kernel-rwsem-write mmap_lock" */
static void lock_key(struct roots *r, const struct recorded_sample *s, uint32_t *words)
{
	(void)r;
	words[0] = (uint32_t)(s->lock + 1);
}

static void lock_write(const struct roots *r, const uint32_t *words, struct str *out)
{
	if (words[0])
		lock_kind_add(out, words[0] - 1, r->futex);
}

/* address: "0x7f3a5c001040", of the lock */
static void address_key(struct roots *r, const struct recorded_sample *s, uint32_t *words)
{
	(void)r;
	words[0] = (uint32_t)(s->lock_address + 1);
	words[1] = (uint32_t)((uint64_t)(s->lock_address + 1) >> 32);
}

static void address_write(const struct roots *r, const uint32_t *words, struct str *out)
{
	uint64_t address = ((uint64_t)words[1] << 32 | words[0]) - 1;

	(void)r;
	if (words[0] | words[1])
		str_addf(out, "0x%llx",
			 (unsigned long long)(address >> 47 ? address | UINT64_C(0xffff) << 48 : address));
}

/* owner: "java-8513/dw-20", who had the lock */
static void owner_key(struct roots *r, const struct recorded_sample *s, uint32_t *words)
{
	int pid = s->owner_pid ? s->owner_pid : comms_pid(&r->sideband->comms, s->owner_tid, s->time_ns);

	memset(words, 0, THREAD_OTHER_WORDS * sizeof(*words));
	words[0] = s->owner_tid < 0 ? THREAD_OTHER_NONE : THREAD_OTHER_THREAD;
	if (words[0] == THREAD_OTHER_THREAD)
		thread_root_key(r, pid, s->owner_tid, s, words + 1);
}

enum {
	SOURCES = THREAD_OTHER_THREAD + 1
}; /* the first word of a key: enum thread_other, or, from this value on, SOURCES + the number of a source */

/* source: "24:eth0", "tick_nohz_handler", "kworker/3:1-117/kworker/3:1": what took a CPU */
static void source_key(struct roots *r, const struct recorded_sample *s, uint32_t *words)
{
	memset(words, 0, THREAD_OTHER_WORDS * sizeof(*words));
	if (s->source >= 0 && s->source < UINT32_MAX - SOURCES) {
		words[0] = SOURCES + (uint32_t)s->source;
		if (!r->knows_sources)
			file_names_read(&r->sources, r->data, RECORDING_SOURCES);
		r->knows_sources = true;
	} else if (s->state >= 0) {
		words[0] = s->tid ? THREAD_OTHER_THREAD : THREAD_OTHER_IDLE;
		if (s->tid)
			thread_root_key(r, s->pid, s->tid, s, words + 1);
	}
}

static void source_write(const struct roots *r, const uint32_t *words, struct str *out)
{
	uint32_t number = words[0] - SOURCES;
	const struct file_name *source = file_names_get(&r->sources, number);

	if (words[0] < SOURCES)
		thread_root_write_other(r, words, out);
	else if (source)
		frame_add(out, source->path, source->len);
	else
		str_addf(out, "[source %u]", number);
}

const struct root span_roots[] = {
	{ "type", 1, type_key, type_write },
	{ "file", 1, file_key, file_write },
	{ "page", 2, page_key, page_write },
	{ "reason", 1, reason_key, reason_write },
	{ "syscall", 1, syscall_key, syscall_write },
	{ "idle", 1, idle_key, idle_write },
	{ "error", 1, error_key, error_write },
	{ "lane", 1, lane_key, lane_write },
	{ "device", 1, device_key, device_write },
	{ "operation", 1, operation_key, operation_write },
	{ "size", 1, size_key, size_write },
	{ "sector", 2, sector_key, sector_write },
	{ "dirtied", THREAD_OTHER_WORDS, dirtied_key, thread_root_write_other },
	{ "lock", 1, lock_key, lock_write },
	{ "address", 2, address_key, address_write },
	{ "owner", THREAD_OTHER_WORDS, owner_key, thread_root_write_other },
	{ "source", THREAD_OTHER_WORDS, source_key, source_write },
	{ 0 },
};
