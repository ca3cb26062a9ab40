package parser_test

// This file measures the parser on the standard library where there is one, else
// on the recorded programs.

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"shapecheck/internal/source"
	"shapecheck/parser"
	"shapecheck/parser/resolve"
)

// corpus returns source texts.
func corpus(b *testing.B) (texts []string, bytes, lines int) {
	names, _ := filepath.Glob("/usr/lib/python3.11/*.py")
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			continue
		}
		if text, err := parser.Decode(data); err == nil {
			texts = append(texts, text)
		}
	}
	if len(texts) == 0 {
		texts = recorded(b)
	}
	for _, t := range texts {
		bytes += len(t)
		lines += strings.Count(t, "\n")
	}
	return texts, bytes, lines
}

// recorded returns the accepted programs of the conformance file.
func recorded(b *testing.B) (texts []string) {
	data, err := os.ReadFile("testdata/conformance.txt")
	if err != nil {
		b.Fatal(err)
	}
	for _, line := range strings.Split(string(data), "\n") {
		if strings.HasPrefix(line, "+ ") {
			if text, err := strconv.Unquote(line[2:]); err == nil {
				texts = append(texts, text)
			}
		}
	}
	return texts
}

func BenchmarkParse(b *testing.B) {
	texts, bytes, lines := corpus(b)
	b.SetBytes(int64(bytes))
	b.ReportAllocs()
	for b.Loop() {
		for _, t := range texts {
			f := source.NewFile("x.py", t)
			if err := source.NewFileSet().Add(f); err != nil {
				b.Fatal(err)
			}
			parser.Parse(f)
		}
	}
	b.ReportMetric(float64(lines)*float64(b.N)/b.Elapsed().Seconds(), "lines/s")
}

func BenchmarkParseAndResolve(b *testing.B) {
	texts, bytes, _ := corpus(b)
	b.SetBytes(int64(bytes))
	b.ReportAllocs()
	for b.Loop() {
		for _, t := range texts {
			f := source.NewFile("x.py", t)
			if err := source.NewFileSet().Add(f); err != nil {
				b.Fatal(err)
			}
			m, _ := parser.Parse(f)
			resolve.Resolve(m)
		}
	}
}
