# Expectations for the tests of commands. To be sourced; `failed` is 1 if an expectation does not hold.
failed=0

# A command that fails unexpectedly ends the test. Prints `text`, which may contain its output.
trap 'printf "%s: line %s: unexpected failure with code %s:\n  %s\n%s\n" "$0" "$LINENO" "$?" "$BASH_COMMAND" "${text:-}"' ERR

# has <subject> <text> <patterns...>: the text contains all patterns
has() {
  local subject=$1 text=$2 pattern
  shift 2
  for pattern in "$@"; do
    if ! grep -qE -- "$pattern" <<<"$text"; then
      printf '%s: nothing matches %s in\n%s\n' "$subject" "$pattern" "$text"
      failed=1
    fi
  done
}

# has_not <subject> <text> <pattern>: the text does not contain the pattern
has_not() {
  if grep -qE -- "$3" <<<"$2"; then
    printf '%s: %s occurs in\n%s\n' "$1" "$3" "$2"
    failed=1
  fi
}

# refuses <subject> <pattern> <command and arguments...>: the command fails, and its output contains the pattern
refuses() {
  local subject=$1 pattern=$2 text
  shift 2
  if text=$("$@" 2>&1); then
    printf '%s: no error\n' "$subject"
    failed=1
  fi
  has "$subject" "$text" "$pattern"
}

# code <subject> <expected exit code> <command and arguments...>: its output is in `text`
code() {
  local subject=$1 expected=$2 actual=0
  shift 2
  text=$("$@" 2>&1) || actual=$?
  if ((actual != expected)); then
    printf '%s: exit code %s instead of %s\n%s\n' "$subject" "$actual" "$expected" "$text"
    failed=1
  fi
}
