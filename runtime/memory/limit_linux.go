package memory

// This file asks Linux for the limits of the process.

import (
	"bytes"
	"math"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// bounds lists what the process can have: the machine's memory, and the limits of control groups and of its address space. 0: not known,
// or none.
func bounds() []int64 {
	var info unix.Sysinfo_t
	machine := int64(0)
	if unix.Sysinfo(&info) == nil {
		machine = int64(info.Totalram) * int64(info.Unit)
	}
	groups, _ := os.ReadFile("/proc/self/cgroup") // without it there are none
	return append(groupLimits("/sys/fs/cgroup", string(groups)), machine, addressSpace())
}

// groupLimits lists the limits of the control groups that a process is in, by the lines of its /proc/self/cgroup, and
// of those around them. The hierarchy of version 2 has the controller "", those of version 1 are named. Inside of a
// container a group's path may be one of the host, and the root is the process's group.
func groupLimits(root, lines string) (list []int64) {
	for line := range strings.Lines(lines) {
		id, rest, _ := strings.Cut(strings.TrimSpace(line), ":")
		controllers, group, ok := strings.Cut(rest, ":")
		dir, file := root, "memory.max"
		switch {
		case !ok:
			continue
		case id == "0" && controllers == "":
		case slices.Contains(strings.Split(controllers, ","), "memory"):
			dir, file = path.Join(root, "memory"), "memory.limit_in_bytes"
		default:
			continue
		}
		for group = path.Join("/", group); ; group = path.Dir(group) {
			b, err := os.ReadFile(path.Join(dir, group, file))
			if n, bad := strconv.ParseInt(string(bytes.TrimSpace(b)), 10, 64); err == nil && bad == nil && n < unlimitedGroup {
				list = append(list, n)
			}
			if group == "/" {
				break
			}
		}
	}
	return list
}

// unlimitedGroup is the limit from which version 1 means none.
const unlimitedGroup = math.MaxInt64 / 4

// addressSpace is what the limits of the address space and of data leave to the process; 0: they are none.
func addressSpace() int64 {
	least := int64(0)
	for what, field := range map[int]int{unix.RLIMIT_AS: 0, unix.RLIMIT_DATA: 5} { // of statm: all pages, and those of data
		var r unix.Rlimit
		if err := unix.Getrlimit(what, &r); err != nil || r.Cur >= unlimitedGroup {
			continue
		}
		left := max(int64(r.Cur)-pages(field)+resident(), 1) // what is there counts as used
		if least == 0 || left < least {
			least = left
		}
	}
	return least
}

// resident is the memory that the process has now.
func resident() int64 { return pages(1) }

// pages is a number of /proc/self/statm, in bytes.
func pages(field int) int64 {
	b, err := os.ReadFile("/proc/self/statm")
	list := strings.Fields(string(b))
	if err != nil || field >= len(list) {
		return 0
	}
	n, _ := strconv.ParseInt(list[field], 10, 64)
	return n * int64(os.Getpagesize())
}
