/* thread_dump: the names of a JVM's threads, as "jstack PID" and "jcmd PID Thread.print" write them
 * (HotSpot, any version since JDK 6):
 *
 *     8513:                                                            (jcmd: the process)
 *     "dw-20 - GET "x"" #31 [8530] daemon prio=5 os_prio=0 tid=0x00007f.. nid=8530 runnable  [..]
 *        java.lang.Thread.State: RUNNABLE                              (skipped)
 *
 * nid is the thread's number in the JVM's PID namespace, in hex with 0x, decimal since JDK 19.  A
 * name can contain anything, even quotes and newlines; the text after its last quote cannot. */
#ifndef COLLAPSE_PERFDATA_THREAD_DUMP_H
#define COLLAPSE_PERFDATA_THREAD_DUMP_H

#include "collapse/perfdata/comms.h"
#include "collapse/perfdata/runtime_names.h"

/* Read a file given as "FILE" or "PID=FILE" ("-": stdin) into t, for the threads that c knows.  If neither this
 * argument nor the file names the process, the process is the one to which all threads of the dump belong.  Returns 0,
 * or -1 after a message. */
int thread_dump_read(struct runtime_names *t, struct comms *c, const char *given);

#endif
