#!/usr/bin/env node
import { main, nodeWorld } from '../dist/index.js';

process.exitCode = await main(process.argv.slice(2), nodeWorld());
