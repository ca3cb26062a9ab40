package tile

// This file names the steps of chains on amd64.

var machines = [...]*Machine{
	AVX2:   machine(chainBlock256, chainCodes256(), chainRun256),
	AVX512: machine(chainBlock512, chainCodes512(), chainRun512),
}

// MachineOf gives the machine of a tier; nil: it has none.
func MachineOf(t Tier) *Machine { return machines[t] }

// machine makes the machine of a tier from the addresses of its steps, which the assembly gives
// in the order of the constants. Operations whose operands may be exchanged have the same step
// for both orders.
func machine(block int, codes *[chainSteps]uintptr, run func(*Step, int)) *Machine {
	m := &Machine{Block: block, load: codes[chainLoad], store: codes[chainStore], end: codes[chainEnd], run: run}
	for op, step := range map[Unary]int{Exp: chainExp, Tanh: chainTanh, Erf: chainErf, Sigmoid: chainSigmoid, Clip: chainClip, Abs: chainAbs,
		Neg: chainNeg, Sqrt: chainSqrt, Floor: chainFloor,
		Ceil: chainCeil, Even: chainEven, Leaky: chainLeaky, Hard: chainHard, HardSwish: chainHardSwish, Silu: chainSilu, Gelu: chainGelu,
		GeluTanh: chainGeluTanh, Affine: chainAffine} {
		m.one[op] = codes[step]
	}
	for op, steps := range map[Binary][ways]int{
		Add: {chainAdd, chainAddBehind, chainAddA, chainAddA},
		Sub: {chainSub, chainSubBehind, chainSubA, chainSubFrom},
		Mul: {chainMul, chainMulBehind, chainMulA, chainMulA},
		Div: {chainDiv, chainDivBehind, chainDivA, chainDivFrom},
		Max: {chainMax, chainMaxBehind, chainMaxA, chainMaxA},
		Min: {chainMin, chainMinBehind, chainMinA, chainMinA},
	} {
		for way, step := range steps {
			m.two[op][way] = codes[step]
		}
	}
	return m
}
