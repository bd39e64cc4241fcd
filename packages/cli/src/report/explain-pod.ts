import { explainEndpoints } from 'kube-endpoints';
import type { PodExplanation } from 'kube-endpoints/explain';
import { formatCount, type PodSlicesExplanation } from 'kube-endpoints/internal';
import { compareByName, nameOf, namespaceOf, objectKey } from 'kube-endpoints/internal/apimachinery';
import type { Pod, Service } from 'kube-endpoints/types';
import type { Release } from '../flags/common.ts';
import type { Scope } from '../input/scope.ts';
import type { Report } from '../print/report.ts';
import type { Style } from '../print/style.ts';
import { cell, formatTable } from '../print/table.ts';
import { escapeUnprintable } from '../print/text.ts';
import { createMembershipRows, explainServiceSlices, formatMembershipTable } from './explain-slices.ts';
import { createReadinessExplainer, formatReason, stateOf } from './explanations.ts';
import { createUnknownZonesHints } from './hints.ts';

export interface ExplainPodOptions extends Release {
  readonly pod: string;
  /** The namespace of the pod; undefined for all. */
  readonly namespace: string | undefined;
  /** True if Services are named on the command line: then a named Service that does not select the pod is a finding, too. */
  readonly hasNames: boolean;
  readonly maxEndpointsPerSlice?: number | undefined;
}

/** The pod as one Service sees it. */
interface PodInService {
  readonly service: { readonly namespace: string; readonly name: string };
  readonly pod: PodExplanation;
  /** The pod's slices; only set if the Service selects the pod and the release's slices are specified. */
  readonly slices?: PodSlicesExplanation;
}

/** Reports for `explain --pod` how each Service treats each pod of the given name in its namespace, with every reason that excludes the pod. */
export function explainPod(scope: Scope, candidates: readonly Pod[], options: ExplainPodOptions): Report {
  const pods = candidates.filter((pod) => nameOf(pod) === options.pod).sort(compareByName);
  const items = pods.flatMap((pod) => explainInServices(pod, scope, options));
  return {
    hasFindings: pods.some((pod) =>
      isNotReady(
        items.filter(({ pod: { namespace } }) => namespace === namespaceOf(pod)),
        options.hasNames,
      ),
    ),
    text: (style) => pods.flatMap((pod, index) => [...(index > 0 ? [''] : []), ...formatSection(pod, items, options.version, style)]),
    data: () => ({ items }),
    hints: createUnknownZonesHints(scope.nodes, findServicesWithSlices(items, scope), options),
    errors: pods.length > 0 ? [] : [`pods ${JSON.stringify(options.pod)} not found in ${describeNamespace(options.namespace)}`],
  };
}

/** The Services whose slices were explained for the pod. */
const findServicesWithSlices = (items: readonly PodInService[], scope: Scope): readonly Service[] => {
  const keys = new Set(items.filter(({ slices }) => slices).map(({ service }) => `${service.namespace}/${service.name}`));
  return scope.services.filter((service) => keys.has(objectKey(service)));
};

const describeNamespace = (namespace: string | undefined): string =>
  namespace === undefined ? 'any namespace' : `namespace ${JSON.stringify(namespace)}`;

function explainInServices(pod: Pod, scope: Scope, options: ExplainPodOptions): PodInService[] {
  const items = scope.services
    .filter((service) => namespaceOf(service) === namespaceOf(pod))
    .map((service): PodInService => {
      const explanation = explainForService(service, pod, scope, options);
      const slices = explanation.selected
        ? explainServiceSlices(service, scope, options).pods.find(({ name }) => name === explanation.name)
        : undefined;
      return { service: { namespace: namespaceOf(service), name: nameOf(service) }, pod: explanation, ...(slices && { slices }) };
    });
  return items.sort((a, b) => Number(b.pod.selected) - Number(a.pod.selected));
}

/** Explains a pod for a Service. If the Service selects the pod, includes the other selected pods, since they may exceed the address limit. */
function explainForService(service: Service, pod: Pod, scope: Scope, release: Release): PodExplanation {
  const options = { ...release, readiness: createReadinessExplainer(release) };
  const explanationOfPodAlone = explainEndpoints(service, [pod], options)[0] as PodExplanation;
  if (!explanationOfPodAlone.selected) return explanationOfPodAlone;
  return explainEndpoints(service, scope.podsSelectedBy(service), options).find(
    ({ name }) => name === explanationOfPodAlone.name,
  ) as PodExplanation;
}

/** True if the pod is not ready for a Service that was named or that selects it, or if there is no such Service. */
function isNotReady(items: readonly PodInService[], hasNames: boolean): boolean {
  const relevantItems = hasNames ? items : items.filter(({ pod }) => pod.selected);
  return relevantItems.length === 0 || relevantItems.some(({ pod }) => !pod.ready);
}

function formatSection(pod: Pod, items: readonly PodInService[], version: string, style: Style): string[] {
  const itemsOfPod = items.filter(({ pod: { namespace } }) => namespace === namespaceOf(pod));
  const name = style.paint(`POD ${escapeUnprintable(`${namespaceOf(pod)}/${nameOf(pod)}`)}`, 'bold');
  const readyCount = itemsOfPod.filter(({ pod: { ready } }) => ready).length;
  const selectingCount = itemsOfPod.filter(({ pod: { selected } }) => selected).length;
  const verdict = `ready for ${readyCount} of ${formatCount(selectingCount, 'Service')} that ${selectingCount === 1 ? 'selects' : 'select'} it`;
  const rows = itemsOfPod.map((item) => {
    const { word, colour } = stateOf(item.pod);
    return [
      cell(item.service.name),
      cell(word, colour),
      cell(item.pod.ip ?? ''),
      cell(item.pod.ports.join(',')),
      { lines: item.pod.reasons.map(formatReason) },
    ];
  });
  if (rows.length === 0) return [`${name}  (Kubernetes ${version})   no Services in its namespace`];
  return [
    `${name}  (Kubernetes ${version})   ${verdict}`,
    ...formatTable(['SERVICE', 'STATE', 'ADDRESS', 'PORTS', 'WHY'], rows, style, '  '),
    ...formatSlicesTable(itemsOfPod, style),
  ];
}

function formatSlicesTable(items: readonly PodInService[], style: Style): string[] {
  const rows = items.flatMap(({ service, slices, pod }) => (slices ? createMembershipRows(cell(service.name), slices, pod.reasons) : []));
  if (rows.length === 0) return [];
  return [`  ${style.paint('IN ENDPOINTSLICES', 'bold')}`, ...formatMembershipTable('SERVICE', rows, style)];
}
