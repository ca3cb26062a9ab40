package lib

import "testing"

func TestPackagesAreKnown(t *testing.T) {
	if yes, known := Followed("datasets"); yes || !known {
		t.Error("datasets is followed")
	}
	if _, known := Followed("numpy"); known {
		t.Error("whether numpy is followed is said beside its needs")
	}
	if m, beside, ok := WrittenModule("F"); m != "chainer.functions" || beside != "chainer" || !ok {
		t.Error("F is", m, beside, ok)
	}
	if m, beside, ok := WrittenModule("np"); m != "numpy" || beside != "" || !ok {
		t.Error("np is", m, beside, ok)
	}
	for module, want := range map[string]string{"sklearn.metrics": "scikit-learn", "cv2": "opencv-python", "PIL.Image": "pillow", "yaml": "pyyaml",
		"timm.layers": "timm", "google.protobuf.message": "protobuf", "google.cloud": "google", "einops": "einops"} {
		if d := Distribution(module); d != want {
			t.Errorf("%s is installed by %s, want %s", module, d, want)
		}
	}
	for module, want := range map[string][2]bool{"logging": {true, false}, "torch.utils.data.dataloader": {true, false},
		"torchvision.transforms.v2": {true, true}, "torch": {false, false}, "torch.utilsx": {false, false}} {
		if yes, modules := Partial(module); yes != want[0] || modules != want[1] {
			t.Error(module, "is partial:", yes, modules)
		}
	}
	if other, ok := OtherName("transformers.models.bert", "BertTokenizerFast"); other != "BertTokenizer" || !ok {
		t.Error("BertTokenizerFast is", other, ok)
	}
	for _, c := range [][2]string{{"transformers", "BertFast"}, {"transformers", "BertTokenizer"}, {"other", "BertTokenizerFast"}} {
		if other, ok := OtherName(c[0], c[1]); ok {
			t.Error(c, "is", other)
		}
	}
}
