import { describe, expect, it } from 'vitest';
import { createViewTracker } from '../../src/proxy/tracker.ts';
import { node, slice, texts, web } from './fixtures.ts';

describe('createViewTracker', () => {
  it('computes pending changes, and applies them with commit', () => {
    const tracker = createViewTracker({ node });
    tracker.services.set(web());
    tracker.services.set(web({}, undefined, 'other'));
    tracker.endpointSlices.set(slice([{ ip: '10.0.0.1' }]));
    expect(tracker.view().ports).toEqual([]);
    const changes = tracker.pending();
    expect(changes.map(({ key, before, after }) => [key, before, after?.ports.length])).toEqual([
      ['shop/other', undefined, 1],
      ['shop/web', undefined, 1],
    ]);
    expect(tracker.pending()).toEqual(changes);
    tracker.commit(changes);
    expect(tracker.pending()).toEqual([]);
    expect(tracker.view().ports).toEqual(changes.flatMap(({ after }) => after?.ports ?? []));
  });

  it('recomputes only the Service of a changed slice', () => {
    const tracker = createViewTracker({ node });
    for (const name of ['a', 'b', 'c']) tracker.services.set(web({}, undefined, name));
    tracker.commit(tracker.pending());
    tracker.endpointSlices.set(slice([{ ip: '10.0.0.1' }], 'IPv4', 's', 'b'));
    expect(tracker.pending().map(({ key, after }) => [key, texts(after?.ports[0]?.cluster)])).toEqual([['shop/b', ['10.0.0.1:8080']]]);
  });

  it('moves a slice to another Service', () => {
    const tracker = createViewTracker({ node });
    tracker.endpointSlices.set(slice([{ ip: '10.0.0.1', node: 'n1' }], 'IPv4', 's', 'a'));
    tracker.commit(tracker.pending());
    expect(tracker.view().localReady).toEqual({ 'shop/a': 1 });
    tracker.endpointSlices.set(slice([{ ip: '10.0.0.1', node: 'n1' }], 'IPv4', 's', 'b'));
    const changes = tracker.pending();
    expect(changes.map(({ key, after }) => [key, after?.localReady])).toEqual([
      ['shop/a', undefined],
      ['shop/b', 1],
    ]);
    tracker.commit(changes);
    tracker.endpointSlices.set(slice([], 'IPv6', 's', 'b'));
    tracker.commit(tracker.pending());
    expect(tracker.view().localReady).toEqual({});
  });

  it('ignores the deletion of unknown objects', () => {
    const tracker = createViewTracker({ node });
    tracker.services.delete('shop/web');
    tracker.endpointSlices.delete('shop/web-1');
    expect(tracker.pending()).toEqual([]);
  });

  it('recomputes everything for another node', () => {
    const tracker = createViewTracker({ node });
    tracker.services.set(web({ internalTrafficPolicy: 'Local' }));
    tracker.endpointSlices.set(slice([{ ip: '10.0.0.1', node: 'n2' }]));
    tracker.commit(tracker.pending());
    expect(tracker.view().ports[0]?.local).toBeUndefined();
    tracker.setNode({ name: 'n2' });
    tracker.commit(tracker.pending());
    expect(texts(tracker.view().ports[0]?.local)).toEqual(['10.0.0.1:8080']);
  });
});
