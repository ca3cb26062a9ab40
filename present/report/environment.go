package report

// This file says which installed packages a run has found.

import (
	"cmp"
	"slices"
	"strings"

	"shapecheck/check/record"
	"shapecheck/infer"
	"shapecheck/internal/safetext"
)

// FoundOfAll is the line that names the environment of several results, with what was followed for one of them at least.
func FoundOfAll(list []*infer.Result) string {
	var all *record.Environment
	for _, r := range list {
		x := record.EnvironmentOf(r.Installed)
		switch {
		case x == nil:
		case all == nil:
			all = &record.Environment{Folder: x.Folder, Torch: x.Torch, Followed: slices.Clone(x.Followed), Idle: slices.Clone(x.Idle)}
		default:
			all.Torch = cmp.Or(all.Torch, x.Torch)
			all.Followed, all.Idle = append(all.Followed, x.Followed...), append(all.Idle, x.Idle...)
		}
	}
	if all != nil {
		slices.Sort(all.Followed)
		slices.Sort(all.Idle)
		all.Followed, all.Idle = slices.Compact(all.Followed), slices.Compact(all.Idle)
	}
	return environmentLine(all)
}

// Found is the line that names the environment of a result.
func Found(r *infer.Result) string { return environmentLine(record.EnvironmentOf(r.Installed)) }

// FoundIn is the line that names the environment of the run that a document is of.
func FoundIn(s *record.Stored) string { return environmentLine(s.Environment) }

// environmentLine is one line. There may be no environment (nil), or none was needed.
func environmentLine(x *record.Environment) string {
	if x == nil {
		return "environment: none was used"
	}
	line := "environment: " + x.Folder
	if x.Torch != "" {
		line += ", PyTorch " + x.Torch
	}
	if len(x.Followed) > 0 {
		line += "; followed: " + strings.Join(x.Followed, ", ")
	}
	if len(x.Idle) > 0 {
		line += "; not followed: " + strings.Join(x.Idle, ", ")
	}
	return safetext.Line(line)
}
