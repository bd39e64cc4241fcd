import { createHash } from 'node:crypto';
import type { ServedResource, ServedSubresource, Verb } from '../registry/catalog.ts';
import type { Fields } from '../store/fields.ts';
import type { GroupVersion } from './groups.ts';

/** Creates a `metav1.APIVersions`. */
export const createApiVersions = (serverAddress: string, versions: readonly string[]): Fields => ({
  kind: 'APIVersions',
  versions,
  serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress }],
});

/** Creates a `metav1.APIGroupList`. */
export const createApiGroupList = (groups: readonly (readonly GroupVersion[])[]): Fields => ({
  kind: 'APIGroupList',
  apiVersion: 'v1',
  groups: groups.map(toGroupFields),
});

/** Creates the `metav1.APIGroup` of a group's versions; the first one is preferred. */
export const createApiGroup = (versions: readonly GroupVersion[]): Fields => ({
  kind: 'APIGroup',
  apiVersion: 'v1',
  ...toGroupFields(versions),
});

function toGroupFields(groupVersions: readonly GroupVersion[]): Fields {
  const versions = groupVersions.map(({ group, version }) => ({ groupVersion: `${group}/${version}`, version }));
  return { name: groupVersions[0]?.group, versions, preferredVersion: versions[0] };
}

/** Creates a `metav1.APIResourceList`. The list of the core group has no apiVersion, as in Kubernetes 1.1. */
export const createApiResourceList = ({ group, version, resources }: GroupVersion): Fields => ({
  kind: 'APIResourceList',
  ...(group !== '' && { apiVersion: 'v1' }),
  groupVersion: group === '' ? version : `${group}/${version}`,
  resources: resources.flatMap((servedResource) => [
    toApiResource(servedResource),
    ...subresourcesOf(servedResource).map((each) => toApiSubresource(servedResource, each)),
  ]),
});

function toApiResource(servedResource: ServedResource): Fields {
  const { resource, singular, shortNames, categories } = servedResource;
  const { group, version, kind } = servedResource.storedAs ?? { ...resource, version: storageVersions[resource.kind] ?? resource.version };
  return {
    name: resource.plural,
    singularName: singular,
    namespaced: resource.namespaced,
    kind: resource.kind,
    verbs: verbsOf(servedResource),
    ...(shortNames.length > 0 && { shortNames }),
    ...(categories.length > 0 && { categories }),
    ...(servedResource.verbs.includes('watch') && { storageVersionHash: computeStorageVersionHash(group, version, kind) }),
  };
}

function toApiSubresource({ resource }: ServedResource, { name, verbs, type }: ServedSubresource): Fields {
  const hasDifferentGroupVersion = type !== undefined && (type.group !== resource.group || type.version !== resource.version);
  return {
    name: `${resource.plural}/${name}`,
    singularName: '',
    namespaced: resource.namespaced,
    ...(hasDifferentGroupVersion && { group: type.group, version: type.version }),
    kind: type?.kind ?? resource.kind,
    verbs,
  };
}

/** Storage versions of the kinds that kube-apiserver stores in an older version; used for the storageVersionHash. */
const storageVersions: Readonly<Record<string, string>> = {
  CustomResourceDefinition: 'v1beta1',
  MutatingAdmissionPolicy: 'v1beta1',
  MutatingAdmissionPolicyBinding: 'v1beta1',
};

/** Mirrors `StorageVersionHash` (apiserver/pkg/endpoints/discovery, 1.36). */
const computeStorageVersionHash = (group: string, version: string, kind: string): string =>
  createHash('sha256').update(`${group}/${version}/${kind}`).digest().subarray(0, 8).toString('base64');

/** Lists subresources: those of built-in resources sorted by name; those of custom resources, as upstream, with status first. */
export const subresourcesOf = ({ subresources, schema }: ServedResource): readonly ServedSubresource[] =>
  schema.struct
    ? [...subresources].sort((a, b) => (a.name < b.name ? -1 : 1))
    : [...subresources].sort((a) => (a.name === 'status' ? -1 : 1));

/** Returns the verbs, sorted alphabetically for built-in resources. As upstream, custom resources have a fixed, different order. */
export const verbsOf = ({ verbs, schema }: ServedResource): readonly Verb[] =>
  schema.struct ? verbs : customResourceVerbs.filter((verb) => verbs.includes(verb));

const customResourceVerbs: readonly Verb[] = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'];
