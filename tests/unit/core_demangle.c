/* Names: demangling, and the removal of template arguments.  With an argument, simple, full
 * or strip, it is a filter: a name a line (tests/collapse/names.test.sh). */
#include <stdbool.h>
#include <stdlib.h>

#include "core/symbols/names/demangle.h"
#include "core/symbols/names/name_simplify.h"
#include "tests/unit/check.h"

static void test_demangle(void)
{
	static const struct {
		const char *name, *simple, *full; /* full NULL: the same */
	} rows[] = {
		{ "_ZN3Foo3barEi", "Foo::bar", "Foo::bar(int)" },
		{ "_ZN3Foo3barEi@@GLIBC_2.2.5", "Foo::bar", "Foo::bar(int)" },
		{ "_ZN3Foo3barEi.cold", "Foo::bar", "Foo::bar(int) [clone .cold]" },
		{ "_ZN3Foo3barEi.isra.0.part.1", "Foo::bar", "Foo::bar(int) [clone .isra.0] [clone .part.1]" },
		{ "_ZSt4sortIPiEvT_S1_", "std::sort<int*>", "void std::sort<int*>(int*, int*)" },
		{ "_ZN12_GLOBAL__N_13fooEv", "(anonymous namespace)::foo", "(anonymous namespace)::foo()" },
		{ "_ZNK3FooclEv", "Foo::operator()", "Foo::operator()() const" },
		{ "_ZN3FooptEv", "Foo::operator->", "Foo::operator->()" },
		{ "_ZNK3FoocviEv", "Foo::operator int", "Foo::operator int() const" },
		{ "_ZN3FooltIiEEbRKT_", "Foo::operator< <int>", "bool Foo::operator< <int>(int const&)" },
		{ "_ZZN3FooC4EvENKUliE_clEi", "Foo::Foo()::{lambda(int)#1}::operator()",
		  "Foo::Foo()::{lambda(int)#1}::operator()(int) const" },
		{ "_ZTv0_n24_N3FooD1Ev", "virtual thunk to Foo::~Foo()", NULL },
		/* Rust: in legacy names, the hash goes, and escapes are decoded; in v0 names, disambiguators go */
		{ "_ZN4core3fmt9Formatter3pad17h0123456789abcdefE", "core::fmt::Formatter::pad", NULL },
		{ "_ZN1a12Foo$LT$T$GT$3own17hc9cdca35ba507931E.llvm.5313087708838387471", "a::Foo<T>::own", NULL },
		{ "_ZN1a4main28_$u7b$$u7b$closure$u7d$$u7d$17h021050b3cdc99d32E", "a::main::{{closure}}", NULL },
		{ "_ZN4core3fmt9Formatter3pad17h0123456789abcdefE.cold", "core::fmt::Formatter::pad", NULL },
		{ "_RNvC6_123foo3bar", "123foo::bar", NULL },
		{ "_RNvC6_123foo3bar.cold", "123foo::bar", NULL },
		{ "_RINvMs_Cs6xxl1lAjzDf_1aINtB5_3FoolE3ownINtNtCslNYArtu3iFV_5alloc3vec3VechEEB5_",
		  "<a::Foo<i32>>::own::<alloc::vec::Vec<u8>>", NULL },
		{ "_RNvXCs6xxl1lAjzDf_1aINtB2_3FooReENtB2_3Bar3bazB2_", "<a::Foo<&str> as a::Bar>::baz", NULL },
		{ "_RNvYINtNvNtCsjrHSEGnQ3l9_3std2io17default_write_fmt7AdapterNtNtNtNtB9_3sys5stdio4unix6"
		  "StderrENtNtCsgEmfK2I1SDS_4core3fmt5Write10write_charCs6xxl1lAjzDf_1a.llvm.5313087708838387471",
		  "<std::io::default_write_fmt::Adapter<std::sys::stdio::unix::Stderr> as "
		  "core::fmt::Write>::write_char",
		  NULL },
		/* D */
		{ "_D3foo3barFiZi", "foo.bar", "foo.bar(int)" },
		{ "_D3foo3barFiZi.part.0", "foo.bar", "foo.bar(int)" },
		{ "_D8demangle4testMxFNaNbZv", "demangle.test", "demangle.test() const" },
		{ "_D8demangle3fnAFZ3fnBMFZv", "demangle.fnA().fnB", "demangle.fnA().fnB()" },
		{ "_D3foo3Bar6__ctorMFiZC3foo3Bar", "foo.Bar.this", "foo.Bar.this(int)" },
		{ "_D3foo6__initZ", "initializer for foo", NULL },
		{ "_D3std5stdio__T7writelnTAyaZQnFNfQjZv", "std.stdio.writeln!(immutable(char)[]).writeln",
		  "std.stdio.writeln!(immutable(char)[]).writeln(immutable(char)[])" },
		{ "_Dmain", "D main", NULL },
	};
	static const char *const plain[] = {
		"main",
		"_start",
		"_Z",
		"_ZN",
		"_R",
		"_D",
		"_D3foo",
		"_DYNAMIC",
		"__libc_start_main",
		"",
		"_",
		"__",
		"read.part.0",
		"quick_sort.isra.0.cold",
		"main.(*T).Method",
		"main.Map[go.shape.int]",
		"type:.eq.struct { a int }",
		"crypto/tls.(*Conn).Read-fm",
		"com.example.(*\302\267dot).m",
		"Lcom/example/App;::run",
		"Foo::bar(int)",
		"py::main:/tmp/a.py",
		"LazyCompile:*f /a.js:1",
		"@",
		"_Z@",
		"@@GLIBC_2.2.5",
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		char *simple = demangle(rows[i].name, DEMANGLE_SIMPLE), *full = demangle(rows[i].name, DEMANGLE_FULL);

		CHECK_TEXT(simple ? simple : "(none)", rows[i].simple);
		CHECK_TEXT(full ? full : "(none)", rows[i].full ? rows[i].full : rows[i].simple);
		CHECK(!demangle(rows[i].name, DEMANGLE_NO));
		free(simple);
		free(full);
	}
	for (size_t i = 0; i < sizeof(plain) / sizeof(*plain); i++)
		CHECK(!demangle(plain[i], DEMANGLE_SIMPLE) && !demangle(plain[i], DEMANGLE_FULL));
}

