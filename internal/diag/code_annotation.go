package diag

// This file documents the codes of annotations and shape comments: SC60x.

var annotationCodes = [...]CodeInfo{
	{
		Code: AnnotationMismatch, Severity: Error, Title: "annotation contradicted",
		Doc: "A value is not what the annotation of a parameter, a result or an assignment says: jaxtyping, torchtyping, " +
			"Annotated[Tensor, \"B T\"], Tensor[[B, T]] and chainer_compiler's types are read. Names stand for one size in " +
			"the whole call. With a run-time checker the program would raise here.",
		Bad: `# run: --arg 'x:f32[B,8]'
import torch
from jaxtyping import Float
from torch import Tensor


def double(x: Float[Tensor, "batch 4"]):
    return torch.cat([x, x], 1)


def forward(x):
    return double(x)
`,
		Good: `# run: --arg 'x:f32[B,4]'
import torch
from jaxtyping import Float
from torch import Tensor


def double(x: Float[Tensor, "batch 4"]):
    return torch.cat([x, x], 1)


def forward(x):
    return double(x)
`,
	},
	{
		Code: CommentMismatch, Severity: Warning, Title: "shape comment contradicted",
		Doc: "A comment such as # (B, T, C) on the line of a statement, or above it where it names the target, says another shape than the statement's value has. " +
			"Names are the program's integer variables, else they get their size where a comment first uses them, and keep it " +
			"to the end of the function; letters that label axes, as in # (N, C, H, W), may change from layer to layer. " +
			"The fix writes the shape that is right.",
		Bad: `# run: --arg 'x:f32[B,T,16]'
import torch
from torch import nn

proj = nn.Linear(16, 32)


def forward(x):
    B, T, C = x.shape
    return proj(x)  # (B, T, 64)
`,
		Good: `# run: --arg 'x:f32[B,T,16]'
import torch
from torch import nn

proj = nn.Linear(16, 32)


def forward(x):
    B, T, C = x.shape
    return proj(x)  # (B, T, 32)
`,
	},
	{
		Code: AnnotationUndecided, Severity: Info, Title: "annotation not decided",
		Doc: "Whether a value is what its annotation says depends on the sizes of the input. Give sizes, or an assumption with " +
			"--assume, to have it decided.",
		NoExample: "it is of severity info",
	},
	{
		Code: BadAnnotation, Severity: Error, Title: "annotation that cannot be read",
		Doc: "The shape string breaks the rules of its library: axes are separated by spaces, only one may stand for several, " +
			"modifiers go with names. jaxtyping raises where the annotation is evaluated.",
		Bad: `# run: --arg 'x:f32[B,4]'
from jaxtyping import Float
from torch import Tensor


def double(x: Float[Tensor, "batch,4"]):
    return x * 2


def forward(x):
    return double(x)
`,
		Good: `# run: --arg 'x:f32[B,4]'
from jaxtyping import Float
from torch import Tensor


def double(x: Float[Tensor, "batch 4"]):
    return x * 2


def forward(x):
    return double(x)
`,
	},
	{
		Code: MissingComment, Severity: Info, Title: "no shape comment",
		Doc:       "With --fix-comments=insert: a statement makes a tensor and its line has no comment. The fix adds one.",
		NoExample: "it is of severity info and needs the option --fix-comments=insert",
	},
	{
		Code: RevealedType, Severity: Info, Title: "revealed type",
		Doc:       "reveal_type(x) reports the type of x here, as type checkers do, and gives x back.",
		NoExample: "it is of severity info",
	},
}
