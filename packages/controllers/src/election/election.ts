import { hasReason, systemClock } from 'kube-endpoints/port';
import { pause } from '../base/time.ts';
import { createLeaseLock, type LeaseLock } from './lock.ts';
import { type ChangeListeners, createChangeListeners, drain, type Ownership } from './ownership.ts';
import { jitterFactor, type ReplicaOptions, type ReplicaSettings, readReplica } from './settings.ts';

/** `name` is the name of the Lease. `clock` and `random` default to those of the system. */
export interface LeaderElectionOptions extends Omit<ReplicaOptions, keyof Chance>, Partial<Chance> {
  readonly onEvent?: (event: LeadershipEvent) => void;
}

type Chance = Pick<ReplicaOptions, 'clock' | 'random'>;

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
  const seat = createSeat({ ...options, clock, random });
  return {
    ownership: { owns: () => leads(seat), onChange: seat.listeners.add },
    get leader() {
      return seat.lock.holder;
    },
    run: (signal) => run(seat, signal),
  };
}

interface Seat extends ReplicaSettings {
  readonly options: LeaderElectionOptions & Chance;
  readonly lock: LeaseLock;
  readonly listeners: ChangeListeners;
  running: boolean;
  leading: boolean;
  /** Start of the last successful renewal, by `clock.elapsed()`. */
  renewed: number;
  /** The last reported state. */
  told: string;
}

function createSeat(options: LeaderElectionOptions & Chance): Seat {
  const settings = readReplica(options);
  const lock = createLeaseLock({ ...options, ...settings });
  return { ...settings, options, lock, listeners: createChangeListeners(), running: false, leading: false, renewed: 0, told: '' };
}

/** Checks the clock on each call: a process that was suspended past its deadline must not act as leader. */
const leads = (seat: Seat): boolean => seat.leading && seat.options.clock.elapsed() < deadlineOf(seat);

const deadlineOf = ({ renewed, renewDeadline }: Seat): number => renewed + renewDeadline;

async function run(seat: Seat, signal: AbortSignal): Promise<void> {
  const { options, lock } = seat;
  if (seat.running) throw new Error('this leader election is running already');
  if (signal.aborted) return;
  seat.running = true;
  const resign = (): void => step(seat, false);
  signal.addEventListener('abort', resign, { once: true });
  try {
    while (!signal.aborted) {
      await follow(seat, signal);
      if (seat.leading) await lead(seat, signal);
    }
    const obstacle = await drain(options.clock, seat);
    if (obstacle !== undefined) report(seat, obstacle);
    else if (options.releaseOnExit ?? true)
      await lock.release().then(
        () => report(seat),
        (error: unknown) => report(seat, error),
      );
  } finally {
    signal.removeEventListener('abort', resign);
    seat.leading = false;
    seat.running = false;
  }
}

/** Makes one attempt to acquire the Lease; waits if it fails. */
async function follow(seat: Seat, signal: AbortSignal): Promise<void> {
  const { clock, random } = seat.options;
  if (await attempt(seat, signal)) return;
  await pause(clock, seat.retryPeriod * (1 + jitterFactor * random()), signal);
}

/** Renews the Lease until the deadline has passed, or another process holds it. */
async function lead(seat: Seat, signal: AbortSignal): Promise<void> {
  const { clock } = seat.options;
  while (seat.leading) {
    // At least 1 ms: a delay that is only the rounding error of a sum would never end.
    await pause(clock, Math.max(1, Math.min(seat.retryPeriod, deadlineOf(seat) - clock.elapsed())), signal);
    if (signal.aborted) return;
    if (clock.elapsed() >= deadlineOf(seat)) step(seat, false, new Error('the Lease was not renewed in time'));
    else await attempt(seat, signal);
  }
}

async function attempt(seat: Seat, signal: AbortSignal): Promise<boolean> {
  const { clock } = seat.options;
  const before = seat.leading ? deadlineOf(seat) : undefined;
  const result = await seat.lock.attempt({ signal, ...(before !== undefined && { until: before }) });
  if (signal.aborted) return false;
  if (!result.held) {
    const isLost = seat.leading && seat.lock.term === undefined;
    if (isLost) step(seat, false, result.error ?? new Error('somebody else holds the Lease'));
    else report(seat, hasReason(result.error, 'Conflict', 'AlreadyExists') ? undefined : result.error);
    return false;
  }
  // The answer came after the deadline: `owns` may have returned false meanwhile. Steps down, so that stepping up calls the listeners.
  if (before !== undefined && clock.elapsed() >= before) step(seat, false, new Error('the Lease was not renewed in time'));
  seat.renewed = result.start;
  if (clock.elapsed() < deadlineOf(seat)) step(seat, true);
  return leads(seat);
}

/** Sets whether this replica leads, reports it, and calls the listeners if it has changed. */
function step(seat: Seat, leading: boolean, error?: unknown): void {
  const changed = seat.leading !== leading;
  seat.leading = leading;
  report(seat, error);
  if (changed) seat.listeners.call();
}

/** Reports the state if it differs from the last report. */
function report(seat: Seat, error?: unknown): void {
  const { identity, onEvent } = seat.options;
  const leader = seat.lock.holder;
  const now = JSON.stringify([seat.leading, leader, error === undefined ? '' : String(error)]);
  if (now === seat.told) return;
  seat.told = now;
  onEvent?.({ kind: 'leadership', identity, leads: seat.leading, leader, ...(error !== undefined && { error }) });
}
