package pass_test

// This file lists the cases of conditions and loops.

import "strings"

func init() {
	ruleCases = append(ruleCases, controlCases...)
}

const loopBody = `
  graph(%10: i64[], %11: bool[], %12: f32[2], %13: f32[2], %14: f32[2]) {
    %15: f32[2] = Exp(%14)  # - | "exp"
    %16: f32[2] = Mul(%12, %13)  # - | "mul"
    %17: f32[2] = Add(%16, %15)  # - | "add"
    return COND, %17, %13, %16
  }
`

func loopText(trips, cond, bodyCond, outs string) string {
	head := "const i64[] 3\nconst bool[] 1\nconst i64[] 0\nconst bool[] 0\nconst i64[] 40\nin f32[2], f32[2], f32[2], i64[], bool[]\n"
	loop := "%5: f32[2], %6: f32[2], %7: f32[" + outs + ",2] = Loop(" + trips + ", " + cond + ", %0, %1, %2) captured 1"
	return head + loop + strings.ReplaceAll(loopBody, "COND", bodyCond) + "out %5, %6, %7"
}

// swapped is a long loop whose two states change places in each trip.
func swapped(node string) string {
	of := "f32[2]"
	if strings.Contains(node, "Reduce") {
		of = "f32[1]"
	}
	return "const i64[] 40\nconst bool[] 1\nin f32[2], f32[2], f32[2]\n" +
		"%5: f32[2], %6: f32[2], %7: f32[40,2] = Loop(@0, @1, %0, %1, %2) captured 1\n" +
		"graph(%10: i64[], %11: bool[], %12: f32[2], %13: f32[2], %14: f32[2]) {\n" +
		"%15: " + of + " = " + node + "\n%16: f32[2] = Mul(%13, %15)\nreturn @1, %13, %12, %16\n}\nout %5, %6, %7"
}

var controlCases = []ruleCase{
	{rule: "control:known-condition", hits: 1,
		text: "const bool[] 0\nin f32[2]\n%1: f32[2] = If(@0, %0) captured 1\ngraph(%2: f32[2]) {\n%3: f32[2] = Exp(%2)\nreturn %3\n}\ngraph(%4: f32[2]) {\n%5: f32[2] = Neg(%4)\nreturn %5\n}\nout %1",
		has:  []string{"Neg(%0)"}},
	{rule: "control:known-condition",
		text: "in f32[2], bool[]\n%2: f32[2] = If(%1, %0) captured 1\ngraph(%3: f32[2]) {\n%4: f32[2] = Exp(%3)\nreturn %4\n}\ngraph(%5: f32[2]) {\nreturn %5\n}\nout %2"},
	{rule: "control:unrolled", hits: 1, text: loopText("@0", "@1", "@1", "3"), has: []string{"Concat("}},
	{rule: "control:unrolled", hits: 1, text: loopText("@0", "~", "%11", "3"), has: []string{"Concat("}},
	{rule: "control:unrolled", hits: 1, text: loopText("@0", "~", "@3", "1"), has: []string{"Concat("}}, // it stops after the first trip
	{rule: "control:unrolled", text: loopText("@4", "@1", "@1", "40")},                                  // too long
	{rule: "control:unchanged-state", hits: 1, text: loopText("@4", "@1", "@1", "40"),
		has: []string{"captured 3", "return %5 \"y0\", %1 \"y1\""}},
	{rule: "control:invariant", hits: 1, text: loopText("@4", "@1", "@1", "40"), has: []string{"Exp(%2)"}},
	{rule: "control:no-trips", hits: 1, text: loopText("@2", "@1", "@1", "0"), has: []string{`return %0 "y0", %1 "y1", @`}},
	{rule: "control:no-trips", hits: 1, text: loopText("@0", "@3", "@1", "0"), has: []string{`return %0 "y0", %1 "y1", @`}},
	{rule: "control:no-trips", text: loopText("@4", "@1", "@3", "1")}, // one trip, after which it stops
	// states that change places; what depends on a state; what may fail, when there may be no trips
	{rule: "control:unchanged-state", text: swapped("Exp(%12)")},
	{rule: "control:invariant", text: swapped("Exp(%12)")},
	{rule: "control:invariant", text: swapped("ReduceSum(%14) {keepdims=1}")},
}
