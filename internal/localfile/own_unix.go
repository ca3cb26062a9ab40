//go:build unix

package localfile

// This file says whose files are.

import (
	"io/fs"
	"os"
	"syscall"
)

// Own reports whether nobody but the process's user, and the system's administrator, may write a file.
func Own(info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && info.Mode().Perm()&0o022 == 0 && (int(st.Uid) == os.Geteuid() || st.Uid == 0)
}
