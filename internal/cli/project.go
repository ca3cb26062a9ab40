package cli

// This file checks the entries of a configuration: shapecheck without FILE.

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"shapecheck/infer"
	"shapecheck/internal/config"
	"shapecheck/internal/contract"
	"shapecheck/internal/diag"
	"shapecheck/internal/diag/render/text"
	"shapecheck/internal/report"
	"shapecheck/internal/source"
	"shapecheck/internal/suppress"
)

// A checked is an entry and what came of it.
type checked struct {
	name string
	res  *infer.Result
	err  error // the entry could not be run
	time time.Duration
	bug  any // what a panic said
}

// project checks all entries of a configuration, at the same time, and prints
// what they report as one run. Parsed files are shared, and with them positions.
func (a *app) project(c *config.Config, outs []output, filter *suppress.Filter, strict bool, shard string) (*source.FileSet, []*diag.Diagnostic, error) {
	part, err := sharded(shard, len(c.Entries))
	if err != nil {
		return nil, nil, err
	}
	start := time.Now()
	cache := infer.NewCache()
	own := source.NewFile(relative(c.File()), c.Text())
	if err := cache.Files().Add(own); err != nil {
		return nil, nil, err
	}
	if len(c.Entries) == 0 {
		return nil, nil, fmt.Errorf("%s has no entries; give a FILE", own.Name)
	}
	list := make([]*checked, len(part))
	work := make(chan int)
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(part)) {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := range work {
				list[i] = checkEntry(c, part[i], cache, own)
			}
		}()
	}
	for i := range part {
		work <- i
	}
	close(work)
	wg.Wait()
	for _, x := range list {
		if x.bug != nil {
			panic(x.bug)
		}
	}
	kept := merge(list, cache.Files(), filter)
	a.code = exitClean
	for _, x := range list {
		code := exitUsage
		if x.err == nil {
			code = exitCode(x.res, strict)
		} else {
			fmt.Fprintf(a.err, "shapecheck: entry %s: %v\n", x.name, x.err)
		}
		a.code = max(a.code, code) // from clean to internal error the codes ascend
	}
	for _, d := range kept { // of comments
		if d.Severity >= diag.Warning {
			a.code = max(a.code, exitFindings)
		}
	}
	err = a.write(outs, &findings{
		files: cache.Files(), list: kept,
		text: func(w io.Writer) error { return printProject(w, cache.Files(), list, kept, time.Since(start)) },
		json: func(w io.Writer) error { return projectJSON(w, list) },
	})
	return cache.Files(), kept, err
}

func checkEntry(c *config.Config, i int, cache *infer.Cache, own *source.File) (x *checked) {
	e := &c.Entries[i]
	x = &checked{name: e.Name}
	defer func() { // of another goroutine than the one that reports a panic
		if r := recover(); r != nil {
			x.bug = fmt.Sprintf("%v\n%s", r, debug.Stack())
		}
	}()
	cfg := entryConfig(c, i)
	cfg.Cache = cache
	start := time.Now()
	res, err := infer.Run(cfg)
	x.res, x.err, x.time = res, err, time.Since(start)
	if err != nil {
		return x
	}
	contract.Check(res)
	if e.Expect != "" {
		got := "nothing"
		if res.Output != nil {
			got = res.Output.String()
		}
		if !report.SameType(got, e.Expect) {
			at := own.LineStart(c.EntryLine(i))
			span := source.Span{Start: at, End: at + source.Pos(len(own.Line(c.EntryLine(i))))}
			res.Diagnostics = append(res.Diagnostics, diag.New(diag.UnexpectedResult, span, "the result of "+e.Name+" is "+got+", not "+e.Expect, got, e.Expect))
		}
	}
	return x
}

// entryConfig is what the configuration says of an entry.
func entryConfig(c *config.Config, i int) infer.Config {
	e, dir := &c.Entries[i], filepath.Dir(c.File())
	cfg := infer.Config{
		Module: e.Module, Entry: e.Entry, Args: e.Args, Set: e.Set, Assume: e.Assume, Call: e.Call, Eval: e.Eval,
		TorchVersion: c.TorchVersion, Roots: roots(c),
	}
	if e.File != "" {
		cfg.File = relative(filepath.Join(dir, e.File))
	} else if len(cfg.Roots) == 0 {
		cfg.Roots = []string{relative(dir)}
	}
	return cfg
}

