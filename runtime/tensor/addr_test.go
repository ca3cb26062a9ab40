package tensor

import "unsafe"

func addr(t *Tensor) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(t.data))) }
