#include "collapse/fold/roots.h"

#include <stdlib.h>
#include <string.h>

#include "collapse/fold/error_word.h"
#include "collapse/fold/fault_words.h"
#include "collapse/fold/frame.h"
#include "collapse/fold/io_words.h"
#include "collapse/fold/lock_kind.h"
#include "collapse/fold/names.h"
#include "collapse/fold/states.h"
#include "collapse/fold/thread_root.h"
#include "collapse/fold/wait_kind.h"
#include "core/error.h"
#include "core/format/folded.h"
#include "core/format/recording.h"
#include "core/memory.h"
#include "core/nearest.h"

struct root {
	const char *name;
	size_t words; /* how many its key has */
	void (*key)(struct roots *r, const struct recorded_sample *s, uint32_t *words);
	void (*write)(const struct roots *r, const uint32_t *words, struct str *out);
};

/* host: where the recording was made */
static void host_key(struct roots *r, const struct recorded_sample *s, uint32_t *words)
{
	(void)r, (void)s, (void)words;
}

static void host_write(const struct roots *r, const uint32_t *words, struct str *out)
{
	const char *host = r->data->hostname ? r->data->hostname : "[unknown host]";

	(void)words;
	frame_add(out, host, strlen(host));
}

/* event: "cpu-clock" */
static void event_key(struct roots *r, const struct recorded_sample *s, uint32_t *words)
{
	words[0] = (uint32_t)(s->event - r->data->events);
}

static void event_write(const struct roots *r, const uint32_t *words, struct str *out)
{
	const char *name = r->data->events[words[0]].name;

	frame_add(out, name, strlen(name));
}

/* comm: "java", the thread's name, uncut if the runtime knows it; "dw-*" for several threads of a
 * pool */
static void comm_key(struct roots *r, const struct recorded_sample *s, uint32_t *words)
{
	words[0] = thread_comm_at(&r->sideband->thread_names, &r->sideband->comms, s->pid, s->tid, s->time_ns);
	words[1] = thread_root_comm_key(r, words[0]);
}

static void comm_write(const struct roots *r, const uint32_t *words, struct str *out)
{
	thread_root_add_name(r, thread_root_comm(r, words[0], words[1]), out);
}

/* pid: "java-8513", the name of the process */
static void pid_key(struct roots *r, const struct recorded_sample *s, uint32_t *words)
{
	words[0] = thread_root_process_name(r, s->pid, s);
	words[1] = (uint32_t)s->pid;
}

static void pid_write(const struct roots *r, const uint32_t *words, struct str *out)
{
	thread_root_add_name(r, words[0], out);
	str_addf(out, "-%d", (int)words[1]);
}

/* tid: "java-8513/8530", the name of the thread, as stackcollapse-perf.pl --tid */
static void tid_key(struct roots *r, const struct recorded_sample *s, uint32_t *words)
{
	words[0] = thread_root_name(r, s->pid, s->tid, s);
	words[1] = (uint32_t)s->pid;
	words[2] = (uint32_t)s->tid;
}

static void tid_write(const struct roots *r, const uint32_t *words, struct str *out)
{
	pid_write(r, words, out);
	str_addf(out, "/%d", (int)words[2]);
}

/* thread: "java-8513/dw-20" */
static void thread_key(struct roots *r, const struct recorded_sample *s, uint32_t *words)
{
	thread_root_key(r, s->pid, s->tid, s, words);
}

static void thread_write(const struct roots *r, const uint32_t *words, struct str *out)
{
	thread_root_write(r, words, out);
}

/* cpu: "cpu3" */
static void cpu_key(struct roots *r, const struct recorded_sample *s, uint32_t *words)
{
	(void)r;
	words[0] = s->cpu;
}

static void cpu_write(const struct roots *r, const uint32_t *words, struct str *out)
{
	(void)r;
	if (words[0] == UINT32_MAX)
		str_puts(out, "[unknown cpu]");
	else
		str_addf(out, "cpu%u", words[0]);
}

