# Pyrograph: see README.md; for developers, docs/HACKING.md.
#
#   make          the programs, in build/        make demo   record this machine, draw it
#   make check    install test packages, test    make bench  beside the peers
#   make quick    what tests without waiting     make test T=word  tests whose name has the word
#   make format   C and scripts by fixed rules   make lint   look for defects without running
#   make check-live N=10 [LOAD=1]  what judges live recordings, again and again
#   make install  PREFIX=/usr/local DESTDIR=     make deps   install what the build needs
#   make examples the script of the heat maps in examples/, from render/browser
#   make kernels  try Debian's kernels, under QEMU and without: tests/kernels.sh
#   make dist     what a release consists of, into build/dist: packaging/packaging.mk
#
# Variables: CC=clang, SAN=1 (address and undefined-behaviour sanitizers),
# WERROR=1 (warnings are errors).

VERSION := 0.3.0
PREFIX  ?= /usr/local

# For another processor: CROSS=aarch64-linux-gnu SYSROOT=DIR, whose libraries are in DIR (make arm64).  What is made for
# one processor and common to its builds is in $(MADE).
MADE    := build$(if $(CROSS),/$(CROSS))
BUILD   := $(MADE)$(if $(SAN),/san)$(if $(filter clang%,$(CC)),/clang)
ifdef CROSS
CC      := clang --target=$(CROSS) --sysroot=$(SYSROOT)
LDFLAGS += -fuse-ld=lld
AR      := llvm-ar
OBJCOPY := llvm-objcopy
export PKG_CONFIG_SYSROOT_DIR := $(SYSROOT)
export PKG_CONFIG_LIBDIR := $(SYSROOT)/usr/lib/$(CROSS)/pkgconfig:$(SYSROOT)/usr/share/pkgconfig
endif

# ---- what to install ---------------------------------------------------------

# Packages of Debian 12 and 13: to build; to run the demo; to run the tests (node and npm may be
# there from elsewhere, and then conflict with Debian's).
DEBIAN := $(shell . /etc/os-release 2>/dev/null && echo "$$VERSION_ID")
BUILD_PACKAGES := gcc make pkg-config libc6-dev libbpf-dev libelf-dev libdw-dev libcairo2-dev libfontconfig-dev \
	zlib1g-dev libdeflate-dev libexpat1-dev liblzma-dev libzstd-dev libiberty-dev libpcre2-dev libcurl4-openssl-dev \
	clang bpftool
DEMO_PACKAGES  := $(BUILD_PACKAGES) librsvg2-bin
CHECK_PACKAGES := $(DEMO_PACKAGES) linux-perf libxml2-utils chromium-headless-shell chromium nginx-light poppler-utils python3 strace \
	$(if $(shell command -v node),,nodejs) $(if $(shell command -v npm),,npm) \
	fonts-dejavu-core g++ dwz git procps util-linux libclang-rt-dev perl xz-utils binutils \
	default-jdk-headless $(if $(filter x86_64,$(shell uname -m)),gcc-multilib) \
	curl golang-go protobuf-compiler zstd lld llvm man-db \
	$(if $(filter 12,$(DEBIAN)),openjdk-17-jre-zero clickhouse-server libdebuginfod1,openjdk-21-jre-zero libdebuginfod1t64)

# ---- how to compile ----------------------------------------------------------

WARNINGS := -Wall -Wextra -Wshadow -Wmissing-prototypes -Wstrict-prototypes -Wpointer-arith -Wvla \
	$(if $(WERROR),-Werror)
CFLAGS   ?= $(if $(SAN),-O1,-O2) -g
# A fixed address halves the start of a sanitized program: it saves 1,000 page faults for relocating the names of
# checks.
CFLAGS   += $(if $(SAN),-fsanitize=address$(comma)undefined -fno-sanitize-recover=all -fno-pie -no-pie)
comma    := ,
override CPPFLAGS += -I. -I$(MADE) -D_GNU_SOURCE -DPYROGRAPH_VERSION='"$(VERSION)"'
override CFLAGS   += -std=c11 -fno-omit-frame-pointer $(WARNINGS)

# BPF programs need clang and bpftool.  Without them, or with NO_BPF=1, they are left out of the build, and their
# collectors say so.
BPF_CLANG := $(shell command -v clang || command -v clang-14)
BPFTOOL   := $(shell command -v bpftool || PATH=$$PATH:/usr/sbin command -v bpftool)
NO_BPF    ?= $(if $(and $(BPF_CLANG),$(BPFTOOL)),,1)
override CPPFLAGS += $(if $(NO_BPF),-DNO_BPF)

