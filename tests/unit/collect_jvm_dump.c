/* With a PID, prints what collect/jvm/methods.h finds in a JVM, for tests/jvm/methods.test.sh: all classes below
 * java.lang.Object, with their methods; times.
 *
 *     class java.lang.String[]
 *     method com.example.App.run
 *     line com.example.App.run App.java 17 */
#include <inttypes.h>
#include <stdlib.h>
#include <time.h>

#include "collect/jvm/metadata.h"
#include "collect/jvm/methods.h"
#include "core/memory.h"
#include "tests/unit/check.h"

enum { CLASSES_MAX = 1 << 17, METHODS_MAX = 1 << 16, LINES_MAX = 65536 };

struct dump {
	struct jvm jvm;
	struct java_methods *methods;
	uint64_t *all; /* Methods */
	size_t count, cap;
	size_t classes, bad_classes, bad_methods;
};

static uint64_t load(const struct dump *d, uint64_t at, const char *type, const char *field)
{
	int64_t offset = vm_offset(d->jvm.tables, type, field);
	uint64_t value = 0;

	return offset >= 0 && remote_u64(&d->jvm.remote, at + (uint64_t)offset, &value) ? value : 0;
}

static void add_methods(struct dump *d, uint64_t klass)
{
	uint64_t array = load(d, klass, "InstanceKlass", "_methods"), method;
	int64_t data = vm_offset(d->jvm.tables, "Array<Method*>", "_data");
	int32_t count = 0, helper = 0;

	remote_i32(&d->jvm.remote, klass + (uint64_t)vm_offset(d->jvm.tables, "Klass", "_layout_helper"), &helper);
	remote_i32(&d->jvm.remote, array, &count);
	for (int32_t i = 0; helper >= 0 && i < count && i < METHODS_MAX; i++) {
		if (!remote_u64(&d->jvm.remote, array + (uint64_t)(data < 0 ? 8 : data) + 8u * (uint64_t)i, &method))
			continue;
		d->all = xgrow(d->all, &d->cap, d->count + 1, sizeof(*d->all));
		d->all[d->count++] = method;
	}
}

static void add_class(struct dump *d, uint64_t klass)
{
	const char *name = java_class(d->methods, klass, UINT64_MAX);

	d->classes++;
	d->bad_classes += !name;
	if (name)
		printf("class %s\n", name);
	add_methods(d, klass);
	for (uint64_t sub = load(d, klass, "Klass", "_subklass"); sub && d->classes < CLASSES_MAX;
	     sub = load(d, sub, "Klass", "_next_sibling"))
		add_class(d, sub);
}

static void print_method(struct dump *d, uint64_t address)
{
	struct java_method m;
	uint32_t last = 0, line;

	if (!java_method(d->methods, address, &m)) {
		d->bad_methods++;
		return;
	}
	printf("method %s\n", m.name);
	if (strncmp(m.name, "Methods", 7))
		return;
	for (int bci = 0; bci < LINES_MAX; bci++) {
		line = java_method_line(d->methods, address, bci);
		if (line && line != last)
			printf("line %s %s %u\n", m.name, m.file ? m.file : "-", line);
		last = line;
	}
}

static double time_all(struct dump *d)
{
	struct timespec from, to;
	struct java_method m;

	clock_gettime(CLOCK_MONOTONIC, &from);
	for (size_t i = 0; i < d->count; i++)
		java_method(d->methods, d->all[i], &m);
	clock_gettime(CLOCK_MONOTONIC, &to);
	return ((double)(to.tv_sec - from.tv_sec) * 1e9 + (double)(to.tv_nsec - from.tv_nsec)) /
	       (double)(d->count + !d->count);
}

static uint64_t find_object(const struct dump *d)
{
	uint64_t at = vm_static(d->jvm.tables, "SystemDictionary",
				"_well_known_klasses[SystemDictionary::Object_klass_knum]");
	uint64_t klass = 0;

	if (!at)
		at = vm_static(d->jvm.tables, "vmClasses", "_klasses[static_cast<int>(vmClassID::Object_klass_knum)]");
	return remote_u64(&d->jvm.remote, at, &klass) ? klass : 0;
}

int main(int argc, char **argv)
{
	struct dump d = { 0 };
	const char *why = NULL;
	double cold, checked;

	if (argc < 2) {
		CHECK(jvm_open(&d.jvm, 1 << 30, &why) < 0 && why);
		return check_done();
	}
	if (jvm_open(&d.jvm, atoi(argv[1]), &why) || !(d.methods = java_methods_new(&d.jvm, &why))) {
		printf("# %s\n", why);
		return 1;
	}
	add_class(&d, find_object(&d));
	cold = time_all(&d);
	java_methods_next_batch(d.methods);
	checked = time_all(&d);
	for (size_t i = 0; i < d.count; i++)
		print_method(&d, d.all[i]);
	printf("# %zu classes, %zu unread, %zu methods, %zu unread\n", d.classes, d.bad_classes, d.count,
	       d.bad_methods);
	printf("# ns: %.0f, again in another batch %.0f, again %.0f\n", cold, checked, time_all(&d));
	java_methods_free(d.methods);
	jvm_close(&d.jvm);
	free(d.all);
	return d.bad_methods || d.bad_classes;
}
