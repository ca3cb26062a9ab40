package cli

// This file prints the run of a test suite: lines of files and cases, the failures, the sum; JSON and JUnit.

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strings"

	"shapecheck/internal/atomicfile"
	"shapecheck/present/render/text"
	"shapecheck/suite"
)

// A suitePrinter prints a run as it goes.
type suitePrinter struct {
	w      io.Writer
	flags  *suiteFlags
	text   bool
	report *suite.Report
	width  int
}

// suiteOutputs reads the values of --output-format: the format by the file that it goes to, empty for standard output.
func suiteOutputs(specs []string) (map[string]string, error) {
	out := map[string]string{}
	for _, s := range specs {
		format, file, _ := strings.Cut(s, "=")
		if !slices.Contains([]string{"text", "json", "junit"}, format) {
			return nil, fmt.Errorf("--output-format %s: no such format; there are: json, junit, text", format)
		}
		if file == "-" {
			file = ""
		}
		if _, taken := out[file]; taken {
			return nil, fmt.Errorf("--output-format %s: another format goes there", s)
		}
		if file != "" {
			if err := atomicfile.Check(file); err != nil {
				return nil, fmt.Errorf("--output-format %s: %w", s, err)
			}
		}
		out[file] = format
	}
	if out[""] == "" {
		out[""] = "text"
	}
	return out, nil
}

// begin prints nothing yet; it measures the names of the files.
func (p *suitePrinter) begin(r *suite.Report) {
	p.report = r
	for _, f := range r.Files {
		p.width = max(p.width, len(f.ID))
	}
	p.width = min(p.width, 60)
}

// verdictCounts are the counts of verdicts, as "✓ 31  ~ 4  ✗ 1".
func verdictCounts(n map[suite.Verdict]int) string {
	var parts []string
	dash := n[suite.Skipped] + n[suite.Refused]
	for _, v := range []suite.Verdict{suite.Holds, suite.Runs, suite.Fails, suite.Undecided} {
		if n[v] > 0 {
			parts = append(parts, fmt.Sprintf("%s %d", v.Glyph(), n[v]))
		}
	}
	if dash > 0 {
		parts = append(parts, fmt.Sprintf("– %d", dash))
	}
	return strings.Join(parts, "  ")
}

// file prints the line of a file whose cases have run.
func (p *suitePrinter) file(f *suite.File) {
	if !p.text || p.flags.quiet {
		return
	}
	switch {
	case f.Refused != "":
		fmt.Fprintf(p.w, "%-*s  – not collected: %s\n", p.width, f.ID, f.Refused)
		return
	case f.Skipped != "":
		fmt.Fprintf(p.w, "%-*s  – skipped: %s\n", p.width, f.ID, f.Skipped)
		return
	case len(f.Cases) == 0:
		return
	}
	if !p.flags.verbose {
		fmt.Fprintf(p.w, "%-*s  %s\n", p.width, f.ID, verdictCounts(f.Count()))
		return
	}
	for _, c := range f.Cases {
		fmt.Fprintf(p.w, "%s %s", c.Verdict.Glyph(), c.ID)
		switch {
		case c.Verdict == suite.Skipped || c.Verdict == suite.Refused || c.Verdict == suite.Undecided:
			fmt.Fprintf(p.w, "  %s: %s", c.Verdict, c.Cause)
		case c.Verdict == suite.Runs && c.Reached > 0:
			fmt.Fprintf(p.w, "  %d of %d asserts decided", c.Decided, c.Reached)
		}
		fmt.Fprintln(p.w)
	}
}

// collected prints the node ids, as pytest --collect-only -q does.
func (p *suitePrinter) collected() {
	if !p.text {
		return
	}
	n := 0
	for _, f := range p.report.Files {
		for _, c := range f.Cases {
			fmt.Fprintln(p.w, c.ID)
			n++
		}
	}
	for _, f := range p.report.Files {
		if f.Refused != "" {
			fmt.Fprintf(p.w, "%s: not collected: %s\n", f.ID, f.Refused)
		}
	}
	fmt.Fprintf(p.w, "\n%s collected", counted(n, "test"))
	if d := p.report.Deselected; d > 0 {
		fmt.Fprintf(p.w, ", %d deselected", d)
	}
	fmt.Fprintln(p.w)
}

