import type { ApiObject } from 'kube-endpoints/port';
import { type Manifest, readManifests } from '../input/manifests.ts';
import { formatProblem } from '../input/problem.ts';
import { unreadable } from '../input/sources.ts';
import { exitCodes, type IO, type Tell, UsageError } from '../io.ts';
import { counted, printable } from '../print/text.ts';
import type { ApiServerParticulars, CommonFlags } from '../program.ts';

export type ApiServerRoom = typeof import('@kube-endpoints/apiserver');
export type ApiServer = Awaited<ReturnType<ApiServerRoom['createApiServer']>>;
type Listening = Awaited<ReturnType<ApiServer['listen']>>;

/** Runs the embedded API server until it is stopped. Nothing is served where the input or a flag is wrong. */
export async function serve(
  { flags, ...wanted }: ApiServerParticulars & { readonly flags: CommonFlags },
  io: IO,
  tell: Tell,
): Promise<number> {
  const manifests = await manifestsOf(flags, io, tell);
  if (!manifests) return exitCodes.error;
  const room = await import('@kube-endpoints/apiserver');
  const server = await create(room, wanted);
  try {
    const loaded = await load(room, server, manifests, tell, wanted);
    if (loaded === undefined) return exitCodes.error;
    for (const line of await openTo(server, wanted, loaded)) io.stdout.write(`${line}\n`);
    await io.untilStopped();
    return exitCodes.nothing;
  } finally {
    await server.close();
  }
}

/** @throws UsageError naming the flag that is wrong */
async function create(room: ApiServerRoom, wanted: ApiServerParticulars): Promise<ApiServer> {
  const { background, serviceClusterIPRanges, serviceNodePortRange } = wanted;
  try {
    return await room.createApiServer({
      background,
      endsPods: background,
      ...(serviceClusterIPRanges && { serviceClusterIPRanges }),
      ...(serviceNodePortRange !== undefined && { serviceNodePortRange }),
    });
  } catch (error) {
    throw error instanceof RangeError ? new UsageError(inFlags(error.message), { cause: error }) : error;
  }
}

/** A message of the server with flags in the place of the options that it names. */
const inFlags = (message: string): string =>
  Object.entries(flagFor).reduce((text, [option, flag]) => text.replaceAll(option, flag), message);

const flagFor: Readonly<Record<string, string>> = {
  serviceClusterIPRanges: '--service-cluster-ip-range',
  serviceNodePortRange: '--service-node-port-range',
  'give tokens or say allowRemote: true': 'give a --token',
  'describe it in "resources"': 'give --skip-unserved',
};

/** The objects of -f; undefined where something is wrong with them, which is then told. */
export async function manifestsOf(
  { filename = [], recursive = false, namespace }: CommonFlags,
  io: IO,
  tell: Tell,
): Promise<readonly Manifest[] | undefined> {
  const { manifests, problems } = await readManifests({ filenames: filename, recursive, namespace: namespace || 'default' }, io);
  for (const problem of problems.slice(0, mostProblems)) tell('error', formatProblem(problem));
  return problems.length === 0 ? manifests : undefined;
}

const mostProblems = 20;

/** How many objects were loaded; undefined where the server refuses one, which is told, as is what it warns of or does not serve. */
export async function load(
  { LoadError }: ApiServerRoom,
  server: ApiServer,
  manifests: readonly Manifest[],
  tell: Tell,
  { skipUnserved = false }: Pick<ApiServerParticulars, 'skipUnserved'> = {},
): Promise<number | undefined> {
  const places = new Map(manifests.map(({ object, place }) => [object as unknown as ApiObject, place]));
  const skipped: ApiObject[] = [];
  try {
    await server.load([...places.keys()], {
      warn: (warning, object) => tell('hint', `${places.get(object)}: ${printable(warning)}`),
      ...(skipUnserved && { skip: (object: ApiObject) => void skipped.push(object) }),
    });
  } catch (error) {
    if (!(error instanceof LoadError)) throw error;
    tell('error', `${places.get(error.object)}: ${inFlags(error.message)}`);
    return undefined;
  }
  if (skipped.length > 0) {
    const kinds = [...new Set(skipped.map(({ kind }) => printable(kind ?? '')))].sort().join(', ');
    tell('hint', `${counted(skipped.length, 'object')} of kinds that are not served left out: ${kinds}.`);
  }
  return places.size - skipped.length;
}

/** Where and how the server is reached. */
export type Reach = Pick<ApiServerParticulars, 'host' | 'port' | 'token' | 'kubeconfigOut'>;

/** Lets clients in, and answers with the two lines that say so. @throws UsageError */
export async function openTo(server: ApiServer, reach: Reach, objects: number): Promise<readonly string[]> {
  const listening = await listen(server, reach);
  const { url, token = '' } = listening;
  if (reach.kubeconfigOut !== undefined) await write(reach.kubeconfigOut, listening);
  return [`Kubernetes API at ${url}, ${counted(objects, 'object')} loaded. Ctrl-C ends it.`, howToReach(reach, url, token)];
}

async function listen(server: ApiServer, { host, port, token }: Reach): ReturnType<ApiServer['listen']> {
  try {
    return await server.listen({ host, port, ...(token !== undefined && { tokens: [{ token }] }) });
  } catch (error) {
    if (error instanceof RangeError) throw new UsageError(inFlags(error.message), { cause: error });
    throw cannotListen(error, { host, port }, { host: '--host', port: '--port', any: ', or 0 for any' });
  }
}

/** Why a place cannot be listened at, and which flag names another one; other errors as they are. */
export function cannotListen(
  error: unknown,
  { host, port }: { readonly host: string; readonly port: number },
  flags: { readonly host: string; readonly port: string; readonly any: string },
): unknown {
  const { code } = error as { code?: string };
  if (code === undefined) return error;
  const refusals: Readonly<Record<string, string>> = {
    EADDRINUSE: `it is taken: give another ${flags.port}${flags.any}`,
    EADDRNOTAVAIL: `this machine has no such address: give another ${flags.host}`,
    EACCES: `not permitted: give a ${flags.port} from 1024 on`,
    ENOTFOUND: `there is no such host: give an address to ${flags.host}`,
  };
  return new UsageError(`cannot listen at ${host}, port ${port}: ${refusals[code] ?? code}`);
}

async function write(file: string, { writeKubeconfig }: Listening): Promise<void> {
  if (file === '') throw new UsageError('--kubeconfig-out names no file');
  try {
    await writeKubeconfig(file);
  } catch (error) {
    throw new UsageError(`${printable(file)} cannot be written: ${unreadable(error)}`);
  }
}

const howToReach = ({ kubeconfigOut }: Pick<ApiServerParticulars, 'kubeconfigOut'>, url: string, token: string): string =>
  kubeconfigOut === undefined
    ? `curl -k -H 'Authorization: Bearer ${token}' ${url}/api (--kubeconfig-out FILE writes a kubeconfig)`
    : `kubectl --kubeconfig ${quotedForShell(kubeconfigOut)} get all --all-namespaces`;

/** A word that a shell takes as it is. */
const quotedForShell = (word: string): string => (/^[\w./@:+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);
