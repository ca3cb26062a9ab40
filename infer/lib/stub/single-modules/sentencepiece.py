# Models of sentencepiece: how many pieces a text has is not known.
from _shapecheck import data_int as _data_int, data_str as _data_str, is_unknown as _is_unknown, open_list as _open_list, unknown as _unknown


class SentencePieceProcessor:
    def __init__(self, *args, **kwargs):
        self._size = None

    def load(self, *args, **kwargs):
        self._size = None
        return True

    Load = LoadFromFile = load

    def vocab_size(self):
        if self._size is None:
            self._size = _data_int('vocab', 1)
        return self._size

    get_piece_size = GetPieceSize = __len__ = vocab_size

    def encode(self, input, out_type=int, **kwargs):
        if _is_unknown(input) or _is_unknown(out_type):
            return _unknown('the pieces of texts')
        if isinstance(input, str):
            return _open_list(_data_int('piece', 0) if out_type is int else _data_str(), _data_int('T', 0))
        return _open_list(self.encode('', out_type), len(input))

    def encode_as_ids(self, input, **kwargs):
        return self.encode(input)

    def encode_as_pieces(self, input, **kwargs):
        return self.encode(input, str)

    Encode, EncodeAsIds, EncodeAsPieces = encode, encode_as_ids, encode_as_pieces

    def decode(self, input, **kwargs):
        return _data_str() if isinstance(input, list) and not (len(input) > 0 and isinstance(input[0], list)) else _unknown('the texts of pieces')

    decode_ids = DecodeIds = decode_pieces = decode

    def bos_id(self):
        return _data_int('piece', -1)

    eos_id = pad_id = unk_id = bos_id

    def piece_to_id(self, piece):
        return _unknown('the number of a piece')

    PieceToId = piece_to_id

    def id_to_piece(self, id):
        return _unknown('the text of a piece')

    IdToPiece = id_to_piece


class SentencePieceTrainer:
    @staticmethod
    def train(*args, **kwargs):
        pass

    Train = train