static void test_symbol(void)
{
	static const char *const rows[][2] = {
		{ "main", "main" },
		{ "clock_nanosleep@GLIBC_2.2.5", "clock_nanosleep" },
		{ "free@@GLIBC_2.2.5", "free" },
		{ "free@plt", "free@plt" },
		{ "_ZN3Foo3barEi@@FOO_1", "Foo::bar" },
		{ "_ZN3Foo3barEi@plt", "Foo::bar@plt" },
		{ "@", "@" },
		{ "@plt", "@plt" },
		{ "@x@plt", "@x@plt" },
		{ "[binds free of lib@1.so]", "[binds free of lib@1.so]" },
		{ "[binds _ZN3Foo3barEi of libfoo.so]", "[binds Foo::bar of libfoo.so]" },
		{ "[binds ", "[binds " },
		{ "", "" },
	};
	struct str out = { 0 };

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		str_clear(&out);
		demangle_symbol(&out, rows[i][0], DEMANGLE_SIMPLE);
		CHECK_TEXT(str_text(&out), rows[i][1]);
	}
	str_free(&out);
}

static void strip(const char *name, struct str *out)
{
	str_clear(out);
	name_strip_templates(name, strlen(name), out);
}

static void test_strip(void)
{
	static const char *const rows[][2] = {
		{ "std::vector<int>::push_back", "std::vector::push_back" },
		{ "std::vector<int, std::allocator<int> >::push_back(int const&)",
		  "std::vector::push_back(int const&)" },
		{ "void std::sort<int*>(int*, int*) [clone .cold]", "void std::sort(int*, int*) [clone .cold]" },
		{ "f<int>(std::map<int, std::vector<int> >, void (*)(int))", "f(std::map, void (*)(int))" },
		{ "std::_Function_handler<void (int), main::{lambda(int)#1}>::_M_invoke",
		  "std::_Function_handler::_M_invoke" },
		{ "main::{lambda(auto:1)#1}::operator()<int>", "main::{lambda(auto:1)#1}::operator()" },
		{ "decltype (({parm#1}.begin)()) f<int>(std::vector<int>)",
		  "decltype (({parm#1}.begin)()) f(std::vector)" },
		{ "(anonymous namespace)::foo<int>", "(anonymous namespace)::foo" },
		{ "foo[abi:cxx11]<int>", "foo[abi:cxx11]" },
		{ "void (*foo<int>(int))(char)", "void (*foo(int))(char)" },
		{ "Foo<int>::operator std::vector<int>", "Foo::operator std::vector" },
		{ "Foo::operator int", "Foo::operator int" },
		/* operators */
		{ "Foo::operator< <int>", "Foo::operator<" },
		{ "Foo::operator<< <std::vector<int> >", "Foo::operator<<" },
		{ "Foo& Foo::operator<< <int>(int const&)", "Foo& Foo::operator<<(int const&)" },
		{ "operator<<<int>(x)", "operator<<(x)" },
		{ "operator<<int>", "operator<" },
		{ "A<int>::operator<", "A::operator<" },
		{ "A<int>::operator<=", "A::operator<=" },
		{ "A<int>::operator<=>", "A::operator<=>" },
		{ "A<int>::operator>", "A::operator>" },
		{ "A<int>::operator>>", "A::operator>>" },
		{ "A<int>::operator>>=", "A::operator>>=" },
		{ "A<int>::operator->", "A::operator->" },
		{ "A<int>::operator->*", "A::operator->*" },
		{ "A<int>::operator()", "A::operator()" },
		{ "A<int>::operator[]", "A::operator[]" },
		{ "A<int>::operator new[]", "A::operator new[]" },
		{ "A<int>::operator!() const", "A::operator!() const" },
		{ "operator-<int>", "operator-" },
		{ "operator-><int>", "operator->" },
		{ "operator()<int>", "operator()" },
		{ "operator\"\" _s<char, 'a'>", "operator\"\" _s" },
		{ "my_operator<int>", "my_operator" },
		{ "f<&A::operator> >", "f" },
		{ "f<&A::operator->, &A::operator<< >::g", "f::g" },
		/* values as arguments */
		{ "foo<((3)>(2))>", "foo" },
		{ "foo<((3)<(2))>::bar", "foo::bar" },
		{ "foo<((8)>>(2)), ((1)<<(2))>::bar", "foo::bar" },
		{ "foo<(3 < 2)>::bar", "foo::bar" },
		/* Rust */
		{ "<alloc::vec::Vec<T> as core::ops::Drop>::drop", "<alloc::vec::Vec as core::ops::Drop>::drop" },
		{ "<a::Foo<i32>>::own::<alloc::vec::Vec<u8>>", "<a::Foo>::own" },
		{ "std::mem::align_of::<usize, f64>", "std::mem::align_of" },
		{ "foo::bar::<u8>::{closure#0}", "foo::bar::{closure#0}" },
		{ "foo::{impl#0}::bar", "foo::{impl#0}::bar" },
		{ "core::slice::<impl [T]>::len", "core::slice::<impl [T]>::len" },
		{ "core::ptr::drop_in_place<std::rt::lang_start<()>::{{closure}}>", "core::ptr::drop_in_place" },
		{ "a::arr::<3usize, '<'>", "a::arr" },
		{ "<[u8]>::copy_within::<core::ops::range::RangeInclusive<usize>>", "<[u8]>::copy_within" },
		{ "<fn(u8) -> u8 as a::Bar<u8>>::baz", "<fn(u8) -> u8 as a::Bar>::baz" },
		/* D, Go, .NET */
		{ "std.stdio.writeln!(immutable(char)[]).writeln", "std.stdio.writeln.writeln" },
		{ "main.Map[go.shape.int,go.shape.string]", "main.Map" },
		{ "main.(*T[go.shape.int]).Method", "main.(*T).Method" },
		{ "main.Map[...]", "main.Map" },
		{ "main.(*T).Method", "main.(*T).Method" },
		{ "System.Collections.Generic.List`1[System.Int32]::Add(!0)",
		  "System.Collections.Generic.List`1::Add(!0)" },
		/* no lists */
		{ "java/lang/String::<init>", "java/lang/String::<init>" },
		{ "java/lang/String::<clinit>", "java/lang/String::<clinit>" },
		{ "py::<module>:/tmp/x.py", "py::<module>:/tmp/x.py" },
		{ "py::f.<locals>.<lambda>:/tmp/x.py", "py::f.<locals>.<lambda>:/tmp/x.py" },
		{ "LazyCompile:*<anonymous> /x.js:1", "LazyCompile:*<anonymous> /x.js:1" },
		{ "Program::<Main>b__0(int32)", "Program::<Main>b__0(int32)" },
		{ "f(int[4], char[])", "f(int[4], char[])" },
		{ "a->b", "a->b" },
		{ "[libc.so.6]", "[libc.so.6]" },
		/* halves */
		{ "foo<int", "foo<int" },
		{ "foo>", "foo>" },
		{ "foo<(a>)::bar", "foo<(a>)::bar" },
		{ "f(<)>", "f(<)>" },
		{ "a < b", "a < b" },
		{ "<", "<" },
		{ "{r!()<>}", "{r}" }, /* the remaining text has a list that was not a list before */
		{ "", "" },
	};
	struct str got = { 0 };

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		strip(rows[i][0], &got);
		CHECK_TEXT(str_text(&got), rows[i][1]);
	}
	str_clear(&got);
	str_puts(&got, "kept<int>");
	name_strip_templates("<int>a<int>", 11, &got);
	CHECK_TEXT(str_text(&got), "kept<int><int>a");
	str_free(&got);
}

