import { keyOf, type Manifest } from '../../examples/manifest.ts';
import { type Api, pathOf } from './api.ts';
import { MARKER_NAMESPACE } from './settle.ts';

/** The endpoint-related objects of a cluster at one time. */
export interface ClusterSnapshot {
  readonly services: readonly Manifest[];
  /** By namespace. */
  readonly pods: ReadonlyMap<string, readonly Manifest[]>;
  /** By "namespace/name". */
  readonly endpoints: ReadonlyMap<string, Manifest>;
  readonly nodes: readonly Manifest[];
  /** By the "namespace/name" of their Service. */
  readonly slices: ReadonlyMap<string, readonly Manifest[]>;
}

const KINDS = ['Service', 'Pod', 'Endpoints', 'Node', 'EndpointSlice'];

export async function readClusterSnapshot(api: Api): Promise<ClusterSnapshot> {
  const lists = await Promise.all(KINDS.map((kind) => api.list(pathOf(kind))));
  return createClusterSnapshot(lists.flat().filter(({ metadata }) => metadata.namespace !== MARKER_NAMESPACE));
}

export function createClusterSnapshot(objects: readonly Manifest[]): ClusterSnapshot {
  const selectKind = (kind: string): Manifest[] => objects.filter((object) => object.kind === kind);
  return {
    services: selectKind('Service'),
    pods: groupBy(selectKind('Pod'), ({ metadata }) => metadata.namespace ?? ''),
    endpoints: new Map(selectKind('Endpoints').map((object) => [keyOf(object), object])),
    nodes: selectKind('Node'),
    slices: groupBy(selectKind('EndpointSlice'), ({ metadata }) => `${metadata.namespace ?? ''}/${metadata.labels?.[SERVICE_NAME] ?? ''}`),
  };
}

const SERVICE_NAME = 'kubernetes.io/service-name';

export function podsInNamespace(service: Manifest, snapshot: ClusterSnapshot): readonly Manifest[] {
  return snapshot.pods.get(service.metadata.namespace ?? '') ?? [];
}

/** Whether labels match a Service's selector. */
export function selects(service: Manifest, labels: Readonly<Record<string, string>> = {}): boolean {
  const selector = service.spec?.['selector'] as Record<string, string> | undefined;
  return selector !== undefined && Object.entries(selector).every(([key, value]) => labels[key] === value);
}

export function groupBy<T>(items: readonly T[], createKey: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(createKey(item));
    if (group === undefined) groups.set(createKey(item), [item]);
    else group.push(item);
  }
  return groups;
}
