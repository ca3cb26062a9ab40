# This file defines the recurrent layers and cells.
import _shapecheck
import torch
from ..utils.rnn import PackedSequence
from .module import Module
from .utils import _wrong_rank

_GATES = {'LSTM': 4, 'GRU': 3, 'RNN_TANH': 1, 'RNN_RELU': 1}


def apply_permutation(tensor, permutation, dim=1):
    return tensor.index_select(dim, permutation)


class RNNBase(Module):
    def __init__(self, mode, input_size, hidden_size, num_layers=1, bias=True, batch_first=False, dropout=0.0,
                 bidirectional=False, proj_size=0, device=None, dtype=None):
        super().__init__()
        self.mode = mode
        self.input_size = input_size
        self.hidden_size = hidden_size
        self.num_layers = num_layers
        self.bias = bias
        self.batch_first = batch_first
        self.dropout = float(dropout)
        self.bidirectional = bidirectional
        self.proj_size = proj_size
        if isinstance(dropout, bool) or not isinstance(dropout, (int, float)) or not 0 <= dropout <= 1:
            raise ValueError('dropout should be a number in range [0, 1] '
                             'representing the probability of an element being zeroed')
        # Numbers of numpy are none, of which older versions took any.
        for name, size in (('input_size', input_size), ('hidden_size', hidden_size)):
            if not isinstance(size, int) and _shapecheck.get_option('torch-version').startswith('2.15'):
                raise TypeError(f'{name} should be of type int, got: {type(size).__name__}')
        if proj_size < 0:
            raise ValueError('proj_size should be a positive integer or zero to disable projections')
        if proj_size >= hidden_size:
            raise ValueError('proj_size has to be smaller than hidden_size')
        if mode not in _GATES:
            raise ValueError('Unrecognized RNN mode: ' + mode)
        gate_size = _GATES[mode] * hidden_size
        out_size = proj_size if proj_size > 0 else hidden_size
        directions = ('', '_reverse') if bidirectional else ('',)
        new = _shapecheck.empty_param
        self._all_weights = []
        for layer in range(num_layers):
            in_size = input_size if layer == 0 else out_size * len(directions)
            for suffix in directions:
                suffix = f'_l{layer}{suffix}'
                names = ['weight_ih' + suffix, 'weight_hh' + suffix]
                setattr(self, names[0], new((gate_size, in_size), dtype, device))
                setattr(self, names[1], new((gate_size, out_size), dtype, device))
                if bias:
                    names += ['bias_ih' + suffix, 'bias_hh' + suffix]
                    setattr(self, names[2], new((gate_size,), dtype, device))
                    setattr(self, names[3], new((gate_size,), dtype, device))
                if proj_size > 0:
                    names.append('weight_hr' + suffix)
                    setattr(self, names[-1], new((proj_size, hidden_size), dtype, device))
                self._all_weights.append(names)
        if not self._all_weights:
            raise IndexError('list index out of range: num_layers must be greater than zero')
        self.reset_parameters()

    # The weights are looked up by name for each call, so that what replaced a
    # parameter (weight_norm, a user's assignment) counts.
    @property
    def _flat_weights(self):
        return [getattr(self, name) for names in self._all_weights for name in names]

    @_flat_weights.setter
    def _flat_weights(self, weights):
        pass

    @property
    def _flat_weights_names(self):
        return [name for names in self._all_weights for name in names]

    @property
    def all_weights(self):
        return [[getattr(self, name) for name in names] for names in self._all_weights]

    def flatten_parameters(self):
        pass

    def reset_parameters(self):
        bound = self.hidden_size ** -0.5 if self.hidden_size > 0 else 0
        _shapecheck.init('uniform', (-bound, bound), *self.parameters())

    def check_input(self, input, batch_sizes):
        rank = 3 if batch_sizes is None else 2
        if input.dim() != rank:
            raise _wrong_rank(RuntimeError, f'input must have {rank} dimensions, got {input.dim()}')
        if self.input_size != input.size(-1):
            raise RuntimeError(f'input.size(-1) must be equal to input_size. Expected {self.input_size}, got {input.size(-1)}')

    def _batch_size(self, input, batch_sizes):
        if batch_sizes is not None:
            return int(batch_sizes[0])
        return input.size(0) if self.batch_first else input.size(1)

    def _expected(self, input, batch_sizes, features):
        return (self.num_layers * (2 if self.bidirectional else 1), self._batch_size(input, batch_sizes), features)

    def get_expected_hidden_size(self, input, batch_sizes):
        return self._expected(input, batch_sizes, self.proj_size if self.proj_size > 0 else self.hidden_size)

    def check_hidden_size(self, hx, expected_hidden_size, msg='Expected hidden size {}, got {}'):
        if hx.size() != expected_hidden_size:
            raise RuntimeError(msg.format(f'{expected_hidden_size}', f'{list(hx.size())}'))

    def check_forward_args(self, input, hidden, batch_sizes):
        self.check_input(input, batch_sizes)
        self.check_hidden_size(hidden, self.get_expected_hidden_size(input, batch_sizes))

    def permute_hidden(self, hx, permutation):
        return hx if permutation is None else apply_permutation(hx, permutation)

    def _zeros(self, input, batch, features):
        return torch.zeros(self.num_layers * (2 if self.bidirectional else 1), batch, features, dtype=input.dtype,
                           device=input.device)

    # The forward of RNN and GRU, whose state is one tensor.
    def _run(self, kernel, input, hx):
        packed = isinstance(input, PackedSequence)
        batch_sizes = sorted_indices = unsorted_indices = None
        batched = True
        if packed:
            whole = input
            input, batch_sizes, sorted_indices, unsorted_indices = input
            batch = whole._batch_size()
        else:
            batched = input.dim() == 3
            batch_dim = 0 if self.batch_first else 1
            if not batched:
                input = input.unsqueeze(batch_dim)
                if hx is not None:
                    if hx.dim() != 2:
                        raise _wrong_rank(RuntimeError, f'For unbatched 2-D input, hx should also be 2-D but got {hx.dim()}-D tensor')
                    hx = hx.unsqueeze(1)
            elif hx is not None and hx.dim() != 3:
                raise _wrong_rank(RuntimeError, f'For batched 3-D input, hx should also be 3-D but got {hx.dim()}-D tensor')
            batch = input.size(0) if self.batch_first else input.size(1)
        if hx is None:
            hx = self._zeros(input, batch, self.hidden_size)
        else:
            hx = self.permute_hidden(hx, sorted_indices)
        self.check_forward_args(input, hx, batch_sizes)
        if packed:
            output, hidden = kernel(input, batch_sizes, hx, self._flat_weights, self.bias, self.num_layers,
                                    self.dropout, self.training, self.bidirectional)
            return whole._like(output), self.permute_hidden(hidden, unsorted_indices)
        output, hidden = kernel(input, hx, self._flat_weights, self.bias, self.num_layers, self.dropout,
                                self.training, self.bidirectional, self.batch_first)
        if not batched:
            return output.squeeze(batch_dim), hidden.squeeze(1)
        return output, hidden

    def extra_repr(self):
        s = f'{self.input_size}, {self.hidden_size}'
        if self.num_layers != 1:
            s += f', num_layers={self.num_layers}'
        if self.batch_first:
            s += ', batch_first=True'
        if self.bidirectional:
            s += ', bidirectional=True'
        return s


