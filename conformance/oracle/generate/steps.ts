import type { Pod, PodCondition, Service } from 'kube-endpoints/types';
import type { Step } from '../case.ts';
import { makeExisting } from './existing.ts';
import { makePod, type Revision } from './pods.ts';
import { makeFamilies, makeSelector, makeServiceLabels, makeServicePorts, makeTargetPort } from './service.ts';
import { randomTime, type World } from './world.ts';

/** Creates random changes of a Service and its pods over time; some steps change nothing. */
export function makeSteps(world: World, service: Service, pods: readonly Pod[], revisions: readonly Revision[]): Step[] {
  const { random } = world;
  const steps: Step[] = [];
  let current: State = { service, pods, revisions };
  for (let remaining = 1 + random.int(5); remaining > 0; remaining--) {
    if (random.chance(0.12)) {
      steps.push({});
      continue;
    }
    const next = random.pick(events)(world, current);
    steps.push({
      ...(next.service !== current.service && { service: next.service }),
      ...(next.pods !== current.pods && { pods: next.pods }),
      ...random.maybe(0.04, () => ({ endpoints: makeExisting(world, next.service, next.pods) })),
    });
    current = next;
  }
  if (random.chance(0.15)) steps.push({ serviceDeleted: true });
  if (random.chance(0.05)) steps.push({ serviceDeleted: true }, { service: current.service });
  return steps;
}

interface State {
  readonly service: Service;
  readonly pods: readonly Pod[];
  readonly revisions: readonly Revision[];
}

type Event = (world: World, state: State) => State;

/** Each event has the same probability; flipped readiness is listed twice to make it more frequent. */
const events: readonly Event[] = [
  (w, s) => changePods(w, s, 0.4, (pod) => flipReadiness(w, pod, { changesTime: true })),
  (w, s) => changePods(w, s, 0.4, (pod) => flipReadiness(w, pod, { changesTime: true })),
  (w, s) => changePods(w, s, 0.3, (pod) => flipReadiness(w, pod, { changesTime: false })),
  (w, s) => changePods(w, s, 0.5, (pod) => pod),
  (w, s) => changePods(w, s, 0.3, (pod) => ({ ...pod, metadata: { ...pod.metadata, deletionTimestamp: randomTime(w) } })),
  (w, s) =>
    changePods(w, s, 0.3, (pod) => ({ ...pod, status: { ...pod.status, phase: w.random.pick(['Succeeded', 'Failed', 'Running']) } })),
  (w, s) => changePods(w, s, 0.3, (pod) => ({ ...pod, metadata: { ...pod.metadata, labels: { app: w.random.pick(['web', 'other']) } } })),
  (w, s) => ({ ...s, pods: s.pods.filter(() => w.random.chance(0.7)) }),
  (w, s) => ({ ...s, pods: [...s.pods, makePod(w, w.random.pick(s.revisions)), makePod(w, w.random.pick(s.revisions))] }),
  (w, s) => ({ ...s, pods: w.random.chance(0.3) ? [] : w.random.shuffle(s.pods) }),
  (w, s) => setService(s, {}, { labels: makeServiceLabels(w) }),
  (w, s) => setService(s, {}, { labels: { ...s.service.metadata?.labels, revision: String(w.random.int(3)) } }),
  (w, s) =>
    setService(s, {}, { annotations: { 'service.alpha.kubernetes.io/tolerate-unready-endpoints': w.random.pick(['true', 'false', '']) } }),
  (w, s) => setService(s, {}, { creationTimestamp: randomTime(w) }),
  (w, s) => setService(s, { selector: w.random.chance(0.5) ? undefined : makeSelector(w) }),
  (w, s) => setService(s, { selector: { app: 'web', tier: w.random.pick(['front', 'back']) } }),
  (w, s) => setService(s, { type: w.random.pick(['ExternalName', 'ClusterIP']) }),
  (_, s) => setService(s, { publishNotReadyAddresses: !s.service.spec?.publishNotReadyAddresses }),
  (w, s) => setService(s, { ports: (s.service.spec?.ports ?? []).map((port) => ({ ...port, targetPort: makeTargetPort(w) })) }),
  (w, s) => setService(s, { ports: makeServicePorts(w, false) }),
  (w, s) => setService(s, { clusterIP: s.service.spec?.clusterIP === 'None' ? '10.96.0.9' : 'None', ipFamilies: makeFamilies(w) }),
];

const setService = (state: State, spec: Service['spec'], metadata: Service['metadata'] = {}): State => ({
  ...state,
  service: { ...state.service, metadata: { ...state.service.metadata, ...metadata }, spec: { ...state.service.spec, ...spec } },
});

/** Changes some pods. Each changed pod gets a new resourceVersion, as for every write to an API server. */
const changePods = ({ random, nextUniqueNumber }: World, state: State, share: number, change: (pod: Pod) => Pod): State => ({
  ...state,
  pods: state.pods.map((pod) => {
    if (!random.chance(share)) return pod;
    const next = change(pod);
    return { ...next, metadata: { ...next.metadata, resourceVersion: String(2000 + nextUniqueNumber()) } };
  }),
});

function flipReadiness(world: World, pod: Pod, { changesTime }: { readonly changesTime: boolean }): Pod {
  const flipReady = (condition: PodCondition): PodCondition =>
    condition.type !== 'Ready'
      ? condition
      : {
          ...condition,
          status: condition.status === 'True' ? 'False' : 'True',
          lastTransitionTime: changesTime ? randomTime(world) : condition.lastTransitionTime,
        };
  return { ...pod, status: { ...pod.status, conditions: pod.status?.conditions?.map(flipReady) } };
}
