import { expect, test } from 'vitest';
import { readManifests } from '../../src/input/manifests.ts';
import { formatProblem } from '../../src/input/problem.ts';
import { createFakeFiles, type FakeEnvironment } from '../fake-io.ts';

async function read(files: NonNullable<FakeEnvironment['files']>, filenames: readonly string[] = Object.keys(files)) {
  const stdin = (async function* (): AsyncGenerator<Uint8Array> {})();
  const { manifests, problems } = await readManifests(
    { filenames, recursive: false, namespace: 'blue' },
    { files: createFakeFiles(files), stdin },
  );
  return { objects: manifests.map(({ object, location }) => ({ ...object, location })), problems: problems.map(formatProblem) };
}

test('readManifests reads objects of any kind with their location and namespace', async () => {
  const files = {
    'a.yaml':
      '# two\napiVersion: example.com/v1\nkind: Widget\nmetadata: {name: w}\n---\napiVersion: v1\nkind: Secret\nmetadata: {name: s, namespace: red}\n',
    'list.json':
      '{"apiVersion": "v1", "kind": "ConfigMapList", "items": [{"metadata": {"name": "c"}}, {"kind": "Pod", "apiVersion": "v1"}]}',
  };
  expect(await read(files)).toEqual({
    objects: [
      { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w', namespace: 'blue' }, location: 'a.yaml, document 1, line 2' },
      { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's', namespace: 'red' }, location: 'a.yaml, document 2, line 6' },
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c', namespace: 'blue' }, location: 'list.json, document 1, line 1' },
      { apiVersion: 'v1', kind: 'Pod', metadata: { namespace: 'blue' }, location: 'list.json, document 1, line 1' },
    ],
    problems: [],
  });
});

test('readManifests reports values that are not objects, and reads the rest', async () => {
  const files = {
    'empty.yaml': '',
    'odd.yaml': 'kind: Widget\n---\njust text\n---\napiVersion: v1\nkind: Secret\n',
    'broken.json': '{"kind": ',
  };
  const { objects, problems } = await read(files);
  expect(objects.map(({ kind }) => kind)).toEqual(['Secret']);
  expect(problems).toEqual([
    'empty.yaml: the file is empty: give YAML or JSON with objects',
    'odd.yaml, document 1, line 1: Widget: apiVersion is missing: give v1',
    'odd.yaml, document 2, line 3: this is "just text": give a Kubernetes object, a map with apiVersion and kind',
    expect.stringMatching(/^broken\.json, document 1, line 1: /),
  ]);
});

test('readManifests accepts 390 nested levels, and refuses a document that contains itself', async () => {
  const deep = `{"apiVersion": "v1", "kind": "Secret", "data": ${'{"a":'.repeat(390)}1${'}'.repeat(390)}}`;
  expect((await read({ 'deep.json': deep })).problems).toEqual([]);
  const selfReferencing = 'apiVersion: v1\nkind: Secret\ndata: &a {next: *a}\n';
  expect((await read({ 'loop.yaml': selfReferencing })).objects).toEqual([]);
});

test('readManifests reports at most twenty consecutive values that are not objects', async () => {
  const { problems, objects } = await read({ 'odd.json': `{"apiVersion": "v1", "kind": "List", "items": [${Array(50).fill('1')}]}` });
  expect(problems).toHaveLength(21);
  expect(problems.at(-1)).toBe('odd.json: 20 consecutive items are not Kubernetes objects: the rest is not read');
  expect(objects).toEqual([]);
});
