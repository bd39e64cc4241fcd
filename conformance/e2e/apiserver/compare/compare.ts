import type { Http } from '../target/http.ts';
import { type Difference, differencesOf, fieldsIn } from './differences.ts';
import { createNormaliser, type Normaliser } from './normalise.ts';
import { type Outcome, performStep } from './perform.ts';
import type { Step, Topic } from './step.ts';

/** A request, and the differences between its two answers. */
export interface StepComparison {
  readonly topic: string;
  /** 1-based index within its topic. */
  readonly number: number;
  readonly request: string;
  readonly code: number;
  /** The number of fields in the real server's answer. */
  readonly fields: number;
  readonly differences: readonly Difference[];
}

interface Side {
  readonly http: Http;
  readonly normaliser: Normaliser;
  readonly answers: Map<string, unknown>;
}

/** Sends every step of the script to both servers and compares the answers field by field. */
export async function compareServers(real: Http, ours: Http, script: readonly Topic[]): Promise<StepComparison[]> {
  const text = JSON.stringify(script);
  const sides = [real, ours].map((http): Side => ({ http, normaliser: createNormaliser(text), answers: new Map() }));
  const all: StepComparison[] = [];
  for (const { name, steps } of script) {
    const compared: StepComparison[] = [];
    for (const step of steps) await compareStep(sides as [Side, Side], step, name, compared);
    all.push(...compared);
  }
  return all;
}

/** Compares one step and, for a watch, the steps during it. Results are in the order in which the steps end. */
async function compareStep(sides: readonly [Side, Side], step: Step, topic: string, into: StepComparison[]): Promise<void> {
  const together = createBarrier(async () => {
    for (const inner of step.watch?.during ?? []) await compareStep(sides, inner, topic, into);
  });
  const outcomes = await Promise.all(sides.map((side) => outcomeOf(side, step, together)));
  const [real, ours] = outcomes.map((outcome, n) => cleaned(outcome, step, sides[n as 0 | 1]));
  const request = `${step.method} ${step.path.length > 200 ? `${step.path.slice(0, 200)}...` : step.path}`;
  into.push({
    topic,
    number: into.length + 1,
    request: step.watch === undefined ? request : `${request} (watched)`,
    code: outcomes[0]?.code ?? 0,
    fields: fieldsIn(real),
    differences: [...differencesOf(real, ours), ...unexpectedFailures(step, outcomes[0])],
  });
}

/** Steps that later steps depend on must succeed, or the script would compare very little. */
function unexpectedFailures({ as }: Step, real: Outcome | undefined): Difference[] {
  return as === undefined || (real !== undefined && real.code < 400) ? [] : [{ field: 'script', real: real?.code, ours: 'below 400' }];
}

async function outcomeOf(side: Side, step: Step, together: (side: object) => Promise<void>): Promise<Outcome> {
  try {
    const outcome = await performStep(side.http, step, side.answers, () => together(side));
    if (step.as !== undefined) side.answers.set(step.as, outcome.body);
    return outcome;
  } catch (error) {
    // Both sides reach this point before the steps during the watch are sent.
    if (step.watch !== undefined) await together(side);
    return { code: 0, header: {}, body: `no answer: ${(error as Error).message}` };
  }
}

function cleaned({ code, header, body }: Outcome, { view }: Step, side: Side | undefined): unknown {
  return side?.normaliser.clean({ code, header, body: view === undefined ? body : view(body) });
}

/** Runs `work` once, as soon as both sides have called; both wait until it is done. */
function createBarrier(work: () => Promise<void>): (side: object) => Promise<void> {
  const here = new Set<object>();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  return (side) => {
    if (!here.has(side) && here.add(side).size === 2) work().then(resolve, reject);
    return promise;
  };
}
