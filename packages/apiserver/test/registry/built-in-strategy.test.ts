import { describe, expect, it } from 'vitest';
import { createBuiltInStrategy } from '../../src/registry/built-in-strategy.ts';
import { descriptions } from '../../src/resources/index.ts';
import { statusOf } from '../store/support.ts';
import { object } from './support.ts';

const services = createBuiltInStrategy(descriptions.services);

describe('createBuiltInStrategy', () => {
  it('decodes with defaults and encodes for the API', () => {
    const { object: decoded } = services.decode(object('a', { spec: { ports: [{ port: 80 }] } }));
    expect(decoded).toMatchObject({
      apiVersion: 'v1',
      kind: 'Service',
      spec: { type: 'ClusterIP', ports: [{ port: 80, protocol: 'TCP' }] },
    });
    expect(services.encode(decoded)).toMatchObject({ status: { loadBalancer: {} } });
  });

  it('reports unknown fields and type errors', () => {
    expect(services.decode(object('a', { wrong: 1 })).unknown).toEqual(['wrong']);
    expect(services.decode(object('a', { spec: 1 })).problem).toMatch(/^json: cannot unmarshal number/);
  });

  it('has the subresources of the description, and excludes Events from garbage collection', () => {
    expect(services.subresources).toEqual(['status']);
    expect(services.isGarbageCollected).toBe(true);
    expect(createBuiltInStrategy(descriptions.events).isGarbageCollected).toBe(false);
  });

  it('drops selfLink silently', () => {
    const { object: decoded, unknown } = services.decode(object('a', { metadata: { selfLink: '/x' } }));
    expect([decoded.metadata, unknown]).toEqual([{ name: 'a', namespace: 'shop' }, []]);
  });

  it('encodes empty lists as sent before validation, and as null after it', () => {
    const slices = createBuiltInStrategy(descriptions.endpointSlices);
    const sliceWithoutLists = object('a', { addressType: 'IPv4' });
    const { object: decoded } = slices.decode({ ...sliceWithoutLists, endpoints: [], ports: [] });
    expect(slices.encode(decoded)).toMatchObject({ endpoints: [], ports: [] });
    const { object: validated } = slices.checkCreate(decoded);
    expect(slices.encode(validated as typeof decoded)).toMatchObject({ endpoints: null, ports: null });
    expect(slices.encode(slices.decode({ ...sliceWithoutLists, endpoints: null }).object)).toMatchObject({ endpoints: null, ports: null });
  });

  it('refuses an object that admission forbids', () => {
    const { strategy } = descriptions.configMaps;
    const strict = createBuiltInStrategy({ ...descriptions.configMaps, strategy: { ...strategy, admit: () => 'not today' } });
    expect(statusOf(() => strict.admit?.(object('a')))).toMatchObject({ code: 403, message: 'configmaps "a" is forbidden: not today' });
  });
});
