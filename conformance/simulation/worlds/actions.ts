import { resources } from 'kube-endpoints/port';
import { reasonForActivity } from './checks.ts';
import { type Action, commit, describe, messageActions, toFault } from './messages.ts';
import type { Call } from './server.ts';
import {
  createReplica,
  enterNode,
  isActive,
  isRunning,
  logOf,
  passInput,
  type Replica,
  toOrphans,
  type Universe,
  type WorldState,
  withReplica,
} from './state.ts';
import type { World } from './world.ts';

interface Context {
  readonly universe: Universe;
  readonly world: World;
  readonly state: WorldState;
}

/** All actions that are possible in a state. */
export function actionsOf(universe: Universe, world: World, state: WorldState): Action[] {
  const context: Context = { universe, world, state };
  const messages = state.replicas.flatMap((replica, index) =>
    isRunning(replica) ? messageActions(context, replica, index) : [startAction(context, replica, index)],
  );
  messages.push(...garbageActions(context));
  const isIdle = messages.every(({ isFault }) => isFault);
  const processes = state.replicas.flatMap((replica, index) => processActions(context, replica, index));
  return [...messages, ...timeActions(context, isIdle), ...clientActions(context), ...orphanActions(context), ...processes];
}

function startAction({ universe, state }: Context, { name }: Replica, index: number): Action {
  const newName = `r${state.startCount + 1}`;
  return {
    label: `${newName} starts in place of ${name}`,
    isFault: false,
    run: async () =>
      enterNode(
        { ...state, startCount: state.startCount + 1 },
        index,
        createReplica(newName),
        await universe.behavior.start(newName, state.time),
      ),
    step: { kind: 'start', index },
  };
}

/** Kills, pauses and resumes a process. */
function processActions({ universe, state, world }: Context, replica: Replica, index: number): Action[] {
  if (!isRunning(replica)) return [];
  const { name, node, answers, isPaused } = replica;
  if (isPaused) {
    const resume = (): Promise<WorldState> =>
      passInput(universe, withReplica(state, index, { ...replica, isPaused: false }), index, { kind: 'time', time: state.time });
    return [{ label: `${name} resumes`, isFault: false, run: resume }];
  }
  const kill = (): WorldState => ({
    ...toFault(withReplica(state, index, createReplica(name))),
    orphans: [
      ...state.orphans,
      ...toOrphans(
        name,
        node.snapshot.calls.filter(({ number }) => !answers.has(number)),
      ),
    ],
  });
  const pause = (): WorldState => toFault(withReplica(state, index, { ...replica, isPaused: true }));
  const actions: Action[] = [{ label: `fault: ${name} is killed`, isFault: true, run: kill }];
  // Another process can notice a pause only if there is one.
  return world.replicaCount > 1 ? [...actions, { label: `fault: ${name} is paused`, isFault: true, run: pause }] : actions;
}

/** Deletes objects whose owner does not exist, as the garbage collector does. */
function garbageActions({ universe: { api }, state }: Context): Action[] {
  const owners = new Set(
    [resources.services, resources.endpoints].flatMap(({ plural }) =>
      [...logOf(state, plural).objects.values()].map(({ metadata }) => metadata.uid),
    ),
  );
  const resource = resources.endpointSlices;
  return [...logOf(state, resource.plural).objects.values()]
    .filter(
      ({ metadata: { ownerReferences = [] } }) =>
        ownerReferences.length > 0 && !ownerReferences.some(({ uid }) => owners.has(uid as string)),
    )
    .map((slice) => {
      const { namespace = '', name = '' } = slice.metadata;
      const call: Call = { verb: 'delete', resource, key: { namespace, name } };
      return {
        label: `the garbage collector deletes slice ${namespace}/${name}`,
        isFault: false,
        run: () => ({ ...state, server: api.handle(state.server, call, state.time).server }),
      };
    });
}

/** Calls whose senders do not wait for them reach the server late, or never. */
const orphanActions = ({ universe: { api }, state }: Context): Action[] =>
  state.orphans.flatMap((orphan) => {
    const remaining = { ...state, orphans: state.orphans.filter((other) => other !== orphan) };
    const label = `${orphan.sender}'s ${describe(orphan.call)}`;
    return [
      {
        label: `the server handles ${label} late`,
        isFault: false,
        run: () => commit({ api, state: remaining, call: orphan.call, replica: undefined }).newState,
      },
      { label: `${label} never arrives`, isFault: false, run: () => remaining },
    ];
  });

const clientActions = ({ universe: { api }, world, state }: Context): Action[] =>
  world.clients.flatMap((changes, client) => {
    const change = changes[state.clientSteps[client] as number];
    if (!change) return [];
    const run = (): WorldState => ({
      ...state,
      server: change.calls.reduce((server, toCall) => api.handle(server, toCall(server), state.time).server, state.server),
      disturbedAt: state.time,
      clientSteps: state.clientSteps.with(client, (state.clientSteps[client] as number) + 1),
    });
    return [{ label: `a client ${change.label}`, isFault: false, run }];
  });

/** Timers that are due, and the move of the clock to the next timer, which is a fault as long as messages are under way. */
function timeActions({ universe, state }: Context, isIdle: boolean): Action[] {
  const timers = state.replicas.flatMap((replica, index) =>
    isActive(replica) ? replica.node.snapshot.timers.map((timer) => ({ ...timer, name: replica.name, index })) : [],
  );
  const due = timers.filter(({ dueAt }) => dueAt <= state.time).sort((a, b) => a.dueAt - b.dueAt || a.number - b.number);
  const firstDue = due.filter(({ index }, position) => due.findIndex((other) => other.index === index) === position);
  if (firstDue.length > 0)
    return firstDue.map(({ name, index, number }) => ({
      label: `a timer of ${name} fires`,
      isFault: false,
      run: () => passInput(universe, state, index, { kind: 'timer', timer: number }),
      step: { kind: 'timer' as const, index },
    }));
  const next = Math.min(...timers.map(({ dueAt }) => dueAt));
  if (next === Number.POSITIVE_INFINITY || (isIdle && reasonForActivity(state) === undefined)) return [];
  const advance = async (): Promise<WorldState> => {
    let newState: WorldState = { ...state, time: next };
    for (const [index, replica] of state.replicas.entries())
      if (isActive(replica)) newState = await passInput(universe, newState, index, { kind: 'time', time: next });
    return newState;
  };
  const seconds = (next / 1000).toFixed(3);
  return isIdle
    ? [{ label: `time passes, to ${seconds} s`, isFault: false, run: advance }]
    : [
        {
          label: `fault: all messages are late, and time passes, to ${seconds} s`,
          isFault: true,
          run: async () => toFault(await advance()),
        },
      ];
}
