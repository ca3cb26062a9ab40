package record

// This file defines the document of --interface: what users of the checked entries can see of them. Its schema is
// docs/interface-schema.json. It has no positions, so that it stays as it is where lines move.

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"shapecheck/contract"
	"shapecheck/infer"
)

// InterfaceVersion is the version of the document of --interface.
const InterfaceVersion = 1

// An Interfaces is the document of --interface.
type Interfaces struct {
	Version int              `json:"version"`
	Entries []InterfaceEntry `json:"entries"`
	// Modules are the project's own of which something ran.
	Modules []InterfaceModule `json:"modules"`
}

// An InterfaceEntry is an entry that ran, by the name FILE::ENTRY.
type InterfaceEntry struct {
	Name   string         `json:"name"`
	State  string         `json:"state"`
	Basis  string         `json:"basis"`
	Args   []InterfaceArg `json:"args"`
	Call   string         `json:"call,omitempty"`
	Eval   bool           `json:"eval,omitempty"`
	Set    []string       `json:"set,omitempty"`
	Assume []string       `json:"assume,omitempty"`
	*Interface
}

// An InterfaceArg is an argument and how much of it is evidence.
type InterfaceArg struct {
	Text  string `json:"text"`
	Basis string `json:"basis"`
}

// An Interface is what a run of an entry tells of it. Hash is that of what ran, of the modules that are named in Depends.
type Interface struct {
	OutputType   string               `json:"output_type"`
	ResultText   string               `json:"result_text,omitempty"`
	Contract     []InterfaceCondition `json:"contract"`
	ContractText []string             `json:"contract_text,omitempty"`
	StateDict    map[string]string    `json:"state_dict"`
	Depends      []string             `json:"depends"`
	Hash         string               `json:"hash"`
	// Own are the project's own modules among Depends, for the document.
	Own []InterfaceModule `json:"-"`
}

// An InterfaceCondition is a condition of the contract; Training says that training alone needs it.
type InterfaceCondition struct {
	Condition string `json:"condition"`
	Training  bool   `json:"training,omitempty"`
}

// An InterfaceModule is a module with the hash of what other modules can name of it.
type InterfaceModule struct {
	Name   string `json:"name"`
	Public string `json:"public"`
}

// InterfaceOf is the interface of a result with its contract. The run must have noted what ran (infer.Config.NoteRan).
func InterfaceOf(r *infer.Result, c *contract.Contract) *Interface {
	brief := BriefOf(r, c)
	out := &Interface{ResultText: brief.Result, Contract: []InterfaceCondition{}, ContractText: brief.Lines, StateDict: map[string]string{},
		Depends: []string{}}
	if r.Output != nil {
		out.OutputType = r.Output.String()
	}
	for _, x := range Contract(r, c) {
		out.Contract = append(out.Contract, InterfaceCondition{x.Condition, x.Training})
	}
	for _, x := range named(r.State) {
		out.StateDict[x[0]] = x[1]
	}
	h := sha256.New()
	for i := range r.Ran {
		m := &r.Ran[i]
		fmt.Fprintf(h, "%s %s\n", m.Name, m.Hash())
		out.Depends = append(out.Depends, m.Name)
		if m.Own {
			out.Own = append(out.Own, InterfaceModule{m.Name, m.Public()})
		}
	}
	out.Hash = "sha256:" + hex.EncodeToString(h.Sum(nil))
	return out
}
