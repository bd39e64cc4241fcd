import { type ApiServer, createApiServer } from '@kube-endpoints/apiserver';
import { type ApiObject, type ClientPort, type Resource, resources } from 'kube-endpoints/port';
import type { ApiServerOptions } from '../../../apiserver/src/options.ts';
import { type Controllers, type ControllersOptions, createControllers } from '../../src/controllers/index.ts';
import type { Ownership } from '../../src/election/ownership.ts';
import type { RuntimeEvent } from '../../src/host/runtime-event.ts';
import { createClock, type ManualClock, settle } from '../queue/clock.ts';

export { nodeFor, podFor, readiness, serviceFor } from './objects.ts';

/** A write that the controllers sent, and its result. */
export interface Sent {
  readonly verb: 'create' | 'update' | 'delete';
  readonly resource: string;
  readonly name: string;
  /** The failure reason. */
  readonly failed?: string;
}

export interface WorldOptions extends Partial<Omit<ControllersOptions, 'port' | 'clock'>> {
  readonly objects?: readonly ApiObject[];
  readonly server?: Omit<ApiServerOptions, 'clock' | 'objects'>;
  /** Wraps the port between the controllers and the server. */
  readonly through?: (port: ClientPort) => ClientPort;
}

/** The controllers with an embedded API server, on a manual clock. */
export interface World extends AsyncDisposable {
  readonly server: ApiServer;
  /** A client of the server without the wrapper. */
  readonly client: ClientPort;
  readonly clock: ManualClock;
  readonly controllers: Controllers;
  readonly events: readonly RuntimeEvent[];
  /** The writes since the last call, without Events. */
  sent(): Sent[];
  /** Advances the clock; the default of 3 seconds is enough to handle foreign changes. */
  pass(milliseconds?: number): Promise<void>;
  /** Runs the controllers; restarts them if stopped. */
  start(): Promise<void>;
  stop(): Promise<void>;
  get(resource: Resource, name: string, namespace?: string): Promise<ApiObject | undefined>;
  outcomes(controller: 'endpoints' | 'endpointslices', key: string): string[];
}

/** Ownership of all keys or none, set by the test. */
export function createLead(leading: boolean): Ownership & { lead(leads: boolean): void } {
  const listeners = new Set<() => void>();
  let leads = leading;
  return {
    owns: () => leads,
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    lead(now) {
      leads = now;
      for (const listener of listeners) listener();
    },
  };
}

export async function createWorld(options: WorldOptions = {}): Promise<World> {
  const { objects = [], server: serverOptions, through = (port) => port, ...rest } = options;
  const clock = createClock();
  const server = await createApiServer({ ...serverOptions, clock, objects });
  const events: RuntimeEvent[] = [];
  const writes: Sent[] = [];
  const port = recording(through(server.client), writes);
  const make = (): Controllers =>
    createControllers({ random: () => 0.5, ...rest, port, clock, onEvent: (event) => void events.push(event) });
  let controllers = make();
  let running: { readonly end: AbortController; readonly done: Promise<void> } | undefined;
  const pass = async (milliseconds = 3000): Promise<void> => {
    await clock.pass(milliseconds);
    await settle();
  };
  const stop = async (): Promise<void> => {
    running?.end.abort();
    await running?.done;
    if (running) controllers = make();
    running = undefined;
  };
  return {
    server,
    client: server.client,
    clock,
    get controllers() {
      return controllers;
    },
    events: events,
    sent: () => writes.splice(0),
    pass,
    async start() {
      const end = new AbortController();
      running = { end, done: controllers.run(end.signal) };
      await pass();
    },
    stop,
    get: (resource, name, namespace = 'shop') => server.client.get(resource, { namespace, name }).catch(() => undefined),
    outcomes: (controller, key) =>
      events.flatMap((each) => (each.kind === 'synced' && each.controller === controller && each.key === key ? [each.outcome] : [])),
    async [Symbol.asyncDispose]() {
      await stop();
      await server.close();
    },
  };
}

function recording(port: ClientPort, writes: Sent[]): ClientPort {
  const record = async (verb: Sent['verb'], resource: Resource, name: string, write: Promise<ApiObject>): Promise<ApiObject> => {
    const listed = resource.plural !== resources.events.plural;
    try {
      const answer = await write;
      if (listed) writes.push({ verb, resource: resource.plural, name: answer.metadata.name ?? name });
      return answer;
    } catch (error) {
      const { reason } = error as { readonly reason?: string };
      if (listed) writes.push({ verb, resource: resource.plural, name, failed: reason ?? String(error) });
      throw error;
    }
  };
  return {
    get: (...given) => port.get(...given),
    list: (...given) => port.list(...given),
    watch: (...given) => port.watch(...given),
    patch: (...given) => port.patch(...given),
    deleteCollection: (...given) => port.deleteCollection(...given),
    create: (resource, object, more) => record('create', resource, object.metadata.name ?? '', port.create(resource, object, more)),
    update: (resource, object, more) => record('update', resource, object.metadata.name ?? '', port.update(resource, object, more)),
    delete: (resource, key, more) => record('delete', resource, key.name, port.delete(resource, key, more)),
  };
}
