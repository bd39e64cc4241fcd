/**
 * Random cases for the EndpointSlice controller, deterministic for a seed: case "7-14-topology" is number 14 of seed 7.
 * Run: node conformance/oracle/generate/slices.ts SEED COUNT [FROM]
 */
import { createRandom } from '../random.ts';
import type { SliceCase } from '../slices/case.ts';
import { makePods, makeRevisions } from './pods.ts';
import { makeService } from './service.ts';
import { makeSlices } from './slices-existing.ts';
import { makeNodes } from './slices-nodes.ts';
import { addSliceFields, assignToNodes } from './slices-state.ts';
import { makeSliceSteps } from './slices-steps.ts';
import { drawSliceTheme, type SliceTraits } from './slices-themes.ts';
import { createWorld, type World } from './world.ts';

/** Generates `count` cases of a seed, starting with number `from`; a case depends only on the seed and its own number. */
export const generateSliceCases = (seed: number, count: number, from: number = 0): SliceCase[] =>
  Array.from({ length: count }, (_, i) => generateCase(seed, from + i));

function generateCase(seed: number, number: number): SliceCase {
  const random = createRandom(seed, number, 4);
  const { name, traits, slices: sliceTraits } = drawSliceTheme(random);
  const world = createWorld(random, traits);
  const revisions = makeRevisions(world);
  const service = addSliceFields(world, sliceTraits, makeService(world));
  const nodes = makeNodes(random, sliceTraits);
  const pods = assignToNodes(world, sliceTraits, makePods(world, revisions, drawPodCount(world, sliceTraits)), nodes);
  const max = drawMaxEndpoints(world, sliceTraits);
  const testCase: SliceCase = {
    id: `${seed}-${number}-${name}`,
    key: `${world.namespace}/${world.name}`,
    max,
    service,
    pods,
    nodes,
    ...random.maybe(sliceTraits.existing, () => ({ slices: makeSlices(world, service, pods, nodes, max) })),
    steps: makeSliceSteps(world, sliceTraits, { service, pods, nodes, revisions }, max),
  };
  // Removes undefined fields, because an oracle reads the case as JSON.
  return JSON.parse(JSON.stringify(testCase)) as SliceCase;
}

function drawPodCount({ random, traits }: World, { manyPods }: SliceTraits): number {
  if (random.chance(manyPods)) return random.chance(0.15) ? 1000 + random.int(2001) : 100 + random.int(400);
  return random.chance(0.05) ? 0 : 1 + random.int(traits.pods);
}

const drawMaxEndpoints = ({ random }: World, { smallMax }: SliceTraits): number =>
  random.chance(smallMax) ? random.pick([2, 2, 3, 3, 4, 5, 7, 10]) : random.pick([20, 50, 100, 100, 250, 500, 1000]);

if (import.meta.main) {
  const [seed = Number.NaN, count = Number.NaN, from = 0] = process.argv.slice(2).map(Number);
  if ([seed, count, from].every(Number.isSafeInteger)) {
    for (const each of generateSliceCases(seed, count, from)) process.stdout.write(`${JSON.stringify(each)}\n`);
  } else {
    process.stderr.write('usage: node conformance/oracle/generate/slices.ts SEED COUNT [FROM]\n');
    process.exitCode = 2;
  }
}
