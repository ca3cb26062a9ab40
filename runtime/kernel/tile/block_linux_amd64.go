package tile

import "syscall"

// Of arch_prctl(2): the request for a feature of the processor whose state is large, and the state of the tiles.
const (
	requestPermission = 0x1023 // ARCH_REQ_XCOMP_PERM
	tileData          = 18     // XFEATURE_XTILEDATA
)

// allowTiles asks Linux for the state of the tiles, which it keeps for each thread of a process that asked.
func allowTiles() bool {
	_, _, errno := syscall.RawSyscall(syscall.SYS_ARCH_PRCTL, requestPermission, tileData, 0)
	return errno == 0
}
