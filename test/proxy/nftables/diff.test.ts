import { describe, expect, it } from 'vitest';
import {
  diffNftables,
  formatNftablesTransaction,
  type NftablesRules,
  nftablesRules,
  type ProxyNode,
  type ProxyService,
} from '../../../src/proxy/index.ts';
import { type At, node, view, web } from '../worlds.ts';
import { apply } from './fake-nft.ts';

const rulesFor = (service: ProxyService, endpoints: readonly At[], more: Partial<ProxyNode> = {}): NftablesRules =>
  nftablesRules(view(service, endpoints), { ...node, ...more });
/** Verbs and names of the commands, after checking that the fake nft accepts them and ends up with the new rules. */
function commands(before: NftablesRules, after: NftablesRules): string[] {
  const transaction = diffNftables(before, after);
  expect(apply(before, transaction)).toEqual(after);
  return transaction.commands.map(({ verb, object, ...rest }) => {
    const { name } = 'chain' in rest ? rest.chain : 'container' in rest ? rest.container : rest.table;
    return `${verb} ${object} ${name.replace(/-[A-Z2-7]{8}-.*/, '')}`;
  });
}
const sticky = (timeoutSeconds: number): ProxyService =>
  web({ sessionAffinity: 'ClientIP', sessionAffinityConfig: { clientIP: { timeoutSeconds } } });
const one = [{ ip: '10.0.0.1' }];

describe('the difference between tables', () => {
  it('is empty for equal rules', () => {
    expect(commands(rulesFor(sticky(60), one), rulesFor(sticky(60), one))).toEqual([]);
    expect(formatNftablesTransaction(diffNftables(rulesFor(web(), one), rulesFor(web(), one)))).toBe('');
  });

  it('is the whole table if the old one is unknown or has other base chains or another family', () => {
    const rules = rulesFor(web(), one);
    expect(apply(undefined, diffNftables(undefined, rules))).toEqual(rules);
    const chains = rules.chains.map((chain) => (chain.base ? { ...chain, base: { ...chain.base, priority: 7 } } : chain));
    expect(commands({ ...rules, chains }, rules).slice(0, 2)).toEqual(['add table kube-proxy', 'delete table kube-proxy']);
    expect(diffNftables({ ...rules, family: 'IPv6' }, rules).commands[1]).toMatchObject({ verb: 'delete', object: 'table' });
  });

  it('adds a chain before references to it, and deletes references before the chain', () => {
    const [none, some] = [rulesFor(web(), []), rulesFor(web(), one)];
    expect(commands(none, some)).toEqual([
      'delete element no-endpoint-services',
      'add chain service',
      'add rule service',
      'add element service-ips',
    ]);
    expect(commands(some, none)).toEqual([
      'delete element service-ips',
      'flush chain service',
      'add element no-endpoint-services',
      'delete chain service',
    ]);
  });

  it('deletes and adds an element whose target changes', () => {
    const local = rulesFor(web({ internalTrafficPolicy: 'Local' }), one);
    expect(commands(rulesFor(web(), []), local)).toEqual(['delete element no-endpoint-services', 'add element no-endpoint-services']);
  });

  it('rewrites a chain that changes, but appends rules at its end', () => {
    expect(commands(rulesFor(web(), one), rulesFor(web(), [...one, { ip: '10.0.0.2' }]))).toEqual([
      'flush chain service',
      'add rule service',
    ]);
    const without = rulesFor(web(), one, { serviceCIDRs: [] });
    expect(commands(without, rulesFor(web(), one))).toEqual(['add rule cluster-ips-check']);
    expect(commands(rulesFor(web(), one), without)).toEqual(['flush chain cluster-ips-check', 'add rule cluster-ips-check']);
  });

  it('replaces a set with another timeout, along with the chains that refer to it', () => {
    expect(commands(rulesFor(sticky(60), one), rulesFor(sticky(90), one))).toEqual([
      'flush chain endpoint',
      'flush chain service',
      'delete set affinity',
      'add set affinity',
      'add rule endpoint',
      'add rule endpoint',
      'add rule service',
      'add rule service',
    ]);
  });

  it('deletes a set without deleting its elements first', () => {
    const some = rulesFor(web(), one, { nodePortAddresses: ['192.168.0.0/24'] });
    const all = rulesFor(web(), one);
    expect(commands(some, all).filter((command) => command.includes('nodeport-ips'))).toEqual(['delete set nodeport-ips']);
    expect(commands(all, some).filter((command) => command.includes('nodeport-ips'))).toEqual([
      'add set nodeport-ips',
      'add element nodeport-ips',
    ]);
  });
});
