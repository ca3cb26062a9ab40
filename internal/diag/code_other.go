package diag

// This file documents the codes of syntax and of the analysis itself: SC0xx and SC9xx.

var syntaxCodes = [...]CodeInfo{
	{
		Code: SyntaxError, Severity: Error, Title: "syntax error",
		Doc: "The file is not valid Python (the grammar is that of CPython 3.14; programs of 3.8 and later are accepted). What could be parsed is still " +
			"checked. Mend the place that is marked; where a bracket or a quote is not closed, the mark is at the " +
			"one that was opened.",
		Bad: `# run: --arg 'x:f32[B,3]'
import torch


def forward(x):
    return (x + 1
`,
		Good: `# run: --arg 'x:f32[B,3]'
import torch


def forward(x):
    return (x + 1)
`,
	},
	{
		Code: NewerSyntax, Severity: Info, Title: "syntax of a newer Python",
		Doc: "The file uses syntax that came later than the version of Python that --python-version (or python-version in the " +
			"configuration) names: that Python refuses the whole file. It is checked as the newer version runs it. Only the first " +
			"place of each kind is shown, and only in files of the project. Without a named version everything from 3.8 to 3.14 is " +
			"accepted without a word.",
		Bad: `# run: --arg 'x:f32[B,3]' --python-version 3.13
import torch


def forward(x):
    try:
        return x + 1
    except ValueError, TypeError:
        return x
`,
		Good: `# run: --arg 'x:f32[B,3]' --python-version 3.13
import torch


def forward(x):
    try:
        return x + 1
    except (ValueError, TypeError):
        return x
`,
	},
}

var engineCodes = [...]CodeInfo{
	{
		Code: UnknownFunction, Severity: Info, Title: "function is not known",
		Doc: "A library function has no rule, so its result is unknown, and nothing that depends on it is checked. " +
			"This is a limit of shapecheck, not a fault of the program. With --strict it counts as a finding.",
		Bad: `# run: --arg 'x:f32[B,8,8]'
import torch


def forward(x):
    return x.to_mkldnn()
`,
		Good: `# run: --arg 'x:f32[B,8,8]'
import torch


def forward(x):
    return x.float()
`,
	},
	{
		Code: UnknownModule, Severity: Info, Title: "module was not found",
		Doc: "An import was found neither under the roots (--path, the file's folder) nor among the libraries that " +
			"shapecheck knows. What comes from it is unknown. Give the folder that holds it with --path.",
		Bad: `# run: --arg 'x:f32[B,8]'
import my_kernels as fused


def forward(x):
    return fused.norm(x)
`,
		Good: `# run: --arg 'x:f32[B,8]'
import my_kernels as fused


def forward(x):
    return x / x.norm(dim=-1, keepdim=True)
`,
	},
	{
		Code: Unsupported, Severity: Info, Title: "not supported",
		Doc: "A construct of Python is not followed: exec and eval of text that is not known. Its result is " +
			"unknown, and nothing that depends on it is checked. With --strict it counts as a finding. Write what the " +
			"text says as code. A file or module that the program names and that lies outside of the checked folders is not read " +
			"either: --path gives another folder.",
		Bad: `# run: --arg 'x:f32[B,8]'
import torch


def forward(x):
    names = {'x': x}
    exec(open('more.py').read(), names)
    return torch.relu(names['x'])
`,
		Good: `# run: --arg 'x:f32[B,8]'
import torch


def forward(x):
    return torch.relu(x + 1)
`,
	},
	{
		Code: BudgetExceeded, Severity: Warning, Title: "analysis budget exceeded",
		Doc: "The analysis took more steps, time, memory or rounds of a loop than it allows, and stopped " +
			"there. The message says which limit it was. What was found until then holds; the rest was not checked. " +
			"Give concrete values for what controls the loop, check a smaller entry, or raise --max-steps, --timeout or --max-memory.",
		NoExample: "it takes millions of steps, or a loop whose state never settles",
	},
	{
		Code: PartialTopLevel, Severity: Info, Title: "top-level code was not run to its end",
		Doc: "A statement at the top level of a module failed or called sys.exit, so names that later statements " +
			"would define are unknown, and the entry came upon one. It says nothing against the entry. Put what needs " +
			"a machine, files or arguments under if __name__ == '__main__'.",
		Bad: `# run: --arg 'x:f32[B,8]'
import sys

import torch

if not sys.argv[1:]:
    sys.exit('usage: train.py SETTINGS')
from settings import *


def forward(x):
    return x * scale
`,
		Good: `# run: --arg 'x:f32[B,8]'
import sys

import torch

scale = 0.5


def forward(x):
    return x * scale


if __name__ == '__main__':
    if not sys.argv[1:]:
        sys.exit('usage: train.py SETTINGS')
`,
	},
	{
		Code: UnknownValue, Severity: Warning, Title: "value is not known",
		Doc: "With --strict each cause of a value that is not known is a finding, where no other finding is about it: the " +
			"message says why it is unknown. Say what the value is by an annotation, --set or --arg, give the folder of a " +
			"missing module with --path, or hide the finding on its line by a comment.",
		NoExample: "it needs the flag --strict",
	},
	{
		Code: InternalError, Severity: Error, Title: "internal error",
		Doc:       "shapecheck itself failed. The exit code is 101. Please report it with the file and the arguments.",
		NoExample: "every program that shows it is a bug to be mended",
	},
}
