import type { ApiObject } from 'kube-endpoints/port';

/** The fields of a Lease that describe its holder. */
export interface LeaseRecord {
  /** Empty if the Lease is free. */
  readonly holder: string;
  /** Seconds for which others must respect the Lease; undefined if absent or invalid. */
  readonly seconds: number | undefined;
  /** acquireTime; together with the holder's name it identifies one holding. */
  readonly acquired: string | undefined;
  readonly transitions: number;
  /** All fields as text; changes with every renewal. */
  readonly text: string;
}

/** The record before a Lease has been read. */
export const noRecord: LeaseRecord = { holder: '', seconds: undefined, acquired: undefined, transitions: 0, text: '' };

/** Reads an unvalidated Lease: fields that are missing or of the wrong type count as absent. */
export function readRecord(lease: unknown): LeaseRecord {
  const { holderIdentity, leaseDurationSeconds, acquireTime, renewTime, leaseTransitions } = fieldsOf(fieldsOf(lease)['spec']);
  return {
    holder: typeof holderIdentity === 'string' ? holderIdentity : '',
    seconds: isCount(leaseDurationSeconds) && leaseDurationSeconds > 0 ? leaseDurationSeconds : undefined,
    acquired: typeof acquireTime === 'string' && !Number.isNaN(Date.parse(acquireTime)) ? acquireTime : undefined,
    transitions: isCount(leaseTransitions) ? leaseTransitions : 0,
    text: JSON.stringify([holderIdentity, leaseDurationSeconds, acquireTime, renewTime, leaseTransitions]),
  };
}

/** The values to write into a Lease. */
export interface Writing {
  readonly holder: string;
  readonly seconds: number;
  readonly acquired: string;
  readonly renewed: string;
  readonly transitions: number;
}

/** Returns a spec with these values. Keeps other fields of the Lease, such as those of coordinated leader election. */
export const specOf = (writing: Writing, lease?: ApiObject): Readonly<Record<string, unknown>> => ({
  ...fieldsOf(lease?.['spec']),
  holderIdentity: writing.holder,
  leaseDurationSeconds: writing.seconds,
  acquireTime: writing.acquired,
  renewTime: writing.renewed,
  leaseTransitions: writing.transitions,
});

/**
 * Creates the times for Leases: `metav1.MicroTime`, with six digits. The last three are random, and no time equals that of the call before:
 * each write changes the record for others, even if the clock stands still or is set back.
 */
export function createMicroTimes(clock: { now(): number }, random: () => number): () => string {
  let last = '';
  return () => {
    const milliseconds = new Date(clock.now()).toISOString().slice(0, -1);
    const drawn = Math.floor(random() * thousand);
    const text = (micros: number): string => `${milliseconds}${String(micros % thousand).padStart(3, '0')}Z`;
    last = text(drawn) === last ? text(drawn + 1) : text(drawn);
    return last;
  };
}

type Fields = Readonly<Record<string, unknown>>;

const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
const isCount = (value: unknown): value is number => typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
const thousand = 1000;
