import { describe, expect, test } from 'vitest';
import type { IO } from '../../src/base/io.ts';
import type { ReadingFlags } from '../../src/flags/cluster.ts';
import { readObjects } from '../../src/live/read-objects.ts';
import { fakeFiles } from '../fake-io.ts';

const service = (name: string, more = '') => `apiVersion: v1\nkind: Service\nmetadata: {name: ${name}}\n${more}---\n`;

async function read(flags: Partial<ReadingFlags['flags']>, cluster: object = {}, files: Record<string, string> = {}, isTTY = false) {
  const reported: string[] = [];
  let shown = '';
  const stderr = {
    write: (text: string) => {
      shown += text;
    },
    isTTY,
  };
  const io = { files: fakeFiles(files), stderr, env: {}, version: '1' } as unknown as IO;
  const requested = { flags: { output: 'table', color: true, ...flags } as ReadingFlags['flags'], ...cluster };
  const found = await readObjects(requested, ['services'], io, (prefix, text) => void reported.push(`${prefix}: ${text}`));
  return { ...found, reported, shown };
}

describe('objects read from files', () => {
  test('are put into the namespace of the command line', async () => {
    const { inventory, namespace, live, reported } = await read(
      { filename: ['a.yaml'], namespace: 'shop' },
      {},
      { 'a.yaml': service('web') },
    );
    expect([inventory.services[0]?.metadata?.namespace, namespace, live, reported]).toEqual(['shop', 'shop', false, []]);
    expect((await read({ filename: ['a.yaml'] }, {}, { 'a.yaml': service('web') })).namespace).toBe('default');
  });

  test('are reported if invalid, up to a limit', async () => {
    const wrong = Array.from({ length: 120 }, (_, i) => service(`s${i}`, 'spec: []\n')).join('');
    const { reported } = await read({ filename: ['a.yaml'] }, {}, { 'a.yaml': wrong });
    expect([reported.length, reported[0], reported.at(-1)]).toEqual([
      101,
      expect.stringContaining('spec is a list: give a map'),
      'error: 20 more problems of this kind in the input',
    ]);
  });

  test('show the file name on a terminal while it is read', async () => {
    const files = { 'a.yaml': service('web') };
    expect((await read({ filename: ['a.yaml'] }, {}, files, true)).shown).toBe('\r\u001b[Kreading a.yaml ...\r\u001b[K');
    expect((await read({ filename: ['a.yaml'] }, {}, files)).shown).toBe('');
  });
});

describe('the command line', () => {
  test.each<[string, object, object, string]>([
    ['without any', {}, {}, 'no input: give -f FILE'],
    [
      'with both',
      { filename: ['a'] },
      { context: 'c' },
      '-f reads files, --kubeconfig and --context read a cluster: give one or the other',
    ],
    ['with a kubeconfig that does not exist', {}, { kubeconfig: '/nowhere/kubeconfig' }, '/nowhere/kubeconfig'],
  ])('is refused %s', async (_, flags, cluster, message) => {
    await expect(read(flags, cluster)).rejects.toThrow(message);
  });
});
