import { bases } from './manifests.ts';
import { podStatuses } from './pod-statuses.ts';
import { collectionPath, type Server } from './server.ts';

type Json = Record<string, unknown>;

/** The printed table of a resource. Ages are removed by the test. */
export interface RecordedTable {
  readonly resource: string;
  readonly columns: readonly Json[];
  readonly rows: readonly { readonly object: Json; readonly cells: readonly unknown[] }[];
}

/** Creates a pod for each of podStatuses, then records the tables of all pods and stored bases. */
export async function recordTables(send: Server['send']): Promise<RecordedTable[]> {
  for (const [i, status] of podStatuses.entries()) await putPod(send, `state-${i}`, status);
  const tables: RecordedTable[] = [];
  for (const resource of new Set(bases.map((base) => base.resource))) {
    const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io';
    const { body } = await send('GET', `${collectionPath(resource)}?includeObject=Object`, undefined, accept);
    const columns = (body['columnDefinitions'] as Json[]).map(({ description: _description, ...column }) => column);
    const rows = (body['rows'] as { object: Json; cells: unknown[] }[]).filter(({ object }) => isRecorded(object));
    tables.push({ resource, columns, rows: rows.map(({ object, cells }) => ({ object: withoutManagers(object), cells })) });
  }
  return tables;
}

async function putPod(send: Server['send'], name: string, status: Json): Promise<void> {
  const containers = [{ name: 'main', image: 'web' }];
  const initContainers = [
    { name: 'first', image: 'web' },
    { name: 'side', image: 'web', restartPolicy: 'Always' },
  ];
  const readinessGates = [{ conditionType: 'example.com/a' }, { conditionType: 'example.com/b' }];
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec: { containers, initContainers, readinessGates } };
  await send('POST', collectionPath('pods'), pod);
  const { status: code, body } = await send('PUT', `${collectionPath('pods')}/${name}/status`, { ...pod, status });
  if (code !== 200) throw new Error(`${name}: ${JSON.stringify(body)}`);
}

const isRecorded = ({ metadata }: Json): boolean => {
  const { name } = metadata as { name: string };
  return name.endsWith('-there') || name.startsWith('state-');
};

function withoutManagers(object: Json): Json {
  const { managedFields: _managers, ...metadata } = object['metadata'] as Json;
  return { ...object, metadata };
}
