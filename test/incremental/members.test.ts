import { describe, expect, it } from 'vitest';
import { createMembers, type Member } from '../../src/incremental/members.ts';
import { createMoves, trackTriggerTime } from '../../src/incremental/trigger-time.ts';
import type { Pod } from '../../src/types/index.ts';
import { makePod, makeService } from '../spec/objects.ts';

interface Noted extends Member {
  readonly ip: string;
}

const at = (name: string, second: number | string, ip = '10.0.0.1') =>
  makePod(name, {
    ip,
    status: {
      conditions: [
        { type: 'Ready', status: 'True', lastTransitionTime: typeof second === 'string' ? second : `2026-01-01T00:00:0${second}Z` },
      ],
    },
  });

/** Members of which the IP is noted; a pod without one comes to nothing. */
function make() {
  const told: string[] = [];
  const members = createMembers<Noted>(makeService(), (before, pod, time) => {
    told.push(`${before?.ip ?? '-'} > ${pod?.status?.podIP ?? '-'}`);
    const ip = pod?.status?.podIP;
    return ip || time !== undefined ? { time, ip: ip ?? '' } : undefined;
  });
  const load = (...pods: Pod[]) => members.load(pods, trackTriggerTime(undefined, makeService(), pods).next);
  const update = (...changes: [string, Pod | undefined][]) => {
    const moves = createMoves();
    members.update(new Map(changes), moves);
    return moves.earliest;
  };
  return { members, load, update, told };
}

describe('members', () => {
  it('are loaded with the times that were tracked', () => {
    const { members, load } = make();
    load(at('a', 1), makePod('b'), at('c', '0001-01-01T00:00:00Z'), at('d', 2));
    expect(members.times()).toEqual({ pods: ['a', 'd'], times: ['2026-01-01T00:00:01Z', '2026-01-01T00:00:02Z'] });
    expect([...members.all.keys()]).toEqual(['a', 'b', 'c', 'd']);
  });

  it('are moved from what they were to what they are', () => {
    const { members, load, update, told } = make();
    load(makePod('a'));
    update(['a', makePod('a', { ip: '10.0.0.2' })], ['b', makePod('b')], ['a2', undefined]);
    update(['a', undefined], ['b', makePod('b', { metadata: { labels: {} } })]);
    expect(told).toEqual(['- > 10.0.0.1', '10.0.0.1 > 10.0.0.2', '- > 10.0.0.1', '- > -', '10.0.0.2 > -', '10.0.0.1 > -']);
    expect(members.all.size).toBe(0);
  });

  it('tell the earliest of the times that moved on', () => {
    const { load, update } = make();
    load(at('a', 3), at('b', 3), at('c', 3), makePod('d'));
    expect(update(['a', at('a', 5)], ['b', at('b', 4)], ['c', at('c', 2)])).toBe('2026-01-01T00:00:04');
    expect(update(['a', at('a', 5)], ['d', makePod('d')])).toBeUndefined();
    expect(update(['d', at('d', 1)])).toBe('2026-01-01T00:00:01');
    expect(update(['a', undefined])).toBeUndefined();
    expect(update(['a', at('a', 1)])).toBe('2026-01-01T00:00:01');
  });

  it('of one name are one, the first', () => {
    const { members, load } = make();
    load(at('a', 1), at('a', 2, '10.0.0.2'), at('b', 3));
    expect([...members.all].map(([name, { ip }]) => `${name} ${ip}`)).toEqual(['a 10.0.0.1', 'b 10.0.0.1']);
    expect(members.times().times).toEqual(['2026-01-01T00:00:01Z', '2026-01-01T00:00:03Z']);
  });

  it('are as they were after a timestamp that is none', () => {
    const { members, load, update, told } = make();
    load(at('a', 1), at('b', 1));
    const before = structuredClone([...members.all]);
    told.length = 0;
    expect(() => update(['a', at('a', 2)], ['b', at('b', 'never')])).toThrow(/^Pod shop\/b status/);
    expect([...members.all]).toEqual(before);
    expect(told).toEqual([]);
  });
});