/* state: "sleeping" */
static void state_key(struct roots *r, const struct recorded_sample *s, uint32_t *words)
{
	(void)r;
	words[0] = (uint32_t)(s->state + 1);
}

static void state_frame_write(const struct roots *r, const uint32_t *words, struct str *out)
{
	(void)r;
	if (words[0])
		str_addf(out, "[%s]", state_name((int)words[0] - 1));
}

static void state_write(const struct roots *r, const uint32_t *words, struct str *out)
{
	(void)r;
	if (words[0])
		str_puts(out, state_name((int)words[0] - 1));
}

/* by: "ls-4711/ls", the thread that had the CPU; waker: the thread that woke the sampled one.  The
 * first word of the key is an enum other. */
enum other { OTHER_NONE, OTHER_IDLE, OTHER_INTERRUPT, OTHER_SEVERAL, OTHER_THREAD };

static void by_key(struct roots *r, const struct recorded_sample *s, uint32_t *words)
{
	memset(words, 0, (1 + THREAD_WORDS) * sizeof(*words));
	words[0] = s->by < 0                      ? OTHER_NONE
		   : !s->by                       ? OTHER_IDLE
		   : s->by == RECORDING_BY_OTHERS ? OTHER_SEVERAL
						  : OTHER_THREAD;
	if (words[0] == OTHER_THREAD)
		thread_root_key(r, comms_pid(&r->sideband->comms, s->by, s->time_ns), s->by, s, words + 1);
}

static void waker_key(struct roots *r, const struct recorded_sample *s, uint32_t *words)
{
	memset(words, 0, (1 + THREAD_WORDS) * sizeof(*words));
	words[0] = !s->has_wakers ? OTHER_NONE : !s->waker_tid ? OTHER_INTERRUPT : OTHER_THREAD;
	if (words[0] == OTHER_THREAD)
		thread_root_key(r, s->waker_pid, s->waker_tid, s, words + 1);
}

static void other_write(const struct roots *r, const uint32_t *words, struct str *out)
{
	switch ((enum other)words[0]) {
	case OTHER_NONE: break;
	case OTHER_IDLE: str_puts(out, FOLDED_BY_IDLE); break;
	case OTHER_INTERRUPT: str_puts(out, FOLDED_WAKER_INTERRUPT); break;
	case OTHER_SEVERAL: str_puts(out, FOLDED_BY_OTHERS); break;
	case OTHER_THREAD: thread_root_write(r, words + 1, out); break;
	}
}

/* wait: "[lock]" */
static void wait_key(struct roots *r, const struct recorded_sample *s, uint32_t *words)
{
	(void)r, (void)s, (void)words;
}

static void wait_write(const struct roots *r, const uint32_t *words, struct str *out)
{
	(void)words;
	if (r->wait)
		str_puts(out, r->wait);
}

/* doing: "running", "[lock]", "sampled" */
static void doing_write(const struct roots *r, const uint32_t *words, struct str *out)
{
	int state = (int)words[0] - 1;
	bool waited = state == RECORDING_SLEEPING || state == RECORDING_BLOCKED_IO || state == RECORDING_BLOCKED;

	if (state < 0)
		str_puts(out, FOLDED_SAMPLED);
	else if (waited && r->wait && r->wait != wait_frame(WAIT_UNKNOWN))
		str_puts(out, r->wait);
	else if (state == RECORDING_BLOCKED_IO)
		str_puts(out, wait_frame(WAIT_IO));
	else
		state_write(r, words, out);
}

/* class: "java.lang.String", the class of the allocated object */
static void class_key(struct roots *r, const struct recorded_sample *s, uint32_t *words)
{
	struct spaces *spaces = &r->sideband->spaces;
	struct space *space;

	words[0] = 0;
	if (!s->class_address)
		return;
	space = spaces_find(spaces, s->pid, s->time_ns);
	words[0] = 1 +
		   places_add(r->places, space, space_context(spaces, space, s->time_ns), s->class_address, s->time_ns);
}

