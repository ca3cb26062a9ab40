package main

// This file checks the models of recorded traces: a table of cases (TSV) with the columns id, module to import,
// expression of the model, arguments, arguments by keyword, and further settings, the last three as JSON.
//
// A case is checked like any model (models.go): exported by shapecheck, run in ONNX Runtime on
// the CPU, and compared with what PyTorch gives for the same weights and inputs. Results that
// PyTorch computed can be recorded once and answered from the file, for machines without PyTorch.

import (
	_ "embed"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"shapecheck/tools/counts"
)

// runTraces exports the models of a table of traces and compares ONNX Runtime with PyTorch, or with what --record wrote of
// PyTorch before. Counts are compared in a run of all models only. It returns an error if a model
// differs, a waiver is not needed any more, or the counts are others.
func runTraces(args []string) error {
	c := modelCheck{variants: []variant{{18, "keep"}}}
	f := flag.NewFlagSet("traces", flag.ExitOnError)
	c.flags(f)
	file := f.String("cases", "", "the table of cases")
	path := f.String("path", "", "a folder with the packages as pip installs them")
	only := f.String("only", "", "only models whose name matches")
	f.BoolVar(&c.vm, "vm", false, "the device VM runs each model, too, and is held against ONNX Runtime")
	waiverFile := f.String("waivers", "", "the differences that have a reason: model, verdict, 1 and why, with tabs between them")
	record := f.String("record", "", "a file to record in what PyTorch computes, for --recorded")
	recorded := f.String("recorded", "", "a file that was recorded: PyTorch is not needed")
	onFile := f.String("counts", "", "the file that holds what must be counted")
	update := f.Bool("update-counts", false, "write what was counted into that file")
	if err := f.Parse(args); err != nil {
		return err
	}
	re, err := regexp.Compile(*only)
	if err != nil {
		return err
	}
	cases, err := readTraces(*file, *path, re)
	if err != nil {
		return err
	}
	waivers, err := readWaived(*waiverFile)
	if err != nil {
		return err
	}
	if c.work, err = os.MkdirTemp("", "ortcheck"); err != nil {
		return err
	}
	defer os.RemoveAll(c.work)
	if c.torch, err = newRecorded(c.python, c.work, *record, *recorded); err != nil {
		return err
	}
	defer c.torch.stop()
	if c.ort, err = newORT(c.common.ort, c.work); err != nil {
		return err
	}
	defer c.ort.stop()
	row, wrong, err := c.traces(cases, waivers)
	if err != nil {
		return err
	}
	name := strings.TrimSuffix(filepath.Base(*file), ".tsv")
	row.Name = name
	fmt.Println(row)
	if wrong > 0 {
		return fmt.Errorf("%d models differ", wrong)
	}
	if *only != "" || *onFile == "" {
		return nil
	}
	if list := waivers.Check(waivers.found); list != nil {
		return errors.New(strings.Join(list, "\n"))
	}
	return counts.Check(*onFile, "exported models of "+name, []counts.Row{row}, *update)
}

//go:embed recorded.py
var recordedSource string

// newRecorded runs models in PyTorch, where record is a file that is written, or answers from the
// file recorded. It returns an error if the scripts cannot be written.
func newRecorded(python, work, record, recorded string) (*process, error) {
	scripts := map[string]string{"model.py": modelSource, "recorded.py": recordedSource}
	for name, text := range scripts {
		if err := os.WriteFile(filepath.Join(work, name), []byte(text), 0o666); err != nil {
			return nil, err
		}
	}
	args := []string{filepath.Join(work, "model.py")}
	switch {
	case recorded != "":
		args = []string{filepath.Join(work, "recorded.py"), recorded}
	case record != "":
		args = append(args, record)
	}
	return &process{start: func() *exec.Cmd { return exec.Command(python, args...) }}, nil
}

// place matches the line of a finding. A refusal that names a line of the program counts as
// refused; one without a place is a fault.
var place = regexp.MustCompile(`--> \S+:\d+`)

