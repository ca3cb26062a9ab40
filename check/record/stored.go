package record

// This file holds documents that were written before: in a cache, or as the
// results of shards. What is inside stays as it was written.

import (
	"bytes"
	"encoding/json"
	"fmt"

	"shapecheck/internal/diag"
	"shapecheck/internal/source"
)

// A Stored is a Document that was read back. Its keys and their order are the
// Document's.
type Stored struct {
	Version      int             `json:"version"`
	Entry        string          `json:"entry"`
	State        string          `json:"state,omitempty"`
	Basis        string          `json:"basis,omitempty"`
	Guess        []Guessed       `json:"guess,omitempty"`
	Checked      *bool           `json:"checked"` // nil in documents of before there was the key
	WhyNot       string          `json:"why_not"`
	Stopped      string          `json:"stopped,omitempty"`
	Untaken      []Branch        `json:"untaken,omitempty"`
	Environment  *Environment    `json:"environment,omitempty"`
	Output       json.RawMessage `json:"output"`
	OutputType   string          `json:"output_type"`
	Lines        json.RawMessage `json:"lines"`
	Calls        json.RawMessage `json:"calls"`
	Parameters   json.RawMessage `json:"parameters"`
	Buffers      json.RawMessage `json:"buffers"`
	Diagnostics  []Diagnostic    `json:"diagnostics"`
	Contract     json.RawMessage `json:"contract"`
	ContractText []string        `json:"contract_text,omitempty"`
	ResultText   string          `json:"result_text,omitempty"`
	Training     int             `json:"training_conditions,omitempty"`
	Example      *Example        `json:"example,omitempty"`
	Unknown      json.RawMessage `json:"unknown"`
	Summary      Summary         `json:"summary"`
}

// Unchecked says why nothing was checked; empty when something was.
func (s *Stored) Unchecked() string {
	if s.Checked == nil || *s.Checked {
		return ""
	}
	return s.WhyNot
}

// Causes are the reasons why values are unknown. It returns an error where the stored causes are not valid JSON of that
// form.
func (s *Stored) Causes() ([]Cause, error) {
	var out []Cause
	err := json.Unmarshal(s.Unknown, &out)
	return out, err
}

// Conditions are those of the contract.
func (s *Stored) Conditions() []Condition {
	var out []Condition
	if json.Unmarshal(s.Contract, &out) != nil {
		return nil // it was made by Store, which cannot fail so
	}
	return out
}

// Brief is the contract as it is shown beside the entry.
func (s *Stored) Brief() *Brief {
	out := &Brief{Lines: s.ContractText, Training: s.Training, Result: s.ResultText}
	if s.Example != nil {
		out.Example = s.Example.Text
	}
	return out
}

// Store makes the stored form of a document. It returns an error where the document has a value that JSON cannot
// encode, or where what it encodes cannot be read again.
func Store(d *Document) (*Stored, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(d); err != nil {
		return nil, err
	}
	return ReadStored(b.Bytes())
}

// Reads reports whether documents of a version are read.
func Reads(version int) bool { return version == Version || version == OldVersion }

// ReadStored reads a document of this version or the one before. It returns an error where data is not valid JSON, or is the document of
// another version.
func ReadStored(data []byte) (*Stored, error) {
	s := &Stored{}
	if err := json.Unmarshal(data, s); err != nil {
		return nil, err
	}
	if !Reads(s.Version) {
		return nil, fmt.Errorf("version %d of the document; this program reads up to version %d", s.Version, Version)
	}
	return s, nil
}

// With is the document with other diagnostics.
func (s *Stored) With(fs *source.FileSet, list []*diag.Diagnostic) *Stored {
	out := *s
	out.Diagnostics = []Diagnostic{}
	out.Summary.Errors, out.Summary.Warnings, out.Summary.Infos = 0, 0, 0
	for _, d := range diag.Causes(list) {
		out.Diagnostics = append(out.Diagnostics, diagnostic(fs, d))
		out.Summary.Add(d.Severity)
	}
	return &out
}

// SummaryOf counts findings, those of one cause once.
func SummaryOf(list []*diag.Diagnostic) Summary {
	var s Summary
	for _, d := range diag.Causes(list) {
		s.Add(d.Severity)
	}
	return s
}

// Add counts a finding.
func (s *Summary) Add(severity diag.Severity) {
	switch severity {
	case diag.Error:
		s.Errors++
	case diag.Warning:
		s.Warnings++
	default:
		s.Infos++
	}
}
