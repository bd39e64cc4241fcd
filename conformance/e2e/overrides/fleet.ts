import type { Manifest } from '../../../examples/manifest.ts';
import { type Api, inParallel, pathOf } from '../api.ts';
import { load } from '../load.ts';

export const namespace = 'rules';
/** The role of a Service determines its rule: "out" excludes a pod, "full" keeps a minimum ready, "calm" holds pods; "plain" has no rule. */
export const roles = ['plain', 'out', 'full', 'calm'] as const;
export type Role = (typeof roles)[number];
export const servicesPerRole = 3;
export const podsPerService = 4;

export interface Member {
  readonly role: Role;
  readonly service: string;
  /** Index of the Service over all roles. */
  readonly index: number;
}

export const members: readonly Member[] = Array.from({ length: roles.length * servicesPerRole }, (_, index) => {
  const role = roles[index % roles.length] as Role;
  return { role, index, service: `${role}-${Math.floor(index / roles.length)}` };
});

export const ipOf = ({ index }: Member, pod: number): string => `10.1.${index}.${pod + 1}`;
const podName = ({ service }: Member, pod: number): string => `${service}-${pod}`;

/** Creates all Services with ready pods, and one Service with manual endpoints. */
export async function createFleet(api: Api): Promise<void> {
  const pods = members.flatMap((member) => Array.from({ length: podsPerService }, (_, pod) => podManifest(member, pod)));
  await load(api, [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
    ...[0, 1].map(nodeManifest),
    ...pods,
    ...members.map(({ service }) => serviceManifest(service, { app: service })),
    serviceManifest('by-hand'),
  ]);
}

/** Writes the status like a kubelet, with times in seconds. */
export async function setReady(api: Api, member: Member, pod: number, ready: boolean): Promise<void> {
  await api.mergePatch(`${pathOf('Pod', namespace, podName(member, pod))}/status`, { status: { conditions: [readiness(ready)] } });
}

export const setAllReady = (api: Api): Promise<void> =>
  inParallel(
    members.flatMap((member) => Array.from({ length: podsPerService }, (_, pod) => ({ member, pod }))),
    async ({ member, pod }) => {
      const { status } = (await api.get(pathOf('Pod', namespace, podName(member, pod)))) as Manifest & {
        status: { conditions?: { type: string; status: string }[] };
      };
      const isReady = status.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True');
      if (!isReady) await setReady(api, member, pod, true);
    },
  );

/** Returns the pod that changes in a round of the churn, and its new readiness. */
export function readinessAt({ role }: Member, round: number): { readonly pod: number; readonly ready: boolean } {
  // In "full" Services, all pods become not ready one after another; in others, at most one pod is not ready.
  if (role === 'full') return { pod: round % podsPerService, ready: Math.floor(round / podsPerService) % 2 === 1 };
  return { pod: Math.floor(round / 2) % podsPerService, ready: round % 2 === 1 };
}

const readiness = (ready: boolean): object => ({
  type: 'Ready',
  status: ready ? 'True' : 'False',
  lastTransitionTime: new Date().toISOString().replace(/\.\d+Z$/, 'Z'),
});

function podManifest(member: Member, pod: number): Manifest {
  const podIP = ipOf(member, pod);
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { namespace, name: podName(member, pod), labels: { app: member.service } },
    spec: { nodeName: nodeName(pod), containers: [{ name: 'main', image: 'web:1', ports: [{ containerPort: 8080 }] }] },
    status: { phase: 'Running', podIP, podIPs: [{ ip: podIP }], conditions: [readiness(true)] },
  };
}

const nodeName = (number: number): string => `node-${number % 2}`;

const nodeManifest = (number: number): Manifest => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: nodeName(number), labels: { 'topology.kubernetes.io/zone': `zone-${number}` } },
  status: { conditions: [{ type: 'Ready', status: 'True' }], allocatable: { cpu: '4' } },
});

const serviceManifest = (name: string, selector?: Readonly<Record<string, string>>): Manifest => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { namespace, name },
  spec: { ...(selector && { selector }), ports: [{ name: 'http', port: 80, targetPort: 8080 }] },
});
