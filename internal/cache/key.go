package cache

// This file makes keys. A key stands for everything that an entry depends on
// apart from what its bytes say themselves: the program and what was asked of it.

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"sync"
)

// Key is the key of a request: any values that JSON can write. It returns an error if JSON cannot write a value, or if
// the program cannot be identified.
func Key(version string, request ...any) (string, error) {
	program, err := Program()
	if err != nil {
		return "", err
	}
	data, err := json.Marshal(append([]any{magic, version, program}, request...))
	if err != nil {
		return "", fmt.Errorf("cache key: %w", err)
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:]), nil
}

// Program is a hash of the running program: a build with other rules must not
// use what this one found, whatever its version says.
var Program = sync.OnceValues(func() (string, error) {
	path, err := os.Executable()
	if err != nil {
		return "", err
	}
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	h := sha256.New()
	_, err = io.Copy(h, f)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	return hex.EncodeToString(h.Sum(nil)), err
})
