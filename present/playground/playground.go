// Package playground checks a text without a disk, for the page in web/playground: what a browser
// sends as JSON is answered with a section of a page.
package playground

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"shapecheck/check"
	"shapecheck/discover/trial"
	"shapecheck/infer"
	"shapecheck/internal/reads"
	"shapecheck/present/report/html"
)

// A Request is what is to be checked.
type Request struct {
	// Text is the program.
	Text string `json:"text"`
	// Entry is what is called, as on the command line, with Args ("x:f32[B,3,H,W]"); without
	// both the text's models are found, and run with inputs that are annotated or guessed.
	Entry string   `json:"entry"`
	Args  []string `json:"args"`
}

// A Response is what is shown: sections of a page, or why there are none.
type Response struct {
	Sections []string `json:"sections"`
	Error    string   `json:"error"`
	// Findings is how many entries have findings.
	Findings int `json:"findings"`
	// Lines are what stands behind the lines of the text: of each that of the first entry that runs it.
	Lines []Line `json:"lines"`
}

// A Line is what a line of the text makes.
type Line struct {
	Number int    `json:"number"`
	Type   string `json:"type,omitempty"`
	// Severity is that of the first finding of the line; empty where it has none.
	Severity string `json:"severity,omitempty"`
}

// File is the name that findings give the text.
const File = "model.py"

// limits bound a check: the page's user can change the text, and need not wait.
var limits = check.Limits{Timeout: 20 * time.Second, MaxMemory: 1 << 30}

// A Checker keeps the library's parsed files between checks. It is for one check at a time.
type Checker struct{ cache *infer.Cache }

// New makes a checker.
func New() *Checker { return &Checker{infer.NewCache()} }

// CheckJSON answers a request in JSON.
func (c *Checker) CheckJSON(ctx context.Context, data []byte) []byte {
	var q Request
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	r := &Response{}
	if err := d.Decode(&q); err != nil {
		r.Error = err.Error()
	} else {
		r = c.Check(ctx, &q)
	}
	out, err := json.Marshal(r)
	if err != nil { // texts and numbers have JSON
		panic(err)
	}
	return out
}

// Check answers a request. A fault of the program is in the answer.
func (c *Checker) Check(ctx context.Context, q *Request) (r *Response) {
	r = &Response{Sections: []string{}, Lines: []Line{}}
	defer func() {
		if fault := recover(); fault != nil {
			r = &Response{Sections: []string{}, Lines: []Line{}, Error: fmt.Sprintf("internal error: %v", fault)}
		}
	}()
	s := &check.Session{FS: reads.NewMemory(map[string]string{"/" + File: q.Text}), Cache: c.cache, Limits: limits, Keep: check.KeepValues}
	var list []check.Outcome
	if q.Entry != "" || len(q.Args) > 0 {
		res, err := s.Check(ctx, &check.Target{Run: infer.Config{File: File, Entry: q.Entry, Args: q.Args}})
		list = []check.Outcome{{Result: res, Err: err}}
	} else {
		p, err := trial.CheckFiles(ctx, s, []string{File}, check.Unwatched{}, nil)
		if err != nil {
			r.Error = err.Error()
			return r
		}
		if list = p.Entries; len(list) == 0 {
			r.Error = "nothing was found to check: " + whyNot(p)
		}
	}
	for _, x := range list {
		if x.Err != nil {
			r.Error = strings.TrimSpace(r.Error + "\n" + x.Err.Error())
			continue
		}
		switch s := x.State(); {
		case s == check.NotChecked && x.Result.File == nil:
			r.Error = strings.TrimSpace(r.Error + "\n" + x.Name + " was not checked: " + x.WhyNot())
			continue
		case s == check.HasFindings, s == check.NotChecked:
			r.Findings++
		}
		page := html.Of(x.Result.Result, "")
		r.Sections = append(r.Sections, page.Section())
		r.addLines(page)
	}
	return r
}

// addLines adds what an entry makes in lines of the text of which nothing is known yet.
func (r *Response) addLines(page *html.Entry) {
	for _, f := range page.Files {
		if f.Name != File {
			continue
		}
		for _, l := range f.Lines {
			i, found := slices.BinarySearchFunc(r.Lines, l.Number, func(x Line, n int) int { return x.Number - n })
			if !found {
				if l.Type == "" && len(l.Findings) == 0 {
					continue
				}
				r.Lines = slices.Insert(r.Lines, i, Line{Number: l.Number})
			}
			x := &r.Lines[i]
			x.Type = cmp.Or(x.Type, l.Type)
			if len(l.Findings) > 0 {
				x.Severity = cmp.Or(x.Severity, page.Findings[l.Findings[0]].Severity)
			}
		}
	}
}

func whyNot(p *check.Project) string {
	for _, d := range p.Discovered {
		if d.WhyNot != "" {
			return d.WhyNot
		}
	}
	return "name an entry and its arguments"
}
