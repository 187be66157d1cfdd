/* Colours depend only on names, are those of other tools, keep labels readable, and do not change between versions. */
#include <math.h>
#include <stdlib.h>

#include "core/format/events.h"
#include "render/colours/hue.h"
#include "render/colours/palette.h"
#include "render/colours/scheme.h"
#include "tests/unit/check.h"

static uint32_t colour(const char *palette, const char *name)
{
	return palette_colour(palette_find(palette), name, strlen(name));
}

static int is_between(uint32_t rgb, int r0, int r1, int g0, int g1, int b0, int b1)
{
	int r = (int)(rgb >> 16), g = (int)(rgb >> 8 & 255), b = (int)(rgb & 255);

	return r >= r0 && r < r1 && g >= g0 && g < g1 && b >= b0 && b < b1;
}

static void check_java_names(void)
{
	static const char *const java[] = {
		"Lcom/x/Y::a",
		"com/example/App::handle",
		"com/example/App",
		"com.example.App.handle",
		"App.main",
		"java.lang.String",
		"byte[]",
		"com.example.App[][]",
		"io.netty.buffer.Buf",
		"com.example.App",
		"App$1.<init>",
		"a.b.C$$Lambda.run",
		"java.lang.invoke.LambdaForm$MH/0x1.invoke",
		"com.example.\xc3\x84pfel.App.x",
	};
	static const char *const other[] = {
		"",
		"L",
		"main",
		"Foo.cold",
		"Foo.part.0",
		"XPutImage.constprop.0",
		"PyObject_Call.localalias",
		"std::vector::push_back",
		"Foo::bar",
		"fmt.Fprintf",
		"runtime.mallocgc.func1",
		"main.(*T).Run",
		"operator new[]",
		"[]",
		"[libc.so.6]",
		"com",
		"io.Copy",
		"net.(*conn).Read",
		"net.Listen.func1",
		"net.sendFile.func1",
		"io.copyBuffer",
		"a.b.",
		"A.",
		"libfoo.so.6",
		"_start",
	};

	for (size_t i = 0; i < sizeof(java) / sizeof(*java); i++) {
		CHECK(is_java_name(java[i], strlen(java[i])));
		if (!is_java_name(java[i], strlen(java[i])))
			printf("# no: %s\n", java[i]);
	}
	for (size_t i = 0; i < sizeof(other) / sizeof(*other); i++) {
		CHECK(!is_java_name(other[i], strlen(other[i])));
		if (is_java_name(other[i], strlen(other[i])))
			printf("# is: %s\n", other[i]);
	}
}

static void check_ours(void)
{
	char name[32];
	int hot = 0, mem = 0, io = 0;

	/* fixed values: a change would make pictures incomparable with older ones */
	CHECK(colour("hot", "main") == 0xf00727);
	CHECK(colour("hot", "foo") == 0xe0a115);
	for (int i = 0; i < 1000; i++) {
		snprintf(name, sizeof(name), "function_%d", i);
		hot += is_between(colour("hot", name), 205, 255, 0, 230, 0, 55);
		mem += is_between(colour("mem", name), 0, 1, 190, 240, 0, 210);
		io += is_between(colour("io", name), 80, 140, 80, 140, 190, 245);
	}
	CHECK(hot == 1000);
	CHECK(mem == 1000);
	CHECK(io == 1000);

	CHECK(is_between(colour("java", "a_[j]"), 50, 110, 200, 255, 50, 110));
	CHECK(is_between(colour("java", "a_[?]"), 135, 180, 205, 240, 205, 240));
	CHECK(is_between(colour("java", "a_[1]"), 170, 210, 215, 250, 70, 120));
	CHECK(is_between(colour("java", "a_[0]"), 150, 190, 205, 240, 150, 190));
	check_java_names();
	CHECK(is_between(colour("java", "Lcom/x/Y::a"), 50, 110, 200, 255, 50, 110));
	CHECK(is_between(colour("java", "a_[i]"), 50, 110, 165, 220, 165, 220));
	CHECK(is_between(colour("java", "a_[k]"), 190, 255, 90, 155, 0, 1));
	CHECK(is_between(colour("java", "a_[w]"), 190, 255, 80, 140, 190, 255));
	CHECK(is_between(colour("java", "A::b"), 175, 230, 175, 230, 50, 70));
	CHECK(is_between(colour("java", "read"), 200, 255, 50, 130, 50, 130));
	CHECK(colour("java", "--") == 0xa0a0a0 && colour("hot", "-") == 0xc8c8c8);
	CHECK(colour("hot", "a_[k]") == colour("hot", "a"));
	CHECK(colour("hot", "ab") != colour("hot", "ba"));
	/* an annotation is certain, a name is only a hint, unlike in flamegraph.pl */
	CHECK(colour("java", "x::lock_[k]") == colour("orange", "x::lock_[k]"));
	CHECK(colour("perl", "x::lock_[k]") == colour("orange", "x::lock_[k]"));
	CHECK(background_find("#102030").top == 0x102030);
	CHECK(palette_diffusion(0, 9) == 0xfffafa && palette_diffusion(9, 9) == 0xff6464);
	CHECK(palette_diffusion(1, 4) == 0xffafaf);
}

