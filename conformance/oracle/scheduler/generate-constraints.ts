import type { Random } from '../random.ts';

/** Random constraints of pods. Their values are few, so that they often match. */

export const namespaces: readonly string[] = ['default', 'prod', 'test'];
export const zones: readonly string[] = ['a', 'b', 'c'];

const keys = ['app', 'tier'];
const values = ['web', 'db'];

export const makeLabels = (random: Random): Record<string, string> =>
  Object.fromEntries(keys.flatMap((key) => (random.chance(0.7) ? [[key, random.pick(values)]] : [])));

/** A label selector. */
export const makeSelector = (random: Random): object | undefined =>
  random.chance(0.06)
    ? undefined
    : {
        ...random.maybe(0.6, () => ({ matchLabels: makeLabels(random) })),
        ...random.maybe(0.4, () => ({ matchExpressions: [makeExpression(random, keys, values)] })),
      };

function makeExpression(random: Random, names: readonly string[], options: readonly string[]): object {
  const operator = random.pick(['In', 'NotIn', 'Exists', 'DoesNotExist']);
  const hasValues = operator.endsWith('In');
  return { key: random.pick(names), operator, ...(hasValues && { values: options.slice(0, 1 + random.int(options.length)) }) };
}

const effects = ['NoSchedule', 'NoExecute', 'PreferNoSchedule', 'PreferNoSchedule'];
export const taints: readonly object[] = effects.flatMap((effect) => [
  { key: 'dedicated', value: 'x', effect },
  { key: 'flaky', effect },
  { key: 'node.kubernetes.io/unschedulable', effect },
]);

export const makeTolerations = (random: Random): object[] =>
  Array.from({ length: random.int(3) }, () => ({
    ...random.maybe(0.8, () => ({ key: random.pick(['dedicated', 'flaky', 'node.kubernetes.io/unschedulable']) })),
    ...random.maybe(0.8, () => ({ operator: random.pick(['Exists', 'Equal']) })),
    ...random.maybe(0.4, () => ({ value: 'x' })),
    ...random.maybe(0.5, () => ({ effect: random.pick(effects) })),
  }));

/** Affinity to nodes and pods. Required terms may be invalid. */
export function makeAffinity(random: Random, nodeShare: number, podShare: number, mayBeInvalid = true): object {
  const affinity = {
    ...random.maybe(nodeShare, () => ({ nodeAffinity: makeNodeAffinity(random, mayBeInvalid) })),
    ...random.maybe(podShare * 0.6, () => ({ podAffinity: makePodAffinity(random) })),
    ...random.maybe(podShare * 0.6, () => ({ podAntiAffinity: makePodAffinity(random) })),
  };
  return Object.keys(affinity).length > 0 ? { affinity } : {};
}

const makeNodeAffinity = (random: Random, mayBeInvalid: boolean): object => ({
  ...random.maybe(0.6, () => ({
    requiredDuringSchedulingIgnoredDuringExecution: {
      nodeSelectorTerms: Array.from({ length: random.chance(0.05) ? 0 : 1 + random.int(2) }, () => makeNodeTerm(random, mayBeInvalid)),
    },
  })),
  ...random.maybe(0.6, () => ({
    preferredDuringSchedulingIgnoredDuringExecution: Array.from({ length: random.int(3) }, () => ({
      weight: 1 + random.int(100),
      preference: makeNodeTerm(random, false),
    })),
  })),
});

/** A term about a node. Terms that are required may be invalid. */
const makeNodeTerm = (random: Random, mayBeInvalid: boolean): object => ({
  ...random.maybe(0.75, () => ({
    matchExpressions: Array.from({ length: 1 + random.int(2) }, () => makeNodeExpression(random, mayBeInvalid)),
  })),
  ...random.maybe(0.25, () => ({
    matchFields: Array.from({ length: random.chance(0.15) ? 2 : 1 }, () => ({
      key: 'metadata.name',
      operator: random.chance(0.8) ? 'In' : 'NotIn',
      values: mayBeInvalid && random.chance(0.1) ? ['n0', 'n1'] : [random.pick(['n0', 'n1', 'n2', 'n9'])],
    })),
  })),
});

const makeNodeExpression = (random: Random, mayBeInvalid: boolean): object =>
  random.chance(0.25)
    ? { key: 'cores', operator: random.pick(['Gt', 'Lt']), values: [mayBeInvalid && random.chance(0.2) ? 'few' : random.pick(['1', '4'])] }
    : makeExpression(random, ['disk', 'topology.kubernetes.io/zone', 'rack'], ['ssd', 'a', 'r1']);

const topologies = ['kubernetes.io/hostname', 'topology.kubernetes.io/zone', 'rack'];

const makePodTerm = (random: Random): object => ({
  topologyKey: random.pick(topologies),
  labelSelector: makeSelector(random),
  ...random.maybe(0.35, () => ({ namespaces: [random.pick(namespaces)] })),
  ...random.maybe(0.35, () => ({ namespaceSelector: random.chance(0.3) ? {} : makeSelector(random) })),
});

const makePodAffinity = (random: Random): object => ({
  ...random.maybe(0.6, () => ({
    requiredDuringSchedulingIgnoredDuringExecution: Array.from({ length: random.int(3) }, () => makePodTerm(random)),
  })),
  ...random.maybe(0.6, () => ({
    preferredDuringSchedulingIgnoredDuringExecution: Array.from({ length: random.int(3) }, () => ({
      weight: 1 + random.int(100),
      podAffinityTerm: makePodTerm(random),
    })),
  })),
});

export const makeSpread = (random: Random): object[] =>
  Array.from({ length: random.int(3) }, () => ({
    maxSkew: 1 + random.int(3),
    topologyKey: random.pick(topologies),
    whenUnsatisfiable: random.pick(['DoNotSchedule', 'ScheduleAnyway']),
    labelSelector: makeSelector(random),
    ...random.maybe(0.25, () => ({ minDomains: 1 + random.int(4) })),
    ...random.maybe(0.2, () => ({ matchLabelKeys: [random.pick(keys)] })),
    ...random.maybe(0.25, () => ({ nodeAffinityPolicy: random.pick(['Honor', 'Ignore']) })),
    ...random.maybe(0.25, () => ({ nodeTaintsPolicy: random.pick(['Honor', 'Ignore']) })),
  }));