class RNN(RNNBase):
    """Elman RNN over (L, N, H), (N, L, H) with batch_first, or (L, H)."""

    def __init__(self, *args, **kwargs):
        if 'proj_size' in kwargs:
            raise ValueError('proj_size argument is only supported for LSTM, not RNN or GRU')
        if len(args) > 3 and isinstance(args[3], str):
            self.nonlinearity = args[3]
            args = args[:3] + args[4:]
        else:
            self.nonlinearity = kwargs.pop('nonlinearity', 'tanh')
        if self.nonlinearity == 'tanh':
            mode = 'RNN_TANH'
        elif self.nonlinearity == 'relu':
            mode = 'RNN_RELU'
        else:
            raise ValueError(f"Unknown nonlinearity '{self.nonlinearity}'")
        super().__init__(mode, *args, **kwargs)

    def forward(self, input, hx=None):
        _shapecheck.graph_break('allow_rnn')
        return self._run(torch._VF.rnn_tanh if self.mode == 'RNN_TANH' else torch._VF.rnn_relu, input, hx)


class GRU(RNNBase):
    """GRU over (L, N, H), (N, L, H) with batch_first, or (L, H)."""

    def __init__(self, *args, **kwargs):
        if 'proj_size' in kwargs:
            raise ValueError('proj_size argument is only supported for LSTM, not RNN or GRU')
        super().__init__('GRU', *args, **kwargs)

    def forward(self, input, hx=None):
        _shapecheck.graph_break('allow_rnn')
        return self._run(torch._VF.gru, input, hx)