// traces checks the models, and counts. What PyTorch itself refuses is no model. Each model that
// is not equal is printed with its verdict. wrong counts those that have no reason.
func (c *modelCheck) traces(cases []*modelCase, waivers *waived) (row counts.Row, wrong int, err error) {
	var equal, drawn, refused, listed, noModel int
	for _, m := range cases {
		why, err := c.check(m)
		if err != nil {
			return row, wrong, fmt.Errorf("%s: %w", m.Name, err)
		}
		verdict := "different"
		switch {
		case why == "" && c.drawn:
			drawn++
			if c.verbose {
				fmt.Printf("%s: draws random numbers: equal in types and sizes\n", m.Name)
			}
			continue
		case why == "":
			equal++
			if c.verbose {
				fmt.Printf("%s: equal\n", m.Name)
			}
			continue
		case strings.Contains(why, torchRefuses) && !strings.HasSuffix(why, torchRefuses):
			noModel++
			verdict = "no model"
		case strings.HasPrefix(why, notExported) && place.MatchString(why):
			refused++
			verdict = "refused"
		case waivers.has(m.Name, verdict):
			listed++
			verdict = "listed"
		default:
			wrong++
		}
		fmt.Printf("%s: %s: %s\n", m.Name, verdict, why)
	}
	row.Counts = []counts.Count{{Name: "models", N: len(cases) - noModel}, {Name: "equal", N: equal},
		{Name: "by types and sizes alone", N: drawn}, {Name: "listed", N: listed},
		{Name: "refused", N: refused}, {Name: "different", N: wrong}, {Name: "no model in PyTorch", N: noModel}}
	return row, wrong, nil
}

// readTraces reads the cases whose names match. Lines that begin with # and the head line are
// skipped. It returns an error with the line's number for a row that is malformed, and if no case
// is left.
func readTraces(file, path string, re *regexp.Regexp) ([]*modelCase, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var list []*modelCase
	for i, line := range strings.Split(string(text), "\n") {
		if line == "" || line[0] == '#' || strings.HasPrefix(line, "id\t") {
			continue
		}
		m, err := trace(strings.Split(line, "\t"))
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", file, i+1, err)
		}
		m.Path = []string{path}
		if re.MatchString(m.Name) {
			list = append(list, m)
		}
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%s has no case that matches", file)
	}
	return list, nil
}

// bounded matches an argument of integers below a number, typed a type in a structure.
var (
	// The form is name:type<n.
	bounded = regexp.MustCompile(`^(\w+):(.*)<(\d+)$`)
	typed   = regexp.MustCompile(`\bT\(["']([^"']*)["']\)`)
)

// trace makes the case of a row of the table. Integers without a bound are drawn below 2. It
// returns an error for a model that names no library and for JSON that cannot be read.
func trace(columns []string) (*modelCase, error) {
	columns = append(columns, make([]string, 6)...)
	_, name, _ := strings.Cut(columns[0], "/")
	library, _, ok := strings.Cut(columns[2], ".")
	if !ok {
		return nil, fmt.Errorf("%q names no library", columns[2])
	}
	m := &modelCase{Name: unfit.ReplaceAllString(name, "_"), Module: library, Entry: columns[2], Below: map[string]int{},
		Sizes: []map[string]int64{{}}}
	m.Model = "import " + library
	if columns[1] != "" {
		m.Model += "; import " + columns[1]
	}
	m.Model += "; model = " + columns[2]
	var args []string
	for _, column := range columns[3:5] {
		if column == "" {
			continue
		}
		var list []string
		if err := json.Unmarshal([]byte(column), &list); err != nil {
			return nil, err
		}
		args = append(args, list...)
	}
	for _, a := range args {
		if part := bounded.FindStringSubmatch(a); part != nil {
			n, err := strconv.Atoi(part[3])
			if err != nil {
				return nil, err
			}
			m.Below[part[1]] = n
			a = part[1] + ":" + part[2]
		} else if k, _, isType := strings.Cut(a, ":"); isType {
			m.Below[k] = 2 // a mask, the type of a token
		}
		a = typed.ReplaceAllString(a, "$1")
		m.Args = append(m.Args, strings.ReplaceAll(a, "DEVICE", "'cpu'"))
	}
	if columns[5] != "" {
		var more struct {
			Train bool   `json:"train"`
			Call  string `json:"call"`
		}
		if err := json.Unmarshal([]byte(columns[5]), &more); err != nil {
			return nil, err
		}
		m.Train, m.Call = more.Train, strings.TrimPrefix(more.Call, "model.")
	}
	return m, nil
}

// unfit are characters of names that files do not take.
var unfit = regexp.MustCompile(`[^\w.]`)
