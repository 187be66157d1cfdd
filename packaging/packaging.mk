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
