import { join } from 'node:path';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { expect, test } from 'vitest';
import { packTarball } from '../support/pack.ts';
import { readManifest, root } from '../support/repository.ts';
import { runNode } from '../support/run.ts';

test('publint has nothing to say, suggestions included', async () => {
  const { messages } = await publint({ pkgDir: root, strict: true, pack: false });
  expect(messages.map((message) => formatMessage(message, { ...readManifest() }))).toEqual([]);
});

test('the types are right wherever the package can be imported', () => {
  const attw = join(root, 'node_modules/@arethetypeswrong/cli/dist/index.js');
  // esm-only leaves out what Node.js before 22.12 would do: there neither require() of ES modules nor subpaths by file existed
  const { status, stdout } = runNode([attw, packTarball(), '--profile', 'esm-only', '--no-color', '--no-emoji']);
  expect(status, stdout).toBe(0);
  expect(stdout).toContain('kube-endpoints/explain');
});
