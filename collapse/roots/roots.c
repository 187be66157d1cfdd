#include "collapse/roots/roots.h"

#include <stdlib.h>
#include <string.h>

#include "collapse/frames/frame.h"
#include "collapse/frames/names.h"
#include "collapse/roots/root.h"
#include "collapse/roots/states.h"
#include "collapse/roots/thread_root.h"
#include "collapse/roots/wait_kind.h"
#include "collapse/roots/windows.h"
#include "core/error.h"
#include "core/format/folded.h"
#include "core/format/recording.h"
#include "core/memory.h"
#include "core/nearest.h"

/* What is the same for all samples. */
static void same_key(struct roots *r, const struct recorded_sample *s, uint32_t *words)
{
	(void)r, (void)s, (void)words;
}

/* host: where the recording was made */
static void host_write(const struct roots *r, const uint32_t *words, struct str *out)
{
	const char *host = r->data->hostname ? r->data->hostname : "[unknown host]";

	(void)words;
	frame_add(out, host, strlen(host));
}

/* service: the name of the program that sent the sample, which a store knows, but not a recording */
static void service_write(const struct roots *r, const uint32_t *words, struct str *out)
{
	(void)r, (void)words;
	str_puts(out, "[unknown service]");
}

/* input: "db1.data", the file's name */
static void input_write(const struct roots *r, const uint32_t *words, struct str *out)
{
	const char *slash = r->input ? strrchr(r->input, '/') : NULL, *name = slash ? slash + 1 : r->input;

	(void)words;
	if (name)
		frame_add(out, name, strlen(name));
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

/* comm: "java", the thread's name (the runtime's, if the kernel has no better one); "dw-*" for several threads of a pool */
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
	thread_root_add_pid(r, (int)words[1], out);
}

static void roots_add_number(struct str *out, const char *before, uint32_t number)
{
	str_puts(out, before);
	str_add_u64(out, number);
}

/* tid: "java-8513/8530", with the thread's name first, like stackcollapse-perf.pl --tid */
static void tid_key(struct roots *r, const struct recorded_sample *s, uint32_t *words)
{
	words[0] = thread_root_name(r, s->pid, s->tid, s);
	words[1] = (uint32_t)s->pid;
	words[2] = (uint32_t)s->tid;
}

static void tid_write(const struct roots *r, const uint32_t *words, struct str *out)
{
	pid_write(r, words, out);
	if ((int)words[2] >= 0)
		roots_add_number(out, "/", words[2]);
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
		roots_add_number(out, "cpu", words[0]);
}

/* parallelism: "128 threads", the number that ran at the time of the sample */
static void parallelism_key(struct roots *r, const struct recorded_sample *s, uint32_t *words)
{
	(void)r;
	words[0] = s->parallelism;
}

static void parallelism_write(const struct roots *r, const uint32_t *words, struct str *out)
{
	(void)r;
	if (words[0])
		str_addf(out, "%u thread%s", words[0], words[0] == 1 ? "" : "s");
}

/* window: "[slow windows]", by the length of the window in which the sample lies */
static void window_key(struct roots *r, const struct recorded_sample *s, uint32_t *words)
{
	(void)r;
	words[0] = s->in_window;
}

static void window_write(const struct roots *r, const uint32_t *words, struct str *out)
{
	static const char *const frames[WINDOW_CLASSES] = {
		[WINDOW_OUTSIDE] = "[outside of windows]",
		[WINDOW_FAST] = "[fast windows]",
		[WINDOW_OTHER] = "[other windows]",
		[WINDOW_SLOW] = "[slow windows]",
	};

	(void)r;
	str_puts(out, frames[words[0]]);
}

/* state: "sleeping"; of text, "WAITING" */
static void state_key(struct roots *r, const struct recorded_sample *s, uint32_t *words)
{
	words[0] = (uint32_t)(s->state + 1);
	if (s->state_word)
		words[0] =
			RECORDING_STATE_COUNT + 1 + intern_add(&r->state_words, s->state_word, strlen(s->state_word));
}

static void state_frame_write(const struct roots *r, const uint32_t *words, struct str *out)
{
	(void)r;
	if (words[0])
		str_addf(out, "[%s]", state_name((int)words[0] - 1));
}

static void state_write(const struct roots *r, const uint32_t *words, struct str *out)
{
	uint32_t word = words[0] - (RECORDING_STATE_COUNT + 1);

	if (words[0] > RECORDING_STATE_COUNT)
		frame_add(out, intern_text(&r->state_words, word), intern_len(&r->state_words, word));
	else if (words[0])
		str_puts(out, state_name((int)words[0] - 1));
}

