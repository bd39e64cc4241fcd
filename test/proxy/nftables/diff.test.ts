import { describe, expect, it } from 'vitest';
import {
  diffNftables,
  formatNftablesTransaction,
  type NftablesRules,
  nftablesRules,
  type ProxyNode,
  type ProxyService,
} from '../../../src/proxy/index.ts';
import { type EndpointSpec, node, view, web } from '../fixtures.ts';
import { apply } from './fake-nft.ts';

const rulesFor = (service: ProxyService, endpoints: readonly EndpointSpec[], nodeOptions: Partial<ProxyNode> = {}): NftablesRules =>
  nftablesRules(view(service, endpoints), { ...node, ...nodeOptions });
/** Verbs and names of the commands, after checking that the fake nft accepts them and then has the new rules. */
function summarizeCommands(before: NftablesRules, after: NftablesRules): string[] {
  const transaction = diffNftables(before, after);
  expect(apply(before, transaction)).toEqual(after);
  return transaction.commands.map(({ verb, object, ...rest }) => {
    const { name } = 'chain' in rest ? rest.chain : 'container' in rest ? rest.container : rest.table;
    return `${verb} ${object} ${name.replace(/-[A-Z2-7]{8}-.*/, '')}`;
  });
}
const affinityService = (timeoutSeconds: number): ProxyService =>
  web({ sessionAffinity: 'ClientIP', sessionAffinityConfig: { clientIP: { timeoutSeconds } } });
const oneEndpoint = [{ ip: '10.0.0.1' }];

describe('diffNftables', () => {
  it('returns no commands for equal rules', () => {
    expect(summarizeCommands(rulesFor(affinityService(60), oneEndpoint), rulesFor(affinityService(60), oneEndpoint))).toEqual([]);
    expect(formatNftablesTransaction(diffNftables(rulesFor(web(), oneEndpoint), rulesFor(web(), oneEndpoint)))).toBe('');
  });

  it('returns the whole table if the old rules are undefined, or have other base chains or another family', () => {
    const rules = rulesFor(web(), oneEndpoint);
    expect(apply(undefined, diffNftables(undefined, rules))).toEqual(rules);
    const chains = rules.chains.map((chain) => (chain.base ? { ...chain, base: { ...chain.base, priority: 7 } } : chain));
    expect(summarizeCommands({ ...rules, chains }, rules).slice(0, 2)).toEqual(['add table kube-proxy', 'delete table kube-proxy']);
    expect(diffNftables({ ...rules, family: 'IPv6' }, rules).commands[1]).toMatchObject({ verb: 'delete', object: 'table' });
  });

  it('adds a chain before references to it, and deletes references before the chain', () => {
    const [withoutEndpoint, withEndpoint] = [rulesFor(web(), []), rulesFor(web(), oneEndpoint)];
    expect(summarizeCommands(withoutEndpoint, withEndpoint)).toEqual([
      'delete element no-endpoint-services',
      'add chain service',
      'add rule service',
      'add element service-ips',
    ]);
    expect(summarizeCommands(withEndpoint, withoutEndpoint)).toEqual([
      'delete element service-ips',
      'flush chain service',
      'add element no-endpoint-services',
      'delete chain service',
    ]);
  });

  it('deletes and adds an element whose target changes', () => {
    const local = rulesFor(web({ internalTrafficPolicy: 'Local' }), oneEndpoint);
    expect(summarizeCommands(rulesFor(web(), []), local)).toEqual([
      'delete element no-endpoint-services',
      'add element no-endpoint-services',
    ]);
  });

  it('rewrites a chain that changes, but appends rules at its end', () => {
    expect(summarizeCommands(rulesFor(web(), oneEndpoint), rulesFor(web(), [...oneEndpoint, { ip: '10.0.0.2' }]))).toEqual([
      'flush chain service',
      'add rule service',
    ]);
    const rulesWithoutServiceCIDRs = rulesFor(web(), oneEndpoint, { serviceCIDRs: [] });
    expect(summarizeCommands(rulesWithoutServiceCIDRs, rulesFor(web(), oneEndpoint))).toEqual(['add rule cluster-ips-check']);
    expect(summarizeCommands(rulesFor(web(), oneEndpoint), rulesWithoutServiceCIDRs)).toEqual([
      'flush chain cluster-ips-check',
      'add rule cluster-ips-check',
    ]);
  });

  it('replaces a set with another timeout, along with the chains that refer to it', () => {
    expect(summarizeCommands(rulesFor(affinityService(60), oneEndpoint), rulesFor(affinityService(90), oneEndpoint))).toEqual([
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
    const withRange = rulesFor(web(), oneEndpoint, { nodePortAddresses: ['192.168.0.0/24'] });
    const withAll = rulesFor(web(), oneEndpoint);
    expect(summarizeCommands(withRange, withAll).filter((command) => command.includes('nodeport-ips'))).toEqual([
      'delete set nodeport-ips',
    ]);
    expect(summarizeCommands(withAll, withRange).filter((command) => command.includes('nodeport-ips'))).toEqual([
      'add set nodeport-ips',
      'add element nodeport-ips',
    ]);
  });
});
