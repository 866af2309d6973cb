# Functions for folders that contain a minimal Debian. To be sourced by scripts that run as root.
# The variable DASH_DEBIAN_MIRROR replaces the mirror.

# usage: prints the comment at the top of the script
usage() {
  sed -n '2,/^[^#]/{/^#/!d;s/^# \{0,1\}//;p}' "$0"
}

# require <command>...: fails if one is missing
require() {
  local command
  [[ $EUID -eq 0 ]] || { echo "$0: needs root" >&2 && exit 1; }
  for command; do
    command -v "$command" >/dev/null || { echo "$0: the command $command was not found" >&2 && exit 1; }
  done
}

# make_debian <suite> <folder> [options of debootstrap...]
make_debian() {
  local suite=$1 root=$2
  shift 2
  echo "-- unpack $suite in $root"
  rm -rf "$root"
  debootstrap --variant=minbase "$@" "$suite" "$root" "${DASH_DEBIAN_MIRROR:-http://deb.debian.org/debian}" \
    >"$root.log" || { tail -n 20 "$root.log" >&2 && exit 1; }
  [[ ! -L $root/proc ]] || rm "$root/proc" # in some containers, a link to the /proc of the host
  mkdir -p "$root/proc" "$root/sys" "$root/dev/shm" "$root/etc/apt/apt.conf.d"
  cp /etc/resolv.conf "$root/etc/resolv.conf"
  # apt verifies signatures as the user _apt, which some containers do not allow.
  echo 'APT::Sandbox::User "root";' >"$root/etc/apt/apt.conf.d/sandbox"
}

# prepare_debian <suite> <folder> <package>...: the folder contains Debian with these packages. The file `complete` lists
# them, so that a later run installs packages that were added.
prepare_debian() {
  local suite=$1 root=$2
  shift 2
  if [[ -e $root/complete ]]; then
    [[ $(<"$root/complete") != "$*" ]] || return 0
  else
    make_debian "$suite" "$root"
  fi
  echo "-- install packages"
  in_debian "$root" sh -c 'apt-get update && DEBIAN_FRONTEND=noninteractive \
    apt-get install -y --no-install-recommends "$@"' sh "$@" >"$root-packages.log" 2>&1 ||
    { tail -n 20 "$root-packages.log" >&2 && exit 1; }
  echo "$*" >"$root/complete"
}

# in_debian <folder> <command>...: executes a command in the folder. Its mounts end with the command.
in_debian() {
  # Otherwise Open MPI 4 waits for a name server whenever it starts.
  printf '127.0.0.1 localhost %s\n' "$(hostname)" >"$1/etc/hosts"
  unshare --mount --fork bash -c 'root=$1 && shift && mount -t proc proc "$root/proc" &&
    mount -t sysfs sysfs "$root/sys" && mount -t tmpfs -o size=2g tmpfs "$root/dev/shm" && exec chroot "$root" "$@"' \
    bash "$@"
}
