import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { BalancingOptions } from '@kube-endpoints/controllers';
import type { TcpCloudEvent } from '@kube-endpoints/controllers/clouds';
import { callWithin } from '@kube-endpoints/controllers/internal';
import type { Logger } from '@kube-endpoints/controllers/operations';
import { messageOf, withoutSecrets } from 'kube-endpoints/internal';
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
  const cloud = await make(name, settings, logger);
  return {
    balancing: { cloud, clusterName, ...(once && { cloudTimeout: patienceOnce }) },
    async close() {
      const late = (): Error => new Error(`no answer within ${patience / 1000} s`);
      try {
        await callWithin({ clock, milliseconds: patience, late }, async () => (cloud as Closable).close?.({ drainMs }));
      } catch (error) {
        logger.log('error', `--cloud ${printable(name)}: its close has failed: ${said(error)}`);
      }
    },
  };
}

interface Closable {
  readonly close?: (options: { readonly drainMs: number }) => unknown;
}

/** In milliseconds: the timeout of a cloud call with `--once`, and of the cloud's `close`. */
const patienceOnce = 60_000;
const patience = 10_000;

/** In milliseconds: how long open connections may finish when the cloud closes. */
const drainMs = 1000;

async function make(name: string, settings: CloudSettings, logger: Pick<Logger, 'log'>): Promise<CloudPort> {
  if (name !== 'memory' && name !== 'tcp') return fromModule(name, settings);
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

async function fromModule(path: string, settings: CloudSettings): Promise<CloudPort> {
  const which = `--cloud ${printable(path)}`;
  const { createCloud } = await load(path, which);
  if (typeof createCloud !== 'function') {
    throw new UsageError(`${which} exports no createCloud: export a function of that name that answers with a cloud`);
  }
  let cloud: unknown;
  try {
    cloud = await createCloud(settings);
  } catch (error) {
    throw new UsageError(`createCloud of ${which} has failed: ${said(error)}`, { cause: error });
  }
  const wrong = problemOf(cloud);
  if (wrong !== undefined) throw new UsageError(`what createCloud of ${which} answers with is no cloud: ${wrong}`);
  return cloud as CloudPort;
}

async function load(path: string, which: string): Promise<Readonly<Record<string, unknown>>> {
  const file = resolve(path);
  const isThere = await stat(file).then(
    (found) => found.isFile(),
    () => false,
  );
  if (!isThere) throw new UsageError(`${which} cannot be loaded: there is no such file`);
  const { href } = pathToFileURL(file);
  try {
    return (await import(href)) as Readonly<Record<string, unknown>>;
  } catch (error) {
    throw new UsageError(`${which} cannot be loaded: ${said(error)}`, { cause: error });
  }
}

/** The reason that a value is not a CloudPort; undefined if it is one. */
function problemOf(cloud: unknown): string | undefined {
  if (typeof cloud !== 'object' || cloud === null) return `it is ${cloud === null ? 'null' : `a value of type ${typeof cloud}`}`;
  const { name, balancers } = cloud as Partial<CloudPort>;
  if (typeof name !== 'string' || name === '') return 'give it a name, as text';
  if (balancers === undefined) return undefined;
  if (typeof balancers !== 'object' || balancers === null) return 'its balancers are no object';
  const missing = calls.filter((call) => typeof balancers[call] !== 'function');
  return missing.length === 0 ? undefined : `its balancers have no function ${missing.join(', ')}`;
}

const calls = ['get', 'ensure', 'update', 'delete'] as const satisfies readonly (keyof BalancerPort)[];

const said = (error: unknown): string => withoutSecrets(messageOf(error));

/** Logs the events of load balancers that run in this process. */
export function createTcpCloudObserver(logger: Pick<Logger, 'log'>): (event: TcpCloudEvent) => void {
  const tellers: Tellers = {
    listening: ({ reference, address, ports }) => logger.log('info', 'load balancer listens', { ...nameOf(reference), address, ports }),
    deleted: ({ reference, connections }) => logger.log('info', 'load balancer is gone', { ...nameOf(reference), connections }),
    nodeFailed: ({ reference, node, problem }) =>
      logger.log('warn', 'node takes no connection, is avoided for a while', { ...nameOf(reference), node, problem }),
    health: ({ reference, node, healthy }) =>
      logger.log('info', healthy ? 'node is healthy' : 'node is not healthy', { ...nameOf(reference), node }),
    withoutAddress: ({ reference, nodes }) => logger.log('warn', 'nodes have no InternalIP', { ...nameOf(reference), nodes }),
    refused: ({ reference, client, because }) =>
      logger.log('debug', `connection refused: ${refusals[because]}`, { ...nameOf(reference), client }),
  };
  return (event) => (tellers[event.kind] as (given: TcpCloudEvent) => void)(event);
}

type Of<Kind extends TcpCloudEvent['kind']> = Extract<TcpCloudEvent, { kind: Kind }>;
type Tellers = { readonly [Kind in TcpCloudEvent['kind']]: (event: Of<Kind>) => void };

const refusals: Readonly<Record<Of<'refused'>['because'], string>> = {
  sourceRanges: 'the client is not of the source ranges',
  tooMany: 'there are too many connections',
  noNode: 'no node takes it',
};

const nameOf = ({ namespace, name }: TcpCloudEvent['reference']): { readonly namespace: string; readonly name: string } => ({
  namespace,
  name,
});
