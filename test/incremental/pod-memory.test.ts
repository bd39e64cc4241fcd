import { describe, expect, it } from 'vitest';
import { createMembers, type Member } from '../../src/incremental/members.ts';
import { followFeed, giveUpRoster, isFeed, type PodMemory, putOff, readAll, standingOf } from '../../src/incremental/pod-memory.ts';
import type { Pod } from '../../src/types/index.ts';
import { makePod, makeService } from '../spec/objects.ts';

type Names = ReturnType<typeof createMembers<Member>>;

const service = makeService({}, { creationTimestamp: '2026-01-01T00:00:00Z' });
const make = (): Names => createMembers<Member>(service, (_, pod, time) => pod && { time });
const feedOf = (all: readonly Pod[], ...changes: [string, Pod | undefined][]) => ({ all: () => all, changes: new Map(changes) });
const at = (name: string, second: number) =>
  makePod(name, { status: { conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: `2026-01-01T00:00:0${second}Z` }] } });

const namesOf = ({ roster }: { roster: Names }) => [...roster.all.keys()].join();

describe('followFeed', () => {
  it('reads all, then the changes, and all again on another standing', () => {
    const memory: PodMemory<Names> = {};
    const follow = (standing: string, feed: ReturnType<typeof feedOf>) => {
      const { roster, time } = followFeed(memory, feed, service, standing, 0, make);
      return [namesOf({ roster }), time];
    };
    expect(follow('1', feedOf([at('a', 1), at('b', 1)]))).toEqual(['a,b', '2026-01-01T00:00:00']);
    expect(follow('1', feedOf([], ['a', undefined], ['c', at('c', 2)]))).toEqual(['b,c', '2026-01-01T00:00:02']);
    expect(follow('2', feedOf([at('b', 3), at('c', 2)], ['b', undefined]))).toEqual(['b,c', '2026-01-01T00:00:03']);
    expect(follow('2', feedOf([]))).toEqual(['b,c', undefined]);
  });

  it('keeps no roster of fewer pods than it is worth, but their times', () => {
    const memory: PodMemory<Names> = {};
    const follow = (...pods: Pod[]) => {
      const { roster, time } = followFeed(memory, feedOf(pods), service, '', 2, make);
      return [namesOf({ roster }), time, memory.roster === roster];
    };
    expect(follow(at('a', 1))).toEqual(['a', '2026-01-01T00:00:00', false]);
    expect(follow(at('a', 2))).toEqual(['a', '2026-01-01T00:00:02', false]);
    expect(follow(at('a', 2), at('b', 3))).toEqual(['a,b', '2026-01-01T00:00:03', true]);
    expect(follow()).toEqual(['a,b', undefined, true]);
  });

  it('takes in what was put off, the latest of each pod', () => {
    const memory: PodMemory<Names> = {};
    const follow = (feed: ReturnType<typeof feedOf>) => namesOf(followFeed(memory, feed, service, '', 0, make));
    putOff(memory, feedOf([], ['x', at('x', 1)]));
    expect(follow(feedOf([at('a', 1)]))).toBe('a');
    putOff(memory, feedOf([], ['b', at('b', 1)], ['c', at('c', 1)], ['a', undefined]));
    putOff(memory, feedOf([], ['c', undefined]));
    expect(follow(feedOf([], ['a', at('a', 1)]))).toBe('a,b');
    expect(follow(feedOf([]))).toBe('a,b');
  });

  it('gives the roster up where a time is none, and keeps the times that were tracked', () => {
    const memory: PodMemory<Names> = {};
    followFeed(memory, feedOf([at('a', 1)]), service, '', 0, make);
    putOff(memory, feedOf([], ['b', at('b', 1)]));
    const bad = { ...service, metadata: { ...service.metadata, creationTimestamp: 'never' } };
    expect(() => followFeed(memory, feedOf([]), bad, '', 0, make)).toThrow(TypeError);
    expect(memory).toMatchObject({ roster: undefined, missed: undefined, triggers: { pods: ['a'], times: ['2026-01-01T00:00:01Z'] } });
  });
});

it('readAll selects, tracks, and leaves no roster', () => {
  const memory: PodMemory<Names> = {};
  followFeed(memory, feedOf([at('a', 1)]), service, '', 0, make);
  const stranger = makePod('x', { metadata: { labels: {} } });
  for (const pods of [[at('a', 2), stranger], feedOf([at('a', 3), stranger])]) {
    const { selected, time } = readAll(memory, pods, service);
    expect(selected.map(({ metadata }) => metadata?.name)).toEqual(['a']);
    expect(time).toBe(isFeed(pods) ? '2026-01-01T00:00:03' : '2026-01-01T00:00:02');
    expect(memory.roster).toBeUndefined();
  }
});

it('giveUpRoster keeps nothing but times', () => {
  const memory: PodMemory<Names> = {};
  giveUpRoster(memory);
  expect(memory.triggers).toBeUndefined();
  followFeed(memory, feedOf([at('a', 1), makePod('b')]), service, '', 0, make);
  giveUpRoster(memory);
  expect(memory.triggers).toEqual({ service: '2026-01-01T00:00:00', pods: ['a'], times: ['2026-01-01T00:00:01Z'] });
});

it('standingOf tells Services apart by what pods come to, and not by labels', () => {
  const standing = standingOf(makeService());
  expect(standingOf(makeService({}, { labels: { a: '1' }, resourceVersion: '2' }))).toBe(standing);
  for (const other of [
    makeService({ selector: {} }),
    makeService({ ports: [] }),
    makeService({}, { name: 'x' }),
    makeService({}, { namespace: 'x' }),
  ])
    expect(standingOf(other)).not.toBe(standing);
});
