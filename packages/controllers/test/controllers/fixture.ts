import { type ApiServer, createApiServer } from '@kube-endpoints/apiserver';
import { type ApiObject, type ClientPort, type Resource, resources } from 'kube-endpoints/port';
import type { ApiServerOptions } from '../../../apiserver/src/options.ts';
import { type ControllerName, type Controllers, type ControllersOptions, createControllers } from '../../src/controllers/index.ts';
import type { Ownership } from '../../src/election/ownership.ts';
import type { RuntimeEvent } from '../../src/host/runtime-event.ts';
import { createClock, flushPromises, type ManualClock } from '../queue/clock.ts';

export { nodeFor, podFor, readiness, serviceFor } from './objects.ts';

/** A write that the controllers sent, and its result. */
export interface SentWrite {
  readonly verb: 'create' | 'update' | 'delete';
  readonly resource: string;
  readonly name: string;
  /** The reason of the error, if the write failed. */
  readonly failed?: string;
}

export interface ControllersFixtureOptions extends Partial<Omit<ControllersOptions, 'port' | 'clock'>> {
  readonly objects?: readonly ApiObject[];
  readonly server?: Omit<ApiServerOptions, 'clock' | 'objects'>;
  /** Wraps the port between the controllers and the server. */
  readonly wrapPort?: (port: ClientPort) => ClientPort;
}

/** The controllers with an embedded API server, on a manual clock. */
export interface ControllersFixture extends AsyncDisposable {
  readonly server: ApiServer;
  /** A client of the server without the wrapper. */
  readonly client: ClientPort;
  readonly clock: ManualClock;
  readonly controllers: Controllers;
  readonly events: readonly RuntimeEvent[];
  /** The writes since the last call, without Events. */
  takeWrites(): SentWrite[];
  /** Advances the clock; the default of 3 seconds is enough to handle changes by other clients. */
  pass(milliseconds?: number): Promise<void>;
  /** Runs the controllers; restarts them if stopped. */
  start(): Promise<void>;
  stop(): Promise<void>;
  get(resource: Resource, name: string, namespace?: string): Promise<ApiObject | undefined>;
  outcomes(controller: ControllerName, key: string): string[];
}

/** Creates an ownership of all keys or of none, which `gain` and `lose` change. */
export function createTestOwnership({ owned }: { readonly owned: boolean }): Ownership & { gain(): void; lose(): void } {
  const listeners = new Set<() => void>();
  let isOwner = owned;
  const setOwner = (owns: boolean): void => {
    isOwner = owns;
    for (const listener of listeners) listener();
  };
  return {
    owns: () => isOwner,
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    gain: () => setOwner(true),
    lose: () => setOwner(false),
  };
}

export async function createControllersFixture(options: ControllersFixtureOptions = {}): Promise<ControllersFixture> {
  const { objects = [], server: serverOptions, wrapPort = (port) => port, ...rest } = options;
  const clock = createClock();
  const server = await createApiServer({ ...serverOptions, clock, objects });
  const events: RuntimeEvent[] = [];
  const writes: SentWrite[] = [];
  const port = recordWrites(wrapPort(server.client), writes);
  const createFixtureControllers = (): Controllers =>
    createControllers({ random: () => 0.5, ...rest, port, clock, onEvent: (event) => void events.push(event) });
  let controllers = createFixtureControllers();
  let running: { readonly controller: AbortController; readonly done: Promise<void> } | undefined;
  const pass = async (milliseconds = 3000): Promise<void> => {
    await clock.pass(milliseconds);
    await flushPromises();
  };
  const stop = async (): Promise<void> => {
    running?.controller.abort();
    await running?.done;
    if (running) controllers = createFixtureControllers();
    running = undefined;
  };
  return {
    server,
    client: server.client,
    clock,
    get controllers() {
      return controllers;
    },
    events,
    takeWrites: () => writes.splice(0),
    pass,
    async start() {
      const controller = new AbortController();
      running = { controller, done: controllers.run(controller.signal) };
      await pass();
    },
    stop,
    get: (resource, name, namespace = 'shop') => server.client.get(resource, { namespace, name }).catch(() => undefined),
    outcomes: (controller, key) =>
      events.flatMap((event) => (event.kind === 'synced' && event.controller === controller && event.key === key ? [event.outcome] : [])),
    async [Symbol.asyncDispose]() {
      await stop();
      await server.close();
    },
  };
}

function recordWrites(port: ClientPort, writes: SentWrite[]): ClientPort {
  const record = async (verb: SentWrite['verb'], resource: Resource, name: string, write: Promise<ApiObject>): Promise<ApiObject> => {
    const isRecorded = resource.plural !== resources.events.plural;
    try {
      const result = await write;
      if (isRecorded) writes.push({ verb, resource: resource.plural, name: result.metadata.name ?? name });
      return result;
    } catch (error) {
      const { reason } = error as { readonly reason?: string };
      if (isRecorded) writes.push({ verb, resource: resource.plural, name, failed: reason ?? String(error) });
      throw error;
    }
  };
  return {
    get: (...args) => port.get(...args),
    list: (...args) => port.list(...args),
    watch: (...args) => port.watch(...args),
    patch: (...args) => port.patch(...args),
    deleteCollection: (...args) => port.deleteCollection(...args),
    create: (resource, object, options) => record('create', resource, object.metadata.name ?? '', port.create(resource, object, options)),
    update: (resource, object, options) => record('update', resource, object.metadata.name ?? '', port.update(resource, object, options)),
    delete: (resource, key, options) => record('delete', resource, key.name, port.delete(resource, key, options)),
  };
}
