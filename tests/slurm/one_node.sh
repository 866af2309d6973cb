#!/usr/bin/env bash
# usage: one_node.sh <command> [arguments...]
#
# Runs a command on a Slurm cluster of one node, this machine. The daemons (munged, slurmctld, slurmd), their network, their
# files and the host name are in namespaces of this run, which end with its first process. Nothing outside changes.
#
# Exit code: that of the command; 77 if Slurm is not installed or the caller may not create namespaces.
set -euo pipefail

if [[ ${1:-} != --inside ]]; then
  skip() {
    echo "skipped: $*"
    exit 77
  }
  ((EUID == 0)) || skip 'the daemons of Slurm require root'
  for tool in munged slurmctld slurmd srun salloc sinfo ip unshare hostname mount; do
    command -v "$tool" >/dev/null || skip "command $tool not found; Debian: apt-get install slurm-wlm iproute2"
  done
  new=(unshare --net --mount --uts --ipc --pid --fork --kill-child=KILL --mount-proc)
  "${new[@]}" true 2>/dev/null || skip 'creating namespaces is not permitted'
  exec "${new[@]}" bash "${BASH_SOURCE[0]}" --inside "$@"
fi
shift

# munged rejects folders that other users may change, so all files are in a folder that only this run sees.
mount -t tmpfs -o mode=0755 tmpfs /run
work=/run/slurm
mkdir "$work"
printf '127.0.0.1 localhost\n10.77.1.1 node-1\n' >"$work/hosts"
mount --bind "$work/hosts" /etc/hosts
mount -t tmpfs tmpfs /sys/fs/cgroup # slurmd must find no control groups that it would have to share
hostname node-1
ip link set lo up
ip address add 10.77.1.1/32 dev lo

(umask 077 && dd if=/dev/urandom of="$work/munge.key" bs=1024 count=1 status=none)
munged --key-file="$work/munge.key" --socket="$work/munge.socket" --pid-file="$work/munge.pid" \
  --log-file="$work/munge.log" --seed-file="$work/munge.seed"

export SLURM_CONF=$work/slurm.conf
echo 'CgroupPlugin=cgroup/v1' >"$work/cgroup.conf"
cat >"$SLURM_CONF" <<CONF
ClusterName=test
SlurmctldHost=node-1(10.77.1.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$work/munge.socket
ProctrackType=proctrack/linuxproc
TaskPlugin=task/affinity
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
KillWait=2
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.pid
SlurmctldLogFile=$work/slurmctld.log
SlurmdLogFile=$work/slurmd.log
ReturnToService=2
NodeName=node-1 NodeAddr=10.77.1.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
CONF
mkdir "$work/state" "$work/spool"
slurmctld
slurmd
for _ in {1..60}; do
  if [[ $(sinfo --noheader --format=%t 2>/dev/null) == idle ]]; then
    "$@"
    exit
  fi
  sleep 0.5
done
echo "the node has not become idle; logs of the daemons:"
cat "$work"/*.log
exit 1
