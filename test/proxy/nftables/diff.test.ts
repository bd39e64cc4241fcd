import { describe, expect, it } from 'vitest';
import {
  diffNftables,
  formatNftablesTransaction,
  type NftablesRules,
  nftablesRules,
  type ProxyNode,
  type ProxyService,
} from '../../../src/proxy/index.ts';
import { type EndpointSpec, makeNodeView, makeWebService, node } from '../fixtures.ts';
import { apply } from './fake-nft.ts';

const rulesFor = (service: ProxyService, endpoints: readonly EndpointSpec[], nodeOptions: Partial<ProxyNode> = {}): NftablesRules =>
  nftablesRules(makeNodeView(service, endpoints), { ...node, ...nodeOptions });
/** Returns verbs and names of the commands. Expects that the fake nft accepts them and then has the new rules. */
function summarizeCommands(before: NftablesRules, after: NftablesRules): string[] {
  const transaction = diffNftables(before, after);
  expect(apply(before, transaction)).toEqual(after);
  return transaction.commands.map(({ verb, object, ...rest }) => {
    const { name } = 'chain' in rest ? rest.chain : 'container' in rest ? rest.container : rest.table;
    return `${verb} ${object} ${name.replace(/-[A-Z2-7]{8}-.*/, '')}`;
  });
}
const affinityService = (timeoutSeconds: number): ProxyService =>
  makeWebService({ sessionAffinity: 'ClientIP', sessionAffinityConfig: { clientIP: { timeoutSeconds } } });
const oneEndpoint = [{ ip: '10.0.0.1' }];

describe('diffNftables', () => {
  it('returns no commands for equal rules', () => {
    expect(summarizeCommands(rulesFor(affinityService(60), oneEndpoint), rulesFor(affinityService(60), oneEndpoint))).toEqual([]);
    expect(formatNftablesTransaction(diffNftables(rulesFor(makeWebService(), oneEndpoint), rulesFor(makeWebService(), oneEndpoint)))).toBe(
      '',
    );
  });

  it('returns the whole table if the old rules are undefined, or have other base chains or another family', () => {
    const rules = rulesFor(makeWebService(), oneEndpoint);
    expect(apply(undefined, diffNftables(undefined, rules))).toEqual(rules);
    const chains = rules.chains.map((chain) => (chain.base ? { ...chain, base: { ...chain.base, priority: 7 } } : chain));
    expect(summarizeCommands({ ...rules, chains }, rules).slice(0, 2)).toEqual(['add table kube-proxy', 'delete table kube-proxy']);
    expect(diffNftables({ ...rules, family: 'IPv6' }, rules).commands[1]).toMatchObject({ verb: 'delete', object: 'table' });
  });

  it('adds a chain before references to it, and deletes references before the chain', () => {
    const [withoutEndpoint, withEndpoint] = [rulesFor(makeWebService(), []), rulesFor(makeWebService(), oneEndpoint)];
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
    const localRules = rulesFor(makeWebService({ internalTrafficPolicy: 'Local' }), oneEndpoint);
    expect(summarizeCommands(rulesFor(makeWebService(), []), localRules)).toEqual([
      'delete element no-endpoint-services',
      'add element no-endpoint-services',
    ]);
  });

  it('rewrites a chain that changes, but appends rules at its end', () => {
    expect(
      summarizeCommands(rulesFor(makeWebService(), oneEndpoint), rulesFor(makeWebService(), [...oneEndpoint, { ip: '10.0.0.2' }])),
    ).toEqual(['flush chain service', 'add rule service']);
    const rulesWithoutServiceCIDRs = rulesFor(makeWebService(), oneEndpoint, { serviceCIDRs: [] });
    expect(summarizeCommands(rulesWithoutServiceCIDRs, rulesFor(makeWebService(), oneEndpoint))).toEqual(['add rule cluster-ips-check']);
    expect(summarizeCommands(rulesFor(makeWebService(), oneEndpoint), rulesWithoutServiceCIDRs)).toEqual([
      'flush chain cluster-ips-check',
      'add rule cluster-ips-check',
    ]);
  });

  it('replaces a set with a different timeout, along with the chains that refer to it', () => {
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
    const rulesWithRange = rulesFor(makeWebService(), oneEndpoint, { nodePortAddresses: ['192.168.0.0/24'] });
    const rulesForAllAddresses = rulesFor(makeWebService(), oneEndpoint);
    expect(summarizeCommands(rulesWithRange, rulesForAllAddresses).filter((command) => command.includes('nodeport-ips'))).toEqual([
      'delete set nodeport-ips',
    ]);
    expect(summarizeCommands(rulesForAllAddresses, rulesWithRange).filter((command) => command.includes('nodeport-ips'))).toEqual([
      'add set nodeport-ips',
      'add element nodeport-ips',
    ]);
  });
});
