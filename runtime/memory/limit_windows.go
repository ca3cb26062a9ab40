package memory

// This file asks Windows for the machine's memory.

import (
	"unsafe"

	"golang.org/x/sys/windows"
)

var globalMemoryStatus = windows.NewLazySystemDLL("kernel32.dll").NewProc("GlobalMemoryStatusEx")

// memoryStatus is MEMORYSTATUSEX.
type memoryStatus struct {
	length, load                                                       uint32
	totalPhysical, freePhysical, totalPage, freePage, total, free, ext uint64
}

// bounds lists what the process can have.
func bounds() []int64 {
	var s memoryStatus
	s.length = uint32(unsafe.Sizeof(s))
	if ok, _, _ := globalMemoryStatus.Call(uintptr(unsafe.Pointer(&s))); ok == 0 {
		return nil
	}
	return []int64{int64(s.totalPhysical)}
}

// resident is 0: it is not asked for here.
func resident() int64 { return 0 }
