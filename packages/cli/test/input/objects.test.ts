import { describe, expect, test } from 'vitest';
import { findObjects } from '../../src/input/objects.ts';

const find = (document: unknown, firstItemIndex = 0) => [...findObjects(document, firstItemIndex)];
const v1 = (kind: string, rest: object = {}) => ({ apiVersion: 'v1', kind, ...rest });

describe('a single object', () => {
  test.each(['Service', 'Pod', 'Node', 'Namespace', 'Endpoints'])('of kind %s is returned unchanged', (kind) => {
    const object = v1(kind, { metadata: { name: 'x' } });
    const [item, ...otherItems] = find(object);
    expect(item).toEqual({ kind, object, path: [] });
    expect(item && 'object' in item && item.object).toBe(object);
    expect(otherItems).toEqual([]);
  });

  test('of kind EndpointSlice has its own API group', () => {
    const object = { apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice', metadata: { name: 'x' } };
    expect(find(object)).toEqual([{ kind: 'EndpointSlice', object, path: [] }]);
    expect(find(v1('EndpointSlice'))).toMatchObject([{ kind: 'problem', message: 'apiVersion is "v1": give discovery.k8s.io/v1' }]);
    expect(find({ kind: 'EndpointSlice' })).toMatchObject([{ message: 'apiVersion is missing: give discovery.k8s.io/v1' }]);
  });

  test('of kind ServiceCIDR has its own API group, and is skipped in older versions', () => {
    const object = { apiVersion: 'networking.k8s.io/v1', kind: 'ServiceCIDR', metadata: { name: 'kubernetes' } };
    expect(find(object)).toEqual([{ kind: 'ServiceCIDR', object, path: [] }]);
    expect(find({ ...object, apiVersion: 'networking.k8s.io/v1beta1' })).toEqual([{ kind: 'other' }]);
  });

  test.each([
    ['v1', 'EndpointSlice'],
    ['v1beta1', 'EndpointSlice'],
    ['v1alpha1', 'old'],
  ])('in discovery.k8s.io/%s is of kind %s', (version, kind) => {
    expect(find({ apiVersion: `discovery.k8s.io/${version}`, kind: 'EndpointSlice' })).toMatchObject([{ kind }]);
    expect(find({ apiVersion: `discovery.k8s.io/${version}`, kind: 'EndpointSliceList', items: [{}, {}] })).toMatchObject([
      { kind },
      { kind },
    ]);
  });

  test('of kind Event is returned if it concerns a Service', () => {
    const object = v1('Event', { metadata: { name: 'x' }, involvedObject: { kind: 'Service', name: 'web' } });
    expect(find(object)).toEqual([{ kind: 'Event', object, path: [] }]);
  });

  test.each([
    ['an Event about a Pod', v1('Event', { involvedObject: { kind: 'Pod', name: 'web' } })],
    ['an Event without involvedObject', v1('Event')],
    ['an Event of events.k8s.io', { apiVersion: 'events.k8s.io/v1', kind: 'Event', involvedObject: { kind: 'Service' } }],
    ['another kind', v1('ConfigMap')],
    ['a kind that is a property of all JavaScript objects', v1('constructor')],
    ['a kind named Service in another API group', { apiVersion: 'serving.knative.dev/v1', kind: 'Service' }],
    ['an API with a dot and no version', { apiVersion: 'example.com/', kind: 'Pod' }],
    ['a kind that ends with List but has no items', v1('AccessList')],
  ])('is skipped: %s', (_, object) => {
    expect(find(object)).toEqual([{ kind: 'other' }]);
  });

  test.each([
    ['null', null, 'this is null: give a Kubernetes object, a map with apiVersion and kind', undefined],
    ['a list', [v1('Pod')], 'this is a list: give a Kubernetes object, a map with apiVersion and kind', undefined],
    ['an empty map', {}, 'kind is missing: give Service, Pod, Node, Endpoints, EndpointSlice or List', undefined],
    ['an empty kind', v1(''), 'kind is missing: give Service, Pod, Node, Endpoints, EndpointSlice or List', undefined],
    [
      'a kind that is a map',
      { apiVersion: 'v1', kind: {} },
      'kind is a map: give Service, Pod, Node, Endpoints, EndpointSlice or List',
      undefined,
    ],
    ['no apiVersion', { kind: 'ConfigMap' }, 'apiVersion is missing: give v1', 'ConfigMap'],
    ['an apiVersion that is a number', { apiVersion: 1, kind: 'Pod' }, 'apiVersion is 1: give v1', 'Pod'],
    ['an obsolete apiVersion', { apiVersion: 'v1beta3', kind: 'Pod' }, 'apiVersion is "v1beta3": give v1', 'Pod'],
    [
      'another API group of Kubernetes',
      { apiVersion: 'discovery.k8s.io/v1', kind: 'Endpoints' },
      'apiVersion is "discovery.k8s.io/v1": give v1',
      'Endpoints',
    ],
    ['a group without a dot', { apiVersion: 'apps/v1', kind: 'Pod' }, 'apiVersion is "apps/v1": give v1', 'Pod'],
  ])('is a problem: %s', (_, document, message, object) => {
    expect(find(document)).toEqual([{ kind: 'problem', path: [], message, object }]);
  });
});

describe('lists', () => {
  test('have items with their index in the path', () => {
    const items = [v1('Pod'), v1('Secret'), v1('Service')];
    expect(find(v1('List', { items }), 5)).toEqual([
      { kind: 'Pod', object: items[0], path: ['items', 5] },
      { kind: 'other' },
      { kind: 'Service', object: items[2], path: ['items', 7] },
    ]);
  });

  test('of one kind provide kind and apiVersion of their items', () => {
    expect(find(v1('PodList', { items: [{ metadata: {} }, v1('Service')] })).map(({ kind }) => kind)).toEqual(['Pod', 'Service']);
    const apps = { apiVersion: 'apps/v1', kind: 'DeploymentList' };
    expect(find({ ...apps, items: [{ metadata: { name: 'web' } }, {}, { metadata: {} }] })).toStrictEqual([
      { kind: 'Deployment', object: { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' } }, path: ['items', 0] },
      { kind: 'other' },
      { kind: 'other' },
    ]);
    expect(find({ apiVersion: 'apps/v1', kind: 'ConfigMapList', items: [{}] })).toStrictEqual([{ kind: 'other' }]);
    expect(find(v1('PodList', { items: [{ apiVersion: 'v2' }] }))).toMatchObject([{ message: 'apiVersion is "v2": give v1' }]);
  });

  test('of kind List require kind and apiVersion of each item', () => {
    expect(find(v1('List', { items: [{ apiVersion: 'v1' }, { kind: 'Pod' }] }))).toMatchObject([
      { path: ['items', 0], message: 'kind is missing: give Service, Pod, Node, Endpoints, EndpointSlice or List' },
      { path: ['items', 1], object: 'Pod', message: 'apiVersion is missing: give v1' },
    ]);
  });

  test('may be nested, with separate indexes', () => {
    const inner = v1('List', { items: [v1('Pod')] });
    expect(find(v1('List', { items: [inner, inner] }), 3)).toMatchObject([
      { path: ['items', 3, 'items', 0] },
      { path: ['items', 4, 'items', 0] },
    ]);
  });

  test.each([
    ['null', null, []],
    ['absent', undefined, []],
    ['empty', [], []],
    ['a map', {}, [{ kind: 'problem', path: ['items'], message: 'items is a map: give a list', object: 'List' }]],
    ['text', 'x', [{ kind: 'problem', path: ['items'], message: 'items is "x": give a list', object: 'List' }]],
  ])('yield nothing, or a problem, if items is %s', (_, items, expected) => {
    expect(find(v1('List', { items }))).toEqual(expected);
  });

  const nested = (depth: number): object => (depth === 0 ? v1('Pod') : v1('List', { items: [nested(depth - 1)] }));
  test('may be nested ten levels deep', () => {
    expect(find(nested(10))).toMatchObject([{ kind: 'Pod' }]);
    expect(find(nested(11))).toMatchObject([{ kind: 'problem', message: 'in more than 10 lists: give each list by itself' }]);
  });
});

test('findObjects yields an object before it reaches invalid items', () => {
  const [first] = findObjects(v1('List', { items: [v1('Pod'), ...Array(3).fill(7)] }), 0);
  expect(first).toMatchObject({ kind: 'Pod' });
});
