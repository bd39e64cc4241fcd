import { describe, expect, it } from 'vitest';
import { trackTriggerTime } from '../../src/spec/trigger-time.ts';
import type { Pod, Service } from '../../src/types/index.ts';

const timeAt = (seconds: number): string => `2026-01-01T00:00:${String(seconds).padStart(2, '0')}Z`;
const service = (creation: number | undefined): Service => ({
  metadata: { name: 'web', namespace: 'shop', creationTimestamp: creation === undefined ? null : timeAt(creation) },
});
const pod = (name: string, transition: number | undefined): Pod => ({
  metadata: { name },
  status: {
    conditions: [
      { type: 'Other', lastTransitionTime: timeAt(59) },
      { type: 'Ready', lastTransitionTime: transition === undefined ? null : timeAt(transition) },
    ],
  },
});

type Sync = readonly [creation: number | undefined, pods: Readonly<Record<string, number | undefined>>, expected: number | undefined];

describe('trackTriggerTime', () => {
  it.each<{ name: string; syncs: Sync[] }>([
    { name: 'a new Service, from its creation regardless of pods', syncs: [[10, { a: 5, b: 20 }, 10]] },
    { name: 'a new Service without a creation', syncs: [[undefined, { a: 5 }, undefined]] },
    {
      name: 'no changes',
      syncs: [
        [10, { a: 5 }, 10],
        [10, { a: 5 }, undefined],
      ],
    },
    {
      name: 'a pod with a newer time',
      syncs: [
        [10, { a: 5, b: 6 }, 10],
        [10, { a: 5, b: 16 }, 16],
      ],
    },
    {
      name: 'the earliest of two newer times',
      syncs: [
        [10, { a: 5, b: 6 }, 10],
        [10, { a: 25, b: 16 }, 16],
      ],
    },
    {
      name: 'the earliest of two newer times, in the other order',
      syncs: [
        [10, { a: 5, b: 6 }, 10],
        [10, { a: 15, b: 26 }, 15],
      ],
    },
    {
      name: 'a pod with an older time',
      syncs: [
        [10, { a: 5 }, 10],
        [10, { a: 4 }, undefined],
      ],
    },
    {
      name: 'a new pod',
      syncs: [
        [10, { a: 5 }, 10],
        [10, { a: 5, b: 3 }, 3],
      ],
    },
    {
      name: 'a removed pod',
      syncs: [
        [10, { a: 5, b: 6 }, 10],
        [10, { a: 5 }, undefined],
      ],
    },
    {
      name: 'a pod that is removed and added again',
      syncs: [
        [10, { a: 5 }, 10],
        [10, {}, undefined],
        [10, { a: 5 }, 5],
      ],
    },
    {
      name: 'a pod without a time',
      syncs: [
        [10, { a: 5 }, 10],
        [10, { a: undefined, b: undefined }, undefined],
      ],
    },
    {
      name: 'a pod without a time that gets one again',
      syncs: [
        [10, { a: 5 }, 10],
        [10, { a: undefined }, undefined],
        [10, { a: 5 }, 5],
      ],
    },
    {
      name: 'a Service with a newer creation',
      syncs: [
        [10, { a: 5 }, 10],
        [12, { a: 5 }, 12],
      ],
    },
    {
      name: 'a Service with a newer creation than a pod',
      syncs: [
        [10, { a: 5 }, 10],
        [12, { a: 11 }, 11],
      ],
    },
    {
      name: 'a Service with an older creation than a pod',
      syncs: [
        [10, { a: 5 }, 10],
        [12, { a: 13 }, 12],
      ],
    },
    {
      name: 'a Service with an older creation',
      syncs: [
        [10, { a: 5 }, 10],
        [9, { a: 5 }, undefined],
      ],
    },
    {
      name: 'a Service that gets a creation',
      syncs: [
        [undefined, { a: 5 }, undefined],
        [9, { a: 5 }, 9],
      ],
    },
  ])('returns the trigger time for $name', ({ syncs }) => {
    let previous: Parameters<typeof trackTriggerTime>[0];
    for (const [creation, pods, expected] of syncs) {
      const { next, time } = trackTriggerTime(
        previous,
        service(creation),
        Object.entries(pods).map(([name, transition]) => pod(name, transition)),
      );
      expect(time).toBe(expected === undefined ? undefined : timeAt(expected).slice(0, -1));
      previous = next;
    }
  });

  it('distinguishes times that differ by a nanosecond', () => {
    const ready = (time: string): Pod => ({
      metadata: { name: 'a' },
      status: { conditions: [{ type: 'Ready', lastTransitionTime: time }] },
    });
    const first = trackTriggerTime(undefined, service(1), [ready('2026-01-01T00:00:05.000000001Z')]);
    expect(trackTriggerTime(first.next, service(1), [ready('2026-01-01T00:00:05.000000002Z')]).time).toBe('2026-01-01T00:00:05.000000002');
  });

  it('returns new plain data, and does not change the previous state', () => {
    const first = trackTriggerTime(undefined, service(1), [pod('a', 5), {}]);
    const before = structuredClone(first.next);
    trackTriggerTime(first.next, service(2), [pod('a', 6), pod('b', 7)]);
    expect(first.next).toEqual(before);
    expect(before).toEqual({ service: '2026-01-01T00:00:01', pods: ['a'], times: [timeAt(5)] });
  });

  it('treats a pod without a name as one with an empty name', () => {
    const [named] = [pod('x', 5)];
    expect([...trackTriggerTime(undefined, service(1), [{ ...named, metadata: null } as Pod]).next.pods]).toEqual(['']);
  });

  it('names the object with the invalid time', () => {
    expect(() => trackTriggerTime(undefined, { metadata: { name: 'web', namespace: 'shop', creationTimestamp: 'x' } }, [])).toThrow(
      /^Service shop\/web metadata\.creationTimestamp: x is not a valid time/,
    );
    const podWithInvalidTime: Pod = {
      metadata: { name: 'a', namespace: 'shop' },
      status: { conditions: [{ type: 'Ready', lastTransitionTime: 'y' }] },
    };
    expect(() => trackTriggerTime(undefined, {}, [podWithInvalidTime])).toThrow(
      /^Pod shop\/a status\.conditions\[Ready\]\.lastTransitionTime: y is not a valid time/,
    );
    expect(() => trackTriggerTime(undefined, {}, [{ ...podWithInvalidTime, metadata: null }])).toThrow(/^Pod \/ status/);
  });
});

