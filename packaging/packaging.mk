# packaging.mk: what a release consists of, into build/dist.  A part of the Makefile, which has the version.

DIST := $(BUILD)/dist

.PHONY: dist
# The source of the last commit, and SHA256SUMS of all that is in that directory.
dist:
	@sh packaging/dist.sh $(VERSION) $(DIST)
