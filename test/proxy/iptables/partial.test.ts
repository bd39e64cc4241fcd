import { describe, expect, it } from 'vitest';
import type { ProxyService, ServicePortView } from '../../../src/proxy/index.ts';
import { createPortRuler, type PortRules } from '../../../src/proxy/iptables/port-rules.ts';
import { type ChangedPort, transactionOf } from '../../../src/proxy/iptables/program.ts';
import { settingsOf } from '../../../src/proxy/iptables/settings.ts';
import { type At, node, view, web } from './worlds.ts';

const settings = settingsOf(node, 'IPv4');
const rulesOf = createPortRuler(settings);
const rules = (endpoints: readonly At[], service: ProxyService = web()): PortRules =>
  rulesOf(view(service, endpoints).ports[0] as ServicePortView, false);
const others = Array.from({ length: 10 }, (_, i) => [`other-${i}`, rules([])] as const);
const transaction = (changed: ChangedPort, ports: ReadonlyMap<string, PortRules> = new Map(others)) =>
  transactionOf('IPv4', [changed], { settings, ports }).tables;

describe('a port that changed', () => {
  it('leaves chains alone that are the same', () => {
    const { filter, nat } = transaction({ before: rules([{ ip: '10.1.0.1' }]), after: rules([{ ip: '10.1.0.1' }, { ip: '10.1.0.2' }]) });
    expect(nat.write.map(({ name }) => name.slice(0, 9))).toEqual(['KUBE-SVC-', 'KUBE-SEP-']);
    expect([...nat.remove, ...nat.insert, ...nat.delete, ...filter.remove, ...filter.insert]).toEqual([]);
  });

  it('takes its rules out of the chains that all share, and its own chains with them', () => {
    const { filter, nat } = transaction({ before: rules([{ ip: '10.1.0.1' }]), after: undefined });
    expect(nat.remove.map(({ chain }) => chain)).toEqual(['KUBE-SERVICES']);
    expect(nat.delete.map((name) => name.slice(0, 9))).toEqual(['KUBE-SVC-', 'KUBE-SEP-']);
    expect([...nat.write, ...filter.write]).toEqual([]);
  });

  it('moves from one table to the other', () => {
    const { filter, nat } = transaction({ before: rules([{ ip: '10.1.0.1' }]), after: rules([]) });
    expect([nat.remove.length, nat.insert.length, filter.remove.length, filter.insert.length]).toEqual([1, 0, 0, 1]);
  });

  it('has a shared chain written anew where that is less', () => {
    const after = rules([]);
    const { filter } = transaction({ before: rules([{ ip: '10.1.0.1' }]), after }, new Map());
    expect(filter.write.map(({ name }) => name)).toEqual(['KUBE-SERVICES']);
    expect(filter.insert).toEqual([]);
  });
});
