#include "collect/alloc/alloc_probe.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collect/jvm/jvm.h"
#include "collect/jvm/oops.h"
#include "collect/machine/anchors.h"
#include "collect/machine/rights.h"
#include "core/memory.h"
#include "core/symbols/space/process_root.h"

/* ---- the class and size of a new object, read from the JVM's memory ---- */

/* The probe hotspot:object__alloc reports each allocation's size, except in JDK 9 to 17 (JDK-8276209: the value is
 * whatever the register held).  There we probe the function around the probe instead, and read the object a moment
 * later: it is still in place as long as the garbage collector has not run. */

struct alloc_heap {
	struct jvm jvm;
	struct oops oops;
	uint32_t collections; /* number of collections of the heap */
	uint64_t since_ns;    /* `collections` has had its value since this time or longer */
	/* Klass::_layout_helper (hotspot/share/oops/klass.hpp): for instances the size; for arrays tag, header
	 * size, element type, log2 of the element size. */
	int64_t layout_at, slow_path_bit, header_shift, header_mask, element_shift, element_mask;
	uint64_t alignment;
};

static bool alloc_heap_find_layout(struct alloc_heap *h)
{
	const struct vm_tables *t = h->jvm.tables;

	h->layout_at = vm_offset(t, "Klass", "_layout_helper");
	if (!vm_flag(t, &h->jvm.remote, "ObjectAlignmentInBytes", &h->alignment))
		h->alignment = 0;
	h->alignment &= UINT32_MAX; /* in some versions the field has only 4 bytes */
	if (!h->alignment)
		h->alignment = 8;
	return h->layout_at >= 0 && vm_constant(t, "Klass::_lh_instance_slow_path_bit", &h->slow_path_bit) &&
	       vm_constant(t, "Klass::_lh_header_size_shift", &h->header_shift) &&
	       vm_constant(t, "Klass::_lh_header_size_mask", &h->header_mask) &&
	       vm_constant(t, "Klass::_lh_log2_element_size_shift", &h->element_shift) &&
	       vm_constant(t, "Klass::_lh_log2_element_size_mask", &h->element_mask) && h->header_shift >= 0 &&
	       h->header_shift < 32 && h->element_shift >= 0 && h->element_shift < 32;
}

/* Are all objects that existed at time_ns still in place, as far as we know? */
static bool stayed(struct alloc_heap *h, uint64_t time_ns)
{
	uint32_t collections;

	if (!oops_begin(&h->oops, &collections))
		return false;
	if (!h->since_ns || collections != h->collections) {
		h->collections = collections;
		h->since_ns = monotonic_ns();
	}
	return time_ns >= h->since_ns;
}

static void alloc_heap_free(struct alloc_heap *h)
{
	if (!h)
		return;
	jvm_close(&h->jvm);
	free(h);
}

/* Returns NULL, and *why, if the JVM's tables lack what is needed. */
static struct alloc_heap *alloc_heap_open(int pid, const char **why)
{
	struct alloc_heap *h = xcalloc(1, sizeof(*h));

	if (!jvm_open(&h->jvm, pid, why) && !oops_init(&h->oops, &h->jvm, why)) {
		*why = "its tables do not say how large objects are";
		if (alloc_heap_find_layout(h)) {
			stayed(h, 0);
			return h;
		}
	}
	alloc_heap_free(h);
	return NULL;
}

static uint64_t length_of(const struct alloc_heap *h, const uint8_t header[OOP_HEADER_BYTES])
{
	uint32_t length;

	memcpy(&length, header + (h->oops.compact ? 8 : h->oops.compressed_klass ? 12 : 16), sizeof(length));
	return length;
}

/* The object at address, which was made at time_ns (CLOCK_MONOTONIC).  Returns false if a collection may have begun
 * since. */
