import { spawnSync } from 'node:child_process';
import type { Mode } from './rules.ts';

/** Returns the command line that runs a command in new namespaces, which end with the command or with its parent process. */
export function commandInNewNetwork(words: readonly string[]): readonly [string, ...string[]] {
  const asRoot = process.getuid?.() === 0 ? [] : ['--user', '--map-root-user'];
  return ['unshare', ...asRoot, '--net', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc', ...words];
}

/** Returns the reason why rules of this mode cannot be tested on this machine; undefined if they can. */
export function reasonToSkip(mode: Mode): string | undefined {
  for (const command of ['unshare', 'nsenter', 'ip', ...requiredTools[mode]]) {
    if (spawnSync(command, ['--version']).error !== undefined)
      return `${command} is not installed (Debian: ${packageByCommand[command] ?? command})`;
  }
  const [command, ...words] = commandInNewNetwork(['sh', '-ec', probeScripts[mode]]);
  const { status, stderr } = spawnSync(command, words, { encoding: 'utf8' });
  return status === 0 ? undefined : `cannot create a network namespace with rules: ${stderr.trim().split('\n').at(-1)}`;
}

const requiredTools: Readonly<Record<Mode, readonly string[]>> = {
  nftables: ['nft'],
  iptables: ['iptables-restore', 'ip6tables-restore', 'iptables-save', 'ip6tables-save'],
  ipvs: ['linux.uml', 'modprobe', 'ipvsadm', 'ipset', 'iptables-restore', 'ip6tables-restore'],
};

const packageByCommand: Readonly<Record<string, string>> = {
  nft: 'nftables',
  'iptables-save': 'iptables',
  'ip6tables-save': 'iptables',
  unshare: 'util-linux',
  nsenter: 'util-linux',
  ip: 'iproute2',
  'linux.uml': 'user-mode-linux',
  modprobe: 'kmod',
  'iptables-restore': 'iptables',
  'ip6tables-restore': 'iptables',
};

const createLinks = 'mount -t tmpfs tmpfs /run; ip link add lan type bridge; ip link add one type veth peer name other';
const probeScripts: Readonly<Record<Mode, string>> = {
  nftables: `${createLinks}; nft add table ip probe; nft 'add chain ip probe nat { type nat hook prerouting priority -100; }'`,
  // The kernel of this machine needs no modules for ipvs.
  ipvs: 'true',
  iptables: `${createLinks}; iptables -t nat -A POSTROUTING -j MASQUERADE --random-fully; ip6tables -t nat -A POSTROUTING -j MASQUERADE`,
};
