"""What policies are made from: base classes, registry, files, draws and probabilities."""
