package cli

// This file completes command lines that do not say all of what is to run, by what discovery chooses for it.

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"shapecheck/check"
	"shapecheck/discover/trial"
	"shapecheck/infer"
	"shapecheck/project/notebook"
)

// A need is what a command does with a model: what it reads of it alone may rest on a weak guess.
type need struct {
	// one says that a model is made of it: a weak guess is none, and of several models one must be named.
	one bool
	// command is the command line with what was guessed in it; nil: that of one file with the flags of an entry.
	command func(*trial.Guess) string
}

// maxGuesses is how many full commands are printed where one of several models must be named.
const maxGuesses = 5

// completed calls work with the target and, where that needs arguments or an entry that the command line does not give, with those that
// are guessed, which standard error is told of. An error is that of work with the target as it was given where nothing is guessed.
func (a *app) completed(t *target, s *check.Session, n need, work func() error) error {
	err := work()
	var usage *infer.UsageError
	r := &t.Run
	nothing := r.Entry == "" && r.Call == "" && len(r.Args)+len(r.Set) == 0
	if !errors.As(err, &usage) || !usage.Lacks && !nothing || t.Run.Module != "" || t.Run.Script != nil || t.Run.File == "-" || notebook.Is(t.Run.File) {
		return err
	}
	g, other := trial.Complete(a.context(), s, &t.Target)
	if g = t.taken(g); other != nil || g == nil {
		return err
	}
	if n.command == nil {
		n.command = t.commandWith
	}
	switch {
	case t.noGuess:
		return fmt.Errorf("%w\n%s", err, n.command(g))
	case n.one && len(g.Others) > 0:
		lines := []string{t.Run.File + " has several models: name one"}
		for i, o := range append([]*trial.Guess{g}, g.Others...) {
			if i == maxGuesses {
				lines = append(lines, fmt.Sprintf("and %d more", len(g.Others)+1-i))
				break
			}
			lines = append(lines, n.command(o))
		}
		return errors.New(strings.Join(lines, "\n  "))
	case n.one && g.Target.Basis == check.BasisWeak:
		return fmt.Errorf("%w\nno more than a guess: %s", err, n.command(g))
	}
	more := ""
	if k := len(g.Others); k > 0 {
		more = fmt.Sprintf("   (%s)", counted(k, "more model"))
	}
	a.say("guessed: %s%s", check.ShellWords(g.Flags()), more)
	t.Target = g.Target
	return work()
}

// taken is a guess among those that the command takes: not all run a file as a script. It is nil where there is none.
func (t *target) taken(g *trial.Guess) *trial.Guess {
	if g == nil || t.command.Flags().Lookup(check.ScriptFlag) != nil {
		return g
	}
	list := slices.DeleteFunc(append([]*trial.Guess{g}, g.Others...), func(x *trial.Guess) bool { return x.Target.Run.Script != nil })
	if len(list) == 0 {
		return nil
	}
	list[0].Others = list[1:]
	return list[0]
}

// commandWith is the command line that says what was guessed.
func (t *target) commandWith(g *trial.Guess) string {
	return commandAgain(t.command, []string{t.Run.File}, entryFlags, g.Flags())
}
