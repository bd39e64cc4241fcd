import { setTimeout as pause } from 'node:timers/promises';
import type { ControlPlane } from '../takeover/control-plane.ts';
import { until } from '../takeover/replica.ts';
import { ipOf, type Member, members, type Role, readinessAt, roles, setAllReady, setReady } from './fleet.ts';
import { holdSeconds } from './rules.ts';
import type { StoredVersion, Witness } from './witness.ts';

const STEP_MS = 250;
/** After this many rounds every pod is ready again. */
const ROUNDS = 8;
const CALM_MS = 10_000;
const POLL_INTERVAL_MS = 250;

/** A change of a pod's readiness. */
export interface ReadinessChange {
  readonly at: number;
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
 * Flips pods one after another, waits until writes settle, and checks that they stop. Late steps are skipped, because two flips within
 * moments would be written once.
 */
export async function churn(plane: ControlPlane, witness: Witness, seconds: number): Promise<ChurnResult> {
  await setAllReady(plane.api);
  await waitUntilSettled(witness);
  const seen = { storedVersions: witness.storedVersions.length, resyncs: witness.resyncs.length };
  const before = await writes(plane);
  const readinessChanges: ReadinessChange[] = [];
  const round = members.length * STEP_MS;
  const steps = members.length * ROUNDS * Math.max(1, Math.round((seconds * 1000) / (round * ROUNDS)));
  for (let step = 0; step < steps; step += 1) {
    const member = members[step % members.length] as Member;
    const turn = readinessAt(member, Math.floor(step / members.length));
    if (member.role === 'calm' && turn.ready) await until('it is not shown any more', () => isHidden(witness, member, turn.pod));
    readinessChanges.push({ at: Date.now(), member, ...turn });
    await setReady(plane.api, member, turn.pod, turn.ready);
    await pause(STEP_MS);
  }
  await waitUntilSettled(witness);
  const requests = (await writes(plane)) - before;
  const storedVersions = witness.storedVersions.slice(seen.storedVersions);
  const resyncs = witness.resyncs.slice(seen.resyncs);
  const settled = witness.storedVersions.length;
  await pause(CALM_MS);
  const quiet = { versions: witness.storedVersions.length - settled, requests: (await writes(plane)) - before - requests };
  const of = (kind: StoredVersion['kind']): Record<Role, number> => byRole(storedVersions.filter((each) => each.kind === kind));
  const versions = { Endpoints: of('Endpoints'), EndpointSlice: of('EndpointSlice') };
  return { readinessChanges, storedVersions, versions, resyncs: byRole(resyncs), requests, quiet };
}

export const roleOf = (service: string): Role | undefined => roles.find((role) => service.startsWith(`${role}-`));

/** Whether its not-ready state has been written: an older ready state would look as if it were shown too early. */
const isHidden = (witness: Witness, member: Member, pod: number): boolean =>
  (['Endpoints', 'EndpointSlice'] as const).every((kind) => !witness.ready(kind, member.service).includes(ipOf(member, pod)));

/**
 * Waits until held endpoints have been released and written: several consecutive reads must show no change. Reads are counted instead of
 * time, because this process may be suspended. If writes never settle, the later checks fail.
 */
async function waitUntilSettled({ storedVersions, resyncs }: Witness): Promise<void> {
  const enough = (holdSeconds * 1000 + 4000) / POLL_INTERVAL_MS;
  let seen = 0;
  for (let look = 0, still = 0; still < enough && look < 10 * enough; look += 1) {
    const now = storedVersions.length + resyncs.length;
    still = now === seen ? still + 1 : 0;
    seen = now;
    await pause(POLL_INTERVAL_MS);
  }
}

const writes = async (plane: ControlPlane): Promise<number> => (await plane.writes('endpoints')) + (await plane.writes('endpointslices'));

function byRole(all: readonly { readonly service: string }[]): Record<Role, number> {
  const counts: Record<Role, number> = { plain: 0, out: 0, full: 0, calm: 0 };
  for (const { service } of all) {
    const role = roleOf(service);
    if (role) counts[role] += 1;
  }
  return counts;
}
