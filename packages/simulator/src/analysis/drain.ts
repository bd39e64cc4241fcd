import { completeWorld } from './complete-world.ts';
import { proveChange } from './proof/proof.ts';
import { type ChangeOptions, checkChange, type RolloutCheck } from './rollout.ts';
import type { Scenario } from './scenario.ts';
import { planDrain } from './simulation/drain-nodes.ts';
import type { World } from './world.ts';

export interface DrainOptions extends ChangeOptions {
  /** The names of the nodes, in the order in which they are drained. */
  readonly nodes: readonly string[];
}

/**
 * Checks whether draining nodes drops requests, within the ranges of all delays. A drain cordons all nodes, then evicts the pods of one node
 * after another, like `kubectl drain --ignore-daemonsets`; an eviction that a PodDisruptionBudget does not allow is retried after 5 s.
 * @throws ApiError if an object is invalid
 * @throws RangeError if a node does not exist, or a field of the environment is invalid
 */
export function checkDrain({ objects, nodes, ...options }: DrainOptions): RolloutCheck {
  const world = completeWorld({ objects, change: [] });
  const names = world.objects.filter(({ kind }) => kind === 'Node').map(({ metadata }) => metadata.name);
  const unknown = nodes.find((name) => !names.includes(name));
  if (unknown !== undefined) throw new RangeError(`nodes: there is no node ${JSON.stringify(unknown)}: give ${names.join(', ')}`);
  return checkChange(world, options, createDrainScenario(nodes));
}

/** Returns a function that creates the scenario of a drain. */
export const createDrainScenario =
  (nodes: readonly string[]) =>
  ({ objects }: World): Scenario => ({
    objects,
    actions: [{ at: 0, ...planDrain(nodes) }],
    prove: (start, environment) => proveChange({ objects: start.objects, change: [], drained: nodes }, environment),
  });
