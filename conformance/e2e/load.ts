import type { Manifest } from '../../examples/manifest.ts';
import { type Api, inParallel, isConflict, pathOf } from './api.ts';

/**
 * Pods precede Services, so that a controller's first view of a Service is complete. Explicit node ports precede allocated ones, because
 * the API server could allocate the same port.
 */
const ORDER: readonly ((manifest: Manifest) => boolean)[] = [
  ({ kind }) => kind === 'Namespace',
  ({ kind }) => kind === 'Node',
  ({ kind }) => kind === 'Pod',
  ({ kind }) => kind === 'Endpoints',
  (manifest) => manifest.kind === 'Service' && hasNodePort(manifest),
  (manifest) => manifest.kind === 'Service' && !hasNodePort(manifest),
];

/** Writes manifests as their owners would: objects first, then their status, then deletions. */
export async function load(api: Api, manifests: readonly Manifest[]): Promise<void> {
  for (const isNext of ORDER) await inParallel(manifests.filter(isNext), (manifest) => create(api, manifest));
}

const hasNodePort = ({ spec }: Manifest): boolean =>
  ((spec?.['ports'] ?? []) as { readonly nodePort?: number }[]).some(({ nodePort }) => nodePort !== undefined);

async function create(api: Api, { status, ...manifest }: Manifest): Promise<void> {
  const { deletionTimestamp, deletionGracePeriodSeconds, ...metadata } = manifest.metadata;
  const { kind } = manifest;
  if (kind === 'Namespace') return createNamespace(api, manifest);
  const created = await api.post(pathOf(kind, metadata.namespace), { ...manifest, metadata });
  const path = pathOf(kind, metadata.namespace, metadata.name);
  if (status !== undefined) await api.put(`${path}/status`, { ...created, status });
  if (deletionTimestamp !== undefined) await api.delete(path, deletionGracePeriodSeconds);
}

/** Ignores a conflict, because the API server creates some namespaces itself. */
async function createNamespace(api: Api, manifest: Manifest): Promise<void> {
  try {
    await api.post(pathOf('Namespace'), manifest);
  } catch (error) {
    if (!isConflict(error)) throw error;
  }
}
