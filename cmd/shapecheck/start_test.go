package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// add is a program with next to nothing to do.
const add = `program "add" format 1.0
input "x" f32[4]
output "y" f32[4]
in %0 = {port=0} -> f32[4]
Add %1 = %0, %0 -> f32[4]
free %0
out %1 {port=0}
free %1
`

// BenchmarkStart has whole processes: one that prints its version, and one that runs a program of one addition. It
// reports the processor time of the quickest one, which what else runs disturbs least.
func BenchmarkStart(b *testing.B) {
	dir := b.TempDir()
	self, text, prog := filepath.Join(dir, "shapecheck"), filepath.Join(dir, "add.txt"), filepath.Join(dir, "add.prog")
	if err := os.WriteFile(text, []byte(add), 0o666); err != nil {
		b.Fatal(err)
	}
	for _, args := range [][]string{{"go", "build", "-o", self, "."}, {self, "asm", text, "-o", prog}} {
		if out, err := exec.Command(args[0], args[1:]...).CombinedOutput(); err != nil {
			b.Fatalf("%v: %s", err, out)
		}
	}
	for _, args := range [][]string{{"--version"}, {"run", prog}} {
		b.Run(args[0], func(b *testing.B) {
			least := time.Hour
			for b.Loop() {
				c := exec.Command(self, args...)
				if err := c.Run(); err != nil {
					b.Fatal(err)
				}
				least = min(least, c.ProcessState.UserTime()+c.ProcessState.SystemTime())
			}
			b.ReportMetric(float64(least.Microseconds())/1e3, "least-cpu-ms")
		})
	}
}
