import { canonicalIP } from 'kube-endpoints/internal';
import { podPath } from 'kube-endpoints/trace';
import type { Pod } from 'kube-endpoints/types';
import type { Tell } from '../io.ts';
import { exitCodes, type IO, UsageError } from '../io.ts';
import type { LiveKind } from '../live/inventory.ts';
import type { CommonFlags } from '../program.ts';
import type { ResolveParticulars } from '../program-dns.ts';
import { readObjects } from '../reading.ts';
import type { Report } from '../report.ts';
import { nameOf, namespaceOf } from '../scope.ts';
import { dnsObjects, zoneFor } from './dns-objects.ts';
import { lookUpAll } from './resolve-lookup.ts';
import { reportResolved } from './resolve-report.ts';
import { reverseName } from './reverse-name.ts';
import { searchOf } from './search-path.ts';

export interface ResolveCommand extends ResolveParticulars {
  readonly flags: CommonFlags;
  readonly print: (report: Report) => void;
}

/** `resolve`: what the DNS of a cluster answers a pod, name by name of its search path. Names lead to any namespace: all are read. */
export async function resolve(command: ResolveCommand, io: IO, tell: Tell): Promise<number> {
  const { flags, print, from } = command;
  const read = await readObjects({ ...command, flags: { ...flags, allNamespaces: true } }, kinds, io, tell);
  const { objects, hints } = dnsObjects(read.inventory, read.live);
  const zone = zoneFor(command, objects);
  const pod = from === undefined ? undefined : podFrom(from, read.namespace, read.inventory.pods);
  const namespace = pod ? namespaceOf(pod) : read.namespace;
  const asked = askedOf(command);
  const search = searchOf(asked.name, { pod, namespace, zone: command.zone });
  const report = reportResolved(lookUpAll(zone, search.names, asked.types), { asked, search });
  for (const hint of [...hints, ...(report.hints ?? [])]) tell('hint', hint);
  print(report);
  if (read.inventory.problems.length > 0) return exitCodes.error;
  return report.found ? exitCodes.found : exitCodes.nothing;
}

const kinds: readonly LiveKind[] = ['services', 'pods', 'endpoints', 'endpointSlices', 'nodes', 'namespaces'];

/** Of an address, its name in the reverse zone is asked for. */
function askedOf({ name, type }: ResolveParticulars): { readonly name: string; readonly types: readonly string[] } {
  const address = canonicalIP(name);
  if (address !== undefined) return { name: reverseName(address), types: [type ?? 'PTR'] };
  if (name.length > longestName || name === '')
    throw new UsageError(`${JSON.stringify(name.slice(0, 60))} is no name: give one of 1 to 253 characters`);
  if (name.includes(':')) throw new UsageError(`${JSON.stringify(name)} is no name: give one without scheme and port, as cart.shop`);
  return { name, types: type === undefined ? ['A', 'AAAA'] : [type] };
}

const longestName = 253;

function podFrom(text: string, namespace: string, pods: readonly Pod[]): Pod {
  const asked = podPath(text, namespace);
  if (!asked) throw new UsageError(`--from ${JSON.stringify(text)}: give pod/NAME or NAMESPACE/pod/NAME`);
  const pod = pods.find((each) => namespaceOf(each) === asked.namespace && nameOf(each) === asked.name);
  if (pod) return pod;
  throw new UsageError(`--from: there is no pod ${JSON.stringify(asked.name)} in namespace ${JSON.stringify(asked.namespace)}`);
}
