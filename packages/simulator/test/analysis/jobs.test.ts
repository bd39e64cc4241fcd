import type { ApiObject } from 'kube-endpoints/port';
import { describe, expect, test } from 'vitest';
import { completeWorld } from '../../src/analysis/complete-world.ts';
import { listFixes } from '../../src/analysis/search.ts';
import { checkDrain, checkRollout, checkSimulation, type RolloutCheck } from '../../src/index.ts';

const labels = { app: 'work' };

const job = (spec: object = {}, container: object = {}, status?: object): ApiObject => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name: 'work' },
  spec: {
    parallelism: 2,
    ...spec,
    template: {
      metadata: { labels },
      spec: {
        restartPolicy: 'Never',
        containers: [
          {
            name: 'work',
            image: 'work:1',
            ports: [{ containerPort: 8080 }],
            readinessProbe: { tcpSocket: { port: 8080 }, periodSeconds: 5 },
            ...container,
          },
        ],
      },
    },
  },
  ...(status && { status }),
});

const service: ApiObject = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'work' },
  spec: { selector: labels, ports: [{ port: 80, targetPort: 8080 }] },
};

const lifecycle = { preStop: { sleep: { seconds: 10 } } };
const options = { seeds: 0, searchesFix: false };

interface Status {
  readonly active?: number;
  readonly succeeded?: number;
  readonly failed?: number;
  readonly conditions?: readonly { readonly type: string }[];
}

/** The last state of the Job in the worst run; undefined if it is deleted. */
function jobOf({ worst: { timeline } }: RolloutCheck): (ApiObject & { readonly status?: Status }) | undefined {
  const last = timeline.findLast((entry) => 'object' in entry && entry.type !== 'event' && entry.object.kind === 'Job');
  return last?.type === 'create' || last?.type === 'update' ? last.object : undefined;
}

const conditionsOf = (check: RolloutCheck): (string | undefined)[] => (jobOf(check)?.status?.conditions ?? []).map(({ type }) => type);

/** How many pods of the Job there are before the start, and how many are created since then. */
function creationsOf({ worst: { timeline, since } }: RolloutCheck): { readonly before: number; readonly after: number } {
  const times = timeline.flatMap((entry) => (entry.type === 'create' && entry.object.kind === 'Pod' ? [entry.at] : []));
  return { before: times.filter((at) => at < since).length, after: times.filter((at) => at >= since).length };
}

const kindsOf = ({ worst }: RolloutCheck): string[] => [...new Set(worst.drops.map(({ kind }) => kind))].sort();

describe('a drain of nodes with pods of a Job', () => {
  const drain = (objects: readonly ApiObject[], searchesFix = false): RolloutCheck =>
    checkDrain({ seeds: 0, searchesFix, objects: [service, ...objects], nodes: ['n1'] });

  test('drops requests without a preStop hook, and the Job replaces its pod', () => {
    const check = drain([job({ parallelism: 3 })]);
    expect({ verdict: check.verdict, kinds: kindsOf(check), unfinished: check.worst.unfinished }).toStrictEqual({
      verdict: 'drops',
      kinds: ['closed'],
      unfinished: [],
    });
    expect(jobOf(check)?.status).toMatchObject({ active: 3, ready: 3, failed: 1 });
    expect(creationsOf(check)).toStrictEqual({ before: 3, after: 1 });
  });

  test('has a preStop hook in the Job as its fix', () => {
    const { fix } = drain([job({ parallelism: 3 })], true);
    expect(fix?.parts).toMatchObject([{ name: 'preStopSleep', workloads: ['Job default/work'] }]);
    expect(fix?.check.verdict).toBe('safe');
  });

  test('has no proof, because the pods may end by themselves', () => {
    const { verdict, proof } = drain([job({ parallelism: 3 }, { lifecycle })]);
    expect({ verdict, proof }).toStrictEqual({
      verdict: 'safe',
      proof: { holds: false, sentences: ['the pods of Job default/work, which Service default/work selects, may end by themselves'] },
    });
  });

  test('does not finish if the new pods fit on no node', () => {
    const objects = [service, job({}, { lifecycle })];
    const { worst } = checkDrain({ ...options, objects, nodes: ['n1', 'n2', 'n3'] });
    expect(worst.unfinished).toStrictEqual(['Job default/work (0/3 nodes are available: 3 node(s) were unschedulable)']);
  });

  test('ends with the pods of a Job that has completed', () => {
    const check = checkDrain({ ...options, objects: [job()], nodes: ['n1', 'n2', 'n3'], application: { exitAfterSeconds: 60 } });
    expect({ verdict: check.verdict, conditions: conditionsOf(check) }).toStrictEqual({
      verdict: 'safe',
      conditions: ['SuccessCriteriaMet', 'Complete'],
    });
    expect(creationsOf(check)).toStrictEqual({ before: 2, after: 0 });
  });
});

