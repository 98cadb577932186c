# SPDX-License-Identifier: GPL-3.0-or-later
# refuse.sh - refusals and answers of "$program", counted in passed and failed;
# what it printed is in "$tmp/out" and "$tmp/err".
passed=0 failed=0

pass() { passed=$((passed + 1)); }
fail() {
    failed=$((failed + 1))
    echo "FAILED: $*" | head -c 300
    echo
    sed 's/^/    stderr: /' "$tmp/err" 2>/dev/null | head -n 5
}

# ask STATUS ARGUMENT... - run the program; false when it ends otherwise.
# Standard input is the file $input, if that is set.
ask() {
    local status=$1 got
    shift
    "$program" "$@" >"$tmp/out" 2>"$tmp/err" <"${input:-/dev/null}"
    got=$?
    [ $got -eq "$status" ] && return
    fail "exit status $got, not $status: plan3d $*"
    return 1
}

# What is on stdout is the document of a failure, which --json asks for.
is_failure() {
    [ "$(sed -n '5s/^ *//p' "$tmp/out")" = '"error": {' ] &&
        grep -q "^    \"exit_status\": $1,$" "$tmp/out" &&
        grep -q '^    "message": ".' "$tmp/out" && tail -n 1 "$tmp/out" | grep -qx '}'
}

# refuse STATUS WORDS ARGUMENT... - the message contains the words; with --json
# stdout has the document of the failure, else nothing.
refuse() {
    local status=$1 words=$2
    shift 2
    ask "$status" "$@" || return
    if [ -s "$tmp/out" ] && ! is_failure $status; then
        fail "something on stdout: plan3d $*"
    elif [ "$(wc -l <"$tmp/err")" -ne 1 ]; then
        fail "not one line on stderr: plan3d $*"
    elif ! grep -q '^plan3d: ' "$tmp/err"; then
        fail "the message does not begin with plan3d: plan3d $*"
    elif ! grep -qF -e "$words" "$tmp/err"; then
        fail "the message does not say '$words': plan3d $*"
    elif LC_ALL=C grep -q '[[:cntrl:]]' "$tmp/err"; then
        fail "control characters in the message: plan3d $*"
    else
        pass
    fi
}

# answer STATUS WORDS ARGUMENT... - stdout contains the words, stderr nothing.
answer() {
    local status=$1 words=$2
    shift 2
    ask "$status" "$@" || return
    if [ -s "$tmp/err" ]; then
        fail "something on stderr: plan3d $*"
    elif ! grep -qF -e "$words" "$tmp/out"; then
        fail "the answer does not say '$words': plan3d $*"
    else
        pass
    fi
}
