import { describe, expect, it } from 'vitest';
import { loadBalancerSettings } from '../../src/load-balancer/gates.ts';
import { type BalancedNode, type BalancedService, CloudError } from '../../src/load-balancer/index.ts';
import type { Effect } from '../../src/load-balancer/planner.ts';
import { deleteBalancer, syncBalancer } from '../../src/load-balancer/sync.ts';
import { createFailingAnswer, type PlayResult, play, status } from './script.ts';
import { finalizer, makeExcludedNode, makeNode, makeService } from './services.ts';

type Script = Partial<Record<Effect['do'], (effect: Effect) => unknown>>;

const metadataWithFinalizer = { finalizers: [finalizer] };
const currentStatus = { loadBalancer: status };
const deletionTimestamp = '2026-01-01T00:00:00Z';
const conflict = Object.assign(new Error('it changed'), { reason: 'Conflict' });
const notFound = Object.assign(new Error('gone'), { reason: 'NotFound' });

function sync(service: BalancedService, script: Script = {}, version?: string): PlayResult<string> & { readonly recordedNodes: string[] } {
  const recordedNodes: string[] = [];
  const context = {
    settings: loadBalancerSettings({ version }),
    nodes: [makeNode('n2'), makeExcludedNode('n3'), makeNode('n1')],
    recordNodes: (nodes: readonly BalancedNode[]) => recordedNodes.push(nodes.map(({ metadata }) => metadata?.name).join(' ')),
  };
  return { ...play(syncBalancer(service, context), script), recordedNodes };
}

const addFinalizer = `patch {"metadata":{"finalizers":["${finalizer}"]}}`;
const removeFinalizer = 'patch {"metadata":{"finalizers":null}}';
const setStatus = 'patch {"status":{"loadBalancer":{"ingress":[{"ip":"203.0.113.1"}]}}}';
const clearStatus = 'patch {"status":{"loadBalancer":{"ingress":null}}}';
const failureEvent = (text: string): string => `Warning SyncLoadBalancerFailed: Error syncing load balancer: ${text}`;

describe('syncBalancer: a Service that needs a load balancer', () => {
  it('adds the finalizer, ensures the load balancer and writes the status', () => {
    const { log, result, recordedNodes } = sync(makeService());
    expect(log).toEqual([
      'Normal EnsuringLoadBalancer: Ensuring load balancer',
      addFinalizer,
      'ensure n1 n2',
      'Normal EnsuredLoadBalancer: Ensured load balancer',
      setStatus,
    ]);
    expect([result, recordedNodes]).toEqual(['ensure', ['n1 n2']]);
  });

  it('writes nothing if the finalizer and the status are up to date', () => {
    expect(sync(makeService({}, metadataWithFinalizer, currentStatus)).log.filter((each) => each.startsWith('patch'))).toEqual([]);
  });

  it('warns if there are no nodes, and still ensures the load balancer', () => {
    const context = { settings: loadBalancerSettings(), nodes: [makeExcludedNode('n1')], recordNodes: () => {} };
    expect(play(syncBalancer(makeService({}, metadataWithFinalizer, currentStatus), context)).log).toEqual([
      'Normal EnsuringLoadBalancer: Ensuring load balancer',
      'Warning UnAvailableLoadBalancer: There are no available nodes for LoadBalancer',
      'ensure',
      'Normal EnsuredLoadBalancer: Ensured load balancer',
    ]);
  });

  it('does not call the cloud if adding the finalizer failed', () => {
    const { log, error } = sync(makeService(), { patch: createFailingAnswer(conflict) });
    const text = 'failed to add load balancer cleanup finalizer: it changed';
    expect(log).toEqual(['Normal EnsuringLoadBalancer: Ensuring load balancer', addFinalizer, failureEvent(text)]);
    expect(error).toMatchObject({ name: 'SyncError', message: text });
  });

  it("retries a failed ensure after the cloud's delay", () => {
    const retryError = new CloudError('RetryAfter', 'slow down', { retryAfter: 7000 });
    const { log, error } = sync(makeService({}, metadataWithFinalizer), { ensure: createFailingAnswer(retryError) });
    expect(log.slice(1)).toEqual(['ensure n1 n2', failureEvent('failed to ensure load balancer: slow down')]);
    expect(error).toMatchObject({ retryAfter: 7000 });
  });

  it('stops without an error if another controller manages the Service', () => {
    const { log, result } = sync(makeService({}, metadataWithFinalizer), {
      ensure: createFailingAnswer(new CloudError('Elsewhere', 'not here')),
    });
    expect([log, result]).toEqual([['Normal EnsuringLoadBalancer: Ensuring load balancer', 'ensure n1 n2'], 'ensure']);
  });

  it.each([
    [undefined, 'service status returned by EnsureLoadBalancer is nil'],
    [null, 'service status returned by EnsureLoadBalancer is nil'],
    ['yes', 'failed to ensure load balancer: the cloud returned an invalid load balancer status: status must be an object, got "yes"'],
    [
      { ingress: [{ ip: 'x' }] },
      'failed to ensure load balancer: the cloud returned an invalid load balancer status: status.ingress[0].ip must be an IP address, got "x"',
    ],
  ])('writes nothing and fails for the answer %j', (answer, text) => {
    const { log, error } = sync(makeService({}, metadataWithFinalizer, currentStatus), { ensure: () => answer });
    expect(log).toEqual(['Normal EnsuringLoadBalancer: Ensuring load balancer', 'ensure n1 n2', failureEvent(text)]);
    expect(error).toMatchObject({ name: 'SyncError', message: text });
  });

  it('retries a failed status write unless the Service is gone', () => {
    const syncWith = (thrown: unknown): PlayResult<string> =>
      sync(makeService({}, metadataWithFinalizer), { patch: createFailingAnswer(thrown) });
    const text = 'failed to update load balancer status: it changed';
    expect(syncWith(conflict)).toMatchObject({ log: expect.arrayContaining([failureEvent(text)]), error: { message: text } });
    expect(syncWith(notFound)).toMatchObject({ result: 'ensure' });
    expect(syncWith(notFound).log.at(-1)).toBe(setStatus);
  });
});

