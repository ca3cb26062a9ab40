package infer

// This file runs random programs of Python and holds what they compute against CPython's
// results. testdata/programs.py makes and records them; other seeds are compared by
//
//	python3.12 testdata/programs.py 7 3000 | gzip > F
//	go test ./infer -run RandomPrograms -programs F

import (
	"compress/gzip"
	"encoding/json"
	"flag"
	"io"
	"os"
	"strings"
	"testing"

	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/tools/counts"
)

const randomFile = "testdata/programs.jsonl.gz"

var (
	programsFile = flag.String("programs", randomFile, "`file` of random programs with CPython's results, as testdata/programs.py writes them")
	programsShow = flag.Int("programs-show", 0, "`number` of values that differ or are not known to print")
)

// A randomProgram is a text that defines forward(), and the texts it returns in CPython 3.12;
// one is nil where it is another in each run.
type randomProgram struct {
	Program string
	Want    []*string
	Lines   []int
}

func TestRandomProgramsAreCPythons(t *testing.T) {
	var programs, equal, wrong, unknown, uncaused int
	shown := 0
	show := func(what string, p randomProgram, i int, got, want string) {
		if shown++; shown <= *programsShow {
			t.Logf("%s: line %d gives %s, in CPython %s: %s", what, p.Lines[i], got, want, strings.Split(p.Program, "\n")[p.Lines[i]-1])
			if *programsShow == 1 {
				t.Log(p.Program)
			}
		}
	}
	for _, p := range randomPrograms(t) {
		programs++
		res, err := Run(Config{File: "program.py", Text: p.Program, Entry: "forward"})
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range res.Diagnostics {
			if d.Severity == diag.Error {
				t.Errorf("line %d: %s\n%s", res.Files.Position(d.At.Start).Line, d.Msg, p.Program)
			}
		}
		list, ok := res.Output.(*value.List)
		caused := len(res.Unknown)+len(res.OutputLost) > 0
		for i, want := range p.Want {
			if want == nil {
				continue
			}
			var v value.Value
			if ok && len(list.Elems) == len(p.Want) {
				v = list.Elems[i]
			}
			switch s, known := v.(value.Str); {
			case !known:
				if unknown++; !caused {
					uncaused++
					show("unknown without a cause", p, i, "not known", *want)
				} else {
					show("unknown", p, i, "not known", *want)
				}
			case string(s) == *want:
				equal++
			default:
				wrong++
				show("differs", p, i, string(s), *want)
			}
		}
	}
	t.Logf("%d programs: %d values equal, %d differ, %d not known, %d of them without a cause", programs, equal, wrong, unknown, uncaused)
	if *programsFile != randomFile {
		return
	}
	if err := counts.Check("../testdata/counts.txt", "random programs beside CPython", []counts.Row{{Name: "all", Counts: []counts.Count{
		{Name: "programs", N: programs}, {Name: "equal", N: equal}, {Name: "differ", N: wrong}, {Name: "unknown", N: unknown},
		{Name: "without a cause", N: uncaused}}}}, *updateCounts); err != nil {
		t.Error(err)
	}
}

// randomPrograms reads the file of programs.
func randomPrograms(t *testing.T) []randomProgram {
	f, err := os.Open(*programsFile)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	var list []randomProgram
	for dec := json.NewDecoder(z); ; {
		var p randomProgram
		if err := dec.Decode(&p); err == io.EOF {
			return list
		} else if err != nil {
			t.Fatal(err)
		}
		list = append(list, p)
	}
}