describe('a change of a Job', () => {
  const rollout = (before: readonly ApiObject[], after: ApiObject, more: object = {}): RolloutCheck =>
    checkRollout({ ...options, objects: [service, ...before], change: [after], ...more });

  test('that creates it runs its pods until they exit, and the Service then has no endpoint', () => {
    const check = rollout([], job({ completions: 4 }), { application: { exitAfterSeconds: 120 } });
    expect({ conditions: conditionsOf(check), kinds: kindsOf(check), unfinished: check.worst.unfinished }).toStrictEqual({
      conditions: ['SuccessCriteriaMet', 'Complete'],
      kinds: ['closed', 'cut', 'noEndpoints'],
      unfinished: [],
    });
    expect(creationsOf(check)).toStrictEqual({ before: 0, after: 4 });
    expect(check.worst.drops.at(-1)).toMatchObject({ isOngoing: true });
  });

  test('that creates it leaves its pods running without a time', () => {
    const check = rollout([], job({ completions: 4 }));
    expect({ verdict: check.verdict, status: jobOf(check)?.status?.active }).toStrictEqual({ verdict: 'safe', status: 2 });
  });

  test('of its parallelism deletes pods, and has no proof', () => {
    const check = rollout([job({}, { lifecycle })], job({ parallelism: 1 }, { lifecycle }));
    expect({ verdict: check.verdict, active: jobOf(check)?.status?.active }).toStrictEqual({ verdict: 'safe', active: 1 });
    expect(check.proof).toMatchObject({
      holds: false,
      sentences: [
        'the change applies Job default/work: only changes of Deployments, StatefulSets and DaemonSets can be proved',
        'the pods of Job default/work, which Service default/work selects, may end by themselves',
        'the update of Job default/work may leave Service default/work without a ready pod',
      ],
    });
    expect(creationsOf(rollout([job()], job({ parallelism: 3 })))).toStrictEqual({ before: 2, after: 1 });
  });

  test('of its parallelism has a fix that sets the template before the change, too', () => {
    const withoutProbe = (parallelism: number): ApiObject => job({ parallelism }, { readinessProbe: undefined });
    const { fix } = checkRollout({ seeds: 0, objects: [service, withoutProbe(2)], change: [withoutProbe(3)] });
    expect(fix?.parts).toMatchObject([{ name: 'readinessProbe', workloads: ['Job default/work'] }]);
  });

  test('that suspends it deletes its pods', () => {
    const check = rollout([job()], job({ suspend: true }));
    expect({ kinds: kindsOf(check), unfinished: check.worst.unfinished }).toStrictEqual({
      kinds: ['closed', 'noEndpoints'],
      unfinished: [],
    });
    expect(conditionsOf(check)).toStrictEqual(['Suspended']);
    expect(jobOf(check)?.status?.active ?? 0).toBe(0);
  });

  test('of its template is refused, as by the API server', () => {
    expect(() => rollout([job()], job({}, { image: 'work:2' }))).toThrow(
      /^Job.batch "work" is invalid: spec.template: .*field is immutable/,
    );
  });

  test('that changes nothing is safe', () => {
    const check = rollout([job()], job());
    expect({ verdict: check.verdict, creations: creationsOf(check) }).toStrictEqual({
      verdict: 'safe',
      creations: { before: 2, after: 0 },
    });
  });
});

test('deleting a Job deletes its pods, as kubectl does', () => {
  const check = checkSimulation({
    ...options,
    objects: [service, job({}, { lifecycle })],
    steps: [{ at: '1s', delete: { kind: 'Job', name: 'work' } }],
  });
  expect({ job: jobOf(check), kinds: kindsOf(check), unfinished: check.worst.unfinished }).toStrictEqual({
    job: undefined,
    kinds: ['closed', 'noEndpoints'],
    unfinished: [],
  });
  const deleted = check.worst.timeline.filter((entry) => entry.type === 'delete' && entry.object.kind === 'Pod');
  expect(deleted).toHaveLength(2);
});

test('a Job that a step creates ends after the time of its application', () => {
  const other = { ...service, metadata: { name: 'other' }, spec: { selector: { app: 'other' }, ports: [{ port: 80 }] } };
  const check = checkSimulation({
    ...options,
    objects: [other],
    applications: [{ selector: labels, application: { exitAfterSeconds: 1800 } }],
    steps: [{ at: '1m', apply: job({ completions: 2 }) }],
  });
  expect({ conditions: conditionsOf(check), unfinished: check.worst.unfinished }).toStrictEqual({
    conditions: ['SuccessCriteriaMet', 'Complete'],
    unfinished: [],
  });
});

test('a time of a process that is not a whole number of seconds is refused', () => {
  const fix = 'application.exitAfterSeconds: give a whole number from 1 to 86400';
  expect(() => checkDrain({ ...options, objects: [], nodes: ['n1'], application: { exitAfterSeconds: 0 } })).toThrow(new RangeError(fix));
});