static void check_go_names(void)
{
	static const char *const go[] = { "main.rebuild",       "main.(*Desk).rebuild",
					  "runtime.mallocgc",   "syscall.Syscall6",
					  "main.main.func1",    "github.com/gorilla/mux.(*R).Serve",
					  "runtime.goexit.abi0" };
	static const char *const other[] = { "main",
					     "main.c",
					     "main.py",
					     "read.part.0",
					     "/usr/lib/libx.so.6",
					     "[libx.so]",
					     "main.cold",
					     "do_idle.constprop.0",
					     "java-8513/dw-20",
					     "liblzma.so.5.4.1" };

	for (size_t i = 0; i < sizeof(go) / sizeof(*go); i++) {
		CHECK(is_between(colour("java", go[i]), 50, 110, 200, 255, 50, 110));
		if (!is_between(colour("java", go[i]), 50, 110, 200, 255, 50, 110))
			printf("# no: %s\n", go[i]);
	}
	for (size_t i = 0; i < sizeof(other) / sizeof(*other); i++) {
		CHECK(is_between(colour("java", other[i]), 200, 255, 50, 130, 50, 130));
		if (!is_between(colour("java", other[i]), 200, 255, 50, 130, 50, 130))
			printf("# is: %s\n", other[i]);
	}
	CHECK(scheme_is_rust("core::iter::Map::next", 21) && !scheme_is_rust("std::vector::push_back", 22));
}

/* ---- colours of other tools: rows of vector, palette, name, colour ------------------ */

static void check_row(char *line)
{
	char *vector = strsep(&line, "\t"), *name = strsep(&line, "\t");
	struct palette p = *palette_find(name);
	char got[16], wanted[16];

	name = strsep(&line, "\t");
	p.vector = vector_find(vector);
	/* the colour of the original program, but lighter if black text on it could not be read */
	snprintf(wanted, sizeof(wanted), "#%06x", hue_readable((uint32_t)strtoul(line + 1, NULL, 16)));
	snprintf(got, sizeof(got), "#%06x", palette_colour(&p, name, strlen(name)));
	if (strcmp(got, wanted)) {
		printf("not ok - %s %s '%s': got %s, wanted %s\n", vector, p.scheme->name, name, got, wanted);
		checks_failed++;
	}
}

static void check_others(void)
{
	FILE *in = fopen("tests/golden/compat/colours.tsv", "r");
	char line[512];
	int rows = 0;

	CHECK(in);
	while (in && fgets(line, sizeof(line), in)) {
		line[strcspn(line, "\n")] = '\0';
		if (*line == '#')
			continue;
		check_row(line);
		rows++;
	}
	CHECK(rows == 783 && !checks_failed);
	if (in)
		fclose(in);
}

/* ---- contrast of black text (WCAG 2: at least 4.5:1) ------------------------- */

static double linear(uint32_t byte)
{
	double v = byte / 255.0;

	return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
}

static double contrast_to_black(uint32_t rgb)
{
	double luminance = 0.2126 * linear(rgb >> 16) + 0.7152 * linear(rgb >> 8 & 255) + 0.0722 * linear(rgb & 255);

	return (luminance + 0.05) / 0.05;
}

/* The least contrast over every kind of name and all vectors in steps of a tenth. */
static double least_contrast(const struct scheme *s)
{
	static const char *const names[] = { "read",         "a_[k]",    "a_[j]", "a_[i]",   "a_[w]",
					     "A::b",         "a.js",     "a:b",   "core::x", "/site-packages/x",
					     "<built-in x>", "/x.js_[j]" };
	double least = 21;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		for (int step = 0; step < 1000; step++) {
			struct vector v = { step % 10 / 9.0, step / 10 % 10 / 9.0, step / 100 / 9.0 };
			double c = contrast_to_black(scheme_colour(s, names[i], strlen(names[i]), &v));

			least = c < least ? c : least;
		}
	}
	return least;
}

static void check_contrast(void)
{
	for (const struct scheme *s = schemes; s->name; s++) {
		double least = least_contrast(s);

		printf("%sok - black on %s: %.2f:1\n", least < 4.5 ? "not " : "", s->name, least);
		checks_failed += least < 4.5;
	}
	CHECK(least_contrast(palette_find(event_row_of("alloc")->palette)->scheme) > 8);
}

static void check_hues(void)
{
	CHECK(hue_find("red") == hue_red && hue_find("sky") == hue_sky && !hue_find("pink"));
	CHECK(hue_viridis(0) == 0x21918c && hue_viridis(1) == 0xfde725);
	CHECK(hue_viridis(0.5) == hue_between(0x44bf70, 0x7ad151, 0.5));
	CHECK(colour("safe", "a_[k]") != colour("safe", "a"));
}

int main(void)
{
	check_ours();
	check_others();
	check_contrast();
	check_go_names();
	check_hues();
	return check_done();
}