static uint32_t limit_words(struct roots *r, const struct recorded_sample *s)
{
	const struct owner_group *group = owned_find(&r->sideband->owned, s->pid, s->time_ns);
	struct str text = { 0 };
	uint32_t words;

	if (group)
		owner_add_limit(group, &text);
	else
		str_puts(&text, "unknown");
	words = intern_add(&r->owner_texts, text.buf, text.len);
	str_free(&text);
	return words;
}

/* by: "ls-4711/ls", the thread that had the CPU, or the limit of a throttled thread's group; waker: the thread that woke the sampled one */
static void by_key(struct roots *r, const struct recorded_sample *s, uint32_t *words)
{
	memset(words, 0, THREAD_OTHER_WORDS * sizeof(*words));
	words[0] = s->by < 0                      ? THREAD_OTHER_NONE
		   : !s->by                       ? THREAD_OTHER_IDLE
		   : s->by == RECORDING_BY_OTHERS ? THREAD_OTHER_SEVERAL
						  : THREAD_OTHER_THREAD;
	if (s->state == RECORDING_THROTTLED) {
		words[0] = THREAD_OTHER_LIMIT;
		words[1] = limit_words(r, s);
	}
	if (words[0] == THREAD_OTHER_THREAD)
		thread_root_key(r, comms_pid(&r->sideband->comms, s->by, s->time_ns), s->by, s, words + 1);
}

