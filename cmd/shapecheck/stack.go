package main

// growStack makes the goroutine's stack large at once, while it holds two frames. An
// analysis is a deep recursion: a stack that doubles under it is copied six times,
// and each copy reads the frame layouts of all functions on it, which are spread over
// the executable (for a small model 1.6 of 7 MB that are read of it). Memory of the
// stack that is not used is never touched.
func growStack() { frame(false) }

// frame needs a stack for its variables when it is called, though it does not write
// them.
//
//go:noinline
func frame(write bool) byte {
	if !write {
		return 0
	}
	var a, b, c, d [100 << 10]byte // one alone may have 128 KB, else it goes to the heap
	return first(&a) + first(&b) + first(&c) + first(&d)
}

//go:noinline
func first(b *[100 << 10]byte) byte { return b[0] }
