import type { ApiObject } from 'kube-endpoints/port';
import { createControllerReference, type OwnerKind } from '../owner-references.ts';
import type { OwnerReference, Pod, PodSpec } from '../types.ts';
import { isInOrdinalRange, ordinalOf } from './identity.ts';
import { type PersistentVolumeClaim, podKind, type StatefulSet, statefulSetKind, type Volume, volumesOf } from './objects.ts';

/** Mirrors the rules of claims in 1.36, pkg/controller/statefulset/stateful_set_utils.go. */

/** The name of the claim of a template for a pod. */
const nameClaim = (set: StatefulSet, template: PersistentVolumeClaim, ordinal: number): string =>
  `${template.metadata.name}-${set.metadata.name}-${ordinal}`;

/** The names of the claims of a pod, in the order of the templates. */
export const claimNamesOf = (set: StatefulSet, pod: Pod): string[] =>
  (set.spec.volumeClaimTemplates ?? []).map((template) => nameClaim(set, template, ordinalOf(pod)));

/** The claims of a pod by the name of their template: getPersistentVolumeClaims. Upstream's order is random; here it is that of the templates. */
export const claimsOf = (set: StatefulSet, pod: Pod): ReadonlyMap<string, PersistentVolumeClaim> =>
  new Map(
    (set.spec.volumeClaimTemplates ?? []).map((template) => [template.metadata.name ?? '', createClaim(set, template, ordinalOf(pod))]),
  );

function createClaim(set: StatefulSet, template: PersistentVolumeClaim, ordinal: number): PersistentVolumeClaim {
  const { labels: templateLabels, ...metadata } = template.metadata;
  const labels = { ...templateLabels, ...set.spec.selector.matchLabels };
  const name = nameClaim(set, template, ordinal);
  return {
    ...template,
    metadata: { ...metadata, name, namespace: set.metadata.namespace ?? '', ...(Object.keys(labels).length > 0 && { labels }) },
  };
}

/** Whether the volumes of a pod use its claims: storageMatches. */
export function isStorageMatching(set: StatefulSet, pod: Pod): boolean {
  if (ordinalOf(pod) < 0) return false;
  const volumes = new Map(volumesOf(pod).map((volume) => [volume.name, volume]));
  return (set.spec.volumeClaimTemplates ?? []).every(
    (template) => volumes.get(template.metadata.name ?? '')?.persistentVolumeClaim?.claimName === nameClaim(set, template, ordinalOf(pod)),
  );
}

/** Replaces the volumes of a pod that have the name of a template by volumes of its claims: updateStorage. */
export function setStorage(set: StatefulSet, pod: Pod): Pod {
  const claims = claimsOf(set, pod);
  const volumes: Volume[] = [
    ...[...claims].map(([name, claim]) => ({ name, persistentVolumeClaim: { claimName: claim.metadata.name ?? '' } })),
    ...volumesOf(pod).filter(({ name }) => !claims.has(name)),
  ];
  const { volumes: _, ...spec }: PodSpec = pod.spec ?? {};
  return { ...pod, spec: volumes.length > 0 ? { ...spec, volumes } : spec };
}

/** Whether claims that belong to no other pod's ordinal are kept ("Retain"): the policy, with unknown values as "Retain". */
function retentionOf({ spec }: StatefulSet): { readonly deletesWhenScaled: boolean; readonly deletesWhenDeleted: boolean } {
  const { whenScaled = 'Retain', whenDeleted = 'Retain' } = spec.persistentVolumeClaimRetentionPolicy ?? {};
  const isKnown = [whenScaled, whenDeleted].every((policy) => policy === 'Retain' || policy === 'Delete');
  return { deletesWhenScaled: isKnown && whenScaled === 'Delete', deletesWhenDeleted: isKnown && whenDeleted === 'Delete' };
}

/** The owner that the retention policy gives to a claim of a pod. */
function expectedOwnerOf(set: StatefulSet, pod: Pod): 'set' | 'pod' | 'none' {
  const { deletesWhenScaled, deletesWhenDeleted } = retentionOf(set);
  if (deletesWhenScaled && !isInOrdinalRange(set, pod)) return 'pod';
  return deletesWhenDeleted ? 'set' : 'none';
}

