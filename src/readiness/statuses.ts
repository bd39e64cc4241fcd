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

/** What is known of a pod's containers and where it is in its life; a list that is absent is unknown, an empty one is empty. */
export type ObservedStatus = Pick<PodStatus, 'phase' | 'containerStatuses' | 'initContainerStatuses'>;

export type StateKind = 'running' | 'terminated' | 'waiting' | 'unknown';

/** Which state a container is in; of several the one that the kubelet asks for first. */
export function kindOf(state: Optional<ContainerState>): StateKind {
  if (state?.running) return 'running';
  if (state?.terminated) return 'terminated';
  return state?.waiting ? 'waiting' : 'unknown';
}

/** The status of that name; of several the first. `GetContainerStatus`. */
export const statusOf = (statuses: Optional<readonly ContainerStatus[]>, { name }: Container): ContainerStatus | undefined =>
  statuses?.find((status) => (status.name ?? '') === (name ?? ''));

/** Whether an init container is one that runs beside the others. `IsRestartableInitContainer`. */
export const isSidecar = ({ restartPolicy }: Container): boolean => restartPolicy === 'Always';

/** The condition of that type; of several the first. `GetPodConditionFromList`. */
export const conditionOf = (conditions: Optional<readonly PodCondition[]>, type: string): PodCondition | undefined =>
  conditions?.find((condition) => condition.type === type);

/** A list with a condition in the place of that of its type, or behind the others. `ReplaceOrAppendPodCondition`. */
export const withCondition = (conditions: readonly PodCondition[], condition: PodCondition): PodCondition[] => {
  const at = conditions.findIndex(({ type }) => type === condition.type);
  return at < 0 ? [...conditions, condition] : conditions.with(at, condition);
};

/** Both lists as one, as Go's append makes it: unknown only where there is nothing to add to a list that is unknown. */
export function joined({ containerStatuses, initContainerStatuses }: ObservedStatus): readonly ContainerStatus[] | undefined {
  if (!initContainerStatuses && !containerStatuses?.length) return undefined;
  return [...(initContainerStatuses ?? []), ...(containerStatuses ?? [])];
}

/** Whether a phase is one that a pod never leaves. */
export const isEnd = (phase: Optional<string>): boolean => phase === 'Succeeded' || phase === 'Failed';

/** Whether a container of the pod, init containers apart, runs or has ended. `HasAnyRegularContainerStarted`. */
export function hasStarted(containers: readonly Container[], statuses: readonly ContainerStatus[] | undefined): boolean {
  const names = new Set(containers.map(({ name }) => name ?? ''));
  return !!statuses?.some(({ name, state }) => names.has(name ?? '') && !!(state?.running || state?.terminated));
}

/**
 * Whether a container that ended with that code is started again, where containers have policies of their own.
 * `ContainerShouldRestart`.
 */
export function isRestarted(container: Container, { spec }: Pod, exitCode: number, { initializedRemembered }: ReadinessSettings): boolean {
  if (container.restartPolicy !== undefined && container.restartPolicy !== null) {
    const action = ruleFor(container, exitCode)?.action;
    if (action === 'Restart' || (action === 'RestartAllContainers' && initializedRemembered)) return true;
    const verdict = byPolicy(container.restartPolicy, exitCode);
    if (verdict !== undefined) return verdict;
  }
  return byPolicy(spec?.restartPolicy ?? '', exitCode) ?? true;
}

/** Whether a rule of some container can restart all of them. `AllContainersCouldRestart`. */
export const canRestartAll = ({ spec }: Pod): boolean =>
  [...(spec?.initContainers ?? []), ...(spec?.containers ?? [])].some((container) =>
    container.restartPolicyRules?.some(({ action }) => action === 'RestartAllContainers'),
  );

/** The first rule that a code falls under. `FindMatchingContainerRestartRule`. */
export const ruleFor = ({ restartPolicyRules }: Container, exitCode: number): ContainerRestartRule | undefined =>
  restartPolicyRules?.find(({ exitCodes }) => {
    const isListed = !!exitCodes?.values?.includes(exitCode);
    return exitCodes?.operator === 'In' ? isListed : exitCodes?.operator === 'NotIn' && !isListed;
  });

function byPolicy(policy: string, exitCode: number): boolean | undefined {
  if (policy === 'Always') return true;
  if (policy === 'OnFailure') return exitCode !== 0;
  return policy === 'Never' ? false : undefined;
}
