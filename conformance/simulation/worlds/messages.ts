import type { ApiObject } from 'kube-endpoints/port';
import { createBrokenConnection } from '../../../packages/apiserver/src/faults/errors.ts';
import { internalError } from '../../../packages/apiserver/src/registry/errors.ts';
import { conflict, expired } from '../../../packages/apiserver/src/store/errors.ts';
import { keyOf } from '../harness/history.ts';
import type { Snapshot } from './machine.ts';
import type { Step } from './reduce.ts';
import type { Answer, Call } from './server.ts';
import {
  expiredPosition,
  nextChange,
  passInput,
  type Replica,
  type RunningReplica,
  type Universe,
  type WorldState,
  withReplica,
} from './state.ts';

/** Something that can happen next in a state. */
export interface Action {
  readonly label: string;
  readonly isFault: boolean;
  readonly run: () => WorldState | Promise<WorldState>;
  /** What happens to which process, if the reduction has a rule for it. */
  readonly step?: Step;
}

interface Context {
  readonly universe: Universe;
  readonly state: WorldState;
}

/** The messages between a process and the server. A process that starts receives them in a fixed order. */
export function messageActions(context: Context, replica: RunningReplica, index: number): Action[] {
  const { node, isPaused } = replica;
  const { calls, watches, ready } = node.snapshot;
  const actionLists: Action[][] = [];
  for (const each of calls) {
    const answer = replica.answers.get(each.number);
    if (!answer) actionLists.push(arrivalActions(context, replica, index, each));
    else if (!isPaused) actionLists.push([answerAction(context, replica, index, each, answer)]);
  }
  for (const watch of isPaused ? [] : watches) {
    const actions = watchActions(context, replica, index, watch);
    if (actions.length > 0) actionLists.push(actions);
  }
  return ready ? actionLists.flat() : (actionLists[0] ?? []);
}

type OpenCall = Snapshot['calls'][number];

/** Ways in which a call reaches the server. */
function arrivalActions({ universe: { api }, state }: Context, replica: Replica, index: number, { number, call }: OpenCall): Action[] {
  const withAnswer = (newState: WorldState, answer: Answer): WorldState =>
    withReplica(newState, index, { ...replica, answers: new Map(replica.answers).set(number, answer) });
  const commitCall = (): { newState: WorldState; answer: Answer } => commit({ api, state, call, replica });
  const label = `${replica.name}'s ${describe(call)}`;
  const fault = (outcome: string, run: () => WorldState): Action => ({
    label: `fault: ${label} ${outcome}`,
    isFault: true,
    run: () => toFault(run()),
  });
  const refuse = (error: Error): WorldState => withAnswer(state, api.fail(error));
  const arrive = (): WorldState => {
    const { newState, answer } = commitCall();
    return withAnswer(newState, answer);
  };
  const actions: Action[] = [
    { label: `the server handles ${label}`, isFault: false, run: arrive, step: { kind: 'arrival', index, call } },
    fault('is refused with 500', () => refuse(internalError('an injected fault'))),
  ];
  if (call.verb === 'get' || call.verb === 'list') return actions;
  actions.push(fault('is handled, but its answer is lost', () => withAnswer(commitCall().newState, api.fail(createBrokenConnection()))));
  if (call.verb === 'update')
    actions.push(fault('is refused with a conflict', () => refuse(conflict(call.resource, '', 'an injected fault'))));
  return actions;
}

interface CommitOptions {
  readonly api: Universe['api'];
  readonly state: WorldState;
  readonly call: Call;
  /** The sender; undefined if it was killed. */
  readonly replica: Replica | undefined;
}

/** Lets the server handle a call. Records an object whose writer has no longer been responsible for it. */
export function commit({ api, state, call, replica }: CommitOptions): { newState: WorldState; answer: Answer } {
  const { server, answer } = api.handle(state.server, call, state.time);
  const { uid } = ((answer.value as ApiObject | undefined)?.metadata ?? {}) as ApiObject['metadata'];
  const ownsAll = replica?.node !== undefined && replica.node.snapshot.ownedKeys.length > 0;
  const isAbandoned = (call.verb === 'create' || call.verb === 'update') && uid !== undefined && !ownsAll;
  const abandonedUids = isAbandoned ? [...new Set([...state.abandonedUids, uid])].sort() : state.abandonedUids;
  return { newState: { ...state, server, abandonedUids }, answer };
}

function answerAction({ universe, state }: Context, { name }: Replica, index: number, { number, call }: OpenCall, answer: Answer): Action {
  const outcome = answer.error ? `: ${(answer.error as { reason?: string }).reason || answer.error.message}` : '';
  return {
    label: `${name} receives the answer to its ${describe(call)}${outcome}`,
    isFault: false,
    run: () => passInput(universe, state, index, { kind: 'answer', call: number, answer }),
    step: { kind: 'answer', index, call },
  };
}

/** The next event of a watch, if there is one, and ways in which the watch breaks before that event. */
function watchActions({ universe, state }: Context, replica: Replica, index: number, watch: Snapshot['watches'][number]): Action[] {
  const { number, plural } = watch;
  const { name, positions } = replica;
  const { api } = universe;
  const breakWith = (current: WorldState, error: Error): Promise<WorldState> =>
    passInput(universe, current, index, { kind: 'broken', watch: number, error: api.fail(error) });
  if (positions.get(number) === expiredPosition)
    return [
      { label: `${name}'s watch of ${plural} gets 410`, isFault: false, run: () => breakWith(state, expired('too old resource version')) },
    ];
  const change = nextChange(state, replica, watch);
  if (!change) return [];
  const deliver = (): Promise<WorldState> => {
    const moved = { ...replica, positions: new Map(positions).set(number, (positions.get(number) as number) + 1) };
    return passInput(universe, withReplica(state, index, moved), index, { kind: 'change', watch: number, change });
  };
  const { type, object } = change;
  const label = `${name}'s watch of ${plural} breaks before ${type} ${keyOf(object)} arrives`;
  const compacted = (): WorldState => ({ ...toFault(state), server: api.compact(state.server, plural) });
  return [
    {
      label: `${name} receives ${type} ${plural} ${keyOf(object)} (version ${object.metadata.resourceVersion})`,
      isFault: false,
      run: deliver,
      step: { kind: 'delivery', index },
    },
    { label: `fault: ${label}`, isFault: true, run: () => breakWith(toFault(state), createBrokenConnection()) },
    {
      label: `fault: ${label}, and the server forgets the changes`,
      isFault: true,
      run: () => breakWith(compacted(), createBrokenConnection()),
    },
  ];
}

/** Describes a call in one line. */
export function describe({ verb, resource: { plural }, key, object }: Call): string {
  const { namespace, name, generateName = '' }: ApiObject['metadata'] = key ?? object?.metadata ?? {};
  const text = name ?? `${generateName}*`;
  return verb === 'list' ? `list of ${plural}` : `${verb} of ${plural} ${namespace ? `${namespace}/${text}` : text}`;
}

/** Marks the time of a fault. */
export const toFault = (state: WorldState): WorldState => ({ ...state, disturbedAt: state.time });
