import { computeEndpoints } from 'kube-endpoints';
import type { EndpointsMeta } from 'kube-endpoints/internal';
import type { Endpoints } from 'kube-endpoints/types';
import { describe, expect, test } from 'vitest';
import { createScope } from '../../src/input/scope.ts';
import { compareAllEndpoints } from '../../src/report/compare.ts';
import { endpoints, inventoryOf, pod, scopeOf, service } from '../objects.ts';

const web = service('web');
const pods = [pod('a', 'web', '10.0.0.1'), pod('b', 'web', '10.0.0.2')];
const computed = (version = '1.37'): Endpoints => computeEndpoints(web, pods, { version }) as Endpoints;
const withMetadata = (object: Endpoints, metadata: Partial<EndpointsMeta>): Endpoints => ({
  ...object,
  metadata: { ...object.metadata, ...metadata },
});
const noInvalidObjects: ReadonlySet<string> = new Set();

describe('the comparison state of a Service', () => {
  test.each([
    ['is equal with the Endpoints of the release', computed(), 'equal', ['EndpointsEqual']],
    ['differs with the Endpoints of another release', computed('1.32'), 'differs', ['LabelsDiffer']],
    [
      'differs with other addresses',
      withMetadata(endpoints('web', [{ addresses: [{ ip: '1.1.1.1' }] }]), { labels: computed().metadata.labels ?? {} }),
      'differs',
      ['SubsetsDiffer'],
    ],
    ['is missing without Endpoints', undefined, 'missing', ['EndpointsMissing']],
  ])('%s', (_, current, state, codes) => {
    const [comparison, ...otherComparisons] = compareAllEndpoints(
      scopeOf({ services: [web], pods, endpoints: current ? [current] : [] }),
      { version: '1.37' },
      noInvalidObjects,
    );
    expect(otherComparisons).toEqual([]);
    expect(comparison).toMatchObject({ namespace: 'shop', name: 'web', state });
    expect(comparison?.reasons.map(({ code }) => code)).toEqual(codes);
  });

  test.each([
    ['has no selector', { selector: null }, 'ServiceHasNoSelector'],
    ['is of type ExternalName', { type: 'ExternalName' }, 'ServiceIsExternalName'],
  ])('is unmanaged if it %s, even if Endpoints exist', (_, spec, code) => {
    const scope = scopeOf({ services: [service('web', spec)], pods, endpoints: [computed()] });
    expect(compareAllEndpoints(scope, { version: '1.37' }, noInvalidObjects)).toEqual([
      { namespace: 'shop', name: 'web', state: 'unmanaged', reasons: [expect.objectContaining({ code })] },
    ]);
  });

  test('includes the Endpoints only if the report of the state prints them', () => {
    const compare = (current: readonly Endpoints[]) =>
      compareAllEndpoints(scopeOf({ services: [web], pods, endpoints: current }), { version: '1.37' }, noInvalidObjects)[0];
    const other = endpoints('web', [{ addresses: [{ ip: '1.1.1.1' }] }]);
    expect(compare([other])).toMatchObject({ found: other, computed: { subsets: computed().subsets } });
    expect(compare([])).toMatchObject({ computed: { subsets: computed().subsets } });
    expect(compare([])).not.toHaveProperty('found');
    expect(Object.keys(compare([computed()]) ?? {}).sort()).toEqual(['name', 'namespace', 'reasons', 'state']);
  });

  test('ignores Endpoints of the same name in another namespace', () => {
    const inOtherNamespace = withMetadata(computed(), { namespace: 'other' });
    const states = compareAllEndpoints(
      scopeOf({ services: [web], pods, endpoints: [inOtherNamespace] }),
      { version: '1.37' },
      noInvalidObjects,
    );
    expect(states.map(({ namespace, state }) => [namespace, state])).toEqual([
      ['shop', 'missing'],
      ['other', 'leftOver'],
    ]);
  });
});

describe('a Service whose Endpoints the controller rewrites at every sync', () => {
  /** A headless label on a Service with a cluster IP never compares equal. */
  const headlessLabelled = service('web', {}, { labels: { 'service.kubernetes.io/headless': 'x' } });
  const current = computeEndpoints(headlessLabelled, pods, { version: '1.37' }) as Endpoints;
  const compare = (found: Endpoints) =>
    compareAllEndpoints(scopeOf({ services: [headlessLabelled], pods, endpoints: [found] }), { version: '1.37' }, noInvalidObjects)[0];

  test.each<[string, Endpoints, string]>([
    ['is equal if the write changes nothing', current, 'equal'],
    [
      'is equal if the write changes only the trigger time',
      withMetadata(current, { annotations: { 'endpoints.kubernetes.io/last-change-trigger-time': '2020-01-01T00:00:00Z' } }),
      'equal',
    ],
    [
      'is equal if the write changes only the order of labels',
      withMetadata(current, { labels: Object.fromEntries(Object.entries(current.metadata.labels ?? {}).reverse()) }),
      'equal',
    ],
    ['differs in a label', withMetadata(current, { labels: { ...current.metadata.labels, more: 'x' } }), 'differs'],
    ['differs in its addresses', { ...current, subsets: [] }, 'differs'],
  ])('%s', (_, found, state) => {
    const comparison = compare(found);
    expect(comparison?.state).toBe(state);
    expect(comparison?.reasons.map(({ code }) => code)).toContain('LabelsDiffer');
  });
});

describe('Endpoints without a Service', () => {
  const orphan = withMetadata(computed(), { name: 'gone' });
  const lock = endpoints('lock', [], { annotations: { 'control-plane.alpha.kubernetes.io/leader': '' } });

  test('are left over, except for leader election locks', () => {
    expect(compareAllEndpoints(scopeOf({ endpoints: [lock, orphan] }), { version: '1.37' }, noInvalidObjects)).toEqual([
      { namespace: 'shop', name: 'gone', state: 'leftOver', reasons: [expect.objectContaining({ code: 'ServiceDeleted' })], found: orphan },
      { namespace: 'shop', name: 'lock', state: 'leaderElection', reasons: [] },
    ]);
  });

  test('are compared as usual if a Service has the name of a lock', () => {
    const scope = scopeOf({ services: [service('lock')], endpoints: [lock] });
    expect(compareAllEndpoints(scope, { version: '1.37' }, noInvalidObjects).map(({ state }) => state)).toEqual(['differs']);
  });

  test('are reported only if they are in scope and no invalid Service has their name', () => {
    const inventory = inventoryOf({ endpoints: [orphan, withMetadata(orphan, { name: 'other' })] });
    const scope = createScope(inventory, { namespace: 'shop', names: ['gone'], includesOrphans: true });
    expect(compareAllEndpoints(scope, { version: '1.37' }, noInvalidObjects).map(({ name }) => name)).toEqual(['gone']);
    expect(compareAllEndpoints(scope, { version: '1.37' }, new Set(['Service shop/gone']))).toEqual([]);
    expect(
      compareAllEndpoints(scope, { version: '1.37' }, new Set(['Service other/gone', 'Endpoints shop/gone', 'Pod shop/gone'])),
    ).toHaveLength(1);
  });
});

test('compareAllEndpoints leaves out a Service whose Endpoints object is invalid', () => {
  const scope = scopeOf({ services: [web, service('db')], pods });
  expect(
    compareAllEndpoints(scope, { version: '1.37' }, new Set(['Endpoints shop/web', 'Service shop/db'])).map(({ name }) => name),
  ).toEqual(['db']);
});
