import { describe, expect, it } from 'vitest';
import { readinessModes } from './case.ts';
import { isSameAnswer, toComparable } from './compare.ts';
import { generateReadiness } from './generate.ts';
import { replayReadiness } from './replay.ts';

describe('generateReadiness', () => {
  it.each(readinessModes)('%s: generates the same cases for a seed, independent of the first number', (mode) => {
    const allCases = [...generateReadiness(mode, 3, 20)];
    expect([...generateReadiness(mode, 3, 5, 10)]).toStrictEqual(allCases.slice(10, 15));
    expect(new Set(allCases.map((each) => JSON.stringify({ ...each, id: '' }))).size).toBeGreaterThan(15);
  });

  it.each(readinessModes)('%s: generates cases for which releases answer differently', (mode) => {
    const answersIn = (version: string) =>
      [...generateReadiness(mode, 4, 200)].map((testCase) => JSON.stringify(replayReadiness(mode, version, testCase)));
    const [old, middle, recent] = ['1.17.4', '1.28.0', '1.36.3'].map(answersIn) as [string[], string[], string[]];
    expect(old.filter((answer, i) => answer !== middle[i]).length).toBeGreaterThan(5);
    expect(middle.filter((answer, i) => answer !== recent[i]).length).toBeGreaterThan(5);
  });
});

describe('isSameAnswer', () => {
  const theirs = { id: '1', status: { phase: 'Running', reason: '', startTime: '2026-11-11T11:11:11Z', observedGeneration: 3 } };

  it('treats zero values as absent, and all current times as equal', () => {
    const ours = { status: { phase: 'Running', startTime: '2020-01-01T00:00:00Z', observedGeneration: 3, conditions: [] } };
    expect(isSameAnswer('merge', 36, theirs, ours)).toBe(true);
  });

  it.each([
    ['phase', 'Pending'],
    ['startTime', '2001-01-01T00:00:00Z'],
    ['observedGeneration', 4],
    ['message', 'x'],
  ])('detects a different %s', (name, value) => {
    expect(isSameAnswer('merge', 36, theirs, { status: { ...theirs.status, [name]: value } })).toBe(false);
  });

  it('ignores fields that the release does not have', () => {
    expect(toComparable('merge', 32, theirs)).toStrictEqual({ id: '1', status: { phase: 'Running', startTime: 'now' } });
  });
});
