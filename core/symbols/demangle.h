/* demangle: C++ and Rust (legacy and v0) names as people wrote them, by libiberty. */
#ifndef CORE_SYMBOLS_DEMANGLE_H
#define CORE_SYMBOLS_DEMANGLE_H

/* The name without its parameters: "_ZN3Foo3barEi" -> "Foo::bar".  NULL when
 * name is not mangled; else the caller frees it. */
char *demangle(const char *name);

#endif
