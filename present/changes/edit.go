package changes

// This file compares what was found in files before and after an edit.

import (
	"cmp"
	"strings"

	"shapecheck/check"
	"shapecheck/internal/diag"
)

// An Edit is what an edit changes. Added and Kept have their places in the files after it, Removed in those before.
type Edit struct {
	Added, Removed, Kept []*diag.Diagnostic
	Entries              []EditedEntry
}

// An EditedEntry is an entry with another result or other conditions; a text is empty where there is no such entry.
type EditedEntry struct{ Name, Old, New string }

// OfEdit compares two checks of the same files by the errors and warnings, and by the entries.
func OfEdit(old, now *check.Project) *Edit {
	out := &Edit{}
	oldNames, names := diag.Fingerprints(old.Files, old.Diagnostics), diag.Fingerprints(now.Files, now.Diagnostics)
	before, after := map[string]bool{}, map[string]bool{} // what was an info before and counts now is added
	for i, d := range old.Diagnostics {
		before[oldNames[i]] = before[oldNames[i]] || d.Severity >= diag.Warning
	}
	for i, d := range now.Diagnostics {
		if d.Severity < diag.Warning {
			continue
		}
		after[names[i]] = true
		switch {
		case before[names[i]]:
			out.Kept = append(out.Kept, d)
		default:
			out.Added = append(out.Added, d)
		}
	}
	for i, d := range old.Diagnostics {
		if d.Severity >= diag.Warning && !after[oldNames[i]] {
			out.Removed = append(out.Removed, d)
		}
	}
	was := map[string]string{}
	for i := range old.Entries {
		was[old.Entries[i].Name] = outcomeText(&old.Entries[i])
	}
	for i := range now.Entries {
		x := EditedEntry{now.Entries[i].Name, was[now.Entries[i].Name], outcomeText(&now.Entries[i])}
		delete(was, x.Name)
		if x.Old != x.New {
			out.Entries = append(out.Entries, x)
		}
	}
	for i := range old.Entries {
		if text, gone := was[old.Entries[i].Name]; gone {
			out.Entries = append(out.Entries, EditedEntry{Name: old.Entries[i].Name, Old: text})
		}
	}
	return out
}

// outcomeText is the result and the contract of an entry.
func outcomeText(x *check.Outcome) string {
	if x.Err != nil || !x.Result.Checked {
		return "not checked"
	}
	text := "→ " + cmp.Or(x.Result.OutputType, "?")
	if list := x.Result.Conditions(); len(list) > 0 {
		text += " when " + strings.Join(list, ", ")
	}
	return text
}
