import { resources } from 'kube-endpoints/port';
import { describe, expect, it } from 'vitest';
import { statusOfLate } from '../store/support.ts';
import { at, createWorld, object, start } from './support.ts';

const binding = (node: string, metadata: object = {}) => object('p', { metadata, target: { kind: 'Node', name: node } });

describe('bind', () => {
  it('gives a pod its node once', async () => {
    const { registry } = await createWorld();
    await registry.create(resources.pods, 'shop', object('p', { spec: {} }));
    const bound = await registry.bind(at('p'), binding('n1', { annotations: { by: 'me' } }));
    expect(bound).toMatchObject({
      metadata: { annotations: { by: 'me' } },
      spec: { nodeName: 'n1' },
      status: { conditions: [{ type: 'PodScheduled', status: 'True', lastTransitionTime: start }] },
    });
    const status = await statusOfLate(registry.bind(at('p'), binding('n2')));
    expect(status).toMatchObject({ code: 409, reason: 'Conflict', details: { name: 'p', kind: 'pods/binding' } });
    expect(status.message).toBe('Operation cannot be fulfilled on pods/binding "p": pod p is already assigned to node "n1"');
  });

  it('refuses what does not fit', async () => {
    const { registry, store } = await createWorld();
    await registry.create(resources.pods, 'shop', object('p', { spec: {} }));
    expect(await statusOfLate(registry.bind(at('q'), binding('n1')))).toMatchObject({ code: 400 });
    expect(await statusOfLate(registry.bind(at('p'), binding('')))).toMatchObject({ code: 500, message: 'target.name: Required value' });
    expect(await statusOfLate(registry.bind(at('p'), binding('n1', { uid: 'other' })))).toMatchObject({ code: 409 });
    expect(store.get(resources.pods, at('p'))['spec']).toEqual({});
  });

  it('binds nothing in a dry run', async () => {
    const { registry, store } = await createWorld();
    await registry.create(resources.pods, 'shop', object('p', { spec: {} }));
    expect(await registry.bind(at('p'), binding('n1'), { dryRun: true })).toMatchObject({ spec: { nodeName: 'n1' } });
    expect(store.get(resources.pods, at('p'))['spec']).toEqual({});
  });
});
