import type { ServedResource } from '../registry/catalog.ts';
import type { GroupVersion } from './groups.ts';
import { subresourcesOf, verbsOf } from './plain.ts';

type Fields = Readonly<Record<string, unknown>>;

/** `apidiscovery.APIGroupDiscoveryList` of groups, each with its versions, the preferred one first. */
export const groupDiscoveryList = (groups: readonly (readonly GroupVersion[])[]): Fields => ({
  kind: 'APIGroupDiscoveryList',
  apiVersion: 'apidiscovery.k8s.io/v2',
  metadata: {},
  items: groups.map((versions) => ({
    metadata: versions[0]?.group === '' ? {} : { name: versions[0]?.group },
    versions: versions.map(({ version, resources }) => ({ version, resources: resources.map(resourceOf), freshness: 'Current' })),
  })),
});

function resourceOf(served: ServedResource): Fields {
  const { resource, singular, shortNames, categories } = served;
  const subresources = subresourcesOf(served);
  return {
    resource: resource.plural,
    responseKind: kindOf(served),
    scope: resource.namespaced ? 'Namespaced' : 'Cluster',
    singularResource: singular,
    verbs: verbsOf(served),
    ...(shortNames.length > 0 && { shortNames }),
    ...(categories.length > 0 && { categories }),
    ...(subresources.length > 0 && {
      subresources: subresources.map(({ name, verbs, type }) => ({ subresource: name, responseKind: kindOf(served, type), verbs })),
    }),
  };
}

/** Built-in resources leave out the group and version that the kind is found under. */
function kindOf({ resource, schema }: ServedResource, type: Kind = resource): Kind {
  const { group, version, kind } = type;
  const same = group === resource.group && version === resource.version;
  return schema.struct && same ? { group: '', version: '', kind } : { group, version, kind };
}

interface Kind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}
