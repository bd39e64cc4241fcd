import { describe, expect, it } from 'vitest';
import { at, configMaps, createWorld, object, start } from './support.ts';

describe('managed fields', () => {
  it('are kept of every write, where that is asked for', async () => {
    const { registry } = await createWorld({ managesFields: true });
    const created = await registry.create(configMaps, 'shop', object('a', { data: { a: '1' } }), { fieldManager: 'one' });
    expect(created.metadata.managedFields).toEqual([
      {
        manager: 'one',
        operation: 'Update',
        apiVersion: 'v1',
        time: start,
        fieldsType: 'FieldsV1',
        fieldsV1: { 'f:data': { '.': {}, 'f:a': {} } },
      },
    ]);
    const change = { ...created, data: { a: '1', b: '2' } };
    const updated = await registry.update(configMaps, at('a'), () => change, { fieldManager: 'two' });
    const managers = (updated.metadata.managedFields as { manager: string }[]).map(({ manager }) => manager);
    expect(managers).toEqual(['one', 'two']);
  });

  it('make no write of one that changes only their times', async () => {
    const { registry, clock } = await createWorld({ managesFields: true });
    const created = await registry.create(configMaps, 'shop', object('a', { data: { a: '1' } }), { fieldManager: 'one' });
    clock.advance(60_000);
    expect(await registry.update(configMaps, at('a'), () => created, { fieldManager: 'one' })).toBe(created);
  });

  it('are not kept by default', async () => {
    const { registry } = await createWorld();
    expect((await registry.create(configMaps, 'shop', object('a'), { fieldManager: 'one' })).metadata).not.toHaveProperty('managedFields');
  });
});
