package atomicfile

// This file keeps the names of what is not finished, so that a program that is interrupted can remove it: a job that
// is cancelled must not leave a model's size behind each time.

import (
	"os"
	"slices"
	"sync"
)

// unfinished are the names of temporary files.
var unfinished names

type names struct {
	sync.Mutex
	set     map[string]bool
	written []string
}

// make makes a file and notes its name: there is no moment at which Abandon would leave it.
func (n *names) make(create func() (*os.File, error)) (*os.File, error) {
	n.Lock()
	defer n.Unlock()
	f, err := create()
	if err == nil {
		if n.set == nil {
			n.set = map[string]bool{}
		}
		n.set[f.Name()] = true
	}
	return f, err
}

func (n *names) remove(name string) {
	n.Lock()
	defer n.Unlock()
	delete(n.set, name)
}

// commit puts a finished file in its place.
func (n *names) commit(name, path string) error {
	n.Lock()
	defer n.Unlock()
	if err := os.Rename(name, path); err != nil {
		return err
	}
	delete(n.set, name)
	if !slices.Contains(n.written, path) {
		n.written = append(n.written, path)
	}
	return nil
}

// Abandon removes what is not finished, for who ends the program next. From then on nothing is begun and nothing is committed:
// who tries waits.
func Abandon() {
	unfinished.Lock() // for ever
	for name := range unfinished.set {
		_ = os.Remove(name) // the program ends, and there is nobody to tell
	}
}

// Written are the files that were committed.
func Written() []string {
	unfinished.Lock()
	defer unfinished.Unlock()
	return slices.Clone(unfinished.written)
}
