import { hasReason, systemClock } from 'kube-endpoints/port';
import { pause } from '../base/time.ts';
import { createLeaseLock, type LeaseLock } from './lock.ts';
import { type ChangeListeners, createChangeListeners, drain, type Ownership } from './ownership.ts';
import { jitterFactor, type ReplicaOptions, type ReplicaSettings, resolveReplicaSettings } from './settings.ts';

/** `name` is the name of the Lease. By default, `clock` is the system clock and `random` is Math.random. */
export interface LeaderElectionOptions extends Omit<ReplicaOptions, keyof ClockAndRandom>, Partial<ClockAndRandom> {
  readonly onEvent?: (event: LeadershipEvent) => void;
}

type ClockAndRandom = Pick<ReplicaOptions, 'clock' | 'random'>;

/** Reported if this replica gains or loses leadership, if the holder of the Lease changes, and if a renewal fails. */
export interface LeadershipEvent {
  readonly kind: 'leadership';
  readonly identity: string;
  readonly leads: boolean;
  readonly leader: string | undefined;
  readonly error?: unknown;
}

/** One of several replicas, of which at most one is active at a time. */
export interface LeaderElection {
  /** Owns every key while this replica leads; owns no key otherwise. */
  readonly ownership: Ownership;
  /** Holder of the Lease when it was last read. */
  readonly leader: string | undefined;
  /**
   * Acquires and renews the Lease until the signal is aborted. From then on, this replica owns no keys. Resolves when the Lease is
   * released, or the release has failed; API errors do not reject the promise. @throws Error if this election is already running
   */
  run(signal: AbortSignal): Promise<void>;
}

/**
 * Leader election by a Lease, with the timing rules of tools/leaderelection (client-go 1.36). Does not change the Lease
 * fields of coordinated leader election.
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
  renewedAt: number;
  /** The last reported state. */
  lastReported: string;
}

function createCandidate(options: LeaderElectionOptions & ClockAndRandom): Candidate {
  const settings = resolveReplicaSettings(options);
  const lock = createLeaseLock({ ...options, ...settings });
  return { ...settings, options, lock, listeners: createChangeListeners(), running: false, leading: false, renewedAt: 0, lastReported: '' };
}

/** Checks the clock on each call, because a process that was suspended past its deadline must not act as leader. */
const leads = (candidate: Candidate): boolean => candidate.leading && candidate.options.clock.elapsed() < deadlineOf(candidate);

const deadlineOf = ({ renewedAt, renewDeadline }: Candidate): number => renewedAt + renewDeadline;

async function run(candidate: Candidate, signal: AbortSignal): Promise<void> {
  const { options, lock } = candidate;
  if (candidate.running) throw new Error('this leader election is already running');
  if (signal.aborted) return;
  candidate.running = true;
  const resign = (): void => setLeading(candidate, false);
  signal.addEventListener('abort', resign, { once: true });
  try {
    while (!signal.aborted) {
      await follow(candidate, signal);
      if (candidate.leading) await lead(candidate, signal);
    }
    const drainError = await drain(options.clock, candidate);
    if (drainError !== undefined) report(candidate, drainError);
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
    // At least 1 ms, because a shorter pause, left by a rounding error, might not advance the clock.
    await pause(clock, Math.max(1, Math.min(candidate.retryPeriod, deadlineOf(candidate) - clock.elapsed())), signal);
    if (signal.aborted) return;
    if (clock.elapsed() >= deadlineOf(candidate)) setLeading(candidate, false, new Error('the Lease was not renewed in time'));
    else await attempt(candidate, signal);
  }
}

async function attempt(candidate: Candidate, signal: AbortSignal): Promise<boolean> {
  const { clock } = candidate.options;
  const deadline = candidate.leading ? deadlineOf(candidate) : undefined;
  const result = await candidate.lock.tryAcquireOrRenew({ signal, ...(deadline !== undefined && { deadline }) });
  if (signal.aborted) return false;
  if (!result.held) {
    const isLost = candidate.leading && candidate.lock.term === undefined;
    if (isLost) setLeading(candidate, false, result.error ?? new Error('another process holds the Lease'));
    else report(candidate, hasReason(result.error, 'Conflict', 'AlreadyExists') ? undefined : result.error);
    return false;
  }
  // The renewal succeeded after the deadline, so `owns` may have returned false meanwhile. Resigns first, because the listeners are called
  // only after a change.
  if (deadline !== undefined && clock.elapsed() >= deadline) setLeading(candidate, false, new Error('the Lease was not renewed in time'));
  candidate.renewedAt = result.start;
  if (clock.elapsed() < deadlineOf(candidate)) setLeading(candidate, true);
  return leads(candidate);
}

/** Sets whether this replica leads, reports it, and calls the listeners if it has changed. */
function setLeading(candidate: Candidate, leading: boolean, error?: unknown): void {
  const isChanged = candidate.leading !== leading;
  candidate.leading = leading;
  report(candidate, error);
  if (isChanged) candidate.listeners.notify();
}

/** Reports the state if it differs from the last report. */
function report(candidate: Candidate, error?: unknown): void {
  const { identity, onEvent } = candidate.options;
  const leader = candidate.lock.holder;
  const state = JSON.stringify([candidate.leading, leader, error === undefined ? '' : String(error)]);
  if (state === candidate.lastReported) return;
  candidate.lastReported = state;
  onEvent?.({ kind: 'leadership', identity, leads: candidate.leading, leader, ...(error !== undefined && { error }) });
}
