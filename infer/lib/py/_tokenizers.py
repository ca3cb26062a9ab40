# Tokenizers of transformers: sizes of what they give. How many tokens a text has is not known,
# nor which ids. Models and all else are unknown without the package.
import re as _re
import torch as _torch
from collections import UserDict as _UserDict
from _shapecheck import data_int as _data_int, data_str as _data_str, is_unknown as _is_unknown, open_dict as _open_dict, open_list as _open_list, unknown as _unknown

# What tells by a model's name whether its tokenizer gives token_type_ids.
_TYPED = _re.compile(r'(^|[/_-])(bert|albert|electra|mobilebert|deberta|scibert|biobert|finbert|tinybert)([-_]|$)', _re.I)
_UNTYPED = _re.compile(r'(^|[/_-])(xlm-roberta|distilroberta|roberta|distilbert|distilgpt2|gpt2|llama|opt-|t5|bart|bloom|mistral|qwen|phi-|gemma|falcon|clip|pegasus|mpnet|'
                       r'camembert|pythia)', _re.I)


class BatchEncoding(_UserDict):
    def __init__(self, data=None, *args, **kwargs):
        self.data = {} if data is None else data

    def __getattr__(self, name):
        if name == 'data' or name.startswith('__'):
            raise AttributeError(name)
        if name in self.data:
            return self.data[name]
        raise AttributeError(name)

    def __getitem__(self, key):
        return self.data[key] if isinstance(key, str) else _unknown('the encoding of one text')

    def to(self, device, *args, **kwargs):
        return self


def _ints(n):
    return _open_list(_data_int('token', 0), n)


