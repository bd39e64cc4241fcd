import { expect, it } from 'vitest';
import { formatNftables, formatNftablesTransaction, nftablesRules } from '../../../src/proxy/index.ts';
import { listNftables } from '../../../src/proxy/nftables/format.ts';
import { makeNodeView, makeWebService, node } from '../fixtures.ts';

it('formatNftables replaces the table, then adds objects before references to them', () => {
  const rules = nftablesRules(makeNodeView(makeWebService(), [{ ip: '10.0.0.1' }]), node);
  const lines = formatNftables(rules).trimEnd().split('\n');
  expect(lines.slice(0, 3)).toEqual([
    'add table ip kube-proxy { comment "rules for kube-proxy" ; }',
    'delete table ip kube-proxy',
    'add table ip kube-proxy { comment "rules for kube-proxy" ; }',
  ]);
  const kinds = lines.slice(2).map((line) => line.split(' ')[1]);
  expect(kinds.filter((kind, i) => kind !== kinds[i - 1])).toEqual(['table', 'chain', 'set', 'map', 'rule', 'element']);
  expect(listNftables(rules)).toEqual(lines.slice(2));
});

it('formatNftablesTransaction writes a line for each command', () => {
  const chain = { name: 'c' };
  const container = { name: 's' };
  const text = formatNftablesTransaction({
    family: 'IPv6',
    commands: [
      { verb: 'add', object: 'chain', chain: { name: 'b', base: { type: 'nat', hook: 'output', priority: -100 }, comment: 'why' } },
      { verb: 'flush', object: 'chain', chain },
      { verb: 'delete', object: 'chain', chain },
      { verb: 'add', object: 'rule', chain, rule: { text: 'reject', comment: 'no' } },
      { verb: 'add', object: 'set', container: { name: 's', type: 'ipv6_addr', flags: ['dynamic', 'timeout'], timeoutSeconds: 60 } },
      { verb: 'delete', object: 'map', container },
      { verb: 'add', object: 'element', container, element: { key: 'tcp . 80', value: 'drop', comment: 'x' } },
      { verb: 'delete', object: 'element', container, element: { key: 'tcp . 80', value: 'drop', comment: 'x' } },
    ],
  });
  expect(text.split('\n')).toEqual([
    'add chain ip6 kube-proxy b { type nat hook output priority -100 ; comment "why" ; }',
    'flush chain ip6 kube-proxy c',
    'delete chain ip6 kube-proxy c',
    'add rule ip6 kube-proxy c reject comment "no"',
    'add set ip6 kube-proxy s { type ipv6_addr ; flags dynamic,timeout ; timeout 60s ; }',
    'delete map ip6 kube-proxy s',
    'add element ip6 kube-proxy s { tcp . 80 comment "x" : drop }',
    'delete element ip6 kube-proxy s { tcp . 80 }',
    '',
  ]);
  expect(formatNftablesTransaction({ family: 'IPv4', commands: [] })).toBe('');
});
