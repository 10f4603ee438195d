#!/usr/bin/env node
import module from 'node:module';

// Node 22 and later keep compiled code from run to run; older ones don't have this.
module.enableCompileCache?.();
const { main, nodeWorld } = await import('../dist/index.js');
process.exitCode = await main(process.argv.slice(2), nodeWorld());