// roots are the paths of the configuration.
func roots(c *config.Config) []string {
	var out []string
	for _, p := range c.Paths {
		out = append(out, relative(filepath.Join(filepath.Dir(c.File()), p)))
	}
	return out
}

// relative names a file from the current directory, as output shows it.
func relative(file string) string {
	if wd, err := os.Getwd(); err == nil {
		if rel, err := filepath.Rel(wd, file); err == nil {
			return rel
		}
	}
	return file
}

// printProject prints a line for each entry, the findings, and the sum.
func printProject(w io.Writer, fs *source.FileSet, list []*checked, kept []*diag.Diagnostic, d time.Duration) error {
	style := text.Style{Color: colored(w), Width: width()}
	failed := 0
	for _, x := range list {
		state, what := style.Paint("32", "ok  "), ""
		switch {
		case x.err != nil:
			state, what = style.Paint("1;31", "FAIL"), x.err.Error()
			failed++
		case exitCode(x.res, false) != exitClean:
			state, what = style.Paint("1;31", "FAIL"), report.Tally(x.res)
			failed++
		case x.res.Output != nil:
			what = "→ " + x.res.Output.String()
		}
		fmt.Fprintf(w, "%s %s %s (%s)\n", state, x.name, what, elapsed(x.time))
	}
	for _, d := range kept {
		fmt.Fprintln(w)
		text.Print(w, fs, d, style)
	}
	_, err := fmt.Fprintf(w, "\n%d entries, %d failed, %d findings, %s\n", len(list), failed, len(kept), elapsed(d))
	return err
}

// projectJSON writes the documents of the entries.
func projectJSON(w io.Writer, list []*checked) error {
	type entry struct {
		Name   string           `json:"name"`
		Error  string           `json:"error,omitempty"`
		Result *report.Document `json:"result,omitempty"`
	}
	doc := struct {
		Version int     `json:"version"`
		Entries []entry `json:"entries"`
	}{report.Version, []entry{}}
	for _, x := range list {
		e := entry{Name: x.name}
		if x.err != nil {
			e.Error = x.err.Error()
		} else {
			e.Result = report.Build(x.res)
		}
		doc.Entries = append(doc.Entries, e)
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	return enc.Encode(doc)
}

// shardVariables name the variables in which CI systems give a part and the
// number of parts, and the number of the first part.
var shardVariables = []struct {
	index, total string
	first        int
}{
	{"TEST_SHARD_INDEX", "TEST_TOTAL_SHARDS", 0},                  // Bazel
	{"CI_NODE_INDEX", "CI_NODE_TOTAL", 1},                         // GitLab
	{"CIRCLE_NODE_INDEX", "CIRCLE_NODE_TOTAL", 0},                 // CircleCI
	{"BUILDKITE_PARALLEL_JOB", "BUILDKITE_PARALLEL_JOB_COUNT", 0}, // Buildkite
}

// sharded gives the numbers of the entries of one part: "2/5" is the second of
// five, "auto" asks the CI system, "" is all.
func sharded(shard string, n int) ([]int, error) {
	part, parts := 1, 1
	switch shard {
	case "":
	case "auto":
		for _, v := range shardVariables {
			i, err1 := strconv.Atoi(os.Getenv(v.index))
			k, err2 := strconv.Atoi(os.Getenv(v.total))
			if err := errors.Join(err1, err2); err == nil {
				part, parts = i-v.first+1, k
				break
			}
		}
	default:
		i, k, _ := strings.Cut(shard, "/")
		var err1, err2 error
		part, err1 = strconv.Atoi(i)
		parts, err2 = strconv.Atoi(k)
		if err := errors.Join(err1, err2); err != nil {
			return nil, fmt.Errorf("--shard %s: expected PART/PARTS, as in 1/4, or auto", shard)
		}
	}
	if part < 1 || part > parts {
		return nil, fmt.Errorf("--shard %s: part %d of %d", shard, part, parts)
	}
	out := []int{}
	for i := part - 1; i < n; i += parts {
		out = append(out, i)
	}
	return slices.Clip(out), nil
}
