import { resources } from 'kube-endpoints/port';
import { maxActivityMs } from './checks.ts';
import type { Action } from './messages.ts';
import type { Call } from './server.ts';
import { expiredPosition, isActive, isRunning, logOf, type Replica, type RunningReplica, type WorldState } from './state.ts';
import type { World } from './world.ts';

/** The part of a search that a reduction needs: the world, and a state after which no fault follows. */
interface Context {
  readonly world: World;
  readonly state: WorldState;
}

/** What an action does, for actions that the reduction knows. */
export type Step =
  /** A process starts. */
  | { readonly kind: 'start'; readonly index: number }
  /** The server handles a call. */
  | { readonly kind: 'arrival'; readonly index: number; readonly call: Call }
  /** A process receives an answer. */
  | { readonly kind: 'answer'; readonly index: number; readonly call: Call }
  /** A timer of a process fires. */
  | { readonly kind: 'timer'; readonly index: number }
  /** A process receives the next event of a watch. */
  | { readonly kind: 'delivery'; readonly index: number };

/** What an action leads to. */
export interface Transition {
  readonly action: Action;
  readonly next: WorldState;
}

/**
 * Returns one transition that can be tried instead of all, if no fault follows: whatever else happens before its action does not depend on
 * the action, the action does not depend on it, and the action changes nothing that `problemsOf` checks. Undefined if no action is independent.
 */
export async function findIndependent(world: World, state: WorldState, actions: readonly Action[]): Promise<Transition | undefined> {
  // Until then, a state that is not final is no problem.
  if (state.time - state.disturbedAt > maxActivityMs) return undefined;
  for (const action of actions) {
    const { step, isFault } = action;
    if (isFault || !step || !independenceRules[step.kind]({ world, state }, step as never)) continue;
    const next = await action.run();
    if (ownersOf(next) !== ownersOf(state)) continue;
    if (
      step.kind === 'timer' &&
      !sendsOnlyLeaseCall(state.replicas[step.index] as RunningReplica, next.replicas[step.index] as RunningReplica)
    )
      continue;
    return { action, next };
  }
  return undefined;
}

type IndependenceRules = {
  readonly [Kind in Step['kind']]: (context: Context, step: Extract<Step, { readonly kind: Kind }>) => boolean;
};

/** Time does not pass before any of these actions, because it is under way. */
const independenceRules: IndependenceRules = {
  // The order of several starts decides about names.
  start: ({ state }) => state.replicas.filter((replica) => !isRunning(replica)).length === 1,
  arrival({ world, state }, { index, call }) {
    const { plural } = call.resource;
    const replica = state.replicas[index] as Replica;
    if (!isActive(replica) || hasDueTimer(state, replica)) return false;
    if (isOfLease(call)) return isOnlyUserOfLeases(state, replica);
    // Until the answer, a process receives only events, and sends nothing else. A process that is not ready does not receive events either.
    if (replica.node.snapshot.ready && (!waitsForOneCall(replica) || hasExpiredWatch(replica))) return false;
    const othersAreInert = state.replicas.every((other) => other === replica || isInert(state, other));
    if (!othersAreInert && (isWrite(call) || writtenByProcesses.has(plural))) return false;
    return !isWrittenByOthers({ world, state }, plural);
  },
  // A process that is not ready receives its answers in a fixed order, and nothing else. Only the election reads answers about the Lease.
  answer({ state }, { index, call }) {
    const replica = state.replicas[index] as Replica;
    return isActive(replica) && (!replica.node.snapshot.ready || isOfLease(call)) && !hasDueTimer(state, replica);
  },
  // If it only sends a call about the Lease (`sendsOnlyLeaseCall`).
  timer: () => true,
  delivery: ({ state }, { index }) => isInert(state, state.replicas[index] as Replica),
};

const isOfLease = ({ resource }: Call): boolean => resource.plural === resources.leases.plural;

/** Whether no other process uses the Lease before time passes. */
const isOnlyUserOfLeases = (state: WorldState, replica: Replica): boolean =>
  !state.orphans.some(({ call }) => isOfLease(call)) &&
  state.replicas.every(
    (other) =>
      other === replica ||
      (isActive(other) && !hasDueTimer(state, other) && !other.node.snapshot.calls.some(({ call }) => isOfLease(call))),
  );

