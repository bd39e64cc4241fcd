/**
 * Random cases, deterministic for a seed: case "7-14-steps" is number 14 of seed 7.
 * Run: node conformance/oracle/generate.ts SEED COUNT [FROM]
 */
import type { Case } from './case.ts';
import { makeExisting } from './generate/existing.ts';
import { makePods, makeRevisions } from './generate/pods.ts';
import { makeService } from './generate/service.ts';
import { makeSteps } from './generate/steps.ts';
import { drawTheme } from './generate/themes.ts';
import { createWorld, type World } from './generate/world.ts';
import { createRandom } from './random.ts';

/** Generates `count` cases of a seed, starting at number `from`; a case depends only on the seed and its own number. */
export const generateCases = (seed: number, count: number, from: number = 0): Case[] =>
  Array.from({ length: count }, (_, i) => generateCase(seed, from + i));

function generateCase(seed: number, number: number): Case {
  const random = createRandom(seed, number);
  const { name, traits } = drawTheme(random);
  const world = createWorld(random, traits);
  const service = makeService(world);
  const revisions = makeRevisions(world);
  const pods = makePods(world, revisions, drawPodCount(world));
  const testCase: Case = {
    id: `${seed}-${number}-${name}`,
    service,
    pods,
    ...random.maybe(traits.existing, () => ({ endpoints: makeExisting(world, service, pods) })),
    ...random.maybe(traits.steps, () => ({ steps: makeSteps(world, service, pods, revisions) })),
  };
  // the JSON that an oracle reads, without undefined fields
  return JSON.parse(JSON.stringify(testCase)) as Case;
}

/** Capacity is reached at 1,000 addresses, each counted once per subset. */
function drawPodCount({ random, traits }: World): number {
  if (random.chance(traits.manyPods)) return 1040 + random.int(600);
  return random.chance(0.06) ? 0 : 1 + random.int(traits.pods);
}

if (import.meta.main) {
  const [seed = Number.NaN, count = Number.NaN, from = 0] = process.argv.slice(2).map(Number);
  if ([seed, count, from].every(Number.isSafeInteger)) {
    for (const each of generateCases(seed, count, from)) process.stdout.write(`${JSON.stringify(each)}\n`);
  } else {
    process.stderr.write('usage: node conformance/oracle/generate.ts SEED COUNT [FROM]\n');
    process.exitCode = 2;
  }
}
