import { expect } from 'vitest';
import { scramble } from '../property/check.ts';
import { applyChange, changeLists } from '../property/slices-cluster.ts';
import { fc } from '../support/property.ts';
import { type Key, type Model, outcomeOf, type ServiceEvent, type Subject } from './history-model.ts';

/** One event that the model and the reconcilers both process. The model is the specification with its state. */
type HistoryCommand = fc.Command<Model, Subject>;

/** Sequences of commands. Each command is possible at any time. */
export const histories = (maxCommands: number): fc.Arbitrary<Iterable<HistoryCommand>> => {
  const frequentCommands = [changes, changes, endpointsSyncs, endpointsSyncs, slicesSyncs, slicesSyncs];
  return fc.commands(
    [
      ...frequentCommands,
      ...frequentCommands,
      readiness,
      readiness,
      readiness,
      sharedAddresses,
      serviceEvents,
      foreignWrites,
      foreignWrites,
      deletionReports,
      deletionReports,
      overloadChecks,
    ],
    { maxCommands, size: 'max' },
  );
};

const serviceKeys = fc.constantFrom<Key>('shop/web', 'shop/web', 'shop/web', 'shop/api');
const rarely = fc.integer({ min: 0, max: 5 }).map((n) => n === 5);
const mostly = fc.integer({ min: 0, max: 5 }).map((n) => n < 5);

const command = (
  name: string,
  parameters: unknown,
  run: (model: Model, subject: Subject) => void,
  isPossible = (_: Readonly<Model>) => true,
): HistoryCommand => ({
  check: isPossible,
  run,
  toString: () => `${name}(${JSON.stringify(parameters)})`,
});

const writesSlices = (model: Readonly<Model>): boolean => model.hasSlices;

/** Pods, nodes, and the Service change. */
const changes = changeLists.map((list) =>
  command('change', list, ({ cluster }) => {
    for (const each of list) applyChange(cluster, each);
  }),
);

const times = fc.oneof(
  { weight: 12, arbitrary: fc.integer({ min: 0, max: 59 }).map((second) => `2026-01-01T12:00:${String(second).padStart(2, '0')}Z`) },
  { weight: 2, arbitrary: fc.integer({ min: 0, max: 59 }).map((second) => new Date(Date.UTC(2026, 0, 1, 12, 0, second))) },
  { weight: 1, arbitrary: fc.constantFrom('0001-01-01T00:00:00Z', 'no time', null) },
);

/** A pod gets the addresses of another pod, and in some cases its UID, so that both may become one endpoint. */
const sharedAddresses = fc.record({ target: fc.nat({ max: 63 }), source: fc.nat({ max: 63 }), uid: fc.boolean() }).map((parameters) =>
  command('twin', parameters, ({ cluster }) => {
    const target = parameters.target % Math.max(cluster.pods.length, 1);
    const other = cluster.pods[parameters.source % Math.max(cluster.pods.length, 1)];
    cluster.pods = cluster.pods.map((pod, i) => {
      if (i !== target) return pod;
      const metadata = parameters.uid ? { ...pod.metadata, uid: other?.metadata?.uid } : pod.metadata;
      return { ...pod, metadata, status: { ...other?.status, conditions: pod.status?.conditions } };
    });
  }),
);

/** The readiness of a pod changes at some time. An invalid time lasts until the next of these commands. */
const readiness = fc.record({ target: fc.nat({ max: 63 }), ready: fc.boolean(), time: times }).map((parameters) =>
  command('readiness', parameters, ({ cluster }) => {
    const target = parameters.target % Math.max(cluster.pods.length, 1);
    cluster.pods = cluster.pods.map((pod, i) => {
      const [condition] = pod.status?.conditions ?? [];
      const isInvalid = condition?.lastTransitionTime === 'no time';
      if (i !== target && !isInvalid) return pod;
      const readyCondition = {
        type: 'Ready',
        status: parameters.ready ? 'True' : 'False',
        lastTransitionTime: i === target ? parameters.time : null,
      };
      return { ...pod, status: { ...pod.status, conditions: [readyCondition] } };
    });
  }),
);

