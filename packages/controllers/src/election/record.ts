import type { ApiObject } from 'kube-endpoints/port';

/** The fields of a Lease that describe its holder. */
export interface LeaseRecord {
  /** Empty if the Lease is free. */
  readonly holder: string;
  /** Seconds for which others must respect the Lease; undefined if absent or invalid. */
  readonly durationSeconds: number | undefined;
  /** acquireTime; together with `holder` it identifies one term of leadership. */
  readonly acquireTime: string | undefined;
  readonly transitions: number;
  /** All fields as text; changes with every renewal. */
  readonly text: string;
}

/** The record before a Lease has been read. */
export const noRecord: LeaseRecord = { holder: '', durationSeconds: undefined, acquireTime: undefined, transitions: 0, text: '' };

/** Parses an unvalidated Lease. Fields that are missing or of the wrong type count as absent. */
export function parseRecord(lease: unknown): LeaseRecord {
  const { holderIdentity, leaseDurationSeconds, acquireTime, renewTime, leaseTransitions } = fieldsOf(fieldsOf(lease)['spec']);
  return {
    holder: typeof holderIdentity === 'string' ? holderIdentity : '',
    durationSeconds: isCount(leaseDurationSeconds) && leaseDurationSeconds > 0 ? leaseDurationSeconds : undefined,
    acquireTime: typeof acquireTime === 'string' && !Number.isNaN(Date.parse(acquireTime)) ? acquireTime : undefined,
    transitions: isCount(leaseTransitions) ? leaseTransitions : 0,
    text: JSON.stringify([holderIdentity, leaseDurationSeconds, acquireTime, renewTime, leaseTransitions]),
  };
}

/** The values to write into a Lease. */
export interface LeaseValues {
  readonly holder: string;
  readonly durationSeconds: number;
  readonly acquireTime: string;
  readonly renewTime: string;
  readonly transitions: number;
}

/** Returns a spec with these values. Keeps other fields of the Lease, such as those of coordinated leader election. */
export const createSpec = (values: LeaseValues, lease?: ApiObject): Readonly<Record<string, unknown>> => ({
  ...fieldsOf(lease?.['spec']),
  holderIdentity: values.holder,
  leaseDurationSeconds: values.durationSeconds,
  acquireTime: values.acquireTime,
  renewTime: values.renewTime,
  leaseTransitions: values.transitions,
});

/**
 * Returns a function that creates the times for Leases: `metav1.MicroTime`, with six decimals. The last three are random, and two
 * consecutive times differ. So other replicas observe every write as a change, even if the clock stands still or is set back.
 */
export function createMicroTimeGenerator(clock: { now(): number }, random: () => number): () => string {
  let lastTime = '';
  return () => {
    const milliseconds = new Date(clock.now()).toISOString().slice(0, -1);
    const randomMicros = Math.floor(random() * 1000);
    const format = (micros: number): string => `${milliseconds}${String(micros % 1000).padStart(3, '0')}Z`;
    lastTime = format(randomMicros) === lastTime ? format(randomMicros + 1) : format(randomMicros);
    return lastTime;
  };
}

type Fields = Readonly<Record<string, unknown>>;

const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
const isCount = (value: unknown): value is number => typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