class LSTM(RNNBase):
    """LSTM over (L, N, H), (N, L, H) with batch_first, or (L, H)."""

    def __init__(self, *args, **kwargs):
        super().__init__('LSTM', *args, **kwargs)

    def get_expected_cell_size(self, input, batch_sizes):
        return self._expected(input, batch_sizes, self.hidden_size)

    def check_forward_args(self, input, hidden, batch_sizes):
        self.check_input(input, batch_sizes)
        self.check_hidden_size(hidden[0], self.get_expected_hidden_size(input, batch_sizes),
                               'Expected hidden[0] size {}, got {}')
        self.check_hidden_size(hidden[1], self.get_expected_cell_size(input, batch_sizes),
                               'Expected hidden[1] size {}, got {}')

    def permute_hidden(self, hx, permutation):
        if permutation is None:
            return hx
        return apply_permutation(hx[0], permutation), apply_permutation(hx[1], permutation)

    def forward(self, input, hx=None):
        _shapecheck.graph_break('allow_rnn')
        packed = isinstance(input, PackedSequence)
        batch_sizes = sorted_indices = unsorted_indices = None
        batched = True
        if packed:
            whole = input
            input, batch_sizes, sorted_indices, unsorted_indices = input
            batch = whole._batch_size()
        else:
            batched = input.dim() == 3
            batch_dim = 0 if self.batch_first else 1
            if not batched:
                input = input.unsqueeze(batch_dim)
            batch = input.size(0) if self.batch_first else input.size(1)
        if hx is None:
            hx = (self._zeros(input, batch, self.proj_size if self.proj_size > 0 else self.hidden_size),
                  self._zeros(input, batch, self.hidden_size))
        else:
            if not packed:
                if batched:
                    if hx[0].dim() != 3 or hx[1].dim() != 3:
                        raise _wrong_rank(RuntimeError, 'For batched 3-D input, hx and cx should also be 3-D but got '
                                           f'({hx[0].dim()}-D, {hx[1].dim()}-D) tensors')
                else:
                    if hx[0].dim() != 2 or hx[1].dim() != 2:
                        raise _wrong_rank(RuntimeError, 'For unbatched 2-D input, hx and cx should also be 2-D but got '
                                           f'({hx[0].dim()}-D, {hx[1].dim()}-D) tensors')
                    hx = (hx[0].unsqueeze(1), hx[1].unsqueeze(1))
            hx = self.permute_hidden(hx, sorted_indices)
        self.check_forward_args(input, hx, batch_sizes)
        if packed:
            output, hy, cy = torch._VF.lstm(input, batch_sizes, hx, self._flat_weights, self.bias, self.num_layers,
                                            self.dropout, self.training, self.bidirectional)
            return whole._like(output), self.permute_hidden((hy, cy), unsorted_indices)
        output, hy, cy = torch._VF.lstm(input, hx, self._flat_weights, self.bias, self.num_layers, self.dropout,
                                        self.training, self.bidirectional, self.batch_first)
        if not batched:
            return output.squeeze(batch_dim), (hy.squeeze(1), cy.squeeze(1))
        return output, (hy, cy)


