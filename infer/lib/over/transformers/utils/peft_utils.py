# Folders with adapters are refused before they are looked for.


def find_adapter_config_file(model_id, *args, **kwargs):
    return None
