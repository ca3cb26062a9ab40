package main

// This file measures export beside PyTorch's own exporter, in alternation, so that
// whatever else the machine does slows both. Both are whole processes, from source to
// file; of PyTorch's, the call of torch.onnx.export alone is shown as well, without
// loading PyTorch and without making the model.

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

//go:embed speed.py
var speedSource string

// A cost is what one run took.
type cost struct {
	seconds float64 // on the clock, of the whole process
	call    float64 // of these, in torch.onnx.export
	cpu     float64 // of all threads
	peak    int64   // resident memory, in bytes
}

// runSpeed measures exports at two sizes by this command and by torch.onnx.export, each in a process of its own, and prints
// medians. The sizes are taken in turns, so that what else the machine does is the same for both.
func runSpeed(args []string) error {
	var c common
	f := flag.NewFlagSet("speed", flag.ExitOnError)
	c.flags(f)
	file := f.String("cases", "testdata/export/speed.jsonl", "the models, a JSON document per line, each with two sizes")
	path := f.String("path", "", "the folder that holds torchvision")
	rounds := f.Int("rounds", 3, "runs of PyTorch's exporter at each size; shapecheck runs four times as often")
	if err := f.Parse(args); err != nil {
		return err
	}
	cases, err := readCases(*file, *path, regexp.MustCompile(""))
	if err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "ortcheck")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	binary := filepath.Join(work, "shapecheck")
	if out, err := exec.Command("go", "build", "-o", binary, "./cmd/shapecheck").CombinedOutput(); err != nil {
		return fmt.Errorf("go build: %w\n%s", err, out)
	}
	for _, m := range cases {
		if len(m.Sizes) != 2 {
			return fmt.Errorf("%s: %d sizes instead of 2", m.Name, len(m.Sizes))
		}
		var ours, theirs [2][]cost
		for range *rounds {
			for range 4 {
				for i, s := range m.Sizes {
					one, err := m.exportOnce(binary, work, s)
					if err != nil {
						return fmt.Errorf("%s: %w", m.Name, err)
					}
					ours[i] = append(ours[i], one)
				}
			}
			for i, s := range m.Sizes {
				one, err := m.torchOnce(c.python, s)
				if err != nil {
					return fmt.Errorf("%s: %w", m.Name, err)
				}
				theirs[i] = append(theirs[i], one)
			}
		}
		var mine [2]cost
		for i, s := range m.Sizes {
			a, b := middle(ours[i]), middle(theirs[i])
			mine[i] = a
			fmt.Printf("%s at %v: shapecheck %.3f s, %d MB; PyTorch %.2f s, %d MB, in torch.onnx.export %.2f s: %.0f× faster, the call alone %.0f×; 1/%.0f of the memory\n",
				m.Name, s, a.seconds, a.peak>>20, b.seconds, b.peak>>20, b.call, b.seconds/a.seconds, b.call/a.seconds, float64(b.peak)/float64(a.peak))
		}
		fmt.Printf("%s: CPU time at %v over that at %v: %.3f\n", m.Name, m.Sizes[1], m.Sizes[0], mine[1].cpu/mine[0].cpu)
	}
	return nil
}

// middle is the median of each figure.
func middle(list []cost) cost {
	of := func(get func(cost) float64) float64 {
		var all []float64
		for _, x := range list {
			all = append(all, get(x))
		}
		slices.Sort(all)
		return all[len(all)/2]
	}
	return cost{
		seconds: of(func(x cost) float64 { return x.seconds }), call: of(func(x cost) float64 { return x.call }),
		cpu: of(func(x cost) float64 { return x.cpu }), peak: int64(of(func(x cost) float64 { return float64(x.peak) })),
	}
}

// exportOnce runs shapecheck export as its own process, at one size.
func (m *modelCase) exportOnce(binary, work string, sizes map[string]int64) (cost, error) {
	n := *m
	n.Args = slices.Clone(m.Args)
	for i := range n.Args {
		for name, value := range sizes {
			n.Args[i] = strings.ReplaceAll(n.Args[i], name, strconv.FormatInt(value, 10))
		}
	}
	return timed(exec.Command(binary, append([]string{"export", "-o", filepath.Join(work, "speed.onnx")}, n.flags()...)...), "")
}

// torchOnce runs torch.onnx.export in a process of its own.
func (m *modelCase) torchOnce(python string, sizes map[string]int64) (cost, error) {
	inputs, err := m.request(run{sizes: sizes})
	if err != nil {
		return cost{}, err
	}
	request, err := json.Marshal(map[string]any{"path": m.Path, "model": m.Model, "inputs": inputs["tensors"]})
	if err != nil {
		return cost{}, err
	}
	cmd := exec.Command(python, "-c", speedSource)
	var out bytes.Buffer
	cmd.Stdout = &out
	one, err := timed(cmd, string(request))
	if err != nil {
		return one, err
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	one.call, err = strconv.ParseFloat(lines[len(lines)-1], 64)
	return one, err
}

// timed runs a command and says what it cost.
func timed(cmd *exec.Cmd, stdin string) (cost, error) {
	var stderr bytes.Buffer
	cmd.Stdin, cmd.Stderr = strings.NewReader(stdin), &stderr
	start := time.Now()
	if err := cmd.Run(); err != nil {
		return cost{}, fmt.Errorf("%s: %w: %s", cmd.Path, err, short(stderr.String()))
	}
	one := cost{seconds: time.Since(start).Seconds(), cpu: (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()}
	one.peak = peak(cmd.ProcessState)
	return one, nil
}
