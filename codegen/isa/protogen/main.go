// Command protogen writes codegen/isa/program.pb.go from program.proto: it compiles the
// file in Go and calls protoc-gen-go's generator, so that no protoc is needed. It is a
// module of its own, so that the main one does not carry a compiler of protobuf files.
//
// Run it in its folder: go run .
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/bufbuild/protocompile"
	"google.golang.org/protobuf/cmd/protoc-gen-go/internal_gengo"
	"google.golang.org/protobuf/compiler/protogen"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/pluginpb"
)

// name is the file that is compiled, in the folder above.
const name = "program.proto"

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "protogen:", err)
		os.Exit(1)
	}
}

func run() error {
	c := protocompile.Compiler{Resolver: &protocompile.SourceResolver{ImportPaths: []string{".."}},
		SourceInfoMode: protocompile.SourceInfoStandard}
	files, err := c.Compile(context.Background(), name)
	if err != nil {
		return err
	}
	version := &pluginpb.Version{Major: proto.Int32(0), Minor: proto.Int32(0), Patch: proto.Int32(0), Suffix: proto.String("")}
	gen, err := protogen.Options{}.New(&pluginpb.CodeGeneratorRequest{
		FileToGenerate: []string{name}, Parameter: proto.String("paths=source_relative"), CompilerVersion: version,
		ProtoFile: []*descriptorpb.FileDescriptorProto{protodesc.ToFileDescriptorProto(files[0])},
	})
	if err != nil {
		return err
	}
	gen.SupportedFeatures = internal_gengo.SupportedFeatures
	for _, f := range gen.Files {
		if f.Generate {
			internal_gengo.GenerateFile(gen, f)
		}
	}
	out := gen.Response()
	if out.Error != nil {
		return fmt.Errorf("%s", *out.Error)
	}
	for _, f := range out.File {
		if err := os.WriteFile("../"+f.GetName(), []byte(f.GetContent()), 0o644); err != nil {
			return err
		}
	}
	return nil
}
