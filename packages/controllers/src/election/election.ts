import { hasReason, systemClock } from 'kube-endpoints/port';
import { pause } from '../base/time.ts';
import { createLeaseLock, type LeaseLock } from './lock.ts';
import { type ChangeListeners, createChangeListeners, drain, type Ownership } from './ownership.ts';
import { jitterFactor, type ReplicaOptions, type ReplicaSettings, readReplica } from './settings.ts';

/** `name` is the name of the Lease. `clock` and `random` default to those of the system. */
export interface LeaderElectionOptions extends Omit<ReplicaOptions, keyof ClockAndRandom>, Partial<ClockAndRandom> {
  readonly onEvent?: (event: LeadershipEvent) => void;
}

type ClockAndRandom = Pick<ReplicaOptions, 'clock' | 'random'>;

/** Whether this replica leads, or the holder of the Lease, has changed, or the Lease could not be renewed. */
export interface LeadershipEvent {
  readonly kind: 'leadership';
  readonly identity: string;
  readonly leads: boolean;
  readonly leader: string | undefined;
  readonly error?: unknown;
}

/** One of several replicas, of which at most one is active at a time. */
export interface LeaderElection {
  /** Owns all keys while this replica leads, and none otherwise. */
  readonly ownership: Ownership;
  /** Holder of the Lease when it was last read. */
  readonly leader: string | undefined;
  /**
   * Follows, leads, and follows again when leadership is no longer certain, until the signal is aborted. It then owns nothing at once, and
   * resolves when the Lease has been released or could not be. API errors do not reject it.
   */
  run(signal: AbortSignal): Promise<void>;
}

/**
 * Leader election by a Lease, with the timing rules of tools/leaderelection (client-go 1.36). Fields of coordinated leader election are not
 * changed.
 * @throws RangeError that names the invalid option
 */
export function createLeaderElection(options: LeaderElectionOptions): LeaderElection {
  const { clock = systemClock, random = Math.random } = options;
  const candidate = createCandidate({ ...options, clock, random });
  return {
    ownership: { owns: () => leads(candidate), onChange: candidate.listeners.add },
    get leader() {
      return candidate.lock.holder;
    },
    run: (signal) => run(candidate, signal),
  };
}

interface Candidate extends ReplicaSettings {
  readonly options: LeaderElectionOptions & ClockAndRandom;
  readonly lock: LeaseLock;
  readonly listeners: ChangeListeners;
  running: boolean;
  leading: boolean;
  /** Start of the last successful renewal, by `clock.elapsed()`. */
  renewed: number;
  /** The last reported state. */
  lastReported: string;
}

function createCandidate(options: LeaderElectionOptions & ClockAndRandom): Candidate {
  const settings = readReplica(options);
  const lock = createLeaseLock({ ...options, ...settings });
  return { ...settings, options, lock, listeners: createChangeListeners(), running: false, leading: false, renewed: 0, lastReported: '' };
}

/** Checks the clock on each call: a process that was suspended past its deadline must not act as leader. */
const leads = (candidate: Candidate): boolean => candidate.leading && candidate.options.clock.elapsed() < deadlineOf(candidate);

const deadlineOf = ({ renewed, renewDeadline }: Candidate): number => renewed + renewDeadline;

async function run(candidate: Candidate, signal: AbortSignal): Promise<void> {
  const { options, lock } = candidate;
  if (candidate.running) throw new Error('this leader election is already running');
  if (signal.aborted) return;
  candidate.running = true;
  const resign = (): void => step(candidate, false);
  signal.addEventListener('abort', resign, { once: true });
  try {
    while (!signal.aborted) {
      await follow(candidate, signal);
      if (candidate.leading) await lead(candidate, signal);
    }
    const obstacle = await drain(options.clock, candidate);
    if (obstacle !== undefined) report(candidate, obstacle);
    else if (options.releaseOnExit ?? true)
      await lock.release().then(
        () => report(candidate),
        (error: unknown) => report(candidate, error),
      );
  } finally {
    signal.removeEventListener('abort', resign);
    candidate.leading = false;
    candidate.running = false;
  }
}

/** Makes one attempt to acquire the Lease; waits if it fails. */
async function follow(candidate: Candidate, signal: AbortSignal): Promise<void> {
  const { clock, random } = candidate.options;
  if (await attempt(candidate, signal)) return;
  await pause(clock, candidate.retryPeriod * (1 + jitterFactor * random()), signal);
}

/** Renews the Lease until the deadline has passed, or another process holds it. */
async function lead(candidate: Candidate, signal: AbortSignal): Promise<void> {
  const { clock } = candidate.options;
  while (candidate.leading) {
    // At least 1 ms: a delay that is only the rounding error of a sum would never end.
    await pause(clock, Math.max(1, Math.min(candidate.retryPeriod, deadlineOf(candidate) - clock.elapsed())), signal);
    if (signal.aborted) return;
    if (clock.elapsed() >= deadlineOf(candidate)) step(candidate, false, new Error('the Lease was not renewed in time'));
    else await attempt(candidate, signal);
  }
}

async function attempt(candidate: Candidate, signal: AbortSignal): Promise<boolean> {
  const { clock } = candidate.options;
  const before = candidate.leading ? deadlineOf(candidate) : undefined;
  const result = await candidate.lock.attempt({ signal, ...(before !== undefined && { until: before }) });
  if (signal.aborted) return false;
  if (!result.held) {
    const isLost = candidate.leading && candidate.lock.term === undefined;
    if (isLost) step(candidate, false, result.error ?? new Error('another process holds the Lease'));
    else report(candidate, hasReason(result.error, 'Conflict', 'AlreadyExists') ? undefined : result.error);
    return false;
  }
  // The answer came after the deadline: `owns` may have returned false meanwhile. Steps down, so that stepping up calls the listeners.
  if (before !== undefined && clock.elapsed() >= before) step(candidate, false, new Error('the Lease was not renewed in time'));
  candidate.renewed = result.start;
  if (clock.elapsed() < deadlineOf(candidate)) step(candidate, true);
  return leads(candidate);
}

/** Sets whether this replica leads, reports it, and calls the listeners if it has changed. */
function step(candidate: Candidate, leading: boolean, error?: unknown): void {
  const changed = candidate.leading !== leading;
  candidate.leading = leading;
  report(candidate, error);
  if (changed) candidate.listeners.call();
}

/** Reports the state if it differs from the last report. */
function report(candidate: Candidate, error?: unknown): void {
  const { identity, onEvent } = candidate.options;
  const leader = candidate.lock.holder;
  const now = JSON.stringify([candidate.leading, leader, error === undefined ? '' : String(error)]);
  if (now === candidate.lastReported) return;
  candidate.lastReported = now;
  onEvent?.({ kind: 'leadership', identity, leads: candidate.leading, leader, ...(error !== undefined && { error }) });
}
