import { resources } from 'kube-endpoints/port';
import { describe, expect, it } from 'vitest';
import { statusOfLate } from '../store/support.ts';
import { at, configMaps, createWorld, object } from './support.ts';

describe('patch', () => {
  it('is checked as an update is', async () => {
    const { registry } = await createWorld();
    await registry.create(configMaps, 'shop', object('a'));
    const renamed = { metadata: { name: 'b' } };
    const status = await statusOfLate(registry.patch(configMaps, at('a'), renamed, { type: 'merge' }));
    expect(status).toMatchObject({ code: 400, message: 'the name of the object (b) does not match the name on the URL (a)' });
    const stale = { metadata: { resourceVersion: '1' } };
    expect(await statusOfLate(registry.patch(configMaps, at('a'), stale, { type: 'merge' }))).toMatchObject({ code: 409 });
  });

  it('writes the status alone where told to', async () => {
    const { registry } = await createWorld();
    await registry.create(resources.pods, 'shop', object('p', { spec: { a: 1 } }));
    const both = { spec: { a: 2 }, status: { phase: 'Running' } };
    const patched = await registry.patch(resources.pods, at('p'), both, { type: 'merge', subresource: 'status' });
    expect(patched).toMatchObject({ spec: { a: 1 }, status: { phase: 'Running' } });
  });

  it('refuses to apply over a uid of what is not there', async () => {
    const { registry } = await createWorld();
    const config = { apiVersion: 'v1', kind: 'ConfigMap', ...object('a', { metadata: { uid: 'u' } }) };
    const status = await statusOfLate(registry.patch(configMaps, at('a'), config, { type: 'apply', fieldManager: 'x' }));
    expect(status.message).toContain('uid mismatch: the provided object specified uid u, and no existing object was found');
  });

  it('writes nothing where nothing is applied anew', async () => {
    const { registry, clock } = await createWorld();
    const config = { apiVersion: 'v1', kind: 'ConfigMap', ...object('a', { data: { a: '1' } }) };
    const first = await registry.patch(configMaps, at('a'), config, { type: 'apply', fieldManager: 'x' });
    clock.advance(60_000);
    expect(await registry.patch(configMaps, at('a'), config, { type: 'apply', fieldManager: 'x' })).toBe(first);
  });
});
