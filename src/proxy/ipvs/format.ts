import type { IPFamily } from '../../apimachinery/index.ts';
import { joinHostPort } from '../node-view.ts';
import type { IpSet, IpvsRules, VirtualServer } from './model.ts';

/** Formats the virtual servers as `ipvsadm -Sn` prints them, which is input for `ipvsadm -R`. */
export const formatVirtualServers = ({ virtualServers }: Pick<IpvsRules, 'virtualServers'>): string =>
  virtualServers.flatMap(listServerLines).map(endLine).join('');

function listServerLines(server: VirtualServer): string[] {
  const { address, port, scheduler, persistenceSeconds, hashesClientPort, realServers } = server;
  const service = `${protocolFlags[server.protocol]} ${joinHostPort(address, port)}`;
  const flags = [
    `-s ${scheduler}`,
    ...(persistenceSeconds !== undefined ? [`-p ${persistenceSeconds}`] : []),
    ...(hashesClientPort ? ['-b mh-port'] : []),
  ];
  return [
    `-A ${service} ${flags.join(' ')}`,
    ...realServers.map((real) => `-a ${service} -r ${joinHostPort(real.address, real.port)} -m -w 1`),
  ];
}

const protocolFlags = { TCP: '-t', UDP: '-u', SCTP: '--sctp-service' } as const;

/** Formats the sets as `ipset save` prints them, which is input for `ipset restore`, with the sizes that kube-proxy gives to new sets. */
export const formatIpSets = ({ sets, family }: Pick<IpvsRules, 'sets' | 'family'>): string =>
  sets
    .flatMap((set) => [formatSet(set, family), ...set.entries.map((entry) => `add ${set.name} ${entry}`)])
    .map(endLine)
    .join('');

const formatSet = ({ name, type }: IpSet, family: IPFamily): string =>
  `create ${name} ${type} ${type === 'bitmap:port' ? 'range 0-65535' : `family ${family === 'IPv6' ? 'inet6' : 'inet'} hashsize 1024 maxelem 65536`}`;

/** Formats the addresses of kube-ipvs0 as input for `ip -batch -`. */
export const formatDummyAddresses = ({ addresses, family }: Pick<IpvsRules, 'addresses' | 'family'>): string =>
  addresses.map((address) => endLine(`address add ${address}/${family === 'IPv6' ? 128 : 32} dev kube-ipvs0`)).join('');

const endLine = (line: string): string => `${line}\n`;
