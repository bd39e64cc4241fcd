import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { BalancingOptions } from '@kube-endpoints/controllers';
import type { TcpCloudEvent } from '@kube-endpoints/controllers/clouds';
import { callWithin } from '@kube-endpoints/controllers/internal';
import type { Logger } from '@kube-endpoints/controllers/operations';
import { messageOf, withoutSecrets } from 'kube-endpoints/internal/apimachinery';
import type { BalancerPort, CloudPort } from 'kube-endpoints/load-balancer';
import { type Clock, systemClock } from 'kube-endpoints/port';
import { UsageError } from '../base/io.ts';
import type { CloudFlags } from '../flags/cloud.ts';
import { printable } from '../print/text.ts';

/** The argument of a cloud module's `createCloud`. */
export interface CloudSettings {
  /** The name of this cluster in the cloud. */
  readonly clusterName: string;
  /** The value of --cloud-addresses. */
  readonly addresses?: string;
}

/** The cloud of a command line. */
export interface OpenCloud {
  /** Options for the host. */
  readonly balancing: BalancingOptions & { readonly cloud: CloudPort };
  /** Calls the cloud's `close`. Logs an error if that fails or times out; never rejects. */
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
): Promise<OpenCloud | undefined> {
  const { cloud: name, clusterName = 'kubernetes', cloudAddresses: addresses, once = false } = options;
  if (name === undefined) return undefined;
  const settings = { clusterName, ...(addresses !== undefined && { addresses }) };
  const cloud = await createNamedCloud(name, settings, logger);
  return {
    balancing: { cloud, clusterName, ...(once && { cloudTimeout: onceTimeoutMs }) },
    async close() {
      const createTimeoutError = (): Error => new Error(`no answer within ${closeTimeoutMs / 1000} s`);
      try {
        await callWithin({ clock, milliseconds: closeTimeoutMs, createTimeoutError }, async () => (cloud as Closable).close?.({ drainMs }));
      } catch (error) {
        logger.log('error', `--cloud ${printable(name)}: close() failed: ${messageWithoutSecrets(error)}`);
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
  const flagText = `--cloud ${printable(path)}`;
  const { createCloud } = await importModule(path, flagText);
  if (typeof createCloud !== 'function') {
    throw new UsageError(`${flagText} exports no createCloud: export a function of that name that returns a cloud`);
  }
  let cloud: unknown;
  try {
    cloud = await createCloud(settings);
  } catch (error) {
    throw new UsageError(`createCloud of ${flagText} failed: ${messageWithoutSecrets(error)}`, { cause: error });
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
    throw new UsageError(`${flagText} cannot be loaded: ${messageWithoutSecrets(error)}`, { cause: error });
  }
}

/** The reason that a value is not a CloudPort; undefined if it is one. */
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

const messageWithoutSecrets = (error: unknown): string => withoutSecrets(messageOf(error));

/** Logs the events of load balancers that run in this process. */
export function createTcpCloudObserver(logger: Pick<Logger, 'log'>): (event: TcpCloudEvent) => void {
  const handlers: Handlers = {
    listening: ({ reference, address, ports }) =>
      logger.log('info', 'load balancer is listening', { ...nameOf(reference), address, ports }),
    deleted: ({ reference, connections }) => logger.log('info', 'load balancer deleted', { ...nameOf(reference), connections }),
    nodeFailed: ({ reference, node, problem }) =>
      logger.log('warn', 'node accepts no connection, avoiding it for a while', { ...nameOf(reference), node, problem }),
    health: ({ reference, node, healthy }) =>
      logger.log('info', healthy ? 'node is healthy' : 'node is not healthy', { ...nameOf(reference), node }),
    withoutAddress: ({ reference, nodes }) => logger.log('warn', 'nodes have no InternalIP', { ...nameOf(reference), nodes }),
    refused: ({ reference, client, because }) =>
      logger.log('debug', `connection refused: ${refusalTexts[because]}`, { ...nameOf(reference), client }),
  };
  return (event) => (handlers[event.kind] as (event: TcpCloudEvent) => void)(event);
}

type EventOf<Kind extends TcpCloudEvent['kind']> = Extract<TcpCloudEvent, { kind: Kind }>;
type Handlers = { readonly [Kind in TcpCloudEvent['kind']]: (event: EventOf<Kind>) => void };

const refusalTexts: Readonly<Record<EventOf<'refused'>['because'], string>> = {
  sourceRanges: 'the client is outside the source ranges',
  tooMany: 'there are too many connections',
  noNode: 'no node accepts it',
};

const nameOf = ({ namespace, name }: TcpCloudEvent['reference']): { readonly namespace: string; readonly name: string } => ({
  namespace,
  name,
});
