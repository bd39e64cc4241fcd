import { describe, expect, test } from 'vitest';
import { createCollection, maxConsecutiveProblems } from '../../src/input/collection.ts';
import type { InputDocument } from '../../src/input/documents.ts';
import type { InputProblem } from '../../src/input/problem.ts';

const document = (value: unknown, number = 1): InputDocument => ({
  number,
  content: { value },
  firstItemIndex: 0,
  lineOf: (path) => 10 * number + path.length,
});
const unparsable = (error: string): InputDocument => ({ number: 1, content: { error, line: 4 }, firstItemIndex: 0, lineOf: () => 1 });
const object = (kind: string, name: string, rest: object = {}, namespace?: string) => ({
  apiVersion: 'v1',
  kind,
  metadata: { name, ...(namespace && { namespace }) },
  ...rest,
});

/** Collects each value as a separate document. */
function collect(...values: readonly unknown[]) {
  const collection = createCollection('blue', []);
  for (const [index, value] of values.entries()) collection.add('in.yaml', document(value, index + 1));
  return collection.toInventory();
}

describe('a collected object', () => {
  test('is grouped by kind, in input order, and other kinds are counted', () => {
    const inventory = collect(
      object('Pod', 'b'),
      object('Service', 'web'),
      { apiVersion: 'v1', kind: 'List', items: [object('Pod', 'a'), object('ServiceAccount', 's'), object('Endpoints', 'web')] },
      object('ConfigMap', 'c'),
    );
    expect(inventory.pods.map(({ metadata }) => metadata?.name)).toEqual(['b', 'a']);
    expect(inventory.services.map(({ metadata }) => metadata?.name)).toEqual(['web']);
    expect(inventory.endpoints.map(({ metadata }) => metadata?.name)).toEqual(['web']);
    expect(inventory).toMatchObject({ ignoredCount: 2, problems: [] });
    expect([...inventory.invalidObjects]).toEqual([]);
  });

  test('gets the default namespace and the defaults of the API server', () => {
    const { services, pods } = collect(object('Service', 'web', { spec: { ports: [{ port: 80 }] } }), object('Pod', 'a', {}, 'red'));
    expect(services[0]).toMatchObject({ metadata: { namespace: 'blue' }, spec: { ports: [{ protocol: 'TCP', targetPort: 80 }] } });
    expect(pods[0]).toMatchObject({ metadata: { namespace: 'red' } });
  });

  test('gets the IP family of the pods, even of later ones', () => {
    const { services } = collect(object('Service', 'web'), object('Pod', 'a', { status: { podIP: 'fd00::1' } }));
    expect(services[0]?.spec?.clusterIP).toContain(':');
  });
});

test('collects Events about Services only', () => {
  const event = (name: string, kind: string) => object('Event', name, { involvedObject: { kind, name: 'web' }, message: name });
  const { events, ignoredCount } = collect(event('a', 'Service'), event('b', 'Pod'), object('Event', 'c'));
  expect(events).toMatchObject([{ metadata: { name: 'a', namespace: 'blue' }, involvedObject: { name: 'web' }, message: 'a' }]);
  expect(ignoredCount).toBe(2);
});

describe('collected EndpointSlices and Nodes', () => {
  const slice = (name: string, rest: object = {}) => ({
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { name },
    addressType: 'IPv4',
    ...rest,
  });

  test('have a namespace, except for Nodes', () => {
    const { slices, nodes } = collect(slice('web-1', { ports: [{ port: 80 }] }), object('Node', 'n1'));
    expect(slices).toMatchObject([{ metadata: { name: 'web-1', namespace: 'blue' }, ports: [{ name: '', port: 80, protocol: 'TCP' }] }]);
    expect(nodes?.map(({ metadata }) => metadata)).toEqual([{ name: 'n1' }]);
  });

  test('have no list of nodes if the input holds no Node, or an invalid one', () => {
    expect(collect(slice('web-1')).nodes).toBe(undefined);
    const { nodes, invalidObjects, problems } = collect(object('Node', 'n1'), object('Node', 'n2', { status: 7 }));
    expect([nodes, ...invalidObjects]).toEqual([undefined, 'Node n2']);
    expect(problems).toMatchObject([{ object: 'Node n2', message: 'status is 7: give a map' }]);
  });

  test('may share a name, but two Nodes may not', () => {
    expect(collect(slice('x'), object('Node', 'x'), object('Endpoints', 'x')).problems).toEqual([]);
    expect(collect(object('Node', 'x'), object('Node', 'x', {}, 'red')).problems).toMatchObject([{ object: 'Node x' }]);
  });

  test('that are policies or workloads are grouped by kind, unless they belong to another project', () => {
    const related = [
      ['networking.k8s.io/v1', 'NetworkPolicy'],
      ['policy.networking.k8s.io/v1alpha2', 'ClusterNetworkPolicy'],
      ['policy.networking.k8s.io/v1alpha1', 'AdminNetworkPolicy'],
      ['policy.networking.k8s.io/v1alpha1', 'BaselineAdminNetworkPolicy'],
      ['apps/v1', 'Deployment'],
      ['v1', 'ReplicationController'],
      ['batch/v1', 'CronJob'],
    ] as const;
    const objects = related.map(([apiVersion, kind]) => ({ apiVersion, kind, metadata: { name: 'x' } }));
    const ofOtherProject = { apiVersion: 'crd.projectcalico.org/v1', kind: 'NetworkPolicy', metadata: { name: 'x' } };
    const collected = collect(...objects, ofOtherProject);
    expect(collected).toMatchObject({ ignoredCount: 1, problems: [] });
    expect(Object.entries(collected.related).flatMap(([kind, { length }]) => (length > 0 ? [[kind, length]] : []))).toStrictEqual(
      Object.keys(collected.related).flatMap((kind) => (related.some(([, each]) => each === kind) ? [[kind, 1]] : [])),
    );
  });

  test('of v1alpha1 are counted separately', () => {
    const old = { apiVersion: 'discovery.k8s.io/v1alpha1', kind: 'EndpointSlice', metadata: { name: 'x' } };
    expect(collect(old, old, object('ConfigMap', 'c'))).toMatchObject({ slices: [], oldSliceCount: 2, ignoredCount: 1, problems: [] });
  });

  test('are accepted with unusual but valid endpoints', () => {
    const endpoints = [{ addresses: ['fd00::1', 'x'] }, { addresses: ['fd00::1', 'x'], conditions: null }, {}];
    for (const ports of [null, [], [{}]]) expect(collect(slice('x', { endpoints, ports })).problems).toEqual([]);
  });
});