LIBS_collect  := $(if $(NO_BPF),,-lbpf) -ldw -lelf -lz -ldeflate -llzma -liberty -lpcre2-8 -lpthread
LIBS_collapse := -ldw -lelf -lz -ldeflate -llzma -liberty -lpcre2-8 -lzstd -lexpat -lm -lpthread
LIBS_render   := $(shell pkg-config --libs cairo-ft fontconfig zlib 2>/dev/null || echo -lcairo -lfontconfig -lz) -lpcre2-8 -lm -lpthread
LIBS_web      :=
LIBS_ship     := -lcurl -lpcre2-8

STAGES   := collect collapse render web ship
PROGRAMS := $(BUILD)/pyrograph $(STAGES:%=$(BUILD)/pyrograph-%)

CORE_OBJ     := $(patsubst %.c,$(BUILD)/%.o,$(sort $(wildcard core/*.c core/*/*.c core/*/*/*.c)))
REPORT_OBJ   := $(patsubst %.c,$(BUILD)/%.o,$(sort $(wildcard report/*.c)))
define stage_objects
OBJ_$(1) := $(patsubst %.c,$(BUILD)/%.o,$(sort $(wildcard $(1)/*.c $(1)/*/*.c $(1)/*/*/*.c)))
endef
$(foreach stage,$(STAGES),$(eval $(call stage_objects,$(stage))))

