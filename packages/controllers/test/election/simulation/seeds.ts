import { type Outcome, type Simulation, simulate } from './run.ts';
import type { Sabotage } from './sabotage.ts';

/** The seeds of a test: its own, or those in KUBE_ENDPOINTS_SEEDS="17" or "0-500". */
export function seedsFrom(first: number, count: number): readonly number[] {
  const [from = first, to = from] = (process.env['KUBE_ENDPOINTS_SEEDS'] ?? `${first}-${first + count - 1}`).split('-').map(Number);
  return Array.from({ length: to - from + 1 }, (_, i) => from + i);
}

/** The problems found, each with how to reproduce it, and the number of steps. */
export async function runSeeds(
  seeds: readonly number[],
  test: string,
  simulation: Omit<Simulation, 'seed'>,
): Promise<{ readonly problems: readonly string[]; readonly steps: number; readonly owned: number }> {
  const problems: string[] = [];
  let steps = 0;
  let owned = 0;
  for (const seed of seeds) {
    const outcome: Outcome = await simulate({ ...simulation, seed });
    steps += outcome.steps;
    owned += outcome.owned / seeds.length;
    if (outcome.problem) problems.push(`${outcome.problem}; KUBE_ENDPOINTS_SEEDS=${seed} npx vitest run ${test}`);
  }
  return { problems, steps, owned };
}

/** The first problem caused by a mistake. */
export async function findSabotage(
  sabotage: Sabotage,
  simulation: Omit<Simulation, 'seed'>,
  mostSeeds: number,
): Promise<string | undefined> {
  for (let seed = 0; seed < mostSeeds; seed++) {
    const { problem } = await simulate({
      ...simulation,
      seed,
      create(parts) {
        const subject = simulation.create(sabotage.parts?.(parts) ?? parts);
        return sabotage.subject?.(subject) ?? subject;
      },
    });
    if (problem) return problem;
  }
  return undefined;
}
