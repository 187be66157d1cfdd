#!/bin/sh
# A recording, as make_recording.py takes it, with more outliers than are shown: long page faults in many functions, and
# many threads that waited for others.
echo "host db1
clock 1000000000 1795342502000000000
topology cpu 0 package 0 core 0 node 0
mmap 0 10 0x1000 0x10000 0 /opt/busy
loss total_samples 1"
for i in 1 2 3 4 5 6 7 8 9; do
	echo "comm 0 10 1$i victim-$i"
	echo "comm 0 10 2$i guilty-$i"
done
echo "comm 0 10 10 busy
span-event sched 1000000"
for i in 1 2 3 4 5 6 7 8 9; do
	echo "span ${i}000000000 ${i}500000000 10 2$i 0 500000000 1 500000000 single state:running"
done
echo "span-event offcpu 1000000"
for i in 1 2 3 4 5 6 7 8 9; do
	echo "span ${i}000000000 ${i}500000000 10 1$i 0 500000000 1 500000000 single u: 0x1$i""10 state:blocked waker:10:2$i u: 0x2$i""10"
done
echo "span-event faults 100000"
for i in 1 2 3 4 5 6 7 8 9; do
	echo "span ${i}600000000 ${i}70000000$i 10 1$i 0 10000000$i 1 10000000$i single u: 0x3$i""10 label:6:0x11 label:7:0 label:8:0x1000 reason:2:10000000$i"
done
echo "file 0 /opt/a
symbol-module elf 8:1:4d /opt/busy"
for i in 1 2 3 4 5 6 7 8 9; do
	echo "symbol 0x$i""10 0x10 pthread_mutex_lock"
	echo "symbol 0x1$i""10 0x10 hold_$i"
	echo "symbol 0x2$i""10 0x10 fault_$i"
done
