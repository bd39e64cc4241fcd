import type { Behavior, Node } from './behavior.ts';
import type { Input } from './machine.ts';
import type { Answer, Api, Call, Change, Log, Server } from './server.ts';

/** A state of a world. Immutable. */
export interface WorldState {
  readonly server: Server;
  /** Milliseconds since the start of the world. */
  readonly time: number;
  /** The time of the last change by a client, or of the last fault. */
  readonly disturbedAt: number;
  readonly replicas: readonly Replica[];
  /** The number of changes that each client has made. */
  readonly clientSteps: readonly number[];
  /** Calls whose senders no longer wait for them, and that have not reached the server. */
  readonly orphans: readonly Orphan[];
  /** The UIDs of objects whose writer was killed or had lost ownership when the server committed the write; sorted. */
  readonly abandonedUids: readonly string[];
  /** The number of processes that have started. */
  readonly startCount: number;
}

export interface Orphan {
  readonly sender: string;
  readonly number: number;
  readonly call: Call;
}

/** A place for a process. */
export interface Replica {
  readonly name: string;
  /** Undefined if the process was killed and its successor has not started. */
  readonly node: Node | undefined;
  readonly isPaused: boolean;
  /** The answers that the server has given and the process has not received, by call. */
  readonly answers: ReadonlyMap<number, Answer>;
  /** The version up to which each watch has delivered the changes; `expiredPosition` if the watch starts before the compacted version. */
  readonly positions: ReadonlyMap<number, number>;
}

/** A place whose process has not started. */
export const createReplica = (name: string): Replica => ({
  ...{ name, node: undefined, isPaused: false },
  answers: new Map(),
  positions: new Map(),
});

export type RunningReplica = Replica & { readonly node: Node };

export const isRunning = (replica: Replica): replica is RunningReplica => replica.node !== undefined;
export const isActive = (replica: Replica): replica is RunningReplica => isRunning(replica) && !replica.isPaused;

export const expiredPosition = -1;

/** What a world is made of, while it is searched. */
export interface Universe {
  readonly api: Api;
  readonly behavior: Behavior;
}

/** Replaces one replica. */
export const withReplica = (state: WorldState, index: number, replica: Replica): WorldState => ({
  ...state,
  replicas: state.replicas.with(index, replica),
});

/** Passes an input to a process. */
export async function passInput({ behavior }: Universe, state: WorldState, index: number, input: Input): Promise<WorldState> {
  const replica = state.replicas[index] as RunningReplica;
  return enterNode(state, index, replica, await behavior.next(replica.node, input));
}

/** Moves a process to a node: forgets the answers and positions of calls and watches that have ended, and opens new watches. */
export function enterNode(state: WorldState, index: number, replica: Replica, node: Node): WorldState {
  const { calls, watches } = node.snapshot;
  const { answers, positions } = replica;
  const openCalls = new Set(calls.map(({ number }) => number));
  const cancelled = (replica.node?.snapshot.calls ?? []).filter(({ number }) => !openCalls.has(number) && !answers.has(number));
  const newState = withReplica(state, index, {
    ...replica,
    node,
    answers: answers.size === 0 ? answers : new Map([...answers].filter(([number]) => openCalls.has(number))),
    positions: new Map(
      watches.map(({ number, plural, fromVersion }) => [
        number,
        positions.get(number) ?? (fromVersion < logOf(state, plural).compactedVersion ? expiredPosition : fromVersion),
      ]),
    ),
  });
  return cancelled.length === 0 ? newState : { ...newState, orphans: [...newState.orphans, ...toOrphans(replica.name, cancelled)] };
}

export const toOrphans = (sender: string, calls: readonly { readonly number: number; readonly call: Call }[]): Orphan[] =>
  calls.filter(({ call: { verb } }) => verb !== 'get' && verb !== 'list').map((each) => ({ sender, ...each }));

export const logOf = ({ server }: Pick<WorldState, 'server'>, plural: string): Log => server[plural] as Log;

/** The next change that a watch delivers; undefined if it has delivered all changes. */
export const nextChange = (
  state: WorldState,
  { positions }: Replica,
  { number, plural }: { readonly number: number; readonly plural: string },
): Change | undefined => logOf(state, plural).changes[positions.get(number) as number];

/** A text that is equal for equal states: every process has had the same inputs. */
export function historyKeyOf({ server, time, disturbedAt, replicas, clientSteps, orphans, abandonedUids, startCount }: WorldState): string {
  const parts: (number | string)[] = [time, disturbedAt, startCount, ...clientSteps];
  for (const plural in server) parts.push((server[plural] as Log).id);
  for (const { name, node, isPaused, answers, positions } of replicas) {
    parts.push(isPaused ? 'paused' : '', node ? node.id : name);
    for (const [number, { id }] of [...answers].sort(([a], [b]) => a - b)) parts.push(`${number}=${id}`);
    for (const position of positions.values()) parts.push(position);
  }
  parts.push(...orphans.map((orphan) => JSON.stringify(orphan)).sort());
  parts.push(...abandonedUids);
  return parts.join();
}
