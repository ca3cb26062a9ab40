package annot

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// describe writes the claims of a comment for comparison.
func describe(text string) string {
	var parts []string
	for _, c := range Comment(text) {
		s := ""
		if len(c.Names) > 0 {
			s = strings.Join(c.Names, ",") + ": "
		}
		s += c.Shape.String()
		if c.Explicit {
			s += " !"
		}
		if len(c.Doubts) > 0 {
			s += " ?" + strings.Join(c.Doubts, ",")
		}
		parts = append(parts, s)
	}
	return strings.Join(parts, " | ")
}

func TestCommentsThatAreShapes(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"# (B, T, C)", "B T C"},
		{"#(B,T,C)", "B T C"},
		{"# [B, T, C]", "B T C"},
		{"# B x C x H x W", "B C H W"},
		{"# BxCxHxW", "B C H W"},
		{"# N × L × D", "N L D"},
		{"# x: (batch, d)", "x: batch d"},
		{"# x.shape = (B, 3)", "x: B 3 !"},
		{"# x -> (B, C)", "x: B C"},
		{"# q, k, v: (B, nh, T, hs)", "q,k,v: B nh T hs"},
		{"# q, k, v are (B, T, n_head, head_dim)", "q,k,v: B T n_head head_dim"},
		{"# x: (B, C), y: (B, D)", "x: B C | y: B D"},
		{"# (B,T,C) -> (B,T,E)", "B T E !"},
		{"# (B, nh, T, hs) x (B, nh, hs, T) -> (B, nh, T, T)", "B nh T T !"},
		{"# causal self-attention; Self-attend: (B, nh, T, hs) x (B, nh, hs, T) -> (B, nh, T, T)", "B nh T T !"},
		{"# NLD -> LND", "L N D !"},
		{"# BCHW -> BNC", "B N C !"},
		{"# shape: (b, t, h*w)", "b t h*w !"},
		{"# shape = [*, grid ** 2, width]", "... grid**2 width !"},
		{"# token embeddings of shape (b, t, n_embd)", "b t n_embd !"},
		{"# shape (t)", ""},
		{"# shape (T,)", "T !"},
		{"# (B, T, )", "B T ..."},
		{"# (B, T,)", "B T ..."},
		{"# (B, ..., C,)", "B ... C"},
		{"# (B, T), (B, S)", "B T | B S"},
		{"# B, Ph*Pw, C", "B Ph*Pw C"},
		{"# B Ph*Pw C", "B Ph*Pw C"},
		{"# 2, Wh*Ww, Wh*Ww", "2 Wh*Ww Wh*Ww"},
		{"# nW*B, window_size, window_size, C", "nW*B window_size window_size C"},
		{"# ... H/2 W/2 C", "... H/2 W/2 C"},
		{"# [N, HWA, 4]", "N HWA 4"},
		{"# (B, 2C, T')", "B 2*C T'"},
		{"# (B, self.n_embd)", "B {self.n_embd}"},
		{"# torch.Size([2, 3, 4])", "2 3 4 !"},
		{"# (batch size, sequence length, d_model)", "batch_size sequence_length d_model"},
		{"# (1, 2, 3, 4)", "1 2 3 4"},
		{"# (B, T, C), where C is the width", "B T C"},
		{"# (foo, bar, 3)", "foo bar 3 ?foo,bar"},
		{"# end shape is (batch_size * h * w, side_len, side_len, 2)", "batch_size*h*w side_len side_len 2 !"},
		{"# (N, H, W, C) -> (N, C, H, W) -> (N, C, H*W)", "N C H*W !"},
		{"# output: (B, C)", "B C !"},
		{"# (B, ..., C)", "B ... C"},
		{"# (B, -1, C)", "B _ C"},
		{"# B*nW, Ws*Ws, C", "B*nW Ws*Ws C"},
		{"# Nx2", "N 2"},
	} {
		if got := describe(c.text); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.text, got, c.want)
		}
	}
}

func TestWordsOfAnnotated(t *testing.T) {
	for text, want := range map[string]string{"B T D": "B T D", "B, T, D": "B T D", "(B, 3)": "B 3", "batch time dim": "batch time dim",
		"b h//2 *": "b h//2 ...", "B": "B",
		"the input of the model": "", "tokens of the text": "", "not used": "", "": ""} {
		s, ok := Words(text)
		if got := s.String(); ok && got != want || !ok && want != "" {
			t.Errorf("%q is read as %q, %v; want %q", text, got, ok, want)
		}
	}
}

// TestProseIsNoShape reads a file of comments of real programs that are prose.
func TestProseIsNoShape(t *testing.T) {
	data, err := os.ReadFile("testdata/prose.txt")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, line := range strings.Split(string(data), "\n") {
		if strings.TrimSpace(line) == "" {
			continue
		}
		n++
		if got := describe(line); got != "" && !strings.Contains(got, "?") {
			t.Errorf("%s\n is read as %s", line, got)
		}
	}
	if n < 50 {
		t.Errorf("only %d comments", n)
	}
}

func FuzzComment(f *testing.F) {
	for _, s := range []string{"# (B, T, C)", "# x: (B,), y: [C]", "# B x C", "# (a,b)->(c,d)", "# NLD -> LND", "# torch.Size([1,2])",
		"#((((", "# ×××", "# x:"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, c := range Comment(s) {
			if c.From < 0 || c.To > len(s) || c.From > c.To || len(c.Shape.Axes) == 0 {
				t.Fatalf("%q: claim %+v lies outside of the text", s, c)
			}
			last := c.From
			for _, a := range c.Shape.Axes {
				if a.From < last || a.To > c.To || a.From > a.To {
					t.Fatalf("%q: axis %+v lies outside of %d-%d", s, a, c.From, c.To)
				}
				last = a.To
				if a.Kind == Size && a.Text(s) == "" {
					t.Fatalf("%q: an axis without text", s)
				}
			}
			_ = fmt.Sprint(c.Shape)
		}
	})
}
