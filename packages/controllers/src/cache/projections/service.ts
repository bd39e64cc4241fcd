import { tolerateUnreadyAnnotation, topologyHintsAnnotation, topologyModeAnnotation } from 'kube-endpoints/internal';
import type { ApiObject } from 'kube-endpoints/port';
import type { Service, ServicePort } from 'kube-endpoints/types';
import { type InternTable, noInterning, pick, projectMetadata } from './intern.ts';

type Spec = NonNullable<Service['spec']>;

/** Projects the fields of a Service that endpoints, slices and their explanations read. Keeps all labels: Endpoints and slices copy them. */
export function projectService({ metadata, spec }: ApiObject, table: InternTable = noInterning): Service {
  const projected = projectMetadata(metadata, metadata.labels, table);
  if (metadata.creationTimestamp !== undefined) projected.creationTimestamp = metadata.creationTimestamp;
  const annotations = pick(metadata.annotations, usedAnnotations);
  if (annotations) projected.annotations = annotations;
  return spec ? { metadata: projected, spec: projectSpec(spec as Spec, table) } : { metadata: projected };
}

/** Time up to which ended `hold` overrides have been released. Endpoints do not depend on it, but a change of it requires a sync. */
export const overridesDueAnnotation = 'kube-endpoints/overrides-due';

const usedAnnotations: readonly string[] = [
  tolerateUnreadyAnnotation,
  topologyHintsAnnotation,
  topologyModeAnnotation,
  overridesDueAnnotation,
];

function projectSpec(spec: Spec, table: InternTable): Spec {
  const { type, selector, clusterIP, ipFamilies, ports, publishNotReadyAddresses, trafficDistribution } = spec;
  return {
    type: table.internText(type),
    // An empty selector differs from an absent one.
    ...(selector && { selector: table.internValue(selector) }),
    clusterIP: table.internText(clusterIP),
    ...(ipFamilies?.length && { ipFamilies: table.internValue(ipFamilies) }),
    ...(ports?.length && { ports: table.internValue(ports.map(projectPort)) }),
    ...(publishNotReadyAddresses && { publishNotReadyAddresses }),
    ...(trafficDistribution !== undefined && { trafficDistribution: table.internText(trafficDistribution) }),
  };
}

const projectPort = ({ name, port, protocol, targetPort, appProtocol }: ServicePort): ServicePort => ({
  ...(name && { name }),
  ...(port !== undefined && { port }),
  ...(protocol && { protocol }),
  ...(targetPort !== undefined && { targetPort }),
  ...(appProtocol !== undefined && { appProtocol }),
});
