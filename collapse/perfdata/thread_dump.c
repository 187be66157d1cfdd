#include "collapse/perfdata/thread_dump.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/lines.h"
#include "core/memory.h"
#include "core/str.h"
#include "core/utf8.h"

enum {
	LINES_MAX = 64,      /* limit on the bytes of a name; a longer text is not a name */
	TID_LIMIT = 1 << 22, /* the kernel's: PID_MAX_LIMIT */
};

struct dumped {
	int pid, tid;      /* pid 0: not known */
	size_t start, len; /* of the name */
};

struct dump {
	const char *path;
	int pid;                /* 0: not known yet */
	bool pid_is_given;      /* the process that the user gave, in place of the one in the file */
	struct str names, open; /* open: the start of a name that ends on a later line */
	size_t open_lines;      /* of open; 0: no name is open */
	struct dumped *items;
	size_t count, cap, heads;
	uint64_t wrong;
};

/* --- a line ------------------------------------------------------------------------- */

static const char *find_last(const char *text, size_t len, char c)
{
	return len ? memrchr(text, c, len) : NULL;
}

/* The value of nid= after a name; NULL: there is none. */
static const char *find_nid(const char *text, size_t len)
{
	static const char key[] = " nid=";
	const char *at = memmem(text, len, key, sizeof(key) - 1);

	return at ? at + sizeof(key) - 1 : NULL;
}

/* Parse "0x1f5e " or "8030 ".  Returns the number, 0 if the thread has none ("NA"), -1 if it is
 * malformed. */
static int read_nid(const char *text, const char *end)
{
	bool hex = end - text > 2 && text[0] == '0' && text[1] == 'x';
	int number = 0, digits = 0;

	if (end - text >= 2 && !memcmp(text, "NA", 2))
		return 0;
	for (text += hex ? 2 : 0; text < end && isxdigit((unsigned char)*text); text++, digits++) {
		int digit = isdigit((unsigned char)*text) ? *text - '0' : (*text | 0x20) - 'a' + 10;

		if (!hex && digit > 9)
			return -1;
		number = number * (hex ? 16 : 10) + digit;
		if (number > TID_LIMIT)
			return -1;
	}
	return digits && (text == end || isspace((unsigned char)*text)) ? number : -1;
}

/* column: from 1 */
static void thread_dump_complain(struct dump *d, const struct lines *in, size_t column, const char *what)
{
	if (d->wrong++ < MESSAGES_MAX)
		warn("%s:%llu:%zu: %s", in->path, (unsigned long long)in->number, column, what);
}

/* Append a name.  jstack writes a character beyond U+FFFF as two surrogates of three bytes each;
 * the two become one character. */
static void thread_dump_add_name(struct str *out, const char *text, size_t len)
{
	const unsigned char *p = (const unsigned char *)text;

	for (size_t i = 0; i < len; i++) {
		bool pair = len - i >= 6 && p[i] == 0xed && (p[i + 1] & 0xf0) == 0xa0 && (p[i + 2] & 0xc0) == 0x80 &&
			    p[i + 3] == 0xed && (p[i + 4] & 0xf0) == 0xb0 && (p[i + 5] & 0xc0) == 0x80;

		if (!pair) {
			str_addc(out, text[i]);
			continue;
		}
		utf8_add(out, 0x10000 + ((p[i + 1] & 0xfu) << 16 | (p[i + 2] & 0x3fu) << 10 | (p[i + 4] & 0xfu) << 6 |
					 (p[i + 5] & 0x3fu)));
		i += 5;
	}
}

/* Add a thread; nid is the text after nid=, up to end. */
static void thread_dump_add_thread(struct dump *d, const struct lines *in, const char *line, const char *name,
				   size_t len, const char *nid, const char *end)
{
	int tid = read_nid(nid, end);

	d->heads++;
	if (tid < 0)
		thread_dump_complain(d, in, (size_t)(nid - line) + 1, "nid= is not a thread's number");
	if (tid <= 0 || !len)
		return;
	d->items = xgrow(d->items, &d->cap, d->count + 1, sizeof(*d->items));
	d->items[d->count] = (struct dumped){ d->pid, tid, d->names.len, 0 };
	thread_dump_add_name(&d->names, name, len);
	d->items[d->count].len = d->names.len - d->items[d->count].start;
	d->count++;
}

/* "8513:" */
static bool thread_dump_read_process(struct dump *d, const char *text, size_t len)
{
	int pid = 0;

	if (len < 2 || len > 8 || text[len - 1] != ':')
		return false;
	for (size_t i = 0; i < len - 1; i++) {
		if (!isdigit((unsigned char)text[i]))
			return false;
		pid = pid * 10 + text[i] - '0';
	}
	if (!d->pid_is_given)
		d->pid = pid;
	return true;
}

static void thread_dump_end_open(struct dump *d)
{
	str_clear(&d->open);
	d->open_lines = 0;
}

/* Read a line: it may begin a name, or continue one.  A line that begins with '"Thread-1":' belongs to a report on a
 * deadlock. */
