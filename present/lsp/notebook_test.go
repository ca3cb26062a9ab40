package lsp

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// notebookCells are those of the tests' notebook: its second has what only IPython knows.
var notebookCells = []string{
	"import torch\nfrom torch import nn",
	`%matplotlib inline
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 8, 3)
        self.fc = nn.Linear(8, 10)

    def forward(self, x):
        x = self.conv(x)
        x = x.mean((2, 3))
        return self.fc(x)`,
	"x = torch.zeros(4, 3, 32, 32)\ny = Net()(x)",
}

func cellURI(i int) string { return fmt.Sprintf("vscode-notebook-cell:/net.ipynb#c%d", i) }

// openNotebook opens a notebook: a text, and the cells of notebookCells with numbers from 1.
func (c *editor) openNotebook(uri string) {
	cells := []any{map[string]any{"kind": 1, "document": cellURI(0)}}
	texts := []any{map[string]any{"uri": cellURI(0), "languageId": "markdown", "version": 1, "text": "# x = 1"}}
	for i, t := range notebookCells {
		cells = append(cells, map[string]any{"kind": 2, "document": cellURI(i + 1)})
		texts = append(texts, map[string]any{"uri": cellURI(i + 1), "languageId": "python", "version": 1, "text": t})
	}
	c.notify("notebookDocument/didOpen", map[string]any{
		"notebookDocument":  map[string]any{"uri": uri, "notebookType": "jupyter-notebook", "version": 1, "cells": cells},
		"cellTextDocuments": texts,
	})
}

// until waits until a cell has findings of which the first is about something.
func (c *editor) until(cell, about string) []diagnostic {
	c.t.Helper()
	late := time.AfterFunc(time.Minute, func() { c.changed.Broadcast() })
	defer late.Stop()
	begin := time.Now()
	c.mu.Lock()
	defer c.mu.Unlock()
	for {
		p, ok := c.shown[cell]
		if list := p.Diagnostics; ok && (about == "" && len(list) == 0 || about != "" && len(list) > 0 &&
			strings.Contains(list[0].Message, about)) {
			return list
		}
		if time.Since(begin) > 50*time.Second {
			c.t.Fatalf("%s: %v is shown", cell, p.Diagnostics)
		}
		c.changed.Wait()
	}
}

// cell asks for what a cell shows beside its lines.
func (c *editor) cell(i int) string {
	var b strings.Builder
	var hints []inlayHint
	doc := map[string]any{"uri": cellURI(i)}
	c.call("textDocument/inlayHint", map[string]any{"textDocument": doc, "range": textRange{position{0, 0}, position{1000, 0}}}, &hints)
	for _, h := range hints {
		fmt.Fprintf(&b, "%d:%d %s\n", h.Position.Line, h.Position.Character, h.Label)
	}
	return b.String()
}

func (c *editor) editCell(uri string, version, i int, r textRange, text string) {
	c.notify("notebookDocument/didChange", map[string]any{
		"notebookDocument": map[string]any{"uri": uri, "version": version},
		"change": map[string]any{"cells": map[string]any{"textContent": []any{map[string]any{
			"document": map[string]any{"uri": cellURI(i), "version": version}, "changes": []any{contentChange{&r, text}},
		}}}},
	})
}

