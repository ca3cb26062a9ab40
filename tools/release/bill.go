package main

import (
	"encoding/json"
	"runtime/debug"
	"time"

	"shapecheck/internal/version"
)

// bill is the bill of materials, in CycloneDX 1.6: the modules that the program is linked
// from, as it says itself, with the sums of the go command.
func (r *release) bill() ([]byte, error) {
	type property struct {
		Name  string `json:"name"`
		Value string `json:"value"`
	}
	type component struct {
		Type       string     `json:"type"`
		Ref        string     `json:"bom-ref"`
		Name       string     `json:"name"`
		Version    string     `json:"version"`
		Purl       string     `json:"purl"`
		Properties []property `json:"properties,omitempty"`
	}
	type dependency struct {
		Ref       string   `json:"ref"`
		DependsOn []string `json:"dependsOn,omitempty"`
	}
	of := func(m *debug.Module) component {
		if m.Replace != nil {
			m = m.Replace
		}
		purl := "pkg:golang/" + m.Path + "@" + m.Version
		c := component{Type: "library", Ref: purl, Name: m.Path, Version: m.Version, Purl: purl}
		if m.Sum != "" {
			c.Properties = []property{{"go:sum", m.Sum}}
		}
		return c
	}
	self := component{Type: "application", Ref: "shapecheck", Name: "shapecheck", Version: r.version, Purl: "pkg:pypi/" +
		version.Distribution + "@" + r.version}
	components := []component{of(&debug.Module{Path: "stdlib", Version: r.info.GoVersion[len("go"):]})}
	for _, m := range r.info.Deps {
		components = append(components, of(m))
	}
	needs := dependency{Ref: self.Ref}
	dependencies := []dependency{}
	for _, c := range components {
		needs.DependsOn = append(needs.DependsOn, c.Ref)
		dependencies = append(dependencies, dependency{Ref: c.Ref})
	}
	return json.MarshalIndent(map[string]any{
		"bomFormat":    "CycloneDX",
		"specVersion":  "1.6",
		"version":      1,
		"metadata":     map[string]any{"timestamp": r.time.UTC().Format(time.RFC3339), "component": self},
		"components":   components,
		"dependencies": append([]dependency{needs}, dependencies...),
	}, "", " ")
}