/* Round, square and curly brackets only: the meaning of angle brackets is known only to a parser. */
static bool is_balanced(const char *text)
{
	static const char brackets[] = "()[]{}";
	char open[4096];
	size_t depth = 0;

	for (; *text; text++) {
		const char *b = strchr(brackets, *text);

		if (!b)
			continue;
		if ((b - brackets) % 2 == 0)
			open[depth++] = *text;
		else if (!depth-- || open[depth] != b[-1])
			return false;
	}
	return !depth;
}

static uint32_t next_random(uint32_t *state)
{
	*state = *state * 1664525 + 1013904223;
	return *state >> 16;
}

/* For any text, the result is not empty, a second run changes nothing, and balanced text stays balanced. */
static void test_properties(void)
{
	static const char *const tokens[] = {
		"<",        ">",  "(", ")", "[",      "]",  "{",     "}",    "::",    " ",   "a",
		"operator", "->", "!", "'", "=",      "1",  "<int>", "abi:", "impl ", "<<",  ">>",
		"-",        ".",  "`", "b", "<init>", "\"", ",",     "\377", "(int)", "[x]",
	};
	struct str name = { 0 }, once = { 0 }, twice = { 0 };
	size_t empty = 0, changed = 0, cut = 0, different = 0;
	uint32_t state = 1;

	for (int i = 0; i < 300000; i++) {
		str_clear(&name);
		for (uint32_t n = 1 + next_random(&state) % 14; n; n--)
			str_puts(&name, tokens[next_random(&state) % (sizeof(tokens) / sizeof(*tokens))]);
		strip(name.buf, &once);
		strip(str_text(&once), &twice);
		empty += !once.len;
		different += once.len != name.len;
		changed += strcmp(str_text(&once), str_text(&twice)) != 0;
		cut += is_balanced(name.buf) && !is_balanced(str_text(&once));
	}
	CHECK(!empty && !changed && !cut && different > 1000);
	str_free(&name);
	str_free(&once);
	str_free(&twice);
}

