/* name_simplify: shortens demangled names.
 *
 *     std::vector<int, std::allocator<int> >::push_back   std::vector::push_back
 *     Foo::operator< <int>                                Foo::operator<
 *     std::mem::align_of::<usize, f64>                    std::mem::align_of
 *     <alloc::vec::Vec<T> as core::ops::Drop>::drop       <alloc::vec::Vec as core::ops::Drop>::drop
 *     std.stdio.writeln!(string).writeln                  std.stdio.writeln.writeln
 *     main.Map[go.shape.int]                              main.Map
 *
 * Other brackets stay, with their content apart from such lists:
 * operator(), (anonymous namespace), {lambda(int)#1}, Java's <init>, Rust's <T as Trait>,
 * [abi:cxx11].  A name is never cut in half: one whose brackets do not match stays as it is. */
#ifndef CORE_SYMBOLS_NAMES_NAME_SIMPLIFY_H
#define CORE_SYMBOLS_NAMES_NAME_SIMPLIFY_H

#include <stddef.h>

#include "core/str.h"

/* Append name[0..len), any bytes, without its lists of template (generic) arguments.  Time and
 * memory are bounded by len.  Repeating it changes nothing. */
void name_strip_templates(const char *name, size_t len, struct str *out);

#endif