const ownerReferencesOf = ({ metadata }: PersistentVolumeClaim): readonly OwnerReference[] =>
  (metadata.ownerReferences ?? []) as unknown as readonly OwnerReference[];

const refersTo = (reference: OwnerReference, owner: ApiObject, { apiVersion, kind }: OwnerKind): boolean =>
  reference.apiVersion === apiVersion && reference.kind === kind && reference.name === owner.metadata.name;

const hasOwner = (claim: PersistentVolumeClaim, owner: ApiObject): boolean =>
  ownerReferencesOf(claim).some(({ uid }) => uid === owner.metadata.uid);

/** Whether a claim refers to a former object of the owner's name. */
function hasStaleOwner(claim: PersistentVolumeClaim, owner: ApiObject, kind: OwnerKind): boolean {
  const reference = ownerReferencesOf(claim).find((each) => refersTo(each, owner, kind));
  return reference !== undefined && reference.uid !== owner.metadata.uid;
}

/** Whether an existing claim blocks the creation of its pod, because it belongs to a former pod: PodClaimIsStale. */
export const isStaleClaim = (set: StatefulSet, pod: Pod, claim: PersistentVolumeClaim): boolean =>
  (set.spec.persistentVolumeClaimRetentionPolicy?.whenScaled ?? 'Retain') !== 'Retain' && hasStaleOwner(claim, pod, podKind);

/** Whether another controller manages a claim that the retention policy should manage: hasUnexpectedController. */
export function hasUnexpectedController(claim: PersistentVolumeClaim, set: StatefulSet, pod: Pod): boolean {
  const { whenScaled = 'Retain', whenDeleted = 'Retain' } = set.spec.persistentVolumeClaimRetentionPolicy ?? {};
  if (whenScaled === 'Retain' && whenDeleted === 'Retain') return false;
  return ownerReferencesOf(claim).some((reference) => {
    if (refersTo(reference, set, statefulSetKind)) return reference.uid !== set.metadata.uid;
    if (refersTo(reference, pod, podKind)) return reference.uid !== pod.metadata.uid;
    return reference.controller === true;
  });
}

/** Whether the owners of a claim follow the retention policy, or must not be changed: isClaimOwnerUpToDate. */
export function isClaimOwnerUpToDate(claim: PersistentVolumeClaim, set: StatefulSet, pod: Pod): boolean {
  if (hasStaleOwner(claim, set, statefulSetKind) || hasStaleOwner(claim, pod, podKind)) return true;
  const [ownedBySet, ownedByPod] = [hasOwner(claim, set), hasOwner(claim, pod)];
  if (hasUnexpectedController(claim, set, pod)) return !ownedBySet && !ownedByPod;
  const isOwn = ({ uid }: OwnerReference): boolean => uid === set.metadata.uid || uid === pod.metadata.uid;
  if (ownerReferencesOf(claim).some((reference) => isOwn(reference) && reference.controller !== true)) return false;
  const expected = expectedOwnerOf(set, pod);
  return ownedBySet === (expected === 'set') && ownedByPod === (expected === 'pod');
}

/** Sets the owners of a claim by the retention policy: updateClaimOwnerRefForSetAndPod. */
export function setClaimOwner(claim: PersistentVolumeClaim, set: StatefulSet, pod: Pod): PersistentVolumeClaim {
  const others = ownerReferencesOf(claim).filter(
    (reference) => !refersTo(reference, set, statefulSetKind) && !refersTo(reference, pod, podKind),
  );
  const expected = hasUnexpectedController(claim, set, pod) ? 'none' : expectedOwnerOf(set, pod);
  const owner = { set, pod, none: undefined }[expected];
  const isListed = owner !== undefined && others.some(({ uid }) => uid === owner.metadata.uid);
  const added = owner && !isListed ? [createControllerReference(owner, expected === 'set' ? statefulSetKind : podKind)] : [];
  const ownerReferences = [...others, ...added].map((reference) => ({ ...reference }));
  const { ownerReferences: _, ...metadata } = claim.metadata;
  return { ...claim, metadata: ownerReferences.length > 0 ? { ...metadata, ownerReferences } : metadata };
}