/* Long names, deep ones, and bytes that are no text. */
static void test_hostile(void)
{
	static const char *const pieces[] = {
		"<",   "a<",   "(", "operator<", "::<", "a[", "St",  "N",
		"_ZN", "\377", "P", "'<'",       "1a",  "S_", "a!(", "T_I",
	};
	static const char *const heads[] = { "", "_Z", "_ZN", "_RNv", "_RI", "_D", "_D1a", "_D1aF" };
	struct str name = { 0 }, out = { 0 };
	size_t done = 0;

	for (size_t p = 0; p < sizeof(pieces) / sizeof(*pieces); p++) {
		for (size_t h = 0; h < sizeof(heads) / sizeof(*heads); h++) {
			str_clear(&name);
			str_puts(&name, heads[h]);
			while (name.len < 70000)
				str_puts(&name, pieces[p]);
			for (size_t len = 70000; len > 60000; len -= 9000) { /* above the limit, and below */
				char *text;

				name.buf[len] = '\0';
				strip(name.buf, &out);
				text = demangle(name.buf, DEMANGLE_FULL);
				free(text);
				text = demangle(name.buf, DEMANGLE_SIMPLE);
				free(text);
				done += out.len == len;
			}
		}
	}
	CHECK(done == 2 * sizeof(pieces) / sizeof(*pieces) * (sizeof(heads) / sizeof(*heads)));
	str_clear(&name); /* 20,000 lists, one in the other */
	for (int i = 0; i < 20000; i++)
		str_puts(&name, "a<");
	for (int i = 0; i < 20000; i++)
		str_addc(&name, '>');
	strip(name.buf, &out);
	CHECK_TEXT(str_text(&out), "a");
	str_free(&name);
	str_free(&out);
}

