package summary

// This file makes the JSON document. Its schema is docs/summary-schema.json.

import (
	"shapecheck/contract"
	"shapecheck/symshape"
)

// Version is the version of the document; see report.Version.
const Version = 1

// A Document is a summary as JSON. An Amount that is not known is null.
type Document struct {
	Version    int      `json:"version"`
	Entry      string   `json:"entry"`
	Layers     []Layer  `json:"layers"`
	Totals     Totals   `json:"totals"`
	At         []AtSize `json:"at"`
	NotCounted []string `json:"not_counted"`
}

// A Layer is a row of the table.
type Layer struct {
	Class       string `json:"class"`
	Path        string `json:"path"`
	Depth       int    `json:"depth"`
	Index       int    `json:"index"`
	Leaf        bool   `json:"leaf"`
	Called      bool   `json:"called"`
	Again       bool   `json:"again"`
	More        int    `json:"more,omitempty"`
	Input       string `json:"input"`
	Output      string `json:"output"`
	Params      any    `json:"params"`
	OwnParams   any    `json:"own_params"`
	Trainable   string `json:"trainable"`
	MultAdds    any    `json:"mult_adds"`
	OutputBytes any    `json:"output_bytes"`
}

// Totals are the totals, as expressions where they depend on sizes.
type Totals struct {
	Params          any   `json:"params"`
	TrainableParams any   `json:"trainable_params"`
	Buffers         any   `json:"buffers"`
	ParamBytes      any   `json:"param_bytes"`
	MultAdds        any   `json:"mult_adds"`
	OpMultAdds      any   `json:"op_mult_adds"`
	InputBytes      any   `json:"input_bytes"`
	PassBytes       any   `json:"pass_bytes"`
	PeakBytes       any   `json:"peak_bytes"`
	PeakCandidates  []any `json:"peak_candidates"`
}

// An AtSize has the totals for given sizes.
type AtSize struct {
	Sizes      map[string]int64 `json:"sizes"`
	MultAdds   any              `json:"mult_adds"`
	OpMultAdds any              `json:"op_mult_adds"`
	InputBytes any              `json:"input_bytes"`
	PassBytes  any              `json:"pass_bytes"`
	PeakBytes  any              `json:"peak_bytes"`
	PeakAt     string           `json:"peak_at"`
	// Fits says that the sizes satisfy the contract: else there are no amounts, and Nearest are the next sizes that fit for
	// each that does not.
	Fits    bool               `json:"fits"`
	Nearest map[string][]int64 `json:"nearest,omitempty"`
}

// JSON makes the document.
func JSON(s *Summary, opt Options) *Document {
	t := &Totals{
		Params: number(s.Params), TrainableParams: number(s.Trainable), Buffers: number(s.Buffers), ParamBytes: number(s.ParamBytes),
		MultAdds: number(s.MultAdds), OpMultAdds: number(s.OpMultAdds), InputBytes: number(s.InputBytes), PassBytes: number(s.PassBytes),
		PeakBytes: number(s.Peak.Bytes), PeakCandidates: []any{},
	}
	for _, c := range s.Peak.Candidates {
		t.PeakCandidates = append(t.PeakCandidates, number(c.Bytes))
	}
	d := &Document{Version: Version, Entry: s.res.Entry, Layers: []Layer{}, Totals: *t, At: []AtSize{},
		NotCounted: append([]string{}, s.Uncounted...)}
	for _, r := range s.Rows {
		if opt.Depth > 0 && r.Depth > opt.Depth {
			continue
		}
		d.Layers = append(d.Layers, Layer{
			Class: r.Class, Path: r.Path, Depth: r.Depth, Index: r.Index, Leaf: r.Leaf, Called: r.Called, Again: r.Again, More: r.More,
			Input: r.Input, Output: r.Output, Params: number(r.Params), OwnParams: number(r.Own), Trainable: r.Trainable,
			MultAdds: number(r.MultAdds), OutputBytes: number(r.OutputBytes),
		})
	}
	for i, sizes := range opt.Sizes {
		if list := opt.misfits(i); len(list) > 0 {
			d.At = append(d.At, AtSize{Sizes: sizes, Nearest: contract.Nearest(list)})
			continue
		}
		a := AtSize{
			Sizes: sizes, Fits: true, MultAdds: numberAt(s.MultAdds, sizes), OpMultAdds: numberAt(s.OpMultAdds, sizes),
			InputBytes: numberAt(s.InputBytes, sizes), PassBytes: numberAt(s.PassBytes, sizes),
		}
		if m, n, ok := s.Peak.At(sizes); ok {
			a.PeakBytes = n
			if p := s.res.Files.Position(m.At.Start); p.File != nil {
				a.PeakAt = p.Place()
			}
		}
		d.At = append(d.At, a)
	}
	return d
}

// number is an amount: a number, an expression over the sizes, or nil.
func number(d symshape.Dim) any {
	switch {
	case d.Expr != nil:
		if n, ok := d.Expr.Const(); ok {
			return n
		}
		return d.Expr.String()
	case d.Known:
		return d.Val
	}
	return nil
}

func numberAt(d symshape.Dim, sizes Sizes) any {
	if n, ok := At(d, sizes); ok {
		return n
	}
	return nil
}
