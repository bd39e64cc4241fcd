import type { ControllerName } from '@kube-endpoints/controllers/internal';
import { resources } from 'kube-endpoints/port';
import { checkFinal } from '../checks/final.ts';
import { createRecordedHistory, recordedResources } from '../harness/history.ts';
import type { ControllerSettings } from '../replica.ts';
import { unreadView } from './machine.ts';
import { isActive, isRunning, logOf, nextChange, type WorldState } from './state.ts';

/** The time after the last change or fault, in milliseconds, until which the state must be final. */
export const maxActivityMs = 120_000;

/** Returns the problems of a state that do not depend on what follows. */
export function problemsOf(state: WorldState): string[] {
  const active = state.replicas.filter(isActive);
  const problems = state.replicas.filter(isRunning).flatMap(({ node }) => node.snapshot.problems);
  for (const key of logOf(state, resources.services.plural).objects.keys()) {
    const owners = active.filter(({ node }) => node.snapshot.ownedKeys.includes(key));
    if (owners.length > 1) problems.push(`${key} is owned by ${owners.map(({ name }) => name).join(' and ')}`);
  }
  const reason = state.time - state.disturbedAt > maxActivityMs ? reasonForActivity(state) : undefined;
  return reason === undefined ? problems : [...problems, `the state does not become final: ${reason}`];
}

/** Returns the problems of a state in which nothing can happen any more. */
export function problemsOfFinalState(state: WorldState, settings: ControllerSettings): string[] {
  const reason = reasonForActivity(state);
  if (reason !== undefined) return [`nothing happens any more, but ${reason}`];
  const history = createRecordedHistory();
  for (const resource of recordedResources) {
    const { objects, version } = logOf(state, resource.plural);
    for (const object of objects.values()) history.record(resource, object, version, { exists: true });
  }
  const problems = checkFinal(history, settings, new Set(state.abandonedUids));
  const { controllers = ['endpoints', 'endpointslices', 'endpointslicemirroring'] } = settings;
  return problems.filter((problem) => controllers.some((controller) => problemPatterns[controller]?.test(problem)));
}

/** The problems that each controller must prevent. */
const problemPatterns: Partial<Record<ControllerName, RegExp>> = {
  endpoints: /^the Endpoints /,
  endpointslices: /^the slices? /,
  endpointslicemirroring: /^the mirrored slices /,
};

/** The reason why something must still happen, if no message is under way; undefined if the state is final. */
export function reasonForActivity(state: WorldState): string | undefined {
  const active = state.replicas.filter(isActive);
  for (const replica of active) {
    const { name, node } = replica;
    const { ready, idle, view, watches } = node.snapshot;
    if (!ready) return `${name} is not ready`;
    if (!idle) return `${name} is not idle`;
    for (const [plural, seen] of Object.entries(view)) {
      if (seen === unreadView) continue;
      const { version } = logOf(state, plural);
      if (seen < version) return `${name} has not received ${plural} at ${version}`;
    }
    if (watches.some((watch) => nextChange(state, replica, watch))) return `${name} has not received all changes`;
  }
  for (const key of logOf(state, resources.services.plural).objects.keys())
    if (!active.some(({ node }) => node.snapshot.ownedKeys.includes(key))) return `no replica owns ${key}`;
  return undefined;
}