/** Whether all that a timer does is a call about the Lease. */
function sendsOnlyLeaseCall({ node: before }: RunningReplica, { node: after }: RunningReplica): boolean {
  const known = new Set(before.snapshot.calls.map(({ number }) => number));
  const [sent, ...others] = after.snapshot.calls.filter(({ number }) => !known.has(number));
  const isSame =
    after.snapshot.calls.length === known.size + 1 &&
    after.snapshot.activityCount === before.snapshot.activityCount &&
    after.snapshot.watches.map(({ number }) => number).join() === before.snapshot.watches.map(({ number }) => number).join();
  return isSame && sent !== undefined && others.length === 0 && isOfLease(sent.call);
}

const writtenByProcesses: ReadonlySet<string> = new Set(
  [resources.endpoints, resources.endpointSlices, resources.leases].map(({ plural }) => plural),
);

/** Whether something other than a process may still write a resource. */
function isWrittenByOthers({ world, state }: Context, plural: string): boolean {
  const isWritten = (written: string): boolean =>
    state.orphans.some(({ call }) => call.resource.plural === written) ||
    world.clients.some((changes, client) => changes.slice(state.clientSteps[client]).some((change) => change.plural === written));
  if (isWritten(plural)) return true;
  // The garbage collector deletes slices whose Service or Endpoints do not exist.
  return (
    plural === resources.endpointSlices.plural &&
    [resources.services.plural, resources.endpoints.plural].some((owner) => isWritten(owner) || hasDeletion(state, owner))
  );
}

const hasDeletion = (state: WorldState, plural: string): boolean => logOf(state, plural).changes.some(({ type }) => type === 'DELETED');

/** Whether a process only waits for events, and has nothing to do for them: it owns no Service. */
const isInert = (state: WorldState, replica: Replica): boolean =>
  isActive(replica) &&
  replica.node.snapshot.ready &&
  replica.node.snapshot.calls.length === 0 &&
  replica.node.snapshot.ownedKeys.length === 0 &&
  !hasDueTimer(state, replica) &&
  !hasExpiredWatch(replica);

/**
 * Whether a process waits for one call only, which is a write of its sync: an event may begin a sync while the call is a renewal of the Lease,
 * or the list with which the controller looks for Endpoints without a Service.
 */
const waitsForOneCall = ({ node: { snapshot } }: RunningReplica): boolean =>
  snapshot.calls.length === 1 && snapshot.calls.every(({ call }) => isWrite(call) && call.resource.plural !== resources.leases.plural);

const isWrite = ({ verb }: Call): boolean => verb !== 'get' && verb !== 'list';

const hasDueTimer = ({ time }: WorldState, { node }: RunningReplica): boolean => node.snapshot.timers.some(({ dueAt }) => dueAt <= time);

const hasExpiredWatch = ({ positions }: Replica): boolean => [...positions.values()].includes(expiredPosition);

const ownersOf = ({ replicas }: WorldState): string => replicas.map(({ node }) => node?.snapshot.ownedKeys.join() ?? '').join(';');

/** What others can notice of a process. A sync that finds its Service not owned has no effect. */
const effectsOf = ({ node: { snapshot } }: RunningReplica): string =>
  JSON.stringify([
    ...[snapshot.calls, snapshot.watches, snapshot.timers].map((each) => each.map(({ number }) => number)),
    ...[snapshot.ownedKeys, snapshot.ready, snapshot.problems],
  ]);

/**
 * Checks what the rules assume of events: a process without Services does nothing for one, and one that waits for a call does not end the
 * call or send another one.
 * @throws Error otherwise, because the reduction is wrong then
 */
export function checkDelivery(state: WorldState, { action: { step }, next }: Transition): void {
  if (step?.kind !== 'delivery') return;
  const { index } = step;
  const before = state.replicas[index] as RunningReplica;
  const after = next.replicas[index] as RunningReplica;
  if (isInert(state, before) && effectsOf(after) !== effectsOf(before))
    throw new Error(`${before.name} owns no Service, but an event makes it do something: ${effectsOf(before)} to ${effectsOf(after)}`);
  const callsOf = ({ node: { snapshot } }: RunningReplica): string =>
    snapshot.calls.map(({ number, call: { verb, resource } }) => `${number} ${verb} ${resource.plural}`).join();
  if (before.node.snapshot.ready && waitsForOneCall(before) && callsOf(before) !== callsOf(after))
    throw new Error(`${before.name} waits for a call, but an event changes its calls: ${callsOf(before)} to ${callsOf(after)}`);
}
