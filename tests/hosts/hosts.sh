#!/usr/bin/env bash
# usage: hosts.sh [options...] <mpiexec> <units> <program> [arguments...]
#
#   --hosts N       number of hosts (4)
#   --delay MS      delay of each frame, each way
#   --loss PERCENT  probability with which a frame is lost
#   --rate MBIT     what each host can send, in Mbit/s
#   --down S REGEX  when a line of the output matches, the link of host 2 is down for S seconds
#
# Runs a program on simulated hosts: network namespaces of this machine with different host names, so that MPI
# sees hosts that are connected by TCP only. Each host has its own boot id, by which the library distinguishes
# machines. All hosts use the same processors. Each host has the same number of units, the last one may have fewer.
#
# A bridge connects the hosts. With a delay or loss, relay.py does, since few kernels contain netem.
#
# Mounts and processes are in namespaces of this run as well. The namespaces end with its first process, even
# if that is killed, so nothing is left outside and nothing needs to be cleaned up.
#
# Exit code: that of the program; 77 if the caller may not create namespaces.
set -euo pipefail

usage() {
  echo "hosts.sh: $*" >&2
  sed -n '2,/^$/{/^#/!d;s/^# \{0,1\}//;p}' "$0" >&2
  exit 2
}

num_hosts=4 delay=0 loss=0 rate=0 down_s=0 down_regex=''
is_inside=no
all=("$@")
# value <option> <regex> <expected> <value>...: fails if the value is missing or does not match
value() {
  (($# > 3)) && [[ $4 =~ ^$2$ ]] || usage "$1 needs $3"
}
while [[ ${1:-} == --* ]]; do
  option=$1
  shift
  case $option in
    --hosts) value "$option" '[1-9][0-9]*' 'a number of hosts' "$@" && num_hosts=$1 ;;
    --delay) value "$option" '[0-9]+([.][0-9]+)?' 'a time in ms' "$@" && delay=$1 ;;
    --loss) value "$option" '[0-9]+([.][0-9]+)?' 'a percentage' "$@" && loss=$1 ;;
    --rate) value "$option" '[1-9][0-9]*' 'a whole number of Mbit/s' "$@" && rate=$1 ;;
    --down)
      value "$option" '[0-9]+([.][0-9]+)?' 'a number of seconds and a regular expression' "$@" && down_s=$1
      shift
      value "$option" '.+' 'a number of seconds and a regular expression' "$@" && down_regex=$1
      ;;
    --inside)
      is_inside=yes
      continue
      ;;
    *) usage "unknown option $option" ;;
  esac
  shift
done
(($# >= 3)) || usage 'needs mpiexec, a number of units and a program'
value '<units>' '[1-9][0-9]*' 'a number' "$2"
mpiexec=$1 units=$2
shift 2

if [[ $is_inside == no ]]; then
  skip() {
    echo "skipped: $*"
    exit 77
  }
  ((EUID == 0)) || skip 'network namespaces require root'
  tools=(ip unshare hostname mount)
  [[ $rate == 0 ]] || tools+=(tc)
  [[ $delay == 0 && $loss == 0 ]] || tools+=(python3)
  for tool in "${tools[@]}"; do
    command -v "$tool" >/dev/null || skip "command $tool not found"
  done
  new=(unshare --net --mount --uts --ipc --pid --fork --kill-child=KILL --mount-proc)
  "${new[@]}" sh -c 'mount -t tmpfs tmpfs /run && ip netns add probe && ip link add probe0 type veth peer name probe1 &&
    ip link add switch type bridge && ip tuntap add dev probe2 mode tap' 2>/dev/null ||
    skip 'creating network namespaces and their devices is not permitted'
  exec "${new[@]}" bash "${BASH_SOURCE[0]}" --inside "${all[@]}"
fi

mount -t tmpfs tmpfs /run # where `ip netns` keeps its names
hosts=()
for ((host = 1; host <= num_hosts; host++)); do
  hosts+=("10.77.0.$host")
  ip netns add "10.77.0.$host"
  printf '00000000-0000-4000-8000-%012d\n' "$host" >"/run/boot_id.$host"
done

# All hosts have the same device name, since UCX_NET_DEVICES is equal on all units.
if [[ $delay == 0 && $loss == 0 ]]; then
  ip link add switch type bridge
  ip link set switch up
  for host in "${hosts[@]}"; do
    ip link add "to-${host##*.}" type veth peer name wire netns "$host"
    ip link set "to-${host##*.}" master switch up
  done
else
  exec {relay}< <(exec python3 "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/relay.py" --device wire \
    --delay "$delay" --loss "$loss" "${hosts[@]}")
  read -r -u "$relay" ready && [[ $ready == ready ]]
fi
for host in "${hosts[@]}"; do
  ip -n "$host" address add "$host/24" dev wire
  ip -n "$host" link set lo up
  ip -n "$host" link set wire up
  # The burst is what the rate gives in 4 ms, at least two frames.
  [[ $rate == 0 ]] ||
    tc -n "$host" qdisc add dev wire root tbf rate "${rate}mbit" burst $((rate * 500 + 3200)) latency 200ms
done
# UCX ignores a device that is not up yet.
for host in "${hosts[@]}"; do
  until [[ $(ip -n "$host" -br link show wire) == *LOWER_UP* ]]; do sleep 0.01; done
done

# A replacement of rsh. Arguments: the host, then the command as words for a shell. `ip netns exec` starts it in a new
# mount namespace.
cat >/run/on_host <<'SH'
#!/bin/sh
host=$1
shift
exec ip netns exec "$host" unshare --uts sh -c \
  'hostname "host-${1##*.}" && mount --bind "/run/boot_id.${1##*.}" /proc/sys/kernel/random/boot_id &&
    shift && eval "exec $*"' sh "$host" "$@"
SH
chmod +x /run/on_host

interrupt_link() {
  echo "hosts.sh: the link of host-2 is down"
  ip -n "${hosts[1]}" link set wire down
  sleep "$down_s"
  ip -n "${hosts[1]}" link set wire up
  echo "hosts.sh: the link of host-2 is up"
}

# Copies the output, interrupts the link, and counts the units in which MPI_Finalize hangs (MPICH before 4.2).
copy_output() {
  local line is_interrupted=0 num_hanging=0
  while IFS= read -r line; do
    printf '%s\n' "$line"
    if [[ $line == *'MPI_Finalize did not return'* ]]; then ((++num_hanging)); fi
    if [[ $down_s != 0 && $is_interrupted == 0 && $line =~ $down_regex ]]; then
      is_interrupted=1
      interrupt_link &
    fi
  done
  wait
  echo "$num_hanging" >/run/num_hanging
}

export UCX_TLS=tcp,self UCX_NET_DEVICES=wire
code=0
/run/on_host "${hosts[0]}" "'$mpiexec'" -launcher rsh -launcher-exec /run/on_host \
  -localhost "${hosts[0]}" -hosts "$(
    IFS=,
    echo "${hosts[*]}"
  )" -ppn $(((units + num_hosts - 1) / num_hosts)) \
  -n "$units" "$(printf '%q ' "$@")" 2>&1 | copy_output || code=${PIPESTATUS[0]}
echo "hosts.sh: $units units on $num_hosts hosts ended with code $code after $SECONDS s; MPI_Finalize hung in $(</run/num_hanging) units"
exit "$code"
