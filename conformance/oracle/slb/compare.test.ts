import { describe, expect, it } from 'vitest';
import type { SlbAnswer } from './case.ts';
import { firstDifference } from './compare.ts';
import { generateSlb } from './generate.ts';
import { replaySlb } from './replay.ts';
import { generateFiles } from './wire.ts';

describe('generateSlb', () => {
  it('generates the same histories for a seed, independent of the first number', () => {
    const all = [...generateSlb(3, 20)];
    expect([...generateSlb(3, 5, 10)]).toStrictEqual(all.slice(10, 15));
    expect(new Set(all.map((each) => JSON.stringify(each.steps))).size).toBe(20);
  });

  it('generates histories in which releases behave differently', () => {
    const answersIn = (version: string) => [...generateSlb(4, 300)].map((testCase) => JSON.stringify(replaySlb(version, testCase)));
    const releases = ['1.17.4', '1.18.20', '1.20.2', '1.25.16', '1.26.4', '1.27.0', '1.31.0', '1.33.1', '1.36.3'].map(answersIn);
    const changes = releases.slice(1).map((answers, i) => answers.filter((answer, number) => answer !== releases[i]?.[number]).length);
    // 1.18 behaves like 1.17; every later release differs from the one before it.
    expect(changes[0]).toBe(0);
    expect(Math.min(...changes.slice(1))).toBeGreaterThan(3);
  });

  it('generates histories with every kind of Event', () => {
    const text = JSON.stringify([...generateSlb(5, 400)].map((testCase) => replaySlb('1.31.0', testCase)));
    const reasons = new Set([...text.matchAll(/"(?:Normal|Warning) (\w+)/g)].map(([, reason]) => reason));
    expect([...reasons].sort()).toStrictEqual([
      'DeleteLoadBalancerFailed',
      'DeletedLoadBalancer',
      'DeletingLoadBalancer',
      'EnsuredLoadBalancer',
      'EnsuringLoadBalancer',
      'ExternalIP',
      'ExternalTrafficPolicy',
      'HealthCheckNodePort',
      'IPFamilies',
      'LoadBalancerSourceRanges',
      'LoadbalancerIP',
      'SyncLoadBalancerFailed',
      'Type',
      'UID',
      'UnAvailableLoadBalancer',
      'UpdateLoadBalancerFailed',
      'UpdatedLoadBalancer',
    ]);
  });
});

describe('firstDifference', () => {
  const answer: SlbAnswer = { ...replaySlb('1.36.3', { id: '1', steps: [{}, { nodes: [] }] }) };

  it('returns undefined for equal answers', () => {
    expect(firstDifference(answer, structuredClone(answer))).toBeUndefined();
  });

  it('returns the first step that differs or is missing', () => {
    const [first, second] = answer.steps as [SlbAnswer['steps'][number], SlbAnswer['steps'][number]];
    const other = { ...second, retry: true };
    expect(firstDifference(answer, { id: '1', steps: [first, other] })).toStrictEqual({
      path: 'step 1',
      step: 1,
      theirs: second,
      ours: other,
    });
    expect(firstDifference(answer, { id: '1', steps: [first] })).toMatchObject({ step: 1, ours: undefined });
  });
});

it('generateFiles generates a different wire.go for each kind of release', () => {
  const wires = ['1.17.4', '1.20.2', '1.22.17', '1.24.17', '1.26.15', '1.28.0', '1.31.0', '1.36.3'].map(
    (version) => generateFiles(version)['wire.go'],
  );
  expect(new Set(wires).size).toBe(wires.length);
});
