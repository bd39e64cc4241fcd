import { type ApiType, apiTypes, type StructType } from '../resources/index.ts';
import { parseTypes } from '../resources/schema/parse.ts';

/** Package names in OpenAPI documents by package names in the type tables. */
const packages: Readonly<Record<string, string>> = {
  admission: 'io.k8s.api.admissionregistration.v1',
  authentication: 'io.k8s.api.authentication.v1',
  autoscaling: 'io.k8s.api.autoscaling.v1',
  coordination: 'io.k8s.api.coordination.v1',
  core: 'io.k8s.api.core.v1',
  discovery: 'io.k8s.api.discovery.v1',
  events: 'io.k8s.api.events.v1',
  meta: 'io.k8s.apimachinery.pkg.apis.meta.v1',
  policy: 'io.k8s.api.policy.v1',
};

/** Names of the definitions of types that are not structs, by Go name. */
export const opaqueDefinitionNames: Readonly<Record<string, string>> = {
  'intstr.IntOrString': 'io.k8s.apimachinery.pkg.util.intstr.IntOrString',
  'resource.Quantity': 'io.k8s.apimachinery.pkg.api.resource.Quantity',
  'runtime.RawExtension': 'io.k8s.apimachinery.pkg.runtime.RawExtension',
  'v1.FieldsV1': `${packages['meta']}.FieldsV1`,
  'v1.MicroTime': `${packages['meta']}.MicroTime`,
  'v1.Time': `${packages['meta']}.Time`,
};

export interface TypeNames {
  /**
   * Finds the name of a struct in the type tables, such as "core.Service"; for structs that are not in the tables, the group and the Go
   * name, separated by a colon.
   */
  findTableName(type: StructType, group: string): string;
  findStruct(tableName: string): StructType | undefined;
}

/** Creates the lookup of all types that have definitions. */
export function createTypeNames(): TypeNames {
  const extraTypeTable = parseExtraTypes();
  const names = new Map<ApiType, string>();
  for (const types of [extraTypeTable, apiTypes]) for (const [name, type] of types) names.set(type, name);
  return {
    findTableName(type, group) {
      const knownName = names.get(type);
      if (knownName !== undefined) return knownName;
      const name = type.go.slice(type.go.indexOf('.') + 1);
      return apiTypes.has(`meta.${name}`) ? `meta.${name}` : `${group}:${name}`;
    },
    findStruct(tableName) {
      const type = apiTypes.get(tableName) ?? extraTypeTable.get(tableName);
      return type?.kind === 'struct' ? type : undefined;
    },
  };
}

/** Converts "core.Service" to "io.k8s.api.core.v1.Service". */
export function toDefinitionName(tableName: string): string {
  const [group, otherName] = tableName.split(':');
  if (otherName !== undefined) return `${otherPackages[group as string] ?? reverseGroup(group as string)}.v1.${otherName}`;
  const dotIndex = tableName.indexOf('.');
  return `${packages[tableName.slice(0, dotIndex)]}.${tableName.slice(dotIndex + 1)}`;
}

const otherPackages: Readonly<Record<string, string>> = {
  'apiextensions.k8s.io': 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions',
};

/** Converts kind Widget of example.com/v1 to "com.example.v1.Widget". */
export const toCustomDefinitionName = (group: string, version: string, kind: string): string => `${reverseGroup(group)}.${version}.${kind}`;

const reverseGroup = (group: string): string => group.split('.').reverse().join('.');

/**
 * Types of requests and responses that no resource contains, such as bodies of subresources. Types without fields, for example
 * meta.ObjectMeta, are only referred to; the tables of resources define them.
 */
const parseExtraTypes = (): ReadonlyMap<string, ApiType> => parseTypes(table);

const table = `
authentication.BoundObjectReference kind?:string apiVersion?:string name?:string uid?:types.UID
authentication.TokenRequest kind?:string apiVersion?:string metadata?:meta.ObjectMeta spec:authentication.TokenRequestSpec status?:authentication.TokenRequestStatus
authentication.TokenRequestSpec audiences:[]string expirationSeconds?:*int64 boundObjectRef?:*authentication.BoundObjectReference
authentication.TokenRequestStatus token:string expirationTimestamp:meta.Time
autoscaling.Scale kind?:string apiVersion?:string metadata?:meta.ObjectMeta spec?:autoscaling.ScaleSpec status?:autoscaling.ScaleStatus
autoscaling.ScaleSpec replicas?:int32
autoscaling.ScaleStatus replicas:int32 selector?:string
meta.DeleteOptions
meta.ListMeta selfLink?:string resourceVersion?:string continue?:string remainingItemCount?:*int64
meta.ObjectMeta
meta.Status kind?:string apiVersion?:string metadata?:meta.ListMeta status?:string message?:string reason?:string details?:*meta.StatusDetails code?:int32
meta.StatusCause reason?:string message?:string field?:string
meta.StatusDetails name?:string group?:string kind?:string uid?:types.UID causes?:[]meta.StatusCause retryAfterSeconds?:int32
policy.Eviction kind?:string apiVersion?:string metadata?:meta.ObjectMeta deleteOptions?:*meta.DeleteOptions
types.UID=string
`;