describe('trackTriggerTime: state', () => {
  const ready = (name: string, lastTransitionTime: string | Date): Pod => ({
    metadata: { name },
    status: { conditions: [{ type: 'Ready', lastTransitionTime }] },
  });
  const track = (previous: Parameters<typeof trackTriggerTime>[0], ...pods: Pod[]) => trackTriggerTime(previous, service(10), pods);

  it("treats Go's zero time as absent", () => {
    const { next } = track(undefined, ready('a', '0001-01-01T00:00:00Z'));
    expect(next.pods).toEqual([]);
    expect(track(next, ready('a', '0001-01-01T00:00:00Z')).time).toBeUndefined();
  });

  it('reads a Date again that was changed in place', () => {
    const date = new Date(timeAt(20));
    const { next } = track(undefined, ready('a', date));
    expect(track(next, ready('a', date)).time).toBeUndefined();
    date.setUTCSeconds(30);
    expect(track(next, ready('a', date)).time).toBe(timeAt(30).slice(0, -1));
  });

  it('recognizes known pods in another order', () => {
    const pods = ['a', 'b', 'c', 'd'].map((name, i) => ready(name, timeAt(20 + i)));
    const { next } = track(undefined, ...pods);
    for (const order of [pods.toReversed(), pods.slice(2), [...pods.slice(2), ...pods.slice(0, 2)], [pods[3] as Pod, pods[0] as Pod]]) {
      expect(track(next, ...order).time).toBeUndefined();
      expect(track(next, ...order, ready('e', timeAt(50))).time).toBe(timeAt(50).slice(0, -1));
    }
  });
});
