import type { Container, ContainerState, ContainerStatus, Pod } from '../../src/types/index.ts';
import { fc } from '../support/property.ts';

/** Every minor release, and patch releases on both sides of a backport. */
export const releases: readonly string[] = [
  ...Array.from({ length: 21 }, (_, at) => `1.${17 + at}`),
  ...['1.18.5', '1.20.5', '1.22.8', '1.22.10', '1.23.3', '1.24.1', '1.33.5', '1.34.1', '1.35.3'],
];

const policies = fc.constantFrom('Always', 'OnFailure', 'Never');

const container = (name: string, own: fc.Arbitrary<string | undefined>): fc.Arbitrary<Container> =>
  fc.record({
    name: fc.constant(name),
    restartPolicy: own,
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

const listOf = (prefix: string, count: number, own: fc.Arbitrary<string | undefined>): fc.Arbitrary<Container[]> =>
  fc.tuple(...Array.from({ length: count }, (_, at) => container(`${prefix}${at}`, own)));

const gateTypes = ['example.com/a', 'example.com/b'];

export const pods: fc.Arbitrary<Pod> = fc.tuple(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 0, max: 2 })).chain(([regular, init]) =>
  fc.record({
    metadata: fc.record({ name: fc.constant('p'), namespace: fc.constant('shop'), generation: fc.nat(3) }),
    spec: fc.record({
      containers: listOf('c', regular, fc.option(policies, { nil: undefined, freq: 2 })),
      initContainers: listOf('i', init, fc.constantFrom(undefined, 'Always')),
      restartPolicy: policies,
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

/** The observed state of a pod at one time, and what other writers do to it. */
export interface Sight {
  readonly containerStatuses: readonly ContainerStatus[];
  readonly initContainerStatuses: readonly ContainerStatus[];
  readonly finished: boolean;
  readonly running: boolean;
  readonly eviction: { readonly reason: string; readonly message: string } | undefined;
  /** A condition set by another writer. */
  readonly gate: { readonly type: string; readonly status: string };
}

const seen = ({ name }: Container): fc.Arbitrary<ContainerStatus> =>
  fc.record({
    name: fc.constant(name ?? ''),
    state: states,
    lastState: states,
    ready: fc.boolean(),
    started: fc.boolean(),
  });

export const sights = ({ spec }: Pod): fc.Arbitrary<Sight> =>
  fc.record({
    containerStatuses: fc.tuple(...(spec?.containers ?? []).map(seen)),
    initContainerStatuses: fc.tuple(...(spec?.initContainers ?? []).map(seen)),
    finished: fc.boolean(),
    running: fc.boolean(),
    eviction: fc.option(fc.constant({ reason: 'Evicted', message: 'low on memory' }), { nil: undefined, freq: 8 }),
    gate: fc.record({ type: fc.constantFrom(...gateTypes), status: fc.constantFrom('True', 'False') }),
  });

export const lives: fc.Arbitrary<{ readonly pod: Pod; readonly sights: readonly Sight[] }> = pods.chain((pod) =>
  fc.record({ pod: fc.constant(pod), sights: fc.array(sights(pod), { minLength: 2, maxLength: 8 }) }),
);
