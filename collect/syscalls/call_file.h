/* call_file: what is behind a descriptor, in words. */
#ifndef COLLECT_SYSCALLS_CALL_FILE_H
#define COLLECT_SYSCALLS_CALL_FILE_H

#include "bpf/path.h"
#include "core/str.h"

/* Append one of these, or nothing if it is unknown:
 *
 *     /var/log/app.log                          as its process sees it; ".../" before a path that is too long
 *     pipe:[4711]
 *     anon_inode:[eventpoll]
 *     tcp 127.0.0.1:5000->127.0.0.1:40312       udp, and [::1]:5000, likewise; without a peer: udp 0.0.0.0:5000
 *     unix /run/app.sock                        unix @abstract, unix:[4711] */
void call_file_add(struct str *out, const struct path_record *file);

#endif
