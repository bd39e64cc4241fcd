import type { ApiObject } from 'kube-endpoints/port';
import type { Random } from '../random.ts';
import type { WorkloadCase, WorkloadChange, WorkloadStep } from './case.ts';
import {
  type Fields,
  nodeNames,
  ownerOf,
  randomAnnotations,
  randomConstraints,
  randomContainer,
  randomDaemonPod,
  randomDaemonSet,
  randomNode,
  randomNodeLabels,
  randomPodStatus,
  randomRevision,
  randomStrategy,
  randomTaints,
  randomTemplate,
  type Template,
} from './generate-daemon-objects.ts';
import { formatTime, ownerReference, randomDuration, randomFailures, randomHold, randomPodChanges } from './generate-world.ts';

/** A history of one or two DaemonSets on up to six nodes, often with pods that become ready as a kubelet would make them. */
export function generateDaemonSets(random: Random, id: string): WorkloadCase {
  const nodes = nodeNames.slice(0, random.pick([1, 2, 3, 4, 5, 6])).map((name) => randomNode(random, name));
  const daemonSets = ['web', 'logs'].slice(0, random.pick([1, 1, 1, 2])).map((name) => randomDaemonSet(random, name));
  const objects = daemonSets.flatMap((daemonSet) => (random.chance(0.6) ? randomHistory(random, daemonSet) : [daemonSet]));
  const isCalm = random.chance(0.7);
  let now = 0;
  const steps = Array.from({ length: 3 + random.int(isCalm ? 14 : 7) }, (_, i): WorkloadStep => {
    const advanceMs = isCalm ? random.pick([0, 100, 600, 1000, 1000, 3000, 11_000]) : randomDuration(random);
    const changes = i === 0 ? [] : [...randomSetChanges(random, now), ...randomNodeChanges(random), ...podChanges(random, now, isCalm)];
    now += advanceMs;
    const failures = isCalm && random.chance(0.8) ? [] : randomFailures(random, writes);
    return { changes, failures, ...randomHold(random, watched), advanceMs };
  });
  return { id, objects: [...nodes, ...objects], gracefulPods: random.chance(0.5), steps };
}

const watched = ['Pod', 'DaemonSet', 'ControllerRevision', 'Node'];

const writes = [
  ['create', 'Pod'],
  ['delete', 'Pod'],
  ['patch', 'Pod'],
  ['update', 'DaemonSet', 'status'],
  ['create', 'ControllerRevision'],
  ['update', 'ControllerRevision'],
  ['delete', 'ControllerRevision'],
  ['patch', 'ControllerRevision'],
] as const;

/** A DaemonSet that has run before: with revisions and pods. */
function randomHistory(random: Random, daemonSet: ApiObject): ApiObject[] {
  const { name = '', generation = 1 } = daemonSet.metadata;
  const { template } = daemonSet['spec'] as { template: Template };
  const count = random.pick([0, 1, 1, 2, 3]);
  const templates = [...Array.from({ length: count }, () => randomTemplate(random, name)), ...(random.chance(0.6) ? [template] : [])];
  const revisions = templates.map((each, i) => randomRevision(random, daemonSet, each, i + 1));
  if (random.chance(0.1)) revisions.push(randomRevision(random, daemonSet, template, 9));
  const pods = nodeNames
    .slice(0, random.pick([2, 4, 6]))
    .flatMap((node) =>
      Array.from({ length: random.pick([0, 1, 1, 1, 1, 1, 2, 3]) }, (_, i) =>
        randomDaemonPod(random, daemonSet, { name: `${name}-${node}-${'abc'[i]}`, node, template: random.pick([template, ...templates]) }),
      ),
    );
  const status = {
    desiredNumberScheduled: random.int(4),
    currentNumberScheduled: random.int(4),
    numberMisscheduled: random.pick([0, 0, 1]),
    numberReady: random.int(3),
    ...random.maybe(0.9, () => ({ observedGeneration: generation })),
    ...random.maybe(0.05, () => ({ collisionCount: 1 })),
  };
  const unique = [...new Map(revisions.map((each) => [each.metadata.name, each])).values()];
  return [{ ...daemonSet, status }, ...unique, ...pods];
}

