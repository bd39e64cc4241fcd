import {
  diffIptables,
  formatDummyAddresses,
  formatIpSets,
  formatIptablesTransaction,
  formatVirtualServers,
  type IpvsRules,
} from 'kube-endpoints/proxy';
import { commandInNamespace, run } from './namespaces.ts';
import type { Family } from './topology.ts';

/** Formats shell scripts that change a node to given rules. */
export type IpvsLoader = (before: IpvsRules | undefined, after: IpvsRules) => string;

export function createIpvsLoader(): IpvsLoader {
  const loaded = new Map<string, Set<string>>();
  return (before, after) => {
    const command = after.family === 'IPv4' ? 'iptables-restore' : 'ip6tables-restore';
    return [
      withInput('ipset -exist restore', changeSets(before, after)),
      withInput(`${command} --noflush`, formatIptablesTransaction(diffIptables(before?.iptables, after.iptables))),
      withInput('ip -batch -', changeAddresses(before, after)),
      withInput('ipvsadm -R', changeServers(loaded, before, after)),
    ].join('');
  };
}

/** Lists what the kernel of a node contains if these rules are loaded, except the iptables rules. */
export const formatIpvsState = (rules: IpvsRules): string =>
  [
    formatVirtualServers(rules),
    // The kernel lists the range of a single address as this address.
    formatIpSets(rules).replaceAll(/^create .*\n|\/(?:32|128)$/gm, ''),
    ...rules.addresses.map((address) => `address ${address}\n`),
  ].join('');

/** Lists what the kernel of a node contains, in any order, without real servers whose connections may end. */
export function listIpvsState(namespace: string, family: Family): readonly string[] {
  const script = 'ipvsadm -Sn; ipset save; ip -o address show dev kube-ipvs0 scope global';
  return run(commandInNamespace(namespace, ['sh', '-ec', script]))
    .split('\n')
    .map((line) => line.trim().replace(/^\d+: kube-ipvs0 +inet6? ([^/]*).*/, 'address $1'))
    .filter((line) => /^(?:-|add|address)/.test(line) && !line.endsWith('-w 0'))
    .filter((line) => isOfFamily(line, family));
}

const isOfFamily = (line: string, family: Family): boolean => (/^-.*\[|^add KUBE-6-|^address .*:/.test(line) ? 'IPv6' : 'IPv4') === family;

const withInput = (command: string, input: string): string => (input === '' ? '' : `${command} <<'END'\n${input}END\n`);

/** Lists the commands that empty each changed set and add its entries. */
function changeSets(before: IpvsRules | undefined, after: IpvsRules): string {
  const oldSets = new Set(before === undefined ? [] : splitSets(before));
  return splitSets(after)
    .filter((set) => !oldSets.has(set))
    .map((set) => set.replace(/^create (\S+) .*\n/, (line, name) => `${line}flush ${name}\n`))
    .join('');
}

const splitSets = (rules: IpvsRules): string[] => formatIpSets(rules).split(/^(?=create )/m);

function changeAddresses(before: IpvsRules | undefined, after: IpvsRules): string {
  const [oldLines, lines] = [before, after].map((rules) => new Set(rules === undefined ? [] : listLines(formatDummyAddresses(rules))));
  return [
    ...[...(oldLines ?? [])].filter((line) => !lines?.has(line)).map((line) => line.replace(' add ', ' delete ')),
    ...[...(lines ?? [])].filter((line) => !oldLines?.has(line)),
  ].join('');
}

/**
 * Changes the loaded servers. Like kube-proxy, gives a removed real server the weight 0, so that its connections continue; one of UDP is
 * deleted at once.
 */
function changeServers(loaded: Map<string, Set<string>>, before: IpvsRules | undefined, after: IpvsRules): string {
  const servers = readServers(after);
  const oldServers = before === undefined ? undefined : readServers(before);
  const commands = [...loaded.keys()].filter((server) => !servers.has(server)).map((server) => `-D ${server}`);
  for (const server of loaded.keys()) if (!servers.has(server)) loaded.delete(server);
  for (const [server, { flags, realServers }] of servers) {
    const known = loaded.get(server);
    const old = oldServers?.get(server);
    if (flags !== old?.flags) commands.push(`${known === undefined ? '-A' : '-E'} ${server} ${flags}`);
    for (const real of old?.realServers ?? []) {
      if (realServers.has(real)) continue;
      commands.push(server.startsWith('-u') ? `-d ${server} -r ${real}` : `-e ${server} -r ${real} -m -w 0`);
      if (server.startsWith('-u')) known?.delete(real);
    }
    for (const real of realServers) {
      if (!old?.realServers.has(real)) commands.push(`${known?.has(real) ? '-e' : '-a'} ${server} -r ${real} -m -w 1`);
    }
    loaded.set(server, new Set([...(known ?? []), ...realServers]));
  }
  return commands.map((command) => `${command}\n`).join('');
}

interface ParsedServer {
  readonly flags: string;
  readonly realServers: Set<string>;
}

/** Reads the formatted servers, by protocol and address: "-t 10.96.0.1:80". */
function readServers(rules: IpvsRules): Map<string, ParsedServer> {
  const servers = new Map<string, ParsedServer>();
  for (const line of listLines(formatVirtualServers(rules))) {
    const [, command, server = '', rest = ''] = /^-([Aa]) (\S+ \S+) (.*)\n$/.exec(line) ?? [];
    if (command === 'A') servers.set(server, { flags: rest, realServers: new Set() });
    else servers.get(server)?.realServers.add(rest.split(' ')[1] ?? '');
  }
  return servers;
}

const listLines = (text: string): string[] => text.match(/.*\n/g) ?? [];
