import { describe, expect, it } from 'vitest';
import type { ProxyService, ServicePortView } from '../../../src/proxy/index.ts';
import type { PortRules } from '../../../src/proxy/iptables/port-rules.ts';
import { type ChangedPort, createTransaction } from '../../../src/proxy/iptables/program.ts';
import { createPortRulesFactory } from '../../../src/proxy/iptables/rules.ts';
import { readSettings } from '../../../src/proxy/iptables/settings.ts';
import { type EndpointSpec, makeNodeView, makeWebService, node } from './fixtures.ts';

const settings = readSettings(node, 'IPv4');
const rulesOf = createPortRulesFactory(settings);
const rules = (endpoints: readonly EndpointSpec[], service: ProxyService = makeWebService()): PortRules =>
  rulesOf(makeNodeView(service, endpoints).ports[0] as ServicePortView, false);
const others = Array.from({ length: 10 }, (_, i) => [`other-${i}`, rules([])] as const);
const transaction = (changed: ChangedPort, ports: ReadonlyMap<string, PortRules> = new Map(others)) =>
  createTransaction('IPv4', [changed], { settings, ports }).tables;

describe('createTransaction for a changed port', () => {
  it('rewrites only the chains that differ', () => {
    const { filter, nat } = transaction({ before: rules([{ ip: '10.1.0.1' }]), after: rules([{ ip: '10.1.0.1' }, { ip: '10.1.0.2' }]) });
    expect(nat.write.map(({ name }) => name.slice(0, 9))).toEqual(['KUBE-SVC-', 'KUBE-SEP-']);
    expect([...nat.remove, ...nat.insert, ...nat.delete, ...filter.remove, ...filter.insert]).toEqual([]);
  });

  it('removes its rules from shared chains and deletes its own chains', () => {
    const { filter, nat } = transaction({ before: rules([{ ip: '10.1.0.1' }]), after: undefined });
    expect(nat.remove.map(({ chain }) => chain)).toEqual(['KUBE-SERVICES']);
    expect(nat.delete.map((name) => name.slice(0, 9))).toEqual(['KUBE-SVC-', 'KUBE-SEP-']);
    expect([...nat.write, ...filter.write]).toEqual([]);
  });

  it('moves its rules between tables', () => {
    const { filter, nat } = transaction({ before: rules([{ ip: '10.1.0.1' }]), after: rules([]) });
    expect([nat.remove.length, nat.insert.length, filter.remove.length, filter.insert.length]).toEqual([1, 0, 0, 1]);
  });

  it('rewrites a shared chain if that takes fewer rules', () => {
    const after = rules([]);
    const { filter } = transaction({ before: rules([{ ip: '10.1.0.1' }]), after }, new Map());
    expect(filter.write.map(({ name }) => name)).toEqual(['KUBE-SERVICES']);
    expect(filter.insert).toEqual([]);
  });
});
