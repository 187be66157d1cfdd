#include "collect/java/thread_probe.h"

#include "collect/bpf/bpf.h"
#include "core/str.h"

#ifdef NO_BPF

struct thread_probe *thread_probe_open(thread_probe_take *take, void *self)
{
	(void)take, (void)self;
	return NULL;
}
bool thread_probe_attach(struct thread_probe *p, const char *libjvm)
{
	(void)p, (void)libjvm;
	return false;
}
void thread_probe_drain(struct thread_probe *p)
{
	(void)p;
}
unsigned long long thread_probe_lost(const struct thread_probe *p)
{
	(void)p;
	return 0;
}
void thread_probe_close(struct thread_probe *p)
{
	(void)p;
}

#else

#include <bpf/libbpf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "bpf/thread_probe.h"
#include "bpf/thread_probe.skel.h"
#include "collect/bpf/bpf_ring.h"
#include "collect/recording/refusal.h"
#include "core/memory.h"

enum { FIRST_PID_NAMESPACE = 0xEFFFFFFC }; /* linux/include/linux/proc_ns.h: PROC_PID_INIT_INO */

struct attached {
	dev_t dev;
	ino_t inode;
	struct bpf_link *link; /* NULL: the file has no such probe */
};

struct thread_probe {
	struct thread_probe_bpf *skeleton;
	struct bpf_ring ring;
	struct attached *files;
	size_t count, cap;
	struct str name;
	thread_probe_take *take;
	void *self;
};

/* ---- names ---- */

/* JVMs encode a code point beyond 16 bits as two UTF-8 sequences of three bytes. */
static uint32_t surrogate(const unsigned char *s, size_t len, unsigned char second)
{
	if (len < 3 || s[0] != 0xed || (s[1] & 0xf0) != second || (s[2] & 0xc0) != 0x80)
		return 0;
	return 0x10000u | (uint32_t)(s[1] & 0xf) << 6 | (s[2] & 0x3f);
}

static void java_thread_probe_add_name(struct str *out, const unsigned char *s, size_t len)
{
	while (len) {
		uint32_t high = surrogate(s, len, 0xa0), low = high ? surrogate(s + 3, len - 3, 0xb0) : 0;
		uint32_t point = 0x10000 + ((high & 0x3ff) << 10) + (low & 0x3ff);
		char utf8[] = { (char)(0xf0 | point >> 18), (char)(0x80 | (point >> 12 & 0x3f)),
				(char)(0x80 | (point >> 6 & 0x3f)), (char)(0x80 | (point & 0x3f)) };
		size_t taken = low ? 6 : 1;

		if (low)
			str_add(out, utf8, sizeof(utf8));
		else
			str_addc(out, (char)*s);
		s += taken;
		len -= taken;
	}
}

/* Length of the complete characters in s[0..len), which may be a truncated name. */
static size_t whole_characters(const unsigned char *s, size_t len)
{
	size_t start = len, wanted;

	while (start && len - start < 3 && (s[start - 1] & 0xc0) == 0x80)
		start--;
	if (!start || s[start - 1] < 0xc0)
		return len;
	wanted = s[start - 1] >= 0xf0 ? 4 : s[start - 1] >= 0xe0 ? 3 : 2;
	return len - start + 1 < wanted ? start - 1 : len;
}

static void java_thread_probe_take_record(void *context, const void *data, size_t size)
{
	struct thread_probe *p = context;
	const struct thread_probe_record *r = data;
	size_t len = THREAD_PROBE_NAME;

	if (size < sizeof(*r))
		return;
	if (r->len <= THREAD_PROBE_NAME)
		len = r->len;
	else
		len = whole_characters((const unsigned char *)r->name, len);
	str_clear(&p->name);
	java_thread_probe_add_name(&p->name, (const unsigned char *)r->name, len);
	p->take(p->self, (int)r->pid, (int)r->tid, str_text(&p->name), p->name.len);
}

/* ---- probes ---- */

static int java_thread_probe_load(struct thread_probe *p)
{
	struct thread_probe_bpf *s = p->skeleton = thread_probe_bpf__open();
	struct stat ns;

	if (!s)
		return -1;
	if (!stat("/proc/self/ns/pid", &ns) && ns.st_ino != FIRST_PID_NAMESPACE) {
		s->rodata->ns_dev = ns.st_dev;
		s->rodata->ns_inode = ns.st_ino;
	}
	if (thread_probe_bpf__load(s))
		return -1;
	return bpf_ring_open(&p->ring, bpf_map__fd(s->maps.ring), java_thread_probe_take_record, p);
}

struct thread_probe *thread_probe_open(thread_probe_take *take, void *self)
{
	struct thread_probe *p;

	if (bpf_obstacle() || uprobe_obstacle())
		return NULL;
	p = xcalloc(1, sizeof(*p));
	p->take = take;
	p->self = self;
	if (!java_thread_probe_load(p))
		return p;
	thread_probe_close(p);
	return NULL;
}

bool thread_probe_attach(struct thread_probe *p, const char *libjvm)
{
	struct attached *a;
	struct stat file;

	if (!p || stat(libjvm, &file))
		return false;
	for (size_t i = 0; i < p->count; i++) {
		if (p->files[i].dev == file.st_dev && p->files[i].inode == file.st_ino)
			return p->files[i].link;
	}
	p->files = xgrow(p->files, &p->cap, p->count + 1, sizeof(*p->files));
	a = &p->files[p->count++];
	*a = (struct attached){ .dev = file.st_dev, .inode = file.st_ino };
	a->link = bpf_program__attach_usdt(p->skeleton->progs.thread_started, -1, libjvm, "hotspot", "thread__start",
					   NULL);
	return a->link;
}

void thread_probe_drain(struct thread_probe *p)
{
	if (p)
		bpf_ring_round(&p->ring);
}

unsigned long long thread_probe_lost(const struct thread_probe *p)
{
	return p ? p->skeleton->bss->lost_records : 0;
}

void thread_probe_close(struct thread_probe *p)
{
	if (!p)
		return;
	for (size_t i = 0; i < p->count; i++)
		bpf_link__destroy(p->files[i].link);
	bpf_ring_close(&p->ring);
	thread_probe_bpf__destroy(p->skeleton);
	free(p->files);
	str_free(&p->name);
	free(p);
}

#endif
