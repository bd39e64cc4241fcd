import { describe, expect, test } from 'vitest';
import { UsageError } from '../../src/base/io.ts';
import { formatProblem } from '../../src/input/problem.ts';
import { type ReadOptions, type ReadProgress, readInput } from '../../src/input/read.ts';
import { createFakeFiles, type FakeEnvironment } from '../fake-io.ts';

const options: ReadOptions = { filenames: [], recursive: false, namespace: 'blue' };
const pod = (name: string): string => `{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "${name}"}}\n`;

async function read(
  filenames: readonly string[],
  files: NonNullable<FakeEnvironment['files']>,
  overrides: Partial<ReadOptions> = {},
  stdin = '',
) {
  const chunks = async function* (): AsyncGenerator<Uint8Array> {
    for (const byte of new TextEncoder().encode(stdin)) yield Uint8Array.of(byte);
  };
  const inventory = await readInput({ ...options, ...overrides, filenames }, { files: createFakeFiles(files), stdin: chunks() });
  return {
    names: inventory.pods.map(({ metadata }) => `${metadata?.namespace}/${metadata?.name}`),
    problems: inventory.problems.map(formatProblem),
  };
}

test('readInput reads files, directories and standard input in the given order', async () => {
  const files = { 'z.json': pod('z'), 'dir/b.yaml': pod('b'), 'dir/a.yaml': pod('a'), 'dir/below/c.yaml': pod('c') };
  expect(await read(['z.json', '-', 'dir'], files, {}, pod('e'))).toEqual({
    names: ['blue/z', 'blue/e', 'blue/a', 'blue/b'],
    problems: [],
  });
  expect((await read(['dir'], files, { recursive: true, namespace: 'red' })).names).toEqual(['red/a', 'red/b', 'red/c']);
});

test('readInput decodes characters split between two chunks', async () => {
  const text = 'apiVersion: v1\nkind: Pod\nmetadata: {name: a, annotations: {note: "é€😀"}}\n';
  const { names, problems } = await read(['-'], {}, {}, text);
  expect({ names, problems }).toEqual({ names: ['blue/a'], problems: [] });
});

test('readInput reads other sources if one has a problem', async () => {
  const files = {
    'empty.yaml': '',
    'comments.yaml': '# nothing\n---\n',
    'latin.yaml': Uint8Array.from([0x61, 0x0a, 0xe9, 0x0a]),
    'locked.yaml': { code: 'EACCES' },
    'good.yaml': pod('a'),
  };
  expect(await read([...Object.keys(files).slice(0, 4), 'missing.yaml', 'good.yaml'], files)).toEqual({
    names: ['blue/a'],
    problems: [
      'missing.yaml: there is no such file or directory',
      'empty.yaml: the file is empty: give YAML or JSON with Services and Pods',
      'comments.yaml: no document in it: give YAML or JSON with Services and Pods',
      'latin.yaml, line 2: not UTF-8: give YAML or JSON in UTF-8',
      'locked.yaml: cannot be read: permission denied',
    ],
  });
});

test('readInput reports an object given in two files with both locations', async () => {
  expect(await read(['a.yaml', 'b.yaml'], { 'a.yaml': pod('x'), 'b.yaml': `# b\n${pod('x')}` })).toEqual({
    names: ['blue/x'],
    problems: ['b.yaml, document 1, line 2: Pod blue/x: already given in a.yaml, document 1, line 1: remove one of the two'],
  });
});

test('readInput stops reading a source after too many problems, and continues with the next', async () => {
  const garbage = '---\nx\n'.repeat(50) + pod('late').replace(/^/, '---\n');
  const { names, problems } = await read(['garbage.yaml', 'good.yaml'], { 'garbage.yaml': garbage, 'good.yaml': pod('a') });
  expect(names).toEqual(['blue/a']);
  expect(problems).toHaveLength(21);
  expect(problems.at(-1)).toBe('garbage.yaml: 20 consecutive items are not Kubernetes objects: the rest is not read');
});

describe('readInput', () => {
  test('announces each source by its name before it reads it', async () => {
    const announced: string[] = [];
    const onProgress = ({ source, readBytes }: ReadProgress): void => void (readBytes ?? announced.push(source));
    await read(['dir', '-'], { 'dir/a.yaml': pod('a'), 'dir/b.yaml': '' }, { onProgress }, pod('c'));
    expect(announced).toEqual(['dir/a.yaml', 'dir/b.yaml', 'standard input']);
  });

  test('does not announce sources after the size limit', async () => {
    const announced: string[] = [];
    const chunk = new Uint8Array(64 * 1024 * 1024);
    const stdin = async function* (): AsyncGenerator<Uint8Array> {
      for (;;) yield chunk;
    };
    const onProgress = ({ source, readBytes }: ReadProgress): void => void (readBytes ?? announced.push(source));
    const io = { files: createFakeFiles({ 'a.yaml': pod('a') }), stdin: stdin() };
    const { pods, problems } = await readInput({ ...options, filenames: ['-', 'a.yaml'], onProgress }, io);
    expect(announced).toEqual(['standard input']);
    expect({ pods, problems: problems.map(formatProblem) }).toEqual({
      pods: [],
      problems: ['standard input: beyond the limit of 256 MiB for all input: give less, for example one namespace at a time'],
    });
  });
});

test('readInput refuses standard input given twice before reading anything', async () => {
  const announced: string[] = [];
  const result = read(['a.yaml', '-', '-'], { 'a.yaml': pod('a') }, { onProgress: ({ source }) => void announced.push(source) });
  await expect(result).rejects.toThrow(UsageError);
  expect(announced).toEqual([]);
});