static void waker_key(struct roots *r, const struct recorded_sample *s, uint32_t *words)
{
	memset(words, 0, THREAD_OTHER_WORDS * sizeof(*words));
	words[0] = !s->has_wakers ? THREAD_OTHER_NONE : !s->waker_tid ? THREAD_OTHER_INTERRUPT : THREAD_OTHER_THREAD;
	if (words[0] == THREAD_OTHER_THREAD)
		thread_root_key(r, s->waker_pid, s->waker_tid, s, words + 1);
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

/* The place of a name that has an address; 0: there is none. */
static uint32_t named_key(struct roots *r, const struct recorded_sample *s, uint64_t address)
{
	struct spaces *spaces = &r->sideband->spaces;
	struct space *space;

	if (!address)
		return 0;
	space = spaces_find(spaces, s->pid, s->time_ns);
	return 1 + places_add(r->places, space, space_context(spaces, space, s->time_ns), address, s->time_ns);
}

/* class: "java.lang.String", the class of the allocated object */
static void class_key(struct roots *r, const struct recorded_sample *s, uint32_t *words)
{
	words[0] = named_key(r, s, s->class_address);
}

/* task: "Task-7", of asyncio */
static void task_key(struct roots *r, const struct recorded_sample *s, uint32_t *words)
{
	words[0] = named_key(r, s, s->task_address);
}

/* awaiting: "__main__.main > __main__.fetch_all", the functions that await the task */
static void awaiting_key(struct roots *r, const struct recorded_sample *s, uint32_t *words)
{
	words[0] = named_key(r, s, s->awaiting_address);
}

static void named_write(const struct roots *r, const uint32_t *words, struct str *out)
{
	struct frame_texts texts = { 0 };

	if (words[0])
		texts = names_of(r->frames, (words[0] - 1) << FRAME_PLACE_SHIFT);
	if (texts.count)
		str_add(out, intern_text(&r->frames->texts, texts.items[0]),
			intern_len(&r->frames->texts, texts.items[0]));
}

static const struct root own_roots[] = {
	{ "host", 0, same_key, host_write },
	{ "service", 0, same_key, service_write },
	{ "input", 0, same_key, input_write },
	{ "event", 1, event_key, event_write },
	{ "comm", 2, comm_key, comm_write },
	{ "pid", 2, pid_key, pid_write },
	{ "tid", 3, tid_key, tid_write },
	{ "thread", THREAD_WORDS, thread_key, thread_write },
	{ "cpu", 1, cpu_key, cpu_write },
	{ "parallelism", 1, parallelism_key, parallelism_write },
	{ "window", 1, window_key, window_write },
	{ "state", 1, state_key, state_write },
	{ "by", THREAD_OTHER_WORDS, by_key, thread_root_write_other },
	{ "waker", THREAD_OTHER_WORDS, waker_key, thread_root_write_other },
	{ "wait", 0, wait_key, wait_write },
	{ "doing", 1, state_key, doing_write },
	{ "class", 1, class_key, named_write },
	{ "task", 1, task_key, named_write },
	{ "awaiting", 1, awaiting_key, named_write },
	{ 0 },
};

enum { KNOWN_MAX = 64 }; /* names of roots that an error lists */

static const struct root *const tables[] = { own_roots, span_roots, process_roots, owner_roots };

static const struct root state_frame = { "[state]", 1, state_key, state_frame_write };

const char *roots_name(size_t i)
{
	for (size_t t = 0; t < sizeof(tables) / sizeof(*tables); t++) {
		for (const struct root *root = tables[t]; root->name; root++) {
			if (!i--)
				return root->name;
		}
	}
	return NULL;
}

static const struct root *roots_find(const char *name, size_t len)
{
	for (size_t i = 0; i < sizeof(tables) / sizeof(*tables); i++) {
		for (const struct root *root = tables[i]; root->name; root++) {
			if (strlen(root->name) == len && !memcmp(root->name, name, len))
				return root;
		}
	}
	return NULL;
}

/* The root with which a list begins; NULL for "none". */
static const struct root *roots_parse_one(const char *option, const char *list, size_t len)
{
	const char *known[KNOWN_MAX];
	const struct root *root = roots_find(list, len);
	size_t count = 0;

	if (root || (len == 4 && !memcmp(list, "none", 4)))
		return root;
	for (size_t i = 0; i < sizeof(tables) / sizeof(*tables); i++) {
		for (root = tables[i]; root->name && count < KNOWN_MAX - 1; root++)
			known[count++] = root->name;
	}
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
		const struct root *root = roots_parse_one("--root", list, len);

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
		const struct root *root = roots_parse_one(option, list, len);

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

/* "[blocked: lock]", "[runnable];[by ls-4711/ls]"; nothing for a sample of running code */
static void wall_key(struct roots *r, const struct recorded_sample *s, uint32_t *words)
{
	state_key(r, s, words);
	by_key(r, s, words + 1);
}

static void wall_write(const struct roots *r, const uint32_t *words, struct str *out)
{
	int state = (int)words[0] - 1;

	if (state < 0)
		return;
	if (state == RECORDING_RUNNING) {
		str_puts(out, "[running, not sampled]");
	} else if (state == RECORDING_THROTTLED) {
		str_puts(out, "[throttled];");
		thread_root_write_other(r, words + 1, out);
	} else if (state > RECORDING_RUNNING && state <= RECORDING_WOKEN) {
		str_puts(out, "[runnable]");
		if (words[1] == THREAD_OTHER_NONE)
			return;
		str_puts(out, ";[by ");
		thread_root_write_other(r, words + 1, out);
		str_addc(out, ']');
	} else if (r->wait && r->wait != wait_frame(WAIT_UNKNOWN)) {
		str_addf(out, "[blocked: %s", r->wait + 1);
	} else {
		str_addf(out, "[blocked: %s]", state_name(state));
	}
}

static const struct root wall_root = { "wall", 1 + THREAD_OTHER_WORDS, wall_key, wall_write };

void roots_append_wall(struct roots *r)
{
	if (r->count == ROOTS_MAX)
		die_usage("--root: more than %d", ROOTS_MAX - 1);
	r->chosen[r->count++] = &wall_root;
	r->leaves++;
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

static void roots_write_one(const struct roots *r, const struct root *root, const uint32_t *words, struct str *out)
{
	size_t before = out->len;

	root->write(r, words, out);
	if (out->len > before)
		str_addc(out, ';');
}

static uint8_t count_frames(const struct str *text, size_t from)
{
	unsigned count = 0;

	for (size_t i = from; i < text->len; i++)
		count += text->buf[i] == ';';
	return (uint8_t)(count < UINT8_MAX ? count : UINT8_MAX);
}

void roots_write(const struct roots *r, const uint32_t *words, struct str *out, uint8_t frames[ROOTS_MAX])
{
	if (frames)
		memset(frames, 0, ROOTS_MAX);
	for (size_t i = 0; i < r->count; i++) {
		size_t before = out->len;

		if (i < r->count - r->leaves)
			roots_write_one(r, r->chosen[i], words, out);
		if (frames)
			frames[i] = count_frames(out, before);
		words += r->chosen[i]->words;
	}
	if (r->state_frame)
		roots_write_one(r, &state_frame, words, out);
}

void roots_write_leaves(const struct roots *r, const uint32_t *words, struct str *out)
{
	size_t before = out->len;

	for (size_t i = 0; i < r->count; i++) {
		if (i >= r->count - r->leaves)
			roots_write_one(r, r->chosen[i], words, out);
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
	intern_free(&r->process_texts);
	intern_free(&r->owner_texts);
	intern_free(&r->state_words);
	file_names_free(&r->files);
	syscall_names_free(&r->calls);
	lane_names_free(&r->lanes);
	file_names_free(&r->devices);
	file_names_free(&r->sources);
	free(r->tids);
	*r = (struct roots){ 0 };
}