/* A pair of two copies of the previous type, 20 times and more: a megabyte of text, or more than fits into memory. */
static void test_bombs(void)
{
	static const char *const bombs[] = {
		"_Z1f1AIiiES_IS0_S0_ES_IS1_S1_ES_IS2_S2_ES_IS3_S3_ES_IS4_S4_ES_IS5_S5_ES_IS6_S6_ES_IS7_S7_ES_IS8_S8_E"
		"S_IS9_S9_ES_ISA_SA_ES_ISB_SB_ES_ISC_SC_ES_ISD_SD_ES_ISE_SE_ES_ISF_SF_ES_ISG_SG_ES_ISH_SH_ES_ISI_SI_E"
		"S_ISJ_SJ_ES_ISK_SK_ES_ISL_SL_ES_ISM_SM_ES_ISN_SN_ES_ISO_SO_ES_ISP_SP_ES_ISQ_SQ_ES_ISR_SR_E",
		"_RIC1aTuuETB3_B3_ETB7_B7_ETBf_Bf_ETBn_Bn_ETBv_Bv_ETBD_BD_ETBL_BL_ETBT_BT_ETB11_B11_ETB19_B19_ETB1j_B"
		"1j_ETB1t_B1t_ETB1D_B1D_ETB1N_B1N_ETB1X_B1X_ETB27_B27_ETB2h_B2h_ETB2r_B2r_ETB2B_B2B_ETB2L_B2L_EE",
	};
	struct str name = { 0 };
	char *text;

	for (size_t i = 0; i < sizeof(bombs) / sizeof(*bombs); i++) {
		text = demangle(bombs[i], DEMANGLE_FULL);
		CHECK(!text);
		free(text);
	}
	str_puts(&name, "_ZN"); /* more letters than libiberty accepts without an option */
	for (int i = 0; i < 300; i++)
		str_puts(&name, "4name");
	str_puts(&name, "Ev");
	text = demangle(name.buf, DEMANGLE_FULL);
	CHECK(text && strlen(text) == 300 * 6 && !strcmp(text + 299 * 6, "name()"));
	free(text);
	str_free(&name);
}

