import { expect, it } from 'vitest';
import { importLibrary } from '../../../src/client-node/load/load-kube-config.ts';
import { errorOf } from '../support.ts';

const failing = (message: string, code: string) => () => Promise.reject(Object.assign(new Error(message), { code }));

it('is client-node', async () => {
  const { KubeConfig } = await importLibrary();
  expect(new KubeConfig().getContexts()).toEqual([]);
});

it('says what to install where it is missing', async () => {
  const missing = failing("Cannot find package '@kubernetes/client-node' imported from /app/index.js", 'ERR_MODULE_NOT_FOUND');
  expect((await errorOf(importLibrary(missing))).message).toBe(
    'Reading a kubeconfig takes @kubernetes/client-node, which is not installed: npm install @kubernetes/client-node',
  );
});

it('does not hide other errors', async () => {
  for (const [message, code] of [
    ["Cannot find package 'undici'", 'ERR_MODULE_NOT_FOUND'],
    ['@kubernetes/client-node is broken', 'ERR_OTHER'],
  ] as const) {
    expect(await errorOf(importLibrary(failing(message, code)))).toMatchObject({ message, code });
  }
});
