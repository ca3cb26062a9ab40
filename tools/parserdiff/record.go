package main

// This file writes parser/testdata/conformance.txt: small programs with CPython's
// verdict and tree, so that the tests of package parser need no Python.

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"strings"
)

// record asks the reference about each program of the file and rewrites it. A
// line is "+" or "-" and the quoted program; the tree follows on a line of its
// own. Lines that begin with "#" are kept.
func record(c *config, name string) error {
	data, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	ref, err := startReference(c)
	if err != nil {
		return err
	}
	if ref.version != 314 {
		return fmt.Errorf("%s: the file holds the trees of Python 3.14, not of %d", name, ref.version)
	}
	var out bytes.Buffer
	for _, line := range strings.Split(strings.TrimRight(string(data), "\n"), "\n") {
		if line == "" || line[0] == '#' {
			fmt.Fprintln(&out, line)
			continue
		}
		if line[0] == '\t' {
			continue
		}
		text, ok := recordedProgram(line)
		if !ok {
			return fmt.Errorf("%s: no program: %q", name, line)
		}
		res, err := ref.parse([]byte(text))
		if err != nil {
			return err
		}
		if !res.ok {
			fmt.Fprintf(&out, "- %s\n", strconv.Quote(text))
			continue
		}
		fmt.Fprintf(&out, "+ %s\n\t%s\n", strconv.Quote(text), res.text)
	}
	if err := ref.stop(); err != nil {
		return err
	}
	return os.WriteFile(name, out.Bytes(), 0o644)
}

// recordedProgram returns the program of a line, if it has one.
func recordedProgram(line string) (string, bool) {
	if line == "" || line[0] != '+' && line[0] != '-' {
		return "", false
	}
	text, err := strconv.Unquote(strings.TrimSpace(line[1:]))
	return text, err == nil
}