static bool alloc_heap_object(struct alloc_heap *h, uint64_t address, uint64_t time_ns, uint64_t *klass,
			      uint64_t *bytes)
{
	uint8_t header[OOP_HEADER_BYTES];
	int32_t layout;

	if (!remote_read(&h->jvm.remote, address, header, sizeof(header)) || !stayed(h, time_ns))
		return false;
	*klass = oop_klass(&h->oops, header);
	if (!*klass || !remote_i32(&h->jvm.remote, *klass + (uint64_t)h->layout_at, &layout) || !layout)
		return false;
	if (layout > 0) {
		*bytes = (uint64_t)(layout & ~h->slow_path_bit);
		return true;
	}
	*bytes = ((uint64_t)layout >> h->header_shift & (uint64_t)h->header_mask) +
		 (length_of(h, header) << ((uint32_t)layout >> h->element_shift & (uint32_t)h->element_mask & 31));
	*bytes = (*bytes + h->alignment - 1) / h->alignment * h->alignment;
	return true;
}

/* ---- probes ---- */

/* The two functions that report allocations, under all their names (alloc_signature.h). */
static const char *const functions[] = {
	"_ZN11AllocTracer27send_allocation_in_new_tlabE",
	"_ZN11AllocTracer28send_allocation_outside_tlabE",
	"_ZN11AllocTracer33send_allocation_in_new_tlab_eventE",
	"_ZN11AllocTracer34send_allocation_outside_tlab_eventE",
};

enum { FUNCTIONS = sizeof(functions) / sizeof(*functions), NAME_MAX_BYTES = UINT16_MAX };

static bool alloc_probe_has_file(const struct alloc_probes *p, const struct stat *st)
{
	for (size_t i = 0; i < p->file_count; i++) {
		if (p->files[i].device == st->st_dev && p->files[i].inode == st->st_ino)
			return true;
	}
	return false;
}

static void alloc_probe_add_file(struct alloc_probes *p, const struct stat *st, int fd)
{
	p->files = xgrow(p->files, &p->file_cap, p->file_count + 1, sizeof(*p->files));
	p->files[p->file_count++] = (struct alloc_file){ st->st_dev, st->st_ino, fd };
}

static void alloc_probe_add(struct alloc_probes *p, struct alloc_probe *probe)
{
	probe->of = p;
	p->list = xgrow(p->list, &p->cap, p->count + 1, sizeof(struct alloc_probe *));
	p->list[p->count] = xmalloc(sizeof(*probe));
	*p->list[p->count++] = *probe;
}

/* Drop all probes but the first count. */
static void alloc_probe_drop(struct alloc_probes *p, size_t count)
{
	while (p->count > count) {
		str_free(&p->list[--p->count]->text);
		free(p->list[p->count]);
	}
}

/* How much of a TLAB may be wasted (threadLocalAllocBuffer.hpp, initial_refill_waste_limit()). */
static void alloc_probe_find_limit(struct alloc_probe *probe, const struct jvm *jvm)
{
	int64_t tlab = vm_offset(jvm->tables, "Thread", "_tlab");
	int64_t size = vm_offset(jvm->tables, "ThreadLocalAllocBuffer", "_desired_size");

	probe->limit_at = tlab < 0 || size < 0 ? -1 : tlab + size;
	if (!vm_flag(jvm->tables, &jvm->remote, "TLABRefillWasteFraction", &probe->fraction))
		probe->fraction = 0;
	probe->fraction &= UINT32_MAX; /* in some versions the field has only 4 bytes */
	if (!probe->fraction)
		probe->limit_at = -1;
}

static bool alloc_probe_flag(const struct jvm *jvm, const char *name)
{
	uint64_t value = 0;

	return vm_flag(jvm->tables, &jvm->remote, name, &value) && value & 0xff;
}

