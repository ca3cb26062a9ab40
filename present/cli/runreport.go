package cli

// This file writes what run and test did as JSON: --report-json.

import (
	"bytes"
	"encoding/json"
	"slices"
	"time"

	"shapecheck/internal/atomicfile"
	"shapecheck/runtime/observe"
)

// runReportVersion is that of the document; fields are added, never changed.
const runReportVersion = 1

// A runReport is what a run took and gave.
type runReport struct {
	Version      int            `json:"version"`
	Engine       string         `json:"engine"`
	Tier         string         `json:"tier"`
	Threads      int            `json:"threads"`
	PrepareMS    float64        `json:"prepare_ms"` // export, compilation and loading
	RunMS        float64        `json:"run_ms"`     // the first run
	Instructions int64          `json:"instructions"`
	PeakBytes    int64          `json:"peak_bytes"`
	ArenaBytes   int64          `json:"arena_bytes,omitempty"` // planned for values and what kernels need
	ArenaBound   int64          `json:"arena_bound,omitempty"` // in use at one time
	Outputs      []outputReport `json:"outputs"`
	Error        string         `json:"error,omitempty"`
	Bench        *benchReport   `json:"bench,omitempty"`
	Operators    []costReport   `json:"operators,omitempty"` // of one run
}

type outputReport struct {
	Name string `json:"name"`
	Type string `json:"type"`
}

// A benchReport has the times of runs after the first.
type benchReport struct {
	Runs     int     `json:"runs"`
	MinMS    float64 `json:"min_ms"`
	MedianMS float64 `json:"median_ms"`
	P90MS    float64 `json:"p90_ms"`
	P99MS    float64 `json:"p99_ms"`
	MaxMS    float64 `json:"max_ms"`
}

type costReport struct {
	Operator string  `json:"operator"`
	Kernel   string  `json:"kernel"`
	Count    int64   `json:"count"`
	MS       float64 `json:"ms"`
	Flops    int64   `json:"flops"` // 0: not known
	Bytes    int64   `json:"bytes"`
}

// percentiles sorts the times.
func percentiles(times []time.Duration) *benchReport {
	slices.Sort(times)
	n := len(times)
	at := func(q int) float64 { return millis(times[min(n-1, n*q/100)]) }
	return &benchReport{n, at(0), at(50), at(90), at(99), at(100)}
}

func millis(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1e6 }

// costsOf are the costs of one of n runs.
func costsOf(list []observe.Cost, n int64) (out []costReport) {
	for _, c := range list {
		out = append(out, costReport{c.Op.String(), c.Kernel, c.Count / n, millis(c.Time) / float64(n), c.Flops / n, c.Bytes / n})
	}
	return out
}

// A testReport is what tests did.
type testReport struct {
	Version int            `json:"version"`
	Passed  int            `json:"passed"`
	Failed  int            `json:"failed"`
	Skipped int            `json:"skipped"`
	Tests   []testedReport `json:"tests"`
}

type testedReport struct {
	Name    string `json:"name"`
	Outcome string `json:"outcome"` // passed, types (by types and sizes alone), failed or skipped
	// Reason is why it failed or is skipped.
	Reason    string  `json:"reason,omitempty"`
	PrepareMS float64 `json:"prepare_ms"`
	RunMS     float64 `json:"run_ms"`
}

// writeJSON writes a document into a file, whole or not at all.
func writeJSON(path string, doc any) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	if err := enc.Encode(doc); err != nil {
		return err
	}
	return atomicfile.Write(path, b.Bytes())
}
