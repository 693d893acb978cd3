// What every process takes that runs a module.
