import type { Observer } from '@kube-endpoints/controllers';
import type { ClientPort, SteadyClock } from 'kube-endpoints/port';
import { createLeaderElection } from '../../../../packages/controllers/src/election/index.ts';
import { fullOwnership, type Ownership } from '../../../../packages/controllers/src/election/ownership.ts';
import { createSharding } from '../../../../packages/controllers/src/sharding/index.ts';
import type { Mode } from '../settings.ts';

/** The state that a controller reports. */
export interface Controller {
  readonly ready: boolean;
  readonly idle: boolean;
}

/** A running controller, and the Services that it owns. */
export interface Process {
  readonly controller: Controller;
  readonly ownership: Ownership;
  readonly completion: Promise<unknown>;
  stop(): void;
}

export interface ProcessOptions {
  readonly name: string;
  readonly mode: Mode;
  /** The name of the Lease for leader election or sharding. */
  readonly lock: string;
  readonly port: ClientPort;
  readonly clock: SteadyClock;
  readonly random: () => number;
  readonly onEvent: Observer;
}

type Runnable = Controller & { run(signal: AbortSignal): Promise<unknown> };

/** Starts the controller that `create` returns, and leader election or sharding. */
export function startProcess(options: ProcessOptions, create: (ownership: Ownership) => Runnable): Process {
  const abort = new AbortController();
  let controllerRun: Promise<unknown> = Promise.resolve();
  // Ownership is released only after the controller has stopped.
  const coordination = createCoordination(options, async () => void (await controllerRun));
  const { ownership } = coordination;
  const controller = create(ownership);
  controllerRun = controller.run(abort.signal);
  return { controller, ownership, completion: Promise.all([controllerRun, coordination.run(abort.signal)]), stop: () => abort.abort() };
}

interface Coordination {
  readonly ownership: Ownership;
  run(signal: AbortSignal): Promise<unknown>;
}

function createCoordination(
  { name: identity, mode, lock, port, clock, random, onEvent }: ProcessOptions,
  beforeRelease: () => Promise<void>,
): Coordination {
  const commonOptions = { port, clock, random, identity, onEvent, beforeRelease, name: lock };
  if (mode === 'elected') return createLeaderElection(commonOptions);
  if (mode === 'sharded') return createSharding({ ...commonOptions, namespace: 'kube-system' });
  return { ownership: fullOwnership, run: async () => undefined };
}