// end prints the failures and the sum.
func (p *suitePrinter) end() {
	if !p.text {
		return
	}
	total := map[suite.Verdict]int{}
	refused := map[string]int{}
	files := 0
	for _, f := range p.report.Files {
		if f.Refused != "" {
			files++
		}
		for _, c := range f.Cases {
			total[c.Verdict]++
			if c.Verdict == suite.Refused {
				refused[c.Cause]++
			}
			if c.Verdict != suite.Fails {
				continue
			}
			fmt.Fprintf(p.w, "\n✗ %s\n", c.ID)
			p.findings(p.w, c)
		}
	}
	fmt.Fprintln(p.w)
	var parts []string
	n := 0
	for _, v := range suite.Verdicts {
		n += total[v]
		if total[v] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", total[v], verdictWord(v, total[v])))
		}
	}
	fmt.Fprintf(p.w, "%s: %s", counted(n, "case"), strings.Join(parts, ", "))
	if p.report.Deselected > 0 {
		fmt.Fprintf(p.w, "; %d deselected", p.report.Deselected)
	}
	if files > 0 {
		fmt.Fprintf(p.w, "; %s not collected", counted(files, "file"))
	}
	fmt.Fprintln(p.w)
	var why []string
	for cause, n := range refused {
		why = append(why, fmt.Sprintf("refused %d: %s", n, cause))
	}
	slices.Sort(why)
	for _, w := range why {
		fmt.Fprintln(p.w, w)
	}
}

// findings prints the faults of a case.
func (p *suitePrinter) findings(w io.Writer, c *suite.Case) {
	for _, d := range c.Findings {
		text.Print(w, p.report.Sources, d, text.Style{})
	}
}

// verdictWord is a verdict as the sum has it.
func verdictWord(v suite.Verdict, n int) string {
	if n == 1 {
		return v.String()
	}
	switch v {
	case suite.Holds:
		return "hold"
	case suite.Runs:
		return "run"
	case suite.Fails:
		return "fail"
	}
	return v.String()
}

// writeSuite writes a run as JSON or as a JUnit report.
func (a *app) writeSuite(p *suitePrinter, format, file string) error {
	var b strings.Builder
	var err error
	switch format {
	case "json":
		err = p.json(&b)
	case "junit":
		err = p.junit(&b)
	default:
		q := *p
		q.w, q.text = &b, true
		for _, f := range p.report.Files {
			q.file(f)
		}
		q.end()
	}
	if err != nil {
		return err
	}
	if file == "" {
		_, err = io.WriteString(a.out, b.String())
		return err
	}
	return atomicfile.Write(file, []byte(b.String()))
}

type suiteJSON struct {
	Root  string         `json:"root"`
	Files []suiteFile    `json:"files"`
	Count map[string]int `json:"count"`
	Load  float64        `json:"load_seconds"`
}

type suiteFile struct {
	ID      string      `json:"id"`
	Refused string      `json:"refused,omitempty"`
	Skipped string      `json:"skipped,omitempty"`
	Broken  string      `json:"broken,omitempty"`
	Cases   []suiteCase `json:"cases"`
}

type suiteCase struct {
	ID       string         `json:"id"`
	Line     int            `json:"line,omitempty"`
	Verdict  string         `json:"verdict"`
	Cause    string         `json:"cause,omitempty"`
	Findings []suiteFinding `json:"findings,omitempty"`
	Reached  int            `json:"asserts_reached"`
	Decided  int            `json:"asserts_decided"`
	Asserts  []suiteAssert  `json:"asserts,omitempty"`
	Seconds  float64        `json:"seconds"`
}

