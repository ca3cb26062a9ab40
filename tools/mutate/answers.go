package main

// This file reads the answers to mutants that no test can kill.

import (
	_ "embed"
	"fmt"
	"strings"
)

//go:embed answers.txt
var answers string

// readAnswers gives the reasons by the keys of the mutants.
func readAnswers() (map[string]string, error) {
	known := map[string]string{}
	for i, line := range strings.Split(answers, "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		at := strings.LastIndex(line, "\t")
		if at < 0 || strings.Count(line[:at], "\t") != keyColumns-1 || line[at+1:] == "" {
			return nil, fmt.Errorf("answers.txt:%d: expected file, function, change, line of code and reason with tabs between them", i+1)
		}
		if known[line[:at]] != "" {
			return nil, fmt.Errorf("answers.txt:%d: this mutant has an answer already", i+1)
		}
		known[line[:at]] = line[at+1:]
	}
	return known, nil
}
