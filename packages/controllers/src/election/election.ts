import { hasReason, systemClock } from 'kube-endpoints/port';
import { pause } from '../base/time.ts';
import { createLeaseLock, type LeaseLock } from './lock.ts';
import { type ChangeListeners, createChangeListeners, drain, type Ownership } from './ownership.ts';
import { jitterFactor, type ReplicaOptions, type ReplicaSettings, readReplica } from './settings.ts';

/** `name` is that of the Lease that is fought for. Clock and chance are by default those of the system. */
export interface LeaderElectionOptions extends Omit<ReplicaOptions, keyof Chance>, Partial<Chance> {
  readonly tell?: (event: LeadershipEvent) => void;
}

type Chance = Pick<ReplicaOptions, 'clock' | 'random'>;

/** Whether this replica leads, and the holder of the Lease, have changed, or the Lease could not be renewed. */
export interface LeadershipEvent {
  readonly kind: 'leadership';
  readonly identity: string;
  readonly leads: boolean;
  readonly leader: string | undefined;
  readonly error?: unknown;
}

/** One of several replicas that do the same, one at a time. */
export interface LeaderElection {
  /** Owns everything where this replica leads, nothing where it does not. */
  readonly ownership: Ownership;
  /** Who held the Lease when it was last seen. */
  readonly leader: string | undefined;
  /**
   * Follows, leads, and follows again when it is no longer sure to lead, until the signal is aborted. Then it owns nothing at once, and
   * the promise is resolved when the Lease has been given back, or could not be. No failure of the API rejects it.
   */
  run(signal: AbortSignal): Promise<void>;
}

/**
 * Leader election by a Lease, with the timing rules of tools/leaderelection (client-go 1.36); coordinated leader election is left alone.
 * @throws RangeError that names the option which is wrong
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
  /** When the renewal that counts was begun, by `clock.elapsed()`. */
  renewed: number;
  /** What was told last. */
  told: string;
}

function createSeat(options: LeaderElectionOptions & Chance): Seat {
  const settings = readReplica(options);
  const lock = createLeaseLock({ ...options, ...settings });
  return { ...settings, options, lock, listeners: createChangeListeners(), running: false, leading: false, renewed: 0, told: '' };
}

/** Asks the clock itself: whoever slept through its own deadline must not act as if it had not. */
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

/** One try, and the wait after one that failed. */
async function follow(seat: Seat, signal: AbortSignal): Promise<void> {
  const { clock, random } = seat.options;
  if (await attempt(seat, signal)) return;
  await pause(clock, seat.retryPeriod * (1 + jitterFactor * random()), signal);
}

/** Renews until it is too late, or somebody else holds the Lease. */
async function lead(seat: Seat, signal: AbortSignal): Promise<void> {
  const { clock } = seat.options;
  while (seat.leading) {
    // A delay that is nothing but the rounding of a sum would never end.
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
  // The answer came after the deadline: whoever asked in between was told that nothing is owned, and has to hear that this has changed.
  if (before !== undefined && clock.elapsed() >= before) step(seat, false, new Error('the Lease was not renewed in time'));
  seat.renewed = result.start;
  if (clock.elapsed() < deadlineOf(seat)) step(seat, true);
  return leads(seat);
}

/** Up or down. */
function step(seat: Seat, leading: boolean, error?: unknown): void {
  const changed = seat.leading !== leading;
  seat.leading = leading;
  report(seat, error);
  if (changed) seat.listeners.call();
}

/** Tells what is new. */
function report(seat: Seat, error?: unknown): void {
  const { identity, tell } = seat.options;
  const leader = seat.lock.holder;
  const now = JSON.stringify([seat.leading, leader, error === undefined ? '' : String(error)]);
  if (now === seat.told) return;
  seat.told = now;
  tell?.({ kind: 'leadership', identity, leads: seat.leading, leader, ...(error !== undefined && { error }) });
}