bool alloc_misses_compiled(pid_t pid)
{
	struct jvm jvm;
	const char *why;
	uint64_t tlabs;
	bool misses;

	if (jvm_open(&jvm, pid, &why))
		return false;
	misses = vm_flag(jvm.tables, &jvm.remote, "UseTLAB", &tlabs) && !(tlabs & 0xff) && jvm_version(&jvm) < 20 &&
		 (alloc_probe_flag(&jvm, "UseSerialGC") || alloc_probe_flag(&jvm, "UseParallelGC") ||
		  alloc_probe_flag(&jvm, "UseParallelOldGC") || alloc_probe_flag(&jvm, "UseConcMarkSweepGC"));
	jvm_close(&jvm);
	return misses;
}

bool alloc_steps_are_fixed(pid_t pid)
{
	struct jvm jvm;
	const char *why;
	uint64_t resizes;
	bool fixed;

	if (jvm_open(&jvm, pid, &why))
		return false;
	fixed = alloc_probe_flag(&jvm, "UseZGC") ||
		(vm_flag(jvm.tables, &jvm.remote, "ResizeTLAB", &resizes) && !(resizes & 0xff));
	jvm_close(&jvm);
	return fixed;
}

/* The alternative to suggest: the event of JFR that its settings "profile" enable. */
#define STRIPPED(event)                                                                                              \
	"its libjvm.so was stripped (as Debian's of OpenJDK 8 is), so that nothing tells where AllocTracer is; let " \
	"the JVM record them, with jcmd PID JFR.start settings=profile filename=FILE, and read that with pyrograph " \
	"collapse --event jdk.ObjectAllocation" event " FILE"

/* Find the functions of the slow path of an allocation: one for objects in a new TLAB, one for objects outside
 * any. */
static int find_functions(struct alloc_probes *p, const struct jvm *jvm, const char *path, const char **why)
{
	struct runtime_symbol wanted[FUNCTIONS] = { 0 };
	const struct runtime_file *lib = &jvm->lib;
	size_t before = p->count;

	for (size_t i = 0; i < FUNCTIONS; i++)
		wanted[i] = (struct runtime_symbol){ .name = functions[i], .is_prefix = true };
	runtime_symbols(lib, wanted, FUNCTIONS);
	for (size_t i = 0; i < FUNCTIONS; i++) {
		struct alloc_probe probe = { .offset = wanted[i].offset };

		if (!wanted[i].offset || !alloc_signature_read(&probe.signature, wanted[i].found) ||
		    alloc_argument_register(probe.signature.size) < 0)
			continue;
		snprintf(probe.path, sizeof(probe.path), "%s", path);
		alloc_probe_find_limit(&probe, jvm);
		alloc_probe_add(p, &probe);
	}
	*why = jvm_version(jvm) < 16 ? STRIPPED("InNewTLAB") : STRIPPED("Sample");
	return p->count == before + 2 ? 0 : -1;
}

/* If the probe's size cannot be trusted (struct alloc_heap), use the function around the probe. */
static bool find_object_function(const struct runtime_file *lib, const char *path, struct alloc_probe *probe)
{
	struct runtime_symbol wanted = { .name = "_ZN13SharedRuntime24dtrace_object_alloc_baseEP6ThreadP7oopDesci" };

	*probe = (struct alloc_probe){ .is_every = true, .object = 1 };
	if (!runtime_symbols(lib, &wanted, 1) || !wanted.offset)
		return false;
	probe->offset = wanted.offset;
	snprintf(probe->path, sizeof(probe->path), "%s", path);
	return true;
}

/* Add each place of the probe, if its arguments can be read: thread, class name, length of the name, bytes. */
static void add_usdt(struct alloc_probes *p, const char *path, const struct usdt_location *l)
{
	const struct usdt_argument *a = l->arguments;
	struct alloc_probe probe = {
		.offset = l->offset, .is_every = true, .object = -1, .name = a[1], .name_len = a[2], .size = a[3]
	};

	if (l->argument_count != 4 || l->semaphore)
		return;
	snprintf(probe.path, sizeof(probe.path), "%s", path);
	alloc_probe_add(p, &probe);
}

