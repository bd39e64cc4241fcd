import { describe, expect, it } from 'vitest';
import { describedStrategy } from '../../../src/apiserver/registry/described.ts';
import { descriptions } from '../../../src/apiserver/resources/index.ts';
import { statusOf } from '../store/support.ts';
import { object } from './support.ts';

const services = describedStrategy(descriptions.services);

describe('describedStrategy', () => {
  it('defaults what it reads, and prints what is stored', () => {
    const { object: read } = services.decode(object('a', { spec: { ports: [{ port: 80 }] } }));
    expect(read).toMatchObject({ apiVersion: 'v1', kind: 'Service', spec: { type: 'ClusterIP', ports: [{ port: 80, protocol: 'TCP' }] } });
    expect(services.encode(read)).toMatchObject({ status: { loadBalancer: {} } });
  });

  it('says what is unknown and what cannot be read', () => {
    expect(services.decode(object('a', { wrong: 1 })).unknown).toEqual(['wrong']);
    expect(services.decode(object('a', { spec: 1 })).problem).toMatch(/^json: cannot unmarshal number/);
  });

  it('knows subresources, and that events own nothing', () => {
    expect(services.subresources).toEqual(['status']);
    expect(services.collectsGarbage).toBe(true);
    expect(describedStrategy(descriptions.events).collectsGarbage).toBe(false);
  });

  it('refuses what admission forbids', () => {
    const { strategy } = descriptions.configMaps;
    const strict = describedStrategy({ ...descriptions.configMaps, strategy: { ...strategy, admit: () => 'not today' } });
    expect(statusOf(() => strict.admit?.(object('a')))).toMatchObject({ code: 403, message: 'configmaps "a" is forbidden: not today' });
  });
});
