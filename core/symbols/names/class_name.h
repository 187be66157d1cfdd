/* class_name: names of classes and methods, from the JVM's spelling to that of the source. */
#ifndef CORE_SYMBOLS_NAMES_CLASS_NAME_H
#define CORE_SYMBOLS_NAMES_CLASS_NAME_H

#include <stdbool.h>
#include <stddef.h>

#include "core/str.h"

/* Append the name of the class that the JVM calls name[0..len) (The Java Virtual Machine Specification,
 * 4.2.1, 4.3.2: "java/lang/String", "[Ljava/lang/String;", "[[B"): "java.lang.String",
 * "java.lang.String[]", "byte[][]".  The parts of hidden classes, lambdas and proxies that differ in
 * each run are dropped:
 *
 *     App$$Lambda$14+0x00007f5e8c000a18      App$$Lambda
 *     java/lang/invoke/LambdaForm$MH/0x1234  java.lang.invoke.LambdaForm$MH
 *     jdk/internal/reflect/GeneratedMethodAccessor12  jdk.internal.reflect.GeneratedMethodAccessor
 *     jdk/proxy2/$Proxy12                    jdk.proxy.$Proxy
 *
 * Modified UTF-8 (4.4.7) becomes UTF-8.  Any bytes are accepted. */
void java_class_name(struct str *out, const char *name, size_t len);

/* Append the name of a method from a JVM's perf map (Compiler.perfmap, DumpPerfMapAtExit), as above:
 * "long App$$Lambda$14/0x00007f5e8c000a18.run(int, byte[])": "App$$Lambda.run".  Returns whether text[0..len)
 * is one. */
bool java_perfmap_name(struct str *out, const char *text, size_t len);

/* Append modified UTF-8 as UTF-8, with U+FFFD for invalid bytes and for NUL.  Returns whether everything
 * was valid. */
bool java_utf8_add(struct str *out, const char *text, size_t len);

#endif
