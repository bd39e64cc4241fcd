import { compareByName, nameOf, objectKey } from 'kube-endpoints/internal/apimachinery';
import type { Service } from 'kube-endpoints/types';
import { describe, expect, test } from 'vitest';
import { createScope, type ScopeOptions } from '../../src/input/scope.ts';
import { endpoints, inventoryOf, node, pod, service, slice } from '../objects.ts';

const inNamespace = (name: string, namespace: string): Service => service(name, {}, { namespace });
const inventory = inventoryOf({
  services: [inNamespace('web', 'shop'), inNamespace('db', 'shop'), inNamespace('web', 'ops'), inNamespace('cache', 'a')],
  pods: [pod('p1', 'web', '10.0.0.1'), pod('p2', 'db', '10.0.0.2'), pod('p1', 'web', '10.0.0.3', {}, 'ops')],
  endpoints: [endpoints('web'), endpoints('orphan'), endpoints('web', [], { namespace: 'ops' })],
});
const allServices: ScopeOptions = { namespace: undefined, names: [], includesOrphans: false };
const scope = (options: Partial<ScopeOptions> = {}) => createScope(inventory, { ...allServices, ...options });

describe('the Services in scope', () => {
  test.each<[string, Partial<ScopeOptions>, string[]]>([
    ['include all, sorted by namespace and name', {}, ['a/cache', 'ops/web', 'shop/db', 'shop/web']],
    ['are limited to a namespace', { namespace: 'shop' }, ['shop/db', 'shop/web']],
    ['are limited to a name', { names: ['web'] }, ['ops/web', 'shop/web']],
    ['are limited to several names, even if one is repeated', { namespace: 'shop', names: ['web', 'db', 'web'] }, ['shop/db', 'shop/web']],
    ['are empty for an unknown namespace', { namespace: 'x' }, []],
  ])('%s', (_, options, keys) => {
    expect(scope(options).services.map(objectKey)).toEqual(keys);
  });

  test('are limited to labels, with their Endpoints and slices', () => {
    const labelled = service('web', {}, { labels: { tier: 'front' } });
    const objects = {
      services: [labelled, inNamespace('web', 'ops'), inNamespace('db', 'shop')],
      endpoints: inventory.endpoints,
      slices: [slice('web-1', 'web'), slice('db-1', 'db'), slice('gone-1', 'gone')],
    };
    const selector = { text: 'tier=front', matches: (labels: Readonly<Record<string, string>>) => labels['tier'] === 'front' };
    const selected = createScope(inventoryOf(objects), { ...allServices, selector, includesOrphans: true });
    expect([selected.services, selected.endpoints].map((items) => items.map(objectKey))).toEqual([['shop/web'], ['shop/web']]);
    expect([selected.serviceKeysOfSlices, selected.hints]).toEqual([['shop/web'], []]);
    const { hints } = createScope(inventory, { ...allServices, selector, namespace: 'shop' });
    expect(hints).toEqual(['No Services with tier=front found in namespace "shop".']);
  });

  test('are sorted without changing the input', () => {
    scope();
    expect(inventory.services.map(objectKey)).toEqual(['shop/web', 'shop/db', 'ops/web', 'a/cache']);
  });
});

describe('a Service in scope', () => {
  const [web, other] = [inNamespace('web', 'shop'), inNamespace('web', 'ops')];

  test('has the selected pods of its namespace, regardless of the scope', () => {
    const { podsSelectedBy, podsOf } = scope({ namespace: 'a' });
    expect(podsSelectedBy(web).map(objectKey)).toEqual(['shop/p1']);
    expect(podsSelectedBy(other).map(objectKey)).toEqual(['ops/p1']);
    expect(podsSelectedBy(service('web', { selector: {} })).map(objectKey)).toEqual(['shop/p1', 'shop/p2']);
    expect(podsSelectedBy(service('web', { selector: null }))).toEqual([]);
    expect(podsSelectedBy(inNamespace('web', 'nowhere'))).toEqual([]);
    expect(podsOf('shop').map(nameOf)).toEqual(['p1', 'p2']);
    expect(podsOf('nowhere')).toEqual([]);
  });

  test('has the Endpoints of its namespace and name', () => {
    expect(scope().endpointsOf(web)).toBe(inventory.endpoints[0]);
    expect(scope({ names: ['db'] }).endpointsOf(other)).toBe(inventory.endpoints[2]);
    expect(scope().endpointsOf(inNamespace('db', 'shop'))).toBe(undefined);
  });
});

test('a Service has the Events of its namespace and name', () => {
  const about = (namespace: string, name: string) => ({ involvedObject: { kind: 'Service', namespace, name } });
  const events = [about('shop', 'web'), about('ops', 'web'), about('shop', 'db'), about('shop', 'web')];
  const { eventsOf } = createScope(inventoryOf({ events }), allServices);
  expect(eventsOf(inNamespace('web', 'shop'))).toEqual([events[0], events[3]]);
  expect(eventsOf(inNamespace('web', 'a'))).toEqual([]);
});

test.each<[Partial<ScopeOptions>, string[]]>([
  [{}, ['ops/web', 'shop/orphan', 'shop/web']],
  [{ namespace: 'shop' }, ['shop/orphan', 'shop/web']],
  [{ names: ['web'] }, ['ops/web', 'shop/web']],
])('a scope selects the Endpoints of its namespace and names: %j', (options, keys) => {
  expect(scope(options).endpoints.map(objectKey)).toEqual(keys);
});

