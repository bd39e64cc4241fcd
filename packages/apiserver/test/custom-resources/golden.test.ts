import { describe, expect, it } from 'vitest';
import { compileSchema } from '../../src/custom-resources/validation/compiled.ts';
import { explainedDifferences } from './golden/explained.ts';
import { replay } from './golden/replay.ts';
import { scenarios } from './golden/scenarios.ts';
import { recordings, toComparable } from './golden/vectors.ts';

const multiStepRecordings = recordings.filter(({ steps }) => steps.length > 1);
const singleStepRecordings = recordings.filter(({ steps }) => steps.length === 1);

/** Replays a recording. @returns the unexplained differences between recorded and replayed answers, with their requests */
async function differencesOf(recording: (typeof recordings)[number], compileAfter?: number): Promise<unknown[]> {
  const answers = await replay(recording, compileAfter === undefined ? {} : { compileAfter, compile: compileSchema });
  return recording.steps.flatMap((step, i) => {
    const answer = answers[i];
    if ('await' in step || !answer) return [];
    const [expected, actual] = [toComparable(step), toComparable(answer)];
    const expectedAndActual = [JSON.stringify(expected), JSON.stringify(actual)] as const;
    if (isEqual(expected, actual) || explainedDifferences.some(({ explains }) => explains(step, ...expectedAndActual))) return [];
    return [{ step: i, request: `${step.method} ${step.path} ${JSON.stringify(step.body)}`, expected, actual }];
  });
}

function isEqual(a: unknown, b: unknown): boolean {
  try {
    expect(a).toEqual(b);
    return true;
  } catch {
    return false;
  }
}

describe('answers recorded from kube-apiserver 1.36.3', () => {
  it('cover all scenarios', () => {
    expect(recordings.map(({ name, steps }) => `${name} ${steps.length}`)).toEqual(
      scenarios.map(({ name, steps }) => `${name} ${steps.length}`),
    );
    expect(recordings.flatMap(({ steps }) => steps.filter((step) => !('await' in step))).length).toBeGreaterThan(700);
  });

  it.each(multiStepRecordings.map((recording) => [recording.name, recording] as const))(
    'are the same for the scenario %s',
    async (_, recording) => {
      expect(await differencesOf(recording)).toEqual([]);
    },
  );

  it.each(multiStepRecordings.map((recording) => [recording.name, recording] as const))(
    'are the same for the scenario %s with compiled validators',
    async (_, recording) => {
      expect(await differencesOf(recording, 0)).toEqual([]);
    },
  );

  it('are the same for accepted and refused definitions', async () => {
    expect(singleStepRecordings.length).toBeGreaterThan(200);
    for (const recording of singleStepRecordings) expect(await differencesOf(recording), recording.name).toEqual([]);
  });
});
