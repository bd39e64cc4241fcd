import type { Optional } from '../types/index.ts';
import type { ReadinessSettings } from './gates.ts';

/** Whether a condition of that type is the kubelet's alone. `PodConditionByKubelet`. */
export function isOwned(type: Optional<string>, settings: ReadinessSettings): boolean {
  return always.includes(type ?? '') || sometimes.some(([name, holds]) => name === type && holds(settings));
}

const always: readonly string[] = ['PodScheduled', 'Ready', 'Initialized', 'ContainersReady'];

const sometimes: readonly (readonly [string, (settings: ReadinessSettings) => boolean])[] = [
  ['Unschedulable', ({ unschedulableLeftAlone }) => !unschedulableLeftAlone],
  ['PodReadyToStartContainers', ({ networkTold }) => networkTold],
  ['PodResizePending', ({ resizeOwned }) => resizeOwned],
  ['PodResizeInProgress', ({ resizeOwned }) => resizeOwned],
  ['AllContainersRestarting', ({ initializedRemembered }) => initializedRemembered],
];
