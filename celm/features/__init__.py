"""What happens to the inputs before a model sees them: scaling and image features."""
