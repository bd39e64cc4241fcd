import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeFolder } from '../../../../../test/support/temporary.ts';
import { mergeKubeconfigs, readKubeconfig } from '../../../src/client-node/load/files.ts';
import { errorOf } from '../support.ts';

function writeConfig(text: string): { readonly folder: string; readonly path: string } {
  const folder = makeFolder();
  const path = join(folder, 'config');
  writeFileSync(path, text);
  return { folder, path };
}

describe('readKubeconfig', () => {
  it('resolves relative paths against the folder of the file', async () => {
    const { folder, path } = writeConfig(`
      current-context: a
      clusters: [{name: a, cluster: {server: "https://a", certificate-authority: certs/ca.crt}}, {name: b, cluster: {certificate-authority: /b}}]
      users:
        - {name: a, user: {client-certificate: a.crt, client-key: ../a.key, exec: {command: bin/login, args: [x]}}}
        - {name: b, user: {exec: {command: login}}}
        - {name: c}
      contexts: [{name: a, context: {cluster: a}}]
    `);
    expect(await readKubeconfig(path)).toEqual({
      'current-context': 'a',
      clusters: [
        { name: 'a', cluster: { server: 'https://a', 'certificate-authority': join(folder, 'certs/ca.crt') } },
        { name: 'b', cluster: { 'certificate-authority': '/b' } },
      ],
      users: [
        {
          name: 'a',
          user: {
            'client-certificate': join(folder, 'a.crt'),
            'client-key': join(folder, '../a.key'),
            exec: { command: join(folder, 'bin/login'), args: ['x'] },
          },
        },
        { name: 'b', user: { exec: { command: 'login' } } },
        { name: 'c', user: {} },
      ],
      contexts: [{ name: 'a', context: { cluster: 'a' } }],
    });
  });

  it('prefers tokenFile over token', async () => {
    const { folder, path } = writeConfig('users: [{name: a, user: {token: old, tokenFile: token}}]');
    expect((await readKubeconfig(path))?.users).toEqual([
      { name: 'a', user: { 'auth-provider': { name: 'tokenFile', config: { tokenFile: join(folder, 'token') } } } },
    ]);
  });

  it.each(['', '{}', 'current-context: ""', 'clusters: null', 'users: [{}, null, {name: ""}]'])(
    'accepts a file without entries: %j',
    async (text) => {
      expect(await readKubeconfig(writeConfig(text).path)).toEqual({ clusters: [], users: [], contexts: [] });
    },
  );

  it.each([
    ['a: [', 'is not valid YAML'],
    ['[]', 'is not an object'],
    ['users: {}', 'users is not a list'],
  ])('rejects an invalid file and names it: %j', async (text, message) => {
    const { path } = writeConfig(text);
    const error = await errorOf(readKubeconfig(path));
    expect(error.message).toContain(`the kubeconfig ${path}`);
    expect(error.message).toContain(message);
  });

  it('returns undefined for a missing file and rejects other read errors', async () => {
    const folder = makeFolder();
    expect(await readKubeconfig(join(folder, 'missing'))).toBeUndefined();
    mkdirSync(join(folder, 'config'));
    expect((await errorOf(readKubeconfig(join(folder, 'config')))).message).toContain('cannot be read: EISDIR');
  });
});

it('mergeKubeconfigs() keeps the first entry of each name and the first current context', () => {
  const file = (value: string, name: string, current?: string) => ({
    ...(current !== undefined && { 'current-context': current }),
    clusters: [{ name, cluster: value }],
    users: [{ name, user: value }],
    contexts: [{ name, context: value }],
  });
  expect(mergeKubeconfigs([file('one', 'a'), file('two', 'a', 'x'), file('three', 'b', 'y')])).toEqual({
    'current-context': 'x',
    clusters: [
      { name: 'a', cluster: 'one' },
      { name: 'b', cluster: 'three' },
    ],
    users: [
      { name: 'a', user: 'one' },
      { name: 'b', user: 'three' },
    ],
    contexts: [
      { name: 'a', context: 'one' },
      { name: 'b', context: 'three' },
    ],
  });
});
