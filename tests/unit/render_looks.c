/* Files that set looks: palette maps, rules, attributes.  Also modules, base frames, wakers, labels cut at their
 * beginning. */
#include <stdlib.h>
#include <unistd.h>

#include "core/error.h"
#include "core/format/folded.h"
#include "render/colours/measuring.h"
#include "render/colours/palette_map.h"
#include "render/colours/rules.h"
#include "render/colours/waits.h"
#include "render/drawing/attributes.h"
#include "render/drawing/font.h"
#include "render/profile/stack_edit.h"
#include "tests/unit/check.h"

static char path[] = "/tmp/looks.XXXXXX";

/* path holds text from now on. */
static void write_file(const char *text)
{
	FILE *out = fopen(path, "w");

	fputs(text, out);
	fclose(out);
}

static const char *file_text(void)
{
	static char text[1024];
	FILE *in = fopen(path, "r");

	text[fread(text, 1, sizeof(text) - 1, in)] = '\0';
	fclose(in);
	return text;
}

/* ---- palette map -------------------------------------------------------------- */

static uint32_t mapped(const struct palette_map *m, const char *name)
{
	uint32_t rgb = 0;

	return palette_map_find(m, name, strlen(name), &rgb) ? rgb : UINT32_MAX;
}

static void check_palette_map(void)
{
	struct palette_map m = { 0 };

	write_file("b->rgb(1,2,3)\noperator->->rgb( 4, 5, 6 )\nby hand->#0a0B0c\n"
		   "operator->\nno colour\nred->red\nbig->rgb(1,2,256)\nb->rgb(7,8,9)\n\n");
	CHECK(palette_map_read(&m, path) == 0 && !m.changed);
	CHECK(mapped(&m, "b") == 0x070809);
	CHECK(mapped(&m, "operator->") == 0x040506);
	CHECK(mapped(&m, "by hand") == 0x0a0b0c);
	CHECK(mapped(&m, "operator") == UINT32_MAX && mapped(&m, "red") == UINT32_MAX);
	CHECK(m.names.count == 3);
	CHECK(palette_map_write(&m, "/nonexistent/x") == 0); /* nothing to write */
	palette_map_add(&m, "b", 1, 0x070809);
	CHECK(!m.changed);
	palette_map_add(&m, "a->rgb(1,1,1)", 13, 0x010203);
	CHECK(m.changed && palette_map_write(&m, path) == 0);
	CHECK_TEXT(file_text(), "a->rgb(1,1,1)->rgb(1,2,3)\nb->rgb(7,8,9)\n"
				"by hand->rgb(10,11,12)\noperator->->rgb(4,5,6)\n");
	palette_map_free(&m);
	CHECK(palette_map_read(&m, path) == 0 && mapped(&m, "a->rgb(1,1,1)") == 0x010203);
	palette_map_free(&m);
	CHECK(palette_map_read(&m, "/nonexistent") == 0 && m.names.count == 0);
	CHECK(mapped(&m, "b") == UINT32_MAX);
}

/* ---- rules -------------------------------------------------------------------- */

static uint32_t ruled(const struct colour_rules *r, const char *name)
{
	uint32_t rgb;

	return rules_colour(r, name, strlen(name), 0, &rgb) ? rgb : UINT32_MAX;
}

static void check_rules(void)
{
	struct colour_rules r = { 0 };

	write_file("# comment\n\n_\\[k\\]$\torange\tkernel\nmodule:std\t\t#010203\tRust, tabs\r\n"
		   "^mal\t#040506\nmalloc\t#ffffff\nmodule:native\tsky\n");
	CHECK(rules_read(&r, path) == 0 && r.count == 5);
	CHECK(ruled(&r, "x_[k]") == hue_orange(0));
	CHECK(ruled(&r, "std::io::read") == 0x010203);
	CHECK(ruled(&r, "malloc") == 0x040506); /* the first one counts */
	CHECK(ruled(&r, "my_malloc") == 0xffffff);
	CHECK(ruled(&r, "x") == hue_sky(0));
	CHECK(ruled(&r, "other::x") == UINT32_MAX);
	CHECK_TEXT(r.items[1].label, "Rust, tabs");
	CHECK(!r.items[2].label);
	CHECK(rule_swatch(&r.items[0]) == hue_orange(0.5) && rule_swatch(&r.items[1]) == 0x010203);
	rules_free(&r);
}

/* ---- modules: rows of name, module -------------------------------------------- */

