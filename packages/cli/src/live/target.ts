import { formatCount } from 'kube-endpoints/internal';
import type { ClientPort } from 'kube-endpoints/port';
import { type IO, type PrintMessage, UsageError } from '../base/io.ts';
import type { ClusterFlags } from '../flags/cluster.ts';
import type { CommonFlags } from '../flags/common.ts';
import type { Manifest } from '../input/manifests.ts';
import { connect, isClusterConfigured } from './cluster.ts';
import { type ApiServerModule, type ListenFlags, loadObjects, readManifestFiles, startListening } from './embedded.ts';

/** The API server that controllers run on. */
export interface Target {
  readonly port: ClientPort;
  readonly leasePort: ClientPort;
  /** The API server's host, as a metrics label. */
  readonly host: string;
  /** Lines for standard output. */
  readonly lines: readonly string[];
  close(): Promise<void>;
}

/** The flags that select a cluster or configure the embedded API server. */
export interface TargetOptions extends ClusterFlags, ListenFlags {
  readonly flags: CommonFlags;
  /** True if the command ends as soon as no work is left. */
  readonly once: boolean;
  /** The first given flag that only applies to the embedded API server. */
  readonly embeddedFlag: string | undefined;
}

/**
 * Opens the selected cluster or an embedded API server. Files, and flags of the embedded server, have precedence over a cluster of the
 * environment. If objects are invalid or the embedded server rejects one, reports the problem and returns undefined.
 * @throws UsageError if flags exclude each other, or if the cluster is not configured
 */
export async function openTarget(options: TargetOptions, io: IO, printMessage: PrintMessage): Promise<Target | undefined> {
  const hasClusterFlag = options.kubeconfig !== undefined || options.context !== undefined;
  if (hasClusterFlag && options.flags.filename) {
    throw new UsageError('-f is for the embedded API server, --kubeconfig and --context are for a cluster: give one or the other');
  }
  if (hasClusterFlag) return openCluster(options, io);
  if (options.flags.filename || !isClusterConfigured(io.env)) return openEmbedded(options, io, printMessage);
  if (options.embeddedFlag === undefined) return openCluster(options, io);
  const unused = io.env['KUBECONFIG'] ? 'KUBECONFIG is not used' : 'the cluster of this pod is not used';
  printMessage('hint', `${options.embeddedFlag} selects the embedded API server, and ${unused}.`);
  return openEmbedded(options, io, printMessage);
}

async function openCluster(options: TargetOptions, io: IO): Promise<Target> {
  const { port, leasePort, host, description, close } = await connect(options, io);
  return { port, leasePort, host, lines: options.once ? [] : [`On ${description}. Ctrl-C ends it.`], close: async () => close() };
}

async function openEmbedded(options: TargetOptions, io: IO, printMessage: PrintMessage): Promise<Target | undefined> {
  const manifests = await readManifestFiles(options.flags, io, printMessage);
  if (!manifests) return undefined;
  const apiserver = await import('@kube-endpoints/apiserver');
  // `--once` has the same result each time, because generated names are deterministic and terminating pods are not removed.
  const server = await apiserver.createApiServer(
    options.once ? { randomness: createRepeatableRandomness(apiserver), endsPods: false } : {},
  );
  const close = (): Promise<void> => server.close();
  try {
    if ((await loadObjects(apiserver, server, addMissingNodes(manifests, printMessage), printMessage)) === undefined)
      return await close().then(() => undefined);
    const lines = options.once ? [] : await startListening(server, options, manifests.length, printMessage);
    return { port: server.client, leasePort: server.client, host: 'embedded', lines, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * Adds a Node for each node name of a pod if the input holds no Nodes, because the slice controller leaves out pods on missing nodes.
 */
function addMissingNodes(manifests: readonly Manifest[], printMessage: PrintMessage): readonly Manifest[] {
  if (manifests.some(({ object }) => object.kind === 'Node')) return manifests;
  const nodeNames = manifests.flatMap(({ object }) => {
    const { nodeName } = (object['spec'] ?? {}) as { readonly nodeName?: unknown };
    return object.kind === 'Pod' && typeof nodeName === 'string' && nodeName !== '' ? nodeName : [];
  });
  const names = [...new Set(nodeNames)].sort();
  if (names.length > 0)
    printMessage(
      'hint',
      `The input has no Nodes: created ${formatCount(names.length, 'Node')} without a zone from the node names of pods.`,
    );
  const nodes = names.map(
    (name): Manifest => ({ object: { apiVersion: 'v1', kind: 'Node', metadata: { name } }, location: `node ${name}` }),
  );
  return [...manifests, ...nodes];
}

/** A deterministic pseudo-random generator (mulberry32). */
function createRepeatableRandomness({ randomnessFrom }: ApiServerModule): ReturnType<ApiServerModule['randomnessFrom']> {
  let state = 0x6b65;
  return randomnessFrom((bound) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * bound);
  });
}
