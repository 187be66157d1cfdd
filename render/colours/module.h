/* module: the part of a program that a frame's name belongs to.
 *
 *     libc.so.6`malloc               libc.so.6      1  what is before the first `
 *     [libc.so.6]                    libc.so.6      2  a whole name in brackets
 *     vfs_write_[k]                  kernel         3  annotated as kernel code
 *     liblzma.so.5.4.1+0x8a40        liblzma.so.5.4.1  4  a place in a file, of a function without a name
 *     com/example/App::run_[j]       com/example    5  a path: up to the last '/',
 *     com.example.App.run            com.example       then the parts before a '.' that
 *     github.com/x/y.(*T).Do         github.com/x/y    begin in lower case: all, if an
 *     runtime.mallocgc.func1         runtime           upper-case part follows, else one
 *     <std::io::Stdin as Read>::x    std            6  a name before the first ::
 *     java_start                     native         7  everything else
 *
 * First an annotation (frame.h) is taken off.  5 ignores everything from the first
 * of "::", '(', '<', ' ' or ':' on, takes off an 'L' before "java/" and the like
 * ("Lcom/example/App"), and ignores parts that compilers append (.part.0, .isra.0,
 * .constprop.0, .cold, .lto_priv.0, .llvm.1).  6 takes off a '<' or '&'
 * at the beginning; the name is letters, digits, '_' and '$'. */
#ifndef RENDER_MODULE_H
#define RENDER_MODULE_H

#include <stddef.h>

/* The module of name; *module points into name or to static text and has no NUL
 * at its end.  Returns its length, never 0. */
size_t module_of(const char *name, size_t len, const char **module);

#endif
