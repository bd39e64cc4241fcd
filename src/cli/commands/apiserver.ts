import type { ApiObject } from '../../port/index.ts';
import { type Manifest, readManifests } from '../input/manifests.ts';
import { formatProblem } from '../input/problem.ts';
import { unreadable } from '../input/sources.ts';
import { exitCodes, type IO, type Tell, UsageError } from '../io.ts';
import { counted, printable } from '../print/text.ts';
import type { ApiServerParticulars, CommonFlags } from '../program.ts';

export type ApiServerRoom = typeof import('../../apiserver/index.ts');
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
  const room = await import('../../apiserver/index.ts');
  const server = await room.createApiServer({ background: wanted.background, endsPods: wanted.background });
  try {
    if (!(await load(room, server, manifests, tell))) return exitCodes.error;
    for (const line of await openTo(server, wanted, manifests.length)) io.stdout.write(`${line}\n`);
    await io.untilStopped();
    return exitCodes.nothing;
  } finally {
    await server.close();
  }
}

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

/** Tells of the first object that the server refuses. */
export async function load({ LoadError }: ApiServerRoom, server: ApiServer, manifests: readonly Manifest[], tell: Tell): Promise<boolean> {
  const places = new Map(manifests.map(({ object, place }) => [object as unknown as ApiObject, place]));
  try {
    await server.load([...places.keys()]);
    return true;
  } catch (error) {
    if (!(error instanceof LoadError)) throw error;
    tell('error', `${places.get(error.object)}: ${error.message}`);
    return false;
  }
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
    if (error instanceof RangeError) throw new UsageError(error.message);
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
  try {
    await writeKubeconfig(file);
  } catch (error) {
    throw new UsageError(`${printable(file)} cannot be written: ${unreadable(error)}`);
  }
}

const howToReach = ({ kubeconfigOut }: Pick<ApiServerParticulars, 'kubeconfigOut'>, url: string, token: string): string =>
  kubeconfigOut === undefined
    ? `curl -k -H 'Authorization: Bearer ${token}' ${url}/api (--kubeconfig-out FILE writes a kubeconfig)`
    : `kubectl --kubeconfig ${kubeconfigOut} get all --all-namespaces`;
