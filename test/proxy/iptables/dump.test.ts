import { expect, it } from 'vitest';
import { dumpIptables } from '../../../src/proxy/iptables/format.ts';
import { makeWebService, rulesFor } from './fixtures.ts';

const nodePort = { type: 'NodePort', ports: [{ name: 'http', port: 80, protocol: 'TCP', nodePort: 30080 }] } as const;

it('dumpIptables lists jumps of built-in chains in reverse order of insertion', () => {
  const { filter, nat } = dumpIptables(rulesFor(makeWebService(), []));
  expect(filter['INPUT']?.[0]).toBe('-j KUBE-FIREWALL');
  expect(filter['INPUT']?.at(-1)).toBe(
    '-m conntrack --ctstate NEW -m comment --comment kubernetes externally-visible service portals -j KUBE-EXTERNAL-SERVICES',
  );
  expect(nat['INPUT']).toEqual([]);
});

it('dumpIptables sorts rules without a significant order, and keeps the jump to node ports last', () => {
  const rules = rulesFor(makeWebService(nodePort), [{ ip: '10.1.0.1' }]);
  const nat = rules.tables.nat.map(({ name, rules: list }) => ({ name, rules: name === 'KUBE-SERVICES' ? list.toReversed() : list }));
  const reversedRules = { ...rules, tables: { ...rules.tables, nat } };
  expect(dumpIptables(reversedRules)).toEqual(dumpIptables(rules));
  expect(dumpIptables(reversedRules).nat['KUBE-SERVICES']?.at(-1)).toContain('-j KUBE-NODEPORTS');
});