/** The kubelet makes most pods ready, and the scheduler binds them; or pods change at random. */
function podChanges(random: Random, now: number, isCalm: boolean): WorkloadChange[] {
  if (!isCalm) return randomPodChanges(random, now, () => ({ app: random.pick(['web', 'web', 'other']) }));
  return Array.from({ length: random.pick([1, 4, 8, 8]) }, (_, nth): WorkloadChange[] => {
    const target = { kind: 'Pod', nth };
    if (random.chance(0.05)) return [{ delete: target }];
    if (random.chance(0.03)) return [{ merge: { ...target, patch: { metadata: { ownerReferences: null } } } }];
    if (random.chance(0.1)) return [{ merge: { ...target, patch: { status: { phase: random.pick(['Failed', 'Failed', 'Succeeded']) } } } }];
    const bind: WorkloadChange[] = random.chance(0.8) ? [{ bind: target }] : [];
    return random.chance(0.8) ? [...bind, { merge: { ...target, patch: { status: randomPodStatus(random, now) } } }] : bind;
  }).flat();
}

function randomNodeChanges(random: Random): WorkloadChange[] {
  return Array.from({ length: random.pick([0, 0, 0, 1, 1, 2]) }, (): WorkloadChange => {
    const target = { kind: 'Node', nth: random.int(6) };
    const kind = random.int(10);
    if (kind < 2) return { put: randomNode(random, random.pick(nodeNames)) };
    if (kind < 3) return { delete: target };
    if (kind < 5) return { merge: { ...target, patch: { metadata: { labels: { cores: null, ...randomNodeLabels(random) } } } } };
    if (kind < 6) return { merge: { ...target, patch: { metadata: { annotations: { a: random.pick(['b', 'c']) } } } } };
    const taints = random.chance(0.4) ? [] : randomTaints(random);
    return { merge: { ...target, patch: { spec: { taints: taints.length > 0 ? taints : null } } } };
  });
}

/** What users do with DaemonSets and their revisions. */
function randomSetChanges(random: Random, now: number): WorkloadChange[] {
  return Array.from({ length: random.pick([0, 0, 1, 1, 2]) }, (): WorkloadChange => {
    const target = { kind: 'DaemonSet', nth: random.int(2) };
    const merge = (patch: Fields): WorkloadChange => ({ merge: { ...target, patch } });
    const kind = random.int(30);
    if (kind < 8) return merge({ spec: { template: { spec: { containers: [randomContainer(random)] } } } });
    if (kind < 12) return merge({ spec: { template: { spec: randomConstraints(random) } } });
    if (kind < 16) return merge({ spec: { updateStrategy: { rollingUpdate: null, ...randomStrategy(random) } } });
    if (kind < 17) return merge({ spec: { minReadySeconds: random.pick([null, 2, 5]) } });
    if (kind < 18) return merge({ spec: { revisionHistoryLimit: random.pick([0, 1]) } });
    if (kind < 19) return merge({ metadata: { annotations: randomAnnotations(random) } });
    if (kind < 20) return merge({ metadata: { deletionTimestamp: formatTime(now), finalizers: ['foregroundDeletion'] } });
    if (kind < 21) return merge({ metadata: { uid: `new-${random.int(100)}` } });
    if (kind < 22) return { delete: target };
    if (kind < 23) return { put: randomDaemonSet(random, random.pick(['web', 'late'])) };
    return randomRevisionChange(random);
  });
}

function randomRevisionChange(random: Random): WorkloadChange {
  const target = { kind: 'ControllerRevision', nth: random.int(5) };
  const merge = (patch: Fields): WorkloadChange => ({ merge: { ...target, patch } });
  const kind = random.int(7);
  if (kind === 0) return { delete: target };
  if (kind === 1) return merge({ metadata: { ownerReferences: null } });
  if (kind === 2) return merge({ metadata: { ownerReferences: [ownerReference({ apiVersion: 'v1', kind: 'X', name: 'x', uid: 'x' })] } });
  if (kind === 3) return merge({ metadata: { labels: { 'controller-revision-hash': 'other' } } });
  if (kind === 4) return merge({ metadata: { labels: { app: random.pick(['web', 'logs', 'other']) } } });
  if (kind === 5) {
    const daemonSet = randomDaemonSet(random, 'web');
    return { put: { ...randomRevision(random, daemonSet, randomTemplate(random, 'web'), random.int(9)) } };
  }
  // The name then belongs to another template.
  return merge({
    data: { spec: { template: { spec: { schedulerName: 'other' } } } },
    metadata: {
      ownerReferences: [
        ownerReference(
          ownerOf(random.chance(0.5) ? { metadata: { name: 'web', uid: 'ds-web' } } : { metadata: { name: 'web', uid: 'x' } }),
        ),
      ],
    },
  });
}
