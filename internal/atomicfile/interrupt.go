package atomicfile

// This file removes what is not finished when the program is interrupted: a job that
// is cancelled must not leave a model's size behind each time.

import (
	"os"
	"os/signal"
	"sync"
	"syscall"
)

// unfinished are the names of temporary files. While there are any, an interrupt
// (SIGINT, SIGTERM) removes them and ends the program as it would have ended it.
var unfinished names

type names struct {
	sync.Mutex
	set  map[string]bool
	stop chan os.Signal // nil while there are no names
}

// make makes a file and notes its name. Interrupts are waited for before there is the
// file: there is no moment at which one would leave it.
func (n *names) make(create func() (*os.File, error)) (*os.File, error) {
	n.Lock()
	defer n.Unlock()
	n.watch()
	f, err := create()
	if err == nil {
		n.set[f.Name()] = true
	}
	n.rest()
	return f, err
}

// watch waits for interrupts from now on; those that are ignored stay so.
func (n *names) watch() {
	if n.stop != nil {
		return
	}
	stop := make(chan os.Signal, 1)
	n.stop, n.set = stop, map[string]bool{}
	for _, sig := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		if !signal.Ignored(sig) {
			signal.Notify(stop, sig)
		}
	}
	go func() {
		sig, ok := <-stop
		if !ok {
			return
		}
		n.Lock() // for ever: nothing new is begun
		for name := range n.set {
			_ = os.Remove(name) // the program ends, and there is nobody to tell
		}
		signal.Reset(os.Interrupt, syscall.SIGTERM)
		end(sig)
	}()
}

func (n *names) remove(name string) {
	n.Lock()
	defer n.Unlock()
	delete(n.set, name)
	n.rest()
}

// rest leaves interrupts alone where no file is unfinished.
func (n *names) rest() {
	if len(n.set) == 0 && n.stop != nil {
		signal.Stop(n.stop)
		close(n.stop)
		n.stop = nil
	}
}
