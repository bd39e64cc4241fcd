import type { Named } from 'kube-endpoints/internal/apimachinery';
import { describe, expect, test } from 'vitest';
import { fc } from '../../../../test/support/property.ts';
import { findJSONList, readJSONItems } from '../../src/input/json-list.ts';
import { readInput } from '../../src/input/read.ts';
import { createFakeFiles } from '../fake-io.ts';

/** Makes a list long enough to be read item by item. */
const padding = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'padding' }, data: { text: 'x'.repeat(64 * 1024) } };
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const listOf = (items: readonly unknown[]) => ({ apiVersion: 'v1', items: [...items, padding], kind: 'List' });

const documentsOf = (text: string) => {
  const list = findJSONList(bytesOf(text));
  return list && [...readJSONItems(list, () => true)];
};

describe('a long list in JSON', () => {
  test('has the items that JSON.parse returns', () => {
    fc.assert(
      fc.property(
        fc.array(fc.jsonValue({ maxDepth: 4 }).map((value) => ({ spec: value, list: [value] }))),
        fc.constantFrom(undefined, 1, '\t'),
        (items, indent) => {
          const text = JSON.stringify(listOf(items), null, indent);
          const values = documentsOf(text)?.map(({ content }) => content.error ?? (content.value as { items: unknown[] }).items[0]);
          expect(values).toStrictEqual(JSON.parse(text).items);
        },
      ),
    );
  });

  test.each<[string, string, object]>([
    [
      'other fields before and after',
      '{"spec":{"kind":"X"},"kind":"Pod","metadata":{"labels":{"name":"y"},"name":"a","uid":"1"},"status":{}}',
      { kind: 'Pod', name: 'a', uid: '1', hasStatus: true },
    ],
    ['escapes in values', '{"kind":"P\\u006fd","metadata":{"namespace":"\\"\\\\"}}', { kind: 'Pod', namespace: '"\\' }],
    ['characters of several bytes', '{"kind":"😀","metadata":{"name":"é"}}', { kind: '😀', name: 'é' }],
    [
      'a key twice, of which the last counts',
      '{"kind":"A","kind":"B","metadata":{"name":"a"},"metadata":{"uid":"u"}}',
      { kind: 'B', name: undefined, uid: 'u' },
    ],
    [
      'values that are not text',
      '{"kind":7,"metadata":{"name":null,"namespace":["x"]},"status":"x"}',
      { kind: undefined, name: undefined, namespace: undefined, hasStatus: false },
    ],
    ['metadata that is a list', '{"metadata":["name"]}', { name: undefined }],
    ['a number', '7', { kind: undefined }],
  ])('has a header for an item with %s', (_, item, header) => {
    const text = JSON.stringify(listOf([])).replace('"items":[', `"items":[${item},`);
    expect(findJSONList(bytesOf(text))?.items[0]).toMatchObject(header);
  });

  test('yields documents with the line of each field, or of its nearest ancestor', () => {
    const text = `\n${JSON.stringify(listOf([{ kind: 'A' }, { kind: 'B', list: [1, { a: 2 }] }]), null, 1)}`;
    const [, second] = documentsOf(text) ?? [];
    const lineOf = (...path: (string | number)[]) => text.split('\n')[(second?.lineOf(['items', 1, ...path]) ?? 0) - 1]?.trim();
    expect([lineOf(), lineOf('kind'), lineOf('list', 1, 'a'), lineOf('list', 1, 'b'), lineOf('x')]).toEqual([
      '{',
      '"kind": "B",',
      '"a": 2',
      '{',
      '{',
    ]);
    expect(second).toMatchObject({ number: 1, firstItemIndex: 1 });
  });

  test('limits an error to its item, and reports its line', () => {
    const text = JSON.stringify(listOf([{ a: 1 }, { b: { c: 2 } }]), null, 1).replace('"c": 2', '"c": 2,');
    const contents = documentsOf(text)?.map(({ content }) => content);
    expect(contents?.[1]).toEqual({
      error: 'not JSON: unexpected text; give a key in double quotes',
      line: text.split('\n').indexOf('    "c": 2,') + 2,
    });
    expect(contents?.map(({ error }) => error === undefined)).toEqual([true, false, true]);
  });
});

describe('the complete parser reads', () => {
  const text = JSON.stringify(listOf([{ a: 1 }]));
  test.each<[string, string | Uint8Array]>([
    ['a short list', JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [{ a: 1 }] })],
    ['a list that is cut off', text.slice(0, -1)],
    ['a list followed by text', `${text}x`],
    ['a list followed by a document', `${text}\n---\n{}`],
    ['a list after a comment', `# x\n${text}`],
    ['a list with two fields named items', text.replace('"kind":"List"', '"items":[],"kind":"List"')],
    ['a list whose kind does not end with List', text.replace('"List"', '"Menu"')],
    ['a key with an escape', text.replace('"a":', '"\\u0061":')],
    ['a missing comma', text.replace('},{', '} {')],
    ['a control character in a string', text.replace('"a"', '"a\u0001"')],
    ['a control character after a backslash', text.replace('"xx', '"\\\u0001xx')],
    ['a control character between tokens', text.replace('"data":{', '"data":{\u000b')],
    ['a line break in a string', text.replace('xx', 'x\nx')],
    ['deep nesting', text.replace('"a":1', `"a":${'['.repeat(398)}${']'.repeat(398)}`)],
    ['YAML', `a: ${text}`],
    ['an object', text.replace('"items":[', '"spec":[')],
    ['bytes that are not UTF-8', Uint8Array.from([...bytesOf(text.slice(0, -1)), 0x2c, 0x22, 0xe9, 0x22, 0x3a, 0x31, 0x7d])],
  ])('%s', (_, input) => {
    expect(findJSONList(typeof input === 'string' ? bytesOf(input) : input)?.items.length).toBeUndefined();
  });

  test('nothing of a list that is at the limit of nesting, or begins with a byte order mark', () => {
    const deepText = text.replace('"a":1', `"a":${'['.repeat(397)}${']'.repeat(397)}`);
    expect(findJSONList(bytesOf(`\ufeff \n${deepText}`))?.items).toHaveLength(2);
  });
});

