import { describe, expect, it } from 'vitest';
import { createReconciler, createReconcilerFor } from '../../src/incremental/reconciler.ts';
import type { Plan } from '../../src/spec/plan.ts';
import { settingsFor } from '../../src/spec/settings.ts';
import type { Endpoints, EndpointsInput } from '../../src/types/index.ts';
import { httpPort, makeAddress, makePod, makeService } from '../spec/objects.ts';

const key = 'shop/web';
const triggerTimeAnnotation = 'endpoints.kubernetes.io/last-change-trigger-time';
const managedByLabels = { 'endpoints.kubernetes.io/managed-by': 'endpoint-controller' };
const storedEndpoints: EndpointsInput = {
  metadata: { name: 'web', namespace: 'shop', resourceVersion: '5', labels: managedByLabels },
  subsets: [{ addresses: [makeAddress()], ports: [httpPort] }],
};

describe('trigger times', () => {
  const service = makeService({}, { uid: 'u1', creationTimestamp: '2026-01-01T00:00:10Z' });
  const podReadyAt = (seconds: string, name = 'a') =>
    makePod(name, { status: { conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: `2026-01-01T00:00:${seconds}Z` }] } });
  const timeOf = ({ object }: Plan) => object?.metadata.annotations?.[triggerTimeAnnotation];

  it('start with the creation of the Service, then follow the pods that changed', () => {
    const reconciler = createReconciler();
    expect(timeOf(reconciler.reconcile({ key, service, pods: [podReadyAt('05')] }))).toBe('2026-01-01T00:00:10Z');
    expect(timeOf(reconciler.reconcile({ key, service, pods: [podReadyAt('20')] }))).toBe('2026-01-01T00:00:20Z');
    expect(timeOf(reconciler.reconcile({ key, service, pods: [podReadyAt('20')] }))).toBeUndefined();
  });

  it('ignore pods that the Service does not select', () => {
    const reconciler = createReconciler();
    reconciler.reconcile({ key, service, pods: [] });
    const other = { ...podReadyAt('30', 'b'), metadata: { name: 'b', namespace: 'shop', labels: {} } };
    expect(timeOf(reconciler.reconcile({ key, service, pods: [other] }))).toBeUndefined();
  });

  it.each<[string, (reconciler: ReturnType<typeof createReconciler>) => unknown]>([
    ['forget', (reconciler) => reconciler.forget(key)],
    ['a deletion', (reconciler) => reconciler.reconcile({ key, pods: [] })],
  ])('start from the creation again after %s', (_, action) => {
    const reconciler = createReconciler();
    reconciler.reconcile({ key, service, pods: [podReadyAt('20')] });
    action(reconciler);
    expect(timeOf(reconciler.reconcile({ key, service, pods: [podReadyAt('20')] }))).toBe('2026-01-01T00:00:10Z');
  });

  it('start from the creation again for a new Service of the same name', () => {
    const reconciler = createReconciler();
    reconciler.reconcile({ key, service, pods: [podReadyAt('20')] });
    const other = makeService({}, { uid: 'u2', creationTimestamp: '2026-01-01T00:00:10Z' });
    expect(timeOf(reconciler.reconcile({ key, service: other, pods: [podReadyAt('20')] }))).toBe('2026-01-01T00:00:10Z');
    expect(timeOf(reconciler.reconcile({ key, service: other, pods: [podReadyAt('20')] }))).toBeUndefined();
  });

  it('are also tracked for a Service without metadata', () => {
    const reconciler = createReconciler();
    const namelessService = { spec: { selector: {} } };
    const pod = { status: { conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: '2026-01-01T00:00:20Z' }] } };
    expect(timeOf(reconciler.reconcile({ key: '/', service: namelessService, pods: [] }))).toBeUndefined();
    expect(timeOf(reconciler.reconcile({ key: '/', service: namelessService, pods: [pod] }))).toBe('2026-01-01T00:00:20Z');
  });

  it('are tracked per key', () => {
    const reconciler = createReconciler();
    reconciler.reconcile({ key, service, pods: [podReadyAt('20')] });
    expect(timeOf(reconciler.reconcile({ key: 'shop/other', service, pods: [podReadyAt('20')] }))).toBe('2026-01-01T00:00:10Z');
    reconciler.forget('shop/other');
    expect(timeOf(reconciler.reconcile({ key, service, pods: [podReadyAt('20')] }))).toBeUndefined();
  });

  it('are written in the time zone of the controller before 1.22', () => {
    const reconciler = createReconcilerFor(settingsFor({ version: '1.21', timeZone: 'Europe/Berlin' }));
    expect(timeOf(reconciler.reconcile({ key, service, pods: [] }))).toBe('2026-01-01T01:00:10+01:00');
  });
});

