import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { looksSecret, maskSecrets, maskValues, secretNames } from '../../src/secrets.ts';

// Put together here, so that no scanner takes this file for a leak.
const long = (count: number) => 'a1B2c3D4e5'.repeat(10).slice(0, count);
const pem = (kind: string) => `-----BEGIN ${kind}-----\nMIIB\n-----END ${kind}-----`;
const SECRETS: Readonly<Record<string, string>> = {
  ghp: `ghp_${long(36)}`,
  gho: `gho_${long(36)}`,
  ghu: `ghu_${long(36)}`,
  ghs: `ghs_${long(36)}`,
  ghr: `ghr_${long(36)}`,
  'fine-grained': `github_pat_${long(22)}_${long(40)}`,
  google: `AIzaSy${long(33)}`,
  aws: 'AKIAABCDEFGHIJKLMNOP',
  'aws session': 'ASIAABCDEFGHIJKLMNOP',
  'stripe secret': `sk_live_${long(24)}`,
  'stripe restricted': `rk_live_${long(24)}`,
  'stripe publishable': `pk_test_${long(24)}`,
  slack: 'xoxb-1234-abcd',
  jwt: 'eyJhbGciOi.eyJzdWIi.c2ln',
  'rsa key': pem('RSA PRIVATE KEY'),
  key: pem('PRIVATE KEY'),
  'pgp key': pem('PGP PRIVATE KEY BLOCK'),
  certificate: pem('CERTIFICATE'),
};
const URLS: Readonly<Record<string, string>> = {
  https: 'https://user:pw@host/x',
  http: 'http://user:pw@host',
  ftp: 'ftp://user:pw@host/x',
  smtp: 'smtp://user:pw@host',
};
const INNOCENT = [
  '',
  'postgres://x/y',
  'https://host/x',
  'https://host:8080/x',
  'https://host/x@y',
  'me@example.org',
  'ghp_short',
  'AKIA1234',
  'asiatic countries and seas',
  'xoxb',
  'eyJhbGciOi.eyJzdWIi',
  'BEGIN PRIVATE KEY',
  '-----BEGIN PUBLIC KEY-----',
  '/home/dev/project',
];

describe('looksSecret', () => {
  it.each(Object.entries({ ...SECRETS, ...URLS }))('%s', (_, value) => {
    expect(looksSecret(value)).toBe(true);
    expect(looksSecret(value.toUpperCase())).toBe(true);
    expect(looksSecret(`before ${value} after`)).toBe(true);
  });

  it.each(INNOCENT)('not %j', (value) => {
    expect(looksSecret(value)).toBe(false);
    expect(maskSecrets(value)).toBe(value);
  });

  it('finds a URL password as loosely as Gemini CLI does', () => {
    const engine = /(https?|ftp|smtp):\/\/[^:]+:[^@]+@/i;
    const part = fc.constantFrom('http://', 'ftp://', ':', '@', 'a', '/', ' ', 'HTTPS://');
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        expect(looksSecret(parts.join(''))).toBe(engine.test(parts.join('')));
      }),
      { numRuns: 3000 },
    );
  });
});

describe('maskSecrets', () => {
  it.each(Object.entries(SECRETS))('%s', (_, value) => {
    expect(maskSecrets(`before ${value} after`)).toBe('before [secret] after');
    expect(maskSecrets(`"${value}"`)).toBe('"[secret]"');
    expect(maskSecrets(`${value}\n${value}`)).toBe('[secret]\n[secret]');
  });

  it.each(Object.entries(URLS))('%s: the host stays', (_, value) => {
    expect(maskSecrets(`to ${value} now`)).toBe(`to ${value.replace('user:pw', '[secret]')} now`);
  });

  it.each([
    ['a PEM block that is cut off', 'x -----BEGIN RSA PRIVATE KEY-----\nMIIB', 'x [secret]'],
    [
      'a PEM block in JSON',
      '{"k":"-----BEGIN PRIVATE KEY-----\\nMI\\n-----END PRIVATE KEY-----\\n"}',
      '{"k":"[secret]\\n"}',
    ],
    ['a database', 'postgres://u:p@db/x', 'postgres://[secret]@db/x'],
    ['a password with an @', 'https://u:p@w@host', 'https://[secret]@host'],
    ['a port', 'http://localhost:4873/@scope/x', 'http://localhost:4873/@scope/x'],
    ['a file name', 'test/keyJoin.spec.ts', 'test/keyJoin.spec.ts'],
    ['a JWT after an escape', `\\neyJhbGciOiJIUzI1NiJ9.eyJzdWIi.c2ln`, '\\n[secret]'],
    ['a JWT in a sentence', 'is eyJhbGciOi.eyJzdWIi.c2ln. Next', 'is [secret]. Next'],
  ])('%s', (_, text, expected) => {
    expect(maskSecrets(text)).toBe(expected);
  });

  it('takes linear time, whatever the text', () => {
    const parts = [
      'http://',
      'a://',
      'a://b:',
      'a://:@',
      'eyJ',
      'eyJ.',
      'a.',
      '-----BEGIN PRIVATE KEY-----',
      '-----BEGIN ',
    ];
    for (const part of [...parts, 'ghp_', 'AIzaSy', 'xoxb-', 'AKIA', ' ', '@', 'sk_live_', '-', '-----END ']) {
      const text = part.repeat(65_536 / part.length);
      const begun = performance.now();
      maskSecrets(text);
      looksSecret(text);
      expect(performance.now() - begun, part).toBeLessThan(1000);
    }
  });

  it('hides what looks secret, wherever it stands', () => {
    const separator = fc.constantFrom(' ', '\n', '"', '=', ',', "'");
    fc.assert(
      fc.property(
        fc.string(),
        separator,
        fc.constantFrom(...Object.values(SECRETS)),
        separator,
        (a, left, secret, right) => {
          expect(maskSecrets(a + left + secret + right)).not.toContain(secret);
        },
      ),
    );
  });
});

describe('maskValues', () => {
  it.each<[name: string, text: string, values: string[], expected: string]>([
    ['a value', 'a hunter22 b hunter22', ['hunter22'], 'a [secret] b [secret]'],
    ['none', 'a hunter22 b', [], 'a hunter22 b'],
    ['a short value', 'abcde', ['abcde', ''], 'abcde'],
    ['the longest first', 'x hunter2222 y', ['hunter22', 'hunter2222'], 'x [secret] y'],
    ['values that overlap', 'x abcdefghij y', ['abcdefg', 'defghij'], 'x [secret] y'],
    ['special characters', 'x $1.*+? y', ['$1.*+?'], 'x [secret] y'],
    ['a value around a token', `x my ${SECRETS.ghp} key y`, [`my ${SECRETS.ghp} key`], 'x [secret] y'],
    ['tokens as well', `hunter22 ${SECRETS.aws}`, ['hunter22'], '[secret] [secret]'],
  ])('%s', (_, text, values, expected) => {
    expect(maskValues(text, values)).toBe(expected);
  });
});

describe('secretNames', () => {
  it.each([
    'MY_TOKEN',
    'lower_token',
    'MONKEY',
    'AUTHOR',
    'PRIVATE_X',
    'CERTIFICATE',
    'MY_PASSWD',
    'creds',
    'X_SECRET',
  ])('%s', (name) => expect(secretNames(name)).toBe(true));
  it.each(['PATH', 'HOME', 'FOO', 'DATABASE_URL', ''])('not %j', (name) => expect(secretNames(name)).toBe(false));
});