// A notebook is one program; what is shown of it stands in its cells.
func TestNotebook(t *testing.T) {
	dir := t.TempDir()
	c := start(t, dir, utf16Encoding, "{}")
	defer c.end()
	uri := uriOf(filepath.Join(dir, "net.ipynb"))
	c.openNotebook(uri)
	c.until(cellURI(3), "")
	want := "8:9 : f32[B,8,H-2,W-2] (+1)\n9:9 : f32[B,8] (+1)\n10:25 → f32[B,10] (+1)\n"
	if diff := cmp.Diff(want, c.cell(2)); diff != "" {
		t.Errorf("hints of the model (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff("0:1 : f32[4,3,32,32]\n1:1 : f32[4,10]\n", c.cell(3)); diff != "" {
		t.Errorf("hints of the script (-want +got):\n%s", diff)
	}
	if got := c.cell(0); got != "" {
		t.Errorf("the text has hints: %s", got)
	}
	var h *hover
	c.call("textDocument/hover", map[string]any{"textDocument": map[string]any{"uri": cellURI(2)}, "position": position{8, 16}}, &h)
	if h == nil || !strings.Contains(h.Contents.Value, "conv: torch.nn.Conv2d") {
		t.Errorf("hover over the convolution: %v", h)
	}
	var lenses []codeLens
	c.call("textDocument/codeLens", map[string]any{"textDocument": map[string]any{"uri": cellURI(2)}}, &lenses)
	if len(lenses) == 0 || lenses[0].Range.Start != (position{7, 4}) || !strings.HasPrefix(lenses[0].Command.Title, "Net()") {
		t.Errorf("lenses: %v", lenses)
	}

	// A mistake in the last cell is found in the model's, and the last one is named beside it.
	c.editCell(uri, 2, 3, textRange{position{0, 19}, position{0, 20}}, "5")
	list := c.until(cellURI(2), "channels")
	if at := list[0].Range.Start; at != (position{8, 12}) {
		t.Errorf("the finding is at %v", at)
	}
	if r := list[0].RelatedInformation; !slices.ContainsFunc(r, func(r relatedLocation) bool { return r.Location.URI == cellURI(3) }) {
		t.Errorf("the call is not named beside it: %v", r)
	}
	c.editCell(uri, 3, 3, textRange{position{0, 19}, position{0, 20}}, "3")
	c.until(cellURI(2), "")

	// A cell before the others moves them, and none of their lines.
	c.notify("notebookDocument/didChange", map[string]any{
		"notebookDocument": map[string]any{"uri": uri, "version": 4},
		"change": map[string]any{"cells": map[string]any{"structure": map[string]any{
			"array":   map[string]any{"start": 1, "deleteCount": 0, "cells": []any{map[string]any{"kind": 2, "document": cellURI(9)}}},
			"didOpen": []any{map[string]any{"uri": cellURI(9), "languageId": "python", "version": 1, "text": "size = 3\n"}},
		}}},
	})
	if diff := cmp.Diff(want, c.cell(2)); diff != "" {
		t.Errorf("hints after a new cell (-want +got):\n%s", diff)
	}

	c.notify("notebookDocument/didClose", map[string]any{"notebookDocument": map[string]any{"uri": uri}, "cellTextDocuments": []any{}})
	if got := c.cell(2); got != "" {
		t.Errorf("a notebook that was closed has hints: %s", got)
	}
}

// An edit of the program is one of the cells, and leaves what is IPython's as it is.
func TestNotebookActions(t *testing.T) {
	dir := t.TempDir()
	c := start(t, dir, utf16Encoding, "{}")
	defer c.end()
	uri := uriOf(filepath.Join(dir, "net.ipynb"))
	c.openNotebook(uri)
	c.until(cellURI(3), "")
	act := func(cell, line int, title string) map[string][]textEdit {
		t.Helper()
		var list []codeAction
		p := position{line, 0}
		c.call("textDocument/codeAction", map[string]any{"textDocument": map[string]any{"uri": cellURI(cell)}, "range": textRange{p, p},
			"context": map[string]any{"diagnostics": []any{}}}, &list)
		for _, a := range list {
			if strings.HasPrefix(a.Title, title) && a.Edit != nil {
				return a.Edit.Changes
			}
		}
		t.Fatalf("no action %q in %v", title, list)
		return nil
	}
	changes := act(2, 7, "Check with these shapes")
	edits := changes[cellURI(2)]
	above := textRange{position{1, 0}, position{1, 0}}
	if len(changes) != 1 || len(edits) != 1 || edits[0].Range != above ||
		!strings.HasPrefix(edits[0].NewText, "# shapecheck: check Net() x:f32[B,3,H,W]") {
		t.Errorf("changes: %v", changes)
	}
	c.editCell(uri, 2, 3, textRange{position{0, 19}, position{0, 20}}, "5")
	c.until(cellURI(2), "channels")
	changes = act(2, 8, "Ignore SC")
	edits = changes[cellURI(2)]
	const hidden = "        x = self.conv(x)  # shapecheck: ignore[SC"
	if len(changes) != 1 || len(edits) != 1 || edits[0].Range.Start.Line != 8 || !strings.HasPrefix(edits[0].NewText, hidden) {
		t.Errorf("changes: %v", changes)
	}
}
