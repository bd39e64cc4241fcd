import { X509Certificate } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../../../../test/support/temporary.ts';
import { UsageError } from '../../src/base/io.ts';
import { ensureSelfSignedFiles } from '../../src/live/self-signed.ts';

test('--self-signed creates the certificate once per set of names, with a key only its owner can read', async () => {
  const folder = join(makeFolder(), 'tls');
  const first = await ensureSelfSignedFiles(folder, ['web.shop.svc', '10.0.0.7']);
  expect(first.isNew).toBe(true);
  const certificate = new X509Certificate(readFileSync(first.cert));
  expect(certificate.checkHost('web.shop.svc')).toBe('web.shop.svc');
  expect(certificate.checkIP('10.0.0.7')).toBe('10.0.0.7');
  expect(certificate.checkHost('localhost')).toBe('localhost');
  expect(certificate.verify(new X509Certificate(readFileSync(first.ca)).publicKey)).toBe(true);
  expect(statSync(first.key).mode & 0o077).toBe(0);
  expect(await ensureSelfSignedFiles(folder, ['web.shop.svc', '10.0.0.7'])).toEqual({ ...first, isNew: false });
});

test.each([
  [['tls.key'], 'tls.key is missing: restore it, or remove the other files to create a new certificate'],
  [['ca.crt', 'tls.crt'], 'ca.crt and tls.crt are missing: restore them, or remove the other files to create a new certificate'],
])('--self-signed refuses a directory without %j, and changes no file', async (names, problem) => {
  const folder = join(makeFolder(), 'tls');
  await ensureSelfSignedFiles(folder, []);
  for (const name of names) rmSync(join(folder, name));
  const remaining = readdirSync(folder);
  await expect(ensureSelfSignedFiles(folder, [])).rejects.toThrow(new UsageError(`--self-signed ${folder}: ${problem}`));
  expect(readdirSync(folder)).toStrictEqual(remaining);
});

test.each([
  [
    'issued for another name',
    ['other.shop.svc'],
    undefined,
    /^--self-signed .*: the existing certificate is not valid for other\.shop\.svc: remove the files/,
  ],
  ['issued for another address', ['10.0.0.8'], undefined, /is not valid for 10\.0\.0\.8: /],
  ['unreadable', [], 'no certificate', /cannot be read: remove the files, or give another directory$/],
])('--self-signed refuses an existing certificate that is %s', async (_, names, text, message) => {
  const folder = join(makeFolder(), 'tls');
  const { cert } = await ensureSelfSignedFiles(folder, ['web.shop.svc']);
  if (text !== undefined) writeFileSync(cert, text);
  await expect(ensureSelfSignedFiles(folder, names)).rejects.toThrow(message);
});

test('--self-signed refuses an expired certificate', async () => {
  const folder = join(makeFolder(), 'tls');
  const { cert } = await ensureSelfSignedFiles(folder, []);
  const { createServingCertificate } = await import('@kube-endpoints/apiserver');
  const expired = createServingCertificate({
    names: ['localhost'],
    now: Date.UTC(2020, 0, 1),
    randomBytes: (size) => new Uint8Array(size).fill(7),
  });
  writeFileSync(cert, expired.cert);
  await expect(ensureSelfSignedFiles(folder, [])).rejects.toThrow(/the existing certificate expired on /);
});