describe('a long list that is read for one namespace', () => {
  const object = (kind: string, name: string, namespace: string | undefined, rest: object = {}) => ({
    apiVersion: 'v1',
    kind,
    metadata: { name, namespace, uid: `${kind}-${name}` },
    status: {},
    ...rest,
  });
  const pods = ['a', 'b', 'c', 'd'].map((name) => object('Pod', name, name === 'd' ? undefined : 'red'));

  async function read(items: readonly object[], names: readonly string[] = [], top: object = {}) {
    const files = createFakeFiles({ 'dump.json': JSON.stringify({ ...listOf(items), ...top }) });
    const stdin = (async function* () {})();
    const options = { filenames: ['dump.json'], recursive: false, namespace: 'blue', scope: { namespace: 'blue', names } };
    const { services, pods, namespaces, ignoredCount, problems } = await readInput(options, { files, stdin });
    const namesOf = (objects: readonly Named[]) => objects.map(({ metadata }) => `${metadata?.namespace}/${metadata?.name}`);
    return { services: namesOf(services), pods: namesOf(pods), namespaces: namesOf(namespaces), ignoredCount, problems };
  }

  test('leaves out all objects of other namespaces but the first', async () => {
    expect(await read([...pods, object('Pod', 'e', 'blue')])).toMatchObject({
      pods: ['red/a', 'blue/d', 'blue/e'],
      problems: [],
      ignoredCount: 1,
    });
  });

  test('does not validate what it leaves out', async () => {
    const invalidPod = object('Pod', 'x', 'red', { spec: 7 });
    expect((await read([...pods, invalidPod])).problems).toEqual([]);
    expect((await read([...pods, { ...invalidPod, metadata: { name: 'x', namespace: 'blue' } }])).problems).toMatchObject([
      { object: 'Pod blue/x' },
    ]);
  });

  test('has the namespaces of all objects', async () => {
    expect((await read([...pods, object('Service', 'a', 'green')])).namespaces).toEqual([
      'undefined/blue',
      'undefined/green',
      'undefined/red',
    ]);
  });

  test('has the Services of other namespaces, because a Service can be an alias for any of them', async () => {
    const services = ['a', 'b', 'c'].map((name) => object('Service', name, 'red'));
    expect((await read(services, ['c'])).services).toEqual(['red/a', 'red/b', 'red/c']);
  });

  test('has the pods of other namespaces that a named Service may select', async () => {
    const labelled = (name: string, labels: object) => ({
      ...object('Pod', name, 'red'),
      metadata: { name, namespace: 'red', uid: name, labels },
    });
    const service = object('Service', 's', 'blue', { spec: { selector: { app: 'web', tier: 'x' } } });
    const items = [service, labelled('first', {}), labelled('a', { app: 'web', tier: 'x' }), labelled('b', { app: 'web' })];
    expect((await read(items, ['s'])).pods).toEqual(['red/first', 'red/a']);
    expect((await read(items)).pods).toEqual(['red/first']);
    expect((await read([{ ...service, spec: 7 }, ...items.slice(1)], ['s'])).pods).toEqual(['red/first']);
  });

  test('has pods without a status, which are counted, and objects of another API version, which are invalid', async () => {
    const { pods: read1, problems } = await read([
      ...pods,
      object('Pod', 'x', 'red', { status: null }),
      object('Pod', 'y', 'red', { apiVersion: 'v2' }),
    ]);
    expect(read1).toContain('red/x');
    expect(problems).toMatchObject([{ message: 'apiVersion is "v2": give v1' }]);
  });

  test('is read completely if the defaults of a Service depend on it', async () => {
    const service = object('Service', 's', 'blue');
    const isComplete = async (items: readonly object[]) => (await read(items)).pods.length === pods.length;
    expect(await isComplete([...pods, service])).toBe(false);
    expect(await isComplete([...pods, { ...service, metadata: { name: 's' } }])).toBe(true);
  });

  test('may be a typed list, whose items have no kind', async () => {
    const items = pods.map(({ kind: _, apiVersion: __, ...pod }) => pod);
    const { pods: read1, problems } = await read(items, [], { kind: 'PodList', items });
    expect({ read1, problems }).toEqual({ read1: ['red/a', 'red/b', 'red/c', 'blue/d'], problems: [] });
  });
});
