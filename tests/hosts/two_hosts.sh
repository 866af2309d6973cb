#!/usr/bin/env bash
# usage: two_hosts.sh <mpiexec> <units> <program> [arguments...]
#
# Runs a program on two simulated hosts: two network namespaces of this machine, connected by a veth pair,
# with different host names, so that MPI sees two hosts that are connected by TCP only. For the library they
# are two nodes on one host, which share its processors, since machine_id() (the boot id) is the same.
#
# Mounts and processes are in namespaces of this run as well. The namespaces end with its first process, even
# if that is killed, so nothing is left outside and nothing needs to be cleaned up.
#
# Exit code: that of the program; 77 if the caller may not create namespaces.
set -euo pipefail

if [[ ${1:-} != --inside ]]; then
  skip() {
    echo "skipped: $*"
    exit 77
  }
  ((EUID == 0)) || skip 'network namespaces require root'
  for tool in ip unshare hostname mount; do
    command -v "$tool" >/dev/null || skip "command $tool not found"
  done
  new=(unshare --net --mount --uts --ipc --pid --fork --kill-child=KILL --mount-proc)
  "${new[@]}" sh -c 'mount -t tmpfs tmpfs /run && ip netns add probe &&
    ip link add probe0 type veth peer name probe1' 2>/dev/null ||
    skip 'creating network namespaces is not permitted'
  exec "${new[@]}" bash "${BASH_SOURCE[0]}" --inside "$@"
fi
shift
mpiexec=$1 units=$2
shift 2

mount -t tmpfs tmpfs /run # where `ip netns` keeps its names
hosts=(10.77.0.1 10.77.0.2)
for host in 0 1; do
  ip netns add "${hosts[host]}"
done
# Both ends have the same device name, since UCX_NET_DEVICES is equal on all units.
ip link add wire netns "${hosts[0]}" type veth peer name wire netns "${hosts[1]}"
for host in "${hosts[@]}"; do
  ip -n "$host" address add "$host/24" dev wire
  ip -n "$host" link set lo up
  ip -n "$host" link set wire up
done
# UCX ignores a device that is not up yet.
for host in "${hosts[@]}"; do
  until [[ $(ip -n "$host" -br link show wire) == *LOWER_UP* ]]; do sleep 0.01; done
done

# A replacement of rsh. Arguments: the host, then the command as words for a shell.
cat >/run/on_host <<'SH'
#!/bin/sh
host=$1
shift
exec ip netns exec "$host" unshare --uts sh -c \
  'hostname "host-${1##*.}" && shift && eval "exec $*"' sh "$host" "$@"
SH
chmod +x /run/on_host

export UCX_TLS=tcp,self UCX_NET_DEVICES=wire
code=0
/run/on_host "${hosts[0]}" "'$mpiexec'" -launcher rsh -launcher-exec /run/on_host \
  -localhost "${hosts[0]}" -hosts "${hosts[0]},${hosts[1]}" -ppn $(((units + 1) / 2)) \
  -n "$units" "$(printf '%q ' "$@")" || code=$?
exit "$code"
