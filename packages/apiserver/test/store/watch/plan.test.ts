import { describe, expect, test } from 'vitest';
import { createStore, type WatchParameters } from '../../../src/store/index.ts';
import { createClock, drain, pod, pods, statusOf } from '../support.ts';

describe('watch options', () => {
  const match = 'resourceVersionMatch: ';
  const needsInitial = `${match}Forbidden: resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided`;
  const needsMatch = `${match}Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan`;
  const unsupported = `${match}Unsupported value: "Exact": supported values: "NotOlderThan"`;
  test.each<[WatchParameters, string]>([
    [{ sendInitialEvents: true }, needsMatch],
    [{ sendInitialEvents: false, resourceVersion: '1' }, needsMatch],
    [{ resourceVersionMatch: 'NotOlderThan' }, needsInitial],
    [{ resourceVersionMatch: 'Exact' }, `[${needsInitial}, ${unsupported}]`],
    [{ resourceVersionMatch: 'Exact', sendInitialEvents: true }, `[${needsMatch}, ${unsupported}]`],
    [
      { resourceVersionMatch: 'NotOlderThan', sendInitialEvents: true, continue: 'x' },
      `${match}Forbidden: resourceVersionMatch is forbidden when continue is provided`,
    ],
  ])('the invalid combination %j is refused', (options, message) =>
    expect(statusOf(() => createStore().watch(pods, options))).toMatchObject({
      code: 422,
      reason: 'Invalid',
      message: `ListOptions.meta.k8s.io "" is invalid: ${message}`,
    }),
  );

  test('report an invalid resourceVersion as 500', () => {
    expect(statusOf(() => createStore().watch(pods, { resourceVersion: 'x' }))).toMatchObject({
      code: 500,
      message: 'resourceVersion: Invalid value: "x": strconv.ParseUint: parsing "x": invalid syntax',
    });
  });

  test('report an invalid selector as 400', () => {
    expect(statusOf(() => createStore().watch(pods, { labelSelector: 'a b' })).code).toBe(400);
    expect(statusOf(() => createStore().watch(pods, { fieldSelector: 'spec.x=1' })).code).toBe(400);
  });
});

/** A store with a created at 2 and updated at 4, and b created at 3. */
function createFilledStore() {
  const store = createStore({ clock: createClock() });
  for (const name of ['a', 'b']) store.create(pods, { namespace: 'default', name }, pod(name));
  store.update(pods, { namespace: 'default', name: 'a' }, (current) => ({ ...current, spec: {} }));
  return store;
}

describe('the start of a watch', () => {
  const listedEvents = ['ADDED a@4', 'ADDED b@3'];
  const initial = { sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan' };
  const withoutInitial = { sendInitialEvents: false, resourceVersionMatch: 'NotOlderThan' };
  test.each<[WatchParameters, string[]]>([
    [{}, listedEvents],
    [{ resourceVersion: '0' }, listedEvents],
    [{ resourceVersion: '0', allowWatchBookmarks: true }, [...listedEvents, 'BOOKMARK -@4']],
    [{ resourceVersion: '2' }, ['ADDED b@3', 'MODIFIED a@4']],
    [{ resourceVersion: '4' }, []],
    [initial, listedEvents],
    [{ ...initial, allowWatchBookmarks: true }, [...listedEvents, 'BOOKMARK -@4']],
    [{ ...initial, resourceVersion: '3', allowWatchBookmarks: true }, [...listedEvents, 'BOOKMARK -@4']],
    [withoutInitial, []],
    [{ ...withoutInitial, resourceVersion: '0' }, []],
    [{ ...withoutInitial, resourceVersion: '2' }, ['ADDED b@3', 'MODIFIED a@4']],
  ])('with %j sends the expected events', async (options, expected) =>
    expect(await drain(createFilledStore().watch(pods, options))).toEqual(expected),
  );

  test('ends the initial events with an annotated bookmark', async () => {
    const watch = createStore().watch(pods, { allowWatchBookmarks: true });
    expect((await watch.next()).value).toEqual({
      type: 'BOOKMARK',
      object: { kind: 'Pod', apiVersion: 'v1', metadata: { resourceVersion: '1', annotations: { 'k8s.io/initial-events-end': 'true' } } },
    });
  });
});
