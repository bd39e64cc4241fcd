import { isQuantity, milliValue, parseQuantity } from 'kube-endpoints/internal/apimachinery';
import type { Optional } from 'kube-endpoints/types';
import type { ActionsInput, ComparedResources, ContainerToUpdate, DraftActions, ResizableResource } from './actions.ts';
import type { KubeletContainer, Resources } from './pod.ts';
import type { RuntimeContainer } from './runtime-status.ts';

/**
 * Plans the change of a running container's resources, if they differ from those last applied: in place, or by a restart if the container's
 * resizePolicy requires it. Mirrors `computePodResizeAction` (1.36, pkg/kubelet/kuberuntime/kuberuntime_manager.go).
 * @returns whether the container is killed and started again
 */
export function planResize(
  { pod, actuated }: ActionsInput,
  container: KubeletContainer,
  running: RuntimeContainer,
  actions: DraftActions,
): boolean {
  if (running.state !== 'running') return false;
  const desired = readResources(pod.spec?.resources, container.resources);
  const current = readResources(actuated?.pod, actuated?.containers[container.name ?? '']);
  const changed = (['memory', 'cpu'] as const).filter((resource) => fieldsOf[resource].some((field) => desired[field] !== current[field]));
  if (changed.some((resource) => requiresRestart(container, resource))) {
    const message = `Container ${container.name} resize requires restart`;
    actions.containersToKill.push({ id: running.id, name: running.name, message });
    actions.updatePodResources = true;
    return true;
  }
  const update: ContainerToUpdate = { id: running.id, name: container.name ?? '', desired, current };
  for (const resource of changed) addUpdate(actions, resource, update);
  return false;
}

/**
 * Whether the resources of the pod as a whole differ from those last applied. Mirrors `computePodLevelResourcesResizeAction` (1.36,
 * pkg/kubelet/kuberuntime/kuberuntime_manager.go).
 */
export function arePodResourcesChanged({ pod, actuated }: ActionsInput): boolean {
  const [desired, current] = [readResources(undefined, pod.spec?.resources), readResources(undefined, actuated?.pod)];
  return Object.values(fieldsOf).some((fields) => fields.some((field) => desired[field] !== current[field]));
}

/** The limit first: if it changes, its direction decides about the order of updates. */
const fieldsOf: Readonly<Record<ResizableResource, readonly (keyof ComparedResources)[]>> = {
  memory: ['memoryLimit', 'memoryRequest'],
  cpu: ['cpuLimit', 'cpuRequest'],
};

const requiresRestart = ({ resizePolicy }: KubeletContainer, resource: ResizableResource): boolean =>
  resizePolicy?.find(({ resourceName }) => resourceName === resource)?.restartPolicy === 'RestartContainer';

/** Adds increases at the end, and decreases at the front. */
function addUpdate(actions: DraftActions, resource: ResizableResource, update: ContainerToUpdate): void {
  const field = fieldsOf[resource].find((each) => update.desired[each] !== update.current[each]);
  if (!field) return;
  const isIncrease = update.desired[field] > update.current[field];
  const others = actions.containersToUpdate[resource] ?? [];
  actions.containersToUpdate[resource] = isIncrease ? [...others, update] : [update, ...others];
}

/** Limits of the pod apply to a container without its own. Mirrors `containerResourcesFromRequirements` (1.36). */
function readResources(pod: Optional<Resources>, container: Optional<Resources>): ComparedResources {
  const limit = (resource: ResizableResource): bigint => readMilli(container?.limits?.[resource]) || readMilli(pod?.limits?.[resource]);
  return {
    memoryLimit: toUnits(limit('memory')),
    memoryRequest: toUnits(readMilli(container?.requests?.['memory'])),
    cpuLimit: Number(limit('cpu')),
    cpuRequest: Number(readMilli(container?.requests?.['cpu'])),
  };
}

function readMilli(text: Optional<string>): bigint {
  if (text === null || text === undefined) return 0n;
  const quantity = parseQuantity(text);
  return isQuantity(quantity) ? milliValue(quantity.nanos) : 0n;
}

/** Rounds up, like Quantity.Value. */
const toUnits = (milli: bigint): number => Number((milli + 999n) / 1000n);