class RNNCellBase(Module):
    def __init__(self, input_size, hidden_size, bias, num_chunks, device=None, dtype=None):
        super().__init__()
        self.input_size = input_size
        self.hidden_size = hidden_size
        self.bias = bias
        new = _shapecheck.empty_param
        self.weight_ih = new((num_chunks * hidden_size, input_size), dtype, device)
        self.weight_hh = new((num_chunks * hidden_size, hidden_size), dtype, device)
        if bias:
            self.bias_ih = new((num_chunks * hidden_size,), dtype, device)
            self.bias_hh = new((num_chunks * hidden_size,), dtype, device)
        else:
            self._parameters['bias_ih'] = None
            self._parameters['bias_hh'] = None
        self.reset_parameters()

    def reset_parameters(self):
        bound = self.hidden_size ** -0.5 if self.hidden_size > 0 else 0
        _shapecheck.init('uniform', (-bound, bound), *self.parameters())

    def extra_repr(self):
        return f'{self.input_size}, {self.hidden_size}'

    def _check_rank(self, input):
        name = type(self).__name__
        if input.dim() not in (1, 2):
            raise _wrong_rank(AssertionError, f'{name}: Expected input to be 1-D or 2-D but received {input.dim()}-D tensor')

    # The forward of the cells whose state is one tensor.
    def _run(self, kernel, input, hx):
        self._check_rank(input)
        batched = input.dim() == 2
        if not batched:
            input = input.unsqueeze(0)
        if hx is None:
            hx = torch.zeros(input.size(0), self.hidden_size, dtype=input.dtype, device=input.device)
        elif not batched:
            hx = hx.unsqueeze(0)
        ret = kernel(input, hx, self.weight_ih, self.weight_hh, self.bias_ih, self.bias_hh)
        return ret if batched else ret.squeeze(0)


class RNNCell(RNNCellBase):
    def __init__(self, input_size, hidden_size, bias=True, nonlinearity='tanh', device=None, dtype=None):
        super().__init__(input_size, hidden_size, bias, 1, device, dtype)
        self.nonlinearity = nonlinearity

    def forward(self, input, hx=None):
        if self.nonlinearity not in ('tanh', 'relu'):
            raise RuntimeError(f'Unknown nonlinearity: {self.nonlinearity}')
        return self._run(torch._VF.rnn_tanh_cell if self.nonlinearity == 'tanh' else torch._VF.rnn_relu_cell, input, hx)


class GRUCell(RNNCellBase):
    def __init__(self, input_size, hidden_size, bias=True, device=None, dtype=None):
        super().__init__(input_size, hidden_size, bias, 3, device, dtype)

    def forward(self, input, hx=None):
        return self._run(torch._VF.gru_cell, input, hx)


class LSTMCell(RNNCellBase):
    def __init__(self, input_size, hidden_size, bias=True, device=None, dtype=None):
        super().__init__(input_size, hidden_size, bias, 4, device, dtype)

    def forward(self, input, hx=None):
        self._check_rank(input)
        batched = input.dim() == 2
        if not batched:
            input = input.unsqueeze(0)
        if hx is None:
            zeros = torch.zeros(input.size(0), self.hidden_size, dtype=input.dtype, device=input.device)
            hx = (zeros, zeros)
        elif not batched:
            hx = (hx[0].unsqueeze(0), hx[1].unsqueeze(0))
        h, c = torch._VF.lstm_cell(input, hx, self.weight_ih, self.weight_hh, self.bias_ih, self.bias_hh)
        return (h, c) if batched else (h.squeeze(0), c.squeeze(0))
