import type { Pod, PodCondition, Service } from 'kube-endpoints/types';
import type { SliceStep } from '../slices/case.ts';
import { makePods } from './pods.ts';
import { makeFamilies, makeServiceLabels, makeServicePorts, makeTargetPort } from './service.ts';
import { makeSlices } from './slices-existing.ts';
import { makeNodes } from './slices-nodes.ts';
import { assignToNodes, drawDistribution, drawTopologyAnnotations, type State } from './slices-state.ts';
import type { SliceTraits } from './slices-themes.ts';
import { randomTime, type World } from './world.ts';

/** Creates random changes of a Service, its pods and the nodes over time; some steps change nothing. */
export function makeSliceSteps(world: World, traits: SliceTraits, state: State, max: number): SliceStep[] {
  const { random } = world;
  const steps: SliceStep[] = [];
  let current = state;
  for (let remaining = random.int(traits.steps + 1); remaining > 0; remaining--) {
    if (random.chance(0.1)) {
      // A sync without a change; with `lag`, its cache of slices is outdated.
      steps.push(random.chance(0.5) ? { lag: true } : {});
      continue;
    }
    const next = random.pick(events)(world, traits, current);
    steps.push({
      ...(next.service !== current.service && { service: next.service }),
      ...(next.pods !== current.pods && { pods: next.pods }),
      ...(next.nodes !== current.nodes && { nodes: next.nodes }),
      ...random.maybe(0.04, () => ({ slices: makeSlices(world, next.service, next.pods, next.nodes, max) })),
    });
    current = next;
  }
  if (random.chance(0.05)) steps.push({ serviceDeleted: true }, ...(random.chance(0.5) ? [{ service: recreate(current.service) }] : []));
  return steps;
}

type Event = (world: World, traits: SliceTraits, state: State) => State;

const events: readonly Event[] = [
  (w, _, s) => changeSomePods(w, s, 0.3, (pod) => flipReadiness(w, pod)),
  (w, _, s) => changeSomePods(w, s, 0.1, (pod) => flipReadiness(w, pod)),
  (w, _, s) => changeOnePod(w, s, (pod) => flipReadiness(w, pod)),
  // Changes only the resourceVersion.
  (w, _, s) => changeSomePods(w, s, 0.5, (pod) => pod),
  (w, _, s) => changeSomePods(w, s, 0.2, (pod) => ({ ...pod, metadata: { ...pod.metadata, deletionTimestamp: randomTime(w) } })),
  (w, _, s) =>
    changeSomePods(w, s, 0.2, (pod) => ({ ...pod, metadata: { ...pod.metadata, labels: { app: w.random.pick(['web', 'other']) } } })),
  (w, t, s) => ({ ...s, pods: assignToNodes(w, { ...t, even: 0 }, s.pods, s.nodes) }),
  (w, _, s) => ({ ...s, pods: s.pods.filter(() => w.random.chance(0.7)) }),
  (w, _, s) => ({ ...s, pods: s.pods.filter(() => w.random.chance(0.2)) }),
  (_, __, s) => ({ ...s, pods: s.pods.slice(1) }),
  (w, t, s) => addPods(w, t, s, 1),
  (w, t, s) => addPods(w, t, s, 1 + w.random.int(w.traits.pods)),
  (w, t, s) => addPods(w, t, { ...s, pods: s.pods.filter(() => w.random.chance(0.6)) }, 1 + w.random.int(w.traits.pods)),
  (w, t, s) => ({ ...s, nodes: makeNodes(w.random, t) }),
  (_, __, s) => ({ ...s, nodes: s.nodes.slice(1) }),
  (w, _, s) => setService(s, {}, { labels: makeServiceLabels(w) }),
  (w, _, s) => setService(s, {}, { labels: { ...s.service.metadata?.labels, revision: String(w.random.int(3)) } }),
  (w, t, s) => setService(s, {}, { annotations: w.random.maybe(t.topology, () => drawTopologyAnnotations(w)) }),
  (w, t, s) => setService(s, { trafficDistribution: w.random.maybe(t.distribution, () => drawDistribution(w)) }),
  (w, _, s) => setService(s, { type: w.random.pick(['ExternalName', 'ClusterIP', 'ClusterIP']) }),
  (w, _, s) => setService(s, { selector: w.random.pick([undefined, {}, { app: 'web' }, { app: 'web', tier: 'front' }]) }),
  (_, __, s) => setService(s, { publishNotReadyAddresses: !s.service.spec?.publishNotReadyAddresses }),
  (w, _, s) => setService(s, { ports: (s.service.spec?.ports ?? []).map((port) => ({ ...port, targetPort: makeTargetPort(w) })) }),
  (w, _, s) => setService(s, { ports: makeServicePorts(w, false) }),
  (w, _, s) => setService(s, { ipFamilies: makeFamilies(w) }),
  (w, _, s) => setService(s, { clusterIP: s.service.spec?.clusterIP === 'None' ? '10.96.0.9' : 'None', ipFamilies: makeFamilies(w) }),
];

function addPods(world: World, traits: SliceTraits, state: State, count: number): State {
  return { ...state, pods: [...state.pods, ...assignToNodes(world, traits, makePods(world, state.revisions, count), state.nodes)] };
}

const setService = (state: State, spec: Service['spec'], metadata: Service['metadata'] = {}): State => ({
  ...state,
  service: { metadata: { ...state.service.metadata, ...metadata }, spec: { ...state.service.spec, ...spec } },
});

/** Returns the Service as recreated under its old name, with a new UID. */
const recreate = ({ metadata, spec }: Service): Service => ({ metadata: { ...metadata, uid: `${metadata?.uid}-2` }, spec });

const changeSomePods = (world: World, state: State, share: number, change: (pod: Pod) => Pod): State => ({
  ...state,
  pods: state.pods.map((pod) => (world.random.chance(share) ? withNewVersion(world, change(pod)) : pod)),
});

function changeOnePod(world: World, state: State, change: (pod: Pod) => Pod): State {
  const index = world.random.int(state.pods.length);
  return { ...state, pods: state.pods.map((pod, i) => (i === index ? withNewVersion(world, change(pod)) : pod)) };
}

/** Each changed pod gets a new resourceVersion, as for every write to an API server. */
const withNewVersion = ({ nextUniqueNumber }: World, pod: Pod): Pod => ({
  ...pod,
  metadata: { ...pod.metadata, resourceVersion: String(2000 + nextUniqueNumber()) },
});

function flipReadiness(world: World, pod: Pod): Pod {
  const flipReady = (condition: PodCondition): PodCondition =>
    condition.type === 'Ready'
      ? { ...condition, status: condition.status === 'True' ? 'False' : 'True', lastTransitionTime: randomTime(world) }
      : condition;
  return { ...pod, status: { ...pod.status, conditions: pod.status?.conditions?.map(flipReady) } };
}
