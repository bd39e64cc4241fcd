import type { ApplicationSettings } from '@kube-endpoints/simulator/internal';

/** A change of one workload behind one Service, and what the simulator has to say about it. */
export interface Row {
  readonly name: string;
  readonly action: 'rollout' | 'scaleDown' | 'drain';
  /** Default: Deployment. */
  readonly kind?: 'Deployment' | 'StatefulSet';
  /** Default: 3; a scale-down halves it, rounded down. */
  readonly replicas?: number;
  /** Of a Deployment. Default: maxUnavailable 0, maxSurge 1. */
  readonly strategy?: object;
  readonly minReadySeconds?: number;
  /** The hook of the pods: a sleep of some seconds, or a command that takes the delay "preStopHook". */
  readonly preStop?: number | 'exec';
  /** terminationGracePeriodSeconds. Default: 20. */
  readonly grace?: number;
  /** Whether the pods have a readiness probe over HTTP, once a second. Default: true. */
  readonly hasProbe?: boolean;
  /** How the processes behave. */
  readonly application?: Partial<Pick<ApplicationSettings, 'onTerminate' | 'drainSeconds' | 'isReadyWhileDraining'>>;
  /** The spec of a PodDisruptionBudget, without its selector. */
  readonly budget?: object;
  /** Whether clients reuse connections. Default: false. */
  readonly keepAlive?: boolean;
  readonly expected: 'safe' | 'drops';
}

const recreate = { type: 'Recreate' };
const rolling = (maxUnavailable: number | string, maxSurge: number | string): object => ({
  type: 'RollingUpdate',
  rollingUpdate: { maxUnavailable, maxSurge },
});

