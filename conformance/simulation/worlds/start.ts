import type { ClientPort } from 'kube-endpoints/port';
import { createScheduler } from '../harness/scheduler.ts';
import type { ControllerSettings } from '../replica.ts';
import { actionsOf } from './actions.ts';
import { createBehavior } from './behavior.ts';
import { problemsOf, problemsOfFinalState } from './checks.ts';
import { createIntern } from './intern.ts';
import type { Action } from './messages.ts';
import { createApi } from './server.ts';
import { createReplica, enterNode, type Universe, type WorldState } from './state.ts';
import { serviceKey, type World } from './world.ts';

/** Only one worker, because each controller has only one Service. */
const settingsOf = ({ mode, controller }: World): ControllerSettings => ({
  ...(controller && { controllers: [controller] }),
  ...{ mode, version: undefined, workers: 1, batchPeriod: 0, minIndexedPods: 0 },
  ...{ maxEndpointsPerSlice: 100, maxEndpointsPerSubset: 1000 },
});

/** @param injectBug replaces the port that the controllers use */
export function createUniverse(world: World, injectBug: (port: ClientPort) => ClientPort = (port) => port): Universe {
  const { settle } = createScheduler();
  const behavior = createBehavior({ settings: settingsOf(world), keys: [serviceKey], injectBug, settle, maxMachines: 4000 });
  return { api: createApi(createIntern()), behavior };
}

/** What can follow a state, and what is wrong with it. */
export interface Inspection {
  readonly actions: readonly Action[];
  /** Whether nothing can happen any more, except for faults. */
  readonly isFinal: boolean;
  readonly problems: readonly string[];
}

export function inspect(universe: Universe, world: World, state: WorldState): Inspection {
  const actions = actionsOf(universe, world, state);
  const isFinal = actions.every(({ isFault }) => isFault);
  return { actions, isFinal, problems: [...problemsOf(state), ...(isFinal ? problemsOfFinalState(state, settingsOf(world)) : [])] };
}

/** The first state of a world, the actions that led to it, and its problems. */
export interface Start {
  readonly state: WorldState;
  readonly actions: readonly string[];
  readonly problems: readonly string[];
}

/** Starts the processes without faults, in a fixed order, until they wait for the first change. */
export async function startWorld(universe: Universe, world: World): Promise<Start> {
  const { api, behavior } = universe;
  const quietWorld = { ...world, clients: [] };
  const actions: string[] = [];
  let state: WorldState = {
    server: world.objects.reduce((server, call) => api.handle(server, call, 0).server, api.empty),
    ...{ time: 0, disturbedAt: 0, replicas: [], orphans: [], abandonedUids: [], startCount: world.replicaCount },
    clientSteps: world.clients.map(() => 0),
  };
  for (let index = 0; index < world.replicaCount; index++) {
    const name = `r${index + 1}`;
    const replica = createReplica(name);
    state = enterNode({ ...state, replicas: [...state.replicas, replica] }, index, replica, await behavior.start(name, 0));
  }
  for (;;) {
    const problems = problemsOf(state);
    const action: Action | undefined = actionsOf(universe, quietWorld, state).find(({ isFault }) => !isFault);
    if (problems.length > 0 || !action) return { state: { ...state, disturbedAt: state.time }, problems, actions };
    actions.push(action.label);
    state = await action.run();
  }
}
