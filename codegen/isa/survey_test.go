package isa

import (
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
)

// Fields that this version does not have are refused where the format is this one's, and left out of those of later ones, however deep
// they are.
func TestFieldsThatNobodyKnows(t *testing.T) {
	later := &Program{Major: Major, Minor: Minor + 1}
	now := &Program{Major: Major, Minor: Minor}
	symbol := protowire.AppendVarint(protowire.AppendTag(nil, 1000, protowire.VarintType), 1)
	const major, symbols = 1, 5 // as program.proto has them
	for name, extra := range map[string][]byte{
		"a field":               protowire.AppendVarint(protowire.AppendTag(nil, 1000, protowire.VarintType), 1),
		"a field of a message":  protowire.AppendBytes(protowire.AppendTag(nil, symbols, protowire.BytesType), symbol),
		"a message as a number": protowire.AppendVarint(protowire.AppendTag(nil, symbols, protowire.VarintType), 1),
		"a number as bytes":     protowire.AppendBytes(protowire.AppendTag(nil, major, protowire.BytesType), []byte{1}),
	} {
		for _, p := range []*Program{now, later} {
			b, err := Encode(p)
			if err != nil {
				t.Fatal(err)
			}
			got, err := Decode(append(b, extra...))
			switch {
			case p == now && (err == nil || !strings.Contains(err.Error(), "it has fields that format")):
				t.Errorf("%s: %v", name, err)
			case p == later && err != nil && !strings.Contains(err.Error(), "symbol"):
				t.Errorf("%s of a later version: %v", name, err)
			case p == later && err == nil && got.Minor != Minor+1:
				t.Errorf("%s of a later version: %v", name, got)
			}
		}
		if b, err := Encode(now); err != nil {
			t.Fatal(err)
		} else if _, err := Decode(b); err != nil {
			t.Errorf("without it: %v", err)
		}
	}
}
