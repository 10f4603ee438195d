// Stands in the bundle for packages that run a file as code, or that nothing here calls: cosmiconfig has loaders that ask for them when they
// are used, and hookrun's own settings must never get there.
throw new Error('this part of cosmiconfig is not in hookrun');