/** A Service is deleted or changed, or the reconcilers forget it. */
const serviceEvents = fc
  .record({
    key: serviceKeys,
    event: fc.constantFrom<ServiceEvent | 'forget'>('delete', 'unmanage', 'restore', 'restore', 'tolerate', 'age', 'forget'),
  })
  .map((parameters) =>
    command('service', parameters, (model, { reconcilers }) => {
      if (parameters.event !== 'forget') return model.change(parameters.key, parameters.event);
      model.forget(parameters.key);
      for (const { reconciler } of reconcilers) reconciler.forget(parameters.key);
    }),
  );

/** A sync of Endpoints. The cache may lag, the write may fail, and its response may be lost. */
const endpointsSyncs = fc
  .record({ key: serviceKeys, isCacheStale: rarely, isWritten: mostly, isAnswered: mostly, usesFeed: mostly })
  .map((parameters) =>
    command('syncEndpoints', parameters, (model, subject) => {
      subject.useFeeds(parameters.usesFeed);
      const request = model.endpointsRequest(parameters.key, parameters.isCacheStale);
      const expected = model.planEndpoints(request);
      for (const { name, reconciler } of subject.reconcilers) expectOutcome(name, () => reconciler.reconcile(request), expected);
      const written = parameters.isWritten && typeof expected !== 'string' ? model.writeEndpoints(request, expected) : undefined;
      if (!written || !parameters.isAnswered) return;
      model.observeEndpoints(parameters.key, written);
      for (const { reconciler } of subject.reconcilers) reconciler.observe(written);
    }),
  );

/** A sync of slices. The cache may lag or lack a slice; writes may fail, and their responses may be lost. */
const slicesSyncs = fc
  .record({
    key: serviceKeys,
    isCacheStale: rarely,
    isSliceMissing: rarely,
    isWritten: mostly,
    isAnswered: mostly,
    usesFeed: mostly,
    pick: fc.nat({ max: 63 }),
  })
  .map((parameters) =>
    command(
      'syncSlices',
      parameters,
      (model, subject) => {
        subject.useFeeds(parameters.usesFeed);
        const request = model.slicesRequest(
          parameters.key,
          parameters.isCacheStale,
          parameters.isSliceMissing ? parameters.pick : undefined,
        );
        const expected = model.planSlices(request);
        for (const { name, reconciler } of subject.reconcilers) expectOutcome(name, () => reconciler.reconcileSlices(request), expected);
        if (!parameters.isWritten || typeof expected === 'string') return;
        const { written, deleted } = model.writeSlices(expected);
        if (!parameters.isAnswered) return;
        model.observeSlices(written, deleted);
        for (const { reconciler } of subject.reconcilers) {
          for (const slice of written) reconciler.observe(slice);
          for (const slice of deleted) reconciler.expectDeletion(slice);
        }
      },
      writesSlices,
    ),
  );

/** Another client writes or deletes a slice, or empties Endpoints. */
const foreignWrites = fc
  .record({
    kind: fc.constantFrom('drop', 'copy', 'copy', 'relabel', 'delete', 'endpoints'),
    key: serviceKeys,
    pick: fc.nat({ max: 63 }),
  })
  .map((parameters) =>
    command('foreignWrite', parameters, (model) => model.writeForeign(parameters.kind, parameters.key, parameters.pick)),
  );

/** The cache reports a deletion after a delay. */
const deletionReports = fc.constant(
  command(
    'reportDeletion',
    'next',
    (model, { reconcilers }) => {
      const slice = model.takeDeletion();
      if (!slice) return;
      const expected = model.handleDeletion(slice);
      for (const { name, reconciler } of reconcilers) expect(reconciler.handleDeletion(slice), name).toBe(expected);
    },
    writesSlices,
  ),
);

/** Compares the Services whose hints no longer fit the nodes. */
const overloadChecks = fc.constant(
  command(
    'overloadedServices',
    'now',
    (model, { reconcilers }) => {
      const expected = model.overloadedServices().sort();
      for (const { name, reconciler } of reconcilers)
        expect(reconciler.overloadedServices(model.cluster.nodes ?? []).sort(), name).toEqual(expected);
    },
    writesSlices,
  ),
);

/** Compares a plan or an error message. Then overwrites the plan, so that the test fails if a reconciler reuses a plan it returned. */
function expectOutcome<Plan>(name: string, plan: () => Plan, expected: Plan | string): void {
  const outcome = outcomeOf(plan);
  expect(outcome, name).toStrictEqual(expected);
  scramble(outcome);
}