describe('the namespaces of a collection', () => {
  const names = (...values: readonly unknown[]) => collect(...values).namespaces.map(({ metadata }) => metadata?.name);

  test('are the Namespaces of the input, followed by the namespaces of its objects', () => {
    expect(
      names(object('Namespace', 'shop'), object('Service', 'web', {}, 'shop'), object('Pod', 'a', {}, 'red'), object('Pod', 'b')),
    ).toEqual(['shop', 'blue', 'red']);
  });

  test('do not include the default namespace for Nodes or Events', () => {
    const event = object('Event', 'e', { involvedObject: { kind: 'Service' } });
    expect(names(object('Node', 'n1'), event)).toEqual([]);
  });

  test('are cluster-scoped, so one name may be given only once', () => {
    expect(collect(object('Namespace', 'x'), object('Namespace', 'x', {}, 'red')).problems).toMatchObject([{ object: 'Namespace x' }]);
  });
});

describe('missing cluster IPs', () => {
  test('are replaced by unique addresses, and their Services recorded', () => {
    const { services, servicesWithPlaceholderIP } = collect(
      object('Service', 'a'),
      object('Service', 'b', { spec: { clusterIP: '192.0.2.1' } }),
      object('Service', 'c', { spec: { ipFamilies: ['IPv6'] } }),
      object('Service', 'd', { spec: { clusterIP: 'None' } }, 'red'),
      object('Service', 'e', {}, 'red'),
    );
    const addresses = ['192.0.2.2', '192.0.2.1', '2001:db8::1', 'None', '192.0.2.3'];
    expect(services.map(({ spec }) => spec?.clusterIP)).toEqual(addresses);
    expect([...servicesWithPlaceholderIP]).toEqual(['blue/a', 'blue/c', 'red/e']);
  });
});

describe('an invalid item', () => {
  test.each<[string, unknown, Omit<InputProblem, 'source'>, string[]]>([
    [
      'an invalid field',
      object('Service', 'web', { spec: { ports: [{ port: 0 }] } }),
      { document: 1, line: 14, object: 'Service blue/web', message: 'spec.ports[0].port is 0: give a whole number from 1 to 65535' },
      ['Service blue/web'],
    ],
    [
      'several invalid fields',
      object('Pod', 'a', { spec: [], status: [] }, 'red'),
      { document: 1, line: 11, object: 'Pod red/a', message: 'spec is a list: give a map (and 1 more)' },
      ['Pod red/a'],
    ],
    [
      'no name',
      { apiVersion: 'v1', kind: 'Pod', metadata: {} },
      { document: 1, line: 12, object: 'Pod', message: 'metadata.name is missing: give a name of lower-case letters, digits, "-" and "."' },
      [],
    ],
    [
      'no name, in a list in a list',
      {
        apiVersion: 'v1',
        kind: 'List',
        items: [{ apiVersion: 'v1', kind: 'PodList', items: [object('Pod', 'a'), { metadata: { name: 7 } }] }],
      },
      {
        document: 1,
        line: 16,
        object: 'Pod in items[0].items[1]',
        message: 'metadata.name is 7: give a name of lower-case letters, digits, "-" and "."',
      },
      [],
    ],
    [
      'a number, in a list',
      { apiVersion: 'v1', kind: 'List', items: [7] },
      { document: 1, line: 12, object: 'items[0]', message: 'this is 7: give a Kubernetes object, a map with apiVersion and kind' },
      [],
    ],
    [
      'an invalid name',
      object('Service', 'My Web'),
      {
        document: 1,
        line: 12,
        object: 'Service blue/My Web',
        message: 'metadata.name is "My Web": give a name of lower-case letters, digits, "-" and "."',
      },
      ['Service blue/My Web'],
    ],
  ])('is reported and not collected: %s', (_, value, problem, invalidNames) => {
    const inventory = collect(value);
    expect(inventory.problems).toEqual([{ source: 'in.yaml', ...problem }]);
    expect([...inventory.invalidObjects]).toEqual(invalidNames);
    expect([inventory.services, inventory.endpoints]).toEqual([[], []]);
  });

  test('is reported for its nesting before any other problem', () => {
    const nested = (depth: number): unknown => (depth === 0 ? 'x' : [nested(depth - 1)]);
    // The object itself and its map are the first two levels.
    expect(collect(object('Pod', 'a', { spec: { x: nested(98) } })).problems).toEqual([]);
    expect(collect(object('Pod', 'a', { spec: { x: nested(99), containers: 7 } })).problems).toMatchObject([
      { object: 'Pod blue/a', message: 'nested more than 100 levels deep: give a Kubernetes object' },
    ]);
  });
});

