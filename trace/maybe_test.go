package trace

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"shapecheck/present/render/text"
)

// A call that may not run is listed as such, and what it may have traced is not said to be traced
// later: with the call in line 10 PyTorch, JAX and TensorFlow have another count in line 11 than
// without it.
func TestCallsThatMayNotRun(t *testing.T) {
	for _, c := range []struct{ name, program, want string }{
		{"a branch, torch.compile", `import torch

@torch.compile
def f(x):
    return x * 2

x = torch.randn(4)
f(x)
if x.sum() > 0:
    f(torch.randn(5))
f(torch.randn(6))
f(x)
`, `f: compiled at least 1 time in 3 calls, and in 1 that may run (torch.compile)
  line  call       compiled  because
  8     f(f32[4])  yes       first call
  10    f(f32[5])  ?         may not run
  11    f(f32[6])  ?         a call that may not run may have done it
  12    f(f32[4])  -
`},
		{"a branch, jax.jit", `import jax

@jax.jit
def f(x):
    return x * 2

x = jax.random.normal(jax.random.PRNGKey(0), (4,))
f(x)
if x.sum() > 0:
    f(x[:3])
f(x[:3])
f(x)
`, `f: at least 1 trace in 3 calls, and in 1 that may run (jax.jit)
  line  call       traced  because
  8     f(f32[4])  yes     first call
  10    f(f32[3])  ?       may not run
  11    f(f32[3])  ?       a call that may not run may have done it
  12    f(f32[4])  -
`},
		{"a branch, tf.function", `import tensorflow as tf

@tf.function
def f(x):
    return x * 2

x = tf.random.normal((4,))
f(x)
if tf.reduce_sum(x) > 0:
    f(x[:3])
f(x[:3])
`, `f: at least 1 trace in 2 calls, and in 1 that may run (tf.function)
  line  call       traced  because
  8     f(f32[4])  yes     first call
  10    f(f32[3])  ?       may not run
  11    f(f32[3])  ?       a call that may not run may have done it
`},
		{"a loop that may end", `import torch

@torch.compile
def f(x):
    return x * 2

x = torch.randn(4)
for i in range(3):
    f(torch.randn(4 + i))
    if x.sum() > 0:
        break
while x.sum() < 3:
    x = f(x)
`, `f: compiled at least 1 time in 1 call, and in 3 that may run (torch.compile)
  line  call       compiled  because
  9     f(f32[4])  yes       first call
  9     f(f32[5])  ?         may not run
  9     f(f32[6])  ?         may not run
  13    f(f32[4])  ?         how often it runs is not known
`},
		{"lists that hold themselves", `import torch

@torch.compile
def f(x, l):
    return x * 2

l = []
l.append(l)
if torch.rand(1) > 0.5:
    f(torch.ones(4), l)
`, `f: compiled an unknown number of times in 1 call that may run (torch.compile)
  line  call                                            compiled  because
  10    f(f32[4], [[[[[[[[[[[[[[[[[…]]]]]]]]]]]]]]]]])  ?         may not run
`},
		{"each batch of a short loader", `import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

net = nn.Linear(10, 3)
data = DataLoader(TensorDataset(torch.randn(70, 10)), batch_size=20)
model = torch.compile(net)
for epoch in range(2):
    for x, in data:
        model(x).sum().backward()
`, `Linear: compiled 2 times in 8 calls (torch.compile)
  line  call                compiled  because
  10    Linear(f32[20,10])  yes       first call
  10    Linear(f32[20,10])  -          (2 times)
  10    Linear(f32[10,10])  yes       args[0] is f32[10,10], was f32[20,10]
  10    Linear(f32[20,10])  -          (and 3 more at 10)
`},
	} {
		t.Run(c.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "f.py")
			if err := os.WriteFile(file, []byte(c.program), 0o600); err != nil {
				t.Fatal(err)
			}
			d, r := scriptOf(t, file)
			var b strings.Builder
			if err := ScriptText(&b, d, r, text.Style{}); err != nil {
				t.Fatal(err)
			}
			if got := b.String(); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}
