import { spawnSync } from 'node:child_process';
import { goVersion } from '../../oracle/build.ts';
import { commandInNewNetwork } from '../proxy/probe.ts';

/** Returns the reason why packets cannot be sent and filtered on this machine; undefined if they can. */
export function reasonToSkip(): string | undefined {
  for (const [tool, name] of Object.entries(requiredTools))
    if (spawnSync(tool, ['--version']).error !== undefined) return `${tool} is not installed (Debian: ${name})`;
  if (goVersion() === undefined) return 'Go is not installed';
  const script = `mount -t tmpfs tmpfs /run; ip link add one type veth peer name other; ip link del one
    for command in iptables ip6tables; do
      $command -t mangle -A FORWARD -m conntrack --ctstate ESTABLISHED -j NFQUEUE --queue-num 100
      $command -A FORWARD -m mark --mark 1 -j REJECT
    done`;
  const [command, ...words] = commandInNewNetwork(['sh', '-ec', script]);
  const { status, stderr } = spawnSync(command, words, { encoding: 'utf8' });
  if (status === 0) return undefined;
  const message = stderr.trim().split('\n').at(-1);
  return `cannot create a network namespace whose rules queue packets, which needs root or user namespaces: ${message}`;
}

/** Debian packages by command. */
const requiredTools: Readonly<Record<string, string>> = {
  unshare: 'util-linux',
  nsenter: 'util-linux',
  ip: 'iproute2',
  'iptables-restore': 'iptables',
  'ip6tables-restore': 'iptables',
};
