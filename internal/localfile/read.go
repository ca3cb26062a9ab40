package localfile

// This file reads regular files, up to a size.

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// ErrTooLarge is what the error of a file above the limit wraps.
var ErrTooLarge = errors.New("file is too large")

// OpenRegular opens the regular file at path; links are followed. What is no
// regular file is refused by the name of its kind, and is not opened.
func OpenRegular(path string) (*os.File, fs.FileInfo, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, nil, err
	}
	if err := regular(path, info); err != nil {
		return nil, nil, err
	}
	// Should a pipe have come in between, opening it must not wait.
	f, err := os.OpenFile(path, os.O_RDONLY|nonblock, 0)
	if err != nil {
		return nil, nil, err
	}
	if info, err = f.Stat(); err == nil {
		err = regular(path, info)
	}
	if err != nil {
		return nil, nil, errors.Join(err, f.Close())
	}
	return f, info, nil
}

// Read reads the regular file at path. It may have limit bytes. It returns an error if the file cannot be opened or is
// no regular one, and one that wraps ErrTooLarge if it has more.
func Read(path string, limit int64) (data []byte, err error) {
	f, info, err := OpenRegular(path)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if err := Check(path, info, limit); err != nil {
		return nil, err
	}
	b := bytes.NewBuffer(make([]byte, 0, int(info.Size())+bytes.MinRead)) // Grow would write all of it
	// The size of some files is not what they hold: those of /proc have none.
	if _, err := b.ReadFrom(io.LimitReader(f, limit+1)); err != nil {
		return nil, err
	}
	if int64(b.Len()) > limit {
		return nil, TooLarge(path, int64(b.Len()), limit)
	}
	return b.Bytes(), nil
}

// Check reports what speaks against reading a file: that it is no regular one, or that
// it has more than limit bytes. The second error wraps ErrTooLarge.
func Check(path string, info fs.FileInfo, limit int64) error {
	if err := regular(path, info); err != nil {
		return err
	}
	if info.Size() > limit {
		return TooLarge(path, info.Size(), limit)
	}
	return nil
}

// TooLarge is the error for a file above the limit.
func TooLarge(path string, size, limit int64) error {
	return &fileError{path, fmt.Errorf("%w: %d bytes, at most %d are read", ErrTooLarge, size, limit)}
}

// A fileError is an error of a file that it names.
type fileError struct {
	path string
	err  error
}

func (e *fileError) Error() string { return e.path + ": " + e.err.Error() }

// Unwrap returns the error without the file's name.
func (e *fileError) Unwrap() error { return e.err }

// Reason is what an error says of a file, for who names the file beside it.
func Reason(err error) error {
	if e, ok := errors.AsType[*fileError](err); ok {
		return e.err
	}
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Err
	}
	return err
}

func regular(path string, info fs.FileInfo) error {
	if kind := Kind(info.Mode()); kind != "" {
		return &fs.PathError{Op: "read", Path: path, Err: fmt.Errorf("is %s, not a regular file", kind)}
	}
	return nil
}

// Kind names what is no regular file: "a directory", "a pipe"; empty: it is one.
func Kind(m fs.FileMode) string {
	switch {
	case m.IsRegular():
		return ""
	case m.IsDir():
		return "a directory"
	case m&fs.ModeNamedPipe != 0:
		return "a pipe"
	case m&fs.ModeSocket != 0:
		return "a socket"
	case m&fs.ModeDevice != 0:
		return "a device"
	}
	return "a special file"
}
