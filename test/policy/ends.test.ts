import { describe, expect, it } from 'vitest';
import { evaluateTraffic, type NetworkPolicy, type PolicyObjects } from '../../src/policy/index.ts';
import { cluster, formatDecision, makePod } from './fixtures.ts';

const allow = (cidr: string): NetworkPolicy => ({
  metadata: { namespace: 'shop', name: 'p' },
  spec: { ingress: [{ from: [{ ipBlock: { cidr } }] }] },
});
const dualStack = (key: string, ...ips: string[]): ReturnType<typeof makePod> => {
  const pod = makePod(key, ips[0]);
  return { ...pod, status: { ...pod.status, podIPs: ips.map((ip) => ({ ip })) } };
};
const ingressOf = (from: { pod?: string; ip?: string }, to: { pod?: string; ip?: string }, objects: PolicyObjects): string =>
  formatDecision(evaluateTraffic({ from, to, port: 80 }, objects).ingress);

describe('an end', () => {
  it('with the address of a pod is that pod', () => {
    const { ingress } = evaluateTraffic(
      { from: { ip: '8.8.8.8' }, to: { ip: '10.0.0.2' }, port: 80 },
      { ...cluster, networkPolicies: [allow('9.0.0.0/8')] },
    );
    expect(ingress.reasons[0]?.message).toContain('Pod shop/db');
  });

  it('with the address of several running pods has to name one', () => {
    const pods = [makePod('shop/a', '10.0.0.9'), makePod('shop/b', '10.0.0.9')];
    expect(() => ingressOf({ ip: '8.8.8.8' }, { ip: '10.0.0.9' }, { pods })).toThrow(
      new RangeError('to.ip 10.0.0.9 is the address of several pods: pass the field pod with one of shop/a, shop/b'),
    );
    const done = { ...pods[0], status: { ...pods[0]?.status, phase: 'Succeeded' } };
    expect(ingressOf({ ip: '8.8.8.8' }, { ip: '10.0.0.9' }, { pods: [done, ...pods.slice(1)] })).toBe('allowed NotSelected');
  });

  it('without an address uses a family that both have, in the order of the target', () => {
    const pods = [dualStack('shop/a', '10.0.0.1', 'fd00::1'), dualStack('shop/b', 'fd00::2', '10.0.0.2'), dualStack('shop/c', '10.0.0.3')];
    const objects = (cidr: string): PolicyObjects => ({ pods, networkPolicies: [allow(cidr)] });
    expect(ingressOf({ pod: 'shop/a' }, { pod: 'shop/b' }, objects('fd00::1/128'))).toBe('allowed RuleAllows spec.ingress[0].from[0]');
    expect(ingressOf({ pod: 'shop/c' }, { pod: 'shop/b' }, objects('10.0.0.3/32'))).toBe('allowed RuleAllows spec.ingress[0].from[0]');
    expect(ingressOf({ pod: 'shop/a', ip: '10.0.0.1' }, { pod: 'shop/b' }, objects('fd00::/64'))).toBe('denied NoRuleAllows');
  });
});

describe('a connection', () => {
  const egressOf = (rules: object): NetworkPolicy => ({
    metadata: { namespace: 'shop', name: 'e' },
    spec: { policyTypes: ['Egress'], ...rules },
  });
  const traffic = { from: { pod: 'shop/web' }, to: { pod: 'data/etl' }, port: 80 };
  const unknown = egressOf({ egress: [{ to: [{ ipBlock: { cidr: '010.0.0.0/8' } }] }] });
  const denying: NetworkPolicy = { metadata: { namespace: 'data', name: 'p' }, spec: {} };

  it.each([
    ['is allowed if both directions are', [], true],
    ['is denied if its egress is', [egressOf({})], false],
    ['is denied if its ingress is', [denying], false],
    ['is unknown if one direction is', [unknown], 'unknown'],
    ['is denied if one direction is unknown and the other denied', [unknown, denying], false],
  ])('%s', (_, networkPolicies, expected) => {
    expect(evaluateTraffic(traffic, { ...cluster, networkPolicies }).allowed).toBe(expected);
  });
});