describe('names missing in a scope', () => {
  test.each<[Partial<ScopeOptions>, string[]]>([
    [{ names: ['web'] }, []],
    [{ namespace: 'a', names: ['cache', 'web'] }, ['services "web" not found in namespace "a"; there is one in shop, ops']],
    [
      { namespace: 'shop', names: ['y', 'x', 'y'] },
      ['services "y" not found in namespace "shop"', 'services "x" not found in namespace "shop"'],
    ],
    [{ names: ['x'] }, ['services "x" not found in any namespace']],
    [{ namespace: 'shop', names: ['orphan'] }, ['services "orphan" not found in namespace "shop"']],
    [{ namespace: 'shop', names: ['orphan'], includesOrphans: true }, []],
    [{ namespace: 'ops', names: ['orphan'], includesOrphans: true }, ['services "orphan" not found in namespace "ops"']],
  ])('are reported for %j', (options, missing) => {
    expect(scope(options).notFoundMessages).toEqual(missing);
    expect(scope(options).hints).toEqual([]);
  });

  test.each([
    [8, '; there is one in n0, n1, n2, n3, n4, n5, n6, n7'],
    [9, '; there is one in n0, n1, n2, n3, n4, n5, n6, n7 and 1 other'],
    [11, '; there is one in n0, n1, n2, n3, n4, n5, n6, n7 and 3 others'],
  ])('are reported with at most eight of %i other namespaces', (count, text) => {
    const services = Array.from({ length: count }, (_, i) => inNamespace('x', `n${i}`));
    expect(createScope(inventoryOf({ services }), { ...allServices, namespace: 'shop', names: ['x'] }).notFoundMessages).toEqual([
      `services "x" not found in namespace "shop"${text}`,
    ]);
  });
});

describe('hints of a scope', () => {
  test.each<[string, Partial<ScopeOptions>, string[]]>([
    ['are empty if there are Services', {}, []],
    [
      'list the other namespaces, sorted, if the selected one is empty',
      { namespace: 'x' },
      ['No Services found in namespace "x". The input has Services in a, ops, shop: give -n NAMESPACE, or -A for all.'],
    ],
  ])('%s', (_, options, hints) => {
    expect(scope(options).hints).toEqual(hints);
    expect(scope(options).notFoundMessages).toEqual([]);
  });

  test('state that the input holds no Services', () => {
    expect(createScope(inventoryOf({}), allServices).hints).toEqual(['No Services found in any namespace.']);
    expect(createScope(inventoryOf({}), { ...allServices, namespace: 'shop' }).hints).toEqual(['No Services found in namespace "shop".']);
  });
});

test.each([
  ['a/b', 'b/a', -1],
  ['a/b', 'a/c', -1],
  ['a/b', 'a/b', 0],
  ['b/a', 'a/b', 1],
  ['a/B', 'a/a', -1],
  ['a/a10', 'a/a9', -1],
  ['a-b/x', 'a/x', 1],
])('compareByName compares %s with %s', (a, b, sign) => {
  const objectNamed = (key: string) => ({ metadata: { namespace: key.split('/')[0], name: key.split('/')[1] } });
  expect(Math.sign(compareByName(objectNamed(a), objectNamed(b)))).toBe(sign);
});

describe('EndpointSlices in scope', () => {
  const orphan = { ...slice('orphan', ''), metadata: { name: 'orphan', namespace: 'shop' } };
  const sliceInOtherNamespace = { ...slice('web-3', 'web'), metadata: { ...slice('web-3', 'web').metadata, namespace: 'ops' } };
  const slices = [slice('web-2', 'web'), slice('web-1', 'web'), orphan, slice('gone-1', 'gone'), sliceInOtherNamespace];
  const scopeWithSlices = (options: Partial<ScopeOptions> = {}) =>
    createScope(inventoryOf({ ...inventory, slices }), { ...allServices, ...options });

  test('are found by Service and sorted by name, regardless of the scope', () => {
    const { slicesOf } = scopeWithSlices({ namespace: 'a' });
    expect(slicesOf('shop/web').map(nameOf)).toEqual(['web-1', 'web-2']);
    expect(slicesOf('ops/web').map(nameOf)).toEqual(['web-3']);
    expect(slicesOf('shop/db')).toEqual([]);
  });

  test.each<[Partial<ScopeOptions>, string[], string[]]>([
    [{}, ['web-3', 'gone-1', 'orphan', 'web-1', 'web-2'], ['ops/web', 'shop/gone', 'shop/web']],
    [{ namespace: 'shop' }, ['gone-1', 'orphan', 'web-1', 'web-2'], ['shop/gone', 'shop/web']],
    [{ names: ['gone'] }, ['gone-1'], ['shop/gone']],
  ])('are selected by the scope %j', (options, names, keys) => {
    expect(scopeWithSlices(options).slices.map(nameOf)).toEqual(names);
    expect(scopeWithSlices(options).serviceKeysOfSlices).toEqual(keys);
    expect(scopeWithSlices(options).hasSlices).toBe(true);
    expect(scope(options).hasSlices).toBe(false);
  });

  test('prevent a missing-Service error for their Service name if includesOrphans is set', () => {
    expect(scopeWithSlices({ names: ['gone'], includesOrphans: true }).notFoundMessages).toEqual([]);
    expect(scopeWithSlices({ names: ['gone'] }).notFoundMessages).toHaveLength(1);
  });
});

test('the nodes of a scope are those of the input, or undefined', () => {
  expect(scope().nodes).toBe(undefined);
  const nodes = [node('n1', 'a')];
  expect(createScope(inventoryOf({ nodes }), { ...allServices, namespace: 'shop' }).nodes).toBe(nodes);
});