test('a rollout has a proof if no Service of it selects pods of a Job', () => {
  const web = { app: 'web' };
  const deployment = (image: string): ApiObject => ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web' },
    spec: {
      replicas: 2,
      selector: { matchLabels: web },
      template: {
        metadata: { labels: web },
        spec: {
          containers: [{ name: 'web', image, lifecycle, ports: [{ containerPort: 8080 }], readinessProbe: { tcpSocket: { port: 8080 } } }],
        },
      },
    },
  });
  const proofWith = (services: number): RolloutCheck['proof'] => {
    const ofJob = Array.from({ length: services }, (_, i) => ({ ...service, metadata: { name: `work-${i}` } }));
    const ofWeb = { ...service, metadata: { name: 'web' }, spec: { ...(service['spec'] as object), selector: web } };
    return checkRollout({ ...options, objects: [...ofJob, ofWeb, job(), deployment('web:1')], change: [deployment('web:2')] }).proof;
  };
  expect(proofWith(4)).toMatchObject({ holds: true, sentences: [expect.stringContaining('last 4.8 s'), expect.anything()] });
  // The Services of Jobs may change at the same time, so that each of five workers may sync two Services.
  expect(proofWith(5)).toMatchObject({ holds: true, sentences: [expect.stringContaining('last 5.1 s'), expect.anything()] });
});

test('fixes of a Job leave out what only other workloads have', () => {
  expect(listFixes(completeWorld({ objects: [job({}, { readinessProbe: undefined })], change: [] }))).toStrictEqual([
    'a preStop sleep',
    'a longer termination grace period',
    'a readiness probe',
  ]);
});

test('a Job whose pods fail is tried again after its back-off', () => {
  const faults = [{ from: '1s', to: '6m', crash: { selector: labels } }];
  const check = checkSimulation({ ...options, objects: [job({ parallelism: 1 })], faults });
  expect({ unfinished: check.worst.unfinished, status: jobOf(check)?.status }).toMatchObject({
    unfinished: [],
    status: { active: 1, ready: 1 },
  });
});

test('a Job whose processes crash fails after its last attempt', () => {
  const check = checkSimulation({ ...options, objects: [job()], faults: [{ from: '1s', to: '1h', crash: { selector: labels } }] });
  expect(conditionsOf(check)).toStrictEqual(['FailureTarget', 'Failed']);
});

describe('a Job of a cluster', () => {
  const uid = '7f4e1c1e-0000-4000-8000-000000000001';
  const generated = {
    'batch.kubernetes.io/controller-uid': uid,
    'controller-uid': uid,
    'batch.kubernetes.io/job-name': 'work',
    'job-name': 'work',
  };

  /** As `kubectl get -o yaml` prints it. */
  function stored(spec: object, status: object): ApiObject {
    const written = job(spec, {}, { startTime: '2026-01-01T00:00:00Z', ...status }) as ApiObject & { spec: { template: object } };
    const template = { ...written.spec.template, metadata: { labels: { ...labels, ...generated } } };
    return {
      ...written,
      metadata: { name: 'work', namespace: 'default', uid, generation: 1, labels: { ...labels, ...generated } },
      spec: {
        ...written.spec,
        selector: { matchLabels: { 'batch.kubernetes.io/controller-uid': uid } },
        template,
      },
    } as ApiObject;
  }
  const drain = (object: ApiObject): RolloutCheck => checkDrain({ ...options, objects: [service, object], nodes: ['n1'] });

  test('gets its pods again, without those that have succeeded', () => {
    const status = { active: 1, ready: 1, succeeded: 3, uncountedTerminatedPods: {} };
    const check = drain(stored({ completions: 4, activeDeadlineSeconds: 3600 }, status));
    expect(creationsOf(check).before).toBe(1);
    expect(jobOf(check)?.status).toMatchObject({ active: 1, succeeded: 3 });
  });

  test('creates no pods if it has ended', () => {
    const conditions = [{ type: 'Complete', status: 'True' }];
    const check = drain(stored({}, { succeeded: 2, conditions }));
    expect({ verdict: check.verdict, creations: creationsOf(check) }).toStrictEqual({
      verdict: 'safe',
      creations: { before: 0, after: 0 },
    });
  });

  test('can be applied as its author wrote it', () => {
    const change = [job({ parallelism: 3 })];
    const check = checkRollout({ ...options, objects: [service, stored({}, { active: 2, ready: 2 })], change });
    expect(creationsOf(check)).toStrictEqual({ before: 2, after: 1 });
  });

  test('is left out if a CronJob controls it', () => {
    const { metadata, ...rest } = stored({}, {});
    const owned = { ...rest, metadata: { ...metadata, ownerReferences: [{ kind: 'CronJob', name: 'c', uid: 'c', controller: true }] } };
    expect(jobOf(drain(owned))).toBeUndefined();
  });
});
