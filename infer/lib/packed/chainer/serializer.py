# This file names the base classes of serializers.


class AbstractSerializer:
    def __getitem__(self, key):
        raise NotImplementedError

    def __call__(self, key, value):
        raise NotImplementedError


class Serializer(AbstractSerializer):
    def save(self, obj):
        obj.serialize(self)


class Deserializer(AbstractSerializer):
    def load(self, obj):
        obj.serialize(self)
