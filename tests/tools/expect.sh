# What the tests of commands expect. Sourced; `failed` says whether something was not so.
failed=0

# A command that should not fail ends the test; its output may be in a variable.
trap 'printf "%s: line %s: this failed with code %s:\n  %s\n%s\n" "$0" "$LINENO" "$?" "$BASH_COMMAND" "${text:-}"' ERR

# has <what is being done> <text> <patterns...>
has() {
  local what=$1 text=$2 pattern
  shift 2
  for pattern in "$@"; do
    if ! grep -qE -- "$pattern" <<<"$text"; then
      printf '%s: nothing matches %s in\n%s\n' "$what" "$pattern" "$text"
      failed=1
    fi
  done
}

# refuses <what is being done> <pattern> <command and arguments...>
refuses() {
  local what=$1 pattern=$2 text
  shift 2
  if text=$("$@" 2>&1); then
    printf '%s: no error\n' "$what"
    failed=1
  fi
  has "$what" "$text" "$pattern"
}
