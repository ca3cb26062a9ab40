package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// growth is by how much a wheel may grow before somebody has to say so: 5 percent.
const growth = 1.05

// compareSizes prints the sizes of the wheels, and holds them against a file of lines
// "TARGET BYTES".
func (r *release) compareSizes() error {
	known := map[string]int64{}
	if r.sizes != "" && !r.updateSizes {
		text, err := os.ReadFile(r.sizes)
		if err != nil {
			return err
		}
		for line := range strings.Lines(string(text)) {
			var name string
			var n int64
			if _, err := fmt.Sscanf(line, "%s %d", &name, &n); err != nil {
				return fmt.Errorf("%s: %q: %w", r.sizes, line, err)
			}
			known[name] = n
		}
	}
	var now bytes.Buffer
	var grown []string
	for _, t := range r.targets {
		info, err := os.Stat(filepath.Join(r.out, wheels, wheelName(r.version, t)))
		if err != nil {
			return err
		}
		fmt.Fprintf(&now, "%s %d\n", t, info.Size())
		fmt.Printf("%-14s wheel %5.2f MB\n", t, float64(info.Size())/1e6)
		if n, ok := known[t.String()]; ok && float64(info.Size()) > growth*float64(n) {
			grown = append(grown, fmt.Sprintf("%s from %d to %d bytes", t, n, info.Size()))
		}
	}
	if r.updateSizes && r.sizes != "" {
		return os.WriteFile(r.sizes, now.Bytes(), 0o666)
	}
	if len(grown) > 0 {
		return fmt.Errorf("wheels grew by more than 5 percent: %s; --update-sizes takes it as it is", strings.Join(grown, ", "))
	}
	return nil
}
