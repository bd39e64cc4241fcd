import type { ApiObject } from 'kube-endpoints/port';
import { isIndexed, type Job } from '../workloads/job/objects.ts';
import { occupyByOthers, scaleWithRequests } from './capacity.ts';
import { type ProvenService, selects, templateOf } from './proof/objects.ts';
import { isExclusive } from './requests.ts';
import { countPods, isWorkload, keyOf, replicasOf, type World } from './world.ts';

/**
 * A world with about as many pods, on as many fewer nodes, but at least 8 replicas of each workload, or all, and 3 nodes; and at most one node per
 * pod, or two if its pods exclude each other. Numbers of pods in the strategies of workloads and the resources of nodes become smaller in proportion.
 * Indexed Jobs stay.
 * @returns undefined if the world is not larger
 */
export function reduceWorld({ objects, change }: World, maxPods: number): World | undefined {
  const factor = Math.min(1, maxPods / countPods({ objects, change }));
  const [nodes, others] = [objects.filter(({ kind }) => kind === 'Node'), objects.filter(({ kind }) => kind !== 'Node')];
  const reduced = { objects: others.map((each) => reduce(each, factor)), change: change.map((each) => reduce(each, factor)) };
  const nodesOf = (pods: ApiObject, i: number): number => {
    const [from, to] = [replicasOf(pods), replicasOf(reduced.objects[i] as ApiObject)];
    return from > 0 && isExclusive(pods) ? Math.min(Math.ceil((nodes.length * to) / from), 2 * to) : 0;
  };
  const nodeCount = Math.max(minNodes, Math.min(Math.ceil(nodes.length * factor), maxPods), ...others.map(nodesOf));
  const small = { ...reduced, objects: [...chooseNodes(nodes, nodeCount), ...reduced.objects] };
  const isSmaller = small.objects.length < objects.length || countPods(small) < countPods({ objects, change });
  return isSmaller ? scaleWithRequests(small, { objects, change }) : undefined;
}

const minReplicas = 8;
const minNodes = 3;

function reduce(object: ApiObject, factor: number): ApiObject {
  const replicas = replicasOf(object);
  const reduced = Math.max(Math.min(replicas, minReplicas), Math.floor(replicas * factor));
  if (reduced === replicas || isIndexedJob(object)) return object;
  const count = object.kind === 'Job' ? 'parallelism' : 'replicas';
  const { spec } = object as { readonly spec?: Readonly<Record<string, Strategy | undefined>> };
  const strategies = ['strategy', 'updateStrategy'].flatMap((field) => {
    const { [field]: strategy } = spec ?? {};
    return strategy?.rollingUpdate ? [[field, reduceStrategy(strategy, reduced / replicas)]] : [];
  });
  return { ...object, spec: { ...spec, ...Object.fromEntries(strategies), [count]: reduced } };
}

/** The pods of an indexed Job have numbers, and other fields have to match how many there are. */
const isIndexedJob = (object: ApiObject): boolean => object.kind === 'Job' && isIndexed(object as Job);

interface Strategy {
  readonly rollingUpdate?: Readonly<Record<string, unknown>>;
}

/** Percentages stay. */
function reduceStrategy({ rollingUpdate = {}, ...strategy }: Strategy, factor: number): Strategy {
  const fields = Object.entries(rollingUpdate).map(([field, value]) => [
    field,
    typeof value === 'number' && value > 1 ? Math.max(1, Math.round(value * factor)) : value,
  ]);
  return { ...strategy, rollingUpdate: Object.fromEntries(fields) };
}

/** Nodes of all kinds: those that differ in labels or taints take turns. */
function chooseNodes(nodes: readonly ApiObject[], count: number): ApiObject[] {
  const groups = [...Map.groupBy(nodes, describeNode).values()];
  const chosen = new Set<ApiObject>();
  for (let turn = 0; chosen.size < Math.min(count, nodes.length); turn += 1)
    for (const group of groups) if (group[turn] && chosen.size < count) chosen.add(group[turn] as ApiObject);
  return nodes.filter((node) => chosen.has(node));
}

function describeNode({ metadata, spec }: ApiObject): string {
  const labels = Object.entries(metadata.labels ?? {}).filter(([name, value]) => name !== hostnameLabel && value !== metadata.name);
  return JSON.stringify([labels.sort(), (spec as { readonly taints?: unknown } | undefined)?.taints]);
}

const hostnameLabel = 'kubernetes.io/hostname';

/**
 * A world without the workloads that share no Service with a changed one: what they do has no effect on the clients of the change. They still occupy
 * nodes. Returns all objects if something else than workloads changes.
 */
export function withoutOtherWorkloads({ objects, change }: World): World {
  if (change.length === 0 || !change.every(isWorkload)) return { objects, change };
  const services = objects.filter(({ kind }) => kind === 'Service');
  const shared = services.filter((service) => change.some((workload) => selectsPods(service, workload)));
  const isKept = (object: ApiObject): boolean =>
    !isWorkload(object) || change.some((each) => keyOf(each) === keyOf(object)) || shared.some((service) => selectsPods(service, object));
  return occupyByOthers({ objects: objects.filter(isKept), change }, { objects, change });
}

/** Whether a Service selects the pods of a workload. */
function selectsPods(service: ProvenService, workload: ApiObject): boolean {
  const template = templateOf(workload);
  return template !== undefined && selects(service, template);
}
