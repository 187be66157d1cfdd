/* How good the stacks of a recording are, and where most of them break. */
#include "collect/recording/capture.h"
#include "tests/unit/check.h"

enum { MAIN, WORK, NOWHERE, FAR, JIT, KERNEL, PLACES };

static struct places places;
static struct modules modules;

static uint32_t module_of(uint32_t place)
{
	return places.items[place].module;
}

/* n stacks of the places, leaf first. */
static void add(struct capture *c, int n, struct capture_stack stack, const uint32_t *frames, size_t count)
{
	for (int i = 0; i < n; i++) {
		struct capture_stack s = stack;

		for (size_t f = 0; f < count; f++)
			capture_frame(c, &s, frames[f], module_of(frames[f]), frames[f] == KERNEL);
		capture_stack(c, &s);
	}
}

#define FRAMES(...) (const uint32_t[]){ __VA_ARGS__ }, sizeof((const uint32_t[]){ __VA_ARGS__ }) / sizeof(uint32_t)

static const struct capture_stack plain, alone = { .alone = true };

static struct capture_stack walked(enum recording_end end)
{
	return (struct capture_stack){ .walked = true, .end = end };
}

static void test_frame_pointers(void)
{
	struct capture c = { .max_stack = 5 };

	add(&c, 10, plain, FRAMES(KERNEL, WORK, MAIN));
	add(&c, 7, plain, FRAMES(WORK));                         /* after one frame */
	add(&c, 2, plain, FRAMES(WORK, FAR, WORK));              /* it may be the first */
	add(&c, 4, plain, FRAMES(WORK, FAR, NOWHERE));           /* lost behind FAR */
	add(&c, 3, plain, FRAMES(WORK, WORK, WORK, WORK, WORK)); /* as deep as can be */
	add(&c, 1, plain, FRAMES(KERNEL));                       /* none of a user */
	add(&c, 5, alone, FRAMES(WORK));
	add(&c, 6, plain, FRAMES(WORK, MAIN, FAR, NOWHERE)); /* whole: there is rubbish behind main */
	capture_judge(&c, &places, &modules);
	CHECK(c.quality.stacks == 10 + 7 + 2 + 4 + 3 + 6);
	CHECK(c.quality.broken == 7 + 4 && c.looks_broken == 7 + 4);
	CHECK(c.quality.cut == 3);
	CHECK(c.quality.frames == 30 + 7 + 6 + 12 + 15 + 1 + 5 + 24);
	CHECK(c.quality.nameless == 4 + 6);
	CHECK_TEXT(c.of_samples.module, "app");
	CHECK(!c.of_samples.is_jit);
	capture_free(&c);
}

static void test_walked(void)
{
	struct capture c = { 0 };

	add(&c, 10, walked(RECORDING_END_COMPLETE), FRAMES(WORK, WORK, WORK)); /* it knows that it is whole */
	add(&c, 2, walked(RECORDING_END_TRUNCATED), FRAMES(WORK, MAIN));
	add(&c, 1, walked(RECORDING_END_TOO_DEEP), FRAMES(WORK));
	add(&c, 3, walked(RECORDING_END_NO_CFI), FRAMES(WORK, FAR));
	add(&c, 4, walked(RECORDING_END_UNMAPPED), FRAMES(WORK, JIT, NOWHERE));
	add(&c, 9, walked(RECORDING_END_UNMAPPED), FRAMES(NOWHERE));
	capture_judge(&c, &places, &modules);
	CHECK(c.quality.stacks == 29 && c.quality.cut == 3 && c.quality.broken == 16 && !c.looks_broken);
	CHECK_TEXT(c.of_samples.module, "[jit]");
	CHECK(c.of_samples.is_jit);
	capture_free(&c);
}

static void test_heap(void)
{
	static const struct capture_stack span = { .span = true, .walked = true, .end = RECORDING_END_OTHER_STACK };
	struct capture c = { 0 };

	add(&c, 4, walked(RECORDING_END_OTHER_STACK), FRAMES(WORK, FAR));
	add(&c, 3, walked(RECORDING_END_NO_CFI), FRAMES(WORK, FAR));
	add(&c, 2, span, FRAMES(WORK, FAR));
	CHECK(c.of_samples.on_heap == 4 && c.of_spans.on_heap == 2);
	capture_judge(&c, &places, &modules);
	CHECK(c.quality.broken == 9);
	capture_free(&c);
}

/* Stacks of spans are counted separately; without registers, there was nothing to follow. */
static void test_spans(void)
{
	static const struct capture_stack span = { .span = true };
	struct capture c = { .max_stack = 5 };
	struct quality samples, spans;

	add(&c, 10, walked(RECORDING_END_COMPLETE), FRAMES(WORK, WORK));
	add(&c, 2, walked(RECORDING_END_NO_CFI), FRAMES(WORK));
	add(&c, 50, walked(RECORDING_END_NO_REGISTERS), FRAMES(WORK));
	add(&c, 3, span, FRAMES(WORK, MAIN));
	add(&c, 7, span, FRAMES(WORK, FAR, NOWHERE));
	add(&c, 1, span, FRAMES(WORK, WORK, WORK, WORK, WORK));
	capture_judge(&c, &places, &modules);
	samples = quality_of_samples(&c.quality);
	spans = quality_of_spans(&c.quality);
	CHECK(samples.stacks == 12 && samples.broken == 2 && !samples.cut);
	CHECK(spans.stacks == 11 && spans.broken == 7 && spans.cut == 1);
	CHECK_TEXT(c.of_samples.module, "app");
	CHECK_TEXT(c.of_spans.module, "libfar.so");
	capture_free(&c);
}

int main(void)
{
	static struct place items[PLACES];
	uint32_t app, far, jit;

	modules_init(&modules);
	app = modules_add(&modules, MODULE_ELF, "/bin/app", "-", 7);
	far = modules_add(&modules, MODULE_ELF, "/lib/libfar.so", "-", 7);
	jit = modules_add(&modules, MODULE_JIT, "/tmp/perf-7.map", "7", 7);
	items[MAIN] = (struct place){ .name = "main", .module = app };
	items[WORK] = (struct place){ .name = "work", .module = app };
	items[NOWHERE] = (struct place){ .module = PLACE_NO_MODULE };
	items[FAR] = (struct place){ .name = "far", .module = far };
	items[JIT] = (struct place){ .name = "jit", .module = jit };
	items[KERNEL] = (struct place){ .name = "do_syscall_64", .module = MODULE_KERNEL_ID };
	places = (struct places){ .items = items, .count = PLACES };
	test_frame_pointers();
	test_walked();
	test_heap();
	test_spans();
	modules_free(&modules);
	return check_done();
}
