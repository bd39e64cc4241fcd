import { expect, test } from 'vitest';
import { findSources } from '../../src/input/sources.ts';
import { createFakeFiles } from '../fake-io.ts';

const files = createFakeFiles({
  'dir/b.yaml': '',
  'dir/a.json': '',
  'dir/c.yml': '',
  'dir/notes.txt': '',
  'dir/sub/d.yaml': '',
  'dir/sub.yaml/e.yaml': '',
  'one.txt': '',
});
const io = { files, stdin: (async function* (): AsyncGenerator<Uint8Array> {})() };
const names = async (filenames: readonly string[], { recursive = false } = {}): Promise<string[]> =>
  (await findSources(filenames, recursive, io)).sources.map(({ name }) => name);

test('a directory contributes its sorted manifests, and subdirectories only with -R', async () => {
  expect(await names(['dir'])).toEqual(['dir/a.json', 'dir/b.yaml', 'dir/c.yml']);
  expect(await names(['dir/'])).toEqual(['dir/a.json', 'dir/b.yaml', 'dir/c.yml']);
  expect(await names(['dir'], { recursive: true })).toEqual([
    'dir/a.json',
    'dir/b.yaml',
    'dir/c.yml',
    'dir/sub/d.yaml',
    'dir/sub.yaml/e.yaml',
  ]);
});

test('files are read regardless of extension, in the given order', async () => {
  expect(await names(['one.txt', '-', 'dir/b.yaml'])).toEqual(['one.txt', 'standard input', 'dir/b.yaml']);
});
