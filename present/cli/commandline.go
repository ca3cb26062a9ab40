package cli

// This file writes the command lines that are suggested: the one that was given once more, with what it lacks or what is wrong replaced.

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"shapecheck/check"
)

// commandAgain is the command line of c once more, with other files, without some of its flags and with more at the end. It is empty where
// it has what cannot be shown.
func commandAgain(c *cobra.Command, files, without, more []string) string {
	words := strings.Fields(c.CommandPath())
	for _, f := range files {
		words = append(words, check.FileWord(f))
	}
	words = append(words, givenFlags(c, func(name string) bool { return !slices.Contains(without, name) })...)
	return check.ShellLine(append(words, more...))
}

// givenFlags are the words of those flags of a command line that are kept.
func givenFlags(c *cobra.Command, kept func(name string) bool) []string {
	var words []string
	c.Flags().Visit(func(f *pflag.Flag) {
		if !kept(f.Name) {
			return
		}
		name := "--" + f.Name
		if f.Shorthand != "" {
			name = "-" + f.Shorthand
		}
		values := []string{f.Value.String()}
		if list, ok := f.Value.(pflag.SliceValue); ok {
			values = list.GetSlice()
		}
		for _, v := range values {
			switch f.NoOptDefVal {
			case "":
				words = append(words, name, v)
			case v:
				words = append(words, name)
			default: // the value of such a flag cannot be a word of its own
				words = append(words, "--"+f.Name+"="+v)
			}
		}
	})
	return words
}

// surroundings are the words of the flags that say where the modules of a program are found and what runs it, which any command takes
// that runs one.
func (t *target) surroundings() []string {
	if t.command == nil {
		return nil
	}
	var all check.Target
	of := pflag.NewFlagSet("", pflag.ContinueOnError)
	all.Flags(of)
	return givenFlags(t.command, func(name string) bool { return of.Lookup(name) != nil && !slices.Contains(entryFlags, name) })
}

// entryFlags are those that say what of a file is run, which a guess replaces.
var entryFlags = []string{"entry", "call", "arg", "eval", "no-guess"}
