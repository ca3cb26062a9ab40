package diag

// This file documents the codes of comments and expectations: SC6xx.

var commentCodes = [...]CodeInfo{
	{
		Code: UnusedIgnore, Severity: Warning, Title: "ignore comment without effect",
		Doc: "A comment `# shapecheck: ignore[…]` names a code that is not reported on its line (or is no code at " +
			"all). It would hide the next real finding there, so remove it. Where several entries are checked, a " +
			"comment counts as used when one of them needs it; in code that no entry reached nothing is said.",
		Bad: `# run: --arg 'x:f32[B,8]'
import torch


def forward(x):
    return torch.relu(x)  # shapecheck: ignore[SC101]
`,
		Good: `# run: --arg 'x:f32[B,8]'
import torch


def forward(x):
    return torch.relu(x)
`,
	},
	{
		Code: UnexpectedResult, Severity: Error, Title: "result is not the expected one",
		Doc: "An entry of the configuration says with the key expect which type its result has, and the run found another. " +
			"Sizes are compared as expressions. Either the model or the expectation has changed.",
		NoExample: "it needs a configuration with the key expect",
	},
	{
		Code: BadComment, Severity: Warning, Title: "comment cannot be read",
		Doc: "A comment that begins with `# shapecheck:` is misspelt and does nothing. `# shapecheck: ignore[SC101, SC105]` hides these codes on " +
			"its line and `# shapecheck: ignore` all; `# shapecheck: check ENTRY ARG…` names an entry of the file and its arguments, as `--entry` and `--arg` do: " +
			"`# shapecheck: check Net(10) x:f32[B,3,H,W]`. Other words, codes without brackets and a bracket that is not closed hide nothing.",
		Bad: `# run: --arg 'x:f32[B,8]'
import torch


def forward(x):
    return torch.relu(x)  # shapecheck: ignoree[SC401]
`,
		Good: `# run: --arg 'x:f32[B,8]'
import torch


def forward(x):
    return torch.relu(x)
`,
	},
}