test('the inventory also reports refused sources and documents that cannot be parsed', () => {
  const collection = createCollection('blue', [{ source: 'a', message: 'first' }]);
  expect(collection.add('b', unparsable('second'))).toBe(true);
  collection.addProblem({ source: 'c', message: 'third' });
  expect(collection.toInventory().problems).toEqual([
    { source: 'a', message: 'first' },
    { source: 'b', document: 1, line: 4, message: 'second' },
    { source: 'c', message: 'third' },
  ]);
});

describe('an object given twice', () => {
  test('is reported with its location, and the first object counts', () => {
    const inventory = collect(object('Pod', 'a', { spec: { nodeName: 'first' } }), object('Pod', 'a', {}, 'blue'));
    expect(inventory.pods).toMatchObject([{ spec: { nodeName: 'first' } }]);
    expect(inventory.problems).toEqual([
      {
        source: 'in.yaml',
        document: 2,
        line: 20,
        object: 'Pod blue/a',
        message: 'already given in in.yaml, document 1, line 10: remove one of the two',
      },
    ]);
    expect([...inventory.invalidObjects]).toEqual([]);
  });

  test('is accepted if the first one is invalid', () => {
    const inventory = collect(object('Pod', 'a', { spec: 7 }), object('Pod', 'a'));
    expect(inventory.pods).toHaveLength(1);
    expect(inventory.problems).toHaveLength(1);
  });

  test('is not reported if the kind or the namespace differs', () => {
    expect(collect(object('Pod', 'a'), object('Service', 'a'), object('Pod', 'a', {}, 'red')).problems).toEqual([]);
  });
});

describe('the limit of consecutive problems', () => {
  const add = (collection: ReturnType<typeof createCollection>, count: number, value: unknown): boolean[] =>
    Array.from({ length: count }, () => collection.add('in.yaml', document(value)));

  test(`is ${maxConsecutiveProblems} values that are not objects`, () => {
    const collection = createCollection('blue', []);
    const results = add(collection, maxConsecutiveProblems, 'x');
    expect(results.slice(0, -1)).not.toContain(false);
    expect(results.at(-1)).toBe(false);
    expect(collection.toInventory().problems).toHaveLength(maxConsecutiveProblems);
  });

  test('applies within a list', () => {
    const collection = createCollection('blue', []);
    const items = [...Array(maxConsecutiveProblems).fill(7), object('Pod', 'late')];
    expect(collection.add('in.yaml', document({ apiVersion: 'v1', kind: 'List', items }))).toBe(false);
    expect(collection.toInventory()).toMatchObject({ pods: [], problems: { length: maxConsecutiveProblems } });
  });

  test('counts documents that cannot be parsed', () => {
    const collection = createCollection('blue', []);
    const results = Array.from({ length: maxConsecutiveProblems }, () => collection.add('in.yaml', unparsable('no')));
    expect(results.indexOf(false)).toBe(maxConsecutiveProblems - 1);
  });

  test.each([
    ['an object', object('Pod', 'a')],
    ['an object of another kind', object('Secret', 'a')],
    ['an object with an invalid field', object('Pod', 'A')],
  ])('restarts after %s', (_, value) => {
    const collection = createCollection('blue', []);
    expect([
      ...add(collection, maxConsecutiveProblems - 1, 'x'),
      ...add(collection, 1, value),
      ...add(collection, maxConsecutiveProblems - 1, 'x'),
    ]).not.toContain(false);
    expect(add(collection, 1, 'x')).toEqual([false]);
  });

  test('restarts with the next source', () => {
    const collection = createCollection('blue', []);
    add(collection, maxConsecutiveProblems, 'x');
    expect(collection.add('next.yaml', document('x'))).toBe(true);
  });
});
