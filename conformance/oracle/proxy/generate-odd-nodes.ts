import type { Random } from '../random.ts';
import type { ProxyWorld } from './case.ts';

type OddNode = (random: Random) => Partial<ProxyWorld>;

/** Creates unusual addresses, node port addresses, labels, names or CIDRs of a node. */
export const oddNodes: readonly OddNode[] = [
  (random) => ({ nodeIPs: random.pick([['192.168.0.2'], ['2001:db8::2'], ['192.168.0.2', '192.168.0.3'], []]) }),
  (random) => ({ nodeIPs: random.pick([['192.168.0.2'], ['2001:db8::2'], []]), nodePortAddresses: ['primary'] }),
  () => ({ nodePortAddresses: ['primary'] }),
  (random) => ({
    nodePortAddresses: random.pick([
      ['192.168.0.2/24', '2001:db8::2/64'],
      ['192.168.000.002/032'],
      ['2001:DB8:0::/064', '192.168.0.0/16'],
      ['192.168.0.2/32', '192.168.0.2/32', '192.168.0.0/24'],
      ['10.0.0.0/8', '0.0.0.0/0'],
      ['126.0.0.0/7'],
      ['127.0.0.1/32'],
    ]),
    localhostNodePorts: random.chance(0.6),
  }),
  (random) => ({
    nodeLabels: random.pick([
      {},
      { 'topology.kubernetes.io/region': 'z0' },
      { 'failure-domain.beta.kubernetes.io/zone': 'z0' },
      { 'topology.kubernetes.io/zone': '' },
      { 'topology.kubernetes.io/zone': 'Z0' },
      { 'topology.kubernetes.io/zone': 'constructor', 'kubernetes.io/hostname': 'n1' },
    ]),
  }),
  (random) => ({ nodeName: random.pick(['', 'n7', 'N0', 'n0.example.com', '__proto__']) }),
  (random) => ({
    podCIDRs: random.pick([['10.1.2.3/8', 'fd00:10::1/64'], ['010.1.0.0/016'], ['fd00:10::/64'], ['0.0.0.0/0', '::/0']]),
    serviceCIDRs: random.pick([
      ['fd00:10:96::/112'],
      ['010.96.0.0/16'],
      ['10.96.0.0/16', '10.96.0.0/16'],
      ['FD00:10:96::/112', '10.96.0.9/16'],
    ]),
  }),
];
