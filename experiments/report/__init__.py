"""One page a person opens, a summary and a verdict file, published from the committed results: never fits a model."""
