package diag

// This file documents the codes of traced functions: SC5xx.

var traceCodes = [...]CodeInfo{
	{
		Code: DataBranch, Severity: Warning, Title: "a branch on tensor values is decided by the trace",
		Doc: "torch.jit.trace and torch.onnx.export(dynamo=False) keep the way that a condition went for the example inputs. Here the elements of a " +
			"tensor decide it, and a run of the script shows that the trace gives something else than the model. torch.where computes both sides; " +
			"torch.jit.script and torch.export with torch.cond keep both. shapecheck trace reports it.",
		Bad: `# run: trace
import torch


def scale(x):
    if x.sum() > 0:
        return x * 2
    return x[:1]


traced = torch.jit.trace(scale, torch.ones(3))
traced(-torch.ones(3))
`,
		Good: `# run: trace
import torch


def scale(x):
    return torch.where(x.sum() > 0, x * 2, x - 1)


traced = torch.jit.trace(scale, torch.ones(3))
traced(-torch.ones(3))
`,
	},
	{
		Code: SizeBranch, Severity: Warning, Title: "a branch on sizes is decided by the trace",
		Doc: "As SC501, where sizes of the inputs decide: the trace is right for the inputs on the same side alone, and a run of the script shows one " +
			"on the other. Trace with the sizes that occur, write it without the condition, or export with a Dim that has the bound.",
		Bad: `# run: trace
import torch


def window(x):
    if x.shape[0] > 4:
        return x[:4]
    return x * 2


traced = torch.jit.trace(window, torch.ones(8))
traced(torch.ones(3))
`,
		Good: `# run: trace
import torch


def window(x):
    return x[:4] * 2


traced = torch.jit.trace(window, torch.ones(8))
traced(torch.ones(3))
`,
	},
	{
		Code: TakenNumber, Severity: Warning, Title: "a number taken out of a tensor or size is kept by the trace",
		Doc: "int, float, item(), tolist(), len and NumPy make a number of Python, which torch.jit.trace and torch.onnx.export(dynamo=False) keep as it was for the " +
			"example inputs. A run of the script shows that the trace gives something else than the model. Compute with tensors: x.shape[0] itself " +
			"stays what it is.",
		Bad: `# run: trace
import torch


def halves(x):
    n = int(x.shape[0] / 2)
    return x[:n]


traced = torch.jit.trace(halves, torch.ones(8))
traced(torch.ones(4))
`,
		Good: `# run: trace
import torch


def halves(x):
    return x[: x.shape[0] // 2]


traced = torch.jit.trace(halves, torch.ones(8))
traced(torch.ones(4))
`,
	},
	{
		Code: UnrolledLoop, Severity: Warning, Title: "a loop over a tensor is unrolled by the trace",
		Doc: "torch.jit.trace and torch.onnx.export(dynamo=False) keep the iterations that there were for the example inputs: the trace goes over as many rows, or " +
			"refuses other inputs. A run of the script shows it. Compute with the whole tensor, or script the loop with torch.jit.script.",
		Bad: `# run: trace
import torch


def total(x):
    s = torch.zeros(2)
    for row in x:
        s = s + row
    return s


traced = torch.jit.trace(total, torch.ones(3, 2))
try:
    traced(torch.ones(5, 2))
except RuntimeError:
    print("refused")
`,
		Good: `# run: trace
import torch


def total(x):
    return x.sum(0)


traced = torch.jit.trace(total, torch.ones(3, 2))
traced(torch.ones(5, 2))
`,
	},
	{
		Code: LostCheck, Severity: Warning, Title: "a check is lost in the trace",
		Doc: "torch.jit.trace and torch.onnx.export(dynamo=False) keep no assert and no raise: where the model raises, a trace goes on. It is a warning where a run " +
			"shows that the trace gives a result there, and an info where the check depends on the inputs and no run fails it. Check the inputs outside of what is traced; torch.export " +
			"keeps a check on sizes as a condition of the program, and torch._check one on values.",
		Bad: `# run: trace
import torch


def scale(x):
    if x.shape[0] > 4:
        raise ValueError("too long")
    return x * 2


traced = torch.jit.trace(scale, torch.ones(3))
traced(torch.ones(8))
`,
		Good: `# run: trace
import torch


def scale(x):
    return x * 2


def checked(x):
    if x.shape[0] > 4:
        raise ValueError("too long")
    return traced(x)


traced = torch.jit.trace(scale, torch.ones(3))
checked(torch.ones(4))
`,
	},
	{
		Code: KeptState, Severity: Warning, Title: "a trace keeps state of Python",
		Doc: "Attributes, globals, random numbers, clocks and loops over range are read while tracing and kept as they were: a run of the trace or of the exported " +
			"program gives something else than the model, and the tracer warns of nothing. A run of the script shows it; of an entry, and of a model that is written, " +
			"further calls with the same inputs do, where they use another number or go another way and that changes the result. Move state into buffers, give it as an argument, " +
			"or compute with tensors.",
		Bad: `# run: trace
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.calls = 0

    def forward(self, x):
        self.calls += 1
        return x * self.calls


program = torch.export.export(Net(), (torch.ones(2),)).module()
program(torch.ones(2))
program(torch.ones(2))
`,
		Good: `# run: trace
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x, calls):
        return x * calls


program = torch.export.export(Net(), (torch.ones(2), torch.tensor(1))).module()
program(torch.ones(2), torch.tensor(1))
program(torch.ones(2), torch.tensor(2))
`,
	},
	{
		Code: PrintedOnce, Severity: Warning, Title: "printed while tracing only",
		Doc: "print in a function under tf.function or jax.jit runs when the function is traced, and not when a call takes " +
			"a trace there is: the lines come now and then, and show symbolic tensors. Print with tf.print or " +
			"jax.debug.print, which run at each call. What torch.jit.trace, torch.export or torch.onnx.export make does not print at all, and adds to no list: " +
			"shapecheck trace reports such places of a script whose traces run, and of an entry.",
		Bad: `# run: trace
import jax
import jax.numpy as jnp


@jax.jit
def double(x):
    print("double", x.shape)
    return x * 2


double(jnp.ones(3))
double(jnp.zeros(3))
`,
		Good: `# run: trace
import jax
import jax.numpy as jnp


@jax.jit
def double(x):
    jax.debug.print("double {}", x)
    return x * 2


double(jnp.ones(3))
double(jnp.zeros(3))
`,
	},
	{
		Code: RetracesByValue, Severity: Warning, Title: "a trace for each value",
		Doc: "A number, text or object of Python is part of the key by which calls of a traced function share a trace: under " +
			"tf.function each argument that is no tensor, under jax.jit each static one. A counter or a rate that changes " +
			"traces at each step. Pass a tensor. A warning from the third trace of the function on. shapecheck trace reports it.",
		Bad: `# run: trace
import tensorflow as tf


@tf.function
def scale(x, rate):
    return x * rate


for rate in [0.1, 0.2, 0.3]:
    scale(tf.ones([2]), rate)
`,
		Good: `# run: trace
import tensorflow as tf


@tf.function
def scale(x, rate):
    return x * rate


for rate in [0.1, 0.2, 0.3]:
    scale(tf.ones([2]), tf.constant(rate))
`,
	},
	{
		Code: RetracesByType, Severity: Warning, Title: "a trace for each shape or dtype",
		Doc: "Sizes, dtypes, weak types and the structure of arguments are part of the key by which calls of a traced function share a " +
			"trace. A sequence that grows, or batches of several sizes, trace for each. Pad to a few sizes, or let " +
			"TensorFlow leave a size open: input_signature with None, or reduce_retracing=True. A warning from the third such " +
			"trace on, an info at the second. shapecheck trace reports it.",
		Bad: `# run: trace
import tensorflow as tf


@tf.function
def total(x):
    return tf.reduce_sum(x)


for n in [2, 3, 4]:
    total(tf.ones([n]))
`,
		Good: `# run: trace
import tensorflow as tf


@tf.function(input_signature=[tf.TensorSpec([None], tf.float32)])
def total(x):
    return tf.reduce_sum(x)


for n in [2, 3, 4]:
    total(tf.ones([n]))
`,
	},
	{
		Code: NewFunction, Severity: Warning, Title: "the traced function is new at each call",
		Doc: "The traces belong to a function object. A function that is made and wrapped anew for a call (a lambda, an inner " +
			"def, a partial, or tf.function(f) itself in a loop) has none: each call traces. Make it once, outside of the " +
			"loop. shapecheck trace reports it.",
		Bad: `# run: trace
import jax
import jax.numpy as jnp

for _ in range(3):
    jax.jit(lambda x: x + 1)(jnp.ones(2))
`,
		Good: `# run: trace
import jax
import jax.numpy as jnp

f = jax.jit(lambda x: x + 1)
for _ in range(3):
    f(jnp.ones(2))
`,
	},
	{
		Code: RetracingWarned, Severity: Warning, Title: "a function is traced or compiled too often",
		Doc: "At the fifth trace within the last ten calls of a function TensorFlow warns that tracing is expensive, at most " +
			"twice. Functions of one def or lambda count together, however often they are wrapped. torch.compile makes at most eight graphs of a " +
			"function (torch._dynamo.config.recompile_limit) and runs it in Python from then on. Why the calls trace is reported, too (SC511, SC512, SC513; " +
			"the example hides it), and is in the table that shapecheck trace prints.",
		Bad: `# run: trace
import tensorflow as tf


@tf.function
def total(x):
    return tf.reduce_sum(x)


for n in range(1, 7):
    total(tf.ones([n]))  # shapecheck: ignore[SC512]
`,
		Good: `# run: trace
import tensorflow as tf


@tf.function(reduce_retracing=True)
def total(x):
    return tf.reduce_sum(x)


for n in range(1, 7):
    total(tf.ones([n]))  # shapecheck: ignore[SC512]
`,
	},
	{
		Code: GraphBreak, Severity: Warning, Title: "torch.compile: a graph break",
		Doc: "torch.compile cannot take the operation into a graph: a condition or number that the elements of a tensor decide, a size that they " +
			"decide, print, a clock, a log. It makes a graph of what is before, runs the operation in Python, and makes another graph of the " +
			"rest; inside of a loop or a try statement, and under a limit, the whole function runs in Python. With fullgraph=True it is an exception. " +
			"torch.where and torch.cond keep conditions in the graph. shapecheck trace reports it.",
		Bad: `# run: trace
import torch


@torch.compile
def scale(x):
    if x.sum() > 0:
        return x * 2
    return x - 1


scale(torch.ones(3))
`,
		Good: `# run: trace
import torch


@torch.compile
def scale(x):
    return torch.where(x.sum() > 0, x * 2, x - 1)


scale(torch.ones(3))
`,
	},
	{
		Code: TraceFails, Severity: Error, Title: "a trace fails here",
		Doc: "While a function is traced its tensors have no values. What needs one (a truth value, an index, a number, an " +
			"array of NumPy) raises; so does a graph whose two ways differ in dtype, or whose loop changes the shape of a " +
			"variable. Use what stays in the graph: jnp.where, lax.cond, tf.where, tf.cond.",
		Bad: `# run: --script
import jax
import jax.numpy as jnp


@jax.jit
def relu(x):
    if x > 0:
        return x
    return 0.0 * x


relu(jnp.float32(1.0))
`,
		Good: `# run: --script
import jax
import jax.numpy as jnp


@jax.jit
def relu(x):
    return jnp.where(x > 0, x, 0.0 * x)


relu(jnp.float32(1.0))
`,
	},
	{
		Code: TraceRefuses, Severity: Error, Title: "a traced function refuses its arguments",
		Doc: "The arguments do not fit input_signature, a static one cannot be hashed, an object or text is no array, or an array " +
			"was donated to an earlier call. Nothing is traced.",
		Bad: `# run: --script
import tensorflow as tf


@tf.function(input_signature=[tf.TensorSpec([None, 4], tf.float32)])
def layer(x):
    return tf.nn.relu(x)


layer(tf.zeros([3, 5]))
`,
		Good: `# run: --script
import tensorflow as tf


@tf.function(input_signature=[tf.TensorSpec([None, 4], tf.float32)])
def layer(x):
    return tf.nn.relu(x)


layer(tf.zeros([3, 4]))
`,
	},
	{
		Code: LeavesTrace, Severity: Error, Title: "a variable or tensor of another trace",
		Doc: "A function under tf.function may make variables at its first call only: make them outside, or keep them and ask " +
			"whether they are there. A tensor of a trace that is stored elsewhere is not usable after it: return it.",
		Bad: `# run: --script
import tensorflow as tf


@tf.function
def count(x):
    v = tf.Variable(1.0)
    return v + x


count(tf.constant(1.0))
`,
		Good: `# run: --script
import tensorflow as tf

v = tf.Variable(1.0)


@tf.function
def count(x):
    return v + x


count(tf.constant(1.0))
`,
	},
	{
		Code: RestrictedDim, Severity: Error, Title: "torch.export: a dynamic size is restricted",
		Doc: "A Dim of dynamic_shapes promises that the program takes every size in its range. The module does not: a condition on a size, " +
			"a layer, or an operation on two tensors leaves fewer, or one alone. Declare the Dim as the message says, or take Dim.AUTO, which " +
			"accepts what is found. shapecheck trace lists the fixes.",
		Bad: `# run: trace
import torch
from torch import nn
from torch.export import Dim


class Pairs(nn.Module):
    def forward(self, x):
        return x.view(-1, 2)


torch.export.export(Pairs(), (torch.ones(8),), dynamic_shapes={"x": {0: Dim("L")}})
`,
		Good: `# run: trace
import torch
from torch import nn
from torch.export import Dim


class Pairs(nn.Module):
    def forward(self, x):
        return x.view(-1, 2)


torch.export.export(Pairs(), (torch.ones(8),), dynamic_shapes={"x": {0: 2 * Dim("L")}})
`,
	},
	{
		Code: DataDecides, Severity: Error, Title: "torch.export: the elements of a tensor decide",
		Doc: "While a module is exported its tensors have no elements. A condition, number or index of Python that is made of them ends the " +
			"export. torch.cond and torch.where keep both ways; torch._check states what is known of a number.",
		Bad: `# run: trace
import torch
from torch import nn


class Gate(nn.Module):
    def forward(self, x):
        if x.sum() > 0:
            return x * 2
        return x - 1


torch.export.export(Gate(), (torch.ones(3),))
`,
		Good: `# run: trace
import torch
from torch import nn


class Gate(nn.Module):
    def forward(self, x):
        return torch.where(x.sum() > 0, x * 2, x - 1)


torch.export.export(Gate(), (torch.ones(3),))
`,
	},
}
