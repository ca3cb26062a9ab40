package listing

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"shapecheck/internal/columns"
	"shapecheck/present/render/text"
)

var update = flag.Bool("update", false, "write the layouts that are found; read the diff before committing it")

// samples are rows as they are met in packages.
var samples = []Row{
	{Mark: "✗", Name: "MAnet()", Inputs: []string{"x f32[B,3,H,W]"}, Result: "f32[B,1,H,W]", Conditions: []string{"H, W % 32 == 0"},
		Example: "e.g. 224×224", Count: "1 warning"},
	{Mark: "✓", Name: "InceptionResnetV1()", Inputs: []string{"x f32[B,3,H,W]"}, Result: "f32[B,512]",
		Conditions: []string{"H, W >= 75", "B >= 2 while training"}, Example: "smallest 75×75"},
	{Mark: "✓", Name: "Decoder(in_channels=64, skip_channels=64, out_channels=64)",
		Inputs: []string{"feature_map f32[B,128,H,W]", "target_height int", "target_width int"}, Result: "f32[B,64,target_height,target_width]",
		Conditions: []string{"target_height >= 2*H", "target_width >= 2*W"}},
	{Mark: "✓", Name: "DenseNetEncoder(out_channels=64)", Inputs: []string{"x f32[B,3,H,W]"},
		Result:     "[f32[B,3,H,W], f32[B,64,ceil(H/2),ceil(W/2)], f32[B,256,ceil(H/4),ceil(W/4)], f32[B,512,(H+3)//8,(W+3)//8], f32[B,1024,H//16,W//16]]",
		Conditions: []string{"H, W >= 29", "B >= 2 while training below 65×65"}, Example: "smallest 29×29"},
	{Mark: "✓", Name: "Detector()", Inputs: []string{"images [f32[3,H,W], f32[3,E,F]]"},
		Result: `{"boxes": f32[N,4], "labels": i64[N], "scores": f32[N], "masks": f32[N,1,H,W], "keypoints": f32[N,17,3]} | {"loss": f32[]}`},
	{Mark: "?", Name: "Crf(labels=5)", Inputs: []string{"scores f32[B,T,5]"},
		Why: "line 73: raises AssertionError: 5 labels, and the first of the tensors that it is given has the batch in front of the time"},
	{Mark: "–", Name: "DPT()", Why: "timm is not installed"},
	{Mark: "✓", Name: "(script)", Count: "212 values typed"},
	{Mark: "✓", Name: "画像モデル(幅=64)", Inputs: []string{"画像 f32[B,3,H,W]"}, Result: "f32[B,10]", Conditions: []string{"H >= 3"}, Example: "H=224"},
}

func TestLayouts(t *testing.T) {
	const file = "testdata/layouts.txtar"
	ar, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var got txtar.Archive
	got.Comment = ar.Comment
	for _, c := range []struct {
		width int
		whole bool
	}{{160, false}, {120, false}, {100, false}, {80, false}, {60, false}, {80, true}} {
		name := fmt.Sprintf("width %d", c.width)
		if c.whole {
			name += ", whole"
		}
		st := Style{Style: text.Style{Width: c.width}, Whole: c.whole}
		got.Files = append(got.Files, txtar.File{Name: name, Data: []byte(strings.Join(Lines(samples, st), "\n") + "\n")})
	}
	have, want := txtar.Format(&got), txtar.Format(ar)
	if *update {
		if err := os.WriteFile(file, have, 0o666); err != nil {
			t.Fatal(err)
		}
	} else if string(have) != string(want) {
		t.Errorf("got\n%s\nwant\n%s", have, want)
	}
}

// At every width no line is wider, nothing that fits is shortened, and what is whole has all of its fields.
func TestNoLineIsWider(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	word := func() string {
		return strings.Repeat([]string{"a", "bc", "画", "é", "_", "f32[B,3,H,W]", "(", "]", "{", "\"", "́"}[random.IntN(11)], 1+random.IntN(9))
	}
	field := func(sep string) string {
		var parts []string
		for range random.IntN(6) {
			parts = append(parts, word())
		}
		return strings.Join(parts, sep)
	}
	list := func() []string {
		var out []string
		for range random.IntN(4) {
			if s := field(" "); s != "" {
				out = append(out, s)
			}
		}
		return out
	}
	rows := append([]Row{}, samples...)
	for range 60 {
		rows = append(rows, Row{Mark: "✓", Name: "N" + field(""), Inputs: list(), Result: field(", "), Conditions: list(), Example: field(""),
			Count: field(" "), Why: field(" ")})
	}
	letters := func(s string) string { return strings.Join(strings.Fields(s), "") }
	for width := 60; width <= 160; width++ {
		for i := 0; i < len(rows); i += 5 {
			part := rows[i:min(i+5, len(rows))]
			for _, whole := range []bool{false, true} {
				lines := Lines(part, Style{Style: text.Style{Width: width}, Whole: whole})
				for _, x := range lines {
					if n := columns.Of(x); n > width {
						t.Fatalf("width %d: a line of %d columns: %q", width, n, x)
					}
				}
				if !whole {
					continue
				}
				all := letters(strings.Join(lines, ""))
				for _, r := range part {
					for _, s := range append([]string{r.Name, r.Result, r.Example, r.Count, r.Why}, append(r.Inputs, r.Conditions...)...) {
						if !strings.Contains(all, letters(s)) {
							t.Fatalf("width %d: %q is missing in\n%s", width, s, strings.Join(lines, "\n"))
						}
					}
				}
			}
		}
	}
}

func TestShorten(t *testing.T) {
	for _, c := range []struct {
		s    string
		room int
		want string
	}{
		{`{"boxes": f32[N,4], "labels": i64[N], "scores": f32[N]}`, 80, `{"boxes": f32[N,4], "labels": i64[N], "scores": f32[N]}`},
		{`{"boxes": f32[N,4], "labels": i64[N], "scores": f32[N]}`, 40, `{"boxes": f32[N,4], … 2 more}`},
		{`{"boxes, [": f32[N,4], "labels": i64[N]}`, 36, `{"boxes, [": f32[N,4], … 1 more}`},
		{"f32[B,3,H,W] | f32[B,64,H//2,W//2] | None", 30, "f32[B,3,H,W] | … 2 more"},
		{"f32[B,1024,(H + 3)//8,(W + 3)//8,14]", 30, "f32[B,1024, … 3 more]"},
		{"(f32[B,1024,(H + 3)//8,(W + 3)//8], i64[])", 34, "(f32[B,1024, … 2 more], … 1 more)"},
		{"a f32[B], b f32[B], c f32[B]", 22, "a f32[B], … 2 more"},
		{"Net(dim=64, depth=12)", 18, "Net(… 2 more)"},
		{"Wide", 3, "Wi…"},
	} {
		got := Shorten(c.s, c.room)
		if columns.Of(got) > c.room || got != c.want {
			t.Errorf("%s in %d: %q, want %q", c.s, c.room, got, c.want)
		}
	}
}

func TestPathsAreShortenedInTheMiddle(t *testing.T) {
	long := strings.Repeat("folder/", 20) + "net.py"
	if got := Path(long, Style{Style: text.Style{Width: 60}}); columns.Of(got) > 60 || !strings.HasSuffix(got, "/folder/net.py") || !strings.HasPrefix(got, "…/") {
		t.Errorf("%s", got)
	}
	if got := Path("a/net.py", Style{Style: text.Style{Width: 60, Color: true}}); got != "\x1b[1ma/net.py\x1b[0m" {
		t.Errorf("%q", got)
	}
}
