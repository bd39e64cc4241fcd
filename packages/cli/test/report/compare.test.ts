import { computeEndpoints } from 'kube-endpoints';
import type { EndpointsMeta } from 'kube-endpoints/internal';
import type { Endpoints } from 'kube-endpoints/types';
import { describe, expect, test } from 'vitest';
import { createScope } from '../../src/input/scope.ts';
import { compareAllEndpoints } from '../../src/report/compare.ts';
import { endpoints, inventoryOf, pod, scopeOf, service } from '../objects.ts';

const web = service('web');
const pods = [pod('a', 'web', '10.0.0.1'), pod('b', 'web', '10.0.0.2')];
const written = (version = '1.37'): Endpoints => computeEndpoints(web, pods, { version }) as Endpoints;
const withMetadata = (object: Endpoints, metadata: Partial<EndpointsMeta>): Endpoints => ({
  ...object,
  metadata: { ...object.metadata, ...metadata },
});
const nothingRefused: ReadonlySet<string> = new Set();

describe('the comparison state of a Service', () => {
  test.each([
    ['what the release writes', written(), 'equal', ['EndpointsEqual']],
    ['what another release writes', written('1.32'), 'differs', ['LabelsDiffer']],
    [
      'other addresses',
      withMetadata(endpoints('web', [{ addresses: [{ ip: '1.1.1.1' }] }]), { labels: written().metadata.labels ?? {} }),
      'differs',
      ['SubsetsDiffer'],
    ],
    ['nothing', undefined, 'missing', ['EndpointsMissing']],
  ])('with %s in its Endpoints', (_, current, state, codes) => {
    const [compared, ...more] = compareAllEndpoints(scopeOf({ services: [web], pods, endpoints: current ? [current] : [] }), '1.37', nothingRefused);
    expect(more).toEqual([]);
    expect(compared).toMatchObject({ namespace: 'shop', name: 'web', state });
    expect(compared?.reasons.map(({ code }) => code)).toEqual(codes);
  });

  test.each([
    ['has no selector', { selector: null }, 'ServiceHasNoSelector'],
    ['is of type ExternalName', { type: 'ExternalName' }, 'ServiceIsExternalName'],
  ])('is unmanaged if it %s, even if Endpoints exist', (_, spec, code) => {
    const scope = scopeOf({ services: [service('web', spec)], pods, endpoints: [written()] });
    expect(compareAllEndpoints(scope, '1.37', nothingRefused)).toEqual([
      { namespace: 'shop', name: 'web', state: 'unmanaged', reasons: [expect.objectContaining({ code })] },
    ]);
  });

  test('includes the objects only if the state needs them', () => {
    const of = (current: readonly Endpoints[]) =>
      compareAllEndpoints(scopeOf({ services: [web], pods, endpoints: current }), '1.37', nothingRefused)[0];
    const other = endpoints('web', [{ addresses: [{ ip: '1.1.1.1' }] }]);
    expect(of([other])).toMatchObject({ found: other, computed: { subsets: written().subsets } });
    expect(of([])).toMatchObject({ computed: { subsets: written().subsets } });
    expect(of([])).not.toHaveProperty('found');
    expect(Object.keys(of([written()]) ?? {}).sort()).toEqual(['name', 'namespace', 'reasons', 'state']);
  });

  test('ignores Endpoints of the same name in another namespace', () => {
    const elsewhere = withMetadata(written(), { namespace: 'other' });
    const states = compareAllEndpoints(scopeOf({ services: [web], pods, endpoints: [elsewhere] }), '1.37', nothingRefused);
    expect(states.map(({ namespace, state }) => [namespace, state])).toEqual([
      ['shop', 'missing'],
      ['other', 'leftOver'],
    ]);
  });
});

describe('a Service whose Endpoints the controller rewrites at every sync', () => {
  /** A headless label on a Service with a cluster IP never compares equal. */
  const odd = service('web', {}, { labels: { 'service.kubernetes.io/headless': 'x' } });
  const current = computeEndpoints(odd, pods, { version: '1.37' }) as Endpoints;
  const compared = (found: Endpoints) => compareAllEndpoints(scopeOf({ services: [odd], pods, endpoints: [found] }), '1.37', nothingRefused)[0];

  test.each<[string, Endpoints, string]>([
    ['is equal if the write changes nothing', current, 'equal'],
    [
      'nor the trigger time alone',
      withMetadata(current, { annotations: { 'endpoints.kubernetes.io/last-change-trigger-time': '2020-01-01T00:00:00Z' } }),
      'equal',
    ],
    [
      'nor the order of labels',
      withMetadata(current, { labels: Object.fromEntries(Object.entries(current.metadata.labels ?? {}).reverse()) }),
      'equal',
    ],
    ['differs in a label', withMetadata(current, { labels: { ...current.metadata.labels, more: 'x' } }), 'differs'],
    ['differs in its addresses', { ...current, subsets: [] }, 'differs'],
  ])('%s', (_, found, state) => {
    const one = compared(found);
    expect(one?.state).toBe(state);
    expect(one?.reasons.map(({ code }) => code)).toContain('LabelsDiffer');
  });
});

describe('Endpoints without a Service', () => {
  const alone = withMetadata(written(), { name: 'gone' });
  const lock = endpoints('lock', [], { annotations: { 'control-plane.alpha.kubernetes.io/leader': '' } });

  test('are left over, except for leader election locks', () => {
    expect(compareAllEndpoints(scopeOf({ endpoints: [lock, alone] }), '1.37', nothingRefused)).toEqual([
      { namespace: 'shop', name: 'gone', state: 'leftOver', reasons: [expect.objectContaining({ code: 'ServiceDeleted' })], found: alone },
      { namespace: 'shop', name: 'lock', state: 'leaderElection', reasons: [] },
    ]);
  });

  test('are compared as usual if a Service has the name of a lock', () => {
    const scope = scopeOf({ services: [service('lock')], endpoints: [lock] });
    expect(compareAllEndpoints(scope, '1.37', nothingRefused).map(({ state }) => state)).toEqual(['differs']);
  });

  test('are limited to the scope, without those of a refused Service', () => {
    const inventory = inventoryOf({ endpoints: [alone, withMetadata(alone, { name: 'other' })] });
    const scope = createScope(inventory, { namespace: 'shop', names: ['gone'], includesOrphans: true });
    expect(compareAllEndpoints(scope, '1.37', nothingRefused).map(({ name }) => name)).toEqual(['gone']);
    expect(compareAllEndpoints(scope, '1.37', new Set(['Service shop/gone']))).toEqual([]);
    expect(compareAllEndpoints(scope, '1.37', new Set(['Service other/gone', 'Endpoints shop/gone', 'Pod shop/gone']))).toHaveLength(1);
  });

  test('are not compared if the Endpoints object was refused', () => {
    const scope = scopeOf({ services: [web, service('db')], pods });
    expect(compareAllEndpoints(scope, '1.37', new Set(['Endpoints shop/web', 'Service shop/db'])).map(({ name }) => name)).toEqual(['db']);
  });
});
