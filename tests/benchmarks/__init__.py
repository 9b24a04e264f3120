"""What is measured rather than tested: a module per family of scenes, each with a `main`."""
