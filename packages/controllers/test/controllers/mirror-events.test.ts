import type { EndpointSliceInput, EndpointsInput, Service } from 'kube-endpoints/types';
import { profileFor } from 'kube-endpoints/versions';
import { describe, expect, test } from 'vitest';
import type { CacheEvent } from '../../src/cache/cache.ts';
import { createMirrorEvents } from '../../src/controllers/mirror-events.ts';
import { createSliceIndex } from '../../src/controllers/object-events.ts';
import { createSetup } from '../../src/controllers/options.ts';
import { createWriteExpectations } from '../../src/controllers/write-expectations.ts';

const key = 'shop/db';
const metadata = { namespace: 'shop', name: 'db' };
const withoutSelector: Service = { metadata, spec: {} };
const withSelector: Service = { metadata, spec: { selector: { app: 'db' } } };
const endpoints = (fields: EndpointsInput['metadata'] = {}): EndpointsInput => ({ metadata: { ...metadata, ...fields } });
const skipped = endpoints({ labels: { 'endpointslice.kubernetes.io/skip-mirror': 'true' } });
const lock = endpoints({ annotations: { 'control-plane.alpha.kubernetes.io/leader': '{}' } });

const makeSlice = (version: number, { service = 'db', manager = 'endpointslicemirroring-controller.k8s.io' } = {}): EndpointSliceInput => ({
  metadata: {
    namespace: 'shop',
    name: 'db-1',
    uid: 'u1',
    generation: version,
    resourceVersion: `${version}`,
    labels: { 'kubernetes.io/service-name': service, 'endpointslice.kubernetes.io/managed-by': manager },
  },
});

const added = <T>(object: T): CacheEvent<T> => ({ type: 'added', object, initial: false });
const updated = <T>(old: T, object: T): CacheEvent<T> => ({ type: 'updated', old, object });
const deleted = <T>(object: T): CacheEvent<T> => ({ type: 'deleted', object, missed: false });

/** Event handlers with one cached Service. `trackedGeneration`: the generation of the slice that the mirror has written. */
function createFixture(service: Service | undefined = withoutSelector, version = '1.37', trackedGeneration?: number) {
  const queued: [key: string, milliseconds: number | undefined][] = [];
  const index = createSliceIndex();
  const expectations = createWriteExpectations();
  const services = new Map(service ? [[key, service]] : []);
  const setup = createSetup({ port: {} as never, version, mirroring: { batchPeriod: 700 } });
  const events = createMirrorEvents({
    setup,
    index,
    expectations,
    services: { size: 0, get: (name) => services.get(name), values: () => services.values(), keys: () => services.keys() },
    controller: { enqueue: (name, milliseconds) => void queued.push([name, milliseconds]) },
    handler: {
      isTracked: (slice) => slice.metadata?.generation === trackedGeneration,
      handleDeletion: () => trackedGeneration === undefined,
    },
  });
  const onSlice = (event: CacheEvent<EndpointSliceInput>): void => {
    index.handle(event);
    events.onSlice(event, true);
  };
  return { events, onSlice, index, expectations, services, takeQueued: () => queued.splice(0) };
}

describe('a change of a Service', () => {
  test.each<[string, CacheEvent<Service>, boolean]>([
    ['created without a selector', added(withoutSelector), true],
    ['created with a selector', added(withSelector), false],
    ['created with an empty selector', added({ metadata, spec: { selector: {} } }), false],
    ['gets a selector', updated(withoutSelector, withSelector), true],
    ['loses its selector', updated(withSelector, withoutSelector), true],
    ['is otherwise changed', updated(withoutSelector, { metadata, spec: { clusterIP: 'None' } }), false],
    ['deleted without a selector', deleted(withoutSelector), true],
    ['deleted with a selector', deleted(withSelector), false],
  ])('%s', (_, event, isSynced) => {
    const { events, takeQueued } = createFixture();
    events.onService(event, key, true);
    expect(takeQueued()).toStrictEqual(isSynced ? [[key, undefined]] : []);
    events.onService(event, key, false);
    expect(takeQueued()).toStrictEqual([]);
  });
});

