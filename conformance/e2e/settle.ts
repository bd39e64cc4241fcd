import { setTimeout as pause } from 'node:timers/promises';
import { keyOf, type Manifest } from '../../examples/manifest.ts';
import { type Api, pathOf } from './api.ts';

/** The namespace of the marker objects. */
export const MARKER_NAMESPACE = 'settle-marks';

const QUIET_MS = 4000;
const TIMEOUT_MS = 400_000;
const POLL_MS = 500;

/**
 * Waits until the endpoints controller has processed all earlier writes. Writes a marker pod and its Service last: when their
 * Endpoints exist, the controller has seen every earlier pod. Then waits until no Endpoints have changed for four seconds.
 */
export async function settle(api: Api, marker: string): Promise<void> {
  await createMarker(api, marker);
  const deadline = Date.now() + TIMEOUT_MS;
  let lastVersions = '';
  let quietSince = Date.now();
  for (;;) {
    const endpoints = await api.list(pathOf('Endpoints'));
    const versions = endpoints.map((object) => `${keyOf(object)}@${object.metadata.resourceVersion}`).join(' ');
    if (versions !== lastVersions || !(await isComplete(api, endpoints, marker))) quietSince = Date.now();
    if (Date.now() - quietSince >= QUIET_MS) return;
    if (Date.now() > deadline) throw new Error(`the endpoints controller did not settle in ${TIMEOUT_MS / 1000} s`);
    lastVersions = versions;
    await pause(POLL_MS);
  }
}

async function createMarker(api: Api, marker: string): Promise<void> {
  if ((await api.get(pathOf('Namespace', undefined, MARKER_NAMESPACE))) === undefined) {
    await api.post(pathOf('Namespace'), { apiVersion: 'v1', kind: 'Namespace', metadata: { name: MARKER_NAMESPACE } });
  }
  const metadata = { name: marker, namespace: MARKER_NAMESPACE, labels: { mark: marker } };
  const pod = await api.post(pathOf('Pod', MARKER_NAMESPACE), {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata,
    spec: { nodeName: 'nowhere', containers: [{ name: 'mark', image: 'mark:1' }] },
  });
  await api.post(pathOf('Service', MARKER_NAMESPACE), {
    apiVersion: 'v1',
    kind: 'Service',
    metadata,
    spec: { selector: { mark: marker }, ports: [{ port: 80 }] },
  });
  const conditions = [{ type: 'Ready', status: 'True' }];
  const status = { phase: 'Running', podIP: '10.244.250.2', podIPs: [{ ip: '10.244.250.2' }], conditions };
  await api.put(`${pathOf('Pod', MARKER_NAMESPACE, marker)}/status`, { ...pod, status });
}

/** Whether the marker's Endpoints exist and every Service that needs Endpoints has them. */
async function isComplete(api: Api, endpoints: readonly Manifest[], marker: string): Promise<boolean> {
  const byKey = new Map(endpoints.map((object) => [keyOf(object), object]));
  if ((byKey.get(`${MARKER_NAMESPACE}/${marker}`)?.subsets ?? []).length === 0) return false;
  const services = await api.list(pathOf('Service'));
  return services.every((service) => {
    const { selector, type } = service.spec as { selector?: unknown; type?: string };
    return selector === undefined || type === 'ExternalName' || byKey.has(keyOf(service));
  });
}
