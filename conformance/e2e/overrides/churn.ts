import { setTimeout as pause } from 'node:timers/promises';
import type { ControlPlane } from '../takeover/control-plane.ts';
import { waitUntil } from '../takeover/replica.ts';
import { ipOf, type Member, members, type Role, readinessAt, roles, setAllReady, setReady } from './fleet.ts';
import { holdSeconds } from './rules.ts';
import type { StoredVersion, Witness } from './witness.ts';

const STEP_MS = 250;
/** After this many rounds every pod is ready again. */
const ROUNDS = 8;
const QUIET_MS = 10_000;
const POLL_INTERVAL_MS = 250;

/** A change of a pod's readiness. */
export interface ReadinessChange {
  readonly timeMs: number;
  readonly member: Member;
  readonly pod: number;
  readonly ready: boolean;
}

/** The results of a churn and of the quiet time after it. */
export interface ChurnResult {
  readonly readinessChanges: readonly ReadinessChange[];
  readonly storedVersions: readonly StoredVersion[];
  /** New versions by kind and by role of the Service, and resyncs of these Services. */
  readonly versions: Readonly<Record<StoredVersion['kind'], Readonly<Record<Role, number>>>>;
  readonly resyncs: Readonly<Record<Role, number>>;
  /** Successful write requests, including those without a change. */
  readonly requests: number;
  /** Both counts in the quiet time, in which nothing should be written. */
  readonly quiet: { readonly versions: number; readonly requests: number };
}

/**
 * Flips the readiness of pods one after another, waits until the writes settle, and counts the writes of a quiet time.
 */
export async function churn(plane: ControlPlane, witness: Witness, seconds: number): Promise<ChurnResult> {
  await setAllReady(plane.api);
  await waitUntilSettled(witness);
  const countsBefore = { storedVersions: witness.storedVersions.length, resyncs: witness.resyncs.length };
  const requestsBefore = await countWriteRequests(plane);
  const readinessChanges: ReadinessChange[] = [];
  const roundMs = members.length * STEP_MS;
  const steps = members.length * ROUNDS * Math.max(1, Math.round((seconds * 1000) / (roundMs * ROUNDS)));
  for (let step = 0; step < steps; step += 1) {
    const member = members[step % members.length] as Member;
    const change = readinessAt(member, Math.floor(step / members.length));
    if (member.role === 'calm' && change.ready)
      await waitUntil('the pod is shown as not ready', () => isHidden(witness, member, change.pod));
    readinessChanges.push({ timeMs: Date.now(), member, ...change });
    await setReady(plane.api, member, change.pod, change.ready);
    await pause(STEP_MS);
  }
  await waitUntilSettled(witness);
  const requests = (await countWriteRequests(plane)) - requestsBefore;
  const storedVersions = witness.storedVersions.slice(countsBefore.storedVersions);
  const resyncs = witness.resyncs.slice(countsBefore.resyncs);
  const settledCount = witness.storedVersions.length;
  await pause(QUIET_MS);
  const quiet = {
    versions: witness.storedVersions.length - settledCount,
    requests: (await countWriteRequests(plane)) - requestsBefore - requests,
  };
  const countVersions = (kind: StoredVersion['kind']): Record<Role, number> =>
    countByRole(storedVersions.filter((each) => each.kind === kind));
  const versions = { Endpoints: countVersions('Endpoints'), EndpointSlice: countVersions('EndpointSlice') };
  return { readinessChanges, storedVersions, versions, resyncs: countByRole(resyncs), requests, quiet };
}

export const roleOf = (service: string): Role | undefined => roles.find((role) => service.startsWith(`${role}-`));

/** True once the pod's not-ready state is stored. Without waiting for it, the last ready state would count as the end of a hold. */
const isHidden = (witness: Witness, member: Member, pod: number): boolean =>
  (['Endpoints', 'EndpointSlice'] as const).every((kind) => !witness.ready(kind, member.service).includes(ipOf(member, pod)));

/**
 * Waits until held endpoints have been released and written: several consecutive reads must show no change. Counts reads instead of time,
 * because this process may be suspended. Returns after ten times as many reads in any case; then the later checks fail.
 */
async function waitUntilSettled({ storedVersions, resyncs }: Witness): Promise<void> {
  const requiredReads = (holdSeconds * 1000 + 4000) / POLL_INTERVAL_MS;
  let previousCount = 0;
  for (let readCount = 0, unchangedReads = 0; unchangedReads < requiredReads && readCount < 10 * requiredReads; readCount += 1) {
    const count = storedVersions.length + resyncs.length;
    unchangedReads = count === previousCount ? unchangedReads + 1 : 0;
    previousCount = count;
    await pause(POLL_INTERVAL_MS);
  }
}

const countWriteRequests = async (plane: ControlPlane): Promise<number> =>
  (await plane.writes('endpoints')) + (await plane.writes('endpointslices'));

function countByRole(objects: readonly { readonly service: string }[]): Record<Role, number> {
  const counts: Record<Role, number> = { plain: 0, out: 0, full: 0, calm: 0 };
  for (const { service } of objects) {
    const role = roleOf(service);
    if (role) counts[role] += 1;
  }
  return counts;
}
