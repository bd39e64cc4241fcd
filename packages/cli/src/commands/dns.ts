import { isIP } from 'node:net';
import { createDnsFeed } from '@kube-endpoints/controllers';
import type { DnsFeed, HealthServer } from '@kube-endpoints/controllers/internal';
import { combineObservers, createFeedMetrics, type Logger, type Metrics, observePort } from '@kube-endpoints/controllers/operations';
import type { DnsServer, DnsServerOptions } from '@kube-endpoints/dns-server';
import { createAddressList, parseServerAddress } from '@kube-endpoints/dns-server/internal';
import type { Command } from 'commander';
import type { ClusterZone } from 'kube-endpoints/dns';
import { formatCount } from 'kube-endpoints/internal';
import { systemClock } from 'kube-endpoints/port';
import { exitCodes, type IO, type PrintMessage, UsageError } from '../base/io.ts';
import { addClusterFlags, type InputFlags } from '../flags/cluster.ts';
import { findGivenFlags, type Invocation, type OnParsed, parsePort, requestedNamespace } from '../flags/common.ts';
import { addLogFlags, addMetricsFlags, type LogFlags, type MetricsFlags, validateMetricsFlags } from '../flags/operations.ts';
import { addZoneFlags, validateText, type ZoneFlags, zoneDefaults } from '../flags/zone.ts';
import { createCommandLogger } from '../live/command-log.ts';
import { createDnsLog } from '../live/dns-log.ts';
import { createListenError, serveHealthAt } from '../live/listen.ts';
import { readObjects } from '../live/read-objects.ts';
import { openCluster, readsCluster } from '../live/source.ts';
import { createDnsInput, createZoneFromFlags, filterByNamespace } from '../report/dns-objects.ts';

interface DnsFlags extends InputFlags, MetricsFlags, ZoneFlags, LogFlags {
  readonly command: 'dns';
  readonly host: string;
  readonly port: number;
  readonly forward?: readonly string[];
  readonly transferTo?: readonly string[];
}

export function configure(command: Command, onParsed: OnParsed): void {
  addZoneFlags(addClusterFlags(command))
    .option('--port <PORT>', 'the port to listen on; 0 for any free port', parsePort, 5353)
    .option('--host <ADDRESS>', 'the address to listen on', '127.0.0.1')
    .option('--forward <SERVER>', 'forward queries for all other names to this server, such as 10.0.0.1:53; repeatable', collectServers)
    .option('--transfer-to <CIDR>', 'clients that may transfer whole zones (AXFR), such as 10.0.0.0/8; repeatable', collectRanges);
  addLogFlags(addMetricsFlags(command), 'info', '; debug also logs every query').action((options: Partial<DnsFlags>) => {
    const problem = validateMetricsFlags(findGivenFlags(command));
    if (problem !== undefined) command.error(`error: ${problem}`);
    onParsed([], { ...zoneDefaults, ...options, command: 'dns' } as DnsFlags, run);
  });
}

const collectServers = (value: string, previous: readonly string[] = []): string[] => [
  ...previous,
  validateText(value, () => parseServerAddress(value)),
];
const collectRanges = (value: string, previous: readonly string[] = []): string[] => [
  ...previous,
  validateText(value, () => createAddressList([value])),
];

type DnsCommand = Invocation<DnsFlags>;

/** Serves DNS for the objects of files, or of a watched cluster, until it is stopped. Serves nothing if a file is invalid. */
async function run(command: DnsCommand, io: IO, printMessage: PrintMessage): Promise<number> {
  if (readsCluster(command)) return followCluster(command, io, printMessage);
  const { inventory, live } = await readObjects(command, { kinds: [] }, io, printMessage);
  if (inventory.problems.length > 0) return exitCodes.error;
  const { objects: allObjects, hints } = createDnsInput(inventory, live);
  for (const hint of hints) printMessage('hint', hint);
  const namespace = requestedNamespace(command.flags);
  const objects = namespace === undefined ? allObjects : filterByNamespace(allObjects, namespace);
  const zone = createZoneFromFlags(command, objects, zoneOptionsFor(command));
  const description =
    `${formatCount([...(objects.services ?? [])].length, 'Service')} of ` +
    (namespace === undefined ? formatCount(inventory.namespaces.length, 'namespace') : `namespace ${namespace}`);
  await serve(zone, command, { io, logger: loggerFor(command, io), description, ready: () => true });
  return exitCodes.nothing;
}