describe('a stale Endpoints cache', () => {
  const input = { key, service: makeService(), pods: [makePod('b')], current: storedEndpoints };
  const createResponse = (object: Endpoints | undefined, resourceVersion: string): EndpointsInput => ({
    ...object,
    metadata: { ...object?.metadata, resourceVersion },
  });

  /** Updates resourceVersion 5, observes the response, and then syncs with resourceVersion 5 again. */
  function syncTwice(
    version: string,
    resourceVersion: string,
  ): { reconciler: ReturnType<typeof createReconciler>; second: Plan; written: EndpointsInput } {
    const reconciler = createReconciler({ version });
    const { action, object } = reconciler.reconcile(input);
    expect(action).toBe('update');
    const written = createResponse(object, resourceVersion);
    reconciler.observe(written);
    return { reconciler, second: reconciler.reconcile(input), written };
  }

  it.each([
    ['1.31.2', '6', 'retry'],
    ['1.31.2', '5', 'update'],
    ['1.31.1', '6', 'retry'],
    ['1.31.1', '5', 'retry'],
    ['1.30.2', '6', 'update'],
    ['1.30.2', '5', 'update'],
  ])('in %s, after a response with resourceVersion %s, leads to the action %s', (version, resourceVersion, action) => {
    const { second } = syncTwice(version, resourceVersion);
    expect(second.action).toBe(action);
    const message = 'The cached Endpoints are older than the last update; sync again when the cache is up to date.';
    if (action === 'retry') expect(second).toEqual({ action, reasons: [{ code: 'EndpointsStale', message }] });
  });

  it('is detected only while it contains the Endpoints from before the update', () => {
    const { reconciler, written } = syncTwice('1.37', '6');
    expect(reconciler.reconcile({ ...input, current: written }).action).toBe('none');
    expect(reconciler.reconcile(input).action).toBe('retry');
  });

  it('is still detected after several retries', () => {
    const { reconciler } = syncTwice('1.37', '6');
    for (let i = 0; i < 3; i++) expect(reconciler.reconcile(input).action).toBe('retry');
  });

  it.each<[string, (reconciler: ReturnType<typeof createReconciler>) => unknown]>([
    ['forget', (reconciler) => reconciler.forget(key)],
    ['a deletion', (reconciler) => reconciler.reconcile({ key, pods: [] })],
  ])('is accepted after %s', (_, action) => {
    const { reconciler } = syncTwice('1.37', '6');
    action(reconciler);
    expect(reconciler.reconcile(input).action).toBe('update');
  });

  it('is not assumed after a create', () => {
    const reconciler = createReconciler();
    const { object } = reconciler.reconcile({ key, service: makeService(), pods: [makePod()] });
    reconciler.observe(createResponse(object, '1'));
    expect(reconciler.reconcile({ key, service: makeService(), pods: [makePod()] }).action).toBe('create');
  });

  it('is not detected without a resourceVersion', () => {
    const reconciler = createReconciler();
    const inputWithoutVersion = {
      ...input,
      current: { ...storedEndpoints, metadata: { labels: managedByLabels, name: 'web', namespace: 'shop' } },
    };
    const { object } = reconciler.reconcile(inputWithoutVersion);
    reconciler.observe(createResponse(object, '6'));
    expect(reconciler.reconcile(inputWithoutVersion).action).toBe('update');
    const inputWithNullVersion = {
      ...inputWithoutVersion,
      current: { ...inputWithoutVersion.current, metadata: { ...inputWithoutVersion.current.metadata, resourceVersion: null } },
    };
    reconciler.reconcile(inputWithNullVersion);
    reconciler.observe({ metadata: { name: 'web', namespace: 'shop' } });
    expect(reconciler.reconcile(inputWithNullVersion).action).toBe('update');
  });

  it('is not assumed after observing an object without a preceding sync', () => {
    const reconciler = createReconciler();
    reconciler.observe({});
    reconciler.observe({ metadata: null });
    reconciler.observe({ metadata: { name: 'web', namespace: 'shop', resourceVersion: '9' } });
    expect(
      reconciler.reconcile({ ...input, current: { ...storedEndpoints, metadata: { ...storedEndpoints.metadata, resourceVersion: '9' } } })
        .action,
    ).toBe('update');
  });

  it('is also detected for a Service without a name', () => {
    const reconciler = createReconciler();
    const nameless = { key: '/', service: { spec: { selector: {} } }, pods: [], current: { metadata: { resourceVersion: '5' } } };
    expect(reconciler.reconcile(nameless).action).toBe('update');
    reconciler.observe({});
    expect(reconciler.reconcile(nameless).action).toBe('retry');
    reconciler.forget('/');
    reconciler.reconcile(nameless);
    reconciler.observe({ metadata: { resourceVersion: '6' } });
    expect(reconciler.reconcile(nameless).action).toBe('retry');
  });

  it('is not assumed after a write for another Service', () => {
    const reconciler = createReconciler();
    const { object } = reconciler.reconcile(input);
    reconciler.observe({ ...object, metadata: { ...object?.metadata, namespace: 'other', resourceVersion: '6' } });
    expect(reconciler.reconcile(input).action).toBe('update');
  });
});
