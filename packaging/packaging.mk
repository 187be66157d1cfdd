# packaging.mk: what a release consists of, into build/dist.  A part of the Makefile, which has the version.

DIST := $(BUILD)/dist

.PHONY: dist
# The source of the last commit, and SHA256SUMS of all that is in that directory.
dist:
	@sh packaging/dist.sh $(VERSION) $(DIST)

# Debian packages of that tarball: pyrograph, and pyrograph-collect for servers.
.PHONY: deb
DEB_PACKAGES := $(BUILD_PACKAGES) debhelper dpkg-dev fakeroot lintian git xz-utils
deb:
	$(call install_packages,$(DEB_PACKAGES))
	@$(MAKE) --no-print-directory dist
	@sh packaging/deb.sh $(VERSION) $(DIST)
	@sh packaging/checksums.sh $(DIST)
	@ls $(DIST)/*.deb

# Programs that need no library of the machine where they run: for other distributions, containers and rescue systems.
STATIC_NAME := pyrograph-$(VERSION)-linux-$(shell $(CC) -dumpmachine 2>/dev/null | cut -d- -f1)
STATIC := $(BUILD)/static/$(STATIC_NAME)
STATIC_PACKAGES := $(BUILD_PACKAGES) libssl-dev libbz2-dev libbrotli-dev libglib2.0-dev libpng-dev git xz-utils

STATIC_LIBS_pyrograph :=
STATIC_LIBS_collect  = $(LIBS_collect) $(STATIC_LIBDW)
STATIC_LIBS_collapse = $(LIBS_collapse) $(STATIC_LIBDW)
STATIC_LIBS_render   = $(shell pkg-config --static --libs cairo-ft fontconfig zlib) $(LIBS_render)
STATIC_LIBS_web     := $(LIBS_web)
STATIC_LIBS_ship     = $(LIBS_ship) -lssl -lcrypto -lz -lzstd -lbrotlidec -lbrotlicommon
STATIC_LIBDW        := -lelf -lbz2 -lzstd -lz

$(BUILD)/static/%.o: packaging/static/%.c
	@mkdir -p $(@D)
	$(call quiet,CC)$(CC) $(CPPFLAGS) $(CFLAGS) -c $< -o $@

# The linker warns of what static programs cannot do without glibc's files: packaging/static/alone.c says what they do instead.
static_link = $(CC) $(CFLAGS) $(LDFLAGS) -static -Wl,--wrap=dlopen,--wrap=dlerror,--wrap=getpwuid $(1) \
	-Wl,--start-group $(STATIC_LIBS_$(2)) -lm -Wl,--end-group
define static_program
$(STATIC)/bin/$(patsubst pyrograph-pyrograph,pyrograph,pyrograph-$(1)): $(2) $(BUILD)/libcore.a $(BUILD)/static/alone.o
	@mkdir -p $$(@D)
	$$(call quiet,LD)sh packaging/static/link.sh $$@ $$(call static_link,$$^,$(1))
endef
$(foreach stage,$(STAGES),$(eval $(call static_program,$(stage),$(OBJ_$(stage)))))
$(eval $(call static_program,pyrograph,$(REPORT_OBJ)))

.PHONY: static static-dist
static: $(STATIC)/bin/pyrograph $(STAGES:%=$(STATIC)/bin/pyrograph-%)

static-dist:
	$(call install_packages,$(STATIC_PACKAGES))
	@$(MAKE) --no-print-directory static
	@sh packaging/static/dist.sh $(STATIC) $(DIST)

# What the programs are made of: SPDX 2.3, with the versions of this machine.
.PHONY: sbom
sbom:
	@mkdir -p $(DIST)
	@python3 packaging/sbom.py $(VERSION) $(BUILD_PACKAGES) >$(DIST)/pyrograph-$(VERSION).spdx.json
	@sh packaging/checksums.sh $(DIST)
	@ls $(DIST)/pyrograph-$(VERSION).spdx.json
