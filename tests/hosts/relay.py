#!/usr/bin/env python3
"""Connects network namespaces by a simulated switch that delays and drops Ethernet frames.

    relay.py --device NAME [--delay MS] [--loss PERCENT] [--seed N] NAMESPACE...

Creates a TAP device in each namespace (a name of `ip netns`), prints "ready", and forwards frames until it is killed.
The delay is each way. Each frame is dropped with the probability of the loss. Needs root. The kernel can do the same
with `tc qdisc add ... netem`, but few kernels of virtual machines and containers contain netem.
"""
import argparse
import ctypes
import fcntl
import heapq
import os
import random
import select
import struct
import time

# <linux/if_tun.h>
TUNSETIFF = 0x400454CA
IFF_TAP = 0x0002
IFF_NO_PI = 0x1000

LONGEST_FRAME = 65536
FRAMES_PER_TURN = 64  # of one device, before the others are read
IS_MULTICAST = 0x01   # in the first byte of an address
libc = ctypes.CDLL(None, use_errno=True)


def enter_namespace(descriptor):
    if libc.setns(descriptor, 0) != 0:
        raise OSError(ctypes.get_errno(), "setns")


def open_tap(namespace, name):
    """Returns the descriptor of a new TAP device in the namespace."""
    own = os.open("/proc/self/ns/net", os.O_RDONLY)
    other = os.open(f"/run/netns/{namespace}", os.O_RDONLY)
    enter_namespace(other)
    device = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
    fcntl.ioctl(device, TUNSETIFF, struct.pack("16sH22x", name.encode(), IFF_TAP | IFF_NO_PI))
    enter_namespace(own)
    os.close(other)
    os.close(own)
    return device


class Switch:
    def __init__(self, devices, delay_s, loss):
        self.devices = devices
        self.delay_s = delay_s
        self.loss = loss
        self.device_of = {}  # Ethernet address -> device
        self.queue = []      # heap of (time, number, device, frame)
        self.number = 0

    def receive(self, device):
        """Enqueues the frames that a namespace has sent."""
        for _ in range(FRAMES_PER_TURN):
            try:
                frame = os.read(device, LONGEST_FRAME)
            except OSError:  # no frame, or the device is down
                return
            destination, source = frame[:6], frame[6:12]
            self.device_of[source] = device
            for target in self.targets(device, destination):
                if random.random() >= self.loss:
                    heapq.heappush(self.queue, (time.monotonic() + self.delay_s, self.number, target, frame))
                    self.number += 1

    def targets(self, device, destination):
        if not destination[0] & IS_MULTICAST and destination in self.device_of:
            return [self.device_of[destination]]
        return [other for other in self.devices if other != device]

    def deliver(self):
        """Writes the frames whose delay has passed. Returns the seconds until the next one, or None."""
        now = time.monotonic()
        while self.queue and self.queue[0][0] <= now:
            _, _, device, frame = heapq.heappop(self.queue)
            try:
                os.write(device, frame)
            except OSError:  # the device is down or its queue is full: the frame is lost
                pass
        return self.queue[0][0] - now if self.queue else None

    def run(self):
        while True:
            for device in select.select(self.devices, [], [], self.deliver())[0]:
                self.receive(device)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--device", required=True)
    parser.add_argument("--delay", type=float, default=0, metavar="MS")
    parser.add_argument("--loss", type=float, default=0, metavar="PERCENT")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("namespaces", nargs="+", metavar="NAMESPACE")
    options = parser.parse_args()
    random.seed(options.seed)
    devices = [open_tap(namespace, options.device) for namespace in options.namespaces]
    print("ready", flush=True)
    Switch(devices, options.delay / 1e3, options.loss / 100).run()


main()