static void thread_dump_read_line(struct dump *d, const struct lines *in, const char *text, size_t len)
{
	const char *quote = find_last(text, len, '"'), *end = text + len;
	const char *nid = quote ? find_nid(quote + 1, (size_t)(end - quote - 1)) : NULL;
	bool begins = len && *text == '"' && !d->open_lines;

	if (d->open_lines && *text == '"' && quote > text && nid) { /* is this the end of the open name, or a whole new
								     * name? */
		thread_dump_complain(d, in, 1, "a thread's name begins inside another thread's name: both are skipped");
		d->heads++;
		thread_dump_end_open(d);
	} else if (begins && quote > text && nid) {
		thread_dump_add_thread(d, in, text, text + 1, (size_t)(quote - text - 1), nid, end);
	} else if (begins && (quote == text || end - quote != 2 || quote[1] != ':')) {
		str_add(&d->open, text + 1, len - 1);
		d->open_lines = 1;
	} else if (d->open_lines && nid) {
		str_addc(&d->open, '\n');
		str_add(&d->open, text, (size_t)(quote - text));
		thread_dump_add_thread(d, in, text, d->open.buf, d->open.len, nid, end);
		thread_dump_end_open(d);
	} else if (d->open_lines && d->open_lines++ < LINES_MAX) {
		str_addc(&d->open, '\n');
		str_add(&d->open, text, len);
	} else if (d->open_lines) {
		thread_dump_complain(d, in, 1, "a thread's name that began some lines earlier does not end");
		thread_dump_end_open(d);
	} else {
		thread_dump_read_process(d, text, len);
	}
}

static int thread_dump_read_file(struct dump *d)
{
	struct lines in = { 0 };
	char *text;
	size_t len;
	int failed;

	if (lines_open(&in, d->path) < 0)
		return -1;
	while (lines_next(&in, &text, &len))
		thread_dump_read_line(d, &in, text, len);
	if (d->wrong)
		warn("%s: malformed lines, skipped: %llu", in.path, (unsigned long long)d->wrong);
	failed = in.failed;
	lines_close(&in);
	if (failed)
		return -1;
	return d->heads ? 0
			: error("--names: %s: has no threads: it needs lines such as \"main\" #1 prio=5 nid=0x1f5e, "
				"from jstack PID or jcmd PID Thread.print",
				d->path);
}

/* --- which process -------------------------------------------------------------------- */

/* Find the process of threads that do not name theirs; all must belong to the same one.  Returns -1 after a message. */
static int thread_dump_find_process(struct dump *d, const struct comms *c)
{
	int found = 0;

	for (size_t i = 0; i < d->count; i++) {
		int tid = d->items[i].tid, pid;

		if (d->items[i].pid || !comms_known(c, tid))
			continue;
		pid = comms_pid(c, tid, UINT64_MAX);
		if (found && pid != found)
			return error("--names: %s: several processes have threads with these numbers (%d, %d): name "
				     "the process: --names PID=%s",
				     d->path, found, pid, d->path);
		found = pid;
	}
	d->pid = found;
	return 0;
}

static bool thread_dump_is_thread_of(const struct comms *c, int pid, int tid)
{
	return comms_known(c, tid) && comms_pid(c, tid, UINT64_MAX) == pid;
}

/* Is the dumped name the known one with some letters replaced: "s?r?-7" for "sürü-7"?  A JVM writes '?' for a letter
 * that its terminal does not have. */
static bool is_poorer(const char *dumped, size_t len, const char *known, size_t known_len)
{
	size_t i = 0, k = 0;

	if (!memchr(dumped, '?', len) || memchr(known, '?', known_len))
		return false;
	while (i < len || k < known_len) {
		if (i < len && (dumped[i] == '?' || dumped[i] & 0x80))
			i++;
		else if (k < known_len && known[k] & 0x80)
			k++;
		else if (i == len || k == known_len || dumped[i++] != known[k++])
			return false;
	}
	return true;
}

static void thread_dump_give_name(struct runtime_names *t, struct comms *c, int pid, int tid, const char *name,
				  size_t len)
{
	uint32_t known = runtime_names_given(t, pid, tid);

	if (known == UINT32_MAX || !is_poorer(name, len, intern_text(&c->names, known), intern_len(&c->names, known)))
		runtime_names_set(t, c, pid, tid, name, len);
}

static void give_names(const struct dump *d, struct runtime_names *t, struct comms *c)
{
	size_t given = 0;

	for (size_t i = 0; i < d->count; i++) {
		const struct dumped *item = &d->items[i];
		int pid = item->pid ? item->pid : d->pid;

		if (!thread_dump_is_thread_of(c, pid, item->tid))
			continue;
		thread_dump_give_name(t, c, pid, item->tid, d->names.buf + item->start, item->len);
		given++;
	}
	if (!given)
		warn("--names: %s: none of its %zu threads is in the recording (is it of another process, or are its "
		     "numbers those in a container?)",
		     d->path, d->count);
}

/* "PID=FILE" */
static void thread_dump_split(struct dump *d, const char *given)
{
	size_t digits = strspn(given, "0123456789");

	d->path = given;
	if (!digits || digits > 7 || given[digits] != '=')
		return;
	d->pid = atoi(given);
	d->pid_is_given = true;
	d->path = given + digits + 1;
}

int thread_dump_read(struct runtime_names *t, struct comms *c, const char *given)
{
	struct dump d = { 0 };
	int status = -1;

	thread_dump_split(&d, given);
	if (thread_dump_read_file(&d) < 0 || (!d.pid_is_given && thread_dump_find_process(&d, c) < 0))
		goto out;
	give_names(&d, t, c);
	status = 0;
out:
	str_free(&d.names);
	str_free(&d.open);
	free(d.items);
	return status;
}
