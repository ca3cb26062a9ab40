package report

// This file says which installed packages a run has found.

import (
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
