import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkSimulation } from '@kube-endpoints/simulator';
import { createScenario, type History, readRecording } from '@kube-endpoints/simulator/internal';
import { expect, test } from 'vitest';
import { repeatWrites } from '../../src/recording/scenario-steps.ts';

const log = readFileSync(join(import.meta.dirname, '../../../../examples/recording/audit.log'), 'utf8');
const service = { namespace: 'shop', name: 'web' };

const read = (text: string): Promise<History> =>
  readRecording([
    {
      name: 'audit.log',
      async *read() {
        yield text;
      },
    },
  ]);

/** The objects that a step applies, by kind and replicas. */
const summarize = ({ apply, ...step }: Readonly<Record<string, unknown>>): object => ({
  ...step,
  ...(apply !== undefined && {
    apply: (apply as readonly { kind: string; spec: { replicas?: number } }[]).map(({ kind, spec }) => [kind, spec.replicas]),
  }),
});

const evictOne = { evict: { namespace: 'shop', selector: { app: 'web' }, count: 1 } };
const deleteService = { delete: { kind: 'Service', namespace: 'shop', name: 'web' } };

test('a scenario repeats what users did, probes that failed, and a controller that stood still', async () => {
  const { scenario, notRepeated } = createScenario(await read(log), service);
  expect(scenario.objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toStrictEqual([
    'Node n1',
    'Node n2',
    'Service web',
    'Deployment web',
  ]);
  expect(scenario.objects[0]).toStrictEqual({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'n1' }, spec: {} });
  expect(scenario.steps.map(summarize)).toStrictEqual([
    { at: '46.955s', apply: [['Deployment', 3]] },
    { at: '52.205s', ...evictOne },
    { at: '54.559s', apply: [['Deployment', 0]] },
    { at: '59.848s', ...deleteService },
  ]);
  expect(scenario.faults).toStrictEqual([
    { from: '0s', to: '34.145s', failProbe: { namespace: 'shop', selector: { app: 'web' }, probe: 'readiness' } },
    { from: '34.155s', to: '44.835s', stopController: { name: 'endpointslice-controller' } },
  ]);
  expect(notRepeated).toStrictEqual([]);
});

test('a scenario may begin later', async () => {
  const { scenario } = createScenario(await read(log), service, Date.parse('2026-11-30T03:55:50Z'));
  expect(scenario.objects.find(({ kind }) => kind === 'Deployment')?.['spec']).toMatchObject({ replicas: 3 });
  expect(scenario.steps.map(summarize)).toStrictEqual([
    { at: '3.553s', ...evictOne },
    { at: '5.907s', apply: [['Deployment', 0]] },
    { at: '11.196s', ...deleteService },
  ]);
  expect(scenario.faults).toStrictEqual([]);
});

test('pods that the node lifecycle controller marks unready are not repeated', async () => {
  const text = log.replaceAll('"username":"system:node:n1"', '"username":"system:serviceaccount:kube-system:node-controller"');
  const { scenario, notRepeated } = createScenario(await read(text), service);
  expect(scenario.faults).toStrictEqual([{ from: '9.693s', to: '20.373s', stopController: { name: 'endpointslice-controller' } }]);
  expect(notRepeated.map(({ losses }) => losses.length)).toStrictEqual([2]);
});

test('a recording without a part of the Service gives no scenario', async () => {
  const lines = log.split('\n');
  const without = (kind: string): string => lines.filter((line) => !line.includes(`"objectRef":{"resource":"${kind}"`)).join('\n');
  const deployments = await read(without('deployments'));
  expect(() => createScenario(deployments, service)).toThrow('does not show a Deployment of shop at the start: add a dump');
  const beginning = await read(lines.slice(0, 8).join('\n'));
  expect(() => createScenario(beginning, service)).toThrow('Service shop/web never had a ready address: there is nothing to repeat');
});

test('a recording of more than six hours needs a later start', async () => {
  const history = await read(log.replaceAll('2026-11-30T03:55:5', '2026-11-30T10:55:5').replaceAll('2026-11-30T03:56', '2026-11-30T10:56'));
  expect(() => createScenario(history, service)).toThrow('a scenario lasts at most 6 hours: start it later, with --at');
  const { scenario } = createScenario(history, service, Date.parse('2026-11-30T10:55:50Z'));
  expect(scenario.steps[0]?.at).toBe('3.553s');
});

test('an object that is deleted and created again is applied again, even with the same spec', () => {
  const object = { apiVersion: 'v1', kind: 'Service', metadata: service, spec: { selector: { app: 'web' } } };
  const time = { earliest: 0, latest: 0, source: 'audit' } as const;
  const versions = (['create', 'update', 'delete', 'create'] as const).map((change, id): History['versions'][number] => ({
    ...{ id, change, kind: 'Service', ...service, object, isDerived: false, time, place: 'audit.log:1' },
  }));
  expect(repeatWrites(versions).map(({ version: { id }, step }) => [id, step])).toStrictEqual([
    [0, { apply: [object] }],
    [2, deleteService],
    [3, { apply: [object] }],
  ]);
});

test('a step takes only the oldest pods of a count', () => {
  const steps = (count: unknown): readonly unknown[] => [
    { at: '0s', evict: { namespace: 'shop', selector: { app: 'web' }, count } },
    { at: '0s', delete: { kind: 'Pod', namespace: 'shop', selector: { app: 'web' }, count: 1 } },
  ];
  const pods = ['web-1', 'web-2', 'web-3'].map((name) => ({
    ...{ apiVersion: 'v1', kind: 'Pod', metadata: { namespace: 'shop', name, labels: { app: 'web' } } },
    spec: { containers: [{ name: 'web', image: 'web:1', ports: [{ containerPort: 80 }] }], terminationGracePeriodSeconds: 30 },
  }));
  const web = { apiVersion: 'v1', kind: 'Service', metadata: service, spec: { selector: { app: 'web' }, ports: [{ port: 80 }] } };
  const options = { objects: [web, ...pods], seeds: 1, searchesFix: false };
  const { worst } = checkSimulation({ ...options, steps: steps(1) });
  const removed = worst.timeline.flatMap((entry) =>
    entry.type === 'delete' && entry.object.kind === 'Pod' ? [entry.object.metadata.name] : [],
  );
  expect(removed).toStrictEqual(['web-1', 'web-2']);
  expect(() => checkSimulation({ ...options, steps: steps(0) })).toThrow('steps[0].evict.count: give a whole number from 1 to 1000');
});