static void check_modules(void)
{
	static const char *const rows[][2] = {
		{ "libc.so.6`malloc", "libc.so.6" },
		{ "a`b`c", "a" },
		{ "`x", "native" },
		{ "[libc.so.6]", "libc.so.6" },
		{ "[nf_conntrack]_[k]", "nf_conntrack" },
		{ "[]", "native" },
		{ "[unknown]", "unknown" },
		{ "vfs_write_[k]", "kernel" },
		{ "liblzma.so.5.4.1+0x8a40", "liblzma.so.5.4.1" },
		{ "liblzma.so.5.4.1+0x8a40_[w]", "liblzma.so.5.4.1" },
		{ "my server+0x1f", "my server" },
		{ "vfs_write+0x1f_[k]", "kernel" },
		{ "+0x1f", "native" },
		{ "lib.so+0x", "lib" },
		{ "lib.so+0x8A", "lib" },
		{ "[lib.so]+0x8a", "native" },
		{ "kernel::sync::lock_[k]", "kernel" },
		{ "com/example/App::run_[j]", "com/example" },
		{ "Lcom/example/App;::run_[0]", "com/example" },
		{ "com.example.App.run", "com.example" },
		{ "com.example.App$$Lambda.run", "com.example" },
		{ "App.run", "native" },
		{ "java.lang.Thread.run_[j]", "java.lang" },
		{ "github.com/x/y.(*T).Do", "github.com/x/y" },
		{ "net/http.(*conn).serve", "net/http" },
		{ "net/http.HandlerFunc.ServeHTTP", "net/http" },
		{ "runtime.mallocgc", "runtime" },
		{ "main.main.func1", "main" },
		{ "foo.part.0", "native" },
		{ "foo.isra.0", "native" },
		{ "foo.constprop.0.cold", "native" },
		{ "foo.cold", "native" },
		{ "foo.llvm.123", "native" },
		{ "std::io::Read", "std" },
		{ "<std::io::Stdin as Read>::x", "std" },
		{ "&str::x", "str" },
		{ "foo::operator/", "foo" },
		{ "foo<a/b>", "native" },
		{ "std::vector<a.b::c>::at", "std" },
		{ "::x", "native" },
		{ "a:b", "native" },
		{ "(anonymous namespace)::x", "native" },
		{ "/usr/lib/x.py:12", "/usr/lib/x" },
		{ "start", "native" },
		{ "Lock", "native" },
		{ "", "native" },
		{ "_[k]", "kernel" },
		{ ".", "native" },
		{ "/", "native" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const char *module;
		size_t len = module_of(rows[i][0], strlen(rows[i][0]), &module);
		char got[64];

		snprintf(got, sizeof(got), "%.*s", (int)len, module);
		printf("# %s\n", rows[i][0]);
		CHECK_TEXT(got, rows[i][1]);
	}
}

/* ---- attributes ---------------------------------------------------------------- */

static void check_attributes(void)
{
	const struct frame_attributes *f;
	struct attributes a = { 0 };
	struct str out = { 0 };

	write_file("malloc\ttitle=\"<here> & \"\"\t\thref=https://x/?a=b&c=d\tid=m\n"
		   "run_[j]\tclass=c\tg_extra=data-x=\"1>2\" opacity='.8' role=img\ta_extra=data-x=3\n"
		   "\nplain\thref=#frag\thref=sub/dir?x=a:b\ttarget=new\n");
	CHECK(attributes_read(&a, path) == 0);
	f = attributes_find(&a, "malloc", 6);
	CHECK(f && !strcmp(f->title, "<here> & \""));
	attributes_add_xml(&out, f);
	CHECK_TEXT(str_text(&out), " id=\"m\"");
	str_clear(&out);
	attributes_add_json(&out, f);
	CHECK_TEXT(str_text(&out), "{\"title\":\"\\u003chere\\u003e \\u0026 \\u0022\",\"href\":"
				   "\"https://x/?a=b\\u0026c=d\",\"target\":\"_top\",\"id\":\"m\"}");
	str_clear(&out);
	f = attributes_find(&a, "run_[j]", 7);
	attributes_add_xml(&out, f);
	CHECK_TEXT(str_text(&out), " class=\"c\" data-x=\"3\" opacity=\".8\" role=\"img\"");
	str_clear(&out);
	attributes_add_json(&out, f);
	CHECK_TEXT(str_text(&out), "{\"class\":\"c\",\"extra\":{\"data-x\":\"3\",\"opacity\":\".8\","
				   "\"role\":\"img\"}}");
	CHECK(!attributes_find(&a, "run", 3) && !attributes_find(&a, "run_[k]", 7));
	CHECK(attributes_find(&a, "malloc_[k]", 10)); /* by its name without annotation */
	CHECK_TEXT(attributes_find(&a, "plain", 5)->href, "sub/dir?x=a:b");
	CHECK(!attributes_find(NULL, "x", 1));
	attributes_free(&a);
	CHECK(!attributes_find(&a, "x", 1));
	str_free(&out);
}

/* ---- stacks and trees ------------------------------------------------------------ */

static const char *cut(const char *base, const char *stack)
{
	static char text[64];
	const char *items[] = { base, "second" };
	struct text_list bases = { items, 2, 2 };
	size_t len = strlen(stack);

	if (!base_cut(&bases, &stack, &len))
		return "none";
	snprintf(text, sizeof(text), "%.*s", (int)len, stack);
	return text;
}

static void check_base(void)
{
	const char *stack = "a;b";
	size_t len = 3;

	CHECK_TEXT(cut("run", "start;run;read"), "run;read");
	CHECK_TEXT(cut("run", "run;read"), "run;read"); /* at the root */
	CHECK_TEXT(cut("run", "start;run"), "run");     /* at the leaf */
	CHECK_TEXT(cut("run", "a;run;run;b"), "run;b"); /* the last one */
	CHECK_TEXT(cut("run", "a;second;b"), "second;b");
	CHECK_TEXT(cut("run", "a;run_[j];b"), "run_[j];b");
	CHECK_TEXT(cut("run", "a;running;b"), "none");
	CHECK_TEXT(cut("run", ""), "none");
	CHECK_TEXT(cut("run", ";run;"), "run;");
	CHECK(base_cut(NULL, &stack, &len) && len == 3);
}

static const char *marked(const char *stack)
{
	static struct str buf;
	static char text[128];
	size_t len = strlen(stack);

	waker_mark(&buf, &stack, &len);
	snprintf(text, sizeof(text), "%.*s", (int)len, stack);
	return text;
}

static void check_wakers(void)
{
	CHECK_TEXT(marked("a;b;--;c_[k];d;--;a"), "a;b;--;c_[k]_[w];d_[w];--;a_[w]");
	CHECK_TEXT(marked("--;e_[w];;f"), "--;e_[w];_[w];f_[w]");
	CHECK_TEXT(marked("a;b"), "a;b");
	CHECK_TEXT(marked("a;--"), "a;--");
	CHECK_TEXT(marked("a;---;b;--x;c"), "a;---;b;--x;c");
	CHECK_TEXT(marked(""), "");
}

static const char *fitted_end(const char *text, int64_t room_px)
{
	static struct str out;
	struct font font = font_make("Verdana", 12);

	str_clear(&out);
	font_fit_end(&out, &font, text, strlen(text), room_px * CPX, 3);
	return str_text(&out);
}

static void check_labels(void)
{
	struct font font = font_make("Verdana", 10);

	CHECK_TEXT(fitted_end("write", 100), "write");
	CHECK_TEXT(fitted_end("write_to_the_end", 60), "..the_end");
	CHECK_TEXT(fitted_end("write_to_the_end", 20), "");
	CHECK_TEXT(fitted_end("w", -5), "");
	CHECK_TEXT(fitted_end("\xe6\x97\xa5\xe6\x9c\xac\xe8\xaa\x9e\xe6\x97\xa5\xe6\x9c\xac", 55),
		   "..\xe8\xaa\x9e\xe6\x97\xa5\xe6\x9c\xac");
	font.fixed_advance = 590;
	CHECK(font_width(&font, "iW\xe6\x97\xa5", 5) == 3 * 590);
}

static bool measures(const char *name)
{
	return measuring_is(name, strlen(name));
}

/* The same names as in model_picture.js. */
static void check_measuring(void)
{
	static const char *const yes[] = { "bpf_prog_61203f4_sched_[k]",
					   "__perf_event_overflow_[k]",
					   "perf_event_output_forward_[k]",
					   "uprobe_notify_resume_[k]",
					   "handle_swbp_[k]",
					   "pyrograph",
					   "pyrograph-4711",
					   "pyrograph-colle-4711/walker",
					   "x86_pmu_enable_[k]",
					   "pyrograph-?/x" };
	static const char *const no[] = {
		"perf",         "bpf",        "perform",      "pyrographer",       "my_uprobe",   "sys_bpf_[k]",
		"perf_counter", "pyrograph-", "pyrograph-x-", "pyrograph-rende-7", "uprobe.x_[k]"
	};

	for (size_t i = 0; i < sizeof(yes) / sizeof(*yes); i++)
		CHECK(measures(yes[i]));
	for (size_t i = 0; i < sizeof(no) / sizeof(*no); i++)
		CHECK(!measures(no[i]));
}

#define CHECK_WAIT(id, frame_name, word)                             \
	for (found = false, k = wait_kinds; k->frame && !found; k++) \
		found = !strcmp(k->frame, frame_name);               \
	CHECK(found);

/* All kinds of waits that lines can have, have a colour. */
static void check_waits(void)
{
	const struct wait_kind *k;
	bool found;

	FOLDED_WAIT_TABLE(CHECK_WAIT)
}

int main(void)
{
	close(mkstemp(path));
	quiet = 1;
	check_palette_map();
	check_rules();
	check_modules();
	check_attributes();
	check_base();
	check_wakers();
	check_labels();
	check_measuring();
	check_waits();
	unlink(path);
	return check_done();
}