/** The first rows cover the most: a run with few rows takes them. */
export const rows: readonly Row[] = [
  { name: 'rollout, preStop 10 s', action: 'rollout', preStop: 10, expected: 'safe' },
  { name: 'rollout, no preStop', action: 'rollout', expected: 'drops' },
  { name: 'drain, preStop 10 s, budget', action: 'drain', preStop: 10, budget: { maxUnavailable: 1 }, expected: 'safe' },
  { name: 'drain, no preStop', action: 'drain', expected: 'drops' },
  { name: 'scale-down, preStop 10 s', action: 'scaleDown', preStop: 10, expected: 'safe' },
  { name: 'rollout, preStop 10 s, no probe', action: 'rollout', preStop: 10, hasProbe: false, expected: 'drops' },
  { name: 'Recreate, preStop 10 s', action: 'rollout', strategy: recreate, preStop: 10, expected: 'drops' },
  { name: 'scale-down, no preStop', action: 'scaleDown', expected: 'drops' },

  { name: 'rollout, preStop 1 s', action: 'rollout', preStop: 1, expected: 'drops' },
  { name: 'rollout, exec preStop', action: 'rollout', preStop: 'exec', expected: 'drops' },
  { name: 'rollout, process drains 10 s', action: 'rollout', application: { drainSeconds: 10 }, expected: 'safe' },
  { name: 'rollout, process drains 1 s', action: 'rollout', application: { drainSeconds: 1 }, expected: 'drops' },
  {
    name: 'rollout, drains 10 s, not ready',
    action: 'rollout',
    application: { drainSeconds: 10, isReadyWhileDraining: false },
    expected: 'safe',
  },
  { name: 'rollout, closes at once', action: 'rollout', application: { onTerminate: 'close' }, expected: 'drops' },
  {
    name: 'rollout, preStop 10 s, closes at once',
    action: 'rollout',
    preStop: 10,
    application: { onTerminate: 'close' },
    expected: 'safe',
  },
  { name: 'rollout, ignores SIGTERM, grace 2 s', action: 'rollout', grace: 2, application: { onTerminate: 'ignore' }, expected: 'drops' },
  { name: 'rollout, ignores SIGTERM, grace 14 s', action: 'rollout', grace: 14, application: { onTerminate: 'ignore' }, expected: 'safe' },
  { name: 'rollout, exec preStop, grace 2 s', action: 'rollout', preStop: 'exec', grace: 2, expected: 'drops' },
  { name: 'rollout, drains 10 s, grace 2 s', action: 'rollout', grace: 2, application: { drainSeconds: 10 }, expected: 'drops' },
  { name: 'rollout, exec preStop, drains 10 s', action: 'rollout', preStop: 'exec', application: { drainSeconds: 10 }, expected: 'safe' },
  { name: 'rollout, preStop 5 s, drains 5 s', action: 'rollout', preStop: 5, application: { drainSeconds: 5 }, expected: 'safe' },

  { name: 'rollout, preStop 10 s, keep-alive', action: 'rollout', preStop: 10, keepAlive: true, expected: 'safe' },

  { name: 'rollout 0/1, 1 replica, preStop 10 s', action: 'rollout', replicas: 1, preStop: 10, expected: 'safe' },
  { name: 'rollout 0/1, 1 replica, no preStop', action: 'rollout', replicas: 1, expected: 'drops' },
  {
    name: 'rollout 1/0, 1 replica, preStop 2 s',
    action: 'rollout',
    replicas: 1,
    strategy: rolling(1, 0),
    preStop: 2,
    expected: 'drops',
  },
  { name: 'rollout 1/0, 2 replicas, preStop 10 s', action: 'rollout', replicas: 2, strategy: rolling(1, 0), preStop: 10, expected: 'safe' },
  { name: 'rollout 1/0, 2 replicas, no preStop', action: 'rollout', replicas: 2, strategy: rolling(1, 0), expected: 'drops' },
  {
    name: 'rollout 100%/0, 2 replicas, preStop 2 s',
    action: 'rollout',
    replicas: 2,
    strategy: rolling('100%', 0),
    preStop: 2,
    expected: 'drops',
  },
  { name: 'rollout 0/100%, 3 replicas, preStop 10 s', action: 'rollout', strategy: rolling(0, '100%'), preStop: 10, expected: 'safe' },
  { name: 'rollout 0/100%, 3 replicas, no preStop', action: 'rollout', strategy: rolling(0, '100%'), expected: 'drops' },
  {
    name: 'rollout 25%/25%, 4 replicas, preStop 10 s',
    action: 'rollout',
    replicas: 4,
    strategy: rolling('25%', '25%'),
    preStop: 10,
    expected: 'safe',
  },
  { name: 'rollout 25%/25%, 4 replicas, no preStop', action: 'rollout', replicas: 4, strategy: rolling('25%', '25%'), expected: 'drops' },
  { name: 'rollout 1/1, 3 replicas, preStop 10 s', action: 'rollout', strategy: rolling(1, 1), preStop: 10, expected: 'safe' },
  { name: 'rollout, 6 replicas, preStop 10 s', action: 'rollout', replicas: 6, strategy: rolling(0, 3), preStop: 10, expected: 'safe' },
  { name: 'rollout, 6 replicas, no preStop', action: 'rollout', replicas: 6, strategy: rolling(0, 3), expected: 'drops' },
  { name: 'rollout 2/0, 4 replicas, no preStop', action: 'rollout', replicas: 4, strategy: rolling(2, 0), expected: 'drops' },
  { name: 'rollout, no preStop, keep-alive', action: 'rollout', keepAlive: true, expected: 'drops' },
  { name: 'Recreate, no preStop', action: 'rollout', strategy: recreate, expected: 'drops' },
  { name: 'Recreate, no probe', action: 'rollout', strategy: recreate, hasProbe: false, expected: 'drops' },
  { name: 'Recreate, 1 replica', action: 'rollout', replicas: 1, strategy: recreate, preStop: 10, expected: 'drops' },
  { name: 'rollout 0/1, 1 replica, no probe', action: 'rollout', replicas: 1, preStop: 10, hasProbe: false, expected: 'drops' },
  { name: 'rollout, no probe, minReadySeconds 6', action: 'rollout', preStop: 10, hasProbe: false, minReadySeconds: 6, expected: 'drops' },
  { name: 'rollout, preStop 10 s, minReadySeconds 2', action: 'rollout', preStop: 10, minReadySeconds: 2, expected: 'safe' },
  { name: 'rollout, no preStop, minReadySeconds 2', action: 'rollout', minReadySeconds: 2, expected: 'drops' },

  { name: 'drain, preStop 10 s', action: 'drain', preStop: 10, expected: 'safe' },
  { name: 'drain, no preStop, budget', action: 'drain', budget: { maxUnavailable: 1 }, expected: 'drops' },
  { name: 'drain, 2 replicas, preStop 10 s', action: 'drain', replicas: 2, preStop: 10, expected: 'safe' },
  { name: 'drain, 2 replicas, no preStop', action: 'drain', replicas: 2, expected: 'drops' },
  { name: 'drain, 1 replica, preStop 15 s', action: 'drain', replicas: 1, preStop: 15, expected: 'safe' },
  { name: 'drain, 1 replica, no preStop', action: 'drain', replicas: 1, expected: 'drops' },
  { name: 'drain, 1 replica, preStop 3 s', action: 'drain', replicas: 1, preStop: 3, expected: 'drops' },
  {
    name: 'drain, 4 replicas, preStop 10 s, budget',
    action: 'drain',
    replicas: 4,
    preStop: 10,
    budget: { minAvailable: 3 },
    expected: 'safe',
  },
  { name: 'drain, 4 replicas, no preStop, budget', action: 'drain', replicas: 4, budget: { minAvailable: 3 }, expected: 'drops' },
  { name: 'drain, preStop 10 s, no probe', action: 'drain', preStop: 10, hasProbe: false, expected: 'drops' },
  { name: 'drain, process drains 10 s', action: 'drain', application: { drainSeconds: 10 }, expected: 'safe' },
  { name: 'drain, process drains 1 s', action: 'drain', application: { drainSeconds: 1 }, expected: 'drops' },
  { name: 'drain, 6 replicas, no preStop', action: 'drain', replicas: 6, expected: 'drops' },
  { name: 'drain, closes at once', action: 'drain', application: { onTerminate: 'close' }, expected: 'drops' },

  { name: 'scale-down, 4 replicas, preStop 10 s', action: 'scaleDown', replicas: 4, preStop: 10, expected: 'safe' },
  { name: 'scale-down, 4 replicas, no preStop', action: 'scaleDown', replicas: 4, expected: 'drops' },
  { name: 'scale-down, process drains 10 s', action: 'scaleDown', application: { drainSeconds: 10 }, expected: 'safe' },
  { name: 'scale-down, preStop 10 s, no probe', action: 'scaleDown', preStop: 10, hasProbe: false, expected: 'safe' },
  { name: 'scale-down, closes at once', action: 'scaleDown', application: { onTerminate: 'close' }, expected: 'drops' },
  { name: 'scale-down, process drains 1 s', action: 'scaleDown', application: { drainSeconds: 1 }, expected: 'drops' },
  { name: 'scale-down, 6 replicas, preStop 1 s', action: 'scaleDown', replicas: 6, preStop: 1, expected: 'drops' },

  { name: 'StatefulSet, rollout, preStop 10 s', action: 'rollout', kind: 'StatefulSet', preStop: 10, expected: 'safe' },
  { name: 'StatefulSet, rollout, no preStop', action: 'rollout', kind: 'StatefulSet', expected: 'drops' },
  { name: 'StatefulSet, rollout, 1 replica', action: 'rollout', kind: 'StatefulSet', replicas: 1, preStop: 10, expected: 'drops' },
  { name: 'StatefulSet, rollout, preStop 1 s', action: 'rollout', kind: 'StatefulSet', preStop: 1, expected: 'drops' },
  { name: 'StatefulSet, scale-down, no preStop', action: 'scaleDown', kind: 'StatefulSet', expected: 'drops' },
  { name: 'StatefulSet, scale-down, preStop 10 s', action: 'scaleDown', kind: 'StatefulSet', preStop: 10, expected: 'safe' },
  { name: 'StatefulSet, drain, preStop 10 s', action: 'drain', kind: 'StatefulSet', preStop: 10, expected: 'safe' },
  { name: 'StatefulSet, drain, no preStop', action: 'drain', kind: 'StatefulSet', expected: 'drops' },
];
