import { type Effect, type EventEffect, type Steps, withoutSecrets } from 'kube-endpoints/internal';
import type { EventRecorder } from '../events/index.ts';
import type { Calls } from './calls.ts';
import { isEnd } from './claims.ts';
import type { Setup } from './options.ts';

/** What is done for one Service at a time, and what came of it. */
export interface Job {
  readonly key: string;
  /** Whether only warnings are worth an Event: what is done was done before, and is made sure of. */
  readonly quiet: boolean;
  writes: number;
  /** Whether its load balancer is just as was asked for. */
  ensured: boolean;
  /** Why the nodes could not be brought up to date, where they could not. */
  updateFailure: { readonly error: unknown } | undefined;
  /** Whether there is no load balancer though there should be. */
  lost: boolean;
}

export const newJob = (key: string, quiet = false): Job => ({
  key,
  quiet,
  writes: 0,
  ensured: false,
  updateFailure: undefined,
  lost: false,
});

/** Carries out what the rules come to. */
export interface Performer {
  /** @throws what the steps throw, OwnershipLost, Ending */
  take<Result>(job: Job, steps: Steps<Result>): Promise<Result>;
  /** Records an Event, as long as the Service is this replica's. */
  record(key: string, event: EventEffect): void;
}

export interface PerformerOptions {
  readonly setup: Setup;
  readonly calls: Calls;
  /** Undefined where nothing is to be written. */
  readonly recorder: Pick<EventRecorder, 'record'> | undefined;
}

export function createPerformer({ setup, calls, recorder }: PerformerOptions): Performer {
  const { tell, dryRun, ownership } = setup;
  const record = (key: string, { service, type, reason, message }: EventEffect): void => {
    if (!ownership.owns(key)) return;
    const { namespace, name, uid, resourceVersion } = service.metadata ?? {};
    const about = { kind: 'Service', apiVersion: 'v1', namespace, name, ...(uid && { uid }), ...(resourceVersion && { resourceVersion }) };
    recorder?.record(about, type, reason, shortened(withoutSecrets(message)));
  };
  const act = dryRun ? pretend(calls) : carryOut(calls);
  return {
    record,
    take: (job, steps) =>
      drive(steps, (effect) => {
        tell({ kind: 'effect', key: job.key, effect, dryRun });
        if (effect.do !== 'event') return act(effect, job);
        if (!job.quiet || effect.type === 'Warning') record(job.key, effect);
        return undefined;
      }),
  };
}

type Call = Exclude<Effect, EventEffect>;
type Act = (effect: Call, job: Job) => Promise<unknown>;

const carryOut =
  (calls: Calls): Act =>
  async (effect, job) => {
    const { key } = job;
    const { service } = effect;
    switch (effect.do) {
      case 'get': {
        const status = await calls.get(key, service);
        if (job.updateFailure && !status) job.lost = true;
        return status;
      }
      case 'ensure': {
        const status = await calls.ensure(key, service, effect.nodes);
        job.ensured = true;
        return status;
      }
      case 'update':
        job.updateFailure = undefined;
        await calls.update(key, service, effect.nodes).catch((error: unknown) => {
          job.updateFailure = { error };
          throw error;
        });
        return undefined;
      case 'delete':
        return calls.delete(key, service);
      case 'patch': {
        const written = await calls.patch(key, service, effect.patch);
        job.writes++;
        return written;
      }
    }
  };

/** Everything seems to be done, and nothing new to come of it. */
const pretend =
  (calls: Calls): Act =>
  async ({ do: what, service }, { key }) => {
    if (what === 'get') return calls.get(key, service);
    return what === 'ensure' ? (service.status?.loadBalancer ?? {}) : undefined;
  };

/** As much of a message as an Event may say: a cloud may say more. Everybody who may read the namespace's Events reads it. */
const shortened = (message: string): string => (message.length <= longest ? message : `${message.slice(0, longest - 1)}…`);

const longest = 1024;

/**
 * Takes steps to their end: each effect is carried out, and its answer or its error is what the steps go on with. Where the work is to end,
 * they do not go on at all.
 * @throws what the steps throw, or the end of the work
 */
export async function drive<Result>(steps: Steps<Result>, perform: (effect: Effect) => unknown): Promise<Result> {
  let step = steps.next();
  while (!step.done) {
    let answer: unknown;
    try {
      answer = await perform(step.value);
    } catch (error) {
      if (isEnd(error)) {
        steps.return(undefined as Result);
        throw error;
      }
      step = steps.throw(error);
      continue;
    }
    step = steps.next(answer);
  }
  return step.value;
}