type suiteFinding struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	File    string `json:"file,omitempty"`
	Line    int    `json:"line,omitempty"`
}

type suiteAssert struct {
	File      string `json:"file"`
	Line      int    `json:"line"`
	Kind      string `json:"kind,omitempty"`
	True      int    `json:"true"`
	False     int    `json:"false"`
	Undecided int    `json:"undecided"`
}

func (p *suitePrinter) json(w io.Writer) error {
	r := p.report
	doc := suiteJSON{Root: r.Config.Root, Files: []suiteFile{}, Count: map[string]int{}, Load: r.Load.Seconds()}
	for _, f := range r.Files {
		sf := suiteFile{ID: f.ID, Refused: f.Refused, Skipped: f.Skipped, Broken: f.Broken, Cases: []suiteCase{}}
		for _, c := range f.Cases {
			doc.Count[c.Verdict.String()]++
			sc := suiteCase{ID: c.ID, Line: c.Line, Verdict: c.Verdict.String(), Cause: c.Cause, Reached: c.Reached, Decided: c.Decided,
				Seconds: c.Spent.Seconds()}
			if p.flags.collectOnly {
				sc.Verdict = ""
			}
			for _, d := range c.Findings {
				at := r.Sources.Position(d.At.Start)
				x := suiteFinding{Code: string(d.Code), Message: d.Msg, Line: at.Line}
				if at.File != nil {
					x.File = at.File.Place()
				}
				sc.Findings = append(sc.Findings, x)
			}
			for _, s := range c.Asserts {
				at := r.Sources.Position(s.At.Start)
				x := suiteAssert{Line: at.Line, Kind: s.Kind, True: s.True, False: s.False, Undecided: s.Undecided}
				if at.File != nil {
					x.File = at.File.Place()
				}
				sc.Asserts = append(sc.Asserts, x)
			}
			sf.Cases = append(sf.Cases, sc)
		}
		doc.Files = append(doc.Files, sf)
	}
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	return enc.Encode(doc)
}

type junitSuites struct {
	XMLName xml.Name   `xml:"testsuites"`
	Name    string     `xml:"name,attr"`
	Suite   junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name     string      `xml:"name,attr"`
	Errors   int         `xml:"errors,attr"`
	Failures int         `xml:"failures,attr"`
	Skipped  int         `xml:"skipped,attr"`
	Tests    int         `xml:"tests,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Class   string        `xml:"classname,attr"`
	Name    string        `xml:"name,attr"`
	Time    string        `xml:"time,attr"`
	Failure *junitMessage `xml:"failure"`
	Skipped *junitMessage `xml:"skipped"`
}

type junitMessage struct {
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

// junit writes a JUnit report with the names of classes and cases that pytest gives them.
func (p *suitePrinter) junit(w io.Writer) error {
	doc := junitSuites{Name: "pytest tests", Suite: junitSuite{Name: "pytest"}}
	s := &doc.Suite
	for _, f := range p.report.Files {
		class := strings.ReplaceAll(strings.TrimSuffix(f.ID, ".py"), "/", ".")
		for _, c := range f.Cases {
			jc := junitCase{Class: strings.Join(append([]string{class}, c.Classes...), "."), Name: c.Name,
				Time: fmt.Sprintf("%.3f", c.Spent.Seconds())}
			s.Tests++
			switch c.Verdict {
			case suite.Fails:
				s.Failures++
				var b strings.Builder
				p.findings(&b, c)
				jc.Failure = &junitMessage{Message: c.Findings[0].Msg, Text: b.String()}
			case suite.Skipped, suite.Refused, suite.Undecided:
				s.Skipped++
				jc.Skipped = &junitMessage{Message: c.Verdict.String() + ": " + c.Cause}
			}
			s.Cases = append(s.Cases, jc)
		}
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	enc := xml.NewEncoder(w)
	enc.Indent("", "  ")
	if err := enc.Encode(doc); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}
