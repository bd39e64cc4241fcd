import { describe, expect, test } from 'vitest';
import type { IO } from '../../src/base/io.ts';
import type { InputFlags } from '../../src/flags/cluster.ts';
import { readObjects } from '../../src/live/read-objects.ts';
import { createFakeFiles } from '../fake-io.ts';

const service = (name: string, spec = '') => `apiVersion: v1\nkind: Service\nmetadata: {name: ${name}}\n${spec}---\n`;

async function read(flags: Partial<InputFlags['flags']>, cluster: object = {}, files: Record<string, string> = {}, isTTY = false) {
  const messages: string[] = [];
  let output = '';
  const stderr = {
    write: (text: string) => {
      output += text;
    },
    isTTY,
  };
  const io = { files: createFakeFiles(files), stderr, env: {}, version: '1' } as unknown as IO;
  const readingFlags = { flags: { output: 'table', color: true, ...flags } as InputFlags['flags'], ...cluster };
  const loaded = await readObjects(readingFlags, { kinds: ['services'] }, io, (prefix, text) => void messages.push(`${prefix}: ${text}`));
  return { ...loaded, messages, output };
}

describe('objects read from files', () => {
  test('are put into the namespace of the command line', async () => {
    const { inventory, namespace, live, messages } = await read(
      { filename: ['a.yaml'], namespace: 'shop' },
      {},
      { 'a.yaml': service('web') },
    );
    expect([inventory.services[0]?.metadata?.namespace, namespace, live, messages]).toEqual(['shop', 'shop', false, []]);
    expect((await read({ filename: ['a.yaml'] }, {}, { 'a.yaml': service('web') })).namespace).toBe('default');
  });

  test('are reported if invalid, up to a limit', async () => {
    const invalidServices = Array.from({ length: 120 }, (_, i) => service(`s${i}`, 'spec: []\n')).join('');
    const { messages } = await read({ filename: ['a.yaml'] }, {}, { 'a.yaml': invalidServices });
    expect([messages.length, messages[0], messages.at(-1)]).toEqual([
      101,
      expect.stringContaining('spec is a list: give a map'),
      'error: 20 more problems of this kind in the input',
    ]);
  });

  test('are announced by their file name on a terminal', async () => {
    const files = { 'a.yaml': service('web') };
    expect((await read({ filename: ['a.yaml'] }, {}, files, true)).output).toBe('\r\u001b[Kreading a.yaml ...\r\u001b[K');
    expect((await read({ filename: ['a.yaml'] }, {}, files)).output).toBe('');
  });
});

describe('the command line', () => {
  test.each<[string, object, object, string]>([
    ['without files and a cluster', {}, {}, 'no input: give -f FILE'],
    [
      'with both files and a cluster',
      { filename: ['a'] },
      { context: 'c' },
      '-f reads files, --kubeconfig and --context read a cluster: give one or the other',
    ],
    ['with a kubeconfig that does not exist', {}, { kubeconfig: '/nowhere/kubeconfig' }, '/nowhere/kubeconfig'],
  ])('is refused %s', async (_, flags, cluster, message) => {
    await expect(read(flags, cluster)).rejects.toThrow(message);
  });
});
