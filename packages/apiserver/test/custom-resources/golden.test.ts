import { describe, expect, it } from 'vitest';
import { compileSchema } from '../../src/custom-resources/validation/compiled.ts';
import { explained } from './golden/explained.ts';
import { replay } from './golden/replay.ts';
import { scenarios } from './golden/scenarios.ts';
import { comparable, recordings } from './golden/vectors.ts';

const stories = recordings.filter(({ steps }) => steps.length > 1);
const single = recordings.filter(({ steps }) => steps.length === 1);

/** Unexplained differences between answers, with their requests. */
async function differencesOf(recording: (typeof recordings)[number], compileAfter?: number): Promise<unknown[]> {
  const answers = await replay(recording, compileAfter === undefined ? {} : { compileAfter, compile: compileSchema });
  return recording.steps.flatMap((step, i) => {
    const own = answers[i];
    if ('await' in step || !own) return [];
    const [wanted, found] = [comparable(step), comparable(own)];
    const texts = [JSON.stringify(wanted), JSON.stringify(found)] as const;
    if (isSame(wanted, found) || explained.some(({ isAbout }) => isAbout(step, ...texts))) return [];
    return [{ step: i, request: `${step.method} ${step.path} ${JSON.stringify(step.body)}`, wanted, found }];
  });
}

function isSame(a: unknown, b: unknown): boolean {
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

  it.each(stories.map((story) => [story.name, story] as const))('are reproduced for %s', async (_, story) => {
    expect(await differencesOf(story)).toEqual([]);
  });

  it.each(stories.map((story) => [story.name, story] as const))('are reproduced for %s, with compiled validators', async (_, story) => {
    expect(await differencesOf(story, 0)).toEqual([]);
  });

  it('are reproduced for accepted and refused definitions', async () => {
    expect(single.length).toBeGreaterThan(200);
    for (const recording of single) expect(await differencesOf(recording), recording.name).toEqual([]);
  });
});
