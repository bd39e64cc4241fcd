import type { LogLevel } from '@kube-endpoints/controllers/internal';
import { createAddressList, readServer, typeCode } from '@kube-endpoints/dns-server/internal';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { PodMode } from 'kube-endpoints/dns';
import { isDNS1123Label } from 'kube-endpoints/internal';
import { dnsProfile } from '../../../src/dns/gates.ts';
import { givenFlags } from './given.ts';
import { addMetrics, type MetricsFlags, metricsWrong } from './program-metrics.ts';
import { addClusterFlags, type ClusterFlags } from './program-run.ts';

/** How the name server of a cluster is configured. */
export interface ZoneFlags {
  /** "cluster.local" */
  readonly zone: string;
  readonly pods: PodMode;
  readonly ttl: number;
  /** The release of CoreDNS; the newest where none is told. */
  readonly coredns?: string;
  readonly endpointPodNames: boolean;
  readonly ignoreEmptyService: boolean;
}

/** What is asked of `dns`. */
export interface DnsParticulars extends ClusterFlags, MetricsFlags, ZoneFlags {
  readonly command: 'dns';
  readonly host: string;
  readonly port: number;
  readonly forward?: readonly string[];
  readonly transferTo?: readonly string[];
  readonly logLevel: LogLevel;
  readonly logFormat?: 'json' | 'text';
}

/** What is asked of `resolve`. */
export interface ResolveParticulars extends ClusterFlags, ZoneFlags {
  readonly command: 'resolve';
  readonly name: string;
  /** "SRV"; undefined for addresses of both families. */
  readonly type: string | undefined;
  /** "shop/pod/web-1" */
  readonly from?: string;
}

/** @param take is given what was asked */
export function addDns(
  program: Command,
  readPort: (text: string) => number,
  take: (particulars: DnsParticulars | ResolveParticulars) => void,
): void {
  addDnsServer(program, readPort, take);
  addZoneFlags(
    addClusterFlags(program.command('resolve'))
      .description('look a name up as the DNS of the cluster would answer it, and say why there is no answer where there is none')
      .argument('<NAME>', 'as a program in a pod has it: web, web.shop, _http._tcp.web.shop.svc.cluster.local, 10.96.0.10')
      .argument('[TYPE]', 'the type of records: A, AAAA, SRV, PTR, ... (default: A and AAAA, of an address PTR)', readType)
      .option('--from <POD>', 'the pod that asks, as pod/NAME or NAMESPACE/pod/NAME: its search path (default: one of -n)'),
  ).action((name: string, type: string | undefined, given: Partial<ResolveParticulars>) =>
    take({ ...zoneDefaults, ...given, command: 'resolve', name, type } as ResolveParticulars),
  );
}

function addDnsServer(program: Command, readPort: (text: string) => number, take: (particulars: DnsParticulars) => void): void {
  const command = addZoneFlags(
    addClusterFlags(program.command('dns')).description(
      'answer DNS queries for the Services and pods of -f, or of a cluster as they change, over UDP and TCP, until it is stopped; ' +
        'the cluster is that of --kubeconfig, --context, KUBECONFIG, or the one that this runs in',
    ),
  )
    .option('--port <PORT>', 'where to listen; 0 for any free port', readPort, 5353)
    .option('--host <ADDRESS>', 'the address to listen at', '127.0.0.1')
    .option('--forward <SERVER>', 'who is asked for all other names, as 10.0.0.1:53; may be given several times', collectServers)
    .option('--transfer-to <CIDR>', 'who may have whole zones (AXFR), as 10.0.0.0/8; may be given several times', collectRanges);
  addMetrics(command, readPort)
    .addOption(
      new Option('--log-level <LEVEL>', 'the least that is logged; with debug every query')
        .choices(['trace', 'debug', 'info', 'warn', 'error'])
        .default('info'),
    )
    .addOption(
      new Option('--log-format <FORMAT>', 'on standard error (default: "text" on a terminal, "json" elsewhere)').choices(['json', 'text']),
    )
    .action((given: Partial<DnsParticulars>) => {
      const wrong = metricsWrong(givenFlags(command));
      if (wrong !== undefined) command.error(`error: ${wrong}`);
      take({ ...zoneDefaults, ...given, command: 'dns' } as DnsParticulars);
    });
}

const zoneDefaults = { endpointPodNames: false, ignoreEmptyService: false } as const;

const addZoneFlags = (command: Command): Command =>
  command
    .option('--zone <DOMAIN>', 'the domain of the cluster', readZone, 'cluster.local')
    .addOption(new Option('--pods <MODE>', 'how names of pods are answered').choices(podModes).default('disabled'))
    .option('--ttl <SECONDS>', 'for how long answers may be kept, 0 to 3600', readTtl, 5)
    .option('--coredns <RELEASE>', 'the release of CoreDNS to answer like, 1.8 to 1.14 (default: the newest)', readCoreDns)
    .option('--endpoint-pod-names', 'name endpoints without a hostname after their pods')
    .option('--ignore-empty-service', 'take Services without ready endpoints for such that do not exist');

/** The values of `--pods`. */
export const podModes: readonly string[] = ['disabled', 'insecure', 'verified'] satisfies PodMode[];

/** @throws InvalidArgumentError saying what a domain is */
export function readZone(text: string): string {
  const zone = text.toLowerCase().replace(/\.$/, '');
  if (zone.length <= 253 && zone.split('.').every(isDNS1123Label)) return zone;
  throw new InvalidArgumentError('give a domain such as cluster.local');
}

function readTtl(text: string): number {
  const ttl = /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN;
  if (ttl <= 3600) return ttl;
  throw new InvalidArgumentError('give a whole number of seconds from 0 to 3600');
}

const readCoreDns = (text: string): string => checked(text, () => dnsProfile(text.replace(/^v/, '')));

function readType(text: string): string {
  const type = text.toUpperCase();
  if (typeCode(type) !== undefined) return type;
  throw new InvalidArgumentError('give a type of records, such as A, AAAA, SRV, PTR, CNAME, TXT, NS, SOA or TYPE64');
}

const collectServers = (value: string, before: readonly string[] = []): string[] => [...before, checked(value, () => readServer(value))];
const collectRanges = (value: string, before: readonly string[] = []): string[] => [
  ...before,
  checked(value, () => createAddressList([value])),
];

function checked(value: string, read: () => unknown): string {
  try {
    read();
    return value;
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message);
  }
}
