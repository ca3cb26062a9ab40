package differential

// This file draws sizes and compares what the machine does with the contract of the model: what is
// inside runs, what is outside is refused before the first instruction, with the lines that need
// it and the nearest sizes. More of both:
//
//	go test ./tools/differential -run Contract -timeout 2h -args -models . -sizes 1000 -torchvision DIST

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"shapecheck/codegen/isa"
	"shapecheck/codegen/pass"
	"shapecheck/onnx"
	"shapecheck/onnx/inference"
	"shapecheck/runtime/tensor"
	"shapecheck/runtime/vm"
	"shapecheck/symshape"
)

var drawnSizes = flag.Int("sizes", 50, "how many sizes are drawn for each model's contract")

// A rule is the contract as the model's file has it, not the program.
type rule struct{ conds []*symshape.Cond }

// contractOf reads the metadata of a model.
func contractOf(t *testing.T, m *onnx.Model) *rule {
	t.Helper()
	r, pool := &rule{}, symshape.NewPool()
	for _, key := range inference.ContractKeys {
		bad := func(line string, err error) { t.Fatalf("the condition %q: %v", line, err) }
		for _, c := range inference.Conditions(pool, m.Metadata, key, bad) {
			r.conds = append(r.conds, c.Cond)
		}
	}
	return r
}

func (r *rule) holds(sizes map[string]int64) bool {
	for _, c := range r.conds {
		if ok, err := c.Eval(func(s string) (int64, bool) { n, ok := sizes[s]; return n, ok }); err != nil || !ok {
			return false
		}
	}
	return true
}

// someContracts have conditions that sizes break and keep.
const someContracts = `^(unet.labels|vision.Windows|vision.ViT|vae.VectorQuantized|audio.Whisper)$`

// elementsBySizes are models whose inputs' elements are bounded by sizes: with drawn ones they are
// bound, and not run.
var elementsBySizes = map[string]string{"lstm.Packed": "lengths are at most t", "misc.GraphConv": "edges are between n nodes"}

func TestContractsDecideWhatRuns(t *testing.T) {
	cases := modelCases(t, "models.jsonl", someContracts)
	if *torchvision != "" {
		cases = append(cases, modelCases(t, "torchvision.jsonl", ".")...)
	}
	inside, ran, outside, with := 0, 0, 0, 0
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			if len(c.Sizes) == 0 {
				t.Skip("it has inputs of its own")
			}
			file := c.export(t)
			model := unmarshal(file)
			rule := contractOf(t, model)
			p := compiled(t, file, pass.Fast)
			executed := false
			m := loaded(t, p, vm.Config{Hooks: &vm.Hooks{Before: func(int, *isa.Instruction, []tensor.Value) { executed = true }}})
			// bind alone: the first instruction ends the run
			bind := loaded(t, p, vm.Config{Budget: vm.Budget{Instructions: 1},
				Hooks: &vm.Hooks{Before: func(int, *isa.Instruction, []tensor.Value) { executed = true }}})
			names := slices.Sorted(maps.Keys(c.Sizes[0]))
			r := rand.New(rand.NewPCG(1, 2))
			in, out := 0, 0
			for k := range *drawnSizes {
				sizes := map[string]int64{}
				for _, n := range names {
					sizes[n] = 1 + r.Int64N([]int64{8, 40, 70}[k%3])
					if n == "b" {
						sizes[n] = 1 + r.Int64N(3)
					}
				}
				x, err := c.inputs(model, sizes, uint64(k))
				if err != nil {
					t.Skip(err)
				}
				whole := k%(1+*drawnSizes/25) == 0 && elementsBySizes[c.Name] == ""
				engine := bind
				if whole {
					engine = m
				}
				executed = false
				_, err = engine.Run(context.Background(), x)
				if rule.holds(sizes) {
					in++
					var e *vm.Error
					switch {
					case whole:
						ran++
						if err != nil {
							t.Fatalf("%v is inside of the contract: %v", sizes, err)
						}
					case err == nil || errors.As(err, &e) && e.Code == vm.CodeBudget:
					default:
						t.Fatalf("%v is inside of the contract: %v", sizes, err)
					}
					continue
				}
				out++
				if why := refusal(rule, sizes, err, executed); why != "" {
					t.Fatalf("%v is outside of the contract: %s", sizes, why)
				}
			}
			if out > 0 {
				with++
			}
			inside, outside = inside+in, outside+out
		})
	}
	t.Logf("%d models, %d of them with sizes outside of their contract; %d sizes inside (%d run whole), %d outside", len(cases), with,
		inside, ran, outside)
	if with == 0 || inside == 0 || outside == 0 {
		t.Errorf("nothing is refused, or nothing runs")
	}
}

var (
	lineOf       = regexp.MustCompile(`\w\.py:\d+`)
	sizeOfSymbol = regexp.MustCompile(`has (\w+) = \d+`)
	nearest      = regexp.MustCompile(`(?:(\w+) = )?\b(\d+)\b`)
)

// refusal says what is wrong with how sizes outside of the contract were refused.
func refusal(r *rule, sizes map[string]int64, err error, executed bool) string {
	var e *vm.Error
	switch {
	case err == nil:
		return "they run"
	case !errors.As(err, &e) || e.Code != vm.CodeContract && e.Code != vm.CodeInput:
		return fmt.Sprintf("they are refused by %v", err)
	case executed:
		return fmt.Sprintf("an instruction ran before %v", err)
	case e.Code == vm.CodeInput:
		return "" // two inputs that give one symbol other values
	case !lineOf.MatchString(err.Error()):
		return fmt.Sprintf("no line of the source is named by %v", err)
	}
	_, text, ok := strings.Cut(err.Error(), "nearest size")
	if !ok {
		return fmt.Sprintf("no nearest sizes are named by %v", err)
	}
	// "x has H = 3; … are 2 and 4", or "x has H = 3 and x has W = 5; … are H = 2, W = 4 and W = 6"
	given := sizeOfSymbol.FindStringSubmatch(err.Error())
	for _, m := range nearest.FindAllStringSubmatch(text, -1) {
		name := m[1]
		if name == "" && given != nil {
			name = given[1]
		}
		other := maps.Clone(sizes)
		other[name], _ = strconv.ParseInt(m[2], 10, 64)
		for _, c := range r.conds { // others may be wrong as well, and then it is enough for one
			about := slices.ContainsFunc(c.Symbols(), func(s *symshape.Expr) bool { n, _ := s.IsSymbol(); return n == name })
			if one := (&rule{conds: []*symshape.Cond{c}}); about && len(c.Symbols()) == 1 && !one.holds(other) {
				return fmt.Sprintf("%s = %s does not help: %v", name, m[2], err)
			}
		}
	}
	return ""
}