async function followCluster(command: DnsCommand, io: IO, printMessage: PrintMessage): Promise<number> {
  const cluster = await openCluster(command, io, printMessage);
  const logger = loggerFor(command, io);
  const namespace = requestedNamespace(command.flags);
  const stop = new AbortController();
  try {
    const zone = createZoneFromFlags(command, {}, zoneOptionsFor(command));
    const scope = namespace === undefined ? {} : { namespace };
    const metrics = createFeedMetrics({ host: cluster.host, objects: () => feed.objects });
    const onEvent = combineObservers(metrics.observer, logger.observer);
    const port = observePort(cluster.port, systemClock, onEvent);
    const feed = createDnsFeed({ port, zone, pods: command.pods === 'verified', onEvent, ...scope });
    const feedRun = feed.run(stop.signal);
    void logWhenReady(feed, logger, stop.signal);
    await serve(zone, command, { io, logger, description: cluster.description, ready: () => feed.ready, metrics });
    stop.abort();
    await feedRun;
    return exitCodes.nothing;
  } finally {
    stop.abort();
    cluster.close();
  }
}

async function logWhenReady(feed: DnsFeed, logger: Logger, signal: AbortSignal): Promise<void> {
  try {
    await feed.synced(signal);
    logger.log('info', 'caches are synced, answering queries', { ...feed.objects });
  } catch {
    // Stopped before the first sync completed.
  }
}

const loggerFor = ({ logLevel, logFormat }: DnsCommand, { stderr }: IO): Logger =>
  createCommandLogger(stderr, { level: logLevel, format: logFormat });

/**
 * Creates options of the zone. The address of the server is known only if it listens on a specific address.
 * @throws UsageError if --host is not an IP address
 */
function zoneOptionsFor({ host }: DnsCommand): { readonly localIPs: readonly string[]; readonly now: () => number } {
  if (isIP(host) === 0) throw new UsageError(`--host ${JSON.stringify(host)}: give an address, such as 127.0.0.1 or ::1`);
  return { localIPs: /^[0.:]*$/.test(host) ? [] : [host], now: Date.now };
}

interface ServeOptions {
  readonly io: IO;
  readonly logger: Logger;
  /** The served objects, for the ready message. */
  readonly description: string;
  readonly ready: () => boolean;
  /** Metrics of the caches of cluster objects. Absent if the objects come from files. */
  readonly metrics?: Metrics;
}

async function serve(zone: ClusterZone, command: DnsCommand, { io, logger, description, ready, metrics }: ServeOptions): Promise<void> {
  const { createDnsMetrics, createDnsServer, createUpstreamResolver } = await import('@kube-endpoints/dns-server');
  const dnsLog = createDnsLog(logger);
  const serverMetrics = command.metricsPort === 0 ? undefined : createDnsMetrics();
  const upstream = command.forward && createUpstreamResolver(command.forward);
  const options: DnsServerOptions = {
    answer: zone.answer,
    revision: () => zone.revision,
    zones: zone.zones,
    transfer: zone.transfer,
    ready,
    ...(upstream && { resolver: upstream, forward: upstream.forward }),
    transferTo: command.transferTo ?? [],
    address: command.host,
    port: command.port,
    onEvent(event) {
      serverMetrics?.observer(event);
      dnsLog.observer(event);
    },
  };
  const server = createDnsServer(options);
  let health: HealthServer | undefined;
  try {
    const { address, port } = await listen(server, command);
    health = await serveHealthAt(command, { ready, ...(serverMetrics && { metrics: combineMetrics(serverMetrics, metrics) }) });
    const stopRequest = io.untilStopped();
    io.stdout.write(`DNS of ${command.zone} at ${address}, port ${port} (UDP and TCP), for ${description}. Ctrl-C ends it.\n`);
    io.stdout.write(`dig @${address} -p ${port} kubernetes.default.svc.${command.zone}\n`);
    if (health) logger.log('info', 'serving health and metrics', { url: health.url });
    await stopRequest;
    logger.log('info', 'stopping');
  } finally {
    await health?.close();
    await server.close();
    dnsLog.stop();
  }
}

type ScrapableMetrics = Pick<Metrics, 'scrape' | 'contentType'>;

/** Concatenates the metrics of the server and of the caches, which have no metric in common. */
const combineMetrics = (server: ScrapableMetrics, caches: ScrapableMetrics | undefined): ScrapableMetrics => ({
  contentType: server.contentType,
  scrape: async () => `${await server.scrape()}${(await caches?.scrape()) ?? ''}`,
});

async function listen(server: DnsServer, { host, port }: DnsCommand): ReturnType<DnsServer['listen']> {
  try {
    return await server.listen();
  } catch (error) {
    throw createListenError(error, { host, port }, { host: '--host', port: '--port', orZero: ', or 0 for any' });
  }
}
