package golden

// This file gives other tests the cases of an archive, to run them with sizes
// of their own.

import (
	"strings"

	"golang.org/x/tools/txtar"

	"shapecheck/check"
	"shapecheck/infer"
)

// A Case is one program of an archive.
type Case struct {
	Name   string
	Header string // the lines before the case's first file
	Run    []string
	Files  []txtar.File
}

// Cases gives the cases of an archive. Files is a part of the archive's.
func Cases(ar *txtar.Archive) []Case {
	headers := map[string]string{"": string(ar.Comment)}
	for _, f := range ar.Files {
		if name, ok := strings.CutPrefix(f.Name, "case "); ok {
			headers[name] = string(f.Data)
		}
	}
	var out []Case
	for _, c := range cases(ar) {
		out = append(out, Case{c.name, headers[c.name], c.run, c.files})
	}
	return out
}

// Config reads the command line of a case of one file. at, when not nil,
// rewrites its arguments. It returns an error where the command line is invalid.
func (c *Case) Config(at func(arg string) string) (infer.Config, error) {
	target, err := check.ParseTarget(c.Run)
	if err != nil {
		return infer.Config{}, err
	}
	cfg := target.Run
	for _, f := range c.Files {
		if f.Name == cfg.File {
			cfg.Text = string(f.Data)
		}
	}
	for i := range cfg.Args {
		if at != nil {
			cfg.Args[i] = at(cfg.Args[i])
		}
	}
	return cfg, nil
}

// Section gives a section such as want/contract.
func (c *Case) Section(name string) (string, bool) { return section(c.Files, name) }

// ErrorLines gives the lines of the case's one file on which an error is
// expected, the first is 1.
func (c *Case) ErrorLines() map[int]bool {
	out := map[int]bool{}
	for _, f := range c.Files {
		if !strings.HasSuffix(f.Name, ".py") {
			continue
		}
		for n, line := range strings.Split(string(f.Data), "\n") {
			kinds, _ := expectations(line)
			for _, k := range kinds {
				if line[k[0]:k[1]] == "error" {
					out[n+1] = true
				}
			}
		}
	}
	return out
}
