import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { BalancingOptions } from '@kube-endpoints/controllers';
import type { TcpCloudEvent } from '@kube-endpoints/controllers/clouds';
import { callWithin } from '@kube-endpoints/controllers/internal';
import type { Logger } from '@kube-endpoints/controllers/operations';
import { messageOf, redactSecrets } from 'kube-endpoints/internal/apimachinery';
import type { BalancerPort, CloudPort } from 'kube-endpoints/load-balancer';
import { type Clock, systemClock } from 'kube-endpoints/port';
import { UsageError } from '../base/io.ts';
import type { CloudFlags } from '../flags/cloud.ts';
import { escapeUnprintable } from '../print/text.ts';

/** The argument of a cloud module's `createCloud`. */
export interface CloudSettings {
  /** The name of this cluster in the cloud. */
  readonly clusterName: string;
  /** The value of --cloud-addresses. */
  readonly addresses?: string;
}

/** The cloud of a command line. */
export interface OpenedCloud {
  /** Options for the host. */
  readonly balancingOptions: BalancingOptions & { readonly cloud: CloudPort };
  /** Calls the cloud's `close`. If that call fails or times out, logs an error; never rejects. */
  close(): Promise<void>;
}

export interface CloudOptions extends CloudFlags {
  /** True with `--once`: calls of the cloud get a shorter timeout. */
  readonly once?: boolean;
}

/** Opens the cloud of a command line; undefined without --cloud. @throws UsageError if the cloud cannot be loaded or is invalid */
export async function openCloud(
  options: CloudOptions,
  logger: Pick<Logger, 'log'>,
  clock: Clock = systemClock,
): Promise<OpenedCloud | undefined> {
  const { cloud: name, clusterName = 'kubernetes', cloudAddresses: addresses, concurrentServiceSyncs: workers, once = false } = options;
  if (name === undefined) return undefined;
  const settings = { clusterName, ...(addresses !== undefined && { addresses }) };
  const cloud = await createNamedCloud(name, settings, logger);
  return {
    balancingOptions: { cloud, clusterName, ...(workers !== undefined && { workers }), ...(once && { cloudTimeout: onceTimeoutMs }) },
    async close() {
      const createTimeoutError = (): Error => new Error(`no answer within ${closeTimeoutMs / 1000} s`);
      try {
        await callWithin({ clock, milliseconds: closeTimeoutMs, createTimeoutError }, async () => (cloud as Closable).close?.({ drainMs }));
      } catch (error) {
        logger.log('error', `--cloud ${escapeUnprintable(name)}: close() failed: ${formatErrorWithoutSecrets(error)}`);
      }
    },
  };
}

interface Closable {
  readonly close?: (options: { readonly drainMs: number }) => unknown;
}

/** The timeout of a cloud call with `--once`. */
const onceTimeoutMs = 60_000;
/** The timeout of the cloud's `close`. */
const closeTimeoutMs = 10_000;

/** The time in which open connections may finish when the cloud closes. */
const drainMs = 1000;

async function createNamedCloud(name: string, settings: CloudSettings, logger: Pick<Logger, 'log'>): Promise<CloudPort> {
  if (name !== 'memory' && name !== 'tcp') return createCloudOfModule(name, settings);
  const { createMemoryCloud, createTcpCloud } = await import('@kube-endpoints/controllers/clouds');
  const { addresses } = settings;
  const options = { ...(addresses !== undefined && { addresses }) };
  try {
    return name === 'memory' ? createMemoryCloud(options) : createTcpCloud({ ...options, onEvent: createTcpCloudObserver(logger) });
  } catch (error) {
    if (error instanceof RangeError) throw new UsageError(`--cloud-addresses: ${error.message}`, { cause: error });
    throw error;
  }
}