static int find_every(struct alloc_probes *p, const struct runtime_file *lib, const char *path, const char **why)
{
	struct usdt_location *found = xcalloc(USDT_LOCATIONS_MAX, sizeof(*found));
	size_t count = usdt_find(path, "hotspot", "object__alloc", found), before = p->count;
	struct alloc_probe probe;

	if (count && find_object_function(lib, path, &probe))
		alloc_probe_add(p, &probe);
	else
		for (size_t i = 0; i < count && i < USDT_LOCATIONS_MAX; i++)
			add_usdt(p, path, &found[i]);
	free(found);
	*why = count ? "its probe hotspot:object__alloc is not understood"
		     : "its libjvm.so was built without the probe hotspot:object__alloc; leave --every out";
	return p->count > before ? 0 : -1;
}

/* Was the JVM started with the probe enabled, so that it reports every allocation? */
static bool tells_of_every(const struct jvm *jvm)
{
	return alloc_probe_flag(jvm, "DTraceAllocProbes") || alloc_probe_flag(jvm, "ExtendedDTraceProbes");
}

/* Find or add the file of libjvm.  The file stays open. */
static int probe_file(struct alloc_probes *p, const struct jvm *jvm, bool every, const char **why)
{
	int fd = process_root_open(0, jvm->lib.path), status;
	size_t before = p->count;
	struct stat st;
	char path[32];

	*why = "its libjvm.so cannot be read";
	if (fd < 0)
		return -1;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (!fstat(fd, &st) && alloc_probe_has_file(p, &st)) {
		close(fd);
		return 0;
	}
	status = every ? find_every(p, &jvm->lib, path, why) : find_functions(p, jvm, path, why);
	if (!status) {
		alloc_probe_add_file(p, &st, fd);
		return 0;
	}
	alloc_probe_drop(p, before);
	close(fd);
	return -1;
}

static int alloc_probe_find(struct alloc_probes *p, const struct jvm *jvm, bool every, const char **why)
{

	*why = "it was not started with -XX:+DTraceAllocProbes, which --every needs (and which cannot be "
	       "set later); leave --every out";
	if (every && !tells_of_every(jvm))
		return -1;
	return probe_file(p, jvm, every, why);
}

/* Add a JVM; its objects are read if the probe cannot be trusted. */
static int add_jvm(struct alloc_probes *p, pid_t pid, bool every, const char **why)
{
	struct alloc_heap *heap = every ? alloc_heap_open(pid, why) : NULL;

	if (every && !heap)
		return -1;
	pids_add(&p->jvms, pid);
	p->heaps = xgrow(p->heaps, &p->heap_cap, p->jvms.count, sizeof(struct alloc_heap *));
	p->heaps[p->jvms.count - 1] = heap;
	return 0;
}

int alloc_probes_find(struct alloc_probes *p, pid_t pid, bool every, const char **why)
{
	struct jvm jvm;
	int status;

	if (jvm_open(&jvm, pid, why))
		return -1;
	status = alloc_probe_find(p, &jvm, every, why);
	jvm_close(&jvm);
	return status ? status : add_jvm(p, pid, every, why);
}

void alloc_probes_forget_jvms(struct alloc_probes *p)
{
	for (size_t i = 0; i < p->jvms.count; i++)
		alloc_heap_free(p->heaps[i]);
	p->jvms.count = 0;
}

void alloc_probes_free(struct alloc_probes *p)
{
	alloc_probe_drop(p, 0);
	for (size_t i = 0; i < p->file_count; i++)
		close(p->files[i].fd);
	alloc_probes_forget_jvms(p);
	free(p->list);
	free(p->files);
	free(p->heaps);
	pids_free(&p->jvms);
	*p = (struct alloc_probes){ 0 };
}

/* ---- events ---- */

