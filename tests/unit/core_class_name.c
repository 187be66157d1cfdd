/* core/symbols/names/class_name.c */
#include "core/symbols/names/class_name.h"

#include <stdlib.h>

#include "tests/unit/check.h"

static const struct {
	const char *jvm, *source;
} names[] = {
	{ "java/lang/String", "java.lang.String" },
	{ "App", "App" },
	{ "com/example/Outer$Inner", "com.example.Outer$Inner" },
	{ "[B", "byte[]" },
	{ "[[C", "char[][]" },
	{ "[D", "double[]" },
	{ "[F", "float[]" },
	{ "[I", "int[]" },
	{ "[J", "long[]" },
	{ "[S", "short[]" },
	{ "[[[Z", "boolean[][][]" },
	{ "[Ljava/lang/String;", "java.lang.String[]" },
	{ "[[Lcom/example/App;", "com.example.App[][]" },
	/* hidden classes since JDK 15, as Symbols, and as the JVM prints them */
	{ "App$$Lambda$14+0x00007f5e8c000a18", "App$$Lambda" },
	{ "App$$Lambda$14/0x00007f5e8c000a18", "App$$Lambda" },
	{ "App$$Lambda.0x00007f5e8c000a18", "App$$Lambda" },
	{ "App$$Lambda/0x00007F5E8C000A18", "App$$Lambda" },
	{ "com/example/App$$Lambda+0x1", "com.example.App$$Lambda" },
	{ "[Lcom/example/App$$Lambda+0x1;", "com.example.App$$Lambda[]" },
	/* anonymous classes before */
	{ "App$$Lambda$14/1234567", "App$$Lambda" },
	{ "App$$Lambda$14", "App$$Lambda" },
	{ "App$$Lambda", "App$$Lambda" },
	{ "java/lang/invoke/LambdaForm$MH/0x00007f5e8c000a18", "java.lang.invoke.LambdaForm$MH" },
	{ "java/lang/invoke/LambdaForm$DMH+0x00007f5e8c000a18", "java.lang.invoke.LambdaForm$DMH" },
	{ "java/lang/invoke/LambdaForm$MH012", "java.lang.invoke.LambdaForm$MH" },
	{ "java/lang/invoke/BoundMethodHandle$Species_LLI", "java.lang.invoke.BoundMethodHandle$Species_LLI" },
	{ "jdk/internal/reflect/GeneratedMethodAccessor12", "jdk.internal.reflect.GeneratedMethodAccessor" },
	{ "sun/reflect/GeneratedConstructorAccessor7", "sun.reflect.GeneratedConstructorAccessor" },
	{ "$Proxy12", "$Proxy" },
	{ "com/sun/proxy/$Proxy3", "com.sun.proxy.$Proxy" },
	{ "jdk/proxy2/$Proxy12", "jdk.proxy.$Proxy" },
	/* which only look like these */
	{ "com/example/Sha256", "com.example.Sha256" },
	{ "com/example/App$1", "com.example.App$1" },
	{ "com/example/App$12$3", "com.example.App$12$3" },
	{ "com/example/My$Proxy12", "com.example.My$Proxy12" },
	{ "jdk/proxy2/Other", "jdk.proxy2.Other" },
	{ "com/example/x10", "com.example.x10" },
	{ "a/deadbeef", "a.deadbeef" },
	{ "com/example/MyLambdaForm$MH12", "com.example.MyLambdaForm$MH12" },
	{ "com/example/C0xff", "com.example.C0xff" },
	{ "12", "12" },
	{ "/12", ".12" },
	{ "0x12", "0x12" },
	/* modified UTF-8 */
	{ "\303\234ber/\346\227\245\346\234\254", "\303\234ber.\346\227\245\346\234\254" },
	{ "\355\240\265\355\260\200x", "\360\235\220\200x" },
	{ "a\300\200b", "a\357\277\275b" },
	{ "\355\240\265", "\357\277\275" },
	{ "\355\260\200", "\357\277\275" },
	{ "\355\240\265\355\240\265\355\260\200", "\357\277\275\360\235\220\200" },
	{ "a\377b\303", "a\357\277\275b\357\277\275" },
	{ "\360\235\220\200", "\357\277\275\357\277\275\357\277\275\357\277\275" },
	/* no names at all */
	{ "", "" },
	{ "[", "[" },
	{ "[X", "[X" },
	{ "[[", "[[" },
	{ "[L;", "[L;" },
	{ "[Lx", "[Lx" },
	{ "[II", "[II" },
	{ "+0x12", "+0x12" },
};

/* Names in perf maps; NULL: it is not a name from a JVM. */
static const struct {
	const char *map, *name;
} maps[] = {
	{ "long Svc.spin(long)", "Svc.spin" },
	{ "void com.example.App.<init>(java.lang.String, int[])", "com.example.App.<init>" },
	{ "java.lang.Object[] App$$Lambda$14/0x00007f5e8c000a18.run()", "App$$Lambda.run" },
	{ "int jdk.proxy2.$Proxy12.hashCode()", "jdk.proxy.$Proxy.hashCode" },
	{ "Interpreter", NULL },
	{ "StubRoutines::call_stub", NULL },
	{ "void run(int)", NULL },
	{ "void foo::bar.x (int)", NULL },
	{ "void .x()", NULL },
	{ "void App.()", NULL },
	{ "void App.x(", NULL },
	{ " App.x()", NULL },
	{ "App.x()", NULL },
	{ "f(int a.b)", NULL },
	{ "py::f:/a b.c(d)", NULL },
	{ "LazyCompile:*f /a.js(1)", NULL },
	{ ")", NULL },
	{ "", NULL },
};

static void check_map(const char *map, const char *name)
{
	size_t len = strlen(map);
	char *bytes = malloc(len ? len : 1);
	struct str out = { 0 };

	memcpy(bytes, map, len);
	CHECK(java_perfmap_name(&out, bytes, len) == (name != NULL));
	if (name)
		CHECK_TEXT(out.buf, name);
	else
		CHECK(!out.len);
	str_free(&out);
	free(bytes);
}

/* Nothing beyond the name is read: each name is copied to the end of memory of its own. */
static char *spell(const char *name, size_t len)
{
	char *bytes = malloc(len ? len : 1);
	struct str out = { 0 };

	memcpy(bytes, name, len);
	java_class_name(&out, bytes, len);
	free(bytes);
	str_addc(&out, '\0');
	return out.buf;
}

int main(void)
{
	struct str out = { 0 };
	char *got, many[300];

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		got = spell(names[i].jvm, strlen(names[i].jvm));
		CHECK_TEXT(got, names[i].source);
		free(got);
	}
	for (size_t i = 0; i < sizeof(maps) / sizeof(*maps); i++)
		check_map(maps[i].map, maps[i].name);
	memset(many, '[', sizeof(many)); /* 255 dimensions are the most */
	many[255] = 'I';
	got = spell(many, 256);
	CHECK(!strncmp(got, "int[][]", 7) && strlen(got) == 3 + 2 * 255);
	free(got);
	for (int a = 0; a < 256; a++) {
		for (int b = 0; b < 256; b++)
			free(spell((char[]){ (char)a, '/', (char)b, (char)(a ^ b) }, 4));
	}
	CHECK(java_utf8_add(&out, "a\355\240\265\355\260\200\303\274", 9));
	CHECK_TEXT(out.buf, "a\360\235\220\200\303\274");
	CHECK(!java_utf8_add(&out, "a\0b", 3));
	CHECK(!java_utf8_add(&out, "\303", 1));
	CHECK(!java_utf8_add(&out, "\200", 1));
	str_free(&out);
	return check_done();
}
