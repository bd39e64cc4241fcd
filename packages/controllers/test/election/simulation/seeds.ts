import type { PlantedBug } from './planted-bugs.ts';
import { type Outcome, type SimulationOptions, simulate } from './run.ts';

/** The seeds of a test: `count` seeds from `first`, or those of the environment, such as KUBE_ENDPOINTS_SEEDS="17" or "0-500". */
export function seedsFrom(first: number, count: number): readonly number[] {
  const [from = first, to = from] = (process.env['KUBE_ENDPOINTS_SEEDS'] ?? `${first}-${first + count - 1}`).split('-').map(Number);
  return Array.from({ length: to - from + 1 }, (_, i) => from + i);
}

/** Runs a simulation for each seed. Each problem ends with the command that reproduces it. */
export async function runSeeds(
  seeds: readonly number[],
  testPath: string,
  simulation: Omit<SimulationOptions, 'seed'>,
): Promise<{ readonly problems: readonly string[]; readonly steps: number; readonly ownedShare: number }> {
  const problems: string[] = [];
  let steps = 0;
  let ownedShare = 0;
  for (const seed of seeds) {
    const outcome: Outcome = await simulate({ ...simulation, seed });
    steps += outcome.steps;
    ownedShare += outcome.ownedShare / seeds.length;
    if (outcome.problem) problems.push(`${outcome.problem}; KUBE_ENDPOINTS_SEEDS=${seed} npx vitest run ${testPath}`);
  }
  return { problems, steps, ownedShare };
}

/** The first problem that a planted bug causes; undefined if no seed finds it. */
export async function findProblem(
  plantedBug: PlantedBug,
  simulation: Omit<SimulationOptions, 'seed'>,
  maxSeeds: number,
): Promise<string | undefined> {
  for (let seed = 0; seed < maxSeeds; seed++) {
    const { problem } = await simulate({
      ...simulation,
      seed,
      create(dependencies) {
        const coordinator = simulation.create(plantedBug.dependencies?.(dependencies) ?? dependencies);
        return plantedBug.coordinator?.(coordinator) ?? coordinator;
      },
    });
    if (problem) return problem;
  }
  return undefined;
}
