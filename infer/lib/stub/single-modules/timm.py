# timm by the layers that files build on; its own models are not here.
