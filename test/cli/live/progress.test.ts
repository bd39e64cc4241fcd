import { describe, expect, test } from 'vitest';
import { createProgress } from '../../../src/cli/live/progress.ts';
import { informer, queued, synced, taken } from '../../runtime/operations/happenings.ts';

describe('progress in a line', () => {
  test('counts caches, what waits, syncs and writes', () => {
    const progress = createProgress();
    progress.tell(informer({ resource: 'pods', state: 'watching' }));
    progress.tell(informer({ resource: 'nodes', state: 'listing' }));
    progress.tell(queued({ length: 3 }));
    progress.tell(taken({ length: 2 }));
    progress.tell(queued({ queue: 'endpointslices', length: 5 }));
    progress.tell(synced({ writes: 1 }));
    expect(progress.text()).toBe('caches 1 of 2, 7 queued, 1 sync, 1 write');
    progress.tell(synced({ outcome: 'retried', failures: 1 }));
    expect(progress.text()).toBe('caches 1 of 2, 7 queued, 2 syncs, 1 write, 1 failure');
  });

  test.each([
    ['leads', { kind: 'leadership', identity: 'a', leads: true, leader: 'a' } as const],
    ['follows b', { kind: 'leadership', identity: 'a', leads: false, leader: 'b' } as const],
    ['follows nobody yet', { kind: 'leadership', identity: 'a', leads: false, leader: undefined } as const],
    ['one of 3', { kind: 'shards', identity: 'a', members: ['a', 'b', 'c'] } as const],
  ])('says what the replica is: %s', (text, happening) => {
    const progress = createProgress();
    progress.tell(happening);
    expect(progress.text()).toBe(`caches 0 of 0, 0 queued, 0 syncs, 0 writes, ${text}`);
  });
});

test('what was given up is remembered until it succeeds', () => {
  const progress = createProgress();
  progress.tell(synced({ outcome: 'dropped', error: new Error('why') }));
  progress.tell(synced({ controller: 'endpointslices', outcome: 'dropped' }));
  expect(progress.dropped).toEqual(['endpoints of shop/web: why', 'endpointslices of shop/web: given up']);
  progress.tell(synced());
  expect(progress.dropped).toEqual(['endpointslices of shop/web: given up']);
});

test('requests are no sign that there is something to do', () => {
  const progress = createProgress();
  progress.tell({ kind: 'request', verb: 'watch', resource: 'pods', code: 200, milliseconds: 1 });
  expect(progress.activity).toBe(0);
  progress.tell(queued());
  expect(progress.activity).toBe(1);
});
