import type { Http } from '../target/http.ts';
import { countFields, type Difference, findDifferences } from './differences.ts';
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
  readonly fieldCount: number;
  readonly differences: readonly Difference[];
}

interface ComparedServer {
  readonly http: Http;
  readonly normaliser: Normaliser;
  readonly answers: Map<string, unknown>;
}

/** Sends every step of the script to both servers and compares the answers field by field. */
export async function compareServers(real: Http, ours: Http, script: readonly Topic[]): Promise<StepComparison[]> {
  const text = JSON.stringify(script);
  const servers = [real, ours].map((http): ComparedServer => ({ http, normaliser: createNormaliser(text), answers: new Map() }));
  const comparisons: StepComparison[] = [];
  for (const { name, steps, start } of script) {
    const results: StepComparison[] = [];
    const service = await start?.();
    for (const { answers } of servers) answers.set('service', service?.values);
    try {
      for (const step of steps) await compareStep(servers as [ComparedServer, ComparedServer], step, name, results);
    } finally {
      await service?.close();
    }
    comparisons.push(...results);
  }
  return comparisons;
}

/** Compares one step and, for a watch, the steps during it. Results are in the order in which the steps end. */
async function compareStep(
  servers: readonly [ComparedServer, ComparedServer],
  step: Step,
  topic: string,
  results: StepComparison[],
): Promise<void> {
  const runDuringWatch = createBarrier(async () => {
    for (const duringStep of step.watch?.during ?? []) await compareStep(servers, duringStep, topic, results);
  });
  const outcomes = await Promise.all(servers.map((server) => performStepOn(server, step, runDuringWatch)));
  const [real, ours] = outcomes.map((outcome, n) => normaliseOutcome(outcome, step, servers[n as 0 | 1]));
  const request = `${step.method} ${step.path.length > 200 ? `${step.path.slice(0, 200)}...` : step.path}`;
  results.push({
    topic,
    number: results.length + 1,
    request: step.watch === undefined ? request : `${request} (watched)`,
    code: outcomes[0]?.code ?? 0,
    fieldCount: countFields(real),
    differences: [...findDifferences(real, ours), ...findUnexpectedFailures(step, outcomes[0])],
  });
}

/** Steps whose answers later steps use must succeed, or the script would compare very little. */
function findUnexpectedFailures({ saveAs }: Step, real: Outcome | undefined): Difference[] {
  return saveAs === undefined || (real !== undefined && real.code < 400) ? [] : [{ field: 'script', real: real?.code, ours: 'below 400' }];
}

async function performStepOn(server: ComparedServer, step: Step, runDuringWatch: (server: object) => Promise<void>): Promise<Outcome> {
  try {
    const outcome = await performStep(server.http, step, server.answers, () => runDuringWatch(server));
    if (step.saveAs !== undefined) server.answers.set(step.saveAs, outcome.body);
    return outcome;
  } catch (error) {
    // The barrier waits for both servers, so a server whose watch failed must reach it, too.
    if (step.watch !== undefined) await runDuringWatch(server);
    return { code: 0, header: {}, body: `no answer: ${(error as Error).message}` };
  }
}

function normaliseOutcome({ code, header, body }: Outcome, { view }: Step, server: ComparedServer | undefined): unknown {
  return server?.normaliser.clean({ code, header, body: view === undefined ? body : view(body) });
}

/** Creates a barrier for both servers. Runs `work` when both have reached it; both wait until `work` is done. */
function createBarrier(work: () => Promise<void>): (server: object) => Promise<void> {
  const arrived = new Set<object>();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  return (server) => {
    if (!arrived.has(server) && arrived.add(server).size === 2) work().then(resolve, reject);
    return promise;
  };
}
