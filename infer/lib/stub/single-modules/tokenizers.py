# Tokenizers without transformers: how many tokens a text has is not known.
from _shapecheck import data_int as _data_int, data_str as _data_str, is_unknown as _is_unknown, open_list as _open_list, unknown as _unknown


class Encoding:
    def __init__(self):
        n = _data_int('T', 0)
        self.ids = _open_list(_data_int('token', 0), n)
        self.type_ids = self.attention_mask = self.special_tokens_mask = _open_list(_data_int('bit', 0, 1), n)
        self.tokens = _open_list(_data_str(), n)

    def __len__(self):
        return len(self.ids)

    def __getattr__(self, name):
        if name.startswith('__'):
            raise AttributeError(name)
        return _unknown('what tokenizers say of a text')


class Tokenizer:
    def __init__(self, model=None):
        self.model = model
        self._sizes = {}

    @classmethod
    def from_pretrained(cls, *args, **kwargs):
        return cls()

    from_file = from_str = from_buffer = from_pretrained

    def get_vocab_size(self, with_added_tokens=True):
        if with_added_tokens not in self._sizes:
            self._sizes[with_added_tokens] = _data_int('vocab', 1)
        return self._sizes[with_added_tokens]

    def encode(self, sequence, pair=None, is_pretokenized=False, add_special_tokens=True):
        return Encoding()

    def encode_batch(self, input, *args, **kwargs):
        return _unknown('the tokens of texts') if _is_unknown(input) else _open_list(Encoding(), len(input))

    def decode(self, ids, *args, **kwargs):
        return _data_str()

    def decode_batch(self, sequences, *args, **kwargs):
        return _unknown('the texts of tokens') if _is_unknown(sequences) else _open_list(_data_str(), len(sequences))

    def train(self, *args, **kwargs):
        self._sizes = {}

    train_from_iterator = add_tokens = add_special_tokens = train

    def _nothing(self, *args, **kwargs):
        pass

    save = enable_padding = enable_truncation = no_padding = no_truncation = _nothing

    def token_to_id(self, token):
        return _unknown('the number of a token')

    def __getattr__(self, name):
        if name.startswith('_'):
            raise AttributeError(name)
        return _unknown('a part of a tokenizer')
