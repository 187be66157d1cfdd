/* demangle: C++, Rust (legacy and v0) and D names as in the source, with libiberty.
 *
 *     _ZN3Foo3barEi.cold                     Foo::bar         full: Foo::bar(int) [clone .cold]
 *     _ZN3std2rt5begin17h0123456789abcdefE   std::rt::begin
 *     _D3foo3barFiZv                         foo.bar          full: foo.bar(int)
 *
 * Rust's hashes, disambiguators and LLVM's suffixes are never shown.  Suffixes of C names
 * ("read.part.0") stay: nothing else distinguishes them. */
#ifndef CORE_SYMBOLS_NAMES_DEMANGLE_H
#define CORE_SYMBOLS_NAMES_DEMANGLE_H

#include "core/str.h"

enum demangle_style {
	DEMANGLE_SIMPLE, /* like perf: without parameters, return type and clone suffix */
	DEMANGLE_FULL,   /* with parameters, return type and clone suffix, like c++filt */
	DEMANGLE_NO,     /* as in the symbol table */
};

/* The name as in the source, without a version ("@@GLIBC_2.2.5").  NULL when name is not
 * mangled, or should stay so; else the caller frees it. */
char *demangle(const char *name, enum demangle_style style);

/* Append the readable name of an ELF symbol: demangled, without its version: "free@@GLIBC_2.2.5"
 * is "free"; but "free@plt", the stub through which another file calls it, is a separate function. */
void demangle_symbol(struct str *out, const char *name, enum demangle_style style);

#endif
