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

// settings stand above those of the repository, the user and the system: nothing that these name is run, and no object is
// fetched. Commands that read objects as they are use no filter, textconv, external diff, editor or signing program.
var settings = []string{
	"core.fsmonitor=false", "core.hooksPath=/dev/null", "core.pager=cat", "core.sshCommand=false", "core.askPass=", "credential.helper=",
	"core.alternateRefsCommand=",
	"protocol.allow=never", "protocol.file.allow=never", "protocol.ext.allow=never", "protocol.ssh.allow=never", "protocol.http.allow=never",
	"protocol.https.allow=never", "protocol.git.allow=never",
}

// environment stands above that of the process, which could allow a protocol or name a program.
var environment = []string{
	"GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=", "GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0", "GIT_ASKPASS=", "SSH_ASKPASS=",
	"GIT_SSH_COMMAND=false", "GIT_PAGER=cat",
	"GIT_EXTERNAL_DIFF=", "LC_ALL=C",
}

// command is git as it is always started, under settings and environment.
func command(ctx context.Context, dir string, args ...string) *exec.Cmd {
	all := []string{"--no-pager"}
	for _, s := range settings {
		all = append(all, "-c", s)
	}
	c := exec.CommandContext(ctx, "git", append(all, args...)...)
	c.Dir = dir
	c.Env = append(os.Environ(), environment...)
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

// Write returns an error when the buffer would grow beyond maxList, which ends git.
func (l *limited) Write(p []byte) (int, error) {
	if l.Len()+len(p) > maxList {
		return 0, errors.New("git's answer is too long")
	}
	return l.Buffer.Write(p)
}

// An object is a file of a tree: its mode, name and size as git has them.
type object struct {
	mode, id string
	size     int64 // unknown: in a partial clone, where git would fetch the object to tell
}

const unknown = -1

// Modes of objects that are not plain files.
const (
	modeLink      = "120000"
	modeSubmodule = "160000"
)

// list reads the files of a commit by their paths from the root of the repository, with their sizes or without.
func list(ctx context.Context, dir, commit string, sizes bool) (map[string]object, error) {
	args := []string{"ls-tree", "-r", "-z", "--full-tree"}
	fields := 3
	if sizes {
		args, fields = append(args, "-l"), 4
	}
	text, err := ask(ctx, dir, append(args, commit)...)
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
		if !ok || len(f) != fields {
			return nil, fmt.Errorf("git ls-tree: %q", line)
		}
		o := object{f[0], f[2], unknown}
		if sizes {
			// "-" of a submodule, "BAD" of an object that is missing
			if n, err := strconv.ParseInt(f[3], 10, 64); err == nil {
				o.size = n
			}
		}
		files[path] = o
	}
	return files, nil
}

// partial reports whether a repository leaves out objects, to fetch them later.
func partial(ctx context.Context, dir string) bool {
	text, err := ask(ctx, dir, "config", "--get-regexp", `^(extensions\.partialclone|remote\..*\.(promisor|partialclonefilter))$`)
	return err == nil && text != ""
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
	if err == io.EOF { // it would have had to fetch the object
		err = errors.New("git ended")
	}
	if err != nil {
		return nil, err
	}
	size, err := strconv.ParseInt(strings.TrimSuffix(strings.TrimPrefix(head, o.id+" blob "), "\n"), 10, 64)
	switch {
	case err != nil, o.size != unknown && o.size != size:
		return nil, errors.New(strings.TrimSpace(head))
	case size > maxFile:
		return nil, fmt.Errorf("%s has %d bytes, more than %d", o.id, size, maxFile)
	}
	data := make([]byte, size+1)
	if _, err := io.ReadFull(r.out, data); err != nil {
		return nil, err
	}
	return data[:size], nil
}

// close ends the process.
func (r *reader) close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.cmd == nil || r.cmd.Process == nil {
		return nil
	}
	err := errors.Join(r.in.Close(), r.cmd.Wait())
	if r.err != nil { // which was told
		err = nil
	}
	r.cmd, r.err = nil, errors.New("the tree is closed")
	return err
}
