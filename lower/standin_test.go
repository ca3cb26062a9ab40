package lower_test

import (
	"strings"
	"testing"
)

// What is known by its shape alone has no form in a model, and is no hindrance where
// no result depends on it.
func TestValuesThatAreNotComputedAreNotExported(t *testing.T) {
	for _, c := range []struct{ name, body, refused string }{
		{"a random number without a form", "return torch.distributions.Gamma(x, 1.0).sample()",
			"torch.distributions.Gamma.rsample cannot be written"},
		{"a density without a form", "return torch.distributions.RelaxedBernoulli(0.5, logits=x).log_prob(x)",
			"RelaxedBernoulli.log_prob cannot be written"},
		{"one that nothing needs", "torch.distributions.RelaxedBernoulli(0.5, logits=x).log_prob(x)\n    return x * 2", ""},
		{"a class that is drawn", "return torch.distributions.Categorical(logits=x).sample()", ""},
		{"vmap", "return torch.vmap(lambda r: r.sum() * r)(x)", "torch.vmap cannot be written"},
		{"vmap with the random numbers of one slice", "return torch.vmap(lambda r: r + torch.rand(()), 1, randomness='same')(x)",
			"torch.vmap cannot be written"},
		{"vmap over more slices than a model should have", "return torch.vmap(torch.sin)(torch.zeros(5000))", "torch.vmap cannot be written"},
		{"a derivative", "return torch.func.grad(lambda v: (v ** 2).sum())(x)", "torch.func.grad cannot be written"},
		{"a Jacobian", "return torch.autograd.functional.jacobian(lambda v: v * 2, x)", "torch.autograd.functional.jacobian cannot be written"},
		{"a rotated picture", "from torchvision.transforms import functional as T\n    return T.rotate(x[None], 30)",
			"torchvision.transforms.functional.rotate cannot be written"},
		{"rounding as in quantization", "return torch.ao.quantization.FakeQuantize()(x)", "torch.ao.quantization.FakeQuantize cannot be written"},
		{"statistics that a result is", "m, v = torch.zeros(3), torch.ones(3)\n    return F.batch_norm(x, m, v, training=True), m",
			"running statistic"},
		{"statistics that are read", "m, v = torch.zeros(3), torch.ones(3)\n    y = F.batch_norm(x, m, v, training=True)\n    return y + m",
			"running statistic"},
		{"statistics of which a view is read",
			"m, v = torch.zeros(4), torch.ones(3)\n    y = F.batch_norm(x, m[:3], v, training=True)\n    return y + m[0]", "running statistic"},
		{"statistics that are read before",
			"m, v = torch.zeros(3), torch.ones(3)\n    z = m * 2\n    return F.batch_norm(x, m, v, training=True) + z", ""},
		{"statistics that do not change", "m, v = torch.zeros(3), torch.ones(3)\n    return F.batch_norm(x, m, v) + m", ""},
		{"statistics that nothing reads",
			"m, v = torch.zeros(3), torch.ones(3)\n    return F.batch_norm(F.batch_norm(x, m, v, training=True), m, v, training=True)", ""},
		{"a variance that two versions define differently", "return torch.masked.var(x, 1)", "say which"},
	} {
		_, err := export(t, "import torch\nimport torch.masked\nimport torch.nn.functional as F\n\n\ndef forward(x):\n    "+c.body+"\n",
			"x:f32[n,3]")
		if (err != nil) != (c.refused != "") || err != nil && !strings.Contains(err.Error(), c.refused) {
			t.Errorf("%s: error %v, want one with %q", c.name, err, c.refused)
		}
	}
}

// Chainer's batch_normalization changes the statistics that it gets, whatever chainer.config.train is.
func TestStatisticsThatChainerChangesAreNotRead(t *testing.T) {
	const header = "import chainer\nimport chainer.functions as F\nimport chainer.links as L\nimport numpy as np\n\n\n" +
		"def forward(x):\n    m, v, g = np.zeros(3, 'f'), np.ones(3, 'f'), np.ones(3, 'f')\n    x = chainer.Variable(x)\n"
	for _, c := range []struct {
		name, body string
		refused    bool
	}{
		{"a result", "    return F.batch_normalization(x, g, g, running_mean=m, running_var=v), m\n", true},
		{"read by the function for given ones",
			"    y = F.batch_normalization(x, g, g, running_mean=m, running_var=v)\n    return F.fixed_batch_normalization(y, g, g, m, v)\n", true},
		{"read of a link", "    n = L.BatchNormalization(3)\n    return n(x) + n.avg_mean\n", true},
		{"read of a link in evaluation",
			"    n = L.BatchNormalization(3)\n    with chainer.using_config('train', False):\n        return n(x) + n.avg_mean\n", false},
		{"read before", "    z = m * 2\n    return F.batch_normalization(x, g, g, running_mean=m, running_var=v) + z\n", false},
		{"changed twice", "    n = L.BatchNormalization(3)\n    return n(n(x))\n", false},
		{"given", "    return F.fixed_batch_normalization(x, g, g, m, v), m\n", false},
	} {
		_, err := export(t, header+c.body, "x:f32[n,3]")
		if (err != nil) != c.refused || err != nil && !strings.Contains(err.Error(), "running statistic") {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}
