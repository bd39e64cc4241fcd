import type { ApiObject } from 'kube-endpoints/port';

/** What a Lease says about who holds it. */
export interface LeaseRecord {
  /** Empty: nobody. */
  readonly holder: string;
  /** For how many seconds others have to leave it alone; undefined where it says nothing that makes sense. */
  readonly seconds: number | undefined;
  /** When the holder came to hold it: with the holder's name, what tells one holding from another. */
  readonly acquired: string | undefined;
  readonly transitions: number;
  /** Changes with every renewal. */
  readonly text: string;
}

/** No Lease has been seen. */
export const noRecord: LeaseRecord = { holder: '', seconds: undefined, acquired: undefined, transitions: 0, text: '' };

/** Reads a Lease as it comes: what is missing or of the wrong kind is taken for not there. */
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

/** What is to stand in a Lease. */
export interface Writing {
  readonly holder: string;
  readonly seconds: number;
  readonly acquired: string;
  readonly renewed: string;
  readonly transitions: number;
}

/** A spec that says so. What else is in it, such as what coordinated leader election keeps there, stays. */
export const specOf = (writing: Writing, lease?: ApiObject): Readonly<Record<string, unknown>> => ({
  ...fieldsOf(lease?.['spec']),
  holderIdentity: writing.holder,
  leaseDurationSeconds: writing.seconds,
  acquireTime: writing.acquired,
  renewTime: writing.renewed,
  leaseTransitions: writing.transitions,
});

/**
 * Makes the times that go into Leases: `metav1.MicroTime`, six digits. The last three are chance, and no time is that of the call before:
 * who looks at a record sees it change, even where the time of day stands still or is set back.
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
