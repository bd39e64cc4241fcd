import { canonicalIP, namespaceOf } from '../apimachinery/index.ts';
import type { Service } from '../types/index.ts';
import { createCauseReason } from './all-reasons.ts';
import { isTypo } from './nearest.ts';
import { quoteOrNone } from './reason.ts';
import { createServiceCause, type DiagnosisInput, type RootCause } from './root-cause.ts';

export const externalNameOf = ({ spec }: Service): string =>
  ((spec as { readonly externalName?: string | null } | undefined)?.externalName ?? '').replace(/\.$/, '');

const path = 'service.spec.externalName';

/** The domain of most clusters. */
export const defaultClusterDomain = 'cluster.local';

/** Finds why a Service of type ExternalName names no host. */
export function findExternalNameCauses(input: DiagnosisInput): RootCause[] {
  const { service, profile } = input;
  const target = externalNameOf(service);
  if (canonicalIP(target) !== undefined)
    return [createServiceCause(createCauseReason('ExternalNameIsIP', path, profile, { target }), service)];
  const [name = '', namespace = '', svc, ...domain] = target.split('.');
  const isServiceName = svc === 'svc' && (domain.length === 0 || isTypo(domain.join('.'), defaultClusterDomain));
  const why = isServiceName ? findMissing(name, namespace, input) : undefined;
  if (why !== undefined) return [createServiceCause(createCauseReason('ExternalNameNotFound', path, profile, { target, why }), service)];
  const complete = findCompleteName(input);
  if (complete === undefined) return [];
  const values = { target, meant: `; ${complete} is probably meant` };
  return [createServiceCause(createCauseReason('ExternalNameIncomplete', path, profile, values), service)];
}

/** Why a Service does not exist; undefined if it exists, or if the input may be of another part of the cluster. */
function findMissing(name: string, namespace: string, { objects, cluster }: DiagnosisInput): string | undefined {
  if (!objects.services || cluster.service(`${namespace}/${name}`)) return undefined;
  if (cluster.serviceNamespaces.has(namespace)) return `namespace ${quoteOrNone(namespace)} has no Service ${quoteOrNone(name)}`;
  const isWholeCluster = cluster.serviceNamespaces.size > 1;
  return isWholeCluster ? `no Service is in namespace ${quoteOrNone(namespace)}` : undefined;
}

/** The complete name of a Service whose short form is the externalName; undefined if that is complete, or of another host. */
export function findCompleteName({ service, cluster }: Pick<DiagnosisInput, 'service' | 'cluster'>): string | undefined {
  const target = externalNameOf(service);
  const [name = '', namespace = namespaceOf(service), svc, ...domain] = target.split('.');
  const isComplete = domain.join('.') === defaultClusterDomain;
  const isMistyped = domain.length > 0 && !isComplete && isTypo(domain.join('.'), defaultClusterDomain);
  const isShort = domain.length === 0 && (svc === undefined || svc === 'svc');
  return (isShort || isMistyped) && cluster.service(`${namespace}/${name}`)
    ? `${name}.${namespace}.svc.${defaultClusterDomain}`
    : undefined;
}

/** The complete name of the only Service whose name or namespace is similar to that in the externalName. */
export function findSimilarName({ service, objects }: Pick<DiagnosisInput, 'service' | 'objects'>): string | undefined {
  const [name = '', namespace = ''] = externalNameOf(service).split('.');
  const isSame = (a: string, b: string): boolean => a === b || isTypo(a, b);
  const similar = (objects.services ?? []).filter(
    ({ metadata }) =>
      (metadata?.name === name && isSame(metadata.namespace ?? '', namespace)) ||
      (metadata?.namespace === namespace && isSame(metadata.name ?? '', name)),
  );
  const [first] = similar;
  return first && similar.length === 1 ? `${first.metadata?.name}.${namespaceOf(first)}.svc.${defaultClusterDomain}` : undefined;
}
