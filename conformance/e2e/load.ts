import type { Manifest } from '../../examples/manifest.ts';
import { type Api, inParallel, isConflict, pathOf } from './api.ts';

/**
 * Pods come before Services, so that the first that a controller sees of a Service is all of it. A node port that is asked for comes before
 * any that the API server draws: it could draw that one.
 */
const ORDER: readonly ((manifest: Manifest) => boolean)[] = [
  ({ kind }) => kind === 'Namespace',
  ({ kind }) => kind === 'Node',
  ({ kind }) => kind === 'Pod',
  ({ kind }) => kind === 'Endpoints',
  (manifest) => manifest.kind === 'Service' && asksForNodePort(manifest),
  (manifest) => manifest.kind === 'Service' && !asksForNodePort(manifest),
];

/** Brings manifests into the API server as their owners would: objects first, then their status, then deletions. */
export async function load(api: Api, manifests: readonly Manifest[]): Promise<void> {
  for (const isNext of ORDER) await inParallel(manifests.filter(isNext), (manifest) => create(api, manifest));
}

const asksForNodePort = ({ spec }: Manifest): boolean =>
  ((spec?.['ports'] ?? []) as { readonly nodePort?: number }[]).some(({ nodePort }) => nodePort !== undefined);

async function create(api: Api, { status, ...manifest }: Manifest): Promise<void> {
  const { deletionTimestamp, deletionGracePeriodSeconds, ...metadata } = manifest.metadata;
  const { kind } = manifest;
  if (kind === 'Namespace') return createNamespace(api, manifest);
  const made = await api.post(pathOf(kind, metadata.namespace), { ...manifest, metadata });
  const path = pathOf(kind, metadata.namespace, metadata.name);
  if (status !== undefined) await api.put(`${path}/status`, { ...made, status });
  if (deletionTimestamp !== undefined) await api.delete(path, deletionGracePeriodSeconds);
}

/** The API server makes some of its own, sooner or later. */
async function createNamespace(api: Api, manifest: Manifest): Promise<void> {
  try {
    await api.post(pathOf('Namespace'), manifest);
  } catch (error) {
    if (!isConflict(error)) throw error;
  }
}
