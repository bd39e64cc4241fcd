import { describe, expect, test } from 'vitest';
import { runLine } from '../fake-io.ts';
import { parseLine } from '../parse.ts';

const parse = async (line: string): Promise<object | undefined> => (await parseLine(line)).invocation;

test('flag defaults match the configuration of kube-proxy', async () => {
  expect(await parse('proxy render --node n1 -f x')).toMatchObject({
    command: 'proxy',
    action: 'render',
    node: 'n1',
    mode: 'nftables',
    masqueradeAll: false,
    masqueradeBit: 14,
    localhostNodePorts: true,
    jumps: true,
    names: [],
  });
});

test('flags override the defaults', async () => {
  const flags = '--mode iptables --family IPv6 --masquerade-all --masquerade-bit 15 --no-localhost-node-ports --no-jumps';
  const cidrs = '--cluster-cidr 10.0.0.0/8,fd00::/64 --service-cidr 10.96.0.0/16 --node-port-addresses 192.168.0.0/16';
  expect(await parse(`proxy render --node n1 ${flags} ${cidrs}`)).toMatchObject({
    mode: 'iptables',
    family: 'IPv6',
    masqueradeAll: true,
    masqueradeBit: 15,
    localhostNodePorts: false,
    jumps: false,
    clusterCidr: ['10.0.0.0/8', 'fd00::/64'],
    serviceCidr: ['10.96.0.0/16'],
    nodePortAddresses: ['192.168.0.0/16'],
  });
  expect(await parse('proxy diff --node n1 --after a --after b --node-port-addresses primary')).toMatchObject({
    action: 'diff',
    after: ['a', 'b'],
    nodePortAddresses: ['primary'],
  });
});

test('proxy view accepts Service names as kubectl does', async () => {
  expect(await parse('proxy view --node n1 web svc/cache')).toMatchObject({ action: 'view', names: ['web', 'cache'] });
});

describe('an invalid command line of proxy', () => {
  test.each([
    ['proxy render -f x', "required option '--node <NAME>' not specified"],
    ['proxy diff --node n1 -f x', "required option '--after <FILE>' not specified"],
    ['proxy render --node n1 --mode userspace', 'Allowed choices are nftables, iptables, ipvs'],
    ['proxy diff --node n1 --after a --mode ipvs', 'Allowed choices are nftables, iptables'],
    ['proxy render --node n1 --family ipv4', 'Allowed choices are IPv4, IPv6'],
    ['proxy render --node n1 --cluster-cidr 10.0.0.0', '"10.0.0.0" is not a CIDR'],
    ['proxy render --node n1 --service-cidr 10.0.0.0/8,x', '"x" is not a CIDR'],
    ['proxy render --node n1 --node-port-addresses eth0', '"eth0" is not a CIDR'],
    ['proxy render --node n1 --masquerade-bit 32', 'give a whole number from 0 to 31'],
    ['proxy render --node n1 --no-jumps', '--no-jumps needs --mode iptables or ipvs'],
    ['proxy render --node n1 --mode iptables --ipvs-scheduler lc', '--ipvs-scheduler needs --mode ipvs'],
    ['proxy diff --node n1 --after a --no-localhost-node-ports', '--no-localhost-node-ports needs --mode iptables'],
    ['proxy render --node n1', 'no input: give -f FILE'],
    ['proxy view --node n1 -f x --context c', 'give one or the other'],
  ])('is refused in one line: %s', async (line, message) => {
    const { code, stderr } = await runLine(line);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  });
});