static void class_write(const struct roots *r, const uint32_t *words, struct str *out)
{
	struct frame_texts texts = { 0 };

	if (words[0])
		texts = names_of(r->frames, (words[0] - 1) << FRAME_PLACE_SHIFT);
	if (texts.count)
		str_add(out, intern_text(&r->frames->texts, texts.items[0]),
			intern_len(&r->frames->texts, texts.items[0]));
}

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

static void read_names(struct roots *r)
{
	if (r->knows_files)
		return;
	file_names_read(&r->files, r->data, RECORDING_FILES);
	file_names_read(&r->devices, r->data, RECORDING_DEVICES);
	r->knows_files = true;
}

/* file: "/usr/lib/libc.so.6", whose page was wanted, that is read or written, or what is behind the descriptor of a
 * system call */
static void file_key(struct roots *r, const struct recorded_sample *s, uint32_t *words)
{
	words[0] = (uint32_t)(s->file + 1);
	if (words[0])
		read_names(r);
}

static void file_write(const struct roots *r, const uint32_t *words, struct str *out)
{
	if (words[0] > r->files.count)
		str_addf(out, "[file %u]", words[0] - 1);
	else if (words[0])
		frame_add(out, r->files.list[words[0] - 1].path, r->files.list[words[0] - 1].len);
}

/* page: "+0x3000", its offset in the file */
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
		read_names(r);
}

