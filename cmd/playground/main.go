//go:build js && wasm

// Command playground is the checker in a browser's worker: it defines the function
// shapecheck(request), which answers JSON with JSON (package playground), and says "ready".
package main

import (
	"context"
	"syscall/js"

	"shapecheck/present/playground"
)

// warmUp is what the first check of a page would otherwise pay for.
const warmUp = `{"text": "import torch\nfrom torch import nn\nclass Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.fc = nn.Linear(4, 2)\n    def forward(self, x):\n        return self.fc(x)\n", "entry": "Net()", "args": ["x:f32[B,4]"]}`

func main() {
	checker := playground.New()
	checker.CheckJSON(context.Background(), []byte(warmUp))
	js.Global().Set("shapecheck", js.FuncOf(func(_ js.Value, args []js.Value) any {
		return string(checker.CheckJSON(context.Background(), []byte(args[0].String())))
	}))
	js.Global().Call("postMessage", "ready")
	select {}
}