# A collector that consists of BPF has its own folder, which a build without BPF leaves out; bpf.c then prints a
# message.  These are the folders with a file that includes a skeleton and does not mention NO_BPF.
BPF_FOLDERS := $(if $(NO_BPF),$(sort $(dir $(shell grep -L NO_BPF $$(grep -l '^#include "bpf/.*\.skel\.h"' collect/*/*.c)))))
BPF_ONLY := $(if $(NO_BPF),$(BPF_FOLDERS:%=%%) collect/bpf/bpf_% collect/bpf/sched_% collect/spans/span_program% collect/spans/span_budget%)
BPF_ONLY_TESTS := $(if $(NO_BPF),tests/unit/collect_bpf_% $(BPF_FOLDERS:collect/%/=tests/unit/collect_%%))
OBJ_collect := $(filter-out $(BPF_ONLY:%=$(BUILD)/%),$(OBJ_collect))

.PHONY: all deps check-deps demo examples check quick test check-live defects leaves kernels bench bless fuzz format lint install uninstall clean tags
.DELETE_ON_ERROR:
all: $(PROGRAMS)

# V=1 shows the whole commands.
quiet = $(if $(V),,@printf '  %-5s %s\n' $(1) $@;)

$(BUILD)/render/%.o $(BUILD)/tests/unit/render_%: CPPFLAGS += $(shell pkg-config --cflags cairo-ft fontconfig zlib 2>/dev/null)

$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(call quiet,CC)$(CC) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c $< -o $@

# What tells the version.
$(patsubst %,$(BUILD)/%.o,core/opts core/verbs collect/recording/features report/pyrograph): Makefile

# ---- BPF programs ------------------------------------------------------------

# bpf/NAME.bpf.c, or bpf/FOLDER/NAME.bpf.c, becomes build/bpf/NAME.skel.h, which a collector includes as
# "bpf/NAME.skel.h".  bpftool puts the program into it, without debug information, but with the lines of its source; their
# paths begin in the root of the tree, so that the same source gives the same programs wherever it is built.
MACHINE   := $(firstword $(subst -, ,$(or $(CROSS),$(shell uname -m))))
BPF_ARCH  := $(patsubst x86_64,x86,$(patsubst aarch64,arm64,$(MACHINE)))
BPF_NAMES := $(if $(NO_BPF),,$(patsubst %.bpf.c,%,$(sort $(notdir $(wildcard bpf/*.bpf.c bpf/*/*.bpf.c)))))
vpath %.bpf.c bpf $(patsubst %/,%,$(wildcard bpf/*/))

# A uprobe's program may be preempted while another thread runs it on the same CPU.  Since Linux 6.13, a program that
# uses 64 bytes of stack or more (rounded up to a multiple of 16) gets a single stack for each CPU
# (BPF_PRIV_STACK_MIN_SIZE), which both threads would then use.
STACK_MAX   := 48
UPROBES     := $(shell grep -lE '^SEC."[?]?(uprobe|uretprobe|usdt)' bpf/*.bpf.c bpf/*/*.bpf.c)
stack_check  = awk -F'\t' '$$2 + 0 > $(STACK_MAX) { print $$1 ": " $$2 " bytes of stack, in an object with uprobes: $(STACK_MAX) at most"; \
	bad = 1 } END { exit bad }' $(1) >&2

# A skeleton without the list of its includes, from an earlier version of this Makefile, is made anew.
$(MADE)/bpf/%.bpf.d: ;

$(MADE)/bpf/%.o: %.bpf.c $(MADE)/bpf/%.bpf.d
	@mkdir -p $(@D)
	$(call quiet,BPF)$(BPF_CLANG) -g -O2 -target bpf -mcpu=v3 -ffreestanding -fstack-usage -Wall -Wextra -Wno-unused-parameter -Werror \
		-D__TARGET_ARCH_$(BPF_ARCH) -I. $(if $(CROSS),-isystem $(SYSROOT)/usr/include/$(CROSS),-idirafter /usr/include/$(shell $(CC) -print-multiarch 2>/dev/null)) \
		-ffile-prefix-map=$(CURDIR)=. -MMD -MP -MT $@ -c $< -o $@.tmp -MF $(MADE)/bpf/$*.bpf.d
	$(if $(filter $<,$(UPROBES)),@$(call stack_check,$@.su))
	@$(BPFTOOL) gen object $@ $@.tmp && rm $@.tmp

$(MADE)/bpf/%.skel.h: $(MADE)/bpf/%.o
	@$(BPFTOOL) gen skeleton $< name $*_bpf >$@

.SECONDARY: $(BPF_NAMES:%=$(MADE)/bpf/%.o)
$(OBJ_collect): | $(BPF_NAMES:%=$(MADE)/bpf/%.skel.h)

# ---- programs ----------------------------------------------------------------

# The names of this machine's system calls, and of those of its 32-bit programs, from the system's headers.
SYSCALL_ROWS = $(CC) -E -dM -x c - | awk '$$2 ~ /^__NR/ { n[$$2] = $$3 } \
	END { for (i in n) if (i ~ /^__NR_/ && i != "__NR_syscalls") { v = n[i] in n ? n[n[i]] : n[i]; \
	if (v ~ /^[0-9]+$$/) printf "SYSCALL(%d, \"%s\")\n", v, substr(i, 6) } }' | sort -V
$(MADE)/syscalls.inc: Makefile
	@mkdir -p $(@D)
	@echo '#include <asm/unistd.h>' | $(SYSCALL_ROWS) >$@
$(MADE)/syscalls_32.inc: Makefile
	@mkdir -p $(@D)
	@printf '#if __has_include(<asm/unistd_32.h>)\n#include <asm/unistd_32.h>\n#endif\n' | $(SYSCALL_ROWS) >$@
$(BUILD)/collect/syscalls/syscall_names.o: $(MADE)/syscalls.inc $(MADE)/syscalls_32.inc

# Scripts and styles are embedded byte for byte (core/asset.h).
BROWSER_FILES := $(sort $(wildcard render/browser/*/*.js render/browser/*/*.css))
$(MADE)/browser_files.inc: render/browser $(wildcard render/browser/*/)
	@mkdir -p $(@D)
	@for file in $(BROWSER_FILES:render/browser/%=%); do \
		printf 'BROWSER_FILE(%s, "%s")\n' "$$(printf %s "$$file" | tr ./ __)" "$$file"; done >$@
$(BUILD)/render/drawing/page.o build/fuzz/render/drawing/page.o: $(MADE)/browser_files.inc $(BROWSER_FILES)
$(BUILD)/web/assets.o: $(wildcard web/*.js web/*.css)
$(BUILD)/core/symbols/names/runtimes.o build/fuzz/core/symbols/names/runtimes.o: core/symbols/names/runtimes.js

$(BUILD)/libcore.a: $(CORE_OBJ)
	@rm -f $@
	$(call quiet,AR)$(AR) rcsT $@ $^

$(BUILD)/pyrograph: $(REPORT_OBJ) $(BUILD)/libcore.a
	$(call quiet,LD)$(CC) $(CFLAGS) $(LDFLAGS) $^ -o $@ -lm

# A stage without its main, for the tests, as a library: each test links only the files that it needs, in a quarter of
# the time that all files would take.
define stage_program
$(BUILD)/lib$(1).a: $(filter-out %/main.o,$(OBJ_$(1)))
	@rm -f $$@
	$$(call quiet,AR)$$(AR) rcsT $$@ $$^

$(BUILD)/pyrograph-$(1): $(OBJ_$(1)) $(BUILD)/libcore.a
	$$(call quiet,LD)$$(CC) $$(CFLAGS) $$(LDFLAGS) $$^ -o $$@ $(LIBS_$(1)) -lm
endef
$(foreach stage,$(STAGES),$(eval $(call stage_program,$(stage))))

# ---- packages ----------------------------------------------------------------

# Installs only missing packages; needs neither network nor root if none is missing.
install_packages = @missing=$$(for p in $(1); do \
	dpkg-query -W -f '$${Status}' $$p 2>/dev/null | grep -q 'ok installed' || echo $$p; done); \
	if [ -n "$$missing" ]; then echo "installing:" $$missing; \
	as_root=; [ "$$(id -u)" = 0 ] || as_root=sudo; \
	export DEBIAN_FRONTEND=noninteractive; \
	$$as_root apt-get update -qq && \
	$$as_root apt-get install -y -qq --no-install-recommends $$missing; fi

deps:
	$(call install_packages,$(BUILD_PACKAGES))

check-deps:
	$(call install_packages,$(CHECK_PACKAGES))
	@sh tests/npm.sh tests/browser playwright-core
	@sh tests/npm.sh tests/browser axe-core
	@sh tests/npm.sh tests/browser speedscope
	@sh tests/npm.sh tests/browser @firefox-devtools/profiler-cli
	@sh tests/npm.sh tests/browser @paulirish/trace_engine

# The compiler must be installed before the variables above can be used, so the second half of demo and check runs in a
# second make.
at_once = $(if $(findstring -j,$(MAKEFLAGS)),,-j$(shell nproc))
demo: deps
	$(call install_packages,$(DEMO_PACKAGES))
	@$(MAKE) --no-print-directory $(at_once) all $(BUILD)/examples/shop
	@echo 'this machine, and examples/shop.c, a service that stalls'; \
	$(BUILD)/examples/shop 120 & trap 'kill $$!' EXIT INT TERM; \
	$(BUILD)/pyrograph report -a -d 5 -o charts
	@echo "open charts/index.html"

# Heat maps in examples/ share one script.
examples: all
	@$(BUILD)/pyrograph-render script -o examples/heat.js heat

check: check-deps
	@$(MAKE) --no-print-directory $(at_once) build-tests
	$(if $(SAN),@$(MAKE) --no-print-directory $(at_once) fuzz-some)
	@$(MAKE) --no-print-directory run-tests

# ---- tests -------------------------------------------------------------------

# For work on the code: nothing is installed.  T: words in names of test files.
quick: build-tests
	@BUILD=$(BUILD) SAN=$(SAN) CC="$(CC)" QUICK=1 sh tests/run.sh $(T)
test: build-tests
	@BUILD=$(BUILD) SAN=$(SAN) CC="$(CC)" sh tests/run.sh $(T)

# Runs the checks of live recordings N times, with LOAD=1 beside programs that want the machine, too, and prints a table
# of results.
check-live: check-deps
	@$(MAKE) --no-print-directory $(at_once) build-tests
	@BUILD=$(BUILD) CC="$(CC)" LOAD=$(LOAD) sh tests/repeat.sh $(or $(N),10) $(TESTS)

# Plants defects into a copy of this tree, one in each folder of C, and says which check finds each.  T: words in file
# names.
defects: all
	@python3 tests/defects.py $(T)

# Drops features that stand alone, one after the other, from a copy of this tree: does the rest build, and pass its
# tests?
leaves: build-tests
	@python3 tests/leaves.py $(T)

UNIT_TESTS := $(patsubst tests/unit/%.c,$(BUILD)/tests/unit/%,$(filter-out $(BPF_ONLY_TESTS),$(sort $(wildcard tests/unit/*.c))))
WORKLOADS  := $(patsubst tests/workloads/%.c,$(BUILD)/tests/workloads/%,$(sort $(wildcard tests/workloads/*.c)))

# A unit test names the stage that it tests: tests/unit/render_trie.c links with librender.a; tests/unit/str.c with the
# core alone.  Tests are compiled with little optimization, since they need not be fast.
unit_stage = $(filter $(STAGES),$(firstword $(subst _, ,$(notdir $(1)))))
stage_library = $(patsubst %,$(BUILD)/lib%.a,$(1) core)
$(UNIT_TESTS:%=%.o): private override CFLAGS += -O1
define unit_test
$(1): $(1).o $(call stage_library,$(call unit_stage,$(1)))
	$$(call quiet,LD)$$(CC) $$(CFLAGS) $$(LDFLAGS) $$^ -o $$@ $(or $(LIBS_$(call unit_stage,$(1))),$(LIBS_collapse)) -lm
endef
$(foreach test,$(UNIT_TESTS),$(eval $(call unit_test,$(test))))

# A stage that runs many times without being started each time: tests/tap.py.
SERVED := $(patsubst %,$(BUILD)/tests/served/%,collapse render)
$(BUILD)/tests/served/%_main.o: $(BUILD)/%/main.o
	@mkdir -p $(@D)
	@$(or $(OBJCOPY),objcopy) --redefine-sym main=stage_main $< $@
define served_stage
$(BUILD)/tests/served/$(1): $(BUILD)/tests/served/served.o $(BUILD)/tests/served/$(1)_main.o $(call stage_library,$(1))
	$$(call quiet,LD)$$(CC) $$(CFLAGS) $$(LDFLAGS) $$^ -o $$@ $(LIBS_$(1)) -lm
endef
$(foreach served,$(SERVED),$(eval $(call served_stage,$(notdir $(served)))))

# What the tests record: plain programs whose truth is known, never sanitized.
$(BUILD)/tests/workloads/processes: WORKLOAD_LINK := -static# begins thousands of processes a second
$(BUILD)/tests/workloads/%: tests/workloads/%.c
	@mkdir -p $(@D)
	$(call quiet,CC)$(CC) -O1 -g -fno-omit-frame-pointer -fno-optimize-sibling-calls -std=c11 -D_GNU_SOURCE $(LDFLAGS) $< -o $@ $(WORKLOAD_LINK) -lpthread

# The program that make demo records besides the machine, built as a user would build it.
$(BUILD)/examples/%: examples/%.c
	@mkdir -p $(@D)
	$(call quiet,CC)$(CC) -O2 -g -fno-omit-frame-pointer -pthread $< -o $@

# Java programs, for any JVM from 8 on (without javac the tests that need them say so).
JAVA_TESTS := $(if $(shell command -v javac),$(BUILD)/tests/jvm/.done)
$(BUILD)/tests/jvm/.done: $(wildcard tests/jvm/*.java)
	@rm -rf $(@D) && mkdir -p $(@D)
	$(call quiet,JAVAC)javac -nowarn -Xlint:-options --release 8 -encoding UTF-8 -d $(@D) $^ && touch $@

# C programs of the tests of JVMs: they print what our code reads from a JVM.
JVM_READERS := $(patsubst tests/jvm/%.c,$(BUILD)/tests/jvm-readers/%,$(sort $(wildcard tests/jvm/*.c)))
$(BUILD)/tests/jvm-readers/%: tests/jvm/%.c $(call stage_library,collect)
	@mkdir -p $(@D)
	$(call quiet,CC)$(CC) $(CPPFLAGS) $(CFLAGS) $^ -o $@ $(LIBS_collect) -lm

.PHONY: build-tests run-tests
build-tests: all $(UNIT_TESTS) $(SERVED) $(WORKLOADS) $(JAVA_TESTS) $(JVM_READERS) $(if $(NO_BPF),,$(BUILD)/tests/kernels/relocations)
run-tests: build-tests
	@BUILD=$(BUILD) SAN=$(SAN) CC="$(CC)" sh tests/run.sh $(TESTS)

# Other kernels, offline and in guests; not a part of check, because it needs the network, QEMU, and half an hour.
# KERNELS="-p rights 6.1": options and operands of that script.
KERNEL_PACKAGES := $(CHECK_PACKAGES) qemu-system-x86 busybox-static libcap2-bin
kernels:
	$(call install_packages,$(KERNEL_PACKAGES))
	@$(MAKE) --no-print-directory run-kernels

# Checks, without running a kernel, whether it has everything that the BPF programs read.
$(BUILD)/tests/kernels/relocations: tests/kernels/relocations.c tests/kernels/kernel_types.c tests/kernels/kernel_types.h
	@mkdir -p $(@D)
	$(call quiet,CC)$(CC) $(CPPFLAGS) $(CFLAGS) $(filter %.c,$^) -o $@ -lbpf -lelf

.PHONY: run-kernels
run-kernels: all $(WORKLOADS) $(JAVA_TESTS) $(if $(NO_BPF),,$(BUILD)/tests/kernels/relocations)
	@BUILD=$(BUILD) sh tests/kernels.sh $(KERNELS)

# Everything built for arm64, and what can be tried of it by emulators, of programs and of a machine: tests/arm64.sh.  T:
# words in names of test files, or "guest"; KERNELS: as for make kernels.
.PHONY: arm64 build-emulated build-guest
arm64:
	@T="$(T)" KERNELS="$(KERNELS)" sh tests/arm64.sh $(filter lib% zlib%,$(BUILD_PACKAGES))
build-emulated: all $(UNIT_TESTS) $(SERVED)
build-guest: all $(WORKLOADS) $(JAVA_TESTS)

bless: all $(UNIT_TESTS) $(SERVED) $(WORKLOADS)
	@BLESS=1 BUILD=$(BUILD) sh tests/run.sh golden

# Folded lines that are too large for a recording (make_folded.c); the file is kept.
$(BUILD)/bench/make_folded $(BUILD)/bench/heat_lines $(BUILD)/bench/store_samples: $(BUILD)/bench/%: tests/bench/%.c
	@mkdir -p $(@D)
	$(call quiet,CC)$(CC) $(CPPFLAGS) $(CFLAGS) $< -o $@ -lm

$(patsubst %,$(BUILD)/bench/%.folded,big wide million): $(BUILD)/bench/%.folded: $(BUILD)/bench/make_folded
	$< $* >$@

$(BUILD)/bench/hour.folded: $(BUILD)/bench/heat_lines
	$< 1 >$@

# Time of one stack: our walker and libdw's.
$(BUILD)/bench/unwind_speed: tests/bench/unwind_speed.c tests/unit/unwind_own.h $(BUILD)/libcore.a
	@mkdir -p $(@D)
	$(call quiet,CC)$(CC) $(CPPFLAGS) $(CFLAGS) -fomit-frame-pointer $< $(BUILD)/libcore.a -o $@ $(LIBS_collapse)

# Time to read the names of a JVM's threads.
$(BUILD)/bench/names_speed: tests/bench/names_speed.c $(call stage_library,collect)
	@mkdir -p $(@D)
	$(call quiet,CC)$(CC) $(CPPFLAGS) $(CFLAGS) $^ -o $@ $(LIBS_collect) -lm

# Bytes a second that folding takes from parsers of text.
$(BUILD)/bench/text_speed: tests/bench/text_speed.c $(call stage_library,collapse)
	@mkdir -p $(@D)
	$(call quiet,CC)$(CC) $(CPPFLAGS) $(CFLAGS) $^ -o $@ $(LIBS_collapse) -lm

SMALL_BENCHES := $(addprefix $(BUILD)/bench/,malloc_speed touch_pages many_calls read_blocks pingpong creation)
$(SMALL_BENCHES): $(BUILD)/bench/%: tests/bench/%.c
	@mkdir -p $(@D)
	$(call quiet,CC)$(CC) $(CPPFLAGS) $(CFLAGS) $< -o $@

bench: all $(BUILD)/bench/names_speed $(BUILD)/bench/store_samples $(SMALL_BENCHES) $(BUILD)/tests/workloads/queue_depth
	@BUILD=$(BUILD) python3 tests/bench/run.py

# ---- fuzzing -----------------------------------------------------------------

# Coverage-guided, with clang's libFuzzer: `make fuzz` runs each target, tests/fuzz/NAME.c, for TIME
# seconds, `make fuzz-NAME` one.  A target gives: the stage that it is linked with, besides the core; the maximum length
# of inputs; the command that makes the first inputs, in directory $$to.
TIME ?= 60
FUZZ_TARGETS := perfdata text dump folded charts lanes processes heat picture jit unwind module names recorded jvm python
FUZZ_CFLAGS   = $(CPPFLAGS) -O1 -g -std=c11 -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined -MMD -MP

FUZZ_STAGE_perfdata := collapse
FUZZ_BYTES_perfdata := 65536
FUZZ_SEEDS_perfdata  = for t in tests/collapse/golden/*.txt; do \
	python3 tests/collapse/make_recording.py $$to/$$(basename $$t .txt) <$$t; done

FUZZ_STAGE_text := collapse
FUZZ_BYTES_text := 4096
FUZZ_SEEDS_text  = for f in tests/collapse/golden/*.folded tests/golden/*/*.folded; do { printf 0; cat $$f; } >$$to/$$(basename $$f); done; \
	sh tests/fuzz/text_seeds.sh $$to; python3 tests/fuzz/seeds.py text $$to

FUZZ_STAGE_dump := collapse
FUZZ_BYTES_dump := 4096
FUZZ_SEEDS_dump  = cp tests/collapse/golden/*.jstack tests/collapse/golden/*.jcmd $$to

FUZZ_STAGE_folded := render
FUZZ_BYTES_folded := 4096
FUZZ_SEEDS_folded  = for f in tests/golden/flame/*.folded; do { printf 0; cat $$f; } >$$to/$$(basename $$f); done

FUZZ_STAGE_charts := render
FUZZ_BYTES_charts := 8192
FUZZ_SEEDS_charts  = for f in tests/golden/states/*.folded tests/golden/tenancy/*.folded tests/golden/timeline/*.folded; do \
	{ printf 0; cat $$f; } >$$to/$$(basename $$f); done
FUZZ_LINK_charts  := -Wl,--wrap=die_usage

FUZZ_STAGE_lanes := render
FUZZ_BYTES_lanes := 8192
FUZZ_SEEDS_lanes  = for f in tests/golden/lanes/*.folded; do { printf 0; cat $$f; } >$$to/$$(basename $$f); done; \
	{ printf 1; head -c 8000 tests/golden/lanes/made.svg; } >$$to/picture

FUZZ_STAGE_processes := render
FUZZ_BYTES_processes := 8192
FUZZ_SEEDS_processes  = for f in tests/golden/processes/*.folded; do { printf 0; cat $$f; } >$$to/$$(basename $$f); done; \
	{ printf 1; sed '/^<script/,$$d' tests/golden/processes/hostile.svg; } >$$to/picture

FUZZ_STAGE_heat := render
FUZZ_BYTES_heat := 8192
FUZZ_SEEDS_heat  = for f in tests/fuzz/heat/*; do for how in 0 p; do \
		{ printf $$how; cat $$f; } >$$to/$$how-$$(basename $$f); done; done

FUZZ_STAGE_picture := render
FUZZ_BYTES_picture := 65536
FUZZ_SEEDS_picture  = for f in tests/golden/flame/*.svg; do sed '/^<script/,$$d' $$f >$$to/$$(basename $$f); done

FUZZ_BYTES_jit := 4096
FUZZ_SEEDS_jit  = python3 tests/fuzz/seeds.py jit $$to

FUZZ_BYTES_unwind := 512
FUZZ_SEEDS_unwind  = python3 tests/fuzz/seeds.py unwind $$to

FUZZ_BYTES_module := 32768
FUZZ_SEEDS_module  = sh tests/fuzz/modules.sh $$to

FUZZ_BYTES_names := 512
FUZZ_SEEDS_names  = python3 tests/fuzz/seeds.py names $$to; grep -oh '"[^"]\{3,\}"' tests/unit/core_demangle.c | tr -d '"' | \
	while IFS= read -r name; do printf %s "$$name" >$$to/$$(printf %s "$$name" | cksum | cut -d' ' -f1); done

FUZZ_STAGE_recorded := collapse
FUZZ_BYTES_recorded := 4096
FUZZ_SEEDS_recorded  = python3 tests/fuzz/seeds.py recorded $$to

FUZZ_STAGE_jvm := collect/jvm
FUZZ_WITHOUT_jvm := collect/jvm/attach%
FUZZ_WITH_jvm := collect/machine/anchors.c $(wildcard collect/runtime/*.c)
FUZZ_BYTES_jvm := 16416
FUZZ_SEEDS_jvm  = python3 tests/fuzz/seeds.py jvm $$to

FUZZ_STAGE_python := collect/python
FUZZ_WITHOUT_python := $(addprefix collect/python/python_,feed% held% stacks% copies%)
FUZZ_WITH_python := $(wildcard collect/runtime/*.c)
FUZZ_BYTES_python := 8192
FUZZ_SEEDS_python  = python3 tests/fuzz/seeds.py python $$to

build/fuzz/%.o: %.c
	@mkdir -p $(@D)
	$(call quiet,CC)clang $(FUZZ_CFLAGS) -c $< -o $@

build/fuzz/render/%.o build/fuzz/tests/fuzz/%.o: CPPFLAGS += $(shell pkg-config --cflags cairo-ft fontconfig zlib 2>/dev/null)

FUZZ_CORE := $(patsubst %.c,build/fuzz/%.o,$(sort $(wildcard core/*.c core/*/*.c core/*/*/*.c)))

