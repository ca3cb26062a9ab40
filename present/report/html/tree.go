package html

// This file shows what a model costs: amounts, its modules, the memory over the run.

import (
	"path/filepath"
	"strconv"

	"shapecheck/infer"
	"shapecheck/present/summary"
	"shapecheck/symshape"
)

// An amount is a number or an expression over the symbols; Unit is "B" for bytes.
type amount struct {
	Name string `json:"name,omitempty"`
	Expr string `json:"expr"`
	Unit string `json:"unit,omitempty"`
	Text string `json:"text"`
}

// made is an amount as it is written; ok is false where it is not known.
func made(name string, d symshape.Dim, unit string) (amount, bool) {
	a := amount{Name: name, Unit: unit}
	if n, ok := summary.At(d, nil); ok {
		a.Expr, a.Text = strconv.FormatInt(n, 10), summary.Rounded(n)
		if unit == "B" {
			a.Text = summary.Memory(n)
		}
		return a, true
	}
	if d.Expr == nil {
		return a, false
	}
	a.Expr = d.Expr.String()
	a.Text = a.Expr
	return a, true
}

// totals are those of the model that are known, and are not zero.
func totals(s *summary.Summary) []amount {
	var out []amount
	for _, t := range []struct {
		name string
		d    symshape.Dim
		unit string
	}{
		{"parameters", s.Params, ""}, {"memory of parameters", s.ParamBytes, "B"}, {"multiply-adds", s.OpMultAdds, ""},
		{"peak of activations", s.Peak.Bytes, "B"},
	} {
		if a, ok := made(t.name, t.d, t.unit); ok && a.Expr != "0" {
			out = append(out, a)
		}
	}
	return out
}

// A node is a module of the tree.
type node struct {
	Name     string  `json:"name,omitempty"`
	Class    string  `json:"class"`
	Input    string  `json:"input,omitempty"`
	Output   string  `json:"output,omitempty"`
	Params   *amount `json:"params,omitempty"`
	MultAdds *amount `json:"mult_adds,omitempty"`
	Children []node  `json:"children,omitempty"`
	Open     bool    `json:"open,omitempty"`
}

// maxNodes bounds the rows of a tree.
const maxNodes = 2000

func tree(s *summary.Summary) []node {
	n := maxNodes
	if len(s.Rows) == 0 {
		return nil
	}
	return nodes(s.Rows[:1], &n)
}

func nodes(rows []*summary.Row, left *int) []node {
	var out []node
	for _, r := range rows {
		if *left--; *left < 0 {
			break
		}
		n := node{Name: r.Name, Class: r.Class, Input: r.Input, Output: r.Output, Open: r.Depth < 1}
		if a, ok := made("", r.Params, ""); ok && a.Expr != "0" {
			n.Params = &a
		}
		if a, ok := made("", r.MultAdds, ""); ok && a.Expr != "0" {
			n.MultAdds = &a
		}
		n.Children = nodes(r.Children, left)
		out = append(out, n)
	}
	return out
}

// moments are the memory in use over a run: At names the line at which each tensor was made, Bytes
// the amount then, both as indexes of the two lists.
type moments struct {
	Amounts []string `json:"amounts"`
	Places  []string `json:"places"`
	Bytes   []int    `json:"bytes"`
	At      []int    `json:"at"`
}

// maxMoments bounds what is plotted.
const maxMoments = 4000

func timeline(r *infer.Result, s *summary.Summary) *moments {
	list := s.Peak.InUse
	if len(list) < 2 || len(list) > maxMoments {
		return nil
	}
	m := &moments{Amounts: []string{}, Places: []string{}}
	amounts, places := map[string]int{}, map[string]int{}
	index := func(met map[string]int, names *[]string, name string) int {
		i, ok := met[name]
		if !ok {
			i = len(*names)
			met[name], *names = i, append(*names, name)
		}
		return i
	}
	for _, x := range list {
		a, ok := made("", x.Bytes, "B")
		if !ok {
			return nil
		}
		place := ""
		if p := r.Files.Position(x.At.Start); p.File != nil {
			place = filepath.ToSlash(p.Place())
		}
		m.Bytes = append(m.Bytes, index(amounts, &m.Amounts, a.Expr))
		m.At = append(m.At, index(places, &m.Places, place))
	}
	return m
}
