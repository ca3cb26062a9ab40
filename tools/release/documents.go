package main

import (
	"bytes"
	"io"
	"path"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"shapecheck/present/cli"
)

// documents are the manual pages and the completions of shells.
func documents(version string, date time.Time) ([]file, error) {
	root := cli.Command()
	files, err := manuals(root, &doc.GenManHeader{Section: "1", Date: &date, Source: "shapecheck " + version, Manual: "shapecheck"})
	if err != nil {
		return nil, err
	}
	for _, c := range []struct {
		name string
		make func(io.Writer) error
	}{
		{"shapecheck.bash", func(w io.Writer) error { return root.GenBashCompletionV2(w, true) }},
		{"_shapecheck", root.GenZshCompletion},
		{"shapecheck.fish", func(w io.Writer) error { return root.GenFishCompletion(w, true) }},
		{"shapecheck.ps1", root.GenPowerShellCompletionWithDesc},
	} {
		var b bytes.Buffer
		if err := c.make(&b); err != nil {
			return nil, err
		}
		files = append(files, file{"completions/" + c.name, b.Bytes(), 0o644})
	}
	return files, nil
}

// manuals are the pages of a command and of those below it.
func manuals(c *cobra.Command, header *doc.GenManHeader) ([]file, error) {
	c.DisableAutoGenTag = true
	h := *header // GenMan writes the title into it
	var b bytes.Buffer
	if err := doc.GenMan(c, &h, &b); err != nil {
		return nil, err
	}
	name := strings.ReplaceAll(c.CommandPath(), " ", "-") + ".1"
	files := []file{{path.Join("man", name), b.Bytes(), 0o644}}
	for _, sub := range c.Commands() {
		if !sub.IsAvailableCommand() || sub.IsAdditionalHelpTopicCommand() {
			continue
		}
		more, err := manuals(sub, header)
		if err != nil {
			return nil, err
		}
		files = append(files, more...)
	}
	return files, nil
}
