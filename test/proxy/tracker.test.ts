import { describe, expect, it } from 'vitest';
import { createViewTracker } from '../../src/proxy/tracker.ts';
import { makeSlice, makeWebService, node, textsOf } from './fixtures.ts';

describe('createViewTracker', () => {
  it('computes pending changes, and applies them with commit', () => {
    const tracker = createViewTracker({ node });
    tracker.services.set(makeWebService());
    tracker.services.set(makeWebService({}, undefined, 'other'));
    tracker.endpointSlices.set(makeSlice([{ ip: '10.0.0.1' }]));
    expect(tracker.view().ports).toEqual([]);
    const changes = tracker.pendingChanges();
    expect(changes.map(({ key, before, after }) => [key, before, after?.ports.length])).toEqual([
      ['shop/other', undefined, 1],
      ['shop/web', undefined, 1],
    ]);
    expect(tracker.pendingChanges()).toEqual(changes);
    tracker.commit(changes);
    expect(tracker.pendingChanges()).toEqual([]);
    expect(tracker.view().ports).toEqual(changes.flatMap(({ after }) => after?.ports ?? []));
  });

  it('recomputes only the Service of a changed slice', () => {
    const tracker = createViewTracker({ node });
    for (const name of ['a', 'b', 'c']) tracker.services.set(makeWebService({}, undefined, name));
    tracker.commit(tracker.pendingChanges());
    tracker.endpointSlices.set(makeSlice([{ ip: '10.0.0.1' }], 'IPv4', 's', 'b'));
    expect(tracker.pendingChanges().map(({ key, after }) => [key, textsOf(after?.ports[0]?.cluster)])).toEqual([
      ['shop/b', ['10.0.0.1:8080']],
    ]);
  });

  it('moves a slice to another Service', () => {
    const tracker = createViewTracker({ node });
    tracker.endpointSlices.set(makeSlice([{ ip: '10.0.0.1', node: 'n1' }], 'IPv4', 's', 'a'));
    tracker.commit(tracker.pendingChanges());
    expect(tracker.view().localReady).toEqual({ 'shop/a': 1 });
    tracker.endpointSlices.set(makeSlice([{ ip: '10.0.0.1', node: 'n1' }], 'IPv4', 's', 'b'));
    const changes = tracker.pendingChanges();
    expect(changes.map(({ key, after }) => [key, after?.localReady])).toEqual([
      ['shop/a', undefined],
      ['shop/b', 1],
    ]);
    tracker.commit(changes);
    tracker.endpointSlices.set(makeSlice([], 'IPv6', 's', 'b'));
    tracker.commit(tracker.pendingChanges());
    expect(tracker.view().localReady).toEqual({});
  });

  it('ignores the deletion of unknown objects', () => {
    const tracker = createViewTracker({ node });
    tracker.services.delete('shop/web');
    tracker.endpointSlices.delete('shop/web-1');
    expect(tracker.pendingChanges()).toEqual([]);
  });

  it('recomputes everything for another node', () => {
    const tracker = createViewTracker({ node });
    tracker.services.set(makeWebService({ internalTrafficPolicy: 'Local' }));
    tracker.endpointSlices.set(makeSlice([{ ip: '10.0.0.1', node: 'n2' }]));
    tracker.commit(tracker.pendingChanges());
    expect(tracker.view().ports[0]?.local).toBeUndefined();
    tracker.setNode({ name: 'n2' });
    tracker.commit(tracker.pendingChanges());
    expect(textsOf(tracker.view().ports[0]?.local)).toEqual(['10.0.0.1:8080']);
  });
});
