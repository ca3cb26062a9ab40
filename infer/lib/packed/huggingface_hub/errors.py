# The module huggingface_hub.errors.


class HfHubHTTPError(OSError):
    pass


class RepositoryNotFoundError(HfHubHTTPError):
    pass


class GatedRepoError(RepositoryNotFoundError):
    pass


class RevisionNotFoundError(HfHubHTTPError):
    pass


class RevisionResolutionError(Exception):
    pass


class EntryNotFoundError(Exception):
    pass


class LocalEntryNotFoundError(EntryNotFoundError, FileNotFoundError):
    pass


class RemoteEntryNotFoundError(HfHubHTTPError, EntryNotFoundError):
    pass


class CachedRepoTreeNotFoundError(Exception):
    pass


class BadRequestError(HfHubHTTPError, ValueError):
    pass


class OfflineModeIsEnabled(ConnectionError):
    pass


class HFValidationError(ValueError):
    pass


class StrictDataclassError(Exception):
    pass


class StrictDataclassDefinitionError(StrictDataclassError):
    pass


class StrictDataclassFieldValidationError(StrictDataclassError):
    def __init__(self, field, cause):
        super().__init__(f"Validation error for field '{field}': {cause}")


class StrictDataclassClassValidationError(StrictDataclassError):
    def __init__(self, validator, cause):
        super().__init__(f"Class validation error for validator '{validator}': {cause}")