class PreTrainedTokenizerBase:
    padding_side = truncation_side = 'right'
    is_fast = True

    def __init__(self, *args, **kwargs):
        self._name = ''
        self._sizes = {}

    @classmethod
    def from_pretrained(cls, pretrained_model_name_or_path, *args, **kwargs):
        tokenizer = cls()
        name = pretrained_model_name_or_path
        tokenizer._name = str(name) if isinstance(name, str) and not _is_unknown(name) else ''
        return tokenizer

    def save_pretrained(self, *args, **kwargs):
        return _unknown('the files of a tokenizer')

    def _size(self, name):
        if name not in self._sizes:
            self._sizes[name] = _data_int(name, 1)
        return self._sizes[name]

    @property
    def vocab_size(self):
        return self._size('vocab')

    @property
    def model_max_length(self):
        return self._size('max_length')

    @model_max_length.setter
    def model_max_length(self, value):
        self._sizes['max_length'] = value

    def __len__(self):
        return self._size('tokens')

    def _typed(self):
        # Whether there are token_type_ids; None where the name does not tell.
        untyped, typed = _UNTYPED.search(self._name), _TYPED.search(self._name)
        if _is_unknown(untyped) or _is_unknown(typed):
            return None
        return False if untyped else True if typed else None

    def _length(self, padding, truncation, max_length, batch):
        if padding == 'max_length' or truncation:
            if _is_unknown(max_length):
                return _data_int('T', 1)
            limit = self.model_max_length if max_length is None else max_length
            if padding == 'max_length' and truncation:
                return limit
            if isinstance(limit, int) and padding != 'max_length':
                return _data_int('T', 1, limit)
        return _data_int('T', 1)

    def __call__(self, text=None, text_pair=None, text_target=None, text_pair_target=None, add_special_tokens=True, padding=False, truncation=None,
                 max_length=None, stride=0, is_split_into_words=False, pad_to_multiple_of=None, padding_side=None, return_tensors=None,
                 return_token_type_ids=None, return_attention_mask=None, return_overflowing_tokens=False, return_special_tokens_mask=False,
                 return_offsets_mapping=False, return_length=False, verbose=True, **kwargs):
        given = text if text is not None else text_target
        for option in (given, padding, truncation, return_tensors, return_token_type_ids, return_attention_mask, return_overflowing_tokens):
            if _is_unknown(option):
                return _unknown('what a tokenizer makes of texts or options that are not known')
        if return_overflowing_tokens or return_tensors not in (None, 'pt') or pad_to_multiple_of is not None:
            return _unknown('what a tokenizer makes with these options')
        several = isinstance(given, (list, tuple)) and not (is_split_into_words and len(given) > 0 and isinstance(given[0], str))
        if not several and not isinstance(given, (str, list, tuple)):
            return _unknown('what a tokenizer makes of something that is no text')
        n = len(given) if several else 1
        length = self._length(padding, truncation, max_length, n)
        names = ['input_ids']
        types = self._typed() if return_token_type_ids is None else return_token_type_ids
        if types:
            names.append('token_type_ids')
        if return_attention_mask is not False:
            names.append('attention_mask')
        if return_special_tokens_mask:
            names.append('special_tokens_mask')
        out = {}
        for name in names:
            if return_tensors == 'pt':
                out[name] = _torch._stand_in(_torch.zeros((n, length), dtype=_torch.int64), what='what a tokenizer gives')
            elif several:
                out[name] = _open_list(_ints(length if padding == 'max_length' and truncation else _data_int('T', 1)), n)
            else:
                out[name] = _ints(length)
        if types is None:
            out = _open_dict(out, _unknown('whether the tokenizer of this model gives token_type_ids'))
        if text is not None and text_target is not None or return_offsets_mapping or return_length:
            out = _open_dict(out, _unknown('what a tokenizer gives besides'))
        return BatchEncoding(out)

    encode_plus = batch_encode_plus = __call__

    def encode(self, text, text_pair=None, add_special_tokens=True, padding=False, truncation=None, max_length=None, return_tensors=None, **kwargs):
        out = self(text, text_pair, padding=padding, truncation=truncation, max_length=max_length, return_tensors=return_tensors, return_attention_mask=False,
                   return_token_type_ids=False)
        return out if _is_unknown(out) else out['input_ids']

    def tokenize(self, text, **kwargs):
        return _open_list(_data_str(), _data_int('T', 0))

    def decode(self, token_ids, *args, **kwargs):
        return _data_str() if not isinstance(token_ids, (list, _torch.Tensor)) or isinstance(token_ids, _torch.Tensor) and token_ids.ndim < 2 else (
            _unknown('the texts of tokens'))

    def batch_decode(self, sequences, *args, **kwargs):
        return _unknown('the texts of tokens') if _is_unknown(sequences) else _open_list(_data_str(), len(sequences))

    def convert_tokens_to_ids(self, tokens):
        if _is_unknown(tokens):
            return tokens
        return _data_int('token', 0) if isinstance(tokens, str) else _open_list(_data_int('token', 0), len(tokens))

    def convert_ids_to_tokens(self, ids, skip_special_tokens=False):
        return _unknown('the texts of tokens')

    def convert_tokens_to_string(self, tokens):
        return _data_str()

    def get_vocab(self):
        return _unknown('the vocabulary of a tokenizer')

    def add_tokens(self, *args, **kwargs):
        self._sizes.pop('tokens', None)
        return _data_int('added', 0)

    add_special_tokens = add_tokens

    def pad(self, *args, **kwargs):
        return _unknown('what a tokenizer pads')

    def apply_chat_template(self, conversation, *args, tokenize=True, **kwargs):
        return _data_str() if tokenize is False and isinstance(conversation, list) and conversation and isinstance(conversation[0], dict) else (
            _unknown('the tokens of a conversation'))

    def __getattr__(self, name):
        if name.startswith('__') or name in ('_sizes', '_name'):
            raise AttributeError(name)
        return _unknown('what a tokenizer says of its tokens')


class PreTrainedTokenizer(PreTrainedTokenizerBase):
    pass


class PreTrainedTokenizerFast(PreTrainedTokenizerBase):
    pass


class AutoTokenizer:
    @classmethod
    def from_pretrained(cls, pretrained_model_name_or_path, *args, **kwargs):
        return PreTrainedTokenizerFast.from_pretrained(pretrained_model_name_or_path)


class _Typed(PreTrainedTokenizerFast):
    def _typed(self):
        return True


class BertTokenizer(_Typed):
    pass


class BertTokenizerFast(_Typed):
    pass


class _Untyped(PreTrainedTokenizerFast):
    def _typed(self):
        return False


class GPT2Tokenizer(_Untyped):
    pass


class RobertaTokenizer(_Untyped):
    pass


class DistilBertTokenizer(_Untyped):
    pass


class T5Tokenizer(_Untyped):
    pass


class CLIPTokenizer(_Untyped):
    pass


class BartTokenizer(_Untyped):
    pass


class LlamaTokenizer(_Untyped):
    pass


GPT2TokenizerFast, RobertaTokenizerFast, DistilBertTokenizerFast, T5TokenizerFast, CLIPTokenizerFast, BartTokenizerFast, LlamaTokenizerFast = (
    GPT2Tokenizer, RobertaTokenizer, DistilBertTokenizer, T5Tokenizer, CLIPTokenizer, BartTokenizer, LlamaTokenizer)
