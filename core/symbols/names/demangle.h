/* demangle: C++, Rust (legacy and v0) and D names as people wrote them, by libiberty.
 *
 *     _ZN3Foo3barEi.cold                     Foo::bar         full: Foo::bar(int) [clone .cold]
 *     _ZN3std2rt5begin17h0123456789abcdefE   std::rt::begin
 *     _D3foo3barFiZv                         foo.bar          full: foo.bar(int)
 *
 * Rust's hashes, disambiguators and the suffixes that LLVM appends are never shown.  What
 * compilers append to names of C ("read.part.0") stays: there is nothing else to tell them by. */
#ifndef CORE_SYMBOLS_NAMES_DEMANGLE_H
#define CORE_SYMBOLS_NAMES_DEMANGLE_H

#include "core/str.h"

enum demangle_style {
	DEMANGLE_SIMPLE, /* as perf does: without parameters, return type, and which clone it is */
	DEMANGLE_FULL,   /* with them, as c++filt does */
	DEMANGLE_NO,     /* as in the symbol table */
};

/* The name as people wrote it; a version ("@@GLIBC_2.2.5") is no part of that.  NULL when
 * name is not mangled, or is to stay so; else the caller frees it. */
char *demangle(const char *name, enum demangle_style style);

/* Append what people call a symbol of an ELF file: demangled, without its version: "free@@GLIBC_2.2.5"
 * is "free"; but "free@plt", the stub by which another file calls it, is a function of its own. */
void demangle_symbol(struct str *out, const char *name, enum demangle_style style);

#endif
