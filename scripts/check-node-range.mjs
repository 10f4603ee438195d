// Fails when a package that we bundle or build with needs a newer Node than we promise to develop on.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
const promised = [20, 19];

/** Whether one comparator set of a range (`>=20.1.0 <22`) takes the promised version. */
function takes(set) {
  return set
    .trim()
    .replace(/([<>=^~])\s+/g, '$1')
    .split(/\s+/)
    .every((part) => {
      const found = /^(>=|>|<=|<|\^|~|=)?\s*v?(\d+)(?:\.(\d+|x))?/.exec(part.replaceAll('|', '').trim());
      if (found === null) return true;
      const [, sign = '=', major, minor] = found;
      const there = [Number(major), Number(minor ?? 0) || 0];
      const order = promised[0] - there[0] || promised[1] - there[1];
      if (sign === '>=') return order >= 0;
      if (sign === '>') return order > 0;
      if (sign === '<') return order < 0;
      if (sign === '<=') return order <= 0;
      if (sign === '^') return promised[0] === there[0] && order >= 0;
      if (sign === '~') return promised[0] === there[0] && promised[1] === there[1];
      return promised[0] === there[0];
    });
}

const bad = Object.entries(packages).filter(
  ([name, { engines, optional }]) =>
    name !== '' && !optional && engines?.node !== undefined && !engines.node.split('||').some(takes),
);
for (const [name, { version, engines }] of bad)
  console.error(`${name} ${version} needs node ${engines.node}, but 20.19 is promised`);
if (bad.length > 0) process.exitCode = 1;
