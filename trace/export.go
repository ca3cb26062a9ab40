package trace

// This file reports what torch.export makes of a script's modules.

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"shapecheck/infer"
	"shapecheck/symshape"
	"shapecheck/trace/export"
	"shapecheck/trace/retrace"
)

// An Export is what torch.export makes of a module in one mode.
type Export struct {
	Strict bool `json:"strict"`
	OK     bool `json:"ok"`
	// Inputs has for each tensor among the arguments its sizes; for others what they are.
	Inputs Inputs `json:"inputs,omitempty"`
	// Ranges are the least and the largest value of each symbol; null: there is none.
	Ranges *map[string][2]*int64 `json:"ranges,omitempty"`
	Error  *ExportError          `json:"error,omitempty"`
}

// Inputs are arguments in their order.
type Inputs []export.Input

// MarshalJSON writes an object with the names as keys, in their order. It returns an error where the sizes of an input
// cannot be encoded.
func (list Inputs) MarshalJSON() ([]byte, error) {
	var b strings.Builder
	for i, x := range list {
		sep := ", "
		if i == 0 {
			sep = ""
		}
		var of any = x.Sizes
		if x.Sizes == nil {
			of = x.Text
		}
		v, err := json.Marshal(of)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&b, "%s%s: %s", sep, strconv.Quote(x.Name), v)
	}
	return []byte("{" + b.String() + "}"), nil
}

// An ExportError is why there is no program.
type ExportError struct {
	Type    string `json:"type"`
	Message string `json:"message"`
	Kind    string `json:"kind"`
	Line    int    `json:"line,omitempty"`
	// Fixes are declarations of Dims that the module takes.
	Fixes []string `json:"fixes,omitempty"`
}

// exports adds what torch.export makes.
func (x *Call) exports(r *infer.Result, c *retrace.Call) {
	if len(c.Exports) == 2 {
		if e := exportOf(r, c.Exports[0]); e != nil {
			x.Result = e
		}
		x.Other = exportOf(r, c.Exports[1])
	}
}

func exportOf(r *infer.Result, o *export.Outcome) *Export {
	if o == nil {
		return nil
	}
	e := &Export{Strict: o.Strict, OK: o.Error == nil, Inputs: o.Inputs}
	if o.Error != nil {
		e.Error = exportError(o.Error, 0)
		if o.Error.At.IsValid() {
			e.Error.Line = r.Files.Position(o.Error.At.Start).Line
		}
		return e
	}
	ranges := map[string][2]*int64{}
	e.Ranges = &ranges
	for _, x := range o.Ranges {
		var of [2]*int64
		if x.Lo != symshape.NegInf {
			of[0] = &x.Lo
		}
		if x.Hi != symshape.PosInf {
			of[1] = &x.Hi
		}
		ranges[x.Name] = of
	}
	return e
}

// exportError is the report of an error at a line; 0: it has none.
func exportError(e *export.Error, line int) *ExportError {
	out := &ExportError{Type: e.Type[strings.LastIndexByte(e.Type, '.')+1:], Message: e.Message, Kind: e.Kind.String(), Line: line}
	for _, d := range e.Fixes {
		out.Fixes = append(out.Fixes, d.String())
	}
	return out
}

// exports prints the exports of a module and what the runs of the programs give.
func exports(b *strings.Builder, calls []*Call) {
	made := 0
	var rows []row
	for _, c := range calls {
		text := runText(c)
		if c.Kind == "export" {
			made++
			text = "?"
			if e, ok := c.Result.(*Export); ok {
				text = e.text()
			}
		}
		rows = append(rows, row{c.Line, strings.Join(c.Args, ", "), text, text == asModel})
	}
	fmt.Fprintf(b, "%s: %s, %s (%s)\n", calls[0].Function, plural(made, "export"), plural(len(calls)-made, "run"), frameworkNames["export"])
	inColumns(b, "  line\tcall\tgives", folded(rows))
}

// text is the sizes that the program takes, or the error.
func (e *Export) text() string {
	if !e.OK {
		if e.Error.Kind == "other" {
			return e.Error.Type + ": " + e.Error.Message
		}
		return e.Error.Type + ": " + e.Error.Kind
	}
	var parts []string
	for _, in := range e.Inputs {
		if in.Sizes != nil {
			parts = append(parts, in.Name+" ["+strings.Join(in.Sizes, ", ")+"]")
		}
	}
	for _, name := range slices.Sorted(maps.Keys(*e.Ranges)) {
		r := (*e.Ranges)[name]
		switch {
		case strings.HasPrefix(name, "u") || r[0] == nil:
		case r[1] == nil && *r[0] > 0:
			parts = append(parts, fmt.Sprintf("%s >= %d", name, *r[0]))
		case r[1] != nil:
			parts = append(parts, fmt.Sprintf("%d <= %s <= %d", *r[0], name, *r[1]))
		}
	}
	return "a program of " + strings.Join(parts, ", ")
}