describe('syncBalancer: clean-up', () => {
  const obsoleteService = makeService({ type: 'ClusterIP' }, metadataWithFinalizer, currentStatus);

  it.each([
    ['a change of the type', obsoleteService],
    ['a change of the class', makeService({ loadBalancerClass: 'example.com/other' }, metadataWithFinalizer, currentStatus)],
    ['a deletion', makeService({}, { ...metadataWithFinalizer, deletionTimestamp }, currentStatus)],
  ])('after %s, deletes the load balancer, then removes the finalizer, then clears the status', (_, service) => {
    const { log, result } = sync(service);
    expect(log).toEqual([
      'get',
      'Normal DeletingLoadBalancer: Deleting load balancer',
      'delete',
      removeFinalizer,
      'Normal DeletedLoadBalancer: Deleted load balancer',
      clearStatus,
    ]);
    expect(result).toBe('delete');
  });

  it('does not call delete if the load balancer does not exist', () => {
    const { log } = sync(obsoleteService, { get: () => undefined });
    expect(log).toEqual(['get', removeFinalizer, 'Normal DeletedLoadBalancer: Deleted load balancer', clearStatus]);
  });

  it('does not remove a finalizer that is absent', () => {
    const { log } = sync(makeService({ type: 'ClusterIP' }), { get: () => null });
    expect(log).toEqual(['get', 'Normal DeletedLoadBalancer: Deleted load balancer']);
  });

  it.each<[string, Script, string]>([
    [
      'the load balancer cannot be looked up',
      { get: createFailingAnswer(new Error('down')) },
      'failed to check if load balancer exists before cleanup: down',
    ],
    ['the load balancer cannot be deleted', { delete: createFailingAnswer(new Error('down')) }, 'failed to delete load balancer: down'],
    [
      'the finalizer cannot be removed',
      { patch: createFailingAnswer(conflict) },
      'failed to remove load balancer cleanup finalizer: it changed',
    ],
  ])('keeps the finalizer if %s', (_, script, text) => {
    const { log, error } = sync(obsoleteService, script);
    expect(error).toMatchObject({ message: text });
    expect(log.at(-1)).toBe(failureEvent(text));
    expect(log.filter((each) => each.startsWith('patch')).length).toBe(script.patch ? 1 : 0);
  });

  it("ignores the cloud's delay, as in Kubernetes", () => {
    const retryError = new CloudError('RetryAfter', 'slow down', { retryAfter: 7000 });
    expect(sync(obsoleteService, { delete: createFailingAnswer(retryError) }).error).toMatchObject({ retryAfter: undefined });
  });

  it('succeeds from 1.25 on if another controller manages the load balancer', () => {
    const script = { delete: createFailingAnswer(new CloudError('Elsewhere', 'not here')) };
    expect(sync(obsoleteService, script)).toMatchObject({ result: 'delete', log: expect.arrayContaining([removeFinalizer]) });
    expect(sync(obsoleteService, script, '1.24.0').error).toMatchObject({ message: 'failed to delete load balancer: not here' });
  });
});

describe('deleteBalancer', () => {
  it('deletes the load balancer of a Service of type LoadBalancer without checking that it exists', () => {
    expect(play(deleteBalancer(makeService(), loadBalancerSettings())).log).toEqual([
      'Normal DeletingLoadBalancer: Deleting load balancer',
      'delete',
      'Normal DeletedLoadBalancer: Deleted load balancer',
    ]);
    expect(play(deleteBalancer(makeService({ type: 'NodePort' }), loadBalancerSettings())).log).toEqual([]);
  });

  it("fails with the cloud's error and delay", () => {
    const retryError = new CloudError('RetryAfter', 'slow down', { retryAfter: 7000 });
    const { log, error } = play(deleteBalancer(makeService(), loadBalancerSettings()), { delete: createFailingAnswer(retryError) });
    expect(log.at(-1)).toBe('Warning DeleteLoadBalancerFailed: Error deleting load balancer: slow down');
    expect(error).toMatchObject({ name: 'SyncError', message: 'slow down', retryAfter: 7000 });
  });
});
