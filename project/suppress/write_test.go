package suppress

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"shapecheck/internal/diag"
	"shapecheck/internal/source"
)

func TestAnnotate(t *testing.T) {
	any := func(*source.File) bool { return true }
	type found struct {
		code     diag.Code
		from, to int
	}
	for _, c := range []struct {
		name, text string
		list       []found
		want       string
		left       int
	}{
		{name: "one line", text: "a = f(x)\nb = 1\n", list: []found{{"SC101", 1, 1}}, want: "a = f(x)  # shapecheck: ignore[SC101]\nb = 1\n"},
		{name: "no newline at the end", text: "a = f(x)", list: []found{{"SC101", 1, 1}}, want: "a = f(x)  # shapecheck: ignore[SC101]"},
		{name: "Windows", text: "a = f(x)\r\nb = 1\r\n", list: []found{{"SC101", 1, 1}},
			want: "a = f(x)  # shapecheck: ignore[SC101]\r\nb = 1\r\n"},
		{name: "codes once", text: "a = f(x)\n", list: []found{{"SC201", 1, 1}, {"SC101", 1, 1}, {"SC201", 1, 1}},
			want: "a = f(x)  # shapecheck: ignore[SC101, SC201]\n"},
		{name: "behind a comment", text: "a = f(x)  # [B, 3]\n", list: []found{{"SC101", 1, 1}},
			want: "a = f(x)  # [B, 3]  # shapecheck: ignore[SC101]\n"},
		{name: "into a comment", text: "a = f(x)  # shapecheck: ignore[SC102]  for now\n", list: []found{{"SC101", 1, 1}},
			want: "a = f(x)  # shapecheck: ignore[SC102, SC101]  for now\n"},
		{name: "into an empty one", text: "a = f(x)  # shapecheck: ignore[]\n", list: []found{{"SC101", 1, 1}},
			want: "a = f(x)  # shapecheck: ignore[SC101]\n"},
		{name: "into the comment above", text: "# shapecheck: ignore[SC102]\na = f(x)\n", list: []found{{"SC101", 2, 2}},
			want: "# shapecheck: ignore[SC102, SC101]\na = f(x)\n"},
		{name: "several lines", text: "a = f(\n    x)\n", list: []found{{"SC101", 1, 2}}, want: "a = f(  # shapecheck: ignore[SC101]\n    x)\n"},
		{name: "continued", text: "a = f(x) + \\\n    y\n", list: []found{{"SC101", 1, 2}},
			want: "a = f(x) + \\\n    y  # shapecheck: ignore[SC101]\n"},
		{name: "continued, all above the last line", text: "if a:\n    b = f(x) + \\\n        y\n", list: []found{{"SC101", 2, 2}},
			want: "if a:\n    # shapecheck: ignore[SC101]\n    b = f(x) + \\\n        y\n"},
		{name: "ends in a string", text: "a = f(x, \"\"\"\n\"\"\")\n", list: []found{{"SC101", 1, 2}},
			want: "a = f(x, \"\"\"\n\"\"\")  # shapecheck: ignore[SC101]\n"},
		{name: "in a string", text: "a = f\"\"\"\n{g(x)}\n\"\"\"\n", list: []found{{"SC101", 2, 2}},
			want: "a = f\"\"\"\n{g(x)}\n\"\"\"  # shapecheck: ignore[SC101]\n"},
		{name: "in strings that share lines", text: "a = f\"\"\"\n{g(x)}\n\"\"\" + '''\n''' + f'''{g(x)}\n'''\n",
			list: []found{{"SC101", 2, 2}, {"SC102", 4, 4}},
			want: "a = f\"\"\"\n{g(x)}\n\"\"\" + '''\n''' + f'''{g(x)}\n'''  # shapecheck: ignore[SC102, SC101]\n"},
		{name: "in a string that is a part of a line of code", text: "a = f(f\"\"\"\n{g(x)}\n\"\"\", b)\n", list: []found{{"SC101", 2, 2}},
			want: "a = f(f\"\"\"\n{g(x)}\n\"\"\", b)  # shapecheck: ignore[SC101]\n"},
		{name: "in a string behind which the line goes on", text: "a = f\"\"\"\n{g(x)}\n\"\"\" \\\n  + b\n", list: []found{{"SC101", 2, 2}},
			want: "a = f\"\"\"\n{g(x)}\n\"\"\" \\\n  + b\n", left: 1},
		{name: "about a comment", text: "a = f(x)  # shapecheck: ignore[SC999]\n", list: []found{{"SC690", 1, 1}, {"SC101", 1, 1}},
			want: "a = f(x)  # shapecheck: ignore[SC999, SC101]\n", left: 1},
		{name: "no Python", text: "a = (\n", list: []found{{"SC001", 1, 1}}, want: "a = (\n", left: 1},
		{name: "two places", text: "a = f(x)\nb = g(\n  x)\n", list: []found{{"SC101", 1, 1}, {"SC102", 2, 3}, {"SC103", 3, 3}},
			want: "a = f(x)  # shapecheck: ignore[SC101]\nb = g(\n  x)  # shapecheck: ignore[SC103, SC102]\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			fs := source.NewFileSet()
			f := add(t, fs, "a.py", c.text)
			var list []*diag.Diagnostic
			for _, x := range c.list {
				list = append(list, at(f, x.code, x.from, x.to))
			}
			files, left := Annotate(fs, list, any)
			got := c.text
			if len(files) > 0 {
				got = files[0].Text
			}
			if diff := cmp.Diff(c.want, got); diff != "" || len(left) != c.left {
				t.Errorf("%d left, want %d; -want +got:\n%s", len(left), c.left, diff)
			}
			// What is written hides what was found, and nothing of it is in vain.
			fs = source.NewFileSet()
			f = add(t, fs, "a.py", got)
			list = nil
			shift := 0
			if strings.Count(got, "\n") > strings.Count(c.text, "\n") {
				shift = 1
			}
			for _, x := range c.list {
				list = append(list, at(f, x.code, x.from+shift, x.to+shift))
			}
			var filter Filter
			if shown := filter.Apply(fs, list, nil); len(shown) != c.left {
				t.Errorf("still shown: %s", lines(fs, shown))
			}
		})
	}
	fs := source.NewFileSet()
	f := add(t, fs, "a.py", "a = f(x)\n")
	if files, left := Annotate(fs, []*diag.Diagnostic{at(f, "SC101", 1, 1)}, func(*source.File) bool { return false }); len(files) != 0 ||
		len(left) != 1 {
		t.Errorf("a file that may not be changed: %v, %v", files, left)
	}
}