describe('a change of Endpoints', () => {
  test.each<[string, CacheEvent<EndpointsInput>, boolean]>([
    ['created', added(endpoints()), true],
    ['changed', updated(endpoints(), endpoints()), true],
    ['deleted', deleted(endpoints()), true],
    ['created with the label skip-mirror', added(skipped), false],
    ['created as an election lock', added(lock), false],
    ['renewed as an election lock', updated(lock, lock), false],
    ['given the label skip-mirror', updated(endpoints(), skipped), true],
    ['without the label skip-mirror from now on', updated(skipped, endpoints()), true],
    ['deleted with the label skip-mirror', deleted(skipped), false],
  ])('%s', (_, event, isSynced) => {
    const { events, takeQueued } = createFixture();
    events.onEndpoints(event, key, true);
    expect(takeQueued()).toStrictEqual(isSynced ? [[key, undefined]] : []);
  });

  test('does not sync a Service with a selector, or a missing one, unless it has mirrored slices', () => {
    for (const service of [withSelector, undefined]) {
      const { events, index, services, takeQueued } = createFixture(withSelector);
      if (!service) services.clear();
      events.onEndpoints(added(endpoints()), key, true);
      expect(takeQueued()).toStrictEqual([]);
      index.handle(added(makeSlice(1)));
      events.onEndpoints(added(endpoints()), key, true);
      expect(takeQueued()).toStrictEqual([[key, undefined]]);
    }
  });
});

describe('a change of a mirrored slice by another client', () => {
  test('syncs the Service after the batch period', () => {
    const { onSlice, takeQueued } = createFixture();
    onSlice(added(makeSlice(1)));
    onSlice(updated(makeSlice(1), makeSlice(2)));
    onSlice(deleted(makeSlice(2)));
    expect(takeQueued()).toStrictEqual([
      [key, 700],
      [key, 700],
      [key, 700],
    ]);
  });

  test('syncs the Service when the slice gets or loses its manager, and both Services when its Service changes', () => {
    const { onSlice, services, takeQueued } = createFixture();
    services.set('shop/api', { metadata: { namespace: 'shop', name: 'api' }, spec: {} });
    onSlice(added(makeSlice(1, { manager: 'me' })));
    expect(takeQueued()).toStrictEqual([]);
    onSlice(updated(makeSlice(1, { manager: 'me' }), makeSlice(2)));
    onSlice(updated(makeSlice(2), makeSlice(3, { manager: 'me' })));
    onSlice(updated(makeSlice(3), makeSlice(4, { service: 'api' })));
    expect(takeQueued().map(([name]) => name)).toStrictEqual([key, key, 'shop/api', key]);
  });

  test.each(['1.30', '1.31'])('in release %s, after this process wrote the slice', (version) => {
    const revertsChanges = profileFor(version).mirrorSliceChangesReverted;
    const { onSlice, takeQueued } = createFixture(withoutSelector, version, 1);
    onSlice(updated(makeSlice(1), makeSlice(2)));
    expect(takeQueued()).toHaveLength(revertsChanges ? 1 : 0);
    onSlice(deleted(makeSlice(2)));
    expect(takeQueued()).toHaveLength(1);
  });

  test.each(['1.30', '1.31'])('in release %s, of a slice that this process never wrote', (version) => {
    const { onSlice, takeQueued } = createFixture(withoutSelector, version);
    onSlice(updated(makeSlice(1), makeSlice(2)));
    expect(takeQueued()).toHaveLength(1);
    onSlice(deleted(makeSlice(2)));
    expect(takeQueued()).toHaveLength(profileFor(version).mirrorUnchangedTracked ? 1 : 0);
  });
});

test("this replica's own writes cause no sync, unless a later sync did not see them", () => {
  const { onSlice, expectations, takeQueued } = createFixture();
  const write = (version: string): void => {
    expectations.begin(key);
    expectations.recordWrite(key, 'db-1', version, false);
    expectations.end(key);
  };
  write('1');
  onSlice(added(makeSlice(1)));
  expect(takeQueued()).toStrictEqual([]);
  write('2');
  expectations.supersede(key);
  onSlice(updated(makeSlice(1), makeSlice(2)));
  expect(takeQueued()).toStrictEqual([[key, 700]]);
});

test('a list without an expected write syncs the Service', () => {
  const { events, expectations, takeQueued } = createFixture();
  expectations.begin(key);
  expectations.recordWrite(key, 'db-1', '5', false);
  expectations.end(key);
  events.onList('started');
  events.onList('completed');
  expect(takeQueued()).toStrictEqual([[key, 1000]]);
});

test('at the start, Services without a selector and those with mirrored slices are synced', () => {
  const { events, index, services } = createFixture();
  services.set('shop/web', withSelector);
  services.set('shop/api', withSelector);
  index.handle(added(makeSlice(1, { service: 'api' })));
  index.handle(added(makeSlice(1, { service: 'web', manager: 'endpointslice-controller.k8s.io' })));
  expect(events.keys()).toStrictEqual([key, 'shop/api']);
});
