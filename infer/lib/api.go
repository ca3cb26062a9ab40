package lib

// This file holds the signatures that are being filled in.

import (
	"shapecheck/infer/value"
	"shapecheck/parser/ast"
)

var objectClasses, numberClasses, textClasses, sequenceClasses, mappingClasses, iteratorClasses, descriptorClasses []classSpec
var builtinProcs []proc

func (w *World) drain(th value.Thread, v value.Value) ([]value.Value, *value.Open, error) {
	return nil, nil, nil
}
func (w *World) Binary(th value.Thread, op ast.BinOperator, a, b value.Value) (v value.Value, ok bool, err error) {
	return nil, false, nil
}
func (w *World) InPlace(th value.Thread, op ast.BinOperator, a, b value.Value) (v value.Value, ok bool, err error) {
	return nil, false, nil
}
func (w *World) Unary(th value.Thread, op ast.UnaryOperator, a value.Value) (v value.Value, ok bool, err error) {
	return nil, false, nil
}
func (w *World) Compare(th value.Thread, op ast.CmpOperator, a, b value.Value) (v value.Value, ok bool, err error) {
	return nil, false, nil
}
func (w *World) Truth(th value.Thread, v value.Value) (value.Value, bool, error) {
	return nil, false, nil
}
func (w *World) GetItem(th value.Thread, v, index value.Value) (x value.Value, ok bool, err error) {
	return nil, false, nil
}
func (w *World) SetItem(th value.Thread, v, index, x value.Value) (ok bool, err error) {
	return false, nil
}
func (w *World) DelItem(th value.Thread, v, index value.Value) (ok bool, err error) {
	return false, nil
}
func (w *World) Iter(th value.Thread, v value.Value) (it *value.Iterator, ok bool, err error) {
	return nil, false, nil
}
func (w *World) Len(th value.Thread, v value.Value) (n value.Value, ok bool, err error) {
	return nil, false, nil
}
func (w *World) HashKey(th value.Thread, v value.Value) (key any, ok bool, err error) {
	return nil, false, nil
}
func (w *World) Attr(th value.Thread, v value.Value, name string) (x value.Value, ok bool, err error) {
	return nil, false, nil
}
func (w *World) Repr(th value.Thread, v value.Value) (text string, known bool) { return "", false }
func (w *World) Str(th value.Thread, v value.Value) (text string, known bool)  { return "", false }
func (w *World) Format(th value.Thread, v value.Value, spec string) (value.Value, error) {
	return nil, nil
}
