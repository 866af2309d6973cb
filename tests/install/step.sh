# For the tests of installed copies: `work` is a folder that is removed at the end. To be sourced.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# step <name> <command>...: executes the command, whose output is in $work/log
step() {
  echo "-- $1"
  shift
  "$@" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
}