/* "_RB_" is "what begins where I begin". */
static void test_self_reference(void)
{
	static const char *const names[] = {
		"_RB_",         "_RNvB_1a",   "_RIC0RB2_E",    "_RIC0KB3_E",     "_RIC0DB3_EL_E",
		"_RIC0TB3_EE",  "_RIC0SB3_E", "_RIC0AB3_j0_E", "_RIC0FKCB3_EuE", "_RIB_B_E",
		"_RNvNvB_1a1b", "__RB_",      "_RB_.llvm.1",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		char *simple = demangle(names[i], DEMANGLE_SIMPLE), *full = demangle(names[i], DEMANGLE_FULL);

		CHECK(!simple && !full);
		free(simple);
		free(full);
	}
}

/* Each level contains the previous one twice: the number of steps, or the length of the text, is 2^levels. */
static void add_conversions(struct str *name, int levels)
{
	str_puts(name, "_ZN1AcvT_I");
	for (int i = 0; i < levels; i++)
		str_puts(name, "L_ZN1AcvT_I");
	str_puts(name, "i");
	for (int i = 0; i < levels; i++)
		str_puts(name, "EEvE");
	str_puts(name, "EEv");
}

static void add_packs(struct str *name, int levels)
{
	str_puts(name, "_ZN1AIDp");
	for (int i = 0; i < levels; i++)
		str_puts(name, "S_I");
	str_puts(name, "S_IiiE");
	for (int i = 0; i < levels; i++)
		str_addf(name, "S%c_E", "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[i]);
	str_puts(name, "E1gEv");
}

static void add_d_types(struct str *name, int levels)
{
	str_puts(name, "_D1aFHiiHQeQg");
	for (int i = 1; i < levels; i++)
		str_puts(name, "HQgQi");
	str_puts(name, "Zv");
}

static void test_made_bombs(void)
{
	static const struct {
		void (*add)(struct str *name, int levels);
		int few, many;
	} rows[] = {
		{ add_conversions, 3, 60 },
		{ add_packs, 10, 36 },
		{ add_d_types, 5, 60 },
	};
	struct str name = { 0 };

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		for (int many = 0; many < 2; many++) {
			char *simple, *full;

			str_clear(&name);
			rows[i].add(&name, many ? rows[i].many : rows[i].few);
			simple = demangle(name.buf, DEMANGLE_SIMPLE);
			full = demangle(name.buf, DEMANGLE_FULL);
			CHECK((!simple) == many && (!full) == many);
			free(simple);
			free(full);
		}
	}
	str_free(&name);
}

static int filter(const char *how)
{
	static char line[1 << 20];
	struct str out = { 0 };

	while (fgets(line, sizeof(line), stdin)) {
		char *text;

		line[strcspn(line, "\n")] = '\0';
		if (!strcmp(how, "strip")) {
			strip(line, &out);
			puts(str_text(&out));
			continue;
		}
		text = demangle(line, strcmp(how, "full") ? DEMANGLE_SIMPLE : DEMANGLE_FULL);
		puts(text ? text : line);
		free(text);
	}
	str_free(&out);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc > 1)
		return filter(argv[1]);
	test_demangle();
	test_symbol();
	test_strip();
	test_properties();
	test_hostile();
	test_bombs();
	test_self_reference();
	test_made_bombs();
	return check_done();
}
