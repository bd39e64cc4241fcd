import type { ContainerPort, PodIP } from 'kube-endpoints/internal';
import type { ApiObject } from 'kube-endpoints/port';
import type { Container, Pod, PodCondition } from 'kube-endpoints/types';
import { type InternTable, projectMetadata } from './intern.ts';
import { type CachedPod, type FindPod, findOrCreateReference } from './reference.ts';

type Spec = NonNullable<Pod['spec']>;
type Status = NonNullable<Pod['status']>;

/**
 * Projects the fields of a pod that endpoints, slices and their explanations read: metadata without annotations and owners; from the spec
 * the node, hostname and subdomain, the restart policy, and the ports of containers and sidecars; from the status the phase, the IPs and
 * the Ready condition. Names of containers, and containers without ports, are omitted. Adds the reference object that the addresses in the
 * other caches share.
 */
export function projectCachedPod(object: ApiObject, table: InternTable, findPod: FindPod): CachedPod {
  const { metadata, spec, status } = object;
  const reference = findOrCreateReference(object, findPod);
  const projected = projectMetadata(metadata, metadata.labels, table);
  if (reference) {
    // Shares the strings of the reference.
    projected.name = reference.name;
    projected.uid = reference.uid;
  }
  return {
    metadata: projected,
    spec: projectSpec((spec ?? emptyObject) as Spec, table),
    status: projectStatus((status ?? emptyObject) as Status, table),
    reference,
  };
}

const emptyObject = {};

function projectSpec(spec: Spec, table: InternTable): Spec {
  const { nodeName, restartPolicy, hostname, subdomain } = spec;
  const projected: { -readonly [Field in keyof Spec]: Spec[Field] } = {
    containers: projectContainers(spec.containers, table),
    nodeName: table.internText(nodeName),
    restartPolicy: table.internText(restartPolicy),
  };
  if (hostname) projected.hostname = hostname;
  if (subdomain) projected.subdomain = table.internText(subdomain);
  const sidecars = spec.initContainers?.filter((container) => container.restartPolicy === 'Always');
  const sidecarsWithPorts = sidecars && projectContainers(sidecars, table);
  if (sidecarsWithPorts && sidecarsWithPorts.length > 0) projected.initContainers = sidecarsWithPorts;
  return projected;
}

function projectStatus({ phase, podIP, podIPs, conditions }: Status, table: InternTable): Status {
  return {
    phase: table.internText(phase),
    podIP,
    podIPs: podIPs?.length ? projectIPs(podIPs, podIP) : undefined,
    conditions: projectConditions(conditions, table),
  };
}

/** Has a literal for the most frequent case, a single IP, because it takes the least memory. An IP equal to podIP shares its string. */
const projectIPs = (podIPs: readonly PodIP[], podIP: Status['podIP']): readonly PodIP[] => {
  const [first] = podIPs;
  if (podIPs.length === 1) return [{ ip: first?.ip === podIP ? podIP : first?.ip }];
  return podIPs.map(({ ip }) => ({ ip: ip === podIP ? podIP : ip }));
};

/** Only the first Ready condition counts. */
function projectConditions(conditions: Status['conditions'], table: InternTable): readonly PodCondition[] | undefined {
  const readyCondition = conditions?.find(({ type }) => type === 'Ready');
  if (!readyCondition) return undefined;
  const { status, lastTransitionTime, reason, message } = readyCondition;
  if (reason || message) return [{ type: 'Ready', status, lastTransitionTime, reason, message }];
  // Pods of one rollout become ready within the same seconds, and share the condition.
  return table.getOrCreate(`Ready ${status} ${lastTransitionTime}`, () =>
    Object.freeze([Object.freeze({ type: 'Ready', status: table.internText(status), lastTransitionTime })]),
  );
}

/** Pods of one template have the same ports and share the list. */
function projectContainers(containers: readonly Container[] | null | undefined, table: InternTable): readonly Container[] {
  const containersWithPorts = (containers ?? []).filter(({ ports }) => ports?.length);
  return containersWithPorts.length > 0 ? table.internValue(containersWithPorts.map(projectContainer)) : noContainers;
}

const noContainers: readonly Container[] = Object.freeze([]);

const projectContainer = ({ ports, restartPolicy }: Container): Container => ({
  ports: (ports ?? []).map(projectPort),
  ...(restartPolicy && { restartPolicy }),
});

const projectPort = ({ name, containerPort, protocol }: ContainerPort): ContainerPort => ({
  ...(name && { name }),
  ...(containerPort !== undefined && { containerPort }),
  ...(protocol && { protocol }),
});
