import type { Container, ContainerState, ContainerStatus, Pod } from '../../src/types/index.ts';
import { fc } from '../support/property.ts';

/** Every minor release, and patch releases on both sides of a backport. */
export const releases: readonly string[] = [
  ...Array.from({ length: 21 }, (_, index) => `1.${17 + index}`),
  ...['1.18.5', '1.20.5', '1.22.8', '1.22.10', '1.23.3', '1.24.1', '1.33.5', '1.34.1', '1.35.3'],
];

const restartPolicies = fc.constantFrom('Always', 'OnFailure', 'Never');

const container = (name: string, restartPolicy: fc.Arbitrary<string | undefined>): fc.Arbitrary<Container> =>
  fc.record({
    name: fc.constant(name),
    restartPolicy,
    restartPolicyRules: fc.option(
      fc.array(
        fc.record({
          action: fc.constantFrom('Restart', 'RestartAllContainers'),
          exitCodes: fc.record({ operator: fc.constantFrom('In', 'NotIn'), values: fc.array(fc.constantFrom(0, 1, 42), { maxLength: 2 }) }),
        }),
        { maxLength: 2 },
      ),
      { nil: undefined, freq: 4 },
    ),
  });

const containerLists = (prefix: string, count: number, restartPolicy: fc.Arbitrary<string | undefined>): fc.Arbitrary<Container[]> =>
  fc.tuple(...Array.from({ length: count }, (_, index) => container(`${prefix}${index}`, restartPolicy)));

const gateTypes = ['example.com/a', 'example.com/b'];

export const pods: fc.Arbitrary<Pod> = fc
  .tuple(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 0, max: 2 }))
  .chain(([containerCount, initCount]) =>
    fc.record({
      metadata: fc.record({ name: fc.constant('p'), namespace: fc.constant('shop'), generation: fc.nat(3) }),
      spec: fc.record({
        containers: containerLists('c', containerCount, fc.option(restartPolicies, { nil: undefined, freq: 2 })),
        initContainers: containerLists('i', initCount, fc.constantFrom(undefined, 'Always')),
        restartPolicy: restartPolicies,
        readinessGates: fc.subarray(gateTypes.map((conditionType) => ({ conditionType }))),
      }),
      status: fc.constant({}),
    }),
  );

const states: fc.Arbitrary<ContainerState> = fc.oneof(
  { weight: 4, arbitrary: fc.constant({ running: { startedAt: '2026-01-01T00:00:00Z' } }) },
  { weight: 2, arbitrary: fc.constantFrom(0, 0, 1, 42).map((exitCode) => ({ terminated: { exitCode } })) },
  { weight: 1, arbitrary: fc.constant({ waiting: { reason: 'CrashLoopBackOff' } }) },
  { weight: 1, arbitrary: fc.constant({}) },
);

/** The observed state of a pod at one time, and the writes of other clients. */
export interface Observation {
  readonly containerStatuses: readonly ContainerStatus[];
  readonly initContainerStatuses: readonly ContainerStatus[];
  readonly finished: boolean;
  readonly running: boolean;
  readonly eviction: { readonly reason: string; readonly message: string } | undefined;
  /** The condition of a readiness gate, set by another client. */
  readonly gate: { readonly type: string; readonly status: string };
}

const containerStatus = ({ name }: Container): fc.Arbitrary<ContainerStatus> =>
  fc.record({
    name: fc.constant(name ?? ''),
    state: states,
    lastState: states,
    ready: fc.boolean(),
    started: fc.boolean(),
  });

export const observations = ({ spec }: Pod): fc.Arbitrary<Observation> =>
  fc.record({
    containerStatuses: fc.tuple(...(spec?.containers ?? []).map(containerStatus)),
    initContainerStatuses: fc.tuple(...(spec?.initContainers ?? []).map(containerStatus)),
    finished: fc.boolean(),
    running: fc.boolean(),
    eviction: fc.option(fc.constant({ reason: 'Evicted', message: 'low on memory' }), { nil: undefined, freq: 8 }),
    gate: fc.record({ type: fc.constantFrom(...gateTypes), status: fc.constantFrom('True', 'False') }),
  });

export const podHistories: fc.Arbitrary<{ readonly pod: Pod; readonly observations: readonly Observation[] }> = pods.chain((pod) =>
  fc.record({ pod: fc.constant(pod), observations: fc.array(observations(pod), { minLength: 2, maxLength: 8 }) }),
);
