package gittree

// This file talks to git: the one program that is ever started.

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
)

// command is git with nothing that a repository's configuration could make it run or fetch.
func command(ctx context.Context, dir string, args ...string) *exec.Cmd {
	c := exec.CommandContext(ctx, "git", append([]string{"-c", "core.fsmonitor=false", "-c", "protocol.allow=never", "-c", "core.hooksPath=/dev/null"}, args...)...)
	c.Dir = dir
	c.Env = append(os.Environ(), "GIT_NO_LAZY_FETCH=1", "GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0", "LC_ALL=C")
	return c
}

// maxList bounds what git may answer to a question, in bytes: a tree of a million files.
const maxList = 256 << 20

// ask runs git and gives its output; an error has what git says.
func ask(ctx context.Context, dir string, args ...string) (string, error) {
	c := command(ctx, dir, args...)
	var out limited
	var said bytes.Buffer
	c.Stdout, c.Stderr = &out, &said
	if err := c.Run(); err != nil {
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		if text := strings.TrimSpace(said.String()); text != "" {
			return "", errors.New(text)
		}
		return "", fmt.Errorf("git %s: %w", args[0], err)
	}
	return out.String(), nil
}

// limited is a buffer that refuses to grow beyond maxList.
type limited struct{ bytes.Buffer }

func (l *limited) Write(p []byte) (int, error) {
	if l.Len()+len(p) > maxList {
		return 0, errors.New("git's answer is too long")
	}
	return l.Buffer.Write(p)
}

// An object is a file of a tree: its mode, name and size as git has them.
type object struct {
	mode, id string
	size     int64
}

// Modes of objects that are not plain files.
const (
	modeLink      = "120000"
	modeSubmodule = "160000"
)

// list reads the files of a commit by their paths from the root of the repository.
func list(ctx context.Context, dir, commit string) (map[string]object, error) {
	text, err := ask(ctx, dir, "ls-tree", "-r", "-z", "-l", "--full-tree", commit)
	if err != nil {
		return nil, err
	}
	files := map[string]object{}
	for line := range strings.SplitSeq(strings.TrimSuffix(text, "\x00"), "\x00") {
		if line == "" {
			continue
		}
		head, path, ok := strings.Cut(line, "\t")
		f := strings.Fields(head)
		if !ok || len(f) != 4 {
			return nil, fmt.Errorf("git ls-tree: %q", line)
		}
		size, err := strconv.ParseInt(f[3], 10, 64)
		if err != nil {
			size = 0 // "-" of a submodule
		}
		files[path] = object{f[0], f[2], size}
	}
	return files, nil
}

// A reader reads objects, one after the other, through one process.
type reader struct {
	mu    sync.Mutex
	start func() *exec.Cmd
	cmd   *exec.Cmd
	in    io.WriteCloser
	out   *bufio.Reader
	err   error // the process is of no use any more
}

// read gives the content of an object.
func (r *reader) read(o object) ([]byte, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.cmd == nil && r.err == nil {
		r.err = r.open()
	}
	if r.err != nil {
		return nil, r.err
	}
	data, err := r.exchange(o)
	if err != nil {
		r.err = fmt.Errorf("git cat-file: %w", err)
		return nil, r.err
	}
	return data, nil
}

func (r *reader) open() error {
	r.cmd = r.start()
	var err error
	if r.in, err = r.cmd.StdinPipe(); err != nil {
		return err
	}
	out, err := r.cmd.StdoutPipe()
	if err != nil {
		return err
	}
	r.out = bufio.NewReader(out)
	return r.cmd.Start()
}

// exchange asks for an object and reads "ID TYPE SIZE", its content and a newline.
func (r *reader) exchange(o object) ([]byte, error) {
	if _, err := io.WriteString(r.in, o.id+"\n"); err != nil {
		return nil, err
	}
	head, err := r.out.ReadString('\n')
	if err != nil {
		return nil, err
	}
	if want := fmt.Sprintf("%s blob %d\n", o.id, o.size); head != want {
		return nil, errors.New(strings.TrimSpace(head))
	}
	data := make([]byte, o.size+1)
	if _, err := io.ReadFull(r.out, data); err != nil {
		return nil, err
	}
	return data[:o.size], nil
}

// close ends the process.
func (r *reader) close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.cmd == nil || r.cmd.Process == nil {
		return nil
	}
	err := errors.Join(r.in.Close(), r.cmd.Wait())
	r.cmd, r.err = nil, errors.New("the tree is closed")
	return err
}