build/fuzz/libcore.a: $(FUZZ_CORE)
	@rm -f $@
	$(call quiet,AR)ar rcs $@ $^

# With RUNS, inputs are the same on every machine.  By default, libFuzzer would take seeds in the order of the
# directory, and choose what to mutate next by counts that threads change.
FUZZ_SEED_LIST = find $(1) -type f | LC_ALL=C sort | paste -sd , | tr -d '\n'
FUZZ_SAME := -seed=1 -use_counters=0 -use_cmp=0 -reload=0

define fuzz_target
.PHONY: fuzz-$(1)
build/fuzz/$(1).bin: build/fuzz/tests/fuzz/$(1).o $(if $(FUZZ_STAGE_$(1)),$(patsubst %.c,build/fuzz/%.o,$(filter-out \
		%/main.c $(FUZZ_WITHOUT_$(1)),$(sort $(FUZZ_WITH_$(1)) $(wildcard $(FUZZ_STAGE_$(1))/*.c $(FUZZ_STAGE_$(1))/*/*.c))))) build/fuzz/libcore.a
	$$(call quiet,LD)clang -fsanitize=fuzzer,address,undefined $(FUZZ_LINK_$(1)) $$^ -o $$@ \
		$(if $(filter render,$(FUZZ_STAGE_$(1))),$$(LIBS_render)) $$(LIBS_collapse)
