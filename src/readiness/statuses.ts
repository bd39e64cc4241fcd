import type {
  Container,
  ContainerRestartRule,
  ContainerState,
  ContainerStatus,
  Optional,
  Pod,
  PodCondition,
  PodStatus,
} from '../types/index.ts';
import type { ReadinessSettings } from './gates.ts';

/** The observed containers and phase of a pod. An absent list is unknown; an empty list is known to be empty. */
export type ObservedStatus = Pick<PodStatus, 'phase' | 'containerStatuses' | 'initContainerStatuses'>;

export type StateKind = 'running' | 'terminated' | 'waiting' | 'unknown';

/** Returns the kind of a container's state. If several states are set, returns the one that the kubelet checks first. */
export function kindOf(state: Optional<ContainerState>): StateKind {
  if (state?.running) return 'running';
  if (state?.terminated) return 'terminated';
  return state?.waiting ? 'waiting' : 'unknown';
}

/** The first status with the container's name. Mirrors `GetContainerStatus`. */
export const statusOf = (statuses: Optional<readonly ContainerStatus[]>, { name }: Container): ContainerStatus | undefined =>
  statuses?.find((status) => (status.name ?? '') === (name ?? ''));

/** Whether an init container is a sidecar. Mirrors `IsRestartableInitContainer`. */
export const isSidecar = ({ restartPolicy }: Container): boolean => restartPolicy === 'Always';

/** The first condition of that type. Mirrors `GetPodConditionFromList`. */
export const conditionOf = (conditions: Optional<readonly PodCondition[]>, type: string): PodCondition | undefined =>
  conditions?.find((condition) => condition.type === type);

/**
 * Copies a list of conditions, with the condition of the same type replaced, or the new one appended if absent. Mirrors
 * `ReplaceOrAppendPodCondition`.
 */
export const setCondition = (conditions: readonly PodCondition[], condition: PodCondition): PodCondition[] => {
  const index = conditions.findIndex(({ type }) => type === condition.type);
  return index < 0 ? [...conditions, condition] : conditions.with(index, condition);
};

/** Combines both lists, as Go's append does. Returns undefined only if the init list is absent and the other list is absent or empty. */
export function joinStatuses({ containerStatuses, initContainerStatuses }: ObservedStatus): readonly ContainerStatus[] | undefined {
  if (!initContainerStatuses && !containerStatuses?.length) return undefined;
  return [...(initContainerStatuses ?? []), ...(containerStatuses ?? [])];
}

/** Whether a phase is terminal. */
export const isTerminalPhase = (phase: Optional<string>): boolean => phase === 'Succeeded' || phase === 'Failed';

/** Whether a regular (not init) container of the pod runs or has ended. Mirrors `HasAnyRegularContainerStarted`. */
export function hasStarted(containers: readonly Container[], statuses: readonly ContainerStatus[] | undefined): boolean {
  const names = new Set(containers.map(({ name }) => name ?? ''));
  return !!statuses?.some(({ name, state }) => names.has(name ?? '') && !!(state?.running || state?.terminated));
}

/**
 * Whether a container that ended with this code is restarted, in releases in which containers have their own restart policies.
 * Mirrors `ContainerShouldRestart`.
 */
export function isRestarted(
  container: Container,
  { spec }: Pod,
  exitCode: number,
  { initializedRemembered }: Pick<ReadinessSettings, 'initializedRemembered'>,
): boolean {
  if (container.restartPolicy !== undefined && container.restartPolicy !== null) {
    const action = findRestartRule(container, exitCode)?.action;
    if (action === 'Restart' || (action === 'RestartAllContainers' && initializedRemembered)) return true;
    const verdict = isRestartedByPolicy(container.restartPolicy, exitCode);
    if (verdict !== undefined) return verdict;
  }
  return isRestartedByPolicy(spec?.restartPolicy ?? '', exitCode) ?? true;
}

/** Whether a restart rule of any container can restart all containers. Mirrors `AllContainersCouldRestart`. */
export const canRestartAll = ({ spec }: Pod): boolean =>
  [...(spec?.initContainers ?? []), ...(spec?.containers ?? [])].some((container) =>
    container.restartPolicyRules?.some(({ action }) => action === 'RestartAllContainers'),
  );

/**
 * Whether all containers were already restarting, or one ended with an exit code for which a rule restarts all. Mirrors
 * `ShouldAllContainersRestart`.
 */
export function shouldRestartAll({ spec }: Pod, previousStatus: PodStatus, observed: ObservedStatus): boolean {
  if (conditionOf(previousStatus.conditions, 'AllContainersRestarting')?.status === 'True') return true;
  return [...(spec?.initContainers ?? []), ...(spec?.containers ?? [])].some((container) =>
    [observed, previousStatus].some(({ containerStatuses, initContainerStatuses }) => {
      const termination = statusOf([...(containerStatuses ?? []), ...(initContainerStatuses ?? [])], container)?.state?.terminated;
      return !!termination && findRestartRule(container, termination.exitCode ?? 0)?.action === 'RestartAllContainers';
    }),
  );
}

/** The first rule that matches an exit code. Mirrors `FindMatchingContainerRestartRule`. */
export const findRestartRule = ({ restartPolicyRules }: Container, exitCode: number): ContainerRestartRule | undefined =>
  restartPolicyRules?.find(({ exitCodes }) => {
    const isListed = !!exitCodes?.values?.includes(exitCode);
    return exitCodes?.operator === 'In' ? isListed : exitCodes?.operator === 'NotIn' && !isListed;
  });

function isRestartedByPolicy(policy: string, exitCode: number): boolean | undefined {
  if (policy === 'Always') return true;
  if (policy === 'OnFailure') return exitCode !== 0;
  return policy === 'Never' ? false : undefined;
}
