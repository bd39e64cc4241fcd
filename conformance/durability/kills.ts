import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { ApiObject } from 'kube-endpoints/port';
import { createRandom, type Random } from '../model/random.ts';
import { type Access, type Client, createClient, readAccess } from './client.ts';
import { configMaps, kinds, namespace, widgetDefinition } from './kinds.ts';
import { createLedger, type Ledger, versionOf } from './ledger.ts';
import { type ServerProcess, startServer } from './server.ts';
import { createShared, hasOneWriter, type Shared, sharedName } from './shared.ts';
import { createWatcher, type Watcher } from './watcher.ts';
import { runWriter } from './writer.ts';

export interface KillOptions {
  readonly folder: string;
  readonly port: number;
  readonly kills: number;
  readonly seed: number;
  /** Called after each kill and restart. */
  onKill(result: KillResult): void;
}

export interface KillResult {
  readonly number: number;
  /** Acknowledged writes before the kill. */
  readonly writes: number;
  readonly problems: readonly string[];
}

const writerCount = 16;
/** A kill follows at most so many acknowledged writes, and at most so many milliseconds later. */
const maxWrites = 800;
const maxDelayMs = 20;
/** Milliseconds until the server is killed even if it acknowledges nothing more. */
const maxRunMs = 20_000;

interface State {
  readonly start: () => ServerProcess;
  readonly access: Access;
  readonly random: Random;
  readonly ledger: Ledger;
  readonly shared: Shared;
  readonly watchers: readonly Watcher[];
}

/**
 * Writes with many clients, kills the server at a random moment, restarts it in the same folder, and compares its content with all that
 * the clients have seen; again and again. All clients use the kubeconfig of the first start.
 */
export async function runKills({ folder, port, kills, seed, onKill }: KillOptions): Promise<void> {
  const kubeconfig = join(folder, 'kubeconfig');
  const start = (...flags: readonly string[]): ServerProcess =>
    startServer('--port', String(port), '--data', join(folder, 'data'), ...flags);
  let server = start('--kubeconfig-out', kubeconfig);
  await server.ready;
  const ledger = createLedger();
  const access = readAccess(kubeconfig);
  const state: State = {
    start,
    access,
    random: createRandom(seed),
    ledger,
    shared: createShared(),
    watchers: kinds.map((kind) => createWatcher(kind, ledger)),
  };
  try {
    await createFirstObjects(access);
    await checkContent(state);
    for (let number = 1; number <= kills; number++) {
      const { writes, problems } = await writeUntilKilled(state, server, number);
      server = await restart(state);
      problems.push(...(await checkContent(state)));
      onKill({ number, writes, problems });
    }
  } finally {
    await server.kill();
  }
}

async function createFirstObjects(access: Access): Promise<void> {
  const client = createClient(access);
  await send(client, 'POST', '/api/v1/namespaces', { metadata: { name: namespace } });
  await send(client, 'POST', `/api/v1/namespaces/${namespace}/configmaps`, { metadata: { name: sharedName } });
  await send(client, 'POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', widgetDefinition);
  client.close();
}

async function send(
  client: Client,
  method: 'GET' | 'POST',
  path: string,
  body?: object,
): Promise<ApiObject & { readonly items?: readonly ApiObject[] }> {
  const { code, object } = await client.send({ method, path, ...(body && { body }) });
  if (code >= 300) throw new Error(`${method} ${path}: ${code} ${object.message}`);
  return object;
}

async function writeUntilKilled(
  { access, random, ledger, shared, watchers }: State,
  server: ServerProcess,
  run: number,
): Promise<{ readonly writes: number; readonly problems: string[] }> {
  const abortController = new AbortController();
  const watching = watchers.map((watcher) => watcher.follow(access, abortController.signal));
  // Large objects fill the journal, so that snapshots are written.
  const paddingLength = random.chance(0.3) ? 100_000 : 300;
  const acknowledged = countDown(random.below(maxWrites));
  const writing = Array.from({ length: writerCount }, (_, number) =>
    runWriter({
      number,
      random: random.fork(),
      client: createClient(access),
      ledger,
      shared,
      paddingLength,
      run,
      onAcknowledged: acknowledged.count,
    }),
  );
  await acknowledged.promise;
  await setTimeout(random.below(maxDelayMs));
  await server.kill();
  const results = await Promise.all(writing);
  abortController.abort();
  await Promise.all(watching);
  return {
    writes: results.reduce((sum, { writes }) => sum + writes, 0),
    problems: [...results.flatMap(({ problems }) => problems), ...watchers.flatMap((watcher) => watcher.takeProblems())],
  };
}

/** Resolves after `count` calls of the function `count`, or when the time is over. */
function countDown(count: number): { readonly promise: Promise<unknown>; count(): void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  let rest = count;
  if (rest === 0) resolve();
  return {
    promise: Promise.race([promise, setTimeout(maxRunMs, undefined, { ref: false })]),
    count() {
      rest -= 1;
      if (rest <= 0) resolve();
    },
  };
}

/** Starts the server again; sometimes it is killed again while it starts. */
async function restart({ start, random }: State): Promise<ServerProcess> {
  while (random.chance(0.15)) {
    const server = start();
    await Promise.race([setTimeout(random.below(700)), server.ready]);
    await server.kill();
  }
  const server = start();
  await server.ready;
  return server;
}

/** Compares the content of the server with what clients have seen, and with the events of the resumed watches. */
async function checkContent({ access, ledger, shared, watchers }: State): Promise<string[]> {
  const client = createClient(access);
  const problems: string[] = [];
  for (const [index, kind] of kinds.entries()) {
    const watcher = watchers[index] as Watcher;
    const list = (): ReturnType<typeof send> => send(client, 'GET', kind.path);
    const first = await list();
    const { items = [] } = first;
    const owned = items.filter(({ metadata }) => hasOneWriter(metadata.name));
    problems.push(...ledger.compare(kind, owned, versionOf(first)), ...findDuplicates(items));
    const data = items.find(({ metadata }) => metadata.name === sharedName)?.['data'];
    if (kind === configMaps) problems.push(...shared.compare((data ?? {}) as Readonly<Record<string, string>>));
    if (!watcher.hasStarted) watcher.start(items, versionOf(first));
    const abortController = new AbortController();
    const following = watcher.follow(access, abortController.signal);
    const problem = await watcher.waitFor(async () => (await list()).items ?? []);
    if (problem !== undefined) problems.push(problem);
    if (watcher.isExpired) watcher.start(items, versionOf(first));
    abortController.abort();
    await following;
    problems.push(...watcher.takeProblems());
  }
  client.close();
  return problems;
}

/** Two Services must not have the same cluster IP or node port. */
function findDuplicates(objects: readonly ApiObject[]): string[] {
  const values = objects.flatMap(({ spec }) => {
    const { clusterIP, ports = [] } = (spec ?? {}) as {
      readonly clusterIP?: string;
      readonly ports?: readonly { readonly nodePort?: number }[];
    };
    return [clusterIP, ...ports.map(({ nodePort }) => nodePort)].filter((value) => value !== undefined);
  });
  return values.filter((value, index) => values.indexOf(value) !== index).map((value) => `two Services have ${value}`);
}