fuzz-$(1): build/fuzz/$(1).bin
	@mkdir -p build/fuzz/$(1)
	to=build/fuzz/$(1); $$(FUZZ_SEEDS_$(1))
	$$(if $$(RUNS),$$(call FUZZ_SEED_LIST,build/fuzz/$(1)) >build/fuzz/$(1).seeds)
	ASAN_OPTIONS=detect_leaks=0 build/fuzz/$(1).bin -close_fd_mask=2 $$(FUZZ_LIMIT_$(1)) \
		-max_len=$(FUZZ_BYTES_$(1)) -timeout=60 -artifact_prefix=build/fuzz/$(1)- $$(if $$(RUNS),,build/fuzz/$(1))
FUZZ_LIMIT_$(1) = $$(if $$(RUNS),-runs=$$(RUNS) $$(FUZZ_SAME) -seed_inputs=@build/fuzz/$(1).seeds,-max_total_time=$$(TIME))
endef
$(foreach target,$(FUZZ_TARGETS),$(eval $(call fuzz_target,$(target))))
fuzz: $(FUZZ_TARGETS:%=fuzz-%)

# A part of check with SAN=1: a fixed number of executions of each fuzz target of collapse, always with the same inputs.
FUZZ_SOME  := text perfdata dump
.PHONY: fuzz-some
fuzz-some:
	@$(MAKE) --no-print-directory $(FUZZ_SOME:%=build/fuzz/%.bin)
	@rm -rf $(FUZZ_SOME:%=build/fuzz/%)
	@for target in $(FUZZ_SOME); do \
		$(MAKE) --no-print-directory fuzz-$$target RUNS=3000 >build/fuzz/$$target.log 2>&1 || \
			{ tail -30 build/fuzz/$$target.log; exit 1; }; \
		echo "fuzzed: $$target, 3000 executions"; \
	done

