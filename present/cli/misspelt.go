package cli

// This file says what misspelt commands, flags, formats and files were meant to be.

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"shapecheck/internal/closest"
)

// didYouMean ends a message about a word that is none of names; empty where nothing is close.
func didYouMean(word string, names []string) string { return suggestName(word, "", names) }

// suggestName is didYouMean with what is written before the name.
func suggestName(word, prefix string, names []string) string {
	limit := 3
	if len(word) < 4 {
		limit = 2
	}
	if s := closest.Name(word, names, limit); s != "" && s != word {
		return "; did you mean " + prefix + s + "?"
	}
	return ""
}

// misspelt adds to an error about a flag which one was meant.
func misspelt(err error, args []string, root *cobra.Command) error {
	if err == nil {
		return nil
	}
	word, ok := strings.CutPrefix(err.Error(), "unknown flag: --")
	if !ok {
		return err
	}
	c, _, findErr := root.Find(args)
	if findErr != nil {
		c = root
	}
	var names []string
	c.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	return fmt.Errorf("%w%s", err, suggestName(word, "--", names))
}

// wrongCommand is an error where the words of a check begin with one that is no file but
// close to a command, or name a file that is not there.
func wrongCommand(words []string, script bool) error {
	if len(words) == 0 || words[0] == "-" {
		return nil
	}
	if _, err := os.Stat(words[0]); err == nil {
		return nil
	}
	var names []string
	for _, c := range commands() {
		names = append(names, c.name)
	}
	if filepath.Ext(words[0]) == "" && !strings.ContainsRune(words[0], filepath.Separator) {
		if hint := didYouMean(words[0], names); hint != "" {
			return fmt.Errorf("%s: no such command or file%s", words[0], hint)
		}
	}
	if len(words) > 1 && !script {
		return nil // what is too much is said
	}
	dir, name := filepath.Split(words[0])
	beside, err := os.ReadDir(filepath.Clean(dir))
	if err != nil {
		return nil // the file's absence is reported by who opens it
	}
	names = names[:0]
	for i, e := range beside {
		if i == 10000 {
			break
		}
		if filepath.Ext(e.Name()) == ".py" {
			names = append(names, e.Name())
		}
	}
	hint := didYouMean(name, names)
	if hint == "" {
		return nil
	}
	return fmt.Errorf("%s: no such file%s", words[0], hint)
}
