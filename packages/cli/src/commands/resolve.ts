import { parseRecordType } from '@kube-endpoints/dns-server/internal';
import { type Command, InvalidArgumentError } from 'commander';
import { parsePodPath, reverseName } from 'kube-endpoints/internal';
import { canonicalIP, nameOf, namespaceOf } from 'kube-endpoints/internal/apimachinery';
import type { Pod } from 'kube-endpoints/types';
import { exitCodes, type IO, type PrintMessage, UsageError } from '../base/io.ts';
import { addClusterFlags, type InputFlags } from '../flags/cluster.ts';
import type { Invocation, OnParsed } from '../flags/common.ts';
import { addZoneFlags, type ZoneFlags, zoneDefaults } from '../flags/zone.ts';
import type { LiveKind } from '../live/inventory.ts';
import { readObjects } from '../live/read-objects.ts';
import { printReport } from '../print/report.ts';
import { createDnsInput, createZoneFromFlags } from '../report/dns-objects.ts';
import { hidePlaceholdersIn } from '../report/placeholders.ts';
import { createSearch, lookUpAll, reportLookups } from '../report/resolve.ts';

interface ResolveFlags extends InputFlags, ZoneFlags {
  readonly command: 'resolve';
  readonly name: string;
  /** Such as "SRV"; undefined for A and AAAA. */
  readonly type: string | undefined;
  /** Such as "shop/pod/web-1". */
  readonly from?: string;
}

export function configure(command: Command, onParsed: OnParsed): void {
  const withArguments = addClusterFlags(command)
    .argument('<NAME>', 'the name as a program in a pod uses it: web, web.shop, _http._tcp.web.shop.svc.cluster.local, 10.96.0.10')
    .argument('[TYPE]', 'the record type: A, AAAA, SRV, PTR, ... (default: A and AAAA, for an IP address PTR)', parseType)
    .option(
      '--from <POD>',
      'the client pod, as pod/NAME or NAMESPACE/pod/NAME, whose DNS search path is used (default: a pod in the namespace of -n)',
    );
  addZoneFlags(withArguments).action((name: string, type: string | undefined, options: Partial<ResolveFlags>) =>
    onParsed([], { ...zoneDefaults, ...options, command: 'resolve', name, type } as ResolveFlags, run),
  );
}

/** @throws InvalidArgumentError with examples of valid types */
function parseType(text: string): string {
  const type = text.toUpperCase();
  if (parseRecordType(type) !== undefined) return type;
  throw new InvalidArgumentError('give a record type, such as A, AAAA, SRV, PTR, CNAME, TXT, NS, SOA or TYPE64');
}

/** Prints the DNS answers that a pod gets for each name of its search path. Reads all namespaces, because a name may refer to any. */
async function run(command: Invocation<ResolveFlags>, io: IO, printMessage: PrintMessage): Promise<number> {
  const { flags, from } = command;
  const loadedObjects = await readObjects({ ...command, flags: { ...flags, allNamespaces: true } }, { kinds }, io, printMessage);
  const { objects, hints } = createDnsInput(loadedObjects.inventory, loadedObjects.live);
  const zone = createZoneFromFlags(command, objects);
  const pod = from === undefined ? undefined : findPod(from, loadedObjects.namespace, loadedObjects.inventory.pods);
  const namespace = pod ? namespaceOf(pod) : loadedObjects.namespace;
  const query = queryOf(command);
  const search = createSearch(query.name, { pod, namespace, zone: command.zone });
  const report = hidePlaceholdersIn(reportLookups(lookUpAll(zone, search.names, query.types), { query, search }), loadedObjects.inventory);
  for (const hint of [...hints, ...(report.hints ?? [])]) printMessage('hint', hint);
  await printReport(report, flags, io);
  if (loadedObjects.inventory.problems.length > 0) return exitCodes.error;
  return report.hasFindings ? exitCodes.found : exitCodes.nothing;
}

const kinds: readonly LiveKind[] = ['services', 'pods', 'endpoints', 'endpointSlices', 'nodes', 'namespaces'];

/** Returns the name to look up, which for an IP address is in the reverse zone. @throws UsageError if the name is not a DNS name */
function queryOf({ name, type }: Pick<ResolveFlags, 'name' | 'type'>): { readonly name: string; readonly types: readonly string[] } {
  const address = canonicalIP(name);
  if (address !== undefined) return { name: reverseName(address), types: [type ?? 'PTR'] };
  if (name.length > maxNameLength || name === '')
    throw new UsageError(`${JSON.stringify(name.slice(0, 60))} is not a DNS name: give one of 1 to 253 characters`);
  if (name.includes(':')) throw new UsageError(`${JSON.stringify(name)} is not a DNS name: remove scheme and port, as in cart.shop`);
  return { name, types: type === undefined ? ['A', 'AAAA'] : [type] };
}

const maxNameLength = 253;

function findPod(text: string, namespace: string, pods: readonly Pod[]): Pod {
  const path = parsePodPath(text, namespace);
  if (!path) throw new UsageError(`--from ${JSON.stringify(text)}: give pod/NAME or NAMESPACE/pod/NAME`);
  const pod = pods.find((candidate) => namespaceOf(candidate) === path.namespace && nameOf(candidate) === path.name);
  if (pod) return pod;
  throw new UsageError(`--from: there is no pod ${JSON.stringify(path.name)} in namespace ${JSON.stringify(path.namespace)}`);
}