# ---- install -----------------------------------------------------------------

MANUALS := $(wildcard report/*.1 $(STAGES:%=%/*.1))

# Quoted for the shell, since DESTDIR may contain blanks.
to = '$(subst ','\'',$(DESTDIR)$(PREFIX))'
COMPLETIONS := bash-completion/completions/pyrograph zsh/site-functions/_pyrograph fish/vendor_completions.d/pyrograph.fish
TO_DIRECTORIES := bin share/man/man1 $(patsubst %/,share/%,$(dir $(COMPLETIONS)))
MADE_DIRECTORIES := $(BUILD)/installed-directories

# Notes which directories install has made, so that uninstall removes only those.
install: all
	@for dir in $(TO_DIRECTORIES); do dir=$$(realpath -m -- $(to)/$$dir); \
		until [ -e "$$dir" ]; do printf '%s\n' "$$dir"; dir=$$(dirname -- "$$dir"); done; \
	done >>$(MADE_DIRECTORIES)
	install -d $(TO_DIRECTORIES:%=$(to)/%)
	install $(PROGRAMS) $(to)/bin
	install -m 644 $(MANUALS) $(to)/share/man/man1
	for file in $(COMPLETIONS); do \
		install -m 644 packaging/completion/$${file##*/} $(to)/share/$$file; done

