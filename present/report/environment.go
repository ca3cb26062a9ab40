package report

// This file says which installed packages a run has found.

import (
	"cmp"
	"slices"
	"strings"

	"shapecheck/infer"
	"shapecheck/internal/safetext"
)

// An Environment is where installed packages were looked for, and which were asked for.
type Environment struct {
	Folder string `json:"folder"`
	// Torch is the version of its PyTorch where the run took it.
	Torch string `json:"torch,omitempty"`
	// Followed ran from their source; Idle give unknown values.
	Followed []string `json:"followed"`
	Idle     []string `json:"not_followed"`
}

func environment(x *infer.Installed) *Environment {
	if x == nil {
		return nil
	}
	return &Environment{x.Folder, x.Torch, x.Followed, x.Idle}
}

// FoundOfAll is the line that names the environment of several results, with what was followed for one of them at least.
func FoundOfAll(list []*infer.Result) string {
	var all *Environment
	for _, r := range list {
		x := environment(r.Installed)
		switch {
		case x == nil:
		case all == nil:
			all = &Environment{x.Folder, x.Torch, slices.Clone(x.Followed), slices.Clone(x.Idle)}
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
	return all.String()
}

// Found is the line that names the environment of a result.
func Found(r *infer.Result) string { return environment(r.Installed).String() }

// Found is the line that names the environment of the run that the document is of.
func (s *Stored) Found() string { return s.Environment.String() }

// String is one line. There may be no environment (nil), or none was needed.
func (x *Environment) String() string {
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
