import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { expect, test } from 'vitest';
import { packTarball } from '../support/pack.ts';
import { packages, root } from '../support/repository.ts';
import { runNode } from '../support/run.ts';
import { isFull } from '../support/sample.ts';

/** Packing and checking takes seconds per package, so `npm test` checks only the root. */
const rows = (isFull ? packages : packages.slice(0, 1)).map((packageToCheck) => ({ name: packageToCheck.manifest.name, packageToCheck }));

test.each(rows)('publint reports nothing about $name', async ({ packageToCheck }) => {
  const { buffer, byteOffset, byteLength } = readFileSync(packTarball(packageToCheck).path);
  const tarball = buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer;
  const { messages } = await publint({ pack: { tarball }, strict: true });
  expect(messages.map((message) => formatMessage(message, { ...packageToCheck.manifest }))).toEqual([]);
});

test.each(rows)('the types of $name are correct for every way to import it', ({ name, packageToCheck }) => {
  const attw = join(root, 'node_modules/@arethetypeswrong/cli/dist/index.js');
  // "esm-only" excludes Node.js before 22.12, which cannot require() ES modules.
  const { status, stdout } = runNode([attw, packTarball(packageToCheck).path, '--profile', 'esm-only', '--no-color', '--no-emoji']);
  expect(status, stdout).toBe(0);
  expect(stdout).toContain(name);
});