uninstall:
	if cd $(to)/bin 2>/dev/null; then rm -f $(notdir $(PROGRAMS)); fi
	if cd $(to)/share/man/man1 2>/dev/null; then rm -f $(notdir $(MANUALS)); fi
	if cd $(to)/share 2>/dev/null; then rm -f $(COMPLETIONS); fi
	@for dir in $(TO_DIRECTORIES); do dir=$$(realpath -m -- $(to)/$$dir); \
		while grep -qxFe "$$dir" $(MADE_DIRECTORIES) 2>/dev/null && rmdir -- "$$dir" 2>/dev/null; do \
			grep -vxFe "$$dir" $(MADE_DIRECTORIES) >$(MADE_DIRECTORIES).new; \
			mv $(MADE_DIRECTORIES).new $(MADE_DIRECTORIES); dir=$$(dirname -- "$$dir"); \
		done; \
	done

include packaging/packaging.mk

clean:
	rm -rf build

tags: compile_commands.json
	ctags -R --languages=C .

# ---- for editors, and before a commit ------------------------------------------

C_SOURCES = $(sort $(wildcard $(addsuffix /*.c,core core/* core/*/* report $(STAGES) $(STAGES:%=%/*) tests/unit tests/workloads)))

# How each file is compiled, for clangd, clang-tidy and similar tools.
compile_flags = $(subst ",\",$(filter-out -Werror,$(CPPFLAGS) $(CFLAGS)))
define compile_command
{"directory": "$(CURDIR)", "file": "$(1)", "command": "cc $(compile_flags) -c $(1)"}
endef
compile_commands.json: CPPFLAGS += $(shell pkg-config --cflags cairo-ft fontconfig zlib 2>/dev/null)
compile_commands.json: Makefile $(C_SOURCES)
	$(file >$@,[)
	$(foreach file,$(wordlist 2,9999,$(C_SOURCES)),$(file >>$@,$(call compile_command,$(file))$(comma)))
	$(file >>$@,$(call compile_command,$(firstword $(C_SOURCES))))
	$(file >>$@,])
	@:

format:
	$(call install_packages,clang-format $(NPM))
	@sh tests/npm.sh tests/lint eslint
	@sh tests/npm.sh tests/lint @stylistic/eslint-plugin
	@git ls-files -co --exclude-standard $(patsubst %,'%/*.[ch]',core bpf report $(STAGES) tests/unit tests/fuzz) | xargs -P $(shell nproc) -n 20 clang-format -i
	@sh tests/lint/lint.sh --format

NPM := $(if $(shell command -v npm),,npm)
lint: compile_commands.json $(BPF_NAMES:%=$(MADE)/bpf/%.skel.h)
	$(call install_packages,clang-tidy shellcheck mandoc $(NPM))
	@sh tests/npm.sh tests/lint eslint
	@sh tests/npm.sh tests/lint @stylistic/eslint-plugin
	@sh tests/lint/lint.sh $(T)

# Files of other builds below this one are left out: make would need half a second for a thousand of them.
-include $(shell find $(addprefix $(BUILD)/,core report $(STAGES) tests) build/fuzz -name '*.d' 2>/dev/null) $(BPF_NAMES:%=$(MADE)/bpf/%.bpf.d)
