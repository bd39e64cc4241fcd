import { describe, expect, it } from 'vitest';
import { trackTriggerTime } from '../../src/spec/trigger-time.ts';
import type { Pod, Service } from '../../src/types/index.ts';

const at = (seconds: number): string => `2026-01-01T00:00:${String(seconds).padStart(2, '0')}Z`;
const service = (created: number | undefined): Service => ({
  metadata: { name: 'web', namespace: 'shop', creationTimestamp: created === undefined ? null : at(created) },
});
const pod = (name: string, changed: number | undefined): Pod => ({
  metadata: { name },
  status: {
    conditions: [
      { type: 'Other', lastTransitionTime: at(59) },
      { type: 'Ready', lastTransitionTime: changed === undefined ? null : at(changed) },
    ],
  },
});

type Sync = readonly [created: number | undefined, pods: Readonly<Record<string, number | undefined>>, expected: number | undefined];

describe('trackTriggerTime', () => {
  it.each<{ name: string; syncs: Sync[] }>([
    { name: 'a Service seen first: its creation, whatever the pods say', syncs: [[10, { a: 5, b: 20 }, 10]] },
    { name: 'a Service seen first that has no creation', syncs: [[undefined, { a: 5 }, undefined]] },
    {
      name: 'nothing new',
      syncs: [
        [10, { a: 5 }, 10],
        [10, { a: 5 }, undefined],
      ],
    },
    {
      name: 'a pod that moved on',
      syncs: [
        [10, { a: 5, b: 6 }, 10],
        [10, { a: 5, b: 16 }, 16],
      ],
    },
    {
      name: 'the earliest of those that moved on',
      syncs: [
        [10, { a: 5, b: 6 }, 10],
        [10, { a: 25, b: 16 }, 16],
      ],
    },
    {
      name: 'the earliest of those that moved on, the other way round',
      syncs: [
        [10, { a: 5, b: 6 }, 10],
        [10, { a: 15, b: 26 }, 15],
      ],
    },
    {
      name: 'a pod that moved back',
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
      name: 'a pod that is gone',
      syncs: [
        [10, { a: 5, b: 6 }, 10],
        [10, { a: 5 }, undefined],
      ],
    },
    {
      name: 'a pod that went and came',
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
      name: 'a pod whose time comes back',
      syncs: [
        [10, { a: 5 }, 10],
        [10, { a: undefined }, undefined],
        [10, { a: 5 }, 5],
      ],
    },
    {
      name: 'the Service itself moved on',
      syncs: [
        [10, { a: 5 }, 10],
        [12, { a: 5 }, 12],
      ],
    },
    {
      name: 'the Service moved on after a pod',
      syncs: [
        [10, { a: 5 }, 10],
        [12, { a: 11 }, 11],
      ],
    },
    {
      name: 'the Service moved on before a pod',
      syncs: [
        [10, { a: 5 }, 10],
        [12, { a: 13 }, 12],
      ],
    },
    {
      name: 'the Service moved back',
      syncs: [
        [10, { a: 5 }, 10],
        [9, { a: 5 }, undefined],
      ],
    },
    {
      name: 'the Service gets a creation',
      syncs: [
        [undefined, { a: 5 }, undefined],
        [9, { a: 5 }, 9],
      ],
    },
  ])('$name', ({ syncs }) => {
    let previous: Parameters<typeof trackTriggerTime>[0];
    for (const [created, pods, expected] of syncs) {
      const { next, time } = trackTriggerTime(
        previous,
        service(created),
        Object.entries(pods).map(([name, changed]) => pod(name, changed)),
      );
      expect(time).toBe(expected === undefined ? undefined : at(expected).slice(0, -1));
      previous = next;
    }
  });

  it('tells nanoseconds apart', () => {
    const ready = (time: string): Pod => ({
      metadata: { name: 'a' },
      status: { conditions: [{ type: 'Ready', lastTransitionTime: time }] },
    });
    const first = trackTriggerTime(undefined, service(1), [ready('2026-01-01T00:00:05.000000001Z')]);
    expect(trackTriggerTime(first.next, service(1), [ready('2026-01-01T00:00:05.000000002Z')]).time).toBe('2026-01-01T00:00:05.000000002');
  });

  it('remembers plain data of its own, and does not write to what it remembers', () => {
    const first = trackTriggerTime(undefined, service(1), [pod('a', 5), {}]);
    const before = structuredClone(first.next);
    trackTriggerTime(first.next, service(2), [pod('a', 6), pod('b', 7)]);
    expect(first.next).toEqual(before);
    expect(before).toEqual({ service: '2026-01-01T00:00:01', pods: ['a'], times: [at(5)] });
  });

  it('takes a pod without a name for one whose name is empty', () => {
    const [named] = [pod('x', 5)];
    expect([...trackTriggerTime(undefined, service(1), [{ ...named, metadata: null } as Pod]).next.pods]).toEqual(['']);
  });

  it('names the object whose time is none', () => {
    expect(() => trackTriggerTime(undefined, { metadata: { name: 'web', namespace: 'shop', creationTimestamp: 'x' } }, [])).toThrow(
      /^Service shop\/web metadata\.creationTimestamp: x is no time/,
    );
    const bad: Pod = { metadata: { name: 'a', namespace: 'shop' }, status: { conditions: [{ type: 'Ready', lastTransitionTime: 'y' }] } };
    expect(() => trackTriggerTime(undefined, {}, [bad])).toThrow(
      /^Pod shop\/a status\.conditions\[Ready\]\.lastTransitionTime: y is no time/,
    );
    expect(() => trackTriggerTime(undefined, {}, [{ ...bad, metadata: null }])).toThrow(/^Pod \/ status/);
  });
});

describe('what is remembered', () => {
  const ready = (name: string, lastTransitionTime: string | Date): Pod => ({
    metadata: { name },
    status: { conditions: [{ type: 'Ready', lastTransitionTime }] },
  });
  const times = (previous: Parameters<typeof trackTriggerTime>[0], ...pods: Pod[]) => trackTriggerTime(previous, service(10), pods);

  it("takes Go's zero time for none", () => {
    const { next } = times(undefined, ready('a', '0001-01-01T00:00:00Z'));
    expect(next.pods).toEqual([]);
    expect(times(next, ready('a', '0001-01-01T00:00:00Z')).time).toBeUndefined();
  });

  it('a Date that is changed in place is read again', () => {
    const date = new Date(at(20));
    const { next } = times(undefined, ready('a', date));
    expect(times(next, ready('a', date)).time).toBeUndefined();
    date.setUTCSeconds(30);
    expect(times(next, ready('a', date)).time).toBe(at(30).slice(0, -1));
  });

  it('pods are found again in whatever order they come', () => {
    const pods = ['a', 'b', 'c', 'd'].map((name, i) => ready(name, at(20 + i)));
    const { next } = times(undefined, ...pods);
    for (const order of [pods.toReversed(), pods.slice(2), [...pods.slice(2), ...pods.slice(0, 2)], [pods[3] as Pod, pods[0] as Pod]]) {
      expect(times(next, ...order).time).toBeUndefined();
      expect(times(next, ...order, ready('e', at(50))).time).toBe(at(50).slice(0, -1));
    }
  });
});
