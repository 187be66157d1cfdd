/* function_name: names of functions as other tools print them.  All formats share one set of rules, which recognize the
 * language by signs in the name.  A name that fits no rule stays as it is printed.
 *
 *     C++, D, C#     std::_Function_handler<void (A&)>::_M_invoke(std::_Any_data const&)    up to "_M_invoke"
 *                    Foo::operator()(int) const, f(int)::{lambda(int)#1}::operator()(int) const, foo(int) [clone .cold],
 *                    decltype(auto) std::invoke<F>(F&&), (anonymous namespace)::f(int): without the last list of arguments
 *     Java           Lcom/example/App;::run, a.A::run->b.B::read, ...                       java_name.h
 *     Rust           _$LT$F$u20$as$u20$T$GT$::f::h8612a2a83552fc2d                          function_name.c
 *     Go             main.(*T).run, main.f.func1                                            whole
 *     V8             LazyCompile:*f /srv/a->b.js:7, RegExp:^(a|b) c, ~f /srv/my app (1)/a.js:7   whole
 *     Python         py::<lambda>:/opt/my app (x86)/run.py                                  whole
 *     Objective-C    -[NSFoo bar:baz:]                                                      whole
 *     Swift          main.f(a: Swift.Int) -> Swift.Int, Foo.bar(a:b:)                       whole
 *     Erlang, .NET, Ruby, PHP, ...                                                          whole */
#ifndef COLLAPSE_PARSE_FUNCTION_NAME_H
#define COLLAPSE_PARSE_FUNCTION_NAME_H

#include <stddef.h>

#include "collapse/parse/span.h"

/* The name within printed text: either part of printed, or text in scratch, which is overwritten.  A name whose
 * brackets do not match stays whole. */
struct text_span function_name_clean(struct text_span printed, struct str *scratch);

/* The length, without its arguments, of a name that has already been demangled, as above. */
size_t function_name_len(const char *name, size_t len);

/* Remove the version of the symbol: "free@@GLIBC_2.2.5", "clock_nanosleep@GLIBC_2.2.5".  class@anonymous and free@plt
 * stay whole. */
struct text_span function_name_without_version(struct text_span name);

/* The length of the name in "name (arguments...", as gdb prints it: a blank precedes the list of arguments. */
size_t function_name_before_list(const char *name, size_t len);

#endif