void alloc_probes_add_events(struct alloc_probes *p, struct events *events, const struct sampling *how,
			     bool (*made)(void *probe, struct walked_sample *s))
{
	uint32_t type = uprobe_type();

	for (size_t i = p->with_events; i < p->count; i++) {
		size_t number = events_add_dummy(events);
		struct event *e = &events->list[number];

		free(e->name);
		e->name = xstrdup(RECORDING_ALLOC);
		e->attr.type = type;
		e->attr.config = 0; /* 0: not a return probe */
		e->attr.exclude_kernel = 0;
		e->attr.config1 = (uint64_t)(uintptr_t)p->list[i]->path;
		e->attr.config2 = p->list[i]->offset;
		event_configure(e, how);
		/* A uprobe event cannot be inherited: the kernel would read the event's path again for each new thread,
		 * from the memory of the creating thread, find none, and fail to create the thread
		 * (kernel/trace/trace_event_perf.c, perf_uprobe_init()). */
		e->attr.inherit = 0;
		e->attr.enable_on_exec = 0;
		e->everybody = true;
		e->made = made;
		e->self = p->list[i];
		e->recorded_as = RECORDING_ALLOC;
	}
	p->with_events = p->count;
}

/* ---- samples ---- */

static bool alloc_probe_read_argument(const struct walked_sample *s, int argument, uint64_t *value)
{
	int number = alloc_argument_register(argument);

	return number >= 0 && walked_register(s, (unsigned)number, value);
}

static void alloc_probe_read_limit(const struct alloc_probe *probe, const struct walked_sample *s,
				   struct alloc_object *o)
{
	struct remote remote = { .pid = s->pid };
	uint64_t thread, words;

	if (o->tlab && probe->limit_at >= 0 && alloc_probe_read_argument(s, probe->signature.thread, &thread) &&
	    remote_u64(&remote, thread + (uint64_t)probe->limit_at, &words))
		o->limit = words * 8 / probe->fraction;
}

static bool read_object(const struct alloc_probe *probe, const struct walked_sample *s, struct alloc_object *o)
{
	const struct alloc_signature *at = &probe->signature;

	if (!alloc_probe_read_argument(s, at->klass, &o->klass) || !alloc_probe_read_argument(s, at->size, &o->size) ||
	    (at->tlab >= 0 && !alloc_probe_read_argument(s, at->tlab, &o->tlab)))
		return false;
	alloc_probe_read_limit(probe, s, o);
	return true;
}

/* Read the class and the size from the object itself. */
static bool alloc_probe_read_heap(const struct alloc_probe *probe, const struct walked_sample *s,
				  struct alloc_object *o)
{
	const struct alloc_probes *p = probe->of;
	uint64_t address;
	size_t i = 0;

	while (i < p->jvms.count && p->jvms.list[i] != s->pid)
		i++;
	return i < p->jvms.count && alloc_probe_read_argument(s, probe->object, &address) &&
	       alloc_heap_object(p->heaps[i], address, s->time_ns, &o->klass, &o->size);
}

static bool read_every(struct alloc_probe *probe, const struct walked_sample *s, struct alloc_object *o)
{
	struct remote remote = { .pid = s->pid };
	uint64_t name, len;

	if (!usdt_value(&probe->name, s, &name) || !usdt_value(&probe->name_len, s, &len) ||
	    !usdt_value(&probe->size, s, &o->size) || len > NAME_MAX_BYTES)
		return false;
	str_clear(&probe->text);
	str_reserve(&probe->text, len);
	if (!remote_read(&remote, name, probe->text.buf, len))
		return false;
	o->name = probe->text.buf;
	o->name_len = len;
	return true;
}

bool alloc_probe_read(struct alloc_probe *probe, const struct walked_sample *s, struct alloc_object *o)
{
	*o = (struct alloc_object){ 0 };
	if (!(!probe->is_every    ? read_object(probe, s, o)
	      : probe->object < 0 ? read_every(probe, s, o)
				  : alloc_probe_read_heap(probe, s, o)))
		return false;
	return o->size && o->size < (uint64_t)1 << 48 && o->tlab < (uint64_t)1 << 48;
}
