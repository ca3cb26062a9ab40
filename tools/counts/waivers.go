package counts

// This file reads what may differ from ground truth.

import (
	"fmt"
	"os"
	"sort"
	"strconv"
	"strings"
)

// A Waiver allows an outcome that is not the recorded one.
type Waiver struct {
	// Key names what it is about: a function, or a case.
	Key string
	// Verdict is the outcome, as the run calls it.
	Verdict string
	// Count is how many cases of the key have this outcome.
	Count int
	// Reason says why that is right, or whose matter it is.
	Reason string
}

// Waivers are the lines of a file.
type Waivers struct {
	file string
	list []Waiver
}

// ReadWaivers reads a file of lines "key, verdict, count, reason" with tabs between
// them; # starts a comment. It returns an error where the file cannot be read, where a line has another form or a count
// that is not positive, and where a key and verdict have two lines.
func ReadWaivers(file string) (*Waivers, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	w := &Waivers{file: file}
	seen := map[[2]string]bool{}
	for i, line := range strings.Split(string(data), "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		f := strings.Split(line, "\t")
		if len(f) != 4 || f[0] == "" || f[1] == "" || f[3] == "" {
			return nil, fmt.Errorf("%s:%d: expected key, verdict, count and reason with tabs between them", file, i+1)
		}
		n, err := strconv.Atoi(f[2])
		if err != nil || n <= 0 {
			return nil, fmt.Errorf("%s:%d: the count %q is no positive number", file, i+1, f[2])
		}
		if seen[[2]string{f[0], f[1]}] {
			return nil, fmt.Errorf("%s:%d: %s, %s has a line already", file, i+1, f[0], f[1])
		}
		seen[[2]string{f[0], f[1]}] = true
		w.list = append(w.list, Waiver{f[0], f[1], n, f[3]})
	}
	return w, nil
}

// Found counts outcomes that are not the recorded ones, by key and verdict.
type Found map[[2]string]int

// Add notes an outcome.
func (f Found) Add(key, verdict string) { f[[2]string{key, verdict}]++ }

// Has reports whether there is a line for an outcome.
func (w *Waivers) Has(key, verdict string) bool {
	for _, x := range w.list {
		if x.Key == key && x.Verdict == verdict {
			return true
		}
	}
	return false
}

// Check says what was found without a line, in another number than its line says, or
// not at all though it has a line.
func (w *Waivers) Check(found Found) []string {
	var out []string
	listed := map[[2]string]bool{}
	for _, x := range w.list {
		k := [2]string{x.Key, x.Verdict}
		listed[k] = true
		if n := found[k]; n != x.Count {
			out = append(out, fmt.Sprintf("%s: %s, %s: %d cases, the line says %d", w.file, x.Key, x.Verdict, n, x.Count))
		}
	}
	for k, n := range found {
		if !listed[k] {
			out = append(out, fmt.Sprintf("%s: %s, %s: %d cases have no line", w.file, k[0], k[1], n))
		}
	}
	sort.Strings(out)
	return out
}
