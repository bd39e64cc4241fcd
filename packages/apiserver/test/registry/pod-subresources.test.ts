import { type ApiObject, resources } from 'kube-endpoints/port';
import { describe, expect, it } from 'vitest';
import { statusOfRejection } from '../store/support.ts';
import { createFixture, type Fixture, keyInShop, object, startTime } from './support.ts';

const binding = (node: string, metadata: object = {}) => object('p', { metadata, target: { kind: 'Node', name: node } });

describe('bind', () => {
  it('assigns a pod to a node once', async () => {
    const { registry } = await createFixture();
    await registry.create(resources.pods, 'shop', object('p', { spec: {} }));
    const bound = await registry.bind(keyInShop('p'), binding('n1', { annotations: { by: 'me' } }));
    expect(bound).toMatchObject({
      metadata: { annotations: { by: 'me' } },
      spec: { nodeName: 'n1' },
      status: { conditions: [{ type: 'PodScheduled', status: 'True', lastTransitionTime: startTime }] },
    });
    const status = await statusOfRejection(registry.bind(keyInShop('p'), binding('n2')));
    expect(status).toMatchObject({ code: 409, reason: 'Conflict', details: { name: 'p', kind: 'pods/binding' } });
    expect(status.message).toBe('Operation cannot be fulfilled on pods/binding "p": pod p is already assigned to node "n1"');
  });

  it('refuses a missing pod, an empty target and a different UID', async () => {
    const { registry, store } = await createFixture();
    await registry.create(resources.pods, 'shop', object('p', { spec: {} }));
    expect(await statusOfRejection(registry.bind(keyInShop('q'), binding('n1')))).toMatchObject({ code: 400 });
    expect(await statusOfRejection(registry.bind(keyInShop('p'), binding('')))).toMatchObject({
      code: 500,
      message: 'target.name: Required value',
    });
    expect(await statusOfRejection(registry.bind(keyInShop('p'), binding('n1', { uid: 'other' })))).toMatchObject({ code: 409 });
    expect(store.get(resources.pods, keyInShop('p'))['spec']).toEqual({});
  });

  it('stores nothing in a dry run', async () => {
    const { registry, store } = await createFixture();
    await registry.create(resources.pods, 'shop', object('p', { spec: {} }));
    expect(await registry.bind(keyInShop('p'), binding('n1'), { dryRun: true })).toMatchObject({ spec: { nodeName: 'n1' } });
    expect(store.get(resources.pods, keyInShop('p'))['spec']).toEqual({});
  });
});

async function createFixtureWithPod(): Promise<Fixture & { readonly pod: ApiObject }> {
  const fixture = await createFixture();
  const pod = await fixture.registry.create(resources.pods, 'shop', object('p', { spec: {} }));
  return { ...fixture, pod };
}

const disruptionTarget = { type: 'DisruptionTarget', status: 'True', reason: 'EvictionByEvictionAPI', message: 'Eviction API: evicting' };

describe('evict', () => {
  it('adds the condition DisruptionTarget to the pod and deletes it', async () => {
    const { registry } = await createFixtureWithPod();
    const { object: pod, isRemoved } = await registry.evict(keyInShop('p'), object('p', { deleteOptions: { gracePeriodSeconds: 5 } }));
    expect(isRemoved).toBe(false);
    expect(pod.metadata.deletionGracePeriodSeconds).toBe(5);
    expect(pod['status']).toEqual({ conditions: [{ ...disruptionTarget, lastTransitionTime: startTime }] });
  });

  it('keeps the lastTransitionTime of an earlier DisruptionTarget, and other conditions', async () => {
    const { registry, clock } = await createFixtureWithPod();
    const earlier = { ...disruptionTarget, reason: 'PreemptionByScheduler', lastTransitionTime: startTime };
    const status = { conditions: [{ type: 'Ready', status: 'True' }, earlier] };
    await registry.update(resources.pods, keyInShop('p'), (pod) => ({ ...(pod as ApiObject), status }), { subresource: 'status' });
    clock.advance(60_000);
    const { object: pod } = await registry.evict(keyInShop('p'), object('p'));
    expect(pod['status']).toEqual({
      conditions: [
        { type: 'Ready', status: 'True' },
        { ...disruptionTarget, lastTransitionTime: startTime },
      ],
    });
  });

  it('stores nothing in a dry run, requested by the call or by deleteOptions', async () => {
    const { registry, store, pod } = await createFixtureWithPod();
    await registry.evict(keyInShop('p'), object('p'), { dryRun: true });
    await registry.evict(keyInShop('p'), object('p', { deleteOptions: { dryRun: ['All'] } }));
    expect(store.get(resources.pods, keyInShop('p'))).toBe(pod);
  });

  it('checks the name and the preconditions', async () => {
    const { registry, pod } = await createFixtureWithPod();
    expect(await statusOfRejection(registry.evict(keyInShop('p'), object('q')))).toMatchObject({
      code: 400,
      message: 'name in URL does not match name in Eviction object',
    });
    expect(await statusOfRejection(registry.evict(keyInShop('q'), object('q')))).toMatchObject({
      code: 404,
      message: 'pods "q" not found',
    });
    const evictIf = (preconditions: object): Promise<unknown> =>
      registry.evict(keyInShop('p'), object('p', { deleteOptions: { preconditions } }));
    expect(await statusOfRejection(evictIf({ uid: 'x' }))).toMatchObject({ code: 409, details: { kind: 'Pod' } });
    expect(await statusOfRejection(evictIf({ resourceVersion: '1' }))).toMatchObject({ code: 409 });
    const { uid, resourceVersion } = pod.metadata;
    expect(await evictIf({ uid, resourceVersion })).toMatchObject({ isRemoved: false });
  });

  it('reports a namespace that does not exist', async () => {
    const { registry } = await createFixtureWithPod();
    const status = await statusOfRejection(registry.evict(keyInShop('p', 'nowhere'), object('p', {}, 'nowhere')));
    expect(status).toMatchObject({ code: 404, message: 'namespaces "nowhere" not found' });
  });
});
