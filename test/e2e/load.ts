import type { Manifest } from '../../examples/manifest.ts';
import { type Api, inParallel, isConflict, pathOf } from './api.ts';

/** Pods come before Services, so that the first that a controller sees of a Service is all of it. */
const ORDER: readonly (readonly string[])[] = [['Namespace'], ['Node'], ['Pod'], ['Endpoints'], ['Service']];

/** Brings manifests into the API server as their owners would: objects first, then their status, then deletions. */
export async function load(api: Api, manifests: readonly Manifest[]): Promise<void> {
  for (const kinds of ORDER) {
    await inParallel(
      manifests.filter(({ kind }) => kinds.includes(kind)),
      (manifest) => create(api, manifest),
    );
  }
}

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