async function createCloudOfModule(path: string, settings: CloudSettings): Promise<CloudPort> {
  const flagText = `--cloud ${escapeUnprintable(path)}`;
  const { createCloud } = await importModule(path, flagText);
  if (typeof createCloud !== 'function') {
    throw new UsageError(`${flagText} exports no createCloud: export a function of that name that returns a cloud`);
  }
  let cloud: unknown;
  try {
    cloud = await createCloud(settings);
  } catch (error) {
    throw new UsageError(`createCloud of ${flagText} failed: ${formatErrorWithoutSecrets(error)}`, { cause: error });
  }
  const problem = problemOf(cloud);
  if (problem !== undefined) throw new UsageError(`createCloud of ${flagText} returned an invalid cloud: ${problem}`);
  return cloud as CloudPort;
}

async function importModule(path: string, flagText: string): Promise<Readonly<Record<string, unknown>>> {
  const file = resolve(path);
  const isFile = await stat(file).then(
    (stats) => stats.isFile(),
    () => false,
  );
  if (!isFile) throw new UsageError(`${flagText} cannot be loaded: there is no such file`);
  const { href } = pathToFileURL(file);
  try {
    return (await import(href)) as Readonly<Record<string, unknown>>;
  } catch (error) {
    throw new UsageError(`${flagText} cannot be loaded: ${formatErrorWithoutSecrets(error)}`, { cause: error });
  }
}

/** Describes why a value is not a CloudPort; undefined if it is a CloudPort. */
function problemOf(cloud: unknown): string | undefined {
  if (typeof cloud !== 'object' || cloud === null) return `it is ${cloud === null ? 'null' : `a value of type ${typeof cloud}`}`;
  const { name, balancers } = cloud as Partial<CloudPort>;
  if (typeof name !== 'string' || name === '') return 'its name must be a non-empty string';
  if (balancers === undefined) return undefined;
  if (typeof balancers !== 'object' || balancers === null) return 'its balancers must be an object';
  const missingFunctions = requiredFunctions.filter((call) => typeof balancers[call] !== 'function');
  return missingFunctions.length === 0 ? undefined : `its balancers have no function ${missingFunctions.join(', ')}`;
}

const requiredFunctions = ['get', 'ensure', 'update', 'delete'] as const satisfies readonly (keyof BalancerPort)[];

const formatErrorWithoutSecrets = (error: unknown): string => redactSecrets(messageOf(error));

/** Logs the events of load balancers that run in this process. */
export function createTcpCloudObserver(logger: Pick<Logger, 'log'>): (event: TcpCloudEvent) => void {
  const handlers: Handlers = {
    listening: ({ reference, address, ports }) =>
      logger.log('info', 'load balancer is listening', { ...nameFieldsOf(reference), address, ports }),
    deleted: ({ reference, connections }) => logger.log('info', 'load balancer deleted', { ...nameFieldsOf(reference), connections }),
    nodeFailed: ({ reference, node, problem }) =>
      logger.log('warn', 'node accepts no connection, avoiding it for a while', { ...nameFieldsOf(reference), node, problem }),
    health: ({ reference, node, healthy }) =>
      logger.log('info', healthy ? 'node is healthy' : 'node is not healthy', { ...nameFieldsOf(reference), node }),
    withoutAddress: ({ reference, nodes }) => logger.log('warn', 'nodes have no InternalIP', { ...nameFieldsOf(reference), nodes }),
    refused: ({ reference, client, reason }) =>
      logger.log('debug', `connection refused: ${refusalTexts[reason]}`, { ...nameFieldsOf(reference), client }),
  };
  return (event) => (handlers[event.kind] as (event: TcpCloudEvent) => void)(event);
}

type EventOf<Kind extends TcpCloudEvent['kind']> = Extract<TcpCloudEvent, { kind: Kind }>;
type Handlers = { readonly [Kind in TcpCloudEvent['kind']]: (event: EventOf<Kind>) => void };

const refusalTexts: Readonly<Record<EventOf<'refused'>['reason'], string>> = {
  sourceRanges: 'the client is outside the source ranges',
  tooMany: 'there are too many connections',
  noNode: 'no node accepts it',
};

const nameFieldsOf = ({ namespace, name }: TcpCloudEvent['reference']): { readonly namespace: string; readonly name: string } => ({
  namespace,
  name,
});
