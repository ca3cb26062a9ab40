package contract_test

// This file tests what contracts say to people: joined conditions, what training needs, examples and the sizes next to others.

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"shapecheck/contract"
	"shapecheck/infer"
)

// Each case of the archive is a program, whose first lines are the arguments and the sizes to try, and what is said of it.
func TestContractsAsPeopleReadThem(t *testing.T) {
	const file = "../testdata/contracttexts.txtar"
	ar, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if len(ar.Files) < 20 || len(ar.Files)%2 > 0 {
		t.Fatalf("%d files", len(ar.Files))
	}
	for i := 0; i < len(ar.Files); i += 2 {
		program, want := ar.Files[i], string(ar.Files[i+1].Data)
		t.Run(strings.TrimSuffix(program.Name, ".py"), func(t *testing.T) {
			cfg := infer.Config{File: program.Name, Text: string(program.Data), Entry: "forward"}
			var tried []contract.Sizes
			for _, l := range strings.Split(cfg.Text, "\n") {
				if a, ok := strings.CutPrefix(l, "# arg: "); ok {
					cfg.Args = append(cfg.Args, a)
				}
				if a, ok := strings.CutPrefix(l, "# entry: "); ok {
					cfg.Entry = a
				}
				if a, ok := strings.CutPrefix(l, "# at: "); ok {
					sizes := contract.Sizes{}
					for _, s := range strings.Split(a, ",") {
						name, n, _ := strings.Cut(s, "=")
						var v int64
						if _, err := fmt.Sscan(n, &v); err != nil {
							t.Fatal(err)
						}
						sizes[name] = v
					}
					tried = append(tried, sizes)
				}
			}
			r, err := infer.Run(cfg)
			if err != nil {
				t.Fatal(err)
			}
			got := said(t, r, tried)
			if ar.Files[i+1].Data = []byte(got); got != want && !writes() {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
	if writes() {
		if err := os.WriteFile(file, txtar.Format(ar), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// said is what is printed of a contract. What is said to fit is held against the contract.
func said(t *testing.T, r *infer.Result, tried []contract.Sizes) string {
	c := contract.Of(r)
	fits := func(sizes contract.Sizes) bool {
		for _, x := range c.Conditions {
			if ok, err := x.Cond.Eval(func(s string) (int64, bool) { n, ok := sizes[s]; return n, ok }); err != nil || !ok {
				return false
			}
		}
		return true
	}
	var b strings.Builder
	for _, l := range contract.Lines(r, c) {
		fmt.Fprintln(&b, l.Text)
		if len(l.Because) == 0 {
			t.Errorf("%s: no line needs it", l.Text)
		}
	}
	x := contract.ExampleOf(r, c)
	if x == nil {
		fmt.Fprintln(&b, "no example")
	} else {
		fmt.Fprintf(&b, "example %s: %s\n", x.Sizes, x.Text)
		if !fits(x.Sizes) {
			t.Errorf("the example %s does not satisfy the contract", x.Sizes)
		}
	}
	for _, sizes := range tried {
		list := contract.Misfits(r, c, sizes)
		if len(list) == 0 {
			fmt.Fprintf(&b, "%s fits\n", sizes)
		}
		for _, m := range list {
			fmt.Fprintf(&b, "%s: %s\n", sizes, m)
		}
	}
	return b.String()
}