static void device_write(const struct roots *r, const uint32_t *words, struct str *out)
{
	if (words[0] > r->devices.count)
		str_addf(out, "[device %u]", words[0] - 1);
	else if (words[0])
		io_device_add(out, r->devices.list[words[0] - 1].path, r->devices.list[words[0] - 1].len);
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

/* dirtied: "java-8513/journaller", who made dirty what is written */
static void dirtied_key(struct roots *r, const struct recorded_sample *s, uint32_t *words)
{
	memset(words, 0, (1 + THREAD_WORDS) * sizeof(*words));
	words[0] = s->dirtier_tid ? OTHER_THREAD : OTHER_NONE;
	if (words[0] == OTHER_THREAD)
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

	memset(words, 0, (1 + THREAD_WORDS) * sizeof(*words));
	words[0] = s->owner_tid < 0 ? OTHER_NONE : OTHER_THREAD;
	if (words[0] == OTHER_THREAD)
		thread_root_key(r, pid, s->owner_tid, s, words + 1);
}

static const struct root roots[] = { { "host", 0, host_key, host_write },
				     { "event", 1, event_key, event_write },
				     { "comm", 2, comm_key, comm_write },
				     { "pid", 2, pid_key, pid_write },
				     { "tid", 3, tid_key, tid_write },
				     { "thread", THREAD_WORDS, thread_key, thread_write },
				     { "cpu", 1, cpu_key, cpu_write },
				     { "state", 1, state_key, state_write },
				     { "by", 1 + THREAD_WORDS, by_key, other_write },
				     { "waker", 1 + THREAD_WORDS, waker_key, other_write },
				     { "wait", 0, wait_key, wait_write },
				     { "doing", 1, state_key, doing_write },
				     { "class", 1, class_key, class_write },
				     { "type", 1, type_key, type_write },
				     { "file", 1, file_key, file_write },
				     { "page", 2, page_key, page_write },
				     { "reason", 1, reason_key, reason_write },
				     { "syscall", 1, syscall_key, syscall_write },
				     { "error", 1, error_key, error_write },
				     { "lane", 1, lane_key, lane_write },
				     { "device", 1, device_key, device_write },
				     { "operation", 1, operation_key, operation_write },
				     { "size", 1, size_key, size_write },
				     { "sector", 2, sector_key, sector_write },
				     { "dirtied", 1 + THREAD_WORDS, dirtied_key, other_write },
				     { "lock", 1, lock_key, lock_write },
				     { "address", 2, address_key, address_write },
				     { "owner", 1 + THREAD_WORDS, owner_key, other_write },
				     { 0 } };

static const struct root state_frame = { "[state]", 1, state_key, state_frame_write };

static const struct root *find(const char *name, size_t len)
{
	for (const struct root *root = roots; root->name; root++) {
		if (strlen(root->name) == len && !memcmp(root->name, name, len))
			return root;
	}
	return NULL;
}

/* The root that a list begins with; NULL for "none". */
static const struct root *parse_one(const char *option, const char *list, size_t len)
{
	const char *known[sizeof(roots) / sizeof(*roots)];
	const struct root *root = find(list, len);
	size_t count = 0;

	if (root || (len == 4 && !memcmp(list, "none", 4)))
		return root;
	for (; roots[count].name; count++)
		known[count] = roots[count].name;
	known[count++] = "none";
	nearest_die(option, xstrndup(list, len), known, count);
}

static bool is_chosen(const struct roots *r, const struct root *root)
{
	for (size_t i = 0; i < r->count; i++) {
		if (r->chosen[i] == root)
			return true;
	}
	return false;
}

void roots_parse(struct roots *r, const char *list)
{
	r->count = r->leaves = 0;
	while (*list) {
		size_t len = strcspn(list, ",");
		const struct root *root = parse_one("--root", list, len);

		if (r->count == ROOTS_MAX)
			die_usage("--root: more than %d", ROOTS_MAX);
		if (root)
			r->chosen[r->count++] = root;
		list += len + (list[len] == ',');
	}
}

static void append(struct roots *r, const char *option, const char *list)
{
	while (*list) {
		size_t len = strcspn(list, ",");
		const struct root *root = parse_one(option, list, len);

		if (root && !is_chosen(r, root)) {
			if (r->count == ROOTS_MAX)
				die_usage("%s: more than %d", option, ROOTS_MAX);
			r->chosen[r->count++] = root;
		}
		list += len + (list[len] == ',');
	}
}

void roots_append(struct roots *r, const char *list)
{
	append(r, "--root", list);
}

void roots_append_leaves(struct roots *r, const char *list)
{
	size_t before = r->count;

	append(r, "--leaf", list);
	r->leaves = r->count - before;
}

void roots_names(const struct roots *r, struct str *out)
{
	for (size_t i = 0; i < r->count - r->leaves; i++)
		str_addf(out, "%s%s", i ? "," : "", r->chosen[i]->name);
	if (r->count == r->leaves)
		str_puts(out, "none");
}

bool roots_has(const struct roots *r, const char *name)
{
	for (size_t i = 0; i < r->count; i++) {
		if (!strcmp(r->chosen[i]->name, name))
			return true;
	}
	return false;
}

size_t roots_key(struct roots *r, const struct recorded_sample *s, uint32_t *words)
{
	size_t n = 0;

	for (size_t i = 0; i < r->count; i++) {
		r->chosen[i]->key(r, s, words + n);
		n += r->chosen[i]->words;
	}
	if (r->state_frame) {
		state_frame.key(r, s, words + n);
		n += state_frame.words;
	}
	return n;
}

static void write_one(const struct roots *r, const struct root *root, const uint32_t *words, struct str *out)
{
	size_t before = out->len;

	root->write(r, words, out);
	if (out->len > before)
		str_addc(out, ';');
}

void roots_write(const struct roots *r, const uint32_t *words, struct str *out)
{
	for (size_t i = 0; i < r->count; i++) {
		if (i < r->count - r->leaves)
			write_one(r, r->chosen[i], words, out);
		words += r->chosen[i]->words;
	}
	if (r->state_frame)
		write_one(r, &state_frame, words, out);
}

void roots_write_leaves(const struct roots *r, const uint32_t *words, struct str *out)
{
	size_t before = out->len;

	for (size_t i = 0; i < r->count; i++) {
		if (i >= r->count - r->leaves)
			write_one(r, r->chosen[i], words, out);
		words += r->chosen[i]->words;
	}
	if (out->len > before)
		out->len--; /* no frame follows the last ';' */
}

void roots_free(struct roots *r)
{
	if (!r)
		return;
	intern_free(&r->names);
	file_names_free(&r->files);
	syscall_names_free(&r->calls);
	lane_names_free(&r->lanes);
	file_names_free(&r->devices);
	free(r->tids);
	*r = (struct roots){ 0 };
}
