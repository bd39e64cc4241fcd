import type { Effect, EventEffect, Steps } from 'kube-endpoints/internal';
import { redactSecrets } from 'kube-endpoints/internal/apimachinery';
import { createReference } from '../events/event.ts';
import type { EventRecorder } from '../events/index.ts';
import type { Calls } from './calls.ts';
import { isCancellation } from './claims.ts';
import type { Setup } from './options.ts';

/** The work for one Service, and its results. */
export interface Job {
  readonly key: string;
  /** Whether to record only warnings as Events, because this run only checks the result of an earlier sync. */
  readonly warningsOnly: boolean;
  writes: number;
  /** Whether the load balancer was ensured as requested. */
  ensured: boolean;
  /** The error of the node update, if it failed. */
  updateFailure: { readonly error: unknown } | undefined;
  /** Whether the load balancer should exist but does not. */
  balancerLost: boolean;
}

export const createJob = (key: string, warningsOnly = false): Job => ({
  key,
  warningsOnly,
  writes: 0,
  ensured: false,
  updateFailure: undefined,
  balancerLost: false,
});

/** Carries out the steps that the planner yields. */
export interface Performer {
  /** @throws the error of a step, OwnershipLostError, ControllerStoppingError */
  run<Result>(job: Job, steps: Steps<Result>): Promise<Result>;
  /** Records an Event, if this replica owns the Service. */
  record(key: string, event: EventEffect): void;
}

export interface PerformerOptions {
  readonly setup: Setup;
  readonly calls: Calls;
  /** Undefined if nothing may be written (dry run). */
  readonly recorder: Pick<EventRecorder, 'record'> | undefined;
}

export function createPerformer({ setup, calls, recorder }: PerformerOptions): Performer {
  const { onEvent, dryRun, ownership } = setup;
  const record = (key: string, { service, type, reason, message }: EventEffect): void => {
    if (!ownership.owns(key)) return;
    recorder?.record(createReference('Service', service.metadata ?? {}), type, reason, truncate(redactSecrets(message)));
  };
  const handle = dryRun ? createDryRunHandler(calls) : createEffectHandler(calls);
  return {
    record,
    run: (job, steps) =>
      runSteps(steps, (effect) => {
        onEvent({ kind: 'effect', key: job.key, effect, dryRun });
        if (effect.do !== 'event') return handle(effect, job);
        if (!job.warningsOnly || effect.type === 'Warning') record(job.key, effect);
        return undefined;
      }),
  };
}

type CallEffect = Exclude<Effect, EventEffect>;
type EffectHandler = (effect: CallEffect, job: Job) => Promise<unknown>;

const createEffectHandler =
  (calls: Calls): EffectHandler =>
  async (effect, job) => {
    const { key } = job;
    const { service } = effect;
    switch (effect.do) {
      case 'get': {
        const status = await calls.get(key, service);
        if (job.updateFailure && !status) job.balancerLost = true;
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
      case 'patch':
      case 'updateStatus': {
        const written =
          effect.do === 'patch' ? await calls.patch(key, service, effect.patch) : await calls.updateStatus(key, service, effect.status);
        job.writes++;
        return written;
      }
    }
  };

/** Dry run: every step appears to succeed, without changing anything. */
const createDryRunHandler =
  (calls: Calls): EffectHandler =>
  async ({ do: action, service }, { key }) => {
    if (action === 'get') return calls.get(key, service);
    return action === 'ensure' ? (service.status?.loadBalancer ?? {}) : undefined;
  };

/** Limits the length of a message from the cloud, so that it fits into an Event. */
const truncate = (message: string): string => (message.length <= maxMessageLength ? message : `${message.slice(0, maxMessageLength - 1)}…`);

const maxMessageLength = 1024;

/**
 * Runs the steps to the end. Each effect is performed, and its result or error is passed back to the steps.
 * If the error is a cancellation, ends the steps instead.
 * @throws the error of a step, OwnershipLostError, ControllerStoppingError
 */
export async function runSteps<Result>(steps: Steps<Result>, perform: (effect: Effect) => unknown): Promise<Result> {
  let step = steps.next();
  while (!step.done) {
    let answer: unknown;
    try {
      answer = await perform(step.value);
    } catch (error) {
      if (isCancellation(error)) {
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
